"""The canonical layout of a piece file: columns in line, one spelling, every comment kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from alfil.library import statements
from alfil.library.field_parsers import (
    FIELD_TYPE_BY_KEY,
    FIELD_TYPES,
    LEADING_ZEROS,
    MOVEMENT_KEYS,
    MOVES_AREA_FIELDS,
    OTHER_KEYWORDS,
    TEXT_TYPE,
)
from alfil.library.file_locations import PIECE_FILE_SUFFIX, FileLocation
from alfil.library.piece_file_reader import read_piece_file
from alfil.library.regions import SIDES
from alfil.library.statements import Diagnostics, Item, Statement, Text, quoted
from alfil.library.validator import HAND_COUNT_PATTERN
from alfil.notation.registry import NOTATIONS
from alfil.source import Source, display_width

# What is wider than this does not push the rest of its block to the right.
COLUMN_LIMIT = 40
UNQUOTED_WORD = re.compile(r'[^ \t\u3000\u00a0"#]+')


class LayoutError(AssertionError):
    """The layout would change the contents of the file: a bug in this module."""


@dataclass(frozen=True)
class LineCells:
    """A line in columns; ``layout`` tells which lines share them."""

    layout: str
    cells: tuple[str, ...]
    comment: str


def format_file(location: FileLocation) -> str:
    """The text of a piece file in canonical layout.

    Raises `PieceFileError` where the file has errors. The result is read again: it says the same,
    has the same comments, and is laid out already.
    """
    name = location.source.name
    meant, (text, comments) = read_piece_file(location), _layout_and_comments(location.source)
    again = replace(location, source=Source(text, name))
    for reading in meant.readings:
        if replace(read_piece_file(again.with_reading(reading.name)), diagnostics=()) != replace(
            read_piece_file(location.with_reading(reading.name)), diagnostics=()
        ):
            raise LayoutError(f"{name}: {reading.name}")
    original, (stable, stable_comments) = read_piece_file(again), _layout_and_comments(again.source)
    if (
        replace(original, diagnostics=()) != replace(meant, diagnostics=())
        or stable_comments != comments
    ):
        raise LayoutError(name)
    if stable != text:
        raise LayoutError(f"{name}: the layout is not stable")
    return text


def _layout_and_comments(source: Source) -> tuple[str, list[str]]:
    lines = statements.read_lines(source, Diagnostics(source))
    blocks = _line_blocks(map(_line_cells, lines))
    out = _collapse_blank_lines([line for block in blocks for line in _aligned_lines(block)])
    return "".join(f"{line}\n" for line in out), [line.comment for line in lines if line.comment]


def _collapse_blank_lines(lines: Sequence[str]) -> list[str]:
    """One blank line where there were several, none at the start and the end."""
    remaining = [line for at, line in enumerate(lines) if line or (at and lines[at - 1])]
    while remaining and not remaining[-1]:
        remaining.pop()
    return remaining


def _line_blocks(lines: Iterable[LineCells]) -> list[list[LineCells]]:
    """Lines of one kind, with the comments between them; a blank line ends a block."""
    result: list[list[LineCells]] = [[]]
    kind = ""
    for line in lines:
        if line.layout == "" or line.layout not in ("#", kind):
            result.append([])
            kind = line.layout
        result[-1].append(line)
    return result


def _aligned_lines(block: Sequence[LineCells]) -> list[str]:
    rows = [line.cells for line in block if line.cells]
    widths = [
        max((w for w in map(display_width, column) if w <= COLUMN_LIMIT), default=0)
        for column in zip_longest(*rows, fillvalue="")
    ]
    if block and block[-1].layout == "row":
        widths = [widths[0], *[max(widths[1:-1])] * (len(widths) - 2), widths[-1]]
    return [_join_cells(line, widths) for line in block]


def _join_cells(line: LineCells, widths: Sequence[int]) -> str:
    padded = [
        cell + " " * (width - display_width(cell))
        for cell, width in zip(line.cells, widths, strict=False)
        if width or cell  # a column may hold nothing but cells too wide for it
    ]
    text = " ".join(padded).rstrip()
    return f"{text}  {line.comment}" if text and line.comment else text or line.comment


def _line_cells(line: statements.Line) -> LineCells:
    if line.statement is None:
        return LineCells("#" if line.comment else "", (), line.comment)
    kind, cells = _statement_cells(line.statement)
    return LineCells(kind, tuple(cells), line.comment)


def _statement_cells(line: Statement) -> tuple[str, list[str]]:
    """The columns of a line, and the kind of line that it shares them with."""
    match line.keyword:
        case "piece":
            return "piece", _piece_cells(line)
        case "constraint":
            return "constraint", _constraint_cells(line)
        case "moves":
            return "moves", _moves_cells(line)
        case "define":
            return "define", ["define", *_function_cells(line)]
        case "|":
            return "row", ["|", *(cell.value for cell in line.words), "|"]
        case "setup" | "hand" | "include":
            return "start", [
                " ".join(
                    [
                        line.keyword,
                        *_setup_hand_or_include_cells(line),
                        *map(_item_text, line.items),
                    ]
                )
            ]
        case _:
            words = " ".join([*_game_board_or_rule_cells(line), *map(_item_text, line.items)])
            return "head", [f"{line.keyword:5} {words}"]


def _function_cells(line: Statement) -> list[str]:
    """A function and what it stands for, in quotes only where it must be."""
    signature, body = line.words
    plain = not set('"#') & set(body.value)
    body_text = body.value.strip() if plain else quoted(body.value)
    return ["".join(signature.value.split()), f"= {body_text}"]


def _setup_hand_or_include_cells(line: Statement) -> list[str]:
    """The words of a line about the start, or about another file."""
    word_texts = [word.value for word in line.words]
    if line.keyword == "setup":
        return sorted({*word_texts}, key=[*SIDES, "mirrored"].index)
    if line.keyword == "hand":
        return [*map(_hand_text, line.words)]
    plain = not word_texts[0].endswith(PIECE_FILE_SUFFIX) and UNQUOTED_WORD.fullmatch(word_texts[0])
    return [word_texts[0] if plain else quoted(word_texts[0])]


def _game_board_or_rule_cells(line: Statement) -> list[str]:
    """The words of a line about the game as a whole."""
    head, *words = (word.value for word in line.words)
    match line.keyword:
        case "game":
            return [quoted(head.strip())]
        case "board":
            return [re.sub("[×X]", "x", head)]
        case "rule":
            value = " ".join(words)
            if head == "win":
                value = re.sub("[ ,]+", ",", value)
            return [head, "=", LEADING_ZEROS.sub("", value)]
        case _:
            return [head]


def _piece_cells(line: Statement) -> list[str]:
    """Code, name and movements have a column each; the rest follows."""
    fields = line.fields
    movements = [_item_text(fields[key]) for key in fields if key in NOTATIONS]
    if "dialect" in fields:
        movements[0] += f" {_item_text(fields['dialect'])}"
    rest: list[str] = []
    for key in FIELD_TYPES:
        if key in fields:
            rest.append(_item_text(fields[key]))
        if key in line.flags:
            rest.append(key)
    cells = ["piece", line.head.value, quoted(" ".join(line.texts[0].value.split()))]
    return [*cells, *movements, " ".join(rest)]


def _moves_cells(line: Statement) -> list[str]:
    """Code, areas and movements."""
    fields = {key: _item_text(field) for key, field in line.fields.items()}
    areas = [fields[key] for key in MOVES_AREA_FIELDS if key in fields]
    limits = " ".join([*areas, *line.flags])
    return [
        "moves",
        line.head.value,
        limits,
        *(fields[key] for key in fields if key in MOVEMENT_KEYS),
    ]


def _constraint_cells(line: Statement) -> list[str]:
    """What it is on, where it comes from and whether it is required, then the words."""
    fields = {key: _item_text(field) for key, field in line.fields.items()}
    words = [quoted(text.value) for text in line.texts]
    cells = ["constraint", *(word.value for word in line.words), fields.get("on", "")]
    return [*cells, fields.get("from", ""), " ".join(line.flags), *words]


def _item_text(item: Item) -> str:
    if isinstance(item, Text):
        return quoted(item.value) if item.is_quoted else item.value
    key = item.key.value
    sort = FIELD_TYPE_BY_KEY.get(key, OTHER_KEYWORDS.get(key, TEXT_TYPE))
    value = sort.canonical(item.value.value.strip())
    plain = not sort.always_quoted and UNQUOTED_WORD.fullmatch(value)
    return f"{key}={value if plain else quoted(value)}"


def _hand_text(word: Text) -> str:
    match = HAND_COUNT_PATTERN.fullmatch(word.value)
    if not match:
        return word.value
    return match[1] if int(match[2]) == 1 else f"{match[1]}*{int(match[2])}"
