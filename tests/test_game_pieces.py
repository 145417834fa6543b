"""Pieces that do more than go somewhere and capture there, in games."""

from __future__ import annotations

import pytest

import alfil
from alfil import Game
from games import KING, LION, SHOGI_RULES, game, kind
from inside import Variant

WHITE = {"first": "white"}


def texts(variant: Variant, position: str) -> list[str]:
    """The legal moves but those of the king."""
    found = Game(variant, position)
    king = found.variant.kinds[0].code
    return sorted(str(move) for move in found.legal_moves if move.code != king)


def after(variant: Variant, position: str, *moves: str) -> str:
    found = Game(variant, position)
    before = (found.position_text(), found.key, found.legal_moves)
    for move in moves:
        found.push(move)
    result = found.position_text()
    for _ in moves:
        found.pop()
    assert (found.position_text(), found.key, found.legal_moves) == before
    return result


def board(*kinds: str, rows: str = ". . K . .", **rules: object) -> Variant:
    return game(rows, [KING, *kinds], **{**WHITE, **rules})


def test_a_lion_takes_two_takes_without_moving_and_passes() -> None:
    lion = board(kind("L", LION), kind("P", "fW"))
    position = "2k2/5/1p3/1pL2/4K w - 1"
    moves = texts(lion, position)
    assert [move for move in moves if move.startswith("c2c2")] == ["c2c2", "c2c2xb2", "c2c2xb3"]
    assert after(lion, position, "c2c2xb3") == "2k2/5/5/1pL2/4K b - 2"
    assert [move for move in moves if move.startswith("c2b2")] == ["c2b2xb2", "c2b2xb3xb2"]
    assert after(lion, position, "c2b2xb3xb2") == "2k2/5/5/1L3/4K b - 2"
    assert after(lion, position, "c2c2") == "2k2/5/1p3/1pL2/4K b - 2"


def test_captures_go_to_the_hand_in_order() -> None:
    lion = board(kind("L", LION), kind("P", "fW"), kind("R", "R"), **SHOGI_RULES)
    made = Game(lion, "2k2/5/1r3/1pL2/4K w - 1").push("c2b2xb3xb2")
    assert made.captures == ((1, 2), (1, 1))
    assert after(lion, "2k2/5/1r3/1pL2/4K w - 1", "c2b2xb3xb2") == "2k2/5/5/1L3/4K b PR 2"


def test_a_lion_that_can_take_the_king_on_its_way_gives_check() -> None:
    lion = board(kind("L", LION), kind("P", "fW"))
    found = Game(lion, "2k2/2p2/2L2/5/2K2 b - 1")
    assert found.is_check()
    assert texts(lion, "2k2/2p2/2L2/5/2K2 b - 1") == ["c4c3"]


def test_a_locust_takes_what_it_jumps() -> None:
    locust = board(kind("D", "mFcafmF"), kind("P", "fW"))
    position = "k4/5/1p1p1/2D2/4K w - 1"
    assert texts(locust, position) == ["c2a4", "c2b1", "c2d1", "c2e4"]
    assert after(locust, position, "c2a4") == "k4/D4/3p1/5/4K b - 2"


def test_a_hopper_gives_check_over_its_hurdle_alone() -> None:
    cannon = board(kind("C", "mRcpR"), kind("P", "mfWcfF"), rows="C . K . P")
    # The pawn on c2 is the hurdle. Its step leaves it one, its capture ends the check.
    over_a_pawn = "2k2/2c2/5/2P2/2K2 w - 1"
    assert Game(cannon, over_a_pawn).is_check()
    assert texts(cannon, over_a_pawn) == []
    assert texts(cannon, "2k2/2c2/1p3/2P2/2K2 w - 1") == ["c2b3"]
    # Without a hurdle there is no check, and no piece may become one.
    assert not Game(cannon, "2k2/2c2/1p3/3P1/2K2 w - 1").is_check()
    assert texts(cannon, "2k2/2c2/1pp2/3P1/2K2 w - 1") == []


def test_own_pieces_can_be_captured_where_the_move_says_so() -> None:
    eater = board(kind("E", "mdW"), kind("P", "fW"), **SHOGI_RULES)
    assert "c2c3" in texts(eater, "k4/5/2P2/2E2/4K w - 1")
    assert after(eater, "k4/5/2P2/2E2/4K w - 1", "c2c3") == "k4/5/2E2/5/4K b P 2"
    assert "e1e2" not in texts(eater, "k4/5/5/4K/4E w - 1")


