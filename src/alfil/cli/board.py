"""Boards and squares as options."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import NamedTuple

import click
from click.core import ParameterSource

from alfil.api import Piece
from alfil.errors import AlfilError, BoardError, Finding
from alfil.geometry import BOARD_LIMIT, Coordinates, shogi_name, square_name
from alfil.source import Span

SIZE = re.compile(r"(\d{1,2})[x×](\d{1,2})", re.ASCII)
OFFSET = re.compile(r"(-?\d{1,9}),(-?\d{1,9})", re.ASCII)


class Board(NamedTuple):
    """A real board and the square of the piece, as its name and as (file, rank) from 0.

    ``coordinates`` are those the name is in.
    """

    files: int
    ranks: int
    at: str
    square: tuple[int, int]
    coordinates: Coordinates = "chess"

    def name(self, file: int, rank: int) -> str:
        """What a square is called, as the piece's own square was named."""
        if self.coordinates == "chess":
            return square_name(file, rank)
        return shogi_name(file, rank, self.files, self.ranks)


def board_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add --board and --at; the command gets a ``board``, or None."""

    @wraps(command)
    def gathered(*, size: tuple[int, int] | None, at: str | None, **rest: object) -> int:
        return command(board=_board(size, at), **rest)

    decorated: Callable[..., int] = gathered
    for option in (
        click.option("--at", metavar="SQUARE", help="Where the piece stands: e5, in shogi 5e."),
        click.option("--board", "size", metavar="9x9", callback=_size, help="Files by ranks."),
    ):
        decorated = option(decorated)
    return decorated


Squares = tuple[str | tuple[int, int], ...]


class Position(NamedTuple):
    """What stands around the piece, and what it has done before."""

    enemies: Squares
    friends: Squares
    enemy_royals: Squares
    unmoved_friends: Squares
    en_passant: Squares
    moved: bool
    moves_made: int | None

    @property
    def unmoved(self) -> bool:
        """Whether the piece has not moved."""
        return not self.moved and not self.moves_made

    def __bool__(self) -> bool:
        """Whether anything was said about it."""
        return any(self[:-1]) or self.moves_made is not None


def position_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options of a position; the command gets them as ``position``."""

    @wraps(command)
    def gathered(
        *,
        enemies: Squares,
        friends: Squares,
        enemy_royals: Squares,
        unmoved_friends: Squares,
        en_passant: Squares,
        moved: bool,
        moves_made: int | None,
        **rest: object,
    ) -> int:
        if moved and moves_made == 0:
            raise click.UsageError(
                "--moved and --moves-made 0 contradict each other; leave one out"
            )
        position = Position(
            enemies, friends, enemy_royals, unmoved_friends, en_passant, moved, moves_made
        )
        return command(position=position, **rest)

    decorated: Callable[..., int] = gathered
    number = click.IntRange(0, 9999)
    for option in (
        click.option("--moves-made", type=number, help="Moves the piece has made."),
        click.option("--moved", is_flag=True, help="The piece has moved before, many times."),
        *(
            click.option(flag, name, metavar="SQUARES", multiple=True, callback=squares, help=words)
            for flag, name, words in reversed(PLACING)
        ),
    ):
        decorated = option(decorated)
    return decorated


PLACING = (
    ("--enemy", "enemies", "Enemies: e7,f6."),
    ("--own", "friends", "Pieces of its own side: e7,f6."),
    ("--royal", "enemy_royals", "Royal enemies: e7,f6."),
    ("--unmoved-own", "unmoved_friends", "Pieces it can castle with: e7,f6."),
    ("--en-passant", "en_passant", "Squares for en passant: e7,f6."),
)


def _size(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    match = SIZE.fullmatch(value)
    files, ranks = map(int, match.groups()) if match else (0, 0)
    if not (1 <= files <= BOARD_LIMIT and 1 <= ranks <= BOARD_LIMIT):
        raise click.BadParameter(f"write 9x9; at most {BOARD_LIMIT}x{BOARD_LIMIT}", ctx, param)
    return files, ranks


def _board(size: tuple[int, int] | None, at: str | None) -> Board | None:
    if size is None and at is None:
        return None
    if size is None or at is None:
        raise click.UsageError("--board and --at belong together: --board 9x9 --at e5")
    from alfil.tables.placing import coordinates_of, square_of  # noqa: PLC0415 - few have a board

    try:
        return Board(*size, at, square_of(at, *size), coordinates_of(at))
    except AlfilError as error:
        raise click.UsageError(error.findings[0].message) from None


def squares(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> tuple[str | tuple[int, int], ...]:
    """Squares by name with commas in between (e7,f6), or one offset (0,2) to an option."""
    found: list[str | tuple[int, int]] = []
    for value in values:
        offset = OFFSET.fullmatch(value)
        names = [name.strip() for name in value.split(",")]
        if offset:
            found.append((int(offset[1]), int(offset[2])))
        elif "" in names:
            raise click.BadParameter("a square is missing; write e7,f6", ctx, param)
        else:
            found += names
    return tuple(found)


def no_radius(board: Board | None) -> None:
    """Refuse --radius with --board, which shows the whole board."""
    given = click.get_current_context().get_parameter_source("radius")
    if board and given is ParameterSource.COMMANDLINE:
        raise click.UsageError("--radius is for open diagrams; with --board all of it is shown")


def needs_board(piece: Piece) -> None:
    """Raise `BoardError` for a piece that cannot be shown without a board and a square."""
    if any(condition.kind == "middle" for guard, _ in piece.meaning.parts for condition in guard):
        finding = Finding(
            "needs-board",
            "a range of * depends on the board and the square",
            (Span(0, len(piece.text)),),
            "add a board and a square, as in --board 8x8 --at e2",
        )
        raise BoardError([finding], piece.source)
