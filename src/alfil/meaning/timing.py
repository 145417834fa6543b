"""The moments that may tell two pieces apart: what they have done before."""

from __future__ import annotations

from collections.abc import Iterable
from math import lcm
from typing import NamedTuple

from alfil.meaning.piece import Meaning

# So many sets of "every k-th move" are told apart; pieces in use have one or two.
LCM_LIMIT = 64


class Timing(NamedTuple):
    """What a piece has done so far: moves made (None: many), and where it stood at first."""

    moves_made: int | None = None
    third_rank: bool = False


class TooManyTimings(Exception):
    """The conditions of the pieces make more moments than are looked at."""


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
