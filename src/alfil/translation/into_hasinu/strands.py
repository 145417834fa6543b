"""An automaton taken apart into strands: rows of legs along one direction each.

A strand stands for itself and for every stop on its way, as a bent move of Ħasínū does. What a
strand cannot say (captures on the way, hurdles, wrapped boards, pieces of the own side) makes the
whole automaton one that cannot be taken apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from alfil.geometry import Vector
from alfil.meaning.automaton import (
    CAPTURES,
    HOME,
    ON_AWAY,
    ON_EMPTY,
    PAST_AWAY,
    PAST_EMPTY,
    TAKE_ANY,
    TAKE_FRIEND,
    Automaton,
    Record,
)
from alfil.translation.into_hasinu.steps import Land, Lengths

# No strand has more legs than this, no automaton more strands and no walk more steps.
LONGEST = 6
MOST_STRANDS = 600
MOST_STEPS = 20_000

_LANDS: dict[int, Land] = {0: "", 1: "m", 2: "c", 3: "mc"}
_SHOTS: dict[int, Land] = {TAKE_ANY: "iE", TAKE_FRIEND: "iF", TAKE_ANY | TAKE_FRIEND: "iFE"}
_AT_HOME = ((*HOME, ON_EMPTY, ()),)


class Segment(NamedTuple):
    """One leg of a strand: a direction, how many steps, and how the move may end on them."""

    vector: Vector
    lengths: Lengths
    land: Land


Strand: TypeAlias = tuple[Segment, ...]


class Unsayable(Exception):
    """The automaton has paths that are no strands."""


@dataclass(slots=True)
class _Square:
    """What a run offers on one of its squares: ways to end, a shot, and other ways to go on."""

    land: int
    shot: Land
    sides: tuple[Record, ...] = ()


@dataclass(slots=True)
class _Run:
    """A run in one direction; from ``tail`` on (0: never) every square is like that one."""

    vector: Vector
    squares: list[_Square] = field(default_factory=list)
    tail: int = 0


class _Numbers(NamedTuple):
    """Some of the squares of a run: these, and all from ``tail`` on unless that is 0."""

    some: tuple[int, ...]
    tail: int


def strands(automaton: Automaton, *, single: bool = False) -> list[Strand]:
    """The strands of an automaton; raises `Unsayable`.

    ``single`` makes every step a leg of its own, as the rounds of a loop are.
    """
    return _Taking(automaton, single=single).all()


class _Taking:
    """Takes one automaton apart."""

    def __init__(self, automaton: Automaton, *, single: bool) -> None:
        self._single = single
        self._states = automaton.states
        self._known: dict[Record, list[Strand]] = {}
        self._left = MOST_STEPS

    def all(self) -> list[Strand]:
        """The strands that begin at home."""
        found: list[Strand] = []
        for record in self._states[0]:
            found += self._from(record, 1)
            if len(found) > MOST_STRANDS:
                raise Unsayable
        return found

    def _from(self, record: Record, depth: int) -> list[Strand]:
        """The strands that begin with one record of a state."""
        known = self._known.get(record)
        if known is None:
            if depth > LONGEST:
                raise Unsayable
            run = self._run(record)
            known = [*_stops(run), *self._onward(run, depth)]
            known = _without_prefixes(known)
            if len(known) > MOST_STRANDS:
                raise Unsayable
            self._known[record] = known
        return known

    def _run(self, record: Record) -> _Run:
        """The straight run that begins with a record."""
        run = _Run(record[:2])
        states: list[int] = []
        while True:
            self._left -= 1
            if record[2] or record[:3] == HOME or self._left < 0:
                raise Unsayable
            square, target = self._square(record)
            run.squares.append(square)
            if target < 0:
                return run
            onward, others = self._parted(target, run.vector)
            square.sides = tuple(others)
            if onward and target in states:
                if target != states[-1]:
                    raise Unsayable
                run.tail = len(run.squares)
                _shorten(run)
                return run
            if not onward:
                return run
            states.append(target)
            record = onward[0]

    def _parted(self, state: int, vector: Vector) -> tuple[list[Record], list[Record]]:
        """The records of a state that go straight on, and the others."""
        records = self._states[state]
        if self._single:
            return [], list(records)
        return (
            [each for each in records if each[:2] == vector],
            [each for each in records if each[:2] != vector],
        )

    def _square(self, record: Record) -> tuple[_Square, int]:
        """What the record offers on its square, and the state it goes on in (-1: none)."""
        emit = record[3]
        captures = emit & CAPTURES
        if emit & ~(ON_EMPTY | ON_AWAY | CAPTURES) or captures not in {0, CAPTURES}:
            raise Unsayable
        land = bool(emit & (ON_EMPTY | ON_AWAY)) + 2 * bool(captures)
        shot: Land = ""
        onward = -1
        for mask, target in record[4]:
            if self._states[target] == _AT_HOME and mask in _SHOTS:
                shot = _SHOTS[mask]
            elif mask & ~(PAST_EMPTY | PAST_AWAY) or onward >= 0:
                raise Unsayable
            else:
                onward = target
        return _Square(land, shot), onward

    def _onward(self, run: _Run, depth: int) -> Iterator[Strand]:
        """The strands that leave a run for another direction."""
        places: dict[tuple[Record, int], list[int]] = {}
        for at, square in enumerate(run.squares, 1):
            for side in square.sides:
                places.setdefault((side, square.land), []).append(at)
        for (record, land), found in places.items():
            for opening in _openings(run.vector, _numbers(found, run.tail), _LANDS[land]):
                for rest in self._from(record, depth + 1):
                    yield (*opening, *rest)


def _shorten(run: _Run) -> None:
    """Let the tail begin with the first square from which on all are alike."""
    while len(run.squares) > 1 and _offer(run.squares[-2]) == _offer(run.squares[-1]):
        run.squares.pop()
        run.tail -= 1


def _offer(square: _Square) -> tuple[object, ...]:
    return square.land, square.shot, square.sides


def _numbers(found: list[int], tail: int) -> _Numbers:
    endless = tail if tail and tail in found else 0
    return _Numbers(tuple(at for at in found if at != endless), endless)


def _stops(run: _Run) -> Iterator[Strand]:
    """The strands that end somewhere along a run."""
    ends: dict[Land, list[int]] = {}
    for at, square in enumerate(run.squares, 1):
        for bit in (1, 2):
            if square.land & bit:
                ends.setdefault(_LANDS[bit], []).append(at)
        if square.shot:
            ends.setdefault(square.shot, []).append(at)
    if "m" in ends and ends["m"] == ends.get("c"):
        ends["mc"] = ends.pop("m")
        del ends["c"]
    for land, found in ends.items():
        yield from _openings(run.vector, _numbers(found, run.tail), land)


def _openings(vector: Vector, numbers: _Numbers, land: Land) -> Iterator[Strand]:
    """The legs of one direction that end on the squares of these numbers."""
    some, tail = numbers
    if tail == 1:
        yield (Segment(vector, None, land),)
        return
    if some:
        yield (Segment(vector, some, land),)
    if tail:
        yield (Segment(vector, (tail,), land), Segment(vector, None, land))


def _without_prefixes(found: list[Strand]) -> list[Strand]:
    """The strands without those that are stops on the way of another one."""
    starts = {strand[:length] for strand in found for length in range(1, len(strand))}
    return [strand for strand in dict.fromkeys(found) if strand not in starts]
