"""The dialects of CELL, the error of this package, and what counts as a string."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from alfil.errors import AlfilError, Finding
from alfil.source import Source, Span


class CellDialect(Enum):
    """What CELL means; the gems that implement it disagree.

    ``OPAQUE`` is gem 1.0.0: ``*``, or any letters and digits. ``LAYERED`` is gem 2.0.2: a
    lower-case word, a number, an upper-case word, and round again. ``BOUNDED`` is what gems 3 and 4
    document: layered, with at most 3 dimensions, indices to 255 and 7 characters.
    """

    OPAQUE = "opaque"
    LAYERED = "layered"
    BOUNDED = "bounded"


class LocationError(AlfilError):
    """The text or the indices are no location of the kind asked for.

    ``text`` is what was given (indices separated by commas), ``spans`` are places in it, and
    ``dialect`` is the dialect of CELL it was read in, or None.
    """

    dialect: CellDialect | None

    def __init__(
        self, findings: Sequence[Finding], source: Source, dialect: CellDialect | None = None
    ) -> None:
        super().__init__(findings, source)
        self.dialect = dialect

    @property
    def text(self) -> str:
        """The text as it was given."""
        return self.source.text


def refusal(finding: Finding, text: str, dialect: CellDialect | None = None) -> LocationError:
    """The error with this finding in this text."""
    return LocationError([finding], Source(text, "<location>"), dialect)


def found(kind: str, message: str, start: int, end: int, hint: str = "") -> Finding:
    """A finding with one span."""
    return Finding(kind, message, (Span(start, end),), hint)


def empty_input() -> Finding:
    """There is nothing at all."""
    return found("empty", "empty input", 0, 0, "write a square such as e4, or * for the hand")


def plain(given: object) -> str | None:
    """The characters of a string, without the class they came in; None for anything else.

    The class is asked, not the object: an object may claim any ``__class__``, or fail to tell.

    >>> plain("e4"), plain(b"e4"), plain(None)
    ('e4', None, None)
    """
    if not issubclass(type(given), str):
        return None
    return str.__str__(given)


def string(given: object) -> str:
    """The characters of a string.

    Raises `TypeError` for anything else.
    """
    text = plain(given)
    if text is None:
        raise TypeError(f"a location is a str, not {type(given).__name__}")
    return text
