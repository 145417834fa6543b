"""Letters as strokes, drawn for alfil, so that words survive where there are no fonts.

A letter is a path on a grid: the baseline at 0, capitals 14 high, small letters 10; y grows
downwards. Accents are put on their letters; what has no letter here is a box.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

CAPITAL = 14
BLANK = 6.0
GAP = 3.2

_ROUND = "M8-5a4 5 0 1 0-8 0a4 5 0 1 0 8 0"
_BOWL = "M0-5a4 5 0 1 1 8 0a4 5 0 1 1-8 0"
_RING = "M12.6-7a6.3 7 0 1 0-12.6 0a6.3 7 0 1 0 12.6 0"
_P = "M0 0v-14h4.8a3.9 3.9 0 0 1 0 7.8h-4.8"

# Each letter: how wide it is, and its strokes.
GLYPHS: dict[str, tuple[float, str]] = {
    "a": (8, "M8-10v10" + _ROUND),
    "b": (8, "M0-15v15" + _BOWL),
    "c": (7.5, "M7.5-8.2a4.2 5 0 1 0 0 6.4"),
    "d": (8, "M8-15v15" + _ROUND),
    "e": (8, "M0-5h8a4 5 0 1 0-1.2 3.5"),
    "f": (5.5, "M6-15h-.7a3 3 0 0 0-3 3v12M-.4-10h5.6"),
    "g": (8, "M8-10v9.6a4 4.2 0 0 1-7.5 1.8" + _ROUND),
    "h": (8, "M0-15v15M0-6a4 4 0 0 1 8 0v6"),
    "i": (0, "M0-10v10M0-14v.1"),
    "j": (2.5, "M2.5-10v11.3a2.8 2.8 0 0 1-2.8 2.8M2.5-14v.1"),
    "k": (7.2, "M0-15v15M7-10l-7 6.2M2.4-6l5 6"),
    "l": (0, "M0-15v15"),
    "m": (14, "M0-10v10M0-6.5a3.5 3.5 0 0 1 7 0v6.5M7-6.5a3.5 3.5 0 0 1 7 0v6.5"),
    "n": (8, "M0-10v10M0-6a4 4 0 0 1 8 0v6"),
    "o": (8, _ROUND),
    "p": (8, "M0-10v14" + _BOWL),
    "q": (8, "M8-10v14" + _ROUND),
    "r": (4.6, "M0-10v10M0-6a4 4 0 0 1 5-3.8"),
    "s": (6.4, "M6.2-8.7a3.3 2.5 0 1 0-2.9 3.7a3.3 2.5 0 1 1-2.9 3.7"),
    "t": (6, "M2.8-14v11a3 3 0 0 0 3 3h.4M0-10h6"),
    "u": (8, "M0-10v6a4 4 0 0 0 8 0v-6M8-10v10"),
    "v": (8, "M0-10l4 10l4-10"),
    "w": (13, "M0-10l3 10l3.5-10l3.5 10l3-10"),
    "x": (7.5, "M0-10l7.5 10M7.5-10l-7.5 10"),
    "y": (8, "M0-10l4.1 9.8M8-10l-5 12.2a3 3 0 0 1-2.6 1.7"),
    "z": (7.2, "M0-10h7l-7 10h7.2"),
    "A": (11, "M0 0l5.5-14l5.5 14M2-5h7"),
    "B": (9, "M0-14v14h5a4 3.9 0 0 0 0-7.8h-5M0-14h4.2a3.1 3.1 0 0 1 0 6.2"),
    "C": (10.4, "M10.2-11.2a6.3 7 0 1 0 0 8.4"),
    "D": (10.5, "M0-14v14h3.5a7 7 0 0 0 0-14z"),
    "E": (8, "M8-14h-8v14h8M0-7.3h6.8"),
    "F": (8, "M8-14h-8v14M0-7.3h6.5"),
    "G": (11.4, "M10.4-11.4a6.3 7 0 1 0 1 5.2h-5"),
    "H": (10, "M0-14v14M10-14v14M0-7.3h10"),
    "I": (4, "M0-14h4M2-14v14M0 0h4"),
    "J": (6, "M6-14v10.5a3.1 3.5 0 0 1-6.1.8"),
    "K": (9.5, "M0-14v14M9-14l-9 8.5M3.2-8.4l6.3 8.4"),
    "L": (7.5, "M0-14v14h7.5"),
    "M": (12, "M0 0v-14l6 9l6-9v14"),
    "N": (9.5, "M0 0v-14l9.5 14v-14"),
    "O": (12.6, _RING),
    "P": (8.7, _P),
    "Q": (12.6, _RING + "M8-3.6l4.4 4.6"),
    "R": (9.2, _P + "M4.8-6.2l4.6 6.2"),
    "S": (8.8, "M8.2-12.2a4.2 3.5 0 1 0-3.8 5.2a4.4 3.5 0 1 1-4.1 4.8"),
    "T": (10, "M0-14h10M5-14v14"),
    "U": (9.8, "M0-14v9a4.9 5 0 0 0 9.8 0v-9"),
    "V": (10.6, "M0-14l5.3 14l5.3-14"),
    "W": (16.6, "M0-14l4 14l4.3-13l4.3 13l4-14"),
    "X": (9.5, "M0-14l9.5 14M9.5-14l-9.5 14"),
    "Y": (10, "M0-14l5 7v7M10-14l-5 7"),
    "Z": (9.3, "M0-14h9l-9 14h9.3"),
    "0": (8, "M8-7a4 7 0 1 0-8 0a4 7 0 1 0 8 0"),
    "1": (5, "M.6-11.4l4-2.6v14"),
    "2": (8, "M.3-10.4a3.8 3.7 0 1 1 6.8 2.3l-6.9 8.1h8"),
    "3": (8, "M.4-11.8a3.8 3.4 0 1 1 3.2 4.6a4 3.6 0 1 1-3.6 4.8"),
    "4": (8.6, "M6.2 0v-14l-6.2 9.8h8.6"),
    "5": (8, "M7.4-14h-6.4l-.5 6.2a4.3 4.3 0 1 1-.3 5.4"),
    "6": (8.2, "M6.4-14l-5.5 7.6M8.2-4.2a4.1 4.2 0 1 0-8.2 0a4.1 4.2 0 1 0 8.2 0"),
    "7": (8.4, "M0-14h8.4l-5.4 14"),
    "8": (8, "M7.5-10.5a3.5 3.5 0 1 0-7 0a3.5 3.5 0 1 0 7 0M8-3.5a4 3.5 0 1 0-8 0a4 3.5 0 1 0 8 0"),
    "9": (8.2, "M8.2-9.8a4.1 4.2 0 1 0-8.2 0a4.1 4.2 0 1 0 8.2 0M7.4-7.6l-5.6 7.6"),
    ".": (0, "M0-.2v.2"),
    ",": (1, "M1-.6l-1.4 3.4"),
    ":": (0, "M0-8.2v.2M0-.2v.2"),
    ";": (1, "M1-8.2v.2M1-.6l-1.4 3.4"),
    "!": (0, "M0-14v9.4M0-.2v.2"),
    "?": (7, "M0-11a3.6 3.2 0 1 1 5.3 2.6q-1.9 1-1.9 3.4v.5M3.4-.2v.2"),
    "'": (0, "M0-14v4"),
    '"': (3.5, "M0-14v4M3.5-14v4"),
    "(": (3.5, "M3.5-16a13 13 0 0 0 0 19"),
    ")": (3.5, "M0-16a13 13 0 0 1 0 19"),
    "[": (3.6, "M3.6-16h-3.6v19h3.6"),
    "]": (3.6, "M0-16h3.6v19h-3.6"),
    "{": (4.6, "M4.6-16a3 3 0 0 0-3 3v4a2.4 2.4 0 0 1-2 2.5a2.4 2.4 0 0 1 2 2.5v4a3 3 0 0 0 3 3"),
    "}": (4.6, "M0-16a3 3 0 0 1 3 3v4a2.4 2.4 0 0 0 2 2.5a2.4 2.4 0 0 0-2 2.5v4a3 3 0 0 1-3 3"),
    "+": (8.4, "M0-6h8.4M4.2-10.2v8.4"),
    "-": (5, "M0-5.5h5"),
    "×": (6.8, "M0-9.2l6.8 6.8M6.8-9.2l-6.8 6.8"),
    "=": (8.4, "M0-8h8.4M0-3.6h8.4"),
    "*": (6.2, "M3.1-14v7M0-12.2l6.2 3.5M6.2-12.2l-6.2 3.5"),
    "/": (6, "M0 2l6-17"),
    "\\": (6, "M0-15l6 17"),
    "|": (0, "M0-16v19"),
    "&": (
        10,
        "M9.4-5.4q-1.8 5.4-5.8 5.4a3.5 3.5 0 0 1-3.5-3.6q0-2.4 3.2-4t3-3.6a2.5 2.5 0 0 0-5 0"
        "q0 1.8 2 4.2l6.4 7",
    ),
    "<": (7.6, "M7.6-11l-7.6 5l7.6 5"),
    ">": (7.6, "M0-11l7.6 5l-7.6 5"),
    "~": (9.4, "M0-5q2.2-3.4 4.7-1.6t4.7-1.6"),
    "^": (7, "M0-9l3.5-5l3.5 5"),
    "_": (9, "M0 2.4h9"),
    "`": (2.6, "M0-14l2.6 3.4"),
    "#": (9, "M3.2-14l-2 14M7.8-14l-2 14M.4-9.6h9M-.2-4.4h9"),
    "$": (8.8, "M8.2-12.2a4.2 3.5 0 1 0-3.8 5.2a4.4 3.5 0 1 1-4.1 4.8M4.4-16v18"),
    "%": (
        12,
        "M10.4-14l-8.6 14M4.6-11a2.3 3 0 1 0-4.6 0a2.3 3 0 1 0 4.6 0"
        "M12-3a2.3 3 0 1 0-4.6 0a2.3 3 0 1 0 4.6 0",
    ),
    "@": (
        13,
        "M9.2-6.4a3 3.2 0 1 0-6 0a3 3.2 0 1 0 6 0M9.2-9.6v4.6q.2 1.9 1.8 1.9t2-3.4"
        "a6.5 7 0 1 0-3 5.8",
    ),
    "–": (8, "M0-5.5h8"),
    "—": (13, "M0-5.5h13"),
    "·": (0, "M0-5.6v.2"),
    "°": (4.4, "M4.4-11.8a2.2 2.2 0 1 0-4.4 0a2.2 2.2 0 1 0 4.4 0"),
    "…": (9, "M0-.2v.2M4.5-.2v.2M9-.2v.2"),
    "“": (3.8, "M1-14l-1 3.6M4.8-14l-1 3.6"),
    "”": (3.8, "M1-14l-1 3.6M4.8-14l-1 3.6"),
    "‘": (1, "M1-14l-1 3.6"),
    "’": (1, "M1-14l-1 3.6"),
    "Ħ": (11, "M.5-14v14M10.5-14v14M.5-7.3h10M-1-11h13"),
    "ħ": (8, "M0-15v15M0-6a4 4 0 0 1 8 0v6M-2-12.4h6"),
    "∞": (14, "M7-6q3-4 5-3.6a3 3.4 0 0 1 0 7.2q-2 .4-5-3.6t-5-3.6a3 3.4 0 0 0 0 7.2q2 .4 5-3.6"),
    "†": (6, "M3-14v16M0-9.6h6"),
    "≥": (8, "M0-11l8 4l-8 4M0 0h8"),
    "≤": (8, "M8-11l-8 4l8 4M0 0h8"),
    "→": (11, "M0-6h11M7-10l4 4l-4 4"),
}
BOX = (9.0, "M0-13h9v13h-9z")
WIDE_BOX = (14.0, "M0-13.5h14v14h-14z")

# Accents stand over the middle of a small letter; over capitals they stand higher.
ACCENTS = {
    "̀": "m-2.4-3.4l3.4 2.4",
    "́": "m2.4-3.4l-3.4 2.4",
    "̂": "m-3-1l3-2.6l3 2.6",
    "̃": "m-3.4-1.4q1.8-2.2 3.4-.8t3.4-.8",
    "̄": "m-3.4-2h6.8",
    "̆": "m-3-3.2q3 3.8 6 0",
    "̇": "m0-2.2v.2",
    "̈": "m-2.2-2.2v.2m4.4-.2v.2",
    "̊": "m1.6-2.6a1.6 1.6 0 1 0-3.2 0a1.6 1.6 0 1 0 3.2 0",
    "̋": "m0-3.4l-2.4 2.4m5.4-2.4l-2.4 2.4",
    "̌": "m-3-3.4l3 2.6l3-2.6",
}
TALL = frozenset("bdfhklt") | {"i", "j"}


class Lettering(NamedTuple):
    """A line of text as one path that begins at the left end of the baseline, and its width."""

    path: str
    width: float


@cache
def lettered(text: str) -> Lettering:
    """A text as strokes.

    >>> lettered("l").path, lettered("l").width
    ('M0-15v15', 0.0)
    """
    x = 0.0
    strokes: list[str] = []
    for character in unicodedata.normalize("NFC", text):
        if character.isspace():
            x += BLANK
            continue
        width, path = _glyph(character)
        strokes.append(_placed(path, x))
        x += width + GAP
    return Lettering("".join(strokes), max(round(x - GAP, 2), 0.0))


@cache
def _glyph(character: str) -> tuple[float, str]:
    if character in GLYPHS:
        return GLYPHS[character]
    base, *marks = list(unicodedata.normalize("NFKD", character))
    if base in GLYPHS and all(mark in ACCENTS for mark in marks):
        width, path = GLYPHS[base]
        if base in "ij":
            path = path.partition("M0-14")[0].partition("M2.5-14")[0]
        top = -15 if base.isupper() or base in TALL - {"i", "j"} else -11
        over = "".join(f"M{_short(width / 2)} {top}{ACCENTS[mark]}" for mark in marks)
        return width, path + over
    if unicodedata.combining(character):
        return -GAP, ""
    return WIDE_BOX if unicodedata.east_asian_width(character) in {"W", "F"} else BOX


def _placed(path: str, x: float) -> str:
    """The strokes of a letter moved to the right."""
    return "".join(_moved(stroke, x) for stroke in path.split("M")[1:])


def _moved(stroke: str, x: float) -> str:
    """One stroke with its start moved; all the rest of it is relative."""
    end = next(
        (at for at, each in enumerate(stroke) if each.isalpha()),
        len(stroke),
    )
    start, rest = stroke[:end], stroke[end:]
    cut = max(start.find(" "), start.find("-", 1))
    across, down = float(start[:cut]), start[cut:].strip()
    joined = "" if down.startswith("-") else " "
    return f"M{_short(across + x)}{joined}{down}{rest}"


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def wrapped(text: str, width: float) -> Iterator[str]:
    """A text as lines that are at most so wide; a word that is too wide is broken."""
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if lettered(longer).width <= width:
            line = longer
            continue
        if line:
            yield line
        line = word
        while lettered(line).width > width and len(line) > 1:
            fits = max(1, int(len(line) * width / lettered(line).width))
            yield line[:fits]
            line = line[fits:]
    if line:
        yield line
