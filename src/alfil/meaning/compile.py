"""From a movement to its meaning: the only place that sees both its nodes and automata.

A fragment is a move in the making: the stages it may begin with and those it may be complete
after. Where two fragments meet, every complete end of the first is followed by every beginning of
the second, by the turn between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias, assert_never

from alfil.effort import remembered, spend, task
from alfil.errors import Finding, MeaningError
from alfil.frozen import NamedTuple
from alfil.geometry import BOARD_LIMIT, REACH, Vector
from alfil.meaning.automaton import (
    CAPTURES,
    EMPTY_OR_AWAY,
    ON_EMPTY,
    ON_ENEMY,
    ON_FRIEND,
    ON_ROYAL,
    OVER_ANY,
    OVER_ENEMY,
    OVER_FRIEND,
    OVER_ROYAL,
    PAST_AWAY,
    PAST_EMPTY,
    STATE_LIMIT,
    TAKE_ANY,
    TAKE_ENEMY,
    TAKE_FRIEND,
    TAKE_ROYAL,
    TAKE_TRAIL,
    TAKEN,
    THRU_ENEMY,
    THRU_FRIEND,
    THRU_ROYAL,
    WHATEVER,
    WRAP_BOTH,
    WRAP_FILES,
    TooManyStates,
)
from alfil.meaning.facts import ONE_SQUARE, fact_of, untold_fact
from alfil.meaning.itinerary import Due, Jump, Link, Stage, Term, term_of, together
from alfil.meaning.piece import (
    Condition,
    ConditionKind,
    Guard,
    Meaning,
    Part,
    conjunction,
    gather,
)
from alfil.meaning.refusals import (
    Refused,
    check_castling,
    check_functions,
    check_rampage,
    check_rules,
    halfway_again,
    no_jump,
    untold,
    untold_in,
)
from alfil.meaning.runs import EVERYTHING, Rays, by_room, ending_on, leaping, straight
from alfil.movement import nodes
from alfil.movement.nodes import (
    LIMITED,
    Anywhere,
    Bend,
    Castling,
    Either,
    Foreign,
    Jumping,
    Leg,
    Movement,
    NotJumping,
    Only,
    Option,
    Passage,
    Rampage,
    Repeat,
    Rifle,
    Side,
    Then,
    Turn,
    Way,
    When,
    Within,
    Words,
    only_words,
    walk,
)
from alfil.source import Source, Span

PASSAGES: dict[Passage, int] = {
    "empty": PAST_EMPTY,
    "away": PAST_AWAY,
    "take-enemy": TAKE_ENEMY,
    "take-royal": TAKE_ROYAL,
    "take-friend": TAKE_FRIEND,
    "take-passer": TAKE_TRAIL,
    "hop-enemy": OVER_ENEMY,
    "hop-royal": OVER_ROYAL,
    "hop-friend": OVER_FRIEND,
    "pass-enemy": THRU_ENEMY,
    "pass-royal": THRU_ROYAL,
    "pass-friend": THRU_FRIEND,
}
WRAPS: dict[nodes.Edges, int] = {"walls": 0, "files": WRAP_FILES, "both": WRAP_BOTH}
BETWEEN: dict[nodes.Between, int] = {"anything": 0, "empty": PAST_EMPTY, "occupied": OVER_ANY}
# Pieces of a side: passed where they do not matter, passed as hurdles, captured in passing.
THRU: dict[Side, int] = {
    "enemies": THRU_ENEMY | THRU_ROYAL,
    "friends": THRU_FRIEND,
    "all": THRU_ENEMY | THRU_ROYAL | THRU_FRIEND,
}
OVER: dict[Side, int] = {
    "enemies": OVER_ENEMY | OVER_ROYAL,
    "friends": OVER_FRIEND,
    "all": OVER_ANY,
}
TAKE: dict[Side, int] = {
    "enemies": TAKE_ANY,
    "friends": TAKE_FRIEND,
    "all": TAKE_ANY | TAKE_FRIEND,
}
ON_ANY = ON_EMPTY | ON_ENEMY | ON_ROYAL | ON_FRIEND
# More pieces than these there are not to pass, in a line and on a whole board.
MOST_IN_LINE = REACH - 1
MOST_WANDERING = BOARD_LIMIT * BOARD_LIMIT - 2
BACK = (4,)
# What people have written takes up to a seventh of this work.
MOST_WORK = 80_000

Path: TypeAlias = tuple[int, ...]


def meaning_of(movement: Movement, source: Source) -> Meaning:
    """The meaning of a movement.

    Raises `MeaningError` for what has no moves that a table could hold: words as a move, functions
    nobody knows, a movement whose automaton outgrows the limit of states.
    """
    running = None if movement.facts else _running(movement.options)
    try:
        if running is not None:
            with task(MOST_WORK, TooManyStates):
                automaton = together(running, joining=True)
            return Meaning((Part((), automaton),) if automaton else ())
        unclear = untold_in(movement)
        if unclear:
            check_functions(unclear)
        with task(MOST_WORK, TooManyStates):
            return _meaning(movement, source, clear=not unclear)
    except Refused as refused:
        raise MeaningError(refused.findings, source) from None
    except TooManyStates:
        # What conditions have in common is taken out of their parts at last, which is work too.
        raise MeaningError([_too_large(movement.span)], source) from None
    except RecursionError:
        hint = "use fewer brackets inside brackets"
        deep = Finding("too-deep", "nested too deep to be compiled", (movement.span,), hint)
        raise MeaningError([deep], source) from None


def _meaning(movement: Movement, source: Source, *, clear: bool) -> Meaning:
    """The meaning of a movement, or of one that a fact of another speaks of.

    What only words or functions without a meaning tell is kept as facts, beside moves that can be
    told: a piece that has none is refused.
    """
    check_castling(movement)
    rest = [] if clear else [option for option in movement.options if only_words(option)]
    told = movement.options
    if 0 < len(rest) < len(told):
        told = tuple(option for option in told if option not in rest)
    try:
        parts = list(_parts(told, source))
    except TooManyStates:
        raise Refused([_too_large(movement.span)]) from None
    facts = [
        untold_fact(fact)
        if len(rest) < len(movement.options) and _of_words(fact)
        else fact_of(fact, lambda inner: _meaning(inner, source, clear=clear))
        for fact in movement.facts
        if fact.truth != ONE_SQUARE
    ]
    return gather(parts, [*facts, *map(untold_fact, rest)])


def _too_large(span: Span) -> Finding:
    message = (
        f"this piece is too large to be compiled: more than {STATE_LIMIT} states, or as much work"
    )
    hint = "fewer repetitions, or n for any number of them"
    return Finding("too-many-states", message, (span,), hint)


def _of_words(fact: nodes.Fact) -> bool:
    """Whether a fact speaks of moves that only words or functions without a meaning tell."""
    held = (each.options for each in nodes.walk(fact) if isinstance(each, Movement))
    return any(options and all(map(only_words, options)) for options in held)


def _parts(options: tuple[Option, ...], source: Source) -> Iterator[Part]:
    """The moves for each guard."""
    by_guard: dict[Guard, list[Term]] = {}
    ruled: list[tuple[Option, bool]] = []
    runs = 0
    rules = any(isinstance(option.way, Within) for option in options)
    # Under rules an option that is repeated would count as another one.
    for option in dict.fromkeys(options) if rules else options:
        plain = _plain(option)
        for guard, term in terms_of(option, runs) if plain is None else (((), plain),):
            by_guard.setdefault(guard, []).append(term)
            if rules:
                ruled.append((option, bool(term) or not _moves(_bare(option.way))))
                runs = max([runs, *[each.inset for each in guard if each.kind == "greedy"]])
    if rules:
        check_rules(ruled, source)
    for guard, found in by_guard.items():
        yield Part(guard, together(found, joining=not guard or _joining(guard)))


def _running(options: tuple[Option, ...]) -> list[Rays] | None:
    """The moves of a piece that only runs and leaps, as most do; None for others."""
    found: list[Rays] = []
    for option in options:
        rays = _plain(option)
        if rays is None:
            return None
        found.append(rays)
    return found


def _plain(option: Option) -> Rays | None:
    """The runs and leaps of an option that is nothing else: no quicker to remember than to tell."""
    way = option.way
    if option.when or option.passer or not isinstance(way, Leg) or way.lengths in LIMITED:
        return None
    return straight(way)


# People's pieces share most of their options.
@remembered(maxsize=2048)
def terms_of(option: Option, runs: int = 0) -> tuple[tuple[Guard, Term], ...]:
    """The moves of an option under each guard.

    ``runs`` is how many runs as far as they can there are before: each is one of its own.
    """
    return tuple(_Compiling(runs).option(option))


def _bare(way: Way) -> Way:
    """A way without the rules around it."""
    return _bare(way.way) if isinstance(way, Within) else way


def _moves(way: Way) -> bool:
    """Whether a way leads anywhere."""
    return any(term for _, term in terms_of(Option(way)))


def _joining(guard: Guard) -> bool:
    """Whether squares may be transparent: not where those passed matter."""
    return all(condition.kind != "trail" for condition in guard)


class Exit(NamedTuple):
    """A stage after which a way is complete, and what its last square may hold to go on.

    ``own`` is what the leg itself allows there, ``through`` that and what the rules add; ``jumps``
    are counted permissions, ``due`` captures still to be made. ``turn`` is the one its round of a
    repeat goes on by, if any.
    """

    stage: Stage
    own: int
    through: int
    jumps: tuple[Jump, ...] = ()
    due: tuple[Due, ...] = ()
    turn: Turn | None = None
    key: int = 0


class Fragment(NamedTuple):
    """A way in the making; one that is ``optional`` may be left out."""

    entries: list[Stage]
    exits: list[Exit]
    optional: bool = False


class _Context(NamedTuple):
    """What the rules and repeats around a way make of it.

    ``keep`` is the mask of ways to end that the rules leave. ``shoot`` are the captures a piece
    makes without leaving home, in place of ending there; 0 when it moves. ``stops`` is false where
    a move cannot end, ``follows`` true where something may come after. ``over`` are pieces that may
    be passed without counting, ``jumps`` counted permissions, ``take`` pieces captured in passing,
    ``land`` what may be ended on besides what a leg says. ``turns`` is true where a path may turn,
    ``looped`` inside a repeat; ``measured`` where the length of a leg will be asked for.
    ``skipped`` is what may stand on the squares that a leap skips, 0 for anything. ``harmless`` is
    true where nothing may be captured, on the way neither; ``due`` are captures that must be made,
    where that may be on the way. ``after`` is true for a leg after another one. ``path`` is the
    place in the tree.
    """

    keep: int = EVERYTHING
    shoot: int = 0
    stops: bool = True
    follows: bool = False
    over: int = 0
    jumps: tuple[Jump, ...] = ()
    take: int = 0
    land: int = 0
    turns: bool = False
    looped: bool = False
    measured: bool = False
    skipped: int = 0
    harmless: bool = False
    due: tuple[Due, ...] = ()
    after: bool = False
    path: Path = ()

    @property
    def added(self) -> int:
        """What may stand on a square that is passed, besides what the leg says."""
        return self.over | self.take

    def turning(self, *, looped: bool = False) -> _Context:
        """The context of legs between which a path may turn.

        From there on the pieces passed are counted, but which they were is no part of the move:
        there may be any number of ways round them to the same square.
        """
        looped = looped or self.looped
        if self.turns and looped == self.looped and not self.jumps:
            return self
        jumps = tuple([jump._replace(over=_unrecorded(jump.over)) for jump in self.jumps])
        return self._replace(turns=True, looped=looped, jumps=jumps)

    def inside(self, within: Within, key: int) -> _Context:
        """The context of the way inside a rule; ``key`` tells apart what is counted."""
        match within.rule:
            case Only(what="moving"):
                return self._replace(keep=self.keep & EMPTY_OR_AWAY, harmless=True)
            case Only():
                return self._capturing(within.way, key)
            case Rifle(side):
                return self._replace(shoot=TAKE[side])
            case NotJumping(side):
                others = PAST_EMPTY | THRU["all"] & ~THRU[side]
                return self._replace(skipped=self.skipped & others if self.skipped else others)
            case Jumping(side, None):
                return self._replace(over=self.over | THRU[side])
            case Jumping(side, int(most)):
                over = THRU[side] if self.turns else OVER[side]
                most = min(most, MOST_WANDERING if self.turns else MOST_IN_LINE)
                return self._replace(jumps=(*self.jumps, Jump(key, over, most)))
            case Rampage(side):
                land = 0 if side == "enemies" else ON_FRIEND
                taken = 0 if self.harmless else TAKE[side]
                return self._replace(take=self.take | taken, land=land)
            case _:
                raise AssertionError(within.rule)

    def _capturing(self, way: Way, key: int) -> _Context:
        """The context of a way that must capture: where it ends, or on the way if it does so."""
        if not nodes.takes(way):
            return self._replace(keep=self.keep & ~EMPTY_OR_AWAY)
        # What a rampage around the way captures is none of its own captures.
        return self._replace(due=(*self.due, Due(key, TAKEN & ~self.take)))


AROUND_NOTHING = _Context()


def _unrecorded(over: int) -> int:
    """The letters for passing the same pieces without keeping them in mind."""
    return (over & OVER_ANY) << 4 | over & ~OVER_ANY  # the two stand in the same order


class _Compiling:
    """Compiles one option."""

    def __init__(self, runs: int) -> None:
        self._stages = 0
        self._links = 0
        self._keys: dict[Path, int] = {}
        self._runs = runs

    def option(self, option: Option) -> Iterator[tuple[Guard, Term]]:
        """The guard of an option and its moves; none if it can never be used."""
        guard: Guard | None = ()
        for when in option.when:
            guard = guard if guard is None else _with(guard, when)
        extra, context, way = self._ruled(option.way)
        if option.passer and not context.shoot:
            # Nothing is passed by a piece that stays at home.
            extra.append(Condition("trail"))
        for own, ways in _by_conditions(way):
            together = guard
            for condition in (*extra, *own):
                together = together if together is None else conjunction(together, condition)
            if together is None:
                continue
            rays = None if _matters(context) else straight(ways, context.keep)
            if rays is not None:
                yield together, rays
            elif stages := self._fragment(ways, context).entries:
                yield together, term_of(stages, joining=_joining(together))

    def _ruled(self, way: Way) -> tuple[list[Condition], _Context, Way]:
        """The rules around a whole way as a context; a run as far as it can is a condition too."""
        extra: list[Condition] = []
        context = AROUND_NOTHING
        while isinstance(way, Within):
            rule = way.rule
            if isinstance(rule, Rampage):
                check_rampage(way.way)
                if rule.farthest and not context.shoot and not _idle(rule, way.way):
                    # What stands around it chooses among the farthest stops, and does not move
                    # them. Each such option is a run of its own: the farthest stop of one is none
                    # of another's.
                    self._runs += 1
                    left = context.keep & ON_ANY & ~(ON_EMPTY if context.due else 0)
                    extra.append(Condition("greedy", left, self._runs))
                    context = context._replace(keep=EVERYTHING, harmless=False, due=())
            context = context.inside(way, self._key((*context.path, 0)))
            context = context._replace(path=(*context.path, 0))
            way = way.way
        return extra, context, way

    def _key(self, path: Path) -> int:
        """A number for a place in the tree, the same in every round of a repeat."""
        return self._keys.setdefault(path, len(self._keys) + 1)

    def _fragment(self, way: Way, context: _Context) -> Fragment:
        match way:
            case Leg():
                return self._leg(way, context)
            case Then():
                return self._then(way, context.turning())
            case Either(ways):
                return _united(self._fragment(w, _at(context, n)) for n, w in enumerate(ways))
            case Repeat():
                return self._repeat(way, context.turning(looped=True))
            case Within():
                return self._within(way, context)
            case Anywhere() | Castling():
                return self._special(way, context)
            case Words() | Foreign():
                return untold(way)
            case _:
                assert_never(way)

    def _special(self, way: Anywhere | Castling, context: _Context) -> Fragment:
        if isinstance(way, Anywhere):
            return self._leg(leaping(way), context)
        # That a partner stands ready is the guard's business.
        stage = self._stage(Stage(way.steps, (way.squares,)))
        _let_end(stage, ON_EMPTY, context)
        return _single(stage, PAST_EMPTY, context)

    def _stage(self, stage: Stage) -> Stage:
        self._stages += 1
        spend(1)
        if self._stages > STATE_LIMIT:
            raise TooManyStates
        return stage

    def _within(self, within: Within, context: _Context) -> Fragment:
        """A way inside a rule.

        The square where it ends lies outside the rule, so what the rule lets pass does not hold
        for it.
        """
        if isinstance(within.rule, Rampage):
            check_rampage(within.way)
        here = _at(context, 0)
        inner = self._fragment(within.way, here.inside(within, self._key(here.path)))
        exits = [
            one._replace(through=one.own | context.added, jumps=context.jumps, due=context.due)
            for one in inner.exits
        ]
        return inner._replace(exits=exits)

    def _leg(self, leg: Leg, context: _Context) -> Fragment:
        if context.skipped:
            leg = _unjumping(leg, context)
        if leg.lengths == "halfway":
            if context.looped:
                halfway_again(leg)
            return self._run(leg, leg.steps, None, context)
        rooms = by_room(leg.lengths, leg.steps)
        return _united([self._run(leg, steps, lengths, context) for lengths, steps in rooms])

    def _run(
        self,
        leg: Leg,
        steps: tuple[Vector, ...],
        lengths: tuple[int, ...] | None,
        context: _Context,
    ) -> Fragment:
        """A leg with one set of lengths: one stage to go on from and to end on; two if it hops."""
        allowed = ~TAKEN if context.harmless else EVERYTHING
        own = _bits(leg.through) & allowed
        along = _bits(leg.along) & allowed | context.added
        if lengths and along == WHATEVER and not context.jumps and not leg.as_far:
            # A run over squares that may hold anything is leaps, which are compiled more quickly.
            return _united(
                _single(self._made(leg, _leaps(steps, length), (1,), context), own, context)
                for length in lengths
            )
        stage = self._made(leg, steps, lengths, context)
        stage.along = along
        fragment = _single(stage, own, context)
        if leg.hop == "none" or not context.stops:
            return fragment
        stage.hop = leg.hop
        if not context.follows:
            return fragment
        going = self._made(leg, steps, lengths, context._replace(stops=False))
        going.along = along
        return Fragment([going, stage], _single(going, own, context).exits)

    def _made(
        self,
        leg: Leg,
        steps: tuple[Vector, ...],
        lengths: tuple[int, ...] | None,
        context: _Context,
    ) -> Stage:
        stage = Stage(steps, lengths, jumps=context.jumps, wrap=WRAPS[leg.edges], due=context.due)
        stage.between = BETWEEN[leg.between]
        if context.skipped and leg.between == "anything" and _skips(steps):
            stage.between = context.skipped
        stage.ski = leg.skips_first
        stage.iso = leg.as_far
        if leg.lengths == "halfway":
            stage.spared = int(context.after)
        stage.measured = context.measured and lengths != (1,)
        if context.stops:
            _let_end(stage, ending_on(leg.ends) | context.land, context)
        return self._stage(stage)

    def _then(self, then: Then, context: _Context) -> Fragment:
        if then.only is None:
            return self._row(then, then.ways, context)
        return _united(
            self._row(
                then,
                [
                    replace(leg, steps=(step,)) if isinstance(leg, Leg) else leg
                    for leg, step in zip(then.ways, way, strict=True)
                ],
                context,
                chosen=True,
            )
            for way in then.only
        )

    def _row(
        self, then: Then, ways: Sequence[Way], context: _Context, *, chosen: bool = False
    ) -> Fragment:
        """Ways joined in a row; ``chosen``: their first steps are settled, turns are no matter."""
        parts = [self._fragment(way, _in_row(context, then, at)) for at, way in enumerate(ways)]
        simple = not context.looped and not any(isinstance(way, Repeat) for way in ways)
        # Later legs first, so that a leg is known to be the last one when it is joined to others.
        for at in range(len(parts) - 1, 0, -1):
            turn: Turn | None = then.joins[at - 1].turn
            key = self._turn_key(turn, context, -at)
            homeward = simple and _is_back(turn, ways[at])
            if chosen and not _is_back(turn, ways[at]):
                turn = None
            for one in _complete(parts[:at]):
                for stage in parts[at].entries:
                    self._link(one, stage, turn, key, homeward=homeward)
        exits = _complete(parts)
        if then.onward is not None:
            key = self._turn_key(then.onward, context, -len(parts))
            exits = [one._replace(turn=then.onward, key=key) for one in exits]
        return Fragment(parts[0].entries, exits)

    def _turn_key(self, turn: Turn | None, context: _Context, step: int) -> int:
        """The number under which a repeat remembers the hand of a turn, 0 for none."""
        either = isinstance(turn, nodes.Angle) and turn.hand == "either"
        return self._key((*context.path, step)) if either and context.looped else 0

    def _link(
        self, one: Exit, stage: Stage, turn: Turn | None, key: int = 0, *, homeward: bool = False
    ) -> None:
        """Let a stage follow; straight back by the same length ends at home in one step."""
        self._links += 1
        spend(1)
        if self._links > STATE_LIMIT:
            raise TooManyStates
        link = Link(stage, turn, key, one.through, one.jumps, one.due)
        if homeward and _returns(one.stage, stage):
            home = Stage((), (1,), land=stage.land, homeward=True, due=stage.due)
            one.stage.measured = False
            link = Link(home, None, 0, one.through, due=one.due)
        one.stage.after.append(link)

    def _repeat(self, repeat: Repeat, context: _Context) -> Fragment:
        times = repeat.times
        here = _at(context, 0)._replace(follows=context.follows or times != (1,))
        if times == "any":
            body = self._fragment(repeat.way, here)
            self._again(body.exits, body.entries)
            return Fragment(body.entries, _whole(body.exits), repeat.optional)
        entries: list[Stage] = []
        before: list[Exit] = []
        exits: list[Exit] = []
        for count in range(1, times[-1] + 1):
            # A stop inside a round is one only where that round may be the last.
            last = count in times
            following = self._fragment(repeat.way, here if last else here._replace(stops=False))
            self._again(before, following.entries)
            entries = entries or following.entries
            before = following.exits
            exits += before if last else []
        return Fragment(entries, _whole(exits), repeat.optional)

    def _again(self, exits: list[Exit], entries: list[Stage]) -> None:
        """Let a round follow another, by the turn each ends in, or anywhere."""
        for one in exits:
            for stage in entries:
                self._link(one, stage, one.turn, one.key)


def _matters(context: _Context) -> bool:
    """Whether the rules around a way change more than how it may end."""
    passing = context.over or context.jumps or context.take or context.skipped
    return bool(passing or context.shoot or context.land or context.due)


def _at(context: _Context, step: int) -> _Context:
    return context._replace(path=(*context.path, step))


def _in_row(context: _Context, then: Then, at: int) -> _Context:
    """The context of one of the ways in a row."""
    last = at == len(then.joins)
    rest = then.ways[at + 1 :]
    stops = last or then.joins[at].may_stop or all(map(_optional, rest))
    # In a repeat any leg may come before any other.
    asking = then.ways if any(isinstance(way, Repeat) for way in then.ways) else rest
    return context._replace(
        stops=context.stops and stops,
        follows=context.follows or not last,
        measured=context.measured or any(map(_asks, asking)),
        after=context.after or at > 0,
        path=(*context.path, at + 1),
    )


def _optional(way: Way) -> bool:
    return isinstance(way, Repeat) and way.optional


def _asks(way: Way) -> bool:
    """Whether a way asks how long a leg before it was."""
    match way:
        case Leg(as_far=asks):
            return asks
        case Then(ways) | Either(ways):
            return any(map(_asks, ways))
        case Repeat(inner) | Within(way=inner):
            return _asks(inner)
        case _:
            return False


def _complete(parts: Sequence[Fragment]) -> list[Exit]:
    """The exits after which ways in a row are complete: those of the last that must be there."""
    exits: list[Exit] = []
    for part in reversed(parts):
        exits = [*part.exits, *exits]
        if not part.optional:
            break
    return exits


def _united(fragments: Iterable[Fragment]) -> Fragment:
    """Any one of several ways."""
    held = list(fragments)
    if len(held) == 1:
        return held[0]
    return Fragment(
        [stage for fragment in held for stage in fragment.entries],
        [one for fragment in held for one in fragment.exits],
    )


def _single(stage: Stage, own: int, context: _Context) -> Fragment:
    """A way of one stage."""
    return Fragment([stage], [Exit(stage, own, own | context.added, context.jumps, context.due)])


def _whole(exits: list[Exit]) -> list[Exit]:
    """The ends of a repeat: the turn between its rounds is no turn after the last."""
    return [one._replace(turn=None, key=0) for one in exits]


def _let_end(stage: Stage, land: int, context: _Context) -> None:
    """Let the stage end the move in what the rules leave of the ways of ``land``."""
    land &= context.keep
    if not context.shoot:
        stage.land = land
    elif land & CAPTURES:
        enemies = (TAKE_ENEMY if land & ON_ENEMY else 0) | (TAKE_ROYAL if land & ON_ROYAL else 0)
        stage.shoot = context.shoot & (enemies | TAKE_FRIEND)


def _is_back(turn: Turn | None, way: Way) -> bool:
    """Whether a way is straight back, as far as the one before it."""
    back = isinstance(turn, Bend) and turn.places == BACK and turn.sense == "any"
    return back and isinstance(way, Leg) and way.as_far


def _returns(before: Stage, after: Stage) -> bool:
    """Whether the way back is over squares known to be empty, and so needs no second look."""
    return (
        before.along == PAST_EMPTY
        and before.lengths == after.lengths
        and not (before.between or before.ski or before.wrap or before.iso)
        and not (after.between or after.ski or after.wrap or after.hop != "none" or after.after)
        and bool(after.land & EMPTY_OR_AWAY)
    )


def _unjumping(leg: Leg, context: _Context) -> Leg:
    """A leg that passes only what a rule against jumping allows, refused where it must jump."""
    left = context.skipped | (context.skipped & THRU["all"]) >> 4  # passed, or as a hurdle

    def kept(passages: tuple[Passage, ...]) -> tuple[Passage, ...]:
        passed = OVER_ANY | THRU["all"]
        return tuple(each for each in passages if PASSAGES[each] & (left | ~passed))

    through, along = kept(leg.through), kept(leg.along)
    stuck = context.follows and leg.through and not through
    if stuck or leg.between == "occupied" or leg.skips_first or leg.hop != "none":
        no_jump(leg)
    return replace(leg, through=through, along=along)


@lru_cache(maxsize=1024)
def _bits(passages: tuple[Passage, ...]) -> int:
    return sum(PASSAGES[each] for each in passages)


def _skips(steps: tuple[Vector, ...]) -> bool:
    return any(max(abs(x), abs(y)) > 1 for x, y in steps)


def _leaps(steps: tuple[Vector, ...], length: int) -> tuple[Vector, ...]:
    return tuple((x * length, y * length) for x, y in steps)


def _by_conditions(way: Way) -> Iterable[tuple[tuple[Condition, ...], Way]]:
    """A way by what it needs or leaves beside what stands on its squares."""
    if not isinstance(way, Either):
        return [(_conditions(way), way)]
    groups: dict[tuple[Condition, ...], list[Way]] = {}
    for each in way.ways:
        groups.setdefault(_conditions(each), []).append(each)
    return [(own, replace(way, ways=tuple(ways))) for own, ways in groups.items()]


def _conditions(way: Way) -> tuple[Condition, ...]:
    match way:
        case Castling(squares=squares, inset=inset):
            return (Condition("castle", squares, inset),)
        case Leg(lengths="own-half"):
            return (Condition("middle"),)
        case _ if any(isinstance(each, Leg) and each.lengths == "halfway" for each in walk(way)):
            return (Condition("halfway"),)
        case _:
            return ()


def _with(guard: Guard, when: When) -> Guard | None:
    """The guard with one more condition, None when they can never hold together."""
    match when:
        case nodes.OnMove(number):
            return conjunction(guard, Condition("move", number))
        case nodes.EveryMove(number, of):
            kind: ConditionKind = "every" if of == "piece" else "turn"
            return guard if number == 1 else conjunction(guard, Condition(kind, number))
        case nodes.ThirdRank():
            return conjunction(guard, Condition("third-rank"))
        case nodes.OnSquare(ground):
            return conjunction(guard, Condition(ground))
        case _:
            assert_never(when)


def _idle(rampage: Rampage, way: Way) -> bool:
    """Whether a rampage changes nothing: nothing is passed, and no friend may be ended on."""
    return rampage.side == "enemies" and _passes_nothing(way)


def _passes_nothing(way: Way) -> bool:
    match way:
        case Leg(lengths=lengths):
            return lengths == (1,)
        case Either(ways):
            return all(map(_passes_nothing, ways))
        case Within(Only() | Jumping() | NotJumping(), inner):
            return _passes_nothing(inner)
        case _:
            return isinstance(way, Anywhere)
