"""The canonical layout of a piece file: columns in line, one spelling, every comment kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from alfil.library import nodes
from alfil.library.fields import READ
from alfil.library.files import SUFFIX, Place
from alfil.library.model import PieceFile
from alfil.library.nodes import Findings, Item, Text
from alfil.library.reader import COUNTED, SIDES, read_place
from alfil.notation.registry import NOTATIONS
from alfil.source import Source, display_width

# What is wider than this does not push the rest of its block to the right.
COLUMN_LIMIT = 40
PLAIN = re.compile(r'[^ \t\u3000\u00a0"#]+')
LEADING_ZEROS = re.compile(r"\b0+(?=[0-9])")
# These are words for people, so that quotes are the rule.
QUOTED = ("hasinu", "also", "note", "from")
# Lists whose parts are words for people have a blank after the comma.
SPACED = ("also",)


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
    meant = read_place(place)
    text = _text(place.source)
    again = replace(place, source=Source(text, place.source.name))
    faithful = _said(read_place(again)) == _said(meant)
    if not faithful or _comments(again.source) != _comments(place.source):
        raise Unfaithful(place.source.name)
    if _text(again.source) != text:
        raise Unfaithful(f"{place.source.name}: the layout is not stable")
    return text


def _said(file: PieceFile) -> PieceFile:
    return replace(file, findings=())


def _comments(source: Source) -> list[str]:
    return [line.comment for line in nodes.read_lines(source, Findings(source)) if line.comment]


def _text(source: Source) -> str:
    lines = [_cells(line) for line in nodes.read_lines(source, Findings(source))]
    out: list[str] = []
    for block in _blocks(lines):
        out += _aligned(block)
    return "\n".join(_single_blanks(out)) + "\n" if any(out) else ""


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


def _stated(statement: nodes.Statement) -> tuple[str, list[str]]:
    """The columns of a statement, and the kind of line that it shares them with."""
    match statement:
        case nodes.PieceLine():
            return "piece", _piece(statement)
        case nodes.ConstraintLine():
            return "constraint", _constraint(statement)
        case nodes.Row():
            return "row", ["|", *(cell.value for cell in statement.cells), "|"]
        case nodes.Setup() | nodes.Hand() | nodes.Include():
            return "start", [" ".join(_start(statement))]
        case _:
            return "head", [_head(statement)]


def _start(statement: nodes.Setup | nodes.Hand | nodes.Include) -> list[str]:
    """The words of a line about the start, or about another file."""
    match statement:
        case nodes.Setup(options):
            said = {option.value for option in options}
            return ["setup", *sorted(said, key=[*SIDES, "mirrored"].index)]
        case nodes.Hand(words):
            return ["hand", *map(_counted, words)]
        case nodes.Include(target, items):
            plain = not target.value.endswith(SUFFIX) and PLAIN.fullmatch(target.value)
            name = target.value if plain else _quoted(target.value)
            return ["include", name, *map(_item, items)]


def _head(statement: nodes.GameLine | nodes.BoardLine | nodes.Zone | nodes.Rule) -> str:
    """A line about the game as a whole; the keyword takes five columns."""
    match statement:
        case nodes.GameLine(title):
            return f"game  {_quoted(title.value.strip())}"
        case nodes.BoardLine(size):
            return f"board {re.sub('[×X]', 'x', size.value)}"
        case nodes.Zone(name, items):
            return " ".join(["zone ", name.value, *map(_item, items)])
        case nodes.Rule(rule, words):
            value = " ".join(word.value for word in words)
            if rule.value == "win":
                value = re.sub("[ ,]+", ",", value)
            return f"rule  {rule.value} = {LEADING_ZEROS.sub('', value)}"


def _piece(line: nodes.PieceLine) -> list[str]:
    """Code, name and movements have a column each; the rest follows."""
    fields = line.fields
    movements = [_item(fields[key]) for key in fields if key in NOTATIONS]
    if "dialect" in fields:
        movements[0] += f" {_item(fields['dialect'])}"
    rest: list[str] = []
    for key in READ:
        if key in fields:
            rest.append(_item(fields[key]))
        if key in line.flags:
            rest.append(key)
    cells = ["piece", line.code.value, _quoted(" ".join(line.texts[0].value.split()))]
    return [*cells, *movements, " ".join(rest)]


def _constraint(line: nodes.ConstraintLine) -> list[str]:
    """What it is on, where it comes from and whether it is required, then the words."""
    fields = {key: _item(field) for key, field in line.fields.items()}
    words = [_quoted(text.value) for text in line.texts]
    cells = ["constraint", line.number.value, line.predicate.value, fields.get("on", "")]
    return [*cells, fields.get("from", ""), " ".join(line.flags), *words]


def _item(item: Item) -> str:
    if isinstance(item, Text):
        return _quoted(item.value) if item.quoted else item.value
    key, value = item.key.value, _value(item.key.value, item.value.value)
    plain = key not in QUOTED and PLAIN.fullmatch(value)
    return f"{key}={value if plain else _quoted(value)}"


def _value(key: str, value: str) -> str:
    """One spelling of a value."""
    value = value.strip()
    if key in LISTS:
        listed = [" ".join(part.split()) for part in value.split(",")]
        if key == "per-file-on":
            listed.sort()
        return (", " if key in SPACED else ",").join(listed)
    if key == "letter":
        return value.upper()
    if key in NUMBERS:
        value = LEADING_ZEROS.sub("", value)
    return f"{value}-{value}" if key == "drop-ranks" and value.isdigit() else value


LISTS = ("also", "promotes", "per-file-on", "on", "only")
NUMBERS = ("drop-ranks", "per-file", "ranks")


def _counted(word: Text) -> str:
    match = COUNTED.fullmatch(word.value)
    if not match:
        return word.value
    return match[1] if int(match[2]) == 1 else f"{match[1]}*{int(match[2])}"


def _quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'
