"""`alfil diagram`: what it writes, and that a failed command changes no file."""

import json
import os
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import alfil
from alfil.cli.app import run

Capture = pytest.CaptureFixture[str]


def test_one_format_goes_to_standard_output(capsys: Capture) -> None:
    assert run(["diagram", "N"]) == 0
    assert capsys.readouterr().out == str(alfil.draw("N"))
    assert run(["diagram", "N", "-f", "svg"]) == 0
    assert capsys.readouterr().out == alfil.draw("N").svg()
    assert run(["diagram", "N", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notation"] == "N"


def test_bytes_go_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["diagram", "N", "-f", "png"]) == 0
    assert capfdbinary.readouterr().out == alfil.draw("N").render("png")


def test_several_formats_write_a_file_each(tmp_path: Path) -> None:
    out = tmp_path / "griffon"
    formats = "svg,txt,ascii,png,wikitext,json"
    assert run(["diagram", "FyafsF", "-f", formats, "-o", str(out), "--label", "griffon"]) == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"griffon.{each}" for each in ("ascii", "json", "png", "svg", "txt", "wiki")]
    drawing = alfil.draw("FyafsF", label="griffon")
    assert out.with_suffix(".svg").read_text(encoding="utf-8") == drawing.svg()
    assert out.with_suffix(".txt").read_text(encoding="utf-8") == str(drawing)
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
        (["N", "--theme", "drak"], 2, "Error: no theme is called drak; did you mean dark?"),
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
        (["fmW*", "-o", "{}/kept.svg"], 1, "a range of * depends on the board and the square"),
        (["N", "--enemy", "0,0", "-o", "{}/kept.svg"], 2, "the piece itself stands on 0,0"),
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
