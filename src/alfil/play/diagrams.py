"""Diagrams of a game in progress."""

from __future__ import annotations

from alfil.diagrams.board_ground import ground_of_board
from alfil.diagrams.diagram_model import Board, BoardPiece, Ground, HandPieceCount, NamedRegion
from alfil.diagrams.picture import Picture
from alfil.diagrams.piece_figures import tokens_by_code
from alfil.diagrams.themes import theme_by_name
from alfil.game.moves import Move
from alfil.game.position import Position
from alfil.game.variant import Variant
from alfil.squares import Square


def game_diagram(
    position: Position, walls: tuple[Square, ...], last: Move | None, theme: str
) -> Picture:
    """The board of a position, the squares of the last move marked; `AlfilError` for no theme."""
    return Picture(_board_with_move(position, walls, last), theme_by_name(theme))


def _board_with_move(position: Position, walls: tuple[Square, ...], last: Move | None) -> Board:
    compiled = position.compiled
    variant = compiled.variant
    standing = {each.code for each in variant.setup}
    standing |= {code for hand in variant.hands for code, _ in hand}
    tokens = tokens_by_code(compiled.kinds, compiled.rules, standing)
    pieces = tuple(
        BoardPiece(
            compiled.file_and_rank(square),
            (piece - 1) % 2,
            tokens[compiled.codes[piece]],
            tuple(
                map(compiled.file_and_rank, compiled.footprints.occupied_squares(piece, square)[1:])
            ),
        )
        for square, piece in position.pieces
    )
    hands = [
        tuple(
            HandPieceCount(tokens[kind.code], number)
            for kind, number in zip(compiled.kinds, hand, strict=True)
            if number
        )
        for hand in position.hands
    ]
    return Board(
        compiled.files,
        compiled.ranks,
        pieces,
        (hands[0], hands[1]),
        _move_squares(last) if last else (),
        compiled.rules.coordinates,
        position.turn,
        variant_ground(variant),
        variant.title,
        compiled.rules.side_names,
        walls,
        named_regions_of_variant(variant),
    )


def variant_ground(variant: Variant) -> Ground:
    """What the board of a game looks like."""
    starting = [(each.square, each.side) for each in variant.setup]
    return ground_of_board(
        variant, variant.kinds, variant.rules, named_regions_of_variant(variant), starting
    )


def named_regions_of_variant(variant: Variant) -> tuple[NamedRegion, ...]:
    """The regions of a game for its diagrams."""
    return tuple(NamedRegion(each.name, each.squares) for each in variant.regions)


def _move_squares(move: Move) -> tuple[tuple[int, int], ...]:
    """The squares of a move, those of a castling partner too."""
    squares = [move.origin, move.target, *(move.partner or ()), *move.turned]
    return tuple(dict.fromkeys(each for each in squares if each is not None))
