"""The command line: answers on standard output, diagnostics on standard error, exit codes."""

import io
import json
import os
import platform
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import alfil
from alfil import __version__
from alfil.cli.options import COLOUR_BY_ROLE  # those of a terminal
from inside import COMMANDS, run
from strategies import examples

PROJECT = Path(__file__).parents[1]
ALFIL = [sys.executable, "-m", "alfil"]
USAGE, INTERRUPTED = 2, 130


def process(
    *arguments: str | bytes, text: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    path = {"PYTHONPATH": str(PROJECT / "src"), "PYTHONUTF8": "1"}
    env = {**os.environ, **path, **environment}
    return subprocess.run(
        [*ALFIL, *arguments], input=text, capture_output=True, env=env, check=False
    )


Capture = pytest.CaptureFixture[str]


def test_show_draws_explains_and_prints_back(capsys: Capture) -> None:
    assert run(["show", "mfW"]) == 0
    out, err = capsys.readouterr()
    assert out == (
        "mfW\n\n"
        "  Steps one square straight forward without capturing.\n\n"
        "  · · · · ·\n  · · ○ · ·\n  · · @ · ·\n  · · · · ·\n  · · · · ·\n\n"
        "  @  the piece; forward is up\n"
        "  ○  moves without capturing\n\n"
        "  Moves to 1 square, one step; left and right alike.\n"
        "  Betza: fmW\n"
    )
    assert err == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("N", "Moves or captures on 8 squares, leaping; the same on all sides."),
        (
            "R",
            "Moves or captures on 16 squares and on beyond the diagram, without jumping; "
            "the same on all sides.",
        ),
        (
            "fmWfceFifmnD",
            "Moves to 1 square; captures on 2 squares; 1 square as its first move; "
            "left and right alike.",
        ),
        ("cabK", "Captures without moving, on 8 squares; the same on all sides."),
        ("frN", "Moves or captures on 1 square, leaping; no two sides alike."),
        (
            "hrN",
            "Moves or captures on 4 squares, leaping; the same on all sides, but not mirrored.",
        ),
        ("", "No moves."),
        ("kN", "Captures only a royal piece on 8 squares, leaping; the same on all sides."),
        ("eF", "Captures en passant on 4 squares, one step; the same on all sides."),
        (
            "kWmF",
            "Moves to 4 squares; captures only a royal piece on 4 squares; the same on all sides.",
        ),
        (
            "mWcB",
            "Moves to 4 squares; captures on 16 squares and on beyond the diagram; "
            "the same on all sides.",
        ),
        ("mWf(9,9)", "Moves to 4 squares, one step; leaps farther than the diagram shows."),
        ("[F-bF]", "Never leaves its square."),
    ],
)
def test_show_sums_up_in_one_sentence(text: str, words: str, capsys: Capture) -> None:
    assert run(["show", text]) == 0
    assert f" {words} Betza:" in " ".join(capsys.readouterr().out.split())


