"""The board as one piece sees it, whose side counts the squares from its own end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alfil.game.compiled_variant import UNKNOWN_MOVE_COUNT, CompiledVariant, EngineMove
from alfil.meaning.automaton import TRAIL
from alfil.squares import Square
from alfil.tables.board_context import BoardContext, Offset
from alfil.tables.move_generation import PieceMove

if TYPE_CHECKING:
    from slow_engine.position import Position


def trail_of(compiled: CompiledVariant) -> int:
    """What stands on vacant squares that can be captured on en passant, while moves are made."""
    return compiled.cover + 1


def seen_by(compiled: CompiledVariant, piece: int) -> list[int]:
    """The classes of all that stands on squares, as a piece sees them."""
    return [*compiled.square_classes_by_piece[piece], 0, TRAIL]


class View:
    """The board as one side sees it."""

    def __init__(self, compiled: CompiledVariant, side: int) -> None:
        self._compiled, self._side = compiled, side

    def turned(self, square: int) -> Square:
        """A square as the mover counts."""
        file, rank = self._compiled.file_and_rank(square)
        if self._side:
            return (self._compiled.files - 1 - file, self._compiled.ranks - 1 - rank)
        return (file, rank)

    def number(self, at: Square, offset: Offset) -> int:
        """The square at an offset from one as the mover counts."""
        x, y = at[0] + offset[0], at[1] + offset[1]
        if self._side:
            x, y = self._compiled.files - 1 - x, self._compiled.ranks - 1 - y
        return self._compiled.square((x, y))

    def scene(self, position: Position, square: int) -> BoardContext:
        """The position as the piece on a square sees it."""
        compiled = self._compiled
        classes = seen_by(compiled, position.board[square])
        none = (trail_of(compiled), compiled.cover)
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
        count = None if made == UNKNOWN_MOVE_COUNT else max(made, 0)
        third = compiled.had_same_piece_behind_at_start(position.board[square], square)
        # What the guard asks of the past has been looked at already.
        past = (count, third, True, position.turn_of(self._side))
        return BoardContext(
            compiled.files, compiled.ranks, self.turned(square), contents, unmoved, trail, *past
        )

    def act(self, piece: int, square: int, move: PieceMove) -> EngineMove:
        """A move found there, in numbers."""
        at = self.turned(square)
        captures = tuple(self.number(at, each) for each in move.captures)
        partner = tuple(self.number(at, each) for each in move.partner or ())
        trail = tuple(self.number(at, each) for each in move.trail)
        return EngineMove(piece, square, self.number(at, move.to), piece, captures, partner, trail)
