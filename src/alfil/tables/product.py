"""Move tables as a product: the pieces of a notation or a file, for programs in any language.

docs/tables.md describes the format, docs/tables.schema.json is its schema.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from alfil.meaning.automaton import AT_HOME, ENEMY, FRIEND, ROYAL, TRAIL, VACANT, ending, passing
from alfil.meaning.piece import Guard, Meaning
from alfil.tables.scene import OUTSIDE
from alfil.tables.table import Section, Trie, section_as_json, sections_of

FORMAT, VERSION = "alfil-tables", 1
CLASSES = {
    "empty": VACANT,
    "enemy": ENEMY,
    "royal": ROYAL,
    "friend": FRIEND,
    "trail": TRAIL,
    "outside": OUTSIDE,
    "home": AT_HOME,
}
# Of parts under these conditions all squares passed are told.
TRACED = frozenset({"trail", "middle"})


class Named(NamedTuple):
    """A piece to be written: what it is called, its text and notation, what it does."""

    code: str
    name: str
    text: str
    notation: str
    meaning: Meaning
    facts: tuple[str, ...] = ()


def tables_as_json(pieces: Iterable[Named], files: int, ranks: int) -> dict[str, object]:
    """The tables of some pieces for boards of one size, as plain data.

    Offsets are (dx, dy), forward is +y; for the second side they are turned half round.

    >>> from alfil.meaning.piece import EMPTY
    >>> tables_as_json([Named("X", "nothing", "", "betza", EMPTY)], 8, 8)["pieces"]
    [{'code': 'X', 'name': 'nothing', 'text': '', 'notation': 'betza', 'facts': [], 'parts': []}]
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "files": files,
        "ranks": ranks,
        "classes": CLASSES,
        "pieces": [_piece(each, files, ranks) for each in pieces],
    }


def _sections(meaning: Meaning, files: int, ranks: int) -> tuple[Section, ...]:
    return sections_of(meaning, files, ranks, tracing=TRACED, walked=frozenset())


def _piece(piece: Named, files: int, ranks: int) -> dict[str, object]:
    sections = _sections(piece.meaning, files, ranks)
    return {
        "code": piece.code,
        "name": piece.name,
        "text": piece.text,
        "notation": piece.notation,
        "facts": list(piece.facts),
        "parts": [_part(section) for section in sections],
    }


def _when(guard: Guard) -> dict[str, object]:
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


def tables_as_arrays(pieces: Iterable[Named], files: int, ranks: int) -> dict[str, object]:
    """The numbers of the tries by names for an archive of arrays: ``N.0.nodes`` and the like.

    Traces, conditions and parts that are graphs are in the plain data alone.
    """
    found: dict[str, object] = {}
    for piece in pieces:
        for number, section in enumerate(_sections(piece.meaning, files, ranks)):
            if isinstance(section.trie, Trie):
                start = f"{piece.code}.{number}."
                found[f"{start}steps"] = list(section.trie.steps)
                found[f"{start}nodes"] = section.trie.nodes
                found[f"{start}skips"] = section.trie.skips
    return found
