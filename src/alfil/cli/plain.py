"""Moves as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alfil.diagrams.data import guard_as_data

if TYPE_CHECKING:
    from alfil.tables.reach import PieceMove


def move_as_data(move: PieceMove) -> dict[str, object]:
    """A move with all squares as [dx, dy]."""
    return {
        "to": list(move.to),
        "captures": [list(each) for each in move.captures],
        "own_captures": [list(each) for each in move.own_captures],
        "hurdles": [list(each) for each in move.hurdles],
        "trail": [list(each) for each in move.trail],
        "partner": [list(each) for each in move.partner] if move.partner else None,
        "guard": guard_as_data(move.guard),
    }
