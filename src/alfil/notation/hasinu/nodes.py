"""The nodes of a Ħasínū tree: radial and oblique moves, bent moves, loops, functions, words.

Beside what was written stand the vectors the directions and octants stand for. At the end are the
ways through a tree: its nodes in text order, and a copy with some nodes changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from typing import Any, Literal, TypeAlias, TypeGuard, TypeVar

from alfil.frozen_dataclasses import dataclass
from alfil.geometry import Vector
from alfil.notation.description import Description
from alfil.source import NOWHERE, Span, span_field

# Marks of what does not fit together; checks look for them and say what is wrong.
INVALID_STEPS = (0,)
INVALID_TURN = -1


@dataclass(frozen=True, slots=True)
class Distance:
    """Which distances or how many repetitions; no ``steps`` means ``n``, without limit.

    ``braced`` is true for a set in curly brackets, so that ``{2}`` and ``2`` stay apart.
    """

    steps: tuple[int, ...]
    braced: bool = False
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Radial:
    """``S×NdR``: ``vectors`` are the directions that the count and the names amount to.

    A vector is a single step, (0, 1) for ``N`` and (1, 1) for ``NE``; they stand clockwise from
    ``N``. There is none where something is wrong.
    """

    distance: Distance
    vectors: tuple[Vector, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Oblique:
    """``(X,Y)`` with octant letters, or without for all; ``distance`` None is one leap.

    ``vectors`` are the leaps, in the order of their letters; none where something is wrong.
    """

    vectors: tuple[Vector, ...]
    distance: Distance | None = None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Turn:
    """``&t`` with its angle.

    ``sixteenths`` is the size of the turn in sixteenths of a circle (22.5°), 0 to 8, or None when
    no angle stands there (outward), or another one. ``sign`` is "+" (clockwise), "-" or "" (either
    hand). ``degrees`` is the size in degrees: "22.5", "45", "26.57".
    """

    sixteenths: int | None
    sign: Literal["", "+", "-"] = ""
    degrees: str = ""
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Bent:
    """Legs chained by ``&t``. A turn after the last leg stands only at the end of a loop body.

    ``turns`` has as many entries as there are legs, or one fewer. One leg with one turn is a body
    such as ``(2,1) &t22.5°``.
    """

    legs: tuple[HasinuTerm, ...]
    turns: tuple[Turn, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Union:
    """Terms joined by ``&`` inside brackets, or obliques standing side by side.

    ``bracketed`` is true when round brackets of their own stand around the terms.
    """

    terms: tuple[HasinuTerm, ...]
    bracketed: bool = True
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Loop:
    """``n(...)``, ``k(...)``, ``{j,k}(...)``; the body is a Union when it has several terms."""

    times: Distance
    body: HasinuTerm
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Number:
    """A number as an argument."""

    value: int
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Name:
    """A bare word as an argument (a flag such as ``E``, ``inclusive``); ``optional``: ``[p]``."""

    text: str
    optional: bool = False
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Call:
    """``name(arg, …)``. ``name`` is as written; empty slots are dropped.

    ``name_span`` is the span of the name alone.
    """

    name: str
    arguments: tuple[Argument, ...]
    name_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Group:
    """``group(f, g)(move)`` or the short form ``[f,g(move)]``: f(g(move))."""

    names: tuple[Name, ...]
    body: HasinuTerm
    short: bool = False
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Embedded:
    """``\\`` and a run of Betza; its inner spans count in the whole text."""

    betza: Description
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Text:
    """``//`` and plain words, without the mark that ended them."""

    words: str
    span: Span = span_field()


HasinuTerm: TypeAlias = Radial | Oblique | Bent | Union | Loop | Call | Group | Embedded | Text
Argument: TypeAlias = HasinuTerm | Number | Name
ArgumentNode = TypeVar("ArgumentNode", Number, Name)


def terms_of_description(description: Description) -> tuple[HasinuTerm, ...]:
    """The terms of a description in Ħasínū.

    ValueError for terms of Betza that stand by themselves, which no layout turns into Ħasínū.
    """
    terms = tuple(term for term in description.terms if isinstance(term, HasinuTerm))
    if len(terms) < len(description.terms):
        raise ValueError("a term of Betza is allowed in Ħasínū only as embedded Betza")
    return terms


def is_error_placeholder(node: Argument) -> bool:
    """Whether the node stands for a mistake that has been reported and cut out."""
    return isinstance(node, Union) and not node.terms


def is_move(node: Argument) -> TypeGuard[HasinuTerm]:
    """Whether an argument is a move, and no number or word."""
    return not isinstance(node, Name | Number)


def moves_in(arguments: Iterable[Argument]) -> tuple[HasinuTerm, ...]:
    """The moves among the arguments of a call."""
    return tuple(argument for argument in arguments if is_move(argument))


def arguments_of_type(
    arguments: Iterable[Argument], kind: type[ArgumentNode]
) -> tuple[ArgumentNode, ...]:
    """The arguments of one kind."""
    return tuple(argument for argument in arguments if isinstance(argument, kind))


def as_nested_calls(group: Group) -> HasinuTerm:
    """A group as calls inside calls: ``group(m,j)(X)`` as ``m(j(X))``."""
    term = group.body
    for name in reversed(group.names):
        span = name.span.to(term.span)
        term = Call(name.text, (term,), name_span=name.span, span=span)
    return term


# Where each kind of node has the nodes inside it; embedded Betza is a leaf.
_CHILD_FIELDS = {Bent: "legs", Union: "terms", Loop: "body", Group: "body", Call: "arguments"}


def walk(terms: Iterable[Argument]) -> Iterator[Argument]:
    """All nodes in text order, each before the nodes inside it; trees may be deep."""
    stack = list(terms)[::-1]
    while stack:
        node = stack.pop()
        yield node
        if type(node) in _CHILD_FIELDS:
            held = getattr(node, _CHILD_FIELDS[type(node)])
            stack += held[::-1] if isinstance(held, tuple) else (held,)


def map_terms(
    terms: Iterable[HasinuTerm], change: Callable[[HasinuTerm], HasinuTerm]
) -> tuple[HasinuTerm, ...]:
    """The terms with every term in them replaced by what `change` makes of it, inner ones first.

    Nodes in which nothing changes are kept as they are.
    """
    return tuple([_map_node(term, change) for term in terms])


def _map_node(node: HasinuTerm, change: Callable[[HasinuTerm], HasinuTerm]) -> HasinuTerm:
    if type(node) in _CHILD_FIELDS:
        name = _CHILD_FIELDS[type(node)]
        held = getattr(node, name)
        parts: tuple[Argument, ...] = held if isinstance(held, tuple) else (held,)
        copies = [_map_node(part, change) if is_move(part) else part for part in parts]
        if any(copy is not part for copy, part in zip(copies, parts, strict=True)):
            fields: dict[str, Any] = {name: tuple(copies) if held is parts else copies[0]}
            node = replace(node, **fields)
    return change(node)
