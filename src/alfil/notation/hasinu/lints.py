"""Warnings: text that is good, and probably not what was meant or how it is usually put."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alfil.errors import Finding
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.builder import is_hole
from alfil.notation.hasinu.legs import is_leap, is_straight
from alfil.notation.hasinu.nodes import (
    Call,
    Distance,
    Group,
    Loop,
    Name,
    Number,
    Oblique,
    Radial,
    Union,
)
from alfil.notation.hasinu.walk import nodes
from alfil.notation.nodes import Term
from alfil.source import Span


def lint(terms: Sequence[Term]) -> list[Finding]:
    """All warnings about a tree without errors, in no particular order."""
    findings = list(_siblings(terms))
    for node in nodes(terms):
        match node:
            case Union(terms=inside):
                findings += _siblings(inside)
            case Loop(times=Distance(steps=()), body=Oblique(distance=None)):
                message = "a loop of free leaps, which may turn back after each"
                findings.append(
                    _warning("free-loop", message, node.span, "n(1,2) goes straight on")
                )
            case Call():
                findings += _call(node)
            case Group():
                findings += _group(node)
            case _:
                continue
    return findings


def _warning(kind: str, message: str, span: Span, hint: str) -> Finding:
    return Finding(kind, message, (span,), hint, "warning")


def _siblings(terms: Sequence[Term]) -> Iterator[Finding]:
    """Warnings about terms side by side."""
    seen: set[Term] = set()
    radial = early = False
    for term in terms:
        if is_hole(term):
            continue
        if term in seen:
            yield _warning("repeated-term", "the same term twice", term.span, "leave one out")
        seen.add(term)
        if isinstance(term, Oblique) and radial and not early:
            message = "obliques usually stand before radials"
            yield _warning("oblique-first", message, term.span, "put it first")
            early = True
        radial = radial or isinstance(term, Radial)


def _call(call: Call) -> Iterator[Finding]:
    match call.arguments:
        case (Number(value=1), _) if call.name == "ataction":
            message = "every move is every first move"
            yield _warning("no-effect", message, call.span, "leave out ataction")
        case (move, *_) if not isinstance(move, Name | Number):
            yield from _narrowed(lexicon.ALIASES.get(call.name, call.name), move, call.span)
        case _:
            return


def _group(group: Group) -> Iterator[Finding]:
    if len(group.names) == 1:
        name = group.names[0].text
        yield _warning(
            "one-function-group", "a group of one function", group.span, f"write {name}(...)"
        )
    for outer, inner in zip(group.names, (*group.names[1:], None), strict=True):
        name = lexicon.ALIASES.get(outer.text, outer.text)
        if inner is None:
            yield from _narrowed(name, group.body, outer.span)
        elif _idle(name, inner):
            yield _no_effect(inner.text, inner.span)
        elif name in {"j", "nj"}:
            yield from _narrowed(name, group.body, outer.span)


def _narrowed(name: str, move: Term, span: Span) -> Iterator[Finding]:
    """Functions that change nothing about a move."""
    if isinstance(move, Call) and _idle(name, Name(move.name)):
        yield _no_effect(move.name, move.name_span)
        return
    passes_nothing = name == "j" and (is_leap(move) or _is_step(move))
    if passes_nothing or (name == "nj" and is_straight(move)):
        yield _no_effect(name, span)


def _no_effect(name: str, span: Span) -> Finding:
    return _warning("no-effect", f"{name} changes nothing here", span, f"leave out {name}")


def _idle(outer: str, inner: Name) -> bool:
    """Whether a function directly inside another adds nothing to it."""
    return (outer, inner.text) == ("i", "c") or (outer == inner.text and outer in {"m", "c", "nj"})


def _is_step(move: Term) -> bool:
    return isinstance(move, Radial) and move.distance.steps == (1,)
