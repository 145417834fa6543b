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

from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import (
    BOARD_LIMIT,
    IDENTITY,
    LEFT_RIGHT_MIRROR,
    QUARTER_TURN,
    Symmetry,
    apply_symmetry,
)
from alfil.graphs import reachable
from alfil.meaning import normal_form
from alfil.meaning.automaton import (
    ENEMY,
    FRIEND,
    VACANT,
    Automaton,
    State,
    StateStep,
    StepRecord,
    TooManyStates,
    classes_by_passage,
    contents_by_end,
    difference_product,
    has_wrapping,
    without_dead_ends,
)
from alfil.meaning.normal_form import (
    always_moves_outward,
    distinguishes_home,
    invariance_test,
    possibly_returning_steps,
)
from alfil.meaning.partial_position import (
    ANYTHING,
    CLASSES_BY_PREFERENCE,
    OPEN_BOARD,
    START_SQUARE,
    BoardMargins,
    Cube,
    MoveEffect,
    Offset,
    PartialPosition,
    PartMoveTraits,
    Parts,
    bounding_board,
    continuation_cubes,
    easiest_requirements,
    end_branches,
    finish_path,
    last_run_steps,
    may_end_longest_run,
    mode_of_guard,
    pass_branches,
    with_square_constraint,
)
from alfil.meaning.piece_meaning import (
    START_SQUARE_CONDITIONS,
    ConditionKind,
    Meaning,
    conditions_hold,
)
from alfil.meaning.square_conditions import compatible_square_conditions
from alfil.work_limit import charge, limited_task

# So much work is done before the answer is "not proved".
PROOF_BUDGET = 50_000
# Whatever is not proved with so much looks the same from several sides, or is long anyway.
SHORT_PROOF_BUDGET = 2_000
# So many sets of "every k-th move" are told apart; pieces in use have one or two.
LCM_LIMIT = 64
# Where moves on an empty board are compared.
NEAR_DISTANCE = BoardMargins(4, 4, 4, 4)
# The work that a proof is before it looks at anything, and a candidate; and how many conditions are
# compared for one.
WORK_PER_PROOF = 50
WORK_PER_CANDIDATE = 3
CUBES_PER_WORK = 4
# Of so many steps from a state those that need small boards are looked at first.
MANY_STEPS = 100

# Squares of board, pieces, 0 for candidates and 1 for positions, and which position is preferred.
QueueKey: TypeAlias = tuple[int, int, int, tuple[object, ...]]


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
    return proves_no_extra_moves(left, right, (0, 1), budget)


def contains(larger: Meaning, smaller: Meaning, budget: int = PROOF_BUDGET) -> bool:
    """Whether every move of the second meaning, on every board up to the largest, is one of the
    first, whatever the two pieces have done before.

    Facts are left aside. It is never yes by mistake. It may be no by mistake where the second piece
    has moves on wrapped boards or castling that the first has by other paths; where a run that goes
    as far as it can, or to the middle of the board, is compared with another kind of run; and where
    a proof would take more work than ``budget``.
    """
    return larger == smaller or proves_no_extra_moves(larger, smaller, (1,), budget)


def proves_no_extra_moves(
    left: Meaning, right: Meaning, sides: Sequence[int], budget: int = PROOF_BUDGET
) -> bool:
    """Whether it is proved that no side, of these, has a move that the other piece lacks."""
    try:
        with limited_task(budget, OutOfBudget):
            charge(WORK_PER_PROOF)
            moments = parts_by_history(left, right)
            each_way = (
                make_comparison(history, side, parts)
                for history, parts in moments
                for side in sides
            )
            open_contests = [each for each in each_way if any(each.paths)]
            if any(search_cannot_decide(each) for each in open_contests):
                return False
            try:
                with limited_task(SHORT_PROOF_BUDGET, _NeedsSymmetries):
                    return not any(
                        CounterexampleSearch(
                            ignore_board_dependent_others(open_contests), smallest=False
                        ).counterexamples()
                    )
            except _NeedsSymmetries:
                same = common_symmetries(left, right)
                result = CounterexampleSearch(
                    ignore_board_dependent_others(open_contests), smallest=False, same=same
                ).counterexamples()
                return not any(result)
    except (OutOfBudget, TooManyStates, TooManyPieceHistories):
        return False


class _NeedsSymmetries(Exception):
    """A proof that is worth a look at what is symmetric."""


