"""How much work something is, by counting what it calls: the same on any machine, however busy."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType


def calls(job: Callable[[], object]) -> int:
    """How many functions are called, those written in C among them."""
    made = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal made
        del frame, argument
        made += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        job()
    finally:
        sys.setprofile(before)
    return made


def peak_memory(job: Callable[[], object]) -> int:
    """How many bytes of Python's are in use at most, beside those in use before."""
    tracemalloc.start()
    try:
        job()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
