"""The options that all commands on notations share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import NamedTuple

import click

from alfil.notation.registry import DEFAULT_NOTATION, NOTATIONS


class Settings(NamedTuple):
    """What notation to read, how, and whether people or programs read the answer."""

    notation: str = DEFAULT_NOTATION
    dialect: str | None = None
    lenient: bool = False
    json: bool = False


def reading(command: Callable[..., int]) -> Callable[..., int]:
    """Add --from, --dialect, --lenient and --json; the command gets them as ``settings``."""

    @wraps(command)
    def gathered(
        *, notation: str, dialect: str | None, lenient: bool, as_json: bool, **rest: object
    ) -> int:
        return command(settings=Settings(notation, dialect, lenient, as_json), **rest)

    decorated: Callable[..., int] = gathered
    for option in reversed(OPTIONS):
        decorated = option(decorated)
    return decorated


def replacing(command: Callable[..., int]) -> Callable[..., int]:
    """Add --piece, for commands on a piece file; the command gets a dictionary as ``moves``."""
    return click.option(
        "--piece",
        "moves",
        metavar="CODE=MOVE",
        multiple=True,
        callback=_moves_by_code,
        help="Give a piece another move: SH=R2, 'O=hasinu:j(3×4dO)'.",
    )(command)


def _moves_by_code(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> dict[str, str]:
    moves: dict[str, str] = {}
    for each in value:
        code, sign, move = each.partition("=")
        if not (code and sign and move):
            raise click.BadParameter(f"{each} is not CODE=MOVE, as in SH=R2", ctx, param)
        if code in moves:
            raise click.BadParameter(f"{code} is given two moves", ctx, param)
        moves[code] = move
    return moves


NOTATION = click.Choice(list(NOTATIONS))
DIALECT = click.Choice([each.name for each in NOTATIONS.values() if each.dialect])
OPTIONS = (
    click.option(
        "--from",
        "notation",
        type=NOTATION,
        default=DEFAULT_NOTATION,
        show_default=True,
        help="The notation to read.",
    ),
    click.option("--dialect", type=DIALECT, help="What Betza embedded in Ħasínū is in."),
    click.option("--lenient", is_flag=True, help="Drop one asterisk at the end of Ħasínū."),
    click.option("--json", "as_json", is_flag=True, help="Answer as JSON, errors too."),
)


def in_colour() -> bool:
    """Whether output may be coloured: on a terminal that has not asked for none."""
    quiet = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not quiet


def encoding_of(*, err: bool) -> str:
    """The encoding of standard error, or of standard output."""
    return (sys.stderr if err else sys.stdout).encoding or "ascii"


def in_unicode() -> bool:
    """Whether standard output can show more than ASCII."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
