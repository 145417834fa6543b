"""A part of Betza in the default dialect, whatever dialect it was read in."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Literal

from alfil.errors import AlfilError
from alfil.geometry import Vector, images
from alfil.notation.betza.directions import chosen, system_of, tokenise
from alfil.notation.betza.nodes import Atom, BetzaTerm, Leg, Modifiers
from alfil.notation.betza.writer import write_betza
from alfil.notation.nodes import Description

# Direction tokens in the order they are tried, alone first, then so many together.
_TOKENS = ("f", "b", "l", "r", "v", "s", "fl", "fr", "bl", "br", "lf", "rf", "lb", "rb")
_MOST_TOKENS = 4
DEFAULT: Literal["betza"] = "betza"
_SINGLE = {(0, 1): ("W", "R"), (1, 1): ("F", "B")}


def spelled(part: BetzaTerm, dialect: str) -> str:
    """The text of a part in the default dialect.

    A part whose directions the default dialect reads in another way is taken apart by its atoms.
    Raises `AlfilError` of kind "no-translation" for what the default dialect cannot say.

    >>> from alfil.notation.betza.reader import read_betza
    >>> from alfil.source import Source
    >>> spelled(read_betza(Source("fcQ"), "classic")[0].terms[0], "classic")
    'fcRfcB'
    """
    try:
        return write_betza(Description((part,), DEFAULT, dialect or DEFAULT), DEFAULT)
    except AlfilError:
        if not isinstance(part, Leg) or not part.vectors:
            raise
    return write_betza(Description(_by_atom(part), DEFAULT, DEFAULT), DEFAULT)


def _by_atom(leg: Leg) -> tuple[BetzaTerm, ...]:
    """A leg as one leg for each base vector, each direction with letters of its own."""
    legs: list[BetzaTerm] = []
    for base in leg.atom.vectors:
        vectors = tuple(vector for vector in leg.vectors if _base(vector) == base)
        tokens = _letters(frozenset(vectors), base)
        letter = _SINGLE.get(base, ("", ""))[leg.atom.slides]
        written = letter or f"({base[0]},{base[1]})"
        atom = Atom(written, (base,), leg.atom.slides)
        modifiers = Modifiers(tokens, leg.modifiers.modes)
        if vectors:
            legs.append(replace(leg, atom=atom, modifiers=modifiers, vectors=vectors))
    return tuple(legs)


def _base(vector: Vector) -> Vector:
    small, large = sorted((abs(vector[0]), abs(vector[1])))
    return small, large


@cache
def _letters(wanted: frozenset[Vector], base: Vector) -> tuple[str, ...]:
    """The fewest letters that choose these directions of an atom; none where they are all."""
    every = images(*base)
    system = system_of(every)
    if system is None or len(wanted) == len(every):
        return ()
    usable = [token for token in _TOKENS if tokenise(token, system) == (token,)]
    for count in range(1, _MOST_TOKENS + 1):
        for tokens in combinations(usable, count):
            if set(chosen(tokens, every, system)) == wanted:
                return tokens
    return tuple(usable)
