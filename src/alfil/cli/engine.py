"""`alfil engine`: a game as an engine for graphical interfaces."""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Iterator

import click

from alfil.cli.input_output import print_line
from alfil.cli.options import game_arguments, game_options, json_option
from alfil.cli.position import load_playable_library
from alfil.exchange.engine_server import serve
from alfil.exchange.xboard import start_command

# What is behind so many bytes of a line is not looked at.
MAX_LINE_BYTES = 1 << 20


@click.command("engine")
@game_options
@click.option(
    "--seed", type=int, default=0, help="Another number gives other choices of the computer."
)
@click.option(
    "--call", "calling", is_flag=True, help="Print the command that starts XBoard with the game."
)
@json_option("Errors as JSON.")
def engine_command(*, name: str, moves: dict[str, str], seed: int, calling: bool) -> int:
    """Play as an engine in a graphical interface.

    The interface starts this command; its first line decides the protocol: CECP, UCI or USI. XBoard
    and WinBoard get the board, pieces and position from alfil; --call prints the command that
    starts XBoard.

    The exit code is 0; 1 for a file without a starting position; 2 for an unknown set, piece or
    file.
    """
    library = load_playable_library(name, moves)
    library.require_starting_position()
    if calling:
        words = ["alfil", "engine", *game_arguments(name, moves)]
        print_line(start_command(library, shlex.join(words)))
        return 0

    def answer(line: str) -> None:
        print_line(line)
        sys.stdout.flush()

    serve(library, _lines_from_interface(), answer, seed=seed)
    return 0


def _lines_from_interface() -> Iterator[str]:
    """The lines of the interface.

    They are read by another thread, which must hold nothing of Python's when the command ends.
    """
    if not isinstance(sys.stdin, io.TextIOWrapper):
        yield from sys.stdin
        return
    rest = b""
    while chunk := os.read(sys.stdin.fileno(), 1 << 16):
        *whole, rest = (rest[:MAX_LINE_BYTES] + chunk).split(b"\n")
        yield from (each.decode(errors="backslashreplace") for each in whole)
    yield rest.decode(errors="backslashreplace")
