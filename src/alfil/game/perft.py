"""Legal moves and sequences of them counted by Python alone, for the most part without a list.

`alfil.game.counting` has the compiled body do the same.
"""

from __future__ import annotations

from typing import NamedTuple

from alfil.game.legal import (
    castling,
    danger_of,
    drops_of,
    en_passant,
    is_swift,
    legal_acts,
    listed,
    moves_made,
    moves_of,
    moves_within,
    royal_moves,
    safe,
)
from alfil.game.plan import UNKNOWN, Act, squares_in
from alfil.game.position import Position
from alfil.game.reaches import LEAPING, OTHERWISE, SHIFTED, Danger, Order
from alfil.game.rules import lost_by


class Answers(NamedTuple):
    """How many moves all pieces but the royal have while these squares are occupied.

    ``looking`` are the pieces for which more matters than where their own side stands: the squares
    that a piece looks at, how many moves it has, and it alone as `_count_moves` wants it.
    """

    occupied: int
    total: int
    looking: list[tuple[int, int, tuple[tuple[Order], int]]]


def _answers(position: Position) -> Answers:
    """What the side to move could answer to any move that captures nothing, checks nor pins."""
    reaches, side = position.reaches, position.turn
    free = reaches.all & ~position.own[side]
    total, looking = 0, []
    for order in reaches.orders[side]:
        piece, here = order[0], position.sets[order[0]]
        if reaches.leaper[piece]:
            total += _count_moves(position, (order,), here, free)
            continue
        for square in squares_in(here):
            alone = (order,), position.plan.bits[square]
            looks = reaches.looks(piece, square, moves_made(position, piece, square))
            looking.append((looks, _count_moves(position, *alone, free), alone))
    total += sum(number for _, number, _ in looking)
    return Answers(position.own[0] | position.own[1], total, looking)


def counted(position: Position, answers: Answers | None = None) -> int:
    """How many legal moves there are in a position that is swift.

    ``answers`` are those to another move of the same position, where this comes by one that
    captures nothing.
    """
    danger = danger_of(position, swift=True)
    if danger.marks:
        return len(listed(position, swift=True))
    total = _count_royal(position, danger)
    if not danger.targets:
        return total
    if answers and not danger.checkers and not danger.pins:
        total += _count_changed(position, answers)
    else:
        total += _count_all(position, danger)
    if position.trail:
        total += len(en_passant(position, danger))
    if position.plan.rules.drops == "yes":
        for _, squares in drops_of(position, danger):
            total += squares.bit_count()
    return total


def _count_royal(position: Position, danger: Danger) -> int:
    """How many moves `royal_moves` would list."""
    reaches = position.reaches
    square = position.royals[position.turn][0]
    piece = position.board[square]
    if reaches.promoting[piece] or not reaches.leaper[piece] or position.plan.file_limit[piece]:
        return len(royal_moves(position, danger))
    squares = reaches.leaps[piece * position.plan.size + square]
    if squares is None:
        squares = reaches.leap(piece, square)
    squares &= ~position.own[position.turn]
    if danger.near:
        squares = safe(position, square, squares, danger)
    total = squares.bit_count()
    if position.plan.castle_insets[piece] and not danger.checkers:
        total += len(castling(position, piece, square))
    return total


def _count_all(position: Position, danger: Danger) -> int:
    """How many moves all pieces but the royal one have; en passant is not among them."""
    side = position.turn
    free = danger.targets & ~position.own[side]
    pinned, total = _pinned(position, danger) if danger.pins else (0, 0)
    return total + _count_moves(position, position.reaches.orders[side], ~pinned, free)


def _count_changed(position: Position, answers: Answers) -> int:
    """The same without checks and pins, where answers are known to a move much like the last."""
    total = answers.total
    changed = (position.own[0] | position.own[1]) ^ answers.occupied
    for looks, number, alone in answers.looking:
        if looks & changed:
            free = position.reaches.all & ~position.own[position.turn]
            total += _count_moves(position, *alone, free) - number
    return total


