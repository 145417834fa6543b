"""Chu shogi against lishogi: counts of moves, moves that are legal or not, bare kings, repetition.

tests/cases/README.md says where the tables come from. lishogi counts a move over an empty square
once more for each such square.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

import pytest

import alfil
from agreeing import check, check_reasons
from alfil import Game, Opponent, Outcome
from alfil.exchange.protocol_notation import ProtocolNotation  # how programs write moves
from boards import rows
from gathering import every_row
from strategies import NIGHTLY

SIZE = 12
NEXT = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
# The directions of the first of two steps, as Black sees them, by piece.
TWO_STEPS = {
    **dict.fromkeys(("N", "+O"), NEXT),
    "+H": [(0, 1)],
    "+D": [(-1, 1), (1, 1)],
}
COUNTS = [row for _, row in rows("chu_counts.tsv")]
# A pass is written by its square here, and over another one there.
LEGAL = [row for _, row in rows("chu_legal.tsv") if row[2] != "6f6f"]


# Without kings, lishogi's positions are games that go on; with kings in corners nobody is bared.
TEXT = alfil.load("chu").source.text
UNBARED = alfil.loads(TEXT.replace("royal-capture,bare", "royal-capture"), name="chu")


def game_at(position: str) -> Game:
    """A game; kings are put on free squares without neighbours where lishogi has none."""
    board, *rest = position.split()
    missing = [king for king in "kK" if king not in board]
    if not missing:
        return alfil.load("chu").game(position)
    squares = [[*_squares(row)] for row in board.split("/")]
    for king in missing:
        rank, file = next(at for at in CORNERS if _is_lonely(squares, *at))
        squares[rank][file] = king
    return UNBARED.game(" ".join(("/".join(map(_row, squares)), *rest)))


CORNERS = [(0, 11), (11, 11), (11, 0), (0, 0), (3, 11), (8, 0), (0, 6), (11, 6), (4, 11)]


def _squares(row: str) -> Iterator[str]:
    for sign in re.findall(r"[0-9]+|\+?[a-zA-Z]", row):
        yield from [""] * int(sign) if sign.isdigit() else [sign]


def _row(squares: list[str]) -> str:
    runs = groupby(squares, key=bool)
    return "".join("".join(run) if full else str(len([*run])) for full, run in runs)


def _is_lonely(squares: list[list[str]], rank: int, file: int) -> bool:
    near = [row[max(0, file - 1) : file + 2] for row in squares[max(0, rank - 1) : rank + 2]]
    return not any(map(any, near))


def counted(game: Game, move: alfil.Move) -> int:
    """How often lishogi counts a move."""
    assert move.origin is not None
    if {*move.captures} - {move.target}:
        return 1
    ahead = 1 if game.side_to_move == 0 else -1
    (file, rank), direct = move.origin, move.target != move.origin
    total = int(direct)
    for x, y in TWO_STEPS.get(move.code, []):
        over = (file + x, rank + ahead * y)
        inside = 0 <= over[0] < SIZE and 0 <= over[1] < SIZE
        steps = (move.target[0] - over[0], move.target[1] - over[1])
        far = {(x, ahead * y), (-x, -ahead * y)}
        last = far if move.code in {"+H", "+D"} else NEXT
        total += inside and steps in last and game.piece_at(over) is None
    return total


def given(game: Game) -> list[alfil.Move]:
    """The legal moves, but those of kings that `game_at` has put there."""
    return [m for m in game.legal_moves if game.variant is not UNBARED.variant or m.code != "K"]


@every_row("position, count", COUNTS)
def test_lishogi_counts_as_many_moves(position: str, count: str) -> None:
    game = game_at(position)
    assert game.outcome() is None
    assert sum(counted(game, move) for move in given(game)) == int(count)


@every_row("position, played, move, legal", LEGAL)
def test_moves_are_legal_as_on_lishogi(position: str, played: str, move: str, legal: str) -> None:
    game = game_at(position)
    for each in played.split() if played != "-" else ():
        game.push(each)
    squares = re.findall(r"[0-9]+[a-l]", move)
    if len(squares) == 2 and game.piece_at(squares[1]):
        move = move.replace(squares[1], f"{squares[1]}x{squares[1]}")
    try:
        why = game.why_illegal(move)
    except alfil.NotationError as error:
        why = error
    assert (why is None) == (legal == "yes"), why


@pytest.mark.parametrize(
    ("depth", "count"), [(1, 36), (2, 1296), (3, 48_315), (4, 1_801_639)][: 4 if NIGHTLY else 3]
)
def test_first_moves(depth: int, count: int) -> None:
    assert alfil.load("chu").game().perft(depth) == count


def test_a_lion_is_not_exchanged() -> None:
    game = alfil.load("chu").game("11k/12/12/12/4B2l4/4S7/5N6/7n4/12/12/12/11K b - 1")
    why = game.why_illegal("7g5h")
    assert why is not None
    assert (why.code, why.words) == (
        "exchange",
        "the lion would exchange a piece that may not be exchanged",
    )
    assert str(game.push("8e5h")) == "8e5h"
    assert game.position_text().endswith(" w - 2 exchange=5h")


def test_positions_are_read_as_lishogi_writes_them() -> None:
    board = "11k/12/12/12/12/4r7/12/12/9n2/4+o7/12/6B4K b"
    given = alfil.load("chu").game(f"{board} 8j 1")
    assert given.position_text() == f"{board} - 1 exchange=8j"
    assert alfil.load("chu").game(given.position_text()).legal_moves == given.legal_moves
    assert given.key != alfil.load("chu").game(f"{board} - 1").key
    with pytest.raises(alfil.PositionError):
        alfil.load("shogi").game("4k4/9/9/9/9/9/9/9/4K4 b - 1 exchange=5e")


# From lishogi's tests: a position, moves, who has won: None for a draw, "" while the game goes on.
BARE = [
    ("12/12/12/12/6k5/4g7/4G7/6K5/12/12/12/12 b - 1", "8g8f", "b"),
    ("12/12/12/12/3I2k5/12/12/5+pK5/12/12/12/12 b - 1", "", ""),
    ("12/12/12/12/3I2k5/12/12/5+pK5/12/12/12/12 b - 1", "6h7h 6e7d", ""),
    ("12/12/12/12/3I2k5/12/12/5+pK5/12/12/12/12 b - 1", "6h7h 6e7d 9e9d+", "b"),
    ("1P3PP3P1/12/12/12/6k5/12/12/6K5/12/12/12/l10l b - 1", "", None),
    ("12/12/12/12/6k5/5g6/4G7/6K5/12/12/12/12 b - 1", "8g7f", ""),
    ("12/12/12/12/6k5/5g6/4G7/6K5/12/12/12/12 b - 1", "8g7f 6e7f", None),
    ("12/12/12/12/6k5/5g6/4G7/6K5/12/12/12/12 b - 1", "8g7f 6e6d", "b"),
    ("12/12/12/12/6k5/5K6/12/4G7/12/12/12/12 w - 1", "", ""),
]


@every_row("position, moves, winner", BARE)
def test_a_bare_king_loses_if_it_cannot_answer(
    position: str, moves: str, winner: str | None
) -> None:
    game = alfil.load("chu").game(position)
    for move in moves.split():
        game.push(move)
    assert game.outcome() == (None if winner == "" else Outcome(winner, "bare"))


def test_who_attacks_with_every_move_may_not_repeat() -> None:
    def ending(position: str, first: str, moves: str) -> Outcome | None:
        game = alfil.load("chu").game(position)
        game.push(first)
        for move in moves.split() * 4:
            if game.outcome() is None:
                game.push(move)
        return game.outcome()

    # The rook attacks the gold general wherever that goes, or goes to and fro elsewhere.
    board = "11k/12/3g8/12/12/12/12/12/12/12/2R9/11K b - 1"
    chase = ending(board, "10k9k", "9c8c 9k8k 8c9c 8k9k")
    assert chase == Outcome("w", "perpetual-attack")
    assert ending(board, "10k10l", "9c8c 10l10k 8c9c 10k10l") == Outcome(None, "repetition")


@pytest.mark.parametrize("name", ["chu", "dai", "wa", "tori", "yari"])
def test_random_games_end(name: str) -> None:
    games = 200 if NIGHTLY else 2
    found = alfil.simulate(alfil.load(name).game(), games, seed=1, longest=3000 if NIGHTLY else 300)
    assert found.games == games
    assert sum(found.ends.values()) + found.unfinished == games


def test_lions_agree_with_the_slow_rules() -> None:
    for position, _ in COUNTS[:: 1 if NIGHTLY else 40]:
        game = game_at(position)
        check(game)
        check_reasons(game)


def test_the_opponent_moves() -> None:
    game = alfil.load("chu").game()
    assert Opponent(game.variant, nodes=100).choose(game) in game.legal_moves


def test_lions_are_written_in_two_legs_for_programs_of_xboard() -> None:
    game = alfil.load("chu").game()
    spelling = ProtocolNotation(game.variant, "cecp")
    for text in ("f3f5", "a9a8", "f5f7", "a8a7", "f7f8", "a7a6"):
        game.push(text)
    moves = spelling.legal_moves_by_text(game)
    igui, on = moves["f8f9,f9f8"], moves["f8f9,f9g9"]
    assert (igui.target, igui.captures) == ((5, 7), ((5, 8),))
    assert (on.target, on.captures) == ((6, 8), ((5, 8), (6, 8)))
    passing = spelling.read(game, "@@@@")
    assert passing is not None
    assert (passing.origin, passing.target, passing.captures) == ((5, 7), (5, 7), ())
    assert spelling.write(game, passing) == "@@@@"
