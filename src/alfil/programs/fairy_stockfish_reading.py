"""Fairy-Stockfish: a reader that skips every character it does not know.

Measured by running the program's Python build 0.0.90. Its model of a piece is in
`alfil.notation.betza.program_quirks`, since the dialect of that name needs it too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from alfil.geometry import Vector, all_images, base_vector
from alfil.notation.betza.directions import atom_system, first_leg_tokens_for
from alfil.notation.betza.letters import FAIRY_STOCKFISH, AtomEntry, Mode
from alfil.notation.betza.nodes import Atom, BetzaTerm, Leg, Modifiers, Path, Range
from alfil.notation.betza.program_quirks import (
    AXIS_BY_LETTER,
    ProgramMove,
    Ride,
    RideKind,
    combined_rides,
    program_directions,
    program_move_form_and_limit,
)
from alfil.notation.betza.writer import write_betza
from alfil.notation.description import Description
from alfil.programs import PredictedReading, merge_offsets_into_spans
from alfil.source import Span

NAME = "fairy-stockfish"
KING: tuple[Vector, ...] = ((0, 1), (1, 1))
MODE_LETTERS = "mcinpg"
MOVE_MODES: tuple[Mode, ...] = ("m", "c")
LETTERS_BY_RIDE_KIND: dict[RideKind, tuple[Mode, ...]] = {
    "hop": ("p",),
    "grass": ("g",),
    "lame": ("n",),
}
Modes: TypeAlias = tuple[Mode, ...]


@dataclass(slots=True)
class _LettersBeforeAtom:
    """The letters read since the last atom, with their places."""

    direction_runs: list[str] = field(default_factory=list)
    modes: dict[str, int] = field(default_factory=dict)
    places: list[int] = field(default_factory=list)
    last_direction_place: int = -2

    def add_letter(self, letter: str, place: int) -> bool:
        """Take in a letter; False when it is none the program knows."""
        if letter in AXIS_BY_LETTER:
            if place == self.last_direction_place + 1:
                self.direction_runs[-1] += letter
            else:
                self.direction_runs.append(letter)
            self.last_direction_place = place
        elif letter in MODE_LETTERS:
            self.modes[letter] = place
        else:
            return False
        self.places.append(place)
        return True


# Files and games have the same few texts again and again.
@lru_cache(maxsize=256)
def predict(text: str) -> PredictedReading:
    """What Fairy-Stockfish does with a text.

    >>> predict("[F?R]").betza, predict("RfpR").betza
    ('RF', 'RvpR')
    """
    entries, ignored = _moves_and_ignored_places(text)
    terms = tuple(_betza_terms_of_rides(_without_redundant_rides(combined_rides(entries))))
    written = write_betza(Description(terms, "betza", "betza"))
    return PredictedReading(text, NAME, written, merge_offsets_into_spans(ignored))


def _moves_and_ignored_places(text: str) -> tuple[Iterator[ProgramMove], list[int]]:
    """The entries of the text's atoms, and the places of what the program passes over."""
    # Long texts have the same few atoms again and again.
    by_atom: dict[str, tuple[ProgramMove, ...]] = {}
    atoms: list[str] = []
    ignored: list[int] = []
    letters = _LettersBeforeAtom()
    at = begun = 0
    while at < len(text):
        sign = text[at]
        atom = FAIRY_STOCKFISH.atoms.get(sign)
        at += 1
        if atom is None:
            known = letters.add_letter(sign, at - 1)
            if not known and not sign.isspace():
                ignored.append(at - 1)
            continue
        after = text[at : at + 1]
        far = after if after == sign or (after.isascii() and after.isdigit()) else ""
        at += len(far)
        atoms.append(text[begun:at])
        if atoms[-1] not in by_atom:
            span = Span(at - 1 - len(far), at)
            by_atom[atoms[-1]] = tuple(_moves_of_atom(letters, atom, far, span))
        begun = at
        if "n" in letters.modes and (far or atom.slides):
            ignored.append(letters.modes["n"])
        letters = _LettersBeforeAtom()
    entries = chain.from_iterable(map(by_atom.__getitem__, atoms))
    return entries, ignored + letters.places


def _moves_of_atom(
    letters: _LettersBeforeAtom, atom: AtomEntry, range_text: str, span: Span
) -> Iterator[ProgramMove]:
    """The entries of one atom; ``range_text`` is its digit or the letter again."""
    modes = letters.modes
    modes_wanted: list[Mode] = [mode for mode in MOVE_MODES if mode in modes] or [*MOVE_MODES]
    if "i" in modes:
        modes_wanted = ["i"] if "m" in modes_wanted else []
    form, limit = program_move_form_and_limit(
        modes, range_text, rides=bool(range_text) or atom.slides
    )
    compound = len(atom.vectors) > 1
    for base in atom.vectors:
        for vector in program_directions(letters.direction_runs, base, compound=compound):
            for mode in modes_wanted:
                yield ProgramMove(mode, form, vector, limit, span)


