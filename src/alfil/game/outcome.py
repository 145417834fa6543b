"""How a game ends: what a move or a position brings about, and repetition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from alfil.game.plan import Plan
from alfil.game.position import Position
from alfil.game.rules import in_check, loses
from alfil.game.variant import Goal, Rules, Win

Reason = Literal[
    "mate",
    "king-capture",
    "resignation",
    "illegal-move",
    "perpetual-check",
    "stalemate",
    "repetition",
    "impasse",
    "goal",
    "checks",
    "bare",
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner's side ("b", "w", or None for a draw) and the reason.

    ``detail`` is the code of an illegal move.
    """

    winner: str | None
    reason: Reason
    detail: str = ""


class Result(NamedTuple):
    """An outcome with the winner as a number, None for a draw."""

    winner: int | None
    reason: Reason


class Made(NamedTuple):
    """What is remembered of a move that was made: who made it, and whether it gave check."""

    side: int
    check: bool


def won_before(position: Position) -> Result | None:
    """Whether a side has given all the checks that it needs before the first move."""
    needed = position.plan.checks_to_win
    if not needed or max(position.checks) < needed:
        return None
    return Result(position.checks.index(max(position.checks)), "checks")


def lost_by(position: Position, captures: tuple[int, ...]) -> int | None:
    """The side that loses its royals by a move of the side to move that captures on these squares.

    Where both would, it is the other side: the move wins, whatever happens to the mover's own.
    """
    sides = (1 - position.turn, position.turn) if captures else ()
    return next((side for side in sides if loses(position, side, captures)), None)


def won_at_once(position: Position, made: Sequence[Made]) -> Result | None:
    """Whether the last move won by what it did other than to capture royals, or to mate."""
    mover = 1 - position.turn
    for win in position.plan.rules.win:
        if _wins(position, win, mover, made):
            reason: Reason = "mate" if win.how == "royal-capture" else win.how
            return Result(mover, reason)
    return None


def _wins(position: Position, win: Win, mover: int, made: Sequence[Made]) -> bool:
    match win.how:
        case "goal":
            goal = position.plan.rules.goal
            return goal is not None and _in_goal(position, goal, mover)
        case "checks":
            return checks_given(position, made)[mover] >= win.times
        case "bare":
            return _is_bare(position, 1 - mover)
        case _:
            return False


def checks_given(position: Position, made: Iterable[Made]) -> tuple[int, int]:
    """How many checks the first and the second side have given."""
    first, second = position.checks
    checking = [each.side for each in made if each.check]
    return first + checking.count(0), second + checking.count(1)


def _in_goal(position: Position, goal: Goal, mover: int) -> bool:
    """A piece stands in the goal; a royal one only counts if it cannot be captured at once."""
    plan = position.plan
    wanted = plan.piece(goal.code, mover)
    low, high = goal.ranks
    there = any(
        piece == wanted and low <= plan.owner_rank(square, mover) <= high
        for square, piece in enumerate(position.board)
    )
    return there and not (plan.royal[wanted] and in_check(position, mover))


def _is_bare(position: Position, side: int) -> bool:
    royal = position.plan.royal
    others = any(p and (p - 1) % 2 == side and not royal[p] for p in position.board)
    return not others and not any(position.hands[side])


def mates(rules: Rules) -> bool:
    """Whether a side in check that has no legal move has lost.

    Where royals are captured to win and check is barred, all its moves would let that happen.
    """
    ways = {win.how for win in rules.win}
    return "mate" in ways or ("royal-capture" in ways and rules.self_check == "barred")


def no_moves(position: Position) -> Result:
    """What it means that the side to move has no legal move."""
    side, rules = position.turn, position.plan.rules
    if mates(rules) and in_check(position, side):
        return Result(1 - side, "mate")
    match rules.stalemate:
        case "draw":
            return Result(None, "stalemate")
        case "loss":
            return Result(1 - side, "stalemate")
        case "win":
            return Result(side, "stalemate")


def repeated(plan: Plan, keys: Sequence[int], made: Sequence[Made]) -> Result | None:
    """What the last of these positions does as one that has occurred before.

    ``keys`` are the positions of the game so far, the first included; ``made`` the moves between
    them.
    """
    rule = plan.rules.repetition
    if rule is None:
        return None
    before = [index for index, key in enumerate(keys) if key == keys[-1]]
    if len(before) < rule.times:
        return None
    since = before[0] if plan.rules.perpetual_span == "first" else before[-2]
    checking = checking_throughout(made[since:])
    if plan.rules.perpetual_check != "allowed" and checking:
        return _perpetual(plan.rules, checking)
    match rule.result:
        case "draw":
            return Result(None, "repetition")
        case "loss-first":
            return Result(1, "repetition")
        case "loss-repeater":
            return Result(1 - made[-1].side, "repetition")


def _perpetual(rules: Rules, checking: tuple[int, ...]) -> Result:
    """What perpetual check does; where both sides gave it, the game is a draw."""
    if len(checking) > 1:
        return Result(None, "repetition")
    if rules.perpetual_check == "draw":
        return Result(None, "perpetual-check")
    return Result(1 - checking[0], "perpetual-check")


def checking_throughout(made: Sequence[Made]) -> tuple[int, ...]:
    """The sides of which every move among these gave check.

    >>> checking_throughout([Made(0, True), Made(1, False), Made(0, True), Made(1, True)])
    (0,)
    """
    sides = [side for side in (0, 1) if any(each.side == side for each in made)]
    return tuple(s for s in sides if all(each.check for each in made if each.side == s))


def royals_in_zone(position: Position) -> bool:
    """Whether all royals of both sides stand in their promotion zones."""
    plan = position.plan
    return all(plan.zone[side][square] for side in (0, 1) for square in position.royals[side])


def points(position: Position, side: int) -> int:
    """What a side's pieces in its zone and in hand count where an impasse is counted.

    A piece that runs without limit in four directions or more counts five, any other one; royal
    pieces count nothing.
    """
    plan = position.plan
    total = 0
    for square, piece in enumerate(position.board):
        own = piece and (piece - 1) % 2 == side
        if own and plan.zone[side][square] and not plan.royal[piece]:
            total += plan.worth(piece)
    return total + sum(
        count * plan.worth(1 + 2 * kind + side)
        for kind, count in enumerate(position.hands[side])
        if count
    )
