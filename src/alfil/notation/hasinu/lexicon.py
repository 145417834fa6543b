"""The words of Ħasínū: directions, octants, flags, angles and functions, as tables.

Reader and writer share these tables, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import pi
from typing import Literal, TypeAlias

from alfil.geometry import COMPASS, Vector, images

Side: TypeAlias = Literal["", "F", "E", "FE"]
When: TypeAlias = Literal["", "P", "A", "PA"]
Greed: TypeAlias = Literal["", "G", "L"]
Kind: TypeAlias = Literal["narrowing", "capture", "effect", "timing", "piece", "squares"]

LARGEST_NUMBER = 999

# Clockwise from forward, as COMPASS is.
DIRECTIONS: dict[str, Vector] = dict(
    zip(("N", "NE", "E", "SE", "S", "SW", "W", "NW"), COMPASS, strict=True)
)
# Names that stand for four directions.
FOURS: dict[str, tuple[str, ...]] = {
    "O": ("N", "E", "S", "W"),
    "D": ("NE", "SE", "SW", "NW"),
}

OCTANTS = "abcdefgh"

# Degrees in one of each unit; a number without a unit is in degrees.
UNITS: dict[str, float] = {
    "": 1.0,
    "°": 1.0,
    "deg": 1.0,
    "rad": 180 / pi,
    "gon": 0.9,
    "grad": 0.9,
}
SIXTEENTH = 22.5
HALF_TURN = 8
TOLERANCE = 0.5

# The long forms of flags, accepted and written back short.
LONG_FLAGS: dict[str, str] = {
    "friendly": "F",
    "enemy": "E",
    "both": "FE",
    "passive": "P",
    "active": "A",
    "greedy": "G",
    "lazy": "L",
}
SIDES: dict[str, Side] = {"F": "F", "E": "E", "FE": "FE"}
WHENS: dict[str, When] = {"P": "P", "A": "A", "PA": "PA"}
GREEDS: dict[str, Greed] = {"G": "G", "L": "L"}
ROYAL_FLAGS: tuple[Literal["A", "O"], ...] = ("A", "O")
IDENTIFIERS: tuple[Literal["inclusive", "exclusive"], ...] = ("inclusive", "exclusive")


@dataclass(frozen=True, slots=True)
class Function:
    """A built-in function.

    ``side``, ``when`` and ``greed`` are defaults, "" where the function takes no such flag;
    ``counts`` says whether it takes a number. ``phrase`` is its meaning in English.
    """

    name: str
    kind: Kind
    phrase: str
    side: Side = ""
    when: When = ""
    greed: Greed = ""
    counts: bool = False


FUNCTIONS: dict[str, Function] = {
    function.name: function
    for function in (
        Function("m", "narrowing", "without capturing"),
        Function("c", "narrowing", "only to capture"),
        Function("j", "narrowing", "may jump over", side="FE", counts=True),
        Function("nj", "narrowing", "may not jump", side="FE"),
        Function("i", "capture", "captures without moving", side="E", when="A"),
        Function("rpg", "capture", "captures everything in its way", side="E", greed="L"),
        Function("im", "effect", "immobilises", side="E", when="A", counts=True),
        Function("burn", "effect", "burns", side="E", when="A"),
        Function("atmove", "timing", "as its k-th move"),
        Function("ataction", "timing", "every k-th move"),
        Function("royal", "piece", "royal"),
        Function("promote", "piece", "promotes"),
        Function("fe", "piece", "cannot be captured"),
        Function("sz", "piece", "cells large"),
        Function("function", "piece", "declares the function"),
        Function("INF", "squares", "to any square within"),
    )
}
ALIASES: dict[str, str] = {"rifle": "i"}

# How each function is written, as an example that reads.
USAGES: dict[str, str] = {
    **{
        name: f"{name}(1×8d)"
        for name, function in FUNCTIONS.items()
        if function.kind in {"narrowing", "capture", "effect"}
    },
    "rifle": "rifle(1×8d)",
    "atmove": "atmove(1, 1×8d)",
    "ataction": "ataction(2, 1×8d)",
    "royal": "royal()",
    "promote": "promote(//reach rank eight, n8d)",
    "fe": "fe()",
    "sz": "sz(2)",
    "function": "function(spin, range)",
    "INF": "INF(2, 2)",
    "group": "group(m,j)(2×4dO)",
}

# `group` has a syntax of its own, so it is no function; it cannot be declared either.
RESERVED = frozenset({*FUNCTIONS, *ALIASES, "group"})
# Functions of a leg that make a leg again.
LEG_FUNCTIONS = frozenset({"m", "c", "j", "nj"})
# Functions that need a move only, and so can stand in a group.
MEMBERS = frozenset(
    name
    for name, function in FUNCTIONS.items()
    if function.kind in {"narrowing", "capture", "effect"}
)
# Functions of a move that say something about squares passed, which Betza says itself.
NOT_ON_BETZA = frozenset({"j", "nj", "rpg"})


def known(name: str) -> Function | None:
    """The built-in function of that name or alias, or None.

    >>> known("rifle").name, known("jump")
    ('i', None)
    """
    return FUNCTIONS.get(ALIASES.get(name, name))


def nearest(name: str, known: Sequence[str]) -> str:
    """The known name most like a name, or "": other case, a slip, or what it starts with.

    >>> nearest("Inf", ["j", "INF"]), nearest("jump", ["j", "m"]), nearest("promot", ["promote"])
    ('INF', 'j', 'promote')
    """
    import difflib  # noqa: PLC0415 - only where something is wrong

    for other in known:
        if other.lower() == name.lower():
            return other
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return close[0]
    starts = [other for other in known if name.lower().startswith(other.lower())]
    return max(starts, key=len, default="")


@lru_cache(maxsize=4096)
def radial(count: str, names: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Vector, ...]]:
    """The directions of a radial move: how they are written, and the steps they amount to.

    Both are empty when the count and the names do not agree, or a name stands twice (the steps of
    a good one are never empty). Names are put in the layout of the writer: clockwise from N, ``O``
    and ``D`` for exactly those, the complement from five directions on.

    >>> radial("5", ("O", "NE"))[0], radial("7", ("S",))[1][:4]
    (('SE', 'SW', 'NW'), ((0, 1), (1, 1), (1, 0), (1, -1)))
    """
    listed = [name for short in names for name in FOURS.get(short, (short,))]
    number = int(count) if len(count) == 1 else 0
    if len(set(listed)) < len(listed) or not 1 <= number <= len(DIRECTIONS):
        return (), ()
    if len(listed) == number:
        chosen = set(listed)
    elif len(listed) == len(DIRECTIONS) - number:
        chosen = DIRECTIONS.keys() - listed
    else:
        return (), ()
    return layout(chosen), tuple(DIRECTIONS[name] for name in DIRECTIONS if name in chosen)


def layout(chosen: set[str]) -> tuple[str, ...]:
    """The list that stands for these directions after their number.

    >>> layout({"SW", "SE", "NE", "NW"}), layout({"W", "N"}), layout(set(DIRECTIONS) - {"S"})
    (('D',), ('N', 'W'), ('S',))
    """
    if len(chosen) > len(DIRECTIONS) // 2:
        return tuple(name for name in DIRECTIONS if name not in chosen)
    for short, names in FOURS.items():
        if chosen == set(names):
            return (short,)
    return tuple(name for name in DIRECTIONS if name in chosen)


@lru_cache(maxsize=4096)
def leaps(p: int, q: int, octants: str) -> tuple[Vector, ...]:
    """The leaps of octant letters, "" for all eight, in the order a to h.

    >>> leaps(1, 2, "ab"), leaps(3, 4, "d")
    (((-1, 2), (1, 2)), ((4, -3),))
    """
    ring = images(p, q)
    return tuple(
        ring[index - 1] for index, letter in enumerate(OCTANTS) if letter in (octants or OCTANTS)
    )


@lru_cache(maxsize=1024)
def sixteenths(number: str, unit: str) -> int:
    """The size of a turn in sixteenths of a circle, or -1 when the grid has no such turn.

    >>> [sixteenths(number, unit) for number, unit in (("22.5", "°"), ("0.785", "rad"), ("30", ""))]
    [1, 2, -1]
    """
    size = float(number) * UNITS[unit]
    if size > 180 + TOLERANCE:
        return -1
    turn = round(size / SIXTEENTH)
    return turn if abs(size - turn * SIXTEENTH) <= TOLERANCE else -1


def degrees(turn: int) -> str:
    """Sixteenths of a circle in degrees, as text.

    >>> degrees(1), degrees(2)
    ('22.5', '45')
    """
    return f"{turn * SIXTEENTH:g}"
