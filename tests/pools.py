"""All small expressions of each notation, one for each meaning: what laws of translation hold for.

They are put together from a few directions, lengths and signs in every way up to a size, in one
fixed order, so that nothing is left to chance and no expression is there because it is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product

import alfil
from strategies import NIGHTLY

# The gate puts every so manyth expression into a pool.
STRIDE = 1 if NIGHTLY else 5
# One of every kind of direction, and of every kind of choice among them.
RADIAL = ("4dO", "4dD", "8d", "1dN", "2dNE-NW", "3dN-E-W")
OBLIQUE = ("(1,2)", "(1,2)ab", "(1,3)")
LENGTHS = ("1×", "2×", "{1,2}×", "n")
WRAPPED = ("{}", "m({})", "c({})")
FUNCTIONS = (
    *("j({})", "j({},1)", "j({},2)", "j({},F)", "nj({})", "nj({},E)"),
    *("i({})", "i({},F)", "i({},FE)", "rpg({})", "rpg({},FE)", "rpg({},F)"),
)
ANGLES = ("&t", "&t0°", "&t90°", "&t180°", "&t+45°")


def radial_legs() -> Iterator[str]:
    """Steps, leaps over squares, ranges and sliders."""
    for directions, length in product(RADIAL, LENGTHS):
        yield f"{length}{directions}"


def hasinu_texts() -> Iterator[str]:
    """Legs, legs under one function and one of m and c, two legs, loops."""
    legs = [*radial_legs(), *OBLIQUE, *(f"n({leap} &t0°)" for leap in OBLIQUE)]
    for leg, wrap in product(legs, WRAPPED):
        yield wrap.format(leg)
    for leg, function, wrap in product(legs, FUNCTIONS, WRAPPED):
        yield wrap.format(function.format(leg))
    firsts = [f"{length}{each}" for each in ("4dO", "4dD", "1dN") for length in ("1×", "n")]
    firsts += ["(1,2)", "nj((1,2))"]
    early = ("{}", "m({})", "c({})", "m(c({}))")
    late = ("{}", "m({})", "c({})", "rpg({},FE)")
    for first, angle, second in product(firsts, ANGLES, firsts):
        for before, after in product(early, late):
            yield f"{before.format(first)} {angle} {after.format(second)}"
    steps = ["1×4dO", "1×4dD", "1×8d", "2×4dO", "j(2×4dD)", "(1,2)", "nj((1,2))", "1×1dN"]
    turns = ("", " &t0°", " &t45°", " &t90°", " &t+45°", " &t180°")
    for step, turn, times, wrap in product(steps, turns, ("n", "2", "{1,2}", "3"), WRAPPED):
        yield wrap.format(f"{times}({step}{turn})")


BETZA_MODES = ("", "m", "c", "n", "j", "p", "g", "mc", "d", "cd", "q", "z", "i", "k")
BETZA_DIRECTIONS = ("", "f", "s", "fs", "fr", "fl", "ff", "fh", "b")
BETZA_ATOMS = ("W", "F", "K", "D", "A", "N", "C", "R", "B", "Q", "W2", "R3", "N0", "D0", "NN")


def betza_texts() -> Iterator[str]:
    """One leg with its letters, two legs in a chain, in brackets and joined, compounds."""
    for directions, modes, atom in product(BETZA_DIRECTIONS, BETZA_MODES, BETZA_ATOMS):
        yield f"{directions}{modes}{atom}"
    for atom in ("W", "F", "K", "N", "R", "B", "Q"):
        for first, second in product(
            ("", "m", "c", "mp", "mc", "p"), ("af", "as", "ab", "a", "amf", "acf", "aq", "az")
        ):
            yield f"{first}{second}{atom}"
    for first, second in product(("W", "F", "R", "B", "nD", "N", "mW", "cF"), repeat=2):
        for join in ("-", "?"):
            yield f"[{first}{join}{second}]"
            yield f"[{first}{join}s{second}]"
    singles = ("W", "F", "cK", "mR", "nN", "pB", "dW", "A")
    for one, other in product(singles, repeat=2):
        if one < other:
            yield one + other


def parlett_texts() -> Iterator[str]:
    """Distances and directions, their conditions, and two of them."""
    distances = ("1", "2", "3", "n", "1-3", "n/2", "~1", "~2", "1/2", "1/3", "2/3")
    ways = ("+", "X", "*", ">", "<", "=", ">=", "<=", "X>", "X<", "<>")
    wide = ("*>", "*<", "*<>", "*>=", "*<=")
    legs = [f"{distance}{way}" for distance, way in product(distances[:7], ways)]
    legs += [f"{distance}{way}" for distance, way in product(("1", "n", "~2"), wide)]
    legs += [*distances[8:], "~0/2", "0/3"]
    for distance, way in product(("2", "3", "n", "2-3"), (*ways, *wide)):
        yield f"c^{distance}{way}"
    for leg, condition in product(legs, ("", "o", "c", "i")):
        yield f"{condition}{leg}"
    for one, other in product(("1+", "1X", "n+", "nX", "o1>", "c1X>"), repeat=2):
        yield f"{one}.{other}"
        if one < other:
            yield f"{one}, {other}"


TEXTS: dict[str, Callable[[], Iterator[str]]] = {
    "hasinu": hasinu_texts,
    "betza": betza_texts,
    "classic": betza_texts,
    "xboard": betza_texts,
    "fairy-stockfish": betza_texts,
    "fairy-stockfish-next": betza_texts,
    "taikyoku": betza_texts,
    "parlett": parlett_texts,
}


@cache
def readings(notation: str) -> tuple[alfil.Piece, ...]:
    """The pieces of a notation that have moves and no facts, in the order of their texts."""
    found: list[alfil.Piece] = []
    for text in [*dict.fromkeys(TEXTS[notation]())][::STRIDE]:
        try:
            piece = alfil.read(text, notation)
            if piece.meaning and not piece.meaning.facts:
                found.append(piece)
        except alfil.AlfilError:
            continue
    return tuple(found)


@cache
def pool(notation: str) -> tuple[alfil.Piece, ...]:
    """The pieces of a notation, one for each meaning: the shortest text, the first of equals."""
    found: dict[object, alfil.Piece] = {}
    for piece in readings(notation):
        known = found.setdefault(piece.meaning, piece)
        if len(piece.text) < len(known.text):
            found[piece.meaning] = piece
    return tuple(found.values())
