"""The signs of Ħasínū: patterns, tables, numbers and angles, and a cursor over a text."""

from __future__ import annotations

import math
import re

from .hasinu_tree import Square, Turn, Unreadable

WINDS = {"N": 0, "NE": 2, "E": 4, "SE": 6, "S": 8, "SW": 10, "W": 12, "NW": 14}
VECTORS: dict[int, Square] = {
    0: (0, 1),
    2: (1, 1),
    4: (1, 0),
    6: (1, -1),
    8: (0, -1),
    10: (-1, -1),
    12: (-1, 0),
    14: (-1, 1),
}
SHORT = {"O": ["N", "E", "S", "W"], "D": ["NE", "SE", "SW", "NW"]}
DEGREES = {"°": 1.0, "deg": 1.0, "rad": math.degrees(1), "gon": 0.9, "grad": 0.9}
EIGHT = 8
LARGEST = 999
STEP = 22.5
HALF_CIRCLE = 8
TOLERANCE = 0.5

SPACE = re.compile(r"[ \t\r\n]*")
INT = re.compile(r"[0-9]+")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
RIDER = re.compile(r"n[ \t\r\n]*[0-9]")
DIRECTION = re.compile(r"NE|NW|SE|SW|[NESWOD]")
PAIR = re.compile(r"\([ \t\r\n]*([0-9]+)[ \t\r\n]*,[ \t\r\n]*([0-9]+)[ \t\r\n]*\)")
TURN = re.compile(r"&t(?![A-Za-z_])")
NUMBER = r"([+-]?)([0-9]+(?:\.[0-9]+)?)"
UNIT_ANGLE = re.compile(r"[ \t\r\n]*" + NUMBER + r"(°|deg|rad|gon|grad)")
BARE_ANGLE = re.compile(NUMBER + r"(?=[ \t\r\n]+(?![ \t\r\n×x])|[)\]&,}]|[ \t\r\n]*\Z)")
TEXT = re.compile(r"//([^,.;:!?()\[\]{}&*\r\n]*)[.;:!?]?")
BETZA_ATOM = re.compile(r"([mc]?)(ff)?([WFKNRBQ]|\[F\?R\])")


def integer(digits: str, *, least: int = 1) -> int:
    """Give the value of ASCII digits between `least` and 999, without leading zero."""
    value = int(digits)
    if str(value) != digits or not least <= value <= LARGEST:
        raise Unreadable(f"number {digits}")
    return value


def turn_of(sign: str, number: str, unit: str) -> Turn:
    """Round an angle to sixteenths of a circle; it may be half a degree off."""
    degrees = float(number) * DEGREES[unit]
    sixteenths = round(degrees / STEP)
    if abs(degrees - sixteenths * STEP) > TOLERANCE or sixteenths > HALF_CIRCLE:
        raise Unreadable(f"angle {number}{unit}")
    return Turn(sixteenths, {"+": 1, "-": -1, "": None}[sign])


def oblique_vectors(p: int, q: int, letters: str) -> tuple[tuple[int, Square], ...]:
    """Give the leaps of the octants, in the order of the table, with their winds."""
    table = {
        "a": (15, (-p, q)),
        "b": (1, (p, q)),
        "c": (3, (q, p)),
        "d": (5, (q, -p)),
        "e": (7, (p, -q)),
        "f": (9, (-p, -q)),
        "g": (11, (-q, -p)),
        "h": (13, (-q, p)),
    }
    if len(set(letters)) != len(letters):
        raise Unreadable("octant named twice")
    return tuple(table[letter] for letter in sorted(letters or table))


class Cursor:
    """A place in a text. Whitespace between signs means nothing."""

    def __init__(self, text: str) -> None:
        """Start at the beginning of the text."""
        self.text = text
        self.at = 0

    def fail(self, wanted: str) -> Unreadable:
        """Make the error for this place."""
        return Unreadable(f"{wanted} due at {self.at} in {self.text!r}")

    def skip(self) -> None:
        """Step over whitespace."""
        found = SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def sees(self, sign: str) -> bool:
        """Look whether the sign comes next, after whitespace."""
        self.skip()
        return self.text.startswith(sign, self.at)

    def take(self, sign: str) -> bool:
        """Step over the sign if it comes next."""
        if not self.sees(sign):
            return False
        self.at += len(sign)
        return True

    def need(self, sign: str) -> None:
        """Step over the sign, which must come next."""
        if not self.take(sign):
            raise self.fail(sign)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Step over whitespace and the pattern, if it comes next."""
        self.skip()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found
