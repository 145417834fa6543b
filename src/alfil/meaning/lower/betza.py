"""From a Betza tree to stages: every part becomes legs and what may follow them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import assert_never

from alfil.geometry import REACH, Vector
from alfil.meaning.automaton import ON_EMPTY
from alfil.meaning.itinerary import Link, Stage, lengths_up_to
from alfil.meaning.lower.chains import chain_stages
from alfil.meaning.lower.ending import AS_IT_IS, Ending
from alfil.meaning.lower.legs import let_end, sense_of, stage_of
from alfil.meaning.lower.paths import path_stages
from alfil.meaning.lower.turns import ChainTurn
from alfil.meaning.piece import Condition, Guard
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Modifiers, Path
from alfil.notation.betza.toggles import lame_slider, later_letters
from alfil.notation.nodes import Description

# A circular piece comes home on its eighth step, and home is no square to go to.
CIRCLE = 7


def betza_ways(description: Description) -> Iterator[tuple[Guard, list[Stage]]]:
    """The guard and the stages of every part of a description."""
    for term in dict.fromkeys(description.terms):
        if isinstance(term, Leg | Chain | Path):
            yield lower_betza(term, AS_IT_IS)


def lower_betza(term: BetzaTerm, ending: Ending) -> tuple[Guard, list[Stage]]:
    """The guard of a part and the stages it may begin with.

    ``ending`` narrows or changes how its moves may end, for Betza embedded in a function.
    """
    match term:
        case Leg():
            return _guard(term.modifiers, [term.modifiers], term), _simple(term, ending)
        case Chain():
            legs = [term.first, *later_letters(term)]
            return _guard(term.first, legs, term), chain_stages(term, ending)
        case Path():
            legs = [term.prefix, *(leg.modifiers for leg in term.legs)]
            guard = _guard(term.prefix, legs, term)
            return guard, path_stages(term, ending)
        case _:
            assert_never(term)


def _guard(first: Modifiers, legs: Sequence[Modifiers], term: BetzaTerm) -> Guard:
    """When a part may be used, and what its moves leave behind."""
    conditions: set[Condition] = set()
    initial = "i" in first.modes or "ii" in first.modes
    if "i" in first.modes:
        conditions.add(Condition("move", 1))
    if "ii" in first.modes:
        conditions.add(Condition("third-rank"))
    if any("n" in leg.modes for leg in legs) and (initial or lame_slider(term)):
        conditions.add(Condition("trail"))
    if isinstance(term, Leg):
        if term.range.written == "*":
            conditions |= {Condition("middle"), Condition("trail")}
        if term.atom.written == "O":
            inset = 1 if "j" in first.modes else 0
            conditions.add(Condition("castle", term.range.steps, inset))
    return tuple(sorted(conditions))


def _lengths(leg: Leg, vectors: tuple[Vector, ...]) -> tuple[int, ...] | None:
    return lengths_up_to(leg.range.steps, vectors)


def _simple(leg: Leg, ending: Ending) -> list[Stage]:
    if leg.atom.written == "U":
        return [let_end(stage_of(leg.modifiers, everywhere(), (1,)), leg.modifiers, ending)]
    if leg.atom.written == "O":
        return _castling(leg, ending)
    if sense_of(leg.modifiers) != "any":
        return _crooked(leg, ending)
    by_length: dict[tuple[int, ...] | None, list[Vector]] = {}
    for vector in leg.vectors:
        by_length.setdefault(_lengths(leg, (vector,)), []).append(vector)
    return [
        let_end(stage_of(leg.modifiers, tuple(vectors), lengths), leg.modifiers, ending)
        for lengths, vectors in by_length.items()
    ]


@cache
def everywhere(x: int = REACH, y: int = REACH) -> tuple[Vector, ...]:
    """Every leap with |dx| <= x and |dy| <= y, except none at all."""
    return tuple(
        (dx, dy)
        for dx in range(-min(x, REACH), min(x, REACH) + 1)
        for dy in range(-min(y, REACH), min(y, REACH) + 1)
        if dx or dy
    )


def _castling(leg: Leg, ending: Ending) -> list[Stage]:
    """The king's way; that a partner stands ready is the guard's business."""
    stage = Stage(leg.vectors, (leg.range.steps,))
    ending.apply(stage, ON_EMPTY)
    return [stage]


def _crooked(leg: Leg, ending: Ending) -> list[Stage]:
    """A single leg with z or q: one step at a time, each but the first after a bend."""
    sense = sense_of(leg.modifiers)
    printed = leg.range.steps if leg.range.written else 0
    most = min(printed or CIRCLE, CIRCLE) if sense == "same" else printed
    turning = ChainTurn(None, sense)

    def step() -> Stage:
        return let_end(stage_of(leg.modifiers, leg.vectors, (1,)), leg.modifiers, ending)

    first = step()
    if not most:
        first.after.append(Link(first, turning))
        return [first]
    last = first
    for _ in range(most - 1):
        following = step()
        last.after.append(Link(following, turning))
        last = following
    return [first]
