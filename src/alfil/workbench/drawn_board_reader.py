"""A board as text, as `alfil show` draws it: signs by square, read back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import get_args

from alfil.diagrams.diagram_model import Marks, Occupant, Offset
from alfil.diagrams.signs import ARROW_CHARACTERS, HOME_SIGN, SIGNS
from alfil.diagrams.text_rendering import cell_texts
from alfil.errors import AlfilError, reject
from alfil.frozen_dataclasses import NamedTuple
from alfil.source import Source, Span

# Where an example stands beside the board, and what stands under it.
EXAMPLE = "for example:"
STANDING = get_args(Occupant)
# How a move may end, for each fill of a sign.
ENDINGS = {"either": ("move", "capture"), "move": ("move",), "capture": ("capture",)}
_UNICODE = {sign.unicode: sign.name for sign in SIGNS.values()}
_ASCII = {sign.ascii: sign.name for sign in SIGNS.values()}
# People mix both alphabets; only these tell which one a sign is from that is in both.
_ONLY_UNICODE = frozenset(_UNICODE) - frozenset(_ASCII)
_NAMES = {False: _ASCII | _UNICODE, True: _UNICODE | _ASCII}
CELL = re.compile(r"\S+")
HOME, EMPTY = HOME_SIGN.unicode, ".·"
_SIGNS = "".join((*_UNICODE, *_ASCII, *ARROW_CHARACTERS, EMPTY))
ROW_CELL = re.compile(rf"[{re.escape(_SIGNS)}]{{1,5}}[0-9]*")
# Whoever writes a square in so many letters at most means a sign, and else a word.
LONGEST_SIGN = 2


class DrawnSign(NamedTuple):
    """One thing that is drawn: a square, the shape of a sign, and "move", "capture" or nothing.

    Of an arrow ``ending`` is how far the moves go that it stands for, nothing without end.
    ``board`` is the number of the board, where there are several.
    """

    at: Offset
    family: str
    ending: str = ""
    board: int = 0


class DrawnBoard(NamedTuple):
    """What is drawn on a board: ``radius`` squares on each side of the piece, and the signs.

    ``standing`` are other pieces, by square.
    """

    radius: int
    signs: frozenset[DrawnSign]
    standing: tuple[tuple[Offset, str], ...] = ()


def board_of_marks(marks: Marks, radius: int) -> DrawnBoard:
    """The board of a diagram."""
    return _board_from_cells(radius, cell_texts(marks))


class _BoardLine(NamedTuple):
    """A line of a board, and where it begins in the text."""

    text: str
    start: int


def read_boards(text: str) -> list[DrawnBoard]:
    """The boards in a text; raises `AlfilError` of kind "no-board" where there is none.

    Rows are lines with a sign, or several together, for each square, with blanks between them;
    where no row has a blank, each sign is a square. Forward is up, and the piece is ``@``. The
    signs are those of both styles of `alfil show`, mixed as one likes. Boards are apart by a line
    that is empty or has other words. An example beside a board is left aside, and so are all other
    lines; but a line of a board with a sign that is none is an error of kind "unknown-sign".

    >>> (board,) = read_boards("· ★ ·\\n· @ ·\\n· · ·")
    >>> board.radius, sorted(each[:3] for each in board.signs)
    (1, [((0, 1), 'step', 'capture'), ((0, 1), 'step', 'move')])
    """
    drawn = [block for block in _blocks_of_rows(text) if any(HOME in row.text for row in block)]
    if any("".join(row.text for row in block).count(HOME) > 1 for block in drawn):
        message, hint = "a board has several pieces", "draw one @ on each board"
        reject(AlfilError, "no-board", message, Source(text), hint=hint)
    for block in drawn:
        _reject_unknown_signs(block, text)
    if not drawn:
        hint = "draw rows of signs as alfil show does, with one @ for the piece"
        reject(AlfilError, "no-board", "there is no board with a piece", Source(text), hint=hint)
    return [_board_from_lines([row.text for row in block]) for block in drawn]


def _blocks_of_rows(text: str) -> list[list[_BoardLine]]:
    """The lines that may be rows, those together that follow each other."""
    blocks: list[list[_BoardLine]] = [[]]
    cut: int | None = None
    start = 0
    for line in text.splitlines(keepends=True):
        if EXAMPLE in line:
            cut = line.index(EXAMPLE)
        row = line[:cut].rstrip()
        if row and all(_may_be_cell(each) for each in row.split()):
            blocks[-1].append(_BoardLine(row, start))
        elif blocks[-1]:
            blocks.append([])
            cut = None
        start += len(line)
    return blocks


def _may_be_cell(cell: str) -> bool:
    """Whether it is a square or an arrow, or meant as one."""
    return bool(ROW_CELL.fullmatch(cell)) or len(cell) <= LONGEST_SIGN


def _reject_unknown_signs(block: list[_BoardLine], text: str) -> None:
    for row in block:
        for cell in CELL.finditer(row.text):
            if not ROW_CELL.fullmatch(cell.group()):
                at = row.start + cell.start()
                span = Span(at, at + len(cell.group()))
                hint = "alfil show draws a piece with all its signs, --ascii with others"
                message = f"no square is drawn as {cell.group()}"
                reject(AlfilError, "unknown-sign", message, Source(text), span, hint)


def _board_from_lines(lines: list[str]) -> DrawnBoard:
    """A board from its lines. Squares are told by how far they are from the piece."""
    if len(lines) > 1 and not any(" " in line.strip() or "\t" in line for line in lines):
        lines = [" ".join(line) for line in lines]
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
    signs = {sign for cell in cells.values() for sign in cell}
    plain = not signs & _ONLY_UNICODE and "·" not in signs
    arrows = "".join(ARROW_CHARACTERS)
    radius = max(max(map(abs, at)) for at, cell in cells.items() if cell[0] not in arrows)
    return _board_from_cells(radius, cells, plain=plain)


def _board_from_cells(
    radius: int, cells: Mapping[Offset, str], *, plain: bool = False
) -> DrawnBoard:
    """A board with such signs; what is farther than the radius is an arrow."""
    names = _NAMES[plain]
    signs: set[DrawnSign] = set()
    standing: dict[Offset, str] = {}
    for at, cell in cells.items():
        if max(map(abs, at)) > radius:
            signs.add(DrawnSign(at, "arrow", "".join(filter(str.isdigit, cell))))
            continue
        for sign in cell:
            name = names.get(sign, "")
            family, _, fill = name.partition("-")
            if name in STANDING:
                standing[at] = name
            elif fill in ENDINGS:
                family = "step" if family == "leap" and max(map(abs, at)) == 1 else family
                signs.update(DrawnSign(at, family, ending) for ending in ENDINGS[fill])
            elif name and name != "piece":
                signs.add(DrawnSign(at, name))
    return DrawnBoard(radius, frozenset(signs), tuple(sorted(standing.items())))
