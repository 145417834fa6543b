"""Pictures as plain data, which becomes JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from alfil.diagrams.diagram_model import (
    SIDES,
    Arrival,
    Board,
    Card,
    Continuation,
    Diagram,
    EndFlags,
    Mark,
    Marks,
    PassageFlags,
    PathConditionFlags,
    PieceToken,
    RemarkFlags,
    Sheet,
    Subject,
)
from alfil.diagrams.example_positions import example_of
from alfil.meaning.piece_meaning import Guard
from alfil.squares import square_name_on

if TYPE_CHECKING:
    from alfil.diagrams.picture import PictureLook


def rendered(subject: Subject, look: PictureLook) -> str:
    """A picture as JSON: its words, and all its marks and lines, or pieces."""
    del look
    match subject:
        case Diagram():
            made = diagram_as_data(subject)
        case Board():
            made = board_as_data(subject)
        case Sheet():
            made = sheet_as_data(subject)
    return json.dumps(made, indent=1) + "\n"


def diagram_as_data(diagram: Diagram) -> dict[str, object]:
    """A diagram as data; "note" and "status" are empty for a piece that is in no file.

    "example" is a position that shows what the piece does to others on its way, or null.
    """
    example = example_of(diagram)
    return {
        "label": diagram.label,
        "notation": diagram.notation,
        "description": diagram.description,
        "note": diagram.note,
        "status": diagram.status,
        **_mark_and_line_data(diagram),
        "example": _mark_and_line_data(example) if example else None,
    }


def _mark_and_line_data(diagram: Diagram) -> dict[str, object]:
    strokes, exits, cut = diagram.lines
    return {
        **marks_as_data(diagram.marks),
        "lines": [
            {"from": list(at), "step": list(step), "steps": steps, "kind": kind.name.lower()}
            for at, step, steps, kind in strokes
        ],
        "exits": [
            {"from": list(at), "step": list(step), "kind": kind.name.lower(), "limit": limit}
            | {"onward": _continuations_as_data(onward)}
            for at, step, kind, limit, onward in exits
        ],
        "lines_cut": cut,
    }


def guard_as_data(guard: Guard) -> list[list[str | int]]:
    """Each condition as [kind, value, inset]."""
    return [[condition.kind, condition.value, condition.inset] for condition in guard]


def marks_as_data(marks: Marks) -> dict[str, object]:
    """A diagram as data: its window, the marks by square, where it goes on, and remarks."""
    west, east, south, north, _ = marks.window
    return {
        **(_board_and_regions_as_data(marks) if marks.regions else {}),
        "window": {"west": west, "east": east, "south": south, "north": north},
        "squares": [{"at": list(at), **_mark_as_data(mark)} for at, mark in marks.squares.items()],
        "arrows": [
            {
                "at": list(at),
                "step": list(step),
                "limit": limit,
                "onward": _continuations_as_data(onward),
            }
            for at, step, limit, onward in marks.arrows
        ],
        "remarks": bit_names(marks.remarks, RemarkFlags),
        "standing": [
            {"at": list(at), "what": each.replace("_", "-")} for at, each in marks.standing.items()
        ],
    }


def _board_and_regions_as_data(marks: Marks) -> dict[str, object]:
    """The board of a piece that regions bound, and their squares as [dx, dy] from the piece."""
    window = marks.window
    at = square_name_on((window.west, window.south), window.width, window.height, marks.coordinates)
    return {
        "board": {"files": window.width, "ranks": window.height, "at": at},
        "regions": [
            {"name": name, "squares": [list(each) for each in sorted(squares)]}
            for name, squares in marks.region_squares
        ],
    }


def _continuations_as_data(onward: tuple[Continuation, ...]) -> list[dict[str, object]]:
    """The ways that go on beyond a diagram, each with its limit."""
    return [{**_way_as_data(way), "limit": limit} for way, limit in onward]


def _way_as_data(way: Arrival) -> dict[str, object]:
    ends, conditions, guard = way
    return {
        "ends": bit_names(ends, EndFlags),
        "asks": bit_names(conditions, PathConditionFlags),
        "guard": guard_as_data(guard),
    }


def _mark_as_data(mark: Mark) -> dict[str, object]:
    ways = [*map(_way_as_data, mark.ways)]
    timed = [[*bit_names(bit, PassageFlags), guard_as_data(guard)] for bit, guard in mark.timed]
    passed = bit_names(mark.passed, PassageFlags)
    return {"ways": ways, "passed": passed} | ({"passed_when": timed} if timed else {})


def bit_names(bits: int, kind: type) -> list[str]:
    """The names of bits of `EndFlags`, `PathConditionFlags` and the like, in lower case."""
    named = ((name, bit) for name, bit in vars(kind).items() if name.isupper())
    return [name.lower().replace("_", "-") for name, bit in named if bits & bit]


def board_as_data(board: Board) -> dict[str, object]:
    """What stands on the squares and is in the hands; squares by name and from 0."""
    return {
        "title": board.title,
        "files": board.files,
        "ranks": board.ranks,
        "zone": board.zone,
        "pieces": [
            {
                "square": board.name(at),
                "at": list(at),
                **({"others": [*map(board.name, others)]} if others else {}),
                "side": SIDES[side],
                **_token_as_data(token),
            }
            for at, side, token, others in board.pieces
        ],
        "hands": {
            name: [{"number": held.number, **_token_as_data(held.token)} for held in hand]
            for name, hand in zip(SIDES, board.hands, strict=True)
        },
        "last_move": [board.name(at) for at in board.marked],
        **({"walls": [board.name(at) for at in board.walls]} if board.walls else {}),
        **({"regions": _regions_as_data(board)} if board.regions else {}),
        "turn": None if board.turn is None else SIDES[board.turn],
    }


def _regions_as_data(board: Board) -> list[dict[str, object]]:
    return [
        {"name": name}
        | {side: [*map(board.name, sorted(at))] for side, at in zip(SIDES, squares, strict=True)}
        for name, squares in board.regions
    ]


def sheet_as_data(sheet: Sheet) -> dict[str, object]:
    """The pieces with their diagrams, in groups: a piece, then what it promotes to."""
    return {
        "title": sheet.title,
        "groups": [[_card_as_data(card) for card in group] for group in sheet.groups],
    }


def _card_as_data(card: Card) -> dict[str, object]:
    return {
        **_token_as_data(card.token),
        "notations": [text for _, text in card.notations],
        "remarks": list(card.remarks),
        "note": card.note,
        "diagram": diagram_as_data(card.diagram),
    }


def _token_as_data(token: PieceToken) -> dict[str, object]:
    names = ("code", "name", "kanji", "symbol", "promoted")
    return {name: getattr(token, name) for name in names}
