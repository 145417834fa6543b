"""Turns and base vectors, as what is translated to Betza counts them."""

from __future__ import annotations

from alfil.geometry import Vector

# The turns of a later leg in eighths but straight back.
ALL_BUT_BACK = frozenset(range(8)) - {4}


def base_of(vector: Vector) -> Vector:
    """The base vector (a, b), a <= b, that a vector is an image of."""
    a, b = sorted((abs(vector[0]), abs(vector[1])))
    return a, b
