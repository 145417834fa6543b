"""The canonical layout of a piece file: columns in line, one spelling, every comment kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from alfil.library import nodes
from alfil.library.fields import (
    ANYTHING,
    KEYS,
    LEADING_ZEROS,
    MOVEMENT,
    MOVES_AREAS,
    OF_OTHERS,
    ROWS,
)
from alfil.library.files import SUFFIX, Place
from alfil.library.harmony import COUNTED
from alfil.library.nodes import Findings, Item, Statement, Text
from alfil.library.reader import read_place
from alfil.library.regions import SIDES
from alfil.notation.registry import NOTATIONS
from alfil.source import Source, display_width

# What is wider than this does not push the rest of its block to the right.
COLUMN_LIMIT = 40
PLAIN = re.compile(r'[^ \t\u3000\u00a0"#]+')


class Unfaithful(AssertionError):
    """The layout would not say what the file says: a mistake in this module."""


@dataclass(frozen=True)
class Cells:
    """A line in columns; ``form`` tells which lines share them."""

    form: str
    cells: tuple[str, ...]
    comment: str


def laid_out(place: Place) -> str:
    """The text of a piece file in canonical layout.

    Raises `PieceFileError` where the file has errors. The result is read again: it says the same,
    has the same comments, and is laid out already.
    """
    name = place.source.name
    meant, (text, comments) = read_place(place), _text_and_comments(place.source)
    again = replace(place, source=Source(text, name))
    said, (stable, kept) = read_place(again), _text_and_comments(again.source)
    if replace(said, findings=()) != replace(meant, findings=()) or kept != comments:
        raise Unfaithful(name)
    if stable != text:
        raise Unfaithful(f"{name}: the layout is not stable")
    return text


def _text_and_comments(source: Source) -> tuple[str, list[str]]:
    lines = nodes.read_lines(source, Findings(source))
    blocks = _blocks(map(_cells, lines))
    out = _single_blanks([line for block in blocks for line in _aligned(block)])
    return "".join(f"{line}\n" for line in out), [line.comment for line in lines if line.comment]


def _single_blanks(lines: Sequence[str]) -> list[str]:
    """One blank line where there were several, none at the start and the end."""
    kept = [line for at, line in enumerate(lines) if line or (at and lines[at - 1])]
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _blocks(lines: Iterable[Cells]) -> list[list[Cells]]:
    """Lines of one kind, with the comments between them; a blank line ends a block."""
    found: list[list[Cells]] = [[]]
    kind = ""
    for line in lines:
        if line.form == "" or line.form not in ("#", kind):
            found.append([])
            kind = line.form
        found[-1].append(line)
    return found


def _aligned(block: Sequence[Cells]) -> list[str]:
    rows = [line.cells for line in block if line.cells]
    widths = [
        max((w for w in map(display_width, column) if w <= COLUMN_LIMIT), default=0)
        for column in zip_longest(*rows, fillvalue="")
    ]
    if block and block[-1].form == "row":
        widths = [widths[0], *[max(widths[1:-1])] * (len(widths) - 2), widths[-1]]
    return [_joined(line, widths) for line in block]


def _joined(line: Cells, widths: Sequence[int]) -> str:
    padded = [
        cell + " " * (width - display_width(cell))
        for cell, width in zip(line.cells, widths, strict=False)
        if width or cell  # a column may hold nothing but cells too wide for it
    ]
    text = " ".join(padded).rstrip()
    return f"{text}  {line.comment}" if text and line.comment else text or line.comment


def _cells(line: nodes.Line) -> Cells:
    if line.statement is None:
        return Cells("#" if line.comment else "", (), line.comment)
    kind, cells = _stated(line.statement)
    return Cells(kind, tuple(cells), line.comment)


def _stated(line: Statement) -> tuple[str, list[str]]:
    """The columns of a line, and the kind of line that it shares them with."""
    match line.keyword:
        case "piece":
            return "piece", _piece(line)
        case "constraint":
            return "constraint", _constraint(line)
        case "moves":
            return "moves", _moves(line)
        case "define":
            return "define", ["define", *_defined(line)]
        case "|":
            return "row", ["|", *(cell.value for cell in line.words), "|"]
        case "setup" | "hand" | "include":
            return "start", [" ".join([line.keyword, *_start(line), *map(_item, line.items)])]
        case _:
            words = " ".join([*_about_game(line), *map(_item, line.items)])
            return "head", [f"{line.keyword:5} {words}"]


def _defined(line: Statement) -> list[str]:
    """A function and what it stands for, in quotes only where it must be."""
    signature, body = line.words
    plain = not set('"#') & set(body.value)
    told = body.value.strip() if plain else _quoted(body.value)
    return ["".join(signature.value.split()), f"= {told}"]


def _start(line: Statement) -> list[str]:
    """The words of a line about the start, or about another file."""
    said = [word.value for word in line.words]
    if line.keyword == "setup":
        return sorted({*said}, key=[*SIDES, "mirrored"].index)
    if line.keyword == "hand":
        return [*map(_counted, line.words)]
    plain = not said[0].endswith(SUFFIX) and PLAIN.fullmatch(said[0])
    return [said[0] if plain else _quoted(said[0])]


def _about_game(line: Statement) -> list[str]:
    """The words of a line about the game as a whole."""
    head, *words = (word.value for word in line.words)
    match line.keyword:
        case "game":
            return [_quoted(head.strip())]
        case "board":
            return [re.sub("[×X]", "x", head)]
        case "rule":
            value = " ".join(words)
            if head == "win":
                value = re.sub("[ ,]+", ",", value)
            return [head, "=", LEADING_ZEROS.sub("", value)]
        case _:
            return [head]


def _piece(line: Statement) -> list[str]:
    """Code, name and movements have a column each; the rest follows."""
    fields = line.fields
    movements = [_item(fields[key]) for key in fields if key in NOTATIONS]
    if "dialect" in fields:
        movements[0] += f" {_item(fields['dialect'])}"
    rest: list[str] = []
    for key in ROWS:
        if key in fields:
            rest.append(_item(fields[key]))
        if key in line.flags:
            rest.append(key)
    cells = ["piece", line.head.value, _quoted(" ".join(line.texts[0].value.split()))]
    return [*cells, *movements, " ".join(rest)]


def _moves(line: Statement) -> list[str]:
    """Code, areas and movements."""
    fields = {key: _item(field) for key, field in line.fields.items()}
    areas = [fields[key] for key in MOVES_AREAS if key in fields]
    limits = " ".join([*areas, *line.flags])
    return ["moves", line.head.value, limits, *(fields[key] for key in fields if key in MOVEMENT)]


def _constraint(line: Statement) -> list[str]:
    """What it is on, where it comes from and whether it is required, then the words."""
    fields = {key: _item(field) for key, field in line.fields.items()}
    words = [_quoted(text.value) for text in line.texts]
    cells = ["constraint", *(word.value for word in line.words), fields.get("on", "")]
    return [*cells, fields.get("from", ""), " ".join(line.flags), *words]


def _item(item: Item) -> str:
    if isinstance(item, Text):
        return _quoted(item.value) if item.quoted else item.value
    key = item.key.value
    sort = KEYS.get(key, OF_OTHERS.get(key, ANYTHING))
    value = sort.spelled(item.value.value.strip())
    plain = not sort.quoted and PLAIN.fullmatch(value)
    return f"{key}={value if plain else _quoted(value)}"


def _counted(word: Text) -> str:
    match = COUNTED.fullmatch(word.value)
    if not match:
        return word.value
    return match[1] if int(match[2]) == 1 else f"{match[1]}*{int(match[2])}"


def _quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'
