"""The options that commands share: notations, other moves, boards, positions; how to print."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

import click
from click.core import ParameterSource

from alfil.errors import AlfilError
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import BOARD_LIMIT
from alfil.notation.description import DEFAULT_NOTATION
from alfil.notation.registry import NOTATIONS, canonical_notation_name
from alfil.squares import CoordinateSystem, coordinate_system_of, square_name_on

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from alfil.diagrams.signs import Sign, TextStyle

Command: TypeAlias = Callable[..., Any]


class _NotationParamType(click.Choice):  # type: ignore[type-arg] # it has none in click 8.1
    """A notation by its name, or by another one that it goes by."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as the base has it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """The name of the notation."""
        return str(super().convert(canonical_notation_name(value), param, ctx))


NOTATION = _NotationParamType(list(NOTATIONS))
DIALECT = click.Choice([each.name for each in NOTATIONS.values() if each.dialect])
SIZE_PATTERN = re.compile(r"(\d{1,2})[x×](\d{1,2})", re.ASCII)
OFFSET_PATTERN = re.compile(r"(-?\d{1,9}),(-?\d{1,9})", re.ASCII)

Squares = tuple[str | tuple[int, int], ...]


def grouped_options(
    name: str, fields: Sequence[str], make: Callable[..., object], *options: Callable[..., Any]
) -> Callable[[Command], Command]:
    """Options whose values a command gets as one: what is made of the ``fields``, by its name."""

    def decorate(command: Command) -> Command:
        @wraps(command)
        def gathered(**given: object) -> object:
            value = make(*(given.pop(field) for field in fields))
            return command(**given, **{name: value})

        decorated: Command = gathered
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate


def completion_function(
    completer: str,
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """What a shell completes for a parameter: a function of `alfil.cli.completion`, by its name.

    It is loaded when it is called.
    """

    def complete(
        ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        del ctx, param
        completion = import_module("alfil.cli.completion")
        items: list[CompletionItem] = getattr(completion, completer)(incomplete)
        return items

    return complete


JSON_KEY = "alfil.json"


def _store_json_flag(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's
    del param
    ctx.meta[JSON_KEY] = value


def json_option(words: str = "Answer as JSON, errors too.") -> Callable[[Command], Command]:
    """Adds --json, which no command gets: `is_json_asked` says whether it was given."""
    return click.option(
        "--json", is_flag=True, expose_value=False, callback=_store_json_flag, help=words
    )


def is_json_asked() -> bool:
    """Whether programs read the answer, and not people."""
    return bool(click.get_current_context().meta.get(JSON_KEY))


class NotationSettings(NamedTuple):
    """What notation to read, and how."""

    notation: str = DEFAULT_NOTATION
    dialect: str | None = None
    lenient: bool = False


# Adds --from, --dialect and --lenient, which the command gets as ``settings``, and --json.
reading_options = grouped_options(
    "settings",
    NotationSettings._fields,
    NotationSettings,
    click.option(
        "--from",
        "notation",
        type=NOTATION,
        default=DEFAULT_NOTATION,
        show_default=True,
        help="The notation to read.",
    ),
    click.option("--dialect", type=DIALECT, help="The dialect of Betza, also embedded in Ħasínū."),
    click.option("--lenient", is_flag=True, help="Ignore one asterisk at the end of Ħasínū."),
    json_option(),
)


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


# Adds --piece, for commands on a piece file; the command gets a dictionary as ``moves``.
moves_option = click.option(
    "--piece",
    "moves",
    metavar="CODE=MOVE",
    multiple=True,
    callback=_moves_by_code,
    help="Give a piece another move: SH=R2, 'O=hasinu:j(3×4dO)'.",
)
READING_KEY = "alfil.reading"


def _store_piece_file_reading(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> None:
    del param
    ctx.meta[READING_KEY] = value or ""


# Adds --reading, for commands on a game; no command gets it: `chosen_piece_file_reading` has it.
reading_option = click.option(
    "--reading",
    metavar="NAME",
    expose_value=False,
    callback=_store_piece_file_reading,
    help="Play by another reading of the game: wikipedia (`alfil rules` lists them).",
)


def game_options(command: Command) -> Command:
    """Adds the game of a command, --piece and --reading; it gets ``name`` and ``moves``."""
    complete = completion_function("games")
    argument = click.argument("name", metavar="SET_OR_FILE", shell_complete=complete)
    decorated: Command = argument(moves_option(reading_option(command)))
    return decorated


def chosen_piece_file_reading() -> str:
    """The reading that --reading names, empty for the default."""
    context = click.get_current_context(silent=True)
    return context.meta.get(READING_KEY, "") if context else ""


def game_arguments(name: str, moves: Mapping[str, str]) -> list[str]:
    """The game as it was given to a command with `game_options`."""
    reading = chosen_piece_file_reading()
    words = [name, *(["--reading", reading] if reading else [])]
    for code, move in moves.items():
        words += ["--piece", f"{code}={move}"]
    return words


plain_diagram_option = click.option("--ascii", "plain", is_flag=True, help="Draw in plain ASCII.")
plain_option = click.option("--ascii", "plain", is_flag=True, help="Write plain ASCII.")


class BoardWithSquare(NamedTuple):
    """A real board and the square of the piece, as its name and as (file, rank) from 0.

    ``coordinates`` are those the name is in.
    """

    files: int
    ranks: int
    at: str
    square: tuple[int, int]
    coordinates: CoordinateSystem = "chess"

    def square_name(self, file: int, rank: int) -> str:
        """What a square is called, as the piece's own square was named."""
        return square_name_on((file, rank), self.files, self.ranks, self.coordinates)


