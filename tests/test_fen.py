"""FEN out of games: read by python-chess as the same position, and by alfil too."""

from __future__ import annotations

import random

import chess
import chess.variant
import pytest

import alfil
from strategies import NIGHTLY

GAMES = {
    "chess": chess.Board,
    "crazyhouse": chess.variant.CrazyhouseBoard,
    "atomic": chess.variant.AtomicBoard,
    "racing_kings": chess.variant.RacingKingsBoard,
    "horde": chess.variant.HordeBoard,
    "antichess": chess.variant.AntichessBoard,
    "three_check": chess.variant.ThreeCheckBoard,
}
PLACES = 10 if NIGHTLY else 3  # random games of each kind, up to so many moves each
MOVES = 120


@pytest.mark.parametrize("name", GAMES)
def test_python_chess_reads_every_fen_as_the_same_position(name: str) -> None:
    library, chance = alfil.load(name), random.Random(name)
    for _ in range(PLACES):
        game = library.game()
        for _ in range(MOVES):
            if game.is_game_over():
                break
            _alike(game, GAMES[name](game.fen()))
            assert library.game(game.fen()).fen() == game.fen()
            move = chance.choice(game.legal_moves)
            game.push_san(game.san(move)) if chance.random() < 0.5 else game.push_uci(move.uci())
            assert game.moves[-1] == move


def _alike(game: alfil.Game, board: chess.Board) -> None:
    """The other program has the same moves, checks and text of the position."""
    assert board.fen() == game.fen()
    moves = {move.uci(): move for move in game.legal_moves}
    assert {*map(chess.Move.uci, board.legal_moves)} == {*moves}
    assert board.is_check() == game.is_check()
    assert [*board.checkers()] == sorted(x + 8 * y for x, y in game.checkers())
    for text, move in moves.items():
        if not move.is_drop:
            # Where a move wins, the other program marks mate only.
            assert board.san(chess.Move.from_uci(text)).rstrip("+#") == game.san(move).rstrip("+#")
            break


@pytest.mark.parametrize(
    ("rights", "written", "shredder"),
    [("HAha", "KQkq", "HAha"), ("Hq", "Kq", "Ha"), ("-", "-", "-"), ("Ak", "Qk", "Ah")],
)
def test_castling_rights_may_be_letters_of_files(rights: str, written: str, shredder: str) -> None:
    text = "r3k2r/8/8/8/8/8/8/R3K2R w {} - 0 1"
    game = alfil.load("chess").game(text.format(rights))
    assert game.fen() == text.format(written)
    assert game.fen(shredder=True) == text.format(shredder)


def test_rights_name_the_file_where_kqkq_would_not_do() -> None:
    library = alfil.load("chess960")
    text = "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"
    assert library.game(text).fen() == text
    assert chess.Board(text, chess960=True).fen() == text


@pytest.mark.parametrize(
    ("name", "rights", "file"),
    [("chess", "Dk", "d"), ("chess960", "HAb", "b"), ("chess960", "G", "g")],
)
def test_a_right_that_no_partner_has_is_an_error(name: str, rights: str, file: str) -> None:
    with pytest.raises(alfil.PositionError, match=f"file {file}"):
        alfil.load(name).game(f"r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1")


@pytest.mark.parametrize("name", ["chess", "chess960"])
@pytest.mark.parametrize("rights", ["Q", "KQ", "K", "-"])
def test_a_wing_is_that_side_of_the_king(name: str, rights: str) -> None:
    text = f"4k3/8/8/8/8/8/8/4K2R w {rights} - 0 1"
    board = chess.Board(text, chess960=True)
    assert alfil.load(name).game(text).fen() == board.fen()


def test_an_en_passant_square_is_written_where_a_move_captures_there() -> None:
    game = alfil.load("chess").game()
    game.push("e2e4")
    assert " - 0 1" in game.fen()
    game = alfil.load("chess").game("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1")
    game.push("e2e4")
    assert game.fen() == "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("shogi", None, "White moves first"),
        ("chess", "4k3/8/8/8/8/8/P7/4K3 w - 1 m=a2:-", "have moved"),
    ],
)
def test_what_fen_cannot_say_is_an_error(name: str, text: str | None, why: str) -> None:
    with pytest.raises(alfil.AlfilError, match=why) as caught:
        alfil.load(name).game(text).fen()
    assert caught.value.kind == "no-fen"


def test_fen_cannot_say_which_piece_may_not_be_exchanged() -> None:
    game = alfil.loads(
        """
board 4x4
rule  first = white
rule  no-exchange = L
piece K "king" betza=K royal
piece L "lion" betza=Q
piece R "rook" betza=R
setup
| R . L K |
"""
    ).game("k1r1/1l1l/4/1LRK w - 1 exchange=c4")
    with pytest.raises(alfil.RuleError, match="may not be exchanged") as caught:
        game.fen()
    assert caught.value.kind == "no-fen"


@pytest.mark.parametrize(
    "text",
    [
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq -",
        "4k3/8/8/8/8/8/8/4KR2 w - -",
    ],
)
def test_four_fields_are_fen_without_clocks(text: str) -> None:
    game, board = alfil.load("chess").game(text), chess.Board(text)
    assert game.fen() == board.fen()
    assert {str(move) for move in game.legal_moves} == {move.uci() for move in board.legal_moves}


def test_results_are_those_of_pgn() -> None:
    game = alfil.load("chess").game()
    assert (game.result(), game.is_game_over()) == ("*", False)
    for move in ("f3", "e5", "g4", "Qh4#"):
        game.push_san(move)
    assert (game.result(), game.is_game_over()) == ("0-1", True)
    with pytest.raises(alfil.IllegalMove) as caught:
        game.push_uci("a2a3")
    assert caught.value.kind == "game-over"


@pytest.mark.parametrize("text", ["Nf3", "e2 e4", "", "0000"])
def test_uci_is_read_alone(text: str) -> None:
    with pytest.raises(alfil.NotationError):
        alfil.load("chess").game().push_uci(text)


@pytest.mark.parametrize("text", ["e1h1", "e1g1"])
def test_uci_castles_in_both_manners(text: str) -> None:
    game = alfil.load("chess").game("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert game.push_uci(text).partner == ((7, 0), (5, 0))


def test_uci_tells_castling_from_a_step_to_the_same_square() -> None:
    fen = "1k6/8/8/8/8/8/8/RK6 w A - 0 1"
    game = alfil.load("chess960").game(fen)
    (castling,) = (each for each in game.legal_moves if each.partner)
    assert castling.uci() == "b1a1"
    board = chess.Board(fen, chess960=True)
    assert {each.uci() for each in game.legal_moves} == {each.uci() for each in board.legal_moves}
    assert game.push_uci("b1a1") == castling


@pytest.mark.parametrize("text", ["g1-f3", "N-f3", ""])
def test_san_is_read_alone(text: str) -> None:
    with pytest.raises(alfil.NotationError):
        alfil.load("chess").game().push_san(text)
