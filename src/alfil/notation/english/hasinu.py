"""Ħasínū in words: the terms of a description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from alfil.geometry import Vector
from alfil.notation.english import facts, words
from alfil.notation.english.bends import ABOUT, apart, turning
from alfil.notation.english.betza import betza_parts
from alfil.notation.english.chains import later_step
from alfil.notation.english.context import ABLE, OVER_ALL, Context, ends, inner, manner
from alfil.notation.english.leaves import (
    MOVE_OR_CAPTURE,
    Leaf,
    Special,
    land,
    leap,
    often,
    run,
    size_of,
)
from alfil.notation.english.routes import Block, Body, Part, Step, how, inline, route, told, united
from alfil.notation.english.winds import continuations, same_turns, turn_words, whole_kind
from alfil.notation.hasinu.calls import ForeignCall, InfCall, MoveCall, TimedCall, bind
from alfil.notation.hasinu.nodes import (
    Bent,
    Call,
    Embedded,
    Group,
    Loop,
    Name,
    Number,
    Oblique,
    Radial,
    Text,
    Turn,
    Union,
    nested,
    terms_of,
)
from alfil.notation.hasinu.resolve import declarations
from alfil.notation.nodes import Description, Term

NOT_JUMPING = " without jumping"
EACH_TIME = " each time"
ANEW = ", choosing its direction anew each time"


def hasinu_parts(description: Description) -> Iterator[Part]:
    """The parts of a description."""
    telling = _Telling(frozenset(declarations(terms_of(description))))
    for term in description.terms:
        yield from telling.parts(term, Context(), ())


class _Leg(NamedTuple):
    """A leg of a bent move: its words, and its steps where these are all it may travel by.

    ``last`` are the steps it may end with, where they are known.
    """

    body: Step | Block
    vectors: tuple[Vector, ...] = ()
    last: tuple[Vector, ...] = ()


class _Telling:
    """Puts the terms of one description into words; it knows which functions are declared."""

    def __init__(self, declared: frozenset[str]) -> None:
        self._declared = declared

    def parts(self, term: Term, context: Context, guard: tuple[str, ...]) -> Iterator[Part]:
        """The parts of a whole term."""
        match _apart(term):
            case Union(terms=terms) if not context.greedy:
                for each in terms:
                    yield from self.parts(each, context, guard)
            case Call() as call:
                yield from self._called(call, context, guard)
            case Embedded(betza=betza):
                for part in betza_parts(betza, context.narrow):
                    yield part._replace(guard=guard + part.guard)
            case Text(words=text):
                way = f"move as these words say: {facts.quoted(text)}"
                yield Part(guard, Special(way, context.narrow, manner(context)))
            case _:
                for body in self._bodies(term, context):
                    # The farthest square of one term is none of another's, so they stay apart.
                    yield Part(guard, Block(told(body)) if context.greedy else body)

    def _called(self, call: Call, context: Context, guard: tuple[str, ...]) -> Iterator[Part]:
        match bind(call):
            case MoveCall() as bound:
                yield from self._narrowed(call, bound, context, guard)
            case TimedCall(name, number, move):
                nth = words.ordinal(number)
                when = (
                    f"on its {nth} move" if name == "atmove" else f"on every {nth} move of its own"
                )
                every = name == "ataction" and number == 1
                yield from self.parts(move, context, guard if every else (*guard, when))
            case InfCall(x, y):
                yield Part(guard, Special(_box(x, y), context.narrow, manner(context)))
            case ForeignCall():
                yield Part(guard, self._foreign(call, context))
            case bound:
                yield Part(guard, _within(facts.fact(bound, self.inline), context))

    def _narrowed(
        self, call: Call, bound: MoveCall, context: Context, guard: tuple[str, ...]
    ) -> Iterator[Part]:
        """The parts of a move inside a function."""
        if bound.name in {"burn", "im"}:
            yield Part(guard, _within(facts.effect(bound, self.how), context))
            return
        if bound.name == "i":
            if "A" in bound.when:
                yield Part(guard, Block(self._rifle(bound, context)))
            if "P" in bound.when:
                yield Part(guard, _within(facts.shot(bound, self.how), context))
            return
        yield from self.parts(bound.move, inner(call, bound, context), guard)

    def _rifle(self, bound: MoveCall, context: Context) -> str:
        parts = [_capturing(part) for part in self.parts(bound.move, context, ())]
        return f"capture without moving {facts.ONE[bound.side]} that it could capture {how(parts)}"

    def inline(self, term: Term) -> str:
        """A description inside a function, after "may"."""
        return inline(self.parts(term, Context(), ()))

    def how(self, term: Term) -> str:
        """A description inside a function, as the manner of something."""
        return how(self.parts(term, Context(), ()))

    def _foreign(self, call: Call, context: Context) -> Block:
        """A move by a function that is not built in."""
        known = "declared" if call.name in self._declared else "unknown"
        given: list[str] = []
        for argument in call.arguments:
            match argument:
                case Number(value=value):
                    given.append(str(value))
                case Name(text=text):
                    given.append(facts.quoted(text))
                case _:
                    given.append(inline(self.parts(argument, Context(), ())))
        of = f" of {', '.join(given)}" if given else ""
        end = "".join(manner(context)) + land(context.narrow)
        return Block(f"move by the {known} function {facts.quoted(call.name)}{of}{end}")

    def _bodies(self, term: Term, context: Context) -> list[Body]:
        """A leg as moves of their own."""
        leaves = self._leaves(term, context)
        if leaves is not None:
            return list(leaves)
        if isinstance(term, Bent) and not context.ways:
            return [self._bent(term, context)]
        return [route([self._leg(term, context).body], ())]

    def _leaves(self, term: Term, context: Context) -> list[Leaf] | None:
        """The single runs and leaps a leg is made of, None if it is more than that."""
        match _apart(term):
            case Radial() as radial:
                return _radial(radial, context)
            case Oblique() as oblique:
                return [_oblique(oblique, context)]
            case Union(terms=terms):
                return self._together(terms, context)
            case Call() as call:
                bound = bind(call)
                if isinstance(bound, MoveCall) and bound.name in {"m", "c", "j", "nj"}:
                    return self._leaves(bound.move, inner(call, bound, context))
                return None
            case Loop() as loop:
                return self._straight_loop(loop, context)
            case _:
                return None

    def _together(self, terms: Iterable[Term], context: Context) -> list[Leaf] | None:
        """The leaves of several terms, as few as they can be."""
        parts: list[Part] = []
        for term in terms:
            leaves = self._leaves(term, context)
            if leaves is None:
                return None
            parts += [Part((), leaf) for leaf in leaves]
        return [part.body for part in united(parts) if isinstance(part.body, Leaf)]

    def _straight_loop(self, loop: Loop, context: Context) -> list[Leaf] | None:
        """A loop that repeats a single step or leap straight on."""
        body = loop.body
        if not isinstance(body, Bent) or len(body.legs) > 1 or body.turns[0].sixteenths != 0:
            return None
        leaves = None if context.ways else self._leaves(body.legs[0], context)
        if leaves is None or any(leaf.steps != (1,) or leaf.manner for leaf in leaves):
            return None
        times = loop.times.steps
        return [_again(leaf, times) for leaf in leaves]

    def _leg(self, term: Term, context: Context) -> _Leg:
        """A term as one leg."""
        leaves = self._leaves(term, context)
        if leaves is not None and len(leaves) == 1:
            return _Leg(Step(leaves[0]), leaves[0].vectors, leaves[0].vectors)
        if context.ways:
            text = self._text(term, context._replace(ways=(), leaps=False))
            ways = words.listed(context.ways, "and")
            return _Leg(Block(f"go as follows, on the whole way {ways}: ({text})"))
        match _apart(term):
            case Union(terms=terms):
                either = ") or (".join(self._text(each, context) for each in terms)
                return _Leg(Block(f"go one of these ways: ({either})"))
            case Bent() as bent:
                return _Leg(Block(f"go as follows: ({told(self._bent(bent, context))})"))
            case Loop() as loop:
                return self._loop(loop, context)
            case Call() as call:
                bound = bind(call)
                if isinstance(bound, MoveCall):
                    return self._leg(bound.move, inner(call, bound, context))
                return _Leg(self._foreign(call, context))
            case _:
                raise AssertionError(term)

    def _text(self, term: Term, context: Context) -> str:
        """A leg in words, as it stands in brackets."""
        if isinstance(term, Bent) and not context.ways:
            return told(self._bent(term, context))
        return told(route([self._leg(term, context).body], ()))

    def _bent(self, bent: Bent, context: Context) -> Body:
        legs = [self._leg(leg, context) for leg in bent.legs]
        told_legs: list[Step | Block] = [legs[0].body]
        before = legs[0]
        for leg, turn in zip(legs[1:], bent.turns, strict=False):
            before = _turned(leg, turn, before, context)
            told_legs.append(before.body)
        return route(told_legs, "?" * (len(legs) - 1))

    def _loop(self, loop: Loop, context: Context) -> _Leg:
        inside = context._replace(looped=True)
        body, turn = loop.body, None
        count = often(loop.times.steps)
        if isinstance(body, Bent) and len(body.turns) == len(body.legs):
            turn = body.turns[-1]
            body = body.legs[0] if len(body.legs) == 1 else replace(body, turns=body.turns[:-1])
        leaves = self._leaves(body, inside)
        leaf = leaves[0] if leaves is not None and len(leaves) == 1 else None
        each = ANEW if turn is None else self._each_time(turn, body, inside)
        if leaf is not None and leaf.steps == (1,):
            again = leaf._replace(manner=(*leaf.manner, f", {count}", each))
            return _Leg(Step(again), (), leaf.vectors)
        return _Leg(Block(f"repeat {count}{each}: ({self._text(body, inside)})"))

    def _each_time(self, turn: Turn, body: Term, context: Context) -> str:
        """The turn from the last leg of one round of a loop to the first of the next one."""
        ends = (body.legs[-1], body.legs[0]) if isinstance(body, Bent) else (body, body)
        before, after = (self._last(end, context) for end in ends)
        said = turn_words(turn, before, after, looped=True)
        said = said if said.startswith(",") else f", going{said}"
        return said if said.endswith(EACH_TIME) else f"{said}{EACH_TIME}"

    def _last(self, leg: Term, context: Context) -> tuple[Vector, ...]:
        """The steps a leg may end with, where it is a single run or leap."""
        leaves = self._leaves(leg, context)
        return leaves[0].vectors if leaves is not None and len(leaves) == 1 else ()


def _apart(term: Term) -> Term:
    """A group as the calls it stands for; every other term as it is."""
    return nested(term) if isinstance(term, Group) else term


def _leaf(leaf: Leaf, context: Context, silent: str | None = None) -> Leaf:
    land, end = ends(context)
    return leaf._replace(land=land, manner=(*manner(context, silent), *end))


def _radial(radial: Radial, context: Context) -> list[Leaf]:
    steps = radial.distance.steps
    if context.leaps and steps:
        leaps = [leap(radial.vectors, length) for length in sorted(steps)]
        return [_leaf(each, context, ABLE if each.size == (1,) else OVER_ALL) for each in leaps]
    return [_leaf(run(radial.vectors, steps), context, ABLE if steps == (1,) else None)]


def _oblique(oblique: Oblique, context: Context) -> Leaf:
    steps = (1,) if oblique.distance is None else tuple(sorted(oblique.distance.steps))
    leaf = Leaf(size_of(oblique.vectors[0]), oblique.vectors, steps)
    leaf = _leaf(leaf, context, ABLE if steps == (1,) else None)
    return leaf._replace(manner=(NOT_JUMPING, *leaf.manner)) if context.no_jumps else leaf


def _again(leaf: Leaf, times: tuple[int, ...]) -> Leaf:
    """A step or leap made so many times, straight on."""
    if leaf.size == (1,):
        return run(leaf.vectors, times)._replace(land=leaf.land)
    return leaf._replace(steps=tuple(sorted(times)))


def _box(x: int, y: int) -> str:
    files = f"{words.number(x)} file{'' if x == 1 else 's'}"
    ranks = f"{words.number(y)} rank{'' if y == 1 else 's'}"
    if not x:
        return f"leap to any square of its own file at most {ranks} away"
    if not y:
        return f"leap to any square of its own rank at most {files} away"
    return f"leap to any square at most {files} and {ranks} away"


def _turned(leg: _Leg, turn: Turn, before: _Leg, context: Context) -> _Leg:
    """A later leg with its turn from the leg before it."""
    body, travelled = leg.body, before.vectors
    said = turn_words(turn, before.last, leg.last, looped=context.looped)
    if isinstance(body, Block) or not leg.vectors:
        return leg._replace(body=Block(told(route([body], ())), said))
    leaf = body.leaf
    assert isinstance(leaf, Leaf)
    kept = said.endswith(EACH_TIME)
    same = None if kept else same_turns(travelled, turn, leg.vectors)
    about = ABOUT if len(leaf.size) > 1 else ""
    if same is not None:
        reached = {v for way in travelled for v in continuations(way, turn, leg.vectors)}
        fewer = body._replace(leaf=leaf._replace(vectors=tuple(sorted(reached))))
        turned = later_step(fewer, turning(same, about), iso=False)
        return _Leg(turned, tuple(reached), tuple(reached))
    nominal = None if kept else same_turns(travelled, turn, whole_kind(leg.vectors))
    if nominal is not None:
        said = turning(nominal, about)
    leaf = leaf._replace(manner=(apart(said), *leaf.manner))
    return leg._replace(body=body._replace(leaf=leaf))


def _capturing(part: Part) -> Part:
    """A part that is said to capture anyway, so that c need not be told."""
    body = part.body
    if isinstance(body, Leaf | Special) and body.land == {"c"}:
        return part._replace(body=body._replace(land=MOVE_OR_CAPTURE))
    return part


def _within(text: str, context: Context) -> str:
    """A sentence about the piece, with the functions around it, which are about moves."""
    if not context.inside:
        return text
    return f"{text} (inside {words.listed(context.inside, 'and')})"
