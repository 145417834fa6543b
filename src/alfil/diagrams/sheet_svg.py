"""A sheet of pieces as SVG: cards in rows, pairs of promotion in one frame, one legend for all.

All squares of a sheet have one size, and boards have two: a small one for pieces that go no farther
than to the squares around them, and one for the others, so that pieces can be compared. Where most
are small, a small board fills a card, and a large one a card half as wide again; else large boards
fill cards. Boards that are larger still take more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import islice
from math import ceil
from typing import NamedTuple

from alfil.diagrams.diagram_model import Card, LineKind, Sheet, open_window, shortened_with_digest
from alfil.diagrams.diagram_svg import (
    HALF,
    SQUARE,
    BoardPlacement,
    LegendColumn,
    LegendRow,
    LegendStyle,
    board_drawing,
    legend_rows,
    region_legend_rows,
)
from alfil.diagrams.legend import (
    line_kinds_of_diagrams,
    notes_beyond_signs,
    shared_legend_and_slide_note,
)
from alfil.diagrams.piece_figures import escaped, palette_for, positioned_piece
from alfil.diagrams.square_marks import RIDER_RADIUS
from alfil.diagrams.svg_elements import STROKE_ATTRIBUTES, Panel, group_in_role
from alfil.diagrams.text_outlines import Face, short, text_path, truncated, wrapped
from alfil.diagrams.themes import DEFAULT, Theme

CARD_WIDTH = 236
CARD_PADDING = 12
CARD_GAP = 12
TOKEN_WIDTH = 54
BOARD_WIDTH = 204
# The least room beside a board in its card; arrows are inside of what a board measures.
BOARD_MARGIN = 4
# How far the squares of a small board are from the piece, and how wide such boards are; the widest
# of the others that is no exception.
SMALL_BOARD_RADIUS = 2
SMALL_BOARD_WIDTH = (2 * SMALL_BOARD_RADIUS + 1) * SQUARE + 2 * HALF
MAX_BOARD_WIDTH = 9 * SQUARE + 2 * HALF
# Cards are so wide, or more by halves of that.
HALF_CARD_WIDTH = (CARD_WIDTH + CARD_GAP) // 2
TITLE_HEIGHT = 54
TITLE_TEXT = 26
# Where a notation begins after its name.
NOTATION_INDENT = 50
LEGEND_COLUMN_WIDTH = 330
LEGEND_STYLE = LegendStyle(13, 17, 11, 17, 14, 36)
MIN_COLUMNS, MAX_COLUMNS = 3, 7


class _SheetStyle(NamedTuple):
    """What the cards of a sheet have in common; ``scale`` is for their boards."""

    theme: Theme
    scale: float
    sentence: bool


class _CardTextBlock(NamedTuple):
    """Words on a card: how they look, the role of their colour, how many lines at most.

    None are as many lines as it takes. ``name`` says what they are, and stands before them.
    """

    words: str
    size: float
    face: Face
    role: str
    most: int | None
    name: str = ""


class _CardLayout(NamedTuple):
    """A card that is laid out: its lines with the roles of their colours, the top of its board."""

    card: Card
    lines: tuple[tuple[str, str], ...]
    board: float


def half_columns_per_row(groups: Sequence[Sequence[int]]) -> int:
    """How many half places a row has, by those that the cards of each group take.

    So many that the sheet is about as wide as high, or a few more where fewer places stay empty.

    >>> [half_columns_per_row([[2]] * groups) for groups in (2, 9, 300)]
    [4, 6, 14]
    """
    places = -(-sum(map(sum, groups)) // 2)
    square = max(MIN_COLUMNS, min(MAX_COLUMNS, int(places**0.5 + 0.5)))
    columns = (2 * max(1, min(places, MAX_COLUMNS, each)) for each in range(square, square + 3))
    return min(columns, key=lambda each: each * len([*_card_rows(groups, each)]))


def panel(
    sheet: Sheet, theme: Theme = DEFAULT, *, sentence: bool = True, legend: bool | None = None
) -> Panel:
    """The whole sheet, to be placed in a document; every piece has data-piece, its code.

    ``sentence`` is whether cards say how the pieces move. Signs are explained unless ``legend`` is
    false.
    """
    sheet = unify_windows_to_two_sizes(sheet)
    style = _SheetStyle(theme, min(1, BOARD_WIDTH / _board_width_filling_card(sheet)), sentence)
    # A number of columns that is asked for is one of pieces.
    groups = [
        [1 if sheet.columns else _half_column_span(card, style) for card in group]
        for group in sheet.groups
    ]
    cards = sheet.cards
    rows = [
        [[cards[number] for number in part] for part in row]
        for row in _card_rows(groups, sheet.columns or half_columns_per_row(groups))
    ]
    width = CARD_GAP + max(
        (sum(_group_width(each, style) for each in row) for row in rows), default=BOARD_WIDTH
    )
    title = truncated(sheet.title, TITLE_TEXT, width - 2 * CARD_GAP, "bold") if sheet.title else ""
    heading = text_path(title, TITLE_TEXT, x=CARD_GAP, y=38, face="bold")
    parts = [group_in_role("ink", theme, heading)] if title else []
    top: float = TITLE_HEIGHT if title else CARD_GAP
    for row in rows:
        drawing, high = _row_drawing(row, top, style)
        parts.append(drawing)
        top += high + CARD_GAP
    words, end = _sheet_legend(sheet, theme, top, width) if legend is not False else ("", top)
    return Panel(width, end, "".join([*parts, words]))


def unify_windows_to_two_sizes(sheet: Sheet) -> Sheet:
    """The sheet with windows of two sizes, but for pieces that need more than a rook.

    Squares are added around pieces that go only so far: up to the small window, or up to what
    another piece needs.
    """
    marks = [card.diagram.marks for card in sheet.cards]
    radius = max((each.window.north for each in marks if not each.window.ranks), default=0)
    far = open_window(min(radius, RIDER_RADIUS))
    near = open_window(min(radius, SMALL_BOARD_RADIUS))

    def widened(card: Card) -> Card:
        own = card.diagram.marks
        window = near if own.window.north <= near.north else far
        if own.arrows or own.window.ranks or own.window.north >= window.north:
            return card
        marks = replace(own, window=window)
        return card._replace(diagram=replace(card.diagram, marks=marks))

    return replace(sheet, groups=tuple(tuple(map(widened, group)) for group in sheet.groups))


def common_board_width(sheet: Sheet) -> int:
    """How wide the boards are that take one place, before they are scaled."""
    return max(
        (min(_board_extent(card)[0], MAX_BOARD_WIDTH) for card in sheet.cards),
        default=MAX_BOARD_WIDTH,
    )


def _board_width_filling_card(sheet: Sheet) -> int:
    """How wide the boards are that fill a card, before they are scaled: small ones if most are."""
    widths = [_board_extent(card)[0] for card in sheet.cards]
    near = sum(each <= SMALL_BOARD_WIDTH for each in widths)
    return SMALL_BOARD_WIDTH if 2 * near > len(widths) > near else common_board_width(sheet)


def _board_extent(card: Card) -> tuple[int, int]:
    """How wide and high a board is before it is scaled, with the edge that arrows go over."""
    window = card.diagram.marks.window
    return window.width * SQUARE + 2 * HALF, window.height * SQUARE + 2 * HALF


def _half_column_span(card: Card, style: _SheetStyle) -> int:
    """How many half places of a row a card takes."""
    return max(
        2,
        ceil(
            (_board_extent(card)[0] * style.scale + 2 * BOARD_MARGIN + CARD_GAP) / HALF_CARD_WIDTH
        ),
    )


def _card_width(card: Card, style: _SheetStyle) -> int:
    """How wide a card is."""
    return _half_column_span(card, style) * HALF_CARD_WIDTH - CARD_GAP


def _group_width(cards: Iterable[Card], style: _SheetStyle) -> int:
    """How much room a group takes, with the gap after it."""
    return sum(_card_width(card, style) + CARD_GAP for card in cards)


def _card_rows(groups: Sequence[Sequence[int]], columns: int) -> Iterator[list[range]]:
    """The groups that go side by side, by the numbers of their cards and the places those take.

    A group that is too long for a row goes on in the next.
    """
    row: list[range] = []
    used = number = 0
    for places in groups:
        for part in _cut_group_into_rows(places, columns):
            if row and used + sum(part) > columns:
                yield row
                row, used = [], 0
            row.append(range(number, number + len(part)))
            number += len(part)
            used += sum(part)
    if row:
        yield row


def _cut_group_into_rows(places: Sequence[int], columns: int) -> Iterator[Sequence[int]]:
    """A group cut into parts that go into a row each."""
    start = 0
    for end in range(1, len(places) + 1):
        if end == len(places) or sum(places[start : end + 1]) > columns:
            yield places[start:end]
            start = end


def _row_drawing(
    row: Sequence[Sequence[Card]], top: float, style: _SheetStyle
) -> tuple[str, float]:
    """The groups of a row, their boards beginning in line, and how high it is."""
    cards = [card for each in row for card in each]
    beside = [
        _text_column(
            _texts_beside_piece(card), card, CARD_PADDING + TOKEN_WIDTH + 8, CARD_PADDING, style
        )
        for card in cards
    ]
    board = max([CARD_PADDING + TOKEN_WIDTH, *(low + 4 for _, low in beside)]) + 8
    below = [
        _text_column(
            _texts_below_board(card, style),
            card,
            CARD_PADDING,
            board + _board_extent(card)[1] * style.scale + 8,
            style,
        )
        for card in cards
    ]
    high = max(low for _, low in below) + CARD_PADDING
    drawing = (
        _CardLayout(card, (*first, *second), board)
        for card, (first, _), (second, _) in zip(cards, beside, below, strict=True)
    )
    parts: list[str] = []
    left = CARD_GAP
    for each in row:
        parts.append(_framed_group_drawing([*islice(drawing, len(each))], left, top, high, style))
        left += _group_width(each, style)
    return "".join(parts), high


def _texts_beside_piece(card: Card) -> Iterator[_CardTextBlock]:
    """The texts beside the piece."""
    yield _CardTextBlock(card.name, 15, "bold", "ink", 3)
    if card.token.name:
        yield _CardTextBlock(card.token.code, 12, "mono", "quiet", 1)
    for remark in card.remarks:
        yield _CardTextBlock(remark, 12, "sans", "quiet", 3)


def _texts_below_board(card: Card, style: _SheetStyle) -> Iterator[_CardTextBlock]:
    """The texts below the board."""
    for name, notation in card.notations:
        yield _CardTextBlock(notation, 13, "mono", "ink", 4, name)
    if style.sentence:
        yield _CardTextBlock(card.diagram.sentence, 12, "sans", "ink", None)
    for note in () if style.sentence else notes_beyond_signs(card.diagram):
        yield _CardTextBlock(note, 12, "sans", "quiet", 3)
    if card.note:
        yield _CardTextBlock(f"Note: {card.note}", 12, "sans", "ink", 12)


def _text_column(
    texts: Iterator[_CardTextBlock], card: Card, x: float, y: float, style: _SheetStyle
) -> tuple[list[tuple[str, str]], float]:
    """Texts one below another, wrapped to the card's width; their lines, and the lowest of them."""
    result: list[tuple[str, str]] = []
    low = y
    for words, size, face, role, most, name in texts:
        left = x + NOTATION_INDENT if name else x
        room = _card_width(card, style) - CARD_PADDING - left
        lines = wrapped(shortened_with_digest(words), size, room, face)
        if most and len(lines) > most:
            lines = (*lines[: most - 1], truncated(lines[most - 1] + " …", size, room, face))
        if name:
            result.append(("quiet", text_path(name, 12, x=x, y=y + size * 1.3 - 3)))
        for line in lines:
            y += size * 1.3
            low = y - 3
            result.append((role, text_path(line, size, x=left, y=low, face=face)))
        y += 3
    return result, low


