"""From which squares a piece has its moves: its move tables laid on the board, for all at once.

Nothing is cut to a square, as `alfil.game.square_sections` does: with each node of a table stands
the set of the squares from which it is on the board. What all moves of a game are is asked here,
what a piece may do on a square there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache, partial

from alfil.frozen_dataclasses import NamedTuple
from alfil.game.square_sections import (
    AnchorSquareArea,
    MoveEnd,
    SquareSection,
    is_in_own_half,
    move_end,
    section_without_nodes,
    square_number,
)
from alfil.meaning.automaton import (
    ENEMY,
    FRIEND,
    HOME,
    ROYAL,
    TRAIL,
    VACANT,
    Automaton,
    contents_by_end,
)
from alfil.squares import Square
from alfil.tables.board_context import OFF_BOARD_CLASS, Offset
from alfil.tables.move_table import CLASS_MASK, NO_TRACE, STEP_SHIFT, PathTrace, TableSection, Trie


class MoveOrigins(NamedTuple):
    """A node of a part; of a part that is walked, a square where its moves may end.

    ``end`` has numbers of squares less that of the origin, ``emit`` the classes of what may stand
    where the move ends, 0 where it does not. ``origins`` are the squares from which the node is on
    the board, ``starts`` those of them from which a move ends by it.
    """

    section: SquareSection
    emit: int
    end: MoveEnd
    origins: int
    starts: int


class PieceGeometry(NamedTuple):
    """Where the moves of a piece of one side are: the field of the piece, on so many ranks."""

    field: AnchorSquareArea
    ranks: int
    second: bool

    def number_difference(self, offset: Offset) -> int:
        """The number of a square less that of the one from which its offset is counted."""
        return offset[1] * self.field.width + offset[0]

    def lowest_square(self, squares: int) -> Square:
        """The first square of a set."""
        rank, file = divmod((squares & -squares).bit_length() - 1, self.field.width)
        return (file, rank)


def move_origins(
    section: TableSection, board: PieceGeometry, starts: int, ends: int
) -> Iterator[MoveOrigins]:
    """The nodes of a part that begins on some squares and ends on some."""
    there = section_without_nodes(section)
    trie = section.trie
    if trie is None:
        for offset, emit, takes_trail in all_move_ends(section.automaton, board):
            end = MoveEnd(board.number_difference(offset), (), (), (), takes_trail)
            origins = starts & _origins_inside(board.field, board.ranks, offset)
            yield MoveOrigins(there, emit, end, origins, origins & shift_squares(ends, -end.target))
        return
    halved = any(condition.kind == "middle" for condition in section.guard)
    for node, origins in _node_origins(trie, board, starts):
        word = trie.nodes[node]
        offset, trace = trie.steps[word >> STEP_SHIFT], trie.traces.get(node, NO_TRACE)
        end = move_end(trace, board.number_difference(offset), board.number_difference)
        emit = word & CLASS_MASK
        ending = origins & shift_squares(ends, -end.target) if emit else 0
        if halved and trace is not NO_TRACE:
            ending = _origins_ending_in_own_half(ending, trace, offset, board)
        yield MoveOrigins(there, emit, end, origins, ending)


class WalkedEnd(NamedTuple):
    """Where a walk may end on some board.

    ``offset`` is counted from the square where it begins, ``emit`` are the classes of what may
    stand there; ``takes_trail`` is whether the move captures en passant there.
    """

    offset: Offset
    emit: int
    takes_trail: bool


@lru_cache(maxsize=256)
def all_move_ends(automaton: Automaton, board: PieceGeometry) -> tuple[WalkedEnd, ...]:
    """The ends of all moves of an automaton, from a square where the board is large enough."""
    field, sign = board.field, -1 if board.second else 1
    ends = _end_offsets_by_class(automaton, field.files, field.ranks)
    width, height = 2 * field.files - 1, 2 * field.ranks - 1
    result = list[WalkedEnd]()
    for number in range(width * height):
        emit = sum(kind for kind, offsets in ends.items() if offsets >> number & 1)
        x, y = number % width - field.files + 1, number // width - field.ranks + 1
        # What came home has captured nothing there.
        emit = emit if x or y else emit & VACANT
        if emit & ~TRAIL:
            result.append(WalkedEnd((sign * x, sign * y), emit & ~TRAIL, takes_trail=False))
        if emit & TRAIL:
            result.append(WalkedEnd((sign * x, sign * y), TRAIL, takes_trail=True))
    return tuple(result)


def _end_offsets_by_class(automaton: Automaton, files: int, ranks: int) -> dict[int, int]:
    """Where moves of an automaton end, by the class of what stands there.

    Offsets are squares of a board on which the piece stands in the middle.
    """
    width, height = 2 * files - 1, 2 * ranks - 1
    area = AnchorSquareArea(width, height, 0, 0, width)
    everywhere, home = (1 << width * height) - 1, 1 << (ranks - 1) * width + files - 1
    ends = dict.fromkeys((VACANT, ENEMY, ROYAL, FRIEND, TRAIL), 0)
    met, waiting = {0: home}, {0: home}
    while waiting:
        state, begin = waiting.popitem()
        for dx, dy, wrap, emit, passes in automaton.states[state]:
            inside = begin & _origins_inside(area, height, (dx, dy))
            there = everywhere if wrap else shift_squares(inside, dy * width + dx)
            there = home if (dx, dy, wrap) == HOME else there
            quiet, captured = contents_by_end(emit)
            for kind in ends if there else ():
                if kind & (captured | (VACANT if quiet else 0)):
                    ends[kind] |= there
            for _, target in passes:
                new = there & ~met.get(target, 0)
                if new:
                    met[target] = met.get(target, 0) | new
                    waiting[target] = waiting.get(target, 0) | new
    return ends


def shift_squares(squares: int, by: int) -> int:
    """A set of squares with other numbers, all by as much; none is below 0."""
    return squares << by if by >= 0 else squares >> -by


def _node_origins(trie: Trie, board: PieceGeometry, starts: int) -> Iterator[tuple[int, int]]:
    """The nodes that are on the board from anywhere, with the squares from which they are.

    What follows a node is on the board only where that is.
    """
    inside = [_origins_inside(board.field, board.ranks, step) for step in trie.steps]
    before = [(len(trie.nodes), starts)]
    node = 0
    while node < len(trie.nodes):
        word, after = trie.nodes[node], trie.skips[node]
        while before[-1][0] <= node:
            before.pop()
        origins = before[-1][1]
        if not word & OFF_BOARD_CLASS:
            origins &= inside[word >> STEP_SHIFT]
        if not origins:
            node = after
            continue
        yield node, origins
        node += 1
        if after > node:
            before.append((after, origins))


@cache
def _origins_inside(field: AnchorSquareArea, ranks: int, offset: Offset) -> int:
    """The squares of a board from which an offset leads into a field."""
    (x, y), width = offset, field.width
    files = _interval_bits(field.west - x, field.files, width)
    rows = _interval_bits(field.south - y, field.ranks, ranks)
    return sum(files << rank * width for rank in range(ranks) if rows >> rank & 1)


def _interval_bits(start: int, length: int, most: int) -> int:
    """The numbers from one on, so many, as a set; those from 0 to below the most."""
    return shift_squares((1 << length) - 1, start) & (1 << most) - 1


def _origins_ending_in_own_half(
    origins: int, trace: PathTrace, offset: Offset, board: PieceGeometry
) -> int:
    """Those of the squares from which a run to the middle may end; the rank alone decides."""
    result, rank = 0, (1 << board.field.width) - 1
    for _ in range(board.ranks):
        here = origins & rank
        if here:
            at = board.lowest_square(here)
            number = partial(square_number, at, board.field)
            end = move_end(trace, number(offset), number)
            result |= here * is_in_own_half(end, at, board.field, second=board.second)
        rank <<= board.field.width
    return result
