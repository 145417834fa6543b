"""Betza for moves that repeat one leap: crooked, circular and roaming pieces, and long chains.

What such an automaton repeats can be read off its first steps. From that a few texts are made, and
the caller compares each with the meaning: a guess costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from alfil.geometry import Vector, compass, every_image, images, is_oblique
from alfil.meaning.automaton import HOME, Automaton, Record
from alfil.meaning.normal import has_loop
from alfil.notation.betza.directions import fewest_first, fewest_turns, run
from alfil.notation.betza.nodes import BetzaTerm
from alfil.notation.betza.spelling import atom_text
from alfil.translation.into_betza.letters import base_of
from alfil.translation.into_betza.phrases import UNIT
from alfil.translation.into_betza.routes import Unsayable, going, landing
from alfil.translation.into_betza.shapes import part

# Larger automata are not guessed at, and no chain of more legs is written out.
LARGEST = 150
MOST_LEGS = 7
_CIRCLE = 7
_BACK = 4
_SENSES = {frozenset({1, 7}): "q", frozenset({2, 6}): "z"}

Parts: TypeAlias = tuple[BetzaTerm, ...]


class _Level(NamedTuple):
    """One step of a path: what its turn may be (in eighths), how it ends, and what may stand there.

    ``go`` is None where the path goes no further.
    """

    turns: frozenset[int]
    land: str
    go: str | None


class _Motif(NamedTuple):
    """What an automaton repeats: an atom, the letters of its first step, and its first levels.

    ``endless`` is true where paths have no longest one.
    """

    bases: tuple[Vector, ...]
    start: str
    levels: tuple[_Level, ...]
    endless: bool


def wandering(automaton: Automaton) -> Iterator[Parts]:
    """Parts that may have the paths of an automaton, likely ones first."""
    if len(automaton.states) > LARGEST:
        return
    try:
        motif = _motif(automaton)
    except Unsayable:
        return
    for texts in _guesses(motif):
        try:
            yield tuple([part(text) for text in texts])
        except Unsayable:
            continue


def _motif(automaton: Automaton) -> _Motif:
    """The motif of an automaton, read off one of its longest beginnings."""
    records = [record for record in automaton.states[0] if record[:3] != HOME]
    if not records or any(record[2] for record in records):
        raise Unsayable
    bases = tuple(sorted({base_of(record[:2]) for record in records}))
    if len(bases) > 1 and bases != UNIT:
        raise Unsayable
    steps = frozenset([record[:2] for record in records])
    found = fewest_first(steps, every_image(bases))
    if found is None:
        raise Unsayable
    levels = tuple(_levels(automaton, records[0], MOST_LEGS))
    for record in records[1:]:
        if tuple(_levels(automaton, record, 2)) != levels[:2]:
            raise Unsayable
    return _Motif(bases, run(*found), levels, has_loop(automaton))


def _levels(automaton: Automaton, record: Record, most: int) -> Iterator[_Level]:
    """The first levels of a path that begins with a record."""
    turns = frozenset({0})
    for _ in range(most):
        onward = [(mask, target) for mask, target in record[4]]
        if len(onward) > 1:
            raise Unsayable
        letters = going(onward[0][0]) if onward else ()
        if len(letters) > 1:
            raise Unsayable
        yield _Level(turns, landing(record[3]), letters[0] if letters else None)
        if not onward:
            return
        following = automaton.states[onward[0][1]]
        base, step = base_of(record[:2]), record[:2]
        if any(after[:3] == HOME or not _alike(base, after) for after in following):
            raise Unsayable
        turns = frozenset([_turn(step, after[:2]) for after in following])
        record = max(following, key=lambda after: len(after[4]))


def _alike(base: Vector, after: Record) -> bool:
    other = base_of(after[:2])
    return other == base or (base in UNIT and other in UNIT)


def _turn(before: Vector, after: Vector) -> int:
    if not is_oblique(before):
        return (compass(after) - compass(before)) % 8
    ring = images(abs(before[0]), abs(before[1]))
    return (ring.index(after) - ring.index(before)) % 8


def _guesses(motif: _Motif) -> Iterator[list[str]]:
    first, *later = motif.levels
    name = atom_text(motif.bases, 1)
    if not later:
        return
    if motif.endless and (_BACK in later[0].turns or first.go == "mp"):
        return  # no two descriptions can be compared of going back, or over anything, at will
    if not first.land and motif.endless:
        yield from _lame_riders(motif)
    if first.land in {"m", "c", "mc"} and not first.go:
        sense = _SENSES.get(later[0].turns, "")
        if sense:
            count = len(motif.levels)
            whole = motif.endless or (sense == "q" and count == _CIRCLE)
            mode = "" if first.land == "mc" else first.land
            runs = name if not whole or motif.bases[0][1] > 1 else atom_text(motif.bases, 0)
            yield [f"{motif.start}{mode}{sense}{runs}{'' if whole else count}"]
    if motif.endless or len(motif.levels) == _CIRCLE:
        yield from _repeats(motif, name)
    else:
        yield [_chain(motif, at) + name for at, level in enumerate(motif.levels) if level.land]


def _lame_riders(motif: _Motif) -> Iterator[list[str]]:
    """Riders of D, A, H and G whose leaps can be blocked."""
    for size in (2, 3):
        if len(motif.bases) == 1:
            ((a, b),) = motif.bases
            yield [f"{motif.start}n{atom_text(((a * size, b * size),), 0)}"]


def _repeats(motif: _Motif, name: str) -> Iterator[list[str]]:
    """Repeats of one turn, or of two in turn; the last leg apart where its letters differ."""
    first, second, *more = motif.levels
    same = _same(first)
    turn = _tokens(second)
    if same is None:
        go = first.go or ""
        alone = [f"{motif.start}{first.land}{name}"] if first.land else []
        last = "" if second.land == "mc" else second.land
        yield [*alone, f"{motif.start}{go}(a{turn}{go})a{turn}{last}{name}"]
        return
    yield [f"{motif.start}{same}(a{turn}{same}){name}"]
    if more and more[0].turns != second.turns:
        again = _tokens(more[0])
        both = f"{motif.start}{same}(a{turn}{same}a{again}{same})"
        yield [f"{both}{name}", f"{both}a{turn}{same}{name}"]


def _same(level: _Level) -> str | None:
    """The letters for legs that may be the last one or not, None where these differ."""
    if level.land in {"m", "mc"} and not level.go:
        return "" if level.land == "mc" else "m"
    return level.land if level.land == level.go else None


def _tokens(level: _Level) -> str:
    return run(fewest_turns(level.turns) or (), "K")


def _chain(motif: _Motif, last: int) -> str:
    """The letters of a chain that ends after so many levels."""
    texts = []
    for at, level in enumerate(motif.levels[: last + 1]):
        ending = "" if level.land == "mc" else level.land
        letters = ending if at == last else level.go or ""
        texts.append((_tokens(level) if at else motif.start) + letters)
    return "a".join(texts)
