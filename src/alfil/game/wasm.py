"""The engine as a WebAssembly module, as Pyodide calls it in a browser.

A module has a memory of its own: what a function wants is copied there, and back when it has
answered. The tables of a game stay there until those of another one are wanted.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import js  # type: ignore[import-not-found]
from pyodide.ffi import create_proxy, to_js  # type: ignore[import-not-found]

from alfil.game.engine_interface import FUNCTIONS, EngineArgument, Struct
from alfil.game.engine_memory import IntArray

PAGE_SIZE = 65536
# Where things may begin.
_ALIGNMENT = 16


class WasmModule:
    """The functions of the engine."""

    def __init__(self, code: bytes) -> None:
        module = js.WebAssembly.Module.new(to_js(code))
        offers = to_js({"env": {"lay_out": create_proxy(self._lay_out)}}, dict_converter=_js_object)
        self._exports: Any = js.WebAssembly.Instance.new(module, offers).exports
        self._start: int = getattr(self._exports, "__heap_base").value
        self._tables: Struct | None = None
        self._place = self._behind = self._start
        # Where the arrays of these tables are, and what failed while the engine asked for more.
        self._places: dict[str, int] = {}
        self._failed: BaseException | None = None

    def call(self, function: str, *arguments: EngineArgument) -> int:
        """Call a function; 0 if it returns nothing."""
        free, request, entered = self._behind, [], []
        tables, kinds = arguments[0], FUNCTIONS[function][0]
        if isinstance(tables, Struct):
            if tables is not self._tables:
                self._copy_tables(tables)
            free, request = self._behind, [self._place]
            arguments, kinds = arguments[1:], kinds[1:]
        end = free
        self._grow_memory(end, arguments)
        for each, kind in zip(arguments, kinds, strict=True):
            if isinstance(each, int):
                request.append(js.BigInt(each) if kind in "qQ" else each)
                continue
            places, end = self._copy_in(each, end)
            request.append(places[-1])
            entered.append((each, places))
        # What is asked while tables are laid out has its place behind this.
        self._behind = end
        answer: int | None = getattr(self._exports, function)(*request)
        self._behind = free
        for each, places in entered:
            self._copy_out(each, places)
        if self._failed:
            failed, self._failed = self._failed, None
            raise failed
        return int(answer or 0)

    def register_callback(self, lay: Callable[[int], int]) -> tuple[object, int]:
        """Nothing: the module asks for what the tables at hand lack."""
        return lay, 0

    def _copy_tables(self, tables: Struct) -> None:
        """Copy the tables of another game, and from now on what is laid out in them."""
        if self._tables and self._tables.layer:
            self._tables.layer.set_write_callback(None)
        self._grow_memory(self._start, [tables])
        places, self._behind = self._copy_in(tables, self._start)
        self._place, self._tables = places[-1], tables
        self._places = dict(zip(tables.arrays, places, strict=False))
        if tables.layer:
            tables.layer.set_write_callback(self._copy_range)

    def _lay_out(self, request: int) -> int:
        """Lay out what the engine asks for."""
        assert self._tables
        assert self._tables.layer
        try:
            return self._tables.layer.lay_out(request)
        except BaseException as error:  # noqa: BLE001 - nothing passes through the engine
            self._failed = error
            return 0

    def _copy_range(self, name: str, start: int, end: int) -> None:
        """Copy a part of an array of the tables again."""
        assert self._tables
        part = memoryview(self._tables.arrays[name])
        self._copy_array(part[start:end], self._places[name] + start * part.itemsize)

    def bind(self, function: str, *arguments: EngineArgument) -> Callable[..., int]:
        """A function with the first of what it wants."""
        return partial(self.call, function, *arguments)

    def _grow_memory(self, start: int, arguments: Sequence[EngineArgument]) -> None:
        """Let the memory be large enough for all of these."""
        need = start
        for each in arguments:
            if isinstance(each, Struct):
                need += sum(_byte_size(part) + _ALIGNMENT for part in each.arrays.values())
                need += len(each.memory) + _ALIGNMENT
            elif isinstance(each, array):
                need += _byte_size(each) + _ALIGNMENT
        have: int = self._exports.memory.buffer.byteLength
        if need > have:
            self._exports.memory.grow((need - have) // PAGE_SIZE + 1)

    def _memory_view(self, place: int, size: int) -> Any:  # noqa: ANN401 - a view of JavaScript
        return js.Uint8Array.new(self._exports.memory.buffer, place, size)

    def _copy_in(self, each: Struct | array[int], end: int) -> tuple[list[int], int]:
        """Copy an array or a struct: where its parts are, itself last, and what is free."""
        if isinstance(each, array):
            self._copy_array(each, end)
            return [end], _next_free_place(end, _byte_size(each))
        places = {}
        for name, part in each.arrays.items():
            places[name] = end
            self._copy_array(part, end)
            end = _next_free_place(end, _byte_size(part))
        pointers = array("I", [places.get(name, 0) for name in each.layout.arrays])
        whole = bytes(each.head) + pointers.tobytes()
        self._memory_view(end, len(whole)).assign(whole)
        return [*places.values(), end], _next_free_place(end, len(whole))

    def _copy_array(self, part: IntArray, place: int) -> None:
        if part:
            self._memory_view(place, _byte_size(part)).assign(memoryview(part).cast("B"))

    def _copy_out(self, each: Struct | array[int], places: list[int]) -> None:
        """Copy back what a function may have changed."""
        parts = [each] if isinstance(each, array) else [*each.arrays.values()]
        for part, place in zip(parts, places, strict=False):
            if part:
                self._memory_view(place, _byte_size(part)).assign_to(memoryview(part).cast("B"))
        if isinstance(each, Struct):
            self._memory_view(places[-1], len(each.head)).assign_to(each.head)


def _js_object(entries: Any) -> Any:  # noqa: ANN401 - objects of JavaScript
    return js.Object.fromEntries(entries)


def _byte_size(part: IntArray) -> int:
    return len(part) * part.itemsize


def _next_free_place(place: int, size: int) -> int:
    """The next place where something may begin."""
    return (place + size + _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT
