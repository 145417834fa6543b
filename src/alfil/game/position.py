"""A position that is played on: made and unmade moves change it in place.

It is held twice: what stands on each square, and for each piece the set of its squares, an int of
one bit a square. ``made`` counts the moves of the piece on each square, where moves depend on that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from alfil.game.plan import DROPPED, UNKNOWN, Act, Plan, squares_in
from alfil.game.ranges import holds_after
from alfil.game.reaches import reaches_of
from alfil.game.views import Holds

Royals: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
# What there was on some squares: (square, piece or count).
There: TypeAlias = Sequence[tuple[int, int]]
# A move and what it changed besides what it says itself: the pieces taken, the kind that left the
# hand (-1 for none), counts of moves, the trail and royals before, what was changed besides, and
# who held whom before.
Undo: TypeAlias = tuple[Act, There, int, There, dict[int, int], Royals, There, Holds]
NO_TRAIL: dict[int, int] = {}
NOTHING: There = ()


class Position:
    """A board with hands, the side to move, and what is remembered of earlier moves."""

    __slots__ = (
        "board",
        "checks",
        "countdown",
        "hands",
        "holds",
        "idle",
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
        self.sets = [0] * (plan.wall + 1)
        self.own = [0, 0]
        self.made = [UNKNOWN] * plan.size
        self.hands = [[0] * len(plan.kinds), [0] * len(plan.kinds)]
        self.turn = 0
        self.number = 1
        self.trail: dict[int, int] = {}
        self.holds: Holds = ()
        # The checks that either side had given when the position was read.
        self.checks = (0, 0)
        # The moves in a row without a capture or the like by then.
        self.idle = 0
        # In how many moves of both sides one must be mated by then, and how many of them were made.
        self.countdown = (0, 0)
        self.royals: Royals = ((), ())

    def copy(self) -> Position:
        """A position of its own with the same contents."""
        other = Position(self.plan)
        other.board, other.sets, other.own = self.board[:], self.sets[:], self.own[:]
        other.made = self.made[:]
        other.hands = [hand[:] for hand in self.hands]
        other.turn, other.number = self.turn, self.number
        other.trail, other.holds = dict(self.trail), self.holds
        other.checks, other.idle, other.royals = self.checks, self.idle, self.royals
        other.countdown = self.countdown
        return other

    def key(self) -> int:
        """A hash of board, hands and side to move, the same for the same position."""
        first, second = self.hands
        turns = self.plan.round
        # The same pieces are not the same position where other moves are due.
        phase = self.number % (len(self.hands) * turns) if turns > 1 else 0
        return hash((self.turn, phase, *self.board, *first, *second))

    def turn_of(self, side: int) -> int:
        """The number of a side's turn, its next one if the other side is to move."""
        return (self.number + (side != self.turn) + 1) // len(self.hands)

    def make(self, act: Act) -> Undo:
        """Make a move, legal or not; what it returns unmakes it."""
        piece, origin, target, becomes, captures, partner, trail, changes = act
        plan, board, sets, side = self.plan, self.board, self.sets, self.turn
        royals = self.royals
        counts = self._count(act) if plan.remembers else NOTHING
        taken = self._take(captures) if captures else NOTHING
        royal = plan.royal[piece] or plan.royal[becomes]
        kind = -1
        moved = bit = plan.bits[target]
        if origin < 0:
            kind = self._take_from_hand(piece)
        else:
            there = plan.bits[origin]
            board[origin] = 0
            sets[piece] ^= there
            moved ^= there
        if partner:
            royal = royal or plan.royal[board[partner[0]]]
            self._carry(*partner)
        board[target] = becomes
        sets[becomes] ^= bit
        self.own[side] ^= moved
        changed = self._change(changes) if changes else NOTHING
        if changes:
            self._gate(act, -1)
        undo = (act, taken, kind, counts, self.trail, royals, changed, self.holds)
        self.trail = dict.fromkeys(trail, target) if trail else NO_TRAIL
        self.turn = 1 - side
        self.number += 1
        if changes:
            self.royals = (self._royals_of(0), self._royals_of(1))
            # Nobody goes to a square of the trail that was walled up.
            self.trail = {each: target for each in self.trail if not board[each]}
        elif royal:
            self._note_royals(act)
        if plan.holding and not plan.is_pass(act):
            self.holds = holds_after(self, act)
        return undo

    def unmake(self, undo: Undo) -> None:
        """Take the last move back."""
        act, taken, kind, counts, self.trail, self.royals, changed, self.holds = undo
        if changed:
            self._change(changed)
            self._gate(act, 1)
        piece, origin, target, becomes, captures, partner, _, _ = act
        bits, board, sets = self.plan.bits, self.board, self.sets
        self.turn = side = 1 - self.turn
        self.number -= 1
        moved = bit = bits[target]
        board[target] = 0
        sets[becomes] ^= bit
        if partner:
            self._carry(partner[1], partner[0])
        if kind >= 0:
            self.hands[side][kind] += 1
        if origin >= 0:
            there = bits[origin]
            board[origin] = piece
            sets[piece] ^= there
            moved ^= there
        self.own[side] ^= moved
        if captures:
            self._give_back(taken)
        for square, count in counts:
            self.made[square] = count

    def _take_from_hand(self, piece: int) -> int:
        """Take what is dropped out of the hand; its kind, -1 where it was in no hand."""
        plan, hand = self.plan, self.hands[self.turn]
        kind = (piece - 1) >> 1
        if plan.endless[kind]:
            return -1
        if not hand[kind]:
            kind = plan.drop_kind(piece, hand)
        hand[kind] -= 1
        return kind

    def _take(self, captures: tuple[int, ...]) -> There:
        """Take pieces off the board, into the hand where they go there; what they were."""
        plan, board, hand = self.plan, self.board, self.hands[self.turn]
        sets, own = self.sets, self.own
        taken = []
        for square in captures:
            bit, victim = plan.bits[square], board[square]
            taken.append((square, victim))
            board[square] = 0
            sets[victim] ^= bit
            own[~victim & 1] ^= bit
            if plan.held[victim] >= 0:
                hand[plan.held[victim]] += 1
            if plan.royal[victim]:
                self.royals = (self._royals_of(0), self._royals_of(1))
        return taken

    def _give_back(self, taken: There) -> None:
        """Put pieces that were taken back on the board."""
        plan, board, hand = self.plan, self.board, self.hands[self.turn]
        sets, own = self.sets, self.own
        for square, victim in taken:
            bit = plan.bits[square]
            board[square] = victim
            sets[victim] ^= bit
            own[~victim & 1] ^= bit
            if plan.held[victim] >= 0:
                hand[plan.held[victim]] -= 1

    def _gate(self, act: Act, number: int) -> None:
        """Add so many to the hand of what a move leaves where its piece stood."""
        gate = self.plan.gate_of(act)
        if gate:
            self.hands[~gate[1] & 1][(gate[1] - 1) >> 1] += number

    def _change(self, changes: There) -> There:
        """Put other things on squares; what takes that back."""
        before = [(square, self.board[square]) for square, _ in changes]
        for square, piece in changes:
            for each in (self.board[square], piece):
                self.sets[each] ^= self.plan.bits[square]
                if 0 < each < self.plan.mark:
                    self.own[~each & 1] ^= self.plan.bits[square]
            self.board[square] = piece
        return before[::-1]

    @property
    def standing(self) -> list[tuple[int, int]]:
        """The squares on which pieces stand, each with its piece."""
        mark = self.plan.mark
        return [(square, piece) for square, piece in enumerate(self.board) if 0 < piece < mark]

    def settle(self) -> None:
        """Find what stands where, after the board was filled by hand."""
        board, bits, mark = self.board, self.plan.bits, self.plan.mark
        self.sets = sets = [0] * (self.plan.wall + 1)
        for square in filter(board.__getitem__, range(len(board))):
            sets[board[square]] |= bits[square]
        # No square is in two of the sets.
        self.own = [sum(sets[1:mark:2]), sum(sets[2:mark:2])]
        self.royals = (self._royals_of(0), self._royals_of(1))

    def _note_royals(self, act: Act) -> None:
        """Find the mover's royals after a move that changed them."""
        mover = ~act.piece & 1
        mine, others = self.royals[mover], self.royals[1 - mover]
        royal = self.plan.royal
        if len(mine) == 1 and act.origin in mine and royal[act.becomes]:
            mine = (act.target,)
        else:
            mine = self._royals_of(mover)
        self.royals = (others, mine) if mover else (mine, others)

    def _royals_of(self, side: int) -> tuple[int, ...]:
        there = 0
        for piece in self.plan.royal_pieces[side]:
            there |= self.sets[piece]
        if there & (there - 1):
            return tuple(squares_in(there))
        return (there.bit_length() - 1,) if there else ()

    def _carry(self, origin: int, target: int) -> None:
        """Move a castling partner."""
        piece = self.board[origin]
        both = self.plan.bits[origin] ^ self.plan.bits[target]
        self.board[origin] = 0
        self.board[target] = piece
        self.sets[piece] ^= both
        self.own[~piece & 1] ^= both

    def _count(self, act: Act) -> There:
        """Count a move of all pieces that it touches; the counts before, by square."""
        if act.origin < 0:
            before: list[tuple[int, int]] = [(act.target, self.made[act.target])]
            self.made[act.target] = self._fresh(act)
        else:
            before = self._count_moved(act)
        known = [square for square, _ in before]
        before += [(square, self.made[square]) for square, _ in act.changes if square not in known]
        for square, _ in act.changes:
            self.made[square] = UNKNOWN
        return before

    def _count_moved(self, act: Act) -> list[tuple[int, int]]:
        """Count a move, no drop, of the pieces that make it; the counts before, by square."""
        _, origin, target, _, captures, partner, _, _ = act
        made = self.made
        if origin == target and self.plan.is_pass(act):
            return []
        count = made[origin]
        before = [(origin, count), (target, made[target])]
        if partner or (captures and captures != (target,)):
            others = (*captures, *partner)
            before += [(square, made[square]) for square in others]
            for square in others:
                made[square] = UNKNOWN
        made[origin] = UNKNOWN
        made[target] = count + 1 if count >= 0 else one_more(count)
        if partner:
            made[partner[1]] = one_more(before[-2][1])
        return before

    def _fresh(self, act: Act) -> int:
        """The count of moves of a piece that is put down."""
        if self.plan.rules.drops_first == "yes":
            return 0
        return DROPPED if self.plan.starting.get(act.target) == act.piece else UNKNOWN


def one_more(count: int) -> int:
    """A count of moves after another move."""
    if count == UNKNOWN:
        return UNKNOWN
    return 1 if count == DROPPED else count + 1
