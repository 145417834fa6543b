"""A sheet of pieces as SVG: cards in rows, pairs of promotion in one frame, one legend for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from alfil.diagrams.diagram_svg import (
    HALF,
    SQUARE,
    LegendColumn,
    Lettering,
    Place,
    Row,
    board,
    legend_rows,
)
from alfil.diagrams.elements import STROKED, Panel, group
from alfil.diagrams.glyphs import Face, fitted, short, text_path, wrapped
from alfil.diagrams.pieces import escaped, paint_for, placed
from alfil.diagrams.signs import common_legend, kinds_of, notes
from alfil.diagrams.subjects import LONGEST_DESCRIPTION, Card, LineKind, Sheet
from alfil.diagrams.themes import DEFAULT, Theme

CARD = 236
PAD = 12
ARROW = 24
GAP = 12
TOKEN = 54
BOARD = 204
TITLE = 54
TITLE_TEXT = 26
LEGEND_COLUMN = 330
LEGEND = Lettering(13, 17, 11, 17, 14, 36)
FEWEST_COLUMNS, MOST_COLUMNS = 3, 7


class _Text(NamedTuple):
    """Words on a card: how they look, the role of their colour, and how many lines at most."""

    words: str
    size: float
    face: Face
    role: str
    most: int


class _Drawn(NamedTuple):
    """A card that is laid out: its lines with the roles of their colours, the top of its board.

    ``tall`` is how high the boards of its row are, ``scale`` how large all of the sheet are drawn.
    """

    card: Card
    lines: tuple[tuple[str, str], ...]
    board: float
    tall: float
    scale: float


def columns_for(cards: int) -> int:
    """How many cards a row has room for, so that the sheet is about as wide as high, or less.

    >>> columns_for(2), columns_for(9), columns_for(30), columns_for(300)
    (2, 3, 5, 7)
    """
    square = int(cards**0.5 + 0.5)
    return max(1, min(cards, max(FEWEST_COLUMNS, min(MOST_COLUMNS, square))))


def panel(sheet: Sheet, theme: Theme = DEFAULT, *, legend: bool = True) -> Panel:
    """The whole sheet, to be placed in a document; every piece has data-piece, its code."""
    rows = list(_rows(sheet, sheet.columns or columns_for(len(sheet.cards))))
    width = GAP + max((sum(map(_wide, row)) for row in rows), default=LEGEND_COLUMN)
    title = fitted(sheet.title, TITLE_TEXT, width - 2 * GAP, "bold") if sheet.title else ""
    heading = text_path(title, TITLE_TEXT, x=GAP, y=38, face="bold")
    parts = [group("ink", theme, heading)] if title else []
    top: float = TITLE if title else GAP
    scale = min((_scale_for(card) for card in sheet.cards), default=1)
    for row in rows:
        drawn, high = _drawn_row(row, top, scale, theme)
        parts.append(drawn)
        top += high + GAP
    words, end = _legend(sheet, theme, top, width) if legend else ("", top)
    return Panel(width, end, "".join([*parts, words]))


def _wide(cards: Sequence[object]) -> int:
    """How much room a group takes, with the gap after it."""
    return len(cards) * (CARD + ARROW) - ARROW + GAP


def _rows(sheet: Sheet, columns: int) -> Iterator[list[tuple[Card, ...]]]:
    """Groups that go side by side; one that is too long for a row goes on in the next."""
    row: list[tuple[Card, ...]] = []
    used = 0
    for cards in sheet.groups:
        for start in range(0, len(cards), columns):
            part = cards[start : start + columns]
            if row and used + len(part) > columns:
                yield row
                row, used = [], 0
            row.append(part)
            used += len(part)
    if row:
        yield row


def _extent(card: Card) -> tuple[float, float, float]:
    """How wide and high a board is before it is scaled, and the edge that arrows go over."""
    window = card.diagram.marks.window
    edge = HALF if card.diagram.lines.exits else 2
    return window.width * SQUARE + 2 * edge, window.height * SQUARE + 2 * edge, edge


def _scale_for(card: Card) -> float:
    """How large a board may be drawn on a card; the least is for all of a sheet."""
    wide, high, _ = _extent(card)
    return min(1, BOARD / max(wide, high))


def _drawn_row(
    row: Sequence[tuple[Card, ...]], top: float, scale: float, theme: Theme
) -> tuple[str, float]:
    """The groups of a row, boards in line, and how high it is."""
    cards = [card for group in row for card in group]
    tall = max(_extent(card)[1] for card in cards) * scale
    beside = [_column(_beside(card), PAD + TOKEN + 8, PAD) for card in cards]
    board = max([PAD + TOKEN, *(low + 4 for _, low in beside)]) + 8
    below = [_column(_below(card), PAD, board + tall + 8) for card in cards]
    high = max([board + tall, *(low for _, low in below)]) + PAD
    drawn = (
        _Drawn(card, (*first, *second), board, tall, scale)
        for card, (first, _), (second, _) in zip(cards, beside, below, strict=True)
    )
    parts: list[str] = []
    left: float = GAP
    for each in row:
        parts.append(_group([*islice(drawn, len(each))], left, top, high, theme))
        left += _wide(each)
    return "".join(parts), high


def _beside(card: Card) -> Iterator[_Text]:
    """The texts beside the piece."""
    yield _Text(card.name, 15, "bold", "ink", 3)
    if card.token.name:
        yield _Text(card.token.code, 12, "mono", "quiet", 1)
    for remark in card.remarks:
        yield _Text(remark, 12, "sans", "quiet", 3)


def _below(card: Card) -> Iterator[_Text]:
    """The texts below the board."""
    for number, notation in enumerate(card.notations):
        yield _Text(notation, 13, "mono", "quiet" if number else "ink", 4)
    for note in notes(card.diagram.marks):
        yield _Text(note, 12, "sans", "quiet", 3)
    if card.note:
        yield _Text(f"Note: {card.note}", 12, "sans", "ink", 12)


def _column(texts: Iterator[_Text], x: float, y: float) -> tuple[list[tuple[str, str]], float]:
    """Texts one below another, wrapped to the card's width; their lines, and the lowest of them."""
    room = CARD - PAD - x
    found: list[tuple[str, str]] = []
    low = 0.0
    for words, size, face, role, most in texts:
        lines = wrapped(words[:2000], size, room, face)
        if len(lines) > most:
            lines = (*lines[: most - 1], fitted(lines[most - 1] + " …", size, room, face))
        for line in lines:
            y += size * 1.3
            low = y - 3
            found.append((role, text_path(line, size, x=x, y=low, face=face)))
        y += 3
    return found, low


