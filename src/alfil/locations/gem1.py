"""The interface of the CELL gem 1.0.0, on opaque CELL, for those who know it.

``is_board`` and ``is_hand`` are properties here: a method without its brackets is always true.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from alfil.errors import Diagnostic
from alfil.locations import (
    HAND,
    CellDialect,
    Hand,
    Label,
    LocationBase,
    LocationError,
    is_cell_opaque,
    make_location_diagnostic,
    not_opaque_cell_diagnostic,
    to_plain_string_or_none,
)
from alfil.source import Source


class CoordinateError(LocationError):
    """A `LocationError` whose ``str()`` is the message alone, as the gem's is."""

    def __str__(self) -> str:
        return self.first_error.message


@dataclass(frozen=True, eq=False, repr=False)
class Location(LocationBase):
    """A location of gem 1.0.0: letters and digits, or ``*``.

    Equal to a `Location` with the same text, of a subclass too, and to nothing else. Raises
    `LocationError` for any other argument, strings or not.

    >>> Location("e4"), str(Location.parse("*")), Location("e4") == "e4"
    (Location('e4'), '*', False)
    """

    coordinate: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "coordinate", _require_opaque_string(self.coordinate))

    @classmethod
    def parse(cls, coordinate: str) -> Self:
        """The location with this text.

        >>> Location.parse("5c").is_board
        True
        """
        return cls(coordinate)

    def to_location(self) -> Label | Hand:
        """The same location as the rest of the package has it.

        >>> Location("e4").to_location(), Location("*").to_location()
        (Label('e4'), HAND)
        """
        return HAND if self.is_hand else Label(self.coordinate)

    def __str__(self) -> str:
        return self.coordinate

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.coordinate!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Location):
            return NotImplemented
        return self.coordinate == other.coordinate

    def __hash__(self) -> int:
        return hash(self.coordinate)


def is_valid(value: object) -> bool:
    """Whether this is a string of gem 1.0.0; False, never an error, for anything else.

    >>> is_valid("e4"), is_valid("*"), is_valid("e-4"), is_valid(None)
    (True, True, False, False)
    """
    return is_cell_opaque(value)


def location(coordinate: str) -> Location:
    """The location with this text.

    >>> location("e4") == Location("e4")
    True
    """
    return Location(coordinate)


def _require_opaque_string(value: object) -> str:
    """The characters of a string of opaque CELL."""
    text = to_plain_string_or_none(value)
    if text is None:
        shown = repr(value)
        raise _coordinate_error(
            make_location_diagnostic("character", "unexpected character", 0, len(shown)),
            shown,
            shown,
        )
    diagnostic = not_opaque_cell_diagnostic(text)
    if diagnostic is not None:
        raise _coordinate_error(diagnostic, text, repr(text))
    return text


def _coordinate_error(diagnostic: Diagnostic, text: str, shown: str) -> CoordinateError:
    coordinate_diagnostic = replace(diagnostic, message=f"Invalid CELL coordinate: {shown}")
    return CoordinateError([coordinate_diagnostic], Source(text, "<location>"), CellDialect.OPAQUE)
