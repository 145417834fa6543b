"""The position a game is played on: one protocol with two bodies, in pure Python and compiled."""

from __future__ import annotations

from array import array
from copy import copy
from typing import TYPE_CHECKING, Protocol, Self

from alfil.game import fast
from alfil.game.legal import acts_under, danger_of, is_swift
from alfil.game.plan import Act
from alfil.game.position import Position, Undo
from alfil.game.reaches import Danger
from alfil.game.rules import in_check, lost_by
from alfil.game.structs import WIDTH

if TYPE_CHECKING:
    from alfil.game.arrays import State

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


def played_on(position: Position, wanted: fast.CoreName) -> Played:
    """The body for a position; `RuleError` where the compiled one is asked for and cannot serve."""
    fast.require_core(wanted)
    return InPython(position, wanted)._best()


class InPython:
    """A `Played` in pure Python."""

    def __init__(self, position: Position, wanted: fast.CoreName) -> None:
        self.position = position
        self.undos: list[Undo] = []
        self._wanted = wanted
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
        return lost_by(self.position, act)

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
        if self._wanted == "pure" or (self._wanted == "auto" and self.position.plan.plies < WORTH):
            return self
        if fast.serves(self.position, fast.WORTH, self._wanted):
            return Compiled(self)
        self._wanted = "pure"
        return self

    def _threats(self) -> Danger:
        if self._danger is None:
            self._danger = danger_of(self.position, swift=self._swift)
        return self._danger


# The moves of a game for which there is room at first, and whenever that is full.
ROOM = 256


class Compiled(fast.Run):
    """A `Played` in the compiled body, above the position it began with.

    That position, in pure Python, is left behind while moves are made, and catches up when somebody
    asks for it.
    """

    def __init__(self, below: InPython) -> None:
        super().__init__(below.position, 1, ROOM)
        self._below, self._base = below, len(below.undos)
        # The moves made since, and how they stood in the core's list.
        self._made: list[Act] = []
        self._stood: list[array[int]] = []
        self._room = ROOM

    def settle(self, state: State) -> None:
        """Work on these structs from now on; what is listed must be listed again."""
        super().settle(state)
        given = (state.tables, state.struct)
        self._known, self._numbers = state.arrays.known, state.arrays.numbers
        self._same = state.arrays.plan.same
        self._out = out = array("q", bytes(8 * (len(state.moves) // WIDTH + 2)))
        # The list begins behind the move that is taken back.
        self._survey = self.engine.prepared("survey", *given, 1, out)
        self._go_on = self.engine.prepared("go_on", *given, 1, out)
        self._unmake = self.engine.prepared("unmake", *given, 0)
        # The numbers of the legal moves, and the moves, when they are known.
        self._listed: list[int] | None = None
        self._acts: list[Act] | None = None
        # Where moves stand that have no numbers of their own and were asked for one by one.
        self._asked: dict[Act, int] = {}

    @property
    def turn(self) -> int:
        """The side to move."""
        return self.state.struct["side"]

    @property
    def undos(self) -> list[Undo]:
        """What takes back all moves made, in `position`."""
        below = self._below
        for act in self._made[len(below.undos) - self._base :]:
            below.undos.append(below.position.make(act))
        return below.undos

    @property
    def position(self) -> Position:
        """The position in pure Python."""
        _ = self.undos
        return self._below.position

    def key(self) -> int:
        """A number that is the same for the same board, hands and side to move."""
        self._list()
        return self._out[1]

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        self._list()
        return bool(self._out[0])

    def count(self) -> int:
        """How many legal moves there are."""
        return len(self._list())

    def acts(self) -> list[Act]:
        """All legal moves, in the order of `alfil.game.legal.legal_acts`."""
        if self._acts is None:
            known, listed = self._known, self._list()
            if self.state.arrays.varied:
                self._acts = self.state.acts(1, len(listed) + 1)
                return self._acts
            try:
                self._acts = [*map(known.__getitem__, listed)]
            except KeyError:
                self._acts = [self.act(index) for index in range(len(listed))]
        return self._acts

    def act(self, index: int) -> Act:
        """One of the legal moves."""
        number = self._list()[index]
        if self.state.arrays.varied:
            (act,) = self.state.acts(index + 1, index + 2)
            self._asked[act] = index
            return act
        if number in self._known:
            act = self._known[number]
        else:
            (act,) = self.state.acts(index + 1, index + 2)
            act = self._same(act)
            self._known[number], self._numbers[act] = act, number
        return act

    def allows(self, act: Act) -> bool:
        """Whether a move is legal."""
        listed = self._numbers.get(act) in self._list() or act in self._asked
        return listed or act in self.acts()

    def loser(self, act: Act) -> int | None:
        """The side that loses its royals by a move."""
        return lost_by(self.position, act) if self.state.struct["careful"] else None

    def make(self, act: Act) -> Played:
        """Make a legal move; what the game goes on with."""
        at = self._index(act) + 1
        if len(self._made) == self._room:
            self.state.make_room(ROOM)
            self._room += ROOM
            self.settle(self.state)
        self._made.append(act)
        self._stood.append(self.state.moves[WIDTH * at : WIDTH * (at + 1)])
        number = self._go_on(at)
        self._listed, self._acts = self._out[2 : number + 2].tolist(), None
        self._asked.clear()
        return self

    def unmake(self) -> Played:
        """Take the last move back; what the game goes on with."""
        if not self._made:
            return self._below.unmake()
        if len(self._below.undos) - self._base == len(self._made):
            self._below.unmake()
        self._made.pop()
        self.state.moves[:WIDTH] = self._stood.pop()
        self._unmake()
        self._listed = self._acts = None
        self._asked.clear()
        return self

    def _index(self, act: Act) -> int:
        """Where a legal move stands in the list."""
        listed = self._list()
        if act in self._asked:
            return self._asked[act]
        try:
            return listed.index(self._numbers[act])
        except (KeyError, ValueError):
            # A move that two ways lead to has several numbers, one that changes much has none.
            return self.acts().index(act)

    def copy(self) -> Self:
        """The same with a position of its own."""
        other = copy(self)
        other._below, other._made, other._stood = self._below.copy(), self._made[:], self._stood[:]
        other.settle(self.state.copy())
        return other

    def _list(self) -> list[int]:
        """The numbers of the legal moves; they stand in the core's list then."""
        if self._listed is None:
            self._listed = self._out[2 : self._survey() + 2].tolist()
        return self._listed
