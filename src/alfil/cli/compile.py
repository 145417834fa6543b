"""`alfil compile`: move tables in a file, for programs in any language."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import NoReturn

import click

from alfil.api import Piece
from alfil.cli import input_output, options
from alfil.diagrams.signs import facts_in_words
from alfil.errors import AlfilError, BoardError, reject
from alfil.game.variant import FIRST, SECOND, Area, region_squares
from alfil.library.library import Library
from alfil.library.model import Entry
from alfil.meaning.piece import Fact, Meaning
from alfil.saving import save
from alfil.source import Source
from alfil.tables.rays import tables_as_rays
from alfil.tables.table_export import (
    ExportedPiece,
    MoveRegions,
    SquaresBySide,
    tables_as_arrays,
    tables_as_json,
)

FILES = RANKS = 9
JSON, ARRAYS = ".json", ".npz"
# Which of its royal pieces a side may not lose, by what the rules say is lost with them.
SURVIVING = {"any": "all", "all": "one"}


@click.command("compile")
@click.argument("text", metavar="NOTATION|SET|FILE", shell_complete=options.completed("pieces"))
@options.reading_options
@options.size_option
@options.moves_option
@click.option("--plain", is_flag=True, help="Write rays: for each square, lists of squares.")
@click.option("-o", "--output", metavar="FILE", help="tables.json, or tables.npz (with numpy).")
def compile_command(
    *,
    text: str,
    settings: options.Settings,
    size: tuple[int, int] | None,
    moves: dict[str, str],
    plain: bool,
    output: str | None,
) -> int:
    """Write the move tables of a piece, or of all pieces of a set or file.

    They are for the board of the game, or --board, 9x9 unless given. Without -o they are printed as
    JSON; `alfil docs tables` describes both forms, with example readers.

    The exit code is 0; 1 for what cannot be read or has no tables; 2 for an unknown set or file,
    and where nothing can be written.
    """
    place, _, code = (text, "", "") if input_output.is_piece_file(text) else text.rpartition(":")
    if input_output.is_piece_file(place):
        library = input_output.load_library(place, moves)
        size = _board_size(library, size)
        chosen = library.pieces if place == text else [library[code]]
        pieces = [_piece_of_file(each, library, size) for each in chosen]
    else:
        size = size or (FILES, RANKS)
        pieces = list(_pieces_typed(text, settings))
    tables = tables_as_json(pieces, *size)
    if plain:
        if output and not output.endswith(JSON):
            _reject_format(output, "end the name with .json")
        tables = tables_as_rays(tables)
    if output:
        save({output: _file_content(output, tables)})
        input_output.print_files([output])
    else:
        input_output.print_line(_as_json_text(tables).rstrip("\n"))
    return 0


def _board_size(library: Library, size_asked: tuple[int, int] | None) -> tuple[int, int]:
    """The board that tables are for: what is asked for, or that of the game."""
    own = (library.files or FILES, library.ranks or RANKS)
    if library.regions and size_asked not in {None, own}:
        message = f"{library.name} names squares of its own board, {own[0]}x{own[1]}"
        source = Source(library.name, "<argument>")
        reject(BoardError, "board-size", message, source, hint="leave out --board")
    return size_asked or own


def _pieces_typed(text: str, settings: options.Settings) -> Iterator[ExportedPiece]:
    """The pieces of an argument: one, or the lines of standard input."""
    for line in input_output.notations_in(text, settings):
        result, piece = input_output.read_or_find(line, settings)
        input_output.print_diagnostics(piece.diagnostics, piece.source, result)
        entry = result.library_piece.entry if result.library_piece else None
        code = str(line.number) if line.number else "X"
        name = entry.name if entry else piece.text.strip()
        yield _exported(entry.code if entry else code, name, piece, piece.meaning)


def _piece_of_file(entry: Entry, library: Library, size: tuple[int, int]) -> ExportedPiece:
    """A piece of a file, with what its line and the lines of further moves say of its moves."""
    facts = entry.meaning.facts
    if entry.royal and all(fact.name != "royal" for fact in facts):
        facts = (Fact("royal", (SURVIVING[library.rules.royal_lost],)), *facts)
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
    exported = _exported(entry.code, entry.name, entry.piece, replace(entry.meaning, facts=facts))
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


def _exported(code: str, name: str, piece: Piece, meaning: Meaning) -> ExportedPiece:
    words = tuple(facts_in_words(meaning))
    return ExportedPiece(code, name, piece.text.strip(), piece.notation, meaning, words)


def _as_json_text(tables: dict[str, object]) -> str:
    return json.dumps(tables, ensure_ascii=False) + "\n"


def _reject_format(output: str, hint: str) -> NoReturn:
    source = Source(output, "<output>")
    reject(AlfilError, "unknown-format", "no such form of tables", source, hint=hint)


def _file_content(output: str, tables: dict[str, object]) -> bytes:
    """The file, by how its name ends."""
    if output.endswith(JSON):
        return _as_json_text(tables).encode()
    if not output.endswith(ARRAYS):
        _reject_format(output, "end the name with .json or .npz")
    from alfil.play.encoding import import_numpy  # noqa: PLC0415 - an extra

    archive = io.BytesIO()
    arrays = import_numpy()
    whole = arrays.frombuffer(_as_json_text(tables).encode(), dtype="uint8")
    numpy_arrays = {name: arrays.array(each) for name, each in tables_as_arrays(tables).items()}
    arrays.savez_compressed(archive, **{"tables.json": whole, **numpy_arrays})
    return archive.getvalue()
