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
]  # fmt: skip


@pytest.mark.parametrize(("board", "move", "words"), SAID)
def test_what_is_in_the_way_is_named(board: str, move: str, words: str) -> None:
    reason = GAME.game(f"{board} w - 1").why_illegal(move)
    assert reason is not None
    assert reason.code == "pattern"
    name = r"the [a-z]+ on [a-h][1-8] cannot go to [a-h][1-8]"
    assert re.sub(name, "", reason.words, count=1) == words


def test_castling_is_blocked_by_what_stands_between() -> None:
    game = alfil.load("chess").game("4k3/8/8/8/8/8/8/4KB1R w K - 0 1")
    reason = game.why_illegal("e1g1")
    assert reason is not None
    assert reason.words.endswith(": its own bishop on f1 is in the way")


def test_without_what_is_in_the_way_there_is_the_move() -> None:
    """Random positions: a single piece that is named is taken off, and the reason is another."""
    draw, named = random.Random(5), 0
    for _ in range(60):
        board = dict.fromkeys(draw.sample(range(64), 16), "")
        signs = [*"Kk", *draw.choices("RCHGJPrchgjp", k=14)]
        rows = [["1"] * 8 for _ in range(8)]
        for square, sign in zip(board, signs, strict=True):
            rows[square // 8][square % 8] = sign
        game = placed(rows)
        origin = draw.choice([s for s, (_, side) in game.pieces.items() if side == 0])
        for target in draw.sample(range(64), 8):
            text = game.name(origin) + game.name((target % 8, target // 8))
            reason = game.why_illegal(text) if text[:2] != text[2:] else None
            found = re.fullmatch(
                r".* on ([a-h][1-8]) is in the way", reason.words if reason else ""
            )
            if found and " and " not in found[0]:
                named += 1
                file, rank = "abcdefgh".index(found[1][0]), 8 - int(found[1][1])
                if rows[rank][file] in "Kk":
                    continue
                kept, rows[rank][file] = rows[rank][file], "1"
                after = placed(rows).why_illegal(text)
                rows[rank][file] = kept
                assert after is None or after.code != "pattern", (game.sfen(), text)
    assert named > 15


def placed(rows: list[list[str]]) -> Game:
    return GAME.game(f"{'/'.join(''.join(row) for row in rows)} w - 1")
