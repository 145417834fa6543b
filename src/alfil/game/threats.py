"""Checks and pins, read off the lines to a royal piece."""

from __future__ import annotations

from collections.abc import Sequence

from alfil.game.boards import Board
from alfil.game.specials import Threats


def threats(state: Board) -> Threats:
    """What threatens the side to move."""
    reaches, sets = state.reaches, state.sets
    side = state.turn
    royal = state.royal[side]
    zones = reaches.zones[side][royal]
    if zones is None:
        zones = reaches.zone(side, state.board[royal], royal)
    near = [piece for piece, zone in zones if sets[piece] & zone]
    if not near:
        return reaches.at_peace
    return _lines(state, near, royal)


def _lines(state: Board, near: list[int], royal: int) -> Threats:
    """Checkers and pins among the pieces near."""
    reaches, plan = state.reaches, state.plan
    own, enemy = state.own[state.turn], state.own[1 - state.turn]
    occupied = own | enemy
    checkers = doubtful = 0
    targets = reaches.all
    pins: dict[int, int] = {}
    for piece in near:
        index = piece * plan.size + royal
        here = state.sets[piece] & (reaches.attackers[index] or 0)
        if here and plan.file_limit[piece]:
            here, doubt = _entering(state, piece, here, royal)
            doubtful |= doubt
        while here:
            low = here & -here
            here ^= low
            between = reaches.between[index * plan.size + low.bit_length() - 1]
            blocks = between & occupied
            if not blocks:
                checkers |= low
                targets &= between | low
            elif not blocks & (blocks - 1) and blocks & own:
                pinned = blocks.bit_length() - 1
                pins[pinned] = pins.get(pinned, reaches.all) & (between | low)
    return Threats(near, checkers, targets, pins, doubtful)


def _entering(state: Board, piece: int, here: int, royal: int) -> tuple[int, int]:
    """Which pieces with a limit on files may go to the royal's file, and what stands in the way."""
    reaches = state.reaches
    limit = state.plan.file_limit[piece]
    column = reaches.files[royal % state.plan.files]
    there = state.sets[piece] & column
    if there.bit_count() < limit:
        return here, 0
    doubt = there if here & ~column and there.bit_count() == limit else 0
    return here & column, doubt


def exposed(state: Board, royal: int, occupied: int, gone: int, pieces: Sequence[int]) -> bool:
    """Whether enemy pieces attack a square where the side to move would have its royal.

    ``occupied`` is the board after the move, ``gone`` what it captures; ``pieces`` are the enemy
    pieces to look at.
    """
    reaches, size = state.reaches, state.plan.size
    for piece in pieces:
        index = piece * size + royal
        attackers = reaches.attackers[index]
        if attackers is None:
            attackers = reaches.attacks(piece, royal)
        here = state.sets[piece] & attackers & ~gone
        if here and state.plan.file_limit[piece]:
            here &= _open_to(state, piece, royal, gone)
        if here and (reaches.leaper[piece] or _free(state, index * size, here, occupied)):
            return True
    return False


def _open_to(state: Board, piece: int, royal: int, gone: int) -> int:
    """From where a piece with a limit on files may go to the royal's file."""
    column = state.reaches.files[royal % state.plan.files]
    full = (state.sets[piece] & column & ~gone).bit_count() >= state.plan.file_limit[piece]
    return column if full else state.reaches.all


def _free(state: Board, base: int, here: int, occupied: int) -> bool:
    """Whether nothing stands in the way of one of these attackers."""
    between = state.reaches.between
    while here:
        low = here & -here
        here ^= low
        if not between[base + low.bit_length() - 1] & occupied:
            return True
    return False
