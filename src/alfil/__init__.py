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
    from alfil.diagrams.plate import Plate
    from alfil.drawing import Diagram, draw
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
    from alfil.game.moves import Move
    from alfil.game.records.moves import write_move
    from alfil.game.records.sashite import write_feen
    from alfil.game.session import Round, Session
    from alfil.library.library import Library, load, loads
    from alfil.library.model import Entry
    from alfil.library.names import find
    from alfil.library.pictures import draw_board
    from alfil.library.search import Identity, identify, search
    from alfil.locations.errors import LocationError
    from alfil.piece import Piece, compile, contains, destinations, difference, moves, read, same
    from alfil.records import Journal, load_game, load_match, read_match, save_game, save_match
    from alfil.source import Span
    from alfil.tables.difference import Difference, Position
    from alfil.tables.reach import PieceMove
    from alfil.tables.trie import Table
    from alfil.translation.parts import TranslationLoss
    from alfil.writing import Translation, describe, translate, write

__version__ = "0.1.0"

__all__ = [
    "AlfilError",
    "BoardError",
    "Comparison",
    "Diagram",
    "Difference",
    "Entry",
    "Finding",
    "Game",
    "Identity",
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
    "PieceMove",
    "Plate",
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
    "draw",
    "draw_board",
    "find",
    "identify",
    "load",
    "load_game",
    "load_match",
    "loads",
    "locations",
    "moves",
    "read",
    "read_match",
    "same",
    "save_game",
    "save_match",
    "search",
    "translate",
    "write",
    "write_feen",
    "write_move",
]

# Names are fetched from their modules on first use, so that importing alfil costs next to nothing.
_HOMES = {
    "AlfilError": "alfil.errors",
    "BoardError": "alfil.errors",
    "Comparison": "alfil.checking",
    "Diagram": "alfil.drawing",
    "Difference": "alfil.tables.difference",
    "Entry": "alfil.library.model",
    "Finding": "alfil.errors",
    "Game": "alfil.game.game",
    "Identity": "alfil.library.search",
    "IllegalMove": "alfil.errors",
    "Journal": "alfil.records",
    "Library": "alfil.library.library",
    "LocationError": "alfil.locations.errors",
    "MeaningError": "alfil.errors",
    "Move": "alfil.game.moves",
    "NotationError": "alfil.errors",
    "Outcome": "alfil.game.game",
    "Piece": "alfil.piece",
    "PieceFileError": "alfil.errors",
    "PieceMove": "alfil.tables.reach",
    "Plate": "alfil.diagrams.plate",
    "Position": "alfil.tables.difference",
    "PositionError": "alfil.errors",
    "RecordError": "alfil.errors",
    "Round": "alfil.game.session",
    "RuleError": "alfil.errors",
    "Session": "alfil.game.session",
    "Span": "alfil.source",
    "Table": "alfil.tables.trie",
    "Translation": "alfil.writing",
    "TranslationLoss": "alfil.translation.parts",
    "UnknownPiece": "alfil.errors",
    "check_for": "alfil.checking",
    "compile": "alfil.piece",
    "contains": "alfil.piece",
    "describe": "alfil.writing",
    "destinations": "alfil.piece",
    "difference": "alfil.piece",
    "draw": "alfil.drawing",
    "draw_board": "alfil.library.pictures",
    "find": "alfil.library.names",
    "identify": "alfil.library.search",
    "load": "alfil.library.library",
    "load_game": "alfil.records",
    "load_match": "alfil.records",
    "loads": "alfil.library.library",
    "moves": "alfil.piece",
    "read": "alfil.piece",
    "read_match": "alfil.records",
    "same": "alfil.piece",
    "save_game": "alfil.records",
    "save_match": "alfil.records",
    "search": "alfil.library.search",
    "translate": "alfil.writing",
    "write": "alfil.writing",
    "write_feen": "alfil.game.records.sashite",
    "write_move": "alfil.game.records.moves",
}


def __getattr__(name: str) -> object:
    if name == "locations":
        return import_module("alfil.locations")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
