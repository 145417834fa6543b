"""A movement without what its other options do anyway, which another notation may well lack.

A lame leap beside the free one, or a bent way to squares that a leap reaches, adds nothing to a
piece; a notation need not have a form for it to say that piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from alfil.meaning.compare_meanings import same_meaning
from alfil.meaning.compile_movement import meaning_of
from alfil.movement.canonical_movement import canonicalise_movement
from alfil.movement.nodes import Either, Movement, Option, Rampage, Then, Way, Within, walk
from alfil.source import Source

# Movements of more options are not looked through.
MAX_OPTIONS = 24


def without_redundant_options(movement: Movement, source: Source) -> Movement | None:
    """The options without which it would be another piece; None where none can be left out.

    There are none for a piece that has no moves.
    """
    apart = [
        replace(option, way=way) for option in movement.options for way in _ways_apart(option.way)
    ]
    if len(apart) > MAX_OPTIONS:
        return None
    necessary = _necessary_options(apart, movement, source)
    if len(necessary) == len(apart):
        return None
    return replace(canonicalise_movement(Movement(tuple(necessary))), facts=movement.facts)


def _necessary_options(apart: list[Option], movement: Movement, source: Source) -> list[Option]:
    """The options that are left when each was left out that the others make superfluous."""
    whole_meaning = meaning_of(Movement(movement.options), source)
    necessary = apart
    # What is longest is most likely to have no form, so that is left out first.
    for option in sorted(apart, key=lambda each: -sum(1 for _ in walk(each.way))):
        fewer = [each for each in necessary if each is not option]
        if same_meaning(meaning_of(Movement(tuple(fewer)), source), whole_meaning):
            necessary = fewer
    return necessary


def _ways_apart(way: Way) -> Iterator[Way]:
    """The ways that a way is the choice of, one for each stop."""
    match way:
        case Within(rule) if not isinstance(rule, Rampage):  # how far one runs is decided for all
            yield from (replace(way, way=each) for each in _ways_apart(way.way))
        case Either(ways):
            yield from (each for choice in ways for each in _ways_apart(choice))
        case Then(ways, joins, only=None):
            for number, join in enumerate(joins, 1):
                if join.may_stop:
                    first = Then(ways[:number], joins[: number - 1]) if number > 1 else ways[0]
                    yield _without_stops(first)
            yield _without_stops(way)
        case _:
            yield way


def _without_stops(way: Way) -> Way:
    """A way that may not stop early."""
    if not isinstance(way, Then):
        return way
    return replace(way, joins=tuple(replace(join, may_stop=False) for join in way.joins))
