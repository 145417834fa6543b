"""From a Betza tree to stages: every part becomes legs and what may follow them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import assert_never

from alfil.directions import chosen, system_of
from alfil.geometry import REACH, Vector, images
from alfil.meaning.automaton import (
    MOVE_OR_CAPTURE,
    ON_AWAY,
    ON_EMPTY,
    ON_ENEMY,
    ON_FRIEND,
    ON_ROYAL,
    ON_TRAIL,
    OVER_ANY,
    PAST_AWAY,
    PAST_EMPTY,
    TAKE_ENEMY,
    TAKE_FRIEND,
    TAKE_ROYAL,
    TAKE_TRAIL,
    THRU_ANY,
)
from alfil.meaning.itinerary import NO_MEMORY, Link, Memory, Stage, Turning, lengths_up_to
from alfil.meaning.lower.ending import AS_IT_IS, Ending
from alfil.meaning.lower.turns import ChainTurn, PathTurn, Straight
from alfil.meaning.piece import Condition, Guard
from alfil.notation.betza.nodes import (
    BetzaTerm,
    Chain,
    ChainLeg,
    Leg,
    Modifiers,
    Path,
    Repeat,
    Tail,
)
from alfil.notation.nodes import Description

LANDS = {
    "m": ON_EMPTY,
    "c": ON_ENEMY | ON_ROYAL,
    "d": ON_FRIEND,
    "e": ON_TRAIL,
    "k": ON_ROYAL,
}
GOES = {
    "m": PAST_EMPTY,
    "c": TAKE_ENEMY | TAKE_ROYAL,
    "d": TAKE_FRIEND,
    "e": TAKE_TRAIL,
    "k": TAKE_ROYAL,
    "p": OVER_ANY,
    "g": OVER_ANY,
    "y": PAST_EMPTY,
}
# A circular piece comes home on its eighth step, and home is no square to go to.
CIRCLE = 7


def betza_ways(description: Description) -> Iterator[tuple[Guard, list[Stage]]]:
    """The guard and the stages of every part of a description."""
    for term in description.terms:
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
            legs = [term.first, *_chain_modifiers(term)]
            return _guard(term.first, legs, term), _chain(term, ending)
        case Path():
            legs = [term.prefix, *(leg.modifiers for leg in term.legs)]
            guard = _guard(term.prefix, legs, term)
            return guard, _path(term, ending)
        case _:
            assert_never(term)


def _chain_modifiers(chain: Chain) -> Iterator[Modifiers]:
    for item in chain.rest:
        if isinstance(item, Repeat):
            yield from (leg.modifiers for leg in item.legs)
        else:
            yield item.modifiers


def _guard(first: Modifiers, legs: Sequence[Modifiers], term: BetzaTerm) -> Guard:
    """When a part may be used, and what its moves leave behind."""
    conditions: set[Condition] = set()
    initial = "i" in first.modes or "ii" in first.modes
    if "i" in first.modes:
        conditions.add(Condition("move", 1))
    if "ii" in first.modes:
        conditions.add(Condition("third-rank"))
    if any("n" in leg.modes for leg in legs) and (initial or _lame_slider(term)):
        conditions.add(Condition("trail"))
    if isinstance(term, Leg):
        if term.range.written == "*":
            conditions |= {Condition("middle"), Condition("trail")}
        if term.atom.written == "O":
            inset = 1 if "j" in first.modes else 0
            conditions.add(Condition("castle", term.range.steps, inset))
    return tuple(sorted(conditions))


def _lame_slider(term: BetzaTerm) -> bool:
    """Whether n stands on a leg that slides: there it tests nothing and leaves a trail."""
    match term:
        case Leg():
            return _slides(term)
        case Chain():
            return _one_square(term.atom.vectors) and term.atom.slides
        case Path():
            return any("n" in leg.modifiers.modes and _slides(leg) for leg in term.legs)
        case _:
            assert_never(term)


def _slides(leg: Leg) -> bool:
    return _one_square(leg.atom.vectors) and leg.range.steps != 1


def _one_square(vectors: tuple[Vector, ...]) -> bool:
    return bool(vectors) and all(b == 1 and a <= 1 for a, b in vectors)


def land_mask(modifiers: Modifiers) -> int:
    """How a last leg with these letters may end."""
    mask = 0
    for mode in modifiers.modes:
        mask |= LANDS.get(mode, 0)
    return mask or MOVE_OR_CAPTURE


def go_mask(modifiers: Modifiers) -> int:
    """What a leg with these letters may go on from."""
    mask = 0
    for mode in modifiers.modes:
        mask |= GOES.get(mode, 0)
    if mask & PAST_EMPTY and mask & OVER_ANY:
        mask = mask & ~OVER_ANY | THRU_ANY  # a free leap, over nothing or anything
    return mask or PAST_EMPTY


def _wrap(modifiers: Modifiers) -> int:
    return 2 if "oo" in modifiers.modes else int("o" in modifiers.modes)


def _sense(modifiers: Modifiers) -> str:
    return "z" if "z" in modifiers.modes else "q" if "q" in modifiers.modes else ""


def _stage(
    modifiers: Modifiers,
    vectors: tuple[Vector, ...],
    lengths: tuple[int, ...] | None,
) -> Stage:
    """One leg with the letters that change the way it runs; it can neither end nor go on yet."""
    stage = Stage(vectors, lengths, wrap=_wrap(modifiers))
    plain = all(max(abs(x), abs(y)) == 1 for x, y in vectors)
    if "j" in modifiers.modes:
        if plain:
            stage.ski = True
        else:
            stage.between = OVER_ANY
    if "n" in modifiers.modes and not plain:
        stage.between = PAST_EMPTY
    return stage


def _final(stage: Stage, modifiers: Modifiers, ending: Ending) -> Stage:
    """Let the stage end the move."""
    ending.apply(stage, land_mask(modifiers))
    if "p" in modifiers.modes:
        stage.hop = "p"
    elif "g" in modifiers.modes:
        stage.hop = "g"
    return stage


def _lengths(leg: Leg, vectors: tuple[Vector, ...]) -> tuple[int, ...] | None:
    return lengths_up_to(leg.range.steps, vectors)


def _simple(leg: Leg, ending: Ending) -> list[Stage]:
    if leg.atom.written == "U":
        return [_final(_stage(leg.modifiers, everywhere(), (1,)), leg.modifiers, ending)]
    if leg.atom.written == "O":
        return _castling(leg, ending)
    if _sense(leg.modifiers):
        return _crooked(leg, ending)
    by_length: dict[tuple[int, ...] | None, list[Vector]] = {}
    for vector in leg.vectors:
        by_length.setdefault(_lengths(leg, (vector,)), []).append(vector)
    return [
        _final(_stage(leg.modifiers, tuple(vectors), lengths), leg.modifiers, ending)
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
    sense = _sense(leg.modifiers)
    printed = leg.range.steps if leg.range.written else 0
    most = min(printed or CIRCLE, CIRCLE) if sense == "q" else printed
    turning = ChainTurn(None, sense)

    def step() -> Stage:
        return _final(_stage(leg.modifiers, leg.vectors, (1,)), leg.modifiers, ending)

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


@dataclass(slots=True, eq=False)
class _Occurrence:
    """A leg at one place of a chain, and the legs it may follow; none: it is the first.

    ``place`` tells apart the legs that may come last, as a tail counts them: rounds of one repeat
    share a place.
    """

    modifiers: Modifiers
    turns: tuple[int, ...] | None
    slides: bool
    vectors: tuple[Vector, ...] = ()
    repeated: bool = False
    measured: bool = False
    place: int = 0
    before: list[_Occurrence] = field(default_factory=list)
    going: Stage = field(default_factory=lambda: Stage(()))
    last: Stage | None = None

    def stages(self) -> list[Stage]:
        """The stages of the leg, each once."""
        return (
            [self.going]
            if self.last is None or self.last is self.going
            else [self.going, self.last]
        )


def _chain(chain: Chain, ending: Ending) -> list[Stage]:
    occurrences, finals = _occurrences(chain)
    wandering = any(isinstance(item, Repeat) for item in chain.rest)
    for index, one in enumerate(occurrences):
        others = occurrences if wandering else occurrences[index + 1 :]
        one.measured = any("i" in other.modifiers.modes for other in others if other.before)
        _materialise(one, ending, final=one in finals)
    # Later legs first, so that a leg is known to be the last one when it is joined to others.
    for one in reversed(occurrences):
        for stage in one.stages():
            if one.repeated:
                _keep_away(stage)
            for previous in one.before:
                _follow(previous, one, stage, wandering=wandering)
    return [stage for one in occurrences if not one.before for stage in one.stages()]


def _follow(previous: _Occurrence, one: _Occurrence, stage: Stage, *, wandering: bool) -> None:
    """Let a stage of one leg follow another leg."""
    through = go_mask(previous.modifiers)
    if previous.repeated and through & PAST_EMPTY:
        through = through & ~PAST_EMPTY | PAST_AWAY
    link = Link(stage, ChainTurn(one.turns, _sense(one.modifiers)), through)
    if wandering:
        previous.going.after.append(link)
    else:
        _connect(previous.going, link)


def _occurrences(chain: Chain) -> tuple[list[_Occurrence], list[_Occurrence]]:
    """All legs of a chain with their predecessors, and those of them that may come last."""
    slides = chain.atom.slides
    everyway = every_image(chain)
    first = _Occurrence(chain.first, None, slides, chain.vectors)
    every = [first]
    open_ends = [first]
    swapped = _toggles(chain.first)
    for item in chain.rest:
        match item:
            case ChainLeg():
                leg = _Occurrence(item.modifiers, item.turns, slides != swapped, everyway)
                leg.before = list(open_ends)
                open_ends = [leg]
                every.append(leg)
                swapped ^= _toggles(item.modifiers)
            case Repeat():
                blank = _Occurrence(Modifiers(), None, slides != swapped, everyway, repeated=True)
                blank.place = 1 + max(end.place for end in open_ends)
                added, ends = _repeated(item, blank, open_ends)
                every += added
                open_ends = [*open_ends, *ends]
            case Tail():
                open_ends = [_with_tail(end, item) for end in open_ends]
                every += open_ends
            case _:
                assert_never(item)
    return every, open_ends


def _toggles(modifiers: Modifiers) -> bool:
    return "y" in modifiers.modes or "g" in modifiers.modes


def _repeated(
    repeat: Repeat, blank: _Occurrence, before: list[_Occurrence]
) -> tuple[list[_Occurrence], list[_Occurrence]]:
    """The legs of a repeat, in a circle when there is no limit, and the ends of each round."""
    every: list[_Occurrence] = []
    ends: list[_Occurrence] = []
    for _ in range(repeat.limit or 1):
        previous = list(before) if not ends else [ends[-1]]
        entry = len(every)
        for leg in repeat.legs:
            here = replace(blank, modifiers=leg.modifiers, turns=leg.turns, before=previous)
            every.append(here)
            previous = [every[-1]]
        ends.append(every[-1])
        if not repeat.limit:
            every[entry].before.append(every[-1])
    return every, ends


def _with_tail(end: _Occurrence, tail: Tail) -> _Occurrence:
    """The same leg with the letters after the repeat added; it comes after the same legs."""
    modes = tuple(dict.fromkeys(end.modifiers.modes + tail.modifiers.modes))
    return replace(
        end,
        modifiers=Modifiers(end.modifiers.directions + tail.modifiers.directions, modes),
        turns=tail.turns[end.place],
        vectors=end.vectors if end.before else tail.vectors,
        going=Stage(()),
    )


def every_image(chain: Chain) -> tuple[Vector, ...]:
    """All directions of a chain's atom."""
    return tuple(v for a, b in chain.atom.vectors for v in images(a, b))


