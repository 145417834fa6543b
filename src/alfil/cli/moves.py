"""`alfil moves`: where a piece can go, with other pieces around it, as data or as text."""

from __future__ import annotations

import click

import alfil
from alfil.api import Piece
from alfil.cli import options
from alfil.cli.inputs import Line, answer, as_json, needs_board, say
from alfil.diagrams.data import guard_as_data
from alfil.diagrams.signs import timing
from alfil.meaning.piece import EFFECTS
from alfil.source import printable
from alfil.tables.walking import PieceMove


@click.command("moves")
@click.argument("text", metavar="NOTATION")
@options.reading
@click.option(
    "--radius",
    type=click.IntRange(0, 36),
    default=7,
    show_default=True,
    help="Squares each way, where no board is given.",
)
@options.board_options
@options.position_options
@options.replacing
def command(
    *,
    text: str,
    settings: options.Settings,
    radius: int,
    board: options.BoardAt | None,
    position: options.Circumstances,
    moves: dict[str, str],
) -> int:
    """List every move and what it captures.

    Squares are offsets from the piece, 1,2 for one right and two forward. Without a board other
    pieces are placed by offset as well, one to an option: --enemy 0,2 --enemy -1,1.
    """
    options.no_radius(board)

    def act(piece: Piece, line: Line) -> None:
        if board is None:
            needs_board(piece)
        found = alfil.moves(piece, radius=radius, **position.arguments(board))
        if settings.json:
            say(as_json([move_as_data(move) for move in sorted(found)]))
            return
        if line.number:
            say(f"# {printable(line.text)}")
        for move in sorted(found):
            say(_in_words(move, board))

    return answer(text, settings, act, moves=moves)


def _in_words(move: PieceMove, board: options.BoardAt | None) -> str:
    words = ["stays" if move.igui else _square(move.to, board)]
    for what, places in (
        ("captures", move.captures),
        ("over", move.hurdles),
        ("partner", move.partner or ()),
    ):
        if places:
            words.append(f"{what} {' '.join(_square(each, board) for each in places)}")
    when = tuple(condition for condition in move.guard if condition.kind not in EFFECTS)
    if when:
        words.append(timing(when))
    return "  ".join(words)


def _square(offset: tuple[int, int], board: options.BoardAt | None) -> str:
    """The name of a square on a board, else the offset."""
    if board is None:
        return f"{offset[0]},{offset[1]}"
    return board.name(board.square[0] + offset[0], board.square[1] + offset[1])


def move_as_data(move: PieceMove) -> dict[str, object]:
    """A move with all squares as [dx, dy]."""
    return {
        "to": list(move.to),
        "captures": [list(each) for each in move.captures],
        "own_captures": [list(each) for each in move.own_captures],
        "hurdles": [list(each) for each in move.hurdles],
        "trail": [list(each) for each in move.trail],
        "partner": [list(each) for each in move.partner] if move.partner else None,
        "guard": guard_as_data(move.guard),
    }
