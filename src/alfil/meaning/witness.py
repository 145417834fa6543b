"""The smallest positions in which one of two pieces has a move that the other has not.

Best first. A candidate is either a path under way, which one of the pieces has and the other lacks
as a path, or the end of one. Each knows the position in part, and so the board and the pieces it
takes at least; neither can shrink as the candidate grows. At its end the other piece is tried in
the simplest position the candidate allows. If it has the same move there by another way, the
candidate is split by the squares on which that way rests, so that it fails on each part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from alfil.geometry import BOARD_LIMIT
from alfil.meaning.answer import (
    Cube,
    Parts,
    Situation,
    answer,
    beyond,
    finished,
    kept,
    narrowed,
    runs_to,
)
from alfil.meaning.automaton import VACANT
from alfil.meaning.conditions import (
    ANYTHING,
    CLASSES,
    OPEN,
    START,
    Board,
    Effect,
    Mode,
    Offset,
    endings,
    hull,
    passages,
)
from alfil.meaning.lacking import Lacking, lacking
from alfil.meaning.timing import Timing

# What work costs: a candidate; and trying the other side, for its first steps and for the squares.
CANDIDATE = 3
STEPS_AT_ONCE = 20
SQUARES_AT_ONCE = 16

# Squares of board, pieces, 0 for candidates and 1 for positions, and which position is preferred.
Key: TypeAlias = tuple[int, int, int, tuple[object, ...]]


class Contest(NamedTuple):
    """One piece against another at one moment: is there a move that only the first has?

    ``side`` is 0 when the first of the two pieces is the one, ``paths`` what each of its parts has
    beyond the other's.
    """

    timing: Timing
    side: int
    parts: Parts
    others: Parts
    paths: tuple[Lacking, ...]


def contest(timing: Timing, side: int, parts: Parts, others: Parts) -> Contest:
    """The contest of two pieces, with the paths to look at."""
    paths = tuple(
        lacking(automaton, [other for by, other in others if _alike(mode, by, automaton, other)])
        for mode, automaton in parts
    )
    return Contest(timing, side, parts, others, paths)


def _alike(mode: Mode, by: Mode, automaton: object, other: object) -> bool:
    """Whether a path of one part makes the same move in the other, wherever it makes one."""
    if mode == by:
        return mode.greedy < 0 or automaton == other
    return by == Mode(trail=mode.trail) and mode.castle is None


class Witness(NamedTuple):
    """A position, and the effect of a move that only one side has in it."""

    timing: Timing
    side: int
    board: Board
    contents: Mapping[Offset, int]
    effect: Effect


class _Candidate(NamedTuple):
    """A position known in part; ``state`` is that of a path under way, -1 at its end."""

    contest: int
    part: int
    state: int
    at: Offset
    effect: Effect
    domains: Cube


class OutOfBudget(Exception):
    """More work than the search may do."""


class Search:
    """One search, over several contests, on boards of any size or on one board."""

    def __init__(self, contests: Sequence[Contest], budget: int, board: Board = OPEN) -> None:
        self.budget = budget
        self.yielded = 0
        self._contests = contests
        self._board = board
        self._heap: list[tuple[Key, int, _Candidate | Witness]] = []
        self._serial = 0
        self._reached: dict[tuple[object, ...], list[Cube]] = {}
        self._tried: set[object] = set()

    def witnesses(self) -> Iterator[Witness]:
        """Positions in order of size; raises `OutOfBudget`."""
        for number, each in enumerate(self._contests):
            for part, paths in enumerate(each.paths):
                if paths:
                    self._push(_Candidate(number, part, 0, START, Effect(), {}))
        while self._heap:
            _, _, item = heappop(self._heap)
            if isinstance(item, Witness):
                self.yielded += 1
                yield item
                continue
            self.budget -= CANDIDATE
            if self.budget < 0:
                raise OutOfBudget
            self._expand(item)

    def _expand(self, item: _Candidate) -> None:
        contest = self._contests[item.contest]
        if item.state < 0:
            self._try(item, contest)
        else:
            self._walk(item, contest)

    def _push(self, item: _Candidate) -> None:
        """Put a candidate in its place in the queue, unless no board is as large as it needs."""
        board = hull(item.domains)
        if max(board.files, board.ranks) <= BOARD_LIMIT:
            pieces = sum(not mask & VACANT for mask in item.domains.values())
            self._queue((self._area(board), pieces, 0, ()), item)

    def _queue(self, key: Key, item: _Candidate | Witness) -> None:
        self._serial += 1
        heappush(self._heap, (key, self._serial, item))

    def _area(self, board: Board) -> int:
        return board.files * board.ranks if self._board is OPEN else 0

    def _first_way(self, item: _Candidate, contest: Contest) -> bool:
        """Whether no path has come here on conditions that hold wherever those of this one do."""
        owner = contest.paths[item.part].owners[item.state]
        return self._fresh((item.contest, item.part, owner, item.at, item.effect), item.domains)

    def _fresh(self, key: tuple[object, ...], domains: Cube) -> bool:
        """Whether nothing weaker was noted under the key; it is now."""
        cubes = self._reached.setdefault(key, [])
        if any(_weaker(cube, domains) for cube in cubes):
            return False
        cubes.append(domains)
        return True

    def _walk(self, item: _Candidate, contest: Contest) -> None:
        mode = contest.parts[item.part][0]
        keep = kept(mode) if mode.greedy >= 0 else ANYTHING
        for record in contest.paths[item.part].states[item.state]:
            where = self._board.step(item.at, record)
            if where is None:
                continue
            for mask, effect in endings(record, where, item.effect):
                self._end(item, mode, effect, narrowed(item.domains, where, mask & keep))
            for mask, effect, target in passages(record, where, item.effect, mode):
                domains = narrowed(item.domains, where, mask)
                if all(domains.values()):
                    after = _Candidate(item.contest, item.part, target, where, effect, domains)
                    if mode.greedy >= 0 or self._first_way(after, contest):
                        self._push(after)

    def _end(self, item: _Candidate, mode: Mode, effect: Effect, domains: Cube) -> None:
        # On boards of any size a run that stops in the middle counts as one that need not.
        greedy = mode.greedy >= 0
        mode = mode._replace(middle=False) if self._board is OPEN else mode
        for whole, asked in finished(mode, self._board, effect, domains):
            if all(asked.values()) and (greedy or self._fresh((item.contest, whole), asked)):
                self._push(item._replace(state=-1, at=START, effect=whole, domains=asked))

    def _try(self, item: _Candidate, contest: Contest) -> None:
        """Try the simplest position of a finished candidate; split it where the other side does."""
        known = (item.contest, item.part, item.effect, frozenset(item.domains.items()))
        if known in self._tried:
            return
        self._tried.add(known)
        board = self._board if self._board is not OPEN else hull(item.domains)
        chosen = {at: _simplest(mask) for at, mask in item.domains.items()}
        contents = {at: kind for at, kind in chosen.items() if kind != VACANT}
        situation = Situation(board, item.domains, contents)
        if contest.parts[item.part][0].greedy >= 0 and self._board is not OPEN:
            for farther in self._run_on(item, contest, situation):
                self._without(item, farther)
                return
        steps = sum(len(other.states[0]) for _, other in contest.others)
        self.budget -= steps // STEPS_AT_ONCE + board.files * board.ranks // SQUARES_AT_ONCE
        found = answer(contest.others, item.effect, situation)
        if found is None:
            witness = Witness(contest.timing, contest.side, board, contents, item.effect)
            self._queue((self._area(board), len(contents), 1, preference(witness)), witness)
            return
        self._without(item, found.cube)
        for cube in found.farther:
            self._with(item, cube)

    def _run_on(self, item: _Candidate, contest: Contest, situation: Situation) -> Iterator[Cube]:
        """A way in which the first side's run goes on here, so that it does not end its move."""
        if answer(contest.parts, item.effect, situation) is None:
            mode, automaton = contest.parts[item.part]
            for path, record in runs_to(mode, automaton, item.effect, situation):
                for cube in beyond(automaton, self._board, record, path):
                    if situation.meets(cube):
                        yield cube

    def _without(self, item: _Candidate, cube: Cube) -> None:
        """The parts of a candidate on which the cube does not hold."""
        domains = dict(item.domains)
        for at, mask in sorted(cube.items()):
            allowed = domains.get(at, ANYTHING)
            if allowed & ~mask:
                self._push(item._replace(domains={**domains, at: allowed & ~mask}))
            domains[at] = allowed & mask

    def _with(self, item: _Candidate, cube: Cube) -> None:
        """The part of a candidate on which the cube holds."""
        domains = dict(item.domains)
        for at, mask in cube.items():
            domains[at] = domains.get(at, ANYTHING) & mask
        if all(domains.values()):
            self._push(item._replace(domains=domains))


def _weaker(cube: Cube, other: Cube) -> bool:
    """Whether the first cube holds wherever the second does."""
    return all(not other.get(at, ANYTHING) & ~mask for at, mask in cube.items()) and (
        cube.keys() <= other.keys()
    )


def _simplest(mask: int) -> int:
    return next(kind for kind in CLASSES if mask & kind)


def preference(witness: Witness) -> tuple[object, ...]:
    """Which of several smallest positions is shown: forward and to the right, without captures."""
    _, side, board, contents, effect = witness
    return (
        (witness.timing.moves_made or 0, witness.timing.third_rank),
        sum(contents.values()),
        len(effect.captures),
        (board.south, board.west, board.files),
        (effect.to, sorted(contents.items()), sorted(effect.captures), sorted(effect.hurdles)),
        (sorted(effect.trail), effect.partner is not None, effect.partner or (), side),
    )
