"""Legs with their directions in canonical letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from alfil.geometry import Vector, every_image
from alfil.notation.betza.directions import atom_system, tokens_for
from alfil.notation.betza.nodes import Atom, Leg, Modifiers


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
