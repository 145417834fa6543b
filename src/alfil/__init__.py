"""alfil: how a piece moves, read from Betza or Ħasínū, given one exact meaning, and shown.

>>> import alfil
>>> alfil.same("FyafsF", alfil.read("1×4dD &t n4dO", notation="hasinu"))
True
"""

from alfil.errors import AlfilError, BoardError, Finding, MeaningError, NotationError
from alfil.piece import (
    Piece,
    compile,
    destinations,
    moves,
    read,
    same,
    write,
)
from alfil.source import Span
from alfil.tables.reach import Move
from alfil.tables.trie import Table

__version__ = "0.1.0"

__all__ = [
    "AlfilError",
    "BoardError",
    "Finding",
    "MeaningError",
    "Move",
    "NotationError",
    "Piece",
    "Span",
    "Table",
    "compile",
    "destinations",
    "moves",
    "read",
    "same",
    "write",
]
