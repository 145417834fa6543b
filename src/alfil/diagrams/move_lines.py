"""The lines of a diagram: along which squares a piece goes, worked out from its automata.

A leap over whatever stands in between has no line. Where the squares on the way matter, because
they must be empty, must hold a piece or lose one, every step is a segment from square to square;
segments in a row become one stroke, so a slide is a straight line, a bent rider a bent one, and a
lame leap shows the square it steps on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from math import gcd
from operator import or_
from typing import TypeAlias

from alfil.bit_grid import Grid, single_bits
from alfil.diagrams.diagram_model import (
    NO_LINES,
    Continuation,
    LineKind,
    Lines,
    Occupant,
    Offset,
    Stroke,
    Window,
    WindowExit,
)
from alfil.diagrams.move_continuations import (
    States,
    continuations,
    distance_limit,
    farther_limit,
    farthest_limit,
    limit_of_farthest_continuation,
    pass_kind,
)
from alfil.diagrams.split_jump_paths import with_jumps_split_off
from alfil.diagrams.square_marks import leaving_squares, marks_of, meaning_on_window, walk_grid
from alfil.frozen_dataclasses import NamedTuple, cached_property
from alfil.meaning import automaton as masks
from alfil.meaning.automaton import HOME, LETTERS_BY_CLASS, StepRecord, split_by_first_step
from alfil.meaning.piece_meaning import Guard, Meaning, footprint_of
from alfil.work_limit import cached_with_work, charge

# More strokes than this make a web that explains nothing, and so do more than six segments that
# meet on one square.
MAX_STROKES = 120
# The work that a record is.
WORK_PER_RECORD = 2

# A state, and how the way has gone so far; -1 at the start.
Node: TypeAlias = tuple[int, int]
# By step and kind, the squares that segments begin on, as bits of the grid.
Segments: TypeAlias = dict[tuple[Offset, LineKind], int]
# What goes on beyond a window, by square and step.
ContinuationsByExit: TypeAlias = Mapping[tuple[Offset, Offset], tuple[Continuation, ...]]
# By square and step.
Exits: TypeAlias = dict[tuple[Offset, Offset], WindowExit]


def lines_of(
    meaning: Meaning,
    window: Window,
    standing: Mapping[Offset, Occupant] | None = None,
    guards: Mapping[Guard, Collection[Offset]] | None = None,
    onward: ContinuationsByExit | None = None,
) -> Lines:
    """The lines of a piece in a window.

    Without ``standing`` every square may hold whatever the piece needs; with it the lines are those
    of one position, and ``guards`` those of the parts to draw, all unless given, with the ends of
    their moves: a castling that something hinders has no line. ``onward`` are the `Marks.exits` of
    the window, found here unless given.
    """
    meaning = meaning_on_window(meaning, window)
    body = footprint_of(meaning.facts)
    if standing is None:
        return _lines_without_position(meaning, window.reduced_for_large_piece(*body[-1]), onward)
    if len(body) > 1:
        # What is in the way of all that it takes up is seen by its moves alone.
        return NO_LINES
    grid = walk_grid(meaning, window)
    result, contents = _LineCollector(grid), _PositionBits.of(grid, standing)
    for guard, states, run_squares in _parts_with_lines(meaning, window, grid):
        if guards is None or not guard or guard in guards:
            castles = guards and any(condition.kind == "castle" for condition in guard)
            reached = (
                _states_of_straight_paths_to(guards[guard], states)
                if guards and castles
                else states
            )
            walk = _SegmentWalk(reached, window, grid, run_squares, contents)
            result.add(walk.segments, walk.exits)
    return result.lines()


def _states_of_straight_paths_to(ends: Collection[Offset], states: States) -> States:
    """The states of ways in a straight line that lead to one of these squares."""
    first = [
        record for record in states[0] if any(x * record[0] + y * record[1] > 0 for x, y in ends)
    ]
    return (tuple(first), *states[1:])


def _lines_without_position(
    meaning: Meaning, window: Window, onward: ContinuationsByExit | None
) -> Lines:
    """The lines where every square may hold whatever the piece needs."""
    lines = _lines_with_all_exits(meaning, window)
    if not lines.exits:
        return lines
    if onward is None:
        onward = marks_of(meaning, window).exits
    return lines._replace(exits=tuple(_exits_that_continue(lines.exits, onward)))


@cached_with_work(maxsize=1024)
def _lines_with_all_exits(meaning: Meaning, window: Window) -> Lines:
    """The same, with all ways out of the window."""
    grid = walk_grid(meaning, window)
    result = _LineCollector(grid)
    for _, whole, run_squares in _parts_with_lines(meaning, window, grid):
        for states in split_by_first_step(whole):
            if len(states) > 1:  # else there are leaps only
                result.add(*_walk_states(states, window, grid, run_squares))
    return result.lines()


def _exits_that_continue(
    exits: Iterable[WindowExit], onward: ContinuationsByExit
) -> Iterator[WindowExit]:
    """The ways out with what goes on there; without those where no move ends beyond."""
    for each in exits:
        ways = onward.get((each.at, each.step))
        if ways:
            yield each._replace(limit=limit_of_farthest_continuation(ways), onward=ways)


def _parts_with_lines(
    meaning: Meaning, window: Window, grid: Grid
) -> Iterator[tuple[Guard, States, int]]:
    """The parts that do more than leap, and the squares that each may run over."""
    for guard, automaton in with_jumps_split_off(meaning).parts:
        if any(record[4] for record in automaton.states[0]):
            yield guard, automaton.states, window.squares_allowed_by_guard(guard, grid)


# Pieces share most of their first steps, with what comes after them.
@cached_with_work(maxsize=4096)
def _walk_states(
    states: States, window: Window, grid: Grid, run_square_bits: int
) -> tuple[Segments, Exits]:
    walk = _SegmentWalk(states, window, grid, run_square_bits, None)
    return walk.segments, walk.exits


class _PositionBits(NamedTuple):
    """A position as bits of the grid: the squares that each letter of an automaton is true of.

    ``pieces`` are the squares that are not vacant.
    """

    passing: Mapping[int, int]
    ending: Mapping[int, int]
    pieces: int

    @staticmethod
    def of(grid: Grid, standing: Mapping[Offset, Occupant]) -> _PositionBits:
        squares = dict.fromkeys((*LETTERS_BY_CLASS, masks.TRAIL), 0)
        for at, what in standing.items():
            squares[MASK_BY_OCCUPANT[what]] |= grid.bit(at)
        pieces = reduce(or_, (squares[letter] for letter in LETTERS_BY_CLASS))
        vacant = grid.all & ~pieces
        passing = {
            masks.PAST_EMPTY: vacant,
            masks.PAST_AWAY: vacant & ~grid.home,
            masks.TAKE_TRAIL: squares[masks.TRAIL],
        }
        ending = {
            masks.ON_EMPTY: vacant,
            masks.ON_AWAY: vacant & ~grid.home,
            masks.ON_TRAIL: squares[masks.TRAIL],
        }
        for each, (on, take, over, thru) in LETTERS_BY_CLASS.items():
            passing |= {take: squares[each], over: squares[each], thru: squares[each]}
            ending[on] = squares[each]
        return _PositionBits(passing, ending, pieces)


def _squares_of_mask(mask: int, squares: Mapping[int, int]) -> int:
    """The squares that some letter of a mask is true of."""
    result = 0
    for letter, where in squares.items():
        if mask & letter:
            result |= where
    return result


# A record of a node, the squares that it reaches, and the nodes it leads to, on which of these.
Transition: TypeAlias = tuple[StepRecord, int, list[tuple[Node, int]]]
# The same in a position: the squares reached are those on which a move can end by the record. Last
# are the squares from which it leaves the window for others on which a move can end.
TransitionInPosition: TypeAlias = tuple[StepRecord, int, list[tuple[Node, int]], int]


class _SegmentWalk:
    """The segments of a part, and where it leaves the window.

    Those of a position are the ones that lead to some end.
    """

    def __init__(
        self,
        states: States,
        window: Window,
        grid: Grid,
        run_squares: int,
        contents: _PositionBits | None,
    ) -> None:
        self._states = states
        self._grid = grid
        self._run_squares = run_squares
        self._inside = window.bits(grid)
        self._open_ended = not window.ranks
        self._contents = contents
        # By pass, the kinds of way that it allows, each with the squares on which it does.
        self._ways: dict[int, list[tuple[LineKind, int]]] = {}
        self.segments: Segments = {}
        self.exits: Exits = {}
        # Where it leaves, by step, kind, and how many steps may follow.
        self._left: dict[tuple[Offset, LineKind, int | None], int] = {}
        if contents:
            self._add_segments_in_position(contents)
        else:
            self._add_all_segments()
        for (step, kind, steps), squares in self._left.items():
            for at in grid.squares(squares):
                _add_exit(self.exits, WindowExit(at, step, kind, distance_limit(at, step, steps)))

    @cached_property
    def _plainest_kind_by_state(self) -> dict[int, LineKind]:
        return plainest_kind_by_state(self._states)

    @cached_property
    def _states_that_can_end_quietly(self) -> set[int]:
        return states_that_can_end_quietly(self._states)

    def _add_all_segments(self) -> None:
        """Note all segments."""
        for node, (squares, reached_here) in self._transitions_by_node().items():
            for record, reached, _ in reached_here:
                kind = (
                    None
                    if record[:3] == HOME
                    else line_kind_of_record(node[1], record, self._plainest_kind_by_state)
                )
                if kind is not None:
                    self._add_segments_ending_on(record[:2], reached, kind)
                    self._add_exit(self._squares_leaving_window(squares, record[:2]), record, kind)

    def _add_segments_in_position(self, contents: _PositionBits) -> None:
        """Note the segments that lead to some end, each by what stands where it goes on.

        A segment that ends a move is plain; a plain leap or single step has none.
        """
        walked = self._transitions_by_node()
        steps = {
            node: self._transitions_in_position(node[1], *each, contents)
            for node, each in walked.items()
        }
        alive = self._squares_with_reachable_end(steps)
        for (_, before), ways in steps.items():
            for record, ending, onward, left in ways:
                if record[:3] == HOME:
                    continue
                runs = {LINE_KINDS[before]: ending} if ending else {}
                for (target, kind), where in onward:
                    useful = where & alive.get((target, kind), 0)
                    if useful:
                        how = self._line_kind_to_state(before, LINE_KINDS[kind], target)
                        runs[how] = runs.get(how, 0) | useful
                for how, reached in runs.items():
                    self._add_segments_ending_on(record[:2], reached, how)
                self._add_exit(left, record, LINE_KINDS[max(before, 0)])

    def _line_kind_to_state(self, previous_kind: int, kind: LineKind, target: int) -> LineKind:
        """How to draw a segment that leads to a state by a way of some kind."""
        if previous_kind <= LineKind.PATH and not any(record[3] for record in self._states[target]):
            kind = max(kind, self._plainest_kind_by_state.get(target, LineKind.PATH))
        return line_kind_to_passed_square(previous_kind, kind)

    def _transitions_in_position(
        self, before: int, squares: int, reached_here: list[Transition], contents: _PositionBits
    ) -> list[TransitionInPosition]:
        """What leads to anything of a node that is met on some squares in a position.

        A move that ends with its first step is of no account.
        """
        result: list[TransitionInPosition] = []
        for record, reached, onward in reached_here:
            if record[:3] == HOME:
                result.append((record, squares, onward, 0))
                continue
            ending = 0
            if record[3] and before != NO_PREVIOUS_KIND:
                ending = reached & _squares_of_mask(record[3], contents.ending)
            left = self._squares_leaving_window(squares, record[:2])
            if left and not (
                can_end_quietly(record)
                or can_pass_empty_to_states(record, self._states_that_can_end_quietly)
            ):
                left = 0
            if ending or onward or left:
                result.append((record, ending, onward, left))
        return result

    def _transitions_by_node(self) -> dict[Node, tuple[int, list[Transition]]]:
        """Every node with the squares it is met on, and where it leads from these."""
        fresh: dict[Node, int] = {(0, NO_PREVIOUS_KIND): self._grid.home}
        met: dict[Node, tuple[int, list[Transition]]] = {}
        while fresh:
            node = next(iter(fresh))
            state = self._states[node[0]]
            charge(WORK_PER_RECORD * len(state))
            squares = self._extend_squares_along_run(node, fresh.pop(node))
            if node in met:
                squares |= met[node][0]
            reached = [self._transition(node, squares, record) for record in state]
            met[node] = squares, reached
            for _, _, onward in reached:
                for each, where in onward:
                    new = where & ~met[each][0] if each in met else where
                    if new:
                        fresh[each] = fresh.get(each, 0) | new
        return met

    def _transition(self, node: Node, squares: int, record: StepRecord) -> Transition:
        """What a record reaches from a node that is met on some squares."""
        before = node[1]
        reached = self._grid.shift_squares(squares, record[:2])
        if before != NO_PREVIOUS_KIND:
            reached &= self._run_squares
        onward: list[tuple[Node, int]] = []
        for mask, target in record[4]:
            for kind, free in self._line_kinds_with_squares(mask):
                if where := reached & free:
                    onward.append(((target, max(before, kind)), where))
        return record, reached, onward

    def _extend_squares_along_run(self, node: Node, squares: int) -> int:
        """The squares of a node with those it is met on again by the same step."""
        index, before = node
        if before == NO_PREVIOUS_KIND:
            return squares
        for record in self._states[index]:
            for mask, target in record[4]:
                if target == index:
                    ways = [
                        where
                        for kind, where in self._line_kinds_with_squares(mask)
                        if kind <= before
                    ]
                    free = reduce(or_, ways, 0) & self._run_squares
                    squares = self._grid.reachable_by_repeated_step(squares, record[:2], free)
        return squares

    def _line_kinds_with_squares(self, mask: int) -> list[tuple[LineKind, int]]:
        """The kinds of way that a pass allows, each with the squares on which it does."""
        result = self._ways.get(mask)
        if result is None:
            ways = (
                (kind, self._passable_squares(kind, mask & letters))
                for kind, letters in line_kinds_of_pass(mask)
            )
            result = self._ways[mask] = [each for each in ways if each[1]]
        return result

    def _passable_squares(self, kind: LineKind, contents_mask: int) -> int:
        """The squares on which a way may go on like this."""
        where = self._grid.all
        if self._contents:
            where = _squares_of_mask(contents_mask, self._contents.passing)
        return where if kind == LineKind.PATH else where & ~self._grid.home

    def _squares_with_reachable_end(
        self, steps: Mapping[Node, list[TransitionInPosition]]
    ) -> dict[Node, int]:
        """The squares of each node but the first from which a move can end in this position.

        Beyond an open window squares count as empty.
        """
        alive: dict[Node, int] = {}
        moved = self._grid.shift_squares
        # What comes later is mostly led to, so that few rounds are needed.
        later = [each for each in reversed([*steps.items()]) if each[0][1] != NO_PREVIOUS_KIND]
        work = WORK_PER_RECORD * sum(len(self._states[index]) for index, _ in steps)
        changed = True
        while changed:
            changed = False
            charge(work)
            for node, ways in later:
                result = before = alive.get(node, 0)
                for record, ending, onward, left in ways:
                    useful = ending
                    for after, where in onward:
                        useful |= where & alive.get(after, 0)
                    result |= left | moved(useful, (-record[0], -record[1]))
                if result != before:
                    alive[node] = result
                    changed = True
        return alive

    def _squares_leaving_window(self, squares: int, step: Offset) -> int:
        """The squares from which a step leaves an open window."""
        return squares & leaving_squares(self._inside, step, self._grid) if self._open_ended else 0

    def _add_segments_ending_on(self, step: Offset, reached_squares: int, kind: LineKind) -> None:
        where = (
            self._grid.shift_squares(reached_squares & self._inside, (-step[0], -step[1]))
            & self._inside
        )
        over = where & self._origins_jumping_over_pieces(step)
        if over and kind is LineKind.PATH:
            self.segments[step, LineKind.JUMP] = self.segments.get((step, LineKind.JUMP), 0) | over
            where &= ~over
        if where:
            self.segments[step, kind] = self.segments.get((step, kind), 0) | where

    def _origins_jumping_over_pieces(self, step: Offset) -> int:
        """The squares from which a long step passes right over some piece, or over a square that
        may hold one.
        """
        times = gcd(*step)
        if not self._contents:
            return self._grid.all if times > 1 else 0
        result = 0
        for number in range(1, times):
            short = -number * step[0] // times, -number * step[1] // times
            result |= self._grid.shift_squares(self._contents.pieces, short)
        return result

    def _add_exit(self, exit_squares: int, record: StepRecord, kind: LineKind) -> None:
        if exit_squares:
            if kind is LineKind.PATH and not self._contents and gcd(*record[:2]) > 1:
                kind = LineKind.JUMP
            quiet = continuations(self._states, record, 0, quiet=True) if self._contents else {}
            way = record[:2], kind, farthest_limit(quiet.values())
            self._left[way] = self._left.get(way, 0) | exit_squares


def _add_exit(exits: Exits, new: WindowExit) -> None:
    """Note a way out; where there is one already, the plainer kind and the farther limit."""
    at, step, kind, limit, _ = new
    held = exits.get((at, step))
    if held:
        new = WindowExit(at, step, min(held.kind, kind), farther_limit(held.limit, limit))
    exits[at, step] = new


class _LineCollector:
    """Collects the lines of all parts."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._segments: Segments = {}
        self._exits: Exits = {}

    def add(self, segments: Segments, exits: Exits) -> None:
        """Add what a part has."""
        for way, squares in segments.items():
            self._segments[way] = self._segments.get(way, 0) | squares
        for each in exits.values():
            _add_exit(self._exits, each)

    def lines(self) -> Lines:
        """What was found, as strokes."""
        segments = self._plainest_segments()
        strokes = self._strokes_of_segments(segments)
        cut = len(strokes) > MAX_STROKES or self._is_crowded(segments)
        exits = [self._exits[way] for way in sorted(self._exits)]
        if cut:
            strokes = self._strokes_to_first_turn() if exits else []
            exits = _prefer_orthogonal_exits(exits)
        return Lines(tuple(strokes), tuple(exits), cut)

    def _strokes_to_first_turn(self) -> list[Stroke]:
        """The strokes from the piece to the first turn, the plainest for each step."""
        result: dict[Offset, Stroke] = {}
        for (step, kind), squares in sorted(self._segments.items(), key=_plainest_sort_key):
            steps = self._grid.count_steps_from(self._grid.home, step, squares)
            if steps and step not in result:
                result[step] = Stroke((0, 0), step, steps, kind)
        return sorted(result.values())

    def _plainest_segments(self) -> Segments:
        """Every segment once, in one direction, as the plainest of its kinds."""
        kind_bits: dict[Offset, int] = {}
        segments_kept: Segments = {}
        for (step, kind), squares in sorted(self._segments.items(), key=_plainest_sort_key):
            back = (-step[0], -step[1])
            new = squares & ~kind_bits.get(step, 0)
            if back in kind_bits:
                new &= ~self._grid.shift_squares(kind_bits[back], back)
            kind_bits[step] = kind_bits.get(step, 0) | new
            if new:
                segments_kept[step, kind] = new
        return segments_kept

    def _strokes_of_segments(self, segments: Segments) -> list[Stroke]:
        grid = self._grid
        result = []
        for (step, kind), squares in segments.items():
            heads = squares & ~grid.shift_squares(squares, step)
            for bit, at in zip(single_bits(heads), grid.squares(heads), strict=True):
                result.append(Stroke(at, step, grid.count_steps_from(bit, step, squares), kind))
        return sorted(result)

    def _is_crowded(self, segments: Segments) -> bool:
        """Whether more than six segments meet on some square other than the start.

        All squares are counted at once: ``ones``, ``twos`` and ``fours`` are the digits of their
        counts in binary.
        """
        ones = twos = fours = over = 0
        for (step, _), squares in segments.items():
            for where in (squares, self._grid.shift_squares(squares, step)):
                carried = ones & where
                ones ^= where
                higher = twos & carried
                twos ^= carried
                over |= fours & higher
                fours ^= higher
        return bool((ones & twos & fours | over) & ~self._grid.home)


