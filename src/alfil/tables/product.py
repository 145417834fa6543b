"""Move tables as a product: the pieces of a notation or a file, for programs in any language.

docs/tables.md describes the format, docs/tables.schema.json is its schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from alfil.meaning.automaton import AT_HOME, ENEMY, FRIEND, ROYAL, TRAIL, VACANT, ending, passing
from alfil.meaning.piece import GROUNDS, TRACED, Fact, Guard, Meaning, Value, around, body_of
from alfil.meaning.placing import BEGUN, SETTLED, Place
from alfil.squares import Square
from alfil.tables.scene import OUTSIDE
from alfil.tables.table import Section, section_as_json, sections_of

FORMAT, VERSION = "alfil-tables", 2
CLASSES = {
    "empty": VACANT,
    "enemy": ENEMY,
    "royal": ROYAL,
    "friend": FRIEND,
    "trail": TRAIL,
    "outside": OUTSIDE,
    "home": AT_HOME,
}

Size: TypeAlias = tuple[int, int]
# The squares of a board that are some area for the first side, and for the second.
Areas: TypeAlias = tuple[frozenset[Square], frozenset[Square]]


class Bounds(NamedTuple):
    """Where moves begin and end, None for anywhere; ``unchecked`` ones are not made in check."""

    starts: Areas | None = None
    ends: Areas | None = None
    unchecked: bool = False


ANYWHERE = Bounds()


class Named(NamedTuple):
    """A piece to be written: what it is called, its text and notation, what it does.

    ``words`` are a sentence for each of its facts. ``bounds`` are those of its moves, ``further``
    are moves with others, ``blocked_by`` the codes of pieces that it neither passes nor captures.
    """

    code: str
    name: str
    text: str
    notation: str
    meaning: Meaning
    words: tuple[str, ...] = ()
    bounds: Bounds = ANYWHERE
    further: tuple[tuple[Meaning, Bounds], ...] = ()
    blocked_by: tuple[str, ...] = ()


def tables_as_json(pieces: Iterable[Named], files: int, ranks: int) -> dict[str, object]:
    """The tables of some pieces for boards of one size, as plain data.

    Offsets are (dx, dy), forward is +y; for the second side they are turned half round.

    >>> from alfil.meaning.piece import EMPTY
    >>> found = tables_as_json([Named("X", "nothing", "", "betza", EMPTY)], 8, 8)["pieces"]
    >>> {key: value for key, value in found[0].items() if key not in {"code", "name", "text"}}
    {'notation': 'betza', 'squares': [[0, 0]], 'blocked_by': [], 'facts': [], 'parts': []}
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "files": files,
        "ranks": ranks,
        "classes": CLASSES,
        "pieces": [_piece(each, (files, ranks)) for each in pieces],
    }


def _piece(piece: Named, size: Size) -> dict[str, object]:
    facts = piece.meaning.facts
    told = zip(facts, piece.words, strict=True)
    moves = ((piece.meaning, piece.bounds), *piece.further)
    return {
        "code": piece.code,
        "name": piece.name,
        "text": piece.text,
        "notation": piece.notation,
        "squares": [list(each) for each in body_of(facts)],
        "blocked_by": list(piece.blocked_by),
        "facts": [_fact(fact, size) | {"words": words} for fact, words in told],
        "parts": [part for of, among in moves for part in _parts(of, size, among)],
    }


def _bounds(bounds: Bounds) -> dict[str, object]:
    """What a part has where its moves are bounded."""
    areas = (("from", bounds.starts), ("to", bounds.ends))
    found: dict[str, object] = {
        name: [[list(square) for square in sorted(squares)] for squares in area]
        for name, area in areas
        if area is not None
    }
    return found | ({"unchecked": True} if bounds.unchecked else {})


def _fact(fact: Fact, size: Size) -> dict[str, object]:
    """A fact with its values by name; of what only words tell there are but these."""
    found: dict[str, object] = {"fact": fact.name}
    match (fact.name, fact.values):
        case ("royal", (survive,)):
            found["survive"] = survive
        case ("promotion", (on, *into)):
            found |= {"on": _value(on, size), "into": [_value(each, size) for each in into]}
        case ("iron", (by, *named)):
            found |= {"by": by, "named": [_value(each, size) for each in named]}
        case (_, (Meaning() as reach, side, time, most, *told)):
            guard, inside = around(told)
            found |= {"reach": _parts(reach, size), "side": side, "time": time, "most": most}
            found |= {"when": _conditions(guard), "inside": list(inside)}
    return found


def _value(value: Value, size: Size) -> object:
    """What a fact names: words as they are, moves as parts."""
    return _parts(value, size) if isinstance(value, Meaning) else value


def _parts(meaning: Meaning, size: Size, bounds: Bounds = ANYWHERE) -> list[dict[str, object]]:
    """The parts, those that ask for the square they start from with all such squares."""
    sections = sections_of(meaning, *size, tracing=TRACED, walked=frozenset())
    return [_part(each) | _bounds(_started(bounds, each.guard, size)) for each in sections]


def _started(bounds: Bounds, guard: Guard, size: Size) -> Bounds:
    """The bounds of a part with what its conditions on the square leave of them."""
    kinds = {condition.kind for condition in guard} & GROUNDS - BEGUN
    if not kinds:
        return bounds
    files, ranks = size
    areas = []
    for side, starts in enumerate(bounds.starts or (None, None)):
        every = [(file, rank) for file in range(files) for rank in range(ranks)]
        turned = {(files - 1 - x, ranks - 1 - y) if side else (x, y): (x, y) for x, y in every}
        held = {
            square
            for seen, square in turned.items()
            if all(map(Place(seen, files, ranks, second=side == 1).holds, kinds))
        }
        areas.append(frozenset(held if starts is None else held & starts))
    return bounds._replace(starts=(areas[0], areas[1]))


def _when(guard: Guard) -> dict[str, object]:
    """The conditions of a part but those that its squares or its paths have."""
    return _conditions(tuple(each for each in guard if each.kind not in SETTLED - BEGUN))


def _conditions(guard: Guard) -> dict[str, object]:
    """The conditions by their kinds; castling has two numbers."""
    return {
        each.kind: [each.value, each.inset] if each.kind == "castle" else each.value or True
        for each in guard
    }


def _part(section: Section) -> dict[str, object]:
    if section.trie is not None:
        told = section_as_json(section)
        return {"when": _when(section.guard)} | {
            key: told[key] for key in ("kind", "steps", "nodes", "skips", "traces")
        }
    states = [
        [
            [dx, dy, wrap, *ending(emit), [[*passing(mask), target] for mask, target in passes]]
            for dx, dy, wrap, emit, passes in state
        ]
        for state in section.automaton.states
    ]
    return {"when": _when(section.guard), "kind": "graph", "states": states}


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
        for path, part in _tries(piece, piece["code"])
        for name in ("steps", "nodes", "skips")
    }


def _tries(data: object, path: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The tries in plain data with the way to each; that of a piece's own parts is their number."""
    if isinstance(data, list):
        for number, each in enumerate(data):
            yield from _tries(each, f"{path}.{number}")
    elif isinstance(data, dict) and data.get("kind") == "trie":
        yield path, data
    elif isinstance(data, dict):
        for key, each in data.items():
            yield from _tries(each, path if key == "parts" else f"{path}.{key}")
