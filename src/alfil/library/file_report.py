"""All diagnostics of a piece file: `check_file`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from alfil.api import Piece, read, write
from alfil.errors import AlfilError, Diagnostic, MeaningError, PieceFileError, RuleError
from alfil.frozen_dataclasses import NamedTuple
from alfil.garbage_collection import without_garbage_collection
from alfil.library.constraints import ConstraintVerdict, notation_disagreements, verdict_of
from alfil.library.file_locations import FileLocation
from alfil.library.library import Library, with_replaced_moves
from alfil.library.piece_file import Entry
from alfil.library.piece_file_reader import read_piece_file
from alfil.notation.description import DEFAULT_NOTATION
from alfil.program_comparison import ProgramComparison, check_for
from alfil.source import Source, Span
from alfil.work_limit import FILE_LIMIT, charge, limited_task, work_limit_diagnostic

# Where most Betza that people paste was written for.
PROGRAM = "fairy-stockfish"
# The whole file is read again for each of its readings.
WORK_PER_LINE = 25


class TooMuchWorkForReport(Exception):
    """What is to be said of a file has taken more than `FILE_LIMIT`."""


class FileReport(NamedTuple):
    """The diagnostics of a piece file, and the library if it could be read.

    ``ambiguous`` are the pieces whose text is another piece in the dialect of Fairy-Stockfish,
    which most texts are copied from, compared with that one.
    """

    diagnostics: tuple[Diagnostic, ...]
    source: Source
    library: Library | None
    ambiguous: tuple[ProgramComparison, ...] = ()


@without_garbage_collection
def check_file(location: FileLocation, pieces: Mapping[str, str] | None = None) -> FileReport:
    """All diagnostics of a piece file at once, in text order.

    Beyond what reading it finds: movements without a meaning, notations that disagree, namesakes
    that are none, and, where there is a start, what keeps the game from being played. A piece with
    a note or a status gives a diagnostic of severity "note".
    """
    try:
        library = Library(**vars(read_piece_file(location)))
        if pieces:
            library = with_replaced_moves(library, pieces)
    except PieceFileError as error:
        return FileReport(error.diagnostics, error.source, None)
    diagnostics = [*library.diagnostics]
    ambiguous: list[ProgramComparison] = []
    try:
        with limited_task(FILE_LIMIT, TooMuchWorkForReport):
            _add_diagnostics(library, location, diagnostics, ambiguous)
    except TooMuchWorkForReport:
        diagnostics.append(_work_limit_diagnostic_at(Span(0, 1), library))
    diagnostics.sort(key=lambda each: each.spans[:1])
    return FileReport(tuple(diagnostics), location.source, library, tuple(ambiguous))


def _add_diagnostics(
    library: Library,
    location: FileLocation,
    diagnostics: list[Diagnostic],
    ambiguous: list[ProgramComparison],
) -> None:
    """Everything that is wrong with a file that could be read, as far as its work is limited."""
    diagnostics += _meaning_diagnostics(library)
    if all(each.severity != "error" for each in diagnostics):
        diagnostics += notation_disagreements(library)
        diagnostics += _unplayable_diagnostics(library)
        for comparison, diagnostic in _ambiguous_texts(library):
            ambiguous.append(comparison)
            diagnostics.append(diagnostic)
    diagnostics += _status_diagnostics(library)
    diagnostics += _diagnostics_of_other_readings(library, location)


def _work_limit_diagnostic_at(span: Span, library: Library) -> Diagnostic:
    return replace(work_limit_diagnostic(library.source), spans=(span,))


def _diagnostics_of_other_readings(
    library: Library, location: FileLocation
) -> Iterator[Diagnostic]:
    """What is wrong with the other readings of the game, beyond what is said of this one."""
    known = {(each.kind, each.spans) for each in library.diagnostics}
    for reading in library.readings if not location.reading else ():
        charge(WORK_PER_LINE * library.source.text.count("\n"))
        place = location.with_reading(reading.name) if not reading.is_default else location
        try:
            other = Library(**vars(read_piece_file(place)))
        except PieceFileError as error:
            yield from (each for each in error.diagnostics if (each.kind, each.spans) not in known)
            continue
        found = [*other.diagnostics, *_meaning_diagnostics(other)]
        if all(each.severity != "error" for each in found):
            found += [*notation_disagreements(other), *_unplayable_diagnostics(other)]
        yield from (each for each in found if (each.kind, each.spans) not in known)


def constraint_verdicts(library: Library) -> list[ConstraintVerdict]:
    """Whether each constraint of the file holds for the moves in use.

    Raises `PieceFileError` of kind "too-much-work" where that takes more than a file may take.
    """
    result: list[ConstraintVerdict] = []
    try:
        with limited_task(FILE_LIMIT, TooMuchWorkForReport):
            for constraint in library.constraints:
                result.append(verdict_of(constraint, library))
    except TooMuchWorkForReport:
        diagnostic = _work_limit_diagnostic_at(library.constraints[len(result)].span, library)
        raise PieceFileError([diagnostic], library.source) from None
    return result


def _meaning_diagnostics(library: Library) -> Iterator[Diagnostic]:
    """Movements that were read, but have no moves that a table could hold."""
    for entry in library.pieces:
        for piece in entry.movements if entry.source == library.source else ():
            try:
                bool(piece.meaning)
            except MeaningError as error:
                for each in error.diagnostics:
                    message = f"{entry.code}: {each.message}"
                    yield replace(each, message=message, spans=(entry.span,), severity="error")


def _ambiguous_texts(library: Library) -> Iterator[tuple[ProgramComparison, Diagnostic]]:
    """Texts in plain Betza that are other pieces in the dialect of Fairy-Stockfish."""
    for entry in library.pieces:
        for piece in entry.movements if entry.source == library.source else ():
            result = (
                _differing_fairy_stockfish_reading(piece)
                if piece.notation == DEFAULT_NOTATION
                else None
            )
            if result and result.theirs:
                other = write(result.theirs, DEFAULT_NOTATION)
                message = f"{entry.code}: {PROGRAM} reads {piece.text} as {other}"
                ours = write(piece, DEFAULT_NOTATION)
                hint = f"write betza={ours} for this piece, {PROGRAM}={piece.text} for that one"
                span = entry.name_spans.get(DEFAULT_NOTATION, entry.span)
                yield result, Diagnostic("program-differs", message, (span,), hint, "warning")


def _differing_fairy_stockfish_reading(piece: Piece) -> ProgramComparison | None:
    """What Fairy-Stockfish has for a text that it reads whole, if it is another piece."""
    try:
        read(piece.text, PROGRAM)
        result = check_for(piece, PROGRAM)
    except AlfilError:
        return None
    return result if result.verdict == "other" else None


def _unplayable_diagnostics(library: Library) -> tuple[Diagnostic, ...]:
    """Errors that keep the game from being played."""
    if not library.setup and not any(library.hands):
        return ()  # a board alone may be there for diagrams
    try:
        bool(library.variant)
    except PieceFileError as error:
        return error.diagnostics
    except RuleError as error:
        codes = [error.source.text[slice(*each.spans[0])] for each in error.diagnostics]
        return tuple(
            replace(each, spans=(_entry_span(library.get(code), library),))
            for each, code in zip(error.diagnostics, codes, strict=True)
        )
    return ()


def _status_diagnostics(library: Library) -> Iterator[Diagnostic]:
    for entry in library.pieces:
        if entry.status_note:
            span = _entry_span(entry, library)
            yield Diagnostic(
                "piece-note", f"{entry.code}: {entry.status_note}", (span,), severity="note"
            )


def _entry_span(entry: Entry | None, library: Library) -> Span:
    """The span of a piece in the file; the start of the file for an included one."""
    return entry.span if entry and entry.source == library.source else Span(0, 1)
