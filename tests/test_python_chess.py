"""python-chess as a live oracle: how the pieces of chess attack, and all that a pawn does."""

from __future__ import annotations

import random

import chess
import pytest

import alfil

SEED = 64
CHESS = {
    chess.KNIGHT: "N",
    chess.BISHOP: "B",
    chess.ROOK: "R",
    chess.QUEEN: "Q",
    chess.KING: "K",
}


def names(squares: chess.SquareSet) -> set[str]:
    return {chess.square_name(square) for square in squares}


@pytest.mark.parametrize("kind", CHESS)
def test_attacks_of_python_chess(kind: chess.PieceType) -> None:
    draw = random.Random(SEED + kind)
    for _ in range(40):
        board = chess.Board(None)
        crowd = draw.sample(chess.SQUARES, draw.randrange(1, 33))
        for square in crowd:
            board.set_piece_at(square, chess.Piece(chess.PAWN, draw.random() < 0.5))
        at = crowd[0]
        board.set_piece_at(at, chess.Piece(kind, chess.WHITE))
        friends = board.occupied_co[chess.WHITE] & ~chess.BB_SQUARES[at]
        expected = names(board.attacks(at) & ~board.occupied_co[chess.WHITE])
        moves = alfil.moves(
            CHESS[kind],
            files=8,
            ranks=8,
            at=chess.square_name(at),
            enemies=names(chess.SquareSet(board.occupied_co[chess.BLACK])),
            friends=names(chess.SquareSet(friends)),
        )
        assert landing(at, moves) == expected


def landing(at: chess.Square, moves: frozenset[alfil.PieceMove]) -> set[str]:
    file, rank = chess.square_file(at), chess.square_rank(at)
    return {chess.square_name(chess.square(file + x, rank + y)) for x, y in (m.to for m in moves)}


def played(seed: int, plies: int) -> chess.Board:
    """A game of random moves, pawns preferred, always shown with White to move.

    Every second game stops where a pawn can be taken en passant. A board with Black to move is
    turned over; pawns do not tell left from right.
    """
    draw = random.Random(seed)
    board = chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        pawns = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
        board.push(draw.choice(pawns if pawns and draw.random() < 0.7 else moves))
        if seed % 2 and board.has_pseudo_legal_en_passant():
            break
    return board if board.turn else board.mirror()


def pawn_moves(board: chess.Board, at: chess.Square) -> frozenset[alfil.PieceMove]:
    others = board.occupied_co[chess.WHITE] & ~chess.BB_SQUARES[at]
    trail: dict[str, str] = {}
    if board.ep_square is not None:
        trail = {chess.square_name(board.ep_square): chess.square_name(board.ep_square - 8)}
    return alfil.moves(
        "fmWfceFifmnD",
        files=8,
        ranks=8,
        at=chess.square_name(at),
        enemies=names(chess.SquareSet(board.occupied_co[chess.BLACK])),
        friends=names(chess.SquareSet(others)),
        unmoved=chess.square_rank(at) == 1,
        en_passant=trail,
    )


def test_pawns_of_python_chess() -> None:
    seen = {"double": 0, "en passant": 0, "capture": 0}
    for seed in range(60):
        board = played(seed, 4 + seed % 23)
        for at in board.pieces(chess.PAWN, chess.WHITE):
            ours = pawn_moves(board, at)
            moves = [move for move in board.pseudo_legal_moves if move.from_square == at]
            assert landing(at, ours) == {chess.square_name(move.to_square) for move in moves}
            for move in moves:
                seen["double"] += move.to_square - at == 16
                seen["capture"] += board.is_capture(move)
                if board.is_en_passant(move):
                    seen["en passant"] += 1
                    side = chess.square_file(move.to_square) - chess.square_file(at)
                    assert [one.captures for one in ours if one.to == (side, 1)] == [((side, 0),)]
    assert min(seen.values()) >= 3, seen
