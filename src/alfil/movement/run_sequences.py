"""Rows: moves as straight runs one after the other, each in one direction.

What an automaton amounts to is taken apart into rows, and every notation puts rows together again
as the parts it has: many rows that differ only in their directions are one bent move.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from alfil.geometry import Vector
from alfil.movement.nodes import MOVE_ONLY, MOVE_OR_CAPTURE, ONE_STEP, End, Passage

# How many steps: exactly one of these numbers; none is any number.
ANY_LENGTH: tuple[int, ...] = ()
EMPTY_PASSAGE: tuple[Passage, ...] = ("empty",)
PASS_ANYTHING: tuple[Passage, ...] = ("empty", "pass-enemy", "pass-royal", "pass-friend")
HOP_PASSAGES: tuple[Passage, ...] = ("hop-enemy", "hop-royal", "hop-friend")
# What goes on where a move could end, for each way to end.
PASSAGE_BY_END: dict[End, Passage] = {
    "empty": "empty",
    "enemy": "take-enemy",
    "royal": "take-royal",
    "friend": "take-friend",
    "passer": "take-passer",
}


class Run(NamedTuple):
    """One run of a row.

    ``ends`` is how the move may end on its last square (nothing: it may not), ``through`` what may
    stand there when the piece goes on (nothing: the row ends). ``hops``: over one piece, with
    ``behind`` to the square behind it; ``skips``: whatever stands on the first square, where it may
    not end; ``lame``: a leap that is blocked by what stands on its way; ``over``: a run that passes
    whatever stands on its squares; ``as_far``: as many steps as the run before it.
    """

    step: Vector
    lengths: tuple[int, ...]
    ends: tuple[End, ...]
    through: tuple[Passage, ...] = ()
    hops: bool = False
    behind: bool = False
    skips: bool = False
    lame: bool = False
    over: bool = False
    as_far: bool = False


RunSequence: TypeAlias = tuple[Run, ...]

# The way home, whatever stands there; it ends the move.
HOMEWARD_RUN = Run((0, 0), ONE_STEP, MOVE_ONLY)


def steps_of_sequence(row: RunSequence) -> tuple[Vector, ...] | None:
    """The steps of a row one by one, None where a run may have several numbers of them.

    >>> steps_of_sequence((Run((0, 1), (2,), ()), Run((1, 2), ONE_STEP, MOVE_ONLY)))
    ((0, 1), (0, 1), (1, 2))
    """
    if any(len(each.lengths) != 1 for each in row):
        return None
    return tuple(each.step for each in row for _ in range(each.lengths[0]))


def retraces_all_but_first_step(back: RunSequence, out: RunSequence) -> bool:
    """Whether a row goes back over the squares of another one, all empty, until one step from home.

    Where that other row is one step, there is nothing to go back over.

    >>> out = (Run((0, 1), (3,), ()),)
    >>> back = (Run((0, -1), (2,), (), EMPTY_PASSAGE),)
    >>> retraces_all_but_first_step(back, out), retraces_all_but_first_step((), out)
    (True, False)
    """
    quiet = all(each.through == EMPTY_PASSAGE and not each.ends and not each.hops for each in back)
    there, again = steps_of_sequence(out), steps_of_sequence(back)
    if there is None or again is None or not quiet:
        return False
    return again == tuple((-x, -y) for x, y in reversed(there[1:]))


def lame_leap_vector(
    orthogonal: Vector,
    orthogonal_lengths: tuple[int, ...],
    diagonal: Vector,
    diagonal_lengths: tuple[int, ...],
) -> Vector:
    """The blockable leap that straight steps and then diagonal ones outward are, (0, 0) if none is.

    >>> lame_leap_vector((0, 1), (1,), (1, 1), (1,)), lame_leap_vector((0, 1), (1,), (1, -1), (1,))
    ((1, 2), (0, 0))
    """
    (x, y), (dx, dy) = orthogonal, diagonal
    outward = abs(x) + abs(y) == abs(dx * dy) == dx * x + dy * y == 1
    if not outward or len(orthogonal_lengths) != 1 or len(diagonal_lengths) != 1:
        return (0, 0)
    return (
        x * orthogonal_lengths[0] + dx * diagonal_lengths[0],
        y * orthogonal_lengths[0] + dy * diagonal_lengths[0],
    )


def is_up_to_some(lengths: tuple[int, ...]) -> bool:
    """Whether a run is of any number of steps, or of up to some number."""
    return lengths == tuple(range(1, len(lengths) + 1))


def run_continues_leap(leap: Run, run: Run) -> bool:
    """Whether a leap of two steps goes on in the same line, up to some number of steps or any.

    >>> run_continues_leap(Run((0, 2), ONE_STEP, (), EMPTY_PASSAGE), Run((0, 1), ANY_LENGTH,
    ...  MOVE_ONLY))
    True
    """
    dx, dy = run.step
    beside = max(abs(dx), abs(dy)) == 1 and leap.step == (2 * dx, 2 * dy)
    plain = (
        leap.lengths == ONE_STEP and leap.through == EMPTY_PASSAGE and not (leap.hops or run.hops)
    )
    return beside and plain and is_up_to_some(run.lengths)


def leap_with_ends_of(leap: Run, run: Run) -> Run:
    """A leap that ends, or goes on, as the run after it does."""
    return leap._replace(ends=run.ends, through=run.through)


class NotExpressible(Exception):
    """Nothing says these moves: they are no rows, or the notation has no words for them."""


def may_continue_where_it_ends(ends: tuple[End, ...], through: tuple[Passage, ...]) -> bool:
    """Whether one leg may both end a move so and be passed so.

    >>> may_continue_where_it_ends(("empty", "enemy", "royal"), EMPTY_PASSAGE)
    True
    >>> may_continue_where_it_ends(("enemy", "royal"), EMPTY_PASSAGE)
    False
    >>> may_continue_where_it_ends(("enemy", "royal"), ("take-enemy", "take-royal"))
    True
    """
    if through == EMPTY_PASSAGE:
        return ends in {MOVE_ONLY, MOVE_OR_CAPTURE}
    return bool(ends) and tuple(PASSAGE_BY_END.get(end) for end in ends) == through
