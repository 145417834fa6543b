"""Squares by name: all of alfil reads and writes them here.

A square is (file, rank), both from 0 at the lower left corner. In chess, and in CELL, files are
letters from the left and ranks are figures from below: e5. In shogi files are figures from the
right and ranks are letters from above: 5e. z is followed by aa.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from alfil.graphs import reachable

Square: TypeAlias = tuple[int, int]
CoordinateSystem: TypeAlias = Literal["chess", "shogi"]

_ALPHABET = 26
_LETTERS, _FIGURES = "[a-z]{1,2}", "[1-9][0-9]?"
_NAME = {
    "chess": re.compile(f"(?P<letters>{_LETTERS})(?P<figures>{_FIGURES})"),
    "shogi": re.compile(f"(?P<figures>{_FIGURES})(?P<letters>{_LETTERS})"),
}


def square_seen_by(side: int, square: Square, files: int, ranks: int) -> Square:
    """A square as a side counts it, or back; the second one sees the board turned half around.

    >>> square_seen_by(1, (0, 1), 9, 9), square_seen_by(0, (0, 1), 9, 9)
    ((8, 7), (0, 1))
    """
    return (files - 1 - square[0], ranks - 1 - square[1]) if side else square


@lru_cache(maxsize=64)
def number_in_letters(number: int) -> str:
    """A number from 0 in letters.

    >>> number_in_letters(0), number_in_letters(25), number_in_letters(26), number_in_letters(702)
    ('a', 'z', 'aa', 'aaa')
    """
    result = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, _ALPHABET)
        result = chr(ord("a") + letter) + result
    return result


def number_from_letters(text: str) -> int:
    """The number that `number_in_letters` writes so.

    >>> [number_from_letters(text) for text in ("a", "z", "aa", "aj", "aaa")]
    [0, 25, 26, 35, 702]
    """
    return number_from_digits([ord(letter) - ord("a") + 1 for letter in text], _ALPHABET) - 1


def number_from_digits(digits: Sequence[int], radix: int) -> int:
    """The value of digits, most significant first; neighbours are joined until one is left.

    One digit after the other would cost the square of their number.
    """
    while len(digits) > 1:
        if len(digits) % 2:
            digits = [0, *digits]
        pairs = zip(digits[::2], digits[1::2], strict=True)
        digits = [high * radix + low for high, low in pairs]
        radix *= radix
    return digits[0]


def square_name(file: int, rank: int) -> str:
    """The name of a square in chess, which is its text in CELL.

    >>> square_name(4, 4), square_name(26, 9)
    ('e5', 'aa10')
    """
    return f"{number_in_letters(file)}{rank + 1}"


def square_name_on(square: Square, files: int, ranks: int, coordinates: CoordinateSystem) -> str:
    """The name of a square of a board; `parse_square` reads it.

    >>> square_name_on((4, 4), 9, 9, "shogi"), square_name_on((0, 0), 36, 36, "shogi")
    ('5e', '36aj')
    """
    file, rank = square
    if coordinates == "chess":
        return square_name(file, rank)
    return f"{files - file}{number_in_letters(ranks - 1 - rank)}"


def parse_square(text: str, files: int, ranks: int, coordinates: CoordinateSystem) -> Square | None:
    """The square of a board with this name, None when there is none.

    >>> (parse_square("5a", 9, 9, "shogi"), parse_square("36aj", 36, 36, "shogi"),
    ...  parse_square("i9", 8, 8, "chess"))
    ((4, 8), (0, 0), None)
    """
    match = _NAME[coordinates].fullmatch(text)
    if match is None:
        return None
    lettered, counted = number_from_letters(match["letters"]), int(match["figures"])
    if coordinates == "chess":
        file, rank = lettered, counted - 1
    else:
        file, rank = files - counted, ranks - 1 - lettered
    return (file, rank) if 0 <= file < files and 0 <= rank < ranks else None


def coordinate_system_of(name: object) -> CoordinateSystem | None:
    """Which kind of name this is, None when it is none.

    >>> [coordinate_system_of(name) for name in ("e5", "5e", "e", (4, 4))]
    ['chess', 'shogi', None, None]
    """
    kinds: tuple[CoordinateSystem, ...] = ("chess", "shogi")
    text = name if isinstance(name, str) else ""
    return next((kind for kind in kinds if _NAME[kind].fullmatch(text)), None)


def square_name_pattern(coordinates: CoordinateSystem, files: int = 702, ranks: int = 702) -> str:
    """What a name looks like, as part of a regular expression; it need not be on the board.

    Letters are two only on boards that have so many.

    >>> square_name_pattern("chess", 8, 8), square_name_pattern("shogi", 36, 36)
    ('[a-z][1-9][0-9]?', '[1-9][0-9]?[a-z]{1,2}')
    """
    chess = coordinates == "chess"
    lettered = _LETTERS if (files if chess else ranks) > _ALPHABET else "[a-z]"
    return lettered + _FIGURES if chess else _FIGURES + lettered


def axis_labels(
    files: int, ranks: int, coordinates: CoordinateSystem
) -> tuple[list[str], list[str]]:
    """What files are called, from the left, and ranks, from the near side.

    >>> axis_labels(3, 2, "chess"), axis_labels(3, 2, "shogi")
    ((['a', 'b', 'c'], ['1', '2']), (['3', '2', '1'], ['b', 'a']))
    """
    if coordinates == "chess":
        return [number_in_letters(file) for file in range(files)], [
            str(n + 1) for n in range(ranks)
        ]
    names = [number_in_letters(rank) for rank in reversed(range(ranks))]
    return [str(files - file) for file in range(files)], names


def square_ranges_text(
    squares: Collection[Square], files: int, ranks: int, coordinates: CoordinateSystem
) -> str:
    """Squares by their names, rectangles by two of their corners.

    >>> square_ranges_text({(0, 0), (1, 0), (0, 1), (1, 1), (3, 3)}, 8, 8, "chess")
    'a1 to b2; d4'
    """
    parts = []
    for part in _connected_parts(set(squares)):
        names = [square_name_on(each, files, ranks, coordinates) for each in sorted(part)]
        wide, high = (max(each) - min(each) + 1 for each in zip(*part, strict=True))
        whole = len(part) > 1 and len(part) == wide * high
        parts.append(f"{names[0]} to {names[-1]}" if whole else " ".join(names))
    alone = [each for each in parts if " " not in each]
    rest = [each for each in parts if " " in each]
    return "; ".join([*rest, *([" ".join(alone)] if alone else [])]) or "nothing"


def _connected_parts(squares: set[Square]) -> Iterator[list[Square]]:
    """The squares in parts that hang together by their edges."""

    def neighbours(at: Square) -> set[Square]:
        x, y = at
        return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & squares

    while squares:
        part = reachable([min(squares)], neighbours)
        squares -= {*part}
        yield part
