"""Diagrams of a piece: what it does on every square around it, in the formats people use."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from alfil.api import AnyPiece, Piece, Squares, as_piece, board_of, describe, moves, needs_no_square
from alfil.diagrams.facts import facts_in_words
from alfil.diagrams.formats import Look, format_called, format_of, rendered
from alfil.diagrams.lines import lines_of
from alfil.diagrams.marks import Offset, Standing, Window, around, on_board
from alfil.diagrams.picture import Picture
from alfil.diagrams.plain import ascii_text, text
from alfil.diagrams.position import marks_in
from alfil.diagrams.summary import summary
from alfil.diagrams.svg import svg
from alfil.diagrams.themes import DEFAULT, Theme, theme_called
from alfil.diagrams.walk import fitted, marks_of
from alfil.saving import save
from alfil.tables.scene import ENEMY, FRIEND, ROYAL, Placed, coordinates_of, place_pieces

if TYPE_CHECKING:
    from alfil.diagrams.marks import Marks
    from alfil.tables.scene import Scene

EnPassant: TypeAlias = Squares | Mapping[Offset | str, Offset | str]
Others: TypeAlias = tuple[Squares, Squares, Squares, Squares, EnPassant]


@dataclass(frozen=True)
class Diagram:
    """A picture of how a piece moves; ``str`` of it is text, and notebooks show it as SVG.

    >>> from alfil import draw
    >>> print(str(draw("fW")).splitlines()[2:5])
    ['  · · · · ·', '  · · ● · ·', '  · · @ · ·']
    """

    piece: Piece
    picture: Picture
    theme: Theme = DEFAULT

    def __str__(self) -> str:
        return text(self.picture)

    def _repr_svg_(self) -> str:
        return self.svg()

    def ascii(self) -> str:
        """The picture in ASCII."""
        return ascii_text(self.picture)

    def svg(self, theme: str | None = None) -> str:
        """The picture as SVG, in another theme than its own if one is given."""
        return svg(self.picture, theme_called(theme) if theme else self.theme)

    def render(self, form: str, *, theme: str | None = None, size: int | None = None) -> bytes:
        """The picture in a format by name, text as UTF-8; ``size`` is its width in pixels.

        Raises `AlfilError` for an unknown format or theme, and for PNG without the extra ``png``.

        >>> from alfil import draw
        >>> draw("N").render("png")[1:4]
        b'PNG'
        """
        look = Look(theme_called(theme) if theme else self.theme, size)
        return rendered(self.picture, format_called(form), look)

    def save(self, path: str | os.PathLike[str], *, theme: str | None = None) -> None:
        """Write the picture to a file, in the format that its suffix names.

        A file that is there already is replaced only when the new one is complete. Raises
        `AlfilError` for an unknown suffix and for a folder that cannot be written.
        """
        form = format_of(os.fspath(path))
        save({os.fspath(path): self.render(form.name, theme=theme)})


def draw(
    piece: AnyPiece,
    *,
    radius: int | None = None,
    files: int | None = None,
    ranks: int | None = None,
    at: str | Offset | None = None,
    enemies: Squares = (),
    friends: Squares = (),
    enemy_royals: Squares = (),
    unmoved_friends: Squares = (),
    en_passant: EnPassant = (),
    unmoved: bool | None = None,
    moves_made: int | None = None,
    theme: str = "default",
    label: str = "",
) -> Diagram:
    """A diagram of a piece's moves.

    Without other pieces it shows every way the piece can move, in a window of ``radius`` squares
    each way, or one that fits, or on a real board of ``files`` by ``ranks`` with the piece ``at``
    a square. With other pieces, or when ``unmoved`` or ``moves_made`` is given, it shows the moves
    of that one position, as `moves` finds them. ``label`` is what the piece is called. Squares are
    named as in chess, "e5", or as in shogi, "5e"; the coordinates are those that ``at`` is in.

    Raises what `read` and `moves` raise, and `AlfilError` for an unknown theme.

    >>> draw("N").svg().startswith("<svg")
    True
    """
    piece = as_piece(piece)
    colours = theme_called(theme)
    window = _window(piece, radius, files, ranks, at)
    general = marks_of(piece.meaning, window) if window else fitted(piece.meaning)
    others = (enemies, friends, enemy_royals, unmoved_friends, en_passant)
    if any(others) or unmoved is not None or moves_made is not None:
        found = moves(
            piece,
            radius=general.window.north,
            files=files,
            ranks=ranks,
            at=at,
            enemies=enemies,
            friends=friends,
            enemy_royals=enemy_royals,
            unmoved_friends=unmoved_friends,
            unmoved=bool(unmoved),
            moves_made=moves_made,
            en_passant=en_passant,
        )
        standing = _standing(
            board_of(general.window.north, files, ranks, at), others, open_board=files is None
        )
        guards = {move.guard for move in found}
        lines = lines_of(piece.meaning, general.window, standing, guards)
        marks = marks_in(standing, found, general, lines)
    else:
        lines = lines_of(piece.meaning, general.window)
        marks = general
    marks = replace(marks, coordinates=coordinates_of(at))
    notation = piece.text.strip()
    picture = Picture(marks, lines, notation, label, told(piece, marks), meaning=piece.meaning)
    return Diagram(piece, picture, colours)


def told(piece: Piece, marks: Marks) -> str:
    """What a picture shows, in sentences."""
    return " ".join([describe(piece), summary(marks), *facts_in_words(piece.meaning)])


def _window(
    piece: Piece,
    radius: int | None,
    files: int | None,
    ranks: int | None,
    at: str | Offset | None,
) -> Window | None:
    """The window asked for, None for one that fits the piece."""
    board = board_of(RADIUS if radius is None else radius, files, ranks, at)
    if files is not None:
        return on_board(board.files, board.ranks, board.at)
    needs_no_square(piece)
    return None if radius is None else around(radius)


# Where none is given, and none is wanted.
RADIUS = 7


def _standing(board: Scene, others: Others, *, open_board: bool) -> dict[Offset, Standing]:
    """What stands on a board, by offset from the piece."""
    placed = Placed(board, *others)
    contents, unmoved, trail = place_pieces(placed, open_board=open_board)
    standing = dict.fromkeys(trail, Standing.TRAIL)
    for square, kind in contents.items():
        standing[square] = Standing.UNMOVED_FRIEND if square in unmoved else KINDS[kind]
    x, y = board.at
    return {(file - x, rank - y): standing[file, rank] for file, rank in sorted(standing)}


KINDS = {ENEMY: Standing.ENEMY, ROYAL: Standing.ENEMY_ROYAL, FRIEND: Standing.FRIEND}
