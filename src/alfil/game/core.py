"""The core of the general path: a game and a position as two flat lists, and moves made in them.

All of it keeps to a part of Python that numba compiles as it stands: ints, two flat lists of them,
while loops; no function allocates or calls itself. First come attacks on royals, then moves and
counts of sequences of them. `alfil.game.flat` makes the lists.

`tables` is the game. It begins with a record of `RECORD` ints for nothing, for every piece, and for
what lies off the board; a piece is the place of its record. Record 0 is that of an empty square and
has only a class; its other fields are facts about the game. "List at" means the place of a count
with its items behind; place 0 is no list.

A node of a piece's table is four ints: (distance + BIAS) << 12 | descend << 6 | emit, the node
after its subtree, the list of what is captured before the last square, and a number for that set.
It is the skip-trie of `alfil.tables.table`, with distances between cells in place of numbered steps
and classes that are the same for both sides.

`state` is a position with room to work in. It begins with scalars; then the board, as cells with
a margin so wide that no step leaves it. A cell is the place of its piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Ints: TypeAlias = list[int]

VACANT, FIRST, FIRST_ROYAL, SECOND, SECOND_ROYAL, OUTSIDE = 1, 2, 4, 8, 16, 32
ROYALS = FIRST_ROYAL | SECOND_ROYAL
BIAS = 4096  # more than any distance on a board of 36×36
NODE = 4
SKIP, TAKEN, COMPANY = 1, 2, 3

# Fields of a record. WORTH is what a royal is worth: ANY where the loss of one ends the game, ALL
# where all must be lost. PLAIN: a quiet move that nothing speaks against is legal as it is. TWINS:
# two of its ways may be one move. AIMS: where the entry for distance 0 stands, each the list at
# which branches (node, end) may capture a royal so far away. PROMOTES: lists of forms by square,
# zone and capture. HELD: the kind it is in its captor's hand, -1 for none. SHIELD: by kind, whether
# that kind cannot capture it; 0 where all can.
RECORD = 24
CLASS, OWNER, WORTH, KIND, BEGIN, END, PLAIN, TWINS, MOST, LIMIT, AIMS, SHIELD = range(12)
PROMOTES, ITSELF, HELD, SOURCES, LANDINGS, DROP_LIMIT, DROP_CHECK, ASKING = range(12, 20)
ANY, ALL = 1, 2
REQUIRED, FORBIDDEN = 1, 2

# Facts about the game, in record 0. From a cell it is CELLS to its mark and twice that to the last
# move there, SQUARES and ZONES to its square and to a bit for each side. PLACES has all cells.
SIZE, FILES, KINDS, LIMITED, DROPS, TESTED, CELLS, SQUARES, ZONES, PLACES, DROPPABLE = range(1, 12)

# Scalars of a position, and where its lists begin. There are three groups of royals: the first
# side's, the second's, and the mover's after a move that changes them.
SIDE, STAMP, CHECK, OWN, FOES, NEAR, UNDONE, SINCE, ROYAL_COUNTS = range(9)
HANDS, OWN_AT, FOES_AT, NEAR_AT, ROYALS_AT, CAUGHT, STRUCK, LIFTED = range(12, 20)
FILES_AT, SEEN, STACK, MOVES = range(20, 24)
SCALARS = 24
AFTER = 2

# A move is these ints: the cells it comes from (-1 for a drop) and goes to, its node (of a drop,
# the kind in hand), what arrives, flags, and the move before it to the same cell.
ORIGIN, TARGET, WAY, BECOMES, FLAGS, LINK = range(6)
WIDTH = 6
# Flags: the move captures so that the game ends; it is a drop that must be seen not to mate.
ENDS, ASKS = 1, 2


def walk(
    nodes: Sequence[int],
    skips: Sequence[int],
    board: Sequence[int],
    classes: Sequence[int],
    out: list[int],
) -> int:
    """Put the nodes at which a move may end into ``out`` and return how many there are.

    This is the loop of all tables, here on one that is cut to a square: its words have the number
    of a square in place of a distance. ``out`` must have room for all nodes.

    >>> out = [0] * 3
    >>> ray = [square << 12 | 1 << 6 | 3 for square in (1, 2, 3)]  # goes on over vacant squares
    >>> walk(ray, [3, 3, 3], [9, 0, 8, 0], {0: 1, 8: 2, 9: 8}, out), out[:2]
    (2, [0, 1])
    """
    node = 0
    end = len(nodes)
    found = 0
    while node < end:
        word = nodes[node]
        standing = classes[board[word >> 12]]
        if word & standing:
            out[found] = node
            found += 1
        if (word >> 6) & standing:
            node += 1
        else:
            node = skips[node]
    return found


def survey(tables: Ints, state: Ints) -> None:
    """Note where the pieces of both sides stand, by square; nothing is marked yet."""
    side = state[SIDE]
    place = tables[PLACES]
    last = place + tables[SIZE]
    own, foe = state[OWN_AT], state[FOES_AT]
    state[STAMP] += 1
    state[ROYAL_COUNTS] = state[ROYAL_COUNTS + 1] = 0
    while place < last:
        cell = tables[place]
        piece = state[cell]
        if piece:
            if tables[piece + OWNER] == side:
                state[own] = cell
                own += 1
            else:
                state[foe] = cell
                foe += 1
            if tables[piece + WORTH]:
                owner = tables[piece + OWNER]
                count = state[ROYAL_COUNTS + owner]
                state[state[ROYALS_AT] + owner * tables[SIZE] + count] = cell
                state[ROYAL_COUNTS + owner] = count + 1
        place += 1
    state[OWN] = own
    state[FOES] = foe


def catch(tables: Ints, state: Ints, cell: int, target: int, node: int, into: int) -> int:
    """Put all that a move captures into a list of the state, its last square last; how many."""
    taken = tables[node + TAKEN]
    count = 0
    if taken:
        count = tables[taken]
        i = 0
        while i < count:
            state[into + i] = cell + tables[taken + 1 + i]
            i += 1
    if target != cell and state[target]:
        state[into + count] = target
        count += 1
    return count


def make(tables: Ints, state: Ints, move: int) -> None:
    """Make a move of the list; `unmake` takes the last one back."""
    origin, target, way = state[move], state[move + TARGET], state[move + WAY]
    hand = state[HANDS] + state[SIDE] * tables[KINDS]
    top = state[UNDONE]
    count = 0
    if origin < 0:
        state[hand + way] -= 1
        state[top] = way
    else:
        count = catch(tables, state, origin, target, way, state[CAUGHT])
        i = 0
        while i < count:
            cell = state[state[CAUGHT] + i]
            piece = state[cell]
            state[top] = cell
            state[top + 1] = piece
            top += 2
            state[cell] = 0
            if tables[piece + HELD] >= 0:
                state[hand + tables[piece + HELD]] += 1
            i += 1
        state[top] = state[origin]
        state[origin] = 0
    state[target] = state[move + BECOMES]
    state[top + 1] = origin
    state[top + 2] = target
    state[top + 3] = count
    state[UNDONE] = top + 4
    state[SIDE] = 1 - state[SIDE]


def unmake(tables: Ints, state: Ints) -> None:
    """Take the last move back."""
    state[SIDE] = 1 - state[SIDE]
    hand = state[HANDS] + state[SIDE] * tables[KINDS]
    top = state[UNDONE] - 4
    origin = state[top + 1]
    state[state[top + 2]] = 0
    if origin < 0:
        state[hand + state[top]] += 1
    else:
        state[origin] = state[top]
    count = state[top + 3]
    while count:
        top -= 2
        piece = state[top + 1]
        state[state[top]] = piece
        if tables[piece + HELD] >= 0:
            state[hand + tables[piece + HELD]] -= 1
        count -= 1
    state[UNDONE] = top


def shielded(tables: Ints, state: Ints, piece: int, caught: int, count: int) -> bool:
    """Whether one of the pieces on a list of cells cannot be captured by a piece."""
    i = caught
    while i < caught + count:
        shield = tables[state[state[i]] + SHIELD]
        if shield and tables[shield + tables[piece + KIND]]:
            return True
        i += 1
    return False


def loses(tables: Ints, state: Ints, group: int, caught: int, count: int) -> bool:
    """Whether the side of a group of royals loses when the pieces on a list of cells are gone."""
    i = state[ROYALS_AT] + group * tables[SIZE]
    end = i + state[ROYAL_COUNTS + group]
    taken = spared = 0
    while i < end:
        cell = state[i]
        worth = tables[state[cell] + WORTH]
        j = caught
        while j < caught + count and state[j] != cell:
            j += 1
        if j == caught + count:
            if worth == ALL:
                spared += 1
        elif worth == ANY:
            return True
        else:
            taken += 1
        i += 1
    return taken > 0 and spared == 0


def crowded(tables: Ints, state: Ints, cell: int, target: int, piece: int, count: int) -> bool:
    """Whether a piece would be one too many on the file it moves to.

    What the move captures are the ``count`` cells of the list `STRUCK`.
    """
    limit = tables[piece + LIMIT]
    files = tables[FILES]
    file = tables[target + tables[SQUARES]] % files
    if not limit or tables[cell + tables[SQUARES]] % files == file:
        return False
    place = tables[PLACES] + file
    there = 0
    while place < tables[PLACES] + tables[SIZE]:
        at = tables[place]
        if state[at] == piece:
            i = 0
            while i < count and state[state[STRUCK] + i] != at:
                i += 1
            if i == count:
                there += 1
        place += files
    return there >= limit


def forms_of(tables: Ints, piece: int, cell: int, target: int, captures: int) -> int:
    """The list of what a piece may be after a move; ``captures`` is 0 or 1."""
    if not tables[piece + PROMOTES]:
        return tables[piece + ITSELF]
    inside = tables[cell + tables[ZONES]] >> tables[piece + OWNER] & 1
    square = tables[target + tables[SQUARES]]
    return tables[tables[piece + PROMOTES] + 4 * square + 2 * inside + captures]


def wins(tables: Ints, state: Ints, group: int, cell: int, target: int, node: int) -> bool:
    """Whether a piece can move so, and the side of a group of royals loses by it."""
    piece = state[cell]
    count = catch(tables, state, cell, target, node, state[STRUCK])
    if shielded(tables, state, piece, state[STRUCK], count):
        return False
    if not loses(tables, state, group, state[STRUCK], count):
        return False
    if not tables[LIMITED]:
        return True
    forms = forms_of(tables, piece, cell, target, 1)
    left = tables[forms]
    while left:
        if not crowded(tables, state, cell, target, tables[forms + left], count):
            return True
        left -= 1
    return False


def attacks(tables: Ints, state: Ints, group: int, cell: int, royal: int) -> int:
    """How a piece could capture a royal so that its side loses: the place of the branch, or 0.

    ``royal`` is the cell of one of the group; a capture of several is looked at as well.
    """
    base = cell - BIAS
    branch = tables[tables[state[cell] + AIMS] + royal - cell]
    left = 0
    if branch:
        left = tables[branch]
        branch += 1
    while left:
        node = tables[branch]
        end = tables[branch + 1]
        while node < end:
            word = tables[node]
            standing = tables[state[base + (word >> 12)]]
            if (
                word & standing
                and (standing & ROYALS or tables[node + TAKEN])
                and wins(tables, state, group, cell, base + (word >> 12), node)
            ):
                return branch
            if word >> 6 & standing:
                node += NODE
            else:
                node = tables[node + SKIP]
        branch += 2
        left -= 1
    return 0


def mark(tables: Ints, state: Ints, cell: int, branch: int) -> None:
    """Mark all cells that a piece looks at in one branch of its table, and its own."""
    stamp = state[STAMP]
    cells = tables[CELLS]
    base = cell - BIAS
    state[cell + cells] = stamp
    node = tables[branch]
    end = tables[branch + 1]
    while node < end:
        word = tables[node]
        at = base + (word >> 12)
        state[at + cells] = stamp
        if word >> 6 & tables[state[at]]:
            node += NODE
        else:
            node = tables[node + SKIP]


def look_around(tables: Ints, state: Ints) -> None:
    """Find whether the mover is in check, and mark all cells that this depends on.

    A move that changes none of them and no royal leaves the answer as it is. In check the cells of
    one attack will do: a move must change one of them to end it. The enemies that could ever attack
    a royal from where they stand are noted as near.
    """
    state[CHECK] = 0
    near = state[NEAR_AT]
    first = state[ROYALS_AT] + state[SIDE] * tables[SIZE]
    last = first + state[ROYAL_COUNTS + state[SIDE]]
    i = state[FOES_AT]
    while i < state[FOES]:
        cell = state[i]
        aims = tables[state[cell] + AIMS] - cell
        counted = 0
        r = first
        while r < last:
            if tables[aims + state[r]]:
                if not counted:
                    state[near] = cell
                    near += 1
                    counted = 1
                if not state[CHECK]:
                    look(tables, state, cell, state[r])
            r += 1
        i += 1
    state[NEAR] = near


def look(tables: Ints, state: Ints, cell: int, royal: int) -> None:
    """Mark what one enemy sees of a royal, or only how it attacks it."""
    hit = attacks(tables, state, state[SIDE], cell, royal)
    if hit:
        state[CHECK] = 1
        state[STAMP] += 1
        mark(tables, state, cell, hit)
        return
    branch = tables[tables[state[cell] + AIMS] + royal - cell]
    left = tables[branch]
    while left:
        left -= 1
        mark(tables, state, cell, branch + 1 + 2 * left)


def is_open(tables: Ints, state: Ints, group: int) -> bool:
    """Whether an enemy attacks a group of the mover's royals.

    Where they are those that `survey` found, only the enemies near are looked at.
    """
    side = state[SIDE]
    i = state[NEAR_AT]
    end = state[NEAR]
    if group == AFTER:
        i = state[FOES_AT]
        end = state[FOES]
    first = state[ROYALS_AT] + group * tables[SIZE]
    last = first + state[ROYAL_COUNTS + group]
    while i < end:
        cell = state[i]
        piece = state[cell]
        if piece and tables[piece + OWNER] != side:
            aims = tables[piece + AIMS] - cell
            r = first
            while r < last:
                if tables[aims + state[r]] and attacks(tables, state, group, cell, state[r]):
                    return True
                r += 1
        i += 1
    return False


def exposes(tables: Ints, state: Ints, cell: int, target: int, becomes: int, count: int) -> bool:
    """Whether a move leaves the mover's royals open; it captures the cells of the list `CAUGHT`.

    A drop comes from its target.
    """
    caught, lifted = state[CAUGHT], state[LIFTED]
    piece = state[cell]
    side = state[SIDE]
    royals = tables[becomes + WORTH]
    if piece:
        royals |= tables[piece + WORTH]
    state[cell] = 0
    i = 0
    while i < count:
        taken = state[state[caught + i]]
        state[lifted + i] = taken
        state[state[caught + i]] = 0
        if tables[taken + OWNER] == side:
            royals |= tables[taken + WORTH]
        i += 1
    state[target] = becomes
    if royals:
        regroup(tables, state, target)
        side = AFTER
    found = is_open(tables, state, side)
    state[target] = 0
    state[cell] = piece
    while i:
        i -= 1
        state[state[caught + i]] = state[lifted + i]
    return found


def regroup(tables: Ints, state: Ints, target: int) -> None:
    """Note the mover's royals after a move to a cell."""
    side = state[SIDE]
    i = state[ROYALS_AT] + side * tables[SIZE]
    end = i + state[ROYAL_COUNTS + side]
    first = last = state[ROYALS_AT] + AFTER * tables[SIZE]
    while i < end:
        cell = state[i]
        # Where a royal has left or was captured nothing stands.
        if cell != target and state[cell]:
            state[last] = cell
            last += 1
        i += 1
    if tables[state[target] + WORTH]:
        state[last] = target
        last += 1
    state[ROYAL_COUNTS + AFTER] = last - first


def gives_check(tables: Ints, state: Ints, piece: int, cell: int) -> bool:
    """Whether a piece put down on a cell would attack the other side's royals."""
    enemy = 1 - state[SIDE]
    i = state[ROYALS_AT] + enemy * tables[SIZE]
    end = i + state[ROYAL_COUNTS + enemy]
    aims = tables[piece + AIMS] - cell
    while i < end:
        if tables[aims + state[i]]:
            state[cell] = piece
            hit = attacks(tables, state, enemy, cell, state[i])
            state[cell] = 0
            if hit:
                return True
        i += 1
    return False


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
