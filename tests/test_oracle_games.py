"""The naive oracle of games like shogi, judged by what is known of them before it judges others."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

import fairy_hands
from boards import rows
from gathering import every_row
from oracle.games.definition import Game, Ray
from oracle.games.known import hand_shogi, minishogi, shogi
from oracle.games.made_up import CROSS_CHECKS, MADE_UP
from oracle.games.play import End, Hand, first_player, match_winner, may_agree_impasse
from oracle.games.position import (
    Position,
    after,
    board_fault,
    drop_fault,
    fault,
    legal_moves,
    perft,
)
from oracle.games.published import KYOTO_SHOGI, TORI_SHOGI
from oracle.games.text import hodges, read, read_usi, usi_moves, write
from strategies import NIGHTLY

HAND_SHOGI = hand_shogi()
START = read(HAND_SHOGI, HAND_SHOGI.start)


def table(name: str) -> list[list[str]]:
    return [row for _, row in rows(name)]


@every_row("row", table("hand_shogi_moves.tsv"))
def test_it_gives_the_verdicts_of_the_rules(row: list[str]) -> None:
    _, text, move, verdict, following, *_ = row
    position = read(HAND_SHOGI, text)
    found = read_usi(position, move)
    assert fault(position, found) == ("" if verdict == "legal" else verdict)
    if following != "-":
        assert write(after(position, found)) == following


def played(game: Game, position: str, moves: str) -> Hand:
    hand = Hand(read(game, position))
    for move in moves.split():
        hand.push(read_usi(hand.position, move))
    return hand


ENDS = {row[0]: row for row in table("hand_shogi_ends.tsv")}
SIDES = {"b": 0, "w": 1, "draw": None}


@pytest.mark.parametrize(
    "name", [name for name in ENDS if name not in ("E12", "E13", "E14", "E15")]
)
def test_it_ends_hands_as_the_rules_do(name: str) -> None:
    _, position, moves, winner, reason, *_ = ENDS[name]
    game = CROSS_CHECKS if name == "E16" else HAND_SHOGI
    hand = played(game, position, moves.replace("-", ""))
    assert hand.end == (None if winner == "-" else End(SIDES[winner], reason))


def test_it_knows_hands_illegal_moves_and_impasse() -> None:
    first, second = (read(HAND_SHOGI, ENDS["E12"][column]) for column in (1, 5))
    assert first.key != second.key
    assert fault(START, read_usi(START, "5i5h")) == "own-piece"
    agreed = [may_agree_impasse(read(HAND_SHOGI, ENDS[name][1])) for name in ("E14", "E15")]
    assert agreed == [True, False]
    assert len(usi_moves(read(HAND_SHOGI, ENDS["E04"][1]))) == 77


def test_it_has_the_315_first_moves_of_hand_shogi() -> None:
    parts = {
        part: (int(count), moves) for part, count, moves in table("hand_shogi_first_moves.tsv")
    }
    moves = usi_moves(START)
    drops = Counter(move[0] for move in moves if "*" in move)
    letters = {"SH": "U"}
    for part, (count, listed) in parts.items():
        if part.endswith(" drops"):
            code = part.split()[0]
            assert drops[letters.get(code, code)] == count, part
        else:
            assert set(listed.split()) <= moves
            assert len(listed.split()) == count
    assert len(moves) == sum(count for count, _ in parts.values()) == 315


@pytest.mark.parametrize("row", table("hand_shogi_hodges.tsv"), ids=lambda row: row[0])
def test_it_writes_moves_as_the_article_does(row: list[str]) -> None:
    _, text, written, usi = row
    position = read(HAND_SHOGI, text)
    assert hodges(position, read_usi(position, usi)) == written


@pytest.mark.parametrize("row", table("hand_shogi_matches.tsv"), ids=" ".join)
def test_it_counts_hands_of_a_match(row: list[str]) -> None:
    results, draw, winner, hands = row
    found = match_winner(results.replace(" ", ""), draw_breaks_streak=draw == "breaks")
    assert found == (None if winner == "-" else int(winner), int(hands))


def test_it_alternates_the_first_player() -> None:
    assert [first_player(hand) for hand in (1, 2, 3)] == [1, 2, 1]
    assert [first_player(hand, alternate=False) for hand in (1, 2, 3)] == [1, 1, 1]


def test_other_moves_for_the_lost_pieces_are_data() -> None:
    slow = hand_shogi({"T": ("", ()), "SH": ("", ()), "O": ("", ()), "H": ("", ())})
    assert len(legal_moves(read(slow, slow.start))) == 313
    far = hand_shogi({"T": ("R4", tuple(Ray(dx, dy, 4) for dx, dy in ((0, 1), (1, 0))))})
    position = read(far, "8k/9/9/9/4T4/9/9/9/K8 b - 1")
    assert "5e5a" in usi_moves(position)
    assert "5e4d" not in usi_moves(position)


@pytest.fixture(scope="module")
def fairy() -> None:
    fairy_hands.install()


def walk(game: Game, seed: int, plies: int) -> list[Position]:
    """The positions of a random game, board moves and drops equally often."""
    draw, position = random.Random(seed), read(game, game.start)
    seen = []
    for _ in range(plies):
        seen.append(position)
        moves = legal_moves(position)
        if not moves:
            break
        on_board = [move for move in moves if move.origin]
        position = after(
            position, draw.choice(on_board if draw.random() < 0.5 and on_board else moves)
        )
    return seen


# The rules of Hand shogi that the program cannot be told.
UNTOLD = {"file", "drop-zone", "drop-rank", "drop-check"}


def unknown_to_fairy(position: Position, text: str, untold: set[str]) -> bool:
    """Whether only a rule the program does not know, or not as a rule, forbids the move."""
    move = read_usi(position, text)
    found = board_fault(position, move) if move.origin else drop_fault(position, move)
    return found in untold or fault(position, move) == "drop-mate"


@pytest.mark.usefixtures("fairy")
@pytest.mark.parametrize(
    ("game", "variant", "games", "plies"),
    [
        pytest.param(shogi(), "shogi", 1, 90, id="shogi"),
        pytest.param(minishogi(), "minishogi", 2, 50, id="minishogi"),
        pytest.param(replace(HAND_SHOGI, careless=True), "alfilhand", 1, 60, id="hand shogi"),
        pytest.param(KYOTO_SHOGI, "kyotoshogi", 1, 60, id="kyoto shogi"),
        pytest.param(TORI_SHOGI, "torishogi", 1, 60, id="tori shogi"),
    ],
)
def test_it_has_the_moves_of_fairy_stockfish(
    game: Game, variant: str, games: int, plies: int
) -> None:
    untold = UNTOLD if game.careless else set()
    for seed in range(games):
        for position in walk(game, seed, plies)[:: 1 if NIGHTLY else 2]:
            theirs = fairy_hands.moves(variant, write(position), game.files, game.ranks)
            left = {move for move in theirs if not unknown_to_fairy(position, move, untold)}
            assert usi_moves(position) == left, write(position)


@pytest.mark.parametrize(
    ("game", "counts"), [(shogi(), [30, 900]), (minishogi(), [14, 181])], ids=["shogi", "minishogi"]
)
def test_it_has_the_known_perft_counts(game: Game, counts: list[int]) -> None:
    position = read(game, game.start)
    assert [perft(position, depth) for depth in (1, 2)] == counts


@pytest.mark.parametrize("game", MADE_UP, ids=lambda game: game.name)
def test_made_up_games_can_be_played(game: Game) -> None:
    positions = walk(game, 1, 30)
    assert len(positions) > 10
    assert [write(read(game, write(position))) for position in positions] == [
        write(position) for position in positions
    ]
