"""The hot loops over move tables, in a part of Python that numba can compile as it stands.

Everything here works on ints and flat sequences of ints; no function allocates. A table is a
skip-trie as in `alfil.tables.trie`, with the number of a square in place of the number of a step:
a word is square << 12 | descend << 6 | emit.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence


def walk(
    nodes: Sequence[int],
    skips: Sequence[int],
    board: Sequence[int],
    classes: Sequence[int],
    out: MutableSequence[int],
) -> int:
    """Put the nodes at which a move may end into ``out`` and return how many there are.

    ``board`` holds what stands on each square, ``classes`` the class of each such thing as the
    mover sees it. ``out`` must have room for all nodes.

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
