"""The pieces that SVG pictures are made of: groups in the colour of a role, and lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from alfil.diagrams.glyphs import Face, text_path
from alfil.diagrams.themes import ROLES, Theme

# How letters are drawn, and how lines are where nothing else is said.
FILLED = ' fill="currentColor"'
STROKED = ' fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'


def group(role: str, theme: Theme, *content: str, attributes: str = "") -> str:
    """What is drawn in the colour of one role; nothing when there is no content."""
    inner = "".join(content)
    if not inner:
        return ""
    named = f' class="alfil-{role}"' if theme.night else ""
    return f'<g{named} color="{getattr(theme, role)}"{attributes}>{inner}</g>\n'


def lettering(text: str, x: float, y: float, size: float, face: Face = "sans") -> str:
    """A line of text with its baseline starting at a point, its em ``size`` high."""
    return text_path(text, size, x=x, y=y, face=face).svg


def by_role(fragments: Mapping[str, Iterable[str]], theme: Theme) -> str:
    """Groups in the order of the roles, drawn with lines of the usual width."""
    return "".join(
        group(each, theme, *fragments[each], attributes=f'{STROKED} stroke-width="3"')
        for each in ROLES
        if each in fragments
    )
