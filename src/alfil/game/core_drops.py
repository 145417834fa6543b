"""Which drops are legal, in the compiled body."""

from __future__ import annotations

from alfil.game.core_judging import *


def in_place(T: Table, st: Ints, p: int, q: int) -> int:
    """Whether a drop is in the opening while that lasts; then whether it touches what it must."""
    size = T[SIZE]
    side = (p - 1) & 1
    opens = T[OPENS] + side * size
    for x in range(size):
        if T[opens + x] and not is_of(T, st, x, 0) and not is_of(T, st, x, 1):
            return T[opens + q]
    if T[BESIDE_OWN]:
        around = T[T[AROUND] + q]
        lone = 1
        for x in range(T[around]):
            if is_of(T, st, T[around + 1 + x], side):
                lone = 0
        if lone:
            return 0
    if T[TURNING] != ENCLOSED:
        return 1
    for n in range(8):
        if row(T, st, T[T[RAYS] + 8 * q + n], side):
            return 1
    return 0


def on_colour(T: Table, st: Ints, oc: Ints, p: int, q: int) -> int:
    """Whether a drop leaves room on either colour for all that is limited on it."""
    side = (p - 1) & 1
    for kind in range(T[KINDS]):
        limit = T[T[COLOUR_LIMIT] + kind]
        piece = 1 + 2 * kind + side
        left = 0
        for colour in range(2 if limit else 0):
            there = 0
            room = 0
            for x in range(T[SIZE]):
                if (T[T[FILE_OF] + x] + x // T[FILES]) % 2 == colour:
                    if st[st[BOARD] + x] == piece or (x == q and p == piece):
                        there += 1
                    elif x != q and not st[st[BOARD] + x]:
                        room += oc[T[WORDS] * piece + (x >> 5)] >> (x & 31) & 1
            if there > limit:
                return 0
            left += room if room < limit - there else limit - there
        wanted = st[st[HANDS] + side * T[KINDS] + kind] - (p == piece)
        if limit and left < wanted:
            return 0
    return 1


def may_drop(W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, p: int, q: int) -> int:
    """Whether the rules for a piece let it be dropped on a free square that its ranks allow."""
    limit = T[T[DROP_LIMIT] + p]
    if limit and st[st[ON_FILE] + p * T[FILES] + T[T[FILE_OF] + q]] >= limit:
        return 0
    check = T[T[DROP_CHECK] + p]
    if check & IN_PLACE and not in_place(T, st, p, q):
        return 0
    if check & ON_COLOUR and not on_colour(T, st, oc, p, q):
        return 0
    check &= CHECKING | QUIETLY
    if T[EFFECTS]:
        # That depends on all that a drop changes.
        return 1
    if check and st[CAREFUL]:
        made = st[st[MADE] + q]
        st[st[BOARD] + q] = p
        st[st[MADE] + q] = DROPPED if T[T[STARTS] + q] == p else UNKNOWN
        sh[q] = T[T[SHIFT] + p]
        hit = strikes(W, T, st, sh, q)
        st[st[BOARD] + q] = 0
        st[st[MADE] + q] = made
        sh[q] = VACANT
        return hit == (check == CHECKING)
    if check:
        k = st[ROYALS + 1 - ((p - 1) & 1)]
        a = A[(p * T[SIZE] + k) * T[SIZE] + q]
        hit = 0
        if a:
            hit = hits(W, T, st, sh, a, q, k)
        if check == CHECKING:
            return hit
        return not hit
    return 1


def landing(T: Table, st: Ints, oc: Ints, p: int, word: int) -> int:
    """The squares of one word on which a piece may be dropped by ranks and full files."""
    words = T[WORDS]
    m = oc[words * p + word]
    limit = T[T[DROP_LIMIT] + p]
    if limit:
        for file in range(T[FILES]):
            if st[st[ON_FILE] + p * T[FILES] + file] >= limit:
                m &= ~oc[words * (T[PIECES] + file) + word]
    return m


def is_landing(T: Table, oc: Ints, p: int, q: int) -> int:
    """Whether a square is free and a piece may be dropped there by its ranks."""
    return (oc[T[WORDS] * p + (q >> 5)] & ~oc[q >> 5]) >> (q & 31) & 1


def in_hand(T: Table, st: Ints, side: int, x: int) -> int:
    """The kind in hand that is put down by one way to drop; -1 where there is none.

    A form that may be put down from two kinds in the hand is put down once.
    """
    droppable = T[T[DROPPABLE] + side]
    hand = st[HANDS] + side * T[KINDS]
    kind = T[droppable + 1 + 2 * x]
    if not st[hand + kind]:
        return -1
    if T[TWO_KINDS]:
        p = T[droppable + 2 + 2 * x]
        for y in range(x):
            if T[droppable + 2 + 2 * y] == p and st[hand + T[droppable + 1 + 2 * y]]:
                return -1
        if st[hand + ((p - 1) >> 1)]:
            return (p - 1) >> 1
    return kind


def keeps_rules(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int
) -> int:
    """Whether a drop of the list is legal, which depends on all that it changes."""
    side = st[SIDE]
    check = T[T[DROP_CHECK] + mv[m + BECOMES]] & (CHECKING | QUIETLY)
    make(T, st, sh, oc, mv, m)
    ok = not st[FACED] or not facing(T, st)
    if ok and check:
        ok = strikes(W, T, st, sh, mv[m + TARGET]) == (check == CHECKING)
    if ok and T[STILL]:
        ok = not in_danger(W, T, A, st, sh, 1 - side)
    if ok and not T[LENIENT]:
        ok = not in_danger(W, T, A, st, sh, side)
    unmake(T, st, sh, oc, mv, m)
    return ok


def kept(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, first: int, end: int
) -> int:
    """Leave the legal ones among drops in a list that build walls; the place after the last."""
    at = first
    m = first
    while m < end:
        if keeps_rules(W, T, A, st, sh, oc, mv, m):
            at = copy_move(mv, m, at) + WIDTH
        m += WIDTH
    return at


def keeps_safe(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, m: int
) -> int:
    """Whether a drop of the list gives no check where none may, and leaves no royal open."""
    if T[EFFECTS]:
        return keeps_rules(W, T, A, st, sh, oc, mv, m)
    marked = mk[mv[m + TARGET]] == st[STAMP]
    found = 0
    if T[STILL] or st[FACED]:
        make(T, st, sh, oc, mv, m)
        found = st[FACED] and facing(T, st)
        if T[STILL] and not found:
            found = in_danger(W, T, A, st, sh, st[SIDE])
        unmake(T, st, sh, oc, mv, m)
    if not found and not T[LENIENT] and (st[CHECKS] or marked or T[T[ROYAL] + mv[m + BECOMES]]):
        found = not tried(W, T, A, st, sh, oc, mv, m)
        # Drops are listed while no trail is shown.
        show_trail(T, st, sh, VACANT)
    return not found


def drop(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    kind: int, p: int,
) -> int:  # fmt: skip
    """List the legal drops of a piece, those that mate among them; the place after the last."""
    stamp = st[STAMP]
    for word in range(T[WORDS]):
        m = landing(T, st, oc, p, word) & ~oc[word]
        while m:
            q = word * 32 + lowest(m)
            m &= m - 1
            if st[CHECKS] and mk[q] != stamp and not st[HOPPED]:
                continue
            if T[T[DROP_CHECK] + p] and not may_drop(W, T, A, st, sh, oc, p, q):
                continue
            write(mv, at, T[SIZE], q, p, kind)
            if st[CAREFUL]:
                if T[EFFECTS] or T[ENDLESS] or T[SETTING]:
                    mv[at + FLAGS] = CHANGING
                if T[WALLING] and T[WALLING] != LEFT:
                    end = with_walls(W, T, A, st, sh, oc, mk, mv, at, FREE)
                    at = kept(W, T, A, st, sh, oc, mv, at, end)
                    continue
                if not keeps_safe(W, T, A, st, sh, oc, mk, mv, at):
                    continue
            elif st[CHECKS] or (mk[q] == stamp and st[HOPPED]):
                if exposes(W, T, A, st, sh, T[SIZE], q, p, 0):
                    continue
            at += WIDTH
    return at


def list_drops(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int
) -> int:
    """List the legal drops, those that mate among them; the place after the last."""
    droppable = T[T[DROPPABLE] + st[SIDE]]
    for x in range(T[droppable]):
        kind = in_hand(T, st, st[SIDE], x)
        if kind >= 0:
            at = drop(W, T, A, st, sh, oc, mk, mv, at, kind, T[droppable + 2 + 2 * x])
    return at
