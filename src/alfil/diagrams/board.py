"""One position as text: the piece, what else stands on its board, and perhaps one move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from alfil.diagrams.text import EMPTY_SQUARE, Family, Fill, Sign, Style
from alfil.source import display_width, printable
from alfil.tables.scene import Offset
from alfil.tables.walking import PieceMove
from alfil.tables.witness import Witness

# What else stands on a board, as letters, and in words.
PIECES = (
    ("enemies", "E", "an enemy"),
    ("friends", "F", "a piece of its own side"),
    ("enemy_royals", "K", "a royal enemy"),
    ("unmoved_friends", "R", "a piece of its own side that has not moved"),
    ("en_passant", "P", "a square where it can capture en passant"),
)
MOVES = Sign(Family.STEP, Fill.MOVE)
TAKES = Sign(Family.STEP, Fill.CAPTURE)
TAKES_ON_THE_WAY = Sign(Family.VICTIM)
JOINS = Sign(Family.CASTLE)
GAP = "    "


def board_lines(position: Witness, move: PieceMove | None, style: Style) -> list[str]:
    """The board rank by rank, the far one first; the marks of a move stand over the pieces."""
    shown = _pieces(position)
    if move is not None:
        shown |= {at: style.sign(sign) for at, sign in _marks(move)}
    if move is None or not move.igui:
        shown[0, 0] = style.sign(Sign(Family.PIECE))
    file, rank = position.at
    empty = EMPTY_SQUARE[style.ascii]
    return [
        " ".join(shown.get((x - file, y - rank), empty) for x in range(position.files))
        for y in range(position.ranks - 1, -1, -1)
    ]


def board_legend(position: Witness, move: PieceMove, style: Style) -> list[str]:
    """What the signs of a board with a move mean."""
    piece = "the piece; forward is up"
    lines = [] if move.igui else [(style.sign(Sign(Family.PIECE)), piece)]
    lines += [(letter, words) for name, letter, words in PIECES if getattr(position, name)]
    signs = {sign for _, sign in _marks(move)}
    words = {
        MOVES: "where the move ends",
        TAKES: "where the move ends, with a capture",
        TAKES_ON_THE_WAY: "captured on the way",
        JOINS: "where the partner goes",
        Sign(Family.PIECE): f"{piece}; the move ends where it began",
    }
    lines += [(style.sign(sign), words[sign]) for sign in words if sign in signs]
    return [f"{sign}  {each}" for sign, each in lines]


def side_by_side(blocks: Sequence[tuple[str, list[str]]]) -> Iterator[str]:
    """Blocks of lines beside each other, each under its title, padded by display width."""
    titled = [[printable(title), *lines] for title, lines in blocks]
    widths = [max(map(display_width, lines)) for lines in titled]
    for row in zip_longest(*titled, fillvalue=""):
        cells = (
            text + " " * (width - display_width(text))
            for text, width in zip(row, widths, strict=True)
        )
        yield GAP.join(cells).rstrip()


def _pieces(position: Witness) -> dict[Offset, str]:
    return {at: letter for name, letter, _ in PIECES for at in getattr(position, name)}


def _marks(move: PieceMove) -> Iterator[tuple[Offset, Sign]]:
    for at in move.captures:
        yield at, TAKES if at == move.to else TAKES_ON_THE_WAY
    if move.partner:
        yield move.partner[1], JOINS
    if move.igui:
        yield move.to, Sign(Family.PIECE)
    elif move.to not in move.captures:
        yield move.to, MOVES
