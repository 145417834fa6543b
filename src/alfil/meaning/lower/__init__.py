"""From the tree to the meaning: the only place that sees both nodes and automata."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from alfil.errors import Finding, MeaningError
from alfil.meaning.automaton import (
    STATE_LIMIT,
    Automaton,
    Edge,
    TooManyStates,
    canonical,
    edges_of,
)
from alfil.meaning.home import settle_wandering
from alfil.meaning.itinerary import Stage
from alfil.meaning.lower.ending import Refused
from alfil.meaning.lower.exploring import explored
from alfil.meaning.normal import contract
from alfil.meaning.piece import Fact, Guard, Meaning, Part, gather
from alfil.meaning.straight import straight
from alfil.notation.nodes import Description
from alfil.source import Source, Span

__all__ = ["explored", "lowered_ways", "meaning_of", "union"]


def meaning_of(description: Description, source: Source) -> Meaning:
    """The meaning of a description.

    Raises `MeaningError` for what was read but has no moves that a table could hold: words as a
    move, functions nobody knows, a description whose automaton outgrows the limit of states.
    """
    try:
        _no_unknown_names(description)
        return _meaning(description)
    except Refused as refused:
        raise MeaningError(refused.findings, source) from None
    except RecursionError:
        raise MeaningError([_too_deep(description.span)], source) from None


def _meaning(description: Description) -> Meaning:
    """The meaning of a description, or of a move that one of its functions carries."""
    try:
        parts = [Part(guard, _automaton(guard, ways)) for guard, ways in lowered_ways(description)]
    except TooManyStates:
        raise Refused([_too_large(description.span)]) from None
    return gather(parts, _facts(description))


def _no_unknown_names(description: Description) -> None:
    """Stop where a function is called that nobody knows; Betza has no names."""
    if description.notation == "hasinu":
        from alfil.notation.hasinu.resolve import unknown_functions

        unknown = unknown_functions(description)
        if unknown:
            raise Refused(unknown)


def _too_deep(span: Span) -> Finding:
    return Finding(
        "too-deep",
        "nested too deep to be compiled",
        (span,),
        "use fewer brackets inside brackets",
    )


def _too_large(span: Span) -> Finding:
    return Finding(
        "too-many-states",
        f"this piece is too large to be compiled: more than {STATE_LIMIT} states, or as much work",
        (span,),
        "fewer repetitions, or n for any number of them",
    )


def lowered_ways(description: Description) -> Iterable[tuple[Guard, list[list[Stage]]]]:
    """For each guard, the stages its terms may begin with, term by term."""
    by_guard: dict[Guard, list[list[Stage]]] = {}
    for guard, stages in _ways(description):
        by_guard.setdefault(guard, []).append(stages)
    return by_guard.items()


def _ways(description: Description) -> Iterable[tuple[Guard, list[Stage]]]:
    """The ways of all terms; the lowering of a notation is imported with its first text."""
    match description.notation:
        case "betza":
            from alfil.meaning.lower.betza import betza_ways

            return betza_ways(description)
        case "hasinu":
            from alfil.meaning.lower.hasinu import hasinu_ways

            return hasinu_ways(description)
        case _:
            assert_never(description.notation)


def _facts(description: Description) -> list[Fact]:
    """What the description says besides moves; Betza has no words for that."""
    if description.notation == "betza":
        return []
    from alfil.meaning.lower.facts import facts_of

    return facts_of(description, _meaning)


def _automaton(guard: Guard, ways: list[list[Stage]]) -> Automaton:
    """The automaton of all ways a piece may set out, each term normalised by itself first."""
    known = straight(stage for stages in ways for stage in stages)
    if known:
        return known
    # Where the squares passed matter none of them is transparent.
    trailing = any(condition.kind == "trail" for condition in guard)
    terms = [straight(stages) or explored(stages, joining=not trailing) for stages in ways]
    return union(terms, joining=not trailing)


def union(automata: list[Automaton], *, joining: bool = True) -> Automaton:
    """One automaton with the paths of all, in normal form."""
    if len(automata) == 1:
        return automata[0]
    rows: list[list[Edge]] = []
    starts: list[int] = []
    for automaton in automata:
        starts.append(len(rows))
        rows.extend(edges_of(automaton, len(rows)))
    joined = settle_wandering(canonical(rows, starts))
    return contract(joined) if joining else joined
