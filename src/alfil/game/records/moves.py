"""Moves in all the forms they are written in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from alfil.errors import unknown_name
from alfil.game.moves import Move
from alfil.game.records import cell, hodges
from alfil.game.records.sashite import write_pan, write_pmn

if TYPE_CHECKING:
    from alfil.game.game import Game

_WRITERS: dict[str, Callable[[Game, Move], str]] = {
    "hodges": hodges.write,
    "usi": lambda _, ply: ply.usi,
    "cell": cell.write,
    "pan": write_pan,
    "pmn": write_pmn,
}
FORMS = tuple(_WRITERS)


def write_move(game: Game, ply: Move, form: str = "hodges") -> str:
    """A legal move as text, before it is made.

    ``form`` is hodges, usi, cell (in the manner of UCI, with squares in CELL), pan or pmn; `Game`
    reads the first three. Raises `AlfilError` for other forms, `IllegalMove` for a move that is not
    legal, and `NotationError` where pan or pmn have no letter for a piece.

    >>> import alfil
    >>> game = alfil.load("hand_shogi").game()
    >>> [write_move(game, game.read_move("6g6f"), form) for form in ("hodges", "cell", "pan")]
    ['SO-6f', 'd3d4', 'd3-d4']
    """
    writer = _WRITERS.get(form)
    if writer is None:
        unknown_name("unknown-form", form, FORMS)
    return writer(game, game.read_move(ply))
