"""The diagram of one piece as SVG: squares, lines and signs, its names above, a legend below.

Every sign carries ``data-sign`` and ``data-at``, the square as dx,dy from the piece. What is drawn
often, a sign or a line on a certain square, is made once and remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain
from math import ceil
from typing import Literal, NamedTuple

from alfil.diagrams.elements import (
    BODIES,
    REGION_DASHES,
    STROKED,
    WHOLE_SQUARE,
    Panel,
    around_place,
    body,
    by_role,
    drawn,
    ground_of,
    group,
    moved,
    outline,
    polygon,
)
from alfil.diagrams.elements import ground as sign_ground
from alfil.diagrams.examples import example_of
from alfil.diagrams.glyphs import Face, number, short, text_path, text_width, wrapped
from alfil.diagrams.pieces import escaped
from alfil.diagrams.signs import (
    ARROW,
    HOME_SIGN,
    SIGNS,
    LegendEntry,
    Sign,
    bound_of,
    entries,
    home_signs,
    kinds_of,
    notes,
    signs_on,
)
from alfil.diagrams.subjects import (
    Diagram,
    Exit,
    LineKind,
    Lines,
    Mark,
    Marks,
    Offset,
    Stroke,
    Window,
    in_full,
)
from alfil.diagrams.themes import DEFAULT, Theme
from alfil.squares import Coordinates, labels

SQUARE = 40
HALF = SQUARE // 2
COORDINATES = 14

# Of so many squares a sign on a board is remembered, then it begins anew.
MOST_SQUARES = 256

# How several signs share a square: their places and their size.
SHARED: dict[int, tuple[float, tuple[Offset, ...]]] = {
    1: (1, ((0, 0),)),
    2: (0.66, ((-9, 0), (9, 0))),
    3: (0.6, ((-9, -8), (9, -8), (0, 9))),
    4: (0.56, ((-9, -9), (9, -9), (-9, 9), (9, 9))),
}
CROWDED = (0.42, tuple((x, y) for y in (-12, 0, 12) for x in (-12, 0, 12)))

DASHES = {
    LineKind.PATH: "",
    LineKind.JUMP: ' stroke-dasharray="0 8"',
    LineKind.HOP: ' stroke-dasharray="8 7"',
    LineKind.TAKE: ' stroke-dasharray="12 6 1 6"',
}

MARGIN = 12
ARROW_MARGIN = 26
# A worked example beside a board: the room around it, how far down it begins, and its scale.
EXAMPLE_MARGIN = 22
EXAMPLE_TOP = 38
EXAMPLE_SIZE = 0.6
LABELS_MARGIN = 28
DASHED_ROWS = 'stroke="currentColor" stroke-width="40" stroke-dasharray="40" stroke-linecap="butt"'
NARROWEST = 340
NOTATION_TEXT = 17
SENTENCE_TEXT = 14
TITLE_TEXT = 20
LIMIT_TEXT = 14
# The signs beside an arrow: their size, and that of the numbers after them.
BESIDE_ARROW = 0.5
BESIDE_TEXT = 11
SMALL = 0.6
KIND_WORDS = {
    LineKind.JUMP: "passes here, whatever stands there",
    LineKind.HOP: "goes on over the piece in between",
    LineKind.TAKE: "goes on after a capture",
}


TURNS = "It may turn on its way; lines are drawn up to the first turn."
SWEPT = "Tinted squares are those that some part of it may come to."
ROAMS = "Its ways branch on every square; no lines are drawn."


class Place(NamedTuple):
    """Where a board stands: its window, the corner at the far left, and its coordinates."""

    window: Window
    left: float
    top: float
    coordinates: Coordinates = "chess"

    def middle(self, at: Offset) -> tuple[float, float]:
        """The middle of a square."""
        return (
            self.left + (at[0] + self.window.west) * SQUARE + HALF,
            self.top + (self.window.north - at[1]) * SQUARE + HALF,
        )

    def colour(self, at: Offset) -> Literal["light", "dark"]:
        """The role of a square's colour: the corner at the near left of a real board is dark."""
        window = self.window
        own = (window.west + window.south) % 2 == 0 if window.ranks else False
        return "dark" if (sum(at) % 2 == 0) == own else "light"


def board(diagram: Diagram, place: Place, theme: Theme) -> str:
    """The squares, lines and marks of a diagram."""
    return ground(place, theme) + figure(diagram, place, theme)


