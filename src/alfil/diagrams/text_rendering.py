"""Pictures as text: diagrams, boards of games and sheets, printed by one grid.

Forward is up. Everything is padded by display width, so that columns meet in any language.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product, repeat, zip_longest
from typing import TYPE_CHECKING, Literal, TypeAlias

from alfil.diagrams.diagram_model import (
    Arrow,
    Board,
    Card,
    Diagram,
    Marks,
    NamedRegion,
    Offset,
    PieceToken,
    Sheet,
    Square,
    Subject,
    Window,
)
from alfil.diagrams.example_positions import example_in_signs_of_diagram
from alfil.diagrams.legend import (
    LegendEntry,
    legend_entries,
    needs_legend,
    notes_beyond_signs,
    notes_in_place_of_sentence,
    notes_signs_cannot_show,
    shared_legend_and_slide_note,
    unexplained_signs,
)
from alfil.diagrams.move_continuations import (
    continuations_of_all_exits,
    farthest_limit,
    is_single_step,
)
from alfil.diagrams.signs import (
    ARROW_CHARACTERS,
    ARROW_SIGN,
    ASCII_STYLE,
    EMPTY_SQUARE,
    HOME_SIGN,
    SIGNS,
    UNICODE_STYLE,
    ArrowLabel,
    Sign,
    TextStyle,
    arrow_direction,
    label_of_arrow,
    signs_beside_piece,
    signs_of_mark,
)
from alfil.frozen_dataclasses import NamedTuple
from alfil.source import align_columns, display_width, printable
from alfil.squares import axis_labels

if TYPE_CHECKING:
    from alfil.diagrams.picture import PictureLook
    from alfil.tables.move_generation import PieceMove
    from alfil.tables.smallest_difference import Witness

INDENT = "  "
ASCII_BY_SIGN = str.maketrans({"°": " degrees", "“": '"', "”": '"', "…": "...", "→": "->"})


def rendered(subject: Subject, look: PictureLook) -> str:
    """A picture as text, with all that there is to say about it."""
    return _subject_text(subject, look, UNICODE_STYLE)


def render_ascii(subject: Subject, look: PictureLook) -> str:
    """A picture in ASCII; other characters of the words stand there as numbers."""
    return to_ascii(_subject_text(subject, look, ASCII_STYLE))


def to_ascii(text: str) -> str:
    """A text with signs that have a plain form in that form, and others as numbers."""
    return text.translate(ASCII_BY_SIGN).encode("ascii", "backslashreplace").decode("ascii")


def _subject_text(subject: Subject, look: PictureLook, style: TextStyle) -> str:
    match subject:
        case Diagram():
            blocks = [
                "\n".join(filter(None, subject.label_and_notation)),
                _explained_diagram(subject, look, style),
                "\n".join(wrapped(_closing_words(subject, look))),
            ]
        case Board():
            blocks = [board_text(subject, times="*" if style.ascii else "×")]
        case Sheet():
            blocks = list(_sheet_blocks(subject, style, look))[
                : -1 if look.legend is False else None
            ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _closing_words(diagram: Diagram, look: PictureLook) -> str:
    """What is said below a diagram: how the piece moves, or what its legend leaves out."""
    if look.sentence:
        return diagram.description
    return "" if look.legend is False else " ".join(notes_in_place_of_sentence(diagram))


class TextCell(NamedTuple):
    """What is written on one square, and how many columns that takes; colours take none."""

    text: str
    width: int


def board_grid_lines(
    cells: Mapping[Square, TextCell], gap: str = " ", *, turned: bool = False
) -> list[str]:
    """The squares of a board as lines, the far rank first, or turned by half a turn.

    All cells are as wide as the widest; where there is none, the place stays blank.
    """
    wide = _max_cell_width(cells)
    files, ranks = (range(min(each), max(each) + 1) for each in zip(*cells, strict=True))
    files, ranks = (files[::-1], ranks) if turned else (files, ranks[::-1])
    rows = ((cells.get((file, rank), _EMPTY_CELL) for file in files) for rank in ranks)
    return [gap.join(cell.text + " " * (wide - cell.width) for cell in row) for row in rows]


_EMPTY_CELL = TextCell("", 0)


def _max_cell_width(cells: Mapping[Square, TextCell]) -> int:
    return max(cell.width for cell in cells.values())


def side_by_side(blocks: Sequence[Sequence[str]], gap: str = "    ") -> Iterator[str]:
    """Blocks of lines beside each other."""
    return align_columns([*zip_longest(*blocks, fillvalue="")], gap=gap)


def wrapped(
    text: str, columns: int = UNICODE_STYLE.columns, indent: str = INDENT, first: str | None = None
) -> Iterator[str]:
    """A text as indented lines of at most so many columns; longer words stand alone.

    ``first`` is what the first line begins with, unless it is indented as the others are.
    """
    line, begin = "", indent if first is None else first
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and display_width(longer) > columns - display_width(begin):
            yield begin + line
            longer, begin = word, indent
        line = longer
    if line:
        yield begin + line


def _explained_diagram(diagram: Diagram, look: PictureLook, style: TextStyle) -> str:
    """Board and legend as asked for, or as the diagram needs them."""
    example = example_in_signs_of_diagram(diagram)
    explained = look.legend
    if explained is None:
        explained = needs_legend(diagram, legend_entries(diagram.marks), example)
    return text_diagram(diagram.marks, style, example, explained=explained)


def text_diagram(
    marks: Marks,
    style: TextStyle = UNICODE_STYLE,
    example: Diagram | None = None,
    *,
    explained: bool = True,
) -> str:
    """Board and legend of a diagram, the legend indented like the board.

    An example stands beside the board where there is room, else below it, with what the legend
    does not explain. The legend is left out unless signs are to be ``explained``.
    """
    board = board_lines(marks, style)
    if example:
        second = ["", "  for example:", *board_lines(example.marks, style)]
        if explained:
            caption = _legend_lines(unexplained_signs(example.marks, legend_entries(marks)), style)
            second += ["", *(f"  {line}" for line in caption)]
        beside = [line.rstrip() for line in side_by_side([board, second[1:]])]
        fits = max(map(display_width, beside)) <= style.columns
        board = beside if fits else board + second
    words = ["", *(f"  {line}" for line in legend(marks, style))] if explained else []
    return "\n".join([*board, *words])


def board_lines(marks: Marks, style: TextStyle = UNICODE_STYLE) -> list[str]:
    """The board of a diagram with its signs, no line ending in blanks.

    On a real board ranks have their names on the left and files below, in shogi on the right and
    above.
    """
    cells = _cells_with_arrows(marks, style)
    window = marks.window
    if not window.ranks:
        return [f"  {line.rstrip()}" for line in board_grid_lines(cells)]
    files, ranks = axis_labels(window.width, window.ranks, marks.coordinates)
    margin, wide = max(map(len, ranks)), max(_max_cell_width(cells), *map(len, files)) + 1
    lines = [
        line.rstrip() for line in board_grid_lines(cells, " " * (wide - _max_cell_width(cells)))
    ]
    names_of_files = "".join(f"{name:<{wide}}" for name in files).rstrip()
    if marks.coordinates == "shogi":
        width = wide * window.width
        rows = [line + " " * (width - display_width(line)) for line in lines]
        beside = [f"  {line} {name}" for line, name in zip(rows, reversed(ranks), strict=True)]
        return [f"  {names_of_files}", *beside]
    names = [*reversed(ranks), ""]
    return [
        f"  {name:>{margin}}  {line}"
        for name, line in zip(names, [*lines, names_of_files], strict=True)
    ]


def legend(marks: Marks, style: TextStyle = UNICODE_STYLE) -> list[str]:
    """The signs that a diagram uses, in words; then what signs cannot show."""
    room = style.columns - len(INDENT)
    note_lines = (
        line for note in notes_signs_cannot_show(marks) for line in wrapped(note, room, "")
    )
    swept = (
        [f"{FOOTPRINT_NOTE[style.ascii]}  some part of the piece may come here"]
        if marks.footprint_destinations
        else []
    )
    signs = _region_signs_of_marks(marks)
    seen = {cell.text for cell in _cells_with_arrows(marks, style).values()} if signs else set()
    regions = [f"{sign}  {name}{WHERE_EMPTY_WORDS}" for name, sign in signs.items() if sign in seen]
    explained = legend_entries(replace(marks, arrows=tuple(_one_arrow_per_place(marks))))
    return [*_legend_lines(explained, style), *swept, *regions, *note_lines]


# What stands on an empty square to which some part of a piece of several squares may come.
FOOTPRINT_NOTE = {False: "▫", True: "_"}


def _legend_lines(legend: Iterable[LegendEntry], style: TextStyle) -> Iterator[str]:
    for sign, words, arrow, beside in legend:
        shown = (
            _arrow_text(arrow, ArrowLabel(beside, None), style) if arrow >= 0 else style.sign(sign)
        )
        first, *others = wrapped(words, style.columns - len(INDENT), " " * 3)
        yield f"{style.painted(shown, sign)}  {first.lstrip()}"
        yield from others


def cell_texts(marks: Marks) -> dict[Offset, str]:
    """What stands on each square of a diagram, and outside it the arrows, as signs."""
    return {at: cell.text for at, cell in _cells_with_arrows(marks, UNICODE_STYLE).items()}


def _cells_with_arrows(marks: Marks, style: TextStyle) -> dict[Offset, TextCell]:
    """Every cell of a diagram by offset, arrows outside the window included."""
    window = marks.window
    cells = _empty_cells(window, style)
    signs = _region_signs_of_marks(marks)
    for name, squares in sorted(marks.region_squares, key=lambda each: -len(each[1])):
        cells |= dict.fromkeys(squares, TextCell(signs[name], 1)) if name in signs else {}
    cells |= dict.fromkeys(marks.footprint_destinations, TextCell(FOOTPRINT_NOTE[style.ascii], 1))
    for at, mark in marks.squares.items():
        if window.contains(at) and signs_of_mark(mark):
            cells[at] = _signs_cell(signs_of_mark(mark), style)
    for at, each in marks.standing.items():
        others = signs_of_mark(marks.squares[at]) if at in marks.squares else ()
        cells[at] = _signs_cell((SIGNS[each], *others), style)
    for arrow in _one_arrow_per_place(marks):
        written = _arrow_text(arrow_direction(arrow.step), label_of_arrow(arrow), style)
        cells[arrow.at] = TextCell(style.painted(written, ARROW_SIGN), len(written))
    cells[0, 0] = _signs_cell((HOME_SIGN, *signs_beside_piece(marks)), style)
    return cells


def _one_arrow_per_place(marks: Marks) -> Iterator[Arrow]:
    """The arrows around a diagram, one in each place for all that goes on there.

    It points straight outward where moves leave in several directions.
    """
    leaving: dict[Offset, list[Arrow]] = {}
    for arrow in marks.arrows:
        leaving.setdefault(arrow.at, []).append(arrow)
    for at, arrows in leaving.items():
        step = min((arrow.step for arrow in arrows), key=lambda each: not is_single_step(*each))
        if len({arrow_direction(arrow.step) for arrow in arrows}) > 1:
            step = _outward_direction(at, marks.window)
        onward = continuations_of_all_exits(arrow.onward for arrow in arrows)
        single = any(is_single_step(*arrow.step) for arrow in arrows)
        limit = farthest_limit(arrow.limit for arrow in arrows) if single else None
        yield Arrow(at, step, limit, onward)


def _arrow_text(way: int, bound: ArrowLabel, style: TextStyle) -> str:
    """An arrow with what is written at it."""
    beside = [f"{style.sign(sign)}{far or ''}" for sign, far in bound.beside]
    return f"{ARROW_CHARACTERS[style.ascii][way]}{''.join(beside)}{bound.limit or ''}"


def _empty_cells(window: Window, style: TextStyle) -> dict[Offset, TextCell]:
    return dict.fromkeys(chain(*window.rows()), TextCell(EMPTY_SQUARE[style.ascii], 1))


def _signs_cell(signs: Sequence[Sign], style: TextStyle) -> TextCell:
    written = [style.sign(sign) for sign in signs]
    painted = [style.painted(text, sign) for text, sign in zip(written, signs, strict=True)]
    return TextCell("".join(painted), display_width(printable("".join(written))))


def _outward_direction(at: Offset, window: Window) -> Offset:
    """Straight out of the window, for a place that moves leave by in several directions."""
    x, y = at
    return (x > window.east) - (x < -window.west), (y > window.north) - (y < -window.south)


# What else stands on the board of a position, and what of a move is shown there, with the words.
OCCUPANT_AND_MOVE_WORDS = {
    "enemy": "enemies",
    "friend": "friends",
    "enemy_royal": "enemy_royals",
    "unmoved_friend": "unmoved_friends",
    "trail": "en_passant",
}
MOVE_SIGN = SIGNS["step-move"]
CAPTURE_SIGN = SIGNS["step-capture"]
CAPTURE_EN_ROUTE_SIGN = SIGNS["victim"]
CASTLING_PARTNER_SIGN = SIGNS["castle"]
MOVE_WORDS = {
    MOVE_SIGN: "where the move ends",
    CAPTURE_SIGN: "where the move ends, with a capture",
    CAPTURE_EN_ROUTE_SIGN: "captured on the way",
    CASTLING_PARTNER_SIGN: "where the partner goes",
    HOME_SIGN: f"{HOME_SIGN.words}; the move ends where it began",
}


def witness_lines(witness: Witness, move: PieceMove | None, style: TextStyle) -> list[str]:
    """A board rank by rank, the far one first; the marks of a move stand over the pieces."""
    (file, rank), files, ranks = witness.at, witness.files, witness.ranks
    cells = _empty_cells(Window(file, files - 1 - file, rank, ranks - 1 - rank), style)
    signs = {
        at: SIGNS[e] for e, name in OCCUPANT_AND_MOVE_WORDS.items() for at in getattr(witness, name)
    }
    signs |= dict(_move_marks(move)) if move else {}
    if move is None or not move.is_stationary:
        signs[0, 0] = HOME_SIGN
    cells |= {at: _signs_cell((sign,), style) for at, sign in signs.items() if at in cells}
    return board_grid_lines(cells)


def witness_legend(
    witness: Witness, moves: Iterable[PieceMove | None], style: TextStyle
) -> list[str]:
    """What the signs mean of boards with one move each, or none."""
    made = [move for move in moves if move]
    lines = [] if all(move.is_stationary for move in made) else [(HOME_SIGN, HOME_SIGN.words)]
    there = [
        SIGNS[each] for each, name in OCCUPANT_AND_MOVE_WORDS.items() if getattr(witness, name)
    ]
    lines += [(sign, sign.words) for sign in there]
    signs = {sign for move in made for _, sign in _move_marks(move)}
    lines += [(sign, words) for sign, words in MOVE_WORDS.items() if sign in signs]
    return [*_legend_lines((LegendEntry(sign, words) for sign, words in lines), style)]


def _move_marks(move: PieceMove) -> Iterator[tuple[Offset, Sign]]:
    for at in move.captures:
        yield at, CAPTURE_SIGN if at == move.to else CAPTURE_EN_ROUTE_SIGN
    if move.partner:
        yield move.partner[1], CASTLING_PARTNER_SIGN
    if move.is_stationary:
        yield move.to, HOME_SIGN
    elif move.to not in move.captures:
        yield move.to, MOVE_SIGN


MAX_CODE_LENGTH = 8
# What a cell of a game's board is painted for: a square that is asked about, one that can be gone
# to from there, the last move, the second side.
Ink: TypeAlias = Literal["chosen", "target", "last", "second"]
Painter: TypeAlias = Callable[[str, Ink], str]


def board_text(
    board: Board,
    *,
    kanji: bool = False,
    times: str = "×",
    targets: Collection[Square] = (),
    chosen: Square | None = None,
    turned: bool = False,
    paint: Painter | None = None,
) -> str:
    """The board with its coordinates, the second side's hand above and the first side's below.

    The second side's pieces have a v before them, or are small letters where every code is one
    letter and the board is chess's. ``kanji`` writes the characters of pieces that have any instead
    of their codes. Squares of the last move are in brackets, the ``chosen`` one in round ones. An
    empty square of the ``targets`` has a ``*``, a piece on one stands between ``<`` and ``>``, and
    a wall is a ``#``. Empty squares of regions have signs of their own, which are explained below;
    where several overlap, that of the smallest is seen. ``times`` stands before how many of a piece
    are in a hand. The board is ``turned`` for the second side. ``paint`` adds colours, which say
    nothing that the signs do not.

    >>> from alfil.diagrams.diagram_model import BoardPiece
    >>> print(board_text(Board(2, 2, (BoardPiece((0, 0), 0, PieceToken("K")),), turn=0)))
      2  1
    +------+
    | .  . | a
    | K  . | b
    +------+
    black to move
    """
    small = board.coordinates == "chess" and all(
        len(each.token.code) == 1 and each.token.code.isalpha() for each in board.pieces
    )
    faces = dict.fromkeys(product(range(board.files), range(board.ranks)), ".")
    regions = _signs_of_regions(board.regions, len(faces))
    for region, sign in sorted(regions.items(), key=lambda each: -len(each[0].both_sides)):
        faces |= dict.fromkeys(region.both_sides, sign)
    faces |= dict.fromkeys(board.walls, "#")
    faces |= dict.fromkeys(targets, "*")
    for at, side, token, others in board.pieces:
        faces |= dict.fromkeys(others, "_")
        face = _piece_text(token, side, kanji=kanji)
        if small and not kanji:
            faces[at] = face.lower() if side else face.upper()
        else:
            faces[at] = f"v{face}" if side else face
    wide = max(1, *map(display_width, [*faces.values(), *board.file_labels()]))
    inks: dict[Square, Ink] = {each.square: "second" for each in board.pieces if each.side}
    inks |= dict.fromkeys(board.marked, "last")
    inks |= dict.fromkeys(targets, "target")
    inks |= {chosen: "chosen"} if chosen else {}
    cells = {at: _board_cell(face, wide, inks.get(at), paint) for at, face in faces.items()}
    above, below = (0, 1) if turned else (1, 0)
    lines = [
        *([printable(board.title)] if board.title else []),
        *_hand_line(board, above, times, kanji=kanji),
        *_board_frame(board, board_grid_lines(cells, "", turned=turned), wide, turned=turned),
        *_hand_line(board, below, times, kanji=kanji),
        *(printable(f"{sign} {region.name}") for region, sign in regions.items()),
        *([printable(f"{board.sides[board.turn]} to move")] if board.turn is not None else []),
    ]
    return "\n".join(line.rstrip() for line in lines)


# What stands on the empty squares of a region, of the first in a file, the second and so on.
REGION_SIGNS = ":,;^-"
# Of a region of which the other squares have other signs.
WHERE_EMPTY_WORDS = ", where it is empty"


def _signs_of_regions(regions: Iterable[NamedRegion], squares: int) -> dict[NamedRegion, str]:
    """The regions that can be told by signs, with those; not one of all ``squares`` of a board."""
    part = (each for each in regions if len(each.both_sides) < squares)
    return dict(zip(part, REGION_SIGNS, strict=False))


def _region_signs_of_marks(marks: Marks) -> dict[str, str]:
    """The regions of a diagram by name, with their signs."""
    squares = marks.window.width * marks.window.height
    return {each.name: sign for each, sign in _signs_of_regions(marks.regions, squares).items()}


def _piece_text(token: PieceToken, side: int, *, kanji: bool) -> str:
    name = (token.kanji_of(side) if kanji else "") or token.code
    return printable(name if len(name) <= MAX_CODE_LENGTH else name[: MAX_CODE_LENGTH - 1] + "…")


_BRACKETS_BY_INK: dict[Ink | None, tuple[str, str]] = {
    "chosen": ("(", ")"),
    "target": ("<", ">"),
    "last": ("[", "]"),
}


def _board_cell(face: str, wide: int, ink: Ink | None, paint: Painter | None) -> TextCell:
    free = wide - display_width(face)
    before, after = _BRACKETS_BY_INK.get(ink if face != "*" else None, (" ", " "))
    text = f"{before}{' ' * (free // 2)}{face}{' ' * (free - free // 2)}{after}"
    return TextCell(paint(text, ink) if paint and ink else text, wide + 2)


def _board_frame(board: Board, rows: list[str], wide: int, *, turned: bool) -> list[str]:
    order = -1 if turned else 1
    names = " ".join(f" {label:^{wide}}" for label in board.file_labels()[::order])
    edge = f"+{'-' * ((wide + 2) * board.files)}+"
    ranks = board.rank_labels()[::order]
    if board.coordinates == "chess":
        left = max(map(len, ranks))
        body = [f"{name:>{left}} |{row}|" for name, row in zip(ranks, rows, strict=True)]
        pad = " " * (left + 1)
        return [pad + edge, *body, pad + edge, f"{pad} {names}"]
    body = [f"|{row}| {name}" for name, row in zip(ranks, rows, strict=True)]
    return [f" {names}", edge, *body, edge]


def _hand_line(board: Board, side: int, times: str, *, kanji: bool) -> list[str]:
    if not any(board.hands):
        return []
    held = [
        _piece_text(token, side, kanji=kanji) + (f"{times}{number}" if number > 1 else "")
        for token, number in board.hands[side]
    ]
    return [printable(f"{board.sides[side]} in hand: {' '.join(held) or 'nothing'}")]


CARD_COLUMNS = 36
MAX_TEXT_LENGTH = 200


def _sheet_blocks(sheet: Sheet, style: TextStyle, look: PictureLook) -> Iterator[str]:
    """The blocks of a sheet: its title, one group of cards below another, one legend at the end."""
    yield printable(sheet.title[:MAX_TEXT_LENGTH])
    for group in sheet.groups:
        between = ("", "  →  ", *repeat("  or  ", len(group)))
        pairs = zip(between, group, strict=False)
        blocks = [
            block for sign, card in pairs for block in ([sign], list(_card_text(card, style, look)))
        ]
        yield "\n".join(side_by_side(blocks[1:], ""))
    explained, slides = shared_legend_and_slide_note([card.diagram for card in sheet.cards])
    lines = [*_legend_lines(explained, style)]
    if any(_region_signs_of_marks(card.diagram.marks) for card in sheet.cards):
        lines.append(f"{REGION_SIGNS[0]}  the area that its words tell of{WHERE_EMPTY_WORDS}")
    lines += [f"Squares that a piece slides over {slides}."] if slides else []
    yield "\n".join(f"  {line}" for line in lines)


def _card_text(card: Card, style: TextStyle, look: PictureLook) -> Iterator[str]:
    token, marks = card.token, card.diagram.marks
    heading = (token.code, token.inscription, token.name)
    yield from _card_lines(" ".join(dict.fromkeys(each for each in heading if each)), "")
    yield from board_lines(marks, style)
    written = (text for _, text in card.notations)
    for text in (
        *written,
        *card.remarks,
        *(() if look.sentence else notes_beyond_signs(card.diagram)),
    ):
        yield from _card_lines(text)
    if look.sentence:
        yield from wrapped(printable(card.diagram.sentence), CARD_COLUMNS)
    if card.note:
        yield from _card_lines(f"Note: {card.note}")


def _card_lines(text: str, indent: str = INDENT) -> Iterator[str]:
    yield from [*wrapped(printable(text[:MAX_TEXT_LENGTH]), CARD_COLUMNS, indent)] or [indent]
