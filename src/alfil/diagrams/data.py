"""Diagrams as plain data."""

from __future__ import annotations

import json
from enum import Flag
from typing import TYPE_CHECKING

from alfil.diagrams.marks import Mark, Marks, Way
from alfil.diagrams.picture import Picture
from alfil.meaning.piece import Guard

if TYPE_CHECKING:
    from alfil.diagrams.formats import Look


def guard_as_data(guard: Guard) -> list[list[str | int]]:
    """Each condition as [kind, value, inset]."""
    return [[condition.kind, condition.value, condition.inset] for condition in guard]


def marks_as_data(marks: Marks) -> dict[str, object]:
    """A diagram as data: its window, the marks by square, where it goes on, and remarks."""
    west, east, south, north, _ = marks.window
    return {
        "window": {"west": west, "east": east, "south": south, "north": north},
        "squares": [{"at": list(at), **_mark_as_data(mark)} for at, mark in marks.squares.items()],
        "arrows": [{"at": list(arrow.at), "step": list(arrow.step)} for arrow in marks.arrows],
        "remarks": names_of(marks.remarks),
        "standing": [
            {"at": list(at), "what": each.name.lower().replace("_", "-")}
            for at, each in marks.standing.items()
        ],
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


def rendered(picture: Picture, look: Look | None = None) -> str:
    """A picture as JSON: its words and all its marks, lines and arrows."""
    del look
    return json.dumps(picture_as_data(picture), indent=1) + "\n"


def picture_as_data(picture: Picture) -> dict[str, object]:
    """A picture as data; "note" and "status" are empty for a piece that is in no file."""
    strokes, exits, cut = picture.lines
    return {
        "label": picture.label,
        "notation": picture.notation,
        "description": picture.description,
        "note": picture.note,
        "status": picture.status,
        **marks_as_data(picture.marks),
        "lines": [
            {
                "from": list(each.start),
                "step": list(each.step),
                "steps": each.steps,
                "kind": each.kind.name.lower(),
            }
            for each in strokes
        ],
        "exits": [
            {"from": list(each.at), "step": list(each.step), "kind": each.kind.name.lower()}
            for each in exits
        ],
        "lines_cut": cut,
    }
