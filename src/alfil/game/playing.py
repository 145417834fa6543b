"""The position that a game is played on, and the moves made from it."""

from __future__ import annotations

from array import array
from copy import copy
from typing import Self

from alfil.game.arrays import State
from alfil.game.plan import Act
from alfil.game.position import Position
from alfil.game.run import Proposal, Run
from alfil.game.structs import WIDTH

# The moves of a game for which there is room at first, and whenever that is full.
ROOM = 256


class Played(Run):
    """A position in the engine that moves are made from; ``first`` is that before the first one."""

    def __init__(self, first: Position) -> None:
        super().__init__(first, 1, ROOM)
        self.first = first
        # The moves made, and how they stood in the engine's list.
        self.made: list[Act] = []
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
        self._position: Position | None = None

    @property
    def position(self) -> Position:
        """What stands where, and what is remembered of the moves made."""
        if self._position is None:
            position = self._position = self.state.position()
            position.number = self.first.number + len(self.made)
            position.checks, position.idle = self.first.checks, self.first.idle
            position.countdown = self.first.countdown
        return self._position

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
        """All legal moves, in the order of `Run.legal_acts`."""
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
        """The side that loses its royals by a legal move."""
        if not self.state.struct["careful"]:
            return None
        won = self.ask("royals_lost", self._index(act) + 1)
        return None if not won else 1 - self.turn if won > 0 else self.turn

    def make(self, act: Act) -> None:
        """Make a legal move."""
        at = self._index(act) + 1
        if len(self.made) == self._room:
            self.state.make_room(ROOM)
            self._room += ROOM
            self.settle(self.state)
        self.made.append(act)
        self._stood.append(self.state.moves[WIDTH * at : WIDTH * (at + 1)])
        number = self._go_on(at)
        self._listed, self._acts = self._out[2 : number + 2].tolist(), None
        self._position = None
        self._asked.clear()

    def unmake(self) -> None:
        """Take the last move back."""
        self.made.pop()
        self.state.moves[:WIDTH] = self._stood.pop()
        self._unmake()
        self._listed = self._acts = self._position = None
        self._asked.clear()

    def before(self, number: int) -> Played:
        """A copy of its own as it was after so many of the moves."""
        other = self.copy()
        while len(other.made) > number:
            other.unmake()
        return other

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
        other.made, other._stood = self.made[:], self._stood[:]
        other.settle(self.state.copy())
        return other

    def _list(self) -> list[int]:
        """The numbers of the legal moves; they stand in the engine's list then."""
        if self._listed is None:
            self._listed = self._out[2 : self._survey() + 2].tolist()
        return self._listed

    def _proposed(self, function: str, *given: int) -> list[Proposal]:
        found = super()._proposed(function, *given)
        # They stand where the legal moves stood.
        self._listed = None
        self._asked.clear()
        return found
