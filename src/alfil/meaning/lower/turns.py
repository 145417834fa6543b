"""Where the next leg may turn to, in the words of each notation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from alfil.geometry import Vector, is_oblique, wind
from alfil.meaning.itinerary import Memory, Ways
from alfil.movement.nodes import Bend
from alfil.movement.turning import (
    BACK,
    RIGHT_ANGLE,
    STRAIGHT,
    Sense,
    bend_between,
    headings,
    latest_bend,
    path_ways,
    signed,
)


class ChainTurn(NamedTuple):
    """A later leg of a Betza chain: places clockwise from the way of travel; the atom converts.

    ``places`` None is every way but straight back.
    """

    places: tuple[int, ...] | None = None
    sense: Sense = "any"

    def ways(self, travelled: Vector, memory: Memory, vectors: tuple[Vector, ...]) -> Ways:
        """The vector of the last step, turned."""
        del vectors
        turn = Bend(self.places, self.sense)
        for vector, bend in headings(turn, travelled, memory.bend):
            yield (vector,), memory._replace(bend=bend)


class PathTurn(NamedTuple):
    """A later leg of a Betza path: outward, or places from the way of travel; no conversion."""

    places: tuple[int, ...] | None = None
    sense: Sense = "any"

    def ways(self, travelled: Vector, memory: Memory, vectors: tuple[Vector, ...]) -> Ways:
        """Those of the leg's own directions that fit."""
        found = path_ways(travelled, memory.bend, vectors, self.places, self.sense)
        for vector, bend in found:
            yield (vector,), memory._replace(bend=bend)


class Straight:
    """The next leg's directions are already chosen."""

    def ways(self, travelled: Vector, memory: Memory, vectors: tuple[Vector, ...]) -> Ways:
        """All of them, as given."""
        bend = bend_between(travelled, vectors[0])
        yield vectors, memory._replace(bend=latest_bend(memory.bend, bend))


class Outward:
    """`&t` without an angle: every way with a turn of more than 0° and at most 90°."""

    def ways(self, travelled: Vector, memory: Memory, vectors: tuple[Vector, ...]) -> Ways:
        """The listed directions between straight on and a right angle."""
        found = tuple(
            v for v in vectors if 0 < abs(signed((wind(v) - wind(travelled)) % 16)) <= RIGHT_ANGLE
        )
        if found:
            yield found, memory


class Angle(NamedTuple):
    """`&t` with an angle, by winds.

    ``key`` names an unsigned angle inside a loop, whose hand is kept once it is chosen; 0: free.
    """

    sixteenths: int
    sign: str
    key: int = 0

    def ways(self, travelled: Vector, memory: Memory, vectors: tuple[Vector, ...]) -> Ways:
        """The listed directions on the wind turned to, or on the next one for the other kind."""
        keep = self.key and self.sixteenths not in {STRAIGHT, BACK}
        chosen = dict(memory.hands)
        seen: set[tuple[tuple[Vector, ...], Memory]] = set()
        for hand in self._hands(chosen.get(self.key, 0) if keep else 0):
            found = self._found(travelled, hand, vectors)
            recalled = memory
            if keep:
                hands = tuple(sorted({**chosen, self.key: hand}.items()))
                recalled = memory._replace(hands=hands)
            if found and (found, recalled) not in seen:
                seen.add((found, recalled))
                yield found, recalled

    def _hands(self, kept: int) -> Sequence[int]:
        if kept:
            return (kept,)
        return {"+": (1,), "-": (-1,)}.get(self.sign, (1, -1))

    def _found(
        self, travelled: Vector, hand: int, vectors: tuple[Vector, ...]
    ) -> tuple[Vector, ...]:
        if not vectors:
            return ()
        target = wind(travelled) + hand * self.sixteenths
        if target % 2 != is_oblique(vectors[0]):
            target += hand
        return tuple(v for v in vectors if wind(v) == target % 16)
