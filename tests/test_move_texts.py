"""Moves as text: what is written is read as the same move, and errors point at the fault."""

from __future__ import annotations

import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import alfil
from alfil import Game, Move
from alfil.records import write_move
from gathering import every_row
from record_games import CASTLES, CODES, LIONS, bundled, hard_games, variant
from strategies import examples

START = "2g1k1g2/2p1d1p2/3ppp3/9/9/9/3PPP3/2P1D1P2/2G1K1G2 b TU2SOH2N2Ltu2soh2n2l 1"
CAPTURE = "4k4/9/9/5p3/4S4/9/9/9/4K4 b - 1"
KNIGHT = "4k4/9/9/9/2N6/9/9/9/4K4 b - 1"
GOLDS = "8k/9/9/9/4S4/9/9/3G1G3/K8 b - 1"


def is_special(move: Move) -> bool:
    """Whether a move does more than to go to its target and take what is there."""
    taken = set(move.captures) - {move.target}
    return bool(taken or move.partner or move.origin == move.target)


@pytest.mark.parametrize("name", hard_games())
def test_what_is_written_is_read_as_the_same_move(name: str) -> None:
    game, draw = Game(hard_games()[name], strict=True), random.Random(5)
    for _ in range(25):
        moves = game.legal_moves
        special = [move for move in moves if is_special(move)]
        some = draw.sample(moves, min(len(moves), 6)) + draw.sample(special, min(len(special), 6))
        for move in some:
            assert game.read_move(write_move(game, move)) == move
            assert game.read_move(move.usi) == move
            assert game.read_move(write_move(game, move, "cell")) == move
            assert game.push_san(game.san(move)) == move
            game.pop()
        if not moves:
            break
        game.push(draw.choice(special or moves))


@pytest.mark.parametrize("name", ["hand_shogi", "shogi", "chess", "lions black", "castles"])
def test_no_two_moves_of_a_position_are_written_alike(name: str) -> None:
    game, draw = Game(hard_games()[name]), random.Random(6)
    for _ in range(12):
        for form in ("hodges", "usi", "cell"):
            texts = [write_move(game, move, form) for move in game.legal_moves]
            assert sorted(set(texts)) == sorted(texts)
        if not game.legal_moves:
            break
        game.push(draw.choice(game.legal_moves))


def texts_of(game: Game, target: str) -> list[str]:
    """All moves to a square in Hodges notation, sorted."""
    moves = [each for each in game.legal_moves if game.square_name(each.target) == target]
    return sorted(write_move(game, each, "hodges") for each in moves)


def test_captures_on_the_way_are_told_apart() -> None:
    lions = variant(LIONS.format(first="white"))
    game = Game(lions, "3k3/7/2iii2/3ii2/3L3/7/3K3 w - 1")
    # From d3 over d4 or e4 to e5: what stands on e5 is taken in any case.
    assert texts_of(game, "e5") == ["LNxe5xd4xe5", "LNxe5xe4xe5", "LNxe5xe5"]
    # To go out and come home, with and without taking something there.
    assert texts_of(game, "d3") == ["LN-d3", "LNxd3xd4", "LNxd3xe4"]
    with pytest.raises(alfil.NotationError) as caught:
        game.push("LNxe5")
    assert caught.value.kind == "ambiguous"
    message = str(caught.value)
    assert all(text in message for text in ("LNxe5xd4xe5", "LNxe5xe4xe5", "LNxe5xe5"))


def test_a_king_that_may_castle_or_step_to_a_square() -> None:
    game = Game(variant(CASTLES), "4k3/8/8/8/8/8/8/R3K3 w - 1")
    assert texts_of(game, "d1") == ["K-d1oa1", "R-d1", "e1d1"]
    assert game.read_move("e1d1").partner is None
    assert game.read_move("K-d1oa1").partner == ((0, 0), (4, 0))
    with pytest.raises(alfil.NotationError, match=r"\[ambiguous\]"):
        game.push("K-d1")


