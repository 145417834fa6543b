"""Sequences of two moves, counted in the compiled body by what each first move changes.

The first side's moves are listed, and the answers counted once as if nothing had moved. For each
square it is noted which pieces that answer look at it, and what else depends on it. After a move
only pieces that look at a square it changed are counted again; where it may change what is legal
for all of them, or is more than a piece that goes somewhere, everything is.

``wt`` has four rows, of a number for each square: the pieces that look at it (a bit for each by its
place in the list), notes, how many kinds may be dropped there, and, by place in the list, the moves
of a piece. Then come the pieces whose moves are counted again only with all others, those that may
capture en passant, what tells the position from all others, and 1 where the count is to stop.

``ht`` has counts by position, three numbers each, where there is room for so many ``slots``.
"""

from __future__ import annotations

from alfil.game.core_counts import *

# Notes: what happens here may change what is legal; what leaves here may; the royal's moves depend
# on it.
DECISIVE, OPENING, ROYAL_WAY = 1, 2, 4
NOTES, GAINS, COUNTED = 2056, 4112, 6168
(HARD, PASSERS, KEY, SECOND_KEY, STOP, ROWS) = range(8224, 8230)
# What is minded: moves of the first royal, pieces with a limit on files, drops with such a limit,
# drops that may not mate, a royal that captures en passant.
FIRST_MOVES, CROWDING, FILLED, NO_MATE, ROYAL_PASSES = 1, 2, 4, 8, 16
LARGEST = 9223372036854775807
# Fewer moves are better counted one by one; more pieces have no bits.
FEW, MOST = 4, 62


def note_nodes(W: Table, sh: Ints, wt: Ints, i: int, end: int, note: int) -> None:
    """Give all squares that a walk looks at a note."""
    while i < end:
        w = W[i]
        q = w & SQUARE
        wt[NOTES + q] |= note
        if (w >> sh[q]) & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS


def note_aims(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, wt: Ints, places: int, count: int,
    royal: int, note: int,
) -> None:  # fmt: skip
    """Note all squares on which it depends whether some pieces could capture a royal."""
    size = T[SIZE]
    for j in range(count):
        s = st[places + j]
        if s != royal:
            a = A[(st[st[BOARD] + s] * size + royal) * size + s]
            if a:
                wt[NOTES + s] |= note
                for b in range(T[a]):
                    note_nodes(W, sh, wt, T[a + 1 + 2 * b], T[a + 2 + 2 * b], note)


def note_try(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, wt: Ints, s: int, q: int, own: int
) -> None:
    """Note on what it depends whether a move from a square to another one leaves a royal open.

    A drop comes from the number of squares.
    """
    k = st[ROYALS + st[SIDE]]
    was = sh[q]
    there = sh[s]
    sh[s] = VACANT
    sh[q] = own
    if s == k:
        note_aims(W, T, A, st, sh, wt, st[BESIDE], st[BESIDES], q, ROYAL_WAY)
    else:
        note_aims(W, T, A, st, sh, wt, st[NEAR], st[NEARS], k, DECISIVE)
    sh[q] = was
    sh[s] = there


def note_tries(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, wt: Ints, s: int, i: int, end: int
) -> None:
    """`note_try` for all that some nodes of a piece make."""
    while i < end:
        w = W[i]
        q = w & SQUARE
        t = w >> sh[q]
        if s == st[ROYALS + st[SIDE]]:
            wt[NOTES + q] |= ROYAL_WAY
        if t & FORMS:
            note_try(W, T, A, st, sh, wt, s, q, sh[s])
        if t & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS


def note_castling(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, wt: Ints, k: int, part: int
) -> None:
    """Note on what it depends whether a royal may castle by one part."""
    rank = k - T[T[FILE_OF] + k]
    for file in range(T[FILES]):
        wt[NOTES + rank + file] |= ROYAL_WAY
    i = T[part + FROM]
    while i < T[part + UNTIL]:
        w = W[i]
        q = w & SQUARE
        t = w >> sh[q]
        wt[NOTES + q] |= ROYAL_WAY
        rook = 0
        if t & FORMS:
            rook = partner_of(T, st, k, q, part)
        if rook:
            by = 1 if q > k else -1
            x = k + by
            while x != q:
                note_try(W, T, A, st, sh, wt, k, x, sh[k])
                x += by
            start = (rook - 1) >> 11
            stop = (rook - 1) & SQUARE
            own = sh[start]
            was = sh[stop]
            sh[start] = VACANT
            sh[stop] = own
            note_try(W, T, A, st, sh, wt, k, q, sh[k])
            sh[stop] = was
            sh[start] = own
        if t & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS


