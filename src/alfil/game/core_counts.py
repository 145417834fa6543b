"""Counts of moves and of sequences, random games, and what a game asks of the compiled body."""

from __future__ import annotations

from alfil.game.core import *
from alfil.game.core_ends import *

# Where `simulate` counts how games end; mates and sides without a move stand first.
TAKEN_FROM, RUN_OUT, UNFINISHED = 4, 6, 8


def count_nodes(W: Table, sh: Ints, i: int, end: int) -> int:
    """How often some nodes make a move."""
    total = 0
    while i < end:
        w = W[i]
        t = w >> sh[w & SQUARE]
        total += t & FORMS
        if t & ON:
            i += 1
        else:
            i += (w >> SKIP_AT) & SKIPS
    return total


def count_free(W: Table, T: Table, st: Ints, sh: Ints, s: int) -> int:
    """How many moves a piece has that is no royal, all of them legal."""
    x = st[st[BOARD] + s] * T[SIZE] + s
    total = count_nodes(W, sh, T[T[BEGIN] + x], T[T[END] + x])
    parts = T[T[PARTS] + x]
    if parts:
        for n in range(T[parts]):
            part = parts + 1 + PART * n
            if holds(T, st, part, s):
                total += count_nodes(W, sh, T[part + FROM], T[part + UNTIL])
    return total


def count_drops(
    W: Table, T: Table, A: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints, at: int
) -> int:
    """How many legal drops there are, those that mate among them."""
    droppable = T[T[DROPPABLE] + st[SIDE]]
    total = 0
    for x in range(T[droppable]):
        kind = in_hand(T, st, st[SIDE], x)
        p = T[droppable + 2 + 2 * x]
        if kind < 0:
            continue
        if st[CHECKS] or st[HOPPED] or T[T[DROP_CHECK] + p] == QUIETLY:
            total += (drop(W, T, A, st, sh, oc, mk, mv, at, kind, p) - at) // WIDTH
        elif T[T[DROP_CHECK] + p]:
            sources = T[T[SOURCES] + p * T[SIZE] + st[ROYALS + 1 - st[SIDE]]]
            for y in range(T[sources]):
                q = T[sources + 1 + y]
                if is_landing(T, oc, p, q):
                    total += may_drop(W, T, A, st, sh, oc, p, q)
        else:
            for word in range(T[WORDS]):
                total += popcount(landing(T, st, oc, p, word) & ~oc[word])
    return total


def mating(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int,
) -> int:  # fmt: skip
    """How many of the drops counted mate and may not; `danger` must have been asked last."""
    droppable = T[T[DROPPABLE] + st[SIDE]]
    k = st[ROYALS + 1 - st[SIDE]]
    end = at
    for x in range(T[droppable]):
        kind = in_hand(T, st, st[SIDE], x)
        p = T[droppable + 2 + 2 * x]
        if kind < 0 or not T[T[DROP_MATE] + p]:
            continue
        if T[HOPPING] or st[CAREFUL]:
            end = drop(W, T, A, st, sh, oc, mk, mv, end, kind, p)
            continue
        sources = T[T[SOURCES] + p * T[SIZE] + k]
        for y in range(T[sources]):
            q = T[sources + 1 + y]
            if (
                is_landing(T, oc, p, q)
                and may_drop(W, T, A, st, sh, oc, p, q)
                and may_mate(W, T, A, st, sh, p, q)
            ):
                touched = st[CHECKS] or (mk[q] == st[STAMP] and st[HOPPED])
                if not (touched and exposes(W, T, A, st, sh, T[SIZE], q, p, 0)):
                    write(mv, end, T[SIZE], q, p, kind)
                    end += WIDTH
    count = (end - at) // WIDTH
    return count - (without_mates(W, T, A, Z, st, sh, oc, mk, mv, at, end) - at) // WIDTH


def count(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int,
) -> int:  # fmt: skip
    """How many legal moves there are; ``at`` is free room in the list of moves.

    At `ORDER` stands, for each piece of the mover's list, how many it and those before it have.
    """
    if T[TAKE_FIRST] or T[STUCK_PASSES]:
        return (gather(W, T, A, Z, st, sh, oc, mk, mv, at) - at) // WIDTH
    danger(W, T, A, Z, st, sh, mk)
    show_trail(T, st, sh, PASSED)
    size = T[SIZE]
    side = st[SIDE]
    k = st[ROYALS + side]
    base = st[LISTS] + side * size
    bd = st[BOARD]
    quiet = not st[CHECKS] and not st[HOPPED]
    total = 0
    for j in range(movers(T, st)):
        s = st[base + j]
        mode = FREE
        if not quiet or mk[s] == st[STAMP] or s == k:
            mode = mode_of(W, T, A, st, sh, mk, s)
        if mode == FREE and is_simple(T, st, st[bd + s]):
            total += count_free(W, T, st, sh, s)
        else:
            total += (list_piece(W, T, A, st, sh, oc, mk, mv, at, s, mode, ALL) - at) // WIDTH
        st[st[ORDER] + j] = total
    show_trail(T, st, sh, VACANT)
    total += count_drops(W, T, A, st, sh, oc, mk, mv, at)
    if T[MATING]:
        total -= mating(W, T, A, Z, st, sh, oc, mk, mv, at)
    return total


def perft(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int, depth: int,
) -> int:  # fmt: skip
    """The number of sequences of ``depth`` legal moves, 1 at least."""
    if depth == 1:
        return count(W, T, A, Z, st, sh, oc, mk, mv, at)
    total = 0
    end = gather(W, T, A, Z, st, sh, oc, mk, mv, at)
    m = at
    while m < end:
        if not (st[CAREFUL] and fate(T, st, sh, oc, mv, m)):
            make(T, st, sh, oc, mv, m)
            total += perft(W, T, A, Z, st, sh, oc, mk, mv, end, depth - 1)
            unmake(T, st, sh, oc, mv, m)
        m += WIDTH
    return total


