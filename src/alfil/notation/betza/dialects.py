"""The dialects of Betza, each a table of what it knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from alfil.errors import unknown_name
from alfil.geometry import Vector


class AtomEntry(NamedTuple):
    """What a letter stands for: base vectors (a, b) with a <= b, and whether it slides."""

    vectors: tuple[Vector, ...]
    slides: bool = False


LEAPERS: dict[str, Vector] = {
    "W": (0, 1),
    "F": (1, 1),
    "D": (0, 2),
    "N": (1, 2),
    "A": (2, 2),
    "H": (0, 3),
    "L": (1, 3),
    "J": (2, 3),
    "G": (3, 3),
}
SLIDERS = {
    "R": AtomEntry(((0, 1),), slides=True),
    "B": AtomEntry(((1, 1),), slides=True),
    "Q": AtomEntry(((0, 1), (1, 1)), slides=True),
}
CLASSIC_ATOMS: dict[str, AtomEntry] = {
    **{letter: AtomEntry((vector,)) for letter, vector in LEAPERS.items()},
    "K": AtomEntry(((0, 1), (1, 1))),
    **SLIDERS,
}
MODERN_ATOMS: dict[str, AtomEntry] = {
    **CLASSIC_ATOMS,
    "C": AtomEntry(((1, 3),)),
    "Z": AtomEntry(((2, 3),)),
}
# Atoms without a vector: everywhere, and castling.
UNIVERSAL, CASTLING = "U", "O"


class Dialect(NamedTuple):
    """One dialect: its letters, and the constructs it has.

    ``modes`` are the modifier letters besides directions, with the doubled ii and oo.
    ``constructs`` are names of what else it reads: "chain", "bracket", "joined" (AtB, t[AB]),
    "repeat", "suffix", "star", "vector", "apart" (directions on K and Q are read on W and F
    separately), "doubled-riders" (NN is written, not N0), "chain-range" (a range on a chain counts
    for every leg), "leading-zero" (W03 is W3), "king-rider" (KK is Q). Of two letters for one
    vector the later one in ``atoms`` is written.

    ``program`` is the program whose reading the dialect is, if any. What such a program gets
    wrong on purpose stays out: ``habits`` names the checks of `alfil.notation.betza.limits` that
    find it, ``digits`` is the length of its longest range, and ``riders``, ``doubled`` and
    ``lame`` are the atoms that take a range, may be doubled, and take n; None is all of them.
    ``narrow`` are the atoms whose later legs, without letters, go forward, left and right only.
    """

    name: str
    atoms: Mapping[str, AtomEntry]
    modes: frozenset[str]
    constructs: frozenset[str]
    program: str = ""
    habits: frozenset[str] = frozenset()
    digits: int = 2
    riders: frozenset[str] | None = None
    doubled: frozenset[str] | None = None
    lame: frozenset[str] | None = None
    narrow: frozenset[str] = frozenset()

    def doubles(self, letter: str) -> bool:
        """Whether an atom may be doubled; where KK is an error it has a report of its own."""
        return self.doubled is None or letter in self.doubled or letter == "K"


def _modes(letters: str) -> frozenset[str]:
    return frozenset(letters.split())


BETZA = Dialect(
    "betza",
    {**MODERN_ATOMS, UNIVERSAL: AtomEntry(()), CASTLING: AtomEntry(())},
    _modes("m c d e k p g n j i ii o oo y z q"),
    _modes("chain bracket joined repeat suffix star vector"),
)
CLASSIC = Dialect(
    "classic",
    CLASSIC_ATOMS,
    _modes("m c e p g n j i o z q"),
    _modes("joined vector apart doubled-riders"),
)
XBOARD = Dialect(
    "xboard",
    {**MODERN_ATOMS, "L": AtomEntry(((2, 3),)), "J": AtomEntry(((1, 3),)), CASTLING: AtomEntry(())},
    _modes("m c d e t p g n j i ii o y"),
    _modes("chain chain-range leading-zero"),
    program="XBoard",
    habits=_modes("order doubled-letter first-runs later-runs between royal-t"),
    doubled=frozenset("RBQ"),
    lame=frozenset("DNA"),
    narrow=frozenset("WFDAHGRB"),
)
FAIRY_STOCKFISH = Dialect(
    "fairy-stockfish",
    MODERN_ATOMS,
    _modes("m c e p g n i"),
    _modes("apart king-rider"),
    program="Fairy-Stockfish",
    habits=_modes("skips single-runs hops variant-trail quiet-start one-ride"),
    digits=1,
    riders=frozenset("WFNKRBQ"),
    doubled=frozenset("WFNKRBQ"),
    lame=frozenset("NAZJD"),
)
DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect for dialect in (BETZA, CLASSIC, XBOARD, FAIRY_STOCKFISH)
}


def dialect_called(name: str) -> Dialect:
    """The dialect of that name; `AlfilError` of kind "unknown-dialect" with the nearest name."""
    dialect = DIALECTS.get(name)
    return unknown_name("unknown-dialect", name, DIALECTS, 0.4) if dialect is None else dialect


def elsewhere(letter: str, dialect: Dialect) -> str:
    """The name of another dialect that knows a letter or construct, or nothing."""
    for other in DIALECTS.values():
        if other is dialect:
            continue
        if letter in other.atoms or letter in other.modes or letter in other.constructs:
            return other.name
    return ""
