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

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import zip_longest
from typing import Literal, TypeAlias, TypeVar

from alfil.data_files import read_table
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import Vector, all_images, direction_in_sixteenths, is_oblique

DirectionSystem: TypeAlias = Literal["W", "F", "N", "K"]

LETTERS_OF_AXIS = {"v": "fb", "s": "lr"}
PERPENDICULAR_LETTERS = {"f": "lrs", "b": "lrs", "l": "fbv", "r": "fbv"}
# The winds of the letters; how far off a direction may be that lies in the half of a letter, that a
# letter alone chooses, or the second one of a pair, in sixteenths of a circle.
SIXTEENTHS_BY_LETTER = {"f": 0, "r": 4, "b": 8, "l": 12}
WIDTH_OF_HALF = 3
WIDTH_OF_LONE_LETTER: dict[DirectionSystem, int] = {"W": 0, "F": 2, "N": 1, "K": 0}
WIDTH_OF_SECOND_LETTER: dict[DirectionSystem, int] = {
    "W": WIDTH_OF_HALF,
    "F": WIDTH_OF_HALF,
    "N": 1,
    "K": WIDTH_OF_HALF,
}
# Of the winds of oblique leaps, as bits, the four that lie on the right hand of their axes.
RIGHT_HAND_WINDS = 0x2222
# Tokens in the order they are preferred.
_PAIRS = ("fl", "fr", "bl", "br")
_SWAPPED_PAIRS = ("lf", "rf", "lb", "rb")
_TOKENS_BY_SYSTEM: dict[DirectionSystem, tuple[str, ...]] = {
    "W": ("f", "b", "l", "r", "v", "s"),
    "F": ("f", "b", "l", "r", *_PAIRS),
    "N": (
        *("hr", "hl", "fh", "bh", "lh", "rh", "f", "b", "l", "r"),
        *(*_PAIRS, *_SWAPPED_PAIRS, "fs", "bs", "lv", "rv", "v", "s"),
    ),
    "K": (
        *("f", "b", "s", "l", "r", "v", "fs", "bs", "lv", "rv"),
        *(*_PAIRS, "fh", "bh", "lh", "rh", *_SWAPPED_PAIRS),
    ),
}
# Those of a later leg, pairs first, so that a single letter comes last.
_TURN_TOKENS = (
    *("fs", "bs", "lv", "rv", *_PAIRS, "fh", "bh", "lh", "rh"),
    *("f", "b", "l", "r", "v", "s", *_SWAPPED_PAIRS),
)
# Those that every program reads alike on a later leg, the larger ones first.
_LATER_TOKENS = ("fs", "bs", "rv", "lv", "fr", "fl", "br", "bl", "v", "s", "f", "b", "l", "r")
T = TypeVar("T")
# How many letters a run has, and the directions that it chooses.
_DirectionChoice: TypeAlias = tuple[int, tuple[Vector, ...]]


class DirectionRunError(NamedTuple):
    """What is wrong in a run of direction letters: a kind, and where (offsets in the run)."""

    kind: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def tokenise(run: str, system: DirectionSystem) -> tuple[str, ...] | DirectionRunError:
    """Cut a run of direction letters into tokens.

    >>> tokenise("flbr", "F"), tokenise("frl", "W"), tokenise("ffsN"[:3], "N")
    (('fl', 'br'), ('f', 'r', 'l'), ('ff', 's'))
    >>> tokenise("sf", "K")
    DirectionRunError(kind='direction-order', start=0, end=2)
    """
    tokens: list[str] = []
    at = 0
    while at < len(run):
        token = _next_token(run, at, system)
        if isinstance(token, DirectionRunError):
            return token
        tokens.append(token)
        at += len(token)
    return tuple(tokens)


