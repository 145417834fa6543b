"""Squares as indices: layered CELL."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import SupportsIndex, final

from alfil.locations import numerals
from alfil.locations.errors import CellDialect, empty_input, found, refusal

_MOST = 10**numerals.DIGITS


@final
@dataclass(frozen=True, order=True, init=False, repr=False)
class Cell:
    """A square of layered CELL, by its index in each dimension, counted from 0.

    ``indices`` is any iterable of at least one integer; `bool` is a `TypeError`. Cells are equal,
    and sorted, by their indices. Raises `LocationError` (``empty``, ``range``) for no indices, a
    negative one, or a number of more than 4,300 digits.

    >>> Cell([4, 3]), str(Cell([4, 3])), Cell((0, 1)) < Cell((0, 9))
    (Cell((4, 3)), 'e4', True)
    >>> Cell((4, 3)) == (4, 3), Cell((4, 3)) == "e4"
    (False, False)
    """

    # The components with their lengths sort as the indices do, and need no arithmetic: text is
    # read in linear time, and the indices are worked out when somebody asks.
    _components: tuple[tuple[int, str], ...]

    def __init__(self, indices: Iterable[SupportsIndex]) -> None:
        known = tuple(map(_integer, indices))
        _check(known)
        words = (numerals.component(index, dimension) for dimension, index in enumerate(known))
        vars(self).update(_components=tuple(map(numerals.order, words)), indices=known)

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """The index in each dimension, from 0."""
        return tuple(map(numerals.index_of, self.components))

    @property
    def components(self) -> tuple[str, ...]:
        """The words and numbers of the text.

        >>> Cell((4, 3, 1)).components
        ('e', '4', 'B')
        """
        return tuple(text for _, text in self._components)

    @property
    def dimensions(self) -> int:
        """The number of dimensions, at least 1."""
        return len(self._components)

    @property
    def is_hand(self) -> bool:
        """False."""
        return False

    @property
    def is_board(self) -> bool:
        """True."""
        return True

    def __str__(self) -> str:
        return "".join(self.components)

    def __repr__(self) -> str:
        shown = ", ".join(map(numerals.shown, self.indices))
        return f"Cell(({shown}{',' * (self.dimensions == 1)}))"


def read_components(components: Iterable[str]) -> Cell:
    """The cell with these words and numbers, which must be in canonical form.

    >>> read_components(["e", "4"])
    Cell((4, 3))
    """
    cell = Cell.__new__(Cell)
    vars(cell)["_components"] = tuple(map(numerals.order, components))
    return cell


def _integer(index: SupportsIndex) -> int:
    if isinstance(index, bool):
        raise TypeError("an index is an int, not bool")
    return operator.index(index)


def _check(indices: tuple[int, ...]) -> None:
    """Raise `LocationError` for the first index that no text can stand for."""
    if not indices:
        raise refusal(empty_input(), "", CellDialect.LAYERED)
    for dimension, index in enumerate(indices):
        if index < 0:
            message, hint = "index is negative", "the first square has index 0"
        elif numerals.is_number(dimension) and index >= _MOST - 1:
            message, hint = f"number over {numerals.DIGITS:,} digits", ""
        else:
            continue
        texts = list(map(numerals.shown, indices))
        start = len("".join(f"{text}, " for text in texts[:dimension]))
        finding = found("range", message, start, start + len(texts[dimension]), hint)
        raise refusal(finding, ", ".join(texts), CellDialect.LAYERED)
