"""The plain form of move tables, as readers in four languages read it."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import alfil
from games import with_rules
from inside import run
from test_tables_product import NO_CHECKS, PIECES, by_alfil, fits, positions, turned

DOCS = Path(__file__).parents[1] / "docs"
LETTERS = {"enemy": "x", "royal": "k", "friend": "o", "outside": "#"}
# The lion, the hook mover, long bends, lame leaps, a run in its own half, a rifle.
HARD = [
    *[(text, "betza") for text in ("KNADcaKmcabK", "RmasR", "FyafsF", "nNnAnD", "afzF", "fmR*")],
    *[(text, "betza") for text in ("caibQ", "pRgB", "mQcdQ", "fmWfceFifmnD", "[W-F-W]", "yafsW")],
]
MOVING = [*PIECES, *HARD]
CASTLING = {"chess": ["K"], "xiangqi": [], "janggi": [], "shogi": []}
SCHEMA = json.loads((DOCS / "rays.schema.json").read_text(encoding="utf-8"))
Program = Callable[[Path, Iterable[str]], list[set[str]]]


@pytest.fixture(params=["js", "c", "rs", "go"], scope="module")
def reader(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The example reader in one language, compiled if need be."""
    source = str(DOCS / f"read_rays.{request.param}")
    program = str(tmp_path_factory.mktemp("reader") / "reader")
    name, *command = {
        "js": ("node",),
        "c": ("cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-O1", "-o", program, source),
        "rs": ("rustc", "-D", "warnings", "-C", "debuginfo=0", "-o", program, source),
        "go": ("go", "build", "-o", program, source),
    }[request.param]
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    if command:
        subprocess.run([name, *command], check=True)
    start = [program] if command else [name, source]

    def read(tables: Path, lines: Iterable[str]) -> list[set[str]]:
        text = "".join(f"{line}\n" for line in lines)
        answer = subprocess.run(
            [*start, str(tables)], input=text, capture_output=True, text=True, check=True
        )
        return [set(line.split()) for line in answer.stdout.splitlines()]

    return read


def rays_of(path: Path, *arguments: str) -> dict[str, Any]:
    assert run(["compile", *arguments, "--plain", "-o", str(path)]) == 0
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def line_of(position: dict[str, Any], side: int, size: tuple[int, int] = (9, 9)) -> str:
    """A position seen by its mover, as the readers are asked for it."""
    files, ranks = size
    board = ["."] * (files * ranks)
    for at, standing in position["board"].items():
        board[numbered(map(int, at.split(",")), side, size)] = LETTERS[standing]
    at = numbered(position["at"], side, size)
    past = position.get("moves_made", 1000), position.get("turn", 1)
    return " ".join(map(str, (position["code"], side, at, *past, "".join(board))))


def numbered(square: Iterable[int], side: int, size: tuple[int, int]) -> int:
    x, y = turned([*square], side, size)
    return y * size[0] + x


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str], list[set[str]]]:
    """The rays of all pieces, positions of each for either side, and what alfil finds there."""
    chance = random.Random(28)
    folder = tmp_path_factory.mktemp("rays")
    lines = [f'piece P{at} "{at}" {of}="{text}"' for at, (text, of) in enumerate(MOVING)]
    (folder / "all.pieces").write_text("\n".join(lines), encoding="utf-8")
    tables = rays_of(folder / "rays.json", str(folder / "all.pieces"))
    asked, wanted = [], []
    for at, piece in enumerate(tables["pieces"]):
        if piece["not_written"]:
            continue
        for position in positions(1, chance):
            position["code"] = f"P{at}"
            side = chance.randrange(2)
            found = by_alfil(*MOVING[at], position)
            asked.append(line_of(position, side))
            x, y = position["at"]
            wanted.append(
                {
                    "x".join(
                        str(numbered((x + dx, y + dy), side, (9, 9)))
                        for dx, dy in (move.to, *move.captures)
                    )
                    for move in found
                }
            )
    return folder / "rays.json", asked, wanted


def test_readers_find_the_moves_of_alfil(
    reader: Program, asked: tuple[Path, list[str], list[set[str]]]
) -> None:
    tables, lines, wanted = asked
    for line, answer, moves in zip(lines, reader(tables, lines), wanted, strict=True):
        assert answer == moves, (MOVING[int(line.split()[0][1:])], line)


