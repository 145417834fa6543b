"""Parlett's notation in, a tree out: `read_parlett`, every character understood or reported."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import cast

from alfil.errors import Diagnostic, NotationError
from alfil.notation.description import Description
from alfil.notation.parlett.letters import (
    CONDITIONS,
    KNOWN_CHARACTERS,
    SIDEWAYS_SIGNS,
    ConditionLetter,
    Direction,
    MoveType,
    make_diagnostic,
)
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
from alfil.notation.parlett.semantic_checks import all_errors, warnings
from alfil.notation.parsing import (
    MOST_DIAGNOSTICS,
    GrammarError,
    Parser,
    Token,
    unique_sorted_diagnostics,
)
from alfil.source import Source, Span

MAX_TEXT_LENGTH = 10_000
MAX_NESTING = 20
# Numbers of more digits are refused whatever they are.
MAX_READABLE_DIGITS = 3
# The m of m=, with which no move is written.
READABLE_SIGNS = KNOWN_CHARACTERS.union("m")


def read_parlett(source: Source) -> tuple[Description, tuple[Diagnostic, ...]]:
    """The piece that a text in Parlett's notation describes, and warnings about the text.

    Raises `NotationError` with everything found wrong or not certain, in text order, at most 20.

    >>> tree, _ = read_parlett(Source("o1>, c1X>, oi2>"))
    >>> [len(option.conditions) for option in tree.terms]
    [1, 1, 2]
    """
    text = source.text
    _check_length_and_nesting(source)
    options, diagnostics = _options_and_errors(text)
    if not diagnostics:
        return Description(options, "parlett", span=Span(0, len(text))), warnings(options)
    from alfil.notation.parlett.syntax_mistakes import (
        with_verified_hints,  # what good texts never need
    )

    verified_errors = with_verified_hints(
        unique_sorted_diagnostics(diagnostics)[:MOST_DIAGNOSTICS],
        text,
        lambda changed: _options_and_errors(changed)[1],
    )
    raise NotationError(verified_errors, source)


@lru_cache(maxsize=64)
def _options_and_errors(text: str) -> tuple[tuple[Option, ...], list[Diagnostic]]:
    """The options of a text, and what is wrong with it; hints are not tried."""
    if set(text) <= READABLE_SIGNS:
        try:
            options = _parser().parse(text)
        except GrammarError:
            pass
        else:
            return options, all_errors(options, text)
    # Only what is wrong needs to know what people get wrong.
    from alfil.notation.parlett.syntax_mistakes import mistakes_in

    return (), mistakes_in(text, _parser().parse)


def _check_length_and_nesting(source: Source) -> None:
    text = source.text
    if len(text) > MAX_TEXT_LENGTH:
        long = make_diagnostic("too-long", Span(MAX_TEXT_LENGTH, len(text)), most=MAX_TEXT_LENGTH)
        raise NotationError([long], source)
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")" and depth > 0)
        if depth > MAX_NESTING:
            deep = make_diagnostic("too-deep", Span(at, at + 1), most=MAX_NESTING)
            raise NotationError([deep], source)


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
        given = [Condition(cast(ConditionLetter, str(sign)), span=sign.span) for sign in signs]
        order = tuple(CONDITIONS)
        conditions = tuple(sorted(given, key=lambda each: order.index(each.letter)))
        return Option(conditions, cast(Way, way), span=parts[0].span.to(way.span))

    def chain(self, *ways: Way) -> Chain:
        """Moves joined by dots."""
        return Chain(ways, span=ways[0].span.to(ways[-1].span))

    def repeat_by_sign(self, way: Way, sign: Token) -> Repeat:
        """A move repeated by the sign after it."""
        times = Distance(span=sign.span)
        return Repeat(times, way, span=way.span.to(sign.span))

    def straight(self, *parts: Token | Distance) -> Straight:
        """A type or none, a distance, a direction."""
        *before, distance, sign = parts
        span = parts[0].span.to(sign.span)
        direction = cast(Direction, str(sign).replace(*SIDEWAYS_SIGNS))
        return Straight(cast(Distance, distance), direction, _leading_move_type(before), span=span)

    def oblique(self, *parts: Token) -> Oblique:
        """A type or none, and two numbers."""
        *before, one, other = parts
        small, large = sorted((_number_value(one), _number_value(other)))
        return Oblique(
            (small, large), _leading_move_type(before), span=parts[0].span.to(other.span)
        )

    def repeat(self, times: Distance, group: Group) -> Repeat:
        """A number of times and what is repeated."""
        return Repeat(times, group, span=times.span.to(group.span))

    def group(self, opening: Token, *rest: Option | Token) -> Group:
        """Options in brackets."""
        *options, closing = rest
        span = opening.span.to(closing.span)
        return Group(cast(tuple[Option, ...], tuple(options)), span=span)

    def exact_distance(self, number: Token) -> Distance:
        """Exactly so far."""
        return Distance(_number_value(number), _number_value(number), span=number.span)

    def distance_range(self, least: Token, most: Token) -> Distance:
        """From one number to another."""
        return Distance(_number_value(least), _number_value(most), span=least.span.to(most.span))

    def any_distance(self, sign: Token) -> Distance:
        """Any distance."""
        return Distance(span=sign.span)


def _number_value(number: Token) -> int:
    """A number; of one that is too long only as much as is needed to say so."""
    return int(number[:MAX_READABLE_DIGITS])


def _leading_move_type(before: Sequence[object]) -> MoveType:
    """The type that stands before a distance, if one does."""
    return cast(MoveType, "".join(map(str, before)))
