"""Perpetual chases: which enemy pieces moves newly threaten to take, as xiangqi reckons it."""

from __future__ import annotations

from alfil.game.plan import Act
from alfil.game.playing import Played
from alfil.game.run import Proposal
from alfil.game.structs import LEGAL


def chasing_throughout(played: Played, since: int) -> tuple[int, ...]:
    """The sides that chased one and the same piece with each of their moves after so many."""
    played = played.copy()
    # By the side that chases, the pieces that all its moves chased, by where they stood then.
    chased: list[set[int] | None] = [None, None]
    while len(played.made) > since:
        side, act = 1 - played.turn, played.made[-1]
        threats = _threats(played)
        played.unmake()
        found = {taken for _, taken in threats - _attacks_before(played, act)}
        known, others = chased[side], chased[1 - side]
        chased[side] = found if known is None else known & found
        if others is not None:
            chased[1 - side] = {act.origin if at == act.target else at for at in others}
    return tuple(side for side in (0, 1) if chased[side])


def _attacks_before(played: Played, act: Act) -> set[tuple[int, int]]:
    """Who could take what before a move, pins aside, each by where it stands after the move."""
    return {
        (act.target if square == act.origin else square, taken)
        for square in played.squares_of(played.turn)
        for each in played.proposed(square)
        for taken in each.act.captures
    }


def _threats(played: Played) -> set[tuple[int, int]]:
    """Who among the pieces of the side that has moved could take what to advantage, by squares."""
    victims = played.turn
    # What checks already is no reason why a piece should not be protected.
    checking = {*played.checkers(victims)}
    with played.turned():
        return {
            (square, taken)
            for square in played.squares_of(1 - victims)
            if _chases(played, square)
            for each in played.proposed(square)
            if each.act.captures and each.reason == LEGAL
            for taken in each.act.captures
            if _may_be_chased(played, taken) and _gains(played, each, taken, checking)
        }


def _chases(played: Played, square: int) -> bool:
    plan, piece = played.plan, played.piece_on(square)
    return not plan.royal[piece] and plan.kinds[(piece - 1) >> 1].chases == "yes"


def _may_be_chased(played: Played, square: int) -> bool:
    plan, piece = played.plan, played.piece_on(square)
    area = plan.kinds[(piece - 1) >> 1].chased_in
    inside = area is None or plan.area(area, (piece - 1) % 2) & plan.bits[square]
    return bool(inside) and not plan.royal[piece]


def _gains(played: Played, attack: Proposal, taken: int, checking: set[int]) -> bool:
    """Whether a capture takes more than it may lose: a better piece, or one without protection.

    A piece that counts as much, and could take what attacks it, is offered an exchange.
    """
    act, worth = attack.act, played.plan.worth
    gain = worth(played.piece_on(taken)) - worth(act.piece)
    if gain > 0:
        return True
    if gain == 0:
        with played.turned():
            if _may_take(played, [taken], act.origin, checking):
                return False
    with played.tried(attack):
        own = played.squares_of(played.turn)
        return not _may_take(played, own, act.target, checking)


def _may_take(played: Played, squares: list[int], target: int, checking: set[int]) -> bool:
    """Whether a piece of the side to move on one of some squares may take what is on another."""
    return any(
        each.reason == LEGAL or (checking and _opens_nothing(played, each, checking))
        for square in squares
        for each in played.proposed(square)
        if target in each.act.captures
    )


def _opens_nothing(played: Played, proposal: Proposal, checking: set[int]) -> bool:
    """Whether a move leaves no royal open but to what gave check before."""
    with played.tried(proposal):
        return {*played.checkers(1 - played.turn)} <= checking
