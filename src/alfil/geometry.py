"""Vectors and turns on the grid.

Vectors are (dx, dy): forward is +y, right is +x, both seen by the mover. A compass direction is
counted in eighths of a circle clockwise from forward (0 forward, 1 forward right, 2 right, 4 back).
A wind is counted in sixteenths: radial directions sit on even winds, oblique ones on odd winds,
whatever their numbers.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TypeAlias

Vector: TypeAlias = tuple[int, int]

# The largest board a meaning, a table or a game knows, and so the longest possible step.
BOARD_LIMIT = 36
LONGEST_STEP = BOARD_LIMIT - 1
# A way that turns may leave an open diagram and come back: it is followed so far beyond the edge.
OPEN_BOARD_MARGIN = 8

COMPASS: tuple[Vector, ...] = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
# The bases of all of them.
UNIT_BASES: tuple[Vector, ...] = ((0, 1), (1, 1))

# Where the vectors (1, 0) and (0, 1) go when the board is turned or mirrored.
Symmetry: TypeAlias = tuple[Vector, Vector]
IDENTITY: Symmetry = ((1, 0), (0, 1))
QUARTER_TURN: Symmetry = ((0, -1), (1, 0))
HALF_TURN: Symmetry = ((-1, 0), (0, -1))
THREE_QUARTER_TURN: Symmetry = ((0, 1), (-1, 0))
LEFT_RIGHT_MIRROR: Symmetry = ((-1, 0), (0, 1))
FRONT_BACK_MIRROR: Symmetry = ((1, 0), (0, -1))
# In the diagonal that goes up to the right, and in the other one.
DIAGONAL_MIRROR: Symmetry = ((0, 1), (1, 0))
OTHER_DIAGONAL_MIRROR: Symmetry = ((0, -1), (-1, 0))
SYMMETRIES = (
    *(IDENTITY, QUARTER_TURN, HALF_TURN, THREE_QUARTER_TURN),
    *(LEFT_RIGHT_MIRROR, DIAGONAL_MIRROR, FRONT_BACK_MIRROR, OTHER_DIAGONAL_MIRROR),
)


def apply_symmetry(symmetry: Symmetry, vector: Vector) -> Vector:
    """Where a vector goes.

    >>> apply_symmetry(LEFT_RIGHT_MIRROR, (1, 2))
    (-1, 2)
    """
    (a, b), (c, d) = symmetry
    dx, dy = vector
    return a * dx + c * dy, b * dx + d * dy


def inverse_symmetry(symmetry: Symmetry) -> Symmetry:
    """The symmetry that undoes another one.

    >>> inverse_symmetry(QUARTER_TURN) == THREE_QUARTER_TURN
    True
    """
    (a, b), (c, d) = symmetry
    return (a, c), (b, d)


@lru_cache(maxsize=4096)
def images_of_base(a: int, b: int) -> tuple[Vector, ...]:
    """The four or eight images of a base vector, clockwise, from the one on or right of forward.

    >>> images_of_base(0, 2)
    ((0, 2), (2, 0), (0, -2), (-2, 0))
    >>> images_of_base(2, 1)
    ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
    """
    p, q = min(a, b), max(a, b)
    if p == 0:
        return ((0, q), (q, 0), (0, -q), (-q, 0))
    if p == q:
        return ((q, q), (q, -q), (-q, -q), (-q, q))
    return ((p, q), (q, p), (q, -p), (p, -q), (-p, -q), (-q, -p), (-q, p), (-p, q))


def base_vector(vector: Vector) -> Vector:
    """The base vector (a, b), a <= b, that a vector is an image of.

    >>> base_vector((-2, 1))
    (1, 2)
    """
    a, b = sorted((abs(vector[0]), abs(vector[1])))
    return a, b


@lru_cache(maxsize=4096)
def all_images(vectors: tuple[Vector, ...]) -> tuple[Vector, ...]:
    """All images of some base vectors.

    >>> len(all_images(((0, 1), (1, 1))))
    8
    """
    return tuple([image for a, b in vectors for image in images_of_base(a, b)])


@lru_cache(maxsize=4096)
def rotate_vector(vector: Vector, eighths: int) -> Vector:
    """The vector turned clockwise by eighths of a circle, as a later leg of a chain turns.

    A straight step keeps its number of squares a side: (0, 2) turned by one eighth is (2, 2). An
    oblique leap moves along the clockwise order of its eight images.

    >>> rotate_vector((0, 2), 1), rotate_vector((1, 1), 7), rotate_vector((1, 2), 1)
    ((2, 2), (0, 1), (2, 1))
    """
    dx, dy = vector
    if dx == 0 or dy == 0 or abs(dx) == abs(dy):
        size = max(abs(dx), abs(dy))
        x, y = COMPASS[(compass_direction(vector) + eighths) % 8]
        return (x * size, y * size)
    ring = images_of_base(abs(dx), abs(dy))
    return ring[(ring.index(vector) + eighths) % 8]


@lru_cache(maxsize=4096)
def compass_direction(vector: Vector) -> int:
    """The compass direction of a straight vector, 0 to 7.

    >>> compass_direction((3, -3))
    3
    """
    dx, dy = vector
    return COMPASS.index(((dx > 0) - (dx < 0), (dy > 0) - (dy < 0)))


@lru_cache(maxsize=4096)
def direction_in_sixteenths(vector: Vector) -> int:
    """The wind of a vector, 0 to 15: even for straight ones, odd for oblique ones.

    >>> [direction_in_sixteenths(step) for step in ((0, 5), (1, 3), (3, 1), (-1, 2))]
    [0, 1, 3, 15]
    """
    dx, dy = vector
    if dx == 0 or dy == 0 or abs(dx) == abs(dy):
        return 2 * compass_direction(vector)
    return 2 * images_of_base(abs(dx), abs(dy)).index(vector) + 1


def is_oblique(vector: Vector) -> bool:
    """Whether a vector is neither orthogonal nor diagonal."""
    dx, dy = vector
    return dx != 0 and dy != 0 and abs(dx) != abs(dy)


def as_king_steps(vector: Vector) -> tuple[Vector, ...]:
    """A leap as king steps: straight along the longer coordinate, then diagonally.

    >>> as_king_steps((2, 3))
    ((0, 1), (1, 1), (1, 1))
    >>> as_king_steps((0, -2))
    ((0, -1), (0, -1))
    """
    dx, dy = vector
    x, y = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    straight = abs(abs(dx) - abs(dy))
    along = (x, 0) if abs(dx) > abs(dy) else (0, y)
    return (along,) * straight + ((x, y),) * min(abs(dx), abs(dy))


@cache
def leaps_within(max_dx: int = LONGEST_STEP, max_dy: int = LONGEST_STEP) -> tuple[Vector, ...]:
    """Every leap with |dx| <= x and |dy| <= y, except none at all."""
    return tuple(
        (dx, dy)
        for dx in range(-min(max_dx, LONGEST_STEP), min(max_dx, LONGEST_STEP) + 1)
        for dy in range(-min(max_dy, LONGEST_STEP), min(max_dy, LONGEST_STEP) + 1)
        if dx or dy
    )


# All walks in a box are told one by one, so there is a limit to how long they are.
MAX_WALK_LENGTH = 3


@lru_cache(maxsize=64)
def walks_in_box(max_dx: int, max_dy: int, length: int) -> tuple[tuple[Vector, ...], ...]:
    """All rows of so many single steps that never go farther than x to a side, y on or back.

    >>> walks_in_box(0, 1, 2)
    (((0, 1), (0, -1)), ((0, -1), (0, 1)))
    """
    rows: list[tuple[tuple[Vector, ...], Vector]] = [((), (0, 0))]
    for _ in range(length):
        rows = [
            ((*row, (dx, dy)), (at[0] + dx, at[1] + dy))
            for row, at in rows
            for dx, dy in COMPASS
            if abs(at[0] + dx) <= max_dx and abs(at[1] + dy) <= max_dy
        ]
    return tuple([row for row, _ in rows])
