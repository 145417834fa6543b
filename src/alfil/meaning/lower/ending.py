"""How the moves of a description may end, and what stops lowering altogether."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from alfil.errors import Finding
from alfil.meaning.automaton import (
    CAPTURES,
    ON_AWAY,
    ON_EMPTY,
    ON_ENEMY,
    ON_ROYAL,
    TAKE_ANY,
    TAKE_ENEMY,
    TAKE_FRIEND,
    TAKE_ROYAL,
)
from alfil.meaning.itinerary import Stage
from alfil.source import Span

EVERYTHING = -1


class Ending(NamedTuple):
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
            enemies = (TAKE_ENEMY if land & ON_ENEMY else 0) | (
                TAKE_ROYAL if land & ON_ROYAL else 0
            )
            stage.shoot = self.shoot & (enemies | TAKE_FRIEND)

    def moving_only(self) -> Ending:
        """Without captures."""
        return self._replace(keep=self.keep & (ON_EMPTY | ON_AWAY))

    def capturing_only(self) -> Ending:
        """By a capture only."""
        return self._replace(keep=self.keep & ~(ON_EMPTY | ON_AWAY))

    def shooting(self, side: str) -> Ending:
        """Captures of a side (F, E or FE) without moving."""
        shoot = (TAKE_ANY if "E" in side else 0) | (TAKE_FRIEND if "F" in side else 0)
        return self._replace(shoot=shoot)


AS_IT_IS = Ending()


class Refused(Exception):
    """Something that was read has no moves that a table could hold."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__(self.findings)


def refuse(kind: str, message: str, span: Span, hint: str = "") -> NoReturn:
    """Stop lowering with one finding."""
    raise Refused([Finding(kind, message, (span,), hint)])
