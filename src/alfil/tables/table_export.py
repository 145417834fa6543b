"""Export of move tables for programs in any language.

docs/tables.md describes the format, docs/tables.schema.json is its schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from alfil.meaning.automaton import (
    AT_HOME,
    ENEMY,
    FRIEND,
    ROYAL,
    TRAIL,
    VACANT,
    classes_by_passage,
    contents_by_end,
)
from alfil.meaning.piece_meaning import (
    PATH_CONDITIONS,
    START_SQUARE_CONDITIONS,
    Fact,
    Guard,
    Meaning,
    Value,
    footprint_of,
    split_conditions_and_words,
)
from alfil.meaning.square_conditions import (
    SQUARE_DEPENDENT_CONDITIONS,
    STARTING_COLOUR_CONDITIONS,
    PieceSquare,
)
from alfil.squares import Square, square_seen_by
from alfil.tables.board_context import OFF_BOARD_CLASS
from alfil.tables.move_table import TableSection, section_as_json, sections_of_meaning

FORMAT, VERSION = "alfil-tables", 2
CLASS_BY_NAME = {
    "empty": VACANT,
    "enemy": ENEMY,
    "royal": ROYAL,
    "friend": FRIEND,
    "trail": TRAIL,
    "outside": OFF_BOARD_CLASS,
    "home": AT_HOME,
}

Size: TypeAlias = tuple[int, int]
# The squares of a board that are some area for the first side, and for the second.
SquaresBySide: TypeAlias = tuple[frozenset[Square], frozenset[Square]]


class MoveRegions(NamedTuple):
    """Where moves begin and end, None for anywhere; ``unchecked`` ones are not made in check."""

    start_squares: SquaresBySide | None = None
    end_squares: SquaresBySide | None = None
    unchecked: bool = False


ANYWHERE = MoveRegions()


class ExportedPiece(NamedTuple):
    """A piece for export: code, name, notation and meaning.

    ``words`` are a sentence for each of its facts. ``bounds`` are those of its moves, ``further``
    are moves with others, ``blocked_by`` the codes of pieces that it neither passes nor captures.
    """

    code: str
    name: str
    text: str
    notation: str
    meaning: Meaning
    words: tuple[str, ...] = ()
    bounds: MoveRegions = ANYWHERE
    further: tuple[tuple[Meaning, MoveRegions], ...] = ()
    blocked_by: tuple[str, ...] = ()


def tables_as_json(pieces: Iterable[ExportedPiece], files: int, ranks: int) -> dict[str, object]:
    """The tables of some pieces for boards of one size, as plain data.

    Offsets are (dx, dy), forward is +y; for the second side they are turned half round.

    >>> from alfil.meaning.piece_meaning import EMPTY_MEANING
    >>> piece = ExportedPiece("X", "nothing", "", "betza", EMPTY_MEANING)
    >>> found = tables_as_json([piece], 8, 8)["pieces"]
    >>> {key: value for key, value in found[0].items() if key not in {"code", "name", "text"}}
    {'notation': 'betza', 'squares': [[0, 0]], 'blocked_by': [], 'facts': [], 'parts': []}
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "files": files,
        "ranks": ranks,
        "classes": CLASS_BY_NAME,
        "pieces": [piece_as_json(each, (files, ranks)) for each in pieces],
    }


def tables_as_json_text(pieces: Iterable[ExportedPiece], files: int, ranks: int) -> str:
    """The same as text, made a piece at a time: as data, a large game takes much more memory."""
    data = (piece_as_json(each, (files, ranks)) for each in pieces)
    texts = ", ".join(json.dumps(each, ensure_ascii=False) for each in data)
    return json.dumps(tables_as_json([], files, ranks)).removesuffix("]}") + texts + "]}"


def piece_as_json(piece: ExportedPiece, size: Size) -> dict[str, object]:
    """The tables of a piece for boards of one size, as `tables_as_json` has them."""
    facts = piece.meaning.facts
    fact_words = zip(facts, piece.words, strict=True)
    moves = ((piece.meaning, piece.bounds), *piece.further)
    return {
        "code": piece.code,
        "name": piece.name,
        "text": piece.text,
        "notation": piece.notation,
        "squares": [list(each) for each in footprint_of(facts)],
        "blocked_by": list(piece.blocked_by),
        "facts": [_fact_data(fact, size) | {"words": words} for fact, words in fact_words],
        "parts": [part for of, among in moves for part in _parts_data(of, size, among)],
    }


def _region_data(regions: MoveRegions) -> dict[str, object]:
    """The fields of a part whose moves are restricted to regions."""
    areas = (("from", regions.start_squares), ("to", regions.end_squares))
    result: dict[str, object] = {
        name: [[list(square) for square in sorted(squares)] for squares in area]
        for name, area in areas
        if area is not None
    }
    return result | ({"unchecked": True} if regions.unchecked else {})


