"""What a picture of a piece shows: every way it can move, or its moves in one position."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from alfil.diagrams.diagram_model import Lines, Marks, Window
from alfil.diagrams.lines import lines_of
from alfil.diagrams.square_marks import fitted_marks, marks_in, marks_of, pieces_around
from alfil.diagrams.summary import summary_sentence
from alfil.frozen import NamedTuple
from alfil.meaning.piece import GROUNDS, Guard, Meaning
from alfil.meaning.square_conditions import SETTLED_CONDITIONS, STARTING_CONDITIONS
from alfil.tables.board_context import BoardContext, Offset
from alfil.tables.move_generation import PieceMove, SplitMoves
from alfil.work_limit import cached


class View(NamedTuple):
    """The marks and lines of a picture, and what they show in words."""

    marks: Marks
    lines: Lines
    words: str


@cached(maxsize=1024)
def view_everywhere(meaning: Meaning, window: Window | None) -> View:
    """All ways of a piece in a window, or in one that fits."""
    marks = all_marks(meaning, window)
    return View(
        marks, lines_of(meaning, marks.window, onward=marks.exits), summary_sentence(marks, meaning)
    )


def all_marks(meaning: Meaning, window: Window | None) -> Marks:
    """The marks of all ways of a piece in a window, or in one that fits."""
    return marks_of(meaning, window) if window else fitted_marks(meaning)


def view_in_position(
    meaning: Meaning, general: Marks, context: BoardContext, moves: Collection[PieceMove]
) -> View:
    """The moves of a piece in one position; ``general`` are the marks of all its ways there."""
    marks, lines = marks_in_position(meaning, general, context, SplitMoves(frozenset(moves), {}))
    return View(marks, lines, summary_sentence(marks))


def _without_square_conditions(moves: SplitMoves, *, on_board: bool) -> SplitMoves:
    """The moves without conditions that are settled on the square, as the marks have them."""
    gone = SETTLED_CONDITIONS - STARTING_CONDITIONS if on_board else SETTLED_CONDITIONS - GROUNDS

    def left(guard: Guard) -> Guard:
        return tuple(each for each in guard if each.kind not in gone)

    quiet: dict[Guard, list[Offset]] = {}
    for guard, squares in moves.quiet_targets.items():
        quiet.setdefault(left(guard), []).extend(squares)
    others = [
        move if left(move.guard) == move.guard else replace(move, guard=left(move.guard))
        for move in moves.other_moves
    ]
    return SplitMoves(frozenset(others), quiet)


def marks_in_position(
    meaning: Meaning, general: Marks, context: BoardContext, moves: SplitMoves
) -> tuple[Marks, Lines]:
    """The marks and lines of a position; all else is as for `view_in_position`."""
    standing = pieces_around(context)
    moves = _without_square_conditions(moves, on_board=general.window.ranks > 0)
    guards: dict[Guard, set[Offset]] = {}
    for move in moves.other_moves:
        guards.setdefault(move.guard, set()).add(move.to)
    for guard in (guard for guard, squares in moves.quiet_targets.items() if squares):
        guards.setdefault(guard, set())
    lines = lines_of(meaning, general.window, standing, guards)
    return marks_in(standing, moves, general, lines), lines