def common_symmetries(left: Meaning, right: Meaning) -> tuple[Symmetry, ...]:
    """The turns and mirrors that leave the moves of both pieces as they are.

    >>> from alfil import read
    >>> pieces = ("R", "fR", "fhrN")
    >>> [len(common_symmetries(read(text).meaning, read("K").meaning)) for text in pieces]
    [8, 2, 1]
    """
    questions = invariance_test(left), invariance_test(right)
    invariant_turns = [
        turn
        for turn in (LEFT_RIGHT_MIRROR, QUARTER_TURN)
        if all(stays(turn) for stays in questions)
    ]

    def turned(turn: Symmetry) -> list[Symmetry]:
        one, other = turn
        return [(apply_symmetry(by, one), apply_symmetry(by, other)) for by in invariant_turns]

    return tuple(reachable([IDENTITY], turned))


def path_comparisons(left: Meaning, right: Meaning) -> list[tuple[PathComparison, PathComparison]]:
    """What each of two pieces has beyond the other, at every moment that matters."""
    return [
        (make_comparison(history, 0, parts), make_comparison(history, 1, parts))
        for history, parts in parts_by_history(left, right)
    ]


def parts_by_history(
    left: Meaning, right: Meaning
) -> list[tuple[PieceHistory, tuple[Parts, Parts]]]:
    """The parts that each of two pieces may use, at every moment that matters."""
    result: dict[object, tuple[PieceHistory, tuple[Parts, Parts]]] = {}
    for history in relevant_histories((left, right)):
        first, second = parts_usable_after(left, history), parts_usable_after(right, history)
        # Moments at which both may use the same parts as at an earlier one tell nothing new.
        result.setdefault((tuple(first), tuple(second)), (history, (first, second)))
    return list(result.values())


def parts_usable_after(meaning: Meaning, history: PieceHistory) -> Parts:
    """The parts that may be used at a moment, with their modes."""
    return [
        (mode_of_guard(guard), automaton)
        for guard, automaton in meaning.parts
        if conditions_hold(
            guard,
            history.moves_made,
            third_rank=history.third_rank,
            turn=history.turn,
            grounds=history.grounds,
        )
    ]


def search_cannot_decide(comparison: PathComparison) -> bool:
    """Whether some path is lacking of which a search on boards of any size can say nothing."""
    return any(
        paths and (mode.castle is not None or has_wrapping(paths.states))
        for (mode, _), paths in zip(comparison.parts, comparison.paths, strict=True)
    )


def ignore_board_dependent_others(comparisons: Sequence[PathComparison]) -> list[PathComparison]:
    """The comparisons as a search on boards of any size may take them: it may find too much only.

    The other side has to do with what it can do whatever the board around.
    """
    return [
        each._replace(
            others=[(mode, other) for mode, other in each.others if mode.depends_on_path_only]
        )
        for each in comparisons
    ]


class PieceHistory(NamedTuple):
    """What a piece has done so far: moves made (None: many), and where it stood at first.

    ``turn`` is that of its side, None where none matters, ``grounds`` the conditions on its square
    that hold, all where none matters.
    """

    moves_made: int | None = None
    third_rank: bool = False
    turn: int | None = None
    grounds: frozenset[ConditionKind] = START_SQUARE_CONDITIONS


class TooManyPieceHistories(Exception):
    """The conditions of the pieces make more moments than are looked at."""


def relevant_histories(meanings: Iterable[Meaning]) -> list[PieceHistory]:
    """Moments enough for every set of conditions that may hold at once, simplest first.

    Raises `TooManyPieceHistories`.
    """
    conditions = {each for meaning in meanings for guard, _ in meaning.parts for each in guard}
    numbers = {each.value for each in conditions if each.kind == "move"}
    periods = sorted(each.value for each in conditions if each.kind == "every")
    ranks = (False, True) if any(each.kind == "third-rank" for each in conditions) else (False,)
    made: list[int | None] = [] if periods else [None]
    made += sorted(
        number - 1 for number in numbers | _representative_move_numbers(periods, numbers)
    )
    turns = sorted({each.value for each in conditions if each.kind == "turn"})
    played: list[int | None] = (
        [*sorted(_representative_move_numbers(turns, set()))] if turns else [None]
    )
    squares = compatible_square_conditions({each.kind for each in conditions})
    every = combinations(made, ranks, played, squares)
    return [PieceHistory(*moment) for moment in every]


