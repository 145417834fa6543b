"""Men as rows of self-play number them, and the columns that explain results by them.

A man on a square is piece × squares + square; men in hand follow these, by kind and side
(src/alfil/engine/selfplay.c).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable

from alfil.game.compiled_variant import CompiledVariant
from alfil.play.self_play import (
    ROW_GAME,
    ROW_HEADER_LENGTH,
    ROW_MEN,
    ROW_RESULT,
    PlayedGames,
    row_starts,
)
from alfil.workbench.logistic_regression import MEN_COLUMNS
from alfil.workbench.piece_facts import symmetries

LEFT_RIGHT = "left-right"


class PieceColumns:
    """The men of a game and their columns: those of kinds, of kinds in hand, of kinds on squares.

    The second side's men have the columns of the first side's, with the board turned. Where the
    moves of all pieces are the same on both sides, the board is ``folded``: squares that are
    mirrored have one column.
    """

    def __init__(self, compiled: CompiledVariant) -> None:
        self.kinds, self.size, self.files = len(compiled.kinds), compiled.size, compiled.files
        self.pieces = compiled.wall
        self.folded = all(LEFT_RIGHT in symmetries(kind.piece.meaning) for kind in compiled.kinds)
        # By square: that of the first side, left of the middle where the board is folded.
        own = [self._folded_square(square) for square in range(self.size)]
        self.squares = (own, [own[self.size - 1 - square] for square in range(self.size)])
        self._places = {square: place for place, square in enumerate(sorted(set(own)))}
        self.count = self.pieces * self.size + 2 * self.kinds
        self.columns = MEN_COLUMNS + self.kinds * (2 + len(self._places))

    def _folded_square(self, square: int) -> int:
        rank, file = divmod(square, self.files)
        return rank * self.files + min(file, self.files - 1 - file) if self.folded else square

    def expand_to_all_men(
        self, on_square: Callable[[int, int], int], in_hand: Callable[[int], int]
    ) -> array[int]:
        """Numbers by man, from those by kind and square of the first side, and by kind in hand.

        They are below 0 for the second side.
        """
        result = array("i", bytes(4 * self.count))
        for piece in range(1, self.pieces):
            kind, side = (piece - 1) >> 1, (piece - 1) & 1
            for square, own in enumerate(self.squares[side]):
                number = on_square(kind, own)
                result[piece * self.size + square] = -number if side else number
        for kind in range(self.kinds):
            first = self.pieces * self.size + kind
            result[first], result[first + self.kinds] = in_hand(kind), -in_hand(kind)
        return result

    def kind_column(self, kind: int, *, in_hand: bool = False) -> int:
        """The column of a kind on the board, or in hand."""
        return MEN_COLUMNS + kind + self.kinds * in_hand

    def square_column(self, kind: int, square: int) -> int:
        """The column of a kind on a square of the first side."""
        place = self._places[self.squares[0][square]]
        return MEN_COLUMNS + self.kinds * (2 + place) + kind

    def kind_column_by_man(self) -> array[int]:
        """By man, what `Columns` has of its kind."""
        first = 1 - MEN_COLUMNS
        return self.expand_to_all_men(
            lambda kind, _square: self.kind_column(kind) + first,
            lambda kind: self.kind_column(kind, in_hand=True) + first,
        )

    def square_column_by_man(self) -> array[int]:
        """By man, what `Columns` has of its kind on its square."""
        first = 1 - MEN_COLUMNS
        return self.expand_to_all_men(
            lambda kind, square: self.square_column(kind, square) + first, lambda _kind: 0
        )

    def ridge_penalties(self, of_kind: float, of_square: float) -> list[float]:
        """A ridge for all columns of the men: one for kinds, one for kinds on squares."""
        squares = self.columns - MEN_COLUMNS - 2 * self.kinds
        return [of_kind] * (2 * self.kinds) + [of_square] * squares

    def imbalance_game_counts(self, played: PlayedGames) -> Counter[int]:
        """By column of a kind, in how many games one side had more of it."""
        columns = self.kind_column_by_man()
        found: set[tuple[int, int]] = set()
        rows = played.rows
        for at in row_starts(rows):
            if not rows[at + ROW_RESULT]:
                continue
            more: Counter[int] = Counter()
            for man in rows[at + ROW_HEADER_LENGTH : at + ROW_HEADER_LENGTH + rows[at + ROW_MEN]]:
                column = columns[man]
                more[abs(column)] += 1 if column > 0 else -1
            found.update((rows[at + ROW_GAME], column) for column, number in more.items() if number)
        return Counter(MEN_COLUMNS + column - 1 for _, column in found)
