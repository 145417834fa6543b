"""Everything that is wrong in a piece file, at once: `checked`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from alfil.api import Piece, read, write
from alfil.comparison import Comparison, check_for
from alfil.errors import AlfilError, Finding, MeaningError, PieceFileError, RuleError
from alfil.frozen import NamedTuple
from alfil.library.constraints import Verdict, disagreements, outcome
from alfil.library.files import Place
from alfil.library.library import Library, with_moves
from alfil.library.model import Entry
from alfil.library.reader import read_place
from alfil.notation.nodes import DEFAULT_NOTATION
from alfil.source import Source, Span

# Where most Betza that people paste was written for.
COPIED = "fairy-stockfish"


class Report(NamedTuple):
    """What was found in a piece file, and the library where it could be read.

    ``ambiguous`` are the pieces whose text is another piece in the dialect of Fairy-Stockfish,
    which most texts are copied from, compared with that one.
    """

    findings: tuple[Finding, ...]
    source: Source
    library: Library | None
    ambiguous: tuple[Comparison, ...] = ()


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
    ambiguous: list[tuple[Comparison, Finding]] = []
    if not findings or all(each.severity != "error" for each in findings):
        findings += disagreements(library)
        findings += _unplayable(library)
        ambiguous = list(_ambiguous(library))
        findings += (finding for _, finding in ambiguous)
    findings += _notes(library)
    findings.sort(key=lambda each: each.spans[:1])
    return Report(tuple(findings), place.source, library, tuple(one for one, _ in ambiguous))


def constraints(library: Library) -> list[Verdict]:
    """Whether each constraint of the file holds for the moves in use."""
    return [outcome(constraint, library) for constraint in library.constraints]


def _meanings(library: Library) -> Iterator[Finding]:
    """Movements that were read, but have no moves that a table could hold."""
    for entry in library.pieces:
        for piece in entry.movements if entry.source == library.source else ():
            try:
                bool(piece.meaning)
            except MeaningError as error:
                for each in error.findings:
                    message = f"{entry.code}: {each.message}"
                    yield replace(each, message=message, spans=(entry.span,), severity="error")


def _ambiguous(library: Library) -> Iterator[tuple[Comparison, Finding]]:
    """Texts in plain Betza that are other pieces in the dialect of Fairy-Stockfish."""
    for entry in library.pieces:
        for piece in entry.movements if entry.source == library.source else ():
            found = _copied(piece) if piece.notation == DEFAULT_NOTATION else None
            if found and found.theirs:
                other = write(found.theirs, DEFAULT_NOTATION)
                message = f"{entry.code}: {COPIED} reads {piece.text} as {other}"
                ours = write(piece, DEFAULT_NOTATION)
                hint = f"write betza={ours} for this piece, {COPIED}={piece.text} for that one"
                span = entry.places.get(DEFAULT_NOTATION, entry.span)
                yield found, Finding("program-differs", message, (span,), hint, "warning")


def _copied(piece: Piece) -> Comparison | None:
    """What Fairy-Stockfish has for a text that it reads whole, if it is another piece."""
    try:
        read(piece.text, COPIED)
        found = check_for(piece, COPIED)
    except AlfilError:
        return None
    return found if found.verdict == "other" else None


def _unplayable(library: Library) -> tuple[Finding, ...]:
    """What keeps the game from being played; what the engine refuses, at the line of the piece."""
    if not library.setup and not any(library.hands):
        return ()  # a board alone may be there for diagrams
    try:
        bool(library.variant)
    except PieceFileError as error:
        return error.findings
    except RuleError as error:
        codes = [error.source.text[slice(*each.spans[0])] for each in error.findings]
        return tuple(
            replace(each, spans=(_line_of(library.get(code), library),))
            for each, code in zip(error.findings, codes, strict=True)
        )
    return ()


def _notes(library: Library) -> Iterator[Finding]:
    for entry in library.pieces:
        if entry.remark:
            span = _line_of(entry, library)
            yield Finding("piece-note", f"{entry.code}: {entry.remark}", (span,), severity="note")


def _line_of(entry: Entry | None, library: Library) -> Span:
    """Where a piece stands in the file; its start for one that is included."""
    return entry.span if entry and entry.source == library.source else Span(0, 1)