def _next_token(run: str, at: int, system: DirectionSystem) -> str | DirectionRunError:
    x, y = run[at], run[at + 1 : at + 2]
    if "h" in (x, y):
        return _token_with_h(x, y, at, system)
    if system == "W" or not y:
        return x
    if y == x or y in PERPENDICULAR_LETTERS.get(x, ""):
        return x + y
    if x in LETTERS_OF_AXIS:
        redundant = y in LETTERS_OF_AXIS[x]
        return DirectionRunError(
            "redundant-direction" if redundant else "direction-order", at, at + 2
        )
    if x in LETTERS_OF_AXIS.get(y, ""):
        return DirectionRunError("redundant-direction", at, at + 2)
    return x


def _token_with_h(x: str, y: str, at: int, system: DirectionSystem) -> str | DirectionRunError:
    """The token at a letter that is h, or has h after it."""
    if x == "h":
        hand = system == "N" and y in {"l", "r"}
        return x + y if hand else DirectionRunError("half-direction", at, at + 1)
    if system == "W":
        return DirectionRunError("half-direction", at + 1, at + 2)
    return DirectionRunError("half-direction", at, at + 2) if x in LETTERS_OF_AXIS else x + y


def system_of(vectors: Iterable[Vector]) -> DirectionSystem | None:
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


@lru_cache(maxsize=256)
def atom_system(bases: tuple[Vector, ...]) -> DirectionSystem:
    """The system of a first leg whose atom has these base vectors."""
    system = system_of(bases)
    if system is None:
        raise AssertionError("an atom has vectors of one system")
    return system


def select_vectors(
    tokens: Sequence[str], vectors: Sequence[Vector], system: DirectionSystem
) -> tuple[Vector, ...]:
    """The vectors that some token chooses, in their order; all of them when there is no token.

    >>> from alfil.geometry import images_of_base
    >>> leaps = images_of_base(1, 2)
    >>> select_vectors(("fr",), leaps, "N"), select_vectors(("f",), leaps, "N")
    (((2, 1),), ((1, 2), (-1, 2)))
    """
    if not tokens:
        return tuple(vectors)
    return _select_vectors_cached(tuple(tokens), tuple(vectors), system)


@lru_cache(maxsize=1024)
def _select_vectors_cached(
    tokens: tuple[str, ...], vectors: tuple[Vector, ...], system: DirectionSystem
) -> tuple[Vector, ...]:
    winds = 0
    for token in tokens:
        winds |= _token_direction_mask(token, system)
    return tuple([vector for vector in vectors if winds >> direction_in_sixteenths(vector) & 1])


@cache
def _token_direction_mask(token: str, system: DirectionSystem) -> int:
    """The winds that a token chooses, as bits."""
    first, second = token[0], token[1:]
    if first == "h":
        return RIGHT_HAND_WINDS if second == "r" else RIGHT_HAND_WINDS << 2
    if second == "h":
        return _direction_mask_near(first, WIDTH_OF_HALF)
    if not second or second == first:
        return _direction_mask_near(first, WIDTH_OF_LONE_LETTER[system])
    return _direction_mask_near(first, WIDTH_OF_HALF) & _direction_mask_near(
        second, WIDTH_OF_SECOND_LETTER[system]
    )


@cache
def _direction_mask_near(letter: str, sixteenths: int) -> int:
    """The winds that are at most so many sixteenths of a circle off a letter's direction."""
    winds = 0
    for each in LETTERS_OF_AXIS.get(letter, letter):
        for away in range(-sixteenths, sixteenths + 1):
            winds |= 1 << (SIXTEENTHS_BY_LETTER[each] + away) % 16
    return winds


@cache
def compass_directions(token: str) -> tuple[int, ...]:
    """The compass directions of a token of the K system, clockwise from forward or from travel.

    >>> (compass_directions("f"), compass_directions("fr"), compass_directions("fs"),
    ...  compass_directions("bh"))
    ((0,), (1,), (1, 7), (3, 4, 5))
    """
    winds = _token_direction_mask(token, "K")
    return tuple([k for k in range(8) if winds >> 2 * k & 1])


