"""What the letters of a tree stand for: steps, turns, which legs slide, and the ways there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias, assert_never

from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import Vector, all_images
from alfil.movement.nodes import Bend
from alfil.movement.turn_geometry import end_of_path, paths_through_legs
from alfil.notation.betza import directions
from alfil.notation.betza.directions import atom_system, select_vectors, system_of
from alfil.notation.betza.letters import (
    CASTLING_ATOM,
    DIALECTS,
    MAX_NUMBER_DIGITS,
    AtomEntry,
    Dialect,
    Mode,
    bend_sense_of_modes,
    first_clashing_pair,
    modes_in,
    split_letters,
    toggles_range,
)
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, Leg, Modifiers, Path, Repeat
from alfil.source import Span

# More ways than these are not worth writing down one by one.
MAX_PATHS = 5_000
# What a later leg without letters does in a dialect where it is not every way but back.
NARROW_TURNS = (0, 2, 6)
# The ways a king may castle.
CASTLING_STEPS_BY_LETTER: dict[str, tuple[Vector, ...]] = {
    "l": ((-1, 0),),
    "r": ((1, 0),),
    "s": ((-1, 0), (1, 0)),
}

VectorPath: TypeAlias = tuple[Vector, ...]
TurnEighths: TypeAlias = tuple[int, ...]
DirectionTokens: TypeAlias = tuple[str, ...]
DirectionRuns: TypeAlias = tuple[tuple[str, Span], ...]


# Letters


@lru_cache(maxsize=4096)
def atom_entry(written: str, dialect: str) -> AtomEntry | None:
    """What an atom is in a dialect, by its letter or numbers with suffixes; None for no such atom.

    >>> atom_entry("J", "xboard"), atom_entry("FX", "betza").vectors, atom_entry("KX", "betza")
    (AtomEntry(vectors=((1, 3),), slides=False), ((1, 4),), None)
    """
    if written[0] == "(":
        inside, _, suffix = written[1:].partition(")")
        numbers = inside.split(",")
        if any(
            len(each) > MAX_NUMBER_DIGITS or (len(each) > 1 and each[0] == "0") for each in numbers
        ):
            return None
        a, b = sorted(map(int, numbers))
        entry = AtomEntry(((a, b),)) if b else None
    else:
        entry, suffix = DIALECTS[dialect].atoms.get(written[0]), written[1:]
    if not suffix or entry is None:
        return entry
    if entry.slides or len(entry.vectors) != 1:
        return None
    ((a, b),) = entry.vectors
    for letter in suffix:
        a, b = (a, b + 3) if letter == "X" else (a + 2, b + 2)
    return AtomEntry(((a, b),))


@lru_cache(maxsize=4096)
def direction_runs_in(letters: str) -> DirectionTokens:
    """The runs of direction letters among the letters of a leg.

    >>> direction_runs_in("ifmrF"[:-1])
    ('f', 'r')
    """
    return tuple([text for text, _, directions in split_letters(letters) if directions])


def _valid_tokens_of_runs(
    runs: Iterable[str], system: directions.DirectionSystem
) -> DirectionTokens:
    """Runs of directions as tokens, without those in which something is wrong."""
    tokens: list[str] = []
    for run in runs:
        cut = directions.tokenise(run, system)
        if not isinstance(cut, directions.DirectionRunError):
            tokens += cut
    return tuple(tokens)


@lru_cache(maxsize=4096)
def first_leg_tokens_and_steps(
    runs: DirectionTokens, written: str, bases: tuple[Vector, ...], *, apart: bool = False
) -> tuple[DirectionTokens, tuple[Vector, ...]]:
    """The tokens of a first leg with these runs of directions, and the steps they choose.

    ``apart``: on K and Q the letters mean what they mean on W and on F.
    """
    every = all_images(bases)
    if written == CASTLING_ATOM:
        tokens = tuple(letter for run in runs for letter in run)
        sides = {way for token in tokens for way in CASTLING_STEPS_BY_LETTER.get(token, ())}
        return tokens, tuple(sorted(sides or CASTLING_STEPS_BY_LETTER["s"]))
    if not runs or not every:
        return (), every
    if apart and len(bases) > 1:
        result: list[Vector] = []
        for base in bases:
            system = atom_system((base,))
            result += select_vectors(
                _valid_tokens_of_runs(runs, system), all_images((base,)), system
            )
        return runs, tuple(result)
    system = atom_system(bases)
    tokens = _valid_tokens_of_runs(runs, system)
    return tokens, select_vectors(tokens, every, system)


@lru_cache(maxsize=4096)
def later_leg_tokens_and_turns(runs: DirectionTokens) -> tuple[DirectionTokens, TurnEighths | None]:
    """The tokens of a later leg with these runs, and its places; None without letters.

    >>> later_leg_tokens_and_turns(("fs",)), later_leg_tokens_and_turns(())
    ((('fs',), (1, 7)), ((), None))
    """
    if not runs:
        return (), None
    tokens = _valid_tokens_of_runs(runs, "K")
    return tokens, tuple(
        sorted({place for token in tokens for place in directions.compass_directions(token)})
    )


class LegLetters(NamedTuple):
    """The letters of one leg that count, with their places."""

    modes: dict[Mode, Span]
    runs: DirectionRuns


def letters_of_leg(modifiers: Modifiers, dialect: Dialect) -> LegLetters:
    """The letters of one leg that the dialect knows; none of those that exclude each other."""
    modes: dict[Mode, Span] = {}
    runs: list[tuple[str, Span]] = []
    start = modifiers.span.start
    if position_of_dh(modifiers.written) is not None:
        return LegLetters(modes, ())
    for sign in split_letters(modifiers.written):
        if sign.directions:
            runs.append((sign.text, sign.span(start)))
        for mode in modes_in(sign.text):
            if mode in dialect.modes:
                modes.setdefault(mode, sign.span(start))
    return LegLetters({} if first_clashing_pair(modes) else modes, tuple(runs))


def position_of_dh(letters: str) -> int | None:
    """Where old wiki pages wrote dh for a double move; h there is no half, and d something else."""
    at = letters.find("dh")
    return None if at < 0 or letters[at + 2 : at + 3] in {"l", "r"} else at


# Which legs slide


def max_steps_of_legs(chain: Chain) -> tuple[int, ...]:
    """How many steps the legs of a chain take at most, 0 for any number.

    The first leg, then every item of ``rest``: those inside a repeat are alike, and letters after
    one belong to legs that have gone before. After a leg with y or g one step and any number swap;
    a printed range counts for every leg.

    >>> from alfil.notation.betza.reader import read_betza
    >>> from alfil.source import Source
    >>> max_steps_of_legs(read_betza(Source("yafsF"))[0].terms[0])
    (1, 0)
    """
    if chain.range.written:
        return (chain.range.steps,) * (1 + len(chain.rest))
    steps = [chain.range.steps]
    swapped = toggles_range(chain.first.modes)
    for item in chain.rest:
        steps.append(chain.range.steps ^ swapped)
        if not isinstance(item, Repeat):
            swapped ^= toggles_range(item.modifiers.modes)
    return tuple(steps)


def letters_max_steps_and_atom_by_leg(term: BetzaTerm) -> list[tuple[Modifiers, int, Atom]]:
    """The letters of each leg, how many steps it takes at most, and its atom; tails as legs."""
    match term:
        case Leg():
            return [(term.modifiers, term.range.steps, term.atom)]
        case Chain():
            first, *later = max_steps_of_legs(term)
            result = [(term.first, first, term.atom)]
            for item, steps in zip(term.rest, later, strict=True):
                for each in item.legs if isinstance(item, Repeat) else (item,):
                    result.append((each.modifiers, steps, term.atom))
            return result
        case Path():
            return [(leg.modifiers, leg.range.steps, leg.atom) for leg in term.legs]
        case _:
            assert_never(term)


def modifiers_in(term: BetzaTerm) -> tuple[Modifiers, ...]:
    """The letters of a part, those that hold for all of it first; repeats and tails once."""
    legs = tuple([letters for letters, _, _ in letters_max_steps_and_atom_by_leg(term)])
    return (term.prefix, *legs) if isinstance(term, Path) else legs


# Ways


def vector_paths_of_legs(legs: Sequence[Leg], most: int | None = None) -> list[VectorPath]:
    """The ways through the legs of a path; cut short when they are more than ``most``."""
    return paths_through_legs(
        [leg.vectors for leg in legs], [bend_of_leg(leg) for leg in legs[1:]], most
    )


def bend_of_leg(leg: Leg) -> Bend:
    """The turn before a later leg of a path."""
    sense = bend_sense_of_modes(leg.modifiers.modes)
    return Bend(leg.turns, sense, chooses=True, span=leg.modifiers.span)


def path_ends(path: Path) -> tuple[Vector, ...]:
    """The ends that letters before a path choose among: where first steps of all legs lead."""
    return tuple(dict.fromkeys(map(end_of_path, vector_paths_of_legs(path.legs, MAX_PATHS))))


def prefix_tokens(path: Path, runs: DirectionTokens) -> DirectionTokens:
    """The tokens of runs before a path; none where nothing says how they are read."""
    if not runs or not all(leg.vectors for leg in path.legs):
        return ()
    system = system_of(path_ends(path))
    return _valid_tokens_of_runs(runs, system) if system else ()


def paths_chosen_by_prefix(path: Path, most: int | None = None) -> list[VectorPath]:
    """The ways through a path, those that letters before it choose; more than ``most`` are cut."""
    result = vector_paths_of_legs(path.legs, most)
    ends = tuple(dict.fromkeys(map(end_of_path, result)))
    system = system_of(ends)
    if not path.prefix.directions:
        return result
    ends_wanted = set(select_vectors(path.prefix.directions, ends, system)) if system else set()
    return [way for way in result if end_of_path(way) in ends_wanted]
