"""Counts of move sequences in shogi, minishogi and chess, from piece files alone.

The counts come from pyffish and python-chess (tests/cases/README.md). ALFIL_HYPOTHESIS=nightly
counts everything to the depth the files give; otherwise the biggest counts are left out.
"""

from __future__ import annotations

import os
import random

import chess
import pytest
from _pytest.mark import ParameterSet

from alfil.game.game import Game
from boards import rows
from engine_games import bundled

NIGHTLY = os.environ.get("ALFIL_HYPOTHESIS") == "nightly"
AT_MOST = 10_000_000 if NIGHTLY else 150_000


def within(name: str, depths: int) -> list[ParameterSet]:
    """Every position with the deepest count that is not too big."""
    found = []
    for _, row in rows(name):
        counts = [int(count) for count in row[1 : depths + 1]]
        depth = max(depth for depth, count in enumerate(counts, 1) if count <= AT_MOST)
        found.append(pytest.param(row[0], depth, counts[depth - 1], id=row[0]))
    return found


@pytest.mark.parametrize(("position", "depth", "count"), within("shogi_perft.tsv", 3))
def test_shogi(position: str, depth: int, count: int) -> None:
    assert Game(bundled("shogi"), position).perft(depth) == count


@pytest.mark.parametrize(("position", "depth", "count"), within("minishogi_perft.tsv", 3))
def test_minishogi(position: str, depth: int, count: int) -> None:
    assert Game(bundled("minishogi"), position).perft(depth) == count


@pytest.mark.parametrize(("position", "depth", "count"), within("chess_perft.tsv", 4))
def test_chess(position: str, depth: int, count: int) -> None:
    assert Game(bundled("chess"), position).perft(depth) == count


@pytest.mark.parametrize("position", [row[0] for _, row in rows("chess_perft.tsv")])
def test_chess_moves_of_random_games(position: str) -> None:
    draw, board = random.Random(position), chess.Board(position)
    game = Game(bundled("chess"), position)
    for _ in range(60):
        theirs = sorted(str(move) for move in board.legal_moves)
        assert sorted(str(ply) for ply in game.legal_moves) == theirs
        assert game.is_check() == board.is_check()
        for text in (game.sfen(), board.fen()):
            assert Game(bundled("chess"), text).legal_moves == game.legal_moves
        if not theirs:
            break
        move = draw.choice(theirs)
        board.push_uci(move)
        game.push(move)
        if board.is_repetition(3):
            assert game.outcome().reason == "repetition"
            break
