"""The compiled body of the rules: legal moves, counts and sequences, on flat arrays of ints.

This file and those whose names begin like its own are the source of one program in C
(`alfil.game.translating`) and keep to what can be turned into C as it stands: ints, arrays of them,
functions that allocate nothing. Here is the layout of the arrays, in `alfil.game.core_making` moves
are made and unmade, in `alfil.game.core_effects` stands what they change besides, in
`alfil.game.core_attacks` what threatens royals, in `alfil.game.core_judging` and
`alfil.game.core_drops` what is legal, in `alfil.game.core_moves` the list of it, in
`alfil.game.core_counts` what is counted, in `alfil.game.core_differences` how it is counted fast.
`alfil.game.arrays` lays out the arrays, `alfil.game.fast` hands out what is found.

What others may ask for, all of it from a place ``at`` in the list of moves on, behind which it is
free: `make` and `unmake` the move there; `generate`, which lists all legal moves in the order of
`alfil.game.legal` and answers where they end, and `gather`, the same in no order; `count` them;
`in_danger`, whether a side's royal could be captured, and `is_open`, the same for one square;
`survey` and `go_on` for a game that is played; `perft`, `perft_by_differences` and `perft_after`;
`simulate`. Functions have the arrays in one order, W T A Z st sh oc mk mv, and leave out what they
do not need. Where `CAREFUL` is set in ``st`` there is no one place of a royal.

``W`` has a word for each node of the tables of `alfil.tables.table`, cut to a square:

    classes << 28 | nodes to skip << 11 | target

with four bits for each class of what stands on the target: the number of forms in which the piece
may end there, and whether the path goes on. ``sh`` holds for every square how far a word is to be
shifted for the class of what stands there. ``T`` has all other tables of the game; it begins with
where they are. "List at" means the place of a count with its items behind; place 0 is no list.
``A`` says for each piece, square of a royal and square of the piece at which list the branches are
(first node, node after) that may capture the royal. ``Z`` is 1 where there are any, and 2 is added
where there are any for a square next to which the royal may step.

``st`` is a position with room to work in; it begins with scalars. ``oc`` are sets of squares, 32 a
word: what is occupied, where each piece may be dropped, the files. ``mk`` are marks by square.
``mv`` are lists of moves.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeAlias

Ints: TypeAlias = MutableSequence[int]
Table: TypeAlias = Sequence[int]

# A word, and the shifts of the nine classes; some pieces neither pass nor take those apart.
SQUARE, SKIPS, SKIP_AT = 2047, 131071, 11
VACANT, FIRST, FIRST_ROYAL, SECOND, SECOND_ROYAL, PASSED = 28, 32, 36, 40, 44, 48
WALLED, FIRST_APART, SECOND_APART = 52, 56, 60
FORMS, ON = 7, 8

# Header of T: sizes, facts, and places of tables. By piece and square: nodes without conditions,
# or a list of parts where there are conditions. By node: forms without and with a capture, what is
# taken on the way, a number for that set, what is passed, whether it ends en passant. By piece: its
# shift, the kind it is in the captor's hand (from 1, 0 for none), its limit on a file, whether it
# or a form has one, needs more than a walk, captures several or at home, has two ways for one move,
# may go over pieces, has lines. By piece: limit on a file for drops, 1 where check is required and
# 2 where it is barred, whether mate is barred. By piece and square: from where it aims there. By
# side: what may be dropped (kind, piece). By square: what stands there at the start. By piece:
# whether it captures en passant, how many of its moves are remembered, whether it is royal; by
# piece and other piece: whether it may not capture that. Then whether check is no matter, whether
# there are pieces that not all may capture, and whether a form is put down from two kinds. A wall
# is the piece with the number `PIECES`, on nobody's list.
(SIZE, PIECES, FILES, KINDS, LIMITED, HOPPING, MATING, WORDS) = range(8)
(BEGIN, END, PARTS, QUIET, TAKING, TAKEN, COMPANY, TRAILING, PASSING) = range(8, 17)
(SHIFT, HELD, LIMIT, CROWDS, ODD, SPECIAL, TWINS, HOPS, LINES) = range(17, 26)
(DROP_LIMIT, DROP_CHECK, DROP_MATE, SOURCES, FILE_OF, DROPPABLE, STARTS) = range(26, 33)
(PASSES, REMEMBERED, ROYAL, BARRED, LENIENT, IRON, TWO_KINDS) = range(33, 40)
# Rules of few games, 0 where there is none: whether moves change more than what goes and what is
# captured; whether captures explode; how walls are built; what turns over; whether pieces are left
# behind from the hand, dropped from no hand, or dropped before all else; whether captures must be
# made, royals may face each other, no check may be given, a royal in check may not go away,
# whether check to all royals counts, and whether who has no other move passes.
(EFFECTS, EXPLODING, WALLING, TURNING, GATING, ENDLESS, SETTING) = range(40, 47)
(TAKE_FIRST, MEETING, STILL, STANDING_FAST, DUPLE) = range(47, 52)
# By piece: what explosions and captures do to it, whether it leaves pieces behind, how many of it
# others may turn into, the list of how it castles to files (left, right, partners). By side and
# square: whether a wall may be built, and whether drops begin there; by square: whether it is a
# hole, its neighbours, its eight rays (lists). By kind: how many are dropped on a colour. Whether
# drops touch their own side. A node that takes nothing. Whether pieces leave trails where others
# go over pieces, so that a trail may change what they attack. What extinction is, 0 for nothing.
# Whether who has no other move passes; by piece: whether it passes where it stays, the list of
# pieces with which alone it castles.
(BLAST, GATES, SIDE_LIMIT, CASTLING, MAY_WALL, OPENS, HOLES, AROUND, RAYS) = range(52, 61)
(COLOUR_LIMIT, BESIDE_OWN, NOTHING, LEAVING, EXTINCTION, STUCK_PASSES, STAYS) = range(61, 68)
ONLY_WITH = 68
HEADER = 69
TAKEN_ALONG, PERISHING, PETRIFYING = 1, 2, 4
ARROW, ANYWHERE, LEFT, DUCK = 1, 2, 3, 4
ADJACENT, ENCLOSED = 1, 2
# What more limits drops than ranks and files, in the list by piece that says which check is meant.
CHECKING, QUIETLY, IN_PLACE, ON_COLOUR = 1, 2, 4, 8
# A part: the list of what must hold (1 so many moves made, 2 every so many; the number), and of
# castling how far the piece goes (0 for none) and how far from the edge the partner stands; nodes;
# whether it is not made in check.
PART, HOLDS, STEPS, INSET, FROM, UNTIL, UNCHECKED = 6, 0, 1, 2, 3, 4, 5
MOVES_MADE, EVERY = 1, 2
# Royals that lose the game with any of them, and with the last one.
ANY, LAST = 1, 2
UNKNOWN, DROPPED = -1, -2

# Scalars of st, and where its lists begin: the board, pieces of either side and where each stands
# in that list, hands, counts by piece and file, counts of moves, enemies that aim at the royal and
# at squares beside it, nodes of one piece, pieces in their order, what is undone.
(SIDE, COUNTS, ROYALS, STAMP, UNDONE, TRAIL, VICTIM) = (0, 1, 3, 5, 6, 7, 8)
(CHECKS, CHECKER, CHECK_FROM, CHECK_UNTIL, HOPPED, NEARS, BESIDES, NOTED) = range(9, 17)
(BOARD, LISTS, PLACES, HANDS, ON_FILE, MADE, NEAR, BESIDE, NODES, ORDER, UNDO) = range(17, 28)
# Of what `alfil.game.core_differences` counts once: how often the royal may move, what to mind.
ROYAL_MOVES, CAUTION = 28, 29
# Whether there are not just one royal of each side, so that moves are judged one by one; there is
# no one place of a royal in `ROYALS` then.
CAREFUL = 30
# Whether royals face each other where that matters, and a list of squares to work with.
FACED, SPOTS = 31, 32
SCALARS = 33

# A move: from (the number of squares for a drop), to, what arrives, node (of a drop the kind),
# castling partner from × 2048 + to + 1 or 0, flags.
ORIGIN, TARGET, BECOMES, NODE, PARTNER, FLAGS, WIDTH = range(7)
# Flags, and behind them what a move builds or leaves: square + 1 of a wall, or 2 × (kind + 1) of
# what comes from the hand, and 1 more where it is left by a castling partner.
PASSANT, CHANGING, EXTRA = 1, 2, 2
# How moves are judged: all are legal, those that touch a mark are tried, all are, no others are.
FREE, TOUCHING, TRIED, ONLY_TOUCHING = range(4)
# Which moves of a piece are listed.
NO_PASSANT, ONLY_PASSANT, ALL, ONLY_GAINS = range(4)


def popcount(word: int) -> int:
    """How many bits are set; a function of the compiler in C."""
    return word.bit_count()


def lowest(word: int) -> int:
    """The place of the lowest bit; a function of the compiler in C."""
    return (word & -word).bit_length() - 1


def put(T: Table, st: Ints, sh: Ints, oc: Ints, square: int, piece: int) -> None:
    """Put a piece on a square; the lists of pieces are left as they are."""
    st[st[BOARD] + square] = piece
    sh[square] = T[T[SHIFT] + piece]
    oc[square >> 5] |= 1 << (square & 31)
    st[st[ON_FILE] + piece * T[FILES] + T[T[FILE_OF] + square]] += 1


def lift(T: Table, st: Ints, sh: Ints, oc: Ints, square: int) -> None:
    """Take a piece off its square."""
    piece = st[st[BOARD] + square]
    st[st[BOARD] + square] = 0
    sh[square] = VACANT
    oc[square >> 5] &= ~(1 << (square & 31))
    st[st[ON_FILE] + piece * T[FILES] + T[T[FILE_OF] + square]] -= 1


def enlist(T: Table, st: Ints, side: int, square: int, place: int) -> None:
    """Put a square into a side's list where it was before, or at its end."""
    base = st[LISTS] + side * T[SIZE]
    count = st[COUNTS + side]
    if place != count:
        last = st[base + place]
        st[base + count] = last
        st[st[PLACES] + last] = count
    st[base + place] = square
    st[st[PLACES] + square] = place
    st[COUNTS + side] = count + 1


