"""An automaton taken apart into rows of straight runs.

A row says for each run its step, how many of them, how the move may end there and what may stand on
its last square when the piece goes on. What no row of a few runs can say (roaming, circles, wrapped
boards) makes the whole automaton one that cannot be taken apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from alfil.effort import spend
from alfil.geometry import Vector
from alfil.meaning import automaton
from alfil.meaning.automaton import HOME, ON_AWAY, ON_EMPTY, PAST_EMPTY, Automaton, Record
from alfil.meaning.compile import PASSAGES
from alfil.meaning.runs import ENDS
from alfil.movement.nodes import End, Passage
from alfil.movement.rows import (
    ANY,
    HOMEWARD,
    HOPS,
    QUIET,
    WHATEVER,
    Row,
    Run,
    Unsayable,
    may_stop,
)

# No row has more runs than this, no automaton more rows and no walk more squares.
LONGEST = 6
MOST_ROWS = 600
MOST_SQUARES = 20_000
# The work that one of them is.
SQUARE = 4

_AT_HOME = ((*HOME, ON_EMPTY, ()),)
_QUIETLY: tuple[End, ...] = ("empty",)
_TAKING: tuple[End, ...] = ("enemy", "royal")
_FRIENDLY: tuple[End, ...] = ("friend",)


class _Exit(NamedTuple):
    """A way to leave a run: what may stand on its last square, and where to (None: home)."""

    through: tuple[Passage, ...]
    record: Record | None


@dataclass(slots=True)
class _Square:
    """What a run offers on one of its squares."""

    ends: tuple[End, ...]
    exits: tuple[_Exit, ...]


@dataclass(slots=True)
class _Line:
    """A run in one direction; from ``tail`` on (0: never) every square is like that one.

    ``along`` is what may stand on those that it passes, nothing where it does not go straight on.
    """

    step: Vector
    squares: list[_Square] = field(default_factory=list)
    tail: int = 0
    along: tuple[Passage, ...] = ()

    def runs(self, found: list[int], last: Run) -> Iterator[Row]:
        """The runs along the line that end on the squares of these numbers, as the last one does.

        Where all squares from a number on are alike, the way there is a run of its own.
        """
        endless = self.tail if self.tail in found else 0
        some = tuple(at for at in found if at != endless)
        while endless > 1 and some and some[-1] == endless - 1:
            some, endless = some[:-1], endless - 1
        if some:
            yield (last._replace(lengths=some),)
        if endless == 1:
            yield (last,)
        elif endless:
            yield (Run(self.step, (endless - 1,), (), QUIET, over=last.over), last)


def rows_of(
    automaton: Automaton, *, single: bool = False, apart: bool = False, over: bool = False
) -> list[Row]:
    """The rows of an automaton; raises `Unsayable`.

    ``single`` makes every step a run of its own, as the rounds of a loop are. ``apart`` tells moves
    and captures together only where both go as far, and lets every run end as its squares allow;
    otherwise a run ends so only where one leg of Betza could, as legs that go on are written there.
    With ``over`` there may be runs that pass whatever stands in their way.

    >>> from alfil.meaning.automaton import NOTHING
    >>> rows_of(NOTHING)
    []
    """
    taking = _Taking(automaton, single=single, apart=apart, over=over)
    found: list[Row] = []
    for record in automaton.states[0]:
        found += taking.beginning(record, 1)
        if len(found) > MOST_ROWS:
            raise Unsayable
    return found


class _Taking:
    """Takes one automaton apart."""

    def __init__(self, automaton: Automaton, *, single: bool, apart: bool, over: bool) -> None:
        self._apart = apart
        # What a run may have on the squares that it passes.
        self._along = (
            {QUIET, WHATEVER} if over else set[tuple[Passage, ...]]() if single else {QUIET}
        )
        self._states = automaton.states
        self._known: dict[Record, list[Row]] = {}
        self._left = MOST_SQUARES

    def beginning(self, record: Record, depth: int) -> list[Row]:
        """The rows that begin with one record of a state."""
        known = self._known.get(record)
        if known is None:
            if depth > LONGEST:
                raise Unsayable
            line = self._line(record)
            known = list(self._stops(line))
            for row in self._onward(line, depth):
                known.append(row)
                if len(known) > MOST_ROWS:
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
            spend(SQUARE)
            if onward[2] or onward[:3] == HOME or self._left < 0:
                raise Unsayable
            seen.append(onward)
            exits, following = self._exits(onward, line)
            line.squares.append(_Square(ends_of(onward[3]), exits))
            if following in seen:
                if following != onward:
                    raise Unsayable
                line.tail = len(line.squares)
                return line
            onward = following
        return line

    def _exits(self, record: Record, line: _Line) -> tuple[tuple[_Exit, ...], Record | None]:
        """The ways to leave a run on one of its squares, and the record that goes straight on."""
        alongs = {line.along} if line.along else self._along
        exits: list[_Exit] = []
        straight: Record | None = None
        for mask, target in record[4]:
            state = self._states[target]
            for through in passages_of(mask):
                if state == _AT_HOME:
                    exits.append(_Exit(through, None))
                    continue
                for after in state:
                    if through in alongs and after[:3] == record[:3]:
                        straight, line.along = after, through
                    else:
                        exits.append(_Exit(through, after))
        return tuple(exits), straight

    def _onward(self, line: _Line, depth: int) -> Iterator[Row]:
        """The rows that leave a run for another direction, or for home."""
        places: dict[tuple[_Exit, tuple[End, ...]], list[int]] = {}
        for at, square in enumerate(line.squares, 1):
            for way in square.exits:
                quiet = self._apart and way.through == QUIET
                kept = way.record and (quiet or may_stop(square.ends, way.through))
                places.setdefault((way, square.ends if kept else ()), []).append(at)
        for (way, ends), found in places.items():
            rests = [(HOMEWARD,)] if way.record is None else self.beginning(way.record, depth + 1)
            last = Run(line.step, ANY, ends, way.through, over=line.along == WHATEVER)
            for opening in line.runs(found, last):
                for rest in rests:
                    yield (*opening, *rest)

    def _stops(self, line: _Line) -> Iterator[Row]:
        """The rows that end somewhere along a line; what ends alike goes together."""
        every = {square.ends for square in line.squares if square.ends}
        ways = every if len(every) == 1 else _ways_to_end(every)
        found: dict[tuple[End, ...], list[int]] = {}
        for ends in ways:
            at = [at for at, each in enumerate(line.squares, 1) if set(ends) <= set(each.ends)]
            if at:
                found[ends] = at
        for ends, at in self._united(found).items():
            last = Run(line.step, ANY, ends, over=line.along == WHATEVER)
            yield from line.runs(at, last)

    def _united(self, found: dict[tuple[End, ...], list[int]]) -> dict[tuple[End, ...], list[int]]:
        """Moves and captures together where one goes as far as the other."""
        if self._apart:
            return _as_far(found)
        moves, captures = found.get(_QUIETLY), found.get(_TAKING)
        if moves is None or captures is None:
            return found
        less, more = (_QUIETLY, _TAKING) if set(moves) < set(captures) else (_TAKING, _QUIETLY)
        if not set(found[less]) <= set(found[more]):
            return found
        both = {(*_QUIETLY, *_TAKING): found[less]}
        both |= {ends: at for ends, at in found.items() if ends != less}
        if found[less] == found[more]:
            del both[more]
        return both


def _as_far(found: dict[tuple[End, ...], list[int]]) -> dict[tuple[End, ...], list[int]]:
    """Ways to end together where they go equally far; captures of friends with all captures."""
    alike = {ends: tuple(at) for ends, at in found.items()}
    friends, captures = alike.pop(_FRIENDLY, ()), alike.get(_TAKING, ())
    if friends and not set(friends) <= set(captures):
        return found
    if friends == captures:
        alike.pop(_TAKING, None)
    if friends:
        alike[*_TAKING, *_FRIENDLY] = friends
    quiet = alike.get(_QUIETLY)
    for ends, at in list(alike.items()):
        if at == quiet and ends[0] == _TAKING[0]:
            del alike[ends], alike[_QUIETLY]
            alike[*_QUIETLY, *ends] = at
            quiet = None
    return {ends: list(at) for ends, at in alike.items()}


def _ways_to_end(every: set[tuple[End, ...]]) -> list[tuple[End, ...]]:
    """The ways to end one by one; a capture is of royal pieces and others alike where it can be."""
    alone = any(("royal" in ends) != ("enemy" in ends) for ends in every)
    more: tuple[End, ...] = ("friend", "passer", *(("enemy", "royal") if alone else ()))
    return [_QUIETLY, _TAKING, *((end,) for end in more)]


@lru_cache(maxsize=256)
def ends_of(emit: int) -> tuple[End, ...]:
    """The ways a move may end on a square; away from home is no way of its own here.

    >>> from alfil.meaning.automaton import CAPTURES
    >>> ends_of(ON_AWAY | CAPTURES)
    ('empty', 'enemy', 'royal')
    """
    plain = emit | (ON_EMPTY if emit & ON_AWAY else 0)
    return tuple(end for end, bit in ENDS.items() if plain & bit and end != "away")


@lru_cache(maxsize=256)
def passages_of(mask: int) -> tuple[tuple[Passage, ...], ...]:
    """What may stand where a path goes on, hurdles apart: going over one is a leg of its own.

    >>> passages_of(PAST_EMPTY | PASSAGES["hop-friend"])
    (('empty',), ('hop-friend',))
    """
    plain = mask | (PAST_EMPTY if mask & automaton.PAST_AWAY else 0)
    every = [each for each, bit in PASSAGES.items() if plain & bit and each != "away"]
    parted = [tuple(each for each in every if (each in HOPS) is kind) for kind in (False, True)]
    return tuple(found for found in parted if found)
