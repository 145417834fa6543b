"""What any piece may do, whatever that means for royals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from alfil.game.compiled_variant import DROPPED_MOVE_COUNT, UNKNOWN_MOVE_COUNT, EngineMove
from alfil.game.square_sections import MoveEnd, SquareSection
from alfil.meaning.piece_meaning import GuardedAutomaton, Meaning, conditions_hold
from alfil.tables.move_generation import moves_in_context
from alfil.tables.move_table import CLASS_BITS, STEP_SHIFT
from slow_engine.large import large_acts
from slow_engine.position import Position
from slow_engine.ranges import is_frozen
from slow_engine.sight import View, seen_by, trail_of


def acts_of(position: Position, square: int, *, checked: bool = False) -> list[EngineMove]:
    """All moves of the piece on a square, without promotion and what they change elsewhere.

    Where its side is ``checked``, those that are not made then are left out.
    """
    if is_frozen(position, square):
        return []
    seen = _with_trail(position, square)
    found = _by_movement(seen, square, checked=checked)
    found += [*_castlings(seen, square), *_apart(seen, square)]
    return [act for act in found if _may_capture(position, act)]


def strikes_of(position: Position, square: int) -> list[EngineMove]:
    """The captures of the piece on a square, as `acts_of` has them."""
    if is_frozen(position, square):
        return []
    found = _by_movement(_with_trail(position, square), square)
    return [act for act in found if act.captures and _may_capture(position, act)]


def _with_trail(position: Position, square: int) -> Position:
    """The position with the trail of the last move, which is there for the side to move alone."""
    if (position.board[square] - 1) % 2 != position.turn or not position.trail:
        return position
    seen = position.copy()
    if not position.is_large(position.board[square]):
        for at in position.trail:
            seen.board[at] = trail_of(position.plan)
    return seen


def _may_capture(position: Position, act: EngineMove) -> bool:
    """Whether nothing is captured that is a wall, or that such a piece never captures."""
    compiled, mover = position.plan, (act.piece - 1) >> 1
    taken = [position.board[square] for square in act.captures]
    return compiled.wall not in taken and all(
        mover not in compiled.iron_against[each] for each in taken
    )


def _by_movement(position: Position, square: int, *, checked: bool = False) -> list[EngineMove]:
    """The moves that its movement gives a piece; ways that come to the same are one move."""
    if position.is_large(position.board[square]):
        return large_acts(position, square, checked=checked)
    found: dict[tuple[object, ...], EngineMove] = {}
    kind = position.plan.kinds[(position.board[square] - 1) >> 1]
    acts = (
        _without_jumps_over(position, square, kind.no_jump_over)
        if kind.no_jump_over
        else (
            act
            for patch in _parts(position, square, position.made[square])
            if not (checked and patch.unchecked)
            for act in _of_part(position, patch, square)
        )
    )
    for act in acts:
        key = (act.target, frozenset(act.captures), act.partner, act.ep_squares)
        found.setdefault(key, act)
    return [*found.values()]


def _without_jumps_over(
    position: Position, square: int, codes: tuple[str, ...]
) -> Iterator[EngineMove]:
    """The moves of a piece that neither jumps over some pieces nor captures them after a jump.

    All those pieces are in its way, as walls are that nothing jumps over. Each of them is captured
    where all others are in its way.
    """
    compiled, piece = position.plan, position.board[square]
    view = View(compiled, (piece - 1) % 2)
    parts = [
        GuardedAutomaton(each.guard, each.automaton) for each in compiled.table_sections(piece)
    ]
    scene = view.scene(position, square)
    barred = {
        view.turned(at)
        for at, standing in enumerate(position.board)
        if 0 < standing < compiled.wall and compiled.codes[standing] in codes and at != square
    }
    scenes = [(scene.contents | dict.fromkeys(barred, 0), None)]
    scenes += [(dict.fromkeys(scene.contents, 0) | {at: scene.contents[at]}, at) for at in barred]
    for contents, only in scenes:
        for move in sorted(
            moves_in_context(Meaning(tuple(parts)), replace(scene, contents=contents))
        ):
            act = view.act(piece, square, move)
            if only is None or view.turned(act.target) == only:
                yield act


def _parts(position: Position, square: int, made: int) -> list[SquareSection]:
    """The parts of a piece's moves whose conditions on its past, and the turn of its side, hold."""
    compiled, piece = position.plan, position.board[square]
    count = None if made == UNKNOWN_MOVE_COUNT else 0 if made == DROPPED_MOVE_COUNT else made
    third, turn = (
        compiled.had_same_piece_behind_at_start(piece, square),
        position.turn_of((piece - 1) % 2),
    )
    return [
        patch
        for patch in compiled.square_moves(piece, square)
        if conditions_hold(patch.guard, count, third_rank=third, turn=turn)
    ]


