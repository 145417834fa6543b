"""Turns of Ħasínū in words, and where they lead."""

from __future__ import annotations

from collections.abc import Collection

from alfil.directions import RIGHT_ANGLE, signed
from alfil.geometry import Vector, images, is_oblique, wind
from alfil.notation.english.bends import turn_between, turning
from alfil.notation.hasinu.lexicon import degrees
from alfil.notation.hasinu.nodes import Turn

HALF_CIRCLE = 8
OUTWARD = ", turning by at most 90°"


def turn_words(turn: Turn, *, looped: bool) -> str:
    """A turn in words; in a loop an angle without a sign is always to the same side."""
    size = turn.sixteenths
    if size is None:
        return OUTWARD
    if not size:
        return turning({0})
    if size == HALF_CIRCLE:
        return turning({HALF_CIRCLE // 2})
    side = {"+": "to the right", "-": "to the left"}.get(turn.sign, "to either side")
    if looped and not turn.sign:
        side = "to the same side each time"
    return f", turning {degrees(size)}° {side}"


def continuations(before: Vector, turn: Turn, vectors: Collection[Vector]) -> frozenset[Vector]:
    """The listed directions that a turn leads to."""
    size = turn.sixteenths
    if size is None:
        return frozenset(
            v for v in vectors if 0 < abs(signed((wind(v) - wind(before)) % 16)) <= RIGHT_ANGLE
        )
    found: set[Vector] = set()
    for hand in {"+": (1,), "-": (-1,)}.get(turn.sign, (1, -1)):
        target = wind(before) + hand * size
        found.update(v for v in vectors if wind(v) == _rounded(target, hand, v) % 16)
    return frozenset(found)


def _rounded(target: int, hand: int, vector: Vector) -> int:
    """The wind meant: where the leg is of the other kind, the next one in the sense of the turn."""
    return target if target % 2 == is_oblique(vector) else target + hand


def same_turns(
    travelled: Collection[Vector], turn: Turn, vectors: Collection[Vector]
) -> frozenset[int] | None:
    """The turns a leg makes in eighths, if they are the same from every way of travelling."""
    found = {
        frozenset(turn_between(way, v) for v in continuations(way, turn, vectors))
        for way in travelled
    }
    if len(found) != 1:
        return None
    (turns,) = found
    known = frozenset(each for each in turns if each is not None)
    return known if known and len(known) == len(turns) else None


def whole_kind(vectors: Collection[Vector]) -> frozenset[Vector]:
    """The vectors with all that are turned or mirrored like them.

    >>> sorted(whole_kind([(0, 1)]))
    [(-1, 0), (0, -1), (0, 1), (1, 0)]
    """
    return frozenset(image for x, y in vectors for image in images(abs(x), abs(y)))