def _representative_move_numbers(periods: list[int], excluded: set[int]) -> set[int]:
    """Numbers of moves, each divided by other ones of the periods, none of them in ``excluded``."""
    if not periods:
        return set()
    multiples = {1}
    for period in periods:
        multiples |= {lcm(each, period) for each in multiples}
        if len(multiples) > LCM_LIMIT:
            raise TooManyPieceHistories
    return {_first_multiple_for_same_periods(multiple, periods, excluded) for multiple in multiples}


def _first_multiple_for_same_periods(multiple: int, periods: list[int], excluded: set[int]) -> int:
    """The first multiple that no more of the periods divide, and that is not in ``excluded``."""
    dividing_periods = {period for period in periods if multiple % period == 0}
    number = multiple
    while (
        number in excluded
        or {period for period in periods if number % period == 0} != dividing_periods
    ):
        number += multiple
    return number


class MissingPaths(NamedTuple):
    """An automaton of the paths that are lacking; ``owners`` are the states they pass through.

    It is deterministic, neither minimal nor numbered. Every state leads to the end of some path.
    """

    states: tuple[State, ...]
    owners: tuple[int, ...]

    def __bool__(self) -> bool:
        """Whether any path is lacking."""
        return bool(self.states[0])


def missing_paths(
    automaton: Automaton, others: Sequence[Automaton], mode: PartMoveTraits
) -> MissingPaths:
    """The paths of an automaton that none of the others has; raises `TooManyStates`."""
    # Of a way that leaves a trail, or a run as far as possible, every square matters.
    shorter = normal_form.without_detours(automaton) if mode == PartMoveTraits() else automaton
    if automaton in others or shorter in map(normal_form.without_detours, others):
        return MissingPaths(((),), (0,))
    automaton = shorter
    plain = _non_returning_steps(automaton, others)
    nodes, rows = zip(*difference_product(automaton, others, away=plain), strict=True)
    states = without_dead_ends([tuple(row) for row in rows])
    return MissingPaths(tuple(states), tuple([index for index, _ in nodes]))


def _non_returning_steps(
    automaton: Automaton, others: Sequence[Automaton]
) -> set[StateStep] | None:
    """The steps that are proved never to come home, where it matters; None for all of them."""
    if not any(distinguishes_home(other) for other in others) or has_wrapping(automaton.states):
        return set()
    if always_moves_outward(automaton):
        return None
    steps = {
        (index, record[:2])
        for index, state in enumerate(automaton.states)
        for record in state
        if any(record[:2])
    }
    return steps - possibly_returning_steps(automaton)


class PathComparison(NamedTuple):
    """One piece against another at one moment: is there a move that only the first has?

    ``side`` is 0 when the first of the two pieces is the one, ``paths`` what each of its parts has
    beyond the other's.
    """

    history: PieceHistory
    side: int
    parts: Parts
    others: Parts
    paths: tuple[MissingPaths, ...]


def make_comparison(history: PieceHistory, side: int, of_both: Sequence[Parts]) -> PathComparison:
    """The comparison of two pieces, with the paths to look at that only the one of a side has."""
    parts, others = of_both[side], of_both[1 - side]
    paths = tuple(
        missing_paths(
            automaton,
            [other for by, other in others if _makes_same_move(mode, by, automaton, other)],
            mode,
        )
        for mode, automaton in parts
    )
    return PathComparison(history, side, parts, others, paths)


def _makes_same_move(
    mode: PartMoveTraits, other_mode: PartMoveTraits, automaton: object, other: object
) -> bool:
    """Whether a path of one part makes the same move in the other, wherever it makes one."""
    if mode == other_mode:
        return mode.greedy < 0 or automaton == other
    return (
        other_mode == PartMoveTraits(leaves_ep_squares=mode.leaves_ep_squares)
        and mode.castle is None
    )


class Counterexample(NamedTuple):
    """A position, and the effect of a move that only one side has in it."""

    history: PieceHistory
    side: int
    board: BoardMargins
    contents: Mapping[Offset, int]
    effect: MoveEffect


class _PartialCounterexample(NamedTuple):
    """A position known in part; ``state`` is that of a path under way, -1 at its end."""

    comparison_index: int
    part: int
    state: int
    at: Offset
    effect: MoveEffect
    domains: Cube


