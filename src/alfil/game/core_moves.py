"""Which moves are legal, in the compiled body: what threatens a royal, and the list of moves."""

from __future__ import annotations

from alfil.game.core import *


def fits(T: Table, st: Ints, form: int, node: int, origin: int, target: int) -> int:
    """Whether a form may arrive by a node without crowding a file; what it takes leaves room."""
    limit = T[T[LIMIT] + form]
    file = T[T[FILE_OF] + target]
    if not limit or T[T[FILE_OF] + origin] == file:
        return 1
    there = st[st[ON_FILE] + form * T[FILES] + file]
    if target != origin and st[st[BOARD] + target] == form:
        there -= 1
    c = T[T[TAKEN] + node]
    if c:
        for x in range(T[c]):
            q = T[c + 1 + x]
            if st[st[BOARD] + q] == form and T[T[FILE_OF] + q] == file:
                there -= 1
    return there < limit


def has_room(T: Table, st: Ints, forms: int, node: int, origin: int, target: int) -> int:
    """How many of a list of forms may arrive by a node without crowding a file."""
    count = 0
    for x in range(T[forms]):
        count += fits(T, st, T[forms + 1 + x], node, origin, target)
    return count


def takes(T: Table, node: int, square: int) -> int:
    """Whether a node captures on a square before its last one."""
    c = T[T[TAKEN] + node]
    if c:
        for x in range(T[c]):
            if T[c + 1 + x] == square:
                return 1
    return 0


def hits(W: Table, T: Table, st: Ints, sh: Ints, aims: int, origin: int, royal: int) -> int:
    """Whether a piece on a square could capture a royal, by one of these branches."""
    for b in range(T[aims]):
        i = T[aims + 1 + 2 * b]
        end = T[aims + 2 + 2 * b]
        while i < end:
            w = W[i]
            q = w & SQUARE
            t = w >> sh[q]
            if t & FORMS and (q == royal or takes(T, i, royal)):
                if not T[LIMITED] or has_room(T, st, T[T[TAKING] + i], i, origin, q):
                    return 1
            if t & ON:
                i += 1
            else:
                i += (w >> SKIP_AT) & SKIPS
    return 0


def is_open(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, royal: int, enemy: int, near: int
) -> int:
    """Whether an enemy could capture on a royal's square; ``near`` tells which ones to look at.

    0 for all of them, 1 for those that aim at the royal where it stands, 2 at squares beside it.
    """
    size = T[SIZE]
    base = st[LISTS] + enemy * size
    count = st[COUNTS + enemy]
    if near == 1:
        base = st[NEAR]
        count = st[NEARS]
    elif near == 2:
        base = st[BESIDE]
        count = st[BESIDES]
    for j in range(count):
        s = st[base + j]
        p = st[st[BOARD] + s]
        if p and ((p - 1) & 1) == enemy:
            a = A[(p * size + royal) * size + s]
            if a and hits(W, T, st, sh, a, s, royal):
                return 1
    return 0


def exposes(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, f: int, to: int, becomes: int, node: int
) -> int:
    """Whether a move leaves its side's one royal open; a drop comes from the number of squares.

    Castling and en passant are made in full by `tried`.
    """
    side = st[SIDE]
    bd = st[BOARD]
    files = T[FILES]
    k = st[ROYALS + side]
    near = 1
    c = 0
    pf = 0
    if f < T[SIZE]:
        pf = st[bd + f]
        if f == k:
            k = to
            near = 2
        st[bd + f] = 0
        sh[f] = VACANT
        c = T[T[TAKEN] + node]
    base = st[UNDO] + st[UNDONE]
    count = 0
    if c:
        for x in range(T[c]):
            q = T[c + 1 + x]
            pc = st[bd + q]
            st[base + x] = pc
            count += 1
            st[bd + q] = 0
            sh[q] = VACANT
            st[st[ON_FILE] + pc * files + T[T[FILE_OF] + q]] -= 1
    pt = st[bd + to]
    was = sh[to]
    st[bd + to] = 0
    sh[to] = T[T[SHIFT] + becomes]
    st[st[ON_FILE] + pt * files + T[T[FILE_OF] + to]] -= 1
    found = is_open(W, T, A, st, sh, k, 1 - side, near)
    st[st[ON_FILE] + pt * files + T[T[FILE_OF] + to]] += 1
    sh[to] = was
    st[bd + to] = pt
    while count:
        count -= 1
        q = T[c + 1 + count]
        pc = st[base + count]
        st[bd + q] = pc
        sh[q] = T[T[SHIFT] + pc]
        st[st[ON_FILE] + pc * files + T[T[FILE_OF] + q]] += 1
    if f < T[SIZE]:
        st[bd + f] = pf
        sh[f] = T[T[SHIFT] + pf]
    return found