def test_show_has_an_example_beside_the_diagram(capsys: Capture) -> None:
    assert run(["show", "mRcpR"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("↑" in line and line.endswith("for example:") for line in lines)
    assert any(line.endswith("F■ E◈") for line in lines)


def test_show_names_what_is_not_a_move(capsys: Capture) -> None:
    assert run(["show", "--from", "hasinu", "royal() & 1×8d"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert "  Ħasínū: royal() & 1×8d" in shown
    assert "royal" in shown[2]
    assert " ".join(shown).lower().count("it is royal") == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("royal(O)", "Royal; one royal piece of a side must survive."),
        ("sz(2,3)", "2 by 3 cells large. Squares are those of its near left cell."),
        ("function(spin, range, [p])", "Declares the function spin with range, [p]."),
        ("fe()", "Cannot be captured."),
        ("fe(inclusive,//rook,//king)", "Cannot be captured by king or rook."),
        (
            "fe(exclusive,(1,2))",
            "Cannot be captured except by a piece with these moves "
            "(moves or captures on 8 squares, leaping; the same on all sides).",
        ),
        (
            "promote(//reach rank eight,//gold)",
            "Promotes to gold on this condition: reach rank 8.",
        ),
        (
            "burn(1×1dN)",
            "Burns enemies in its range when it ends a move "
            "(range: moves or captures on 1 square, one step; left and right alike).",
        ),
        (
            "atmove(2,im(1×1dN,FE,PA,3))",
            "Immobilises pieces of both sides in its range after its own move, and those that "
            "enter it, at most 3 at a time (range: moves or captures on 1 square, one step; "
            "left and right alike; as its second move).",
        ),
        (
            "i(c(1×1dN),F,P)",
            "Shoots friends that come into its range "
            "(range: captures on 1 square, one step; left and right alike).",
        ),
        (
            "i(n4dO,P)",
            "Shoots enemies that come into its range (range: moves or captures on 16 squares and "
            "on beyond the diagram, without jumping; the same on all sides, counted on 9 by 9 "
            "squares).",
        ),
    ],
)
def test_facts_are_told_in_words(text: str, words: str, capsys: Capture) -> None:
    assert run(["show", "--from", "hasinu", "--json", text]) == 0
    assert json.loads(capsys.readouterr().out)["facts"] == [words]


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        (
            "show",
            [
                "//swaps with a friend",
                "",
                "  Ħasínū: //swaps with a friend",
                "  Description 0:21 notation=hasinu",
            ],
        ),
        (
            "stages",
            [
                "1 text: hasinu",
                "    //swaps with a friend",
                "2 tree: what was written, with spans",
                "    Description 0:21 notation=hasinu",
            ],
        ),
    ],
)
def test_what_has_no_moves_is_shown_as_it_was_read(
    command: str, lines: list[str], capsys: Capture
) -> None:
    text = "//swaps with a friend"
    assert run([command, "--from", "hasinu", text]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[:4] == lines
    assert "terms: Text 0:21 words=swaps with a friend" in out
    assert "[text-move]" in err
    assert run([command, "--json", "--from", "hasinu", "spin(n8d)"]) == 1
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert data["canonical"] == "spin(n8d)"
    assert data["tree"]["terms"][0]["name"] == "spin"
    assert json.loads(err)["kind"] == "unknown-function"


def test_a_zero_in_a_tree_is_printed(capsys: Capture) -> None:
    assert run(["stages", "--from", "hasinu", "INF(0,2)"]) == 0
    out = capsys.readouterr().out
    assert "arguments: Number 4:5 value=0\n" in out


def test_both_notations_show_one_griffon(capsys: Capture) -> None:
    run(["show", "FyafsF"])
    betza = capsys.readouterr().out.splitlines()
    run(["show", "--from", "hasinu", "1×4dD &t n4dO"])
    hasinu = capsys.readouterr().out.splitlines()
    told = ["", "  Steps one square diagonally, and may then, from an empty square, slide any"]
    told += ["  distance orthogonally, turning 45° to either side.", ""]
    assert betza[1:5] == told
    assert (betza[-1], hasinu[-1]) == ("  Betza: FyafsF", "  Ħasínū: 1×4dD &t n4dO")
    assert betza[1:-1] == hasinu[1:-1]


def test_show_says_it_in_words_of_at_most_80_columns(capsys: Capture) -> None:
    run(["show", "KNADcaKmcabK"])
    lines = capsys.readouterr().out.splitlines()
    words = lines[2 : lines.index("", 2)]
    assert " ".join(line.strip() for line in words) == alfil.describe("KNADcaKmcabK")
    assert max(map(len, words)) in range(70, 81)


def test_moves_as_data(capsys: Capture) -> None:
    arguments = [
        "fmWfcF",
        "--board",
        "9x9",
        "--at",
        "e5",
        "--enemy",
        "d6,e7",
        "--own",
        "f6",
        "--moved",
        "--json",
    ]
    assert run(["moves", *arguments]) == 0
    answer = json.loads(capsys.readouterr().out)
    brief = [{key: move[key] for key in ("to", "captures")} for move in answer]
    assert brief == [{"to": [-1, 1], "captures": [[-1, 1]]}, {"to": [0, 1], "captures": []}]
    assert answer[0].keys() == {
        *("to", "captures", "own_captures", "hurdles", "trail", "partner", "guard"),
    }


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        ("cafmF --enemy 1,1", ["2,2  captures 1,1"]),
        ("cabK --enemy 0,1 --enemy -1,-1", ["stays  captures -1,-1", "stays  captures 0,1"]),
        ("fmRfcpR --board 3x6 --at b1 --own b3 --enemy b5", ["b2", "b5  captures b5  over b3"]),
        (
            "isO2 --board 8x8 --at e1 --unmoved-own a1,h1",
            ["c1  partner a1 d1  as its first move", "g1  partner h1 f1  as its first move"],
        ),
        ("isO2 --board 8x8 --at e1 --unmoved-own a1,h1 --moved", []),
        ("fmW* --board 8x8 --at e2", ["e3", "e4"]),
        ("fkF --royal 1,1 --enemy -1,1", ["1,1  captures 1,1"]),
        ("--from hasinu atmove(3,1×1dN) --moves-made 2", ["0,1  as its third move"]),
        ("--from hasinu atmove(3,1×1dN) --moves-made 1", []),
        ("--from hasinu atmove(3,1×1dN,turn) --turn 6", ["0,1  on every third turn of its side"]),
        ("--from hasinu atmove(3,1×1dN,turn) --turn 5", []),
        ("ifW --moves-made 0", ["0,1  as its first move"]),
        ("ifW --moves-made 1", []),
    ],
)
def test_moves_in_words(arguments: str, lines: list[str], capsys: Capture) -> None:
    assert run(["moves", *arguments.split()]) == 0
    assert capsys.readouterr().out.splitlines() == lines


def test_stages_are_printed_one_under_another(capsys: Capture) -> None:
    assert run(["stages", "fmWifmnD"]) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line[:1].isdigit()] == [
        "1 text: betza",
        "2 tree: what was written, with spans",
        "3 movement: what it says, in the tree of all notations",
        "4 automaton: one for each condition",
        "5 move table: 9×9, 3 nodes",
        "6 notation, printed from the tree",
    ]
    assert "      terms: Leg 0:3 vectors=(0,1)\n" in out
    assert "    as its first move and leaving a trail for en passant: 2 states\n" in out
    assert "      0  by 0,1; empty to 1\n" in out


def test_stages_tell_words_among_nodes(capsys: Capture) -> None:
    iron = "fe(exclusive, n4dO, //pawn moves) & 1×8d"
    assert run(["stages", "--from", "hasinu", iron]) == 0
    assert "exceptions: pawn moves\n" in capsys.readouterr().out


