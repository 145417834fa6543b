"""The moves of Ħasínū that amount to a given meaning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from alfil.errors import MeaningError
from alfil.meaning.automaton import CAPTURES, ON_EMPTY, Automaton, TooManyStates
from alfil.meaning.compare import same_meaning
from alfil.meaning.normal import union
from alfil.meaning.piece import EMPTY, Condition, Guard, Meaning, Part, gather
from alfil.notation.hasinu.nodes import HasinuTerm
from alfil.notation.nodes import Description
from alfil.source import Source
from alfil.translation.into_hasinu.bends import terms_of
from alfil.translation.into_hasinu.steps import Land, as_first_move
from alfil.translation.into_hasinu.strands import Segment, Strand, Unsayable, strands
from alfil.translation.parts import meaning_of

# What a piece may always do, and what it may do as its first move.
_ALWAYS: Guard = ()
_FIRST: Guard = (Condition("move", 1),)
# Automata with more states or more first steps than this are not taken apart, and only those with
# few states may turn out to have no path that a board can hold.
LARGEST = 1_000
WIDEST = 80
SMALL = 50

Terms = tuple[HasinuTerm, ...]
NOWHERE = Source("", "<hasinu>")


@lru_cache(maxsize=1024)
def meaning_of_terms(terms: Terms) -> Meaning:
    """The meaning of moves that a translation has made."""
    return meaning_of(Description(terms, "hasinu", "betza"), NOWHERE)


def means(terms: Terms, meaning: Meaning) -> bool:
    """Whether moves have exactly this meaning; moves too large to be compiled have none."""
    try:
        return same_meaning(meaning_of_terms(terms), meaning)
    except MeaningError:
        return False


def together(meanings: Iterable[Meaning]) -> Meaning:
    """The meaning of a piece that may move as any of these; raises `TooManyStates`."""
    by_guard: dict[Guard, list[Automaton]] = {}
    for meaning in meanings:
        for guard, automaton in meaning.parts:
            by_guard.setdefault(guard, []).append(automaton)
    return gather(Part(guard, union(automata)) for guard, automata in by_guard.items())


def within(smaller: Meaning, larger: Meaning) -> bool:
    """Whether a piece may do nothing that the other may not; no where that is too large to tell.

    >>> from alfil.translation.into_hasinu.steps import leg
    >>> wazir, rook = (meaning_of_terms((leg([(0, 1)], most),)) for most in ((1,), None))
    >>> within(wazir, rook), within(rook, wazir)
    (True, False)
    """
    try:
        return same_meaning(together((smaller, larger)), larger)
    except TooManyStates:
        return False


def sayings(meaning: Meaning) -> Terms | None:
    """Moves with exactly this meaning, or None where none are found."""
    for terms in _candidates(meaning, ""):
        if means(terms, meaning):
            return terms
    small = all(len(part.automaton.states) <= SMALL for part in meaning.parts)
    return () if small and same_meaning(meaning, EMPTY) else None


def wider_sayings(meaning: Meaning, whole: Meaning) -> Iterator[Terms]:
    """Moves that may do all this, and stop on the way besides where the whole piece may.

    They have not been compared with it.
    """
    land = _stops_allowed(meaning, whole)
    if land:
        yield from _candidates(meaning, land)


def _stops_allowed(meaning: Meaning, whole: Meaning) -> Land:
    """How the whole piece may end where the moves of one part go on without a stop."""
    allowed = ON_EMPTY | CAPTURES
    larger = {part.guard: part.automaton for part in whole.parts}
    for guard, automaton in meaning.parts:
        around = larger.get(guard)
        for record in automaton.states[0]:
            if around is not None and not record[3]:
                allowed &= next((each[3] for each in around.states[0] if each[:3] == record[:3]), 0)
    captures = allowed & CAPTURES == CAPTURES
    return ("mc" if captures else "m") if allowed & ON_EMPTY else "c" if captures else ""


def _candidates(meaning: Meaning, land: Land) -> Iterator[Terms]:
    """Moves for the strands of a meaning, fewest first; legs that must not end may with ``land``.

    There are two ways to cut strands into legs, so there are at most two candidates.
    """
    found: list[Terms] = []
    for single in (False, True):
        terms: Terms | None = ()
        for guard, automaton in meaning.parts:
            more = _of_part(guard, automaton, land, single=single)
            terms = None if terms is None or more is None else (*terms, *more)
        if terms is not None and terms not in found:
            found.append(terms)
    yield from sorted(found, key=len)


def _of_part(guard: Guard, automaton: Automaton, land: Land, *, single: bool) -> Terms | None:
    """The moves for one part of a meaning."""
    states = automaton.states
    if guard not in {_ALWAYS, _FIRST} or len(states) > LARGEST or len(states[0]) > WIDEST:
        return None
    try:
        rows = strands(automaton, single=single)
    except Unsayable:
        return None
    if land:
        rows = [_floating(strand, land) for strand in rows]
    terms = terms_of(rows)
    return as_first_move(terms) if terms and guard == _FIRST else terms


def _floating(strand: Strand, land: Land) -> Strand:
    """The strand with leave to end on every leg."""
    return tuple(
        segment if segment.land else Segment(segment.vector, segment.lengths, land)
        for segment in strand
    )