def _materialise(one: _Occurrence, ending: Ending, *, final: bool) -> None:
    """Make the stages of a leg: as one to go on from, and, where it may come last, to end on.

    They are the same stage unless a hop means different things in the two places.
    """
    lengths = None if one.slides else (1,)
    vectors = one.vectors
    going = _stage(one.modifiers, vectors, lengths)
    one.going = going
    going.measured = one.measured and lengths is None
    going.iso = bool(one.before) and "i" in one.modifiers.modes
    if final:
        hops = "p" in one.modifiers.modes or "g" in one.modifiers.modes
        last = _stage(one.modifiers, vectors, lengths) if hops else going
        last.iso = going.iso
        one.last = _final(last, one.modifiers, ending)


def _keep_away(stage: Stage) -> None:
    """A repeat never runs through the start square, nor back to it."""
    if stage.land & ON_EMPTY:
        stage.land = stage.land & ~ON_EMPTY | ON_AWAY
    if stage.along & PAST_EMPTY:
        stage.along = stage.along & ~PAST_EMPTY | PAST_AWAY


def _connect(before: Stage, link: Link) -> None:
    """Let a stage follow another; straight back by the same length ends at home in one step."""
    after, turning = link.stage, link.turning
    back = isinstance(turning, ChainTurn | PathTurn) and turning == type(turning)((4,))
    if after.iso and back and _returns(before, after):
        home = Stage((), (1,), land=after.land, homeward=True)
        before.measured = False
        link = Link(home, HOMEWARD, link.through)
    before.after.append(link)


