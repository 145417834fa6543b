"""Squares by number and by name.

The number of a square is rank × files + file, both from 0 at the first side's lower left corner.
Names are those of shogi (file from the right in figures, rank from the top in letters) where the
first side is black, and those of chess where it is white.
"""

from __future__ import annotations

import re

from alfil.game.variant import SideName, Square
from alfil.geometry import square_name

_SHOGI = re.compile(r"([1-9][0-9]?)([a-z]{1,2})")
_CHESS = re.compile(r"([a-z]{1,2})([1-9][0-9]?)")


def letters(number: int) -> str:
    """A number from 0 in letters: a to z, then aa.

    >>> letters(0), letters(25), letters(26)
    ('a', 'z', 'aa')
    """
    return square_name(number, 0)[:-1]


def from_letters(text: str) -> int:
    """The number that `letters` writes so."""
    last = ord(text[-1]) - ord("a")
    return last if len(text) == 1 else 26 * (ord(text[0]) - ord("a") + 1) + last


def name_square(square: Square, first: SideName, files: int, ranks: int) -> str:
    """The name of a square.

    >>> name_square((4, 8), "black", 9, 9), name_square((4, 0), "white", 8, 8)
    ('5a', 'e1')
    """
    file, rank = square
    if first == "white":
        return square_name(file, rank)
    return f"{files - file}{letters(ranks - 1 - rank)}"


def read_square(text: str, first: SideName, files: int, ranks: int) -> Square | None:
    """The square with this name, None when there is none on the board.

    >>> read_square("5a", "black", 9, 9), read_square("i9", "white", 8, 8)
    ((4, 8), None)
    """
    match = (_CHESS if first == "white" else _SHOGI).fullmatch(text)
    if match is None:
        return None
    one, two = match.groups()
    if first == "white":
        file, rank = from_letters(one), int(two) - 1
    else:
        file, rank = files - int(one), ranks - 1 - from_letters(two)
    return (file, rank) if 0 <= file < files and 0 <= rank < ranks else None
