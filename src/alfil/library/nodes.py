"""What a line of a piece file says, as it was written: the faithful tree.

Spans count from the start of the file. Nothing here is checked: a key may not exist, a word may
make no sense where it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from alfil.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Text:
    """A word or a quoted text; ``value`` is what is meant, without quotes, ``span`` has them."""

    value: str
    span: Span = NOWHERE
    quoted: bool = False

    def place(self, inner: Span) -> Span:
        """Where a stretch of ``value`` stands in the file; a doubled quote takes two places."""
        return Span(self._offset(inner.start), max(self._offset(inner.end), self.span.start + 1))

    def _offset(self, inner: int) -> int:
        start = self.span.start + self.quoted
        return start + inner + (self.value.count('"', 0, inner) if self.quoted else 0)


@dataclass(frozen=True, slots=True)
class Field:
    """``key=value``."""

    key: Text
    value: Text


Item: TypeAlias = Field | Text


@dataclass(frozen=True, slots=True)
class Game:
    """The title of the game."""

    title: Text


@dataclass(frozen=True, slots=True)
class Board:
    """The size of the board, as ``9x9``."""

    size: Text


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone of the board and how large it is."""

    name: Text
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule and the words of its value."""

    name: Text
    words: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class PieceLine:
    """A piece: code, name, fields and flags."""

    code: Text
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """The head of a drawn set-up; its rows follow on their own lines."""

    options: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One rank of a set-up, from the left."""

    cells: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """Pieces in hand at the start, perhaps after the name of the side."""

    words: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Include:
    """Pieces from another file or bundled set."""

    target: Text
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class ConstraintLine:
    """A condition on pieces that is checked and reported: number, predicate, what it is about."""

    number: Text
    predicate: Text
    items: tuple[Item, ...]


Statement: TypeAlias = (
    Game | Board | Zone | Rule | PieceLine | Setup | Row | Hand | Include | ConstraintLine
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line: what it says, if anything, and the comment at its end with its sign."""

    statement: Statement | None
    comment: str = ""
    span: Span = NOWHERE
