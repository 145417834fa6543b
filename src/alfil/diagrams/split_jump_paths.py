"""A piece as its diagram shows it: what may be jumped told apart from what must be empty.

A path that passes an empty square or certain pieces, and goes on alike after both, is one path for
the meaning of a piece. In a picture it is two: one over empty squares, and one over a piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, reduce
from operator import or_

from alfil.diagrams.feasible_paths import without_infeasible_paths, without_needless_paths
from alfil.meaning import automaton as masks
from alfil.meaning.automaton import Automaton, PassTransition, StepRecord, wrap_emit_and_pass_masks
from alfil.meaning.piece_meaning import Guard, GuardedAutomaton, Meaning

# From the letter for passing a piece to the one for jumping over it.
JUMP_SHIFT = (masks.THRU_ENEMY // masks.OVER_ENEMY).bit_length() - 1
JUMP_BITS = masks.OVER_ANY | masks.THRU_ANY


@lru_cache(maxsize=1024)
def with_jumps_split_off(meaning: Meaning) -> Meaning:
    """The paths that matter in some position, those over empty squares and over pieces apart.

    Often that is the piece itself.

    Its automata are not canonical: moves and pictures can be made of them, comparisons cannot.
    """
    parts = tuple(
        [
            GuardedAutomaton(
                guard, _automaton_with_jumps_split_off(_needed_paths(guard, automaton))
            )
            for guard, automaton in meaning.parts
        ]
    )
    if all(new.automaton is old.automaton for new, old in zip(parts, meaning.parts, strict=True)):
        return meaning
    return Meaning(parts, meaning.facts)


def _needed_paths(guard: Guard, automaton: Automaton) -> Automaton:
    """The paths that some position allows, without those that a leap makes needless."""
    allowed = without_infeasible_paths(automaton)
    # Where a path leaves a trail, or a run must go as far as it can, the way to a square counts.
    if any(each.kind in {"trail", "greedy"} for each in guard):
        return allowed
    return without_needless_paths(allowed)


def _automaton_with_jumps_split_off(automaton: Automaton) -> Automaton:
    if not wrap_emit_and_pass_masks(automaton.states)[2] & JUMP_BITS:
        return automaton
    states = tuple(
        [tuple([_split_passes(record) for record in state]) for state in automaton.states]
    )
    return automaton if states == automaton.states else Automaton(states)


def _split_passes(record: StepRecord) -> StepRecord:
    """A record with the passes over empty squares and over pieces apart.

    Where a piece of either side is no more than an empty square nothing is jumped.
    """
    passed = reduce(or_, (mask for mask, _ in record[4]), 0)
    if not passed & JUMP_BITS or any(
        mask & masks.PASS_ANYTHING == masks.PASS_ANYTHING for mask, _ in record[4]
    ):
        return record
    return (*record[:4], tuple([each for way in record[4] for each in _split_pass(way)]))


def _split_pass(way: PassTransition) -> Iterator[PassTransition]:
    """A pass as one over empty squares, or with a capture, and one over pieces."""
    mask, target = way
    over = mask & masks.OVER_ANY | (mask & masks.THRU_ANY) >> JUMP_SHIFT
    rest = mask & ~JUMP_BITS
    return ((some, target) for some in (rest, over) if some)
