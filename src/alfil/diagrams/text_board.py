"""A diagram as text: its board rank by rank, and the legend below it.

Forward is up. Everything is padded by display width, so that columns meet in any language.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from alfil.diagrams.marks import Marks, Offset, Window
from alfil.diagrams.text import (
    ARROWS,
    EMPTY_SQUARE,
    HOME_SIGN,
    PLAIN,
    STANDS,
    Family,
    Sign,
    Style,
    direction,
    entries,
    notes,
    signs_on,
)
from alfil.geometry import labels
from alfil.source import display_width, printable


class Cell(NamedTuple):
    """What stands on one square of the picture: signs in order, or one arrow."""

    signs: tuple[Sign, ...] = ()
    arrow: int = -1


def picture(marks: Marks, style: Style = PLAIN) -> str:
    """The board with its signs, no line ending in blanks."""
    board = _board(marks)
    wide = max((len(cell.signs) for cell in board.values()), default=1) or 1
    lines = [
        _line([board.get((x, y)) for x in columns], wide, style) for columns, y in _rows(board)
    ]
    return "\n".join(_labelled(lines, marks, wide))


def legend(marks: Marks, style: Style = PLAIN) -> list[str]:
    """The signs that the picture uses, in words; then what signs cannot show."""
    lines = []
    for sign, words, arrow in entries(marks):
        shown = ARROWS[style.ascii][arrow] if arrow >= 0 else style.sign(sign)
        lines.append(f"{style.painted(shown, sign)}  {words}")
    return [*lines, *notes(marks)]


def text_diagram(marks: Marks, style: Style = PLAIN) -> str:
    """Picture and legend, the legend indented like the picture."""
    lines = [f"  {line}" for line in legend(marks, style)]
    return "\n".join([picture(marks, style), "", *lines])


def _board(marks: Marks) -> dict[Offset, Cell]:
    """Every cell of the picture by offset, arrows outside the window included."""
    window = marks.window
    board = {
        (x, y): Cell()
        for x in range(-window.west, window.east + 1)
        for y in range(-window.south, window.north + 1)
    }
    for offset, mark in marks.squares.items():
        if window.shows(offset):
            board[offset] = Cell(signs_on(mark))
    for offset, each in marks.standing.items():
        board[offset] = Cell((Sign(STANDS[each]), *board[offset].signs))
    for at, step in marks.arrows:
        one = at not in board or board[at].arrow == direction(step)
        board[at] = Cell(arrow=direction(step if one else _outward(at, window)))
    board[(0, 0)] = Cell((HOME_SIGN,))
    return board


def _outward(at: Offset, window: Window) -> Offset:
    """Straight out of the window, for a place that moves leave by in several directions."""
    x, y = at
    return (x > window.east) - (x < -window.west), (y > window.north) - (y < -window.south)


def _rows(board: dict[Offset, Cell]) -> Iterator[tuple[range, int]]:
    """The rows from the far side to the near one, with the columns they share."""
    columns = [x for x, _ in board]
    span = range(min(columns), max(columns) + 1)
    ranks = [y for _, y in board]
    for y in range(max(ranks), min(ranks) - 1, -1):
        yield span, y


def _line(cells: list[Cell | None], wide: int, style: Style) -> str:
    """One row; every cell as wide as the one with most signs."""
    parts: list[str] = []
    gap = ""
    for cell in cells:
        text, width = _cell(cell, style)
        if width:
            parts += [gap, text]
            gap = " " * (wide - width + 1)
        else:
            gap += " " * (wide + 1)
    return "".join(parts)


def _cell(cell: Cell | None, style: Style) -> tuple[str, int]:
    """A cell's text and its width on the screen."""
    if cell is None:
        return "", 0
    if cell.arrow >= 0:
        return style.painted(ARROWS[style.ascii][cell.arrow], Sign(Family.ARROW)), 1
    if not cell.signs:
        return EMPTY_SQUARE[style.ascii], 1
    signs = [style.sign(sign) for sign in cell.signs]
    painted = [style.painted(text, sign) for text, sign in zip(signs, cell.signs, strict=True)]
    return "".join(painted), display_width(printable("".join(signs)))


def _labelled(lines: list[str], marks: Marks, wide: int) -> Iterator[str]:
    """The rows with a margin, or on a real board with ranks at the side and files below."""
    window = marks.window
    if not window.ranks:
        yield from (f"  {line}" for line in lines)
        return
    files, ranks = labels(window.west + window.east + 1, window.ranks, marks.coordinates)
    margin = max(map(len, ranks))
    for name, line in zip(reversed(ranks), lines, strict=True):
        yield f"  {name:>{margin}}  {line}"
    below = "".join(f"{name:<{wide + 1}}" for name in files).rstrip()
    yield f"  {'':>{margin}}  {below}"
