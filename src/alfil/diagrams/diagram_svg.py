"""The diagram of one piece as SVG: squares, lines and signs, its names above, a legend below.

Every sign carries ``data-sign``, or ``data-ground`` where others stand in front of it, and
``data-at``, the square as dx,dy from the piece. What is drawn often, a sign or a line on a certain
square, is made once and remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain
from math import ceil, gcd
from typing import Literal, NamedTuple, TypeAlias

from alfil.diagrams.diagram_model import (
    Diagram,
    LineKind,
    Lines,
    Mark,
    Marks,
    Offset,
    Stroke,
    Window,
    WindowExit,
    shortened_with_digest,
)
from alfil.diagrams.example_positions import example_in_signs_of_diagram
from alfil.diagrams.legend import (
    LegendEntry,
    legend_entries,
    line_kinds_of_diagrams,
    needs_legend,
    notes_beyond_signs,
    unexplained_signs_and_lines,
)
from alfil.diagrams.move_continuations import is_single_step, merge_exits_into
from alfil.diagrams.piece_figures import escaped
from alfil.diagrams.signs import (
    ARROW_SIGN,
    GROUND_FAMILIES,
    HOME_SIGN,
    SIGNS,
    Sign,
    label_of_arrow,
    signs_beside_piece,
    signs_of_mark,
)
from alfil.diagrams.svg_elements import (
    BODY_BY_FAMILY,
    FAMILIES_AROUND_SQUARE,
    REGION_DASHES,
    STROKE_ATTRIBUTES,
    Panel,
    background_path,
    group_in_role,
    groups_by_role,
    piece_fill_role_and_svg,
    polygon_path_data,
    region_outline_path,
    sign_drawing,
    transform_template,
    translated,
)
from alfil.diagrams.svg_elements import sign_background as sign_ground
from alfil.diagrams.text_outlines import Face, number, short, text_path, text_width, wrapped
from alfil.diagrams.themes import DEFAULT, Theme
from alfil.squares import CoordinateSystem, axis_labels

SQUARE = 40
HALF = SQUARE // 2
COORDINATE_TEXT_SIZE = 14

# Of so many squares a sign on a board is remembered, then it begins anew.
MAX_CACHED_SQUARES = 256

# How several signs share a square: their places and their size.
SIGN_LAYOUTS: dict[int, tuple[float, tuple[Offset, ...]]] = {
    1: (1, ((0, 0),)),
    2: (0.66, ((-9, 0), (9, 0))),
    3: (0.6, ((-9, -8), (9, -8), (0, 9))),
    4: (0.56, ((-9, -9), (9, -9), (-9, 9), (9, 9))),
}
CROWDED_SIGNS = (0.42, tuple((x, y) for y in (-12, 0, 12) for x in (-12, 0, 12)))

DASHES_BY_LINE_KIND = {
    LineKind.PATH: "",
    LineKind.JUMP: ' stroke-dasharray="0 8"',
    LineKind.HOP: ' stroke-dasharray="8 7"',
    LineKind.TAKE: ' stroke-dasharray="12 6 1 6"',
}

MARGIN = 12
ARROW_MARGIN = 26
# A worked example beside a board: the room around it, how far down it begins, and its scale.
EXAMPLE_MARGIN = 22
EXAMPLE_TOP = 26
EXAMPLE_SCALE = 0.6
EXAMPLE_MIN_WIDTH = 160
EMPTY_PANEL = Panel(0, 0, "")
LABELS_MARGIN = 28
CHEQUER_STROKE = (
    'stroke="currentColor" stroke-width="40" stroke-dasharray="40" stroke-linecap="butt"'
)
MIN_WIDTH = 340
# A sentence that fits into this width has one line where there is no legend.
MAX_SENTENCE_WIDTH = 520
# More lines of a legend stand in columns, each at least so wide.
MAX_LEGEND_ROWS_PER_COLUMN = 6
LEGEND_COLUMN_WIDTH = 250
NOTATION_TEXT = 17
SENTENCE_TEXT = 14
TITLE_TEXT = 20
# The head of an arrow with a gap after it; the signs beyond it: their size, how wide they are, how
# wide those that fill a square, how high all are, and the size of numbers.
ARROWHEAD_LENGTH = 12
ARROW_SIGN_SCALE = 0.5
SIGN_WIDTH, SQUARE_SIGN_WIDTH = 15, 19
LABEL_HEIGHT = 13
ARROW_LABEL_TEXT_SIZE = 13
SMALL_LABEL_SCALE = 0.6
LINE_KIND_WORDS = {
    LineKind.JUMP: "passes here, whatever stands there",
    LineKind.HOP: "goes on over the piece in between",
    LineKind.TAKE: "goes on after a capture",
}

TURNS_NOTE = "It may turn on its way; lines are drawn up to the first turn."
FOOTPRINT_RANGE_NOTE = "Tinted squares are those that some part of it may come to."
LINES_OMITTED_NOTE = "Its ways branch on every square; no lines are drawn."


class BoardPlacement(NamedTuple):
    """Where a board stands: its window, the corner at the far left, and its coordinates."""

    window: Window
    left: float
    top: float
    coordinates: CoordinateSystem = "chess"

    def centre(self, at: Offset) -> tuple[float, float]:
        """The middle of a square."""
        return (
            self.left + (at[0] + self.window.west) * SQUARE + HALF,
            self.top + (self.window.north - at[1]) * SQUARE + HALF,
        )

    def square_colour(self, at: Offset) -> Literal["light", "dark"]:
        """The role of a square's colour: the corner at the near left of a real board is dark."""
        window = self.window
        own = (window.west + window.south) % 2 == 0 if window.ranks else False
        return "dark" if (sum(at) % 2 == 0) == own else "light"


