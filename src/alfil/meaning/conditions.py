"""What a step asks of the square it comes to, for what stands there, and what it does.

A position is known in part: each square may hold what its *domain* says, a mask of classes. A step
of a path narrows the domain of its square, and adds to the effect of the move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from alfil.geometry import REACH
from alfil.meaning.automaton import (
    ENEMY,
    FRIEND,
    HOME,
    LETTERS,
    ON_AWAY,
    ON_EMPTY,
    ON_TRAIL,
    PAST_AWAY,
    PAST_EMPTY,
    ROYAL,
    TAKE_TRAIL,
    TRAIL,
    VACANT,
    WRAP_BOTH,
    Record,
)
from alfil.meaning.piece import Guard

Offset: TypeAlias = tuple[int, int]
Domains: TypeAlias = Mapping[Offset, int]

# A friend that a king can castle with, and otherwise like any other.
UNMOVED = 64
FREE = VACANT | TRAIL
OWN = FRIEND | UNMOVED
ANYTHING = VACANT | ENEMY | ROYAL | FRIEND | TRAIL | UNMOVED
# The order in which a class is chosen for a square that may hold several.
CLASSES = (VACANT, ENEMY, FRIEND, ROYAL, TRAIL, UNMOVED)

_KINDS = (
    (ENEMY, *LETTERS[ENEMY]),
    (ROYAL, *LETTERS[ROYAL]),
    (OWN, *LETTERS[FRIEND]),
    (TRAIL, ON_TRAIL, TAKE_TRAIL, 0, 0),
)
NONE: frozenset[Offset] = frozenset()
START: Offset = (0, 0)


class Effect(NamedTuple):
    """All that makes a move the move it is: two paths with the same effect are one move."""

    to: Offset = START
    captures: frozenset[Offset] = NONE
    hurdles: frozenset[Offset] = NONE
    trail: frozenset[Offset] = NONE
    partner: tuple[Offset, Offset] | None = None


class Mode(NamedTuple):
    """What a part's guard says of its moves, whenever they may be made.

    ``castle`` is (files the king goes, inset of the partner); ``greedy`` the ways to end that a run
    as far as it can has left, -1 for no such run.
    """

    trail: bool = False
    castle: tuple[int, int] | None = None
    middle: bool = False
    greedy: int = -1

    @property
    def plain(self) -> bool:
        """Whether nothing counts but what stands on the squares of the path."""
        return self.castle is None and not self.middle and self.greedy < 0


def mode_of(guard: Guard) -> Mode:
    """The mode of a part under a guard."""
    kinds = {condition.kind: condition for condition in guard}
    castle, greedy = kinds.get("castle"), kinds.get("greedy")
    return Mode(
        "trail" in kinds,
        (castle.value, castle.inset) if castle else None,
        "middle" in kinds,
        greedy.value if greedy else -1,
    )


class Board(NamedTuple):
    """The squares on each side of the piece; ``wraps`` is whether wrapped steps go round."""

    west: int = REACH
    east: int = REACH
    south: int = REACH
    north: int = REACH
    wraps: bool = False

    @property
    def files(self) -> int:
        """The number of files."""
        return self.west + self.east + 1

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return self.south + self.north + 1

    def step(self, at: Offset, record: Record) -> Offset | None:
        """The square a record leads to, None off the board."""
        x, y = at[0] + record[0], at[1] + record[1]
        if record[2] and self.wraps:
            x = (x + self.west) % self.files - self.west
            if record[2] & WRAP_BOTH:
                y = (y + self.south) % self.ranks - self.south
        inside = -self.west <= x <= self.east and -self.south <= y <= self.north
        return (x, y) if inside else None


# Larger than any board: every path fits, and steps that wrap are plain steps.
OPEN = Board()


def hull(domains: Domains) -> Board:
    """The smallest board that has the piece and all these squares."""
    files = [x for x, _ in domains]
    ranks = [y for _, y in domains]
    return Board(
        max(0, -min(files, default=0)),
        max(0, max(files, default=0)),
        max(0, -min(ranks, default=0)),
        max(0, max(ranks, default=0)),
    )


class Ended(NamedTuple):
    """A way to end on a square: what may stand there, and the effect of the whole move."""

    mask: int
    effect: Effect


class Onward(NamedTuple):
    """A way to go on from a square: what may stand there, the effect so far, the next state."""

    mask: int
    effect: Effect
    target: int


def endings(record: Record, where: Offset, effect: Effect) -> list[Ended]:
    """The ways in which a step may end the move on the square it comes to."""
    emit = record[3]
    if record[:3] == HOME:
        return [Ended(ANYTHING, effect._replace(to=START))]
    if not emit:
        return []
    if where == START:
        return [Ended(ANYTHING, effect._replace(to=START))] if emit & ON_EMPTY else []
    found = []
    if emit & (ON_EMPTY | ON_AWAY):
        found.append(Ended(FREE, effect._replace(to=where)))
    mask = sum(kind for kind, on, _, _, _ in _KINDS if emit & on)
    if mask and where not in effect.captures:
        taking = effect._replace(to=where, captures=effect.captures | {where})
        found.append(Ended(mask, taking))
    return found


def passages(record: Record, where: Offset, effect: Effect, mode: Mode) -> list[Onward]:
    """The ways in which a path may go on after a step."""
    if mode.trail and record[4]:
        effect = effect._replace(trail=effect.trail | {where})
    if where == START:
        return [Onward(ANYTHING, effect, target) for mask, target in record[4] if mask & PAST_EMPTY]
    found = []
    for mask, target in record[4]:
        by = FREE if mask & (PAST_EMPTY | PAST_AWAY) else 0
        by |= sum(kind for kind, _, _, _, thru in _KINDS if mask & thru)
        if by:
            found.append(Onward(by, effect, target))
        over = sum(kind for kind, _, _, hop, _ in _KINDS if mask & hop)
        if over:
            hopping = effect._replace(hurdles=effect.hurdles | {where})
            found.append(Onward(over, hopping, target))
        take = sum(kind for kind, _, taken, _, _ in _KINDS if mask & taken)
        if take and where not in effect.captures:
            taking = effect._replace(captures=effect.captures | {where})
            found.append(Onward(take, taking, target))
    return found
