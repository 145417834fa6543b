"""Upper bounds on the moves of a piece, before they are clipped to squares.

Room is kept for as much, and what is odd about a piece anywhere is minded everywhere.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, combinations

from alfil.frozen_dataclasses import NamedTuple
from alfil.game.compiled_variant import CompiledVariant
from alfil.game.native_engine import engine
from alfil.game.roaming_pieces import max_walk_ends, roaming_section_length
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT
from alfil.meaning.square_conditions import SQUARE_DEPENDENT_CONDITIONS
from alfil.tables.board_context import OFF_BOARD_CLASS, Offset
from alfil.tables.move_table import CLASS_BITS, CLASS_MASK, STEP_SHIFT, TableSection, Trie

_OCCUPIED = VACANT | ENEMY | ROYAL | FRIEND | TRAIL
# What the engine tells of a table: see `measure_table`.
_TABLE_BOUNDS = ("nodes on all squares", "ending", "these on all squares", "own", "together")
# Of more moves to one square it is not looked whether one of them excludes the others.
_MAX_ENDS_COMPARED = 12


class MoveBounds(NamedTuple):
    """Bounds for one square: nodes, moves, captures en route of one move, list numbers.

    And for all squares together: nodes, list numbers.

    Whether two moves may end on one square at once, a move captures on its way or at home, or its
    own side, leaves a trail, or captures en passant. And the most states of an automaton that is
    walked.
    """

    nodes: int = 0
    ends: int = 0
    max_captures: int = 0
    numbers: int = 0
    has_duplicates: bool = False
    is_special: bool = False
    captures_friends: bool = False
    passes_squares: bool = False
    has_null_move: bool = False
    states: int = 0
    all_nodes: int = 0
    all_numbers: int = 0

    def merged(self, other: MoveBounds) -> MoveBounds:
        """What holds for both."""
        return MoveBounds._make(map(max, self, other))


def move_bounds(compiled: CompiledVariant) -> list[MoveBounds]:
    """The extents of all pieces of a game, found once."""
    if "extents" not in compiled.cache:
        compiled.cache["extents"] = result = [MoveBounds()]
        for piece in range(1, compiled.wall, 2):
            first = _move_bounds_of_piece(compiled, piece)
            # Those of both sides are alike, unless there are squares to look at.
            result += [
                first,
                _move_bounds_of_piece(compiled, piece + 1)
                if _depends_on_square(compiled, piece)
                else first,
            ]
    cache: list[MoveBounds] = compiled.cache["extents"]
    return cache


def _depends_on_square(compiled: CompiledVariant, piece: int) -> bool:
    """Whether what a piece may do depends on the square by more than the edges."""
    return any(
        each.kind in SQUARE_DEPENDENT_CONDITIONS
        for part in compiled.table_sections(piece)
        for each in part.guard
    )


def _move_bounds_of_piece(compiled: CompiledVariant, piece: int) -> MoveBounds:
    """The bounds of one piece; every square is examined where its parts depend on the square."""
    sections = compiled.table_sections(piece)
    if not _depends_on_square(compiled, piece):
        return move_bounds_of_sections(sections, compiled.files, compiled.ranks)
    everywhere = (sections, *_sections_by_square(compiled, piece, sections))
    result = reduce(
        MoveBounds.merged,
        (move_bounds_of_sections(each, compiled.files, compiled.ranks) for each in everywhere),
    )
    size = compiled.size
    return result._replace(all_nodes=size * result.nodes, all_numbers=size * result.numbers)


def _sections_by_square(
    compiled: CompiledVariant, piece: int, sections: Iterable[TableSection]
) -> Iterator[Collection[TableSection]]:
    for square in range(compiled.size):
        yield [
            part for each in sections for part in compiled.sections_on_square(each, piece, square)
        ]


def move_bounds_of_sections(
    sections: Collection[TableSection], files: int, ranks: int
) -> MoveBounds:
    """The extent of some parts that begin on a square of a board of this size."""
    nodes = taken = 0
    numbers, all_numbers = 1, files * ranks
    roaming: list[TableSection] = []
    special = trailing = passes = False
    width, height = 2 * files - 1, 2 * ranks - 1
    # How many moves may end on each square, by how far away it is; and the same by lines.
    ends, lines = array("i", bytes(4 * width * height)), array("i", bytes(4 * (width + height)))
    bounds = array("q", bytes(8 * len(_TABLE_BOUNDS)))
    for section in sections:
        numbers += 8 + 2 * len(section.guard)
        all_numbers += (8 + 2 * len(section.guard)) * files * ranks
        trie = section.trie
        if trie is None:
            roaming.append(section)
            continue
        nodes += len(trie.nodes)
        steps = trie.flattened_steps
        engine().call(
            "measure_table", trie.nodes, steps, len(trie.nodes), files, ranks, ends, lines, bounds
        )
        leaves = any(each.kind == "trail" for each in section.guard)
        for node, trace in trie.traces.items():
            taken = max(taken, len(trace.captures))
            more = 4 * len(trace.captures) + 2 * len(trace.passed) + 3
            numbers += more
            all_numbers += more * _max_square_count_of_node(trie, node, files, ranks)
            passes |= trace.takes_trail
            if trie.nodes[node] & CLASS_MASK & _OCCUPIED:
                special |= bool(trace.captures)
                trailing |= leaves and bool(trace.passed)
    all_nodes, ending, all_ending, own, together = bounds
    special |= ends[len(ends) // 2] > 0
    twins = together > 1 and _may_two_moves_share_target(sections)
    most = min(_max_window_sum(lines[:width]), _max_window_sum(lines[width:]))
    result = MoveBounds(
        *(nodes, most, taken, numbers + 3 * ending, twins, special, own > 0, trailing, passes),
        all_nodes=all_nodes,
        all_numbers=all_numbers + 3 * all_ending,
    )
    return _add_roaming_bounds(result, roaming, files * ranks) if roaming else result


def _max_square_count_of_node(trie: Trie, node: int, files: int, ranks: int) -> int:
    """On how many squares of a board a node is there at most: where its own square is on it."""
    word = trie.nodes[node]
    x, y = trie.steps[word >> STEP_SHIFT]
    inside = max(files - abs(x), 0) * max(ranks - abs(y), 0)
    return files * ranks if word & OFF_BOARD_CLASS else inside


def _may_two_moves_share_target(sections: Iterable[TableSection]) -> bool:
    """Whether two moves of some parts may end on one square at once."""
    targets: dict[Offset, list[tuple[Trie, int]]] = {}
    for trie in (section.trie for section in sections if section.trie):
        for node, word in enumerate(trie.nodes):
            if word & CLASS_MASK & _OCCUPIED:
                ends = targets.setdefault(trie.steps[word >> STEP_SHIFT], [])
                ends.append((trie, node))
                if len(ends) > 1 and _may_ends_coincide(ends):
                    return True
    return False


def _max_window_sum(counts: Sequence[int]) -> int:
    """The most of what is counted at distances, from any place of a line."""
    before = [0, *accumulate(counts)]
    length = (len(counts) + 1) // 2
    return max(end - start for start, end in zip(before, before[length:], strict=False))


def _may_ends_coincide(ends: list[tuple[Trie, int]]) -> bool:
    """Whether two moves to one square may be possible in one position."""
    if len(ends) > _MAX_ENDS_COMPARED:
        return True
    ways = [_square_requirements(trie, node) for trie, node in ends]
    return not all(
        any(at in other and not standing & other[at] for at, standing in one.items())
        for one, other in combinations(ways, 2)
    )


def _square_requirements(trie: Trie, node: int) -> dict[Offset, int]:
    """The classes that a move requires on each square but its origin."""
    requirements: dict[Offset, int] = {}
    each = 0
    while each <= node:
        word, after = trie.nodes[each], trie.skips[each]
        if after <= node:
            each = after
            continue
        square = trie.steps[word >> STEP_SHIFT]
        standing = (word if each == node else word >> CLASS_BITS) & CLASS_MASK
        if square != (0, 0):
            requirements[square] = requirements.get(square, standing) & standing
        each += 1
    return requirements


def _add_roaming_bounds(bounds: MoveBounds, roaming: list[TableSection], size: int) -> MoveBounds:
    """An extent with parts that roam, which may do whatever a move may do."""
    nodes, ends, _, numbers, *_ = bounds
    lengths = sum(map(roaming_section_length, roaming))
    states = max(len(section.automaton.states) for section in roaming)
    return bounds._replace(
        nodes=nodes + len(roaming) * 2 * size,
        all_nodes=bounds.all_nodes + len(roaming) * 2 * size * size,
        ends=ends + len(roaming) * max_walk_ends(size),
        max_captures=size,
        numbers=numbers + lengths,
        all_numbers=bounds.all_numbers + size * lengths,
        has_duplicates=True,
        is_special=True,
        captures_friends=True,
        passes_squares=any(each.kind == "trail" for section in roaming for each in section.guard),
        has_null_move=True,
        states=states,
    )
