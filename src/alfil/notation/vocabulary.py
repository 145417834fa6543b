"""The words of the notations, for whatever explains, colours or completes them."""

from alfil.notation.betza.directions import direction_choices
from alfil.notation.betza.letter_spelling import atom_text_of_bases
from alfil.notation.betza.letters import (
    AGAIN_LETTER,
    DIALECTS,
    DIRECTION_LETTERS,
    JOIN_LETTER,
    LETTER_ROWS,
)
from alfil.notation.hasinu.lexicon import DIRECTION_GROUPS, DIRECTIONS, FUNCTIONS, USAGE_BY_FUNCTION

__all__ = [
    "AGAIN_LETTER",
    "DIALECTS",
    "DIRECTIONS",
    "DIRECTION_GROUPS",
    "FUNCTIONS",
    "JOIN_LETTER",
    "LETTER_ROWS",
]
__all__ += ["DIRECTION_LETTERS", "USAGE_BY_FUNCTION", "atom_text_of_bases", "direction_choices"]
