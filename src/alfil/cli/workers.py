"""Much work in bundles: done here, shared among processes, or given to a cluster of Dask.

The work on a bundle is a function that can be sent to another process. Bundles are answered in
their order, and only so many are under way, so that there may be any number of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import islice
from signal import SIG_IGN, SIGINT, signal
from typing import Any, NamedTuple, TypeAlias, TypeVar

import click

from alfil.cli.options import grouped_options

Task = TypeVar("Task")
Answer = TypeVar("Answer")
Submit: TypeAlias = Callable[..., "Future[Any]"]

# Bundles under way for each worker, so that none waits while answers are printed.
MAX_PENDING = 4
# How often a bundle is tried again on a cluster; that a worker was killed does not count.
RETRIES = 2
CONNECTING = 30  # seconds


class Workers(NamedTuple):
    """Who works: so many processes, or the cluster of a scheduler."""

    jobs: int = 1
    scheduler: str | None = None


IN_THIS_PROCESS = Workers()


# Adds -j and --scheduler, which the command gets as ``workers``.
workers_option = grouped_options(
    "workers",
    Workers._fields,
    Workers,
    click.option(
        "-j", "jobs", type=click.IntRange(1, 64), default=1, help="The number of parallel jobs."
    ),
    click.option("--scheduler", metavar="ADDRESS", help="Share the work over a Dask cluster."),
)


def map_bundles(
    work: Callable[[Task], Answer], bundles: Iterable[Task], workers: Workers
) -> Iterator[Answer]:
    """What the work makes of each bundle, in their order.

    On a cluster a bundle whose worker is lost is given to another one, and counts once. Raises
    `click.ClickException` where there is no such cluster, or where the work cannot be finished.
    """
    if workers == IN_THIS_PROCESS:
        yield from map(work, bundles)
        return
    rest = iter(bundles)
    with (
        _dask_cluster(workers.scheduler)
        if workers.scheduler
        else _process_pool(workers.jobs) as result
    ):
        submit, many = result
        waiting = deque(submit(work, each) for each in islice(rest, many * MAX_PENDING))
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(submit(work, each) for each in islice(rest, 1))


@contextmanager
def _process_pool(jobs: int) -> Iterator[tuple[Submit, int]]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Ctrl-C is the business of the process that prints.
    with ProcessPoolExecutor(jobs, initializer=signal, initargs=(SIGINT, SIG_IGN)) as pool:
        try:
            yield pool.submit, jobs
        except BaseException as error:
            # What is under way may have hours to go.
            for process in multiprocessing.active_children():
                process.terminate()
            pool.shutdown(cancel_futures=True)
            if isinstance(error, BrokenExecutor):
                raise click.ClickException("a process that worked was killed") from None
            raise


@contextmanager
def _dask_cluster(address: str | None) -> Iterator[tuple[Submit, int]]:
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
            many = max(1, sum(client.nthreads().values()))
            yield partial(client.submit, pure=False, retries=RETRIES), many
        except (dask.KilledWorker, CancelledError, ImportError) as error:
            message = f"the cluster at {address} cannot do the work: {error}"
            raise click.ClickException(message) from None