def test_stages_as_data_hold_every_state(capsys: Capture) -> None:
    assert run(["stages", "--json", "qN"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["tree"]["node"] == "Description"
    assert data["tree"]["terms"][0]["atom"]["written"] == "N"
    assert data["canonical"] == "qN"
    assert data["table"]["files"] == data["table"]["ranks"] == 9
    assert data["meaning"][0]["states"][0]


def test_check_says_nothing_of_what_is_good(capsys: Capture) -> None:
    assert run(["check", "FyafsF", "KNADcaKmcabK", "(4,1)"]) == 0
    assert capsys.readouterr() == ("", "")


def test_check_finds_everything(capsys: Capture) -> None:
    assert run(["check", "EW", "N", "W03"]) == 1
    out, err = capsys.readouterr()
    firsts = [line for line in out.splitlines() if line.startswith("<betza>")]
    assert [line.split(" ")[0] for line in firsts] == [
        "<betza>:1:1:",
        "<betza>:1:2:",
        "<betza>:1:1:",
    ]
    assert [line.split("[")[-1] for line in firsts] == [
        "unknown-atom]",
        "leading-zero]",
        "read-elsewhere]",
    ]
    assert err == ""


def test_check_finds_what_has_no_moves_and_what_is_dubious(capsys: Capture) -> None:
    assert run(["check", "--from", "hasinu", "//swaps with a friend"]) == 1
    assert run(["check", "RR"]) == 1
    out = capsys.readouterr().out
    assert "[text-move]" in out
    assert "warning: " in out


def test_check_reads_files_by_line(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes("\ufeffN\r\n# pieces\n\n  # more\nwW\nKn".encode())
    assert run(["check", str(path)]) == 1
    out = capsys.readouterr().out
    assert f"{path}:5:1: no modifier is called w [unknown-modifier]\n\n    wW\n    ^\n" in out
    assert f"{path}:6:2: " in out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["show", "list.txt"], "KAD\n\n  Steps"),
        (["moves", "list.txt"], "# KAD"),
        (["translate", "list.txt", "--to", "hasinu"], "1×8d & j(2×8d)\n1×8d\n"),
        (["diff", "K", "./list"], "same piece"),
        (["check", "list.txt", "--for", "xboard"], "KAD: "),
        (["stages", "list.txt"], "1 text: betza\n    KAD"),
        (["diagram", "list.txt"], "KAD\n"),
        (["compile", "list.txt"], '"text": "KAD"'),
        (["pieces", "--like", "./list"], "# K\nking, also"),
    ],
)
def test_a_file_is_read_by_every_command(
    arguments: list[str],
    text: str,
    capsys: Capture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("list.txt", "list", "N"):
        Path(name).write_text("# pieces\nKAD\n\nK\n", encoding="utf-8")
    run(arguments)
    out, err = capsys.readouterr()
    assert text in out
    assert "list.txt:" not in err


def test_a_bare_word_is_a_notation_whatever_files_there_are(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("N").write_text("K\n", encoding="utf-8")
    assert run(["translate", "N", "--to", "hasinu"]) == 0
    assert capsys.readouterr().out == "(1,2)\n"


def test_check_as_data(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "list.txt"
    path.write_text("N\nWW2\n", encoding="utf-8")
    assert run(["check", "--json", str(path)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    diagnostic = json.loads(line)
    assert list(diagnostic) == [
        *("severity", "kind", "message", "file", "line", "column", "end_column", "hint"),
    ]
    del diagnostic["message"], diagnostic["hint"]
    assert diagnostic == {
        "severity": "error",
        "kind": "double-and-range",
        "file": str(path),
        "line": 2,
        "column": 2,
        "end_column": 4,
    }


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["show"],
        ["shwo", "N"],
        ["show", "--from", "latin", "N"],
        ["show", "--dialect", "clasic", "--from", "hasinu", "n4dO"],
        ["show", "--from", "xboard", "--dialect", "classic", "N"],
        ["check", "--any-dialect", "--dialect", "classic", "N"],
        ["check", "--any-dialect", "--for", "xboard", "N"],
        ["check", "--any-dialect", "chess"],
        ["show", "N", "--board", "9x9"],
        ["show", "N", "--board", "99x9", "--at", "a1"],
        ["show", "N", "--board", "8x8", "--at", "z9"],
        ["moves", "N", "--enemy", "e5"],
        ["moves", "N", "--board", "8x8", "--at", "e4", "--enemy", "e4"],
        ["moves", "N", "--moved", "--moves-made", "0"],
        ["moves", "N", "--moves-made", "-1"],
        ["check", "no/such/file.txt"],
        ["translate", "shogi", "--to", "hasinu"],
        ["translate", "no-such-file.pieces", "--to", "hasinu"],
        ["check"],
        ["explain", "no-such-kind-at-all"],
        ["show", "-W"],
    ],
)
def test_wrong_usage_is_two(arguments: list[str], capsys: Capture) -> None:
    assert run(arguments) == USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert err


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["shwo", "N"], "did you mean show?"),
        (["FyafsF"], "to draw a piece: alfil show FyafsF"),
        (["show", "--from", "xboard", "--dialect", "classic", "N"], "write --from classic"),
        (["explain", "unknown-atm"], "did you mean unknown-atom?"),
        (["explain", "(af)F"], "`alfil show PIECE` describes a piece"),
        (["translate", "shogi", "--to", "hasinu"], "name one by its code, as in shogi:K"),
        (["show", "no-such-file.pieces"], "there is no such file"),
        (["show", "-W"], "A notation that begins with a dash goes after --"),
    ],
)
def test_usage_errors_say_what_to_do(arguments: list[str], hint: str, capsys: Capture) -> None:
    run(arguments)
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("placed", "message"),
    [
        ("--board 8x8 --at e5 --enemy e5", "the piece itself is on e5"),
        ("--board 8x8 --at e5 --enemy d6 --own d6", "two pieces are on d6"),
        ("--enemy 0,0", "the piece itself is on 0,0"),
        ("--enemy 1,1 --own 1,1", "two pieces are on 1,1"),
    ],
)
def test_a_square_holds_one_piece(placed: str, message: str, capsys: Capture) -> None:
    assert run(["moves", "N", *placed.split()]) == USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert f": {message} [square-taken]" in err