def _framed_group_drawing(
    cards: Sequence[_CardLayout], left: float, top: float, high: float, style: _SheetStyle
) -> str:
    """Cards in one frame, an arrow from the first to the forms it promotes to."""
    theme = style.theme
    width = _group_width((each.card for each in cards), style) - CARD_GAP
    frame = f"M{short(left + 6)} {short(top)}h{width - 12}q6 0 6 6v{short(high - 12)}q0 6-6 6"
    frame += f"h-{width - 12}q-6 0-6-6v-{short(high - 12)}q0-6 6-6z"
    parts = [
        group_in_role("grid", theme, f'<path{STROKE_ATTRIBUTES} stroke-width="1.5" d="{frame}"/>')
    ]
    x = left
    for number, drawing in enumerate(cards):
        parts.append(_card_drawing(drawing, x, top, style))
        if number == 1 and not cards[0].card.token.promoted:
            y = top + drawing.board + _board_extent(drawing.card)[1] * style.scale / 2
            arrow = f"M{short(x - CARD_GAP / 2 - 13)} {short(y)}h26m-9-9l9 9l-9 9"
            parts.append(
                group_in_role(
                    "ink", theme, f'<path{STROKE_ATTRIBUTES} stroke-width="3.5" d="{arrow}"/>'
                )
            )
        x += _card_width(drawing.card, style) + CARD_GAP
    return "".join(parts)


