"""What is wrong with a tree of Parlett's notation, and what is not certain about it.

The notation was never published in full. What its rules and examples settle is read; anything else
is refused with the reason, for a guess would be another piece than the one that was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from alfil.errors import Finding
from alfil.geometry import Vector
from alfil.notation.parlett.letters import (
    CONDITIONS,
    DIAGONAL,
    DIRECTIONS,
    ORTHOGONAL,
    Letter,
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
    plain,
)
from alfil.notation.parlett.writer import written
from alfil.source import Span

NUMBERS = re.compile(r"[0-9]+")
RANGES = re.compile(r"(?<![0-9])([0-9]+)\s*-\s*([0-9]+)")
LONGEST_NUMBER = 2
# Leaping over a single piece goes as far as this.
OVER_ONE = Distance(2, 2)
PARTS = 2


def check(options: Sequence[Option], text: str) -> list[Finding]:
    """Everything that is wrong or not certain, in no order."""
    found = [*_numbers(text), *_ranges(text)]
    for option in options:
        found += _option(option, {})
    return found


def warnings(options: Sequence[Option]) -> tuple[Finding, ...]:
    """Warnings: 1/2 without ~ is a leap here, but some lists mean a piece that can be blocked."""
    found = [each for option in options for each in _lone_obliques(option.way)]
    return tuple(
        Finding(
            "leap-without-tilde",
            f"{written(each)} is read as a leap, which nothing blocks",
            (each.span,),
            f"write ~{written(each)} for the leap; one that can be blocked has no certain form",
            "warning",
        )
        for each in found
    )


def _lone_obliques(way: Way) -> Iterator[Oblique]:
    """Oblique moves without a type that are no round of a rider."""
    match way:
        case Oblique(type=""):
            yield way
        case Group(options=options):
            for option in options:
                yield from _lone_obliques(option.way)


def _numbers(text: str) -> Iterator[Finding]:
    for match in NUMBERS.finditer(text):
        digits, span = match[0], (Span(*match.span()),)
        short = digits.lstrip("0")
        if not short:
            yield Finding("distance-zero", "a distance is 1 or more", span, "write 1 or more")
        elif short != digits:
            yield Finding("leading-zero", "a number begins with 0", span, f"write {short[:2]}")
        elif len(digits) > LONGEST_NUMBER:
            yield Finding("number-too-long", "a number has at most two digits", span, "write n")


def _ranges(text: str) -> Iterator[Finding]:
    for match in RANGES.finditer(text):
        one, other = (int(number[: LONGEST_NUMBER + 1]) for number in match.groups())
        if one >= other:
            message = "a range goes from a number to a larger one"
            hint = f"write {other}-{one}" if one > other > 0 else f"write {one}"
            yield Finding("range-order", message, (Span(*match.span()),), hint)


def _option(option: Option, around: dict[Letter, Span]) -> Iterator[Finding]:
    """What is wrong with an option; ``around`` are the conditions of the brackets it is in."""
    held = dict(around)
    for condition in option.conditions:
        letter, span = condition.letter, condition.span
        against = CONDITIONS[letter].excludes
        if letter in held:
            message = f"{letter} is said twice"
            spans = (held[letter], span)
            yield Finding("repeated-condition", message, spans, f"leave out one {letter}")
        elif against in held:
            spans = (held[against], span)
            one, other = CONDITIONS[against].says, CONDITIONS[letter].says
            message = f"{against} is {one}, {letter} is {other}"
            yield Finding("contradiction", message, spans, "leave out one of them")
        held[letter] = span
    yield from _way(option.way, held)


def _way(way: Way, held: dict[Letter, Span]) -> Iterator[Finding]:
    match way:
        case Straight():
            yield from _locust(way, held)
        case Oblique(type="^"):
            yield _uncertain_locust(way, "which squares an oblique leap passes over")
        case Oblique():
            return
        case Group(options=options):
            for option in options:
                yield from _option(option, held)
        case Repeat():
            yield from _repeat(way)
        case Chain():
            yield from _chain(way)


def _locust(way: Straight, held: dict[Letter, Span]) -> Iterator[Finding]:
    if way.type != "^":
        return
    if "o" in held:
        spans = (held["o"], way.span)
        message = "o is never a capture, ^ captures by leaping over"
        yield Finding("contradiction", message, spans, "leave out one of them")
    elif way.distance == Distance(1, 1):
        hint = f"write {'' if 'c' in held else 'c'}^2{way.direction}"
        message = "a leap of one square passes over nothing"
        yield Finding("nothing-leapt-over", message, (way.span,), hint)
    elif way.distance != OVER_ONE:
        yield _uncertain_locust(way, "which piece on the way is captured, and where the leap ends")
    elif "c" not in held:
        yield Finding(
            "uncertain-locust",
            f"whether {written(way)} may also leap without capturing is not certain",
            (way.span,),
            f"write c{written(way)}, and o~2{way.direction} beside it for the leap without capture",
        )


def _uncertain_locust(way: Straight | Oblique, what: str) -> Finding:
    message = f"{what} is not certain"
    hint = "only c^2 with a direction is certain: it captures the piece in between"
    return Finding("uncertain-locust", message, (way.span,), hint)


def _repeat(repeat: Repeat) -> Iterator[Finding]:
    body = plain(repeat.way)
    match body:
        case Oblique(type="" | "~"):
            return
        case Straight(type="" | "~", distance=distance) if distance.least == distance.most:
            return
        case Straight(type="" | "~"):
            message = f"{written(body)} has several distances, so that it is no step to repeat"
            hint = "repeat a leap or one distance, as in n(~2X)"
            yield Finding("repeated-run", message, (body.span,), hint)
        case Straight() | Oblique():
            yield _uncertain(repeat, "whether it may turn between two captures")
        case Repeat():
            yield _uncertain(repeat, "what two repetitions around one move amount to")
        case Chain():
            yield _uncertain(repeat, "which way the next round goes on")
        case Group():
            yield _uncertain(repeat, "whether every round has the same choice and conditions")


def _uncertain(repeat: Repeat, what: str) -> Finding:
    hint = "a single leap or distance can be repeated, as in n(1/2)"
    return Finding("uncertain-repeat", f"{what} is not certain", (repeat.span,), hint)


def _chain(chain: Chain) -> Iterator[Finding]:
    ways = [plain(way) for way in chain.ways]
    wrong = [each for way in ways for each in _part(way)]
    yield from wrong
    if wrong:
        return
    if len(ways) > PARTS:
        message = "how a third part turns from the two before it is not certain"
        yield _uncertain_turn(chain, message)
        return
    one, other = map(_lines, ways)
    if one is None or other is None or one == other:
        yield _uncertain_turn(chain, "which turns are meant after . is not certain here")
    elif not _leads_on(*ways):
        after, before = written(ways[1]), written(ways[0])
        message = f"no way of {after} leads outward from {before}"
        hint = f"leave out .{after}"
        yield Finding("no-way-on", message, (chain.ways[1].span,), hint)


def _part(way: Way) -> Iterator[Finding]:
    """What is wrong with one part of a chain by itself."""
    match way:
        case Straight(type="^") | Oblique(type="^"):
            message = "whether a move goes on after leaping over a piece is not certain"
            hint = "let it end there, as c^2X does"
            yield Finding("uncertain-locust", message, (way.span,), hint)
        case Group():
            message = "what a choice or a condition inside a longer move amounts to is not certain"
            hint = "write each choice as an option of its own, with its conditions in front"
            yield Finding("uncertain-group", message, (way.span,), hint)
        case Chain():
            yield _uncertain_turn(
                way, "how a third part turns from the two before it is not certain"
            )
        case _:
            yield from _way(way, {})


def _uncertain_turn(way: Way, message: str) -> Finding:
    hint = "certain is a diagonal part, then an orthogonal one, or the reverse, as in 1X.n+"
    return Finding("uncertain-turn", message, (way.span,), hint)


def _lines(way: Way) -> str | None:
    """Whether a part of a chain is orthogonal or diagonal; None for both and for neither."""
    steps = set(_steps(way))
    if not steps:
        return None
    if steps.issubset(ORTHOGONAL):
        return "orthogonal"
    return "diagonal" if steps.issubset(DIAGONAL) else None


def _leads_on(before: Way, after: Way) -> bool:
    """Whether some direction of the second part is outward from one of the first: by 45°."""
    return any(x * u + y * v == 1 for x, y in _steps(before) for u, v in _steps(after))


def _steps(way: Way) -> tuple[Vector, ...]:
    """The single steps of a part that goes along straight lines; none of any other."""
    direction = direction_of(way)
    return () if direction is None else DIRECTIONS[direction]
