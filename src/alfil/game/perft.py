"""Counting sequences of moves."""

from __future__ import annotations

from alfil.game.boards import Board
from alfil.game.counting import counted
from alfil.game.flat import counted as flat_count
from alfil.game.outcome import lost_by
from alfil.game.position import Act, Position
from alfil.game.swift import board_of, legal_acts, listed


def perft(position: Position, depth: int) -> int:
    """The number of sequences of ``depth`` legal moves from a position.

    A sequence stops where there is no move, or a royal is captured; how games end otherwise is not
    looked at.
    """
    if depth <= 0:
        return 1
    board = board_of(position)
    if board is not None:
        return _fast(board, depth)
    count = flat_count(position, depth)
    if count is not None:
        return count
    acts = legal_acts(position)
    return len(acts) if depth == 1 else sum(divide(position, acts, depth))


def divide(position: Position, acts: list[Act], depth: int) -> list[int]:
    """`perft`, for each of these moves."""
    counts = []
    for act in acts:
        ended = lost_by(position, act.captures) is not None
        undo = position.make(act)
        counts.append(int(depth == 1) if ended else perft(position, depth - 1))
        position.unmake(undo)
    return counts


def _fast(board: Board, depth: int) -> int:
    if depth == 1:
        return counted(board)
    total = 0
    for act in listed(board):
        undo = board.make(act)
        total += _fast(board, depth - 1)
        board.unmake(act, undo)
    return total
