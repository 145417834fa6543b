"""A part of Betza in the default dialect, whatever dialect it was read in."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from alfil.errors import AlfilError
from alfil.geometry import Vector, images
from alfil.notation.betza.nodes import Atom, BetzaTerm, Leg, Modifiers
from alfil.notation.betza.writer import write_betza
from alfil.notation.nodes import Description

_STRAIGHT = {(0, 1): "f", (0, -1): "b", (1, 0): "r", (-1, 0): "l"}
# The pairs of letters for eight oblique leaps, clockwise from the one right of forward.
_OBLIQUE = ("rf", "fr", "br", "rb", "lb", "bl", "fl", "lf")
DEFAULT: Literal["betza"] = "betza"
_SINGLE = {(0, 1): ("W", "R"), (1, 1): ("F", "B")}


def spelled(part: BetzaTerm, dialect: str) -> str:
    """The text of a part in the default dialect.

    Directions that the default dialect reads in another way are written one by one. Raises
    `AlfilError` of kind "no-translation" for what the default dialect cannot say.

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
        chosen = tuple(vector for vector in leg.vectors if _base(vector) == base)
        tokens = tuple(map(_letters, chosen))
        letter = _SINGLE.get(base, ("", ""))[leg.atom.slides]
        written = letter or f"({base[0]},{base[1]})"
        atom = Atom(written, (base,), leg.atom.slides)
        modifiers = Modifiers(tokens, leg.modifiers.modes)
        if chosen:
            legs.append(replace(leg, atom=atom, modifiers=modifiers, vectors=chosen))
    return tuple(legs)


def _base(vector: Vector) -> Vector:
    small, large = sorted((abs(vector[0]), abs(vector[1])))
    return small, large


def _letters(vector: Vector) -> str:
    """The letters that choose one direction of its atom."""
    dx, dy = vector
    across, along = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    if not (across and along):
        return _STRAIGHT[across, along]
    if abs(dx) == abs(dy):
        return _STRAIGHT[0, along] + _STRAIGHT[across, 0]
    return _OBLIQUE[images(abs(dx), abs(dy)).index(vector)]
