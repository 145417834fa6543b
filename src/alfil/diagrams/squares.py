"""The board of a picture as SVG: squares, lines, signs and pieces.

What is drawn often, a sign or a line on a certain square, is made once and remembered.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

from alfil.diagrams.elements import FILLED, STROKED, by_role, group, lettering
from alfil.diagrams.glyphs import text_path, text_width
from alfil.diagrams.kinds import Kind
from alfil.diagrams.lines import Exit, Stroke
from alfil.diagrams.marks import Mark, Offset, Window
from alfil.diagrams.picture import Picture
from alfil.diagrams.shapes import BODIES, BY_NAME, body, drawn, name, number, polygon, role
from alfil.diagrams.text import STANDS, Family, Sign, signs_on
from alfil.diagrams.themes import Theme
from alfil.geometry import Coordinates, labels

SQUARE = 40
HALF = SQUARE // 2
COORDINATES = 14

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


def board(picture: Picture, place: Place, theme: Theme) -> str:
    """The squares, lines and marks of a picture."""
    return ground(place, theme) + figure(picture, place, theme)


def figure(picture: Picture, place: Place, theme: Theme) -> str:
    """What stands on the squares of a picture: lines, marks and pieces."""
    return "".join(
        [
            _lines(picture, place, theme),
            _others(picture, place, theme),
            _signs(picture, place, theme),
            piece_at(picture, place, theme),
        ]
    )


@lru_cache(maxsize=64)
def ground(place: Place, theme: Theme) -> str:
    """The squares and the grid, and on a real board the names of files and ranks."""
    window, left, top, _ = place
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
    window, left, top, coordinates = place
    ranks = window.south + window.north + 1
    words = []
    by_file, by_rank = labels(window.west + window.east + 1, ranks, coordinates)
    for rank, text in enumerate(by_rank):
        x = left - 8 - text_width(text, COORDINATES)
        words.append(lettering(text, x, top + (ranks - rank) * SQUARE - 14, COORDINATES))
    for file, text in enumerate(by_file):
        x = left + file * SQUARE + HALF - text_width(text, COORDINATES) / 2
        words.append(lettering(text, x, top + ranks * SQUARE + 17, COORDINATES))
    return group("quiet", theme, *words, attributes=FILLED)


def _lines(picture: Picture, place: Place, theme: Theme) -> str:
    paths = [stroke_at(each, place) for each in picture.lines.strokes]
    paths += [_exit(each, place) for each in picture.lines.exits]
    return group("path", theme, *paths, attributes=f'{STROKED} stroke-width="4"')


@lru_cache(maxsize=16384)
def stroke_at(stroke: Stroke, place: Place) -> str:
    """A line on a board."""
    x, y = place.middle(stroke.start)
    dx, dy = (each * stroke.steps * SQUARE for each in stroke.step)
    path = f"M{number(x)} {number(y)}l{number(dx)} {number(-dy)}"
    return f'<path{DASHES[stroke.kind]} d="{path}"/>'


@lru_cache(maxsize=16384)
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


class Spot(NamedTuple):
    """One of the signs of a mark: its role, its name, its place in the square and its size."""

    role: str
    name: str
    x: int
    y: int
    size: float


@lru_cache(maxsize=4096)
def spots_of(mark: Mark) -> tuple[Spot, ...]:
    """The signs of a mark, each in its place; marked corners leave the square to the others."""
    signs = signs_on(mark)
    inside = [sign for sign in signs if sign.family is not Family.OVER]
    size, places = SHARED.get(len(inside), CROWDED)
    corners = [Spot(role(sign), name(sign), 0, 0, 1) for sign in signs if sign not in inside]
    shared = zip(inside, places, strict=False)
    return (*corners, *(Spot(role(sign), name(sign), x, y, size) for sign, (x, y) in shared))


def _signs(picture: Picture, place: Place, theme: Theme) -> str:
    fragments: dict[str, list[str]] = {}
    middles = _middles(place)
    for mark, squares in picture.marks.alike:
        spots = spots_of(mark)
        for at in squares:
            if at in middles:
                x, y = middles[at]
                for spot in spots:
                    fragments.setdefault(spot.role, []).append(sign_at(spot, x, y, at))
    return by_role(fragments, theme)


@lru_cache(maxsize=64)
def _middles(place: Place) -> dict[Offset, tuple[float, float]]:
    """The middle of every square."""
    west, east, south, north, _ = place.window
    squares = product(range(-west, east + 1), range(-south, north + 1))
    return {at: place.middle(at) for at in squares}


@lru_cache(maxsize=65536)
def sign_at(spot: Spot, x: float, y: float, at: Offset) -> str:
    """One sign on one square."""
    data = f' data-sign="{spot.name}" data-at="{at[0]},{at[1]}"'
    return drawn(BY_NAME[spot.name], x + spot.x, y + spot.y, spot.size, data)


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
    return by_role(bodies, theme) + by_role(outlines, theme)


def piece_at(picture: Picture, place: Place, theme: Theme) -> str:
    """The piece itself; a name of one or two letters is written on it."""
    x, y = place.middle((0, 0))
    if picture.token:
        return f'<g transform="translate({number(x)} {number(y)})">{picture.token}</g>\n'
    _, wedge = body(Family.PIECE, x, y)
    text = picture.label if 1 <= len(picture.label) <= 2 else ""  # noqa: PLR2004 - one or two
    letters = text_path(text, 16, "middle", x=x, y=y + 8, face="bold").svg if text else ""
    return group("piece", theme, wedge) + group("letter", theme, letters, attributes=FILLED)
