"""Ends of games beyond mate and stalemate, and moves that must be captures."""

from __future__ import annotations

import pytest

import alfil
from alfil import Game, Opponent
from games import KING, game, kind

ROOKS = game("K . . R", [KING, kind("R", "R"), kind("B", "B")], must_capture="yes", first="white")


def over(board: str, **rules: object) -> tuple[str | None, str] | None:
    """How a position with the second side to move ended, as winner and reason."""
    kinds = [KING, kind("R", "R"), kind("P", "fmWfcF")]
    outcome = Game(game("K R P .", kinds, first="white", **rules), f"{board} b").outcome()
    return outcome and (outcome.winner, outcome.reason)


def test_a_capture_must_be_made() -> None:
    played = Game(ROOKS, "1k2/4/K3/2rR b")
    assert {str(move) for move in played.legal_moves} == {"c1d1"}
    assert (
        str(played.why_illegal("c1c2"))
        == "must-capture: a capture is possible, so the move must capture"
    )
    assert Game(ROOKS, "3k/4/2r1/KR2 b").why_illegal("c2c3") is None


def test_a_capture_that_is_illegal_need_not_be_made() -> None:
    # The rook is pinned.
    played = Game(ROOKS, "1r1b/4/1R2/K2k w")
    assert {str(move) for move in played.legal_moves} == {"a1a2", "a1b1"}


@pytest.mark.parametrize(
    ("rule", "board", "ended"),
    [
        ("all:1 loss", "3k/4/4/K1R1", ("w", "extinction")),
        ("all:1 win", "3k/4/4/K1R1", ("b", "extinction")),
        ("all:1 draw", "3k/4/4/K1R1", (None, "extinction")),
        ("all:1 loss", "3k/4/2p1/K1R1", None),
        # The side that moved last is looked at first.
        ("all:1 loss", "3k/4/4/K3", ("b", "extinction")),
        ("P loss", "3k/3r/4/K1P1", ("w", "extinction")),
        ("P,R loss", "3k/3r/3p/K1P1", ("b", "extinction")),
        ("each win", "3k/3p/4/KPR1", ("b", "extinction")),
        ("each win", "3k/2rp/4/KPR1", None),
    ],
)
def test_extinction(rule: str, board: str, ended: tuple[str | None, str] | None) -> None:
    assert over(board, extinction=rule) == ended


@pytest.mark.parametrize(
    ("board", "rules", "ended"),
    [
        ("k3/1R2/1K2/3R", {"mate": "win"}, (None, "stalemate")),
        ("k2R/1R2/1K2/4", {"mate": "win"}, ("b", "mate")),
        ("k2R/1R2/1K2/4", {"mate": "loss"}, ("w", "mate")),
        ("k3/1R2/2K1/4", {"stalemate": "fewer"}, ("b", "stalemate")),
        ("k3/1R2/2K1/4", {"stalemate": "more"}, ("w", "stalemate")),
        ("k3/1R2/2K1/4", {"draw_odds": "first"}, ("w", "stalemate")),
        ("k3/1R2/2K1/4", {"draw_odds": "second"}, ("b", "stalemate")),
        ("k3/1R2/2K1/4", {"draw_odds": "points"}, ("w", "stalemate")),
        ("k3/1R2/2K1/4", {"draw_odds": "points 0 5"}, (None, "stalemate")),
        ("k3/1R2/2K1/4", {"draw_odds": "points 0 5.5"}, ("b", "stalemate")),
    ],
)
def test_results(board: str, rules: dict[str, str], ended: tuple[str | None, str] | None) -> None:
    assert over(board, **rules) == ended


def test_a_piece_counts_what_its_line_says() -> None:
    kinds = [KING, kind("R", "R", points=1), kind("P", "fmWfcF", points=2)]
    counted = game("K R P .", kinds, first="white", draw_odds="points")
    # The pawn on its last rank cannot move.
    for board, winner in (("k3/1R2/2K1/4", "w"), ("k3/1R2/2K1/3p", "b")):
        assert Game(counted, f"{board} b").outcome() == alfil.Outcome(winner, "stalemate")


def test_points_that_nothing_counts_are_warned_of() -> None:
    text = 'board 3x3\npiece K "king" betza=K royal\npiece R "rook" betza=R points=5\n'
    assert [each.kind for each in alfil.loads(text).diagnostics] == ["changes-nothing"]
    for rule in ("draw-odds = points", "impasse = points 2 2"):
        assert not alfil.loads(f"{text}rule {rule}\n").diagnostics
    for rule in ("points 1", "points 1 x", "points 1 0.25", "first 1 1"):
        with pytest.raises(alfil.PieceFileError):
            alfil.loads(f"{text}rule draw-odds = {rule}\n")


def test_who_has_no_other_move_passes() -> None:
    kinds = [kind("P", "fmW"), kind("Q", "fmW", points=2)]
    stuck = game("P . Q .", kinds, first="white", passes="stuck", draw_odds="points")
    played = Game(stuck, "4/p3/P3/3Q w")
    assert str(played.why_illegal("a2a2")) == "pass: a side may pass only if it has no other move"
    for text in ("d1d2", "a3a3", "d2d3", "a3a3"):
        assert played.outcome() is None
        played.push(text)
    played.push("d3d4")
    # Neither has a move: the game is over without passes.
    assert played.legal_moves == ()
    assert played.outcome() == alfil.Outcome("w", "pass")
    played.pop()
    assert played.outcome() is None
    # A side without a piece has none to pass with.
    assert Game(stuck, "4/4/P3/4 b").outcome() == alfil.Outcome("w", "stalemate")


