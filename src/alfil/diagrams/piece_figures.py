"""What pieces look like: wedges with kanji, discs, and the figures of chess.

A piece is drawn around (0, 0) in a square of 100 units. Side and promotion are told by shape first:
a wedge of the second side stands on its head, a disc of it is dark; a promoted piece has a second
outline. Nothing is drawn with a font of the reader's system.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache
from html import escape
from typing import NamedTuple, Protocol, cast

from alfil.diagrams.diagram_model import SIDES, PieceToken, Shape
from alfil.diagrams.text_outlines import (
    KANJI_BOTTOM,
    KANJI_TOP,
    UNITS_PER_EM,
    Face,
    characters_and_composed_kanji,
    scale_path,
    short,
    text_outline,
    text_width,
    truncated,
)
from alfil.source import printable

# The figures of chess by the names of the pieces they are known for.
FIGURE_BY_PIECE_NAME = {
    "king": "♚",
    "queen": "♛",
    "rook": "♜",
    "bishop": "♝",
    "knight": "♞",
    "pawn": "♟",
}
# The signs of chess by either side's; the colour of a piece says whose it is.
FIGURE_BY_CHESS_SIGN = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "♚♛♜♝♞♟" * 2, strict=True))
# A symbol from a file of one's own: its box, and the data of its paths.
_NUMBER = r"[0-9]{1,5}(?:\.[0-9]{1,5})?"
DRAWING_PATTERN = re.compile(
    rf"svg(?P<box>(?: -?{_NUMBER}){{2}}(?: (?=[0-9.]*[1-9]){_NUMBER}){{2}})"
    r"(?P<paths>(?:\|[MmZzLlHhVvCcSsQqTtAaEe0-9 ,.+-]+)+)"
)
MAX_FACE_CHARACTERS = 6
MAX_ESCAPED_LENGTH = 200


class _PieceLike(Protocol):
    """What `tokens_by_code` must know of a kind of piece; those of games and of files have it."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def kanji(self) -> str: ...
    @property
    def symbol(self) -> str: ...
    @property
    def promotes(self) -> tuple[str, ...]: ...


class _RulesLike(Protocol):
    """What `tokens_by_code` must know of the rules of a game."""

    @property
    def first(self) -> str: ...
    @property
    def look(self) -> str: ...
    @property
    def colours(self) -> str: ...


class PiecePalette(NamedTuple):
    """The colours of pieces, as #rrggbb."""

    wood: str
    edge: str
    ink: str
    red: str
    light: str
    dark: str
    blue: str


WOOD_PALETTE = PiecePalette(
    "#f6dca6", "#533a12", "#1c1812", "#b0190f", "#fffdf6", "#23262b", "#0d4a86"
)
PRINT_PALETTE = PiecePalette(*("#ffffff", *["#000000"] * 3, "#ffffff", "#000000", "#000000"))


def palette_for(theme: str) -> PiecePalette:
    """The colours of pieces in a theme: black and white on paper, wood elsewhere."""
    return PRINT_PALETTE if theme == "print" else WOOD_PALETTE


class _TextBox(NamedTuple):
    """Where characters go: the middle of a column, its top and bottom, and how wide it may be."""

    top: float
    bottom: float
    wide: float


WEDGE = "M0-47L26-37L37 45L-37 45L-26-37z"
INNER_WEDGE = "M0-41L22.5-32.5L31.5 40L-31.5 40L-22.5-32.5z"
# By the number of characters, for more than these the last.
_WEDGE_BOXES = (
    _TextBox(-21, 35, 56),
    _TextBox(-33, 41, 44),
    _TextBox(-34, 42, 40),
    _TextBox(-36, 43, 36),
)
_DISC_BOXES = (
    _TextBox(-31, 31, 62),
    _TextBox(-35, 35, 42),
    _TextBox(-36, 36, 38),
    _TextBox(-37, 37, 34),
)
_WEDGE_WORD_WIDTH, _DISC_WORD_WIDTH = 50.0, 64.0
_MAX_CODE_TEXT_SIZE, _MIN_CODE_TEXT_SIZE = 44.0, 17.0


def tokens_by_code(
    kinds: Iterable[_PieceLike], rules: _RulesLike, starting_codes: Collection[str]
) -> dict[str, PieceToken]:
    """What the kinds of a game or a file look like, by code.

    All look as the rules say; where these leave it open, it depends on who has kanji and on the
    side that moves first. ``starting_codes`` are the codes of the set-up and the hands. A promoted
    form has a code with + before it, or is on a wedge, promoted to, and not there at the start.
    """
    kinds = tuple(kinds)
    first = rules.first
    usual = shape_of_set(sum(bool(kind.kanji) for kind in kinds), len(kinds), first)
    later = (
        {code for kind in kinds for code in kind.promotes} - set(starting_codes)
        if starting_codes
        else ()
    )
    tokens = {}
    for kind in kinds:
        open_to = shape_of_set(1, 1, first) if kind.kanji else usual
        shape = open_to if rules.look == "auto" else cast("Shape", rules.look)
        promoted = kind.code.startswith("+") or (shape == "wedge" and kind.code in later)
        tokens[kind.code] = PieceToken(
            kind.code,
            kind.name,
            kind.kanji,
            promoted=promoted,
            shape=shape,
            symbol=kind.symbol,
            colours=rules.colours,
        )
    return tokens


