"""Whole documents: any picture as SVG, and that as PNG, rasterised by resvg.

SVG is put together from strings in one fixed order, so that it is the same every time. Everything
is a path, letters too, so a picture looks alike in a browser, on paper and as PNG. What is drawn
often, a letter, a word or a sign, is defined once and used by its name. The colours of
the theme stand as they are on groups, one for each role; where the theme has a night side, one
style gives the same groups other colours on a dark screen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING
from zlib import crc32

from alfil.diagrams import board_svg, diagram_svg, sheet_svg
from alfil.diagrams.diagram_model import (
    MAX_NOTATION_LENGTH,
    Board,
    Diagram,
    Sheet,
    Subject,
    shortened_with_digest,
)
from alfil.diagrams.svg_elements import Panel, definitions_and_drawing, group_in_role
from alfil.diagrams.text_outlines import glyph_definitions_and_drawing, number
from alfil.diagrams.themes import ROLES, Theme
from alfil.errors import AlfilError, reject
from alfil.source import Source, excerpt

if TYPE_CHECKING:
    from alfil.diagrams.picture import PictureLook

# A PNG has twice as many pixels as the SVG has units, for screens with small pixels, up to about so
# many in all: resvg holds eight bytes for each.
PNG_SCALE = 2
MAX_PIXELS = 10_000_000
# How all is drawn where nothing else is said.
ROOT_ATTRIBUTES = (
    'fill="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"'
)
INSTALL_HINT = "pip install 'alfil[png]'"
_CLASS_PATTERN = re.compile('class="alfil-([a-z]+)"')
_SIZE_PATTERN = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


def rendered(subject: Subject, look: PictureLook) -> str:
    """A picture as an SVG document, as wide as asked for."""
    content = panel(subject, look)
    return document(
        content,
        look.theme,
        subject.heading,
        subject.words(),
        look.size,
        transparent=look.transparent,
    )


def panel(subject: Subject, look: PictureLook) -> Panel:
    """A picture to be placed in a document."""
    match subject:
        case Diagram():
            drawn_subject = subject if look.sentence else replace(subject, sentence="")
            return diagram_svg.panel(drawn_subject, look.theme, legend=look.legend)
        case Board():
            return board_svg.panel(subject, look.theme)
        case Sheet():
            return sheet_svg.panel(subject, look.theme, sentence=look.sentence, legend=look.legend)


def side_by_side(diagrams: Sequence[Diagram], theme: Theme, heading: str) -> str:
    """Diagrams side by side, without their words, as one SVG document."""
    body, width, height = "", 0.0, 0.0
    for each in diagrams:
        drawing = diagram_svg.panel(replace(each, sentence=""), theme, legend=False)
        body += f'<g transform="translate({number(width)} 0)">{drawing.body}</g>'
        width, height = width + drawing.width, max(height, drawing.height)
    description = " ".join(each.words() for each in diagrams)
    return document(Panel(width, height, body), theme, heading, description)


def document(
    content: Panel,
    theme: Theme,
    title: str,
    description: str,
    size: int | None = None,
    *,
    transparent: bool = False,
) -> str:
    """A whole SVG document around a panel, with the words for those who do not see it.

    ``size`` is the width it is shown in, its own unless given; one that is ``transparent`` has no
    background.
    """
    width, height = number(content.width), number(content.height)
    wide, high = width, height
    if size is not None:
        wide, high = str(size), number(size * content.height / content.width)
    escaped_title = escape(excerpt(title, MAX_NOTATION_LENGTH), quote=False)
    descriptions = escape(shortened_with_digest(description), quote=False)
    # One name for the same words, so that many pictures may stand in one document.
    name = f"{crc32((escaped_title + descriptions).encode()):08x}"
    ground = f'<path d="M0 0h{width}v{height}h-{width}z"/>'
    paper = "" if transparent else group_in_role("paper", theme, ground)
    style, definitions, body = css_definitions_and_drawing(paper + content.body, theme)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {width} {height}" {ROOT_ATTRIBUTES} role="img" '
        f'aria-labelledby="t{name}" aria-describedby="d{name}">\n'
        f'<title id="t{name}">{escaped_title}</title>\n<desc id="d{name}">{descriptions}</desc>\n'
        f"{style}{definitions}\n{body}</svg>\n"
    )


def css_definitions_and_drawing(drawing: str, theme: Theme) -> tuple[str, str, str]:
    """What a drawing is made of, letters, signs and pieces, each defined once; and the drawing.

    Before both, the colours for a dark screen, those that are used.
    """
    letters, made, around = glyph_definitions_and_drawing(drawing)
    signs, made = definitions_and_drawing(made, around)
    return (
        _dark_mode_css(theme, frozenset(_CLASS_PATTERN.findall(around))),
        f"<defs>{signs}{letters}</defs>",
        made,
    )


@lru_cache(maxsize=256)
def _dark_mode_css(theme: Theme, used: frozenset[str]) -> str:
    night = theme.night
    if night is None:
        return ""
    rules = "".join(
        f".alfil-{role}{{color:{getattr(night, role)}}}" for role in ROLES if role in used
    )
    return f"<style>@media screen and (prefers-color-scheme:dark){{{rules}}}</style>\n"


def render_png(subject: Subject, look: PictureLook) -> bytes:
    """A picture as PNG; `AlfilError` of kind "missing-extra" where resvg is not installed."""
    try:
        import resvg_py  # noqa: PLC0415 - an extra, loaded only when it is needed
    except ImportError:
        message = "png needs the package resvg-py"
        reject(
            AlfilError,
            "missing-extra",
            message,
            Source("png", "<format>"),
            hint=f"run: {INSTALL_HINT}",
        )
    drawing = rendered(subject, look._replace(size=None))
    width = _safe_width(drawing, look.size)
    zoom = PNG_SCALE if width is None else None
    made = resvg_py.svg_to_bytes(svg_string=drawing, zoom=zoom, width=width, skip_system_fonts=True)
    return bytes(made)


def _safe_width(document: str, width_asked: int | None) -> int | None:
    """The width for a PNG that was asked for, or less where that would be too many pixels."""
    size = _SIZE_PATTERN.search(document)
    wide, high = (float(each) for each in size.groups()) if size else (1.0, 1.0)
    if (width_asked or PNG_SCALE * wide) ** 2 * high / wide <= MAX_PIXELS:
        return width_asked
    return max(1, int((MAX_PIXELS * wide / high) ** 0.5))
