"""What the reason of an illegal move says of the piece in the way, and whether that is so."""

from __future__ import annotations

import random
import re

import pytest

import alfil
from alfil import Game

PIECES = """game "Ways"
board 8x8
rule first = white
rule win = mate
piece K "king" betza=K royal
piece R "rook" betza=R
piece C "cannon" betza=mRcpR
piece H "horse" betza=nN
piece G "griffon" betza=FyafsF
piece J "grasshopper" betza=gQ
piece T "archer" betza=mQcaibQ
piece D "draughtsman" betza=mWcafF
piece P "pawn" betza=fmWfcF
"""
GAME = alfil.loads(PIECES)
BOTH = ": its own pawn on a3 and the other side's pawn on a5"
SAID = [
    ("k7/8/8/8/8/8/P7/R6K", "a1a5", ": its own pawn on a2 is in the way"),
    ("k7/8/8/p7/8/8/8/R6K", "a1a6", ": the other side's pawn on a5 is in the way"),
    ("k7/8/8/p7/8/P7/8/R6K", "a1a6", f"{BOTH} are in the way"),
    ("k7/8/8/8/8/8/P7/H6K", "a1b3", ": its own pawn on a2 is in the way"),
    ("k7/8/8/8/8/8/8/H6K", "a1c3", ""),
    ("k7/8/8/8/3P4/8/8/2G4K", "c1d6", ": its own pawn on d4 is in the way"),
    ("k7/8/8/8/8/8/3P4/2G4K", "c1d6", ": its own pawn on d2 is in the way"),
    ("k7/8/8/p7/8/8/8/C6K", "a1a5", ": it does not capture there"),
    ("k7/8/8/p7/3P4/8/8/C6K", "a1a6", ": the other side's pawn on a5 is in the way"),
    ("k7/8/8/8/8/8/8/J6K", "a1a4", ": there is nothing to jump over"),
    ("k7/8/8/8/8/8/P7/7K", "a2b3", ": it goes there only to capture"),
    ("k7/8/8/8/8/p7/P7/7K", "a2a3", ": it does not capture there"),
    (
        "k7/8/8/2r5/2R5/2p5/2P5/2T4K",
        "c1c7",
        ": its own pawn on c2, the other side's pawn on c3, its own rook on c4 and the other side's"
        " rook on c5 are in the way",
    ),
    ("k7/8/8/8/8/8/8/D6K", "a1c3", ": there is nothing to capture on the way"),
]  # fmt: skip


@pytest.mark.parametrize(("board", "move", "words"), SAID)
def test_what_is_in_the_way_is_named(board: str, move: str, words: str) -> None:
    reason = GAME.game(f"{board} w - 1").why_illegal(move)
    assert reason is not None
    assert reason.code == "pattern"
    name = r"the [a-z]+ on [a-h][1-8] cannot go to [a-h][1-8]"
    assert re.sub(name, "", reason.words, count=1) == words


def test_castling_is_blocked_by_what_stands_between() -> None:
    assert words("chess", "4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "e1g1") == (
        "the king on e1 cannot go to g1: its own bishop on f1 is in the way"
    )


@pytest.mark.parametrize(
    ("board", "why"),
    [
        ("4k3/8/8/8/4q3/8/8/4K2R", "it does not castle out of check"),
        ("4k3/8/8/8/5q2/8/8/4K2R", "it would pass f1, where it could be captured"),
        ("4k3/8/8/8/8/8/6p1/4K2R", "it would pass f1, where it could be captured"),
    ],
)
def test_castling_out_of_check_or_through_it_is_called_that(board: str, why: str) -> None:
    """Nothing attacks g1 in these positions, where the king would stand after castling."""
    text = f"{board} w K - 0 1"
    assert words("chess", text, "e1g1") == f"the king on e1 cannot go to g1: {why}"
    into = words("chess", "4k3/8/8/8/6q1/8/8/4K2R w K - 0 1", "e1g1")
    assert into == "the move would leave your own royal in check"


def test_a_royal_that_its_own_capture_would_explode_is_lost_by_that() -> None:
    assert words("atomic", "4k3/8/8/8/8/3p4/3K4/8 w - 1", "d2d3") == (
        "the king on d2 cannot go to d3: the move would lose your own royal piece"
    )


def test_a_piece_left_behind_that_alone_would_end_a_check_is_named() -> None:
    board = "4k3/8/8/8/8/8/8/q2BK3"
    assert words("seirawan", f"{board} w H 1 m=d1:0", "d1e2/H") == (
        "the bishop on d1 cannot go to e2: the hawk left behind neither ends a check nor shields"
        " a royal"
    )
    assert words("seirawan", f"{board} w H 1 m=d1:0", "d1e2") == (
        "the move would leave your own royal in check"
    )


def test_in_a_game_without_drops_what_is_in_hand_is_not_dropped() -> None:
    assert words("seirawan", "start", "H@e4") == "this game has no drops"
    assert words("seirawan", "start", "Q@e4") == "this game has no drops"
    assert words("chess", "start", "N@e4") == "this game has no drops"


