"""Pictures show what some position allows: paths that meet a square twice ask of it one thing."""

from __future__ import annotations

import json
from itertools import product

import pytest

import alfil

# A board of one file, and its squares as offsets from the piece.
BOARD = {"files": 1, "ranks": 6, "at": "a3"}
OTHERS = [(0, y) for y in range(-2, 4) if y]
MODES = ("", "m", "c", "p", "md")


def met(piece: str) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """The squares where moves end, and those captured on, in any position of one file."""
    ends, victims = set(), set()
    for stands in product(" ef", repeat=len(OTHERS)):
        held = [(f"a{3 + y}", what) for (_, y), what in zip(OTHERS, stands, strict=True)]
        enemies, friends = ({at for at, what in held if what == each} for each in "ef")
        for move in alfil.moves(piece, enemies=enemies, friends=friends, **BOARD):
            ends.add(move.to)
            victims.update(at for at in move.captures if at != move.to)
    return ends, victims


@pytest.mark.parametrize(
    "piece",
    [
        *(
            f"[f{a}W-{b}{x}W-{y}W]"
            for a, b, x, y in product(MODES[1:4], ("", "b"), MODES, ("", "b"))
        ),
        *(
            "[fK-K-bK-cbK]",
            "[fcW-bmW-W]",
            "[fcW-bW-bcW]",
            "[fD-bcW-W]",
            "[fW-W-mbW-cbW]",
            "[fR-cR-bR]",
            "[fmR-bcR]",
            "[fR-cW-bR3]",
            "[fR2-pW-bcR]",
        ),
    ],
)
def test_what_is_marked_can_happen(piece: str) -> None:
    squares = json.loads(alfil.draw(piece, **BOARD).render("json"))["squares"]
    marked = {tuple(each["at"]) for each in squares if each["ways"]}
    captured = {
        tuple(each["at"]) for each in squares if {"victim", "own-victim"} & {*each["passed"]}
    }
    assert (marked, captured) == met(piece)
