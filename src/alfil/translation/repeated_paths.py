"""Movements that repeat one leap: crooked, circular and roaming pieces, and long chains.

What such an automaton repeats can be read off its first steps. From that a few movements are made,
and the caller compares each with the meaning: a guess costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

from alfil.geometry import Vector, all_images, base_vector, is_oblique
from alfil.meaning.automaton import HOME, Automaton, StepRecord
from alfil.meaning.normal_form import has_loop
from alfil.movement import nodes
from alfil.movement.nodes import MOVE_OR_CAPTURE, Bend, Join, Leg, Repeat, Then, Way
from alfil.movement.run_sequences import EMPTY_PASSAGE, NotExpressible, may_continue_where_it_ends
from alfil.movement.turn_geometry import ALL_BUT_BACK, turn_in_eighths
from alfil.translation.automaton_to_runs import ends_of_emit, passage_groups_of_mask

# Larger automata are not guessed at, and no chain of more legs is written out.
MAX_STATES = 150
MOST_LEGS = 7
# So many steps a path may have that is a few leaps.
MOST_STEPS = 36
_CIRCLE_STEPS = 7
_BACK = 4
_STRAIGHT = frozenset({0})
_SENSE_BY_TURNS: dict[frozenset[int], Literal["same", "other"]] = {
    frozenset({1, 7}): "same",
    frozenset({2, 6}): "other",
}
# Any of several ways, each an option.
Ways: TypeAlias = tuple[Way, ...]


class _PathStep(NamedTuple):
    """One step of a path: what its turn may be (in eighths), how it ends, and what may stand there.

    Where the path goes no further, ``through`` says nothing.
    """

    turns: frozenset[int]
    ends: tuple[nodes.End, ...]
    through: tuple[nodes.Passage, ...]

    @property
    def is_optional_end(self) -> bool:
        """Whether it may be the last step or not, and one leg says both."""
        plain = self.ends in {nodes.MOVE_ONLY, MOVE_OR_CAPTURE} and self.through == EMPTY_PASSAGE
        return plain or may_continue_where_it_ends(self.ends, self.through)

    @property
    def bend(self) -> Bend:
        """Its turn."""
        places = tuple(sorted(self.turns))
        return Bend(None if places == ALL_BUT_BACK else places)


class _RepeatedMotif(NamedTuple):
    """What an automaton repeats: its first steps, all steps of their kinds, and its first levels.

    ``length`` is how many steps the longest path has, if it is no longer than what is written out
    of leaps on the way; ``endless`` is true where paths have no longest one.
    """

    starts: tuple[Vector, ...]
    all_steps: tuple[Vector, ...]
    levels: tuple[_PathStep, ...]
    length: int
    endless: bool


def candidate_repeated_ways(automaton: Automaton) -> Iterator[Ways]:
    """Ways that may have the paths of an automaton, likely ones first."""
    if len(automaton.states) > MAX_STATES:
        return
    try:
        motif = _motif_of(automaton)
    except NotExpressible:
        return
    yield from _candidate_ways(motif)


def _motif_of(automaton: Automaton) -> _RepeatedMotif:
    """The motif of an automaton, read off one of its longest beginnings."""
    records = [record for record in automaton.states[0] if record[:3] != HOME]
    if not records or any(record[2] for record in records):
        raise NotExpressible
    bases = tuple(sorted({base_vector(record[:2]) for record in records}))
    if not all(_is_same_length(bases[0], base) for base in bases):
        raise NotExpressible
    every = [*_path_steps_from_record(automaton, records[0], MOST_STEPS)]
    levels = tuple(every[:MOST_LEGS])
    for record in records[1:]:
        if tuple(_path_steps_from_record(automaton, record, 2)) != levels[:2]:
            raise NotExpressible
    starts = tuple(record[:2] for record in records)
    return _RepeatedMotif(starts, all_images(bases), levels, len(every), has_loop(automaton))


def _path_steps_from_record(
    automaton: Automaton, record: StepRecord, most: int
) -> Iterator[_PathStep]:
    """The first levels of a path that begins with a record."""
    turns = frozenset({0})
    for _ in range(most):
        if len(record[4]) > 1:
            raise NotExpressible
        ways = passage_groups_of_mask(record[4][0][0]) if record[4] else (EMPTY_PASSAGE,)
        if len(ways) > 1:
            raise NotExpressible
        yield _PathStep(turns, ends_of_emit(record[3]), ways[0])
        if not record[4]:
            return
        following = automaton.states[record[4][0][1]]
        base, step = base_vector(record[:2]), record[:2]
        if any(
            after[:3] == HOME or not _is_same_length(base, base_vector(after[:2]))
            for after in following
        ):
            raise NotExpressible
        result = [turn_in_eighths(step, after[:2]) for after in following]
        turns = frozenset([turn for turn in result if turn is not None])
        record = max(following, key=lambda after: len(after[4]))


def _is_same_length(base: Vector, other: Vector) -> bool:
    """Whether two base vectors are one, or an orthogonal and a diagonal one of the same length."""
    straight = not (is_oblique(base) or is_oblique(other))
    return base == other or (straight and max(base) == max(other))


def _candidate_ways(motif: _RepeatedMotif) -> Iterator[Ways]:
    first, *later = motif.levels
    if not later:
        return
    if motif.endless and first.through != EMPTY_PASSAGE and later[0].turns != _STRAIGHT:
        return  # no two descriptions can be compared of going over anything at will
    if motif.endless and _BACK in later[0].turns:
        # Who roams over empty squares has no use for steps back.
        onward = [level._replace(turns=level.turns - {_BACK}) for level in later]
        if all(level.turns for level in onward):
            yield from _candidate_ways(motif._replace(levels=(first, *onward)))
        return
    if not first.ends:
        yield from _lame_rider_ways(motif)
    sense = _SENSE_BY_TURNS.get(later[0].turns)
    if sense and first.through == EMPTY_PASSAGE:
        yield (_circular_way(motif, sense),)
    if motif.endless or motif.length == _CIRCLE_STEPS:
        yield from _repeat_ways(motif)
    else:
        yield from _chains_of_motif(motif)


def _lame_rider_ways(motif: _RepeatedMotif) -> Iterator[Ways]:
    """Riders of leaps that can be blocked: the steps up to the first that may be the last."""
    size = next((at for at, level in enumerate(motif.levels, 1) if level.ends), 0)
    far = max(base_vector(motif.starts[0]))
    every = all_images(((0, far), (far, far)))
    leaps = {(step, step) for step in motif.starts}
    for level in motif.levels[1:size]:
        leaps = {
            ((x + dx, y + dy), (dx, dy))
            for (x, y), latest in leaps
            for dx, dy in every
            if turn_in_eighths(latest, (dx, dy)) in level.turns
        }
    steps = tuple(sorted(leap for leap, _ in leaps if any(leap)))
    whole = motif.endless or motif.length % max(size, 1) == 0
    if size and whole and len({base_vector(step) for step in steps}) == 1:
        leaps_made = tuple(range(1, motif.length // size + 1))
        lengths: nodes.Lengths = "any" if motif.endless else leaps_made
        between: nodes.Between = "empty" if motif.levels[0].through == EMPTY_PASSAGE else "occupied"
        yield (Leg(steps, lengths, motif.levels[size - 1].ends, between=between),)


def _circular_way(motif: _RepeatedMotif, sense: Literal["same", "other"]) -> Way:
    count = len(motif.levels)
    whole = motif.endless or (sense == "same" and count == _CIRCLE_STEPS)
    step = Leg(motif.starts, ends=motif.levels[0].ends)
    times: Literal["any"] | tuple[int, ...] = tuple(range(1, count + 1))
    if whole:
        times = tuple(range(1, _CIRCLE_STEPS + 1)) if sense == "same" else "any"
    return Repeat(Then((step,), (), onward=Bend(None, sense)), times)


def _repeat_ways(motif: _RepeatedMotif) -> Iterator[Ways]:
    """Repeats of one turn, or of two in turn; the last leg apart where its ends differ."""
    first, second, *more = motif.levels
    start = Leg(motif.starts, ends=first.ends, through=first.through)
    leg = replace(start, steps=motif.all_steps)
    if not first.is_optional_end:
        alone = (Leg(motif.starts, ends=first.ends),) if first.ends else ()
        again, last = replace(leg, ends=MOVE_OR_CAPTURE), Leg(motif.all_steps, ends=second.ends)
        rounds = _repeat_of_legs((again,), (second.bend,))
        twice = (Join(second.bend, may_stop=False),) * 2
        yield (*alone, Then((replace(start, ends=MOVE_OR_CAPTURE), rounds, last), twice))
        return
    joins = (Join(second.bend, may_stop=False),)
    yield (Then((start, _repeat_of_legs((leg,), (second.bend,))), joins),)
    if more and more[0].turns != second.turns:
        both = _repeat_of_legs((leg, leg), (second.bend, more[0].bend))
        yield (Then((start, both), joins), Then((start, both, leg), joins * 2))
        after = _repeat_of_legs((leg,), (more[0].bend,))
        yield (start, Then((start, leg, after), joins * 2))
    hands = [second._replace(turns=each) for each in _turns_of_each_hand(second.turns)]
    if hands[0] != hands[1]:
        yield tuple(Then((start, _repeat_of_legs((leg,), (one.bend,))), joins) for one in hands)


def _turns_of_each_hand(turns: frozenset[int]) -> tuple[frozenset[int], frozenset[int]]:
    """Those turns that a way has that turns to one side only, in eighths."""
    right = frozenset(turn for turn in turns if turn <= _BACK)
    return right, frozenset(turn for turn in turns if not 0 < turn < _BACK)


def _repeat_of_legs(legs: tuple[Leg, ...], bends: tuple[Bend, ...]) -> Repeat:
    joins = tuple(Join(bend, may_stop=False) for bend in bends[1:])
    return Repeat(Then(legs, joins, onward=bends[0]), "any", optional=True)


def _chains_of_motif(motif: _RepeatedMotif) -> Iterator[Ways]:
    """A chain for each level that a path may end on, where all levels are known."""
    if motif.length == len(motif.levels):
        ends = (at for at, level in enumerate(motif.levels) if level.ends)
        yield tuple(_chain_of_motif(motif, at) for at in ends)


def _chain_of_motif(motif: _RepeatedMotif, last: int) -> Way:
    """A chain that ends after so many levels."""
    levels = motif.levels[: last + 1]
    legs = tuple(
        Leg(
            motif.all_steps if at else motif.starts,
            ends=level.ends if at == last else MOVE_OR_CAPTURE,
            through=EMPTY_PASSAGE if at == last else level.through,
        )
        for at, level in enumerate(levels)
    )
    joins = tuple(Join(level.bend, may_stop=False) for level in levels[1:])
    return Then(legs, joins) if joins else legs[0]
