"""Tables in files: as the schema has them, and as a program in another language reads them."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest

import alfil
from alfil.cli.app import run
from alfil.meaning.compile_movement import meaning_of
from alfil.movement.nodes import Leg, Option
from alfil.source import Source
from alfil.tables.table_export import (  # of what no text and no file can say
    ExportedPiece,
    tables_as_json,
)
from games import with_rules

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
    *[(text, "hasinu") for text in ("atmove(2,atmove(3,1×8d,turn),turn)", "sz(2) & n4dO")],
    *[(text, "hasinu") for text in ("sz(3,2) & j(n4dO,1)", "sz(2,1) & i(1×4dN-E-S-W)")],
]


class Effect(NamedTuple):
    """What a piece does to others: around what, whom, and when; the piece beside it."""

    fact: str
    time: str
    side: str
    reach: str
    size: str = ""
    beside: str = "n4dO"

    @property
    def text(self) -> str:
        name = {"burns": "burn", "immobilises": "im", "shoots": "i"}[self.fact]
        side = {"enemies": "E", "friends": "F", "all": "FE"}[self.side]
        when = {"active": "A", "passive": "P", "always": "PA"}[self.time]
        return f"{self.size}{name}({self.reach},{side},{when}) & {self.beside}"


EFFECTS = [
    Effect("burns", "active", "enemies", "1×8d"),
    Effect("burns", "always", "all", "n4dD", beside="1×8d & n(1,2)"),
    Effect("burns", "active", "friends", "j(n4dO,1)"),
    Effect("burns", "active", "enemies", "INF(2,2)", beside="rpg(n8d)"),
    Effect("burns", "active", "enemies", "n(1×8d)", beside="n(1×8d)"),
    Effect("burns", "active", "all", "1×8d", size="sz(2) & "),
    Effect("burns", "active", "enemies", "n8d", size="sz(2,3) & "),
    Effect("burns", "passive", "enemies", "n8d"),
    Effect("immobilises", "always", "enemies", "1×8d"),
    Effect("immobilises", "passive", "all", "(1,2)"),
    Effect("immobilises", "active", "friends", "n8d", size="sz(1,2) & "),
    Effect("shoots", "passive", "enemies", "ataction(2,n8d)"),
]
PIECES += [(each.text, "hasinu") for each in EFFECTS]


def fits(data: object, schema: dict[str, Any], named: dict[str, Any] = SCHEMA["$defs"]) -> bool:
    """Whether data is as a schema has it, as far as the words of ours go."""
    if "$ref" in schema:
        return fits(data, named[schema["$ref"].rpartition("/")[2]], named)
    if "anyOf" in schema:
        return any(fits(data, each, named) for each in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return data in schema.get("enum", [schema.get("const")])
    if type(data) is not READ[schema["type"]]:
        return False
    if isinstance(data, list):
        return all(fits(each, schema["items"], named) for each in data if "items" in schema)
    if isinstance(data, dict):
        more = schema.get("additionalProperties", True)
        known = schema.get("properties", {})
        return set(schema.get("required", ())) <= data.keys() and all(
            fits(value, known[key], named)
            if key in known
            else more and (more is True or fits(value, more, named))
            for key, value in data.items()
        )
    return True


def written(tmp_path: Path, *arguments: str) -> tuple[Path, dict[str, Any]]:
    path = tmp_path / "tables.json"
    assert run(["compile", *arguments, "-o", str(path)]) == 0
    return path, json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["chess", "hand_shogi", "xiangqi"])
def test_a_game_is_written_as_the_schema_has_it(name: str, tmp_path: Path) -> None:
    _, data = written(tmp_path, name)
    library = alfil.load(name)
    assert fits(data, SCHEMA)
    assert [each["code"] for each in data["pieces"]] == [each.code for each in library.pieces]
    assert (data["files"], data["ranks"]) == (library.files, library.ranks)
    parts = [part for each in data["pieces"] for part in each["parts"]]
    bounds = [area for part in parts for end in ("from", "to") for area in part.get(end, ())]
    assert all(area == sorted(area) for area in bounds)
    royal = {each["code"] for each in data["pieces"] for fact in each["facts"] if "survive" in fact}
    assert royal == {each.code for each in library.pieces if each.is_royal}
    assert not fits(data | {"version": 1}, SCHEMA)
    assert not fits({**data, "more": 1}, SCHEMA)


@pytest.mark.parametrize("name", ["xiangqi", "chess"])
def test_a_piece_of_a_game_is_written_as_with_all_of_them(name: str, tmp_path: Path) -> None:
    _, whole = written(tmp_path, name)
    for piece in whole["pieces"]:
        _, single = written(tmp_path, f"{name}:{piece['code']}")
        assert single == whole | {"pieces": [piece]}
    _, other = written(tmp_path, "xiangqi:G", "--piece", "G=F")
    assert other["pieces"][0]["text"] == "F"
    assert run(["compile", "xiangqi:G", "--board", "5x5"]) == 2
    assert (run(["compile", "xiangqi:Z"]), run(["compile", "xiangqi:"])) == (2, 2)


def test_iron_is_written_as_the_schema_has_it(tmp_path: Path) -> None:
    _, data = written(tmp_path, "--from", "hasinu", "fe() & 1×8d")
    assert fits(data, SCHEMA)
    (fact,) = data["pieces"][0]["facts"]
    assert (fact["fact"], fact["by"], fact["named"]) == ("iron", "anything", [])


def test_a_run_in_its_own_half_tells_the_squares_it_passes() -> None:
    """In Betza such a run leaves a trail as well; a movement as data may leave none."""
    half = alfil.Movement((Option(Leg(((0, 1),), "own-half")),))
    named = ExportedPiece("X", "half", "", "betza", meaning_of(half, Source("")))
    ((part,),) = (each["parts"] for each in tables_as_json([named], 1, 4)["pieces"])  # type: ignore[attr-defined]
    assert (part["when"], part["kind"]) == ({"middle": True}, "trie")
    passed = [part["traces"].get(node, {}).get("passed", []) for node in "012"]
    assert passed == [[], [[0, 1]], [[0, 1], [0, 2]]]


def test_what_a_piece_becomes_is_told_in_words_or_as_parts(tmp_path: Path) -> None:
    text = "1×4dO & promote(//reach rank nine, 1×1dN, //gold)"
    _, data = written(tmp_path, text, "--from", "hasinu", "--board", "2x2")
    (fact,) = data["pieces"][0]["facts"]
    word, (part,) = fact["into"]
    assert (fact["fact"], fact["on"], word) == ("promotion", "reach rank 9", "gold")
    assert part["steps"] == [[0, 1]]


def test_what_cannot_be_written_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tables.txt"
    path.write_text("kept", encoding="utf-8")
    assert run(["compile", "N", "-o", str(path)]) != 0
    assert run(["compile", "wW", "-o", str(path)]) == 1
    assert run(["compile", "xiangqi", "--board", "5x5"]) == 2
    assert run(["compile", "chess", "--board", "5x5"]) == 0
    assert path.read_text(encoding="utf-8") == "kept"
    assert "[unknown-format]" in "".join(capsys.readouterr())
    assert run(["compile", "//only words", "--from", "hasinu"]) == 1


@pytest.mark.parametrize("text", ["chess", "burn(1×8d) & sz(2) & im(n4dO,P) & n((2,1))"])
def test_arrays_are_the_same_numbers(text: str, tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy", reason="alfil[numpy] is not installed")
    path = tmp_path / "tables.npz"
    assert run(["compile", text, "--from", "hasinu", "-o", str(path)]) == 0
    _, data = written(tmp_path, text, "--from", "hasinu")
    with numpy.load(path) as arrays:
        assert json.loads(bytes(arrays["tables.json"])) == data
        tries = {
            f"{piece['code']}{place}.{number}.{name}": part[name]
            for piece in data["pieces"]
            for place, parts in (
                ("", piece["parts"]),
                *(
                    (f".facts.{at}.reach", f.get("reach", ()))
                    for at, f in enumerate(piece["facts"])
                ),
            )
            for number, part in enumerate(parts)
            for name in ("steps", "nodes", "skips")
            if part["kind"] == "trie"
        }
        assert tries == {name: arrays[name].tolist() for name in arrays if name != "tables.json"}
        assert any("reach" in name for name in tries) == (text != "chess")


def positions(at: int, chance: random.Random) -> list[dict[str, Any]]:
    """Positions of a piece on a board of 9 by 9 with some others."""
    found = []
    size = re.match(r"sz\((\d),?(\d?)", PIECES[at][0])
    files, ranks = (int(size[1]), int(size[2] or size[1])) if size else (1, 1)
    for crowd in (0, 8, 30, 50):
        x, y = chance.randrange(10 - files), chance.randrange(10 - ranks)
        squares = {(chance.randrange(9), chance.randrange(9)) for _ in range(crowd)}
        squares -= {(x + dx, y + dy) for dx in range(files) for dy in range(ranks)}
        others = {
            f"{file},{rank}": chance.choice(["enemy", "friend", "royal"])
            for file, rank in sorted(squares)
        }
        past = {"moves_made": chance.choice([0, 1, 2, 5]), "turn": chance.choice([3, 6, 7])}
        found.append({"code": f"P{at}", "at": [x, y], "board": others, **past})
    return found


def by_alfil(text: str, notation: str, position: dict[str, Any]) -> frozenset[alfil.PieceMove]:
    x, y = position["at"]
    squares: dict[str, set[tuple[int, int]]] = {"enemy": set(), "friend": set(), "royal": set()}
    for at, standing in position["board"].items():
        file, rank = map(int, at.split(","))
        squares[standing].add((file - x, rank - y))
    return alfil.moves(
        alfil.read(text, notation),
        files=9,
        ranks=9,
        at=(x, y),
        enemies=squares["enemy"],
        friends=squares["friend"],
        enemy_royals=squares["royal"],
        moves_made=position["moves_made"],
        turn=position["turn"],
    )


def named(offsets: Iterable[tuple[int, int]], position: dict[str, Any]) -> list[str]:
    x, y = position["at"]
    return sorted({f"{x + dx},{y + dy}" for dx, dy in offsets})


def in_range(effect: Effect, position: dict[str, Any]) -> list[str]:
    """Whom an effect reaches: those it could capture, if they were enemies and the others not."""
    about = {"enemies": ("enemy", "royal"), "friends": ("friend",)}.get(effect.side, ALL)
    seen = {
        at: ("royal" if standing == "royal" else "enemy") if standing in about else "friend"
        for at, standing in position["board"].items()
    }
    found = by_alfil(effect.size + effect.reach, "hasinu", {**position, "board": seen})
    return named((taken for move in found for taken in move.captures), position)


ALL = ("enemy", "royal", "friend")


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_reader_of_the_documents_finds_the_moves_of_alfil(tmp_path: Path) -> None:
    """All pieces, each in four positions that no table has seen; what they burn and reach, too."""
    chance = random.Random(14)
    file = tmp_path / "all.pieces"
    lines = [f'piece P{at} "{at}" {of}="{text}"' for at, (text, of) in enumerate(PIECES)]
    file.write_text("\n".join(lines), encoding="utf-8")
    path, data = written(tmp_path, str(file))
    assert fits(data, SCHEMA)
    asked = [each for at in range(len(PIECES)) for each in positions(at, chance)]
    met: Counter[str] = Counter()
    for position, answer in zip(asked, by_reader(path, asked), strict=True):
        at = int(position["code"][1:])
        text, notation = PIECES[at]
        found = by_alfil(text, notation, position)
        wanted = {" ".join([*named([m.to], position), *named(m.captures, position)]) for m in found}
        assert answer["moves"] == sorted(wanted), (text, position)
        told = [
            [each.fact, each.time, in_range(each, position)]
            for each in EFFECTS
            if each.text == text
        ]
        assert answer["effects"] == told, (text, position)
        met[text] += sum(len(others) for *_, others in told)
    assert {text for text, others in met.items() if others} == {each.text for each in EFFECTS}


def by_reader(tables: Path, asked: object) -> list[dict[str, Any]]:
    """What the reader of the documents answers."""
    found = subprocess.run(
        ["node", str(DOCS / "read_tables.js"), str(tables)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    answers: list[dict[str, Any]] = json.loads(found.stdout)
    return answers


# A game of pieces that burn, hold and shoot each other, and nothing else.
WAR = """
board 5x5
rule first = white
rule self-check = allowed
rule win = royal-capture
piece D "dragon" hasinu="burn(1×8d,PA) & n4dO"
piece I "ice"    hasinu="im(1×8d,PA) & 1×8d"
piece S "archer" hasinu="i(n4dO,P) & 1×4dD"
piece W "walker" hasinu="1×8d"
setup mirrored
| D I S W W |
"""
Square: TypeAlias = tuple[int, int]
NO_CHECKS = {
    "self_check": "allowed",
    "win": "royal-capture",
    "facing": "allowed",
    "passes": "barred",
    "repetition": None,
    "perpetual_check": "allowed",
}
# What stands where: the codes and sides of pieces.
Board: TypeAlias = dict[Square, tuple[str, int]]


def turned(square: Sequence[int], side: int, size: Square = (5, 5)) -> Square:
    """A square as a side counts it, and back."""
    (x, y), (files, ranks) = square, size
    return (files - 1 - x, ranks - 1 - y) if side else (x, y)


def text_of(board: Board, side: int) -> str:
    rows = [
        "".join(
            (code if of == 0 else code.lower()) if code else "1"
            for x in range(5)
            for code, of in [board.get((x, y), ("", 0))]
        )
        for y in reversed(range(5))
    ]
    return f"{'/'.join(rows)} {'wb'[side]}"


def asked_of(board: Board, square: Square) -> dict[str, Any]:
    """The position of one piece as the reader is asked for it: seen by the side of the piece."""
    code, side = board[square]
    others = {
        "{},{}".format(*turned(at, side)): "friend" if of == side else "enemy"
        for at, (_, of) in board.items()
        if at != square
    }
    return {"code": code, "at": turned(square, side), "board": others}


def answers(tables: Path, boards: list[Board]) -> list[dict[Square, dict[str, Any]]]:
    """For each position what the reader tells of each piece there."""
    told = iter(by_reader(tables, [asked_of(board, at) for board in boards for at in board]))
    return [{at: next(told) for at in board} for board in boards]


def reached(
    board: Board, told: dict[Square, dict[str, Any]], side: int, *facts: str
) -> set[Square]:
    """The squares of the pieces on which the pieces of a side have some effects that last."""
    return {
        turned([int(each) for each in place.split(",")], side)
        for at, (_, of) in board.items()
        for fact, time, places in told[at]["effects"]
        for place in places
        if of == side and fact in facts and time != "active"
    }


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_tables_are_enough_to_play_what_pieces_do_to_others(tmp_path: Path) -> None:
    """Who cannot move, what burns, and who is lost where it ends its move, as alfil plays it."""
    chance = random.Random(41)
    file = tmp_path / "war.pieces"
    file.write_text(WAR, encoding="utf-8")
    path, _ = written(tmp_path, str(file))
    squares = [(x, y) for x in range(5) for y in range(5)]
    starts: list[tuple[Board, int]] = [
        (
            {at: (chance.choice("DISW"), chance.randrange(2)) for at in chance.sample(squares, 11)},
            number % 2,
        )
        for number in range(4)
    ]
    moves: list[tuple[int, Square, Square, frozenset[Square], Board]] = []
    for number, told in enumerate(answers(path, [board for board, _ in starts])):
        board, side = starts[number]
        held = reached(board, told, 1 - side, "immobilises")
        for at in [each for each, (_, of) in board.items() if of == side and each not in held]:
            for text in told[at]["moves"]:
                to, *taken = (turned([int(n) for n in p.split(",")], side) for p in text.split())
                after = {each: piece for each, piece in board.items() if each not in {at, *taken}}
                moves.append((number, at, to, frozenset(taken), {**after, to: board[at]}))
    found: list[set[object]] = [set() for _ in starts]
    lost = 0
    for (number, at, to, taken, after), told in zip(
        moves, answers(path, [after for *_, after in moves]), strict=True
    ):
        perishes = to in reached(after, told, 1 - starts[number][1], "burns", "shoots")
        found[number].add((at, to, taken, perishes))
        lost += perishes
    assert lost
    variant = alfil.load(str(file)).variant
    for (board, side), answer in zip(starts, found, strict=True):
        game = alfil.Game(variant, text_of(board, side))
        wanted = set()
        for move in game.legal_moves:
            game.push(move)
            perishes = move.target not in game.pieces
            game.pop()
            wanted.add((move.origin, move.target, frozenset(move.captures), perishes))
        assert answer == wanted, text_of(board, side)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("name", ["xiangqi", "janggi"])
def test_tables_have_the_moves_that_pieces_have_on_some_squares_only(
    name: str, tmp_path: Path
) -> None:
    """Palaces, rivers, and cannons that no cannon hops over, in positions met by lot."""
    chance = random.Random(name)
    path, data = written(tmp_path, name)
    assert fits(data, SCHEMA)
    blockers = {each["code"]: each["blocked_by"] for each in data["pieces"]}
    free = with_rules(alfil.load(name).variant, **NO_CHECKS)
    size = (free.files, free.ranks)
    game = alfil.Game(free)
    asked, wanted = [], []
    for _ in range(40):
        side, pieces = game.side_to_move, game.pieces
        others = {
            "{},{}".format(*turned(at, side, size)): ("friend" if of == side else "enemy", code)
            for at, (code, of) in pieces.items()
        }
        for at, (code, of) in pieces.items():
            if of == side:
                here = turned(at, side, size)
                board = {
                    place: "outside" if other in blockers[code] else standing
                    for place, (standing, other) in others.items()
                    if place != f"{here[0]},{here[1]}"
                }
                asked.append({"code": code, "at": here, "board": board, "side": side})
                moves = [move for move in game.legal_moves if move.origin == at]
                ends = {turned(move.target, side, size) for move in moves}
                wanted.append(sorted(f"{x},{y}" for x, y in ends))
        game.push(chance.choice(game.legal_moves))
    told = [
        sorted({each.partition(" ")[0] for each in answer["moves"]})
        for answer in by_reader(path, asked)
    ]
    assert told == wanted
