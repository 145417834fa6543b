"""Reading locations: which strings are one, and what is wrong with the others.

Every prefix of layered CELL is layered CELL, so the expression's longest match ends at the fault.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, SupportsIndex, TypeAlias, overload

from alfil.errors import Finding
from alfil.locations import numerals
from alfil.locations.cell import Cell, read_components
from alfil.locations.errors import CellDialect, empty_input, found, plain, refusal, string
from alfil.locations.hand import HAND, Hand, is_hand
from alfil.locations.label import Label, opaque_fault

Location: TypeAlias = Cell | Label | Hand

_LAYERED = re.compile(r"[a-z]+(?:[1-9][0-9]*[A-Z]+[a-z]+)*(?:[1-9][0-9]*[A-Z]*)?")
_COMPONENT = re.compile(r"[a-z]+|[0-9]+|[A-Z]+")
_SHOGI = re.compile(r"[1-9][0-9]?[a-z]")

# Bounded CELL: what the gems 3 and 4 document.
_LONGEST = 7
_DIMENSIONS = 3
_LAST_INDEX = 255
_LAST = [numerals.component(_LAST_INDEX, dimension) for dimension in range(_DIMENSIONS)]
_UNBOUNDED = "CellDialect.LAYERED has no such bound"


def is_cell(given: object) -> bool:
    r"""Whether this is a string of layered CELL; False, never an error, for anything else.

    Numbers of any length are.

    >>> [is_cell(text) for text in ("e4", "h8Hh8", "5c", "*", "e4\n", None)]
    [True, True, False, False, False, False]
    """
    text = plain(given)
    return text is not None and _LAYERED.fullmatch(text) is not None


def is_cell_bounded(given: object) -> bool:
    """Whether this is layered CELL with at most 3 dimensions, indices to 255 and 7 characters.

    False, never an error, for anything that is not a string.

    >>> [is_cell_bounded(text) for text in ("iv256IV", "iw", "a257", "a1Aa", "aaa")]
    [True, False, False, False, False]
    """
    text = plain(given)
    return text is not None and _layered_fault(text, CellDialect.BOUNDED) is None


def is_cell_opaque(given: object) -> bool:
    """Whether this is ``*``, or one or more of A-Z, a-z and 0-9.

    False, never an error, for anything that is not a string.

    >>> [is_cell_opaque(text) for text in ("*", "e4", "5c", "a01", "", "e-4")]
    [True, True, True, True, False, False]
    """
    text = plain(given)
    return text is not None and opaque_fault(text) is None


def is_location(given: object, dialect: CellDialect = CellDialect.LAYERED) -> bool:
    """Whether this is a string of the dialect, or the hand ``*``.

    False for anything that is not a string. Raises `TypeError` where ``dialect`` is no
    `CellDialect`.

    >>> is_location("*"), is_location("5c"), is_location("5c", CellDialect.OPAQUE)
    (True, False, True)
    """
    _check_dialect(dialect)
    text = plain(given)
    return text is not None and (is_hand(text) or _fault(text, dialect) is None)


@overload
def parse_cell(
    text: str,
    dialect: Literal[CellDialect.LAYERED, CellDialect.BOUNDED] = CellDialect.LAYERED,
) -> Cell: ...
@overload
def parse_cell(text: str, dialect: Literal[CellDialect.OPAQUE]) -> Label | Hand: ...
@overload
def parse_cell(text: str, dialect: CellDialect) -> Location: ...


def parse_cell(text: str, dialect: CellDialect = CellDialect.LAYERED) -> Location:
    """The `Cell` a text stands for; in the opaque dialect the `Label`, or `HAND`.

    Raises `LocationError` for a string the dialect does not have, or a number of more than 4,300
    digits (``range``), and `TypeError` for anything but a string.

    >>> parse_cell("e4"), parse_cell("a1AA").indices, parse_cell("5c", CellDialect.OPAQUE)
    (Cell((4, 3)), (0, 0, 26), Label('5c'))
    """
    _check_dialect(dialect)
    given = string(text)
    if dialect is CellDialect.OPAQUE:
        return HAND if is_hand(given) else Label(given)
    finding = _layered_fault(given, dialect)
    components = [] if finding else _COMPONENT.findall(given)
    if finding := finding or _long_number(components):
        raise refusal(finding, given, dialect)
    return read_components(components)


@overload
def parse_location(
    text: str,
    dialect: Literal[CellDialect.LAYERED, CellDialect.BOUNDED] = CellDialect.LAYERED,
) -> Cell | Hand: ...
@overload
def parse_location(text: str, dialect: Literal[CellDialect.OPAQUE]) -> Label | Hand: ...
@overload
def parse_location(text: str, dialect: CellDialect) -> Location: ...


def parse_location(text: str, dialect: CellDialect = CellDialect.LAYERED) -> Location:
    """`HAND` for ``*``, and what `parse_cell` gives, or raises, for everything else.

    >>> parse_location("*"), parse_location("e4")
    (HAND, Cell((4, 3)))
    """
    _check_dialect(dialect)
    given = string(text)
    return HAND if is_hand(given) else parse_cell(given, dialect)


def cell_from_indices(*indices: SupportsIndex, dialect: CellDialect = CellDialect.LAYERED) -> Cell:
    """The cell with these indices, counted from 0.

    Raises `LocationError` for what `Cell` refuses, and in the bounded dialect for more than 3
    indices (``dimensions``) or one over 255 (``range``), with places in the text the cell would
    have. Opaque labels have no indices: `ValueError`.

    >>> str(cell_from_indices(4, 3)), str(cell_from_indices(255, 255, 255))
    ('e4', 'iv256IV')
    """
    _check_dialect(dialect)
    if dialect is CellDialect.OPAQUE:
        raise ValueError("labels of opaque CELL have no indices")
    cell = Cell(indices)
    if dialect is CellDialect.BOUNDED:
        components = cell.components
        if finding := _too_many(components) or _too_far(components):
            raise refusal(finding, str(cell), dialect)
    return cell


def _check_dialect(dialect: CellDialect) -> None:
    if not isinstance(dialect, CellDialect):
        raise TypeError(f"a dialect is a CellDialect, not {type(dialect).__name__}")


def _fault(text: str, dialect: CellDialect) -> Finding | None:
    """What keeps a string from being a cell of the dialect."""
    if dialect is CellDialect.OPAQUE:
        return opaque_fault(text)
    return _layered_fault(text, dialect)


def _layered_fault(text: str, dialect: CellDialect) -> Finding | None:
    """The same for the two layered dialects; numbers are not read."""
    bounded = dialect is CellDialect.BOUNDED
    if not text:
        return empty_input()
    if bounded and len(text) > _LONGEST:
        return found(
            "length", f"input exceeds {_LONGEST} characters", _LONGEST, len(text), _UNBOUNDED
        )
    match = _LAYERED.match(text)
    if match is None:
        return found("start", "must start with lowercase letter", 0, 1, _start_hint(text))
    components = _COMPONENT.findall(match[0]) if bounded else []
    return _too_many(components) or _stray(text, match.end()) or _too_far(components)


def _start_hint(text: str) -> str:
    if is_hand(text):
        return "parse_location and parse_hand read the hand"
    if _SHOGI.fullmatch(text):
        return "from_shogi reads squares of shogi"
    return "write the file first, as in e4"


def _too_many(components: Sequence[str]) -> Finding | None:
    """The first component that bounded CELL has no dimension for."""
    if len(components) <= _DIMENSIONS:
        return None
    start = len("".join(components[:_DIMENSIONS]))
    end = start + len(components[_DIMENSIONS])
    return found("dimensions", f"exceeds {_DIMENSIONS} dimensions", start, end, _UNBOUNDED)


def _stray(text: str, end: int) -> Finding | None:
    """What stands behind the longest prefix that is a cell, and ends at ``end``."""
    if end == len(text):
        return None
    if text[end] == "0" and text[end - 1].islower():
        return found("leading-zero", "leading zero", end, end + 1, "numbers begin with 1 to 9")
    hint = "after a word a to z comes a number, then a word A to Z, and round again"
    return found("character", "unexpected character", end, end + 1, hint)


def _too_far(components: Sequence[str]) -> Finding | None:
    """The first component with an index that bounded CELL does not have."""
    start = 0
    for component, last in zip(components, _LAST, strict=False):
        end = start + len(component)
        if numerals.order(component) > numerals.order(last):
            return found("range", f"index exceeds {_LAST_INDEX}", start, end, _UNBOUNDED)
        start = end
    return None


def _long_number(components: Sequence[str]) -> Finding | None:
    """The first number with more digits than a cell holds."""
    start = 0
    for dimension, component in enumerate(components):
        end = start + len(component)
        if numerals.is_number(dimension) and len(component) > numerals.DIGITS:
            return found("range", f"number over {numerals.DIGITS:,} digits", start, end)
        start = end
    return None
