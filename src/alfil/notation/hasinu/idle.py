"""Functions that change nothing about the move they are given."""

from __future__ import annotations

from dataclasses import replace

from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.arguments import arguments
from alfil.notation.hasinu.bound import MoveCall, TimedCall
from alfil.notation.hasinu.legs import is_leap, is_straight
from alfil.notation.hasinu.nodes import Call, HasinuTerm, Radial, Union
from alfil.notation.nodes import Term

# Twice is the same as once, as long as flags and numbers are the same.
_ONCE = frozenset({"m", "c", "nj", "j", "i", "rpg"})


def idle(call: Call) -> tuple[Call, HasinuTerm] | None:
    """The call that changes nothing, and all that is left without it; None when all matters.

    Only the outermost function and the one directly inside it are looked at.
    """
    match arguments(call):
        case TimedCall(name="ataction", number=1, move=move):
            return call, move
        case MoveCall(move=move) as bound:
            if _leaves_as_it_is(bound):
                return call, move
            if isinstance(move, Call) and (core := _without(bound, move)):
                kept = tuple(core if part is move else part for part in call.arguments)
                return move, replace(call, arguments=kept)
            return None
        case _:
            return None


def _leaves_as_it_is(bound: MoveCall) -> bool:
    match bound:
        case MoveCall(name="nj"):
            return is_straight(bound.move)
        # A rampage that spares no friends may end on one, and a single step may not.
        case MoveCall(name="j") | MoveCall(name="rpg", side="E"):
            return _passes_nothing(bound.move)
        case _:
            return False


def _without(outer: MoveCall, inner: Call) -> HasinuTerm | None:
    """The move inside an inner function that adds nothing to the one directly around it."""
    bound = arguments(inner)
    if not isinstance(bound, MoveCall):
        return None
    if (outer.name, bound.name) == ("i", "c"):
        return bound.move
    same = replace(bound, move=outer.move) == outer and outer.name in _ONCE
    # Counts add up, and what happens on the enemy's action is data of its own.
    plain = outer.number is None and outer.when in {"", "A"} and outer.greed in {"", "L"}
    return bound.move if same and plain else None


def _passes_nothing(move: Term) -> bool:
    """Whether a move passes over no square: steps, leaps, and functions or lists of these."""
    match move:
        case Radial(distance=distance):
            return distance.steps == (1,)
        case Union(terms=terms) if terms:
            return all(_passes_nothing(term) for term in terms)
        case Call(name=name) if name in lexicon.LEG_FUNCTIONS:
            bound = arguments(move)
            return isinstance(bound, MoveCall) and _passes_nothing(bound.move)
        case _:
            return is_leap(move)
