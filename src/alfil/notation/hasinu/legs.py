"""What may stand where: legs, loop bodies and functions inside functions.

`misplaced` goes through the tree from the outside in and carries along what applies to the move it
is at: whether it is a leg, and which functions stand around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from alfil.errors import Finding
from alfil.notation.hasinu import lexicon
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
    Union,
)
from alfil.notation.hasinu.walk import Node, nodes
from alfil.notation.nodes import Term
from alfil.source import Span

Place: TypeAlias = Literal["term", "leg", "loop"]
Named: TypeAlias = tuple[str, Span]

# What a leg in embedded Betza would be, for the hint.
_LETTERS = {
    "N": "(1,2)",
    "C": "(1,3)",
    "Z": "(2,3)",
    "W": "1×4dO",
    "F": "1×4dD",
    "K": "1×8d",
    "R": "n4dO",
    "B": "n4dD",
    "Q": "n8d",
    "NN": "n(1,2)",
    "D": "j(2×4dO)",
    "A": "j(2×4dD)",
}
_APART = {"leg": "give it a term of its own", "loop": "take it out of the loop"}


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around a node: ``ending`` are functions of where it ends, ``passing`` j and nj.

    Both map a function's name to the span of that name. ``function`` is the innermost function.
    """

    place: Place = "term"
    function: str = ""
    ending: dict[str, Span] = field(default_factory=dict)
    passing: dict[str, Span] = field(default_factory=dict)


def misplaced(terms: Sequence[Term], text: str) -> list[Finding]:
    """Errors about what may not stand where it does."""
    findings: list[Finding] = []
    stack: list[tuple[Node, _Around]] = [(term, _Around()) for term in reversed(terms)]
    while stack:
        node, around = stack.pop()
        match node:
            case Union():
                stack += [(part, around) for part in node.terms]
            case Bent():
                ending = around.ending if len(node.legs) == 1 else {}
                inner = replace(around, place=_inner(around.place), function="", ending=ending)
                stack += [(leg, inner) for leg in node.legs]
            case Loop():
                stack.append((node.body, replace(around, place="loop", function="")))
            case Call() | Group():
                found, below = _functions(node, around)
                findings += found
                stack += below
            case Embedded() | Text():
                findings += _foreign(node, around, text)
            case _:
                continue
    return findings


def _inner(place: Place) -> Place:
    return "loop" if place == "loop" else "leg"


def _found(kind: str, message: str, span: Span, hint: str) -> Finding:
    return Finding(kind, message, (span,), hint)


def _named(node: Call | Group) -> tuple[list[Named], list[Node]]:
    """The functions of a node, outer ones first, and the moves they work on."""
    if isinstance(node, Group):
        return [(name.text, name.span) for name in node.names], [node.body]
    name = lexicon.ALIASES.get(node.name, node.name)
    moves: list[Node] = [part for part in node.arguments if not isinstance(part, Name | Number)]
    return [(name, node.name_span)], moves


def _functions(
    node: Call | Group, around: _Around
) -> tuple[list[Finding], list[tuple[Node, _Around]]]:
    """Errors of the functions of a node, and what is inside with what then stands around it."""
    names, moves = _named(node)
    findings = [finding for name, _ in names for finding in _refused(node, name, around)][:1]
    inner = replace(around, place="term") if findings else around
    ending, passing = dict(inner.ending), dict(inner.passing)
    for name, span in names:
        findings += _clash(lexicon.ALIASES.get(name, name), ending, passing)
        if name in {"m", "c", "i", "rifle"}:
            ending.setdefault(lexicon.ALIASES.get(name, name), span)
        elif name in lexicon.NOT_ON_BETZA:
            passing.setdefault(name, span)
    inner = replace(inner, function=names[-1][0], ending=ending, passing=passing)
    outermost = lexicon.known(names[-1][0])
    if outermost is not None and outermost.kind == "piece":
        inner = _Around()
    return findings, [(move, inner) for move in moves]


def _clash(name: str, ending: dict[str, Span], passing: dict[str, Span]) -> Iterator[Finding]:
    """Functions that leave nothing of each other."""
    clashes = {"m": ("c", "i"), "c": ("m",), "i": ("m",)}.get(name, ())
    for other in clashes:
        if other in ending:
            message = "a move that may neither move nor capture"
            hint = f"leave out {name} or {other}"
            yield _found("never-legal", message, ending[other], hint)
            return
    other = {"j": "nj", "nj": "j"}.get(name, "")
    if other in passing:
        yield _found("contradiction", "j and nj cancel", passing[other], "leave out both")


def _refused(node: Call | Group, name: str, around: _Around) -> Iterator[Finding]:
    """A function that makes no leg where a leg is due, or no move where a move is due."""
    function = lexicon.known(name)
    if function is None or (around.place == "term" and not around.function):
        return
    if function.kind == "narrowing" or (around.place == "term" and function.kind != "piece"):
        return
    match function.kind:
        case "piece":
            reason = f"{name}() describes the piece"
        case "squares":
            reason = "INF has no direction"
        case "timing":
            reason = f"{name}() says when a whole term is legal"
        case "effect":
            reason = f"{name}() is no move"
        case _:
            reason = "a rifle capture ends at home" if name != "rpg" else "a rampage is no leg"
    hint = _APART.get(around.place, f"take it out of {around.function}()")
    yield _found("not-a-leg", reason, node.span, hint)


def _foreign(node: Embedded | Text, around: _Around, text: str) -> Iterator[Finding]:
    """Betza and text: whole terms, and closed to functions of squares passed."""
    if isinstance(node, Text):
        if around.place != "term":
            message = "text is a whole term"
            yield _found("not-a-leg", message, node.span, _APART[around.place])
        return
    if around.place != "term":
        run = text[node.span.start + 1 : node.span.end]
        leg = _LETTERS.get(run)
        hint = _APART[around.place] if leg is None else f"write {leg}"
        yield _found("betza-leg", "embedded Betza is a whole term", node.span, hint)
    for name in around.passing:
        message = f"{name} does not apply to embedded Betza"
        yield _found("betza-function", message, node.span, "say it in Betza or in Ħasínū")


def is_leap(term: Term) -> bool:
    """Whether a move passes over nothing: single oblique leaps, INF, and functions of these."""
    for node in nodes((term,)):
        match node:
            case Oblique(distance=distance):
                if distance is not None and distance.steps != (1,):
                    return False
            case Call(name=name):
                function = lexicon.known(name)
                if function is None or function.kind not in {"narrowing", "squares"}:
                    return False
            case Number() | Name() | Union() | Group():
                continue
            case _:
                return False
    return True


def is_straight(term: Term) -> bool:
    """Whether a move consists of radial moves only, which never jump."""
    held = list(nodes((term,)))
    leaps = any(isinstance(node, Call) and node.name == "INF" for node in held)
    others = any(isinstance(node, Oblique | Embedded | Text) for node in held)
    return any(isinstance(node, Radial) for node in held) and not leaps and not others
