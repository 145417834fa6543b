"""What a piece may do from one square: its move tables cut to the board around that.

Steps become numbers of squares, and what lies off the board is gone.
"""

from __future__ import annotations

from functools import cache

from alfil.frozen_dataclasses import NamedTuple
from alfil.meaning.automaton import Automaton
from alfil.meaning.piece_meaning import Guard, ranks_in_own_half
from alfil.squares import Square
from alfil.tables.board_context import OFF_BOARD_CLASS, Offset
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

    ``castle`` is (files, inset) of castling. ``room`` are the squares on which its moves may end;
    ``unchecked`` ones are not made in check.
    """

    guard: Guard
    nodes: list[int]
    skips: list[int]
    ends: list[MoveEnd]
    leaves_trail: bool
    castle: tuple[int, int] | None
    automaton: Automaton | None
    room: int = -1
    unchecked: bool = False


class MainSquareArea(NamedTuple):
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
    section: TableSection, at: Square, field: MainSquareArea, *, second: bool
) -> SquareSection:
    """A part cut to one square of the field of a piece."""
    result = section_without_nodes(section)
    if section.trie is None:
        return result
    nodes, skips, ends = _nodes_on_board(section.trie, at, field)
    if any(condition.kind == "middle" for condition in section.guard):
        for node, end in enumerate(ends):
            if not is_in_own_half(end, at, field, second=second):
                nodes[node] &= ~CLASS_MASK
    return result._replace(nodes=nodes, skips=skips, ends=ends)


def section_without_nodes(section: TableSection) -> SquareSection:
    """A part of a piece's moves but for its nodes, which are not the same on all squares."""
    guard, automaton, trie = section
    conditions = {condition.kind: condition for condition in guard}
    castle = conditions.get("castle")
    partner = (castle.value, castle.inset) if castle else None
    walked = None if trie else automaton
    return SquareSection(guard, [], [], [], "trail" in conditions, partner, walked)


class RegionalSections(NamedTuple):
    """Parts of a piece's moves, with their start and end squares."""

    parts: tuple[TableSection, ...]
    starts: int
    ends: int
    unchecked: bool = False


def clip_regional_section(square_moves: SquareSection, section: RegionalSections) -> SquareSection:
    """A part of such moves cut to a square, where it ends."""
    squares = section.ends
    nodes = [
        word if squares >> end.target & 1 else word & ~CLASS_MASK
        for word, end in zip(square_moves.nodes, square_moves.ends, strict=True)
    ]
    return square_moves._replace(nodes=nodes, room=squares, unchecked=section.unchecked)


def _nodes_on_board(
    trie: Trie, at: Square, field: MainSquareArea
) -> tuple[list[int], list[int], list[MoveEnd]]:
    """The nodes on the board; subtrees that start off it are dropped."""
    (x, y), (files, ranks, west, south, width) = at, field
    squares = [
        (y + dy) * width + x + dx
        if 0 <= x + dx - west < files and 0 <= y + dy - south < ranks
        else -1
        for dx, dy in trie.steps
    ]
    placed = [0] * (len(trie.nodes) + 1)
    kept: list[int] = []
    nodes: list[int] = []
    ends: list[MoveEnd] = []
    node = 0
    while node < len(trie.nodes):
        word, end = trie.nodes[node], node + 1
        square = squares[word >> STEP_SHIFT]
        if square >= 0 or word & OFF_BOARD_CLASS:
            placed[node] = len(nodes)
            kept.append(node)
            nodes.append(square << STEP_SHIFT | (word & (1 << STEP_SHIFT) - 1))
            trace = trie.traces.get(node)
            ends.append(
                move_end(trace, square, at, field) if trace else _end_without_captures(square)
            )
        else:
            end = trie.skips[node]
            placed[node:end] = [len(nodes)] * (end - node)
        node = end
    placed[-1] = len(nodes)
    return nodes, [placed[trie.skips[node]] for node in kept], ends


def is_in_own_half(end: MoveEnd, at: Square, field: MainSquareArea, *, second: bool) -> bool:
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


def move_end(trace: PathTrace, square: int, at: Square, field: MainSquareArea) -> MoveEnd:
    """The end of a move from a square, from what its path did before."""
    captures, on_trail, passed = (
        tuple(_square_number(offset, at, field) for offset in offsets)
        for offsets in (trace.captures, trace.trail_captures, trace.passed)
    )
    return MoveEnd(square, captures, on_trail, passed, trace.takes_trail)


def _square_number(offset: Offset, at: Square, field: MainSquareArea) -> int:
    """The number of the square at an offset from the piece, -1 off its field."""
    return field.number((at[0] + offset[0], at[1] + offset[1]))
