"""What the functions and loops around a move make of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from alfil.geometry import BOARD_LIMIT, REACH
from alfil.meaning.automaton import (
    MOVE_OR_CAPTURE,
    ON_FRIEND,
    OVER_ANY,
    OVER_ENEMY,
    OVER_FRIEND,
    OVER_ROYAL,
    PAST_EMPTY,
    TAKE_ANY,
    TAKE_FRIEND,
    THRU_ENEMY,
    THRU_FRIEND,
    THRU_ROYAL,
)
from alfil.meaning.itinerary import Jump
from alfil.meaning.lower.ending import AS_IT_IS, Ending
from alfil.notation.hasinu.nodes import Call
from alfil.notation.hasinu.signatures import MoveCall
from alfil.source import Span

# More pieces than these there are not to pass, in a line and on a whole board.
MOST_IN_LINE = REACH - 1
MOST_WANDERING = BOARD_LIMIT * BOARD_LIMIT - 2


@dataclass(frozen=True, slots=True)
class Context:
    """What the functions and loops around a move make of it.

    ``stops`` is false in the rounds of a counted loop that are not the last. ``over`` are pieces
    that may be passed without counting, ``jumps`` counted permissions, ``take`` pieces captured in
    passing (rampage), and ``land`` the ways a move may end before ``ending`` narrows them.
    ``looped`` is true inside a loop, ``wanders`` where a path may turn and so come home.
    """

    ending: Ending = AS_IT_IS
    stops: bool = True
    over: int = 0
    jumps: tuple[Jump, ...] = ()
    take: int = 0
    land: int = MOVE_OR_CAPTURE
    looped: bool = False
    wanders: bool = False
    no_jumps: Span | None = None

    def passing(self) -> int:
        """What may stand on a square that is passed."""
        return PAST_EMPTY | self.over | self.take

    def wandering(self) -> Context:
        """The context of legs between which a path may turn.

        From there on the pieces passed are counted, but which they were is no part of the move:
        there may be any number of ways round them to the same square.
        """
        jumps = tuple(jump._replace(over=_unrecorded(jump.over)) for jump in self.jumps)
        return replace(self, wanders=True, jumps=jumps)

    def inside(self, call: Call, bound: MoveCall, key: int) -> Context:
        """The context of the move inside a function that narrows or changes it.

        ``key`` is a number no other call of the description has; it tells counts apart.
        """
        match bound.name:
            case "m":
                return replace(self, ending=self.ending.moving_only())
            case "c":
                return replace(self, ending=self.ending.capturing_only())
            case "i":
                return replace(self, ending=self.ending.shooting(bound.side))
            case "nj":
                return replace(self, no_jumps=call.span)
            case "j" if bound.number is None:
                return replace(self, over=self.over | _thru(bound.side))
            case "j":
                over = _thru(bound.side) if self.wanders else _over(bound.side)
                most = min(bound.number or 0, MOST_WANDERING if self.wanders else MOST_IN_LINE)
                return replace(self, jumps=(*self.jumps, Jump(key, over, most)))
            case _:
                friends = "F" in bound.side
                take = (TAKE_ANY if "E" in bound.side else 0) | (TAKE_FRIEND if friends else 0)
                land = MOVE_OR_CAPTURE | (ON_FRIEND if friends else 0)
                return replace(self, take=self.take | take, land=land)


def _over(side: str) -> int:
    """The letters for passing over pieces of a side that are counted."""
    enemies = OVER_ENEMY | OVER_ROYAL if "E" in side else 0
    return enemies | (OVER_FRIEND if "F" in side else 0)


def _unrecorded(over: int) -> int:
    """The letters for passing the same pieces without keeping them in mind."""
    return (over & OVER_ANY) << 4 | over & ~OVER_ANY  # the two stand in the same order


def _thru(side: str) -> int:
    """The letters for passing pieces of a side that do not matter."""
    enemies = THRU_ENEMY | THRU_ROYAL if "E" in side else 0
    return enemies | (THRU_FRIEND if "F" in side else 0)
