"""`alfil fmt`: the canonical layout of piece files."""

from __future__ import annotations

from pathlib import Path

import click

from alfil.cli.inputs import FOUND, USAGE, place_of, say, tell
from alfil.cli.options import Settings
from alfil.errors import AlfilError
from alfil.library.files import SUFFIX
from alfil.library.layout import laid_out
from alfil.saving import save


@click.command("fmt")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Change nothing; say which files would change.")
@click.option("--json", "as_json", is_flag=True, help="Errors as JSON.")
def command(*, paths: tuple[str, ...], check: bool, as_json: bool) -> int:
    """Lay piece files out anew: columns in line, one spelling of everything.

    Comments stay, and so does what the file says: the result is read again and compared before it
    is written. A file with errors is left as it is. The exit code is 0 when all is well, 1 where a
    file has errors or, with --check, would change, 2 for wrong usage.
    """
    settings = Settings(json=as_json)
    return max(_format(path, settings, check=check) for path in paths)


def _format(name: str, settings: Settings, *, check: bool) -> int:
    if not name.endswith(SUFFIX):
        raise click.UsageError(f"{name} is no piece file: its name would end in {SUFFIX}")
    place = place_of(name, settings)
    try:
        text = laid_out(place).encode()
        same = Path(place.path).read_bytes() == text
        if check and not same:
            say(f"{name} would change")
            return FOUND
        if not same:
            save({place.path: text})
    except AlfilError as error:
        tell(error.findings, error.source, settings)
        return USAGE if error.kind == "cannot-write" else FOUND
    return 0
