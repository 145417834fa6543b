"""Attacks on royals, on flat lists of ints: check, and whether a move leaves its side in check.

It keeps to the same part of Python as `alfil.game.core`, where the names are explained.
"""

from __future__ import annotations

from alfil.game.core import (
    AFTER,
    AIMS,
    ALL,
    ANY,
    BIAS,
    CAUGHT,
    CELLS,
    CHECK,
    FILES,
    FOES,
    FOES_AT,
    ITSELF,
    KIND,
    LIFTED,
    LIMIT,
    LIMITED,
    NEAR,
    NEAR_AT,
    NODE,
    OWNER,
    PLACES,
    PROMOTES,
    ROYAL_COUNTS,
    ROYALS,
    ROYALS_AT,
    SHIELD,
    SIDE,
    SIZE,
    SKIP,
    SQUARES,
    STAMP,
    STRUCK,
    TAKEN,
    WORTH,
    ZONES,
    Ints,
    catch,
)


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
