"""Regions that restrict a piece of a file, in words and as a meaning.

A piece that is kept to a palace, that moves otherwise in one, or that some pieces always block, is
more than its movement; this is what every picture and description of it has to add.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from alfil.diagrams.diagram_model import NamedRegion
from alfil.errors import join_words, with_article
from alfil.frozen_dataclasses import NamedTuple
from alfil.game.variant import FIRST, ZONE_REGION, PieceRestrictions, region_squares
from alfil.meaning.normal_form import union_of_meanings
from alfil.meaning.piece_meaning import Condition
from alfil.meaning.square_conditions import PieceSquare, meaning_under_condition, moves_ending_on
from alfil.squares import CoordinateSystem, Square, number_in_letters, square_ranges_text

if TYPE_CHECKING:
    from alfil.game.variant import Area, HasMeaning, PieceType, RegionMoves
    from alfil.meaning.piece_meaning import Meaning
    from alfil.tables.board_context import BoardContext

# Files and ranks of a board.
Size: TypeAlias = tuple[int, int]
# A square by its name or as (file, rank) from 0, None where nobody names one.
SquareOnBoard: TypeAlias = "str | Square | None"
NOT_IN_CHECK = Condition("unchecked")


def castling_words(partners: Iterable[str], files: Iterable[int]) -> str:
    """How a piece castles with others, named without an article, to files from 0.

    >>> castling_words(["rook"], (6, 2)).partition(":")[2]
    ' it goes to the g or c file, and the other to the square inside'
    """
    names = join_words([with_article(each) for each in partners])
    goals = " or ".join(map(number_in_letters, files))
    return (
        f"castles with {names}, when neither has moved and only they stand on the squares that "
        f"they pass: it goes to the {goals} file, and the other to the square inside"
    )


class PieceBounds(NamedTuple):
    """The restrictions of a piece type of the first player by regions and other pieces."""

    kind: PieceType
    restrictions: PieceRestrictions

    @property
    def coordinates(self) -> CoordinateSystem:
        """How squares are named in its file."""
        return self.restrictions.coordinates

    @property
    def _regions(self) -> list[Area]:
        """Those that bound the piece, and those of its further moves, each once."""
        kind = self.kind
        besides = (area for moves in kind.further for area in (moves.start, moves.end))
        return [*dict.fromkeys(area for area in (kind.within, kind.outside, *besides) if area)]

    def sentences(self, words: Callable[[HasMeaning], str]) -> Iterator[str]:
        """Sentences about regions, other pieces, and regional moves.

        ``words`` has those for a movement.
        """
        kind, restrictions = self
        if kind.within is not None:
            yield f"May only go to {_region_in_words(kind.within, restrictions)}."
        if kind.outside is not None:
            yield f"May not go to {_region_in_words(kind.outside, restrictions)}."
        for moves in kind.further:
            yield f"{_regional_moves_condition_words(moves, restrictions)}: {words(moves.piece)}"
        if restrictions.blocking:
            names_in_words = join_words(restrictions.blocking, "and")
            yield f"Can neither capture nor pass these pieces, nor hop over them: {names_in_words}."
        if restrictions.immune:
            yield f"Cannot capture these pieces: {join_words(restrictions.immune, 'and')}."
        if restrictions.not_jumped:
            names = join_words(restrictions.not_jumped, "and")
            yield f"Can neither jump over these pieces nor capture them by a jump: {names}."
        if restrictions.partners and kind.castles_to:
            words_of_castling = castling_words(restrictions.partners, kind.castles_to)
            yield f"{words_of_castling[0].upper()}{words_of_castling[1:]}."

    def piece_file_board_and_square(
        self, at: SquareOnBoard
    ) -> tuple[int, int, SquareOnBoard] | tuple[None, None, SquareOnBoard]:
        """The files and ranks of the file's board, and a square of it; an open diagram has none.

        The square is the one given, or where a piece of the first player begins, or else the first
        that it may stand on.
        """
        files, ranks, *_ = restrictions = self.restrictions
        if not (files and self._regions):
            return None, None, at
        begun = restrictions.begun or sorted(
            self._allowed_squares((files, ranks)), key=lambda at: at[::-1]
        )
        return files, ranks, next(iter(begun), (0, 0)) if at is None else at

    def meaning_in(self, board: BoardContext | None) -> Meaning | None:
        """The meaning of the piece on its square of a board, or in an open diagram.

        None where its areas are not there: regions are on the board of its file only.
        """
        kind = self.kind
        if not self._regions:
            return union_of_meanings(
                [kind.meaning, *(_meaning_of_regional_moves(each) for each in kind.further)]
            )
        if board is None:
            return None
        location, size = PieceSquare(board.at, board.files, board.ranks), (board.files, board.ranks)
        try:
            room = self._allowed_squares(size)
            result = [moves_ending_on(kind.meaning, location, room)]
            for moves in kind.further:
                if moves.start is None or board.at in self._squares_of_area(moves.start, size):
                    ends = (
                        room if moves.end is None else room & self._squares_of_area(moves.end, size)
                    )
                    result.append(
                        moves_ending_on(_meaning_of_regional_moves(moves), location, ends)
                    )
        except KeyError:
            return None
        return union_of_meanings(result)

    def outlined_regions(self, size: Size) -> tuple[NamedRegion, ...]:
        """The areas on a board that has them."""
        result = (
            (_region_name(area, size[1]), self._squares_of_area(area, size))
            for area in self._regions
        )
        return tuple(NamedRegion(name, (squares, squares)) for name, squares in result)

    def _allowed_squares(self, size: Size) -> frozenset[Square]:
        """The squares that the piece may stand on."""
        kind = self.kind
        result = self._squares_of_area(kind.within or (1, size[1]), size)
        return result - self._squares_of_area(kind.outside, size) if kind.outside else result

    def _squares_of_area(self, area: Area, size: Size) -> frozenset[Square]:
        files, ranks, zone, _, regions, *_ = self.restrictions
        return region_squares(area, FIRST, size, zone, regions if size == (files, ranks) else ())


def _meaning_of_regional_moves(moves: RegionMoves) -> Meaning:
    """Further moves, with the condition that they have."""
    meaning = moves.piece.meaning
    return meaning_under_condition(meaning, NOT_IN_CHECK) if moves.unchecked else meaning


def _regional_moves_condition_words(moves: RegionMoves, restrictions: PieceRestrictions) -> str:
    """When a piece has more moves."""
    start, end = moves.start, moves.end
    if start is not None and start == end:
        result = f"inside {_region_in_words(start, restrictions)}"
    else:
        source = f"from {_region_in_words(start, restrictions)}" if start is not None else ""
        target = f"to {_region_in_words(end, restrictions)}" if end is not None else ""
        result = " ".join(filter(None, [source, target]))
    when = "while its side is not in check" if moves.unchecked else ""
    return " ".join(filter(None, ["Moves in addition", result, when]))


def _region_in_words(area: Area, restrictions: PieceRestrictions) -> str:
    """An area in words: ranks counted from the side of the piece, or a region with its squares."""
    name = _region_name(area, restrictions.ranks)
    if not isinstance(area, str):
        return f"{name} of its side"
    region = next((each for each in restrictions.regions if each.name == area), None)
    if region is None:
        return f"the {name}"
    board = restrictions.files, restrictions.ranks, restrictions.coordinates
    first, second = (square_ranges_text(squares, *board) for squares in region.squares)
    both = "" if first == second else f"; {second} for the other side"
    return f"the region {area} ({first}{both})"


def _region_name(area: Area, ranks: int) -> str:
    """What an area is called on a board of so many ranks, 0 where there is no board."""
    if isinstance(area, str):
        return "promotion zone" if area == ZONE_REGION else area
    first, last = area[0], min(area[1], ranks or area[1])
    return f"rank {first}" if first == last else f"ranks {first} to {last}"