def _parse_size(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[int, int] | None:
    if value is None:
        return None
    match = SIZE_PATTERN.fullmatch(value)
    files, ranks = map(int, match.groups()) if match else (0, 0)
    if not (1 <= files <= BOARD_LIMIT and 1 <= ranks <= BOARD_LIMIT):
        raise click.BadParameter(f"write 9x9; at most {BOARD_LIMIT}x{BOARD_LIMIT}", ctx, param)
    return files, ranks


def _make_board(size: tuple[int, int] | None, at: str | None) -> BoardWithSquare | None:
    if size is None and at is None:
        return None
    if size is None or at is None:
        raise click.UsageError("--board and --at belong together: --board 9x9 --at e5")
    from alfil.tables.board_context import parse_board_square  # noqa: PLC0415 - few have a board

    try:
        return BoardWithSquare(
            *size, at, parse_board_square(at, *size), coordinate_system_of(at) or "chess"
        )
    except AlfilError as error:
        raise click.UsageError(error.first_error.message) from None


# Adds --board, for commands to which only the size matters; the command gets a ``size``, or None.
size_option = click.option(
    "--board", "size", metavar="9x9", callback=_parse_size, help="Files by ranks."
)
# Adds --board and --at; the command gets a ``board``, or None.
board_options = grouped_options(
    "board",
    ("size", "at"),
    _make_board,
    size_option,
    click.option("--at", metavar="SQUARE", help="The square of the piece: e5, in shogi 5e."),
)


def board_arguments(board: BoardWithSquare | None) -> dict[str, Any]:
    """A board and a square as `alfil.moves` and `alfil.draw` are called with them."""
    names = ("files", "ranks", "at")
    return {name: board and getattr(board, name) for name in names}


class PositionOptions(NamedTuple):
    """What stands around the piece, and what it has done before."""

    enemies: Squares
    friends: Squares
    enemy_royals: Squares
    unmoved_friends: Squares
    en_passant: Squares
    moved: bool
    moves_made: int | None
    turn: int | None

    def __bool__(self) -> bool:
        """Whether anything was said about it."""
        return any(self) or self.moves_made is not None

    def arguments(self, board: BoardWithSquare | None) -> dict[str, Any]:
        """What `alfil.moves` and `alfil.draw` are called with."""
        arguments = self._asdict()
        moved = arguments.pop("moved")
        return {**arguments, **board_arguments(board), "unmoved": not moved and not self.moves_made}


def _make_position_options(*given: Any) -> PositionOptions:  # noqa: ANN401 - the fields, each of its own type
    position = PositionOptions(*given)
    if position.moved and position.moves_made == 0:
        raise click.UsageError("--moved and --moves-made 0 contradict each other; leave one out")
    return position


def parse_squares_option(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> Squares:
    """Squares by name with commas in between (e7,f6), or one offset (0,2) to an option."""
    result: list[str | tuple[int, int]] = []
    for value in values:
        offset = OFFSET_PATTERN.fullmatch(value)
        names = [name.strip() for name in value.split(",")]
        if offset:
            result.append((int(offset[1]), int(offset[2])))
        elif "" in names:
            raise click.BadParameter("a square is missing; write e7,f6", ctx, param)
        else:
            result += names
    return tuple(result)


# Adds the options of a position; the command gets them as ``position``.
position_options = grouped_options(
    "position",
    PositionOptions._fields,
    _make_position_options,
    *(
        click.option(
            flag,
            name,
            metavar="SQUARES",
            multiple=True,
            callback=parse_squares_option,
            help=f"{words}: e7,f6.",
        )
        for flag, name, words in (
            ("--enemy", "enemies", "Enemies"),
            ("--own", "friends", "Pieces of its own side"),
            ("--royal", "enemy_royals", "Royal enemies"),
            ("--unmoved-own", "unmoved_friends", "Pieces it can castle with"),
            ("--en-passant", "en_passant", "Squares for en passant"),
        )
    ),
    click.option("--moved", is_flag=True, help="The piece has moved before, more than once."),
    click.option(
        "--moves-made", type=click.IntRange(0, 9999), help="The number of moves the piece has made."
    ),
    click.option("--turn", type=click.IntRange(1, 9999), help="The turn of its side, from 1."),
)


def raise_first_usage_error(*rows: tuple[object, str]) -> None:
    """Refuse the call for the first reason that holds, in its words."""
    for wrong, words in rows:
        if wrong:
            raise click.UsageError(words)


def reject_radius_with_board(board: BoardWithSquare | None) -> None:
    """Refuse --radius with --board, which shows the whole board."""
    radius_source = click.get_current_context().get_parameter_source("radius")
    words = "--radius is for open diagrams; with --board all of it is shown"
    raise_first_usage_error((board and radius_source is ParameterSource.COMMANDLINE, words))


def is_colour_allowed(*, err: bool = False) -> bool:
    """Whether standard output, or standard error, may be coloured.

    It may on a terminal that has colours, and wherever FORCE_COLOR is set; NO_COLOR forbids it.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    return is_terminal(sys.stderr if err else sys.stdout)


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal that can do more than print lines."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


# Numbers among 256 colours, of those that can be read on black and on white alike: no others have
# a contrast of 4.5:1 with both.
COLOUR_BY_ROLE = {
    "either": 29,
    "move": 63,
    "capture": 131,
    "other": 98,
    "quiet": 243,
    "path": 243,
    "victim": 163,
    "target": 29,
    "last": 131,
    "chosen": 163,
    "second": 63,
}

# Those of diagnostics, as compilers have them; the reader's terminal says what is red.
DIAGNOSTIC_COLOURS = {"error": "red", "warning": "yellow", "note": "cyan", "hint": "cyan"}


def colour_diagnostic_part(text: str, part: str) -> str:
    """A part of a diagnostic in its colour."""
    return click.style(text, fg=DIAGNOSTIC_COLOURS.get(part), bold=True)


def colour_by_role(text: str, *roles: str) -> str:
    """The text in the first of some colours that there is, or as it stands."""
    return next(
        (click.style(text, fg=COLOUR_BY_ROLE[each]) for each in roles if each in COLOUR_BY_ROLE),
        text,
    )


def _coloured_sign(text: str, sign: Sign) -> str:
    if sign.family == "piece":
        return click.style(text, bold=True)
    return colour_by_role(text, sign.family, sign.role)


def diagram_style(*, plain: bool = False) -> TextStyle:
    """How diagrams are drawn where standard output goes."""
    from alfil.diagrams.signs import TextStyle  # noqa: PLC0415 - few commands draw

    return TextStyle(
        plain or not is_unicode_allowed(),
        _coloured_sign if is_colour_allowed() else None,
        line_width(),
    )


# Longer lines are hard to read, shorter ones hold no legend.
MAX_LINE_WIDTH, MIN_LINE_WIDTH = 100, 30


def line_width() -> int:
    """How wide lines may be: as the terminal is; 80 columns in a file."""
    if not sys.stdout.isatty():
        return 80
    from shutil import get_terminal_size  # noqa: PLC0415 - it loads three kinds of compression

    return max(MIN_LINE_WIDTH, min(MAX_LINE_WIDTH, get_terminal_size().columns))


def output_encoding(*, err: bool = False) -> str:
    """The encoding of standard error, or of standard output."""
    return (sys.stderr if err else sys.stdout).encoding or "ascii"


def is_unicode_allowed() -> bool:
    """Whether standard output can show more than ASCII."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