def test_a_gate_is_filled_from_the_hand() -> None:
    assert words("seirawan", "start", "b1c3/Q") == "no queen is in hand"
    assert words("chess", "start", "b1c3/Q") == (
        "the knight leaves no such piece on a square when it goes to c3"
    )


def test_a_wall_is_nobody_s_piece_and_is_in_the_way_as_one() -> None:
    """White's duck stands on e6."""
    text = "rnbqkbnr/pppppppp/4*3/8/4P3/8/PPPP1PPP/RNBQKBNR b - 2"
    assert words("duck", text, "e7e6/a3") == "the pawn on e7 cannot go to e6: there is a wall"
    assert words("duck", text, "a7e6/a3") == "the pawn on a7 cannot go to e6"
    assert words("duck", text, "e7e5/a3") == (
        "the pawn on e7 cannot go to e5: the wall on e6 is in the way"
    )


def test_what_a_piece_alone_does_not_capture_is_named() -> None:
    """A cannon of janggi captures no cannon; with a pawn there instead it would."""
    text = "4k4/9/9/4{}4/9/4p4/9/4C4/9/3K5 w - 1"
    assert words("janggi", text.format("c"), "e3e7") == (
        "the cannon on e3 cannot go to e7: it does not capture the cannon there"
    )
    assert alfil.load("janggi").game(text.format("p")).why_illegal("e3e7") is None


def test_what_has_nothing_to_become_is_told_so() -> None:
    """All that a pawn of grand chess may become is on the board, and it has to become something."""
    text = "4k5/6P3/10/10/10/10/10/10/1NBQKCABN1/R8R w - 1"
    assert words("grand", text, "g9g10") == (
        "the pawn on g9 cannot go to g10: its side already has every queen, marshal, cardinal,"
        " rook, bishop and knight it may have"
    )
    assert words("grand", text, "g9g10q") == (
        "the pawn has no such promotion when it goes from g9 to g10: its side already has"
        " every queen it may have"
    )


def test_other_captures_than_those_of_the_move_are_not_called_an_obstacle() -> None:
    game = GAME.game("k7/8/8/8/8/2p5/1p6/D6K w - 1")
    assert game.why_illegal("a1c3xb2xc3") is None
    reason = game.why_illegal("a1c3xb2")
    assert reason is not None
    assert reason.words == "the draughtsman on a1 cannot go to c3: not with these captures"


def words(name: str, position: str, move: str) -> str:
    game = alfil.load(name).game(*[position] * (position != "start"))
    reason = game.why_illegal(move)
    assert reason is not None
    return reason.words


def test_without_what_is_in_the_way_there_is_the_move() -> None:
    """Random positions: without all pieces that are named there is the move, with one there is not.

    A move that is there may still be illegal for what becomes of the king.
    """
    draw, several = random.Random(5), 0
    for _ in range(40):
        board = dict.fromkeys(draw.sample(range(64), 24), "")
        signs = [*"Kk", *draw.choices("RCHGJPTrchgjpt", k=22)]
        rows = [["1"] * 8 for _ in range(8)]
        for square, sign in zip(board, signs, strict=True):
            rows[square // 8][square % 8] = sign
        game = placed(rows)
        origin = draw.choice([s for s, (_, side) in game.pieces.items() if side == 0])
        for target in [*draw.sample(EVERY, 4), *draw.sample(far_in_line(origin), 3)]:
            text = game.square_name(origin) + game.square_name(target)
            named = in_the_way(game, text)
            if not named or any(rows[y][x] in "Kk" for x, y in named):
                continue
            several += len(named) > 1
            for kept in (None, *named) if len(named) > 1 else (None,):
                without = [row[:] for row in rows]
                for x, y in named:
                    without[y][x] = rows[y][x] if (x, y) == kept else "1"
                after = placed(without).why_illegal(text)
                goes = after is None or after.code != "pattern"
                assert goes == (kept is None), (game.position_text(), text, kept)
    assert several > 8


EVERY = [(x, y) for x in range(8) for y in range(8)]


def far_in_line(origin: tuple[int, int]) -> list[tuple[int, int]]:
    """The squares to which a queen would pass three others or more."""
    x, y = origin
    return [
        (u, v) for u, v in EVERY if abs(u - x) in {0, abs(v - y)} or v == y
        if max(abs(u - x), abs(v - y)) > 3
    ]  # fmt: skip


def in_the_way(game: Game, text: str) -> list[tuple[int, int]]:
    """The squares of the pieces that are named, as column and row of a position in text."""
    reason = game.why_illegal(text) if text[:2] != text[2:] else None
    if reason is None or " in the way" not in reason.words:
        return []
    squares = re.findall(r" on ([a-h])([1-8])", reason.words.partition(": ")[2])
    return [("abcdefgh".index(file), 8 - int(rank)) for file, rank in squares]


def placed(rows: list[list[str]]) -> Game:
    return GAME.game(f"{'/'.join(''.join(row) for row in rows)} w - 1")
