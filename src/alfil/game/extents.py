"""What the moves of a piece come to at most, known before they are cut to any square.

Room is kept for as much, and what is odd about a piece anywhere is minded everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import accumulate, combinations

from alfil.frozen import NamedTuple
from alfil.game.plan import Plan
from alfil.game.roaming import ends_in, length_of
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT
from alfil.meaning.placing import SETTLED
from alfil.tables.scene import Offset
from alfil.tables.table import CLASS_BITS, CLASS_MASK, NO_TRACE, STEP_SHIFT, Section, Trie

_STANDING = VACANT | ENEMY | ROYAL | FRIEND | TRAIL
# Of more moves to one square it is not looked whether one of them excludes the others.
_MOST_TOLD_APART = 12


class Extent(NamedTuple):
    """From one square: nodes, moves, captures of one of them on its way, and numbers in lists.

    Whether two moves may end on one square at once, a move captures on its way or at home, or its
    own side, leaves a trail, or captures en passant. And the most states of an automaton that is
    walked.
    """

    nodes: int = 0
    ends: int = 0
    taken: int = 0
    numbers: int = 0
    twins: bool = False
    special: bool = False
    own: bool = False
    trailing: bool = False
    passes: bool = False
    states: int = 0

    def joined(self, other: Extent) -> Extent:
        """What holds for both."""
        return Extent._make(map(max, self, other))


def extents_of(plan: Plan) -> list[Extent]:
    """The extents of all pieces of a game, found once."""
    if "extents" not in plan.kept:
        plan.kept["extents"] = found = [Extent()]
        for piece in range(1, plan.wall, 2):
            first = _extent(plan, piece)
            # Those of both sides are alike, unless there are squares to look at.
            found += [first, _extent(plan, piece + 1) if _is_settled(plan, piece) else first]
    known: list[Extent] = plan.kept["extents"]
    return known


def _is_settled(plan: Plan, piece: int) -> bool:
    """Whether what a piece may do depends on the square by more than the edges."""
    return any(each.kind in SETTLED for part in plan.parts(piece) for each in part.guard)


def _extent(plan: Plan, piece: int) -> Extent:
    """Where parts depend on the square by more than its edges, all squares are looked at."""
    sections = plan.parts(piece)
    if not _is_settled(plan, piece):
        return extent_of(sections, plan.files, plan.ranks)
    everywhere = (sections, *_on_squares(plan, piece, sections))
    return reduce(Extent.joined, (extent_of(each, plan.files, plan.ranks) for each in everywhere))


def _on_squares(plan: Plan, piece: int, sections: Iterable[Section]) -> Iterator[Iterable[Section]]:
    for square in range(plan.size):
        yield [part for each in sections for part in plan.placed(each, piece, square)]


def extent_of(sections: Iterable[Section], files: int, ranks: int) -> Extent:
    """The extent of some parts that begin on a square of a board of this size."""
    nodes = taken = 0
    numbers = 1
    walked: list[Section] = []
    special = own = trailing = passes = False
    targets: dict[Offset, list[tuple[Trie, int]]] = {}
    for section in sections:
        numbers += 8 + 2 * len(section.guard)
        trie = section.trie
        if trie is None:
            walked.append(section)
            continue
        nodes += len(trie.nodes)
        leaves = any(each.kind == "trail" for each in section.guard)
        emitting = [
            (node, word) for node, word in enumerate(trie.nodes) if word & CLASS_MASK & _STANDING
        ]
        numbers += 3 * len(emitting)
        for node, word in emitting:
            targets.setdefault(trie.steps[word >> STEP_SHIFT], []).append((trie, node))
        own |= any(word & FRIEND for _, word in emitting)
        for trace in trie.traces.values():
            taken = max(taken, len(trace.captures))
            numbers += 4 * len(trace.captures) + 2 * len(trace.passed) + 3
            passes |= trace.takes_trail
        traces = [trie.traces.get(node, NO_TRACE) for node, _ in emitting] if trie.traces else []
        special |= any(trace.captures for trace in traces)
        trailing |= leaves and any(trace.passed for trace in traces)
    special |= (0, 0) in targets
    twins = any(len(ends) > 1 and _meet(ends) for ends in targets.values())
    most = _most_on_board({at: len(ends) for at, ends in targets.items()}, files, ranks)
    found = Extent(nodes, most, taken, numbers, twins, special, own, trailing, passes)
    return _with_walks(found, walked, files * ranks) if walked else found


def _most_on_board(ends: Mapping[Offset, int], files: int, ranks: int) -> int:
    """How many moves may end on a board, at most, from any of its squares.

    ``ends`` are how many there are to each offset.
    """
    columns, rows = [0] * (2 * files - 1), [0] * (2 * ranks - 1)
    for (x, y), count in ends.items():
        if abs(x) < files and abs(y) < ranks:
            columns[x + files - 1] += count
            rows[y + ranks - 1] += count
    return min(_most_in_reach(columns), _most_in_reach(rows))


def _most_in_reach(counts: list[int]) -> int:
    """The most of what is counted at distances, from any place of a line."""
    before = [0, *accumulate(counts)]
    length = (len(counts) + 1) // 2
    return max(end - start for start, end in zip(before, before[length:], strict=False))


def _meet(ends: list[tuple[Trie, int]]) -> bool:
    """Whether two of some moves to one square may be made at once."""
    if len(ends) > _MOST_TOLD_APART:
        return True
    ways = [_way(trie, node) for trie, node in ends]
    return not all(
        any(at in other and not standing & other[at] for at, standing in one.items())
        for one, other in combinations(ways, 2)
    )


def _way(trie: Trie, node: int) -> dict[Offset, int]:
    """What may stand on the squares on which a move depends, but for the one it leaves."""
    way: dict[Offset, int] = {}
    each = 0
    while each <= node:
        word, after = trie.nodes[each], trie.skips[each]
        if after <= node:
            each = after
            continue
        square = trie.steps[word >> STEP_SHIFT]
        standing = (word if each == node else word >> CLASS_BITS) & CLASS_MASK
        if square != (0, 0):
            way[square] = way.get(square, standing) & standing
        each += 1
    return way


def _with_walks(extent: Extent, walked: list[Section], size: int) -> Extent:
    """An extent with parts that roam, which may do whatever a move may do."""
    nodes, ends, _, numbers, *_ = extent
    lengths = map(length_of, walked)
    states = max(len(section.automaton.states) for section in walked)
    return extent._replace(
        nodes=nodes + len(walked) * 2 * size,
        ends=ends + len(walked) * ends_in(size),
        taken=size,
        numbers=numbers + sum(lengths),
        twins=True,
        special=True,
        own=True,
        trailing=any(each.kind == "trail" for section in walked for each in section.guard),
        passes=True,
        states=states,
    )
