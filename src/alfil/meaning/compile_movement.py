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

from alfil.errors import (
    TOO_DEEP_HINT,
    TOO_DEEP_MESSAGE,
    Diagnostic,
    MeaningError,
    raise_if_stack_was_short,
)
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import BOARD_LIMIT, LONGEST_STEP, Vector
from alfil.meaning.automaton import (
    CAPTURE_ENDS,
    ON_AWAY,
    ON_EMPTY,
    ON_EMPTY_OR_AWAY,
    ON_ENEMY,
    ON_FRIEND,
    ON_ROYAL,
    OVER_ANY,
    OVER_ENEMY,
    OVER_FRIEND,
    OVER_ROYAL,
    PASS_ANYTHING,
    PAST_AWAY,
    PAST_EMPTY,
    STATE_LIMIT,
    TAKE_ANY,
    TAKE_BITS,
    TAKE_ENEMY,
    TAKE_FRIEND,
    TAKE_ROYAL,
    TAKE_TRAIL,
    THRU_ENEMY,
    THRU_FRIEND,
    THRU_ROYAL,
    WRAP_BOTH,
    WRAP_FILES,
    TooManyStates,
)
from alfil.meaning.compile_facts import ONE_SQUARE, compile_fact, unsupported_fact
from alfil.meaning.piece_meaning import (
    Condition,
    ConditionKind,
    Guard,
    GuardedAutomaton,
    Meaning,
    meaning_of_parts,
    with_condition,
)
from alfil.meaning.plain_runs import (
    ALL_BITS,
    Rays,
    anywhere_as_leaps,
    end_bits,
    plain_rays,
    steps_by_lengths_that_fit,
)
from alfil.meaning.run_graph import (
    CompiledTerm,
    DueCapture,
    JumpPermission,
    RunNode,
    StageLink,
    TooManyWaysBack,
    compile_run_graph,
    merge_terms,
)
from alfil.meaning.unsupported import (
    UnsupportedMovement,
    reject_count_on_wrapped_board,
    reject_forbidden_jump,
    reject_large_castling,
    reject_repeated_halfling,
    reject_rules_forbidding_all,
    reject_turning_rampage,
    reject_unknown_functions,
    reject_words,
    uncompilable_nodes,
)
from alfil.movement import nodes
from alfil.movement.canonical_movement import canonicalise_movement
from alfil.movement.nodes import (
    BOARD_DEPENDENT_LENGTHS,
    MOVE_OR_CAPTURE,
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
    has_part,
    has_uncompilable_part,
)
from alfil.movement.turn_geometry import path_prefixes_by_leg_count
from alfil.source import Source, Span
from alfil.work_limit import cached_with_work, charge, limited_task

