"""Text with a name, and spans of code points in it.

A span is half open, ``[start, end)``, and counts code points from 0 in the text as it was given:
nothing is trimmed or normalised before counting.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache

from alfil.frozen_dataclasses import NamedTuple, dataclass

# Controls and line separators would break the one-line layout of a report, marks of writing
# direction would turn it round, and a lone surrogate cannot be printed: their numbers are shown.
_LINE_SEPARATOR_CATEGORIES = frozenset({"Zl", "Zp"})


class Span(NamedTuple):
    """A half-open range of code points, counted from 0.

    >>> Span(2, 4).shift(10)
    Span(start=12, end=14)
    """

    start: int
    end: int

    def shift(self, by: int) -> Span:
        """The same span, ``by`` code points further on."""
        return Span(self.start + by, self.end + by)

    def contains(self, other: Span) -> bool:
        """Whether all of another span is in this one."""
        return self.start <= other.start and other.end <= self.end

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of the other."""
        return Span(self.start, other.end)


NOWHERE = Span(0, 0)


def span_field() -> Span:
    """The field of a node that tells where it was read; it takes no part in equality."""
    return field(default=NOWHERE, compare=False, repr=False, kw_only=True)


class LineAndColumn(NamedTuple):
    """A place as an editor shows it: line and column, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Source:
    """A text and where it came from; ``name`` is a file name or a label such as ``<betza>``."""

    text: str
    name: str = "<notation>"

    def position(self, offset: int) -> LineAndColumn:
        """Line and column of a code point; the end of the text counts as a place too.

        >>> Source("W\\nEW").position(2)
        LineAndColumn(line=2, column=1)
        """
        before = self.text[:offset]
        line = before.count("\n") + 1
        return LineAndColumn(line, offset - (before.rfind("\n") + 1) + 1)

    def line_at(self, offset: int) -> tuple[str, int]:
        """The line around a code point, without its line break, and where that line starts."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return self.text[start : len(self.text) if end < 0 else end], start


# The mark of byte order with which some programs begin files.
BYTE_ORDER_MARK = "\ufeff"


def source_of_file_text(text: str, name: str) -> Source:
    """A text as it is read from a file: without a mark of byte order, lines end in one sign."""
    return Source(
        text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n"), name
    )


@lru_cache(maxsize=4096)
def cell_width(character: str) -> int:
    """How many terminal cells a character takes: 0 for combining marks, 2 for kanji, else 1.

    >>> [cell_width(c) for c in "a豹́"]
    [1, 2, 0]
    """
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


_COLOUR_CODE_PATTERN = re.compile(r"\x1b\[[\d;]*m")


def display_width(text: str) -> int:
    r"""How many terminal cells a text takes; colours take none.

    >>> display_width("豹 a"), display_width("\x1b[38;5;29mo\x1b[0m")
    (4, 1)
    """
    if "\x1b" in text:
        text = _COLOUR_CODE_PATTERN.sub("", text)
    if text.isascii():
        return len(text)
    return sum(map(cell_width, text))


def printable(text: str, encoding: str = "utf-8") -> str:
    r"""The text with what cannot be seen as a number, so that it prints on one line.

    Those are controls, marks of format and direction, lone surrogates, and what ``encoding`` has
    no sign for. A tab becomes a blank.

    >>> print(printable("a\tb\x00\u202e"), printable("1×", "ascii"))
    a b\x00\u202e 1\xd7
    """
    if not text.isprintable():
        text = "".join(map(_escape_character, text))
    if text.isascii():
        return text
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _escape_character(character: str) -> str:
    if character == "\t":
        return " "
    category = unicodedata.category(character)
    if category[0] == "C" or category in _LINE_SEPARATOR_CATEGORIES:
        return ascii(character)[1:-1]
    return character


@lru_cache(maxsize=1024)
def excerpt(text: str, longest: int) -> str:
    r"""A text on one line, with nothing unseen in it, and not too long.

    >>> print(excerpt("a\u202eb\nc", 20), excerpt("abcdef", 4))
    a\u202eb\nc abc…
    """
    text = printable(text[: longest + 1].strip())
    if display_width(text) <= longest and len(text) <= longest:
        return text
    while display_width(text) >= longest or len(text) >= longest:
        text = text[:-1]
    return f"{text}…"


def align_columns(
    rows: Sequence[Sequence[str]], widest: int | None = None, gap: str = "  "
) -> Iterator[str]:
    """Rows with their columns in line; cells wider than ``widest`` stand out of line."""
    widths = [
        max((w for w in map(display_width, column) if widest is None or w <= widest), default=0)
        for column in zip(*rows, strict=True)
    ]
    for row in rows:
        cells = (
            cell + " " * (width - display_width(cell))
            for cell, width in zip(row, widths, strict=True)
            if width or cell
        )
        yield gap.join(cells).rstrip()
