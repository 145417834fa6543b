"""One call at a time of objects that threads share."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar


class HasLock(Protocol):
    """What has a lock of its own, one that its holder may take again."""

    @property
    def _lock(self) -> AbstractContextManager[object]: ...


S = TypeVar("S", bound=HasLock)
P = ParamSpec("P")
T = TypeVar("T")


def with_lock(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Let one thread at a time use an object; what is called most does the same without this."""

    @wraps(method)
    def locked(owner: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with owner._lock:
            return method(owner, *args, **kwargs)

    return locked
