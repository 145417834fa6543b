"""A finished picture of a piece, a board or a sheet, and the formats it can be had in."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import NamedTuple

from alfil.atomic_files import save_files
from alfil.diagrams.diagram_model import Diagram, Subject
from alfil.diagrams.themes import DEFAULT, Theme, theme_by_name
from alfil.errors import AlfilError, reject, reject_unknown_name, require_type
from alfil.garbage_collection import without_garbage_collection
from alfil.source import Source

# How many pixels wide a picture may be asked for.
PIXEL_WIDTHS = range(16, 8193)
# A piece in the templates of Wikipedia: its letter and its side, light or dark.
TEMPLATE_CODE = re.compile("[A-Za-z][ld]")


class PictureLook(NamedTuple):
    """How a picture is to look: its theme, and its width in pixels (None: as it comes).

    ``sentence`` is whether the picture of a piece says how it moves, ``legend`` whether signs are
    explained, None for where the sentence does not do. A ``transparent`` one has no background;
    ``code`` is what a template calls the piece.
    """

    theme: Theme = DEFAULT
    size: int | None = None
    sentence: bool = True
    legend: bool | None = None
    transparent: bool = False
    code: str = ""


class PictureFormat(NamedTuple):
    """A format: its name, the suffix of its files, and the function that makes it.

    The function is given what the picture is of and a `PictureLook`, and returns text, or bytes
    where ``binary``. It is loaded when it is asked for. Some formats are ``for_pieces`` only.
    """

    name: str
    suffix: str
    function: str
    binary: bool = False
    for_pieces: bool = False

    def render(self, subject: Subject, look: PictureLook) -> str | bytes:
        """A picture in this format."""
        return _render_function(self.function)(subject, look)


@cache
def _render_function(function: str) -> Callable[[Subject, PictureLook], str | bytes]:
    module, _, name = function.partition(":")
    make: Callable[[Subject, PictureLook], str | bytes] = getattr(import_module(module), name)
    return make


# A new format is a line here and the module that it names.
PICTURE_FORMATS = {
    each.name: each
    for each in (
        PictureFormat("text", ".txt", "alfil.diagrams.text_rendering:rendered"),
        PictureFormat("ascii", ".ascii", "alfil.diagrams.text_rendering:render_ascii"),
        PictureFormat("svg", ".svg", "alfil.diagrams.svg_document:rendered"),
        PictureFormat("png", ".png", "alfil.diagrams.svg_document:render_png", binary=True),
        PictureFormat("html", ".html", "alfil.diagrams.html_page:rendered"),
        PictureFormat("wikitext", ".wiki", "alfil.diagrams.wikitext:rendered", for_pieces=True),
        PictureFormat(
            "wikitable", ".table", "alfil.diagrams.wikitext:render_shogi_table", for_pieces=True
        ),
        PictureFormat("json", ".json", "alfil.diagrams.json_data:rendered"),
    )
}
# Other names people give a format.
FORMAT_ALIASES = {"txt": "text", "wiki": "wikitext", "htm": "html"}
FORMAT_BY_SUFFIX = {each.suffix: each for each in PICTURE_FORMATS.values()} | {
    ".htm": PICTURE_FORMATS["html"]
}


@dataclass(frozen=True)
class Picture:
    """A picture of a piece's moves, a board or a sheet of pieces; notebooks show it as SVG.

    ``str`` of it is its text, without the last line end.

    >>> from alfil import draw
    >>> print(str(draw("fW")).splitlines()[2:5])
    ['  · · · · ·', '  · · ● · ·', '  · · @ · ·']
    """

    subject: Subject
    theme: Theme = DEFAULT

    def __str__(self) -> str:
        return self.text().removesuffix("\n")

    def _repr_svg_(self) -> str:
        return self.svg()

    def text(self) -> str:
        """The picture as text."""
        return str(self._render_in_format("text", PictureLook(self.theme)))

    def ascii(self) -> str:
        """The picture in ASCII."""
        return str(self._render_in_format("ascii", PictureLook(self.theme)))

    def svg(
        self,
        theme: str | None = None,
        size: int | None = None,
        *,
        sentence: bool = True,
        legend: bool | None = None,
        transparent: bool = False,
    ) -> str:
        """The picture as SVG, so many pixels wide, in another theme than its own if given.

        ``sentence``, ``legend`` and ``transparent`` as in `render`.
        """
        colours, size = self._colours_and_size(theme, size)
        look = PictureLook(colours, size, sentence, legend, transparent)
        return str(self._render_in_format("svg", look))

    def render(
        self,
        form: str,
        *,
        theme: str | None = None,
        size: int | None = None,
        sentence: bool = True,
        legend: bool | None = None,
        transparent: bool = False,
        code: str = "",
    ) -> bytes:
        """The picture in a format by name, text as UTF-8; ``size`` is its width, 16 to 8192 pixels.

        In words it says how the piece moves, unless ``sentence`` is false; and signs are explained
        where there are several, always if ``legend`` is true, never if it is false. That makes no
        difference to JSON, and pages of a wiki always explain signs.
        SVG and PNG that are ``transparent`` have no background. ``code`` is the code of the piece
        in Wikipedia's chess diagrams, such as "nl" for a white knight.

        Raises `AlfilError` for an unknown format or theme, for another size or code, for PNG
        without the extra ``png``, and for a board or a sheet in a format for single pieces.

        >>> from alfil import draw
        >>> draw("N").render("svg")[:4]
        b'<svg'
        """
        require_type(form, str, "a format is named by a text")
        if code and not TEMPLATE_CODE.fullmatch(code):
            message = f"{code} is no code of a piece in chess diagrams"
            hint = "write a letter, then l for White or d for Black, as in nl"
            reject(AlfilError, "template-code", message, Source(code, "<code>"), hint=hint)
        colours, size = self._colours_and_size(theme, size)
        look = PictureLook(colours, size, sentence, legend, transparent, code)
        made = self._render_in_format(form, look)
        return made if isinstance(made, bytes) else made.encode("utf-8")

    def _colours_and_size(self, theme: str | None, size: int | None) -> tuple[Theme, int | None]:
        colours = theme_by_name(theme) if theme else self.theme
        if size is not None and size not in PIXEL_WIDTHS:
            message = (
                f"a picture is {PIXEL_WIDTHS[0]} to {PIXEL_WIDTHS[-1]} pixels wide, not {size}"
            )
            reject(AlfilError, "picture-size", message, Source(str(size), "<size>"))
        return colours, size

    @without_garbage_collection
    def _render_in_format(self, form: str, look: PictureLook) -> str | bytes:
        return self._format_for_subject(form).render(self.subject, look)

    def save(self, path: str | os.PathLike[str], *, theme: str | None = None) -> None:
        """Write the picture to a file, in the format that its suffix names.

        A file that is there already is replaced only when the new one is complete. Raises
        `AlfilError` for an unknown suffix and for a folder that cannot be written.
        """
        save_files(
            {os.fspath(path): self.render(format_by_suffix(os.fspath(path)).name, theme=theme)}
        )

    def _format_for_subject(self, name: str) -> PictureFormat:
        form = format_by_name(name)
        if form.for_pieces and not isinstance(self.subject, Diagram):
            message = f"{form.name} is for the diagram of one piece, not for boards and sheets"
            others = ", ".join(
                each.name for each in PICTURE_FORMATS.values() if not each.for_pieces
            )
            hint = f"draw a single piece, or take one of {others}"
            reject(AlfilError, "one-piece-format", message, Source(name, "<format>"), hint=hint)
        return form


def format_by_name(name: str) -> PictureFormat:
    """The format of that name; `AlfilError` of kind "unknown-format" when there is none.

    >>> format_by_name("TXT").name
    'text'
    """
    known = FORMAT_ALIASES.get(name.lower(), name.lower())
    if known not in PICTURE_FORMATS:
        reject_unknown_name("unknown-format", name, PICTURE_FORMATS)
    return PICTURE_FORMATS[known]


def format_by_suffix(path: str) -> PictureFormat:
    """The format of a file by its suffix; `AlfilError` of kind "unknown-format" for another.

    >>> format_by_suffix("griffon.svg").name
    'svg'
    """
    suffix = suffix_of(path)
    if not suffix:
        message = f"{path} has no suffix that names a format"
        hint = f"add one of {', '.join(each.suffix for each in PICTURE_FORMATS.values())}"
        reject(AlfilError, "unknown-format", message, Source(path, "<file>"), hint=hint)
    return FORMAT_BY_SUFFIX.get(suffix.lower()) or format_by_name(suffix[1:].lower())


def suffix_of(path: str) -> str:
    """The end of a file's name from the last dot on, or nothing.

    >>> suffix_of("a.b/griffon.SVG"), suffix_of("a.b/griffon")
    ('.SVG', '')
    """
    dot, suffix = path.replace("\\", "/").rpartition("/")[2].rpartition(".")[1:]
    return dot + suffix if dot else ""
