"""Regions of squares: how they are written, and what pieces may do in them and nowhere else."""

import re

import pytest

import alfil
from agreeing import check, check_reasons
from alfil.library.rules_page import rules_page

XIANGQI = """
board 9x10
region palace files=d-f ranks=1-3
region far ranks=6-10
rule  first = white
piece K "general"  betza=W  royal within=palace
piece A "advisor"  betza=F  within=palace
piece B "elephant" betza=nA outside=far
piece N "horse"    betza=nN
piece R "chariot"  betza=R
piece C "cannon"   betza=mRcpR
piece P "soldier"  betza=fW
moves P at=far betza=sW
setup
| P . P . P . P . P |
| . C . . . . . C . |
| . . . . . . . . . |
| R N B A K A B N R |
"""
SMALL = """
board 5x5
rule first = white
rule captured = to-hand
rule drops = yes
piece K "king" betza=K royal {king}
piece R "rook" betza=R {rook}
{lines}
setup
| . . K . . |
"""


def small(lines: str = "", king: str = "", rook: str = "") -> str:
    return SMALL.format(lines=lines, king=king, rook=rook)


def kinds(text: str) -> list[str]:
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(text)
    return [diagnostic.kind for diagnostic in caught.value.diagnostics]


def test_counts_of_xiangqi_are_those_of_others() -> None:
    # Without the rule that generals may not face each other, which matters later.
    game = alfil.loads(XIANGQI).game()
    assert [game.perft(depth) for depth in (1, 2, 3)] == [44, 1920, 79666]


def test_the_engine_keeps_to_regions() -> None:
    game = alfil.loads(XIANGQI).game("3k5/3P5/9/9/9/9/9/4B4/4A4/4K4 w - 1")
    check(game, 2)
    check_reasons(game)
    moves = {str(move) for move in game.legal_moves}
    assert {"d9c9", "d9e9", "d9d10"} <= moves
    assert not {"e1g1", "e2g4"} & moves


@pytest.mark.parametrize(
    ("lines", "squares"),
    [
        ("region r files=a-b ranks=1", {"a1", "b1"}),
        ("region r files=c", {"c1", "c2", "c3", "c4", "c5"}),
        ("region r squares=a1,e5", {"a1", "e5"}),
        ("region r squares=a1 files=e ranks=5", {"a1", "e5"}),
        ("region r\n| * . . . . |\n| . * . . . |", {"a2", "b1"}),
    ],
)
def test_a_region_is_listed_or_drawn(lines: str, squares: set[str]) -> None:
    library = alfil.loads(small(lines))
    game = library.game()
    (region,) = library.regions
    assert {game.square_name(at) for at in region.squares[0]} == squares


def test_the_second_side_has_it_turned_or_reflected_or_its_own() -> None:
    turned = alfil.loads(small("region r squares=a1,b2")).regions[0].squares[1]
    mirrored = alfil.loads(small("region r mirrored squares=a1,b2")).regions[0].squares[1]
    own = alfil.loads(small("region r first squares=a1\nregion r second squares=b2"))
    assert turned == {(4, 4), (3, 3)}
    assert mirrored == {(0, 4), (1, 3)}
    assert own.regions[0].squares == ({(0, 0)}, {(3, 3)})


@pytest.mark.parametrize(
    ("lines", "king", "kind"),
    [
        ("region r files=a-f", "", "wrong-number"),
        ("region r files=b-a", "", "wrong-number"),
        ("region r squares=a6", "", "wrong-number"),
        ("region r ranks=6-7", "", "incomplete-line"),
        ("region r", "", "incomplete-line"),
        ("region r squares=a1 middle", "", "unknown-key"),
        ("region r squares=a1 size=2", "", "unknown-key"),
        ("region r squares=a1\nregion r squares=b1", "", "given-twice"),
        ("region r squares=a1 first\nregion r squares=b1", "", "given-twice"),
        ("region 3r squares=a1", "", "wrong-code"),
        ("zone promotion ranks=1\nregion promotion ranks=5", "", "given-twice"),
        ("region hill squares=a1", "within=hell", "unknown-value"),
        ("", "within=3-9", "wrong-number"),
        ("region r\n| . * |", "", "wrong-row"),
        ("region r squares=a1\nmoves K betza=N", "", "incomplete-line"),
        ("region r squares=a1\nmoves X in=r betza=N", "", "unknown-piece"),
        ("region r squares=a1\nmoves K in=s betza=N", "", "unknown-value"),
        ("region r squares=a1\nmoves K in=r royal betza=N", "", "unknown-key"),
        ("region r squares=a1\nmoves K in=r", "", "no-movement"),
        ("region r squares=a1\nmoves K in=r betza=E", "", "unknown-atom"),
        ("rule goal = K hell\nrule win = goal", "", "unknown-value"),
    ],
)
def test_what_is_wrong_with_a_region_is_named(lines: str, king: str, kind: str) -> None:
    assert kinds(small(lines, king)) == [kind]


