"""Which legs slide: y and g swap that for the legs after them, and n on one leaves a trail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from alfil.geometry import Vector
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Modifiers, Path, Repeat


def sliding_legs(chain: Chain) -> Iterator[Modifiers]:
    """The letters of the legs of more than one step, and of tails that may belong to one.

    >>> from alfil.notation.betza.reader import read_betza
    >>> from alfil.source import Source
    >>> chain = read_betza(Source("fyafnW"))[0].terms[0]
    >>> [letters.modes for letters in sliding_legs(chain)]
    [('n',)]
    """
    printed = chain.range.written != ""
    swapped = False
    for letters in (chain.first, *later_letters(chain)):
        if chain.range.steps != 1 if printed else chain.atom.slides != swapped:
            yield letters
        swapped ^= "y" in letters.modes or "g" in letters.modes


def later_letters(chain: Chain) -> Iterator[Modifiers]:
    """The letters of all legs but the first, repeats once, and of tails."""
    for item in chain.rest:
        if isinstance(item, Repeat):
            yield from (leg.modifiers for leg in item.legs)
        else:
            yield item.modifiers


def lame_slider(term: BetzaTerm) -> bool:
    """Whether n stands on a leg that slides: there it tests nothing and leaves a trail."""
    match term:
        case Leg():
            return "n" in term.modifiers.modes and _slides(term)
        case Chain():
            lame = any("n" in letters.modes for letters in sliding_legs(term))
            return lame and _one_square(term.atom.vectors)
        case Path():
            return any("n" in leg.modifiers.modes and _slides(leg) for leg in term.legs)
        case _:
            assert_never(term)


def _slides(leg: Leg) -> bool:
    return _one_square(leg.atom.vectors) and leg.range.steps != 1


def _one_square(vectors: tuple[Vector, ...]) -> bool:
    return bool(vectors) and all(b == 1 and a <= 1 for a, b in vectors)