def board_drawing(diagram: Diagram, placement: BoardPlacement, theme: Theme) -> str:
    """The squares, lines and marks of a diagram."""
    return board_background(placement, theme) + board_contents(diagram, placement, theme)


def board_contents(diagram: Diagram, placement: BoardPlacement, theme: Theme) -> str:
    """What stands on the squares of a picture: lines, marks and pieces."""
    exits = _exit_drawings(diagram.lines, placement)
    at_home = _home_sign_placements(diagram.marks)
    return "".join(
        [
            _region_lines(diagram, placement, theme),
            _footprint_drawing(diagram, placement, theme),
            _line_drawings(diagram, exits, placement, theme),
            _sign_backgrounds(diagram, at_home, placement, theme),
            _other_piece_drawings(diagram, placement, theme),
            _sign_drawings(diagram, exits, at_home, placement, theme),
            piece_drawing(diagram, placement, theme),
        ]
    )


def _region_lines(diagram: Diagram, placement: BoardPlacement, theme: Theme) -> str:
    """The lines around regions."""
    if not diagram.marks.regions:
        return ""
    paths = (
        f'<path data-region="{escaped(name)}"{_dash_attribute(dashes)} d="{path}"/>'
        for name, dashes, path in region_outlines(diagram.marks, placement)
    )
    return group_in_role("ink", theme, *paths, attributes=f'{STROKE_ATTRIBUTES} stroke-width="2"')


def region_outlines(marks: Marks, placement: BoardPlacement) -> Iterator[tuple[str, str, str]]:
    """The regions of a diagram: the name of each, and its line with the dashes it has."""
    for order, (name, squares) in enumerate(marks.region_squares[: len(REGION_DASHES)]):
        path = region_outline_path(
            squares, order, SQUARE, placement.centre, placement.window.contains
        )
        yield name, REGION_DASHES[order], path


def _dash_attribute(dashes: str) -> str:
    return f' stroke-dasharray="{dashes}"' if dashes else ""


@lru_cache(maxsize=64)
def board_background(placement: BoardPlacement, theme: Theme) -> str:
    """The squares and the grid, and on a real board the names of files and ranks."""
    window, left, top, _ = placement
    files, ranks = window.width, window.height
    x, y, right = number(left), number(top), left + files * SQUARE
    whole = f"M{x} {y}h{files * SQUARE}v{ranks * SQUARE}H{x}z"
    # Every row is one dashed line.
    dark = "".join(
        f"M{number(left + start * SQUARE)} {number(top + row * SQUARE + HALF)}H{number(right)}"
        for row, squares in enumerate(window.rows())
        if (start := int(placement.square_colour(squares[0]) == "light")) < files
    )
    wide, high = files * SQUARE, ranks * SQUARE
    # To and fro, then up and down; from one line to the next it runs along the edge.
    across = "v40".join(f"h{'-' * (row % 2)}{wide}" for row in range(ranks + 1))
    along = "h40".join(f"v{'-' * (file % 2)}{high}" for file in range(files + 1))
    grid = f"M{x} {y}{across}M{x} {y}{along}"
    names = _coordinate_labels(placement, theme) if window.ranks else ""
    return (
        group_in_role("light", theme, f'<path d="{whole}"/>')
        + group_in_role("dark", theme, f'<path {CHEQUER_STROKE} d="{dark}"/>')
        + group_in_role("grid", theme, f'<path{STROKE_ATTRIBUTES} stroke-width="1" d="{grid}"/>')
        + names
    )


def _coordinate_labels(placement: BoardPlacement, theme: Theme) -> str:
    """Files above and ranks on the right in shogi; below and on the left in chess."""
    window, left, top, coordinates = placement
    files, ranks = window.width, window.height
    words = []
    by_file, by_rank = axis_labels(files, ranks, coordinates)
    chess = coordinates == "chess"
    y = top + ranks * SQUARE + 17 if chess else top - 8
    for rank, text in enumerate(by_rank):
        x = (
            left - 8 - text_width(text, COORDINATE_TEXT_SIZE)
            if chess
            else left + files * SQUARE + 8
        )
        words.append(
            text_path(text, COORDINATE_TEXT_SIZE, x=x, y=top + (ranks - rank) * SQUARE - 14)
        )
    for file, text in enumerate(by_file):
        x = left + file * SQUARE + HALF - text_width(text, COORDINATE_TEXT_SIZE) / 2
        words.append(text_path(text, COORDINATE_TEXT_SIZE, x=x, y=y))
    return group_in_role("quiet", theme, *words)