@dataclass(frozen=True, slots=True)
class _Homeward:
    """Back the way the last leg came."""

    def ways(
        self, travelled: Vector, memory: Memory, vectors: tuple[Vector, ...]
    ) -> Iterator[tuple[tuple[Vector, ...], Memory]]:
        """No direction of its own."""
        del travelled, vectors
        yield (), memory


HOMEWARD = _Homeward()


def _returns(before: Stage, after: Stage) -> bool:
    """Whether the way back is over squares known to be empty, and so needs no second look."""
    return (
        before.along == PAST_EMPTY
        and before.lengths is None
        and after.lengths is None
        and not (before.between or before.ski or before.wrap or before.iso)
        and not (after.between or after.ski or after.wrap or after.hop or after.after)
        and bool(after.land & (ON_EMPTY | ON_AWAY))
    )


def _path(path: Path, ending: Ending) -> list[Stage]:
    if not path.prefix.directions:
        return [_linear(path, [leg.vectors for leg in path.legs], _path_turns(path), ending)]
    turns: list[Turning] = [Straight()] * (len(path.legs) - 1)
    return [_linear(path, [(v,) for v in way], turns, ending) for way in _selected(path)]


def _path_turns(path: Path) -> list[Turning]:
    return [PathTurn(leg.turns, _sense(leg.modifiers)) for leg in path.legs[1:]]


