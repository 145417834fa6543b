"""Everything there is to say about a piece file: errors, warnings and the notes of its pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from alfil.errors import Finding, MeaningError, PieceFileError, RuleError
from alfil.library.constraints import Outcome, outcome
from alfil.library.files import Place
from alfil.library.library import Library, with_moves
from alfil.library.model import Entry
from alfil.library.reader import read_place
from alfil.library.sameness import disagreements
from alfil.library.variants import variant_of
from alfil.source import Source, Span


class Report(NamedTuple):
    """What was found in a piece file, and the library where it could be read."""

    findings: tuple[Finding, ...]
    source: Source
    library: Library | None


def checked(place: Place, pieces: Mapping[str, str] | None = None) -> Report:
    """All findings of a piece file at once, in text order.

    Beyond what reading it finds: movements without a meaning, notations that disagree, namesakes
    that are none, and, where there is a start, what keeps the game from being played. A piece with
    a note or a status gives a finding of severity "note".
    """
    try:
        library = Library(**vars(read_place(place)))
        if pieces:
            library = with_moves(library, pieces)
    except PieceFileError as error:
        return Report(error.findings, error.source, None)
    findings = [*library.findings, *_meanings(library)]
    if not findings or all(each.severity != "error" for each in findings):
        findings += disagreements(library)
        findings += _unplayable(library)
    findings += _notes(library)
    findings.sort(key=lambda each: each.spans[:1])
    return Report(tuple(findings), place.source, library)


def constraints(library: Library) -> list[Outcome]:
    """Whether each constraint of the file holds for the moves in use."""
    return [outcome(constraint, library) for constraint in library.constraints]


def _meanings(library: Library) -> Iterator[Finding]:
    """Movements that were read, but have no moves that a table could hold."""
    for entry in _own(library):
        for piece in entry.movements:
            try:
                bool(piece.meaning)
            except MeaningError as error:
                for each in error.findings:
                    message = f"{entry.code}: {each.message}"
                    yield Finding(each.kind, message, (entry.span,), each.hint)


def _unplayable(library: Library) -> list[Finding]:
    if not library.setup and not any(library.hands):
        return []  # a board alone may be there for diagrams
    try:
        variant_of(library)
    except PieceFileError as error:
        return list(error.findings)
    except RuleError as error:
        return [_at_line(each, error.source, library) for each in error.findings]
    return []


def _at_line(finding: Finding, codes: Source, library: Library) -> Finding:
    """What the engine refuses, at the line of the piece it refuses it for."""
    start, end = finding.spans[0]
    entry = library.get(codes.text[start:end])
    own = entry is not None and entry.source == library.source
    return replace(finding, spans=(entry.span if entry and own else Span(0, 1),))


def _notes(library: Library) -> Iterator[Finding]:
    for entry in library.pieces:
        if entry.remark:
            span = entry.span if entry.source == library.source else Span(0, 1)
            yield Finding("piece-note", f"{entry.code}: {entry.remark}", (span,), severity="note")


def _own(library: Library) -> Iterator[Entry]:
    return (entry for entry in library.pieces if entry.source == library.source)
