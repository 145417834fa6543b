"""What a move changes beside the piece that moves and those that it captures.

A capture explodes, or turns the piece that makes it to stone; a move builds a wall, turns pieces of
the other side over, or leaves a piece from the hand where its piece stood; a piece burns what is in
its range, or what comes there.
"""

from __future__ import annotations

from collections.abc import Iterator

from alfil.game.plan import Act
from slow_engine.moves import acts_of
from slow_engine.position import Position
from slow_engine.ranges import having, in_range


def with_effects(position: Position, act: Act) -> Act:
    """A move with all that it brings about of itself; a wall that is to be placed is left out."""
    plan = position.plan
    if plan.is_pass(act):
        return act
    if plan.burning:
        act = _burnt(position, act)
    if act.captures and plan.rules.explosion == "captures":
        return _exploded(position, act)
    if act.captures and plan.petrifies[act.piece]:
        return act._replace(changes=((act.target, plan.wall),))
    turned = turned_by(position, act)
    return act._replace(changes=turned) if turned else act


def _burnt(position: Position, act: Act) -> Act:
    """A move with what its piece burns where it ends, and its own loss where another one burns it.

    An enemy that burns or shoots what comes into its range does so once that is done, unless it is
    burnt itself.
    """
    after = position.after(act)
    burnt = tuple(
        square
        for fact in position.plan.effects[act.becomes]
        if fact.name == "burns" and fact.values[2] != "passive"
        for square in in_range(after, act.target, fact)
        if square not in act.captures
    )
    act = act._replace(captures=(*act.captures, *burnt))
    after = position.after(act)
    perishes = any(
        act.target in in_range(after, square, fact)
        for square, fact in having(after, {"burns", "shoots"})
        if fact.values[2] != "active" and square != act.target
    )
    return act._replace(changes=((act.target, 0),)) if perishes else act


def _exploded(position: Position, act: Act) -> Act:
    """A capture that takes what stands around with it, and the piece that makes it."""
    plan = position.plan
    beside = tuple(
        square
        for square in plan.around[act.target]
        if square not in (act.origin, *act.captures)
        and plan.blast[position.board[square]] == "always"
    )
    lost = ((act.target, 0),) if plan.blast[act.piece] != "never" else ()
    return act._replace(captures=(*act.captures, *beside), changes=lost)


def turned_by(position: Position, act: Act) -> tuple[tuple[int, int], ...]:
    """What a move turns over: the squares, and what stands on them then."""
    rule, around = position.plan.rules.flip, position.plan.around[act.target]
    # What is captured is turned over no more, and nothing encloses from where it went.
    after, own = position.after(act), position.turn
    if rule == "adjacent":
        found = [square for square in around if _is_of(after, square, 1 - own)]
    elif rule == "enclosed":
        found = []
        for ray in position.plan.rays[act.target]:
            ends = [at for at, s in enumerate(ray) if not _is_of(after, s, 1 - own)]
            if ends and _is_of(after, ray[ends[0]], own):
                found += ray[: ends[0]]
    else:
        found = []
    return tuple((square, ((after.board[square] - 1) ^ 1) + 1) for square in found)


def _is_of(position: Position, square: int, side: int) -> bool:
    piece = position.board[square]
    return 0 < piece < position.plan.wall and (piece - 1) % 2 == side


def choices(position: Position, act: Act) -> Iterator[Act]:
    """A move with all that it may leave or build; none where it has to build and cannot."""
    if position.plan.is_pass(act):
        yield act
    elif any(position.plan.gates):
        yield from _with_gates(position, act)
    elif position.plan.rules.wall != "none":
        yield from _with_walls(position, act)
    else:
        yield act


def promotions(position: Position, act: Act) -> Iterator[Act]:
    """A move with everything its piece may be afterwards; nothing promotes as it is dropped."""
    if act.origin < 0 or act.becomes != act.piece:
        yield act
        return
    captures = bool(act.captures)
    for form in position.plan.becomes(act.piece, act.origin, act.target, captures=captures):
        yield act._replace(becomes=form)


def _with_walls(position: Position, act: Act) -> Iterator[Act]:
    """A move with every wall that it may build; none where it has to and cannot."""
    plan, rule = position.plan, position.plan.rules.wall
    may = plan.may_wall[position.turn]
    if rule == "left":
        if act.origin < 0:
            yield act
        elif not _lands_on(act, act.origin) and may >> act.origin & 1:
            yield act._replace(changes=(*act.changes, (act.origin, plan.wall)))
        return
    after = position.after(act)
    walls = [square for square, piece in enumerate(after.board) if piece == plan.wall]
    gone = [(s, 0) for s in walls if rule == "duck" and not plan.holes >> s & 1]
    free = {square for square, piece in enumerate(after.board) if not piece and may >> square & 1}
    if rule == "arrow":
        free &= _arrows(after, act.target)
    for square in sorted(free):
        yield act._replace(changes=(*act.changes, *gone, (square, plan.wall)))


def _arrows(after: Position, square: int) -> set[int]:
    """The empty squares to which a piece that has moved could go on, as what it is."""
    # What has perished, or turned to stone, shoots no more.
    if not 0 < after.board[square] < after.plan.wall:
        return set()
    acts = acts_of(after, square)
    return {each.target for each in acts if not each.captures and each.becomes == each.piece}


def _with_gates(position: Position, act: Act) -> Iterator[Act]:
    """A move without a piece from the hand, and with each where a piece stood that never moved.

    It must be one that could be dropped there, and nothing has come there by the move.
    """
    yield act
    plan, board, side = position.plan, position.board, position.turn
    for square in (act.origin, *act.partner[:1]) if act.origin >= 0 else ():
        if _lands_on(act, square):
            continue
        if plan.gates[board[square]] and position.made[square] == 0:
            for kind, count in enumerate(position.hands[side]):
                piece = 1 + 2 * kind + side
                if count and square in plan.drop_squares(piece):
                    yield act._replace(changes=(*act.changes, (square, piece)))


def _lands_on(act: Act, square: int) -> bool:
    """Whether a move ends on a square, or its castling partner goes there."""
    return square == act.target or square in act.partner[1:]
