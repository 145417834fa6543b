"""How many legal moves there are, without listing most of them.

Moves of pieces of one kind are counted together where they leap, drops as sets of squares.
"""

from __future__ import annotations

from alfil.game.boards import Board
from alfil.game.position import UNKNOWN
from alfil.game.reaches import LEAPING, OTHERWISE, SHIFTED
from alfil.game.specials import Threats, squares_in
from alfil.game.swift import (
    castling,
    drops_of,
    en_passant,
    listed,
    royal_moves,
    targets_of,
)
from alfil.game.threats import exposed, threats


def counted(board: Board) -> int:
    """How many legal moves there are."""
    danger = threats(board)
    if danger.doubtful:
        return len(listed(board))
    total = _count_royal(board, danger)
    if danger.checkers & (danger.checkers - 1):
        return total
    total += _count_moves(board, danger)
    if board.trail:
        total += len(en_passant(board))
    if board.plan.rules.drops == "yes":
        for _, squares in drops_of(board, danger):
            total += squares.bit_count()
    return total


def _count_royal(board: Board, danger: Threats) -> int:
    """How many moves `royal_moves` would list."""
    reaches = board.reaches
    square = board.royal[board.turn]
    piece = board.board[square]
    if reaches.promoting[piece] or not reaches.leaper[piece] or board.plan.file_limit[piece]:
        return len(royal_moves(board, danger))
    squares = reaches.leaps[piece * board.plan.size + square]
    if squares is None:
        squares = reaches.leap(piece, square)
    squares &= ~board.own[board.turn]
    if danger.near:
        squares = _safe(board, square, squares, danger)
    total = squares.bit_count()
    if board.plan.castle_insets[piece] and not danger.checkers:
        total += len(castling(board, piece, square))
    return total


def _safe(board: Board, square: int, squares: int, danger: Threats) -> int:
    """Those of the squares on which a royal could not be captured after going there."""
    enemy = board.own[1 - board.turn]
    without = (enemy | board.own[board.turn]) ^ board.reaches.bits[square]
    found = squares
    while squares:
        low = squares & -squares
        squares ^= low
        if exposed(board, low.bit_length() - 1, without | low, low & enemy, danger.near):
            found ^= low
    return found


def _count_moves(board: Board, danger: Threats) -> int:  # noqa: C901 - one loop; calls cost as much
    """How many moves all pieces but the royal one have; en passant is not among them."""
    reaches, sets = board.reaches, board.sets
    leaps, runs, extras = reaches.leaps, reaches.runs, reaches.extra
    occupied = board.own[0] | board.own[1]
    free = danger.targets & ~board.own[board.turn]
    pinned, total = _pinned(board, danger) if danger.pins else (0, 0)
    for piece, base, way, shifts in reaches.orders[board.turn]:
        here = sets[piece] & ~pinned
        if way == SHIFTED:
            for left, right, sources, extra in shifts:
                moved = (here & sources) << left >> right & free
                total += moved.bit_count()
                for within, more in extra:
                    total += (moved & within).bit_count() * more
            continue
        if way == OTHERWISE:
            total += _count_others(board, piece, here, free)
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


def _pinned(board: Board, danger: Threats) -> tuple[int, int]:
    """The set of pinned pieces, and how many moves they have."""
    pinned = total = 0
    for square, line in danger.pins.items():
        pinned |= board.reaches.bits[square]
        targets = targets_of(board, board.board[square], square, danger.targets & line)
        total += sum(len(acts) for _, _, acts in targets)
    return pinned, total


def _count_others(board: Board, piece: int, here: int, free: int) -> int:
    """How many moves pieces of a kind have that are neither shifted nor even."""
    reaches = board.reaches
    if not here:
        return 0
    if board.plan.file_limit[piece]:
        return _count_crowding(board, piece, here, free)
    occupied = board.own[0] | board.own[1]
    limit, base = board.plan.count_limits[piece], piece * board.plan.size
    total = 0
    for square in squares_in(here):
        count = board.made[square] if limit else UNKNOWN
        quiet, strikes, trailing = reaches.uneven(
            piece, square, count if count < limit else UNKNOWN, occupied
        )
        squares = (quiet | strikes & occupied) & free
        total += squares.bit_count()
        for within, more in reaches.extra[base + square] or ():
            total += (squares & within).bit_count() * more
        for target, _ in trailing:
            if reaches.bits[target] & free:
                total += len(board.plan.becomes(piece, square, target, captures=False))
    return total


def _count_crowding(board: Board, piece: int, here: int, free: int) -> int:
    """How many moves pieces have of which only so many may be on a file."""
    reaches = board.reaches
    if not reaches.shifts[piece]:
        targets = (targets_of(board, piece, square, free) for square in squares_in(here))
        return sum(len(acts) for each in targets for _, _, acts in each)
    limit = board.plan.file_limit[piece]
    open_files = free & ~reaches.full_files(board.sets[piece], limit)
    total = 0
    for left, right, sources, _ in reaches.shifts[piece]:
        moved = (here & sources) << left >> right
        stays = (left - right) % board.plan.files == 0
        total += (moved & (free if stays else open_files)).bit_count()
    return total
