"""The position of a game in progress, with its move stack."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from copy import copy
from typing import Self

from alfil.game.compiled_variant import EngineMove
from alfil.game.engine_interface import CHECKED, NUMBERS, RESULT, WANTED
from alfil.game.engine_position import EnginePosition, MoveVerdict
from alfil.game.engine_structs import PositionStruct
from alfil.game.position import Position
from alfil.game.result_rule_encoding import UNITS_PER_POINT

# The moves of a game for which there is room at first, and twice as many whenever that is full.
INITIAL_MOVE_ROOM = 64


class GamePosition(EnginePosition):
    """An engine position with a move stack; ``first`` is the position before the first move."""

    def __init__(self, first: Position) -> None:
        super().__init__(first, 1, INITIAL_MOVE_ROOM)
        self.first = first

    def attach(self, state: PositionStruct) -> None:
        """Attach other structs; the move list must be generated again."""
        super().attach(state)
        attached = (state.tables, state.struct)
        self._known, self._numbers = state.arrays.known, state.arrays.numbers
        self._same = state.arrays.plan.intern_move
        # Whether what a move captures and changes depends on more than its number.
        self.varied = state.arrays.varied
        # As `NUMBERS` and those before it say. The list of moves begins behind the one taken back.
        self._told = memoryview(state.struct.arrays["survey"]).cast("B").cast("q")
        self._survey = self.engine.bind("list_moves_and_result", *attached)
        self._go_by = self.engine.bind("make_move_by_id", *attached)
        self._go_back = self.engine.bind("unmake_line_move", *attached)
        self.clear_move_list()

    def clear_move_list(self) -> None:
        """Discard the move list."""
        # How many legal moves are listed, below 0 where they are not; those of the position before
        # the last move, while they are still there; and the moves, when they are known.
        self._count = self._count_before = -1
        self._acts: list[EngineMove] | None = None
        # Where moves stand that have no numbers of their own and were asked for one by one.
        self._asked: dict[EngineMove, int] = {}
        self._position: Position | None = None

    @property
    def position(self) -> Position:
        """What stands where, and what is remembered of the moves made."""
        if self._position is None:
            state = self.state
            position = self._position = state.position()
            position.number = self.first.number + self.ply
            position.checks = (
                state.last_ply_field("first_given"),
                state.last_ply_field("second_given"),
            )
            position.idle = state.last_ply_field("idle")
            position.countdown = state.last_ply_field("limit"), state.last_ply_field("counted")
        return self._position

    @property
    def ply(self) -> int:
        """How many moves were made."""
        return self.state.struct["past"]

    @property
    def key(self) -> int:
        """A number that is the same for the same position."""
        self.count_legal_moves()
        return self.state.key

    @property
    def ignores_limits(self) -> bool:
        """Whether repetition and move limits are ignored."""
        return bool(self.state.struct["plays_on"])

    def ignore_limits(self) -> None:
        """Ignore repetition and move limits from now on."""
        self.state.struct["plays_on"] = 1
        self.clear_move_list()

    def points(self, side: int) -> float:
        """What a side's pieces on the board and in its hand count."""
        return self.call_engine("points_of", side) / UNITS_PER_POINT

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        self.count_legal_moves()
        return bool(self._told[CHECKED])

    def engine_result(self) -> int:
        """The engine's result code; 0 while the game continues."""
        if self._count < 0:
            self._count = self._survey()
        return self._told[RESULT]

    def count_legal_moves(self) -> int:
        """Generate the legal moves and return their number."""
        if self._count < 0:
            self._count = self._survey()
        return self._count

    def move_ids(self) -> list[int]:
        """The numbers of the legal moves, which tell them apart where moves are not varied."""
        count = self._count
        if count < 0:
            count = self.count_legal_moves()
        return self._told[NUMBERS : count + NUMBERS].tolist()

    def move_id(self, index: int) -> int:
        """The number of one of the legal moves."""
        self.count_legal_moves()
        return self._told[NUMBERS + index]

    def engine_moves(self) -> list[EngineMove]:
        """All legal moves, in the order of `EnginePosition.legal_moves`."""
        if self._acts is None:
            numbers = self.move_ids()
            if self.varied:
                self._acts = self.state.engine_moves(1, len(numbers) + 1)
                return self._acts
            try:
                self._acts = [*map(self._known.__getitem__, numbers)]
            except KeyError:
                self._acts = [self.engine_move(index) for index in range(len(numbers))]
        return self._acts

    def engine_move(self, index: int) -> EngineMove:
        """One of the legal moves."""
        self.count_legal_moves()
        if self.varied:
            (engine_move,) = self.state.engine_moves(index + 1, index + 2)
            self._asked[engine_move] = index
            return engine_move
        number = self.move_id(index)
        known = self._known.get(number)
        if known is not None:
            return known
        (engine_move,) = self.state.engine_moves(index + 1, index + 2)
        engine_move = self._same(engine_move)
        self._known[number], self._numbers[engine_move] = engine_move, number
        return engine_move

    def indices_of_same_ends(self, index: int) -> list[int]:
        """Which of the legal moves have the start and target of one of them."""
        end = self.count_legal_moves() + 1
        return [place - 1 for place in self.state.indices_with_same_ends(index + 1, end)]

    def is_legal(self, engine_move: EngineMove) -> bool:
        """Whether a move is legal."""
        is_listed = engine_move in self._asked or self._numbers.get(engine_move) in self.move_ids()
        return is_listed or engine_move in self.engine_moves()

    def push(self, engine_move: EngineMove) -> None:
        """Make a legal move."""
        if not self._room_left():
            self.reserve(max(INITIAL_MOVE_ROOM, self.ply))
        self.call_engine("make_line_move", self.index_of(engine_move) + 1)
        self._forget_after_push()

    def try_push_by_id(self, move_id: int) -> bool:
        """Make the legal move with this number; whether it exists and the game continues."""
        if self._count < 0:
            self.count_legal_moves()
        self._told[WANTED] = move_id
        made = self._go_by()
        if made < 0:
            self.reserve(max(INITIAL_MOVE_ROOM, self.ply))
            return self.try_push_by_id(move_id)
        if made:
            self._forget_after_push()
        return made > 0

    def push_ids(self, move_ids: Sequence[int]) -> int:
        """Make the legal moves with these numbers in turn, past any end of the game.

        How many there are up to the first that is not legal.
        """
        if len(move_ids) > self._room_left():
            self.reserve(len(move_ids))
        made = self.call_engine("make_moves_by_id", 1, array("q", move_ids), len(move_ids))
        self.clear_move_list()
        return made

    def _room_left(self) -> int:
        """How many moves more can be made before there must be more room."""
        return self.state.struct["last_past"] - self.ply

    def _forget_after_push(self) -> None:
        """Know nothing of the position after a move but how many there were before."""
        self._count, self._count_before = -1, self._count
        self._acts = self._position = None
        if self._asked:
            self._asked.clear()

    def pop(self) -> None:
        """Take the last move back."""
        previous_count = self._count_before if self._count < 0 else -1
        self._go_back()
        self._count, self._count_before = previous_count, -1
        self._acts = self._position = None
        if self._asked:
            self._asked.clear()

    def reserve(self, moves: int, lists: int = 0) -> None:
        """Reserve memory for more moves and move lists."""
        self.state.make_room(moves, lists)
        self.attach(self.state)

    def index_of(self, engine_move: EngineMove) -> int:
        """Where a legal move stands in the list."""
        numbers = self.move_ids()
        if engine_move in self._asked:
            return self._asked[engine_move]
        try:
            return numbers.index(self._numbers[engine_move])
        except (KeyError, ValueError):
            # A move that two ways lead to has several numbers, one that changes much has none.
            return self.engine_moves().index(engine_move)

    def copy_from(self, other: GamePosition, spare_moves: int) -> bool:
        """Become another position of the same game, to be followed by so many moves.

        False, and nothing is done, where there is no room for it.
        """
        if not self.state.copy_from(other.state, spare_moves):
            return False
        self.clear_move_list()
        return True

    def copy(self) -> Self:
        """The same with a position of its own."""
        other = copy(self)
        other.attach(self.state.copy())
        return other

    def _list_pseudo_legal_moves(self, function: str, *arguments: int) -> list[MoveVerdict]:
        result = super()._list_pseudo_legal_moves(function, *arguments)
        # They stand where the legal moves stood.
        self.clear_move_list()
        return result
