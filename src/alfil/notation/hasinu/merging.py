"""Putting moves together: radials with the same functions around them, and obliques likewise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.nodes import Argument, Call, Distance, Name, Number, Oblique, Radial
from alfil.notation.hasinu.walk import as_argument
from alfil.notation.nodes import Term

# Functions around a move, outermost first: the name, and the arguments but for the move.
Wrapping: TypeAlias = tuple[tuple[str, tuple[Argument, ...], int], ...]

# Functions of two moves together that are the functions of each.
_DISTRIBUTE = frozenset({"m", "c", "j", "nj", "i", "atmove", "ataction"})
# The distance n, which holds all others.
_ANY = 0


def merged(terms: Sequence[Term]) -> tuple[Term, ...]:
    """The terms with radials that have the same functions around them put together, and obliques.

    The first of those put together says where they stand.
    """
    radials: dict[Wrapping, list[Radial]] = {}
    obliques: dict[tuple[Wrapping, tuple[int, int], Distance | None], list[Oblique]] = {}
    for term in terms:
        wrapping, core = _unwrapped(term)
        if isinstance(core, Radial):
            radials.setdefault(wrapping, []).append(core)
        elif isinstance(core, Oblique):
            obliques.setdefault((wrapping, core.numbers, core.distance), []).append(core)
    kept: list[Term] = []
    for term in terms:
        wrapping, core = _unwrapped(term)
        if isinstance(core, Radial):
            kept += [_wrapped(term, move) for move in _joined(radials.pop(wrapping, []))]
        elif isinstance(core, Oblique):
            group = obliques.pop((wrapping, core.numbers, core.distance), [])
            kept += [_wrapped(term, _united(group))] if group else []
        else:
            kept.append(term)
    return tuple(kept)


def remade(move: Radial | Oblique) -> Radial | Oblique:
    """The move with its lists and vectors as the reader gives them."""
    if isinstance(move, Radial):
        listed, vectors = lexicon.radial(str(move.count), move.listed)
        return replace(move, listed=listed, vectors=vectors)
    p, q = sorted(move.numbers)
    octants = "".join(sorted(set(move.octants)))
    octants = "" if octants == lexicon.OCTANTS else octants
    vectors = lexicon.leaps(p, q, octants)
    return replace(move, numbers=(p, q), octants=octants, vectors=vectors)


def _unwrapped(term: Term) -> tuple[Wrapping, Term]:
    """The functions around a move that may be put around several moves, and the move."""
    wrapping: Wrapping = ()
    while isinstance(term, Call) and term.name in _DISTRIBUTE:
        at = 1 if isinstance(term.arguments[0], Number) else 0
        inner = term.arguments[at]
        if isinstance(inner, Name | Number):
            break
        others = (*term.arguments[:at], *term.arguments[at + 1 :])
        wrapping = (*wrapping, (term.name, others, at))
        term = inner
    return wrapping, term


def _wrapped(term: Term, move: Radial | Oblique) -> Term:
    """The term with another move in place of its own."""
    if not isinstance(term, Call):
        return move
    at = 1 if isinstance(term.arguments[0], Number) else 0
    inner = term.arguments[at]
    assert not isinstance(inner, Name | Number)
    wrapped = as_argument(_wrapped(inner, move))
    arguments = (*term.arguments[:at], wrapped, *term.arguments[at + 1 :])
    return replace(term, arguments=arguments)


def _joined(radials: Sequence[Radial]) -> Iterator[Radial]:
    """Radials with nothing said twice: each direction without what n covers, then by directions."""
    directions: dict[int, set[str]] = {}
    for radial in radials:
        for step in radial.distance.steps or (_ANY,):
            named = {name for name, way in lexicon.DIRECTIONS.items() if way in radial.vectors}
            directions.setdefault(step, set()).update(named)
    for step in directions.keys() - {_ANY}:
        directions[step] -= directions.get(_ANY, set())
    together: dict[frozenset[str], list[int]] = {}
    for step in sorted(directions):
        if directions[step] and step != _ANY:
            together.setdefault(frozenset(directions[step]), []).append(step)
    for names, steps in together.items():
        yield _radial(radials[0], tuple(steps), set(names))
    if _ANY in directions:
        yield _radial(radials[0], (), directions[_ANY])


def _radial(like: Radial, steps: tuple[int, ...], names: set[str]) -> Radial:
    distance = Distance(steps, braced=len(steps) > 1, span=like.distance.span)
    move = Radial(distance, len(names), lexicon.layout(names), span=like.span)
    made = remade(move)
    assert isinstance(made, Radial)
    return made


def _united(obliques: Sequence[Oblique]) -> Oblique:
    """Obliques of the same numbers and range as one."""
    every = any(not oblique.octants for oblique in obliques)
    octants = "" if every else "".join(oblique.octants for oblique in obliques)
    made = remade(replace(obliques[0], octants=octants))
    assert isinstance(made, Oblique)
    return made
