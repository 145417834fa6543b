"""The pieces of a file for move tables: with regional moves, and where they may be."""

from __future__ import annotations

from dataclasses import replace

from alfil.api import Piece
from alfil.diagrams.fact_sentences import facts_in_words
from alfil.game.variant import FIRST, SECOND, Area, region_squares
from alfil.library.library import Library
from alfil.library.piece_file import Entry
from alfil.meaning.piece_meaning import Fact, Meaning
from alfil.tables.table_export import ExportedPiece, MoveRegions, SquaresBySide

# Which of its royal pieces a side may not lose, by what the rules say is lost with them.
SURVIVAL_BY_ROYAL_LOST = {"any": "all", "all": "one"}


def exported_entry(entry: Entry, library: Library, size: tuple[int, int]) -> ExportedPiece:
    """A piece of a file, with what its line and the lines of further moves say of its moves."""
    facts = entry.meaning.facts
    if entry.royal and all(fact.name != "royal" for fact in facts):
        facts = (Fact("royal", (SURVIVAL_BY_ROYAL_LOST[library.rules.royal_lost],)), *facts)
    room = _squares_of_area(entry.within, library, size)
    if entry.outside:
        barred = _squares_of_area(entry.outside, library, size)
        room = room[0] - barred[0], room[1] - barred[1]
    further = []
    for each in entry.further:
        ends = _squares_of_area(each.end, library, size)
        bounds = MoveRegions(
            _none_if_whole_board(_squares_of_area(each.start, library, size), size),
            _none_if_whole_board((ends[0] & room[0], ends[1] & room[1]), size),
            each.unchecked,
        )
        further.append((each.piece.meaning, bounds))
    exported = exported_piece(
        entry.code, entry.name, entry.piece, replace(entry.meaning, facts=facts)
    )
    return exported._replace(
        bounds=MoveRegions(end_squares=_none_if_whole_board(room, size)),
        further=tuple(further),
        blocked_by=entry.blocked_by,
    )


def _squares_of_area(area: Area | None, library: Library, size: tuple[int, int]) -> SquaresBySide:
    """The squares of an area for both sides, all where none is named."""
    zone, regions = library.rules.zone, library.regions
    first, second = (
        region_squares(area or (1, size[1]), side, size, zone, regions) for side in (FIRST, SECOND)
    )
    return first, second


def _none_if_whole_board(areas: SquaresBySide, size: tuple[int, int]) -> SquaresBySide | None:
    return None if all(len(squares) == size[0] * size[1] for squares in areas) else areas


def exported_piece(code: str, name: str, piece: Piece, meaning: Meaning) -> ExportedPiece:
    """A piece that is in no file, or the general moves of one that is."""
    words = tuple(facts_in_words(meaning))
    return ExportedPiece(code, name, piece.text.strip(), piece.notation, meaning, words)
