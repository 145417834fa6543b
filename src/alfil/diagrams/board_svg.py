"""A board of a game as SVG: pieces where they stand, hands at the sides, the last move marked.

The first side sits at the bottom, its hand on the right; the second side's hand is on the left. A
square of the last move has a tint and a frame, so that it is seen in grey too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from alfil.diagrams.boards import Board, Held, Square
from alfil.diagrams.glyphs import fitted, short, text_path
from alfil.diagrams.pieces import PRINTED, SIDES, WOODEN, Paint, escaped, placed

SQUARE = 50
EDGE = 26
HELD = 44
HAND = 84
GAP = 10
TITLE = 40
LABEL = 14
# Dots are drawn where the corners of the promotion zones leave a middle between them.
DOT = 3.2


class Surface(NamedTuple):
    """The colours of a board and what is around it, and of the pieces on it."""

    paper: str
    board: str
    other: str
    line: str
    ink: str
    mark: str
    paint: Paint


SHOGI_BOARD = Surface("#ffffff", "#efc97d", "#efc97d", "#4a3415", "#22262c", "#ffefc4", WOODEN)
CHESS_BOARD = Surface("#ffffff", "#f3e3c3", "#c9a57a", "#6b4c2a", "#22262c", "#ffe98a", WOODEN)
PRINT_SHOGI = Surface("#ffffff", "#ffffff", "#ffffff", "#000000", "#000000", "#dddddd", PRINTED)
PRINT_CHESS = PRINT_SHOGI._replace(other="#cccccc", mark="#ffffff")


class _Layout(NamedTuple):
    """Where the board and its hands are: the corner of the board, the columns of each hand."""

    left: float
    top: float
    columns: tuple[int, int]
    wide: float
    high: float


def board_svg(board: Board, *, printed: bool = False, size: int = SQUARE) -> str:
    """The board as one SVG document; ``size`` is the side of a square in pixels.

    Every piece is an element with data-square, data-code, data-side and, where it is one,
    data-promoted; every kind in a hand one with data-hand, data-code and data-count. The same board
    gives the same bytes.

    >>> 'width="502" height="502"' in board_svg(Board(9, 9, ()))
    True
    """
    surface = _surface(board, printed=printed)
    layout = _layout(board)
    zoom = size / SQUARE
    return "".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" role="img" '
            f'width="{short(layout.wide * zoom)}" height="{short(layout.high * zoom)}" '
            f'viewBox="0 0 {short(layout.wide)} {short(layout.high)}">',
            f"<title>{escaped(board.title or 'a board')}</title>",
            f"<desc>{escaped(board.words(), 20_000)}</desc>",
            f'<rect width="{short(layout.wide)}" height="{short(layout.high)}" '
            f'fill="{surface.paper}"/>',
            *_title(board, layout, surface),
            *_squares(board, layout, surface),
            *_marks(board, layout, surface),
            *_labels(board, layout, surface),
            *_pieces(board, layout, surface),
            *_hand(board, 0, layout, surface),
            *_hand(board, 1, layout, surface),
            "</svg>",
        ]
    )


def _surface(board: Board, *, printed: bool) -> Surface:
    if board.coordinates == "chess":
        return PRINT_CHESS if printed else CHESS_BOARD
    return PRINT_SHOGI if printed else SHOGI_BOARD


def _layout(board: Board) -> _Layout:
    rows = max(1, (board.ranks * SQUARE - HELD) // HELD)
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


def _corner(board: Board, layout: _Layout, square: Square) -> tuple[float, float]:
    """The upper left corner of a square."""
    file, rank = square
    return layout.left + file * SQUARE, layout.top + (board.ranks - 1 - rank) * SQUARE


def _title(board: Board, layout: _Layout, surface: Surface) -> Iterator[str]:
    if board.title:
        text = fitted(board.title, 22, layout.wide - 2 * GAP, "bold")
        ink = f' fill="{surface.ink}"'
        middle = layout.wide / 2
        yield text_path(text, 22, "middle", x=middle, y=34, face="bold", attributes=ink).svg


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


def _labels(board: Board, layout: _Layout, surface: Surface) -> Iterator[str]:
    """Files above and ranks on the right in shogi; below and on the left in chess."""
    chess = board.coordinates == "chess"
    ink = f' fill="{surface.ink}"'
    bottom = layout.top + board.ranks * SQUARE
    y = bottom + 18 if chess else layout.top - 8
    for file, label in enumerate(board.file_labels()):
        x = layout.left + (file + 0.5) * SQUARE
        yield text_path(label, LABEL, "middle", x=x, y=y, attributes=ink).svg
    x = layout.left - 12 if chess else layout.left + board.files * SQUARE + 12
    for row, label in enumerate(board.rank_labels()):
        y = layout.top + (row + 0.5) * SQUARE + 5
        yield text_path(label, LABEL, "middle", x=x, y=y, attributes=ink).svg


def _pieces(board: Board, layout: _Layout, surface: Surface) -> Iterator[str]:
    for standing in board.pieces:
        x, y = _corner(board, layout, standing.square)
        yield placed(
            standing.token,
            standing.side,
            x + SQUARE / 2,
            y + SQUARE / 2,
            SQUARE * 0.96,
            surface.paint,
            f' data-square="{board.name(standing.square)}"',
        )


def _hand(board: Board, side: int, layout: _Layout, surface: Surface) -> Iterator[str]:
    """A hand from the owner's side of the board: the second side's from the top down."""
    if not layout.columns[side]:
        return
    high = board.ranks * SQUARE
    rows = max(1, (high - HELD) // HELD)
    left = EDGE / 2 if side else layout.left + board.files * SQUARE + EDGE + (GAP - EDGE / 2)
    # The first side's hand ends at the bottom; a hand of several columns fills them downwards.
    used = min(rows, len(board.hands[side]))
    top = layout.top if side else layout.top + high - HELD * (used + 1)
    yield from _turn(board, side, left, top + HELD / 2, surface)
    for number, held in enumerate(board.hands[side]):
        column, row = divmod(number, rows)
        x = left + column * HAND + HELD / 2
        yield from _held(held, side, x, top + HELD * (row + 1.5), surface)


def _turn(board: Board, side: int, left: float, y: float, surface: Surface) -> Iterator[str]:
    """The name of a side, with a mark when it is to move."""
    ink = f' fill="{surface.ink}"'
    name = fitted(board.sides[side], 13, HAND - 22)
    if board.turn == side:
        start = f"M{short(left + 2)} {short(y - 6)}"
        yield f'<path data-turn="{SIDES[side]}"{ink} d="{start}l10 6l-10 6z"/>'
    yield text_path(name, 13, x=left + 16, y=y + 5, attributes=ink).svg


def _held(held: Held, side: int, x: float, y: float, surface: Surface) -> Iterator[str]:
    data = f' data-hand="{SIDES[side]}" data-count="{held.number}"'
    yield placed(held.token, side, x, y, HELD * 0.94, surface.paint, data)
    if held.number > 1:
        ink = f' fill="{surface.ink}"'
        count = f"×{held.number}"
        yield text_path(count, 16, x=x + HELD / 2 + 2, y=y + 6, face="bold", attributes=ink).svg