def _footprint_drawing(diagram: Diagram, placement: BoardPlacement, theme: Theme) -> str:
    """What a piece of several squares takes up, framed and tinted, and where all of it may come.

    On a real board only what lies on it is seen.
    """
    own = diagram.marks.footprint
    if not own:
        return ""
    tinted = "".join(
        map(
            partial(_square_path, placement=placement), sorted(diagram.marks.footprint_destinations)
        )
    )
    own_squares = "".join(map(partial(_square_path, placement=placement), sorted(own)))
    wide, high = (max(each) + 1 for each in zip(*own, strict=True))
    left, top = placement.centre((0, high - 1))
    frame = f"M{number(left - 17)} {number(top - 17)}"
    frame += f"h{wide * SQUARE - 6}v{high * SQUARE - 6}h{6 - wide * SQUARE}z"
    return (
        group_in_role(
            "either",
            theme,
            f'<path data-swept="" d="{tinted}"/>',
            attributes=' fill-opacity="0.14"',
        )
        + group_in_role(
            "piece", theme, f'<path d="{own_squares}"/>', attributes=' fill-opacity="0.3"'
        )
        + group_in_role(
            "piece",
            theme,
            f'<path data-footprint="" stroke-width="4" d="{frame}"/>',
            attributes=STROKE_ATTRIBUTES,
        )
    )


def _square_path(at: Offset, placement: BoardPlacement) -> str:
    """The outline of a square as a part of a path; nothing of one beside the board."""
    if not placement.window.contains(at):
        return ""
    x, y = placement.centre(at)
    return f"M{number(x - HALF)} {number(y - HALF)}h{SQUARE}v{SQUARE}h-{SQUARE}z"


def _line_drawings(
    diagram: Diagram, exits: list[ExitDrawing], placement: BoardPlacement, theme: Theme
) -> str:
    paths = [stroke_path(each, placement) for each in diagram.lines.strokes]
    paths += [each.arrow for each in exits]
    return group_in_role("path", theme, *paths, attributes=f'{STROKE_ATTRIBUTES} stroke-width="4"')


@lru_cache(maxsize=16384)
def stroke_path(stroke: Stroke, placement: BoardPlacement) -> str:
    """A line on a board."""
    x, y = placement.centre(stroke.start)
    dx, dy = (each * stroke.steps * SQUARE for each in stroke.step)
    path = f"M{number(x)} {number(y)}l{number(dx)} {number(-dy)}"
    return f'<path{_line_style(stroke.kind, stroke.step)} d="{path}"/>'


def _line_style(kind: LineKind, step: Offset) -> str:
    """How a line is drawn; one through leaps is thin."""
    return DASHES_BY_LINE_KIND[kind] + ("" if is_single_step(*step) else ' stroke-width="1.8"')


class ArrowTip(NamedTuple):
    """Where an arrow leaves a board, and the direction it leaves in, of length 1; y downwards."""

    x: float
    y: float
    ux: float
    uy: float

    def label_centre(self, label_width: float) -> tuple[float, float]:
        """The middle of a label so wide, straight on from the tip, so that sides are mirrored."""
        away = ARROWHEAD_LENGTH + (abs(self.ux) * label_width + abs(self.uy) * LABEL_HEIGHT) / 2
        return self.x + away * self.ux, self.y + away * self.uy


def _arrow_tip(origin: Offset, step: Offset, placement: BoardPlacement) -> ArrowTip:
    (x, y), (dx, dy) = placement.centre(origin), step
    window, (file, rank) = placement.window, origin
    across = window.east - file if dx > 0 else window.west + file
    along = window.north - rank if dy > 0 else window.south + rank
    share = min((room + 0.5) / abs(by) for room, by in ((across, dx), (along, dy)) if by)
    length = (dx * dx + dy * dy) ** 0.5
    ux, uy = dx / length, -dy / length
    return ArrowTip(x + dx * share * SQUARE + 6 * ux, y - dy * share * SQUARE + 6 * uy, ux, uy)


def exits_with_one_label_per_tip(lines: Lines, placement: BoardPlacement) -> Iterator[WindowExit]:
    """The exits; of those with one tip the shortest step has the label of all, others have none."""
    if all(gcd(*leaving.step) == 1 for leaving in lines.exits):
        # Only steps over squares that others meet leave a window where those do.
        yield from lines.exits
        return
    by_tip: dict[ArrowTip, list[WindowExit]] = {}
    for leaving in lines.exits:
        tip = _arrow_tip(leaving.at, leaving.step, placement)
        by_tip.setdefault(tip, []).append(leaving)
    for alike in by_tip.values():
        first, *others = sorted(alike, key=lambda each: max(map(abs, each.step)))
        yield merge_exits_into(first, alike) if others else first
        yield from (each._replace(limit=None, onward=()) for each in others)


def _label_width(sign: Sign | None, far: int) -> float:
    """How wide a sign at an arrow and the number after it are."""
    return _sign_width(sign) + (text_width(str(far), ARROW_LABEL_TEXT_SIZE) + 2 if far else 0)


