"""Lines of fmax.ini, read by its own explanations, and the program itself as a judge."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

import alfil

HEAD = "version 4.8(w)\n"
WIDTH = 16
FILES = "abcdefghijklmn"
Square = tuple[int, int]


def moves_of(
    rays: str, at: Square, own: Collection[Square], enemies: Collection[Square], size: Square
) -> Iterator[tuple[Square, bool]]:
    """Where the rays of a line lead from a square, and whether a piece is taken there.

    Rays of first moves, whose first digit is 4, are left out.
    """
    for ray in rays.split():
        step, bits, *more = ray.split(",")
        flags = int(bits, 16)
        if flags & 15 != 4:
            steps = int(step), int(more[0]) if more else int(step)
            yield from _along(steps, flags, at, (own, enemies), size)


def _along(
    steps: Square,
    flags: int,
    at: Square,
    pieces: tuple[Collection[Square], Collection[Square]],
    size: Square,
) -> Iterator[tuple[Square, bool]]:
    """The ends of one ray; it changes behind a piece it hops over, or after some steps."""
    files, ranks = size
    place, mode, going = WIDTH * (ranks - 1 - at[1]) + at[0], flags & 15, steps[0]
    left = -1 if mode & 8 else (flags >> 10 & 3) + 1
    while True:
        place += going
        here = place % WIDTH, ranks - 1 - place // WIDTH
        if not 0 <= here[1] < ranks or here[0] >= files:
            return
        friend, taken = here in pieces[0], here in pieces[0] or here in pieces[1]
        if mode & (1 if taken else 2) and not friend:
            yield here, taken
        hops = taken and mode & 8 and (friend or not flags & 0x800)
        if not hops and (taken or mode & 4):
            return
        left -= 1
        if hops or left == 0:
            mode, going, left = mode ^ flags >> 4 & 15, steps[1], -1


class Judge:
    """The program itself, with one game."""

    def __init__(self, found: alfil.Export, folder: Path) -> None:
        program = shutil.which("fairymax") or shutil.which("fairymax", path="/usr/games")
        if program is None:
            pytest.skip("Fairy-Max is not installed (on Debian: apt-get install fairymax)")
        block = found.text.partition("\nGame: ")[2].partition("\n")[2].partition("\n#")[0]
        path = folder / "fmax.ini"
        path.write_text(f"{HEAD}{block}\n\n{found.text}", encoding="ascii")
        # The number is the size of its table, as a power of two.
        self._process = subprocess.Popen(
            [program, "16", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=folder,
        )
        self._asked = 0
        self.begun = self.call_engine(
            "xboard", "protover 2", "new", f"variant {found.name}", "force"
        )

    def call_engine(self, *lines: str) -> str:
        """What it answers to some commands."""
        self._asked += 1
        into, out = self._process.stdin, self._process.stdout
        assert into is not None
        assert out is not None
        into.write("\n".join((*lines, f"ping {self._asked}\n")))
        into.flush()
        answer = ""
        for line in out:
            if line.strip() == f"pong {self._asked}":
                return answer
            answer += line
        raise AssertionError(f"it has ended: {answer}")

    def makes(self, move: str) -> bool:
        """Make a move, if it is legal there; whether it was."""
        answer = self.call_engine(move)
        assert "Error" not in answer, answer
        return "Illegal" not in answer

    def takes(self, move: str) -> bool:
        """Whether a move is legal there; nothing has changed afterwards."""
        if self.makes(move):
            self.call_engine("undo", "force")
            return True
        return False

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


def spelled(game: alfil.Game, found: alfil.Export) -> dict[str, alfil.Move]:
    """The legal moves as the program has them; where there are ten ranks, it counts from 0."""
    low = 0 if game.variant.ranks == 10 else 1
    texts = {}
    for move in game.legal_moves:
        assert move.origin is not None
        text = name_of(move.origin, low) + name_of(move.target, low)
        texts[text + (found.letters[move.promotes].lower() if move.promotes else "")] = move
    return texts


def candidates(game: alfil.Game) -> set[str]:
    """Every way to go from a square with an own piece; on its own king it means something else."""
    variant = game.variant
    low = 0 if variant.ranks == 10 else 1
    royal = {kind.code for kind in variant.kinds if kind.royal}
    own = {at: code for at, (code, side) in game.pieces.items() if side == game.side_to_move}
    squares = {(x, y) for x in range(variant.files) for y in range(variant.ranks)}
    kings = {at for at, code in own.items() if code in royal}
    return {name_of(at, low) + name_of(to, low) for at in own for to in squares - kings if at != to}


def name_of(square: Square, low: int) -> str:
    """A square as the program names it."""
    return f"{FILES[square[0]]}{square[1] + low}"
