"""What it costs to compare two pieces, to translate one, and to read very many texts."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from statistics import median
from time import perf_counter, process_time

import alfil
from benchmarks.figures import Figure
from benchmarks.measure import column

PAIRS = 3_000
MILLION = 1_000_000
PROCESSES = 2
BUNDLE = 20_000
COMPARED = (
    "{0} pairs of the {1} pieces of tests/cases/betza.tsv and hasinu.tsv, drawn by lot, the same in"
    " every run; the bound for the slowest is 50 ms."
)
TRANSLATED = "{0} of {1} texts have an exact form; from the text to the text that was verified."


def measured() -> Iterator[Figure]:
    """Comparisons and translations."""
    betza, hasinu = _texts("betza", "betza"), _texts("hasinu", "hasinu")
    yield from _comparisons(betza, hasinu)
    corpus = _texts("betza_corpus", "notation")
    for what, given, read, write in (
        ("betza.tsv to Ħasínū", betza, "betza", "hasinu"),
        ("hasinu.tsv to Betza", hasinu, "hasinu", "betza"),
        ("the corpus to Ħasínū", corpus, "betza", "hasinu"),
    ):
        yield from _translations(what, given, read, write)


def _texts(name: str, columned: str) -> list[str]:
    """The distinct texts of a case file that can be read."""
    notation = "hasinu" if columned == "hasinu" else "betza"
    return [
        text
        for text in dict.fromkeys(column(f"{name}.tsv", columned))
        if _works(alfil.read, text, notation=notation, name="bench")
    ]


def _works(act: Callable[..., object], *given: object, **named: str) -> bool:
    try:
        act(*given, **named)
    except alfil.AlfilError:
        return False
    return True


def _comparisons(betza: list[str], hasinu: list[str]) -> Iterator[Figure]:
    chance = random.Random(1)
    # What earlier sections have left is not to be collected while pieces are compared.
    gc.collect()
    read = [alfil.read(text) for text in betza]
    read += [alfil.read(text, notation="hasinu") for text in hasinu]
    known = [piece for piece in read if _works(getattr, piece, "meaning")]
    pairs = [chance.sample(known, 2) for _ in range(PAIRS)]
    for ask in (alfil.difference, alfil.same, alfil.contains):
        spent = []
        for one, other in pairs:
            started = process_time()
            ask(one, other)
            spent.append((process_time() - started) * 1e3)
        does = COMPARED.format(PAIRS, len(known))
        what = f"two pieces compared, alfil.{ask.__name__}"
        yield Figure(what=f"{what}: median", value=median(spent), unit="ms", does=does)
        yield Figure(
            what=f"{what}: slowest", value=max(spent), unit="ms", must=50, at_most=True, does=does
        )


def _translations(what: str, given: list[str], read: str, write: str) -> Iterator[Figure]:
    spent, exact = [], 0
    for text in given:
        started = process_time()
        exact += _works(alfil.translate, text, read=read, write=write)
        spent.append((process_time() - started) * 1e3)
    does = TRANSLATED.format(exact, len(given))
    for how, value in (("median", median(spent)), ("slowest", max(spent))):
        yield Figure(what=f"translation, {what}: {how}", value=value, unit="ms", does=does)


def many() -> Iterator[Figure]:
    """A million texts read by two processes: the corpus over and over, and with a part more."""
    corpus = _texts("betza_corpus", "notation")
    for what, longer in (
        ("the corpus over and over", False),
        ("with a leap of its own each", True),
    ):
        yield Figure(
            what=f"{MILLION:,} texts read: {what}",
            value=_million(corpus, longer=longer),
            unit="s",
            does=f"{PROCESSES} processes, by the clock.",
        )


def _million(given: list[str], *, longer: bool) -> float:
    given = [text for text in given if _works(alfil.read, text + "(11,10)")]
    with ProcessPoolExecutor(PROCESSES) as pool:
        list(pool.map(_read_all, [given] * PROCESSES))  # the processes have their parsers ready
        started = perf_counter()
        done = sum(pool.map(_read_all, _bundles(given, longer=longer)))
        spent = perf_counter() - started
    if done != MILLION:
        raise ValueError(f"{done} strings were read")
    return spent


def _read_all(given: list[str]) -> int:
    for text in given:
        alfil.read(text)
    return len(given)


def _bundles(given: list[str], *, longer: bool) -> Iterator[list[str]]:
    for first in range(0, MILLION, BUNDLE):
        places = range(first, first + BUNDLE)
        leaps = (f"({at % 89 + 10},{at // 89 % 89 + 10})" if longer else "" for at in places)
        yield [given[at % len(given)] + leap for at, leap in zip(places, leaps, strict=True)]
