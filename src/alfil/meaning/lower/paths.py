"""Paths of Betza as stages: legs with atoms of their own, and letters that choose whole paths."""

from __future__ import annotations

from alfil.geometry import Vector
from alfil.meaning.itinerary import NO_MEMORY, Link, Memory, Stage, Turning, lengths_up_to
from alfil.meaning.lower.ending import Ending
from alfil.meaning.lower.legs import connect, go_mask, let_end, sense_of, stage_of
from alfil.meaning.lower.turns import PathTurn, Straight
from alfil.movement.turning import way_end
from alfil.notation.betza.directions import chosen, system_of
from alfil.notation.betza.nodes import Path


def path_stages(path: Path, ending: Ending) -> list[Stage]:
    """The stages a path may begin with."""
    if not path.prefix.directions:
        return [_linear(path, [leg.vectors for leg in path.legs], _path_turns(path), ending)]
    turns: list[Turning] = [Straight()] * (len(path.legs) - 1)
    return [_linear(path, [(v,) for v in way], turns, ending) for way in _selected(path)]


def _path_turns(path: Path) -> list[Turning]:
    return [PathTurn(leg.turns, sense_of(leg.modifiers)) for leg in path.legs[1:]]


def _linear(
    path: Path, vectors: list[tuple[Vector, ...]], turns: list[Turning], ending: Ending
) -> Stage:
    """The stages of a path, joined in a row."""
    stages: list[Stage] = []
    for index, leg in enumerate(path.legs):
        stage = stage_of(leg.modifiers, vectors[index], lengths_up_to(leg.range.steps, leg.vectors))
        stage.iso = index > 0 and "i" in leg.modifiers.modes
        later = path.legs[index + 1 :]
        stage.measured = stage.lengths != (1,) and any(
            "i" in each.modifiers.modes for each in later
        )
        if index == len(path.joins) or path.joins[index] == "?":
            let_end(stage, leg.modifiers, ending)
        stages.append(stage)
    for index in range(len(stages) - 1, 0, -1):
        turning = turns[index - 1]
        if isinstance(turning, Straight) and path.legs[index].turns == (4,):
            turning = PathTurn((4,), sense_of(path.legs[index].modifiers))
        through = go_mask(path.legs[index - 1].modifiers)
        connect(stages[index - 1], Link(stages[index], turning, through))
    return stages[0]


def _selected(path: Path) -> list[tuple[Vector, ...]]:
    """The ways through a path that its prefix letters choose, by the sums of their first steps."""
    turns = _path_turns(path)
    ways: list[tuple[tuple[Vector, ...], Memory]] = [
        ((vector,), NO_MEMORY) for vector in path.legs[0].vectors
    ]
    for leg, turning in zip(path.legs[1:], turns, strict=True):
        ways = [
            ((*way, vector), recalled)
            for way, memory in ways
            for vectors, recalled in turning.ways(way[-1], memory, leg.vectors)
            for vector in vectors
        ]
    ends = {way: way_end(way) for way, _ in ways}
    ends_found = tuple(dict.fromkeys(ends.values()))
    system = system_of(ends_found)
    wanted = set(chosen(path.prefix.directions, ends_found, system)) if system else set()
    return [way for way, end in ends.items() if end in wanted]
