"""`alfil gallery`: all pieces of some sets as pages that open from the file system."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import click

from alfil.cli.inputs import FOUND, USAGE, say
from alfil.errors import AlfilError
from alfil.gallery import save_gallery
from alfil.source import printable

# Nobody needs to be told of less.
SECONDS_UNTIL_PROGRESS = 1.0
CLEAR_LINE = "\r\x1b[K"


@click.command("gallery")
@click.argument("sets", metavar="[SET|FILE]...", nargs=-1)
@click.option("-o", "--output", metavar="FOLDER", required=True, help="The folder to write.")
def command(*, sets: tuple[str, ...], output: str) -> int:
    """Write a gallery of pieces: FOLDER/index.html, with a picture of each.

    Without names it has all bundled sets. The page needs no network and no server. A folder that
    is there already is replaced if it is empty or holds an older gallery, and only when the new one
    is complete.
    """
    progress = _bar() if sys.stderr.isatty() else None
    try:
        count = save_gallery(output, sets, progress)
    except AlfilError as error:
        click.echo(str(error), err=True)
        return USAGE if error.kind in {"cannot-write", "unknown-set", "cannot-read"} else FOUND
    finally:
        if progress:
            click.echo(CLEAR_LINE, err=True, nl=False)
    say(f"{count} pieces in {printable(output)}/index.html")
    return 0


def _bar() -> Callable[[int, int], None]:
    """Shows how much is done, once that takes a while."""
    begun = time.monotonic()

    def show(done: int, total: int) -> None:
        if time.monotonic() - begun > SECONDS_UNTIL_PROGRESS:
            click.echo(f"\rgallery: {done} of {total} pieces", err=True, nl=False)

    return show
