"""Whether all moves of one piece are moves of another, on every board."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from alfil.meaning.answer import Parts
from alfil.meaning.automaton import TooManyStates, wraps
from alfil.meaning.conditions import mode_of
from alfil.meaning.piece import Meaning, allows
from alfil.meaning.timing import Timing, TooManyTimings, timings
from alfil.meaning.witness import Contest, OutOfBudget, Search, contest

# So much work is done before the answer is "not proved".
PROOF_BUDGET = 60_000


def contains(larger: Meaning, smaller: Meaning) -> bool:
    """Whether every move of the second meaning, on every board up to the largest, is one of the
    first, whatever the two pieces have done before.

    Facts are left aside. It is never yes by mistake. It may be no by mistake where the second piece
    has moves on wrapped boards or castling that the first has by other paths; where a run that goes
    as far as it can, or to the middle of the board, is compared with another kind of run; and where
    a proof would take more than a fixed amount of work.
    """
    return larger == smaller or proved(lambda: [pair[1] for pair in contests(larger, smaller)])


def proved(asked: Callable[[], list[Contest]], budget: int = PROOF_BUDGET) -> bool:
    """Whether it is proved that nobody wins any of the contests, which may fail to be made."""
    try:
        given = asked()
        if any(unsettled(each) for each in given):
            return False
        return not any(Search(settled(given), budget).witnesses())
    except (OutOfBudget, TooManyStates, TooManyTimings):
        return False


def contests(left: Meaning, right: Meaning) -> list[tuple[Contest, Contest]]:
    """What each of two pieces has beyond the other, at every moment that matters."""
    found: dict[tuple[object, object], tuple[Contest, Contest]] = {}
    for timing in timings((left, right)):
        first, second = parts_at(left, timing), parts_at(right, timing)
        # Moments at which both may use the same parts as at an earlier one tell nothing new.
        key = (tuple(first), tuple(second))
        if key not in found:
            found[key] = (contest(timing, 0, first, second), contest(timing, 1, second, first))
    return list(found.values())


def parts_at(meaning: Meaning, timing: Timing) -> Parts:
    """The parts that may be used at a moment, with their modes."""
    return [
        (mode_of(guard), automaton)
        for guard, automaton in meaning.parts
        if allows(guard, timing.moves_made, third_rank=timing.third_rank)
    ]


def unsettled(contest: Contest) -> bool:
    """Whether some path is lacking of which a search on boards of any size can say nothing."""
    return any(
        paths and (mode.castle is not None or wraps(paths.states))
        for (mode, _), paths in zip(contest.parts, contest.paths, strict=True)
    )


def settled(contests: Sequence[Contest]) -> list[Contest]:
    """The contests as a search on boards of any size may take them: it may find too much only.

    The other side has to do with what it can do whatever the board around.
    """
    return [
        each._replace(others=[(mode, other) for mode, other in each.others if mode.plain])
        for each in contests
    ]
