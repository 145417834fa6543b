"""The compiled body: a shared library that lies beside this module, built with the package.

A wheel has it and a checkout builds it when it is installed (hatch_build.py). It knows nothing of
Python, so that one library serves every version of it.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

FILE = {"win32": "libcore.dll", "darwin": "libcore.dylib"}.get(sys.platform, "libcore.so")
PATH = str(Path(__file__).absolute().with_name(FILE))
# The functions that others may call; see `alfil.game.core`.
PUBLIC = frozenset(
    {
        "count",
        "generate",
        "go_on",
        "make",
        "perft",
        "perft_after",
        "perft_by_differences",
        "simulate",
        "survey",
        "tell_changes",
        "think",
        "unmake",
    }
)


class CoreMissing(Exception):
    """The compiled body is not there or cannot be loaded; the message is one line that says why."""


@cache
def library() -> ctypes.CDLL:
    """The compiled body. Raises `CoreMissing`."""
    try:
        if Path(PATH).is_file():
            return _loaded(PATH)
        # The package is read from an archive, from which nothing can be loaded.
        with as_file(files("alfil.game") / FILE) as unpacked:
            return _loaded(str(unpacked))
    except FileNotFoundError:
        message = f"this copy of alfil was installed without its compiled core, {FILE}"
        raise CoreMissing(message) from None
    except (OSError, AttributeError) as error:
        raise CoreMissing(f"the compiled core cannot be loaded: {error}") from None


def _loaded(path: str) -> ctypes.CDLL:
    found = ctypes.CDLL(path)
    for name in PUBLIC:
        getattr(found, name).restype = ctypes.c_int64
    return found
