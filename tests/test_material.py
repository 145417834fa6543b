"""Positions that nobody can be mated in any more, compared with python-chess."""

from __future__ import annotations

from random import Random

import chess
import chess.variant
import pytest

import alfil
from strategies import NIGHTLY

BOARDS = {
    "chess": chess.Board,
    "chess960": chess.Board,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "three_check": chess.variant.ThreeCheckBoard,
}
DEAD = alfil.Outcome(None, "insufficient-material")
PIECES = (chess.BISHOP, chess.KNIGHT, chess.BISHOP, chess.QUEEN, chess.ROOK, chess.PAWN)


def _bare(chance: Random, board: chess.Board) -> chess.Board:
    """A legal position with a few pieces, most of them bishops."""
    while True:
        board.clear()
        squares = chance.sample(range(64), chance.choice((2, 3, 3, 4, 4, 5, 6)))
        few = PIECES[: chance.choice((1, 1, 2, 2, len(PIECES)))]
        board.set_piece_at(squares.pop(), chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares.pop(), chess.Piece(chess.KING, chess.BLACK))
        for square in squares:
            board.set_piece_at(square, chess.Piece(chance.choice(few), chance.random() < 0.5))
        board.turn = chance.random() < 0.5
        if board.is_valid() and any(board.legal_moves):
            return board


def _fen(board: chess.Board) -> str:
    return board.fen().replace(" 3+3 ", " ")


@pytest.mark.parametrize("name", BOARDS)
def test_the_same_positions_are_dead_as_in_python_chess(name: str) -> None:
    chance, library = Random(1), alfil.load(name)
    told: set[bool] = set()
    for _ in range(2_000 if NIGHTLY else 100):
        board = _bare(chance, BOARDS[name]())
        dead = board.is_insufficient_material()
        game = library.game(_fen(board))
        assert (game.outcome() == DEAD) == dead, board.fen()
        told.add(dead)
    assert told == {False, True}


@pytest.mark.parametrize("name", ["chess", "crazyhouse"])
def test_games_of_captures_end_at_the_same_move(name: str) -> None:
    """Random games in which whatever can be captured is: both sides agree after every move."""
    chance, library = Random(2), alfil.load(name)
    ended = 0
    for _ in range(200 if NIGHTLY else 4):
        board = chess.Board("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1")
        if name == "crazyhouse":
            board = _bare(chance, BOARDS[name]())
        game = library.game(_fen(board))
        while not board.is_game_over() and len(board.move_stack) < 120:
            moves = sorted(board.legal_moves, key=str)
            captures = [move for move in moves if board.is_capture(move)]
            move = chance.choice(captures or moves)
            board.push(move)
            game.push(move.uci())
            assert (game.outcome() == DEAD) == board.is_insufficient_material(), board.fen()
            if game.outcome():
                break
        ended += game.outcome() == DEAD
    assert ended


