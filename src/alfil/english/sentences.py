"""Moves of several legs as one phrase, and the parts of a description as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TypeAlias

from alfil.english import words
from alfil.english.leg_phrases import (
    EMPTY_PASSAGE,
    MOVE_OR_CAPTURE_ENDS,
    NEVER_OVER_START_PHRASE,
    SimpleLeg,
    continues_from_empty_only,
    intermediate_leg_phrase,
    last_leg_phrase,
    passage_phrase,
    single_leg_move_phrase,
)
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import Vector
from alfil.movement.nodes import Passage

# So many single legs make one sentence.
MAX_LEGS_PER_SENTENCE = 4
# Of several rounds, only the last may end where its legs tell that the piece may stop.
MAY_STOP_EARLY = ", stopping early in the last round only"
# From the end of a leg made of others, not from one of their squares where it may stop as well.
ALL_THE_WAY = ", having gone all of that way"
ONLY_TO_CAPTURE = ", only to capture"
# Between conditions, all of which must hold.
CONDITION_CONJUNCTION = " and at the same time "

VerbForm: TypeAlias = Callable[[str], str]


def keep_bare_verb(phrase: str) -> str:
    """A phrase as it is, after "may"."""
    return phrase


class CompoundLegPhrase(NamedTuple):
    """A leg that is made of others, by its words; ``turn`` is how it turns from the leg before.

    ``through`` is what it may go on from; ``stops_early`` where it may end before its end.
    """

    phrase: str
    turn: str = ""
    through: frozenset[Passage] = EMPTY_PASSAGE
    stops_early: bool = False


class RepeatedLegs(NamedTuple):
    """Legs that are gone through again and again, ``frequency`` says how many times.

    ``optional`` rounds may be none; ``never_over_start``: they keep off the square where the move
    began; ``stops_early``: the last of them may be left before its end.
    """

    route: Route
    frequency: str
    optional: bool
    never_over_start: bool
    stops_early: bool


class Route(NamedTuple):
    """Legs in order; ``stops`` tells of each but the last whether the piece may stop there."""

    legs: tuple[SimpleLeg | RepeatedLegs | CompoundLegPhrase, ...]
    stops: tuple[bool, ...]
    remark: str = ""


RouteLeg: TypeAlias = SimpleLeg | RepeatedLegs | CompoundLegPhrase
Body: TypeAlias = SimpleLeg | CompoundLegPhrase | Route


class SentencePart(NamedTuple):
    """One way to move: under which conditions, the move, and what it leaves behind.

    A body that is text is a sentence about the piece that is no move.
    """

    guard: tuple[str, ...]
    body: Body | str
    after: str = ""


def route_or_single_leg(legs: Sequence[RouteLeg], stops: Sequence[bool], remark: str = "") -> Body:
    """A route; one leg alone is its leaf or block."""
    if len(legs) == 1 and isinstance(legs[0], SimpleLeg | CompoundLegPhrase) and not remark:
        return legs[0]
    return Route(tuple(legs), tuple(stops), remark)


def move_phrase(body: Body, verb_form: VerbForm = keep_bare_verb) -> str:
    """A move in words, its verbs in a ``verb_form``: bare, `words.does` or `words.gerund`."""
    match body:
        case Route():
            return _route_phrase(body, verb_form)
        case CompoundLegPhrase():
            return verb_form(body.phrase)
        case _:
            return verb_form(single_leg_move_phrase(body))


def intermediate_move_phrase(body: Body) -> str:
    """A move in words that may also be passed on the way to another one.

    >>> intermediate_move_phrase(SimpleLeg((1,), ((0, 1),), land=frozenset({"enemy", "royal"})))
    'step one square straight forward, stopping there only to capture'
    """
    return (
        _say_stopping_only_to_capture(last_leg_phrase(body))
        if isinstance(body, SimpleLeg)
        else move_phrase(body)
    )


def _say_stopping_only_to_capture(text: str) -> str:
    if not text.endswith(ONLY_TO_CAPTURE):
        return text
    return f"{text.removesuffix(ONLY_TO_CAPTURE)}, stopping there only to capture"


def _route_phrase(way: Route, say: VerbForm, *, ends: bool = True) -> str:
    text = ""
    for at, leg in enumerate(way.legs):
        if at:
            whole = ALL_THE_WAY if _may_stop_between_parts(way.legs[at - 1]) else ""
            turn = leg.turn if isinstance(leg, CompoundLegPhrase) else ""
        if at and way.stops[at - 1]:
            say = keep_bare_verb  # after "may"
            condition = _departure_condition_phrase(way.legs[at - 1])
            text = _say_stopping_only_to_capture(text)
            then = "then" if _may_continue_where_it_stops(way.legs[at - 1]) else "otherwise"
            text += f", and may {then}{whole}, {condition}{turn}, "
        elif at:
            text += f", then{whole}{turn}{',' * bool(whole or turn)} "
        last = at == len(way.stops)
        text += say(_leg_phrase(leg, stops=ends if last else way.stops[at]))
    return text + way.remark


def _may_continue_where_it_stops(leg: RouteLeg) -> bool:
    """Whether the way may go on from what the piece may stop on."""
    if not isinstance(leg, SimpleLeg):
        return True
    taken = {each.removeprefix("take-") for each in leg.through}
    return leg.hop == "none" and not leg.land.isdisjoint(taken)


def _may_stop_between_parts(leg: RouteLeg) -> bool:
    """Whether a leg is made of others, after some of which the move may end."""
    if isinstance(leg, RepeatedLegs):
        return leg.stops_early or any(leg.route.stops)
    return isinstance(leg, CompoundLegPhrase) and leg.stops_early


def _departure_condition_phrase(before: RouteLeg) -> str:
    """What the square must hold from which the way goes on."""
    place = departure_phrase(before, passages_of(before))
    none = isinstance(before, RepeatedLegs) and before.optional
    return f"with or without these rounds, {place}" if none else place


def departure_phrase(before: RouteLeg | Body, passages: frozenset[Passage]) -> str:
    """From where a way goes on behind a leg; only a run that ends the move jumps over a hurdle."""
    place = passage_phrase(passages, leaving=True)
    return f"instead of jumping, {place}" if _ends_with_hop(before) else place


def _ends_with_hop(leg: RouteLeg | Body) -> bool:
    if isinstance(leg, RepeatedLegs):
        return _ends_with_hop(leg.route)
    last = leg.legs[-1] if isinstance(leg, Route) else leg
    return isinstance(last, SimpleLeg) and last.hop != "none"


def passages_of(leg: RouteLeg | Body) -> frozenset[Passage]:
    """What a way goes on from behind a leg, or behind the last of several."""
    if isinstance(leg, RepeatedLegs):
        return passages_of(leg.route)
    return passages_of(leg.legs[-1]) if isinstance(leg, Route) else leg.through


def _leg_phrase(leg: RouteLeg, *, stops: bool) -> str:
    match leg:
        case SimpleLeg():
            return last_leg_phrase(leg) if stops else intermediate_leg_phrase(leg)
        case CompoundLegPhrase():
            return leg.phrase
        case _:
            return _rounds_phrase(leg, stops=stops)


def _rounds_phrase(rounds: RepeatedLegs, *, stops: bool) -> str:
    text = _route_phrase(rounds.route, keep_bare_verb, ends=stops)
    last = rounds.route.legs[-1]
    if stops and isinstance(last, SimpleLeg):
        empty_only = continues_from_empty_only(last.through) and last.hop == "none"
        text += "" if empty_only else f"; to go on, {departure_phrase(last, last.through)}"
    often = rounds.frequency + (" or not at all" if rounds.optional and not stops else "")
    how_so = NEVER_OVER_START_PHRASE if rounds.never_over_start else ""
    how_so += MAY_STOP_EARLY if rounds.stops_early else ""
    return f"repeat {often}{how_so}: ({text})"


def merge_legs_into_longer_routes(parts: Sequence[SentencePart]) -> list[SentencePart]:
    """Parts with a leaf taken into a route that begins with it: the route may stop there then."""
    left = list(parts)
    for part in parts:
        joined = _merge_leg_into_route(part, left)
        if joined is not None:
            place = min(left.index(part), left.index(joined[0]))
            left = [each for each in left if each not in {part, joined[0]}]
            left.insert(place, joined[1])
    return left


def _merge_leg_into_route(
    part: SentencePart, others: Sequence[SentencePart]
) -> tuple[SentencePart, SentencePart] | None:
    """The leaf a part begins with, if that is a part too, and the two as one part."""
    way = part.body
    if not isinstance(way, Route) or part.after or way.remark or way.stops[:1] != (False,):
        return None
    first = way.legs[0]
    if (
        not isinstance(first, SimpleLeg)
        or first.through != EMPTY_PASSAGE
        or isinstance(way.legs[1], RepeatedLegs)
    ):
        return None
    start = first._replace(land=MOVE_OR_CAPTURE_ENDS)
    first_leg = SentencePart(part.guard, start)
    if first_leg not in others:
        return None
    return first_leg, SentencePart(
        part.guard, Route((start, *way.legs[1:]), (True, *way.stops[1:]))
    )


def sentences(parts: Iterable[SentencePart]) -> list[str]:
    """The parts as sentences; single legs that are always allowed share one."""
    result: list[str] = []
    for shared, some in groupby(_merged_and_sorted_parts(parts), _can_share_sentence):
        clauses = list(map(_part_clause, some))
        size = MAX_LEGS_PER_SENTENCE if shared else 1
        for at in range(0, len(clauses), size):
            result.append(words.as_sentence("; ".join(clauses[at : at + size])))
    return result


def _can_share_sentence(part: SentencePart) -> bool:
    """Whether a part can share a sentence with others."""
    return isinstance(part.body, SimpleLeg) and not part.guard


def _part_clause(part: SentencePart) -> str:
    when = CONDITION_CONJUNCTION.join(part.guard)
    if isinstance(part.body, str):
        return f"{when}: {part.body}" if when else part.body
    if not when:
        return move_phrase(part.body, words.third_person) + part.after
    return f"{when} it may {move_phrase(part.body)}{part.after}"


def inline_phrase(parts: Iterable[SentencePart]) -> str:
    """The parts inside a sentence, after "may" or "could"; in brackets where commas could mislead.

    >>> inline_phrase([SentencePart((), SimpleLeg((1,), ((0, 1),)))])
    'step one square straight forward'
    """
    result: list[str] = []
    for part in _merged_and_sorted_parts(parts):
        text = part.body if isinstance(part.body, str) else move_phrase(part.body)
        when = f"{CONDITION_CONJUNCTION.join(part.guard)}: " if part.guard else ""
        result.append(f"{when}{text}{part.after}")
    text = "; or ".join(result) or "do nothing"
    return text if len(result) == 1 and "," not in text else f"({text})"


def gerund_phrase(parts: Iterable[SentencePart]) -> str:
    """The parts as the manner in which something else is done."""
    ways = map(_part_as_manner, _merged_and_sorted_parts(parts))
    return ", or ".join(ways) or "if it could do nothing"


def _part_as_manner(part: SentencePart) -> str:
    when = CONDITION_CONJUNCTION.join(part.guard).rstrip(",")
    if isinstance(part.body, SimpleLeg) and not part.after:
        way = move_phrase(part.body, words.gerund)
    else:
        phrase = inline_phrase([part._replace(guard=())])
        way = f"a move of this kind: {phrase if phrase.startswith('(') else f'({phrase})'}"
    return f"by {way} {when}".rstrip()


def _merged_and_sorted_parts(parts: Iterable[SentencePart]) -> list[SentencePart]:
    """The parts without repetitions, joined where they can be: moves first, facts last."""
    every = list(parts)
    if len(every) == 1:
        return every
    if any(isinstance(part.body, Route) for part in every):
        every = merge_legs_into_longer_routes(list(dict.fromkeys(every)))
    joined = merge_parts_by_direction(every)
    return sorted(joined, key=lambda part: (isinstance(part.body, str), bool(part.guard)))


def merge_parts_by_direction(parts: Iterable[SentencePart]) -> list[SentencePart]:
    """The parts, those that differ only in the directions of their leaves as one."""
    result: dict[tuple[object, ...], tuple[SentencePart, dict[Vector, None]]] = {}
    for part in parts:
        leg = part.body
        if isinstance(leg, SimpleLeg):
            size, vectors, *others = leg
            key = (part.guard, part.after, size, *others)
            result.setdefault(key, (part, {}))[1].update(dict.fromkeys(vectors))
        else:
            result.setdefault(part, (part, {}))
    return [
        part._replace(body=part.body._replace(vectors=tuple(vectors)))
        if isinstance(part.body, SimpleLeg) and len(vectors) != len(part.body.vectors)
        else part
        for part, vectors in result.values()
    ]
