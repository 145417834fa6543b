"""The formats a picture can be had in: one line for each, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

from alfil.diagrams.picture import Picture
from alfil.diagrams.themes import DEFAULT, Theme
from alfil.errors import AlfilError, Finding, unknown_name
from alfil.source import Source, Span


class Look(NamedTuple):
    """How a picture is to look: its theme, and its width in pixels (None: as it comes)."""

    theme: Theme = DEFAULT
    size: int | None = None


class Format(NamedTuple):
    """A format: its name, the suffix of its files, and the function that makes it.

    The function is given a `Picture` and a `Look`, and returns text, or bytes where ``binary``.
    """

    name: str
    suffix: str
    function: str
    binary: bool = False


FORMATS = {
    each.name: each
    for each in (
        Format("text", ".txt", "alfil.diagrams.plain:text"),
        Format("ascii", ".ascii", "alfil.diagrams.plain:ascii_text"),
        Format("svg", ".svg", "alfil.diagrams.svg:rendered"),
        Format("png", ".png", "alfil.diagrams.png:rendered", binary=True),
        Format("html", ".html", "alfil.diagrams.html:rendered"),
        Format("wikitext", ".wiki", "alfil.diagrams.wikitext:rendered"),
        Format("json", ".json", "alfil.diagrams.data:rendered"),
    )
}
# Other names people give a format.
ALIASES = {"txt": "text", "wiki": "wikitext", "htm": "html"}
BY_SUFFIX = {each.suffix: each for each in FORMATS.values()} | {".htm": FORMATS["html"]}


def format_called(name: str) -> Format:
    """The format of that name; `AlfilError` of kind "unknown-format" when there is none.

    >>> format_called("txt").name
    'text'
    """
    name = ALIASES.get(name, name)
    if name not in FORMATS:
        unknown_name("unknown-format", name, FORMATS)
    return FORMATS[name]


def format_of(path: str) -> Format:
    """The format of a file by its suffix; `AlfilError` of kind "unknown-format" for another.

    >>> format_of("griffon.svg").name
    'svg'
    """
    suffix = suffix_of(path)
    if suffix:
        return BY_SUFFIX.get(suffix.lower()) or format_called(suffix[1:].lower())
    finding = Finding(
        "unknown-format",
        f"{path} has no suffix that names a format",
        (Span(0, len(path)),),
        f"add one of {', '.join(each.suffix for each in FORMATS.values())}",
    )
    raise AlfilError([finding], Source(path, "<file>"))


def suffix_of(path: str) -> str:
    """The end of a file's name from the last dot on, or nothing.

    >>> suffix_of("a.b/griffon.SVG"), suffix_of("a.b/griffon")
    ('.SVG', '')
    """
    dot, suffix = path.replace("\\", "/").rpartition("/")[2].rpartition(".")[1:]
    return dot + suffix if dot else ""


def rendered(picture: Picture, form: Format, look: Look) -> bytes:
    """A picture in a format, text as UTF-8."""
    made = maker(form)(picture, look)
    return made if isinstance(made, bytes) else made.encode("utf-8")


def maker(form: Format) -> Callable[[Picture, Look], str | bytes]:
    """The function that makes a format."""
    module, _, name = form.function.partition(":")
    function: Callable[[Picture, Look], str | bytes] = getattr(import_module(module), name)
    return function
