"""Routes put together as parts of Betza: those of one shape become one part, where they can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from alfil.errors import NotationError
from alfil.geometry import Vector, every_image
from alfil.meaning.piece import Condition, Guard, Meaning
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Path
from alfil.notation.betza.reader import read_betza
from alfil.notation.betza.spelling import run as run_of
from alfil.source import Source
from alfil.translation import ways as spelling
from alfil.translation.letters import atom, base_of, first_tokens
from alfil.translation.routes import ANY, HOMEWARD, Lengths, Route, Run, Unsayable, routes
from alfil.translation.ways import Way, joinable, spelled

# The letter before a part for the condition under which it may be used.
PREFIXES: dict[Guard, str] = {
    (): "",
    (Condition("move", 1),): "i",
    (Condition("third-rank"),): "ii",
}
# More parts than this are no description anybody would read.
MOST_PARTS = 24

UNIT: tuple[Vector, ...] = ((0, 1), (1, 1))
# Runs of exactly so many steps are the lame leapers D, A, H and G.
LAME = (2, 3)

Bases: TypeAlias = tuple[Vector, ...]
# What the routes of one shape have in common: each run with its base vector in place of the step.
Shape: TypeAlias = tuple[Run, ...]
Shapes: TypeAlias = dict[Shape, set[Way]]


def parts_of(meaning: Meaning) -> tuple[BetzaTerm, ...]:
    """Parts of Betza for the moves of a meaning, in canonical order; raises `Unsayable`.

    What comes out is still to be compiled and compared.
    """
    found: list[BetzaTerm] = []
    for guard, automaton in meaning.parts:
        initial = PREFIXES.get(guard)
        if initial is None:
            raise Unsayable
        found += [part(initial + text) for text in _texts(routes(automaton))]
        if len(found) > MOST_PARTS:
            raise Unsayable
    return ordered(found)


@lru_cache(maxsize=4096)
def part(text: str) -> BetzaTerm:
    """The node of one part; raises `Unsayable` for what the reader refuses."""
    try:
        (term,) = read_betza(Source(text))[0].terms
    except NotationError:
        raise Unsayable from None
    assert isinstance(term, Leg | Chain | Path)
    return term


def ordered(parts: Iterable[BetzaTerm]) -> tuple[BetzaTerm, ...]:
    """Parts in canonical order, each once.

    >>> from alfil.notation.betza.writer import write_betza
    >>> from alfil.notation.nodes import Description
    >>> write_betza(Description(ordered(map(part, ["ifmnD", "fcF", "aK", "N", "fmW", "R"])), "betza"))
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


def _texts(found: Sequence[Route]) -> Iterator[str]:
    """The parts for the routes under one condition, without its letter."""
    shapes: Shapes = {}
    for route in _without_stops(_folded(found)):
        for even in _even(route):
            shape = tuple([each._replace(step=base_of(each.step)) for each in even])
            shapes.setdefault(shape, set()).add(tuple([each.step for each in even]))
    longer: Shapes = {}
    whole: Shapes = {}
    for shape, ways in shapes.items():
        short = len(shape) == 1 or shape[1:] == (HOMEWARD,)
        (whole if short else longer)[shape] = ways
    for shape, bases, ways in _united(whole):
        steps = frozenset([way[0] for way in ways])
        yield from (_shots if len(shape) > 1 else _runs)(shape[0], bases, steps)
    yield from _longer(longer)


def _over(before: Run, last: Run) -> bool:
    """Whether two runs are one with a piece in its way that is jumped over."""
    plain = before.go == "p" and not before.land and not before.hops and not last.go
    return plain and before.step == last.step and not last.hops


def _folded(found: Iterable[Route]) -> list[Route]:
    """The routes with every run, piece jumped over and run in the same line as one hop."""
    kept: list[Route] = []
    ranges: dict[Route, dict[int, Route]] = {}
    for route in found:
        if len(route) < 2 or not _over(*route[-2:]):
            kept.append(route)
            continue
        before, last = route[-2:]
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
        [each._replace(lengths=lengths) for lengths in _consecutive(each.lengths)]
        for each in route
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


def _united(shapes: Shapes) -> Iterator[tuple[Shape, Bases, set[Way]]]:
    """Shapes of one run; an orthogonal and a diagonal one that are complete as one on K or Q."""
    done: set[Shape] = set()
    for shape, ways in shapes.items():
        if shape in done:
            continue
        first = shape[0]
        if first.step in UNIT and first.lengths[:1] in {(), (1,)} and len(ways) == len(UNIT) * 2:
            (other,) = (base for base in UNIT if base != first.step)
            beside = (first._replace(step=other), *shape[1:])
            if len(shapes.get(beside, ())) == len(ways):
                done.add(beside)
                yield shape, UNIT, ways | shapes[beside]
                continue
        yield shape, (first.step,), ways


