"""Piece files on the command line: loading one, checking it, and its table of constraints."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping

import click

from alfil.cli.inputs import FOUND, USAGE, as_json, described, say
from alfil.cli.options import Settings, encoding_of
from alfil.errors import AlfilError, Finding, report
from alfil.library.checks import checked, constraints
from alfil.library.constraints import Outcome
from alfil.library.files import Place, find
from alfil.library.library import Library, load
from alfil.source import Source, display_width, printable

HEADINGS = ("no.", "applies to", "condition", "from", "")


def loaded(name: str, moves: Mapping[str, str], settings: Settings | None = None) -> Library:
    """The library for a command; warnings are printed, and errors end the command.

    Exit code 2 says that there is no such file, set or piece, 1 that it cannot be used.
    """
    settings = settings or Settings()
    place_of(name, settings)
    try:
        library = load(name, moves)
    except AlfilError as error:
        tell_all(error.findings, error.source, settings)
        usage = isinstance(error, KeyError)
        raise click.exceptions.Exit(USAGE if usage else FOUND) from None
    warnings = [each for each in library.findings if each.severity != "note"]
    tell_all(warnings, library.source, settings)
    return library


def check_piece_file(
    name: str, settings: Settings, moves: Mapping[str, str], *, constraints: bool
) -> int:
    """Print all findings of a piece file, or the table of its constraints; the exit code."""
    place = place_of(name, settings)
    try:
        found = checked(place, moves)
    except AlfilError as error:
        tell_all(error.findings, error.source, settings)
        return USAGE if isinstance(error, KeyError) else FOUND
    if constraints and found.library:
        return _print_constraints(found.library, settings)
    tell_all(found.findings, found.source, settings, err=False)
    wrong = any(finding.severity != "note" for finding in found.findings)
    return FOUND if wrong else 0


def place_of(name: str, settings: Settings) -> Place:
    """Where a piece file is; a command without one ends here."""
    try:
        return find(name)
    except AlfilError as error:
        tell_all(error.findings, error.source, settings)
        code = FOUND if error.kind in ("not-utf8", "too-long") else USAGE
        raise click.exceptions.Exit(code) from None


def tell_all(
    findings: Iterable[Finding], source: Source, settings: Settings, *, err: bool = True
) -> None:
    """Print findings, as reports with carets or as JSON, one object a line."""
    for finding in findings:
        if settings.json:
            say(as_json(described(finding, source)), err=err)
        else:
            say(report(finding, source, encoding_of(err=err)) + "\n", err=err)


def _print_constraints(library: Library, settings: Settings) -> int:
    outcomes = constraints(library)
    if settings.json:
        say(as_json([_data(each, library) for each in outcomes]))
    elif not outcomes:
        say(f"{library.name} has no constraints")
    else:
        for line in _table([HEADINGS, *(_row(each) for each in outcomes)]):
            say(printable(line, sys.stdout.encoding or "ascii"))
        say(printable(_in_use(outcomes, library), sys.stdout.encoding or "ascii"))
    return FOUND if any(each.constraint.required and not each.holds for each in outcomes) else 0


def _in_use(outcomes: Iterable[Outcome], library: Library) -> str:
    """The moves the constraints were tried on."""
    codes = dict.fromkeys(code for each in outcomes for code in each.constraint.codes)
    return f"moves in use: {', '.join(f'{code} {library[code].piece.text}' for code in codes)}"


def _row(found: Outcome) -> tuple[str, ...]:
    constraint = found.constraint
    about = " ".join(constraint.codes)
    return (constraint.number, about, constraint.words, constraint.origin, _verdict(found))


def _verdict(found: Outcome) -> str:
    words = "holds" if found.holds else f"fails: {' '.join(found.failing)}"
    figures = ", ".join(f"{figure:.2f}" for figure in found.figures)
    return f"{words} ({figures})" if figures else words


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell + " " * (width - display_width(cell))
            for cell, width in zip(row, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()


def _data(found: Outcome, library: Library) -> dict[str, object]:
    constraint = found.constraint
    return {
        "number": constraint.number,
        "applies_to": list(constraint.codes),
        "condition": constraint.words,
        "from": constraint.origin,
        "required": constraint.required,
        "holds": found.holds,
        "failing": list(found.failing),
        "means": [round(figure, 2) for figure in found.figures],
        "moves": {code: library[code].piece.text for code in constraint.codes},
    }
