"""An automaton taken apart into rows of straight runs.

A row says for each run its step, how many of them, how the move may end there and what may stand on
its last square when the piece goes on. What no row of a few runs can say (roaming, circles, wrapped
boards) makes the whole automaton one that cannot be taken apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from alfil.geometry import Vector
from alfil.meaning import automaton
from alfil.meaning.automaton import (
    HOME,
    ON_AWAY,
    ON_EMPTY,
    PAST_EMPTY,
    Automaton,
    StepRecord,
    canonical_automaton,
)
from alfil.meaning.compile_movement import BITS_BY_PASSAGE
from alfil.meaning.plain_runs import BIT_BY_END
from alfil.movement.nodes import End, Passage
from alfil.movement.run_sequences import (
    ANY_LENGTH,
    EMPTY_PASSAGE,
    HOMEWARD_RUN,
    HOP_PASSAGES,
    PASS_ANYTHING,
    NotExpressible,
    Run,
    RunSequence,
    may_continue_where_it_ends,
)
from alfil.work_limit import charge

# No row has more runs than this, no automaton more rows and no walk more squares.
MAX_RUNS = 6
MOST_ROWS = 600
MOST_SQUARES = 20_000
# The work that one of them is.
WORK_PER_SQUARE = 4

_RECORD_AT_HOME: StepRecord = (*HOME, ON_EMPTY, ())
_QUIET_ENDS: tuple[End, ...] = ("empty",)
_CAPTURE_ENDS: tuple[End, ...] = ("enemy", "royal")
_FRIEND_ENDS: tuple[End, ...] = ("friend",)


class _RunExit(NamedTuple):
    """A way to leave a run: what may stand on its last square, and where to (None: home)."""

    through: tuple[Passage, ...]
    record: StepRecord | None


@dataclass(slots=True)
class _RunSquare:
    """What a run offers on one of its squares."""

    ends: tuple[End, ...]
    exits: tuple[_RunExit, ...]


@dataclass(slots=True)
class _StraightRun:
    """A run in one direction; from ``repeats_from`` on (0: never) every square is like that one.

    ``along`` is what may stand on those that it passes, nothing where it does not go straight on.
    """

    step: Vector
    squares: list[_RunSquare] = field(default_factory=list)
    repeats_from: int = 0
    along: tuple[Passage, ...] = ()

    def sequences_ending_at(self, square_numbers: list[int], last: Run) -> Iterator[RunSequence]:
        """The runs along the line that end on the squares of these numbers, as the last one does.

        Where all squares from a number on are alike, the way there is a run of its own.
        """
        endless = self.repeats_from if self.repeats_from in square_numbers else 0
        some = tuple(at for at in square_numbers if at != endless)
        while endless > 1 and some and some[-1] == endless - 1:
            some, endless = some[:-1], endless - 1
        if some:
            yield (last._replace(lengths=some),)
        if endless == 1:
            yield (last,)
        elif endless:
            through = self.along or EMPTY_PASSAGE
            yield (Run(self.step, (endless - 1,), (), through, over=last.over), last)


def sequences_of_automaton(
    automaton: Automaton,
    *,
    one_step_runs: bool = False,
    exact_ends: bool = False,
    may_pass_anything: bool = False,
) -> list[RunSequence]:
    """The rows of an automaton; raises `NotExpressible`.

    ``one_step_runs`` makes every step a run of its own, as the rounds of a loop are. ``exact_ends``
    tells moves and captures together only where both go as far, and lets every run end as its
    squares allow; otherwise a run ends so only where one leg of Betza could, as legs that go on are
    written there. With ``may_pass_anything`` there may be runs that pass whatever stands in their
    way.

    >>> from alfil.meaning.automaton import EMPTY_AUTOMATON
    >>> sequences_of_automaton(EMPTY_AUTOMATON)
    []
    """
    taking = _SequenceExtractor(
        automaton,
        one_step_runs=one_step_runs,
        exact_ends=exact_ends,
        may_pass_anything=may_pass_anything,
    )
    result: list[RunSequence] = []
    for record in automaton.states[0]:
        result += taking.sequences_from(record, 1)
        if len(result) > MOST_ROWS:
            raise NotExpressible
    return result


def automaton_starting_with(automaton: Automaton, records: Sequence[StepRecord]) -> Automaton:
    """The paths of an automaton that begin with these records."""
    return canonical_automaton([*automaton.states, records], (len(automaton.states),))


def has_move_passing_anything(moves: Automaton) -> bool:
    """Whether some move passes a square whatever stands there.

    >>> from alfil.meaning.automaton import EMPTY_AUTOMATON
    >>> has_move_passing_anything(EMPTY_AUTOMATON)
    False
    """
    records = (record for state in moves.states for record in state)
    return any(
        PASS_ANYTHING in passage_groups_of_mask(mask) for record in records for mask, _ in record[4]
    )


class _SequenceExtractor:
    """Takes one automaton apart."""

    def __init__(
        self,
        automaton: Automaton,
        *,
        one_step_runs: bool,
        exact_ends: bool,
        may_pass_anything: bool,
    ) -> None:
        self._exact_ends = exact_ends
        # What a run may have on the squares that it passes.
        self._along = (
            {EMPTY_PASSAGE, PASS_ANYTHING}
            if may_pass_anything
            else set[tuple[Passage, ...]]()
            if one_step_runs
            else {EMPTY_PASSAGE}
        )
        self._states = automaton.states
        self._known: dict[StepRecord, list[RunSequence]] = {}
        self._left = MOST_SQUARES

    def sequences_from(self, record: StepRecord, depth: int) -> list[RunSequence]:
        """The rows that begin with one record of a state."""
        known = self._known.get(record)
        if known is None:
            if depth > MAX_RUNS:
                raise NotExpressible
            line = self._straight_run(record)
            known = list(self._sequences_ending_on(line))
            for row in self._sequences_turning_off(line, depth):
                known.append(row)
                if len(known) > MOST_ROWS:
                    raise NotExpressible
            self._known[record] = known
        return known

    def _straight_run(self, record: StepRecord) -> _StraightRun:
        """The straight run that begins with a record."""
        line = _StraightRun(record[:2])
        seen: list[StepRecord] = []
        onward: StepRecord | None = record
        while onward is not None:
            self._left -= 1
            charge(WORK_PER_SQUARE)
            if onward[2] or onward[:3] == HOME or self._left < 0:
                raise NotExpressible
            seen.append(onward)
            exits, following = self._run_exits(onward, line)
            line.squares.append(_RunSquare(ends_of_emit(onward[3]), exits))
            if following in seen:
                if following != onward:
                    raise NotExpressible
                line.repeats_from = len(line.squares)
                return line
            onward = following
        return line

    def _run_exits(
        self, record: StepRecord, line: _StraightRun
    ) -> tuple[tuple[_RunExit, ...], StepRecord | None]:
        """The ways to leave a run on one of its squares, and the record that goes straight on."""
        alongs = {line.along} if line.along else self._along
        exits: list[_RunExit] = []
        straight: StepRecord | None = None
        for mask, target in record[4]:
            state = self._states[target]
            for through in passage_groups_of_mask(mask):
                for after in state:
                    if after == _RECORD_AT_HOME:
                        exits.append(_RunExit(through, None))
                    elif through in alongs and after[:3] == record[:3]:
                        straight, line.along = after, through
                    else:
                        exits.append(_RunExit(through, after))
        return tuple(exits), straight

    def _sequences_turning_off(self, line: _StraightRun, depth: int) -> Iterator[RunSequence]:
        """The rows that leave a run for another direction, or for home."""
        places: dict[tuple[_RunExit, tuple[End, ...]], list[int]] = {}
        for at, square in enumerate(line.squares, 1):
            for way in square.exits:
                quiet = self._exact_ends and way.through == EMPTY_PASSAGE
                exit_record = way.record and (
                    quiet or may_continue_where_it_ends(square.ends, way.through)
                )
                places.setdefault((way, square.ends if exit_record else ()), []).append(at)
        for (way, ends), result in places.items():
            rests = (
                [(HOMEWARD_RUN,)]
                if way.record is None
                else self.sequences_from(way.record, depth + 1)
            )
            last = Run(line.step, ANY_LENGTH, ends, way.through, over=line.along == PASS_ANYTHING)
            for opening in line.sequences_ending_at(result, last):
                for rest in rests:
                    yield (*opening, *rest)

    def _sequences_ending_on(self, line: _StraightRun) -> Iterator[RunSequence]:
        """The rows that end somewhere along a line; what ends alike goes together."""
        every = {square.ends for square in line.squares if square.ends}
        ways = every if len(every) == 1 else _distinct_ways_to_end(every)
        result: dict[tuple[End, ...], list[int]] = {}
        for ends in ways:
            at = [at for at, each in enumerate(line.squares, 1) if set(ends) <= set(each.ends)]
            if at:
                result[ends] = at
        for ends, at in self._merge_moves_with_captures(result).items():
            last = Run(line.step, ANY_LENGTH, ends, over=line.along == PASS_ANYTHING)
            yield from line.sequences_ending_at(at, last)

    def _merge_moves_with_captures(
        self, squares_by_ends: dict[tuple[End, ...], list[int]]
    ) -> dict[tuple[End, ...], list[int]]:
        """Moves and captures together where one goes as far as the other."""
        if self._exact_ends:
            return _merge_equally_far_ends(squares_by_ends)
        moves, captures = squares_by_ends.get(_QUIET_ENDS), squares_by_ends.get(_CAPTURE_ENDS)
        if moves is None or captures is None:
            return squares_by_ends
        less, more = (
            (_QUIET_ENDS, _CAPTURE_ENDS)
            if set(moves) < set(captures)
            else (_CAPTURE_ENDS, _QUIET_ENDS)
        )
        if not set(squares_by_ends[less]) <= set(squares_by_ends[more]):
            return squares_by_ends
        both = {(*_QUIET_ENDS, *_CAPTURE_ENDS): squares_by_ends[less]}
        both |= {ends: at for ends, at in squares_by_ends.items() if ends != less}
        if squares_by_ends[less] == squares_by_ends[more]:
            del both[more]
        return both


def _merge_equally_far_ends(
    squares_by_ends: dict[tuple[End, ...], list[int]],
) -> dict[tuple[End, ...], list[int]]:
    """Ways to end together where they go equally far; captures of friends with all captures."""
    alike = {ends: tuple(at) for ends, at in squares_by_ends.items()}
    friends, captures = alike.pop(_FRIEND_ENDS, ()), alike.get(_CAPTURE_ENDS, ())
    if friends and not set(friends) <= set(captures):
        return squares_by_ends
    if friends == captures:
        alike.pop(_CAPTURE_ENDS, None)
    if friends:
        alike[*_CAPTURE_ENDS, *_FRIEND_ENDS] = friends
    quiet = alike.get(_QUIET_ENDS)
    for ends, at in list(alike.items()):
        if at == quiet and ends[0] == _CAPTURE_ENDS[0]:
            del alike[ends], alike[_QUIET_ENDS]
            alike[*_QUIET_ENDS, *ends] = at
            quiet = None
    return {ends: list(at) for ends, at in alike.items()}


def _distinct_ways_to_end(all_ends: set[tuple[End, ...]]) -> list[tuple[End, ...]]:
    """The ways to end one by one; a capture is of royal pieces and others alike where it can be."""
    alone = any(("royal" in ends) != ("enemy" in ends) for ends in all_ends)
    more: tuple[End, ...] = ("friend", "passer", *(("enemy", "royal") if alone else ()))
    return [_QUIET_ENDS, _CAPTURE_ENDS, *((end,) for end in more)]


@lru_cache(maxsize=256)
def ends_of_emit(emit_mask: int) -> tuple[End, ...]:
    """The ways a move may end on a square; away from home is no way of its own here.

    >>> from alfil.meaning.automaton import CAPTURE_ENDS
    >>> ends_of_emit(ON_AWAY | CAPTURE_ENDS)
    ('empty', 'enemy', 'royal')
    """
    plain = emit_mask | (ON_EMPTY if emit_mask & ON_AWAY else 0)
    return tuple(end for end, bit in BIT_BY_END.items() if plain & bit and end != "away")


@lru_cache(maxsize=256)
def passage_groups_of_mask(mask: int) -> tuple[tuple[Passage, ...], ...]:
    """What may stand where a path goes on, hurdles apart: going over one is a leg of its own.

    >>> passage_groups_of_mask(PAST_EMPTY | BITS_BY_PASSAGE["hop-friend"])
    (('empty',), ('hop-friend',))
    """
    plain = mask | (PAST_EMPTY if mask & automaton.PAST_AWAY else 0)
    every = [each for each, bit in BITS_BY_PASSAGE.items() if plain & bit and each != "away"]
    parted = [
        tuple(each for each in every if (each in HOP_PASSAGES) is kind) for kind in (False, True)
    ]
    return tuple(result for result in parted if result)
