"""How games end other than by mate and the capture of royals, in the compiled body.

As in `alfil.play.outcome`: by too few pieces, by a goal reached. All answers are for the side to
move: 1 if it has won, -1 if it has lost, `DRAW`, and 0 where the game goes on.
"""

from __future__ import annotations

from alfil.game.core_moves import *

DRAW = 2
# Of extinction: how many pieces a side may have left, what it is then for that side (1 it wins, -1
# it loses, `DRAW`), and for each side the list of its lists of kinds that count together.
LEFT_OVER, MEANT, SORTS = range(3)


def count_kind(T: Table, st: Ints, side: int, kind: int) -> int:
    """How many pieces of a kind a side has, on the board and in hand."""
    count = 0
    if not T[ENDLESS]:
        count = st[st[HANDS] + side * T[KINDS] + kind]
    for file in range(T[FILES]):
        count += st[st[ON_FILE] + (1 + 2 * kind + side) * T[FILES] + file]
    return count


def count_all(T: Table, st: Ints, side: int) -> int:
    """How many pieces a side has, on the board and in hand."""
    count = st[COUNTS + side]
    for kind in range(0 if T[ENDLESS] else T[KINDS]):
        count += st[st[HANDS] + side * T[KINDS] + kind]
    return count


def too_few(T: Table, st: Ints) -> int:
    """1 more than the side that has too few pieces of some sort, 0 for none.

    The one that moved last is looked at before the other.
    """
    rule = T[EXTINCTION]
    for n in range(2 if rule else 0):
        side = st[SIDE] if n else 1 - st[SIDE]
        sorts = T[rule + SORTS + side]
        for x in range(T[sorts]):
            kinds = T[sorts + 1 + x]
            count = 0
            for y in range(T[kinds]):
                count += count_kind(T, st, side, T[kinds + 1 + y])
            if count <= T[rule + LEFT_OVER]:
                return side + 1
    return 0


def extinct(T: Table, st: Ints) -> int:
    """What it means that a side has too few pieces."""
    found = too_few(T, st)
    if not found:
        return 0
    meant = T[T[EXTINCTION] + MEANT]
    return meant if meant == DRAW or found == st[SIDE] + 1 else -meant
