"""Whole processes beside a bare Python: what it costs to import alfil, and to run a command."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial
from time import process_time

import alfil
from benchmarks.figures import Figure
from benchmarks.measure import in_turn, spent_by

ROUNDS = 11
DOES = (
    "the processor's time for a whole process, the least of {0} runs in turn, with bytecode and"
    " parser tables kept from earlier runs; `python -c pass` in the same environment."
)
TARGETS = " The targets are 75, 80 and 150 ms, and 60, 60 and 90, where a bare Python takes {0} ms."
# The command called as its entry point does it.
RUN = "import sys; from alfil.cli import main; sys.exit(main())"
LISTED = "import alfil; alfil.load('chess').game().legal_moves"
LISTED_BY_PEER = "import chess; list(chess.Board().legal_moves)"
# Arguments, then the milliseconds that must and that are the aim where a bare Python takes 9.8.
COMMANDS: tuple[tuple[tuple[str, ...], int | None, int | None], ...] = (
    (("show", "N"), 75, 60),
    (("--help",), 80, 60),
    (("pieces", "--like", "N"), 150, 90),
    (("show", "--from", "hasinu", "1×4dD &t n4dO"), None, None),
    (("pieces", "griffon"), None, None),
)
BARE = 9.8
SETS = ("hand_shogi", "fairy", "taikyoku")


def measured() -> Iterator[Figure]:
    """`import alfil` and commands, then sets loaded in this process."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # with it nothing is kept, and all takes twice
    python = sys.executable
    orders = [
        (python, "-c", "pass"),
        (python, "-c", "import alfil"),
        (python, "-c", LISTED),
        (python, "-c", LISTED_BY_PEER),
        *((python, "-c", RUN, *arguments) for arguments, _, _ in COMMANDS),
    ]
    for order in orders:
        spent_by(order)
    samples = [partial(_seconds, order) for order in orders]
    bare, imported, ours, theirs, *spent = (
        min(found) * 1e3 for found in in_turn(*samples, rounds=ROUNDS)
    )
    yield _figure("import alfil", imported, bare)
    yield Figure(
        what="a process: chess loaded, its moves listed",
        value=ours,
        unit="ms",
        peer="python-chess",
        beside=theirs,
        must=1.5,
        aim=1,
        at_most=True,
        does=f"as in the row before: `{LISTED}`; `{LISTED_BY_PEER}`.",
    )
    for (arguments, must, aim), value in zip(COMMANDS, spent, strict=True):
        yield _figure(f"alfil {' '.join(arguments)}", value, bare, must, aim)
    alfil.load("chess")  # the grammars are ready then
    for name in SETS:
        started = process_time()
        alfil.load(name)
        yield Figure(
            what=f"alfil.load({name!r})",
            value=(process_time() - started) * 1e3,
            unit="ms",
            does="a bundled set read for the first time in a process that has read another.",
        )


def _figure(
    what: str, value: float, bare: float, must: int | None = None, aim: int | None = None
) -> Figure:
    return Figure(
        what=what,
        value=value,
        unit="ms",
        peer="bare Python",
        beside=bare,
        must=must and must / BARE,
        aim=aim and aim / BARE,
        at_most=True,
        does=DOES.format(ROUNDS) + TARGETS.format(BARE),
    )


def _seconds(order: tuple[str, ...]) -> float:
    return spent_by(order)[0]