def test_two_moments_share_one_line_of_the_legend(capsys: Capture) -> None:
    assert run(["show", "--from", "hasinu", "atmove(2,1×1dN) & atmove(3,1×1dS)"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "▼  " in line]
    assert lines == ["  ▼  as its second move or as its third move: moves or captures"]


def test_a_dash_and_a_backslash_may_come_first(capsys: Capture) -> None:
    assert run(["show", "--", "-W"]) == 1
    assert "<betza>:1:1: " in capsys.readouterr().err
    assert run(["show", "--from", "hasinu", "\\N"]) == 0
    assert "· ★ · ★ ·" in capsys.readouterr().out


def test_a_range_to_the_middle_asks_for_a_board(capsys: Capture) -> None:
    for command in ("show", "moves"):
        assert run([command, "fmW*"]) == 1
        assert "[needs-board]" in capsys.readouterr().err


def test_lenient_drops_one_asterisk(capsys: Capture) -> None:
    assert run(["show", "--from", "hasinu", "n8d*"]) == 1
    assert run(["show", "--from", "hasinu", "--lenient", "n8d*"]) == 0
    assert "[trailing-asterisk]" in capsys.readouterr().err


def test_explain_prints_an_entry_or_all(capsys: Capture) -> None:
    assert run(["explain", "unknown-atom"]) == 0
    assert capsys.readouterr().out.startswith("unknown-atom\n\n")
    assert run(["explain"]) == 0
    kinds = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert "unknown-atom" in kinds
    assert run(["explain", "--json", "[unknown-atom]"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "unknown-atom"


def test_the_list_of_kinds_says_what_each_is(capsys: Capture) -> None:
    assert run(["explain"]) == 0
    words = {line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines()}
    assert "A warning." not in words
    assert "A warning. The function changes nothing here." in words
    assert run(["explain", "leading-zero"]) == 0
    out = capsys.readouterr().out
    assert "Betza" in out
    assert "Ħasínū" in out


def test_kinds_from_standard_input_are_explained() -> None:
    done = process("explain", "-", text=b"case\n\n[digit]\nno-such\nzero-vector\n")
    heads = [line for line in done.stdout.decode().splitlines() if line in {"case", "digit"}]
    assert heads == ["case", "digit"]
    assert b"zero-vector\n\n" in done.stdout
    assert b"no kind is called no-such" in done.stderr
    assert done.returncode == USAGE
    done = process("explain", "--json", "-", text=b"case\nno-such\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each and each["kind"] for each in answers] == ["case", None]
    assert process("explain", "-").returncode == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: Capture) -> None:
    assert run([command, "--help"]) == 0
    usage, first, *_ = capsys.readouterr().out.split("\n\n")
    assert usage.startswith(f"Usage: alfil {command}")
    assert " ".join(first.split()) == COMMANDS[command][1]


def test_help_imports_no_command() -> None:
    code = "from alfil.cli.app import run; run(['--help']); import sys; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert {name for name in loaded if name.startswith("alfil.cli.")} == {"alfil.cli.app"}


def test_the_version_tells_what_the_installation_consists_of(tmp_path: Path) -> None:
    shown = process("--version", ALFIL_CACHE=str(tmp_path)).stdout.decode()
    first, *rows = shown.splitlines()
    assert first == f"alfil {__version__}"
    engine, python, cache = (row.split(maxsplit=1) for row in rows)
    assert engine[0] == "engine"
    assert Path(engine[1]).name == "engine.so"
    assert python == ["Python", f"{platform.python_version()} ({sys.platform}), {sys.executable}"]
    assert cache == ["cache", str(tmp_path)]


def test_the_documentation_by_topic(capsys: Capture) -> None:
    assert run(["docs"]) == 0
    rows = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert rows["tables"] == "Move tables for other programs"
    assert {"errors/betza", "howto/xboard", "read_tables.js", "tables.schema.json"} <= rows.keys()
    pages = {
        path.relative_to(PROJECT / "docs").as_posix() for path in (PROJECT / "docs").rglob("*.md")
    }
    assert {f"{name}.md" for name in rows if "." not in name} == pages - {"history.md"}
    for name in ("tables", "tables.md", "docs/tables.md"):
        assert run(["docs", name]) == 0
        assert capsys.readouterr().out == (PROJECT / "docs/tables.md").read_text("utf-8")
    assert run(["docs", "xboard"]) == 0
    assert capsys.readouterr().out.startswith("# Write a piece for XBoard\n")
    assert run(["docs", "tables.schema.json"]) == 0
    assert json.loads(capsys.readouterr().out)["title"]
    assert run(["docs", "api"]) == 0
    assert "- `alfil.read`: Read how a piece moves.\n" in capsys.readouterr().out
    assert run(["docs", "tabels"]) == USAGE
    assert "did you mean tables?" in capsys.readouterr().err
    assert run(["docs", "versions", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["topic"], answer["title"]) == ("versions", "Versions")


def test_standard_input_is_answered_line_by_line() -> None:
    text = b"N\n\n# a comment\nwW\n\xff\xfe\nfmW\n"
    done = process("moves", "--json", "--radius", "2", "-", text=text)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    # A blank line is an empty notation; a comment is none.
    assert [answer if answer is None else len(answer) for answer in answers] == [
        8,
        0,
        None,
        None,
        1,
    ]
    diagnostics: list[dict[str, Any]] = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(each["kind"], each["file"], each["line"]) for each in diagnostics] == [
        ("unknown-modifier", "<stdin>", 4),
        ("not-utf8", "<stdin>", 5),
    ]
    assert done.returncode == 1


def test_blocks_of_several_notations_are_told_apart() -> None:
    done = process("show", "-", text=b"W\nF\n")
    heads = [line for line in done.stdout.decode().splitlines() if line in {"W", "F"}]
    assert heads == ["W", "F"]
    assert b"  Betza: W\n\nF\n\n  Steps one square diagonally.\n\n" in done.stdout
    assert done.returncode == 0


def test_a_terminal_without_unicode_gets_plain_signs() -> None:
    done = process("show", "N", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.stdout.isascii()
    assert b"  . . X . X . .\n" in done.stdout
    assert done.returncode == 0
    assert plain("show", "--from", "hasinu", "1×4d").stderr.endswith(
        b"    1\\xd74d\n         ^\n\nhint: name the directions, as in 1\\xd74dO, or write "
        b"1\\xd78d for all\n\n"
    )
    assert b"    1\\xd74d & \\u8c79\n" in plain("check", "--from", "hasinu", "1×4d & 豹").stdout


def test_files_and_programs_are_given_utf_8_wherever_they_are() -> None:
    latin = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = process("translate", "W", "--to", "hasinu", **latin)
    assert done.stdout.decode() == "1×4dO\n"


def plain(*arguments: str | bytes) -> subprocess.CompletedProcess[bytes]:
    """Run the command on a terminal that knows ASCII only."""
    return process(*arguments, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")


@pytest.mark.parametrize("run_in", [process, plain])
def test_what_cannot_be_seen_is_shown_as_a_number(
    run_in: Callable[..., subprocess.CompletedProcess[bytes]],
) -> None:
    text = "//a\u202eb & n3dD"
    done = run_in("check", "--from", "hasinu", text)
    assert b"    //a\\u202eb & n3dD\n                  ^ ^\n" in done.stdout
    done = run_in("check", "--json", "--from", "hasinu", "\u202e")
    assert "\u202e" not in done.stdout.decode()
    for command in ("show", "moves", "explain", "\u202e"):
        done = run_in(command, "\x1b[31m\u202eN")
        assert b"\x1b" not in done.stdout + done.stderr
        assert "\u202e".encode() not in done.stdout + done.stderr


def test_json_without_unicode_is_ascii() -> None:
    done = process(
        *("show", "--json", "--from", "hasinu", "1×4dO"), PYTHONIOENCODING="ascii", PYTHONUTF8="0"
    )
    assert done.stdout.isascii()
    assert json.loads(done.stdout)["text"] == "1×4dO"


def test_arguments_that_are_not_utf8_are_reported() -> None:
    done = process("show", b"N\xff")
    assert done.returncode == 1
    assert b":1:2: the notation is not UTF-8: byte 0xff [not-utf8]\n" in done.stderr
    assert b"    N\\udcff\n     ^^^^^^\n" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
@pytest.mark.parametrize("arguments", [["show", "N"], ["explain"], ["check", "EW"]])
def test_a_full_disk_is_said_in_one_line(arguments: list[str]) -> None:
    env = {**os.environ, "PYTHONPATH": str(PROJECT / "src")}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*ALFIL, *arguments], stdout=full, stderr=subprocess.PIPE, env=env, check=False
        )
    assert done.returncode == USAGE
    assert done.stderr.decode() == "alfil: cannot read or write: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the streams")
@pytest.mark.parametrize(
    ("called", "code", "said"),
    [
        ("show N >&-", USAGE, "alfil: cannot read or write: Bad file descriptor\n"),
        ("check - <&-", USAGE, "alfil: cannot read or write: Bad file descriptor\n"),
        ("translate N --to betza <&-", 0, "N\n"),
        ("show - <&- >&- 2>&-", USAGE, ""),
    ],
)
def test_closed_streams_are_said_in_one_line(called: str, code: int, said: str) -> None:
    done = subprocess.run(
        f"{shlex.join(ALFIL)} {called}",
        shell=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT / "src")},
        check=False,
    )
    assert (done.returncode, done.stdout + done.stderr) == (code, said)


