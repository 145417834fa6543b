"""The engine as a shared library of this machine."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from functools import partial
from threading import get_ident

from alfil.game.structs import FUNCTIONS, Given

_LAY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)
_TYPES = {"p": ctypes.c_void_p, "i": ctypes.c_int, "q": ctypes.c_int64, "Q": ctypes.c_uint64}


# These ask for nothing, so that nothing can fail meanwhile.
SURE = frozenset({"go_back"})


class Library:
    """The engine as a shared library."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        # What failed while the engine worked, by thread.
        self._failed: dict[int, BaseException] = {}
        for name, (wanted, answers) in FUNCTIONS.items():
            function = getattr(self._library, name)
            function.argtypes = [_TYPES[each] for each in wanted]
            function.restype = ctypes.c_int64 if answers else None

    def call(self, function: str, *given: Given) -> int:
        """What a function answers, 0 where it answers nothing."""
        return self._ask(getattr(self._library, function), *map(_place_of, given))

    def prepared(self, function: str, *given: Given) -> Callable[..., int]:
        """A function with the first of what it wants, which the caller keeps alive."""
        if function in SURE:
            return partial(getattr(self._library, function), *map(_place_of, given))
        return partial(self._ask, getattr(self._library, function), *map(_place_of, given))

    def offered(self, lay: Callable[[int], int]) -> tuple[object, int]:
        """A function of Python that the engine may call: what keeps it alive, and where it is.

        Where it fails the engine is answered 0, and what asked the engine fails in the end.
        """

        def answer(wanted: int) -> int:
            try:
                return lay(wanted)
            except BaseException as error:  # noqa: BLE001 - nothing passes through the engine
                self._failed[get_ident()] = error
                return 0

        function = _LAY(answer)
        return function, ctypes.cast(function, ctypes.c_void_p).value or 0

    def _ask(self, function: Callable[..., int | None], *given: int) -> int:
        answer = function(*given)
        if self._failed and (error := self._failed.pop(get_ident(), None)):
            raise error
        return answer or 0


def _place_of(given: Given) -> int:
    """A number as it is, and where an array or a struct stands in memory."""
    if isinstance(given, int):
        return given
    if isinstance(given, array):
        return given.buffer_info()[0]
    return given.memory.buffer_info()[0]
