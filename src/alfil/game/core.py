"""The core of the general path: a game and a position as two flat lists, and moves made in them.

This module, `alfil.game.core_attacks` and `alfil.game.core_moves` keep to a part of Python that
numba compiles as it stands: ints, two flat lists of them, while loops; no function allocates or
calls itself. `alfil.game.flat` makes the lists.

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
