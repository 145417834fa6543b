"""The geometry of turns: how far two steps bend, and where a leg may go on to.

Turns between steps are counted in sixteenths of a circle, clockwise positive, since straight steps
lie on even winds and oblique ones on odd winds. The places of a `Bend` are eighths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import atan2, degrees
from typing import Literal, TypeAlias

from alfil.geometry import (
    Vector,
    base_vector,
    compass_direction,
    direction_in_sixteenths,
    is_oblique,
    rotate_vector,
)
from alfil.movement.nodes import EIGHTHS, Angle, Bend
from alfil.work_limit import charge

# Which side a bend must go to, compared with the latest bend before it.
BendSense: TypeAlias = Literal["any", "same", "other"]
# The first steps of all legs of a path, in order.
LegSteps: TypeAlias = tuple[Vector, ...]

STRAIGHT_ON, STRAIGHT_BACK = 0, 8
RIGHT_ANGLE = 4
# Every place but straight back, where a leg that converts its step says none.
ALL_BUT_BACK = (0, 1, 2, 3, 5, 6, 7)


def signed_turn(sixteenths: int) -> int:
    """A turn as the smaller one with a sign, clockwise positive.

    >>> [signed_turn(k) for k in (0, 4, 8, 12)]
    [0, 4, 8, -4]
    """
    return (sixteenths + 7) % 16 - 7


def turn_in_sixteenths(before: Vector, after: Vector) -> int:
    """The turn between two steps in sixteenths, signed, clockwise positive.

    Two steps on the same wind that are not in line bend by the smallest amount, by their sense.

    >>> (turn_in_sixteenths((0, 1), (1, 1)), turn_in_sixteenths((0, 1), (-1, 0)),
    ...  turn_in_sixteenths((1, 2), (1, 3)))
    (2, -4, -1)
    """
    turn = signed_turn(direction_in_sixteenths(after) - direction_in_sixteenths(before))
    if turn == STRAIGHT_ON:
        cross = before[0] * after[1] - before[1] * after[0]
        return (cross < 0) - (cross > 0)
    return turn


def turn_in_eighths(before: Vector, after: Vector) -> int | None:
    """The turn between two steps in eighths, clockwise, None where there is no such count.

    >>> turn_in_eighths((0, 2), (2, 2)), turn_in_eighths((1, 2), (2, 1)), turn_in_eighths((0, 1),
    ...  (1, 2))
    (1, 1, None)
    """
    oblique = is_oblique(before)
    if oblique != is_oblique(after) or (oblique and base_vector(before) != base_vector(after)):
        return None
    # Straight steps lie on even winds and oblique ones of one size on odd winds.
    return (direction_in_sixteenths(after) - direction_in_sixteenths(before)) % 16 // 2


def latest_bend_after(latest_bend: int, turn: int) -> int:
    """The latest bend after a turn: straight on and back are none, and leave the one before.

    >>> latest_bend_after(-4, 0), latest_bend_after(-4, 8), latest_bend_after(-4, 2)
    (-4, -4, 2)
    """
    return latest_bend if turn in {STRAIGHT_ON, STRAIGHT_BACK} else turn


def matches_sense(sense: BendSense, latest_bend: int, turn: int) -> bool:
    """Whether a turn has the sense asked for, compared with the latest bend (0: none yet)."""
    if sense == "any" or not latest_bend:
        return True
    if turn in {STRAIGHT_ON, STRAIGHT_BACK}:
        return False
    return (turn * latest_bend > 0) == (sense == "same")


def repeated_or_mirrored_bends(sense: BendSense, latest_bend: int) -> tuple[int, ...]:
    """The turns that a sense alone stands for: the latest bend again, or mirrored.

    Before any bend "same" is half a right angle to either side, "other" a whole one.
    """
    if latest_bend:
        return (latest_bend if sense == "same" else -latest_bend,)
    turn = RIGHT_ANGLE // 2 if sense == "same" else RIGHT_ANGLE
    return (turn, -turn)


@lru_cache(maxsize=4096)
def onward_directions(
    travelled: Vector, vectors: tuple[Vector, ...], eighths: tuple[int, ...] | None
) -> tuple[Vector, ...]:
    """The directions among ``vectors`` that a leg which chooses may take after a step.

    Without ``eighths`` it goes outward: those that make the smallest angle with the step just made,
    ties all. With places (eighths clockwise from the way of travel) those that lie there.

    >>> onward_directions((1, 1), ((0, 1), (1, 0), (0, -1), (-1, 0)), None)
    ((0, 1), (1, 0))
    >>> onward_directions((0, 1), ((0, 1), (1, 0), (0, -1), (-1, 0)), (2, 6))
    ((1, 0), (-1, 0))
    """
    if eighths is None:
        return _directions_at_smallest_angle(travelled, vectors)
    oblique = is_oblique(travelled)
    if not eighths or oblique != is_oblique(vectors[0]):
        return ()
    if oblique:
        targets = [rotate_vector(travelled, place) for place in eighths]
        return tuple([v for target in targets for v in vectors if v == target])
    way = compass_direction(travelled)
    straight = [((compass_direction(v) - way) % 8, v) for v in vectors if not is_oblique(v)]
    return tuple([v for place in eighths for lies, v in straight if lies == place])


def _directions_at_smallest_angle(
    travelled: Vector, vectors: tuple[Vector, ...]
) -> tuple[Vector, ...]:
    best: list[Vector] = []
    for vector in vectors:
        order = _compare_cosines(travelled, vector, best[0]) if best else 1
        if order > 0:
            best = [vector]
        elif order == 0:
            best.append(vector)
    return tuple(best)


def _compare_cosines(travelled: Vector, one: Vector, other: Vector) -> int:
    """Whether one vector makes a smaller angle with the travelled one (1), the same (0), or not."""

    def signed_square(vector: Vector) -> int:
        dot = travelled[0] * vector[0] + travelled[1] * vector[1]
        return dot * abs(dot)

    def length(vector: Vector) -> int:
        return vector[0] ** 2 + vector[1] ** 2

    left, right = signed_square(one) * length(other), signed_square(other) * length(one)
    return (left > right) - (left < right)


def steps_after_bend(
    turn: Bend, travelled: Vector, latest_bend: int, vectors: tuple[Vector, ...] = ()
) -> tuple[tuple[Vector, int], ...]:
    """The steps that may follow a step by a turn, each with the latest bend once it is made.

    ``latest_bend`` is the latest bend so far, 0 before any; ``vectors`` are the steps of the next
    leg, which only a leg that chooses looks at: others take the step just made, turned, any way but
    back where the turn has no places.

    >>> steps_after_bend(Bend((1, 7)), (0, 1), 0)
    (((1, 1), 2), ((-1, 1), -2))
    >>> [step for step, _ in steps_after_bend(Bend(), (0, 1), 0)]
    [(0, 1), (1, 1), (1, 0), (1, -1), (-1, -1), (-1, 0), (-1, 1)]
    >>> steps_after_bend(Bend(chooses=True), (0, 1), 0, ((1, 1), (1, -1), (-1, -1), (-1, 1)))
    (((1, 1), 2), ((-1, 1), -2))
    """
    steps = vectors if turn.chooses else None
    return _cached_steps_after_bend(turn.places, turn.sense, travelled, latest_bend, steps)


@lru_cache(maxsize=4096)
def _cached_steps_after_bend(
    bends_wanted: tuple[int, ...] | None,
    sense: BendSense,
    travelled: Vector,
    latest_bend: int,
    chosen: tuple[Vector, ...] | None,
) -> tuple[tuple[Vector, int], ...]:
    repeats = bends_wanted is None and sense != "any"
    ways: Iterable[tuple[Vector, int]] = _steps_with_turns(bends_wanted, repeats, travelled, chosen)
    if repeats:
        turns = repeated_or_mirrored_bends(sense, latest_bend)
        ways = [way for way in ways if way[1] in turns]
    elif sense != "any":
        ways = [way for way in ways if matches_sense(sense, latest_bend, way[1])]
    return tuple([(step, latest_bend_after(latest_bend, turn)) for step, turn in ways])


@lru_cache(maxsize=4096)
def _steps_with_turns(
    bends_wanted: tuple[int, ...] | None,
    repeats: bool,  # noqa: FBT001 - quicker by position
    travelled: Vector,
    chosen: tuple[Vector, ...] | None,
) -> tuple[tuple[Vector, int], ...]:
    """The steps that may follow a step, whatever the latest bend, each with the turn it takes."""
    if chosen is None:
        places = EIGHTHS if repeats else ALL_BUT_BACK if bends_wanted is None else bends_wanted
        return tuple([(rotate_vector(travelled, each), signed_turn(2 * each)) for each in places])
    steps = chosen if repeats else onward_directions(travelled, chosen, bends_wanted)
    return tuple([(step, turn_in_sixteenths(travelled, step)) for step in steps])


# The senses of a hand, clockwise positive.
SIGNS_BY_HAND: dict[str, tuple[int, ...]] = {"either": (1, -1), "right": (1,), "left": (-1,)}


def steps_turning_up_to_90(travelled: Vector, vectors: Sequence[Vector]) -> tuple[Vector, ...]:
    """The steps that turn by more than 0° and at most 90°, an `Angle` without a size.

    >>> steps_turning_up_to_90((0, 1), ((0, 1), (1, 0), (1, 1), (0, -1)))
    ((1, 0), (1, 1))
    """
    return tuple(
        v
        for v in vectors
        if 0
        < abs(signed_turn((direction_in_sixteenths(v) - direction_in_sixteenths(travelled)) % 16))
        <= RIGHT_ANGLE
    )


# An angle in degrees is met within so much.
ANGLE_TOLERANCE_DEGREES = 0.5


def degrees_between(before: Vector, after: Vector) -> float:
    """The true angle between two steps in degrees, clockwise positive.

    >>> round(degrees_between((0, 1), (1, 2)), 2), round(degrees_between((1, 2), (-1, 2)), 2)
    (26.57, -53.13)
    """
    cross = before[1] * after[0] - before[0] * after[1]
    return degrees(atan2(cross, before[0] * after[0] + before[1] * after[1]))


def steps_at_angle_on_one_side(
    travelled: Vector, turn: Angle, hand: int, vectors: Sequence[Vector]
) -> tuple[Vector, ...]:
    """The steps at an angle to one hand; for steps of the other kind, at the next angle beyond.

    An angle in degrees is the true one. The angle has a size.

    >>> steps_at_angle_on_one_side((1, 1), Angle(2), 1, ((0, 1), (1, 0)))
    ((1, 0),)
    >>> steps_at_angle_on_one_side((0, 1), Angle(2), 1, ((1, 2), (2, 1)))
    ((2, 1),)
    >>> steps_at_angle_on_one_side((0, 1), Angle(None, degrees="26.57"), 1, ((1, 2), (2, 1), (1,
    ...  3)))
    ((1, 2),)
    """
    if turn.degrees:
        size = hand * float(turn.degrees)
        off = [abs(degrees_between(travelled, vector) - size) for vector in vectors]
        met = [min(each, 360 - each) <= ANGLE_TOLERANCE_DEGREES for each in off]
        return tuple(vector for vector, so in zip(vectors, met, strict=True) if so)
    target = direction_in_sixteenths(travelled) + hand * (turn.sixteenths or 0)
    return tuple(
        v
        for v in vectors
        if direction_in_sixteenths(v)
        == (target if target % 2 == is_oblique(v) else target + hand) % 16
    )


@lru_cache(maxsize=4096)
def steps_after_angle(
    turn: Angle, travelled: Vector, vectors: tuple[Vector, ...]
) -> tuple[Vector, ...]:
    """The steps an angle lets a step turn to, to either hand where it says none.

    >>> steps_after_angle(Angle(4), (0, 1), ((1, 0), (-1, 0), (0, 1)))
    ((1, 0), (-1, 0))
    """
    if turn.sixteenths is None and not turn.degrees:
        return steps_turning_up_to_90(travelled, vectors)
    result = [
        steps_at_angle_on_one_side(travelled, turn, hand, vectors)
        for hand in SIGNS_BY_HAND[turn.hand]
    ]
    return tuple(dict.fromkeys(vector for each in result for vector in each))


def paths_through_legs(
    vectors: Sequence[tuple[Vector, ...]], turns: Sequence[Bend], most: int | None = None
) -> list[LegSteps]:
    """The ways through legs in a row: the first steps of all of them, each way once.

    ``vectors`` are the steps of each leg, ``turns`` the turns between them, of which there is one
    fewer. Cut short after the leg at which there are more than ``most``.

    >>> paths_through_legs([((0, 1),), ()], [Bend((2, 6))])
    [((0, 1), (1, 0)), ((0, 1), (-1, 0))]
    """
    ways: list[LegSteps] = []
    for ways in path_prefixes_by_leg_count(vectors, turns):
        if most is not None and len(ways) > most:
            break
    return ways


def path_prefixes_by_leg_count(
    vectors: Sequence[tuple[Vector, ...]], turns: Sequence[Bend]
) -> Iterator[list[LegSteps]]:
    """The ways through the first leg, through the first two, and so on.

    They may be eight times as many after each leg, so they count as work.
    """
    ways: dict[tuple[LegSteps, int], None] = {((vector,), 0): None for vector in vectors[0]}
    yield [way for way, _ in ways]
    for turn, own in zip(turns, vectors[1:], strict=True):
        ways = {
            ((*way, vector), bent): None
            for way, bend in ways
            for vector, bent in steps_after_bend(turn, way[-1], bend, own)
        }
        charge(len(ways))
        yield list(dict.fromkeys(way for way, _ in ways))


def end_of_path(way: Sequence[Vector]) -> Vector:
    """Where the first steps of all legs of a path lead together; where that is home, the first one.

    >>> end_of_path(((1, 1), (0, 1))), end_of_path(((0, 1), (0, -1)))
    ((1, 2), (0, 1))
    """
    end = (sum(x for x, _ in way), sum(y for _, y in way))
    return end if end != (0, 0) else way[0]
