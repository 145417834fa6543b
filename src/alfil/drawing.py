"""Diagrams of a piece: what it does on every square around it, in the formats people use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from alfil.api import AnyPiece, Piece, Squares, as_piece, board_of, describe, moves, needs_no_square
from alfil.diagrams.lines import lines_of
from alfil.diagrams.picture import Picture
from alfil.diagrams.signs import summary
from alfil.diagrams.subjects import Diagram, Offset, Standing, Window, around, on_board
from alfil.diagrams.themes import theme_called
from alfil.diagrams.walk import fitted, marks_in, marks_of
from alfil.squares import coordinates_of
from alfil.tables.scene import ENEMY, FRIEND, ROYAL, Placed, Scene, place_pieces

EnPassant: TypeAlias = Squares | Mapping[Offset | str, Offset | str]
Others: TypeAlias = tuple[Squares, Squares, Squares, Squares, EnPassant]


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
) -> Picture:
    """A picture of a piece's moves.

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
    marks = marks_of(piece.meaning, window) if window else fitted(piece.meaning)
    others = (enemies, friends, enemy_royals, unmoved_friends, en_passant)
    if any(others) or unmoved is not None or moves_made is not None:
        radius = marks.window.north
        found = moves(
            piece,
            radius=radius,
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
        board = board_of(radius, files, ranks, at)
        standing = _standing(board, others, open_board=files is None)
        guards = {move.guard for move in found}
        lines = lines_of(piece.meaning, marks.window, standing, guards)
        marks = marks_in(standing, found, marks, lines)
    else:
        lines = lines_of(piece.meaning, marks.window)
    marks = replace(marks, coordinates=coordinates_of(at) or "chess")
    words = f"{describe(piece)} {summary(marks)}"
    notation = piece.text.strip()
    return Picture(Diagram(marks, piece.meaning, lines, notation, label, words), colours)


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
    contents, unmoved, trail = place_pieces(Placed(board, *others), open_board=open_board)
    standing = dict.fromkeys(trail, Standing.TRAIL)
    for square, kind in contents.items():
        standing[square] = Standing.UNMOVED_FRIEND if square in unmoved else KINDS[kind]
    x, y = board.at
    return {(file - x, rank - y): standing[file, rank] for file, rank in sorted(standing)}


KINDS = {ENEMY: Standing.ENEMY, ROYAL: Standing.ENEMY_ROYAL, FRIEND: Standing.FRIEND}
