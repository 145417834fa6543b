"""Symbols of pieces from SVG files: the paths and the viewBox are taken, and nothing else.

What is kept is one text, so that a piece with such a symbol is as plain as one with a letter:
`svg 0 0 45 45|M1 1h9z|…`, numbers and letters of paths only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from alfil.diagrams.piece_figures import DRAWING_PATTERN
from alfil.library.piece_file import PieceFile
from alfil.library.statements import InvalidValue, Text
from alfil.source import Source

MAX_PATH_LENGTH = 20_000
_BLANKS = re.compile(r"[\s,]+")
# Parts of a file that are not seen where they stand.
_INVISIBLE_ELEMENTS = (
    "defs",
    "clipPath",
    "mask",
    "pattern",
    "symbol",
    "marker",
    "metadata",
    "style",
    "script",
)


def read_symbol(source: Source, target: Text) -> str:
    """The symbol in an SVG file; raises `InvalidValue` at ``target`` if there is none."""
    if "<!ENTITY" in source.text:
        raise InvalidValue("no-drawing", target.span, why="it declares entities")
    try:
        root = ElementTree.fromstring(source.text)
    except (ElementTree.ParseError, ValueError) as error:
        raise InvalidValue("no-drawing", target.span, why=f"it is no XML: {error}") from None
    paths = filter(None, (" ".join(each.split()) for each in _path_data(root)))
    box = _BLANKS.sub(" ", root.get("viewBox", "").strip())
    result = "|".join((f"svg {box}", *paths))
    if "|" not in result:
        raise InvalidValue("no-drawing", target.span, why="it has no path")
    if len(result) > MAX_PATH_LENGTH:
        raise InvalidValue(
            "no-drawing", target.span, why=f"it has more than {MAX_PATH_LENGTH:,} characters"
        )
    if not DRAWING_PATTERN.fullmatch(result):
        why = "its viewBox is not four numbers, or its paths have other signs than paths have"
        raise InvalidValue("no-drawing", target.span, why=why)
    return result


def text_with_embedded_drawings(file: PieceFile) -> str:
    """The text of a piece file that has the drawings of its symbols in itself, not in files."""
    text, own = file.source.text, [each for each in file.pieces if each.source == file.source]
    drawing = [
        (each.name_spans["symbol"], each.symbol) for each in own if "symbol" in each.name_spans
    ]
    for span, symbol in sorted(drawing, reverse=True):
        if DRAWING_PATTERN.fullmatch(symbol):
            text = f'{text[: span.start]}"{symbol}"{text[span.end :]}'
    return text


def _path_data(root: ElementTree.Element) -> Iterator[str]:
    """The data of all paths in the order in which they are drawn, however deep they stand."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        name = str(element.tag).rpartition("}")[2]
        if name == "path":
            yield element.get("d", "")
        if name not in _INVISIBLE_ELEMENTS:
            waiting += reversed(element)
