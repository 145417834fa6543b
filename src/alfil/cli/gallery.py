"""`alfil gallery`: all pieces of some sets as pages that open from the file system."""

from __future__ import annotations

import click

from alfil.cli.inputs import FOUND, USAGE, Progress, say
from alfil.errors import AlfilError
from alfil.library.gallery import save_gallery
from alfil.source import printable


@click.command("gallery")
@click.argument("sets", metavar="[SET|FILE]...", nargs=-1)
@click.option("-o", "--output", metavar="FOLDER", required=True, help="The folder to write.")
def command(*, sets: tuple[str, ...], output: str) -> int:
    """Write a gallery of pieces: FOLDER/index.html, with a picture of each.

    Without names it has all bundled sets. The page needs no network and no server. A folder that
    is there already is replaced if it is empty or holds an older gallery, and only when the new one
    is complete.
    """
    total = 0
    progress = Progress(lambda done, _: f"gallery: {done} of {total} pieces")

    def show(done: int, of: int) -> None:
        nonlocal total
        total = of
        progress.show(done)

    try:
        count = save_gallery(output, sets, show)
    except AlfilError as error:
        click.echo(str(error), err=True)
        return USAGE if error.kind in {"cannot-write", "unknown-set", "cannot-read"} else FOUND
    finally:
        progress.hide()
    say(f"{count} pieces in {printable(output)}/index.html")
    return 0
