"""From a movement to a tree of Parlett's notation, and why some movements have none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TypeAlias

from alfil.geometry import LONGEST_STEP, Vector, images_of_base, is_oblique
from alfil.movement import nodes as moves
from alfil.movement.nodes import MOVE_ONLY, MOVE_OR_CAPTURE, ONE_STEP, Either, Join, Leg, Then
from alfil.movement.run_sequences import PASS_ANYTHING
from alfil.movement.turn_geometry import paths_through_legs, steps_after_angle
from alfil.notation.parlett.letters import (
    CONDITIONS,
    DIRECTIONS,
    ConditionLetter,
    Direction,
    MoveType,
    directions_for,
)
from alfil.notation.parlett.nodes import (
    Chain,
    Condition,
    Distance,
    Group,
    Oblique,
    Option,
    Repeat,
    Straight,
    Way,
)
from alfil.notation.parlett.resolve import CAPTURE_PASSAGES
from alfil.notation.parlett.semantic_checks import line_kind, outward_step_pairs
from alfil.source import Source, Span

# The signs that tell what a leg of a movement has.
SIGN_BY_PASSAGE = {"take-enemy": r"\^", "take-royal": r"\^"}
ANY_EMPTY = frozenset({"empty", "away"})
ANY_DISTANCE = Distance()

ConditionLetters: TypeAlias = frozenset[ConditionLetter]
SpelledMove: TypeAlias = tuple[ConditionLetters, Way]


class _NotExpressible(Exception):
    """The notation has no signs for this."""


def spans_of_feature(feature: str, span: Span, source: Source) -> tuple[Span, ...]:
    """Where in a stretch of the text something is told, if there is a sign for it.

    >>> spans_of_feature("take-enemy", Span(0, 4), Source("c^2X, o1X"))
    (Span(start=1, end=2),)
    """
    sign = SIGN_BY_PASSAGE.get(feature)
    if sign is None:
        return ()
    text = source.text[: span.end]
    return tuple(Span(*result.span()) for result in re.compile(sign).finditer(text, span.start))


def spell_option(option: moves.Option) -> tuple[Option, ...] | None:
    """The options for one option of a movement, None where there is no form.

    They may mean something else, so `alfil.translation.option_by_option` compares them with the
    movement.

    >>> from alfil.notation.parlett.writer import write_parlett
    >>> from alfil.notation.description import Description
    >>> write_parlett(Description(spell_option(moves.Option(Leg(images_of_base(1, 2)))), "parlett"))
    '~1/2'
    """
    try:
        letters = _condition_letters(option)
        return tuple(
            _make_option(letters | own, way) for own, way in _moves_with_conditions(option.way)
        )
    except _NotExpressible:
        return None


def join_options(options: Iterable[Option]) -> tuple[Option, ...]:
    """The options; those that differ in their directions only, or their distances, as one.

    >>> from alfil.notation.parlett.writer import write_parlett
    >>> from alfil.notation.description import Description
    >>> near, far = Distance(2, 3), Distance(4, 4)
    >>> runs = [Straight(near, "*"), Straight(far, "+"), Straight(far, "X")]
    >>> options = join_options(Option((), run) for run in runs)
    >>> write_parlett(Description(options, "parlett"))
    '2-4*'
    """
    joined = _join_alike(options, lambda way: replace(way, direction="*"), _join_directions)
    alike_but_for_distance = partial(replace, distance=ANY_DISTANCE, type="")
    return tuple(_join_alike(joined, alike_but_for_distance, _join_distances))


def _join_alike(
    options: Iterable[Option],
    alike: Callable[[Straight], Straight],
    join: Callable[[list[Straight]], Sequence[Straight]],
) -> Iterator[Option]:
    """The options, with the straight moves of those that are alike in something joined."""
    groups: dict[Option, list[Straight]] = {}
    for option in options:
        way = option.way
        if isinstance(way, Straight):
            groups.setdefault(replace(option, way=alike(way)), []).append(way)
        else:
            groups.setdefault(option, [])
    for option, ways in groups.items():
        yield from (replace(option, way=way) for way in (join(ways) if ways else (option.way,)))


def _join_directions(ways: list[Straight]) -> Sequence[Straight]:
    """Moves that differ in their directions only in as few directions as these are."""
    signs = directions_for(frozenset(step for way in ways for step in DIRECTIONS[way.direction]))
    if signs is None or len(signs) >= len(ways):
        return ways
    return [replace(ways[0], direction=sign) for sign in signs]


def _join_distances(ways: list[Straight]) -> Sequence[Straight]:
    """Moves in the same directions in as few ranges as they make; one step is of either type."""
    joined: list[Straight] = []
    for way in sorted(ways, key=lambda each: (each.type, each.distance.least)):
        before, far = joined[-1] if joined else way, way.distance.most
        near = before.distance.most
        follows = joined and near and far and near + 1 == way.distance.least
        same = before.type == way.type or (near == 1 and way.type == "~")
        if follows and same:
            joined[-1] = replace(way, distance=Distance(before.distance.least, far))
        else:
            joined.append(way)
    return joined if len(joined) < len(ways) else ways


def _make_option(letters: ConditionLetters, way: Way) -> Option:
    if any(CONDITIONS[letter].excludes in letters for letter in letters):
        raise _NotExpressible
    return Option(tuple(Condition(each) for each in CONDITIONS if each in letters), way)


def _condition_letters(option: moves.Option) -> ConditionLetters:
    if option.passer:
        raise _NotExpressible
    result: set[ConditionLetter] = set()
    for when in option.when:
        number = when.number if isinstance(when, moves.OnMove) else None
        fitting = {
            each for each, row in CONDITIONS.items() if row.on_move and row.on_move == number
        }
        if not fitting:
            raise _NotExpressible
        result |= fitting
    return frozenset(result)


def _moves_with_conditions(way: moves.Way) -> Iterator[SpelledMove]:
    match way:
        case Leg():
            letters = _end_letters(way.ends)
            yield from ((letters, each) for each in _leg_moves(way))
        case Either(ways=ways):
            for each in ways:
                yield from _moves_with_conditions(each)
        case moves.Within(rule=moves.Only(what=what), way=inner):
            ends_kept = MOVE_ONLY if what == "moving" else moves.CAPTURE_ONLY
            yield from (
                (_end_letters(ends_kept) | letters, each)
                for letters, each in _moves_with_conditions(inner)
            )
        case moves.Within(rule=moves.Jumping(side="all", most=None), way=Leg() as leg):
            yield from _moves_with_conditions(replace(leg, along=PASS_ANYTHING))
        case moves.Repeat(way=Then(ways=(Leg() as leg,), onward=turn)) if _is_straight_on(turn):
            yield from _moves_with_conditions(_as_rider_leg(leg, way))
        case Then(ways=(_, _), joins=(_,), onward=None):
            yield from _two_part_moves(way)
        case _:
            raise _NotExpressible


def _is_straight_on(turn: moves.Turn | None) -> bool:
    return turn in (moves.Bend((0,)), moves.Angle(0))


def _as_rider_leg(leg: Leg, repeat: moves.Repeat) -> Leg:
    """A run of one distance, or a leap, again and again as one leg."""
    if repeat.optional or isinstance(leg.lengths, str) or len(leg.lengths) > 1:
        raise _NotExpressible
    (size,) = leg.lengths
    steps = tuple((x * size, y * size) for x, y in leg.steps)
    return replace(
        leg, steps=steps, lengths=repeat.times, between="empty" if size > 1 else leg.between
    )


def _end_letters(ends: Iterable[moves.End]) -> ConditionLetters:
    """The condition for what a move may end on."""
    held = set(moves.away_as_empty(ends))
    if held == set(MOVE_OR_CAPTURE):
        return frozenset()
    for letter, row in CONDITIONS.items():
        if row.ends is not None and held == set(row.ends):
            return frozenset({letter})
    raise _NotExpressible


def _leg_moves(leg: Leg) -> Iterator[Way]:
    """One leg as moves that go along straight lines, and leaps."""
    straight: dict[int, list[Vector]] = {}
    oblique: dict[tuple[int, int], set[Vector]] = {}
    for x, y in leg.steps:
        small, large = sorted((abs(x), abs(y)))
        if is_oblique((x, y)):
            oblique.setdefault((small, large), set()).add((x, y))
        else:
            straight.setdefault(large, []).append((x // large, y // large))
    if leg.lengths == ONE_STEP and leg.between == "anything" and set(straight) != {1}:
        yield from _leap_moves(straight)
    else:
        for size, steps in straight.items():
            yield from _run_moves(leg, size, steps)
    for numbers, result in oblique.items():
        if result != set(images_of_base(*numbers)) or leg.between == "empty":
            raise _NotExpressible
        yield from _repetitions_of_step(leg.lengths, Oblique(numbers, "~"), Oblique(numbers))


def _leap_moves(steps_by_size: dict[int, list[Vector]]) -> Iterator[Way]:
    """Leaps along straight lines; several distances the same ways are a range."""
    by_ways: dict[frozenset[Vector], list[int]] = {}
    for size, steps in steps_by_size.items():
        by_ways.setdefault(frozenset(steps), []).append(size)
    for ways, sizes in by_ways.items():
        for sign in _direction_signs(ways):
            for distance in _distance_ranges(tuple(sorted(sizes))):
                far = ANY_DISTANCE if distance == Distance(1, LONGEST_STEP) else distance
                yield Straight(far, sign, "" if far == Distance(1, 1) else "~")


def _run_moves(leg: Leg, size: int, steps: Sequence[Vector]) -> Iterator[Way]:
    """A run of steps of one size."""
    kind: MoveType = "~" if set(leg.along) == set(PASS_ANYTHING) else ""
    for sign in _direction_signs(steps):
        if size == 1:
            for distance in _distance_ranges(leg.lengths):
                yield Straight(distance, sign, "" if distance == Distance(1, 1) else kind)
        else:
            own: MoveType = "~" if leg.between == "anything" else ""
            if kind and leg.lengths != ONE_STEP:
                raise _NotExpressible
            step = Straight(Distance(size, size), sign, own)
            yield from _repetitions_of_step(leg.lengths, step, step)


def _repetitions_of_step(lengths: moves.Lengths, once: Way, step: Way) -> Iterator[Way]:
    """A step made so often."""
    for times in _distance_ranges(lengths):
        yield once if times == Distance(1, 1) else Repeat(times, Group((Option((), step),)))


def _direction_signs(steps: Iterable[Vector]) -> tuple[Direction, ...]:
    signs = directions_for(frozenset(steps))
    if signs is None:
        raise _NotExpressible
    return signs


def _distance_ranges(lengths: moves.Lengths) -> Iterator[Distance]:
    """Numbers as distances: those that follow each other are a range."""
    if isinstance(lengths, str):
        if lengths != "any":
            raise _NotExpressible
        yield ANY_DISTANCE
        return
    start = 0
    for at, number in enumerate(lengths):
        if at + 1 == len(lengths) or lengths[at + 1] != number + 1:
            yield Distance(lengths[start], number)
            start = at + 1


def _two_part_moves(then: Then) -> Iterator[SpelledMove]:
    """One leg, then another."""
    (one, other), (join,) = map(_leg_inside, then.ways), then.joins
    if one is None or other is None:
        raise _NotExpressible
    over = not join.may_stop and set(one.through) == set(CAPTURE_PASSAGES)
    return _locust_move(one, other, then) if over else _two_leg_move(one, other, join, then)


def _locust_move(one: Leg, other: Leg, then: Then) -> Iterator[SpelledMove]:
    """A capture by leaping over the first piece on the way, to the square behind it."""
    for sign in _direction_signs(first for first, _ in _step_pairs(one, other, then)):
        for before in _distance_ranges(one.lengths):
            far = Distance(before.least + 1, before.most + 1) if before.most else ANY_DISTANCE
            yield frozenset({"c"}), Straight(far, sign, "^")


def _two_leg_move(one: Leg, other: Leg, join: Join, then: Then) -> Iterator[SpelledMove]:
    """One part, then another by 45°, with a stop allowed in between."""
    letters = _end_letters(one.ends)
    passes = set(moves.away_as_empty(one.through))
    if not join.may_stop or passes != {"empty"} or letters != _end_letters(other.ends):
        raise _NotExpressible
    ways = _step_pairs(one, other, then)
    if then.only is not None or not {second for _, second in ways} <= set(other.steps):
        one = replace(one, steps=tuple(dict.fromkeys(first for first, _ in ways)))
        other = replace(other, steps=tuple(dict.fromkeys(second for _, second in ways)))
    for before, after in product(_leg_moves(one), _leg_moves(other)):
        if _require_outward_step_pairs(before, after):
            yield letters, Chain((before, after))


def _require_outward_step_pairs(before: Way, after: Way) -> set[tuple[Vector, Vector]]:
    """The steps of two parts of which the second is outward from the first."""
    if {line_kind(before), line_kind(after)} != {"orthogonal", "diagonal"}:
        raise _NotExpressible
    return outward_step_pairs(before, after)


def _step_pairs(one: Leg, other: Leg, then: Then) -> list[tuple[Vector, Vector]]:
    """The first steps of both legs of each way that is allowed."""
    turn = then.joins[0].turn
    if then.only is not None:
        ways = list(then.only)
    elif isinstance(turn, moves.Bend):
        ways = paths_through_legs([one.steps, other.steps], [turn])
    elif turn.hand != "either":
        raise _NotExpressible
    else:
        ways = [
            (step, after)
            for step in one.steps
            for after in steps_after_angle(turn, step, other.steps)
        ]
    return [(first, second) for first, second in ways]


def _unit_step(step: Vector) -> Vector:
    """The single step that a straight one goes along."""
    if is_oblique(step):
        raise _NotExpressible
    size = max(map(abs, step))
    return step[0] // size, step[1] // size


Loss: TypeAlias = tuple[str, Span]


def losses_of(item: moves.Option | moves.Fact) -> Iterator[Loss]:
    """Why an option or a fact has no form; nothing for a fact that goes without saying.

    >>> list(losses_of(moves.Option(Leg(((0, 1),), ends=("friend",), span=Span(0, 2)))))
    [('friend', Span(start=0, end=2))]
    """
    if isinstance(item, moves.Fact):
        truth = item.truth
        if truth != moves.Size(1, 1):
            name = truth.what if isinstance(truth, moves.Effect) else type(truth).__name__
            yield name, item.span
        return
    held = list(moves.walk(item))
    halves = any(isinstance(each, Leg) and each.lengths == "own-half" for each in held)
    result = [("trail", item.span)] if item.passer and not halves else []
    result += [loss for node in held for loss in _node_losses(node)]
    yield from result or [("nothing", item.span)]


def _node_losses(node: object) -> Iterator[Loss]:
    """Why one node of a movement has no form by itself."""
    match node:
        case moves.OnMove(number=1):
            return
        case Then():
            yield from _sequence_losses(node)
        case Leg():
            yield from ((name, node.span) for name, so in _possible_losses_of_leg(node) if so)
        case moves.Jumping(side=side, span=span) if side != "all":
            yield "sided", span
        case moves.Jumping(most=int(), span=span):
            yield "counted", span
        case moves.Repeat():
            yield from _repeat_losses(node)
        case (moves.OnMove() | moves.EveryMove() | moves.ThirdRank() | moves.OnSquare()) | (
            moves.Castling() | moves.Anywhere() | moves.Rampage() | moves.Rifle()
        ):
            yield type(node).__name__, node.span


def _repeat_losses(repeat: moves.Repeat) -> Iterator[Loss]:
    """Rounds of one leap or distance in a straight line have a form, unless they capture on it."""
    match repeat.way:
        case Then(ways=(way,), onward=turn) if _is_straight_on(turn) and (leg := _leg_inside(way)):
            if _may_take_on_way(leg):
                yield "taken", repeat.span
            elif not isinstance(leg.lengths, str) and len(leg.lengths) > 1:
                yield "several", repeat.span
        case _:
            yield type(repeat).__name__, repeat.span


def _possible_losses_of_leg(leg: Leg) -> Iterator[tuple[str, bool]]:
    hops = any(each.startswith("hop") for each in (*leg.through, *leg.along))
    some = {tuple(sorted(map(abs, step))) for step in leg.steps if is_oblique(step)}
    every = {image for small, large in some for image in images_of_base(small, large)}
    yield from ((end, True) for end in leg.ends if end in {"friend", "passer"})
    yield from ((limit, leg.lengths == limit) for limit in sorted(moves.BOARD_DEPENDENT_LENGTHS))
    yield "edges", leg.edges != "walls"
    yield "hop", hops or leg.hop != "none" or leg.between == "occupied"
    yield "skips", leg.skips_first
    yield "as-far", leg.as_far
    yield "royal-only", ("enemy" in leg.ends) != ("royal" in leg.ends)
    yield "some", not every <= set(leg.steps)
    yield "blocked", bool(some) and leg.between == "empty"
    yield "one-sided", _is_one_sided(leg.steps)


def _is_one_sided(steps: Iterable[Vector]) -> bool:
    """Whether no directions are those of the straight ones among some steps."""
    straight = frozenset(_unit_step(step) for step in steps if not is_oblique(step))
    return bool(straight) and directions_for(straight) is None


def _sequence_losses(then: Then) -> Iterator[Loss]:
    """What stands in the way where one leg follows another."""
    legs = [_leg_inside(way) for way in then.ways]
    ends = [None if leg is None else frozenset(moves.away_as_empty(leg.ends)) for leg in legs]
    if any(isinstance(way, Leg) and _may_take_on_way(way) for way in then.ways[:-1]):
        if not _is_locust_capture(then, legs):
            yield "taken", then.span
        elif legs[0] and not _is_one_sided(legs[0].steps):  # the letters are before all of it
            yield "one-sided", then.span
    elif any(
        _is_continuation_forced(*each)
        for each in zip(then.joins, ends, then.ways[1:], strict=False)
    ):
        yield "joined", then.span
    elif len({each for each in ends if each is not None}) > 1:
        yield "mixed", then.span
    elif then.joins:
        yield from ((name, then.span) for name in _turn_losses(then, legs))


def _is_locust_capture(then: Then, legs: Sequence[Leg | None]) -> bool:
    """Whether a way is a capture by leaping over a piece, but for its directions."""
    match then, legs:
        case Then(joins=(Join(may_stop=False),)), [Leg() as one, Leg(lengths=(1,)) as other]:
            with suppress(_NotExpressible):
                pairs = [(_unit_step(a), _unit_step(b)) for a, b in _step_pairs(one, other, then)]
                straight = all(first == second for first, second in pairs)
                return (
                    straight
                    and set(one.through) == {*CAPTURE_PASSAGES}
                    and set(moves.away_as_empty(other.ends)) == {"empty"}
                )
    return False


def _may_take_on_way(leg: Leg) -> bool:
    return any(passage.startswith("take") for passage in leg.through)


def _leg_inside(way: moves.Way) -> Leg | None:
    """The leg that a way is, with the ends that the rules around it leave, and what it may pass."""
    if not isinstance(way, moves.Within):
        return way if isinstance(way, Leg) else None
    leg = _leg_inside(way.way)
    if leg is not None and way.rule == moves.Jumping("all"):
        return replace(leg, along=PASS_ANYTHING)
    if leg is None or not isinstance(way.rule, moves.Only):
        return leg
    moving = way.rule.what == "moving"
    return replace(leg, ends=tuple(end for end in leg.ends if (end in ANY_EMPTY) == moving))


def _is_continuation_forced(
    join: Join, ends: frozenset[moves.End] | None, after: moves.Way
) -> bool:
    """Whether no move ends before a join, so that it has to be made."""
    optional = isinstance(after, moves.Repeat) and after.optional
    return not optional and (not join.may_stop or ends == frozenset())


def _turn_losses(then: Then, legs: Sequence[Leg | None]) -> Iterator[str]:
    """What is lost of the turns between legs; nothing where they go outward as after a dot.

    A loop has a reason of its own.
    """
    if any(isinstance(way, moves.Repeat) for way in then.ways):
        return
    one, *others = legs
    if one is None or len(others) != 1 or others[0] is None:
        yield "turning"
        return
    try:
        ways = _step_pairs(one, others[0], then)
        pairs = {(_unit_step(first), _unit_step(second)) for first, second in ways}
    except _NotExpressible:
        yield "turning"
        return
    if not all(x * u + y * v == 1 and abs(x * y) != abs(u * v) for (x, y), (u, v) in pairs):
        yield "turning"
    elif any(directions_for(frozenset(steps)) is None for steps in zip(*pairs, strict=True)):
        yield "one-sided"
