"""The engine: a library that lies beside its sources, built with the package.

A wheel has it and a checkout builds it when it is installed (hatch_build.py). It knows nothing of
Python, so that one library serves every version of it. It is a shared library
(`alfil.game.shared`), in a browser a WebAssembly module (`alfil.game.wasm`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Protocol

from alfil.game.structs import Given

FILE = "engine.wasm" if sys.platform == "emscripten" else "engine.so"
PATH = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "engine", FILE)


class CoreMissing(Exception):
    """The engine is not there or cannot be loaded; the message is one line that says why."""


class Engine(Protocol):
    """The functions of the engine."""

    def call(self, function: str, *given: Given) -> int:
        """What a function answers, 0 where it answers nothing."""

    def offered(self, lay: Callable[[int], int]) -> tuple[object, int]:
        """A function of Python that the engine may call: what keeps it alive, and where it is."""

    def prepared(self, function: str, *given: Given) -> Callable[..., int]:
        """A function with the first of what it wants, to be called with the numbers that follow."""


@cache
def engine() -> Engine:
    """The engine. Raises `CoreMissing`."""
    try:
        if sys.platform == "emscripten":
            from alfil.game.wasm import Module  # it needs a browser

            with open(PATH, "rb") as file:
                return Module(file.read())
        from alfil.game.shared import Library  # no browser has it

        if os.path.isfile(PATH):
            return Library(PATH)
        # The package is read from an archive, from which nothing can be loaded.
        from importlib.resources import as_file, files

        with as_file(files("alfil.engine") / FILE) as unpacked:
            return Library(str(unpacked))
    except FileNotFoundError:
        message = f"this copy of alfil was installed without its engine, {FILE}"
        raise CoreMissing(message) from None
    except (OSError, AttributeError) as error:
        raise CoreMissing(f"the engine cannot be loaded: {error}") from None
