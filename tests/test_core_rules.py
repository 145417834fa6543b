"""Each rule by itself: a small position that turns on it, where engine and slow rules find the same
moves, checks and reasons, as they do after every move.
"""

from __future__ import annotations

import pytest

import alfil
from agreeing import check, check_reasons, push, seen
from alfil import Game, Opponent
from games import KING, LION, game, kind
from inside import Variant
from strategies import NIGHTLY
from test_compiled import variant
from test_game_bodies import COUNTED

ROOK, KNIGHT, PAWN = kind("R", "R"), kind("N", "N"), kind("P", "fmWfceF")
CANNON, LEAPER = kind("C", "mRcpR"), kind("L", LION)


def small(*kinds: str, **rules: object) -> Variant:
    """A game on five by five squares; where pieces stand is said by a position."""
    return game("K . . . .", [KING, *kinds], files=5, **rules)


def two(royal: str, *kinds: str, **rules: object) -> Variant:
    """The same with two sorts of royals."""
    return game("K Q . . .", [KING, kind("Q", royal, royal=True), *kinds], files=5, **rules)


HANDS: dict[str, object] = {"captured": "to-hand", "drops": "yes"}
COUNTING = alfil.loads(f"{COUNTED}rule royal-lost = all\n").variant
# What turns on a rule: the game, and the position.
TURNS_ON: dict[str, tuple[Variant, str]] = {
    "pins and checks by riders": (variant("chess"), "4k3/4r3/8/8/1b6/8/3PN3/R3K2R w KQ - 0 1"),
    "en passant": (variant("chess"), "4k3/8/8/r2pP1K1/8/8/8/8 w - d6 0 1"),
    "castling": (variant("chess"), "r3k2r/8/8/8/8/8/6p1/R3K2R w KQkq - 0 1"),
    "castling to files": (variant("chess960"), "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1"),
    "nothing in the way to the files": (
        variant("chess960"),
        "4k3/8/8/8/8/8/8/RN2KB1R w KQ - 0 1",
    ),
    "promotion": (variant("chess"), "1r2k3/P7/8/8/8/8/p7/1R2K3 w - - 0 1"),
    "no mate by a dropped pawn": (variant("minishogi"), "3sk/3s1/4G/5/K4 b P 1"),
    "a drop ends a check": (variant("minishogi"), "r3k/5/5/5/K4 b PGs 1"),
    "one pawn on a file": (variant("minishogi"), "4k/p4/5/1P3/K4 b Pp 1"),
    "what is captured explodes": (variant("atomic"), "4k3/3p4/8/3N4/8/4n3/3pK3/8 w - - 0 1"),
    "a wall where a royal has exploded": (
        game("K R .", [KING, ROOK], ranks=4, wall="duck", explosion="captures", royal_lost="all"),
        "3/3/1rK/2k b - 1",
    ),
    "what is built withstands what explodes": (
        game("K R .", [KING, ROOK], ranks=4, wall="duck", explosion="captures"),
        "2k/*r1/1R1/K2 b - 1",
    ),
    "a royal that captures explodes": (
        game("K . . . .", [KING, ROOK], files=5, explosion="captures", self_check="allowed"),
        "3rk/5/5/1r3/KR3 b - 1",
    ),
    "what may not capture": (
        small(ROOK, kind("N", "N", immune_to=("R",))),
        "k3N/2r2/5/1N3/K4 b - 1",
    ),
    "what may not capture a royal": (
        two("K", ROOK, kind("N", "N"), kind("B", "B", immune_to=("R",))),
        "kq2r/4B/5/5/KQ3 b - 1",
    ),
    "what a lion may not capture on its way": (
        small(kind("R", "R", immune_to=("L",)), LEAPER),
        "k4/1r3/2L2/1R3/K4 b - 1",
    ),
    "several royals, all to be lost": (
        two("F", ROOK, royal_lost="all"),
        "kq3/5/R4/5/KQ2r b - 1",
    ),
    "several royals attacked at once": (
        two("K", ROOK, KNIGHT, duple_check="yes", royal_lost="all"),
        "kq2r/5/1N3/5/KQ3 b - 1",
    ),
    "several royals, one behind another piece": (
        two("K", ROOK, KNIGHT, duple_check="yes", royal_lost="all"),
        "k1q2/n4/5/5/R1RQK w - 1",
    ),
    "several royals attacked at a second move": (COUNTING, "k1q2/5/1C3/5/K1Q2 w - 1 m=4c:1"),
    "several royals attacked at a third move": (COUNTING, "kCq2/5/5/5/K1Q2 w - 1 m=4a:2"),
    "royals that face each other": (small(ROOK, facing="barred"), "2k2/5/2R2/r4/2K2 b - 1"),
    "royals on one rank": (small(ROOK, facing="barred"), "5/5/1kr1K/5/R4 w - 1"),
    "royals that meet": (
        small(ROOK, facing="bikjang", passes="allowed"),
        "2k2/5/5/5/R1K1r b - 1",
    ),
    "hoppers": (small(CANNON, ROOK), "2k2/2r2/2R2/5/K1C1c b - 1"),
    "lions": (small(LEAPER, ROOK), "1rk2/5/1L3/1R3/K3l b - 1"),
    "a pinned lion captures on its way": (small(LEAPER, ROOK), "r2k1/1r2R/L4/5/K4 b - 1"),
    "a drop that a hopper leaps over": (small(CANNON, ROOK, **HANDS), "k3C/5/5/5/K4 b r 1"),
    "moves that may not give check": (small(ROOK, giving_check="barred"), "2k2/5/5/R4/K4 b - 1"),
    "captures come first": (small(ROOK, must_capture="yes"), "2k2/r4/5/R4/3K1 b - 1"),
    "what is taken stays in the hand": (small(ROOK, PAWN, **HANDS), "2k2/1p3/5/1R3/3K1 b P 1"),
    "goals": (variant("racing_kings"), "8/K6k/8/8/8/8/R7/8 w - - 0 1"),
    "three checks": (
        variant("three_check"),
        "4k3/8/8/8/8/8/4P3/R3K3 w - 9 checks=2,1",
    ),
    "a lion takes what gives check on its way": (
        small(ROOK, LEAPER),
        "2k2/5/2r2/1L3/2K2 b - 1",
    ),
    "pieces drop before they move": (
        small(ROOK, captured="to-hand", drops="yes", drops_first="yes"),
        "2k2/5/5/5/K4 b Rr 1",
    ),
    "what is set up has not moved, and gives check": (
        small(
            kind("P", "WiQ"),
            captured="to-hand",
            drops="yes",
            drops_first="yes",
            giving_check="barred",
        ),
        "4k/5/5/5/K4 b Pp 1",
    ),
    "a drop turns over what gives check": (
        small(ROOK, captured="to-hand", drops="yes", flip="adjacent"),
        "2k2/5/2r2/5/2K2 b R 1",
    ),
    "arrows": (
        game("A . .", [kind("A", "Q")], files=3, wall="arrow", stalemate="loss"),
        "2a/3/A2 b - 1",
    ),
    "no wall is captured as a piece of one's own": (
        game("B K B", [KING, kind("B", "mdW")], ranks=4, wall="anywhere"),
        "1kb/b2/**1/BKB b - 1",
    ),
    "a royal in check stands, where check is allowed": (
        small(ROOK, flight="barred", self_check="allowed"),
        "k1r2/5/2K2/1R3/5 b - 1",
    ),
    "a duck": (game("K . .", [KING, ROOK], files=3, ranks=4, wall="duck"), "1k1/*2/1R1/K2 b - 1"),
    "walls where a piece was": (small(ROOK, wall="left"), "2k2/5/2r2/1R3/K4 b - 1"),
    "gates": (variant("seirawan"), "3k4/8/8/8/8/8/PP4PP/RN2K1NR w H 1"),
    "what is left behind shields no pin": (variant("seirawan"), "4k3/8/8/8/8/8/8/4K1Nr w Hh 1"),
    "drops must end that royals face each other": (
        small(ROOK, captured="to-hand", drops="yes", facing="bikjang"),
        "2k2/5/5/1R3/2K2 b r 1",
    ),
    "and so must drops that turn something over": (
        small(ROOK, captured="to-hand", drops="yes", facing="bikjang", flip="adjacent"),
        "2k2/5/5/1R3/2K2 b r 1",
    ),
    "what explodes with a capture leaves its file": (
        small(
            ROOK, kind("C", "KN", per_file=1, per_file_on=("drop", "move")), explosion="captures"
        ),
        "k3r/2r2/1Cn2/1RC2/K3C b - 1".replace("n", "r"),
    ),
    "walls, and one piece on a file": (
        game(
            "K . .",
            [KING, kind("R", "R", per_file=1, per_file_on=("drop", "move"))],
            ranks=5,
            wall="duck",
            **HANDS,
        ),
        "k1r/3/1R1/3/K2 b R 1",
    ),
    "several royals attacked at once by what would explode": (
        two("K", ROOK, KNIGHT, duple_check="yes", royal_lost="all", explosion="captures"),
        "kq2r/5/1N3/5/KQ3 b - 1",
    ),
    "arrows of what castles, put down where it began": (
        game(
            "R . . D K . R",
            [KING, kind("D", "KisO2"), ROOK],
            ranks=3,
            wall="arrow",
            **HANDS,
        ),
        "r3k1r/7/R3K1R b D 1",
    ),
    "arrows of what castles to files, once it is set up": (
        game(
            "R . K . R",
            [kind("K", "K", royal=True, castles_with=("R",), castles_to=("b", "d")), ROOK],
            ranks=4,
            wall="arrow",
            drops="yes",
            captured="to-hand",
            drops_first="yes",
        ),
        "2k2/5/5/R1K1R b R 1",
    ),
    "free drops, and what is captured is in the hand": (
        small(ROOK, KNIGHT, captured="to-hand", drops="free", extinction="all loss"),
        "k1r2/5/2R2/1N3/K4 b - 1",
    ),
    "free drops, and gates": (
        game(
            "K N . .",
            [KING, ROOK, kind("N", "N") + " gates"],
            ranks=4,
            drops="free",
            captured="to-hand",
        ),
        "k1n1/4/4/KN2 b R 1",
    ),
    "moves on every other turn of a side": (
        small(kind("N", "hasinu:atmove(2,(1,2),turn)"), kind("M", "hasinu:atmove(3,n4dO,turn)")),
        "k1n2/5/m4/2N2/K3M b - 2",
    ),
    "a queen that promotes at once attacks nothing, and uncovers no check": (
        game(
            "K P . R",
            [KING, ROOK, kind("P", "fmWfcF", promotes=("Q",)) + " apart", kind("Q", "F")],
            ranks=5,
            zone=2,
        ),
        "2rk/P3/2rP/R2P/K3 b - 1".replace("P3", "4"),
    ),
    "what burns all around where it ends, and what comes there": (
        small(ROOK, kind("D", "hasinu:burn(1×8d,PA) & n4dO"), **HANDS),
        "k1r2/1d3/2R2/2D2/K1r2 b RDrd 1",
    ),
    "what burns a royal that captures beside it is lost": (
        small(ROOK, kind("D", "hasinu:burn(1×8d,FE) & n4dO"), duple_check="yes"),
        "kr3/5/1D3/2R2/K2d1 b - 1",
    ),
    "what burns and explodes, and turns over": (
        small(
            kind("D", "hasinu:burn(1×4dO,P) & n4dO"),
            kind("E", "hasinu:burn(1×4dD) & n4dO"),
            flip="adjacent",
            must_capture="yes",
        ),
        "k1e2/1d3/2E2/2D2/K1e2 b - 1",
    ),
    "what is burnt leaves its file, and makes a promotion by capture": (
        small(
            kind("D", "hasinu:burn(1×8d,FE) & n4dO", promotes=("R",)),
            kind("R", "R", per_file=1, per_file_on=("drop", "move")),
            promotion_when="captures",
        ),
        "k1r2/5/1RD2/5/K1r2 b - 1",
    ),
    "what shoots": (
        small(ROOK, kind("S", "hasinu:i(2×4dO,P) & 1×8d")),
        "k1r2/s4/2R2/2S2/K1r2 b - 1",
    ),
    "who is frozen moves not, and gives no check": (
        small(
            ROOK, kind("I", "hasinu:im(1×8d,PA) & n4dO"), kind("J", "hasinu:im(1×4dO,F,PA) & 1×8d")
        ),
        "k1ri1/1j3/2R2/2I2/K1r1J b - 1",
    ),
    "pieces blocked by different others, and by royal ones": (
        small(
            kind("R", "R", blocked_by=("N",)),
            kind("C", "mRcpR", blocked_by=("R", "K")),
            kind("N", "N", blocked_by=("N",)),
        ),
        "k1r2/1nc2/2R2/2C2/K1nN1 b - 1",
    ),
    "what jumps over all but some pieces": (
        small(kind("B", "BcppB", no_jump_over=("K", "B")), kind("N", "N")),
        "k3b/1n1n1/2N2/1B1n1/K3B b - 1",
    ),
    "what walks around the pieces that it does not jump over": (
        small(
            kind("V", "KaKcppB", no_jump_over=("K", "V")),
            kind("N", "N"),
        ),
        "k3v/1n1n1/2Nv1/1V1n1/K3V b - 1",
    ),
    "a cannon that has no hurdle in some pieces": (
        small(kind("C", "mRcpR", no_jump_over=("C", "K")), ROOK),
        "k1rc1/2c2/1rR1r/2C1c/K1C1r b - 1",
    ),
    "what captures nothing protected": (
        small(kind("E", "hasinu:INF(4,4)"), ROOK, LEAPER, captures_unprotected="E,K"),
        "k1r2/4e/1l1r1/1L1R1/K1E1R b - 1",
    ),
    "what explodes is not captured in turn, and what no explosion takes is": (
        small(
            kind("R", "R", blast="never"),
            LEAPER,
            kind("B", "B"),
            captures_unprotected="B,R",
            explosion="captures",
        ),
        "k1r2/4b/1l1r1/1L1R1/K1B1R b - 1",
    ),
    "what captures some pieces becomes another": (
        small(
            ROOK,
            LEAPER,
            kind("D", "F", promotes=("Q",)),
            kind("Q", "Q"),
            kind("P", "fmWfceF", promotes=("R",), promotion="forced"),
            contagion="D:Q,Q:Q",
            promotion_when="captures",
        ),
        "k1d1q/1p1l1/1dRd1/1LPP1/K1Q1D b - 1",
    ),
    "what stands burns before what arrives": (
        small(
            ROOK,
            kind("D", "hasinu:burn(1×8d,PA) & n4dO"),
            kind("E", "hasinu:burn(1×8d) & n4dD"),
            burns_first="standing",
        ),
        "k1rd1/r4/1r2e/D1RE1/K1r2 b - 1",
    ),
    "a range that is blocked": (
        small(
            kind("D", "hasinu:burn(n4dO,FE,PA) & n4dO", blocked_by=("R",)),
            kind("R", "R", blocked_by=("N",)),
            kind("N", "N"),
        ),
        "k1rn1/1d3/2R2/2D2/K1rN1 b - 1",
    ),
    "what captures on its way captures en passant there": (
        small(kind("P", "fmWfceFifmnD"), kind("L", "KNADeacKeabK"), kind("M", "QeamR")),
        "k4/1ppp1/5/2PL1/K3M b - 1",
    ),
    "what holds others one by one": (
        small(ROOK, kind("I", "hasinu:im(1×8d,PA,1) & 1×8d")),
        "k2r1/rii2/1I1i1/2IIR/1K1R1 b - 1",
    ),
    "what holds its own side, and is put down": (
        small(ROOK, kind("I", "hasinu:im(2×8d,FE,P) & 1×8d"), **HANDS),
        "k2r1/rii2/5/2IIR/1K1R1 b RIri 1",
    ),
    "pieces that turn over": (variant("othello"), ""),
    "what turns to stone": (
        small(kind("R", "R") + " petrifies", KNIGHT),
        "2k2/1n3/5/1R1r1/K3N b - 1",
    ),
}


