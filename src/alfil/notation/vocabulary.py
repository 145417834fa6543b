"""The words of the notations, for whatever explains, colours or completes them."""

from alfil.notation.betza.directions import direction_choices
from alfil.notation.betza.letter_spelling import atom_text
from alfil.notation.betza.letters import AGAIN, DIALECTS, JOIN, LETTER_ROWS, SIDES
from alfil.notation.hasinu.lexicon import DIRECTIONS, FOURS, FUNCTIONS, USAGES

__all__ = ["AGAIN", "DIALECTS", "DIRECTIONS", "FOURS", "FUNCTIONS", "JOIN", "LETTER_ROWS"]
__all__ += ["SIDES", "USAGES", "atom_text", "direction_choices"]
