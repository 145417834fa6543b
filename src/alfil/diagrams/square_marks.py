"""Marks from a meaning: the automata of a piece let loose on an open diagram.

Every square may hold whatever the piece needs. The graph of (state, what the way has asked for,
captures so far) is walked once, each node with the set of squares on which it is met, kept as the
bits of one number; so an area costs hardly more than a line. Captured pieces stay where they are
until the move ends, so captures are kept apart as long as there are not too many; and what runs
back over squares keeps those apart that were empty. Boards that wrap are walked as if they did not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import lru_cache, reduce
from itertools import takewhile
from operator import or_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from alfil.bit_grid import Grid, single_bits
from alfil.diagrams.diagram_model import (
    Arrival,
    Arrow,
    Continuation,
    EndFlags,
    LineKind,
    Lines,
    Mark,
    Marks,
    Occupant,
    Offset,
    PassageFlags,
    PathConditionFlags,
    RemarkFlags,
    Window,
    open_window,
)
from alfil.diagrams.feasible_paths import revisits_squares_in_loops
from alfil.diagrams.move_continuations import (
    Ending,
    States,
    TimedEnding,
    captures_en_route,
    conditions_after_pass_or_capture,
    continuations,
    distance_limit,
    ends_of_emit_mask,
    is_single_step,
    limit_of_farthest_continuation,
    merge_continuations,
    needs_empty,
    other_way_dominates,
    pass_kind,
    undominated_endings,
)
from alfil.diagrams.split_jump_paths import with_jumps_split_off
from alfil.geometry import OPEN_BOARD_MARGIN
from alfil.meaning import automaton as masks
from alfil.meaning.automaton import (
    HOME,
    Automaton,
    State,
    StepRecord,
    may_reverse_an_axis,
    split_by_first_step,
)
from alfil.meaning.piece_meaning import START_SQUARE_CONDITIONS, Guard, Meaning, footprint_of
from alfil.meaning.square_conditions import PieceSquare, meaning_on_square
from alfil.work_limit import attempt_refunded_on_failure, cached_with_work, charge, limited_task

if TYPE_CHECKING:
    from alfil.tables.board_context import BoardContext
    from alfil.tables.move_generation import PieceMove, SeparatedMoves

LARGEST_RADIUS = 7
SMALLEST_RADIUS = 2
# A rider is drawn this far at least before its arrow.
RIDER_RADIUS = 4
# Ways to end on a square that a path has found empty.
QUIET_ENDS = masks.ON_EMPTY_OR_AWAY | masks.ON_TRAIL
# So much work is done to keep captures apart, pieces in use take less.
MAX_CAPTURE_WORK = 2_500
# Facts that a picture of moves is not whole without.
SHOWN_FACTS = frozenset({"untold", "size", "royal", "burns", "immobilises", "shoots"})
# Conditions of a guard that say when a move may be made, or that it is castling.
HISTORY_CONDITIONS = frozenset({"move", "every", "turn", "third-rank"})
TIMING_CONDITIONS = HISTORY_CONDITIONS | START_SQUARE_CONDITIONS | {"castle", "unchecked"}


class TimedPassage(NamedTuple):
    """A bit of Passed, and when it is so."""

    bit: int
    guard: Guard


# How squares are alike: what is passed there; or a way to end, its bits of Ends last.
MarkKind: TypeAlias = TimedPassage | tuple[tuple[int, Guard], int]
# State, bits of Asks, squares of captured pieces, and of those that were empty.
Node: TypeAlias = tuple[int, int, int, int]
# How the moves that leave a window end, by the square they leave it from and the step, or by the
# place just outside; each with how far from the piece the last such square is.
EndingsByExit: TypeAlias = dict[tuple[Offset, Offset], dict[TimedEnding, int | None]]


def marks_in_fitting_window(meaning: Meaning) -> Marks:
    """The marks in a window large enough for the piece, 5×5 to 15×15.

    Around a piece that goes only so far one ring of squares stays empty. One that goes farther is
    shown as far as its picture still changes, at least four squares and two steps, so that the
    square before an arrow shows how the moves go on; what lies farther is said by arrows, unless it
    ends before the edge of the largest window.
    """
    widest = marks_of(meaning, open_window(LARGEST_RADIUS))
    if any(len(automaton.states) >= LARGEST_RADIUS for _, automaton in meaning.parts):
        # Some run may end, or end otherwise, just there.
        beyond = marks_of(meaning, open_window(LARGEST_RADIUS + 1))
        widest = widest if _has_same_edge_ends(widest, beyond) else beyond
    if not widest.arrows:
        radius = min(LARGEST_RADIUS, max(SMALLEST_RADIUS, widest.radius() + 1))
        return replace(widest, window=open_window(radius))
    longest = max(max(map(abs, arrow.step)) for arrow in widest.arrows)
    for radius in range(max(RIDER_RADIUS, 2 * longest), widest.window.north):
        marks = marks_of(meaning, open_window(radius))
        if marks.remarks == widest.remarks and _has_as_many_exits(marks, widest):
            return marks
    return widest


def _has_as_many_exits(marks: Marks, wider: Marks) -> bool:
    """Whether as many moves leave both windows, counted singly or by the length of an edge.

    A run that ends inside the wider one does not go on alike.
    """
    ending = {arrow.step for arrow in marks.arrows if arrow.limit}
    if ending - {arrow.step for arrow in wider.arrows} or not _has_same_edge_ends(marks, wider):
        return False
    few, many = _exit_count(marks), _exit_count(wider)
    edges = (2 * marks.window.north + 1, 2 * wider.window.north + 1)
    return few == many or few * edges[1] == many * edges[0]


def _has_same_edge_ends(marks: Marks, wider: Marks) -> bool:
    """Whether runs end on the squares before their arrows as they do on those beyond.

    Where no move ends beyond, the way has turned, or the arrow says how far it goes.
    """
    for at, step, *_ in marks.arrows:
        if max(map(abs, step)) > 1:
            continue
        line = [(at[0] + n * step[0], at[1] + n * step[1]) for n in range(-1, LARGEST_RADIUS)]
        result = [_ends_on_square(wider, each) for each in line if wider.window.contains(each)]
        if any(each != result[0] for each in takewhile(bool, result)):
            return False
    return True


def _ends_on_square(marks: Marks, at: Offset) -> set[tuple[int, Guard]]:
    """The ways to end on a square, and when, however the piece comes there."""
    mark = marks.squares.get(at)
    return {(way.ends, way.guard) for way in mark.ways} if mark else set()


def _exit_count(marks: Marks) -> int:
    """How many places along the edges of a square window moves leave by, corners left out."""
    outside = marks.window.north + 1
    places = {arrow.at for arrow in marks.arrows}
    return len([at for at in places if outside != abs(at[0]) or outside != abs(at[1])])


@cached_with_work(maxsize=1024)
def marks_of(meaning: Meaning, window: Window) -> Marks:
    """The marks of a piece in a window.

    A run that stops at the middle of the board (a range of ``*``), or half the way to the edge, is
    shown in full where the window is no real board.
    """
    limited = any(each.kind == "halfway" for guard, _ in meaning.parts for each in guard)
    meaning = meaning_on_window(meaning, window)
    body = footprint_of(meaning.facts)
    room = window.reduced_for_large_piece(*body[-1])
    result = _MarkCollector(room, walk_grid(meaning, room))
    result.remarks |= RemarkFlags.HALFWAY if limited and not window.ranks else 0
    for guard, automaton in with_jumps_split_off(meaning).parts:
        result.add_part(guard, automaton)
    facts_shown = tuple(fact for fact in meaning.facts if fact.name in SHOWN_FACTS)
    squares = result.squares()
    for at in filter(window.contains, body[1:]):
        mark = squares.get(at, Mark(()))
        squares[at] = mark._replace(passed=mark.passed | PassageFlags.BODY)
    exits = result.exits()
    return Marks(
        window, squares, result.arrows(), result.remarks, facts_shown=facts_shown, exits=exits
    )


@cached_with_work(maxsize=1024)
def meaning_on_window(meaning: Meaning, window: Window) -> Meaning:
    """The moves as they are where the piece stands in a window: on a square of a board, or none."""
    place = PieceSquare((window.west, window.south), window.width, window.ranks)
    return meaning_on_square(meaning, place if window.ranks else None)


def marks_near(meaning: Meaning, radius: int, known: Window) -> Marks:
    """The marks of a piece so far around it, without arrows where they are part of known ones.

    ``known`` is a window that the marks of the piece are known in. They are walked anew where it is
    no wider; where so much is captured that it may have been forgotten sooner in the wider one; and
    where a leap beyond the small one may end a move at home.
    """
    window = open_window(radius)
    if known.ranks or min(known[:4]) <= radius:
        return marks_of(meaning, window)
    try:
        with attempt_refunded_on_failure(MAX_CAPTURE_WORK, _TooMuchCaptureWork):
            wider = marks_of(meaning, known)
    except _TooMuchCaptureWork:
        return marks_of(meaning, window)
    remarks = wider.remarks & ~RemarkFlags.FARTHER
    if any(_has_longer_step(automaton.states[0], radius) for _, automaton in meaning.parts):
        remarks |= RemarkFlags.FARTHER
        if (0, 0) in wider.squares:
            return marks_of(meaning, window)
    squares = {at: mark for at, mark in wider.squares.items() if window.contains(at)}
    return Marks(window, squares, (), remarks, facts_shown=wider.facts_shown)


def _has_longer_step(state: State, radius: int) -> bool:
    """Whether a step from a state goes farther than so many squares."""
    return any(not (-radius <= dx <= radius >= dy >= -radius) for dx, dy, _, _, _ in state)


def walk_grid(meaning: Meaning, window: Window) -> Grid:
    """The squares to walk over: those of the window, and more where ways may come back to it."""
    return window.wider(
        0 if window.ranks or not _has_reversing_paths(meaning) else OPEN_BOARD_MARGIN
    ).grid


@lru_cache(maxsize=1024)
def _has_reversing_paths(meaning: Meaning) -> bool:
    return any(may_reverse_an_axis(automaton) for _, automaton in meaning.parts)


class _MarkCollector:
    """Collects what all parts of a piece do in one window."""

    def __init__(self, window: Window, grid: Grid) -> None:
        self._window = window
        self._grid = grid
        self._inside = window.bits(grid)
        self._ends: dict[Guard, dict[tuple[int, int], int]] = {}
        self._passed: dict[TimedPassage, int] = {}
        self._leaving: EndingsByExit = {}
        self.remarks = 0

    def add_part(self, guard: Guard, automaton: Automaton) -> None:
        """Add one part."""
        kinds = {condition.kind for condition in guard}
        room = self._window.squares_allowed_by_guard(guard, self._grid)
        if "trail" in kinds:
            self.remarks |= RemarkFlags.TRAIL
        if "greedy" in kinds:
            self.remarks |= RemarkFlags.GREEDY
        timing = _timing_guard(guard)
        for each in self._walk_part(automaton.states, room):
            self._add_walk(each, timing)
        castle = next((each for each in guard if each.kind == "castle"), None)
        if castle and self._window.ranks:
            self._mark_castling_empty_squares(castle.inset, timing)

    def _mark_castling_empty_squares(self, inset: int, timing: Guard) -> None:
        """On a board, what must be empty between the ends of castling and the partners."""
        window, cleared = self._window, 0
        ends = reduce(or_, self._ends.get(timing, {}).values(), 0)
        for x, y in self._grid.squares(ends & self._inside):
            side = 1 if x > 0 else -1
            partner = side * ((window.east if side > 0 else window.west) - inset)
            for file in range(x + side, partner, side):
                cleared |= self._grid.bit((file, y))
        key = TimedPassage(PassageFlags.CLEAR, timing)
        self._passed[key] = self._passed.get(key, 0) | cleared

    def _walk_part(self, states: States, run_squares: int) -> list[_WalkResult]:
        """The walks of a part, one for each first step unless there are too many captures."""
        window, grid = self._window, self._grid
        apart = split_by_first_step(states)
        tries = [(apart, _TrackingLevel.CAPTURES), ((states,), _TrackingLevel.CAPTURES)]
        if any(map(revisits_squares_in_loops, apart)):
            tries = [(apart, _TrackingLevel.SQUARES), *tries]
        for each, tracking in dict.fromkeys(tries):
            try:
                limited = (
                    attempt_refunded_on_failure
                    if tracking is _TrackingLevel.SQUARES
                    else limited_task
                )
                with limited(MAX_CAPTURE_WORK, _TooManyCaptures):
                    return [
                        _walk_states(some, window, grid, run_squares, tracking) for some in each
                    ]
            except _TooManyCaptures:
                continue
        return [_walk_states(states, window, grid, run_squares, _TrackingLevel.NOTHING)]

    def _add_walk(self, walk: _WalkResult, guard: Guard) -> None:
        self.remarks |= walk.remarks
        result = self._ends.setdefault(guard, {})
        for how, squares in walk.ends.items():
            result[how] = result.get(how, 0) | squares
        for passed, squares in walk.passed.items():
            key = TimedPassage(passed, guard)
            self._passed[key] = self._passed.get(key, 0) | squares
        for way, endings in walk.endings_by_exit.items():
            timed = {(ending, guard): limit for ending, limit in endings.items()}
            merge_continuations(self._leaving.setdefault(way, {}), timed)

    def squares(self) -> dict[Offset, Mark]:
        """The marks found, by offset."""
        result: dict[Offset, Mark] = {}
        ended = (
            (((conditions, guard), ends), squares)
            for guard, ways in self._ends.items()
            for (conditions, ends), squares in ways.items()
        )
        for kinds, squares in _squares_by_layer_set([*ended, *self._passed.items()]):
            held: dict[tuple[int, Guard], int] = {}
            passed: list[TimedPassage] = []
            for kind in kinds:
                if isinstance(kind, TimedPassage):
                    passed.append(kind)
                else:
                    held[kind[0]] = held.get(kind[0], 0) | kind[1]
            mark = _interned_mark(tuple(sorted(held.items())), tuple(sorted(passed)))
            for at in self._grid.squares(squares & self._inside):
                result[at] = mark
        return dict(sorted(result.items()))

    def exits(self) -> dict[tuple[Offset, Offset], tuple[Continuation, ...]]:
        """The ways that go on beyond the window, by the square they leave it from and the step."""
        return {way: undominated_endings(endings) for way, endings in sorted(self._leaving.items())}

    def arrows(self) -> tuple[Arrow, ...]:
        """Where moves leave the window, but for leaps from home."""
        outside: EndingsByExit = {}
        for (at, step), endings in self._leaving.items():
            if at != (0, 0):
                merge_continuations(
                    outside.setdefault((_square_outside_window(at, step, self._window), step), {}),
                    endings,
                )
        result = ((*way, undominated_endings(outside[way])) for way in sorted(outside))
        return tuple(
            [
                Arrow(at, step, limit_of_farthest_continuation(onward), onward)
                for at, step, onward in result
            ]
        )


class _TooManyCaptures(Exception):
    """There are too many captures to be kept apart."""


class _TrackingLevel(IntEnum):
    """What a walk keeps apart: nothing, captured pieces, or squares that were empty, too."""

    NOTHING = 0
    CAPTURES = 1
    SQUARES = 2


class _TooMuchCaptureWork(Exception):
    """Captures may not have been kept apart."""


class _WalkResult(NamedTuple):
    """What the states of a part do in one window.

    ``ends`` are the squares by what a way has asked for and how it may end, ``passed`` those by
    what happens to them on the way.
    """

    ends: Mapping[tuple[int, int], int]
    passed: Mapping[int, int]
    endings_by_exit: Mapping[tuple[Offset, Offset], Mapping[Ending, int | None]]
    remarks: int


# Pieces share most of their first steps, with what comes after them.
@cached_with_work(maxsize=4096)
def _walk_states(
    states: States, window: Window, grid: Grid, run_squares: int, tracking: _TrackingLevel
) -> _WalkResult:
    walk = _MarkWalk(states, window, grid, run_squares, tracking)
    walk.explore()
    return _WalkResult(walk.ends, walk.passed, walk.endings_by_exit(), walk.remarks)


def _is_return_with_capture(ending: Ending) -> bool:
    """Whether a move comes home that has captured on its way."""
    conditions, ends = ending
    return bool(conditions & PathConditionFlags.LOCUST and ends == EndFlags.HOME)


class _MarkWalk:
    """A walk over the states of a part; what is not ``kept`` apart is forgotten on the way."""

    def __init__(
        self, states: States, window: Window, grid: Grid, room: int, tracking: _TrackingLevel
    ) -> None:
        self._kept = tracking
        self._states = states
        self._window = window
        self._grid = grid
        self._room = room
        self._inside = window.bits(grid)
        self.ends: dict[tuple[int, int], int] = {}
        self.passed: dict[int, int] = {}
        # From where a record leaves the window, by what the way has asked for.
        self._left: dict[tuple[StepRecord, int], int] = {}
        self.remarks = 0

    def endings_by_exit(self) -> dict[tuple[Offset, Offset], dict[Ending, int | None]]:
        """Where it leaves the window, and how moves end beyond."""
        result: dict[tuple[Offset, Offset], dict[Ending, int | None]] = {}
        for (record, conditions), left in self._left.items():
            step, ways = record[:2], continuations(self._states, record, conditions)
            victims = captures_en_route(self._states, record)
            if victims and all(conditions & PathConditionFlags.LOCUST for conditions, _ in ways):
                # What is captured out there tells of moves that come back, as home.
                ways = continuations(self._states, record, conditions, back=False)
            elif victims:
                ways = {way: far for way, far in ways.items() if not _is_return_with_capture(way)}
            ways |= victims
            charge(len(ways))
            for at in self._grid.squares(left) if ways else ():
                limits = {ending: distance_limit(at, step, steps) for ending, steps in ways.items()}
                merge_continuations(result.setdefault((at, step), {}), limits)
        return result

    def explore(self) -> None:
        """Visit every node."""
        fresh: dict[Node, int] = {(0, 0, 0, 0): self._grid.home}
        seen: dict[Node, int] = {}
        while fresh:
            node = next(iter(fresh))
            state = self._states[node[0]]
            squares = self._extend_squares_along_run(node, fresh.pop(node), state)
            seen[node] = seen.get(node, 0) | squares
            for record in state:
                if not self._window.ranks:
                    self._add_exit_squares(squares, record, node[1])
                steps = self._follow_record(node, squares, record)
                charge(1 + len(steps))
                for onward, reached in steps:
                    new = reached & ~seen.get(onward, 0)
                    if new:
                        fresh[onward] = fresh.get(onward, 0) | new

    def _extend_squares_along_run(self, node: Node, squares: int, state: State) -> int:
        """The squares of a node with those it is met on again along a run over empty squares."""
        index, conditions, taken, _ = node
        if (
            conditions & (PathConditionFlags.CLEAR | PathConditionFlags.NEXT)
            != PathConditionFlags.CLEAR
            or self._kept is _TrackingLevel.SQUARES
        ):
            return squares
        for dx, dy, _, _, passes in state:
            for mask, target in passes:
                if (
                    target == index
                    and needs_empty(mask)
                    and (conditions & PathConditionFlags.LEAP or is_single_step(dx, dy))
                ):
                    home = self._grid.home
                    free = ~(taken | home) | (home if mask & masks.PAST_EMPTY else 0)
                    squares = self._grid.reachable_by_repeated_step(squares, (dx, dy), free)
        return squares

    def _follow_record(
        self, node: Node, squares: int, record: StepRecord
    ) -> Sequence[tuple[Node, int]]:
        """Take one record: note how a move may end there, and give the ways to go on."""
        _, conditions, taken, empty = node
        dx, dy, wrap, emit, passes = record
        grid = self._grid
        if wrap:
            self.remarks |= RemarkFlags.WRAPS
        if record[:3] == HOME:
            self._add_end(grid.home, conditions, EndFlags.MOVE)
            return ()
        reached = grid.shift_squares(squares, (dx, dy))
        if not is_single_step(dx, dy):
            conditions |= PathConditionFlags.LEAP
        if passes:
            conditions &= ~PathConditionFlags.NEXT
        if emit:
            self._add_ends_by_emit_mask(reached & ~empty, emit, conditions, taken)
            self._add_ends_by_emit_mask(reached & empty, emit & QUIET_ENDS, conditions, taken)
        if not passes:
            return ()
        return [
            each
            for mask, target in passes
            for each in self._next_nodes(mask, (target, conditions, taken, empty), reached)
        ]

    def _add_ends_by_emit_mask(self, reached: int, emit: int, conditions: int, taken: int) -> None:
        home = self._grid.home
        if emit & masks.CAPTURE_ENDS == masks.ON_ENEMY:
            self.remarks |= RemarkFlags.SPARES
        if reached & home and emit & masks.ON_EMPTY:
            self._add_end(home, conditions, EndFlags.MOVE)
        self._add_end(reached & ~(home | taken), conditions, ends_of_emit_mask(emit))

    def _add_end(self, squares: int, conditions: int, ends: int) -> None:
        if conditions & PathConditionFlags.CLEAR:
            squares &= self._room
        if squares and ends:
            self.ends[conditions, ends] = self.ends.get((conditions, ends), 0) | squares

    def _add_exit_squares(self, squares: int, record: StepRecord, conditions: int) -> None:
        left = squares & leaving_squares(self._inside, record[:2], self._grid)
        if not left:
            return
        if left & self._grid.home:
            self.remarks |= RemarkFlags.FARTHER
        self._left[record, conditions] = self._left.get((record, conditions), 0) | left

    def _next_nodes(self, mask: int, node: Node, reached: int) -> Iterator[tuple[Node, int]]:
        """The ways to go on over squares, by what may stand there."""
        target, conditions, taken, empty = node
        home = reached & self._grid.home
        if home and mask & masks.PAST_EMPTY:
            yield (target, conditions, taken, empty), home
        away = reached & ~home
        untaken = away & ~taken
        over, after = conditions_after_pass_or_capture(mask, conditions)
        if over >= 0:
            how = pass_kind(mask)
            squares = untaken if how is LineKind.PATH else away
            if how is LineKind.HOP:
                squares &= ~empty
            if how in _PASSAGE_BY_LINE_KIND:
                self._add_passed_squares(squares & self._room, _PASSAGE_BY_LINE_KIND[how])
            if how is LineKind.PATH and self._kept is _TrackingLevel.SQUARES:
                yield from (
                    ((target, over, taken, empty | bit), bit) for bit in single_bits(squares)
                )
            else:
                yield (target, over, taken, empty), squares
        self.remarks |= _remarks_on_passage(mask)
        if after >= 0:
            held = untaken & ~empty
            self._add_captures(
                mask, held & self._room if conditions & PathConditionFlags.CLEAR else held
            )
            if self._kept is _TrackingLevel.NOTHING:
                yield (target, after, 0, 0), held
            else:
                yield from (((target, after, taken | bit, empty), bit) for bit in single_bits(held))

    def _add_captures(self, mask: int, squares: int) -> None:
        if mask & masks.TAKE_ANY:
            self._add_passed_squares(squares, PassageFlags.VICTIM)
        if mask & masks.TAKE_FRIEND:
            self._add_passed_squares(squares, PassageFlags.OWN_VICTIM)

    def _add_passed_squares(self, squares: int, how: int) -> None:
        self.passed[how] = self.passed.get(how, 0) | squares


# For each manner of going on, what there is to show on the square.
_PASSAGE_BY_LINE_KIND: Mapping[LineKind | None, int] = {
    LineKind.PATH: PassageFlags.CLEAR,
    LineKind.HOP: PassageFlags.HURDLE,
}


@lru_cache(maxsize=256)
def _remarks_on_passage(mask: int) -> int:
    """What marks cannot show of a way to go on."""
    result = RemarkFlags.SPARES if mask & masks.TAKE_ANY == masks.TAKE_ENEMY else 0
    if mask & masks.OVER_ANY not in {0, masks.OVER_ANY}:
        result |= RemarkFlags.CHOOSY
    return result | RemarkFlags.PASSERS if mask & masks.TAKE_TRAIL else result


def _squares_by_layer_set(
    layers: Iterable[tuple[MarkKind, int]],
) -> list[tuple[tuple[MarkKind, ...], int]]:
    """The squares of all layers, those together that are in the same ones."""
    result: list[tuple[tuple[MarkKind, ...], int]] = []
    for kind, squares in layers:
        parted: list[tuple[tuple[MarkKind, ...], int]] = []
        alone = squares
        for kinds, held in result:
            both = held & squares
            if both:
                parted.append(((*kinds, kind), both))
                alone ^= both
            if both != held:
                parted.append((kinds, held ^ both))
        if alone:
            parted.append(((kind,), alone))
        result = parted
    return result


@lru_cache(maxsize=4096)
def leaving_squares(inside: int, step: Offset, grid: Grid) -> int:
    """The squares of a part of a grid from which a step leaves that part."""
    staying = grid.shift_squares(grid.shift_squares(inside, step) & inside, (-step[0], -step[1]))
    return inside & ~staying


def _square_outside_window(at: Offset, step: Offset, window: Window) -> Offset:
    """The place just outside a window where a step leads past."""
    (x, y), (dx, dy), (west, east, south, north, _) = at, step, window
    return max(-west - 1, min(east + 1, x + dx)), max(-south - 1, min(north + 1, y + dy))


@lru_cache(maxsize=4096)
def _interned_mark(
    result: tuple[tuple[tuple[int, Guard], int], ...], passed: tuple[tuple[int, Guard], ...]
) -> Mark:
    """The mark of a square; equal ones are mostly one and the same object.

    ``passed`` are bits of Passed, each with when it is so.
    """
    always = {bit for bit, guard in passed if not guard}
    timed = tuple([each for each in passed if each[0] not in always])
    return Mark(undominated_ways(dict(result)), reduce(or_, [bit for bit, _ in passed], 0), timed)


def undominated_ways(result: Mapping[tuple[int, Guard], int]) -> tuple[Arrival, ...]:
    """The ways to one square without those that another way makes superfluous."""
    ways = [(conditions, guard, ends) for (conditions, guard), ends in result.items()]
    kept = []
    for conditions, guard, ends in ways:
        left = ends
        for other_conditions, other_guard, able in ways:
            if (other_conditions, other_guard) != (conditions, guard) and other_way_dominates(
                other_conditions, other_guard, conditions, guard
            ):
                left &= ~able
        if left:
            kept.append(
                (
                    bin(conditions & ~PathConditionFlags.LEAP).count("1") + len(guard),
                    conditions,
                    guard,
                    left,
                )
            )
    return tuple(Arrival(ends, conditions, guard) for _, conditions, guard, ends in sorted(kept))


def occupants_around(context: BoardContext) -> dict[Offset, Occupant]:
    """What stands on a board besides the piece, by offset from it."""
    result: dict[Offset, Occupant] = dict.fromkeys(context.ep_squares, "trail")
    for square, kind in context.contents.items():
        unmoved = square in context.unmoved_friends
        result[square] = "unmoved_friend" if unmoved else OCCUPANT_BY_CLASS[kind]
    x, y = context.at
    return {(file - x, rank - y): result[file, rank] for file, rank in sorted(result)}


OCCUPANT_BY_CLASS: Mapping[int, Occupant] = {
    masks.ENEMY: "enemy",
    masks.ROYAL: "enemy_royal",
    masks.FRIEND: "friend",
}

# By square, how moves end there by what they ask and depend on.
EndingsBySquare: TypeAlias = dict[Offset, dict[tuple[int, Guard], int]]


def marks_of_position(
    position: Mapping[Offset, Occupant], moves: SeparatedMoves, general: Marks, lines: Lines
) -> Marks:
    """The marks of a position.

    ``general`` are the marks of the piece in the same window: what a move itself does not tell,
    whether it leaps or slides, is looked up there. Where moves leave the window ``lines`` tell.
    """
    body = [(0, 0)]
    for mark, squares_alike in general.squares_by_mark:
        body += squares_alike if mark.passed & PassageFlags.BODY else ()
    nothing: Guard = ()
    passed = {at: {(PassageFlags.BODY, nothing)} for at in body[1:]}
    ways = _quiet_landings(moves.quiet_targets, general)
    for move in moves.other_moves:
        landing = {(move.to[0] + x, move.to[1] + y) for x, y in body}
        way = _arrival_of_move(move, landing, position, general)
        held = ways.setdefault(move.to, {})
        key = (way.conditions, way.guard)
        held[key] = held.get(key, 0) | way.ends
        for at, how in _squares_passed(move, landing):
            passed.setdefault(at, set()).add((how, way.guard))
    # Each has its own object: what happens in a position is drawn square by square.
    squares = {
        at: Mark(
            *_interned_mark(
                tuple(sorted(ways.get(at, {}).items())), tuple(sorted(passed.get(at, ())))
            )
        )
        for at in sorted({*ways, *passed})
    }
    beyond: dict[tuple[Offset, Offset], int | None] = {}
    for at, step, _, limit, _ in lines.exits:
        merge_continuations(
            beyond, {(_square_outside_window(at, step, general.window), step): limit}
        )
    arrows = tuple([Arrow(*way, beyond[way]) for way in sorted(beyond)])
    shown = REMARKS_SHOWN_BY_POSITION
    if general.window.ranks:
        shown |= RemarkFlags.WRAPS
    remarks = general.remarks & ~shown
    return Marks(
        general.window, squares, arrows, remarks, dict(position), facts_shown=general.facts_shown
    )


# What a position shows by itself; on a board, where it wraps as well.
REMARKS_SHOWN_BY_POSITION = RemarkFlags.TRAIL


def _quiet_landings(quiet: Mapping[Guard, Collection[Offset]], general: Marks) -> EndingsBySquare:
    """The moves that just go to a square."""
    result: EndingsBySquare = {}
    for guard, squares in quiet.items():
        timing = _timing_guard(guard)
        # By the mark of the square, of which there are few.
        keys: dict[int, tuple[int, Guard]] = {}
        for to in squares:
            mark = id(general.squares.get(to))
            if mark not in keys:
                keys[mark] = (_conditions_of_move(general, to, 0, timing), timing)
            held = result.setdefault(to, {})
            held[keys[mark]] = held.get(keys[mark], 0) | EndFlags.MOVE
    return result


def _arrival_of_move(
    move: PieceMove, landing: set[Offset], position: Mapping[Offset, Occupant], general: Marks
) -> Arrival:
    """How a move ends, on one square or, for a large piece, on several."""
    ends = EndFlags.MOVE
    on_the_way = set(move.captures) - landing
    if landing & set(move.captures):
        ends = EndFlags.OWN if landing & set(move.own_captures) else EndFlags.CAPTURE
    elif on_the_way and position.get(move.to) == "trail":
        ends, on_the_way = EndFlags.CAPTURE, set()
    conditions = PathConditionFlags.LOCUST if on_the_way else 0
    if move.hurdles:
        conditions |= PathConditionFlags.HURDLE
    timing = _timing_guard(move.guard)
    return Arrival(ends, _conditions_of_move(general, move.to, conditions, timing), timing)


def _timing_guard(guard: Guard) -> Guard:
    return tuple([condition for condition in guard if condition.kind in TIMING_CONDITIONS])


def _conditions_of_move(general: Marks, to: Offset, conditions: int, guard: Guard) -> int:
    """What a move asks that captures and hops like this, and whether it leaps or slides."""
    special = PathConditionFlags.LOCUST | PathConditionFlags.HURDLE
    for way in general.squares[to].ways if to in general.squares else ():
        if way.conditions & special == conditions and way.guard == guard:
            return way.conditions
    return conditions


def _squares_passed(move: PieceMove, landing: set[Offset]) -> Iterator[tuple[Offset, int]]:
    for at in move.captures:
        if at not in landing:
            yield at, PassageFlags.OWN_VICTIM if at in move.own_captures else PassageFlags.VICTIM
    for at in move.hurdles:
        yield at, PassageFlags.HURDLE
