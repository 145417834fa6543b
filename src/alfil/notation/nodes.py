"""The syntax tree: what was written, in either notation.

Faithful, not canonical: `K` and `WF` are different trees. Every node carries the span it was read
from; spans take no part in equality. Both readers build this tree, all writers walk it, and only
its notation's `resolve` turns it into a movement. The terms of each notation have a module of
their own, `alfil.notation.betza.nodes` and `alfil.notation.hasinu.nodes`, and are imported only
with their notation.

Vectors are (dx, dy), forward is +y and right is +x, both seen by the mover. Turns are counted in
eighths of a circle, clockwise, from the way the piece has just travelled (0 straight on, 2 right).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from alfil.source import Span, span_field

if TYPE_CHECKING:
    from alfil.notation.betza.nodes import BetzaTerm
    from alfil.notation.hasinu.nodes import HasinuTerm
    from alfil.notation.parlett.nodes import ParlettTerm

    Term: TypeAlias = BetzaTerm | HasinuTerm | ParlettTerm
else:
    # Only annotations need the union, so nothing is imported for it when the program runs.
    Term: TypeAlias = object


@dataclass(frozen=True, slots=True)
class Description:
    """A whole piece: the union of its terms. No terms: a piece without moves."""

    terms: tuple[Term, ...]
    notation: Literal["betza", "hasinu", "parlett"]
    dialect: str = ""
    span: Span = span_field()
