"""From a Ħasínū tree to stages.

A fragment is a move in the making: the stages it may begin with and those it may be complete
after. Where two fragments meet, every complete end of the first is followed by every beginning of
the second, by the turn between them. A piece may stop wherever a stage says so, which inside a
counted loop is only the last round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple, NoReturn

from alfil.geometry import REACH, Vector
from alfil.meaning.automaton import (
    ON_AWAY,
    ON_EMPTY,
    ON_ENEMY,
    ON_FRIEND,
    ON_ROYAL,
    STATE_LIMIT,
    WHATEVER,
    TooManyStates,
)
from alfil.meaning.itinerary import Stage, Turning
from alfil.meaning.lower.betza import everywhere, lower_betza
from alfil.meaning.lower.context import Context
from alfil.meaning.lower.ending import AS_IT_IS, refuse
from alfil.meaning.lower.exploring import explored
from alfil.meaning.lower.fragments import (
    Exit,
    Fragment,
    ends,
    join,
    single,
    united,
    whole,
)
from alfil.meaning.lower.turns import Angle, Outward
from alfil.meaning.piece import Condition, Guard, conjunction
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Path
from alfil.notation.hasinu.idle import idle
from alfil.notation.hasinu.nodes import (
    Bent,
    Call,
    Distance,
    Embedded,
    Group,
    HasinuTerm,
    Loop,
    Oblique,
    Radial,
    Text,
    Turn,
    Union,
)
from alfil.notation.hasinu.signatures import (
    ForeignCall,
    InfCall,
    MoveCall,
    TimedCall,
    bind,
    nested,
)
from alfil.notation.nodes import Description
from alfil.source import Span

EFFECTS = frozenset({"burn", "im"})
# Functions that take ways to end from a move.
NARROWING = frozenset({"m", "c", "i"})
ON_ANY = ON_EMPTY | ON_ENEMY | ON_ROYAL | ON_FRIEND
ONE_STEP = Distance((1,))


class Way(NamedTuple):
    """Stages a piece may begin with, under a guard."""

    guard: Guard
    stages: list[Stage]


def hasinu_ways(description: Description) -> Iterator[Way]:
    """The ways of all terms of a description."""
    lowering = _Lowering()
    for term in dict.fromkeys(description.terms):
        yield from lowering.ways(term, Context())


class _Lowering:
    """Lowers the terms of one description."""

    def __init__(self) -> None:
        self._stages = 0
        self._keys = 0
        self._runs = 0

    def ways(
        self, term: HasinuTerm | BetzaTerm, context: Context, guard: Guard = ()
    ) -> Iterator[Way]:
        """The ways a whole term offers; terms that are facts offer none."""
        match term:
            case Union():
                for each in term.terms:
                    yield from self.ways(each, context, guard)
            case Call():
                yield from self._called(term, context, guard)
            case Group():
                yield from self.ways(nested(term), context, guard)
            case Embedded():
                yield from _embedded(term, context, guard)
            case Text():
                refuse(
                    "text-move",
                    "words are no move that could be drawn or played",
                    term.span,
                    "put it in words a function can carry, or leave it out",
                )
            case _:
                yield Way(guard, self._fragment(term, context).entries)

    def _called(self, call: Call, context: Context, guard: Guard) -> Iterator[Way]:
        match bind(call):
            case TimedCall() as timed:
                together = _timed(timed, guard)
                if together is not None:
                    yield from self.ways(timed.move, context, together)
            case MoveCall() as narrowing:
                yield from self._narrowed(call, narrowing, context, guard)
            case InfCall(x, y):
                yield Way(guard, self._box(x, y, context).entries)
            case ForeignCall():
                _no_handler(call)
            case _:
                return

    def _narrowed(
        self, call: Call, bound: MoveCall, context: Context, guard: Guard
    ) -> Iterator[Way]:
        """The ways of a move inside a function; effects and passive rifles are facts, not moves."""
        if bound.name in EFFECTS or (bound.name == "i" and "A" not in bound.when):
            return
        if bound.name == "rpg":
            turning = _first_turning(bound.move)
            if turning is not None:
                refuse(
                    "rpg-run",
                    "only a move in a straight line can be a rampage",
                    turning,
                    "take the rampage of each leg or leap apart",
                )
        greedy_run = bound.name == "rpg" and bound.greed == "G" and idle(call) is None
        if greedy_run and not context.ending.shoot:
            # What stands around it chooses among the farthest stops, and does not move them.
            # Each such term is a run of its own: the farthest stop of one is none of another's.
            self._runs += 1
            condition = Condition("greedy", context.ending.keep & ON_ANY, self._runs)
            greedy = conjunction(guard, condition)
            guard = greedy or guard
            context = replace(context, ending=AS_IT_IS)
        self._keys += 1
        ways = list(self.ways(bound.move, context.inside(call, bound, self._keys), guard))
        if bound.name in NARROWING and _nothing_left(bound, ways):
            # The reader sees functions only; what embedded Betza and later legs leave, it does not.
            refuse(
                "never-legal",
                "a move that may neither move nor capture",
                call.name_span,
                f"leave out {bound.name}",
            )
        yield from ways

    def _fragment(self, term: HasinuTerm | BetzaTerm, context: Context) -> Fragment:
        match term:
            case Radial():
                return self._run(term.vectors, term.distance, context)
            case Oblique():
                _may_leap(context)
                return self._run(term.vectors, term.distance or ONE_STEP, context)
            case Union():
                return united([self._fragment(each, context) for each in term.terms])
            case Bent():
                return self._bent(term, context.wandering())
            case Loop():
                return self._loop(term, replace(context.wandering(), looped=True))
            case Group():
                return self._fragment(nested(term), context)
            case Call():
                return self._function(term, context)
            case _:
                return _not_a_leg(term)

    def _function(self, call: Call, context: Context) -> Fragment:
        """A leg inside a function of legs."""
        bound = bind(call)
        if isinstance(bound, ForeignCall):
            _no_handler(call)
        if not isinstance(bound, MoveCall):
            _not_a_leg(call)
        self._keys += 1
        inner = self._fragment(bound.move, context.inside(call, bound, self._keys))
        # The square where it ends lies outside the function, so what the function lets pass does
        # not hold for it.
        exits = [
            one._replace(through=context.passing(), jumps=context.jumps) for one in inner.exits
        ]
        return Fragment(inner.entries, exits)

    def _run(self, vectors: tuple[Vector, ...], distance: Distance, context: Context) -> Fragment:
        """A leg in a straight line, exactly as far as one of its distances."""
        near = REACH // max((max(abs(x), abs(y)) for x, y in vectors), default=1)
        steps = distance.steps or range(1, near + 1)
        lengths: tuple[int, ...] | None = tuple(sorted(step for step in steps if step <= near))
        if not lengths:
            return Fragment([], [])
        if distance.steps and context.passing() == WHATEVER and not context.jumps:
            return united([self._leap(vectors, length, context) for length in lengths])
        if lengths == tuple(range(1, near + 1)) and near > 1:
            lengths = None
        stage = self._stage(vectors, lengths, context)
        return single(stage, context)

    def _leap(self, vectors: tuple[Vector, ...], length: int, context: Context) -> Fragment:
        """A run over squares that may hold anything is a leap, which is compiled more quickly."""
        leaps = tuple((x * length, y * length) for x, y in vectors)
        return single(self._stage(leaps, (1,), replace(context, over=0)), context)

    def _box(self, x: int, y: int, context: Context) -> Fragment:
        _may_leap(context)
        return single(self._stage(everywhere(x, y), (1,), context), context)

    def _stage(
        self, vectors: tuple[Vector, ...], lengths: tuple[int, ...] | None, context: Context
    ) -> Stage:
        self._stages += 1
        if self._stages > STATE_LIMIT:
            raise TooManyStates
        stage = Stage(vectors, lengths, jumps=context.jumps)
        stage.along = context.passing()
        if context.stops:
            land = context.land
            if context.wanders:
                land = land & ~ON_EMPTY | ON_AWAY
            context.ending.apply(stage, land)
        return stage

    def _bent(self, bent: Bent, context: Context) -> Fragment:
        whole = self._fragment(bent.legs[0], context)
        exits = whole.exits
        for leg, turn in zip(bent.legs[1:], bent.turns, strict=False):
            following = self._fragment(leg, context)
            join(exits, following.entries, _turning(turn, context))
            exits = following.exits
        if len(bent.turns) == len(bent.legs):
            last = _turning(bent.turns[-1], context)
            exits = [one._replace(turning=last) for one in exits]
        return Fragment(whole.entries, exits)

    def _loop(self, loop: Loop, context: Context) -> Fragment:
        times = loop.times.steps
        if not times:
            body = self._fragment(loop.body, context)
            join(body.exits, body.entries, None)
            return Fragment(body.entries, whole(body.exits))
        if sorted(times) == list(range(1, max(times) + 1)):
            return self._rounds(loop, context, max(times))
        return self._counted(loop, context, frozenset(times))

    def _rounds(self, loop: Loop, context: Context, most: int) -> Fragment:
        """One to ``most`` rounds: a stop after any of them."""
        first = self._fragment(loop.body, context)
        exits, every = first.exits, list(first.exits)
        for _ in range(most - 1):
            following = self._fragment(loop.body, context)
            join(exits, following.entries, None)
            exits = following.exits
            every += exits
        return Fragment(first.entries, whole(every))

    def _counted(self, loop: Loop, context: Context, times: frozenset[int]) -> Fragment:
        """Exactly so many rounds: complete ones, and at each count in the set a last one."""
        entries: list[Stage] = []
        exits: list[Exit] = []
        before: list[Exit] | None = None
        through = replace(context, stops=False)
        for count in range(1, max(times) + 1):
            rounds: list[tuple[Fragment, bool]] = []
            if count in times:
                rounds.append((self._fragment(loop.body, context), True))
            if count < max(times):
                rounds.append((self._fragment(loop.body, through), False))
            for fragment, last in rounds:
                if before is None:
                    entries += fragment.entries
                else:
                    join(before, fragment.entries, None)
                if last:
                    exits += fragment.exits
            before = rounds[-1][0].exits
        return Fragment(entries, whole(exits))


def _nothing_left(bound: MoveCall, ways: list[Way]) -> bool:
    """Whether a function has taken from a move every way to end.

    A move that leads nowhere by itself is not the function's fault.
    """
    stages = [stage for way in ways for stage in way.stages]
    if not stages:
        return False
    # A way home again ends on an empty square, which only a walk through the stages brings out.
    betza = isinstance(bound.move, Embedded)
    return not ends(stages) or (betza and not any(explored(way.stages) for way in ways))


def _timed(call: TimedCall, guard: Guard) -> Guard | None:
    """The guard with the timing added, None when the two can never hold together."""
    if call.name == "atmove":
        return conjunction(guard, Condition("move", call.number))
    return guard if call.number == 1 else conjunction(guard, Condition("every", call.number))


def _first_turning(term: HasinuTerm | BetzaTerm) -> Span | None:
    """The first thing in a move that is not a run or leap in a straight line."""
    match term:
        case Radial() | Oblique():
            return None
        case Union():
            found = map(_first_turning, term.terms)
            return next((span for span in found if span is not None), None)
        case Group():
            return _first_turning(term.body)
        case Call():
            bound = bind(term)
            return _first_turning(bound.move) if isinstance(bound, MoveCall) else term.span
        case _:
            return term.span


def _no_handler(call: Call) -> NoReturn:
    refuse(
        "no-handler",
        f"nothing says what {call.name} does to a move",
        call.name_span,
        "a declared function has no body: write the moves it stands for",
    )


def _not_a_leg(term: HasinuTerm | BetzaTerm) -> NoReturn:
    refuse("not-a-leg", "this is a whole term, not a leg", term.span, "give it a term of its own")


def _may_leap(context: Context) -> None:
    if context.no_jumps:
        refuse(
            "nj-oblique",
            "which squares block an oblique leap is not settled",
            context.no_jumps,
            "write the lame leap as an embedded Betza term",
        )


def _embedded(term: Embedded, context: Context, guard: Guard) -> Iterator[Way]:
    """The ways of embedded Betza, narrowed by the functions around it."""
    for part in term.betza.terms:
        if isinstance(part, Leg | Chain | Path):
            conditions, stages = lower_betza(part, context.ending)
            if context.ending.shoot:
                # Nothing is passed by a piece that stays at home.
                conditions = tuple(each for each in conditions if each.kind != "trail")
            together = _both(guard, conditions)
            if together is not None:
                yield Way(together, stages)


def _both(guard: Guard, more: Guard) -> Guard | None:
    together: Guard | None = guard
    for condition in more:
        if together is not None:
            together = conjunction(together, condition)
    return together


def _turning(turn: Turn, context: Context) -> Turning:
    if turn.sixteenths is None:
        return Outward()
    key = 0
    if context.looped and not turn.sign:
        # The same angle of the text is the same choice in every round; spans tell angles apart.
        key = turn.span.start + 1
    return Angle(turn.sixteenths, turn.sign, key)
