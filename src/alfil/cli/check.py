"""`alfil check`: whether notations are good, with everything that is wrong in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from alfil.api import in_betza
from alfil.cli.inputs import FOUND, Line, from_file, given, is_piece_file, tell, understood
from alfil.cli.naming import note_finding
from alfil.cli.options import Settings, reading, replacing
from alfil.errors import AlfilError, Finding
from alfil.notation.registry import NOTATIONS
from alfil.programs import PROGRAMS
from alfil.source import Source


@click.command("check")
@click.argument("texts", metavar="NOTATION_OR_FILE...", nargs=-1, required=True)
@reading
@click.option(
    "--for",
    "program",
    type=click.Choice(list(PROGRAMS)),
    help="Compare with what this program would do.",
)
@replacing
@click.option("--constraints", is_flag=True, help="Print the constraints of a piece file.")
def command(
    *,
    texts: tuple[str, ...],
    settings: Settings,
    program: str | None,
    moves: dict[str, str],
    constraints: bool,
) -> int:
    """Find what is wrong in notations or files of them, or how a program would read them.

    The exit code is 0 when all is well, 1 when something was found, 2 for wrong usage. A file
    holds one notation a line; blank lines and lines that begin with # are left out. Warnings count
    as findings, notes do not. With --for it is 0 when the program has the same pieces, else 1.

    A file whose name ends in .pieces is checked as a piece file, and so is a bundled set by its
    name. With --constraints it is 1 only where a required constraint fails.
    """
    code = 0
    for text in texts:
        if is_piece_file(text):
            from alfil.cli.piece_file import check_piece_file

            if program:
                code = max(code, _compared(text, settings, program, moves))
                continue
            code = max(code, check_piece_file(text, settings, moves, constraints=constraints))
            continue
        if moves or constraints:
            raise click.UsageError(f"--piece and --constraints are for piece files, not for {text}")
        for line in _lines(text, settings):
            if program:
                from alfil.cli.foreign import compare

                code = max(code, compare(line, settings, program))
                continue
            findings, source = _found(line, settings)
            tell(findings, source, line, settings, err=False)
            if any(finding.severity != "note" for finding in findings):
                code = FOUND
    return code


def _compared(name: str, settings: Settings, program: str, moves: dict[str, str]) -> int:
    """Every piece of a file as a program would read it; the exit code."""
    from alfil.cli.foreign import compare
    from alfil.cli.piece_file import loaded

    code = 0
    for entry in loaded(name, moves, settings).pieces:
        given = next(filter(in_betza, entry.movements), entry.piece)
        spoken = settings._replace(notation=given.notation)
        code = max(code, compare(Line(given.text, f"{name}:{entry.code}"), spoken, program))
    return code


def _lines(text: str, settings: Settings) -> Iterator[Line]:
    path = Path(text)
    try:
        is_file = path.is_file()
    except (OSError, ValueError):  # too long, or with a null byte: no path at all
        is_file = False
    if is_file:
        return from_file(path)
    if (
        NOTATIONS[settings.notation].folder == "betza"
        and path.suffix.isalpha() is False
        and path.suffix[1:].isalpha()
    ):
        raise click.UsageError(f"no file is called {text}")
    return given(text, settings)


def _found(line: Line, settings: Settings) -> tuple[tuple[Finding, ...], Source]:
    try:
        line, piece = understood(line, settings)
        # What was read may still have no moves a table could hold.
        bool(piece.meaning)
    except AlfilError as error:
        return error.findings, error.source
    return (*piece.findings, *note_finding(piece, line.named)), piece.source