def _runs(shape: Run, bases: Bases, steps: frozenset[Vector]) -> Iterator[str]:
    """Leapers, riders, sliders, hoppers and lame leapers."""
    hop = "p" if shape.hops else ""
    legs, scale = _expanded(shape, bases)
    if len(legs) > 1:
        ways = frozenset([(step,) * len(legs) for step in steps])
        yield from _required(spelled(ways, legs))
        return
    leg = legs[0]
    chosen = frozenset([(x * scale, y * scale) for x, y in steps])
    letters = spelling.ending(leg) + hop
    yield _directed(chosen, leg.bases) + letters + atom(leg.bases, leg.most)


def _shots(shape: Run, bases: Bases, steps: frozenset[Vector]) -> Iterator[str]:
    """Captures from home: out, and as far back."""
    letters = _directed(steps, bases) + shape.go
    if shape.lengths == (1,):
        yield f"{letters}ab{atom(bases, 1)}"
    elif shape.lengths == ANY and max(map(max, bases)) == 1:
        yield f"{letters}aib{atom(bases, 0)}"
    elif shape.lengths[:1] in {(), (1,)}:
        name = atom(bases, len(shape.lengths))
        yield f"{_directed(steps, bases)}[{shape.go}{name}-ib{name}]"
    else:
        (a, b), direction = bases[0], _directed(steps, bases)
        for length in shape.lengths:
            back = atom(((a * length, b * length),), 1)
            lame = length in LAME and b == 1
            out = f"{shape.go}n{back}" if lame else "-".join(_steps(shape, bases, length))
            yield f"{direction}[{out}-b{back}]"


def _steps(shape: Run, bases: Bases, length: int) -> list[str]:
    name = atom(bases, 1)
    return [name] * (length - 1) + [shape.go + name]


def _directed(steps: frozenset[Vector], bases: Bases) -> str:
    """The direction letters of a first leg."""
    found = first_tokens(steps, every_image(bases))
    if found is None:
        raise Unsayable
    return run_of(*found)


def _required(texts: list[str] | None) -> list[str]:
    if texts is None:
        raise Unsayable
    return texts


def _expanded(shape: Run, bases: Bases) -> tuple[list[spelling.Leg], int]:
    """The legs for one run, and what its steps are to be multiplied by."""
    low, most = (shape.lengths[0], len(shape.lengths)) if shape.lengths else (1, 0)
    if low in LAME and most == 1 and len(bases) == 1 and bases[0][1] == 1 and not shape.hops:
        if "p" not in shape.go:
            ((a, b),) = bases
            return [spelling.Leg(((a * low, b * low),), 1, shape.land, shape.go, "n")], low
    before = [spelling.Leg(bases, 1, "", straight=at > 0) for at in range(low - 1)]
    hop = "p" if shape.hops else ""
    last = spelling.Leg(bases, most, shape.land, shape.go, hop, straight=low > 1)
    return [*before, last], 1


def _longer(shapes: Shapes) -> Iterator[str]:
    """Moves of several legs; orthogonal and diagonal ones on K and Q where that is shorter."""
    alike: dict[Shape, list[Shape]] = {}
    for shape in shapes:
        if HOMEWARD in shape:
            raise Unsayable
        key = tuple(
            [each._replace(step=UNIT[0]) if each.step in UNIT else each for each in shape]
        )
        alike.setdefault(key, []).append(shape)
    for group in alike.values():
        texts = _together(group, shapes) if len(group) > 1 else None
        if texts is None or len(texts) > 1:
            apart = [_required(_several([shape], shapes)) for shape in group]
            flat = [text for each in apart for text in each]
            texts = flat if texts is None or len(flat) < len(texts) else texts
        yield from texts


def _together(group: Sequence[Shape], shapes: Shapes) -> list[str] | None:
    """One part for shapes that differ only in what is orthogonal and what diagonal."""
    exact = any(each.lengths[:1] not in {(), (1,)} for each in group[0])
    return None if exact else _several(group, shapes)


def _several(group: Sequence[Shape], shapes: Shapes) -> list[str] | None:
    legs: list[spelling.Leg] = []
    scales: list[tuple[int, int]] = []
    for at, each in enumerate(group[0]):
        bases = tuple(sorted({shape[at].step for shape in group}))
        expanded, scale = _expanded(each, bases)
        legs += expanded
        scales.append((len(expanded), scale))
    ways = {
        tuple(
            (x * scale, y * scale)
            for (x, y), (count, scale) in zip(way, scales, strict=True)
            for _ in range(count)
        )
        for shape in group
        for way in shapes[shape]
    }
    return spelled(frozenset(ways), legs)
