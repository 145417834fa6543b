"""What pieces are worth to a player that knows nothing of a game but how its pieces move.

A piece is worth the moves it has, on average, from some squares of boards that hold some pieces at
random; captures, hops and first moves are counted with everything else. What a piece may become
adds part of what that is worth.
"""

from __future__ import annotations

from random import Random

from alfil.game.moving import acts_of
from alfil.game.plan import Plan
from alfil.game.position import UNKNOWN, Position

# Squares looked at for a piece, boards for each, how many of their squares are taken.
SQUARES, BOARDS, TAKEN = 25, 3, 0.3
# A move is worth so much; so much of what promotion brings is counted before it has happened.
MOVE, HOPE = 100, 0.1
# A royal that may be lost, because others remain.
SPARE = 500
# A piece in hand may appear anywhere, so it is worth a little more.
IN_HAND = 1.1


class Worth:
    """The worth of each piece on the board and in hand, by the numbers of a plan.

    ``mark`` is where none stands: 0.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._boards = [_filled(plan, Random(number)) for number in range(BOARDS)]
        self._places: dict[int, int] = {}
        mobility = [0.0] + [self._mobility(piece) for piece in range(1, plan.mark)]
        self.mobility = mobility
        self.board = [0] + [self._worth(piece) for piece in range(1, plan.mark)]
        held = plan.rules.captured == "to-hand"
        self.hand = [0] + [
            round(IN_HAND * self.board[1 + 2 * plan.base[p] + (p - 1) % 2]) if held else 0
            for p in range(1, plan.mark)
        ]
        # What a capture gains: the piece is off the board, and perhaps in hand.
        self.swing = [0] + [self.board[p] + self.hand[p] for p in range(1, plan.mark)]

    def place(self, piece: int, square: int) -> int:
        """How much more a piece is worth on a square than elsewhere; a royal is not drawn out."""
        key = piece * self._plan.size + square
        found = self._places.get(key)
        if found is None:
            found = 0
            if not self._plan.royal[piece]:
                here = self._moves(piece, square) / BOARDS
                found = round(MOVE * (here - self.mobility[piece]) / 10)
            self._places[key] = found
        return found

    def _worth(self, piece: int) -> int:
        plan = self._plan
        own = self.mobility[piece]
        best = max((self.mobility[form] for form in plan.forms(piece)), default=own)
        spare = SPARE if plan.royal[piece] else 0
        return spare + round(MOVE * (own + HOPE * max(0.0, best - own)))

    def _mobility(self, piece: int) -> float:
        size = self._plan.size
        squares = [each * size // SQUARES for each in range(SQUARES)] if size > SQUARES else ()
        looked_at = squares or range(size)
        return sum(self._moves(piece, each) for each in looked_at) / len(looked_at) / BOARDS

    def _moves(self, piece: int, square: int) -> int:
        """The moves of a piece from a square, on all the boards together."""
        total = 0
        for position in self._boards:
            board = position.board
            before, board[square] = board[square], piece
            total += len(acts_of(position, square))
            board[square] = before
        return total


def _filled(plan: Plan, chance: Random) -> Position:
    """A board with some pieces of both sides; none of them is royal."""
    position = Position(plan)
    common = [p for p in range(1, plan.mark) if not plan.royal[p]]
    for square in range(plan.size):
        if common and chance.random() < TAKEN:
            position.board[square] = chance.choice(common)
    position.made = [UNKNOWN] * plan.size
    return position
