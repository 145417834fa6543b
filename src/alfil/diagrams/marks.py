"""What a diagram shows: for every square how a move may end there, and what it passes on its way.

The automata of a piece are walked over squares that may hold whatever the piece needs, as the graph
of (state, square, what the way has asked for), each visited once. Captured pieces stay where they
are until the move ends, so the squares of the captures are remembered too, as long as there are
not too many ways. Boards that wrap are walked as if they did not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Flag
from typing import NamedTuple, TypeAlias

from alfil.meaning.automaton import (
    HOME,
    ON_AWAY,
    ON_EMPTY,
    ON_ENEMY,
    ON_FRIEND,
    ON_ROYAL,
    ON_TRAIL,
    OVER_ANY,
    PAST_AWAY,
    PAST_EMPTY,
    TAKE_ANY,
    TAKE_FRIEND,
    Automaton,
    Record,
)
from alfil.meaning.piece import Guard, Meaning

Offset: TypeAlias = tuple[int, int]
# A step of a way: state, square, bits of Asks, squares of captured pieces.
Node: TypeAlias = tuple[int, Offset, int, tuple[Offset, ...]]

LARGEST_RADIUS = 7
SMALLEST_RADIUS = 2
# A rider is drawn this far at least before its arrow.
RIDER_RADIUS = 4
# Beyond this many nodes the squares of captures are no longer kept apart.
NODES_WITH_CAPTURES = 4_000
# Conditions of a guard that say when a move may be made, or that it is castling.
TIMING = frozenset({"move", "every", "third-rank", "castle"})


class Ends(Flag):
    """The ways a move may end on a square. ROYAL: only a royal enemy may be captured there."""

    MOVE = 1
    CAPTURE = 2
    ROYAL = 4
    OWN = 8
    EN_PASSANT = 16


class Asks(Flag):
    """What a way asks of the squares before its last one.

    LEAP: some are skipped, whatever stands there. CLEAR: some must be empty. HURDLE: on some a
    piece must stand and stays. LOCUST: on some a piece is captured.
    """

    LEAP = 1
    CLEAR = 2
    HURDLE = 4
    LOCUST = 8


class Passed(Flag):
    """What happens on a square that a way passes: it is empty, jumped over, captured on."""

    CLEAR = 1
    HURDLE = 2
    VICTIM = 4
    OWN_VICTIM = 8


class Remark(Flag):
    """What marks on squares cannot show.

    FARTHER: a leap from the start ends outside the window. TRAIL: the squares passed may be
    captured on en passant. GREEDY: some runs must go as far as they can.
    """

    WRAPS = 1
    FARTHER = 2
    TRAIL = 4
    GREEDY = 8


LEAP, CLEAR, HURDLE, LOCUST = 1, 2, 4, 8  # the bits of Asks, as plain numbers for the walk


class Window(NamedTuple):
    """How many squares a diagram shows on each side of the piece.

    ``ranks`` is 0 for an open diagram, where moves go on beyond the edge; on a real board it is the
    number of ranks, and ``south`` is the rank of the piece counted from 0.
    """

    west: int
    east: int
    south: int
    north: int
    ranks: int = 0

    def shows(self, offset: Offset) -> bool:
        """Whether an offset lies inside."""
        return -self.west <= offset[0] <= self.east and -self.south <= offset[1] <= self.north


def around(radius: int) -> Window:
    """The open window with the piece in the middle."""
    return Window(radius, radius, radius, radius)


def on_board(files: int, ranks: int, at: Offset) -> Window:
    """The window of a whole board with the piece on (file, rank), both from 0."""
    return Window(at[0], files - 1 - at[0], at[1], ranks - 1 - at[1], ranks)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to end on a square; ``guard`` holds the conditions of timing and castling."""

    ends: Ends
    asks: Asks
    guard: Guard = ()


class Mark(NamedTuple):
    """All there is to show on one square; the simplest way comes first."""

    ways: tuple[Way, ...]
    passed: Passed = Passed(0)


class Arrow(NamedTuple):
    """Moves go on beyond the window: ``at`` is just outside it, ``step`` the next step."""

    at: Offset
    step: Offset


