"""Directions turned back into letters: for a set of vectors or turns, the tokens that choose it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from alfil.directions import System, chosen, eighths
from alfil.geometry import Vector, every_image
from alfil.notation.betza.legs import atom_system
from alfil.notation.betza.nodes import Atom, Leg, Modifiers

# Runs that are tried in this order; the first one that chooses the set is written.
WHOLE = {
    "W": "f b l r v s fl fr bl br fs bs lv rv",
    "F": "f b l r fl fr bl br fl.br fr.bl f.bl f.br b.fl b.fr",
    "N": "f b l r v s hr hl",
}
HALVES = ("fh", "bh", "lh", "rh")
SINGLES = ("fl", "fr", "bl", "br", "lf", "rf", "lb", "rb")
# Pairs of a later leg with their turns, the larger ones first; then what one letter alone says.
LATER_PAIRS = ("fs", "bs", "rv", "lv", "fr", "fl", "br", "bl")
LATER_LETTERS = ("v", "s", "f", "b", "l", "r")


def tokens_for(
    wanted: Collection[Vector], every: Sequence[Vector], system: System
) -> tuple[str, ...]:
    """The tokens of a first leg that choose ``wanted`` among ``every``; none for all of them.

    ``system`` is W, F or N: directions on K and Q are never written. ``wanted`` is not empty.

    >>> tokens_for([(1, 1)], [(1, 1), (1, -1), (-1, -1), (-1, 1)], "F")
    ('fr',)
    """
    return _tokens_for(frozenset(wanted), tuple(every), system)


@lru_cache(maxsize=1024)
def _tokens_for(
    wanted: frozenset[Vector], every: tuple[Vector, ...], system: System
) -> tuple[str, ...]:
    if wanted == set(every):
        return ()
    for run in WHOLE[system].split():
        tokens = tuple(run) if system == "W" else tuple(run.split("."))
        if set(chosen(tokens, every, system)) == wanted:
            return tokens
    return _cover(wanted, every)


def _cover(wanted: frozenset[Vector], every: tuple[Vector, ...]) -> tuple[str, ...]:
    """Halves, then narrow pairs, then single leaps, v and s last, for an oblique atom."""
    left = set(wanted)
    front: list[str] = []
    last: list[str] = []
    for tokens, into in ((HALVES, front), (("v", "s"), last), ("fblr", front), (SINGLES, front)):
        for token in tokens:
            found = set(chosen((token,), every, "N"))
            if found <= left:
                into.append(token)
                left -= found
    return (*front, *last)


def later_tokens(places: Collection[int]) -> list[tuple[str, ...]]:
    """The tokens of a later leg that choose ``places``, eighths clockwise from the way of travel.

    At most one single letter stands in each run, at its end; a set that needs more is taken apart.

    >>> later_tokens({1, 7}), later_tokens({0, 2, 6})
    ([('fs',)], [('s',), ('f',)])
    """
    left = set(places)
    pairs = _taken(LATER_PAIRS, left)
    letters = _taken(LATER_LETTERS, left)
    runs: list[tuple[str, ...]] = [(letter,) for letter in letters] or [()]
    return [(*pairs, *runs[0]), *runs[1:]]


def _taken(tokens: Sequence[str], left: set[int]) -> list[str]:
    """The tokens that choose only what is left, which they are taken from."""
    found: list[str] = []
    for token in tokens:
        places = set(eighths(token))
        if places <= left:
            found.append(token)
            left -= places
    return found


def parted(atom: Atom, vectors: Sequence[Vector]) -> Iterator[tuple[Atom, tuple[str, ...]]]:
    """The atom with the tokens that choose the vectors; K and Q apart where tokens are needed."""
    if not atom.vectors or set(vectors) == set(every_image(atom.vectors)):
        yield atom, ()
        return
    for base in atom.vectors:
        every = every_image((base,))
        wanted = [vector for vector in every if vector in vectors]
        if wanted:
            # K and Q are the only compounds; a part of them keeps sliding or stepping.
            single = atom if len(atom.vectors) == 1 else Atom("", (base,), atom.slides)
            yield single, tokens_for(wanted, every, atom_system((base,)))


def by_atom(leg: Leg) -> Iterator[Leg]:
    """A leg with its directions in canonical letters, K and Q with directions taken apart.

    Where nobody has said which directions the letters choose, they stay.
    """
    if not leg.atom.vectors or not leg.vectors:
        yield leg
        return
    for atom, tokens in parted(leg.atom, leg.vectors):
        vectors = those_of(atom, leg.vectors)
        modifiers = Modifiers(tokens, leg.modifiers.modes)
        yield Leg(modifiers, atom, leg.range, vectors, span=leg.span)


def those_of(atom: Atom, vectors: Iterable[Vector]) -> tuple[Vector, ...]:
    """Those of the vectors that are directions of the atom."""
    every = every_image(atom.vectors)
    return tuple(vector for vector in vectors if vector in every)
