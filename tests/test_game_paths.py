"""Legal moves read off checks, pins and marks are those that the slow rules find by trying every
move, and nothing is lost when moves are taken back.
"""

from __future__ import annotations

import random

import pyffish
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import alfil
import slow_engine
from agreeing import check, check_reasons, position_of, refused, seen
from alfil import Game
from alfil.game.compiled_variant import (  # the order of moves is told of them in numbers
    EngineMove,
    compile_variant,
)
from alfil.game.engine_position import EnginePosition
from games import KING, LION, SHOGI_RULES, game, kind
from inside import Variant
from strategies import NIGHTLY

GAMES_EACH = 20 if NIGHTLY else 2
# Sequences of two moves are counted by the slow rules where there are fewer first ones.
MOST_COUNTED = 100 if NIGHTLY else 12
# Positions of a game that follow each other have nearly the same moves.
TRIED_EVERY = 1 if NIGHTLY else 17
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
    kind("+T", "RF"),
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
    "cannons and elephants": game(
        "P . P . P . P . P/. C . . . . . C ./. . . . . . . . ./R H E A K A E H R",
        [
            kind("K", "W", royal=True),
            kind("A", "F"),
            kind("E", "nA"),
            kind("H", "nN"),
            kind("R", "R"),
            kind("C", "mRcpR"),
            kind("P", "fsW", promotes=("A", "H")),
        ],
        files=9,
        ranks=10,
        zone=3,
        stalemate="loss",
    ),
    "lions on a large board": game(
        "P P P P P P P P P P P P/M V R H D E E D H R V M/. H . B . L K . B . H ./"
        "X C S G Z Q W Z G S C X",
        [
            KING,
            kind("L", LION),
            kind("Q", "Q"),
            kind("R", "R", promotes=("D",)),
            kind("B", "B", promotes=("E",)),
            kind("D", "RF"),
            kind("E", "BW"),
            kind("V", "vRsW"),
            kind("M", "sRvW"),
            kind("H", "vR"),
            kind("X", "fR"),
            kind("G", "WfF"),
            kind("S", "FfW"),
            kind("C", "vW", promotes=("L",)),
            kind("Z", "FD"),
            kind("W", "WA", royal=True),
            kind("P", "fW", promotes=("G",), promotion="stuck"),
        ],
        files=12,
        ranks=12,
        zone=4,
        royal_lost="all",
    ),
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
@pytest.mark.parametrize("name", [*BUNDLED, *ODD, *SLOW])
def test_lines_and_marks_find_the_moves_that_trying_finds(name: str, seed: int) -> None:
    positions = played(name, seed, 60 if name in SLOW else 120)
    for each in positions[3 + 2 * seed :: TRIED_EVERY]:
        check(each)
        check_reasons(each)


@pytest.mark.parametrize("name", [*BUNDLED, *ODD, *SLOW])
def test_moves_judged_one_by_one_are_those_read_off_lines(name: str) -> None:
    for each in played(name, 1, 60)[::3]:
        run = EnginePosition(each._position)
        listed = run.legal_moves()
        struct = run.state.struct
        struct["careful"], struct["first_royal"], struct["second_royal"] = 1, *2 * [run.plan.size]
        assert sorted(run.legal_moves()) == sorted(listed), each.position_text()


def standing(game: Game, act: EngineMove) -> tuple[object, ...]:
    """Where a move stands in the list: royals, pieces by kind and square, en passant, drops."""
    compiled = compile_variant(game.variant)
    if act.origin < 0:
        return (2, act.piece, act.target)
    if compiled.royal[act.piece]:
        return (0, act.origin)
    return (1, act.piece, act.origin)


@pytest.mark.parametrize("name", [*BUNDLED, *ODD, *SLOW])
def test_moves_have_one_order(name: str) -> None:
    for each in played(name, 4, 60)[::2]:
        acts = each._game_position.engine_moves()
        # Captures en passant come after all other moves on the board.
        plain = [a for a in acts if not a.captures or a.captures == (a.target,) or a.origin < 0]
        places = [standing(each, act) for act in plain]
        assert places == sorted(places), each.position_text()
        assert Game(each.variant, each.position_text())._game_position.engine_moves() == acts, (
            each.position_text()
        )


