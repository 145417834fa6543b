"""Moves made and unmade, in the compiled body."""

from __future__ import annotations

from alfil.game.core_effects import *


def make(T: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int) -> None:
    """Make a move of the list; `unmake` takes the last one back."""
    side = st[SIDE]
    origin = mv[m + ORIGIN]
    target = mv[m + TARGET]
    node = mv[m + NODE]
    top = st[UNDO] + st[UNDONE]
    first = top
    taken = 0
    trail = 0
    if origin == T[SIZE]:
        st[st[HANDS] + side * T[KINDS] + node] -= 1
        made = st[st[MADE] + target]
        piece = 0
        enlist(T, st, side, target, st[COUNTS + side])
        st[st[MADE] + target] = UNKNOWN
        if T[T[STARTS] + target] == mv[m + BECOMES]:
            st[st[MADE] + target] = DROPPED
        put(T, st, sh, oc, target, mv[m + BECOMES])
    else:
        piece = st[st[BOARD] + origin]
        stays = is_pass(T, st, mv, m)
        c = T[T[TAKEN] + node]
        if c:
            for x in range(T[c]):
                if st[st[BOARD] + T[c + 1 + x]]:
                    capture(T, st, sh, oc, T[c + 1 + x], top)
                    top += 4
                    taken += 1
        if mv[m + FLAGS] & PASSANT:
            capture(T, st, sh, oc, st[VICTIM], top)
            top += 4
            taken += 1
        elif target != origin and st[st[BOARD] + target] and not mv[m + PARTNER]:
            capture(T, st, sh, oc, target, top)
            top += 4
            taken += 1
        made = st[st[MADE] + origin]
        place = st[st[PLACES] + origin]
        lift(T, st, sh, oc, origin)
        st[st[MADE] + origin] = UNKNOWN
        if mv[m + PARTNER]:
            rook = (mv[m + PARTNER] - 1) >> 11
            stop = (mv[m + PARTNER] - 1) & SQUARE
            count = one_more(st[st[MADE] + rook])
            carry(T, st, sh, oc, side, rook, stop)
            st[st[MADE] + rook] = UNKNOWN
            st[st[MADE] + stop] = count
        st[st[LISTS] + side * T[SIZE] + place] = target
        st[st[PLACES] + target] = place
        put(T, st, sh, oc, target, mv[m + BECOMES])
        st[st[MADE] + target] = made if stays else one_more(made)
        if st[ROYALS + side] == origin:
            st[ROYALS + side] = target
        trail = T[T[TRAILING] + node]
    if mv[m + FLAGS] & CHANGING:
        blasted = 0
        if taken and T[EXPLODING]:
            blasted = explode(T, st, sh, oc, target, top)
            top += 4 * blasted
        changed = bring_about(T, st, sh, oc, mv, m, piece, taken, top)
        taken += blasted
        top += 4 * changed + 1
        st[top - 1] = changed
    st[top] = taken
    st[top + 1] = piece
    st[top + 2] = made
    st[top + 3] = st[TRAIL]
    st[top + 4] = st[VICTIM]
    st[top + 5] = first - st[UNDO]
    st[UNDONE] = top + 6 - st[UNDO]
    st[TRAIL] = trail
    st[VICTIM] = target
    st[SIDE] = 1 - side


def unmake(T: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int) -> None:
    """Take back the last move, which stands in the list."""
    side = 1 - st[SIDE]
    st[SIDE] = side
    top = st[UNDO] + st[UNDONE] - 6
    origin = mv[m + ORIGIN]
    target = mv[m + TARGET]
    st[TRAIL] = st[top + 3]
    st[VICTIM] = st[top + 4]
    st[UNDONE] = st[top + 5]
    taken = st[top]
    piece = st[top + 1]
    made = st[top + 2]
    if mv[m + FLAGS] & CHANGING:
        top = take_back(T, st, sh, oc, mv, m, top)
    place = st[st[PLACES] + target]
    lift(T, st, sh, oc, target)
    if origin == T[SIZE]:
        st[st[HANDS] + side * T[KINDS] + mv[m + NODE]] += 1
        strike(T, st, side, target)
        st[st[MADE] + target] = made
        return
    if st[ROYALS + side] == target:
        st[ROYALS + side] = origin
    st[st[MADE] + target] = UNKNOWN
    if mv[m + PARTNER]:
        rook = (mv[m + PARTNER] - 1) >> 11
        stop = (mv[m + PARTNER] - 1) & SQUARE
        carry(T, st, sh, oc, side, stop, rook)
        st[st[MADE] + stop] = UNKNOWN
        st[st[MADE] + rook] = 0
    st[st[LISTS] + side * T[SIZE] + place] = origin
    st[st[PLACES] + origin] = place
    put(T, st, sh, oc, origin, piece)
    st[st[MADE] + origin] = made
    while taken:
        taken -= 1
        top -= 4
        square = st[top]
        piece = st[top + 1]
        enlist(T, st, (piece - 1) & 1, square, st[top + 2])
        put(T, st, sh, oc, square, piece)
        st[st[MADE] + square] = st[top + 3]
        if T[T[HELD] + piece]:
            st[st[HANDS] + side * T[KINDS] + T[T[HELD] + piece] - 1] -= 1


def tell_changes(
    T: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, first: int, end: int, out: Ints
) -> None:
    """Say of each move of a list what it captures and what it changes besides.

    ``out`` has for each one how many squares that are and those squares, then how many changes
    follow, and of each the square and what it puts there.
    """
    n = 0
    m = first
    while m < end:
        make(T, st, sh, oc, mv, m)
        top = st[UNDO] + st[UNDONE] - 6
        place = st[UNDO] + st[top + 5]
        out[n] = st[top]
        n += 1
        for x in range(st[top]):
            out[n] = st[place + 4 * x]
            n += 1
        place += 4 * st[top]
        count = st[top - 1] if mv[m + FLAGS] & CHANGING else 0
        out[n] = count
        n += 1
        for x in range(count):
            square = st[place + 4 * x]
            out[n] = square
            out[n + 1] = st[st[BOARD] + square]
            for y in range(count - 1 - x):
                # What the last one found there, where a square changes again.
                again = place + 4 * (count - 1 - y)
                if st[again] == square:
                    out[n + 1] = st[again + 1]
            n += 2
        unmake(T, st, sh, oc, mv, m)
        m += WIDTH
