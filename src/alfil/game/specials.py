"""Where a piece gets to from one square, and what castling and en passant ask besides."""

from __future__ import annotations

from typing import NamedTuple

from alfil.game.clipping import Patch
from alfil.game.plan import Plan
from alfil.game.position import DROPPED, UNKNOWN
from alfil.meaning.piece import allows
from alfil.tables.scene import ENEMY, TRAIL, VACANT
from alfil.tables.table import CLASS_BITS, STEP_SHIFT


class Reach(NamedTuple):
    """Where a piece may go: squares free of pieces, and squares it could capture on.

    ``trailing`` are quiet moves that leave a trail: (square, squares of the trail).
    """

    quiet: int
    strikes: int
    trailing: tuple[tuple[int, tuple[int, ...]], ...]


class Castle(NamedTuple):
    """One way to castle from a square.

    ``partner`` is (files the piece goes, inset of its partner); ``targets`` are the squares it
    could go to, by how the squares in ``looks`` are occupied.
    """

    partner: tuple[int, int]
    patch: Patch
    looks: int
    targets: dict[int, list[int]]


class Threats(NamedTuple):
    """What the other side does to the royal of the side to move.

    ``near`` are the enemy pieces that matter to it at all. ``checkers`` is the set of those that
    give check. ``targets`` are the squares other pieces may go to: all without a check, those that
    end a single one. ``pins`` are, by square, where a pinned piece may go. ``doubtful`` are
    squares on which a capture may open an attack: what stands there keeps its side off a file.
    """

    near: list[int]
    checkers: int
    targets: int
    pins: dict[int, int]
    doubtful: int


def squares_in(bits: int) -> list[int]:
    """The squares of a set, in order.

    >>> squares_in(0b1011)
    [0, 1, 3]
    """
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def holding(plan: Plan, piece: int, square: int, made: int) -> list[Patch]:
    """The parts of a piece's moves whose conditions on its past hold."""
    count = None if made == UNKNOWN else 0 if made == DROPPED else made
    third = plan.third_rank(piece, square)
    return [
        patch
        for patch in plan.patches(piece, square)
        if allows(patch.guard, count, third_rank=third)
    ]


def walked(patches: list[Patch], occupied: int) -> Reach:
    """Where some parts lead to when squares are occupied, whoever stands there."""
    quiet = strikes = 0
    trailing: dict[tuple[int, tuple[int, ...]], None] = {}
    for patch in patches:
        node = 0
        while node < len(patch.nodes):
            word = patch.nodes[node]
            square = word >> STEP_SHIFT
            standing = ENEMY if occupied >> square & 1 else VACANT
            if word & standing:
                if standing == ENEMY:
                    strikes |= 1 << square
                elif patch.leaves_trail and patch.ends[node].passed:
                    trailing[square, patch.ends[node].passed] = None
                else:
                    # The first step of what leaves a trail is a move as any other part makes it.
                    quiet |= 1 << square
            node = node + 1 if word >> CLASS_BITS & standing else patch.skips[node]
    return Reach(quiet, strikes, tuple(trailing))


class Specials:
    """Castling and en passant in one game, worked out when first asked for."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._castles: dict[tuple[int, int, int], list[Castle]] = {}
        self._sources: dict[tuple[int, int], int] = {}

    def castling(
        self, piece: int, square: int, made: int, occupied: int
    ) -> list[tuple[tuple[int, int], list[int]]]:
        """For each way to castle (files, inset of the partner) where the piece could go."""
        key = (piece, square, made)
        ways = self._castles.get(key)
        if ways is None:
            ways = self._castles[key] = [
                Castle(patch.castle, patch, patch.looks, {})
                for patch in holding(self._plan, piece, square, made)
                if patch.castle
            ]
        return [(way.partner, _targets(way, occupied)) for way in ways]

    def sources(self, piece: int, target: int) -> int:
        """From which squares such a piece may capture en passant on a square."""
        found = self._sources.get((piece, target))
        if found is None:
            found = 0
            at = self._plan.at(target)
            for layout in self._plan.parts(piece):
                for node, trace in layout.trie.traces.items() if layout.trie else ():
                    if trace.takes_trail and layout.trie:
                        dx, dy = layout.trie.steps[layout.trie.nodes[node] >> STEP_SHIFT]
                        found |= self._bit(at[0] - dx, at[1] - dy)
            self._sources[piece, target] = found
        return found

    def takes_on(self, piece: int, square: int, target: int, occupied: int) -> bool:
        """Whether nothing stands in the way of a capture en passant."""
        for patch in self._plan.patches(piece, square):
            node = 0
            while node < len(patch.nodes):
                word = patch.nodes[node]
                at = word >> STEP_SHIFT
                standing = ENEMY if occupied >> at & 1 else TRAIL if at == target else VACANT
                if word & standing & TRAIL and patch.ends[node].takes_trail:
                    return True
                node = node + 1 if word >> CLASS_BITS & standing else patch.skips[node]
        return False

    def _bit(self, file: int, rank: int) -> int:
        if 0 <= file < self._plan.files and 0 <= rank < self._plan.ranks:
            return 1 << self._plan.square((file, rank))
        return 0


def _targets(way: Castle, occupied: int) -> list[int]:
    seen = occupied & way.looks
    found = way.targets.get(seen)
    if found is None:
        found = way.targets[seen] = squares_in(walked([way.patch], seen).quiet)
    return found