def test_who_is_in_check_and_has_no_move_does_not_pass() -> None:
    stuck = game("K R . .", [KING, kind("R", "R")], first="white", passes="stuck")
    mated = Game(stuck, "k2R/1R2/1K2/4 b")
    assert mated.outcome() == alfil.Outcome("w", "mate")
    assert [*map(str, Game(stuck, "k3/1R2/2K1/4 b").legal_moves)] == ["a4a4"]


def test_a_side_is_mated_in_time_or_the_game_is_drawn() -> None:
    counted = game("K R . .", [KING, kind("R", "R")], first="white", countdown="1/R:2, all:4")
    played = Game(counted, "k3/1R2/2K1/4 w - 9 countdown=4:3")
    played.push("b3d3")
    assert played.outcome() is None
    played.push("a4b4")
    assert played.outcome() == alfil.Outcome(None, "countdown")
    # A mate by the last move counts.
    played = Game(counted, "k3/3R/1K2/4 w - 9 countdown=4:4")
    played.push("d3d4")
    assert played.outcome() == alfil.Outcome("w", "mate")


def test_a_countdown_begins_when_a_side_is_left_alone() -> None:
    makruk = alfil.load("makruk")
    played = makruk.game("7k/8/8/8/8/8/1n6/KRR5 w - 1")
    played.push("a1b2")
    assert played.position_text().split()[-1] == "countdown=16:8"
    again = makruk.game(played.position_text())
    for each in (played, again):
        each.push("h8h7")
        assert each.position_text().split()[-1] == "countdown=16:9"
    played.pop()
    assert played.position_text().split()[-1] == "countdown=16:8"
    with pytest.raises(alfil.PositionError):
        makruk.game("7k/8/8/8/8/8/1n6/KRR5 w - 1 countdown=16")
    with pytest.raises(alfil.PositionError):
        alfil.load("chess").game("7k/8/8/8/8/8/1n6/KRR5 w - 1 countdown=16:8")


def test_the_pieces_of_a_countdown_are_known() -> None:
    text = 'board 3x3\npiece K "king" betza=K royal\nrule countdown'
    for rest, found in (
        (" = 1/X:5\n", "unknown-piece"),
        (" = 1:5\nrule countdown-without = X\n", "unknown-piece"),
        ("-from = pieces\n", "changes-nothing"),
        (" = 1:5 2\n", "unknown-value"),
        (" = 0:5\n", "unknown-value"),
    ):
        try:
            diagnostics = alfil.loads(text + rest).diagnostics
        except alfil.PieceFileError as error:
            diagnostics = error.diagnostics
        assert found in [each.kind for each in diagnostics], rest


def test_the_opponent_gives_its_pieces_away_where_that_wins() -> None:
    kinds = [kind("R", "R"), kind("P", "fmWfcF")]
    anti = game("R . . .", kinds, must_capture="yes", extinction="all win", first="white")
    move = Opponent(anti).choose(Game(anti, "4/1p2/4/R3 w"))
    assert str(move) == "a1a2"


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("extinction = X loss", "unknown-piece"),
        ("move-limit = 50 X", "unknown-piece"),
        ("goal = X 3-3\nrule win = mate,goal", "unknown-piece"),
        ("goal = K hill\nrule win = mate,goal", "unknown-value"),
    ],
)
def test_the_pieces_that_rules_name_are_known(rule: str, kind: str) -> None:
    pieces = 'piece K "king" betza=K royal\npiece R "rook" betza=R\n'
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(f'game "X"\nboard 3x3\nrule {rule}\n{pieces}setup\n| K . R |\n')
    assert [each.kind for each in caught.value.diagnostics] == [kind]


def test_all_royals_attacked_at_once_are_in_check() -> None:
    kinds = [KING, kind("R", "R")]
    for rule, check in (("yes", True), ("no", False)):
        rules = {"royal_lost": "all", "duple_check": rule}
        spartan = game("K R . K", kinds, first="white", **rules)
        assert Game(spartan, "k2k/4/4/RK1R b").is_check() == check
        assert not Game(spartan, "k2k/4/4/RK2 b").is_check()


def test_mates_that_do_not_count() -> None:
    kinds = [f"{KING} mates=drawn", kind("R", "R", mates="never"), kind("Q", "Q")]
    shatar = game("K R Q .", kinds, first="white")
    # A mate by the rook alone is lost by its side.
    played = Game(shatar, "k3/3R/1K2/4 w")
    played.push("d3d4")
    assert played.outcome() == alfil.Outcome("b", "mate")
    drawn = game("K R Q .", [KING, kind("R", "R", mates="drawn"), kind("Q", "Q")], first="white")
    played = Game(drawn, "k3/3R/1K2/4 w")
    played.push("d3d4")
    assert played.outcome() == alfil.Outcome(None, "mate")
    # With a check of the queen before, it counts.
    played = Game(drawn, "1k2/3R/Q1K1/4 w")
    for move in ("a2b2", "b4a4", "d3d4"):
        played.push(move)
    assert played.outcome() == alfil.Outcome("w", "mate")


def test_the_first_position_counts_when_it_comes_back() -> None:
    small = game("K . .", [KING], files=3, ranks=5, repetition="2 draw", first="white")
    played = Game(small)
    for move in ("a1b1", "a5b5", "b1a1"):
        played.push(move)
        assert played.outcome() is None
    played.push("b5a5")
    assert played.outcome() == alfil.Outcome(None, "repetition")
