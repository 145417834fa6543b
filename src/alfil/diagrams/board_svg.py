"""A board of a game as SVG: pieces where they stand, hands at the sides, the last move marked.

The first side sits at the bottom, its hand on the right; the second side's hand is on the left. A
square of the last move has a tint and a frame, so that it is seen in grey too. Regions have lines
around them, each with dashes of its own, which are explained below the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from alfil.diagrams.board_ground import ground_svg, is_region_shown_by_ground, surface_colours
from alfil.diagrams.diagram_model import SIDES, Board, Ground, HandPieceCount, Square
from alfil.diagrams.piece_figures import escaped, palette_for, positioned_piece
from alfil.diagrams.svg_elements import REGION_DASHES, Panel, group_in_role, region_outline_path
from alfil.diagrams.text_outlines import short, text_path, truncated
from alfil.diagrams.themes import DEFAULT, Theme

SQUARE = 50
MARGIN = 26
HAND_PIECE_SIZE = 44
HAND_COLUMN_WIDTH = 84
PADDING = 10
TITLE_HEIGHT = 40
LABEL_TEXT_SIZE = 14
TITLE_TEXT_SIZE = 22
LEGEND_ROW_HEIGHT, LEGEND_SAMPLE_WIDTH = 22, 34


def panel(board: Board, theme: Theme = DEFAULT) -> Panel:
    """The board and all around it, to be placed in a document.

    Every piece is an element with data-square, data-code, data-side and, where it is one,
    data-promoted; every kind in a hand one with data-hand, data-code and data-count.
    """
    drawing = _BoardDrawing(board, theme)
    body = [drawing.ground(), *drawing.walls(), *drawing.last_move_marks()]
    body += [*drawing.regions(), *drawing.pieces()]
    words = group_in_role("ink", theme, *drawing.all_texts())
    return Panel(drawing.wide, drawing.high, "".join(body) + "\n" + words)


def square_centre_function(
    board: Board, theme: Theme = DEFAULT
) -> Callable[[Square], tuple[float, float]]:
    """The function that has the middle of each square in the picture of a board."""
    return _BoardDrawing(board, theme).square_centre


class _BoardDrawing:
    """A board laid out: its corner is at ``left`` and ``top``, its hands are in columns beside."""

    def __init__(self, board: Board, theme: Theme) -> None:
        self._board = board
        self._ground = board.ground or Ground("wood" if board.coordinates == "shogi" else "squares")
        self._surface = surface_colours(self._ground.kind, theme)
        self._paint = palette_for(theme.name)
        # How many kinds of piece have room in one column of a hand, under its owner's name.
        self._rows = max(1, (board.ranks * SQUARE - HAND_PIECE_SIZE) // HAND_PIECE_SIZE)
        self._has_hands = any(board.hands) or board.turn is not None
        right, left = (
            MARGIN + max(-(-len(hand) // self._rows), 1) * HAND_COLUMN_WIDTH + PADDING
            if self._has_hands
            else MARGIN
            for hand in board.hands
        )
        self._left, self._top = left, MARGIN + (TITLE_HEIGHT if board.title else 0)
        self._across, self._down = board.files * SQUARE, board.ranks * SQUARE
        self.wide = left + self._across + right
        size = board.files, board.ranks
        shown = [
            each
            for each in board.regions
            if not is_region_shown_by_ground(self._ground, each, size)
        ]
        self._outlined = list(zip(shown, REGION_DASHES, strict=False))
        self.high = self._top + self._down + MARGIN + LEGEND_ROW_HEIGHT * len(self._outlined)

    def square_corner(self, square: Square) -> tuple[int, int]:
        """The upper left corner of a square."""
        file, rank = square
        return self._left + file * SQUARE, self._top + (self._board.ranks - 1 - rank) * SQUARE

    def ground(self) -> str:
        """The squares or lines of the board."""
        board = self._board
        drawn = ground_svg(self._ground, board.files, board.ranks, SQUARE, self._surface)
        return f'<g transform="translate({self._left} {self._top})">{drawn}</g>'

    def last_move_marks(self) -> Iterator[str]:
        """The squares of the last move."""
        for square in self._board.marked:
            x, y = self.square_corner(square)
            yield (
                f'<rect data-marked="{self._board.name(square)}" x="{x + 2}" y="{y + 2}" '
                f'width="{SQUARE - 4}" height="{SQUARE - 4}" fill="{self._surface.mark}" '
                f'stroke="{self._surface.line}" stroke-width="2" stroke-dasharray="7 4"/>'
            )

    def regions(self) -> Iterator[str]:
        """The lines around regions, and what the legend shows of them."""
        for number, (region, dashes) in enumerate(self._outlined):
            sides = dict.fromkeys(region.squares)
            lines = "".join(
                region_outline_path(squares, number, SQUARE, self.square_centre, self._is_on_board)
                for squares in sides
            )
            sample = f"M{self._left} {self._legend_y(number)}h{LEGEND_SAMPLE_WIDTH}"
            style = f'stroke="{self._surface.line}" stroke-width="2" stroke-dasharray="{dashes}"'
            for path in (lines, sample):
                yield f'<path data-region="{escaped(region.name)}" fill="none" {style} d="{path}"/>'

    def _legend_y(self, number: int) -> int:
        """How far down a line of the legend is."""
        return self._top + self._down + MARGIN + LEGEND_ROW_HEIGHT * number + LEGEND_ROW_HEIGHT // 2

    def square_centre(self, square: Square) -> tuple[float, float]:
        x, y = self.square_corner(square)
        return x + SQUARE / 2, y + SQUARE / 2

    def _is_on_board(self, square: Square) -> bool:
        """Whether a square is one of the board."""
        return 0 <= square[0] < self._board.files and 0 <= square[1] < self._board.ranks

    def walls(self) -> Iterator[str]:
        """The squares that are none, or are walled up."""
        for square in self._board.walls:
            x, y = self.square_corner(square)
            yield (
                f'<rect data-wall="{self._board.name(square)}" x="{x}" y="{y}" '
                f'width="{SQUARE}" height="{SQUARE}" fill="{self._surface.line}"/>'
            )

    def pieces(self) -> Iterator[str]:
        """The pieces on the board and in the hands."""
        for square, side, token, others in self._board.pieces:
            x, y = self.square_centre(square)
            size = SQUARE
            if others:
                yield self._footprint_frame((square, *others))
                # It is drawn in the middle of all, as large as there is room.
                far = self.square_centre(others[-1])
                size += int(min(abs(far[0] - x), abs(far[1] - y)))
                x, y = (x + far[0]) / 2, (y + far[1]) / 2
            data = f' data-square="{self._board.name(square)}"'
            yield positioned_piece(token, side, x, y, size * 0.96, self._paint, data)
        for side, name in enumerate(SIDES):
            for held, x, y in self._hand_layout(side):
                data = f' data-hand="{name}" data-count="{held.number}"'
                yield positioned_piece(
                    held.token, side, x, y, HAND_PIECE_SIZE * 0.94, self._paint, data
                )

    def _footprint_frame(self, squares: tuple[Square, ...]) -> str:
        """A frame around all that a piece takes up."""
        corners = [*map(self.square_corner, squares)]
        (left, top), (right, bottom) = (
            tuple(edge(each[n] for each in corners) for n in (0, 1)) for edge in (min, max)
        )
        names = " ".join(map(self._board.name, squares))
        return (
            f'<rect data-body="{names}" x="{left + 3}" y="{top + 3}" rx="6" '
            f'width="{right - left + SQUARE - 6}" height="{bottom - top + SQUARE - 6}" '
            f'fill="{self._surface.mark}" fill-opacity="0.5" stroke="{self._surface.line}" '
            f'stroke-width="2"/>'
        )

    def _hand_corner(self, side: int) -> tuple[float, float]:
        """The corner of a hand: the second side's is at the top, the first side's at the bottom."""
        if side:
            return MARGIN / 2, self._top
        used = min(self._rows, len(self._board.hands[side]))
        left = self._left + self._across + MARGIN / 2 + PADDING
        return left, self._top + self._down - HAND_PIECE_SIZE * (used + 1)

    def _hand_layout(self, side: int) -> Iterator[tuple[HandPieceCount, float, float]]:
        """What is in a hand, and the middle of each; one column after another, each downwards."""
        left, top = self._hand_corner(side)
        for number, held in enumerate(self._board.hands[side]):
            column, row = divmod(number, self._rows)
            yield (
                held,
                left + column * HAND_COLUMN_WIDTH + HAND_PIECE_SIZE / 2,
                top + HAND_PIECE_SIZE * (row + 1.5),
            )

    def all_texts(self) -> Iterator[str]:
        """All that is written: the title, the coordinates, the names of the sides, the counts."""
        title = self._board.title
        if title:
            text = truncated(title, TITLE_TEXT_SIZE, self.wide - 2 * PADDING, "bold")
            yield text_path(text, TITLE_TEXT_SIZE, "middle", x=self.wide / 2, y=34, face="bold")
        yield from self._coordinates()
        yield from self._region_legend()
        for side in (0, 1) if self._has_hands else ():
            yield from self._side_label(side)
            for held, x, y in self._hand_layout(side):
                if held.number > 1:
                    at = x + HAND_PIECE_SIZE / 2 + 2
                    yield text_path(f"×{held.number}", 16, x=at, y=y + 6, face="bold")

    def _region_legend(self) -> Iterator[str]:
        """The legend, beside its lines."""
        left = self._left + LEGEND_SAMPLE_WIDTH + PADDING
        for number, (region, _) in enumerate(self._outlined):
            name = truncated(region.name, LABEL_TEXT_SIZE, self.wide - left - PADDING)
            yield text_path(name, LABEL_TEXT_SIZE, x=left, y=self._legend_y(number) + 5)

    def _coordinates(self) -> Iterator[str]:
        """Files above and ranks on the right in shogi; below and on the left in chess."""
        chess = self._board.coordinates == "chess"
        y = self._top + self._down + 18 if chess else self._top - 8
        for file, label in enumerate(self._board.file_labels()):
            yield text_path(
                label, LABEL_TEXT_SIZE, "middle", x=self._left + (file + 0.5) * SQUARE, y=y
            )
        x = self._left - 12 if chess else self._left + self._across + 12
        for row, label in enumerate(self._board.rank_labels()):
            middle = self._top + (row + 0.5) * SQUARE + 5
            yield text_path(label, LABEL_TEXT_SIZE, "middle", x=x, y=middle)

    def _side_label(self, side: int) -> Iterator[str]:
        """The name of a side, with a mark when it is to move."""
        left, top = self._hand_corner(side)
        y = top + HAND_PIECE_SIZE / 2
        if self._board.turn == side:
            start = f"M{short(left + 2)} {short(y - 6)}"
            yield f'<path data-turn="{SIDES[side]}" d="{start}l10 6l-10 6z"/>'
        name = truncated(self._board.sides[side], 13, HAND_COLUMN_WIDTH - 22)
        yield text_path(name, 13, x=left + 16, y=y + 5)
