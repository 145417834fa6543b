"""What SVG pictures are made of: groups in the colour of a role, and the shapes of the signs.

A shape is a path around the middle of a square. Every sign has one of its own, so that a picture
reads the same in grey: the family gives the outline (disc, star, diamond, double ring, triangle),
and the way a move ends gives what is in it: full for either, hollow for moves only, a cross for
captures only. Where a piece may be jumped over, the corners of the square are marked, which leaves
room for other signs.

A drawing names the signs it uses, as in ``#sign.step-move``; `definitions_and_drawing` has each of
them once, and what stands in groups without attributes, as the pieces of games do, it has in one
place too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32

from alfil.diagrams.diagram_model import Offset
from alfil.diagrams.signs import GROUND_FAMILIES, SIGNS, Family, Sign
from alfil.diagrams.text_outlines import number, short
from alfil.diagrams.themes import ROLES, Theme

# How lines are drawn; what is no line is filled with the colour of its role.
STROKE_ATTRIBUTES = ' fill="none" stroke="currentColor"'


def group_in_role(role: str, theme: Theme, *content: str, attributes: str = "") -> str:
    """What is drawn in the colour of one role; nothing when there is no content."""
    inner = "".join(content)
    if not inner:
        return ""
    class_attribute = f' class="alfil-{role}"' if theme.night else ""
    return f'<g{class_attribute} color="{getattr(theme, role)}"{attributes}>{inner}</g>\n'


def groups_by_role(fragments: Mapping[str, Iterable[str]], theme: Theme) -> str:
    """Groups in the order of the roles, drawn with lines of the usual width."""
    return "".join(
        group_in_role(each, theme, *fragments[each], attributes=STROKE_ATTRIBUTES)
        for each in sorted(fragments, key=ROLES.index)
    )


# The dashes of the lines around regions, of the first in a file, the second and so on.
REGION_DASHES = ("", "9 4", "3 3", "12 3 3 3", "1 4")
# How far the line of a region is inside of its squares, and that of the next one from there.
INSET, EDGE_OFFSET = 2.5, 3


def region_outline_path(
    squares: Collection[Offset],
    number: int,
    size: int,
    middle: Callable[[Offset], tuple[float, float]],
    shows: Callable[[Offset], bool],
) -> str:
    """The line around the squares of a region as a path, none where the board ends.

    It is a little inside of the squares, each ``size`` wide, those of the region with the next
    ``number`` a little farther. ``middle`` is where a square is, ``shows`` whether it is on board.
    """
    half, inset = size / 2, INSET + number * EDGE_OFFSET
    return "".join(
        line
        for square in sorted(squares)
        for line in _region_edges(square, squares, half, inset, middle(square), shows)
    )


def _region_edges(
    square: Offset,
    squares: Collection[Offset],
    half: float,
    inset: float,
    middle: tuple[float, float],
    shows: Callable[[Offset], bool],
) -> Iterator[str]:
    """The lines along the edges that a square has with others than those of its region."""
    (file, rank), (x, y) = square, middle
    for over, up in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        next_to = (file + over, rank + up)
        if next_to in squares or not shows(next_to):
            continue
        # The line goes along the edge as far as those of the squares on either side.
        ends = []
        for way in (-1, 1):
            beside = (file + up * way, rank + over * way)
            corner = (beside[0] + over, beside[1] + up)
            longer = inset if corner in squares else 0.0
            at_end = beside in squares or not shows(beside)
            far = half + longer if at_end else half - inset
            ends.append((up * way * far, -over * way * far))
        across, down = x + over * (half - inset), y - up * (half - inset)
        (x1, y1), (x2, y2) = ((across + dx, down + dy) for dx, dy in ends)
        yield f"M{short(x1)} {short(y1)}L{short(x2)} {short(y2)}"


def translated(drawing: str, x: float, y: float) -> str:
    """A drawing in another place, so many units to the right and down."""
    return f'<g transform="translate({number(x)} {number(y)})">\n{drawing}</g>\n'


class Panel(NamedTuple):
    """A picture that can be placed in a larger one: its size, and what is drawn from (0, 0) on."""

    width: float
    height: float
    body: str


def polygon_path_data(*points: tuple[float, float]) -> str:
    """A closed outline through points given from the middle, y downwards."""
    steps = [points[0]]
    steps += [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    pairs = [f"{short(x)} {short(y)}" for x, y in steps]
    return f"m{pairs[0]}l{' '.join(pairs[1:])}z"


WEDGE = "m0-18l10.5 7.5 3.5 25.5h-28l3.5-25.5z"
WEDGE_UPSIDE_DOWN = "m0 18l-10.5-7.5-3.5-25.5h28l-3.5 25.5z"
# What the outline of another piece is filled with, by the role of its colour.
BODY_BY_FAMILY: dict[Family, tuple[str, str]] = {
    "piece": ("piece", WEDGE),
    "enemy": ("enemy", WEDGE_UPSIDE_DOWN),
    "enemy_royal": ("enemy", WEDGE_UPSIDE_DOWN),
    "friend": ("friend", WEDGE),
    "unmoved_friend": ("friend", WEDGE),
}

# Signs that go around a square.
FAMILIES_AROUND_SQUARE = ("trail", *GROUND_FAMILIES)


def sign_drawing(sign: Sign, x: float, y: float, scale: float = 1, data: str = "") -> str:
    """A sign around a point; ``data`` is written on it as it stands."""
    return _use_element(f"sign.{sign.name}", x, y, scale, data)


def sign_background(sign: Sign, x: float, y: float, scale: float = 1) -> str:
    """The ground of a sign that is not full, so that a line ends at its edge; else nothing."""
    return _use_element(f"ground.{sign.name}", x, y, scale) if background_path(sign) else ""


def _use_element(name: str, x: float, y: float, scale: float, data: str = "") -> str:
    begin, between, end = transform_template(scale)
    place = f"{begin}{short(x)}{between}{short(y)}{end}" if x or y else _transform(0, 0, scale)
    return f'<use{data} href="#{name}"{place}/>'


def transform_template(scale: float) -> tuple[str, str, str]:
    """What is written before, between and after the numbers of the place of a sign."""
    return _TRANSFORM if scale == 1 else (' transform="translate(', " ", f')scale({short(scale)})"')


_TRANSFORM = (' x="', '" y="', '"')


def _transform(x: float, y: float, scale: float) -> str:
    """Where something that is drawn around (0, 0) goes, as an attribute if that is somewhere."""
    moved = f"translate({short(x)} {short(y)})" if x or y else ""
    scaled = f"scale({short(scale)})" if scale != 1 else ""
    return f' transform="{moved}{scaled}"' if moved or scaled else ""


def definitions_and_drawing(drawing: str, drawing_without_texts: str) -> tuple[str, str]:
    """What a drawing uses by name, and the drawing; ``drawing_without_texts`` is all of it but its
    texts.

    That are signs and their grounds, and what stood in a group without attributes; its name is made
    from what is in it, so that many drawings may stand in one document.
    """
    made = ""

    def class_attribute(result: re.Match[str]) -> str:
        nonlocal made
        name = f"piece.{crc32(result[1].encode()):08x}"
        if f'id="{name}"' not in made:
            made += f'<g id="{name}">{result[1]}</g>'
        return f'<use href="#{name}"/>'

    if "<g>" in drawing_without_texts:
        drawing = _SHARED_GROUP.sub(class_attribute, drawing)
    used = sorted(set(_USE_REFERENCE.findall(drawing_without_texts)))
    return "".join([made, *map(_definition_element, used)]), drawing


@cache
def _definition_element(used: str) -> str:
    """A sign or the ground of one, to be used by name."""
    kind, _, name = used.partition(".")
    inner, called = SIGNS[name].drawing, f' id="{kind}.{name}"'
    if kind == "ground":
        return f'<path{called} d="{background_path(SIGNS[name])}"/>'
    if inner.count("<path") == 1:
        return inner.replace("<path", f"<path{called}")
    return f"<g{called}>{inner}</g>"


_SHARED_GROUP = re.compile(r"<g>(.*?)</g>", re.DOTALL)
_USE_REFERENCE = re.compile(r'href="#((?:sign|ground)\.[^"]+)"')
# What lies under the arms of a cross.
_DISC = "m-11 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0z"


def background_path(sign: Sign) -> str:
    """The outer edge, as a path, of a sign that is not full and may stand on a line; else ""."""
    if sign.fill == "either" and sign.family not in {"hurdle", "locust"}:
        return ""
    if sign.family in BODY_BY_FAMILY or sign.family in FAMILIES_AROUND_SQUARE or not sign.drawing:
        return ""
    path = sign.drawing.partition(' d="')[2].partition('"')[0]
    return path if path.endswith("z") else _DISC


def piece_fill_role_and_svg(
    family: Family, x: float, y: float, scale: float = 1
) -> tuple[str, str]:
    """What a piece is filled with: the role of its colour, and its shape around a point."""
    role, path = BODY_BY_FAMILY[family]
    place = _transform(x, y, scale)
    return role, f'<path fill="currentColor" stroke="none"{place} d="{path}"/>'
