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


def flees(W: Table, T: Table, st: Ints, sh: Ints, mv: Ints, m: int) -> int:
    """Whether a royal in check goes away instead of capturing what gives check."""
    side = st[SIDE]
    if not st[CHECKS] or not T[T[ROYAL] + st[st[BOARD] + mv[m + ORIGIN]]]:
        return 0
    for j in range(st[COUNTS + 1 - side]):
        s = st[st[LISTS] + (1 - side) * T[SIZE] + j]
        taken = 0
        for x in range(captures(T, mv, m)):
            if captured(T, st, mv, m, x) == s:
                taken = 1
        if not taken and strikes(W, T, st, sh, s):
            return 1
    return 0


def is_pass(T: Table, st: Ints, mv: Ints, m: int) -> int:
    """Whether a move changes nothing."""
    if mv[m + TARGET] != mv[m + ORIGIN] or mv[m + FLAGS] & PASSANT or mv[m + PARTNER]:
        return 0
    return mv[m + BECOMES] == st[st[BOARD] + mv[m + ORIGIN]] and not T[T[TAKEN] + mv[m + NODE]]


def judged_made(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int
) -> int:
    """`judged` where rules ask what stands after a move; it captures nothing that it may not."""
    side = st[SIDE]
    faced = st[FACED]
    passing = is_pass(T, st, mv, m)
    fleeing = not faced and T[STANDING_FAST] and flees(W, T, st, sh, mv, m)
    mine = royals_of(T, st, side, LAST)
    theirs = royals_of(T, st, 1 - side, LAST)
    show_trail(T, st, sh, VACANT)
    make(T, st, sh, oc, mv, m)
    won = toll(T, st, mv, m, 1 - side, theirs)
    lost = toll(T, st, mv, m, side, mine) and not T[LENIENT]
    ok = 1
    if lost:
        ok = won and not T[EFFECTS]
    elif not won and not (faced and passing):
        if faced:
            ok = not facing(T, st)
        elif fleeing or (T[STILL] and in_danger(W, T, A, st, sh, 1 - side)):
            ok = 0
        if ok and not T[LENIENT]:
            show_trail(T, st, sh, PASSED)
            ok = not in_danger(W, T, A, st, sh, side)
            show_trail(T, st, sh, VACANT)
    unmake(T, st, sh, oc, mv, m)
    show_trail(T, st, sh, PASSED)
    return ok


def judged(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, m: int,
    mode: int,
) -> int:  # fmt: skip
    """Whether a move of the list, no drop, is legal, whatever royals there are."""
    side = st[SIDE]
    if T[IRON] and breaks_iron(T, st, mv, m):
        return 0
    if T[LENIENT] and not T[STILL] and not T[STANDING_FAST] and not st[FACED]:
        return 1
    if T[EFFECTS] or T[STILL] or st[FACED]:
        return judged_made(W, T, A, st, sh, oc, mv, m)
    if loses(T, st, mv, m, 1 - side):
        return 1
    if T[STANDING_FAST] and flees(W, T, st, sh, mv, m):
        return 0
    if T[LENIENT]:
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


def arrows(W: Table, T: Table, st: Ints, sh: Ints, i: int, end: int) -> None:
    """Note the squares to which some nodes go without a capture."""
    while i < end:
        w = W[i]
        q = w & SQUARE
        t = w >> sh[q]
        if t & FORMS and not T[T[TAKEN] + i] and not st[st[BOARD] + q]:
            st[st[SPOTS] + q] = 1
        if t & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS


def note_walls(W: Table, T: Table, st: Ints, sh: Ints, s: int) -> None:
    """Note the squares on which the piece that has moved to one may build, whatever the region."""
    if T[WALLING] != ARROW:
        for q in range(T[SIZE]):
            st[st[SPOTS] + q] = not st[st[BOARD] + q]
        return
    if not is_of(T, st, s, 0) and not is_of(T, st, s, 1):
        # What has perished, or turned to stone, shoots no more.
        return
    x = st[st[BOARD] + s] * T[SIZE] + s
    arrows(W, T, st, sh, T[T[BEGIN] + x], T[T[END] + x])
    parts = T[T[PARTS] + x]
    if parts:
        for n in range(T[parts]):
            part = parts + 1 + PART * n
            if not T[part + STEPS] and holds(T, st, part, s):
                arrows(W, T, st, sh, T[part + FROM], T[part + UNTIL])


