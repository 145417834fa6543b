"""Places in a text as editors count them."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from lsprotocol import types

from alfil.source import BYTE_ORDER_MARK, Source, Span, source_of_file_text

# Bytes of the encoding in which editors count, and in one of their units.
_UNITS = {
    types.PositionEncodingKind.Utf8: ("utf-8", 1),
    types.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    types.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}


class PositionConverter:
    """Converts between code points of a source and the lines and columns of an editor.

    The source has neither a mark of byte order nor carriage returns, the text of the editor may.
    A position outside the text is moved to the nearest place in it.

    >>> positions = PositionConverter("x\\r\\n🐎Ħ", "<text>", types.PositionEncodingKind.Utf16)
    >>> positions.position(4), positions.offset(types.Position(1, 3))
    (1:3, 4)
    """

    def __init__(self, text: str, name: str, encoding: types.PositionEncodingKind | str) -> None:
        self.source: Source = source_of_file_text(text, name)
        self._mark = text.startswith(BYTE_ORDER_MARK)
        self._encoding, self._unit = _UNITS[types.PositionEncodingKind(encoding)]
        self.lines = self.source.text.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in self.lines)]

    def position(self, offset: int) -> types.Position:
        """The place of a code point."""
        offset = max(0, min(offset, len(self.source.text)))
        line = bisect_right(self._starts, offset) - 1
        before = self.lines[line][: offset - self._starts[line]]
        return types.Position(line, self._width_in_code_units(before) + (self._mark and line == 0))

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        return types.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: types.Position) -> int:
        """The code point at a place."""
        if position.line >= len(self.lines):
            return len(self.source.text)
        line = self.lines[position.line]
        units = position.character - (self._mark and position.line == 0)
        encoded = line.encode(self._encoding, "surrogatepass")[: max(units, 0) * self._unit]
        # Half of a character that takes two units is left out.
        return self._starts[position.line] + len(encoded.decode(self._encoding, "ignore"))

    def end(self) -> types.Position:
        """The end of the text."""
        return self.position(len(self.source.text))

    def _width_in_code_units(self, text: str) -> int:
        if text.isascii():
            return len(text)
        return len(text.encode(self._encoding, "surrogatepass")) // self._unit
