"""A position in sets of squares, each an int of one bit a square, and moves made in it.

It is made for one position and thrown away, or carried through a count of moves. It shares the
lists of its position, which therefore is out of step until all moves are unmade.
"""

from __future__ import annotations

from typing import TypeAlias

from alfil.game.position import DROPPED, UNKNOWN, Act, Position
from alfil.game.reaches import Reaches

# What a move has changed besides what it says itself: the piece taken, the kind that went to or
# left the hand (-1 for none), counts of moves (mover, partner, piece taken), and the trail before.
Unmake: TypeAlias = tuple[int, int, tuple[int, int, int], dict[int, int]]
_NO_COUNTS = (0, 0, 0)


class Board:
    """A position in sets of squares; every move captures one piece at most."""

    __slots__ = (
        "board",
        "hands",
        "made",
        "own",
        "plan",
        "position",
        "reaches",
        "remembers",
        "royal",
        "sets",
        "trail",
        "turn",
    )

    def __init__(self, position: Position, reaches: Reaches) -> None:
        self.plan = position.plan
        self.reaches = reaches
        self.position = position
        self.board = position.board
        self.made = position.made
        # Castling asks for counts too, so that they are kept where there is any.
        self.remembers = self.plan.remembers
        self.hands = position.hands
        self.turn = position.turn
        self.trail = position.trail
        self.royal = [position.royals[0][0], position.royals[1][0]]
        self.sets = sets = [0] * self.plan.mark
        own = [0, 0]
        bits = reaches.bits
        for square, piece in enumerate(self.board):
            if piece:
                bit = bits[square]
                sets[piece] |= bit
                own[~piece & 1] |= bit
        self.own = own

    def make(self, act: Act) -> Unmake:
        """Make a legal move."""
        piece, origin, target, becomes, captures, partner, trail = act
        board, sets, own, bits = self.board, self.sets, self.own, self.reaches.bits
        side = self.turn
        taken, kind = 0, -1
        made = self.made
        before = _NO_COUNTS
        if captures:
            victim = captures[0]
            taken = board[victim]
            bit = bits[victim]
            sets[taken] ^= bit
            own[1 - side] ^= bit
            board[victim] = 0
            if self.remembers:
                before = (0, 0, made[victim])
            kind = self._to_hand(taken, side)
        bit = bits[target]
        if origin < 0:
            kind = self._from_hand(piece, side)
            made[target] = DROPPED if self.plan.starting.get(target) == piece else UNKNOWN
        else:
            there = bits[origin]
            board[origin] = 0
            sets[piece] ^= there
            own[side] ^= there
            if origin == self.royal[side]:
                self.royal[side] = target
            if self.remembers:
                before = (made[origin], 0, before[2])
                made[target] = _one_more(made[origin])
                if partner:
                    before = (before[0], made[partner[0]], 0)
                    self._carry(partner[0], partner[1], _one_more(made[partner[0]]))
        board[target] = becomes
        sets[becomes] ^= bit
        own[side] ^= bit
        undo = (taken, kind, before, self.trail)
        self.trail = dict.fromkeys(trail, target) if trail else _NO_TRAIL
        self.turn = 1 - side
        return undo

    def unmake(self, act: Act, undo: Unmake) -> None:
        """Take back the last move."""
        piece, origin, target, becomes, captures, partner, _ = act
        board, sets, own, bits = self.board, self.sets, self.own, self.reaches.bits
        taken, kind, before, self.trail = undo
        self.turn = side = 1 - self.turn
        bit = bits[target]
        board[target] = 0
        sets[becomes] ^= bit
        own[side] ^= bit
        if partner:
            self._carry(partner[1], partner[0], before[1])
        if origin < 0:
            self.hands[side][kind] += 1
        else:
            there = bits[origin]
            board[origin] = piece
            sets[piece] ^= there
            own[side] ^= there
            if target == self.royal[side]:
                self.royal[side] = origin
            if self.remembers:
                self.made[origin] = before[0]
        if captures:
            victim = captures[0]
            bit = bits[victim]
            board[victim] = taken
            sets[taken] ^= bit
            own[1 - side] ^= bit
            if self.remembers:
                self.made[victim] = before[2]
            if kind >= 0:
                self.hands[side][kind] -= 1

    def _to_hand(self, taken: int, side: int) -> int:
        rules = self.plan.rules
        if rules.captured != "to-hand":
            return -1
        kind = self.plan.base[taken] if rules.captured_form == "base" else (taken - 1) >> 1
        self.hands[side][kind] += 1
        return kind

    def _from_hand(self, piece: int, side: int) -> int:
        kind = self.plan.drop_kind(piece, self.hands[side])
        self.hands[side][kind] -= 1
        return kind

    def _carry(self, origin: int, target: int, count: int) -> None:
        """Move a castling partner."""
        piece = self.board[origin]
        both = self.reaches.bits[origin] | self.reaches.bits[target]
        self.board[origin] = 0
        self.board[target] = piece
        self.sets[piece] ^= both
        self.own[(piece - 1) % 2] ^= both
        self.made[target] = count


_NO_TRAIL: dict[int, int] = {}


def _one_more(count: int) -> int:
    if count == UNKNOWN:
        return UNKNOWN
    return 1 if count == DROPPED else count + 1
