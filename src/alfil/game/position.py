"""A position as texts tell it: what stands where, and what is remembered of earlier moves.

A piece of several squares stands on its own one, and `Plan.cover` on the others that it takes up.
``made`` counts the moves of the piece on each square, where moves depend on that. The engine makes
moves, on arrays of its own (`alfil.game.run`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from alfil.game.plan import SIDES, UNKNOWN, Plan

# The squares of pieces that hold others, each with that of a piece that it holds.
Holds: TypeAlias = tuple[tuple[int, int], ...]


class Position:
    """A board with hands, the side to move, and what is remembered of earlier moves."""

    __slots__ = (
        "board",
        "checks",
        "countdown",
        "hands",
        "holds",
        "idle",
        "made",
        "number",
        "plan",
        "trail",
        "turn",
    )

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.board = [0] * plan.size
        self.made = [UNKNOWN] * plan.size
        self.hands = [[0] * len(plan.kinds), [0] * len(plan.kinds)]
        self.turn = 0
        self.number = 1
        self.trail: dict[int, int] = {}
        self.holds: Holds = ()
        # The checks that either side had given when the position was read.
        self.checks = (0, 0)
        # The moves in a row without a capture or the like by then.
        self.idle = 0
        # In how many moves of both sides one must be mated by then, and how many of them were made.
        self.countdown = (0, 0)

    def turn_of(self, side: int) -> int:
        """The number of a side's turn, its next one if the other side is to move."""
        return (self.number + (side != self.turn) + 1) // len(self.hands)

    @property
    def standing(self) -> list[tuple[int, int]]:
        """The squares on which pieces stand, each with its piece."""
        wall = self.plan.wall
        return [(square, piece) for square, piece in enumerate(self.board) if 0 < piece < wall]

    def put(self, square: int, piece: int) -> None:
        """Have a piece stand on a square, with all that it takes up."""
        for cell in self.plan.bodies.cells(piece, square):
            self.board[cell] = self.plan.cover
        self.board[square] = piece

    def squares_of(self, pieces: Iterable[int]) -> list[int]:
        """The squares on which some pieces stand."""
        board, found = self.board, list[int]()
        for piece in pieces:
            square = -1
            for _ in range(board.count(piece)):
                square = board.index(piece, square + 1)
                found.append(square)
        return found

    @property
    def royals(self) -> list[list[int]]:
        """The squares of either side's royal pieces."""
        return [sorted(self.squares_of(self.plan.royal_pieces[side])) for side in SIDES]
