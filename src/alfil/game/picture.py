"""Where a game stands, as a board to be drawn."""

from __future__ import annotations

from alfil.diagrams.pieces import tokens_of
from alfil.diagrams.subjects import Board, Held, OnBoard
from alfil.game.moves import Move
from alfil.game.position import Position


def board_of(position: Position, last: Move | None = None) -> Board:
    """The board of a position, the squares of the last move marked."""
    plan = position.plan
    variant, first = plan.variant, plan.rules.first
    standing = {each.code for each in variant.setup}
    standing |= {code for hand in variant.hands for code, _ in hand}
    tokens = tokens_of(plan.kinds, first, standing)
    pieces = tuple(
        OnBoard(plan.at(square), (piece - 1) % 2, tokens[plan.codes[piece]])
        for square, piece in enumerate(position.board)
        if piece
    )
    hands = [
        tuple(
            Held(tokens[kind.code], number)
            for kind, number in zip(plan.kinds, hand, strict=True)
            if number
        )
        for hand in position.hands
    ]
    shogi = first == "black"
    return Board(
        plan.files,
        plan.ranks,
        pieces,
        (hands[0], hands[1]),
        _squares(last) if last else (),
        "shogi" if shogi else "chess",
        position.turn,
        plan.rules.zone,
        variant.title,
        ("black", "white") if shogi else ("white", "black"),
    )


def _squares(ply: Move) -> tuple[tuple[int, int], ...]:
    """The squares of a move, those of a castling partner too."""
    squares = [ply.origin, ply.target, *(ply.partner or ())]
    return tuple(dict.fromkeys(each for each in squares if each is not None))
