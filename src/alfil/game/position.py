"""A position as texts tell it: what stands where, and what is remembered of earlier moves.

It is held twice: what stands on each square, and for each piece the set of its squares, an int of
one bit a square. A piece of several squares stands on its own one, and `Plan.cover` on the others
that it takes up. ``made`` counts the moves of the piece on each square, where moves depend on that.
The engine makes moves, on arrays of its own (`alfil.game.run`).
"""

from __future__ import annotations

from typing import TypeAlias

from alfil.game.plan import UNKNOWN, Plan, squares_in

Royals: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
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
        "own",
        "plan",
        "royals",
        "sets",
        "trail",
        "turn",
    )

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.board = [0] * plan.size
        # By piece, and by side, the squares on which they stand.
        self.sets = [0] * (plan.cover + 1)
        self.own = [0, 0]
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
        self.royals: Royals = ((), ())

    def copy(self) -> Position:
        """A position of its own with the same contents."""
        other = Position(self.plan)
        other.board, other.sets, other.own = self.board[:], self.sets[:], self.own[:]
        other.made = self.made[:]
        other.hands = [hand[:] for hand in self.hands]
        other.turn, other.number = self.turn, self.number
        other.trail, other.holds = dict(self.trail), self.holds
        other.checks, other.idle, other.royals = self.checks, self.idle, self.royals
        other.countdown = self.countdown
        return other

    def key(self) -> int:
        """A hash of board, hands and side to move, the same for the same position."""
        first, second = self.hands
        turns = self.plan.round
        # The same pieces are not the same position where other moves are due.
        phase = self.number % (len(self.hands) * turns) if turns > 1 else 0
        return hash((self.turn, phase, *self.board, *first, *second))

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
        for cell in self.plan.cells(piece, square):
            self.board[cell] = self.plan.cover
        self.board[square] = piece

    def settle(self) -> None:
        """Find what stands where, after the board was filled by hand."""
        board, bits, wall = self.board, self.plan.bits, self.plan.wall
        self.sets = sets = [0] * (self.plan.cover + 1)
        for square in filter(board.__getitem__, range(len(board))):
            sets[board[square]] |= bits[square]
        # No square is in two of the sets.
        self.own = [sum(sets[1:wall:2]), sum(sets[2:wall:2])]
        self.royals = (self._royals_of(0), self._royals_of(1))

    def _royals_of(self, side: int) -> tuple[int, ...]:
        there = 0
        for piece in self.plan.royal_pieces[side]:
            there |= self.sets[piece]
        if there & (there - 1):
            return tuple(squares_in(there))
        return (there.bit_length() - 1,) if there else ()
