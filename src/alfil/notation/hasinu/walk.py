"""Ways through a tree of Ħasínū: its nodes in text order, and a copy with some nodes changed.

Trees may be deep, so the way through keeps its own stack, and a copy takes one call per level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from alfil.notation.betza.nodes import Chain, Leg, Path
from alfil.notation.hasinu.nodes import Argument, Bent, Call, Group, Loop, Name, Number, Union
from alfil.notation.nodes import Term

Node: TypeAlias = Term | Argument


def as_argument(node: Node) -> Argument:
    """The node, which is no term of Betza: those stand in Ħasínū only as embedded Betza."""
    assert not isinstance(node, Leg | Chain | Path)
    return node


def inside(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside a node; embedded Betza is a leaf."""
    match node:
        case Bent(legs=legs):
            return legs
        case Union(terms=terms):
            return terms
        case Loop(body=body) | Group(body=body):
            return (body,)
        case Call(arguments=arguments):
            return arguments
        case _:
            return ()


def nodes(terms: Iterable[Node]) -> Iterator[Node]:
    """All nodes in text order, each before the nodes inside it."""
    stack = list(terms)[::-1]
    while stack:
        node = stack.pop()
        yield node
        stack += inside(node)[::-1]


def last_of(body: Term) -> Term:
    """The term a loop's body ends in, which may end in a turn.

    The turn is that term's, for a turn binds tighter than &. Brackets inside the body are no end of
    the body itself.
    """
    if isinstance(body, Union) and not body.bracketed and body.terms:
        return body.terms[-1]
    return body


def changed(terms: Iterable[Term], change: Callable[[Term], Term]) -> tuple[Term, ...]:
    """The terms with every term in them replaced by what `change` makes of it, inner ones first.

    Nodes in which nothing changes are kept as they are.
    """
    return tuple([_changed(term, change) for term in terms])


def _changed(node: Term, change: Callable[[Term], Term]) -> Term:
    held = inside(node)
    copies = []
    for part in held:
        copies.append(part if isinstance(part, Name | Number) else _changed(part, change))
    if any(copy is not part for copy, part in zip(copies, held, strict=True)):
        node = _holding(node, copies)
    return change(node)


def _holding(node: Term, parts: list[Node]) -> Term:
    terms = tuple(part for part in parts if not isinstance(part, Name | Number))
    match node:
        case Bent():
            return replace(node, legs=terms)
        case Union():
            return replace(node, terms=terms)
        case Loop() | Group():
            return replace(node, body=terms[0])
        case Call():
            return replace(node, arguments=tuple(map(as_argument, parts)))
        case _:
            return node
