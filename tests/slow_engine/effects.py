"""What a move changes beside the piece that moves and those that it captures.

A capture explodes, or turns the piece that makes it to stone; a move builds a wall, turns pieces of
the other side over, or leaves a piece from the hand where its piece stood; a piece burns what is in
its range, or what comes there.
"""

from __future__ import annotations

from collections.abc import Iterator

from alfil.game.compiled_variant import EngineMove
from slow_engine.moves import acts_of
from slow_engine.position import Position
from slow_engine.ranges import having, in_range


def with_effects(position: Position, act: EngineMove) -> EngineMove:
    """A move with all that it brings about of itself; a wall that is to be placed is left out."""
    compiled = position.plan
    if compiled.is_pass(act):
        return act
    if compiled.burning:
        act = _burnt(position, act)
    if act.captures and compiled.rules.explosion == "captures":
        return _exploded(position, act)
    if act.captures and compiled.petrifies[act.piece]:
        cells = position.cells(act.piece, act.target)
        return act._replace(changes=tuple((cell, compiled.wall) for cell in cells))
    turned = turned_by(position, act)
    return act._replace(changes=turned) if turned else act


def _burnt(position: Position, act: EngineMove) -> EngineMove:
    """A move with what its piece burns where it ends, and its own loss where another one burns it.

    An enemy that burns or shoots what comes into its range does so once that is done, unless it is
    burnt itself.
    """
    after = position.after(act)
    if position.plan.rules.burns_first == "standing" and _perishes(after, act):
        return act._replace(changes=((act.target, 0),))
    burnt = tuple(
        square
        for fact in position.plan.effects[act.becomes]
        if fact.name == "burns" and fact.values[2] != "passive"
        for square in in_range(after, act.target, fact)
        if square not in act.captures
    )
    act = act._replace(captures=(*act.captures, *burnt))
    perishes = _perishes(position.after(act), act)
    return act._replace(changes=((act.target, 0),)) if perishes else act


def _perishes(after: Position, act: EngineMove) -> bool:
    """Whether another piece burns or shoots what has moved."""
    return any(
        act.target in in_range(after, square, fact)
        for square, fact in having(after, {"burns", "shoots"})
        if fact.values[2] != "active" and square != act.target
    )


def _exploded(position: Position, act: EngineMove) -> EngineMove:
    """A capture that takes what stands around with it, and the piece that makes it."""
    compiled = position.plan
    owners = position.owners
    around = _around(position, act.becomes, act.target)
    there = dict.fromkeys(owners[square] for square in around if square in owners)
    beside = tuple(
        square
        for square in there
        if square not in (act.origin, *act.captures)
        and compiled.blast[position.board[square]] == "always"
    )
    lost = ((act.target, 0),) if compiled.blast[act.piece] != "never" else ()
    return act._replace(captures=(*act.captures, *beside), changes=lost)


def turned_by(position: Position, act: EngineMove) -> tuple[tuple[int, int], ...]:
    """What a move turns over: the squares, and what stands on them then."""
    rule, around = position.plan.rules.flip, _around(position, act.becomes, act.target)
    # What is captured is turned over no more, and nothing encloses from where it went.
    after, own = position.after(act), position.turn
    owners = after.owners
    if rule == "adjacent":
        found = [square for square in around if _is_of(after, square, 1 - own)]
    elif rule == "enclosed":
        found = []
        cells = position.cells(act.becomes, act.target)
        for ray in (ray for cell in cells for ray in position.plan.board_rays[cell]):
            ends = [at for at, s in enumerate(ray) if not _is_of(after, s, 1 - own)]
            if ends and _is_of(after, ray[ends[0]], own):
                found += ray[: ends[0]]
    else:
        found = []
    changes: tuple[tuple[int, int], ...] = ()
    for square in sorted({owners[each] for each in found}):
        piece = after.board[square]
        # The near left square of the other side is the far right one of this.
        far = after.cells(piece, square)[-1]
        changes += ((square, 0),) if far != square else ()
        changes += ((far, ((piece - 1) ^ 1) + 1),)
    return changes


def _around(position: Position, piece: int, square: int) -> list[int]:
    """The squares around all that a piece takes up."""
    cells = position.cells(piece, square)
    around = dict.fromkeys(each for cell in cells for each in position.plan.neighbours[cell])
    return [each for each in around if each not in cells]


def _is_of(position: Position, square: int, side: int) -> bool:
    piece = position.stood()[square]
    return 0 < piece < position.plan.wall and (piece - 1) % 2 == side


