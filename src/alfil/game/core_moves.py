"""The list of the legal moves, in the compiled body; castling and what mates among it."""

from __future__ import annotations

from alfil.game.core_drops import *


def repeats(W: Table, T: Table, st: Ints, i: int) -> int:
    """Whether one of the nodes noted makes the same move; notes this one otherwise."""
    for x in range(st[NOTED]):
        n = st[st[NODES] + x]
        if (
            W[n] & SQUARE == W[i] & SQUARE
            and T[T[COMPANY] + n] == T[T[COMPANY] + i]
            and T[T[TRAILING] + n] == T[T[TRAILING] + i]
        ):
            return 1
    st[st[NODES] + st[NOTED]] = i
    st[NOTED] += 1
    return 0


def may_be_partner(T: Table, p: int, other: int) -> int:
    """Whether a piece castles with another one where its movement says so."""
    only = T[T[ONLY_WITH] + p] if T[ONLY_WITH] else 0
    if not only:
        return 1
    for x in range(T[only]):
        if T[only + 1 + x] == other:
            return 1
    return 0


def partner_of(T: Table, st: Ints, s: int, to: int, part: int) -> int:
    """The castling partner that stands ready, as in a move; 0 for none."""
    files = T[FILES]
    bd = st[BOARD]
    by = 1 if to > s else -1
    file = s % files
    edge = T[part + INSET]
    if by > 0:
        edge = files - 1 - edge
    at = file + by
    while at >= 0 and at < files:
        q = s - file + at
        if st[bd + q]:
            own = ((st[bd + q] - 1) & 1) == ((st[bd + s] - 1) & 1)
            far = at - file if by > 0 else file - at
            ready = own and at == edge and st[st[MADE] + q] == 0 and far > T[part + STEPS]
            if ready and may_be_partner(T, st[bd + s], st[bd + q]):
                return q * 2048 + to - by + 1
            return 0
        at += by
    return 0


def castle_to_files(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    s: int,
) -> int:  # fmt: skip
    """List the legal ways to castle to files, with partners wherever they stand."""
    p = st[st[BOARD] + s]
    files = T[FILES]
    castling = T[T[CASTLING] + p]
    rank = s - T[T[FILE_OF] + s]
    for file in range(files if castling and not st[st[MADE] + s] else 0):
        other = rank + file
        ready = 0
        for x in range(T[castling] - 2):
            ready = ready or T[castling + 3 + x] == st[st[BOARD] + other]
        if not ready or st[st[MADE] + other] or other == s:
            continue
        right = 1 if other > s else 0
        target = rank + T[castling + 1 + right]
        stop = target - 1 if right else target + 1
        low = s if s < target else target
        low = low if low < stop else stop
        low = low if low < other else other
        high = s if s > target else target
        high = high if high > stop else stop
        high = high if high > other else other
        ok = 1
        for x in range(high + 1 - low):
            if st[st[BOARD] + low + x] and low + x != s and low + x != other:
                ok = 0
        if ok and (
            T[LENIENT] or not T[T[ROYAL] + p] or may_cross(W, T, A, st, sh, oc, mv, at, s, target)
        ):
            write(mv, at, s, target, p, T[NOTHING])
            mv[at + PARTNER] = other * 2048 + stop + 1
            at = settled(W, T, A, st, sh, oc, mk, mv, at, TRIED)
    return at


def may_cross(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, at: int, s: int,
    target: int,
) -> int:  # fmt: skip
    """Whether a royal castles neither out of check nor through it; a partner on its way is gone."""
    if st[CHECKS]:
        return 0
    x = s
    while x != target:
        if x != s:
            write(mv, at, s, x, st[st[BOARD] + s], T[NOTHING])
            if not tried(W, T, A, st, sh, oc, mv, at):
                return 0
        x += 1 if target > s else -1
    return 1


def castle(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    s: int, part: int,
) -> int:  # fmt: skip
    """List the legal ways to castle by one part; the place after the last."""
    p = st[st[BOARD] + s]
    guarded = not T[LENIENT] and (not st[CAREFUL] or T[T[ROYAL] + p])
    if guarded and st[CHECKS]:
        return at
    i = T[part + FROM]
    while i < T[part + UNTIL]:
        w = W[i]
        q = w & SQUARE
        t = w >> sh[q]
        rook = 0
        if t & FORMS:
            rook = partner_of(T, st, s, q, part)
        if rook:
            by = 1 if q > s else -1
            x = s + by
            ok = 1
            while guarded and x != q and ok:
                if st[CAREFUL] and not st[st[BOARD] + x]:
                    write(mv, at, s, x, p, i)
                    ok = tried(W, T, A, st, sh, oc, mv, at)
                elif not st[st[BOARD] + x] and exposes(W, T, A, st, sh, s, x, p, i):
                    ok = 0
                x += by
            if ok:
                write(mv, at, s, q, p, i)
                mv[at + PARTNER] = rook
                if st[CAREFUL]:
                    at = settled(W, T, A, st, sh, oc, mk, mv, at, TRIED)
                elif tried(W, T, A, st, sh, oc, mv, at):
                    at += WIDTH
        if t & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS
    return at