@dataclass(frozen=True, slots=True)
class Marks:
    """A diagram before it has a form; squares by offset (dx, dy), (0, 0) for ending at home."""

    window: Window
    squares: Mapping[Offset, Mark]
    arrows: tuple[Arrow, ...]
    remarks: Remark

    def reach(self) -> int:
        """How far from the piece the farthest mark is."""
        return max((max(abs(x), abs(y)) for x, y in self.squares), default=0)


def fitted(meaning: Meaning) -> Marks:
    """The marks in a window large enough for the piece, 5×5 to 15×15.

    A piece that goes on for ever is shown as far as its picture still changes, at least four
    squares; what lies farther is said by arrows.
    """
    widest = marks_of(meaning, around(LARGEST_RADIUS))
    if not widest.arrows:
        radius = max(SMALLEST_RADIUS, widest.reach())
        return replace(widest, window=around(radius))
    for radius in range(RIDER_RADIUS, LARGEST_RADIUS):
        marks = marks_of(meaning, around(radius))
        if marks.remarks == widest.remarks and _goes_on_alike(marks, widest):
            return marks
    return widest


def _goes_on_alike(marks: Marks, wider: Marks) -> bool:
    """Whether as many moves leave both windows, counted singly or by the length of an edge."""
    few, many = _exits(marks), _exits(wider)
    edges = (2 * marks.window.north + 1, 2 * wider.window.north + 1)
    return few == many or few * edges[1] == many * edges[0]


def _exits(marks: Marks) -> int:
    """How many places along the edges of a square window moves leave by, corners left out."""
    outside = marks.window.north + 1
    return len({at for at, _ in marks.arrows if abs(at[0]) != outside or abs(at[1]) != outside})


def marks_of(meaning: Meaning, window: Window) -> Marks:
    """The marks of a piece in a window.

    A run that stops at the middle of the board (a range of ``*``) is shown in full where the window
    is no real board.
    """
    walk = _Walk(window)
    for guard, automaton in meaning.parts:
        walk.part(guard, automaton)
    squares = {
        offset: Mark(_simplest(walk.ways.get(offset, {})), Passed(walk.passed.get(offset, 0)))
        for offset in sorted({*walk.ways, *walk.passed})
    }
    return Marks(window, squares, tuple(sorted(walk.arrows)), walk.remarks)


