"""Itineraries: legs and what may follow them, on the way from a movement to its automaton.

A stage is one run in a straight line (or one leap). Stages point to the stages that may follow,
each with a rule that says where the next one may turn to. Walking all ways through the stages,
with what has to be remembered on the way, gives the edges of an automaton.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from alfil.effort import spend
from alfil.frozen import NamedTuple
from alfil.geometry import REACH, Vector, single_steps
from alfil.meaning.automaton import (
    HOME,
    ON_EMPTY,
    OVER_ANY,
    PAST_EMPTY,
    STATE_LIMIT,
    WHATEVER,
    WRAP_BEGINS,
    WRAP_FILES,
    WRAP_SKIPS,
    Automaton,
    Key,
    Pass,
    Record,
    TooManyStates,
    canonical,
)
from alfil.meaning.normal import normalise, union
from alfil.meaning.runs import Ray, Rays, beside, radiating
from alfil.movement.nodes import Angle, Bend, Hop, Turn
from alfil.movement.turning import BACK, HANDS, STRAIGHT, angled, headings, on_angle


class Memory(NamedTuple):
    """What a path has to remember between legs.

    ``bend`` is the latest bend in sixteenths of a circle, clockwise, 0 before any. ``length`` is
    the number of steps of the latest measured leg. ``hands`` are the hands chosen for unsigned
    angles in loops, as (key, +1 or -1); ``jumps`` the pieces passed so far, as (key, count).
    """

    bend: int = 0
    length: int = 0
    hands: tuple[tuple[int, int], ...] = ()
    jumps: tuple[tuple[int, int], ...] = ()


NO_MEMORY = Memory()
# To find a record takes so many times as long as to look at one.
WALKED = 3
ENDS_AT_HOME: Record = (*HOME, ON_EMPTY, ())

# The steps a stage may begin with, and what is remembered then.
Way: TypeAlias = tuple[tuple[Vector, ...], Memory]


class Jump(NamedTuple):
    """Permission to pass over pieces: which (pass bits), at most how many on a path (0: any)."""

    key: int
    over: int
    most: int


class Link(NamedTuple):
    """One way to go on after a stage.

    ``turn`` is where the next stage may turn to, None for anywhere; ``key`` is not 0 where the hand
    of the turn is kept under that number once it is chosen. ``through`` is what may stand on the
    last square of the stage when the path goes on, ``jumps`` the counted permissions for it; other
    counts end here.
    """

    stage: Stage
    turn: Turn | None = None
    key: int = 0
    through: int = PAST_EMPTY
    jumps: tuple[Jump, ...] = ()


@dataclass(slots=True, eq=False)
class Stage:
    """One leg.

    ``lengths`` are the numbers of steps it may take; None is any number from 1. ``land`` says how
    it may end the move (0: it may not). ``along`` is what may stand on the squares before its
    last. ``between`` is what n (lame) or j (jump) asks of the squares a leap skips. ``hop`` is
    that of a last leg.
    ``ski``: the first square is passed whatever stands there. ``shoot``: what may be captured at
    the end of the leg by a piece that stays at home. ``iso``: exactly as long as the latest
    measured leg; ``measured``: its length is to be remembered. ``homeward``: back over squares
    known to be empty, ending the move at home. ``wrap``: the board wraps for it, files or both.
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
    jumps: tuple[Jump, ...] = ()
    after: list[Link] = field(default_factory=list)


class _Place(NamedTuple):
    """Where a path stands: about to begin a stage, or some steps into it.

    ``begun`` is only kept on wrapped boards, where the first step of a leg is marked.
    """

    stage: Stage
    vectors: tuple[Vector, ...]
    memory: Memory
    steps: int = 0
    hopped: bool = False
    begun: bool = False


