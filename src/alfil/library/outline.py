"""The names in a piece file: where pieces, functions and regions are defined and mentioned.

What cannot be read is left out, so that a file has an outline while it is being written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Literal, TypeAlias

from alfil.errors import PieceFileError
from alfil.frozen_dataclasses import NamedTuple
from alfil.length_cache import LengthCache
from alfil.library.field_parsers import (
    AREA_FIELDS,
    CODE_FIELDS,
    MOVES_AREA_FIELDS,
    piece_codes_in_rule,
    split_list,
)
from alfil.library.file_locations import FileLocation, find_included
from alfil.library.piece_file import unpromoted_code
from alfil.library.piece_file_reader import COVER_MARK, DEPTH_LIMIT, HOLE_MARK
from alfil.library.regions import EMPTY_SQUARE_MARK
from alfil.library.statements import (
    Diagnostics,
    Field,
    InvalidValue,
    Line,
    Statement,
    Text,
    TooManyDiagnostics,
    read_lines,
)
from alfil.library.validator import read_hand
from alfil.notation.hasinu.user_functions import name_in_signature
from alfil.source import Source, Span

NameKind: TypeAlias = Literal["piece", "definition", "region", "file"]
NON_CODE_MARKS = frozenset({EMPTY_SQUARE_MARK, HOLE_MARK, COVER_MARK})
# In these fields a region may stand where ranks may.
REGION_KEYS = frozenset({*AREA_FIELDS, *MOVES_AREA_FIELDS})
# Outlines of texts of so many characters are remembered; they take up forty bytes for each.
MOST_CHARACTERS = 400_000
_WORD = re.compile(r"[^\W\d]\w*")


class NameOccurrence(NamedTuple):
    """A name at a place of a file, and the statement it is in."""

    kind: NameKind
    text: str
    span: Span
    statement: Statement
    is_definition: bool = False


class Outline(NamedTuple):
    """The lines of a file that can be read, and the names in them, in text order."""

    lines: tuple[Line, ...]
    names: tuple[NameOccurrence, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """What the lines say."""
        return tuple(line.statement for line in self.lines if line.statement)

    def line_at(self, offset: int) -> Line | None:
        """The line of a place, None where it cannot be read."""
        return next(
            (each for each in self.lines if each.span.start <= offset <= each.span.end), None
        )

    def name_at(self, offset: int) -> NameOccurrence | None:
        """The name at a place or just before it."""
        return next(
            (each for each in self.names if offset in range(each.span.start, each.span.end + 1)),
            None,
        )

    def definition(self, kind: NameKind, text: str) -> NameOccurrence | None:
        """Where this file defines a name, the first place if there are several."""
        return next(
            (
                each
                for each in self.names
                if each.is_definition and (each.kind, each.text) == (kind, text)
            ),
            None,
        )

    def definitions_of_kind(self, kind: NameKind) -> dict[str, NameOccurrence]:
        """The definitions of one kind by name."""
        found = [each for each in self.names if each.kind == kind and each.is_definition]
        return {each.text: each for each in reversed(found)}

    @property
    def functions(self) -> dict[str, str]:
        """The functions that the Ħasínū of the file may call, as `alfil.read` takes them."""
        lines = [each for each in self.statements if each.keyword == "define"]
        return {
            "".join(signature.value.split()): body.value.strip()
            for signature, body in (line.words for line in lines)
        }


@partial(LengthCache, most=MOST_CHARACTERS, length=lambda source: len(source.text))
def outline_of(source: Source) -> Outline:
    """The outline of a text.

    >>> outline = outline_of(Source('piece K "king" betza=K\\nhand K*2 Q'))
    >>> [(each.text, each.span.start, each.is_definition) for each in outline.names]
    [('K', 6, True), ('K', 28, False), ('Q', 32, False)]
    """
    diagnostics = Diagnostics(source)
    try:
        lines = read_lines(source, diagnostics)
    except TooManyDiagnostics:
        lines = []
    statements = [line.statement for line in lines if line.statement]
    names = [*_piece_names(statements), *_region_names(statements), *_file_names(statements)]
    names += _function_names(statements)
    return Outline(tuple(lines), tuple(sorted(names, key=lambda each: each.span)))


def _piece_names(statements: list[Statement]) -> Iterator[NameOccurrence]:
    in_setup = False
    for line in statements:
        if line.keyword != "|":
            in_setup = line.keyword == "setup"
        for code in _codes_in(line) if line.keyword != "|" or in_setup else ():
            if code.value and code.value not in NON_CODE_MARKS:
                # A doubled quote or a number behind it is no part of the code.
                span = Span(code.span.start, code.span.start + len(code.value))
                is_definition = line.keyword == "piece" and code is line.head
                yield NameOccurrence("piece", code.value, span, line, is_definition)


def _codes_in(line: Statement) -> Iterator[Text]:
    """The codes of pieces on a line."""
    match line.keyword:
        case "piece":
            yield line.head
            yield from _items_of_fields(line, *CODE_FIELDS, "same-as")
        case "moves":
            yield line.head
        case "|":
            yield from line.words
        case "hand":
            yield from (code for code, _ in read_hand(line))
        case "include":
            yield from _items_of_fields(line, "only")
        case "constraint":
            yield from _items_of_fields(line, "on")
        case "rule":
            yield from piece_codes_in_rule(line)


def _items_of_fields(line: Statement, *keys: str) -> Iterator[Text]:
    fields = line.fields
    for key in keys:
        yield from split_list(fields[key].value) if key in fields else ()


def _region_names(statements: list[Statement]) -> Iterator[NameOccurrence]:
    for line in statements:
        if line.keyword == "region":
            yield NameOccurrence(
                "region", line.head.value, line.head.span, line, is_definition=True
            )
        areas = [each.value for key, each in line.fields.items() if key in REGION_KEYS]
        if line.keyword == "rule" and line.head.value == "goal":
            areas += line.words[2:3]
        for area in areas:
            if area.value and not area.value[0].isdigit():
                yield NameOccurrence(
                    "region", area.value, area.span_of(Span(0, len(area.value))), line
                )


def _file_names(statements: list[Statement]) -> Iterator[NameOccurrence]:
    for line in statements:
        if line.keyword == "include":
            yield NameOccurrence("file", line.head.value, line.head.span, line)


def _function_names(statements: list[Statement]) -> Iterator[NameOccurrence]:
    """Definitions of functions, and the calls of those that the file defines."""
    known = set[str]()
    for line in statements:
        if line.keyword == "define":
            try:
                name = name_in_signature(line.head.value)
            except ValueError:
                continue
            known.add(name)
            start = line.head.span.start
            yield NameOccurrence(
                "definition", name, Span(start, start + len(name)), line, is_definition=True
            )
    for line in statements:
        texts = [line.words[1]] if line.keyword == "define" else []
        texts += [each.value for key, each in line.fields.items() if key == "hasinu"]
        for text in texts:
            for word in _WORD.finditer(text.value):
                if word[0] in known:
                    yield NameOccurrence(
                        "definition", word[0], text.span_of(Span(*word.span())), line
                    )


class Definition(NamedTuple):
    """A definition, and the file it is in."""

    location: FileLocation
    outline: Outline
    name: NameOccurrence


def find_definition(location: FileLocation, kind: NameKind, text: str) -> Definition | None:
    """Where a file or one that it includes defines a name; regions and functions are its own.

    A promoted form without a line of its own is defined where the piece is that it is a form of.
    """
    outline = outline_of(location.source)
    name = outline.definition(kind, text)
    if name:
        return Definition(location, outline, name)
    if kind != "piece":
        return None
    for included in included_files(location):
        inner = outline_of(included.source)
        name = inner.definition(kind, text)
        if name:
            return Definition(included, inner, name)
    base = unpromoted_code(text)
    return find_definition(location, kind, base) if base not in {text, ""} else None


def included_files(location: FileLocation) -> Iterator[FileLocation]:
    """The files that a file includes, those that they include too, each once."""
    seen, level = {location.key}, [location]
    for _ in range(DEPTH_LIMIT):
        level = [each for file in level for each in _directly_included(file, seen)]
        yield from level


def _directly_included(location: FileLocation, seen: set[str]) -> Iterator[FileLocation]:
    for line in outline_of(location.source).statements:
        included = included_file(line, location) if line.keyword == "include" else None
        if included and included.key not in seen:
            seen.add(included.key)
            yield included


def included_file(line: Statement, location: FileLocation) -> FileLocation | None:
    """The file that a line includes, None where it cannot be read."""
    try:
        return find_included(line.head, location)
    except (InvalidValue, PieceFileError):
        return None


def field_at(line: Statement, offset: int) -> Field | None:
    """The field of a line whose key or value is at a place."""
    fields = (each for each in line.items if isinstance(each, Field))
    return next(
        (each for each in fields if each.key.span.start <= offset <= each.value.span.end), None
    )
