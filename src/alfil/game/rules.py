"""The rules of a game in a position: check, what is legal, and why something is not.

Moves are made, looked at and unmade. `alfil.game.swift` gets the same answers faster where all
pieces of a game allow it.
"""

from __future__ import annotations

from collections.abc import Iterator

from alfil.game.moving import acts_of
from alfil.game.position import Act, Position

# The reasons for which a move is illegal, as R2 of the rules names them.
FILE, SELF_CHECK, PROMOTION = "file", "self-check", "promotion"
NOT_IN_HAND, OCCUPIED = "not-in-hand", "occupied"
DROP_ZONE, DROP_RANK, DROP_CHECK, DROP_MATE = "drop-zone", "drop-rank", "drop-check", "drop-mate"


def in_check(position: Position, side: int) -> bool:
    """Whether the other side could capture so that this side's game is lost."""
    if not position.royals[side]:
        return False
    plan = position.plan
    seen, size = plan.seen, plan.size
    royals = _set(position.royals[side])
    # What passes over a trail may take a piece that it does not look at.
    everywhere = -1 if position.trail and position.turn != side else 0
    for square, piece in enumerate(position.board):
        if piece and piece & 1 == side:
            looks = seen.get(piece * size + square)
            if looks is None:
                looks = plan.look(piece, square)
            if (looks | everywhere) & royals and _hits_royal(position, square):
                return True
    return False


def attacks_royal(position: Position, square: int) -> bool:
    """Whether the piece on a square could capture so that the other side's game is lost."""
    enemy = position.board[square] & 1
    return bool(position.royals[enemy]) and _hits_royal(position, square)


def _hits_royal(position: Position, square: int) -> bool:
    enemy = position.board[square] & 1
    return any(
        act.captures
        and loses(position, enemy, act.captures)
        and any(obeys_file(position, each) for each in forms(position, act))
        for act in acts_of(position, square)
    )


def _set(squares: tuple[int, ...]) -> int:
    found = 0
    for square in squares:
        found |= 1 << square
    return found


def loses(position: Position, side: int, captures: tuple[int, ...]) -> bool:
    """Whether a side whose pieces on these squares are captured has lost its royals."""
    survive, board = position.plan.survive, position.board
    spared = taken = 0
    for square in position.royals[side]:
        if square not in captures:
            spared += survive[board[square]] == "all"
        elif survive[board[square]] == "any":
            return True
        else:
            taken += 1
    return taken > 0 and not spared


def forms(position: Position, act: Act) -> Iterator[Act]:
    """A move with everything its piece may be afterwards."""
    piece, origin, target = act.piece, act.origin, act.target
    for form in position.plan.becomes(piece, origin, target, captures=bool(act.captures)):
        yield act if form == piece else act._replace(becomes=form)


def obeys_file(position: Position, act: Act) -> bool:
    """Whether a move onto another file leaves room for the piece there (R7)."""
    plan = position.plan
    limit = plan.file_limit[act.becomes]
    if not limit or act.origin % plan.files == act.target % plan.files:
        return True
    return _on_file(position, act.becomes, act.target, act.captures) < limit


def _on_file(position: Position, piece: int, target: int, captures: tuple[int, ...] = ()) -> int:
    files, board = position.plan.files, position.board
    squares = range(target % files, position.plan.size, files)
    return sum(1 for s in squares if board[s] == piece and s not in captures)


def legal_acts(position: Position) -> list[Act]:
    """All legal moves in one fixed order: by square, then drops by kind and square."""
    found = []
    side = position.turn
    for square, piece in enumerate(position.board[:]):
        if piece and (piece - 1) % 2 == side:
            for plain in acts_of(position, square):
                found += [act for act in forms(position, plain) if fault(position, act) is None]
    if position.plan.rules.drops == "yes":
        found += [act for act in drops(position) if drop_fault(position, act) is None]
    return found


