"""Whole piece files as pictures: sheets, set-ups, and a piece of a file with its promoted forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, NamedTuple

import click

from alfil.cli.options import Settings, replacing
from alfil.diagrams.sheet import Sheet

if TYPE_CHECKING:
    from alfil.diagrams.plate import Plate
    from alfil.drawing import Diagram
    from alfil.library.names import Named


class FileOptions(NamedTuple):
    """What is asked of a piece file: other moves, the set-up, columns, no promoted forms."""

    moves: dict[str, str]
    setup: bool = False
    columns: int | None = None
    alone: bool = False


def file_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options for piece files; the command gets them as ``asked``."""

    @wraps(command)
    def gathered(
        *, moves: dict[str, str], setup: bool, columns: int | None, alone: bool, **rest: object
    ) -> int:
        return command(asked=FileOptions(moves, setup, columns, alone), **rest)

    decorated: Callable[..., int] = gathered
    for option in (
        replacing,
        click.option("--alone", is_flag=True, help="A piece of a file without its promoted forms."),
        click.option("--columns", type=click.IntRange(1, 50), help="Pieces a row of a sheet."),
        click.option("--setup", is_flag=True, help="The board of a piece file with its set-up."),
    ):
        decorated = option(decorated)
    return decorated


def plate_of_file(text: str, settings: Settings, asked: FileOptions, theme: str) -> Plate:
    """The sheet of a piece file or bundled set, or its set-up."""
    from alfil.cli.piece_file import loaded

    library = loaded(text, asked.moves, settings)
    if asked.setup:
        return library.draw(theme=theme)
    return library.sheet(theme=theme, columns=asked.columns)


def replaced(named: Named, asked: FileOptions) -> Named:
    """The same piece in a library with the moves that were asked for."""
    from alfil.library.library import with_moves

    if not asked.moves:
        return named
    library = with_moves(named.library, asked.moves)
    return named._replace(library=library, entry=library[named.entry.code])


def card_of(named: Named, asked: FileOptions, theme: str) -> Plate | None:
    """A piece beside the forms it promotes to, or with what its file says of it; else None."""
    plate = named.library.sheet(
        named.entry.code, alone=asked.alone, theme=theme, columns=asked.columns
    )
    several = isinstance(plate.subject, Sheet) and len(plate.subject.cards) > 1
    return plate if several or named.entry.remark else None


def dressed(diagram: Diagram, named: Named, theme: str) -> Diagram:
    """The diagram with the piece as its file has it, and what the file says of it.

    The squares of a board are named as in the game of the file.
    """
    from alfil.library.pictures import small_token, tokens_in

    token = tokens_in(named.library)[named.entry.code]
    picture = diagram.picture._replace(
        token=small_token(token, theme), note=named.entry.remark, status=named.entry.status
    )
    if named.entry.remark:
        told = f"{picture.description} Note: {named.entry.remark}"
        picture = picture._replace(description=told)
    if named.library.coordinates == "shogi":
        picture = picture._replace(marks=replace(picture.marks, coordinates="shogi"))
    return replace(diagram, picture=picture)