def _sign_width(sign: Sign | None) -> float:
    if sign is None:
        return 0
    return SQUARE_SIGN_WIDTH if sign.family in GROUND_FAMILIES else SIGN_WIDTH


def arrow_room(lines: Lines, window: Window) -> int:
    """How much room there is around a board for arrows and what is written at them."""
    rooms = [each.room for each in _exit_drawings(lines, BoardPlacement(window, 0, 0))]
    return max([ARROW_MARGIN, *map(ceil, rooms)]) if rooms else MARGIN


class ExitDrawing(NamedTuple):
    """An exit as it is drawn: its arrow, the signs beside that with their roles, and the room.

    Nothing of it goes farther than that from the edge of the board.
    """

    arrow: str
    signs: tuple[tuple[str, str], ...]
    room: float


def _exit_drawings(lines: Lines, placement: BoardPlacement) -> list[ExitDrawing]:
    return [
        _exit_drawing(each, placement) for each in exits_with_one_label_per_tip(lines, placement)
    ]


@lru_cache(maxsize=16384)
def _exit_drawing(leaving: WindowExit, placement: BoardPlacement) -> ExitDrawing:
    """An arrow, and in a row beyond it how far moves go and signs of which do."""
    (arrow, tip), bound = _arrow_and_tip(*leaving[:3], placement), label_of_arrow(leaving)
    parts: list[tuple[Sign | None, int]] = [(None, bound.limit)] if bound.limit else []
    parts += bound.beside
    if not parts:
        return ExitDrawing(arrow, (), ARROW_MARGIN)
    wide = sum(_label_width(*part) for part in parts)
    x, y = tip.label_centre(wide)
    left, baseline = x - wide / 2, y + ARROW_LABEL_TEXT_SIZE / 3
    signs, numbers = [], ""
    for sign, far in parts:
        if sign:
            data = f' data-onward="{sign.name}" data-at="{leaving.at[0]},{leaving.at[1]}"'
            middle = left + _sign_width(sign) / 2
            signs.append((sign.role, sign_drawing(sign, middle, y, ARROW_SIGN_SCALE, data)))
        if far:
            begin = left + _sign_width(sign)
            numbers += text_path(str(far), ARROW_LABEL_TEXT_SIZE, x=begin, y=baseline)
        left += _label_width(sign, far)
    across, along = abs(x - tip.x) + wide / 2, abs(y - tip.y) + LABEL_HEIGHT / 2
    out = 6 + max(across * bool(tip.ux), along * bool(tip.uy))
    limits = f'<g fill="currentColor" stroke="none">{numbers}</g>' if numbers else ""
    return ExitDrawing(arrow + limits, tuple(signs), out)


@lru_cache(maxsize=4096)
def _arrow_and_tip(
    origin: Offset, step: Offset, kind: LineKind, placement: BoardPlacement
) -> tuple[str, ArrowTip]:
    """A line from a square to the edge and an arrowhead beyond it."""
    (x, y), tip = placement.centre(origin), _arrow_tip(origin, step, placement)
    ux, uy = tip.ux, tip.uy
    head = polygon_path_data((9 * ux, 9 * uy), (-5 * uy, 5 * ux), (5 * uy, -5 * ux))
    start, end = f"M{number(x)} {number(y)}", f"M{number(tip.x)} {number(tip.y)}"
    line = f"{start}l{number(tip.x - x)} {number(tip.y - y)}"
    arrow = (
        f'<path data-exit="{origin[0]},{origin[1]}"{_line_style(kind, step)} d="{line}"/>'
        f'<path fill="currentColor" stroke-width="1.5" d="{end}{head}"/>'
    )
    return arrow, tip


class SignPlacement(NamedTuple):
    """One of the signs of a mark, its place in the square and its size."""

    sign: Sign
    x: int = 0
    y: int = 0
    size: float = 1


@lru_cache(maxsize=4096)
def sign_placements(mark: Mark) -> tuple[SignPlacement, ...]:
    """The signs of a mark, each in its place; those of the ground leave the square to others."""
    signs = signs_of_mark(mark)
    below = [SignPlacement(sign) for sign in signs if sign.family in GROUND_FAMILIES]
    # What a piece takes up is framed as a whole.
    inside = [sign for sign in signs if sign.family not in {*GROUND_FAMILIES, "body"}]
    size, places = SIGN_LAYOUTS.get(len(inside), CROWDED_SIGNS)
    shared = zip(inside, places, strict=False)
    return (*below, *(SignPlacement(sign, x, y, size) for sign, (x, y) in shared))


# Where signs stand on the square of the piece: in its corners, small, the upper ones first.
HOME_SIGN_LAYOUT = ((14, -13, 0.42), (-14, -13, 0.42), (15, 13, 0.4), (-15, 13, 0.4))


def _home_sign_placements(marks: Marks) -> list[SignPlacement]:
    """The signs on the square of the piece, each in its corner."""
    corners = zip(signs_beside_piece(marks), HOME_SIGN_LAYOUT, strict=False)
    return [SignPlacement(sign, *corner) for sign, corner in corners]


