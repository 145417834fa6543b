"""Direction letters for a set of directions, and the texts of atoms with their ranges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import TypeVar

from alfil.directions import Slip, System, chosen, eighths, system_of, tokenise
from alfil.geometry import Vector
from alfil.notation.betza.dialects import BETZA
from alfil.notation.betza.spelling import letter_for, numbers, run

T = TypeVar("T")

# Tokens in the order they are preferred; a run of more than so many is not looked for.
MOST_TOKENS = 4
_PAIRS = ("fl", "fr", "bl", "br")
_TOKENS: dict[System, tuple[str, ...]] = {
    "W": ("f", "b", "l", "r", "v", "s"),
    "F": ("f", "b", "l", "r", *_PAIRS),
    "N": (
        *("hr", "hl", "fh", "bh", "lh", "rh", "f", "b", "l", "r"),
        *(*_PAIRS, "lf", "rf", "lb", "rb", "fs", "bs", "lv", "rv", "v", "s"),
    ),
    "K": (
        *("f", "b", "s", "l", "r", "v", "fs", "bs", "lv", "rv"),
        *(*_PAIRS, "fh", "bh", "lh", "rh"),
    ),
}

# Those of a later leg, pairs first, so that a single letter comes last.
_TURN_TOKENS = (
    *("fs", "bs", "lv", "rv", *_PAIRS, "fh", "bh", "lh", "rh"),
    *("f", "b", "l", "r", "v", "s"),
)

# The eight turns of a later leg, and those but straight back.
EVERY_TURN = frozenset(range(8))
ALL_BUT_BACK = EVERY_TURN - {4}


@lru_cache(maxsize=4096)
def tokens_for(
    wanted: frozenset[Vector], every: tuple[Vector, ...], system: System
) -> tuple[str, ...] | None:
    """The letters that choose exactly some of the directions there are; none where all are wanted.

    None where no few letters do.

    >>> from alfil.geometry import images
    >>> tokens_for(frozenset({(1, 2), (-1, 2), (2, -1), (-2, -1)}), images(1, 2), "N")
    ('f', 'bs')
    """
    if wanted == set(every):
        return ()
    sets = {token: frozenset(chosen((token,), every, system)) for token in _TOKENS[system]}
    return _fewest(wanted, sets, system)


@cache
def turn_tokens(turns: frozenset[int]) -> tuple[str, ...] | None:
    """The letters of a later leg for turns in eighths, clockwise from the way of travel.

    >>> turn_tokens(frozenset({1, 7})), turn_tokens(frozenset(range(8)))
    (('fs',), ('fh', 'bh', 's'))
    """
    sets = {token: frozenset(eighths(token)) for token in _TURN_TOKENS}
    return _fewest(turns, sets, "K")


def first_tokens(
    wanted: frozenset[Vector], every: tuple[Vector, ...]
) -> tuple[tuple[str, ...], System] | None:
    """The letters that choose some of these directions, and the system they are read in."""
    system = system_of(every)
    tokens = tokens_for(wanted, every, system) if system else None
    return None if tokens is None or system is None else (tokens, system)


def _fewest(
    wanted: frozenset[T], sets: dict[str, frozenset[T]], system: System
) -> tuple[str, ...] | None:
    """The fewest tokens that choose the wanted ones together; of equally many the shortest."""
    places = {each: 1 << at for at, each in enumerate(wanted)}
    masks: dict[str, int] = {}
    together = 0
    for token, found in sets.items():
        if found and found <= wanted:
            masks[token] = sum(places[each] for each in found)
            together |= masks[token]
    if together != (1 << len(wanted)) - 1:
        return None
    for exact in (True, False):  # first those that choose nothing twice
        for count in range(1, MOST_TOKENS + 1):
            fitting = [
                tokens
                for tokens in combinations(masks, count)
                if _covers([masks[token] for token in tokens], together, exact=exact)
                and _reads_back(tokens, system)
            ]
            if fitting:
                return min(fitting, key=lambda tokens: len(run(tokens, system)))
    return None


def _covers(masks: Sequence[int], together: int, *, exact: bool) -> bool:
    """Whether some sets hold everything, and where it is to be exact nothing twice."""
    union = twice = 0
    for mask in masks:
        twice |= union & mask
        union |= mask
    return union == together and not (exact and twice)


def _reads_back(tokens: tuple[str, ...], system: System) -> bool:
    again = tokenise(run(tokens, system), system)
    return not isinstance(again, Slip) and tuple(map(_alone, again)) == tokens


def _alone(token: str) -> str:
    """A doubled letter is that letter."""
    return token[0] if token[1:] == token[:1] else token


def atom(bases: tuple[Vector, ...], most: int) -> str:
    """The atom for some base vectors with its range: at most so many steps, 0 for any number.

    >>> atom(((0, 1),), 1), atom(((0, 1), (1, 1)), 4), atom(((1, 2),), 0), atom(((0, 4),), 1)
    ('W', 'Q4', 'N0', '(4,0)')
    """
    if most != 1:
        slider = letter_for(bases, BETZA, slides=True)
        if slider:
            return f"{slider}{most or ''}"
    name = letter_for(bases, BETZA) or numbers(bases)
    return name if most == 1 else f"{name}{most}"


def base_of(vector: Vector) -> Vector:
    """The base vector (a, b), a <= b, that a vector is an image of."""
    a, b = sorted((abs(vector[0]), abs(vector[1])))
    return a, b
