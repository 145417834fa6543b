"""The board as one side's pieces see it: what the walks over automata need of a position."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from alfil.game.plan import UNKNOWN, Act, Plan
from alfil.squares import Square
from alfil.tables.scene import Offset, Scene
from alfil.tables.walking import PieceMove

# The squares of pieces that hold others, each with that of a piece that it holds.
Holds: TypeAlias = tuple[tuple[int, int], ...]


class Standing(Protocol):
    """What a view needs of a position: what stands where, and what is remembered of it."""

    plan: Plan
    board: list[int]
    made: list[int]
    trail: dict[int, int]
    turn: int
    holds: Holds

    def turn_of(self, side: int) -> int:
        """The number of a side's turn, its next one if the other side is to move."""
        ...


class View:
    """The board as one side sees it."""

    def __init__(self, plan: Plan, side: int) -> None:
        self._plan = plan
        self._side = side

    def turned(self, square: int) -> Square:
        """A square as the mover counts."""
        file, rank = self._plan.at(square)
        if self._side:
            return (self._plan.files - 1 - file, self._plan.ranks - 1 - rank)
        return (file, rank)

    def scene(self, position: Standing, square: int) -> Scene:
        """The position as the piece on a square sees it."""
        plan = self._plan
        classes = plan.views[position.board[square]]
        pieces = {s: p for s, p in enumerate(position.board) if p and p != plan.mark}
        contents = {self.turned(s): classes[p] for s, p in pieces.items() if s != square}
        unmoved = [self.turned(s) for s in pieces if position.made[s] == 0]
        mine = position.trail if self._side == position.turn else {}
        trail = {self.turned(s): self.turned(v) for s, v in mine.items()}
        # The guard has been looked at already, so whatever it asks of the past is granted.
        at = self.turned(square)
        made = position.made[square]
        count = None if made == UNKNOWN else max(made, 0)
        third = plan.third_rank(position.board[square], square)
        past = (count, third, True, position.turn_of(self._side))
        return Scene(plan.files, plan.ranks, at, contents, unmoved, trail, *past)

    def number(self, at: Square, offset: Offset) -> int:
        """The square at an offset from one as the mover counts."""
        x, y = at[0] + offset[0], at[1] + offset[1]
        if self._side:
            x, y = self._plan.files - 1 - x, self._plan.ranks - 1 - y
        return self._plan.square((x, y))

    def act(self, piece: int, square: int, at: Square, move: PieceMove) -> Act:
        """A move found there, in numbers."""

        def number(offset: Offset) -> int:
            return self.number(at, offset)

        return Act(
            piece,
            square,
            number(move.to),
            piece,
            tuple(map(number, move.captures)),
            tuple(map(number, move.partner)) if move.partner else (),
            tuple(map(number, move.trail)),
        )
