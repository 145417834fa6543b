"""What pieces take up: those of several squares stand on their own one and on others."""

from __future__ import annotations

from collections.abc import Sequence

from alfil.game.square_sections import AnchorSquareArea
from alfil.game.variant import PieceType
from alfil.meaning.piece_meaning import footprint_of
from alfil.tables.board_context import Offset


class PieceFootprints:
    """The squares that each piece of a game takes up.

    ``steps`` are those by piece, counted from its own, which is the first one; ``large`` is whether
    they are several, ``any`` whether they are for any piece.
    """

    def __init__(self, kinds: Sequence[PieceType], files: int, ranks: int) -> None:
        self._files, self._ranks = files, ranks
        steps: list[tuple[Offset, ...]] = [((0, 0),)]
        for kind in kinds:
            first = tuple(sorted(footprint_of(kind.meaning.facts)))
            steps += [first, tuple([(-x, -y) for x, y in first])]
        self.steps = steps
        self.large = [len(body) > 1 for body in steps]
        self.any = any(self.large)

    def occupied_squares(self, piece: int, square: int) -> list[int]:
        """The squares that a piece occupies when its own square is this one."""
        return [square + y * self._files + x for x, y in self.steps[piece]]

    def anchor_square_area(self, piece: int) -> AnchorSquareArea:
        """Where a piece may have its own square."""
        wide, high = (abs(each) for each in self.steps[piece][-1])
        west, south = (wide, high) if piece % 2 == 0 else (0, 0)
        return AnchorSquareArea(self._files - wide, self._ranks - high, west, south, self._files)

    def is_on_board(self, piece: int, square: int) -> bool:
        """Whether all that a piece takes up is on the board where its own square is one."""
        rank, file = divmod(square, self._files)
        return self.anchor_square_area(piece).number((file, rank)) >= 0

    def squares_with_all_inside(self, piece: int, area: int) -> int:
        """The own squares for which the whole piece is inside an area."""
        if not self.large[piece]:
            return area
        fitting = [s for s in range(self._files * self._ranks) if self.is_on_board(piece, s)]
        return sum(
            1 << s for s in fitting if all(area >> c & 1 for c in self.occupied_squares(piece, s))
        )

    def squares_with_part_inside(self, piece: int, area: int) -> int:
        """The own squares for which some part of the piece is inside an area."""
        everywhere = (1 << self._files * self._ranks) - 1
        return self.squares_with_all_inside(piece, everywhere) & ~self.squares_with_all_inside(
            piece, everywhere & ~area
        )
