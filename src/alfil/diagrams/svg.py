"""Pictures as SVG: strings put together in one fixed order, so that they are the same every time.

Everything is a path, letters too, so a picture looks alike in a browser, on paper and as PNG. The
colours of the theme stand as they are on groups, one for each role; where the theme has a night
side, one style gives the same groups other colours on a dark screen. Every sign carries
``data-sign`` and ``data-at``, the square as dx,dy from the piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from alfil.diagrams.glyphs import Face, text_path, text_width, wrapped
from alfil.diagrams.lines import Exit, Kind, Stroke
from alfil.diagrams.marks import Mark, Offset, Window
from alfil.diagrams.picture import (
    LONGEST_DESCRIPTION,
    LONGEST_LABEL,
    LONGEST_NOTATION,
    Picture,
    shown,
)
from alfil.diagrams.shapes import BODIES, body, drawn, name, number, polygon, role
from alfil.diagrams.text import STANDS, Entry, Family, Sign, entries, notes, signs_on
from alfil.diagrams.themes import DEFAULT, ROLES, Theme
from alfil.geometry import file_name

if TYPE_CHECKING:
    from alfil.diagrams.formats import Look

SQUARE = 40
HALF = SQUARE // 2
MARGIN = 12
ARROW_MARGIN = 26
LABELS_MARGIN = 28
NARROWEST = 290
LEGEND_TEXT = 14
NOTATION_TEXT = 17
TITLE_TEXT = 20
ROW = 25
LINE = 18
SMALL = 0.6
WORDS_AT = 48

# How several signs share a square: their places and their size.
SHARED: dict[int, tuple[float, tuple[Offset, ...]]] = {
    1: (1, ((0, 0),)),
    2: (0.66, ((-9, 0), (9, 0))),
    3: (0.6, ((-9, -8), (9, -8), (0, 9))),
    4: (0.56, ((-9, -9), (9, -9), (-9, 9), (9, 9))),
}
CROWDED = (0.42, tuple((x, y) for y in (-12, 0, 12) for x in (-12, 0, 12)))

DASHES = {
    Kind.PATH: "",
    Kind.JUMP: ' stroke-dasharray="0 8"',
    Kind.HOP: ' stroke-dasharray="8 7"',
    Kind.TAKE: ' stroke-dasharray="12 6 1 6"',
}
FILLED = ' fill="currentColor"'
STROKED = ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
KIND_WORDS = {
    Kind.JUMP: "passes here, whatever stands there",
    Kind.HOP: "goes on over the piece in between",
    Kind.TAKE: "goes on after a capture",
}


class Panel(NamedTuple):
    """A picture that can be placed in a larger one: its size, and what is drawn from (0, 0) on."""

    width: float
    height: float
    body: str


def svg(picture: Picture, theme: Theme = DEFAULT) -> str:
    """A picture as an SVG document."""
    return document(panel(picture, theme), theme, picture.title, picture.description)


def rendered(picture: Picture, look: Look) -> str:
    """A picture as an SVG document, as wide as asked for."""
    content = panel(picture, look.theme)
    return document(content, look.theme, picture.title, picture.description, look.size)


def document(
    content: Panel, theme: Theme, title: str, description: str, size: int | None = None
) -> str:
    """A whole SVG document around a panel, with the words for those who do not see it.

    ``size`` is the width it is shown in, its own unless given.
    """
    width, height = number(content.width), number(content.height)
    wide, high = width, height
    if size is not None:
        wide, high = str(size), number(size * content.height / content.width)
    told = shown(description, LONGEST_DESCRIPTION)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {width} {height}" role="img">\n'
        f"<title>{escape(shown(title, LONGEST_NOTATION))}</title>\n<desc>{escape(told)}</desc>\n"
        f"{_style(theme)}"
        + group("paper", theme, f'<path fill="currentColor" d="M0 0h{width}v{height}h-{width}z"/>')
        + f"{content.body}</svg>\n"
    )


def group(role: str, theme: Theme, *content: str, attributes: str = "") -> str:
    """What is drawn in the colour of one role; nothing when there is no content."""
    inner = "".join(content)
    if not inner:
        return ""
    named = f' class="alfil-{role}"' if theme.night else ""
    return f'<g{named} color="{getattr(theme, role)}"{attributes}>{inner}</g>\n'


@lru_cache(maxsize=8)
def _style(theme: Theme) -> str:
    """The colours for a dark screen."""
    night = theme.night
    if night is None:
        return ""
    rules = "".join(f".alfil-{role}{{color:{getattr(night, role)}}}" for role in ROLES)
    return f"<style>@media (prefers-color-scheme:dark){{{rules}}}</style>\n"


def lettering(text: str, x: float, y: float, size: float, face: Face = "sans") -> str:
    """A line of text with its baseline starting at a point, in ems so high."""
    return text_path(text, size, x=x, y=y, face=face).svg


def panel(picture: Picture, theme: Theme = DEFAULT, *, legend: bool = True) -> Panel:
    """A picture as a panel: its title, the board, and below it the legend unless left out."""
    window = picture.marks.window
    side = LABELS_MARGIN if window.ranks else ARROW_MARGIN if picture.lines.exits else MARGIN
    files, ranks = window.west + window.east + 1, window.south + window.north + 1
    width = files * SQUARE + 2 * side
    if legend:
        width = max(width, NARROWEST)
    left = side
    head, y = _header(picture, theme, left, width)
    top = y + (side if not window.ranks else MARGIN)
    place = Place(window, left, top)
    below = top + ranks * SQUARE + side
    parts = [head, board(picture, place, theme)]
    if legend:
        words, below = _legend(picture, theme, below, width)
        parts.append(words)
    return Panel(width, below, "".join(parts))


class Place(NamedTuple):
    """Where a board stands: its window, and the corner at the far left."""

    window: Window
    left: float
    top: float

    def middle(self, at: Offset) -> tuple[float, float]:
        """The middle of a square."""
        return (
            self.left + (at[0] + self.window.west) * SQUARE + HALF,
            self.top + (self.window.north - at[1]) * SQUARE + HALF,
        )


def board(picture: Picture, place: Place, theme: Theme) -> str:
    """The squares, lines and marks of a picture."""
    return "".join(
        [
            _ground(place, theme),
            _lines(picture, place, theme),
            _others(picture, place, theme),
            _signs(picture, place, theme),
            _piece(picture, place, theme),
        ]
    )


@lru_cache(maxsize=64)
def _ground(place: Place, theme: Theme) -> str:
    """The squares and the grid, and on a real board the names of files and ranks."""
    window, left, top = place
    files, ranks = window.west + window.east + 1, window.south + window.north + 1
    x, y = number(left), number(top)
    whole = f"M{x} {y}h{files * SQUARE}v{ranks * SQUARE}h-{files * SQUARE}z"
    odd = (window.west + window.north) % 2 if not window.ranks else ranks % 2
    dark = "".join(
        f"M{number(left + file * SQUARE)} {number(top + row * SQUARE)}h40v40h-40z"
        for row in range(ranks)
        for file in range(files)
        if (file + row + odd) % 2
    )
    grid = "".join(
        [
            *(f"M{x} {number(top + row * SQUARE)}h{files * SQUARE}" for row in range(ranks + 1)),
            *(f"M{number(left + file * SQUARE)} {y}v{ranks * SQUARE}" for file in range(files + 1)),
        ]
    )
    names = _coordinates(place, theme) if window.ranks else ""
    return (
        group("light", theme, f'<path fill="currentColor" d="{whole}"/>')
        + group("dark", theme, f'<path fill="currentColor" d="{dark}"/>')
        + group("grid", theme, f'<path{STROKED} d="{grid}"/>')
        + names
    )


def _coordinates(place: Place, theme: Theme) -> str:
    window, left, top = place
    ranks = window.south + window.north + 1
    words = []
    for rank in range(ranks):
        text = str(rank + 1)
        x = left - 8 - text_width(text, LEGEND_TEXT)
        words.append(lettering(text, x, top + (ranks - rank) * SQUARE - 14, LEGEND_TEXT))
    for file in range(window.west + window.east + 1):
        text = file_name(file)
        x = left + file * SQUARE + HALF - text_width(text, LEGEND_TEXT) / 2
        words.append(lettering(text, x, top + ranks * SQUARE + 17, LEGEND_TEXT))
    return group("quiet", theme, *words, attributes=FILLED)


def _lines(picture: Picture, place: Place, theme: Theme) -> str:
    paths = [_stroke(each, place) for each in picture.lines.strokes]
    paths += [_exit(each, place) for each in picture.lines.exits]
    return group("path", theme, *paths, attributes=f'{STROKED} stroke-width="4"')


def _stroke(stroke: Stroke, place: Place) -> str:
    x, y = place.middle(stroke.start)
    dx, dy = (each * stroke.steps * SQUARE for each in stroke.step)
    path = f"M{number(x)} {number(y)}l{number(dx)} {number(-dy)}"
    return f'<path{DASHES[stroke.kind]} d="{path}"/>'


def _exit(leaving: Exit, place: Place) -> str:
    """A line from a square to the edge, and an arrowhead beyond it."""
    (x, y), (dx, dy) = place.middle(leaving.at), leaving.step
    west, east, south, north = (
        (each + 0.5)
        for each in (
            place.window.west + leaving.at[0],
            place.window.east - leaving.at[0],
            place.window.south + leaving.at[1],
            place.window.north - leaving.at[1],
        )
    )
    across = (east if dx > 0 else west) / abs(dx) if dx else None
    along = (north if dy > 0 else south) / abs(dy) if dy else None
    share = min(each for each in (across, along) if each is not None)
    length = (dx * dx + dy * dy) ** 0.5
    ux, uy = dx / length, -dy / length
    ex, ey = dx * share * SQUARE + 6 * ux, -dy * share * SQUARE + 6 * uy
    head = polygon((9 * ux, 9 * uy), (-5 * uy, 5 * ux), (5 * uy, -5 * ux))
    at = f' data-exit="{leaving.at[0]},{leaving.at[1]}"'
    start, tip = f"M{number(x)} {number(y)}", f"M{number(x + ex)} {number(y + ey)}"
    return (
        f'<path{at}{DASHES[leaving.kind]} d="{start}l{number(ex)} {number(ey)}"/>'
        f'<path fill="currentColor" stroke-width="1.5" d="{tip}{head}"/>'
    )


def _signs(picture: Picture, place: Place, theme: Theme) -> str:
    by_role: dict[str, list[str]] = {}
    for at, mark in picture.marks.squares.items():
        if at != (0, 0) and place.window.shows(at):
            for sign, fragment in _on_square(at, mark, place):
                by_role.setdefault(role(sign), []).append(fragment)
    return in_roles(by_role, theme)


def _others(picture: Picture, place: Place, theme: Theme) -> str:
    """The other pieces of a position."""
    bodies: dict[str, list[str]] = {}
    outlines: dict[str, list[str]] = {}
    for at, standing in picture.marks.standing.items():
        if not place.window.shows(at):
            continue
        sign = Sign(STANDS[standing])
        x, y = place.middle(at)
        if sign.family in BODIES:
            colour, shape = body(sign.family, x, y)
            bodies.setdefault(colour, []).append(shape)
        data = f' data-standing="{name(sign)}" data-at="{at[0]},{at[1]}"'
        outlines.setdefault(role(sign), []).append(drawn(sign, x, y, 1, data))
    return in_roles(bodies, theme) + in_roles(outlines, theme)


def in_roles(fragments: Mapping[str, Iterable[str]], theme: Theme) -> str:
    """Groups in the order of the roles, drawn with lines of the usual width."""
    return "".join(
        group(each, theme, *fragments[each], attributes=f'{STROKED} stroke-width="3"')
        for each in ROLES
        if each in fragments
    )


def _on_square(at: Offset, mark: Mark, place: Place) -> Iterable[tuple[Sign, str]]:
    signs = signs_on(mark)
    x, y = place.middle(at)
    size, places = SHARED.get(len(signs), CROWDED)
    for sign, (dx, dy) in zip(signs, places, strict=False):
        data = f' data-sign="{name(sign)}" data-at="{at[0]},{at[1]}"'
        yield sign, drawn(sign, x + dx, y + dy, size, data)


def _piece(picture: Picture, place: Place, theme: Theme) -> str:
    """The piece itself; a name of one or two letters is written on it."""
    x, y = place.middle((0, 0))
    if picture.token:
        return f'<g transform="translate({number(x)} {number(y)})">{picture.token}</g>\n'
    _, wedge = body(Family.PIECE, x, y)
    text = picture.label if 1 <= len(picture.label) <= 2 else ""  # noqa: PLR2004 - one or two
    letters = text_path(text, 16, "middle", x=x, y=y + 8, face="bold").svg if text else ""
    return group("piece", theme, wedge) + group("letter", theme, letters, attributes=FILLED)


def _header(picture: Picture, theme: Theme, left: float, width: float) -> tuple[str, float]:
    """The name and the notation above the board, and how far down they go."""
    label = shown(picture.label, LONGEST_LABEL)
    notation = shown(picture.notation, LONGEST_NOTATION)
    room = width - left - MARGIN
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
            lines.append(lettering(line, left, y + 2, size, face))
        parts.append(group(colour, theme, *lines, attributes=FILLED))
    return "".join(parts), y + 8 if y else y


class Row(NamedTuple):
    """A line of the legend: its words, and a sample in parts, each with the role of its colour."""

    words: str
    sample: tuple[tuple[str, str], ...]


def legend_rows(signs: Iterable[Entry], kinds: Iterable[Kind], x: float) -> Iterable[Row]:
    """The lines of a legend of signs and kinds of lines, with samples around (x, 0)."""
    for sign, words, arrow in signs:
        match sign.family:
            case Family.PIECE:
                yield Row(words, (body(sign.family, x, 0, SMALL),))
            case Family.ARROW:
                yield Row(words, (("path", _arrow(x, arrow)),))
            case family if family in BODIES:
                outline = (role(sign), drawn(sign, x, 0, SMALL))
                yield Row(words, (body(family, x, 0, SMALL), outline))
            case _:
                yield Row(words, ((role(sign), drawn(sign, x, 0, 0.8)),))
    for kind in sorted({*kinds} - {Kind.PATH}):
        path = f'<path{DASHES[kind]} stroke-width="4" d="M{number(x - 13)} 0h26"/>'
        yield Row(KIND_WORDS[kind], (("path", path),))


def _arrow(x: float, direction: int) -> str:
    """An arrow in one of the eight directions, clockwise from forward."""
    return (
        f'<path stroke-width="4" transform="translate({number(x)} 0) rotate({45 * direction})" '
        'd="M0 10v-18m-6 6l6-7l6 7"/>'
    )


def _legend(picture: Picture, theme: Theme, top: float, width: float) -> tuple[str, float]:
    """The signs used and their words, and where the picture ends."""
    parts: dict[str, list[str]] = {}
    words: list[str] = []
    y = top + 6
    room = width - MARGIN - WORDS_AT
    kinds = (each.kind for each in picture.lines.strokes)
    for row in legend_rows(entries(picture.marks), kinds, MARGIN + 14):
        for colour, fragment in row.sample:
            moved = f'<g transform="translate(0 {number(y + 8)})">{fragment}</g>'
            parts.setdefault(colour, []).append(moved)
        for line in wrapped(row.words, LEGEND_TEXT, room):
            words.append(lettering(line, WORDS_AT, y + 13, LEGEND_TEXT))
            y += LINE
        y += ROW - LINE
    for note in notes(picture.marks):
        for line in wrapped(note, LEGEND_TEXT, room):
            words.append(lettering(line, WORDS_AT, y + 13, LEGEND_TEXT))
            y += LINE
    said = group("ink", theme, *words, attributes=FILLED)
    return in_roles(parts, theme) + said, y + MARGIN
