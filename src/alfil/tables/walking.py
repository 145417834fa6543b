"""Moves of a piece in a scene, walked from its automata square by square.

Each (state, square, captures, hurdles) is visited once, so a path that roams over an area costs as
much as the area is large, not as many as there are ways through it. Most paths carry nothing but
their state and square. These are followed as sets of squares, one bit a square, so that an area
costs hardly more than a line (`_Flood`); a path that takes or hops over a piece is followed by
itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain

from alfil.effort import spend, task
from alfil.errors import BoardError, Finding
from alfil.frozen import NamedTuple, dataclass
from alfil.geometry import BEYOND
from alfil.grid import grid_of
from alfil.meaning.automaton import (
    AT_HOME,
    ENEMY,
    FRIEND,
    HOME,
    ROYAL,
    TRAIL,
    VACANT,
    WRAP_BEGINS,
    WRAP_BOTH,
    WRAP_SKIPS,
    Automaton,
    Record,
    State,
    ending,
    passing,
    turns_back,
    wraps,
)
from alfil.meaning.piece import Guard, Meaning, Part, own_half
from alfil.meaning.situation import Mode, leaves, mode_of
from alfil.source import Source, Span
from alfil.squares import Square
from alfil.tables.scene import Offset, Scene

# Captures, hurdles and trails tell ways apart, so there can be more of them than could be listed:
# this work is done at most.
MOST_WORK = 80_000
# To make a move of the end of a way takes so many times as long as to look at a record.
TOLD = 3
TOO_MANY_MOVES = Finding(
    "too-many-moves",
    "on this board there are more ways, capturing or passing differently, than can be listed",
    (Span(0, 0),),
    "a smaller board, or fewer pieces on it",
)


@dataclass(frozen=True, slots=True)
class PieceMove:
    """One move, all squares as offsets (dx, dy) from where the piece stands.

    ``to`` is (0, 0) when the piece ends where it began. ``captures`` are the captured pieces in
    the order they are met, ``own_captures`` those of them that are the mover's own. ``hurdles``
    are pieces that had to be passed over. ``trail`` are the squares on which the piece may now be
    captured en passant. ``partner`` is where a castling partner comes from and goes to. ``guard``
    is what the move depends on besides the board. Moves sort by their destination.
    """

    to: Offset
    captures: tuple[Offset, ...] = ()
    hurdles: tuple[Offset, ...] = ()
    own_captures: tuple[Offset, ...] = ()
    trail: tuple[Offset, ...] = ()
    partner: tuple[Offset, Offset] | None = None
    guard: Guard = ()

    def __lt__(self, other: PieceMove) -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[object, ...]:
        taken = self.captures, self.hurdles, self.own_captures
        return self.to, *taken, self.trail, self.partner or (), self.guard

    @property
    def igui(self) -> bool:
        """Whether the piece ends where it began."""
        return self.to == (0, 0)


class Way(NamedTuple):
    """A path as far as it has come; ``origin`` is where a leg on a wrapped board began."""

    state: int
    square: Square
    captures: tuple[Square, ...] = ()
    hurdles: tuple[Square, ...] = ()
    passed: tuple[Square, ...] = ()
    origin: Square | None = None


class End(NamedTuple):
    """A path that has ended, and the squares it took and passed."""

    square: Square
    captures: tuple[Square, ...]
    hurdles: tuple[Square, ...]
    passed: tuple[Square, ...]


class Apart(NamedTuple):
    """Moves of a piece; of those that just go to a square, only that.

    ``quiet`` are these squares as offsets, by guard; ``others`` are all other moves.
    """

    others: frozenset[PieceMove]
    quiet: Mapping[Guard, list[Offset]]


class _TooMany(Exception):
    """There are too many ways to list the moves."""


@contextmanager
def listing() -> Iterator[None]:
    """A list of moves; `BoardError` where there are too many."""
    try:
        with task(MOST_WORK, _TooMany):
            yield
    except _TooMany:
        raise BoardError([TOO_MANY_MOVES], Source("", "<board>")) from None


def moves_in(meaning: Meaning, scene: Scene, *, quiet: bool = True) -> frozenset[PieceMove]:
    """All moves of a piece in a scene; guards that do not hold are left out.

    Not ``quiet``: those alone that capture, and some others.
    """
    with listing():
        return plainest(
            move
            for guard, automaton in meaning.parts
            if scene.holds(guard)
            for move in part_moves(guard, automaton, scene, quiet=quiet)
        )


def moves_apart(meaning: Meaning, scene: Scene) -> Apart:
    """What `moves_in` finds, without a move for each square that the piece just goes to."""
    quiet: dict[Guard, list[Offset]] = {}
    others: list[PieceMove] = []
    with listing():
        for guard, automaton in meaning.parts:
            if not scene.holds(guard):
                continue
            mode = mode_of(guard)
            if mode.trail or not mode.plain or _goes(automaton).round:
                others += part_moves(guard, automaton, scene)
                continue
            walk = _Walk(automaton, _around(automaton, scene, mode), tracing=False)
            squares, ends = walk.apart()
            spend(TOLD * len(squares))
            quiet[guard] = squares if walk.scene is scene else [*filter(scene.shows, squares)]
            others += _made(ends, guard, mode, walk.scene, scene)
        return Apart(plainest(others), quiet)


def plainest(moves: Iterable[PieceMove]) -> frozenset[PieceMove]:
    """The first in order of all moves that take and pass the same pieces."""
    found: dict[tuple[object, ...], PieceMove] = {}
    for move in moves:
        taken, passed = frozenset(move.captures), frozenset(move.hurdles)
        key = (move.to, taken, passed, move.trail, move.partner, move.guard)
        if key not in found or move < found[key]:
            found[key] = move
    return frozenset(found.values())


def part_moves(
    guard: Guard, automaton: Automaton, scene: Scene, *, quiet: bool = True
) -> Iterator[PieceMove]:
    """The moves of one part, whether its guard holds or not; ``quiet`` is as for `moves_in`.

    In a plain diagram a way may leave it and come back, but for one that leaves a trail: of those
    there would be more than can be listed.
    """
    mode = mode_of(guard)
    around = _around(automaton, scene, mode)
    yield from _made(_ends(automaton, around, mode, quiet=quiet), guard, mode, around, scene)


def _around(automaton: Automaton, scene: Scene, mode: Mode) -> Scene:
    """The scene that a part is walked in: a plain diagram with room where a way may leave it."""
    leaves = not (scene.wraps or mode.trail) and _goes(automaton).back
    return scene.wider(BEYOND) if leaves else scene


class _Goes(NamedTuple):
    """Whether some way of an automaton goes round a wrapped board, and whether one comes back."""

    round: bool
    back: bool


# One piece is looked at in many scenes.
@lru_cache(maxsize=64)
def _goes(automaton: Automaton) -> _Goes:
    return _Goes(wraps(automaton.states), turns_back(automaton))


def _made(
    ends: Iterable[End], guard: Guard, mode: Mode, around: Scene, scene: Scene
) -> Iterator[PieceMove]:
    """The moves that ends of ways are, those that stay on the board."""
    for end in ends:
        spend(TOLD)
        move = _move(end, around, guard, mode)
        if move is not None and (scene.wraps or scene.shows(move.to)):
            yield move


def _ends(automaton: Automaton, scene: Scene, mode: Mode, *, quiet: bool) -> Iterator[End]:
    walk = _Walk(automaton, scene, tracing=mode.trail or mode.middle)
    if mode.greedy >= 0:
        return (end for end in walk.farthest() if leaves(mode, end.captures))
    if mode.middle:
        return (end for end in walk.ends() if _in_own_half(end, scene))
    return walk.ends(quiet=quiet)


def _in_own_half(end: End, scene: Scene) -> bool:
    """Whether the last square, or the one shot at from home, is in reach of a range of ``*``."""
    last, passed = end.square, end.passed
    if last == scene.at and end.captures:
        last, passed = end.captures[-1], end.passed[:-1]
    half = own_half(scene.ranks)
    return not passed or all(rank < half for _, rank in (*passed, last))


def _move(end: End, scene: Scene, guard: Guard, mode: Mode) -> PieceMove | None:
    partner = None
    if mode.castle:
        side = 1 if end.square[0] > scene.at[0] else -1
        stands = scene.partner(side, *mode.castle)
        if stands is None:
            return None
        joins = (end.square[0] - side, end.square[1])
        partner = (_offset(stands, scene), _offset(joins, scene))
    own = tuple(square for square in end.captures if scene.contents.get(square) == FRIEND)
    return PieceMove(
        _offset(end.square, scene),
        _offsets(end.captures, scene),
        _offsets(end.hurdles, scene),
        _offsets(own, scene),
        _offsets(end.passed, scene) if mode.trail else (),
        partner,
        guard,
    )


def _offset(square: Square, scene: Scene) -> Offset:
    return (square[0] - scene.at[0], square[1] - scene.at[1])


def _offsets(squares: tuple[Square, ...], scene: Scene) -> tuple[Offset, ...]:
    return tuple(_offset(square, scene) for square in squares) if squares else ()


def way_to(part: Part, scene: Scene, target: Square) -> frozenset[Square]:
    """The squares of a short way to capture on a square, both ends among them.

    Nothing is captured or hopped over before. There are none where there is no such way, and where
    more than what stands on its squares would decide.
    """
    guard, automaton = part
    if not mode_of(guard).plain or wraps(automaton.states):
        return frozenset()
    return _Flood(automaton.states, scene).way_to(target)


class _Walk:
    """One automaton let loose on one scene."""

    def __init__(self, automaton: Automaton, scene: Scene, *, tracing: bool) -> None:
        self._states = automaton.states
        self.scene = scene
        self._tracing = tracing

    def ends(self, *, quiet: bool = True) -> Iterator[End]:
        """Every end of every path; not ``quiet``: not of all that capture nothing."""
        if self._tracing or wraps(self._states):
            yield from self._followed([Way(0, self.scene.at)])
            return
        flood = _Flood(self._states, self.scene)
        flood.spread()
        yield from flood.ends(quiet=quiet)
        yield from self._followed([*flood.burdened])

    def apart(self) -> tuple[list[Offset], Iterator[End]]:
        """The squares that paths end on which carry nothing, as offsets; and all other ends."""
        flood = _Flood(self._states, self.scene)
        flood.spread()
        return flood.quiet(), chain(flood.ends(quiet=False), self._followed([*flood.burdened]))

    def _followed(self, stack: list[Way]) -> Iterator[End]:
        """The ends of ways and of all that follow from them."""
        seen = set(stack)
        while stack:
            way = stack.pop()
            state = self._states[way.state]
            spend(len(state) + len(way.captures) + len(way.hurdles) + len(way.passed))
            for record in state:
                ended, onward = self._step(way, record)
                yield from ended
                for each in onward:
                    if each not in seen:
                        seen.add(each)
                        stack.append(each)

    def farthest(self) -> Iterator[End]:
        """The ends of runs that can go no farther (rampage); runs are straight, so no loops."""
        for record in self._states[0]:
            yield from self._farthest(Way(0, self.scene.at), record)

    def _farthest(self, way: Way, record: Record) -> list[End]:
        spend(1)
        ended, onward = self._step(way, record)
        beyond = [
            end
            for each in onward
            for after in self._states[each.state]
            for end in self._farthest(each, after)
        ]
        return beyond or ended

    def _step(self, way: Way, record: Record) -> tuple[list[End], list[Way]]:
        """What one record leads to: ends of the move, and ways to go on."""
        if record[:3] == HOME:
            return [End(self.scene.at, way.captures, way.hurdles, way.passed)], []
        if record[2] & WRAP_BEGINS and self.scene.wraps:
            way = way._replace(origin=way.square)
        square = self._square(way, record)
        return ([], []) if square is None else self._met(way, record, square)

    def _square(self, way: Way, record: Record) -> Square | None:
        scene, wrap = self.scene, record[2]
        x, y = way.square[0] + record[0], way.square[1] + record[1]
        if wrap and scene.wraps:
            x %= scene.files
            if wrap & WRAP_BOTH:
                y %= scene.ranks
            if (x, y) == way.origin and not wrap & WRAP_SKIPS:
                return None
        if 0 <= x < scene.files and 0 <= y < scene.ranks:
            return (x, y)
        return None

    def _met(self, way: Way, record: Record, square: Square) -> tuple[list[End], list[Way]]:
        """What comes of the letters of a record that are true of its square."""
        standing = self._standing(square)
        _, _, captures, hurdles, passed, origin = way
        victim = self.scene.trail[square] if standing == TRAIL else square
        taken = () if victim in captures else (*captures, victim)
        ended = []
        quiet, captured = ending(record[3])
        if quiet & standing:
            ended.append(End(square, captures, hurdles, passed))
        if captured & standing and taken:
            ended.append(End(square, taken, hurdles, passed))
        if self._tracing and square not in passed:
            passed = (*passed, square)
        onward = []
        for mask, target in record[4]:
            by, over, take = passing(mask)
            if take & standing and taken:
                onward.append(Way(target, square, taken, hurdles, passed, origin))
            if over & standing:
                hopped = hurdles if square in hurdles else (*hurdles, square)
                onward.append(Way(target, square, captures, hopped, passed, origin))
            if by & standing:
                onward.append(Way(target, square, captures, hurdles, passed, origin))
        return ended, onward

    def _standing(self, square: Square) -> int:
        scene = self.scene
        if square == scene.at:
            return AT_HOME
        standing = scene.contents.get(square, VACANT)
        return TRAIL if standing == VACANT and square in scene.trail else standing


class _Flood:
    """The paths through a scene that carry nothing, many at once; nothing in them may wrap.

    ``burdened`` are the paths that have just taken or hopped over their first piece.
    """

    def __init__(self, states: tuple[State, ...], scene: Scene) -> None:
        self._states = states
        self._scene = scene
        self._grid = grid = grid_of(scene.files, scene.ranks)
        self._home = grid.bit(scene.at)
        # What is of no class is in every way, and never captured.
        pieces = dict.fromkeys((0, ENEMY, ROYAL, FRIEND), 0)
        for square, standing in scene.contents.items():
            if standing != VACANT and square != scene.at:
                pieces[standing] |= grid.bit(square)
        vacant = grid.all & ~(self._home | sum(pieces.values()))
        self._trail = sum(map(grid.bit, scene.trail)) & vacant
        # The squares of each class, which share none, and of several classes together.
        vacant &= ~self._trail
        self._classes = {**pieces, VACANT: vacant, TRAIL: self._trail, AT_HOME: self._home}
        self._endings: dict[int, tuple[int, int]] = {}
        self._passings: dict[int, tuple[int, int, int]] = {}
        self._ended = self._taken = 0
        self.burdened: dict[Way, None] = {}

    def spread(self) -> None:
        """Follow every path until it ends or carries something."""
        done: dict[int, int] = {}
        pending = {0: self._home}
        while pending:
            index = next(iter(pending))
            fresh = pending.pop(index) & ~done.get(index, 0)
            if fresh:
                done[index] = done.get(index, 0) | fresh
                spend(len(self._states[index]))
                for record in self._states[index]:
                    self._follow(record, fresh, pending)

    def quiet(self) -> list[Offset]:
        """The squares that a path has just gone to, as offsets."""
        scene = self._scene
        return grid_of(scene.files, scene.ranks, *scene.at).squares(self._ended)

    def ends(self, *, quiet: bool) -> Iterator[End]:
        """The ends of the paths followed; not ``quiet``: of those that capture there."""
        for square in self._grid.squares(self._ended if quiet else 0):
            yield End(square, (), (), ())
        for square in self._grid.squares(self._taken):
            yield End(square, (self._victim(square),), (), ())

    def way_to(self, target: Square) -> frozenset[Square]:
        """The squares of a shortest path that takes what is on a square and nothing before."""
        done: dict[int, int] = {}
        layers = [{0: self._home}]
        while not self._taken & self._grid.bit(target):
            if not layers[-1]:
                return frozenset()
            pending: dict[int, int] = {}
            for index, fresh in layers[-1].items():
                spend(len(self._states[index]))
                for record in self._states[index]:
                    self._follow(record, fresh, pending)
            for index, fresh in layers[-1].items():
                done[index] = done.get(index, 0) | fresh
            layers.append({i: new for i, all in pending.items() if (new := all & ~done.get(i, 0))})
        return frozenset(self._back(target, layers[:-1]))

    def _back(self, target: Square, layers: list[dict[int, int]]) -> Iterator[Square]:
        """The squares of a path that takes something there after as many steps as layers."""
        yield target
        index, onto = -1, target
        for layer in reversed(layers):
            index, onto = next(
                (each, square)
                for each, fresh in layer.items()
                for record in self._states[each]
                if self._goes_on(record, onto, index)
                for square in [(onto[0] - record[0], onto[1] - record[1])]
                if self._grid.holds(square) and fresh & self._grid.bit(square)
            )
            yield onto

    def _goes_on(self, record: Record, square: Square, index: int) -> bool:
        """Whether a step onto a square goes on with a state, or takes what is there for -1."""
        bit = self._grid.bit(square)
        if index < 0:
            return bool(bit & (self._endings.get(record[3]) or self._ending(record[3]))[1])
        return any(onward == index and bit & self._passing(mask)[0] for mask, onward in record[4])

    def _follow(self, record: Record, fresh: int, pending: dict[int, int]) -> None:
        dx, dy, wrap, emit, passes = record
        if not (dx or dy or wrap):
            self._ended |= self._home
            return
        reached = self._grid.moved(fresh, (dx, dy))
        if not reached:
            return
        if emit:
            quiet, captured = self._endings.get(emit) or self._ending(emit)
            self._ended |= reached & quiet
            self._taken |= reached & captured
        for mask, target in passes:
            by, over, take = self._passings.get(mask) or self._passing(mask)
            if passed := reached & by:
                pending[target] = pending.get(target, 0) | passed
            if reached & (over | take):
                self._burden(reached & take, reached & over, target)

    def _ending(self, emit: int) -> tuple[int, int]:
        """The squares that a move may end on, without a capture there and with one."""
        quiet, captured = map(self._squares, ending(emit))
        self._endings[emit] = quiet, captured
        return quiet, captured

    def _passing(self, mask: int) -> tuple[int, int, int]:
        """The squares that a path may go on from, as `passing` has them."""
        by, over, take = map(self._squares, passing(mask))
        self._passings[mask] = by, over, take
        return by, over, take

    def _squares(self, mask: int) -> int:
        """The squares on which something of the mask stands."""
        return sum([squares for kind, squares in self._classes.items() if kind & mask])

    def _burden(self, taken: int, hopped: int, target: int) -> None:
        for square in self._grid.squares(taken):
            self.burdened[Way(target, square, (self._victim(square),))] = None
        for square in self._grid.squares(hopped):
            self.burdened[Way(target, square, (), (square,))] = None

    def _victim(self, square: Square) -> Square:
        """What is captured on a square: the piece there, or the one that has just passed it."""
        return self._scene.trail[square] if self._grid.bit(square) & self._trail else square
