"""What other programs do with a Betza text: models of their readers, more tolerant than ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib import import_module

from alfil.errors import reject_unknown_name
from alfil.movement.nodes import Castling, Leg, Movement, Way
from alfil.source import Span

# Each program with the module that has its `predict`; loaded when it is asked for.
PROGRAMS = {
    "fairy-stockfish": "alfil.programs.fairy_stockfish_reading",
    "xboard": "alfil.programs.xboard_reading",
}
# In these the rules of a game say who castles and who is taken en passant, no piece's text does.
PROGRAMS_WITH_GAME_RULES = frozenset({"fairy-stockfish"})


@dataclass(frozen=True, slots=True)
class PredictedReading:
    """What a program does with a text.

    ``betza`` says it in ``notation``, which is `betza` unless only another one has words for it; ""
    is a piece without moves, and None means that nobody has found out.
    ``ignored`` are the stretches of the text that the program passes over.
    """

    text: str
    program: str
    betza: str | None
    ignored: tuple[Span, ...] = ()
    notation: str = "betza"


def predict_reading(text: str, program: str) -> PredictedReading:
    """What a program makes of a Betza text.

    Raises `AlfilError` of kind "unknown-program" for one there is no model of.

    >>> predict_reading("afsW", "fairy-stockfish").betza, predict_reading("mfW", "xboard").ignored
    ('fsW', (Span(start=1, end=2),))
    """
    home = PROGRAMS.get(program)
    if home is None:
        reject_unknown_name("unknown-program", program, PROGRAMS, 0.4)
    predict: Callable[[str], PredictedReading] = import_module(home).predict
    return predict(text)


def without_game_rule_moves(movement: Movement, program: str) -> Movement:
    """A movement without what a program has from the rules of a game instead.

    >>> from alfil import read, same
    >>> same(without_game_rule_moves(read("fmWfceF").movement, "fairy-stockfish"), "fmWfcF")
    True
    """
    if program not in PROGRAMS_WITH_GAME_RULES:
        return movement
    options_kept = [each for each in movement.options if not isinstance(each.way, Castling)]
    return without_en_passant(replace(movement, options=tuple(options_kept)))


def without_en_passant(movement: Movement) -> Movement:
    """A movement without captures en passant, and not open to any.

    >>> from alfil import read, same
    >>> same(without_en_passant(read("fmWfceF").movement), "fmWfcF")
    True
    """
    options_kept = [
        replace(each, way=_way_without_en_passant(each.way), passer=False)
        for each in movement.options
        if not (isinstance(each.way, Leg) and each.way.ends == ("passer",))
    ]
    return replace(movement, options=tuple(options_kept))


def _way_without_en_passant(way: Way) -> Way:
    if not isinstance(way, Leg):
        return way
    return replace(way, ends=tuple(end for end in way.ends if end != "passer"))


def merge_offsets_into_spans(places: Iterable[int]) -> tuple[Span, ...]:
    """Single characters as stretches.

    >>> merge_offsets_into_spans([1, 2, 5])
    (Span(start=1, end=3), Span(start=5, end=6))
    """
    spans: list[Span] = []
    for place in sorted(set(places)):
        if spans and spans[-1].end == place:
            spans[-1] = Span(spans[-1].start, place + 1)
        else:
            spans.append(Span(place, place + 1))
    return tuple(spans)
