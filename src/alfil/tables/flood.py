"""Where a piece gets without taking or hopping over anything, all squares of a state at once.

Most paths carry nothing but their state and square. These are followed as sets of squares, one bit
a square, so that an area costs hardly more than a line; a path that takes or hops over a piece is
handed over as a way of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from alfil.meaning.automaton import (
    HOME,
    LETTERS,
    ON_AWAY,
    ON_EMPTY,
    ON_TRAIL,
    PAST_AWAY,
    PAST_EMPTY,
    TAKE_TRAIL,
    Record,
    State,
)
from alfil.tables.scene import VACANT, Scene, Square

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
        self._files = scene.files
        self._home = self._bit(scene.at)
        self._board = (1 << scene.files * scene.ranks) - 1
        self._columns: dict[int, int] = {}
        pieces = [0, 0, 0]
        for square, standing in scene.contents.items():
            if standing != VACANT and square != scene.at:
                pieces[CLASSES.index(standing)] |= self._bit(square)
        self._pieces = tuple(pieces)
        self._vacant = self._board & ~(pieces[0] | pieces[1] | pieces[2])
        self._trail = sum(map(self._bit, scene.trail)) & self._vacant & ~self._home
        self._pending: dict[int, int] = {0: self._home}
        self._ended = self._taken = self._en_passant = 0
        self._burdened: dict[Burdened, None] = {}

    @property
    def ended(self) -> Iterator[Square]:
        """The squares on which moves end quietly."""
        return self._squares(self._ended)

    @property
    def taken(self) -> Iterator[Square]:
        """The squares on which moves end with a capture."""
        return self._squares(self._taken)

    @property
    def en_passant(self) -> Iterator[Square]:
        """The squares on which moves end by capturing en passant."""
        return self._squares(self._en_passant)

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
        reached = self._moved(fresh, dx, dy)
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

    def _moved(self, squares: int, dx: int, dy: int) -> int:
        """The squares one step on, those off the board dropped."""
        column = self._columns.get(dx)
        if column is None:
            row = sum(1 << x for x in range(self._files) if 0 <= x + dx < self._files)
            column = sum(row << self._files * y for y in range(self._scene.ranks))
            self._columns[dx] = column
        shift = dy * self._files + dx
        squares &= column
        return (squares << shift if shift >= 0 else squares >> -shift) & self._board

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
                for square in self._squares(met):
                    self._burdened[Burdened(target, square, (square,), ())] = None
            if mask & hop:
                for square in self._squares(met):
                    self._burdened[Burdened(target, square, (), (square,))] = None
        if mask & TAKE_TRAIL:
            for square in self._squares(reached & self._trail):
                victim = self._scene.trail[square]
                self._burdened[Burdened(target, square, (victim,), ())] = None

    def _bit(self, square: Square) -> int:
        return 1 << square[1] * self._files + square[0]

    def _squares(self, bits: int) -> Iterator[Square]:
        while bits:
            low = bits & -bits
            bits ^= low
            rank, file = divmod(low.bit_length() - 1, self._files)
            yield (file, rank)