def shape_of_set(with_kanji: int, kinds: int, first: str) -> Shape:
    """The shape of a set's pieces, by how many of its kinds have kanji.

    Wedges are for sets where black moves first and at least a third of the kinds have kanji.

    >>> shape_of_set(6, 12, "black"), shape_of_set(7, 8, "white"), shape_of_set(20, 300, "black")
    ('wedge', 'disc', 'figure')
    """
    if 3 * with_kanji < kinds or not with_kanji:
        return "figure"
    return "wedge" if first == "black" else "disc"


def piece_svg(
    token: PieceToken,
    side: int = 0,
    palette: PiecePalette = WOOD_PALETTE,
    *,
    from_behind: bool = False,
) -> str:
    """The elements that draw a piece around (0, 0), in a square of 100 units.

    The second side's wedge is turned by half a turn, letters on it are not; ``from_behind`` the
    first side's is, as the second player sees the board. A piece without kanji
    has its symbol on it, or else its code; a disc with the symbol of a figure of chess is drawn as
    that figure, and so is a "figure" with the name it has in chess. What either side's pieces share
    is a group without attributes, which a document has once.

    >>> piece_svg(PieceToken("G", kanji="金将", shape="wedge"), 1)[:27]
    '<g transform="rotate(180)">'
    """
    looks = token._replace(
        name=token.name if token.shape == "figure" else "", kanji=token.kanji_of(side)
    )
    down = bool(side) != from_behind if token.shape == "wedge" else bool(side)
    return _token_svg(looks, down, palette)


def positioned_piece(
    token: PieceToken,
    side: int,
    x: float,
    y: float,
    size: float,
    palette: PiecePalette = WOOD_PALETTE,
    data: str = "",
) -> str:
    """A piece in a square of ``size`` around a point, with its code, side and name as data.

    ``data`` is written on its element as it stands.
    """
    known = f' data-code="{escaped(token.code)}" data-side="{SIDES[bool(side)]}"'
    if token.promoted:
        known += ' data-promoted="yes"'
    title = f"<title>{escaped(token.name)}</title>" if token.name else ""
    move = f"translate({short(x)} {short(y)}) scale({short(size / 100, 4)})"
    return f'<g{known}{data} transform="{move}">{title}{piece_svg(token, side, palette)}</g>'


def escaped(text: str) -> str:
    """A text for an attribute or an element of SVG, without controls and at most so long.

    >>> escaped('<b> & "x"')
    '&lt;b&gt; &amp; &quot;x&quot;'
    """
    cut = text if len(text) <= MAX_ESCAPED_LENGTH else text[:MAX_ESCAPED_LENGTH] + "…"
    return escape(printable(cut))


@lru_cache(maxsize=2048)
def _token_svg(token: PieceToken, second: bool, palette: PiecePalette) -> str:  # noqa: FBT001 -- one of two sides
    if token.shape == "wedge":
        return _wedge_svg(token, second, palette)
    plain = not (token.kanji or token.promoted)
    figure = _chess_figure_character(token) if plain else ""
    return _figure_svg(figure, second, palette) if figure else _disc_svg(token, second, palette)


def _chess_figure_character(token: PieceToken) -> str:
    """The figure of chess that stands for a piece, by its symbol or else its name, or none."""
    if token.symbol:
        return FIGURE_BY_CHESS_SIGN.get(token.symbol, "")
    return FIGURE_BY_PIECE_NAME.get(token.name, "") if token.shape == "figure" else ""


def _wedge_svg(token: PieceToken, second: bool, palette: PiecePalette) -> str:  # noqa: FBT001
    """Kanji turn with the wedge; letters stay upright, for SO turned round would read OS."""
    ink = palette.red if token.promoted else palette.ink
    upright = second and not token.kanji
    turned = ' transform="rotate(180)"'
    path = f'<path{turned if upright else ""} stroke-width="2"'
    body = f'{path} d="{WEDGE}" fill="{palette.wood}" stroke="{palette.edge}"/>'
    if token.promoted:
        body += f'{path} d="{INNER_WEDGE}" fill="none" stroke="{ink}"/>'
    face = _kanji_or_code_svg(token, _WEDGE_BOXES, _WEDGE_WORD_WIDTH, ink, -8 if upright else 8)
    whole = f"<g>{body}{face}</g>"
    return f"<g{turned}>{whole}</g>" if second and not upright else whole


