"""All legal moves of a position the slow way: each is made, looked at and unmade.

What one piece may do, and why one move is illegal, is what the game tells whoever tries an illegal
move; nothing is read off lines or marks here.
"""

from __future__ import annotations

from alfil.game.legal import drop_fault  # engines compared
from alfil.game.plan import Act  # engines compared
from alfil.game.position import Position  # engines compared
from alfil.game.rules import acts_of, fault, forms, loses  # engines compared


def legal_acts(position: Position) -> list[Act]:
    """By square, then drops by kind and square."""
    found = []
    side, plan = position.turn, position.plan
    for square, piece in enumerate(position.board[:]):
        if piece and (piece - 1) % 2 == side:
            for plain in acts_of(position, square):
                found += [act for act in forms(position, plain) if fault(position, act) is None]
    if plan.rules.drops == "yes":
        pieces = {
            piece: None
            for kind, count in enumerate(position.hands[side])
            if count
            for piece in plan.drop_forms(kind, side)
        }
        drops = [Act(piece, -1, s, piece) for piece in pieces for s in plan.drop_squares(piece)]
        found += [act for act in drops if drop_fault(position, act) is None]
    return found


def perft(position: Position, depth: int) -> int:
    """The number of sequences of legal moves; the capture of a royal ends one."""
    acts = legal_acts(position)
    if depth == 1:
        return len(acts)
    total = 0
    for act in acts:
        ends = any(loses(position, side, act.captures) for side in (0, 1) if act.captures)
        if not ends:
            undo = position.make(act)
            total += perft(position, depth - 1)
            position.unmake(undo)
    return total
