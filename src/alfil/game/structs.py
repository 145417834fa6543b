"""What Python knows of the engine (src/alfil/engine/engine.h): structs, numbers, functions.

tests/test_engine_header.py compares them with the header.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol, TypeAlias

# A word of a move table: where its parts begin, and what masks them.
SQUARE, SKIP_AT, SKIPS, FORMS, ON = 2047, 11, 131071, 7, 8
# The shifts of the classes of what stands on a square.
VACANT, FIRST, FIRST_ROYAL, SECOND, SECOND_ROYAL, PASSED = 28, 32, 36, 40, 44, 48
WALLED, FIRST_APART, SECOND_APART = 52, 56, 60
CLASSES = 9
TAKEN_ALONG, PERISHING, PETRIFYING = 1, 2, 4
ARROW, ANYWHERE, LEFT, DUCK = 1, 2, 3, 4
ADJACENT, ENCLOSED = 1, 2
CHECKING, QUIETLY, IN_PLACE, ON_COLOUR = 1, 2, 4, 8
ANY, LAST = 1, 2
BURNS, SINGES, FREEZES, SEIZES, CATCHES = 1, 2, 4, 8, 16
MOVES_MADE, EVERY, TURN = 1, 2, 3
PASSANT = 1
# Why a move is not legal, in the order of the engine; where the square stands that is told of it.
LEGAL, FULL_FILE, DROP_CHECK, DROP_MATE, DROP_PLACE, DROP_COLOUR = 0, 1, 2, 3, 4, 5
NO_FORM, ROYAL_TAKEN, FLIGHT, FACING, GIVING_CHECK = 6, 7, 8, 9, 10
IN_CHECK, CROSSING, SELF_CHECK, NO_SHIELD, NO_WALL = 11, 12, 13, 14, 15
REASONS = 8
ENDLESS = 2147483647
GOES, TAKES, CASTLES = 1, 2, 4
AIMED, LAID = 1, 8
DRAW = 2
# Of a search: having no move, goals, repetitions; scores of mates; lengths of lines.
FEWER_WIN, MORE_WIN = 2, 3
NEXT_TURN, LAST_REPLY = 1, 2
DRAWN, FIRST_LOSES, REPEATER_LOSES = 1, 2, 3
FIRST_WINS, SECOND_WINS, POINTS = 1, 2, 3
MATE, SURE = 1_000_000, 990_000
LONGEST, BACK = 90, 16
# Of dead material.
HELPLESS, BOUND = 1, 1
# Where `simulate` counts how games end, besides by mate and for want of moves.
TAKEN_FROM, RUN_OUT, UNFINISHED = 4, 6, 8
# A move in numbers: origin, target, becomes, node, partner, flags.
WIDTH = 6
# A path of a piece that roams, and a chain of what one captures.
WAY, LINK = 6, 6


class Layout(NamedTuple):
    """A struct: numbers of 64 and of 32 bits, then arrays, in their order."""

    longs: tuple[str, ...]
    ints: tuple[str, ...]
    arrays: tuple[str, ...]


TABLES = Layout(
    (),
    (
        *("size", "pieces", "files", "kinds", "words"),
        *("limited", "hopping", "mating", "two_kinds", "iron", "leaving", "nothing"),
        *("effects", "exploding", "walling", "turning", "gating", "endless", "setting"),
        *("lenient", "take_first", "meeting", "still", "standing_fast", "duple", "beside_own"),
        *("stuck_passes", "extinction", "en_route", "holding", "burning", "round"),
        *("roaming", "most_ways", "most_walked", "most_burdened", "most_ends", "most_burdens"),
        *("bodies", "veiling"),
    ),
    (
        *("nodes", "quiet", "taking", "taken", "company", "trailing", "passing"),
        *("cells", "sources", "aims", "near"),
        *("shift", "held", "limit", "crowds", "odd", "special", "twins", "hops", "lines"),
        *("passes", "remembered", "royal", "stays", "seen", "barred"),
        *("drop_limit", "drop_check", "drop_mate", "droppable"),
        *("blast", "gates", "side_limit", "castling", "only_with", "apart", "ripe"),
        *("body", "wide", "high", "foremost", "blocked", "ranges", "may_wall", "opens"),
        *("file_of", "starts", "holes", "around", "rays", "colour_limit", "unheld"),
        *("pool", "trails", "drop_squares", "file_squares", "lay"),
    ),
)
POSITION = Layout(
    (),
    (
        *("side", "first_count", "second_count", "first_royal", "second_royal", "careful"),
        *("trail", "victim", "stamp", "undone", "number"),
        *("checks", "checker", "check_from", "check_until", "hopped", "nears", "besides", "faced"),
        *("noted", "royal_moves", "caution", "fault", "ended", "burdened", "failed"),
        *("walked", "veiled"),
    ),
    (
        *("board", "lists", "places", "hands", "on_file", "made", "near", "beside", "nodes"),
        *("order", "spots", "anchor", "prey", "holds", "undo", "marks", "shift", "plain"),
        *("occupied", "moves", "reasons"),
        *("ends", "burdens", "ways", "met", "links"),
    ),
)
SEARCH = Layout(
    ("visited", "allowed", "last_entry"),
    (
        *("checks_win", "bare", "stuck", "mated", "repeated", "perpetual", "tempo", "late_goals"),
        *("score", "reached", "past", "odds", "first_odds", "second_odds", "halt"),
    ),
    (
        *("worth", "goals", "in_hand", "points", "dead"),
        *("ahead", "checked", "given", "killers", "good", "rated", "keys", "entries"),
    ),
)
DIFFERENCES = Layout(
    ("hard", "passers", "key", "second_key", "slots"),
    ("stop",),
    ("watchers", "notes", "gains", "counted", "table"),
)


# Numbers for the engine: those of an array, or in memory of the system.
Numbers: TypeAlias = "array[int] | memoryview[int]"


class Layer(Protocol):
    """What lays tables out when the engine asks for it."""

    def lay(self, wanted: int) -> int:
        """Lay something out; its number."""

    def watch(self, tell: Callable[[str, int, int], None] | None) -> None:
        """Let somebody know what is written from now on: the array, and from where to where."""


class Struct:
    """A struct for the engine. ``arrays`` are its own: they stay where they are while it lives.

    Numbers are read and written by their names; those that are not given are 0, and arrays that are
    not given are no arrays. ``layer`` lays out what is in them and not there yet, ``functions`` are
    where functions stand that the engine calls.
    """

    def __init__(
        self,
        layout: Layout,
        numbers: Mapping[str, int],
        arrays: Mapping[str, Numbers],
        layer: Layer | None = None,
        functions: Mapping[str, int] | None = None,
    ) -> None:
        self.layer = layer
        self.layout, self.arrays = layout, dict(arrays)
        longs, ints, names = layout
        middle, end = 8 * len(longs), 8 * len(longs) + 4 * len(ints)
        start = (end + 7) // 8 * 8
        self.memory = array("B", bytes(start + 8 * len(names)))
        view = memoryview(self.memory)
        # All numbers as bytes.
        self.head = view[:end]
        self._views = (view[:middle].cast("q"), view[middle:end].cast("i"))
        self._places = {name: (0, n) for n, name in enumerate(longs)}
        self._places |= {name: (1, n) for n, name in enumerate(ints)}
        for name, number in numbers.items():
            self[name] = number
        pointers = view[start:].cast("Q")
        for n, name in enumerate(names):
            if name in self.arrays:
                pointers[n] = address_of(self.arrays[name])
            elif functions and name in functions:
                pointers[n] = functions[name]

    def __getitem__(self, name: str) -> int:
        part, place = self._places[name]
        return self._views[part][place]

    def __setitem__(self, name: str, number: int) -> None:
        part, place = self._places[name]
        self._views[part][place] = number

    def numbers(self) -> dict[str, int]:
        """The numbers by their names."""
        return {name: self[name] for name in self._places}

    def copy(self) -> Struct:
        """The same with arrays of its own."""
        return Struct(self.layout, self.numbers(), {n: each[:] for n, each in self.arrays.items()})


def address_of(numbers: Numbers) -> int:
    """Where numbers stand in memory."""
    if isinstance(numbers, array):
        return numbers.buffer_info()[0]
    return ctypes.addressof(ctypes.c_char.from_buffer(numbers))


Given: TypeAlias = "Struct | array[int] | int"
# What each function wants, as src/alfil/engine/engine.h has it: p a struct or an array, i and Q a
# number of 32 or 64 bits; and whether it answers.
FUNCTIONS = {
    "are_facing": ("pp", True),
    "attacks_royal": ("ppi", True),
    "could_go": ("ppiipi", True),
    "count_moves": ("ppi", True),
    "generate": ("ppi", True),
    "go_on": ("ppipi", True),
    "is_checked": ("ppi", True),
    "is_dead": ("ppp", True),
    "is_immobile": ("ppi", True),
    "key_of": ("pp", True),
    "make": ("ppi", False),
    "mobility": ("ppii", True),
    "perft": ("ppii", True),
    "perft_after": ("pppiiii", True),
    "perft_by_differences": ("pppii", True),
    "propose": ("ppiip", True),
    "propose_drop": ("ppiiip", True),
    "royals_lost": ("ppi", True),
    "simulate": ("ppiiQp", True),
    "survey": ("ppip", True),
    "tell_changes": ("ppiip", False),
    "think": ("pppi", True),
    "unmake": ("ppi", False),
}
