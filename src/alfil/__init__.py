"""alfil: how a piece moves, read from Betza or Ħasínū, given one exact meaning, and shown.

>>> import alfil
>>> alfil.same("FyafsF", alfil.read("1×4dD &t n4dO", notation="hasinu"))
True
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alfil import locations
    from alfil.checking import Comparison, check_for
    from alfil.errors import (
        AlfilError,
        BoardError,
        Finding,
        IllegalMove,
        MeaningError,
        NotationError,
        PieceFileError,
        PositionError,
        RecordError,
        RuleError,
        UnknownPiece,
    )
    from alfil.game.game import Game, Outcome
    from alfil.game.ply import Ply
    from alfil.game.records.moves import write_move
    from alfil.game.records.sashite import write_feen
    from alfil.game.session import Round, Session
    from alfil.library.library import Library, load, loads
    from alfil.library.model import Entry
    from alfil.library.names import find
    from alfil.locations.errors import LocationError
    from alfil.piece import (
        Piece,
        compile,
        contains,
        destinations,
        difference,
        moves,
        read,
        same,
    )
    from alfil.records import Journal, load_game, load_match, save_game, save_match
    from alfil.source import Span
    from alfil.tables.difference import Difference, Position
    from alfil.tables.reach import Move
    from alfil.tables.trie import Table
    from alfil.translation.parts import TranslationLoss
    from alfil.writing import Translation, describe, translate, write

__version__ = "0.1.0"

__all__ = [
    "AlfilError",
    "BoardError",
    "Comparison",
    "Difference",
    "Entry",
    "Finding",
    "Game",
    "IllegalMove",
    "Journal",
    "Library",
    "LocationError",
    "MeaningError",
    "Move",
    "NotationError",
    "Outcome",
    "Piece",
    "PieceFileError",
    "Ply",
    "Position",
    "PositionError",
    "RecordError",
    "Round",
    "RuleError",
    "Session",
    "Span",
    "Table",
    "Translation",
    "TranslationLoss",
    "UnknownPiece",
    "check_for",
    "compile",
    "contains",
    "describe",
    "destinations",
    "difference",
    "find",
    "load",
    "load_game",
    "load_match",
    "loads",
    "locations",
    "moves",
    "read",
    "same",
    "save_game",
    "save_match",
    "translate",
    "write",
    "write_feen",
    "write_move",
]

# Names are fetched from their modules on first use, so that importing alfil costs next to nothing.
_HOMES = {
    "alfil.checking": "Comparison check_for",
    "alfil.errors": (
        "AlfilError BoardError Finding IllegalMove MeaningError NotationError PieceFileError "
        "PositionError RecordError RuleError UnknownPiece"
    ),
    "alfil.locations.errors": "LocationError",
    "alfil.game.game": "Game Outcome",
    "alfil.game.ply": "Ply",
    "alfil.library.library": "Library load loads",
    "alfil.library.model": "Entry",
    "alfil.library.names": "find",
    "alfil.game.records.moves": "write_move",
    "alfil.game.records.sashite": "write_feen",
    "alfil.game.session": "Round Session",
    "alfil.records": "Journal load_game load_match save_game save_match",
    "alfil.piece": "Piece compile contains destinations difference moves read same",
    "alfil.source": "Span",
    "alfil.tables.difference": "Difference Position",
    "alfil.tables.reach": "Move",
    "alfil.tables.trie": "Table",
    "alfil.translation.parts": "TranslationLoss",
    "alfil.writing": "Translation describe translate write",
}


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names.split():
            found: object = getattr(import_module(module), name)
            globals()[name] = found
            return found
    if name == "locations":
        return import_module("alfil.locations")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
