"""The ways of a movement in words: every option and fact as a part of its description."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from alfil.english import fact_phrases as facts
from alfil.english import leg_phrases, turn_phrases, words
from alfil.english.fact_phrases import JUMP_ALL_PHRASE, MAY_JUMP, EnclosingRules
from alfil.english.leg_phrases import (
    MOVE_OR_CAPTURE_ENDS,
    NEVER_OVER_START_PHRASE,
    SimpleLeg,
    frequency_phrase,
)
from alfil.english.returning_legs import ReturningLegs, may_rounds_end_on_start, returning_legs
from alfil.english.sentences import (
    MAY_STOP_EARLY,
    Body,
    CompoundLegPhrase,
    RepeatedLegs,
    Route,
    RouteLeg,
    SentencePart,
    departure_phrase,
    gerund_phrase,
    inline_phrase,
    intermediate_move_phrase,
    merge_parts_by_direction,
    move_phrase,
    passages_of,
    route_or_single_leg,
)
from alfil.english.steps_of_ways import first_steps, inner_leg, last_steps
from alfil.english.turn_phrases import (
    EACH_TIME,
    SAME_SIDE,
    PossibleHeadings,
    headings_after_first_leg,
    with_leading_comma,
)
from alfil.errors import join_words, plural
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import COMPASS, MAX_WALK_LENGTH, Vector, is_oblique, walks_in_box
from alfil.movement.canonical_movement import merged_lengths
from alfil.movement.nodes import (
    BOARD_DEPENDENT_LENGTHS,
    ONE_STEP,
    Angle,
    Anywhere,
    Bend,
    Castling,
    Edges,
    Either,
    Foreign,
    Join,
    Jumping,
    Leg,
    Lengths,
    Movement,
    NotJumping,
    Only,
    Passage,
    Rampage,
    Repeat,
    Rifle,
    Then,
    Turn,
    Way,
    Within,
    Words,
    away_as_empty,
    either_of_ways,
    may_capture_on_the_way,
    walk,
)
from alfil.movement.turn_geometry import (
    latest_bend_after,
    paths_through_legs,
    steps_after_angle,
    steps_after_bend,
    turn_in_sixteenths,
)

EN_PASSANT_PHRASE = ", and can then be captured en passant on a square it passed"
EDGE_PHRASES: dict[Edges, str] = {
    "walls": "",
    "files": ", as if the left and right edges of the board were joined",
    "both": ", as if opposite edges of the board were joined",
}
SKIPPED_SQUARE_PHRASE = ", skipping the first square whatever stands on it"
LENGTH_LIMIT_PHRASES: dict[Lengths, str] = {
    "own-half": " within its own half of the board (one step at least)",
    "halfway": ", at most half the way to the edge of the board, rounded up",
}
LATER_HALFWAY_PHRASE = (
    ", at most half the way to the edge of the board, the last square not counted, rounded up"
)
ANEW_PHRASE = f", choosing its direction anew{EACH_TIME}"
OR_NOT_AT_ALL_PHRASE = " or not at all"
NOWHERE_LEG = CompoundLegPhrase("go nowhere")


def parts_of_movement(movement: Movement) -> Iterator[SentencePart]:
    """The parts of a description."""
    rules = facts.outermost_rules(movement)
    for option in movement.options:
        guard = facts.condition_phrases(option.when)
        for body in _describe_as_moves(_without_unreached_legs(option.way), rules):
            yield SentencePart(guard, body, EN_PASSANT_PHRASE if option.passer else "")
    for fact in movement.facts:
        yield SentencePart(
            facts.condition_phrases(fact.within),
            facts.fact_sentence(
                fact, _inline_movement_phrase, lambda way: gerund_phrase(parts_of_movement(way))
            ),
        )


def _inline_movement_phrase(movement: Movement) -> str:
    return inline_phrase(parts_of_movement(movement))


class _DescribedLeg(NamedTuple):
    """A way as one leg: its words, and its steps where these are all it may travel by."""

    body: SimpleLeg | CompoundLegPhrase
    vectors: tuple[Vector, ...] = ()


def _describe_as_moves(way: Way, rules: EnclosingRules) -> Iterator[Body]:
    """A way as moves of their own."""
    alone = _describe_way_without_legs(way, rules)
    if alone is not None:
        yield alone
    elif isinstance(way, Within):
        for body in _describe_as_moves(way.way, rules.inside_rule(way)):
            yield (
                body
                if body is NOWHERE_LEG
                else _append_remark(body, facts.capture_condition_phrase(way))
            )
    elif isinstance(way, Either) and not rules.greedy:
        for each in way.ways:
            yield from _describe_as_moves(each, rules)
    else:
        yield from _describe_simple_legs_or_move(way, rules)


def _describe_simple_legs_or_move(way: Way, rules: EnclosingRules) -> Iterator[Body]:
    """A way as a move for each leg that it may be, or as one move."""
    if rules.greedy:
        way = _merge_runs_by_direction(way)
    leaves = _split_into_simple_legs(way, rules)
    for body in [_describe_as_move(way, rules)] if leaves is None else leaves:
        if body is not NOWHERE_LEG:
            # The farthest square on one line is none of another's, so they stay apart.
            yield CompoundLegPhrase(move_phrase(body)) if rules.greedy else body


def _merge_runs_by_direction(way: Way) -> Way:
    """Runs that differ in how far they go and whereto only, those in one direction as one.

    Of all squares where they may stop on its line, a move that goes as far as it can has one.
    """
    legs = [each for each in _alternatives(way) if isinstance(each, Leg)]
    alike = {replace(each, steps=(), lengths=ONE_STEP) for each in legs}
    bounded = any(each.lengths in BOARD_DEPENDENT_LENGTHS for each in legs)
    if bounded or len(legs) < len(_alternatives(way)) or len(alike) != 1:
        return way
    lengths: dict[Vector, Lengths] = {}
    for leg in legs:
        for step in leg.steps:
            lengths[step] = merged_lengths(lengths.get(step, ()), leg.lengths)
    lines: dict[Lengths, list[Vector]] = {}
    for step, each in lengths.items():
        lines.setdefault(each, []).append(step)
    return either_of_ways(
        [replace(legs[0], steps=tuple(steps), lengths=each) for each, steps in lines.items()]
    )


def _describe_as_move(way: Way, rules: EnclosingRules) -> Body:
    """A way as one move."""
    if isinstance(way, Then) and not rules.jump_and_capture_phrases:
        return _describe_sequence(way, rules)
    return _describe_as_leg(way, rules).body


def _describe_way_without_legs(
    way: Way, rules: EnclosingRules
) -> SimpleLeg | CompoundLegPhrase | None:
    """A way that is no leg and has none; None for all others."""
    match way:
        case Within(rule=Rifle(side=side), way=inside):
            # A shot inside one is where it shoots; whom it captures is said further out.
            inside, rules = _without_rifle_rules(inside), rules.without_farthest_stop()
            ways = gerund_phrase(
                SentencePart((), _without_capture_words(body))
                for body in _describe_as_moves(inside, rules)
                if not (isinstance(body, SimpleLeg) and body.land <= leg_phrases.ANY_SQUARE)
            )
            whom, at_once = facts.PIECE_OF_SIDE[side], ""
            if may_capture_on_the_way(inside):
                whom, at_once = f"all {facts.PIECES_OF_SIDE[side]}", " in one move"
            return CompoundLegPhrase(
                f"capture without moving {whom} that it could capture{at_once} {ways}"
            )
        case Foreign():
            return _unknown_function_phrase(way, rules)
        case Words(text=text):
            phrase = f"move as these words say: {facts.quoted(text)}"
            ends = rules.allowed_ends(MOVE_OR_CAPTURE_ENDS)
        case Anywhere(files=files, ranks=ranks):
            phrase, ends = f"leap to any {_area_phrase(files, ranks)}", rules.allowed_ends(way.ends)
        case Castling():
            # Castling never captures, so there is no need to say so.
            phrase = _castling_phrase(way)
            ends = MOVE_OR_CAPTURE_ENDS if "moving" in rules.purposes else frozenset()
        case _:
            return None
    manner = (
        *filter(None, [rules.unjumpable_phrase()]),
        *rules.jump_and_capture_phrases_with_commas(),
    )
    return SimpleLeg((), (), land=ends, manner=manner, whole_phrase=phrase)


def _without_rifle_rules(way: Way) -> Way:
    """A way without the shots among the rules around it, and no run of which is the farthest."""
    if not isinstance(way, Within):
        return way
    inside = _without_rifle_rules(way.way)
    if isinstance(way.rule, Rifle):
        return inside
    rule = replace(way.rule, farthest=False) if isinstance(way.rule, Rampage) else way.rule
    return replace(way, rule=rule, way=inside)


def _append_remark(body: Body, remark: str) -> Body:
    """A move with a remark after it."""
    match body:
        case SimpleLeg():
            return body._replace(manner=(*body.manner, remark)) if remark else body
        case CompoundLegPhrase():
            return body._replace(phrase=body.phrase + remark)
        case _:
            return body._replace(remark=body.remark + remark)


def _without_capture_words(body: Body) -> Body:
    """A move that is said to capture anyway, so that this need not be told."""
    if isinstance(body, SimpleLeg) and body.land == MOVE_OR_CAPTURE_ENDS - {"empty"}:
        return body._replace(land=MOVE_OR_CAPTURE_ENDS)
    return body


def _unknown_function_phrase(way: Foreign, rules: EnclosingRules) -> CompoundLegPhrase:
    """A move by a function that is not built in."""
    known = "declared" if way.known else "unknown"
    arguments: list[str] = []
    for argument in way.arguments:
        if isinstance(argument, Movement):
            arguments.append(_inline_movement_phrase(argument))
        else:
            arguments.append(str(argument) if isinstance(argument, int) else facts.quoted(argument))
    of = f" of {', '.join(arguments)}" if arguments else ""
    end = "".join(
        [rules.unjumpable_phrase(), *rules.jump_and_capture_phrases_with_commas()]
    ) + leg_phrases.landing_phrase(rules.allowed_ends(MOVE_OR_CAPTURE_ENDS))
    return CompoundLegPhrase(f"move by the {known} function {facts.quoted(way.name)}{of}{end}")


def _area_phrase(files: int | None, ranks: int | None) -> str:
    if files is None and ranks is None:
        return "other square of the board"
    sides = ((files, "file"), (ranks, "rank"))
    own = "".join(f" of its own {kind}" for most, kind in sides if most == 0)
    far = [f"{words.number_word(most)} {plural(kind, most)}" for most, kind in sides if most]
    return f"square{own}" + (f" at most {' and '.join(far)} away" if far else "")


def _castling_phrase(way: Castling) -> str:
    where = words.direction_words(words.compass_headings(way.steps))
    file = "last file"
    if way.inset:
        nth = "" if way.inset == 1 else f"{words.ordinal_word(way.inset)} "
        file = f"{nth}file next to the last"
    return (
        f"castle by going {words.squares_words(way.squares)} {where}"
        f" towards a piece of its own side that has not moved and stands on the {file},"
        " with only empty squares between them; that piece lands beside it, on the inner side"
    )


def _split_into_simple_legs(way: Way, rules: EnclosingRules) -> Sequence[SimpleLeg] | None:
    """The single runs and leaps a way is made of, None if it is more than that."""
    match way:
        case Leg():
            return _split_leg_by_step_size(way, rules)
        case Either(ways=ways):
            return _merged_legs(ways, rules)
        case Within(rule=Only() | Jumping() | NotJumping(), way=inside) if (
            not facts.capture_condition_phrase(way)
        ):
            return _split_into_simple_legs(inside, rules.inside_rule(way))
        case Repeat():
            return _repeat_as_run(way, rules)
        case _:
            return None


@lru_cache(maxsize=1024)
def _split_leg_by_step_size(leg: Leg, rules: EnclosingRules) -> tuple[SimpleLeg, ...]:
    """A leg as runs and leaps, one for each kind of step and one for each length it leaps."""
    by_size: dict[tuple[int, ...], list[Vector]] = {}
    for step in leg.steps:
        by_size.setdefault(leg_phrases.leap_size(step), []).append(step)
    lengths = _sorted_lengths(leg.lengths)
    simple = leg.hop == "none" and not leg.skips_first and leg.along == ("empty",)
    silent = MAY_JUMP if lengths == ONE_STEP else None
    result: list[SimpleLeg] = []
    for size, steps in by_size.items():
        if size != (1,):
            lame = rules.blocks == "all" and leg.between == "anything"
            simple_leg = SimpleLeg(size, tuple(steps), lengths, "empty" if lame else leg.between)
            result.append(_add_leg_details(simple_leg, leg, rules, silent))
        elif simple and rules.may_jump_anything and lengths and not rules.runs_over:
            for simple_leg in (leg_phrases.leap_leg(steps, length) for length in lengths):
                result.append(
                    _add_leg_details(
                        simple_leg,
                        leg,
                        rules,
                        MAY_JUMP if simple_leg.size == size else JUMP_ALL_PHRASE,
                    )
                )
        else:
            simple_leg = (
                leg_phrases.run_leg(steps, lengths)
                if simple
                else SimpleLeg(size, tuple(steps), lengths)
            )
            result.append(_add_leg_details(simple_leg, leg, rules, silent))
    return tuple(result)


def _sorted_lengths(lengths: Lengths) -> tuple[int, ...]:
    """Lengths or times in order, none for any."""
    return () if isinstance(lengths, str) else tuple(sorted(lengths))


def _add_leg_details(
    simple_leg: SimpleLeg, leg: Leg, rules: EnclosingRules, omitted_prefix: str | None
) -> SimpleLeg:
    """A run or leap with all that a leg says besides where and how far."""
    ends, end = rules.ends_and_ending_phrases(leg.ends)
    through = frozenset(rules.unblocked_passages(leg.through))
    own = (
        "" if rules.blocks == "all" or leg.steps[0] in COMPASS else rules.unjumpable_phrase(),
        LATER_HALFWAY_PHRASE
        if leg.lengths == "halfway" and rules.later
        else LENGTH_LIMIT_PHRASES.get(leg.lengths, ""),
        SKIPPED_SQUARE_PHRASE if leg.skips_first and simple_leg.size == (1,) else "",
        EDGE_PHRASES[leg.edges],
        ""
        if leg.lengths == ONE_STEP
        else leg_phrases.run_passage_phrase(rules.unblocked_passages(leg.along)),
    )
    manner = (*filter(None, own), *rules.jump_and_capture_phrases_with_commas(omitted_prefix), *end)
    return simple_leg._replace(land=ends, through=through, hop=leg.hop, manner=manner)


def _merged_legs(ways: Iterable[Way], rules: EnclosingRules) -> list[SimpleLeg] | None:
    """The leaves of several ways, as few as they can be."""
    result: list[SentencePart] = []
    for way in ways:
        leaves = _split_into_simple_legs(way, rules)
        if leaves is None:
            return None
        result += [SentencePart((), leg) for leg in leaves]
    return [
        part.body for part in merge_parts_by_direction(result) if isinstance(part.body, SimpleLeg)
    ]


def _repeat_as_run(repeat: Repeat, rules: EnclosingRules) -> list[SimpleLeg] | None:
    """A repeat of a single step or leap straight on."""
    body = repeat.way
    if (
        not isinstance(body, Then)
        or len(body.ways) > 1
        or rules.jump_and_capture_phrases
        or repeat.optional
    ):
        return None
    turn = body.onward
    straight = turn.places == (0,) if isinstance(turn, Bend) else turn and turn.sixteenths == 0
    leaves = _split_into_simple_legs(body.ways[0], rules) if straight else None
    if leaves is None or any(
        leg != SimpleLeg(*leg[:2], between=leg.between, land=leg.land) for leg in leaves
    ):
        return None
    steps = tuple(step for leg in leaves for step in leg.vectors)
    if isinstance(turn, Angle) and any(
        steps_after_angle(turn, step, steps) != (step,) for step in steps
    ):
        return None  # a step of one kind may be followed by another's
    times = _sorted_lengths(repeat.times)
    return [
        leg_phrases.run_leg(leg.vectors, times)._replace(land=leg.land)
        if leg.size == (1,)
        else leg._replace(steps=times)
        for leg in leaves
    ]


def _describe_as_leg(way: Way, rules: EnclosingRules) -> _DescribedLeg:
    """A way as one leg."""
    leaves = _split_into_simple_legs(way, rules)
    if leaves is not None and len(leaves) == 1:
        return _DescribedLeg(leaves[0], leaves[0].vectors)
    alone = _describe_way_without_legs(way, rules)
    if alone is not None:
        return _DescribedLeg(alone)
    if rules.jump_and_capture_phrases:
        text = leg_phrases.remove_without_jumping(
            move_phrase(_describe_as_move(way, rules.without_whole_way_phrases())),
            rules.jump_and_capture_phrases,
        )
        phrase = join_words(rules.jump_and_capture_phrases, "and")
        return _DescribedLeg(
            CompoundLegPhrase(f"go as follows, on the whole way {phrase}: ({text})")
        )
    match way:
        case Repeat():
            return _describe_repeat_as_leg(way, rules)
        case Within(way=inside):
            leg = _describe_as_leg(inside, rules.inside_rule(way))
            used = facts.capture_condition_phrase(way, early=rules.early)
            # In brackets, as it is said of this leg and of no other.
            whole = f"go as follows: ({move_phrase(leg.body)}{used})"
            return leg._replace(body=CompoundLegPhrase(whole)) if used else leg
        case Then():
            return _DescribedLeg(
                CompoundLegPhrase(f"go as follows: ({move_phrase(_describe_sequence(way, rules))})")
            )
        case Either(ways=ways):
            either = [_describe_as_move(each, rules) for each in ways]
        case _:
            either = list(leaves or ())
    text = ") or (".join(map(intermediate_move_phrase if rules.early else move_phrase, either))
    return _DescribedLeg(
        CompoundLegPhrase(f"go one of these ways: ({text})") if either else NOWHERE_LEG
    )


def _describe_sequence(then: Then, rules: EnclosingRules) -> Body:
    """One way after another; where no step leads on, the way ends there or is none."""
    chosen = None if then.only is None else _headings_of_allowed_paths(then.only)
    if chosen == []:
        return NOWHERE_LEG
    first = then.ways[0] if chosen is None else _replace_leg_steps(then.ways[0], chosen[0].vectors)
    start, core = _describe_as_leg(first, rules._replace(early=True)), inner_leg(first)
    if start.body is NOWHERE_LEG:
        return NOWHERE_LEG
    travel = headings_after_first_leg(core.steps if core else start.vectors, last_steps(first))
    limbs: list[RouteLeg] = [start.body]
    stops: list[bool] = []
    returning = (
        ReturningLegs(set(), set())
        if rules.later or then.only is not None
        else returning_legs(then)
    )
    for at, (way, join) in enumerate(zip(then.ways[1:], then.joins, strict=True), 1):
        after = None if chosen is None else chosen[at]
        rest = then.ways[at:]
        onward = rules._replace(later=True, early=rules.early or len(rest) > 1)
        later = _describe_later_leg(way, join.turn, travel, onward, after)
        stop = join.may_stop or all(isinstance(one, Repeat) and one.optional for one in rest)
        if later.leads_nowhere:
            limbs = [_add_passages_of_rules(limb, rules) for limb in limbs]
            return route_or_single_leg(limbs, stops) if stop else NOWHERE_LEG
        limbs[-1] = _mark_early_stops(limbs[-1], then.ways[at - 1])
        leg = later.leg
        if isinstance(leg, RepeatedLegs) and at in returning.never_there:
            leg = leg._replace(never_over_start=False)
        limbs.append(_forbid_ending_on_start(leg) if at in returning.may_end_there else leg)
        stops.append(stop)
        travel = later.travel
    limbs = [_add_passages_of_rules(limb, rules) for limb in limbs]
    body = route_or_single_leg(limbs, stops, _allowed_paths_remark(then, chosen))
    return (
        body if then.onward is None else _append_next_round_remark(body, then, then.onward, rules)
    )


def _append_next_round_remark(body: Body, then: Then, turn: Turn, rules: EnclosingRules) -> Body:
    """One of several ways of a round, with the turn it asks of the round after it."""
    between = _turn_between_repeats_phrase(turn, then, rules.round_starts).removeprefix(",")
    remark = (
        f", any next round{between if SAME_SIDE in between else between.removesuffix(EACH_TIME)}"
    )
    say = intermediate_move_phrase if rules.early else move_phrase
    return (
        CompoundLegPhrase(say(body) + remark)
        if isinstance(body, SimpleLeg)
        else _append_remark(body, remark)
    )


def _forbid_ending_on_start(leg: RouteLeg) -> RouteLeg:
    """A leg that may come to where the way began, and does not end there."""
    if isinstance(leg, CompoundLegPhrase):
        return leg._replace(phrase=leg.phrase + leg_phrases.NEVER_BACK_TO_START_PHRASE)
    if not isinstance(leg, SimpleLeg) or "empty" not in leg.land:
        return leg
    return leg._replace(land=leg.land | {"away"})


def _mark_early_stops(leg: RouteLeg, way: Way) -> RouteLeg:
    """A leg made of others that knows whether the move may end after some of these."""
    if not isinstance(leg, CompoundLegPhrase):
        return leg
    return leg._replace(stops_early=_has_optional_stop(way))


def _has_optional_stop(way: Way) -> bool:
    return any(isinstance(each, Join) and each.may_stop for each in walk(way))


def _add_passages_of_rules(leg: RouteLeg, rules: EnclosingRules) -> RouteLeg:
    """A leg that goes on from all that rules around the whole way let it pass."""
    if isinstance(leg, RepeatedLegs) or not rules.wayside:
        return leg
    return leg._replace(through=leg.through | rules.wayside)


def _headings_of_allowed_paths(only: Sequence[Sequence[Vector]]) -> list[PossibleHeadings]:
    """The steps of all legs of the ways that are allowed."""
    result: list[set[tuple[Vector, int]]] = [set() for _ in only[0]] if only else []
    for way in only:
        bent = 0
        for at, step in enumerate(way):
            bent = latest_bend_after(bent, turn_in_sixteenths(way[at - 1], step)) if at else 0
            result[at].add((step, bent))
    return [
        PossibleHeadings(frozenset(ways), tuple(sorted({v for v, _ in ways}))) for ways in result
    ]


def _replace_leg_steps(way: Way, steps: Iterable[Vector]) -> Way:
    """A leg that takes these steps, those of its own in their order."""

    def narrowed(leg: Leg) -> Leg:
        steps_wanted = dict.fromkeys(steps)
        own = [step for step in leg.steps if step in steps_wanted]
        return replace(
            leg, steps=tuple(own) if len(own) == len(steps_wanted) else tuple(steps_wanted)
        )

    return _replace_inner_leg(way, narrowed)


def _replace_inner_leg(way: Way, change: Callable[[Leg], Leg]) -> Way:
    """A way whose leg, under whatever rules, is another; one that is no leg stays."""
    if isinstance(way, Within):
        return replace(way, way=_replace_inner_leg(way.way, change))
    return change(way) if isinstance(way, Leg) else way


class LaterLeg(NamedTuple):
    """A later leg with its turn, how the way may have gone then, and whether it cannot go on."""

    leg: RouteLeg
    travel: PossibleHeadings
    leads_nowhere: bool = False


def _describe_later_leg(
    way: Way,
    turn: Turn,
    before: PossibleHeadings,
    rules: EnclosingRules,
    chosen: PossibleHeadings | None = None,
) -> LaterLeg:
    """A later leg."""
    if isinstance(turn, Bend):
        if isinstance(way, Repeat) and isinstance(way.way, Then) and way.way.onward == turn:
            return _describe_repeat_as_later_leg(way, way.way, before, rules)
        leg = inner_leg(way)
        if leg is not None and leg.steps:
            return _describe_leg_after_bend(way, leg, turn, before, rules, chosen)
    return _describe_leg_after_turn(way, turn, before, rules)


def _describe_leg_after_bend(
    way: Way,
    leg: Leg,
    turn: Bend,
    before: PossibleHeadings,
    rules: EnclosingRules,
    chosen: PossibleHeadings | None,
) -> LaterLeg:
    """A single leg after a bend."""
    after = before.after_turn(turn, leg.steps) if chosen is None else chosen
    narrowed = _replace_leg_steps(way, after.vectors or leg.steps)
    leaves = _split_into_simple_legs(narrowed, rules) or []
    if len(leaves) != 1:
        return _describe_leg_after_turn(narrowed, turn, before, rules)
    (simple_leg,) = leaves
    about = turn_phrases.ABOUT_WORD if len(simple_leg.size) > 1 else ""
    phrase, told_by_turn = _bend_phrase_and_is_unambiguous(leg, turn, before, after.vectors, about)
    where = None if told_by_turn else leg_phrases.direction_phrase(simple_leg)
    if (
        "away" in leg.ends
        and "empty" in simple_leg.land
        and NEVER_OVER_START_PHRASE not in simple_leg.manner
    ):
        simple_leg = simple_leg._replace(land=simple_leg.land | {"away"})
    described = _add_turn_phrase(simple_leg, phrase, as_far=leg.as_far, where=where)
    return LaterLeg(
        described, after, leads_nowhere=bool(before.steps_and_bends) and not after.steps_and_bends
    )


def _bend_phrase_and_is_unambiguous(
    leg: Leg, turn: Bend, before: PossibleHeadings, steps: tuple[Vector, ...], about: str
) -> tuple[str, bool]:
    """How a leg bends to these steps, and whether that tells them, of all that are like them."""
    if not turn.chooses:
        return turn_phrases.bend_phrase(turn, before.has_bent, about), True
    every = turn_phrases.all_rotations_and_mirrors(leg.steps)
    same = turn_phrases.common_turns_in_eighths(before.vectors, turn, steps or leg.steps)
    if turn.sense != "any":
        if turn.places is not None and same is not None and before.has_bent == "no":
            turn = replace(turn, places=tuple(sorted(same)))
        return turn_phrases.bend_phrase(turn, before.has_bent, about), set(steps) == set(every)
    places = turn.places if same is None else same
    phrase = (
        turn_phrases.LEAST_BEND_PHRASE
        if places is None
        else turn_phrases.turns_phrase_to_append(places, about)
    )
    left = {v for way in before.vectors for v in turn_phrases.next_directions(way, turn, every)}
    return with_leading_comma(phrase) if same is None else phrase, set(steps) == left


def _add_turn_phrase(
    leg: SimpleLeg, turn: str, *, as_far: bool, where: str | None = None
) -> SimpleLeg:
    """A leg after others: how it turns instead of where it goes, and how far if that is as far
    as the leg before.
    """
    manner = leg.manner
    reach = ""
    if as_far and leg.size == (1,) and not leg.steps:
        reach = "exactly as far as it slid before"
    elif as_far:
        manner = (", in exactly as many steps as its latest slide", *manner)
    if where is None:
        where = turn_phrases.line_or_leap_words(leg.vectors)
    else:
        turn = with_leading_comma(turn)
    if turn.startswith(","):
        manner = (turn, *manner)
    else:
        # Straight on and back leave no question about the kind of line.
        where = f"{where if len(leg.size) > 1 else ''}{turn}".strip()
    return leg._replace(manner=manner, reach=reach, where=where)


def _describe_leg_after_turn(
    way: Way, turn: Turn, before: PossibleHeadings, rules: EnclosingRules
) -> LaterLeg:
    """A later leg that goes its own ways, with the turn from the leg before it."""
    leg = _describe_as_leg(way, rules)
    steps = before.fallback_steps, first_steps(way)
    if leg.body is NOWHERE_LEG or _leads_nowhere(turn, *steps):
        return LaterLeg(leg.body, before, leads_nowhere=True)
    if isinstance(turn, Angle):
        phrase = turn_phrases.angle_phrase(turn, *steps, looped=rules.looped)
    else:
        phrase = with_leading_comma(turn_phrases.bend_phrase(turn, before.has_bent))
    simple_leg = leg.body
    if not isinstance(simple_leg, SimpleLeg) or not leg.vectors:
        return LaterLeg(
            CompoundLegPhrase(move_phrase(simple_leg), with_leading_comma(phrase)),
            PossibleHeadings(fallback_steps=last_steps(way)),
        )
    after = before.after_turn(turn, leg.vectors)
    if not phrase.endswith(EACH_TIME):
        about = turn_phrases.ABOUT_WORD if len(simple_leg.size) > 1 else ""
        same = turn_phrases.common_turns_in_eighths(before.vectors, turn, leg.vectors)
        if same is not None:
            fewer = simple_leg._replace(vectors=after.vectors)
            turns = turn_phrases.turns_phrase_to_append(same, about)
            return LaterLeg(_add_turn_phrase(fewer, turns, as_far=False), after)
        same = turn_phrases.common_turns_in_eighths(
            before.vectors, turn, turn_phrases.all_rotations_and_mirrors(leg.vectors)
        )
        phrase = phrase if same is None else turn_phrases.turns_phrase_to_append(same, about)
    simple_leg = simple_leg._replace(manner=(with_leading_comma(phrase), *simple_leg.manner))
    return LaterLeg(
        simple_leg, after if after.steps_and_bends else headings_after_first_leg(leg.vectors)
    )


def _leads_nowhere(turn: Turn, before: Sequence[Vector], after: Sequence[Vector]) -> bool:
    """Whether an angle leads from no step to any other, where all are known."""
    if not isinstance(turn, Angle) or not before or not after:
        return False
    return not turn_phrases.signed_turns_of_angle(turn, before, after)


def _without_unreached_legs(way: Way) -> Way:
    """The way without the legs behind one that is never gone through to its end.

    What is never completed is told apart from what the legs behind it follow.
    """
    match way:
        case Within():
            return replace(way, way=_without_unreached_legs(way.way))
        case Either():
            return replace(way, ways=tuple(map(_without_unreached_legs, way.ways)))
        case Then(ways=(only_one,), onward=None):
            return _without_unreached_legs(only_one)
        case Then(onward=None, only=None):
            *before, last = map(_without_unreached_legs, way.ways)
            ending = [each for each in _alternatives(before[0]) if _is_never_completed(each)]
            going_on = [each for each in _alternatives(before[0]) if each not in ending]
            if not going_on:
                return before[0]
            first = before[0] if not ending else either_of_ways(going_on)
            ways = (first, *before[1:], last)
            end = next(
                (at for at, each in enumerate(before) if _is_never_completed(each)), len(before)
            )
            reached = replace(way, ways=ways[: end + 1], joins=way.joins[:end])
            return Either((*ending, reached)) if ending else reached
        case Repeat(way=body, optional=False) if _is_never_completed(body):
            once = replace(body, onward=None) if isinstance(body, Then) else body
            # No round follows one that is never completed, and a move ends in the last one only.
            may_be_last = way.times == "any" or 1 in way.times
            return _without_unreached_legs(once) if may_be_last else Either(())
        case Repeat(way=body):
            return replace(way, way=_end_move_in_incomplete_ways(body))
    return way


def _end_move_in_incomplete_ways(body: Way) -> Way:
    """A round, in which ways never gone through to their end go on from nothing."""
    match body:
        case Then(ways=(Either() as choice,)):
            return replace(body, ways=(_end_move_in_incomplete_ways(choice),))
        case Either():
            return Either(
                tuple(
                    _end_move_after_last_leg(each) if _is_never_completed(each) else each
                    for each in _alternatives(body)
                )
            )
    return body


def _end_move_after_last_leg(way: Way) -> Way:
    """A way whose last leg ends the move."""
    match way:
        case Leg():
            return replace(way, through=())
        case Within():
            return replace(way, way=_end_move_after_last_leg(way.way))
        case Then(ways=ways, joins=joins):
            end = _joins_until_nowhere(way)
            last = _end_move_after_last_leg(ways[end])
            return replace(way, ways=(*ways[:end], last), joins=joins[:end]) if end else last
    return way


def _alternatives(way: Way) -> tuple[Way, ...]:
    """The ways of which a way is any one."""
    match way:
        case Either(ways=ways):
            return tuple(each for one in ways for each in _alternatives(one))
        case Within(rule=Only(), way=inside):
            return tuple(replace(way, way=each) for each in _alternatives(inside))
    return (way,)


def _is_never_completed(way: Way) -> bool:
    """Whether no turn leads to some leg of a way, so that nothing follows the way either."""
    match way:
        case Repeat(way=Then(onward=turn) as body, times=times, optional=False) if turn:
            repeats = times != "any" and 1 not in times
            return _is_never_completed(body) or (
                repeats and _leads_nowhere(turn, last_steps(body), first_steps(body))
            )
        case Within(way=inside) | Repeat(way=inside, optional=False):
            return _is_never_completed(inside)
        case Either(ways=ways):
            return all(map(_is_never_completed, ways))
        case Then(ways=ways, joins=joins):
            return any(map(_is_never_completed, ways)) or _joins_until_nowhere(way) < len(joins)
    return False


def _joins_until_nowhere(then: Then) -> int:
    """How many joins of a way lead on, up to the first that does not."""
    travelled = last_steps(then.ways[0])
    for at, (join, after) in enumerate(zip(then.joins, then.ways[1:], strict=True)):
        if _leads_nowhere(join.turn, travelled, first_steps(after)):
            return at
        leg, known = inner_leg(after), last_steps(after)
        if isinstance(join.turn, Angle) and leg is not None and known:
            turned = [steps_after_angle(join.turn, step, leg.steps) for step in travelled]
            known = tuple(dict.fromkeys(step for steps in turned for step in steps)) or known
        travelled = known
    return len(then.joins)


def _describe_repeat_as_later_leg(
    repeat: Repeat, then: Then, before: PossibleHeadings, rules: EnclosingRules
) -> LaterLeg:
    """Legs again and again, the first of them after the same turn each time."""
    never = all(map(_start_counts_as_occupied, then.ways))
    ways = [_replace_away_by_empty(way) for way in then.ways] if never else list(then.ways)
    joined = [then.onward, *(join.turn for join in then.joins)]
    steps = [(turn, way) for turn, way in zip(joined, ways, strict=True) if turn]
    inside = rules._replace(looped=True)
    travel = _headings_at_starts_of_rounds(
        before, steps, None if repeat.times == "any" else max(repeat.times)
    )
    limbs: list[RouteLeg] = []
    for turn, way in steps:
        later = _describe_later_leg(way, turn, travel, inside)
        leg = _mark_early_stops(later.leg, way)
        limbs.append(_add_passages_of_rules(leg, rules))
        travel = later.travel
    count = "once" if repeat.times == ONE_STEP else frequency_phrase(_sorted_lengths(repeat.times))
    body = Route(tuple(limbs), tuple(join.may_stop for join in then.joins))
    after = (
        travel.steps_and_bends | before.steps_and_bends
        if repeat.optional
        else travel.steps_and_bends
    )
    rounds = RepeatedLegs(body, count, repeat.optional, never, stops_early=_may_stop_early(repeat))
    return LaterLeg(rounds, PossibleHeadings(after, travel.fallback_steps))


def _may_stop_early(repeat: Repeat) -> bool:
    """Whether a round may end before its end, which only the last of several may."""
    return repeat.times != ONE_STEP and _has_optional_stop(repeat.way)


def _headings_at_starts_of_rounds(
    before: PossibleHeadings, steps: Sequence[tuple[Turn, Way]], most: int | None
) -> PossibleHeadings:
    """How a way may have gone before one round or another of these."""
    every, rounds = before.steps_and_bends, 1
    while most is None or rounds < most:
        travel = PossibleHeadings(every)
        for turn, way in steps:
            leg = inner_leg(way)
            travel = travel.after_turn(turn, leg.steps if leg else ())
        if travel.steps_and_bends <= every:
            break
        every |= travel.steps_and_bends
        rounds += 1
    return PossibleHeadings(every, before.fallback_steps)


def _start_counts_as_occupied(way: Way) -> bool:
    """Whether a leg never counts where the move began as empty."""
    leg = inner_leg(way)
    return leg is not None and "empty" not in {*leg.along, *leg.through, *leg.ends}


def _replace_away_by_empty(way: Way) -> Way:
    """A leg that keeps away from where the move began, without saying so."""
    return _replace_inner_leg(
        way,
        lambda leg: replace(
            leg,
            ends=away_as_empty(leg.ends),
            through=away_as_empty(leg.through),
            along=away_as_empty(leg.along),
        ),
    )


def _describe_repeat_as_leg(repeat: Repeat, rules: EnclosingRules) -> _DescribedLeg:
    """Rounds of a way, each after a turn of its own or anywhere."""
    inside = rules._replace(
        looped=True, later=True, early=True, round_starts=first_steps(repeat.way)
    )
    back = not rules.later and "moving" in rules.purposes and may_rounds_end_on_start(repeat)
    body, turn = repeat.way, None
    if isinstance(body, Then) and body.onward is not None:
        turn = body.onward
        body = body.ways[0] if len(body.ways) == 1 else replace(body, onward=None)
        if _leads_nowhere(turn, last_steps(body), first_steps(body)):
            once = repeat.times == "any" or 1 in repeat.times
            return _describe_as_leg(body, rules) if once else _DescribedLeg(NOWHERE_LEG)
    count = frequency_phrase(_sorted_lengths(repeat.times)) + (
        OR_NOT_AT_ALL_PHRASE if repeat.optional else ""
    )
    leaves = _split_into_simple_legs(body, inside)
    each = (
        ANEW_PHRASE
        if turn is None
        else _turn_between_repeats_phrase(turn, body, inside.round_starts)
    )
    if leaves is None or len(leaves) != 1 or leaves[0].steps != ONE_STEP:
        early = MAY_STOP_EARLY if _may_stop_early(repeat) else ""
        early += leg_phrases.NEVER_BACK_TO_START_PHRASE if back else ""
        round_body = _describe_as_move(body, inside)
        once = repeat.times == ONE_STEP
        on = "" if once else _between_rounds_phrase(round_body, rules.wayside)
        return _DescribedLeg(
            CompoundLegPhrase(f"repeat {count}{each}{on}{early}: ({move_phrase(round_body)})")
        )
    leg = leaves[0]._replace(through=leaves[0].through | rules.wayside)
    manner = (*leg.manner, f", {count}", each)
    if "away" in leg.through:
        manner += (NEVER_OVER_START_PHRASE,)
    elif back and "empty" in leg.land:
        leg = leg._replace(land=leg.land | {"away"})
    on = _between_rounds_phrase(leg, frozenset())
    manner += (on,) if on else ()
    where = (
        _first_direction_phrase(leg, turn) if isinstance(turn, Bend) and not turn.chooses else None
    )
    return _DescribedLeg(leg._replace(manner=manner, where=where))


def _between_rounds_phrase(before: Body, wayside: frozenset[Passage]) -> str:
    """From what one round goes on to the next, unless from an empty square only."""
    passages = passages_of(before) | wayside
    if leg_phrases.continues_from_empty_only(passages):
        return ""
    return f", each time going on {departure_phrase(before, passages)}"


def _first_direction_phrase(leg: SimpleLeg, turn: Bend) -> str | None:
    """The directions of a leaf whose later steps follow from the turns, if they are others."""
    ahead = {step for vector in leg.vectors for step, _ in steps_after_bend(turn, vector, 0)}
    if ahead.issubset(leg.vectors):
        return None
    return f"{', ' if len(leg.size) == 1 else ''}first {leg_phrases.direction_phrase(leg)}"


def _turn_between_repeats_phrase(turn: Turn, body: Way, after: tuple[Vector, ...]) -> str:
    """The turn from the last leg of one round to the first of the next one."""
    before = last_steps(body)
    if isinstance(turn, Bend):
        return turn_phrases.repeated_bend_phrase(
            turn, turn_phrases.ABOUT_WORD if any(map(is_oblique, after)) else ""
        )
    return turn_phrases.each_time_phrase(
        turn_phrases.angle_phrase(turn, before, after, looped=True)
    )


def _allowed_paths_remark(then: Then, chosen: Sequence[PossibleHeadings] | None) -> str:
    """The chosen ways one by one, where directions of the single legs do not tell them."""
    if (
        then.only is None
        or chosen is None
        or _step_combinations_of_legs(then, chosen) == set(then.only)
    ):
        return ""
    box = _half_widths_if_all_walks_in_box(then.only)
    if box is not None:
        return f"; it never leaves the {_area_phrase(*box).replace('square', 'squares', 1)}"
    chosen_phrases = (", then ".join(map(words.step_words, way)) for way in then.only)
    return f"; it takes these ways only: {'; '.join(chosen_phrases)}"


def _half_widths_if_all_walks_in_box(walks: Sequence[tuple[Vector, ...]]) -> tuple[int, int] | None:
    """How far to each side all walks of single steps go that are these, if they are."""
    if not walks or len(walks[0]) > MAX_WALK_LENGTH:
        return None
    x, y = (
        max(
            abs(sum(step[axis] for step in row[:end]))
            for row in walks
            for end in range(len(row) + 1)
        )
        for axis in range(len("xy"))
    )
    return (x, y) if set(walks) == set(walks_in_box(x, y, len(walks[0]))) else None


def _step_combinations_of_legs(
    then: Then, chosen: Sequence[PossibleHeadings]
) -> set[tuple[Vector, ...]]:
    """The ways through legs that take the chosen steps each; none where not all are legs."""
    steps = [leg.steps for way in then.ways if (leg := inner_leg(way))]
    bends = [join.turn for join in then.joins if isinstance(join.turn, Bend)]
    if len(steps) < len(then.ways) or len(bends) < len(then.joins):
        return set()
    vectors_by_leg = [set(travel.vectors) for travel in chosen]
    return {
        way
        for way in paths_through_legs(steps, bends)
        if all(step in some for step, some in zip(way, vectors_by_leg, strict=True))
    }
