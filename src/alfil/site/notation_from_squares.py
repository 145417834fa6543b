"""Notations for squares that somebody drew, who says neither what leaps nor how far runs go on."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import gcd

from alfil.api import write
from alfil.errors import AlfilError
from alfil.squares import Square
from alfil.workbench.drawn_board_reader import DrawnBoard, DrawnSign
from alfil.workbench.infer_notation import infer_from_drawn_boards

# How far squares are drawn from the piece.
RADIUS = 4
MOVE, CAPTURE = 1, 2
ENDINGS = {MOVE: "move", CAPTURE: "capture"}


def notation_for_sketch(marks: Mapping[Square, int]) -> str:
    """The shortest Betza found of a piece that goes to these squares of an empty board.

    A mark is 1 to move, 2 to capture, 3 for both. Where squares in a row lead to one, the piece may
    run there or leap, and a run up to the edge of the drawing may go on beyond. The first of these
    that fits is taken: runs that go on, runs that do not, leaps. Empty where none does, as where a
    square is farther away than any that is drawn.

    >>> pawn = {(0, 1): 1, (1, 1): 2, (-1, 1): 2}
    >>> notation_for_sketch({(1, 2): 3, (-1, 2): 3}), notation_for_sketch(pawn)
    ('fN', 'fmWfcF')
    >>> notation_for_sketch({(0, far): 3 for far in (1, 2, 3, 4)})
    'fR'
    """
    if any(max(map(abs, square)) > RADIUS for square in marks):
        return ""
    boards = (
        _board_of_marks(marks, runs=True, onward=True),
        _board_of_marks(marks, runs=True, onward=False),
        _board_of_marks(marks, runs=False, onward=False),
    )
    for board in dict.fromkeys(boards):
        with suppress(AlfilError):
            return write(infer_from_drawn_boards([board]).text)
    return ""


def _board_of_marks(marks: Mapping[Square, int], *, runs: bool, onward: bool) -> DrawnBoard:
    signs: set[DrawnSign] = set()
    for at, how in marks.items():
        for bit, ending in ENDINGS.items():
            if not how & bit:
                continue
            step = _run_step_to_square(at, marks, bit) if runs else None
            slides = max(map(abs, step or at)) == 1
            signs.add(DrawnSign(at, "step" if slides else "leap", ending))
            if onward and step and max(abs(at[0] + step[0]), abs(at[1] + step[1])) > RADIUS:
                signs.add(DrawnSign((at[0] + _signum(step[0]), at[1] + _signum(step[1])), "arrow"))
    return DrawnBoard(RADIUS, frozenset(signs))


def _run_step_to_square(at: Square, marks: Mapping[Square, int], bit: int) -> Square | None:
    """The shortest step by which a run comes to a square over drawn ones, None where none does."""
    x, y = at
    whole = gcd(x, y)
    for size in range(1, whole):
        step = x // whole * size, y // whole * size
        on_the_way = ((step[0] * n, step[1] * n) for n in range(1, whole // size))
        if whole % size == 0 and all(marks.get(each, 0) & bit for each in on_the_way):
            return step
    return None


def _signum(number: int) -> int:
    return (number > 0) - (number < 0)
