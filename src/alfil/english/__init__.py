"""A movement in plain English: `describe_movement`.

Only the movement is looked at; the tests let its meaning judge the words. Squares a piece runs over
are empty, and it moves or captures an enemy where it ends, unless the words say otherwise.
"""

from __future__ import annotations

from alfil.english.option_phrases import parts_of_movement
from alfil.english.sentences import sentences
from alfil.movement.nodes import Movement

NO_MOVES = "Has no moves."


def describe_movement(movement: Movement) -> str:
    """The movement in sentences; directions are those of the mover.

    >>> from alfil.movement.nodes import Leg, Option
    >>> describe_movement(Movement((Option(Leg(((0, 1), (1, 0), (0, -1), (-1, 0)), "any")),)))
    'Slides any distance orthogonally.'
    """
    return " ".join(sentences(parts_of_movement(movement))) or NO_MOVES
