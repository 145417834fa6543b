"""Paths of Betza in words: legs with atoms of their own, and letters that choose whole paths."""

from __future__ import annotations

from collections.abc import Sequence

from alfil.geometry import Vector, is_oblique
from alfil.movement.turning import Sense, onward, path_ways, way_end
from alfil.notation.betza.directions import chosen, system_of
from alfil.notation.betza.nodes import Leg, Path
from alfil.notation.english import words
from alfil.notation.english.bends import (
    ABOUT,
    LEAST,
    Bent,
    apart,
    bend,
    bent_after,
    turning,
    uniform,
)
from alfil.notation.english.chains import later_step
from alfil.notation.english.leaves import Leaf
from alfil.notation.english.legs import Narrow, first_way, sense_of, step
from alfil.notation.english.routes import Body, Step, route

Way = tuple[Vector, ...]
SENSES: dict[str, Sense] = {"": "any", "q": "same", "z": "other"}


def path_route(path: Path, narrow: Narrow) -> Body | None:
    """A path as a route, None where its letters leave no way through."""
    remark = ""
    if path.prefix.directions:
        ways = _ways(path)
        ends = tuple(dict.fromkeys(map(way_end, ways)))
        system = system_of(ends)
        wanted = set(chosen(path.prefix.directions, ends, system)) if system else set()
        ways = [way for way in ways if way_end(way) in wanted]
        remark = _remark(path, ways)
        kept = _kept(path, ways)
    else:
        kept = _reached(path)
    if not all(kept):
        return None
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
        turn = turn if same is not None else apart(turn)
    where = first_way(leaf) if set(leaf.vectors) < natural else None
    return later_step(found, turn, iso="i" in leg.modifiers.modes, where=where)


def _reached(path: Path) -> list[frozenset[Vector]]:
    """The steps each leg of a path may take; the ways through all legs may be too many to list."""
    ways = {(vector, 0) for vector in path.legs[0].vectors}
    found = [frozenset(path.legs[0].vectors)]
    for leg in path.legs[1:]:
        sense = SENSES[sense_of(leg.modifiers)]
        ways = {
            after
            for vector, bend_before in ways
            for after in path_ways(vector, bend_before, leg.vectors, leg.turns, sense)
        }
        found.append(frozenset(vector for vector, _ in ways))
    return found


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
                way[-1], bend_before, leg.vectors, leg.turns, SENSES[sense_of(leg.modifiers)]
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
