"""Plain runs and leaps, which is what most pieces are: from a movement to its automaton at once.

What is a run over empty squares, or a leap, needs no stages to be walked through: the automaton is
known. A test compares it with what stages come to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import LONGEST_STEP, Vector, leaps_within
from alfil.meaning.automaton import (
    ON_AWAY,
    ON_EMPTY,
    ON_ENEMY,
    ON_FRIEND,
    ON_ROYAL,
    ON_TRAIL,
    PAST_EMPTY,
    Automaton,
    PassTransition,
    State,
    StepRecord,
)
from alfil.movement.canonical_movement import split_into_plain_legs
from alfil.movement.nodes import OVER_EMPTY, Anywhere, Either, End, Leg, Lengths, Way
from alfil.work_limit import cached_with_work, charge

BIT_BY_END: dict[End, int] = {
    "empty": ON_EMPTY,
    "away": ON_AWAY,
    "enemy": ON_ENEMY,
    "royal": ON_ROYAL,
    "friend": ON_FRIEND,
    "passer": ON_TRAIL,
}
ALL_BITS = -1


class Ray(NamedTuple):
    """A run over empty squares: how a move may end after each of its first steps, and beyond."""

    emits: tuple[int, ...]
    beyond: int = 0

    def ends_at_step_index(self, step_index: int) -> int:
        """How a move may end after so many steps and one more."""
        return self.emits[step_index] if step_index < len(self.emits) else self.beyond


# A piece has the same two runs in many directions.
@lru_cache(maxsize=256)
def _merged_ray(one: Ray, other: Ray) -> Ray:
    """The run that may end wherever one of two runs may."""
    beyond = one.beyond | other.beyond
    known = range(max(len(one.emits), len(other.emits)))
    emits = [one.ends_at_step_index(steps) | other.ends_at_step_index(steps) for steps in known]
    while emits and emits[-1] == beyond:
        emits.pop()
    return Ray(tuple(emits), beyond)


# Plain runs by their vectors. Leapers, sliders and riders are that, most pieces there are.
Rays: TypeAlias = Mapping[Vector, Ray]


def merge_rays(rays: dict[Vector, Ray], others: Rays) -> None:
    """Add runs to some."""
    if not rays:
        rays.update(others)
        return
    for vector, ray in others.items():
        rays[vector] = _merged_ray(ray, rays[vector]) if vector in rays else ray


@lru_cache(maxsize=1024)
def _ray_with_ends(land: int, lengths: tuple[int, ...] | None) -> Ray:
    """A run that may end in some ways after these numbers of steps, or any if None.

    >>> _ray_with_ends(3, (2,)), _ray_with_ends(33, None)
    (Ray(emits=(0, 3), beyond=0), Ray(emits=(), beyond=1))
    """
    # On a straight run every square is away from home.
    land = land & ~ON_AWAY | ON_EMPTY if land & ON_AWAY else land
    if lengths is None:
        return Ray((), land)
    if lengths == (1,):
        return Ray((land,))
    return Ray(tuple([land if steps in lengths else 0 for steps in range(1, lengths[-1] + 1)]))


def automaton_of_rays(rays: Rays) -> Automaton:
    """The automaton of plain runs: a row of states for each vector, all of them different.

    So there is nothing to determinise or to minimise.
    """
    alike = set(rays.values())
    if len(alike) == 1:
        ((emits, beyond),) = alike
        if len(emits) == 1 and not beyond:
            # A leaper; most pieces leap or run to all sides alike.
            return Automaton((tuple([(*step, 0, emits[0], ()) for step in sorted(rays)]),))
    live = sorted(rays.items())
    if len(live) == 1 and not live[0][1].emits:
        # A piece that only runs along one line is as it was at the start wherever it has got to.
        ((vector, ray),) = live
        return Automaton((((*vector, 0, ray.beyond, ((PAST_EMPTY, 0),)),),))
    start: list[StepRecord] = []
    states: list[State] = []
    for (dx, dy), (emits, beyond) in live:
        if not emits:
            slide = (dx, dy, 0, beyond, ((PAST_EMPTY, len(states) + 1),))
            start.append(slide)
            states.append((slide,))
        elif beyond or len(emits) > 1:
            return _automaton_counting_steps(tuple(live))
        else:
            start.append((dx, dy, 0, emits[0], ()))
    return Automaton((tuple(start), *states))


# They are the largest of plain runs, and pieces of a file that move alike share one.
@cached_with_work(maxsize=1024)
def _automaton_counting_steps(rays: tuple[tuple[Vector, Ray], ...]) -> Automaton:
    """As `automaton_of_rays`, where it matters how many steps a run has made."""
    live: Sequence[tuple[Vector, Ray]] = rays
    states: list[State] = []
    steps = first = 0
    while live:
        # The states after so many steps, beside each other; before the first step they are one.
        behind = first + len(live) if steps else 1
        records: list[StepRecord] = []
        onward: list[tuple[Vector, Ray]] = []
        for at, (vector, ray) in enumerate(live, first):
            emits, beyond = ray
            passes: tuple[PassTransition, ...] = ()
            if steps < (len(emits) or 1 if beyond else len(emits) - 1):
                passes = ((PAST_EMPTY, behind + len(onward)),)
                onward.append((vector, ray))
            elif beyond:
                passes = ((PAST_EMPTY, at),)
            emit = emits[steps] if steps < len(emits) else beyond
            records.append((*vector, 0, emit, passes))
        # To build it, and whoever goes through it later: they are many before they are much work.
        charge(3 * len(records))
        states += [(record,) for record in records] if steps else [tuple(records)]
        live, first, steps = onward, behind, steps + 1
    return Automaton(tuple(states))


def plain_rays(way: Way, allowed_ends: int = ALL_BITS) -> Rays | None:
    """The plain runs and leaps that a way consists of, None if it is more than that.

    ``allowed_ends`` is the mask of ways to end that the rules around it leave. This is the short
    cut to what stages would come to, and most pieces need no other.
    """
    if isinstance(way, Leg) and way.between == "anything":
        return _rays_of_leg(way, allowed_ends)
    ways: Iterable[Way] = way.ways if isinstance(way, Either) else (way,)
    if isinstance(way, Leg):
        ways = split_into_plain_legs(way)
    result: dict[Vector, Ray] = {}
    for each in ways:
        leg = anywhere_as_leaps(each) if isinstance(each, Anywhere) else each
        rays = _rays_of_leg(leg, allowed_ends) if isinstance(leg, Leg) else None
        if rays is None:
            return None
        merge_rays(result, rays)
    return result


def _rays_of_leg(leg: Leg, allowed_ends: int) -> dict[Vector, Ray] | None:
    """The plain runs and leaps of a leg, None if it is more than that, or too long for a board."""
    if not _is_plain_leg(leg):
        return None
    rooms = steps_by_lengths_that_fit(leg.lengths, leg.steps)
    land = end_bits(leg.ends) & allowed_ends
    if len(rooms) == 1 and land:
        ((lengths, steps),) = rooms
        return dict.fromkeys(steps, _ray_with_ends(land, lengths))
    result: dict[Vector, Ray] = {}
    for lengths, steps in rooms if land else ():
        merge_rays(result, dict.fromkeys(steps, _ray_with_ends(land, lengths)))
    # Where no board has room for it there is not even a move that may not end.
    return result if rooms else None


def _is_plain_leg(leg: Leg) -> bool:
    return (
        leg.along == OVER_EMPTY
        and leg.lengths != "halfway"
        and leg.between == "anything"
        and leg.hop == "none"
        and leg.edges == "walls"
        and not (leg.skips_first or leg.as_far)
    )


def anywhere_as_leaps(way: Anywhere) -> Leg:
    """The leaps to anywhere as a leg."""
    return Leg(
        leaps_within(*(LONGEST_STEP if each is None else each for each in (way.files, way.ranks))),
        ends=way.ends,
    )


@lru_cache(maxsize=1024)
def end_bits(ends: tuple[End, ...]) -> int:
    """The ways to end of a leg."""
    return sum(BIT_BY_END[end] for end in ends)


@lru_cache(maxsize=4096)
def steps_by_lengths_that_fit(
    lengths: Lengths, steps: tuple[Vector, ...]
) -> tuple[tuple[tuple[int, ...] | None, tuple[Vector, ...]], ...]:
    """Steps by the numbers of them a board has room for; None where that is any number.

    >>> steps_by_lengths_that_fit((1, 2, 3), ((0, 1), (0, -1))), steps_by_lengths_that_fit("any", (
    ...  (0, 1),
    ...  (1, 18)))
    ((((1, 2, 3), ((0, 1), (0, -1))),), ((None, ((0, 1),)), ((1,), ((1, 18),))))
    """
    longest = max(map(abs, chain.from_iterable(steps)), default=LONGEST_STEP)
    if ((1 if isinstance(lengths, str) else lengths[-1]) + 1) * longest <= LONGEST_STEP:
        return ((None if isinstance(lengths, str) else lengths, steps),)
    result: dict[tuple[int, ...] | None, list[Vector]] = {}
    for step in steps:
        lengths_kept = _lengths_within(lengths, LONGEST_STEP // max(abs(step[0]), abs(step[1])))
        if lengths_kept != ():
            result.setdefault(lengths_kept, []).append(step)
    return tuple([(room, tuple(held)) for room, held in result.items()])


@lru_cache(maxsize=1024)
def _lengths_within(lengths: Lengths, room: int) -> tuple[int, ...] | None:
    """The numbers of steps for which there is room; None where that is any number."""
    most = tuple(range(1, room + 1))
    lengths_kept = most if isinstance(lengths, str) else tuple(k for k in lengths if k <= room)
    return None if lengths_kept == most and room > 1 else lengths_kept
