"""What it costs to translate, verification included, and to read a million strings."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import alfil
from benchmarks.measure import table

CASES = Path(__file__).parents[1] / "tests" / "cases"
MILLION = 1_000_000
PROCESSES = 2
BUNDLE = 20_000


def texts(name: str, column: str) -> list[str]:
    """The distinct texts of a case file that can be read."""
    found: dict[str, None] = {}
    notation = "hasinu" if column == "hasinu" else "betza"
    with (CASES / name).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            try:
                alfil.read(row[column], notation=notation)
            except alfil.AlfilError:
                continue
            found[row[column]] = None
    return list(found)


def translated(given: list[str], read: str, write: str) -> list[str]:
    """A row: how many are exact, and the times of all, from text to verified text."""
    spent, exact = [], 0
    for text in given:
        started = perf_counter()
        try:
            alfil.translate(text, read=read, write=write)
            exact += 1
        except alfil.AlfilError:
            pass
        spent.append((perf_counter() - started) * 1e3)
    figures = (median(spent), quantiles(spent, n=100)[-1], max(spent))
    return [f"{exact} of {len(given)}", *(f"{figure:.2f}" for figure in figures)]


def read_all(given: list[str]) -> int:
    """Read every text; returns how many there were."""
    for text in given:
        alfil.read(text)
    return len(given)


def bundles(given: list[str], *, longer: bool) -> Iterator[list[str]]:
    """A million strings, the corpus over and over; ``longer`` gives each a leap of its own."""
    for first in range(0, MILLION, BUNDLE):
        places = range(first, first + BUNDLE)
        leaps = (f"({at % 89 + 10},{at // 89 % 89 + 10})" if longer else "" for at in places)
        yield [given[at % len(given)] + leap for at, leap in zip(places, leaps, strict=True)]


def followed(text: str) -> bool:
    """Whether the text is still good with another part behind it."""
    try:
        alfil.read(text + "(11,10)")
    except alfil.AlfilError:
        return False
    return True


def million(given: list[str], *, longer: bool) -> float:
    """Seconds to read a million strings with two processes."""
    given = [text for text in given if followed(text)]
    with ProcessPoolExecutor(PROCESSES) as pool:
        list(pool.map(read_all, [given] * PROCESSES))  # the processes have their parsers ready
        started = perf_counter()
        done = sum(pool.map(read_all, bundles(given, longer=longer)))
        spent = perf_counter() - started
    if done != MILLION:
        raise ValueError(f"{done} strings were read")
    return spent


def report() -> str:
    """The tables."""
    betza = texts("betza.tsv", "betza")
    hasinu = texts("hasinu.tsv", "hasinu")
    corpus = texts("betza_corpus.tsv", "notation")
    rows = [
        ["betza.tsv to Ħasínū", *translated(betza, "betza", "hasinu")],
        ["hasinu.tsv to Betza", *translated(hasinu, "hasinu", "betza")],
        ["corpus to Ħasínū", *translated(corpus, "betza", "hasinu")],
    ]
    head = ["", "exact", "median", "99 in 100", "slowest"]
    found = table("A text translated and verified, ms", head, rows)
    rows = [
        [name, f"{million(corpus, longer=longer):.1f} s"]
        for name, longer in (("the corpus over and over", False), ("with a leap more", True))
    ]
    title = f"{MILLION:,} strings read, {PROCESSES} processes"
    return f"{found}\n{table(title, ['', 'time'], rows)}"
