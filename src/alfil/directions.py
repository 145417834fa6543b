"""The four systems of direction letters.

Letters are read in runs: a run is first cut into tokens (a letter, a pair, a half), then each token
chooses among vectors. Which system applies depends on the vectors' shape: W orthogonal, F diagonal,
N oblique, K orthogonal and diagonal together. Later legs of a move use K, relative to travel.

In F, N and K a letter may pair with the next one when the two axes are perpendicular; ``fr`` is
then one direction, not two. In N a letter alone is the narrow pair, the two leaps closest to its
axis; with ``h`` it is the half; a pair is the half of its first letter cut by the narrow pair of
its second, so ``fr`` and ``rf`` differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeAlias

from alfil.geometry import COMPASS, Vector, compass, images, is_oblique

System: TypeAlias = Literal["W", "F", "N", "K"]

LETTERS = "fblrvsh"
AXES = {"v": "fb", "s": "lr"}
ACROSS = {"f": "lrs", "b": "lrs", "l": "fbv", "r": "fbv"}
AHEAD: dict[str, Vector] = {"f": (0, 1), "b": (0, -1), "l": (-1, 0), "r": (1, 0)}


class Slip(NamedTuple):
    """What is wrong in a run of direction letters: a kind, and where (offsets in the run)."""

    kind: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def tokenise(run: str, system: System) -> tuple[str, ...] | Slip:
    """Cut a run of direction letters into tokens.

    >>> tokenise("flbr", "F"), tokenise("frl", "W"), tokenise("ffsN"[:3], "N")
    (('fl', 'br'), ('f', 'r', 'l'), ('ff', 's'))
    >>> tokenise("sf", "K")
    Slip(kind='direction-order', start=0, end=2)
    """
    tokens: list[str] = []
    at = 0
    while at < len(run):
        token = _next_token(run, at, system)
        if isinstance(token, Slip):
            return token
        tokens.append(token)
        at += len(token)
    return tuple(tokens)


def _next_token(run: str, at: int, system: System) -> str | Slip:
    x, y = run[at], run[at + 1 : at + 2]
    if "h" in (x, y):
        return _half(x, y, at, system)
    if system == "W" or not y:
        return x
    if y == x or y in ACROSS.get(x, ""):
        return x + y
    if x in AXES:
        redundant = y in AXES[x]
        return Slip("redundant-direction" if redundant else "direction-order", at, at + 2)
    if x in AXES.get(y, ""):
        return Slip("redundant-direction", at, at + 2)
    return x


def _half(x: str, y: str, at: int, system: System) -> str | Slip:
    """The token at a letter that is h, or has h after it."""
    if x == "h":
        hand = system == "N" and y in {"l", "r"}
        return x + y if hand else Slip("half-direction", at, at + 1)
    if system == "W":
        return Slip("half-direction", at + 1, at + 2)
    return Slip("half-direction", at, at + 2) if x in AXES else x + y


def system_of(vectors: Iterable[Vector]) -> System | None:
    """The system for these vectors, None where oblique and straight ones mix.

    >>> system_of([(0, 2), (2, 0)]), system_of([(1, 1)]), system_of([(1, 2)])
    ('W', 'F', 'N')
    """
    oblique = straight = diagonal = False
    for vector in vectors:
        if is_oblique(vector):
            oblique = True
        elif vector[0] and vector[1]:
            diagonal = True
        else:
            straight = True
    if oblique:
        return None if straight or diagonal else "N"
    if diagonal:
        return "K" if straight else "F"
    return "W"


def chosen(tokens: Sequence[str], vectors: Sequence[Vector], system: System) -> tuple[Vector, ...]:
    """The vectors that some token chooses, in their order; all of them when there is no token.

    >>> chosen(("fr",), images(1, 2), "N"), chosen(("f",), images(1, 2), "N")
    (((2, 1),), ((1, 2), (-1, 2)))
    """
    if not tokens:
        return tuple(vectors)
    return _chosen(tuple(tokens), tuple(vectors), system)


@lru_cache(maxsize=1024)
def _chosen(
    tokens: tuple[str, ...], vectors: tuple[Vector, ...], system: System
) -> tuple[Vector, ...]:
    return tuple(
        vector for vector in vectors if any(_chooses(token, vector, system) for token in tokens)
    )


def _chooses(token: str, vector: Vector, system: System) -> bool:
    match system:
        case "W" | "F":
            return all(_leans(letter, vector) for letter in token if letter != "h")
        case "N":
            return _chooses_oblique(token, vector)
        case "K":
            return compass(vector) in eighths(token)


def _leans(letter: str, vector: Vector) -> bool:
    """Whether a vector has a part along the letter's direction."""
    if letter in AXES:
        return any(_leans(each, vector) for each in AXES[letter])
    x, y = AHEAD[letter]
    return vector[0] * x + vector[1] * y > 0


def _near(letter: str, vector: Vector) -> bool:
    """Whether an oblique vector is one of the two closest to the letter's axis."""
    if letter in AXES:
        return any(_near(each, vector) for each in AXES[letter])
    x, y = AHEAD[letter]
    return vector[0] * x + vector[1] * y > max(abs(vector[0] * y), abs(vector[1] * x))


def _chooses_oblique(token: str, vector: Vector) -> bool:
    first, second = token[0], token[1:]
    if first == "h":
        ring = images(abs(vector[0]), abs(vector[1]))
        return (ring.index(vector) % 2 == 0) == (second == "r")
    if second == "h":
        return _leans(first, vector)
    if not second or second == first:
        return _near(first, vector)
    return _leans(first, vector) and _near(second, vector)


@cache
def eighths(token: str) -> tuple[int, ...]:
    """The compass directions of a token of the K system, clockwise from forward or from travel.

    >>> eighths("f"), eighths("fr"), eighths("fs"), eighths("bh")
    ((0,), (1,), (1, 7), (3, 4, 5))
    """
    first, second = token[0], token[1:]
    if second == "h":
        found = [k for k, vector in enumerate(COMPASS) if _leans(first, vector)]
    elif not second or second == first:
        found = [k for k, v in enumerate(COMPASS) if 0 in v and _leans(first, v)]
    else:
        both = first + second
        found = [k for k, v in enumerate(COMPASS) if all(_leans(letter, v) for letter in both)]
    return tuple(found)