def test_no_colour_in_a_pipe() -> None:
    assert b"\x1b" not in process("show", "fmWfcF").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(("wish", "coloured"), [("", True), ("1", False)])
def test_colour_on_a_terminal_unless_refused(wish: str, *, coloured: bool) -> None:
    import pty  # noqa: PLC0415 - there is none on Windows

    parent, child = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(PROJECT / "src"), "NO_COLOR": wish, "TERM": "xterm"}
    with subprocess.Popen([*ALFIL, "show", "W"], stdout=child, env=env) as running:
        running.wait()
    os.close(child)
    shown = os.read(parent, 10_000)
    os.close(parent)
    assert (b"\x1b[" in shown) is coloured
    assert "●".encode() in shown


def contrasts(number: int) -> tuple[float, float]:
    """The contrast of one of 256 colours with black and with white, as WCAG has it."""
    cube, grey = divmod(number - 16, 36), 8 + 10 * (number - 232)
    levels = (cube[0], cube[1] // 6, cube[1] % 6) if number < 232 else ()
    parts = [(0, 95, 135, 175, 215, 255)[each] / 255 for each in levels] or [grey / 255] * 3
    linear = [((each + 0.055) / 1.055) ** 2.4 for each in parts]
    light = sum(w * each for w, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return (light + 0.05) / 0.05, 1.05 / (light + 0.05)


def test_colours_can_be_read_on_black_and_on_white() -> None:
    assert COLOUR_BY_ROLE
    for name, number in COLOUR_BY_ROLE.items():
        assert min(contrasts(number)) >= 4.5, name


def in_terminal(*arguments: str, columns: int) -> str:
    """What a command shows in a terminal with colours, so many columns wide."""
    import pty  # noqa: PLC0415 - there is none on Windows

    parent, child = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(PROJECT / "src"), "TERM": "xterm"}
    env |= {"COLUMNS": str(columns), "PYTHONUTF8": "1"}
    with subprocess.Popen([*ALFIL, *arguments], stdout=child, env=env) as running:
        running.wait()
    os.close(child)
    shown = os.read(parent, 100_000).decode()
    os.close(parent)
    return shown.replace("\r", "")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "fairy:GF"),
        ("show", "gQ"),
        ("show", "fmWiifmW2"),
        ("show", "qN"),
        ("diff", "RmRcpR", "RmRcpRfmWfceFifmnD"),
        ("diff", "isO2", "K"),
    ],
    ids=" ".join,
)
def test_words_keep_to_the_width_of_the_terminal(arguments: tuple[str, ...]) -> None:
    shown = re.sub(r"\x1b\[[\d;]*m", "", in_terminal(*arguments, columns=44))
    assert max(map(len, shown.splitlines())) in range(38, 45)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_what_happens_on_the_way_has_colours_of_its_own() -> None:
    shown = in_terminal("show", "mRcpRcaK", columns=80)
    colours = {sign: re.findall(rf"\x1b\[38;5;(\d+)m{sign}\x1b", shown)[0] for sign in "○◈⊠■"}
    assert len(set(colours.values())) == len(colours)
    told = in_terminal("diff", "afsK", "N", columns=80)
    assert re.findall(r"\x1b\[38;5;\d+m○\x1b\[0m", told)