def _sign_drawings(
    diagram: Diagram,
    exits: list[ExitDrawing],
    at_home: list[SignPlacement],
    placement: BoardPlacement,
    theme: Theme,
) -> str:
    """The signs of the ground, and in front of them all others."""
    fragments: dict[str, list[str]] = {}
    below: dict[str, list[str]] = {}
    x, y = placement.centre((0, 0))
    for each in at_home:
        fragments.setdefault(each.sign.role, []).append(sign_svg(each, x, y, (0, 0)))
    for role, shape in chain.from_iterable([leaving.signs for leaving in exits]):
        fragments.setdefault(role, []).append(shape)
    shown = _sign_layers_by_mark(placement)
    for mark, squares in diagram.marks.squares_by_mark:
        for (in_front, role), signs in shown[mark]:
            rows = [[*map(each.__getitem__, squares)] for each in signs]
            # Square by square, the signs of one square together.
            result = rows[0] if len(rows) == 1 else chain.from_iterable(zip(*rows, strict=True))
            (fragments if in_front else below).setdefault(role, []).extend(result)
    return groups_by_role(below, theme) + groups_by_role(fragments, theme)


# Signs in front or of the ground, and the role of their colour.
_Layer: TypeAlias = tuple[bool, str]


class _SignLayersByMark(dict[Mark, list[tuple[_Layer, list["_SignDrawingBySquare"]]]]):
    """The signs of a mark on a board: each layer with its signs, by square."""

    def __init__(self, placement: BoardPlacement) -> None:
        super().__init__()
        self._place = placement

    def __missing__(self, mark: Mark) -> list[tuple[_Layer, list[_SignDrawingBySquare]]]:
        if len(self) >= MAX_CACHED_SQUARES:
            self.clear()
        drawing: dict[_Layer, list[_SignDrawingBySquare]] = {}
        for sign_placement in sign_placements(mark):
            sign = sign_placement.sign
            drawing.setdefault((sign.family not in GROUND_FAMILIES, sign.role), []).append(
                _sign_by_square(sign_placement, self._place)
            )
        self[mark] = result = [*drawing.items()]
        return result


_sign_layers_by_mark = lru_cache(maxsize=64)(_SignLayersByMark)


def _sign_backgrounds(
    diagram: Diagram, at_home: list[SignPlacement], placement: BoardPlacement, theme: Theme
) -> str:
    """The squares again under signs that are not full, where lines would show through."""
    hollow = [
        (placements, squares)
        for mark, squares in diagram.marks.squares_by_mark
        if (placements := hollow_sign_placements(mark))
    ]
    if not hollow and not at_home:
        return ""
    crossed = diagram.lines.squares_crossed(placement.window)
    grounds: dict[str, list[str]] = {"light": [], "dark": []}
    own, other = (grounds[placement.square_colour(at)] for at in ((0, 0), (1, 0)))
    if (0, 0) in crossed:
        own += [sign_background_svg(each, *placement.centre((0, 0))) for each in at_home]
    for placements, squares in hollow:
        below = [
            _sign_by_square(sign_placement, placement, ground=True) for sign_placement in placements
        ]
        for at in filter(crossed.__contains__, squares):
            result = other if sum(at) % 2 else own
            for written in below:
                result.append(written[at])
    return "".join(group_in_role(each, theme, *grounds[each]) for each in grounds)


@lru_cache(maxsize=512)
def _sign_by_square(
    sign_placement: SignPlacement, placement: BoardPlacement, *, ground: bool = False
) -> _SignDrawingBySquare:
    """A sign by square, as `sign_svg` draws it, or its ground; nothing beside the board."""
    return _SignDrawingBySquare(sign_placement, placement, ground=ground)


class _SignDrawingBySquare(dict[Offset, str]):
    """A sign on the squares of a board, each written when it is asked for first."""

    def __init__(
        self, sign_placement: SignPlacement, placement: BoardPlacement, *, ground: bool
    ) -> None:
        super().__init__()
        name, (x, y) = sign_placement.sign.name, placement.centre((0, 0))
        self._window = placement.window
        self._x = x + sign_placement.x
        self._y = y + sign_placement.y
        begin, between, end = transform_template(sign_placement.size)
        data = (
            ""
            if ground
            else f' {_data_attribute_name(sign_placement.sign)}="{name}" data-at="%d,%d"'
        )
        used = f'href="#{"ground" if ground else "sign"}.{name}"'
        self._pattern = f"<use{data} {used}{begin}%s{between}%s{end}/>"
        self._ground = ground

    def __missing__(self, at: Offset) -> str:
        if len(self) >= MAX_CACHED_SQUARES:
            self.clear()
        written = ""
        if self._window.contains(at):
            places = short(self._x + at[0] * SQUARE), short(self._y - at[1] * SQUARE)
            written = self._pattern % (places if self._ground else at + places)
        self[at] = written
        return written


