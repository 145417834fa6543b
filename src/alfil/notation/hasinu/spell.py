"""From a movement to a Ħasínū tree, where it has direct words for it, and its smallest pieces.

What has none is looked for from the automaton; see `alfil.translation`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from alfil.geometry import COMPASS, LONGEST_STEP, Vector, base_vector, is_oblique, rotate_vector
from alfil.movement import nodes as movements
from alfil.movement.nodes import ONE_STEP, Angle
from alfil.movement.run_sequences import PASS_ANYTHING
from alfil.notation.hasinu import lexicon, nodes
from alfil.source import Source, Span

# How many steps: these numbers; none is any number from 1.
Lengths: TypeAlias = tuple[int, ...]
# How a leg may end a move: "" not at all, by moving or capturing, one of the two, the same with its
# own side among what it captures, or by a shot from home at a side.
LandingFunctions: TypeAlias = Literal["", "mc", "m", "c", "mcF", "cF", "iE", "iF", "iFE"]
# The shape of a step whatever its direction: (0, k) for k squares straight or diagonally.
StepKind: TypeAlias = tuple[int, int]
Hand: TypeAlias = Literal["either", "right", "left"]

# How moves end, in the words of functions.
LANDING_FUNCTIONS_BY_ENDS: dict[tuple[movements.End, ...], LandingFunctions] = {
    movements.MOVE_OR_CAPTURE: "mc",
    movements.MOVE_ONLY: "m",
    movements.CAPTURE_ONLY: "c",
    (*movements.MOVE_OR_CAPTURE, "friend"): "mcF",
    (*movements.CAPTURE_ONLY, "friend"): "cF",
}
_FLAG_BY_SIDE: dict[movements.Side, str] = {"friends": "F", "enemies": "E", "all": "FE"}
_SIGN_BY_HAND = {hand: sign for sign, hand in lexicon.HAND_BY_SIGN.items()}
# Turns in sixteenths of a circle.
_RIGHT_ANGLE = 4
# The turns by 45° that straight steps of the two kinds make outward, and how an angle says it.
OUTWARD_BENDS = {movements.Bend(each, chooses=True) for each in (None, (1, 7))}
OUTWARD = Angle(None)
# The two ways to begin a crooked move: the first turn, the second, and the first in eighths.
_ZIGZAG_HANDS: tuple[tuple[Hand, Hand, int], ...] = (("right", "left", 2), ("left", "right", -2))
# A crooked move of more steps than this is too long a row of legs.
_MAX_CROOKED_STEPS = 8
# A circular piece is home again on its eighth step.
_STEPS_OF_CIRCLE = 8


def spans_of_feature(feature: str, span: Span, source: Source) -> tuple[Span, ...]:
    r"""Where the text tells something: of Betza that is "embedded", the mark before it as well.

    >>> spans_of_feature("embedded", Span(3, 5), Source(r"m(\oR)"))
    (Span(start=2, end=5),)
    """
    mark = source.text.rfind("\\", 0, span.start)
    between = source.text[mark + 1 : span.start]
    if feature != "embedded" or mark < 0 or "&" in between or " " in between:
        return ()
    return (Span(mark, span.end),)


def spell_option(option: movements.Option) -> tuple[nodes.HasinuTerm, ...] | None:
    """The terms for one option of a movement, or None where there is no direct form.

    >>> from alfil.notation.hasinu.writer import write_hasinu
    >>> from alfil.notation.description import Description
    >>> way = movements.Leg(((0, 1),), "any", movements.MOVE_ONLY)
    >>> option = movements.Option(way, (movements.OnMove(1),))
    >>> write_hasinu(Description(spell_option(option), "hasinu"))
    'atmove(1,m(n1dN))'
    """
    moves = None if option.passer else _way_terms(option.way)
    return None if moves is None else _with_timing(moves, option.when)


def hop_superset_terms(option: movements.Option) -> tuple[nodes.HasinuTerm, ...] | None:
    """The moves of a hop over one piece, which here need not hop: they are all its moves, and more.

    None for anything else.
    """
    match option:
        case movements.Option(movements.Leg(hop="beyond", edges="walls") as hop, passer=False):
            runs = _way_terms(replace(hop, hop="none", ends=movements.MOVE_OR_CAPTURE))
            land = LANDING_FUNCTIONS_BY_ENDS.get(hop.ends)
            if runs is None or land is None:
                return None
            moves = [
                with_landing_functions(make_call_around("j", run, nodes.Number(1)), land)
                for run in runs
            ]
            return _with_timing(moves, option.when)
        case _:
            return None


def blockable_leap_terms(option: movements.Option) -> tuple[nodes.HasinuTerm, ...] | None:
    """The moves of a leap that can be blocked, under ``nj``; None for anything else."""
    match option.way:
        case movements.Leg(between="empty") as leap:
            way = movements.Within(movements.NotJumping(), replace(leap, between="anything"))
            return spell_option(replace(option, way=way))
        case _:
            return None


def _with_timing(
    moves: Sequence[nodes.HasinuTerm], when: Sequence[movements.When]
) -> tuple[nodes.HasinuTerm, ...] | None:
    for each in reversed(when):
        if isinstance(each, movements.ThirdRank | movements.OnSquare):
            return None
        turn = isinstance(each, movements.EveryMove) and each.of == "side"
        name = "atmove" if turn or isinstance(each, movements.OnMove) else "ataction"
        more = (nodes.Name(lexicon.TURN_KEYWORD),) if turn else ()
        moves = [nodes.Call(name, (nodes.Number(each.number), move, *more)) for move in moves]
    return tuple(moves)


def _way_terms(way: movements.Way) -> Sequence[nodes.HasinuTerm] | None:
    """The moves of a way, None where there is no direct form."""
    match way:
        case movements.Leg():
            return _leg_terms(way)
        case movements.Anywhere(files=files, ranks=ranks, ends=ends):
            sizes = [
                nodes.Number(LONGEST_STEP if each is None else each) for each in (files, ranks)
            ]
            return _with_ends([nodes.Call("INF", tuple(sizes))], ends)
        case movements.Either(ways=ways):
            result = [_way_terms(each) for each in ways]
            return None if None in result else [move for moves in result for move in moves or ()]
        case movements.Then():
            return _sequence_terms(way)
        case movements.Repeat():
            return _repeat_terms(way)
        case movements.Within(rule=rule, way=inner):
            moves = _way_terms(inner)
            return None if moves is None else [_call_for_rule(rule, move) for move in moves]
        case _:
            return None


def _with_ends(
    moves: Sequence[nodes.HasinuTerm], ends: tuple[movements.End, ...]
) -> list[nodes.HasinuTerm] | None:
    land = LANDING_FUNCTIONS_BY_ENDS.get(movements.away_as_empty(ends))
    return None if land is None else [with_landing_functions(move, land) for move in moves]


def _leg_terms(way: movements.Leg) -> Sequence[nodes.HasinuTerm] | None:
    plain = way.edges == "walls" and way.hop == "none"
    limited = way.lengths in movements.BOARD_DEPENDENT_LENGTHS
    if _passes_anything(way) and plain and way.steps and not limited:
        runs = _run_terms(way.steps, _normalised_lengths(way))
        return _with_ends([make_call_around("j", run) for run in runs], way.ends)
    if (
        not plain
        or way.along != ("empty",)
        or way.skips_first
        or way.as_far
        or limited
        or not way.steps
    ):
        return None
    lengths = _normalised_lengths(way)
    if way.between == "anything":
        return _with_ends(_run_terms(way.steps, lengths), way.ends)
    lame = _lame_terms(way.steps, lengths) if way.between == "empty" else None
    return None if lame is None else _with_ends(lame, way.ends)


def _passes_anything(way: movements.Way) -> bool:
    """Whether a way is a run that passes whatever stands on the squares before its last."""
    return isinstance(way, movements.Leg) and way.along == PASS_ANYTHING and not way.skips_first


def _normalised_lengths(way: movements.Leg) -> Lengths:
    """How many steps; more than any board has room for is any number."""
    if isinstance(way.lengths, str):
        return ()
    shortest = min(max(abs(x), abs(y)) for x, y in way.steps)
    endless = way.lengths == tuple(range(1, len(way.lengths) + 1))
    return () if endless and way.lengths[-1] * shortest >= LONGEST_STEP else way.lengths


def _call_for_rule(rule: movements.Rule, move: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """A move inside the function for a rule."""
    match rule:
        case movements.Only(what="moving"):
            return make_call_around("m", move)
        case movements.Only():
            return make_call_around("c", move)
        case movements.NotJumping(side=side):
            return make_call_around("nj", move, nodes.Name(_FLAG_BY_SIDE[side]))
        case movements.Jumping(side=side, most=most):
            counts = () if most is None else (nodes.Number(most),)
            return make_call_around("j", move, nodes.Name(_FLAG_BY_SIDE[side]), *counts)
        case movements.Rampage(side=side, farthest=farthest):
            greed = (nodes.Name("G"),) if farthest else ()
            return make_call_around("rpg", move, nodes.Name(_FLAG_BY_SIDE[side]), *greed)
        case _:
            return make_call_around("i", move, nodes.Name(_FLAG_BY_SIDE[rule.side]))


def _sequence_terms(way: movements.Then) -> Sequence[nodes.HasinuTerm] | None:
    match way:
        case movements.Then(
            (movements.Leg() as first, movements.Repeat(optional=True) as again),
            (join,),
            None,
            None,
        ):
            return _merge_first_step_into_repeat(first, join, again)
    turns = [join.turn for join in way.joins] + ([way.onward] if way.onward else [])
    if any(map(_passes_anything, way.ways)):
        # Such moves have no other form; what bends outward is any turn of the angles there are.
        turns = [OUTWARD if turn in OUTWARD_BENDS else turn for turn in turns]
    legs = [_single_term(each) for each in way.ways]
    angles = [turn for turn in turns if isinstance(turn, movements.Angle)]
    stops = all(join.may_stop for join in way.joins)
    if way.only is not None or not stops or len(angles) < len(turns) or None in legs:
        return None
    return [
        nodes.Bent(tuple(leg for leg in legs if leg is not None), tuple(map(make_turn, angles)))
    ]


def _single_term(way: movements.Way) -> nodes.HasinuTerm | None:
    """A way as one move."""
    moves = _way_terms(way)
    if not moves:
        return None
    return moves[0] if len(moves) == 1 else nodes.Union(tuple(moves))


def _repeat_terms(way: movements.Repeat) -> Sequence[nodes.HasinuTerm] | None:
    times = () if way.times == "any" else way.times
    match way:
        case movements.Repeat(
            movements.Then((movements.Leg() as step,), (), movements.Bend(None, sense)),
            optional=False,
        ) if sense != "any":
            return _crooked_or_circular_terms(step, sense, max(times or (0,)))
    body = None if way.optional else _single_term(way.way)
    return None if body is None else [nodes.Loop(make_distance(times), body)]


def _merge_first_step_into_repeat(
    first: movements.Leg, join: movements.Join, again: movements.Repeat
) -> Sequence[nodes.HasinuTerm] | None:
    """A first step and then others as one repeat of both, where these do not differ."""
    match again.way:
        case movements.Then((movements.Leg() as step,), (), movements.Bend(None, sense)) if (
            sense != "any"
        ):
            alike = replace(first, ends=step.ends, through=step.through, along=step.along)
            others = (
                replace(alike, steps=step.steps) != step
                or movements.away_as_empty(step.ends) != first.ends
            )
            if others or join != movements.Join(movements.Bend(None, sense), may_stop=False):
                return None
            rounds = 0 if again.times == "any" else max(again.times) + 1
            return _crooked_or_circular_terms(first, sense, rounds)
        case _:
            return None


def _crooked_or_circular_terms(
    step: movements.Leg, sense: Literal["any", "same", "other"], most: int
) -> Sequence[nodes.HasinuTerm] | None:
    """Steps that bend each time, to one side or to the other; ``most`` 0 is any number."""
    if _leg_terms(step) is None or step.between != "anything" or step.lengths != (1,):
        return None
    if sense == "same":
        moves = _circular_rider_terms(step.steps, most)
    elif most <= _MAX_CROOKED_STEPS:
        moves = [
            move
            for each in _vectors_by_kind(step.steps).values()
            for move in _crooked_rider_terms(each, most)
        ]
    else:
        return None
    return None if moves is None else _with_ends(moves, step.ends)


def _crooked_rider_terms(vectors: list[Vector], most: int) -> Iterator[nodes.HasinuTerm]:
    straight = make_leg(vectors, ONE_STEP)
    # Between two obliques the smaller of two angles that mean the same octant.
    size = _RIGHT_ANGLE - is_oblique(vectors[0])
    if 0 < most <= len(_ZIGZAG_HANDS):
        across = make_leg(
            [rotate_vector(vector, side) for vector in vectors for side in (2, -2)], ONE_STEP
        )
        yield (nodes.Bent((straight, across), (make_turn(Angle(size)),)) if most > 1 else straight)
        return
    for hand, other, eighths in _ZIGZAG_HANDS:
        across = make_leg([rotate_vector(vector, eighths) for vector in vectors], ONE_STEP)
        there, back = (make_turn(Angle(size, each)) for each in (hand, other))
        if not most:
            yield nodes.Loop(make_distance(()), nodes.Bent((straight, across), (there, back)))
        else:
            legs = tuple((straight, across)[at % 2] for at in range(most))
            yield nodes.Bent(legs, tuple((there, back)[at % 2] for at in range(most - 1)))


def _circular_rider_terms(vectors: Sequence[Vector], most: int) -> list[nodes.HasinuTerm] | None:
    """One of eight directions on at each step, always to the same side."""
    ((p, q), *others) = _vectors_by_kind(vectors)
    if others or not (p or q == 1):
        return None
    size = 1 if p else 2
    lengths = tuple(range(1, most + 1)) if most < _STEPS_OF_CIRCLE - 1 else ()
    ring = [rotate_vector(vectors[0], eighths) for eighths in range(_STEPS_OF_CIRCLE)]
    if len(vectors) == _STEPS_OF_CIRCLE:
        return [
            nodes.Loop(
                make_distance(lengths),
                nodes.Bent((make_leg(ring, ONE_STEP),), (make_turn(Angle(size)),)),
            )
        ]
    if lengths == ONE_STEP:
        return [make_leg(vectors, ONE_STEP)]
    rest = lengths[:-1]
    moves: list[nodes.HasinuTerm] = []
    for hand, _, _ in _ZIGZAG_HANDS:
        bend = make_turn(Angle(size, hand))
        again = nodes.Loop(make_distance(rest), nodes.Bent((make_leg(ring, ONE_STEP),), (bend,)))
        moves.append(nodes.Bent((make_leg(vectors, ONE_STEP), again), (bend,)))
    return moves


def _vectors_by_kind(vectors: Sequence[Vector]) -> dict[StepKind, list[Vector]]:
    kinds: dict[StepKind, list[Vector]] = {}
    for vector in vectors:
        kinds.setdefault(step_kind(vector), []).append(vector)
    return kinds


def _run_terms(vectors: Sequence[Vector], lengths: Lengths) -> list[nodes.HasinuTerm]:
    return [make_leg(each, lengths) for each in _vectors_by_kind(vectors).values()]


def _lame_terms(vectors: Sequence[Vector], lengths: Lengths) -> list[nodes.HasinuTerm] | None:
    """Leaps that may be blocked: in a straight line Ħasínū's own, from one square on a trail."""
    moves: list[nodes.HasinuTerm] = []
    for (p, q), alike in _vectors_by_kind(vectors).items():
        if p or q == 1:
            return None
        step = make_radial({(x // q, y // q) for x, y in alike}, (q,))
        moves.append(step if lengths == ONE_STEP else _repeat_in_line(step, lengths))
    return moves


def step_kind(vector: Vector) -> StepKind:
    """The shape of a step.

    >>> step_kind((-2, 1)), step_kind((2, -2)), step_kind((0, 3))
    ((1, 2), (0, 2), (0, 3))
    """
    p, q = base_vector(vector)
    return (p, q) if is_oblique(vector) else (0, q)


def make_leg(vectors: Collection[Vector], lengths: Lengths) -> nodes.HasinuTerm:
    """A run, a leap or a rider along vectors of one kind.

    >>> from alfil.notation.hasinu.writer import write_hasinu
    >>> from alfil.notation.description import Description
    >>> moves = (make_leg({(0, 1)}, ()), make_leg({(0, 2), (2, 2)}, (1,)),
    ...  make_leg({(1, 2)}, (1, 2)))
    >>> write_hasinu(Description(moves, "hasinu"))
    'n1dN & j(2×2dN-NE) & {1,2}×(1,2)b'
    """
    p, q = step_kind(next(iter(vectors)))
    if p:
        return make_oblique(vectors, lengths)
    if q == 1:
        return make_radial(vectors, lengths)
    leap = make_call_around("j", make_radial({(x // q, y // q) for x, y in vectors}, (q,)))
    return leap if lengths == ONE_STEP else _repeat_in_line(leap, lengths)


def make_radial(vectors: Collection[Vector], lengths: Lengths) -> nodes.Radial:
    """A radial move of so many cells along single steps."""
    return nodes.Radial(make_distance(lengths), tuple(step for step in COMPASS if step in vectors))


def make_oblique(vectors: Collection[Vector], lengths: Lengths) -> nodes.Oblique:
    """An oblique move of so many leaps along the images of one."""
    p, q = base_vector(next(iter(vectors)))
    chosen = tuple(leap for leap in lexicon.oblique_leaps(p, q, "") if leap in vectors)
    return nodes.Oblique(chosen, None if lengths == ONE_STEP else make_distance(lengths))


def make_distance(lengths: Lengths) -> nodes.Distance:
    """The distance of so many steps."""
    return nodes.Distance(lengths, braced=len(lengths) > 1)


def make_turn(angle: movements.Angle) -> nodes.Turn:
    """``&t`` with an angle, or without one."""
    size = angle.sixteenths
    return nodes.Turn(
        size,
        _SIGN_BY_HAND[angle.hand],
        angle.degrees if size is None else lexicon.degrees_text(size),
    )


def _repeat_in_line(step: nodes.HasinuTerm, lengths: Lengths) -> nodes.Loop:
    """A step repeated in line."""
    return nodes.Loop(make_distance(lengths), nodes.Bent((step,), (make_turn(Angle(0)),)))


# The functions that state what a piece does to others.
EFFECT_FUNCTIONS = tuple(name for name, row in lexicon.FUNCTIONS.items() if row.kind == "effect")


def make_call_around(
    name: str, move: nodes.HasinuTerm, *others: nodes.Name | nodes.Number
) -> nodes.Call:
    """A function around a move."""
    return nodes.Call(name, (move, *others))


def make_lion_move(files: int, ranks: int) -> nodes.Call:
    """The lion of an area."""
    return nodes.Call("INF", (nodes.Number(files), nodes.Number(ranks), nodes.Name(lexicon.LION)))


def with_landing_functions(move: nodes.HasinuTerm, land: LandingFunctions) -> nodes.HasinuTerm:
    """The move with the functions that say how it may end; one that may not is an early leg."""
    match land:
        case "":
            return make_call_around("m", make_call_around("c", move))
        case "mcF":
            return make_call_around("rpg", move, nodes.Name("FE"))
        case "cF":
            return make_call_around("c", with_landing_functions(move, "mcF"))
        case "m" | "c":
            return make_call_around(land, move)
        case "iE":
            return make_call_around("i", move)
        case "iF" | "iFE":
            return make_call_around("i", move, nodes.Name(land[1:]))
        case _:
            return move


def has_function_call(terms: Iterable[nodes.HasinuTerm]) -> bool:
    """Whether some function stands in the moves, so that there may be a plainer form."""
    return any(isinstance(node, nodes.Call) for node in nodes.walk(terms))


def as_first_moves(terms: Iterable[nodes.HasinuTerm]) -> tuple[nodes.HasinuTerm, ...]:
    """The moves as moves of a piece that has not moved."""
    return tuple(nodes.Call("atmove", (nodes.Number(1), term)) for term in terms)
