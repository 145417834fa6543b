"""The page on which one mates a lone king: what it asks, and what is answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from alfil.site.piece_requests import answer  # pages ask it, in JSON
from gathering import every_row

LONGEST = {"R": 16, "Q": 10}


def ask(call: str, *arguments: object) -> Any:  # noqa: ANN401 - JSON
    return json.loads(answer(call, json.dumps(arguments)))


@pytest.mark.parametrize("piece", LONGEST)
def test_best_play_mates_in_as_many_moves_as_are_told(piece: str) -> None:
    source, moves = {"mate": piece}, list[str]()
    start = ask("ending", source, 3)["start"]
    state = ask("state", source, start, moves)
    told = [state["mate"]]
    assert 1 < told[0] <= LONGEST[piece]
    while not state["outcome"]:
        moves.append(ask("reply", source, start, moves, 1, 0)["text"])
        state = ask("state", source, start, moves)
        told.append(state["mate"])
    assert state["outcome"] == {"winner": "white", "reason": "checkmate"}
    # After a move of White one move less is left, and Black's answer changes nothing.
    assert told == [(2 * told[0] - ply) // 2 for ply in range(2 * told[0])]
    words = ask("advice", source, start, [])["verdict"]
    assert words == f"White wins in {told[0]} move{'s' * (told[0] > 1)}."


def test_every_seed_has_another_position_and_each_the_same_again() -> None:
    source = {"mate": "Q"}
    starts = [ask("ending", source, seed)["start"] for seed in (0, 1, 2, 0)]
    assert len(set(starts)) == 3
    assert starts[0] == starts[3]
    assert ask("state", source, "", [])["position"] == starts[0]


def test_no_mate_is_told_where_the_piece_is_lost() -> None:
    source, start = {"mate": "R"}, "8/8/8/8/8/8/1k6/X2K4 b - 1"
    assert ask("state", source, start, [])["mate"] == 0
    taken = ask("state", source, start, ["b2a1"])
    assert taken["outcome"]["winner"] == ""
    assert taken["mate"] == 0


@every_row(
    "text, notation, title",
    [
        ("griffon", "", "King and griffon against king"),
        ("1×4dD &t n4dO", "", "King and 1×4dD &t n4dO against king"),
        ("n4dO", "hasinu", "King and n4dO against king"),
        ("KN", "betza", "King and KN against king"),
    ],
)
def test_any_notation_is_read(text: str, notation: str, title: str) -> None:
    setup = ask("setup", {"mate": text, "notation": notation})
    assert setup["title"] == title


@every_row(
    "text, words",
    [
        ("B", "king and B never mate a lone king"),
        ("knight", "king and knight never mate a lone king"),
        ("sz(2,2) & 1×4dO", "no endings are solved: pieces take up several squares"),
        ("Qx(", "no matching )"),
        ("", "the name is empty"),
    ],
)
def test_pieces_that_do_not_mate_say_so(text: str, words: str) -> None:
    setup = ask("setup", {"mate": text})
    assert "pieces" not in setup
    assert setup["diagnostics"][0]["message"] == words
