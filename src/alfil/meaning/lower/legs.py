"""One leg of Betza as a stage: what its letters let it pass, take and end on."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.geometry import Vector
from alfil.meaning.automaton import (
    MOVE_OR_CAPTURE,
    ON_AWAY,
    ON_EMPTY,
    ON_ENEMY,
    ON_FRIEND,
    ON_ROYAL,
    ON_TRAIL,
    OVER_ANY,
    OVER_ENEMY,
    OVER_ROYAL,
    PAST_EMPTY,
    TAKE_ENEMY,
    TAKE_FRIEND,
    TAKE_ROYAL,
    TAKE_TRAIL,
    THRU_ANY,
    THRU_ENEMY,
    THRU_ROYAL,
    WRAP_BOTH,
    WRAP_FILES,
)
from alfil.meaning.itinerary import Link, Memory, Stage
from alfil.meaning.lower.ending import Ending
from alfil.meaning.lower.turns import ChainTurn, PathTurn
from alfil.movement.turning import Sense
from alfil.notation.betza.nodes import Modifiers

LANDS = {
    "m": ON_EMPTY,
    "c": ON_ENEMY | ON_ROYAL,
    "d": ON_FRIEND,
    "e": ON_TRAIL,
    "k": ON_ROYAL,
}
GOES = {
    "m": PAST_EMPTY,
    "c": TAKE_ENEMY | TAKE_ROYAL,
    "d": TAKE_FRIEND,
    "e": TAKE_TRAIL,
    "k": TAKE_ROYAL,
    "p": OVER_ANY,
    "g": OVER_ANY,
    "y": PAST_EMPTY,
}

# What a hurdle of XBoard's t is not.
SPARED = OVER_ENEMY | OVER_ROYAL | THRU_ENEMY | THRU_ROYAL


def land_mask(modifiers: Modifiers) -> int:
    """How a last leg with these letters may end."""
    mask = 0
    for mode in modifiers.modes:
        mask |= LANDS.get(mode, 0)
    mask = mask or MOVE_OR_CAPTURE
    return mask & ~ON_ROYAL if "t" in modifiers.modes else mask


def go_mask(modifiers: Modifiers) -> int:
    """What a leg with these letters may go on from."""
    mask = 0
    for mode in modifiers.modes:
        mask |= GOES.get(mode, 0)
    if mask & PAST_EMPTY and mask & OVER_ANY:
        mask = mask & ~OVER_ANY | THRU_ANY  # a free leap, over nothing or anything
    if "t" in modifiers.modes:
        mask &= ~SPARED
    return mask or PAST_EMPTY


def _wrap(modifiers: Modifiers) -> int:
    if "oo" in modifiers.modes:
        return WRAP_BOTH
    return WRAP_FILES if "o" in modifiers.modes else 0


def sense_of(modifiers: Modifiers) -> Sense:
    """What a leg says of its bend, compared with the latest one."""
    return "other" if "z" in modifiers.modes else "same" if "q" in modifiers.modes else "any"


def stage_of(
    modifiers: Modifiers,
    vectors: tuple[Vector, ...],
    lengths: tuple[int, ...] | None,
) -> Stage:
    """One leg with the letters that change the way it runs; it can neither end nor go on yet."""
    stage = Stage(vectors, lengths, wrap=_wrap(modifiers))
    plain = all(max(abs(x), abs(y)) == 1 for x, y in vectors)
    if "j" in modifiers.modes:
        if plain:
            stage.ski = True
        else:
            stage.between = OVER_ANY
    if "n" in modifiers.modes and not plain:
        stage.between = PAST_EMPTY
    return stage


def let_end(stage: Stage, modifiers: Modifiers, ending: Ending) -> Stage:
    """Let the stage end the move."""
    ending.apply(stage, land_mask(modifiers))
    if "p" in modifiers.modes:
        stage.hop = "p"
    elif "g" in modifiers.modes:
        stage.hop = "g"
    return stage


def connect(before: Stage, link: Link) -> None:
    """Let a stage follow another; straight back by the same length ends at home in one step."""
    after, turning = link.stage, link.turning
    back = isinstance(turning, ChainTurn | PathTurn) and turning == type(turning)((4,))
    if after.iso and back and _returns(before, after):
        home = Stage((), (1,), land=after.land, homeward=True)
        before.measured = False
        link = Link(home, HOMEWARD, link.through)
    before.after.append(link)


class _Homeward:
    """Back the way the last leg came."""

    def ways(
        self, travelled: Vector, memory: Memory, vectors: tuple[Vector, ...]
    ) -> Iterator[tuple[tuple[Vector, ...], Memory]]:
        """No direction of its own."""
        del travelled, vectors
        yield (), memory


HOMEWARD = _Homeward()


def _returns(before: Stage, after: Stage) -> bool:
    """Whether the way back is over squares known to be empty, and so needs no second look."""
    return (
        before.along == PAST_EMPTY
        and before.lengths == after.lengths
        and not (before.between or before.ski or before.wrap or before.iso)
        and not (after.between or after.ski or after.wrap or after.hop or after.after)
        and bool(after.land & (ON_EMPTY | ON_AWAY))
    )
