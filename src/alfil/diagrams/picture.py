"""A picture before it has a format: marks, lines, and the words around them."""

from __future__ import annotations

from typing import NamedTuple

from alfil.diagrams.lines import NO_LINES, Lines
from alfil.diagrams.marks import Marks
from alfil.meaning.piece import Meaning
from alfil.source import display_width, printable

# Longer names and notations are cut, so that a picture stays a picture.
LONGEST_LABEL = 60
LONGEST_NOTATION = 200
LONGEST_DESCRIPTION = 1_000


class Picture(NamedTuple):
    """All that a format needs to draw one piece.

    ``label`` is what people call the piece, or empty; ``notation`` its notation. ``description``
    says in words what it does, for those who do not see the picture. ``token`` is SVG for the
    piece itself, around (0, 0) and about 36 units high, in place of the plain one. ``meaning`` is
    what the marks were made from, for formats that show more than one position. ``note`` is what
    must be said of the piece wherever it is shown, ``status`` how its move is known.
    """

    marks: Marks
    lines: Lines = NO_LINES
    notation: str = ""
    label: str = ""
    description: str = ""
    token: str = ""
    meaning: Meaning | None = None
    note: str = ""
    status: str = ""

    @property
    def title(self) -> str:
        """The name of the picture: that of the piece, and its notation."""
        label, notation = shown(self.label, LONGEST_LABEL), shown(self.notation, LONGEST_NOTATION)
        return f"{label}: {notation}" if label and notation else label or notation


def shown(text: str, longest: int) -> str:
    r"""A text as it may stand in a picture: on one line, nothing unseen in it, and not too long.

    >>> print(shown("a\u202eb\nc", 20), shown("abcdef", 4))
    a\u202eb\nc abc…
    """
    text = printable(text[: longest + 1].strip())
    if display_width(text) <= longest and len(text) <= longest:
        return text
    while display_width(text) >= longest or len(text) >= longest:
        text = text[:-1]
    return f"{text}…"
