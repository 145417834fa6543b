"""A sheet of pieces as text: every piece with its diagram, promoted forms beside their pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from alfil.diagrams.plain import in_ascii
from alfil.diagrams.sheet import Card, Sheet
from alfil.diagrams.text import ARROWS, PLAIN, Style, notes
from alfil.diagrams.text_board import picture
from alfil.source import display_width, printable

COLUMNS = 36
LONGEST = 200
BETWEEN = "  →  "


def sheet_text(sheet: Sheet, style: Style = PLAIN) -> str:
    """A sheet as text, one group of cards below another and one legend at the end."""
    blocks = [printable(sheet.title[:LONGEST])] if sheet.title else []
    blocks += ["\n".join(_beside(group, style)) for group in sheet.groups]
    blocks.append("\n".join(_legend(sheet, style)))
    text = "\n\n".join(block for block in blocks if block) + "\n"
    return in_ascii(text) if style.ascii else text


def _beside(group: Iterable[Card], style: Style) -> Iterator[str]:
    """The cards of a group as lines side by side."""
    columns = [list(_card(card, style)) for card in group]
    widths = [max(map(display_width, lines)) for lines in columns]
    for number, row in enumerate(zip_longest(*columns, fillvalue="")):
        gap = BETWEEN if number == 0 else " " * display_width(BETWEEN)
        padded = [
            text + " " * (width - display_width(text))
            for text, width in zip(row, widths, strict=True)
        ]
        yield gap.join(padded).rstrip()


def _card(card: Card, style: Style) -> Iterator[str]:
    token = card.token
    heading = (token.code, token.kanji or token.symbol, token.name)
    yield from _folded(" ".join(dict.fromkeys(each for each in heading if each)))
    yield from picture(card.picture.marks, style).splitlines()
    for text in (*card.notations, *card.remarks, *notes(card.picture.marks)):
        yield from _folded(text, "  ")
    if card.note:
        yield from _folded(f"Note: {card.note}", "  ")


def _folded(text: str, indent: str = "") -> Iterator[str]:
    """A text as lines of at most `COLUMNS` columns; longer words stand alone."""
    line = ""
    for word in printable(text[:LONGEST]).split():
        longer = f"{line} {word}" if line else word
        if line and display_width(longer) > COLUMNS - len(indent):
            yield indent + line
            longer = word
        line = longer
    yield indent + line


def _legend(sheet: Sheet, style: Style) -> Iterator[str]:
    for sign, words, arrow in sheet.legend():
        shown = ARROWS[style.ascii][arrow] if arrow >= 0 else style.sign(sign)
        yield f"  {style.painted(shown, sign)}  {words}"
    if sheet.slides():
        yield "  Squares that a piece slides over must be empty."
