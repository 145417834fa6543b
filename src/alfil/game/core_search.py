"""The compiled body's search for the best move: alpha-beta, on the arrays of `alfil.game.core`.

Another file of the same program, in the same part of Python. Nothing here knows a game: what pieces
are worth and how games end stands in ``V``, which begins with rules and places of tables
(`alfil.play.opponent` lays it out). ``hs`` is what a search learns on its way, by place in a line
of moves; positions of the game before stand first in the line. ``tt`` begins with scalars, among
them where its other parts begin: keys by place in the line, and entries of two numbers for
positions that have been searched, the key, and

    move << 30 | score + 2²⁰ << 9 | depth << 2 | bound

All scores are the mover's. ``mv`` begins with the best move; the list of the root stands behind it.
"""

from __future__ import annotations

from alfil.game.core import *
from alfil.game.core_attacks import *
from alfil.game.core_ends import *
from alfil.game.core_moves import *

# Header of V: by piece and square what a piece is worth there, and whether it wins there; by kind
# what it is worth in hand. Checks that win, whether a bare royal loses, what having no move means
# (1 wins, -1 loses), and having none in check; what a repetition means, and perpetual check (0
# nothing more, 1 a draw, 2 it loses); what it is worth to be on the move; which material is dead.
# The last name here and below is the length.
(WORTH, GOALS, IN_HAND, CHECKS_WIN, BARE, STUCK, MATED) = range(7)
(REPEATED, PERPETUAL, TEMPO, LATE_GOALS, DEAD, RULES) = range(7, 13)
# Who has no move wins with fewer pieces, or with more; goals count after a turn, or the second side
# may draw yet.
FEWER_WIN, MORE_WIN = 2, 3
NEXT_TURN, LAST_REPLY = 1, 2
DRAWN, FIRST_LOSES, REPEATER_LOSES = 1, 2, 3
# Dead material: by piece whether it is royal or may be part of dead material at all; by kinds of
# the two royals where their table begins, counted from `DEAD`, 0 for none. In it: by side whether
# the royal castles; by piece in hand, then by piece and square, a word that is 0 for a piece that
# may yet mate, else `HELPLESS` where it never mates alone, and the set of squares that it is bound
# to, a bit for each; by sets of these whether nobody is mated on them.
HELPLESS, BOUND = 1, 1
# Header of hs, by place in the line: what the mover is ahead, whether it is in check, checks given
# by the side that has moved, two moves that refuted others; by piece and square how often a move
# was good; ratings of the moves in mv.
(AHEAD, CHECKED, GIVEN, KILLERS, GOOD, RATED, LEARNT) = range(7)
# Scalars of tt.
(VISITED, ALLOWED, HALT, SCORE, REACHED, PAST, LAST_ENTRY, KEYS, ENTRIES, FOUND) = range(10)

MATE, SURE = 1_000_000, 990_000
# So far a line is followed, captures included; so far back a position is looked for in it.
LONGEST, BACK = 90, 16
UPPER, EXACT, LOWER = 1, 2, 3
UNTOLD = 2_000_000
# What a position may yet bring for each move of depth; killers are kept as numbers below this.
SLACK, SHORT = 250, 1_000_000_007
# Who has fewer moves than this may be glad of a pass.
MANY = 8
# So many moves that are listed for their walls are as much work as a position.
LISTED = 16
# Ratings of moves: the one known to be good, what gains, what refuted other moves.
KNOWN, GAINING, REFUTING = 1_000_000_000, 50_000_000, 20_000_000
MASK = 4611686018427387903


def scatter(number: int) -> int:
    """A number of 62 bits that looks like chance, for each number."""
    number = number * 4417276706812531889 & MASK
    number ^= number >> 31
    number = number * 2685821657736338717 & MASK
    return number ^ number >> 29


def standing(T: Table, st: Ints, square: int) -> int:
    """What stands on a square, as part of a key."""
    piece = st[st[BOARD] + square]
    if not piece:
        return 0
    made = st[st[MADE] + square]
    if made == DROPPED:
        made = 0
    number = (piece * T[SIZE] + square) * 2048
    if made >= 0 and made < T[T[REMEMBERED] + piece]:
        number += made + 1
    return scatter(number)


