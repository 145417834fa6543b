"""A position, and that after a move."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

from alfil.game.compiled_variant import (
    DROPPED_MOVE_COUNT,
    UNKNOWN_MOVE_COUNT,
    CompiledVariant,
    EngineMove,
)
from alfil.game.position import HeldSquares
from alfil.game.position import Position as Told
from slow_engine.ranges import holds_after

# By piece, the squares that it takes up, counted from its own; worked out once for a game.
_BODIES: WeakKeyDictionary[CompiledVariant, list[list[int]]] = WeakKeyDictionary()


class Position:
    """A board with hands, the side to move, and what is remembered of earlier moves."""

    def __init__(self, compiled: CompiledVariant) -> None:
        self.plan = compiled
        self._bodies = _BODIES.get(compiled) or _BODIES.setdefault(compiled, _bodies(compiled))
        self._standing = Standing((), {}, [], ([], []))
        self.board = [0] * compiled.size
        self.made = [UNKNOWN_MOVE_COUNT] * compiled.size
        self.hands = [[0] * len(compiled.kinds), [0] * len(compiled.kinds)]
        self.turn = 0
        self.number = 1
        self.trail: dict[int, int] = {}
        self.holds: HeldSquares = ()
        self.exchanged: int | None = None

    def copy(self) -> Position:
        """The same in lists of its own."""
        other = object.__new__(Position)
        vars(other).update(vars(self))
        other.board, other.made = self.board[:], self.made[:]
        other.hands = [hand[:] for hand in self.hands]
        return other

    def turn_of(self, side: int) -> int:
        """The number of a side's turn, its next one if the other side is to move."""
        return (self.number + (side != self.turn) + 1) // 2

    def squares_of(self, side: int) -> list[int]:
        """The squares on which pieces of a side stand."""
        return self._looked_at().sides[side]

    def royals(self, side: int) -> list[int]:
        """The squares of a side's royal pieces."""
        return [square for square in self.squares_of(side) if self.plan.royal[self.board[square]]]

    def cells(self, piece: int, square: int) -> list[int]:
        """The squares that a piece takes up whose own square is one, those off the board too.

        That is the near left one of them, as its side sees the board.
        """
        return [square + each for each in self._bodies[piece]]

    def is_large(self, piece: int) -> bool:
        """Whether a piece takes up several squares."""
        return len(self._bodies[piece]) > 1

    def is_inside(self, piece: int, square: int) -> bool:
        """Whether all that a piece takes up is on the board."""
        compiled, squares = self.plan, self.cells(piece, square)
        ends = [squares[0], squares[-1]]
        there = all(0 <= each < compiled.size for each in squares)
        # It does not reach round the edge of the board.
        files = [each % compiled.files for each in ends]
        back = piece % 2 == 0
        return there and (files[0] >= files[1] if back else files[0] <= files[1])

    @property
    def owners(self) -> dict[int, int]:
        """The own square of the piece, or the wall, on each square that is taken up."""
        return self._looked_at().owners

    def stood(self) -> list[int]:
        """What stands on each square, on all squares of those that take up several."""
        return self._looked_at().stood

    def _looked_at(self) -> Standing:
        """What there is to see on the board, looked for again when anything has changed."""
        now = tuple(self.board)
        if self._standing.board != now:
            known = [s for s, piece in enumerate(now) if piece and piece != self.plan.cover]
            owners = {cell: s for s in known for cell in self.cells(now[s], s)}
            stood = [now[owners[s]] if s in owners else 0 for s in range(self.plan.size)]
            pieces = [s for s in known if now[s] < self.plan.wall]
            sides = ([s for s in pieces if now[s] % 2], [s for s in pieces if now[s] % 2 == 0])
            self._standing = Standing(now, owners, stood, sides)
        return self._standing

    def put(self, square: int, piece: int) -> None:
        """Have a piece, a wall, or nothing stand on a square in place of what stood there."""
        before = self.board[square]
        for cell in self.cells(before, square) if before != self.plan.cover else ():
            self.board[cell] = 0
        for cell in self.cells(piece, square):
            self.board[cell] = self.plan.cover
        self.board[square] = piece

    def count(self, piece: int, file: int | None = None) -> int:
        """How many of a piece there are, or on a file."""
        board = self.board if file is None else self.board[file :: self.plan.files]
        return board.count(piece)

    def after(self, act: EngineMove) -> Position:
        """The position after a move, legal or not."""
        found = self.copy()
        found._make(act)
        if self.plan.holding and not self.plan.is_pass(act):
            found.holds = holds_after(found, act)
        return found

    def _make(self, act: EngineMove) -> None:
        board, side = self.board, self.turn
        if self.plan.needs_move_counts:
            self._count(act)
        taken = [square for square in act.captures if self.is_in("no_exchange", board[square])]
        own = self.is_in("no_exchange", act.piece)
        self.exchanged = taken[-1] if taken and not own else None
        for square in act.captures:
            held = self.plan.held[board[square]]
            if held >= 0:
                self.hands[side][held] += 1
            self.put(square, 0)
        if act.origin < 0:
            self._take_from_hand(act.piece)
        else:
            self.put(act.origin, 0)
        if act.partner:
            came, goes = act.partner
            partner, board[came] = board[came], 0
            board[goes] = partner
        self.put(act.target, act.becomes)
        for square, piece in act.changes:
            self.put(square, piece)
        if gate := self.plan.gated_piece(act):
            self.hands[side][(gate[1] - 1) >> 1] -= 1
        # Nobody goes to a square of the trail that was walled up.
        self.trail = {square: act.target for square in act.ep_squares if not board[square]}
        self.turn, self.number = 1 - side, self.number + 1

    def is_in(self, rule: str, piece: int) -> bool:
        """Whether a piece is one of those that a rule names."""
        return self.plan.codes[piece] in getattr(self.plan.rules, rule)

    def _take_from_hand(self, piece: int) -> None:
        hand, kind = self.hands[self.turn], (piece - 1) >> 1
        if not self.plan.is_dropped_from_nowhere[kind]:
            # Its own kind, or the first that may be put down as it.
            kinds = (kind, *self.plan.hand_kinds_by_dropped_piece[piece])
            hand[next(each for each in kinds if hand[each])] -= 1

    def _count(self, act: EngineMove) -> None:
        """Count a move of the pieces that make it; what else it touches has moved."""
        made = self.made
        if act.origin < 0:
            made[act.target] = UNKNOWN_MOVE_COUNT
            if self.plan.starting.get(act.target) == act.piece:
                made[act.target] = DROPPED_MOVE_COUNT
            if self.plan.rules.drops_first == "yes":
                made[act.target] = 0
        elif not self.plan.is_pass(act):
            count = one_more(made[act.origin])
            carried = one_more(made[act.partner[0]]) if act.partner else UNKNOWN_MOVE_COUNT
            for square in (act.origin, *act.captures, *act.partner):
                made[square] = UNKNOWN_MOVE_COUNT
            made[act.target] = count
            if act.partner:
                made[act.partner[1]] = carried
        for square, _ in act.changes:
            made[square] = UNKNOWN_MOVE_COUNT