def _disc_svg(token: PieceToken, second: bool, palette: PiecePalette) -> str:  # noqa: FBT001
    fill, ink = (palette.dark, palette.light) if second else (palette.light, palette.dark)
    inks = token.colours.split("-")
    if len(inks) > 1 and palette is not PRINT_PALETTE:
        # Both sides' discs are of wood, and the second's has two rings.
        fill, ink = palette.light, {**palette._asdict(), "black": palette.dark}[inks[second]]
        body = f'<circle r="43" fill="{fill}" stroke="{ink}" stroke-width="4"/>'
        ring = ink
    else:
        body = f'<circle r="43" fill="{fill}" stroke="{palette.dark}" stroke-width="3"/>'
        ring = palette.light
    if second:
        body += f'<circle r="39" fill="none" stroke="{ring}" stroke-width="1"/>'
    if token.promoted:
        body += f'<circle r="36" fill="none" stroke="{ink}" stroke-width="2.5"/>'
    room = 0.84 if token.promoted else 1.0
    boxes = tuple(_TextBox(*(each * room for each in box)) for box in _DISC_BOXES)
    return f"<g>{body}{_kanji_or_code_svg(token, boxes, _DISC_WORD_WIDTH * room, ink, 0)}</g>"


def _figure_svg(sign: str, second: bool, palette: PiecePalette) -> str:  # noqa: FBT001
    outline_drawn = text_outline(sign)
    scale = 100 / UNITS_PER_EM
    path = scale_path(outline_drawn.path, scale, scale, -outline_drawn.width * scale / 2, 36)
    fill, edge = (palette.dark, palette.light) if second else (palette.light, palette.dark)
    line = f' stroke="{edge}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"'
    return f'<g><path fill="{fill}"{line} d="{path}"/></g>'


def _kanji_or_code_svg(
    token: PieceToken, boxes: tuple[_TextBox, ...], wide: float, ink: str, middle: float
) -> str:
    """The kanji one under another, or else the code."""
    characters = list(characters_and_composed_kanji(printable(token.kanji))) if token.kanji else []
    drawing = DRAWING_PATTERN.fullmatch(token.symbol) if not characters else None
    if drawing:
        return _custom_symbol(drawing, wide, ink, middle)
    if not characters:
        return _code_svg(token.symbol or token.code, wide, ink, middle)
    if len(characters) > MAX_FACE_CHARACTERS:
        characters = [*characters[: MAX_FACE_CHARACTERS - 1], "…"]
    box = boxes[min(len(characters), len(boxes)) - 1]
    high = (box.bottom - box.top) / len(characters)
    path = "".join(
        _character_path(each, box.top + high * number, high, box.wide)
        for number, each in enumerate(characters)
    )
    return f'<path fill="{ink}" d="{path}"/>'


def _custom_symbol(drawing: re.Match[str], wide: float, ink: str, middle: float) -> str:
    """A symbol from a file, as large as its room, around the middle; all its paths are filled."""
    left, low, width, height = (float(each) for each in drawing["box"].split())
    scale = wide / max(width, height)
    across, down = -(left + width / 2) * scale, middle - (low + height / 2) * scale
    move = f"translate({short(across)} {short(down)}) scale({short(scale, 6)})"
    return "".join(
        f'<path fill="{ink}" transform="{move}" d="{each}"/>'
        for each in drawing["paths"][1:].split("|")
    )


def _character_path(character: str, top: float, high: float, wide: float) -> str:
    """One character that fills its row, no wider than an em that is a third wider than high."""
    outline_drawn = text_outline(character, "kanji")
    down = high / (KANJI_TOP - KANJI_BOTTOM)
    across = min(wide / UNITS_PER_EM, down * 1.3)
    return scale_path(
        outline_drawn.path, across, down, -outline_drawn.width * across / 2, top + KANJI_TOP * down
    )


def _code_svg(text: str, wide: float, ink: str, middle: float, face: Face = "bold") -> str:
    """A code on one line, smaller the longer it is, cut when it would be too small to read."""
    size = min(_MAX_CODE_TEXT_SIZE, wide / (text_width(text, 1, face) or 1))
    if size < _MIN_CODE_TEXT_SIZE:
        size = _MIN_CODE_TEXT_SIZE
        text = truncated(text, size, wide, face)
    outline_drawn = text_outline(text, face)
    scale = size / UNITS_PER_EM
    path = scale_path(
        outline_drawn.path, scale, scale, -outline_drawn.width * scale / 2, middle + size * 0.357
    )
    return f'<path fill="{ink}" d="{path}"/>'
