"""Memory for the engine: large blocks are mapped, and cost nothing before use."""

from __future__ import annotations

import sys
from array import array
from typing import Literal, TypeAlias

from alfil.errors import RuleError, reject
from alfil.source import Source

# Numbers for the engine: those of an array, or in memory of the system.
IntArray: TypeAlias = "array[int] | memoryview[int]"

# How wide numbers are: bytes, or 32 or 64 bits.
TypeCode: TypeAlias = Literal["B", "i", "q"]
# Less memory is had as it is, more from the system. A position of most games needs less, and finds
# again what an earlier one gave back.
SMALL_SIZE = 1 << 19
# So many numbers are copied at once, if there are any.
CHUNK_SIZE = 1 << 14


def reserve_array(code: TypeCode, length: int) -> memoryview[int]:
    """Room for so many numbers of a type, all of them 0; raises `RuleError` where memory ends."""
    size = length * array(code).itemsize
    if size <= SMALL_SIZE or sys.platform == "emscripten":
        return memoryview(bytearray(size)).cast(code)
    from mmap import mmap  # noqa: PLC0415 - most games need little memory

    try:
        if sys.platform == "win32":
            return memoryview(mmap(-1, size)).cast(code)
        from mmap import MAP_ANONYMOUS, MAP_PRIVATE  # noqa: PLC0415 - not everywhere

        return memoryview(mmap(-1, size, flags=MAP_PRIVATE | MAP_ANONYMOUS)).cast(code)
    except (OSError, OverflowError):
        message = f"there is no memory of {size} bytes"
        hint = "a smaller board, fewer games at once, or a higher limit on memory"
        reject(RuleError, "no-memory", message, Source(str(size), "<memory>"), hint=hint)


def copy_nonzero_chunks(numbers: IntArray, into: IntArray) -> None:
    """Copy numbers of 32 bits to the begin of fresh room; where they are 0, that stays unused."""
    old, new = memoryview(numbers), memoryview(into)
    if 4 * len(old) <= SMALL_SIZE:
        new[: len(old)] = old
        return
    for at in range(0, len(old), CHUNK_SIZE):
        part = old[at : at + CHUNK_SIZE]
        if bytes(part) != bytes(4 * len(part)):
            new[at : at + len(part)] = part
