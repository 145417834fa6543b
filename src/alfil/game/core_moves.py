"""Legal moves and counts of sequences of them, on flat lists of ints.

It keeps to the same part of Python as `alfil.game.core`, where the names are explained.
"""

from __future__ import annotations

from alfil.game.core import (
    ASKING,
    BECOMES,
    BEGIN,
    BIAS,
    CAUGHT,
    CELLS,
    CHECK,
    COMPANY,
    DROP_CHECK,
    DROP_LIMIT,
    DROPPABLE,
    DROPS,
    END,
    ENDS,
    FILES,
    FILES_AT,
    FLAGS,
    HANDS,
    KIND,
    KINDS,
    LANDINGS,
    LIMIT,
    LIMITED,
    LINK,
    MOST,
    MOVES,
    NODE,
    OWN,
    OWN_AT,
    OWNER,
    PLAIN,
    RECORD,
    REQUIRED,
    ROYALS,
    SEEN,
    SIDE,
    SINCE,
    SKIP,
    SOURCES,
    SQUARES,
    STACK,
    STAMP,
    STRUCK,
    TAKEN,
    TARGET,
    TESTED,
    TWINS,
    WAY,
    WIDTH,
    WORTH,
    Ints,
    catch,
    make,
    survey,
    unmake,
)
from alfil.game.core_attacks import (
    crowded,
    exposes,
    forms_of,
    gives_check,
    look_around,
    loses,
    shielded,
)

# What is known of a move before it is tried: that it is illegal, that it leaves a check as it is,
# that it is legal, that it ends the game, or nothing.
BARRED, STAYS, FREE, OVER, TRIED = range(5)


def generate(tables: Ints, state: Ints, start: int) -> int:
    """Put all legal moves into the state from a place on; the place after the last.

    They stand in the order of `alfil.game.rules.legal_acts`. -1 where there is no room.
    """
    survey(tables, state)
    if tables[TESTED]:
        look_around(tables, state)
    at = start
    i = state[OWN_AT]
    while i < state[OWN]:
        cell = state[i]
        if at + tables[state[cell] + MOST] * WIDTH > len(state):
            return -1
        at = moves_of(tables, state, cell, at)
        i += 1
    if tables[DROPS]:
        at = drops(tables, state, at)
    return at


def moves_of(tables: Ints, state: Ints, cell: int, at: int) -> int:
    """Add the legal moves of a piece."""
    stamp = state[STAMP]
    check = state[CHECK]
    cells = tables[CELLS]
    piece = state[cell]
    base = cell - BIAS
    state[SINCE] = at
    quick = tables[piece + PLAIN] > 0 and state[cell + cells] != stamp
    node = tables[piece + BEGIN]
    end = tables[piece + END]
    while node < end:
        word = tables[node]
        target = base + (word >> 12)
        standing = tables[state[target]]
        if word & standing:
            if (
                not quick
                or state[target + cells] == stamp
                or standing & ROYALS
                or tables[node + TAKEN]
            ):
                at = consider(tables, state, cell, target, node, at)
            elif not check:
                state[at] = cell
                state[at + TARGET] = target
                state[at + WAY] = node
                state[at + BECOMES] = piece
                state[at + FLAGS] = 0
                at += WIDTH
        if word >> 6 & standing:
            node += NODE
        else:
            node = tables[node + SKIP]
    return at


def consider(tables: Ints, state: Ints, cell: int, target: int, node: int, at: int) -> int:
    """Add a move with all forms that may arrive, if it is legal."""
    piece = state[cell]
    twins = tables[piece + TWINS]
    if twins and repeats(tables, state, target, node, at):
        return at
    caught = catch(tables, state, cell, target, node, state[CAUGHT])
    verdict = judge(tables, state, cell, target, caught)
    if verdict == BARRED:
        return at
    first = at
    forms = forms_of(tables, piece, cell, target, 1 if caught else 0)
    i = 1
    while i <= tables[forms]:
        form = tables[forms + i]
        if may_arrive(tables, state, cell, target, form, verdict, caught):
            state[at] = cell
            state[at + TARGET] = target
            state[at + WAY] = node
            state[at + BECOMES] = form
            state[at + FLAGS] = ENDS if verdict == OVER else 0
            at += WIDTH
        i += 1
    if twins and at > first:
        state[first + LINK] = state[target + 2 * tables[CELLS]]
        state[target + 2 * tables[CELLS]] = first
    return at


def may_arrive(
    tables: Ints, state: Ints, cell: int, target: int, form: int, verdict: int, caught: int
) -> bool:
    """Whether a move is legal if its piece becomes a form; ``caught`` pieces are captured."""
    if tables[form + LIMIT]:
        i = 0
        while i < caught:
            state[state[STRUCK] + i] = state[state[CAUGHT] + i]
            i += 1
        if crowded(tables, state, cell, target, form, caught):
            return False
    if verdict == OVER:
        return True
    if verdict == TRIED or (tables[TESTED] and tables[form + WORTH]):
        return not exposes(tables, state, cell, target, form, caught)
    return verdict == FREE


def repeats(tables: Ints, state: Ints, target: int, node: int, at: int) -> bool:
    """Whether a move that ends and captures alike is there already from the same piece.

    Moves of the piece to one target are linked, the last first.
    """
    company = tables[node + COMPANY]
    earlier = state[target + 2 * tables[CELLS]]
    # What is left of other lists is told by its place, or by another target there.
    while state[SINCE] <= earlier < at and state[earlier + TARGET] == target:
        if tables[state[earlier + WAY] + COMPANY] == company:
            return True
        at = earlier
        earlier = state[earlier + LINK]
    return False


