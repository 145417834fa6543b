"""What docs/security.md says of inputs from strangers: each limit, and what no input does."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import alfil
from inside import run
from strategies import NO_PNG

PAGE = (Path(__file__).parents[1] / "docs" / "security.md").read_text(encoding="utf-8")
KING = 'board 3x3\npiece K "king" betza=K\n'


def included(depth: int, folder: Path) -> alfil.Library:
    """A file that includes a file, and so on."""
    for number in range(depth):
        (folder / f"{number}.pieces").write_text(f'include "{number + 1}.pieces"\n')
    (folder / f"{depth}.pieces").write_text(KING)
    return alfil.load(folder / "0.pieces")


def circle(folder: Path) -> alfil.Library:
    (folder / "0.pieces").write_text('include "0.pieces"\n')
    return alfil.load(folder / "0.pieces")


def record(length: int, folder: Path) -> alfil.Session:
    head = "alfil record 1\ngame: chess\nplayer 1: \nplayer 2: \n"
    (folder / "r.alfil").write_text(head + "\n" * (length - len(head)))
    return alfil.records.load_match(folder / "r.alfil", recover=True)


def regions(count: int) -> alfil.Library:
    """A file with so many regions of the largest board."""
    return alfil.loads("board 36x36\n" + "".join(f"region r{n} files=a-aj\n" for n in range(count)))


# For each row of the table with an error: what is just within the limit, and what is beyond it.
Ask = Callable[[Path], object]
TRIED: dict[str, list[tuple[Ask, Ask, str]]] = {
    "a text in a notation": [
        (lambda _: alfil.read("W" * 10_000), lambda _: alfil.read("W" * 10_001), "too-long"),
        (
            lambda _: alfil.read("n8d".ljust(10_000), "hasinu"),
            lambda _: alfil.read("n8d".ljust(10_001), "hasinu"),
            "too-long",
        ),
    ],
    "brackets in each other, Ħasínū": [
        (
            lambda _: alfil.read("(" * 40 + "n8d" + ")" * 40, "hasinu"),
            lambda _: alfil.read("(" * 41 + "n8d" + ")" * 41, "hasinu"),
            "too-deep",
        )
    ],
    "states of an automaton": [
        (
            lambda _: alfil.read("RasR").meaning,
            lambda _: alfil.read("anaiQ").meaning,
            "too-many-states",
        )
    ],
    "a board": [
        (
            lambda _: alfil.moves("W", files=36, ranks=36, at=(0, 0)),
            lambda _: alfil.moves("W", files=37, ranks=36, at=(0, 0)),
            "board-size",
        ),
        (
            lambda _: alfil.loads("board 36x36\n"),
            lambda _: alfil.loads("board 36x37\n"),
            "board-size",
        ),
    ],
    "a piece file": [
        (lambda _: alfil.loads("#" * 999_999), lambda _: alfil.loads("#" * 1_000_001), "too-long"),
        (lambda _: alfil.loads("\n" * 20_000), lambda _: alfil.loads("\n" * 20_001), "too-long"),
    ],
    "files that include each other": [
        (lambda path: included(8, path), lambda path: included(9, path), "include-loop"),
        (lambda path: included(1, path), circle, "include-loop"),
    ],
    "a move as text": [
        (
            lambda _: alfil.load("chess").game().why_illegal("e2e3".ljust(4)),
            lambda _: alfil.load("chess").game().push("e2e4" + "+" * 97),
            "too-long",
        )
    ],
    "work on a piece file, with all that its pieces and regions mean": [
        (lambda _: regions(10), lambda _: regions(500), "too-much-work")
    ],
    "a record": [
        (lambda path: record(1_000_000, path), lambda path: record(1_000_001, path), "too-long")
    ],
    "games in a text": [
        (
            lambda _: alfil.records.read_games("*\n" * 1000, form="pgn"),
            lambda _: alfil.records.read_games("*\n" * 1100, form="pgn"),
            "too-much-work",
        )
    ],
    "the width of a picture": [
        (
            lambda _: alfil.draw("W").render("svg", size=8192),
            lambda _: alfil.draw("W").render("svg", size=8193),
            "picture-size",
        )
    ],
}


def rows() -> dict[str, str]:
    """The first and the last column of the table of limits."""
    table = PAGE.partition("## Limits")[2].partition("\n\n")[2].partition("\n\n")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {row[0]: row[2] for row in cells[2:]}


def test_every_limit_with_an_error_is_tried() -> None:
    told = {name: re.findall("`([a-z-]+)`", errors) for name, errors in rows().items()}
    # Those take long; tests/test_limits.py and tests/test_engine_bounds.py have them.
    assert told.pop("moves that differ only by what they meet") == ["too-many-moves"]
    assert told.pop("moves in one list") == ["too-much-work"]
    assert told.pop("drops tried to see whether another one mates") == ["too-much-work"]
    (checked,) = (name for name in told if "`alfil check`" in name)
    assert told.pop(checked) == ["too-much-work"]
    assert {name for name, kinds in told.items() if kinds} == set(TRIED)
    for name, tried in TRIED.items():
        assert {kind for _, _, kind in tried} == set(told[name])


@pytest.mark.parametrize("name", TRIED)
def test_the_limits_are_those_of_the_page(name: str, tmp_path: Path) -> None:
    for within, beyond, kind in TRIED[name]:
        within(tmp_path)
        with pytest.raises(alfil.AlfilError) as caught:
            beyond(tmp_path)
        assert kind in {diagnostic.kind for diagnostic in caught.value.diagnostics}


def test_reports_are_short() -> None:
    for ask, most in ((alfil.read, 20), (alfil.loads, 100)):
        with pytest.raises(alfil.AlfilError) as caught:
            ask("\n".join("é]" * 300))
        assert len(caught.value.diagnostics) <= most
    pieces = "".join(f'piece P{n} "p{n}" betza=W\n' for n in range(300))
    library = alfil.loads(f"board 3x3\n{pieces}setup\n| P0 . P1 |\n")
    with pytest.raises(alfil.PieceFileError, match="no-letter") as caught:
        library.game()
    assert len(caught.value.diagnostics) <= 100


def test_a_png_has_no_more_pixels_than_there_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alfil.diagrams.svg_document.MAX_PIXELS", 400_000)
    pytest.importorskip("resvg_py", reason=NO_PNG)
    (tmp_path / "f.pieces").write_text("".join(f'piece P{n} "p" betza=W\n' for n in range(40)))
    drawn = tmp_path / "f.png"
    asked = ["--size", "8192", "--columns", "1", "-o", str(drawn)]
    assert run(["diagram", str(tmp_path / "f.pieces"), *asked]) == 0
    png = drawn.read_bytes()
    wide, high = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
    assert 300_000 < wide * high < 410_000


def test_the_largest_png_fits_into_the_memory_of_a_small_server() -> None:
    pytest.importorskip("resvg_py", reason=NO_PNG)
    if not Path("/proc/self/status").exists():
        pytest.skip("the system tells no process what memory it took")
    job = (
        "import alfil, pathlib; alfil.draw('Q', radius=35).render('png', size=8192);"
        "print(pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", job], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 200_000


OUTSIDE = [
    "../x.pieces",
    "/etc/x.pieces",
    "C:\\x.pieces",
    "C:x.pieces",
    "a\\x.pieces",
    "a//x.pieces",
]


@pytest.mark.parametrize("name", [*OUTSIDE, "link.pieces"])
def test_no_file_elsewhere_is_included(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (tmp_path / "x.pieces").write_text(KING)
    (folder / "link.pieces").symlink_to(tmp_path / "x.pieces")
    (folder / "f.pieces").write_text(f"include {name}\n")
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.load(folder / "f.pieces")
    assert caught.value.kind == "include-outside"


@pytest.mark.parametrize(
    "player", ["uci:touch ran", "touch ran", "alfil touch ran", "$(touch ran)"]
)
def test_a_record_starts_no_program(
    player: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = alfil.Session(alfil.load("los_alamos").variant, (player, player))
    alfil.records.save_match(session, "m.alfil")
    before = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    run(["record", "m.alfil"])
    run(["play", "--resume", "m.alfil"])
    assert sorted(path.name for path in tmp_path.iterdir()) == before