class Standing(NamedTuple):
    """What is seen on a board: whose squares, by square what stands there, and by side where."""

    board: tuple[int, ...]
    owners: dict[int, int]
    stood: list[int]
    sides: tuple[list[int], list[int]]


def _bodies(compiled: CompiledVariant) -> list[list[int]]:
    """By piece, wall and cover: the squares that it takes up, counted from its own."""
    return [_body(compiled, piece) for piece in range(compiled.cover + 2)]


def _body(compiled: CompiledVariant, piece: int) -> list[int]:
    sizes = [(1, 1)]
    if 0 < piece < compiled.wall:
        facts = compiled.kinds[(piece - 1) >> 1].meaning.facts
        sizes += [each.values for each in facts if each.name == "size"]
    files, ranks = (max(int(str(size[n])) for size in sizes) for n in (0, 1))
    back = -1 if piece % 2 == 0 and piece < compiled.wall else 1
    return [back * (rank * compiled.files + file) for file in range(files) for rank in range(ranks)]


def one_more(count: int) -> int:
    """A count of moves after another move."""
    if count == UNKNOWN_MOVE_COUNT:
        return UNKNOWN_MOVE_COUNT
    return 1 if count == DROPPED_MOVE_COUNT else count + 1


def same_as(told: Told) -> Position:
    """A position as alfil has it."""
    found = Position(told.compiled)
    found.board, found.made = told.board[:], told.made[:]
    found.hands = [hand[:] for hand in told.hands]
    found.turn, found.number = told.turn, told.number
    found.trail, found.holds, found.exchanged = dict(told.trail), told.holds, told.exchanged
    return found
