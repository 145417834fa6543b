"""A plugin of pytest for builds that check addresses: nobody may touch what is behind arrays.

Python's arrays are longer than what is in them, by a sixteenth, and memory of the system is had in
pages. Without this a write behind the end would go unnoticed there.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections.abc import Callable
from functools import cache
from mmap import mmap
from typing import Any
from weakref import finalize

from alfil.game import (  # what the engine writes to has no other name
    engine_interface,
    engine_memory,
)

# So many bytes behind memory of the system are nobody's.
GUARD = 4096
_made, _address_of = engine_memory.reserve_array, engine_interface.address_of


@cache
def _sanitizer(function: str) -> Callable[[int, int], None]:
    """A function of the sanitizer, which is there only in a build that checks addresses."""
    found: Any = getattr(ctypes.CDLL(None), f"__asan_{function}_memory_region")
    found.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    call: Callable[[int, int], None] = found
    return call


def reserve(code: engine_memory.TypeCode, length: int) -> memoryview[int]:
    """The same with some memory behind it that nobody may touch."""
    width = array(code).itemsize
    whole = _made(code, length + GUARD // width)
    behind, size = _address_of(whole) + length * width, GUARD // width * width
    _sanitizer("poison")(behind, size)
    if isinstance(whole.obj, mmap):
        # The system gives this memory to others then.
        finalize(whole.obj, _sanitizer("unpoison"), behind, size)
    return whole[:length]


def address_of(numbers: engine_memory.IntArray) -> int:
    """The same, once what an array has in reserve is nobody's."""
    start = _address_of(numbers)
    if isinstance(numbers, array):
        used = len(numbers) * numbers.itemsize
        slack = sys.getsizeof(numbers) - sys.getsizeof(array(numbers.typecode)) - used
        if slack > 0:
            _sanitizer("poison")(start + used, slack)
    return start


def pytest_configure(config: Any) -> None:  # noqa: ANN401 - pytest's
    """Have all memory of the engine made so."""
    del config
    engine_memory.reserve_array = reserve
    engine_interface.address_of = address_of
    for module in [*sys.modules.values()]:
        if getattr(module, "reserve", None) is _made:
            module.reserve = reserve  # type: ignore[attr-defined]