def choices(position: Position, act: EngineMove) -> Iterator[EngineMove]:
    """A move with all that it may leave or build; none where it has to build and cannot."""
    if position.plan.is_pass(act):
        yield act
    elif any(position.plan.gates):
        yield from _with_gates(position, act)
    elif position.plan.rules.wall != "none":
        yield from _with_walls(position, act)
    else:
        yield act


def promotions(position: Position, act: EngineMove) -> Iterator[EngineMove]:
    """A move with everything its piece may be afterwards; nothing promotes as it is dropped."""
    if act.origin < 0 or act.becomes != act.piece:
        yield act
        return
    if caught := _caught(position, act):
        yield act._replace(becomes=caught)
        return
    captures = bool(act.captures)
    for form in position.plan.promotions(act.piece, act.origin, act.target, captures=captures):
        if _has_space(position, act, form):
            yield act._replace(becomes=form)


def _caught(position: Position, act: EngineMove) -> int:
    """What a piece becomes by what it captures: on its last square, else the last on its way."""
    compiled, side = position.plan, position.turn
    spread = {each.captured: each.becomes for each in compiled.rules.contagion}
    if compiled.royal[act.piece]:
        return 0
    last = [square for square in act.captures if square == act.target]
    on_way = [square for square in act.captures if square != act.target]
    for square in (*last, *reversed(on_way)):
        code = compiled.codes[position.board[square]]
        if code in spread:
            return compiled.piece_number(spread[code], side)
    return 0


def _has_space(position: Position, act: EngineMove, form: int) -> bool:
    """Whether a form has space where a move ends, once what it captures is gone."""
    if not position.is_inside(form, act.target):
        return False
    owners = position.owners
    cells = position.cells(form, act.target)
    leaving = {act.origin, *act.captures, *act.partner[:1]}
    return {owners[cell] for cell in cells if cell in owners} <= leaving


def _with_walls(position: Position, act: EngineMove) -> Iterator[EngineMove]:
    """A move with every wall that it may build; none where it has to and cannot."""
    compiled, rule = position.plan, position.plan.rules.wall
    may = compiled.wall_square_bits[position.turn]
    if rule == "left":
        if act.origin < 0:
            yield act
        else:
            there = _ends_on(position, act)
            left = [s for s in position.cells(act.piece, act.origin) if s not in there]
            if left and all(may >> square & 1 for square in left):
                walls = tuple((square, compiled.wall) for square in left)
                yield act._replace(changes=(*act.changes, *walls))
        return
    after = position.after(act)
    walls = [square for square, piece in enumerate(after.board) if piece == compiled.wall]
    gone = [(s, 0) for s in walls if rule == "duck" and not compiled.holes >> s & 1]
    free = {square for square, piece in enumerate(after.board) if not piece and may >> square & 1}
    if rule == "arrow":
        free &= _arrows(after, act.target)
    for square in sorted(free):
        yield act._replace(changes=(*act.changes, *gone, (square, compiled.wall)))


def _arrows(after: Position, square: int) -> set[int]:
    """The empty squares to which a piece that has moved could go on, as what it is."""
    # What has perished, or turned to stone, shoots no more.
    if not 0 < after.board[square] < after.plan.wall:
        return set()
    acts = acts_of(after, square)
    return {each.target for each in acts if not each.captures and each.becomes == each.piece}


def _with_gates(position: Position, act: EngineMove) -> Iterator[EngineMove]:
    """A move without a piece from the hand, and with each where a piece stood that never moved.

    It must be one that could be dropped there, and nothing has come there by the move.
    """
    yield act
    compiled, board, side = position.plan, position.board, position.turn
    for square in (act.origin, *act.partner[:1]) if act.origin >= 0 else ():
        if square in _ends_on(position, act):
            continue
        if compiled.gates[board[square]] and position.made[square] == 0:
            for kind, count in enumerate(position.hands[side]):
                piece = 1 + 2 * kind + side
                fits = square in compiled.drop_squares(piece) and _may_be_left(
                    position, act, piece, square
                )
                if count and fits:
                    yield act._replace(changes=(*act.changes, (square, piece)))


def _may_be_left(position: Position, act: EngineMove, piece: int, square: int) -> bool:
    """Whether nothing stands where a piece is left, but for what goes from there."""
    cells, owners = position.cells(piece, square), position.owners
    free = all(owners.get(cell, act.origin) in (act.origin, square) for cell in cells)
    return free and not set(cells) & set(_ends_on(position, act))


def _ends_on(position: Position, act: EngineMove) -> list[int]:
    """The squares on which a move ends, and its castling partner's."""
    return [*position.cells(act.becomes, act.target), *act.partner[1:]]
