"""The engine as a shared library of this machine."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from functools import partial

from alfil.game.structs import FUNCTIONS, Given

_TYPES = {"p": ctypes.c_void_p, "i": ctypes.c_int, "Q": ctypes.c_uint64}


class Library:
    """The engine as a shared library."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        for name, (wanted, answers) in FUNCTIONS.items():
            function = getattr(self._library, name)
            function.argtypes = [_TYPES[each] for each in wanted]
            function.restype = ctypes.c_int64 if answers else None

    def call(self, function: str, *given: Given) -> int:
        """What a function answers, 0 where it answers nothing."""
        answer: int | None = getattr(self._library, function)(*map(_place_of, given))
        return answer or 0

    def prepared(self, function: str, *given: Given) -> Callable[..., int]:
        """A function with the first of what it wants, which the caller keeps alive."""
        return partial(getattr(self._library, function), *map(_place_of, given))


def _place_of(given: Given) -> int:
    """A number as it is, and where an array or a struct stands in memory."""
    if isinstance(given, int):
        return given
    if isinstance(given, array):
        return given.buffer_info()[0]
    return given.memory.buffer_info()[0]
