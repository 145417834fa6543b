"""Hand shogi's notations and matches: the forms, slips and results given with its rules."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

import alfil
from alfil import Game
from alfil.locations import from_shogi, parse_cell, to_shogi
from alfil.records import write_feen, write_move
from boards import rows
from engine_games import bundled
from gathering import every_row
from inside import Match, Rules
from oracle.games import known
from oracle.games.position import after, legal_moves
from oracle.games.text import hodges as written_by_oracle
from oracle.games.text import read, usi


def table(name: str) -> list[list[str]]:
    return [row for _, row in rows(name)]


def game(position: str, *, strict: bool = False) -> Game:
    return Game(bundled("hand_shogi"), position, strict=strict)


@pytest.mark.parametrize("row", table("hand_shogi_hodges.tsv"), ids=lambda row: row[0])
def test_each_form_of_the_article_is_written_and_read(row: list[str]) -> None:
    _, position, written, text = row
    start = game(position)
    move = next(move for move in start.legal_moves if str(move) == text)
    assert write_move(start, move) == written
    assert start.read_move(written) == move
    assert start.push(written) == move
    assert game(position, strict=True).push(written) == move


@pytest.mark.parametrize("row", table("hand_shogi_reading.tsv"), ids=lambda row: row[1])
def test_what_the_reader_repairs_and_what_it_refuses(row: list[str]) -> None:
    position, text, reading, answer, _ = row
    start = game(position, strict=reading == "strict")
    before = start.position_text()
    if answer == "NotationError":
        with pytest.raises(alfil.NotationError):
            start.push(text)
    elif answer[0].isdigit() or "*" in answer:
        assert str(start.push(text)) == answer
        return
    else:
        with pytest.raises(alfil.IllegalMove) as caught:
            start.push(text)
        assert caught.value.kind == answer
    assert start.position_text() == before


def test_an_ambiguous_move_names_both() -> None:
    with pytest.raises(alfil.NotationError) as caught:
        game("8k/9/9/9/4S4/9/9/3G1G3/K8 b - 1").push("G-5g")
    assert caught.value.kind == "ambiguous"
    assert "4h" in str(caught.value)
    assert "6h" in str(caught.value)


def test_moves_of_a_random_game_are_written_as_the_oracle_writes_them() -> None:
    rules = known.hand_shogi()
    draw, position = random.Random(11), read(rules, rules.start)
    mine = game(rules.start, strict=True)
    for _ in range(60):
        moves = legal_moves(position)
        on_board = [move for move in moves if move.origin]
        texts = {usi(rules, move): written_by_oracle(position, move, moves) for move in on_board}
        assert {str(p): write_move(mine, p) for p in mine.legal_moves if p.origin} == texts
        move = draw.choice(on_board if on_board and draw.random() < 0.5 else moves)
        written = written_by_oracle(position, move, moves)
        assert str(mine.read_move(written)) == usi(rules, move)
        mine.push(written)
        position = after(position, move)


def test_the_examples_move_between_forms() -> None:
    forms = {row[0]: row[1:] for row in table("hand_shogi_forms.tsv")}
    for column in (0, 1):
        for form in ("usi", "hodges", "uci"):
            start = game(forms["sfen before"][column])
            assert start.position_text() == forms["sfen before"][column]
            assert str(start.push(forms[form][column])) == forms["usi"][column]
            assert start.position_text() == forms["sfen after"][column]


@pytest.mark.parametrize("column", [0, 1], ids=["drop", "capture"])
def test_the_examples_in_forms_that_are_only_written(column: int) -> None:
    forms = {row[0]: row[1 + column] for row in table("hand_shogi_forms.tsv")}
    start = game(forms["sfen before"])
    assert write_feen(start) == forms["feen before"]
    move = next(move for move in start.legal_moves if str(move) == forms["usi"])
    assert write_move(start, move, "hodges") == forms["hodges"]
    assert write_move(start, move, "cell") == forms["uci"]
    assert write_move(start, move, "pan") == forms["pan"]
    assert json.loads(write_move(start, move, "pmn")) == json.loads(forms["pmn"])
    start.push(move)
    assert write_feen(start) == forms["feen after"]


@every_row("row", table("shogi_squares.tsv"))
def test_squares_of_shogi_are_cells(row: list[str]) -> None:
    shogi, cell = row
    assert str(from_shogi(shogi)) == cell
    assert to_shogi(parse_cell(cell)) == shogi


def results_of_sides(rules: Rules, results: str) -> Match:
    """A match from the results of player 1."""
    match = Match(rules)
    for result in results.split():
        first = "bw" if match.first_player == 1 else "wb"
        match = match.with_result({"W": first[0], "L": first[1], "D": None}[result])
    return match


@pytest.mark.parametrize("row", table("hand_shogi_matches.tsv"), ids=" ".join)
def test_who_has_won_the_match(row: list[str]) -> None:
    results, draw, winner, hands = row
    rules = bundled("hand_shogi").rules
    assert rules.match_draw == "breaks"
    if draw == "ignored":
        rules = replace(rules, match_draw="ignored")
    match = results_of_sides(rules, results)
    assert match.winner == (None if winner == "-" else int(winner))
    assert len(match.results) == int(hands)


@pytest.mark.parametrize(("turns", "players"), [("alternate", [1, 2, 1]), ("fixed", [1, 1, 1])])
def test_who_is_black(turns: str, players: list[int]) -> None:
    rules = replace(bundled("hand_shogi").rules, match_first=turns)
    found = [results_of_sides(rules, results).first_player for results in ("", "W", "W L")]
    assert found == players
