"""Which moves are legal, in the compiled body, and the list of them."""

from __future__ import annotations

from alfil.game.core_attacks import *


def mode_of(W: Table, T: Table, A: Table, st: Ints, sh: Ints, mk: Ints, s: int) -> int:
    """How the moves of a piece are judged."""
    marked = mk[s] == st[STAMP]
    if s == st[ROYALS + st[SIDE]]:
        return TRIED
    if st[CAREFUL]:
        if marked or st[CHECKS] or T[T[ROYAL] + st[st[BOARD] + s]]:
            return TRIED
        return TOUCHING
    if st[CHECKS]:
        if marked or st[HOPPED]:
            return TRIED
        return ONLY_TOUCHING
    if not marked:
        return TOUCHING if st[HOPPED] else FREE
    if not st[HOPPED] and not T[T[SPECIAL] + st[st[BOARD] + s]]:
        was = sh[s]
        sh[s] = VACANT
        pinned = is_open(W, T, A, st, sh, st[ROYALS + st[SIDE]], 1 - st[SIDE], 1)
        sh[s] = was
        if not pinned:
            return FREE
    return TRIED


def tried(W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int) -> int:
    """Whether a move, made in full, leaves its side's royal safe."""
    side = st[SIDE]
    show_trail(T, st, sh, VACANT)
    make(T, st, sh, oc, mv, m)
    show_trail(T, st, sh, PASSED)
    found = in_danger(W, T, A, st, sh, side)
    show_trail(T, st, sh, VACANT)
    unmake(T, st, sh, oc, mv, m)
    show_trail(T, st, sh, PASSED)
    return not found


def allowed(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    s: int, i: int, mode: int,
) -> int:  # fmt: skip
    """Whether a move by a node is legal; ``at`` is free room in the list of moves."""
    q = W[i] & SQUARE
    p = st[st[BOARD] + s]
    k = st[ROYALS + st[SIDE]]
    stamp = st[STAMP]
    passant = T[T[PASSING] + i] and sh[q] == PASSED
    if s != k and (q == k or takes(T, i, k)):
        return 0
    touched = mk[q] == stamp
    c = T[T[TAKEN] + i]
    taken = 0
    if c:
        for x in range(T[c]):
            if mk[T[c + 1 + x]] == stamp:
                taken = 1
    if passant or (T[HOPPING] and (st[TRAIL] or T[T[TRAILING] + i])):
        write(mv, at, s, q, p, i)
        mv[at + FLAGS] = PASSANT if passant else 0
        return tried(W, T, A, st, sh, oc, mv, at)
    if mode == ONLY_TOUCHING and not (touched or taken):
        return 0
    if mode == FREE and not taken:
        return 1
    if mode == TOUCHING and not (touched or taken):
        return 1
    return not exposes(W, T, A, st, sh, s, q, p, i)


def judged(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, m: int,
    mode: int,
) -> int:  # fmt: skip
    """Whether a move of the list, no drop, is legal, whatever royals there are."""
    side = st[SIDE]
    if T[IRON] and breaks_iron(T, st, mv, m):
        return 0
    if loses(T, st, mv, m, 1 - side) or T[LENIENT]:
        return 1
    if loses(T, st, mv, m, side):
        return 0
    node = mv[m + NODE]
    touched = mode == TRIED or T[T[ROYAL] + mv[m + BECOMES]] or T[T[TRAILING] + node]
    touched = touched or mk[mv[m + TARGET]] == st[STAMP]
    for x in range(captures(T, mv, m)):
        square = captured(T, st, mv, m, x)
        touched = touched or mk[square] == st[STAMP]
    return not touched or tried(W, T, A, st, sh, oc, mv, m)


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
            if own and at == edge and st[st[MADE] + q] == 0 and far > T[part + STEPS]:
                return q * 2048 + to - by + 1
            return 0
        at += by
    return 0