def arriving(T: Table, sh: Ints, i: int, q: int) -> int:
    """The forms in which a piece may end on a square as that stands."""
    if sh[q] == VACANT or (sh[q] == PASSED and not T[T[PASSING] + i]):
        return T[T[QUIET] + i]
    return T[T[TAKING] + i]


def is_lined(T: Table, st: Ints, p: int) -> int:
    """Whether the moves of a piece are told by its lines, so that they have another order.

    Those of one that castles are where there is one plain royal a side.
    """
    return T[T[LINES] + p] and not (T[T[LINES] + p] > 1 and st[CAREFUL])


def sort(T: Table, mv: Ints, first: int, end: int, passant: int) -> None:
    """Bring moves of one piece, or captures en passant, into order; equal ones stay as they are."""
    m = first + WIDTH
    while m < end:
        x = m
        while x > first and rank_of(T, mv, x - WIDTH, passant) > rank_of(T, mv, x, passant):
            for y in range(WIDTH):
                kept = mv[x + y]
                mv[x + y] = mv[x + y - WIDTH]
                mv[x + y - WIDTH] = kept
            x -= WIDTH
        m += WIDTH


def rank_of(T: Table, mv: Ints, m: int, passant: int) -> int:
    """What a move is sorted by."""
    if passant:
        # The piece that moves is told by its node; the first form that arrives may be another.
        return (mv[m + PARTNER] * 2048 + mv[m + TARGET]) * 2048 + mv[m + ORIGIN]
    if mv[m + PARTNER]:
        return 8192
    if T[T[TRAILING] + mv[m + NODE]]:
        return 4096
    return mv[m + TARGET]


def is_full(T: Table, st: Ints, form: int) -> int:
    """Whether there are as many already of what others promote to as there may be."""
    limit = T[T[SIDE_LIMIT] + form]
    count = 0
    for file in range(T[FILES]):
        count += st[st[ON_FILE] + form * T[FILES] + file]
    return limit and count >= limit


def list_nodes(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    s: int, i: int, end: int, mode: int, passant: int,
) -> int:  # fmt: skip
    """List the legal moves that some nodes make; the place after the last."""
    p = st[st[BOARD] + s]
    while i < end:
        w = W[i]
        q = w & SQUARE
        t = w >> sh[q]
        if t & FORMS:
            passing = 0
            if T[T[PASSING] + i] and sh[q] == PASSED:
                passing = 1
            ok = passant >= ALL or passing == passant or not is_lined(T, st, p)
            if passant == ONLY_GAINS and sh[q] == VACANT and not T[T[TAKEN] + i]:
                ok = T[T[T[QUIET] + i] + T[T[T[QUIET] + i]]] != p
            if ok and T[T[TWINS] + p] and repeats(W, T, st, i):
                ok = False
            if ok and (st[CAREFUL] or allowed(W, T, A, st, sh, oc, mk, mv, at, s, i, mode)):
                forms = arriving(T, sh, i, q)
                for x in range(T[forms]):
                    form = T[forms + 1 + x]
                    if not fits(T, st, form, i, s, q):
                        continue
                    if T[SIDE_LIMIT] and form != p and is_full(T, st, form):
                        continue
                    write(mv, at, s, q, form, i)
                    if passing:
                        mv[at + FLAGS] = PASSANT
                    if st[CAREFUL]:
                        at = settled(W, T, A, st, sh, oc, mk, mv, at, mode)
                    else:
                        at += WIDTH
        if t & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS
    return at


def list_piece(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    s: int, mode: int, passant: int,
) -> int:  # fmt: skip
    """List the legal moves of a piece; the place after the last.

    ``passant`` is whether captures en passant are wanted, and nothing else; pieces that have no
    lines list them among the others. With `ALL` the moves come in no order, with `ONLY_GAINS`
    only those that capture or can promote.
    """
    p = st[st[BOARD] + s]
    first = at
    st[NOTED] = 0
    x = p * T[SIZE] + s
    i = T[T[BEGIN] + x]
    end = T[T[END] + x]
    parts = T[T[PARTS] + x]
    at = list_nodes(W, T, A, st, sh, oc, mk, mv, at, s, i, end, mode, passant)
    if parts:
        for n in range(T[parts]):
            part = parts + 1 + PART * n
            if holds(T, st, part, s) and not (T[part + UNCHECKED] and st[CHECKS]):
                if not T[part + STEPS]:
                    i = T[part + FROM]
                    end = T[part + UNTIL]
                    at = list_nodes(W, T, A, st, sh, oc, mk, mv, at, s, i, end, mode, passant)
                elif passant != ONLY_PASSANT and passant != ONLY_GAINS:
                    at = castle(W, T, A, st, sh, oc, mk, mv, at, s, part)
    if T[CASTLING] and T[T[CASTLING] + p] and passant != ONLY_PASSANT and passant != ONLY_GAINS:
        at = castle_to_files(W, T, A, st, sh, oc, mk, mv, at, s)
    if is_lined(T, st, p) and passant == NO_PASSANT:
        sort(T, mv, first, at, 0)
    return at


