"""What a diagram shows: for every square how a move may end there, and what it passes on its way.

These are the marks themselves, before they have a form; `alfil.diagrams.walk` makes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag
from functools import cached_property
from typing import NamedTuple, TypeAlias

from alfil.geometry import Coordinates
from alfil.meaning.piece import Guard

Offset: TypeAlias = tuple[int, int]


class Bits(Flag):
    """A set of flags. Equal ones are one object, so that it is hashed as such, which is quick."""

    __hash__ = object.__hash__


class Ends(Bits):
    """The ways a move may end on a square. ROYAL: only a royal enemy may be captured there."""

    MOVE = 1
    CAPTURE = 2
    ROYAL = 4
    OWN = 8
    EN_PASSANT = 16


class Asks(Bits):
    """What a way asks of the squares before its last one.

    LEAP: some are skipped, whatever stands there. CLEAR: some must be empty. HURDLE: on some a
    piece must stand and stays. LOCUST: on some a piece is captured. BEHIND: the last one is such a
    hurdle.
    """

    LEAP = 1
    CLEAR = 2
    HURDLE = 4
    LOCUST = 8
    BEHIND = 16


class Passed(Bits):
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


class Standing(Enum):
    """What else stands on a square of a position; TRAIL: it can be captured on en passant."""

    ENEMY = 0
    FRIEND = 1
    ENEMY_ROYAL = 2
    UNMOVED_FRIEND = 3
    TRAIL = 4


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


class Way(NamedTuple):
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


@dataclass(frozen=True)
class Marks:
    """A diagram before it has a form; squares by offset (dx, dy), (0, 0) for ending at home.

    ``standing`` has the other pieces, where the diagram is of one position. ``coordinates`` are
    those of a real board.
    """

    window: Window
    squares: Mapping[Offset, Mark]
    arrows: tuple[Arrow, ...]
    remarks: Remark
    standing: Mapping[Offset, Standing] = field(default_factory=dict)
    coordinates: Coordinates = "chess"

    @cached_property
    def alike(self) -> list[tuple[Mark, list[Offset]]]:
        """The marks away from home, each with the squares it is on."""
        found: dict[int, tuple[Mark, list[Offset]]] = {}
        for at, mark in self.squares.items():
            if at == (0, 0):
                continue
            held = found.get(id(mark))
            if held is None:
                found[id(mark)] = (mark, [at])
            else:
                held[1].append(at)
        return list(found.values())

    def reach(self) -> int:
        """How far from the piece the farthest mark is."""
        return max((max(abs(x), abs(y)) for x, y in self.squares), default=0)
