"""The cheapest columns that cover everything: weighted set cover, solved exactly where it can be.

First what a greedy choice takes, then branch and bound. A lower bound is what each thing to cover
costs at least: its share of the column that serves most for its price.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from alfil.bit_grid import single_bits
from alfil.work_limit import charge

# So many choices are looked at; what is best by then is not proved to be.
MAX_NODES = 4_000
# Shares are counted in so many parts, so that sums are exact.
UNITS_PER_SHARE = 27_720


class CoverColumn(NamedTuple):
    """A column: what it costs, and what it covers as bits."""

    cost: int
    mask: int


class Cover(NamedTuple):
    """Columns by their numbers, and whether none cover everything for less."""

    chosen: tuple[int, ...]
    proved: bool


def cheapest_cover(
    items: Sequence[CoverColumn], all_bits: int, limit: int = MAX_NODES
) -> Cover | None:
    """Columns that cover all bits; None where there are none.

    >>> cheapest_cover([CoverColumn(2, 0b011), CoverColumn(2, 0b110), CoverColumn(3, 0b111)], 0b111)
    Cover(chosen=(2,), proved=True)
    """
    rows = _columns_by_bit(items, all_bits)
    if any(not columns for columns, _ in rows):
        return None
    search = _CoverSearch(items, rows, limit)
    search.branch_and_bound(0, all_bits, ())
    return Cover(tuple(sorted(search.best)), search.left >= 0)


def _columns_by_bit(
    items: Sequence[CoverColumn], all_bits: int
) -> list[tuple[tuple[int, ...], int]]:
    """The columns for each thing to cover, and its bit; one of those that have the same columns."""
    alike: dict[tuple[int, ...], int] = {}
    for bit in single_bits(all_bits):
        columns = tuple([at for at, item in enumerate(items) if item.mask & bit])
        charge(1)
        alike.setdefault(columns, bit)
    # What follows from another thing to cover need not be looked at.
    sets = sorted(alike.items(), key=lambda each: len(each[0]))
    kept: list[tuple[tuple[int, ...], int]] = []
    for columns, bit in sets:
        if not any(set(columns).issuperset(fewer) for fewer, _ in kept):
            kept.append((columns, bit))
    return kept


class _CoverSearch:
    """Branch and bound; ``best`` is the cheapest cover so far, ``left`` how many looks remain."""

    def __init__(
        self, items: Sequence[CoverColumn], rows: list[tuple[tuple[int, ...], int]], limit: int
    ) -> None:
        needed = 0
        for _, bit in rows:
            needed |= bit
        self._items = [CoverColumn(cost, mask & needed) for cost, mask in items]
        self._rows = rows
        self._needed = needed
        # What each row costs at least.
        self._shares = {
            bit: min(
                self._items[at].cost * UNITS_PER_SHARE // self._items[at].mask.bit_count()
                for at in columns
            )
            for columns, bit in rows
        }
        self.left = limit
        self.best: tuple[int, ...] = tuple(self._greedy_cover())
        self._cost = sum(self._items[at].cost for at in self.best)

    def _greedy_cover(self) -> Iterator[int]:
        missing = self._needed
        while missing:
            at = max(
                range(len(self._items)),
                key=lambda each: (
                    (self._items[each].mask & missing).bit_count() / self._items[each].cost
                ),
            )
            missing &= ~self._items[at].mask
            yield at

    def branch_and_bound(self, cost: int, missing: int, chosen: tuple[int, ...]) -> None:
        """Try all columns that can still be part of a cheaper cover."""
        self.left -= 1
        if self.left < 0:
            return
        charge(1)
        missing &= self._needed
        if not missing:
            if cost < self._cost:
                self.best, self._cost = chosen, cost
            return
        bound = sum(share for bit, share in self._shares.items() if bit & missing)
        if cost + -(-bound // UNITS_PER_SHARE) >= self._cost:
            return
        columns, _ = min(
            (row for row in self._rows if row[1] & missing), key=lambda row: len(row[0])
        )
        for at in sorted(
            columns,
            key=lambda each: (
                -(self._items[each].mask & missing).bit_count() / self._items[each].cost
            ),
        ):
            item = self._items[at]
            if cost + item.cost < self._cost:
                self.branch_and_bound(cost + item.cost, missing & ~item.mask, (*chosen, at))
