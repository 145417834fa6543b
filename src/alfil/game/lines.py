"""Pieces whose attacks are lines: leaps and runs that only empty squares keep going.

Where all pieces of a game are of this kind, check and pins can be read off the lines to a royal
piece, and no move has to be made to know whether it is legal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from alfil.game.clipping import Layout
from alfil.tables.scene import ENEMY, FRIEND, OUTSIDE, ROYAL, TRAIL, VACANT, Offset
from alfil.tables.table import CLASS_BITS, CLASS_MASK, NO_TRACE, STEP_SHIFT, Trie

PIECES = ENEMY | ROYAL | FRIEND
FREE = VACANT | TRAIL
# These only say when a quiet move may be made, or what it leaves behind.
_QUIET_GUARDS = frozenset({"move", "every", "third-rank", "trail"})


class Strike(NamedTuple):
    """One way to capture: the offset of the square, and of those that must be empty."""

    offset: Offset
    between: tuple[Offset, ...]


class Lines(NamedTuple):
    """What is known of one piece of one side.

    ``strikes`` are its attacks. ``even`` is whether it captures as it moves, always and without
    leaving a trail; ``leaps`` then are the offsets it goes to if nothing is ever in its way, and
    None for a piece that runs.
    """

    strikes: tuple[Strike, ...]
    even: bool
    leaps: tuple[Offset, ...] | None


def lines_of(parts: tuple[Layout, ...]) -> Lines | None:
    """The lines of a piece; None where they do not tell all there is to know."""
    strikes: dict[Offset, tuple[Offset, ...]] = {}
    quiet: dict[Offset, tuple[Offset, ...]] = {}
    plain = True
    for layout in parts:
        conditions = {condition.kind for condition in layout.guard}
        if layout.trie is None or not _is_simple(layout.trie):
            return None
        if conditions and not _is_quiet(conditions, layout.trie):
            return None
        if "castle" in conditions:
            continue
        plain = plain and not conditions
        for offset, between in _ends(layout.trie, ENEMY):
            if strikes.setdefault(offset, between) != between:
                return None
        for offset, between in _ends(layout.trie, VACANT):
            plain = plain and quiet.setdefault(offset, between) == between
    even = plain and strikes == quiet and not _uses_trail(parts)
    leaps = tuple(strikes) if even and not any(strikes.values()) else None
    return Lines(tuple(Strike(*item) for item in strikes.items()), even, leaps)


def _is_quiet(conditions: Collection[str], trie: Trie) -> bool:
    """Whether a part under conditions captures nothing, and the conditions are well known."""
    known = set(conditions) <= _QUIET_GUARDS | {"castle"}
    return known and not any(word & ENEMY for word in trie.nodes)


def _is_simple(trie: Trie) -> bool:
    """Whether nothing is captured on the way, nothing hopped over, and no move ends at home."""
    for word in trie.nodes:
        emit, descend = word & CLASS_MASK, word >> CLASS_BITS & CLASS_MASK
        if emit & (FRIEND | OUTSIDE) or bool(emit & ENEMY) != bool(emit & ROYAL):
            return False
        if emit & VACANT and not emit & TRAIL:
            return False
        if descend and descend not in {FREE, FREE | PIECES}:
            return False
        if trie.steps[word >> STEP_SHIFT] == (0, 0):
            return False
    return not any(trace.captures for trace in trie.traces.values())


def _ends(trie: Trie, mask: int) -> Iterator[Strike]:
    """The ways of one trie to end on a square of a class."""
    path: list[tuple[int, Offset, bool]] = []
    for node, word in enumerate(trie.nodes):
        while path and path[-1][0] <= node:
            path.pop()
        offset = trie.steps[word >> STEP_SHIFT]
        if word & mask and not trie.traces.get(node, NO_TRACE).takes_trail:
            yield Strike(offset, tuple(sorted(at for _, at, empty in path if empty)))
        descend = word >> CLASS_BITS & CLASS_MASK
        if descend:
            path.append((trie.skips[node], offset, descend == FREE))


def _uses_trail(parts: tuple[Layout, ...]) -> bool:
    return any(
        trace.takes_trail
        for layout in parts
        if layout.trie
        for trace in layout.trie.traces.values()
    )
