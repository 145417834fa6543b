"""Makes the index of the catalogue, for `python hatch_build.py --catalogue`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from alfil.library.catalogue import ENTRY_ATTRIBUTES, digest_of_sets, names_of_pieces
from alfil.library.file_locations import bundled_file, catalogue_set_names
from alfil.library.library import Library, bundled_set_names_by_preference, library_by_name
from alfil.library.piece_file import Entry
from alfil.library.piece_file_reader import read_piece_file
from alfil.library.search import fingerprint_rows_by_meaning


def catalogue_index_text() -> str:
    """The text of the index, made of the sets as they are; a line for each piece or meaning."""
    libraries = [
        Library(**vars(read_piece_file(bundled_file(name)))) for name in catalogue_set_names()
    ]
    sets = {each.name: [_index_row(entry) for entry in each.pieces] for each in libraries}
    bundled = tuple(bundled_set_names_by_preference())
    likeness = {
        digest_of_sets(catalogue_set_names()): fingerprint_rows_by_meaning(libraries),
        digest_of_sets(bundled): fingerprint_rows_by_meaning(map(library_by_name, bundled)),
    }
    parts = [
        f'{{"made_from":{_json(digest_of_sets(catalogue_set_names()))},"sets":{{',
        _lists_as_json(sets),
        '},"likeness":{',
        _lists_as_json(likeness),
        f'}},"names":{{{_json(digest_of_sets(bundled))}:{{',
        _lists_as_json({name: names_of_pieces(library_by_name(name).pieces) for name in bundled}),
        "}}}",
    ]
    return "\n".join(parts) + "\n"


def _lists_as_json(lists: Mapping[str, Iterable[object]]) -> str:
    rows = {name: ",\n".join(map(_json, each)) for name, each in lists.items()}
    return ",\n".join(f"{_json(name)}:[\n{text}\n]" for name, text in rows.items())


def _index_row(entry: Entry) -> list[Any]:
    said = {name: getattr(entry, name) for name in ENTRY_ATTRIBUTES}
    said = {name: value for name, value in said.items() if value and value != "given"}
    piece = entry.piece
    return [entry.code, entry.name, piece.notation, piece.text, entry.span.start, said]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
