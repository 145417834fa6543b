"""Why a drop is illegal, but for one that mates."""

from __future__ import annotations

from collections.abc import Callable

from alfil.game.compiled_variant import EngineMove
from slow_engine.effects import turned_by
from slow_engine.position import Position
from slow_engine.rules import attacks_royal, facing, gives_check, leaves_open


def crowds_a_file(position: Position, act: EngineMove) -> bool:
    """Whether there are as many of the piece on the file as may be dropped there."""
    if "file" not in position.plan.drop_rules[act.piece]:
        return False
    there = position.count(act.piece, act.target % position.plan.files)
    return there >= position.plan.kinds[(act.piece - 1) >> 1].per_file


def checks_otherwise(position: Position, act: EngineMove) -> bool:
    """Whether the piece gives check where it may not, or gives none where it must."""
    asked = position.plan.kinds[(act.piece - 1) >> 1].drop_check
    if asked == "free":
        return False
    return attacks_royal(position.after(act), act.target) != (asked == "required")


def is_out_of_place(position: Position, act: EngineMove) -> bool:
    """Whether a drop is outside the opening while that lasts, or touches not what it must then."""
    compiled, board, side = position.plan, position.board, position.turn
    if "drop-place" not in compiled.drop_rules[act.piece]:
        return False
    opening = [
        square
        for square in range(compiled.size)
        if compiled.opening_drop_square_bits[side] >> square & 1
    ]
    if not all(board[square] for square in opening):
        return act.target not in opening
    owners, cells = position.owners, position.cells(act.piece, act.target)
    around = {each for cell in cells for each in compiled.neighbours[cell]}
    beside = {owners[each] for each in around & owners.keys()} & {*position.squares_of(side)}
    if compiled.rules.drop_beside == "own" and not beside:
        return True
    alone = EngineMove(act.piece, -1, act.target, act.piece)
    return compiled.rules.flip == "enclosed" and not turned_by(position, alone)


def fills_a_colour(position: Position, act: EngineMove) -> bool:
    """Whether too few squares of a colour would be left for what is in hand and limited on it."""
    compiled, side = position.plan, position.turn
    for number, limit in enumerate(kind.per_colour for kind in compiled.kinds):
        piece, left = 1 + 2 * number + side, 0
        board = position.board[:]
        board[act.target] = act.piece
        for colour in compiled.colours if limit else ():
            squares = [square for square in range(compiled.size) if colour >> square & 1]
            there = [square for square in squares if board[square] == piece]
            room = [s for s in squares if not board[s] and s in compiled.drop_squares(piece)]
            if len(there) > limit:
                return True
            left += min(limit - len(there), len(room))
        if limit and left < position.hands[side][number] - (act.piece == piece):
            return True
    return False


def keeps_facing(position: Position, act: EngineMove) -> bool:
    """Whether royals that face each other do so after a move, too, which must end that."""
    bikjang = position.plan.rules.facing == "bikjang"
    return bikjang and facing(position) and facing(position.after(act))


def gives_barred_check(position: Position, act: EngineMove) -> bool:
    """Whether a drop gives check where no move may."""
    return position.plan.rules.giving_check == "barred" and gives_check(position, act)


def leaves_own_open(position: Position, act: EngineMove) -> bool:
    """Whether a royal of its own side could be captured after a drop."""
    return position.plan.rules.self_check == "barred" and leaves_open(position, act)


# Whether a drop breaks a rule, by the code of the rule.
BREAKS: dict[str, Callable[[Position, EngineMove], bool]] = {
    "file": crowds_a_file,
    "drop-check": checks_otherwise,
    "drop-place": is_out_of_place,
    "drop-colour": fills_a_colour,
    "facing": keeps_facing,
    "giving-check": gives_barred_check,
    "self-check": leaves_own_open,
}
