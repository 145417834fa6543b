"""What pieces may do in a position, before check and the limits on files are looked at."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.game.clipping import End, Patch
from alfil.game.core import walk
from alfil.game.plan import Plan
from alfil.game.position import DROPPED, UNKNOWN, Act, Position
from alfil.game.variant import Square
from alfil.meaning.piece import Meaning, Part, allows
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
