"""A position: the board, hands, side to move, and history that matters.

A piece of several squares stands on its own one, and `CompiledVariant.cover` on the others that it
takes up. ``made`` counts the moves of the piece on each square, where moves depend on that. The
engine makes moves, on arrays of its own (`alfil.game.engine_position`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from alfil.game.compiled_variant import SIDES, UNKNOWN_MOVE_COUNT, CompiledVariant

# The squares of pieces that hold others, each with that of a piece that it holds.
HeldSquares: TypeAlias = tuple[tuple[int, int], ...]


class Position:
    """A board with hands, the side to move, and the history that matters."""

    __slots__ = (
        "board",
        "checks",
        "compiled",
        "countdown",
        "exchanged",
        "hands",
        "holds",
        "idle",
        "made",
        "number",
        "trail",
        "turn",
    )

    def __init__(self, compiled: CompiledVariant) -> None:
        self.compiled = compiled
        self.board = [0] * compiled.size
        self.made = [UNKNOWN_MOVE_COUNT] * compiled.size
        self.hands = [[0] * len(compiled.kinds), [0] * len(compiled.kinds)]
        self.turn = 0
        self.number = 1
        self.trail: dict[int, int] = {}
        self.holds: HeldSquares = ()
        # Where the last move captured a piece that may not be exchanged, if not by such a piece.
        self.exchanged: int | None = None
        # The checks that either side had given when the position was read.
        self.checks = (0, 0)
        # The moves in a row without a capture or the like by then.
        self.idle = 0
        # In how many moves of both sides one must be mated by then, and how many of them were made.
        self.countdown = (0, 0)

    def turn_number(self, side: int) -> int:
        """The number of a side's turn, its next one if the other side is to move."""
        return (self.number + (side != self.turn) + 1) // len(self.hands)

    @property
    def pieces(self) -> list[tuple[int, int]]:
        """The squares on which pieces stand, each with its piece."""
        wall = self.compiled.wall
        return [(square, piece) for square, piece in enumerate(self.board) if 0 < piece < wall]

    def place_piece(self, square: int, piece: int) -> None:
        """Place a piece on the board, on all squares that it occupies."""
        for cell in self.compiled.footprints.occupied_squares(piece, square):
            self.board[cell] = self.compiled.cover
        self.board[square] = piece

    def squares_of(self, pieces: Iterable[int]) -> list[int]:
        """The squares on which some pieces stand."""
        board, result = self.board, list[int]()
        for piece in pieces:
            square = -1
            for _ in range(board.count(piece)):
                square = board.index(piece, square + 1)
                result.append(square)
        return result

    @property
    def royals(self) -> list[list[int]]:
        """The squares of either side's royal pieces."""
        return [sorted(self.squares_of(self.compiled.royal_pieces[side])) for side in SIDES]
