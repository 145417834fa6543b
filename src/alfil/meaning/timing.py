"""When the parts of a piece may be used, and the moments that tell two pieces apart."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm
from typing import NamedTuple

from alfil.meaning.piece import Condition, Guard, Meaning

# So many sets of "every k-th move" are told apart; pieces in use have one or two.
LCM_LIMIT = 64


class Timing(NamedTuple):
    """What a piece has done so far: moves made (None: many), and where it stood at first."""

    moves_made: int | None = None
    third_rank: bool = False


class TooManyTimings(Exception):
    """The conditions of the pieces make more moments than are looked at."""


def allows(guard: Guard, timing: Timing) -> bool:
    """Whether all conditions on the piece's own past hold; unknown counts as yes.

    >>> allows((Condition("move", 1),), Timing(0)), allows((Condition("move", 1),), Timing())
    (True, False)
    """
    return all(_holds(condition, timing) for condition in guard)


def _holds(condition: Condition, timing: Timing) -> bool:
    match condition.kind:
        case "move":
            return timing.moves_made == condition.value - 1
        case "every":
            return timing.moves_made is None or (timing.moves_made + 1) % condition.value == 0
        case "third-rank":
            return timing.third_rank
        case _:
            return True


def timings(meanings: Iterable[Meaning]) -> list[Timing]:
    """Moments enough for every set of conditions that may hold at once, simplest first.

    Raises `TooManyTimings`.
    """
    conditions = {each for meaning in meanings for guard, _ in meaning.parts for each in guard}
    moves = {each.value for each in conditions if each.kind == "move"}
    periods = sorted(each.value for each in conditions if each.kind == "every")
    ranks = (False, True) if any(each.kind == "third-rank" for each in conditions) else (False,)
    made: list[int | None] = [] if periods else [None]
    made += sorted(number - 1 for number in moves | _turns(periods, moves))
    return [Timing(number, rank) for number in made for rank in ranks]


def _turns(periods: list[int], moves: set[int]) -> set[int]:
    """Numbers of moves, each divided by other ones of the periods, none of them in ``moves``."""
    if not periods:
        return set()
    multiples = {1}
    for period in periods:
        multiples |= {lcm(each, period) for each in multiples}
        if len(multiples) > LCM_LIMIT:
            raise TooManyTimings
    return {_turn(multiple, periods, moves) for multiple in multiples}


def _turn(multiple: int, periods: list[int], moves: set[int]) -> int:
    """The first multiple that no more of the periods divide, and that is not in ``moves``."""
    wanted = {period for period in periods if multiple % period == 0}
    number = multiple
    while number in moves or {period for period in periods if number % period == 0} != wanted:
        number += multiple
    return number
