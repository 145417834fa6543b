"""Betza in words: the parts of a description."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from alfil.directions import chosen, onward, path_ways, system_of, way_end
from alfil.geometry import Vector, is_oblique
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Modifiers, Path, Repeat
from alfil.notation.english import words
from alfil.notation.english.bends import ABOUT, LEAST, Bent, bend, bent_after, turning, uniform
from alfil.notation.english.chains import chain_routes, later_step
from alfil.notation.english.leaves import MOVE_OR_CAPTURE, Leaf
from alfil.notation.english.legs import Narrow, sense_of, simple, step
from alfil.notation.english.routes import Body, Part, Step, route
from alfil.notation.nodes import Description

GUARDS = {
    "i": "on its first move",
    "ii": "where a piece of its own kind and side stood straight behind it in the starting position",
}
TRAIL = ", and can then be captured en passant"

Way = tuple[Vector, ...]


def betza_parts(description: Description, narrow: Narrow = MOVE_OR_CAPTURE) -> Iterator[Part]:
    """The parts of a description; functions around embedded Betza ``narrow`` how they end."""
    for term in description.terms:
        if isinstance(term, Leg | Chain | Path):
            yield from _parts(term, narrow)


def _parts(term: BetzaTerm, narrow: Narrow) -> Iterator[Part]:
    match term:
        case Leg():
            guard, after = _guard(term.modifiers, [term.modifiers], term)
            yield Part(guard, route([simple(term, narrow)], ()), after)
        case Chain():
            guard, after = _guard(term.first, [term.first, *_chain_modifiers(term)], term)
            for way in chain_routes(term, narrow):
                yield Part(guard, way, after)
        case Path():
            legs = [term.prefix, *(leg.modifiers for leg in term.legs)]
            guard, after = _guard(term.prefix, legs, term)
            yield Part(guard, _path(term, narrow), after)
        case _:
            assert_never(term)


def _chain_modifiers(chain: Chain) -> Iterator[Modifiers]:
    for item in chain.rest:
        if isinstance(item, Repeat):
            yield from (leg.modifiers for leg in item.legs)
        else:
            yield item.modifiers


def _guard(
    first: Modifiers, legs: Sequence[Modifiers], term: BetzaTerm
) -> tuple[tuple[str, ...], str]:
    """When a part may be used, and what is to be said of it when it has been."""
    guard = tuple(GUARDS[mode] for mode in first.modes if mode in GUARDS)
    lame = any("n" in leg.modes for leg in legs) and (bool(guard) or _lame_slider(term))
    middle = isinstance(term, Leg) and term.range.written == "*"
    return guard, TRAIL if lame or middle else ""


def _lame_slider(term: BetzaTerm) -> bool:
    """Whether n stands on a leg that slides: there it tests nothing and leaves a trail."""
    match term:
        case Leg():
            return _slides(term)
        case Chain():
            return term.atom.slides
        case Path():
            return any("n" in leg.modifiers.modes and _slides(leg) for leg in term.legs)
        case _:
            assert_never(term)


def _slides(leg: Leg) -> bool:
    return leg.range.steps != 1 and any(b == 1 for _, b in leg.atom.vectors)


def _path(path: Path, narrow: Narrow) -> Body:
    ways = _ways(path)
    remark = ""
    if path.prefix.directions:
        ends = tuple(dict.fromkeys(map(way_end, ways)))
        system = system_of(ends)
        wanted = set(chosen(path.prefix.directions, ends, system)) if system else set()
        ways = [way for way in ways if way_end(way) in wanted]
        remark = _remark(path, ways)
    kept = _kept(path, ways)
    legs: list[Step] = []
    bent: Bent = "no"
    for at, leg in enumerate(path.legs):
        vectors = [vector for vector in leg.vectors if vector in kept[at]]
        found = step(leg.modifiers, vectors, leg.range.steps, narrow)
        if at:
            places = uniform(kept[at - 1], leg.vectors, leg.turns)
            found = _later(leg, found, kept[at - 1], places, bent)
            bent = bent_after(bent, places, sense_of(leg.modifiers))
        legs.append(found)
    return route(legs, path.joins, remark)


def _later(
    leg: Leg, found: Step, travelled: frozenset[Vector], same: frozenset[int] | None, bent: Bent
) -> Step:
    """A later leg of a path, which has directions of its own as well as a turn.

    ``same`` are its turns if they are the same from every way ``travelled``.
    """
    leaf = found.leaf
    if not isinstance(leaf, Leaf) or not leaf.vectors:
        return found
    sense = sense_of(leg.modifiers)
    oblique = is_oblique(leg.vectors[0])
    natural = set(leg.vectors)
    if sense:
        turn = bend(leg.turns, sense, bent, oblique=oblique)
    else:
        natural = {v for way in travelled for v in onward(way, leg.vectors, leg.turns)}
        places = leg.turns if same is None else same
        turn = LEAST if places is None else turning(places, ABOUT if oblique else "")
    where = _where(leaf) if set(leaf.vectors) < natural else None
    return later_step(found, turn, iso="i" in leg.modifiers.modes, where=where)


def _where(leaf: Leaf) -> str:
    """The directions of a leaf, as such."""
    if len(leaf.size) > 1:
        p, q = leaf.size
        return words.leap(p, q, leaf.vectors)
    return words.ways(leaf.heading)


def _ways(path: Path, kept: Sequence[frozenset[Vector]] = ()) -> list[Way]:
    """The ways through the first steps of all legs, or those with the steps that are ``kept``."""
    allowed = [leg.vectors for leg in path.legs]
    if kept:
        allowed = [
            tuple(v for v in leg.vectors if v in some)
            for leg, some in zip(path.legs, kept, strict=True)
        ]
    ways: list[tuple[Way, int]] = [((vector,), 0) for vector in allowed[0]]
    for leg, vectors in zip(path.legs[1:], allowed[1:], strict=True):
        ways = [
            ((*way, vector), bent)
            for way, bend_before in ways
            for vector, bent in path_ways(
                way[-1], bend_before, leg.vectors, leg.turns, sense_of(leg.modifiers)
            )
            if vector in vectors
        ]
    return list(dict.fromkeys(way for way, _ in ways))


def _kept(path: Path, ways: Sequence[Way]) -> list[frozenset[Vector]]:
    return [frozenset(way[at] for way in ways) for at in range(len(path.legs))]


def _remark(path: Path, ways: Sequence[Way]) -> str:
    """The chosen ways one by one, where directions of the single legs do not tell them."""
    if set(_ways(path, _kept(path, ways))) == set(ways):
        return ""
    told = (", then ".join(map(words.single, way)) for way in ways)
    return f"; it takes these ways only: {'; '.join(told)}"