def _group(cards: Sequence[_Drawn], left: float, top: float, high: float, theme: Theme) -> str:
    """Cards in one frame, an arrow from each to the next."""
    width = _wide(cards) - GAP
    frame = f"M{short(left + 6)} {short(top)}h{width - 12}q6 0 6 6v{short(high - 12)}q0 6-6 6"
    frame += f"h-{width - 12}q-6 0-6-6v-{short(high - 12)}q0-6 6-6z"
    parts = [group("grid", theme, f'<path{STROKED} stroke-width="1.5" d="{frame}"/>')]
    for number, drawn in enumerate(cards):
        x = left + number * (CARD + ARROW)
        parts.append(_card(drawn, x, top, theme))
        if number:
            y = top + drawn.board + drawn.tall / 2
            arrow = f"M{short(x - ARROW - 2)} {short(y)}h26m-9-9l9 9l-9 9"
            parts.append(group("ink", theme, f'<path{STROKED} stroke-width="3.5" d="{arrow}"/>'))
    return "".join(parts)


def _card(drawn: _Drawn, left: float, top: float, theme: Theme) -> str:
    card = drawn.card
    paint = paint_for(theme.name)
    middle = PAD + TOKEN / 2
    piece = placed(card.token, 0, middle, middle, TOKEN, paint)
    words = ""
    for role in ("ink", "quiet"):
        lines = [line for colour, line in drawn.lines if colour == role]
        words += group(role, theme, *lines)
    inner = f"{piece}\n{_board(drawn, theme)}{words}"
    place = f"translate({short(left)} {short(top)})"
    told = f"<desc>{escaped(card.words(), LONGEST_DESCRIPTION)}</desc>"
    code = escaped(card.token.code)
    return f'<g data-piece="{code}" transform="{place}">{told}\n{inner}</g>\n'


def _board(laid: _Drawn, theme: Theme) -> str:
    """The diagram, its squares as large as all on the sheet; arrows go over its edge."""
    wide, high, edge = _extent(laid.card)
    left = (CARD - wide * laid.scale) / 2
    top = laid.board + (laid.tall - high * laid.scale) / 2
    window = laid.card.diagram.marks.window
    drawn = board(laid.card.diagram, Place(window, edge, edge), theme)
    place = f"translate({short(left)} {short(top)}) scale({short(laid.scale, 4)})"
    return f'<g transform="{place}">\n{drawn}</g>\n'


def _legend(sheet: Sheet, theme: Theme, top: float, width: float) -> tuple[str, float]:
    """The signs of all pieces in columns, and where the sheet ends."""
    columns = max(1, int((width - 2 * GAP) // LEGEND_COLUMN))
    diagrams = [card.diagram for card in sheet.cards]
    legend, slides = common_legend(diagrams)
    kinds = tuple(sorted(kinds_of(diagrams) - {LineKind.PATH}))
    rows = list(legend_rows(tuple(legend), kinds, diagrams[0].token if diagrams else ""))
    if slides:
        line = '<path stroke-width="4" d="M-13 0h26"/>'
        rows.append(Row("a line: the squares along it must be empty", (("path", line),)))
    column = LegendColumn(LEGEND, 0, top, min(LEGEND_COLUMN - GAP, width - 2 * GAP))
    long = -(-len(rows) // columns)
    ends = [top]
    for number in range(columns):
        column.x, column.y = GAP + number * LEGEND_COLUMN, top + 8
        for row in rows[number * long : (number + 1) * long]:
            column.row(row)
        ends.append(column.y)
    return column.drawn(theme), max(ends) + GAP