class _Walk:
    """Collects what all parts of a piece do in one window."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.ways: dict[Offset, dict[tuple[int, Guard], int]] = {}
        self.passed: dict[Offset, int] = {}
        self.arrows: set[Arrow] = set()
        self.remarks = Remark(0)
        self._guard: Guard = ()
        self._half = 0

    def part(self, guard: Guard, automaton: Automaton) -> None:
        """Walk one part."""
        kinds = {condition.kind for condition in guard}
        self._guard = tuple(condition for condition in guard if condition.kind in TIMING)
        ranks = self.window.ranks
        self._half = ranks // 2 if "middle" in kinds else 0
        if "trail" in kinds:
            self.remarks |= Remark.TRAIL
        if "greedy" in kinds:
            self.remarks |= Remark.GREEDY
        if not self._explored(automaton, apart=True):
            self._explored(automaton, apart=False)

    def _explored(self, automaton: Automaton, *, apart: bool) -> bool:
        """Visit every node; False when captures were kept apart and that made too many."""
        start: Node = (0, (0, 0), 0, ())
        seen = {start}
        queue = [start]
        for node in queue:
            for record in automaton.states[node[0]]:
                for state, square, asks, taken in self._step(node, record):
                    onward = (state, square, asks, taken if apart else ())
                    if onward not in seen:
                        seen.add(onward)
                        queue.append(onward)
            if apart and len(queue) > NODES_WITH_CAPTURES:
                return False
        return True

    def _step(self, node: Node, record: Record) -> Iterator[Node]:
        """Take one record: note how a move may end there, and give the ways to go on."""
        _, (x, y), asks, taken = node
        dx, dy, wrap, emit, passes = record
        if wrap:
            self.remarks |= Remark.WRAPS
        if record[:3] == HOME:
            self._end((0, 0), asks, Ends.MOVE.value)
            return
        square = (x + dx, y + dy)
        if not self.window.shows(square):
            self._outside((x, y), square)
            return
        if abs(dx) > 1 or abs(dy) > 1:
            asks |= LEAP
        if square not in taken:
            self._end(square, asks, _ends(emit, home=square == (0, 0)))
        for mask, target in passes:
            yield from self._onward(mask, (target, square, asks, taken))

    def _end(self, square: Offset, asks: int, ends: int) -> None:
        if ends and not (asks & CLEAR and self._beyond_middle(square)):
            ways = self.ways.setdefault(square, {})
            key = (asks, self._guard)
            ways[key] = ways.get(key, 0) | ends

    def _outside(self, here: Offset, square: Offset) -> None:
        west, east, south, north, ranks = self.window
        if ranks:
            return
        if here == (0, 0):
            self.remarks |= Remark.FARTHER
            return
        at = (
            max(-west - 1, min(east + 1, square[0])),
            max(-south - 1, min(north + 1, square[1])),
        )
        self.arrows.add(Arrow(at, (square[0] - here[0], square[1] - here[1])))

    def _onward(self, mask: int, node: Node) -> Iterator[Node]:
        """The ways to go on over a square, by what may stand there."""
        target, square, asks, taken = node
        if square == (0, 0):
            if mask & PAST_EMPTY:
                yield node
            return
        free = mask & (PAST_EMPTY | PAST_AWAY)
        over = mask & OVER_ANY
        captured = square in taken
        if free and over == OVER_ANY:
            yield (target, square, asks | LEAP, taken)
        elif free and not captured:
            self._pass(square, Passed.CLEAR)
            yield (target, square, asks | CLEAR, taken)
        elif over:
            self._pass(square, Passed.HURDLE)
            yield (target, square, asks | HURDLE, taken)
        if mask & (TAKE_ANY | TAKE_FRIEND) and not captured:
            self._pass(square, Passed.VICTIM if mask & TAKE_ANY else Passed.OWN_VICTIM)
            yield (target, square, asks | LOCUST, (*taken, square))

    def _beyond_middle(self, square: Offset) -> bool:
        """Whether a run that stops in its own half has no business on a square."""
        return bool(self._half) and self.window.south + square[1] >= self._half

    def _pass(self, square: Offset, how: Passed) -> None:
        if self._beyond_middle(square):
            return
        self.passed[square] = self.passed.get(square, 0) | how.value


def _ends(emit: int, *, home: bool) -> int:
    """The bits of Ends for an emit mask of the automaton."""
    if home:
        return Ends.MOVE.value if emit & ON_EMPTY else 0
    ends = Ends.MOVE.value if emit & (ON_EMPTY | ON_AWAY) else 0
    if emit & ON_ENEMY:
        ends |= Ends.CAPTURE.value
    elif emit & ON_ROYAL:
        ends |= Ends.ROYAL.value
    if emit & ON_FRIEND:
        ends |= Ends.OWN.value
    if emit & ON_TRAIL:
        ends |= Ends.EN_PASSANT.value
    return ends


def _simplest(found: Mapping[tuple[int, Guard], int]) -> tuple[Way, ...]:
    """The ways to one square without those that another way makes superfluous."""
    ways = [(asks, guard, ends) for (asks, guard), ends in found.items()]
    kept = []
    for asks, guard, ends in ways:
        left = ends
        for other, condition, able in ways:
            if (other, condition) != (asks, guard) and _easier(other, condition, asks, guard):
                left &= ~able
        if left:
            kept.append((bin(asks & ~LEAP).count("1") + len(guard), asks, guard, left))
    return tuple(Way(Ends(ends), Asks(asks), guard) for _, asks, guard, ends in sorted(kept))


def _easier(other: int, condition: Guard, asks: int, guard: Guard) -> bool:
    """Whether one way may be made whenever another may, so that the other need not be shown.

    A way over a hurdle, or one that captures on its way, is there for when the plain way is
    blocked, so only a way that nothing can block makes it superfluous.
    """
    if not set(condition) <= set(guard):
        return False
    if asks & (HURDLE | LOCUST) and other & CLEAR and not asks & other & (HURDLE | LOCUST):
        return False
    mine, theirs = asks & ~LEAP, other & ~LEAP
    if mine == theirs and condition == guard:
        return bool(other & ~asks & LEAP)  # of two alike the leap is shown
    return theirs & ~mine == 0