def _count_moves(  # noqa: C901 - one loop; calls cost as much as they do
    position: Position, orders: tuple[Order, ...], among: int, free: int
) -> int:
    """How many moves to free squares the pieces have that stand on some squares."""
    reaches, sets = position.reaches, position.sets
    leaps, runs, extras = reaches.leaps, reaches.runs, reaches.extra
    occupied = position.own[0] | position.own[1]
    total = 0
    for piece, base, way, shifts in orders:
        here = sets[piece] & among
        if not here:
            continue
        if way == SHIFTED:
            for left, right, sources, extra in shifts:
                moved = (here & sources) << left >> right & free
                total += moved.bit_count()
                for within, more in extra:
                    total += (moved & within).bit_count() * more
            continue
        if way == OTHERWISE:
            total += _count_others(position, piece, here, free)
            continue
        while here:
            low = here & -here
            here ^= low
            index = base + low.bit_length() - 1
            if way == LEAPING:
                squares = leaps[index]
            else:
                looks, known = runs[index] or NOT_SEEN
                squares = known.get(occupied & looks)
            if squares is None:
                squares = reaches.even_reach(piece, index - base, occupied)
            squares &= free
            total += squares.bit_count()
            for within, more in extras[index] or ():
                total += (squares & within).bit_count() * more
    return total


NOT_SEEN: tuple[int, dict[int, int]] = (0, {})


def _pinned(position: Position, danger: Danger) -> tuple[int, int]:
    """The set of pinned pieces, and how many moves they have."""
    pinned = total = 0
    for square in danger.pins:
        pinned |= position.plan.bits[square]
        total += len(moves_of(position, position.board[square], square, danger))
    return pinned, total


def _count_others(position: Position, piece: int, here: int, free: int) -> int:
    """How many moves pieces of a kind have that are neither shifted nor even."""
    reaches = position.reaches
    if position.plan.file_limit[piece]:
        return _count_crowding(position, piece, here, free)
    occupied = position.own[0] | position.own[1]
    limit, base = position.plan.count_limits[piece], piece * position.plan.size
    made, bits = position.made, position.plan.bits
    total = 0
    for square in squares_in(here):
        count = made[square] if limit else UNKNOWN
        quiet, strikes, _, trailing, _ = reaches.uneven(
            piece, square, count if count < limit else UNKNOWN, occupied
        )
        squares = (quiet | strikes & occupied) & free
        extras = reaches.extra[base + square] or ()
        total += squares.bit_count()
        for within, more in extras:
            total += (squares & within).bit_count() * more
        for target, _ in trailing:
            bit = bits[target] & free
            total += bit > 0
            for within, more in extras:
                total += more * (bit & within > 0)
    return total


def _count_crowding(position: Position, piece: int, here: int, free: int) -> int:
    """How many moves pieces have of which only so many may be on a file."""
    reaches = position.reaches
    if not reaches.shifts[piece]:
        return sum(len(moves_within(position, piece, square, free)) for square in squares_in(here))
    limit = position.plan.file_limit[piece]
    open_files = free & ~reaches.full_files(position.sets[piece], limit)
    total = 0
    for left, right, sources, _ in reaches.shifts[piece]:
        moved = (here & sources) << left >> right
        stays = (left - right) % position.plan.files == 0
        total += (moved & (free if stays else open_files)).bit_count()
    return total


def perft(position: Position, depth: int) -> int:
    """The number of sequences of ``depth`` legal moves from a position.

    A sequence stops where there is no move, or a royal is captured; how games end otherwise is not
    looked at.
    """
    if depth <= 0:
        return 1
    if is_swift(position):
        return _fast(position, depth)
    acts = legal_acts(position)
    return len(acts) if depth == 1 else sum(divide(position, acts, depth))


def divide(position: Position, acts: list[Act], depth: int) -> list[int]:
    """`perft`, for each of these moves."""
    counts = []
    for act in acts:
        ended = lost_by(position, act) is not None
        undo = position.make(act)
        counts.append(int(depth == 1) if ended else perft(position, depth - 1))
        position.unmake(undo)
    return counts


def _fast(position: Position, depth: int) -> int:
    if depth == 1:
        return counted(position)
    total, left, answers = 0, depth - 1, None
    for act in listed(position, swift=True):
        undo = position.make(act)
        if left > 1:
            total += _fast(position, left)
        elif act.captures:
            total += counted(position)
        else:
            answers = answers or _answers(position)
            total += counted(position, answers)
        position.unmake(undo)
    return total
