"""King and piece against king solved without the engine: moves are those of tables, in Python."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import alfil


class Solved(NamedTuple):
    """By the moves of both sides to mate, how many positions with White and with Black to move."""

    positions: int
    won: dict[int, int]
    lost: dict[int, int]
    stalemates: int


class Ending:
    """White's king and piece against Black's king; squares are numbers, men in this order."""

    def __init__(self, piece: alfil.Piece, files: int, ranks: int) -> None:
        self.files, self.size = files, files * ranks
        self.table = alfil.compile(piece, files=files, ranks=ranks)
        self.near = [
            {t for t in range(self.size) if t != s and self.distance(s, t) == 1}
            for s in range(self.size)
        ]
        self.known: dict[tuple[int, int, int], tuple[set[int], bool]] = {}

    def distance(self, one: int, other: int) -> int:
        x, y = one % self.files - other % self.files, one // self.files - other // self.files
        return max(abs(x), abs(y))

    def name(self, square: int) -> str:
        return f"{'abcdefgh'[square % self.files]}{square // self.files + 1}"

    def piece_moves(self, king: int, piece: int, enemy: int) -> tuple[set[int], bool]:
        """Where the piece goes without a capture, and whether it gives check."""
        men = king, piece, enemy
        if men not in self.known:
            moves = self.table.moves(
                self.name(piece), friends=[self.name(king)], enemy_royals=[self.name(enemy)]
            )
            to = {
                piece + dx + dy * self.files
                for move in moves
                for dx, dy in [move.to]
                if not move.captures and move.to != (0, 0)
            }
            taken = {piece + dx + dy * self.files for m in moves for dx, dy in m.captures}
            self.known[men] = to, enemy in taken
        return self.known[men]

    def white_moves(self, king: int, piece: int, enemy: int) -> set[tuple[int, int, int]]:
        kings = self.near[king] - self.near[enemy] - {piece, enemy}
        pieces = self.piece_moves(king, piece, enemy)[0]
        return {(to, piece, enemy) for to in kings} | {(king, to, enemy) for to in pieces}

    def black_moves(self, king: int, piece: int, enemy: int) -> set[tuple[int, int, int] | None]:
        """The positions after Black's moves; None where the piece is captured."""
        steps = self.near[enemy] - self.near[king] - {king}
        return {
            None if to == piece else (king, piece, to)
            for to in steps
            if to == piece or not self.piece_moves(king, piece, to)[1]
        }


def solve(piece: alfil.Piece, files: int, ranks: int) -> Solved:
    """Solve it by going through all positions for each number of plies."""
    ending = Ending(piece, files, ranks)
    apart = [m for m in permutations(range(ending.size), 3) if m[2] not in ending.near[m[0]]]
    black = {men: ending.black_moves(*men) for men in apart}
    white = {men: ending.white_moves(*men) for men in apart if not ending.piece_moves(*men)[1]}
    blocked = [men for men, moves in black.items() if not moves]
    checks = {men for men in blocked if ending.piece_moves(*men)[1]}
    lost, won = dict.fromkeys(checks, 0), dict[tuple[int, int, int], int]()
    plies, found = 0, True
    while found:
        plies += 1
        fresh = [
            m for m in white if m not in won and any(lost.get(a) == plies - 1 for a in white[m])
        ]
        won |= dict.fromkeys(fresh, plies)
        plies += 1
        beaten = [
            m for m in black if black[m] and m not in lost and all(a in won for a in black[m])
        ]
        lost |= dict.fromkeys(beaten, plies)
        found = bool(fresh or beaten)
    return Solved(len(white), counted(won), counted(lost), len(blocked) - len(checks))


def counted(plies: dict[tuple[int, int, int], int]) -> dict[int, int]:
    numbers = [*plies.values()]
    return {each: numbers.count(each) for each in sorted(set(numbers))}
