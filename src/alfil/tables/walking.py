"""Moves of a piece in a scene, walked from its automata square by square.

Each (state, square, captures, hurdles) is visited once, so a path that roams over an area costs as
much as the area is large, not as many as there are ways through it. Most paths carry nothing but
their state and square. These are followed as sets of squares, one bit a square, so that an area
costs hardly more than a line (`Flood`); a path that takes or hops over a piece is followed by
itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from alfil.errors import BoardError, Finding
from alfil.grid import grid_of
from alfil.meaning.automaton import (
    HOME,
    LETTERS,
    ON_AWAY,
    ON_EMPTY,
    ON_TRAIL,
    PAST_AWAY,
    PAST_EMPTY,
    TAKE_TRAIL,
    WRAP_BEGINS,
    WRAP_BOTH,
    WRAP_SKIPS,
    Automaton,
    Record,
    State,
    wraps,
)
from alfil.meaning.piece import Condition, ConditionKind, Guard, Meaning
from alfil.source import Source, Span
from alfil.tables.scene import FRIEND, TRAIL, VACANT, Offset, Scene, Square

CLASSES = tuple(LETTERS)
ENDS_ON, TAKES, HOPS, IGNORES = zip(*LETTERS.values(), strict=True)
MARKED = TAKE_TRAIL | sum(TAKES) | sum(HOPS)


class Burdened(NamedTuple):
    """A path that has just taken or hopped over its first piece, and the state it goes on in."""

    state: int
    square: Square
    captures: tuple[Square, ...]
    hurdles: tuple[Square, ...]


class Flood:
    """An automaton let loose on a scene; nothing in it may wrap.

    After `spread`: ``ended`` are the squares on which moves end quietly, ``taken`` those on which
    they end with a capture, ``en_passant`` those on which they capture en passant, ``burdened`` the
    paths that carry something.
    """

    def __init__(self, states: tuple[State, ...], scene: Scene) -> None:
        self._states = states
        self._scene = scene
        self._grid = grid = grid_of(scene.files, scene.ranks)
        self._home = grid.bit(scene.at)
        pieces = [0, 0, 0]
        for square, standing in scene.contents.items():
            if standing != VACANT and square != scene.at:
                pieces[CLASSES.index(standing)] |= grid.bit(square)
        self._pieces = tuple(pieces)
        self._vacant = grid.all & ~(pieces[0] | pieces[1] | pieces[2])
        self._trail = sum(map(grid.bit, scene.trail)) & self._vacant & ~self._home
        self._pending: dict[int, int] = {0: self._home}
        self._ended = self._taken = self._en_passant = 0
        self._burdened: dict[Burdened, None] = {}

    @property
    def ended(self) -> Iterator[Square]:
        """The squares on which moves end quietly."""
        return (square for _, square in self._grid.squares(self._ended))

    @property
    def taken(self) -> Iterator[Square]:
        """The squares on which moves end with a capture."""
        return (square for _, square in self._grid.squares(self._taken))

    @property
    def en_passant(self) -> Iterator[Square]:
        """The squares on which moves end by capturing en passant."""
        return (square for _, square in self._grid.squares(self._en_passant))

    @property
    def burdened(self) -> list[Burdened]:
        """The paths that carry something, each once."""
        return list(self._burdened)

    def spread(self) -> Flood:
        """Follow every path until it ends or carries something."""
        done: dict[int, int] = {}
        pending = self._pending
        while pending:
            index = next(iter(pending))
            fresh = pending.pop(index) & ~done.get(index, 0)
            if fresh:
                done[index] = done.get(index, 0) | fresh
                for record in self._states[index]:
                    self._follow(record, fresh)
        return self

    def _follow(self, record: Record, fresh: int) -> None:
        dx, dy, _, emit, passes = record
        if record[:3] == HOME:
            self._ended |= self._home
            return
        reached = self._grid.moved(fresh, (dx, dy))
        if not reached:
            return
        if emit:
            self._end(reached, emit)
        for mask, target in passes:
            onward = self._past(reached, mask)
            if onward:
                self._pending[target] = self._pending.get(target, 0) | onward
            if mask & MARKED:
                self._burden(reached, mask, target)

    def _end(self, reached: int, emit: int) -> None:
        if emit & ON_EMPTY:
            self._ended |= reached & self._vacant
        elif emit & ON_AWAY:
            self._ended |= reached & self._vacant & ~self._home
        if emit & ON_TRAIL:
            self._en_passant |= reached & self._trail
        for bit, squares in zip(ENDS_ON, self._pieces, strict=True):
            if emit & bit:
                self._taken |= reached & squares

    def _past(self, reached: int, mask: int) -> int:
        """The squares a path goes on from with nothing to carry."""
        onward = 0
        if mask & PAST_EMPTY:
            onward = reached & self._vacant
        elif mask & PAST_AWAY:
            onward = reached & self._vacant & ~self._home
        for bit, squares in zip(IGNORES, self._pieces, strict=True):
            if mask & bit:
                onward |= reached & squares
        return onward

    def _burden(self, reached: int, mask: int, target: int) -> None:
        for take, hop, squares in zip(TAKES, HOPS, self._pieces, strict=True):
            met = reached & squares
            if mask & take:
                for _, square in self._grid.squares(met):
                    self._burdened[Burdened(target, square, (square,), ())] = None
            if mask & hop:
                for _, square in self._grid.squares(met):
                    self._burdened[Burdened(target, square, (), (square,))] = None
        if mask & TAKE_TRAIL:
            for _, square in self._grid.squares(reached & self._trail):
                victim = self._scene.trail[square]
                self._burdened[Burdened(target, square, (victim,), ())] = None


# Captures, hurdles and trails tell ways apart, so there can be more of them than could be listed:
# so many ways, and squares that they keep in mind, are looked at.
BURDEN_LIMIT = 200_000
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
        partner = self.partner or ()
        return (
            self.to,
            self.captures,
            self.hurdles,
            self.own_captures,
            self.trail,
            partner,
            self.guard,
        )

    @property
    def igui(self) -> bool:
        """Whether the piece ends where it began."""
        return self.to == (0, 0)


Kinds: TypeAlias = dict[ConditionKind, Condition]


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


def moves_in(meaning: Meaning, scene: Scene) -> frozenset[PieceMove]:
    """All moves of a piece in a scene; guards that do not hold are left out."""
    found: dict[tuple[object, ...], PieceMove] = {}
    for guard, automaton in meaning.parts:
        if not scene.holds(guard):
            continue
        kinds = {condition.kind: condition for condition in guard}
        for end in _ends(automaton, scene, kinds):
            move = _move(end, scene, guard, kinds)
            if move is not None:
                same = (move.to, frozenset(move.captures), frozenset(move.hurdles), move.trail)
                key = (*same, move.partner, guard)
                if key not in found or move < found[key]:
                    found[key] = move
    return frozenset(found.values())


def _ends(automaton: Automaton, scene: Scene, kinds: Kinds) -> Iterator[End]:
    walk = _Walk(automaton, scene, tracing=bool(kinds.keys() & {"trail", "middle"}))
    if "greedy" in kinds:
        keep = kinds["greedy"].value
        return (end for end in walk.farthest() if _kept(end, keep, scene))
    if "middle" in kinds:
        return (end for end in walk.ends() if _in_own_half(end, scene))
    return walk.ends()


def _kept(end: End, keep: int, scene: Scene) -> bool:
    """Whether a farthest stop is one of the ways to end that are left."""
    standing = scene.contents.get(end.square, VACANT)
    return bool(keep & (LETTERS[standing][0] if standing in LETTERS else ON_EMPTY))


def _in_own_half(end: End, scene: Scene) -> bool:
    """Whether the last square, or the one shot at from home, is in reach of a range of ``*``."""
    last, passed = end.square, end.passed
    if last == scene.at and end.captures:
        last, passed = end.captures[-1], end.passed[:-1]
    half = scene.ranks - scene.ranks % 2
    return not passed or all(2 * rank < half for _, rank in (*passed, last))


def _move(end: End, scene: Scene, guard: Guard, kinds: Kinds) -> PieceMove | None:
    partner = None
    castle = kinds.get("castle")
    if castle:
        side = 1 if end.square[0] > scene.at[0] else -1
        stands = scene.partner(side, castle.value, castle.inset)
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
        _offsets(end.passed, scene) if "trail" in kinds else (),
        partner,
        guard,
    )


def _offset(square: Square, scene: Scene) -> Offset:
    return (square[0] - scene.at[0], square[1] - scene.at[1])


def _offsets(squares: tuple[Square, ...], scene: Scene) -> tuple[Offset, ...]:
    return tuple(_offset(square, scene) for square in squares) if squares else ()


class _Walk:
    """One automaton let loose on one scene."""

    def __init__(self, automaton: Automaton, scene: Scene, *, tracing: bool) -> None:
        self._states = automaton.states
        self._scene = scene
        self._tracing = tracing

    def ends(self) -> Iterator[End]:
        """Every end of every path."""
        if self._tracing or wraps(self._states):
            yield from self._followed([Way(0, self._scene.at)])
            return
        flood = Flood(self._states, self._scene).spread()
        yield from (End(square, (), (), ()) for square in flood.ended)
        yield from (End(square, (square,), (), ()) for square in flood.taken)
        for square in flood.en_passant:
            yield End(square, (self._scene.trail[square],), (), ())
        yield from self._followed([Way(*burdened) for burdened in flood.burdened])

    def _followed(self, stack: list[Way]) -> Iterator[End]:
        """The ends of ways and of all that follow from them."""
        seen = set(stack)
        burden = 0
        while stack:
            way = stack.pop()
            burden += 1 + len(way.captures) + len(way.hurdles) + len(way.passed)
            if burden > BURDEN_LIMIT:
                raise BoardError([TOO_MANY_MOVES], Source("", "<board>"))
            for record in self._states[way.state]:
                ended, onward = self._step(way, record)
                yield from ended
                for each in onward:
                    if each not in seen:
                        seen.add(each)
                        stack.append(each)

    def farthest(self) -> Iterator[End]:
        """The ends of runs that can go no farther (rampage); runs are straight, so no loops."""
        for record in self._states[0]:
            yield from self._farthest(Way(0, self._scene.at), record)

    def _farthest(self, way: Way, record: Record) -> list[End]:
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
            return [End(self._scene.at, way.captures, way.hurdles, way.passed)], []
        scene = self._scene
        if record[2] & WRAP_BEGINS and scene.wraps:
            way = way._replace(origin=way.square)
        square = self._square(way, record)
        if square is None:
            return [], []
        home = square == scene.at
        standing = VACANT if home else scene.contents.get(square, VACANT)
        if standing == VACANT and not home and square in scene.trail:
            standing = TRAIL
        if standing in {VACANT, TRAIL}:
            return self._vacant(way, record, square, trail=standing == TRAIL)
        return self._occupied(way, record, square, LETTERS[standing])

    def _square(self, way: Way, record: Record) -> Square | None:
        scene, wrap = self._scene, record[2]
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

    def _vacant(
        self, way: Way, record: Record, square: Square, *, trail: bool
    ) -> tuple[list[End], list[Way]]:
        _, _, _, emit, passes = record
        home = square == self._scene.at
        ended = []
        if emit & ON_EMPTY or (emit & ON_AWAY and not home):
            ended.append(End(square, *way[2:5]))
        victim = self._scene.trail[square] if trail else square
        if trail and emit & ON_TRAIL and victim not in way.captures:
            ended.append(End(square, (*way.captures, victim), *way[3:5]))
        onward = []
        passed = self._passed(way, square)
        for mask, target in passes:
            if mask & PAST_EMPTY or (mask & PAST_AWAY and not home):
                onward.append(Way(target, square, way.captures, way.hurdles, passed, way.origin))
            if trail and mask & TAKE_TRAIL and victim not in way.captures:
                taken = (*way.captures, victim)
                onward.append(Way(target, square, taken, way.hurdles, passed, way.origin))
        return ended, onward

    def _passed(self, way: Way, square: Square) -> tuple[Square, ...]:
        """The squares passed, each once, as far as anybody asks."""
        if not self._tracing or square in way.passed:
            return way.passed
        return (*way.passed, square)

    def _occupied(
        self, way: Way, record: Record, square: Square, letters: tuple[int, int, int, int]
    ) -> tuple[list[End], list[Way]]:
        _, _, _, emit, passes = record
        on, take, over, thru = letters
        fresh = square not in way.captures
        ended = []
        if emit & on and fresh:
            ended.append(End(square, (*way.captures, square), *way[3:5]))
        onward = []
        passed = self._passed(way, square)
        for mask, target in passes:
            if mask & take and fresh:
                taken = (*way.captures, square)
                onward.append(Way(target, square, taken, way.hurdles, passed, way.origin))
            if mask & over:
                again = square in way.hurdles
                hurdles = way.hurdles if again else (*way.hurdles, square)
                onward.append(Way(target, square, way.captures, hurdles, passed, way.origin))
            if mask & thru:
                onward.append(Way(target, square, way.captures, way.hurdles, passed, way.origin))
        return ended, onward