def _prefer_orthogonal_exits(exits: list[WindowExit]) -> list[WindowExit]:
    """The ways out without those aslant, where there is one straight out from the same square."""
    straight = {each.at for each in exits if 0 in each.step}
    return [each for each in exits if 0 in each.step or each.at not in straight]


def _plainest_sort_key(item: tuple[tuple[Offset, LineKind], int]) -> tuple[LineKind, Offset]:
    (step, kind), _ = item
    return kind, step


MASK_BY_OCCUPANT = {
    "enemy": masks.ENEMY,
    "friend": masks.FRIEND,
    "enemy_royal": masks.ROYAL,
    "unmoved_friend": masks.FRIEND,
    "trail": masks.TRAIL,
}

CAPTURE_MASK = masks.TAKE_ANY | masks.TAKE_FRIEND | masks.TAKE_TRAIL
# How the way has gone so far, at the start.
NO_PREVIOUS_KIND = -1
LINE_KINDS = tuple(LineKind)


@lru_cache(maxsize=1024)
def line_kinds_of_pass(mask: int) -> tuple[tuple[LineKind, int], ...]:
    """The kinds of way that a pass stands for, each with its letters."""
    how = pass_kind(mask)
    letters = masks.OVER_ANY if how is LineKind.HOP else ~CAPTURE_MASK
    result = () if how is None else ((how, letters),)
    return (*result, (LineKind.TAKE, CAPTURE_MASK)) if mask & CAPTURE_MASK else result


