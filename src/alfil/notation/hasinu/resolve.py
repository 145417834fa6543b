"""From a Ħasínū tree to a movement.

A whole term is an option, or several: brackets and functions of a move are opened, so that every
option has conditions and rules of its own. A rifle, and a rampage that only stops at its farthest
square, keep the moves inside them together, as many as are under the same conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from alfil.geometry import (
    COMPASS,
    LONGEST_STEP,
    MAX_WALK_LENGTH,
    Vector,
    leaps_within,
    walks_in_box,
)
from alfil.movement import nodes as movements
from alfil.movement.nodes import either_of_ways
from alfil.notation.betza.resolve import resolve_betza
from alfil.notation.description import Description
from alfil.notation.hasinu import lexicon, nodes
from alfil.notation.hasinu.function_calls import MoveCall, as_move_call
from alfil.source import Span

SurroundingRules: TypeAlias = tuple[movements.Rule | movements.When, ...]

# Where legs may turn, a way may come home, and ending there would be no move.
_ENDS_OF_TURNING_LEG: tuple[movements.End, ...] = ("away", "enemy", "royal")
TWO_STEPS = 2
# A lion may capture on any square that it passes.
_LION_PASSAGES: tuple[movements.Passage, ...] = ("empty", "take-enemy", "take-royal")
_SIDE_BY_FLAG: dict[str, movements.Side] = {"F": "friends", "E": "enemies", "FE": "all"}
_EFFECT_TIME_BY_FLAG: dict[str, Literal["active", "passive", "always"]] = {
    "A": "active",
    "P": "passive",
    "PA": "always",
}
_IRON_BY_FLAG: dict[str, Literal["these", "others"]] = {"inclusive": "these", "exclusive": "others"}
_EFFECT_BY_FUNCTION: dict[str, Literal["burns", "immobilises", "shoots"]] = {
    "burn": "burns",
    "im": "immobilises",
    "i": "shoots",
}


def resolve_hasinu(description: Description) -> movements.Movement:
    """The movement of a description that was read; terms without a meaning are kept as such.

    >>> from alfil.notation.hasinu.reader import read_hasinu
    >>> from alfil.source import Source
    >>> resolve_hasinu(read_hasinu(Source("n2dN-S"))[0]).options[0].way.steps
    ((0, 1), (0, -1))
    """
    terms = nodes.terms_of_description(description)
    return _Resolver(_declared_functions(terms)).movement(terms, description.span)


class _Resolver:
    """Resolves the terms of one description; it knows which functions are declared."""

    def __init__(self, declared: frozenset[str]) -> None:
        self._declared = declared

    def movement(self, terms: Sequence[nodes.HasinuTerm], span: Span) -> movements.Movement:
        """All options and facts of some terms."""
        return movements.Movement(
            tuple(option for term in terms for option in self._options_of(term)),
            tuple(fact for term in terms for fact in self._facts_of(term, ())),
            span=span,
        )

    def _options_of(self, term: nodes.HasinuTerm) -> Iterator[movements.Option]:
        """The options a whole term offers; terms that are facts offer none."""
        for each in _terms_without_brackets(term):
            match each:
                case nodes.Call():
                    yield from self._options_of_call(each)
                case nodes.Embedded(betza=betza):
                    yield from resolve_betza(betza).options
                case _:
                    way = self._way_of(each, movements.MOVE_OR_CAPTURE)
                    yield movements.Option(way, span=each.span)

    def _options_of_call(self, call: nodes.Call) -> Iterator[movements.Option]:
        bound, kind = as_move_call(call), lexicon.function_kind(call.name)
        if isinstance(bound, MoveCall):
            if bound.name in {"burn", "im"} or (bound.name, bound.when) == ("i", "P"):
                return
            rule = _rule_of_call(call, bound)
            for option in _merge_options_for_rule(rule, self._options_of(_move_inside(bound))):
                way = movements.Within(rule, option.way, span=call.span)
                yield replace(option, way=way, span=call.span)
        elif kind == "timing":
            when, move = _conditions_and_move(call)
            for option in self._options_of(move):
                yield replace(option, when=(*when, *option.when), span=call.span)
        elif kind != "piece":
            area = self._function_way(call, movements.MOVE_OR_CAPTURE)
            for each in area.ways if isinstance(area, movements.Either) else (area,):
                yield movements.Option(each, span=call.span)

    def _way_of(self, term: nodes.HasinuTerm, ends: tuple[movements.End, ...]) -> movements.Way:
        """A term as a leg, or as a whole way."""
        match term:
            case (
                nodes.Radial(vectors=vectors, distance=several)
                | nodes.Oblique(vectors=vectors, distance=several)
            ):
                lengths = _repetitions_of(several) if several else movements.ONE_STEP
                return movements.Leg(vectors, lengths, ends, span=term.span)
            case nodes.Union(terms=terms):
                return either_of_ways([self._way_of(each, ends) for each in terms], term.span)
            case nodes.Bent():
                return self._bent_way(term)
            case nodes.Loop(times=times, body=body):
                return movements.Repeat(
                    self._way_of(body, _ENDS_OF_TURNING_LEG), _repetitions_of(times), span=term.span
                )
            case nodes.Text(words=words):
                return movements.Words(_with_single_blanks(words), span=term.span)
            case nodes.Call() | nodes.Group():
                return self._function_way(term, ends)
            case nodes.Embedded(betza=betza):
                way = either_of_ways(
                    [option.way for option in resolve_betza(betza).options], term.span
                )
                return as_leg_not_ending_at_start(way) if ends == _ENDS_OF_TURNING_LEG else way

    def _bent_way(self, bent: nodes.Bent) -> movements.Then:
        angles = tuple(map(angle_of, bent.turns))
        between = len(bent.legs) - 1
        return movements.Then(
            tuple(self._way_of(leg, _ENDS_OF_TURNING_LEG) for leg in bent.legs),
            tuple(movements.Join(angle, may_stop=True) for angle in angles[:between]),
            angles[between] if len(angles) > between else None,
            span=bent.span,
        )

    def _function_way(
        self, call: nodes.Call | nodes.Group, ends: tuple[movements.End, ...]
    ) -> movements.Way:
        if isinstance(call, nodes.Group):
            return self._way_of(nodes.as_nested_calls(call), ends)
        bound = as_move_call(call)
        if isinstance(bound, MoveCall):
            rule = _rule_of_call(call, bound)
            return movements.Within(rule, self._way_of(_move_inside(bound), ends), span=call.span)
        if call.name == "INF":
            return _area_way(call, ends)
        arguments = tuple(map(self._argument_value, call.arguments))
        known = call.name in self._declared
        hint = "" if known else self._unknown_name_hint(call.name)
        return movements.Foreign(call.name, arguments, known, hint=hint, span=call.name_span)

    def _unknown_name_hint(self, name: str) -> str:
        """What to write instead of a name nobody knows; declarations hold for the whole text."""
        known = (*lexicon.FUNCTIONS, *lexicon.FUNCTION_ALIASES, *sorted(self._declared))
        return lexicon.nearest_name(name, known) or f"declare it with function({name}, range)"

    def _argument_value(self, argument: nodes.Argument) -> int | str | movements.Movement:
        match argument:
            case nodes.Number(value=value):
                return value
            case nodes.Name(text=text):
                return text
            case _:
                return self.movement((argument,), argument.span)

    def _facts_of(
        self, term: nodes.HasinuTerm, around: SurroundingRules
    ) -> Iterator[movements.Fact]:
        for call in _terms_without_brackets(term):
            if not isinstance(call, nodes.Call):
                continue
            bound, kind = as_move_call(call), lexicon.function_kind(call.name)
            if kind == "timing":
                when, move = _conditions_and_move(call)
                yield from self._facts_of(move, (*around, *when))
            elif kind == "piece":
                yield movements.Fact(self._truth_of(call), around, span=call.span)
            elif isinstance(bound, MoveCall):
                yield from self._effect_facts(call, bound, around)

    def _effect_facts(
        self, call: nodes.Call, bound: MoveCall, around: SurroundingRules
    ) -> Iterator[movements.Fact]:
        """What a function of a move says beside its move: its effect, or what is stated inside."""
        shot = bound.name == "i"
        if bound.name not in _EFFECT_BY_FUNCTION or (shot and bound.when == "A"):
            yield from self._facts_of(bound.move, (*around, _rule_of_call(call, bound)))
            return
        reach = self.movement((bound.move,), bound.move.span)
        side = _SIDE_BY_FLAG[bound.side]
        when = "passive" if shot else _EFFECT_TIME_BY_FLAG[bound.when]
        what = _EFFECT_BY_FUNCTION[bound.name]
        effect = movements.Effect(what, reach, side, when, bound.number, span=call.span)
        yield movements.Fact(effect, around, span=call.span)

    def _truth_of(self, call: nodes.Call) -> movements.Truth:
        match call:
            case nodes.Call("royal", arguments):
                survive: Literal["all", "one"] = "one" if nodes.Name("O") in arguments else "all"
                return movements.Royal(survive, span=call.span)
            case nodes.Call("promote", (nodes.Text(words=when) | nodes.Name(text=when), *into)):
                return movements.Promotion(
                    _with_single_blanks(when), self._named_pieces(into), span=call.span
                )
            case nodes.Call("promote", (condition, *into)) if nodes.is_move(condition):
                moves = self.movement((condition,), condition.span)
                return movements.Promotion(moves, self._named_pieces(into), span=call.span)
            case nodes.Call("fe", (nodes.Name(text=identifier), first, *others)):
                exceptions = self._named_pieces((first, *others))
                return movements.Iron(_IRON_BY_FLAG[identifier], exceptions, span=call.span)
            case nodes.Call("fe"):
                return movements.Iron(span=call.span)
            case nodes.Call("sz", arguments):
                sizes = [
                    number.value for number in nodes.arguments_of_type(arguments, nodes.Number)
                ]
                return movements.Size(sizes[0], sizes[-1], span=call.span)
            case _:
                name, *rest = nodes.arguments_of_type(call.arguments, nodes.Name)
                parameters = tuple(movements.Parameter(each.text, each.optional) for each in rest)
                return movements.Declared(name.text, parameters, span=call.span)

    def _named_pieces(
        self, arguments: Iterable[nodes.Argument]
    ) -> tuple[str | movements.Movement, ...]:
        """Pieces or captures, named in words or by how they move."""
        return tuple(
            _with_single_blanks(term.words)
            if isinstance(term, nodes.Text)
            else self.movement((term,), term.span)
            for term in nodes.moves_in(arguments)
        )


def _terms_without_brackets(term: nodes.HasinuTerm) -> Iterator[nodes.HasinuTerm]:
    """The terms in brackets one by one, groups as calls."""
    match term:
        case nodes.Union(terms=terms):
            for each in terms:
                yield from _terms_without_brackets(each)
        case nodes.Group():
            yield nodes.as_nested_calls(term)
        case _:
            yield term


def _merge_options_for_rule(
    rule: movements.Rule, options: Iterator[movements.Option]
) -> Iterable[movements.Option]:
    """The options of a move inside a function, as far as they stay apart."""
    if isinstance(rule, movements.Rifle):
        # Nothing is passed by a piece that stays at home.
        return _merge_options_by_condition(replace(option, passer=False) for option in options)
    if isinstance(rule, movements.Rampage) and rule.farthest:
        return _merge_options_by_condition(options)
    return options


def _merge_options_by_condition(options: Iterable[movements.Option]) -> Iterator[movements.Option]:
    """Options under the same conditions as one."""
    alike: dict[tuple[tuple[movements.When, ...], bool], list[movements.Option]] = {}
    for option in options:
        alike.setdefault((option.when, option.passer), []).append(option)
    for group in alike.values():
        span = group[0].span.to(group[-1].span)
        yield replace(group[0], way=either_of_ways([option.way for option in group], span))


def as_leg_not_ending_at_start(way: movements.Way) -> movements.Way:
    """A way as a leg among others: where it may turn, ending where the move began is none."""
    match way:
        case movements.Leg(ends=ends) | movements.Anywhere(ends=ends):
            away = tuple("away" if end == "empty" else end for end in ends)
            return replace(way, ends=away)
        case movements.Then(ways=ways) | movements.Either(ways=ways):
            return replace(way, ways=tuple(map(as_leg_not_ending_at_start, ways)))
        case movements.Repeat(way=inner) | movements.Within(way=inner):
            return replace(way, way=as_leg_not_ending_at_start(inner))
        case _:
            return way


def _move_inside(bound: MoveCall) -> nodes.HasinuTerm:
    """The move of a function; to a rampage a loop that goes straight on is the run that it is."""
    match bound.move:
        case nodes.Loop(
            times=times,
            body=nodes.Bent(
                legs=(
                    (
                        nodes.Radial(distance=nodes.Distance(steps=(1,)))
                        | nodes.Oblique(distance=None)
                    ) as leg,
                ),
                turns=(nodes.Turn(sixteenths=0),),
            ),
        ) if bound.name == "rpg":
            return replace(leg, distance=times)
        case move:
            return move


def _area_way(call: nodes.Call, ends: tuple[movements.End, ...]) -> movements.Way:
    """The ways to the squares of an area: by leaps, by steps over empty squares, or as a lion.

    A lion leaps too, and on each of so many steps that lead to the edge it may capture; so it may
    come home, where a walk over empty squares ends nowhere.
    """
    x, y = (number.value for number in nodes.arguments_of_type(call.arguments, nodes.Number))
    names = [name.text for name in nodes.arguments_of_type(call.arguments, nodes.Name)]
    leaps = movements.Anywhere(x, y, ends, span=call.span)
    if min(x, y) >= LONGEST_STEP:
        leaps = replace(leaps, files=None, ranks=None)
    if names in ([], [lexicon.LEAPS]) or max(x, y) == 1:
        return leaps
    if names == [lexicon.LION]:
        step = movements.Leg(
            _king_steps_in_box(x, y), ends=ends, through=_LION_PASSAGES, span=call.span
        )
        few = max(x, y) <= MAX_WALK_LENGTH
        all_leaps = movements.Leg(leaps_within(x, y), ends=ends, span=call.span) if few else leaps
        return movements.Either((all_leaps, *_walks_in_area(x, y, step)), span=call.span)
    step = movements.Leg(_king_steps_in_box(x, y), ends=_ENDS_OF_TURNING_LEG, span=call.span)
    if _steps_may_leave_box(x, y):
        return next(_walks_in_area(x, y, step))
    return movements.Repeat(step, tuple(range(1, max(x, y) + 1)), span=call.span)


def _king_steps_in_box(x: int, y: int) -> tuple[Vector, ...]:
    return tuple([step for step in COMPASS if abs(step[0]) <= x and abs(step[1]) <= y])


def _steps_may_leave_box(x: int, y: int) -> bool:
    """Whether steps that lead to the far edges of an area may leave it by the near ones."""
    return x != y and x > 0 and y > 0


def _walks_in_area(x: int, y: int, step: movements.Leg) -> Iterator[movements.Then]:
    """Steps from square to square of an area; what a last one goes on from is not its matter."""
    count = max(x, y)
    last = replace(step, through=movements.OVER_EMPTY)
    if count == TWO_STEPS and not _steps_may_leave_box(x, y):
        # As Betza says it: two steps, of which the first captures, or there and back.
        taking = replace(step, through=_LION_PASSAGES[1:])
        on = movements.Bend(None if x and y else (0,))
        for first, turn in ((taking, on), (step, movements.Bend((4,)))):
            join = movements.Join(turn, may_stop=False)
            yield movements.Then((first, last), (join,), span=step.span)
        return
    # On a line there is only on and back.
    join = movements.Join(movements.Bend(tuple(range(8)) if x and y else (0, 4)), may_stop=True)
    only = walks_in_box(x, y, count) if _steps_may_leave_box(x, y) else None
    legs = (*[step] * (count - 1), last)
    yield movements.Then(legs, (join,) * (count - 1), only=only, span=step.span)


def _repetitions_of(distance: nodes.Distance) -> tuple[int, ...] | Literal["any"]:
    return tuple(sorted(distance.steps)) or "any"


def angle_of(turn: nodes.Turn) -> movements.Angle:
    """A turn as the movement has it."""
    exact = turn.degrees if turn.sixteenths is None else ""
    return movements.Angle(turn.sixteenths, lexicon.HAND_BY_SIGN[turn.sign], exact, span=turn.span)


def _conditions_and_move(call: nodes.Call) -> tuple[tuple[movements.When, ...], nodes.HasinuTerm]:
    """The condition of a timed call, and its move; every first move is every move."""
    (number,) = nodes.arguments_of_type(call.arguments, nodes.Number)
    (move,) = nodes.moves_in(call.arguments)
    turn = nodes.Name(lexicon.TURN_KEYWORD) in call.arguments
    if call.name == "atmove" and not turn:
        return (movements.OnMove(number.value, span=call.span),), move
    every = movements.EveryMove(number.value, "side" if turn else "piece", span=call.span)
    return ((every,) if number.value > 1 else ()), move


def _rule_of_call(call: nodes.Call, bound: MoveCall) -> movements.Rule:
    """What a function makes of the move inside it; effects are no rules."""
    span, side = call.name_span, _SIDE_BY_FLAG.get(bound.side, "all")
    match bound.name:
        case "m":
            return movements.Only("moving", span=span)
        case "c":
            return movements.Only("capturing", span=span)
        case "j":
            return movements.Jumping(side, bound.number, span=span)
        case "nj":
            return movements.NotJumping(side, span=span)
        case "i":
            return movements.Rifle(side, span=span)
        case "rpg":
            return movements.Rampage(side, bound.greed == "G", span=span)
        case _:
            raise AssertionError(call)


def _with_single_blanks(words: str) -> str:
    return " ".join(words.split())


def _declared_functions(terms: Sequence[nodes.HasinuTerm]) -> frozenset[str]:
    """The functions that ``function(...)`` declares, anywhere in a description."""
    calls = [node for node in nodes.walk(terms) if isinstance(node, nodes.Call)]
    names = [
        nodes.arguments_of_type(call.arguments, nodes.Name)
        for call in calls
        if call.name == "function"
    ]
    return frozenset(name.text for name, *_ in names)
