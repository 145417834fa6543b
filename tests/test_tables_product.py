"""Tables in files: as the schema has them, and as a program in another language reads them."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import alfil
from alfil.cli.app import run

DOCS = Path(__file__).parents[1] / "docs"
SCHEMA = json.loads((DOCS / "tables.schema.json").read_text(encoding="utf-8"))
READ: dict[str, Any] = {
    "array": list,
    "object": dict,
    "string": str,
    "integer": int,
    "boolean": bool,
}
# Steps, slides, hops, locusts, lions, rifles, roaming pieces, pawns: text and notation.
PIECES = [
    *[(text, "betza") for text in ("K", "R4", "NN", "nN", "mRcpR", "gQ", "FyafsF", "cafmF")],
    *[(text, "betza") for text in ("KmcabK", "fmWfcFifmnD", "[N?R]", "caibR", "pafW", "jD")],
    *[(text, "hasinu") for text in ("n(1×8d)", "j(n4dO,1)", "rpg(n8d)", "n((2,1) &t22.5°)")],
    ("atmove(3,n4dO,turn) & 1×8d", "hasinu"),
    *[(text, "hasinu") for text in ("nj((1,2),F)", "ataction(3,n4dO) & 1×8d", "2(INF(1,1))")],
]


def fits(data: object, schema: dict[str, Any]) -> bool:
    """Whether data is as a schema has it, as far as the words of ours go."""
    if "$ref" in schema:
        return fits(data, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "const" in schema or "enum" in schema:
        return data in schema.get("enum", [schema.get("const")])
    if type(data) is not READ[schema["type"]]:
        return False
    if isinstance(data, list):
        return all(fits(each, schema["items"]) for each in data if "items" in schema)
    if isinstance(data, dict):
        more = schema.get("additionalProperties", True)
        known = schema.get("properties", {})
        return set(schema.get("required", ())) <= data.keys() and all(
            fits(value, known[key])
            if key in known
            else more and (more is True or fits(value, more))
            for key, value in data.items()
        )
    return True


def written(tmp_path: Path, *arguments: str) -> tuple[Path, dict[str, Any]]:
    path = tmp_path / "tables.json"
    assert run(["compile", *arguments, "-o", str(path)]) == 0
    return path, json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["chess", "hand_shogi"])
def test_a_game_is_written_as_the_schema_has_it(name: str, tmp_path: Path) -> None:
    _, data = written(tmp_path, name)
    library = alfil.load(name)
    assert fits(data, SCHEMA)
    assert [each["code"] for each in data["pieces"]] == [each.code for each in library.pieces]
    assert (data["files"], data["ranks"]) == (library.files, library.ranks)
    assert not fits(data | {"version": 2}, SCHEMA)
    assert not fits({**data, "more": 1}, SCHEMA)


def test_what_cannot_be_written_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tables.txt"
    path.write_text("kept", encoding="utf-8")
    assert run(["compile", "N", "-o", str(path)]) != 0
    assert run(["compile", "wW", "-o", str(path)]) == 1
    assert path.read_text(encoding="utf-8") == "kept"
    assert "[unknown-format]" in "".join(capsys.readouterr())
    assert run(["compile", "//only words", "--from", "hasinu"]) == 1


def test_arrays_are_the_same_numbers(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy", reason="alfil[numpy] is not installed")
    path = tmp_path / "tables.npz"
    assert run(["compile", "chess", "-o", str(path)]) == 0
    _, data = written(tmp_path, "chess")
    with numpy.load(path) as arrays:
        assert json.loads(bytes(arrays["tables.json"])) == data
        for piece in data["pieces"]:
            for number, part in enumerate(piece["parts"]):
                for name in ("steps", "nodes", "skips") if part["kind"] == "trie" else ():
                    assert arrays[f"{piece['code']}.{number}.{name}"].tolist() == part[name]


def positions(code: str, chance: random.Random) -> list[dict[str, Any]]:
    """Positions on a board of 9 by 9 with some pieces."""
    found = []
    for crowd in (0, 8, 30):
        at = [chance.randrange(9), chance.randrange(9)]
        squares = {f"{chance.randrange(9)},{chance.randrange(9)}" for _ in range(crowd)}
        others = {each: chance.choice(["enemy", "friend", "royal"]) for each in sorted(squares)}
        others.pop(f"{at[0]},{at[1]}", None)
        past = {"moves_made": chance.choice([0, 1, 2, 5]), "turn": chance.choice([3, 6, 7])}
        found.append({"code": code, "at": at, "board": others, **past})
    return found


def by_alfil(text: str, notation: str, position: dict[str, Any]) -> list[str]:
    squares = {
        kind: {
            tuple(
                int(each) - here for each, here in zip(at.split(","), position["at"], strict=True)
            )
            for at, standing in position["board"].items()
            if standing == kind
        }
        for kind in ("enemy", "friend", "royal")
    }
    found = alfil.moves(
        alfil.read(text, notation),
        files=9,
        ranks=9,
        at=tuple(position["at"]),
        enemies=squares["enemy"],  # type: ignore[arg-type]
        friends=squares["friend"],  # type: ignore[arg-type]
        enemy_royals=squares["royal"],  # type: ignore[arg-type]
        moves_made=position["moves_made"],
        turn=position["turn"],
    )
    told = ((move.to, sorted(f"{x},{y}" for x, y in move.captures)) for move in found)
    return sorted({" ".join([f"{x},{y}", *taken]) for (x, y), taken in told})


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_reader_of_the_documents_finds_the_moves_of_alfil(tmp_path: Path) -> None:
    """All pieces, each in three positions that no table has seen."""
    chance = random.Random(14)
    file = tmp_path / "all.pieces"
    lines = [f'piece P{at} "{at}" {of}="{text}"' for at, (text, of) in enumerate(PIECES)]
    file.write_text("\n".join(lines), encoding="utf-8")
    path, data = written(tmp_path, str(file))
    assert fits(data, SCHEMA)
    asked = [each for at in range(len(PIECES)) for each in positions(f"P{at}", chance)]
    done = subprocess.run(
        ["node", str(DOCS / "read_tables.js"), str(path)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    for position, answer in zip(asked, json.loads(done.stdout), strict=True):
        text, notation = PIECES[int(position["code"][1:])]
        assert answer == by_alfil(text, notation, position), (text, position)
