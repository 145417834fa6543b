"""The position a game is played on: one protocol with two bodies, in pure Python and compiled."""

from __future__ import annotations

from typing import Protocol, Self

from alfil.game import fast
from alfil.game.legal import acts_under, danger_of, is_swift
from alfil.game.plan import Act
from alfil.game.position import Position, Undo
from alfil.game.reaches import Danger
from alfil.game.rules import in_check, lost_by

# After so many moves made in Python, in all games of one plan, the compiled body is worth its
# loading.
WORTH = 1000


class Played(Protocol):
    """A position, and the moves made from it.

    ``position`` is the position in pure Python, for whatever is asked seldom, ``undos`` what takes
    its moves back. `make` and `unmake` give what the game goes on with.
    """

    @property
    def turn(self) -> int:
        """The side to move."""

    @property
    def position(self) -> Position:
        """The position in pure Python."""

    @property
    def undos(self) -> list[Undo]:
        """What takes back all moves made, in `position`."""

    def key(self) -> int:
        """A number that is the same for the same board, hands and side to move."""

    def is_check(self) -> bool:
        """Whether the side to move is in check."""

    def count(self) -> int:
        """How many legal moves there are."""

    def acts(self) -> list[Act]:
        """All legal moves, in the order of `alfil.game.legal.legal_acts`."""

    def act(self, index: int) -> Act:
        """One of the legal moves."""

    def allows(self, act: Act) -> bool:
        """Whether a move is legal."""

    def loser(self, act: Act) -> int | None:
        """The side that would lose its royals by a move."""

    def make(self, act: Act) -> Played:
        """Make a legal move."""

    def unmake(self) -> Played:
        """Take the last move back."""

    def copy(self) -> Self:
        """The same with a position of its own."""


def played_on(position: Position, core: fast.CoreName) -> Played:
    """The body for a position; `RuleError` where the compiled one is asked for and cannot serve."""
    return InPython(position, core)._best()


class InPython:
    """A `Played` in pure Python."""

    def __init__(self, position: Position, core: fast.CoreName) -> None:
        self.position = position
        self.undos: list[Undo] = []
        self._core = core
        # What holds here holds after all legal moves.
        self._swift = is_swift(position)
        self._danger: Danger | None = None
        self._acts: list[Act] | None = None

    @property
    def turn(self) -> int:
        """The side to move."""
        return self.position.turn

    def key(self) -> int:
        """A number that is the same for the same board, hands and side to move."""
        return self.position.key()

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        if self.position.plan.rules.self_check == "allowed":
            return in_check(self.position, self.position.turn)
        return bool(self._threats().checkers)

    def count(self) -> int:
        """How many legal moves there are."""
        return len(self.acts())

    def acts(self) -> list[Act]:
        """All legal moves, in the order of `alfil.game.legal.legal_acts`."""
        if self._acts is None:
            self._acts = acts_under(self.position, self._threats())
        return self._acts

    def act(self, index: int) -> Act:
        """One of the legal moves."""
        return self.acts()[index]

    def allows(self, act: Act) -> bool:
        """Whether a move is legal."""
        return act in self.acts()

    def loser(self, act: Act) -> int | None:
        """The side that would lose its royals by a move."""
        return lost_by(self.position, act.captures)

    def make(self, act: Act) -> Played:
        """Make a legal move."""
        self.undos.append(self.position.make(act))
        self._danger = self._acts = None
        self.position.plan.plies += 1
        return self._best()

    def unmake(self) -> Played:
        """Take the last move back."""
        self.position.unmake(self.undos.pop())
        self._danger = self._acts = None
        return self

    def copy(self) -> Self:
        """The same with a position of its own."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.position, other.undos = self.position.copy(), self.undos[:]
        return other

    def _best(self) -> Played:
        """The compiled body where it is to go on, or this one."""
        if self._core == "pure" or (self._core == "auto" and self.position.plan.plies < WORTH):
            return self
        if fast.serves(self.position, fast.WORTH, self._core):
            return fast.Compiled(self)
        self._core = "pure"
        return self

    def _threats(self) -> Danger:
        if self._danger is None:
            self._danger = danger_of(self.position, swift=self._swift)
        return self._danger
