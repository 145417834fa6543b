"""The marks of one position: the moves a piece has there, as marks like those of any diagram."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from alfil.diagrams.lines import Lines
from alfil.diagrams.marks import Asks, Ends, Mark, Marks, Offset, Passed, Remark, Standing, Way
from alfil.diagrams.walk import TIMING, arrows_from, simplest
from alfil.meaning.piece import Guard
from alfil.tables.walking import PieceMove


def marks_in(
    position: Mapping[Offset, Standing], moves: Collection[PieceMove], general: Marks, lines: Lines
) -> Marks:
    """The marks of a position.

    ``general`` are the marks of the piece in the same window: what a move itself does not tell,
    whether it leaps or slides, is looked up there. Where moves leave the window ``lines`` tell.
    """
    ways: dict[Offset, dict[tuple[int, Guard], int]] = {}
    passed: dict[Offset, Passed] = {}
    for move in sorted(moves):
        way = _way(move, position, general)
        held = ways.setdefault(move.to, {})
        key = (way.asks.value, way.guard)
        held[key] = held.get(key, 0) | way.ends.value
        for at, how in _passed(move):
            passed[at] = passed.get(at, Passed(0)) | how
    squares = {
        at: Mark(simplest(ways.get(at, {})), passed.get(at, Passed(0)))
        for at in sorted({*ways, *passed})
    }
    leaving = ((each.at, each.step) for each in lines.exits)
    arrows = arrows_from(leaving, general.window)
    return Marks(general.window, squares, arrows, general.remarks & ~NOT_HERE, dict(position))


# What a position shows by itself.
NOT_HERE = Remark.TRAIL


def _way(move: PieceMove, position: Mapping[Offset, Standing], general: Marks) -> Way:
    ends = Ends.MOVE
    on_the_way = set(move.captures) - {move.to}
    if move.to in move.captures:
        ends = Ends.OWN if move.to in move.own_captures else Ends.CAPTURE
    elif on_the_way and position.get(move.to) is Standing.TRAIL:
        ends, on_the_way = Ends.CAPTURE, set()
    asks = Asks.LOCUST if on_the_way else Asks(0)
    if move.hurdles:
        asks |= Asks.HURDLE
    guard = tuple(condition for condition in move.guard if condition.kind in TIMING)
    return Way(ends, asks | _manner(move.to, asks, guard, general), guard)


def _manner(to: Offset, asks: Asks, guard: Guard, general: Marks) -> Asks:
    """Whether ways of that sort to a square leap, and whether they need empty squares."""
    special = Asks.LOCUST | Asks.HURDLE
    for way in general.squares.get(to, Mark(())).ways:
        if way.asks & special == asks and way.guard == guard:
            return way.asks & ~special
    return Asks(0)


def _passed(move: PieceMove) -> Iterator[tuple[Offset, Passed]]:
    for at in move.captures:
        if at != move.to:
            yield at, Passed.OWN_VICTIM if at in move.own_captures else Passed.VICTIM
    for at in move.hurdles:
        yield at, Passed.HURDLE