def _card_drawing(card_layout: _CardLayout, left: float, top: float, style: _SheetStyle) -> str:
    card, theme = card_layout.card, style.theme
    paint = palette_for(theme.name)
    middle = CARD_PADDING + TOKEN_WIDTH / 2
    piece = positioned_piece(card.token, 0, middle, middle, TOKEN_WIDTH, paint)
    words = ""
    for role in ("ink", "quiet"):
        lines = [line for colour, line in card_layout.lines if colour == role]
        words += group_in_role(role, theme, *lines)
    inner = f"{piece}\n{_card_board(card_layout, style)}{words}"
    place = f"translate({short(left)} {short(top)})"
    description = f"<desc>{escape(shortened_with_digest(card.words()))}</desc>"
    code = escaped(card.token.code)
    return f'<g data-piece="{code}" transform="{place}">{description}\n{inner}</g>\n'


def _card_board(layout: _CardLayout, style: _SheetStyle) -> str:
    """The diagram, its squares as large as all on the sheet; arrows go over its edge."""
    drawing = card_board(layout.card, style.theme)
    left = (_card_width(layout.card, style) - drawing.width * style.scale) / 2
    place = f"translate({short(left)} {short(layout.board)}) scale({short(style.scale, 4)})"
    return f'<g transform="{place}">\n{drawing.body}</g>\n'


