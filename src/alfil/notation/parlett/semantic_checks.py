"""What is wrong with a tree of Parlett's notation, and what is not certain about it.

The notation was never published in full. What its rules and examples settle is read; anything else
is refused with the reason, for a guess would be another piece than the one that was meant. What is
said of each mistake stands in grammars/parlett_diagnostics.tsv.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from alfil.errors import Diagnostic
from alfil.geometry import Vector
from alfil.notation.parlett.letters import (
    CONDITIONS,
    DIAGONAL,
    DIRECTIONS,
    MOVE_TYPES,
    ORTHOGONAL,
    ConditionLetter,
    make_diagnostic,
)
from alfil.notation.parlett.nodes import (
    Chain,
    Distance,
    Group,
    Oblique,
    Option,
    Repeat,
    Straight,
    Way,
    direction_of,
    without_brackets,
)
from alfil.notation.parlett.writer import distance_text, way_text
from alfil.source import Span

NUMBER_PATTERN = re.compile(r"[0-9]+")
LEAP_PATTERN = re.compile(r"(?<![0-9])([0-9]++)\s*/\s*([0-9]+)")
RANGE_PATTERN = re.compile(r"(?<![0-9])([0-9]++)\s*-\s*([0-9]+)")
MAX_NUMBER_DIGITS = 2
CHAIN_PARTS = 2


def all_errors(options: Sequence[Option], text: str) -> list[Diagnostic]:
    """Everything that is wrong or not certain, in no order."""
    wrong = [*_number_errors(text), *_range_errors(text)]
    for option in options:
        wrong += _option_errors(option, {})
    return wrong


def warnings(options: Sequence[Option]) -> tuple[Diagnostic, ...]:
    """Warnings: 1/2 without ~ is a leap here, but some lists mean a piece that can be blocked."""
    lone = [each for option in options for each in _ambiguous_obliques(option.way)]
    return tuple(
        make_diagnostic("leap-without-tilde", each.span, move=way_text(each)) for each in lone
    )


def _ambiguous_obliques(way: Way) -> Iterator[Oblique]:
    """Oblique moves without a type that are no round of a rider."""
    match way:
        case Oblique(type=""):
            yield way
        case Group(options=options):
            for option in options:
                yield from _ambiguous_obliques(option.way)


def _number_errors(text: str) -> Iterator[Diagnostic]:
    leaps = [*LEAP_PATTERN.finditer(text)]
    for match in leaps:
        if not (match[1] + match[2]).strip("0"):
            yield make_diagnostic("zero-leap", Span(*match.span()))
    beside = {match.start(number) for match in leaps for number in (1, 2)}
    for match in NUMBER_PATTERN.finditer(text):
        digits, span = match[0], Span(*match.span())
        short = digits.lstrip("0") or "0"
        if short == "0" and span.start not in beside:
            yield make_diagnostic("distance-zero", span)
        elif short != digits:
            yield make_diagnostic("leading-zero", span, number=short[:2])
        elif len(digits) > MAX_NUMBER_DIGITS:
            yield make_diagnostic("number-too-long", span)


def _range_errors(text: str) -> Iterator[Diagnostic]:
    for match in RANGE_PATTERN.finditer(text):
        one, other = (int(number[: MAX_NUMBER_DIGITS + 1]) for number in match.groups())
        if one >= other:
            instead = f"{other}-{one}" if one > other > 0 else one
            yield make_diagnostic("range-order", Span(*match.span()), instead=instead)


def _option_errors(option: Option, around: dict[ConditionLetter, Span]) -> Iterator[Diagnostic]:
    """What is wrong with an option; ``around`` are the conditions of the brackets it is in."""
    held = dict(around)
    for condition in option.conditions:
        letter, span = condition.letter, condition.span
        against = CONDITIONS[letter].excludes
        if letter in held:
            yield make_diagnostic("repeated-condition", held[letter], span, condition=letter)
        elif against in held:
            one, other = (f"{each} is {CONDITIONS[each].says}" for each in (against, letter))
            yield make_diagnostic("contradiction", held[against], span, one=one, other=other)
        held[letter] = span
    yield from _way_errors(option.way, held)


def _way_errors(way: Way, conditions: dict[ConditionLetter, Span]) -> Iterator[Diagnostic]:
    match way:
        case Straight(type="^"):
            yield from _locust_errors(way, conditions)
        case Oblique(type="^"):
            yield make_diagnostic("oblique-locust", way.span)
        case Straight() | Oblique():
            return
        case Group(options=options):
            for option in options:
                yield from _option_errors(option, conditions)
        case Repeat():
            yield from _repeat_errors(way)
        case Chain():
            yield from _chain_errors(way)


def _locust_errors(way: Straight, conditions: dict[ConditionLetter, Span]) -> Iterator[Diagnostic]:
    if "o" in conditions:
        one, other = f"o is {CONDITIONS['o'].says}", f"^ {MOVE_TYPES['^']}"
        yield make_diagnostic("contradiction", conditions["o"], way.span, one=one, other=other)
    elif way.distance.least == 1 and way.distance.most is not None:
        far = distance_text(Distance(2, max(2, way.distance.most)))
        instead = f"{'' if 'c' in conditions else 'c'}^{far}{way.direction}"
        yield make_diagnostic("nothing-leapt-over", way.span, instead=instead)
    elif "c" not in conditions:
        yield make_diagnostic("quiet-locust", way.span, move=way_text(way))


def _repeat_errors(repeat: Repeat) -> Iterator[Diagnostic]:
    body = without_brackets(repeat.way)
    match body:
        case Straight(type="^") | Oblique(type="^"):
            yield make_diagnostic("repeated-locust", repeat.span)
        case Straight(distance=distance) if distance.least != distance.most:
            yield make_diagnostic("several-distances", body.span, move=way_text(body))
        case Straight() | Oblique():
            return
        case Repeat():
            yield make_diagnostic("repeated-repeat", repeat.span)
        case Chain():
            yield make_diagnostic("repeated-chain", repeat.span)
        case Group():
            yield make_diagnostic("repeated-group", repeat.span)


def _chain_errors(chain: Chain) -> Iterator[Diagnostic]:
    ways = [without_brackets(way) for way in chain.ways]
    wrong = [each for way in ways for each in _chain_part_errors(way)]
    yield from wrong
    if wrong:
        return
    if len(ways) > CHAIN_PARTS:
        yield make_diagnostic("third-part", chain.span)
        return
    one, other = map(line_kind, ways)
    if one is None or other is None or one == other:
        yield make_diagnostic("other-turn", chain.span)
    elif not outward_step_pairs(*ways):
        before, after = map(way_text, ways)
        yield make_diagnostic("no-way-on", chain.ways[1].span, after=after, before=before)


def _chain_part_errors(way: Way) -> Iterator[Diagnostic]:
    """What is wrong with one part of a chain by itself."""
    match way:
        case Straight(type="^") | Oblique(type="^"):
            yield make_diagnostic("locust-inside", way.span)
        case Group():
            yield make_diagnostic("group-inside", way.span)
        case Chain():
            yield make_diagnostic("third-part", way.span)
        case _:
            yield from _way_errors(way, {})


def line_kind(way: Way) -> str | None:
    """Whether a part of a chain is orthogonal or diagonal; None for both and for neither."""
    steps = set(_single_steps_of_line(way))
    if not steps:
        return None
    if steps.issubset(ORTHOGONAL):
        return "orthogonal"
    return "diagonal" if steps.issubset(DIAGONAL) else None


def outward_step_pairs(before: Way, after: Way) -> set[tuple[Vector, Vector]]:
    """The single steps of two parts of which the second is outward from the first: by 45°."""
    return {
        ((x, y), (u, v))
        for x, y in _single_steps_of_line(before)
        for u, v in _single_steps_of_line(after)
        if x * u + y * v == 1
    }


def _single_steps_of_line(way: Way) -> tuple[Vector, ...]:
    """The single steps of a part that goes along straight lines; none of any other."""
    direction = direction_of(way)
    return () if direction is None else DIRECTIONS[direction]