def note_piece(W: Table, T: Table, A: Table, st: Ints, sh: Ints, wt: Ints, s: int) -> None:
    """Note on what it depends which moves of a piece are legal."""
    x = st[st[BOARD] + s] * T[SIZE] + s
    note_tries(W, T, A, st, sh, wt, s, T[T[BEGIN] + x], T[T[END] + x])
    parts = T[T[PARTS] + x]
    if parts:
        for n in range(T[parts]):
            part = parts + 1 + PART * n
            if holds(T, st, part, s):
                if T[part + STEPS]:
                    note_castling(W, T, A, st, sh, wt, s, part)
                else:
                    note_tries(W, T, A, st, sh, wt, s, T[part + FROM], T[part + UNTIL])


def note_lines(W: Table, T: Table, A: Table, st: Ints, sh: Ints, wt: Ints, k: int) -> None:
    """Note what may open a line to a royal; none of the pieces near goes over others.

    On a line that pins a piece all squares are decisive.
    """
    for j in range(st[NEARS]):
        s = st[st[NEAR] + j]
        a = A[(st[st[BOARD] + s] * T[SIZE] + k) * T[SIZE] + s]
        for b in range(T[a]):
            first = T[a + 1 + 2 * b]
            end = T[a + 2 + 2 * b]
            i = first
            while i < end:
                w = W[i]
                q = w & SQUARE
                was = sh[q]
                wt[NOTES + q] |= OPENING
                if q != k and st[st[BOARD] + q] and ((st[st[BOARD] + q] - 1) & 1) == st[SIDE]:
                    sh[q] = VACANT
                    note_nodes(W, sh, wt, first, end, OPENING)
                    if hits(W, T, st, sh, a, s, k):
                        note_nodes(W, sh, wt, first, end, DECISIVE)
                        wt[NOTES + s] |= DECISIVE
                    sh[q] = was
                if (w >> was) & ON:
                    i += 1
                else:
                    i += (w >> SKIP_AT) & SKIPS


def watch_nodes(W: Table, sh: Ints, wt: Ints, i: int, end: int, bit: int) -> int:
    """How often some nodes make a move; a piece is noted on all squares that they look at."""
    total = 0
    while i < end:
        w = W[i]
        q = w & SQUARE
        wt[q] |= bit
        t = w >> sh[q]
        total += t & FORMS
        if t & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS
    return total


def watch(W: Table, T: Table, st: Ints, sh: Ints, wt: Ints, s: int, bit: int) -> int:
    """`watch_nodes` for all nodes of a piece."""
    x = st[st[BOARD] + s] * T[SIZE] + s
    total = watch_nodes(W, sh, wt, T[T[BEGIN] + x], T[T[END] + x], bit)
    parts = T[T[PARTS] + x]
    if parts:
        for n in range(T[parts]):
            part = parts + 1 + PART * n
            if holds(T, st, part, s):
                total += watch_nodes(W, sh, wt, T[part + FROM], T[part + UNTIL], bit)
    return total


def looks_nodes(W: Table, sh: Ints, wt: Ints, i: int, end: int, note: int) -> int:
    """Whether some nodes look at a square with a note."""
    while i < end:
        w = W[i]
        q = w & SQUARE
        if wt[NOTES + q] & note:
            return 1
        if (w >> sh[q]) & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS
    return 0


def looks(W: Table, T: Table, st: Ints, sh: Ints, wt: Ints, s: int, note: int) -> int:
    """Whether a piece looks at a square with a note."""
    x = st[st[BOARD] + s] * T[SIZE] + s
    if looks_nodes(W, sh, wt, T[T[BEGIN] + x], T[T[END] + x], note):
        return 1
    parts = T[T[PARTS] + x]
    if parts:
        for n in range(T[parts]):
            part = parts + 1 + PART * n
            if holds(T, st, part, s) and looks_nodes(
                W, sh, wt, T[part + FROM], T[part + UNTIL], note
            ):
                return 1
    return 0


