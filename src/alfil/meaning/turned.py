"""A meaning seen in a mirror or turned by quarters of a circle."""

from __future__ import annotations

from typing import TypeAlias

from alfil.meaning.automaton import Automaton, State, number, wraps
from alfil.meaning.piece import Meaning, Part, gather

# Where the vectors (1, 0) and (0, 1) go.
Turn: TypeAlias = tuple[tuple[int, int], tuple[int, int]]


def turned(meaning: Meaning, turn: Turn) -> Meaning | None:
    """The moves of a piece with all vectors turned; facts are left out.

    None where that is no piece: files that wrap do not become ranks that wrap, and ways of
    castling and of running up to the middle of the board have their directions fixed.
    """
    parts = []
    for guard, automaton in meaning.parts:
        fixed = any(condition.kind in ("castle", "middle") for condition in guard)
        if fixed or (wraps(automaton.states) and turn[0][0] == 0):
            return None
        parts.append(Part(guard, _turned(automaton, turn)))
    return gather(parts)


def at(turn: Turn, dx: int, dy: int) -> tuple[int, int]:
    """Where a vector goes.

    >>> at(((-1, 0), (0, 1)), 1, 2)
    (-1, 2)
    """
    (a, b), (c, d) = turn
    return (a * dx + c * dy, b * dx + d * dy)


def _turned(automaton: Automaton, turn: Turn) -> Automaton:
    """Nothing but the vectors changes, so only the order of the states has to be found anew."""
    states: list[State] = [
        tuple((*at(turn, dx, dy), wrap, emit, passes) for dx, dy, wrap, emit, passes in state)
        for state in automaton.states
    ]
    return number(states)