def test_a_piece_that_cannot_be_captured_stands_in_the_way() -> None:
    iron = board(kind("I", "hasinu:fe() & 1×4dO"), kind("R", "R"))
    assert texts(iron, "k4/5/2i2/5/K1R2 w - 1") == ["c1b1", "c1c2", "c1d1", "c1e1"]
    but_rooks = board(
        kind("I", "hasinu:fe(inclusive, n4dD) & 1×4dO"), kind("R", "R"), kind("B", "B")
    )
    assert "c1c3" in texts(but_rooks, "k4/5/2i2/5/K1R2 w - 1")
    assert "b2c3" not in texts(but_rooks, "k4/5/2i2/1B3/K4 w - 1")


def test_castling_variants() -> None:
    long = game(
        "R . . . . K . . . R", [kind("K", "KisO3", royal=True), kind("R", "R")], ranks=5, **WHITE
    )
    moves = [str(move) for move in Game(long).legal_moves if move.partner]
    assert moves == ["f1c1", "f1i1"]
    found = Game(long)
    found.push("f1i1")
    assert found.position_text() == "r4k3r/10/10/10/R6RK1 b - 2"
    # Corner pieces one file in from the edge, as jO says.
    inner = game(
        ". R . . K . . R .", [kind("K", "KisjO2", royal=True), kind("R", "R")], ranks=5, **WHITE
    )
    assert [str(move) for move in Game(inner).legal_moves if move.partner] == ["e1c1", "e1g1"]


@pytest.mark.parametrize(
    ("position", "castlings"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w - 1", ["e1c1", "e1g1"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - 1 m=a1:-", ["e1g1"]),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - 1 m=e1:-", []),
        ("4k3/8/8/8/4r3/8/8/R3K2R w - 1", []),
        ("4k3/8/8/8/5r2/8/8/R3K2R w - 1", ["e1c1"]),
        ("4k3/8/8/8/6r1/8/8/R3K2R w - 1", ["e1c1"]),
        ("4k3/8/8/8/1r6/8/8/R3K2R w - 1", ["e1c1", "e1g1"]),
        ("4k3/8/8/8/8/8/8/RN2K1NR w - 1", []),
    ],
)
def test_nobody_castles_out_of_through_or_into_check(position: str, castlings: list[str]) -> None:
    found = Game(alfil.load("chess").variant, position)
    assert [str(move) for move in found.legal_moves if move.partner] == castlings


def test_castling_out_of_check_where_check_is_nothing() -> None:
    kinds = [kind("K", "KisO2", royal=True), kind("R", "R")]
    free = game("R . . . K . . R", kinds, self_check="allowed", **WHITE)
    position = "4k3/8/8/8/4r3/8/8/R3K2R w - 1"
    moves = [str(move) for move in Game(free, position).legal_moves if move.partner]
    assert moves == ["e1c1", "e1g1"]


def test_the_third_move_and_every_second_move() -> None:
    third = board(kind("M", "hasinu:1×1dN & atmove(3, 1×2dE-W)"))
    found = Game(third, "k4/5/5/5/M3K w - 1")
    counted = []
    for mine, theirs in (("a1a2", "a5b5"), ("a2a3", "b5a5")):
        counted.append([str(move) for move in found.legal_moves if move.code == "M"])
        found.push(mine)
        found.push(theirs)
    assert counted == [["a1a2"], ["a2a3"]]
    # A piece of unknown past has no third move; a text that counts from 0 has.
    assert [str(move) for move in found.legal_moves if move.code == "M"] == ["a3a4"]
    fresh = Game(third, "k4/5/5/5/M3K w - 1 m=a1:2")
    assert [str(move) for move in fresh.legal_moves if move.code == "M"] == ["a1a2", "a1b1"]
    assert Game(third, fresh.position_text()).legal_moves == fresh.legal_moves
    second = board(kind("M", "hasinu:1×1dN & ataction(2, 1×2dE-W)"))
    every = Game(second, "k4/5/5/5/M3K w - 1 m=a1:0")
    assert [str(move) for move in every.legal_moves if move.code == "M"] == ["a1a2"]
    every.push("a1a2")
    every.push("a5b5")
    assert [str(move) for move in every.legal_moves if move.code == "M"] == ["a2a3", "a2b2"]


