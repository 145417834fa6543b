"""The pieces of the sets and of the catalogue as tables for other programs: CSV and JSON."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from alfil import __version__
from alfil.data_files import read_table
from alfil.frozen_dataclasses import NamedTuple
from alfil.library.file_locations import CATALOGUE_FOLDER, FOLDER
from alfil.library.library import Library
from alfil.library.piece_file import Entry

LICENCE = (
    f"alfil {__version__}, names and moves of pieces. These are facts; whatever rights there may be"
    " in their collection are waived (CC0 1.0, creativecommons.org/publicdomain/zero/1.0)."
)
COLUMNS = (
    *("set", "code", "name", "also", "german", "french", "kanji", "romaji"),
    *("notation", "text", "reading", "sources", "note"),
)


class CatalogueSource(NamedTuple):
    """A source of the catalogue, by the name that lines have: what it is, and where."""

    name: str
    what: str
    location: str
    licence: str


def catalogue_sources() -> list[CatalogueSource]:
    """The sources of the catalogue, a row of sources.tsv each.

    >>> catalogue_sources()[0].name
    'Apothecary Chess diagram'
    """
    return [
        CatalogueSource(*row) for row in read_table(f"{FOLDER}/{CATALOGUE_FOLDER}", "sources.tsv")
    ]


def exported_row(library: Library, entry: Entry) -> dict[str, object]:
    """What is exported of a piece: its names, its moves as they are written, who says so."""
    row = {name: getattr(entry, name) for name in COLUMNS if hasattr(entry, name)}
    piece = entry.piece
    row.update(set=library.name, notation=piece.notation, text=piece.text.strip())
    return {name: list(row[name]) if type(row[name]) is tuple else row[name] for name in COLUMNS}


def catalogue_as_csv(libraries: Iterable[Library]) -> str:
    """The pieces as a table with a row for each, below the licence; lists have semicolons."""
    out = StringIO()
    out.write(f"# {LICENCE}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for library in libraries:
        for entry in library.pieces:
            values = exported_row(library, entry).values()
            writer.writerow("; ".join(each) if type(each) is list else each for each in values)
    return out.getvalue()


def catalogue_as_data(libraries: Iterable[Library]) -> dict[str, object]:
    """The pieces, their sources and the licence as plain data."""
    return {
        "licence": LICENCE,
        "sources": [each._asdict() for each in catalogue_sources()],
        "pieces": [exported_row(each, entry) for each in libraries for entry in each.pieces],
    }
