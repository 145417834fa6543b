"""Outlines of text: nothing is left blank, nothing needs a font, the licence is with them."""

import re
import subprocess
import sys
import tomllib
import zipfile
from itertools import combinations
from pathlib import Path

import pytest

import alfil
from alfil.diagrams import text_outlines  # letters alone are in no picture
from inside import bundled_set_names

ROOT = Path(__file__).parents[1]
GLYPHS = ROOT / "glyphs"
FACES = ("sans", "bold", "mono", "kanji", "signs")
# The pieces of shogi and its relatives; those of taikyoku shogi are in characters.txt.
SHOGI = "王将玉飛車龍角行馬金銀成桂香歩兵と杏圭全醉象太子仲人猛豹麒麟鳳凰獅奔盲虎竪横反銅"
ELSEWHERE = "帥仕相俥傌炮將士象車馬砲卒楚漢"
NOTATION = "".join(map(chr, range(0x21, 0x7F))) + "×·²Ħasínūñ–…−→←♔♕♖♗♘♙♚♛♜♝♞♟★☆○●☗☖"


# The numbers of each relative command as places in (dx, dy).
SHAPES = {
    "m": (0, 1),
    "l": (0, 1),
    "h": (0,),
    "v": (1,),
    "q": (0, 1) * 2,
    "t": (0, 1),
    "c": (0, 1) * 3,
}


def points(path: str) -> list[tuple[float, float]]:
    """All points of a path, control points too."""
    at = start = (0.0, 0.0)
    found = []
    for command, text in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", path):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", text)]
        if command == "M":
            x, y = numbers
            at = start = (x, y)
            found.append(at)
        elif command == "z":
            at = start
        else:
            for number in range(0, len(numbers), len(SHAPES[command])):
                steps = numbers[number : number + len(SHAPES[command])]
                new = relative(at, SHAPES[command], steps)
                found += new
                at = new[-1]
                start = at if command == "m" and number == 0 else start
    return found


def relative(
    at: tuple[float, float], shape: tuple[int, ...], steps: list[float]
) -> list[tuple[float, float]]:
    assert len(steps) == len(shape)
    if len(shape) == 1:
        return [(at[0] + steps[0], at[1]) if shape == (0,) else (at[0], at[1] + steps[0])]
    return [(at[0] + dx, at[1] + dy) for dx, dy in zip(steps[::2], steps[1::2], strict=True)]