def _linear(
    path: Path, vectors: list[tuple[Vector, ...]], turns: list[Turning], ending: Ending
) -> Stage:
    """The stages of a path, joined in a row."""
    stages: list[Stage] = []
    for index, leg in enumerate(path.legs):
        stage = _stage(leg.modifiers, vectors[index], _lengths(leg, leg.vectors))
        stage.iso = index > 0 and "i" in leg.modifiers.modes
        later = path.legs[index + 1 :]
        stage.measured = stage.lengths != (1,) and any(
            "i" in each.modifiers.modes for each in later
        )
        if index == len(path.joins) or path.joins[index] == "?":
            _final(stage, leg.modifiers, ending)
        stages.append(stage)
    for index in range(len(stages) - 1, 0, -1):
        turning = turns[index - 1]
        if isinstance(turning, Straight) and path.legs[index].turns == (4,):
            turning = PathTurn((4,), _sense(path.legs[index].modifiers))
        through = go_mask(path.legs[index - 1].modifiers)
        _connect(stages[index - 1], Link(stages[index], turning, through))
    return stages[0]


def _selected(path: Path) -> list[tuple[Vector, ...]]:
    """The ways through a path that its prefix letters choose, by the sums of their first steps."""
    turns = _path_turns(path)
    ways: list[tuple[tuple[Vector, ...], Memory]] = [
        ((vector,), NO_MEMORY) for vector in path.legs[0].vectors
    ]
    for leg, turning in zip(path.legs[1:], turns, strict=True):
        ways = [
            ((*way, vector), recalled)
            for way, memory in ways
            for vectors, recalled in turning.ways(way[-1], memory, leg.vectors)
            for vector in vectors
        ]
    ends = {way: way_end(way) for way, _ in ways}
    ends_found = tuple(dict.fromkeys(ends.values()))
    system = system_of(ends_found)
    wanted = set(chosen(path.prefix.directions, ends_found, system)) if system else set()
    return [way for way, end in ends.items() if end in wanted]


def way_end(way: Sequence[Vector]) -> Vector:
    """Where the first steps of all legs lead together; the first step alone where that is home."""
    end = (sum(x for x, _ in way), sum(y for _, y in way))
    return end if end != (0, 0) else way[0]