def test_a_move_out_of_a_region_has_a_reason() -> None:
    game = alfil.loads(small("region r ranks=1-2", "within=r", "drop-in=r")).game(
        "2k2/5/5/2K2/5 w R 1"
    )
    reason = game.why_illegal("c2c3")
    assert reason is not None
    assert reason.code == "region"
    reason = game.why_illegal("R*c3")
    assert reason is not None
    assert reason.code == "drop-region"
    assert game.why_illegal("R*b2") is None


def test_a_piece_gives_no_check_where_it_may_not_go() -> None:
    text = small("region r ranks=1-3", rook="within=r")
    assert not alfil.loads(text).game("2k2/5/5/2R2/2K2 b - 1").is_check()
    assert alfil.loads(small()).game("2k2/5/5/2R2/2K2 b - 1").is_check()


def test_a_region_can_be_the_promotion_zone_of_all_or_of_one() -> None:
    lines = 'piece P "pawn" betza=fW promotes=R\nrule promotion-when = ends\n'
    every = alfil.loads(small(f"{lines}region promotion squares=a5")).game("4k/P1P2/5/5/K4 w - 1")
    assert {"a4a5+", "c4c5"} <= {str(move) for move in every.legal_moves}
    assert "c4c5+" not in {str(move) for move in every.legal_moves}
    own = lines.replace("betza=fW", "betza=fW promotes-in=3-5")
    assert "b2b3+" in {
        str(move) for move in alfil.loads(small(own)).game("4k/5/5/1P3/K4 w - 1").legal_moves
    }


def test_a_goal_can_be_a_region() -> None:
    lines = "region hill squares=c3\nrule goal = K hill\nrule win = mate,goal"
    game = alfil.loads(small(lines)).game("2k2/5/5/2K2/5 w - 1")
    game.push("c2c3")
    assert game.outcome() == alfil.Outcome("w", "goal")


def test_moves_may_hold_between_the_squares_of_a_region_only() -> None:
    lines = "region points squares=a1,b2,c3\nmoves R in=points betza=B"
    game = alfil.loads(small(lines)).game("4k/5/5/5/R1K2 w - 1")
    assert {str(move)[2:] for move in game.legal_moves if str(move).startswith("a1")} == {
        "a2", "a3", "a4", "a5", "b1", "b2", "c3",
    }  # fmt: skip


def test_the_rules_page_tells_of_regions() -> None:
    told = rules_page(alfil.loads(XIANGQI))
    assert "The region palace is d1 to f3 for White, d8 to f10 for Black." in told
    assert "A general (K) may only go to the region palace." in told
    assert "An elephant (B) may not go to the region far." in told
    assert re.search(r"A soldier \(P\) has more moves from squares of the region far\.", told)


def test_names_that_say_something_else_are_no_regions() -> None:
    assert kinds(small("region none files=a")) == ["wrong-code"]


def test_a_region_needs_a_board() -> None:
    assert kinds('region far ranks=1\npiece K "king" betza=K\n') == ["no-board"]


def test_a_zone_is_no_region_where_there_is_none_of_that_name() -> None:
    assert alfil.loads(small("zone promotion ranks=1\nregion far ranks=1")).variant.regions
    assert kinds(small("zone promotion ranks=1\nregion promotion ranks=1")) == ["given-twice"]


@pytest.mark.parametrize("area", [(), (1,), (1, 2, 3), ("1", "2"), (1.0, 2), (True, 2)])
def test_an_area_that_is_neither_a_name_nor_two_ranks_is_refused(area: tuple[int, int]) -> None:
    with pytest.raises(TypeError, match="two ranks"):
        alfil.load("chess").variant.squares(area, 0)


def test_ranks_outside_the_board_have_no_squares() -> None:
    variant = alfil.load("chess").variant
    assert variant.squares((-(10**12), 10**12), 1) == variant.squares((1, 8), 1)
    assert not variant.squares((9, 12), 0)
    with pytest.raises(ValueError, match="a side is 0 or 1"):
        variant.squares((1, 8), 2)
