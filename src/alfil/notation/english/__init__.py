"""A description in plain English: `describe_tree`.

Only the tree is looked at; the tests let its meaning judge the words. Squares a piece runs over are
empty, and it moves or captures an enemy where it ends, unless the words say otherwise.
"""

from __future__ import annotations

from alfil.notation.english.routes import sentences
from alfil.notation.nodes import Description

NO_MOVES = "Has no moves."


def describe_tree(description: Description) -> str:
    """The description in sentences; directions are those of the mover.

    >>> from alfil.notation.betza.reader import read_betza
    >>> from alfil.source import Source
    >>> describe_tree(read_betza(Source("BN"))[0])
    'Slides any distance diagonally; leaps as a knight (two squares one way and one the other).'
    """
    if description.notation == "betza":
        from alfil.notation.english.betza import betza_parts

        return " ".join(sentences(betza_parts(description))) or NO_MOVES
    from alfil.notation.english.hasinu import hasinu_parts

    return " ".join(sentences(hasinu_parts(description))) or NO_MOVES