def held(side: int, kind: int) -> int:
    """One piece in hand, as part of a key."""
    return scatter(-1 - side - 2 * kind & MASK)


def key_of(T: Table, st: Ints) -> int:
    """A key of what stands on the board and is in hand, and of the side to move."""
    key = st[SIDE]
    for side in range(2):
        for x in range(st[COUNTS + side]):
            key += standing(T, st, st[st[LISTS] + side * T[SIZE] + x])
        for kind in range(T[KINDS]):
            key += st[st[HANDS] + side * T[KINDS] + kind] * held(side, kind)
    for x in range(T[SIZE] if T[EFFECTS] else 0):
        if st[st[BOARD] + x] == T[PIECES]:
            key += scatter(T[PIECES] * T[SIZE] + x << 11)
    return key & MASK


def ahead(T: Table, V: Table, st: Ints) -> int:
    """What the mover's pieces are worth more than the other side's."""
    total = 0
    for side in range(2):
        for x in range(st[COUNTS + side]):
            s = st[st[LISTS] + side * T[SIZE] + x]
            total += V[V[WORTH] + st[st[BOARD] + s] * T[SIZE] + s]
        for kind in range(T[KINDS]):
            total += st[st[HANDS] + side * T[KINDS] + kind] * V[V[IN_HAND] + kind]
        total = -total
    return -total if st[SIDE] else total


def prize(T: Table, V: Table, st: Ints, square: int) -> int:
    """What the mover gains where a square is captured on."""
    piece = st[st[BOARD] + square]
    if not piece:
        return 0
    worth = V[V[WORTH] + piece * T[SIZE] + square]
    if ((piece - 1) & 1) == st[SIDE]:
        worth = -worth
    if T[T[HELD] + piece]:
        worth += V[V[IN_HAND] + T[T[HELD] + piece] - 1]
    return worth


def gain_of(T: Table, V: Table, st: Ints, mv: Ints, m: int) -> int:
    """What a move gains at once."""
    size = T[SIZE]
    origin = mv[m + ORIGIN]
    gain = V[V[WORTH] + mv[m + BECOMES] * size + mv[m + TARGET]]
    if origin == size:
        return gain - V[V[IN_HAND] + mv[m + NODE]]
    gain -= V[V[WORTH] + st[st[BOARD] + origin] * size + origin]
    for x in range(captures(T, mv, m)):
        q = captured(T, st, mv, m, x)
        if q < size:
            gain += prize(T, V, st, q)
    if mv[m + PARTNER]:
        rook = (mv[m + PARTNER] - 1) >> 11
        worth = V[WORTH] + st[st[BOARD] + rook] * size
        gain += V[worth + ((mv[m + PARTNER] - 1) & SQUARE)] - V[worth + rook]
    return gain


def brings(T: Table, V: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int) -> int:
    """What a move gains at once, with what it changes besides."""
    if not mv[m + FLAGS] & CHANGING or T[WALLING]:
        return gain_of(T, V, st, mv, m)
    before = ahead(T, V, st)
    make(T, st, sh, oc, mv, m)
    after = -ahead(T, V, st)
    unmake(T, st, sh, oc, mv, m)
    return after - before


def lost(T: Table, st: Ints, square: int) -> int:
    """What a capture on a square changes in the key."""
    piece = st[st[BOARD] + square]
    if not piece:
        return 0
    change = -standing(T, st, square)
    if T[T[HELD] + piece]:
        change += held(st[SIDE], T[T[HELD] + piece] - 1)
    return change


