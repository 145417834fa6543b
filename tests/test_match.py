"""Matches: who has won after which games, and who has the first side."""

import pytest

from games import rules_of
from inside import Match, Rules

TWO_IN_A_ROW = rules_of(match="2 consecutive")


def played(rules: Rules, players: str) -> Match:
    """The match after games won by these players: 1, 2, or D for a draw."""
    match = Match(rules)
    for player in players:
        first = rules.first[0]
        second = "w" if first == "b" else "b"
        match = match.with_result(
            None if player == "D" else first if int(player) == match.first_player else second
        )
    return match


@pytest.mark.parametrize(
    ("players", "draws", "winner"),
    [
        ("11", "breaks", 1),
        ("1", "breaks", None),
        ("121", "breaks", None),
        ("1211", "breaks", 1),
        ("1D1", "breaks", None),
        ("1D11", "breaks", 1),
        ("1D1", "ignored", 1),
        ("1D2", "ignored", None),
        ("1DD1", "ignored", 1),
        ("122", "breaks", 2),
        ("DD", "breaks", None),
    ],
)
def test_two_in_a_row(players: str, draws: str, winner: int | None) -> None:
    rules = rules_of(match="2 consecutive", match_draw=draws)
    match = played(rules, players)
    assert match.winner == winner
    assert match.over is (winner is not None)


@pytest.mark.parametrize("first", ["black", "white"])
@pytest.mark.parametrize(("order", "sides"), [("alternate", [1, 2, 1]), ("fixed", [1, 1, 1])])
def test_who_moves_first(order: str, sides: list[int], first: str) -> None:
    rules = rules_of(first=first, match="2 consecutive", match_first=order)
    match = Match(rules)
    seen = [match.first_player]
    for _ in range(2):
        match = match.with_result(None)
        seen.append(match.first_player)
    assert seen == sides


def test_winners_are_players_whatever_side_they_had() -> None:
    match = Match(TWO_IN_A_ROW).with_result("b").with_result("b").with_result("w")
    # Player 1 is black in games 1 and 3, player 2 in game 2.
    assert match.winners == (1, 2, 2)
    assert (match.winning_streaks, match.wins, match.winner) == ((0, 2), (1, 2), 2)


def test_best_of() -> None:
    rules = rules_of(match="best-of 5")
    assert played(rules, "1212").winner is None
    assert played(rules, "12121").winner == 1
    assert played(rules, "1D1D1").winner == 1


def test_a_single_game_may_be_drawn() -> None:
    drawn = Match(rules_of()).with_result(None)
    assert (drawn.over, drawn.winner) == (True, None)
    assert Match(rules_of()).with_result("w").winner == 2


def test_nothing_follows_a_match_that_is_over() -> None:
    match = played(TWO_IN_A_ROW, "11")
    with pytest.raises(ValueError, match="the match is over"):
        match.with_result("b")
    with pytest.raises(ValueError, match="not 'x'"):
        Match(TWO_IN_A_ROW).with_result("x")
