"""KIF and CSA: games by chance both ways, python-shogi as the judge, handicaps, mistakes."""

from __future__ import annotations

import io
import random

import pytest
from shogi import CSA, KIF

import alfil
from alfil import RecordError, Session
from inside import HANDICAPS, handicap_position, run

PARSERS = {"kif": KIF.Parser, "csa": CSA.Parser}


def random_session(name: str, seed: int) -> Session:
    draw = random.Random(seed)
    session = Session(alfil.load(name).variant, ("Ada", "Grace"), date="2026-11-22")
    while not session.game.outcome() and len(session.game.moves) < 100:
        session.push(draw.choice(session.game.legal_moves))
    session.comment("a word")
    return session


@pytest.mark.parametrize("form", PARSERS)
@pytest.mark.parametrize("name", ["shogi", "minishogi", "judkins"])
def test_games_are_read_as_they_were_written(name: str, form: str) -> None:
    session = random_session(name, 3)
    if not session.game.outcome():
        session.resign()
    text = alfil.records.write_games(session, form)
    (again,) = alfil.records.read_games(text, alfil.load(name))
    assert again.game.moves == session.game.moves
    assert again.game.outcome() == session.game.outcome()
    assert (again.players, again.round.date) == (("Ada", "Grace"), "2026-11-22")
    assert again.round.comments == session.round.comments
    assert alfil.records.write_games(again, form) == text


@pytest.mark.parametrize("form", PARSERS)
def test_python_shogi_reads_our_games(form: str) -> None:
    for seed in range(4):
        session = random_session("shogi", seed)
        text = alfil.records.write_games(session, form)
        # python-shogi knows these by one sign only.
        for usual, one in (("成銀", "全"), ("成桂", "圭"), ("成香", "杏")):
            text = text.replace(usual, one)
        theirs = PARSERS[form].parse_str(text)[0]
        assert theirs["moves"] == [str(move) for move in session.game.moves]
        assert [*theirs["names"]] == ["Ada", "Grace"]


@pytest.mark.parametrize("form", PARSERS)
def test_a_game_from_a_position_of_its_own(form: str) -> None:
    variant = alfil.load("shogi").variant
    start = "4k4/9/4+P4/9/9/9/9/3+r5/4K4 w RB2G11Pbs 1"
    session = Session(variant, position=start)
    session.push(session.game.legal_moves[0])
    text = alfil.records.write_games(session, form)
    (again,) = alfil.records.read_games(text)
    assert again.game.moves == session.game.moves
    assert again.game.position_text() == session.game.position_text()


# Names that python-shogi lacks: as six pieces, and a silver of the giver's left or right.
REST = "9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
SEVEN = {"左七枚落ち": f"2sgkg3/{REST}", "右七枚落ち": f"3gkgs2/{REST}"}


@pytest.mark.parametrize("name", HANDICAPS)
def test_handicaps_are_those_of_python_shogi(name: str) -> None:
    expected = SEVEN.get(name) or KIF.Parser.HANDYCAP_SFENS[name]
    assert handicap_position(HANDICAPS[name]) == expected
    (game,) = alfil.records.read_games(f"手合割：{name}\n手数----指手--\n   1 中断\n")
    assert game.game.position_text() == expected
    assert f"手合割：{name}\n" in alfil.records.write_games(game, "kif")


BY_HAND = """# a program
開始日時：2026/11/02 10:00:00
手合割：平手
先手：Ada
後手：Grace
手数----指手---------消費時間--
*before the game
   1 ７六歩(77)   ( 0:01/00:00:01)
   2 ３四歩(33)   ( 0:01/00:00:01)+
*quick
   3 ２二角成(88) ( 0:05/00:00:06)
   4 同　銀(31)   ( 0:02/00:00:03)
   5 ５五角打     ( 0:02/00:00:08)
   6 投了

変化：4手
   4 同　飛(82)
"""
SERVED = """V2.2
N+Ada
N-Grace
$START_TIME:2026/11/02 10:00:00
PI
+
'*before the game
+7776FU,T1
-3334FU,T1
+8822UM
-3122GI
+0055KA
%TORYO
"""