def with_walls(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    mode: int,
) -> int:  # fmt: skip
    """List a move, written at a place, with every wall that it may build; the place after."""
    size = T[SIZE]
    allowed_on = T[MAY_WALL] + st[SIDE] * size
    f = mv[at + ORIGIN]
    to = mv[at + TARGET]
    becomes = mv[at + BECOMES]
    node = mv[at + NODE]
    partner = mv[at + PARTNER]
    flags = mv[at + FLAGS]
    shown = f != size
    if shown:
        show_trail(T, st, sh, VACANT)
    make(T, st, sh, oc, mv, at)
    note_walls(W, T, st, sh, to)
    unmake(T, st, sh, oc, mv, at)
    if shown:
        show_trail(T, st, sh, PASSED)
    for q in range(size):
        if st[st[SPOTS] + q]:
            st[st[SPOTS] + q] = 0
            if T[allowed_on + q]:
                write(mv, at, f, to, becomes, node)
                mv[at + PARTNER] = partner
                mv[at + FLAGS] = flags | (q + 1) << EXTRA
                if not shown or judged(W, T, A, st, sh, oc, mk, mv, at, mode):
                    at += WIDTH
    return at


def with_gates(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    mode: int,
) -> int:  # fmt: skip
    """List a move, written at a place, and what it may leave from the hand; the place after."""
    side = st[SIDE]
    f = mv[at + ORIGIN]
    to = mv[at + TARGET]
    becomes = mv[at + BECOMES]
    node = mv[at + NODE]
    partner = mv[at + PARTNER]
    flags = mv[at + FLAGS]
    q = f
    if judged(W, T, A, st, sh, oc, mk, mv, at, mode):
        at += WIDTH
    for n in range(2 if partner else 1):
        if n:
            q = (partner - 1) >> 11
        if T[T[GATES] + st[st[BOARD] + q]] and not st[st[MADE] + q]:
            for kind in range(T[KINDS]):
                p = 1 + 2 * kind + side
                there = oc[T[WORDS] * p + (q >> 5)] >> (q & 31) & 1
                if st[st[HANDS] + side * T[KINDS] + kind] and there:
                    write(mv, at, f, to, becomes, node)
                    mv[at + PARTNER] = partner
                    mv[at + FLAGS] = flags | CHANGING | (2 * (kind + 1) + n) << EXTRA
                    if judged(W, T, A, st, sh, oc, mk, mv, at, mode):
                        at += WIDTH
    return at


def settled(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    mode: int,
) -> int:  # fmt: skip
    """Keep the move written at a place, with all it may build or leave, if legal; the place after.

    It is no drop, and is judged whatever royals there are.
    """
    if T[EFFECTS]:
        mv[at + FLAGS] = mv[at + FLAGS] | CHANGING
    if T[GATING]:
        return with_gates(W, T, A, st, sh, oc, mk, mv, at, mode)
    if T[WALLING] and T[WALLING] != LEFT:
        return with_walls(W, T, A, st, sh, oc, mk, mv, at, mode)
    if judged(W, T, A, st, sh, oc, mk, mv, at, mode):
        at += WIDTH
    return at


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
    if check and st[CAREFUL]:
        st[st[BOARD] + q] = p
        sh[q] = T[T[SHIFT] + p]
        hit = strikes(W, T, st, sh, q)
        st[st[BOARD] + q] = 0
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


def keeps_safe(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, m: int
) -> int:
    """Whether a drop of the list gives no check where none may, and leaves no royal open."""
    marked = mk[mv[m + TARGET]] == st[STAMP]
    found = 0
    if T[STILL]:
        make(T, st, sh, oc, mv, m)
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
                if not keeps_safe(W, T, A, st, sh, oc, mk, mv, at):
                    continue
                if T[EFFECTS] or T[ENDLESS] or T[SETTING]:
                    mv[at + FLAGS] = CHANGING
                if T[WALLING] and T[WALLING] != LEFT:
                    at = with_walls(W, T, A, st, sh, oc, mk, mv, at, FREE)
                    continue
            elif st[CHECKS] or (mk[q] == stamp and st[HOPPED]):
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
        return only_captures(T, st, mv, first, end)
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
    at = without_mates(W, T, A, Z, st, sh, oc, mk, mv, first, at)
    return sifted(W, T, A, st, sh, mv, start, at)
