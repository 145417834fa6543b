"""The paths of a piece that some position allows, for pieces that come back to squares.

An automaton asks of every square by itself, so a path that meets one twice may ask that it is empty
first and holds an enemy later, or that the move ends where a captured piece still stands. No
position allows such a path; of a table or a list of moves it is never part, and a picture must not
show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from alfil.diagrams.diagram_model import Offset
from alfil.graphs import targets_first_order
from alfil.meaning import automaton as masks
from alfil.meaning.automaton import (
    CAPTURABLE_CLASSES,
    FREE_CLASSES,
    HOME,
    PIECE_CLASSES,
    VACANT,
    Automaton,
    PassTransition,
    State,
    StepKey,
    StepRecord,
    classes_by_passage,
    may_reverse_an_axis,
    split_by_first_step,
    targets_by_state,
    with_shifted_targets,
)
from alfil.work_limit import charge

# So many states are followed apart; a piece with more is shown as it is.
MAX_PATHS = 700
# Where more steps may follow a first one, none are left out as needless.
MAX_NEEDLESS = 200


class SquareKnowledge(NamedTuple):
    """What may stand on a square by what a path has asked of it, and whether that is captured."""

    classes: int
    taken: bool = False


# By square away from home; any other may hold anything.
Knowledge: TypeAlias = dict[Offset, SquareKnowledge]
UNKNOWN_SQUARE = SquareKnowledge(FREE_CLASSES | PIECE_CLASSES)


class _PathsNotEnumerable(Exception):
    """The paths cannot be followed apart: they wrap, run on without end, or are too many."""


@lru_cache(maxsize=1024)
def without_infeasible_paths(automaton: Automaton) -> Automaton:
    """The same moves without paths that no position allows; often the automaton itself."""
    if not automaton or not may_reverse_an_axis(automaton):
        return automaton
    apart = split_by_first_step(automaton.states)
    kept = tuple(map(_feasible_states, apart))
    changed = any(new is not old for new, old in zip(kept, apart, strict=True))
    return _union_of_branches(kept) if changed else automaton


def _union_of_branches(branches: Iterable[tuple[State, ...]]) -> Automaton:
    """The automaton of which these are the branches."""
    first: list[StepRecord] = []
    rows: list[State] = [()]
    for states in branches:
        moved = len(rows) - 1
        rows += [with_shifted_targets(state, moved) for state in states[1:]]
        first += with_shifted_targets(states[0], moved)
    rows[0] = tuple(first)
    return Automaton(tuple(rows))


@lru_cache(maxsize=1024)
def without_needless_paths(automaton: Automaton) -> Automaton:
    """The same moves without paths that end only where a single leap ends too.

    Nothing can block the leap, so no square on the path matters. Often that is the automaton
    itself; it is always for paths that capture on their way.
    """
    leaps = {record[:3]: record[3] for record in automaton.states[0] if record[3]}
    kept = [
        (*record[:4], ())
        if record[4] and _are_paths_covered_by_leaps(automaton, record, leaps)
        else record
        for record in automaton.states[0]
    ]
    if kept == list(automaton.states[0]):
        return automaton
    first = tuple([record for record in kept if record[3] or record[4]])
    return _union_of_branches(split_by_first_step((first, *automaton.states[1:])))


def _are_paths_covered_by_leaps(
    automaton: Automaton, first: StepRecord, leaps: Mapping[StepKey, int]
) -> bool:
    """Whether all that may follow a first step ends as a leap does, and captures nothing before.

    Nothing leaps to where the piece began, so that a pass is no such end.
    """
    paths = [(first, (0, 0))]
    for record, (x, y) in paths:
        dx, dy, wrap, emit, passes = record
        square = x + dx, y + dy
        covered = 0 if record[:3] == HOME else leaps.get((*square, 0), 0)
        needless = record is first or not emit & ~covered
        taken = any(mask & masks.TAKE_BITS for mask, _ in passes)
        if wrap or taken or not needless or len(paths) > MAX_NEEDLESS:
            return False
        paths += [(each, square) for _, target in passes for each in automaton.states[target]]
    return True


def revisits_squares_in_loops(states: tuple[State, ...]) -> bool:
    """Whether paths come back to squares along runs, so that they cannot be followed one by one."""
    return may_reverse_an_axis(Automaton(states)) and 0 not in targets_first_order(
        targets_by_state(states)
    )


@lru_cache(maxsize=4096)
def _feasible_states(states: tuple[State, ...]) -> tuple[State, ...]:
    """The states behind one first step, every path by itself, where that leaves some out."""
    paths = _PathSplitter(states)
    try:
        paths.add_state_copy(0, (0, 0), {}, ())
    except _PathsNotEnumerable:
        return states
    return tuple(paths.rows) if paths.dropped else states


class _PathSplitter:
    """The paths of some states, each with what it asks of the squares it has met."""

    def __init__(self, states: tuple[State, ...]) -> None:
        self._states = states
        self.rows: list[State] = []
        self.dropped = False

    def add_state_copy(
        self, index: int, at: Offset, knowledge: Knowledge, before: tuple[int, ...]
    ) -> int:
        """The row of a state on a square, after others; -1 where no path goes on from there."""
        if index in before or len(self.rows) > MAX_PATHS:
            raise _PathsNotEnumerable
        charge(1)
        row = len(self.rows)
        self.rows.append(())
        result = [
            records_kept
            for record in self._states[index]
            if (records_kept := self._feasible_record(record, at, knowledge, (*before, index)))
        ]
        if not result and row:
            del self.rows[row:]
            return -1
        self.rows[row] = tuple(result)
        return row

    def _feasible_record(
        self, record: StepRecord, at: Offset, knowledge: Knowledge, before: tuple[int, ...]
    ) -> StepRecord | None:
        """A record as far as it can be taken here, None where it cannot."""
        dx, dy, wrap, emit, passes = record
        if wrap:
            raise _PathsNotEnumerable
        if record[:3] == HOME:
            return record
        square = at[0] + dx, at[1] + dy
        home = square == (0, 0)
        held = knowledge.get(square, UNKNOWN_SQUARE)
        ends = emit if home else _feasible_ends(emit, held)
        led: list[PassTransition] = []
        for mask, target in passes:
            ways = [(mask & masks.PAST_EMPTY_OR_AWAY, None)] if home else _split_pass(mask, held)
            for some, after in ways:
                onward = knowledge if after is None else knowledge | {square: after}
                to = self.add_state_copy(target, square, onward, before) if some else -1
                if to >= 0:
                    led.append((some, to))
            self.dropped |= not home and sum({*[some for some, _ in ways]}) != mask
        self.dropped |= ends != emit or len(led) < len(passes)
        return (dx, dy, wrap, ends, tuple(led)) if ends or led else None


def _feasible_ends(emit: int, square: SquareKnowledge) -> int:
    """The ways to end on a square that fit what may stand there; none where that is captured."""
    away = masks.ON_AWAY if square.classes & VACANT else 0
    return 0 if square.taken else emit & (square.classes | away)


def _split_pass(mask: int, square: SquareKnowledge) -> list[tuple[int, SquareKnowledge | None]]:
    """A pass over a square, and one with a capture there, each with what then is known of it."""
    pieces = square.classes & PIECE_CLASSES
    over = mask & (
        (masks.PAST_EMPTY_OR_AWAY if square.classes & FREE_CLASSES else 0)
        | pieces << 4
        | pieces << 8
    )
    takes = 0 if square.taken else mask & square.classes & CAPTURABLE_CLASSES
    by, hurdles, _ = classes_by_passage(over)
    stands = (by | hurdles) & square.classes
    return [(over, square._replace(classes=stands)), (takes, SquareKnowledge(takes, taken=True))]