@pytest.mark.parametrize("text", [BY_HAND, SERVED])
def test_games_of_other_programs(text: str) -> None:
    (game,) = alfil.records.read_games(text)
    assert game.round.texts == ["P-7f", "P-3d", "Bx2b+", "Sx2b", "B*5e"]
    assert (game.players, game.round.date) == (("Ada", "Grace"), "2026-11-02")
    assert game.round.comments[0] == ["before the game"]
    assert game.game.outcome() == alfil.Outcome("b", "resignation")
    assert not game.notes
    assert [each.texts for each in game.round.variations.get(4, [])] == (
        [["Rx2b"]] if text == BY_HAND else []
    )


WRONG = [
    (BY_HAND.replace("３四歩(33)", "３五歩(33)"), "pattern", "３五歩(33)"),
    (BY_HAND.replace("３四歩(33)", "３四銀(33)"), "wrong-start", "３四銀(33)"),
    (BY_HAND.replace("５五角打", "角をうつ"), "unreadable-move", "角をうつ"),
    (BY_HAND.replace("５五角打", "５五飛打"), "not-in-hand", "５五飛打"),
    (SERVED.replace("-3122GI", "+3122GI"), "unreadable-move", "+3122GI"),
    (SERVED.replace("-3122GI", "-3122KI"), "wrong-start", "-3122KI"),
    (SERVED.replace("+0055KA", "+0055XX"), "unreadable-move", "+0055XX"),
    (SERVED.replace("+7776FU", "+7775FU"), "pattern", "+7775FU"),
]


@pytest.mark.parametrize(("text", "kind", "place"), WRONG)
def test_what_is_wrong_is_named_with_its_place(text: str, kind: str, place: str) -> None:
    with pytest.raises(RecordError) as caught:
        alfil.records.read_games(text)
    span = caught.value.diagnostics[0].spans[0]
    assert (caught.value.kind, text[span.start : span.end]) == (kind, place)


@pytest.mark.parametrize("name", ["chess", "hand_shogi"])
def test_other_games_have_no_names_there(name: str) -> None:
    with pytest.raises(RecordError) as caught:
        alfil.records.write_games(Session(alfil.load(name).variant), "kif")
    assert caught.value.kind == "no-names"


def test_moves_can_be_typed_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "７六歩(77)\n-3334FU\n+8822KA\n８八角打\nquit\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert run(["play", "shogi", "--no-save", "--no-board"]) == 0
    out = capsys.readouterr().out
    assert "black: P-7f\n" in out
    assert "white: P-3d\n" in out
    assert "black: Bx2b=\n" in out
    assert "no bishop is in hand [not-in-hand]\n" in out


def test_a_name_with_a_comma_is_one_in_csa() -> None:
    session = Session(alfil.load("shogi").variant, ("Sato, Taro", "Ito"))
    session.push("7g7f")
    (found,) = alfil.records.read_games(alfil.records.write_games(session, "csa"))
    assert found.players == session.players


OPENINGS = [["7g7f", "3c3d"], ["2g2f"], [], ["6i7h", "8c8d", "4i5h"]]


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("form", PARSERS)
def test_several_games_are_read_as_several(form: str, ended: bool) -> None:  # noqa: FBT001
    sessions = []
    for number, moves in enumerate(OPENINGS):
        session = Session(alfil.load("shogi").variant, (f"Ada {number}", f"Grace {number}"))
        session.comment("before")
        for move in moves:
            session.push(move)
        session.comment("after")
        if ended:
            session.resign()
        sessions.append(session)
    text = alfil.records.write_games(sessions, form)
    found = alfil.records.read_games(text)
    assert [[str(each) for each in game.game.moves] for game in found] == OPENINGS
    assert [game.players for game in found] == [session.players for session in sessions]
    assert [game.round.comments for game in found] == [each.round.comments for each in sessions]
    assert [game.game.outcome() for game in found] == [each.game.outcome() for each in sessions]
    assert alfil.records.write_games(found, form) == text