def strike(T: Table, st: Ints, side: int, square: int) -> int:
    """Take a square off a side's list; its place there."""
    base = st[LISTS] + side * T[SIZE]
    place = st[st[PLACES] + square]
    count = st[COUNTS + side] - 1
    st[COUNTS + side] = count
    last = st[base + count]
    st[base + place] = last
    st[st[PLACES] + last] = place
    return place


def carry(T: Table, st: Ints, sh: Ints, oc: Ints, side: int, origin: int, target: int) -> None:
    """Move a piece of a side to a free square."""
    piece = st[st[BOARD] + origin]
    lift(T, st, sh, oc, origin)
    put(T, st, sh, oc, target, piece)
    place = st[st[PLACES] + origin]
    st[st[LISTS] + side * T[SIZE] + place] = target
    st[st[PLACES] + target] = place


def one_more(count: int) -> int:
    """A count of moves after another move."""
    if count == UNKNOWN:
        return UNKNOWN
    if count == DROPPED:
        return 1
    return count + 1


def show_trail(T: Table, st: Ints, sh: Ints, shift: int) -> None:
    """Give the squares of the trail a class."""
    trail = st[TRAIL]
    if trail:
        for x in range(T[trail]):
            if not st[st[BOARD] + T[trail + 1 + x]]:
                sh[T[trail + 1 + x]] = shift


