"""Moves in the manner of UCI, with squares in CELL: `d5c7+`, `T@e5`, `e7e8q`.

Files are letters from the left and ranks numbers from the bottom, whatever the game; `@` is the
sign of a drop.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from alfil.game.moves import Move
from alfil.geometry import square_name

if TYPE_CHECKING:
    from alfil.game.game import Game

_START = re.compile("[a-z]{1,2}[1-9]")


def write(game: Game, ply: Move) -> str:
    """A move with squares in CELL; all else is as in its USI-like text."""
    if ply.origin is None:
        symbol, _, _ = ply.usi.rpartition("*")
        return f"{symbol}@{square_name(*ply.target)}"
    mark = _mark(game, ply)
    squares = square_name(*ply.origin) + square_name(*ply.target)
    long = ply.usi.removesuffix(mark)[len(game.name(ply.origin) + game.name(ply.target)) :]
    return squares + (_others(ply) if long else "") + mark


def find(game: Game, text: str) -> Move | None:
    """The legal move that is written exactly so, None if there is none.

    Where squares are always those of CELL, that is the USI-like text.
    """
    if game.variant.rules.first == "white" or not _START.match(text):
        return None
    return next((ply for ply in game.legal_moves if write(game, ply) == text), None)


def _mark(game: Game, ply: Move) -> str:
    if not ply.promotes:
        return ""
    return "+" if ply.usi.endswith("+") else game.symbol(ply.promotes).lower()


def _others(ply: Move) -> str:
    """The squares that tell a move from others of the same start and target."""
    text = "".join("x" + square_name(*square) for square in ply.captures)
    text += "o" + square_name(*ply.partner[0]) if ply.partner else ""
    return text + "".join("e" + square_name(*square) for square in ply.trail)
