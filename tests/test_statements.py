"""Every statement of the sources, with its test: tests/cases/statements.tsv.

A row says what a source states, whether it works here or differs (then why), and an expression in
Python that is true because of it. docs/coverage.md has the counts.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import alfil
from alfil import locations
from gathering import every_row

PROJECT = Path(__file__).parents[1]
TESTS = PROJECT / "tests"
CASES = TESTS / "cases"
FUNCTIONS = {f"function{each}(range)": "range" for each in range(1, 5)}


def rows(name: str) -> list[dict[str, str]]:
    with (CASES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


STATEMENTS = rows("statements.tsv")


def h(text: str) -> alfil.Piece:
    return alfil.read(text, "hasinu")


def same(betza: str, text: str, *, facts: bool = True) -> bool:
    return alfil.same(betza, h(text), facts=facts)


def alike(one: str, other: str, *, facts: bool = True) -> bool:
    return alfil.same(h(one), h(other), facts=facts)


def parlett(text: str, betza: str) -> bool:
    return alfil.same(alfil.read(text, "parlett"), betza)


def meant(one: str, other: str) -> bool:
    return alfil.same(alfil.read(one, "hasinu", functions=FUNCTIONS), h(other))


def reads(text: str) -> bool:
    return alfil.read(str(h(text)), "hasinu").tree == h(text).tree


def squares(text: str, **around: Any) -> str:  # noqa: ANN401 - what alfil.moves takes
    found = {move.to for move in alfil.moves(h(text), radius=3, **around)}
    return " ".join(f"{x},{y}" for x, y in sorted(found, key=lambda at: (-at[1], at[0])))


def taken(text: str, **around: Any) -> set[tuple[int, int]]:  # noqa: ANN401 - as above
    return {at for move in alfil.moves(h(text), radius=3, **around) for at in move.captures}


def refused(text: str, notation: str = "hasinu") -> str:
    """The kind of the first error in a text, empty for none."""
    try:
        alfil.read(text, notation)
    except alfil.NotationError as error:
        return error.kind
    return ""


def noted(text: str) -> str:
    """The kind of the one diagnostic in a text that reads."""
    (diagnostic,) = h(text).diagnostics
    return diagnostic.kind


def raises(call: Callable[[], object]) -> bool:
    try:
        call()
    except alfil.AlfilError:
        return True
    return False


@cache
def source(name: str) -> str:
    return (TESTS / name).read_text(encoding="utf-8")


def has_test(name: str, words: str) -> bool:
    """Whether a test file has a test about this."""
    return words in source(name)


def listed(name: str) -> bool:
    """Whether a case file is there and some test reads it."""
    return bool(rows(name)) and any(name in source(each.name) for each in TESTS.glob("test_*.py"))


def row(code: str) -> bool:
    """Whether the rules of Hand shogi have a position of that name, which test_hand_shogi tries."""
    files = ("hand_shogi_moves.tsv", "hand_shogi_ends.tsv")
    return any(each["id"] == code for name in files for each in rows(name))


NAMES: dict[str, Any] = {
    **{each.__name__: each for each in (h, same, alike, parlett, meant, reads, squares, taken)},
    **{each.__name__: each for each in (refused, noted, raises, listed, row)},
    "tested": has_test,
    "alfil": alfil,
    "locations": locations,
    "OPAQUE": locations.CellDialect.OPAQUE,
    "PROJECT": PROJECT,
    "HAND_SHOGI": alfil.load("hand_shogi"),
}


@every_row("statement, test", [(each["statement"], each["test"]) for each in STATEMENTS])
def test_statement(statement: str, test: str) -> None:
    assert eval(test, NAMES), statement  # our own file


def test_what_differs_says_why() -> None:
    told = [(each["source"], each["statement"]) for each in STATEMENTS]
    assert len(told) == len(set(told))
    assert {each["verdict"] for each in STATEMENTS} == {"works", "differs"}
    assert all(each["reason"] for each in STATEMENTS if each["verdict"] == "differs")


def test_a_page_has_the_counts(capsys: pytest.CaptureFixture[str]) -> None:
    found = Counter(each["verdict"] for each in STATEMENTS)
    with capsys.disabled():
        sys.stdout.write(
            f"\nstatements of the sources: {found['works']} work, {found['differs']} differ\n"
        )
    page = (PROJECT / "docs/coverage.md").read_text(encoding="utf-8")
    words = " ".join(page.split())
    stated = re.search(
        r"Of (\d+) statements of its sources (\d+) work as stated and (\d+) differ", words
    )
    assert stated is not None
    assert [*map(int, stated.groups())] == [len(STATEMENTS), found["works"], found["differs"]]
