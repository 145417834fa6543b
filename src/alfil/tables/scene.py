"""A board around one piece: its size, what stands where, and what the piece has done so far.

Squares are (file, rank) from 0 at the mover's near left corner; offsets are (dx, dy) from the
piece, forward is +y. A scene is always seen by the mover.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT
from alfil.meaning.piece import Guard, allows

__all__ = [
    "ENEMY",
    "FRIEND",
    "OUTSIDE",
    "ROYAL",
    "TRAIL",
    "VACANT",
    "Offset",
    "Scene",
    "Square",
]

Square: TypeAlias = tuple[int, int]
Offset: TypeAlias = tuple[int, int]

# Beside the classes of what stands on a square: there is none.
OUTSIDE = 32


@dataclass(frozen=True, slots=True)
class Scene:
    """One position as a single piece sees it.

    ``wraps`` is false for a plain diagram, whose edges are not those of a board. ``moves_made`` is
    the number of moves the piece has made, or None for "many". ``trail`` maps squares that can be
    captured on en passant to the squares of the pieces taken there. ``third_rank`` says whether,
    in the starting position, the same piece stood straight behind.
    """

    files: int
    ranks: int
    at: Square
    contents: Mapping[Square, int] = field(default_factory=dict)
    unmoved_friends: Collection[Square] = ()
    trail: Mapping[Square, Square] = field(default_factory=dict)
    moves_made: int | None = None
    third_rank: bool = False
    wraps: bool = True

    def holds(self, guard: Guard) -> bool:
        """Whether all conditions of a guard on the piece's own past hold; unknown counts as yes."""
        return allows(guard, self.moves_made, third_rank=self.third_rank)

    def partner(self, direction: int, steps: int, inset: int) -> Square | None:
        """The castling partner on one side, if it stands ready beyond ``steps`` squares.

        It is the first piece met, the mover's own, unmoved, and ``inset`` files in from the edge.
        """
        x, y = self.at
        edge = self.files - 1 - inset if direction > 0 else inset
        file = x + direction
        while 0 <= file < self.files:
            if self.contents.get((file, y), VACANT) not in {VACANT, TRAIL}:
                ready = file == edge and (file, y) in self.unmoved_friends
                return (file, y) if ready and abs(file - x) > steps else None
            file += direction
        return None
