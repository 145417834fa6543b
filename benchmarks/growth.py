"""How cost grows: with the board for one piece, with the text for one board, with depth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from benchmarks.figures import Curve
from benchmarks.measure import ask_each
from benchmarks.worker import Job

BOARDS = (8, 12, 18, 24, 36)
PIECES = (("queen", "Q"), ("lion", "KNADcaKmcabK"), ("hook mover", "RasR"))
LENGTHS = (1, 2, 4, 8, 16, 32)

# Each family makes a text with `k` of the thing named.
FAMILIES: tuple[tuple[str, str, Callable[[int], str]], ...] = (
    ("legs of a chain, mafsmafs…W", "betza", lambda k: "mafs" * (k - 1) + "W"),
    ("legs of a bracket, [W?W?…]", "betza", lambda k: f"[W?{'?'.join(['W'] * k)}]"),
    ("parts, (0,1)(1,2)(2,3)…", "betza", lambda k: "".join(f"({n},{n + 1})" for n in range(k))),
    ("loops side by side", "hasinu", lambda k: " & ".join(["n(1×4dO &t 1×4dD)"] * k)),
    ("loops nested, 2(2(…))", "hasinu", lambda k: "2(" * k + "1×4dD" + ")" * k),
    ("functions nested, j(j(…))", "hasinu", lambda k: "j(" * k + "n8d" + ")" * k),
)


def measured() -> Iterator[Curve]:
    """Time and bytes for pieces on growing boards, and time for growing texts."""
    for name, text in PIECES:
        jobs: list[Job] = [{"text": text, "board": board} for board in BOARDS]
        marks = [f"{board}×{board}" for board in BOARDS]
        yield from _curves(f"compile {name} {text}", marks, jobs, ("compile", "size"))
    for name, notation, make in FAMILIES:
        jobs = [{"text": make(k), "notation": notation, "board": 9} for k in LENGTHS]
        marks = [f"k={k}" for k in LENGTHS]
        yield from _curves(f"read and compile for 9×9, {name}", marks, jobs, ("total",))


def _curves(
    what: str, marks: Sequence[str], jobs: Sequence[Job], wanted: Sequence[str]
) -> Iterator[Curve]:
    """The median of fresh processes; where there is no table, the kind of the error."""
    answers = ask_each("alfil", jobs)
    for key in wanted:
        unit, scale = ("bytes", 1.0) if key == "size" else ("ms", 1e3)
        costs = [
            float(answer[key]) * scale if "size" in answer else str(answer["outcome"])
            for answer in answers
        ]
        yield Curve(f"{what}: {key}", unit, tuple(zip(marks, costs, strict=True)))
