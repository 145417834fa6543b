"""A position that is played on: made and unmade moves change it in place.

``made`` counts the moves of the piece on each square: `UNKNOWN` is "it has moved", `DROPPED` a
piece put down on a square where one like it began: it may do what an unmoved piece may, but
nothing castles with it.
"""

from __future__ import annotations

from typing import NamedTuple

from alfil.game.plan import Plan

UNKNOWN = -1
DROPPED = -2


class Act(NamedTuple):
    """A move in numbers: ``origin`` is -1 for a drop, ``becomes`` the piece that arrives.

    ``partner`` is where a castling partner comes from and goes to; empty without one.
    """

    piece: int
    origin: int
    target: int
    becomes: int
    captures: tuple[int, ...] = ()
    partner: tuple[int, ...] = ()
    trail: tuple[int, ...] = ()


class Undo(NamedTuple):
    """What a move has changed."""

    squares: list[tuple[int, int, int]]
    hands: list[tuple[int, int, int]]
    trail: dict[int, int]
    royals: tuple[tuple[int, ...], tuple[int, ...]]
    key: int


class Position:
    """A board with hands, the side to move, and what is remembered of earlier moves."""

    __slots__ = (
        "_base",
        "board",
        "checks",
        "hands",
        "key",
        "made",
        "number",
        "plan",
        "royals",
        "trail",
        "turn",
    )

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.board = [0] * plan.size
        self.made = [UNKNOWN] * plan.size
        self.hands = [[0] * len(plan.kinds), [0] * len(plan.kinds)]
        self.turn = 0
        self.number = 1
        self.trail: dict[int, int] = {}
        # The checks that either side had given when the position was read.
        self.checks = (0, 0)
        self.royals: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        # What has changed of the key since the board was filled; the rest is worked out when it is
        # first asked for.
        self.key = 0
        self._base: int | None = None

    def copy(self) -> Position:
        """A position of its own with the same contents."""
        other = Position(self.plan)
        other.board = self.board[:]
        other.made = self.made[:]
        other.hands = [hand[:] for hand in self.hands]
        other.turn, other.number = self.turn, self.number
        other.trail = dict(self.trail)
        other.checks = self.checks
        other.royals, other.key, other._base = self.royals, self.key, self._base
        return other

    def hash(self) -> int:
        """The key of board, hands and side to move, the same for the same position."""
        if self._base is None:
            self._base = self._worked_out() ^ self.key
        return self._base ^ self.key

    def _worked_out(self) -> int:
        plan = self.plan
        key = self._turn_key() if self.turn else 0
        for square, piece in enumerate(self.board):
            if piece:
                key ^= plan.zobrist[piece * plan.size + square]
        for side, hand in enumerate(self.hands):
            for kind, count in enumerate(hand):
                if count:
                    key ^= self._hand_key(side, kind, count)
        return key

    def make(self, act: Act) -> Undo:
        """Make a move, legal or not; what it returns unmakes it."""
        plan, board, made = self.plan, self.board, self.made
        piece, origin, target, becomes, captures, partner, trail = act
        undo = Undo([], [], self.trail, self.royals, self.key)
        side = self.turn
        royal = plan.royal[piece] or plan.royal[becomes]
        for square in captures:
            royal = royal or plan.royal[board[square]]
            self._to_hand(board[square], undo)
            self._put(square, 0, UNKNOWN, undo)
        if origin < 0:
            self._hold(side, plan.drop_kind(piece, self.hands[side]), -1, undo)
            fresh = plan.starting.get(target) == piece
            self._put(target, becomes, DROPPED if fresh else UNKNOWN, undo)
        else:
            count = one_more(made[origin])
            if partner:
                rook, rook_count = board[partner[0]], one_more(made[partner[0]])
                self._put(partner[0], 0, UNKNOWN, undo)
            self._put(origin, 0, UNKNOWN, undo)
            self._put(target, becomes, count, undo)
            if partner:
                self._put(partner[1], rook, rook_count, undo)
                royal = royal or plan.royal[rook]
        self.trail = dict.fromkeys(trail, target) if trail else NO_TRAIL
        if royal:
            self.settle()
        self.turn = 1 - side
        self.key ^= self._turn_key()
        self.number += 1
        return undo

    def unmake(self, undo: Undo) -> None:
        """Take a move back."""
        for square, piece, count in reversed(undo.squares):
            self.board[square] = piece
            self.made[square] = count
        for side, kind, count in reversed(undo.hands):
            self.hands[side][kind] = count
        self.trail, self.royals, self.key = undo.trail, undo.royals, undo.key
        self.turn = 1 - self.turn
        self.number -= 1

    def _put(self, square: int, piece: int, count: int, undo: Undo) -> None:
        plan = self.plan
        old = self.board[square]
        undo.squares.append((square, old, self.made[square]))
        if old:
            self.key ^= plan.zobrist[old * plan.size + square]
        if piece:
            self.key ^= plan.zobrist[piece * plan.size + square]
        self.board[square] = piece
        self.made[square] = count

    def _to_hand(self, piece: int, undo: Undo) -> None:
        """A captured piece changes sides; a royal ends the game and is in nobody's hand."""
        plan = self.plan
        if plan.rules.captured != "to-hand" or plan.royal[piece]:
            return
        kind = plan.base[piece] if plan.rules.captured_form == "base" else (piece - 1) >> 1
        self._hold(self.turn, kind, 1, undo)

    def _hold(self, side: int, kind: int, by: int, undo: Undo) -> None:
        hand = self.hands[side]
        undo.hands.append((side, kind, hand[kind]))
        if hand[kind]:
            self.key ^= self._hand_key(side, kind, hand[kind])
        hand[kind] += by
        if hand[kind]:
            self.key ^= self._hand_key(side, kind, hand[kind])

    def _hand_key(self, side: int, kind: int, count: int) -> int:
        plan = self.plan
        beyond = (plan.mark + 1) * plan.size
        return plan.zobrist[beyond + (count * len(plan.kinds) + kind) * 2 + side + 1]

    def _turn_key(self) -> int:
        plan = self.plan
        return plan.zobrist[(plan.mark + 1) * plan.size]

    def settle(self) -> None:
        """Find the royals, after the board was filled by hand or one was moved."""
        royal = self.plan.royal
        first: list[int] = []
        second: list[int] = []
        for square, piece in enumerate(self.board):
            if royal[piece]:
                (first if piece & 1 else second).append(square)
        self.royals = (tuple(first), tuple(second))


NO_TRAIL: dict[int, int] = {}


def one_more(count: int) -> int:
    """A count of moves after another move."""
    if count == UNKNOWN:
        return UNKNOWN
    return 1 if count == DROPPED else count + 1
