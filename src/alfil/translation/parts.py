"""What a translation says of each part: the terms it became, or why there are none."""

from __future__ import annotations

from dataclasses import dataclass

from alfil.errors import AlfilError, Finding
from alfil.meaning.compile import meaning_of as compiled
from alfil.meaning.piece import Meaning
from alfil.notation.nodes import Description, Term
from alfil.notation.registry import movement_of
from alfil.source import Source


def meaning_of(tree: Description, source: Source) -> Meaning:
    """The meaning of a tree, whatever its notation."""
    return compiled(movement_of(tree), source)


class TranslationLoss(AlfilError):
    """The other notation cannot say all of it; ``findings`` has every loss."""


@dataclass(frozen=True, slots=True)
class Said:
    """Some terms of a description and what they are in the other notation.

    ``given`` are the terms translated together, most often one. ``terms`` is what they became, or
    None where the other notation has no form for them; then ``losses`` says why.
    """

    given: tuple[Term, ...]
    terms: tuple[Term, ...] | None
    losses: tuple[Finding, ...] = ()
