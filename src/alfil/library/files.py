"""Where piece files are: the bundled sets, a file that was named, and what it may include."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Literal

from alfil.errors import PieceFileError, cannot_read, decoded, nearest, refuse
from alfil.frozen import dataclass
from alfil.grammars import data_names, read_data
from alfil.source import Source, Span

if TYPE_CHECKING:
    from alfil.library.nodes import Text

SUFFIX = ".pieces"
FOLDER = "pieces"
# No character of UTF-8 has more bytes.
WIDEST = 4


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece file was found.

    ``name`` is the set's name or the file's without suffix. ``path`` is that of a file; ``root`` is
    the folder that nothing it includes may leave.
    """

    name: str
    source: Source
    origin: Literal["set", "file", "text"]
    path: str = ""
    root: str = ""

    @property
    def key(self) -> str:
        """What tells this file from all others."""
        return self.path or f"<{self.name}>"


@cache
def bundled_names() -> tuple[str, ...]:
    """The names of the bundled sets, in the order of the alphabet."""
    names = data_names(FOLDER)
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)))


def find(name: str | os.PathLike[str]) -> Place:
    """The file of that name: a path that ends in .pieces or has a folder in it, else a bundled set.

    Raises `PieceFileError` where there is none, or where it is no text in UTF-8.
    """
    given = os.fsdecode(name)
    if not isinstance(name, str) or given.endswith(SUFFIX) or os.sep in given:
        return _named(given)
    if given not in bundled_names():
        hint = f"{nearest(given, bundled_names())}; a file ends in {SUFFIX}"
        message = f"no set of pieces is called {given}"
        refuse(PieceFileError, "unknown-set", message, Source(given, "<set>"), hint=hint)
    return bundled(given)


@cache
def bundled(name: str) -> Place:
    """A bundled set."""
    return Place(name, Source(read_data(FOLDER, name + SUFFIX), name + SUFFIX), "set")


def opened(path: str) -> Source:
    """The text of a file; raises `PieceFileError` where it cannot be read."""
    try:
        return _read(path, path)
    except PieceFileError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null byte
        refuse(PieceFileError, "cannot-read", cannot_read(path, error), Source(path, path))


def _named(path: str) -> Place:
    source = opened(path)
    real = os.path.realpath(path)
    return Place(_stem(path), source, "file", real, os.path.dirname(real))


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)


def _no_file(path: str) -> str:
    if os.path.isdir(path):
        return "it is a folder"
    return "it is no plain file" if os.path.exists(path) else "there is no such file"


def _read(path: str, name: str) -> Source:
    """The text of a file; a mark of byte order is left out, lines end in one sign."""
    if not os.path.isfile(path):
        raise OSError(0, _no_file(path))
    from alfil.library.nodes import CHARACTER_LIMIT

    with open(path, "rb") as file:
        raw = file.read(WIDEST * CHARACTER_LIMIT + 1)
    if len(raw) > WIDEST * CHARACTER_LIMIT:
        message = f"a file has up to {CHARACTER_LIMIT:,} characters"
        hint = "put the pieces in several files"
        refuse(PieceFileError, "too-long", message, Source("", name), Span(0, 1), hint)
    return decoded(raw, name, PieceFileError)


def included(target: Text, here: Place) -> Place:
    """The file that an include names; `Wrong` where it is not allowed or cannot be read."""
    from alfil.library.nodes import Wrong

    given = target.value
    if not given.endswith(SUFFIX) or here.origin == "set":
        name = given.removesuffix(SUFFIX)
        if name not in bundled_names():
            near = nearest(name, bundled_names())
            raise Wrong("no-such-set", target.span, name=name, near=near, suffix=SUFFIX)
        return bundled(name)
    real, source = beside(target, here)
    return Place(_stem(given), source, "file", real, here.root)


def beside(target: Text, here: Place) -> tuple[str, Source]:
    """The path and the text of a file in the folder of a piece file, or in one below it.

    `Wrong` where it is elsewhere, or cannot be read.
    """
    from alfil.library.nodes import Wrong

    given = target.value
    parts = given.replace("\\", "/").split("/")
    if here.origin != "file":
        raise Wrong("no-folder", target.span)
    if os.path.isabs(given) or ":" in given or "\\" in given or ".." in parts or "" in parts:
        raise Wrong("outside", target.span, file=given)
    path = os.path.join(os.path.dirname(here.path), *parts)
    try:
        real = os.path.realpath(path)
        if os.path.commonpath([real, here.root]) != here.root:
            raise Wrong("outside", target.span, file=given)
        source = _read(real, os.path.join(os.path.dirname(here.source.name), *parts))
    except PieceFileError:
        raise
    except (OSError, ValueError) as error:
        raise Wrong("no-file", target.span, why=cannot_read(given, error)) from None
    return real, source
