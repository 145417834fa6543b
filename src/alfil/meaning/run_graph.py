"""Itineraries: legs and what may follow them, on the way from a movement to its automaton.

A stage is one run in a straight line (or one leap). Stages point to the stages that may follow,
each with a rule that says where the next one may turn to. Walking all ways through the stages,
with what has to be remembered on the way, gives the edges of an automaton.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import LONGEST_STEP, Vector, as_king_steps
from alfil.graphs import reachable
from alfil.meaning.automaton import (
    HOME,
    ON_EMPTY,
    ON_EMPTY_OR_AWAY,
    OVER_ANY,
    PASS_ANYTHING,
    PAST_EMPTY,
    PAST_EMPTY_OR_AWAY,
    STATE_LIMIT,
    TAKE_BITS,
    WRAP_BEGINS,
    WRAP_FILES,
    WRAP_SKIPS,
    Automaton,
    PassTransition,
    StepKey,
    StepRecord,
    TooManyStates,
    canonical_automaton,
)
from alfil.meaning.normal_form import normalise, union_automaton
from alfil.meaning.plain_runs import Ray, Rays, automaton_of_rays, merge_rays
from alfil.meaning.squares_passed_again import AROUND, KEY_SHIFT, squares_passed_again
from alfil.movement.nodes import Angle, Bend, Hop, Turn
from alfil.movement.turn_geometry import (
    SIGNS_BY_HAND,
    STRAIGHT_BACK,
    STRAIGHT_ON,
    steps_after_angle,
    steps_after_bend,
    steps_at_angle_on_one_side,
)
from alfil.work_limit import charge, thread_meter


class JumpCount(NamedTuple):
    """How many pieces a path has counted under the key of a permission.

    ``squares`` are those passed since the first of them that may be passed again, as bits of
    `AROUND`: whatever stands there has been counted.
    """

    key: int
    pieces: int
    squares: int = 0


class PathMemory(NamedTuple):
    """What a path has to remember between legs.

    ``bend`` is the latest bend in sixteenths of a circle, clockwise, 0 before any. ``length`` is
    the number of steps of the latest measured leg. ``hands`` are the hands chosen for unsigned
    angles in loops, as (key, +1 or -1); ``jumps`` the pieces counted so far by each permission;
    ``met`` the keys of captures that were due and have been made on the way.
    """

    bend: int = 0
    length: int = 0
    hands: tuple[tuple[int, int], ...] = ()
    jumps: tuple[JumpCount, ...] = ()
    met: tuple[int, ...] = ()


NO_MEMORY = PathMemory()
# To find a record takes so many times as long as to look at one.
WORK_PER_CACHED_RECORD = 3
ENDS_AT_HOME: StepRecord = (*HOME, ON_EMPTY, ())

# The steps a stage may begin with, and what is remembered then.
NextStep: TypeAlias = tuple[tuple[Vector, ...], PathMemory]


class JumpPermission(NamedTuple):
    """Permission to pass over pieces: which (pass bits), at most how many on a path (0: any)."""

    key: int
    pass_mask: int
    most: int


class DueCapture(NamedTuple):
    """A capture that a move must make, at its end or on its way, and which count on the way."""

    key: int
    counted_mask: int


class StageLink(NamedTuple):
    """One way to go on after a stage.

    ``turn`` is where the next stage may turn to, None for anywhere; ``key`` is not 0 where the hand
    of the turn is kept under that number once it is chosen. ``through`` is what may stand on the
    last square of the stage when the path goes on, ``jumps`` the counted permissions for it; other
    counts end here. ``due`` are the captures that were due before and still are, or have been made.
    """

    stage: RunNode
    turn: Turn | None = None
    key: int = 0
    through: int = PAST_EMPTY
    jumps: tuple[JumpPermission, ...] = ()
    due: tuple[DueCapture, ...] = ()


@dataclass(slots=True, eq=False)
class RunNode:
    """One leg.

    ``lengths`` are the numbers of steps it may take; None is any number from 1. ``land`` says how
    it may end the move (0: it may not). ``along`` is what may stand on the squares before its
    last. ``between`` is what n (lame) or j (jump) asks of the squares a leap skips. ``hop`` is
    that of a last leg.
    ``ski``: the first square is passed whatever stands there. ``shoot``: what may stand at the end
    of the leg of a piece that captures and stays at home. ``iso``: exactly as long as the latest
    measured leg; ``measured``: its length is to be remembered. ``homeward``: back over squares
    known to be empty, ending the move at home. ``wrap``: the board wraps for it, files or both.
    ``due``: a move that ends here must have captured, or capture here, for the last of them.
    ``spared``: it takes half the steps there is room for, rounded up, beyond which so many squares
    are left to the edge.
    """

    vectors: tuple[Vector, ...]
    lengths: tuple[int, ...] | None = (1,)
    land: int = 0
    along: int = PAST_EMPTY
    between: int = 0
    hop: Hop = "none"
    ski: bool = False
    shoot: int = 0
    iso: bool = False
    measured: bool = False
    homeward: bool = False
    wrap: int = 0
    jumps: tuple[JumpPermission, ...] = ()
    due: tuple[DueCapture, ...] = ()
    spared: int | None = None
    after: list[StageLink] = field(default_factory=list)


# Where a path stands, about to begin a stage or some steps into it: the stage, the steps it may go
# on with, what is remembered, the number of steps, whether it has hopped, and, on wrapped boards,
# where the first step of a leg is marked, whether it has begun. There are as many as there are
# states, so they are no objects of their own.
WalkPosition: TypeAlias = tuple[RunNode, tuple[Vector, ...], PathMemory, int, bool, bool]


class TooManyWaysBack(TooManyStates):
    """There are too many ways to come back over pieces that count once."""


# Which squares may be passed again from each place of a survey, under each key.
SquaresAhead: TypeAlias = Mapping[WalkPosition, Mapping[int, int]]


class StageWalker:
    """Walks all ways through stages and collects the states of an automaton."""

    def __init__(self, again: SquaresAhead | None = None) -> None:
        self.states: list[list[StepRecord]] = []
        self._again = again or {}
        self._ids: dict[WalkPosition, int] = {}
        self._queue: list[tuple[int, WalkPosition]] = []
        # Whether a stage is one plain step, as most are.
        self._single: dict[RunNode, bool] = {}
        # What follows a step, and where turns lead to: the same for many states.
        self._led: dict[tuple[RunNode, Vector, PathMemory], tuple[PassTransition, ...]] = {}
        self._turned: dict[tuple[object, ...], Sequence[NextStep]] = {}
        self._home = -1
        self._bends = False
        self._meter = thread_meter()

    def walk_from(self, stages: list[RunNode]) -> list[int]:
        """Add the ways that begin with one of the stages; returns the states they start in."""
        self._bends = _depends_on_bends(stages)
        starts = [
            self._get_or_add_state((each, each.vectors, NO_MEMORY, 0, False, False))
            for each in stages
        ]
        for state, place in self._queue:
            stage, vectors, memory, _, _, _ = place
            if self._is_single_step(stage):
                self._add_single_step_records(self.states[state], stage, vectors, memory)
            else:
                self._add_records_from(state, place)
        self._queue.clear()
        return starts

    def _get_or_add_state(self, place: WalkPosition) -> int:
        if place[2].jumps and self._again:
            place = _without_squares_left_behind(place, self._again)
        state = self._ids.get(place)
        if state is None:
            state = self._ids[place] = self._new_state()
            self._queue.append((state, place))
        return state

    def _new_state(self) -> int:
        state = len(self.states)
        self.states.append([])
        if state >= STATE_LIMIT:
            raise TooManyStates
        return state

    def _is_single_step(self, stage: RunNode) -> bool:
        known = self._single.get(stage)
        if known is None:
            plain = stage.lengths == (1,) and stage.hop == "none"
            more = stage.ski or stage.iso or stage.shoot or stage.homeward
            known = self._single[stage] = plain and not (more or stage.between or stage.wrap)
        return known

    def _add_single_step_records(
        self, row: list[StepRecord], stage: RunNode, vectors: tuple[Vector, ...], memory: PathMemory
    ) -> None:
        """As `_add_records_from`, for a stage that is one step of which no more is asked than how
        it ends.
        """
        emit = _ends_of_stage(stage, memory)
        if not stage.after:
            row += [(dx, dy, 0, emit, ()) for dx, dy in vectors if emit]
            self._meter.spend(WORK_PER_CACHED_RECORD * len(row))
            return
        work = 0
        for vector in vectors:
            passes = self._next_stages(vector, memory, 0, stage)
            if emit or passes:
                work += bool(emit) + len(passes)
                row.append((*vector, 0, emit, passes))
        self._meter.spend(WORK_PER_CACHED_RECORD * work)

    def _add_records_from(self, state: int, place: WalkPosition) -> None:
        stage, vectors, memory, _, _, begun = place
        if stage.homeward:
            self.states[state] += [ENDS_AT_HOME] if _ends_of_stage(stage, memory) else []
            return
        begins = 0 if begun else WRAP_BEGINS
        if stage.wrap:
            place = (*place[:5], True)
        # One step that nothing follows is the same in all directions.
        alike = stage.lengths == (1,) and not stage.after and not stage.iso
        emit = 0
        passes: tuple[PassTransition, ...] = ()
        work = 0
        for number, vector in enumerate(vectors):
            # A step that goes neither left nor right cannot wrap round the files.
            dx, dy = vector
            wrap = 0 if stage.wrap == WRAP_FILES and not dx else stage.wrap
            before, key = state, (dx, dy, wrap | begins if wrap else 0)
            if stage.between:
                before, key = self._add_skipped_squares(state, key, stage, wrap)
            if stage.spared is not None:
                self._add_halfling_records(state, vector, place, stage)
                continue
            if not (number and alike):
                emit, passes = self._ends_and_passes_after_step(vector, place, stage)
            if emit or passes:
                work += bool(emit) + len(passes)
                self.states[before].append((*key, emit, passes))
        self._meter.spend(WORK_PER_CACHED_RECORD * work)

    def _add_halfling_records(
        self, state: int, vector: Vector, place: WalkPosition, stage: RunNode
    ) -> None:
        """One more step of a run that ends where there is room for all but one of its steps again.

        The way to the end leads over the last square that must be there, and back from it.
        """
        dx, dy = vector
        memory, before, spared = place[2], place[3], stage.spared or 0
        x = before * dx + spared * ((dx > 0) - (dx < 0))
        y = before * dy + spared * ((dy > 0) - (dy < 0))
        if max(abs(before * dx + dx + x), abs(before * dy + dy + y)) > LONGEST_STEP:
            return
        passes = self._shots_of_stage(stage, memory)
        if stage.after:
            passes += self._next_stages(vector, memory, before, stage)
        row, step = self.states[state], vector
        row.append((*vector, 0, 0, tuple(self._continue_run(vector, place, stage))))
        if x or y:
            looking = self._new_state()
            row.append((dx + x, dy + y, 0, 0, ((PASS_ANYTHING, looking),)))
            row, step = self.states[looking], (-x, -y)
        row.append((*step, 0, _ends_of_stage(stage, memory), passes))
        self._meter.spend(WORK_PER_CACHED_RECORD * (2 + len(passes)))

    def _add_skipped_squares(
        self, state: int, key: StepKey, stage: RunNode, wrap: int
    ) -> tuple[int, StepKey]:
        """The squares in between, first straight along the longer coordinate, then diagonally."""
        dx, dy, first = key
        steps = as_king_steps((dx, dy))
        for step in steps[:-1]:
            onward = self._new_state()
            skipping = first | WRAP_SKIPS if first else 0
            self._meter.spend(WORK_PER_CACHED_RECORD)
            self.states[state].append((*step, skipping, 0, ((stage.between, onward),)))
            state, first = onward, wrap
        return state, (*steps[-1], first)

    def _ends_and_passes_after_step(
        self, vector: Vector, place: WalkPosition, stage: RunNode
    ) -> tuple[int, tuple[PassTransition, ...]]:
        """How the move may end after one more step, and how it goes on."""
        _, _, memory, before, hopped, begun = place
        steps = before + 1
        lengths = (memory.length,) if stage.iso else stage.lengths
        runs_on = lengths is None or steps < lengths[-1]
        if stage.iso and stage.lengths is not None and memory.length not in stage.lengths:
            return 0, ()  # it would have to be longer than its own range
        if stage.ski and steps == 1:
            onward = (stage, (vector,), _after_step(memory, vector), steps, hopped, begun)
            return 0, ((PASS_ANYTHING, self._get_or_add_state(onward)),) if runs_on else ()
        arrives = stage.hop == "none" or hopped
        emit = 0
        passes: tuple[PassTransition, ...] = ()
        if arrives and (lengths is None or steps in lengths):
            emit = _ends_of_stage(stage, memory)
            passes = self._shots_of_stage(stage, memory)
            if stage.after:
                passes += self._next_stages(vector, memory, before, stage)
        if runs_on and not (arrives and stage.hop == "behind"):
            passes += tuple(self._continue_run(vector, place, stage))
        return emit, passes

    def _next_stages(
        self, vector: Vector, memory: PathMemory, before: int, stage: RunNode
    ) -> tuple[PassTransition, ...]:
        """The leg ends on this square, so many steps after the first, and the next stage begins."""
        if stage.measured:
            memory = memory._replace(length=before + 1)
        key = stage, vector, memory
        known = self._led.get(key)
        if known is not None:
            return known
        memory = _after_step(memory, vector)
        led: list[PassTransition] = []
        for link in stage.after:
            follower, turn, _, through, jumps, due = link
            memory_kept = _keep_jump_counts(memory, jumps) if memory.jumps else memory
            memory_kept = _forget_past_due_captures(memory_kept, due) if memory.met else memory_kept
            # Every step of the next leg is looked at for a turn, and else only hashed.
            self._meter.spend(WORK_PER_CACHED_RECORD + len(follower.vectors) // (2 if turn else 32))
            for vectors, recalled in self._next_steps(link, vector, memory_kept):
                for over, after in _passes_by_due_captures(due, through, recalled):
                    place = (follower, vectors, after, 0, False, False)
                    led.append((over, self._get_or_add_state(place)))
                for over, after in self._counted_passes(jumps, recalled) if jumps else ():
                    jumping = (follower, vectors, after, 0, False, False)
                    led.append((over, self._get_or_add_state(jumping)))
        result = self._led[key] = tuple(led)
        return result

    def _next_steps(
        self, link: StageLink, travelled: Vector, memory: PathMemory
    ) -> Sequence[NextStep]:
        """The steps the next stage may begin with, with what to remember for them."""
        stage, turn, hand, _, _, _ = link
        vectors = stage.vectors
        if turn is None:
            return ((vectors, memory),)
        # A turn lives as long as its link, so it is known by its place in memory.
        key = id(turn), hand, vectors, travelled, memory
        result = self._turned.get(key)
        if result is None:
            if isinstance(turn, Bend):
                result = self._steps_after_bend(turn, vectors, travelled, memory)
            else:
                result = tuple(_steps_at_angle(turn, hand, travelled, memory, vectors))
            self._turned[key] = result
        return result

    def _steps_after_bend(
        self, turn: Bend, vectors: tuple[Vector, ...], travelled: Vector, memory: PathMemory
    ) -> Sequence[NextStep]:
        result = steps_after_bend(turn, travelled, memory.bend, vectors)
        if not self._bends:
            return ((tuple([onward for onward, _ in result]), memory),) if result else ()
        alike: dict[int, list[Vector]] = {}
        for onward, bent in result:
            alike.setdefault(bent, []).append(onward)
        return [(tuple(each), memory._replace(bend=bent)) for bent, each in alike.items()]

    def _continue_run(
        self, vector: Vector, place: WalkPosition, stage: RunNode
    ) -> list[PassTransition]:
        """The leg goes on over this square."""
        _, _, memory, steps, hopped, begun = place
        memory = _after_step(memory, vector)
        steps += 1
        # The largest board has room for no more.
        if steps >= (LONGEST_STEP if stage.wrap else LONGEST_STEP // max(map(abs, vector))):
            return []
        if stage.lengths is None and not (stage.measured or stage.iso) and stage.spared is None:
            steps = 1  # any number is like any other, so the run is a loop
        if stage.iso and not (stage.measured or stage.ski):
            # Nobody asks for this length again, so it is enough to count what is left of it.
            steps, memory = 0, memory._replace(length=memory.length - 1)
        ahead = (vector,)
        led: list[PassTransition] = []
        for over, after in _passes_by_due_captures(stage.due, stage.along, memory):
            empty = after.jumps and self._again and not over & ~PAST_EMPTY_OR_AWAY
            kept = _with_empty_square(after, stage.jumps) if empty else after
            led.append((over, self._get_or_add_state((stage, ahead, kept, steps, hopped, begun))))
        if stage.hop != "none" and not hopped:
            led.append(
                (OVER_ANY, self._get_or_add_state((stage, ahead, memory, steps, True, begun)))
            )
        for over, after in self._counted_passes(stage.jumps, memory) if stage.jumps else ():
            led.append((over, self._get_or_add_state((stage, ahead, after, steps, hopped, begun))))
        return led

    def _counted_passes(
        self, jumps: tuple[JumpPermission, ...], memory: PathMemory
    ) -> Iterator[tuple[int, PathMemory]]:
        """The ways to pass one more piece by a counted permission, or one that it has counted."""
        counts = {each.key: each for each in memory.jumps}
        for jump in jumps:
            before = counts.get(jump.key, JumpCount(jump.key, 0))
            if before.squares & AROUND.home:
                yield jump.pass_mask, memory
            elif before.pieces < jump.most:
                after = _with_square(before) if self._again else before
                after = after._replace(pieces=before.pieces + 1)
                yield jump.pass_mask, _with_jump_count(memory, after)

    def _shots_of_stage(self, stage: RunNode, memory: PathMemory) -> tuple[PassTransition, ...]:
        """How a piece goes home that captures by the stage, or has captured before it."""
        shots = stage.shoot & ~PAST_EMPTY_OR_AWAY if _owes_capture(stage, memory) else stage.shoot
        return ((shots, self._get_or_add_home_state()),) if shots else ()

    def _get_or_add_home_state(self) -> int:
        if self._home < 0:
            self._home = self._new_state()
            self.states[self._home].append(ENDS_AT_HOME)
        return self._home


def _ends_of_stage(stage: RunNode, memory: PathMemory) -> int:
    """How a move may end with a stage: by a capture, where one is due that has not been made."""
    return stage.land & ~ON_EMPTY_OR_AWAY if _owes_capture(stage, memory) else stage.land


def _owes_capture(stage: RunNode, memory: PathMemory) -> bool:
    """Whether a capture is due that has not been made."""
    return bool(stage.due) and stage.due[-1].key not in memory.met


def _passes_by_due_captures(
    due: tuple[DueCapture, ...], passed: int, memory: PathMemory
) -> Iterator[tuple[int, PathMemory]]:
    """What may be passed, apart by what is remembered of captures that are due."""
    if not passed & TAKE_BITS or not due:
        if passed:
            yield passed, memory
        return
    apart: dict[PathMemory, int] = {}
    for bit in (1 << place for place in range(passed.bit_length())):
        if passed & bit:
            met = {*memory.met, *(each.key for each in due if each.counted_mask & bit)}
            after = memory._replace(met=tuple(sorted(met)))
            apart[after] = apart.get(after, 0) | bit
    for after, over in apart.items():
        yield over, after


def _forget_past_due_captures(memory: PathMemory, due: tuple[DueCapture, ...]) -> PathMemory:
    """The memory without captures that were due in what the path has left behind."""
    keys = {each.key for each in due}
    return memory._replace(met=tuple(key for key in memory.met if key in keys))


def _depends_on_bends(stages: Iterable[RunNode]) -> bool:
    """Whether some turn on the way looks at the latest bend; most pieces may forget it."""
    return any(
        isinstance(link.turn, Bend) and link.turn.sense != "any"
        for stage in reachable(stages, lambda stage: (link.stage for link in stage.after))
        for link in stage.after
    )


def _steps_at_angle(
    turn: Angle, key: int, travelled: Vector, memory: PathMemory, vectors: tuple[Vector, ...]
) -> Iterator[NextStep]:
    """The steps at an angle to each hand, or to the one that is kept under the key."""
    if not turn.degrees and turn.sixteenths in {None, STRAIGHT_ON, STRAIGHT_BACK}:
        if result := steps_after_angle(turn, travelled, vectors):
            yield result, memory
        return
    chosen = dict(memory.hands)
    for hand in (chosen[key],) if key in chosen else SIGNS_BY_HAND[turn.hand]:
        if result := steps_at_angle_on_one_side(travelled, turn, hand, vectors):
            hands = tuple(sorted({**chosen, key: hand}.items())) if key else memory.hands
            yield result, memory._replace(hands=hands)


def _keep_jump_counts(memory: PathMemory, jumps: tuple[JumpPermission, ...]) -> PathMemory:
    """The memory without the counts of permissions that the path has left behind."""
    keys = {jump.key for jump in jumps}
    return memory._replace(jumps=tuple(each for each in memory.jumps if each.key in keys))


def _after_step(memory: PathMemory, step: Vector) -> PathMemory:
    """The memory one step further on, from where the squares that are known look nearer."""
    if not memory.jumps or not any(each.squares for each in memory.jumps):
        return memory
    back = (-step[0], -step[1])
    jumps = [
        each._replace(squares=AROUND.shift_squares(each.squares, back)) for each in memory.jumps
    ]
    return memory._replace(jumps=tuple(jumps))


def _with_square(count: JumpCount) -> JumpCount:
    """The count when the square that the path has come to counts no more."""
    return count._replace(squares=count.squares | AROUND.home)


def _with_empty_square(memory: PathMemory, jumps: tuple[JumpPermission, ...]) -> PathMemory:
    """The memory after an empty square, which need not be told from those where pieces stand.

    Where just one piece counts, it had better be known alone.
    """
    several = {jump.key for jump in jumps if jump.most > 1}
    counts = [_with_square(each) if each.key in several else each for each in memory.jumps]
    return memory._replace(jumps=tuple(counts))


def _with_jump_count(memory: PathMemory, count: JumpCount) -> PathMemory:
    others = [each for each in memory.jumps if each.key != count.key]
    return memory._replace(jumps=tuple(sorted([*others, count])))


def _without_squares_left_behind(place: WalkPosition, again: SquaresAhead) -> WalkPosition:
    """A place from which squares are known only as far as they may be passed again."""
    memory = place[2]
    if not any(each.squares for each in memory.jumps):
        return place
    ahead = again[_place_in_survey(place)]
    jumps = [each._replace(squares=each.squares & ahead[each.key]) for each in memory.jumps]
    return (*place[:2], memory._replace(jumps=tuple(jumps)), *place[3:])


def _place_in_survey(place: WalkPosition) -> WalkPosition:
    """The place of a path that knows only under which keys it has counted anything."""
    memory = place[2]
    counted = tuple([JumpCount(each.key, 1) for each in memory.jumps])
    return (*place[:2], memory._replace(jumps=counted), *place[3:])


class SurveyWalker(StageWalker):
    """Walks without counting, to learn which squares a path may pass again.

    The key of the permission by which a piece is passed stands above the letters of its pass.
    """

    def _counted_passes(
        self, jumps: tuple[JumpPermission, ...], memory: PathMemory
    ) -> Iterator[tuple[int, PathMemory]]:
        for jump in jumps:
            after = _with_jump_count(memory, JumpCount(jump.key, 1))
            yield jump.pass_mask | jump.key << KEY_SHIFT, after

    def squares_ahead(self) -> SquaresAhead:
        """The squares that may be passed again from each place, if there are any."""
        counting: dict[int, set[int]] = {}
        for place, state in self._ids.items():
            for each in place[2].jumps:
                counting.setdefault(each.key, set()).add(state)
        ahead = squares_passed_again(self.states, counting)
        if not any(map(any, ahead.values())):
            return {}
        return {
            place: {key: squares[state] for key, squares in ahead.items()}
            for place, state in self._ids.items()
        }


# The ways of one option, as compiled once: mostly plain runs.
CompiledTerm: TypeAlias = Rays | Automaton


def compile_run_graph(
    stages: list[RunNode], *, contract_transparent: bool, counts_on: bool = False
) -> Automaton:
    """The moves that begin with one of the stages, in normal form.

    ``counts_on`` is whether some path may turn while the pieces it jumps over are counted.
    """
    again: SquaresAhead = {}
    if counts_on:
        survey = SurveyWalker()
        survey.walk_from(stages)
        again = survey.squares_ahead()
    try:
        explorer = StageWalker(again)
        starts = explorer.walk_from(stages)
        return normalise(
            canonical_automaton(explorer.states, starts), contract_transparent=contract_transparent
        )
    except TooManyStates:
        if again:
            raise TooManyWaysBack from None
        raise


def merge_terms(terms: Iterable[CompiledTerm], *, contract_transparent: bool) -> Automaton:
    """The automaton of all that some terms have."""
    rays: dict[Vector, Ray] = {}
    others: list[Automaton] = []
    for term in terms:
        if isinstance(term, Automaton):
            others.append(term)
        else:
            charge(len(term))
            merge_rays(rays, term)
    if not others:
        return automaton_of_rays(rays)
    if rays:
        others.append(automaton_of_rays(rays))
    return union_automaton(others, contract_transparent=contract_transparent)
