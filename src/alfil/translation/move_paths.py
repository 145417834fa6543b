"""Moves with the conditions on the squares of their way, as the elements that a text has to cover.

An automaton is followed for a few steps more than its longest way without a circle, so that a run
without end is told from every run of a length that matters. What a bounded number of such moves
cannot say (wrapped boards, areas to roam over) has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple, TypeAlias

from alfil.bit_grid import single_bits
from alfil.geometry import Vector
from alfil.meaning.automaton import (
    HOME,
    OVER_ANY,
    PASS_ANYTHING,
    PAST_AWAY,
    PAST_EMPTY,
    TAKE_BITS,
    THRU_ANY,
    Automaton,
    State,
)
from alfil.meaning.piece_meaning import EFFECT_CONDITIONS, Guard, Meaning
from alfil.movement.run_sequences import NotExpressible
from alfil.work_limit import charge

# More moves, or longer ones, are not looked at one by one.
MAX_PATHS = 3_000
MAX_DEPTH = 20
# Steps beyond the longest way without a circle.
STEPS_BEYOND_LONGEST = 2

# A square, and what may stand there.
SquareCondition: TypeAlias = tuple[Vector, int]


class PathResult(NamedTuple):
    """What a move does: its effects, where it ends and on what, and what it takes or jumps over."""

    effects: Guard
    to: Vector
    end: int
    touched: tuple[SquareCondition, ...]


class MovePath(NamedTuple):
    """A move: what it does, the conditions on the piece's past, and those on squares passed."""

    result: PathResult
    guard: frozenset[object]
    square_conditions: frozenset[SquareCondition]

    def is_implied_by(self, wider: MovePath) -> bool:
        """Whether a piece with the ``wider`` move may make this one wherever it may be made."""
        if self.result != wider.result or not wider.guard <= self.guard:
            return False
        if wider.square_conditions <= self.square_conditions:
            return True
        own = dict(self.square_conditions)
        return all(at in own and not own[at] & ~mask for at, mask in wider.square_conditions)


def path_depth_limit(meaning: Meaning) -> int:
    """How many steps are to be followed; raises `NotExpressible` for very long ways."""
    depth = (
        max((_longest_acyclic_path(part.automaton.states) for part in meaning.parts), default=0)
        + STEPS_BEYOND_LONGEST
    )
    if depth > MAX_DEPTH:
        raise NotExpressible
    return depth


def _longest_acyclic_path(states: Sequence[State]) -> int:
    """The steps of the longest way through states that are not met twice."""
    known: dict[int, int] = {}
    open_states: set[int] = set()

    def steps(at: int) -> int:
        if at in known or at in open_states:
            return known.get(at, 0)
        open_states.add(at)
        onward = {target for record in states[at] for _, target in record[4]}
        charge(len(onward))
        longest = 1 + max((steps(each) for each in onward), default=0)
        open_states.discard(at)
        known[at] = longest
        return longest

    if len(states) > MAX_PATHS // 10:
        raise NotExpressible
    return steps(0)


def paths_of(meaning: Meaning, depth: int) -> list[MovePath]:
    """The moves of so many steps at most; raises `NotExpressible` where they are too many."""
    result: list[MovePath] = []
    for guard, automaton in meaning.parts:
        effects = tuple(each for each in guard if each.kind in EFFECT_CONDITIONS)
        past = frozenset(each for each in guard if each.kind not in EFFECT_CONDITIONS)
        for path in _paths_of_automaton(automaton, effects, past, depth):
            result.append(path)
            if len(result) > MAX_PATHS:
                raise NotExpressible
    return result


def _paths_of_automaton(
    automaton: Automaton, effects: Guard, history_conditions: frozenset[object], depth: int
) -> Iterator[MovePath]:
    Squares: TypeAlias = tuple[SquareCondition, ...]
    stack: list[tuple[int, Vector, int, Squares, Squares]] = [(0, (0, 0), depth, (), ())]
    met = 0
    while stack:
        at, (x, y), left, squares, touched = stack.pop()
        for dx, dy, wrap, emit, passes in automaton.states[at]:
            charge(1)
            met += 1
            if wrap or met > MAX_PATHS:
                raise NotExpressible
            to = (0, 0) if (dx, dy, wrap) == HOME else (x + dx, y + dy)
            for end in single_bits(emit):
                result = PathResult(effects, to, end, touched)
                yield MovePath(result, history_conditions, frozenset(squares))
            for mask, target in passes if left > 1 else ():
                for condition, effect in _passage_cases(mask):
                    stack.append(
                        (
                            target,
                            to,
                            left - 1,
                            (*squares, (to, condition)) if condition else squares,
                            (*touched, (to, effect)) if effect else touched,
                        )
                    )


class PassageCase(NamedTuple):
    """What a move asks of a square that it passes, and what it does there, as bits; 0 for nothing.

    It does something where it takes or jumps over what stands there.
    """

    condition: int
    effect: int


def _passage_cases(mask: int) -> Iterator[PassageCase]:
    """The ways to pass a square."""
    free = mask & (PAST_EMPTY | PAST_AWAY | THRU_ANY)
    if free:
        yield PassageCase(0 if free & PASS_ANYTHING == PASS_ANYTHING else free, 0)
    for some in (mask & TAKE_BITS, mask & OVER_ANY):
        if some:
            yield PassageCase(some, some)


class PathsToCover:
    """Moves to be covered, as the bits of a number, and what others cover of them."""

    def __init__(self, paths: Iterable[MovePath]) -> None:
        alike: dict[PathResult, list[MovePath]] = {}
        for path in dict.fromkeys(paths):
            alike.setdefault(path.result, []).append(path)
        self._by_result: dict[PathResult, list[tuple[int, MovePath]]] = {}
        self.count = 0
        for result, some in alike.items():
            # What follows from another move need not be covered.
            kept = [
                each
                for each in some
                if not any(other is not each and each.is_implied_by(other) for other in some)
            ]
            self._by_result[result] = [(1 << self.count + at, each) for at, each in enumerate(kept)]
            self.count += len(kept)
        # The guards there are, the ends, and what is passed.
        some = [path for each in self._by_result.values() for _, path in each]
        self.guards = {path.guard for path in some}
        self.ends = reduce(or_, (result.end for result in alike), 0)
        self.passes = reduce(or_, (mask for path in some for _, mask in path.square_conditions), 0)

    @property
    def all_bits(self) -> int:
        """The bits of all moves."""
        return (1 << self.count) - 1

    @property
    def results(self) -> Iterable[PathResult]:
        """What the moves do."""
        return self._by_result

    def bits_covered_by(self, path: MovePath) -> int | None:
        """The moves that follow from one; None for one that none of them allows."""
        bits, allowed = 0, False
        for bit, own in self._by_result.get(path.result, ()):
            if own.is_implied_by(path):
                bits |= bit
            allowed = allowed or path.is_implied_by(own)
        charge(1)
        return bits if allowed else None
