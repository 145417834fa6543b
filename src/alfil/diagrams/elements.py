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
from math import cos, pi, sin
from typing import NamedTuple

from alfil.diagrams.glyphs import number
from alfil.diagrams.signs import Family, Fill, Sign
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


class Part(NamedTuple):
    """A path that begins at the middle, and the attributes it is drawn with beyond a plain line."""

    path: str
    attributes: str = ""


SOLID = ' fill="currentColor" stroke="none"'
DASHED = ' stroke-dasharray="4 2.6" stroke-width="2.4" stroke-linecap="butt"'
THIN = ' stroke-width="2.4"'
HEAVY = ' stroke-width="4.4"'


def circle(radius: float) -> str:
    """A circle around the middle."""
    r, d = number(radius), number(2 * radius)
    return f"m-{r} 0a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0-{d} 0z"


def polygon(*points: tuple[float, float]) -> str:
    """A closed outline through points given from the middle, y downwards."""
    steps = [points[0]]
    steps += [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    pairs = [f"{number(x)} {number(y)}" for x, y in steps]
    return f"m{pairs[0]}l{' '.join(pairs[1:])}z"


def saltire(arm: float) -> str:
    """A cross of two strokes from corner to corner."""
    a, d = number(arm), number(2 * arm)
    return f"m-{a}-{a}l{d} {d}m-{d} 0l{d}-{d}"


def star(points: int, outer: float, inner: float) -> str:
    """A star with one point up."""
    corners = []
    for index in range(2 * points):
        radius = inner if index % 2 else outer
        angle = pi * index / points
        corners.append((radius * sin(angle), -radius * cos(angle)))
    return polygon(*corners)


def rays(arms: int, length: float) -> str:
    """An asterisk of so many strokes from the middle, one of them up."""
    lines = []
    for index in range(arms):
        x, y = length * sin(2 * pi * index / arms), -length * cos(2 * pi * index / arms)
        lines.append(f"l{number(x)} {number(y)}m{number(-x)} {number(-y)}")
    return "m0 0" + "".join(lines)


DIAMOND = polygon((0, -14.5), (14.5, 0), (0, 14.5), (-14.5, 0))
UP = polygon((0, -14), (14, 10.5), (-14, 10.5))
DOWN = polygon((0, 14), (14, -10.5), (-14, -10.5))
BOX = polygon((-10, -10), (10, -10), (10, 10), (-10, 10))
CROWN = polygon((-11, 9), (-12, -7), (-5.5, 0), (0, -10), (5.5, 0), (12, -7), (11, 9))

WEDGE = polygon((0, -18), (10.5, -10.5), (14, 15), (-14, 15), (-10.5, -10.5))
UPSIDE_DOWN = polygon((0, 18), (-10.5, 10.5), (-14, -15), (14, -15), (10.5, 10.5))
EDGE = ' stroke-width="1.8"'
# What the outline of another piece is filled with, by the role of its colour.
BODIES: dict[Family, tuple[str, str]] = {
    Family.PIECE: ("piece", WEDGE),
    Family.ENEMY: ("enemy", UPSIDE_DOWN),
    Family.ENEMY_ROYAL: ("enemy", UPSIDE_DOWN),
    Family.FRIEND: ("friend", WEDGE),
    Family.UNMOVED_FRIEND: ("friend", WEDGE),
}

_FORMS: dict[Family, tuple[tuple[Part, ...], tuple[Part, ...], tuple[Part, ...]]] = {
    Family.STEP: (
        (Part(circle(9), SOLID),),
        (Part(circle(8), ' stroke-width="3.6"'),),
        (Part(saltire(7.5), HEAVY),),
    ),
    Family.LEAP: (
        (Part(star(5, 13, 5.6), SOLID),),
        (Part(star(5, 12.5, 5.8), THIN),),
        (Part(rays(6, 10.5), ' stroke-width="4"'),),
    ),
    Family.HURDLE: (
        (Part(DIAMOND, DASHED), Part(circle(6.5), SOLID)),
        (Part(DIAMOND, DASHED), Part(circle(5.6), THIN)),
        (Part(DIAMOND, DASHED), Part(saltire(4.4), ' stroke-width="3.2"')),
    ),
    Family.LOCUST: (
        (Part(circle(12), THIN), Part(circle(7), SOLID)),
        (Part(circle(12), THIN), Part(circle(6.2), THIN)),
        (Part(circle(12), THIN), Part(saltire(4.8), ' stroke-width="3.2"')),
    ),
    Family.FIRST: (
        (Part(UP, FILLED + THIN),),
        (Part(UP, THIN),),
        (Part(UP, THIN), Part("m-4.5-2.5l9 9m-9 0l9-9", ' stroke-width="3"')),
    ),
    Family.TIMED: (
        (Part(DOWN, FILLED + THIN),),
        (Part(DOWN, THIN),),
        (Part(DOWN, THIN), Part("m-4.5-6.5l9 9m-9 0l9-9", ' stroke-width="3"')),
    ),
}
_ONE: dict[Family, tuple[Part, ...]] = {
    Family.CASTLE: (Part("m-11-5h21m-5.5-5l5.5 5l-5.5 5m6.5 5h-21m5.5-5l-5.5 5l5.5 5", THIN),),
    Family.OWN: (Part(BOX, THIN),),
    Family.ROYAL: (Part(CROWN, THIN),),
    Family.VICTIM: (Part(BOX, THIN), Part(saltire(5.4), THIN)),
    Family.OVER: (Part("m-16.5-9.5v-7h7m19 0h7v7m0 19v7h-7m-19 0h-7v-7", ' stroke-width="2.6"'),),
    Family.CLEAR: (Part(circle(3.6), ' stroke-width="2"'),),
    Family.ENEMY: (Part(UPSIDE_DOWN, EDGE),),
    Family.ENEMY_ROYAL: (
        Part(UPSIDE_DOWN, EDGE),
        Part("m-7-1v-8l3.5 3l3.5-5l3.5 5l3.5-3v8z", EDGE),
    ),
    Family.FRIEND: (Part(WEDGE, EDGE),),
    Family.UNMOVED_FRIEND: (
        Part(WEDGE, EDGE),
        Part("m-6.5 9.5v-12.5h3v3h2v-3h3v3h2v-3h3v12.5z", EDGE),
    ),
    Family.TRAIL: (Part(circle(16), ' stroke-width="1.5" stroke-dasharray="3 3"'),),
}


def form(sign: Sign) -> tuple[Part, ...]:
    """The parts of a sign's shape, about 26 units wide."""
    if sign.family in _ONE:
        return _ONE[sign.family]
    return _FORMS[sign.family][sign.fill.value]


def drawn(sign: Sign, x: float, y: float, scale: float = 1, data: str = "") -> str:
    """A sign around a point; ``data`` is written on it as it stands."""
    parts = form(sign)
    if scale != 1:
        inner = "".join(f'<path{part.attributes} d="M0 0{part.path}"/>' for part in parts)
        place = f"translate({number(x)} {number(y)}) scale({number(scale)})"
        return f'<g{data} transform="{place}">{inner}</g>'
    start = f"M{number(x)} {number(y)}"
    paths = [f'{part.attributes} d="{start}{part.path}"/>' for part in parts]
    if len(paths) == 1:
        return f"<path{data}{paths[0]}"
    return f"<g{data}>{''.join(f'<path{each}' for each in paths)}</g>"


def body(family: Family, x: float, y: float, scale: float = 1) -> tuple[str, str]:
    """What a piece is filled with: the role of its colour, and its shape around a point."""
    role, path = BODIES[family]
    place = f"translate({number(x)} {number(y)}) scale({number(scale)})"
    return role, f'<path fill="currentColor" stroke="none" transform="{place}" d="M0 0{path}"/>'


ROLE_OF = {Fill.EITHER: "either", Fill.MOVE: "move", Fill.CAPTURE: "capture"}


def role(sign: Sign) -> str:
    """The role in a theme that colours a sign."""
    match sign.family:
        case Family.OWN | Family.CASTLE:
            return "other"
        case Family.ROYAL | Family.VICTIM:
            return "capture"
        case Family.OVER | Family.CLEAR | Family.TRAIL:
            return "quiet"
        case Family.ENEMY | Family.ENEMY_ROYAL | Family.FRIEND | Family.UNMOVED_FRIEND:
            return "ink"
        case _:
            return ROLE_OF[sign.fill]


def name(sign: Sign) -> str:
    """A sign's name in a picture's data, as in step-move or castle."""
    family = sign.family.name.lower()
    return family if sign.family not in _FORMS else f"{family}-{sign.fill.name.lower()}"


def _every_sign() -> list[Sign]:
    filled = [Sign(family, fill) for family in _FORMS for fill in Fill]
    return [*filled, *map(Sign, _ONE)]


BY_NAME = {name(sign): sign for sign in _every_sign()}
