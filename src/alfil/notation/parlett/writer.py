"""A tree out as Parlett's notation: `write_parlett`. What is written and read again is the tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from alfil.notation.nodes import Description
from alfil.notation.parlett.nodes import (
    Chain,
    Distance,
    Group,
    Oblique,
    Option,
    Repeat,
    Straight,
    Way,
)


def write_parlett(description: Description) -> str:
    """The options in their order, with a comma and a blank between.

    >>> knight = Option((), Oblique((1, 2), "~"))
    >>> write_parlett(Description((knight,), "parlett"))
    '~1/2'
    """
    return _listed([term for term in description.terms if isinstance(term, Option)])


def _listed(options: Sequence[Option]) -> str:
    return ", ".join(map(_option, options))


def _option(option: Option) -> str:
    conditions = "".join(condition.letter for condition in option.conditions)
    return conditions + written(option.way)


def written(way: Way) -> str:
    """One move."""
    match way:
        case Straight(distance=distance, direction=direction, type=kind):
            return f"{kind}{number(distance)}{direction}"
        case Oblique(numbers=(one, other), type=kind):
            return f"{kind}{one}/{other}"
        case Group(options=options):
            return f"({_listed(options)})"
        case Repeat(times=times, way=Group() as group):
            return f"{number(times)}{written(group)}"
        case Repeat(way=inner):
            return f"{written(inner)}&"
        case Chain(ways=ways):
            return ".".join(map(written, ways))
        case _:
            assert_never(way)


def number(distance: Distance) -> str:
    """A distance or a number of times.

    >>> number(Distance(2, 2)), number(Distance(1, 3)), number(Distance())
    ('2', '1-3', 'n')
    """
    if distance.most is None:
        return "n"
    if distance.least == distance.most:
        return str(distance.least)
    return f"{distance.least}-{distance.most}"
