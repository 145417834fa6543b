"""The steps that ways begin and end with, as far as all of these are known."""

from __future__ import annotations

from typing import Literal

from alfil.geometry import Vector
from alfil.movement.nodes import Either, Leg, Repeat, Rifle, Then, Way, Within


def inner_leg(way: Way) -> Leg | None:
    """The leg that a way is, under whatever rules."""
    while isinstance(way, Within):
        way = way.way
    return way if isinstance(way, Leg) else None


def first_steps(way: Way) -> tuple[Vector, ...]:
    """The steps a way may begin with; none where it is not known that there are no others.

    >>> first_steps(Either((Leg(((0, 1),)), Repeat(Leg(((1, 1), (0, 1)))))))
    ((0, 1), (1, 1))
    """
    return _steps_at(way, 0)


def last_steps(way: Way) -> tuple[Vector, ...]:
    """The steps a way may end with; none where it is not known that there are no others."""
    return _steps_at(way, -1)


def _steps_at(way: Way, end: Literal[0, -1]) -> tuple[Vector, ...]:
    match way:
        case Leg():
            return way.steps
        case Within(rule, inside) if not isinstance(rule, Rifle):
            return _steps_at(inside, end)
        case Then(ways):
            return _steps_at(ways[end], end)
        case Repeat(inside, optional=False):
            return _steps_at(inside, end)
        case Either(ways):
            steps = [_steps_at(each, end) for each in ways]
            return (
                tuple(dict.fromkeys(step for each in steps for step in each)) if all(steps) else ()
            )
        case _:
            return ()
