"""A board of a game as SVG: pieces where they stand, hands at the sides, the last move marked.

The first side sits at the bottom, its hand on the right; the second side's hand is on the left. A
square of the last move has a tint and a frame, so that it is seen in grey too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from alfil.diagrams.elements import FILLED, Panel, group
from alfil.diagrams.glyphs import fitted, short, text_path
from alfil.diagrams.pieces import Paint, paint_for, placed
from alfil.diagrams.subjects import SIDES, Board, Held, Square
from alfil.diagrams.themes import DEFAULT, Theme

SQUARE = 50
EDGE = 26
HELD = 44
HAND = 84
GAP = 10
TITLE = 40
LABEL = 14
TITLE_TEXT = 22
DOT = 3.2


class Surface(NamedTuple):
    """The colours of a board, and of the pieces on it."""

    board: str
    other: str
    line: str
    mark: str


# By what a board's squares are named after, and whether it is for paper.
SURFACES = {
    ("shogi", False): Surface("#efc97d", "#efc97d", "#4a3415", "#ffefc4"),
    ("chess", False): Surface("#f3e3c3", "#c9a57a", "#6b4c2a", "#ffe98a"),
    ("shogi", True): Surface("#ffffff", "#ffffff", "#000000", "#dddddd"),
    ("chess", True): Surface("#ffffff", "#cccccc", "#000000", "#ffffff"),
}


class _Layout(NamedTuple):
    """Where the board and its hands are: the corner of the board, the columns of each hand."""

    left: float
    top: float
    columns: tuple[int, int]
    wide: float
    high: float


def panel(board: Board, theme: Theme = DEFAULT) -> Panel:
    """The board and all around it, to be placed in a document.

    Every piece is an element with data-square, data-code, data-side and, where it is one,
    data-promoted; every kind in a hand one with data-hand, data-code and data-count.
    """
    layout = _layout(board)
    surface = SURFACES[board.coordinates, theme.name == "print"]
    paint = paint_for(theme.name)
    body = [
        *_squares(board, layout, surface),
        *_marks(board, layout, surface),
        *_pieces(board, layout, paint),
        *(each for side in (0, 1) for each in _hand(board, side, layout, paint)),
    ]
    words = group("ink", theme, *_words(board, layout), attributes=FILLED)
    return Panel(layout.wide, layout.high, "".join(body) + "\n" + words)


def _layout(board: Board) -> _Layout:
    rows = _rows(board)
    first, second = (-(-len(hand) // rows) for hand in board.hands)
    if any(board.hands) or board.turn is not None:
        first, second = max(first, 1), max(second, 1)
    left = EDGE + (second * HAND + GAP if second else 0)
    top = EDGE + (TITLE if board.title else 0)
    right = EDGE + (first * HAND + GAP if first else 0)
    return _Layout(
        left,
        top,
        (first, second),
        left + board.files * SQUARE + right,
        top + board.ranks * SQUARE + EDGE,
    )


def _rows(board: Board) -> int:
    """How many kinds of piece have room in one column of a hand, under its owner's name."""
    return max(1, (board.ranks * SQUARE - HELD) // HELD)


def _corner(board: Board, layout: _Layout, square: Square) -> tuple[float, float]:
    """The upper left corner of a square."""
    file, rank = square
    return layout.left + file * SQUARE, layout.top + (board.ranks - 1 - rank) * SQUARE


def _words(board: Board, layout: _Layout) -> Iterator[str]:
    """All that is written: the title, the coordinates, the names of the sides, the counts."""
    if board.title:
        text = fitted(board.title, TITLE_TEXT, layout.wide - 2 * GAP, "bold")
        yield text_path(text, TITLE_TEXT, "middle", x=layout.wide / 2, y=34, face="bold")
    yield from _labels(board, layout)
    for side in (0, 1):
        if layout.columns[side]:
            yield from _owner(board, side, layout)
            for held, x, y in _held(board, side, layout):
                if held.number > 1:
                    at = x + HELD / 2 + 2
                    yield text_path(f"×{held.number}", 16, x=at, y=y + 6, face="bold")


def _squares(board: Board, layout: _Layout, surface: Surface) -> Iterator[str]:
    wide, high = board.files * SQUARE, board.ranks * SQUARE
    left, top = short(layout.left), short(layout.top)
    yield f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="{surface.board}"/>'
    if surface.other != surface.board:
        dark = "".join(
            f"M{short(x)} {short(y)}h{SQUARE}v{SQUARE}h-{SQUARE}z"
            for file in range(board.files)
            for rank in range(board.ranks)
            if (file + rank) % 2 == 0
            for x, y in [_corner(board, layout, (file, rank))]
        )
        yield f'<path fill="{surface.other}" d="{dark}"/>'
    else:
        down = "".join(
            f"M{short(layout.left + x)} {top}v{high}" for x in range(SQUARE, wide, SQUARE)
        )
        across = "".join(
            f"M{left} {short(layout.top + y)}h{wide}" for y in range(SQUARE, high, SQUARE)
        )
        yield f'<path stroke="{surface.line}" stroke-width="1" d="{down}{across}"/>'
        yield from _dots(board, layout, surface)
    yield (
        f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="none" '
        f'stroke="{surface.line}" stroke-width="2.5"/>'
    )


def _dots(board: Board, layout: _Layout, surface: Surface) -> Iterator[str]:
    zone = board.zone
    if not 0 < 2 * zone < min(board.files, board.ranks):
        return
    for file in (zone, board.files - zone):
        for rank in (zone, board.ranks - zone):
            x, y = layout.left + file * SQUARE, layout.top + rank * SQUARE
            yield f'<circle cx="{short(x)}" cy="{short(y)}" r="{DOT}" fill="{surface.line}"/>'


def _marks(board: Board, layout: _Layout, surface: Surface) -> Iterator[str]:
    for square in board.marked:
        x, y = _corner(board, layout, square)
        yield (
            f'<rect data-marked="{board.name(square)}" x="{short(x + 2)}" y="{short(y + 2)}" '
            f'width="{SQUARE - 4}" height="{SQUARE - 4}" fill="{surface.mark}" '
            f'stroke="{surface.line}" stroke-width="2" stroke-dasharray="7 4"/>'
        )


def _labels(board: Board, layout: _Layout) -> Iterator[str]:
    """Files above and ranks on the right in shogi; below and on the left in chess."""
    chess = board.coordinates == "chess"
    y = layout.top + board.ranks * SQUARE + 18 if chess else layout.top - 8
    for file, label in enumerate(board.file_labels()):
        yield text_path(label, LABEL, "middle", x=layout.left + (file + 0.5) * SQUARE, y=y)
    x = layout.left - 12 if chess else layout.left + board.files * SQUARE + 12
    for row, label in enumerate(board.rank_labels()):
        middle = layout.top + (row + 0.5) * SQUARE + 5
        yield text_path(label, LABEL, "middle", x=x, y=middle)


def _pieces(board: Board, layout: _Layout, paint: Paint) -> Iterator[str]:
    for square, side, token in board.pieces:
        x, y = _corner(board, layout, square)
        data = f' data-square="{board.name(square)}"'
        middle = SQUARE / 2
        yield placed(token, side, x + middle, y + middle, SQUARE * 0.96, paint, data)


def _hand(board: Board, side: int, layout: _Layout, paint: Paint) -> Iterator[str]:
    for held, x, y in _held(board, side, layout):
        data = f' data-hand="{SIDES[side]}" data-count="{held.number}"'
        yield placed(held.token, side, x, y, HELD * 0.94, paint, data)


def _start(board: Board, side: int, layout: _Layout) -> tuple[float, float]:
    """The corner of a hand: the second side's is at the top, the first side's at the bottom."""
    if side:
        return EDGE / 2, layout.top
    used = min(_rows(board), len(board.hands[side]))
    left = layout.left + board.files * SQUARE + EDGE / 2 + GAP
    return left, layout.top + board.ranks * SQUARE - HELD * (used + 1)


def _held(board: Board, side: int, layout: _Layout) -> Iterator[tuple[Held, float, float]]:
    """What is in a hand, and the middle of each; one column after another, each downwards."""
    left, top = _start(board, side, layout)
    for number, held in enumerate(board.hands[side]):
        column, row = divmod(number, _rows(board))
        yield held, left + column * HAND + HELD / 2, top + HELD * (row + 1.5)


def _owner(board: Board, side: int, layout: _Layout) -> Iterator[str]:
    """The name of a side, with a mark when it is to move."""
    left, top = _start(board, side, layout)
    y = top + HELD / 2
    if board.turn == side:
        start = f"M{short(left + 2)} {short(y - 6)}"
        yield f'<path data-turn="{SIDES[side]}" d="{start}l10 6l-10 6z"/>'
    yield text_path(fitted(board.sides[side], 13, HAND - 22), 13, x=left + 16, y=y + 5)