def has_legal_act(position: Position) -> bool:
    """Whether there is any legal move."""
    side = position.turn
    for square, piece in enumerate(position.board[:]):
        if piece and (piece - 1) % 2 == side:
            for plain in acts_of(position, square):
                if any(fault(position, act) is None for act in forms(position, plain)):
                    return True
    if position.plan.rules.drops == "no":
        return False
    return any(drop_fault(position, act) is None for act in drops(position))


def drops(position: Position) -> Iterator[Act]:
    """All drops onto free squares that the ranks of the pieces allow."""
    plan, board, side = position.plan, position.board, position.turn
    # A form may be put down from two places in the hand; it is one drop (see Plan.drop_kind).
    pieces = {
        piece: None
        for kind, count in enumerate(position.hands[side])
        if count
        for piece in plan.drop_forms(kind, side)
    }
    for piece in pieces:
        for square in plan.drop_squares(piece):
            if not board[square]:
                yield Act(piece, -1, square, piece)


def fault(position: Position, act: Act) -> str | None:
    """Why a move on the board that its piece can make is illegal, None if it is legal."""
    if not obeys_file(position, act):
        return FILE
    side = position.turn
    if act.captures and loses(position, 1 - side, act.captures):
        return None
    if position.plan.rules.self_check == "allowed":
        return None
    if act.captures and loses(position, side, act.captures):
        return SELF_CHECK
    if act.partner and not _may_castle(position, act):
        return SELF_CHECK
    return SELF_CHECK if _exposes(position, act) else None


def _may_castle(position: Position, act: Act) -> bool:
    """Nothing castles out of check or through it."""
    side = position.turn
    if not position.plan.royal[act.piece]:
        return True
    if in_check(position, side):
        return False
    step = 1 if act.target > act.origin else -1
    return not any(
        _exposes(position, Act(act.piece, act.origin, between, act.piece))
        for between in range(act.origin + step, act.target, step)
        if not position.board[between]
    )


def _exposes(position: Position, act: Act) -> bool:
    side = position.turn
    if not position.royals[side] and not position.plan.royal[act.becomes]:
        return False
    undo = position.make(act)
    exposed = in_check(position, side)
    position.unmake(undo)
    return exposed


def drop_fault(position: Position, act: Act) -> str | None:
    """Why a drop is illegal, None if it is legal."""
    plan, side = position.plan, position.turn
    piece, target = act.piece, act.target
    kind = plan.kinds[(piece - 1) >> 1]
    if not any(
        count and piece in plan.drop_forms(held, side)
        for held, count in enumerate(position.hands[side])
    ):
        return NOT_IN_HAND
    if position.board[target]:
        return OCCUPIED
    allowed = plan.drop_squares(piece)
    if target not in allowed:
        zone = plan.zone[side]
        return DROP_ZONE if zone[target] and not any(zone[s] for s in allowed) else DROP_RANK
    full = kind.per_file and "drop" in kind.per_file_on
    if full and _on_file(position, piece, target) >= kind.per_file:
        return FILE
    undo = position.make(act)
    found = _after_drop(position, act)
    position.unmake(undo)
    return found


def _after_drop(position: Position, act: Act) -> str | None:
    """What is wrong with a drop that has just been made."""
    plan, mover = position.plan, 1 - position.turn
    kind = plan.kinds[(act.piece - 1) >> 1]
    if kind.drop_check != "free":
        checks = attacks_royal(position, act.target)
        if checks != (kind.drop_check == "required"):
            return DROP_CHECK
    if kind.drop_mate == "barred" and _is_mate(position):
        return DROP_MATE
    if plan.rules.self_check == "barred" and in_check(position, mover):
        return SELF_CHECK
    return None


def mates(position: Position, act: Act) -> bool:
    """Whether a legal move mates."""
    undo = position.make(act)
    mate = _is_mate(position)
    position.unmake(undo)
    return mate


def _is_mate(position: Position) -> bool:
    return in_check(position, position.turn) and not has_legal_act(position)