def judge(tables: Ints, state: Ints, cell: int, target: int, count: int) -> int:
    """What is known of a move that captures ``count`` pieces before it is tried."""
    stamp, side, marks, caught = state[STAMP], state[SIDE], tables[CELLS], state[CAUGHT]
    touched = state[cell + marks] == stamp or state[target + marks] == stamp
    theirs = ours = 0
    i = caught
    while i < caught + count:
        piece = state[state[i]]
        touched = touched or state[state[i] + marks] == stamp
        if tables[piece + OWNER] == side:
            ours |= tables[piece + WORTH]
        else:
            theirs |= tables[piece + WORTH]
        i += 1
    if count and shielded(tables, state, state[cell], caught, count):
        return BARRED
    if theirs and loses(tables, state, 1 - side, caught, count):
        return OVER
    if ours and loses(tables, state, side, caught, count):
        return BARRED if tables[TESTED] else OVER
    if ours or touched or tables[state[cell] + WORTH] or tables[LIMITED]:
        return TRIED if tables[TESTED] else FREE
    return STAYS if state[CHECK] else FREE


def drops(tables: Ints, state: Ints, at: int) -> int:
    """Add the legal drops; -1 where there is no room."""
    stamp = state[STAMP]
    hand = state[HANDS] + state[SIDE] * tables[KINDS]
    kind = 0
    while kind < tables[KINDS]:
        if state[hand + kind]:
            pieces = tables[tables[DROPPABLE] + 2 * kind + state[SIDE]]
            i = 1
            while i <= tables[pieces]:
                piece = tables[pieces + i]
                i += 1
                # A form may be put down from two places in the hand; it is one drop.
                seen = state[SEEN] + piece // RECORD
                if state[seen] != stamp:
                    state[seen] = stamp
                    if at + tables[tables[piece + LANDINGS]] * WIDTH > len(state):
                        return -1
                    at = drops_of(tables, state, piece, at)
        kind += 1
    return at


def drops_of(tables: Ints, state: Ints, piece: int, at: int) -> int:
    """Add the legal drops of one piece."""
    kind = source(tables, state, piece)
    if tables[piece + DROP_LIMIT]:
        count_files(tables, state, piece)
    cells = tables[piece + LANDINGS]
    i = 1
    while i <= tables[cells]:
        cell = tables[cells + i]
        if not state[cell] and may_drop(tables, state, piece, cell):
            state[at] = -1
            state[at + TARGET] = cell
            state[at + WAY] = kind
            state[at + BECOMES] = piece
            state[at + FLAGS] = tables[piece + ASKING]
            at += WIDTH
        i += 1
    return at


def may_drop(tables: Ints, state: Ints, piece: int, cell: int) -> bool:
    """Whether a piece may be dropped on a vacant cell that its ranks allow."""
    limit, check = tables[piece + DROP_LIMIT], tables[piece + DROP_CHECK]
    if limit and state[state[FILES_AT] + tables[cell + tables[SQUARES]] % tables[FILES]] >= limit:
        return False
    if check and gives_check(tables, state, piece, cell) != (check == REQUIRED):
        return False
    if not tables[TESTED]:
        return True
    marked = state[cell + tables[CELLS]] == state[STAMP]
    if marked or tables[piece + WORTH] or tables[LIMITED]:
        return not exposes(tables, state, cell, cell, piece, 0)
    return state[CHECK] == 0


def source(tables: Ints, state: Ints, piece: int) -> int:
    """The kind in hand that is put down as a piece: its own, or the first that may be."""
    hand = state[HANDS] + state[SIDE] * tables[KINDS]
    kind = tables[piece + KIND]
    kinds = tables[piece + SOURCES]
    i = 1
    while not state[hand + kind] and i <= tables[kinds]:
        kind = tables[kinds + i]
        i += 1
    return kind


def count_files(tables: Ints, state: Ints, piece: int) -> None:
    """Count a piece on every file."""
    first = state[FILES_AT]
    i = 0
    while i < tables[FILES]:
        state[first + i] = 0
        i += 1
    i = state[OWN_AT]
    while i < state[OWN]:
        if state[state[i]] == piece:
            state[first + tables[state[i] + tables[SQUARES]] % tables[FILES]] += 1
        i += 1


def perft(tables: Ints, state: Ints, depth: int) -> int:  # noqa: C901 - a loop with its stack
    """The number of sequences of ``depth`` legal moves, 1 at least; -1 where there is no room.

    Without room the position is left as it was met. Drops that must be asked about are counted.
    """
    first = state[MOVES]
    end = generate(tables, state, first)
    if end < 0:
        return -1
    if depth == 1:
        return (end - first) // WIDTH
    # For each ply that is gone through: the next move, and the end of its moves.
    top = state[STACK]
    state[top] = first
    state[top + 1] = end
    left = depth - 1
    total = 0
    while top >= state[STACK]:
        move = state[top]
        start = state[top + 1]
        if move == start:
            top -= 2
            left += 1
            if left < depth:
                unmake(tables, state)
            continue
        state[top] = move + WIDTH
        if state[move + FLAGS] & ENDS:
            continue
        make(tables, state, move)
        end = generate(tables, state, start)
        if end < 0:
            return -1
        if left == 1:
            total += (end - start) // WIDTH
            unmake(tables, state)
        else:
            top += 2
            left -= 1
            state[top] = start
            state[top + 1] = end
    return total
