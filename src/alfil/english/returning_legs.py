"""Whether a way of several legs may come back to the square on which it began.

Where it may, and the move must not end there, words have to say so; where it cannot, they do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from alfil.english.turn_phrases import PossibleHeadings
from alfil.geometry import Vector
from alfil.movement.nodes import Leg, Repeat, Then, Turn, Way, Within

# The latest step with the latest bend, and how far it is from the start.
Trail: TypeAlias = tuple[tuple[Vector, int], Vector]
# Runs of more steps, and trails that lead farther, come home no earlier than shorter ones.
MOST_STEPS = 3
FARTHEST = 6
# With more trails than this a way is taken for one that comes home.
MOST_TRAILS = 2_000
# Rounds after which every loop of one turn has come home that ever does.
MOST_ROUNDS = 8


def inner_leg(way: Way) -> Leg | None:
    """The leg that a way is, under whatever rules."""
    while isinstance(way, Within):
        way = way.way
    return way if isinstance(way, Leg) else None


def avoids_start_square(leg: Leg | None) -> bool:
    """Whether a leg may end on an empty square, but not where the move began."""
    return leg is not None and "away" in leg.ends and "empty" not in leg.ends


def legs_back_to_start(then: Then) -> set[int]:
    """The numbers of the legs, from 0, that may end where the way began and must not."""
    result: set[int] = set()
    trails = _first_trails(inner_leg(then.ways[0]))
    for number, (way, join) in enumerate(zip(then.ways[1:], then.joins, strict=True), 1):
        leg = inner_leg(way)
        if leg is None or not trails:
            break
        trails = _longer_trails(trails, join.turn, leg)
        if avoids_start_square(leg) and _is_any_home(trails):
            result.add(number)
    return result


def rounds_may_come_back(repeat: Repeat) -> bool:
    """Whether rounds of one leg may end where they began and must not."""
    body = repeat.way
    single = isinstance(body, Then) and len(body.ways) == 1
    turn = body.onward if isinstance(body, Then) else None
    leg = inner_leg(body.ways[0] if isinstance(body, Then) and single else body)
    if leg is None or not avoids_start_square(leg):
        return False
    trails = _first_trails(leg)
    rounds = MOST_ROUNDS if repeat.times == "any" else min(MOST_ROUNDS, max(repeat.times))
    for _ in range(rounds - 1):
        trails = _longer_trails(trails, turn, leg)
        if _is_any_home(trails):
            return True
    return False


def _first_trails(leg: Leg | None) -> frozenset[Trail]:
    return (
        frozenset()
        if leg is None
        else frozenset(_with_runs(leg, {((v, 0), (0, 0)) for v in leg.steps}))
    )


def _longer_trails(trails: frozenset[Trail], turn: Turn | None, leg: Leg) -> frozenset[Trail]:
    """The trails with one leg more; without a turn it goes anywhere."""
    begun: set[Trail] = set()
    for heading, place in trails:
        before = PossibleHeadings(frozenset({heading}))
        onward = (
            before.after_turn(turn, leg.steps).steps_and_bends
            if turn
            else {(v, 0) for v in leg.steps}
        )
        begun |= {(each, place) for each in onward}
    return frozenset(_with_runs(leg, begun))


def _with_runs(leg: Leg, begun: set[Trail]) -> Iterator[Trail]:
    lengths = range(1, MOST_STEPS + 1) if isinstance(leg.lengths, str) else leg.lengths
    for (step, bend), (x, y) in begun:
        for count in lengths:
            place = x + count * step[0], y + count * step[1]
            if max(map(abs, place)) <= FARTHEST * max(map(abs, step)):
                yield (step, bend), place


def _is_any_home(trails: frozenset[Trail]) -> bool:
    return len(trails) > MOST_TRAILS or any(place == (0, 0) for _, place in trails)
