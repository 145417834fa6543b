"""What `make mutants` changes, and that each change is one the program can be run with."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(1, str(Path(__file__).parent / "mutants"))

import ast

from changes import Mutant, blocks, mentioning, mutants
from order import Order

SOURCE = b'''"""Words."""
LIMIT = 3


def reach(most: int = LIMIT, *, far: bool = False) -> list[int]:
    """Words."""
    found = []
    for each in range(most):
        if each > 1 and not far:
            continue
        found.append("\xc3\x97" * each)
    return found[1:]
'''


def found(source: bytes) -> list[Mutant]:
    return list(mutants("m.py", source))


def test_every_change_is_one_place_and_runs() -> None:
    shown = {(each.old, each.new) for each in found(SOURCE)}
    assert shown >= {
        ("3", "(4)"),
        ("each > 1 and not far", "True"),
        ("each > 1", "(each >= 1)"),
        ("each > 1 and not far", "(each > 1 or not far)"),
        ("not far", "(far)"),
        ("continue", "break"),
        ('found.append("×" * each)', "pass"),
        ('"×" * each', "('×' + each)"),
        ('"×"', "('×~')"),
        ("return found[1:]", "return None"),
        ("found[1:]", "(found[:])"),
        ("False", "(True)"),
    }
    for mutant in found(SOURCE):
        text = mutant.text(SOURCE)
        assert text != SOURCE
        assert compile(text, "m.py", "exec")


def test_no_docstring_and_no_type_is_changed() -> None:
    assert not [each for each in found(SOURCE) if "Words" in each.old or each.old == "bool"]


def test_blocks_are_named_by_function_and_number() -> None:
    names = [(block.name, block.inside) for block in blocks(ast.parse(SOURCE))]
    assert names == [("#1", False), *[(f"reach#{number}", True) for number in (1, 2, 3)]]
    where = Counter(each.block for each in found(SOURCE))
    assert where["reach#3"] == 1
    assert {each.names for each in found(SOURCE) if each.old == "3"} == {("LIMIT",)}


def test_what_a_module_makes_of_a_value_is_changed_with_it() -> None:
    made = b"WIDE = 3\nEVEN = {WIDE: 2}\nROWS = [EVEN]\nOTHER = 1\ndef f():\n    return WIDE\n"
    names = {each.old: each.names for each in found(made) if each.old in "312"}
    assert names == {"3": ("WIDE", "EVEN", "ROWS"), "2": ("EVEN", "ROWS"), "1": ("OTHER",)}


def test_blocks_that_speak_of_a_name_themselves_are_found() -> None:
    tree = ast.parse(SOURCE)
    assert list(mentioning(tree, ("range",))) == ["reach#1"]
    assert list(mentioning(tree, ("append", "LIMIT"))) == ["reach#2"]


def test_the_key_outlives_lines_above() -> None:
    below = b"import os\n" + SOURCE
    assert [each.key for each in found(SOURCE)] == [each.key for each in found(below)]


def test_tests_that_noticed_a_neighbour_or_are_about_the_file_come_first() -> None:
    drawn = found(SOURCE)
    mutant = next(each for each in drawn if each.block == "reach#1" and each.inside)
    near = next(each for each in drawn if each.block == "reach#3")
    block = "m.py:reach#1"
    records: dict[str, tuple[float, list[str]]] = {
        **{f"tests/{name}::t": (0.01, [block, "o.py:f#1"]) for name in "abc"},
        "tests/d::about": (0.02, [block]),
        "tests/d::noticed": (9.0, [block, "o.py:f#1"]),
        "tests/d::elsewhere": (0.01, ["o.py:f#1"]),
    }
    order = Order(
        SimpleNamespace(items=records),  # type: ignore[arg-type]
        records,
        drawn,
        lambda each: "ended by 9 tests/d::noticed" if each is near else "",
    )
    _, tests = order.wanted(mutant)
    names = [name for _, name in tests]
    assert names[:3] == ["tests/d::noticed", "tests/d::about", "tests/a::t"]
    assert {*names} == {*records} - {"tests/d::elsewhere"}


def test_all_functions_are_found_though_the_engine_and_some_extras_are_no_modules() -> None:
    here = Path(__file__).parent
    program = (
        "import pathlib, sys, reach; print(len(reach.Functions(pathlib.Path(sys.argv[1]))._of))"
    )
    command = [sys.executable, "-c", program, str(here.parent / "src")]
    shown = subprocess.run(
        command, cwd=here / "mutants", capture_output=True, text=True, check=True
    ).stdout
    assert int(shown) > 200
