"""A position in the engine, and what may be asked of it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache

from alfil.errors import RuleError, refuse
from alfil.frozen import NamedTuple
from alfil.game import structs
from alfil.game.arrays import Arrays, State, unsuited
from alfil.game.native import CoreMissing, engine
from alfil.game.plan import Act, Plan
from alfil.game.position import Position
from alfil.game.rules import ENDS
from alfil.game.structs import WIDTH, Given
from alfil.source import Source


@cache
def missing() -> str:
    """Why there is no engine to be loaded, asked once; empty if there is one."""
    try:
        engine()
    except CoreMissing as missing:
        return str(missing)
    return ""


def arrays_of(plan: Plan) -> Arrays:
    """The arrays of a game, made once. Raises `RuleError` where the engine cannot hold it."""
    return plan.once("arrays", lambda: _arrays(plan))


def _arrays(plan: Plan) -> Arrays:
    reason = missing() or unsuited(plan)
    if reason:
        message = f"the game cannot be played: {reason}"
        refuse(RuleError, "no-core", message, Source(plan.variant.name, "<game>"))
    return Arrays(plan)


class Proposal(NamedTuple):
    """A move that a piece could make, and why it is not legal.

    ``reason`` is one of those of the engine, ``square`` the one that it is about. ``numbers`` are
    the move in the engine's list.
    """

    act: Act
    reason: int
    square: int
    numbers: array[int]


class Run:
    """A position in the engine, with room for so many lists of moves, one in the other.

    There is room to make so many moves; those of the lists unless more are asked for.
    """

    def __init__(self, position: Position, depth: int = 1, longest: int = 0) -> None:
        self.plan = position.plan
        arrays = arrays_of(position.plan)
        self.engine = engine()
        self.settle(State(arrays, position, depth, longest))

    def settle(self, state: State) -> None:
        """Work on these structs from now on."""
        self.state = state

    def ask(self, function: str, *given: Given) -> int:
        """What a function of the engine answers for this position."""
        return self.state.ask(function, *given)

    @property
    def turn(self) -> int:
        """The side to move."""
        return self.state.struct["side"]

    def piece_on(self, square: int) -> int:
        """What stands on a square; the piece after the last one is a wall."""
        return self.state.struct.arrays["board"][square]

    def own_square(self, square: int) -> int:
        """The square by which a piece is named that takes up one."""
        anchors = self.state.struct.arrays.get("anchor")
        return anchors[square] if anchors else square

    def squares_of(self, side: int) -> list[int]:
        """The squares of a side's pieces, in no order."""
        arrays, size = self.state.struct.arrays, self.plan.size
        count = self.state.struct["second_count" if side else "first_count"]
        return [*arrays["lists"][side * size : side * size + count]]

    def legal_acts(self) -> list[Act]:
        """All legal moves in one order: royals, other pieces by kind and square, then drops."""
        return self.state.acts(0, self.ask("generate", 0))

    def simulate(self, games: int, limit: int, seed: int) -> tuple[int, list[int]]:
        """Random games: the moves made, and how many games ended with each result."""
        out = array("q", [0] * (structs.WINNERS * (len(ENDS) + 1) + 1))
        moves = self.ask("simulate", games, limit, seed, out)
        return moves, list(out[:-1])

    def proposed(self, square: int) -> list[Proposal]:
        """All that the piece on a square could do, legal or not."""
        return self._proposed("propose", square)

    def proposed_drops(self, piece: int, square: int) -> list[Proposal]:
        """The drop of a piece on a free square with all walls that it may build, legal or not.

        None where the side to move has no such piece in hand.
        """
        return self._proposed("propose_drop", square, piece)

    def _proposed(self, function: str, *given: int) -> list[Proposal]:
        reasons = array("i", bytes(4 * (len(self.state.moves) // WIDTH)))
        # The list begins behind the move that is tried.
        end = self.ask(function, *given, 1, reasons)
        acts, moves = self.state.acts(1, end), self.state.moves
        masked = (1 << structs.REASONS) - 1
        return [
            Proposal(
                act,
                reasons[at] & masked,
                reasons[at] >> structs.REASONS,
                array("i", moves[WIDTH * at : WIDTH * (at + 1)]),
            )
            for at, act in enumerate(acts, 1)
        ]

    @contextmanager
    def tried(self, proposal: Proposal) -> Iterator[None]:
        """Have a move made, legal or not, and taken back."""
        moves = self.state.moves
        moves[:WIDTH] = proposal.numbers
        self.ask("make", 0)
        try:
            yield
        finally:
            moves[:WIDTH] = proposal.numbers
            self.ask("unmake", 0)

    @contextmanager
    def turned(self) -> Iterator[None]:
        """Have the other side to move, with nothing to take en passant."""
        struct = self.state.struct
        side, trail = struct["side"], struct["trail"]
        struct["side"], struct["trail"] = 1 - side, 0
        try:
            yield
        finally:
            struct["side"], struct["trail"] = side, trail

    def could_go(self, origin: int, target: int, changes: Mapping[int, int]) -> int:
        """Whether a piece could go to a square if pieces stood otherwise, 0 for none.

        The answer has the bits `GOES`, `TAKES` and `CASTLES` of `alfil.game.structs`.
        """
        plan = self.plan
        every: dict[int, int] = {}
        for square, piece in changes.items():
            there, own = self.piece_on(square), self.own_square(square)
            gone = (
                plan.bodies.cells(there, own) if not piece and 0 < there < plan.wall else [square]
            )
            every |= dict.fromkeys(gone, piece)
        flat = [number for change in every.items() for number in change]
        return self.ask("could_go", origin, target, array("i", flat), len(every))

    def is_open(self, side: int) -> bool:
        """Whether the other side could capture so that this side's game is lost."""
        return bool(self.ask("is_checked", side))

    def checkers(self, side: int) -> list[int]:
        """The squares of the pieces that could capture so that a side's game is lost."""
        return [each for each in self.squares_of(1 - side) if self.ask("attacks_royal", each)]
