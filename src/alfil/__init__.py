"""alfil: how a piece moves, read from a notation, given one exact meaning, and shown.

>>> import alfil
>>> alfil.same("FyafsF", alfil.read("1×4dD &t n4dO", notation="hasinu"))
True
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__: list[str] = []
# Each public name with its home, which is imported on first use: importing alfil costs next to
# nothing. To make a name public, add it to the list of its home and, for type checkers, below.
_HOMES: dict[str, str] = {}


def _are_in(home: str) -> None:
    """Note the home of the names that have joined ``__all__``."""
    _HOMES.update((name, home) for name in __all__ if name not in _HOMES)


__all__ += ["AlfilError", "BoardError", "Finding", "IllegalMove", "MeaningError", "NotationError"]
__all__ += ["PieceFileError", "PositionError", "RecordError", "RuleError", "UnknownPiece"]
_are_in("alfil.errors")
__all__ += ["LocationError"]
_are_in("alfil.locations")
__all__ += ["TranslationLoss"]
_are_in("alfil.translation.losses")
__all__ += ["Span"]
_are_in("alfil.source")
__all__ += ["Piece", "Translation", "compile", "contains", "describe", "destinations"]
__all__ += ["difference", "draw", "moves", "read", "readings", "same", "translate", "write"]
_are_in("alfil.api")
__all__ += ["check_for"]
_are_in("alfil.comparison")
__all__ += ["Witness"]
_are_in("alfil.tables.witness")
__all__ += ["Movement"]
_are_in("alfil.movement.nodes")
__all__ += ["PieceMove"]
_are_in("alfil.tables.walking")
__all__ += ["Table"]
_are_in("alfil.tables.table")
__all__ += ["Picture"]
_are_in("alfil.diagrams.picture")
__all__ += ["Library", "find", "games", "load", "loads"]
_are_in("alfil.library.library")
__all__ += ["identify", "search"]
_are_in("alfil.library.search")
__all__ += ["Game", "simulate"]
_are_in("alfil.play.game")
__all__ += ["Outcome"]
_are_in("alfil.play.outcome")
__all__ += ["Move"]
_are_in("alfil.game.moves")
__all__ += ["Session"]
_are_in("alfil.play.session")
__all__ += ["export"]
_are_in("alfil.exchange")
__all__ += ["check_ini"]
_are_in("alfil.exchange.checking")
__all__ += ["import_ini", "ini_sections"]
_are_in("alfil.exchange.importing")
__all__ += ["locations", "records"]
_are_in("alfil")

if TYPE_CHECKING:
    from alfil import locations, records
    from alfil.api import (
        Piece,
        Translation,
        compile,
        contains,
        describe,
        destinations,
        difference,
        draw,
        moves,
        read,
        readings,
        same,
        translate,
        write,
    )
    from alfil.comparison import check_for
    from alfil.diagrams.picture import Picture
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
    from alfil.exchange import export
    from alfil.exchange.checking import check_ini
    from alfil.exchange.importing import import_ini, ini_sections
    from alfil.game.moves import Move
    from alfil.library.library import Library, find, games, load, loads
    from alfil.library.search import identify, search
    from alfil.locations import LocationError
    from alfil.movement.nodes import Movement
    from alfil.play.game import Game, simulate
    from alfil.play.outcome import Outcome
    from alfil.play.session import Session
    from alfil.source import Span
    from alfil.tables.table import Table
    from alfil.tables.walking import PieceMove
    from alfil.tables.witness import Witness
    from alfil.translation.losses import TranslationLoss
else:

    def __getattr__(name: str) -> object:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if home == __name__:  # a public module
            return import_module(f"{home}.{name}")
        found = getattr(import_module(home), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