def capture(T: Table, st: Ints, sh: Ints, oc: Ints, square: int, top: int) -> None:
    """Take a piece, and write down what undoes it."""
    piece = st[st[BOARD] + square]
    st[top] = square
    st[top + 1] = piece
    st[top + 2] = strike(T, st, (piece - 1) & 1, square)
    st[top + 3] = st[st[MADE] + square]
    st[st[MADE] + square] = UNKNOWN
    lift(T, st, sh, oc, square)
    if T[T[HELD] + piece]:
        st[st[HANDS] + st[SIDE] * T[KINDS] + T[T[HELD] + piece] - 1] += 1


def write(mv: Ints, m: int, f: int, to: int, becomes: int, node: int) -> None:
    """Write down a move that is no castling."""
    mv[m + ORIGIN] = f
    mv[m + TARGET] = to
    mv[m + BECOMES] = becomes
    mv[m + NODE] = node
    mv[m + PARTNER] = 0
    mv[m + FLAGS] = 0


def is_pass(T: Table, st: Ints, mv: Ints, m: int) -> int:
    """Whether a move is a pass, which changes nothing, and is no move of its piece."""
    origin = mv[m + ORIGIN]
    if mv[m + TARGET] != origin or mv[m + FLAGS] & PASSANT or mv[m + PARTNER]:
        return 0
    piece = st[st[BOARD] + origin]
    return mv[m + BECOMES] == piece and T[T[STAYS] + piece] and not T[T[TAKEN] + mv[m + NODE]]


def copy_move(mv: Ints, m: int, at: int) -> int:
    """Write a move down at another place of the list as well; that place."""
    for x in range(WIDTH):
        mv[at + x] = mv[m + x]
    return at
