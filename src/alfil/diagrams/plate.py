"""A board or a sheet as a finished picture, in the formats people use."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from alfil.diagrams.board_svg import board_svg
from alfil.diagrams.board_text import board_text
from alfil.diagrams.boards import Board
from alfil.diagrams.formats import ALIASES, FORMATS, format_of
from alfil.diagrams.pieces import escaped
from alfil.diagrams.plain import in_ascii
from alfil.diagrams.plate_data import plate_as_json
from alfil.diagrams.png import rasterised
from alfil.diagrams.sheet import Sheet
from alfil.diagrams.sheet_svg import sheet_svg
from alfil.diagrams.sheet_text import sheet_text
from alfil.diagrams.text import Style
from alfil.diagrams.themes import DEFAULT, Theme, theme_called
from alfil.errors import AlfilError, Finding, unknown_name
from alfil.saving import save
from alfil.source import Source, Span

# The formats of boards and sheets, with the suffixes of their files.
SUFFIXES = {
    "text": ".txt",
    "ascii": ".ascii",
    "svg": ".svg",
    "png": ".png",
    "html": ".html",
    "json": ".json",
}
# A PNG has twice the pixels the SVG has units, up to about so many in all.
MOST_PIXELS = 40_000_000
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')
PAGE = (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
    "<style>body{{margin:0}}svg{{display:block;max-width:100%;height:auto;margin:auto}}"
    "@media screen and (prefers-color-scheme:dark){{body{{background:{night}}}}}</style>\n"
    "</head>\n<body>\n{svg}</body>\n</html>\n"
)


@dataclass(frozen=True)
class Plate:
    """A picture of a board or of a sheet of pieces; notebooks show it as SVG.

    ``str`` of it is text. ``columns`` is how many pieces a row of a sheet has room for, None for
    as many as look well.

    >>> print(Plate(Board(2, 1, ())))
      2  1
    +------+
    | .  . | a
    +------+
    """

    subject: Board | Sheet
    theme: Theme = DEFAULT
    columns: int | None = None

    def __str__(self) -> str:
        if isinstance(self.subject, Board):
            return board_text(self.subject)
        return sheet_text(self.subject).rstrip("\n")

    def _repr_svg_(self) -> str:
        return self.svg()

    def ascii(self) -> str:
        """The picture in ASCII."""
        if isinstance(self.subject, Board):
            return in_ascii(board_text(self.subject, times="*") + "\n")
        return sheet_text(self.subject, Style(ascii=True))

    def svg(self, theme: str | None = None, size: int | None = None) -> str:
        """The picture as SVG, so many pixels wide, in another theme than its own if given."""
        colours = theme_called(theme) if theme else self.theme
        if isinstance(self.subject, Board):
            return board_svg(self.subject, colours, size)
        return sheet_svg(self.subject, colours, size, self.columns)

    def render(self, form: str, *, theme: str | None = None, size: int | None = None) -> bytes:
        """The picture in a format by name, text as UTF-8; ``size`` is its width in pixels.

        Formats are text, ascii, svg, png, html and json. Raises `AlfilError` for another format, an
        unknown theme, and for PNG without the extra ``png``.

        >>> Plate(Board(2, 1, ())).render("html")[:15]
        b'<!DOCTYPE html>'
        """
        match format_name(form):
            case "png":
                document = self.svg(theme)
                return rasterised(document, size or _bearable(document))
            case "html":
                return self._page(theme, size).encode("utf-8")
            case "svg":
                return self.svg(theme, size).encode("utf-8")
            case "json":
                return plate_as_json(self.subject).encode("utf-8")
            case "ascii":
                return self.ascii().encode("ascii")
            case _:
                return f"{self}\n".encode()

    def save(self, path: str | os.PathLike[str], *, theme: str | None = None) -> None:
        """Write the picture to a file, in the format that its suffix names.

        A file that is there already is replaced only when the new one is complete. Raises
        `AlfilError` for an unknown suffix and for a folder that cannot be written.
        """
        form = format_name(format_of(os.fspath(path)).name)
        save({os.fspath(path): self.render(form, theme=theme)})

    def _page(self, theme: str | None, size: int | None) -> str:
        """One page that needs nothing else."""
        colours = theme_called(theme) if theme else self.theme
        night = (colours.night or colours).paper
        return PAGE.format(
            title=escaped(self.subject.heading), svg=self.svg(theme, size), night=night
        )


def _bearable(document: str) -> int | None:
    """The width for a PNG of a picture so large that twice its size would be too much."""
    size = _SIZE.search(document)
    wide, high = (float(each) for each in size.groups()) if size else (1.0, 1.0)
    if 4 * wide * high <= MOST_PIXELS:
        return None
    return max(1, int((MOST_PIXELS * wide / high) ** 0.5))


def format_name(name: str) -> str:
    """The name of a format of boards and sheets.

    Raises `AlfilError` of kind "unknown-format", or "one-piece-format" for one that only diagrams
    of single pieces come in.

    >>> format_name("TXT")
    'text'
    """
    known = ALIASES.get(name.lower(), name.lower())
    if known in FORMATS and known not in SUFFIXES:
        finding = Finding(
            "one-piece-format",
            f"{known} is for the diagram of one piece, not for boards and sheets",
            (Span(0, len(name)),),
            f"draw a single piece, or take one of {', '.join(SUFFIXES)}",
        )
        raise AlfilError([finding], Source(name, "<format>"))
    if known not in SUFFIXES:
        unknown_name("unknown-format", name, SUFFIXES)
    return known
