"""A tree out as Parlett's notation: `write_parlett`. What is written and read again is the tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from alfil.notation.description import Description
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
    return _options_text([term for term in description.terms if isinstance(term, Option)])


def _options_text(options: Sequence[Option]) -> str:
    return ", ".join(map(_option_text, options))


def _option_text(option: Option) -> str:
    conditions = "".join(condition.letter for condition in option.conditions)
    return conditions + way_text(option.way)


def way_text(way: Way) -> str:
    """One move."""
    match way:
        case Straight(distance=distance, direction=direction, type=kind):
            return f"{kind}{distance_text(distance)}{direction}"
        case Oblique(numbers=(one, other), type=kind):
            return f"{kind}{one}/{other}"
        case Group(options=options):
            return f"({_options_text(options)})"
        case Repeat(times=times, way=Group() as group):
            return f"{distance_text(times)}{way_text(group)}"
        case Repeat(way=inner):
            return f"{way_text(inner)}&"
        case Chain(ways=ways):
            return ".".join(map(way_text, ways))
        case _:
            assert_never(way)


def distance_text(distance: Distance) -> str:
    """A distance or a number of times.

    >>> distance_text(Distance(2, 2)), distance_text(Distance(1, 3)), distance_text(Distance())
    ('2', '1-3', 'n')
    """
    if distance.most is None:
        return "n"
    if distance.least == distance.most:
        return str(distance.least)
    return f"{distance.least}-{distance.most}"
