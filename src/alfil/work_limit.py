"""How much work something may take: counted, not timed, so that answers are the same everywhere.

Whatever may grow with a text counts the work it does with `charge`: one for about each record of an
automaton, way of a move or node of a graph that is looked at. A `limited_task` has a limit; where
it is passed, the task's own error leaves it. What a task spends is spent by the task around it as
well, and the limit that is met first counts. Outside of all tasks nothing is limited.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache, wraps
from math import inf
from typing import ParamSpec, TypeVar

from alfil.errors import AlfilError, Diagnostic
from alfil.source import Source, Span

# What one answer may take, and a tenth of a second on a slow processor is forty thousand of them:
# what people have written takes a few thousand.
LIMIT = 150_000

# What all of a piece file may take, with what its pieces mean: the largest that come along take a
# ninth of it.
FILE_LIMIT = 600_000

# What is remembered of one kind is forgotten when it was so much work: what people have written is
# met again, and hardly ever as much as what is made to be slow.
MAX_CACHED_WORK = 1_000_000

P = ParamSpec("P")
T = TypeVar("T")


class TooMuchWork(Exception):
    """The task has done more than its limit."""


class TooMuchWorkForFile(Exception):
    """A whole file has taken more than `FILE_LIMIT`."""


class WorkMeter:
    """What a thread has spent, when the innermost task has done too much, and its error."""

    __slots__ = ("error", "limit", "spent")

    def __init__(self) -> None:
        self.spent: float = 0
        self.limit: float = inf
        self.error: type[Exception] = TooMuchWork

    def spend(self, work: float) -> None:
        """As `charge`, for whoever counts often and has asked for the `thread_meter`."""
        self.spent += work
        if self.spent > self.limit:
            raise self.error


class _ThreadState(threading.local):
    """The meter of this thread, kept apart because what is local to a thread is slow to ask."""

    def __init__(self) -> None:
        self.meter = WorkMeter()


_THREAD_STATE = _ThreadState()


def charge(work: float) -> None:
    """Count work; raises the error of the task that has now done too much."""
    meter = _THREAD_STATE.meter
    meter.spent += work
    if meter.spent > meter.limit:
        raise meter.error


def thread_meter() -> WorkMeter:
    """What counts the work of this thread, within the same call only: it is slow to ask for."""
    return _THREAD_STATE.meter


def work_left() -> float:
    """The work that this thread may still do before the task around it ends; inf without one."""
    return _THREAD_STATE.meter.limit - _THREAD_STATE.meter.spent


def work_done() -> float:
    """The work that this thread has done so far."""
    return _THREAD_STATE.meter.spent


class limited_task:
    """Work that ends with ``error`` where it takes more than ``limit``.

    Where less is left of the task around it, that one ends, with its own error: so whoever takes
    the error of a task for an answer never takes another's for it. A task is entered once; every
    piece that is read has two, so it takes little to make.

    >>> with limited_task(100):
    ...     try:
    ...         with limited_task(10, LookupError):
    ...             charge(11)
    ...     except LookupError:
    ...         print("given up")
    given up
    """

    __slots__ = ("_before", "_error", "_limit", "_meter")

    def __init__(self, limit: float = LIMIT, error: type[Exception] = TooMuchWork) -> None:
        self._limit, self._error = limit, error

    def __enter__(self) -> None:
        self._meter = meter = _THREAD_STATE.meter
        self._before = meter.limit, meter.error
        most = meter.spent + self._limit
        if most < meter.limit:
            meter.limit, meter.error = most, self._error

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._meter.limit, self._meter.error = self._before


class attempt_refunded_on_failure(limited_task):
    """A task that counts for nothing where it fails: what is tried first, before what is sure.

    The tasks around it limit it only when it is done.

    >>> before = work_done()
    >>> try:
    ...     with attempt_refunded_on_failure(10, LookupError):
    ...         charge(11)
    ... except LookupError:
    ...     print("counted:", round(work_done() - before))
    counted: 0
    """

    __slots__ = ("_spent",)

    def __enter__(self) -> None:
        self._meter = meter = _THREAD_STATE.meter
        self._before = meter.limit, meter.error
        self._spent = meter.spent
        meter.limit, meter.error = meter.spent + self._limit, self._error

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        super().__exit__(kind)
        if kind is self._error:
            self._meter.spent = self._spent
        elif kind is None:
            charge(0)


class limited_task_on_source(limited_task):
    """Work for one answer; ``error`` of kind "too-much-work" where it takes more than `LIMIT`."""

    __slots__ = ("_refused", "_source")

    def __init__(self, source: Source, error: type[AlfilError] = AlfilError) -> None:
        super().__init__()
        self._source, self._refused = source, error

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        super().__exit__(kind)
        if kind is TooMuchWork:
            raise self._refused([work_limit_diagnostic(self._source)], self._source) from None


def work_limit_diagnostic(source: Source) -> Diagnostic:
    """What is said where an answer about a source takes too much work."""
    message = "this takes more work than anybody would wait for"
    hint = "fewer or shorter parts, or a smaller board"
    return Diagnostic("too-much-work", message, (Span(0, len(source.text)),), hint)


def cached_with_work(
    maxsize: int, *, refusal: type[Exception] | None = None
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Remember what a function has answered, and count its work as if it were done each time.

    So what was asked before never decides whether a task has done too much. At most ``maxsize``
    answers are kept, of `MAX_CACHED_WORK` work: the answers to large questions are large. An
    exception of the class ``refusal`` is an answer too, and is made anew of its arguments.
    """
    answers: tuple[type[Exception], ...] = (refusal,) if refusal else ()

    def remembering(function: Callable[P, T]) -> Callable[P, T]:
        cached_work = 0.0

        @lru_cache(maxsize)
        def known(*args: P.args, **kwargs: P.kwargs) -> tuple[T | _Refusal, float]:
            nonlocal cached_work
            meter = _THREAD_STATE.meter
            before = meter.spent
            result: T | _Refusal
            try:
                result = function(*args, **kwargs)
            except answers as error:
                result = _Refusal(error.args)
            work = meter.spent - before
            cached_work += work
            if cached_work > MAX_CACHED_WORK:
                cached_work = work
                known.cache_clear()
            return result, work

        @wraps(function)
        def answer(*args: P.args, **kwargs: P.kwargs) -> T:
            meter = _THREAD_STATE.meter
            before = meter.spent
            result, work = known(*args, **kwargs)  # type: ignore[arg-type]
            if work and meter.spent == before:
                charge(work)
            if isinstance(result, _Refusal):
                assert refusal is not None
                raise refusal(*result.arguments)
            return result

        return answer

    return remembering


class _Refusal:
    """That a function has raised its refusal, and with what: no exception, which keeps frames."""

    __slots__ = ("arguments",)

    def __init__(self, arguments: tuple[object, ...]) -> None:
        self.arguments = arguments
