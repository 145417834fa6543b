"""What is wrong with a location, and where, letter by letter; imports nothing of alfil.

Written from the rules, not from an expression: layered CELL is read by a machine of three states,
and a word's index is its place among all words, counted.
"""

from __future__ import annotations

import itertools
import string

LOWER, UPPER, DIGITS = (
    frozenset(string.ascii_lowercase),
    frozenset(string.ascii_uppercase),
    frozenset(string.digits),
)
SETS = (LOWER, DIGITS, UPPER)

Fault = tuple[str, int]


def components(text: str) -> tuple[list[str], int]:
    """The components of the longest prefix that is layered CELL, and where that prefix ends."""
    found: list[str] = []
    for place, letter in enumerate(text):
        now, then = SETS[(len(found) - 1) % 3], SETS[len(found) % 3]
        if found and letter in now:
            found[-1] += letter
        elif letter in then and letter != "0":
            found.append(letter)
        else:
            return found, place
    return found, len(text)


def index(component: str) -> int:
    if component[0] in DIGITS:
        return int(component) - 1
    shorter = sum(26**length for length in range(1, len(component)))
    return shorter + int("".join(map(_base26, component.lower())), 26)


def _base26(letter: str) -> str:
    return "0123456789abcdefghijklmnop"[ord(letter) - ord("a")]


def words() -> list[str]:
    """The words of one to three letters in the order of their indices."""
    letters = string.ascii_lowercase
    return [
        "".join(word) for length in (1, 2, 3) for word in itertools.product(letters, repeat=length)
    ]


def opaque_fault(text: str) -> Fault | None:
    if not text:
        return "empty", 0
    if text[0] == "*":
        return None if text == "*" else ("character", 1)
    for place, letter in enumerate(text):
        if letter not in LOWER | UPPER | DIGITS:
            return "character", place
    return None


def layered_fault(text: str, *, bounded: bool) -> Fault | None:
    if not text:
        return "empty", 0
    if bounded and len(text) > 7:
        return "length", 7
    if text[0] not in LOWER:
        return "start", 0
    found, end = components(text)
    starts = [sum(map(len, found[:number])) for number in range(len(found))]
    if bounded and len(found) > 3:
        return "dimensions", starts[3]
    if end < len(text):
        zero = text[end] == "0" and len(found) % 3 == 1
        return "leading-zero" if zero else "character", end
    for start, component in zip(starts, found, strict=True):
        if bounded and index(component) > 255:
            return "range", start
    return None
