"""Moves in the making: where two meet, every complete end of the first leads to the second."""

from __future__ import annotations

from typing import NamedTuple

from alfil.meaning.automaton import PAST_EMPTY
from alfil.meaning.itinerary import AnyWay, Jump, Link, Stage, Turning
from alfil.meaning.lower.context import Context


class Exit(NamedTuple):
    """A stage after which a move is complete, and what its last square may hold to go on.

    ``turning`` is the turn its body ends in, if any; ``jumps`` are counted permissions.
    """

    stage: Stage
    through: int = PAST_EMPTY
    jumps: tuple[Jump, ...] = ()
    turning: Turning | None = None


class Fragment(NamedTuple):
    """A move in the making."""

    entries: list[Stage]
    exits: list[Exit]


def united(fragments: list[Fragment]) -> Fragment:
    """Any one of several moves."""
    return Fragment(
        [stage for fragment in fragments for stage in fragment.entries],
        [one for fragment in fragments for one in fragment.exits],
    )


def single(stage: Stage, context: Context) -> Fragment:
    """A move of one stage."""
    return Fragment([stage], [Exit(stage, context.passing(), context.jumps)])


def whole(exits: list[Exit]) -> list[Exit]:
    """The ends of a loop: the turn between its rounds is no turn after the last."""
    return [one._replace(turning=None) for one in exits]


def join(exits: list[Exit], entries: list[Stage], turning: Turning | None) -> None:
    """Let the entries follow the exits, by a turn, or by the one each exit ends in, or anywhere."""
    for stage, through, jumps, last in exits:
        rule = turning or last or AnyWay()
        stage.after.extend(Link(entry, rule, through, jumps) for entry in entries)


def ends(stages: list[Stage]) -> bool:
    """Whether a move that begins with one of the stages may end at all."""
    seen = {id(stage) for stage in stages}
    stack = list(stages)
    while stack:
        stage = stack.pop()
        if stage.land or stage.shoot:
            return True
        for link in stage.after:
            if id(link.stage) not in seen:
                seen.add(id(link.stage))
                stack.append(link.stage)
    return False