def test_a_square_of_en_passant_is_not_said_to_be_of_both_pieces(capsys: Capture) -> None:
    assert run(["diff", "fmWfceF", "fmWfcF"]) == 1
    shown = capsys.readouterr().out
    assert "P  an empty square that an enemy has just passed, for captures en passant" in shown


def test_a_closed_pipe_is_quiet() -> None:
    env = {**os.environ, "PYTHONPATH": str(PROJECT / "src")}
    with subprocess.Popen(
        [*ALFIL, "moves", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
    ) as running:
        assert running.stdout
        running.stdout.close()
        _, err = running.communicate(b"Q\n" * 2000)
    assert err == b""


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_an_interrupt_ends_cleanly() -> None:
    env = {**os.environ, "PYTHONPATH": str(PROJECT / "src")}
    with subprocess.Popen(
        [*ALFIL, "show", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
    ) as running:
        assert running.stdin
        assert running.stdout
        running.stdin.write(b"W\n")
        running.stdin.flush()
        assert running.stdout.readline() == b"W\n"
        while running.stdout.readline() != b"  Steps one square orthogonally.\n":
            pass
        running.send_signal(signal.SIGINT)
        _, err = running.communicate()
    assert err.decode().split() == ["alfil:", "interrupted"]
    assert running.returncode == INTERRUPTED


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
@pytest.mark.parametrize("killed_by", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_outlives_the_command(tmp_path: Path, killed_by: signal.Signals) -> None:
    """Workers have standard output open, which so ends with the last of them."""
    games = ["--games", "100000", "-j", "2", "-o", str(tmp_path)]
    env = {**os.environ, "PYTHONPATH": str(PROJECT / "src")}
    with subprocess.Popen(
        [*ALFIL, "selfplay", "minishogi", *games], stdout=subprocess.PIPE, env=env
    ) as running:
        while not any(tmp_path.glob("*.alfil")):
            assert running.poll() is None
            time.sleep(0.02)
        running.send_signal(killed_by)
        running.communicate(timeout=100)


@examples(60)
@given(
    st.sampled_from(["show", "moves", "stages", "check"]),
    st.sampled_from(["betza", "hasinu"]),
    st.text(max_size=12) | st.text("WFNRKmcafsyq[]?-()t12*×dnDO& \\", max_size=10),
)
def test_no_text_brings_it_down(command: str, notation: str, text: str) -> None:
    assert run([command, "--from", notation, "--", text]) in {0, 1, USAGE}


def test_check_for_a_program_draws_both_pieces(capsys: Capture) -> None:
    assert run(["check", "--for", "fairy-stockfish", "fsK", "KNAD"]) == 1
    shown = capsys.readouterr().out
    assert "fsK: other;" in shown
    assert "[program-differs]\n\n    fsK\n    ^^^\n\nhint: it does what sWfF says" in shown
    assert "\n  · ● · ● ·       · ● · ● ·\n  · · @ · ·       · ● @ ● ·\n" in shown
    assert "adds on an empty board: -1,0 1,0\n" in shown
    assert shown.endswith("KNAD: same; fairy-stockfish has the same piece\n")


def test_check_for_a_program_says_whose_sign_it_explains(capsys: Capture) -> None:
    assert run(["check", "--for", "xboard", "NN"]) == 1
    shown = capsys.readouterr().out
    assert (
        "  ★  leaps: moves or captures; squares it touches on the way must be empty (alfil)"
        in shown
    )
    assert "  ★  leaps: moves or captures (xboard)\n" in shown
    assert "  @  the piece; forward is up\n" in shown


def test_check_for_a_program_says_what_is_ignored(capsys: Capture) -> None:
    assert run(["check", "--for", "xboard", "mfW"]) == 1
    shown = capsys.readouterr().out
    assert "[program-ignores]\n\n    mfW\n     ^\n\nhint: it does what mW says" in shown
    assert run(["check", "--for", "xboard", "fmW"]) == 0


def test_check_for_a_program_what_alfil_cannot_read(capsys: Capture) -> None:
    assert run(["check", "--for", "xboard", "tR"]) == 1
    shown = capsys.readouterr().out
    assert "tR: unreadable;" in shown
    assert "[misplaced-t]" in shown
    assert "xboard: it does what tR says in the dialect xboard" in shown
    assert run(["check", "--for", "xboard", "fafN"]) == 1
    assert "has not been measured" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["ooR", "ooRmfW"])
def test_check_for_a_program_nobody_has_measured(text: str, capsys: Capture) -> None:
    assert run(["check", "--for", "xboard", text]) == 1
    shown = capsys.readouterr().out
    assert f"{text}: unknown; what xboard does with it has not been measured" in shown
    assert "another piece" not in shown


def test_check_for_a_program_as_data(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"W\n\nR12\nW\xff\nW03\n")))
    assert run(["check", "--for", "fairy-stockfish", "--json", "-"]) == 1
    answers = map(json.loads, capsys.readouterr().out.splitlines())
    first, blank, second, third, last = answers
    assert blank["verdict"] == "same"
    assert (first["verdict"], first["ignored"], first["gained"]) == ("same", [], [])
    assert (second["verdict"], second["betza"], second["ignored"]) == ("ignored", "W", [[2, 3]])
    assert [0, 2] in second["lost"]
    assert third["kind"] == "not-utf8"
    assert (last["verdict"], last["betza"]) == ("unreadable", "R")
    assert [error["kind"] for error in last["errors"]] == ["leading-zero"]


