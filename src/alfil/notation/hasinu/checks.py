"""What the grammar cannot see: numbers, directions, angles, arguments, and what may be a leg.

`check` walks a tree once and reports every error in it. The builder has left marks on nodes whose
parts do not fit together; for those the text is read once more, to point at the very sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from alfil.errors import Finding
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.builder import WRONG_STEPS, WRONG_TURN, value
from alfil.notation.hasinu.moves import move_findings
from alfil.notation.hasinu.signatures import DeclareCall, arguments
from alfil.notation.hasinu.walk import nodes
from alfil.notation.nodes import (
    Bent,
    Call,
    Distance,
    Group,
    Loop,
    Oblique,
    Radial,
    Term,
    Text,
    Turn,
)
from alfil.source import Span

Findings: TypeAlias = Iterator[Finding]

_RADIAL = re.compile(r"(?P<count>[0-9]+)\s*d(?P<names>[NESWOD\s-]*)\Z")
_OBLIQUE = re.compile(r"(?P<bracket>\(\s*([0-9]+)\s*,\s*([0-9]+)\s*\))(?P<letters>[a-h]*)\Z")
_NAME = re.compile(r"NE|NW|SE|SW|[NESWOD]")
_NUMBER = re.compile(r"[0-9]+")


def check(terms: Sequence[Term], text: str) -> list[Finding]:
    """All errors of the tree that its shape allows, in no particular order."""
    findings: list[Finding] = []
    bodies: set[int] = set()
    declared: set[str] = set()
    for node in nodes(terms):
        match node:
            case Radial():
                if not node.vectors:
                    findings += _radial(node, text)
            case Oblique():
                if not node.vectors:
                    findings += _oblique(node, text)
            case Bent():
                findings += _bent(node, text, in_loop=id(node) in bodies)
            case Loop(times=times, body=body):
                bodies.add(id(body))
                findings += _steps(times, text)
            case Call():
                findings += _call(node, text, declared)
            case Group():
                findings += _group(node)
            case Text(words=""):
                message = "text is due after //"
                findings.append(Finding("empty-text", message, (node.span,), "write some words"))
            case _:
                continue
        findings += move_findings(node, text)
    return findings


def _found(kind: str, message: str, span: Span, hint: str = "") -> Finding:
    return Finding(kind, message, (span,), hint)


def _steps(distance: Distance, text: str) -> Findings:
    """What is wrong with a distance, a set of them, or a number of repetitions."""
    if distance.steps != WRONG_STEPS:
        return
    seen: set[int] = set()
    for match in _NUMBER.finditer(text, *distance.span):
        span = Span(*match.span())
        number = value(match[0].lstrip("0") or "0")
        if not number:
            yield _found("distance-zero", "distances start at 1", span, "write 1 or more")
        elif match[0][0] == "0":
            yield _found("leading-zero", "no leading zeros", span, f"write {number}")
        elif number > lexicon.LARGEST_NUMBER:
            message = f"numbers are at most {lexicon.LARGEST_NUMBER}"
            yield _found("number", message, span, "n is any distance")
        elif number in seen:
            yield _found("repeated-distance", f"{number} twice", span, "write it once")
        seen.add(number)


def _radial(radial: Radial, text: str) -> Findings:
    yield from _steps(radial.distance, text)
    match = _RADIAL.search(text[: radial.span.end], radial.span.start)
    if match is None:
        return
    count = Span(*match.span("count"))
    names = [
        (found[0], Span(*found.span())) for found in _NAME.finditer(text, *match.span("names"))
    ]
    if not 1 <= radial.count <= len(lexicon.DIRECTIONS):
        yield _found("direction-count", "the number of directions is 1 to 8", count, "1×8d")
        return
    if match["count"][0] == "0":
        yield _found("leading-zero", "no leading zeros", count, f"write {radial.count}")
        return
    repeated = list(_repeated(names))
    yield from repeated
    if not repeated and not lexicon.radial(match["count"], tuple(name for name, _ in names))[1]:
        yield _mismatch(radial, count, names, text)


def _repeated(names: list[tuple[str, Span]]) -> Findings:
    """Directions named twice, directly or through O and D."""
    owner: dict[str, str] = {}
    for name, span in names:
        for direction in lexicon.FOURS.get(name, (name,)):
            first = owner.setdefault(direction, name)
            if first is name and direction == name:
                continue
            if first != name or direction in lexicon.DIRECTIONS and _again(names, name, span):
                yield _found("repeated-direction", _twice(first, name), span, "name it once")
                break


def _again(names: list[tuple[str, Span]], name: str, span: Span) -> bool:
    return any(other == name and place.start < span.start for other, place in names)


def _twice(first: str, name: str) -> str:
    if first == name:
        return f"{name} twice"
    return f"{first} already contains {name}" if first in lexicon.FOURS else f"{name} contains {first}"
