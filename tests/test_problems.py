"""Chess problems: solutions beside a slow solver on python-chess, and stipulations."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import pytest

import alfil
from alfil.play.chess_problems import CHOOSES, IN_SERIES, MAY_END, Stipulation, read_stipulation
from strategies import NIGHTLY

CHESS = alfil.load("chess")
POSITIONS = 60 if NIGHTLY else 2
STIPULATIONS = (
    *("#1", "#2", "h#1.5", "h#2", "s#1", "s#2", "hs#1.5", "=2", "h=1.5", "ser-#3"),
    *("ser-h#2", "ser-s#2", "+1", "x2", "zd4 2", "t#2"),
)


def reached(board: chess.Board, goal: str, move: chess.Move, captures: bool) -> bool:  # noqa: FBT001
    return {
        "#": board.is_checkmate(),
        "=": board.is_stalemate(),
        "+": board.is_check(),
        "x": captures,
        "z": move.to_square == chess.D4,
    }[goal]


def leads(board: chess.Board, move: chess.Move, what: Stipulation, ply: int) -> bool:
    step, last = what.ply_flags[ply], ply + 1 == len(what.ply_flags)
    captures = board.is_capture(move)
    board.push(move)
    try:
        if what.kind == "tsume" and step & CHOOSES and not board.is_check():
            return False
        if step & MAY_END and reached(board, what.goal, move, captures):
            return True
        if last or (step & IN_SERIES and board.is_check()):
            return False
        if step & IN_SERIES:
            board.push(chess.Move.null())
        found = solvable(board, what, ply + 1)
        if step & IN_SERIES:
            board.pop()
        return found
    finally:
        board.pop()


def solvable(board: chess.Board, what: Stipulation, ply: int) -> bool:
    moves = list(board.legal_moves)
    found = (leads(board, move, what, ply) for move in moves)
    return any(found) if what.ply_flags[ply] & CHOOSES else bool(moves) and all(found)


def positions() -> Iterator[chess.Board]:
    """Positions of few pieces, the kings near to each other."""
    dice = random.Random(33)
    for _ in range(POSITIONS):
        board = chess.Board(None)
        while not board.is_valid() or not any(board.legal_moves):
            board = chess.Board(None)
            squares = iter(dice.sample(range(64), 9))
            board.set_piece_at(dice.choice([0, 1, 8, 63]), chess.Piece.from_symbol("k"))
            for symbol in ["K", *dice.sample("QRRBNPPprnb", 4)]:
                board.set_piece_at(next(squares), chess.Piece.from_symbol(symbol))
            board.turn = dice.random() < 0.7
            board.promoted = 0
        yield board


@pytest.mark.parametrize("text", STIPULATIONS)
def test_solutions_are_those_of_a_slow_solver(text: str) -> None:
    stipulation = read_stipulation(text)
    for board in positions():
        expected = {move.uci() for move in board.legal_moves if leads(board, move, stipulation, 0)}
        found = alfil.solve(CHESS.game(fen=board.fen()), text)
        assert {key.move.uci() for key in found.keys} == expected, board.fen()


def test_lines_of_help_play_and_trees_of_direct_play() -> None:
    help_play = alfil.solve(CHESS.game("7k/8/8/6K1/8/8/8/7R b"), "h#2")
    assert str(help_play) == "1.Kh8-g8 Kg5-f6  2.Kg8-f8 Rh1-h8 #"
    late = alfil.solve(CHESS.game("6k1/8/8/6K1/8/8/8/7R w"), "h#1.5")
    assert str(late) == "1...Kg5-f6  2.Kg8-f8 Rh1-h8 #"
    tree = alfil.solve(CHESS.game("7k/5K2/8/8/8/8/8/Q7 b"), "s#1")
    assert str(tree) == "no solution"
    direct = alfil.solve(CHESS.game("k7/8/2K5/8/8/8/8/7R w"), "#2", tries=True)
    assert str(direct).splitlines()[:2] == ["1.Rh1-a1 ?", "    but 1...Ka8-b8 !"]
    assert str(direct).splitlines()[-4:] == [
        "1.Kc6-b6 ! threat:",
        "        2.Rh1-h8 #",
        "1.Kc6-c7 ! threat:",
        "        2.Rh1-a1 #",
    ]


@pytest.mark.parametrize(
    "text", ["", "#", "#0", "q#2", "#2.5", "s#2.5", "ser-hs#2", "h#41", "z9 2"]
)
def test_what_is_no_stipulation_is_refused(text: str) -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        read_stipulation(text)
    assert caught.value.kind == "stipulation"


def test_more_work_than_allowed_is_refused() -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.solve(CHESS.game(), "#3", positions=500)
    assert caught.value.kind == "too-much-work"


ROYALS = """
board 12x12
piece K "king" betza=W royal
piece W "wazir" betza=W royal
setup mirrored
| K W W W W W W W W W W W |
| W W W W W W W W W W W W |
"""
# Few positions, and many solutions.
CHECKS = """
board 12x12
piece K "king" betza=W royal
piece Q "queen" betza=Q
setup first
| . . . . . . . . . . . . |
| Q . . . . . . . . . . . |
| K . Q . . . . . . . . . |
setup second
| K . . . . . . . . . . . |
"""


@pytest.mark.parametrize(
    ("pieces", "goal", "positions", "fewer"), [(ROYALS, "#2", 24, 100), (CHECKS, "h+1.5", 199, 200)]
)
def test_positions_count_as_several_where_they_take_as_long(
    pieces: str, goal: str, positions: int, fewer: int
) -> None:
    game = alfil.loads(pieces).game()
    with pytest.raises(alfil.AlfilError, match=f"more work than {fewer} positions") as caught:
        alfil.solve(game, goal, positions=fewer)
    assert caught.value.kind == "too-much-work"
    assert alfil.solve(game, goal, positions=1_000_000).positions == positions


@pytest.mark.parametrize("goal", ["hwin3", "hx3"])
def test_to_try_a_move_and_to_list_its_replies_is_work(goal: str) -> None:
    """In duck chess there are hundreds of either."""
    with pytest.raises(alfil.AlfilError, match="more work than 200 positions"):
        alfil.solve(alfil.load("duck").game(), goal, positions=200)


def test_a_solution_that_nobody_would_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alfil.play.chess_problems.MAX_SOLUTION_MOVES", 50)
    with pytest.raises(alfil.AlfilError, match="more than 50 moves") as caught:
        alfil.solve(alfil.loads(CHECKS).game(), "h+1.5")
    assert caught.value.kind == "too-much-work"


def test_drops_and_rules_of_other_games() -> None:
    tsume = alfil.load("shogi").game("8k/9/7GP/9/9/9/9/9/K8 b G")
    assert {str(key.move) for key in alfil.solve(tsume, "t#1").keys} == {
        *("G*1b", "G*2b", "2c1b", "1c1b+"),
    }
    three = alfil.load("three_check").game("4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1")
    found = {str(key.move) for key in alfil.solve(three, "win1").keys}
    assert found == {"a1a8"}


def test_what_is_known_of_a_position_holds_for_every_length_of_a_series() -> None:
    game = alfil.load("chess").game("8/8/8/8/8/8/k1p5/2K5 b - - 0 1")
    assert alfil.solve(game, "ser-h#30").positions < 20_000
