"""Chains of Betza in words: legs joined by a, and repeats of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias, assert_never

from alfil.geometry import Vector, is_oblique
from alfil.notation.betza.nodes import Chain, ChainLeg, Modifiers, Repeat, Tail
from alfil.notation.english.bends import Bent, apart, bend, bent_after, turned_to, where_to
from alfil.notation.english.leaves import Leaf
from alfil.notation.english.legs import Narrow, sense_of, step
from alfil.notation.english.routes import Block, Body, Rounds, Step, route


class _Link(NamedTuple):
    """A leg of a chain before it is put into words.

    ``place`` tells apart the legs that may come last, as a tail counts them. ``vectors`` are those
    of a first leg.
    """

    modifiers: Modifiers
    turns: tuple[int, ...] | None
    slides: bool
    place: int
    vectors: tuple[Vector, ...] = ()


class _Circle(NamedTuple):
    """The legs of a repeat; ``final`` is the last leg of the last round where a tail changes it."""

    links: tuple[_Link, ...]
    limit: int
    optional: bool = True
    final: _Link | None = None


_Item: TypeAlias = _Link | _Circle


def chain_routes(chain: Chain, narrow: Narrow) -> list[Body]:
    """The ways through a chain; more than one where letters stand after a repeat."""
    return [_Telling(narrow).told(items) for items in _variants(chain)]


def _variants(chain: Chain) -> list[list[_Item]]:
    slides = chain.atom.slides
    found: list[list[_Item]] = [[_Link(chain.first, None, slides, 0, chain.vectors)]]
    swapped = _toggles(chain.first)
    place = 0
    for item in chain.rest:
        match item:
            case ChainLeg():
                link = _Link(item.modifiers, item.turns, slides != swapped, 0)
                found = [[*items, link] for items in found]
                swapped ^= _toggles(item.modifiers)
                place = 0
            case Repeat():
                place += 1
                legs = tuple(
                    _Link(leg.modifiers, leg.turns, slides != swapped, place) for leg in item.legs
                )
                found = [[*items, _Circle(legs, item.limit)] for items in found]
            case Tail():
                found = [each for items in found for each in _tailed(items, item)]
            case _:
                assert_never(item)
    return found


def _toggles(modifiers: Modifiers) -> bool:
    return "y" in modifiers.modes or "g" in modifiers.modes


def _tailed(items: list[_Item], tail: Tail) -> Iterable[list[_Item]]:
    """The chain with the tail's letters on whichever leg comes last, for each that may."""
    *before, last = items
    if isinstance(last, _Link):
        yield [*before, _with_tail(last, tail)]
        return
    yield from _tailed(before, tail)
    final = _with_tail(last.links[-1], tail)
    yield [*before, last._replace(optional=False, final=final)]


def _with_tail(link: _Link, tail: Tail) -> _Link:
    modes = tuple(dict.fromkeys(link.modifiers.modes + tail.modifiers.modes))
    return link._replace(
        modifiers=Modifiers(link.modifiers.directions + tail.modifiers.directions, modes),
        turns=tail.turns[link.place],
        vectors=tail.vectors if link.vectors else (),
    )


class _Telling:
    """Puts the items of one chain into words, from the first on."""

    def __init__(self, narrow: Narrow) -> None:
        self._narrow: Narrow = narrow
        self._travelled: frozenset[Vector] = frozenset()
        self._bent: Bent = "no"

    def told(self, items: list[_Item]) -> Body:
        """The items as a route."""
        legs: list[Step | Rounds | Block] = []
        joins: list[str] = []
        for at, item in enumerate(items):
            if isinstance(item, _Link):
                legs.append(self._later(item) if at else self._first(item))
            else:
                legs.append(self._rounds(item))
            if at:
                after = items[at:]
                joins.append("?" if all(map(_optional, after)) else "-")
        return route(legs, joins)

    def _first(self, link: _Link) -> Step:
        self._travelled = frozenset(link.vectors)
        return step(link.modifiers, link.vectors, 0 if link.slides else 1, self._narrow)

    def _later(self, link: _Link) -> Step:
        sense = sense_of(link.modifiers)
        before = self._travelled
        self._travelled = turned_to(before, link.turns, sense)
        found = self._step(link)
        self._bent = bent_after(self._bent, link.turns, sense)
        return found

    def _step(self, link: _Link) -> Step:
        """A later leg that makes one of the steps travelled now."""
        vectors = sorted(self._travelled)
        sense = sense_of(link.modifiers)
        turn = bend(link.turns, sense, self._bent, oblique=_oblique(vectors))
        slides = link.slides
        iso = "i" in link.modifiers.modes
        return later_step(
            step(link.modifiers, vectors, 0 if slides else 1, self._narrow), turn, iso=iso
        )

    def _rounds(self, circle: _Circle) -> Rounds:
        self._bent = "yes" if self._bent == "yes" else "perhaps"
        reached = self._travelled
        while True:
            size = len(reached)
            self._travelled = reached
            for link in circle.links:
                self._travelled = turned_to(self._travelled, link.turns, sense_of(link.modifiers))
            reached |= self._travelled
            if len(reached) == size:
                break
        self._travelled = reached
        legs: list[Step] = []
        for link in circle.links:
            before = self._travelled
            self._travelled = turned_to(before, link.turns, sense_of(link.modifiers))
            legs.append(self._step(link))
        final = None
        if circle.final is not None:
            self._travelled = turned_to(
                before, circle.final.turns, sense_of(circle.final.modifiers)
            )
            final = self._step(circle.final)
            self._travelled |= turned_to(before, circle.links[-1].turns, "")
        self._travelled |= reached
        return Rounds(tuple(legs), circle.limit, circle.optional, final)


def _optional(item: _Item) -> bool:
    return isinstance(item, _Circle) and item.optional


def _oblique(vectors: Iterable[Vector]) -> bool:
    return any(map(is_oblique, vectors))


def later_step(found: Step, turn: str, *, iso: bool, where: str | None = None) -> Step:
    """A leg after others: how it turns instead of where it goes, and how far if that is as far
    as the leg before.
    """
    leaf = found.leaf
    assert isinstance(leaf, Leaf)
    manner = leaf.manner
    reach = ""
    if iso and leaf.size == (1,) and not leaf.steps:
        reach = "exactly as far as it slid before"
    elif iso:
        manner = (", in exactly as many steps as its latest slide", *manner)
    if where is None:
        where = where_to(leaf.vectors)
    else:
        turn = apart(turn)
    if turn.startswith(","):
        manner = (turn, *manner)
    else:
        # Straight on and back leave no question about the kind of line.
        where = f"{where if len(leaf.size) > 1 else ''}{turn}".strip()
    return found._replace(leaf=leaf._replace(manner=manner, reach=reach, where=where))