def _fact_data(fact: Fact, size: Size) -> dict[str, object]:
    """A fact with its values by name; of what only words tell there are but these."""
    result: dict[str, object] = {"fact": fact.name}
    match (fact.name, fact.values):
        case ("royal", (survive,)):
            result["survive"] = survive
        case ("promotion", (on, *into)):
            result |= {
                "on": _value_data(on, size),
                "into": [_value_data(each, size) for each in into],
            }
        case ("iron", (by, *named)):
            result |= {"by": by, "named": [_value_data(each, size) for each in named]}
        case (_, (Meaning() as reach, side, time, most, *numbered_facts)):
            guard, inside = split_conditions_and_words(numbered_facts)
            result |= {"reach": _parts_data(reach, size), "side": side, "time": time, "most": most}
            result |= {"when": _conditions_by_kind(guard), "inside": list(inside)}
    return result


def _value_data(value: Value, size: Size) -> object:
    """A value of a fact: a word, or moves as parts."""
    return _parts_data(value, size) if isinstance(value, Meaning) else value


def _parts_data(
    meaning: Meaning, size: Size, regions: MoveRegions = ANYWHERE
) -> list[dict[str, object]]:
    """The parts, those that ask for the square they start from with all such squares."""
    sections = sections_of_meaning(meaning, *size, tracing=PATH_CONDITIONS, walked=frozenset())
    return [
        _part_data(each) | _region_data(_restrict_start_squares_by_guard(regions, each.guard, size))
        for each in sections
    ]


def _restrict_start_squares_by_guard(regions: MoveRegions, guard: Guard, size: Size) -> MoveRegions:
    """The bounds of a part with what its conditions on the square leave of them."""
    kinds = {
        condition.kind for condition in guard
    } & START_SQUARE_CONDITIONS - STARTING_COLOUR_CONDITIONS
    if not kinds:
        return regions
    files, ranks = size
    areas = []
    for side, starts in enumerate(regions.start_squares or (None, None)):
        every = [(file, rank) for file in range(files) for rank in range(ranks)]
        turned = {square_seen_by(side, each, files, ranks): each for each in every}
        held = {
            square
            for seen, square in turned.items()
            if all(map(PieceSquare(seen, files, ranks, second=side == 1).holds, kinds))
        }
        areas.append(frozenset(held if starts is None else held & starts))
    return regions._replace(start_squares=(areas[0], areas[1]))


def _conditions_by_kind(guard: Guard) -> dict[str, object]:
    """The conditions by their kinds; castling has two numbers."""
    return {
        each.kind: [each.value, each.inset] if each.kind == "castle" else each.value or True
        for each in guard
    }


def _part_data(section: TableSection) -> dict[str, object]:
    # What its squares or its paths tell is no condition of its own.
    told_elsewhere = SQUARE_DEPENDENT_CONDITIONS - STARTING_COLOUR_CONDITIONS
    guard = tuple(each for each in section.guard if each.kind not in told_elsewhere)
    when = _conditions_by_kind(guard)
    if section.trie is not None:
        data = section_as_json(section)
        keys = ("kind", "steps", "nodes", "skips", "traces")
        return {"when": when} | {key: data[key] for key in keys}
    states = [
        [
            [
                dx,
                dy,
                wrap,
                *contents_by_end(emit),
                [[*classes_by_passage(mask), target] for mask, target in passes],
            ]
            for dx, dy, wrap, emit, passes in state
        ]
        for state in section.automaton.states
    ]
    return {"when": when, "kind": "graph", "states": states}


def tables_as_arrays(tables: dict[str, object]) -> dict[str, object]:
    """The numbers of the tries by names for an archive of arrays: ``N.0.nodes`` and the like.

    ``N.facts.1.reach.0.nodes`` is of the first part of the range of a fact, the second one. Traces,
    conditions and parts that are graphs are in the plain data alone.
    """
    pieces = tables["pieces"]
    assert isinstance(pieces, list)
    return {
        f"{path}.{name}": part[name]
        for piece in pieces
        for path, part in _named_tries(piece, piece["code"])
        for name in ("steps", "nodes", "skips")
    }


def _named_tries(data: object, path: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The tries in plain data with the way to each; that of a piece's own parts is their number."""
    if isinstance(data, list):
        for number, each in enumerate(data):
            yield from _named_tries(each, f"{path}.{number}")
    elif isinstance(data, dict) and data.get("kind") == "trie":
        yield path, data
    elif isinstance(data, dict):
        for key, each in data.items():
            yield from _named_tries(each, path if key == "parts" else f"{path}.{key}")
