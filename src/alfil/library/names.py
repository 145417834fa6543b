"""Pieces of the bundled sets by name: `alfil.find`."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from alfil.api import same
from alfil.errors import Finding, MeaningError, UnknownPiece, nearest
from alfil.library.files import SUFFIX, bundled_names
from alfil.library.library import Library, load
from alfil.library.model import Entry
from alfil.library.values import folded
from alfil.source import Source, Span

# The sets whose names are meant where several have one; the others follow by the alphabet.
FIRST = ("fairy", "chess", "shogi")
# How alike a name must be to be offered instead.
ALIKE = 0.75


class Named(NamedTuple):
    """A piece that was found by name, and the library it is in."""

    library: Library
    entry: Entry


def find(name: str) -> Entry:
    """A piece of the bundled sets by its name, in any case; ``SET:CODE`` names one in a set.

    A piece file of one's own may stand before the colon: ``my.pieces:N``. Where several sets have
    the name, the first of fairy, chess, shogi and then the alphabet has it. Raises `UnknownPiece`
    where there is none.

    >>> find("hand_shogi:SH").name, find("GRIFFON").code
    ('shogun', 'GF')
    """
    found = lookup(name)
    if found is None:
        hint = near(name) or "alfil.load(SET).pieces has the pieces of a set"
        finding = Finding(
            "unknown-piece", f"no piece is called {name}", (Span(0, len(name)),), hint
        )
        raise UnknownPiece([finding], Source(name, "<name>"))
    return found.entry


def lookup(name: str) -> Named | None:
    """The piece of this name, or None; raises `UnknownPiece` where the set has no such piece."""
    place, _, code = name.rpartition(":")
    if place in bundled_names():
        library = bundled_library(place)
        return Named(library, library[code])
    if place.endswith(SUFFIX):
        library = load(place)
        return Named(library, library[code])
    for chosen in in_order():  # one after another, for most names are in the first
        library = bundled_library(chosen)
        entry = library.named(name)
        if entry:
            return Named(library, entry)
    return None


def namesakes(named: Named) -> list[Named]:
    """The pieces of the bundled sets with the same name that move in another way."""
    found: list[Named] = []
    for chosen in in_order():
        library = bundled_library(chosen)
        entry = library.named(named.entry.name)
        if entry is None or (library.name, entry.code) == (named.library.name, named.entry.code):
            continue
        if not any(_alike(entry, each.entry) for each in (named, *found)):
            found.append(Named(library, entry))
    return found


def _alike(a: Entry, b: Entry) -> bool:
    """Whether two pieces move alike; one whose moves have no meaning is like itself only."""
    try:
        return a == b or same(a.piece, b.piece, facts=False)
    except MeaningError:
        return False


def near(name: str) -> str:
    """A hint with the name of a bundled piece that is most like this one; empty if none is."""
    entries = (entry for chosen in in_order() for entry in bundled_library(chosen).pieces)
    names = dict.fromkeys(folded(each) for entry in entries for each in entry.names)
    hint = nearest(folded(name), names, ALIKE)
    begin = "did you mean "
    return f"{begin}the piece {hint.removeprefix(begin)}" if hint.startswith(begin) else ""


def unknown_set(name: str) -> str:
    """A hint where a name has a colon and what stands before it is no set; empty otherwise."""
    place, colon, _ = name.rpartition(":")
    return f"no set of pieces is called {place}: {nearest(place, bundled_names())}" if colon else ""


@cache
def bundled_library(name: str) -> Library:
    """A bundled set, read once: it does not change."""
    return load(name)


def in_order() -> list[str]:
    """The bundled sets, those first whose names are meant where several have one."""
    return sorted(bundled_names(), key=_rank)


def _rank(name: str) -> tuple[int, str]:
    return (FIRST.index(name) if name in FIRST else len(FIRST), name)
