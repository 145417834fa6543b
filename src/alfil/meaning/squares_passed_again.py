"""Squares that a path may pass again after a jump that counts: a piece counts once only.

A path that comes back over a piece must know that it has counted it. So it carries the squares
that it has passed since the first piece it counted, as seen from where it stands, but only those
that it may pass again: for most paths there are none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from alfil.bit_grid import grid_of
from alfil.geometry import LONGEST_STEP
from alfil.graphs import reachable
from alfil.meaning.automaton import HOME, OVER_ANY, TAKE_BITS, THRU_FRIEND, StepKey, StepRecord
from alfil.work_limit import charge

# All squares that a board may have around the one where a path stands.
AROUND = grid_of(2 * LONGEST_STEP + 1, 2 * LONGEST_STEP + 1, LONGEST_STEP, LONGEST_STEP)
# In a survey the key of the permission by which a piece is passed stands above the letters.
KEY_SHIFT = THRU_FRIEND.bit_length()
LETTERS = (1 << KEY_SHIFT) - 1
# More pairs of states than these are not compared.
COMPARE_LIMIT = 3_000

# The states of a survey, and two of them: whether the first has all the ways of the second.
Rows: TypeAlias = Sequence[Sequence[StepRecord]]
StatePair: TypeAlias = tuple[int, int]


def squares_passed_again(rows: Rows, counting: Mapping[int, set[int]]) -> dict[int, list[int]]:
    """For each key the squares seen from each state where a piece may be passed again by it.

    ``counting`` are the states in which a path has counted a piece under each key.
    """
    alike = len(counting) == 1 and not _keeps_what_it_passes(rows)
    result: dict[int, list[int]] = {}
    for key, states in counting.items():
        ahead = result[key] = _squares_ahead(rows, key, states)
        for state in _states_without_need(rows, key, states) if alike and any(ahead) else ():
            ahead[state] &= ~AROUND.home
    return result


def _keeps_what_it_passes(rows: Rows) -> bool:
    """Whether what is passed belongs to a move, so that a way without a detour is another move.

    What is shot at the end of a way is on no detour.
    """
    passes = (each for row in rows for record in row for each in record[4])
    return any(
        mask & OVER_ANY or (mask & TAKE_BITS and any(step[:3] != HOME for step in rows[target]))
        for mask, target in passes
    )


def _squares_ahead(rows: Rows, key: int, counting: set[int]) -> list[int]:
    """The squares seen from each state where a path that goes on counting passes a piece."""
    result = [0] * len(rows)
    before: dict[int, set[int]] = {}
    for state in counting:
        for target in _targets_among(rows[state], counting):
            before.setdefault(target, set()).add(state)
    waiting = dict.fromkeys(sorted(counting))
    while waiting:
        state, _ = waiting.popitem()
        squares = 0
        for dx, dy, _, _, passes in rows[state]:
            charge(len(passes))
            for mask, target in passes:
                if target in counting:
                    onward = result[target] | (AROUND.home if mask >> KEY_SHIFT == key else 0)
                    squares |= AROUND.shift_squares(onward, (dx, dy))
        if squares != result[state]:
            result[state] = squares
            waiting |= dict.fromkeys(sorted(before.get(state, ())))
    return result


def _targets_among(row: Sequence[StepRecord], states: set[int]) -> set[int]:
    return {target for record in row for _, target in record[4] if target in states}


def _states_without_need(rows: Rows, key: int, counting: set[int]) -> set[int]:
    """The states after a piece that counts to which a path need not come back.

    Where it passes the piece again, it goes on as it might have gone on before, without the detour.
    """
    arrivals: set[frozenset[int]] = set()
    for row in rows:
        by_step: dict[StepKey, set[int]] = {}
        for *step, _, passes in row:
            led = {target for mask, target in passes if mask >> KEY_SHIFT == key}
            by_step.setdefault((step[0], step[1], step[2]), set()).update(led)
        arrivals |= {frozenset(led) for led in by_step.values() if led}
    every = {state for led in arrivals for state in led}

    def onward(state: int) -> set[int]:
        return _targets_among(rows[state], counting)

    # Where each of them leads, to more pieces that count.
    passed = {led: every & {*reachable(led, onward)} for led in arrivals}
    wanted = {(one, to) for led, after in passed.items() for one in led for to in after}
    charge(len(wanted))
    if len(wanted) > COMPARE_LIMIT:
        return set()
    pairs = _covering_pairs(rows, wanted, counting)
    needed = [
        led
        for led, after in passed.items()
        if not all(any((one, to) in pairs for one in led) for to in after)
    ]
    return every.difference(*needed)


def _covering_pairs(rows: Rows, wanted: Iterable[StatePair], counting: set[int]) -> set[StatePair]:
    """The pairs, of some and those they lead to, of which the first state has all of the second.

    A path that has counted a piece has less than one that has not.
    """
    pairs = {
        (one, other)
        for one, other in reachable(wanted, lambda pair: chain(*_pairs_after(rows, pair)))
        if one not in counting or other in counting
    }
    while lacking := [pair for pair in pairs if not _covers(rows, pair, pairs)]:
        pairs.difference_update(lacking)
    return pairs


def _covers(rows: Rows, pair: StatePair, pairs: Collection[StatePair]) -> bool:
    """Whether the first of two states ends and passes as the second does, as far as ``pairs``."""
    ends: dict[StepKey, int] = {}
    for record in rows[pair[0]]:
        ends[record[:3]] = ends.get(record[:3], 0) | record[3]
    return all(not record[3] & ~ends.get(record[:3], 0) for record in rows[pair[1]]) and all(
        any(each in pairs for each in after) for after in _pairs_after(rows, pair)
    )


def _pairs_after(rows: Rows, pair: StatePair) -> Iterator[list[StatePair]]:
    """For each pass of the second of two states, where it and the like ones of the first lead."""
    one, other = (rows[state] for state in pair)
    if pair[0] == pair[1]:
        return
    charge(len(one) + len(other))
    for *key, _, passes in other:
        alike = [after for *step, _, led in one if step == key for after in led]
        for mask, target in passes:
            yield [
                (to, target)
                for over, to in alike
                if over >> KEY_SHIFT == mask >> KEY_SHIFT and not mask & ~over & LETTERS
            ]