def count_piece(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    s: int, mode: int,
) -> int:  # fmt: skip
    """How many legal moves a piece has; without a trail."""
    if mode == FREE and not T[T[ODD] + st[st[BOARD] + s]]:
        return count_free(W, T, st, sh, s)
    return (list_piece(W, T, A, st, sh, oc, mk, mv, at, s, mode, ALL) - at) // WIDTH


def base_pieces(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    wt: Ints,
) -> int:  # fmt: skip
    """The moves of all pieces of the side that answers but its royal."""
    size = T[SIZE]
    side = st[SIDE]
    k = st[ROYALS + side]
    base = st[LISTS] + side * size
    hard = 0
    passers = 0
    total = 0
    for j in range(st[COUNTS + side]):
        s = st[base + j]
        p = st[st[BOARD] + s]
        wt[COUNTED + j] = 0
        if s == k:
            continue
        bit = 1 << j
        found = watch(W, T, st, sh, wt, s, bit)
        mode = mode_of(W, T, A, st, sh, mk, s)
        if mode == TRIED or (mode == TOUCHING and looks(W, T, st, sh, wt, s, DECISIVE)):
            hard |= bit
            if st[HOPPED]:
                note_piece(W, T, A, st, sh, wt, s)
        if mode != FREE or T[T[ODD] + p]:
            found = count_piece(W, T, A, st, sh, oc, mk, mv, at, s, mode)
        if T[T[PASSES] + p]:
            passers |= bit
        wt[COUNTED + j] = found
        total += found
    wt[HARD] = hard
    wt[PASSERS] = passers
    return total


def base_drops(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, wt: Ints
) -> int:
    """How many drops the side that answers has, those that mate among them."""
    size = T[SIZE]
    k = st[ROYALS + 1 - st[SIDE]]
    droppable = T[T[DROPPABLE] + st[SIDE]]
    dropped = 0
    for x in range(T[droppable]):
        p = T[droppable + 2 + 2 * x]
        if in_hand(T, st, st[SIDE], x) < 0:
            continue
        dropped = p
        if T[T[DROP_LIMIT] + p]:
            st[CAUTION] |= FILLED
        if T[T[DROP_MATE] + p]:
            st[CAUTION] |= NO_MATE | FIRST_MOVES
        check = T[T[DROP_CHECK] + p]
        if check != 1:
            for word in range(T[WORDS]):
                m = landing(T, st, oc, p, word)
                while m:
                    wt[GAINS + word * 32 + lowest(m)] += 1
                    m &= m - 1
        if check:
            st[CAUTION] |= FIRST_MOVES
            sources = T[T[SOURCES] + p * size + k]
            for y in range(T[sources]):
                q = T[sources + 1 + y]
                if landing(T, st, oc, p, q >> 5) >> (q & 31) & 1:
                    a = A[(p * size + k) * size + q]
                    for b in range(T[a]):
                        note_nodes(W, sh, wt, T[a + 1 + 2 * b], T[a + 2 + 2 * b], DECISIVE)
                    hit = hits(W, T, st, sh, a, q, k)
                    if check == 1:
                        wt[GAINS + q] += hit
                    else:
                        wt[GAINS + q] -= hit
    total = 0
    if dropped:
        for q in range(size):
            if wt[GAINS + q] and not st[st[BOARD] + q]:
                if st[HOPPED] and mk[q] == st[STAMP]:
                    note_try(W, T, A, st, sh, wt, size, q, T[T[SHIFT] + dropped])
                    if exposes(W, T, A, st, sh, size, q, dropped, 0):
                        wt[GAINS + q] = 0
                total += wt[GAINS + q]
    return total