@pytest.mark.parametrize("form", PARSERS)
def test_the_games_of_a_match_are_read_as_several(form: str) -> None:
    text = alfil.load("shogi").source.text
    library = alfil.loads(f"{text}rule match = best-of 3\n", name="shogi")
    session = Session(library.variant)
    session.push("7g7f")
    session.resign()
    session.next_round()
    session.push("2g2f")
    found = alfil.records.read_games(alfil.records.write_games(session, form), library)
    assert [game.round.texts for game in found] == [["P-7f"], ["P-2f"]]


def test_games_of_other_programs_in_one_file() -> None:
    moves = ["P-7f", "P-3d", "Bx2b+", "Sx2b", "B*5e"]
    for between in ("/\n", "/ \n", "/\n'the second\n", ""):
        found = alfil.records.read_games(SERVED + between + SERVED)
        assert [game.round.texts for game in found] == [moves, moves]
    headless = BY_HAND[BY_HAND.index("手数") :]
    for text in (BY_HAND + BY_HAND, BY_HAND + headless):
        found = alfil.records.read_games(text)
        assert [game.round.texts for game in found] == [moves, moves]
        assert [len(game.round.variations) for game in found] == [1, 1]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (f"{BY_HAND}\n{BY_HAND.replace('５五角打', '角をうつ')}", "角をうつ"),
        (f"{SERVED}/ \n{SERVED.replace('+7776FU', '+7775FU')}", "+7775FU"),
    ],
)
def test_what_is_wrong_in_the_second_game_has_its_place(text: str, wrong: str) -> None:
    with pytest.raises(RecordError) as caught:
        alfil.records.read_games(text)
    assert text[slice(*caught.value.diagnostics[0].spans[0])] == wrong


@pytest.mark.parametrize("name", ["九枚落ち", "６枚落ち", "その他", "foo"])
def test_a_handicap_that_nobody_knows_is_no_even_game(name: str) -> None:
    head = f"手合割：{name}\n"
    with pytest.raises(RecordError, match=f"no handicap is called {name}") as caught:
        alfil.records.read_games(f"{head}手数----指手--\n   1 ７六歩(77)\n")
    (span,) = caught.value.diagnostics[0].spans
    assert caught.value.source.text[slice(*span)] == head.strip()
    # Where the board is drawn it is what counts.
    game = Session(alfil.load("shogi").variant, position="4k4/9/9/9/9/9/9/9/R3K4 b - 1")
    drawn = alfil.records.write_games(game, "kif")
    assert "手合割" not in drawn
    (again,) = alfil.records.read_games(head + drawn)
    assert again.game.position_text() == game.game.position_text()


PLAIN = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n"
DRAWN = """後手の持駒：飛　歩十二
  ５ ４ ３ ２ １
+---------------+
| ・v玉 ・ ・ ・|一
| ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・|三
| ・ ・ 歩 ・ ・|四
| 玉 ・ ・ ・ ・|五
+---------------+
先手の持駒：なし
先手番
"""


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (PLAIN + "８八角成(22)\n", "８八角成(22)", "this is no line of KIF"),
        (PLAIN + "   3 ８八角成(88) very good\n", " very good", "cannot follow a move"),
        (PLAIN + "まで2手でおしまい\n", "まで2手でおしまい", "おしまい is no end of a game"),
        ("先手の持駒：歩二\n" + PLAIN, "先手の持駒：歩二", "歩二 is told, and no board is drawn"),
        ("後手番\n" + PLAIN, "後手番", "後手番 is told, and no board is drawn"),
        (
            "開始局面：駒落ち\n" + PLAIN,
            "開始局面：駒落ち",
            "開始局面 is told, and no board is drawn",
        ),
        (DRAWN.replace("歩十二", "歩12"), "後手の持駒：飛　歩12", "12 is nothing in hand"),
        (DRAWN.replace("歩十二", "歩二十"), "後手の持駒：飛　歩二十", "十 is nothing in hand"),
        (DRAWN.replace("歩十二", "歩九九"), "後手の持駒：飛　歩九九", "九 is nothing in hand"),
        (DRAWN.replace("歩十二", "獅"), "後手の持駒：飛　獅", "獅 is nothing in hand"),
        (DRAWN.replace("v玉", "v獅"), "| ・v獅 ・ ・ ・|一", "獅 is no piece"),
        (DRAWN.replace("v玉 ・", "v玉"), "| ・v玉 ・ ・|一", "this is no row of the board"),
    ],
)
def test_nothing_in_kif_is_passed_over(text: str, place: str, words: str) -> None:
    # Rows are as long as the first one, so that the fault is told of the second.
    place = "| ・ ・ ・ ・ ・|二" if "no row" in words else place
    with pytest.raises(RecordError, match=words) as caught:
        alfil.records.read_games(text + "   1 中断\n")
    assert caught.value.kind == "record-line"
    assert text[slice(*caught.value.diagnostics[0].spans[0])] == place


