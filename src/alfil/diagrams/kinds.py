"""How the lines of a diagram run: what the passes of an automaton look like, and are for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import lru_cache

from alfil.meaning.automaton import (
    ON_AWAY,
    ON_EMPTY,
    OVER_ANY,
    PAST_AWAY,
    PAST_EMPTY,
    TAKE_ANY,
    TAKE_FRIEND,
    TAKE_TRAIL,
    THRU_ANY,
    Automaton,
    Record,
)


class Kind(IntEnum):
    """How a line runs: over empty squares, over whatever stands there, over a hurdle, capturing."""

    PATH = 0
    JUMP = 1
    HOP = 2
    TAKE = 3


TAKES = TAKE_ANY | TAKE_FRIEND | TAKE_TRAIL
# How the way has gone so far, at the start.
START = -1


@lru_cache(maxsize=1024)
def kinds_of(mask: int) -> tuple[tuple[Kind, int], ...]:
    """The kinds of way that a pass stands for, each with its letters."""
    return tuple(_found(mask))


def _found(mask: int) -> Iterator[tuple[Kind, int]]:
    if mask & (PAST_EMPTY | PAST_AWAY):
        yield Kind.JUMP if _whatever(mask) else Kind.PATH, ~TAKES
    elif mask & OVER_ANY:
        yield Kind.HOP, OVER_ANY
    elif mask & THRU_ANY:
        yield Kind.JUMP, THRU_ANY
    if mask & TAKES:
        yield Kind.TAKE, TAKES


def _whatever(mask: int) -> bool:
    """Whether it makes no difference what stands there."""
    return mask & OVER_ANY == OVER_ANY or mask & THRU_ANY == THRU_ANY


def lands_beyond(record: Record, needs: Mapping[int, Kind]) -> bool:
    """Whether a move can end after a record where no square holds a piece."""
    return bool(record[3] & (ON_EMPTY | ON_AWAY)) or any(
        max(kind, needs[target]) <= Kind.JUMP
        for mask, target in record[4]
        for kind, _ in kinds_of(mask)
        if target in needs
    )


def kind_of(before: int, record: Record, needs: Mapping[int, Kind]) -> Kind | None:
    """How to draw the segment of a record; None for a leap at the start."""
    if before > Kind.PATH:
        return Kind(before)
    onward = [
        max(kind, needs[target])
        for mask, target in record[4]
        for kind, _ in kinds_of(mask)
        if target in needs
    ]
    if before == START and not onward:
        return None
    if record[3] and before != START:
        return Kind.PATH
    return min(onward, default=Kind.PATH)


def needs_of(automaton: Automaton) -> dict[int, Kind]:
    """For each state the plainest kind of way in which a move can end from there."""
    if _over_empty(automaton):
        return dict.fromkeys(range(len(automaton.states)), Kind.PATH)
    before: dict[int, list[tuple[Kind, int]]] = {}
    found: dict[int, Kind] = {}
    for index, state in enumerate(automaton.states):
        for _, _, _, emit, passes in state:
            if emit:
                found[index] = Kind.PATH
            for mask, target in passes:
                before.setdefault(target, []).extend((kind, index) for kind, _ in kinds_of(mask))
    for limit in Kind:
        queue = list(found)
        for target in queue:
            ways = before.get(target, ())
            fresh = {index: limit for kind, index in ways if kind <= limit and index not in found}
            found |= fresh
            queue += fresh
    return found


def _over_empty(automaton: Automaton) -> bool:
    """Whether every way may go on over empty squares; from every state some move can end."""
    return all(
        kinds_of(mask)[0][0] is Kind.PATH
        for state in automaton.states
        for record in state
        for mask, _ in record[4]
    )


def only_over_empty(automaton: Automaton) -> bool:
    """Whether all ways go over empty squares and over nothing else."""
    return all(
        _is_plain(mask) for state in automaton.states for record in state for mask, _ in record[4]
    )


@lru_cache(maxsize=1024)
def _is_plain(mask: int) -> bool:
    return [kind for kind, _ in kinds_of(mask)] == [Kind.PATH]
