"""`alfil diagram`: what it writes, and that a failed command changes no file."""

import json
import os
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from threading import Thread

import pytest

import alfil
from inside import run
from strategies import NO_PNG

Capture = pytest.CaptureFixture[str]


def test_one_format_goes_to_standard_output(capsys: Capture) -> None:
    assert run(["diagram", "N"]) == 0
    assert capsys.readouterr().out == alfil.draw("N").text()
    assert run(["diagram", "N", "-f", "svg"]) == 0
    assert capsys.readouterr().out == alfil.draw("N").svg()
    assert run(["diagram", "N", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notation"] == "N"


def test_bytes_go_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    pytest.importorskip("resvg_py", reason=NO_PNG)
    assert run(["diagram", "N", "-f", "png"]) == 0
    assert capfdbinary.readouterr().out == alfil.draw("N").render("png")


def test_several_formats_write_a_file_each(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason=NO_PNG)
    out = tmp_path / "griffon"
    formats = "svg,txt,ascii,png,wikitext,json"
    assert run(["diagram", "FyafsF", "-f", formats, "-o", str(out), "--label", "griffon"]) == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"griffon.{each}" for each in ("ascii", "json", "png", "svg", "txt", "wiki")]
    drawing = alfil.draw("FyafsF", label="griffon")
    assert out.with_suffix(".svg").read_text(encoding="utf-8") == drawing.svg()
    assert out.with_suffix(".txt").read_text(encoding="utf-8") == drawing.text()
    assert out.with_suffix(".png").read_bytes() == drawing.render("png")


def test_the_suffix_names_the_format(tmp_path: Path) -> None:
    out = tmp_path / "n.SVG"
    assert run(["diagram", "N", "-o", str(out)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["n.svg"]


def test_lines_of_standard_input_are_numbered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, write = os.pipe()
    os.write(write, b"N\nB\n")
    os.close(write)
    with os.fdopen(read) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert run(["diagram", "-", "-f", "svg", "-o", str(tmp_path / "piece")]) == 0
    assert (tmp_path / "piece-1.svg").read_text(encoding="utf-8") == alfil.draw("N").svg()
    assert (tmp_path / "piece-2.svg").read_text(encoding="utf-8") == alfil.draw("B").svg()


def test_options_reach_the_picture(capsys: Capture) -> None:
    options = ["--board", "8x8", "--at", "e4", "--enemy", "e7", "--own", "c4", "--theme", "print"]
    assert run(["diagram", "R", "-f", "svg", *options]) == 0
    drawing = alfil.draw(
        "R", files=8, ranks=8, at="e4", enemies=["e7"], friends=["c4"], theme="print", unmoved=True
    )
    assert capsys.readouterr().out == drawing.svg()
    assert run(["diagram", "fmWifmnD", "--moved"]) == 0
    assert "△" not in capsys.readouterr().out
    assert run(["diagram", "N", "-f", "svg", "--size", "77"]) == 0
    assert ET.fromstring(capsys.readouterr().out).attrib["width"] == "77"


@pytest.mark.parametrize(
    ("arguments", "code", "line"),
    [
        (["N", "-f", "svgg"], 2, "Error: no format is called svgg; did you mean svg?"),
        (["N", "-o", "{}/x.pgn"], 2, "Error: no format is called pgn; did you mean png?"),
        (["N", "--theme", "drak"], 2, "Error: Invalid value for '--theme': 'drak' is not one of"),
        (
            ["N", "-o", "{}/no/x.svg"],
            2,
            "Error: cannot write {}/no/x.svg: there is no folder {}/no; "
            "choose another folder or another name",
        ),
        (
            ["N", "-o", "{}/folder.svg"],
            2,
            "Error: cannot write {}/folder.svg: it is a folder; "
            "choose another folder or another name",
        ),
        (["N", "-f", "svg,txt"], 2, "Error: several formats need a name for their files: -o OUT"),
        (["N(", "-o", "{}/kept.svg"], 1, "<betza>:1:2: no matching ) [unclosed]"),
        (["fmW*", "-o", "{}/kept.svg"], 1, "what it may do depends on the board and the square"),
        (["N", "--enemy", "0,0", "-o", "{}/kept.svg"], 2, "the piece itself is on 0,0"),
    ],
)
def test_a_failed_command_leaves_files_as_they_were(
    arguments: list[str], code: int, line: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "folder.svg").mkdir()
    kept = tmp_path / "kept.svg"
    kept.write_text("as it was", encoding="utf-8")
    given = [each.replace("{}", str(tmp_path)) for each in arguments]
    assert run(["diagram", *given]) == code
    assert line.replace("{}", str(tmp_path)) in capsys.readouterr().err
    assert kept.read_text(encoding="utf-8") == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.svg", "kept.svg"]


def test_all_files_are_written_or_none(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "n.txt").mkdir()
    (tmp_path / "n.svg").write_text("as it was", encoding="utf-8")
    assert run(["diagram", "N", "-f", "svg,txt", "-o", str(tmp_path / "n")]) == 2
    assert capsys.readouterr().err.startswith(
        f"Error: cannot write {tmp_path}/n.txt: it is a folder"
    )
    assert (tmp_path / "n.svg").read_text(encoding="utf-8") == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["n.svg", "n.txt"]


def test_an_extra_that_is_missing_is_named(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert run(["diagram", "N", "-f", "svg,png", "-o", str(tmp_path / "n")]) == 2
    wanted = "Error: png needs the package resvg-py; run: pip install 'alfil[png]'\n"
    assert capsys.readouterr().err == wanted
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_gets_no_png(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["diagram", "N", "-f", "png"]) == 2
    assert capsys.readouterr().err == "Error: png is not for a terminal; add -o FILE\n"


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "n.svg"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    alfil.draw("N").save(path)
    assert path.stat().st_mode & 0o777 == 0o640
    assert path.read_text(encoding="utf-8") == alfil.draw("N").svg()


def test_names_that_no_file_can_have() -> None:
    for name in ("a\0b.svg", f"/{'x' * 300}.svg"):
        with pytest.raises(alfil.AlfilError) as caught:
            alfil.draw("N").save(name)
        assert caught.value.kind == "cannot-write"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["N", "-f", ""], "a format is missing; write svg,png"),
        (["N", "-f", "svg,,png", "-o", "x"], "a format is missing; write svg,png"),
        (["N", "--enemy", "e7,,f6"], "a square is missing; write e7,f6"),
        (["N", "--enemy", "100,100"], "100,100 is not on the board [off-board]"),
        (["N", "--alone"], "--alone is for pieces of a file, not for N"),
        (["N", "--columns", "3", "-f", "svg"], "--columns is for pieces of a file, not for N"),
        (["N", "--piece", "SH=R2"], "--piece is for pieces of a file, not for N"),
        (["N", "--size", "300"], "--size is for svg and png"),
        (["N", "--board", "8x8", "--at", "e4", "--radius", "3"], "--radius is for open diagrams"),
        (["chess:N", "--radius", "3", "--alone"], "are for sheets, not for boards and positions"),
        (["N", "-f", "svg", "-o", "x.png"], "the name x.png means png, and -f says svg"),
        (["N", "-o", "keep"], "keep has no suffix that names a format; add one of .txt, .ascii"),
    ],
)
def test_options_that_would_be_ignored_are_refused(
    arguments: list[str],
    words: str,
    capsys: Capture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["diagram", *arguments]) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_several_formats_share_the_name_without_its_suffix(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason=NO_PNG)
    assert run(["diagram", "N", "-f", "svg,png", "-o", str(tmp_path / "keep.svg")]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["keep.png", "keep.svg"]
    assert run(["diagram", "N", "-f", "svg", "-o", str(tmp_path / "v1.2")]) == 0
    assert (tmp_path / "v1.2.svg").is_file()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "link.svg"
    link.symlink_to(tmp_path / "there" / "real.svg")
    assert run(["diagram", "N", "-o", str(link)]) == 0
    assert link.is_symlink()
    assert (tmp_path / "there" / "real.svg").read_text(encoding="utf-8") == alfil.draw("N").svg()
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["real.svg"]
    away = tmp_path / "away.svg"
    away.symlink_to(tmp_path / "nowhere" / "real.svg")
    assert run(["diagram", "N", "-o", str(away)]) == 2
    assert away.is_symlink()


GOLD_ON_5H = """
  ·  ·  ·  ○  E× ○  ·  ·  ·   g
  ·  ·  ·  ○  @  ○  ·  ·  ·   h
  ·  ·  ·  ·  ○  ·  ·  ·  ·   i
"""


def test_squares_are_named_as_in_the_game_of_a_piece(capsys: Capture) -> None:
    board = ["--board", "9x9", "--at"]
    for at, enemy in (("5h", "5g"), ("e2", "e3")):
        assert run(["diagram", "hand_shogi:G", *board, at, "--enemy", enemy]) == 0
        assert GOLD_ON_5H in capsys.readouterr().out
    assert run(["diagram", "WfF", *board, "5h", "--enemy", "e3"]) == 0
    assert GOLD_ON_5H in capsys.readouterr().out
    assert run(["diagram", "WfF", *board, "e2"]) == 0
    assert "a b c d e f g h i" in capsys.readouterr().out
    assert run(["show", "hand_shogi:G", *board, "5h"]) == 0
    assert "9 8 7 6 5 4 3 2 1" in capsys.readouterr().out
    assert run(["show", "fairy:EA", "--board", "8x8", "--at", "e4"]) == 0
    assert "a  b  c  d" in capsys.readouterr().out
    capsys.readouterr()
    assert run(["moves", "fWfcF", *board, "5e", "--enemy", "6d"]) == 0
    assert capsys.readouterr().out == "6d  captures 6d\n5d\n"
    assert run(["moves", "W", *board, "5z"]) == 2
    assert "5z is not on a board of 9×9" in capsys.readouterr().err


def test_the_words_may_be_left_out(capsys: Capture) -> None:
    def made(*options: str) -> str:
        assert run(["diagram", "mRcpR", *options]) == 0
        return capsys.readouterr().out

    legend, sentence = "captures over a piece in between", "landing anywhere"
    for options, told in (
        ((), (True, True)),
        (("--no-legend",), (False, True)),
        (("--no-sentence",), (True, False)),
    ):
        words = " ".join(made(*options).split())
        assert (legend in words, sentence in words) == told
    svg = alfil.draw("mRcpR").svg
    assert made("-f", "svg", "--no-legend") == svg(legend=False)
    assert made("-f", "svg", "--no-sentence") == svg(sentence=False)
    high = [
        float(ET.fromstring(svg(sentence=sentence, legend=legend)).attrib["height"])
        for legend in (True, False)
        for sentence in (True, False)
    ]
    assert high == sorted(high, reverse=True)
    assert len(set(high)) == 4
    assert "landing anywhere" not in made("-f", "html", "--no-sentence").partition("<svg")[0]
    assert run(["diagram", "N", "-f", "json", "--no-legend"]) == 2
    assert "--no-legend is for text, svg, png and html" in capsys.readouterr().err


def test_themes_are_files_of_one_call(tmp_path: Path) -> None:
    name = str(tmp_path / "n.svg")
    assert run(["diagram", "N", "--theme", "default", "--theme", "dark", "-o", name]) == 0
    light, dark = ((tmp_path / f"n-{theme}.svg").read_text() for theme in ("default", "dark"))
    assert light == alfil.draw("N").svg()
    assert dark == alfil.draw("N", theme="dark").svg()
    assert run(["diagram", "N", "--theme", "default", "--theme", "dark"]) == 2


def test_a_transparent_picture_has_no_background(capsys: Capture) -> None:
    assert run(["diagram", "N", "-f", "svg", "--transparent"]) == 0
    drawn = capsys.readouterr().out
    assert "alfil-paper" not in drawn
    assert "alfil-paper" in alfil.draw("N").svg()
    assert run(["diagram", "N", "--transparent"]) == 2


def test_a_template_may_have_the_code_of_the_piece(capsys: Capture) -> None:
    assert run(["diagram", "N", "-f", "wikitext", "--code", "nl", "--radius", "1"]) == 0
    assert " | nl | " in capsys.readouterr().out
    assert run(["diagram", "N", "-f", "wikitext", "--code", "knight"]) == 2
    assert run(["diagram", "N", "-f", "svg", "--code", "nl"]) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_takes_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    taken: list[bytes] = []
    reader = Thread(target=lambda: taken.append(path.read_bytes()))
    reader.start()
    assert run(["diagram", "N", "-f", "svg", "-o", str(path)]) == 0
    reader.join()
    assert taken[0].startswith(b"<svg")
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_json_and_another_format_do_not_go_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diagram", "N", "--json", "-f", "svg"]) == 2
    assert "--json prints JSON" in capsys.readouterr().err
