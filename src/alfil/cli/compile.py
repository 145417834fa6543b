"""`alfil compile`: move tables in a file, for programs in any language."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import NoReturn

import click

from alfil.atomic_files import save_files
from alfil.cli import input_output, options
from alfil.errors import AlfilError, BoardError, reject
from alfil.library.library import Library
from alfil.library.piece_tables import exported_entry, exported_piece
from alfil.source import Source
from alfil.tables.ray_export import tables_as_rays
from alfil.tables.table_export import ExportedPiece, tables_as_arrays, tables_as_json_text

FILES = RANKS = 9
JSON_SUFFIX, ARRAYS_SUFFIX = ".json", ".npz"


@click.command("compile")
@click.argument(
    "text", metavar="NOTATION|SET|FILE", shell_complete=options.completion_function("pieces")
)
@options.reading_options
@options.size_option
@options.moves_option
@options.reading_option
@click.option("--plain", is_flag=True, help="Write rays: for each square, lists of squares.")
@click.option("-o", "--output", metavar="FILE", help="tables.json, or tables.npz (with numpy).")
def compile_command(
    *,
    text: str,
    settings: options.NotationSettings,
    size: tuple[int, int] | None,
    moves: dict[str, str],
    plain: bool,
    output: str | None,
) -> int:
    """Write the move tables of a piece, set or file.

    The tables are for the board of the game, for --board, or for 9x9. Without -o they are printed
    as JSON; `alfil docs tables` describes both forms and has example readers.

    The exit code is 0; 1 for a piece that cannot be read or has no table; 2 for an unknown set or
    file, or if a file cannot be written.
    """
    place, _, code = (
        (text, "", "") if input_output.is_piece_file_or_set_name(text) else text.rpartition(":")
    )
    if input_output.is_piece_file_or_set_name(place):
        library = input_output.load_library(place, moves)
        size = _board_size(library, size)
        chosen = library.pieces if place == text else [library[code]]
        pieces = [exported_entry(each, library, size) for each in chosen]
    else:
        size = size or (FILES, RANKS)
        pieces = list(_exported_pieces_of_lines(text, settings))
    if plain:
        if output and not output.endswith(JSON_SUFFIX):
            _reject_format(output, "end the name with .json")
        text = json.dumps(tables_as_rays(pieces, *size), ensure_ascii=False)
    else:
        text = tables_as_json_text(pieces, *size)
    if output:
        save_files({output: _file_content(output, text)})
        input_output.print_file_names_if_json_asked([output])
    else:
        input_output.print_line(text)
    return 0


def _board_size(library: Library, size_asked: tuple[int, int] | None) -> tuple[int, int]:
    """The board that tables are for: what is asked for, or that of the game."""
    own = (library.files or FILES, library.ranks or RANKS)
    if library.regions and size_asked not in {None, own}:
        message = f"{library.name} names squares of its own board, {own[0]}x{own[1]}"
        source = Source(library.name, "<argument>")
        reject(BoardError, "board-size", message, source, hint="leave out --board")
    return size_asked or own


def _exported_pieces_of_lines(
    text: str, settings: options.NotationSettings
) -> Iterator[ExportedPiece]:
    """The pieces of an argument: one, or the lines of standard input."""
    for line in input_output.notations_in(text, settings):
        result, piece = input_output.read_notation_or_find_piece(line, settings)
        input_output.print_diagnostics(piece.diagnostics, piece.source, result)
        entry = result.library_piece.entry if result.library_piece else None
        code = str(line.number) if line.number else "X"
        name = entry.name if entry else piece.text.strip()
        yield exported_piece(entry.code if entry else code, name, piece, piece.meaning)


def _reject_format(output: str, hint: str) -> NoReturn:
    source = Source(output, "<output>")
    reject(AlfilError, "unknown-format", "no such form of tables", source, hint=hint)


def _file_content(output: str, text: str) -> bytes:
    """The file, by how its name ends."""
    content = f"{text}\n".encode()
    if output.endswith(JSON_SUFFIX):
        return content
    if not output.endswith(ARRAYS_SUFFIX):
        _reject_format(output, "end the name with .json or .npz")
    from alfil.play.action_encoding import import_numpy  # noqa: PLC0415 - an extra

    archive = io.BytesIO()
    arrays = import_numpy()
    whole = arrays.frombuffer(content, dtype="uint8")
    tables = tables_as_arrays(json.loads(text))
    numpy_arrays = {name: arrays.array(each) for name, each in tables.items()}
    arrays.savez_compressed(archive, **{"tables.json": whole, **numpy_arrays})
    return archive.getvalue()