def play(
    T: Table, V: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, hs: Ints, tt: Ints, m: int,
    n: int,
) -> None:  # fmt: skip
    """Make a move, and note what the mover is ahead, and the key, in the line behind it."""
    size = T[SIZE]
    side = st[SIDE]
    origin = mv[m + ORIGIN]
    if mv[m + FLAGS] & CHANGING:
        make(T, st, sh, oc, mv, m)
        hs[hs[AHEAD] + n + 1] = ahead(T, V, st)
        tt[tt[KEYS] + n + 1] = key_of(T, st)
        return
    key = tt[tt[KEYS] + n] + 1 - 2 * side
    hs[hs[AHEAD] + n + 1] = -hs[hs[AHEAD] + n] - gain_of(T, V, st, mv, m)
    stop = size
    if origin == size:
        key -= held(side, mv[m + NODE])
    else:
        for x in range(captures(T, mv, m)):
            q = captured(T, st, mv, m, x)
            if q < size:
                key += lost(T, st, q)
        key -= standing(T, st, origin)
        if mv[m + PARTNER]:
            key -= standing(T, st, (mv[m + PARTNER] - 1) >> 11)
            stop = (mv[m + PARTNER] - 1) & SQUARE
    make(T, st, sh, oc, mv, m)
    key += standing(T, st, mv[m + TARGET])
    if stop != size:
        key += standing(T, st, stop)
    tt[tt[KEYS] + n + 1] = key & MASK


def code_of(mv: Ints, m: int) -> int:
    """A move as one number, not 0."""
    return (mv[m + BECOMES] * 2048 + mv[m + ORIGIN]) * 2048 + mv[m + TARGET]


def repeats_line(tt: Ints, n: int) -> int:
    """How far back in the line the same position stands, 0 for nowhere near."""
    back = 4
    while back <= BACK and back <= n:
        if tt[tt[KEYS] + n - back] == tt[tt[KEYS] + n]:
            return back
        back += 2
    return 0


