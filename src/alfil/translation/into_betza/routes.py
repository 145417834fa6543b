"""An automaton taken apart into routes: rows of straight runs, as the legs of Betza are.

A route says for each run its step, how many of them, how the move may end there and what may stand
on its last square when the piece goes on. What no row of a few runs can say (roaming, circles,
pieces passed by side) makes the whole automaton one that cannot be taken apart.
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
    ON_FRIEND,
    ON_ROYAL,
    ON_TRAIL,
    OVER_ANY,
    PAST_AWAY,
    PAST_EMPTY,
    TAKE_ANY,
    TAKE_FRIEND,
    TAKE_ROYAL,
    TAKE_TRAIL,
    THRU_ANY,
    Automaton,
    Record,
)

# No route has more runs than this, no automaton more routes and no walk more squares.
LONGEST = 6
MOST_ROUTES = 300
MOST_SQUARES = 5_000

# How many steps: exactly one of these numbers; none is any number.
Lengths: TypeAlias = tuple[int, ...]
ANY: Lengths = ()
ONE: Lengths = (1,)

_AT_HOME = ((*HOME, ON_EMPTY, ()),)
# The letters for what may stand where a route goes on; "" is an empty square only.
_GOES = (
    (TAKE_ANY, "c"),
    (TAKE_FRIEND, "d"),
    (TAKE_TRAIL, "e"),
    (OVER_ANY, "p"),
)


class Run(NamedTuple):
    """One leg of a route.

    ``land`` are the letters for the ways the move may end on its last square ("": it may not),
    ``go`` those for what may stand there when the piece goes on. ``hops``: over one piece.
    """

    step: Vector
    lengths: Lengths
    land: str
    go: str = ""
    hops: bool = False


HOMEWARD = Run((0, 0), ONE, "m")

Route: TypeAlias = tuple[Run, ...]


class Unsayable(Exception):
    """The automaton has paths that are no routes."""


class _Exit(NamedTuple):
    """A way to leave a run: the letters for its last square, and where to (None: home)."""

    go: str
    record: Record | None


@dataclass(slots=True)
class _Square:
    """What a run offers on one of its squares."""

    land: str
    exits: tuple[_Exit, ...]


@dataclass(slots=True)
class _Line:
    """A run in one direction; from ``tail`` on (0: never) every square is like that one."""

    step: Vector
    squares: list[_Square] = field(default_factory=list)
    tail: int = 0

    def numbers(self, found: list[int]) -> tuple[Lengths, int]:
        """Some of the squares: these, and all from a number on unless that is 0."""
        endless = self.tail if self.tail in found else 0
        some = tuple(at for at in found if at != endless)
        while endless > 1 and some and some[-1] == endless - 1:
            some, endless = some[:-1], endless - 1
        return some, endless


def routes(automaton: Automaton, *, single: bool = False) -> list[Route]:
    """The routes of an automaton; raises `Unsayable`.

    ``single`` makes every step a run of its own.

    >>> from alfil.meaning.piece import NOTHING
    >>> routes(NOTHING)
    []
    """
    return _Taking(automaton, single=single).all()


class _Taking:
    """Takes one automaton apart."""

    def __init__(self, automaton: Automaton, *, single: bool) -> None:
        self._single = single
        self._states = automaton.states
        self._known: dict[Record, list[Route]] = {}
        self._left = MOST_SQUARES

    def all(self) -> list[Route]:
        """The routes that begin at home."""
        found: list[Route] = []
        for record in self._states[0]:
            found += self._from(record, 1)
            if len(found) > MOST_ROUTES:
                raise Unsayable
        return found

    def _from(self, record: Record, depth: int) -> list[Route]:
        known = self._known.get(record)
        if known is None:
            if depth > LONGEST:
                raise Unsayable
            line = self._line(record)
            known = list(_stops(line))
            for route in self._onward(line, depth):
                known.append(route)
                if len(known) > MOST_ROUTES:
                    raise Unsayable
            self._known[record] = known
        return known

    def _line(self, record: Record) -> _Line:
        """The straight run that begins with a record."""
        line = _Line(record[:2])
        seen: list[Record] = []
        onward: Record | None = record
        while onward is not None:
            self._left -= 1
            if onward[2] or onward[:3] == HOME or self._left < 0:
                raise Unsayable
            seen.append(onward)
            exits, following = self._exits(onward)
            line.squares.append(_Square(landing(onward[3]), exits))
            if following in seen:
                if following != onward:
                    raise Unsayable
                line.tail = len(line.squares)
                return line
            onward = following
        return line

    def _exits(self, record: Record) -> tuple[tuple[_Exit, ...], Record | None]:
        """The ways to leave a run on one of its squares, and the record that goes straight on."""
        exits: list[_Exit] = []
        straight: Record | None = None
        for mask, target in record[4]:
            state = self._states[target]
            for go in going(mask):
                if state == _AT_HOME:
                    exits.append(_Exit(go, None))
                    continue
                for after in state:
                    if not go and after[:3] == record[:3] and not self._single:
                        straight = after
                    else:
                        exits.append(_Exit(go, after))
        return tuple(exits), straight

    def _onward(self, line: _Line, depth: int) -> Iterator[Route]:
        """The routes that leave a run for another direction, or for home."""
        places: dict[tuple[_Exit, str], list[int]] = {}
        for at, square in enumerate(line.squares, 1):
            for way in square.exits:
                places.setdefault((way, square.land), []).append(at)
        for (way, land), found in places.items():
            rests = [(HOMEWARD,)] if way.record is None else self._from(way.record, depth + 1)
            stop = land if joinable(land, way.go) else ""
            for opening in _openings(line, found, stop, way.go):
                for rest in rests:
                    yield (*opening, *rest)


def _stops(line: _Line) -> Iterator[Route]:
    """The routes that end somewhere along a line; what lands alike goes together."""
    lands = {square.land for square in line.squares if square.land}
    if len(lands) == 1:
        by_letters = dict.fromkeys(lands, lands)
    else:
        by_letters = {letter: {land for land in lands if letter in land} for letter in "mcdek"}
    found: dict[str, list[int]] = {}
    for letters, among in by_letters.items():
        at = [at for at, square in enumerate(line.squares, 1) if square.land in among]
        if at:
            found[letters] = at
    for letters, at in _paired(found).items():
        yield from _openings(line, at, letters, "")


def _paired(found: dict[str, list[int]]) -> dict[str, list[int]]:
    """Moves and captures together where one goes as far as the other."""
    moves, captures = found.get("m"), found.get("c")
    if moves is None or captures is None:
        return found
    less, more = ("m", "c") if set(moves) < set(captures) else ("c", "m")
    if not set(found[less]) <= set(found[more]):
        return found
    paired = {"mc": found[less], **{key: at for key, at in found.items() if key != less}}
    if found[less] == found[more]:
        del paired[more]
    return paired


def _openings(line: _Line, found: list[int], land: str, go: str) -> Iterator[Route]:
    """The runs along a line that end on the squares of these numbers."""
    some, endless = line.numbers(found)
    if some:
        yield (Run(line.step, some, land, go),)
    if endless == 1:
        yield (Run(line.step, ANY, land, go),)
    elif endless:
        yield (Run(line.step, (endless - 1,), ""), Run(line.step, ANY, land, go))


def joinable(land: str, go: str) -> bool:
    """Whether one leg may both end a move so and be passed so, as a leg before ? does.

    >>> joinable("mc", ""), joinable("c", ""), joinable("c", "c")
    (True, False, True)
    """
    return (land in {"m", "mc"} and not go) or (bool(land) and land == go)


def landing(emit: int) -> str:
    """The letters for the ways a move may end on a square; raises `Unsayable`.

    >>> landing(ON_EMPTY | CAPTURES), landing(CAPTURES), landing(ON_ROYAL | ON_FRIEND)
    ('mc', 'c', 'dk')
    """
    captures = emit & CAPTURES
    if captures not in {0, CAPTURES, ON_ROYAL}:
        raise Unsayable
    return (
        ("m" if emit & (ON_EMPTY | ON_AWAY) else "")
        + ("c" if captures == CAPTURES else "")
        + ("d" if emit & ON_FRIEND else "")
        + ("e" if emit & ON_TRAIL else "")
        + ("k" if captures == ON_ROYAL else "")
    )


def going(mask: int) -> tuple[str, ...]:
    """The letters for what may stand where a path goes on, one text for each kind of leg.

    Raises `Unsayable` for pieces of one side that are passed.

    >>> going(PAST_EMPTY), going(PAST_EMPTY | THRU_ANY), going(PAST_EMPTY | OVER_ANY)
    (('',), ('mp',), ('', 'p'))
    """
    empty = bool(mask & (PAST_EMPTY | PAST_AWAY))
    rest = mask & ~(PAST_EMPTY | PAST_AWAY)
    if rest & THRU_ANY:
        if not empty or rest != THRU_ANY:
            raise Unsayable
        return ("mp",)
    letters = ""
    for each, letter in _GOES:
        if rest & each == each:
            letters, rest = letters + letter, rest & ~each
    if rest == TAKE_ROYAL:
        letters, rest = letters + "k", 0
    if rest:
        raise Unsayable
    hop, takes = "p" in letters, letters.replace("p", "")
    found = [f"m{takes}" if empty and takes else takes if takes or empty else None]
    return tuple(each for each in (*found, "p" if hop else None) if each is not None)
