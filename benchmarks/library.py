"""What it costs to load a bundled set, and to ask which piece moves like this."""

from __future__ import annotations

import sys
import time
from statistics import median

import alfil
from benchmarks.measure import table, whole_process

ROUNDS = 7
# Nothing found, which is exit code 1, is no failure here.
RUN = "import sys; from alfil.cli.app import run; sys.exit(run(sys.argv[1:]) > 1)"
COMMAND = (sys.executable, "-c", RUN, "pieces")
SETS = ("hand_shogi", "fairy", "taikyoku")


def report() -> str:
    """Sets loaded in this process, which has its grammars ready, then whole processes."""
    alfil.load("chess")
    rows = [[f"alfil.load({name!r})", f"{_median(name) * 1e3:.0f}", _bound(name)] for name in SETS]
    questions = (["griffon"], ["--like", "FyafsF"], ["--like", "[W?B]N"])
    spent = whole_process([[*COMMAND, *each] for each in questions], ROUNDS)
    for question, seconds in zip(questions, spent, strict=True):
        bound = "aim 1500" if question[0] == "--like" else ""
        rows.append([f"alfil pieces {' '.join(question)}", f"{seconds * 1e3:.0f}", bound])
    return table(f"The library, ms, median of {ROUNDS}", ["what", "ms", "bound"], rows)


def _median(name: str) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        alfil.load(name)
        times.append(time.perf_counter() - started)
    return median(times)


def _bound(name: str) -> str:
    return "must be at most 500" if name == "taikyoku" else ""
