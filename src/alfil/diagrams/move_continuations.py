"""How a way goes on: what it asks of the next square, and how far and where it may yet end.

What stands in the window of a diagram is found by `alfil.diagrams.square_marks`; here the rest of a
way is followed beyond it, in a straight line as long as it does not turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache, reduce
from operator import or_
from typing import Literal, TypeAlias, TypeVar

from alfil.diagrams.diagram_model import (
    Arrival,
    Arrow,
    Continuation,
    EndFlags,
    LineKind,
    Offset,
    PathConditionFlags,
    WindowExit,
)
from alfil.geometry import BOARD_LIMIT, LONGEST_STEP
from alfil.meaning import automaton as masks
from alfil.meaning.automaton import HOME, State, StepRecord
from alfil.meaning.piece_meaning import Guard
from alfil.movement.turn_geometry import degrees_between
from alfil.work_limit import charge

States: TypeAlias = tuple[State, ...]
# How a move ends: what its way has asked for, and one bit of Ends; and when.
Ending: TypeAlias = tuple[int, int]
TimedEnding: TypeAlias = tuple[Ending, Guard]
ALL_ENDS = (
    EndFlags.MOVE,
    EndFlags.CAPTURE,
    EndFlags.ROYAL,
    EndFlags.OWN,
    EndFlags.EN_PASSANT,
    EndFlags.HOME,
)

# For each manner of going on, what it asks of a square.
_CONDITION_BY_LINE_KIND = {
    LineKind.PATH: PathConditionFlags.CLEAR,
    LineKind.JUMP: PathConditionFlags.LEAP,
    LineKind.HOP: PathConditionFlags.HURDLE | PathConditionFlags.NEXT,
}


@lru_cache(maxsize=4096)
def conditions_after_pass_or_capture(mask: int, conditions: int) -> tuple[int, int]:
    """What a way asks that goes on by a pass: over the square, and capturing there; or -1."""
    how = pass_kind(mask)
    over = -1
    if how is not None:
        over = conditions | (
            _CONDITION_BY_LINE_KIND[how] & ~PathConditionFlags.NEXT
            if conditions & PathConditionFlags.LOCUST
            else _CONDITION_BY_LINE_KIND[how]
        )
    takes = mask & (masks.TAKE_ANY | masks.TAKE_FRIEND)
    return over, conditions | PathConditionFlags.LOCUST | PathConditionFlags.NEXT if takes else -1


def needs_empty(mask: int) -> bool:
    """Whether a pass goes over empty squares, and over some only if they are empty."""
    return bool(mask & (masks.PAST_EMPTY | masks.PAST_AWAY)) and (
        mask & masks.OVER_ANY != masks.OVER_ANY and mask & masks.THRU_ANY != masks.THRU_ANY
    )


@lru_cache(maxsize=1024)
def pass_kind(mask: int) -> LineKind | None:
    """How a pass goes over a square, None where it only captures there."""
    if mask & (masks.PAST_EMPTY | masks.PAST_AWAY):
        return LineKind.PATH if needs_empty(mask) else LineKind.JUMP
    if mask & masks.OVER_ANY:
        return LineKind.HOP
    return LineKind.JUMP if mask & masks.THRU_ANY else None


# Turns and hops are counted up to so many.
MAX_TURNS_COUNTED = 3


@lru_cache(maxsize=1024)
def max_turns_and_hops(states: States) -> tuple[int, int]:
    """How often at most a way turns, and over how many pieces it hops, counted up to a few."""
    fresh: list[tuple[int, Offset | None, int, int]] = [(0, None, 0, 0)]
    met = {*fresh}
    for index, before, turns, hops in fresh:
        for record in states[index]:
            step = record[:2]
            turning = before is not None and degrees_between(before, step) != 0
            turned = min(MAX_TURNS_COUNTED, turns + turning)
            for mask, target in record[4]:
                hopped = min(MAX_TURNS_COUNTED, hops + (pass_kind(mask) is LineKind.HOP))
                node = target, step, turned, hopped
                if node not in met:
                    met.add(node)
                    fresh.append(node)
            met.add((-1, step, turned, hops))
    charge(len(met))
    return max(each[2] for each in met), max(each[3] for each in met)


def is_single_step(dx: int, dy: int) -> bool:
    """Whether a step is to a square beside."""
    return -1 <= dx <= 1 and -1 <= dy <= 1


def continuations(
    states: States, record: StepRecord, conditions: int, *, quiet: bool = False, back: bool = True
) -> dict[Ending, int | None]:
    """How moves end that go on straight by a record, and how many steps on they still do so.

    None where there is no end to them, and where the way may turn; the ends after a turn count,
    those of ways ``back`` only if none ends before. ``quiet`` moves pass and end on empty squares
    only.
    """
    result: dict[Ending, int | None] = {}
    ahead, met = frozenset({(record, conditions)}), dict[frozenset[tuple[StepRecord, int]], int]()
    turns = False
    while ahead and ahead not in met and len(met) < BOARD_LIMIT:
        met[ahead] = len(met) + 1
        after = set()
        for each, conditions_then in ahead:
            ends, following = _ends_and_next_records(states, each, conditions_then, quiet=quiet)
            result |= dict.fromkeys(ends, len(met))
            after |= {way for way in following if way[0][:3] == record[:3]}
            turns = turns or any(way[0][:3] != record[:3] for way in following)
        ahead = frozenset(after)
    if turns:
        back = back and not result
        turned = _ends_after_turn(states, record, conditions, back=back, quiet=quiet)
        return dict.fromkeys([*result, *turned])
    again = met.get(ahead, len(met) if ahead else len(met) + 1)
    return {way: steps if steps and steps < again else None for way, steps in result.items()}


def captures_en_route(states: States, record: StepRecord) -> dict[Ending, int | None]:
    """Captures on the way of moves that continue straight by a record; as for `continuations`."""
    result: dict[Ending, int | None] = {}
    ahead, met = frozenset({record}), dict[frozenset[StepRecord], int]()
    while ahead and ahead not in met and len(met) < BOARD_LIMIT:
        met[ahead] = len(met) + 1
        takes = reduce(or_, [mask for each in ahead for mask, _ in each[4]], 0)
        result |= {
            (PathConditionFlags.LOCUST, end): len(met)
            for end, kinds in _MASK_BY_VICTIM_END
            if takes & kinds
        }
        following = (each for one in ahead for _, target in one[4] for each in states[target])
        ahead = frozenset(each for each in following if each[:3] == record[:3])
    again = met.get(ahead, len(met) if ahead else len(met) + 1)
    return {way: steps if steps and steps < again else None for way, steps in result.items()}


_MASK_BY_VICTIM_END = ((EndFlags.VICTIM, masks.TAKE_ANY), (EndFlags.OWN_VICTIM, masks.TAKE_FRIEND))


def _ends_and_next_records(
    states: States, record: StepRecord, conditions: int, *, quiet: bool
) -> tuple[list[Ending], set[tuple[StepRecord, int]]]:
    """How a move may end by a record, and the records to go on by, each with what is asked then."""
    if not is_single_step(*record[:2]):
        conditions |= PathConditionFlags.LEAP
    if record[4]:
        conditions &= ~PathConditionFlags.NEXT
    ends = EndFlags.HOME if record[:3] == HOME else ends_of_emit_mask(record[3])
    if quiet:
        ends &= EndFlags.MOVE | EndFlags.HOME
    following = {
        (onward, conditions_then)
        for mask, target in record[4]
        if not quiet or mask & (masks.PAST_EMPTY | masks.PAST_AWAY)
        for conditions_then in conditions_after_pass_or_capture(mask, conditions)[
            : 1 if quiet else 2
        ]
        if conditions_then >= 0
        for onward in states[target]
    }
    return [(conditions, bit) for bit in ALL_ENDS if ends & bit], following


def _ends_after_turn(
    states: States, record: StepRecord, conditions: int, *, back: bool, quiet: bool
) -> set[Ending]:
    """How moves may end that go on by a record after a turn, as soon as some do.

    Those that go ``back`` may end nearer than where they turn.
    """
    result: set[Ending] = set()
    dx, dy = record[:2]
    fresh, met = {(record, conditions)}, set[tuple[StepRecord, int]]()
    while fresh and not result:
        met |= fresh
        after = set()
        for each, conditions_then in fresh:
            ends, following = _ends_and_next_records(states, each, conditions_then, quiet=quiet)
            if back or each[0] * dy != each[1] * dx:
                result.update(ends)
            after |= {
                way
                for way in following
                if back or (way[0][:3] != HOME and way[0][0] * dx + way[0][1] * dy >= 0)
            }
        charge(len(fresh))
        fresh = after - met
    return result


@lru_cache(maxsize=1024)
def ends_of_emit_mask(emit: int) -> int:
    """The bits of Ends for an emit mask of the automaton, away from home.

    They stand in the same order. Where any enemy may be captured, a royal one is no news.
    """
    ends = emit & ~masks.ON_AWAY | (EndFlags.MOVE if emit & masks.ON_AWAY else 0)
    return ends & ~EndFlags.ROYAL if ends & masks.ON_ENEMY else ends


def distance_limit(at: Offset, step: Offset, steps: int | None) -> int | None:
    """How far from the piece so many steps from a square lead; None where only boards end them."""
    if steps is None:
        return None
    distance = max(abs(at[0] + steps * step[0]), abs(at[1] + steps * step[1]))
    return distance if distance < LONGEST_STEP else None


def farther_limit(limit: int | None, other: int | None) -> int | None:
    """Of two limits the one that allows more."""
    return None if limit is None or other is None else max(limit, other)


def limit_of_farthest_continuation(onward: Iterable[Continuation]) -> int | None:
    """The limit of the way that goes farthest."""
    return farthest_limit(each.limit for each in onward)


def farthest_limit(limits: Iterable[int | None]) -> int | None:
    """The limit that allows most."""
    result: int | None = 0
    for each in limits:
        result = farther_limit(result, each)
    return result


Departure = TypeVar("Departure")
Leaving = TypeVar("Leaving", Arrow, WindowExit)


def merge_continuations(
    limits: dict[Departure, int | None], new: Mapping[Departure, int | None]
) -> None:
    """Add ways with their limits; of one that there is already, the farther limit is kept."""
    for way, limit in new.items():
        limits[way] = farther_limit(limits.get(way, 0), limit)


def continuations_of_all_exits(
    exits: Iterable[tuple[Continuation, ...]],
) -> tuple[Continuation, ...]:
    """All ways on of several exits, each with its farthest limit."""
    limits: dict[Arrival, int | None] = {}
    for onward in exits:
        merge_continuations(limits, dict(onward))
    return tuple(Continuation(*each) for each in sorted(limits.items()))


def merge_exits_into(leaving: Leaving, exits: Collection[Leaving]) -> Leaving:
    """One of several exits as all of them: with all ways on, and the farthest limit."""
    limit = farthest_limit(each.limit for each in exits)
    return leaving._replace(
        limit=limit, onward=continuations_of_all_exits(each.onward for each in exits)
    )


def undominated_endings(endings: Mapping[TimedEnding, int | None]) -> tuple[Continuation, ...]:
    """The ways on without those that another one makes superfluous as far as they go.

    Of ways of one kind, which have one sign, the one that goes farther is shown.
    """
    undominated_ways = []
    for ((conditions, bit), guard), limit in sorted(endings.items(), key=lambda each: each[0]):
        if not any(
            also == bit
            and (other, when) != (conditions, guard)
            and farther_limit(limit, far) == far
            and (
                other_way_dominates(other, when, conditions, guard)
                or (
                    far != limit and when == guard and path_family(other) == path_family(conditions)
                )
            )
            for ((other, also), when), far in endings.items()
        ):
            undominated_ways.append(Continuation(Arrival(bit, conditions, guard), limit))
    return tuple(undominated_ways)


def path_family(conditions: int) -> Literal["locust", "hurdle", "leap", "step"]:
    """What a path that asks for these `PathConditionFlags` needs before all else."""
    if conditions & PathConditionFlags.LOCUST:
        return "locust"
    if conditions & PathConditionFlags.HURDLE:
        return "hurdle"
    return "leap" if conditions & PathConditionFlags.LEAP else "step"


def other_way_dominates(
    other_conditions: int, other_guard: Guard, conditions: int, guard: Guard
) -> bool:
    """Whether one way may be made whenever another may, so that the other need not be shown.

    A way over a hurdle is there for when the plain way is blocked, so only a way that nothing can
    block makes it superfluous; one that captures on its way does more than any plain way, and so
    does castling.
    """
    beyond = {each.kind for each in guard if each not in other_guard}
    if not set(other_guard) <= set(guard) or "castle" in beyond:
        return False
    if conditions & ~other_conditions & PathConditionFlags.LOCUST or (
        conditions & ~other_conditions & PathConditionFlags.HURDLE
        and other_conditions & PathConditionFlags.CLEAR
    ):
        return False
    mine, theirs = (
        conditions & ~PathConditionFlags.LEAP,
        other_conditions & ~PathConditionFlags.LEAP,
    )
    if mine == theirs and other_guard == guard:
        return bool(
            other_conditions & ~conditions & PathConditionFlags.LEAP
        )  # of two alike the leap is shown
    return theirs & ~mine == 0
