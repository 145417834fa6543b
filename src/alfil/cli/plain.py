"""Marks and moves as plain data."""

from __future__ import annotations

from enum import Flag
from typing import TYPE_CHECKING

from alfil.diagrams.marks import Mark, Marks, Way
from alfil.meaning.piece import Guard

if TYPE_CHECKING:
    from alfil.tables.reach import Move


def guard_as_data(guard: Guard) -> list[list[str | int]]:
    """Each condition as [kind, value, inset]."""
    return [[condition.kind, condition.value, condition.inset] for condition in guard]


def move_as_data(move: Move) -> dict[str, object]:
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


def marks_as_data(marks: Marks) -> dict[str, object]:
    """A diagram as data: its window, the marks by square, where it goes on, and remarks."""
    west, east, south, north, _ = marks.window
    return {
        "window": {"west": west, "east": east, "south": south, "north": north},
        "squares": [{"at": list(at), **_mark_as_data(mark)} for at, mark in marks.squares.items()],
        "arrows": [{"at": list(arrow.at), "step": list(arrow.step)} for arrow in marks.arrows],
        "remarks": names_of(marks.remarks),
    }


def _mark_as_data(mark: Mark) -> dict[str, object]:
    return {"ways": [_way_as_data(way) for way in mark.ways], "passed": names_of(mark.passed)}


def _way_as_data(way: Way) -> dict[str, object]:
    return {
        "ends": names_of(way.ends),
        "asks": names_of(way.asks),
        "guard": guard_as_data(way.guard),
    }


def names_of(flags: Flag) -> list[str]:
    """The names of the single flags, in lower case."""
    return [(flag.name or "").lower().replace("_", "-") for flag in flags]
