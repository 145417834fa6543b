"""Texts that would explode if anything were expanded: time and peak memory of a whole process."""

from __future__ import annotations

from benchmarks.measure import ask_each, show, table
from benchmarks.worker import Job

DEPTH = 10_000
WORST: tuple[tuple[str, str, str], ...] = (
    ("W999999", "betza", "W999999"),
    ("n(1×8d)", "hasinu", "n(1×8d)"),
    ("INF(20,20)", "hasinu", "INF(20,20)"),
    ("(az)N", "betza", "(az)N"),
    (f"{DEPTH:,} nested ( ) around az", "betza", "(" * DEPTH + "az" + ")" * DEPTH + "N"),
    (f"{DEPTH:,} nested [ ] around F?R", "betza", "[" * DEPTH + "F?R" + "]" * DEPTH),
    (f"{DEPTH:,} nested ( ) around n8d", "hasinu", "(" * DEPTH + "n8d" + ")" * DEPTH),
    (f"{DEPTH:,} nested m( ) around n8d", "hasinu", "m(" * DEPTH + "n8d" + ")" * DEPTH),
    ("1 MB of (", "betza", "(" * 1_000_000),
    ("1 MB of (", "hasinu", "(" * 1_000_000),
    ("1 MB of WF", "betza", "WF" * 500_000),
)
ROUNDS = 3


def report() -> str:
    """The table, for a 9×9 and a 36×36 board."""
    rows = []
    for board in (9, 36):
        jobs: list[Job] = [
            {"text": text, "notation": notation, "board": board} for _, notation, text in WORST
        ]
        for (name, notation, _), answer in zip(WORST, ask_each("alfil", jobs, ROUNDS), strict=True):
            outcome = str(answer["outcome"])
            figures = [show(answer, "total", 1e3, 2), show(answer, "peak", 1, 0)]
            rows.append([name, notation, f"{board}×{board}", *figures, outcome])
    title = f"Worst cases, read and compile, median of {ROUNDS}; at most 100 ms and 100 MiB"
    heads = ["text", "notation", "board", "ms", "peak MiB", "outcome"]
    return table(title, heads, rows)
