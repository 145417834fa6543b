"""Moves of several legs as one phrase, and the parts a description is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from alfil.geometry import Vector
from alfil.notation.english import words
from alfil.notation.english.leaves import (
    MOVE_OR_CAPTURE,
    Leaf,
    Special,
    often,
    passing,
    phrase,
    through,
    whole,
)

HOPS = {
    "p": ", jumping over exactly one piece and landing anywhere beyond it",
    "g": ", jumping over exactly one piece and landing right behind it",
}
EMPTY_ONLY = frozenset("my")
# So many single legs make one sentence.
MOST = 4

Say: TypeAlias = Callable[[str], str]


def bare(phrase: str) -> str:
    """A phrase as it is, after "may"."""
    return phrase


class Step(NamedTuple):
    """One leg: its leaf, with what it may end on, and the letters of what it may go on from."""

    leaf: Leaf | Special
    passes: frozenset[str] = frozenset()

    def ending(self) -> str:
        """The leg as one the piece may stop after."""
        hops = tuple(text for letter, text in HOPS.items() if letter in self.passes)
        return phrase(self.leaf._replace(manner=self.leaf.manner + hops))

    def passing(self) -> str:
        """The leg as one the piece goes on from."""
        return passing(self.leaf, self.passes)

    @property
    def on_empty(self) -> bool:
        """Whether the path goes on from an empty square and nothing else."""
        return self.passes <= EMPTY_ONLY


class Rounds(NamedTuple):
    """Legs that are gone through again and again, at most ``limit`` times (0: no limit).

    ``optional`` rounds may be none. ``final`` is the last leg of the last round where it differs.
    """

    legs: tuple[Step, ...]
    limit: int
    optional: bool = True
    final: Step | None = None

    @property
    def last(self) -> Step:
        """The leg the rounds end with."""
        return self.final or self.legs[-1]


class Block(NamedTuple):
    """A leg that is made of others, by its words; ``turn`` is how it turns from the leg before."""

    phrase: str
    turn: str = ""
    passes: frozenset[str] = frozenset()


class Route(NamedTuple):
    """Legs and rounds in order; ``joins`` as in a path, "?" where the piece may stop before."""

    legs: tuple[Step | Rounds | Block, ...]
    joins: tuple[str, ...]
    remark: str = ""


Body: TypeAlias = Leaf | Special | Block | Route


class Part(NamedTuple):
    """One way to move: under which conditions, the move, and what it leaves behind.

    A body that is text is a sentence about the piece that is no move.
    """

    guard: tuple[str, ...]
    body: Body | str
    after: str = ""


def route(legs: Sequence[Step | Rounds | Block], joins: Sequence[str], remark: str = "") -> Body:
    """A route; one leg alone is its leaf or block."""
    if len(legs) == 1 and isinstance(legs[0], Step) and not remark:
        leaf = legs[0].leaf
        hops = tuple(text for letter, text in HOPS.items() if letter in legs[0].passes)
        return leaf._replace(manner=leaf.manner + hops)
    if len(legs) == 1 and isinstance(legs[0], Block) and not remark:
        return legs[0]
    return Route(tuple(legs), tuple(joins), remark)


def told(body: Body, say: Say = bare) -> str:
    """A move in words; ``say`` puts its verbs into form: bare, `words.does` or `words.doing`."""
    match body:
        case Route():
            return _route(body, say)
        case Block():
            return say(body.phrase)
        case _:
            return say(whole(body))


def _route(way: Route, say: Say) -> str:
    text = ""
    for at, leg in enumerate(way.legs):
        stops = at == len(way.joins) or way.joins[at] == "?"
        if at and way.joins[at - 1] == "?":
            say = bare  # after "may"
            text += f", and may then, {_from(way.legs[at - 1])}{_turn(leg)}, "
        elif at:
            text += f", then{_turn(leg)} "
        text += _leg(leg, say, stops=stops)
    return text + way.remark


def _turn(leg: Step | Rounds | Block) -> str:
    return leg.turn if isinstance(leg, Block) else ""


def _from(before: Step | Rounds | Block) -> str:
    """What the square must hold from which the path goes on."""
    if not isinstance(before, Rounds):
        return through(before.passes, left=True)
    place = through(before.last.passes, left=True)
    return f"with or without these rounds, {place}" if before.optional else place


def _leg(leg: Step | Rounds | Block, say: Say, *, stops: bool) -> str:
    match leg:
        case Step():
            return say(leg.ending() if stops else leg.passing())
        case Block():
            return say(leg.phrase)
        case _:
            return say(_rounds(leg, stops=stops))


def _rounds(rounds: Rounds, *, stops: bool) -> str:
    *first, last = rounds.legs
    inside = [step.passing() for step in first]
    ends = stops and rounds.final is None
    inside.append(last.ending() if ends else last.passing())
    text = ", then ".join(inside)
    if ends and not last.on_empty:
        text += f"; to go on, {through(last.passes, left=True)}"
    count = "once" if rounds.limit == 1 else often(range(1, rounds.limit + 1))
    count += " or not at all" if rounds.optional and not stops else ""
    text = f"repeat {count}, never over the square it started from: ({text})"
    if rounds.final is not None:
        final = rounds.final.ending() if stops else rounds.final.passing()
        text += f", the last leg of the last round being to {final}"
    return text


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
    if not isinstance(way, Route) or part.after or way.remark or way.joins[0] != "-":
        return None
    first = way.legs[0]
    if not isinstance(first, Step) or not first.on_empty:
        return None
    if isinstance(way.legs[1], Rounds):
        return None
    wanted = Part(part.guard, first.leaf._replace(land=MOVE_OR_CAPTURE))
    if wanted not in others:
        return None
    start = Step(first.leaf._replace(land=MOVE_OR_CAPTURE), first.passes)
    return wanted, Part(part.guard, Route((start, *way.legs[1:]), ("?", *way.joins[1:])))


def sentences(parts: Iterable[Part]) -> list[str]:
    """The parts as sentences; single legs that are always allowed share one."""
    found: list[str] = []
    together: list[str] = []
    for part in [*_settled(parts), None]:
        clause = _clause(part)
        if together and (not clause or len(together) == MOST):
            found.append(words.sentence("; ".join(together)))
            together = []
        if clause:
            together.append(clause)
        elif part is not None:
            found.append(_alone(part))
    return found


def _clause(part: Part | None) -> str:
    """A part that can share a sentence with others, or nothing."""
    if part is None or part.guard or not isinstance(part.body, Leaf | Special):
        return ""
    return told(part.body, words.does) + part.after


def _alone(part: Part) -> str:
    when = " and ".join(part.guard)
    if isinstance(part.body, str):
        return words.sentence(f"{when}: {part.body}" if when else part.body)
    if not when:
        return words.sentence(told(part.body, words.does) + part.after)
    return words.sentence(f"{when} it may {told(part.body)}{part.after}")


def inline(parts: Iterable[Part]) -> str:
    """The parts inside a sentence, after "may" or "could"; in brackets where commas could mislead.

    >>> inline([Part((), Leaf((1,), ((0, 1),)))])
    'step one square straight forward'
    """
    found: list[str] = []
    for part in _settled(parts):
        text = part.body if isinstance(part.body, str) else told(part.body)
        when = f"{' and '.join(part.guard)}: " if part.guard else ""
        found.append(f"{when}{text}{part.after}")
    text = "; or ".join(found) or "do nothing"
    return text if len(found) == 1 and "," not in text else f"({text})"


def how(parts: Iterable[Part]) -> str:
    """The parts as the manner in which something else is done."""
    settled = _settled(parts)
    ways: list[str] = []
    for part in settled:
        if part.guard or part.after or not isinstance(part.body, Leaf | Special):
            return f"if it could {inline(settled)}"
        ways.append(f"by {told(part.body, words.doing)}")
    return ", or ".join(ways) or "if it could do nothing"


def _settled(parts: Iterable[Part]) -> list[Part]:
    """The parts without repetitions, joined where they can be: moves first, facts last."""
    joined = united(absorbed(list(dict.fromkeys(parts))))
    return sorted(joined, key=lambda part: (isinstance(part.body, str), bool(part.guard)))


def united(parts: Iterable[Part]) -> list[Part]:
    """The parts, those that differ only in the directions of their leaves as one."""
    found: dict[Part, tuple[Part, dict[Vector, None]]] = {}
    for part in parts:
        leaf = part.body
        if isinstance(leaf, Leaf):
            key = part._replace(body=leaf._replace(vectors=()))
            found.setdefault(key, (part, {}))[1].update(dict.fromkeys(leaf.vectors))
        else:
            found.setdefault(part, (part, {}))
    return [
        part._replace(body=part.body._replace(vectors=tuple(vectors)))
        if isinstance(part.body, Leaf) and len(vectors) != len(part.body.vectors)
        else part
        for part, vectors in found.values()
    ]
