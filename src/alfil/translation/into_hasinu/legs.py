"""Parts of Betza with a direct counterpart in Ħasínū: single legs, and the crooked and circular."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alfil.geometry import REACH, Vector, turned
from alfil.notation.betza.nodes import BetzaTerm, Chain, Leg, Modifiers, Range, Repeat
from alfil.notation.hasinu.nodes import Bent, HasinuTerm, Loop, Number
from alfil.translation.into_hasinu.steps import (
    ONCE,
    STRAIGHT_ON,
    Kind,
    Land,
    Lengths,
    Sign,
    as_first_move,
    called,
    distance,
    kind_of,
    landing,
    leg,
    radial,
    turn,
    up_to,
)

# Letters that change nothing but how a move may end or when it may be made.
_PLAIN = frozenset({"m", "c", "i"})
# Turns in sixteenths of a circle.
_QUARTER = 4
# The two ways to begin a crooked move: the first turn, the second, and the first in eighths.
_HANDS: tuple[tuple[Sign, Sign, int], ...] = (("+", "-", 2), ("-", "+", -2))
# A crooked move of more steps than this is too long a row of legs.
_MOST_CROOKED = 8
# A circular piece is home again on its eighth step.
_CIRCLE = 8


def direct(part: BetzaTerm) -> tuple[HasinuTerm, ...] | None:
    """The moves of a part by the table of translations, or None where the table has none."""
    single = part if isinstance(part, Leg) else _repeated(part)
    if single is None or not single.atom.vectors or single.range.written == "*":
        return None
    modes: set[str] = set(single.modifiers.modes)
    land = _land(modes)
    if land is None:
        return None
    moves = _moves(single, modes - _PLAIN)
    if moves is None:
        return None
    ended = tuple(landing(move, land) for move in moves)
    return as_first_move(ended) if "i" in modes else ended


def hopping(part: BetzaTerm) -> tuple[HasinuTerm, ...] | None:
    """The moves of a part with p that need not hop: they have all of its moves, and more."""
    if not isinstance(part, Leg) or part.range.written == "*":
        return None
    modes: set[str] = set(part.modifiers.modes)
    land = _land(modes)
    if land is None or modes - _PLAIN != {"p"}:
        return None
    runs = _runs(part.vectors, _lengths(part))
    moves = tuple(landing(called("j", run, Number(1)), land) for run in runs)
    return as_first_move(moves) if "i" in modes else moves


def _land(modes: set[str]) -> Land | None:
    """How the moves end; None where Ħasínū has no word for it."""
    if modes & {"d", "e", "k"}:
        return None
    only = modes & {"m", "c"}
    return "mc" if len(only) != 1 else "m" if "m" in only else "c"


def _moves(part: Leg, special: set[str]) -> Sequence[HasinuTerm] | None:
    lengths = _lengths(part)
    if not special:
        return _runs(part.vectors, lengths)
    if special == {"n"}:
        return _lame(part.vectors, lengths)
    if special == {"z"}:
        return list(_crooked(part))
    return _circular(part) if special == {"q"} else None


def _lengths(part: Leg) -> Lengths:
    """How many steps; more than any board has room for is any number."""
    steps = part.range.steps
    shortest = min(max(abs(x), abs(y)) for x, y in part.vectors)
    return up_to(0 if steps * shortest >= REACH else steps)


def _by_kind(vectors: Sequence[Vector]) -> dict[Kind, list[Vector]]:
    kinds: dict[Kind, list[Vector]] = {}
    for vector in vectors:
        kinds.setdefault(kind_of(vector), []).append(vector)
    return kinds


def _runs(vectors: Sequence[Vector], lengths: Lengths) -> list[HasinuTerm]:
    return [leg(each, lengths) for each in _by_kind(vectors).values()]


def _lame(vectors: Sequence[Vector], lengths: Lengths) -> list[HasinuTerm] | None:
    """Leaps that may be blocked: in a straight line Ħasínū's own, from one square on a trail."""
    ((p, q),) = _by_kind(vectors)
    if p or q == 1:
        return None
    step = radial({(x // q, y // q) for x, y in vectors}, (q,))
    if lengths == ONCE:
        return [step]
    return [Loop(distance(lengths), Bent((step,), (STRAIGHT_ON,)))]


def _repeated(part: BetzaTerm) -> Leg | None:
    """A chain such as (az)F as the single leg it repeats: zF."""
    match part:
        case Chain(first=first, rest=(Repeat(legs=(again,)) as repeat,)) if not part.atom.slides:
            extra = set(again.modifiers.modes) - set(first.modes)
            alike = set(first.modes) - {"i"} <= set(again.modifiers.modes)
            if len(extra) == 1 and extra <= {"z", "q"} and alike and again.turns is None:
                modes = (*first.modes, *extra)
                steps = repeat.limit + 1 if repeat.limit else 0
                reach = Range(steps, str(steps))
                return Leg(Modifiers((), modes), part.atom, reach, part.vectors)
    return None


def _crooked(part: Leg) -> Iterator[HasinuTerm]:
    """A right angle at each step, now to one side and now to the other."""
    most = part.range.steps if part.range.written else 0
    if most <= _MOST_CROOKED:
        for vectors in _by_kind(part.vectors).values():
            yield from _zigzag(vectors, most)


def _zigzag(vectors: list[Vector], most: int) -> Iterator[HasinuTerm]:
    straight = leg(vectors, ONCE)
    if 0 < most <= len(_HANDS):
        across = leg(_all_around(vectors, 2), ONCE)
        yield Bent((straight, across), (turn(_QUARTER),)) if most > 1 else straight
        return
    for sign, other, eighths in _HANDS:
        across = leg([turned(vector, eighths) for vector in vectors], ONCE)
        there, back = turn(_QUARTER, sign), turn(_QUARTER, other)
        if not most:
            yield Loop(distance(None), Bent((straight, across), (there, back)))
        else:
            legs = tuple((straight, across)[at % 2] for at in range(most))
            yield Bent(legs, tuple((there, back)[at % 2] for at in range(most - 1)))


def _all_around(vectors: list[Vector], eighths: int) -> list[Vector]:
    return [turned(vector, sign * eighths) for vector in vectors for sign in (1, -1)]


def _circular(part: Leg) -> list[HasinuTerm] | None:
    """Half a right angle at each step, always to the same side: round for oblique leaps."""
    most = part.range.steps if part.range.written else 0
    ((p, _), *others) = _by_kind(part.vectors)
    if others or not p:
        return None
    lengths = up_to(most if most < _CIRCLE else 0)
    every = len(part.vectors) == _CIRCLE
    ring = [turned(part.vectors[0], eighths) for eighths in range(_CIRCLE)]
    if every:
        return [Loop(distance(lengths), Bent((leg(ring, ONCE),), (turn(1),)))]
    if lengths == ONCE:
        return [leg(part.vectors, ONCE)]
    rest = up_to(len(lengths) - 1) if lengths else None
    moves: list[HasinuTerm] = []
    for sign, _, _ in _HANDS:
        bend = turn(1, sign)
        again = Loop(distance(rest), Bent((leg(ring, ONCE),), (bend,)))
        moves.append(Bent((leg(part.vectors, ONCE), again), (bend,)))
    return moves
