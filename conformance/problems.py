"""Solve random chess problems with alfil and with Popeye, and compare all solutions.

`python conformance/problems.py PATH_OF_POPEYE [--problems N] [--seed N]` prints each difference,
then how many problems were solved alike, and how many of them have solutions. Half of them have
grasshoppers and nightriders. In help play and in series whole solutions are compared, else keys.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import alfil

# S is the knight, as problemists have it, and N the nightrider.
PIECES = """\
game "Problems"
board 8x8
zone promotion ranks=1
rule first = white
piece K "king" betza=KisO2 royal
piece Q "queen" betza=Q
piece R "rook" betza=R
piece B "bishop" betza=B
piece S "knight" betza=N
piece P "pawn" betza=fmWfceFifmnD promotes=Q,R,B,S forced
piece G "grasshopper" betza=gQ
piece N "nightrider" betza=NN
setup mirrored
| P P P P P P P P |
| R S B Q K B S R |
"""
STIPULATIONS = (
    *("#1", "#2", "#2", "#3", "s#1", "s#2", "=1", "=2", "+1", "x1", "#=2"),
    *("h#1", "h#1.5", "h#2", "h#2", "h#2.5", "h=1.5", "h=2", "hs#1.5", "hs#2"),
    *("ser-#2", "ser-#3", "ser-=3", "ser-h#2", "ser-h#3", "ser-h=2", "ser-s#2"),
)
LINES = re.compile(r"^\s*1\.(?:\.\.)?\S.*$", re.MULTILINE)
KEYS = re.compile(r"^\s*1\.(?!\.\.)(\S+(?: ep\.)?)(?: \+)? (?:!|#|=|x|\+)", re.MULTILINE)


def position(dice: random.Random, *, fairy: bool) -> dict[str, tuple[str, bool]]:
    """Pieces by square, each with whether it is black."""
    men = "GGNNQRBS" if fairy else "QRRBBSSPPP"
    while True:
        squares = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
        dice.shuffle(squares)
        here = {dice.choice(["a8", "h8", "a1", "h1", "d8", "e1"]): ("K", True)}
        for letter in "K" + "".join(dice.sample(men, dice.randint(2, 4))):
            here.setdefault(squares.pop(), (letter, False))
        for letter in dice.sample(men, dice.randint(0, 2)):
            here.setdefault(squares.pop(), (letter, True))
        outside = any(each[0] == "P" and square[1] in "18" for square, each in here.items())
        if not outside and Counter(here.values())["K", False] == 1:
            return here


def as_fen(here: dict[str, tuple[str, bool]], turn: str) -> str:
    """The position as FEN, without castling."""
    rows = []
    for rank in range(8, 0, -1):
        row = ""
        for file in "abcdefgh":
            letter, black = here.get(f"{file}{rank}", ("1", False))
            row += letter.lower() if black else letter
        rows.append(re.sub("1+", lambda run: str(len(run[0])), row))
    return f"{'/'.join(rows)} {turn} - - 0 1"


def as_input(here: dict[str, tuple[str, bool]], stipulation: str) -> str:
    """The problem as Popeye reads it."""
    men = dict.fromkeys((False, True), "")
    for square, (letter, black) in here.items():
        men[black] += f" {letter}{square}"
    return (
        f"BeginProblem\nOption NoBoard NoThreat\nStipulation {stipulation}\n"
        f"Pieces White{men[False]}\nBlack{men[True]}\nEndProblem\n"
    )


def begins(stipulation: str) -> str:
    """Who makes the first move: Black where it is mated by the end, and moves a whole number."""
    helped = re.match(r"(ser-)?h[#=]", stipulation)
    late = stipulation.endswith(".5")
    return "b" if bool(helped) != late else "w"


def whole(stipulation: str) -> bool:
    """Whether solutions are lines."""
    return bool(re.match(r"h[#=]|ser-[#=]|ser-h", stipulation))


def solutions(text: str, stipulation: str) -> set[str]:
    """What is compared of a printed answer."""
    if whole(stipulation):
        return {" ".join(each.replace("+", "").split()) for each in LINES.findall(text)}
    return {each.strip() for each in KEYS.findall(text)}


def main() -> int:
    """Compare; the exit code is 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("popeye")
    parser.add_argument("--problems", type=int, default=400)
    parser.add_argument("--seed", type=int, default=33)
    asked = parser.parse_args()
    dice, library = random.Random(asked.seed), alfil.loads(PIECES)
    counts: Counter[str] = Counter()
    for number in range(asked.problems):
        stipulation = STIPULATIONS[number % len(STIPULATIONS)]
        here = position(dice, fairy=number % 2 == 1)
        fen = as_fen(here, begins(stipulation))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "problem.inp"
            path.write_text(as_input(here, stipulation), encoding="ascii")
            command = [asked.popeye, str(path)]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        if "solution finished" not in told:
            counts["refused"] += 1
            continue
        theirs = solutions(told, stipulation)
        try:
            ours = solutions(str(alfil.solve(library.game(fen), stipulation)), stipulation)
        except alfil.PositionError:  # the side that has just moved is in check
            counts["refused"] += 1
            continue
        counts["alike" if ours == theirs else "different"] += 1
        counts["with solutions"] += bool(theirs)
        if ours != theirs:
            sys.stdout.write(f"{stipulation}  {fen}\n  only alfil: {sorted(ours - theirs)[:5]}\n")
            sys.stdout.write(f"  only Popeye: {sorted(theirs - ours)[:5]}\n")
    sys.stdout.write(f"{dict(counts)}\n")
    return int(counts["different"] > 0)


if __name__ == "__main__":
    sys.exit(main())