def test_what_rays_cannot_express_is_named(tmp_path: Path) -> None:
    roams, large = "its paths roam over an area, or are too many", "larger than a square"
    for text, reasons in {
        "KisO2": ["castling"],
        "sz(2) & n4dO": [large],
        "rpg(n8d)": [roams],
        "im(n8d,E,PA) & n4dO": ["Immobilises enemies"],
        "n4dO": [],
    }.items():
        of = "betza" if text == "KisO2" else "hasinu"
        data = rays_of(tmp_path / "rays.json", text, "--from", of)
        assert fits(data, SCHEMA, SCHEMA["$defs"])
        ((piece),) = data["pieces"]
        written = [each["reason"][: len(reasons[0])] for each in piece["not_written"]]
        assert written == reasons, text


def test_rays_are_lists_of_squares_with_their_kinds(tmp_path: Path) -> None:
    """A cannon on b1 of a board of 4x2: along the rank over a hurdle, and one square ahead."""
    data = rays_of(tmp_path / "rays.json", "mRcpR", "--board", "4x2")
    quiet, both = {"empty", "trail"}, {"friend", "enemy", "royal"}
    rays = [
        [(square, named(data, number)) for square, number in ray]
        for part in data["pieces"][0]["parts"]
        for ray in part["first"][1]
    ]
    assert sorted(rays, key=str) == sorted(
        [
            [(0, (quiet, set()))],
            [(2, (quiet, quiet)), (3, (quiet, set()))],
            [(2, (set(), both)), (3, ({"enemy", "royal"}, set()))],
            [(5, (quiet, set()))],
        ],
        key=str,
    )


def named(data: dict[str, Any], number: int) -> tuple[set[str], set[str]]:
    """The classes on which a move ends, and on which a ray continues, in a square of a kind."""
    kind = data["kinds"][number]
    ends, on = (
        {name for name, bit in data["classes"].items() if bit & kind[key]} for key in ("ends", "on")
    )
    return ends, on


def test_too_many_rays_are_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "rays.json"
    monkeypatch.setattr("alfil.tables.ray_export.MAX_SQUARES", 1000)  # millions take long
    assert run(["compile", "RmasR", "--plain", "-o", str(path)]) == 1
    assert run(["compile", "N", "--plain", "-o", str(tmp_path / "rays.npz")]) == 1
    errors = capsys.readouterr().err
    assert "[too-many-rays]" in errors
    assert "[unknown-format]" in errors
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("name", ["chess", "xiangqi", "janggi", "shogi"])
def test_readers_find_the_moves_of_games(name: str, reader: Program, tmp_path: Path) -> None:
    """Random games without checks; all moves but drops, castling and en passant."""
    chance = random.Random(name)
    tables = rays_of(tmp_path / "rays.json", name)
    assert [each["code"] for each in tables["pieces"] if each["not_written"]] == CASTLING[name]
    blockers = {each["code"]: each["blocked_by"] for each in tables["pieces"]}
    library = alfil.load(name)
    free = with_rules(library.variant, **NO_CHECKS)
    start = library.game().pieces
    size = (free.files, free.ranks)
    game = alfil.Game(free)
    lines, wanted = [], []
    for ply in range(40):
        side, pieces = game.side_to_move, game.pieces
        for at, (code, of) in [*pieces.items()] if ply % 6 == 0 else []:
            if of != side:
                continue
            board = {
                "{},{}".format(*turned(place, side, size)): "outside"
                if other in blockers[code]
                else ("friend" if its == side else "enemy")
                for place, (other, its) in pieces.items()
                if place != at
            }
            made = 0 if start.get(at) == pieces[at] else 5
            position = {"code": code, "at": turned(at, side, size), "board": board}
            lines.append(line_of({**position, "moves_made": made}, side, size))
            wanted.append(
                {
                    "x".join(str(numbered(each, 0, size)) for each in (move.target, *move.captures))
                    for move in game.legal_moves
                    if move.origin == at and not move.partner and {*move.captures} <= {move.target}
                }
            )
        game.push(chance.choice(game.legal_moves))
    assert reader(tmp_path / "rays.json", lines) == wanted
