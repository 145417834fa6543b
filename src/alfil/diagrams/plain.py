"""Pictures as text, with all that there is to say about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from alfil.diagrams.picture import LONGEST_LABEL, LONGEST_NOTATION, Picture, shown
from alfil.diagrams.text import Style
from alfil.diagrams.text_board import text_diagram

if TYPE_CHECKING:
    from alfil.diagrams.formats import Look

COLUMNS = 80
INDENT = "  "
PLAIN_SIGNS = str.maketrans({"°": " degrees", "“": '"', "”": '"', "…": "...", "→": "->"})


def text(picture: Picture, look: Look | None = None) -> str:
    """A picture as text: name, notation, diagram, legend, and its description."""
    del look
    return drawn(picture, Style())


def ascii_text(picture: Picture, look: Look | None = None) -> str:
    """A picture in ASCII; other characters of the words stand there as numbers."""
    del look
    return in_ascii(drawn(picture, Style(ascii=True)))


def in_ascii(text: str) -> str:
    """A text with signs that have a plain form in that form, and others as numbers."""
    return text.translate(PLAIN_SIGNS).encode("ascii", "backslashreplace").decode("ascii")


def drawn(picture: Picture, style: Style) -> str:
    """A picture as text in a style."""
    label = shown(picture.label, LONGEST_LABEL)
    notation = shown(picture.notation, LONGEST_NOTATION)
    blocks = [
        "\n".join(each for each in (label, notation) if each),
        text_diagram(picture.marks, style),
        "\n".join(_lines(picture.description)),
    ]
    return "\n\n".join(each for each in blocks if each) + "\n"


def _lines(text: str) -> Iterator[str]:
    """A text as lines of at most `COLUMNS` columns, indented; words are never broken."""
    line = ""
    for word in text.split():
        if line and len(line) + len(word) >= COLUMNS - len(INDENT):
            yield INDENT + line
            line = ""
        line = f"{line} {word}" if line else word
    if line:
        yield INDENT + line
