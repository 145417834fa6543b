"""A board as text, as `alfil show` draws it: signs by square, read back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import TypeAlias, get_args

from alfil.diagrams.diagram_model import Marks, Standing
from alfil.diagrams.signs import ARROWS, HOME_SIGN, SIGNS
from alfil.diagrams.text import cell_texts
from alfil.errors import AlfilError, reject
from alfil.frozen import NamedTuple
from alfil.source import Source

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
    """The boards in a text; raises `AlfilError` of kind "no-board" where there is none.

    Rows are lines with a sign, or several together, for each square, with blanks between them;
    forward is up, and the piece is ``@``. Boards are apart by a line that is empty or has other
    words. An example beside a board is left aside, and so are all other lines.

    >>> (board,) = read_boards("· ★ ·\\n· @ ·\\n· · ·")
    >>> board.radius, sorted(each[:3] for each in board.facts)
    (1, [((0, 1), 'step', 'capture'), ((0, 1), 'step', 'move')])
    """
    blocks: list[list[str]] = [[]]
    cut: int | None = None
    for line in text.splitlines():
        if EXAMPLE in line:
            cut = line.index(EXAMPLE)
        row = line[:cut]
        if line.strip() and _is_row(row):
            blocks[-1].append(row)
        elif blocks[-1]:
            blocks.append([])
            cut = None
    drawn = [block for block in blocks if any(HOME in line for line in block)]
    if any("".join(block).count(HOME) > 1 for block in drawn):
        message, hint = "a board has several pieces", "draw one @ on each board"
        reject(AlfilError, "no-board", message, Source(text), hint=hint)
    found = [_read(block) for block in drawn]
    if not found:
        hint = "draw rows of signs as alfil show does, with one @ for the piece"
        reject(AlfilError, "no-board", "there is no board with a piece", Source(text), hint=hint)
    return found


def _is_row(line: str) -> bool:
    """Whether a line has nothing but squares and arrows."""
    return all(ROW_CELL.fullmatch(each) for each in line.split())


def _read(lines: list[str]) -> DrawnBoard:
    """A board from its lines. Squares are told by how far they are from the piece."""
    tokens = [[(each.start(), each.group()) for each in CELL.finditer(line)] for line in lines]
    home_row, home_column = next(
        (y, at) for y, row in enumerate(tokens) for at, cell in row if HOME in cell
    )
    pitch = min((b - a for row in tokens for (a, _), (b, _) in pairwise(row)), default=1)
    cells = {
        (round((at - home_column) / pitch), home_row - y): cell
        for y, row in enumerate(tokens)
        for at, cell in row
    }
    plain = any("." in cell for cell in cells.values())
    radius = max(max(map(abs, at)) for at, cell in cells.items() if cell[0] not in ARROWS[plain])
    return _board(radius, cells, plain=plain)


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
