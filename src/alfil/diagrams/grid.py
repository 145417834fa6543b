"""Sets of squares of a window as the bits of one number."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from alfil.diagrams.marks import Offset, Window


class Grid(NamedTuple):
    """A window as bits: a square is the bit (dy + south) * width + dx + west."""

    window: Window
    width: int
    height: int
    all: int
    home: int

    def moved(self, squares: int, step: Offset) -> int:
        """The squares one step further on, without those that leave the window."""
        staying, by = _shift(self.width, self.height, step)
        squares &= staying
        return squares << by if by >= 0 else squares >> -by

    def leaving(self, squares: int, step: Offset) -> int:
        """The squares from which a step leaves the window."""
        return squares & ~_shift(self.width, self.height, step)[0]

    def run(self, squares: int, step: Offset, free: int) -> int:
        """The squares, and all that can be reached from them by one step again and again.

        ``free`` are those that may be gone on from.
        """
        staying, by = _shift(self.width, self.height, step)
        fresh = squares
        while fresh:
            fresh &= staying
            fresh = (fresh << by if by >= 0 else fresh >> -by) & free & ~squares
            squares |= fresh
        return squares

    def steps(self, square: int, step: Offset, squares: int) -> int:
        """How often a step leads on from a square while it is one of some."""
        staying, by = _shift(self.width, self.height, step)
        squares &= staying
        found = 0
        while square & squares:
            found += 1
            square = square << by if by >= 0 else square >> -by
        return found

    def offsets(self, squares: int) -> Iterator[tuple[int, Offset]]:
        """Each square as a bit and as an offset."""
        west, south, width = self.window.west, self.window.south, self.width
        while squares:
            bit = squares & -squares
            squares ^= bit
            y, x = divmod(bit.bit_length() - 1, width)
            yield bit, (x - west, y - south)


@lru_cache(maxsize=8192)
def _shift(width: int, height: int, step: Offset) -> tuple[int, int]:
    """The squares of a grid that a step does not lead out of, and by how many bits it moves."""
    dx, dy = step
    if abs(dx) >= width or abs(dy) >= height:
        return 0, 0
    columns = (1 << width - max(0, dx)) - (1 << max(0, -dx))
    rows = range(max(0, -dy), height - max(0, dy))
    return sum(columns << width * row for row in rows), dy * width + dx


@lru_cache(maxsize=256)
def grid_of(window: Window) -> Grid:
    """The grid of a window."""
    west, east, south, north, _ = window
    width, height = west + east + 1, south + north + 1
    return Grid(window, width, height, (1 << width * height) - 1, 1 << south * width + west)
