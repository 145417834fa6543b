"""Whether one piece has all moves of another, whether they are the same, and where they differ.

The paths that only one of two automata has are their product. From these the smallest positions are
searched, best first, in which one piece has a move that the other has not. A candidate is either a
path under way, which one of the pieces has and the other lacks as a path, or the end of one. Each
knows the position in part, and so the board and the pieces it takes at least; neither can shrink as
the candidate grows. At its end the other piece is tried in the simplest position the candidate
allows. If it has the same move there by another way, the candidate is split by the squares on which
that way rests, so that it fails on each part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import chain
from itertools import product as combinations
from math import lcm
from typing import TypeAlias

from alfil.effort import spend, task
from alfil.frozen import NamedTuple
from alfil.geometry import BOARD_LIMIT
from alfil.meaning import normal
from alfil.meaning.automaton import (
    ENEMY,
    FRIEND,
    VACANT,
    Automaton,
    Record,
    State,
    Step,
    TooManyStates,
    ending,
    passing,
    product,
    pruned,
    wraps,
)
from alfil.meaning.normal import Turn, asks_away, homing, makes_way, staying
from alfil.meaning.piece import GROUNDS, ConditionKind, Meaning, allows
from alfil.meaning.placing import grounds_together
from alfil.meaning.situation import (
    ANYTHING,
    CLASSES,
    OPEN,
    START,
    Cube,
    Edges,
    Effect,
    Mode,
    Offset,
    Parts,
    Situation,
    answer,
    beyond,
    endings,
    finished,
    hull,
    leaves,
    mode_of,
    narrowed,
    passages,
    runs_to,
)

# So much work is done before the answer is "not proved".
PROOF_BUDGET = 50_000
# Whatever is not proved with so much looks the same from several sides, or is long anyway.
SHORT = 2_000
STRAIGHT: Turn = ((1, 0), (0, 1))
MIRROR: Turn = ((-1, 0), (0, 1))
QUARTER: Turn = ((0, -1), (1, 0))
# So many sets of "every k-th move" are told apart; pieces in use have one or two.
LCM_LIMIT = 64
# Where moves on an empty board are compared.
NEAR = Edges(4, 4, 4, 4)
# The work that a proof is before it looks at anything, and a candidate; and how many conditions are
# compared for one.
BEGUN = 50
CANDIDATE = 3
CUBES_AT_ONCE = 4
# Of so many steps from a state those that need small boards are looked at first.
MANY = 100

# Squares of board, pieces, 0 for candidates and 1 for positions, and which position is preferred.
Key: TypeAlias = tuple[int, int, int, tuple[object, ...]]


def same_meaning(left: Meaning, right: Meaning, budget: int = PROOF_BUDGET) -> bool:
    """Whether two meanings are the same piece on every board up to the largest.

    Equal automata are the same piece. Different ones may be too: a lame leap beside the free one
    adds nothing, and a path may ask for what no board can hold. So each must have all the moves of
    the other, as for `contains`; like that it is never yes by mistake, and for pieces that roam
    freely two descriptions of one area may be called different. ``budget`` is the work that a proof
    may take.
    """
    if left == right:
        return True
    if left.facts != right.facts:
        return False
    return proved(left, right, (0, 1), budget)


def contains(larger: Meaning, smaller: Meaning, budget: int = PROOF_BUDGET) -> bool:
    """Whether every move of the second meaning, on every board up to the largest, is one of the
    first, whatever the two pieces have done before.

    Facts are left aside. It is never yes by mistake. It may be no by mistake where the second piece
    has moves on wrapped boards or castling that the first has by other paths; where a run that goes
    as far as it can, or to the middle of the board, is compared with another kind of run; and where
    a proof would take more work than ``budget``.
    """
    return larger == smaller or proved(larger, smaller, (1,), budget)


def proved(left: Meaning, right: Meaning, sides: Sequence[int], budget: int = PROOF_BUDGET) -> bool:
    """Whether it is proved that nobody wins the contests of two pieces, of those for some sides."""
    try:
        with task(budget, OutOfBudget):
            spend(BEGUN)
            moments = parts_at_moments(left, right)
            each_way = (contest(timing, side, parts) for timing, parts in moments for side in sides)
            given = [each for each in each_way if any(each.paths)]
            if any(unsettled(each) for each in given):
                return False
            try:
                with task(SHORT, _Long):
                    return not any(Search(settled(given), smallest=False).counterexamples())
            except _Long:
                same = symmetries(left, right)
                found = Search(settled(given), smallest=False, same=same).counterexamples()
                return not any(found)
    except (OutOfBudget, TooManyStates, TooManyTimings):
        return False


class _Long(Exception):
    """A proof that is worth a look at what is symmetric."""


def symmetries(left: Meaning, right: Meaning) -> tuple[Turn, ...]:
    """The turns and mirrors that leave the moves of both pieces as they are.

    >>> from alfil import read
    >>> [len(symmetries(read(text).meaning, read("K").meaning)) for text in ("R", "fR", "fhrN")]
    [8, 2, 1]
    """
    questions = staying(left), staying(right)
    kept = [turn for turn in (MIRROR, QUARTER) if all(stays(turn) for stays in questions)]
    found: list[Turn] = [STRAIGHT]
    for turn in found:
        for by in kept:
            both = normal.at(by, *turn[0]), normal.at(by, *turn[1])
            if both not in found:
                found.append(both)
    return tuple(found)


def contests(left: Meaning, right: Meaning) -> list[tuple[Contest, Contest]]:
    """What each of two pieces has beyond the other, at every moment that matters."""
    return [
        (contest(timing, 0, parts), contest(timing, 1, parts))
        for timing, parts in parts_at_moments(left, right)
    ]


def parts_at_moments(left: Meaning, right: Meaning) -> list[tuple[Timing, tuple[Parts, Parts]]]:
    """The parts that each of two pieces may use, at every moment that matters."""
    found: dict[object, tuple[Timing, tuple[Parts, Parts]]] = {}
    for timing in timings((left, right)):
        first, second = parts_at(left, timing), parts_at(right, timing)
        # Moments at which both may use the same parts as at an earlier one tell nothing new.
        found.setdefault((tuple(first), tuple(second)), (timing, (first, second)))
    return list(found.values())


def parts_at(meaning: Meaning, timing: Timing) -> Parts:
    """The parts that may be used at a moment, with their modes."""
    return [
        (mode_of(guard), automaton)
        for guard, automaton in meaning.parts
        if allows(
            guard,
            timing.moves_made,
            third_rank=timing.third_rank,
            turn=timing.turn,
            grounds=timing.grounds,
        )
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


class Timing(NamedTuple):
    """What a piece has done so far: moves made (None: many), and where it stood at first.

    ``turn`` is that of its side, None where none matters, ``grounds`` the conditions on its square
    that hold, all where none matters.
    """

    moves_made: int | None = None
    third_rank: bool = False
    turn: int | None = None
    grounds: frozenset[ConditionKind] = GROUNDS


class TooManyTimings(Exception):
    """The conditions of the pieces make more moments than are looked at."""


def timings(meanings: Iterable[Meaning]) -> list[Timing]:
    """Moments enough for every set of conditions that may hold at once, simplest first.

    Raises `TooManyTimings`.
    """
    conditions = {each for meaning in meanings for guard, _ in meaning.parts for each in guard}
    numbers = {each.value for each in conditions if each.kind == "move"}
    periods = sorted(each.value for each in conditions if each.kind == "every")
    ranks = (False, True) if any(each.kind == "third-rank" for each in conditions) else (False,)
    made: list[int | None] = [] if periods else [None]
    made += sorted(number - 1 for number in numbers | _turns(periods, numbers))
    turns = sorted({each.value for each in conditions if each.kind == "turn"})
    played: list[int | None] = [*sorted(_turns(turns, set()))] if turns else [None]
    squares = grounds_together({each.kind for each in conditions})
    every = combinations(made, ranks, played, squares)
    return [Timing(*moment) for moment in every]


def _turns(periods: list[int], moves: set[int]) -> set[int]:
    """Numbers of moves, each divided by other ones of the periods, none of them in ``moves``."""
    if not periods:
        return set()
    multiples = {1}
    for period in periods:
        multiples |= {lcm(each, period) for each in multiples}
        if len(multiples) > LCM_LIMIT:
            raise TooManyTimings
    return {_turn(multiple, periods, moves) for multiple in multiples}


def _turn(multiple: int, periods: list[int], moves: set[int]) -> int:
    """The first multiple that no more of the periods divide, and that is not in ``moves``."""
    wanted = {period for period in periods if multiple % period == 0}
    number = multiple
    while number in moves or {period for period in periods if number % period == 0} != wanted:
        number += multiple
    return number


class Lacking(NamedTuple):
    """An automaton of the paths that are lacking; ``owners`` are the states they pass through.

    It is deterministic, neither minimal nor numbered. Every state leads to the end of some path.
    """

    states: tuple[State, ...]
    owners: tuple[int, ...]

    def __bool__(self) -> bool:
        """Whether any path is lacking."""
        return bool(self.states[0])


def lacking(automaton: Automaton, others: Sequence[Automaton]) -> Lacking:
    """The paths of an automaton that none of the others has; raises `TooManyStates`."""
    shorter = normal.without_detours(automaton)
    if automaton in others or shorter in map(normal.without_detours, others):
        return Lacking(((),), (0,))
    automaton = shorter
    plain = _plain_steps(automaton, others)
    nodes, rows = zip(*product(automaton, others, away=plain), strict=True)
    states = pruned([tuple(row) for row in rows])
    return Lacking(tuple(states), tuple([index for index, _ in nodes]))


def _plain_steps(automaton: Automaton, others: Sequence[Automaton]) -> set[Step] | None:
    """The steps that are proved never to come home, where it matters; None for all of them."""
    if not any(asks_away(other) for other in others) or wraps(automaton.states):
        return set()
    if makes_way(automaton):
        return None
    steps = {
        (index, record[:2])
        for index, state in enumerate(automaton.states)
        for record in state
        if any(record[:2])
    }
    return steps - homing(automaton)


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


def contest(timing: Timing, side: int, of_both: Sequence[Parts]) -> Contest:
    """The contest of two pieces, with the paths to look at that only the one of a side has."""
    parts, others = of_both[side], of_both[1 - side]
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


class Counterexample(NamedTuple):
    """A position, and the effect of a move that only one side has in it."""

    timing: Timing
    side: int
    board: Edges
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


class _Steps(NamedTuple):
    """Steps of a path under way that need equally large boards."""

    candidate: _Candidate
    records: Sequence[Record]


class OutOfBudget(Exception):
    """More work than a search may do."""


class Search:
    """One search, over several contests, on boards of any size or on one board.

    Where it need not be the ``smallest`` position, full boards are tried too, and of first steps
    that are the ``same`` but for a turn only one.
    """

    def __init__(
        self,
        contests: Sequence[Contest],
        board: Edges = OPEN,
        *,
        smallest: bool = True,
        same: Sequence[Turn] = (),
    ) -> None:
        self._same = same
        self._smallest = smallest
        self._filled: set[tuple[int, int, Effect]] = set()
        self.yielded = 0
        self._contests = contests
        self._board = board
        self._heap: list[tuple[Key, int, _Candidate | _Steps | Counterexample]] = []
        self._serial = 0
        self._reached: dict[tuple[object, ...], list[Cube]] = {}
        self._tried: set[object] = set()

    def counterexamples(self) -> Iterator[Counterexample]:
        """Positions in order of size, empty and full boards apart."""
        yield from () if self._smallest else chain.from_iterable(map(_alone, self._contests))
        for number, each in enumerate(self._contests):
            for part, paths in enumerate(each.paths):
                if paths:
                    self._push(_Candidate(number, part, 0, START, Effect(), {}))
        while self._heap:
            _, _, item = heappop(self._heap)
            if isinstance(item, Counterexample):
                self.yielded += 1
                yield item
            elif isinstance(item, _Steps):
                self._go_on(*item)
            else:
                spend(CANDIDATE)
                self._expand(item)

    def _expand(self, item: _Candidate) -> None:
        contest = self._contests[item.contest]
        if item.state < 0:
            self._try(item, contest)
        else:
            self._walk(item, contest)

    def _push(self, item: _Candidate) -> None:
        """Put a candidate in its place in the queue, unless no board is as large as it needs."""
        files, ranks, pieces = _needs(item.domains)
        if files <= BOARD_LIMIT and ranks <= BOARD_LIMIT:
            area = files * ranks if self._board is OPEN else 0
            self._queue((area, pieces, 0, ()), item)

    def _queue(self, key: Key, item: _Candidate | _Steps | Counterexample) -> None:
        self._serial += 1
        heappush(self._heap, (key, self._serial, item))

    def _area(self, board: Edges) -> int:
        return board.files * board.ranks if self._board is OPEN else 0

    def _fresh(self, key: tuple[object, ...], domains: Cube) -> bool:
        """Whether nothing weaker was noted under the key; it is now."""
        cubes = self._reached.setdefault(key, [])
        spend(len(cubes) // CUBES_AT_ONCE)
        for cube in cubes:
            if _weaker(cube, domains):
                return False
        cubes.append(domains)
        return True

    def _walk(self, item: _Candidate, contest: Contest) -> None:
        records = contest.paths[item.part].states[item.state]
        if self._same and not item.domains:
            records = tuple(filter(self._is_first, records))
        spend(len(records))
        if self._board is not OPEN or len(records) < MANY:
            self._go_on(item, records)
            return
        # A leap to any square has thousands of steps, and mostly those to near ones tell enough.
        _, _, pieces = _needs(item.domains)
        for area, some in _by_area(item, records).items():
            self._queue((area, pieces, 0, ()), _Steps(item, some))

    def _go_on(self, item: _Candidate, records: Sequence[Record]) -> None:
        """What comes of the steps of a path under way."""
        contest = self._contests[item.contest]
        mode = contest.parts[item.part][0]
        for record in records:
            where = self._board.step(item.at, record)
            if where is None:
                continue
            for mask, effect in endings(record, where, item.effect):
                if leaves(mode, effect.captures):
                    self._end(item, mode, effect, narrowed(item.domains, where, mask))
            for mask, effect, target in passages(record, where, item.effect, mode):
                domains = narrowed(item.domains, where, mask)
                if all(domains.values()):
                    after = _Candidate(item.contest, item.part, target, where, effect, domains)
                    owner = contest.paths[item.part].owners[target]
                    key = (item.contest, item.part, owner, where, effect)
                    if mode.greedy >= 0 or self._fresh(key, domains):
                        self._push(after)

    def _is_first(self, record: Record) -> bool:
        """Whether no turn makes of a step an earlier one."""
        return record[:2] == min(normal.at(turn, *record[:2]) for turn in self._same)

    def _end(self, item: _Candidate, mode: Mode, effect: Effect, domains: Cube) -> None:
        # On boards of any size a run that stops in the middle counts as one that need not.
        greedy = mode.greedy >= 0
        mode = mode._replace(middle=False) if self._board is OPEN else mode
        for whole, asked in finished(mode, self._board, effect, domains):
            if all(asked.values()) and (greedy or self._fresh((item.contest, whole), asked)):
                self._push(_Candidate(item.contest, item.part, -1, START, whole, asked))

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
        found = answer(contest.others, item.effect, situation)
        if found is None:
            example = Counterexample(contest.timing, contest.side, board, contents, item.effect)
            self._queue((self._area(board), len(contents), 1, preference(example)), example)
            return
        if not self._smallest and self._fails_when_full(item, contest, situation):
            return
        self._without(item, found.cube)
        for cube in found.farther:
            self._with(item, cube)

    def _fails_when_full(self, item: _Candidate, contest: Contest, situation: Situation) -> bool:
        """Whether the other side lacks the move where every other square is taken.

        Pieces that roam have ways round any few pieces, so that many would be put there one by one.
        It is tried once for a move.
        """
        key = item.contest, item.part, item.effect
        if key in self._filled or contest.parts[item.part][0].greedy >= 0:
            return False
        self._filled.add(key)
        west, east, south, north, _ = situation.board
        squares = {(x, y) for x in range(-west, east + 1) for y in range(-south, north + 1)}
        for kind in (FRIEND, ENEMY):
            full = dict.fromkeys(squares - {START, *item.domains}, kind)
            full.update(situation.contents)
            if answer(contest.others, item.effect, situation._replace(contents=full)) is None:
                found = Counterexample(
                    contest.timing, contest.side, situation.board, full, item.effect
                )
                self._queue((0, 0, 1, ()), found)
                return True
        return False

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


def _needs(domains: Cube) -> tuple[int, int, int]:
    """The files and ranks of the smallest board with all squares, and the pieces, at least.

    It is asked of every candidate, so squares are looked at once.
    """
    west = east = south = north = pieces = 0
    for (x, y), mask in domains.items():
        if x > east:
            east = x
        elif x < west:
            west = x
        if y > north:
            north = y
        elif y < south:
            south = y
        if not mask & VACANT:
            pieces += 1
    return east - west + 1, north - south + 1, pieces


def _by_area(item: _Candidate, records: Sequence[Record]) -> dict[int, list[Record]]:
    """Steps by the area of the smallest board that has room for the path and them."""
    west, east, south, north, _ = hull(item.domains)
    found: dict[int, list[Record]] = {}
    for record in records:
        x, y = item.at[0] + record[0], item.at[1] + record[1]
        files = max(west, -x) + max(east, x) + 1
        ranks = max(south, -y) + max(north, y) + 1
        if max(files, ranks) <= BOARD_LIMIT:
            found.setdefault(files * ranks, []).append(record)
    return found


def _alone(contest: Contest) -> Iterator[Counterexample]:
    """The moves to squares near by that only the first side has on an empty board.

    Most pieces that differ have some, and to look for them takes no search.
    """
    others = _reached_alone(contest.others)
    for to in sorted(_reached_alone(contest.parts) - others):
        effect, situation = Effect(to), Situation(NEAR, {}, {})
        if answer(contest.others, effect, situation) is None:
            yield Counterexample(contest.timing, contest.side, NEAR, {}, effect)


def _reached_alone(parts: Parts) -> set[Offset]:
    """The squares of a board near by where a plain move ends that meets no other piece."""
    found: set[Offset] = set()
    for automaton in (automaton for mode, automaton in parts if mode == Mode()):
        queue = [(0, START)]
        seen = set(queue)
        for state, at in queue:
            spend(len(automaton.states[state]))
            for record in automaton.states[state]:
                where = None if record[2] else NEAR.step(at, record)
                if where is None or where == START:
                    continue
                if ending(record[3])[0]:
                    found.add(where)
                free = [target for mask, target in record[4] if passing(mask)[0] & VACANT]
                fresh = {(target, where) for target in free} - seen
                seen |= fresh
                queue += fresh
    return found


def _weaker(cube: Cube, other: Cube) -> bool:
    """Whether the first cube holds wherever the second does."""
    if len(cube) > len(other):
        return False
    # Two paths have their beginning in common more often than their end.
    for at in reversed(cube):
        mask = other.get(at)
        if mask is None or mask & ~cube[at]:
            return False
    return True


def _simplest(mask: int) -> int:
    return next(kind for kind in CLASSES if mask & kind)


def preference(example: Counterexample) -> tuple[object, ...]:
    """Which of several smallest positions is shown: forward and to the right, without captures."""
    _, side, board, contents, effect = example
    return (
        (example.timing.moves_made or 0, example.timing.third_rank, example.timing.turn or 0),
        sum(contents.values()),
        len(effect.captures),
        (board.south, board.west, board.files),
        (effect.to, sorted(contents.items()), sorted(effect.captures), sorted(effect.hurdles)),
        (sorted(effect.trail), effect.partner is not None, effect.partner or (), side),
    )
