"""Counting sequences of moves."""

from __future__ import annotations

from alfil.game.position import Act, Position
from alfil.game.swift import count_acts, legal_acts


def perft(position: Position, depth: int) -> int:
    """The number of sequences of ``depth`` legal moves from a position.

    A sequence stops where there is no move; how games end otherwise is not looked at, but for a
    captured royal.
    """
    if depth <= 0:
        return 1
    if depth == 1:
        return count_acts(position)
    return sum(divide(position, legal_acts(position), depth))


def divide(position: Position, acts: list[Act], depth: int) -> list[int]:
    """`perft`, for each of these moves."""
    counts = []
    for act in acts:
        undo = position.make(act)
        counts.append(perft(position, depth - 1))
        position.unmake(undo)
    return counts
