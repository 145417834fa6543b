"""The position that a game is played on, and the moves made from it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from copy import copy
from typing import Self

from alfil.game.arrays import State
from alfil.game.plan import Act
from alfil.game.position import Position
from alfil.game.results import PARTS
from alfil.game.run import Proposal, Run

# The moves of a game for which there is room at first, and whenever that is full.
ROOM = 64


class Played(Run):
    """A position in the engine that moves are made from; ``first`` is that before the first one."""

    def __init__(self, first: Position) -> None:
        super().__init__(first, 1, ROOM)
        self.first = first
        # How many moves more can be made before there must be more room.
        self._left = ROOM

    def settle(self, state: State) -> None:
        """Work on these structs from now on; what is listed must be listed again."""
        super().settle(state)
        given = (state.tables, state.struct)
        self._known, self._numbers = state.arrays.known, state.arrays.numbers
        self._same = state.arrays.plan.same
        # Whether what a move captures and changes depends on more than its number.
        self.varied = state.arrays.varied
        self._out = out = array("q", [0]) * (state.list_room + 2)
        # The list begins behind the move that is taken back.
        self._survey = self.engine.prepared("survey", *given, 1, out, state.list_room)
        self._go_by = self.engine.prepared("go_by", *given, 1, out)
        self._go_on = self.engine.prepared("go_on", *given)
        self._go_back = self.engine.prepared("go_back", *given)
        self.forget()

    def forget(self) -> None:
        """Let the moves be listed again when they are asked for."""
        # How many legal moves are listed, below 0 where they are not; those of the position before
        # the last move, while they are still there; and the moves, when they are known.
        self._count = self._count_before = -1
        self._acts: list[Act] | None = None
        # Where moves stand that have no numbers of their own and were asked for one by one.
        self._asked: dict[Act, int] = {}
        self._position: Position | None = None

    @property
    def position(self) -> Position:
        """What stands where, and what is remembered of the moves made."""
        if self._position is None:
            state = self.state
            position = self._position = state.position()
            position.number = self.first.number + self.past
            position.checks = state.last("first_given"), state.last("second_given")
            position.idle = state.last("idle")
            position.countdown = state.last("limit"), state.last("counted")
        return self._position

    @property
    def past(self) -> int:
        """How many moves were made."""
        return self.state.struct["past"]

    @property
    def key(self) -> int:
        """A number that is the same for the same position."""
        self.count()
        return self.state.key

    def times_before(self) -> int:
        """How often the position stood on the board before."""
        self.count()
        return self.ask("times_before")

    @property
    def plays_on(self) -> bool:
        """Whether repetitions and counts of moves end the game no more."""
        return bool(self.state.struct["plays_on"])

    def play_on(self) -> None:
        """Have no repetition and no count of moves end the game from now on."""
        self.state.struct["plays_on"] = 1
        self.forget()

    def points(self, side: int) -> float:
        """What a side's pieces on the board and in its hand count."""
        return self.ask("points_of", side) / PARTS

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        self.count()
        return bool(self._out[0])

    def result(self) -> int:
        """How the game has ended, as the engine has it; 0 where it goes on."""
        if self._count < 0:
            self._count = self._survey()
        return self._out[1]

    def count(self) -> int:
        """How many legal moves there are; they stand in the engine's list then."""
        if self._count < 0:
            self._count = self._survey()
        return self._count

    def numbers(self) -> list[int]:
        """The numbers of the legal moves, which tell them apart where moves are not varied."""
        count = self._count
        if count < 0:
            count = self.count()
        return self._out[2 : count + 2].tolist()

    def number(self, index: int) -> int:
        """The number of one of the legal moves."""
        self.count()
        return self._out[2 + index]

    def acts(self) -> list[Act]:
        """All legal moves, in the order of `Run.legal_acts`."""
        if self._acts is None:
            numbers = self.numbers()
            if self.varied:
                self._acts = self.state.acts(1, len(numbers) + 1)
                return self._acts
            try:
                self._acts = [*map(self._known.__getitem__, numbers)]
            except KeyError:
                self._acts = [self.act(index) for index in range(len(numbers))]
        return self._acts

    def act(self, index: int) -> Act:
        """One of the legal moves."""
        self.count()
        if self.varied:
            (act,) = self.state.acts(index + 1, index + 2)
            self._asked[act] = index
            return act
        number = self.number(index)
        known = self._known.get(number)
        if known is not None:
            return known
        (act,) = self.state.acts(index + 1, index + 2)
        act = self._same(act)
        self._known[number], self._numbers[act] = act, number
        return act

    def allows(self, act: Act) -> bool:
        """Whether a move is legal."""
        listed = act in self._asked or self._numbers.get(act) in self.numbers()
        return listed or act in self.acts()

    def make(self, act: Act) -> None:
        """Make a legal move."""
        if not self._left:
            self.grow()
        self._go_on(self._index(act) + 1)
        self._advance(self._count)

    def make_by(self, number: int) -> bool:
        """Make the legal move with a number; whether there is one, and the game goes on."""
        if not self._left:
            self.grow()
        count = self._count
        if count < 0:
            count = self.count()
        if not self._go_by(count, number):
            return False
        # As `_advance` does, without a call.
        self._count, self._count_before = -1, count
        self._left -= 1
        self._acts = self._position = None
        if self._asked:
            self._asked.clear()
        return True

    def make_along(self, numbers: Sequence[int]) -> int:
        """Make legal moves with some numbers, one after the other, whatever ends the game.

        How many there are up to the first that is not legal.
        """
        if len(numbers) > self._left:
            self.grow(len(numbers))
        made = self.ask("go_along", 1, array("q", numbers), len(numbers))
        self._left -= made
        self.forget()
        return made

    def _advance(self, count: int) -> None:
        """Know nothing of the position after a move but how many there were before."""
        self._count, self._count_before = -1, count
        self._left -= 1
        self._acts = self._position = None
        if self._asked:
            self._asked.clear()

    def unmake(self) -> None:
        """Take the last move back."""
        kept = self._count_before if self._count < 0 else -1
        self._go_back()
        self._left += 1
        self._count, self._count_before = kept, -1
        self._acts = self._position = None
        if self._asked:
            self._asked.clear()

    def grow(self, moves: int = ROOM, lists: int = 0) -> None:
        """Have room for so many moves more, and so many lists of moves more."""
        self.state.make_room(moves, lists)
        self._left += moves
        self.settle(self.state)

    def _index(self, act: Act) -> int:
        """Where a legal move stands in the list."""
        numbers = self.numbers()
        if act in self._asked:
            return self._asked[act]
        try:
            return numbers.index(self._numbers[act])
        except (KeyError, ValueError):
            # A move that two ways lead to has several numbers, one that changes much has none.
            return self.acts().index(act)

    def copy(self) -> Self:
        """The same with a position of its own."""
        other = copy(self)
        other.settle(self.state.copy())
        return other

    def _proposed(self, function: str, *given: int) -> list[Proposal]:
        found = super()._proposed(function, *given)
        # They stand where the legal moves stood.
        self.forget()
        return found
