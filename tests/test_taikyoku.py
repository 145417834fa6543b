"""Taikyoku shogi in Betza, beside a step table that other people made of the same pieces.

A table row becomes squares by counting steps, and a piece by spelling every ray as a part of its
own; the Betza must be the same piece. Rows marked DISAGREE are in taikyoku_differences.tsv: the
rays that differ as direction:Betza/table (steps, 0 unlimited, - none), which side is right as far
as other published lists of the game tell ("open" where they are split), and why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

import alfil
from boards import rows
from gathering import every_row

RADIUS = 36
Offset = tuple[int, int]

RAYS: dict[Offset, str] = {
    (0, 1): "f",
    (0, -1): "b",
    (-1, 0): "l",
    (1, 0): "r",
    (1, 1): "fr",
    (-1, 1): "fl",
    (1, -1): "br",
    (-1, -1): "bl",
}

# Two of the lists direct K and Q by W and F apart, which is the dialect `classic`. One text goes
# further and means every letter by itself: fs is f and s there, in no dialect we know.
DIRECTED = re.compile(r"[fblrvs][KQ]")
APART = {"bR2fsQ": "bR2fQsQ"}


@dataclass(frozen=True, slots=True)
class Row:
    """A piece by its Betza and by its table: the range on every ray, 0 for no limit."""

    source: str
    piece: str
    text: str
    table: dict[str, int]
    agree: bool

    @property
    def key(self) -> tuple[str, str]:
        """What names the row."""
        return self.source, self.piece

    def read(self) -> alfil.Piece:
        """The Betza, in the dialect it is written in."""
        text = APART.get(self.text, self.text)
        return alfil.read(text, "classic" if DIRECTED.search(text) else "betza")


def row(source: str, piece: str, text: str, steps: str, verdict: str) -> Row:
    """Read one row; a ray given twice is an error."""
    assert verdict in {"agree", "DISAGREE"}
    table = [(RAYS[dx, dy], limit) for dx, dy, limit in json.loads(steps)]
    assert len(dict(table)) == len(table)
    return Row(source, piece, text, dict(table), verdict == "agree")


ROWS = [row(*cells) for _, cells in rows("taikyoku_independent.tsv")]
DIFFERENCES = {(cells[0], cells[1]): cells[2:] for _, cells in rows("taikyoku_differences.tsv")}


def squares(table: dict[str, int]) -> set[Offset]:
    """What the table reaches on an empty diagram."""
    return {
        (dx * step, dy * step)
        for (dx, dy), ray in RAYS.items()
        if ray in table
        for step in range(1, (table[ray] or RADIUS) + 1)
    }


def spelled(table: dict[str, int]) -> str:
    """The table as Betza, one part for every ray."""
    parts = (f"{ray}{'RB'[len(ray) - 1]}{limit or ''}" for ray, limit in table.items())
    return "".join(parts)


def rays(reached: Iterable[Offset]) -> dict[str, int]:
    """Squares as ranges on rays: the squares must be those of whole slides."""
    found: dict[str, int] = {}
    for dx, dy in reached:
        size = max(abs(dx), abs(dy))
        ray = RAYS[dx // size, dy // size]
        found[ray] = found.get(ray, 0) + 1
    found = {ray: 0 if count == RADIUS else count for ray, count in found.items()}
    assert squares(found) == set(reached)
    return found


@every_row("row", [row for row in ROWS if row.agree])
def test_betza_and_table_agree(row: Row) -> None:
    piece = row.read()
    assert alfil.destinations(piece, RADIUS) == squares(row.table)
    assert alfil.same(piece, spelled(row.table))


@pytest.mark.parametrize("row", [row for row in ROWS if not row.agree], ids=lambda row: row.piece)
def test_betza_and_table_differ_as_recorded(row: Row) -> None:
    difference, right, reason = DIFFERENCES[row.key]
    ours = rays(alfil.destinations(row.read(), RADIUS))
    differ = [
        f"{ray}:{ours.get(ray, '-')}/{row.table.get(ray, '-')}"
        for ray in RAYS.values()
        if ours.get(ray) != row.table.get(ray)
    ]
    assert " ".join(differ) == difference != ""
    assert not alfil.same(row.read(), spelled(row.table))
    assert right in {"betza", "table", "open"}
    assert reason


def test_every_difference_is_of_a_row() -> None:
    assert len(ROWS) == 283
    assert [row.key for row in ROWS if not row.agree] == list(DIFFERENCES)


def test_directions_on_king_and_queen_need_the_old_reading() -> None:
    directed = [row for row in ROWS if row.agree and DIRECTED.search(row.text)]
    assert len(directed) == 24
    for row in directed:
        assert alfil.destinations(row.text, RADIUS) != squares(row.table)
    assert {row.text for row in directed} >= APART.keys()
    for text, apart in APART.items():
        assert not alfil.same(alfil.read(text, "classic"), apart)
