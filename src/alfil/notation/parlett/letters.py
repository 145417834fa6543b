"""The signs of Parlett's notation: a row for each, with what it does to a leg of the movement."""

from __future__ import annotations

from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

from alfil.data_files import MessageTable
from alfil.geometry import COMPASS, Vector, images_of_base
from alfil.movement.nodes import CAPTURE_ONLY, MOVE_ONLY, End

make_diagnostic = MessageTable("parlett_diagnostics.tsv").make_diagnostic

ConditionLetter: TypeAlias = Literal["c", "o", "i"]
MoveType: TypeAlias = Literal["", "~", "^"]
Direction: TypeAlias = Literal[
    "*", "+", ">", "<", "<>", "=", ">=", "<=", "X", "X>", "X<", "*>", "*<", "*<>", "*>=", "*<="
]


class ConditionDefinition(NamedTuple):
    """What a condition does: what a move may still end on (None: as before), and when it may be.

    ``excludes`` is the condition that leaves nothing together with it.
    """

    says: str
    ends: tuple[End, ...] | None = None
    on_move: int | None = None
    excludes: ConditionLetter | None = None


# In the order in which they are written: an initial move without capture is oi.
CONDITIONS: dict[ConditionLetter, ConditionDefinition] = {
    "c": ConditionDefinition("only a capture", CAPTURE_ONLY, excludes="o"),
    "o": ConditionDefinition("never a capture", MOVE_ONLY, excludes="c"),
    "i": ConditionDefinition("only as the initial move", on_move=1),
}

MOVE_TYPES: dict[MoveType, str] = {
    "": "blocked by what stands between, captures by landing",
    "~": "leaps",
    "^": "captures by leaping over",
}

_NORTH, _EAST, _SOUTH, _WEST = COMPASS[::2]
ORTHOGONAL = images_of_base(0, 1)
DIAGONAL = images_of_base(1, 1)

_FORWARD_DIAGONALS = tuple(step for step in DIAGONAL if step[1] > 0)
_BACKWARD_DIAGONALS = tuple(step for step in DIAGONAL if step[1] < 0)

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
    "X>": _FORWARD_DIAGONALS,
    "X<": _BACKWARD_DIAGONALS,
    "*>": (_NORTH, *_FORWARD_DIAGONALS),
    "*<": (_SOUTH, *_BACKWARD_DIAGONALS),
    "*<>": (_NORTH, _SOUTH, *DIAGONAL),
    "*>=": (_NORTH, _EAST, _WEST, *_FORWARD_DIAGONALS),
    "*<=": (_EAST, _SOUTH, _WEST, *_BACKWARD_DIAGONALS),
}

# The book's sign for sideways, and the one that alfil writes.
SIDEWAYS_SIGNS = "÷", "="

# Every character that can stand in a move.
BLANK_CHARACTERS = " \t\r\n"
KNOWN_CHARACTERS = frozenset("0123456789n/&().,-÷" + BLANK_CHARACTERS).union(
    CONDITIONS, *MOVE_TYPES, *DIRECTIONS
)

# No more directions than these are needed to say any set of steps that can be said.
MAX_DIRECTIONS = 4


def directions_for(steps: frozenset[Vector]) -> tuple[Direction, ...] | None:
    """The fewest directions that together are exactly these single steps, None if none are.

    >>> directions_for(frozenset({(0, 1), (1, 1), (-1, 1)})), directions_for(frozenset({(1, 0)}))
    (('*>',), None)
    """
    fitting = [sign for sign, own in DIRECTIONS.items() if steps.issuperset(own)]
    for count in range(1, MAX_DIRECTIONS + 1):
        for signs in combinations(fitting, count):
            if steps.issubset(step for sign in signs for step in DIRECTIONS[sign]):
                return signs
    return None