@lru_cache(maxsize=4096)
def hollow_sign_placements(mark: Mark) -> tuple[SignPlacement, ...]:
    """The signs of a mark below which lines end."""
    return tuple(
        sign_placement
        for sign_placement in sign_placements(mark)
        if background_path(sign_placement.sign)
    )


def sign_background_svg(sign_placement: SignPlacement, x: float, y: float) -> str:
    """What lies under one sign on one square."""
    return sign_ground(
        sign_placement.sign, x + sign_placement.x, y + sign_placement.y, sign_placement.size
    )


def sign_svg(sign_placement: SignPlacement, x: float, y: float, at: Offset) -> str:
    """One sign on one square."""
    sign = sign_placement.sign
    data = f' {_data_attribute_name(sign)}="{sign.name}" data-at="{at[0]},{at[1]}"'
    return sign_drawing(
        sign_placement.sign, x + sign_placement.x, y + sign_placement.y, sign_placement.size, data
    )


def _data_attribute_name(sign: Sign) -> str:
    """The attribute that names a sign on a square."""
    return "data-ground" if sign.family in GROUND_FAMILIES else "data-sign"


def _other_piece_drawings(diagram: Diagram, placement: BoardPlacement, theme: Theme) -> str:
    """The other pieces of a position."""
    if not diagram.marks.standing:
        return ""
    bodies: dict[str, list[str]] = {}
    outlines: dict[str, list[str]] = {}
    for at, standing in diagram.marks.standing.items():
        if not placement.window.contains(at):
            continue
        sign = SIGNS[standing]
        x, y = placement.centre(at)
        if sign.family in BODY_BY_FAMILY:
            colour, shape = piece_fill_role_and_svg(sign.family, x, y)
            bodies.setdefault(colour, []).append(shape)
        data = f' data-standing="{sign.name}" data-at="{at[0]},{at[1]}"'
        outlines.setdefault(sign.role, []).append(sign_drawing(sign, x, y, 1, data))
    return groups_by_role(bodies, theme) + groups_by_role(outlines, theme)


def piece_drawing(diagram: Diagram, placement: BoardPlacement, theme: Theme) -> str:
    """The piece itself; a name of one or two letters is written on it."""
    x, y = placement.centre((0, 0))
    if diagram.token:
        return f'<g transform="translate({number(x)} {number(y)})">{diagram.token}</g>\n'
    _, wedge = piece_fill_role_and_svg("piece", x, y)
    text = diagram.label if 1 <= len(diagram.label) <= 2 else ""  # noqa: PLR2004 - one or two
    letters = text_path(text, 16, "middle", x=x, y=y + 8, face="bold") if text else ""
    return group_in_role("piece", theme, wedge) + group_in_role("letter", theme, letters)


def panel(diagram: Diagram, theme: Theme = DEFAULT, *, legend: bool | None = None) -> Panel:
    """A picture as a panel: its title, the board, and below it the legend.

    That is left out if ``legend`` is false, and if it is None where the sentence does without it.
    With it comes an example, beside the board, of what is done to others on the way.
    """
    around = page_frame(diagram, theme, legend=legend)
    # Boards of one size are drawn alike wherever they stand, so signs are written once for all.
    window, left, top, coordinates = around.place
    drawing = board_drawing(diagram, BoardPlacement(window, 0, 0, coordinates), theme)
    whole = around.head + translated(drawing, left, top)
    return Panel(around.width, around.height, whole + around.tail)


def _example_panel(
    example: Diagram, diagram: Diagram, entries: list[LegendEntry], theme: Theme
) -> Panel:
    """A small board with its heading, and below it what the legend does not explain."""
    window, caption = example.marks.window, unexplained_signs_and_lines(example, diagram, entries)
    heading = text_path("for example:", SENTENCE_TEXT, x=0, y=SENTENCE_TEXT)
    placement = BoardPlacement(window, 0, 0)
    small = (
        f'<g data-example="" transform="translate(0 {EXAMPLE_TOP}) scale({number(EXAMPLE_SCALE)})">'
    )
    width = max(EXAMPLE_MIN_WIDTH, ceil(EXAMPLE_SCALE * window.width * SQUARE))
    column = LegendColumn(
        LegendStyle(), 0, EXAMPLE_TOP + ceil(EXAMPLE_SCALE * window.height * SQUARE) + 10, width
    )
    for row in legend_rows(caption.signs, caption.kinds):
        column.add_row(row)
    board = f"{small}{board_drawing(example, placement, theme)}</g>\n"
    body = group_in_role("ink", theme, heading) + board + column.svg(theme)
    return Panel(width, column.y, body)


def example_board_panel(example: Diagram, theme: Theme) -> Panel:
    """The board of an example as a panel of its own."""
    window = example.marks.window
    placement = BoardPlacement(window, ARROW_MARGIN, ARROW_MARGIN)
    wide, high = (each * SQUARE + 2 * ARROW_MARGIN for each in (window.width, window.height))
    return Panel(wide, high, board_drawing(example, placement, theme))


class PageFrame(NamedTuple):
    """What stands around a board: above it, beside and below it, and where the board goes."""

    width: float
    height: float
    head: str
    tail: str
    place: BoardPlacement


