"""The ground of a game's board: coloured squares, plain wood, or lines with pieces on points.

What it looks like follows from the rules: ``rule surface`` names the kind, a region that a royal
piece never leaves is a palace, with its diagonals, and where pieces stay in their half of the
board, a river runs between the halves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple, Protocol, cast

from alfil.diagrams.diagram_model import Ground, GroundKind, NamedRegion, Square
from alfil.diagrams.themes import Theme

# How far the ticks around a marked point begin from its lines, and how long they are, in squares.
TICK_GAP, TICK_LENGTH = 0.07, 0.13
# The radius of a star point, in squares.
STAR_RADIUS = 0.05


class GroundColours(NamedTuple):
    """The colours of a board: squares, lines, and what marks the last move."""

    board: str
    other: str
    line: str
    mark: str


# Light and dark squares differ by a contrast of 2 at least, lines and squares by 3.
COLOURS: dict[GroundKind, GroundColours] = {
    "squares": GroundColours("#f0dab5", "#b58a63", "#4f3620", "#e9d44c"),
    "wood": GroundColours("#e8bd6f", "#e8bd6f", "#4a3415", "#fff0b8"),
    "points": GroundColours("#efcf96", "#efcf96", "#4a3415", "#fff3c9"),
}
PRINT_COLOURS: dict[GroundKind, GroundColours] = {
    "squares": GroundColours("#ffffff", "#b4b4b4", "#000000", "#ffffff"),
    "wood": GroundColours("#ffffff", "#ffffff", "#000000", "#dddddd"),
    "points": GroundColours("#ffffff", "#ffffff", "#000000", "#dddddd"),
}

# Themes that are the look of somebody's boards; the others are about diagrams.
BOARD_THEMES = ("cvp", "wikipedia")


def surface_colours(kind: GroundKind, theme: Theme) -> GroundColours:
    """The colours of a board in a theme: of Wikipedia's, the squares that diagrams have in it, too.

    >>> from alfil.diagrams.themes import WIKIPEDIA
    >>> surface_colours("squares", WIKIPEDIA).board == WIKIPEDIA.light
    True
    """
    colours = (PRINT_COLOURS if theme.name == "print" else COLOURS)[kind]
    if kind == "squares" and theme.name in BOARD_THEMES:
        return colours._replace(board=theme.light, other=theme.dark, line=theme.grid)
    return colours


class _PieceLike(Protocol):
    """What `ground_of_board` must know of a kind of piece."""

    @property
    def royal(self) -> bool: ...
    @property
    def within(self) -> tuple[int, int] | str | None: ...


class _RulesLike(Protocol):
    """What `ground_of_board` must know of the rules of a game."""

    @property
    def first(self) -> str: ...
    @property
    def surface(self) -> str: ...
    @property
    def zone(self) -> int: ...


class _BoardLike(Protocol):
    """The size of a board, and the pieces on it at the start."""

    @property
    def files(self) -> int: ...
    @property
    def ranks(self) -> int: ...


def ground_of_board(
    board: _BoardLike,
    kinds: Iterable[_PieceLike],
    rules: _RulesLike,
    regions: Iterable[NamedRegion],
    starting: Iterable[tuple[Square, int]],
) -> Ground:
    """The ground of a board; ``starting`` are the squares of the set-up with the sides on them."""
    kinds, files, ranks = tuple(kinds), board.files, board.ranks
    kind = rules.surface
    if kind == "auto":
        kind = "wood" if rules.first == "black" else "squares"
    if kind != "points":
        return Ground(cast("GroundKind", kind), zone=rules.zone)
    by_name = {region.name: region.squares for region in regions}
    bounds = {each.within: each.royal for each in kinds if isinstance(each.within, str)}
    bounds |= {each.within: True for each in kinds if each.royal and isinstance(each.within, str)}
    areas = [(by_name[name], royal) for name, royal in bounds.items() if name in by_name]
    palaces = tuple(squares for sides, royal in areas if royal for squares in sides if squares)
    river = max((_rank_of_river(sides, files, ranks) for sides, _ in areas), default=0)
    marked = tuple(
        at
        for at, side in starting
        if at[1] != (ranks - 1) * side and not any(at in palace for palace in palaces)
    )
    return Ground("points", palaces, river, marked, rules.zone)


def _rank_of_river(
    sides: tuple[frozenset[Square], frozenset[Square]], files: int, ranks: int
) -> int:
    """After how many ranks two areas that share the board meet, 0 where they do not."""
    first, second = sides
    depth = len(first) // files
    near = set(product(range(files), range(depth)))
    far = set(product(range(files), range(depth, ranks)))
    return depth if 0 < depth < ranks and first == near and second == far else 0


def is_region_shown_by_ground(ground: Ground, region: NamedRegion, size: tuple[int, int]) -> bool:
    """Whether the lines of a ground show a region, so that no other line has to.

    Palaces and their parts are shown, and where there is a river so are halves of the board.
    """
    squares, (files, ranks) = region.both_sides, size
    if any(ground.palaces) and squares <= frozenset().union(*ground.palaces):
        return True
    return bool(ground.river) and len(squares) == files * ranks


def ground_svg(
    ground: Ground, files: int, ranks: int, square: float = 1, colours: GroundColours | None = None
) -> str:
    """The elements that draw the ground of a board with its corner at (0, 0).

    >>> ground_svg(Ground("squares"), 2, 1, 10).count("path")
    1
    """
    paint = colours or COLOURS[ground.kind]
    wide, high = files * square, ranks * square
    whole = f'<rect width="{_fmt(wide)}" height="{_fmt(high)}"'
    lines = [
        f'{whole} fill="{paint.board}"/>',
        *_GROUND_DRAWER_BY_KIND[ground.kind](ground, files, ranks, square),
    ]
    drawn = "".join(lines)
    return drawn.replace("{line}", paint.line).replace("{other}", paint.other)


def _chequered_svg(_: Ground, files: int, ranks: int, square: float) -> Iterator[str]:
    """The dark squares of a chequered board, the near left corner among them."""
    side = _fmt(square)
    dark = "".join(
        f"M{_fmt(file * square)} {_fmt((ranks - 1 - rank) * square)}h{side}v{side}h-{side}z"
        for file, rank in product(range(files), range(ranks))
        if (file + rank) % 2 == 0
    )
    yield f'<path fill="{{other}}" d="{dark}"/>'
    yield _frame_svg(files * square, ranks * square, square)


def _grid_ground_svg(ground: Ground, files: int, ranks: int, square: float) -> Iterator[str]:
    """The lines between squares, and star points at the corners of the promotion zones."""
    wide, high = files * square, ranks * square
    down = "".join(f"M{_fmt(file * square)} 0v{_fmt(high)}" for file in range(1, files))
    across = "".join(f"M0 {_fmt(rank * square)}h{_fmt(wide)}" for rank in range(1, ranks))
    yield _line_path_svg(down + across, square)
    zone = ground.zone
    if 0 < 2 * zone < min(files, ranks):
        for file, rank in product((zone, files - zone), (zone, ranks - zone)):
            x, y, r = _fmt(file * square), _fmt(rank * square), _fmt(STAR_RADIUS * square)
            yield f'<circle cx="{x}" cy="{y}" r="{r}" fill="{{line}}"/>'
    yield _frame_svg(wide, high, square)


def _points_ground_svg(ground: Ground, files: int, ranks: int, square: float) -> Iterator[str]:
    """Lines through the middles of squares, with a river, palaces and ticks at marked points."""

    def at(file: float, rank: float) -> str:
        return f"{_fmt((file + 0.5) * square)} {_fmt((ranks - 0.5 - rank) * square)}"

    across = [f"M{at(0, rank)}L{at(files - 1, rank)}" for rank in range(ranks)]
    banks = [(0, ranks - 1)]
    if ground.river:
        banks = [(0, ground.river - 1), (ground.river, ranks - 1)]
    down = [
        f"M{at(file, near)}L{at(file, far)}"
        for file in range(files)
        for near, far in (banks if 0 < file < files - 1 else [(0, ranks - 1)])
    ]
    diagonals = []
    for palace in ground.palaces:
        (left, low), (right, high) = (
            (edge(file for file, _ in palace), edge(rank for _, rank in palace))
            for edge in (min, max)
        )
        if right - left == high - low:
            diagonals.append(
                f"M{at(left, low)}L{at(right, high)}M{at(left, high)}L{at(right, low)}"
            )
    ticks = [
        f"M{at(file + dx * (TICK_GAP + TICK_LENGTH), rank + dy * TICK_GAP)}"
        f"L{at(file + dx * TICK_GAP, rank + dy * TICK_GAP)}"
        f"L{at(file + dx * TICK_GAP, rank + dy * (TICK_GAP + TICK_LENGTH))}"
        for file, rank in ground.marked
        for dx, dy in product((-1, 1), (-1, 1))
        if 0 <= file + dx < files
    ]
    yield _line_path_svg("".join([*across, *down, *diagonals, *ticks]), square)
    yield _frame_svg(files * square, ranks * square, square)


_GROUND_DRAWER_BY_KIND = {
    "squares": _chequered_svg,
    "wood": _grid_ground_svg,
    "points": _points_ground_svg,
}


def _line_path_svg(path: str, square: float) -> str:
    width = _fmt(square * 0.024)
    return f'<path fill="none" stroke="{{line}}" stroke-width="{width}" d="{path}"/>'


def _frame_svg(wide: float, high: float, square: float) -> str:
    return (
        f'<rect width="{_fmt(wide)}" height="{_fmt(high)}" fill="none" stroke="{{line}}" '
        f'stroke-width="{_fmt(square * 0.05)}"/>'
    )


def _fmt(number: float) -> str:
    return f"{round(number, 3):g}"
