"""The collector of cyclic garbage waits while much is built that has no cycles.

Trees, automata and tables are tuples in tuples, which never form a cycle. The collector looks
through all of them again and again as they grow, which is half of the time that a large piece file
takes to be read. It waits only in what has a limit, so that the garbage has one too.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def without_garbage_collection(function: Callable[P, T]) -> Callable[P, T]:
    """A function during which nothing is collected.

    Threads may be in several at once: whoever finds the collector at work sets it to work again.

    >>> @without_garbage_collection
    ... def is_collecting() -> bool:
    ...     return gc.isenabled()
    >>> is_collecting(), gc.isenabled()
    (False, True)
    """

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return called
