"""Warnings and notes: text that is good, and may not say what was meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alfil.errors import Finding
from alfil.notation.hasinu.builder import is_hole
from alfil.notation.hasinu.idle import idle
from alfil.notation.hasinu.nodes import (
    Call,
    Distance,
    Group,
    Loop,
    Oblique,
    Radial,
    Union,
)
from alfil.notation.hasinu.signatures import nested
from alfil.notation.hasinu.walk import nodes
from alfil.notation.nodes import Term
from alfil.source import Span


def lint(terms: Sequence[Term]) -> list[Finding]:
    """All warnings and notes about a tree without errors, in no particular order."""
    findings = [*_siblings(terms), *_lion(terms)]
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


def _lion(terms: Sequence[Term]) -> Iterator[Finding]:
    """What INF leaves out, said once."""
    for node in nodes(terms):
        if isinstance(node, Call) and node.name == "INF":
            message = "INF names squares to leap to; captures on the way to them are no part of it"
            hint = "write captures on the way in embedded Betza, as in \\KmcabK"
            yield Finding("inf-squares-only", message, (node.name_span,), hint, "note")
            return


def _call(call: Call) -> Iterator[Finding]:
    found = idle(call)
    if found:
        without = found[0]
        span = call.span if without is call else without.name_span
        yield _no_effect(without, span)


def _group(group: Group) -> Iterator[Finding]:
    if len(group.names) == 1:
        name = group.names[0].text
        yield _warning(
            "one-function-group", "a group of one function", group.span, f"write {name}(...)"
        )
    for node in nodes((nested(group),)):
        if node is group.body:
            return
        found = idle(node) if isinstance(node, Call) else None
        if found:
            yield _no_effect(found[0], found[0].name_span)


def _no_effect(call: Call, span: Span) -> Finding:
    name = call.name
    if name == "ataction":
        return _warning("no-effect", "every move is every first move", span, "leave out ataction")
    return _warning("no-effect", f"{name} changes nothing here", span, f"leave out {name}")
