"""The native engine: a shared library beside its sources.

A wheel has it and a checkout builds it when it is installed (hatch_build.py). It knows nothing of
Python, so that one library serves every version of it. It is a shared library
(`alfil.game.shared_library`), in a browser a WebAssembly module (`alfil.game.wasm`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Protocol

from alfil.game.engine_interface import EngineArgument

LIBRARY_FILE = "engine.wasm" if sys.platform == "emscripten" else "engine.so"
LIBRARY_PATH = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "engine", LIBRARY_FILE
)


class EngineMissing(Exception):
    """The engine is not there or cannot be loaded; the message is one line that says why."""


class Engine(Protocol):
    """The functions of the engine."""

    def call(self, function: str, *arguments: EngineArgument) -> int:
        """Call a function; 0 if it returns nothing."""

    def register_callback(self, lay: Callable[[int], int]) -> tuple[object, int]:
        """A Python callback for the engine: the object to keep, and its address."""

    def bind(self, function: str, *arguments: EngineArgument) -> Callable[..., int]:
        """A function with the first of what it wants."""


@cache
def engine() -> Engine:
    """The engine. Raises `EngineMissing`."""
    try:
        if sys.platform == "emscripten":
            from alfil.game.wasm import WasmModule  # it needs a browser

            with open(LIBRARY_PATH, "rb") as file:
                return WasmModule(file.read())
        from alfil.game.shared_library import SharedLibrary  # no browser has it

        if os.path.isfile(LIBRARY_PATH):
            return SharedLibrary(LIBRARY_PATH)
        # The package is read from an archive, from which nothing can be loaded.
        from importlib.resources import as_file, files

        with as_file(files("alfil.engine") / LIBRARY_FILE) as unpacked:
            return SharedLibrary(str(unpacked))
    except FileNotFoundError:
        message = f"this copy of alfil was installed without its engine, {LIBRARY_FILE}"
        raise EngineMissing(message) from None
    except (OSError, AttributeError) as error:
        raise EngineMissing(f"the engine cannot be loaded: {error}") from None
