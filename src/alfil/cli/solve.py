"""`alfil solve`: chess problems of any game."""

from __future__ import annotations

import click

from alfil.cli.input_output import EXIT_DIAGNOSTICS, print_answer
from alfil.cli.options import game_options, json_option
from alfil.cli.position import load_playable_library
from alfil.play.chess_problems import DEFAULT_MAX_POSITIONS, MAX_POSITIONS, solve
from alfil.play.outcomes import SIDE_COLOURS

_LETTER_BY_COLOUR = {name: letter for letter, name in SIDE_COLOURS.items()}


@click.command("solve")
@game_options
@click.argument("position")
@click.option(
    "--goal",
    "stipulation",
    required=True,
    metavar="STIPULATION",
    help="What is to be found: #2, h#2.5, s#3, ser-h=4, zd4 3 and so on.",
)
@click.option(
    "--begins",
    type=click.Choice([*_LETTER_BY_COLOUR]),
    help="Who makes the first move, if not the side to move of POSITION.",
)
@click.option("--tries", is_flag=True, help="Show first moves that one reply refutes, too.")
@click.option(
    "--positions",
    type=click.IntRange(1, MAX_POSITIONS),
    default=DEFAULT_MAX_POSITIONS,
    show_default=True,
    help="How many positions may be looked at.",
)
@json_option()
def solve_command(
    *,
    name: str,
    position: str,
    moves: dict[str, str],
    stipulation: str,
    begins: str | None,
    tries: bool,
    positions: int,
) -> int:
    """Solve a chess problem: mate in so many moves, helpmate, selfmate, series.

    POSITION is a FEN or SFEN, or its board alone; a side may have no king. The side to move makes
    the first move: White in #2 and h#2.5, Black in h#2. `alfil docs problems` tells all
    stipulations.

    The exit code is 0 where there is a solution; 1 where there is none, or something cannot be
    read; 2 for an unknown set, piece or file.
    """
    fields = position.split(" ")
    if begins:
        fields[1:2] = [_LETTER_BY_COLOUR[begins]]
    game = load_playable_library(name, moves).game(" ".join(fields), kingless=True)
    solution = solve(game, stipulation, tries=tries, positions=positions)
    print_answer(solution.to_json, str(solution).splitlines())
    return 0 if solution.keys or solution.shorter else EXIT_DIAGNOSTICS
