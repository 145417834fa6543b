"""Which pieces may immobilise others, for position strings that say so."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.game.compiled_variant import UNKNOWN_MOVE_COUNT, immobilises_in_arrival_order
from alfil.game.position import Position
from alfil.meaning.piece_meaning import Fact, Meaning, footprint_of
from alfil.squares import Square, square_seen_by
from alfil.tables.board_context import BoardContext
from alfil.tables.moves_with_effects import pieces_in_range


def immobiliser_targets_and_limits(
    position: Position, square: int
) -> Iterator[tuple[frozenset[int], int]]:
    """For each effect, the squares a piece may immobilise, and how many (0 for all)."""
    piece = position.board[square]
    for fact in position.compiled.effects[piece] if piece < position.compiled.wall else ():
        if fact.name == "immobilises" and immobilises_in_arrival_order(fact):
            yield frozenset(_pieces_in_range(position, square, fact)), int(str(fact.values[3]))


def _pieces_in_range(position: Position, square: int, fact: Fact) -> list[int]:
    """The squares of the pieces that an effect of the piece on a square reaches."""
    reach, side, *_ = fact.values
    assert isinstance(reach, Meaning)
    compiled, mover = position.compiled, (position.board[square] - 1) % 2
    scene = _board_context(position, square)
    x, y = scene.at
    body = footprint_of(compiled.kinds[(position.board[square] - 1) >> 1].meaning.facts)
    result = pieces_in_range(reach, scene, str(side), body)
    there = {
        compiled.square(square_seen_by(mover, (x + dx, y + dy), compiled.files, compiled.ranks))
        for dx, dy in result
    }
    return [
        at
        for at, piece in position.pieces
        if there & {*compiled.footprints.occupied_squares(piece, at)}
    ]


def _board_context(position: Position, square: int) -> BoardContext:
    """The position as the piece on a square sees it."""
    compiled, piece = position.compiled, position.board[square]
    mover, classes = (piece - 1) % 2, compiled.square_classes_by_piece[piece]

    def seen(at: int) -> Square:
        return square_seen_by(mover, compiled.file_and_rank(at), compiled.files, compiled.ranks)

    walls = [(at, there) for at, there in enumerate(position.board) if there == compiled.wall]
    others = [each for each in position.pieces if each[0] != square]
    contents = {seen(at): classes[there] for at, there in walls}
    contents |= {
        seen(at): classes[there]
        for one, there in others
        for at in compiled.footprints.occupied_squares(there, one)
    }
    unmoved = [seen(at) for at, _ in position.pieces if position.made[at] == 0]
    made = position.made[square]
    count = None if made == UNKNOWN_MOVE_COUNT else max(made, 0)
    past = (
        count,
        compiled.had_same_piece_behind_at_start(piece, square),
        True,
        position.turn_number(mover),
    )
    return BoardContext(compiled.files, compiled.ranks, seen(square), contents, unmoved, {}, *past)
