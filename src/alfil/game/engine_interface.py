"""The interface of the engine: structs and functions, as src/alfil/engine/engine.h has them.

tests/test_engine_header.py compares the constants with the header.
"""

from __future__ import annotations

import ctypes
import re
from array import array
from collections.abc import Callable, Collection, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeAlias

from alfil.data_files import read_data
from alfil.game.engine_memory import IntArray, copy_nonzero_chunks, reserve_array

# What masks the target in a word of a move table, and the most forms of a piece in one.
SQUARE, FORMS = 2047, 7
# The shifts of the classes of what stands on a square.
VACANT, FIRST, FIRST_ROYAL, SECOND, SECOND_ROYAL, PASSED = 28, 32, 36, 40, 44, 48
WALLED, FIRST_APART, SECOND_APART = 52, 56, 60
VISITS = 511
TAKEN_ALONG, PERISHING, PETRIFYING = 1, 2, 4
ARROW, ANYWHERE, LEFT, DUCK = 1, 2, 3, 4
ADJACENT, ENCLOSED = 1, 2
CHECKING, QUIETLY, IN_PLACE, ON_COLOUR = 1, 2, 4, 8
ANY, LAST = 1, 2
BURNS, SINGES, FREEZES, SEIZES, CATCHES = 1, 2, 4, 8, 16
MOVES_MADE, EVERY, TURN = 1, 2, 3
PASSANT = 1
# Where the square stands that is told of a reason.
REASONS = 8
# What is said of how a piece arrives by a node of a table.
ARRIVES_TAKING, ARRIVES_PASSANT, ARRIVES_JUMPED = 3, 64, 128
ENDLESS = 2147483647
GOES, TAKES, CASTLES = 1, 2, 4
AIMED, BESIDE = 1, 2
NO_MOVE = -1
# What stands where in `survey`.
WANTED, CHECKED, RESULT, COUNT, NUMBERS = range(5)
# A result is so many times an end and the side that has won, or `DRAW`.
DRAW, WINNERS = 2, 4
# Scores of mates in a search, and how far it follows a line.
MATE, SURE = 1_000_000, 990_000
LONGEST = 90
# How many promoting pieces of the side that leads are told apart, none among them.
LEADS = 9
# How many places the history of moves after others has.
CONTINUATIONS = 65536
# How many positions are remembered with what terms add to them.
EVALUATIONS = 65536
# Of dead material: its words, and what asks for its tables; of chases; of mates that do not count.
HELPLESS, BOUND, MATERIAL = 1, 1, 2147483646
CHASES, CHASED = 1, 2
MATES_DRAWN, NEVER_MATES = 1, 2


class StructLayout(NamedTuple):
    """A struct: numbers of 64 and of 32 bits, then arrays, in their order."""

    longs: tuple[str, ...]
    ints: tuple[str, ...]
    arrays: tuple[str, ...]


# All of the header but comments.
_HEADER = re.sub(r"/\*.*?\*/", "", read_data("engine", "engine.h"), flags=re.DOTALL)
_STRUCT_BODIES = {name: body for body, name in re.findall(r"struct {([^}]*)} (\w+);", _HEADER)}
# The numbers of a field that has two of them.
_NUMBERS_OF_FIELD = {
    "counts": ("first_count", "second_count"),
    "royals": ("first_royal", "second_royal"),
    "on_move": ("on_move", "on_move_late"),
    "royal_ranks": ("first_royal_rank", "second_royal_rank"),
    "given": ("first_given", "second_given"),
}


def _struct_layout(name: str) -> StructLayout:
    """A struct of the header."""
    longs: list[str] = []
    ints: list[str] = []
    arrays: list[str] = []
    declarations = re.findall(r"(?:const |volatile )?(\w+)\b([^;]+);", _STRUCT_BODIES[name])
    for kind, declared in declarations:
        for each in declared.split(","):
            field = each.strip(" *\n").removesuffix("[2]")
            if "*" in each:
                arrays.append(field)
            elif kind in _STRUCT_BODIES and field not in _NUMBERS_OF_FIELD:
                ints.extend(_struct_layout(kind).ints)
            else:
                numbers = longs if kind in {"int64_t", "uint64_t"} else ints
                numbers.extend(_NUMBERS_OF_FIELD.get(field, (field,)))
    return StructLayout(tuple(longs), tuple(ints), tuple(arrays))


# A move in numbers; a path of a piece that roams, and a chain of what one captures.
WIDTH, WAY, LINK = (
    len(_struct_layout(name).ints) for name in ("Move", "RoamingPath", "SquareChain")
)
TABLES = _struct_layout("Tables")
POSITION = _struct_layout("Position")
# A move of a line is as many numbers of 32 bits as these take; nothing in it is an array.
PLY = _struct_layout("Ply")
# Where each of them stands, and how many there are; a number of 64 bits has two places.
_PLY_FIELD_HALVES = [half for name in PLY.longs for half in (name, f"{name}_high")]
PLY_FIELD_INDEX = {name: place for place, name in enumerate([*_PLY_FIELD_HALVES, *PLY.ints])}
SEARCH = _struct_layout("Search")
SELF_PLAY = _struct_layout("SelfPlay")
FITTING = _struct_layout("Fitting")
PROBLEM = _struct_layout("Problem")
COUNTING = _struct_layout("Counting")
ENCODING = _struct_layout("Encoding")
GAMES = _struct_layout("Games")
ENDINGS = _struct_layout("Endings")
# How a ply of a problem is played, its goals, and what a move does on it.
CHOOSES, MAY_END, IN_SERIES, GIVES_CHECK = 1, 2, 4, 8
GOAL_MATE, GOAL_STALEMATE, GOAL_NO_MOVE, GOAL_CHECK, GOAL_CAPTURE, GOAL_SQUARE, GOAL_WIN = range(7)
LEADS_TO_GOAL = 1
# Values of positions: of so many, none, a draw, and lost and won in 0 plies; men of a material.
VALUES, NO_POSITION, DRAWN, LOST, WON, MOST_MEN = 65536, 0, 1, 2, 3, 4
# Why there is no table.
NO_ROOM, UNLISTED, ILLEGAL = 1, 2, 3

