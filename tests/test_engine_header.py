"""What Python says of the engine's structs and numbers is what its header says."""

from __future__ import annotations

import re
from functools import reduce
from operator import lshift
from pathlib import Path

import alfil
from alfil.game import engine_interface

ENGINE = Path(alfil.__file__).parent / "engine"
HEADER = (ENGINE / "engine.h").read_text(encoding="utf-8")
PARTS = "".join(path.read_text(encoding="utf-8") for path in sorted(ENGINE.glob("*.c")))


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def test_fields_of_structs_are_in_the_order_of_their_sizes() -> None:
    """Python lays out 64 bits before 32 bits before arrays, and knows no other order."""
    sorts = {"int64_t": 0, "uint64_t": 0}
    wrong = {}
    for body, name in re.findall(r"typedef struct \{([^}]*)\} (\w+);", without_comments(HEADER)):
        made = re.findall(r"(?:const |volatile )?(\w+)\s+([^;]+);", body)
        order = [
            2 if "*" in each else sorts.get(kind, 1)
            for kind, names in made
            for each in names.split(",")
        ]
        if order != sorted(order):
            wrong[name] = order
    assert not wrong


def test_structs_are_read_from_the_header() -> None:
    layout = engine_interface.StructLayout
    assert layout(("slots",), ("stop",), ("table",)) == engine_interface.COUNTING
    assert (
        layout(
            ("board", "rights", "key", "earlier"),
            (
                *("origin", "target", "becomes", "node", "partner", "flags"),
                *("won", "check", "mating", "first_given", "second_given"),
                *("passed", "idle", "limit", "counted", "fresh"),
            ),
            (),
        )
        == engine_interface.PLY
    )
    assert (engine_interface.WIDTH, engine_interface.WAY, engine_interface.LINK) == (6, 6, 6)


def test_functions_are_read_from_the_header() -> None:
    functions = engine_interface.FUNCTIONS
    assert functions["play_random_games"] == ("ppiiQp", True)
    assert functions["mask_games"] == ("pppqp", False)
    assert functions["cut_table_to_square"] == ("pppipp", True)


def numbers() -> dict[str, int]:
    """All that the header and the sources define."""
    text = without_comments(HEADER + PARTS)
    found = {name: int(value) for name, value in re.findall(r"#define (\w+) (\d+)\n", text)}
    for body in re.findall(r"enum \{([^}]*)\}", text):
        value = -1
        for item in filter(None, map(str.strip, body.split(","))):
            name, _, given = item.partition(" = ")
            value = reduce(lshift, map(int, given.split(" << "))) if given else value + 1
            found[name] = value
    return found


def test_numbers_are_those_of_the_header() -> None:
    said = {
        name: value
        for name, value in vars(engine_interface).items()
        if name.isupper() and isinstance(value, int) and name not in {"WIDTH", "WAY", "LINK"}
    }
    known = numbers()
    assert {name: known.get(name) for name in said} == said
