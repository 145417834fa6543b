"""What a game is: kinds of pieces with their offsets, and rules, written down by hand.

Squares are (file, rank) from 0 at the lower left corner of the first player. Offsets are (dx, dy)
for the owner: dx to the right, dy forward; the second side uses them turned by half a turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

Square = tuple[int, int]
Board = dict[Square, tuple[int, str]]

UNLIMITED = 99


class Ray(NamedTuple):
    """Steps of (dx, dy), up to ``reach`` of them, all squares passed empty.

    ``way`` is "both", "move" (only onto an empty square) or "capture" (only onto an enemy).
    """

    dx: int
    dy: int
    reach: int = 1
    way: str = "both"


def rays(*offsets: tuple[int, int], reach: int = 1, way: str = "both") -> tuple[Ray, ...]:
    """One ray for each offset."""
    return tuple(Ray(dx, dy, reach, way) for dx, dy in offsets)


ORTHOGONAL = ((0, 1), (0, -1), (1, 0), (-1, 0))
DIAGONAL = ((1, 1), (-1, 1), (1, -1), (-1, -1))


@dataclass(frozen=True)
class Kind:
    """One kind of piece.

    ``betza`` is the same movement for those who are compared with this; nothing here reads it.
    ``drop_ranks`` are counted from the owner; None is nowhere.
    """

    code: str
    betza: str
    rays: tuple[Ray, ...]
    letter: str = ""
    base: str = ""
    royal: bool = False
    promotes: tuple[str, ...] = ()
    promotion: str = "optional"
    drop_ranks: tuple[int, int] | None = (1, UNLIMITED)
    drop_check: str = "free"
    drop_mate: str = "allowed"
    per_file: int = 0
    per_file_on: tuple[str, ...] = ("drop",)

    @property
    def symbol(self) -> str:
        """How it stands in position texts."""
        return self.letter or self.code

    @property
    def unpromoted(self) -> str:
        """The code it turns back to when captured."""
        return self.base or self.code


@dataclass(frozen=True)
class Rules:
    """The rule fields by their names in a game file; the defaults are those of an empty section."""

    captured: str = "removed"
    captured_form: str = "base"
    drops: str = "no"
    drop_form: str = "base"
    zone: int = 0
    promotion_when: str = "touches"
    royal_lost: str = "any"
    self_check: str = "barred"
    win: tuple[str, ...] = ("mate",)
    goal: tuple[str, int, int] | None = None
    stalemate: str = "draw"
    repetition: tuple[int, str] | None = None
    perpetual_check: str = "allowed"
    perpetual_span: str = "first"
    impasse: str = "none"
    impasse_needs: str = "nothing"


@dataclass(frozen=True)
class Game:
    """A whole game; ``start`` is its first position in the SFEN-like form.

    ``careless`` drops R9, so that a piece attacks also where its file rule forbids it to go. No
    game is played so: it is for comparison with programs that cannot be told the rule.
    """

    name: str
    files: int
    ranks: int
    kinds: tuple[Kind, ...]
    rules: Rules
    start: str
    careless: bool = field(default=False)

    def kind(self, code: str) -> Kind:
        """The kind with this code."""
        return self._by_code[code]

    @cached_property
    def _by_code(self) -> dict[str, Kind]:
        return {kind.code: kind for kind in self.kinds}

    def holds(self, square: Square) -> bool:
        """Whether there is such a square."""
        return 0 <= square[0] < self.files and 0 <= square[1] < self.ranks

    def rank_of(self, side: int, square: Square) -> int:
        """The rank of a square counted from a side's own back rank, from 1."""
        return square[1] + 1 if side == 0 else self.ranks - square[1]

    def in_zone(self, side: int, square: Square) -> bool:
        """Whether it lies in the furthest ranks that are this side's promotion zone."""
        return self.rank_of(side, square) > self.ranks - self.rules.zone