def on_repetition(V: Table, st: Ints, hs: Ints, n: int, back: int) -> int:
    """What a position is worth that has stood so far back in the line."""
    mine = 1
    theirs = 1
    for x in range(back // 2):
        mine = mine and hs[hs[CHECKED] + n - 2 - 2 * x]
        theirs = theirs and hs[hs[CHECKED] + n - 1 - 2 * x]
    if V[PERPETUAL] and (mine or theirs):
        if V[PERPETUAL] == 1 or (mine and theirs):
            return 0
        return SURE // 2 if mine else -SURE // 2
    if V[REPEATED] == FIRST_LOSES:
        return SURE // 2 if st[SIDE] else -SURE // 2
    if V[REPEATED] == REPEATER_LOSES:
        return SURE // 2
    return 0


def is_dead(T: Table, V: Table, st: Ints) -> int:
    """Whether nobody can be mated any more, by the material, as `alfil.play.material` says."""
    size = T[SIZE]
    royals = 0
    others = 0
    pair = V[DEAD] + T[PIECES]
    for side in range(2):
        for x in range(st[COUNTS + side]):
            piece = st[st[BOARD] + st[st[LISTS] + side * size + x]]
            if not V[V[DEAD] + piece]:
                return 0
            if T[T[ROYAL] + piece]:
                royals += 1 - side
                others += side
                pair += (piece - 1 >> 1) * (1 if side else T[KINDS])
    if royals != 1 or others != 1 or not V[pair]:
        return 0
    at = V[DEAD] + V[pair]
    held = at + 2
    placed = held + T[PIECES]
    count = 0
    alone = 0
    bound = 0
    free = 0
    for side in range(2):
        for x in range(st[COUNTS + side]):
            s = st[st[LISTS] + side * size + x]
            piece = st[st[BOARD] + s]
            if T[T[ROYAL] + piece]:
                free = free or (V[at + side] and not st[st[MADE] + s])
            else:
                alone = V[placed + piece * size + s]
                if not alone:
                    return 0
                free = free or not alone >> BOUND
                count += 1
                bound |= alone >> BOUND
        for kind in range(T[KINDS]):
            if st[st[HANDS] + side * T[KINDS] + kind]:
                alone = V[held + 1 + 2 * kind + side]
                if not alone:
                    return 0
                count += st[st[HANDS] + side * T[KINDS] + kind]
                free = 1
    if not count or (count == 1 and alone & HELPLESS):
        return 1
    return 0 if free else V[placed + T[PIECES] * size + bound]


def ended(
    W: Table, T: Table, A: Table, V: Table, st: Ints, sh: Ints, hs: Ints, n: int, becomes: int
) -> int:
    """What the move just made, to place ``n`` of the line, ends by itself other than by mate.

    For its side: 1 if it wins, -1 if it loses, `DRAW`, 0 where the game goes on.
    """
    side = st[SIDE]
    if T[EXTINCTION]:
        found = extinct(T, st)
        if found:
            return found if found == DRAW else -found
    if V[CHECKS_WIN]:
        given = hs[hs[GIVEN] + n - 2] + in_danger(W, T, A, st, sh, side)
        hs[hs[GIVEN] + n] = given
        if given >= V[CHECKS_WIN]:
            return 1
    if V[GOALS] and not V[LATE_GOALS] and V[V[GOALS] + becomes * T[SIZE] + st[VICTIM]]:
        if not (T[T[ROYAL] + becomes] and in_danger(W, T, A, st, sh, 1 - side)):
            return 1
    if V[BARE]:
        others = st[COUNTS + side] - royals_of(T, st, side, ANY) - royals_of(T, st, side, LAST)
        for kind in range(T[KINDS]):
            others += st[st[HANDS] + side * T[KINDS] + kind]
        return not others
    return DRAW if V[DEAD] and is_dead(T, V, st) else 0


def is_there(T: Table, V: Table, st: Ints, side: int) -> int:
    """Whether a piece of a side stands on its goal."""
    for j in range(st[COUNTS + side]):
        s = st[st[LISTS] + side * T[SIZE] + j]
        if V[V[GOALS] + st[st[BOARD] + s] * T[SIZE] + s]:
            return 1
    return 0


def at_goals(T: Table, V: Table, st: Ints, mv: Ints, at: int, end: int) -> int:
    """What goals that count late mean for the side to move, whose moves are listed.

    Its own was reached before and has not been taken. With `LAST_REPLY` the second side may yet
    draw by its next move.
    """
    if not V[LATE_GOALS]:
        return 0
    side = st[SIDE]
    theirs = is_there(T, V, st, 1 - side)
    if is_there(T, V, st, side):
        return DRAW if theirs and V[LATE_GOALS] == LAST_REPLY else 1
    if not theirs or V[LATE_GOALS] != LAST_REPLY:
        return 0
    m = at
    while side and m < end:
        if V[V[GOALS] + mv[m + BECOMES] * T[SIZE] + mv[m + TARGET]]:
            return 0
        m += WIDTH
    return -1


def without_moves(T: Table, V: Table, st: Ints) -> int:
    """What it means for the side to move that it has no move, and is not mated."""
    if V[STUCK] < FEWER_WIN:
        return V[STUCK]
    mine = count_all(T, st, st[SIDE])
    theirs = count_all(T, st, 1 - st[SIDE])
    if mine == theirs:
        return 0
    return 1 if (mine < theirs) == (V[STUCK] == FEWER_WIN) else -1


def gives_check(W: Table, T: Table, A: Table, st: Ints, sh: Ints, mv: Ints, m: int) -> int:
    """Whether the piece that a move brings attacks the other royal from where it arrives."""
    k = st[ROYALS + 1 - st[SIDE]]
    q = mv[m + TARGET]
    if st[CAREFUL]:
        return 0
    a = A[(mv[m + BECOMES] * T[SIZE] + k) * T[SIZE] + q]
    if not a:
        return 0
    return hits(W, T, st, sh, a, q, k)


def is_guarded(W: Table, T: Table, A: Table, st: Ints, sh: Ints, mv: Ints, m: int) -> int:
    """Whether the enemy could capture back where a move arrives."""
    origin = mv[m + ORIGIN]
    q = mv[m + TARGET]
    was = sh[origin]
    stood = sh[q]
    sh[origin] = VACANT
    sh[q] = T[T[SHIFT] + mv[m + BECOMES]]
    found = is_open(W, T, A, st, sh, q, 1 - st[SIDE], 0)
    sh[q] = stood
    sh[origin] = was
    return found


def rate(
    W: Table, T: Table, A: Table, V: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, hs: Ints,
    m: int, n: int, known: int,
) -> int:  # fmt: skip
    """How likely a move is the best one: the known one, then what gains, then what refuted."""
    code = code_of(mv, m)
    if code == known:
        return KNOWN
    size = T[SIZE]
    origin = mv[m + ORIGIN]
    gain = brings(T, V, st, sh, oc, mv, m)
    place = mv[m + BECOMES] * size + mv[m + TARGET]
    if origin != size:
        sharp = 1 if st[st[BOARD] + origin] != mv[m + BECOMES] else 0
        for x in range(captures(T, mv, m)):
            q = captured(T, st, mv, m, x)
            if q < size and st[st[BOARD] + q]:
                sharp = 1
        if sharp:
            own = V[V[WORTH] + place]
            if gain < own and is_guarded(W, T, A, st, sh, mv, m):
                return gain - own
            return GAINING + 16 * gain - own
    killers = hs[KILLERS] + 2 * n
    if hs[killers] == code % SHORT or hs[killers + 1] == code % SHORT:
        return REFUTING
    return hs[hs[GOOD] + place] + gain + 65536


def pick(mv: Ints, hs: Ints, m: int, end: int) -> int:
    """Bring the move with the best rating of those left to ``m``; the rating."""
    at = hs[RATED] + m // WIDTH
    count = (end - m) // WIDTH
    best = 0
    for x in range(count):
        if hs[at + x] > hs[at + best]:
            best = x
    rating = hs[at + best]
    if best:
        hs[at + best] = hs[at]
        hs[at] = rating
        for x in range(WIDTH):
            kept = mv[m + x]
            mv[m + x] = mv[m + best * WIDTH + x]
            mv[m + best * WIDTH + x] = kept
    return rating


def listed(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int, which: int,
) -> int:  # fmt: skip
    """List `ALL` legal moves in no order, or `ONLY_GAINS`; `danger` must have been asked last."""
    show_trail(T, st, sh, PASSED)
    first = st[LISTS] + st[SIDE] * T[SIZE]
    start = at
    for j in range(movers(T, st)):
        s = st[first + j]
        mode = mode_of(W, T, A, st, sh, mk, s)
        at = list_piece(W, T, A, st, sh, oc, mk, mv, at, s, mode, which)
    show_trail(T, st, sh, VACANT)
    if which == ONLY_GAINS:
        return only_captures(T, st, mv, start, at) if T[TAKE_FIRST] else at
    end = list_drops(W, T, A, st, sh, oc, mk, mv, at)
    end = without_mates(W, T, A, Z, st, sh, oc, mk, mv, at, end)
    return sifted(W, T, A, st, sh, mv, start, end)


def rate_all(
    W: Table, T: Table, A: Table, V: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, hs: Ints,
    at: int, end: int, n: int, known: int,
) -> None:  # fmt: skip
    """Rate the moves of a list."""
    m = at
    while m < end:
        hs[hs[RATED] + m // WIDTH] = rate(W, T, A, V, st, sh, oc, mv, hs, m, n, known)
        m += WIDTH


def calm(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    V: Table, hs: Ints, tt: Ints, at: int, depth: int, alpha: int, beta: int, n: int,
) -> int:  # fmt: skip
    """The worth of a position when nothing more is to be gained at once; checks are answered."""
    tt[VISITED] += 1
    best = hs[hs[AHEAD] + n] + V[TEMPO]
    danger(W, T, A, Z, st, sh, mk)
    checked = st[CHECKS]
    if n - tt[PAST] >= LONGEST or (checked and depth < -3):
        return best
    if checked:
        end = listed(W, T, A, Z, st, sh, oc, mk, mv, at, ALL)
        if end == at:
            return V[MATED] * (MATE - n + tt[PAST])
        best = -MATE
    else:
        if best >= beta and not T[TAKE_FIRST]:
            return best
        end = listed(W, T, A, Z, st, sh, oc, mk, mv, at, ONLY_GAINS)
        if T[TAKE_FIRST] and depth >= -3 and end > at and is_capture(T, st, mv, at):
            # A capture must be made.
            checked = 1
            best = -MATE
    rate_all(W, T, A, V, st, sh, oc, mv, hs, at, end, n, 0)
    m = at
    last = 0
    while m < end and best < beta:
        rating = pick(mv, hs, m, end)
        if mv[m + FLAGS] >> EXTRA and code_of(mv, m) == last:
            # One wall is as good as another while captures are looked at.
            m += WIDTH
            continue
        last = code_of(mv, m)
        if depth < -3 and not checked and mv[m + TARGET] != st[VICTIM]:
            m += WIDTH
            continue
        if not checked and (
            rating < GAINING // 2 or best + brings(T, V, st, sh, oc, mv, m) + 200 < alpha
        ):
            break
        if best > alpha:
            alpha = best
        won = fate(T, st, sh, oc, mv, m) if st[CAREFUL] else 0
        play(T, V, st, sh, oc, mv, hs, tt, m, n)
        if not won:
            won = ended(W, T, A, V, st, sh, hs, n + 1, mv[m + BECOMES])
        if won:
            score = (MATE - n - 1 + tt[PAST]) * (won if won != DRAW else 0)
        else:
            score = -calm(
                W, T, A, Z, st, sh, oc, mk, mv, V, hs, tt, end, depth - 1, -beta, -alpha, n + 1
            )
        unmake(T, st, sh, oc, mv, m)
        if score > best:
            best = score
        m += WIDTH
    return best


def unmoved(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    V: Table, hs: Ints, tt: Ints, at: int, depth: int, beta: int, n: int,
) -> int:  # fmt: skip
    """What the mover still has if it does not move; no game allows that, nearly."""
    trail = st[TRAIL]
    victim = st[VICTIM]
    side = st[SIDE]
    st[TRAIL] = 0
    st[SIDE] = 1 - side
    tt[tt[KEYS] + n + 1] = tt[tt[KEYS] + n] + 1 - 2 * side & MASK
    hs[hs[AHEAD] + n + 1] = -hs[hs[AHEAD] + n]
    hs[hs[GIVEN] + n + 1] = hs[hs[GIVEN] + n - 1]
    score = -seek(W, T, A, Z, st, sh, oc, mk, mv, V, hs, tt, at, depth, -beta, 1 - beta, n + 1, 0)
    st[SIDE] = side
    st[TRAIL] = trail
    st[VICTIM] = victim
    return score


def whole_key(V: Table, st: Ints, hs: Ints, tt: Ints, n: int) -> int:
    """The key of a position, with all that tells it from others with the same pieces."""
    key = tt[tt[KEYS] + n]
    if st[TRAIL]:
        key += scatter(st[TRAIL])
    if V[CHECKS_WIN]:
        key += scatter(hs[hs[GIVEN] + n] * 64 + hs[hs[GIVEN] + n - 1])
    return key & MASK


def told(tt: Ints, entry: int, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The score that an entry tells, `UNTOLD` where it was not searched deep enough for that."""
    word = tt[entry + 1]
    score = (word >> 9 & 2097151) - 1048576
    if score > SURE:
        score -= ply
    elif score < -SURE:
        score += ply
    bound = word & 3
    if (word >> 2 & 127) < depth or (bound == LOWER and score < beta):
        return UNTOLD
    return UNTOLD if bound == UPPER and score > alpha else score


def keep(tt: Ints, key: int, move: int, score: int, depth: int, bound: int, ply: int) -> None:
    """Write an entry; mates are counted from its own position."""
    if score > SURE:
        score += ply
    elif score < -SURE:
        score -= ply
    entry = tt[ENTRIES] + 2 * (key & tt[LAST_ENTRY])
    tt[entry] = key
    tt[entry + 1] = move << 30 | score + 1048576 << 9 | depth << 2 | bound


def remember(T: Table, mv: Ints, hs: Ints, m: int, n: int, depth: int) -> None:
    """Note that a quiet move refuted the last one."""
    code = code_of(mv, m) % SHORT
    killers = hs[KILLERS] + 2 * n
    if hs[killers] != code:
        hs[killers + 1] = hs[killers]
        hs[killers] = code
    at = hs[GOOD] + mv[m + BECOMES] * T[SIZE] + mv[m + TARGET]
    weight = depth * depth if depth < 40 else 1600
    hs[at] += weight * 16 - hs[at] * weight // 4096


def late(depth: int, count: int, rating: int, dropped: int) -> int:
    """By how much less deep a move is looked at that comes late in the list; drops most of all."""
    if depth < 3 - dropped or count < 3 or rating >= REFUTING:
        return 0
    less = 1 + (count > 7) + (count > 19) + (depth > 6 and count > 11) + (depth > 10)
    less += dropped and count > 39
    most = depth - 3 + 2 * dropped
    return less if less < most else most


def is_slight(
    W: Table, T: Table, A: Table, V: Table, st: Ints, sh: Ints, oc: Ints, mv: Ints, m: int,
    depth: int, count: int, lacking: int,
) -> int:  # fmt: skip
    """Whether a move is so late in the list, or brings so little, that nobody looks at it."""
    gain = brings(T, V, st, sh, oc, mv, m)
    if count <= 4 + 3 * depth * depth and gain + SLACK * depth > lacking:
        return 0
    return not gives_check(W, T, A, st, sh, mv, m)


def answered(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    V: Table, hs: Ints, tt: Ints, at: int, depth: int, less: int, alpha: int, beta: int, n: int,
) -> int:  # fmt: skip
    """What the move just made, to place ``n`` of the line, is worth to its side.

    Unless ``less`` is below zero it is asked first, that much less deep, whether it is better than
    ``alpha`` at all.
    """
    if less >= 0:
        down = -alpha - 1
        score = -seek(
            W, T, A, Z, st, sh, oc, mk, mv, V, hs, tt, at, depth - less, down, -alpha, n, 1
        )
        if less and score > alpha:
            score = -seek(W, T, A, Z, st, sh, oc, mk, mv, V, hs, tt, at, depth, down, -alpha, n, 1)
        if score <= alpha or score >= beta:
            return score
    return -seek(W, T, A, Z, st, sh, oc, mk, mv, V, hs, tt, at, depth, -beta, -alpha, n, 1)


def seek(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    V: Table, hs: Ints, tt: Ints, at: int, depth: int, alpha: int, beta: int, n: int,
    passing: int,
) -> int:  # fmt: skip
    """The worth of a position, looking ``depth`` moves ahead; ``passing``: a pass may be tried."""
    ply = n - tt[PAST]
    if depth <= 0 or ply >= LONGEST:
        return calm(W, T, A, Z, st, sh, oc, mk, mv, V, hs, tt, at, 0, alpha, beta, n)
    tt[VISITED] += 1
    if tt[VISITED] > tt[ALLOWED]:
        tt[HALT] = 1
    if tt[HALT]:
        return 0
    if ply and V[REPEATED]:
        back = repeats_line(tt, n)
        if back:
            return on_repetition(V, st, hs, n, back)
    key = whole_key(V, st, hs, tt, n)
    entry = tt[ENTRIES] + 2 * (key & tt[LAST_ENTRY])
    known = 0
    if tt[entry] == key:
        known = tt[entry + 1] >> 30
        score = told(tt, entry, depth, alpha, beta, ply)
        if ply and score != UNTOLD:
            return score
    danger(W, T, A, Z, st, sh, mk)
    end = listed(W, T, A, Z, st, sh, oc, mk, mv, at, ALL)
    checked = st[CHECKS] > 0
    hs[hs[CHECKED] + n] = checked
    if T[WALLING]:
        # A move for each wall: to list them is the work.
        tt[VISITED] += (end - at) // (LISTED * WIDTH)
    reached = at_goals(T, V, st, mv, at, end)
    if reached and ply:
        return (MATE - ply) * (reached if reached != DRAW else 0)
    if end == at:
        return (V[MATED] if checked else without_moves(T, V, st)) * (MATE - ply)
    now = hs[hs[AHEAD] + n] + V[TEMPO]
    # Where it is only asked whether a line is better than another, guesses are good enough.
    guess = beta - alpha == 1 and not checked and beta < SURE and alpha > -SURE
    if guess and ply > 2 and depth <= 3 and now - SLACK * depth >= beta:
        return now
    passing = passing and depth >= 2 and end - at > MANY * WIDTH and not T[TAKE_FIRST]
    if guess and ply > 2 and passing and now >= beta and not T[TURNING]:
        less = depth - 3 - depth // 5
        score = unmoved(W, T, A, Z, st, sh, oc, mk, mv, V, hs, tt, end, less, beta, n)
        if score >= beta and score < SURE and not tt[HALT]:
            return score
    rate_all(W, T, A, V, st, sh, oc, mv, hs, at, end, n, known)
    best = -MATE
    bound = UPPER
    deep = depth - 1 + (checked and ply <= tt[REACHED])
    count = 0
    m = at
    while m < end and best < beta:
        rating = pick(mv, hs, m, end)
        if guess and count and rating < REFUTING and depth <= 4 and best > -SURE:
            early = ply < 3 and mv[m + ORIGIN] != T[SIZE]
            if not early and is_slight(W, T, A, V, st, sh, oc, mv, m, depth, count, alpha - now):
                m += WIDTH
                continue
        less = -1
        if count:
            less = 0 if checked else late(depth, count, rating, mv[m + ORIGIN] == T[SIZE])
            if less and gives_check(W, T, A, st, sh, mv, m):
                less = 0
        won = fate(T, st, sh, oc, mv, m) if st[CAREFUL] else 0
        play(T, V, st, sh, oc, mv, hs, tt, m, n)
        if not won:
            won = ended(W, T, A, V, st, sh, hs, n + 1, mv[m + BECOMES])
        if won:
            score = (MATE - ply - 1) * (won if won != DRAW else 0)
        else:
            score = answered(
                W, T, A, Z, st, sh, oc, mk, mv, V, hs, tt, end, deep, less, alpha, beta, n + 1
            )
        unmake(T, st, sh, oc, mv, m)
        if tt[HALT]:
            return 0
        count += 1
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                bound = EXACT
                known = code_of(mv, m)
                if not ply:
                    for x in range(WIDTH):
                        mv[x] = mv[m + x]
        if score >= beta:
            bound = LOWER
            if rating < GAINING // 2:
                remember(T, mv, hs, m, n, depth)
        m += WIDTH
    keep(tt, key, known, best, depth, bound, ply)
    return best


def think(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    V: Table, hs: Ints, tt: Ints, depth: int,
) -> int:  # fmt: skip
    """Look for the best move, first one move ahead, at most ``depth``; it stands first in ``mv``.

    It ends with the work that is allowed, or when anybody sets the stop.
    """
    n = tt[PAST]
    tt[tt[KEYS] + n] = key_of(T, st)
    hs[hs[AHEAD] + n] = ahead(T, V, st)
    danger(W, T, A, Z, st, sh, mk)
    end = listed(W, T, A, Z, st, sh, oc, mk, mv, WIDTH, ALL)
    for x in range(WIDTH):
        mv[x] = mv[WIDTH + x]
    if end == 2 * WIDTH:
        depth = 1
    while tt[REACHED] < depth and not tt[HALT]:
        score = seek(
            W, T, A, Z, st, sh, oc, mk, mv, V, hs, tt, WIDTH, tt[REACHED] + 1, -MATE, MATE, n, 0
        )
        if not tt[HALT]:
            tt[SCORE] = score
            tt[REACHED] += 1
            if score >= MATE - tt[REACHED] or -score >= MATE - tt[REACHED]:
                break
    return tt[REACHED]
