"""Hand shogi as bundled: positions, endings, notation and matches given with its rules."""

from __future__ import annotations

from collections import Counter

import pytest

import alfil
from alfil import Game
from boards import rows
from engine_games import variant_of
from gathering import every_row
from oracle.games.made_up import CROSS_CHECKS


def table(name: str) -> list[list[str]]:
    return [row for _, row in rows(name)]


MOVES = table("hand_shogi_moves.tsv")
ENDS = {row[0]: row for row in table("hand_shogi_ends.tsv")}
SPECIAL_ENDS = ("E12", "E13", "E14", "E15", "E16")


@pytest.fixture(scope="module")
def library() -> alfil.Library:
    return alfil.load("hand_shogi")


def texts(game: Game) -> set[str]:
    return {str(move) for move in game.legal_moves}


@every_row("row", MOVES)
def test_each_position_of_the_rules(library: alfil.Library, row: list[str]) -> None:
    _, position, move, verdict, after, *_ = row
    game = library.game(position)
    before = (game.position_text(), game.key, game.legal_moves)
    if verdict == "legal":
        assert game.why_illegal(move) is None
        made = game.push(move)
        assert str(made).rstrip("+") == move.rstrip("+")
        if after != "-":
            assert game.position_text() == after
        assert game.pop() == made
    else:
        assert move not in texts(game)
        with pytest.raises(alfil.IllegalMove) as caught:
            game.push(move)
        assert caught.value.kind == verdict
        assert game.why_illegal(move) is not None
    assert (game.position_text(), game.key, game.legal_moves) == before


@pytest.mark.parametrize("name", [name for name in ENDS if name not in SPECIAL_ENDS])
def test_each_ending_of_the_rules(library: alfil.Library, name: str) -> None:
    _, position, moves, winner, reason, detail, _ = ENDS[name]
    game = library.game(position)
    for move in moves.replace("-", "").split():
        assert game.outcome() is None
        game.push(move)
    outcome = game.outcome()
    if reason == "-":
        assert outcome is None
    else:
        assert (outcome.winner, outcome.reason) == (None if winner == "draw" else winner, reason)
        assert game.legal_moves == ()
        with pytest.raises(alfil.IllegalMove) as caught:
            game.push("5i5h")
        assert caught.value.kind == "game-over"
    if detail.endswith(" moves"):
        assert len(game.legal_moves) == int(detail.split()[0])


def test_e12_hands_are_part_of_a_position(library: alfil.Library) -> None:
    first, second = (library.game(ENDS["E12"][column]) for column in (1, 5))
    assert first.key != second.key
    assert first.key == library.game(first.position_text()).key


def test_e13_an_illegal_move_loses_when_adjudicated(library: alfil.Library) -> None:
    _, position, move, winner, reason, detail, _ = ENDS["E13"]
    game = library.game(position, adjudicate=True)
    game.push(move)
    outcome = game.outcome()
    assert (outcome.winner, outcome.reason, outcome.detail) == (winner, reason, detail)
    assert game.legal_moves == ()
    with pytest.raises(alfil.NotationError):
        library.game(position, adjudicate=True).push("SO-")


def test_e14_e15_impasse_is_agreed_in_the_zones_only(library: alfil.Library) -> None:
    game = library.game(ENDS["E14"][1])
    game.agree_impasse()
    assert (game.outcome().winner, game.outcome().reason) == (None, "impasse")
    game = library.game(ENDS["E15"][1])
    with pytest.raises(alfil.RuleError):
        game.agree_impasse()
    assert game.outcome() is None


def test_e16_both_checking_throughout_is_a_draw() -> None:

    _, position, moves, _, reason, *_ = ENDS["E16"]
    game = Game(variant_of(CROSS_CHECKS), position)
    for move in moves.split():
        assert game.outcome() is None
        game.push(move)
        assert game.is_check()
    assert (game.outcome().winner, game.outcome().reason) == (None, reason)


def test_a_move_to_its_own_square_ends_on_an_own_piece(library: alfil.Library) -> None:
    with pytest.raises(alfil.IllegalMove) as caught:
        library.game().push("5i5i")
    assert caught.value.kind == "own-piece"


def test_resignation(library: alfil.Library) -> None:
    game = library.game()
    game.push("T*5e")
    game.resign()
    assert (game.outcome().winner, game.outcome().reason) == ("b", "resignation")
    game = library.game()
    game.resign(1)
    assert (game.outcome().winner, game.outcome().reason) == ("b", "resignation")


