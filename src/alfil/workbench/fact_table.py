"""The facts of the included pieces as a table, pieces/facts.tsv, so that nobody waits for them.

`alfil facts --all` works them out, and `python hatch_build.py --facts` makes the table of that. A
row has the movement as it is written in a set, the board and the figures, each as JSON, but for
the lines of mates.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any

from alfil.data_files import read_table
from alfil.library.file_locations import FOLDER
from alfil.library.library import Library, library_by_name
from alfil.library.piece_file import Entry
from alfil.workbench.piece_facts import FILLED, Facts, MatingPower, Mobility, facts

FILE = "facts.tsv"
# The board on which pieces are compared. Larger boards than these are not looked at, or not solved.
USUAL_BOARD = (8, 8)
MOST_SQUARES, MOST_SOLVED = 400, 100
# What a row begins with, and what of a piece is no part of it.
KEY = ("notation", "piece", "files", "ranks")
_OWN = frozenset({*KEY, "value", "hand_value"})
COLUMNS = tuple(each.name for each in fields(Facts) if each.name not in _OWN)

Key = tuple[str, str, int, int]


def look_up_or_compute_facts(entry: Entry, board: tuple[int, int]) -> Facts:
    """The facts of a piece, from the table if they are there; then best play to mate is left out.

    On boards of more than 100 squares the ending is not solved. Raises what `facts` raises.
    """
    piece = entry.piece
    row = None if piece.functions else _fact_table_cells().get((piece.notation, piece.text, *board))
    if row is None:
        return facts(entry, board, mating=is_mating_power_solved_on(board), limited=False)
    return replace(_facts_from_cells(row, board), **_notation_and_values_of(entry))


def is_mating_power_solved_on(board: tuple[int, int]) -> bool:
    """Whether the ending is solved on a board where nobody has asked for it."""
    return board[0] * board[1] <= MOST_SOLVED


def boards_with_facts(library: Library) -> list[tuple[int, int]]:
    """The boards on which the pieces of a set have facts: the usual one, and that of its game."""
    own = (library.files, library.ranks)
    more = own != USUAL_BOARD and 0 < own[0] * own[1] <= MOST_SQUARES
    return [USUAL_BOARD, own] if more else [USUAL_BOARD]


def fact_table_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """The table of the rows that `alfil facts --all` wrote."""
    lines = {
        tuple(row[name] for name in KEY): _table_line(row)
        for row in rows
        if "error" not in row
        and (row["files"], row["ranks"])
        in boards_with_facts(library_by_name(row["id"].partition(":")[0]))
    }
    return "\n".join(["\t".join((*KEY, *COLUMNS)), *lines.values()]) + "\n"


def _table_line(row: Mapping[str, Any]) -> str:
    power = row["mating"]
    mating = [*power.values()][:-1] if power else None
    put = {"mating": mating, "mobility": [each["squares"] for each in row["mobility"]]}
    cells = [
        json.dumps(put.get(name, row[name]), separators=(",", ":"), ensure_ascii=False)
        for name in COLUMNS
    ]
    return "\t".join([*(str(row[name]) for name in KEY), *cells])


@cache
def _fact_table_cells() -> dict[Key, list[str]]:
    """The cells of each row that are no part of its key."""
    rows = read_table(FOLDER, FILE)
    return {(row[0], row[1], int(row[2]), int(row[3])): row[len(KEY) :] for row in rows}


def _facts_from_cells(row: list[str], board: tuple[int, int]) -> Facts:
    cells = dict(zip(COLUMNS, map(json.loads, row), strict=True))
    power, mobility = cells["mating"], cells["mobility"]
    if power:
        kind, positions, won, mates, stalemates, longest, start = power
        power = MatingPower(kind, positions, won, mates, stalemates, longest, start, ())
    cells["mating"] = power
    cells["mobility"] = tuple(map(Mobility, FILLED, mobility))
    for name in ("reached", "symmetries", "remarks"):
        cells[name] = tuple(cells[name])
    files, ranks = board
    return Facts("", "", files, ranks, **cells, value=None, hand_value=None)


def _notation_and_values_of(entry: Entry) -> dict[str, Any]:
    """What a piece has of its own beside others that move alike."""
    piece = entry.piece
    said = {"value": entry.value, "hand_value": entry.hand_value}
    return {"piece": piece.text, "notation": piece.notation, **said}