def join_tokens(tokens: Sequence[str], system: DirectionSystem | None) -> str:
    """Direction tokens as one run: a letter that would join the next one is doubled.

    >>> join_tokens(("f", "r"), "W"), join_tokens(("f", "r"), "F"), join_tokens(("fl", "br"), "F")
    ('fr', 'ffr', 'flbr')
    """
    if system is None or system == "W":
        return "".join(tokens)
    written = ""
    for token, after in zip_longest(tokens, tokens[1:], fillvalue=""):
        alone = tokenise(token + after, system)
        held = not isinstance(alone, DirectionRunError) and alone[0] == token
        # An h by itself, after a repeat, halves the letter before that.
        written += token if held or len(token) > 1 or token == "h" else token * 2
    return written


def first_leg_tokens_for(
    target: Collection[Vector], every: Sequence[Vector], system: DirectionSystem
) -> tuple[str, ...]:
    """The tokens of a first leg that choose ``target`` among ``every``; none for all of them.

    >>> first_leg_tokens_for([(1, 1)], [(1, 1), (1, -1), (-1, -1), (-1, 1)], "F")
    ('fr',)
    """
    tokens = shortest_usual_letters(frozenset(target), tuple(every), system)
    if tokens is None:
        raise AssertionError("some directions of one atom have letters")
    return tokens


def later_leg_tokens_for(turn_eighths: Collection[int]) -> list[tuple[str, ...]]:
    """The tokens of a later leg that choose ``turn_eighths``: eighths clockwise from its travel.

    At most one single letter stands in each run, at its end; a set that needs more is taken apart.

    >>> later_leg_tokens_for({1, 7}), later_leg_tokens_for({0, 2, 6})
    ([('fs',)], [('s',), ('f',)])
    """
    left = set(turn_eighths)
    result: list[str] = []
    for token in _LATER_TOKENS:
        if left.issuperset(compass_directions(token)):
            result.append(token)
            left.difference_update(compass_directions(token))
    pairs = [token for token in result if len(token) > 1]
    first, *others = [token for token in result if len(token) == 1] or [""]
    return [(*pairs, first) if first else tuple(pairs), *((letter,) for letter in others)]


@lru_cache(maxsize=4096)
def shortest_usual_letters(
    target: frozenset[Vector], every: tuple[Vector, ...], system: DirectionSystem
) -> tuple[str, ...] | None:
    """The letters that choose exactly some of the directions there are; none where all are wanted.

    None where no few letters do.

    >>> from alfil.geometry import images_of_base
    >>> target = frozenset({(1, 2), (-1, 2), (2, -1), (-2, -1)})
    >>> shortest_usual_letters(target, images_of_base(1, 2), "N")
    ('f', 'bs')
    """
    return _usual_tokens_instead_of(shortest_letters_ignoring_usage(target, every, system), system)


def shortest_letters_ignoring_usage(
    target: frozenset[Vector], every: tuple[Vector, ...], system: DirectionSystem
) -> tuple[str, ...] | None:
    """As `shortest_usual_letters`, where nobody has used another run of as few letters."""
    if target == set(every):
        return ()
    sets = {
        token: frozenset(select_vectors((token,), every, system))
        for token in _TOKENS_BY_SYSTEM[system]
    }
    return _fewest_tokens(target, sets, system)


@cache
def fewest_turn_letters(turns: frozenset[int]) -> tuple[str, ...] | None:
    """The letters of a later leg for turns in eighths, clockwise from the way of travel.

    >>> fewest_turn_letters(frozenset({1, 7})), fewest_turn_letters(frozenset(range(8)))
    (('fs',), ('fh', 'bh', 's'))
    """
    sets = {token: frozenset(compass_directions(token)) for token in _TURN_TOKENS}
    return _usual_tokens_instead_of(_fewest_tokens(turns, sets, "K"), "K")


def first_leg_letters(target: frozenset[Vector], bases: tuple[Vector, ...]) -> str:
    """The letters of a first leg that choose some of the directions of an atom."""
    system = atom_system(bases)
    return join_tokens(first_leg_tokens_for(target, all_images(bases), system), system)


