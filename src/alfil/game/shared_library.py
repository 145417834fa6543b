"""The engine as a shared library of this machine."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from functools import partial
from threading import get_ident

from alfil.game.engine_interface import FUNCTIONS, EngineArgument

_LAY_OUT_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32)
_C_TYPES = {"p": ctypes.c_void_p, "i": ctypes.c_int, "q": ctypes.c_int64, "Q": ctypes.c_uint64}


class SharedLibrary:
    """The engine as a shared library."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        # What failed while the engine worked, by thread.
        self._failed: dict[int, BaseException] = {}
        for name, (argument_types, answers) in FUNCTIONS.items():
            function = getattr(self._library, name)
            function.argtypes = [_C_TYPES[each] for each in argument_types]
            function.restype = ctypes.c_int64 if answers else None

    def call(self, function: str, *arguments: EngineArgument) -> int:
        """Call a function; 0 if it returns nothing."""
        return self._checked_call(
            getattr(self._library, function), *map(_address_or_number, arguments)
        )

    def bind(self, function: str, *arguments: EngineArgument) -> Callable[..., int]:
        """A function with the first of what it wants, which the caller keeps alive.

        With all that it wants it is quicker to call.
        """
        call = partial(getattr(self._library, function), *map(_address_or_number, arguments))
        if len(arguments) < len(FUNCTIONS[function][0]):
            return partial(self._checked_call, call)
        failed = self._failed

        def checked_call() -> int:
            require_stack()
            answer: int = call()
            if failed:
                self._raise_failure()
            return answer

        return checked_call

    def register_callback(self, lay: Callable[[int], int]) -> tuple[object, int]:
        """A Python callback for the engine: the object to keep, and its address.

        Where it fails the engine is answered 0, and what asked the engine fails in the end.
        """

        def answer(request: int) -> int:
            try:
                return lay(request)
            except BaseException as error:  # noqa: BLE001 - nothing passes through the engine
                self._failed[get_ident()] = error
                return 0

        function = _LAY_OUT_CALLBACK(answer)
        return function, ctypes.cast(function, ctypes.c_void_p).value or 0

    def _checked_call(self, function: Callable[..., int | None], *arguments: int) -> int:
        require_stack()
        answer = function(*arguments)
        if self._failed:
            self._raise_failure()
        return answer or 0

    def _raise_failure(self) -> None:
        """Raise what failed in this thread while the engine worked."""
        if error := self._failed.pop(get_ident(), None):
            raise error


def require_stack(frames: int = 5) -> None:
    """Raise RecursionError where what the engine calls might not begin, let alone say so.

    What is answered then is whatever stands in memory.
    """
    if frames:
        require_stack(frames - 1)


def _address_or_number(arguments: EngineArgument) -> int:
    """A number as it is, and where an array or a struct stands in memory."""
    if isinstance(arguments, int):
        return arguments
    if isinstance(arguments, array):
        return arguments.buffer_info()[0]
    return arguments.memory.buffer_info()[0]
