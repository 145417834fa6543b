"""From the parser's pieces to nodes: one method per rule of grammars/hasinu.lark.

The builder keeps no state and reports nothing. Where numbers, directions or angles do not fit
together it leaves the mark that `alfil.notation.hasinu.checks` looks for: a radial or oblique
without vectors, a distance with a step of 0, a turn of -1 sixteenths. Lists whose order means
nothing (directions, octants, the two numbers of an oblique) get the writer's order here, and
angles become degrees, so that what was written and read again is the same tree.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lark import Token

from alfil.notation.hasinu import lexicon
from alfil.notation.nodes import (
    Argument,
    Bent,
    Call,
    Description,
    Distance,
    Embedded,
    Group,
    Loop,
    Name,
    Number,
    Oblique,
    Radial,
    Term,
    Text,
    Turn,
    Union,
    Vector,
)
from alfil.source import Span

WRONG_STEPS = (0,)
WRONG_TURN = -1
_DIGITS = len(str(lexicon.LARGEST_NUMBER))

_OBLIQUE = re.compile(r"\(\s*([0-9]+)\s*,\s*([0-9]+)\s*\)([a-h]*)")
_ANGLE = re.compile(r"&t\s*([+-]?)\s*([0-9.]+)\s*(\D*)")
_MARKS = ".;:!?"


def is_hole(node: object) -> bool:
    """Whether the node stands for a mistake that has been reported and cut out."""
    return isinstance(node, Union) and not node.terms


def value(digits: str) -> int:
    """The number, or one above every limit when it has too many digits."""
    return int(digits) if len(digits) <= _DIGITS else 10**_DIGITS


@lru_cache(maxsize=1024)
def steps(*numbers: str) -> tuple[int, ...]:
    """The distances written, or `WRONG_STEPS` when one is 0, too large, padded or repeated.

    >>> steps("1", "3"), steps("01"), steps("2", "2")
    ((1, 3), (0,), (0,))
    """
    wrong = any(number[0] == "0" or len(number) > _DIGITS for number in numbers)
    if wrong or len(set(numbers)) < len(numbers):
        return WRONG_STEPS
    return tuple(map(int, numbers))


@lru_cache(maxsize=1024)
def _oblique(text: str) -> tuple[tuple[int, int], str, tuple[Vector, ...]]:
    """Numbers, octants and leaps of a bracket with its letters; no leaps when it is wrong."""
    match = _OBLIQUE.fullmatch(text)
    assert match is not None
    first, second, letters = match.groups()
    p, q = sorted((value(first), value(second)))
    wrong = first[0] == "0" or second[0] == "0" or p == q or q > lexicon.LARGEST_NUMBER
    if wrong or len(set(letters)) < len(letters):
        return (p, q), letters, ()
    octants = "" if len(letters) == len(lexicon.OCTANTS) else "".join(sorted(letters))
    return (p, q), octants, lexicon.leaps(p, q, octants)


def _span(first: Token, last: Token) -> Span:
    return Span(first.start_pos or 0, last.end_pos or 0)


def _turn(token: Token) -> Turn:
    span = _span(token, token)
    match = _ANGLE.fullmatch(token)
    if match is None:
        return Turn(None, span=span)
    sign, number, unit = match.groups()
    size = lexicon.sixteenths(number, unit)
    return Turn(
        size,
        "+" if sign == "+" else "-" if sign == "-" else "",
        lexicon.degrees(size) if size != WRONG_TURN else number,
        span=span,
    )


class Builder:
    """Makes nodes; rules and methods have the same names."""

    def description(self, children: list[list[Term]]) -> Description:
        """A whole piece; the reader gives it the span of the whole text."""
        return Description(tuple(children[0]) if children else (), "hasinu")

    def compound(self, children: list[Term]) -> list[Term]:
        """The terms, whether & stands between them or not."""
        return children

    def bent(self, children: list[Term | Token]) -> Bent:
        """Legs and turns by turns."""
        legs: list[Term] = []
        turns: list[Turn] = []
        for child in children:
            if isinstance(child, Token):
                turns.append(_turn(child))
            else:
                legs.append(child)
        last = turns[-1] if len(turns) == len(legs) else legs[-1]
        return Bent(tuple(legs), tuple(turns), span=legs[0].span.to(last.span))

    def radial(self, children: list[Token | Distance]) -> Radial:
        """A distance (or n), the count, d, and directions."""
        first, *rest = children
        count, *names = (token for token in rest if isinstance(token, Token))
        last = names[-1]
        if isinstance(first, Token):
            span = _span(first, last)
            distance = Distance((), span=_span(first, first))
        else:
            span = Span(first.span.start, last.end_pos or 0)
            distance = first
        listed = tuple(map(str, names[1:]))
        layout, vectors = lexicon.radial(str(count), listed)
        if distance.steps == WRONG_STEPS:
            vectors = ()
        return Radial(
            distance, value(count), layout if vectors else listed, vectors=vectors, span=span
        )

    def one(self, children: list[Token]) -> Distance:
        """One number."""
        (token,) = children
        return Distance(steps(str(token)), span=_span(token, token))

    def set(self, children: list[Token]) -> Distance:
        """Numbers between curly brackets."""
        opening, *numbers, closing = children
        return Distance(steps(*map(str, numbers)), braced=True, span=_span(opening, closing))

    def oblique(self, children: list[Token | Distance]) -> Oblique:
        """A bracket of two numbers with its octant letters, perhaps after a distance or n."""
        bracket = children[-1]
        assert isinstance(bracket, Token)
        span = _span(bracket, bracket)
        numbers, octants, vectors = _oblique(str(bracket))
        distance = None
        if len(children) > 1:
            first = children[0]
            if isinstance(first, Distance):
                distance = first
            else:
                distance = Distance((), span=_span(first, first))
            span = distance.span.to(span)
            if distance.steps == WRONG_STEPS:
                vectors = ()
        return Oblique(numbers, octants, distance, vectors=vectors, span=span)

    def loop(self, children: list[Token | Distance | list[Term]]) -> Loop:
        """A distance (or n) and a bracket."""
        first, body, closing = children
        assert isinstance(body, list)
        assert isinstance(closing, Token)
        times = Distance((), span=_span(first, first)) if isinstance(first, Token) else first
        assert isinstance(times, Distance)
        return Loop(times, _one(body), span=Span(times.span.start, closing.end_pos or 0))

    def brackets(self, children: list[Token | list[Term]]) -> Union:
        """Terms in round brackets."""
        opening, terms, closing = children
        assert isinstance(opening, Token)
        assert isinstance(terms, list)
        assert isinstance(closing, Token)
        return Union(tuple(terms), span=_span(opening, closing))

    def call(self, children: list[Token | Argument]) -> Call:
        """A name and its arguments; empty slots have left nothing."""
        name, *arguments, closing = children
        assert isinstance(name, Token)
        assert isinstance(closing, Token)
        return Call(
            str(name),
            tuple(argument for argument in arguments if not isinstance(argument, Token)),
            name_span=_span(name, name),
            span=_span(name, closing),
        )

    def move(self, children: list[list[Term]]) -> Term:
        """Terms as an argument."""
        return _one(children[0])

    def number(self, children: list[Token]) -> Number:
        """A number as an argument."""
        (token,) = children
        return Number(value(token), span=_span(token, token))

    def word(self, children: list[Token]) -> Name:
        """A bare word as an argument."""
        (token,) = children
        return Name(str(token), span=_span(token, token))

    def optional(self, children: list[Token]) -> Name:
        """An optional parameter of a declaration."""
        opening, token, closing = children
        return Name(str(token), optional=True, span=_span(opening, closing))

    def group(self, children: list[Token | list[Term]]) -> Group:
        """``group(f,g)(move)``."""
        first, *names, body, closing = children
        assert isinstance(first, Token)
        assert isinstance(body, list)
        assert isinstance(closing, Token)
        return Group(_names(names), _one(body), span=_span(first, closing))

    def short(self, children: list[Token | list[Term]]) -> Group:
        """``[f,g(move)]``."""
        first, *names, body, closing = children
        assert isinstance(first, Token)
        assert isinstance(body, list)
        assert isinstance(closing, Token)
        return Group(_names(names), _one(body), short=True, span=_span(first, closing))

    def embedded(self, children: list[Token]) -> Embedded:
        """A run of Betza, which the reader fills in: here it is hidden."""
        (token,) = children
        return Embedded(Description((), "betza"), span=_span(token, token))

    def text(self, children: list[Token]) -> Text:
        """Plain words, without the mark that ended them and without outer blanks."""
        (token,) = children
        words = token[2:]
        if words[-1:] in _MARKS:
            words = words[:-1]
        span = Span(token.start_pos or 0, (token.start_pos or 0) + len(token.rstrip()))
        return Text(words.strip(" \t"), span=span)

    def hole(self, children: list[Token]) -> Union:
        """A mistake that has been reported: checks take it for anything."""
        (token,) = children
        return Union((), bracketed=False, span=_span(token, token))


def _one(terms: list[Term]) -> Term:
    """The terms of a bracket that belongs to a loop or a function, as one node."""
    if len(terms) == 1:
        return terms[0]
    return Union(tuple(terms), bracketed=False, span=terms[0].span.to(terms[-1].span))


def _names(tokens: list[Token | list[Term]]) -> tuple[Name, ...]:
    return tuple(
        Name(str(token), span=_span(token, token)) for token in tokens if isinstance(token, Token)
    )
