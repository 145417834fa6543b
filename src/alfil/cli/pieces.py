"""`alfil pieces`: the bundled pieces, by name or by how they move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from alfil.cli import inputs
from alfil.cli.options import Settings, reading
from alfil.library.library import Found, Library, in_order
from alfil.library.model import Entry
from alfil.library.search import Identity, Near, identify, search, suggest
from alfil.notation.registry import with_notation
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
    help="Search this set, or this piece file; may be given more than once.",
)
@reading
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
        inputs.loaded(name, {})
    chosen = sets or None
    if like is not None:
        if query is not None:
            raise click.UsageError("give a name or --like, not both")
        return _identified(like, chosen, settings)
    if query is not None:
        return _searched(query, chosen)
    return _listed(sets)


def _listed(sets: Sequence[str]) -> int:
    """The sets with their titles, or all pieces of those that were chosen."""
    libraries = [inputs.loaded(name, {}) for name in sets or in_order()]
    if sets:
        _print_pieces([Found(each, entry) for each in libraries for entry in each.pieces])
    else:
        rows = [(each.name, str(len(each.pieces)), each.title) for each in libraries]
        inputs.put(lambda: [*map(_set_data, libraries)], columns(rows, WIDEST))
    return 0


def _searched(query: str, sets: Sequence[str] | None) -> int:
    found = search(query, sets)
    if found:
        _print_pieces(found)
        return 0
    near = suggest(query, sets)
    hint = "; names spelled alike:" if near else "; alfil pieces lists the sets"
    words = [f"no piece is called {query}{hint}", *columns([*map(_row, near)], WIDEST)]
    inputs.put(list, words)
    return NOTHING_FOUND


def _identified(like: str, sets: Sequence[str] | None, settings: Settings) -> int:
    """Answer for every notation that was given; returns the exit code."""
    like, notation = with_notation(like, settings.notation)
    settings = settings._replace(notation=notation)

    def answered(line: inputs.Line) -> int:
        piece = inputs.read_line(line, settings)
        inputs.tell(piece.findings, piece.source, line)
        found = identify(piece, sets)
        inputs.put(lambda: _identity_data(found), _in_words(found), line)
        return 0 if found.same else NOTHING_FOUND

    return inputs.answer_each(inputs.given(like, settings), answered, inputs.USAGE)


def _in_words(found: Identity) -> Iterator[str]:
    for each in found.same:
        yield _called(each)
        yield from _note(each.entry)
    if not found.same:
        yield "no piece of the sets moves like this"
    for turn in found.turned:
        yield f"{turn.how} it is: {_called(turn.found)}"
    if found.near:
        yield "most alike, by the moves that both have of those that either has:"
        yield from columns([_near_row(each) for each in found.near], WIDEST)


def _called(found: Found) -> str:
    """A piece by all its names, and where it is."""
    also = f", also called {', '.join(found.entry.also)}" if found.entry.also else ""
    kanji = f" {found.entry.kanji}" if found.entry.kanji else ""
    return f"{found.entry.name}{also}{kanji} ({found.place})"


def _near_row(near: Near) -> tuple[str, ...]:
    entry = near.found.entry
    counted = f"{near.shared} of {near.total}"
    names = f"{entry.name} ({near.found.place})"
    return (f"  {counted}", names, entry.piece.text, RELATIONS[near.relation])


def _note(entry: Entry) -> Iterator[str]:
    """What must be said of a piece wherever it is shown."""
    if entry.note or entry.status != "given":
        yield f"    {entry.note or entry.status}"


def _print_pieces(found: Sequence[Found]) -> None:
    lines = columns([_row(each) for each in found], WIDEST)
    words = (
        text for line, each in zip(lines, found, strict=True) for text in (line, *_note(each.entry))
    )
    inputs.put(lambda: [*map(_piece_data, found)], words)


def _row(found: Found) -> tuple[str, ...]:
    entry = found.entry
    also = f"also {', '.join(entry.also)}" if entry.also else ""
    movements = [piece.text for piece in entry.movements]
    return (found.place, entry.name, entry.kanji, *movements[:1], also)


def _set_data(library: Library) -> dict[str, object]:
    return {"set": library.name, "title": library.title, "pieces": len(library.pieces)}


def _piece_data(found: Found) -> dict[str, object]:
    entry = found.entry
    texts = {piece.notation: piece.text for piece in entry.movements}
    return {
        "set": found.library.name,
        "code": entry.code,
        "name": entry.name,
        "also": list(entry.also),
        "kanji": entry.kanji,
        **{"betza": None, "hasinu": None, **texts},
        "same_as": entry.same_as,
        "status": entry.status,
        "note": entry.note,
    }


def _identity_data(found: Identity) -> dict[str, object]:
    return {
        "same": [_piece_data(each) for each in found.same],
        "turned": [{"how": each.how, **_piece_data(each.found)} for each in found.turned],
        "near": [
            {
                "shared": each.shared,
                "total": each.total,
                "relation": each.relation,
                **_piece_data(each.found),
            }
            for each in found.near
        ],
    }