@pytest.mark.parametrize("name", ["minishogi", "gorogoro", "odd pieces"])
def test_sequences_are_counted_as_by_trying(name: str) -> None:
    game = played(name, 0, 20)[-1]
    assert game.perft(2) == slow_engine.perft(position_of(game), 2)


def test_longer_sequences_are_counted_as_by_trying() -> None:
    for name in ("dobutsu", "antichess"):
        game = alfil.load(name).game()
        assert game.perft(3) == slow_engine.perft(position_of(game), 3)


@pytest.mark.parametrize("name", [*BUNDLED, *ODD, *SLOW])
@given(seed=st.integers(0, 10**6), back=st.integers(1, 8))
@settings(max_examples=40 if NIGHTLY else 2)
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
    return (*seen(current), current.is_check(), pieces, position.royals)


@pytest.mark.parametrize("name", [*BUNDLED, *ODD, *SLOW])
def test_a_position_read_again_has_the_same_moves_and_key(name: str) -> None:
    for each in played(name, 7, 60):
        again = Game(each.variant, each.position_text())
        assert again.position_text() == each.position_text()
        assert again.key == each.key
        if each.outcome() is None:
            assert again.legal_moves == each.legal_moves


POOL = [
    *("mRcpR", "pR", "gB", "mQcpQ", "cpRmB", "nN", "nA", "NN", "FyafsF", "WyafsF", "zB", "fRsbW"),
    *(LION, "KcabK", "mKcaK", "dK", "mRcdN", "QcaW", "RmbK", "KaK", "fmWfcF", "B3", "vRsD"),
    *("hasinu:fe() & 1×4dO", "hasinu:fe(inclusive, n4dO) & 1×4dD", "hasinu:royal(O) & 1×8d"),
]


def drawn(seed: int, *, one_royal: bool = False) -> Variant:
    """A game of pieces and rules drawn by lot; with one royal a side that must not be left open."""
    draw = random.Random(seed)
    codes = ["K", "R", *"ABCDEF"]
    kinds = [KING, kind("R", "R")]
    for code in codes[2:]:
        goals = draw.choice([(), (), ("R",), ("A", "B"), () if one_royal else ("K",)])
        kinds.append(
            kind(
                code,
                draw.choice(POOL[:-3] if one_royal else POOL),
                promotes=tuple(goal for goal in goals if goal != code),
                promotion=draw.choice(["optional", "forced", "stuck"]),
                drop_check=draw.choice(["free", "free", "required", "barred"]),
                drop_mate=draw.choice(["allowed", "allowed", "allowed", "barred"]),
                drop_ranks=draw.choice([(1, 36), (2, 4)]),
                per_file=draw.choice([0, 0, 0, 1, 2]),
                per_file_on=frozenset(draw.choice([("drop",), ("drop", "move")])),
            )
        )
    row = [*draw.sample(codes[1:], 6), "K"]
    draw.shuffle(row)
    return game(
        f"{' '.join(draw.choices(['.', *codes[1:]], k=7))}/{' '.join(row)}",
        kinds,
        ranks=draw.choice([6, 8]),
        zone=draw.choice([0, 2, 3]),
        promotion_when=draw.choice(["touches", "ends", "captures", "always"]),
        captured=draw.choice(["removed", "to-hand"]),
        captured_form=draw.choice(["base", "as-is"]),
        drops=draw.choice(["no", "yes"]),
        drop_form="base" if one_royal else draw.choice(["base", "either"]),
        royal_lost=draw.choice(["any", "all"]),
        self_check="barred" if one_royal else draw.choice(["barred", "barred", "allowed"]),
        win="royal-capture",
    )