def castle(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, at: int, s: int,
    part: int,
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
                if T[LENIENT] or tried(W, T, A, st, sh, oc, mv, at):
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


def may_drop(W: Table, T: Table, A: Table, st: Ints, sh: Ints, p: int, q: int) -> int:
    """Whether the rules for a piece let it be dropped on a free square that its ranks allow."""
    limit = T[T[DROP_LIMIT] + p]
    if limit and st[st[ON_FILE] + p * T[FILES] + T[T[FILE_OF] + q]] >= limit:
        return 0
    check = T[T[DROP_CHECK] + p]
    if check and st[CAREFUL]:
        st[st[BOARD] + q] = p
        sh[q] = T[T[SHIFT] + p]
        hit = strikes(W, T, st, sh, q)
        st[st[BOARD] + q] = 0
        sh[q] = VACANT
        return hit == (check == 1)
    if check:
        k = st[ROYALS + 1 - ((p - 1) & 1)]
        a = A[(p * T[SIZE] + k) * T[SIZE] + q]
        hit = 0
        if a:
            hit = hits(W, T, st, sh, a, q, k)
        if check == 1:
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
            marked = mk[q] == stamp
            if st[CHECKS] and not marked and not st[HOPPED]:
                continue
            if T[T[DROP_CHECK] + p] and not may_drop(W, T, A, st, sh, p, q):
                continue
            write(mv, at, T[SIZE], q, p, kind)
            if st[CAREFUL]:
                if not T[LENIENT] and (st[CHECKS] or marked or T[T[ROYAL] + p]):
                    if not tried(W, T, A, st, sh, oc, mv, at):
                        continue
            elif st[CHECKS] or (marked and st[HOPPED]):
                if exposes(W, T, A, st, sh, T[SIZE], q, p, 0):
                    continue
            at += WIDTH
    return at


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
    while not found and j < st[COUNTS + side]:
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
            for x in range(WIDTH):
                mv[at + x] = mv[m + x]
            at += WIDTH
        m += WIDTH
    return at


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
        return 4096 + mv[m + TARGET]
    return mv[m + TARGET]


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
            ok = passant >= ALL or passing == passant or not T[T[LINES] + p]
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
                    write(mv, at, s, q, form, i)
                    if passing:
                        mv[at + FLAGS] = PASSANT
                    if not st[CAREFUL] or judged(W, T, A, st, sh, oc, mk, mv, at, mode):
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
            if holds(T, st, part, s):
                if not T[part + STEPS]:
                    i = T[part + FROM]
                    end = T[part + UNTIL]
                    at = list_nodes(W, T, A, st, sh, oc, mk, mv, at, s, i, end, mode, passant)
                elif passant != ONLY_PASSANT and passant != ONLY_GAINS:
                    at = castle(W, T, A, st, sh, oc, mv, at, s, part)
    if T[T[LINES] + p] and passant == NO_PASSANT:
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


def gather(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int,
) -> int:  # fmt: skip
    """List all legal moves in no order; the place after the last."""
    danger(W, T, A, Z, st, sh, mk)
    show_trail(T, st, sh, PASSED)
    side = st[SIDE]
    for j in range(st[COUNTS + side]):
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
    return without_mates(W, T, A, Z, st, sh, oc, mk, mv, first, at)


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
    side = st[SIDE]
    for j in range(st[COUNTS + side]):
        s = st[st[ORDER] + j] & SQUARE
        mode = mode_of(W, T, A, st, sh, mk, s)
        at = list_piece(W, T, A, st, sh, oc, mk, mv, at, s, mode, NO_PASSANT)
    if st[TRAIL]:
        first = at
        for j in range(st[COUNTS + side]):
            s = st[st[ORDER] + j] & SQUARE
            p = st[st[BOARD] + s]
            if T[T[LINES] + p]:
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
    return without_mates(W, T, A, Z, st, sh, oc, mk, mv, first, at)
