"""What games on very large boards cost: to set up, to count, to have a move chosen."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.figures import Figure
from benchmarks.measure import ask_each
from benchmarks.worker import Answer, Job

BOARDS = (26, 36)
ACTS = {
    "starting position": "to the first list of moves",
    "perft": "to `perft(2)`",
    "opponent": "to `Opponent(variant, nodes=1000).choose(game)`",
}
DOES = (
    "pieces of taikyoku shogi on nearly a third of the squares for each side, 210 or 402 of them:"
    " from the variant, with all pieces read, {0}, each in a fresh process, the median of 3; the"
    " memory is that of the whole process."
)


def measured() -> Iterator[Figure]:
    """Seconds and memory of each act on each board."""
    for size in BOARDS:
        for does, words in ACTS.items():
            job: Job = {"board": size, "does": does}
            (answer,) = ask_each("large board", [job])
            what = f"{size}×{size}, {does}"
            yield _row(what, answer, "total", "s", 0.5, 0.1, DOES.format(words))
            yield _row(f"{what}: memory", answer, "peak", "MiB", 100, None, DOES.format(words))


def _row(
    what: str, answer: Answer, key: str, unit: str, must: float, aim: float | None, does: str
) -> Figure:
    return Figure(
        what=what,
        value=float(answer[key]) if key in answer else None,
        unit=unit,
        must=must,
        aim=aim,
        at_most=True,
        does=does if key in answer else f"{does} Measured: {answer['outcome']}.",
    )
