"""Work given to a cluster of Dask on this machine, beside the threads of one process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from alfil.cli.workers import WorkerOptions, map_bundles
from benchmarks.figures import Figure
from benchmarks.measure import ROUNDS

WORKERS = 2
DEPTHS = (5, 6)
# So many parts without any work, for what a part costs besides.
EMPTY = 500
DOES = (
    "seconds by the clock for perft of shogi at depth {depth}, to connect included, the best of"
    f" {ROUNDS} rounds in turn: `alfil perft --scheduler` with {WORKERS} workers of one thread on"
    f" this machine; `alfil perft -j {WORKERS}`"
)


def measured() -> Iterator[Figure]:
    """Perft on a cluster beside threads, and what a part costs that has nothing to do."""
    with cluster(WORKERS) as address:
        _seconds("minishogi", 3, "--scheduler", address)
        for depth in DEPTHS:
            shared, threads = [], []
            for _ in range(ROUNDS):
                shared.append(_seconds("shogi", depth, "--scheduler", address))
                threads.append(_seconds("shogi", depth, "-j", str(WORKERS)))
            yield Figure(
                what=f"cluster of two workers, perft: shogi, depth {depth}",
                value=min(shared),
                beside=min(threads),
                unit="s",
                peer="two threads",
                must=1.3 if depth == max(DEPTHS) else None,
                at_most=True,
                does=DOES.format(depth=depth),
            )
        empty = min(_milliseconds_of_a_part(address) for _ in range(ROUNDS))
        does = f"milliseconds by the clock for each of {EMPTY} parts without work, all handed out"
        yield Figure(what="cluster of two workers, a part", value=empty, unit="ms", does=does)


def _nothing(_: None, number: int) -> int:
    return number


def _milliseconds_of_a_part(address: str) -> float:
    shared = WorkerOptions(scheduler=address)
    answers = map_bundles(_nothing, None, range(EMPTY), shared)
    next(answers)
    begun = perf_counter()
    for _ in answers:
        pass
    return 1000 * (perf_counter() - begun) / (EMPTY - 1)


def _seconds(name: str, depth: int, *options: str) -> float:
    """The seconds that a count says it took."""
    command = [sys.executable, "-m", "alfil", "perft", name, "-d", str(depth), *options]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    found = re.search(r"counted in ([0-9.]+) s", said)
    assert found
    return float(found[1])


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """The address of a scheduler with so many workers, each a process with one thread."""
    import distributed  # noqa: PLC0415 - only this needs it

    with TemporaryDirectory() as name, ExitStack() as stack:
        told = Path(name, "scheduler.json")
        shared = (f"--scheduler-file={told}", "--host=127.0.0.1", "--no-dashboard")
        worker = ("worker", "--no-nanny", "--nthreads=1", f"--local-directory={name}")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        for command in (("scheduler", "--port=0"), *[worker] * workers):
            module = f"distributed.cli.dask_{command[0]}"
            process = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", module, *command[1:], *shared],
                    env=environment,
                    stderr=subprocess.DEVNULL,
                )
            )
            stack.callback(process.kill)
        with distributed.Client(scheduler_file=str(told), set_as_default=False) as client:
            client.wait_for_workers(workers)
            address = client.scheduler.address
        yield address
