"""`alfil.translate` and `alfil translate`: both directions, the dialects, policies, batches."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import alfil
from boards import cases
from inside import run
from strategies import betza, examples, hasinu, texts

Capture = pytest.CaptureFixture[str]
CASES = Path(__file__).parent / "cases"
PAGE = Path(__file__).parents[1] / "docs/coverage.md"

EXACT = [
    ("FtR", "betza", "hasinu", "1×4dD &t n4dO"),
    ("1×4dD &t n4dO", "hasinu", "betza", "[F?R]"),
    ("1×4dD &t n4dO", "hasinu", "xboard", "FyafsF"),
    ("fK", "classic", "betza", "fhK"),
    ("fK", "betza", "fairy-stockfish", "fW"),
    ("afsW", "betza", "fairy-stockfish", "nN"),
    ("(0,4)", "betza", "xboard", "mpafmpafmpafW"),
    ("FX", "betza", "xboard", "mpafmpafmpafsW"),
    ("(2,4)", "betza", "xboard", "mpafmpafsmpafW"),
    ("i(0,4)", "betza", "xboard", "impafmpafmpafW"),
    ("nH", "betza", "xboard", "afafW"),
    ("nHcH", "betza", "xboard", "cHafafW"),
    ("jZ", "betza", "xboard", "pafspafW"),
    ("cjG", "betza", "xboard", "pafpafcF"),
    ("m(c(n4dO)) &t j(2×4dO) &t0° n4dO", "hasinu", "xboard", "asjR"),
    ("[D-fR-sR][D-sR]", "betza", "xboard", "jasR"),
    (
        "m(group(c,j)(2×4dO)) &t0° group(m,c)(n4dO) &t n4dO & m(group(c,j)(2×4dO)) &t n4dO",
        *("hasinu", "xboard", "jasR"),
    ),
    (
        " & ".join(f"group(m,c)((1,2)) &t{n}° nj((1,2))" for n in ("0", "22.5", "67.5", "112.5")),
        *("hasinu", "xboard", "anN"),
    ),
    ("m(group(c,j)(2×1dW)) &t0° m(n4dO)", "hasinu", "xboard", "ljafmR"),
    ("[W-N]", "betza", "xboard", "afmpafsW"),
    ("[bW-cjD]", "betza", "xboard", "bafpafcW"),
    ("fcaabmN", "betza", "xboard", ""),
    ("fcaabmN", "betza", "parlett", ""),
    ("B[F-B?H]", "betza", "classic", "t[FBH]"),
    # One square beyond a piece, wherever that is.
    ("[pR-W]", "betza", "fairy-stockfish", "gR"),
    ("[pR3-W]", "betza", "classic", "gR4"),
    ("[pN0-cN]", "betza", "classic", "cgNN"),
    ("FyafsgF", "xboard", "classic", "t[FgR]"),
    ("fR5s[W-W-R3]", "betza", "classic", "fR5snHsn(4,0)sn(5,0)"),
    ("[W-F2]", "betza", "fairy-stockfish", "nNnZ"),
    ("LJ", "xboard", "betza", "CZ"),
    ("LJ", "xboard", "hasinu", "(1,3) (2,3)"),
    ("n4dO&1×4dD", "hasinu", "hasinu", "n4dO & 1×4dD"),
    ("", "betza", "hasinu", ""),
]


@pytest.mark.parametrize(("text", "read", "write", "expected"), EXACT)
def test_exact(text: str, read: str, write: str, expected: str) -> None:
    found = alfil.translate(text, read=read, write=write)
    assert (found.text, found.losses, found.exact) == (expected, (), True)
    assert str(found) == expected
    back = alfil.read(found.text, found.notation)
    assert alfil.same(back, alfil.read(text, read))


@pytest.mark.parametrize(
    ("text", "read", "write", "kinds", "spans"),
    [
        ("gQNpR", "betza", "hasinu", ["must-hop", "must-hop"], [(0, 1), (3, 4)]),
        (
            "royal() & n8d & sz(2)",
            "hasinu",
            "betza",
            ["royal", "large-piece"],
            [(0, 7), (16, 21)],
        ),
        ("jDWR12", "betza", "fairy-stockfish", ["no-translation"] * 2, [(0, 1), (4, 6)]),
        ("n8d & ataction(2,(1,2))", "hasinu", "xboard", ["every-move"], [(6, 23)]),
        ("n(1,3)", "hasinu", "fairy-stockfish", ["no-translation"], [(0, 6)]),
    ],
)
def test_strict_lists_all_losses(
    text: str,
    read: str,
    write: str,
    kinds: list[str],
    spans: list[tuple[int, int]],
) -> None:
    with pytest.raises(alfil.TranslationLoss) as caught:
        alfil.translate(text, read=read, write=write)
    found = caught.value.diagnostics
    assert [loss.kind for loss in found] == kinds
    assert [(loss.spans[0].start, loss.spans[0].end) for loss in found] == spans
    assert all(loss.hint for loss in found)


@pytest.mark.parametrize(
    ("text", "read", "write", "expected"),
    [
        ("gQN", "betza", "hasinu", "(1,2)"),
        ("royal() & n8d", "hasinu", "betza", "Q"),
        ("zBWN", "betza", "fairy-stockfish", "WN"),
        ("royal() & 1×4dD &t n4dO & j(n8d,3) & n4dD", "hasinu", "fairy-stockfish", "QpQ"),
    ],
)
def test_lossy_leaves_out_and_says_so(text: str, read: str, write: str, expected: str) -> None:
    found = alfil.translate(text, read=read, write=write, on_loss="lossy")
    assert found.text == expected
    assert found.losses
    back = alfil.read(found.text, found.notation)
    assert alfil.contains(alfil.read(text, read), back)


@pytest.mark.parametrize(
    ("text", "read", "write"),
    [
        ("gQ", "betza", "hasinu"),
        ("royal()", "hasinu", "betza"),
        ("zB", "betza", "fairy-stockfish"),
        ("oR", "betza", "parlett"),
    ],
)
def test_a_lossy_result_is_never_empty(text: str, read: str, write: str) -> None:
    with pytest.raises(alfil.TranslationLoss):
        alfil.translate(text, read=read, write=write, on_loss="lossy")


@pytest.mark.parametrize(
    ("text", "read", "write", "expected"),
    [
        # Runs over anything are told step by step in Betza.
        ("Wmp(afmp)afW", "betza", "parlett", "~n+"),
        ("fscWfsmp(afmp)afcW", "betza", "parlett", "c~n>="),
        ("KWmp(afmp)afW", "betza", "parlett", "1X, ~n+"),
        ("vWvmp(afmp)afW", "betza", "parlett", "~n<>"),
        ("cDcAcHcGmpafmpafmpafcWmpafmpafmpafcF", "betza", "parlett", "c~2-4*"),
        ("[cB-mF][W-W-mR3][F-F-mB3]", "betza", "parlett", "o3-5*, c^nX"),
        ("fFfAfG", "betza", "parlett", "~1-3X>"),
        # K says the leaps of F as well.
        ("mpazK", "betza", "xboard", "mpasK"),
        ("FmpasF", "betza", "taikyoku", "mpasK"),
    ],
)
def test_the_form_does_not_depend_on_the_spelling(
    text: str, read: str, write: str, expected: str
) -> None:
    found = alfil.translate(text, read=read, write=write)
    assert (found.text, found.losses) == (expected, ())
    assert alfil.same(alfil.read(expected, write), alfil.read(text, read))


def test_escape_keeps_everything() -> None:
    found = alfil.translate("gQNcafR", write="hasinu", on_loss="escape")
    assert found.text == "(1,2) & \\gQ & \\cafR"
    assert alfil.same(alfil.read(found.text, "hasinu"), "gQNcafR")


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"write": "hasinnu"}, "unknown-notation"),
        ({"write": "fairy"}, "unknown-notation"),
        ({"write": "betza", "read": "hasinu", "dialect": "fairy"}, "unknown-dialect"),
        ({"write": "hasinu", "read": "xboard", "dialect": "classic"}, "not-embedded"),
        ({"write": "hasinu", "read": "betsa"}, "unknown-notation"),
        ({"write": "hasinu", "on_loss": "loose"}, "unknown-policy"),
        ({"write": "betza", "on_loss": "escape"}, "unknown-policy"),
    ],
)
def test_names_nobody_knows(arguments: dict[str, str], kind: str) -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.translate("W", **arguments)
    assert caught.value.kind == kind


def round_trips() -> Iterator[str]:
    for case in cases("betza.tsv"):
        yield case.text


def test_there_and_back_is_the_same_piece_wherever_nothing_is_lost() -> None:
    exact = 0
    every = dict.fromkeys(round_trips())
    for text in every:
        try:
            there = alfil.translate(text, write="hasinu")
        except alfil.AlfilError:
            continue
        back = alfil.translate(there.text, read="hasinu", write="betza", on_loss="lossy")
        given = alfil.read(text)
        if back.exact:
            exact += 1
            assert alfil.same(back.text, given), (text, back.text)
        else:
            assert alfil.contains(given, back.text), (text, back.text)
    assert exact >= 137, f"there and back: {exact} of {len(every)} strings"


@examples(30)
@given(texts(betza) | texts(hasinu), st.sampled_from(["betza", "classic", "xboard", "hasinu"]))
def test_what_is_exact_is_the_same_and_what_is_lossy_is_less(text: str, target: str) -> None:
    read = "hasinu" if any(sign in text for sign in "&×°") else "betza"
    try:
        given_piece = alfil.read(text, read)
        found = alfil.translate(given_piece, write=target, on_loss="lossy")
    except alfil.AlfilError:
        reject()
    other = alfil.read(found.text, found.notation)
    squares = {(x, y) for x in range(-3, 4) for y in range(-3, 4)} - {(0, 0)}
    enemies = {(x, y) for x, y in squares if (3 * x + 5 * y) % 4 == 1}
    friends = {(x, y) for x, y in squares - enemies if (x + 2 * y) % 5 == 2}
    for unmoved in (True, False):
        try:
            ours, theirs = (
                {
                    (move.to, frozenset(move.captures))
                    for move in alfil.moves(
                        piece,
                        files=7,
                        ranks=7,
                        at=(3, 3),
                        enemies=enemies,
                        friends=friends,
                        unmoved=unmoved,
                    )
                }
                for piece in (given_piece, other)
            )
        except alfil.AlfilError:  # no moves that could be listed
            return
        assert theirs <= ours
        assert ours == theirs or not found.exact


def test_on_the_command_line(capsys: Capture) -> None:
    assert run(["translate", "FtR", "--to", "hasinu"]) == 0
    assert capsys.readouterr().out == "1×4dD &t n4dO\n"
    assert run(["translate", "--from", "hasinu", "1×4dD &t n4dO", "--to", "betza"]) == 0
    assert capsys.readouterr().out == "[F?R]\n"
    assert run(["translate", "fK", "--to", "fairy-stockfish"]) == 0
    assert capsys.readouterr().out == "fW\n"
    arguments = ["translate", "fK", "--from", "classic", "--to", "hasinu"]
    assert run(arguments) == 0
    assert capsys.readouterr().out == "1×3dN-NE-NW\n"


def test_losses_go_to_standard_error(capsys: Capture) -> None:
    assert run(["translate", "gQN", "--to", "hasinu"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "[must-hop]" in err
    assert run(["translate", "gQN", "--to", "hasinu", "--on-loss", "lossy"]) == 0
    out, err = capsys.readouterr()
    assert out == "(1,2)\n"
    assert "warning: " in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["W"],
        ["W", "--to", "betza", "--on-loss", "escape"],
        ["W", "--to", "betsa"],
        ["W", "--from", "xboard", "--to", "hasinu", "--dialect", "classic"],
        ["W", "--to", "hasinu", "-j", "0"],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: Capture) -> None:
    assert run(["translate", *arguments]) == 2
    assert capsys.readouterr().err


def answered(text: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "alfil", "translate", "-", "--to", "hasinu", *arguments],
        input=text,
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONUTF8": "1"},
    )


LINES = b"W\n\nFtR\n# a comment\nwQ\n\xff\nN\n" * 150


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_batch_keeps_its_order_and_passes_over_bad_lines(jobs: str) -> None:
    done = answered(LINES, "--json", "-j", jobs)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer and answer["text"] for answer in answers] == [
        "1×4dO",
        "",
        "1×4dD &t n4dO",
        None,
        None,
        "(1,2)",
    ] * 150
    errors = [json.loads(line) for line in done.stderr.splitlines()]
    assert [error["kind"] for error in errors] == ["unknown-modifier", "not-utf8"] * 150
    assert [error["line"] for error in errors[:4]] == [5, 6, 12, 13]
    assert done.returncode == 1


def test_a_closed_pipe_ends_a_batch_quietly() -> None:
    command = [sys.executable, "-m", "alfil", "translate", "-", "--to", "hasinu", "-j", "2"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert worker.stderr is not None
        worker.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            worker.stdin.write(b"W\n" * 20_000)
        with contextlib.suppress(BrokenPipeError):
            worker.stdin.close()
        assert worker.stderr.read() == b""
        assert worker.wait() == 1


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alfil.cli.input_output.Progress.QUIET", 0.0)  # shown at once
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"W\nF\nN\n")))
    assert run(["translate", "-", "--to", "hasinu"]) == 0
    assert "lines" in shown.getvalue()
    assert "1/?" in shown.getvalue()
    *_, last = shown.getvalue().rpartition("\x1b[2K")
    assert last == ""


@pytest.mark.parametrize("text", ["RiD", "RiDpB", "nDiDpR", "iDW3pB", "RiH", "R3imcH", "BiA"])
def test_a_first_move_along_a_line_of_its_own_is_kept(text: str) -> None:
    found = alfil.translate(text, write="hasinu", on_loss="escape")
    assert alfil.same(alfil.read(found.text, "hasinu"), text)


def test_nothing_is_hidden_behind_what_cannot_be_compiled() -> None:
    text = "//foo. & royal() & nj((1,2),F) & 1×8d"
    with pytest.raises(alfil.TranslationLoss) as caught:
        alfil.translate(text, read="hasinu", write="betza")
    assert [loss.kind for loss in caught.value.diagnostics] == ["text-move", "royal", "sided-jump"]
    assert alfil.translate(text, read="hasinu", write="betza", on_loss="lossy").text == "K"


def test_a_first_move_of_two_legs_is_no_lame_leap() -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.translate("iafsW", write="classic")
    assert caught.value.kind == "no-translation"


def test_every_part_left_out_in_a_dialect_is_told() -> None:
    found = alfil.translate("pRgQU", write="fairy-stockfish", on_loss="lossy")
    assert (found.text, len(found.losses)) == ("pR", 2)
    assert [loss.spans[0].start for loss in found.losses] == [4, 2]


def test_how_much_of_the_corpus_has_an_exact_form(capsys: Capture) -> None:
    with (CASES / "betza_corpus.tsv").open(encoding="utf-8", newline="") as file:
        texts_used = [row["notation"] for row in csv.DictReader(file, delimiter="\t")]
    read = exact = 0
    for text in texts_used:
        try:
            piece = alfil.read(text)
        except alfil.AlfilError:
            continue
        read += 1
        with contextlib.suppress(alfil.AlfilError):
            exact += alfil.translate(piece, write="hasinu").exact
    with capsys.disabled():
        sys.stdout.write(f"\nexact in Ħasínū: {exact} of {read} strings people use\n")
    stated = re.search(r"Of the (\d+) strings .* are read, (\d+) \(", PAGE.read_text("utf-8"))
    assert stated is not None
    assert (exact, read) == (int(stated[2]), int(stated[1]))


@pytest.mark.parametrize(
    ("text", "to", "made"),
    [
        ("NnN", "parlett", "~1/2"),
        ("N[W-F]", "parlett", "~1/2"),
        ("NafsW", "parlett", "~1/2"),
        ("DnD", "fairy-stockfish", "D"),
        ("NnN", "fairy-stockfish", "N"),
        ("t[WF]N", "fairy-stockfish", "WN"),
        ("NW[W?F]", "fairy-stockfish", "WN"),
        ("Rf[nD-R-bcnH]", "hasinu", "n4dO"),
        ("Rf[nD-R-bcnH]", "classic", "R"),
    ],
)
def test_what_the_other_parts_do_anyway_needs_no_form(text: str, to: str, made: str) -> None:
    assert alfil.translate(text, write=to).text == made
    assert alfil.same(alfil.read(made, to), alfil.read(text))


def test_a_way_under_a_function_needs_no_form_either() -> None:
    text = "c(n3dN-E-W &t180° 3×3dNE-NW-S) & {1,2}×2dN-S"
    assert alfil.translate(text, read="hasinu", write="fairy-stockfish").text == "vR2fscR"


@pytest.mark.parametrize("text", ["nN2", "fnN2", "nN3", "nZ2", "bnZ2", "nC3", "mnA3"])
def test_riders_of_a_few_lame_leaps_come_back_from_hasinu(text: str) -> None:
    hasinu = alfil.translate(text, write="hasinu").text
    assert alfil.translate(hasinu, read="hasinu", write="betza").text == text


@pytest.mark.parametrize(
    ("text", "read", "write", "kinds"),
    [
        ("atmove(2,i(n4dO))", "hasinu", "betza", ["later-move"]),
        ("ataction(3,j(n8d,1))", "hasinu", "betza", ["every-move"]),
        ("i(j(n4dO,1))", "hasinu", "betza", ["bent-rifle"]),
        ("nj(n((1,2) &t22.5°))", "hasinu", "betza", ["no-betza-form"]),
        ("atmove(2,INF(4,4))", "hasinu", "parlett", ["later-move"]),
        ("iicaibR", "betza", "hasinu", ["third-rank"]),
        ("(cafmFw)", "chessvar", "hasinu", ["square-condition"]),
        ("iimpafsW", "betza", "parlett", ["third-rank"]),
    ],
)
def test_what_has_a_form_by_itself_is_no_loss(
    text: str, read: str, write: str, kinds: list[str]
) -> None:
    with pytest.raises(alfil.TranslationLoss) as caught:
        alfil.translate(text, read=read, write=write)
    assert [loss.kind for loss in caught.value.diagnostics] == kinds


def test_a_lion_of_one_list_is_that_of_another() -> None:
    found = alfil.translate("NAD[aK]", read="taikyoku", write="hasinu")
    assert (found.text, found.exact) == ("INF(2,2,lion)", True)
