"""What a piece may do from one square: its move tables cut to the board around that.

Steps become numbers of squares, and what lies off the board is gone.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from functools import cache, partial

from alfil.frozen_dataclasses import NamedTuple
from alfil.game.native_engine import engine
from alfil.meaning.automaton import Automaton
from alfil.meaning.piece_meaning import Guard, ranks_in_own_half
from alfil.squares import Square
from alfil.tables.board_context import Offset
from alfil.tables.move_table import CLASS_MASK, STEP_SHIFT, PathTrace, TableSection, Trie


class MoveEnd(NamedTuple):
    """The end of a move, in square numbers.

    ``captures`` are what it takes before its last square, ``on_trail`` those of them where a
    piece is captured en passant; ``takes_trail`` is true where the last square is of that sort.
    ``passed`` are the squares on its way, where anybody asks.
    """

    target: int
    captures: tuple[int, ...]
    on_trail: tuple[int, ...]
    passed: tuple[int, ...]
    takes_trail: bool


class SquareSection(NamedTuple):
    """One part of a piece's moves from one square; without nodes, its automaton is walked.

    ``traced`` are the ends, by node, of moves that do more than go to the square of the node.
    ``castle`` is (files, inset) of castling. ``room`` are the squares on which its moves may end;
    ``unchecked`` ones are not made in check.
    """

    guard: Guard
    nodes: array[int]
    skips: array[int]
    traced: dict[int, MoveEnd]
    leaves_trail: bool
    castle: tuple[int, int] | None
    automaton: Automaton | None
    room: int = -1
    unchecked: bool = False

    @property
    def targets(self) -> list[int]:
        """The squares of the nodes."""
        return [word >> STEP_SHIFT for word in self.nodes]

    @property
    def ends(self) -> list[MoveEnd]:
        """The ends of moves by the nodes."""
        return [*map(self.end_at, range(len(self.nodes)))]

    def end_at(self, node: int) -> MoveEnd:
        """The end of moves by a node."""
        return self.traced.get(node) or _end_without_captures(self.nodes[node] >> STEP_SHIFT)


class AnchorSquareArea(NamedTuple):
    """Where a piece may have its own square: files and ranks, and how many come before them.

    ``width`` are the files of the board. A piece of several squares has less than all of it.
    """

    files: int
    ranks: int
    west: int
    south: int
    width: int

    def number(self, at: Square) -> int:
        """The number of a square, -1 off the field."""
        file, rank = at
        inside = 0 <= file - self.west < self.files and 0 <= rank - self.south < self.ranks
        return rank * self.width + file if inside else -1


def clip_section(
    section: TableSection, at: Square, field: AnchorSquareArea, *, second: bool
) -> SquareSection:
    """A part cut to one square of the field of a piece."""
    result = section_without_nodes(section)
    if section.trie is None:
        return result
    nodes, skips, traced = _nodes_on_board(section.trie, at, field)
    result = result._replace(nodes=nodes, skips=skips, traced=traced)
    if any(condition.kind == "middle" for condition in section.guard):
        for node, end in enumerate(result.ends):
            if not is_in_own_half(end, at, field, second=second):
                nodes[node] &= ~CLASS_MASK
    return result


def section_without_nodes(section: TableSection) -> SquareSection:
    """A part of a piece's moves but for its nodes, which are not the same on all squares."""
    guard, automaton, trie = section
    conditions = {condition.kind: condition for condition in guard}
    castle = conditions.get("castle")
    partner = (castle.value, castle.inset) if castle else None
    walked = None if trie else automaton
    return SquareSection(guard, array("i"), array("i"), {}, "trail" in conditions, partner, walked)


class RegionalSections(NamedTuple):
    """Parts of a piece's moves, with their start and end squares."""

    parts: tuple[TableSection, ...]
    starts: int
    ends: int
    unchecked: bool = False


def clip_regional_section(
    square_moves: SquareSection, section: RegionalSections, size: int
) -> SquareSection:
    """A part of such moves cut to a square of a board of so many squares, where it ends."""
    squares, nodes = section.ends, square_moves.nodes
    if squares != (1 << size) - 1:
        nodes = array(
            "i",
            [
                word if squares >> target & 1 else word & ~CLASS_MASK
                for word, target in zip(nodes, square_moves.targets, strict=True)
            ],
        )
    return square_moves._replace(nodes=nodes, room=squares, unchecked=section.unchecked)


def node_count_on_all_squares(trie: Trie, files: int, ranks: int) -> int:
    """How many nodes all squares of a board have together, at most, for a piece on each of them."""
    numbers = Counter([word >> STEP_SHIFT for word in trie.nodes])
    return sum(
        max(files - abs(x), 0) * max(ranks - abs(y), 0) * numbers[number]
        for number, (x, y) in enumerate(trie.steps)
    )


def _nodes_on_board(
    trie: Trie, at: Square, field: AnchorSquareArea
) -> tuple[array[int], array[int], dict[int, MoveEnd]]:
    """The nodes on the board; subtrees that start off it are dropped."""
    count = len(trie.nodes)
    # The nodes, those after their subtrees, and where each node of the trie is.
    out = array("i", bytes(4 * (3 * count + 1)))
    area = array("i", (*field, *at))
    kept = engine().call(
        "cut_table_to_square", trie.nodes, trie.skips, trie.flattened_steps, count, area, out
    )
    nodes, placed = out[:kept], out[2 * count :]
    if not trie.traces:
        return nodes, out[count : count + kept], {}
    # Few squares are named by many nodes.
    number = cache(partial(square_number, at, field))
    traced = {
        placed[node]: move_end(trace, nodes[placed[node]] >> STEP_SHIFT, number)
        for node, trace in trie.traces.items()
        if placed[node] < placed[node + 1]
    }
    return nodes, out[count : count + kept], traced


def is_in_own_half(end: MoveEnd, at: Square, field: AnchorSquareArea, *, second: bool) -> bool:
    """Whether a run to the middle may end there: nowhere beyond the mover's own half."""
    last, passed = end.target, end.passed
    if last == field.number(at) and end.captures:
        last, passed = end.captures[-1], passed[:-1]
    way = [square // field.width - field.south for square in (*passed, last)]
    way = [field.ranks - 1 - rank if second else rank for rank in way]
    return not passed or max(way) < ranks_in_own_half(field.ranks)


@cache
def _end_without_captures(square: int) -> MoveEnd:
    """The end of a move that captures nothing on its way; there are as many as squares."""
    return MoveEnd(square, (), (), (), takes_trail=False)


def move_end(trace: PathTrace, target: int, number: Callable[[Offset], int]) -> MoveEnd:
    """The end of a move, from what its path did before; ``number`` is that of an offset."""
    captures, _, passed, takes_trail, on_trail = trace
    return MoveEnd(
        target,
        tuple(map(number, captures)),
        tuple(map(number, on_trail)) if on_trail else (),
        tuple(map(number, passed)) if passed else (),
        takes_trail,
    )


def square_number(at: Square, field: AnchorSquareArea, offset: Offset) -> int:
    """The number of the square at an offset from the piece, -1 off its field."""
    return field.number((at[0] + offset[0], at[1] + offset[1]))
