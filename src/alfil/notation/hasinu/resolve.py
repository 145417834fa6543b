"""From a Ħasínū tree to a movement.

A whole term is an option, or several: brackets and functions of a move are opened, so that every
option has conditions and rules of its own. A rifle, and a rampage that only stops at its farthest
square, keep the moves inside them together, as many as are under the same conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from alfil.movement.nodes import (
    MOVE_OR_CAPTURE,
    ONCE,
    Angle,
    Anywhere,
    Declared,
    Effect,
    Either,
    End,
    EveryMove,
    Fact,
    Foreign,
    Iron,
    Join,
    Jumping,
    Leg,
    Movement,
    NotJumping,
    Only,
    OnMove,
    Option,
    Parameter,
    Promotion,
    Rampage,
    Repeat,
    Rifle,
    Royal,
    Rule,
    Side,
    Size,
    Then,
    Truth,
    Way,
    When,
    Within,
    Words,
)
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

Around: TypeAlias = tuple[Rule | When, ...]

# Where legs may turn, a way may come home, and ending there would be no move.
_WANDERING: tuple[End, ...] = ("away", "enemy", "royal")
_SIDES: dict[str, Side] = {"F": "friends", "E": "enemies", "FE": "all"}
_TIMES: dict[str, Literal["active", "passive", "always"]] = {
    "A": "active",
    "P": "passive",
    "PA": "always",
}
_HANDS: dict[str, Literal["either", "right", "left"]] = {"": "either", "+": "right", "-": "left"}
_IRON: dict[str, Literal["anything", "these", "others"]] = {
    "": "anything",
    "inclusive": "these",
    "exclusive": "others",
}


def resolve_hasinu(description: Description) -> Movement:
    """The movement of a description that was read; terms without a meaning are kept as such.

    >>> from alfil.notation.hasinu.reader import read_hasinu
    >>> from alfil.source import Source
    >>> resolve_hasinu(read_hasinu(Source("n2dN-S"))[0]).options[0].way.steps
    ((0, 1), (0, -1))
    """
    terms = terms_of(description)
    return _Resolving(frozenset(declarations(terms))).movement(terms, description.span)


class _Resolving:
    """Resolves the terms of one description; it knows which functions are declared."""

    def __init__(self, declared: frozenset[str]) -> None:
        self._declared = declared

    def movement(self, terms: Sequence[HasinuTerm], span: Span) -> Movement:
        """All options and facts of some terms."""
        return Movement(
            tuple(option for term in terms for option in self._options(term)),
            tuple(fact for term in terms for fact in self._facts(term, ())),
            span=span,
        )

    def _options(self, term: HasinuTerm) -> Iterator[Option]:
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
                yield Option(self._way(term, MOVE_OR_CAPTURE), span=term.span)

    def _called(self, call: Call) -> Iterator[Option]:
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
                    way = Within(rule, option.way, span=call.span)
                    yield replace(option, way=way, span=call.span)
            case InfCall() | ForeignCall():
                yield Option(self._function(call, MOVE_OR_CAPTURE), span=call.span)
            case _:
                return

    def _way(self, term: HasinuTerm, ends: tuple[End, ...]) -> Way:
        """A term as a leg, or as a whole way."""
        match term:
            case Radial(vectors=vectors, distance=distance):
                return Leg(vectors, _counts(distance), ends, span=term.span)
            case Oblique(vectors=vectors, distance=several):
                return Leg(vectors, _counts(several) if several else ONCE, ends, span=term.span)
            case Union(terms=terms):
                return _either([self._way(each, ends) for each in terms], term.span)
            case Bent():
                return self._bent(term)
            case Loop(times=times, body=body):
                return Repeat(self._way(body, _WANDERING), _counts(times), span=term.span)
            case Text(words=words):
                return Words(_plain(words), span=term.span)
            case Call() | Group():
                return self._function(term, ends)
            case _:
                raise AssertionError(term)  # embedded Betza is a whole term

    def _bent(self, bent: Bent) -> Then:
        angles = tuple(map(_angle, bent.turns))
        between = len(bent.legs) - 1
        return Then(
            tuple(self._way(leg, _WANDERING) for leg in bent.legs),
            tuple(Join(angle, may_stop=True) for angle in angles[:between]),
            angles[between] if len(angles) > between else None,
            span=bent.span,
        )

    def _function(self, call: Call | Group, ends: tuple[End, ...]) -> Way:
        if isinstance(call, Group):
            return self._way(nested(call), ends)
        match bind(call):
            case MoveCall() as bound:
                return Within(_rule(call, bound), self._way(bound.move, ends), span=call.span)
            case InfCall(x, y):
                return Anywhere(x, y, ends, span=call.span)
            case ForeignCall(name, arguments):
                given = tuple(map(self._argument, arguments))
                known = name in self._declared
                hint = "" if known else self._meant(name)
                return Foreign(name, given, known, hint=hint, span=call.name_span)
            case _:
                raise AssertionError(call)  # the others are no legs

    def _meant(self, name: str) -> str:
        """What to write instead of a name nobody knows; declarations hold for the whole text."""
        known = (*lexicon.FUNCTIONS, *lexicon.ALIASES, *sorted(self._declared))
        return lexicon.nearest(name, known) or f"declare it with function({name}, range)"

    def _argument(self, argument: Argument) -> int | str | Movement:
        match argument:
            case Number(value=value):
                return value
            case Name(text=text):
                return text
            case _:
                return self.movement((argument,), argument.span)

    def _facts(self, term: HasinuTerm, around: Around) -> Iterator[Fact]:
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

    def _stated(self, call: Call, around: Around) -> Iterator[Fact]:
        match bind(call):
            case TimedCall(move=move) as timed:
                yield from self._facts(move, (*around, *_when(call, timed)))
            case MoveCall(name="burn") as bound:
                yield Fact(self._effect("burns", call, bound), around, span=call.span)
            case MoveCall(name="im") as bound:
                yield Fact(self._effect("immobilises", call, bound), around, span=call.span)
            case MoveCall(name="i", when="P" | "PA") as bound:
                shot = replace(self._effect("shoots", call, bound), when="passive")
                yield Fact(shot, around, span=call.span)
            case MoveCall(move=move) as bound:
                yield from self._facts(move, (*around, _rule(call, bound)))
            case InfCall() | ForeignCall():
                return
            case bound:
                yield Fact(self._truth(bound, call.span), around, span=call.span)

    def _effect(
        self, what: Literal["burns", "immobilises", "shoots"], call: Call, bound: MoveCall
    ) -> Effect:
        reach = self.movement((bound.move,), bound.move.span)
        when = _TIMES[bound.when]
        return Effect(what, reach, _SIDES[bound.side], when, bound.number, span=call.span)

    def _truth(
        self, bound: RoyalCall | PromoteCall | IronCall | SizeCall | DeclareCall, span: Span
    ) -> Truth:
        match bound:
            case RoyalCall(survive):
                return Royal("all" if survive == "A" else "one", span=span)
            case PromoteCall(condition, promotees):
                return Promotion(_plain(condition), self._named(promotees), span=span)
            case IronCall(identifier, exceptions):
                return Iron(_IRON[identifier], self._named(exceptions), span=span)
            case SizeCall(width, height):
                return Size(width, height, span=span)
            case DeclareCall(name, parameters):
                given = tuple(Parameter(each.text, each.optional) for each in parameters)
                return Declared(name, given, span=span)

    def _named(self, terms: Sequence[HasinuTerm]) -> tuple[str | Movement, ...]:
        """Pieces or captures, named in words or by how they move."""
        return tuple(
            _plain(term.words) if isinstance(term, Text) else self.movement((term,), term.span)
            for term in terms
        )


def _ruled(rule: Rule, options: Iterator[Option]) -> Iterable[Option]:
    """The options of a move inside a function, as far as they stay apart."""
    if isinstance(rule, Rifle):
        # Nothing is passed by a piece that stays at home.
        return _together(replace(option, passer=False) for option in options)
    if isinstance(rule, Rampage) and rule.farthest:
        return _together(options)
    return options


def _together(options: Iterable[Option]) -> Iterator[Option]:
    """Options under the same conditions as one."""
    alike: dict[tuple[tuple[When, ...], bool], list[Option]] = {}
    for option in options:
        alike.setdefault((option.when, option.passer), []).append(option)
    for group in alike.values():
        span = group[0].span.to(group[-1].span)
        yield replace(group[0], way=_either([option.way for option in group], span))


def _either(ways: Sequence[Way], span: Span) -> Way:
    return ways[0] if len(ways) == 1 else Either(tuple(ways), span=span)


def _counts(distance: Distance) -> tuple[int, ...] | Literal["any"]:
    return tuple(sorted(distance.steps)) or "any"


def _angle(turn: Turn) -> Angle:
    return Angle(turn.sixteenths, _HANDS[turn.sign], span=turn.span)


def _when(call: Call, bound: TimedCall) -> Iterator[When]:
    """The condition of a timed call; every first move is every move."""
    if bound.name == "atmove":
        yield OnMove(bound.number, span=call.name_span)
    elif bound.number > 1:
        yield EveryMove(bound.number, span=call.name_span)


def _rule(call: Call, bound: MoveCall) -> Rule:
    """What a function makes of the move inside it; effects are no rules."""
    span, side = call.name_span, _SIDES.get(bound.side, "all")
    match bound.name:
        case "m":
            return Only("moving", span=span)
        case "c":
            return Only("capturing", span=span)
        case "j":
            return Jumping(side, bound.number, span=span)
        case "nj":
            return NotJumping(span=span)
        case "i":
            return Rifle(side, span=span)
        case "rpg":
            return Rampage(side, bound.greed == "G", span=span)
        case _:
            raise AssertionError(call)


def _plain(words: str) -> str:
    return " ".join(words.split())


def declarations(terms: Sequence[HasinuTerm]) -> dict[str, DeclareCall]:
    """The functions that ``function(...)`` declares, anywhere in a description, by name."""
    declared: dict[str, DeclareCall] = {}
    for node in nodes(terms):
        if isinstance(node, Call) and node.name == "function":
            bound = bind(node)
            if isinstance(bound, DeclareCall):
                declared[bound.name] = bound
    return declared