BITS_BY_PASSAGE: dict[Passage, int] = {
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
WRAP_BY_EDGES: dict[nodes.Edges, int] = {"walls": 0, "files": WRAP_FILES, "both": WRAP_BOTH}
BITS_BY_BETWEEN: dict[nodes.Between, int] = {
    "anything": 0,
    "empty": PAST_EMPTY,
    "occupied": OVER_ANY,
}
# Pieces of a side: captured in passing, passed as hurdles, passed where they do not matter. The
# letters of all three stand in the same order.
TAKE_BITS_BY_SIDE: dict[Side, int] = {
    "enemies": TAKE_ANY,
    "friends": TAKE_FRIEND,
    "all": TAKE_ANY | TAKE_FRIEND,
}
OVER_BITS_BY_SIDE = {side: bits << 4 for side, bits in TAKE_BITS_BY_SIDE.items()}
THRU_BITS_BY_SIDE = {side: bits << 8 for side, bits in TAKE_BITS_BY_SIDE.items()}
END_ON_ANY = ON_EMPTY | ON_ENEMY | ON_ROYAL | ON_FRIEND
# More pieces than these there are not to pass, in a line and on a whole board.
MAX_PIECES_IN_LINE = LONGEST_STEP - 1
MAX_PIECES_ON_BOARD = BOARD_LIMIT * BOARD_LIMIT - 2
STRAIGHT_BACK = (4,)
# So many paths at most are looked at for those that lead home.
MAX_PATHS = 400
# What people have written takes up to a seventh of this work.
MAX_WORK = 80_000

TreePath: TypeAlias = tuple[int, ...]


def meaning_of(movement: Movement, source: Source, *, remember: bool = True) -> Meaning:
    """The meaning of a movement; ``remember`` it unless who asks does.

    Raises `MeaningError` for what has no moves that a table could hold: words as a move, functions
    nobody knows, a movement whose automaton outgrows the limit of states.
    """
    try:
        if movement.facts or any(isinstance(each.way, Within) for each in movement.options):
            # What a rule lets a repeated leg jump over is a hurdle of the run that it is folded to.
            movement = canonicalise_movement(movement)
        compiled = _compile_remembered if remember else _compile_whole
        return compiled(movement, movement.span, source)
    except UnsupportedMovement as refused:
        raise MeaningError(refused.diagnostics, source) from None
    except RecursionError:
        raise_if_stack_was_short()
        deep = Diagnostic("too-deep", TOO_DEEP_MESSAGE, (movement.span,), TOO_DEEP_HINT)
        raise MeaningError([deep], source) from None


def _compile_whole(movement: Movement, span: Span, source: Source) -> Meaning:
    """The meaning of a movement that is no part of another; raises `UnsupportedMovement`.

    Movements that are equal may stand in several places, so ``span`` is asked for too.
    """
    running = None if movement.facts else _plain_rays_of_options(movement.options)
    try:
        with limited_task(MAX_WORK, TooManyStates):
            if running is not None:
                automaton = merge_terms(running, contract_transparent=True)
                return Meaning((GuardedAutomaton((), automaton),) if automaton else ())
            unclear = uncompilable_nodes(movement)
            if unclear:
                reject_unknown_functions(unclear)
            return _compile_movement(movement, source, all_compilable=not unclear)
    except TooManyStates as error:
        # What conditions have in common is taken out of their parts at last, which is work too.
        raise UnsupportedMovement([_too_large_diagnostic(span, error)]) from None


# A page translates a piece into every notation, and each translation compiles it, and refuses it.
_compile_remembered = cached_with_work(maxsize=64, refusal=UnsupportedMovement)(_compile_whole)


def _compile_movement(movement: Movement, source: Source, *, all_compilable: bool) -> Meaning:
    """The meaning of a movement, or of one that a fact of another speaks of.

    What only words or functions without a meaning tell is kept as facts, beside moves that can be
    told: a piece that has none is refused.
    """
    reject_large_castling(movement)
    rest = (
        []
        if all_compilable
        else [option for option in movement.options if has_uncompilable_part(option)]
    )
    options = movement.options
    if 0 < len(rest) < len(options):
        options = tuple(option for option in options if option not in rest)
    try:
        parts = list(_compile_parts(options, source))
    except TooManyStates as error:
        raise UnsupportedMovement([_too_large_diagnostic(movement.span, error)]) from None
    facts = [
        unsupported_fact(fact)
        if len(rest) < len(movement.options) and _has_uncompilable_moves(fact)
        else compile_fact(
            fact, lambda inner: _compile_movement(inner, source, all_compilable=all_compilable)
        )
        for fact in movement.facts
        if fact.truth != ONE_SQUARE
    ]
    return meaning_of_parts(parts, [*facts, *map(unsupported_fact, rest)])


def _too_large_diagnostic(span: Span, error: TooManyStates) -> Diagnostic:
    message = (
        f"this piece is too large to be compiled: more than {STATE_LIMIT} states, or as much work"
    )
    hint = "fewer repetitions, or n for any number of them"
    if isinstance(error, TooManyWaysBack):
        message += ", for it comes back in too many ways to pieces that count once"
        hint = "fewer repetitions; more of them fit where it may jump over any number of pieces"
    return Diagnostic("too-many-states", message, (span,), hint)


def _has_uncompilable_moves(fact: nodes.Fact) -> bool:
    """Whether a fact speaks of moves that only words or functions without a meaning tell."""
    held = (each.options for each in nodes.walk(fact) if isinstance(each, Movement))
    return any(options and all(map(has_uncompilable_part, options)) for options in held)


def _compile_parts(options: tuple[Option, ...], source: Source) -> Iterator[GuardedAutomaton]:
    """The moves for each guard."""
    by_guard: dict[Guard, list[CompiledTerm]] = {}
    ruled: list[tuple[Option, bool]] = []
    runs = 0
    rules = any(isinstance(option.way, Within) for option in options)
    # Under rules an option that is repeated would count as another one.
    for option in dict.fromkeys(options) if rules else options:
        plain = _plain_rays_of_option(option)
        for guard, term in compile_option_terms(option, runs) if plain is None else (((), plain),):
            by_guard.setdefault(guard, []).append(term)
            if rules:
                plain_terms = compile_option_terms(Option(_without_rules(option.way)))
                ruled.append((option, bool(term) or not any(each for _, each in plain_terms)))
                runs = max([runs, *[each.inset for each in guard if each.kind == "greedy"]])
    if rules:
        reject_rules_forbidding_all(ruled, source)
    for guard, result in by_guard.items():
        yield GuardedAutomaton(
            guard,
            merge_terms(result, contract_transparent=not guard or _ignores_passed_squares(guard)),
        )


def _plain_rays_of_options(options: tuple[Option, ...]) -> list[Rays] | None:
    """The moves of a piece that only runs and leaps, as most do; None for others."""
    result: list[Rays] = []
    for option in options:
        rays = _plain_rays_of_option(option)
        if rays is None:
            return None
        result.append(rays)
    return result


def _plain_rays_of_option(option: Option) -> Rays | None:
    """The runs and leaps of an option that is nothing else: no quicker to remember than to tell."""
    way = option.way
    if (
        option.when
        or option.passer
        or not isinstance(way, Leg)
        or way.lengths in BOARD_DEPENDENT_LENGTHS
    ):
        return None
    return plain_rays(way)


# People's pieces share most of their options.
@cached_with_work(maxsize=2048)
def compile_option_terms(
    option: Option, greedy_runs_before: int = 0
) -> tuple[tuple[Guard, CompiledTerm], ...]:
    """The moves of an option under each guard.

    ``greedy_runs_before`` is how many runs as far as they can there are before: each is one of its
    own.
    """
    return tuple(_OptionCompiler(greedy_runs_before).compile_option(option))


def _without_rules(way: Way) -> Way:
    """A way without the rules around it."""
    return _without_rules(way.way) if isinstance(way, Within) else way


def _ignores_passed_squares(guard: Guard) -> bool:
    """Whether squares may be transparent: not where those passed matter."""
    return all(condition.kind != "trail" for condition in guard)


class FragmentExit(NamedTuple):
    """A stage after which a way is complete, and what its last square may hold to go on.

    ``own_ends`` is what the leg itself allows there, ``continuing_mask`` that and what the rules
    add; ``jumps`` are counted permissions, ``due`` captures still to be made. ``turn`` is the one
    its round of a repeat goes on by, if any.
    """

    stage: RunNode
    own_ends: int
    continuing_mask: int
    jumps: tuple[JumpPermission, ...] = ()
    due: tuple[DueCapture, ...] = ()
    turn: Turn | None = None
    key: int = 0


class WayFragment(NamedTuple):
    """A way in the making; one that is ``optional`` may be left out."""

    entries: list[RunNode]
    exits: list[FragmentExit]
    optional: bool = False


class _RuleContext(NamedTuple):
    """What the rules and repeats around a way make of it.

    ``allowed_ends`` is the mask of ways to end that the rules leave. ``shoot`` are the captures a
    piece makes without leaving home, in place of ending there; 0 when it moves. ``stops`` is false
    where a move cannot end, ``follows`` true where something may come after. ``over`` are pieces
    that may be passed without counting, ``jumps`` counted permissions, ``take`` pieces captured in
    passing, ``land`` what may be ended on besides what a leg says. ``turns`` is true where a path
    may turn, ``looped`` inside a repeat; ``measured`` where the length of a leg will be asked for.
    ``skipped`` is what may stand on the squares that a leap skips, 0 for anything. ``harmless`` is
    true where nothing may be captured, on the way neither; ``due`` are captures that must be made,
    where that may be on the way. ``after`` is true for a leg after another one. ``path`` is the
    place in the tree.
    """

    allowed_ends: int = ALL_BITS
    shoot: int = 0
    stops: bool = True
    follows: bool = False
    over: int = 0
    jumps: tuple[JumpPermission, ...] = ()
    take: int = 0
    land: int = 0
    turns: bool = False
    looped: bool = False
    measured: bool = False
    skipped: int = 0
    harmless: bool = False
    due: tuple[DueCapture, ...] = ()
    after: bool = False
    path: TreePath = ()

    @property
    def extra_passes(self) -> int:
        """What may stand on a square that is passed, besides what the leg says."""
        return self.over | self.take

    def with_turns(self, way: Then | Repeat, *, looped: bool = False) -> _RuleContext:
        """The context of the legs of a way, between which a path may turn.

        Within a loop the pieces passed are counted, but which they were is no part of the move:
        there may be any number of ways round them to the same square.
        """
        looped = looped or self.looped
        jumps = self.jumps
        if jumps:
            reject_count_on_wrapped_board(way)
        if looped:
            # The same pieces are passed without keeping them in mind.
            jumps = tuple(
                JumpPermission(key, (mask & OVER_ANY) << 4 | mask & ~OVER_ANY, most)
                for key, mask, most in jumps
            )
        return self._replace(turns=True, looped=looped, jumps=jumps)

    def inside_rule(self, within: Within, key: int) -> _RuleContext:
        """The context of the way inside a rule; ``key`` tells apart what is counted."""
        match within.rule:
            case Only(what="moving"):
                return self._replace(
                    allowed_ends=self.allowed_ends & ON_EMPTY_OR_AWAY, harmless=True
                )
            case Only():
                return self._requiring_capture(within.way, key)
            case Rifle():
                return self._shooting(within, key)
            case NotJumping(side):
                others = PAST_EMPTY | THRU_BITS_BY_SIDE["all"] & ~THRU_BITS_BY_SIDE[side]
                return self._replace(skipped=self.skipped & others if self.skipped else others)
            case Jumping(side, None):
                return self._replace(over=self.over | THRU_BITS_BY_SIDE[side])
            case Jumping(side, int(most)):
                over = THRU_BITS_BY_SIDE[side] if self.looped else OVER_BITS_BY_SIDE[side]
                most = min(most, MAX_PIECES_ON_BOARD if self.turns else MAX_PIECES_IN_LINE)
                return self._replace(jumps=(*self.jumps, JumpPermission(key, over, most)))
            case Rampage(side):
                land = 0 if side == "enemies" else ON_FRIEND
                taken = 0 if self.harmless else TAKE_BITS_BY_SIDE[side]
                return self._replace(take=self.take | taken, land=self.land | land)
            case _:
                raise AssertionError(within.rule)

    def _shooting(self, within: Within, key: int) -> _RuleContext:
        """The context of a way whose captures are made from home."""
        assert isinstance(within.rule, Rifle)
        if self.shoot:
            # A shot around a shot says whom it captures.
            return self
        shooting = self._replace(shoot=TAKE_BITS_BY_SIDE[within.rule.side])
        return shooting._requiring_capture(within.way, key)

    def _requiring_capture(self, way: Way, key: int) -> _RuleContext:
        """The context of a way that must capture: where it ends, or on the way if it does so."""
        if not nodes.may_capture_on_the_way(way):
            return self._replace(allowed_ends=self.allowed_ends & ~ON_EMPTY_OR_AWAY)
        # What a rampage around the way captures is none of its own captures.
        return self._replace(due=(*self.due, DueCapture(key, TAKE_BITS & ~self.take)))


NO_RULES = _RuleContext()


class _OptionCompiler:
    """Compiles one option."""

    def __init__(self, runs: int) -> None:
        self._stages = 0
        self._links = 0
        self._counts_on = False
        self._keys: dict[TreePath, int] = {}
        self._runs = runs

    def compile_option(self, option: Option) -> Iterator[tuple[Guard, CompiledTerm]]:
        """The guard of an option and its moves; none if it can never be used."""
        guard: Guard | None = ()
        for when in option.when:
            guard = guard if guard is None else _with_condition(guard, when)
        extra, context, way = self._split_rules(option.way)
        if option.passer and not context.shoot:
            # Nothing is passed by a piece that stays at home.
            extra.append(Condition("trail"))
        for own, ways in _split_by_conditions(way):
            together = guard
            for condition in (*extra, *own):
                together = together if together is None else with_condition(together, condition)
            if together is None:
                continue
            rays = (
                None if _changes_more_than_ends(context) else plain_rays(ways, context.allowed_ends)
            )
            if rays is not None:
                yield together, rays
            elif stages := self._compile_way(ways, context).entries:
                yield (
                    together,
                    compile_run_graph(
                        stages,
                        contract_transparent=_ignores_passed_squares(together),
                        counts_on=self._counts_on,
                    ),
                )

    def _split_rules(self, way: Way) -> tuple[list[Condition], _RuleContext, Way]:
        """The rules around a whole way as a context; a run as far as it can is a condition too."""
        extra: list[Condition] = []
        context = NO_RULES
        while isinstance(way, Within):
            rule = way.rule
            if isinstance(rule, Rampage):
                reject_turning_rampage(way.way)
                # It changes nothing where nothing is passed, and no friend may be ended on.
                idle = rule.side == "enemies" and _passes_no_square(way.way)
                if rule.farthest and not context.shoot and not idle:
                    # What stands around it chooses among the farthest stops, and does not move
                    # them. Each such option is a run of its own: the farthest stop of one is none
                    # of another's.
                    self._runs += 1
                    left = context.allowed_ends & END_ON_ANY & ~(ON_EMPTY if context.due else 0)
                    extra.append(Condition("greedy", left, self._runs))
                    context = context._replace(allowed_ends=ALL_BITS, harmless=False, due=())
            context = context.inside_rule(way, self._path_number((*context.path, 0)))
            context = context._replace(path=(*context.path, 0))
            way = way.way
        return extra, context, way

    def _path_number(self, path: TreePath) -> int:
        """A number for a place in the tree, the same in every round of a repeat."""
        return self._keys.setdefault(path, len(self._keys) + 1)

    def _compile_way(self, way: Way, context: _RuleContext) -> WayFragment:
        match way:
            case Leg():
                return self._compile_leg(way, context)
            case Then():
                return self._compile_sequence(way, context.with_turns(way))
            case Either(ways):
                return _fragment_of_alternatives(
                    self._compile_way(w, _context_at_child(context, n)) for n, w in enumerate(ways)
                )
            case Repeat():
                return self._compile_repeat(way, context.with_turns(way, looped=True))
            case Within():
                return self._compile_way_under_rule(way, context)
            case Anywhere() | Castling():
                return self._compile_castling_or_anywhere(way, context)
            case Words() | Foreign():
                return reject_words(way)
            case _:
                assert_never(way)

    def _compile_castling_or_anywhere(
        self, way: Anywhere | Castling, context: _RuleContext
    ) -> WayFragment:
        if isinstance(way, Anywhere):
            return self._compile_leg(anywhere_as_leaps(way), context)
        # That a partner stands ready is the guard's business.
        stage = self._check_stage_limit(RunNode(way.steps, (way.squares,)))
        _allow_move_end(stage, ON_EMPTY, context)
        return _fragment_of_stage(stage, PAST_EMPTY, context)

    def _check_stage_limit(self, stage: RunNode) -> RunNode:
        self._stages += 1
        charge(1)
        if self._stages > STATE_LIMIT:
            raise TooManyStates
        return stage

    def _compile_way_under_rule(self, within: Within, context: _RuleContext) -> WayFragment:
        """A way inside a rule.

        The square where it ends lies outside the rule, so what the rule lets pass does not hold
        for it.
        """
        if isinstance(within.rule, Rampage):
            reject_turning_rampage(within.way)
        here = _context_at_child(context, 0)
        inner = self._compile_way(
            within.way, here.inside_rule(within, self._path_number(here.path))
        )
        exits = [
            one._replace(
                continuing_mask=one.own_ends | context.extra_passes,
                jumps=context.jumps,
                due=context.due,
            )
            for one in inner.exits
        ]
        return inner._replace(exits=exits)

    def _compile_leg(self, leg: Leg, context: _RuleContext) -> WayFragment:
        if context.skipped:
            leg = _without_forbidden_jumps(leg, context)
        if leg.lengths == "halfway":
            if context.looped:
                reject_repeated_halfling(leg)
            return self._compile_run(leg, leg.steps, None, context)
        rooms = steps_by_lengths_that_fit(leg.lengths, leg.steps)
        return _fragment_of_alternatives(
            [self._compile_run(leg, steps, lengths, context) for lengths, steps in rooms]
        )

    def _compile_run(
        self,
        leg: Leg,
        steps: tuple[Vector, ...],
        lengths: tuple[int, ...] | None,
        context: _RuleContext,
    ) -> WayFragment:
        """A leg with one set of lengths: one stage to go on from and to end on; two if it hops."""
        allowed = ~TAKE_BITS if context.harmless else ALL_BITS
        own = _passage_bits(leg.through) & allowed
        along = _passage_bits(leg.along) & allowed | context.extra_passes
        if lengths and along == PASS_ANYTHING and not context.jumps and not leg.as_far:
            # A run over squares that may hold anything is leaps, which are compiled more quickly.
            return _fragment_of_alternatives(
                _fragment_of_stage(
                    self._make_stage(leg, _leap_vectors(steps, length), (1,), context), own, context
                )
                for length in lengths
            )
        stage = self._make_stage(leg, steps, lengths, context)
        stage.along = along
        fragment = _fragment_of_stage(stage, own, context)
        if leg.hop == "none" or not context.stops:
            return fragment
        stage.hop = leg.hop
        if not context.follows:
            return fragment
        going = self._make_stage(leg, steps, lengths, context._replace(stops=False))
        going.along = along
        return WayFragment([going, stage], _fragment_of_stage(going, own, context).exits)

    def _make_stage(
        self,
        leg: Leg,
        steps: tuple[Vector, ...],
        lengths: tuple[int, ...] | None,
        context: _RuleContext,
    ) -> RunNode:
        stage = RunNode(
            steps, lengths, jumps=context.jumps, wrap=WRAP_BY_EDGES[leg.edges], due=context.due
        )
        stage.between = BITS_BY_BETWEEN[leg.between]
        if context.skipped and leg.between == "anything" and _any_step_skips_squares(steps):
            stage.between = context.skipped
        stage.ski = leg.skips_first
        stage.iso = leg.as_far
        if leg.lengths == "halfway":
            stage.spared = int(context.after)
        stage.measured = context.measured and lengths != (1,)
        if context.stops:
            _allow_move_end(stage, end_bits(leg.ends) | context.land, context)
        return self._check_stage_limit(stage)

    def _compile_sequence(self, then: Then, context: _RuleContext) -> WayFragment:
        paths = then.only if then.only is not None else _paths_after_equal_leg(then)
        if paths is None:
            return self._concatenate_ways(then, then.ways, context)
        return _fragment_of_alternatives(self._compile_path(then, path, context) for path in paths)

    def _compile_path(
        self, then: Then, path: Sequence[Vector], context: _RuleContext
    ) -> WayFragment:
        """Legs in a row along one path; where it stops before the last, nothing follows it."""
        chosen = _without_legs_back_home(_restrict_to_path(then, path))
        way = self._concatenate_ways(chosen, chosen.ways, context, steps_chosen=True)
        return way if len(path) == len(then.ways) else way._replace(exits=[])

    def _concatenate_ways(
        self, then: Then, ways: Sequence[Way], context: _RuleContext, *, steps_chosen: bool = False
    ) -> WayFragment:
        """Ways joined in a row; with ``steps_chosen`` their turns do not matter any more."""
        contexts = _contexts_in_sequence(context, then)
        parts = [*map(self._compile_way, ways, contexts)]
        simple = not context.looped and not any(isinstance(way, Repeat) for way in ways)
        # Later legs first, so that a leg is known to be the last one when it is joined to others.
        for at in range(len(parts) - 1, 0, -1):
            turn: Turn | None = then.joins[at - 1].turn
            key = self._turn_key(turn, context, -at)
            homeward = simple and _is_return_leg(turn, ways[at])
            if steps_chosen and not _is_return_leg(turn, ways[at]):
                turn = None
            for one in _exits_of_sequence(parts[:at]):
                for stage in parts[at].entries:
                    self._link_stages(one, stage, turn, key, homeward=homeward)
        exits = _exits_of_sequence(parts)
        if then.onward is not None:
            key = self._turn_key(then.onward, context, -len(parts))
            exits = [one._replace(turn=then.onward, key=key) for one in exits]
        return WayFragment(parts[0].entries, exits)

    def _turn_key(self, turn: Turn | None, context: _RuleContext, step: int) -> int:
        """The number under which a repeat remembers the hand of a turn, 0 for none."""
        either = isinstance(turn, nodes.Angle) and turn.hand == "either"
        return self._path_number((*context.path, step)) if either and context.looped else 0

    def _link_stages(
        self,
        one: FragmentExit,
        stage: RunNode,
        turn: Turn | None,
        key: int = 0,
        *,
        homeward: bool = False,
    ) -> None:
        """Let a stage follow; straight back by the same length ends at home in one step."""
        self._links += 1
        charge(1)
        if self._links > STATE_LIMIT:
            raise TooManyStates
        self._counts_on = self._counts_on or bool(one.jumps)
        link = StageLink(stage, turn, key, one.continuing_mask, one.jumps, one.due)
        if homeward and _retraces_empty_squares(one.stage, stage):
            home = RunNode((), (1,), land=stage.land, homeward=True, due=stage.due)
            one.stage.measured = False
            link = StageLink(home, None, 0, one.continuing_mask, due=one.due)
        one.stage.after.append(link)

    def _compile_repeat(self, repeat: Repeat, context: _RuleContext) -> WayFragment:
        times = repeat.times
        here = _context_at_child(context, 0)._replace(follows=context.follows or times != (1,))
        if times == "any":
            body = self._compile_way(repeat.way, here)
            self._link_rounds(body.exits, body.entries)
            return WayFragment(body.entries, _exits_without_turn(body.exits), repeat.optional)
        entries: list[RunNode] = []
        before: list[FragmentExit] = []
        exits: list[FragmentExit] = []
        for count in range(1, times[-1] + 1):
            # A stop inside a round is one only where that round may be the last.
            last = count in times
            following = self._compile_way(repeat.way, here if last else here._replace(stops=False))
            self._link_rounds(before, following.entries)
            entries = entries or following.entries
            before = following.exits
            exits += before if last else []
        return WayFragment(entries, _exits_without_turn(exits), repeat.optional)

    def _link_rounds(self, exits: list[FragmentExit], entries: list[RunNode]) -> None:
        """Let a round follow another, by the turn each ends in, or anywhere."""
        for one in exits:
            for stage in entries:
                self._link_stages(one, stage, one.turn, one.key)


def _changes_more_than_ends(context: _RuleContext) -> bool:
    """Whether the rules around a way change more than how it may end."""
    passing = context.over or context.jumps or context.take or context.skipped
    return bool(passing or context.shoot or context.land or context.due)


def _context_at_child(context: _RuleContext, child_index: int) -> _RuleContext:
    return context._replace(path=(*context.path, child_index))


def _contexts_in_sequence(context: _RuleContext, then: Then) -> list[_RuleContext]:
    """The contexts of the ways in a row, from the last one on: each looks at those behind it."""
    contexts: list[_RuleContext] = []
    # In a repeat any leg may come before any other.
    asked = any(isinstance(way, Repeat) for way in then.ways) and any(
        map(_refers_to_length_of_earlier_leg, then.ways)
    )
    optional = True
    for at, way in reversed([*enumerate(then.ways)]):
        last = at == len(then.joins)
        stops = last or then.joins[at].may_stop or optional
        contexts.append(
            context._replace(
                stops=context.stops and stops,
                follows=context.follows or not last,
                measured=context.measured or asked,
                after=context.after or at > 0,
                path=(*context.path, at + 1),
            )
        )
        asked = asked or _refers_to_length_of_earlier_leg(way)
        optional = optional and isinstance(way, Repeat) and way.optional
    return contexts[::-1]


def _refers_to_length_of_earlier_leg(way: Way) -> bool:
    """Whether a way asks how long a leg before it was."""
    return has_part(way, lambda each: isinstance(each, Leg) and each.as_far)


def _exits_of_sequence(parts: Sequence[WayFragment]) -> list[FragmentExit]:
    """The exits after which ways in a row are complete: those of the last that must be there."""
    exits: list[FragmentExit] = []
    for part in reversed(parts):
        exits = [*part.exits, *exits]
        if not part.optional:
            break
    return exits


def _fragment_of_alternatives(fragments: Iterable[WayFragment]) -> WayFragment:
    """Any one of several ways."""
    held = list(fragments)
    if len(held) == 1:
        return held[0]
    return WayFragment(
        [stage for fragment in held for stage in fragment.entries],
        [one for fragment in held for one in fragment.exits],
    )


def _fragment_of_stage(stage: RunNode, own: int, context: _RuleContext) -> WayFragment:
    """A way of one stage."""
    return WayFragment(
        [stage], [FragmentExit(stage, own, own | context.extra_passes, context.jumps, context.due)]
    )


def _exits_without_turn(exits: list[FragmentExit]) -> list[FragmentExit]:
    """The ends of a repeat: the turn between its rounds is no turn after the last."""
    return [one._replace(turn=None, key=0) for one in exits]


def _allow_move_end(stage: RunNode, land: int, context: _RuleContext) -> None:
    """Let the stage end the move in what the rules leave of the ways of ``land``."""
    land &= context.allowed_ends
    if not context.shoot:
        stage.land = land
        return
    enemies = (TAKE_ENEMY if land & ON_ENEMY else 0) | (TAKE_ROYAL if land & ON_ROYAL else 0)
    captures = context.shoot & (enemies | TAKE_FRIEND) if land & CAPTURE_ENDS else 0
    # A move that has captured on its way may end where it captures nothing.
    empty = (PAST_EMPTY if land & ON_EMPTY else 0) | (PAST_AWAY if land & ON_AWAY else 0)
    stage.shoot = captures | empty


def _restrict_to_path(then: Then, path: Sequence[Vector]) -> Then:
    """Legs in a row along one path, given by the first steps of all of them, or of the first."""
    ways = [
        replace(leg, steps=(step,)) if isinstance(leg, Leg) else leg
        for leg, step in zip(then.ways, path, strict=False)
    ]
    return replace(then, ways=tuple(ways), joins=then.joins[: len(ways) - 1], only=None)


def _paths_after_equal_leg(then: Then) -> list[tuple[Vector, ...]] | None:
    """The paths of legs that go on after a leg as far as the one before, None for others."""
    legs = [way for way in then.ways if isinstance(way, Leg)]
    turns = [join.turn for join in then.joins if isinstance(join.turn, Bend)]
    plain = len(legs) == len(then.ways) == len(turns) + 1 and then.onward is None
    if not plain or not any(leg.as_far for leg in legs[:-1]):
        return None
    by_leg_count: list[list[tuple[Vector, ...]]] = []
    for paths in path_prefixes_by_leg_count([leg.steps for leg in legs], turns):
        if len(paths) > MAX_PATHS:
            return None
        by_leg_count.append(paths)
    chosen = by_leg_count.pop()
    for count in range(len(then.joins), 0, -1):
        if then.joins[count - 1].may_stop:
            # No turn leads on from these, but the move may end there.
            going_on = {path[:count] for path in chosen}
            chosen += [path for path in by_leg_count[count - 1] if path not in going_on]
    return chosen


def _without_legs_back_home(then: Then) -> Then:
    """Legs in a row without those that only lead home after a leg as far as the one before.

    These go back over the single steps that were made before that run.
    """
    legs = [way for way in then.ways if isinstance(way, Leg)]
    half = len(legs) // 2
    first, last = legs[: half - 1] if half else [], legs[half + 1 :]
    if len(legs) < len(then.ways) or not first or not legs[half].as_far:
        return then
    plain = all(
        replace(leg, steps=((0, 1),), ends=MOVE_OR_CAPTURE) == Leg(((0, 1),))
        for leg in (*first, *last)
    )
    back = [tuple((-x, -y) for x, y in leg.steps) for leg in reversed(first)]
    stops = any(join.may_stop for join in then.joins[half:])
    if not plain or stops or back != [leg.steps for leg in last]:
        return then
    home = replace(legs[half], ends=last[-1].ends)
    return replace(then, ways=(*legs[:half], home), joins=then.joins[:half])


def _is_return_leg(turn: Turn | None, way: Way) -> bool:
    """Whether a way is straight back, as far as the one before it."""
    back = isinstance(turn, Bend) and turn.places == STRAIGHT_BACK and turn.sense == "any"
    return back and isinstance(way, Leg) and way.as_far


def _retraces_empty_squares(before: RunNode, after: RunNode) -> bool:
    """Whether the way back is over squares known to be empty, and so needs no second look."""
    return (
        before.along == PAST_EMPTY
        and before.lengths == after.lengths
        and not (before.between or before.ski or before.wrap or before.iso)
        and not (after.between or after.ski or after.wrap or after.hop != "none" or after.after)
        and bool(after.land & ON_EMPTY_OR_AWAY)
    )


def _without_forbidden_jumps(leg: Leg, context: _RuleContext) -> Leg:
    """A leg that passes only what a rule against jumping allows, refused where it must jump."""
    left = (
        context.skipped | (context.skipped & THRU_BITS_BY_SIDE["all"]) >> 4
    )  # passed, or as a hurdle

    def kept(passages: tuple[Passage, ...]) -> tuple[Passage, ...]:
        passed = OVER_ANY | THRU_BITS_BY_SIDE["all"]
        return tuple(each for each in passages if BITS_BY_PASSAGE[each] & (left | ~passed))

    through, along = kept(leg.through), kept(leg.along)
    stuck = context.follows and leg.through and not through
    if stuck or leg.between == "occupied" or leg.skips_first or leg.hop != "none":
        reject_forbidden_jump(leg)
    return replace(leg, through=through, along=along)


@lru_cache(maxsize=1024)
def _passage_bits(passages: tuple[Passage, ...]) -> int:
    return sum(BITS_BY_PASSAGE[each] for each in passages)


def _any_step_skips_squares(steps: tuple[Vector, ...]) -> bool:
    return any(max(abs(x), abs(y)) > 1 for x, y in steps)


def _leap_vectors(steps: tuple[Vector, ...], length: int) -> tuple[Vector, ...]:
    return tuple((x * length, y * length) for x, y in steps)


def _split_by_conditions(way: Way) -> Iterable[tuple[tuple[Condition, ...], Way]]:
    """A way by what it needs or leaves beside what stands on its squares."""
    if not isinstance(way, Either):
        return [(_conditions_of_way(way), way)]
    groups: dict[tuple[Condition, ...], list[Way]] = {}
    for each in way.ways:
        groups.setdefault(_conditions_of_way(each), []).append(each)
    return [(own, replace(way, ways=tuple(ways))) for own, ways in groups.items()]


def _conditions_of_way(way: Way) -> tuple[Condition, ...]:
    match way:
        case Castling(squares=squares, inset=inset):
            return (Condition("castle", squares, inset),)
        case Leg(lengths="own-half"):
            return (Condition("middle"),)
        case _ if has_part(way, lambda each: isinstance(each, Leg) and each.lengths == "halfway"):
            return (Condition("halfway"),)
        case _:
            return ()


def _with_condition(guard: Guard, when: When) -> Guard | None:
    """The guard with one more condition, None when they can never hold together."""
    match when:
        case nodes.OnMove(number):
            return with_condition(guard, Condition("move", number))
        case nodes.EveryMove(number, of):
            kind: ConditionKind = "every" if of == "piece" else "turn"
            return guard if number == 1 else with_condition(guard, Condition(kind, number))
        case nodes.ThirdRank():
            return with_condition(guard, Condition("third-rank"))
        case nodes.OnSquare(ground):
            return with_condition(guard, Condition(ground))
        case _:
            assert_never(when)


def _passes_no_square(way: Way) -> bool:
    match way:
        case Leg(lengths=lengths):
            return lengths == (1,)
        case Either(ways):
            return all(map(_passes_no_square, ways))
        case Within(Only() | Jumping() | NotJumping(), inner):
            return _passes_no_square(inner)
        case _:
            return isinstance(way, Anywhere)
