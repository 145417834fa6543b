"""One leg of Betza: what its letters, its atom and its range say."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from alfil.geometry import Vector, turned
from alfil.notation.betza.nodes import Leg, Modifiers
from alfil.notation.english import words
from alfil.notation.english.leaves import MOVE_OR_CAPTURE, Between, Leaf, Special, often, size_of
from alfil.notation.english.routes import Step

# What functions around a move leave of the ways it may end: without a capture, by a capture.
Narrow: TypeAlias = frozenset[str]

LANDS = frozenset("mcdek")
PASSES = frozenset("mcdekpgy")
EDGES = {
    "o": ", as if the left and right edges of the board were joined",
    "oo": ", as if opposite edges of the board were joined",
}
SKIPPED = ", skipping the first square whatever stands on it"
OWN_HALF = " within its own half of the board (one step at least)"
# A circular piece comes home on its eighth step, and home is no square to go to.
CIRCLE = 7


def step(
    modifiers: Modifiers,
    vectors: Sequence[Vector],
    limit: int,
    narrow: Narrow = MOVE_OR_CAPTURE,
    extra: Sequence[str] = (),
) -> Step:
    """A leg of at most ``limit`` steps (0: any number); ``extra`` is said after its directions."""
    modes = modifiers.modes
    unit = all(max(map(abs, vector)) == 1 for vector in vectors)
    leaf = Leaf(
        size_of(vectors[0]) if vectors else (1,),
        tuple(vectors),
        tuple(range(1, limit + 1)),
        "any" if unit else _between(modes),
        landing(modes, narrow),
        (*extra, *_manner(modes, unit=unit)),
    )
    return Step(leaf, frozenset(modes) & PASSES)


def landing(modes: Collection[str], narrow: Narrow = MOVE_OR_CAPTURE) -> frozenset[str]:
    """The letters of what a leg may end on, as functions around it leave them."""
    letters = LANDS.intersection(modes) or MOVE_OR_CAPTURE
    if "m" not in narrow:
        letters = letters - {"m"}
    return letters if "c" in narrow else letters & {"m"}


def _between(modes: Collection[str]) -> Between:
    if "n" in modes:
        return "empty"
    return "occupied" if "j" in modes else "any"


def _manner(modes: Collection[str], *, unit: bool) -> list[str]:
    found = [EDGES[mode] for mode in modes if mode in EDGES]
    if unit and "j" in modes:
        found.insert(0, SKIPPED)
    return found


def sense_of(modifiers: Modifiers) -> str:
    """The z or q of a leg, or nothing."""
    return next((mode for mode in modifiers.modes if mode in {"z", "q"}), "")


def simple(leg: Leg, narrow: Narrow) -> Step:
    """A leg that is a part of its own."""
    if leg.atom.written == "U":
        return Step(_special(leg, "leap to any other square of the board", narrow))
    if leg.atom.written == "O":
        return Step(_castling(leg, narrow))
    if sense_of(leg.modifiers):
        return _crooked(leg, narrow)
    found = step(leg.modifiers, leg.vectors, leg.range.steps, narrow)
    if leg.range.written == "*":
        leaf = found.leaf._replace(manner=(OWN_HALF, *found.leaf.manner))
        return found._replace(leaf=leaf)
    return found


def _special(leg: Leg, phrase: str, narrow: Narrow) -> Special:
    modes = leg.modifiers.modes
    return Special(phrase, landing(modes, narrow), tuple(_manner(modes, unit=False)))


def _castling(leg: Leg, narrow: Narrow) -> Special:
    where = words.ways(words.headings(leg.vectors))
    file = "file next to the last" if "j" in leg.modifiers.modes else "last file"
    phrase = (
        f"castle by going {words.squares(leg.range.steps)} {where}"
        f" towards a piece of its own side that has not moved and stands on the {file},"
        " with only empty squares between them; that piece lands beside it, on the inner side"
    )
    found = _special(leg, phrase, narrow)
    # Castling never captures, so there is no need to say so.
    return found._replace(land=found.land - {"c"} | ({"c"} if "m" in found.land else frozenset()))


def _crooked(leg: Leg, narrow: Narrow) -> Step:
    """A single leg with z or q: one step at a time, with a turn before each but the first."""
    printed = leg.range.steps if leg.range.written else 0
    if sense_of(leg.modifiers) == "q":
        most, turn = min(printed or CIRCLE, CIRCLE), 1
        how = "turning 45° to the same side each time"
    else:
        most, turn = printed, 2
        how = "turning 90° alternately to one side and the other"
    extra = f", {often(range(1, most + 1))}, {how}"
    found = step(leg.modifiers, leg.vectors, 1, narrow, (extra,))
    leaf = found.leaf
    ahead = {turned(vector, side) for vector in leg.vectors for side in (turn, -turn)}
    if isinstance(leaf, Leaf) and not ahead <= set(leg.vectors):
        # The letters choose the first step only; the others follow from the turns.
        comma = ", " if len(leaf.size) == 1 else ""
        return found._replace(leaf=leaf._replace(where=f"{comma}first {first_way(leaf)}"))
    return found


def first_way(leaf: Leaf) -> str:
    """The directions of a leaf, as such."""
    if len(leaf.size) > 1:
        p, q = leaf.size
        return words.leap(p, q, leaf.vectors)
    return words.ways(leaf.heading)
