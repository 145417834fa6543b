"""What each stretch of a text says: its parts in words, and the squares of parts and of legs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from alfil.api import Piece
from alfil.diagrams.diagram_model import Offset, Window
from alfil.diagrams.square_marks import marks_of
from alfil.english import describe_movement
from alfil.errors import AlfilError
from alfil.frozen_dataclasses import NamedTuple
from alfil.meaning.compile_movement import meaning_of
from alfil.movement.nodes import Movement, Option, Then, Way, Within
from alfil.notation.registry import options_of_written_parts
from alfil.source import Source, Span

# So many legs of a text have squares: each is worked out with all legs before it.
MAX_LEGS = 48


class LegWithEndSquares(NamedTuple):
    """A leg of a part: where it stands in the text, and the squares on which it may end."""

    span: Span
    squares: tuple[Offset, ...]


class ExplainedPart(NamedTuple):
    """A part of a text in words, the squares it goes to, and the legs it is made of."""

    span: Span
    words: str
    squares: tuple[Offset, ...]
    legs: tuple[LegWithEndSquares, ...] = ()


def explained_parts(piece: Piece, window: Window) -> tuple[ExplainedPart, ...]:
    """The parts of a text, each with its squares in a window.

    A leg has the squares on which it may end, after those before it. What has no meaning by
    itself, such as a fact about the piece, is no part.

    >>> from alfil.api import read
    >>> from alfil.diagrams.diagram_model import open_window
    >>> [(each.span[:], len(each.squares)) for each in explained_parts(read("WfN"), open_window(2))]
    [((0, 1), 4), ((1, 3), 2)]
    >>> chain = read(f"[{'-'.join('W' * 60)}]")
    >>> [len(each.legs) for each in explained_parts(chain, open_window(2))] == [MAX_LEGS]
    True
    """
    result = []
    tries = iter(range(MAX_LEGS))
    for option in options_of_written_parts(piece.tree):
        squares = _squares_of_option(option, window, piece.source)
        if squares is not None:
            words = describe_movement(Movement((option,)))
            legs = tuple(
                LegWithEndSquares(span, found)
                for (span, leg), _ in zip(_paths_ending_with_each_leg(option), tries, strict=False)
                if (found := _squares_of_option(leg, window, piece.source))
            )
            result.append(ExplainedPart(option.span, words, squares, legs))
    return tuple(result)


def _squares_of_option(option: Option, window: Window, source: Source) -> tuple[Offset, ...] | None:
    """The squares with a sign of an option by itself, None where it has no meaning."""
    try:
        marks = marks_of(meaning_of(Movement((option,)), source), window)
    except AlfilError:
        return None
    return tuple(sorted(at for at in marks.squares if at != (0, 0)))


def _paths_ending_with_each_leg(option: Option) -> Iterator[tuple[Span, Option]]:
    """The legs of a way of several, each as the way up to its end."""
    rules: list[Within] = []
    way: Way = option.way
    while isinstance(way, Within):
        rules.append(way)
        way = way.way
    if not isinstance(way, Then):
        return
    for count, leg in enumerate(way.ways, 1):
        beginning: Way = way
        if count == 1:
            beginning = leg
        elif count < len(way.ways):
            only = way.only and tuple(each[:count] for each in way.only)
            beginning = replace(
                way, ways=way.ways[:count], joins=way.joins[: count - 1], onward=None, only=only
            )
        for rule in reversed(rules):
            beginning = replace(rule, way=beginning)
        yield leg.span, replace(option, way=beginning)
