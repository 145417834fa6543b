"""`alfil rules`: the rules page of a game."""

from __future__ import annotations

import os

import click

from alfil.cli.inputs import FOUND, USAGE, say, tell
from alfil.cli.options import Settings, replacing
from alfil.cli.position import game_file
from alfil.errors import AlfilError
from alfil.library.rules_page import page, pictures_of
from alfil.saving import save


@click.command("rules")
@click.argument("name", metavar="SET_OR_FILE")
@replacing
@click.option("-o", "--output", metavar="OUT.md", help="The file; its pictures are put beside it.")
def command(*, name: str, moves: dict[str, str], output: str | None) -> int:
    """Write the rules of a game as a page of Markdown: board, pieces, and what the fields say.

    Without -o it is printed, without pictures. What no field can tell is taken from a file beside
    the piece file, GAME.introduction.md for GAME.pieces. Nothing is written unless everything could
    be made.

    The exit code is 0; 1 for a file that is no game with a set-up; 2 for an unknown set, piece or
    file, and where nothing can be written.
    """
    library = game_file(name, moves)
    stem = os.path.splitext(output)[0] if output else ""
    try:
        text = page(library, pictures=os.path.basename(stem))
        if output is None:
            say(text.removesuffix("\n"))
            return 0
        drawn = {f"{stem}{end}": content for end, content in pictures_of(library).items()}
        save({output: text.encode(), **drawn})
    except AlfilError as error:
        tell(error.findings, error.source, Settings())
        return USAGE if error.kind == "cannot-write" else FOUND
    return 0