def bounds(path: str) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of all points of a path."""
    across, down = zip(*points(path), strict=True)
    return min(across), min(down), max(across), max(down)


@pytest.mark.parametrize("face", FACES)
def test_every_line_of_the_files_is_an_outline_in_its_em(face: str) -> None:
    seen = []
    for line in (GLYPHS / f"{face}.txt").read_text(encoding="utf-8").splitlines():
        advance, _, path = line[2:].partition(" ")
        seen.append(line[0])
        assert 0 < int(advance) <= 2 * text_outlines.UNITS_PER_EM
        assert re.fullmatch(r"(M[-\d ]+([a-z][-\d ]*)*z)?", path), line[0]
        assert bool(path) == (line[0] != " ")
        if path:
            left, top, right, bottom = bounds(path)
            assert -text_outlines.UNITS_PER_EM <= top < bottom <= text_outlines.UNITS_PER_EM / 2, (
                line[0]
            )
            assert (
                -text_outlines.UNITS_PER_EM / 2
                <= left
                < right
                <= text_outlines.UNITS_PER_EM + int(advance)
            ), line[0]
    assert len(seen) == len(set(seen))


def test_a_kanji_stands_in_its_square() -> None:
    for each in SHOGI:
        left, top, right, bottom = bounds(text_outlines.text_outline(each, "kanji").path)
        assert -30 <= left < right <= text_outlines.UNITS_PER_EM + 30
        assert -text_outlines.KANJI_TOP - 20 <= top < bottom <= -text_outlines.KANJI_BOTTOM + 20


def test_the_characters_of_pieces_and_notations_have_outlines() -> None:
    listed = (GLYPHS / "characters.txt").read_text(encoding="utf-8").splitlines()
    every = "".join(line for line in listed if not line.startswith("#")).replace(" ", "")
    assert [
        c for c in every + SHOGI + ELSEWHERE + NOTATION if not text_outlines.has_outline(c)
    ] == []
    assert not text_outlines.has_outline("\U0001f98a")


def test_characters_look_different() -> None:
    drawn = {
        each: text_outlines.text_outline(each, "mono").path for each in NOTATION if each != "−"
    }
    same = [(a, b) for a, b in combinations(drawn, 2) if drawn[a] == drawn[b]]
    assert same == []
    assert (
        text_outlines.text_outline("□").path
        != text_outlines.text_outline("\U0001f98a").path
        != text_outlines.text_outline("\U0001f98b").path
    )


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        ("e\u0301", "é"),
        ("Ｒ２", "R2"),
        ("a\u00a0b", "a b"),
        ("a\tb", "a b"),
        ("\u202e", r"\u202e"),
        ("\x00", r"\x00"),
        ("\ud800", r"\ud800"),
    ],
)
def test_what_cannot_be_seen_is_written_out(written: str, drawn: str) -> None:
    assert text_outlines.text_outline(written) == text_outlines.text_outline(drawn)


def test_a_text_is_its_characters_side_by_side() -> None:
    first, second = text_outlines.text_outline("A"), text_outlines.text_outline("B")
    left, top, right, bottom = bounds(second.path)
    both = text_outlines.text_outline("AB")
    assert both.width == first.width + second.width
    assert both.path.startswith(first.path)
    assert bounds(both.path[len(first.path) :]) == (
        left + first.width,
        top,
        right + first.width,
        bottom,
    )


def test_two_characters_described_as_one_share_an_em() -> None:
    both = text_outlines.text_outline("⿱而鷦", "kanji")
    _, top, _, bottom = bounds(both.path)
    assert both.width == text_outlines.UNITS_PER_EM
    assert -text_outlines.KANJI_TOP - 20 <= top < bottom <= -text_outlines.KANJI_BOTTOM + 20
    side = text_outlines.text_outline("x⿰而鷦x", "kanji")
    assert (
        side.width
        == text_outlines.UNITS_PER_EM + 2 * text_outlines.text_outline("x", "kanji").width
    )
    assert text_outlines.text_outline("⿱而").path  # with nothing to compose the operator is framed


def test_anchors() -> None:
    places = {
        anchor: re.search(r"translate\(([-.\d]+) ([-.\d]+)\)", drawn)
        for anchor in ("start", "middle", "end")
        if (drawn := text_outlines.text_path("000", 10, anchor, x=100, y=7, face="mono"))  # type: ignore[arg-type]
    }
    assert {anchor: place and place.groups() for anchor, place in places.items()} == {
        "start": ("100", "7"),
        "middle": ("91", "7"),
        "end": ("82", "7"),
    }


def test_fitted_and_wrapped_keep_to_the_width() -> None:
    long = "onager " * 3000
    assert text_outlines.text_width(text_outlines.truncated(long, 12, 200), 12) <= 200
    assert text_outlines.truncated(long, 12, 200).endswith("…")
    assert text_outlines.truncated("", 12, 1) == ""
    lines = list(text_outlines.wrapped("a " * 50 + "x" * 200, 12, 90))
    assert all(0 < text_outlines.text_width(line, 12) <= 90 for line in lines)
    assert "".join(lines).replace(" ", "") == "a" * 50 + "x" * 200
    assert (
        text_outlines.text_outline("x" * 100_000).width
        < text_outlines.text_outline("x" * 2002).width + text_outlines.UNITS_PER_EM
    )


def test_the_outlines_ship_with_their_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shipped = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    assert {f"glyphs/{face}.txt" for face in FACES} | {"glyphs/OFL.txt"} <= set(shipped)
    assert "glyphs/OFL.txt" in project["project"]["license-files"]
    licence = (GLYPHS / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert all(f"{face}.txt" in licence for face in FACES)
    assert sum((GLYPHS / f"{face}.txt").stat().st_size for face in FACES) < 700_000


def test_outlines_are_read_from_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "alfil.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        modules = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.pyi")]
        for path in sorted(modules):
            packed.write(path, path.relative_to(ROOT / "src"))
        for face in FACES:
            packed.write(GLYPHS / f"{face}.txt", f"alfil/glyphs/{face}.txt")
    shown = "text_outlines.__file__, text_outlines.text_outline('豹', 'kanji')"
    code = f"from alfil.diagrams import text_outlines; print({shown})"
    environment = {"PYTHONPATH": str(archive), "PYTHONIOENCODING": "utf-8"}
    run = [sys.executable, "-c", code]
    printed = subprocess.run(run, env=environment, capture_output=True, check=True).stdout.decode()
    assert printed.split()[0].startswith(str(archive))
    assert str(text_outlines.text_outline("豹", "kanji")) in printed


def test_kana_have_outlines() -> None:
    kana = [*range(0x3041, 0x3097), *range(0x30A1, 0x30FB), ord("ー")]
    assert [chr(each) for each in kana if not text_outlines.has_outline(chr(each))] == []


@pytest.mark.parametrize("name", bundled_set_names())
def test_every_character_of_the_bundled_sets_has_an_outline(name: str) -> None:
    library = alfil.load(name)
    written = {
        (entry.code, character)
        for entry in library.pieces
        for text in (entry.kanji, entry.symbol, *entry.names, entry.note, entry.code)
        for character in text
    }
    assert {each for each in written if not text_outlines.has_outline(each[1])} == set()
