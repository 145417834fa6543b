"""Royals open to capture, in the compiled body, and the squares on which that depends."""

from __future__ import annotations

from alfil.game.core_making import *


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


def holds(T: Table, st: Ints, part: int, s: int) -> int:
    """Whether the conditions of a part on the piece's past hold."""
    made = st[st[MADE] + s]
    if made == DROPPED:
        made = 0
    listed = T[part + HOLDS]
    if listed:
        for x in range(T[listed] // 2):
            value = T[listed + 2 + 2 * x]
            if T[listed + 1 + 2 * x] == MOVES_MADE:
                if made != value:
                    return 0
            elif made != UNKNOWN and (made + 1) % value:
                return 0
    return 1


def captures(T: Table, mv: Ints, m: int) -> int:
    """How many squares `captured` has to be asked about."""
    c = T[T[TAKEN] + mv[m + NODE]]
    return 1 + T[c] if c else 1


def captured(T: Table, st: Ints, mv: Ints, m: int, x: int) -> int:
    """A square on which a move of the list may capture, no drop; the number of squares for none."""
    c = T[T[TAKEN] + mv[m + NODE]]
    if x:
        return T[c + x]
    if mv[m + FLAGS] & PASSANT:
        return st[VICTIM]
    if mv[m + TARGET] == mv[m + ORIGIN] or mv[m + PARTNER]:
        return T[SIZE]
    return mv[m + TARGET]


def royals_of(T: Table, st: Ints, side: int, how: int) -> int:
    """How many royals of a sort a side has."""
    count = 0
    for j in range(st[COUNTS + side]):
        if T[T[ROYAL] + st[st[BOARD] + st[st[LISTS] + side * T[SIZE] + j]]] == how:
            count += 1
    return count


def loses(T: Table, st: Ints, mv: Ints, m: int, side: int) -> int:
    """Whether a side loses its royals by what a move of the list, no drop, captures."""
    spared = royals_of(T, st, side, LAST)
    taken = 0
    for x in range(captures(T, mv, m)):
        square = captured(T, st, mv, m, x)
        if square < T[SIZE]:
            piece = st[st[BOARD] + square]
            if piece and ((piece - 1) & 1) == side:
                if T[T[ROYAL] + piece] == ANY:
                    return 1
                if T[T[ROYAL] + piece] == LAST:
                    taken += 1
    return taken and taken == spared


def toll(T: Table, st: Ints, mv: Ints, m: int, side: int, spared: int) -> int:
    """Whether a side has lost its royals by the move just made; it had so many `LAST` ones."""
    top = st[UNDO] + st[UNDONE] - 6
    first = st[UNDO] + st[top + 5]
    taken = 0
    for x in range(st[top]):
        piece = st[first + 4 * x + 1]
        if ((piece - 1) & 1) == side:
            if T[T[ROYAL] + piece] == ANY:
                return 1
            taken += T[T[ROYAL] + piece] == LAST
    if mv[m + FLAGS] & CHANGING and side != st[SIDE]:
        first += 4 * st[top]
        gone = 0
        for x in range(st[top - 1]):
            # A wall may be built where it perished, so that the square changes twice.
            gone = gone or st[first + 4 * x] == mv[m + TARGET]
        if gone:
            # The piece that moved is gone; what it was stands there.
            if T[T[ROYAL] + st[top + 1]] == ANY:
                return 1
            taken += T[T[ROYAL] + st[top + 1]] == LAST
    return taken and taken == spared


def fate(T: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int) -> int:
    """Whether royals are lost by a move of the list: 1 if it wins, -1 if it loses, mostly 0.

    A move that takes those of both sides wins, unless its own are lost by what it changes.
    """
    side = st[SIDE]
    if mv[m + ORIGIN] == T[SIZE]:
        return 0
    if not T[EFFECTS]:
        if loses(T, st, mv, m, 1 - side):
            return 1
        return -1 if loses(T, st, mv, m, side) else 0
    mine = royals_of(T, st, side, LAST)
    theirs = royals_of(T, st, 1 - side, LAST)
    make(T, st, sh, oc, mv, m)
    found = 0
    if toll(T, st, mv, m, side, mine):
        found = -1
    elif toll(T, st, mv, m, 1 - side, theirs):
        found = 1
    unmake(T, st, sh, oc, mv, m)
    return found


def breaks_iron(T: Table, st: Ints, mv: Ints, m: int) -> int:
    """Whether a move of the list, no drop, captures what its piece may not."""
    barred = T[BARRED] + st[st[BOARD] + mv[m + ORIGIN]] * (T[PIECES] + 1)
    for x in range(captures(T, mv, m)):
        square = captured(T, st, mv, m, x)
        if square < T[SIZE] and T[barred + st[st[BOARD] + square]]:
            return 1
    return 0


def suffers(T: Table, st: Ints, s: int, i: int, q: int) -> int:
    """Whether a piece whose capture by a node takes others along would lose its own royals."""
    p = st[st[BOARD] + s]
    side = (p - 1) & 1
    around = T[T[AROUND] + q]
    c = T[T[TAKEN] + i]
    taken = 0
    for n in range(2 + T[around] + (T[c] if c else 0)):
        piece = 0
        if n == 0:
            gone = PERISHING if T[EXPLODING] else PETRIFYING
            if T[T[BLAST] + p] & gone:
                piece = p
        elif n == 1:
            if q != s:
                piece = st[st[BOARD] + q]
        elif n < 2 + T[around]:
            a = T[around + n - 1]
            if T[EXPLODING] and a != s and not takes(T, i, a):
                if T[T[BLAST] + st[st[BOARD] + a]] & TAKEN_ALONG:
                    piece = st[st[BOARD] + a]
        else:
            piece = st[st[BOARD] + T[c + n - 1 - T[around]]]
        if piece and ((piece - 1) & 1) == side:
            if T[T[ROYAL] + piece] == ANY:
                return 1
            taken += T[T[ROYAL] + piece] == LAST
    return taken and taken == royals_of(T, st, side, LAST)


def strike_nodes(
    W: Table, T: Table, st: Ints, sh: Ints, s: int, i: int, end: int, last: int
) -> int:
    """Whether some nodes capture so that the other side loses; it has so many `LAST` royals."""
    size = T[SIZE]
    p = st[st[BOARD] + s]
    barred = T[BARRED] + p * (T[PIECES] + 1)
    while i < end:
        w = W[i]
        q = w & SQUARE
        t = w >> sh[q]
        if t & FORMS:
            c = T[T[TAKEN] + i]
            lost = 0
            taken = 0
            iron = 0
            for x in range(1 + T[c] if c else 1):
                square = q
                if x:
                    square = T[c + x]
                elif T[T[PASSING] + i] and sh[q] == PASSED:
                    square = st[VICTIM]
                elif q == s:
                    square = size
                piece = 0
                if square < size:
                    piece = st[st[BOARD] + square]
                if piece:
                    iron |= T[barred + piece]
                    if ((piece - 1) & 1) != ((p - 1) & 1):
                        if T[T[ROYAL] + piece] == ANY:
                            lost = 1
                        if T[T[ROYAL] + piece] == LAST:
                            taken += 1
            if not iron and (lost or (taken and taken == last)):
                if not T[LIMITED] or has_room(T, st, T[T[TAKING] + i], i, s, q):
                    if not T[EFFECTS] or not suffers(T, st, s, i, q):
                        return 1
        if t & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS
    return 0


def strikes(W: Table, T: Table, st: Ints, sh: Ints, s: int) -> int:
    """Whether the piece on a square could capture so that the other side loses."""
    p = st[st[BOARD] + s]
    x = p * T[SIZE] + s
    last = royals_of(T, st, p & 1, LAST)
    if strike_nodes(W, T, st, sh, s, T[T[BEGIN] + x], T[T[END] + x], last):
        return 1
    parts = T[T[PARTS] + x]
    if parts:
        for n in range(T[parts]):
            part = parts + 1 + PART * n
            if not T[part + STEPS] and holds(T, st, part, s):
                if strike_nodes(W, T, st, sh, s, T[part + FROM], T[part + UNTIL], last):
                    return 1
    return 0


def aimed_by(W: Table, T: Table, st: Ints, sh: Ints, s: int, i: int, end: int, k: int) -> int:
    """Whether some nodes of the piece on a square capture on another one, file limits aside."""
    barred = T[BARRED] + st[st[BOARD] + s] * (T[PIECES] + 1)
    while i < end:
        w = W[i]
        q = w & SQUARE
        t = w >> sh[q]
        if t & FORMS and (q == k or takes(T, i, k)):
            iron = q != s and st[st[BOARD] + q] and T[barred + st[st[BOARD] + q]]
            c = T[T[TAKEN] + i]
            for x in range(T[c] if c else 0):
                iron = iron or T[barred + st[st[BOARD] + T[c + 1 + x]]]
            if not iron:
                return 1
        if t & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS
    return 0


def aims_at(W: Table, T: Table, st: Ints, sh: Ints, s: int, k: int) -> int:
    """Whether the piece on a square could capture on another one, file limits aside."""
    x = st[st[BOARD] + s] * T[SIZE] + s
    if aimed_by(W, T, st, sh, s, T[T[BEGIN] + x], T[T[END] + x], k):
        return 1
    parts = T[T[PARTS] + x]
    if parts:
        for n in range(T[parts]):
            part = parts + 1 + PART * n
            if not T[part + STEPS] and holds(T, st, part, s):
                if aimed_by(W, T, st, sh, s, T[part + FROM], T[part + UNTIL], k):
                    return 1
    return 0


def all_attacked(W: Table, T: Table, st: Ints, sh: Ints, side: int) -> int:
    """Whether a side has several royals, and each could be captured."""
    royals = 0
    for j in range(st[COUNTS + side]):
        k = st[st[LISTS] + side * T[SIZE] + j]
        if T[T[ROYAL] + st[st[BOARD] + k]]:
            royals += 1
            x = 0
            found = 0
            while not found and x < st[COUNTS + 1 - side]:
                found = aims_at(W, T, st, sh, st[st[LISTS] + (1 - side) * T[SIZE] + x], k)
                x += 1
            if not found:
                return 0
    return royals > 1


def facing(T: Table, st: Ints) -> int:
    """Whether royals of both sides face each other along an open rank or file."""
    for j in range(st[COUNTS]):
        s = st[st[LISTS] + j]
        for x in range(st[COUNTS + 1] if T[T[ROYAL] + st[st[BOARD] + s]] else 0):
            k = st[st[LISTS] + T[SIZE] + x]
            step = 0
            if T[T[FILE_OF] + k] == T[T[FILE_OF] + s]:
                step = T[FILES]
            elif k // T[FILES] == s // T[FILES]:
                step = 1
            if step and T[T[ROYAL] + st[st[BOARD] + k]]:
                low = s if s < k else k
                far = k if s < k else s
                q = low + step
                while q < far and not st[st[BOARD] + q]:
                    q += step
                if q == far:
                    return 1
    return 0


def in_danger(W: Table, T: Table, A: Table, st: Ints, sh: Ints, side: int) -> int:
    """Whether the other side could capture so that a side loses; a trail is looked at if shown."""
    size = T[SIZE]
    if not st[CAREFUL]:
        return is_open(W, T, A, st, sh, st[ROYALS + side], 1 - side, 0)
    if T[DUPLE] and all_attacked(W, T, st, sh, side):
        return 1
    # What passes over a trail may take a piece that it does not look at.
    everywhere = 1 if st[TRAIL] and st[SIDE] != side else 0
    for j in range(st[COUNTS + 1 - side]):
        s = st[st[LISTS] + (1 - side) * size + j]
        p = st[st[BOARD] + s]
        aimed = everywhere
        y = 0
        while not aimed and y < st[COUNTS + side]:
            k = st[st[LISTS] + side * size + y]
            y += 1
            aimed = T[T[ROYAL] + st[st[BOARD] + k]] and A[(p * size + k) * size + s]
        if aimed and strikes(W, T, st, sh, s):
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


def look_around(W: Table, T: Table, A: Table, st: Ints, sh: Ints, mk: Ints) -> None:
    """`danger` where moves are judged one by one: marks for all royals, and whether one is open."""
    size = T[SIZE]
    side = st[SIDE]
    st[STAMP] += 1
    st[NEARS] = 0
    st[BESIDES] = 0
    for q in range(size):
        if T[T[ROYAL] + st[st[BOARD] + q]]:
            mk[q] = st[STAMP]
            if ((st[st[BOARD] + q] - 1) & 1) == side:
                for j in range(st[COUNTS + 1 - side]):
                    s = st[st[LISTS] + (1 - side) * size + j]
                    a = A[(st[st[BOARD] + s] * size + q) * size + s]
                    if a:
                        look(W, T, st, sh, mk, a, s, q)
    st[FACED] = T[MEETING] and facing(T, st)
    st[CHECKS] = in_danger(W, T, A, st, sh, side)
    st[HOPPED] = 1


def danger(W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, mk: Ints) -> None:
    """Find what threatens the mover's royal, and mark the squares on which that depends.

    In check only those of one attack are marked: a move must change one of them to end it.
    """
    size = T[SIZE]
    side = st[SIDE]
    if st[CAREFUL]:
        look_around(W, T, A, st, sh, mk)
        return
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
