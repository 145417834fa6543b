"""Legal moves read off checks and pins are those found by trying every move, and nothing is lost
when moves are taken back.
"""

from __future__ import annotations

import os
import random

import pyffish
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import alfil
from alfil.game import rules, swift
from alfil.game.counting import counted
from alfil.game.game import Game
from alfil.game.perft import perft
from alfil.game.variant import Variant
from games import KING, LION, SHOGI_RULES, game, kind

NIGHTLY = os.environ.get("ALFIL_HYPOTHESIS") == "nightly"
GAMES_EACH = 20 if NIGHTLY else 2
BUNDLED = ("hand_shogi", "shogi", "minishogi", "chess", "makruk", "capablanca", "gorogoro")
ROW = "R B G K G B R"
ODD_KINDS = [
    KING,
    kind("R", "R"),
    kind("B", "nNB3"),
    kind("G", "mFcW", drop_check="required"),
    kind("P", "fW", per_file=2, per_file_on=frozenset({"drop", "move"}), drop_ranks=(2, 5)),
    kind("S", "fsW", per_file=1, per_file_on=frozenset({"drop", "move"})),
    kind("T", "fRsbW", promotes=("+T",), promotion="stuck", drop_mate="barred"),
    kind("+T", "RF", base="T"),
    kind("C", "sWfN", drop_check="barred", promotes=("R", "B"), promotion="forced"),
]
ODD_ROWS = f"S P T P C P S/. . . . . . ./{ROW}"
ODD = {
    "odd pieces": game(ODD_ROWS, ODD_KINDS, zone=2, promotion_when="touches", **SHOGI_RULES),
    "odd pieces, always": game(ODD_ROWS, ODD_KINDS, promotion_when="always", **SHOGI_RULES),
    "either form": game(
        ODD_ROWS,
        [*ODD_KINDS[:-1], kind("C", "sWfN", drop_check="barred")],
        zone=3,
        promotion_when="ends",
        drop_form="either",
        **SHOGI_RULES,
    ),
    "as it is": game(
        ODD_ROWS, ODD_KINDS, zone=3, promotion_when="ends", captured_form="as-is", **SHOGI_RULES
    ),
}
SLOW = {
    "lions and hoppers": game(
        "P P P P P P P/. L . . . C ./R B G K G B R",
        [*ODD_KINDS[:5], kind("L", LION), kind("C", "mRcpR")],
        **SHOGI_RULES,
    ),
    "either form, from two places": game(
        ODD_ROWS, ODD_KINDS, zone=3, promotion_when="ends", drop_form="either", **SHOGI_RULES
    ),
    "king capture": game(ODD_ROWS, ODD_KINDS, zone=2, self_check="allowed", **SHOGI_RULES),
}


def variant(name: str) -> Variant:
    return ODD.get(name) or SLOW.get(name) or alfil.load(name).variant


def played(name: str, seed: int, plies: int = 120) -> list[Game]:
    """The positions of a random game, each as a game of its own."""
    draw = random.Random(f"{name} {seed}")
    current = Game(variant(name))
    found = []
    for _ in range(plies):
        found.append(current.copy())
        moves = current.legal_moves
        if not moves:
            break
        current.push(draw.choice(moves))
    return found


@pytest.mark.parametrize("seed", range(GAMES_EACH))
@pytest.mark.parametrize("name", [*BUNDLED, *ODD])
def test_both_ways_find_the_same_moves(name: str, seed: int) -> None:
    quick = 0
    for each in played(name, seed):
        position = each._position
        board = swift.board_of(position)
        if board is not None:
            quick += 1
            tried = rules.legal_acts(position)
            listed = swift.listed(board)
            assert sorted(listed) == sorted(tried), each.sfen()
            assert counted(board) == len(tried), each.sfen()
    assert quick


def test_both_ways_count_the_same_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = [played(name, 0, 30)[-1] for name in ("shogi", "chess", "odd pieces")]
    quick = [perft(each._position, 2) for each in positions]
    monkeypatch.setattr("alfil.game.perft.board_of", lambda _: None)
    assert [perft(each._position, 2) for each in positions] == quick