def test_what_is_said_of_a_game_in_kif_is_kept_or_named() -> None:
    text = "#KIF version=2.0\n場所：Edo\n持ち時間：5分\n先手番\n" + PLAIN + "&mark\n   3 中断\n"
    (game,) = alfil.records.read_games(text)
    assert game.round.tags == {"Site": "Edo"}
    (note,) = game.notes
    assert (note.kind, note.message) == ("left-out", "left out: 持ち時間")
    assert text[slice(*note.spans[0])] == "持ち時間：5分"
    assert "場所：Edo\n" in alfil.records.write_games(game, "kif")
    # The side of a handicap, and a board with what belongs to it.
    (game,) = alfil.records.read_games("手合割：香落ち\n上手番\n   1 中断\n")
    assert game.game.position_text().split()[1] == "w"
    library = alfil.load("minishogi")
    (game,) = alfil.records.read_games(f"手合割：5五将棋\n開始局面：\n{DRAWN}   1 中断\n", library)
    assert game.game.position_text() == "1k3/5/5/2P2/K4 b r12p 1"


@pytest.mark.parametrize(
    ("summary", "outcome"),
    [
        ("まで2手で後手の勝ち", alfil.Outcome("w", "adjudication")),
        ("まで2手で先手の勝ち", alfil.Outcome("b", "adjudication")),
        ("まで2手で先手の反則負け", alfil.Outcome("w", "forfeit")),
        ("まで2手で千日手", alfil.Outcome(None, "agreement")),
        ("まで2手で中断", None),
        ("   3 投了\nまで2手で後手の勝ち", alfil.Outcome("w", "resignation")),
    ],
)
def test_the_line_that_sums_a_game_up_has_its_end(
    summary: str, outcome: alfil.Outcome | None
) -> None:
    (game,) = alfil.records.read_games(f"{PLAIN}{summary}\n")
    assert game.game.outcome() == outcome


@pytest.mark.parametrize("line", ["7776FU", "garbage", "P1-KY-KE?", "P-00FU x", "P+0FU"])
def test_nothing_in_csa_is_passed_over(line: str) -> None:
    text = SERVED.replace("PI\n", f"PI\n{line}\n")
    with pytest.raises(RecordError, match="this is no line of CSA") as caught:
        alfil.records.read_games(text)
    assert text[slice(*caught.value.diagnostics[0].spans[0])] == line


def test_what_is_said_of_a_game_in_csa_is_kept_or_named() -> None:
    (game,) = alfil.records.read_games(
        SERVED.replace("PI\n", "$SITE:Edo\n$TIME_LIMIT:00:25+00\nPI\n")
    )
    assert game.round.tags == {"Site": "Edo"}
    assert [note.message for note in game.notes] == ["left out: $TIME_LIMIT"]
    assert "$SITE:Edo\n" in alfil.records.write_games(game, "csa")


def test_the_encoding_of_csa_is_no_comment() -> None:
    text = "'CSA encoding=UTF-8\nV3.0\nPI\n+\n+7776FU\n'a remark\n%CHUDAN\n"
    (session,) = alfil.records.read_games(text)
    assert session.round.comments == {1: ["a remark"]}
