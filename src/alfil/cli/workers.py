"""Much work in bundles: done here, shared among processes, or given to a cluster of Dask.

The work on a bundle is a function that can be sent to another process, with what all bundles have
in common, which is sent once. Bundles are done in any order and answered in their own, and only so
many are under way, so that there may be any number of them. A bundle is best a second's work: a
scheduler has some milliseconds to do for each, and what is lost with a worker is done again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from queue import SimpleQueue
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from typing import Any, NamedTuple, TypeAlias, TypeVar

import click

from alfil.cli.options import grouped_options

Shared = TypeVar("Shared")
Bundle = TypeVar("Bundle")
Answer = TypeVar("Answer")
# Has the work on a bundle done elsewhere.
Submit: TypeAlias = Callable[[Any], "Future[Any]"]

# Bundles under way for each worker, so that none waits while answers are printed; and so many
# answers, for each of those, may wait for the answer to an earlier bundle.
MAX_PENDING, MAX_WAITING = 4, 16
# The seconds that a bundle is to take, where that can be chosen.
SECONDS_PER_BUNDLE = 1.0
# How often a bundle is tried again on a cluster; that a worker was killed does not count.
MAX_RETRIES = 2
CONNECTING = 30  # seconds


class WorkerOptions(NamedTuple):
    """Who works: so many processes, or the cluster of a scheduler."""

    jobs: int = 1
    scheduler: str | None = None


IN_THIS_PROCESS = WorkerOptions()

# Adds -j and --scheduler, which the command gets as ``workers``.
workers_option = grouped_options(
    "workers",
    WorkerOptions._fields,
    WorkerOptions,
    click.option(
        "-j", "jobs", type=click.IntRange(1, 64), default=1, help="The number of parallel jobs."
    ),
    click.option("--scheduler", metavar="ADDRESS", help="Share the work over a Dask cluster."),
)


class WorkPortions:
    """Ranges of numbers, each about a second's work, as soon as it is known how long that takes.

    >>> portions = WorkPortions(range(1, 100))
    >>> parts = iter(portions)
    >>> next(parts)
    range(1, 2)
    >>> portions.add_timing(1, seconds=0.1)
    >>> next(parts)
    range(2, 12)
    """

    def __init__(self, numbers: range) -> None:
        self._numbers = numbers
        self._count, self._seconds = 0, 0.0

    def add_timing(self, count: int, seconds: float) -> None:
        """Hear how long the work on some numbers took."""
        self._count += count
        self._seconds += seconds

    def __iter__(self) -> Iterator[range]:
        at = 0
        while at < len(self._numbers):
            size = round(SECONDS_PER_BUNDLE * self._count / self._seconds) if self._seconds else 1
            # A few that were quick by chance do not make a portion of many.
            size = max(1, min(size, 1 + 10 * self._count))
            yield self._numbers[at : at + size]
            at += size


def map_bundles(
    work: Callable[[Shared, Bundle], Answer],
    shared: Shared,
    bundles: Iterable[Bundle],
    workers: WorkerOptions,
) -> Iterator[Answer]:
    """What the work makes of each bundle, in their order; ``shared`` is what all have in common.

    On a cluster a bundle whose worker is lost is given to another one, and counts once. Raises
    `click.ClickException` where there is no such cluster, or where the work cannot be finished.
    """
    if workers == IN_THIS_PROCESS:
        yield from (work(shared, bundle) for bundle in bundles)
        return
    with (
        _dask_cluster(work, shared, workers.scheduler)
        if workers.scheduler
        else _process_pool(work, shared, workers.jobs) as (submit, threads)
    ):
        yield from _answers_in_order(submit, bundles, threads * MAX_PENDING)


def _answers_in_order(submit: Submit, bundles: Iterable[Any], pending: int) -> Iterator[Any]:
    """The answers in order; as soon as any bundle is done, another one is under way."""
    numbered = enumerate(bundles)
    finished: SimpleQueue[int] = SimpleQueue()
    under_way: dict[int, Future[Any]] = {}
    answers: dict[int, Any] = {}
    answered = 0

    def report(number: int, _: Future[Any]) -> None:
        finished.put(number)

    def fill() -> None:
        while len(under_way) < pending and len(answers) < pending * MAX_WAITING:
            number, bundle = next(numbered, (None, None))
            if number is None:
                return
            under_way[number] = submit(bundle)
            under_way[number].add_done_callback(partial(report, number))

    fill()
    while under_way:
        number = finished.get()
        answers[number] = under_way.pop(number).result()
        while answered in answers:
            yield answers.pop(answered)
            answered += 1
        fill()


# What all bundles have in common, in a process that works on them.
_shared_objects: list[Any] = []


def _initialise_worker(shared: object) -> None:
    # Ctrl-C is the business of the process that prints.
    signal(SIGINT, SIG_IGN)
    Thread(target=_exit_when_parent_ends, daemon=True).start()
    _shared_objects.append(shared)


def _exit_when_parent_ends() -> None:
    """End this process with the one that began it, also where that was killed: nobody else would.

    Both ends of the queue for bundles are here, so that a read from it waits for ever.
    """
    from multiprocessing import parent_process

    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _run_in_worker(work: Callable[[Any, Any], Any], bundle: object) -> object:
    return work(_shared_objects[0], bundle)


@contextmanager
def _process_pool(
    work: Callable[[Any, Any], Any], shared: object, jobs: int
) -> Iterator[tuple[Submit, int]]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs, initializer=_initialise_worker, initargs=(shared,)) as pool:
        try:
            yield (lambda bundle: pool.submit(_run_in_worker, work, bundle)), jobs
        except BaseException as error:
            # What is under way may have hours to go.
            for process in multiprocessing.active_children():
                process.terminate()
            pool.shutdown(cancel_futures=True)
            if isinstance(error, BrokenExecutor):
                raise click.ClickException("a process that worked was killed") from None
            raise


def _return_argument(shared: object) -> object:
    return shared


@contextmanager
def _dask_cluster(
    work: Callable[[Any, Any], Any], shared: object, address: str | None
) -> Iterator[tuple[Submit, int]]:
    try:
        dask = import_module("distributed")
    except ImportError:
        raise click.UsageError("--scheduler needs Dask: pip install 'alfil[dask]'") from None
    try:
        client = dask.Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:
        message = f"no scheduler of Dask answers at {address}: {error}"
        raise click.ClickException(message) from None
    with client:
        try:
            threads = max(1, sum(client.nthreads().values()))
            # As the answer to a task, not as data of the client: workers have it from one another,
            # and it is made again if all who had it are lost.
            common = client.submit(_return_argument, shared, pure=False, retries=MAX_RETRIES)
            yield (
                lambda bundle: client.submit(work, common, bundle, pure=False, retries=MAX_RETRIES),
                threads,
            )
        except (dask.KilledWorker, CancelledError, ImportError) as error:
            message = f"the cluster at {address} cannot do the work: {error}"
            raise click.ClickException(message) from None
