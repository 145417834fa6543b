"""Which moves are legal, and with which walls and gates, in the compiled body."""

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


def judged_made(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int
) -> int:
    """`judged` where rules ask what stands after a move."""
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
    """Whether a move of the list, no drop, is legal, whatever royals there are.

    It captures nothing that it may not.
    """
    side = st[SIDE]
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
    flags = mv[at + FLAGS]
    shown = mv[at + ORIGIN] != size
    if shown:
        show_trail(T, st, sh, VACANT)
    make(T, st, sh, oc, mv, at)
    note_walls(W, T, st, sh, mv[at + TARGET])
    unmake(T, st, sh, oc, mv, at)
    if shown:
        show_trail(T, st, sh, PASSED)
    for q in range(size):
        if st[st[SPOTS] + q]:
            st[st[SPOTS] + q] = 0
            if T[allowed_on + q]:
                mv[at + FLAGS] = flags | (q + 1) << EXTRA
                if not shown or judged(W, T, A, st, sh, oc, mk, mv, at, mode):
                    at = copy_move(mv, at, at + WIDTH)
    return at


def lands_on(mv: Ints, m: int, q: int) -> int:
    """Whether a move ends on a square, or its castling partner goes there."""
    partner = mv[m + PARTNER]
    return mv[m + TARGET] == q or (partner != 0 and (partner - 1) & SQUARE == q)


def with_gates(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    mode: int,
) -> int:  # fmt: skip
    """List a move, written at a place, and what it may leave from the hand; the place after."""
    side = st[SIDE]
    q = mv[at + ORIGIN]
    partner = mv[at + PARTNER]
    flags = mv[at + FLAGS]
    # What is left behind ends no check, nor does it shield a pin.
    if not judged(W, T, A, st, sh, oc, mk, mv, at, mode):
        return at
    at = copy_move(mv, at, at + WIDTH)
    for n in range(2 if partner else 1):
        if n:
            q = (partner - 1) >> 11
        if T[T[GATES] + st[st[BOARD] + q]] and not st[st[MADE] + q] and not lands_on(mv, at, q):
            for kind in range(T[KINDS]):
                p = 1 + 2 * kind + side
                there = oc[T[WORDS] * p + (q >> 5)] >> (q & 31) & 1
                if st[st[HANDS] + side * T[KINDS] + kind] and there:
                    mv[at + FLAGS] = flags | CHANGING | (2 * (kind + 1) + n) << EXTRA
                    if judged(W, T, A, st, sh, oc, mk, mv, at, mode):
                        at = copy_move(mv, at, at + WIDTH)
    return at


def settled(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int,
    mode: int,
) -> int:  # fmt: skip
    """Keep the move written at a place, with all it may build or leave, if legal; the place after.

    It is no drop, and is judged whatever royals there are.
    """
    if T[IRON] and breaks_iron(T, st, mv, at):
        # Nor is it made to see what it would change: a wall is on no list that it could leave.
        return at
    if is_pass(T, st, mv, at):
        return at + WIDTH * judged(W, T, A, st, sh, oc, mk, mv, at, mode)
    if T[EFFECTS]:
        mv[at + FLAGS] = mv[at + FLAGS] | CHANGING
    if T[GATING]:
        return with_gates(W, T, A, st, sh, oc, mk, mv, at, mode)
    if T[WALLING] and T[WALLING] != LEFT:
        return with_walls(W, T, A, st, sh, oc, mk, mv, at, mode)
    if T[WALLING]:
        # The wall is to be built where the piece stood.
        q = mv[at + ORIGIN]
        if lands_on(mv, at, q) or not T[T[MAY_WALL] + st[SIDE] * T[SIZE] + q]:
            return at
    if judged(W, T, A, st, sh, oc, mk, mv, at, mode):
        at += WIDTH
    return at
