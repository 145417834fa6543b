"""Betza in words: the parts of a description."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Modifiers, Path
from alfil.notation.betza.toggles import lame_slider, later_letters
from alfil.notation.english.leaves import MOVE_OR_CAPTURE
from alfil.notation.english.legs import Narrow, simple
from alfil.notation.english.routes import Part, route
from alfil.notation.nodes import Description

GUARDS = {
    "i": "on its first move",
    "ii": "where a piece like it and of its side stood straight behind it at the start,",
}
TRAIL = ", and can then be captured en passant"


def betza_parts(description: Description, narrow: Narrow = MOVE_OR_CAPTURE) -> Iterator[Part]:
    """The parts of a description; functions around embedded Betza ``narrow`` how they end."""
    for term in description.terms:
        if isinstance(term, Leg | Chain | Path):
            yield from _parts(term, narrow)


def _parts(term: BetzaTerm, narrow: Narrow) -> Iterator[Part]:
    match term:
        case Leg():
            guard, after = _guard(term.modifiers, [term.modifiers], term)
            # Letters may choose nothing; such a part is no way to move.
            if term.vectors or term.atom.written == "U":
                yield Part(guard, route([simple(term, narrow)], ()), after)
        case Chain():
            guard, after = _guard(term.first, [term.first, *later_letters(term)], term)
            from alfil.notation.english.chains import chain_routes

            for each in chain_routes(term, narrow):
                yield Part(guard, each, after)
        case Path():
            legs = [term.prefix, *(leg.modifiers for leg in term.legs)]
            guard, after = _guard(term.prefix, legs, term)
            from alfil.notation.english.paths import path_route

            way = path_route(term, narrow)
            if way is not None:
                yield Part(guard, way, after)
        case _:
            assert_never(term)


def _guard(
    first: Modifiers, legs: Sequence[Modifiers], term: BetzaTerm
) -> tuple[tuple[str, ...], str]:
    """When a part may be used, and what is to be said of it when it has been."""
    guard = tuple(GUARDS[mode] for mode in first.modes if mode in GUARDS)
    lame = any("n" in leg.modes for leg in legs) and (bool(guard) or lame_slider(term))
    middle = isinstance(term, Leg) and term.range.written == "*"
    return guard, TRAIL if lame or middle else ""
