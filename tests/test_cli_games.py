"""`alfil position` and `alfil perft`: what they print, in which words, with which exit codes."""

import io
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import alfil
from inside import run

Capture = pytest.CaptureFixture[str]
# A piece file with a board and nothing on it.
NO_SETUP = str(Path(__file__).parent / "cases" / "no_setup.pieces")
KNIGHT = "4k4/9/9/9/2N6/9/9/9/4K4 b - 1"


def answer(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    code = run(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_a_position_is_shown(capsys: Capture) -> None:
    code, out, err = answer(capsys, "position", "chess", "--moves", "e2e4 f7f6 d1h5")
    assert (code, err) == (0, "")
    assert out == (
        "Chess\n"
        "  +------------------------+\n"
        "8 | r  n  b  q  k  b  n  r |\n"
        "7 | p  p  p  p  p  .  p  p |\n"
        "6 | .  .  .  .  .  p  .  . |\n"
        "5 | .  .  .  .  .  .  . [Q]|\n"
        "4 | .  .  .  .  P  .  .  . |\n"
        "3 | .  .  .  .  .  .  .  . |\n"
        "2 | P  P  P  P  .  P  P  P |\n"
        "1 | R  N  B [.] K  B  N  R |\n"
        "  +------------------------+\n"
        "    a  b  c  d  e  f  g  h\n"
        "black to move\n"
        "position: rnbqkbnr/ppppp1pp/5p2/7Q/4P3/8/PPPP1PPP/RNB1KBNR b - 4 idle=1\n"
        "black is in check; 1 legal move\n"
    )


def test_the_board_is_turned_and_in_ascii(capsys: Capture) -> None:
    _, out, _ = answer(capsys, "position", "minishogi", "--turned", "--ascii")
    assert out.splitlines()[1:9] == [
        "  1   2   3   4   5",
        "+--------------------+",
        "| R   B   S   G   K  | e",
        "| .   .   .   .   P  | d",
        "| .   .   .   .   .  | c",
        "| vP  .   .   .   .  | b",
        "| vK  vG  vS  vB  vR | a",
        "+--------------------+",
    ]
    _, out, _ = answer(capsys, "position", "hand_shogi", "--ascii")
    assert "black in hand: T SH S*2 O H N*2 L*2" in out
    assert out.isascii()


def test_what_is_odd_and_what_has_ended_is_said(capsys: Capture) -> None:
    two = "4k4/9/9/9/4P4/9/4P4/9/4K4 b - 1"
    assert "odd: TWO_SOLDIERS_ON_FILE\n" in answer(capsys, "position", "hand_shogi", two)[1]
    mate = ("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1", "--moves", "P*5b")
    _, out, _ = answer(capsys, "position", "hand_shogi", *mate)
    assert out.endswith("the game is over: black wins by mate\n")


def test_legal_moves_are_listed_in_both_spellings(capsys: Capture) -> None:
    _, usi, _ = answer(capsys, "position", "hand_shogi", KNIGHT, "--legal")
    _, hodges, _ = answer(capsys, "position", "hand_shogi", KNIGHT, "--hodges")
    assert set(usi.split()) == {"5i4i", "5i6i", "5i4h", "5i5h", "5i6h", "7e6c+", "7e8c+"}
    assert set(hodges.split()) == {"K-4i", "K-6i", "K-4h", "K-5h", "K-6h", "N-6c+", "N-8c+"}


@pytest.mark.parametrize(
    ("position", "move", "code", "said"),
    [
        (KNIGHT, "7e6c", 0, "legal"),
        (KNIGHT, "N-8c+", 0, "legal"),
        ("start", "O*5e", 1, "O*5e is illegal: the onager's drop must give check [drop-check]"),
        (
            "start",
            "N*4c",
            1,
            "N*4c is illegal: 4c is occupied, and a drop cannot capture [occupied]",
        ),
        ("start", "5i5h", 1, "5i5h is illegal: 5h is occupied by your own piece [own-piece]"),
    ],
)
def test_why_a_move_is_illegal(
    position: str, move: str, code: int, said: str, capsys: Capture
) -> None:
    assert answer(capsys, "position", "hand_shogi", position, "--why", move) == (
        code,
        f"{said}\n",
        "",
    )
    found, out, _ = answer(capsys, "position", "hand_shogi", position, "--why", move, "--json")
    data = json.loads(out)
    assert (found, data["legal"], data["move"]) == (code, code == 0, move)
    assert (data["kind"] is None) == data["legal"]
    if not data["legal"]:
        assert said == f"{move} is illegal: {data['message']} [{data['kind']}]"


def test_everything_as_json(capsys: Capture) -> None:
    _, out, _ = answer(capsys, "position", "hand_shogi", KNIGHT, "--json")
    data = json.loads(out)
    assert data["pieces"] == {
        "5a": {"code": "K", "side": "w"},
        "7e": {"code": "N", "side": "b"},
        "5i": {"code": "K", "side": "b"},
    }
    assert {"usi": "7e6c+", "hodges": "N-6c+"} in data["legal"]
    assert (data["position"], data["side"], data["check"], data["flags"], data["outcome"]) == (
        KNIGHT,
        "b",
        False,
        [],
        None,
    )
    assert data["hands"] == {"b": {}, "w": {}}


def test_pictures_of_positions(tmp_path: Path, capsys: Capture) -> None:
    library = alfil.load("hand_shogi")
    drawn = library.game(KNIGHT).picture().svg()
    assert ET.fromstring(drawn) is not None
    assert answer(capsys, "position", "hand_shogi", KNIGHT, "--svg")[1].strip() == drawn.strip()
    path = tmp_path / "board.svg"
    assert answer(capsys, "position", "hand_shogi", KNIGHT, "-o", str(path)) == (0, "", "")
    assert path.read_text(encoding="utf-8").strip() == drawn.strip()
    code, _, err = answer(capsys, "position", "hand_shogi", KNIGHT, "-o", str(tmp_path / "b.doc"))
    assert code == 1
    assert "[unknown-format]" in err
    assert [each.name for each in tmp_path.iterdir()] == ["board.svg"]


def test_positions_from_standard_input(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{KNIGHT}\nrubbish\nstart\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode() + b"\xff\n")))
    code, out, err = answer(capsys, "position", "hand_shogi", "-", "--json")
    found = [json.loads(line) for line in out.splitlines()]
    problems = [json.loads(line) for line in err.splitlines()]
    assert code == 1
    assert [each and each["position"][:4] for each in found] == [
        "4k4/",
        None,
        "2g1k",
        None,
    ]
    assert [(each["kind"], each["file"], each["line"]) for each in problems] == [
        ("position-size", "<stdin>", 2),
        ("not-utf8", "<stdin>", 4),
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("position", "nothing"), 2, "[unknown-set]"),
        (("position", "no/such.pieces"), 2, "[cannot-read]"),
        (("position", "fairy"), 1, "[no-board]"),
        (("position", NO_SETUP), 1, "[no-setup]"),
        (("position", "chess", "8/8/8/8/8/8/8/8"), 1, "[position-royals]"),
        (("position", "chess", "--moves", "e2e5"), 1, "[pattern]"),
        (("position", "chess", "--moves", "e2~"), 1, "[unreadable-move]"),
        (("position", "chess", "--why", "e2~"), 1, "[unreadable-move]"),
        (("perft", "nothing", "-d", "1"), 2, "[unknown-set]"),
        (("perft", "chess"), 2, "'--depth'"),
        (("perft", "chess", "-d", "x"), 2, "'x' is not a valid integer"),
        (("perft", "chess", "-d", "1", "--position", "x"), 1, "[position-size]"),
        (("perft", "chess", "-d", "1", "--moves", "e2e5"), 1, "[pattern]"),
        (("perft", "chess", "-d", "1", "--piece", "Y=K"), 2, "[unknown-piece]"),
    ],
)
def test_wrong_calls_say_why(
    arguments: tuple[str, ...], code: int, said: str, capsys: Capture
) -> None:
    found, out, err = answer(capsys, *arguments)
    assert (found, out) == (code, "")
    assert said in err


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_counts_are_the_same_on_any_number_of_processes(jobs: str, capsys: Capture) -> None:
    code, out, err = answer(capsys, "perft", "hand_shogi", "-d", "2", "-j", jobs)
    assert (code, out) == (0, "92393\n")
    assert err.startswith("92,393 counted in ")
    _, out, _ = answer(capsys, "perft", "chess", "-d", "3", "-j", jobs, "--divide", "--json")
    data = json.loads(out)
    assert (data["depth"], data["nodes"]) == (3, 8902)
    assert list(data["divide"]) == [str(move) for move in alfil.load("chess").game().legal_moves]
    assert (data["divide"]["e2e4"], data["divide"]["a2a3"]) == (600, 380)


def test_counts_begin_where_they_are_told_to(capsys: Capture) -> None:
    assert answer(capsys, "perft", "shogi", "-d", "0")[1] == "1\n"
    assert answer(capsys, "perft", "shogi", "-d", "2", "--moves", "7g7f 3c3d")[1] == "1422\n"
    _, out, _ = answer(capsys, "perft", "hand_shogi", "-d", "1", "--position", KNIGHT, "--divide")
    *lines, blank, total = out.splitlines()
    assert {line.partition(": ")[2] for line in lines} == {"1"}
    assert (len(lines), blank, total) == (7, "", "7")
    _, with_knights, _ = answer(capsys, "perft", "chess", "-d", "1", "--piece", "Q=N")
    assert with_knights == "22\n"