def choose(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int, seed: int,
) -> int:  # fmt: skip
    """List some legal moves from a place; where the one stands that the seed has chosen, or -1.

    All legal moves are as likely, and there is none where the answer is -1.
    """
    if st[CAREFUL]:
        # Moves that are judged one by one are listed to be counted.
        end = gather(W, T, A, Z, st, sh, oc, mk, mv, at)
        return at + (seed >> 16) % ((end - at) // WIDTH) * WIDTH if end > at else -1
    number = count(W, T, A, Z, st, sh, oc, mk, mv, at)
    if not number:
        return -1
    chosen = (seed >> 16) % number
    side = st[SIDE]
    danger(W, T, A, Z, st, sh, mk)
    j = 0
    before = 0
    while j < st[COUNTS + side] and st[st[ORDER] + j] <= chosen:
        before = st[st[ORDER] + j]
        j += 1
    if j < st[COUNTS + side]:
        s = st[st[LISTS] + side * T[SIZE] + j]
        show_trail(T, st, sh, PASSED)
        mode = mode_of(W, T, A, st, sh, mk, s)
        list_piece(W, T, A, st, sh, oc, mk, mv, at, s, mode, ALL)
        show_trail(T, st, sh, VACANT)
    else:
        end = list_drops(W, T, A, st, sh, oc, mk, mv, at)
        without_mates(W, T, A, Z, st, sh, oc, mk, mv, at, end)
    return at + (chosen - before) * WIDTH


def simulate(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    games: int, limit: int, seed: int, out: Ints,
) -> int:  # fmt: skip
    """Play games of random moves; the number of moves made.

    A game ends without a legal move, with the capture of royals, with too few pieces, or after
    ``limit`` moves. In ``out`` are counted by side: games in which the side to move is mated, or
    has no move, in which a side's royals were captured, in which it had too few pieces, and then
    games that did not end; then stands the seed of the next one. The moves of a game stand first in
    ``mv``, to be taken back.
    """
    start = WIDTH * limit
    total = 0
    while games:
        games -= 1
        ply = 0
        # Where in out a game is counted, as far as that is known; 1 more.
        end = 0
        m = -1
        while ply <= limit:
            gone = too_few(T, st)
            if gone and not end:
                end = RUN_OUT + gone
            seed = (seed * 25214903917 + 11) & 281474976710655
            if not end:
                m = choose(W, T, A, Z, st, sh, oc, mk, mv, start, seed)
            if end or m < 0 or ply == limit:
                break
            if st[CAREFUL]:
                won = fate(T, st, sh, oc, mv, m)
                if won:
                    end = TAKEN_FROM + 1 + (1 - st[SIDE] if won > 0 else st[SIDE])
            make(T, st, sh, oc, mv, copy_move(mv, m, WIDTH * ply))
            ply += 1
        if end:
            out[end - 1] += 1
        elif m >= 0:
            out[UNFINISHED] += 1
        elif in_danger(W, T, A, st, sh, st[SIDE]):
            out[st[SIDE]] += 1
        else:
            out[2 + st[SIDE]] += 1
        total += ply
        while ply:
            ply -= 1
            unmake(T, st, sh, oc, mv, WIDTH * ply)
    out[UNFINISHED + 1] = seed
    return total


def survey(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int, out: Ints,
) -> int:  # fmt: skip
    """List all legal moves from a place in the list, and say what a game wants to know besides.

    ``out`` begins with whether the mover is in check and a number that is the same for the same
    board, hands and side to move; then follows for each move a number that no other move of the
    game has, below zero for drops. The number of moves.
    """
    size = T[SIZE]
    end = generate(W, T, A, Z, st, sh, oc, mk, mv, at)
    out[0] = in_danger(W, T, A, st, sh, st[SIDE])
    number = st[SIDE]
    for x in range(size):
        number = (number * 25214903917 + st[st[BOARD] + x] + 11) & 281474976710655
    for x in range(2 * T[KINDS]):
        number = (number * 25214903917 + st[st[HANDS] + x] + 11) & 281474976710655
    out[1] = number
    n = 2
    m = at
    while m < end:
        to = mv[m + TARGET]
        becomes = mv[m + BECOMES]
        if mv[m + ORIGIN] == size:
            out[n] = -1 - becomes * size - to
        else:
            victim = 0
            if mv[m + FLAGS] & PASSANT:
                victim = st[VICTIM] + 2
            elif st[st[BOARD] + to] and to != mv[m + ORIGIN] and not mv[m + PARTNER]:
                victim = 1
            out[n] = (mv[m + NODE] * T[PIECES] + becomes) * (size + 2) + victim
            if mv[m + NODE] == T[NOTHING]:
                # Castling to files has no node of its own.
                out[n] = (((1 << 16) + becomes) * 2048 + mv[m + ORIGIN]) * 2048 + to
                out[n] = out[n] * 4194304 + mv[m + PARTNER]
        n += 1
        m += WIDTH
    return n - 2


def go_on(
    W: Table, T: Table, A: Table, Z: Table, st: Ints, sh: Ints, oc: Ints, mk: Ints, mv: Ints,
    at: int, out: Ints, m: int,
) -> int:  # fmt: skip
    """Make a move of a list, and `survey` the position after it."""
    make(T, st, sh, oc, mv, m)
    return survey(W, T, A, Z, st, sh, oc, mk, mv, at, out)
