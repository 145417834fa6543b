"""What Python says of the engine's structs and numbers is what its header says."""

from __future__ import annotations

import re
from functools import reduce
from operator import lshift
from pathlib import Path

import pytest

import alfil
from alfil.game import engine_interface

ENGINE = Path(alfil.__file__).parent / "engine"
HEADER = (ENGINE / "engine.h").read_text(encoding="utf-8")
PARTS = "".join(path.read_text(encoding="utf-8") for path in sorted(ENGINE.glob("*.c")))
# What the header calls an array of two numbers has two names.
TWICE = {
    "counts": ("first_count", "second_count"),
    "royals": ("first_royal", "second_royal"),
    "on_move": ("on_move", "on_move_late"),
    "royal_ranks": ("first_royal_rank", "second_royal_rank"),
    "given": ("first_given", "second_given"),
    "move": ("origin", "target", "becomes", "node", "partner", "flags"),
}
WIDE = {"int64_t", "uint64_t"}


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def fields(name: str) -> engine_interface.StructLayout:
    """The fields of a struct of the header by their sorts, each sort in its order."""
    body = re.search(rf"typedef struct \{{([^}}]*)\}} {name};", without_comments(HEADER))
    assert body
    found: dict[str, list[str]] = {"longs": [], "ints": [], "arrays": []}
    order = []
    for line in body[1].split(";"):
        if not line.strip():
            continue
        made = re.fullmatch(r"\s*(?:const |volatile )*(\w+)\s+(.*)", line, re.DOTALL)
        assert made, line
        for field in made[2].split(","):
            bare = re.sub(r"[*\s]|\[2\]", "", field)
            sort = "arrays" if "*" in field else "longs" if made[1] in WIDE else "ints"
            found[sort] += TWICE.get(bare, (bare,))
            order.append(sort)
    assert order == sorted(order, key=["longs", "ints", "arrays"].index)
    return engine_interface.StructLayout(*(tuple(each) for each in found.values()))


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        ("Tables", engine_interface.TABLES),
        ("Position", engine_interface.POSITION),
        ("Ply", engine_interface.PLY),
        ("Search", engine_interface.SEARCH),
        ("Counting", engine_interface.COUNTING),
        ("SelfPlay", engine_interface.SELF_PLAY),
        ("Fitting", engine_interface.FITTING),
        ("Problem", engine_interface.PROBLEM),
        ("Encoding", engine_interface.ENCODING),
        ("Games", engine_interface.GAMES),
        ("Endings", engine_interface.ENDINGS),
    ],
)
def test_structs_are_those_of_the_header(name: str, layout: engine_interface.StructLayout) -> None:
    assert fields(name) == layout


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


# How many numbers these structs are.
LENGTHS = {"WIDTH": "Move", "WAY": "Way", "LINK": "Link"}


def test_numbers_are_those_of_the_header() -> None:
    said = {
        name: value
        for name, value in vars(engine_interface).items()
        if name.isupper() and isinstance(value, int) and name not in LENGTHS
    }
    known = numbers()
    assert {name: known.get(name) for name in said} == said
    for name, struct in LENGTHS.items():
        assert len(fields(struct).ints) == getattr(engine_interface, name)


def test_functions_want_what_the_header_says() -> None:
    sorts = {"int": "i", "int64_t": "q", "uint64_t": "Q"}
    pattern = r"ENGINE_API (int64_t|void) (\w+)\(([^)]*)\);"
    found = {
        name: (
            "".join("p" if "*" in each else sorts[each.split()[0]] for each in given.split(",")),
            answer != "void",
        )
        for answer, name, given in re.findall(pattern, without_comments(HEADER))
    }
    assert found == engine_interface.FUNCTIONS
