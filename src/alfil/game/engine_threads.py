"""Threads in which the engine works while Python waits, so that Ctrl-C is heard and a clock runs.

They are daemons, as the threads of `concurrent.futures` are not: Python does not wait for the
engine where it ends, and threads that outlive the main one may still start work.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

Answer = TypeVar("Answer")


class _WorkerThread:
    """A thread that works on one job after the other, and waits for the next one."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        Thread(target=self._work, name="alfil-engine", daemon=True).start()

    def start(self, job: Callable[[], None]) -> None:
        """Do a job, after what it does now."""
        self._jobs.put(job)

    def _work(self) -> None:
        while True:
            self._jobs.get()()


# Those that have nothing to do, or nearly so.
_idle: list[_WorkerThread] = []
if hasattr(os, "register_at_fork"):
    # A process that was split off has no threads but the one that did it.
    os.register_at_fork(after_in_child=_idle.clear)


def start(work: Callable[[], Answer]) -> Future[Answer]:
    """Have some work done in another thread.

    >>> start(lambda: 6 * 7).result()
    42
    """
    answer: Future[Answer] = Future()
    try:
        thread = _idle.pop()
    except IndexError:
        thread = _WorkerThread()
    thread.start(partial(_do, work, answer, thread))
    return answer


def _do(work: Callable[[], Answer], answer: Future[Answer], thread: _WorkerThread) -> None:
    try:
        found = work()
    except BaseException as error:  # noqa: BLE001 - raised where it is waited for
        _idle.append(thread)
        answer.set_exception(error)
    else:
        # Before whoever waits asks for the next one.
        _idle.append(thread)
        answer.set_result(found)
