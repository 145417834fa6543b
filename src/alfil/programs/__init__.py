"""What other programs do with a Betza text: models of their readers, more tolerant than ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module

from alfil.errors import unknown_name
from alfil.source import Span

# Each program with the module that has its `predict`; loaded when it is asked for.
PROGRAMS = {
    "fairy-stockfish": "alfil.programs.fairy_stockfish",
    "xboard": "alfil.programs.xboard",
}


@dataclass(frozen=True, slots=True)
class Prediction:
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


def predicted(text: str, program: str) -> Prediction:
    """What a program makes of a Betza text.

    Raises `AlfilError` of kind "unknown-program" for one there is no model of.

    >>> predicted("afsW", "fairy-stockfish").betza, predicted("mfW", "xboard").ignored
    ('fsW', (Span(start=1, end=2),))
    """
    home = PROGRAMS.get(program)
    if home is None:
        unknown_name("unknown-program", program, PROGRAMS, 0.4)
    predict: Callable[[str], Prediction] = import_module(home).predict
    return predict(text)


def joined(places: Iterable[int]) -> tuple[Span, ...]:
    """Single characters as stretches.

    >>> joined([1, 2, 5])
    (Span(start=1, end=3), Span(start=5, end=6))
    """
    spans: list[Span] = []
    for place in sorted(set(places)):
        if spans and spans[-1].end == place:
            spans[-1] = Span(spans[-1].start, place + 1)
        else:
            spans.append(Span(place, place + 1))
    return tuple(spans)
