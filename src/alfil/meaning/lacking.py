"""The paths of one automaton that none of some others has, as a product of them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from alfil.meaning.automaton import (
    ON_AWAY,
    ON_EMPTY,
    PAST_AWAY,
    PAST_EMPTY,
    STATE_LIMIT,
    Automaton,
    Pass,
    Record,
    State,
    TooManyStates,
    wraps,
)
from alfil.meaning.home import Step, asks_away, homing, makes_way

# A state of the first automaton, and where the same path leads in each of the others (-1: nowhere).
Node: TypeAlias = tuple[int, tuple[int, ...]]


class Lacking(NamedTuple):
    """An automaton of the paths that are lacking; ``owners`` are the states they pass through.

    It is deterministic, neither minimal nor numbered. Every state leads to the end of some path.
    """

    states: tuple[State, ...]
    owners: tuple[int, ...]

    def __bool__(self) -> bool:
        """Whether any path is lacking."""
        return bool(self.states[0])


def lacking(automaton: Automaton, others: Sequence[Automaton]) -> Lacking:
    """The paths of an automaton that none of the others has; raises `TooManyStates`."""
    if automaton in others:
        return Lacking(((),), (0,))
    plain = _plain_steps(automaton, others)
    start: Node = (0, (0,) * len(others))
    order = {start: 0}
    queue = [start]
    rows: list[list[Record]] = []
    for index, followers in queue:
        held = [
            {record[:3]: record for record in other.states[at]} if at >= 0 else {}
            for other, at in zip(others, followers, strict=True)
        ]
        row: list[Record] = []
        for record in automaton.states[index]:
            beside = [records.get(record[:3]) for records in held]
            away = plain is None or (index, record[:2]) in plain
            taken = 0
            for each in beside:
                taken |= each[3] if each else 0
            taken |= ON_AWAY if taken & ON_EMPTY else 0
            taken |= ON_EMPTY if taken & ON_AWAY and away else 0
            passes = _passes(record, beside, order, queue, away=away)
            row.append((*record[:3], record[3] & ~taken, passes))
        rows.append(row)
        if len(queue) > STATE_LIMIT:
            raise TooManyStates
    return Lacking(_alive(rows), tuple(index for index, _ in queue))


def _plain_steps(automaton: Automaton, others: Sequence[Automaton]) -> set[Step] | None:
    """The steps that are proved never to come home, where it matters; None for all of them."""
    if not any(asks_away(other) for other in others) or wraps(automaton.states):
        return set()
    if makes_way(automaton):
        return None
    steps = {
        (index, record[:2])
        for index, state in enumerate(automaton.states)
        for record in state
        if any(record[:2])
    }
    return steps - homing(automaton)


def _passes(
    record: Record,
    beside: Sequence[Record | None],
    order: dict[Node, int],
    queue: list[Node],
    *,
    away: bool,
) -> tuple[Pass, ...]:
    """The passes of a record, split where the others go different ways."""
    united: dict[int, int] = {}
    for mask, target in record[4]:
        left = mask
        while left:
            bit = left & -left
            left ^= bit
            node = (target, tuple(_follow(each, bit, away=away) for each in beside))
            number = order.get(node)
            if number is None:
                number = order[node] = len(queue)
                queue.append(node)
            united[number] = united.get(number, 0) | bit
    return tuple((mask, number) for number, mask in united.items())


def _follow(record: Record | None, bit: int, *, away: bool) -> int:
    """The state that a letter leads to, -1 where it leads nowhere; ``away`` from home for sure."""
    if record is not None:
        anywhere = {PAST_AWAY: PAST_EMPTY, PAST_EMPTY: PAST_AWAY if away else 0}
        for wanted in (bit, anywhere.get(bit, 0)):
            for mask, target in record[4]:
                if mask & wanted:
                    return target
    return -1


def _alive(rows: Sequence[Sequence[Record]]) -> tuple[State, ...]:
    """The states without whatever leads to no end."""
    before: list[list[int]] = [[] for _ in rows]
    alive = []
    for index, row in enumerate(rows):
        if any(record[3] for record in row):
            alive.append(index)
        for record in row:
            for _, target in record[4]:
                before[target].append(index)
    seen = set(alive)
    for index in alive:
        for previous in before[index]:
            if previous not in seen:
                seen.add(previous)
                alive.append(previous)
    return tuple(_kept(row, seen) if index in seen else () for index, row in enumerate(rows))


def _kept(row: Sequence[Record], alive: set[int]) -> State:
    kept = []
    for record in row:
        passes = tuple(each for each in record[4] if each[1] in alive)
        if record[3] or passes:
            kept.append((*record[:3], record[3], passes))
    return tuple(kept)
