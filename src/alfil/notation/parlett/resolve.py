"""From a tree of Parlett's notation to the movement it describes."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.geometry import Vector, images_of_base
from alfil.movement.nodes import (
    MOVE_ONLY,
    MOVE_OR_CAPTURE,
    ONE_STEP,
    Bend,
    End,
    Join,
    Jumping,
    Leg,
    Lengths,
    Movement,
    OnMove,
    Passage,
    Then,
    Way,
    When,
    Within,
)
from alfil.movement.nodes import Option as MovementOption
from alfil.movement.run_sequences import PASS_ANYTHING
from alfil.notation.description import Description
from alfil.notation.parlett import nodes
from alfil.notation.parlett.letters import CONDITIONS, DIAGONAL, DIRECTIONS, ORTHOGONAL
from alfil.notation.parlett.nodes import (
    Chain,
    Condition,
    Distance,
    Group,
    Oblique,
    Option,
    Repeat,
    Straight,
    direction_of,
    without_brackets,
)
from alfil.source import Span

CAPTURE_PASSAGES: tuple[Passage, ...] = ("take-enemy", "take-royal")


def resolve_parlett(description: Description) -> Movement:
    """The movement of a tree that was read: an option for each of its options.

    >>> from alfil.notation.parlett.reader import read_parlett
    >>> from alfil.source import Source
    >>> resolve_parlett(read_parlett(Source("~2X"))[0]).options[0].way.steps
    ((2, 2), (2, -2), (-2, -2), (-2, 2))
    """
    options = [
        option
        for term in description.terms
        if isinstance(term, Option)
        for option in _movement_options_of(term, ())
    ]
    return Movement(tuple(options), span=description.span)


def _movement_options_of(option: Option, around: tuple[Condition, ...]) -> Iterator[MovementOption]:
    """The options that one amounts to: conditions of brackets hold for all inside."""
    conditions = (*around, *option.conditions)
    way = without_brackets(option.way)
    if isinstance(way, Group):
        for each in way.options:
            yield from _movement_options_of(each, conditions)
        return
    ends, when = MOVE_OR_CAPTURE, list[When]()
    for condition in conditions:
        row = CONDITIONS[condition.letter]
        ends = row.ends or ends
        if row.on_move is not None:
            when.append(OnMove(row.on_move, span=condition.span))
    yield MovementOption(_way_of(way, ends), tuple(when), span=option.span)


def _way_of(way: nodes.Way, ends: tuple[End, ...]) -> Way:
    match without_brackets(way):
        case Straight(type="^") as over:
            return _locust_way(over)
        case Straight(type="~", distance=Distance(most=None)) as leap:
            run = Leg(DIRECTIONS[leap.direction], "any", ends, span=leap.span)
            return Within(Jumping(span=leap.span), run, span=leap.span)
        case Chain(ways=(one, other)):
            turn = _outward_turn(other, way.span)
            legs = (_leg_of(one, ends), _leg_of(other, ends))
            return Then(legs, (Join(turn, may_stop=True, span=way.span),), span=way.span)
        case inner:
            return _leg_of(inner, ends)


def _leg_of(way: nodes.Way, ends: tuple[End, ...]) -> Leg:
    """A move that is one leg."""
    match without_brackets(way):
        case Straight(distance=distance, direction=direction, type=kind, span=span):
            steps = DIRECTIONS[direction]
            if not kind:
                return Leg(steps, _lengths(distance), ends, span=span)
            if distance.most is None:
                return Leg(steps, "any", ends, along=PASS_ANYTHING, span=span)
            return Leg(_leap_vectors(steps, distance), ONE_STEP, ends, span=span)
        case Oblique(numbers=numbers, span=span):
            return Leg(images_of_base(*numbers), ONE_STEP, ends, span=span)
        case Repeat(times=times, way=inner, span=span):
            return _rider_leg(without_brackets(inner), _lengths(times), ends, span)
        case _:
            raise AssertionError(way)


def _rider_leg(way: nodes.Way, lengths: Lengths, ends: tuple[End, ...], span: Span) -> Leg:
    """A leap or a distance again and again; without ~ the squares in between must be empty."""
    match way:
        case Straight(distance=distance, direction=direction, type=kind):
            steps = _leap_vectors(DIRECTIONS[direction], distance)
            lame = not kind and distance.least > 1
            return Leg(steps, lengths, ends, between="empty" if lame else "anything", span=span)
        case Oblique(numbers=numbers):
            return Leg(images_of_base(*numbers), lengths, ends, span=span)
        case _:
            raise AssertionError(way)


def _locust_way(over: Straight) -> Then:
    """To an enemy, which is captured, and on to the empty square behind it; empty up to there."""
    steps, span = DIRECTIONS[over.direction], over.span
    least, most = max(over.distance.least - 1, 1), over.distance.most
    before = Distance(least, most and most - 1)
    first = Leg(steps, _lengths(before), through=CAPTURE_PASSAGES, span=span)
    last = Leg(steps, ends=MOVE_ONLY, span=span)
    straight_on = Join(Bend((0,), span=span), may_stop=False, span=span)
    return Then((first, last), (straight_on,), span=span)


def _outward_turn(after: nodes.Way, span: Span) -> Bend:
    """The turn to the second part of a chain: outward, which is by 45° to either side."""
    direction = direction_of(after)
    every = direction is not None and DIRECTIONS[direction] in (ORTHOGONAL, DIAGONAL)
    return Bend(None if every else (1, 7), chooses=True, span=span)


def _lengths(distance: Distance) -> Lengths:
    if distance.most is None:
        return "any"
    return tuple(range(distance.least, distance.most + 1))


def _leap_vectors(steps: tuple[Vector, ...], distance: Distance) -> tuple[Vector, ...]:
    """The leaps of these distances."""
    most = distance.most or distance.least
    return tuple((x * far, y * far) for far in range(distance.least, most + 1) for x, y in steps)
