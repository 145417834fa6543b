"""How cost grows: with the board for one piece, and with the text for one board."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.measure import ask_each, show, table
from benchmarks.worker import Job

BOARDS = (8, 12, 18, 24, 36)
PIECES = (("queen", "Q"), ("lion", "KNADcaKmcabK"), ("hook mover", "RasR"))
LENGTHS = (1, 2, 4, 8, 16, 32)
ROUNDS = 3

# Each family makes a text with `k` of the thing named.
FAMILIES: tuple[tuple[str, str, Callable[[int], str]], ...] = (
    ("legs of a chain, mafsmafs…W", "betza", lambda k: "mafs" * (k - 1) + "W"),
    ("legs of a bracket, [W?W?…]", "betza", lambda k: f"[W?{'?'.join(['W'] * k)}]"),
    ("parts, (0,1)(1,2)(2,3)…", "betza", lambda k: "".join(f"({n},{n + 1})" for n in range(k))),
    ("loops side by side", "hasinu", lambda k: " & ".join(["n(1×4dO &t 1×4dD)"] * k)),
    ("loops nested, 2(2(…))", "hasinu", lambda k: "2(" * k + "1×4dD" + ")" * k),
    ("functions nested, j(j(…))", "hasinu", lambda k: "j(" * k + "n8d" + ")" * k),
)


def board_report() -> str:
    """Compile time and the bytes of the saved table as the board grows."""
    rows = []
    for name, text in PIECES:
        jobs: list[Job] = [{"text": text, "board": board} for board in BOARDS]
        answers = ask_each("alfil", jobs, ROUNDS)
        rows.append([f"{name} {text}", "ms", *(show(a, "compile", 1e3, 2) for a in answers)])
        rows.append(["", "bytes", *(show(a, "size", 1, 0) for a in answers)])
    heads = ["compile for the board", "", *(f"{board}×{board}" for board in BOARDS)]
    return table(f"Growth with the board, median of {ROUNDS} fresh processes", heads, rows)


def text_report() -> str:
    """Read and compile time for 9×9 as the text grows; an error stands by its kind."""
    rows = []
    for name, notation, make in FAMILIES:
        jobs: list[Job] = [{"text": make(k), "notation": notation, "board": 9} for k in LENGTHS]
        answers = ask_each("alfil", jobs, ROUNDS)
        cells = [
            show(answer, "total", 1e3, 2) + ("" if "size" in answer else f" {answer['outcome']}")
            for answer in answers
        ]
        rows.append([name, notation, *cells])
    heads = ["ms to read and compile, 9×9", "notation", *(f"k={k}" for k in LENGTHS)]
    return table(f"Growth with the text, median of {ROUNDS} fresh processes", heads, rows)


def report() -> str:
    """Both tables."""
    return f"{board_report()}\n{text_report()}"
