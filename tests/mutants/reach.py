"""Which tests reach which blocks, and other code for functions that are there already.

All modules of alfil are imported once; a child of that process gives their functions the code of a
changed module, which costs milliseconds where a new process costs seconds.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType

from changes import blocks

CACHES: list[functools._lru_cache_wrapper[object]] = []
# What Lark makes of a grammar is no work of ours, and takes long.
TABLES = "alfil.notation.parsing"


def watch_caches() -> None:
    """From now on remember every function that remembers results."""
    original = functools.lru_cache

    def watched(*given: object, **named: object) -> object:
        made = original(*given, **named)  # type: ignore[call-overload]
        return _noted(made) if hasattr(made, "cache_clear") else lambda each: _noted(made(each))

    functools.lru_cache = watched  # type: ignore[assignment]
    functools.cache = watched(maxsize=None)  # type: ignore[assignment, operator]


def _noted(cached: functools._lru_cache_wrapper[object]) -> object:
    if cached.__module__.startswith("alfil.") and cached.__module__ != TABLES:
        CACHES.append(cached)
    return cached


def clear_caches() -> None:
    """Forget, so that a test does all of its own work."""
    for cached in CACHES:
        cached.cache_clear()


class Functions:
    """All functions of alfil in this process, by file."""

    def __init__(self, source: Path) -> None:
        for found in pkgutil.walk_packages([str(source / "alfil")], "alfil."):
            # Some need an extra that is not installed, or a browser; the engine is no module.
            with suppress(ImportError):
                if not found.name.endswith("__main__"):
                    importlib.import_module(found.name)
        gc.unfreeze()
        self._of: dict[str, list[FunctionType]] = defaultdict(list)
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(str(source)):
                self._of[each.__code__.co_filename].append(each)

    def swap(self, path: Path, tree: ast.Module | bytes) -> None:
        """Give the functions of a file the code of this module. ValueError where that cannot be."""
        numbered = {
            (name, code.co_firstlineno): key
            for key, code in _codes(compile(path.read_bytes(), str(path), "exec"))
            for name in [key[0]]
        }
        new = dict(_codes(compile(tree, str(path), "exec", dont_inherit=True)))
        for function in self._of[str(path)]:
            old = function.__code__
            key = numbered.get((old.co_qualname, old.co_firstlineno))
            if key in new:
                function.__code__ = new[key]

    def watch(self, path: Path, first: int, hits: bytearray) -> list[str]:
        """Note in ``hits``, from a number on, which blocks of a file are reached; their names."""
        tree = ast.parse(path.read_bytes())
        names = []
        for block in list(blocks(tree)):
            if block.inside:
                note = ast.parse(f"__hits__[{first + len(names)}] = 1").body[0]
                for node in ast.walk(note):
                    ast.copy_location(node, block.suite[0])
                block.suite.insert(_after_words(block.suite), note)
                names.append(block.name)
        for function in self._of[str(path)]:
            function.__globals__["__hits__"] = hits
        self.swap(path, tree)
        return names


def _after_words(suite: list[ast.stmt]) -> int:
    first = suite[0]
    return int(isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant))


def _codes(module: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """The code objects in one, by name and number among those of that name."""
    count: dict[str, int] = defaultdict(int)

    def inside(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
        count[code.co_qualname] += 1
        yield (code.co_qualname, count[code.co_qualname]), code
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                yield from inside(constant)

    yield from inside(module)