def base_count(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int, wt: Ints,
) -> int:  # fmt: skip
    """The moves of the side to move, which answers, with all notes; -1 where it is not for this.

    That is so in check, and where a piece captures several at once.
    """
    size = T[SIZE]
    side = st[SIDE]
    k = st[ROYALS + side]
    for q in range(size + 1):
        wt[q] = 0
        wt[NOTES + q] = 0
        wt[GAINS + q] = 0
    if st[COUNTS + side] > MOST:
        return -1
    for j in range(st[COUNTS + side]):
        if T[T[SPECIAL] + st[st[BOARD] + st[st[LISTS] + side * size + j]]]:
            return -1
    danger(W, T, A, Z, st, sh, mk)
    if st[CHECKS]:
        return -1
    st[CAUTION] = 0
    if T[T[PASSES] + st[st[BOARD] + k]]:
        st[CAUTION] = ROYAL_PASSES
    if T[LIMITED]:
        for j in range(st[COUNTS + 1 - side]):
            s = st[st[LISTS] + (1 - side) * size + j]
            p = st[st[BOARD] + s]
            if T[T[CROWDS] + p] and Z[(p * size + k) * size + s]:
                st[CAUTION] |= CROWDING
    if st[HOPPED]:
        for q in range(size):
            if mk[q] == st[STAMP]:
                wt[NOTES + q] |= DECISIVE
    else:
        note_lines(W, T, A, st, sh, wt, k)
    total = base_pieces(W, T, A, st, sh, oc, mk, mv, at, wt)
    wt[NOTES + k] |= ROYAL_WAY
    note_piece(W, T, A, st, sh, wt, k)
    st[ROYAL_MOVES] = count_piece(W, T, A, st, sh, oc, mk, mv, at, k, TRIED)
    return total + st[ROYAL_MOVES] + base_drops(W, T, A, st, sh, oc, mk, wt)


def threatens(W: Table, T: Table, A: Table, st: Ints, sh: Ints, p: int, s: int, k: int) -> int:
    """Whether a piece that arrives on a square attacks a royal, or pins a piece to it, perhaps."""
    if T[T[HOPS] + p] or T[T[CROWDS] + p]:
        return 1
    a = A[(p * T[SIZE] + k) * T[SIZE] + s]
    if hits(W, T, st, sh, a, s, k):
        return 1
    for b in range(T[a]):
        i = T[a + 1 + 2 * b]
        while i < T[a + 2 + 2 * b]:
            w = W[i]
            q = w & SQUARE
            was = sh[q]
            if was != VACANT and q != k and ((st[st[BOARD] + q] - 1) & 1) != ((p - 1) & 1):
                sh[q] = VACANT
                pinned = hits(W, T, st, sh, a, s, k)
                sh[q] = was
                if pinned:
                    return 1
            if (w >> was) & ON:
                i += 1
            else:
                i += (w >> SKIP_AT) & SKIPS
    return 0


def is_odd(T: Table, st: Ints, mv: Ints, m: int, wt: Ints) -> int:
    """Whether a move on the board changes more than that a piece goes and perhaps takes another."""
    f = mv[m + ORIGIN]
    to = mv[m + TARGET]
    node = mv[m + NODE]
    victim = st[st[BOARD] + to]
    caution = st[CAUTION]
    if mv[m + PARTNER] or mv[m + FLAGS] or T[T[TAKEN] + node] or f == to:
        return 1
    if victim and (
        ((victim - 1) & 1) == st[SIDE]
        or T[T[LIMIT] + victim]
        or (T[SIDE_LIMIT] and T[T[SIDE_LIMIT] + victim])
        or (caution & FILLED and T[T[DROP_LIMIT] + victim])
    ):
        return 1
    if caution & FIRST_MOVES and f == st[ROYALS + st[SIDE]]:
        return 1
    if caution & CROWDING and T[T[LIMIT] + st[st[BOARD] + f]]:
        return 1
    trail = T[T[TRAILING] + node]
    if trail:
        seen = wt[f] | wt[to]
        for x in range(T[trail]):
            seen |= wt[T[trail + 1 + x]]
        return caution & ROYAL_PASSES or seen & wt[PASSERS]
    return 0


