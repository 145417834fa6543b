"""What many tests need of alfil that is not public, in one place, each with its reason."""

from alfil.cli.app import COMMANDS, run  # the command without the start of another process
from alfil.diagrams.signs import SIGNS  # every sign a picture may have
from alfil.diagrams.text_rendering import text_diagram  # in any style, without the words around it
from alfil.diagrams.themes import THEMES  # the colours of each theme
from alfil.game.variant import Rules, Variant  # names of what a library gives and `Game` takes
from alfil.library.file_locations import (
    bundled_set_names,  # every bundled set, also one that is added later
)
from alfil.notation.betza.letters import DIALECTS, LETTER_ROWS  # which letters there are, and where
from alfil.play.outcomes import Match  # a match without its games
from alfil.play.records.kif import HANDICAPS, handicap_position  # every handicap has a name
from alfil.programs import predict_reading  # what a program makes of a text, in Betza
from alfil.tables.move_generation import (
    moves_in_context,  # thousands of positions, without checking each
)

__all__ = [
    "COMMANDS",
    "DIALECTS",
    "HANDICAPS",
    "LETTER_ROWS",
    "SIGNS",
    "THEMES",
    "Match",
    "Rules",
    "Variant",
]
__all__ += ["bundled_set_names", "moves_in_context", "predict_reading", "run", "text_diagram"]
__all__ += ["handicap_position"]
