"""The small pieces of Ħasínū a translation is put together from."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, TypeAlias

from alfil.geometry import COMPASS, Vector, images, is_oblique
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.nodes import (
    Bent,
    Call,
    Distance,
    HasinuTerm,
    Loop,
    Name,
    Number,
    Oblique,
    Radial,
    Turn,
)

# How many steps: these numbers, or None for any number from 1.
Lengths: TypeAlias = tuple[int, ...] | None
# How a move may end: "" not at all, by moving or capturing, one of the two, or by a shot from home
# at a side.
Land: TypeAlias = Literal["", "mc", "m", "c", "iE", "iF", "iFE"]
# Clockwise, anticlockwise, or either hand.
Sign: TypeAlias = Literal["", "+", "-"]
# The shape of a step whatever its direction: (0, k) for k squares straight or diagonally.
Kind: TypeAlias = tuple[int, int]

ONCE: Lengths = (1,)
_NAMES = {vector: name for name, vector in lexicon.DIRECTIONS.items()}


def kind_of(vector: Vector) -> Kind:
    """The shape of a step.

    >>> kind_of((-2, 1)), kind_of((2, -2)), kind_of((0, 3))
    ((1, 2), (0, 2), (0, 3))
    """
    p, q = sorted((abs(vector[0]), abs(vector[1])))
    return (p, q) if is_oblique(vector) else (0, q)


def up_to(most: int) -> Lengths:
    """1 to ``most`` steps; 0 is any number."""
    return tuple(range(1, most + 1)) if most else None


def leg(vectors: Collection[Vector], lengths: Lengths) -> HasinuTerm:
    """A run, a leap or a rider along vectors of one kind.

    >>> from alfil.notation.hasinu.writer import write_hasinu
    >>> from alfil.notation.nodes import Description
    >>> moves = (leg({(0, 1)}, None), leg({(0, 2), (2, 2)}, (1,)), leg(images(1, 2), (1, 2)))
    >>> write_hasinu(Description(moves, "hasinu"))
    'n1dN & j(2×2dN-NE) & {1,2}×(1,2)'
    """
    p, q = kind_of(next(iter(vectors)))
    if p:
        return _oblique(p, q, vectors, lengths)
    if q == 1:
        return radial(vectors, lengths)
    leap = called("j", radial({(x // q, y // q) for x, y in vectors}, (q,)))
    return leap if lengths == ONCE else straight_loop(leap, lengths)


def radial(vectors: Collection[Vector], lengths: Lengths) -> Radial:
    """A radial move of so many cells along single steps."""
    names = {_NAMES[vector] for vector in vectors}
    listed = tuple(vector for vector in COMPASS if vector in vectors)
    return Radial(distance(lengths), len(names), lexicon.layout(names), listed)


def _oblique(p: int, q: int, vectors: Collection[Vector], lengths: Lengths) -> Oblique:
    ring = images(p, q)
    letters = "".join(
        letter for at, letter in enumerate(lexicon.OCTANTS) if ring[at - 1] in vectors
    )
    octants = "" if letters == lexicon.OCTANTS else letters
    many = None if lengths == ONCE else distance(lengths)
    return Oblique((p, q), octants, many, lexicon.leaps(p, q, octants))


def distance(lengths: Lengths) -> Distance:
    """The distance of so many steps."""
    steps = lengths or ()
    return Distance(steps, braced=len(steps) > 1)


def turn(sixteenths: int | None, sign: Sign = "") -> Turn:
    """``&t`` with an angle in sixteenths of a circle, or without one."""
    return Turn(sixteenths, sign, "" if sixteenths is None else lexicon.degrees(sixteenths))


STRAIGHT_ON = turn(0)


def straight_loop(step: HasinuTerm, lengths: Lengths) -> Loop:
    """A step repeated in line."""
    return Loop(distance(lengths), Bent((step,), (STRAIGHT_ON,)))


def called(name: str, move: HasinuTerm, *others: Name | Number) -> Call:
    """A function around a move."""
    return Call(name, (move, *others))


def landing(move: HasinuTerm, land: Land) -> HasinuTerm:
    """The move with the functions that say how it may end."""
    match land:
        case "m" | "c":
            return called(land, move)
        case "iE":
            return called("i", move)
        case "iF" | "iFE":
            return called("i", move, Name(land[1:]))
        case _:
            return move


def as_first_move(terms: Iterable[HasinuTerm]) -> tuple[HasinuTerm, ...]:
    """The moves as moves of a piece that has not moved."""
    return tuple(Call("atmove", (Number(1), term)) for term in terms)
