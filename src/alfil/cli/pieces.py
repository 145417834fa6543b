"""`alfil pieces`: the bundled pieces, by name or by how they move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from alfil.cli import input_output
from alfil.cli.options import Settings, completed, reading_options
from alfil.library.library import Library, LibraryPiece, sets_in_order
from alfil.library.model import Entry
from alfil.library.search import Identity, NearMatch, identify, search, suggest
from alfil.notation.registry import split_notation_prefix
from alfil.source import columns

NOTHING_FOUND = 1
RELATIONS = {
    "more": "has all these moves and more",
    "less": "has some of these moves and no others",
    "other": "",
}
# Columns wider than this do not push the others to the right.
WIDEST = 28


@click.command("pieces")
@click.argument("query", required=False)
@click.option("--like", metavar="NOTATION", help="Find the piece that moves like this.")
@click.option(
    "--set",
    "sets",
    metavar="NAME",
    multiple=True,
    shell_complete=completed("sets"),
    help="Search this set, or this piece file; may be given more than once.",
)
@reading_options
def pieces_command(
    *, query: str | None, like: str | None, sets: tuple[str, ...], settings: Settings
) -> int:
    """Search the bundled pieces by name or code, or by how they move.

    Without QUERY the sets are listed, or the pieces of each --set. QUERY is part of a name, a code,
    or SET:CODE; where nothing has it, names that are spelled alike are shown.

    --like finds the pieces that are the same by equality of meaning, on every board, whatever the
    spelling; - stands for standard input, one notation a line. A piece that is the same in a mirror
    or turned is a remark. Where none is the same, the most alike are shown by the moves they share
    on three boards of 15 by 15: alone and unmoved, with its own side on the eight squares around
    it, and with enemies on all squares an even number of files and ranks away. "48 of 60" means
    that 48 moves are common to both, of 60 that either has.

    The exit code is 0 where something was found, 1 where nothing was, 2 for a notation, set or file
    that cannot be read.
    """
    for name in sets:
        input_output.load_library(name, {})
    chosen = sets or None
    if like is not None:
        if query is not None:
            raise click.UsageError("give a name or --like, not both")
        return _print_identities(like, chosen, settings)
    if query is not None:
        return _print_search(query, chosen)
    return _print_sets(sets)


def _print_sets(sets: Sequence[str]) -> int:
    """The sets with their titles, or all pieces of those that were chosen."""
    libraries = [input_output.load_library(name, {}) for name in sets or sets_in_order()]
    if sets:
        _print_pieces([LibraryPiece(each, entry) for each in libraries for entry in each.pieces])
    else:
        rows = [(each.name, str(len(each.pieces)), each.title) for each in libraries]
        input_output.print_answer(lambda: [*map(_set_data, libraries)], columns(rows, WIDEST))
    return 0


def _print_search(query: str, sets: Sequence[str] | None) -> int:
    result = search(query, sets)
    if result:
        _print_pieces(result)
        return 0
    near = suggest(query, sets)
    hint = "; names spelled alike:" if near else "; alfil pieces lists the sets"
    words = [f"no piece is called {query}{hint}", *columns([*map(_piece_row, near)], WIDEST)]
    input_output.print_answer(list, words)
    return NOTHING_FOUND


def _print_identities(like: str, sets: Sequence[str] | None, settings: Settings) -> int:
    """Answer for every notation that was given; returns the exit code."""
    like, notation = split_notation_prefix(like, settings.notation)
    settings = settings._replace(notation=notation)

    def answered(line: input_output.Line) -> int:
        piece = input_output.read_line(line, settings)
        input_output.print_diagnostics(piece.diagnostics, piece.source, line)
        result = identify(piece, sets)
        input_output.print_answer(lambda: _identity_data(result), _in_words(result), line)
        return 0 if result.same else NOTHING_FOUND

    return input_output.for_each_line(
        input_output.notations_in(like, settings), answered, input_output.EXIT_USAGE
    )


def _in_words(result: Identity) -> Iterator[str]:
    for each in result.same:
        yield _names_and_place(each)
        yield from _remarks(each.entry)
    if not result.same:
        yield "no piece of the sets moves like this"
    for turn in result.turned:
        yield f"{turn.how} it is: {_names_and_place(turn.match)}"
    if result.near:
        yield "most alike, by the moves that both have of those that either has:"
        yield from columns([_near_row(each) for each in result.near], WIDEST)


def _names_and_place(result: LibraryPiece) -> str:
    """A piece by all its names, and where it is."""
    also = f", also called {', '.join(result.entry.also)}" if result.entry.also else ""
    kanji = f" {result.entry.kanji}" if result.entry.kanji else ""
    return f"{result.entry.name}{also}{kanji} ({result.qualified_code})"


def _near_row(near: NearMatch) -> tuple[str, ...]:
    entry = near.match.entry
    counted = f"{near.shared} of {near.total}"
    names = f"{entry.name} ({near.match.qualified_code})"
    return (f"  {counted}", names, entry.piece.text, RELATIONS[near.relation])


def _remarks(entry: Entry) -> Iterator[str]:
    """What must be said of a piece wherever it is shown."""
    if entry.note or entry.status != "given":
        yield f"    {entry.note or entry.status}"


def _print_pieces(result: Sequence[LibraryPiece]) -> None:
    lines = columns([_piece_row(each) for each in result], WIDEST)
    words = (
        text
        for line, each in zip(lines, result, strict=True)
        for text in (line, *_remarks(each.entry))
    )
    input_output.print_answer(lambda: [*map(_piece_data, result)], words)


def _piece_row(result: LibraryPiece) -> tuple[str, ...]:
    entry = result.entry
    also = f"also {', '.join(entry.also)}" if entry.also else ""
    movements = [piece.text for piece in entry.movements]
    return (result.qualified_code, entry.name, entry.kanji, *movements[:1], also)


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
