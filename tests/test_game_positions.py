"""Positions in text: what they remember of earlier moves, and what is refused."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from dataclasses import replace
from random import Random

import chess
import pytest

import alfil
from alfil import Game
from boards import rows
from engine_games import bundled
from games import KING, game, kind
from oracle.games.known import HAND_SHOGI_START

BARE = "4k3/8/8/3Pp3/8/8/8/4K3 w"


def of(position: str, name: str = "chess") -> Game:
    return alfil.load(name).game(position)


def refusal(position: str, name: str = "chess") -> tuple[str, str]:
    with pytest.raises(alfil.PositionError) as caught:
        of(position, name)
    return caught.value.kind, caught.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("4k3/8/4n3/3Pp3/8/8/8/4K3 w - e6 0 1", "goes to a free square"),
        ("4k3/8/4N3/3Pp3/8/8/8/4K3 w - e6 0 1", "goes to a free square"),
        ("4k3/8/8/3P4/8/8/8/4K3 w - e6 0 1", "none is on e5"),
        ("4k3/8/8/3PP3/8/8/8/4K3 w - e6 0 1", "none is on e5"),
        ("4k3/8/8/3Pn3/8/8/8/4K3 w - e6 0 1", "no move of the piece on e5 passes e6"),
        ("4k3/4p3/8/3Pp3/8/8/8/4K3 w - e6 0 1", "no move of the piece on e5 passes e6"),
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - e9 0 1", "e9 is no square"),
        (f"{BARE} - 1 ep=e6:e8", "no move of the piece on e8 passes e6"),
        (f"{BARE} - 1 ep=d5:e5", "goes to a free square"),
        (f"{BARE} - 1 ep=e6", "does not say which piece"),
        (f"{BARE} - 1 ep=e6,e7:e5", "does not say which piece"),
        (f"{BARE} - 1 ep=", "a square is missing"),
        (f"{BARE} - 1 ep=e6:e5,e6:e5", "e6 is given twice"),
        (f"{BARE} - 1 ep=e6:e5 ep=e6:e5", "ep= is given twice"),
        (f"{BARE} - e6 0 1 ep=e6:e5", "ep= is given twice"),
        ("4k3/8/8/3Pp1p1/8/8/8/4K3 w - 1 ep=e6:e5,g6:g5", "only the piece that moved last"),
        (f"{BARE} - 1 m=e1:-,e1:0", "e1 is given twice"),
        (f"{BARE} - 1 m=e1:- m=e8:-", "m= is given twice"),
        (f"{BARE} - 1 checks=1,0", "checks are not counted"),
        (f"{BARE} - 1 check=1,0", "no field of a position is called check"),
    ],
)
def test_what_no_move_can_have_left_is_refused(position: str, words: str) -> None:
    kind, message = refusal(position)
    assert kind == "position-memory"
    assert words in message


def test_the_fields_that_a_position_may_have_are_named() -> None:
    with pytest.raises(alfil.PositionError) as caught:
        of(f"{BARE} - 1 check=1,0")
    assert caught.value.hint == "known are m=, ep=, holds=, checks=, exchange=, idle=, countdown="


def test_no_file_has_a_right_to_castle_where_nothing_castles() -> None:
    assert "KQkq" in refusal("8/8/8/8/8/8/8/4k2K w A - 0 1", "makruk")[1]


def test_two_kinds_with_one_letter_cannot_stand_in_a_position() -> None:
    """Files with such kinds are refused before; a game may also be made of kinds."""
    whole = alfil.load("chess").variant
    same = tuple(replace(each, letter="N") for each in whole.kinds)
    with pytest.raises(alfil.RuleError) as caught:
        alfil.Game(replace(whole, kinds=same))
    found = caught.value
    assert (found.kind, found.hint) == ("duplicate-letter", "give one of them another letter")
    assert f"{whole.kinds[0].code} and {whole.kinds[1].code} are both written N" in str(found)


def test_a_capture_en_passant_is_read_and_played() -> None:
    game = of(f"{BARE} - e6 0 1")
    assert game.push("d5e6").captures == ((4, 4),)
    assert game.position_text() == "4k3/8/4P3/8/8/8/8/4K3 b - 2 m=e1:-,e8:-"


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/4K2N w K - 0 1",
        "4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1",
        "4k3/8/8/8/8/8/8/1R2K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
        "r3k1r1/8/8/8/8/8/8/R3K2R b kq - 0 1",
    ],
)
def test_a_right_to_castle_is_that_of_king_and_rook_where_they_began(fen: str) -> None:
    board = chess.Board(fen)
    expected = {move.uci() for move in board.legal_moves if board.is_castling(move)}
    assert {str(each) for each in of(fen).legal_moves if each.partner} == expected


@pytest.mark.parametrize("position", [f"{BARE} Q 1", "4k3/8/8/8/8/8/8/4K3[q] w - - 0 1"])
def test_nothing_is_in_hand_where_nothing_ever_gets_there(position: str) -> None:
    assert refusal(position)[0] == "position-hand"
    assert of("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "crazyhouse").hands == ({"Q": 1}, {})


def test_a_game_without_a_set_up_begins_with_a_position() -> None:
    library = alfil.loads("board 9x10\nrule first = white\n" + 'piece G "general" betza=W royal')
    with pytest.raises(alfil.PositionError) as caught:
        library.game()
    assert (caught.value.kind, caught.value.diagnostics[0].hint) == ("no-setup", "give a position")
    game = library.game("4g4/9/9/9/9/9/9/9/9/3G5 w - 1")
    assert game.turn == "w"
    assert game.outcome() is None


@pytest.mark.parametrize("position", [5, b"4k3/8/8/8/8/8/8/4K3", ["8"]])
def test_a_position_is_a_text(position: object) -> None:
    with pytest.raises(TypeError, match="a position is a text"):
        of(position)  # type: ignore[arg-type]


def test_checks_given_are_part_of_the_position() -> None:
    game = of("4k3/8/8/8/8/8/8/R3K3 w - 1", "three_check")
    before, texts = game.key, []
    for move in ("a1a8", "e8d7", "a8a7"):
        game.push(move)
        texts.append(
            next(each for each in game.position_text().split() if each.startswith("checks="))
        )
    assert texts == ["checks=1,0", "checks=1,0", "checks=2,0"]
    again = of(game.position_text(), "three_check")
    assert (again.key, again.position_text()) == (game.key, game.position_text())
    assert (
        game.key != of(game.position_text().replace("checks=2,0", "checks=1,0"), "three_check").key
    )
    assert (
        game.key != of(game.position_text().replace("checks=2,0", "checks=0,2"), "three_check").key
    )
    for each in (game, again):
        each.push("d7d6")
        each.push("a7a6")
        assert each.outcome() == alfil.Outcome("w", "checks")
        assert of(each.position_text(), "three_check").outcome() == alfil.Outcome("w", "checks")
    for _ in range(5):
        game.pop()
    assert (game.key, game.position_text()) == (before, "4k3/8/8/8/8/8/8/R3K3 w - 1")


TOO_MANY = ["4+0 0 1", "0 1 +4+0", "3+3+ 0 1", "3+3 0 1 +0+0"]


@pytest.mark.parametrize("counts", ["3+1 0 1", "0 1 +0+2", "3+1 7 1"])
def test_checks_are_read_in_fen_as_other_programs_write_them(counts: str) -> None:
    """Before the clock stand the checks that are needed yet, behind all those that were given."""
    game = of(f"4k3/8/8/8/8/8/8/R3K2R b Q - {counts}", "three_check")
    assert "checks=0,2" in game.position_text()
    assert not game.is_check()


@pytest.mark.parametrize("counts", [*TOO_MANY, "1+1 0 1 checks=1,1"])
def test_checks_of_fen_that_nobody_can_have_given_are_refused(counts: str) -> None:
    kind, _ = refusal(f"4k3/8/8/8/8/8/8/R3K3 w - - {counts}", "three_check")
    assert kind in {"position-memory", "position-text"}


@pytest.mark.parametrize("name", ["georgian", "spartan"])
def test_no_square_is_noted_where_nobody_captures_en_passant(name: str) -> None:
    game = of("4k3/8/8/8/3p4/8/4P3/4K3 w - 1", f"tests/variants/{name}.pieces")
    game.push("e2e4")
    assert "ep=" not in game.position_text()


@pytest.mark.parametrize("field", ["4,0", "1", "1,2,3", "-1,0", "a,b", "٣,1", "", "1, 0"])
def test_checks_that_nobody_can_have_given_are_refused(field: str) -> None:
    kind, _ = refusal(f"4k3/8/8/8/8/8/8/R3K3 w - 1 checks={field}", "three_check")
    assert kind in {"position-memory", "position-text"}


def test_a_position_without_a_royal_is_not_read_again() -> None:
    game = of("4k4/4G4/9/9/9/9/9/9/4K4 b - 1", "hand_shogi")
    game.push("5b5a")
    assert game.outcome() == alfil.Outcome("b", "king-capture")
    assert refusal(game.position_text(), "hand_shogi")[0] == "position-royals"


PAWNS = ("fmWifmnW2", "fmWfceFifmnW5cefF", "fmW2ifmnW2ceF", "mWcFifmnDceK", "mnRceF")


@pytest.mark.parametrize("seed", range(5))
def test_every_position_with_a_trail_is_read_again_as_it_is(seed: int) -> None:
    draw, trails = Random(seed), 0
    for first in PAWNS:
        pawn = kind("P", first, promotes=("Q",))
        others = [kind("Q", draw.choice(PAWNS)), kind("R", draw.choice(("R", "mRcpR")))]
        rows = "P R P Q P/. . K . ."
        variant = game(rows, [KING, pawn, *others], ranks=7, first="white", zone=1)
        played = Game(variant)
        for _ in range(40):
            if played.outcome():
                break
            moves, text = played.legal_moves, played.position_text()
            assert len(set(moves)) == len(moves) == played.perft(1)
            again = Game(variant, text)
            assert (again.position_text(), again.key, again.legal_moves) == (
                text,
                played.key,
                moves,
            )
            trails += " ep=" in text
            played.push(draw.choice(moves))
    assert trails


POSITIONS = {
    "hand_shogi": [HAND_SHOGI_START, *(row[1] for _, row in rows("hand_shogi_moves.tsv"))],
    "minishogi": [row[0] for _, row in rows("minishogi_perft.tsv")],
    "chess": [row[0] for _, row in rows("chess_perft.tsv")] + [chess.STARTING_FEN],
}


@pytest.mark.parametrize("name", sorted(POSITIONS))
def test_every_position_is_written_as_it_was_read(name: str) -> None:
    for text in POSITIONS[name]:
        game = Game(bundled(name), text)
        assert Game(bundled(name), game.position_text()).legal_moves == game.legal_moves


@pytest.mark.parametrize("name", ["hand_shogi", "xiangqi", "duck"])
def test_a_game_is_copied_and_sent_to_other_processes(name: str) -> None:
    game, draw = alfil.load(name).game(), Random(name)
    for _ in range(30):
        game.push(game.random_move(draw))
    ended = game.resign()
    for again in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert (again.position_text(), again.key, again.outcome()) == (
            game.position_text(),
            game.key,
            ended,
        )
        again.pop()
        again.push(again.random_move(draw))
        assert (len(again.moves), len(game.moves)) == (31, 30)
        while again.moves:
            again.pop()
        assert again.position_text() == alfil.load(name).game().position_text()


ELSEWHERE = """
import pickle, sys
from random import Random
import alfil
name, packed = sys.argv[1], sys.stdin.buffer.read()
# Moves are met in another order here, and have other numbers.
game, draw = alfil.load(name).game(), Random(2)
for _ in range(20):
    game.push(game.random_move(draw))
game = pickle.loads(packed)
print(game.position_text(), *game.moves, sep="\\n")
"""


@pytest.mark.parametrize("name", ["chess", "duck"])
def test_a_process_that_met_other_moves_has_the_same_game(name: str) -> None:
    game, draw = alfil.load(name).game(), Random(1)
    for _ in range(30):
        game.push(game.random_move(draw))
    command = [sys.executable, "-c", ELSEWHERE, name]
    done = subprocess.run(command, input=pickle.dumps(game), capture_output=True, check=True)
    assert done.stdout.decode().split("\n")[:-1] == [game.position_text(), *map(str, game.moves)]


def test_a_game_goes_on_as_it_was_played() -> None:
    game = alfil.load("chess").game(strict=True, adjudicate=True)
    for move in 2 * ("g1f3", "g8f6", "f3g1", "f6g8"):
        game.push(move)
    game.ignore_claimable_ends()
    again = pickle.loads(pickle.dumps(game))
    assert (again.ignores_claimable_ends, again.strict, again.adjudicate) == (True, True, True)
    assert again.legal_moves == game.legal_moves
