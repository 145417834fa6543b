"""Move tables cut to one square of a board: what a piece on that square may do.

Tables are relative to the piece; cut to a square, steps are numbers of squares, and what lies off
the board is gone. It is done when a piece first stands on a square, so that a large board costs
only what is played on it.
"""

from __future__ import annotations

from typing import NamedTuple

from alfil.game.variant import Square
from alfil.meaning.automaton import Automaton
from alfil.meaning.piece import Guard, Meaning
from alfil.tables.scene import OUTSIDE, Offset
from alfil.tables.table import (
    CLASS_MASK,
    NO_TRACE,
    STEP_SHIFT,
    Trace,
    Trie,
    lay_out,
)


class End(NamedTuple):
    """Where a move may end; all are numbers of squares.

    ``captures`` are what it takes before its last square, ``on_trail`` those of them where a
    piece is captured en passant; ``takes_trail`` is true where the last square is of that sort.
    ``passed`` are the squares on its way, where anybody asks.
    """

    target: int
    captures: tuple[int, ...]
    on_trail: tuple[int, ...]
    passed: tuple[int, ...]
    takes_trail: bool


class Patch(NamedTuple):
    """One part of a piece's moves from one square; without nodes it is walked on the automaton.

    ``looks`` are all squares it depends on, one bit each. ``castle`` is (files, inset) of castling.
    """

    guard: Guard
    nodes: list[int]
    skips: list[int]
    ends: list[End]
    looks: int
    leaves_trail: bool
    castle: tuple[int, int] | None
    automaton: Automaton | None


class Layout(NamedTuple):
    """One part of a piece's moves for one side, before it is cut to squares."""

    guard: Guard
    trie: Trie | None
    automaton: Automaton


def layouts(meaning: Meaning, files: int, ranks: int, *, second: bool) -> tuple[Layout, ...]:
    """All parts of a piece for one side."""
    found = []
    for guard, automaton in meaning.parts:
        kinds = {condition.kind for condition in guard}
        trie = None
        if "greedy" not in kinds:
            tracing = bool(kinds & {"trail", "middle", "castle"})
            trie = lay_out(automaton, files, ranks, second=second, tracing=tracing)
        found.append(Layout(guard, trie, automaton))
    return tuple(found)


def clip(layout: Layout, at: Square, size: tuple[int, int], *, second: bool) -> Patch:
    """A part cut to one square of a board of this size (files, ranks)."""
    guard, trie, automaton = layout
    conditions = {condition.kind: condition for condition in guard}
    castle = conditions.get("castle")
    partner = (castle.value, castle.inset) if castle else None
    trail = "trail" in conditions
    if trie is None:
        return Patch(guard, [], [], [], -1, trail, partner, automaton)
    cutter = _Cutter(trie, at, size)
    cutter.cut()
    if "middle" in conditions:
        cutter.keep_own_half(second=second)
    looks = 0
    for word in cutter.nodes:
        looks |= 1 << (word >> STEP_SHIFT)
    return Patch(guard, cutter.nodes, cutter.skips, cutter.ends, looks, trail, partner, None)


class _Cutter:
    """Cuts one trie to one square."""

    def __init__(self, trie: Trie, at: Square, size: tuple[int, int]) -> None:
        self._trie = trie
        self._at = at
        self._size = size
        self._home = at[1] * size[0] + at[0]
        self.nodes: list[int] = []
        self.skips: list[int] = []
        self.ends: list[End] = []

    def cut(self) -> None:
        """Copy all nodes on the board; a subtree that starts off the board is left out."""
        nodes, skips = self._trie.nodes, self._trie.skips
        squares = [self._number(step) for step in self._trie.steps]
        placed = [0] * (len(nodes) + 1)
        kept: list[int] = []
        node = 0
        while node < len(nodes):
            word = nodes[node]
            square = squares[word >> STEP_SHIFT]
            placed[node] = len(self.nodes)
            if square < 0 and not word & OUTSIDE:
                end = skips[node]
                placed[node:end] = [len(self.nodes)] * (end - node)
                node = end
                continue
            kept.append(node)
            self.nodes.append(square << STEP_SHIFT | (word & (1 << STEP_SHIFT) - 1))
            self._note(node, square)
            node += 1
        placed[len(nodes)] = len(self.nodes)
        self.skips = [placed[skips[node]] for node in kept]

    def keep_own_half(self, *, second: bool) -> None:
        """Runs to the middle: end nowhere beyond the mover's own half."""
        for node, end in enumerate(self.ends):
            last, passed = end.target, end.passed
            if last == self._home and end.captures:
                last, passed = end.captures[-1], passed[:-1]
            if passed and not all(self._is_own(each, second=second) for each in (*passed, last)):
                self.nodes[node] &= ~CLASS_MASK

    def _is_own(self, square: int, *, second: bool) -> bool:
        files, ranks = self._size
        rank = square // files
        if second:
            rank = ranks - 1 - rank
        return 2 * rank < ranks - ranks % 2

    def _note(self, node: int, square: int) -> None:
        trace: Trace = self._trie.traces.get(node, NO_TRACE)
        self.ends.append(
            End(
                square,
                self._numbers(trace.captures),
                self._numbers(trace.trail_captures),
                self._numbers(trace.passed),
                trace.takes_trail,
            )
        )

    def _numbers(self, offsets: tuple[Offset, ...]) -> tuple[int, ...]:
        return tuple(self._number(offset) for offset in offsets)

    def _number(self, offset: Offset) -> int:
        """The number of the square at an offset from the piece, -1 off the board."""
        files, ranks = self._size
        file, rank = self._at[0] + offset[0], self._at[1] + offset[1]
        if 0 <= file < files and 0 <= rank < ranks:
            return rank * files + file
        return -1