# Over empty squares only.
PLAIN_LINE_KINDS = ((LineKind.PATH, ~CAPTURE_MASK),)


def can_end_quietly(record: StepRecord) -> bool:
    """Whether a move can end by a record on a square that is empty, or at home."""
    return bool(record[3] & (masks.ON_EMPTY | masks.ON_AWAY)) or record[:3] == HOME


def can_pass_empty_to_states(record: StepRecord, targets: Collection[int]) -> bool:
    """Whether a record leads over an empty square to one of some states."""
    return any(
        mask & (masks.PAST_EMPTY | masks.PAST_AWAY) and target in targets
        for mask, target in record[4]
    )


def states_that_can_end_quietly(states: States) -> set[int]:
    """The states from which a move can end where no square holds a piece."""
    result = {index for index, state in enumerate(states) if any(map(can_end_quietly, state))}
    rest = [index for index in range(len(states)) if index not in result]
    fresh = result
    while fresh and rest:
        fresh = {
            index
            for index in rest
            if any(can_pass_empty_to_states(each, result) for each in states[index])
        }
        result |= fresh
        rest = [index for index in rest if index not in fresh]
    return result


def line_kind_of_record(
    previous_kind: int, record: StepRecord, plainest_kinds: Mapping[int, LineKind]
) -> LineKind | None:
    """How to draw the segment of a record; None for a leap at the start."""
    if previous_kind > LineKind.PATH:
        return LineKind(previous_kind)
    onward = _continuing_kinds(record, plainest_kinds)
    if previous_kind == NO_PREVIOUS_KIND and not onward:
        return None
    if record[3] and previous_kind != NO_PREVIOUS_KIND:
        return LineKind.PATH
    return line_kind_to_passed_square(previous_kind, min(onward, default=LineKind.PATH))