def test_the_pieces_of_chess_are_no_other_pieces_for_any_program(capsys: Capture) -> None:
    for program in ("fairy-stockfish", "xboard"):
        assert run(["check", "--for", program, "chess"]) == 0
    assert "another piece" not in capsys.readouterr().out


def test_check_for_a_program_wants_betza(capsys: Capture) -> None:
    assert run(["check", "--for", "xboard", "--from", "hasinu", "n4dO"]) == 1
    assert "[no-translation]" in capsys.readouterr().out
    assert run(["check", "--for", "klingon", "W"]) == 2


def test_check_for_a_program_what_needs_a_board(capsys: Capture) -> None:
    assert run(["check", "--for", "fairy-stockfish", "fmW*"]) == 1
    assert "fmW*: ignored;" in capsys.readouterr().out


def test_a_text_that_another_notation_reads(capsys: Capture) -> None:
    assert run(["check", "KK"]) == 1
    shown = capsys.readouterr().out
    assert "and fairy-stockfish-next read this as Q [read-elsewhere]" in shown
    assert "hint: if that is meant: --dialect fairy-stockfish, in a piece file" in shown
    assert run(["show", "n8d"]) == 1
    shown = capsys.readouterr().err
    assert "note: the notation hasinu reads this: Slides any distance in any direction. [" in shown
    assert "hint: if that is meant: --from hasinu" in shown
    assert run(["check", "--dialect", "xboard", "KK"]) == 1
    assert "read-elsewhere" not in capsys.readouterr().out
    assert run(["show", "--dialect", "fairy-stockfish", "KK"]) == 0


