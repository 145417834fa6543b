"""Large pieces: their view of a board, and their captures.

Such a piece moves as one. Its square is the near left one of those it takes up, and what stands on
a square is for it what stands on all that it would take up there. So its moves are those of a piece
of one square on a board on which every square stands for so many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from alfil.errors import BoardError, reject
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL
from alfil.meaning.piece_meaning import Footprint
from alfil.source import Source
from alfil.squares import Square, square_name
from alfil.tables.board_context import BoardContext, Offset

# Of several pieces in its way, the one that says what it can do there: first those of no class,
# which it neither passes nor captures.
CLASS_PRIORITY = (0, FRIEND, ROYAL, ENEMY)


def context_seen_by_large_piece(context: BoardContext, footprint: Footprint) -> BoardContext:
    """The board as a large piece sees it: each square merges those it would occupy.

    Raises `BoardError` where the piece does not fit where it stands.
    """
    if len(footprint) == 1:
        return context
    home = _occupied_squares(context.at, footprint)
    taken = sorted(home & context.contents.keys())
    if taken:
        _reject_square(
            "square-taken", f"the piece itself takes up {square_name(*taken[0])}", taken[0]
        )
    files, ranks = main_square_board_size(footprint, context)
    contents: dict[Square, int] = {}
    for (x, y), standing in context.contents.items():
        for dx, dy in footprint:
            at = (x - dx, y - dy)
            if 0 <= at[0] < files and 0 <= at[1] < ranks:
                before = contents.get(at, standing)
                contents[at] = min(standing, before, key=CLASS_PRIORITY.index)
    seen = replace(context, contents=contents, unmoved_friends=(), ep_squares={})
    return replace(seen, files=files, ranks=ranks)


def main_square_board_size(footprint: Footprint, context: BoardContext) -> tuple[int, int]:
    """The files and ranks for the piece's own square; `BoardError` for a piece off them.

    An open diagram has no edges, so that nothing sticks out there.
    """
    if not context.wraps:
        return context.files, context.ranks
    wide, high = footprint[-1]
    files, ranks = context.files - wide, context.ranks - high
    if not (context.at[0] < files and context.at[1] < ranks):
        name = square_name(*context.at)
        _reject_square(
            "off-board", f"a piece of {wide + 1} by {high + 1} does not fit on {name}", context.at
        )
    return files, ranks


def occupied_squares_under_large_piece(
    places: Iterable[Offset], context: BoardContext, footprint: Footprint
) -> tuple[Offset, ...]:
    """The pieces on all squares that a large piece covers at these places."""
    squares = (
        _occupied_squares((context.at[0] + x, context.at[1] + y), footprint) for x, y in places
    )
    there = dict.fromkeys(at for each in squares for at in sorted(each & context.contents.keys()))
    return tuple((x - context.at[0], y - context.at[1]) for x, y in there)


def _occupied_squares(at: Square, footprint: Footprint) -> set[Square]:
    return {(at[0] + x, at[1] + y) for x, y in footprint}


def _reject_square(kind: str, message: str, at: Square) -> None:
    name = square_name(*at)
    reject(BoardError, kind, message, Source(name, "<board>"), hint="name another square")
