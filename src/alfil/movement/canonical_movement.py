"""Folding: simple pieces that are equal have equal movements, whatever text they were read from.

Rules are taken into the legs they are around, runs and leaps that differ in nothing but their
steps are one leg, and whatever has no order of its own is sorted: steps by size and clockwise,
ends, options. Ways of several legs keep the structure their author gave them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, product
from math import atan2, pi
from typing import Any, TypeAlias, TypeVar, get_args

from alfil.geometry import LONGEST_STEP, Vector, base_vector, is_oblique
from alfil.movement.nodes import (
    BOARD_DEPENDENT_LENGTHS,
    CAPTURE_ONLY,
    MOVE_ONLY,
    MOVE_OR_CAPTURE,
    ONE_STEP,
    OVER_EMPTY,
    Angle,
    Anywhere,
    Bend,
    Either,
    End,
    Jumping,
    Leg,
    Lengths,
    Movement,
    NotJumping,
    Only,
    Option,
    Rampage,
    Repeat,
    Rifle,
    Rule,
    Then,
    Turn,
    Way,
    Within,
    away_as_empty,
)
from alfil.movement.turn_geometry import steps_after_angle
from alfil.source import Span

T = TypeVar("T")
# How runs of a step may end, each way with the numbers of steps.
_LengthsByEnd: TypeAlias = dict[End, Lengths]

ENDS: tuple[End, ...] = get_args(End)
PLAIN_LEG_VALUES = (OVER_EMPTY, "anything", "none", "walls", False, False)
# How most moves may end; where one may end away from home, that is said in few ways.
ENDS_IN_ORDER = (MOVE_OR_CAPTURE, MOVE_ONLY, CAPTURE_ONLY)
NON_CAPTURE_ENDS: frozenset[End] = frozenset({"empty", "away"})
ENDS_BY_PURPOSE: dict[str, frozenset[End]] = {
    "moving": NON_CAPTURE_ENDS,
    "capturing": frozenset(ENDS) - NON_CAPTURE_ENDS,
}


def canonicalise_movement(movement: Movement) -> Movement:
    """The movement in which equal runs and leaps look alike, with the same moves and facts.

    >>> two = Movement((Option(Leg(((1, 1), (0, 1)))), Option(Leg(((0, -1),)))))
    >>> [option.way.steps for option in canonicalise_movement(two).options]
    [((0, 1), (0, -1), (1, 1))]
    """
    options = movement.options
    if len(options) > 1 or (options and not _is_canonical(options[0])):
        options = _canonicalise_options(options)
    facts = _canonicalise_nested(movement.facts) if movement.facts else ()
    if options == movement.options and facts == movement.facts:
        return movement
    return replace(movement, options=options, facts=facts)


def _canonicalise_nested(node: T) -> T:
    """A node with the movements in it folded."""
    node_given: Any = node
    if isinstance(node_given, Movement):
        node_given = canonicalise_movement(node_given)
    elif isinstance(node_given, tuple) and not isinstance(node_given, Span):
        node_given = tuple(map(_canonicalise_nested, node_given))
    else:
        names = getattr(node_given, "__dataclass_fields__", ())
        inside = {
            name: (_canonicalise_nested(getattr(node_given, name)), getattr(node_given, name))
            for name in names
        }
        changed = {name: new for name, (new, old) in inside.items() if new != old}
        node_given = replace(node_given, **changed) if changed else node_given
    folded_node: T = node_given
    return folded_node


def _is_canonical(option: Option) -> bool:
    """Whether an option by itself is certainly folded, as most pieces of one option are."""
    leg = option.way
    if not isinstance(leg, Leg) or not _is_plain(leg) or leg.through != OVER_EMPTY:
        return False
    return leg.ends in ENDS_IN_ORDER and _are_sorted_steps_of_one_size(leg.steps)


@lru_cache(maxsize=1024)
def _are_sorted_steps_of_one_size(steps: tuple[Vector, ...]) -> bool:
    """Whether steps are in order and told together."""
    return _sort_steps_by_size_and_angle(steps) == steps and len(_group_steps_by_size(steps)) == 1


def _canonicalise_options(options: tuple[Option, ...]) -> tuple[Option, ...]:
    groups: dict[tuple[Any, ...], list[Option]] = {}
    for option in chain.from_iterable(map(_split_alternatives, _drop_moveless_options(options))):
        leg = option.way if isinstance(option.way, Leg) and option.way.steps else None
        groups.setdefault((option.when, option.passer, leg is not None), []).append(option)
    result: list[Option] = []
    for (*_, runs), held in groups.items():
        result += _merged_options(held) if runs else dict.fromkeys(held)
    return tuple(sorted(result, key=_option_sort_key) if len(result) > 1 else result)


def _drop_moveless_options(options: Iterable[Option]) -> Iterator[Option]:
    """The options without those that rules leave no move, where others keep these rules alive.

    A rule that leaves no move to anything is a mistake, and stays for the compiler to refuse. So it
    stays around all it was around where that is not known of some.
    """
    held = [
        (option, _rules_that_may_forbid_all_moves(option.way), _push_rules_into_legs(option.way))
        for option in options
    ]
    alive = {(rule.span, rule) for _, rules, way in held if way is not None for rule in rules}
    unknown = {
        (rule.span, rule)
        for *_, way in held
        if way is not None
        for rule in _rules_that_may_forbid_all_moves(way)
    }
    for option, rules, way in held:
        if way is not None:
            around = any((rule.span, rule) in unknown for rule in rules)
            folded_way = _sort_way(option.way) if around else way
            yield option if folded_way == option.way else replace(option, way=folded_way)
        else:
            ending = rule_forbidding_all_moves(option.way)
            if not all((rule.span, rule) in alive for rule in ([ending] if ending else rules)):
                yield option


def rule_forbidding_all_moves(way: Way) -> Rule | None:
    """The innermost of the rules around a way that leaves it no move; None where none is known to.

    >>> runs = Within(Only("moving"), Leg(((0, 1),)))
    >>> rule_forbidding_all_moves(Within(Only("capturing"), runs))
    Only(what='capturing')
    """
    around: list[Within] = []
    while isinstance(way, Within):
        around.append(way)
        way = way.way
    for each in reversed(around):
        # What captures without moving uses captures alone.
        limit = Only("capturing") if isinstance(each.rule, Rifle) else each.rule
        if isinstance(limit, Only) and _push_rules_into_legs(replace(each, rule=limit)) is None:
            return each.rule
    return None


def _rules_that_may_forbid_all_moves(way: Way) -> list[Rule]:
    """The rules around a way that may leave it no move."""
    rules: list[Rule] = []
    while isinstance(way, Within):
        if isinstance(way.rule, Only | Rifle):
            rules.append(way.rule)
        way = way.way
    return rules


def _split_alternatives(option: Option) -> Iterator[Option]:
    """The ways that an option leaves a choice of, each as an option."""
    if isinstance(option.way, Either) and all(isinstance(way, Leg) for way in option.way.ways):
        for way in option.way.ways:
            yield from _split_alternatives(replace(option, way=way))
    elif isinstance(option.way, Leg):
        legs = split_into_plain_legs(option.way) if option.way.steps else [option.way]
        # A lame leap that leaves a trail keeps the squares it has passed apart.
        for leg in [option.way] if option.passer else legs:
            yield option if leg == option.way else replace(option, way=leg)
    else:
        yield option


def _push_rules_into_legs(way: Way) -> Way | None:
    """A way with the rules around it taken into its legs, None where they leave it no move."""
    if not isinstance(way, Within):
        return _repeat_as_run(_sort_way(way))
    if isinstance(way.rule, Rampage | Rifle):
        return _sort_way(way)  # what the rules inside leave is for this one to use
    inner = _push_rules_into_legs(way.way)
    if inner is None:
        return None
    match way.rule, inner:
        case Only(what=what), _:
            return _limit_ends(inner, ENDS_BY_PURPOSE[what], way)
        case Jumping(most=int()), Leg(lengths=lengths) if lengths == ONE_STEP and not _is_leap(
            way.way
        ):
            # It counts pieces on squares that a run inside it passes whatever is on them.
            return _sort_way(way)
        case Jumping() as rule, Leg():
            return _jumping_leg_as_leap(rule, inner) or replace(way, way=inner)
        case NotJumping() as rule, Leg():
            return _leg_as_lame(rule, inner) or replace(way, way=inner)
        case _:
            return _sort_way(way)


def _limit_ends(way: Way, ends_kept: frozenset[End], around: Within) -> Way | None:
    """A way that may only end so; with the rule around it where it has several legs.

    Whether these lead anywhere under the rule, nothing but an automaton knows.
    """
    match way:
        case Either(ways=ways) if all(isinstance(each, Leg) for each in ways):
            left = [
                one for each in ways if (one := _limit_ends(each, ends_kept, around)) is not None
            ]
            return replace(way, ways=tuple(left)) if left else None
        case Leg(ends=ends) | Anywhere(ends=ends):
            own = tuple(end for end in ends if end in ends_kept)
            return replace(way, ends=own) if own else None
        case Within(rule=Rampage(farthest=False), way=inside) if ends_kept is NON_CAPTURE_ENDS:
            # A rampage that captures nothing is what it is around.
            inner = _push_rules_into_legs(inside)
            return None if inner is None else _limit_ends(inner, ends_kept, around)
        case Within(rule=Jumping() | NotJumping(), way=Leg() as leg):
            inner = _limit_ends(leg, ends_kept, around)
            return None if inner is None else replace(way, way=inner)
        case Then() if _always_captures_on_the_way(way):
            return None if ends_kept is NON_CAPTURE_ENDS else _sort_way(way)
        case _:
            return _sort_way(around)


def _always_captures_on_the_way(way: Then) -> bool:
    """Whether a way captures on some square before its last, however it goes."""
    through = [each.through for each in way.ways[:-1] if isinstance(each, Leg)]
    return not any(join.may_stop for join in way.joins) and any(
        all(passage.startswith("take") for passage in passages) for passages in through
    )


def _is_leap(way: Way) -> bool:
    """Whether a way is a leap, whatever rules are around it."""
    while isinstance(way, Within):
        way = way.way
    return isinstance(way, Leg) and way.lengths == ONE_STEP


def _jumping_leg_as_leap(rule: Jumping, leg: Leg) -> Way | None:
    """A leg that may pass pieces, as the leaps it then is; None where it is none."""
    if not _is_plain(leg) or isinstance(leg.lengths, str):
        return None
    if leg.lengths == ONE_STEP:
        return leg  # a leap passes nothing
    far = max(map(abs, chain.from_iterable(leg.steps))) * leg.lengths[-1]
    if (rule.side, rule.most) != ("all", None) or far > LONGEST_STEP:
        return None
    leaps = [(x * number, y * number) for number in leg.lengths for x, y in leg.steps]
    return _sort_way(replace(leg, steps=tuple(leaps), lengths=ONE_STEP))


def _leg_as_lame(rule: NotJumping, leg: Leg) -> Way | None:
    """A leg whose leaps may pass no piece; None where that is not said by the leg."""
    plain = replace(leg, between="anything")
    if rule.side != "all" or leg.between == "occupied" or not _is_plain(plain):
        return None
    return replace(leg, between="empty")


def split_into_plain_legs(leg: Leg) -> Iterator[Leg]:
    """A leg that is a move by itself, as the plainest legs with the same moves."""
    if "away" in leg.ends and leg.edges == "walls":
        # Only one that wraps around the board could come home.
        leg = replace(leg, ends=_sort_ends(away_as_empty(leg.ends)))
    along = OVER_EMPTY if leg.lengths == ONE_STEP else leg.along
    if (leg.through, leg.along) != (OVER_EMPTY, along):
        leg = replace(leg, through=OVER_EMPTY, along=along)
    if leg.between != "empty" or not _is_plain(replace(leg, between="anything")):
        yield leg
        return
    for (far, oblique), steps in _group_steps_by_size(leg.steps).items():
        short = replace(leg, steps=steps)
        if far == 1:
            yield replace(short, between="anything")
        elif oblique or leg.lengths != ONE_STEP or far > LONGEST_STEP:
            yield short
        else:
            # A lame leap straight on is a run of just so many steps.
            units = tuple((x // far, y // far) for x, y in steps)
            yield replace(short, steps=units, lengths=(far,), between="anything")


def _is_plain(leg: Leg) -> bool:
    """Whether a leg is a run over empty squares or a leap, and nothing more."""
    features = (leg.along, leg.between, leg.hop, leg.edges, leg.skips_first, leg.as_far)
    return features == PLAIN_LEG_VALUES and leg.lengths not in BOARD_DEPENDENT_LENGTHS


def _repeat_as_run(way: Way) -> Way:
    """A repeat of one step straight on as the run that it is."""
    match way:
        case Repeat(Then((inner,), onward=turn), times, optional=False):
            leg = _push_rules_into_legs(inner)
            if not isinstance(leg, Leg):
                return way
            step = next(split_into_plain_legs(leg))
            if _is_plain(step) and leg.lengths == ONE_STEP and _continues_straight(turn, leg.steps):
                return replace(step, lengths=times, span=way.span)
    return way


def _continues_straight(turn: Turn | None, steps: tuple[Vector, ...]) -> bool:
    """Whether a turn goes on by the step just made, and by no other."""
    if isinstance(turn, Bend):
        return turn.places == (0,) and turn.sense == "any"
    return isinstance(turn, Angle) and all(
        steps_after_angle(turn, step, steps) == (step,) for step in steps
    )


def _merged_options(options: Sequence[Option]) -> Iterator[Option]:
    """Runs and leaps under the same conditions, each step and each way to end told once."""
    alike: dict[Leg, list[Option]] = {}
    plain: list[Option] = []
    for option in options:
        leg = _leg_of_option(option)
        held = plain if _is_plain(leg) else alike.setdefault(replace(leg, steps=()), [])
        held.append(option)
    for shape, held in alike.items():
        together = chain.from_iterable(_leg_of_option(option).steps for option in held)
        yield from _options_by_step_size(tuple(together), shape, held)
    for (lengths, ends), steps in _steps_by_lengths_and_ends(map(_leg_of_option, plain)).items():
        yield from _options_by_step_size(tuple(steps), Leg((), lengths, ends), plain)


def _steps_by_lengths_and_ends(
    legs: Iterable[Leg],
) -> dict[tuple[Lengths, tuple[End, ...]], list[Vector]]:
    """The steps of plain legs by how far they go to end how."""
    rays: dict[Vector, _LengthsByEnd] = {}
    for leg in legs:
        for step, end in product(leg.steps, leg.ends):
            ray = rays.setdefault(step, {})
            ray[end] = merged_lengths(ray.get(end, leg.lengths), leg.lengths)
    shapes: dict[tuple[Lengths, tuple[End, ...]], list[Vector]] = {}
    for step, ray in rays.items():
        for lengths in dict.fromkeys(ray.values()):
            ends = _sort_ends(end for end in ray if ray[end] == lengths)
            shapes.setdefault((lengths, ends), []).append(step)
    return shapes


def _leg_of_option(option: Option) -> Leg:
    assert isinstance(option.way, Leg)
    return option.way


def _options_by_step_size(
    steps: tuple[Vector, ...], shape: Leg, originals: Sequence[Option]
) -> Iterator[Option]:
    """Options for the steps of each size, with the places where these were read."""
    leaps = shape.lengths == ONE_STEP and shape.between == "anything"
    for held in _group_steps_by_size(steps, max_size=2 if leaps else LONGEST_STEP).values():
        steps_of_size = set(held)
        matching = [
            each for each in originals if not steps_of_size.isdisjoint(_leg_of_option(each).steps)
        ]
        first = matching[0]
        if len(matching) == 1 and first.way == replace(shape, steps=held):
            yield first
            continue
        leg = replace(shape, steps=held, span=_covering_span(each.way.span for each in matching))
        yield replace(first, way=leg, span=_covering_span(each.span for each in matching))


def _covering_span(spans: Iterable[Span]) -> Span:
    held = list(spans)
    return Span(min(each.start for each in held), max(each.end for each in held))


@lru_cache(maxsize=256)
def merged_lengths(one: Lengths, other: Lengths) -> Lengths:
    """The numbers of steps that one of two runs may have."""
    if isinstance(one, str) or isinstance(other, str):
        return "any"
    return one if one == other else tuple(sorted({*one, *other}))


def _sort_way(way: Way, *, looped: bool = False) -> Way:
    """A way with all that has no order of its own sorted."""
    match way:
        case Leg():
            steps, ends = _sort_steps_by_size_and_angle(way.steps), _sort_ends(way.ends)
            same = (steps, ends) == (way.steps, way.ends)
            return way if same else replace(way, steps=steps, ends=ends)
        case Anywhere():
            return replace(way, ends=_sort_ends(way.ends))
        case Then():
            ways = tuple(_sort_way(each, looped=looped) for each in way.ways)
            return replace(way, ways=ways if looped else tuple(_without_unused_ends(way, ways)))
        case Either():
            return replace(way, ways=tuple(_sort_way(each, looped=looped) for each in way.ways))
        case Repeat() | Within():
            looped = looped or isinstance(way, Repeat)
            return replace(way, way=_sort_way(way.way, looped=looped))
        case _:
            return way


def _without_unused_ends(then: Then, ways: Sequence[Way]) -> Iterator[Way]:
    """Ways in a row; how a leg may end is not said where no move can end with it."""
    for at, way in enumerate(ways):
        last = all(isinstance(each, Repeat) and each.optional for each in ways[at + 1 :])
        stops = last or then.joins[at].may_stop
        yield way if stops or not isinstance(way, Leg) else replace(way, ends=MOVE_OR_CAPTURE)


def _sort_ends(ends: Iterable[End]) -> tuple[End, ...]:
    held = set(ends)
    return tuple([end for end in ENDS if end in held])


@lru_cache(maxsize=1024)
def _sort_steps_by_size_and_angle(steps: tuple[Vector, ...]) -> tuple[Vector, ...]:
    """Steps by size and clockwise from forward, each once.

    >>> _sort_steps_by_size_and_angle(((-1, 2), (1, 1), (0, 1), (1, 2), (0, -1)))
    ((0, 1), (0, -1), (1, 1), (1, 2), (-1, 2))
    """
    return tuple(sorted(set(steps), key=_size_and_angle_key))


def _size_and_angle_key(step: Vector) -> tuple[int, Vector, float]:
    x, y = step
    return (x * x + y * y, base_vector(step), atan2(x, y) % (2 * pi))


@lru_cache(maxsize=1024)
def _group_steps_by_size(
    steps: tuple[Vector, ...], max_size: int = LONGEST_STEP
) -> dict[Vector, tuple[Vector, ...]]:
    """Steps that are told together: straight ones as far each way, oblique ones of one kind.

    Straight ones that go ``max_size``, or farther, are told together too.

    >>> _group_steps_by_size(((1, 2), (1, 1), (0, 1)))
    {(1, 0): ((0, 1), (1, 1)), (2, 1): ((1, 2),)}
    """
    result: dict[Vector, list[Vector]] = {}
    for step in _sort_steps_by_size_and_angle(steps):
        small, large = base_vector(step)
        size = (large, small) if is_oblique(step) else (min(large, max_size), 0)
        result.setdefault(size, []).append(step)
    return {size: tuple(held) for size, held in result.items()}


def _option_sort_key(option: Option) -> tuple[object, ...]:
    """Where an option stands: conditions and captures last, runs before leaps."""
    way, guard = option.way, (len(option.when), repr(option.when), option.passer)
    if not isinstance(way, Leg) or not way.steps:
        return (*guard, 1, (), repr(way))
    # As people tell it: what moves and captures, then what only moves, then what only captures.
    purpose = (NON_CAPTURE_ENDS.isdisjoint(way.ends), NON_CAPTURE_ENDS.issuperset(way.ends))
    shape = (way.hop != "none", way.lengths != "any", _size_and_angle_key(way.steps[0])[:2])
    return (*guard, 0, purpose, shape, repr(way))