def figure(diagram: Diagram, place: Place, theme: Theme) -> str:
    """What stands on the squares of a picture: lines, marks and pieces."""
    return "".join(
        [
            _regions(diagram, place, theme),
            _footprint(diagram, place, theme),
            _lines(diagram, place, theme),
            _grounds(diagram, place, theme),
            _others(diagram, place, theme),
            _signs(diagram, place, theme),
            piece_at(diagram, place, theme),
        ]
    )


def _regions(diagram: Diagram, place: Place, theme: Theme) -> str:
    """The lines around regions."""
    paths = (
        f'<path data-region="{escaped(name)}"{_dashed(dashes)} d="{path}"/>'
        for name, dashes, path in outlines(diagram.marks, place)
    )
    return group("ink", theme, *paths, attributes=f'{STROKED} stroke-width="2"')


def outlines(marks: Marks, place: Place) -> Iterator[tuple[str, str, str]]:
    """The regions of a diagram: the name of each, and its line with the dashes it has."""
    for order, (name, squares) in enumerate(marks.outlined[: len(REGION_DASHES)]):
        path = outline(squares, order, SQUARE, place.middle, place.window.shows)
        yield name, REGION_DASHES[order], path


def _dashed(dashes: str) -> str:
    return f' stroke-dasharray="{dashes}"' if dashes else ""


@lru_cache(maxsize=64)
def ground(place: Place, theme: Theme) -> str:
    """The squares and the grid, and on a real board the names of files and ranks."""
    window, left, top, _ = place
    files, ranks = window.width, window.height
    x, y, right = number(left), number(top), left + files * SQUARE
    whole = f"M{x} {y}h{files * SQUARE}v{ranks * SQUARE}H{x}z"
    # Every row is one dashed line.
    dark = "".join(
        f"M{number(left + start * SQUARE)} {number(top + row * SQUARE + HALF)}H{number(right)}"
        for row, squares in enumerate(window.rows())
        if (start := int(place.colour(squares[0]) == "light")) < files
    )
    wide, high = files * SQUARE, ranks * SQUARE
    # To and fro, then up and down; from one line to the next it runs along the edge.
    across = "v40".join(f"h{'-' * (row % 2)}{wide}" for row in range(ranks + 1))
    along = "h40".join(f"v{'-' * (file % 2)}{high}" for file in range(files + 1))
    grid = f"M{x} {y}{across}M{x} {y}{along}"
    names = _coordinates(place, theme) if window.ranks else ""
    return (
        group("light", theme, f'<path d="{whole}"/>')
        + group("dark", theme, f'<path {DASHED_ROWS} d="{dark}"/>')
        + group("grid", theme, f'<path{STROKED} stroke-width="1" d="{grid}"/>')
        + names
    )


def _coordinates(place: Place, theme: Theme) -> str:
    """Files above and ranks on the right in shogi; below and on the left in chess."""
    window, left, top, coordinates = place
    files, ranks = window.width, window.height
    words = []
    by_file, by_rank = labels(files, ranks, coordinates)
    chess = coordinates == "chess"
    y = top + ranks * SQUARE + 17 if chess else top - 8
    for rank, text in enumerate(by_rank):
        x = left - 8 - text_width(text, COORDINATES) if chess else left + files * SQUARE + 8
        words.append(text_path(text, COORDINATES, x=x, y=top + (ranks - rank) * SQUARE - 14))
    for file, text in enumerate(by_file):
        x = left + file * SQUARE + HALF - text_width(text, COORDINATES) / 2
        words.append(text_path(text, COORDINATES, x=x, y=y))
    return group("quiet", theme, *words)


def _footprint(diagram: Diagram, place: Place, theme: Theme) -> str:
    """What a piece of several squares takes up, framed and tinted, and where all of it may come.

    On a real board only what lies on it is seen.
    """
    own = diagram.marks.body
    if not own:
        return ""
    tinted = "".join(map(partial(_square_at, place=place), sorted(diagram.marks.swept)))
    kept = "".join(map(partial(_square_at, place=place), sorted(own)))
    wide, high = (max(each) + 1 for each in zip(*own, strict=True))
    left, top = place.middle((0, high - 1))
    frame = f"M{number(left - 17)} {number(top - 17)}"
    frame += f"h{wide * SQUARE - 6}v{high * SQUARE - 6}h{6 - wide * SQUARE}z"
    return (
        group(
            "either",
            theme,
            f'<path data-swept="" d="{tinted}"/>',
            attributes=' fill-opacity="0.14"',
        )
        + group("piece", theme, f'<path d="{kept}"/>', attributes=' fill-opacity="0.3"')
        + group(
            "piece",
            theme,
            f'<path data-footprint="" stroke-width="4" d="{frame}"/>',
            attributes=STROKED,
        )
    )


