"""Moves of a piece in a scene, walked from its automata square by square.

Each (state, square, captures, hurdles) is visited once, so a path that roams over an area costs as
much as the area is large, not as many as there are ways through it. Most paths carry nothing but
their state and square. These are followed as sets of squares, one bit a square, so that an area
costs hardly more than a line (`_Flood`); a path that takes or hops over a piece is followed by
itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from alfil.errors import BoardError, Finding
from alfil.geometry import BEYOND
from alfil.grid import grid_of
from alfil.meaning import automaton as masks
from alfil.meaning.automaton import (
    FRIEND,
    HOME,
    LETTERS,
    VACANT,
    Automaton,
    Record,
    State,
    turns_back,
    wraps,
)
from alfil.meaning.piece import Condition, ConditionKind, Guard, Meaning
from alfil.source import Source, Span
from alfil.squares import Square
from alfil.tables.scene import Offset, Scene


class Letters(NamedTuple):
    """The letters of an automaton that are true of a square, by what a path does there.

    It ends there quietly, or with a capture; it goes on, having taken something, over a hurdle, or
    with nothing to carry.
    """

    quiet: int
    ends: int
    takes: int
    hops: int
    passes: int


_STANDING = {kind: Letters(0, *letters) for kind, letters in LETTERS.items()}
_HOME = Letters(masks.ON_EMPTY, 0, 0, 0, masks.PAST_EMPTY)
_AWAY = Letters(masks.ON_EMPTY | masks.ON_AWAY, 0, 0, 0, masks.PAST_EMPTY | masks.PAST_AWAY)
_TRAIL = _AWAY._replace(ends=masks.ON_TRAIL, takes=masks.TAKE_TRAIL)


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
        taken = self.captures, self.hurdles, self.own_captures
        return self.to, *taken, self.trail, self.partner or (), self.guard

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
    """All moves of a piece in a scene; guards that do not hold are left out.

    In a plain diagram a way may leave it and come back.
    """
    return plainest(
        move
        for guard, automaton in meaning.parts
        if scene.holds(guard)
        for move in _part_moves(guard, automaton, scene)
        if scene.wraps or scene.shows(move.to)
    )


def plainest(moves: Iterable[PieceMove]) -> frozenset[PieceMove]:
    """The first in order of all moves that take and pass the same pieces."""
    found: dict[tuple[object, ...], PieceMove] = {}
    for move in moves:
        taken, passed = frozenset(move.captures), frozenset(move.hurdles)
        key = (move.to, taken, passed, move.trail, move.partner, move.guard)
        if key not in found or move < found[key]:
            found[key] = move
    return frozenset(found.values())


def _part_moves(guard: Guard, automaton: Automaton, scene: Scene) -> Iterator[PieceMove]:
    kinds = {condition.kind: condition for condition in guard}
    if not scene.wraps and turns_back(automaton):
        scene = scene.wider(BEYOND)
    for end in _ends(automaton, scene, kinds):
        move = _move(end, scene, guard, kinds)
        if move is not None:
            yield move


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
    return bool(keep & (_STANDING[standing].ends if standing in _STANDING else masks.ON_EMPTY))


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
        flood = _Flood(self._states, self._scene)
        yield from flood.ends()
        yield from self._followed(list(flood.burdened))

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
        if record[2] & masks.WRAP_BEGINS and self._scene.wraps:
            way = way._replace(origin=way.square)
        square = self._square(way, record)
        return ([], []) if square is None else self._met(way, record, square)

    def _square(self, way: Way, record: Record) -> Square | None:
        scene, wrap = self._scene, record[2]
        x, y = way.square[0] + record[0], way.square[1] + record[1]
        if wrap and scene.wraps:
            x %= scene.files
            if wrap & masks.WRAP_BOTH:
                y %= scene.ranks
            if (x, y) == way.origin and not wrap & masks.WRAP_SKIPS:
                return None
        if 0 <= x < scene.files and 0 <= y < scene.ranks:
            return (x, y)
        return None

    def _met(self, way: Way, record: Record, square: Square) -> tuple[list[End], list[Way]]:
        """What comes of the letters of a record that are true of its square."""
        letters = self._letters(square)
        _, _, captures, hurdles, passed, origin = way
        victim = self._scene.trail[square] if letters is _TRAIL else square
        taken = () if victim in captures else (*captures, victim)
        ended = []
        if record[3] & letters.quiet:
            ended.append(End(square, captures, hurdles, passed))
        if record[3] & letters.ends and taken:
            ended.append(End(square, taken, hurdles, passed))
        if self._tracing and square not in passed:
            passed = (*passed, square)
        onward = []
        for mask, target in record[4]:
            if mask & letters.takes and taken:
                onward.append(Way(target, square, taken, hurdles, passed, origin))
            if mask & letters.hops:
                hopped = hurdles if square in hurdles else (*hurdles, square)
                onward.append(Way(target, square, captures, hopped, passed, origin))
            if mask & letters.passes:
                onward.append(Way(target, square, captures, hurdles, passed, origin))
        return ended, onward

    def _letters(self, square: Square) -> Letters:
        scene = self._scene
        if square == scene.at:
            return _HOME
        standing = scene.contents.get(square, VACANT)
        if standing in _STANDING:
            return _STANDING[standing]
        return _TRAIL if square in scene.trail else _AWAY


class _Flood:
    """The paths through a scene that carry nothing, many at once; nothing in them may wrap.

    ``burdened`` are the paths that have just taken or hopped over their first piece.
    """

    def __init__(self, states: tuple[State, ...], scene: Scene) -> None:
        self._states = states
        self._scene = scene
        self._grid = grid = grid_of(scene.files, scene.ranks)
        self._home = grid.bit(scene.at)
        pieces = dict.fromkeys(LETTERS, 0)
        for square, standing in scene.contents.items():
            if standing != VACANT and square != scene.at:
                pieces[standing] |= grid.bit(square)
        vacant = grid.all & ~(pieces[masks.ENEMY] | pieces[masks.ROYAL] | pieces[masks.FRIEND])
        self._trail = sum(map(grid.bit, scene.trail)) & vacant & ~self._home
        # The squares of each class, and the letters that are true there.
        self._classes = [(squares, _STANDING[kind]) for kind, squares in pieces.items() if squares]
        self._classes += [
            (self._home, _HOME),
            (vacant & ~self._home & ~self._trail, _AWAY),
            (self._trail, _TRAIL),
        ]
        self._ended = self._taken = 0
        self.burdened: dict[Way, None] = {}

    def ends(self) -> Iterator[End]:
        """Follow every path until it ends or carries something."""
        done: dict[int, int] = {}
        pending = {0: self._home}
        while pending:
            index = next(iter(pending))
            fresh = pending.pop(index) & ~done.get(index, 0)
            if fresh:
                done[index] = done.get(index, 0) | fresh
                for record in self._states[index]:
                    self._follow(record, fresh, pending)
        for _, square in self._grid.squares(self._ended):
            yield End(square, (), (), ())
        for _, square in self._grid.squares(self._taken):
            yield End(square, (self._victim(square),), (), ())

    def _follow(self, record: Record, fresh: int, pending: dict[int, int]) -> None:
        if record[:3] == HOME:
            self._ended |= self._home
            return
        reached = self._grid.moved(fresh, record[:2])
        for squares, letters in self._classes if reached else ():
            if reached & squares:
                self._meet(record, reached & squares, letters, pending)

    def _meet(self, record: Record, met: int, letters: Letters, pending: dict[int, int]) -> None:
        if record[3] & letters.quiet:
            self._ended |= met
        if record[3] & letters.ends:
            self._taken |= met
        for mask, target in record[4]:
            if mask & letters.passes:
                pending[target] = pending.get(target, 0) | met
            if mask & (letters.takes | letters.hops):
                self._burden(met, mask & letters.takes, mask & letters.hops, target)

    def _burden(self, met: int, takes: int, hops: int, target: int) -> None:
        for _, square in self._grid.squares(met):
            if takes:
                self.burdened[Way(target, square, (self._victim(square),))] = None
            if hops:
                self.burdened[Way(target, square, (), (square,))] = None

    def _victim(self, square: Square) -> Square:
        """What is captured on a square: the piece there, or the one that has just passed it."""
        return self._scene.trail[square] if self._grid.bit(square) & self._trail else square