def test_every_reading_of_a_text(capsys: Capture) -> None:
    assert run(["check", "--any-dialect", "fsK", "N"]) == 1
    several, alone = capsys.readouterr().out.split("\nN: ")
    assert several.startswith("fsK: 2 different pieces in ")
    assert "\npiece 1  betza, xboard" in several
    assert "\npiece 2  classic" in several
    assert "\nrefused  fairy-stockfish  Fairy-Stockfish reads fs on W and F in" in several
    assert alone.startswith("one piece in ")
    assert run(["check", "--any-dialect", "Q)"]) == 1
    assert capsys.readouterr().out.startswith("Q): no reading\n")
    assert run(["check", "--any-dialect", "--json", "n8d"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["pieces"] == [
        {"notations": ["hasinu"], "betza": "Q", "description": alfil.describe("Q")}
    ]
    assert answer["refused"]["parlett"]["kind"] == "unknown-symbol"


def test_dialects_of_programs_on_the_command_line(capsys: Capture) -> None:
    assert run(["show", "--from", "fairy-stockfish", "fK"]) == 0
    assert "  Betza: fWfF" in capsys.readouterr().out
    assert run(["check", "--from", "xboard", "NN"]) == 1
    assert "[doubled-letter]" in capsys.readouterr().out


def test_diff_draws_the_smallest_board(capsys: Capture) -> None:
    assert run(["diff", "afsK", "N"]) == 1
    out, err = capsys.readouterr()
    assert out == (
        "different pieces; only N has the move: to 1,2\n"
        "the smallest board that shows it is 2×3:\n\n"
        "  afsK    N\n"
        "  · ·     · ○\n"
        "  E E     E E\n"
        "  @ ·     @ ·\n\n"
        "  @  the piece; forward is up\n"
        "  E  an enemy\n"
        "  ○  where the move ends\n"
    )
    assert err == ""


@pytest.mark.parametrize(("left", "right", "told"), [("iR", "R", True), ("B", "R", False)])
def test_diff_tells_that_the_piece_has_moved(
    capsys: Capture,
    left: str,
    right: str,
    told: bool,  # noqa: FBT001
) -> None:
    assert run(["diff", left, right]) == 1
    assert ("the piece has moved\n" in capsys.readouterr().out) is told


def test_diff_draws_what_else_belongs_to_a_move(capsys: Capture) -> None:
    assert run(["diff", "--ascii", "isO2", ""]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[:3] == [
        "different pieces; only isO2 has the move: to 2,0; partner from and to 3,0 1,0",
        "the piece has not moved yet",
        "the smallest board that shows it is 4x1:",
    ]
    assert out[5] == "  @ = o R    @ . . R"
    assert run(["diff", "--ascii", "cafF", "cabF"]) == 1
    assert "  * E    * E" not in capsys.readouterr().out
    assert run(["diff", "--ascii", "cabW", "caW"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[4:6] == ["  *       E", "  @       @"]
    assert "  *  captured on the way" in out


def test_diff_tells_a_move_from_another_to_the_same_square(capsys: Capture) -> None:
    assert run(["diff", "fmWfcFifmnD", "fmWfcFifmR2"]) == 1
    assert "fmWfcFifmnD has another: to 0,2; leaves a trail on 0,1\n" in capsys.readouterr().out
    assert run(["diff", "--ascii", "D", "jDnD"]) == 1
    shown = capsys.readouterr().out
    assert "jDnD has another: to 0,2; needs the hurdle 0,1\n" in shown
    assert "  D    jDnD\n  o    o\n  E    E\n  @    @\n" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ["K", "WF"],
        ["FyafsF", "hasinu:1×4dD &t n4dO"],
        ["--from", "hasinu", "1×4dD &t n4dO", "betza:FyafsF"],
        ["FyafsF", "1×4dD &t n4dO", "--from-b", "hasinu"],
        ["fWfF", "fK", "--from-b", "classic"],
        ["--dialect", "classic", "fWfF", r"hasinu:\fK"],
        ["xboard:LJ", "CZ"],
        ["", "cabmabmW"],
    ],
)
def test_diff_knows_the_same_piece_in_either_notation(
    arguments: list[str], capsys: Capture
) -> None:
    assert run(["diff", *arguments]) == 0
    assert capsys.readouterr().out == "same piece\n"
    assert run(["diff", "--json", *arguments]) == 0
    assert json.loads(capsys.readouterr().out) == {"same": True}


def test_diff_as_json(capsys: Capture) -> None:
    assert run(["diff", "--json", "mW", "W"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["same"], answer["only"], answer["fact"]) == (False, "second", None)
    assert answer["move"]["to"] == [0, 1]
    assert answer["position"]["enemies"] == [[0, 1]]
    assert (answer["position"]["files"], answer["position"]["ranks"]) == (1, 2)
    assert run(["diff", "--json", "hasinu:royal() & 1×8d", "K"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["only"], answer["move"], answer["fact"]) == (
        "first",
        None,
        "Royal; all royal pieces of a side must survive.",
    )


def test_diff_says_which_fact(capsys: Capture) -> None:
    assert run(["diff", "K", "hasinu:royal() & 1×8d"]) == 1
    assert capsys.readouterr().out == (
        "different pieces: the moves are the same, but not what is said beside them\n"
        "only royal() & 1×8d: Royal; all royal pieces of a side must survive.\n"
    )


def test_diff_compares_with_every_line() -> None:
    done = process("diff", "--json", "K", "-", text=b"WF\nwW\nQ\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer and answer["same"] for answer in answers] == [True, None, False]
    assert done.returncode == USAGE
    done = process("diff", "K", "-", text=b"WF\nQ\n")
    assert done.stdout.startswith(b"# WF\nsame piece\n# Q\ndifferent pieces")
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["wW", "K"], "[unknown-modifier]"),
        (["K", "hasinu:@"], "[unexpected]"),
        (["K", "hasinu://swaps"], "[text-move]"),
        (["cabW", "caobW"], "[undecided]"),
        (["-", "K"], "only B can be a file"),
        (["K"], "Missing argument 'B'"),
        (["K", "K", "--from-b", "clasic"], "is not one of"),
    ],
)
def test_diff_that_cannot_answer_exits_with_two(
    arguments: list[str], words: str, capsys: Capture
) -> None:
    assert run(["diff", *arguments]) == USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err


def test_plain_signs_in_the_words_too(capsys: Capture) -> None:
    run(["show", "FyafsF", "--ascii"])
    assert "turning 45 degrees to either side.\n" in capsys.readouterr().out


def test_a_notation_goes_by_every_name_of_its_page(capsys: Capture) -> None:
    assert run(["translate", "--from", "RLUWDCP", "--to", "betza", "n4dO"]) == 0
    assert run(["translate", "--to", "long-and-long-notation", "R"]) == 0
    assert capsys.readouterr().out.splitlines() == ["R", "n4dO"]


def test_diagnostics_are_coloured_where_they_may_be() -> None:
    environment = {"NO_COLOR": "", "FORCE_COLOR": "1"}
    plain = process("check", "WW2").stdout.decode()
    coloured = process("check", "WW2", **environment).stdout.decode()
    assert "\x1b" not in plain
    assert "\x1b[31m\x1b[1m     ^^" in coloured
    assert "\x1b[1m<betza>:1:2:" in coloured
    assert "\x1b[36m\x1b[1mhint:" in coloured
    assert click.unstyle(coloured) == plain
    assert process("check", "WW2", FORCE_COLOR="1", NO_COLOR="1").stdout.decode() == plain
