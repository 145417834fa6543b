"""The rules of a game in a position: what pieces may do, check, what is legal, and why not.

Moves are made, looked at and unmade. `alfil.game.legal` gets the same answers faster where all
pieces of a game allow it.
"""

from __future__ import annotations

from collections.abc import Iterator

from alfil.game.core import walk
from alfil.game.plan import End, Patch, Plan
from alfil.game.position import DROPPED, UNKNOWN, Act, Position
from alfil.meaning.piece import Meaning, Part, allows
from alfil.squares import Square
from alfil.tables.scene import Offset, Scene
from alfil.tables.walking import PieceMove, moves_in


def acts_of(position: Position, square: int) -> list[Act]:
    """All moves of the piece on a square, whatever may be wrong with them, promotion left out."""
    board = position.board
    # The trail of the last move is there for the side to move alone.
    trail = position.trail if (board[square] - 1) % 2 == position.turn else ()
    for on_trail in trail:
        board[on_trail] = position.plan.mark
    try:
        found: dict[tuple[object, ...], Act] = {}
        for patch in position.plan.patches(board[square], square):
            if _holds(position, patch, square):
                for act in _patch_acts(position, patch, square):
                    # Ways that differ in what they passed, or in what order, are one move.
                    key = (act.target, frozenset(act.captures), act.partner, act.trail)
                    found.setdefault(key, act)
    finally:
        for on_trail in trail:
            board[on_trail] = 0
    if position.plan.iron:
        return [act for act in found.values() if not _breaks_iron(position, act)]
    return list(found.values())


def _breaks_iron(position: Position, act: Act) -> bool:
    barred, board = position.plan.barred, position.board
    mover = (act.piece - 1) >> 1
    return any(mover in barred[board[square]] for square in act.captures)


def _holds(position: Position, patch: Patch, square: int) -> bool:
    if not patch.guard:
        return True
    count = position.made[square]
    made = None if count == UNKNOWN else 0 if count == DROPPED else count
    third = position.plan.third_rank(position.board[square], square)
    return allows(patch.guard, made, third_rank=third)


def _patch_acts(position: Position, patch: Patch, square: int) -> Iterator[Act]:
    if patch.automaton is not None:
        yield from _walked(position, Part(patch.guard, patch.automaton), square)
        return
    board = position.board
    piece = board[square]
    classes = position.plan.classes[(piece - 1) % 2]
    nodes = [0] * len(patch.nodes)
    found = walk(patch.nodes, patch.skips, board, classes, nodes)
    for node in nodes[:found]:
        end = patch.ends[node]
        captures = _captures(position, end, square)
        if len(set(captures)) < len(captures):
            continue
        partner: tuple[int, ...] = ()
        if patch.castle:
            partner = castling_partner(
                position.plan, board, position.made, patch.castle, (square, end.target)
            )
            if not partner:
                continue
        trail = end.passed if patch.leaves_trail else ()
        yield Act(piece, square, end.target, piece, captures, partner, trail)


def _captures(position: Position, end: End, home: int) -> tuple[int, ...]:
    trail = position.trail
    captures = end.captures
    if end.on_trail:
        captures = tuple(trail[s] if s in end.on_trail else s for s in captures)
    if end.target == home:
        return captures
    if end.takes_trail:
        return (*captures, trail[end.target])
    standing = position.board[end.target]
    if standing and standing != position.plan.mark:
        return (*captures, end.target)
    return captures


def castling_partner(
    plan: Plan, board: list[int], made: list[int], castle: tuple[int, int], way: tuple[int, int]
) -> tuple[int, ...]:
    """Where the castling partner comes from and goes to, empty when none stands ready.

    It is the first piece met, the mover's own, unmoved, and so many files in from the edge. ``way``
    is where the piece that castles comes from and goes to.
    """
    steps, inset = castle
    square, target = way
    side = 1 if target > square else -1
    rank, file = divmod(square, plan.files)
    edge = plan.files - 1 - inset if side > 0 else inset
    at = file + side
    while 0 <= at < plan.files:
        stands = rank * plan.files + at
        if board[stands] and board[stands] != plan.mark:
            own = (board[stands] - 1) % 2 == (board[square] - 1) % 2
            ready = own and at == edge and made[stands] == 0
            return (stands, target - side) if ready and abs(at - file) > steps else ()
        at += side
    return ()


def _walked(position: Position, part: Part, square: int) -> Iterator[Act]:
    """The moves of a part without a table, walked on its automaton as the mover sees the board."""
    plan = position.plan
    piece = position.board[square]
    side = (piece - 1) % 2
    view = _View(plan, side)
    scene = view.scene(position, square)
    for move in sorted(moves_in(Meaning((part,)), scene)):
        yield view.act(piece, square, scene.at, move)


class _View:
    """The board as one side sees it."""

    def __init__(self, plan: Plan, side: int) -> None:
        self._plan = plan
        self._side = side

    def turned(self, square: int) -> Square:
        """A square as the mover counts."""
        file, rank = self._plan.at(square)
        if self._side:
            return (self._plan.files - 1 - file, self._plan.ranks - 1 - rank)
        return (file, rank)

    def scene(self, position: Position, square: int) -> Scene:
        """The position as the piece on a square sees it."""
        plan = self._plan
        classes = plan.classes[self._side]
        pieces = {s: p for s, p in enumerate(position.board) if p and p != plan.mark}
        contents = {self.turned(s): classes[p] for s, p in pieces.items() if s != square}
        unmoved = [self.turned(s) for s in pieces if position.made[s] == 0]
        mine = position.trail if self._side == position.turn else {}
        trail = {self.turned(s): self.turned(v) for s, v in mine.items()}
        # The guard has been looked at already, so whatever it asks of the past is granted.
        at = self.turned(square)
        made = position.made[square]
        count = None if made == UNKNOWN else max(made, 0)
        third = plan.third_rank(position.board[square], square)
        return Scene(plan.files, plan.ranks, at, contents, unmoved, trail, count, third)

    def act(self, piece: int, square: int, at: Square, move: PieceMove) -> Act:
        """A move found there, in numbers."""

        def number(offset: Offset) -> int:
            x, y = at[0] + offset[0], at[1] + offset[1]
            if self._side:
                x, y = self._plan.files - 1 - x, self._plan.ranks - 1 - y
            return self._plan.square((x, y))

        return Act(
            piece,
            square,
            number(move.to),
            piece,
            tuple(map(number, move.captures)),
            tuple(map(number, move.partner)) if move.partner else (),
            tuple(map(number, move.trail)),
        )


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


def lost_by(position: Position, captures: tuple[int, ...]) -> int | None:
    """The side that loses its royals by a move of the side to move that captures on these squares.

    Where both would, it is the other side: the move wins, whatever happens to the mover's own.
    """
    sides = (1 - position.turn, position.turn) if captures else ()
    return next((side for side in sides if loses(position, side, captures)), None)


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
