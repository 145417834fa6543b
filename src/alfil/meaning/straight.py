"""Automata of pieces that only run straight, built without search.

Leapers, sliders and riders are most pieces there are. When no two of their runs share a vector the
automaton is known beforehand: one row of states for each vector, all different, so there is
nothing to determinise or minimise. A test compares the result with the general way.
"""

from __future__ import annotations

from collections.abc import Iterable

from alfil.meaning.automaton import (
    ON_AWAY,
    ON_EMPTY,
    PAST_EMPTY,
    Automaton,
    Record,
    State,
    number,
)
from alfil.meaning.itinerary import Stage


def straight(stages: Iterable[Stage]) -> Automaton | None:
    """The automaton of stages that are plain runs along distinct vectors, or None."""
    rows: list[State] = [()]
    start: dict[tuple[int, int], Record] = {}
    loops = 0
    for stage in stages:
        if not _plain(stage):
            return None
        if not stage.land:
            continue
        for vector in stage.vectors:
            if vector in start:
                return None
            start[vector] = _run(vector, stage, rows)
            loops += stage.lengths is None
    if loops == len(start) == 1:
        # A piece that only runs along one line is as it was at the start wherever it has got to.
        ((dx, dy, wrap, emit, ((mask, _),)),) = start.values()
        return Automaton((((dx, dy, wrap, emit, ((mask, 0),)),),))
    rows[0] = tuple(start.values())
    return number(rows)


def _plain(stage: Stage) -> bool:
    return (
        stage.along == PAST_EMPTY
        and not stage.after
        and not (stage.between or stage.hop or stage.ski or stage.shoot or stage.jumps)
        and not (stage.iso or stage.measured or stage.homeward or stage.wrap)
    )


def _run(vector: tuple[int, int], stage: Stage, rows: list[State]) -> Record:
    """The record of a run's first step; the states of its other steps are added to the rows."""
    dx, dy = vector
    lengths = stage.lengths
    land_on = _land(stage.land)
    if lengths is None:
        index = len(rows)
        loop: Record = (dx, dy, 0, land_on, ((PAST_EMPTY, index),))
        rows.append((loop,))
        return loop
    record: Record = (dx, dy, 0, land_on, ())
    for step in range(lengths[-1] - 1, 0, -1):
        rows.append((record,))
        land = land_on if step in lengths else 0
        record = (dx, dy, 0, land, ((PAST_EMPTY, len(rows) - 1),))
    return record


def _land(land: int) -> int:
    """The ways to end; on a straight run every square is away from home."""
    return land & ~ON_AWAY | ON_EMPTY if land & ON_AWAY else land
