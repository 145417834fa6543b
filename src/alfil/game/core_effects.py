"""What moves change beside what goes and what they capture, in the compiled body.

As in `alfil.game.effects`: captures explode or turn to stone, walls are built, pieces turn over or
are left behind. What follows from a move of itself is found when it is made; what its mover chooses
stands in its flags, behind `EXTRA`. Moves that change nothing of the sort lack `CHANGING` there.
"""

from __future__ import annotations

from alfil.game.core import *


def change(T: Table, st: Ints, sh: Ints, oc: Ints, square: int, piece: int, top: int) -> None:
    """Put something else on a square, 0 for nothing, and write down what undoes it."""
    before = st[st[BOARD] + square]
    st[top] = square
    st[top + 1] = before
    st[top + 3] = st[st[MADE] + square]
    st[st[MADE] + square] = UNKNOWN
    if before:
        if before != T[PIECES]:
            st[top + 2] = strike(T, st, (before - 1) & 1, square)
        lift(T, st, sh, oc, square)
    if piece:
        if piece != T[PIECES]:
            enlist(T, st, (piece - 1) & 1, square, st[COUNTS + ((piece - 1) & 1)])
        put(T, st, sh, oc, square, piece)


def restore(T: Table, st: Ints, sh: Ints, oc: Ints, top: int) -> None:
    """Take back a `change`."""
    square = st[top]
    before = st[top + 1]
    piece = st[st[BOARD] + square]
    if piece:
        if piece != T[PIECES]:
            strike(T, st, (piece - 1) & 1, square)
        lift(T, st, sh, oc, square)
    if before:
        if before != T[PIECES]:
            enlist(T, st, (before - 1) & 1, square, st[top + 2])
        put(T, st, sh, oc, square, before)
    st[st[MADE] + square] = st[top + 3]


def explode(T: Table, st: Ints, sh: Ints, oc: Ints, square: int, top: int) -> int:
    """Take what stands around a square and does not withstand it; how many pieces."""
    count = 0
    around = T[T[AROUND] + square]
    for x in range(T[around]):
        q = T[around + 1 + x]
        if st[st[BOARD] + q] and T[T[BLAST] + st[st[BOARD] + q]] & TAKEN_ALONG:
            capture(T, st, sh, oc, q, top + 4 * count)
            count += 1
    return count


def is_of(T: Table, st: Ints, square: int, side: int) -> int:
    """Whether a piece of a side stands on a square."""
    piece = st[st[BOARD] + square]
    return piece and piece != T[PIECES] and ((piece - 1) & 1) == side


def row(T: Table, st: Ints, ray: int, side: int) -> int:
    """How many pieces of the other side stand in a row on a ray, up to one of a side's own."""
    count = 0
    while count < T[ray] and is_of(T, st, T[ray + 1 + count], 1 - side):
        count += 1
    return count if count < T[ray] and is_of(T, st, T[ray + 1 + count], side) else 0


def turn_over(T: Table, st: Ints, sh: Ints, oc: Ints, square: int, top: int) -> int:
    """Turn over what a move that ends on a square encloses or touches; how many pieces."""
    side = st[SIDE]
    count = 0
    if T[TURNING] == ADJACENT:
        around = T[T[AROUND] + square]
        for x in range(T[around]):
            q = T[around + 1 + x]
            if is_of(T, st, q, 1 - side):
                piece = ((st[st[BOARD] + q] - 1) ^ 1) + 1
                change(T, st, sh, oc, q, piece, top + 4 * count)
                count += 1
        return count
    for n in range(8):
        ray = T[T[RAYS] + 8 * square + n]
        for x in range(row(T, st, ray, side)):
            q = T[ray + 1 + x]
            piece = ((st[st[BOARD] + q] - 1) ^ 1) + 1
            change(T, st, sh, oc, q, piece, top + 4 * count)
            count += 1
    return count


def left_on(mv: Ints, m: int) -> int:
    """The square on which a move leaves a piece from the hand."""
    if (mv[m + FLAGS] >> EXTRA) & 1:
        return (mv[m + PARTNER] - 1) >> 11
    return mv[m + ORIGIN]


def place_extra(
    T: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int, extra: int, top: int
) -> int:
    """Build the wall, or leave the piece, that a move has chosen; how many squares change."""
    count = 0
    if T[GATING]:
        piece = 2 * (extra >> 1) - 1 + st[SIDE]
        change(T, st, sh, oc, left_on(mv, m), piece, top)
        st[st[HANDS] + st[SIDE] * T[KINDS] + (extra >> 1) - 1] -= 1
        return 1
    if T[WALLING] == DUCK:
        for q in range(T[SIZE]):
            if st[st[BOARD] + q] == T[PIECES] and not T[T[HOLES] + q]:
                change(T, st, sh, oc, q, 0, top + 4 * count)
                count += 1
    change(T, st, sh, oc, extra - 1, T[PIECES], top + 4 * count)
    return count + 1


def bring_about(
    T: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int, piece: int, taken: int, top: int
) -> int:
    """Change what a move changes besides, its piece on its way already; how many squares.

    A drop has no ``piece`` that went; ``taken`` is how many pieces the move itself captures.
    """
    origin = mv[m + ORIGIN]
    target = mv[m + TARGET]
    count = 0
    if origin == T[SIZE]:
        st[st[HANDS] + st[SIDE] * T[KINDS] + mv[m + NODE]] += T[ENDLESS]
        if T[SETTING]:
            st[st[MADE] + target] = 0
    if taken and T[EXPLODING]:
        if T[T[BLAST] + piece] & PERISHING:
            change(T, st, sh, oc, target, 0, top)
            count = 1
    elif taken and T[T[BLAST] + piece] & PETRIFYING:
        change(T, st, sh, oc, target, T[PIECES], top)
        count = 1
    elif T[TURNING]:
        count = turn_over(T, st, sh, oc, target, top)
    if T[WALLING] == LEFT and origin < T[SIZE]:
        change(T, st, sh, oc, origin, T[PIECES], top + 4 * count)
        count += 1
    extra = mv[m + FLAGS] >> EXTRA
    if extra:
        count += place_extra(T, st, sh, oc, mv, m, extra, top + 4 * count)
    return count


def take_back(T: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int, top: int) -> int:
    """Undo what a move changed besides; the place behind what it captured."""
    count = st[top - 1]
    top -= 1
    while count:
        count -= 1
        top -= 4
        restore(T, st, sh, oc, top)
    hand = st[HANDS] + st[SIDE] * T[KINDS]
    extra = mv[m + FLAGS] >> EXTRA
    if extra and T[GATING]:
        st[hand + (extra >> 1) - 1] += 1
    if mv[m + ORIGIN] == T[SIZE]:
        st[hand + mv[m + NODE]] -= T[ENDLESS]
    return top
