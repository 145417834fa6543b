"""All legal moves of a position the slow way: each is made, looked at and unmade.

What one piece may do, and why one move is illegal, is what the game tells whoever tries an illegal
move; nothing is read off lines or marks here.
"""

from __future__ import annotations

from alfil.game import legal, plan, rules  # engines compared


def legal_acts(position: rules.Position) -> list[plan.Act]:
    """By square, then drops by kind and square."""
    found = []
    side, laid_out = position.turn, position.plan
    for square, piece in enumerate(position.board[:]):
        if piece and (piece - 1) % 2 == side:
            for plain in rules.acts_of(position, square):
                found += [
                    act
                    for act in rules.forms(position, plain)
                    if rules.fault(position, act) is None
                ]
    if laid_out.rules.drops == "yes":
        pieces = {
            piece: None
            for kind, count in enumerate(position.hands[side])
            if count
            for piece in laid_out.drop_forms(kind, side)
        }
        drops = [
            plan.Act(piece, -1, s, piece) for piece in pieces for s in laid_out.drop_squares(piece)
        ]
        found += [act for act in drops if legal.drop_fault(position, act) is None]
    return found


def perft(position: rules.Position, depth: int) -> int:
    """The number of sequences of legal moves; the capture of a royal ends one."""
    acts = legal_acts(position)
    if depth == 1:
        return len(acts)
    total = 0
    for act in acts:
        ends = any(rules.loses(position, side, act.captures) for side in (0, 1) if act.captures)
        if not ends:
            undo = position.make(act)
            total += perft(position, depth - 1)
            position.unmake(undo)
    return total
