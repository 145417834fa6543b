"""What SVG pictures are made of: groups in the colour of a role, and the shapes of the signs.

A shape is a path around the middle of a square. Every sign has one of its own, so that a picture
reads the same in grey: the family gives the outline (disc, star, dashed diamond, double ring,
triangle), and the way a move ends gives what is in it: full for either, hollow for moves only, a
cross for captures only. Where a piece may be jumped over, the corners of the square are marked,
which leaves room for other signs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from alfil.diagrams.glyphs import number
from alfil.diagrams.signs import Family, Sign
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


def by_role(fragments: Mapping[str, Iterable[str]], theme: Theme) -> str:
    """Groups in the order of the roles, drawn with lines of the usual width."""
    return "".join(
        group(each, theme, *fragments[each], attributes=f'{STROKED} stroke-width="3"')
        for each in ROLES
        if each in fragments
    )


class Panel(NamedTuple):
    """A picture that can be placed in a larger one: its size, and what is drawn from (0, 0) on."""

    width: float
    height: float
    body: str


def polygon(*points: tuple[float, float]) -> str:
    """A closed outline through points given from the middle, y downwards."""
    steps = [points[0]]
    steps += [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    pairs = [f"{number(x)} {number(y)}" for x, y in steps]
    return f"m{pairs[0]}l{' '.join(pairs[1:])}z"


WEDGE = "m0 -18l10.5 7.5 3.5 25.5 -28 0 3.5 -25.5z"
UPSIDE_DOWN = "m0 18l-10.5 -7.5 -3.5 -25.5 28 0 -3.5 25.5z"
# What the outline of another piece is filled with, by the role of its colour.
BODIES: dict[Family, tuple[str, str]] = {
    "piece": ("piece", WEDGE),
    "enemy": ("enemy", UPSIDE_DOWN),
    "enemy_royal": ("enemy", UPSIDE_DOWN),
    "friend": ("friend", WEDGE),
    "unmoved_friend": ("friend", WEDGE),
}


def drawn(sign: Sign, x: float, y: float, scale: float = 1, data: str = "") -> str:
    """A sign around a point; ``data`` is written on it as it stands."""
    if scale != 1:
        place = f"translate({number(x)} {number(y)}) scale({number(scale)})"
        return f'<g{data} transform="{place}">{shape(sign)}</g>'
    paths = shape(sign, x, y)
    if paths.count("<path") > 1:
        return f"<g{data}>{paths}</g>"
    return paths.replace("<path", f"<path{data}")


def shape(sign: Sign, x: float = 0, y: float = 0) -> str:
    """The paths of a sign around a point."""
    return sign.drawing.replace(' d="', f' d="M{number(x)} {number(y)}')


def body(family: Family, x: float, y: float, scale: float = 1) -> tuple[str, str]:
    """What a piece is filled with: the role of its colour, and its shape around a point."""
    role, path = BODIES[family]
    place = f"translate({number(x)} {number(y)}) scale({number(scale)})"
    return role, f'<path fill="currentColor" stroke="none" transform="{place}" d="M0 0{path}"/>'
