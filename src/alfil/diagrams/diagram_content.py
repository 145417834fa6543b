"""What a picture of a piece shows: every way it can move, or its moves in one position."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from alfil.diagrams.diagram_model import Lines, Marks, Window
from alfil.diagrams.move_lines import lines_of
from alfil.diagrams.square_marks import (
    marks_in_fitting_window,
    marks_of,
    marks_of_position,
    occupants_around,
)
from alfil.diagrams.summary_sentence import summary_sentence
from alfil.frozen_dataclasses import NamedTuple
from alfil.meaning.piece_meaning import START_SQUARE_CONDITIONS, Guard, Meaning
from alfil.meaning.square_conditions import SQUARE_DEPENDENT_CONDITIONS, STARTING_COLOUR_CONDITIONS
from alfil.tables.board_context import BoardContext, Offset
from alfil.tables.move_generation import PieceMove, SeparatedMoves
from alfil.work_limit import cached_with_work


class DiagramContent(NamedTuple):
    """The marks and lines of a picture, and what they show in words."""

    marks: Marks
    lines: Lines
    words: str


@cached_with_work(maxsize=1024)
def content_of_all_moves(meaning: Meaning, window: Window | None) -> DiagramContent:
    """All ways of a piece in a window, or in one that fits."""
    marks = all_marks(meaning, window)
    return DiagramContent(
        marks, lines_of(meaning, marks.window, onward=marks.exits), summary_sentence(marks, meaning)
    )


def all_marks(meaning: Meaning, window: Window | None) -> Marks:
    """The marks of all ways of a piece in a window, or in one that fits."""
    return marks_of(meaning, window) if window else marks_in_fitting_window(meaning)


def content_in_position(
    meaning: Meaning, general: Marks, context: BoardContext, moves: Collection[PieceMove]
) -> DiagramContent:
    """The moves of a piece in one position; ``general`` are the marks of all its ways there."""
    marks, lines = marks_and_lines_in_position(
        meaning, general, context, SeparatedMoves(frozenset(moves), {})
    )
    return DiagramContent(marks, lines, summary_sentence(marks))


def _without_square_conditions(moves: SeparatedMoves, *, on_board: bool) -> SeparatedMoves:
    """The moves without conditions that are settled on the square, as the marks have them."""
    gone = (
        SQUARE_DEPENDENT_CONDITIONS - STARTING_COLOUR_CONDITIONS
        if on_board
        else SQUARE_DEPENDENT_CONDITIONS - START_SQUARE_CONDITIONS
    )

    def left(guard: Guard) -> Guard:
        return tuple(each for each in guard if each.kind not in gone)

    quiet: dict[Guard, list[Offset]] = {}
    for guard, squares in moves.quiet_targets.items():
        quiet.setdefault(left(guard), []).extend(squares)
    others = [
        move if left(move.guard) == move.guard else replace(move, guard=left(move.guard))
        for move in moves.other_moves
    ]
    return SeparatedMoves(frozenset(others), quiet)


def marks_and_lines_in_position(
    meaning: Meaning, general: Marks, context: BoardContext, moves: SeparatedMoves
) -> tuple[Marks, Lines]:
    """The marks and lines of a position; all else is as for `content_in_position`."""
    standing = occupants_around(context)
    moves = _without_square_conditions(moves, on_board=general.window.ranks > 0)
    guards: dict[Guard, set[Offset]] = {}
    for move in moves.other_moves:
        guards.setdefault(move.guard, set()).add(move.to)
    for guard in (guard for guard, squares in moves.quiet_targets.items() if squares):
        guards.setdefault(guard, set())
    lines = lines_of(meaning, general.window, standing, guards)
    return marks_of_position(standing, moves, general, lines), lines
