"""From a movement to a Ħasínū tree, where it has direct words for it, and its smallest pieces.

What has none is looked for from the automaton; see `alfil.translation`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from alfil.geometry import COMPASS, REACH, Vector, base_of, is_oblique, turned
from alfil.movement import nodes as movements
from alfil.movement.nodes import ONCE, Angle
from alfil.notation.hasinu import lexicon, nodes
from alfil.source import Source, Span

# How many steps: these numbers; none is any number from 1.
Lengths: TypeAlias = tuple[int, ...]
# How a leg may end a move: "" not at all, by moving or capturing, one of the two, the same with its
# own side among what it captures, or by a shot from home at a side.
Land: TypeAlias = Literal["", "mc", "m", "c", "mcF", "cF", "iE", "iF", "iFE"]
# The shape of a step whatever its direction: (0, k) for k squares straight or diagonally.
Kind: TypeAlias = tuple[int, int]
Hand: TypeAlias = Literal["either", "right", "left"]

# How moves end, in the words of functions.
LANDS: dict[tuple[movements.End, ...], Land] = {
    movements.MOVE_OR_CAPTURE: "mc",
    movements.MOVE: "m",
    movements.CAPTURE: "c",
    (*movements.MOVE_OR_CAPTURE, "friend"): "mcF",
    (*movements.CAPTURE, "friend"): "cF",
}
_SIDES: dict[movements.Side, str] = {"friends": "F", "enemies": "E", "all": "FE"}
_SIGNS = {hand: sign for sign, hand in lexicon.HANDS.items()}
# Turns in sixteenths of a circle.
_QUARTER = 4
# The two ways to begin a crooked move: the first turn, the second, and the first in eighths.
_HANDS: tuple[tuple[Hand, Hand, int], ...] = (("right", "left", 2), ("left", "right", -2))
# A crooked move of more steps than this is too long a row of legs.
_MOST_CROOKED = 8
# A circular piece is home again on its eighth step.
_CIRCLE = 8


def places_of(what: str, span: Span, source: Source) -> tuple[Span, ...]:
    r"""Where the text tells something: of Betza that is "embedded", the mark before it as well.

    >>> places_of("embedded", Span(3, 5), Source(r"m(\oR)"))
    (Span(start=2, end=5),)
    """
    mark = source.text.rfind("\\", 0, span.start)
    between = source.text[mark + 1 : span.start]
    if what != "embedded" or mark < 0 or "&" in between or " " in between:
        return ()
    return (Span(mark, span.end),)


def spelled(option: movements.Option) -> tuple[nodes.HasinuTerm, ...] | None:
    """The terms for one option of a movement, or None where there is no direct form.

    >>> from alfil.notation.hasinu.writer import write_hasinu
    >>> from alfil.notation.nodes import Description
    >>> way = movements.Leg(((0, 1),), "any", movements.MOVE)
    >>> option = movements.Option(way, (movements.OnMove(1),))
    >>> write_hasinu(Description(spelled(option), "hasinu"))
    'atmove(1,m(n1dN))'
    """
    moves = None if option.passer else _moves(option.way)
    return None if moves is None else _timed(moves, option.when)


def over_one(option: movements.Option) -> tuple[nodes.HasinuTerm, ...] | None:
    """The moves of a hop over one piece, which here need not hop: they are all its moves, and more.

    None for anything else.
    """
    match option:
        case movements.Option(movements.Leg(hop="beyond", edges="walls") as hop, passer=False):
            runs = _moves(replace(hop, hop="none", ends=movements.MOVE_OR_CAPTURE))
            land = LANDS.get(hop.ends)
            if runs is None or land is None:
                return None
            moves = [landing(called("j", run, nodes.Number(1)), land) for run in runs]
            return _timed(moves, option.when)
        case _:
            return None


def blocked(option: movements.Option) -> tuple[nodes.HasinuTerm, ...] | None:
    """The moves of a leap that can be blocked, under ``nj``; None for anything else."""
    match option.way:
        case movements.Leg(between="empty") as leap:
            way = movements.Within(movements.NotJumping(), replace(leap, between="anything"))
            return spelled(replace(option, way=way))
        case _:
            return None


def _timed(
    moves: Sequence[nodes.HasinuTerm], when: Sequence[movements.When]
) -> tuple[nodes.HasinuTerm, ...] | None:
    for each in reversed(when):
        if isinstance(each, movements.ThirdRank | movements.OnSquare):
            return None
        turn = isinstance(each, movements.EveryMove) and each.of == "side"
        name = "atmove" if turn or isinstance(each, movements.OnMove) else "ataction"
        more = (nodes.Name(lexicon.TURN),) if turn else ()
        moves = [nodes.Call(name, (nodes.Number(each.number), move, *more)) for move in moves]
    return tuple(moves)


def _moves(way: movements.Way) -> Sequence[nodes.HasinuTerm] | None:
    """The moves of a way, None where there is no direct form."""
    match way:
        case movements.Leg():
            return _leg(way)
        case movements.Anywhere(files=int() as files, ranks=int() as ranks, ends=ends):
            return _ended([nodes.Call("INF", (nodes.Number(files), nodes.Number(ranks)))], ends)
        case movements.Either(ways=ways):
            found = [_moves(each) for each in ways]
            return None if None in found else [move for moves in found for move in moves or ()]
        case movements.Then():
            return _then(way)
        case movements.Repeat():
            return _repeat(way)
        case movements.Within(rule=rule, way=inner):
            moves = _moves(inner)
            return None if moves is None else [_under(rule, move) for move in moves]
        case _:
            return None


def _ended(
    moves: Sequence[nodes.HasinuTerm], ends: tuple[movements.End, ...]
) -> list[nodes.HasinuTerm] | None:
    land = LANDS.get(_plain(ends))
    return None if land is None else [landing(move, land) for move in moves]


def _plain(ends: Iterable[movements.End]) -> tuple[movements.End, ...]:
    return tuple("empty" if end == "away" else end for end in ends)


def _leg(way: movements.Leg) -> Sequence[nodes.HasinuTerm] | None:
    plain = way.edges == "walls" and way.hop == "none" and way.along == ("empty",)
    limited = way.lengths in movements.LIMITED
    if not plain or way.skips_first or way.as_far or limited or not way.steps:
        return None
    lengths = _lengths(way)
    if way.between == "anything":
        return _ended(_runs(way.steps, lengths), way.ends)
    lame = _lame(way.steps, lengths) if way.between == "empty" else None
    return None if lame is None else _ended(lame, way.ends)


def _lengths(way: movements.Leg) -> Lengths:
    """How many steps; more than any board has room for is any number."""
    if isinstance(way.lengths, str):
        return ()
    shortest = min(max(abs(x), abs(y)) for x, y in way.steps)
    endless = way.lengths == tuple(range(1, len(way.lengths) + 1))
    return () if endless and way.lengths[-1] * shortest >= REACH else way.lengths


def _under(rule: movements.Rule, move: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """A move inside the function for a rule."""
    match rule:
        case movements.Only(what="moving"):
            return called("m", move)
        case movements.Only():
            return called("c", move)
        case movements.NotJumping(side=side):
            return called("nj", move, nodes.Name(_SIDES[side]))
        case movements.Jumping(side=side, most=most):
            counts = () if most is None else (nodes.Number(most),)
            return called("j", move, nodes.Name(_SIDES[side]), *counts)
        case movements.Rampage(side=side, farthest=farthest):
            greed = (nodes.Name("G"),) if farthest else ()
            return called("rpg", move, nodes.Name(_SIDES[side]), *greed)
        case _:
            return called("i", move, nodes.Name(_SIDES[rule.side]))


def _then(way: movements.Then) -> Sequence[nodes.HasinuTerm] | None:
    match way:
        case movements.Then(
            (movements.Leg() as first, movements.Repeat(optional=True) as again),
            (join,),
            None,
            None,
        ):
            return _begun(first, join, again)
    turns = [join.turn for join in way.joins] + ([way.onward] if way.onward else [])
    legs = [_one(each) for each in way.ways]
    angles = [turn for turn in turns if isinstance(turn, movements.Angle)]
    stops = all(join.may_stop for join in way.joins)
    if way.only is not None or not stops or len(angles) < len(turns) or None in legs:
        return None
    return [
        nodes.Bent(
            tuple(leg for leg in legs if leg is not None),
            tuple(map(turn, angles)),
        )
    ]


def _one(way: movements.Way) -> nodes.HasinuTerm | None:
    """A way as one move."""
    moves = _moves(way)
    if not moves:
        return None
    return moves[0] if len(moves) == 1 else nodes.Union(tuple(moves))


def _repeat(way: movements.Repeat) -> Sequence[nodes.HasinuTerm] | None:
    times = () if way.times == "any" else way.times
    match way:
        case movements.Repeat(
            movements.Then((movements.Leg() as step,), (), movements.Bend(None, sense)),
            optional=False,
        ) if sense != "any":
            return _wheeling(step, sense, max(times or (0,)))
    body = None if way.optional else _one(way.way)
    return None if body is None else [nodes.Loop(distance(times), body)]


def _begun(
    first: movements.Leg, join: movements.Join, again: movements.Repeat
) -> Sequence[nodes.HasinuTerm] | None:
    """A first step and then others as one repeat of both, where these do not differ."""
    match again.way:
        case movements.Then((movements.Leg() as step,), (), movements.Bend(None, sense)) if (
            sense != "any"
        ):
            alike = replace(first, ends=step.ends, through=step.through, along=step.along)
            others = replace(alike, steps=step.steps) != step or _plain(step.ends) != first.ends
            if others or join != movements.Join(movements.Bend(None, sense), may_stop=False):
                return None
            rounds = 0 if again.times == "any" else max(again.times) + 1
            return _wheeling(first, sense, rounds)
        case _:
            return None


def _wheeling(
    step: movements.Leg, sense: Literal["any", "same", "other"], most: int
) -> Sequence[nodes.HasinuTerm] | None:
    """Steps that bend each time, to one side or to the other; ``most`` 0 is any number."""
    if _leg(step) is None or step.between != "anything" or step.lengths != (1,):
        return None
    if sense == "same":
        moves = _circular(step.steps, most)
    elif most <= _MOST_CROOKED:
        moves = [move for each in _by_kind(step.steps).values() for move in _zigzag(each, most)]
    else:
        return None
    return None if moves is None else _ended(moves, step.ends)


def _zigzag(vectors: list[Vector], most: int) -> Iterator[nodes.HasinuTerm]:
    straight = leg(vectors, ONCE)
    # Between two obliques the smaller of two angles that mean the same octant.
    size = _QUARTER - is_oblique(vectors[0])
    if 0 < most <= len(_HANDS):
        across = leg([turned(vector, side) for vector in vectors for side in (2, -2)], ONCE)
        yield (nodes.Bent((straight, across), (turn(Angle(size)),)) if most > 1 else straight)
        return
    for hand, other, eighths in _HANDS:
        across = leg([turned(vector, eighths) for vector in vectors], ONCE)
        there, back = (turn(Angle(size, each)) for each in (hand, other))
        if not most:
            yield nodes.Loop(distance(()), nodes.Bent((straight, across), (there, back)))
        else:
            legs = tuple((straight, across)[at % 2] for at in range(most))
            yield nodes.Bent(legs, tuple((there, back)[at % 2] for at in range(most - 1)))


def _circular(vectors: Sequence[Vector], most: int) -> list[nodes.HasinuTerm] | None:
    """One of eight directions on at each step, always to the same side."""
    ((p, q), *others) = _by_kind(vectors)
    if others or not (p or q == 1):
        return None
    size = 1 if p else 2
    lengths = tuple(range(1, most + 1)) if most < _CIRCLE - 1 else ()
    ring = [turned(vectors[0], eighths) for eighths in range(_CIRCLE)]
    if len(vectors) == _CIRCLE:
        return [
            nodes.Loop(
                distance(lengths),
                nodes.Bent((leg(ring, ONCE),), (turn(Angle(size)),)),
            )
        ]
    if lengths == ONCE:
        return [leg(vectors, ONCE)]
    rest = lengths[:-1]
    moves: list[nodes.HasinuTerm] = []
    for hand, _, _ in _HANDS:
        bend = turn(Angle(size, hand))
        again = nodes.Loop(distance(rest), nodes.Bent((leg(ring, ONCE),), (bend,)))
        moves.append(nodes.Bent((leg(vectors, ONCE), again), (bend,)))
    return moves


def _by_kind(vectors: Sequence[Vector]) -> dict[Kind, list[Vector]]:
    kinds: dict[Kind, list[Vector]] = {}
    for vector in vectors:
        kinds.setdefault(kind_of(vector), []).append(vector)
    return kinds


def _runs(vectors: Sequence[Vector], lengths: Lengths) -> list[nodes.HasinuTerm]:
    return [leg(each, lengths) for each in _by_kind(vectors).values()]


def _lame(vectors: Sequence[Vector], lengths: Lengths) -> list[nodes.HasinuTerm] | None:
    """Leaps that may be blocked: in a straight line Ħasínū's own, from one square on a trail."""
    moves: list[nodes.HasinuTerm] = []
    for (p, q), alike in _by_kind(vectors).items():
        if p or q == 1:
            return None
        step = radial({(x // q, y // q) for x, y in alike}, (q,))
        moves.append(step if lengths == ONCE else _straight_on(step, lengths))
    return moves


def kind_of(vector: Vector) -> Kind:
    """The shape of a step.

    >>> kind_of((-2, 1)), kind_of((2, -2)), kind_of((0, 3))
    ((1, 2), (0, 2), (0, 3))
    """
    p, q = base_of(vector)
    return (p, q) if is_oblique(vector) else (0, q)


def leg(vectors: Collection[Vector], lengths: Lengths) -> nodes.HasinuTerm:
    """A run, a leap or a rider along vectors of one kind.

    >>> from alfil.notation.hasinu.writer import write_hasinu
    >>> from alfil.notation.nodes import Description
    >>> moves = (leg({(0, 1)}, ()), leg({(0, 2), (2, 2)}, (1,)), leg({(1, 2)}, (1, 2)))
    >>> write_hasinu(Description(moves, "hasinu"))
    'n1dN & j(2×2dN-NE) & {1,2}×(1,2)b'
    """
    p, q = kind_of(next(iter(vectors)))
    if p:
        return oblique(vectors, lengths)
    if q == 1:
        return radial(vectors, lengths)
    leap = called("j", radial({(x // q, y // q) for x, y in vectors}, (q,)))
    return leap if lengths == ONCE else _straight_on(leap, lengths)


def radial(vectors: Collection[Vector], lengths: Lengths) -> nodes.Radial:
    """A radial move of so many cells along single steps."""
    return nodes.Radial(distance(lengths), tuple(step for step in COMPASS if step in vectors))


def oblique(vectors: Collection[Vector], lengths: Lengths) -> nodes.Oblique:
    """An oblique move of so many leaps along the images of one."""
    p, q = base_of(next(iter(vectors)))
    chosen = tuple(leap for leap in lexicon.leaps(p, q, "") if leap in vectors)
    return nodes.Oblique(chosen, None if lengths == ONCE else distance(lengths))


def distance(lengths: Lengths) -> nodes.Distance:
    """The distance of so many steps."""
    return nodes.Distance(lengths, braced=len(lengths) > 1)


def turn(angle: movements.Angle) -> nodes.Turn:
    """``&t`` with an angle, or without one."""
    size = angle.sixteenths
    return nodes.Turn(
        size, _SIGNS[angle.hand], angle.degrees if size is None else lexicon.degrees(size)
    )


def _straight_on(step: nodes.HasinuTerm, lengths: Lengths) -> nodes.Loop:
    """A step repeated in line."""
    return nodes.Loop(distance(lengths), nodes.Bent((step,), (turn(Angle(0)),)))


# The functions that state what a piece does to others.
EFFECTS = tuple(name for name, row in lexicon.FUNCTIONS.items() if row.kind == "effect")


def called(name: str, move: nodes.HasinuTerm, *others: nodes.Name | nodes.Number) -> nodes.Call:
    """A function around a move."""
    return nodes.Call(name, (move, *others))


def lion(files: int, ranks: int) -> nodes.Call:
    """The lion of an area."""
    return nodes.Call("INF", (nodes.Number(files), nodes.Number(ranks), nodes.Name(lexicon.LION)))


def landing(move: nodes.HasinuTerm, land: Land) -> nodes.HasinuTerm:
    """The move with the functions that say how it may end; one that may not is an early leg."""
    match land:
        case "":
            return called("m", called("c", move))
        case "mcF":
            return called("rpg", move, nodes.Name("FE"))
        case "cF":
            return called("c", landing(move, "mcF"))
        case "m" | "c":
            return called(land, move)
        case "iE":
            return called("i", move)
        case "iF" | "iFE":
            return called("i", move, nodes.Name(land[1:]))
        case _:
            return move


def is_roundabout(terms: Iterable[nodes.HasinuTerm]) -> bool:
    """Whether some leg is there only to be passed, or a leap has such a leg."""
    return any(
        isinstance(node, nodes.Call)
        and (node.name == "nj" or landing(node, "") == nodes.Call("m", (nodes.Call("c", (node,)),)))
        for node in nodes.walk(terms)
    )


def as_first_move(terms: Iterable[nodes.HasinuTerm]) -> tuple[nodes.HasinuTerm, ...]:
    """The moves as moves of a piece that has not moved."""
    return tuple(nodes.Call("atmove", (nodes.Number(1), term)) for term in terms)
