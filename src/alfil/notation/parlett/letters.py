"""The signs of Parlett's notation: a row for each, with what it does to a leg of the movement."""

from __future__ import annotations

from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

from alfil.data_files import Messages
from alfil.geometry import COMPASS, Vector, images
from alfil.movement.nodes import CAPTURE, MOVE, End

make_diagnostic = Messages("parlett_diagnostics.tsv").make_diagnostic

Letter: TypeAlias = Literal["c", "o", "i"]
Type: TypeAlias = Literal["", "~", "^"]
Direction: TypeAlias = Literal[
    "*", "+", ">", "<", "<>", "=", ">=", "<=", "X", "X>", "X<", "*>", "*<", "*<>", "*>=", "*<="
]


class ConditionRow(NamedTuple):
    """What a condition does: what a move may still end on (None: as before), and when it may be.

    ``excludes`` is the condition that leaves nothing together with it.
    """

    says: str
    ends: tuple[End, ...] | None = None
    on_move: int | None = None
    excludes: Letter | None = None


# In the order in which they are written: an initial move without capture is oi.
CONDITIONS: dict[Letter, ConditionRow] = {
    "c": ConditionRow("only a capture", CAPTURE, excludes="o"),
    "o": ConditionRow("never a capture", MOVE, excludes="c"),
    "i": ConditionRow("only as the initial move", on_move=1),
}

TYPES: dict[Type, str] = {
    "": "blocked by what stands between, captures by landing",
    "~": "leaps",
    "^": "captures by leaping over",
}

_NORTH, _EAST, _SOUTH, _WEST = COMPASS[::2]
ORTHOGONAL = images(0, 1)
DIAGONAL = images(1, 1)

_FORWARDS = tuple(step for step in DIAGONAL if step[1] > 0)
_BACKWARDS = tuple(step for step in DIAGONAL if step[1] < 0)

# The single steps of each direction. * with another sign behind it is what that sign says of
# orthogonal and of diagonal steps; no diagonal step is sideways.
DIRECTIONS: dict[Direction, tuple[Vector, ...]] = {
    "*": (*ORTHOGONAL, *DIAGONAL),
    "+": ORTHOGONAL,
    ">": (_NORTH,),
    "<": (_SOUTH,),
    "<>": (_NORTH, _SOUTH),
    "=": (_EAST, _WEST),
    ">=": (_NORTH, _EAST, _WEST),
    "<=": (_EAST, _SOUTH, _WEST),
    "X": DIAGONAL,
    "X>": _FORWARDS,
    "X<": _BACKWARDS,
    "*>": (_NORTH, *_FORWARDS),
    "*<": (_SOUTH, *_BACKWARDS),
    "*<>": (_NORTH, _SOUTH, *DIAGONAL),
    "*>=": (_NORTH, _EAST, _WEST, *_FORWARDS),
    "*<=": (_EAST, _SOUTH, _WEST, *_BACKWARDS),
}

# The book's sign for sideways, and the one that alfil writes.
SIDEWAYS = "÷", "="

# Every character that can stand in a move.
BLANKS = " \t\r\n"
KNOWN = frozenset("0123456789n/&().,-÷" + BLANKS).union(CONDITIONS, *TYPES, *DIRECTIONS)

# No more directions than these are needed to say any set of steps that can be said.
MOST_DIRECTIONS = 4


def directions_for(steps: frozenset[Vector]) -> tuple[Direction, ...] | None:
    """The fewest directions that together are exactly these single steps, None if none are.

    >>> directions_for(frozenset({(0, 1), (1, 1), (-1, 1)})), directions_for(frozenset({(1, 0)}))
    (('*>',), None)
    """
    fitting = [sign for sign, own in DIRECTIONS.items() if steps.issuperset(own)]
    for count in range(1, MOST_DIRECTIONS + 1):
        for signs in combinations(fitting, count):
            if steps.issubset(step for sign in signs for step in DIRECTIONS[sign]):
                return signs
    return None
