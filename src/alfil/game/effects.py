"""What a move changes beside the piece that moves and those that it captures.

A capture explodes, or turns the piece that makes it to stone; a move builds a wall, turns pieces of
the other side over, or leaves a piece from the hand where its piece stood; a piece burns what is in
its range, or what comes there. All of it is in
`Act.captures` and `Act.changes`, and whatever makes a move makes that too. No piece is told here
how to move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from alfil.game.plan import Act, squares_in
from alfil.game.position import Position
from alfil.game.ranges import having, in_range


def touches_wall(position: Position, act: Act) -> bool:
    """Whether a move would capture a wall or a hole, as one that captures its own side's may."""
    wall, board = position.plan.wall, position.board
    return any(board[square] == wall for square in act.captures)


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


def turned_by(position: Position, act: Act) -> tuple[tuple[int, int], ...]:
    """What a move turns over: the squares, and what stands on them then."""
    rule = position.plan.rules.flip
    if rule == "none":
        return ()
    # What is captured is turned over no more, and nothing encloses from where it went.
    undo = position.make(act)
    turned = tuple(FLIPS[rule](position, act))
    position.unmake(undo)
    return turned


def _burnt(position: Position, act: Act) -> Act:
    """A move with what its piece burns where it ends, and its own loss where another one burns it.

    An enemy that burns or shoots what comes into its range does so once that is done, unless it is
    burnt itself.
    """
    undo = position.make(act)
    burnt = tuple(
        square
        for fact in position.plan.effects[act.becomes]
        if fact.name == "burns" and fact.values[2] != "passive"
        for square in in_range(position, act.target, fact)
        if square not in act.captures
    )
    position.unmake(undo)
    act = act._replace(captures=(*act.captures, *burnt))
    undo = position.make(act)
    perishes = any(
        act.target in in_range(position, square, fact)
        for square, fact in having(position, {"burns", "shoots"})
        if fact.values[2] != "active" and square != act.target
    )
    position.unmake(undo)
    return act._replace(changes=((act.target, 0),)) if perishes else act


def _exploded(position: Position, act: Act) -> Act:
    """A capture that takes what stands around with it, and the piece that makes it."""
    plan, board = position.plan, position.board
    beside = tuple(
        square
        for square in plan.around[act.target]
        if square != act.origin
        and square not in act.captures
        and plan.blast[board[square]] == "always"
    )
    lost = ((act.target, 0),) if plan.blast[act.piece] != "never" else ()
    return act._replace(captures=(*act.captures, *beside), changes=lost)


def _beside(position: Position, act: Act) -> list[tuple[int, int]]:
    """The pieces of the other side next to where a move has ended, turned over."""
    other = position.own[position.turn]
    return _turned(position, (s for s in position.plan.around[act.target] if other >> s & 1))


def _enclosed(position: Position, act: Act) -> list[tuple[int, int]]:
    """The rows of the other side's pieces between where a move has ended and its own, turned."""
    other, own = position.own[position.turn], position.own[1 - position.turn]
    found: list[int] = []
    for ray in position.plan.rays[act.target]:
        row = 0
        while row < len(ray) and other >> ray[row] & 1:
            row += 1
        if row < len(ray) and own >> ray[row] & 1:
            found += ray[:row]
    return _turned(position, found)


def _turned(position: Position, squares: Iterable[int]) -> list[tuple[int, int]]:
    board = position.board
    return [(square, ((board[square] - 1) ^ 1) + 1) for square in squares]


# What turns over after a move, by the rule of the game.
FLIPS: dict[str, Callable[[Position, Act], list[tuple[int, int]]]] = {
    "adjacent": _beside,
    "enclosed": _enclosed,
}


Reach = Callable[[Position, int], list[Act]]


def with_walls(position: Position, act: Act, reach: Reach) -> Iterator[Act]:
    """A move with every wall that it may build; none where it has to and cannot.

    ``reach`` tells the moves of the piece on a square.
    """
    plan, rule = position.plan, position.plan.rules.wall
    if rule == "left" and act.origin < 0:
        yield act
        return
    if rule == "left":
        empty = not _lands_on(act, act.origin)
        if empty and plan.may_wall[position.turn] & plan.bits[act.origin]:
            yield act._replace(changes=(*act.changes, (act.origin, plan.wall)))
        return
    undo = position.make(act)
    squares = _free(position)
    if rule == "arrow":
        # What has perished, or turned to stone, shoots no more.
        stands = 0 < position.board[act.target] < plan.mark
        squares = _arrows(position, reach(position, act.target)) if stands else 0
    before = position.sets[plan.wall] if rule == "duck" else 0
    position.unmake(undo)
    gone = tuple((square, 0) for square in squares_in(before & ~plan.holes))
    for square in squares_in(squares & plan.may_wall[position.turn]):
        yield act._replace(changes=(*act.changes, *gone, (square, plan.wall)))


def with_gates(position: Position, act: Act) -> Iterator[Act]:
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


def _free(position: Position) -> int:
    """The empty squares."""
    taken = position.own[0] | position.own[1] | position.sets[position.plan.wall]
    return position.reaches.all & ~taken


def _arrows(position: Position, acts: Iterable[Act]) -> int:
    """The empty squares to which a piece that has moved could go on."""
    found = 0
    for each in acts:
        # It shoots as it moves, not as what it may become.
        moves = not each.captures and each.becomes == each.piece
        if moves and not position.board[each.target]:
            found |= position.plan.bits[each.target]
    return found