NO_LENGTHS: Mapping[str, int] = MappingProxyType({})


class TableProvider(Protocol):
    """What lays tables out when the engine asks for it."""

    def lay_out(self, request: int) -> int:
        """Lay something out; its number."""

    def set_write_callback(self, tell: Callable[[str, int, int], None] | None) -> None:
        """Register a callback for writes: the array, start and end."""


class ArrayBlockLayout:
    """Arrays of a struct, all of numbers of 32 bits, that stand one behind the other."""

    def __init__(self, layout: StructLayout, lengths: Mapping[str, int]) -> None:
        self.layout = layout
        self.length = 0
        self.places: list[tuple[str, slice]] = []
        for name, length in lengths.items():
            self.places.append((name, slice(self.length, self.length + length)))
            # There may be numbers of 64 bits in the next one.
            self.length += length + length % 2
        starts = {name: 4 * place.start for name, place in self.places}
        # Where the arrays of the layout are, in bytes; -1 for those that are none.
        self.starts = [starts.get(name, -1) for name in layout.arrays]


class Struct:
    """A struct for the engine. ``arrays`` are its own: they stay where they are while it lives.

    Numbers are read and written by their names; those that are not given are 0, and arrays that are
    not given are no arrays. ``layer`` lays out what is in them and not there yet, ``functions`` are
    where functions stand that the engine calls.
    """

    def __init__(
        self,
        layout: StructLayout,
        numbers: Mapping[str, int],
        arrays: Mapping[str, IntArray],
        layer: TableProvider | None = None,
        functions: Mapping[str, int] = NO_LENGTHS,
    ) -> None:
        pointers = {**functions, **{name: address_of(each) for name, each in arrays.items()}}
        self._set_layout(layout, [pointers.get(name, 0) for name in layout.arrays])
        self.layer, self.arrays = layer, dict(arrays)
        for name, number in numbers.items():
            self[name] = number

    def _set_layout(self, layout: StructLayout, pointers: list[int]) -> None:
        self.layout = layout
        self._places, middle, end, start, size = _field_places_and_bounds(layout)
        self.memory = array("B", bytes(size))
        view = memoryview(self.memory)
        # All numbers as bytes.
        self.head = view[:end]
        self._views = (view[:middle].cast("q"), view[middle:end].cast("i"))
        self._pointers = view[start:].cast("Q")
        self._pointers[:] = array("Q", pointers)

    def __getitem__(self, name: str) -> int:
        part, place = self._places[name]
        return self._views[part][place]

    def __setitem__(self, name: str, number: int) -> None:
        part, place = self._places[name]
        self._views[part][place] = number


class ArrayBlockStruct(Struct):
    """A struct whose arrays stand one behind the other; all there is in it is 0 at first."""

    def __init__(self, sections: ArrayBlockLayout) -> None:
        self.sections, self.block, self.layer = sections, reserve_array("i", sections.length), None
        first = address_of(self.block)
        self._set_layout(sections.layout, [first + at if at >= 0 else 0 for at in sections.starts])
        self.arrays = {name: self.block[place] for name, place in sections.places}

    def copy(
        self, sections: ArrayBlockLayout | None = None, left_empty: Collection[str] = ()
    ) -> ArrayBlockStruct:
        """The same with arrays of its own, perhaps longer ones; some may be left empty."""
        other = ArrayBlockStruct(sections or self.sections)
        other.head[:] = self.head
        for name, numbers in self.arrays.items():
            if name not in left_empty:
                copy_nonzero_chunks(numbers, other.arrays[name])
        return other


@cache
def _field_places_and_bounds(
    layout: StructLayout,
) -> tuple[dict[str, tuple[int, int]], int, int, int, int]:
    """Where the numbers of a struct are, among those of 64 or of 32 bits, and the how manieth.

    Then the bytes before the latter, before their end, before the pointers, and of all of it.
    """
    places = {name: (0, n) for n, name in enumerate(layout.longs)}
    places |= {name: (1, n) for n, name in enumerate(layout.ints)}
    middle, end = 8 * len(layout.longs), 8 * len(layout.longs) + 4 * len(layout.ints)
    start = (end + 7) // 8 * 8
    return places, middle, end, start, start + 8 * len(layout.arrays)


def address_of(numbers: IntArray) -> int:
    """Where numbers stand in memory."""
    if type(numbers) is array:
        return numbers.buffer_info()[0]
    return ctypes.addressof(ctypes.c_char.from_buffer(numbers))


EngineArgument: TypeAlias = "Struct | array[int] | int"
_ARGUMENT_SORTS = {"int": "i", "int64_t": "q", "uint64_t": "Q"}
# What each function wants: p a struct or an array, i, q and Q a number of 32 or 64 bits; and
# whether it answers.
FUNCTIONS = {
    name: (
        "".join(
            "p" if "*" in each else _ARGUMENT_SORTS[each.split()[0]] for each in wanted.split(",")
        ),
        answer != "void",
    )
    for answer, name, wanted in re.findall(r"ENGINE_API (\w+) (\w+)\(([^)]*)\);", _HEADER)
}
