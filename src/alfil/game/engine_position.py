"""A position in the engine and queries about it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache

from alfil.errors import RuleError, reject
from alfil.frozen_dataclasses import NamedTuple
from alfil.game import engine_interface
from alfil.game.compiled_variant import CompiledVariant, EngineMove
from alfil.game.engine_interface import WIDTH, EngineArgument
from alfil.game.engine_structs import EngineTables, PositionStruct, unsupported_reason
from alfil.game.native_engine import EngineMissing, engine
from alfil.game.position import Position
from alfil.game.rule_table import ENDINGS
from alfil.source import Source


@cache
def missing_engine_reason() -> str:
    """Why the engine cannot be loaded, determined once; empty if it can."""
    try:
        engine()
    except EngineMissing as missing:
        return str(missing)
    return ""


def engine_tables(compiled: CompiledVariant) -> EngineTables:
    """The arrays of a game, made once. Raises `RuleError` where the engine cannot hold it."""
    return compiled.cached_value("arrays", lambda: _make_engine_tables(compiled))


def _make_engine_tables(compiled: CompiledVariant) -> EngineTables:
    reason = missing_engine_reason() or unsupported_reason(compiled)
    if reason:
        message = f"the game cannot be played: {reason}"
        reject(RuleError, "no-core", message, Source(compiled.variant.name, "<game>"))
    return EngineTables(compiled)


class MoveVerdict(NamedTuple):
    """A pseudo-legal move, the engine's reason why it is illegal, and the square that is about."""

    engine_move: EngineMove
    reason: int
    square: int


class EnginePosition:
    """A position in the engine, with memory for nested move lists.

    There is room to make so many moves; those of the lists unless more are asked for.
    """

    def __init__(self, position: Position, depth: int = 1, longest: int = 0) -> None:
        self.plan = position.compiled
        arrays = engine_tables(position.compiled)
        self.engine = engine()
        self.attach(PositionStruct(arrays, position, depth, longest))

    def attach(self, state: PositionStruct) -> None:
        """Work on these structs from now on."""
        self.state = state

    def call_engine(self, function: str, *arguments: EngineArgument) -> int:
        """Call an engine function with this position."""
        return self.state.call_engine(function, *arguments)

    @property
    def turn(self) -> int:
        """The side to move."""
        return self.state.struct["side"]

    def piece_on(self, square: int) -> int:
        """What stands on a square; the piece after the last one is a wall."""
        return self.state.struct.arrays["board"][square]

    def anchor_square(self, square: int) -> int:
        """The square by which a piece is named that takes up one."""
        anchors = self.state.struct.arrays.get("anchor")
        return anchors[square] if anchors else square

    def squares_of_side(self, side: int) -> list[int]:
        """The squares of a side's pieces, in no order."""
        arrays, size = self.state.struct.arrays, self.plan.size
        count = self.state.struct["second_count" if side else "first_count"]
        return [*arrays["lists"][side * size : side * size + count]]

    def legal_moves(self) -> list[EngineMove]:
        """All legal moves in one order: royals, other pieces by kind and square, then drops."""
        return self.state.engine_moves(0, self.call_engine("generate_legal_moves", 0))

    def play_random_games(self, games: int, limit: int, seed: int) -> tuple[int, list[int]]:
        """Random games: the moves made, and how many games ended with each result."""
        out = array("q", [0] * (engine_interface.WINNERS * (len(ENDINGS) + 1) + 1))
        moves = self.call_engine("play_random_games", games, limit, seed, out)
        return moves, list(out[:-1])

    def pseudo_legal_moves(self, square: int) -> list[MoveVerdict]:
        """The pseudo-legal moves of the piece on a square."""
        return self._list_pseudo_legal_moves("list_moves_with_reasons", square)

    def pseudo_legal_drops(self, piece: int, square: int) -> list[MoveVerdict]:
        """The drop of a piece on a free square with all walls that it may build, legal or not.

        None where the side to move has no such piece in hand.
        """
        return self._list_pseudo_legal_moves("list_drop_with_reason", square, piece)

    def _list_pseudo_legal_moves(self, function: str, *arguments: int) -> list[MoveVerdict]:
        reasons = array("i", bytes(4 * (len(self.state.moves) // WIDTH)))
        # The list begins behind the move that is tried.
        end = self.call_engine(function, *arguments, 1, reasons)
        masked = (1 << engine_interface.REASONS) - 1
        return [
            MoveVerdict(engine_move, reason & masked, reason >> engine_interface.REASONS)
            for engine_move, reason in zip(
                self.state.engine_moves(1, end), reasons[1:end], strict=True
            )
        ]

    @contextmanager
    def temporary_side_switch(self) -> Iterator[None]:
        """Switch the side to move, without en passant, and back on exit."""
        struct = self.state.struct
        side, trail = struct["side"], struct["trail"]
        struct["side"], struct["trail"] = 1 - side, 0
        try:
            yield
        finally:
            struct["side"], struct["trail"] = side, trail

    def possible_move_flags(self, origin: int, target: int, changes: Mapping[int, int]) -> int:
        """Whether a piece could move to a square on a changed board; 0 is an empty square.

        The answer has the bits `GOES`, `TAKES` and `CASTLES` of `alfil.game.engine_interface`.
        """
        compiled = self.plan
        every: dict[int, int] = {}
        for square, piece in changes.items():
            there, own = self.piece_on(square), self.anchor_square(square)
            gone = (
                compiled.footprints.occupied_squares(there, own)
                if not piece and 0 < there < compiled.wall
                else [square]
            )
            every |= dict.fromkeys(gone, piece)
        flat = [number for change in every.items() for number in change]
        return self.call_engine(
            "ways_to_square_after_changes", origin, target, array("i", flat), len(every)
        )

    def is_in_check(self, side: int) -> bool:
        """Whether a side is in check."""
        return bool(self.call_engine("is_checked", side))

    def checkers(self, side: int) -> list[int]:
        """The squares of the pieces that give check to a side."""
        return [
            each
            for each in self.squares_of_side(1 - side)
            if self.call_engine("attacks_royal", each)
        ]
