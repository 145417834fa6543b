"""From the parser's pieces to nodes: one method per rule of grammars/hasinu.lark.

The builder keeps no state and reports nothing. Where numbers, directions or angles do not fit
together it leaves the mark that `alfil.notation.hasinu.checks` looks for: a radial or oblique
without vectors, a distance with a step of 0, a turn of -1 sixteenths. Lists whose order means
nothing (directions, octants, the two numbers of an oblique) get the writer's order here, and
angles become degrees, so that what was written and read again is the same tree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from alfil.geometry import Vector
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.nodes import (
    Argument,
    Bent,
    Call,
    Distance,
    Embedded,
    Group,
    Loop,
    Name,
    Number,
    Oblique,
    Radial,
    Text,
    Turn,
    Union,
)
from alfil.notation.nodes import Description, Term
from alfil.source import Span


class Token(str):
    """What the parser hands out for a sign: its text, and where it starts and ends.

    Its own class has these attributes; this one only names them, so that nothing here needs it.
    """

    start_pos: int
    end_pos: int


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
    """Makes nodes; rules and methods have the same names. A token is a str with its place."""

    def description(self, terms: Sequence[Term] = ()) -> Description:
        """A whole piece; the reader gives it the span of the whole text."""
        return Description(tuple(terms), "hasinu")

    def compound(self, *terms: Term) -> tuple[Term, ...]:
        """The terms, whether & stands between them or not."""
        return terms

    def bent(self, *parts: Term | Token) -> Bent:
        """Legs and turns by turns."""
        legs: list[Term] = []
        turns: list[Turn] = []
        for part in parts:
            if isinstance(part, str):
                turns.append(_turn(part))
            else:
                legs.append(part)
        last = turns[-1] if len(turns) == len(legs) else legs[-1]
        return Bent(tuple(legs), tuple(turns), span=legs[0].span.to(last.span))

    def radial(
        self, factor: Token | Distance, count: Token, letter: Token, *names: Token
    ) -> Radial:
        """A distance (or n), the count, d, and directions."""
        distance = _distance(factor)
        listed = tuple(map(str, names))
        layout, vectors = lexicon.radial(str(count), listed)
        if distance.steps == WRONG_STEPS:
            vectors = ()
        return Radial(
            distance,
            value(count),
            layout if vectors else listed,
            vectors=vectors,
            span=_closed(distance.span, (letter, *names)[-1]),
        )

    def one(self, number: Token) -> Distance:
        """One number."""
        return Distance(steps(str(number)), span=_span(number, number))

    def set(self, opening: Token, *rest: Token) -> Distance:
        """Numbers between curly brackets."""
        *numbers, closing = rest
        return Distance(steps(*map(str, numbers)), braced=True, span=_span(opening, closing))

    def oblique(self, *parts: Token | Distance) -> Oblique:
        """A bracket of two numbers with its octant letters, perhaps after a distance or n."""
        *factor, bracket = parts
        assert isinstance(bracket, str)
        numbers, octants, vectors = _oblique(str(bracket))
        if not factor:
            return Oblique(numbers, octants, vectors=vectors, span=_span(bracket, bracket))
        distance = _distance(factor[0])
        if distance.steps == WRONG_STEPS:
            vectors = ()
        span = _closed(distance.span, bracket)
        return Oblique(numbers, octants, distance, vectors=vectors, span=span)

    def loop(self, factor: Token | Distance, terms: Sequence[Term], closing: Token) -> Loop:
        """A distance (or n) and a bracket."""
        times = _distance(factor)
        return Loop(times, _body(terms), span=_closed(times.span, closing))

    def brackets(self, opening: Token, terms: Sequence[Term], closing: Token) -> Union:
        """Terms in round brackets."""
        return Union(tuple(terms), span=_span(opening, closing))

    def call(self, name: Token, *rest: Argument | Token) -> Call:
        """A name and its arguments; empty slots have left nothing."""
        *arguments, closing = rest
        assert isinstance(closing, str)
        return Call(
            str(name),
            tuple(argument for argument in arguments if not isinstance(argument, str)),
            name_span=_span(name, name),
            span=_span(name, closing),
        )

    def move(self, terms: Sequence[Term]) -> Term:
        """Terms as an argument."""
        return _body(terms)

    def number(self, token: Token) -> Number:
        """A number as an argument."""
        return Number(value(token), span=_span(token, token))

    def word(self, token: Token) -> Name:
        """A bare word as an argument."""
        return Name(str(token), span=_span(token, token))

    def optional(self, opening: Token, token: Token, closing: Token) -> Name:
        """An optional parameter of a declaration."""
        return Name(str(token), optional=True, span=_span(opening, closing))

    def group(self, first: Token, *rest: Token | Sequence[Term]) -> Group:
        """``group(f,g)(move)``."""
        return _group(first, rest, short=False)

    def short(self, first: Token, *rest: Token | Sequence[Term]) -> Group:
        """``[f,g(move)]``."""
        return _group(first, rest, short=True)

    def embedded(self, token: Token) -> Embedded:
        """A run of Betza, which the reader fills in: here it is hidden."""
        return Embedded(Description((), "betza"), span=_span(token, token))

    def text(self, token: Token) -> Text:
        """Plain words, without the mark that ended them and without outer blanks."""
        words = token[2:-1] if token[-1] in _MARKS else token[2:]
        start = token.start_pos
        return Text(words.strip(" \t"), span=Span(start, start + len(token.rstrip())))

    def hole(self, token: Token) -> Union:
        """A mistake that has been reported: checks take it for anything."""
        return Union((), bracketed=False, span=_span(token, token))


def _span(first: Token, last: Token) -> Span:
    return Span(first.start_pos, last.end_pos)


def _closed(start: Span, last: Token) -> Span:
    return Span(start.start, last.end_pos)


def _distance(factor: Token | Distance) -> Distance:
    """A distance, or n, which is a token."""
    if isinstance(factor, str):
        return Distance((), span=_span(factor, factor))
    return factor


def _body(terms: Sequence[Term]) -> Term:
    """The terms of a bracket that belongs to a loop or a function, as one node."""
    if len(terms) == 1:
        return terms[0]
    return Union(tuple(terms), bracketed=False, span=terms[0].span.to(terms[-1].span))


def _group(first: Token, rest: tuple[Token | Sequence[Term], ...], *, short: bool) -> Group:
    *names, terms, closing = rest
    assert isinstance(closing, str)
    assert not isinstance(terms, str)
    words = tuple(
        Name(str(name), span=_span(name, name)) for name in names if isinstance(name, str)
    )
    return Group(words, _body(terms), short=short, span=_span(first, closing))
