"""Which legs of a chain run any number of steps: y and g swap that for the legs after them."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.notation.betza.nodes import Chain, ChainLeg, Modifiers, Repeat


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
    for letters in _legs(chain):
        if chain.range.steps != 1 if printed else chain.atom.slides != swapped:
            yield letters
        swapped ^= "y" in letters.modes or "g" in letters.modes


def _legs(chain: Chain) -> Iterator[Modifiers]:
    yield chain.first
    for item in chain.rest:
        match item:
            case ChainLeg():
                yield item.modifiers
            case Repeat():
                yield from (leg.modifiers for leg in item.legs)
            case _:
                yield item.modifiers