def test_a_second_step_from_the_third_rank() -> None:
    pawns = game("P P P P P/. . K . .", [KING, kind("P", "mfWcfFiifmnD")], ranks=8, **WHITE)
    assert texts(pawns, "2k2/5/5/5/5/P4/5/2K2 w - 1") == ["a3a4", "a3a5"]
    assert texts(pawns, "2k2/5/5/5/P4/5/5/2K2 w - 1") == ["a4a5"]


def test_several_royals_of_which_one_may_be_lost() -> None:
    princes = [kind("K", "K", royal=True), kind("C", "K", royal=True), kind("R", "R")]
    one = game("K . C . R", princes, royal_lost="all", **WHITE)
    both = game("K . C . R", princes, royal_lost="any", **WHITE)
    position = "k1c2/5/r4/5/K1C1R w - 1"
    assert not Game(one, position).is_check()
    assert Game(both, position).is_check()
    assert Game(one, "k1c2/5/r4/5/K4 w - 1").is_check()
    taken = Game(one, "k1c2/5/R4/5/K1C1R w - 1")
    taken.push("a3a5")
    assert taken.outcome() is None
    ended = Game(one, "k4/5/R4/5/K1C1R w - 1")
    ended.push("a3a5")
    assert ended.outcome() == alfil.Outcome("w", "king-capture")


def test_royal_and_promotion_as_functions_of_the_piece() -> None:
    kinds = [
        kind("K", "hasinu:1×8d & royal()"),
        kind("P", "hasinu:1×1dN & promote(//reach rank four, n4dO, //piece B)"),
        kind("R", "R"),
        kind("B", "B"),
    ]
    made = game(". . K . .", kinds, **WHITE)
    assert texts(made, "k4/2P2/5/5/4K w - 1") == ["c4c5b", "c4c5r"]
    assert texts(made, "k4/5/2P2/5/4K w - 1") == ["c3c4b", "c3c4r"]
    assert texts(made, "k4/5/5/2P2/4K w - 1") == ["c2c3"]
    assert Game(made, "k3R/5/5/5/4K b - 1").is_check()


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("hasinu:1×8d & atmove(1, burn(1×8d))", "it burns"),
        ("hasinu:1×8d & atmove(1, im(1×8d, PA, 2))", "it immobilises"),
        ("hasinu:1×8d & atmove(1, i(1×8d, passive))", "it shoots"),
        ("hasinu:1×8d & sz(40)", "takes up 40 by 40 squares"),
        ("hasinu:1×8d & promote(//by a miracle, n4dO)", "promote()"),
    ],
)
def test_what_cannot_be_honoured_is_refused_by_name(move: str, words: str) -> None:
    with pytest.raises(alfil.RuleError) as caught:
        board(kind("X", move), kind("R", "R"))
    assert caught.value.kind == "unplayable-function"
    assert "X (piece X)" in str(caught.value)
    assert words in str(caught.value)


def test_wide_boards() -> None:
    row = " ".join(["K", *["."] * 34, "R"])
    wide = game(row, [KING, kind("R", "R"), kind("L", LION), kind("C", "mRcpR")], **WHITE)
    start = Game(wide)
    assert [str(move) for move in start.legal_moves if move.code == "K"] == ["a1a2", "a1b1", "a1b2"]
    along = {f"aj1aj{rank}" for rank in range(2, 37)}
    across = {f"aj1{file}1" for file in [*"bcdefghijklmnopqrstuvwxyz"]}
    across |= {f"aj1a{file}1" for file in "abcdefghi"}
    assert {str(move) for move in start.legal_moves if move.code == "R"} == along | across
    assert Game(wide, start.position_text()).legal_moves == start.legal_moves
    assert after(wide, start.position_text(), "aj1aj36").startswith("k34R/36/")
    taken = start.push("aj1aj36")
    assert taken.captures == ((35, 35),)
    assert start.outcome() is None
    assert start.is_check()


def test_shogi_squares_on_a_board_of_sixteen() -> None:
    row = " ".join(["K", *["."] * 14, "R"])
    wide = game(row, [KING, kind("R", "R")])
    found = Game(wide)
    assert "1p1a" in map(str, found.legal_moves)
    assert found.position_text() == "k14r/" + "16/" * 14 + "K14R b - 1"


def test_a_form_that_two_pieces_in_hand_could_be_comes_from_its_own() -> None:
    kinds = [KING, kind("C", "W", promotes=("R",)), kind("R", "R")]
    made = game("K . . C R", kinds, drop_form="either", zone=1, **WHITE, **SHOGI_RULES)
    both = Game(made, "k4/5/5/5/4K w CR 1")
    assert [str(move) for move in both.legal_moves].count("R*c3") == 1
    both.push("R*c3")
    assert both.position_text() == "k4/5/2R2/5/4K b C 2"
    assert after(made, "k4/5/5/5/4K w C 1", "R*c3") == "k4/5/2R2/5/4K b - 2"


