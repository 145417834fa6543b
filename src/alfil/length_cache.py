"""Answers about texts that are remembered, as long as the texts are not too long together."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import update_wrapper
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class LengthCache(Generic[K, T]):
    """A function that remembers its latest answers, those about ``most`` characters.

    If answers were counted instead, an editor would hold a long text as it was before each of the
    last signs that were typed. Older answers go before a new one is worked out, so that they are
    not held beside it; that one is remembered whatever its length.

    >>> ask = LengthCache(lambda text: print("asked", text) or text.upper(), 10, len)
    >>> ask("abcdef"), ask("abcdef"), ask("ghijkl"), ask("abcdef")
    asked abcdef
    asked ghijkl
    asked abcdef
    ('ABCDEF', 'ABCDEF', 'GHIJKL', 'ABCDEF')
    """

    def __init__(self, function: Callable[[K], T], most: int, length: Callable[[K], int]) -> None:
        self._function, self._most, self._length = function, most, length
        self._known: OrderedDict[K, T] = OrderedDict()
        self._lock = Lock()
        update_wrapper(self, function)

    def __call__(self, key: K) -> T:
        """What the function answers, or has answered."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
            room = self._most - self._length(key)
            while self._known and sum(map(self._length, self._known)) > room:
                self._known.popitem(last=False)
        result = self._function(key)
        with self._lock:
            self._known[key] = result
        return result

    def cache_clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._known.clear()
