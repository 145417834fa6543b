"""How many legal moves there are, without listing most of them.

Moves of pieces of one kind are counted together where they leap, drops as sets of squares.
"""

from __future__ import annotations

from alfil.game.boards import Board
from alfil.game.swift import (
    castling,
    destinations,
    drops_of,
    en_passant,
    listed,
    royal_moves,
    targets_of,
)
from alfil.game.threats import Threats, threats


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
    square = board.royal[board.turn]
    piece = board.board[square]
    if danger.near or board.reaches.promoting[piece] or not board.reaches.leaper[piece]:
        return len(royal_moves(board, danger))
    squares = board.reaches.leaps[piece * board.plan.size + square]
    if squares is None:
        squares = board.reaches.leap(piece, square)
    total = (squares & ~board.own[board.turn]).bit_count()
    if board.plan.castle_insets[piece]:
        total += len(castling(board, piece, square))
    return total


def _count_moves(board: Board, danger: Threats) -> int:
    """How many moves `_list_moves` would add."""
    reaches, sets = board.reaches, board.sets
    counters = reaches.counters
    free = danger.targets & ~board.own[board.turn]
    if not danger.pins:
        return sum(
            [
                COUNTERS[counters[piece]](board, piece, sets[piece], free)
                for piece in reaches.sides[board.turn]
                if sets[piece]
            ]
        )
    pinned = total = 0
    for square, line in danger.pins.items():
        pinned |= reaches.bits[square]
        targets = targets_of(board, board.board[square], square, danger.targets & line)
        total += sum(len(acts) for _, _, acts in targets)
    for piece in reaches.sides[board.turn]:
        here = sets[piece] & ~pinned
        if here:
            total += COUNTERS[counters[piece]](board, piece, here, free)
    return total


def _count_shifted(board: Board, piece: int, here: int, free: int) -> int:
    """How many moves all pieces of a kind have together, leap by leap."""
    reaches = board.reaches
    limit = board.plan.file_limit[piece]
    narrow = free
    if limit:
        narrow &= ~reaches.full_files(board.sets[piece], limit)
    total = 0
    for by, sources, extra, sideways in reaches.shifts[piece]:
        moved = here & sources
        moved = moved << by if by > 0 else moved >> -by
        moved &= narrow if sideways else free
        total += moved.bit_count()
        for squares, more in extra:
            total += (moved & squares).bit_count() * more
    return total


def _count_leaping(board: Board, piece: int, here: int, free: int) -> int:
    """How many moves leapers of a kind have, one after the other."""
    reaches = board.reaches
    base = piece * board.plan.size
    leaps, extras = reaches.leaps, reaches.extra
    total = 0
    while here:
        low = here & -here
        here ^= low
        index = base + low.bit_length() - 1
        squares = leaps[index]
        if squares is None:
            squares = reaches.leap(piece, index - base)
        squares &= free
        total += squares.bit_count()
        extra = extras[index]
        if extra is None:
            extra = reaches.extras(piece, index - base)
        for within, more in extra:
            total += (squares & within).bit_count() * more
    return total


def _count_running(board: Board, piece: int, here: int, free: int) -> int:
    """How many moves running pieces of a kind have, one after the other."""
    reaches = board.reaches
    base = piece * board.plan.size
    occupied = board.own[0] | board.own[1]
    runs, extras = reaches.runs, reaches.extra
    total = 0
    while here:
        low = here & -here
        here ^= low
        index = base + low.bit_length() - 1
        looks, known = runs[index] or reaches.new_run(piece, index - base)
        squares = known.get(occupied & looks)
        if squares is None:
            squares = reaches.run(piece, index - base, occupied)
        squares &= free
        total += squares.bit_count()
        extra = extras[index]
        if extra is None:
            extra = reaches.extras(piece, index - base)
        for within, more in extra:
            total += (squares & within).bit_count() * more
    return total


def _count_any(board: Board, piece: int, here: int, free: int) -> int:
    """How many moves pieces of any kind have, one after the other."""
    reaches = board.reaches
    total = 0
    for square in reaches.squares(here):
        squares, trailing = destinations(board, piece, square)
        squares &= free
        total += squares.bit_count()
        if reaches.promoting[piece]:
            for within, more in reaches.extras(piece, square):
                total += (squares & within).bit_count() * more
        for target, _ in trailing:
            if reaches.bits[target] & free:
                total += len(board.plan.becomes(piece, square, target, captures=False))
    return total


def _count_none(_board: Board, _piece: int, _here: int, _free: int) -> int:
    """A royal piece's moves are counted by themselves."""
    return 0


# By the number `Reaches.counters` has for each piece.
COUNTERS = (_count_none, _count_shifted, _count_leaping, _count_running, _count_any)
