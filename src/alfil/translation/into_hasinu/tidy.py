"""Moves from several parts put together more shortly than the canonical form alone does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from alfil.notation.hasinu.nodes import Bent, Call, HasinuTerm, Loop, Name, Number, Radial
from alfil.notation.nodes import Term
from alfil.translation.into_hasinu.steps import distance


def tidied(terms: Sequence[HasinuTerm]) -> tuple[HasinuTerm, ...]:
    """The moves with loops that take in their first round, and first moves without what is usual.

    >>> from alfil.notation.hasinu.reader import read_hasinu
    >>> from alfil.notation.hasinu.writer import write_hasinu
    >>> from alfil.source import Source
    >>> tree, _ = read_hasinu(Source("1×8d & 2(1×8d) & m(1×1dN) & atmove(1,m({1,2}×1dN))"))
    >>> write_hasinu(replace(tree, terms=tidied(tree.terms)))
    'm(1×1dN) & atmove(1,m(2×1dN)) & {1,2}(1×8d)'
    """
    kept = list(dict.fromkeys(terms))
    kept = [each for term in kept if (each := _beyond_usual(term, kept)) is not None]
    for loop in [term for term in kept if isinstance(term, Loop)]:
        if loop in kept:
            kept = _taken_in(loop, kept)
    return tuple(kept)


def _taken_in(loop: Loop, terms: list[HasinuTerm]) -> list[HasinuTerm]:
    """The terms with one loop for all that repeat the same, the single round included."""
    body = loop.body
    turned = isinstance(body, Bent) and len(body.legs) == len(body.turns) == 1
    once = body.legs[0] if turned and isinstance(body, Bent) else body
    if once not in terms or not loop.times.steps:
        return terms
    alike = [
        each for each in terms if isinstance(each, Loop) and each.body == body and each.times.steps
    ]
    times = tuple(sorted({1, *(step for each in alike for step in each.times.steps)}))
    joined: HasinuTerm = Loop(distance(times), body)
    if isinstance(body, Bent) and turned and times == (1, 2):
        joined = Bent((once, once), body.turns)
    return [*(each for each in terms if each not in alike and each != once), joined]


def _beyond_usual(term: HasinuTerm, terms: Sequence[HasinuTerm]) -> HasinuTerm | None:
    """A first move without the distances the piece may go anyway, None where none are left."""
    match term:
        case Call(name="atmove", arguments=(Number() as number, move)):
            pass
        case _:
            return term
    if isinstance(move, Name | Number):
        return term
    functions, run = _unwrapped(move)
    if not isinstance(run, Radial) or not run.distance.steps:
        return term
    usual = [other for each in terms for other in [_unwrapped(each)] if _covers(other, functions)]
    steps = tuple(
        step for step in run.distance.steps if not any(_goes(each, run, step) for _, each in usual)
    )
    if steps == run.distance.steps:
        return term
    if not steps:
        return None
    rest: HasinuTerm = replace(run, distance=distance(steps))
    for name in reversed(functions):
        rest = Call(name, (rest,))
    return Call("atmove", (number, rest))


def _unwrapped(term: Term) -> tuple[tuple[str, ...], Term]:
    """The names of the functions of nothing but a move around a move, and the move."""
    names: tuple[str, ...] = ()
    while isinstance(term, Call) and len(term.arguments) == 1 and term.name in {"m", "c", "j"}:
        (inner,) = term.arguments
        if isinstance(inner, Name | Number):
            break
        names, term = (*names, term.name), inner
    return names, term


def _covers(other: tuple[tuple[str, ...], Term], functions: tuple[str, ...]) -> bool:
    """Whether a move may end wherever one inside these functions may; j is a leap, and none other.

    Only m and c narrow how a move may end, so only they may be missing.
    """
    names, move = other
    narrowed = functions[1:] if functions[:1] in {("m",), ("c",)} else functions
    return isinstance(move, Radial) and names in {functions, narrowed}


def _goes(usual: Term, run: Radial, step: int) -> bool:
    """Whether a radial move goes that far in all directions of another one."""
    if not isinstance(usual, Radial):
        return False
    far = not usual.distance.steps or step in usual.distance.steps
    return far and set(run.vectors) <= set(usual.vectors)
