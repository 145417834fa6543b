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

from alfil.game.memory import Numbers
from alfil.game.structs import FUNCTIONS, Given, Struct

PAGE = 65536
# Where things may begin.
_STEP = 16


class Module:
    """The functions of the engine."""

    def __init__(self, code: bytes) -> None:
        module = js.WebAssembly.Module.new(to_js(code))
        offers = to_js({"env": {"lay_out": create_proxy(self._lay)}}, dict_converter=_object)
        self._exports: Any = js.WebAssembly.Instance.new(module, offers).exports
        self._start: int = getattr(self._exports, "__heap_base").value
        self._tables: Struct | None = None
        self._place = self._behind = self._start
        # Where the arrays of these tables are, and what failed while the engine asked for more.
        self._places: dict[str, int] = {}
        self._failed: BaseException | None = None

    def call(self, function: str, *given: Given) -> int:
        """What a function answers, 0 where it answers nothing."""
        tables = given[0]
        assert isinstance(tables, Struct)
        if tables is not self._tables:
            self._take(tables)
        self._make_room(self._behind, given[1:])
        end, wanted, entered = self._behind, [self._place], []
        for each, kind in zip(given[1:], FUNCTIONS[function][0][1:], strict=True):
            if isinstance(each, int):
                wanted.append(js.BigInt(each) if kind in "qQ" else each)
                continue
            places, end = self._enter(each, end)
            wanted.append(places[-1])
            entered.append((each, places))
        answer: int | None = getattr(self._exports, function)(*wanted)
        for each, places in entered:
            self._fetch(each, places)
        if self._failed:
            failed, self._failed = self._failed, None
            raise failed
        return int(answer or 0)

    def offered(self, lay: Callable[[int], int]) -> tuple[object, int]:
        """Nothing: the module asks for what the tables at hand lack."""
        return lay, 0

    def _take(self, tables: Struct) -> None:
        """Copy the tables of another game, and from now on what is laid out in them."""
        if self._tables and self._tables.layer:
            self._tables.layer.watch(None)
        self._make_room(self._start, [tables])
        places, self._behind = self._enter(tables, self._start)
        self._place, self._tables = places[-1], tables
        self._places = dict(zip(tables.arrays, places, strict=False))
        if tables.layer:
            tables.layer.watch(self._renew)

    def _lay(self, wanted: int) -> int:
        """Lay out what the engine asks for."""
        assert self._tables
        assert self._tables.layer
        try:
            return self._tables.layer.lay(wanted)
        except BaseException as error:  # noqa: BLE001 - nothing passes through the engine
            self._failed = error
            return 0

    def _renew(self, name: str, start: int, end: int) -> None:
        """Copy a part of an array of the tables again."""
        assert self._tables
        part = memoryview(self._tables.arrays[name])
        self._copy(part[start:end], self._places[name] + start * part.itemsize)

    def prepared(self, function: str, *given: Given) -> Callable[..., int]:
        """A function with the first of what it wants."""
        return partial(self.call, function, *given)

    def _make_room(self, start: int, given: Sequence[Given]) -> None:
        """Let the memory be large enough for all of these."""
        need = start
        for each in given:
            if isinstance(each, Struct):
                need += sum(_size(part) + _STEP for part in each.arrays.values())
                need += len(each.memory) + _STEP
            elif isinstance(each, array):
                need += _size(each) + _STEP
        have: int = self._exports.memory.buffer.byteLength
        if need > have:
            self._exports.memory.grow((need - have) // PAGE + 1)

    def _view(self, place: int, size: int) -> Any:  # noqa: ANN401 - a view of JavaScript
        return js.Uint8Array.new(self._exports.memory.buffer, place, size)

    def _enter(self, each: Struct | array[int], end: int) -> tuple[list[int], int]:
        """Copy an array or a struct: where its parts are, itself last, and what is free."""
        if isinstance(each, array):
            self._copy(each, end)
            return [end], _after(end, _size(each))
        places = {}
        for name, part in each.arrays.items():
            places[name] = end
            self._copy(part, end)
            end = _after(end, _size(part))
        pointers = array("I", [places.get(name, 0) for name in each.layout.arrays])
        whole = bytes(each.head) + pointers.tobytes()
        self._view(end, len(whole)).assign(whole)
        return [*places.values(), end], _after(end, len(whole))

    def _copy(self, part: Numbers, place: int) -> None:
        if part:
            self._view(place, _size(part)).assign(memoryview(part).cast("B"))

    def _fetch(self, each: Struct | array[int], places: list[int]) -> None:
        """Copy back what a function may have changed."""
        parts = [each] if isinstance(each, array) else [*each.arrays.values()]
        for part, place in zip(parts, places, strict=False):
            if part:
                self._view(place, _size(part)).assign_to(memoryview(part).cast("B"))
        if isinstance(each, Struct):
            self._view(places[-1], len(each.head)).assign_to(each.head)


def _object(entries: Any) -> Any:  # noqa: ANN401 - objects of JavaScript
    return js.Object.fromEntries(entries)


def _size(part: Numbers) -> int:
    return len(part) * part.itemsize


def _after(place: int, size: int) -> int:
    """The next place where something may begin."""
    return (place + size + _STEP - 1) // _STEP * _STEP