def page_frame(
    diagram: Diagram, theme: Theme = DEFAULT, *, legend: bool | None = None
) -> PageFrame:
    """The frame of a picture: its title, the example and the legend, as for `panel`."""
    window = diagram.marks.window
    side = LABELS_MARGIN if window.ranks else arrow_room(diagram.lines, window)
    example = None if legend is False else example_in_signs_of_diagram(diagram)
    entries = [] if legend is False else legend_entries(diagram.marks)
    explained = needs_legend(diagram, entries, example) if legend is None else legend
    beside = _example_panel(example, diagram, entries, theme) if example else EMPTY_PANEL
    width = window.width * SQUARE + 2 * side + beside.width + bool(example) * EXAMPLE_MARGIN
    sentence = shortened_with_digest(diagram.sentence)
    words = _legend_of(diagram, entries) if explained else None
    if words:
        columns_width = words.columns * LEGEND_COLUMN_WIDTH if words.columns > 1 else 0
        width = max(width, MIN_WIDTH, side + columns_width)
    else:
        longest = side + text_width(sentence, SENTENCE_TEXT) + MARGIN
        width = max(width, longest) if longest <= MAX_SENTENCE_WIDTH else width
    head, y = _header_drawing(
        diagram.label_and_notation, sentence, theme, side, width - side - MARGIN
    )
    chess = window.ranks and diagram.marks.coordinates == "chess"
    top = y + (MARGIN if chess else side)
    placement = BoardPlacement(window, side, top, diagram.marks.coordinates)
    below = top + max(window.height * SQUARE + side, beside.height)
    tail = ""
    if example:
        tail = translated(beside.body, width - beside.width - MARGIN, top)
    if words:
        drawing, high = _legend_block(words, theme, width - side)
        tail, below = tail + translated(drawing, side, below), below + high
    return PageFrame(width, below, head, tail, placement)


@lru_cache(maxsize=1024)
def _header_drawing(
    names: tuple[str, str], sentence: str, theme: Theme, left: float, room: float
) -> tuple[str, float]:
    """The name, the notation and how the piece moves above the board, and how far down they go."""
    label, notation = names
    y = 0.0
    parts = []
    heading: tuple[tuple[str, float, Face, str], ...] = (
        (label, TITLE_TEXT, "bold", "ink"),
        (notation, NOTATION_TEXT, "mono", "quiet" if label else "ink"),
    )
    for text, size, face, colour in heading:
        lines = []
        for line in wrapped(text, size, room, face):
            y += 24
            lines.append(text_path(line, size, x=left, y=y + 2, face=face))
        parts.append(group_in_role(colour, theme, *lines))
    shown_texts = []
    for line in wrapped(sentence, SENTENCE_TEXT, room):
        y += 18
        shown_texts.append(text_path(line, SENTENCE_TEXT, x=left, y=y + 6))
    parts.append(group_in_role("ink", theme, *shown_texts))
    return "".join(parts), y + 8 + bool(shown_texts) * 4 if y else y


class LegendRow(NamedTuple):
    """A line of the legend: its words, and a sample in parts, each with the role of its colour."""

    words: str
    sample: tuple[tuple[str, str], ...]


def legend_rows(
    legend: tuple[LegendEntry, ...], kinds: tuple[LineKind, ...], home_piece_svg: str = ""
) -> Iterable[LegendRow]:
    """The lines of a legend of signs and kinds of lines, with samples around (0, 0).

    ``home_piece_svg`` is how the piece itself is drawn, where that is not the plain wedge.
    """
    for sign, words, arrow, beside in legend:
        sample = tuple(_legend_sample(sign, arrow, home_piece_svg))
        if beside:
            room = 1 + len(beside)
            sample = tuple((role, _shape_in_row(shape, 0, room)) for role, shape in sample)
            shapes = enumerate(beside, start=1)
            sample += tuple(
                (each.role, _shape_in_row(sign_drawing(each, 0, 0, ARROW_SIGN_SCALE), at, room))
                for at, (each, _) in shapes
            )
        yield LegendRow(words, sample)
    for kind in kinds:
        path = f'<path{DASHES_BY_LINE_KIND[kind]} stroke-width="4" d="M-13 0h26"/>'
        yield LegendRow(LINE_KIND_WORDS[kind], (("path", path),))


def region_legend_rows(words: Iterable[str]) -> Iterator[LegendRow]:
    """The lines of a legend of regions, in their order, the words of each given."""
    for region_words, dashes in zip(words, REGION_DASHES, strict=False):
        yield LegendRow(
            region_words,
            (("ink", f'<path{_dash_attribute(dashes)} stroke-width="2" d="M-13 0h26"/>'),),
        )


def _shape_in_row(shape: str, number: int, of: int) -> str:
    """One of so many shapes side by side, all as wide as a sign; the first is an arrow."""
    place = number * 32 / of - 11
    return f'<g transform="translate({short(place)}) scale({short(2 / (of + 1))})">{shape}</g>'


