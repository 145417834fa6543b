"""How much two pieces are alike: the moves they have in common on three fixed boards.

The boards are 15 by 15 with the piece in the middle. On the first it is alone and has not moved;
on the second pieces of its own side stand on the eight squares around it; on the third enemies
stand on every square an even number of files and of ranks away. A move is where it ends, what it
captures, what it has to pass over, and what it leaves behind.

The boards look the same in a mirror and turned by a quarter, so the moves of a turned piece are
the moves of the piece, turned.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TypeAlias

from alfil.errors import BoardError
from alfil.meaning.compare import same_meaning
from alfil.meaning.normal import Turn, at, turned
from alfil.meaning.piece import Meaning
from alfil.tables.scene import ENEMY, FRIEND, Scene
from alfil.tables.walking import PieceMove, moves_in

MIDDLE = 7
SIZE = 2 * MIDDLE + 1

Offset: TypeAlias = tuple[int, int]
# Where it ends, then captures, hurdles, trail and a castling partner's way, each as a set.
Shown: TypeAlias = tuple[Offset, frozenset[Offset], frozenset[Offset], frozenset[Offset], Offset]
View: TypeAlias = frozenset[Shown]


def _scenes() -> tuple[Scene, ...]:
    middle = (MIDDLE, MIDDLE)
    others = [(x, y) for x in range(SIZE) for y in range(SIZE) if (x, y) != middle]
    near = {(x, y): FRIEND for x, y in others if max(abs(x - MIDDLE), abs(y - MIDDLE)) == 1}
    even = {(x, y): ENEMY for x, y in others if (x - MIDDLE) % 2 == 0 == (y - MIDDLE) % 2}
    return (
        Scene(SIZE, SIZE, middle, {}, moves_made=0, third_rank=True),
        Scene(SIZE, SIZE, middle, near),
        Scene(SIZE, SIZE, middle, even),
    )


SCENES = _scenes()
NO_SQUARE = (0, 0)


class Likeness:
    """A meaning and what it does on the three boards, worked out when it is asked for."""

    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning.without_facts()

    @cached_property
    def alone(self) -> View | None:
        """The moves on the empty board, or None where there are too many to list."""
        return _view(self.meaning, SCENES[0])

    @cached_property
    def views(self) -> tuple[View | None, ...]:
        """The moves on each board."""
        return (self.alone, *(_view(self.meaning, scene) for scene in SCENES[1:]))

    def same(self, other: Likeness) -> bool:
        """Whether it is the same piece, by equality of meaning; facts are left aside."""
        if self.meaning == other.meaning:
            return True
        alike = _may_be_same(self.alone, other.alone)
        return alike and self._all_alike(other) and same_meaning(self.meaning, other.meaning)

    def _all_alike(self, other: Likeness) -> bool:
        return all(map(_may_be_same, self.views, other.views))

    def turned(self, turn: Turn) -> Likeness | None:
        """The piece turned; None where it is the same piece, or where no piece is that one."""
        seen = tuple(view if view is None else _turned(view, turn) for view in self.views)
        if None not in seen and seen == self.views:
            return None
        meaning = turned(self.meaning, turn)
        if meaning is None:
            return None
        found = Likeness(meaning)
        found.alone, found.views = seen[0], seen
        return found

    def shared(self, other: Likeness) -> tuple[int, int]:
        """How many moves both have, and how many there are that either has."""
        pairs = [(a, b) for a, b in zip(self.views, other.views, strict=True) if a is not None]
        known = [(a, b) for a, b in pairs if b is not None]
        return sum(len(a & b) for a, b in known), sum(len(a | b) for a, b in known)

    def within(self, other: Likeness) -> bool:
        """Whether all its moves on the three boards are moves of the other."""
        pairs = zip(self.views, other.views, strict=True)
        return all(a is not None and b is not None and a <= b for a, b in pairs)


def _may_be_same(left: View | None, right: View | None) -> bool:
    return left is None or right is None or left == right


def _view(meaning: Meaning, scene: Scene) -> View | None:
    try:
        return frozenset(map(_shown, moves_in(meaning, scene)))
    except BoardError:
        return None


def _shown(move: PieceMove) -> Shown:
    partner = move.partner[1] if move.partner else NO_SQUARE
    sets = (frozenset(squares) for squares in (move.captures, move.hurdles, move.trail))
    return (move.to, *sets, partner)  # type: ignore[return-value]  # three sets


def _turned(view: View, turn: Turn) -> View:
    def each(squares: Iterable[Offset]) -> frozenset[Offset]:
        return frozenset(at(turn, *square) for square in squares)

    return frozenset(
        (at(turn, *to), each(captures), each(hurdles), each(trail), at(turn, *partner))
        for to, captures, hurdles, trail, partner in view
    )
