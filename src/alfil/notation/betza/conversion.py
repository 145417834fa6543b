"""From one dialect's tree to another's: the same moves, in what the other dialect has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import assert_never

from alfil.geometry import Vector, every_image, is_oblique, single_steps
from alfil.movement.turning import ALL_BUT_BACK
from alfil.notation.betza.compass import by_atom, parted, those_of
from alfil.notation.betza.directions import System, atom_system, later_tokens, tokens_for
from alfil.notation.betza.letters import Dialect, Mode
from alfil.notation.betza.nodes import (
    Atom,
    BetzaTerm,
    Chain,
    ChainLeg,
    Leg,
    Modifiers,
    Path,
    Range,
)
from alfil.notation.betza.spelling import letter_for
from alfil.notation.betza.ways import (
    NARROW,
    Fan,
    Places,
    Route,
    Step,
    Tokens,
    Unwritable,
    fans,
    routes_of,
)

# A chain that would have to be taken apart into more parts than these is not written.
MOST_PARTS = 64
# Letters that a lame leap can have.
PLAIN_ENDS = frozenset("imcdekn")


def converted(term: BetzaTerm, dialect: Dialect) -> list[BetzaTerm]:
    """Parts of another dialect with the moves of one part; `Unwritable` where there are none.

    What the dialect has no letters for is still in them: reading them in it will tell.
    """
    match term:
        case Leg():
            return list(by_atom(term))
        case Chain():
            if "chain" not in dialect.constructs:
                return [each for route in routes_of(term) for each in _single(route)]
            if term.range.written and "chain-range" not in dialect.constructs:
                return [each for route in routes_of(term) for each in _brackets(route)]
            return list(_chains(term, dialect))
        case Path():
            if "bracket" in dialect.constructs or _joins(term, dialect):
                return list(_paths(term, dialect))
            if "chain" in dialect.constructs:
                return [each for route in routes_of(term) for each in _chained(route, dialect)]
            return [each for route in routes_of(term) for each in _single(route)]
        case _:
            assert_never(term)


# Paths, where they stay paths


def _joins(path: Path, dialect: Dialect) -> bool:
    """Whether a path can be written with t: it may stop after every leg."""
    return (
        "joined" in dialect.constructs and set(path.joins) == {"?"} and not path.prefix.directions
    )


def _paths(path: Path, dialect: Dialect) -> Iterator[Path]:
    form = path.form
    if "bracket" not in dialect.constructs and form == "[]":
        form = "t[]"
    if "joined" not in dialect.constructs:
        form = "[]"
    first = path.legs[0]
    parts = list(parted(first.atom, first.vectors))
    if len(parts) > 1 and path.prefix.directions:
        raise Unwritable("its first leg and the letters before the bracket both choose directions")
    for atom, tokens in parts:
        vectors = those_of(atom, first.vectors)
        modifiers = Modifiers(tokens, first.modifiers.modes)
        leg = Leg(modifiers, atom, first.range, vectors, span=first.span)
        yield Path(path.prefix, (leg, *path.legs[1:]), path.joins, form, span=path.span)


# Chains, where they stay chains


def _chains(chain: Chain, dialect: Dialect) -> Iterator[Chain]:
    if not all(isinstance(item, ChainLeg) for item in chain.rest):
        if "repeat" not in dialect.constructs:
            raise Unwritable("repeats")
        yield chain
        return
    for atom, tokens in parted(chain.atom, chain.vectors):
        later = [
            (item.modifiers.modes, item.turns) for item in chain.rest if isinstance(item, ChainLeg)
        ]
        for rest in _spelled(later, letter_of(atom, dialect), dialect):
            yield Chain(
                Modifiers(tokens, chain.first.modes),
                rest,
                atom,
                chain.range,
                those_of(atom, chain.vectors),
                span=chain.span,
            )


def letter_of(atom: Atom, dialect: Dialect) -> str:
    """The letter an atom has in a dialect, or nothing."""
    return letter_for(atom.vectors, dialect, slides=atom.slides)


Later = tuple[tuple[Mode, ...], Places | None]


def _spelled(
    later: Sequence[Later], letter: str, dialect: Dialect
) -> Iterator[tuple[ChainLeg, ...]]:
    """Later legs with their turns in letters; a set of turns may need several parts."""
    choices: list[list[ChainLeg]] = []
    parts = 1
    for modes, turns in later:
        runs = _runs(modes, turns, letter, dialect)
        choices.append([ChainLeg(Modifiers(tokens, modes), turns) for tokens in runs])
        parts *= len(runs)
    if parts > MOST_PARTS:
        raise Unwritable("its turns would take too many parts")
    yield from product(*choices)


def _runs(
    modes: Sequence[str], turns: tuple[int, ...] | None, letter: str, dialect: Dialect
) -> list[tuple[str, ...]]:
    narrow = letter in dialect.narrow
    if turns is None and (not narrow or {"z", "q"} & set(modes)):
        return [()]
    places = ALL_BUT_BACK if turns is None else turns
    unsaid = NARROW if narrow else ALL_BUT_BACK
    return [()] if tuple(sorted(places)) == unsaid else later_tokens(places)


# Routes in another manner


def _first_atoms(
    fan: Fan, *, slides: bool
) -> Iterator[tuple[Atom, tuple[str, ...], tuple[Vector, ...]]]:
    """The atoms that set out in the directions of a fan, with their tokens."""
    bases = tuple(dict.fromkeys(tuple(sorted(map(abs, vector))) for vector in fan.vectors))
    compound = set(bases) == {(0, 1), (1, 1)}
    if compound and len(fan.vectors) == len(every_image(((0, 1), (1, 1)))):
        yield Atom("", ((0, 1), (1, 1)), slides), (), fan.vectors
        return
    for a, b in bases:
        every = every_image(((a, b),))
        wanted = tuple(vector for vector in every if vector in fan.vectors)
        system: System = atom_system(((a, b),))
        yield Atom("", ((a, b),), slides and b == 1), tokens_for(wanted, every, system), wanted


def _plain_legs(route: Route) -> Iterator[Leg]:
    """A route of one leg."""
    step = route.legs[0]
    fan = Fan(tuple(way[0] for way in route.ways), ())
    for atom, tokens, vectors in _first_atoms(fan, slides=step.steps == 0):
        unsaid = step.steps == (0 if atom.slides else 1)
        reach = Range(step.steps, "" if unsaid else str(step.steps))
        yield Leg(Modifiers(tokens, step.modes), atom, reach, vectors, span=route.span)


def _chained(route: Route, dialect: Dialect) -> Iterator[BetzaTerm]:
    """A route as chains."""
    if len(route.legs) == 1:
        yield from _plain_legs(route)
        return
    legs, reach = _toggled(route.legs)
    slides = not reach and not legs[0].steps
    for fan in fans(route.ways):
        for atom, tokens, vectors in _first_atoms(fan, slides=slides):
            if not slides == atom.slides:
                raise Unwritable("its legs would need ranges of their own")
            later = [(leg.modes, places) for leg, places in zip(legs[1:], fan.places, strict=True)]
            printed = Range(route.legs[0].steps, reach)
            for rest in _spelled(later, letter_of(atom, dialect), dialect):
                yield Chain(
                    Modifiers(tokens, legs[0].modes), rest, atom, printed, vectors, span=route.span
                )


def _toggled(legs: Sequence[Step]) -> tuple[list[Step], str]:
    """Legs with y and g where the range changes; or the range that all of them have."""
    steps = {leg.steps for leg in legs}
    if len(steps) == 1 and not steps & {0, 1}:
        return list(legs), str(legs[0].steps)
    if not steps <= {0, 1}:
        raise Unwritable("its legs have ranges of their own")
    found: list[Step] = []
    for leg, after in zip(legs, [*legs[1:], legs[-1]], strict=True):
        found.append(leg if leg.steps == after.steps else Step(_toggling(leg.modes), leg.steps))
    return found, ""


def _toggling(modes: Sequence[Mode]) -> tuple[Mode, ...]:
    """The letters of a leg that goes on, with y or g for the change of range after it."""
    going = set(modes) & set("mcdekp")
    if not going - {"m"}:
        return (*(mode for mode in modes if mode != "m"), "y")
    if going == {"p"}:
        return tuple("g" if mode == "p" else mode for mode in modes)
    if "m" in going and "p" not in going:
        return (*modes, "y")
    raise Unwritable("the range changes after a leg that captures or hops")


def _brackets(route: Route) -> Iterator[Path]:
    """A route as bracketed paths, every leg with its range."""
    initial = tuple(mode for mode in route.legs[0].modes if mode in {"i", "ii"})
    for fan in fans(route.ways):
        for atom, tokens, vectors in _first_atoms(fan, slides=False):
            legs = [_path_leg(route.legs[0], atom, tokens, initial)]
            family = {is_diagonal(vector) for vector in vectors}
            for step, places in zip(route.legs[1:], fan.places, strict=True):
                family = {side ^ bool(place % 2) for side in family for place in places}
                here = _turned_atom(atom, family)
                runs = later_tokens(places)
                if len(runs) > 1:
                    raise Unwritable("its turns would take several parts")
                legs.append(replace(_path_leg(step, here, runs[0], ()), turns=places))
            yield Path(
                Modifiers((), initial), tuple(legs), ("-",) * (len(legs) - 1), "[]", span=route.span
            )


def is_diagonal(vector: Vector) -> bool:
    """Whether a straight vector is a diagonal one."""
    return bool(vector[0] and vector[1])


def _turned_atom(atom: Atom, family: set[bool]) -> Atom:
    """The atom of a leg whose vectors may be orthogonal, diagonal, or both."""
    (base, *others) = atom.vectors
    if others or is_oblique(base):
        return atom
    size = max(base)
    if len(family) > 1 and size > 1:
        raise Unwritable("no atom goes this far both ways")
    found = [(size, size) if diagonal else (0, size) for diagonal in sorted(family)]
    return Atom("", tuple(found))


def _path_leg(step: Step, atom: Atom, tokens: Tokens, without: tuple[Mode, ...]) -> Leg:
    modes = tuple(mode for mode in step.modes if mode not in without)
    reach = Range(step.steps, "" if step.steps == 1 else str(step.steps))
    return Leg(Modifiers(tokens, modes), atom, reach, every_image(atom.vectors))


def _single(route: Route) -> Iterator[Leg]:
    """A route as a single leg: a lame leap that tests the squares the legs step on."""
    if len(route.legs) == 1:
        yield from _plain_legs(route)
        return
    *earlier, last = route.legs
    steps_on = all(set(leg.modes) <= {"m", "i", "ii"} and leg.steps == 1 for leg in earlier)
    if not steps_on or last.steps != 1 or not set(last.modes) <= PLAIN_ENDS - {"i", "n"}:
        raise Unwritable("a move of several legs")
    if {"i", "ii"} & set(earlier[0].modes):
        raise Unwritable("a first move of several legs: with n it would leave a trail")
    ends: dict[Vector, list[Vector]] = {}
    for way in route.ways:
        end = (sum(x for x, _ in way), sum(y for _, y in way))
        if end == (0, 0) or single_steps(end) != way:
            raise Unwritable("a move of several legs")
        low, high = sorted(map(abs, end))
        ends.setdefault((low, high), []).append(end)
    for base, vectors in ends.items():
        tokens = tokens_for(vectors, every_image((base,)), atom_system((base,)))
        modes = (*last.modes, "n")
        yield Leg(
            Modifiers(tokens, modes), Atom("", (base,)), Range(1), tuple(vectors), span=route.span
        )