def _legend_sample(sign: Sign, arrow: int, home_piece_svg: str) -> Iterable[tuple[str, str]]:
    if sign == ARROW_SIGN:
        # In one of the eight directions, clockwise from forward.
        turn = f"rotate({45 * arrow})"
        yield sign.role, f'<path stroke-width="4" transform="{turn}" d="M0 10v-18m-6 6l6-7l6 7"/>'
    elif sign == HOME_SIGN and home_piece_svg:
        yield (
            "ink",
            f'<g stroke="none" transform="scale({number(SMALL_LABEL_SCALE)})">{home_piece_svg}</g>',
        )
    elif sign.family in BODY_BY_FAMILY:
        yield piece_fill_role_and_svg(sign.family, 0, 0, SMALL_LABEL_SCALE)
    elif sign.family == "body":
        # As the frame around all of it.
        yield "piece", f'<path{STROKE_ATTRIBUTES} stroke-width="4" d="m-11-11h22v22h-22z"/>'
        return
    if sign.drawing:
        small = sign.family in FAMILIES_AROUND_SQUARE or sign.family in BODY_BY_FAMILY
        yield sign.role, sign_drawing(sign, 0, 0, SMALL_LABEL_SCALE if small else 0.8)


def omitted_lines_note(lines: Lines) -> list[str]:
    """A note where lines are left out."""
    return [TURNS_NOTE if lines.strokes else LINES_OMITTED_NOTE] if lines.cut else []


def _legend_of(diagram: Diagram, entries: list[LegendEntry]) -> Legend:
    """What there is to explain of a diagram; which sign is the piece goes without saying."""
    # The sentence says what signs cannot show.
    remarks = [] if diagram.sentence else [*notes_beyond_signs(diagram)]
    remarks += omitted_lines_note(diagram.lines)
    if diagram.marks.footprint:
        remarks.append(FOOTPRINT_RANGE_NOTE)
    remarks += [f"Note: {diagram.note}"] if diagram.note else []
    signs = tuple(entry for entry in entries if entry.sign != HOME_SIGN)
    kinds = tuple(sorted(line_kinds_of_diagrams([diagram]) - {LineKind.PATH}))
    regions = tuple(name for name, _ in diagram.marks.region_squares)
    return Legend(signs, kinds, regions, tuple(remarks))


class Legend(NamedTuple):
    """What a legend explains, and what it says besides."""

    signs: tuple[LegendEntry, ...]
    kinds: tuple[LineKind, ...]
    regions: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def columns(self) -> int:
        """How many columns it has."""
        return max(
            1,
            ceil(
                (len(self.signs) + len(self.kinds) + len(self.regions)) / MAX_LEGEND_ROWS_PER_COLUMN
            ),
        )


# Few pieces have a legend that no other piece has.
@lru_cache(maxsize=512)
def _legend_block(words: Legend, theme: Theme, width: float) -> tuple[str, float]:
    rows = [*legend_rows(words.signs, words.kinds), *region_legend_rows(words.regions)]
    column = LegendColumn(LegendStyle(), 0, 6, width / words.columns - MARGIN)
    column.add_rows_in_columns(rows, words.columns, width / words.columns)
    for remark in words.remarks:
        column.add_text(remark)
    return column.svg(theme), column.y + MARGIN


class LegendStyle(NamedTuple):
    """How a legend is written: size of letters, height of a line, gap after a row, places."""

    size: int = 14
    line: int = 18
    gap: int = 7
    baseline: int = 13
    sample: int = 13
    left: int = 40


class LegendColumn:
    """Rows of a legend one below another, from a point on, in a width; ``y`` is how far down."""

    def __init__(self, look: LegendStyle, x: float, y: float, width: float) -> None:
        self.x, self.y = x, y
        self._look = look
        self._room = width - look.left
        self._samples: dict[str, list[str]] = {}
        self._words: list[str] = []

    def add_row(self, row: LegendRow) -> None:
        """Add a sample with its words."""
        x, y = self.x + self._look.sample, self.y + self._look.baseline - 5
        placement = f"translate({number(x)} {number(y)})"
        for colour, fragment in row.sample:
            moved = f'<g transform="{placement}">{fragment}</g>'
            self._samples.setdefault(colour, []).append(moved)
        self.add_text(row.words)
        self.y += self._look.gap

    def add_rows_in_columns(self, rows: Sequence[LegendRow], count: int, apart: float) -> None:
        """Add rows in so many columns side by side; what comes next stands below all of them."""
        left, top, ends = self.x, self.y, [self.y]
        high = ceil(len(rows) / count)
        for place in range(count):
            self.x, self.y = left + place * apart, top
            for row in rows[place * high : (place + 1) * high]:
                self.add_row(row)
            ends.append(self.y)
        self.x, self.y = left, max(ends)

    def add_text(self, text: str) -> None:
        """Add words alone."""
        size, line, _, baseline, _, left = self._look
        for each in wrapped(text, size, self._room):
            self._words.append(text_path(each, size, x=self.x + left, y=self.y + baseline))
            self.y += line

    def svg(self, theme: Theme) -> str:
        """All that was added."""
        words = group_in_role("ink", theme, *self._words)
        return groups_by_role(self._samples, theme) + words