def list_free(W: Table, T: Table, sh: Ints, mv: Ints, at: int, s: int, i: int, end: int) -> int:
    """List what some nodes make of a walk, all of it legal; the place after the last."""
    while i < end:
        w = W[i]
        q = w & SQUARE
        t = w >> sh[q]
        if t & FORMS:
            forms = arriving(T, sh, i, q)
            for x in range(T[forms]):
                write(mv, at, s, q, T[forms + 1 + x], i)
                at += WIDTH
        if t & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS
    return at


def is_simple(T: Table, st: Ints, p: int) -> int:
    """Whether all that a walk finds is legal where a piece is free."""
    return not T[T[ODD] + p] and not (st[TRAIL] and (T[T[PASSES] + p] or T[HOPPING]))


def movers(T: Table, st: Ints) -> int:
    """How many pieces of the mover's list may move: none while it has to drop what is in hand."""
    if T[SETTING]:
        for kind in range(T[KINDS]):
            if st[st[HANDS] + st[SIDE] * T[KINDS] + kind]:
                return 0
    return st[COUNTS + st[SIDE]]


def is_capture(T: Table, st: Ints, mv: Ints, m: int) -> int:
    """Whether a move of the list captures anything."""
    if mv[m + ORIGIN] == T[SIZE]:
        return 0
    for x in range(captures(T, mv, m)):
        q = captured(T, st, mv, m, x)
        if q < T[SIZE] and st[st[BOARD] + q]:
            return 1
    return 0


def only_captures(T: Table, st: Ints, mv: Ints, first: int, end: int) -> int:
    """Leave nothing but captures in a list that has any; the place after the last."""
    at = first
    m = first
    while m < end:
        if is_capture(T, st, mv, m):
            for x in range(WIDTH):
                kept = mv[m + x]
                mv[m + x] = mv[at + x]
                mv[at + x] = kept
            at += WIDTH
        m += WIDTH
    return at if at > first else end


def sifted(W: Table, T: Table, A: Table, st: Ints, sh: Ints, mv: Ints, first: int, end: int) -> int:
    """What is left of a list of all moves by rules that look at all of them; the place after.

    Who has no other move may have to pass: that is told by the first royal, or the first piece.
    """
    if T[TAKE_FIRST]:
        end = only_captures(T, st, mv, first, end)
    side = st[SIDE]
    if end > first or not T[STUCK_PASSES] or not st[COUNTS + side]:
        return end
    if in_danger(W, T, A, st, sh, side):
        return end
    square = T[SIZE]
    royals = royals_of(T, st, side, ANY) + royals_of(T, st, side, LAST)
    for j in range(st[COUNTS + side]):
        s = st[st[LISTS] + side * T[SIZE] + j]
        if s < square and (not royals or T[T[ROYAL] + st[st[BOARD] + s]]):
            square = s
    write(mv, first, square, square, st[st[BOARD] + square], T[NOTHING])
    return first + WIDTH


def has_reply(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int,
) -> int:  # fmt: skip
    """Whether the side to move has any legal move."""
    danger(W, T, A, Z, st, sh, mk)
    show_trail(T, st, sh, PASSED)
    side = st[SIDE]
    k = st[ROYALS + side]
    found = 0
    if not st[CAREFUL]:
        found = list_piece(W, T, A, st, sh, oc, mk, mv, at, k, TRIED, ALL) > at
    base = st[LISTS] + side * T[SIZE]
    j = 0
    count = movers(T, st)
    while not found and j < count:
        s = st[base + j]
        j += 1
        if s != k:
            mode = mode_of(W, T, A, st, sh, mk, s)
            found = list_piece(W, T, A, st, sh, oc, mk, mv, at, s, mode, ALL) > at
    show_trail(T, st, sh, VACANT)
    if found:
        return 1
    end = list_drops(W, T, A, st, sh, oc, mk, mv, at)
    return without_mates(W, T, A, Z, st, sh, oc, mk, mv, at, end) > at