def _without_redundant_rides(rides: Iterable[Ride]) -> list[Ride]:
    """The rides without those that others make superfluous."""
    rides_kept: list[Ride] = []
    for ride in rides:
        if ride.distances() and not any(_covers_ride(other, ride) for other in rides_kept):
            rides_kept = [other for other in rides_kept if not _covers_ride(ride, other)]
            rides_kept.append(ride)
    return rides_kept


def _covers_ride(one: Ride, other: Ride) -> bool:
    """Whether whatever a ride does is done by another one too."""
    if one.mode != other.mode or one.vector != other.vector:
        return False
    straight_lame = other.kind == "lame" and one.kind == "slide"
    if one.kind not in {"leap", other.kind} and not straight_lame:
        return False
    return other.distances() <= one.distances()


def _betza_terms_of_rides(rides: Iterable[Ride]) -> Iterator[BetzaTerm]:
    """The rides as parts of a description."""
    modes: dict[Ride, list[Mode]] = {}
    for ride in rides:
        modes.setdefault(ride._replace(mode="m"), []).append(ride.mode)
    parts: dict[tuple[Ride, Modes], dict[Vector, list[Vector]]] = {}
    for ride, those in modes.items():
        for manner in _separate_initial_modes(those):
            part = parts.setdefault((ride._replace(vector=(0, 0)), manner), {})
            part.setdefault(base_vector(ride.vector), []).append(ride.vector)
    for (ride, manner), bases in parts.items():
        for atom, vectors in _group_vectors_by_atom(bases, joins_king=ride.every == 1):
            yield from _betza_terms_of_ride_kind(ride, manner, atom, vectors)


def _separate_initial_modes(modes: list[Mode]) -> Iterator[Modes]:
    """The letters for the modes of a ride: those of a first move are a part of their own."""
    plain = tuple(mode for mode in modes if mode != "i")
    if plain:
        yield plain
    if "i" in modes:
        yield ("i", "m")


def _group_vectors_by_atom(
    bases: dict[Vector, list[Vector]], *, joins_king: bool
) -> Iterator[tuple[tuple[Vector, ...], list[Vector]]]:
    """The atoms of vectors: orthogonal and diagonal ones together where all eight are there."""
    king = [vector for base in KING for vector in bases.get(base, ())]
    whole = joins_king and len(king) == len(all_images(KING))
    if whole:
        yield KING, king
    for base, vectors in bases.items():
        if not (whole and base in KING):
            yield (base,), vectors


def _betza_terms_of_ride_kind(
    ride: Ride, modes: Modes, bases: tuple[Vector, ...], vectors: list[Vector]
) -> Iterator[BetzaTerm]:
    """A kind of ride as one part, or as several where a hop ends at certain distances only."""
    hops = ride.kind in {"hop", "grass"}
    if hops and ride.every > 1 and ride.distances() != {2}:
        yield from _hop_paths(ride, modes, bases, vectors)
        return
    limit = ride.limit * ride.every if hops else ride.limit
    times = 1 if hops else ride.every
    extra = LETTERS_BY_RIDE_KIND.get(
        "lame" if ride.kind == "slide" and ride.every > 1 else ride.kind, ()
    )
    yield _betza_leg_in_directions((*modes, *extra), bases, times, limit, vectors)


def _betza_leg_in_directions(
    modes: Modes, bases: tuple[Vector, ...], scale: int, longest: int, vectors: list[Vector]
) -> Leg:
    """A leg in some directions; without any it goes on as the one before."""
    every = all_images(bases)
    is_directed = 0 < len(vectors) < len(every)
    tokens = first_leg_tokens_for(vectors, every, atom_system(bases)) if is_directed else ()
    scaled = tuple((a * scale, b * scale) for a, b in bases)
    return Leg(Modifiers(tokens, modes), Atom("", scaled), Range(longest, str(longest)))


def _hop_paths(
    ride: Ride, modes: Modes, bases: tuple[Vector, ...], vectors: list[Vector]
) -> Iterator[Path]:
    """Hops that end at certain distances: every step a leg, with a hurdle at one of them."""
    initial = tuple(mode for mode in modes if mode == "i")
    ending = tuple(mode for mode in modes if mode != "i")
    for base in bases:
        here = [vector for vector in vectors if base_vector(vector) == base]
        for far in sorted(ride.distances()):
            for hurdle in range(1, far) if ride.kind == "hop" else (far - 1,):
                legs = [
                    _betza_leg_in_directions(
                        ("p",) if step == hurdle else (), (base,), 1, 1, here if step == 1 else []
                    )
                    for step in range(1, far)
                ]
                legs.append(_betza_leg_in_directions(ending, (base,), 1, 1, []))
                yield _path_of_straight_legs(initial, legs)


def _path_of_straight_legs(initial: Modes, legs: list[Leg]) -> Path:
    """Steps straight on."""
    later = [Leg(Modifiers(("f",), leg.modifiers.modes), leg.atom, leg.range) for leg in legs[1:]]
    return Path(Modifiers((), initial), (legs[0], *later), ("-",) * len(later), "[]")
