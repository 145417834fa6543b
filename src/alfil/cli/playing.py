"""What the commands on games share: loading one, moves made on it, boards and results in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from alfil.cli.inputs import FOUND
from alfil.cli.options import Settings, in_colour, in_unicode
from alfil.cli.piece_file import loaded, tell_all
from alfil.diagrams.board_text import Ink, board_text
from alfil.diagrams.plain import in_ascii
from alfil.errors import AlfilError

if TYPE_CHECKING:
    from alfil.game.game import Game, Outcome
    from alfil.game.variant import Square, Variant
    from alfil.library.library import Library

# What stands for the position that a game begins with.
START = "start"
SIDES = {"b": "black", "w": "white"}
COLOURS: Mapping[Ink, str] = {"target": "green", "last": "yellow", "second": "cyan"}


def game_file(name: str, moves: Mapping[str, str], settings: Settings | None = None) -> Library:
    """The library of a game that can be played; errors are printed and end the command.

    Exit code 2 says that there is no such file, set or piece, 1 that it is no game.
    """
    settings = settings or Settings()
    library = loaded(name, moves, settings)
    try:
        library.game()
    except AlfilError as error:
        if error.kind == "no-setup":
            return library  # it may be played from a position
        # Where there is no board, what else is missing for a game does not matter.
        problem = _chief(error, library)
        findings = problem.findings[:1] if problem.kind == "no-board" else problem.findings
        tell_all(findings, problem.source, settings)
        raise click.exceptions.Exit(FOUND) from None
    return library


def _chief(error: AlfilError, library: Library) -> AlfilError:
    """A list of pieces lacks a set-up before it lacks letters."""
    if error.kind == "no-letter":
        try:
            library.require_setup()
        except AlfilError as lack:
            return lack
    return error


def game_at(library: Library, position: str, moves: str = "") -> Game:
    """The game at a position, "start" or its text, after moves with blanks in between.

    Raises `PositionError`, `NotationError` and `IllegalMove`.
    """
    game = library.game(None if position == START else position)
    for move in moves.split():
        game.push(move)
    return game


def board_block(
    game: Game,
    *,
    plain: bool = False,
    targets: Collection[Square] = (),
    turned: bool = False,
    title: str = "",
) -> str:
    """The board with hands and the last move; in colour where the terminal is."""
    plain = plain or not in_unicode()
    text = board_text(
        replace(game.board(), title=title),
        times="*" if plain else "×",
        targets=targets,
        turned=turned,
        paint=_painted if in_colour() else None,
    )
    return in_ascii(text) if plain else text


def _painted(text: str, ink: Ink) -> str:
    return click.style(text, fg=COLOURS[ink])


def sides_of(variant: Variant) -> tuple[str, str]:
    """What texts call the first and the second side."""
    return ("b", "w") if variant.rules.first == "black" else ("w", "b")


def ending(outcome: Outcome) -> str:
    """How a game ended, in words.

    >>> from alfil.game.outcome import Outcome
    >>> ending(Outcome("b", "illegal-move", "file")), ending(Outcome(None, "repetition"))
    ('black wins by illegal move (file)', 'draw by repetition')
    """
    how = f"{SIDES[outcome.winner]} wins" if outcome.winner else "draw"
    detail = f" ({outcome.detail})" if outcome.detail else ""
    return f"{how} by {outcome.reason.replace('-', ' ')}{detail}"


def remarks(variant: Variant) -> Iterator[str]:
    """What must be said of pieces whose moves are not known for sure, or were set by the user."""
    for kind in variant.kinds:
        note = kind.note or ("" if kind.status == "given" else kind.status)
        if note:
            yield f"{kind.code} {kind.name}: {note}"