def may_mate(W: Table, T: Table, A: Table, st: Ints, sh: Ints, p: int, q: int) -> int:
    """Whether a drop may not mate, and gives check as far as lines tell."""
    if not T[T[DROP_MATE] + p]:
        return 0
    if T[HOPPING] or st[CAREFUL]:
        return 1
    k = st[ROYALS + 1 - st[SIDE]]
    a = A[(p * T[SIZE] + k) * T[SIZE] + q]
    return a and hits(W, T, st, sh, a, q, k)


def mates(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    m: int, at: int,
) -> int:  # fmt: skip
    """Whether a move of the list mates; ``at`` is free room in the list."""
    make(T, st, sh, oc, mv, m)
    side = st[SIDE]
    found = in_danger(W, T, A, st, sh, side)
    if found:
        found = not has_reply(W, T, A, Z, st, sh, oc, mk, mv, at)
    unmake(T, st, sh, oc, mv, m)
    return found


def without_mates(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    first: int, end: int,
) -> int:  # fmt: skip
    """Leave out of the drops in a list those that mate and may not; the place after the last."""
    if not T[MATING]:
        return end
    at = first
    m = first
    while m < end:
        p = mv[m + BECOMES]
        barred = may_mate(W, T, A, st, sh, p, mv[m + TARGET])
        if barred:
            barred = mates(W, T, A, Z, st, sh, oc, mk, mv, m, end)
        if not barred:
            at = copy_move(mv, m, at) + WIDTH
        m += WIDTH
    return at


def gather(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int,
) -> int:  # fmt: skip
    """List all legal moves in no order; the place after the last."""
    danger(W, T, A, Z, st, sh, mk)
    show_trail(T, st, sh, PASSED)
    side = st[SIDE]
    start = at
    for j in range(movers(T, st)):
        s = st[st[LISTS] + side * T[SIZE] + j]
        p = st[st[BOARD] + s]
        mode = mode_of(W, T, A, st, sh, mk, s)
        x = p * T[SIZE] + s
        if mode == FREE and is_simple(T, st, p) and not T[T[PARTS] + x]:
            at = list_free(W, T, sh, mv, at, s, T[T[BEGIN] + x], T[T[END] + x])
        else:
            at = list_piece(W, T, A, st, sh, oc, mk, mv, at, s, mode, ALL)
    show_trail(T, st, sh, VACANT)
    first = at
    at = list_drops(W, T, A, st, sh, oc, mk, mv, at)
    at = without_mates(W, T, A, Z, st, sh, oc, mk, mv, first, at)
    return sifted(W, T, A, st, sh, mv, start, at)


def ordered(T: Table, st: Ints) -> None:
    """Note the mover's pieces in order: the royal, then by piece and square."""
    side = st[SIDE]
    base = st[LISTS] + side * T[SIZE]
    order = st[ORDER]
    k = st[ROYALS + side]
    for j in range(st[COUNTS + side]):
        s = st[base + j]
        key = st[st[BOARD] + s] * 2048 + s
        if s == k or (st[CAREFUL] and T[T[ROYAL] + st[st[BOARD] + s]]):
            key = s
        x = order + j
        while x > order and st[x - 1] > key:
            st[x] = st[x - 1]
            x -= 1
        st[x] = key


def generate(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int,
) -> int:  # fmt: skip
    """List all legal moves in the order of `alfil.game.legal`; the place after the last."""
    danger(W, T, A, Z, st, sh, mk)
    ordered(T, st)
    show_trail(T, st, sh, PASSED)
    start = at
    count = movers(T, st)
    for j in range(count):
        s = st[st[ORDER] + j] & SQUARE
        mode = mode_of(W, T, A, st, sh, mk, s)
        at = list_piece(W, T, A, st, sh, oc, mk, mv, at, s, mode, NO_PASSANT)
    if st[TRAIL]:
        first = at
        for j in range(count):
            s = st[st[ORDER] + j] & SQUARE
            p = st[st[BOARD] + s]
            if is_lined(T, st, p):
                at = list_piece(W, T, A, st, sh, oc, mk, mv, at, s, TRIED, ONLY_PASSANT)
                x = first
                while x < at:
                    if mv[x + ORIGIN] == s:
                        mv[x + PARTNER] = p
                    x += WIDTH
        sort(T, mv, first, at, 1)
        x = first
        while x < at:
            mv[x + PARTNER] = 0
            x += WIDTH
    show_trail(T, st, sh, VACANT)
    first = at
    at = list_drops(W, T, A, st, sh, oc, mk, mv, at)
    at = without_mates(W, T, A, Z, st, sh, oc, mk, mv, first, at)
    return sifted(W, T, A, st, sh, mv, start, at)
