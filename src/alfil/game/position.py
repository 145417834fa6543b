"""A position that is played on: made and unmade moves change it in place.

It is held twice: what stands on each square, and for each piece the set of its squares, an int of
one bit a square. ``made`` counts the moves of the piece on each square, where moves depend on that.
"""

from __future__ import annotations

from typing import TypeAlias

from alfil.game.plan import DROPPED, UNKNOWN, Act, Plan, squares_in
from alfil.game.reaches import reaches_of

Royals: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
# A move and what it changed besides what it says itself: the pieces taken, the kind that left the
# hand (-1 for none), counts of moves by square, and the trail and royals before.
Undo: TypeAlias = tuple[Act, list[int], int, list[tuple[int, int]], dict[int, int], Royals]
NO_TRAIL: dict[int, int] = {}


class Position:
    """A board with hands, the side to move, and what is remembered of earlier moves."""

    __slots__ = (
        "board",
        "checks",
        "hands",
        "made",
        "number",
        "own",
        "plan",
        "reaches",
        "royals",
        "sets",
        "trail",
        "turn",
    )

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.reaches = reaches_of(plan)
        self.board = [0] * plan.size
        # By piece, and by side, the squares on which they stand.
        self.sets = [0] * plan.mark
        self.own = [0, 0]
        self.made = [UNKNOWN] * plan.size
        self.hands = [[0] * len(plan.kinds), [0] * len(plan.kinds)]
        self.turn = 0
        self.number = 1
        self.trail: dict[int, int] = {}
        # The checks that either side had given when the position was read.
        self.checks = (0, 0)
        self.royals: Royals = ((), ())

    def copy(self) -> Position:
        """A position of its own with the same contents."""
        other = Position(self.plan)
        other.board, other.sets, other.own = self.board[:], self.sets[:], self.own[:]
        other.made = self.made[:]
        other.hands = [hand[:] for hand in self.hands]
        other.turn, other.number = self.turn, self.number
        other.trail = dict(self.trail)
        other.checks, other.royals = self.checks, self.royals
        return other

    def key(self) -> int:
        """A hash of board, hands and side to move, the same for the same position."""
        first, second = self.hands
        return hash((self.turn, *self.board, *first, *second))

    def make(self, act: Act) -> Undo:
        """Make a move, legal or not; what it returns unmakes it."""
        piece, origin, target, becomes, captures, partner, trail = act
        plan, board, sets, own, side = self.plan, self.board, self.sets, self.own, self.turn
        bits, hand = plan.bits, self.hands[side]
        counts = self._count(act) if plan.remembers else []
        royal = plan.royal[piece] or plan.royal[becomes]
        taken: list[int] = []
        for square in captures:
            bit, victim = bits[square], board[square]
            taken.append(victim)
            board[square] = 0
            sets[victim] ^= bit
            own[~victim & 1] ^= bit
            royal = royal or plan.royal[victim]
            if plan.held[victim] >= 0:
                hand[plan.held[victim]] += 1
        kind = -1
        if origin < 0:
            kind = plan.drop_kind(piece, hand)
            hand[kind] -= 1
        else:
            bit = bits[origin]
            board[origin] = 0
            sets[piece] ^= bit
            own[side] ^= bit
        if partner:
            royal = royal or plan.royal[board[partner[0]]]
            self._carry(*partner)
        bit = bits[target]
        board[target] = becomes
        sets[becomes] ^= bit
        own[side] ^= bit
        undo = (act, taken, kind, counts, self.trail, self.royals)
        self.trail = dict.fromkeys(trail, target) if trail else NO_TRAIL
        self.turn = 1 - side
        self.number += 1
        if royal:
            self.royals = (self._royals_of(0), self._royals_of(1))
        return undo

    def unmake(self, undo: Undo) -> None:
        """Take the last move back."""
        act, taken, kind, counts, self.trail, self.royals = undo
        piece, origin, target, becomes, captures, partner, _ = act
        plan, board, sets, own = self.plan, self.board, self.sets, self.own
        self.turn = side = 1 - self.turn
        self.number -= 1
        bits, hand = plan.bits, self.hands[side]
        bit = bits[target]
        board[target] = 0
        sets[becomes] ^= bit
        own[side] ^= bit
        if partner:
            self._carry(partner[1], partner[0])
        if origin < 0:
            hand[kind] += 1
        else:
            bit = bits[origin]
            board[origin] = piece
            sets[piece] ^= bit
            own[side] ^= bit
        if captures:
            for square, victim in zip(captures, taken, strict=True):
                bit = bits[square]
                board[square] = victim
                sets[victim] ^= bit
                own[~victim & 1] ^= bit
                if plan.held[victim] >= 0:
                    hand[plan.held[victim]] -= 1
        for square, count in counts:
            self.made[square] = count

    def settle(self) -> None:
        """Find what stands where, after the board was filled by hand."""
        self.sets, self.own = [0] * self.plan.mark, [0, 0]
        for square, piece in enumerate(self.board):
            if piece:
                self.sets[piece] |= 1 << square
                self.own[~piece & 1] |= 1 << square
        self.royals = (self._royals_of(0), self._royals_of(1))

    def _royals_of(self, side: int) -> tuple[int, ...]:
        there = 0
        for piece in self.plan.royal_pieces[side]:
            there |= self.sets[piece]
        return tuple(squares_in(there))

    def _carry(self, origin: int, target: int) -> None:
        """Move a castling partner."""
        piece = self.board[origin]
        both = self.plan.bits[origin] | self.plan.bits[target]
        self.board[origin] = 0
        self.board[target] = piece
        self.sets[piece] ^= both
        self.own[~piece & 1] ^= both

    def _count(self, act: Act) -> list[tuple[int, int]]:
        """Count a move of the pieces that make it; the counts before, by square."""
        made, origin, target = self.made, act.origin, act.target
        if origin < 0:
            before = [(target, made[target])]
            fresh = self.plan.starting.get(target) == act.piece
            made[target] = DROPPED if fresh else UNKNOWN
            return before
        before = [(origin, made[origin]), (target, made[target])]
        for square in (*act.captures, *act.partner):
            before.append((square, made[square]))
        for square, _ in before:
            made[square] = UNKNOWN
        made[target] = one_more(before[0][1])
        if act.partner:
            made[act.partner[1]] = one_more(before[-2][1])
        return before


def one_more(count: int) -> int:
    """A count of moves after another move."""
    if count == UNKNOWN:
        return UNKNOWN
    return 1 if count == DROPPED else count + 1
