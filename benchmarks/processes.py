"""What it costs to import alfil, and to run the command once."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.measure import table, whole_process

ROUNDS = 15


def report() -> str:
    """The table; the commands are run in turn, so that a slow moment meets all of them."""
    command = Path(sys.executable).with_name("alfil")
    bare, imported, shown, griffon = whole_process(
        [
            [sys.executable, "-c", "pass"],
            [sys.executable, "-c", "import alfil"],
            [str(command), "show", "N"],
            [str(command), "show", "--from", "hasinu", "1×4dD &t n4dO"],
        ],
        ROUNDS,
    )
    rows: list[tuple[str, float, str]] = [
        ("python -c pass", bare, ""),
        ("python -c 'import alfil'", imported, "must be at most 40 above bare Python"),
        ("alfil show N", shown, "must be at most 100"),
        ("alfil show --from hasinu '1×4dD &t n4dO'", griffon, ""),
    ]
    cells = [
        [name, f"{spent * 1e3:.1f}", f"{(spent - bare) * 1e3:.1f}", f"{spent / bare:.1f}", note]
        for name, spent, note in rows
    ]
    title = f"Whole processes, ms, median of {ROUNDS}"
    return table(title, ["command", "ms", "above bare", "times bare", "bound"], cells)