@pytest.mark.parametrize("name", [*BUNDLED, *ODD, *SLOW])
@given(seed=st.integers(0, 10**6), back=st.integers(1, 8))
@settings(max_examples=40 if NIGHTLY else 3, deadline=None)
def test_moves_taken_back_leave_no_trace(name: str, seed: int, back: int) -> None:
    draw = random.Random(seed)
    current = Game(variant(name))
    states: list[tuple[object, ...]] = []
    for _ in range(30):
        states.append(state(current))
        if not current.legal_moves:
            break
        current.push(draw.choice(current.legal_moves))
        if draw.random() < 0.2:
            for _ in range(min(back, len(states))):
                current.pop()
                assert state(current) == states.pop()
    while states:
        assert len(current.moves) in {len(states), len(states) - 1}
        if len(current.moves) == len(states):
            current.pop()
        assert state(current) == states.pop()


def state(current: Game) -> tuple[object, ...]:
    position = current._position
    pieces = [made for made, piece in zip(position.made, position.board, strict=True) if piece]
    return (
        current.sfen(),
        current.key,
        current.legal_moves,
        current.is_check(),
        current.outcome(),
        pieces,
        position.royals,
    )


@pytest.mark.parametrize("name", [*BUNDLED, *ODD, *SLOW])
def test_a_position_read_again_has_the_same_moves_and_key(name: str) -> None:
    for each in played(name, 7, 60):
        again = Game(each.variant, each.sfen())
        assert again.sfen() == each.sfen()
        assert again.key == each.key
        if each.outcome() is None:
            assert again.legal_moves == each.legal_moves


CANNONS = """
[alfilcannons:chess]
cannon = c
customPiece1 = z:NN
castling = false
doubleStep = false
promotionPieceTypes = q
startFen = rczqkzcr/pppppppp/8/8/8/8/PPPPPPPP/RCZQKZCR w - - 0 1
"""


def test_hoppers_as_in_fairy_stockfish() -> None:
    pyffish.load_variant_config(CANNONS)
    kinds = [
        KING,
        kind("P", "fmWfcF", promotes=("Q",), promotion="forced"),
        kind("R", "R"),
        kind("C", "mRcpR"),
        kind("Z", "NN"),
        kind("Q", "Q"),
    ]
    rows = "P P P P P P P P/R C Z Q K Z C R"
    cannons = game(rows, kinds, first="white", zone=1, promotion_when="ends")
    for seed in range(GAMES_EACH):
        draw, moves, current = random.Random(seed), [], Game(cannons)
        start = pyffish.start_fen("alfilcannons")
        for _ in range(80):
            theirs = pyffish.legal_moves("alfilcannons", start, moves)
            ours = {str(ply).replace("+", "q") for ply in current.legal_moves}
            assert ours == set(theirs), current.sfen()
            if not theirs:
                break
            moves.append(draw.choice(sorted(theirs)))
            current.push(moves[-1].replace("q", "+") if len(moves[-1]) == 5 else moves[-1])


TEXT = st.text(alphabet="KGSNLPkgsnlp+123456789/ -bw*abcdefghi[]x=:m,٣²é", max_size=40)


@given(text=TEXT)
@settings(max_examples=2000 if NIGHTLY else 100, deadline=None)
def test_no_text_brings_the_engine_down(text: str) -> None:
    for name in ("hand_shogi", "chess"):
        made = variant(name)
        for body in (text, f"4k4/9/9/9/9/9/9/9/4K4 {text}", f"4k3/8/8/8/8/8/8/4K2R {text}"):
            try:
                read = Game(made, body)
            except alfil.PositionError:
                continue
            assert Game(made, read.sfen()).sfen() == read.sfen()
        current = Game(made)
        for ask in (current.why_illegal, current.push):
            try:
                ask(text)
            except (alfil.IllegalMove, alfil.NotationError):
                assert current.moves == ()
