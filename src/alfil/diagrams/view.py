"""What a picture of a piece shows: every way it can move, or its moves in one position."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from alfil.diagrams.lines import lines_of
from alfil.diagrams.signs import summary
from alfil.diagrams.subjects import Lines, Marks, Window
from alfil.diagrams.walk import fitted, marks_in, marks_of, standing_in
from alfil.effort import remembered
from alfil.frozen import NamedTuple
from alfil.meaning.piece import GROUNDS, Guard, Meaning
from alfil.meaning.placing import BEGUN, SETTLED
from alfil.tables.scene import Offset, Scene
from alfil.tables.walking import Apart, PieceMove


class View(NamedTuple):
    """The marks and lines of a picture, and what they show in words."""

    marks: Marks
    lines: Lines
    words: str


@remembered(maxsize=1024)
def everywhere(meaning: Meaning, window: Window | None) -> View:
    """All ways of a piece in a window, or in one that fits."""
    marks = all_marks(meaning, window)
    return View(marks, lines_of(meaning, marks.window, onward=marks.exits), summary(marks, meaning))


def all_marks(meaning: Meaning, window: Window | None) -> Marks:
    """The marks of all ways of a piece in a window, or in one that fits."""
    return marks_of(meaning, window) if window else fitted(meaning)


def in_position(
    meaning: Meaning, general: Marks, scene: Scene, moves: Collection[PieceMove]
) -> View:
    """The moves of a piece in one position; ``general`` are the marks of all its ways there."""
    marks, lines = marked(meaning, general, scene, Apart(frozenset(moves), {}))
    return View(marks, lines, summary(marks))


def _settled(moves: Apart, *, on_board: bool) -> Apart:
    """The moves without conditions that are settled on the square, as the marks have them."""
    gone = SETTLED - BEGUN if on_board else SETTLED - GROUNDS

    def left(guard: Guard) -> Guard:
        return tuple(each for each in guard if each.kind not in gone)

    quiet: dict[Guard, list[Offset]] = {}
    for guard, squares in moves.quiet.items():
        quiet.setdefault(left(guard), []).extend(squares)
    others = [
        move if left(move.guard) == move.guard else replace(move, guard=left(move.guard))
        for move in moves.others
    ]
    return Apart(frozenset(others), quiet)


def marked(meaning: Meaning, general: Marks, scene: Scene, moves: Apart) -> tuple[Marks, Lines]:
    """The marks and lines of a position; all else is as for `in_position`."""
    standing = standing_in(scene)
    moves = _settled(moves, on_board=general.window.ranks > 0)
    guards: dict[Guard, set[Offset]] = {}
    for move in moves.others:
        guards.setdefault(move.guard, set()).add(move.to)
    for guard in (guard for guard, squares in moves.quiet.items() if squares):
        guards.setdefault(guard, set())
    lines = lines_of(meaning, general.window, standing, guards)
    return marks_in(standing, moves, general, lines), lines