def line_kind_to_passed_square(previous_kind: int, onward: LineKind) -> LineKind:
    """How to draw a segment to a square that a way goes on from: up to a capture it is plain."""
    if previous_kind > LineKind.PATH:
        return LineKind(previous_kind)
    return LineKind.PATH if onward is LineKind.TAKE else onward


def _continuing_kinds(record: StepRecord, plainest_kinds: Mapping[int, LineKind]) -> list[LineKind]:
    """The kinds of way that lead from a record to some end."""
    return [
        max(kind, plainest_kinds[target])
        for mask, target in record[4]
        for kind, _ in line_kinds_of_pass(mask)
        if target in plainest_kinds
    ]


def plainest_kind_by_state(states: States) -> dict[int, LineKind]:
    """For each state the plainest kind of way in which a move can end from there."""
    masks_used = {mask for state in states for record in state for mask, _ in record[4]}
    if all(line_kinds_of_pass(mask) == PLAIN_LINE_KINDS for mask in masks_used):
        return dict.fromkeys(range(len(states)), LineKind.PATH)
    before: dict[int, list[tuple[LineKind, int]]] = {}
    for index, state in enumerate(states):
        for record in state:
            for mask, target in record[4]:
                before.setdefault(target, []).extend(
                    (kind, index) for kind, _ in line_kinds_of_pass(mask)
                )
    ending = [index for index, state in enumerate(states) if any(record[3] for record in state)]
    result = dict.fromkeys(ending, LineKind.PATH)
    for limit in LINE_KINDS:
        _mark_predecessors(result, before, limit)
    return result


def _mark_predecessors(
    result: dict[int, LineKind], before: Mapping[int, list[tuple[LineKind, int]]], limit: LineKind
) -> None:
    """Add the states that lead to those found by ways of some kind or a plainer one."""
    queue = list(result)
    for target in queue:
        for kind, index in before.get(target, ()):
            if kind <= limit and index not in result:
                result[index] = limit
                queue.append(index)
