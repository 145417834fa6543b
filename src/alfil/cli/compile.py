"""`alfil compile`: move tables in a file, for programs in any language."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace

import click

from alfil.api import Piece
from alfil.cli import inputs, options
from alfil.diagrams.signs import facts_in_words
from alfil.errors import AlfilError, refuse
from alfil.game.variant import Rules
from alfil.library.model import Entry
from alfil.meaning.piece import Fact, Meaning
from alfil.saving import save
from alfil.source import Source
from alfil.tables.product import Named, tables_as_arrays, tables_as_json

FILES = RANKS = 9
JSON, ARRAYS = ".json", ".npz"
# Which of its royal pieces a side may not lose, by what the rules say is lost with them.
SURVIVING = {"any": "all", "all": "one"}


@click.command("compile")
@click.argument("text", metavar="NOTATION|SET|FILE")
@options.reading
@options.sized
@options.replacing
@click.option("-o", "--output", metavar="FILE", help="tables.json, or tables.npz (with numpy).")
def compile_command(
    *,
    text: str,
    settings: options.Settings,
    size: tuple[int, int] | None,
    moves: dict[str, str],
    output: str | None,
) -> int:
    """Write the move tables of a piece, or of all pieces of a set or file.

    They are for the board of the game, or --board, 9x9 unless given. Without -o they are printed as
    JSON; docs/tables.md describes the format, with an example reader.

    The exit code is 0; 1 for what cannot be read or has no tables; 2 for an unknown set or file,
    and where nothing can be written.
    """
    if inputs.is_piece_file(text):
        library = inputs.loaded(text, moves)
        size = size or (library.files or FILES, library.ranks or RANKS)
        pieces = [_of_file(each, library.rules) for each in library.pieces]
    else:
        size = size or (FILES, RANKS)
        pieces = list(_typed(text, settings))
    tables = tables_as_json(pieces, *size)
    if output:
        save({output: _content(output, tables)})
    else:
        inputs.say(_json(tables).rstrip("\n"))
    return 0


def _typed(text: str, settings: options.Settings) -> Iterator[Named]:
    """The pieces of an argument: one, or the lines of standard input."""
    for line in inputs.given(text, settings):
        found, piece = inputs.understood(line, settings)
        inputs.tell(piece.findings, piece.source, found)
        entry = found.named.entry if found.named else None
        code = str(line.number) if line.number else "X"
        name = entry.name if entry else piece.text.strip()
        yield _named(entry.code if entry else code, name, piece, piece.meaning)


def _of_file(entry: Entry, rules: Rules) -> Named:
    """A piece of a file, which may be royal by its line."""
    facts = entry.meaning.facts
    if entry.royal and all(fact.name != "royal" for fact in facts):
        facts = (Fact("royal", (SURVIVING[rules.royal_lost],)), *facts)
    return _named(entry.code, entry.name, entry.piece, replace(entry.meaning, facts=facts))


def _named(code: str, name: str, piece: Piece, meaning: Meaning) -> Named:
    words = tuple(facts_in_words(meaning))
    return Named(code, name, piece.text.strip(), piece.notation, meaning, words)


def _json(tables: dict[str, object]) -> str:
    return json.dumps(tables, ensure_ascii=False) + "\n"


def _content(output: str, tables: dict[str, object]) -> bytes:
    """The file, by how its name ends."""
    if output.endswith(JSON):
        return _json(tables).encode()
    if not output.endswith(ARRAYS):
        hint = "end the name with .json or .npz"
        source = Source(output, "<output>")
        refuse(AlfilError, "unknown-format", "no such form of tables", source, hint=hint)
    from alfil.play.learning import numpy  # noqa: PLC0415 - an extra

    archive = io.BytesIO()
    arrays = numpy()
    whole = arrays.frombuffer(_json(tables).encode(), dtype="uint8")
    told = {name: arrays.array(each) for name, each in tables_as_arrays(tables).items()}
    arrays.savez_compressed(archive, **{"tables.json": whole, **told})
    return archive.getvalue()
