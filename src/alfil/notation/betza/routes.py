"""Moves of several legs apart from how they are spelled: the ways there are, leg by leg.

Brackets and chains say the same things in two manners. A route has no stops on the way, so a path
that may stop is several routes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from alfil.geometry import Vector, compass, images, is_oblique, turned
from alfil.movement.nodes import Bend
from alfil.movement.turning import ALL_BUT_BACK, Sense, way_end, ways_through
from alfil.notation.betza.directions import chosen, system_of
from alfil.notation.betza.nodes import Chain, ChainLeg, Leg, Modifiers, Path
from alfil.source import Span

# More ways than these are not worth writing down one by one.
MOST_WAYS = 5_000
SENSES: dict[str, Sense] = {"q": "same", "z": "other"}
EIGHTHS = 8

Way = tuple[Vector, ...]
Places = tuple[int, ...]


class Step(NamedTuple):
    """One leg of a route: its letters besides directions, and how many steps it takes at most."""

    modes: tuple[str, ...]
    steps: int


class Route(NamedTuple):
    """Legs without a stop between them, and the first vectors of all legs for every way."""

    legs: tuple[Step, ...]
    ways: tuple[Way, ...]
    span: Span


class Unwritable(Exception):
    """There is no such spelling, for this reason."""


def routes_of(term: Chain | Path) -> Iterator[Route]:
    """The routes of a part; `Unwritable` for repeats, and where there are too many ways."""
    if isinstance(term, Chain):
        yield _chain_route(term)
        return
    ways = _path_ways(term)
    legs = [Step(leg.modifiers.modes, leg.range.steps) for leg in term.legs]
    first = Step((*term.prefix.modes, *legs[0].modes), legs[0].steps)
    legs[0] = first
    for end, join in enumerate([*term.joins, "?"], 1):
        if join == "?":
            cut = tuple(dict.fromkeys(way[:end] for way in ways))
            yield Route(tuple(legs[:end]), cut, term.span)


def ways_of(legs: Sequence[Leg], most: int | None = None) -> list[Way]:
    """The ways through the legs of a path; cut short when they are more than ``most``."""
    return ways_through([leg.vectors for leg in legs], [bend_of(leg) for leg in legs[1:]], most)


def bend_of(leg: Leg) -> Bend:
    """The turn before a later leg of a path."""
    return Bend(leg.turns, sense_of(leg.modifiers), chooses=True)


def sense_of(modifiers: Modifiers) -> Sense:
    """What the letters of a leg say of its bend, compared with the latest one."""
    return next((SENSES[mode] for mode in modifiers.modes if mode in SENSES), "any")


def _path_ways(path: Path) -> list[Way]:
    found = ways_of(path.legs, MOST_WAYS)
    _few(len(found))
    ends = tuple(dict.fromkeys(map(way_end, found)))
    system = system_of(ends)
    if not path.prefix.directions or system is None:
        return found
    wanted = set(chosen(path.prefix.directions, ends, system))
    return [way for way in found if way_end(way) in wanted]


def _few(count: int) -> None:
    if count > MOST_WAYS:
        raise Unwritable("it has too many ways to be written in another manner")


def _chain_route(chain: Chain) -> Route:
    legs = [Step(chain.first.modes, _steps(chain, swapped=False))]
    ways: list[Way] = [(vector,) for vector in chain.vectors]
    swapped = _swaps(chain.first)
    for item in chain.rest:
        if not isinstance(item, ChainLeg):
            raise Unwritable("it repeats legs")
        if {"z", "q"} & set(item.modifiers.modes):
            raise Unwritable("its bends depend on those before")
        legs.append(Step(item.modifiers.modes, _steps(chain, swapped=swapped)))
        swapped ^= _swaps(item.modifiers)
        places = ALL_BUT_BACK if item.turns is None else item.turns
        _few(len(ways) * len(places))
        ways = [(*way, turned(way[-1], place)) for way in ways for place in places]
    earlier = [Step(_unswapped(leg.modes), leg.steps) for leg in legs[:-1]]
    return Route((*earlier, legs[-1]), tuple(ways), chain.span)


def _steps(chain: Chain, *, swapped: bool) -> int:
    if chain.range.written:
        return chain.range.steps
    return 1 if chain.atom.slides == swapped else 0


def _swaps(modifiers: Modifiers) -> bool:
    return "y" in modifiers.modes or "g" in modifiers.modes


def _unswapped(modes: Sequence[str]) -> tuple[str, ...]:
    """The letters of a leg that goes on, without those that change the range of the next one."""
    found = [{"y": "m", "g": "p"}.get(mode, mode) for mode in modes]
    return tuple(dict.fromkeys(found))


def places_of(way: Way) -> Places:
    """The turns of a way, in eighths clockwise from the way of travel, as a chain takes them.

    Raises `Unwritable` where the legs are not of one length and kind.

    >>> places_of(((0, 2), (2, 2), (2, 0)))
    (1, 1)
    """
    found: list[int] = []
    for before, after in pairwise(way):
        oblique = is_oblique(before)
        alike = (
            sorted(map(abs, before)) == sorted(map(abs, after))
            if oblique
            else (not is_oblique(after) and max(map(abs, before)) == max(map(abs, after)))
        )
        if not alike:
            raise Unwritable("its legs have atoms of different lengths")
        found.append((_point(after) - _point(before)) % EIGHTHS)
    return tuple(found)


def _point(vector: Vector) -> int:
    if is_oblique(vector):
        return images(*map(abs, vector)).index(vector)
    return compass(vector)


class Fan(NamedTuple):
    """First vectors that go on in the same manner: for each later leg its places."""

    vectors: tuple[Vector, ...]
    places: tuple[Places, ...]


def fans(ways: Sequence[Way]) -> list[Fan]:
    """The ways gathered into fans, in each of which every choice of turns is free.

    >>> fans([((0, 1), (1, 1)), ((0, 1), (-1, 1))])
    [Fan(vectors=((0, 1),), places=((1, 7),))]
    """
    onward: dict[Vector, dict[Places, None]] = {}
    for way in ways:
        onward.setdefault(way[0], {})[places_of(way)] = None
    by_places: dict[tuple[Places, ...], list[Vector]] = {}
    for vector, rows in onward.items():
        for places in _free(list(rows)):
            by_places.setdefault(places, []).append(vector)
    return [Fan(tuple(vectors), places) for places, vectors in by_places.items()]


def _free(rows: Sequence[Places]) -> list[tuple[Places, ...]]:
    """Rows of turns as one free choice for each leg, or else each row by itself."""
    each = tuple(tuple(sorted(set(column))) for column in zip(*rows, strict=True))
    if set(product(*each)) == set(rows):
        return [each]
    return [tuple((place,) for place in row) for row in rows]
