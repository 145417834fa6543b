"""Turns of Ħasínū in words, and where they lead."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from alfil.geometry import Vector, images, is_oblique, wind
from alfil.movement.turning import RIGHT_ANGLE, signed
from alfil.notation.english.bends import ABOUT, turn_between, turning
from alfil.notation.english.leaves import size_of
from alfil.notation.hasinu.lexicon import degrees
from alfil.notation.hasinu.nodes import Turn

HALF_CIRCLE = 8
HANDS = {"+": 1, "-": -1, "": 0}
SIDES = {1: "to the right", -1: "to the left", 0: "to either side"}
# The turns that are none, where the steps may lie on one wind without being quite in line.
STRAIGHT = {0: ", in about the same direction", HALF_CIRCLE: ", in about the opposite direction"}
OUTWARD = ", turning by at most about 90°"


def turn_words(
    turn: Turn, before: Sequence[Vector], after: Sequence[Vector], *, looped: bool
) -> str:
    """A turn in words; in a loop an angle without a sign is always to the same side.

    ``before`` and ``after`` are steps it turns from and to, none if that is not known: between a
    straight line and a leap off it the turn meant is half a step of the compass rose further.
    """
    size, hand = turn.sixteenths, HANDS[turn.sign]
    kinds = {is_oblique(vector) for vector in before}, {is_oblique(vector) for vector in after}
    known = all(len(kind) == 1 for kind in kinds)
    odd = known and kinds[0] != kinds[1]
    about = "" if known and not any(map(any, kinds)) else ABOUT
    if size is None:
        both = " or ".join(f"{about}{degrees(each)}°" for each in ((1, 3) if odd else (2, 4)))
        return f", turning {both} to either side" if known else OUTWARD
    kept = looped and not hand and size not in {0, HALF_CIRCLE}
    if known:
        size += size % 2 != odd
    if size > HALF_CIRCLE:
        size, hand = 2 * HALF_CIRCLE - size, -hand
    if size in STRAIGHT:
        exact = known and _alike(before, after)
        return turning({size // 2}) if exact else STRAIGHT[size]
    side = "to the same side each time" if kept else SIDES[hand]
    beyond = "" if known else " or the next possible angle beyond"
    return f", turning {about if size % RIGHT_ANGLE else ''}{degrees(size)}°{beyond} {side}"


def _alike(before: Sequence[Vector], after: Sequence[Vector]) -> bool:
    """Whether steps on the same wind have just the same direction."""
    return not is_oblique(after[0]) or size_of(before[0]) == size_of(after[0])


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
