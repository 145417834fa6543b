"""`alfil pieces`: the bundled pieces, by name or by how they move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

import click

from alfil.cli import input_output
from alfil.cli.options import NotationSettings, completion_function, reading_options
from alfil.library.catalogue_export import catalogue_as_csv, catalogue_as_data
from alfil.library.file_locations import catalogue_set_names
from alfil.library.library import Library, LibraryPiece, all_set_names, library_by_name
from alfil.library.name_readings import NameReading, difference_text, readings_of
from alfil.library.piece_file import Entry
from alfil.library.search import Identity, NearMatch, identify, search, suggest
from alfil.notation.registry import split_notation_prefix
from alfil.source import align_columns

EXIT_NOTHING_FOUND = 1
RELATION_WORDS = {
    "more": "has all these moves and more",
    "less": "has some of these moves and no others",
    "other": "",
}
# Columns wider than this do not push the others to the right.
MAX_COLUMN_WIDTH = 28
# The notations that are shown without their names.
UNNAMED_NOTATIONS = frozenset({"betza", "hasinu"})


@click.command("pieces")
@click.argument("query", required=False)
@click.option("--like", metavar="NOTATION", help="Find the piece that moves like this.")
@click.option(
    "--set",
    "sets",
    metavar="NAME",
    multiple=True,
    shell_complete=completion_function("sets"),
    help="Search this set or piece file; may be repeated.",
)
@click.option(
    "--export",
    "export_format",
    type=click.Choice(["csv", "json"]),
    help="Write the pieces of all sets and of the catalogue, or of each --set, with their sources.",
)
@reading_options
def pieces_command(
    *,
    query: str | None,
    like: str | None,
    sets: tuple[str, ...],
    export_format: str | None,
    settings: NotationSettings,
) -> int:
    """Search the included pieces by name, code or moves.

    QUERY is part of a name, a code, or SET:CODE; if no piece has it, similar names are listed.
    Where pieces of one name move differently, it shows how. Without QUERY the command lists the
    sets, or the pieces of each --set. The catalogue, names with their sources, is searched too.

    --like finds the pieces that move the same on every board, however they are spelled, and those
    that are the same when mirrored or turned. If there is none, it lists the most similar pieces:
    "48 of 60" means that both have 48 of the 60 moves that either has, counted on three boards of
    15x15: alone and unmoved, with own pieces on the eight squares around it, and with enemies on
    all squares an even number of files and ranks away.

    The exit code is 0 if a piece was found, 1 if not, 2 for a notation, set or file that cannot be
    read.
    """
    for name in sets:
        input_output.load_library(name, {})
    chosen = sets or None
    if export_format is not None:
        if like is not None or query is not None:
            raise click.UsageError("--export is for whole sets; leave the name and --like out")
        return _print_catalogue_export(export_format, sets or all_set_names())
    if like is not None:
        if query is not None:
            raise click.UsageError("give a name or --like, not both")
        return _print_pieces_like(like, chosen, settings)
    if query is not None:
        return _print_search(query, chosen)
    return _print_sets_or_their_pieces(sets)


def _print_catalogue_export(export_format: str, sets: Sequence[str]) -> int:
    libraries = map(library_by_name, sets)
    as_csv = export_format == "csv"
    text = (
        catalogue_as_csv(libraries)
        if as_csv
        else input_output.as_json(catalogue_as_data(libraries))
    )
    input_output.print_line(text.rstrip("\n"))
    return 0


def _print_sets_or_their_pieces(sets: Sequence[str]) -> int:
    """The sets with their titles, or all pieces of those that were chosen."""
    libraries = [input_output.load_library(name, {}) for name in sets or all_set_names()]
    if sets:
        _print_pieces([LibraryPiece(each, entry) for each in libraries for entry in each.pieces])
    else:
        rows = [(each.name, str(len(each.pieces)), _set_title(each)) for each in libraries]
        input_output.print_answer(
            lambda: [*map(_set_data, libraries)], align_columns(rows, MAX_COLUMN_WIDTH)
        )
    return 0


def _print_search(query: str, sets: Sequence[str] | None) -> int:
    result = search(query, sets)
    if result:
        readings = readings_of(query, result)
        _print_pieces(
            result, _reading_comparison_lines(query, readings), _differences_from_first(readings)
        )
        return 0
    near = suggest(query, sets)
    hint = "; names spelled alike:" if near else "; alfil pieces lists the sets"
    words = [
        f"no piece is called {query}{hint}",
        *align_columns([*map(_piece_row, near)], MAX_COLUMN_WIDTH),
    ]
    input_output.print_answer(list, words)
    return EXIT_NOTHING_FOUND


def _reading_comparison_lines(query: str, readings: Sequence[NameReading]) -> Iterator[str]:
    """What tells the readings of a name apart, where it has several."""
    if len(readings) > 1:
        first = readings[0].pieces[0]
        several = f"{len(readings)} different pieces are called {query}"
        yield f"{several}; compared with {first.qualified_code}:"
        rows = []
        for each in readings[1:]:
            words = _difference_in_words(first, each) or "no board shows how they differ"
            rows.append((f"  {each.pieces[0].qualified_code}", words))
        yield from align_columns(rows, MAX_COLUMN_WIDTH)


def _difference_in_words(first: LibraryPiece, other: NameReading) -> str:
    shown = other.difference
    return difference_text(first, other.pieces[0], shown) if shown else ""


def _differences_from_first(readings: Sequence[NameReading]) -> dict[str, str]:
    """How the pieces of other readings differ from the first, by their places."""
    return {
        piece.qualified_code: _difference_in_words(readings[0].pieces[0], each)
        for each in readings[1:]
        for piece in each.pieces
    }


def _print_pieces_like(like: str, sets: Sequence[str] | None, settings: NotationSettings) -> int:
    """Answer for every notation that was given; returns the exit code."""
    like, notation = split_notation_prefix(like, settings.notation)
    settings = settings._replace(notation=notation)

    def answered(line: input_output.InputLine) -> int:
        piece = input_output.read_piece_of_line(line, settings)
        input_output.print_diagnostics(piece.diagnostics, piece.source, line)
        result = identify(piece, sets)
        input_output.print_answer(lambda: _identity_data(result), _identity_in_words(result), line)
        return 0 if result.same else EXIT_NOTHING_FOUND

    return input_output.for_each_line(
        input_output.notations_in(like, settings), answered, input_output.EXIT_USAGE
    )


def _identity_in_words(result: Identity) -> Iterator[str]:
    for each in result.same:
        yield _names_code_and_sources(each)
        yield from _piece_remarks(each.entry)
    if not result.same:
        yield "no piece of the sets moves like this"
    for turn in result.turned:
        yield f"{turn.how} it is: {_names_code_and_sources(turn.match)}"
    if result.near:
        yield "most alike, by the moves that both have of those of either, on three test boards:"
        yield from align_columns([_near_match_row(each) for each in result.near], MAX_COLUMN_WIDTH)


def _names_code_and_sources(result: LibraryPiece) -> str:
    """A piece by all its names, and where it is."""
    also = f", also called {', '.join(result.entry.also)}" if result.entry.also else ""
    kanji = f" {result.entry.kanji}" if result.entry.kanji else ""
    origin = f", {_sources_text(result.entry)}" if result.entry.sources else ""
    return f"{result.entry.name}{also}{kanji} ({result.qualified_code}){origin}"


def _near_match_row(near: NearMatch) -> tuple[str, ...]:
    entry = near.match.entry
    counted = f"{near.shared} of {near.total}"
    names = f"{entry.name} ({near.match.qualified_code})"
    return (f"  {counted}", names, entry.piece.text, RELATION_WORDS[near.relation])


def _piece_remarks(entry: Entry) -> Iterator[str]:
    """What must be said of a piece wherever it is shown."""
    if entry.note or entry.status != "given":
        yield f"    {entry.note or entry.status}"


def _print_pieces(
    result: Sequence[LibraryPiece],
    readings: Iterable[str] = (),
    differences: Mapping[str, str] = MappingProxyType({}),
) -> None:
    lines = align_columns([_piece_row(each) for each in result], MAX_COLUMN_WIDTH)
    words = (
        text
        for line, each in zip(lines, result, strict=True)
        for text in (line, *_piece_remarks(each.entry))
    )
    data = [
        {**_piece_data(each), "difference": differences.get(each.qualified_code)} for each in result
    ]
    input_output.print_answer(lambda: data, chain(words, readings))


def _piece_row(result: LibraryPiece) -> tuple[str, ...]:
    entry = result.entry
    names = (*entry.also, *entry.german, *entry.french)
    also = f"also {', '.join(names)}" if names else ""
    return (
        result.qualified_code,
        entry.name,
        _characters_and_reading(entry),
        _movement_text_with_notation(entry),
        also,
        _sources_text(entry),
    )


def _characters_and_reading(entry: Entry) -> str:
    """The characters on a piece, and how they are read."""
    return f"{entry.kanji} {entry.romaji}".strip()


def _movement_text_with_notation(entry: Entry) -> str:
    """How it moves, with the notation before it where that is one that few know."""
    notation = entry.piece.notation
    return entry.piece.text if notation in UNNAMED_NOTATIONS else f"{notation}:{entry.piece.text}"


def _sources_text(entry: Entry) -> str:
    """Who gives the piece this name."""
    return f"from {', '.join(entry.sources)}" if entry.sources else ""


def _set_title(library: Library) -> str:
    return library.title or "names from many sources" * (library.name in catalogue_set_names())


def _set_data(library: Library) -> dict[str, object]:
    return {"set": library.name, "title": library.title, "pieces": len(library.pieces)}


def _piece_data(result: LibraryPiece) -> dict[str, object]:
    entry = result.entry
    texts = {piece.notation: piece.text for piece in entry.movements}
    return {
        "set": result.library.name,
        "code": entry.code,
        "name": entry.name,
        "also": list(entry.also),
        "kanji": entry.kanji,
        "romaji": entry.romaji,
        "german": list(entry.german),
        "french": list(entry.french),
        "sources": list(entry.sources),
        "reading": entry.reading,
        **{"betza": None, "hasinu": None, **texts},
        "same_as": entry.same_as,
        "status": entry.status,
        "note": entry.note,
    }


def _identity_data(result: Identity) -> dict[str, object]:
    return {
        "same": [_piece_data(each) for each in result.same],
        "turned": [{"how": each.how, **_piece_data(each.match)} for each in result.turned],
        "near": [
            {
                "shared": each.shared,
                "total": each.total,
                "relation": each.relation,
                **_piece_data(each.match),
            }
            for each in result.near
        ],
    }
