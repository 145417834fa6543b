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

from alfil.diagrams.elements import FILLED, by_role, group, lettering
from alfil.diagrams.glyphs import Face, wrapped
from alfil.diagrams.kinds import Kind
from alfil.diagrams.picture import (
    LONGEST_DESCRIPTION,
    LONGEST_LABEL,
    LONGEST_NOTATION,
    Picture,
    shown,
)
from alfil.diagrams.shapes import BODIES, body, drawn, number, role
from alfil.diagrams.squares import DASHES, SQUARE, Place, board
from alfil.diagrams.text import Entry, Family, entries, notes
from alfil.diagrams.themes import DEFAULT, ROLES, Theme

if TYPE_CHECKING:
    from alfil.diagrams.formats import Look

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
# Signs that go around a square.
WHOLE_SQUARE = (Family.TRAIL, Family.OVER)

KIND_WORDS = {
    Kind.JUMP: "passes here, whatever stands there",
    Kind.HOP: "goes on over the piece in between",
    Kind.TAKE: "goes on after a capture",
}


TURNS = "It may turn on its way; lines are drawn up to the first turn."
ROAMS = "Its ways branch on every square; no lines are drawn."


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
    content: Panel,
    theme: Theme,
    title: str,
    description: str,
    size: int | None = None,
    longest: int = LONGEST_DESCRIPTION,
) -> str:
    """A whole SVG document around a panel, with the words for those who do not see it.

    ``size`` is the width it is shown in, its own unless given. The description is cut where it is
    longer than ``longest``.
    """
    width, height = number(content.width), number(content.height)
    wide, high = width, height
    if size is not None:
        wide, high = str(size), number(size * content.height / content.width)
    told = shown(description, longest)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {width} {height}" role="img">\n'
        f"<title>{escape(shown(title, LONGEST_NOTATION))}</title>\n<desc>{escape(told)}</desc>\n"
        f"{_style(theme)}"
        + group("paper", theme, f'<path fill="currentColor" d="M0 0h{width}v{height}h-{width}z"/>')
        + f"{content.body}</svg>\n"
    )


@lru_cache(maxsize=8)
def _style(theme: Theme) -> str:
    """The colours for a dark screen."""
    night = theme.night
    if night is None:
        return ""
    rules = "".join(f".alfil-{role}{{color:{getattr(night, role)}}}" for role in ROLES)
    return f"<style>@media screen and (prefers-color-scheme:dark){{{rules}}}</style>\n"


def panel(picture: Picture, theme: Theme = DEFAULT, *, legend: bool = True) -> Panel:
    """A picture as a panel: its title, the board, and below it the legend unless left out."""
    around = frame(picture, theme, legend=legend)
    whole = around.head + board(picture, around.place, theme) + around.tail
    return Panel(around.width, around.height, whole)


class Frame(NamedTuple):
    """What stands around a board: above it, below it, and where the board itself goes."""

    width: float
    height: float
    head: str
    tail: str
    place: Place


def frame(picture: Picture, theme: Theme = DEFAULT, *, legend: bool = True) -> Frame:
    """The frame of a picture: its title, and the legend unless left out."""
    window = picture.marks.window
    side = LABELS_MARGIN if window.ranks else ARROW_MARGIN if picture.lines.exits else MARGIN
    files, ranks = window.west + window.east + 1, window.south + window.north + 1
    width = files * SQUARE + 2 * side
    if legend:
        width = max(width, NARROWEST)
    left = side
    head, y = _header(picture, theme, left, width)
    top = y + (side if not window.ranks else MARGIN)
    place = Place(window, left, top, picture.marks.coordinates)
    below = top + ranks * SQUARE + side
    tail = ""
    if legend:
        tail, below = _legend(picture, theme, below, width)
    return Frame(width, below, head, tail, place)


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


def legend_rows(
    legend: tuple[Entry, ...], kinds: tuple[Kind, ...], x: float, token: str = ""
) -> Iterable[Row]:
    """The lines of a legend of signs and kinds of lines, with samples around (x, 0).

    ``token`` is how the piece itself is drawn, where that is not the plain wedge.
    """
    for sign, words, arrow in legend:
        match sign.family:
            case Family.PIECE if token:
                place = f"translate({number(x)} 0) scale({number(SMALL)})"
                yield Row(words, (("ink", f'<g stroke="none" transform="{place}">{token}</g>'),))
            case Family.PIECE:
                yield Row(words, (body(sign.family, x, 0, SMALL),))
            case Family.ARROW:
                yield Row(words, (("path", _arrow(x, arrow)),))
            case family if family in BODIES:
                outline = (role(sign), drawn(sign, x, 0, SMALL))
                yield Row(words, (body(family, x, 0, SMALL), outline))
            case _:
                size = SMALL if sign.family in WHOLE_SQUARE else 0.8
                yield Row(words, ((role(sign), drawn(sign, x, 0, size)),))
    for kind in kinds:
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
    strokes, _, cut = picture.lines
    kinds = {each.kind for each in strokes} - {Kind.PATH}
    remarks = [*notes(picture.marks), *([TURNS if strokes else ROAMS] if cut else [])]
    if picture.note:
        remarks.append(f"Note: {picture.note}")
    return _explained(
        tuple(entries(picture.marks)),
        tuple(sorted(kinds)),
        tuple(remarks),
        picture.token,
        theme,
        top,
        width,
    )


# Few pieces have a legend that no other piece has.
@lru_cache(maxsize=512)
def _explained(
    legend: tuple[Entry, ...],
    kinds: tuple[Kind, ...],
    remarks: tuple[str, ...],
    token: str,
    theme: Theme,
    top: float,
    width: float,
) -> tuple[str, float]:
    parts: dict[str, list[str]] = {}
    words: list[str] = []
    y = top + 6
    room = width - MARGIN - WORDS_AT
    for row in legend_rows(legend, kinds, MARGIN + 14, token):
        for colour, fragment in row.sample:
            moved = f'<g transform="translate(0 {number(y + 8)})">{fragment}</g>'
            parts.setdefault(colour, []).append(moved)
        for line in wrapped(row.words, LEGEND_TEXT, room):
            words.append(lettering(line, WORDS_AT, y + 13, LEGEND_TEXT))
            y += LINE
        y += ROW - LINE
    for remark in remarks:
        for line in wrapped(remark, LEGEND_TEXT, room):
            words.append(lettering(line, WORDS_AT, y + 13, LEGEND_TEXT))
            y += LINE
    said = group("ink", theme, *words, attributes=FILLED)
    return by_role(parts, theme) + said, y + MARGIN
