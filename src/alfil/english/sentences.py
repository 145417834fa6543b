"""Moves of several legs as one phrase, and the parts of a description as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TypeAlias

from alfil.english import words
from alfil.english.legs import EMPTY, NEVER, PLAIN, Leaf, passing, phrase, through, whole
from alfil.frozen import NamedTuple
from alfil.geometry import Vector
from alfil.movement.nodes import Passage

# So many single legs make one sentence.
MOST = 4
# Of several rounds, only the last may end where its legs tell that the piece may stop.
EARLY = ", stopping early in the last round only"
# Between conditions, all of which must hold.
AND_ALSO = " and at the same time "

Say: TypeAlias = Callable[[str], str]


def bare(phrase: str) -> str:
    """A phrase as it is, after "may"."""
    return phrase


class Block(NamedTuple):
    """A leg that is made of others, by its words; ``turn`` is how it turns from the leg before."""

    phrase: str
    turn: str = ""


class Rounds(NamedTuple):
    """Legs that are gone through again and again, ``often`` says how many times.

    ``optional`` rounds may be none; ``never``: they keep off the square where the move began;
    ``early``: the last of them may be left before its end.
    """

    route: Route
    often: str
    optional: bool
    never: bool
    early: bool


class Route(NamedTuple):
    """Legs in order; ``stops`` tells of each but the last whether the piece may stop there."""

    legs: tuple[Leaf | Rounds | Block, ...]
    stops: tuple[bool, ...]
    remark: str = ""


Limb: TypeAlias = Leaf | Rounds | Block
Body: TypeAlias = Leaf | Block | Route


class Part(NamedTuple):
    """One way to move: under which conditions, the move, and what it leaves behind.

    A body that is text is a sentence about the piece that is no move.
    """

    guard: tuple[str, ...]
    body: Body | str
    after: str = ""


def route(legs: Sequence[Limb], stops: Sequence[bool], remark: str = "") -> Body:
    """A route; one leg alone is its leaf or block."""
    if len(legs) == 1 and isinstance(legs[0], Leaf | Block) and not remark:
        return legs[0]
    return Route(tuple(legs), tuple(stops), remark)


def told(body: Body, say: Say = bare) -> str:
    """A move in words; ``say`` puts its verbs into form: bare, `words.does` or `words.doing`."""
    match body:
        case Route():
            return _route(body, say)
        case Block():
            return say(body.phrase)
        case _:
            return say(whole(body))


def _route(way: Route, say: Say, *, ends: bool = True) -> str:
    text = ""
    for at, leg in enumerate(way.legs):
        if at and way.stops[at - 1]:
            say = bare  # after "may"
            text += f", and may then, {_from(way.legs[at - 1])}{_turn(leg)}, "
        elif at:
            text += f", then{_turn(leg)} "
        last = at == len(way.stops)
        text += say(_limb(leg, stops=ends if last else way.stops[at]))
    return text + way.remark


def _turn(leg: Limb) -> str:
    return leg.turn if isinstance(leg, Block) else ""


def _from(before: Limb) -> str:
    """What the square must hold from which the way goes on."""
    place = through(_passages(before), left=True)
    none = isinstance(before, Rounds) and before.optional
    return f"with or without these rounds, {place}" if none else place


def _passages(leg: Limb) -> frozenset[Passage]:
    if isinstance(leg, Rounds):
        return _passages(leg.route.legs[-1])
    return leg.through if isinstance(leg, Leaf) else EMPTY


def _limb(leg: Limb, *, stops: bool) -> str:
    match leg:
        case Leaf():
            return phrase(leg) if stops else passing(leg)
        case Block():
            return leg.phrase
        case _:
            return _rounds(leg, stops=stops)


def _rounds(rounds: Rounds, *, stops: bool) -> str:
    text = _route(rounds.route, bare, ends=stops)
    last = rounds.route.legs[-1]
    if stops and isinstance(last, Leaf) and not last.on_empty:
        text += f"; to go on, {through(last.through, left=True)}"
    often = rounds.often + (" or not at all" if rounds.optional and not stops else "")
    how_so = f"{NEVER if rounds.never else ''}{EARLY if rounds.early else ''}"
    return f"repeat {often}{how_so}: ({text})"


def absorbed(parts: Sequence[Part]) -> list[Part]:
    """Parts with a leaf taken into a route that begins with it: the route may stop there then."""
    left = list(parts)
    for part in parts:
        joined = _absorbing(part, left)
        if joined is not None:
            place = min(left.index(part), left.index(joined[0]))
            left = [each for each in left if each not in {part, joined[0]}]
            left.insert(place, joined[1])
    return left


def _absorbing(part: Part, others: Sequence[Part]) -> tuple[Part, Part] | None:
    """The leaf a part begins with, if that is a part too, and the two as one part."""
    way = part.body
    if not isinstance(way, Route) or part.after or way.remark or way.stops[:1] != (False,):
        return None
    first = way.legs[0]
    if not isinstance(first, Leaf) or first.through != EMPTY or isinstance(way.legs[1], Rounds):
        return None
    start = first._replace(land=PLAIN)
    wanted = Part(part.guard, start)
    if wanted not in others:
        return None
    return wanted, Part(part.guard, Route((start, *way.legs[1:]), (True, *way.stops[1:])))


def sentences(parts: Iterable[Part]) -> list[str]:
    """The parts as sentences; single legs that are always allowed share one."""
    found: list[str] = []
    for shared, some in groupby(_settled(parts), _shares):
        clauses = list(map(_clause, some))
        size = MOST if shared else 1
        for at in range(0, len(clauses), size):
            found.append(words.sentence("; ".join(clauses[at : at + size])))
    return found


def _shares(part: Part) -> bool:
    """Whether a part can share a sentence with others."""
    return isinstance(part.body, Leaf) and not part.guard


def _clause(part: Part) -> str:
    when = AND_ALSO.join(part.guard)
    if isinstance(part.body, str):
        return f"{when}: {part.body}" if when else part.body
    if not when:
        return told(part.body, words.does) + part.after
    return f"{when} it may {told(part.body)}{part.after}"


def inline(parts: Iterable[Part]) -> str:
    """The parts inside a sentence, after "may" or "could"; in brackets where commas could mislead.

    >>> inline([Part((), Leaf((1,), ((0, 1),)))])
    'step one square straight forward'
    """
    found: list[str] = []
    for part in _settled(parts):
        text = part.body if isinstance(part.body, str) else told(part.body)
        when = f"{AND_ALSO.join(part.guard)}: " if part.guard else ""
        found.append(f"{when}{text}{part.after}")
    text = "; or ".join(found) or "do nothing"
    return text if len(found) == 1 and "," not in text else f"({text})"


def how(parts: Iterable[Part]) -> str:
    """The parts as the manner in which something else is done."""
    settled = _settled(parts)
    ways: list[str] = []
    for part in settled:
        if part.after or not isinstance(part.body, Leaf) or part.guard:
            return f"if it could {inline(settled)}"
        ways.append(f"by {told(part.body, words.doing)}")
    return ", or ".join(ways) or "if it could do nothing"


def _settled(parts: Iterable[Part]) -> list[Part]:
    """The parts without repetitions, joined where they can be: moves first, facts last."""
    every = list(parts)
    if len(every) == 1:
        return every
    if any(isinstance(part.body, Route) for part in every):
        every = absorbed(list(dict.fromkeys(every)))
    joined = united(every)
    return sorted(joined, key=lambda part: (isinstance(part.body, str), bool(part.guard)))


def united(parts: Iterable[Part]) -> list[Part]:
    """The parts, those that differ only in the directions of their leaves as one."""
    found: dict[tuple[object, ...], tuple[Part, dict[Vector, None]]] = {}
    for part in parts:
        leaf = part.body
        if isinstance(leaf, Leaf):
            size, vectors, *others = leaf
            key = (part.guard, part.after, size, *others)
            found.setdefault(key, (part, {}))[1].update(dict.fromkeys(vectors))
        else:
            found.setdefault(part, (part, {}))
    return [
        part._replace(body=part.body._replace(vectors=tuple(vectors)))
        if isinstance(part.body, Leaf) and len(vectors) != len(part.body.vectors)
        else part
        for part, vectors in found.values()
    ]