def card_board(card: Card, theme: Theme) -> Panel:
    """The diagram of a card, with room around it for arrows."""
    marks = card.diagram.marks
    place = BoardPlacement(marks.window, HALF, HALF, marks.coordinates)
    return Panel(*_board_extent(card), board_drawing(card.diagram, place, theme))


def _sheet_legend(sheet: Sheet, theme: Theme, top: float, width: float) -> tuple[str, float]:
    """The signs of all pieces in columns, and where the sheet ends."""
    columns = max(1, int((width - 2 * CARD_GAP) // LEGEND_COLUMN_WIDTH))
    room = min(LEGEND_COLUMN_WIDTH - CARD_GAP, width - 2 * CARD_GAP)
    column = LegendColumn(LEGEND_STYLE, CARD_GAP, top + 8, room)
    column.add_rows_in_columns([*sheet_legend_rows(sheet)], columns, LEGEND_COLUMN_WIDTH)
    return column.svg(theme), column.y + CARD_GAP


def sheet_legend_rows(sheet: Sheet) -> Iterator[LegendRow]:
    """The legend of a sheet, row by row."""
    diagrams = [card.diagram for card in sheet.cards]
    legend, slides = shared_legend_and_slide_note(diagrams)
    kinds = tuple(sorted(line_kinds_of_diagrams(diagrams) - {LineKind.PATH}))
    yield from legend_rows(tuple(legend), kinds, diagrams[0].token if diagrams else "")
    if any(each.marks.regions for each in diagrams):
        yield from region_legend_rows(["the area that its words tell of"])
    if slides:
        line = '<path stroke-width="4" d="M-13 0h26"/>'
        yield LegendRow(f"a line: the squares along it {slides}", (("path", line),))
