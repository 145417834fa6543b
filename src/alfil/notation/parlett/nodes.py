"""The nodes of a tree of Parlett's notation: options and the moves they are made of."""

from __future__ import annotations

from typing import TypeAlias

from alfil.frozen_dataclasses import dataclass
from alfil.notation.parlett.letters import ConditionLetter, Direction, MoveType
from alfil.source import Span, span_field


@dataclass(frozen=True, slots=True)
class Distance:
    """How far, or how often: from ``least`` to ``most``; ``most`` None is ``n``, any number."""

    least: int = 1
    most: int | None = None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Straight:
    """``~2X``: type, distance, direction."""

    distance: Distance
    direction: Direction
    type: MoveType = ""
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Oblique:
    """``~1/2``: two orthogonal distances at a right angle, the smaller one first."""

    numbers: tuple[int, int]
    type: MoveType = ""
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Group:
    """Options in round brackets."""

    options: tuple[Option, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Repeat:
    """``n(1/2)``, where ``way`` is a group, or ``1/2&``: so often, in the same direction."""

    times: Distance
    way: Way
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Chain:
    """``1X.n+``: one move, then another."""

    ways: tuple[Way, ...]
    span: Span = span_field()


Way: TypeAlias = Straight | Oblique | Group | Repeat | Chain


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition before a move."""

    letter: ConditionLetter
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Option:
    """A move and its conditions, which stand in the usual order, whatever was written."""

    conditions: tuple[Condition, ...]
    way: Way
    span: Span = span_field()


def without_brackets(way: Way) -> Way:
    """A way without brackets around it that say nothing.

    >>> without_brackets(Group((Option((), Oblique((1, 2))),)))
    Oblique(numbers=(1, 2), type='')
    """
    while isinstance(way, Group) and len(way.options) == 1 and not way.options[0].conditions:
        way = way.options[0].way
    return way


def direction_of(way: Way) -> Direction | None:
    """The direction of a straight move, repeated or not; None of any other move."""
    way = without_brackets(way)
    if isinstance(way, Repeat):
        way = without_brackets(way.way)
    return way.direction if isinstance(way, Straight) else None