@pytest.mark.parametrize(
    ("name", "position", "dead"),
    [
        # An underpromotion, and a capture, lead there.
        ("chess", "8/P7/8/8/8/8/2k5/K7 w - - 0 1", False),
        # Two met, ferzes, of one colour are bound to it; a khon, a silver general, may mate.
        ("makruk", "7k/8/8/8/8/8/8/KM6 w - - 0 1", True),
        ("makruk", "7k/8/8/8/8/8/8/KM1M4 w - - 0 1", True),
        ("makruk", "7k/8/8/8/8/8/8/KMM5 w - - 0 1", False),
        ("makruk", "7k/8/8/8/8/8/8/KN6 w - - 0 1", True),
        ("makruk", "7k/8/8/8/8/8/8/KS6 w - - 0 1", False),
        ("capablanca", "9k/10/10/10/10/10/10/KB8 w - - 0 1", True),
        ("capablanca", "9k/10/10/10/10/10/10/KC8 w - - 0 1", False),
        ("los_alamos", "5k/6/6/6/6/KN4 w - - 0 1", True),
        # What is in hand may still be put down.
        ("seirawan", "7k/8/8/8/8/8/8/KN6[] w - - 0 1", True),
        ("crazyhouse", "7k/8/8/8/8/8/8/K7[N] w - - 0 1", True),
        ("crazyhouse", "7k/8/8/8/8/8/8/K7[NN] w - - 0 1", False),
        ("crazyhouse", "7k/8/8/8/8/8/8/K+N6[] w - - 0 1", False),
        # Castling from some squares only attacks nothing.
        ("placement", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1", True),
        ("placement", "4k3/8/8/8/8/8/8/4KN2[] w - - 0 1", True),
        ("placement", "4k3/8/8/8/8/8/8/4KR2[] w - - 0 1", False),
        ("placement", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", False),
        # Games that a king alone may win.
        ("king_of_the_hill", "7k/8/8/8/8/8/8/K7 w - - 0 1", False),
        ("racing_kings", "8/8/8/8/8/8/8/K6k w - - 0 1", False),
        ("shogi", "8k/9/9/9/9/9/9/9/K8 b - 1", False),
    ],
)
def test_it_is_told_in_other_games_where_it_is_certain(
    name: str, position: str, *, dead: bool
) -> None:
    library = alfil.load(name)
    game = library.game(position)
    assert (game.outcome() == DEAD) == dead


GAME = """
game "Small"
board 4x4
rule first = white
rule insufficient = draw
{rules}
piece K "king" betza={king} royal
piece A "man"  betza={man} {fields}
setup
| . . . . |
| . A . K |
"""


@pytest.mark.parametrize(
    ("changed", "dead"),
    [
        ({}, True),
        ({"man": "N"}, True),
        ({"man": "mNcA"}, True),
        # A king and a rook mate on any board.
        ({"man": "R"}, False),
        ({"man": "W"}, True),
        # Nothing is proved of pieces that hop, or that others cannot capture.
        ({"man": "mRcpR"}, False),
        ({"fields": "immune-to=K"}, False),
        ({"rules": "rule stalemate = loss"}, False),
        ({"rules": "rule must-capture = yes"}, False),
        ({"rules": "rule win = mate,bare"}, False),
        ({"rules": "rule win = mate,checks:3"}, False),
        # A king that captures and moves otherwise may check the other one unseen.
        ({"king": "WmF"}, False),
    ],
)
def test_it_is_derived_from_pieces_and_rules(changed: dict[str, str], *, dead: bool) -> None:
    said = {"king": "K", "man": "F", "fields": "", "rules": ""} | changed
    library = alfil.loads(GAME.format(**said))
    game = library.game("k3/4/4/1A1K w - - 0 1")
    assert (game.outcome() == DEAD) == dead


def test_a_dead_position_is_told_of_once_it_comes_about_and_can_be_played_on() -> None:
    game = alfil.load("chess").game("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    assert game.outcome() is None
    assert game.push("a7a8b").text == "a7a8b"
    assert (game.outcome(), game.legal_moves) == (DEAD, ())
    game.pop()
    assert game.outcome() is None
    game.push("a8=N")
    game.ignore_claimable_ends()
    assert (game.outcome(), len(game.legal_moves)) == (None, 3)


@pytest.mark.parametrize("clock", [100, 150])
def test_a_position_that_begins_at_the_limit_of_moves_has_ended(clock: int) -> None:
    fen = "7k/8/8/8/8/8/8/KR6 w - - {} 90"
    library = alfil.load("chess")
    assert library.game(fen.format(clock)).outcome() == alfil.Outcome(None, "move-limit")
    assert library.game(fen.format(99)).outcome() is None
    mated = f"R6k/8/7K/8/8/8/8/8 b - - {clock} 90"
    assert library.game(mated).outcome() == alfil.Outcome("w", "mate")


def test_games_that_white_begins_promote_as_in_chess_unless_they_say_otherwise() -> None:
    text = 'game "x"\nboard 3x3\nrule first = white\n{}\nzone promotion ranks=1\n'
    text += 'piece K "king" betza=K royal\n'
    text += "setup\n| K . . |\n"
    assert alfil.loads(text.format("")).variant.rules.promotion_when == "ends"
    assert alfil.loads(text.replace("white", "black").format("")).variant.rules.promotion_when == (
        "touches"
    )
    said = alfil.loads(text.format("rule promotion-when = touches"))
    assert said.variant.rules.promotion_when == "touches"