@pytest.mark.parametrize("rule", TURNS_ON)
def test_the_engine_knows_the_rule(rule: str) -> None:
    made, position = TURNS_ON[rule]
    played = Game(made, position or None)
    check(played)
    check_reasons(played)
    before = seen(played)
    moves = played.legal_moves
    every = 1 if NIGHTLY else 1 + len(moves) // 8
    for number, move in enumerate(moves):
        push(played, str(move))
        if number % every == 0:
            check(played)
        played.pop()
        assert seen(played) == before, move


@pytest.mark.parametrize(
    ("name", "position", "mate"),
    [
        ("atomic", "4k3/4p3/8/8/8/8/8/4R1K1 w - 1", 1),
        ("racing_kings", "8/K7/8/8/8/8/7k/8 w - 1", 1),
        ("racing_kings", "8/7k/8/8/8/8/K7/8 b - 1", 1),
        ("racing_kings", "1K6/7k/8/8/8/8/R7/8 b - 1", 0),
    ],
)
def test_the_engine_sees_the_end_coming(name: str, position: str, mate: int) -> None:
    game = Game(variant(name), position)
    assert Opponent(game.variant, depth=2).analyse(game).mate == mate


def test_a_capture_en_passant_is_another_move_than_one_of_what_stands_there() -> None:
    pawns = [KING, kind("P", "fmWfceFifmnD")]
    played = Game(game("P . . . ./. . . . K", pawns, ranks=4), "4k/p4/5/1P2K w - 1")
    played.push("5b5c")
    assert "4d5c" in map(str, played.legal_moves)
    played.pop()
    for move in ("5b5d", "4d5c"):
        played.push(move)
    assert played.position_text().startswith("4k/5/P4/4K ")


def test_a_form_is_put_down_from_its_own_kind_first() -> None:
    kinds = [KING, kind("P", "fW", promotes=("R",)), ROOK]
    rules = HANDS | {"drop_form": "either", "captured_form": "as-is", "zone": 1}
    played = Game(game("K . .", kinds, ranks=4, **rules), "k2/3/3/K2 b PR 1")
    for move in ("R*1c", "3a2a"):
        played.push(move)
    assert {"P*1b", "R*1b"} <= {*map(str, played.legal_moves)}


def test_an_opening_is_full_where_walls_stand_in_it() -> None:
    lines = (
        "board 4x4\nrule first = white\nrule captured = to-hand\nrule drops = yes\n"
        'rule wall = left\nregion opening squares=a1,b1\npiece K "king" betza=K royal\n'
        'piece R "rook" betza=R\nsetup mirrored\n| . . K . |\n'
    )
    played = alfil.loads(lines).game("2k1/4/4/R*K1 w R 1")
    assert "R*b2" in map(str, played.legal_moves)
    check(played)
