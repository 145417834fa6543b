"""Values of pieces put into a piece file, with everything else in it left as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from alfil.library import statements
from alfil.library.file_locations import FileLocation
from alfil.library.formatter import LayoutError, format_file
from alfil.library.piece_file import PieceFile
from alfil.library.piece_file_reader import read_piece_file
from alfil.library.statements import Diagnostics, Field, Statement
from alfil.source import Source, Span

# The keys that a piece line has for its value on the board and in hand.
VALUE_KEYS = ("value", "hand-value")
# So many decimals are written.
DECIMALS = 2


def text_with_piece_values(
    location: FileLocation, values: Mapping[str, tuple[float, float | None]]
) -> tuple[str, tuple[str, ...]]:
    """The text of a piece file with the values of pieces, by code; and the codes that it lacks.

    A piece has one on the board, and None or one in hand. Values that the file has are replaced. A
    file in canonical layout stays in it, any other keeps its own. Raises `PieceFileError` where the
    file has errors.
    """
    before = read_piece_file(location)
    text = location.source.text
    lines = statements.read_lines(location.source, Diagnostics(location.source))
    written: set[str] = set()
    edits: list[tuple[Span, str]] = []
    for line in lines:
        statement = line.statement
        if statement and statement.keyword == "piece" and statement.head.value in values:
            written.add(statement.head.value)
            edits += _value_edits(statement, values[statement.head.value])
    for span, put in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
        text = text[: span.start] + put + text[span.end :]
    result = replace(location, source=Source(text, location.source.name))
    if _without_values(read_piece_file(result)) != _without_values(before):
        raise LayoutError(location.source.name)
    if format_file(location) == location.source.text:
        text = format_file(result)
    return text, tuple(code for code in values if code not in written)


def _value_edits(
    statement: Statement, values: tuple[float, float | None]
) -> Iterator[tuple[Span, str]]:
    """What is put into a piece line, and instead of what."""
    last = statement.items[-1]
    end = (last.value if isinstance(last, Field) else last).span.end
    fresh = ""
    for key, value in zip(VALUE_KEYS, values, strict=True):
        if value is None:
            continue
        written = f"{round(value, DECIMALS):g}"
        if key in statement.fields:
            yield statement.fields[key].value.span, written
        else:
            fresh += f" {key}={written}"
    if fresh:
        yield Span(end, end), fresh


def _without_values(file: PieceFile) -> PieceFile:
    pieces = tuple(replace(each, value=None, hand_value=None) for each in file.pieces)
    return replace(file, pieces=pieces, diagnostics=())
