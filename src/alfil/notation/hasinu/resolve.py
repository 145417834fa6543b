"""Which functions a description calls that nobody has defined."""

from __future__ import annotations

from collections.abc import Sequence

from alfil.errors import Finding
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.nodes import Call, Group
from alfil.notation.hasinu.signatures import DeclareCall, bind
from alfil.notation.hasinu.walk import nodes
from alfil.notation.nodes import Description, Term
from alfil.source import Span


def declarations(terms: Sequence[Term]) -> dict[str, DeclareCall]:
    """The functions that ``function(...)`` declares, anywhere in a description, by name."""
    declared: dict[str, DeclareCall] = {}
    for node in nodes(terms):
        if isinstance(node, Call) and node.name == "function":
            bound = bind(node)
            if isinstance(bound, DeclareCall):
                declared[bound.name] = bound
    return declared


def unknown_functions(description: Description) -> tuple[Finding, ...]:
    """An error for every name that is called or grouped, and neither built in nor declared.

    The hint is the nearest known name. A declaration holds for the whole description, before it
    as well as after it.
    """
    declared = declarations(description.terms)
    findings: list[Finding] = []
    for name, span in _called(description.terms):
        if name in lexicon.RESERVED or name in declared:
            continue
        near = lexicon.nearest(name, (*lexicon.FUNCTIONS, *lexicon.ALIASES, *declared))
        hint = near or f"declare it with function({name}, range)"
        findings.append(Finding("unknown-function", f"no function is called {name}", (span,), hint))
    return tuple(findings)


def _called(terms: Sequence[Term]) -> list[tuple[str, Span]]:
    called: list[tuple[str, Span]] = []
    for node in nodes(terms):
        if isinstance(node, Call):
            called.append((node.name, node.name_span))
        elif isinstance(node, Group):
            called += [(name.text, name.span) for name in node.names]
    return called