def _of_part(position: Position, patch: SquareSection, square: int) -> Iterator[EngineMove]:
    piece, owners = position.board[square], position.owners
    if patch.automaton is not None:
        view = View(position.plan, (piece - 1) % 2)
        part = GuardedAutomaton(patch.guard, patch.automaton)
        for move in sorted(moves_in_context(Meaning((part,)), view.scene(position, square))):
            act = view.act(piece, square, move)
            captures = tuple(dict.fromkeys(owners[each] for each in act.captures))
            act = act._replace(captures=captures)
            if patch.room >> act.target & 1:
                yield act
        return
    for end in _ends(patch, position.stood(), seen_by(position.plan, piece)):
        captures = _captures(position, end, square)
        if len(set(captures)) < len(captures):
            continue
        # Two squares of one piece are one capture.
        captures = tuple(dict.fromkeys(owners[each] for each in captures))
        partner: tuple[int, ...] = ()
        if patch.castle:
            partner = _partner(position, patch.castle, square, end.target)
            if not partner:
                continue
        trail = end.passed if patch.leaves_trail else ()
        yield EngineMove(piece, square, end.target, piece, captures, partner, trail)


def _ends(patch: SquareSection, board: list[int], classes: list[int]) -> Iterator[MoveEnd]:
    """Where the moves of a part with a table may end."""
    node = 0
    while node < len(patch.nodes):
        word = patch.nodes[node]
        standing = classes[board[word >> STEP_SHIFT]]
        if word & standing:
            yield patch.end_at(node)
        node = node + 1 if word >> CLASS_BITS & standing else patch.skips[node]


def _captures(position: Position, end: MoveEnd, home: int) -> tuple[int, ...]:
    trail, board = position.trail, position.board
    captures = tuple(trail[s] if s in end.on_trail else s for s in end.captures)
    if end.target == home:
        return captures
    if end.takes_trail:
        return (*captures, trail[end.target])
    stands = board[end.target] not in {0, trail_of(position.plan)}
    return (*captures, end.target) if stands else captures


def _partner(
    position: Position, castle: tuple[int, int], square: int, target: int
) -> tuple[int, ...]:
    """Where the castling partner comes from and goes to, empty when none stands ready.

    It is the first piece met, the mover's own, unmoved, so many files in from the edge, and one
    with which the other castles.
    """
    compiled, board = position.plan, position.stood()
    steps, inset = castle
    way = 1 if target > square else -1
    rank, file = divmod(square, compiled.files)
    edge = compiled.files - 1 - inset if way > 0 else inset
    row = range(file + way, compiled.files) if way > 0 else range(file - 1, -1, -1)
    met = next(
        (at for at in row if board[rank * compiled.files + at] not in {0, trail_of(compiled)}), -1
    )
    other = rank * compiled.files + met
    ready = met == edge and position.made[other] == 0 and abs(met - file) > steps
    ready = ready and not position.is_large(board[other])
    if not ready or (board[other] - board[square]) % 2:
        return ()
    return (other, target - way) if compiled.may_castle_with(board[square], board[other]) else ()


def _castlings(position: Position, square: int) -> Iterator[EngineMove]:
    """The ways of a piece to castle to files of its own, with partners wherever they stand."""
    compiled, board, made = position.plan, position.board, position.made
    piece = board[square]
    partners = compiled.partners_if_castling_to_files[piece] if made[square] == 0 else ()
    rank, kind = square - square % compiled.files, compiled.kinds[(piece - 1) >> 1]
    for other in range(rank, rank + compiled.files) if partners else ():
        if board[other] not in partners or made[other] != 0 or other == square:
            continue
        right = other > square
        target = rank + (kind.castles_to or (0, 0))[right]
        stop = target - 1 if right else target + 1
        way = sorted((square, other, target, stop))
        if all(not board[s] or s in {square, other} for s in range(way[0], way[-1] + 1)):
            yield EngineMove(piece, square, target, piece, (), (other, stop))


def _apart(position: Position, square: int) -> Iterator[EngineMove]:
    """The moves with which a piece promotes without a move of what it was.

    It stays, or goes to an empty square as what it becomes. Those that it may not make are among
    them.
    """
    compiled, piece = position.plan, position.board[square]
    owners = position.owners
    for form in compiled.all_promotions(piece) if compiled.promotes_as_separate_move[piece] else ():
        there = {owners.get(cell, square) for cell in position.cells(form, square)}
        if not position.is_inside(form, square) or there != {square}:
            continue
        here = _put(position, square, form)
        targets = {act.target for act in _once_moved(here, square) if not act.captures}
        yield from (
            EngineMove(piece, square, target, form) for target in sorted({*targets, square})
        )


def may_become(position: Position, act: EngineMove) -> bool:
    """Whether a piece may promote without a move of what it was, but for checks it would give.

    It stands in its zone, or is the only one of its side, and attacks nothing as what it becomes.
    """
    compiled, piece = position.plan, act.piece
    if not compiled.promoting[piece][act.origin] and position.count(piece) > 1:
        return False
    limit = compiled.side_limit[act.becomes]
    if limit and position.count(act.becomes) >= limit:
        return False
    there = _put(_put(position, act.origin, 0), act.target, act.becomes)
    return not any(each.captures for each in _once_moved(there, act.target))


def _put(position: Position, square: int, piece: int) -> Position:
    """The position with a piece on a square, 0 for none."""
    found = position.copy()
    found.put(square, piece)
    return found


def _once_moved(position: Position, square: int) -> Iterator[EngineMove]:
    """The moves of the piece on a square as those of one that has moved."""
    if position.is_large(position.board[square]):
        moved = position.copy()
        moved.made[square] = UNKNOWN_MOVE_COUNT
        yield from large_acts(moved, square)
        return
    for patch in _parts(position, square, UNKNOWN_MOVE_COUNT):
        yield from _of_part(position, patch, square)
