"""Counts of move sequences in shogi, minishogi and chess, from piece files alone.

The counts come from pyffish and python-chess (tests/cases/README.md).
"""

from __future__ import annotations

import random

import chess
import pytest

from alfil import Game
from boards import rows
from engine_games import bundled
from strategies import NIGHTLY

Row = tuple[str, list[int]]
# A fourth move in the open middle games of chess is millions of sequences of the kinds that three
# moves have already: castling, en passant, promotion and discovered checks are all within three.
MOST = 10_000_000 if NIGHTLY else 60_000


def table(name: str) -> list[Row]:
    """Positions with their counts, at depth 1 first."""
    return [(row[0], [int(n) for n in row[1:] if n.isdigit()]) for _, row in rows(name)]


def check(name: str, row: Row) -> None:
    """All depths of a position up to `MOST` sequences, and one depth at least."""
    game = Game(bundled(name), row[0])
    known = [count for count in row[1] if count <= MOST]
    assert known
    assert [game.perft(depth) for depth in range(1, len(known) + 1)] == known


@pytest.mark.parametrize("row", table("shogi_perft.tsv"), ids=lambda row: row[0])
def test_shogi(row: Row) -> None:
    check("shogi", row)


@pytest.mark.parametrize("row", table("minishogi_perft.tsv"), ids=lambda row: row[0])
def test_minishogi(row: Row) -> None:
    check("minishogi", row)


@pytest.mark.parametrize("row", table("chess_perft.tsv"), ids=lambda row: row[0])
def test_chess(row: Row) -> None:
    check("chess", row)


@pytest.mark.parametrize("position", [row[0] for _, row in rows("chess_perft.tsv")])
def test_chess_moves_of_random_games(position: str) -> None:
    draw, board = random.Random(position), chess.Board(position)
    game = Game(bundled("chess"), position)
    for _ in range(60):
        theirs = sorted(str(move) for move in board.legal_moves)
        assert sorted(str(each) for each in game.legal_moves) == theirs
        assert game.is_check() == board.is_check()
        for text in (game.position_text(), board.fen()):
            assert Game(bundled("chess"), text).legal_moves == game.legal_moves
        if not theirs:
            break
        move = draw.choice(theirs)
        board.push_uci(move)
        game.push(move)
        if board.is_repetition(3):
            assert game.outcome().reason == "repetition"
            break
