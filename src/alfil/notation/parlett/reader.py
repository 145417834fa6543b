"""Parlett's notation in, a tree out: `read_parlett`, every character understood or reported."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from alfil.errors import Finding, NotationError
from alfil.notation.nodes import Description
from alfil.notation.parlett.checks import check, warnings
from alfil.notation.parlett.letters import CONDITIONS, KNOWN, Direction, Letter, Type, found
from alfil.notation.parlett.nodes import (
    Chain,
    Condition,
    Distance,
    Group,
    Oblique,
    Option,
    Repeat,
    Straight,
    Way,
)
from alfil.notation.parsing import Parser, ShapeError, Token
from alfil.source import Source, Span

LONGEST = 10_000
DEEPEST = 20
MOST_FINDINGS = 20
# Numbers of more digits are refused whatever they are.
DIGITS = 3


def read_parlett(source: Source) -> tuple[Description, tuple[Finding, ...]]:
    """The piece that a text in Parlett's notation describes, and warnings about the text.

    Raises `NotationError` with everything found wrong or not certain, in text order, at most 20.

    >>> tree, _ = read_parlett(Source("o1>, c1X>, oi2>"))
    >>> [len(option.conditions) for option in tree.terms]
    [1, 1, 2]
    """
    text = source.text
    _check_size(source)
    if set(text) <= KNOWN:
        try:
            options = _parser().parse(text)
        except ShapeError:
            pass
        else:
            findings = check(options, text)
            if findings:
                raise NotationError(_sorted(findings), source)
            return Description(options, "parlett", span=Span(0, len(text))), warnings(options)
    # Only what is wrong needs to know what people get wrong.
    from alfil.notation.parlett.mistakes import mistakes_in

    raise NotationError(_sorted(mistakes_in(text, _parser().parse, MOST_FINDINGS)), source)


def _check_size(source: Source) -> None:
    text = source.text
    if len(text) > LONGEST:
        long = found("too-long", Span(LONGEST, len(text)), most=LONGEST)
        raise NotationError([long], source)
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")" and depth > 0)
        if depth > DEEPEST:
            deep = found("too-deep", Span(at, at + 1), most=DEEPEST)
            raise NotationError([deep], source)


def _sorted(findings: Sequence[Finding]) -> list[Finding]:
    """Each finding once, in text order, not more than people read."""
    once = {(finding.kind, finding.spans): finding for finding in findings}
    return sorted(once.values(), key=lambda finding: finding.spans)[:MOST_FINDINGS]


@cache
def _parser() -> Parser[tuple[Option, ...]]:
    return Parser("parlett", Builder(), "piece")


class Builder:
    """One method for each rule of the grammar."""

    def piece(self, *options: Option) -> tuple[Option, ...]:
        """All options of a text."""
        return options

    def option(self, *parts: Token | Way) -> Option:
        """A move and the conditions before it, put in their usual order."""
        *signs, way = parts
        given = [
            Condition(cast(Letter, str(sign)), span=_span(cast(Token, sign))) for sign in signs
        ]
        order = tuple(CONDITIONS)
        conditions = tuple(sorted(given, key=lambda each: order.index(each.letter)))
        move = cast(Way, way)
        start = min([each.span.start for each in given], default=move.span.start)
        return Option(conditions, move, span=Span(start, move.span.end))

    def chain(self, *ways: Way) -> Chain:
        """Moves joined by dots."""
        return Chain(ways, span=ways[0].span.to(ways[-1].span))

    def again(self, way: Way, sign: Token) -> Repeat:
        """A move repeated by the sign after it."""
        times = Distance(span=_span(sign))
        return Repeat(times, way, span=way.span.to(_span(sign)))

    def straight(self, *parts: Token | Distance) -> Straight:
        """A type or none, a distance, a direction."""
        *before, distance, direction = parts
        kind, start = _type(before, distance)
        sign = cast(Token, direction)
        span = start.to(_span(sign))
        return Straight(cast(Distance, distance), cast(Direction, str(sign)), kind, span=span)

    def oblique(self, *parts: Token) -> Oblique:
        """A type or none, and two numbers."""
        *before, one, other = parts
        kind, start = _type(before, one)
        small, large = sorted((_value(one), _value(other)))
        return Oblique((small, large), kind, span=start.to(_span(other)))

    def repeat(self, times: Distance, group: Group) -> Repeat:
        """A number of times and what is repeated."""
        return Repeat(times, group, span=times.span.to(group.span))

    def group(self, opening: Token, *rest: Option | Token) -> Group:
        """Options in brackets."""
        *options, closing = rest
        span = _span(opening).to(_span(cast(Token, closing)))
        return Group(cast(tuple[Option, ...], tuple(options)), span=span)

    def one(self, number: Token) -> Distance:
        """Exactly so far."""
        return Distance(_value(number), _value(number), span=_span(number))

    def range(self, least: Token, most: Token) -> Distance:
        """From one number to another."""
        return Distance(_value(least), _value(most), span=_span(least).to(_span(most)))

    def any(self, sign: Token) -> Distance:
        """Any distance."""
        return Distance(span=_span(sign))


def _value(number: Token) -> int:
    """A number; of one that is too long only as much as is needed to say so."""
    return int(number[:DIGITS])


def _span(token: Token) -> Span:
    return Span(token.start_pos, token.end_pos)


def _type(before: Sequence[object], after: Token | Distance | object) -> tuple[Type, Span]:
    """The type that stands before something, and where both begin."""
    if before:
        sign = cast(Token, before[0])
        return cast(Type, str(sign)), _span(sign)
    return "", after.span if isinstance(after, Distance) else _span(cast(Token, after))
