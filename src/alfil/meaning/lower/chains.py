"""Chains of Betza as stages: legs joined by a, and repeats of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import assert_never

from alfil.geometry import Vector, every_image
from alfil.meaning.automaton import (
    ON_AWAY,
    ON_EMPTY,
    PAST_AWAY,
    PAST_EMPTY,
    STATE_LIMIT,
    TooManyStates,
)
from alfil.meaning.itinerary import Link, Stage, lengths_up_to
from alfil.meaning.lower.ending import Ending
from alfil.meaning.lower.legs import connect, go_mask, let_end, sense_of, stage_of
from alfil.meaning.lower.turns import ChainTurn
from alfil.notation.betza.nodes import Chain, ChainLeg, Modifiers, Repeat, Tail


@dataclass(slots=True, eq=False)
class _Occurrence:
    """A leg at one place of a chain, and the legs it may follow; none: it is the first.

    ``place`` tells apart the legs that may come last, as a tail counts them: rounds of one repeat
    share a place.
    """

    modifiers: Modifiers
    turns: tuple[int, ...] | None
    lengths: tuple[int, ...] | None
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


def chain_stages(chain: Chain, ending: Ending) -> list[Stage]:
    """The stages a chain may begin with."""
    occurrences, finals = _occurrences(chain)
    if sum(len(one.before) for one in occurrences) > STATE_LIMIT:
        raise TooManyStates
    wandering = any(isinstance(item, Repeat) for item in chain.rest)
    isos = [at for at, one in enumerate(occurrences) if one.before and "i" in one.modifiers.modes]
    last = len(occurrences) if isos and wandering else max(isos, default=0)
    for at, one in enumerate(occurrences):
        one.measured = at < last
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
    link = Link(stage, ChainTurn(one.turns, sense_of(one.modifiers)), through)
    if wandering:
        previous.going.after.append(link)
    else:
        connect(previous.going, link)


def _occurrences(chain: Chain) -> tuple[list[_Occurrence], list[_Occurrence]]:
    """All legs of a chain with their predecessors, and those of them that may come last."""
    everyway = every_image(chain.atom.vectors)
    first = _Occurrence(chain.first, None, _lengths(chain, swapped=False), chain.vectors)
    every = [first]
    open_ends = [first]
    swapped = _toggles(chain.first)
    for item in chain.rest:
        match item:
            case ChainLeg():
                lengths = _lengths(chain, swapped=swapped)
                leg = _Occurrence(item.modifiers, item.turns, lengths, everyway)
                leg.before = list(open_ends)
                open_ends = [leg]
                every.append(leg)
                swapped ^= _toggles(item.modifiers)
            case Repeat():
                lengths = _lengths(chain, swapped=swapped)
                blank = _Occurrence(Modifiers(), None, lengths, everyway, repeated=True)
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


def _lengths(chain: Chain, *, swapped: bool) -> tuple[int, ...] | None:
    """How many steps a leg of a chain takes; a printed range counts for all of them."""
    if chain.range.written:
        return lengths_up_to(chain.range.steps, chain.atom.vectors)
    return None if chain.atom.slides != swapped else (1,)


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


def _materialise(one: _Occurrence, ending: Ending, *, final: bool) -> None:
    """Make the stages of a leg: as one to go on from, and, where it may come last, to end on.

    They are the same stage unless a hop means different things in the two places.
    """
    lengths, vectors = one.lengths, one.vectors
    going = stage_of(one.modifiers, vectors, lengths)
    one.going = going
    going.measured = one.measured and lengths != (1,)
    going.iso = bool(one.before) and "i" in one.modifiers.modes
    if final:
        hops = "p" in one.modifiers.modes or "g" in one.modifiers.modes
        last = stage_of(one.modifiers, vectors, lengths) if hops else going
        last.iso = going.iso
        one.last = let_end(last, one.modifiers, ending)


def _keep_away(stage: Stage) -> None:
    """A repeat never runs through the start square, nor back to it."""
    if stage.land & ON_EMPTY:
        stage.land = stage.land & ~ON_EMPTY | ON_AWAY
    if stage.along & PAST_EMPTY:
        stage.along = stage.along & ~PAST_EMPTY | PAST_AWAY
