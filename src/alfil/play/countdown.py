"""Countdowns: in how many moves a side with little left must be mated, as in makruk."""

from __future__ import annotations

from typing import TypeAlias

from alfil.game.plan import Act
from alfil.game.position import Position

# In how many moves of both sides together one must be mated, 0 for none, and how many were made.
Count: TypeAlias = tuple[int, int]


def counted_on(position: Position, act: Act, before: Count) -> Count:
    """The countdown after a move that has been made.

    It begins when a line of the rule fits the side to move, and anew when a capture leaves that
    side alone. Who is left alone by its own capture begins at once.
    """
    limit, made = before
    side = position.turn
    alone = [position.own[each].bit_count() == 1 for each in (0, 1)]
    begins = (act.captures and alone[side]) or not limit
    if begins and (moves := _moves(position, side)):
        return moves, _before(position) if alone[side] else 0
    from_pieces = position.plan.rules.countdown_from == "pieces"
    if from_pieces and act.captures and alone[1 - side] and not limit:
        moves = _moves(position, 1 - side)
        return moves, max(0, _before(position) - 1) if moves else 0
    return limit, made + 1 if limit else 0


def _before(position: Position) -> int:
    """From where a countdown for a side that is alone begins."""
    pieces = (position.own[0] | position.own[1]).bit_count()
    return 2 * pieces if position.plan.rules.countdown_from == "pieces" else 0


def _moves(position: Position, side: int) -> int:
    """In how many moves of both sides a side must be mated as the pieces are, 0 for no limit."""
    plan, rules, sets = position.plan, position.plan.rules, position.sets
    barring = [plan.piece(code, each) for code in rules.countdown_without for each in (0, 1)]
    own, others = (position.own[each].bit_count() for each in (side, 1 - side))
    if others == 1 or any(sets[piece] for piece in barring):
        return 0
    for left, code, number, moves in rules.countdown:
        against = sets[plan.piece(code, 1 - side)].bit_count() if code else number
        if (not left or own <= left) and against >= number:
            return 2 * moves
    return 0