def _fewest_tokens(
    target: frozenset[T], sets: dict[str, frozenset[T]], system: DirectionSystem
) -> tuple[str, ...] | None:
    """The tokens in the fewest letters that choose the wanted ones together.

    Of equally many letters those that choose nothing twice are taken, then the fewest tokens, then
    those that come first in ``sets``. Their order is free: s after lr
    is two letters less than before it.
    """
    places = {each: 1 << at for at, each in enumerate(target)}
    masks = {
        token: sum(places[each] for each in some)
        for token, some in sets.items()
        if some and some <= target
    }
    every = (1 << len(target)) - 1
    choices = _token_combinations_by_cost(masks, system)
    return next((tokens for _, mask, tokens in choices if mask == every), None)


def _token_combinations_by_cost(
    masks: Mapping[str, int], system: DirectionSystem
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """What tokens choose together: the letters they take, the choice, the tokens; best first."""
    ranks = {token: rank for rank, token in enumerate(masks)}
    # Letters, choices, tokens and their ranks; what is chosen; the tokens. The last token is
    # counted once it is known whether the next one would join it.
    waiting: list[tuple[int, int, int, tuple[int, ...], int, tuple[str, ...]]] = [
        (0, 0, 0, (), 0, ())
    ]
    done: set[tuple[int, str]] = set()
    while waiting:
        letters, choices, count, order, mask, tokens = heappop(waiting)
        last = tokens[-1] if tokens else ""
        if (mask, last) in done:
            continue
        done.add((mask, last))
        yield letters, mask, tokens
        for token, more in masks.items():
            if more & ~mask:
                joined = letters + _letters_added_by(last, token, system)
                cost = joined, choices + more.bit_count(), count + 1
                heappush(waiting, (*cost, (*order, ranks[token]), mask | more, (*tokens, token)))


@cache
def _usual_runs_by_preferred_run() -> dict[tuple[str, str], str]:
    """The runs people use where the preferred letters are another one of as few."""
    table = read_table("grammars", "betza_usual.tsv")
    return {(system, preferred): usual for system, preferred, usual, _ in table}


def _usual_tokens_instead_of(
    tokens: tuple[str, ...] | None, system: DirectionSystem
) -> tuple[str, ...] | None:
    result = (
        _usual_runs_by_preferred_run().get((system, join_tokens(tokens, system)))
        if tokens
        else None
    )
    cut = tokenise(result, system) if result else tokens
    return (
        tokens
        if cut is None or isinstance(cut, DirectionRunError)
        else tuple(token[0] if token[1:] == token[:1] else token for token in cut)
    )


@cache
def direction_choices(
    allowed: frozenset[Vector], every: tuple[Vector, ...]
) -> tuple[_DirectionChoice, ...]:
    """What can be chosen of some allowed directions, and the fewest letters that do.

    Left out is what a run of as few letters chooses with others besides.

    >>> from alfil.geometry import images_of_base
    >>> direction_choices(frozenset({(0, 1), (0, -1)}), images_of_base(0, 1))
    ((1, ((0, 1), (0, -1))),)
    """
    system = system_of(every)
    if allowed == set(every) or system is None:
        return ((0, every),) if allowed == set(every) else ()
    masks = {
        token: sum(1 << at for at, each in enumerate(every) if each in chosen)
        for token in _TOKENS_BY_SYSTEM[system]
        if (chosen := set(select_vectors((token,), every, system))) and chosen <= allowed
    }
    fewest: dict[int, int] = {}
    for letters, mask, _ in _token_combinations_by_cost(masks, system):
        fewest.setdefault(mask, letters)
    del fewest[0]
    kept: list[tuple[int, int]] = []
    for letters, mask in sorted((cost, -each) for each, cost in fewest.items()):
        if not any(-mask & ~wider == 0 for _, wider in kept):
            kept.append((letters, -mask))
    return tuple(
        (letters, tuple([each for at, each in enumerate(every) if mask >> at & 1]))
        for letters, mask in sorted(kept, key=lambda each: (each[0], -each[1].bit_count()))
    )


@cache
def _letters_added_by(before: str, token: str, system: DirectionSystem) -> int:
    """The letters of a token, with those that keep it from joining the one before."""
    return len(join_tokens((before, token), system) if before else token) - len(before)
