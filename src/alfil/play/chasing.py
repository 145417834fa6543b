"""Perpetual chases: which enemy pieces moves newly threaten to take, as xiangqi reckons it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alfil.game.plan import Act, squares_in
from alfil.game.position import NO_TRAIL, Position, Undo
from alfil.game.rules import acts_of, attacks_royal, fault


def chasing_throughout(position: Position, undos: Sequence[Undo]) -> tuple[int, ...]:
    """The sides that chased one and the same piece with each of their moves among some.

    ``undos`` take them back, the latest last; the position is that after them, and stays as it is.
    """
    position = position.copy()
    # By the side that chases, the pieces that all its moves chased, by where they stood then.
    chased: list[set[int] | None] = [None, None]
    for undo in reversed(undos):
        side, act = 1 - position.turn, undo[0]
        threats = _threats(position)
        position.unmake(undo)
        found = {taken for _, taken in threats - _attacks_before(position, act)}
        known, others = chased[side], chased[1 - side]
        chased[side] = found if known is None else known & found
        if others is not None:
            chased[1 - side] = {act.origin if at == act.target else at for at in others}
    return tuple(side for side in (0, 1) if chased[side])


def _attacks_before(position: Position, act: Act) -> set[tuple[int, int]]:
    """Who could take what before a move, pins aside, each by where it stands after the move."""
    attacks = [each for square in _own(position) for each in acts_of(position, square)]
    return {
        (act.target if each.origin == act.origin else each.origin, taken)
        for each in attacks
        for taken in each.captures
    }


def _threats(position: Position) -> set[tuple[int, int]]:
    """Who among the pieces of the side that has moved could take what to advantage, by squares."""
    trail, victims = position.trail, position.turn
    # What checks already is no reason why a piece should not be protected.
    checking = _checking(position, victims)
    position.turn, position.trail = 1 - victims, NO_TRAIL
    found = {
        (act.origin, taken)
        for square in _own(position)
        if _chases(position, square)
        for act in acts_of(position, square)
        if act.captures and fault(position, act) is None
        for taken in act.captures
        if _may_be_chased(position, taken) and _gains(position, act, taken, checking)
    }
    position.turn, position.trail = victims, trail
    return found


def _own(position: Position) -> Iterator[int]:
    """The squares of the side to move."""
    return iter(squares_in(position.own[position.turn]))


def _chases(position: Position, square: int) -> bool:
    piece = position.board[square]
    return not position.plan.royal[piece] and position.plan.kinds[(piece - 1) >> 1].chases == "yes"


def _may_be_chased(position: Position, square: int) -> bool:
    plan, piece = position.plan, position.board[square]
    area = plan.kinds[(piece - 1) >> 1].chased_in
    inside = area is None or plan.area(area, (piece - 1) % 2) & plan.bits[square]
    return bool(inside) and not plan.royal[piece]


def _gains(position: Position, act: Act, taken: int, checking: set[int]) -> bool:
    """Whether a capture takes more than it may lose: a better piece, or one without protection.

    A piece that counts as much, and could take what attacks it, is offered an exchange.
    """
    worth, board = position.plan.worth, position.board
    gain = worth(board[taken]) - worth(act.piece)
    if gain > 0:
        return True
    position.turn = 1 - position.turn
    offered = gain == 0 and _may_take(position, [taken], act.origin, checking)
    position.turn = 1 - position.turn
    if offered:
        return False
    undo = position.make(act)
    protected = _may_take(position, _own(position), act.target, checking)
    position.unmake(undo)
    return not protected


def _may_take(
    position: Position, squares: Sequence[int] | Iterator[int], target: int, checking: set[int]
) -> bool:
    """Whether a piece of the side to move on one of some squares may take what is on another."""
    return any(
        fault(position, act) is None or (checking and _opens_nothing(position, act, checking))
        for square in squares
        for act in acts_of(position, square)
        if target in act.captures
    )


def _opens_nothing(position: Position, act: Act, checking: set[int]) -> bool:
    """Whether a move leaves no royal open but to what gave check before."""
    undo = position.make(act)
    found = _checking(position, 1 - position.turn)
    position.unmake(undo)
    return found <= checking


def _checking(position: Position, side: int) -> set[int]:
    """The squares of the pieces that give check to a side."""
    enemies = squares_in(position.own[1 - side])
    return {square for square in enemies if attacks_royal(position, square)}
