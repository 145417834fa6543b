"""Why a piece cannot go where it is sent: what is in its way or missing.

Nothing here knows how a piece moves. Pieces are taken off and put on the board, and the moves that
there are then tell what it was: so it holds for riders, lame leapers, hoppers and paths of any
number of legs.
"""

from __future__ import annotations

from collections.abc import Iterable

from alfil.errors import listed
from alfil.game.plan import Plan
from alfil.game.playing import Played
from alfil.game.structs import GOES, TAKES

# Where more pieces stand than that, those far from the way are not looked at.
MANY = 60
# What is missing is looked for on boards of so many squares.
SQUARES = 200


def obstacle(played: Played, origin: int, target: int) -> str:
    """What keeps the piece on a square from going to another one; empty where nothing tells."""
    tried = _Tried(played, origin, target)
    blocking = tried.blocking()
    if blocking:
        return _listed(played, origin, blocking)
    plan = played.plan
    standing = played.piece_on(target) if target != origin else 0
    if standing == plan.wall:
        return "there is a wall" if tried.can({target: 0}) else ""
    if standing and tried.can({target: 0}):
        others = range(2 - played.turn, plan.wall, 2)
        if any(tried.can({target: piece}) for piece in others if piece != standing):
            return f"it does not capture the {plan.kinds[(standing - 1) >> 1].name} there"
        return "it does not capture there"
    foe = _any_piece(plan, 1 - played.turn)
    if not standing and target != origin and tried.can({target: foe}):
        return "it goes there only to capture"
    return tried.missing(foe)


class _Tried:
    """A move tried on other boards than that of the position."""

    def __init__(self, played: Played, origin: int, target: int) -> None:
        self._played = played
        self._origin, self._target = origin, target
        plan = played.plan
        # From the nearest to the farthest.
        away = sorted(range(plan.size), key=lambda square: _distance(plan, origin, square))
        self._squares = [square for square in away if square not in {origin, target}]

    def can(self, changed: dict[int, int]) -> bool:
        """Whether the move can be made once pieces stand otherwise, 0 for none."""
        return bool(self._ways(changed))

    def _ways(self, changed: dict[int, int]) -> int:
        """How the move could be made once pieces stand otherwise; see `Run.could_go`."""
        return self._played.could_go(self._origin, self._target, changed)

    def blocking(self) -> list[int]:
        """Pieces without which there is the move, and with any of which there is not.

        Of several such sets it is one of a single piece, or one of pieces that are near.
        """
        standing = [
            square
            for square in self._squares
            if self._played.piece_on(square) and self._played.own_square(square) == square
        ]
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

    def missing(self, foe: int) -> str:
        """What a piece on one more square would be to the move; empty where none makes it."""
        plan, turn = self._played.plan, self._played.turn
        pieces = (foe, _any_piece(plan, turn))
        for square in self._squares if plan.size <= SQUARES else ():
            for piece in pieces if not self._played.piece_on(square) else ():
                ways = self._ways({square: piece})
                if ways & GOES:
                    return "there is nothing to jump over"
                if ways & TAKES:
                    return "there is nothing to capture on the way"
        return ""

    def _is_between(self, square: int) -> bool:
        plan = self._played.plan
        ends = plan.at(self._origin), plan.at(self._target)
        pairs = zip(plan.at(square), *ends, strict=True)
        return all(min(ends) - 1 <= at <= max(ends) + 1 for at, *ends in pairs)


def _distance(plan: Plan, one: int, other: int) -> int:
    return max(abs(a - b) for a, b in zip(plan.at(one), plan.at(other), strict=True))


def _any_piece(plan: Plan, side: int) -> int:
    """A piece of a side that is not royal, if there is one."""
    pieces = range(1 + side, 1 + 2 * len(plan.kinds), 2)
    return next((piece for piece in pieces if not plan.royal[piece]), 1 + side)


def _listed(played: Played, origin: int, blocking: Iterable[int]) -> str:
    words = [_named(played, origin, square) for square in blocking]
    return f"{listed(words, 'and')} {'is' if len(words) == 1 else 'are'} in the way"


def _named(played: Played, origin: int, square: int) -> str:
    plan, piece = played.plan, played.piece_on(square)
    if piece == plan.wall:
        return f"the wall on {plan.name(square)}"
    own = (piece - 1) % 2 == (played.piece_on(origin) - 1) % 2
    whose = "its own" if own else "the other side's"
    return f"{whose} {plan.kinds[(piece - 1) >> 1].name} on {plan.name(square)}"