@pytest.mark.parametrize("seed", range(400 if NIGHTLY else 25))
def test_games_drawn_by_lot_have_the_moves_that_trying_finds(seed: int) -> None:
    draw, current = random.Random(seed), Game(drawn(seed))
    if refused(current.variant):
        pytest.skip(refused(current.variant))
    for ply in range(40):
        if (ply + seed) % TRIED_EVERY == 0:
            check(current, 2 if len(current.legal_moves) < MOST_COUNTED else 1)
            check_reasons(current)
        if not current.legal_moves:
            break
        current.push(draw.choice(current.legal_moves))


COUNTS = {
    "cannons and elephants": [54, 2890, 148030],
    "lions on a large board": [33, 1089, 36925],
    "lions and hoppers": [31, 951, 31617],
}


@pytest.mark.parametrize("name", COUNTS)
def test_known_counts_of_sequences(name: str) -> None:
    game = Game(variant(name))
    assert [game.perft(depth) for depth in (1, 2, 3)] == COUNTS[name]
    if NIGHTLY or COUNTS[name][0] < 33:
        assert slow_engine.perft(position_of(game), 2) == COUNTS[name][1]


def test_one_piece_may_end_two_checks() -> None:
    # The lines of rook and griffon run together before the king.
    kinds = [KING, kind("R", "R"), kind("B", "B"), kind("G", "FyafsF")]
    griffons = game("K . . . . . R/B . . . . G .", kinds, ranks=7)
    for text in ("6k/2rg3/7/7/7/5B1/2K4 b - 1", "6k/2rg3/7/7/7/5R1/2K4 b - 1"):
        current = Game(griffons, text)
        assert not current._game_position.state.struct["careful"]
        assert any(
            act.piece != current._position.board[2] for act in current._game_position.engine_moves()
        )
        check(current)


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
            ours = {str(move).replace("+", "q") for move in current.legal_moves}
            assert ours == set(theirs), current.position_text()
            if not theirs:
                break
            moves.append(draw.choice(sorted(theirs)))
            current.push(moves[-1].replace("q", "+") if len(moves[-1]) == 5 else moves[-1])


TEXT = st.text(alphabet="KGSNLPkgsnlp+123456789/ -bw*abcdefghi[]x=:m,٣²é", max_size=40)


@given(text=TEXT)
@settings(max_examples=2000 if NIGHTLY else 40)
def test_no_text_brings_the_engine_down(text: str) -> None:
    for name in ("hand_shogi", "chess"):
        made = variant(name)
        for body in (text, f"4k4/9/9/9/9/9/9/9/4K4 {text}", f"4k3/8/8/8/8/8/8/4K2R {text}"):
            try:
                read = Game(made, body)
            except alfil.PositionError:
                continue
            assert Game(made, read.position_text()).position_text() == read.position_text()
        current = Game(made)
        for ask in (current.why_illegal, current.push):
            try:
                ask(text)
            except (alfil.IllegalMove, alfil.NotationError):
                assert current.moves == ()


def test_a_free_drop_in_two_forms_is_listed_once() -> None:
    played = alfil.loads(
        """
board 2x3
zone  promotion ranks=1
rule  drops = free
rule  drop-form = either
piece K "king"   betza=K royal
piece N "knight" betza=N
piece S "step"   betza=W promotes=N
setup
| K . |
hand S
"""
    ).game()
    assert len(set(played.legal_moves)) == len(played.legal_moves)


def test_no_piece_promotes_by_contagion_without_a_capture() -> None:
    played = alfil.loads(
        """
board 3x4
rule  drops = yes
rule  drop-form = either
rule  contagion = N:K
piece K "king"   betza=K
piece N "knight" betza=N
piece S "step"   betza=W promotes=N apart
setup
| K . S |
hand S
"""
    ).game()
    assert {move.promotes for move in played.legal_moves} <= {"", "N"}
    assert {move.code for move in played.legal_moves if move.is_drop} == {"S", "N"}
