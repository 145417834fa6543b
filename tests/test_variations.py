"""Variations in the formats that have them, both ways; the others name what they leave out."""

from __future__ import annotations

import pickle
import random
import re
import tracemalloc
from pathlib import Path
from typing import TypeAlias

import pytest

import alfil
from effort import calls
from inside import run

# A line as (moves, comments, how it ended, variations by the number of moves they go back before).
Line: TypeAlias = tuple[list[str], dict[int, list[str]], str, dict[int, list["Line"]]]


def _grown(line: alfil.records.Round, draw: random.Random, left: int) -> None:
    """Play random moves, and from time to time a variation from one."""
    for _ in range(left):
        if line.game.outcome():
            return
        line.push(draw.choice(line.game.legal_moves))
        if draw.random() < 0.3:
            line.comment(f"word {draw.randrange(100)}")
        for _ in range(draw.choice((0, 0, 0, 1, 2))):
            branch = line.branch()
            _grown(branch, draw, max(1, left // 3))
            line.variations.setdefault(len(line.texts), []).append(branch)


def _grown_session(name: str, seed: int) -> alfil.Session:
    session = alfil.Session(alfil.load(name).variant, ("Ada", "Grace"))
    _grown(session.round, random.Random(seed), 9)
    if not session.game.outcome():
        session.resign()
    return session


def _tree(line: alfil.records.Round) -> Line:
    outcome = line.game.outcome()
    others = {
        at: [_tree(each) for each in listed] for at, listed in sorted(line.variations.items())
    }
    return line.texts, line.comments, str(outcome and outcome.reason), others


def _beside(line: Line) -> Line:
    """The same lines, those that begin where a variation begins beside it, as KIF has them."""
    moves, comments, end, others = line
    found: dict[int, list[Line]] = {}
    for at, listed in others.items():
        waiting = [*listed]
        while waiting:
            texts, said, ended, more = waiting.pop(0)
            waiting = [*more.pop(1, []), *waiting]
            found.setdefault(at, []).append(_beside((texts, said, ended, more)))
    return moves, comments, end, found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("form", "name"),
    [("hodges", "shogi"), ("hodges", "chess"), ("kif", "shogi"), ("kif", "minishogi")],
)
def test_variations_are_read_as_they_were_written(form: str, name: str, seed: int) -> None:
    session = _grown_session(name, seed)
    text = alfil.records.write_games(session, form)
    (again,) = alfil.records.read_games(text, alfil.load(name))
    expected = _tree(session.round)
    assert expected[3]
    assert _tree(again.round) == (expected if form == "hodges" else _beside(expected))
    assert not again.notes
    assert alfil.records.losses(session, form) == ()


NESTED = """手合割：平手
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:01/00:00:01)
   2 ３四歩(33)   ( 0:01/00:00:01)+
   3 ２二角成(88) ( 0:05/00:00:06)+
   4 同　銀(31)   ( 0:02/00:00:03)+
   5 投了
まで4手で後手の勝ち

変化：4手
   4 同　飛(82)
*instead
   5 ５五角打
   6 投了

変化：5手
   5 ６五角打

変化：3手
   3 ２六歩(27)
   4 ８四歩(83)

変化：4手
   4 ４四歩(43)

変化：2手
   2 ８四歩(83)
まで2手で中断
"""


def test_a_variation_goes_from_the_last_line_that_has_its_move() -> None:
    (game,) = alfil.records.read_games(NESTED)
    assert game.game.outcome() == alfil.Outcome("w", "resignation")
    first: Line = (
        ["Rx2b", "B*5e"],
        {1: ["instead"]},
        "resignation",
        {2: [(["B*6e"], {}, "None", {})]},
    )
    second: Line = (["P-2f", "P-8d"], {}, "None", {2: [(["P-4d"], {}, "None", {})]})
    third: Line = (["P-8d"], {}, "None", {})
    assert _tree(game.round)[3] == {2: [third], 3: [second], 4: [first]}
    text = alfil.records.write_games(game, "kif")
    assert "\n\n変化：4手\n   4 同　飛(82)\n*instead\n   5 ５五角打\n   6 投了\n" in text
    (again,) = alfil.records.read_games(text)
    assert _tree(again.round) == _tree(game.round)


@pytest.mark.parametrize("number", ["3", "9" * 5000])
def test_a_variation_that_replaces_no_move_is_left_out_with_a_note(number: str) -> None:
    moves = "手合割：平手\n手数----\n   1 ７六歩(77)\n"
    text = f"{moves}\n変化：{number}手\n   3 ２六歩(27)\n変化：1手\n   1 ２六歩(27)\n"
    (game,) = alfil.records.read_games(text)
    (note,) = game.notes
    assert f"there is no move {number[:9]} " in note.message
    assert text[slice(*note.spans[0])] == f"変化：{number}手"
    assert [each.texts for each in game.round.variations[1]] == [["P-2f"]]


OWN = "alfil record 1\ngame: shogi\n\nround 1\n\n1. P-7f P-3d\n{}\n2. Bx2b+ Sx2b\nend\n"


@pytest.mark.parametrize(
    ("variation", "shown"),
    [("(\n1. ... P-8d\n", "("), (")", ")"), ("(\n2. P-2f\n)", "(")],
)
def test_a_variation_of_a_record_is_whole_and_numbered_as_its_game(
    variation: str, shown: str
) -> None:
    text = OWN.format(variation)
    try:
        (game,) = alfil.records.read_games(text)
    except alfil.RecordError as error:
        (diagnostic,) = error.diagnostics
    else:
        (diagnostic,) = game.notes
        assert "here comes move 1, not 2" in diagnostic.message
    assert text[slice(*diagnostic.spans[0])].startswith(shown)
    (game,) = alfil.records.read_games(OWN.format("(\n1. ... P-8d\n2. P-2f\n)"))
    assert game.round.variations[2][0].texts == ["P-8d", "P-2f"]


def test_a_format_without_variations_names_the_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = _grown_session("shogi", 1)
    count = alfil.records.write_games(session, "kif").count("変化：")
    session.round.nags[1] = [1, 6]
    session.round.tags |= {"Opening": "Sicilian", "Event": "?"}
    (loss,) = alfil.records.losses(session, "csa")
    words = f"variations ({count}), marks (2), the tag Opening (1)"
    assert (loss.kind, loss.severity, loss.message) == (
        "left-out",
        "note",
        f"csa has no place for {words}",
    )
    assert alfil.records.losses(session, "pgn") == ()
    path = tmp_path / "game.kif"
    path.write_text(alfil.records.write_games(session, "kif"))
    assert run(["record", str(path), "--to", "csa"]) == 0
    shown = capsys.readouterr()
    assert f"note: csa has no place for variations ({count})" in shown.err
    assert shown.out.startswith("V2.2\n")


def test_many_variations_and_games_take_little_memory() -> None:
    alfil.records.read_games("1. e4 (1. d4) *")
    tracemalloc.start()
    try:
        many = alfil.records.read_games("1. e4 " + "(1. d4 d5) " * 300 + "*")
        assert tracemalloc.get_traced_memory()[0] < 300 * 15_000
        games = alfil.records.read_games("1. e4 *\n\n" * 300)
        assert tracemalloc.get_traced_memory()[0] < 600 * 15_000
    finally:
        tracemalloc.stop()
    # They go on as games do that were never put away.
    for line in (many[0].round.variations[1][7], games[7].round):
        again = pickle.loads(pickle.dumps(line.game))
        assert [each.text for each in line.game.copy().moves] == [each.text for each in again.moves]
        assert line.game.position_text() == again.position_text()
        made = len(line.game.moves)
        assert line.push(line.game.legal_moves[0]) == line.game.moves[-1]
        while line.game.moves:
            line.pop()
        assert made == len(again.moves)
        assert line.game.position_text() == line.beginning().position_text()


def test_a_game_that_is_put_away_stays_as_it_is() -> None:
    text = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n*"
    played_on, mated, _ = alfil.records.read_games(text, form="pgn")
    assert played_on.game.ignores_claimable_ends
    assert played_on.game.outcome() is None
    assert [str(each) for each in played_on.game.moves[-2:]] == ["f6g8", "e2e4"]
    assert mated.game.outcome() == alfil.Outcome("b", "mate")


def test_variations_stand_in_each_other_so_deep_only() -> None:
    (deep,) = alfil.records.read_games("1. e4 " + "(1. d4 " * 502 + ")" * 502)
    assert [each.message for each in deep.notes] == [
        "a variation is left out: 500 others are around it"
    ]
    line, depth = deep.round, 0
    while line.variations:
        line, depth = line.variations[1][0], depth + 1
    assert depth == 500


@pytest.mark.parametrize(
    "text",
    [
        "{} *".format(" ".join(["Nf3 Nf6 Ng1 Ng8"] * 20)),
        "1. e4 {} *".format("(1. d4) " * 20),
        "1. e4 {} *".format("(1. d4 (1. c4) (1. b4)) " * 20),
    ],
    ids=["moves", "variations", "variations of variations"],
)
def test_reading_and_writing_grows_as_the_record_does(text: str) -> None:
    head, body = re.fullmatch(r"(1\. e4 )?(.*) \*", text).groups()
    counts = []
    for times in (1, 8):
        record = f"{head or ''}{' '.join([body] * times)} *"
        games = alfil.records.read_games(record, form="pgn")
        counts.append(
            (
                calls(lambda record=record: alfil.records.read_games(record, form="pgn")),
                calls(lambda games=games: alfil.records.write_games(games, form="pgn")),
            )
        )
    for few, many in zip(*counts, strict=True):
        assert many < 9 * few


def _work_for(variations: str) -> float:
    text = f"1. e4 e5 {variations} *"
    return calls(lambda: alfil.records.read_games(text, form="pgn")) / len(variations)


def test_wrong_variations_take_about_as_much_work_as_right_ones() -> None:
    right = _work_for("(1... d5) " * 3000)
    for wrong in ("(1... e4) ", "(1... Nd5) ", "(1... Qd4) ", "(e7e4) ", "(x) ", "(1... a8@) "):
        assert _work_for(wrong * 3000) < 5 * right, wrong


def test_variations_of_first_moves_take_no_more_work_than_others() -> None:
    assert _work_for("(1... d5 (1... c5)) " * 500) < 1.1 * _work_for("(1... d5) " * 1000)


def test_behind_many_wrong_variations_all_are_left_out_with_notes() -> None:
    text = f"1. e4 {'(1. e5) ' * 600} (1. d4) *"
    (session,) = alfil.records.read_games(text, form="pgn")
    assert not session.round.variations
    words = [note.message for note in session.notes]
    assert words[0] == ("a variation is left out: no pawn of the side to move can go to e5")
    assert words[-1] == "a variation is left out: too many before it are wrong"
    assert len(words) == 601


def test_the_obstacles_of_the_first_illegal_moves_are_named() -> None:
    text = f"1. e4 {'(1. Qd3) ' * 101} *"
    (session,) = alfil.records.read_games(text, form="pgn")
    first, *_, last = [note.message for note in session.notes]
    assert first.endswith("the queen on d1 cannot go to d3: its own pawn on d2 is in the way")
    assert last.endswith("the queen on d1 cannot go to d3")
