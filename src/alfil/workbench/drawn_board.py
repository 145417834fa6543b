"""A board as text, as `alfil show` draws it: signs by square, read back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NoReturn, TypeAlias, get_args

from alfil.diagrams.diagram_model import Marks, Standing
from alfil.diagrams.signs import ARROWS, HOME_SIGN, SIGNS
from alfil.diagrams.text import cell_texts
from alfil.errors import AlfilError, reject
from alfil.frozen import NamedTuple
from alfil.source import Source, Span

Offset: TypeAlias = tuple[int, int]

# Where an example stands beside the board, and what stands under it.
EXAMPLE = "for example:"
STANDING = get_args(Standing)
# How a move may end, for each fill of a sign.
ENDINGS = {"either": ("move", "capture"), "move": ("move",), "capture": ("capture",)}
_UNICODE = {sign.unicode: sign.name for sign in SIGNS.values()}
_ASCII = {sign.ascii: sign.name for sign in SIGNS.values()}
CELL = re.compile(r"\S+")
HOME = HOME_SIGN.unicode
_SIGNS = "".join((*_UNICODE, *_ASCII, *ARROWS, ".·"))
ROW_CELL = re.compile(rf"[{re.escape(_SIGNS)}]{{1,5}}[0-9]*")
EMPTY = {True: ".", False: "·"}


class Fact(NamedTuple):
    """One thing that is drawn: a square, the shape of a sign, and "move", "capture" or nothing.

    Of an arrow ``ending`` is how far the moves go that it stands for, nothing without end.
    ``board`` is the number of the board, where there are several.
    """

    at: Offset
    family: str
    ending: str = ""
    board: int = 0


class DrawnBoard(NamedTuple):
    """What is drawn on a board: ``radius`` squares on each side of the piece, and the facts.

    ``standing`` are other pieces, by square.
    """

    radius: int
    facts: frozenset[Fact]
    standing: tuple[tuple[Offset, str], ...] = ()


def board_of_marks(marks: Marks, radius: int) -> DrawnBoard:
    """The board of a diagram."""
    return _board(radius, cell_texts(marks))


def read_boards(text: str) -> list[DrawnBoard]:
    """The boards in a text.

    Raises `AlfilError` of kind "no-board" where there is none, and "unknown-sign" for a square with
    a sign that no board has, or none whose empty squares are drawn in the same way.

    Rows are lines with a sign, or several together, for each square, with blanks between them;
    forward is up, and the piece is ``@``. Boards are apart by a line that is empty or has other
    words. An example beside a board is left aside, and so are all other lines.

    >>> (board,) = read_boards("· ★ ·\\n· @ ·\\n· · ·")
    >>> board.radius, sorted(each[:3] for each in board.facts)
    (1, [((0, 1), 'step', 'capture'), ((0, 1), 'step', 'move')])
    """
    blocks: list[list[_Cell]] = [[]]
    cut: int | None = None
    begin = 0
    for y, line in enumerate(text.splitlines(keepends=True)):
        if EXAMPLE in line:
            cut = line.index(EXAMPLE)
        cells = [
            _Cell(each.group(), each.start(), y, begin + each.start())
            for each in CELL.finditer(line[:cut])
        ]
        if line.strip() and _is_row(cells, text):
            blocks[-1] += cells
        elif blocks[-1]:
            blocks.append([])
            cut = None
        begin += len(line)
    drawn = [block for block in blocks if any(HOME in cell.text for cell in block)]
    if any("".join(cell.text for cell in block).count(HOME) > 1 for block in drawn):
        message, hint = "a board has several pieces", "draw one @ on each board"
        reject(AlfilError, "no-board", message, Source(text), hint=hint)
    found = [_read(block, text) for block in drawn]
    if not found:
        hint = "draw rows of signs as alfil show does, with one @ for the piece"
        reject(AlfilError, "no-board", "there is no board with a piece", Source(text), hint=hint)
    return found


class _Cell(NamedTuple):
    """What is written for a square: its signs, its place in its line, the line, and in the text."""

    text: str
    column: int
    line: int
    start: int


def _is_row(cells: list[_Cell], text: str) -> bool:
    """Whether a line has nothing but squares and arrows.

    Raises `AlfilError` for a line of single signs, some of which are squares, and one is none.
    """
    others = [each for each in cells if not ROW_CELL.fullmatch(each.text)]
    squares = [each for each in cells if each.text in {*EMPTY.values(), HOME}]
    if others and squares and all(len(each.text) == 1 for each in cells):
        _reject_sign(
            others[0].text,
            others[0].start,
            text,
            plain=any(each.text == EMPTY[True] for each in squares),
        )
    return not others


def _reject_sign(sign: str, start: int, text: str, *, plain: bool) -> NoReturn:
    """Say which sign no board has, or none whose empty squares are written so."""
    name = (_UNICODE if plain else _ASCII).get(sign)
    hint = "draw the signs that alfil show draws"
    message = f"{sign} is no sign of a board"
    if name:
        own = {known: each for each, known in (_ASCII if plain else _UNICODE).items()}
        message = f"{sign} is no sign of a board whose empty squares are {EMPTY[plain]}"
        hint = f"write {own[name]} for {sign}, or {EMPTY[not plain]} for {EMPTY[plain]}"
    span = Span(start, start + len(sign))
    reject(AlfilError, "unknown-sign", message, Source(text), span, hint)


def _read(block: list[_Cell], text: str) -> DrawnBoard:
    """A board from its cells. Squares are told by how far they are from the piece."""
    home = next(each for each in block if HOME in each.text)
    rows = pairwise(block)
    pitch = min((b.column - a.column for a, b in rows if a.line == b.line), default=1)
    cells = {
        (round((each.column - home.column) / pitch), home.line - each.line): each for each in block
    }
    plain = any(EMPTY[True] in each.text for each in block)
    radius = max(
        max(map(abs, at)) for at, each in cells.items() if each.text[0] not in ARROWS[plain]
    )
    known = {*(_ASCII if plain else _UNICODE), *EMPTY.values()}
    for at, each in cells.items():
        for place, sign in enumerate(each.text if max(map(abs, at)) <= radius else ""):
            if sign not in known:
                _reject_sign(sign, each.start + place, text, plain=plain)
    return _board(radius, {at: each.text for at, each in cells.items()}, plain=plain)


def _board(radius: int, cells: Mapping[Offset, str], *, plain: bool = False) -> DrawnBoard:
    """A board with such signs; what is farther than the radius is an arrow."""
    names = _ASCII if plain else _UNICODE
    facts: set[Fact] = set()
    standing: dict[Offset, str] = {}
    for at, cell in cells.items():
        if max(map(abs, at)) > radius:
            facts.add(Fact(at, "arrow", "".join(filter(str.isdigit, cell))))
            continue
        for sign in cell:
            name = names.get(sign, "")
            family, _, fill = name.partition("-")
            if name in STANDING:
                standing[at] = name
            elif fill in ENDINGS:
                family = "step" if family == "leap" and max(map(abs, at)) == 1 else family
                facts.update(Fact(at, family, ending) for ending in ENDINGS[fill])
            elif name and name != "piece":
                facts.add(Fact(at, name))
    return DrawnBoard(radius, frozenset(facts), tuple(sorted(standing.items())))
