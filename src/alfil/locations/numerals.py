"""Words and numbers as indices: a and 1 are 0, z is 25, aa is 26.

Nothing has a limit except numbers, at `DIGITS` digits. Python's own limit on reading and writing
integers can be set lower, but not below `SAFE_DIGITS`; beyond that numbers are taken in pieces.
"""

from __future__ import annotations

from collections.abc import Sequence

DIGITS = 4300
SAFE_DIGITS = 640
_SAFE = 10**SAFE_DIGITS
_ALPHABET = 26


def order(component: str) -> tuple[int, str]:
    """The key that puts words, or numbers, in the order of their indices without reading them.

    >>> sorted(["aa", "b", "az", "ba"], key=order), order("10") > order("9")
    (['b', 'aa', 'az', 'ba'], True)
    """
    return len(component), component


def is_number(dimension: int) -> bool:
    """Whether a dimension, counted from 0, is written as a number."""
    return dimension % 3 == 1


def index_of(component: str) -> int:
    """The index a word or number stands for.

    >>> [index_of(text) for text in ("a", "zz", "AAA", "1", "256")]
    [0, 701, 702, 0, 255]
    """
    if component[0].isdigit():
        if len(component) <= SAFE_DIGITS:
            return int(component) - 1
        return _joined([int(digit) for digit in component], 10) - 1
    first = ord("A" if component[0] < "a" else "a") - 1
    return _joined([ord(letter) - first for letter in component], _ALPHABET) - 1


def _joined(digits: Sequence[int], radix: int) -> int:
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


def component(index: int, dimension: int) -> str:
    """The word or number for an index in a dimension, both counted from 0.

    >>> [component(26, dimension) for dimension in range(4)]
    ['aa', '27', 'AA', 'aa']
    """
    if is_number(dimension):
        return _decimal(index + 1)
    first = "A" if dimension % 3 else "a"
    letters = []
    rest = index + 1
    while rest:
        rest, letter = divmod(rest - 1, _ALPHABET)
        letters.append(chr(ord(first) + letter))
    return "".join(reversed(letters))


def _decimal(number: int) -> str:
    pieces = []
    while number >= _SAFE:
        number, piece = divmod(number, _SAFE)
        pieces.append(f"{piece:0{SAFE_DIGITS}}")
    return "".join([str(number), *reversed(pieces)])


def shown(index: int) -> str:
    """An index as Python reads it back: in hexadecimal where decimals could be too long for it.

    >>> shown(255), shown(-3), shown(16**1000)[:4]
    ('255', '-3', '0x10')
    """
    return str(index) if abs(index) < _SAFE else hex(index)
