"""Routes put together as parts of Betza: those of one shape become one part, where they can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from alfil.errors import NotationError
from alfil.geometry import Vector
from alfil.meaning.automaton import Automaton
from alfil.meaning.piece import Condition, Guard, Meaning
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Path
from alfil.notation.betza.reader import read_betza
from alfil.source import Source
from alfil.translation.into_betza.letters import base_of
from alfil.translation.into_betza.phrases import Phrases, Shapes
from alfil.translation.into_betza.routes import (
    ANY,
    LONGEST,
    Lengths,
    Route,
    Run,
    Unsayable,
    joinable,
    routes,
)

# The letter before a part for the condition under which it may be used.
PREFIXES: dict[Guard, str] = {
    (): "",
    (Condition("move", 1),): "i",
    (Condition("third-rank"),): "ii",
}
# A longer text is no description anybody would read.
LONGEST_TEXT = 80
MOST_SHAPES = 40
# Larger automata are not taken apart.
MOST_STATES = 500

# The runs of one leg a piece may always make, by their steps.
Usual: TypeAlias = dict[Vector, list[Run]]


def parts_of(meaning: Meaning) -> tuple[BetzaTerm, ...]:
    """Parts of Betza for the moves of a meaning, in canonical order; raises `Unsayable`.

    What comes out is still to be compiled and compared.
    """
    texts: list[str] = []
    usual: Usual = {}
    for guard, automaton in meaning.parts:
        initial = PREFIXES.get(guard)
        if initial is None or len(automaton.states) > MOST_STATES:
            raise Unsayable
        texts += [initial + text for text in _shorter(automaton, usual, initial)]
    if len("".join(texts)) > LONGEST_TEXT:
        raise Unsayable
    return ordered([part(text) for text in texts])


def _shorter(automaton: Automaton, usual: Usual, initial: str) -> list[str]:
    """The parts for one automaton; where legs of one step do with less, those."""
    found = routes(automaton)
    if not initial:
        for (only,) in [route for route in found if len(route) == 1]:
            usual.setdefault(only.step, []).append(only)
    else:
        found = [_from_usual(route, usual) for route in found]
    texts = list(_texts(found, initial))
    if _stepwise(found):
        try:
            others = list(_texts(routes(automaton, single=True), initial))
        except Unsayable:
            return texts
        return min(texts, others, key=lambda each: (len(each), len("".join(each))))
    return texts


def _stepwise(found: Sequence[Route]) -> bool:
    """Whether some routes bend, and their runs of some steps might as well be legs of one step."""
    runs = [run for route in found for run in route]
    return (
        len(runs) > len(found)
        and all(0 < len(run.lengths) <= run.lengths[-1] <= LONGEST for run in runs)
        and any(run.lengths != (1,) for run in runs)
    )


def _from_usual(route: Route, usual: Usual) -> Route:
    """A first move of some squares as one of fewer squares too, where those are usual moves.

    The double step of a pawn is then the range 2 of its first move.
    """
    if len(route) > 1 or route[0].hops or not route[0].lengths:
        return route
    only = route[0]
    nearer = set(range(1, only.lengths[0]))
    for other in usual.get(only.step, ()):
        lands = set(only.land) <= set(other.land)
        if lands and not other.hops and (not other.lengths or nearer <= set(other.lengths)):
            return (only._replace(lengths=(*sorted(nearer), *only.lengths)),)
    return route


@lru_cache(maxsize=4096)
def part(text: str) -> BetzaTerm:
    """The node of one part; raises `Unsayable` for what the reader refuses or takes for several."""
    try:
        terms = read_betza(Source(text))[0].terms
    except NotationError:
        raise Unsayable from None
    if len(terms) == 1 and isinstance(terms[0], Leg | Chain | Path):
        return terms[0]
    raise Unsayable


def ordered(parts: Iterable[BetzaTerm]) -> tuple[BetzaTerm, ...]:
    """Parts in canonical order, each once.

    >>> from alfil.notation.betza.writer import write_betza
    >>> from alfil.notation.nodes import Description
    >>> parts = map(part, ["ifmnD", "fcF", "aK", "N", "fmW", "R"])
    >>> write_betza(Description(ordered(parts), "betza"))
    'RNfmWfcFaKifmnD'
    """
    return tuple(sorted(dict.fromkeys(parts), key=_place))


def _place(term: BetzaTerm) -> tuple[object, ...]:
    """First what is always allowed, then one leg, no directions, sliders, near squares."""
    match term:
        case Leg():
            first, legs, slides = term.modifiers, 1, term.range.steps != 1
            length = min((a * a + b * b for a, b in term.atom.vectors), default=0)
        case Chain():
            first, legs, slides, length = term.first, len(term.rest) + 1, term.atom.slides, 0
        case Path():
            first, legs, slides, length = term.prefix, len(term.legs), False, 0
    rank = 1 if "i" in first.modes else 2 if "ii" in first.modes else 0
    return (rank, legs > 1, bool(first.directions), not slides, length)


def _texts(found: Sequence[Route], initial: str) -> Iterator[str]:
    """The parts for the routes under one condition, without its letter."""
    shapes: Shapes = {}
    for route in _without_stops(_folded(found)):
        for even in _even(route):
            shape = tuple([each._replace(step=base_of(each.step)) for each in even])
            shapes.setdefault(shape, set()).add(tuple([each.step for each in even]))
            if len(shapes) > MOST_SHAPES:
                raise Unsayable
    # A lame leap that is a first move would leave a trail.
    yield from Phrases(lame=not initial).texts(shapes)


def _over(before: Run, last: Run) -> bool:
    """Whether two runs are one with a piece in its way that is jumped over."""
    plain = before.go == "p" and not before.land and not before.hops and not last.go
    return plain and before.step == last.step and not last.hops


def _folded(found: Iterable[Route]) -> list[Route]:
    """The routes with every run, piece jumped over and run in the same line as one hop."""
    kept: list[Route] = []
    ranges: dict[Route, dict[int, Route]] = {}
    for route in found:
        *_, before, last = (None, *route)
        if before is None or not _over(before, last):
            kept.append(route)
            continue
        if before.lengths == last.lengths == ANY:
            kept.append((*route[:-2], last._replace(hops=True)))
        elif len(before.lengths) == 1:
            hop = (*route[:-2], last._replace(lengths=ANY, hops=True))
            ranges.setdefault(hop, {})[before.lengths[0]] = route
        else:
            kept.append(route)
    for hop, beyond in ranges.items():
        most = max(beyond) + 1
        told = {at: route[-1].lengths for at, route in beyond.items()}
        if told == {at: tuple(range(1, most - at + 1)) for at in range(1, most)}:
            kept.append((*hop[:-1], hop[-1]._replace(lengths=tuple(range(1, most + 1)))))
        else:
            kept += beyond.values()
    return kept


def _without_stops(found: Sequence[Route]) -> list[Route]:
    """The routes without those that are stops on the way of a longer one."""
    stops: set[Route] = set()
    for route in found:
        for at, each in enumerate(route[:-1]):
            if joinable(each.land, each.go):
                stops.add((*route[:at], each._replace(go="")))
    return [route for route in found if route not in stops] if stops else list(found)


def _even(route: Route) -> Iterator[Route]:
    """The route as routes whose runs have consecutive lengths each."""
    if all(each.lengths in {ANY, (1,)} for each in route):
        yield route
        return
    choices = [
        [each._replace(lengths=lengths) for lengths in _consecutive(each.lengths)] for each in route
    ]
    yield from product(*choices)


def _consecutive(lengths: Lengths) -> Iterator[Lengths]:
    """The lengths cut where one is left out.

    >>> list(_consecutive((1, 2, 4)))
    [(1, 2), (4,)]
    """
    if not lengths:
        yield lengths
        return
    start = 0
    for at in range(1, len(lengths) + 1):
        if at == len(lengths) or lengths[at] != lengths[at - 1] + 1:
            yield lengths[start:at]
            start = at
