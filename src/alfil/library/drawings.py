"""Symbols of pieces from SVG files: the paths and the viewBox are taken, and nothing else.

What is kept is one text, so that a piece with such a symbol is as plain as one with a letter:
`svg 0 0 45 45|M1 1h9z|…`, numbers and letters of paths only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from alfil.diagrams.pieces import DRAWING
from alfil.library.model import PieceFile
from alfil.library.nodes import Text, Wrong
from alfil.source import Source

LONGEST = 20_000
_BLANKS = re.compile(r"[\s,]+")
# Parts of a file that are not seen where they stand.
_UNSEEN = ("defs", "clipPath", "mask", "pattern", "symbol", "marker", "metadata", "style", "script")


def drawing_in(source: Source, target: Text) -> str:
    """The symbol that an SVG file draws; `Wrong` at ``target`` where it has none, or is no SVG."""
    if "<!ENTITY" in source.text:
        raise Wrong("no-drawing", target.span, why="it declares entities")
    try:
        root = ElementTree.fromstring(source.text)
    except (ElementTree.ParseError, ValueError) as error:
        raise Wrong("no-drawing", target.span, why=f"it is no XML: {error}") from None
    paths = filter(None, (" ".join(each.split()) for each in _paths(root)))
    box = _BLANKS.sub(" ", root.get("viewBox", "").strip())
    found = "|".join((f"svg {box}", *paths))
    if "|" not in found:
        raise Wrong("no-drawing", target.span, why="it has no path")
    if len(found) > LONGEST:
        raise Wrong("no-drawing", target.span, why=f"it has more than {LONGEST:,} characters")
    if not DRAWING.fullmatch(found):
        why = "its viewBox is not four numbers, or its paths have other signs than paths have"
        raise Wrong("no-drawing", target.span, why=why)
    return found


def with_drawings(file: PieceFile) -> str:
    """The text of a piece file that has the drawings of its symbols in itself, not in files."""
    text, own = file.source.text, [each for each in file.pieces if each.source == file.source]
    drawn = [(each.places["symbol"], each.symbol) for each in own if "symbol" in each.places]
    for span, symbol in sorted(drawn, reverse=True):
        if DRAWING.fullmatch(symbol):
            text = f'{text[: span.start]}"{symbol}"{text[span.end :]}'
    return text


def _paths(root: ElementTree.Element) -> Iterator[str]:
    """The data of all paths in the order in which they are drawn, however deep they stand."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        name = str(element.tag).rpartition("}")[2]
        if name == "path":
            yield element.get("d", "")
        if name not in _UNSEEN:
            waiting += reversed(element)