@pytest.mark.parametrize(
    ("move", "targets"),
    [
        ("fmWifmnW2", ["a2", "a3"]),
        ("fmWfceFifmnW5", ["a2", "a3", "a4", "a5", "a6"]),
        ("fmWifmnR", ["a2", "a3", "a4", "a5", "a6"]),
        ("fmW2ifmW2", ["a2", "a3"]),
    ],
)
def test_a_move_that_two_parts_have_is_one_move(move: str, targets: list[str]) -> None:
    kinds = [KING, kind("P", move)]
    start = Game(game("P . . . K", kinds, ranks=7, first="white"))
    assert [str(each) for each in start.legal_moves if each.code == "P"] == [
        f"a1{t}" for t in targets
    ]
    assert start.perft(1) == len(targets) + 3
    hopper = Game(game("P . . . K", [*kinds, kind("C", "mRcpR")], ranks=7, first="white"))
    assert sorted(hopper.legal_moves, key=str) == sorted(start.legal_moves, key=str)
    assert hopper.perft(2) == start.perft(2)


def test_two_moves_that_differ_in_their_trail_alone_are_two() -> None:
    variant = game("P . . . K", [KING, kind("P", "fmW2ifmnW2fceF")], ranks=7, first="white")
    moves = [move for move in Game(variant).legal_moves if move.code == "P"]
    assert [(move.usi, move.trail) for move in moves] == [
        ("a1a2", ()),
        ("a1a3", ()),
        ("a1a3ea2", ((0, 1),)),
    ]


@pytest.mark.parametrize(
    ("functions", "kind_of_error", "words"),
    [
        ("fe(exclusive,//nobody)", "unknown-exception", "not: nobody"),
        ("fe(inclusive,//piece K,n4dO)", "unknown-exception", "not: what it describes"),
        ("promote(//enter promotion zone,//piece K)", "unplayable-function", "no promotion zone"),
        ("promote(//reach rank 0,//piece K)", "unplayable-function", "the board has 5 ranks"),
        ("promote(//reach rank eight,//piece K)", "unplayable-function", "the board has 5 ranks"),
        ("promote(//reach rank ²,//piece K)", "unplayable-function", "reach rank ²"),
    ],
)
def test_functions_that_would_have_no_effect_are_refused(
    functions: str, kind_of_error: str, words: str
) -> None:
    with pytest.raises(alfil.RuleError) as caught:
        board(kind("P", f"hasinu:{functions} & 1×1dN"))
    assert caught.value.kind == kind_of_error
    assert words in caught.value.diagnostics[0].message


def test_what_a_function_promotes_turns_back_in_hand() -> None:
    text = (
        'game "x"\nboard 5x5\nzone promotion ranks=1\n'
        "rule captured = to-hand\nrule drops = yes\n"
        'piece K "king" betza=K royal\n'
        'piece P "pawn" hasinu="1×1dN & promote(//enter promotion zone, //gold)"\n'
        'piece +P "gold" betza=WfF\nsetup\n| P . K . . |\n'
    )
    library = alfil.loads(text)
    assert [(each.code, each.base, each.letter) for each in library.variant.kinds] == [
        ("K", "K", "K"),
        ("P", "P", "P"),
        ("+P", "P", "+P"),
    ]
    game = library.game("+P1k2/5/5/5/4K w - 1")
    assert game.pieces[0, 4] == ("+P", 0)
    game = library.game("2k2/5/5/+p4/P3K b - 1")
    game.push("5e5d")
    assert game.hands == ({"P": 1}, {})


def test_a_royal_that_the_rule_would_spare_and_its_function_not_is_refused() -> None:
    royal = kind("Q", "hasinu:1×8d & royal()")
    with pytest.raises(alfil.RuleError) as caught:
        Game(board(royal, royal_lost="all"))
    assert caught.value.kind == "royal-twice"
    assert Game(board(kind("Q", "hasinu:1×8d & royal(O)"), royal_lost="all")).outcome() is None


def test_no_royal_begins_in_hand() -> None:
    with pytest.raises(alfil.PositionError) as caught:
        alfil.load("hand_shogi", pieces={"T": "hasinu:n8d & royal()"}).game()
    assert caught.value.kind == "position-piece"
