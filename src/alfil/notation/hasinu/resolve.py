"""From a Ħasínū tree to a movement.

A whole term is an option, or several: brackets and functions of a move are opened, so that every
option has conditions and rules of its own. A rifle, and a rampage that only stops at its farthest
square, keep the moves inside them together, as many as are under the same conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from alfil.movement import nodes as movements
from alfil.notation.betza.resolve import resolve_betza
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.calls import (
    DeclareCall,
    ForeignCall,
    InfCall,
    IronCall,
    MoveCall,
    PromoteCall,
    RoyalCall,
    SizeCall,
    TimedCall,
    bind,
)
from alfil.notation.hasinu.nodes import (
    Argument,
    Bent,
    Call,
    Distance,
    Embedded,
    Group,
    HasinuTerm,
    Loop,
    Name,
    Number,
    Oblique,
    Radial,
    Text,
    Turn,
    Union,
    nested,
    nodes,
    terms_of,
)
from alfil.notation.nodes import Description
from alfil.source import Span

Around: TypeAlias = tuple[movements.Rule | movements.When, ...]

# Where legs may turn, a way may come home, and ending there would be no move.
_WANDERING: tuple[movements.End, ...] = ("away", "enemy", "royal")
_SIDES: dict[str, movements.Side] = {"F": "friends", "E": "enemies", "FE": "all"}
_TIMES: dict[str, Literal["active", "passive", "always"]] = {
    "A": "active",
    "P": "passive",
    "PA": "always",
}
_IRON: dict[str, Literal["anything", "these", "others"]] = {
    "": "anything",
    "inclusive": "these",
    "exclusive": "others",
}


def resolve_hasinu(description: Description) -> movements.Movement:
    """The movement of a description that was read; terms without a meaning are kept as such.

    >>> from alfil.notation.hasinu.reader import read_hasinu
    >>> from alfil.source import Source
    >>> resolve_hasinu(read_hasinu(Source("n2dN-S"))[0]).options[0].way.steps
    ((0, 1), (0, -1))
    """
    terms = terms_of(description)
    return _Resolving(_declared(terms)).movement(terms, description.span)


class _Resolving:
    """Resolves the terms of one description; it knows which functions are declared."""

    def __init__(self, declared: frozenset[str]) -> None:
        self._declared = declared

    def movement(self, terms: Sequence[HasinuTerm], span: Span) -> movements.Movement:
        """All options and facts of some terms."""
        return movements.Movement(
            tuple(option for term in terms for option in self._options(term)),
            tuple(fact for term in terms for fact in self._facts(term, ())),
            span=span,
        )

    def _options(self, term: HasinuTerm) -> Iterator[movements.Option]:
        """The options a whole term offers; terms that are facts offer none."""
        match term:
            case Union(terms=terms):
                for each in terms:
                    yield from self._options(each)
            case Group():
                yield from self._options(nested(term))
            case Call():
                yield from self._called(term)
            case Embedded(betza=betza):
                yield from resolve_betza(betza).options
            case _:
                yield movements.Option(self._way(term, movements.MOVE_OR_CAPTURE), span=term.span)

    def _called(self, call: Call) -> Iterator[movements.Option]:
        match bind(call):
            case TimedCall() as timed:
                when = tuple(_when(call, timed))
                for option in self._options(timed.move):
                    yield replace(option, when=(*when, *option.when), span=call.span)
            case MoveCall(name="burn" | "im") | MoveCall(name="i", when="P"):
                return
            case MoveCall() as bound:
                rule = _rule(call, bound)
                for option in _ruled(rule, self._options(bound.move)):
                    way = movements.Within(rule, option.way, span=call.span)
                    yield replace(option, way=way, span=call.span)
            case InfCall() | ForeignCall():
                yield movements.Option(
                    self._function(call, movements.MOVE_OR_CAPTURE), span=call.span
                )
            case _:
                return

    def _way(self, term: HasinuTerm, ends: tuple[movements.End, ...]) -> movements.Way:
        """A term as a leg, or as a whole way."""
        match term:
            case Radial(vectors=vectors, distance=distance):
                return movements.Leg(vectors, _counts(distance), ends, span=term.span)
            case Oblique(vectors=vectors, distance=several):
                return movements.Leg(
                    vectors, _counts(several) if several else movements.ONCE, ends, span=term.span
                )
            case Union(terms=terms):
                return _either([self._way(each, ends) for each in terms], term.span)
            case Bent():
                return self._bent(term)
            case Loop(times=times, body=body):
                return movements.Repeat(self._way(body, _WANDERING), _counts(times), span=term.span)
            case Text(words=words):
                return movements.Words(_plain(words), span=term.span)
            case Call() | Group():
                return self._function(term, ends)
            case _:
                raise AssertionError(term)  # embedded Betza is a whole term

    def _bent(self, bent: Bent) -> movements.Then:
        angles = tuple(map(_angle, bent.turns))
        between = len(bent.legs) - 1
        return movements.Then(
            tuple(self._way(leg, _WANDERING) for leg in bent.legs),
            tuple(movements.Join(angle, may_stop=True) for angle in angles[:between]),
            angles[between] if len(angles) > between else None,
            span=bent.span,
        )

    def _function(self, call: Call | Group, ends: tuple[movements.End, ...]) -> movements.Way:
        if isinstance(call, Group):
            return self._way(nested(call), ends)
        match bind(call):
            case MoveCall() as bound:
                return movements.Within(
                    _rule(call, bound), self._way(bound.move, ends), span=call.span
                )
            case InfCall(x, y):
                return movements.Anywhere(x, y, ends, span=call.span)
            case ForeignCall(name, arguments):
                given = tuple(map(self._argument, arguments))
                known = name in self._declared
                hint = "" if known else self._meant(name)
                return movements.Foreign(name, given, known, hint=hint, span=call.name_span)
            case _:
                raise AssertionError(call)  # the others are no legs

    def _meant(self, name: str) -> str:
        """What to write instead of a name nobody knows; declarations hold for the whole text."""
        known = (*lexicon.FUNCTIONS, *lexicon.ALIASES, *sorted(self._declared))
        return lexicon.nearest(name, known) or f"declare it with function({name}, range)"

    def _argument(self, argument: Argument) -> int | str | movements.Movement:
        match argument:
            case Number(value=value):
                return value
            case Name(text=text):
                return text
            case _:
                return self.movement((argument,), argument.span)

    def _facts(self, term: HasinuTerm, around: Around) -> Iterator[movements.Fact]:
        match term:
            case Union(terms=terms):
                for each in terms:
                    yield from self._facts(each, around)
            case Group():
                yield from self._facts(nested(term), around)
            case Call():
                yield from self._stated(term, around)
            case _:
                return

    def _stated(self, call: Call, around: Around) -> Iterator[movements.Fact]:
        match bind(call):
            case TimedCall(move=move) as timed:
                yield from self._facts(move, (*around, *_when(call, timed)))
            case MoveCall(name="burn") as bound:
                yield movements.Fact(self._effect("burns", call, bound), around, span=call.span)
            case MoveCall(name="im") as bound:
                yield movements.Fact(
                    self._effect("immobilises", call, bound), around, span=call.span
                )
            case MoveCall(name="i", when="P" | "PA") as bound:
                shot = replace(self._effect("shoots", call, bound), when="passive")
                yield movements.Fact(shot, around, span=call.span)
            case MoveCall(move=move) as bound:
                yield from self._facts(move, (*around, _rule(call, bound)))
            case InfCall() | ForeignCall():
                return
            case bound:
                yield movements.Fact(self._truth(bound, call.span), around, span=call.span)

    def _effect(
        self, what: Literal["burns", "immobilises", "shoots"], call: Call, bound: MoveCall
    ) -> movements.Effect:
        reach = self.movement((bound.move,), bound.move.span)
        when = _TIMES[bound.when]
        return movements.Effect(what, reach, _SIDES[bound.side], when, bound.number, span=call.span)

    def _truth(
        self, bound: RoyalCall | PromoteCall | IronCall | SizeCall | DeclareCall, span: Span
    ) -> movements.Truth:
        match bound:
            case RoyalCall(survive):
                return movements.Royal("all" if survive == "A" else "one", span=span)
            case PromoteCall(condition, promotees):
                return movements.Promotion(_plain(condition), self._named(promotees), span=span)
            case IronCall(identifier, exceptions):
                return movements.Iron(_IRON[identifier], self._named(exceptions), span=span)
            case SizeCall(width, height):
                return movements.Size(width, height, span=span)
            case DeclareCall(name, parameters):
                given = tuple(movements.Parameter(each.text, each.optional) for each in parameters)
                return movements.Declared(name, given, span=span)

    def _named(self, terms: Sequence[HasinuTerm]) -> tuple[str | movements.Movement, ...]:
        """Pieces or captures, named in words or by how they move."""
        return tuple(
            _plain(term.words) if isinstance(term, Text) else self.movement((term,), term.span)
            for term in terms
        )


def _ruled(rule: movements.Rule, options: Iterator[movements.Option]) -> Iterable[movements.Option]:
    """The options of a move inside a function, as far as they stay apart."""
    if isinstance(rule, movements.Rifle):
        # Nothing is passed by a piece that stays at home.
        return _together(replace(option, passer=False) for option in options)
    if isinstance(rule, movements.Rampage) and rule.farthest:
        return _together(options)
    return options


def _together(options: Iterable[movements.Option]) -> Iterator[movements.Option]:
    """Options under the same conditions as one."""
    alike: dict[tuple[tuple[movements.When, ...], bool], list[movements.Option]] = {}
    for option in options:
        alike.setdefault((option.when, option.passer), []).append(option)
    for group in alike.values():
        span = group[0].span.to(group[-1].span)
        yield replace(group[0], way=_either([option.way for option in group], span))


def _either(ways: Sequence[movements.Way], span: Span) -> movements.Way:
    return ways[0] if len(ways) == 1 else movements.Either(tuple(ways), span=span)


def _counts(distance: Distance) -> tuple[int, ...] | Literal["any"]:
    return tuple(sorted(distance.steps)) or "any"


def _angle(turn: Turn) -> movements.Angle:
    return movements.Angle(turn.sixteenths, lexicon.HANDS[turn.sign], span=turn.span)


def _when(call: Call, bound: TimedCall) -> Iterator[movements.When]:
    """The condition of a timed call; every first move is every move."""
    if bound.name == "atmove":
        yield movements.OnMove(bound.number, span=call.span)
    elif bound.number > 1:
        yield movements.EveryMove(bound.number, span=call.span)


def _rule(call: Call, bound: MoveCall) -> movements.Rule:
    """What a function makes of the move inside it; effects are no rules."""
    span, side = call.name_span, _SIDES.get(bound.side, "all")
    match bound.name:
        case "m":
            return movements.Only("moving", span=span)
        case "c":
            return movements.Only("capturing", span=span)
        case "j":
            return movements.Jumping(side, bound.number, span=span)
        case "nj":
            return movements.NotJumping(span=span)
        case "i":
            return movements.Rifle(side, span=span)
        case "rpg":
            return movements.Rampage(side, bound.greed == "G", span=span)
        case _:
            raise AssertionError(call)


def _plain(words: str) -> str:
    return " ".join(words.split())


def _declared(terms: Sequence[HasinuTerm]) -> frozenset[str]:
    """The functions that ``function(...)`` declares, anywhere in a description."""
    calls = (bind(node) for node in nodes(terms) if isinstance(node, Call))
    return frozenset(call.name for call in calls if isinstance(call, DeclareCall))
