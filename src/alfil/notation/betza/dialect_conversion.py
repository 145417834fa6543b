"""From one dialect's tree to another's: the same moves, in what the other dialect has.

Brackets and chains say the same things in two manners. A route has no stops on the way, so a path
that may stop is several routes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import NamedTuple, assert_never

from alfil.geometry import (
    LONGEST_STEP,
    UNIT_BASES,
    Vector,
    all_images,
    as_king_steps,
    base_vector,
    is_oblique,
)
from alfil.movement.nodes import Bend
from alfil.movement.turn_geometry import ALL_BUT_BACK, paths_through_legs, turn_in_eighths
from alfil.notation.betza.directions import atom_system, first_leg_tokens_for, later_leg_tokens_for
from alfil.notation.betza.letter_meanings import (
    MAX_PATHS,
    NARROW_TURNS,
    DirectionTokens,
    TurnEighths,
    VectorPath,
    max_steps_of_legs,
    modifiers_in,
    paths_chosen_by_prefix,
)
from alfil.notation.betza.letter_spelling import atom_letter_for, split_atom, split_compound
from alfil.notation.betza.letters import (
    AUTOMATIC_CAPTURE_MODE,
    DEFAULT_PASSAGE_MODES,
    HALFWAY_MODE,
    LETTER_ROWS,
    Dialect,
    Mode,
    bend_sense_of_modes,
)
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, ChainLeg, Leg, Modifiers, Path, Range
from alfil.source import Span

# The letters that change the range after a leg, by the letters that say the same without.
TOGGLING_MODES = {row.untoggled: mode for mode, row in LETTER_ROWS.items() if row.untoggled}
# What letters say that one dialect of lists has alone.
EFFECT_OF_LIST_MODES: dict[Mode, str] = {
    "x": "it burns the enemies beside it",
    AUTOMATIC_CAPTURE_MODE: "it burns what it could capture",
    HALFWAY_MODE: "it goes at most about half the way to the edge",
}
# What a chain of single steps goes on from in the place of a leap with these letters.
PASSING_MODES: dict[Mode, tuple[Mode, ...]] = {"n": (), "j": ("p",)}
# No leap is written in more steps than these.
MOST_STEPS = 15
# A chain that would have to be taken apart into more parts than these is not written.
MOST_PARTS = 64
UNEQUAL_LENGTHS_REASON = "its legs have atoms of different lengths"


def convert_part(term: BetzaTerm, dialect: Dialect) -> list[BetzaTerm]:
    """Parts of another dialect with the moves of one part; `NotExpressible` where there are none.

    What the dialect has no letters for is still in them: reading them in it will tell.
    """
    _reject_modes_of_lists(term, dialect)
    rewrite: Callable[[Route, Dialect], Iterator[BetzaTerm]]
    match term:
        case Leg():
            return list(split_compound(term))
        case Chain():
            if "chain" not in dialect.constructs:
                rewrite = _as_lame_leaps
            elif term.range.written and "chain-range" not in dialect.constructs:
                rewrite = _as_bracketed_paths
            else:
                return list(_convert_chain(term, dialect))
        case Path():
            joined = "joined" in dialect.constructs
            if "bracket" in dialect.constructs or (joined and set(term.joins) == {"?"}):
                return list(_convert_path(term, dialect))
            rewrite = _as_chains if "chain" in dialect.constructs else _as_lame_leaps
        case _:
            assert_never(term)
    return [each for route in routes_to_each_stop(term) for each in rewrite(route, dialect)]


def _reject_modes_of_lists(term: BetzaTerm, dialect: Dialect) -> None:
    """Refuse a part that only another dialect of lists has letters for."""
    for mode in modifiers_in(term)[0].modes:
        if LETTER_ROWS[mode].squares and "squares" not in dialect.constructs:
            raise NotExpressible(f"it moves so {LETTER_ROWS[mode].words} only")
        if mode in EFFECT_OF_LIST_MODES and mode not in dialect.modes:
            raise NotExpressible(EFFECT_OF_LIST_MODES[mode])


# Paths, where they stay paths


def _convert_path(path: Path, dialect: Dialect) -> Iterator[Path]:
    form = path.form
    if "bracket" not in dialect.constructs and form == "[]":
        form = "t[]"
    if "joined" not in dialect.constructs:
        form = "[]"
    firsts = list(split_compound(path.legs[0]))
    if len(firsts) > 1 and path.prefix.directions:
        raise NotExpressible(
            "its first leg and the letters before the bracket both choose directions"
        )
    for leg in firsts:
        yield replace(path, legs=(leg, *path.legs[1:]), form=form)


# Chains, where they stay chains


def _convert_chain(chain: Chain, dialect: Dialect) -> Iterator[Chain]:
    if not all(isinstance(item, ChainLeg) for item in chain.rest):
        if "repeat" not in dialect.constructs:
            raise NotExpressible("repeats")
        yield chain
        return
    legs = [item for item in chain.rest if isinstance(item, ChainLeg)]
    for atom, tokens, vectors in split_atom(chain.atom, chain.vectors):
        first = Modifiers(tokens, chain.first.modes)
        for rest in _later_leg_combinations(
            [(leg.modifiers.modes, leg.turns) for leg in legs], atom, dialect
        ):
            yield Chain(first, rest, atom, chain.range, vectors, span=chain.span)


LaterLeg = tuple[tuple[Mode, ...], TurnEighths | None]


def _later_leg_combinations(
    later: Sequence[LaterLeg], atom: Atom, dialect: Dialect
) -> Iterator[tuple[ChainLeg, ...]]:
    """Later legs with their turns in letters; a set of turns may need several parts."""
    letter = atom_letter_for(atom.vectors, dialect, slides=atom.slides)
    choices: list[list[ChainLeg]] = []
    parts = 1
    for modes, turns in later:
        runs = _direction_runs_of_turns(modes, turns, letter, dialect)
        choices.append([ChainLeg(Modifiers(tokens, modes), turns) for tokens in runs])
        parts *= len(runs)
    if parts > MOST_PARTS:
        raise NotExpressible("its turns would take too many parts")
    yield from product(*choices)


def _direction_runs_of_turns(
    modes: Sequence[Mode], turns: TurnEighths | None, letter: str, dialect: Dialect
) -> list[DirectionTokens]:
    narrow = letter in dialect.narrow
    if turns is None and (not narrow or bend_sense_of_modes(modes) != "any"):
        return [()]
    places = ALL_BUT_BACK if turns is None else turns
    unsaid = NARROW_TURNS if narrow else ALL_BUT_BACK
    return [()] if tuple(sorted(places)) == unsaid else later_leg_tokens_for(places)


# Routes


class RouteLeg(NamedTuple):
    """One leg of a route: its letters besides directions, and how many steps it takes at most."""

    modes: tuple[Mode, ...]
    steps: int


class Route(NamedTuple):
    """Legs without a stop between them, and the first vectors of all legs for every way."""

    legs: tuple[RouteLeg, ...]
    ways: tuple[VectorPath, ...]
    span: Span


class NotExpressible(Exception):
    """There is no such spelling, for this reason."""


def routes_to_each_stop(term: Chain | Path) -> Iterator[Route]:
    """The routes of a part; `NotExpressible` for repeats, and where there are too many ways."""
    if isinstance(term, Chain):
        yield _route_of_chain(term)
        return
    ways = paths_chosen_by_prefix(term, MAX_PATHS)
    _check_path_count(len(ways))
    legs = [RouteLeg(leg.modifiers.modes, leg.range.steps) for leg in term.legs]
    first = RouteLeg((*term.prefix.modes, *legs[0].modes), legs[0].steps)
    legs[0] = first
    for end, join in enumerate([*term.joins, "?"], 1):
        if join == "?":
            cut = tuple(dict.fromkeys(way[:end] for way in ways))
            yield Route(tuple(legs[:end]), cut, term.span)


def _check_path_count(count: int) -> None:
    if count > MAX_PATHS:
        raise NotExpressible("it has too many ways to be written in another manner")


def _route_of_chain(chain: Chain) -> Route:
    legs: list[ChainLeg] = []
    for item in chain.rest:
        if not isinstance(item, ChainLeg):
            raise NotExpressible("it repeats legs")
        legs.append(item)
    rows = [chain.first.modes, *(leg.modifiers.modes for leg in legs)]
    *earlier, last = map(RouteLeg, rows, max_steps_of_legs(chain))
    turns = [Bend(leg.turns, bend_sense_of_modes(leg.modifiers.modes)) for leg in legs]
    ways = paths_through_legs([chain.vectors, *[()] * len(legs)], turns, MAX_PATHS)
    _check_path_count(len(ways))
    going = [
        leg._replace(
            modes=tuple(dict.fromkeys(LETTER_ROWS[mode].untoggled or mode for mode in leg.modes))
        )
        for leg in earlier
    ]
    # The ways tell what z and q say of the bends.
    unbent = tuple(
        leg._replace(modes=tuple(mode for mode in leg.modes if LETTER_ROWS[mode].sense == "any"))
        for leg in (*going, last)
    )
    return Route(unbent, tuple(ways), chain.span)


def turns_in_eighths(way: VectorPath) -> TurnEighths:
    """The turns of a way, in eighths clockwise from the way of travel, as a chain takes them.

    Raises `NotExpressible` where the legs are not of one length and kind.

    >>> turns_in_eighths(((0, 2), (2, 2), (2, 0)))
    (1, 1)
    """
    result: list[int] = []
    for before, after in pairwise(way):
        turn = turn_in_eighths(before, after)
        if turn is None or base_vector(before)[1] != base_vector(after)[1]:
            raise NotExpressible(UNEQUAL_LENGTHS_REASON)
        result.append(turn)
    return tuple(result)


class FirstStepsWithTurns(NamedTuple):
    """First vectors that go on in the same manner: for each later leg its places."""

    vectors: tuple[Vector, ...]
    places: tuple[TurnEighths, ...]


def group_by_independent_turns(ways: Sequence[VectorPath]) -> list[FirstStepsWithTurns]:
    """The ways gathered into fans, in each of which every choice of turns is free.

    >>> group_by_independent_turns([((0, 1), (1, 1)), ((0, 1), (-1, 1))])
    [FirstStepsWithTurns(vectors=((0, 1),), places=((1, 7),))]
    """
    onward: dict[Vector, dict[TurnEighths, None]] = {}
    for way in ways:
        onward.setdefault(way[0], {})[turns_in_eighths(way)] = None
    by_places: dict[tuple[TurnEighths, ...], list[Vector]] = {}
    for vector, rows in onward.items():
        for places in _as_independent_turns(list(rows)):
            by_places.setdefault(places, []).append(vector)
    return [FirstStepsWithTurns(tuple(vectors), places) for places, vectors in by_places.items()]


def _as_independent_turns(rows: Sequence[TurnEighths]) -> list[tuple[TurnEighths, ...]]:
    """Rows of turns as one free choice for each leg, or else each row by itself."""
    each = tuple(tuple(sorted(set(column))) for column in zip(*rows, strict=True))
    if set(product(*each)) == set(rows):
        return [each]
    return [tuple((place,) for place in row) for row in rows]


# Routes in another manner


def _atoms_for_first_leg(
    first_steps: FirstStepsWithTurns, *, slides: bool
) -> Iterator[tuple[Atom, DirectionTokens, tuple[Vector, ...]]]:
    """The atoms that set out in the directions of a fan, with their tokens."""
    bases = tuple(dict.fromkeys(map(base_vector, first_steps.vectors)))
    for atom in (
        (UNIT_BASES,) if set(bases) == set(UNIT_BASES) else tuple((base,) for base in bases)
    ):
        one_step = all(b == 1 for _, b in atom)
        vectors_wanted = [vector for vector in all_images(atom) if vector in first_steps.vectors]
        yield from split_atom(Atom("", atom, slides and one_step), vectors_wanted)


def _legs_of_single_leg_route(route: Route) -> Iterator[Leg]:
    """A route of one leg."""
    step = route.legs[0]
    fan = FirstStepsWithTurns(tuple(way[0] for way in route.ways), ())
    for atom, tokens, vectors in _atoms_for_first_leg(fan, slides=step.steps == 0):
        unsaid = step.steps == (0 if atom.slides else 1)
        reach = Range(step.steps, "" if unsaid else str(step.steps))
        yield Leg(Modifiers(tokens, step.modes), atom, reach, vectors, span=route.span)


def _as_chains(route: Route, dialect: Dialect) -> Iterator[BetzaTerm]:
    """A route as chains."""
    if len(route.legs) == 1:
        yield from _legs_of_single_leg_route(route)
        return
    try:
        result = group_by_independent_turns(route.ways)
    except NotExpressible:
        route = _as_route_of_single_steps(route)
        result = group_by_independent_turns(route.ways)
    legs, reach = _range_toggles_or_common_range(route.legs)
    slides = not legs[0].steps
    for fan in result:
        for atom, tokens, vectors in _atoms_for_first_leg(fan, slides=slides):
            if slides != atom.slides and not reach:
                raise NotExpressible("its legs would need ranges of their own")
            later = [(leg.modes, places) for leg, places in zip(legs[1:], fan.places, strict=True)]
            printed = Range(route.legs[0].steps, "" if atom.slides else reach)
            first = Modifiers(tokens, legs[0].modes)
            for rest in _later_leg_combinations(later, atom, dialect):
                yield Chain(first, rest, atom, printed, vectors, span=route.span)


def _range_toggles_or_common_range(legs: Sequence[RouteLeg]) -> tuple[list[RouteLeg], str]:
    """Legs with y and g where the range changes; or the range that all of them have."""
    steps = {leg.steps for leg in legs}
    if len(steps) == 1 and steps != {1}:
        return list(legs), str(legs[0].steps)
    if not steps <= {0, 1}:
        raise NotExpressible("its legs have ranges of their own")
    result: list[RouteLeg] = []
    for leg, after in zip(legs, [*legs[1:], legs[-1]], strict=True):
        result.append(
            leg
            if leg.steps == after.steps
            else RouteLeg(_modes_with_range_toggle(leg.modes), leg.steps)
        )
    return result, ""


def _modes_with_range_toggle(modes: Sequence[Mode]) -> tuple[Mode, ...]:
    """The letters of a leg that goes on, with one for the change of range after it."""
    going = {mode for mode in modes if LETTER_ROWS[mode].through} or DEFAULT_PASSAGE_MODES
    for plain, toggling in TOGGLING_MODES.items():
        if going == {plain}:
            return (*(mode for mode in modes if mode != plain), toggling)
    if going >= DEFAULT_PASSAGE_MODES and not any(
        LETTER_ROWS[mode].hop != "none" for mode in going
    ):
        return (*modes, "y")
    raise NotExpressible("the range changes after a leg that captures or hops")


def leap_as_single_step_chains(leg: Leg, dialect: Dialect) -> list[BetzaTerm]:
    """A leap as chains of the single steps it passes over, none where it is none of them.

    For dialects that have no letter for the leap, or none that asks what stands in between.
    """
    modes = leg.modifiers.modes
    plain = all(
        LETTER_ROWS[mode].ends or LETTER_ROWS[mode].initial or mode in PASSING_MODES
        for mode in modes
    )
    if "chain" not in dialect.constructs or not plain:
        return []
    ways = tuple((step,) for step in leg.vectors)
    try:
        route = _as_route_of_single_steps(
            Route((RouteLeg(modes, leg.range.steps),), ways, leg.span)
        )
        return list(_as_chains(route, dialect)) if len(route.legs) > 1 else []
    except NotExpressible:
        return []


def _as_route_of_single_steps(route: Route) -> Route:
    """A route with the single steps that leaps pass over in place of these."""
    legs: list[RouteLeg] = []
    for leg, *vectors in zip(route.legs, *route.ways, strict=True):
        sizes = {base_vector(vector)[1] for vector in vectors}
        if sizes <= {1}:
            legs.append(leg)
            continue
        (far, *others) = sizes
        initial = tuple(mode for mode in leg.modes if LETTER_ROWS[mode].initial)
        # A lame first move would leave a trail.
        most = LONGEST_STEP if "n" in leg.modes else MOST_STEPS
        if leg.steps != 1 or others or far > most or (initial and "n" in leg.modes):
            raise NotExpressible(UNEQUAL_LENGTHS_REASON)
        over = next(
            (PASSING_MODES[mode] for mode in leg.modes if mode in PASSING_MODES), ("m", "p")
        )
        last = tuple(mode for mode in leg.modes if mode not in {*initial, *PASSING_MODES})
        legs += [
            RouteLeg((*initial, *over), 1),
            *[RouteLeg(over, 1)] * (far - 2),
            RouteLeg(last, 1),
        ]
    ways = (tuple(step for leap in way for step in as_king_steps(leap)) for way in route.ways)
    return route._replace(legs=tuple(legs), ways=tuple(dict.fromkeys(ways)))


def _as_bracketed_paths(route: Route, _: Dialect) -> Iterator[Path]:
    """A route as bracketed paths, every leg with its range."""
    initial = tuple(mode for mode in route.legs[0].modes if LETTER_ROWS[mode].initial)
    for fan in group_by_independent_turns(route.ways):
        for atom, tokens, vectors in _atoms_for_first_leg(fan, slides=False):
            legs = [_make_path_leg(route.legs[0], atom, tokens, initial)]
            family = {bool(x and y) for x, y in vectors}
            for step, places in zip(route.legs[1:], fan.places, strict=True):
                family = {side ^ bool(place % 2) for side in family for place in places}
                here = _orthogonal_or_diagonal_atom(atom, family)
                runs = later_leg_tokens_for(places)
                if len(runs) > 1:
                    raise NotExpressible("its turns would take several parts")
                legs.append(replace(_make_path_leg(step, here, runs[0], ()), turns=places))
            yield Path(
                Modifiers((), initial), tuple(legs), ("-",) * (len(legs) - 1), "[]", span=route.span
            )


def _orthogonal_or_diagonal_atom(atom: Atom, are_diagonal: set[bool]) -> Atom:
    """The atom of a leg whose vectors may be orthogonal, diagonal, or both."""
    (base, *others) = atom.vectors
    if others or is_oblique(base):
        return atom
    size = max(base)
    if len(are_diagonal) > 1 and size > 1:
        raise NotExpressible("no atom goes this far both ways")
    result = [(size, size) if diagonal else (0, size) for diagonal in sorted(are_diagonal)]
    return Atom("", tuple(result))


def _make_path_leg(
    route_leg: RouteLeg, atom: Atom, tokens: DirectionTokens, omitted_modes: tuple[Mode, ...]
) -> Leg:
    modes = tuple(mode for mode in route_leg.modes if mode not in omitted_modes)
    reach = Range(route_leg.steps, "" if route_leg.steps == 1 else str(route_leg.steps))
    return Leg(Modifiers(tokens, modes), atom, reach, all_images(atom.vectors))


def _as_lame_leaps(route: Route, dialect: Dialect) -> Iterator[Leg]:
    """A route as single legs: lame leaps that test the squares the legs step on."""
    if len(route.legs) == 1:
        yield from _legs_of_single_leg_route(route)
        return
    several_legs_reason = "a move of several legs"
    if "joined" in dialect.constructs:
        several_legs_reason += " that may not stop after each"
    *earlier, last = route.legs
    initial = any(LETTER_ROWS[mode].initial for mode in earlier[0].modes)
    plain = [mode for leg in earlier for mode in leg.modes if not LETTER_ROWS[mode].initial]
    steps_on = set(plain) <= DEFAULT_PASSAGE_MODES and all(leg.steps == 1 for leg in earlier)
    if not steps_on or not last.steps or not all(LETTER_ROWS[mode].ends for mode in last.modes):
        raise NotExpressible(several_legs_reason)
    if initial:
        raise NotExpressible(
            "an initial move of several legs: with n it could be captured en passant"
        )
    ends: dict[Vector, list[Vector]] = {}
    for way in [(*way, *way[-1:] * more) for way in route.ways for more in range(last.steps)]:
        end = (sum(x for x, _ in way), sum(y for _, y in way))
        if end == (0, 0) or as_king_steps(end) != way:
            raise NotExpressible(several_legs_reason)
        ends.setdefault(base_vector(end), []).append(end)
    for base, vectors in ends.items():
        tokens = first_leg_tokens_for(vectors, all_images((base,)), atom_system((base,)))
        modes = (*last.modes, "n")
        yield Leg(
            Modifiers(tokens, modes), Atom("", (base,)), Range(1), tuple(vectors), span=route.span
        )


def ep_capture_as_any_capture(part: BetzaTerm) -> BetzaTerm:
    """A leg that captures en passant as one that captures otherwise too; any other as it is."""
    if not isinstance(part, Leg) or part.modifiers.modes != ("e",):
        return part
    return replace(part, modifiers=replace(part.modifiers, modes=("c", "e")))
