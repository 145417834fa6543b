"""Where later legs of Betza may turn to, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, TypeAlias

from alfil.geometry import Vector, compass, images, is_oblique, turned
from alfil.movement.turning import onward
from alfil.notation.english import words

# Whether a path has bent before: surely not, perhaps, surely.
Bent: TypeAlias = Literal["no", "perhaps", "yes"]

ALL_BUT_BACK = (0, 1, 2, 3, 5, 6, 7)
NO_BENDS = frozenset({0, 4})
FIRST_BENDS = {"q": (1, 7), "z": (2, 6)}
SIDES = {"q": "the side of its latest bend", "z": "the side opposite to its latest bend"}
REPEATED = {"q": ", repeating its latest bend", "z": ", mirroring its latest bend"}
LEAST = ", bending as little as it can"
ABOUT = "about "


def bend(places: Collection[int] | None, sense: str, bent: Bent, *, oblique: bool) -> str:
    """How a leg may turn: ``places`` in eighths, or None where no letter says it.

    Before any bend there is nothing for z and q to go by.
    """
    about = ABOUT if oblique else ""
    if places is None and sense:
        if bent == "no":
            return turning(FIRST_BENDS[sense], about)
        degrees = f"{about}45°" if sense == "q" else "90°"
        other = f", or turning {degrees} to either side if it has not bent yet"
        return REPEATED[sense] + (other if bent == "perhaps" else "")
    if places is None:
        return turning(ALL_BUT_BACK, about)
    if not sense or bent == "no":
        return turning(places, about)
    if bent == "yes":
        bends = turning(frozenset(places) - NO_BENDS, about)
        return f"{bends}, but only to {SIDES[sense]}"
    return f"{turning(places, about)}, but once it has bent only bending to {SIDES[sense]}"


def bent_after(bent: Bent, places: Collection[int] | None, sense: str) -> Bent:
    """What is known of the bends of a path after a leg that may turn to these places."""
    if sense and (places is None or bent == "yes"):
        return "yes"
    if places is None:
        return bent if bent == "yes" else "perhaps"
    if bent == "yes" or not NO_BENDS.intersection(places):
        return "yes"
    return "no" if bent == "no" and NO_BENDS.issuperset(places) else "perhaps"


def turning(places: Collection[int], about: str = "") -> str:
    """The words for a set of turns, with what joins them to the words before."""
    text = words.turns(frozenset(places), about)
    return f"{',' if text.startswith('turning') else ''} {text}"


def apart(turn: str) -> str:
    """A turn after words for directions, which without a comma could be taken together with it."""
    return turn if turn.startswith(",") else f",{turn}"


def turned_to(
    travelled: Iterable[Vector], places: Collection[int] | None, sense: str
) -> frozenset[Vector]:
    """The steps a chain may make after others; with z or q perhaps fewer than these."""
    if places is None:
        places = range(8) if sense else ALL_BUT_BACK
    return frozenset(turned(vector, place) for vector in travelled for place in places)


def uniform(
    travelled: Collection[Vector], vectors: tuple[Vector, ...], places: tuple[int, ...] | None
) -> frozenset[int] | None:
    """The turns a leg of a path makes, if they are the same from every way of travelling."""
    found = {
        frozenset(turn_between(way, vector) for vector in onward(way, vectors, places))
        for way in travelled
    }
    if len(found) != 1:
        return None
    (turns,) = found
    known = frozenset(turn for turn in turns if turn is not None)
    return known if known and len(known) == len(turns) else None


def turn_between(before: Vector, after: Vector) -> int | None:
    """The turn between two steps in eighths, None where there is no such count."""
    if is_oblique(before) != is_oblique(after):
        return None
    if not is_oblique(before):
        return (compass(after) - compass(before)) % 8
    size, same = sorted(map(abs, before)), sorted(map(abs, after))
    if size != same:
        return None
    ring = images(*size)
    return (ring.index(after) - ring.index(before)) % 8


def where_to(vectors: Collection[Vector]) -> str:
    """The kind of line or leap of a later leg, whose directions its turn says."""
    first = next(iter(vectors), (0, 1))
    if is_oblique(first):
        p, q = sorted(map(abs, first))
        name = words.NAMED.get((p, q))
        return f"as a {name}" if name else words.leap(p, q, images(p, q))
    return words.kind_of(words.headings(vectors))
