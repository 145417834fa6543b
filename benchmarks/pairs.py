"""What it costs to compare two pieces, over pairs of the case files."""

from __future__ import annotations

import csv
import random
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

import alfil
from benchmarks.measure import table

CASES = Path(__file__).parents[1] / "tests" / "cases"
PAIRS = 3_000
BOUND = 50  # ms for the slowest pair


def pieces() -> list[alfil.Piece]:
    """Every piece of the case files that has a meaning, each text once."""
    found = {}
    for name, column in (("betza", "betza"), ("hasinu", "hasinu")):
        with (CASES / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                try:
                    piece = alfil.read(row[column], notation=name)
                    bool(piece.meaning)
                except alfil.AlfilError:
                    continue
                found[name, row[column]] = piece
    return list(found.values())


def report() -> str:
    """The table; the pairs are drawn by lot, the same in every run."""
    chance = random.Random(1)
    known = pieces()
    pairs = [chance.sample(known, 2) for _ in range(PAIRS)]
    rows = []
    queens = alfil.read("Q"), alfil.read("RB")
    for name, ask in (
        ("difference", alfil.difference),
        ("same", alfil.same),
        ("contains", alfil.contains),
    ):
        spent = []
        for one, other in pairs:
            started = perf_counter()
            ask(one, other)
            spent.append((perf_counter() - started) * 1e3)
        started = perf_counter()
        ask(*queens)
        alike = (perf_counter() - started) * 1e3
        figures = (median(spent), quantiles(spent, n=100)[-1], max(spent), alike)
        rows.append([name, *(f"{figure:.2f}" for figure in figures)])
    title = (
        f"Two pieces compared, ms over {PAIRS} pairs of {len(known)} case pieces, {BOUND} allowed"
    )
    return table(title, ["", "median", "99 in 100", "slowest", "Q and RB"], rows)