def _square_at(at: Offset, place: Place) -> str:
    """The outline of a square as a part of a path; nothing of one beside the board."""
    if not place.window.shows(at):
        return ""
    x, y = place.middle(at)
    return f"M{number(x - HALF)} {number(y - HALF)}h{SQUARE}v{SQUARE}h-{SQUARE}z"


def _lines(diagram: Diagram, place: Place, theme: Theme) -> str:
    paths = [stroke_at(each, place) for each in diagram.lines.strokes]
    paths += [_exit(each, place) for each in diagram.lines.exits]
    return group("path", theme, *paths, attributes=f'{STROKED} stroke-width="4"')


@lru_cache(maxsize=16384)
def stroke_at(stroke: Stroke, place: Place) -> str:
    """A line on a board."""
    x, y = place.middle(stroke.start)
    dx, dy = (each * stroke.steps * SQUARE for each in stroke.step)
    path = f"M{number(x)} {number(y)}l{number(dx)} {number(-dy)}"
    return f'<path{DASHES[stroke.kind]} d="{path}"/>'


class Tip(NamedTuple):
    """Where an arrow leaves a board, and the direction it leaves in, of length 1; y downwards."""

    x: float
    y: float
    ux: float
    uy: float

    def beside(self, number: int, room: float = 0) -> tuple[float, float]:
        """A place beside the tip, by turns on one side and on the other, with room on its right."""
        away = 13 * (1 + number // 2) * (1 if number % 2 else -1)
        left = room if away * self.uy < -1 else 0
        return self.x + away * self.uy - left, self.y - away * self.ux


def _tip(leaving: Exit, place: Place) -> Tip:
    (x, y), (dx, dy) = place.middle(leaving.at), leaving.step
    window, (file, rank) = place.window, leaving.at
    across = window.east - file if dx > 0 else window.west + file
    along = window.north - rank if dy > 0 else window.south + rank
    share = min((room + 0.5) / abs(by) for room, by in ((across, dx), (along, dy)) if by)
    length = (dx * dx + dy * dy) ** 0.5
    ux, uy = dx / length, -dy / length
    return Tip(x + dx * share * SQUARE + 6 * ux, y - dy * share * SQUARE + 6 * uy, ux, uy)


class Arrowhead(NamedTuple):
    """The end of an arrow: its tip, and what stands beside it.

    ``limit`` is how far all that goes on there goes at most, if it is written; the ``signs`` say
    what does, each with its place and how far it goes, 0 for no number.
    """

    tip: Tip
    limit: int | None
    signs: tuple[tuple[Sign, tuple[float, float], int], ...]


@lru_cache(maxsize=16384)
def _arrowhead(leaving: Exit, place: Place) -> Arrowhead:
    tip, bound = _tip(leaving, place), bound_of(leaving.onward, leaving.limit)
    signs = []
    for each, (sign, far) in enumerate(bound.beside, start=bool(bound.limit)):
        room = text_width(str(far), BESIDE_TEXT) if far else 0
        signs.append((sign, tip.beside(each, room), far))
    return Arrowhead(tip, bound.limit, tuple(signs))


@lru_cache(maxsize=16384)
def _exit(leaving: Exit, place: Place) -> str:
    """A line from a square to the edge, an arrowhead beyond it, and how far it goes at most."""
    (x, y), (tip, most, signs) = place.middle(leaving.at), _arrowhead(leaving, place)
    ux, uy = tip.ux, tip.uy
    head = polygon((9 * ux, 9 * uy), (-5 * uy, 5 * ux), (5 * uy, -5 * ux))
    at = f' data-exit="{leaving.at[0]},{leaving.at[1]}"'
    start, end = f"M{number(x)} {number(y)}", f"M{number(tip.x)} {number(tip.y)}"
    texts = []
    for _, (left, down), far in signs:
        low = down + BESIDE_TEXT / 3
        texts += [text_path(str(far), BESIDE_TEXT, x=left + 6, y=low)] if far else []
    if most:
        left, down = tip.beside(0)
        low = down + LIMIT_TEXT / 3
        texts.append(text_path(str(most), LIMIT_TEXT, "middle", x=left, y=low))
    limit = f'<g fill="currentColor" stroke="none">{"".join(texts)}</g>' if texts else ""
    return (
        f'<path{at}{DASHES[leaving.kind]} d="{start}l{number(tip.x - x)} {number(tip.y - y)}"/>'
        f'<path fill="currentColor" stroke-width="1.5" d="{end}{head}"/>{limit}'
    )


def _onward_at(leaving: Exit, place: Place) -> Iterator[tuple[str, str]]:
    """The signs beside an arrow, each with its role: what goes on there."""
    data = f' data-at="{leaving.at[0]},{leaving.at[1]}"'
    for sign, (x, y), _ in _arrowhead(leaving, place).signs:
        yield sign.role, drawn(sign, x, y, BESIDE_ARROW, f' data-onward="{sign.name}"{data}')


class Spot(NamedTuple):
    """One of the signs of a mark, its place in the square and its size."""

    sign: Sign
    x: int = 0
    y: int = 0
    size: float = 1


@lru_cache(maxsize=4096)
def spots_of(mark: Mark) -> tuple[Spot, ...]:
    """The signs of a mark, each in its place; marked corners leave the square to the others."""
    signs = signs_on(mark)
    corners = [Spot(sign) for sign in signs if sign.family == "over"]
    # What a piece takes up is framed as a whole.
    inside = [sign for sign in signs if sign.family not in {"over", "body"}]
    size, places = SHARED.get(len(inside), CROWDED)
    shared = zip(inside, places, strict=False)
    return (*corners, *(Spot(sign, x, y, size) for sign, (x, y) in shared))


# Where signs stand on the square of the piece: in its corners, small, the upper ones first.
BESIDE_PIECE = ((14, -13, 0.42), (-14, -13, 0.42), (15, 13, 0.4), (-15, 13, 0.4))


def _signs(diagram: Diagram, place: Place, theme: Theme) -> str:
    fragments: dict[str, list[str]] = {}
    x, y = place.middle((0, 0))
    for sign, corner in zip(home_signs(diagram.marks), BESIDE_PIECE, strict=False):
        shape = sign_at(Spot(sign, *corner), x, y, (0, 0))
        fragments.setdefault(sign.role, []).append(shape)
    for leaving in diagram.lines.exits:
        for role, shape in _onward_at(leaving, place):
            fragments.setdefault(role, []).append(shape)
    shown = _shown(place)
    for mark, squares in diagram.marks.alike:
        for role, signs in shown[mark]:
            rows = [[*map(each.__getitem__, squares)] for each in signs]
            # Square by square, the signs of one square together.
            found = rows[0] if len(rows) == 1 else chain.from_iterable(zip(*rows, strict=True))
            fragments.setdefault(role, []).extend(found)
    return by_role(fragments, theme)


class _Shown(dict[Mark, list[tuple[str, list["_OnSquares"]]]]):
    """The signs of a mark on a board: each role with its signs, by square."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self._place = place

    def __missing__(self, mark: Mark) -> list[tuple[str, list[_OnSquares]]]:
        if len(self) >= MOST_SQUARES:
            self.clear()
        drawn: dict[str, list[_OnSquares]] = {}
        for spot in spots_of(mark):
            drawn.setdefault(spot.sign.role, []).append(_written(spot, self._place))
        self[mark] = found = [*drawn.items()]
        return found


_shown = lru_cache(maxsize=64)(_Shown)


def _grounds(diagram: Diagram, place: Place, theme: Theme) -> str:
    """The squares again under signs that are not full, where lines would show through."""
    hollow = [(spots, squares) for mark, squares in diagram.marks.alike if (spots := hollows(mark))]
    if not hollow:
        return ""
    crossed = diagram.lines.crossed(place.window)
    grounds: dict[str, list[str]] = {"light": [], "dark": []}
    own, other = (grounds[place.colour(at)] for at in ((0, 0), (1, 0)))
    for spots, squares in hollow:
        below = [_written(spot, place, ground=True) for spot in spots]
        for at in filter(crossed.__contains__, squares):
            found = other if sum(at) % 2 else own
            for written in below:
                found.append(written[at])
    return "".join(group(each, theme, *grounds[each]) for each in grounds)


@lru_cache(maxsize=512)
def _written(spot: Spot, place: Place, *, ground: bool = False) -> _OnSquares:
    """A sign by square, as `sign_at` draws it, or its ground; nothing on those beside the board."""
    return _OnSquares(spot, place, ground=ground)


class _OnSquares(dict[Offset, str]):
    """A sign on the squares of a board, each written when it is asked for first."""

    def __init__(self, spot: Spot, place: Place, *, ground: bool) -> None:
        super().__init__()
        name, (x, y) = spot.sign.name, place.middle((0, 0))
        self._window, self._x, self._y = place.window, x + spot.x, y + spot.y
        begin, between, end = around_place(spot.size)
        data = "" if ground else f' data-sign="{name}" data-at="%d,%d"'
        used = f'href="#{"ground" if ground else "sign"}.{name}"'
        self._pattern = f"<use{data} {used}{begin}%s{between}%s{end}/>"
        self._ground = ground

    def __missing__(self, at: Offset) -> str:
        if len(self) >= MOST_SQUARES:
            self.clear()
        written = ""
        if self._window.shows(at):
            places = short(self._x + at[0] * SQUARE), short(self._y - at[1] * SQUARE)
            written = self._pattern % (places if self._ground else at + places)
        self[at] = written
        return written


@lru_cache(maxsize=4096)
def hollows(mark: Mark) -> tuple[Spot, ...]:
    """The signs of a mark below which lines end."""
    return tuple(spot for spot in spots_of(mark) if ground_of(spot.sign))


def ground_at(spot: Spot, x: float, y: float) -> str:
    """What lies under one sign on one square."""
    return sign_ground(spot.sign, x + spot.x, y + spot.y, spot.size)


def sign_at(spot: Spot, x: float, y: float, at: Offset) -> str:
    """One sign on one square."""
    data = f' data-sign="{spot.sign.name}" data-at="{at[0]},{at[1]}"'
    return drawn(spot.sign, x + spot.x, y + spot.y, spot.size, data)


def _others(diagram: Diagram, place: Place, theme: Theme) -> str:
    """The other pieces of a position."""
    if not diagram.marks.standing:
        return ""
    bodies: dict[str, list[str]] = {}
    outlines: dict[str, list[str]] = {}
    for at, standing in diagram.marks.standing.items():
        if not place.window.shows(at):
            continue
        sign = SIGNS[standing]
        x, y = place.middle(at)
        if sign.family in BODIES:
            colour, shape = body(sign.family, x, y)
            bodies.setdefault(colour, []).append(shape)
        data = f' data-standing="{sign.name}" data-at="{at[0]},{at[1]}"'
        outlines.setdefault(sign.role, []).append(drawn(sign, x, y, 1, data))
    return by_role(bodies, theme) + by_role(outlines, theme)


def piece_at(diagram: Diagram, place: Place, theme: Theme) -> str:
    """The piece itself; a name of one or two letters is written on it."""
    x, y = place.middle((0, 0))
    if diagram.token:
        return f'<g transform="translate({number(x)} {number(y)})">{diagram.token}</g>\n'
    _, wedge = body("piece", x, y)
    text = diagram.label if 1 <= len(diagram.label) <= 2 else ""  # noqa: PLR2004 - one or two
    letters = text_path(text, 16, "middle", x=x, y=y + 8, face="bold") if text else ""
    return group("piece", theme, wedge) + group("letter", theme, letters)


def panel(diagram: Diagram, theme: Theme = DEFAULT, *, legend: bool = True) -> Panel:
    """A picture as a panel: its title, the board, and below it the legend unless left out.

    With the legend comes an example, beside the board, of what is done to others on the way.
    """
    example = example_of(diagram) if legend else None
    around = frame(diagram, theme, legend=legend, example=example)
    # Boards of one size are drawn alike wherever they stand, so signs are written once for all.
    window, left, top, coordinates = around.place
    drawn = board(diagram, Place(window, 0, 0, coordinates), theme)
    whole = around.head + moved(drawn, left, top)
    if example:
        whole += _example(example, around.place, theme)
    return Panel(around.width, around.height, whole + around.tail)


def _example(example: Diagram, beside: Place, theme: Theme) -> str:
    """A small board with its heading, right of another."""
    left = beside.left + beside.window.width * SQUARE + ARROW_MARGIN + EXAMPLE_MARGIN
    heading = text_path("for example:", SENTENCE_TEXT, x=left, y=beside.top + SENTENCE_TEXT)
    place = Place(example.marks.window, 0, 0)
    corner = f"translate({number(left)} {number(beside.top + EXAMPLE_TOP)})"
    small = f'<g data-example="" transform="{corner} scale({number(EXAMPLE_SIZE)})">'
    return f"{group('ink', theme, heading)}{small}{board(example, place, theme)}</g>\n"


def small_board(example: Diagram, theme: Theme) -> Panel:
    """The board of an example as a panel of its own."""
    window = example.marks.window
    place = Place(window, ARROW_MARGIN, ARROW_MARGIN)
    wide, high = (each * SQUARE + 2 * ARROW_MARGIN for each in (window.width, window.height))
    return Panel(wide, high, board(example, place, theme))


def _example_extent(example: Diagram | None) -> tuple[int, int]:
    """How much room an example takes beside a board, and how far down it goes; whole numbers."""
    if not example:
        return 0, 0
    squares = ceil(EXAMPLE_SIZE * (example.marks.window.width * SQUARE + ARROW_MARGIN))
    return 2 * EXAMPLE_MARGIN + squares, EXAMPLE_TOP + squares


class Frame(NamedTuple):
    """What stands around a board: above it, below it, and where the board itself goes."""

    width: float
    height: float
    head: str
    tail: str
    place: Place


def frame(
    diagram: Diagram,
    theme: Theme = DEFAULT,
    *,
    legend: bool = True,
    example: Diagram | None = None,
) -> Frame:
    """The frame of a picture: its title, and the legend unless left out, with room beside it."""
    window = diagram.marks.window
    side = LABELS_MARGIN if window.ranks else ARROW_MARGIN if diagram.lines.exits else MARGIN
    wide, high = _example_extent(example)
    width = window.width * SQUARE + 2 * side + wide
    if legend:
        width = max(width, NARROWEST)
    left = side
    sentence = in_full(diagram.sentence)
    head, y = _header(diagram.names, sentence, theme, left, width - left - MARGIN)
    chess = window.ranks and diagram.marks.coordinates == "chess"
    top = y + (MARGIN if chess else side)
    place = Place(window, left, top, diagram.marks.coordinates)
    below = top + max(window.height * SQUARE, high) + side
    tail = ""
    if legend:
        tail, below = _legend(diagram, theme, below, width, example)
    return Frame(width, below, head, tail, place)


@lru_cache(maxsize=1024)
def _header(
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
        parts.append(group(colour, theme, *lines))
    told = []
    for line in wrapped(sentence, SENTENCE_TEXT, room):
        y += 18
        told.append(text_path(line, SENTENCE_TEXT, x=left, y=y + 6))
    parts.append(group("ink", theme, *told))
    return "".join(parts), y + 8 + bool(told) * 4 if y else y


class Row(NamedTuple):
    """A line of the legend: its words, and a sample in parts, each with the role of its colour."""

    words: str
    sample: tuple[tuple[str, str], ...]


def legend_rows(
    legend: tuple[LegendEntry, ...], kinds: tuple[LineKind, ...], token: str = ""
) -> Iterable[Row]:
    """The lines of a legend of signs and kinds of lines, with samples around (0, 0).

    ``token`` is how the piece itself is drawn, where that is not the plain wedge.
    """
    for sign, words, arrow, beside in legend:
        sample = tuple(_sample(sign, arrow, token))
        if beside:
            room = 1 + len(beside)
            sample = tuple((role, _shifted(shape, 0, room)) for role, shape in sample)
            shapes = enumerate(beside, start=1)
            sample += tuple(
                (each.role, _shifted(drawn(each, 0, 0, BESIDE_ARROW), at, room))
                for at, (each, _) in shapes
            )
        yield Row(words, sample)
    for kind in kinds:
        path = f'<path{DASHES[kind]} stroke-width="4" d="M-13 0h26"/>'
        yield Row(KIND_WORDS[kind], (("path", path),))


def rows_of_regions(words: Iterable[str]) -> Iterator[Row]:
    """The lines of a legend of regions, in their order, the words of each given."""
    for told, dashes in zip(words, REGION_DASHES, strict=False):
        yield Row(told, (("ink", f'<path{_dashed(dashes)} stroke-width="2" d="M-13 0h26"/>'),))


def _shifted(shape: str, number: int, of: int) -> str:
    """One of so many shapes side by side, around the middle of them all."""
    return f'<g transform="translate({short(12 * number - 6 * (of - 1))})">{shape}</g>'


def _sample(sign: Sign, arrow: int, token: str) -> Iterable[tuple[str, str]]:
    if sign == ARROW:
        # In one of the eight directions, clockwise from forward.
        turn = f"rotate({45 * arrow})"
        yield sign.role, f'<path stroke-width="4" transform="{turn}" d="M0 10v-18m-6 6l6-7l6 7"/>'
    elif sign == HOME_SIGN and token:
        yield "ink", f'<g stroke="none" transform="scale({number(SMALL)})">{token}</g>'
    elif sign.family in BODIES:
        yield body(sign.family, 0, 0, SMALL)
    elif sign.family == "body":
        # As the frame around all of it.
        yield "piece", f'<path{STROKED} stroke-width="4" d="m-11-11h22v22h-22z"/>'
        return
    if sign.drawing:
        small = sign.family in WHOLE_SQUARE or sign.family in BODIES
        yield sign.role, drawn(sign, 0, 0, SMALL if small else 0.8)


def left_out(lines: Lines) -> list[str]:
    """A note where lines are left out."""
    return [TURNS if lines.strokes else ROAMS] if lines.cut else []


def _legend(
    diagram: Diagram, theme: Theme, top: float, width: float, example: Diagram | None
) -> tuple[str, float]:
    """The signs used and their words, and where the picture ends."""
    # The sentence says what signs cannot show.
    remarks = [] if diagram.sentence else [*notes(diagram.marks)]
    remarks += left_out(diagram.lines)
    if diagram.marks.body:
        remarks.append(SWEPT)
    remarks += [f"Note: {diagram.note}"] if diagram.note else []
    legend = tuple(entries(diagram.marks, example.marks if example else None))
    both = [diagram, *([example] if example else [])]
    kinds = tuple(sorted(kinds_of(both) - {LineKind.PATH}))
    regions = tuple(name for name, _ in diagram.marks.outlined)
    words = Legend(legend, kinds, regions, tuple(remarks), diagram.token)
    drawn, high = _explained(words, theme, width)
    return moved(drawn, 0, top), top + high


class Legend(NamedTuple):
    """What a legend explains, what it says besides, and how the piece itself is drawn."""

    signs: tuple[LegendEntry, ...]
    kinds: tuple[LineKind, ...]
    regions: tuple[str, ...]
    remarks: tuple[str, ...]
    token: str


# Few pieces have a legend that no other piece has.
@lru_cache(maxsize=512)
def _explained(words: Legend, theme: Theme, width: float) -> tuple[str, float]:
    column = LegendColumn(Lettering(), 0, 6, width - MARGIN)
    for row in legend_rows(words.signs, words.kinds, words.token):
        column.row(row)
    for row in rows_of_regions(words.regions):
        column.row(row)
    for remark in words.remarks:
        column.write(remark)
    return column.drawn(theme), column.y + MARGIN


class Lettering(NamedTuple):
    """How a legend is written: size of letters, height of a line, gap after a row, places."""

    size: int = 14
    line: int = 18
    gap: int = 7
    baseline: int = 13
    sample: int = 26
    left: int = 48


class LegendColumn:
    """Rows of a legend one below another, from a point on, in a width.

    ``y`` is how far down they go. For the next column both places may be changed.
    """

    def __init__(self, look: Lettering, x: float, y: float, width: float) -> None:
        self.x, self.y = x, y
        self._look = look
        self._room = width - look.left
        self._samples: dict[str, list[str]] = {}
        self._words: list[str] = []

    def row(self, row: Row) -> None:
        """Add a sample with its words."""
        x, y = self.x + self._look.sample, self.y + self._look.baseline - 5
        place = f"translate({number(x)} {number(y)})"
        for colour, fragment in row.sample:
            moved = f'<g transform="{place}">{fragment}</g>'
            self._samples.setdefault(colour, []).append(moved)
        self.write(row.words)
        self.y += self._look.gap

    def write(self, text: str) -> None:
        """Add words alone."""
        size, line, _, baseline, _, left = self._look
        for each in wrapped(text, size, self._room):
            self._words.append(text_path(each, size, x=self.x + left, y=self.y + baseline))
            self.y += line

    def drawn(self, theme: Theme) -> str:
        """All that was added."""
        words = group("ink", theme, *self._words)
        return by_role(self._samples, theme) + words
