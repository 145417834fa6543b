"""The board as one piece sees it, whose side counts the squares from its own end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alfil.game.plan import UNKNOWN, Act, Plan
from alfil.meaning.automaton import TRAIL
from alfil.squares import Square
from alfil.tables.scene import Offset, Scene
from alfil.tables.walking import PieceMove

if TYPE_CHECKING:
    from slow_engine.position import Position


def trail_of(plan: Plan) -> int:
    """What stands on vacant squares that can be captured on en passant, while moves are made."""
    return plan.cover + 1


def seen_by(plan: Plan, piece: int) -> list[int]:
    """The classes of all that stands on squares, as a piece sees them."""
    return [*plan.views[piece], 0, TRAIL]


class View:
    """The board as one side sees it."""

    def __init__(self, plan: Plan, side: int) -> None:
        self._plan, self._side = plan, side

    def turned(self, square: int) -> Square:
        """A square as the mover counts."""
        file, rank = self._plan.at(square)
        if self._side:
            return (self._plan.files - 1 - file, self._plan.ranks - 1 - rank)
        return (file, rank)

    def number(self, at: Square, offset: Offset) -> int:
        """The square at an offset from one as the mover counts."""
        x, y = at[0] + offset[0], at[1] + offset[1]
        if self._side:
            x, y = self._plan.files - 1 - x, self._plan.ranks - 1 - y
        return self._plan.square((x, y))

    def scene(self, position: Position, square: int) -> Scene:
        """The position as the piece on a square sees it."""
        plan = self._plan
        classes = seen_by(plan, position.board[square])
        none = (trail_of(plan), plan.cover)
        pieces = {s: p for s, p in enumerate(position.board) if p and p not in none}
        contents = {
            self.turned(cell): classes[p]
            for s, p in pieces.items()
            for cell in position.cells(p, s)
            if s != square
        }
        unmoved = [self.turned(s) for s in pieces if position.made[s] == 0]
        mine = position.trail if self._side == position.turn else {}
        trail = {self.turned(s): self.turned(v) for s, v in mine.items()}
        made = position.made[square]
        count = None if made == UNKNOWN else max(made, 0)
        third = plan.third_rank(position.board[square], square)
        # What the guard asks of the past has been looked at already.
        past = (count, third, True, position.turn_of(self._side))
        return Scene(plan.files, plan.ranks, self.turned(square), contents, unmoved, trail, *past)

    def act(self, piece: int, square: int, move: PieceMove) -> Act:
        """A move found there, in numbers."""
        at = self.turned(square)
        captures = tuple(self.number(at, each) for each in move.captures)
        partner = tuple(self.number(at, each) for each in move.partner or ())
        trail = tuple(self.number(at, each) for each in move.trail)
        return Act(piece, square, self.number(at, move.to), piece, captures, partner, trail)