def look(W: Table, T: Table, st: Ints, sh: Ints, mk: Ints, aims: int, s: int, royal: int) -> None:
    """Mark what a piece looks at that aims at a royal; checks are counted, the last is noted."""
    stamp = st[STAMP]
    p = st[st[BOARD] + s]
    mk[s] = stamp
    for b in range(T[aims]):
        first = T[aims + 1 + 2 * b]
        end = T[aims + 2 + 2 * b]
        i = first
        hit = 0
        while i < end:
            w = W[i]
            q = w & SQUARE
            t = w >> sh[q]
            mk[q] = stamp
            if t & FORMS and (q == royal or takes(T, i, royal)):
                if not T[LIMITED] or has_room(T, st, T[T[TAKING] + i], i, s, q):
                    hit = 1
            if t & ON:
                i += 1
            else:
                i += (w >> SKIP_AT) & SKIPS
        if hit:
            st[CHECKS] += 1
            st[CHECKER] = s
            st[CHECK_FROM] = first
            st[CHECK_UNTIL] = end
    if T[T[CROWDS] + p] and T[T[FILE_OF] + s] != T[T[FILE_OF] + royal]:
        # Where one of those that fill a file is captured, this one may enter it.
        st[HOPPED] = 1
        base = st[LISTS] + ((p - 1) & 1) * T[SIZE]
        for j in range(st[COUNTS + ((p - 1) & 1)]):
            if T[T[LIMIT] + st[st[BOARD] + st[base + j]]]:
                mk[st[base + j]] = stamp


def danger(W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, mk: Ints) -> None:
    """Find what threatens the mover's royal, and mark the squares on which that depends.

    In check only those of one attack are marked: a move must change one of them to end it.
    """
    size = T[SIZE]
    side = st[SIDE]
    k = st[ROYALS + side]
    base = st[LISTS] + (1 - side) * size
    near = st[NEAR]
    beside = st[BESIDE]
    st[STAMP] += 1
    st[CHECKS] = 0
    st[HOPPED] = 0
    for j in range(st[COUNTS + 1 - side]):
        s = st[base + j]
        p = st[st[BOARD] + s]
        at = (p * size + k) * size + s
        z = Z[at]
        if z & 2:
            st[beside] = s
            beside += 1
        if z & 1:
            st[near] = s
            near += 1
            if T[T[HOPS] + p]:
                st[HOPPED] = 1
            look(W, T, st, sh, mk, A[at], s, k)
    st[NEARS] = near - st[NEAR]
    st[BESIDES] = beside - st[BESIDE]
    if st[CHECKS]:
        st[STAMP] += 1
        mk[st[CHECKER]] = st[STAMP]
        i = st[CHECK_FROM]
        while i < st[CHECK_UNTIL]:
            w = W[i]
            q = w & SQUARE
            mk[q] = st[STAMP]
            if (w >> sh[q]) & ON:
                i += 1
            else:
                i += (w >> SKIP_AT) & SKIPS


def mode_of(W: Table, T: Table, A: Table, st: Ints, sh: Ints, mk: Ints, s: int) -> int:
    """How the moves of a piece are judged."""
    marked = mk[s] == st[STAMP]
    if s == st[ROYALS + st[SIDE]]:
        return TRIED
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
    found = is_open(W, T, A, st, sh, st[ROYALS + side], 1 - side, 0)
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
    if st[CHECKS]:
        return at
    p = st[st[BOARD] + s]
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
            while x != q and ok:
                if not st[st[BOARD] + x] and exposes(W, T, A, st, sh, s, x, p, i):
                    ok = 0
                x += by
            if ok:
                write(mv, at, s, q, p, i)
                mv[at + PARTNER] = rook
                if tried(W, T, A, st, sh, oc, mv, at):
                    at += WIDTH
        if t & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS
    return at


def holds(T: Table, st: Ints, part: int, s: int) -> int:
    """Whether the condition of a part on the piece's past holds."""
    made = st[st[MADE] + s]
    if made == DROPPED:
        made = 0
    kind = T[part + HOLDS]
    if kind == MOVES_MADE:
        return made == T[part + VALUE]
    if kind == EVERY:
        return made == UNKNOWN or (made + 1) % T[part + VALUE] == 0
    return 1


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
            if (st[CHECKS] or (marked and st[HOPPED])) and exposes(
                W, T, A, st, sh, T[SIZE], q, p, 0
            ):
                continue
            write(mv, at, T[SIZE], q, p, kind)
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
    hand = st[HANDS] + st[SIDE] * T[KINDS]
    for x in range(T[droppable]):
        if st[hand + T[droppable + 1 + 2 * x]]:
            kind = T[droppable + 1 + 2 * x]
            at = drop(W, T, A, st, sh, oc, mk, mv, at, kind, T[droppable + 2 + 2 * x])
    return at


def may_mate(W: Table, T: Table, A: Table, st: Ints, sh: Ints, p: int, q: int) -> int:
    """Whether a drop may not mate, and gives check as far as lines tell."""
    if not T[T[DROP_MATE] + p]:
        return 0
    if T[HOPPING]:
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
    found = is_open(W, T, A, st, sh, st[ROYALS + side], 1 - side, 0)
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
            ok = passant == ALL or passing == passant or not T[T[LINES] + p]
            if ok and T[T[TWINS] + p] and repeats(W, T, st, i):
                ok = False
            if ok and allowed(W, T, A, st, sh, oc, mk, mv, at, s, i, mode):
                forms = arriving(T, sh, i, q)
                for x in range(T[forms]):
                    form = T[forms + 1 + x]
                    if not fits(T, st, form, i, s, q):
                        continue
                    write(mv, at, s, q, form, i)
                    if passing:
                        mv[at + FLAGS] = PASSANT
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
    lines list them among the others. With `ALL` the moves come in no order, to be counted.
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
                elif passant != ONLY_PASSANT:
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
        if s == k:
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