def test_promotions_of_chess_and_shogi() -> None:
    game = alfil.load("chess").game("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert texts_of(game, "a8") == ["P-a8=B", "P-a8=N", "P-a8=Q", "P-a8=R"]
    assert texts_of(game, "b8") == ["Pxb8=B", "Pxb8=N", "Pxb8=Q", "Pxb8=R"]
    assert game.read_move("P-a8=q").promotes == "Q"
    game = alfil.load("shogi").game("4k4/9/9/S8/9/9/9/9/4K4 b - 1")
    assert texts_of(game, "9c") == ["S-9c+", "S-9c="]
    assert game.read_move("S-9c").promotes == ""


def test_castling_and_en_passant_of_chess() -> None:
    game = alfil.load("chess").game("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1")
    assert texts_of(game, "d6") == ["Pxd6"]
    castle, passant = game.read_move("K-g1"), game.read_move("Pxd6")
    assert castle.partner == ((7, 0), (5, 0))
    assert passant.captures == ((3, 4),)
    assert [write_move(game, castle, form) for form in ("usi", "pan")] == ["e1g1", "e1~g1"]
    assert write_move(game, passant, "pan") == "e5~d6"
    assert json.loads(write_move(game, castle, "pmn")) == ["e1", "g1", "C:K", "h1", "f1", "C:R"]
    assert json.loads(write_move(game, passant, "pmn")) == ["d5", "*", "c:p", "e5", "d6", "C:P"]


def test_forms_of_the_second_side() -> None:
    game = Game(bundled("hand_shogi"), START.replace(" b ", " w "))
    drop = game.read_move("SH*5e")
    assert [write_move(game, drop, form) for form in ("usi", "cell", "pan", "pmn")] == [
        "U*5e",
        "U@e5",
        "u*e5",
        '["*","e5","h:u"]',
    ]


def test_capture_without_moving_in_pan() -> None:
    game = Game(variant(LIONS.format(first="white")), "3k3/7/7/3f3/3I3/7/3K3 w - 1")
    move = game.read_move("Ixd3xd4")
    assert (move.origin, move.target, move.captures) == ((3, 2), (3, 2), ((3, 3),))
    assert write_move(game, move, "pan") == "+d4"


ERRORS = [
    # position, text, kind, what the caret is under, words of the message or hint
    (START, "+N*5e", "wrong-drop", "+N", "write N*5e"),
    (START, "SO7h*8g", "wrong-drop", "7h", "write SO*8g"),
    (START, "S*5e+", "wrong-drop", "+", "write S*5e"),
    (KNIGHT, "N-6c=", "wrong-mark", "=", "write N-6c+"),
    (CAPTURE, "S-4d", "wrong-sign", "-", "write Sx4d"),
    (CAPTURE, "Sx6d", "wrong-sign", "x", "write S-6d"),
    (GOLDS, "G-5g", "ambiguous", "G-5g", "G6h-5g or G4h-5g"),
    (START, "S-8f ", "unreadable-move", " ", "leave the blank out"),
    (START, " S-8f", "unreadable-move", " ", "leave the blank out"),
    (START, "P-5f", "unreadable-move", "P", "write SO-5f"),
    (START, "+G-5e", "wrong-mark", "+", "leave the + out"),
    (START, "G5i-5h", "wrong-start", "5i", "K is on 5i, not G"),
    (START, "SO-0f", "unreadable-move", "0", "a square"),
    (START, "SO-6j", "unreadable-move", "6j", "6j is no square of this board"),
    (START, "SO10a-6f", "unreadable-move", "10a", "10a is no square of this board"),
    (START, "6g6z", "unreadable-move", "6z", "6z is no square of this board"),
    (START, "SO6f", "unreadable-move", "", "no sign"),
    (START, "SO-6f!", "unreadable-move", "!", "promotion"),
    (START, "SO-6F", "unreadable-move", "6", "no square"),
    (START, "\u212a-4h", "unreadable-move", "\u212a-4h", "no piece of this game"),
    (START, "SO\u22126f", "unreadable-move", "\u2212", "no sign"),
    (START, "", "unreadable-move", "", "there is no move"),
    (START, "u*5e", "unreadable-move", "u", "write SH*5e"),
    (START, "T*e5", "unreadable-move", "e", "no square"),
]


@pytest.mark.parametrize(("position", "text", "kind", "under", "words"), ERRORS)
def test_a_slip_of_the_pen_is_shown_where_it_is(
    position: str, text: str, kind: str, under: str, words: str
) -> None:
    game = Game(bundled("hand_shogi"), position, adjudicate=True)
    before = game.position_text()
    with pytest.raises(alfil.NotationError) as caught:
        game.push(text)
    (span,) = caught.value.spans
    assert (caught.value.kind, text[span.start : span.end]) == (kind, under)
    assert words in f"{caught.value.diagnostics[0].message} {caught.value.hint}"
    assert (game.position_text(), game.outcome(), game.moves) == (before, None, ())


@pytest.mark.parametrize(
    ("text", "written"),
    [("N-6c", "N-6c+"), ("N7e-6c+", "N-6c+"), ("n-6c+", "N-6c+"), ("7e6c", "7e6c+")],
)
def test_strict_reading_takes_only_what_is_written(text: str, written: str) -> None:
    hand_shogi = bundled("hand_shogi")
    assert Game(hand_shogi, KNIGHT).push(text).promotes == "+N"
    with pytest.raises(alfil.NotationError) as caught:
        Game(hand_shogi, KNIGHT, strict=True).push(text)
    assert (caught.value.kind, caught.value.hint) == ("not-as-written", f"write {written}")
    assert Game(hand_shogi, KNIGHT, strict=True).push(written).promotes == "+N"
    assert Game(hand_shogi, KNIGHT, strict=True).push("c5d7+").promotes == "+N"


ILLEGAL = [
    (START, "K*5e", "not-in-hand"),
    (START, "S*5h", "occupied"),
    (START, "N*9c", "drop-zone"),
    (START, "L*1a", "drop-rank"),
    (START, "O*5e", "drop-check"),
    (START, "SO-6h", "file"),
    (START, "K-5h", "own-piece"),
    (START, "G-5e", "pattern"),
    (START, "S-5e", "no-piece"),
    (START, "G5e-5f", "no-piece"),
    (KNIGHT, "K-4i+", "promotion"),
    ("k8/4l4/9/9/9/9/9/4G1G2/4K4 b - 1", "G5h-4h", "self-check"),
    # One gold cannot go there and the other may not: the one that could is spoken of.
    ("k8/4l4/9/9/9/9/9/4G4/4K3G b - 1", "G-4h", "self-check"),
]


@pytest.mark.parametrize(("position", "text", "kind"), ILLEGAL)
def test_what_can_be_read_and_is_illegal(position: str, text: str, kind: str) -> None:
    game = Game(bundled("hand_shogi"), position)
    with pytest.raises(alfil.IllegalMove) as caught:
        game.push(text)
    assert caught.value.kind == kind
    why = game.why_illegal(text)
    assert why is not None
    assert why.code == kind
    judged = Game(bundled("hand_shogi"), position, adjudicate=True)
    judged.push(text)
    outcome = judged.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.detail) == ("w", "illegal-move", kind)
    assert judged.illegal_text == text
    judged.pop()
    assert (judged.outcome(), judged.illegal_text) == (None, "")


