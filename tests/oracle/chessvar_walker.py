"""What vitalline/chessvar writes beyond Betza, by its own words, on top of the naive Betza walker.

A halfling goes at most half the squares there are up to the edge from where it stands, rounded up,
counted in its own leaps; after the step of a bracket the square next to the edge does not count.
In a list the letter after a part says which squares it starts from: w light, b dark, i of the
colour the piece began on, o of the other one, l and r a half of the board, the middle file both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, gcd

from .betza_geometry import Vec
from .betza_walker import Board, Move, moves

# A part: its letters, and an atom that may be doubled or have a range, or a bracket.
PART = re.compile(r"([a-z]*)(([A-Z])\3?[0-9]*|\[[^]]*\])")
# Among the letters of a part hh begins or ends them, or stands behind the letter for an end.
HALFLING = re.compile(r"^hh|(?<![fblr])hh")
# How many squares straight leaps go.
SKIPS = {"D": 2, "A": 2, "H": 3, "G": 3}
LIST = re.compile(r"\((.*)\)")


@dataclass(frozen=True, slots=True)
class Seat:
    """Where the mover stands: for which side, and whether on the colour it began on."""

    board: Board
    second: bool = False
    own: bool = True

    def starts(self, letter: str) -> bool:
        """Whether a part with this letter may start from here."""
        file, rank = self.board.at
        wide, high = self.board.width, self.board.height
        if letter in "wb":
            if self.second:
                file, rank = wide - 1 - file, high - 1 - rank
            return ((file + rank) % 2 == 1) == (letter == "w")
        if letter in "io":
            return self.own == (letter == "i")
        return file < ceil(wide / 2) if letter == "l" else file >= wide // 2


def chessvar_moves(text: str, seat: Seat) -> frozenset[Move]:
    """All moves of a piece of the program."""
    found: set[Move] = set()
    listed = LIST.fullmatch(text)
    for item in listed[1].split(",") if listed else [text]:
        if listed and not seat.starts(item[-1]):
            continue
        for part in PART.finditer(item[:-1] if listed else item):
            letters, atom, _ = part.groups()
            plain = moves(HALFLING.sub("", letters) + atom, seat.board)
            half = HALFLING.search(letters)
            found |= set(halved(plain, atom, seat.board)) if half else plain
    return frozenset(found)


def halved(plain: frozenset[Move], atom: str, board: Board) -> Iterator[Move]:
    """The moves of a rider that go no farther than half the way."""
    for move in plain:
        bent = atom.startswith("[")
        start, step, leaps = last_leg(move.to, atom) if bent else ((0, 0), *leap_of(move.to, atom))
        room = min(
            (edge(board, axis, step[axis], start[axis]) - bent) // abs(step[axis])
            for axis in (0, 1)
            if step[axis]
        )
        if leaps <= ceil(room / 2):
            yield move


def leap_of(to: Vec, atom: str) -> tuple[Vec, int]:
    """The leap that is made again and again, and how often."""
    times = gcd(*to) // SKIPS.get(atom[0], 1)
    return (to[0] // times, to[1] // times), times


def last_leg(to: Vec, bracket: str) -> tuple[Vec, Vec, int]:
    """Where the last leg of [F-R] or [W-B] begins, its step, and how many it has made."""
    x, y = to
    right, forward = (x > 0) - (x < 0), (y > 0) - (y < 0)
    long = max(abs(x), abs(y))
    upright = abs(y) == long
    if bracket == "[F-R]":
        return (right, forward), (0, forward) if upright else (right, 0), long - 1
    assert bracket == "[W-B]"
    return (0, forward) if upright else (right, 0), (right, forward), long - 1


def edge(board: Board, axis: int, way: int, start: int) -> int:
    """How many squares there are up to the edge."""
    at = board.at[axis] + start
    return (board.width, board.height)[axis] - 1 - at if way > 0 else at
