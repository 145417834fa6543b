"""What the functions and loops around a Ħasínū move make of it, in words."""

from __future__ import annotations

from typing import NamedTuple

from alfil.notation.english import facts, words
from alfil.notation.english.leaves import MOVE_OR_CAPTURE
from alfil.notation.english.legs import Narrow
from alfil.notation.hasinu.calls import MoveCall
from alfil.notation.hasinu.nodes import Call

ABLE = "able to jump over"
OVER_ALL = f"{ABLE} any pieces in its way"


class Context(NamedTuple):
    """What the functions and loops around a move make of it.

    ``ways`` are what functions of the squares passed say, as phrases; ``leaps`` is true under a j
    that lets a move over anything, ``no_jumps`` under nj, ``greedy`` under a rampage to the
    farthest square, ``looped`` inside a loop. ``inside`` are the functions around it by name.
    """

    narrow: Narrow = MOVE_OR_CAPTURE
    ways: tuple[str, ...] = ()
    leaps: bool = False
    no_jumps: bool = False
    greedy: bool = False
    looped: bool = False
    inside: tuple[str, ...] = ()


def inner(call: Call, bound: MoveCall, context: Context) -> Context:
    """The context of the move inside a function that narrows or changes it."""
    context = context._replace(inside=(*context.inside, call.name))
    match bound.name:
        case "m" | "c":
            return context._replace(narrow=context.narrow & {bound.name})
        case "nj":
            return context._replace(no_jumps=True)
        case "j":
            everything = bound.side == "FE" and bound.number is None
            ways = (*context.ways, _jump(bound))
            return context._replace(ways=ways, leaps=context.leaps or everything)
        case _:
            greedy = context.greedy or bound.greed == "G"
            return context._replace(ways=(*context.ways, _rampage(bound)), greedy=greedy)


def _jump(bound: MoveCall) -> str:
    if bound.number is None:
        return OVER_ALL if bound.side == "FE" else f"{ABLE} any {facts.ALL[bound.side]} in its way"
    if bound.number == 1:
        one = {"F": "friend", "E": "enemy", "FE": "piece of either side"}[bound.side]
        return f"{ABLE} at most one {one} in its way"
    return f"{ABLE} at most {words.number(bound.number)} {facts.ALL[bound.side]} in its way"


def _rampage(bound: MoveCall) -> str:
    over = "runs over or ends on" if "F" in bound.side else "runs over"
    every = {"F": "friend", "E": "enemy", "FE": "piece of either side"}[bound.side]
    far = ", and stopping only at the farthest square it can" if bound.greed == "G" else ""
    return f"capturing every {every} it {over}{far}"


def ends(context: Context) -> tuple[Narrow, tuple[str, ...]]:
    """What a move may end on; where it captures on its way, that is said of its end alone."""
    rampage = any(not way.startswith(ABLE) for way in context.ways)
    if not rampage or context.narrow == MOVE_OR_CAPTURE:
        return context.narrow, ()
    kind = "an empty square" if context.narrow == {"m"} else "a capture"
    return MOVE_OR_CAPTURE, (f", ending on {kind} only",)


def manner(context: Context, silent: str | None = None) -> tuple[str, ...]:
    """The phrases of the functions around a move, but for those that begin with ``silent``."""
    ways = [way for way in context.ways if silent is None or not way.startswith(silent)]
    return tuple(f", {way}" for way in ways)
