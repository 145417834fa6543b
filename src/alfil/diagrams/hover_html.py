"""Pictures for notebooks: where the pointer is, the paths of the moves to or from that square show.

The picture is an image. Over it lies a second drawing in which every square is an element, and the
paths in it are hidden until a style shows them. There is no script. A program that leaves out
styles, or drawings in a page, shows the picture alone.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from alfil.diagrams import board_svg, diagram_svg
from alfil.diagrams.diagram_model import Board, Diagram
from alfil.diagrams.html_page import escaped
from alfil.diagrams.picture import Picture
from alfil.diagrams.text_outlines import number
from alfil.meaning.automaton import PIECE_CLASSES, VACANT
from alfil.squares import Square
from alfil.tables.ray_export import PlainRay, rays_from_square

# So many ways to one square are drawn at most, the shortest ones.
MAX_PATHS_PER_SQUARE = 4
ACCENT = "#d6336c"
HOVER_CSS = ".alfil-square:hover>g,.alfil-square:focus>g{visibility:visible}"
Point: TypeAlias = tuple[float, float]


class DrawnPath(NamedTuple):
    """A path as it is drawn: its squares from the piece on, the hurdles and the captures before."""

    squares: tuple[Square, ...]
    hurdles: tuple[Square, ...] = ()
    captures: tuple[Square, ...] = ()


def hover_html(picture: Picture) -> str:
    """The picture of a piece; over a target the paths to it show."""
    diagram = picture.subject
    assert isinstance(diagram, Diagram)
    frame = diagram_svg.page_frame(diagram, picture.theme)
    window = diagram.marks.window
    at = window.west, window.south
    ways: dict[Square, list[DrawnPath]] = {}
    for ray in rays_from_square(diagram.meaning, window.width, window.height, at):
        for way in _paths_of_ray(ray, at, window.width):
            if way not in ways.setdefault(way.squares[-1], []):
                ways[way.squares[-1]].append(way)
    shortest = {
        to: sorted(each, key=lambda way: (len(way.squares), way))[:MAX_PATHS_PER_SQUARE]
        for to, each in ways.items()
    }

    def centre(square: Square) -> Point:
        return frame.place.centre((square[0] - at[0], square[1] - at[1]))

    layer = _hover_layer_svg(shortest, centre, diagram_svg.SQUARE, frame.width, frame.height)
    return _overlay_on_picture(picture, layer)


def game_html(picture: Picture, moves: Iterable[tuple[Square, DrawnPath]]) -> str:
    """The picture of a game; over a piece its legal moves show. ``moves`` have their origins."""
    board = picture.subject
    assert isinstance(board, Board)
    ways: dict[Square, list[DrawnPath]] = {}
    for origin, way in moves:
        ways.setdefault(origin, []).append(way)
    drawing = board_svg.panel(board, picture.theme)
    centre = board_svg.square_centre_function(board, picture.theme)
    layer = _hover_layer_svg(ways, centre, board_svg.SQUARE, drawing.width, drawing.height)
    return _overlay_on_picture(picture, layer)


def _paths_of_ray(ray: PlainRay, at: Square, files: int) -> Iterator[DrawnPath]:
    """The ways that end on the squares of a ray."""
    squares, hurdles, captures = [at], list[Square](), list[Square]()
    for place, kind in ray:
        square = place % files, place // files
        squares.append(square)
        if kind.ends:
            yield DrawnPath(tuple(squares), tuple(hurdles), tuple(captures))
        if kind.takes:
            captures.append(square)
        elif kind.on & PIECE_CLASSES and not kind.on & VACANT:
            hurdles.append(square)


def _hover_layer_svg(
    ways: Mapping[Square, Iterable[DrawnPath]],
    centre: Callable[[Square], Point],
    size: int,
    width: float,
    height: float,
) -> str:
    """The drawing over a picture: the squares that show something, each with its paths."""
    squares = "".join(
        f'<g class="alfil-square" tabindex="0"><path d="{_square_svg_path(centre(at), size)}"/>'
        f'<g visibility="hidden" fill="none">{"".join(_svg_of(way, centre, size) for way in shown)}'
        "</g></g>"
        for at, shown in ways.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" '
        f'fill="#000" fill-opacity="0" stroke-linecap="round" stroke-linejoin="round" '
        f'style="position:absolute;left:0;top:0;width:100%;height:100%">'
        f"<style>{HOVER_CSS}</style>{squares}</svg>"
    )


def _square_svg_path(middle: Point, size: int) -> str:
    x, y = middle
    return f"M{number(x - size / 2)} {number(y - size / 2)}h{size}v{size}h-{size}z"


def _svg_of(way: DrawnPath, centre: Callable[[Square], Point], size: int) -> str:
    """A path as a line with a dot at its end, rings around hurdles and crosses over captures."""
    points = [centre(square) for square in way.squares]
    line = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
    arm = size * 0.3
    rings = "".join(
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size * 0.38)}"/>'
        for x, y in map(centre, way.hurdles)
    )
    crosses = "".join(
        f"M{number(x - arm)} {number(y - arm)}l{number(2 * arm)} {number(2 * arm)}"
        f"m0-{number(2 * arm)}l-{number(2 * arm)} {number(2 * arm)}"
        for x, y in map(centre, way.captures)
    )
    x, y = points[-1]
    return (
        f'<g stroke="{ACCENT}" stroke-width="4" pointer-events="none"><path d="{line}{crosses}"/>'
        f'{rings}<circle cx="{number(x)}" cy="{number(y)}" r="{number(size * 0.2)}" '
        f'fill="{ACCENT}" fill-opacity="1"/></g>'
    )


def _overlay_on_picture(picture: Picture, layer: str) -> str:
    image = b64encode(picture.svg().encode()).decode()
    words = escaped(picture.subject.words())
    return (
        '<div style="position:relative;display:inline-block;line-height:0">'
        f'<img alt="{words}" src="data:image/svg+xml;base64,{image}">{layer}</div>'
    )
