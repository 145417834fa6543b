"""The syntax tree: what was written, whatever the notation.

Faithful, not canonical: `K` and `WF` are different trees. Every node carries the span it was read
from; spans take no part in equality. The reader of each notation builds this tree, its writer
prints it, and only its `resolve` turns it into a movement. The terms of a notation are a closed
union in a module of its own folder, ``nodes``, and are imported only with the notation.

Vectors are (dx, dy), forward is +y and right is +x, both seen by the mover. Turns are counted in
eighths of a circle, clockwise, from the way the piece has just travelled (0 straight on, 2 right).
"""

from __future__ import annotations

from typing import Protocol

from alfil.frozen_dataclasses import dataclass
from alfil.source import Span, span_field

# The notation of a text where none is named.
DEFAULT_NOTATION = "betza"


class Term(Protocol):
    """A node of any notation: all that is known of it here is where it was read."""

    @property
    def span(self) -> Span:
        """The characters it was read from."""
        ...


@dataclass(frozen=True, slots=True)
class Description:
    """A whole piece: the union of its terms. No terms: a piece without moves.

    ``notation`` is the name of the folder it was read by.
    """

    terms: tuple[Term, ...]
    notation: str
    dialect: str = ""
    span: Span = span_field()