def test_squares_in_cell_and_in_shogi_are_not_mixed() -> None:
    game = Game(bundled("hand_shogi"))
    assert game.read_move("d3d4") == game.read_move("6g6f") == game.read_move("SO-6f")
    for text in ("6gd4", "d36f", "T@5e", "S@5e"):
        with pytest.raises(alfil.NotationError):
            game.push(text)
    with pytest.raises(alfil.NotationError):
        alfil.load("chess").game().push("4g4e")


@pytest.mark.parametrize("form", ["lan", "", "HODGES"])
def test_unknown_forms(form: str) -> None:
    game = Game(bundled("hand_shogi"))
    with pytest.raises(alfil.AlfilError) as caught:
        write_move(game, game.legal_moves[0], form)
    assert caught.value.kind == "unknown-form"


def is_move_or_error(game: Game, text: str) -> bool:
    """Whether a text is a legal move, or an error with its report."""
    try:
        return game.read_move(text) in game.legal_moves
    except alfil.AlfilError as error:
        return bool(re.search(r"^<move>:1:\d+: .* \[[a-z-]+\]$", str(error), re.MULTILINE))


LIKELY = st.text(alphabet="KTSHGPDONLUxo*+-=@ 1235689abcdefghi.\u212a\u0665", max_size=9)


@examples(40)
@given(st.text(alphabet="KLNRQMxno*+-=2159abyz", max_size=9))
def test_any_text_is_read_in_games_with_odd_codes(text: str) -> None:
    assert is_move_or_error(Game(variant(CODES.format(first="black"))), text)