class Explorer:
    """Walks all ways through stages and collects the states of an automaton."""

    def __init__(self) -> None:
        self.states: list[list[Record]] = []
        self._ids: dict[_Place, int] = {}
        self._queue: list[tuple[int, _Place]] = []
        self._led: dict[tuple[Stage, Vector, Memory], list[Pass]] = {}
        self._home = -1
        self._bends = False

    def start(self, stages: list[Stage]) -> list[int]:
        """Add the ways that begin with one of the stages; returns the states they start in."""
        self._bends = _asks_bends(stages)
        starts = [self._state(_Place(stage, stage.vectors, NO_MEMORY)) for stage in stages]
        for state, place in self._queue:
            self._walk(state, place)
        self._queue.clear()
        return starts

    def _state(self, place: _Place) -> int:
        state = self._ids.get(place)
        if state is None:
            state = self._ids[place] = self._fresh()
            self._queue.append((state, place))
        return state

    def _fresh(self) -> int:
        self.states.append([])
        if len(self.states) > STATE_LIMIT:
            raise TooManyStates
        return len(self.states) - 1

    def _walk(self, state: int, place: _Place) -> None:
        stage = place.stage
        if stage.homeward:
            self.states[state].append(ENDS_AT_HOME)
            return
        begins = 0 if place.begun else WRAP_BEGINS
        if stage.wrap:
            place = place._replace(begun=True)
        # One step that nothing follows is the same in all directions.
        alike = stage.lengths == (1,) and not stage.after and not stage.iso
        emit = 0
        passes: tuple[Pass, ...] = ()
        work = 0
        for number, vector in enumerate(place.vectors):
            # A step that goes neither left nor right cannot wrap round the files.
            dx, dy = vector
            wrap = 0 if stage.wrap == WRAP_FILES and not dx else stage.wrap
            before, key = state, (dx, dy, wrap | begins if wrap else 0)
            if stage.between:
                before, key = self._skip(state, key, stage, wrap)
            if not (number and alike):
                emit, led = self._step(vector, place, stage)
                passes = tuple(led)
            if emit or passes:
                work += bool(emit) + len(passes)
                self.states[before].append((*key, emit, passes))
        spend(WALKED * work)

    def _skip(self, state: int, key: Key, stage: Stage, wrap: int) -> tuple[int, Key]:
        """The squares in between, first straight along the longer coordinate, then diagonally."""
        dx, dy, first = key
        steps = single_steps((dx, dy))
        for step in steps[:-1]:
            onward = self._fresh()
            skipping = first | WRAP_SKIPS if first else 0
            spend(WALKED)
            self.states[state].append((*step, skipping, 0, ((stage.between, onward),)))
            state, first = onward, wrap
        return state, (*steps[-1], first)

    def _step(self, vector: Vector, place: _Place, stage: Stage) -> tuple[int, list[Pass]]:
        """How the move may end after one more step, and how it goes on."""
        if stage.lengths == (1,) and not place.steps and not _is_special(stage):
            return stage.land, self._followed(vector, place, stage) if stage.after else []
        steps = place.steps + 1
        lengths = (place.memory.length,) if stage.iso else stage.lengths
        runs_on = lengths is None or steps < lengths[-1]
        if stage.iso and stage.lengths is not None and place.memory.length not in stage.lengths:
            return 0, []  # it would have to be longer than its own range
        if stage.ski and steps == 1:
            onward = place._replace(vectors=(vector,), steps=steps)
            return 0, [(WHATEVER, self._state(onward))] if runs_on else []
        arrives = stage.hop == "none" or place.hopped
        emit = 0
        passes: list[Pass] = []
        if arrives and (lengths is None or steps in lengths):
            emit = stage.land
            if stage.shoot:
                passes.append((stage.shoot, self._at_home()))
            if stage.after:
                passes += self._followed(vector, place, stage)
        if runs_on and not (arrives and stage.hop == "behind"):
            passes += self._run_on(vector, place, stage)
        return emit, passes

    def _followed(self, vector: Vector, place: _Place, stage: Stage) -> list[Pass]:
        """The leg ends on this square, and the next stage begins."""
        memory = place.memory
        if stage.measured:
            memory = memory._replace(length=place.steps + 1)
        key = stage, vector, memory
        led = self._led.get(key)
        if led is None:
            led = self._led[key] = []
            for link in stage.after:
                kept = _forgetting(memory, link.jumps) if memory.jumps else memory
                # Every step of the next leg is looked at for a turn, and else only hashed.
                spend(WALKED + len(link.stage.vectors) // (2 if link.turn else 32))
                for vectors, recalled in self._ways(link, vector, kept):
                    if link.through:
                        place = _Place(link.stage, vectors, recalled)
                        led.append((link.through, self._state(place)))
                    for over, after in _jumped(link.jumps, recalled) if link.jumps else ():
                        led.append((over, self._state(_Place(link.stage, vectors, after))))
        return led

    def _ways(self, link: Link, travelled: Vector, memory: Memory) -> Iterable[Way]:
        """The steps the next stage may begin with, with what to remember for them."""
        vectors = link.stage.vectors
        match link.turn:
            case None:
                return [(vectors, memory)]
            case Bend():
                found = headings(link.turn, travelled, memory.bend, vectors)
                if not self._bends:
                    return [(tuple([onward for onward, _ in found]), memory)] if found else []
                alike: dict[int, list[Vector]] = {}
                for onward, bent in found:
                    alike.setdefault(bent, []).append(onward)
                return [(tuple(each), memory._replace(bend=bent)) for bent, each in alike.items()]
            case Angle():
                return _angled(link.turn, link.key, travelled, memory, vectors)

    def _run_on(self, vector: Vector, place: _Place, stage: Stage) -> list[Pass]:
        """The leg goes on over this square."""
        _, _, memory, steps, hopped, begun = place
        steps += 1
        if steps >= _farthest(stage, vector):
            return []
        if stage.lengths is None and not stage.measured and not stage.iso:
            steps = 1  # any number is like any other, so the run is a loop
        if stage.iso and not (stage.measured or stage.ski):
            # Nobody asks for this length again, so it is enough to count what is left of it.
            steps, memory = 0, memory._replace(length=memory.length - 1)
        here = _Place(stage, (vector,), memory, steps, hopped, begun)
        led = [(stage.along, self._state(here))] if stage.along else []
        if stage.hop != "none" and not hopped:
            led.append((OVER_ANY, self._state(here._replace(hopped=True))))
        for over, jumped in _jumped(stage.jumps, place.memory) if stage.jumps else ():
            onward = here._replace(memory=memory._replace(jumps=jumped.jumps))
            led.append((over, self._state(onward)))
        return led

    def _at_home(self) -> int:
        if self._home < 0:
            self._home = self._fresh()
            self.states[self._home].append(ENDS_AT_HOME)
        return self._home


def _is_special(stage: Stage) -> bool:
    """Whether more is asked of a single step than where it goes, how it ends and what follows."""
    return stage.hop != "none" or stage.ski or stage.iso or bool(stage.shoot)


def _asks_bends(stages: Iterable[Stage]) -> bool:
    """Whether some turn on the way looks at the latest bend; most pieces may forget it."""
    queue = list(stages)
    seen = set(queue)
    for stage in queue:
        for link in stage.after:
            if isinstance(link.turn, Bend) and link.turn.sense != "any":
                return True
            if link.stage not in seen:
                seen.add(link.stage)
                queue.append(link.stage)
    return False


def _angled(
    turn: Angle, key: int, travelled: Vector, memory: Memory, vectors: tuple[Vector, ...]
) -> Iterator[Way]:
    """The steps at an angle to each hand, or to the one that is kept under the key."""
    if not turn.degrees and turn.sixteenths in {None, STRAIGHT, BACK}:
        if found := angled(turn, travelled, vectors):
            yield found, memory
        return
    chosen = dict(memory.hands)
    for hand in (chosen[key],) if key in chosen else HANDS[turn.hand]:
        if found := on_angle(travelled, turn, hand, vectors):
            hands = tuple(sorted({**chosen, key: hand}.items())) if key else memory.hands
            yield found, memory._replace(hands=hands)


def _farthest(stage: Stage, vector: Vector) -> int:
    """How many steps along a vector the largest board has room for."""
    return REACH if stage.wrap else REACH // max(abs(vector[0]), abs(vector[1]))


def _forgetting(memory: Memory, jumps: tuple[Jump, ...]) -> Memory:
    """The memory without the counts of permissions that the path has left behind."""
    keys = {jump.key for jump in jumps}
    return memory._replace(jumps=tuple(count for count in memory.jumps if count[0] in keys))


def _jumped(jumps: tuple[Jump, ...], memory: Memory) -> Iterator[tuple[int, Memory]]:
    """The ways to pass one more piece by a counted permission."""
    for jump in jumps:
        counts = dict(memory.jumps)
        count = counts.get(jump.key, 0) + 1
        if count <= jump.most:
            counts[jump.key] = count
            yield jump.over, memory._replace(jumps=tuple(sorted(counts.items())))


# The ways of one option, as compiled once: mostly plain runs.
Term: TypeAlias = Rays | Automaton


def term_of(stages: list[Stage], *, joining: bool) -> Automaton:
    """The moves that begin with one of the stages, in normal form."""
    explorer = Explorer()
    starts = explorer.start(stages)
    return normalise(canonical(explorer.states, starts), joining=joining)


def together(terms: Iterable[Term], *, joining: bool) -> Automaton:
    """The automaton of all that some terms have."""
    rays: dict[Vector, Ray] = {}
    others: list[Automaton] = []
    for term in terms:
        if isinstance(term, Automaton):
            others.append(term)
        else:
            spend(len(term))
            beside(rays, term)
    if not others:
        return radiating(rays)
    if rays:
        others.append(radiating(rays))
    return union(others, joining=joining)
