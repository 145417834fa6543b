"""Pieces of the bundled sets by name: `alfil.find`."""

from __future__ import annotations

from typing import NamedTuple

from alfil.errors import Finding, UnknownPiece, nearest
from alfil.library.files import SUFFIX, bundled_names
from alfil.library.library import Library, load
from alfil.library.model import Entry
from alfil.source import Source, Span

# The set whose names are meant where several sets have one; the others follow by the alphabet.
FIRST = ("fairy", "chess", "shogi")


class Named(NamedTuple):
    """A piece that was found by name, and the set it is in."""

    library: Library
    entry: Entry


def find(name: str) -> Entry:
    """A piece of the bundled sets by its name, in any case; ``SET:CODE`` names one in a set.

    A piece file of one's own may stand before the colon: ``my.pieces:N``. Where several sets have
    the name, the first of fairy, chess, shogi and then the alphabet has it. Raises `UnknownPiece`
    with the names that are near.

    >>> find("hand_shogi:SH").name, find("PARD").code
    ('shogun', 'PD')
    """
    return lookup(name).entry


def lookup(name: str) -> Named:
    """A piece by name, and the library it was found in."""
    given, _, code = name.rpartition(":")
    if given and (given in bundled_names() or given.endswith(SUFFIX)):
        library = load(given)
        return Named(library, library[code])
    for chosen in _in_order():
        library = load(chosen)
        entry = library.named(name)
        if entry:
            return Named(library, entry)
    finding = Finding(
        "unknown-piece", f"no piece is called {name}", (Span(0, len(name)),), near(name)
    )
    raise UnknownPiece([finding], Source(name, "<name>"))


def near(name: str) -> str:
    """A hint with the name of a bundled piece that is most like this one."""
    names = [
        each for chosen in _in_order() for entry in load(chosen).pieces for each in entry.names
    ]
    found = nearest(name.casefold(), names)
    return found if found.startswith("did") else "alfil pieces lists the names"


def _in_order() -> list[str]:
    return sorted(bundled_names(), key=lambda name: (name not in FIRST, _rank(name), name))


def _rank(name: str) -> int:
    return FIRST.index(name) if name in FIRST else len(FIRST)
