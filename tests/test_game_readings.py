"""Readings of games: what a file says of them, what is chosen, and what is wrong in one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import alfil
from alfil.library.file_locations import (  # what names with a reading are
    find_file,
    split_name_and_reading,
)
from alfil.library.formatter import format_file  # the command writes it to files
from inside import run

Capture = pytest.CaptureFixture[str]
# Rows and lines above the first reading are the game; two readings change a rule and a piece.
GAME = """game  "Small"
board 5x5
rule  stalemate = loss
rule  repetition = 4 draw
piece K "king" betza=K royal
piece R "rook" betza=R

setup
| . . K . R |

# what others have
reading ours "the default, because we like it" source="me" default

reading short "rooks go two squares" source="a book, another book"
piece R "rook" betza=R2

reading plain "nobody is stalemated; there is a zone"
rule  stalemate = draw
zone  promotion ranks=1
"""
WITH_READINGS = [name for name in alfil.games() if alfil.load(name).readings]


def test_the_lines_of_a_reading_take_the_place_of_others() -> None:
    base, short, plain = (alfil.loads(GAME, reading=name) for name in ("", "short", "plain"))
    assert [(each.name, each.is_default) for each in base.readings] == [
        ("ours", True),
        ("short", False),
        ("plain", False),
    ]
    assert base.readings[1].sources == ("a book", "another book")
    assert base.readings[1].words == "rooks go two squares"
    assert (base.reading, short.reading, short.name) == ("", "short", "<pieces>@short")
    assert [entry.piece.text for entry in base.pieces] == ["K", "R"]
    assert [entry.piece.text for entry in short.pieces] == ["K", "R2"]
    assert (base.rules.stalemate, short.rules.stalemate, plain.rules.stalemate) == (
        *("loss", "loss", "draw"),
    )
    assert (base.rules.zone, plain.rules.zone, plain["R"].piece.text) == (0, 1, "R")
    assert base.setup == short.setup == plain.setup
    own = alfil.loads(GAME, reading="ours")
    assert (own.rules, own.pieces) == (base.rules, base.pieces)


def test_a_name_may_have_its_reading_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "a@b" / "small.pieces"
    path.parent.mkdir()
    path.write_text(GAME, encoding="utf-8")
    assert alfil.load(path).name == "small"
    assert alfil.load(path, reading="short")["R"].piece.text == "R2"
    assert alfil.load(f"{path}@short").name == "small@short"
    assert split_name_and_reading("a@b/small.pieces") == ("a@b/small.pieces", "")
    assert alfil.load("chu@wikipedia").rules.repetition.times == 2
    assert alfil.load("chu@wikipedia") == alfil.load("chu", reading="wikipedia")
    assert alfil.find("tenjiku@wikipedia:LH").piece.text == "KNADcaKmcabKB"
    with pytest.raises(TypeError, match="a reading is a text"):
        alfil.load("chu", reading=1)  # type: ignore[arg-type]  # nobody may


@pytest.mark.parametrize(
    ("lines", "kind", "said"),
    [
        ("reading a", "incomplete-line", "does not say what differs"),
        ('reading a "b" foo=1', "unknown-key", "nothing called foo"),
        ('reading a "b"\nboard 4x4', "reading-line", "no line board"),
        ('reading a "b" default\nrule stalemate = draw', "reading-line", "default"),
        ('reading a "b"\nreading a "c"', "given-twice", "the reading a"),
        ('reading a "b"\nrule stalemate = draw\nrule stalemate = loss', "given-twice", "rule"),
    ],
)
def test_what_is_wrong_in_a_reading_is_told(lines: str, kind: str, said: str) -> None:
    name = "a" if kind == "given-twice" else ""
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(f"{GAME}{lines}\n", reading=name)
    assert [(each.kind, said in each.message) for each in caught.value.diagnostics] == [
        (kind, True)
    ]


def test_an_unknown_reading_names_the_known_ones() -> None:
    with pytest.raises(alfil.PieceFileError, match="no reading is called shrot") as caught:
        alfil.loads(GAME, reading="shrot")
    assert caught.value.kind == "unknown-reading"
    assert caught.value.hint == "did you mean short?"
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.load("chess", reading="short")
    assert caught.value.hint == "it has no readings"


def test_check_looks_at_all_readings(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "small.pieces"
    path.write_text(GAME.replace("betza=R2", "betza=Rq"), encoding="utf-8")
    assert alfil.load(path)["R"].piece.text == "R"
    assert run(["check", str(path)]) == 1
    out, _ = capsys.readouterr()
    assert out.startswith(f"{path}:15:23: ")


def test_the_layout_keeps_readings(tmp_path: Path) -> None:
    path = tmp_path / "small.pieces"
    path.write_text(GAME, encoding="utf-8")
    text = format_file(find_file(path))
    assert 'reading short "rooks go two squares" source="a book, another book"' in text
    path.write_text(text, encoding="utf-8")
    assert alfil.load(path, reading="short") == alfil.loads(GAME, reading="short", name="small")


def test_commands_take_a_reading(capsys: Capture) -> None:
    assert run(["position", "tenjiku", "--reading", "wikipedia", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["game"] == "tenjiku@wikipedia"
    assert run(["rules", "chu", "--reading", "wikipedia"]) == 0
    page = capsys.readouterr().out
    assert "This page has the reading `wikipedia`." in page
    assert "(`repetition = 2 loss-repeater`)" in page
    assert run(["rules", "chu"]) == 0
    page = capsys.readouterr().out
    assert "This page has the reading `lishogi`." in page
    assert "(`repetition = 4 draw`)" in page
    assert run(["play", "chu", "--reading", "hodges"]) == 1
    assert "no reading is called hodges [unknown-reading]" in capsys.readouterr().err


def test_a_record_knows_its_reading(tmp_path: Path) -> None:
    session = alfil.Session(alfil.load("chu", reading="wikipedia").variant)
    session.game.push("12i12h")
    alfil.records.save_match(session, tmp_path / "a.alfil")
    again = alfil.records.load_match(tmp_path / "a.alfil")
    assert again.game.variant.name == "chu@wikipedia"
    assert again.game.variant.rules.repetition.times == 2


@pytest.mark.parametrize("name", WITH_READINGS)
def test_bundled_readings_can_be_played(name: str) -> None:
    base = alfil.load(name)
    defaults = [each for each in base.readings if each.is_default]
    assert len(defaults) == 1
    for reading in base.readings:
        assert reading.words
        assert reading.sources
        if reading.is_default or name == "taikyoku":
            continue
        library = alfil.load(name, reading=reading.name)
        assert library.diagnostics == ()
        assert (library.rules, library.pieces) != (base.rules, base.pieces)
        assert alfil.simulate(library.game(), 1, seed=1, longest=30).games == 1


def test_readings_of_taikyoku_differ_in_promotion_and_pieces() -> None:
    assert WITH_READINGS == ["chu", "taikyoku", "tenjiku"]
    base = alfil.load("taikyoku")
    captures, vectors = (alfil.load("taikyoku", reading=name) for name in ("captures", "vectors"))
    assert (base.rules.promotion_when, captures.rules.promotion_when) == ("ends", "captures")
    assert captures.pieces == base.pieces
    differing = [
        code for code in base if not alfil.same(base[code].piece, vectors[code].piece, facts=False)
    ]
    assert len([code for code in differing if not code.startswith("+")]) == 18
    # What is promoted to one of these moves as it.
    promoted = {code for code in differing if code.startswith("+")}
    assert promoted == {"+RR", "+AM", "+SVG", "+CSW", "+VH"}
