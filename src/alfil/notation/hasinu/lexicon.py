"""The words of Ħasínū: directions, octants, flags, angles and functions, as tables.

Reader and writer share these tables, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import pi
from typing import Literal, TypeAlias, get_args

from alfil.data_files import MessageTable
from alfil.geometry import COMPASS, Vector, base_vector, images_of_base
from alfil.movement.turn_geometry import ANGLE_TOLERANCE_DEGREES

SideFlag: TypeAlias = Literal["", "F", "E", "FE"]
ActivationFlag: TypeAlias = Literal["", "P", "A", "PA"]
GreedFlag: TypeAlias = Literal["", "G", "L"]
# What a function makes: of a leg a leg, of a move another move, or a fact about the piece; timing
# takes a number too, a piece's function no move, and squares are named by numbers alone.
FunctionKind: TypeAlias = Literal[
    "narrowing", "rifle", "rampage", "effect", "timing", "piece", "squares"
]
MoveName: TypeAlias = Literal["m", "c", "j", "nj", "i", "rpg", "im", "burn"]
FunctionName: TypeAlias = Literal[
    MoveName, "atmove", "ataction", "royal", "promote", "fe", "sz", "function", "INF"
]

LARGEST_NUMBER = 999
MAX_NUMBER_DIGITS = len(str(LARGEST_NUMBER))

# Clockwise from forward, as COMPASS is.
DIRECTIONS: dict[str, Vector] = dict(
    zip(("N", "NE", "E", "SE", "S", "SW", "W", "NW"), COMPASS, strict=True)
)
# Names that stand for four directions.
DIRECTION_GROUPS: dict[str, tuple[str, ...]] = {
    "O": ("N", "E", "S", "W"),
    "D": ("NE", "SE", "SW", "NW"),
}

# Lists of so many directions that people are likely to mean.
_USUAL_DIRECTIONS_BY_COUNT = ("", "N", "N-S", "N-E-W", "O", "O-NE", "SE-SW", "S", "")

OCTANTS = "abcdefgh"

# Degrees in one of each unit; a number without a unit is in degrees.
DEGREES_BY_UNIT: dict[str, float] = {
    "": 1.0,
    "°": 1.0,
    **dict.fromkeys(("deg", "degree", "degrees"), 1.0),
    **dict.fromkeys(("rad", "radian", "radians"), 180 / pi),
    **dict.fromkeys(("gon", "gons", "grad", "grads"), 0.9),
}
# The hand a sign before an angle says.
HAND_BY_SIGN: dict[Literal["", "+", "-"], Literal["either", "right", "left"]] = {
    "": "either",
    "+": "right",
    "-": "left",
}
DEGREES_PER_SIXTEENTH = 22.5
HALF_TURN = 8

# Flags with their long forms, which are accepted and written back short.
SIDE_FLAGS: dict[str, SideFlag] = {
    "F": "F",
    "friendly": "F",
    "E": "E",
    "enemy": "E",
    "FE": "FE",
    "both": "FE",
}
ACTIVATION_FLAGS: dict[str, ActivationFlag] = {
    "P": "P",
    "passive": "P",
    "A": "A",
    "active": "A",
    "PA": "PA",
}
GREED_FLAGS: dict[str, GreedFlag] = {"G": "G", "greedy": "G", "L": "L", "lazy": "L"}
# Every so many-th turn, and not just one move of the piece.
TURN_KEYWORD = "turn"
# How INF reaches its squares: by leaps, by steps over empty squares, or as the lion of chu shogi.
LEAPS, STEPS, LION = INF_READINGS = ("leaps", "steps", "lion")
# What the exceptions of fe are: the captures that are illegal, or the only ones that are legal.
IRON_EXCEPTION_FLAGS: tuple[Literal["inclusive", "exclusive"], ...] = ("inclusive", "exclusive")


@dataclass(frozen=True, slots=True)
class Function:
    """A built-in function.

    ``usage`` is an example that reads. ``about`` says whether it speaks of where a move ends, or of
    the way there, which Betza says itself; ``clashes`` are functions that leave nothing of it.
    ``side``, ``when`` and ``greed`` are defaults, "" where the function takes no such flag;
    ``counts`` says whether it takes a number.
    """

    name: FunctionName
    kind: FunctionKind
    usage: str
    about: Literal["", "end", "way"] = ""
    clashes: tuple[MoveName, ...] = ()
    side: SideFlag = ""
    when: ActivationFlag = ""
    greed: GreedFlag = ""
    counts: bool = False


FUNCTIONS: dict[str, Function] = {
    function.name: function
    for function in (
        Function("m", "narrowing", "m(1×8d)", "end", ("c", "i")),
        Function("c", "narrowing", "c(1×8d)", "end", ("m",)),
        Function("j", "narrowing", "j(1×8d)", "way", ("nj",), side="FE", counts=True),
        Function("nj", "narrowing", "nj(1×8d)", "way", ("j",), side="FE"),
        Function("i", "rifle", "i(1×8d)", "end", ("m",), side="E", when="A"),
        Function("rpg", "rampage", "rpg(1×8d)", "way", side="E", greed="L"),
        Function("im", "effect", "im(1×8d)", side="E", when="A", counts=True),
        Function("burn", "effect", "burn(1×8d)", side="E", when="A"),
        Function("atmove", "timing", "atmove(1, 1×8d)"),
        Function("ataction", "timing", "ataction(2, 1×8d)"),
        Function("royal", "piece", "royal()"),
        Function("promote", "piece", "promote(//reach rank eight, n8d)"),
        Function("fe", "piece", "fe()"),
        Function("sz", "piece", "sz(2)"),
        Function("function", "piece", "function(spin, range)"),
        Function("INF", "squares", "INF(2, 2)"),
    )
}
FUNCTION_ALIASES: dict[str, MoveName] = {"rifle": "i"}
# Functions that need a move only, by all their names, and so can stand in a group.
GROUPABLE_FUNCTIONS: dict[str, MoveName] = {
    name: name for name in get_args(MoveName)
} | FUNCTION_ALIASES
# How each function is written.
USAGE_BY_FUNCTION: dict[str, str] = {
    **{name: function.usage for name, function in FUNCTIONS.items()},
    "rifle": "rifle(1×8d)",
    "group": "group(m,j)(2×4dO)",
}
# `group` has a syntax of its own, so it is no function; it cannot be declared either.
RESERVED_NAMES = frozenset(USAGE_BY_FUNCTION)

make_diagnostic = MessageTable("hasinu_diagnostics.tsv").make_diagnostic


def builtin_function(name: str) -> Function | None:
    """The built-in function of that name or alias, or None.

    >>> builtin_function("rifle").name, builtin_function("jump")
    ('i', None)
    """
    return FUNCTIONS.get(FUNCTION_ALIASES.get(name, name))


def function_kind(name: str) -> FunctionKind | Literal["foreign"]:
    """The kind of a function that is called by any of its names."""
    function = builtin_function(name)
    return "foreign" if function is None else function.kind


def nearest_name(name: str, known: Sequence[str]) -> str:
    """The known name most like a name, or "": other case, a slip, or what it starts with.

    >>> nearest_name("Inf", ["j", "INF"]), nearest_name("jump", ["j", "m"])
    ('INF', 'j')
    >>> nearest_name("promot", ["promote"]), nearest_name("over", ["atmove", "j"])
    ('promote', '')
    """
    import difflib  # noqa: PLC0415 - only where something is wrong

    for other in known:
        if other.lower() == name.lower():
            return other
    # Whoever slips seldom does so with the first letter.
    likely = [other for other in known if other[:1] == name[:1]]
    close = difflib.get_close_matches(name, likely, n=1) or difflib.get_close_matches(
        name, known, n=1, cutoff=0.8
    )
    if close:
        return close[0]
    starts = [other for other in known if name.lower().startswith(other.lower())]
    return max(starts, key=len, default="")


@lru_cache(maxsize=4096)
def radial_steps(count: str, names: tuple[str, ...]) -> tuple[Vector, ...]:
    """The steps that the count and the names of a radial move amount to, clockwise from N.

    There are none when the count and the names do not agree, or a name stands twice.

    >>> radial_steps("2", ("W", "N")), radial_steps("7", ("S",))[:4]
    (((0, 1), (-1, 0)), ((0, 1), (1, 1), (1, 0), (1, -1)))
    """
    direction_names = [name for short in names for name in DIRECTION_GROUPS.get(short, (short,))]
    number = int(count) if len(count) == 1 else 0
    if len(set(direction_names)) < len(direction_names) or not 1 <= number <= len(DIRECTIONS):
        return ()
    if len(direction_names) == number:
        chosen = set(direction_names)
    elif len(direction_names) == len(DIRECTIONS) - number:
        chosen = DIRECTIONS.keys() - direction_names
    else:
        return ()
    return tuple(DIRECTIONS[name] for name in DIRECTIONS if name in chosen)


def direction_count_and_list(vectors: Collection[Vector]) -> str:
    """The count and the list that stand for these directions.

    The list goes clockwise from N; ``O`` and ``D`` stand for exactly those, and from five
    directions on the others are listed.

    >>> (direction_count_and_list(radial_steps("4", ("SW", "SE", "NE", "NW"))),
    ...  direction_count_and_list(radial_steps("5", ("O", "NE"))))
    ('4dD', '5dSE-SW-NW')
    """
    many = len(vectors) > len(DIRECTIONS) // 2
    direction_names = tuple(name for name in DIRECTIONS if (DIRECTIONS[name] in vectors) != many)
    short = next(
        (each for each, names in DIRECTION_GROUPS.items() if names == direction_names),
        "-".join(direction_names),
    )
    return f"{len(vectors)}d{short}"


def example_directions(count: int) -> str:
    """Directions for a count, as an example: "" for 8, which needs none.

    >>> example_directions(2), example_directions(8)
    ('N-S', '')
    """
    return _USUAL_DIRECTIONS_BY_COUNT[count] if count < len(_USUAL_DIRECTIONS_BY_COUNT) else ""


@lru_cache(maxsize=4096)
def oblique_leaps(p: int, q: int, octants: str) -> tuple[Vector, ...]:
    """The leaps of octant letters, "" for all eight, in the order a to h.

    >>> oblique_leaps(1, 2, "ba"), oblique_leaps(3, 4, "d")
    (((-1, 2), (1, 2)), ((4, -3),))
    """
    ring = images_of_base(p, q)
    return tuple(
        ring[index - 1] for index, letter in enumerate(OCTANTS) if letter in (octants or OCTANTS)
    )


def octant_letters(vectors: Collection[Vector]) -> str:
    """The octant letters for some images of one leap, "" for all eight.

    >>> octant_letters(oblique_leaps(1, 2, "ba")), octant_letters(oblique_leaps(1, 2, ""))
    ('ab', '')
    """
    every = oblique_leaps(*base_vector(next(iter(vectors))), "")
    if len(vectors) == len(every):
        return ""
    return "".join(letter for letter, leap in zip(OCTANTS, every, strict=True) if leap in vectors)


def turn_degrees(number: str, unit: str) -> float:
    """The size of a turn in degrees; a number may be a part of π.

    >>> [round(turn_degrees(*each), 2) for each in (("22.5", "°"), ("π/4", "rad"),
    ...  ("29.52", "gon"))]
    [22.5, 45.0, 26.57]
    """
    times, circle, parts = number.replace("pi", "π").partition("π")
    if not circle:
        return float(number) * DEGREES_BY_UNIT[unit]
    return (
        parse_number(times or "1")
        * pi
        / parse_number(parts.lstrip("/") or "1")
        * DEGREES_BY_UNIT[unit]
    )


def turn_sixteenths(degrees: float) -> int | None:
    """A turn in sixteenths of a circle: -1 for one of more than half a circle, None for no such.

    >>> turn_sixteenths(22.5), turn_sixteenths(45.1), turn_sixteenths(30), turn_sixteenths(270)
    (1, 2, None, -1)
    """
    if degrees > 180 + ANGLE_TOLERANCE_DEGREES:
        return -1
    turn = round(degrees / DEGREES_PER_SIXTEENTH)
    return turn if abs(degrees - turn * DEGREES_PER_SIXTEENTH) <= ANGLE_TOLERANCE_DEGREES else None


def parse_number(digits: str) -> int:
    """The number, or one above every limit when it has too many digits."""
    return int(digits) if len(digits) <= MAX_NUMBER_DIGITS else 10**MAX_NUMBER_DIGITS


def degrees_text(sixteenths: int) -> str:
    """Sixteenths of a circle in degrees, as text.

    >>> degrees_text(1), degrees_text(2)
    ('22.5', '45')
    """
    return f"{sixteenths * DEGREES_PER_SIXTEENTH:g}"
