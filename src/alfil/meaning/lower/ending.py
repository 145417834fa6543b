"""How the moves of a description may end, as the functions around it have narrowed it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from alfil.meaning.automaton import (
    CAPTURES,
    ON_AWAY,
    ON_EMPTY,
    ON_FRIEND,
    TAKE_ANY,
    TAKE_FRIEND,
)
from alfil.meaning.itinerary import Stage

EVERYTHING = -1


@dataclass(frozen=True, slots=True)
class Ending:
    """What functions make of the last square.

    ``keep`` is the mask of ways to end that are left. ``shoot`` are the captures a piece makes
    without leaving home, in place of ending there; 0 when it moves.
    """

    keep: int = EVERYTHING
    shoot: int = 0

    def apply(self, stage: Stage, land: int) -> None:
        """Let the stage end the move in what is left of the ways of ``land``."""
        land &= self.keep
        if not self.shoot:
            stage.land = land
        elif land & CAPTURES:
            stage.shoot = self.shoot

    def moving_only(self) -> Ending:
        """Without captures."""
        return replace(self, keep=self.keep & (ON_EMPTY | ON_AWAY))

    def capturing_only(self) -> Ending:
        """By a capture only."""
        return replace(self, keep=self.keep & ~(ON_EMPTY | ON_AWAY))

    def shooting(self, side: str) -> Ending:
        """Captures of a side (F, E or FE) without moving."""
        shoot = (TAKE_ANY if "E" in side else 0) | (TAKE_FRIEND if "F" in side else 0)
        return replace(self, shoot=shoot)


AS_IT_IS = Ending()

__all__ = ["AS_IT_IS", "EVERYTHING", "ON_FRIEND", "Ending"]
