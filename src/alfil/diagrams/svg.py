"""Pictures as SVG: strings put together in one fixed order, so that they are the same every time.

Everything is a path, letters too, so a picture looks alike in a browser, on paper and as PNG. The
colours of the theme stand as they are on groups, one for each role; where the theme has a night
side, one style gives the same groups other colours on a dark screen. Every sign carries
``data-sign`` and ``data-at``, the square as dx,dy from the piece.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from alfil.diagrams.lettering import lettered, wrapped
from alfil.diagrams.lines import Exit, Kind, Stroke
from alfil.diagrams.marks import Mark, Offset, Window
from alfil.diagrams.picture import (
    LONGEST_DESCRIPTION,
    LONGEST_LABEL,
    LONGEST_NOTATION,
    Picture,
    shown,
)
from alfil.diagrams.shapes import WEDGE, drawn, name, number, polygon, role
from alfil.diagrams.text import Family, Sign, entries, notes, signs_on
from alfil.diagrams.themes import DEFAULT, ROLES, Theme
from alfil.geometry import file_name

if TYPE_CHECKING:
    from alfil.diagrams.formats import Look

SQUARE = 40
HALF = SQUARE // 2
MARGIN = 12
ARROW_MARGIN = 26
LABELS_MARGIN = 28
NARROWEST = 320
LEGEND_TEXT = 0.78
TITLE_TEXT = 1.15
ROW = 25
LINE = 18
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


def lettering(text: str, x: float, y: float, size: float) -> str:
    """A line of text with its baseline starting at a point."""
    path = lettered(text).path
    if not path:
        return ""
    place = f"translate({number(x)} {number(y)}) scale({number(size)})"
    return f'<path transform="{place}" d="{path}"/>'


def panel(picture: Picture, theme: Theme = DEFAULT, *, legend: bool = True) -> Panel:
    """A picture as a panel: its title, the board, and below it the legend unless left out."""
    window = picture.marks.window
    side = LABELS_MARGIN if window.ranks else ARROW_MARGIN if picture.lines.exits else MARGIN
    files, ranks = window.west + window.east + 1, window.south + window.north + 1
    width = files * SQUARE + 2 * side
    if legend:
        width = max(width, NARROWEST)
    left = (width - files * SQUARE) / 2
    head, y = _header(picture, theme, width)
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
        x = left - 8 - lettered(text).width * LEGEND_TEXT
        words.append(lettering(text, x, top + (ranks - rank) * SQUARE - 14, LEGEND_TEXT))
    for file in range(window.west + window.east + 1):
        text = file_name(file)
        x = left + file * SQUARE + HALF - lettered(text).width * LEGEND_TEXT / 2
        words.append(lettering(text, x, top + ranks * SQUARE + 17, LEGEND_TEXT))
    return group("quiet", theme, *words, attributes=f'{STROKED} stroke-width="1.7"')


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
    return "".join(
        group(each, theme, *by_role.get(each, ()), attributes=f'{STROKED} stroke-width="3"')
        for each in ROLES
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
    wedge = f'<path fill="currentColor" d="M{number(x)} {number(y)}{WEDGE}"/>'
    text = picture.label if 1 <= len(picture.label) <= 2 else ""  # noqa: PLR2004 - one or two
    width = lettered(text).width * 0.9
    letters = lettering(text, x - width / 2, y + 9, 0.9)
    return group("piece", theme, wedge) + group(
        "letter", theme, letters, attributes=f'{STROKED} stroke-width="2"'
    )


def _header(picture: Picture, theme: Theme, width: float) -> tuple[str, float]:
    """The name and the notation above the board, and how far down they go."""
    label = shown(picture.label, LONGEST_LABEL)
    notation = shown(picture.notation, LONGEST_NOTATION)
    room = width - 2 * MARGIN
    y = 0.0
    parts = []
    for text, size, colour in ((label, TITLE_TEXT, "ink"), (notation, 1.0, "quiet")):
        lines = []
        for line in wrapped(text, room / size):
            y += 24
            lines.append(lettering(line, MARGIN, y + 2, size if label else TITLE_TEXT))
        parts.append(
            group(
                colour if label else "ink",
                theme,
                *lines,
                attributes=f'{STROKED} stroke-width="{1.9 if colour == "ink" else 1.7}"',
            )
        )
    return "".join(parts), y + 8 if y else y


class Row(NamedTuple):
    """A line of the legend: the role of its sample, the sample, and the words."""

    role: str
    sample: str
    words: str


def _rows(picture: Picture, x: float) -> Iterable[Row]:
    """The lines of the legend, with samples around (x, 0)."""
    for sign, words, arrow in entries(picture.marks):
        match sign.family:
            case Family.PIECE:
                wedge = f'<path fill="currentColor" d="M{number(x)} 0{WEDGE}"/>'
                yield Row("piece", _scaled(wedge, x), words)
            case Family.ARROW:
                yield Row("path", _arrow(x, arrow), words)
            case _:
                yield Row(role(sign), drawn(sign, x, 0, 0.8), words)
    for kind in sorted({each.kind for each in picture.lines.strokes} - {Kind.PATH}):
        path = f'<path{DASHES[kind]} stroke-width="4" d="M{number(x - 13)} 0h26"/>'
        yield Row("path", path, KIND_WORDS[kind])


def _scaled(wedge: str, x: float) -> str:
    return f'<g transform="translate({number(x * 0.4)} 0) scale(.6)">{wedge}</g>'


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
    room = (width - MARGIN - WORDS_AT) / LEGEND_TEXT
    for row in _rows(picture, MARGIN + 14):
        parts.setdefault(row.role, []).append(
            f'<g transform="translate(0 {number(y + 8)})">{row.sample}</g>'
        )
        for line in wrapped(row.words, room):
            words.append(lettering(line, WORDS_AT, y + 13, LEGEND_TEXT))
            y += LINE
        y += ROW - LINE
    for note in notes(picture.marks):
        for line in wrapped(note, room):
            words.append(lettering(line, WORDS_AT, y + 13, LEGEND_TEXT))
            y += LINE
    samples = [
        group(each, theme, *parts.get(each, ()), attributes=f'{STROKED} stroke-width="3"')
        for each in ROLES
    ]
    said = group("ink", theme, *words, attributes=f'{STROKED} stroke-width="1.7"')
    return "".join([*samples, said]), y + MARGIN
