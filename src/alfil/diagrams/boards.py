"""What a picture of a board shows: pieces on squares, hands, the last move; as plain data.

Squares are (file, rank) from 0 at the first side's lower left corner. Shogi counts files from the
right and ranks by letter from the top; chess has letters for files from the left and counts ranks
from below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from alfil.diagrams.pieces import Token
from alfil.geometry import Coordinates, labels, shogi_name, square_name

Square: TypeAlias = tuple[int, int]


class Standing(NamedTuple):
    """A piece on the board: 0 is the first side, 1 the second."""

    square: Square
    side: int
    token: Token


class Held(NamedTuple):
    """So many pieces of one kind in a hand."""

    token: Token
    number: int


@dataclass(frozen=True, slots=True)
class Board:
    """A board to be drawn.

    ``hands`` are those of the first and the second side. ``marked`` are the squares of the last
    move. ``turn`` is the side to move, None to leave it out. ``zone`` is the number of ranks of the
    promotion zones, for the dots at their corners. ``sides`` are what the sides are called.
    """

    files: int
    ranks: int
    pieces: tuple[Standing, ...]
    hands: tuple[tuple[Held, ...], tuple[Held, ...]] = ((), ())
    marked: tuple[Square, ...] = ()
    coordinates: Coordinates = "shogi"
    turn: int | None = None
    zone: int = 0
    title: str = ""
    sides: tuple[str, str] = ("black", "white")

    @property
    def heading(self) -> str:
        """The title, or else what it is."""
        return self.title or f"{self.files}×{self.ranks} board"

    def name(self, square: Square) -> str:
        """What a square is called.

        >>> Board(9, 9, ()).name((4, 0)), Board(8, 8, (), coordinates="chess").name((4, 0))
        ('5i', 'e1')
        """
        file, rank = square
        if self.coordinates == "chess":
            return square_name(file, rank)
        return shogi_name(file, rank, self.files, self.ranks)

    def file_labels(self) -> list[str]:
        """The names of the files from left to right."""
        return labels(self.files, self.ranks, self.coordinates)[0]

    def rank_labels(self) -> list[str]:
        """The names of the ranks from the top down."""
        return labels(self.files, self.ranks, self.coordinates)[1][::-1]

    def words(self) -> str:
        """The whole board in words, for those who cannot see it.

        >>> Board(9, 9, (Standing((4, 0), 0, Token("K")),), turn=0).words()
        '9×9 board. black: K 5i. black to move.'
        """
        said = [f"{self.files}×{self.ranks} board."]
        for side, name in enumerate(self.sides):
            squares: dict[str, list[str]] = {}
            for each in self.pieces:
                if each.side == side:
                    squares.setdefault(each.token.code, []).append(self.name(each.square))
            parts = [f"{code} {' '.join(at)}" for code, at in squares.items()]
            hand = [
                held.token.code if held.number == 1 else f"{held.number} {held.token.code}"
                for held in self.hands[side]
            ]
            parts += [f"in hand {', '.join(hand)}"] if hand else []
            if parts:
                said.append(f"{name}: {'; '.join(parts)}.")
        if self.marked:
            said.append(f"Last move: {' '.join(map(self.name, self.marked))}.")
        if self.turn is not None:
            said.append(f"{self.sides[self.turn]} to move.")
        return " ".join(said)
