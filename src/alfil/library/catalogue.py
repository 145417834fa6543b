"""The index of the catalogue: its pieces as plain data, so that no thousand lines need be read.

The sets in pieces/catalogue/ are the catalogue. The index beside them, which
`python hatch_build.py --catalogue` makes, says what it was made of; where a set has changed since,
the sets are read as any other file. It tells as well what the pieces of all bundled sets are
called, and which are alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any, TypeAlias
from zlib import crc32

from alfil.api import Piece
from alfil.data_files import data_file_names, read_data
from alfil.game.variant import Rules
from alfil.library.file_locations import (
    CATALOGUE_FOLDER,
    FOLDER,
    FileLocation,
    bundled_file,
    catalogue_set_names,
)
from alfil.library.piece_file import Entry, PieceFile, normalise_name
from alfil.source import Span

INDEX_FILE = "index.json"
# What a line of the catalogue may say of a piece besides its code, its name and its moves.
ENTRY_ATTRIBUTES = (
    *("also", "kanji", "romaji", "german", "french", "sources", "reading", "same_as"),
    *("status", "note"),
)
LIST_ATTRIBUTES = frozenset({"also", "german", "french", "sources"})
# The hash of what a piece does in each view, None where there is none; and the pieces that do it.
Fingerprints: TypeAlias = tuple[int | None, ...]
QualifiedCodes: TypeAlias = tuple[str, ...]
# In each view the number of moves that end so many squares away, None where there is none.
RingCounts: TypeAlias = tuple[tuple[int, ...] | None, ...]
# What the index knows of the pieces of a meaning.
MeaningRow: TypeAlias = tuple[Fingerprints, RingCounts, QualifiedCodes]
# The code of a piece, its names as they are compared, and the characters on it.
PieceNames: TypeAlias = tuple[str, tuple[str, ...], str]


@cache
def _load_index() -> dict[str, Any] | None:
    """The index; None where there is none, or where it was made of other files."""
    if INDEX_FILE not in data_file_names(f"{FOLDER}/{CATALOGUE_FOLDER}"):
        return None
    index: dict[str, Any] = json.loads(read_data(f"{FOLDER}/{CATALOGUE_FOLDER}", INDEX_FILE))
    return index if index["made_from"] == digest_of_sets(catalogue_set_names()) else None


def digest_of_sets(set_names: Iterable[str]) -> str:
    """What changes when one of some sets does."""
    texts = "\0".join(bundled_file(name).source.text for name in set_names)
    return f"{crc32(texts.encode()):08x} {len(texts)}"


def file_from_index(location: FileLocation) -> PieceFile | None:
    """A set of the catalogue from the index; None for other sets, or without an index."""
    index = _load_index() if location.name in catalogue_set_names() else None
    if index is None:
        return None
    entries = (_entry_from_row(row, location) for row in index["sets"][location.name])
    return PieceFile(location.name, "", 0, 0, Rules(), tuple(entries), source=location.source)


def _entry_from_row(row: list[Any], location: FileLocation) -> Entry:
    code, name, notation, text, start, said = row
    values: dict[str, Any] = {
        key: tuple(value) if key in LIST_ATTRIBUTES else value for key, value in said.items()
    }
    piece = Piece.deferred(text, notation, f"{location.source.name}:{code}")
    span = Span(start, start + len(code))
    return Entry(code=code, name=name, piece=piece, source=location.source, span=span, **values)


@cache
def indexed_piece_names(set_name: str) -> list[PieceNames]:
    """The names of the pieces of a set of the catalogue; empty for others, or without an index."""
    index = _load_index() if set_name in catalogue_set_names() else None
    rows = index["sets"][set_name] if index else ()
    return [
        (code, tuple(map(normalise_name, (first, *_other_names(said)))), said.get("kanji", ""))
        for code, first, _, _, _, said in rows
    ]


def indexed_bundled_names(names: tuple[str, ...]) -> dict[str, list[PieceNames]] | None:
    """The names of the pieces of all bundled sets, by set; None where one of these has changed."""
    index = _load_index() or {"names": {}}
    found = index["names"].get(digest_of_sets(names))
    return found and {
        name: [(code, tuple(called), kanji) for code, called, kanji in rows]
        for name, rows in found.items()
    }


def names_of_pieces(entries: Iterable[Entry]) -> list[PieceNames]:
    """The code, the names and the characters of each piece."""
    return [(each.code, tuple(map(normalise_name, each.names)), each.kanji) for each in entries]


def _other_names(attributes: dict[str, Any]) -> list[str]:
    return [name for key in ("also", "german", "french") for name in attributes.get(key, ())]


def indexed_meaning_rows(set_names: tuple[str, ...]) -> list[MeaningRow] | None:
    """The pieces of some sets of each meaning, and what tells most of the others from them.

    The index knows those of the catalogue, and those of all other bundled sets; None for others.
    """
    index = _load_index() or {"likeness": {}}
    found = index["likeness"].get(digest_of_sets(set_names))
    return found and [
        (tuple(prints), tuple(each and tuple(each) for each in rings), tuple(places))
        for prints, rings, places in found
    ]