def test_the_first_moves_by_kind(library: alfil.Library) -> None:
    moves = texts(library.game())
    drops = Counter(move[0] for move in moves if "*" in move)
    for part, count, _ in table("hand_shogi_first_moves.tsv"):
        if part.endswith(" drops"):
            assert drops[{"SH": "U"}.get(part.split()[0], part[0])] == int(count), part
    listed = [row[2] for row in table("hand_shogi_first_moves.tsv") if "drops" not in row[0]]
    assert {move for move in moves if "*" not in move} == set(" ".join(listed).split())
    assert {move for move in moves if move[0] == "H"} == {"H*7c", "H*3c"}
    assert len(moves) == 315


def test_313_moves_need_no_reconstruction(library: alfil.Library) -> None:
    board = "2g1k1g2/2p1d1p2/3ppp3/9/9/9/3PPP3/2P1D1P2/2G1K1G2"
    assert library.game(f"{board} b TU2S2N2Ltu2s2n2l 1").perft(1) == 313


def test_perft_move_by_move(library: alfil.Library) -> None:
    counts = {row[0]: [int(count) for count in row[1:]] for row in table("hand_shogi_perft.tsv")}
    two, three = (library.game().divide(depth) for depth in (2, 3))
    assert {move: [two[move], three[move]] for move in two} == counts
    assert library.game().perft(2) == sum(two.values()) == 92_393
    assert sum(three.values()) == 25_194_265


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("4k4/9/9/9/9/9/9/9/4K4 b - 1", set()),
        ("4k4/4T4/9/9/9/4t4/9/9/4K4 b T 1", {"TOO_MANY_PIECES", "OPPONENT_IN_CHECK"}),
        ("4k4/9/9/4P4/9/4P4/9/9/4K4 b - 1", {"TWO_SOLDIERS_ON_FILE"}),
        ("4k4/9/9/4P4/9/4p4/9/9/4K4 b - 1", set()),
        ("4k4/9/N8/9/9/9/9/9/4K4 b - 1", {"KNIGHT_IN_ZONE"}),
        ("4k4/9/+N8/9/9/9/n8/9/4K4 b - 1", {"KNIGHT_IN_ZONE"}),
        ("4k4/9/n8/9/9/9/9/9/4K4 b - 1", set()),
        ("4k4/4S3l/9/9/9/9/9/9/8K b - 1", {"OPPONENT_IN_CHECK"}),
        ("4k4/NN7/+N8/9/9/9/9/9/4K4 b 2n 1", {"TOO_MANY_PIECES", "KNIGHT_IN_ZONE"}),
    ],
)
def test_flags_of_strange_positions(library: alfil.Library, text: str, flags: set[str]) -> None:
    game = library.game(text)
    assert game.flags == flags
    assert game.outcome() is None
    assert game.legal_moves


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "4k4/9/9/9/9/9/9/4K4 b - 1",
        "4k4/9/9/9/9/9/9/9/4K3 b - 1",
        "4k4/9/9/9/9/9/9/9/4K5 b - 1",
        "4k4/9/9/9/4X4/9/9/9/4K4 b - 1",
        "4k4/9/9/9/4+G4/9/9/9/4K4 b - 1",
        "4k4/9/9/9/4+9/9/9/9/4K4 b - 1",
        "4k4/9/9/9/9/9/9/9/9 b - 1",
        "4k4/9/9/9/4K4/9/9/9/4K4 b - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b K 1",
        "4k4/9/9/9/9/9/9/9/4K4 x - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2 1",
        "4k4/9/9/9/9/9/9/9/4K4 b +N 1",
        "4k4/9/9/9/9/9/9/9/4K4 b - one",
        "4k4/9/9/9/9/9/9/9/4K4 b - 0",
    ],
)
def test_positions_that_cannot_be(library: alfil.Library, text: str) -> None:
    with pytest.raises(alfil.PositionError):
        library.game(text)


def test_what_a_position_text_may_leave_out(library: alfil.Library) -> None:
    assert library.game("4k4/9/9/9/9/9/9/9/4K4").position_text() == "4k4/9/9/9/9/9/9/9/4K4 b - 1"
    unordered = "4k4/9/9/9/9/9/9/9/4K4 w lPnTNPU 7"
    assert library.game(unordered).position_text() == "4k4/9/9/9/9/9/9/9/4K4 w TUN2Pnl 7"