def mates_after(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    m: int, at: int, wt: Ints,
) -> int:  # fmt: skip
    """How many drops that may not mate would do so after a move that is not the royal's.

    A piece dropped beside a royal that can take it does not mate where nothing looks at its square.
    """
    size = T[SIZE]
    f = mv[m + ORIGIN]
    k = st[ROYALS + st[SIDE]]
    own = st[ROYALS + 1 - st[SIDE]]
    droppable = T[T[DROPPABLE] + 1 - st[SIDE]]
    for x in range(T[droppable]):
        p = T[droppable + 2 + 2 * x]
        if not T[T[DROP_MATE] + p] or in_hand(T, st, 1 - st[SIDE], x) < 0:
            continue
        sources = T[T[SOURCES] + p * size + k]
        for y in range(T[sources]):
            q = T[sources + 1 + y]
            if q == mv[m + TARGET] or (st[st[BOARD] + q] and q != f):
                continue
            a = A[(st[st[BOARD] + k] * size + q) * size + k]
            takes_it = a and T[a] == 1 and T[a + 2] == T[a + 1] + 1
            seen = wt[q] | wt[k] | wt[f] | A[(st[st[BOARD] + own] * size + q) * size + own]
            if T[HOPPING] or seen or not takes_it:
                make(T, st, sh, oc, mv, m)
                danger(W, T, A, Z, st, sh, mk)
                found = mating(W, T, A, Z, st, sh, oc, mk, mv, at)
                unmake(T, st, sh, oc, mv, m)
                return found
    return 0


def answers(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    m: int, at: int, wt: Ints, before: int,
) -> int:  # fmt: skip
    """How many answers there are to a move, by those before it; -1 where all are to be counted."""
    size = T[SIZE]
    side = st[SIDE]
    k = st[ROYALS + 1 - side]
    f = mv[m + ORIGIN]
    to = mv[m + TARGET]
    p = mv[m + BECOMES]
    total = before
    note = wt[NOTES + to] & (DECISIVE | ROYAL_WAY)
    watchers = wt[to]
    if f == size:
        total -= wt[GAINS + to]
    else:
        note |= wt[NOTES + f]
        watchers |= wt[f]
        total += wt[GAINS + f]
        if note & (DECISIVE | OPENING) or is_odd(T, st, mv, m, wt):
            return -1
        if st[st[BOARD] + to]:
            j = st[st[PLACES] + to]
            watchers &= ~(1 << j)
            total -= wt[COUNTED + j]
        else:
            total -= wt[GAINS + to]
    if note & DECISIVE or watchers & wt[HARD] or (st[CAUTION] & CROWDING and T[T[LIMIT] + p]):
        return -1
    z = Z[(p * size + k) * size + to]
    if watchers or z & 1:
        was = sh[to]
        left = sh[f]
        sh[f] = VACANT
        sh[to] = T[T[SHIFT] + p]
        st[SIDE] = 1 - side
        clear = 1
        if z & 1 and threatens(W, T, A, st, sh, p, to, k):
            clear = 0
        while watchers and clear:
            j = lowest(watchers)
            watchers &= watchers - 1
            s = st[st[LISTS] + (1 - side) * size + j]
            if st[HOPPED] and looks(W, T, st, sh, wt, s, DECISIVE):
                clear = 0
            else:
                found = count_piece(W, T, A, st, sh, oc, mk, mv, at, s, FREE)
                total += found - wt[COUNTED + j]
        st[SIDE] = side
        sh[to] = was
        sh[f] = left
        if not clear:
            return -1
    if note & ROYAL_WAY or z & 2:
        make(T, st, sh, oc, mv, m)
        danger(W, T, A, Z, st, sh, mk)
        show_trail(T, st, sh, PASSED)
        total += count_piece(W, T, A, st, sh, oc, mk, mv, at, k, TRIED) - st[ROYAL_MOVES]
        show_trail(T, st, sh, VACANT)
        unmake(T, st, sh, oc, mv, m)
    if st[CAUTION] & NO_MATE:
        total -= mates_after(W, T, A, Z, st, sh, oc, mk, mv, m, at, wt)
    return total