class _StepsToFollow(NamedTuple):
    """Steps of a path under way that need equally large boards."""

    candidate: _PartialCounterexample
    records: Sequence[StepRecord]


class OutOfBudget(Exception):
    """More work than a search may do."""


class CounterexampleSearch:
    """One search, over several comparisons, on boards of any size or on one board.

    Where it need not be the ``smallest`` position, full boards are tried too, and of first steps
    that are the ``same`` but for a turn only one.
    """

    def __init__(
        self,
        comparisons: Sequence[PathComparison],
        board: BoardMargins = OPEN_BOARD,
        *,
        smallest: bool = True,
        same: Sequence[Symmetry] = (),
    ) -> None:
        self._same = same
        self._smallest = smallest
        self._filled: set[tuple[int, int, MoveEffect]] = set()
        self.yielded = 0
        self._comparisons = comparisons
        self._board = board
        self._heap: list[
            tuple[QueueKey, int, _PartialCounterexample | _StepsToFollow | Counterexample]
        ] = []
        self._serial = 0
        self._reached: dict[tuple[object, ...], list[Cube]] = {}
        self._tried: set[object] = set()

    def counterexamples(self) -> Iterator[Counterexample]:
        """Positions in order of size, empty and full boards apart."""
        yield from (
            ()
            if self._smallest
            else chain.from_iterable(map(_empty_board_counterexamples, self._comparisons))
        )
        for number, each in enumerate(self._comparisons):
            for part, paths in enumerate(each.paths):
                if paths:
                    self._push_candidate(
                        _PartialCounterexample(number, part, 0, START_SQUARE, MoveEffect(), {})
                    )
        while self._heap:
            _, _, item = heappop(self._heap)
            if isinstance(item, Counterexample):
                self.yielded += 1
                yield item
            elif isinstance(item, _StepsToFollow):
                self._push_continuations(*item)
            else:
                charge(WORK_PER_CANDIDATE)
                self._expand_candidate(item)

    def _expand_candidate(self, item: _PartialCounterexample) -> None:
        comparison = self._comparisons[item.comparison_index]
        if item.state < 0:
            self._try_candidate(item, comparison)
        else:
            self._expand_path(item, comparison)

    def _push_candidate(self, item: _PartialCounterexample) -> None:
        """Put a candidate in its place in the queue, unless no board is as large as it needs."""
        files, ranks, pieces = _min_files_ranks_and_pieces(item.domains)
        if files <= BOARD_LIMIT and ranks <= BOARD_LIMIT:
            area = files * ranks if self._board is OPEN_BOARD else 0
            self._enqueue((area, pieces, 0, ()), item)

    def _enqueue(
        self, key: QueueKey, item: _PartialCounterexample | _StepsToFollow | Counterexample
    ) -> None:
        self._serial += 1
        heappush(self._heap, (key, self._serial, item))

    def _board_area(self, board: BoardMargins) -> int:
        return board.files * board.ranks if self._board is OPEN_BOARD else 0

    def _add_cube_unless_implied(self, key: tuple[object, ...], domains: Cube) -> bool:
        """Whether nothing weaker was noted under the key; it is now."""
        cubes = self._reached.setdefault(key, [])
        charge(len(cubes) // CUBES_PER_WORK)
        for cube in cubes:
            if _is_implied_by(cube, domains):
                return False
        cubes.append(domains)
        return True

    def _expand_path(self, item: _PartialCounterexample, comparison: PathComparison) -> None:
        records = comparison.paths[item.part].states[item.state]
        if self._same and not item.domains:
            records = tuple(filter(self._is_first_of_symmetric_steps, records))
        charge(len(records))
        if self._board is not OPEN_BOARD or len(records) < MANY_STEPS:
            self._push_continuations(item, records)
            return
        # A leap to any square has thousands of steps, and mostly those to near ones tell enough.
        _, _, pieces = _min_files_ranks_and_pieces(item.domains)
        for area, some in _records_by_board_area(item, records).items():
            self._enqueue((area, pieces, 0, ()), _StepsToFollow(item, some))

    def _push_continuations(
        self, item: _PartialCounterexample, records: Sequence[StepRecord]
    ) -> None:
        """What comes of the steps of a path under way."""
        comparison = self._comparisons[item.comparison_index]
        mode = comparison.parts[item.part][0]
        for record in records:
            where = self._board.step(item.at, record)
            if where is None:
                continue
            for mask, effect in end_branches(record, where, item.effect):
                if may_end_longest_run(mode, effect.captures):
                    self._push_complete_candidates(
                        item, mode, effect, with_square_constraint(item.domains, where, mask)
                    )
            for mask, effect, target in pass_branches(record, where, item.effect, mode):
                domains = with_square_constraint(item.domains, where, mask)
                if all(domains.values()):
                    after = _PartialCounterexample(
                        item.comparison_index, item.part, target, where, effect, domains
                    )
                    owner = comparison.paths[item.part].owners[target]
                    key = (item.comparison_index, item.part, owner, where, effect)
                    if mode.greedy >= 0 or self._add_cube_unless_implied(key, domains):
                        self._push_candidate(after)

    def _is_first_of_symmetric_steps(self, record: StepRecord) -> bool:
        """Whether no turn makes of a step an earlier one."""
        return record[:2] == min(apply_symmetry(turn, record[:2]) for turn in self._same)

    def _push_complete_candidates(
        self, item: _PartialCounterexample, mode: PartMoveTraits, effect: MoveEffect, domains: Cube
    ) -> None:
        # On boards of any size a run that stops in the middle counts as one that need not.
        greedy = mode.greedy >= 0
        mode = mode._replace(middle=False) if self._board is OPEN_BOARD else mode
        for whole, domains_asked in finish_path(mode, self._board, effect, domains):
            if all(domains_asked.values()) and (
                greedy
                or self._add_cube_unless_implied((item.comparison_index, whole), domains_asked)
            ):
                self._push_candidate(
                    _PartialCounterexample(
                        item.comparison_index, item.part, -1, START_SQUARE, whole, domains_asked
                    )
                )

    def _try_candidate(self, item: _PartialCounterexample, comparison: PathComparison) -> None:
        """Try the simplest position of a finished candidate; split it where the other side does."""
        known = (item.comparison_index, item.part, item.effect, frozenset(item.domains.items()))
        if known in self._tried:
            return
        self._tried.add(known)
        board = self._board if self._board is not OPEN_BOARD else bounding_board(item.domains)
        contents = {
            at: next(kind for kind in CLASSES_BY_PREFERENCE if mask & kind)
            for at, mask in item.domains.items()
            if not mask & VACANT  # which is preferred to all
        }
        position = PartialPosition(board, item.domains, contents)
        if comparison.parts[item.part][0].greedy >= 0 and self._board is not OPEN_BOARD:
            for farther in self._run_continuation_cubes(item, comparison, position):
                self._push_parts_outside_cube(item, farther)
                return
        result = easiest_requirements(comparison.others, item.effect, position)
        if result is None:
            example = Counterexample(
                comparison.history, comparison.side, board, contents, item.effect
            )
            self._enqueue(
                (self._board_area(board), len(contents), 1, display_sort_key(example)), example
            )
            return
        if not self._smallest and self._other_side_lacks_move_when_full(item, comparison, position):
            return
        self._push_parts_outside_cube(item, result.cube)
        for cube in result.farther:
            self._push_part_inside_cube(item, cube)

    def _other_side_lacks_move_when_full(
        self, item: _PartialCounterexample, comparison: PathComparison, position: PartialPosition
    ) -> bool:
        """Whether the other side lacks the move where every other square is taken.

        Pieces that roam have ways round any few pieces, so that many would be put there one by one.
        It is tried once for a move.
        """
        key = item.comparison_index, item.part, item.effect
        if key in self._filled or comparison.parts[item.part][0].greedy >= 0:
            return False
        self._filled.add(key)
        west, east, south, north, _ = position.board
        squares = {(x, y) for x in range(-west, east + 1) for y in range(-south, north + 1)}
        for kind in (FRIEND, ENEMY):
            full = dict.fromkeys(squares - {START_SQUARE, *item.domains}, kind)
            full.update(position.contents)
            if (
                easiest_requirements(
                    comparison.others, item.effect, position._replace(contents=full)
                )
                is None
            ):
                result = Counterexample(
                    comparison.history, comparison.side, position.board, full, item.effect
                )
                self._enqueue((0, 0, 1, ()), result)
                return True
        return False

    def _run_continuation_cubes(
        self, item: _PartialCounterexample, comparison: PathComparison, position: PartialPosition
    ) -> Iterator[Cube]:
        """A way in which the first side's run goes on here, so that it does not end its move."""
        if easiest_requirements(comparison.parts, item.effect, position) is None:
            mode, automaton = comparison.parts[item.part]
            for path, record in last_run_steps(mode, automaton, item.effect, position):
                for cube in continuation_cubes(automaton, self._board, record, path):
                    if position.satisfies(cube):
                        yield cube

    def _push_parts_outside_cube(self, item: _PartialCounterexample, cube: Cube) -> None:
        """The parts of a candidate on which the cube does not hold."""
        domains = dict(item.domains)
        for at, mask in sorted(cube.items()):
            allowed = domains.get(at, ANYTHING)
            if allowed & ~mask:
                self._push_candidate(item._replace(domains={**domains, at: allowed & ~mask}))
            domains[at] = allowed & mask

    def _push_part_inside_cube(self, item: _PartialCounterexample, cube: Cube) -> None:
        """The part of a candidate on which the cube holds."""
        domains = dict(item.domains)
        for at, mask in cube.items():
            domains[at] = domains.get(at, ANYTHING) & mask
        if all(domains.values()):
            self._push_candidate(item._replace(domains=domains))


def _min_files_ranks_and_pieces(domains: Cube) -> tuple[int, int, int]:
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


def _records_by_board_area(
    item: _PartialCounterexample, records: Sequence[StepRecord]
) -> dict[int, list[StepRecord]]:
    """Steps by the area of the smallest board that has room for the path and them."""
    west, east, south, north, _ = bounding_board(item.domains)
    result: dict[int, list[StepRecord]] = {}
    for record in records:
        x, y = item.at[0] + record[0], item.at[1] + record[1]
        files = max(west, -x) + max(east, x) + 1
        ranks = max(south, -y) + max(north, y) + 1
        if max(files, ranks) <= BOARD_LIMIT:
            result.setdefault(files * ranks, []).append(record)
    return result


def _empty_board_counterexamples(comparison: PathComparison) -> Iterator[Counterexample]:
    """The moves to squares near by that only the first side has on an empty board.

    Most pieces that differ have some, and to look for them takes no search.
    """
    others = _empty_board_ends(comparison.others)
    for to in sorted(_empty_board_ends(comparison.parts) - others):
        effect, position = MoveEffect(to), PartialPosition(NEAR_DISTANCE, {}, {})
        if easiest_requirements(comparison.others, effect, position) is None:
            yield Counterexample(comparison.history, comparison.side, NEAR_DISTANCE, {}, effect)


def _empty_board_ends(parts: Parts) -> set[Offset]:
    """The squares of a board near by where a plain move ends that meets no other piece."""
    result: set[Offset] = set()
    for automaton in (automaton for mode, automaton in parts if mode == PartMoveTraits()):
        queue = [(0, START_SQUARE)]
        seen = set(queue)
        for state, at in queue:
            charge(len(automaton.states[state]))
            for record in automaton.states[state]:
                where = None if record[2] else NEAR_DISTANCE.step(at, record)
                if where is None or where == START_SQUARE:
                    continue
                if contents_by_end(record[3]).quiet:
                    result.add(where)
                free = [
                    target for mask, target in record[4] if classes_by_passage(mask).free & VACANT
                ]
                fresh = {(target, where) for target in free} - seen
                seen |= fresh
                queue += fresh
    return result


def _is_implied_by(cube: Cube, other: Cube) -> bool:
    """Whether the first cube holds wherever the second does."""
    if len(cube) > len(other):
        return False
    # Two paths have their beginning in common more often than their end.
    for at in reversed(cube):
        mask = other.get(at)
        if mask is None or mask & ~cube[at]:
            return False
    return True


def display_sort_key(example: Counterexample) -> tuple[object, ...]:
    """Which of several smallest positions is shown: forward and to the right, without captures."""
    _, side, board, contents, effect = example
    return (
        (example.history.moves_made or 0, example.history.third_rank, example.history.turn or 0),
        sum(contents.values()),
        len(effect.captures),
        (board.south, board.west, board.files),
        (effect.to, sorted(contents.items()), sorted(effect.captures), sorted(effect.hurdles)),
        (sorted(effect.ep_squares), effect.partner is not None, effect.partner or (), side),
    )
