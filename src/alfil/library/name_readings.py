"""The readings of a name: the pieces that have it, put together where they move alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from alfil.api import difference, same
from alfil.errors import AlfilError
from alfil.frozen_dataclasses import NamedTuple
from alfil.library.constraints import witness_pieces_in_words
from alfil.library.library import LibraryPiece
from alfil.library.piece_file import normalise_name

if TYPE_CHECKING:
    from alfil.tables.smallest_difference import Witness


class NameReading(NamedTuple):
    """Pieces of one name that move alike.

    ``difference`` is the smallest position in which they and the first reading differ, None for the
    first one, and where no board shows it.
    """

    pieces: tuple[LibraryPiece, ...]
    difference: Witness | None


def readings_of(name: str, pieces: Iterable[LibraryPiece]) -> list[NameReading]:
    """The readings among some pieces of those that have this name, in their order.

    Facts besides the moves do not count. A piece without a meaning is a reading of its own.

    >>> from alfil.library.search import search
    >>> first, second = readings_of("lion", search("lion", ["fairy", "dobutsu"]))
    >>> first.pieces[0].entry.piece.text, second.pieces[0].entry.piece.text
    ('pQ', 'K')
    >>> second.difference.files, second.difference.ranks, second.difference.move.to
    (1, 2, (0, 1))
    """
    groups: list[list[LibraryPiece]] = []
    for each in pieces:
        if normalise_name(name) in map(normalise_name, each.entry.names):
            alike = next((group for group in groups if _has_same_moves(group[0], each)), None)
            if alike is None:
                groups.append([each])
            else:
                alike.append(each)
    return [
        NameReading(tuple(group), _witness_of_difference(groups[0][0], group[0]))
        for group in groups
    ]


def _has_same_moves(one: LibraryPiece, other: LibraryPiece) -> bool:
    a, b = one.entry.piece, other.entry.piece
    try:
        return (a.text, a.notation) == (b.text, b.notation) or same(a, b, facts=False)
    except AlfilError:
        return False


def _witness_of_difference(first: LibraryPiece, other: LibraryPiece) -> Witness | None:
    if first is other:
        return None
    try:
        return difference(first.entry.piece, other.entry.piece, facts=False)
    except AlfilError:
        return None


def difference_text(first: LibraryPiece, other: LibraryPiece, witness: Witness) -> str:
    """The smallest board on which two readings differ, and the square only one of them goes to."""
    has_move = first if witness.only == "first" else other
    words = f"on a board of {witness.files}×{witness.ranks}, only {has_move.qualified_code} goes"
    if witness.move is None:
        return ""
    dx, dy = witness.move.to
    return f"{words} to {dx},{dy}{witness_pieces_in_words(witness)}"
