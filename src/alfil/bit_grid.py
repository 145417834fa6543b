"""Sets of squares as the bits of one number, so that an area costs hardly more than a line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from alfil.frozen_dataclasses import NamedTuple

Square: TypeAlias = tuple[int, int]


class Grid(NamedTuple):
    """A rectangle of squares: (x, y) is the bit (y + south) * width + x + west.

    ``all`` are all squares, ``home`` is (0, 0).
    """

    width: int
    height: int
    west: int
    south: int
    all: int
    home: int

    def bit(self, square: Square) -> int:
        """The bit of a square."""
        return 1 << (square[1] + self.south) * self.width + square[0] + self.west

    def contains(self, square: Square) -> bool:
        """Whether a square is one of the grid's."""
        x, y = square[0] + self.west, square[1] + self.south
        return 0 <= x < self.width and 0 <= y < self.height

    def shift_squares(self, squares: int, step: Square) -> int:
        """The squares one step further on, without those that leave the grid."""
        staying, by = _step_mask_and_shift(self.width, self.height, step)
        squares &= staying
        return squares << by if by >= 0 else squares >> -by

    def reachable_by_repeated_step(self, squares: int, step: Square, free: int) -> int:
        """The squares, and all that can be reached from them by one step again and again.

        ``free`` are those that may be gone on from.
        """
        staying, by = _step_mask_and_shift(self.width, self.height, step)
        fresh = squares
        while fresh:
            fresh &= staying
            fresh = (fresh << by if by >= 0 else fresh >> -by) & free & ~squares
            squares |= fresh
        return squares

    def count_steps_from(self, square: int, step: Square, squares: int) -> int:
        """How often a step leads on from a square while it is one of some."""
        staying, by = _step_mask_and_shift(self.width, self.height, step)
        squares &= staying
        result = 0
        while square & squares:
            result += 1
            square = square << by if by >= 0 else square >> -by
        return result

    def squares(self, bits: int) -> list[Square]:
        """The squares of a set, from the lowest bit on."""
        every = _all_squares(*self[:4])
        result = []
        while bits:
            low = bits & -bits
            bits ^= low
            result.append(every[low.bit_length() - 1])
        return result


def single_bits(bits: int) -> Iterator[int]:
    """Each bit of a set by itself, from the lowest on."""
    while bits:
        low = bits & -bits
        bits ^= low
        yield low


# A square is remembered in many places; so it is one object in all of them.
@lru_cache(maxsize=64)
def _all_squares(width: int, height: int, west: int, south: int) -> tuple[Square, ...]:
    return tuple([(x - west, y - south) for y in range(height) for x in range(width)])


@lru_cache(maxsize=8192)
def _step_mask_and_shift(width: int, height: int, step: Square) -> tuple[int, int]:
    """The squares of a grid that a step does not lead out of, and by how many bits it moves."""
    dx, dy = step
    if abs(dx) >= width or abs(dy) >= height:
        return 0, 0
    columns = (1 << width - max(0, dx)) - (1 << max(0, -dx))
    # A bit for each rank that is not left, and these columns for each such bit.
    ranks = ((1 << width * (height - abs(dy))) - 1) // ((1 << width) - 1)
    return columns * ranks << width * max(0, -dy), dy * width + dx


@lru_cache(maxsize=256)
def grid_of(width: int, height: int, west: int = 0, south: int = 0) -> Grid:
    """The grid with so many squares left of home and below it.

    >>> grid = grid_of(3, 3, 1, 1)
    >>> grid.squares(grid.shift_squares(grid.home, (1, 1)))
    [(1, 1)]
    """
    return Grid(width, height, west, south, (1 << width * height) - 1, 1 << south * width + west)
