"""Matches played: who has which side, how games end, what is written down."""

from __future__ import annotations

import pytest

import alfil
from alfil import Game, Session
from alfil.play.session import Round  # what a session gives
from record_games import bundled

KINGS_IN = "9/9/4K4/9/9/9/4k4/9/9 b - 1"
CYCLE = ["7i8i", "3a2a", "8i7i", "2a3a"]


def hand_shogi(**options: object) -> Session:
    return Session(bundled("hand_shogi"), ("Ada", "Grace"), **options)  # type: ignore[arg-type]


def play(session: Session, winner: str) -> None:
    """End the current game for player 1 or 2, or as a draw (D), and begin the next one."""
    if winner == "D":
        for move in CYCLE * 3:
            session.push(move)
    else:
        first = session.player_of("b")
        session.resign(1 if first == int(winner) else 0)
    if not session.over:
        session.next_round()


@pytest.mark.parametrize(
    ("results", "winner"),
    [("11", 1), ("1211", 1), ("121", None), ("1D1", None), ("122", 2)],
)
def test_matches_are_won_by_two_games_in_a_row(results: str, winner: int | None) -> None:
    session = hand_shogi()
    for result in results:
        play(session, result)
    assert (session.match.winner, session.over) == (winner, winner is not None)


def test_sides_change_after_every_game_drawn_ones_too() -> None:
    session = hand_shogi()
    seen = [session.player_of("b")]
    for result in "1D2":
        play(session, result)
        seen.append(session.player_of("b"))
    assert seen == [1, 2, 1, 2]
    assert session.player_of("w") == 1


def test_whose_turn_it_is() -> None:
    session = hand_shogi()
    turns = [session.to_move]
    session.push("SO-6f")
    turns.append(session.to_move)
    play(session, "1")
    turns.append(session.to_move)
    assert turns == [1, 2, 2]


def test_a_drawn_game_is_a_repetition() -> None:
    session = hand_shogi()
    for move in CYCLE * 3:
        session.push(move)
    assert session.game.outcome() == alfil.Outcome(None, "repetition")
    assert session.match.results == (None,)


def test_no_next_game_while_one_goes_on_or_after_the_match() -> None:
    session = hand_shogi()
    with pytest.raises(alfil.RuleError) as caught:
        session.next_round()
    assert caught.value.kind == "round-goes-on"
    play(session, "1")
    play(session, "1")
    with pytest.raises(alfil.RuleError) as caught:
        session.next_round()
    assert caught.value.kind == "match-over"
    assert [bool(each.game.outcome()) for each in session.rounds] == [True, True]


def test_impasse_is_agreed_where_both_kings_have_entered() -> None:
    session = hand_shogi(position=KINGS_IN)
    session.agree_impasse()
    assert session.game.outcome() == alfil.Outcome(None, "impasse")
    with pytest.raises(alfil.RuleError):
        hand_shogi().agree_impasse()


def test_an_illegal_move_loses_only_where_it_is_judged() -> None:
    session = hand_shogi()
    with pytest.raises(alfil.IllegalMove):
        session.push("K-5h")
    assert session.game.outcome() is None
    judged = hand_shogi(adjudicate=True)
    judged.push("SO-6f")
    judged.push("K-5b")
    assert judged.game.outcome() == alfil.Outcome("b", "illegal-move", "own-piece")
    assert judged.round.texts == ["SO-6f"]
    with pytest.raises(alfil.NotationError):
        hand_shogi(adjudicate=True).push("K-5h ")


def test_moves_are_written_down_in_hodges_notation_whatever_they_came_in() -> None:
    session = hand_shogi()
    for move in ("6g6f", "f7f6", "so-5f"):
        session.push(move)
    session.push(session.game.read_move("5c5d"))
    assert session.round.texts == ["SO-6f", "SO-4d", "SO-5f", "SO-5d"]
    replayed = Game(bundled("hand_shogi"))
    for text in session.round.texts:
        replayed.push(text)
    assert replayed.moves == session.game.moves


def test_what_is_taken_back_takes_its_comments_along() -> None:
    session = hand_shogi()
    session.comment("before")
    session.push("SO-6f")
    session.comment("after one")
    session.push("SO-4d")
    session.comment("after two")
    session.pop()
    assert session.round.texts == ["SO-6f"]
    assert session.round.comments == {0: ["before"], 1: ["after one"]}
    session.resign()
    assert session.pop() is None
    assert session.game.outcome() is None
    assert session.round.texts == ["SO-6f"]


def test_nothing_to_take_back() -> None:
    session = hand_shogi()
    with pytest.raises(alfil.RuleError) as caught:
        session.pop()
    assert caught.value.kind == "nothing-to-take-back"


def test_a_game_played_without_a_session_has_a_record_too() -> None:
    game = alfil.load("chess").game("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    for move in ("a7a8q", "e8e7"):
        game.push(move)
    record = Round.of(game)
    assert record.texts == ["P-a8=Q", "K-e7"]
    assert record.game is game
    assert Game(game.variant, record.start).read_move("P-a8=N").promotes == "N"


def test_names_of_players_are_kept_on_one_line() -> None:
    session = Session(bundled("chess"), (" Ada\n Lovelace", "\u3000"))
    assert session.players == ("Ada Lovelace", "")


def test_texts_are_those_of_the_moves_that_stand() -> None:
    session = Session(alfil.load("chess").variant)
    for text in ("e4", "e5", "Nf3"):
        session.push(text)
    assert session.round.texts == ["P-e4", "P-e5", "N-f3"]
    session.pop()
    session.game.pop()
    session.push("d5")
    session.game.push("exd5")
    session.resign()
    assert session.round.texts == ["P-e4", "P-d5", "Pxd5"]
    session.game.pop()
    session.pop()
    assert session.round.texts == ["P-e4", "P-d5"]
