"""Why a piece cannot go where it is sent: what is in its way or missing, or what it would lose.

Nothing here knows how a piece moves. Pieces are taken off and put on the board, and the moves that
there are then tell what it was: so it holds for riders, lame leapers, hoppers and paths of any
number of legs.
"""

from __future__ import annotations

from collections.abc import Iterable

from alfil.english.words import listed
from alfil.game.plan import Act, Plan
from alfil.game.position import Position
from alfil.game.rules import castling_risks, exposes, gone, loses, plain_acts

# Where more pieces stand than that, those far from the way are not looked at.
MANY = 60
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
    plan, standing = position.plan, position.board[target]
    if standing == plan.wall:
        return "there is a wall" if tried.can({target: 0}) else ""
    if standing and tried.can({target: 0}):
        others = range(2 - position.turn, plan.mark, 2)
        if any(tried.can({target: piece}) for piece in others if piece != standing):
            return f"it does not capture the {plan.kinds[(standing - 1) >> 1].name} there"
        return "it does not capture there"
    foe = _any_piece(plan, 1 - position.turn)
    if not standing and tried.can({target: foe}):
        return "it goes there only to capture"
    return tried.missing(foe)


def peril(position: Position, act: Act) -> str:
    """How a move costs its own side a royal, empty where that is simply open to capture after it.

    The move must be one that is illegal for what becomes of its own royals.
    """
    plan, side = position.plan, position.turn
    if loses(position, side, gone(act)):
        return "its own side would lose its royal by that"
    risks = castling_risks(position, act) if act.partner else ()
    for square in risks:
        if square == act.origin:
            return "it does not castle out of check"
        return f"it would pass {plan.name(square)}, where it could be captured"
    gate = plan.gate_of(act)
    if gate and not exposes(position, act):
        name = plan.kinds[(gate[1] - 1) >> 1].name
        return f"the {name} left behind neither ends a check nor shields a royal"
    return ""


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
        return bool(self._acts(changed))

    def _acts(self, changed: dict[int, int]) -> list[Act]:
        """All forms of the move once pieces stand otherwise."""
        board = self._position.board
        before = {square: board[square] for square in changed}
        for square, piece in changed.items():
            board[square] = piece
        try:
            acts = plain_acts(self._position, self._origin)
            return [act for act in acts if act.target == self._target]
        finally:
            for square, piece in before.items():
                board[square] = piece

    def blocking(self) -> list[int]:
        """Pieces without which there is the move, and with any of which there is not.

        Of several such sets it is one of a single piece, or one of pieces that are near.
        """
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

    def missing(self, foe: int) -> str:
        """What a piece on one more square would be to the move; empty where none makes it."""
        board, plan = self._position.board, self._position.plan
        pieces = (foe, _any_piece(plan, self._position.turn))
        for square in self._squares if plan.size <= SQUARES else ():
            for piece in pieces if not board[square] else ():
                acts = [act for act in self._acts({square: piece}) if not act.partner]
                if acts and all(square in act.captures for act in acts):
                    return "there is nothing to capture on the way"
                if acts:
                    return "there is nothing to jump over"
        return ""

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
    words = [_named(position, origin, square) for square in blocking]
    return f"{listed(words, 'and')} {'is' if len(words) == 1 else 'are'} in the way"


def _named(position: Position, origin: int, square: int) -> str:
    plan, piece = position.plan, position.board[square]
    if piece == plan.wall:
        return f"the wall on {plan.name(square)}"
    own = (piece - 1) % 2 == (position.board[origin] - 1) % 2
    whose = "its own" if own else "the other side's"
    return f"{whose} {plan.kinds[(piece - 1) >> 1].name} on {plan.name(square)}"