def test_other_captures_than_those_of_the_move() -> None:
    lions = variant(LIONS.format(first="white"))
    game = Game(lions, "3k3/7/2iii2/3ii2/3L3/7/3K3 w - 1")
    with pytest.raises(alfil.NotationError) as caught:
        alfil.load("chess").game("4k3/8/8/8/8/8/8/4K2R w K - 0 1").push("K-g1oa1")
    assert (caught.value.kind, caught.value.hint) == ("wrong-part", "write K-g1")
    with pytest.raises(alfil.IllegalMove) as illegal:
        game.push("LNxe5xc4xe5")
    assert illegal.value.kind == "pattern"


@pytest.mark.parametrize("pawn", ["fmWfmFfceFifmnD", "fmWfmDfcFifmnD", "fmWfceFifmnD", "fmWfcFfmN"])
def test_moves_that_only_captures_or_trails_tell_apart_are_written_in_full(pawn: str) -> None:
    text = (
        'board 5x6\nrule first = white\npiece K "king" betza=K royal\n'
        f'piece P "pawn" betza={pawn}\nsetup mirrored\n| P P P P P |\n| . . K . . |'
    )
    game, draw = alfil.loads(text).game(), random.Random(3)
    for _ in range(40):
        texts = [str(move) for move in game.legal_moves]
        assert len(set(texts)) == len(texts), game.position_text()
        if not texts:
            break
        game.push(game.random_move(draw))


@pytest.mark.parametrize("name", ["seirawan", "duck", "amazons"])
def test_walls_and_pieces_left_behind_are_written_in_every_form(name: str) -> None:
    game, draw = alfil.load(name).game(), random.Random(7)
    for _ in range(6):
        some = draw.sample(game.legal_moves, min(len(game.legal_moves), 20))
        for form in ("hodges", "cell", "arrow"):
            for move in some:
                assert game.read_move(write_move(game, move, form)) == move
        game.push(some[0])


def test_of_very_many_moves_some_are_named() -> None:
    with pytest.raises(alfil.NotationError, match=r"b1c3/e3, .* or 24 others"):
        alfil.load("duck").game().read_move("b1c3")


@pytest.mark.parametrize(
    ("name", "position", "text", "words"),
    [
        ("crazyhouse", None, "*e4", "nothing is in hand"),
        ("crazyhouse", None, "* → e4", "nothing is in hand"),
        ("shogi", None, "S* → e4", "nothing is in hand"),
        ("chess", None, "N*->f3", "this game has no drops"),
        ("seirawan", None, "*e4", "this game has no drops"),
        ("shogi", "8k/9/9/9/9/9/9/9/K8 b P 1", "S* → e5", "no silver general is in hand"),
        ("shogi", None, "S*5e", "no silver general is in hand"),
    ],
)
def test_a_drop_of_what_is_not_in_hand_says_so(
    name: str, position: str | None, text: str, words: str
) -> None:
    with pytest.raises(alfil.IllegalMove) as caught:
        alfil.load(name).game(position).push(text)
    kind = "no-drops" if "drops" in words else "not-in-hand"
    assert (caught.value.kind, caught.value.diagnostics[0].message) == (kind, words)


@every_row(
    "text, hint",
    [("rh5", "write Rh5"), ("g8=q", "write g8=Q+"), ("o-o", "write O-O"), ("O-O-o", "write O-O-O")],
)
def test_capitals_of_san_are_offered(text: str, hint: str) -> None:
    game = alfil.load("chess").game("4k3/6P1/8/2Pp4/8/8/8/R3K2R w KQ d6 0 1")
    with pytest.raises(alfil.NotationError) as caught:
        game.push(text)
    assert caught.value.hint == hint


def test_a_drop_of_a_piece_of_the_other_side_only_is_illegal() -> None:
    game = alfil.loads(
        """
board 4x4
rule  drops = yes
piece K "king" betza=K royal
piece R "rook" betza=R
piece S "step" betza=W side=second
setup first
| R . . K |
setup second
| S . . K |
hand first R
"""
    ).game()
    why = game.why_illegal("S*2b")
    assert why is not None
    assert why.code == "not-in-hand"
