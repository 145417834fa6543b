"""Why a piece cannot go where it is sent: what stands in its way, or what is missing there.

Nothing here knows how a piece moves. Pieces are taken off and put on the board, and the moves that
there are then tell what it was: so it holds for riders, lame leapers, hoppers and paths of any
number of legs.
"""

from __future__ import annotations

from collections.abc import Iterable

from alfil.game.plan import Plan
from alfil.game.position import Position
from alfil.game.rules import plain_acts

# Where more pieces stand than that, those far from the way are not looked at.
MANY = 60
# So many are named.
NAMED = 3
# What is missing is looked for on boards of so many squares.
SQUARES = 200


def obstacle(position: Position, origin: int, target: int) -> str:
    """What keeps the piece on a square from going to another one; empty where nothing tells.

    The board is as it was afterwards.
    """
    tried = _Tried(position, origin, target)
    blocking = tried.blocking()
    if blocking:
        return _listed(position, origin, blocking)
    standing = position.board[target]
    if standing and tried.can({target: 0}):
        return "it does not capture there"
    foe = _any_piece(position.plan, 1 - position.turn)
    if not standing and tried.can({target: foe}):
        return "it goes there only to capture"
    return "there is nothing to jump over" if tried.lacks_hurdle(foe) else ""


class _Tried:
    """A move tried on other boards than that of the position."""

    def __init__(self, position: Position, origin: int, target: int) -> None:
        self._position = position
        self._origin, self._target = origin, target
        plan = position.plan
        # From the nearest to the farthest.
        away = sorted(range(plan.size), key=lambda square: _distance(plan, origin, square))
        self._squares = [square for square in away if square not in {origin, target}]

    def can(self, changed: dict[int, int]) -> bool:
        """Whether the move can be made once pieces stand otherwise, 0 for none."""
        board = self._position.board
        before = {square: board[square] for square in changed}
        for square, piece in changed.items():
            board[square] = piece
        try:
            acts = plain_acts(self._position, self._origin)
            return any(act.target == self._target for act in acts)
        finally:
            for square, piece in before.items():
                board[square] = piece

    def blocking(self) -> list[int]:
        """The fewest pieces, those far away first left out, without which there is the move."""
        standing = [square for square in self._squares if self._position.board[square]]
        if len(standing) > MANY:
            standing = [square for square in standing if self._is_between(square)]
        for square in standing:
            if self.can({square: 0}):
                return [square]
        gone = dict.fromkeys(standing, 0)
        if not self.can(gone):
            return []
        for square in reversed(standing):
            fewer = {each: 0 for each in gone if each != square}
            if self.can(fewer):
                gone = fewer
        return [*gone]

    def lacks_hurdle(self, foe: int) -> bool:
        """Whether there is the move once a piece stands on one more square."""
        board, size = self._position.board, self._position.plan.size
        empty = [square for square in self._squares if not board[square]]
        pieces = (foe, _any_piece(self._position.plan, self._position.turn))
        return size <= SQUARES and any(
            self.can({square: piece}) for square in empty for piece in pieces
        )

    def _is_between(self, square: int) -> bool:
        plan = self._position.plan
        ends = plan.at(self._origin), plan.at(self._target)
        pairs = zip(plan.at(square), *ends, strict=True)
        return all(min(ends) - 1 <= at <= max(ends) + 1 for at, *ends in pairs)


def _distance(plan: Plan, one: int, other: int) -> int:
    return max(abs(a - b) for a, b in zip(plan.at(one), plan.at(other), strict=True))


def _any_piece(plan: Plan, side: int) -> int:
    """A piece of a side that is not royal, if there is one."""
    pieces = range(1 + side, 1 + 2 * len(plan.kinds), 2)
    return next((piece for piece in pieces if not plan.royal[piece]), 1 + side)


def _listed(position: Position, origin: int, blocking: Iterable[int]) -> str:
    plan, board = position.plan, position.board
    side = (board[origin] - 1) % 2
    squares = [square for square in blocking if (board[square] - 1) >> 1 < len(plan.kinds)]
    whose = ("its own", "the other side's")
    words = [
        f"{whose[(board[square] - 1) % 2 != side]} {plan.kinds[(board[square] - 1) >> 1].name} "
        f"on {plan.name(square)}"
        for square in squares[:NAMED]
    ]
    if not words:
        return ""
    return f"{' and '.join(words)} {'is' if len(words) == 1 else 'are'} in the way"
