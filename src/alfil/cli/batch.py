"""Many lines through one piece of work: in order, in constant memory, on several processors.

The work on a line is a function that can be sent to another process; it answers with what goes to
standard output and to standard error. Lines travel in bundles, and only so many are under way.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from signal import SIG_IGN, SIGINT, signal
from time import monotonic
from typing import NamedTuple, TypeAlias

import click

from alfil.cli.inputs import Line

BUNDLE = 200
BUNDLES_A_PROCESS = 4
# Work that takes longer than this shows how far it has come, so often; in seconds.
QUIET, EVERY = 1.0, 0.5


class Answer(NamedTuple):
    """What is to be printed for a line, and the exit code it asks for."""

    out: str
    err: str = ""
    code: int = 0


Work: TypeAlias = Callable[[Line], Answer]


def in_batch(lines: Iterable[Line], work: Work, jobs: int = 1) -> int:
    """Print the answers to all lines in their order; returns the largest exit code."""
    code = 0
    progress = _Progress()
    for answer in _answers(lines, work, jobs):
        progress.hide()
        sys.stdout.write(answer.out)
        if answer.err:
            sys.stdout.flush()
            sys.stderr.write(answer.err)
        code = max(code, answer.code)
        progress.count()
    progress.hide()
    return code


def _answers(lines: Iterable[Line], work: Work, jobs: int) -> Iterator[Answer]:
    if jobs == 1:
        yield from map(work, lines)
        return
    from concurrent.futures import Future, ProcessPoolExecutor  # noqa: PLC0415 - few need it

    bundles = iter(_bundled(lines))
    with ProcessPoolExecutor(jobs, initializer=_leave_interrupts) as pool:
        waiting: deque[Future[list[Answer]]] = deque()
        try:
            for bundle in islice(bundles, jobs * BUNDLES_A_PROCESS):
                waiting.append(pool.submit(_worked, work, bundle))
            while waiting:
                yield from waiting.popleft().result()
                for bundle in islice(bundles, 1):
                    waiting.append(pool.submit(_worked, work, bundle))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _bundled(lines: Iterable[Line]) -> Iterator[list[Line]]:
    rest = iter(lines)
    while bundle := list(islice(rest, BUNDLE)):
        yield bundle


def _leave_interrupts() -> None:
    """Ctrl-C is the business of the process that prints."""
    signal(SIGINT, SIG_IGN)


def _worked(work: Work, bundle: list[Line]) -> list[Answer]:
    return [work(line) for line in bundle]


class _Progress:
    """A line on a terminal's standard error that says how many lines are done."""

    def __init__(self) -> None:
        self._done = 0
        self._begun = monotonic()
        self._next = self._begun + QUIET
        self._shown = False
        self._wanted = sys.stderr.isatty()

    def count(self) -> None:
        """One more is done."""
        self._done += 1
        now = monotonic() if self._wanted else 0.0
        if self._wanted and now >= self._next:
            self._next = now + EVERY
            rate = self._done / (now - self._begun)
            click.echo(f"\r{self._done:,} lines, {rate:,.0f} a second", err=True, nl=False)
            self._shown = True

    def hide(self) -> None:
        """Clear the line before anything else is printed."""
        if self._shown:
            click.echo("\r\x1b[K", err=True, nl=False)
            self._shown = False
