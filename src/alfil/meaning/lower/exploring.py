"""From stages to the automaton of one term."""

from __future__ import annotations

from alfil.meaning.automaton import Automaton, canonical
from alfil.meaning.itinerary import Explorer, Stage
from alfil.meaning.normal import normalise


def explored(stages: list[Stage], *, joining: bool = True) -> Automaton:
    """The automaton of one term in normal form, by walking all ways through its stages."""
    explorer = Explorer()
    starts = explorer.start(stages)
    return normalise(canonical(explorer.edges, starts), joining=joining)
