"""How letters, directions, atoms and ranges are spelled: the reader's tables turned round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from alfil.geometry import Vector, all_images
from alfil.notation.betza.directions import (
    DirectionRunError,
    DirectionSystem,
    atom_system,
    first_leg_tokens_for,
    join_tokens,
    tokenise,
)
from alfil.notation.betza.letters import (
    BETZA,
    DEFAULT_END_MODES,
    DEFAULT_PASSAGE_MODES,
    LETTER_ROWS,
    MODE_ORDER,
    Dialect,
    Mode,
    dialect_by_name,
)
from alfil.notation.betza.nodes import Atom, Leg, Modifiers, Range

MODES_BEFORE_DIRECTIONS = tuple(
    mode for mode in MODE_ORDER if LETTER_ROWS[mode].initial or LETTER_ROWS[mode].halfway
)
MODES_AFTER_DIRECTIONS = tuple(mode for mode in MODE_ORDER if mode not in MODES_BEFORE_DIRECTIONS)


def leg_letters(
    modifiers: Modifiers, system: DirectionSystem | None, *, drop: frozenset[Mode]
) -> str:
    """The letters of a leg in the order every program reads; ``drop`` says nothing and goes."""
    modes = [mode for mode in modifiers.modes if mode not in drop and not LETTER_ROWS[mode].after]
    front = "".join(mode for mode in MODES_BEFORE_DIRECTIONS if mode in modes)
    behind = "".join(mode for mode in MODES_AFTER_DIRECTIONS if mode in modes)
    return front + join_tokens(modifiers.directions, system) + behind


def redundant_modes(modes: Sequence[Mode], place: str) -> frozenset[Mode]:
    """The letters that say no more than none: mc on a last leg, m on an earlier one.

    ``place`` is "last", "earlier", or "both" for a leg that may be either; there all letters count.

    >>> sorted(redundant_modes(("m", "c"), "last")), redundant_modes(("m", "p"), "earlier")
    (['c', 'm'], frozenset())
    """
    if place == "last" and {mode for mode in modes if LETTER_ROWS[mode].ends} == DEFAULT_END_MODES:
        return DEFAULT_END_MODES
    going = {LETTER_ROWS[mode].untoggled or mode for mode in modes if LETTER_ROWS[mode].through}
    return (
        DEFAULT_PASSAGE_MODES
        if place == "earlier" and going == DEFAULT_PASSAGE_MODES
        else frozenset()
    )


def split_into_pairable_tokens(tokens: Sequence[str]) -> tuple[str, ...]:
    """Runs of `classic` on K and Q, which are read twice, as the tokens that may pair in them."""
    result: list[str] = []
    for token in tokens:
        cut = tokenise(token, "F")
        result += [token] if isinstance(cut, DirectionRunError) else cut
    return tuple(result)


@cache
def _letters_by_vectors(dialect: str) -> dict[tuple[tuple[Vector, ...], bool], str]:
    """The letter for vectors and sliding; of two letters the later one (C and Z, not L and J)."""
    atoms = dialect_by_name(dialect).atoms.items()
    return {(atom.vectors, atom.slides): letter for letter, atom in atoms if atom.vectors}


def atom_letter_for(vectors: tuple[Vector, ...], dialect: Dialect, *, slides: bool = False) -> str:
    """The atom's letter, or "" when the dialect has none for these vectors.

    >>> from alfil.notation.betza.letters import CLASSIC
    >>> [atom_letter_for(((1, 3),), dialect) for dialect in (BETZA, CLASSIC)]
    ['C', 'L']
    """
    return _letters_by_vectors(dialect.name).get((vectors, slides), "")


def vector_text(vectors: tuple[Vector, ...]) -> str:
    """A single vector as numbers, the larger one first: (4,1)."""
    ((small, large),) = vectors
    return f"({large},{small})"


def atom_text_without_range(atom: Atom, dialect: Dialect) -> str:
    """An atom whose range is not written, as in a chain."""
    if not atom.vectors:
        return atom.written
    return atom_letter_for(atom.vectors, dialect, slides=atom.slides) or vector_text(atom.vectors)


def atom_text_with_range(atom: Atom, how_far: Range, dialect: Dialect) -> str:
    """An atom with its range: R3 and not W3, R and not WW, N0 and not NN (`classic`: NN)."""
    if not atom.vectors:
        return atom.written + how_far.written
    if how_far.written == "*":
        return (atom_letter_for(atom.vectors, dialect) or vector_text(atom.vectors)) + "*"
    if how_far.steps != 1:
        slider = atom_letter_for(atom.vectors, dialect, slides=True)
        if slider:
            return slider + (str(how_far.steps) if how_far.steps else "")
    letter = atom_letter_for(atom.vectors, dialect)
    name = letter or vector_text(atom.vectors)
    if how_far.steps == 1:
        return name
    if how_far.steps == 0 and letter and "doubled-riders" in dialect.constructs:
        return letter * 2
    return name + str(how_far.steps)


def atom_text_of_bases(bases: tuple[Vector, ...], most: int) -> str:
    """The atom for some base vectors with its range: at most so many steps, 0 for any number.

    >>> atom_text_of_bases(((0, 1), (1, 1)), 4), atom_text_of_bases(((1, 2),), 0)
    ('Q4', 'N0')
    >>> atom_text_of_bases(((0, 4),), 1)
    '(4,0)'
    """
    return atom_text_with_range(Atom("", bases), Range(most), BETZA)


def split_atom(
    atom: Atom, vectors: Sequence[Vector]
) -> Iterator[tuple[Atom, tuple[str, ...], tuple[Vector, ...]]]:
    """The atom with the tokens that choose the vectors, and these.

    K and Q are taken apart where tokens are needed; a part of them keeps sliding or stepping.
    """
    if not atom.vectors or set(vectors) == set(all_images(atom.vectors)):
        yield atom, (), tuple(vectors)
        return
    for base in atom.vectors:
        every = all_images((base,))
        vectors_wanted = tuple(vector for vector in vectors if vector in every)
        if vectors_wanted:
            tokens = first_leg_tokens_for(vectors_wanted, every, atom_system((base,)))
            yield (
                (atom if len(atom.vectors) == 1 else Atom("", (base,), atom.slides)),
                tokens,
                vectors_wanted,
            )


def split_compound(leg: Leg) -> Iterator[Leg]:
    """A leg with its directions in canonical letters, K and Q with directions taken apart.

    Where nobody has said which directions the letters choose, they stay.
    """
    if not leg.atom.vectors or not leg.vectors:
        yield leg
        return
    for atom, tokens, vectors in split_atom(leg.atom, leg.vectors):
        modifiers = Modifiers(tokens, leg.modifiers.modes)
        yield Leg(modifiers, atom, leg.range, vectors, span=leg.span)