def two(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int, wt: Ints,
) -> int:  # fmt: skip
    """The number of sequences of two legal moves."""
    end = gather(W, T, A, Z, st, sh, oc, mk, mv, at)
    before = -1
    # Where a trail may change what pieces attack that go over others, no square tells that.
    if end - at >= FEW * WIDTH and not T[LEAVING]:
        trail = st[TRAIL]
        st[TRAIL] = 0
        st[SIDE] = 1 - st[SIDE]
        before = base_count(W, T, A, Z, st, sh, oc, mk, mv, end, wt)
        st[SIDE] = 1 - st[SIDE]
        st[TRAIL] = trail
    hopped = st[HOPPED]
    total = 0
    m = at
    while m < end:
        found = -1
        if before >= 0:
            st[HOPPED] = hopped
            found = answers(W, T, A, Z, st, sh, oc, mk, mv, m, end, wt, before)
        if found < 0:
            make(T, st, sh, oc, mv, m)
            found = count(W, T, A, Z, st, sh, oc, mk, mv, end)
            unmake(T, st, sh, oc, mv, m)
        total += found
        m += WIDTH
    return total


def note_key(T: Table, st: Ints, wt: Ints, depth: int) -> None:
    """Note two numbers for a position and a depth, 126 bits that no other will have."""
    size = T[SIZE]
    first = 2 * depth + st[SIDE]
    second = first
    kinds = 2 * T[KINDS]
    for q in range(size + kinds + 2):
        if q < size:
            x = st[st[BOARD] + q]
            cap = T[T[REMEMBERED] + x]
            if cap:
                made = st[st[MADE] + q]
                if made == UNKNOWN or made > cap:
                    made = cap
                x += 4096 * (made + 3)
        elif q < size + kinds:
            x = st[st[HANDS] + q - size]
        elif q == size + kinds:
            x = st[TRAIL]
        else:
            x = st[VICTIM] if st[TRAIL] else 0
        first = ((first + x + 1) * 6364136223846793005) & LARGEST
        first ^= first >> 31
        second = ((second ^ x) * 2862933555777941757 + 3037000493) & LARGEST
        second ^= second >> 29
    wt[KEY] = first
    wt[SECOND_KEY] = second | 1


def perft_by_differences(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int, depth: int, wt: Ints, ht: Ints, slots: int,
) -> int:  # fmt: skip
    """`perft`, the last two moves counted by differences; without meaning once ``wt`` says stop."""
    if depth == 0:
        return 1
    if depth == 1 or st[CAREFUL]:
        return perft(W, T, A, Z, st, sh, oc, mk, mv, at, depth)
    slot = -1
    first = 0
    second = 0
    if slots:
        note_key(T, st, wt, depth)
        first = wt[KEY]
        second = wt[SECOND_KEY]
        slot = first % slots * 3
        if ht[slot] == first and ht[slot + 1] == second:
            return ht[slot + 2]
    total = 0
    if depth == 2:
        total = two(W, T, A, Z, st, sh, oc, mk, mv, at, wt)
    else:
        end = gather(W, T, A, Z, st, sh, oc, mk, mv, at)
        m = at
        while m < end and not wt[STOP]:
            make(T, st, sh, oc, mv, m)
            total += perft_by_differences(
                W, T, A, Z, st, sh, oc, mk, mv, end, depth - 1, wt, ht, slots
            )
            unmake(T, st, sh, oc, mv, m)
            m += WIDTH
    if slots and not wt[STOP]:
        ht[slot] = first
        ht[slot + 1] = second
        ht[slot + 2] = total
    return total


def perft_after(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int, end: int, depth: int, second: int, wt: Ints, ht: Ints, slots: int,
) -> int:  # fmt: skip
    """`perft_by_differences` of the sequences that begin with a move of a list, which has an end.

    Where ``second`` is not negative, they go on with that one of the moves there.
    """
    if depth > 1 and st[CAREFUL] and fate(T, st, sh, oc, mv, at):
        return 0
    make(T, st, sh, oc, mv, at)
    if second < 0:
        total = perft_by_differences(W, T, A, Z, st, sh, oc, mk, mv, end, depth - 1, wt, ht, slots)
    else:
        last = generate(W, T, A, Z, st, sh, oc, mk, mv, end)
        m = end + second * WIDTH
        make(T, st, sh, oc, mv, m)
        total = perft_by_differences(W, T, A, Z, st, sh, oc, mk, mv, last, depth - 2, wt, ht, slots)
        unmake(T, st, sh, oc, mv, m)
    unmake(T, st, sh, oc, mv, at)
    return total
