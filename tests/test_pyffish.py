"""Fairy-Stockfish and python-chess as live oracles, on the Betza they read as alfil does.

Fairy-Stockfish reads a subset of Betza, and of that subset some strings differently. What is tried
here: the atoms W F K N R B Q with riders and ranges, the leapers D A H C Z G, directions on all
but K and Q, m and c, lame n on N A Z D, the hoppers p and g on R B Q (p also on ranged W F K), and
i. Directions on K and Q, ranges on the other leapers, ranged g and letters it skips are left out:
there it is known to read something else. ``DIFFERENT`` has what else was found.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import chess
import pyffish
import pytest

import alfil

Square = tuple[int, int]

FILES, RANKS = 12, 10
SEED = 20_240_817
PIECES_PER_VARIANT = 20
EVERYWHERE = " ".join(f"*{rank}" for rank in range(1, RANKS + 1))
LETTERS = "abcdefghijklmnopqrstuvwxyz"

# Every run of directions that the specification reads on a first leg, doubled letters included.
RUNS = {
    "W": "f b l r v s ff ll vv fl fr bl br fb lr fs bs lv rv frl",
    "F": "f b l r v s ff bb ss fl fr bl br lf lb rf rb fs bs lv rv flbr frbl fbl bfr fb lr",
    "N": (
        "f b l r v s ff bb ll rr vv ss fl fr bl br lf lb rf rb fs bs lv rv "
        "fh bh lh rh hl hr fhr ffl ffbb frbl ffbsl"
    ),
}
CLASS = {
    atom: kind for kind, atoms in {"W": "WDHR", "F": "FAGB", "N": "NCZ"}.items() for atom in atoms
}
SLIDERS = "WFKNRBQ"
HOPPERS = "RBQ"
LAME = "NAZD"
DIFFERENT: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Position:
    """A piece among others, seen by its own side; ``black`` is how it is shown to the program."""

    at: Square
    enemies: frozenset[Square]
    friends: frozenset[Square]
    unmoved: bool
    black: bool


def directed(atom: str, draw: random.Random) -> str:
    """A run of directions for the atom, or none."""
    if atom in "KQ" or draw.random() < 0.4:
        return ""
    return draw.choice(RUNS[CLASS[atom]].split())


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a piece, and what matters for mixing it with others in this program."""

    text: str
    modes: frozenset[str]
    path: str  # "" for a leap; else what kind of squares in between matter


def part(draw: random.Random) -> Part:
    """One part: i, directions, m or c, one of n p g, an atom and its range."""
    special = draw.choice(["", "", "", "n", "p", "g"])
    initial = draw.choice(["", "", "", "i"])
    mode = "m" if initial else draw.choice(["", "", "m", "c", "mc"])
    spread = ""
    if special == "n":
        atom = draw.choice(LAME)
    elif special == "g":
        atom = draw.choice(HOPPERS)
    elif special == "p":
        atom = draw.choice("RBQWFK")
        spread = draw.choice("023456789") if atom in "WFK" or draw.random() < 0.5 else ""
    else:
        atom = draw.choice("WFKNRBQDAHCZG")
        spread = draw.choice(["", *"0123456789"]) if atom in SLIDERS else ""
        if atom in "WFN" and draw.random() < 0.2:
            spread = atom
    slides = bool(spread) or atom in "RBQ"
    path = special or (CLASS.get(atom, "K") if slides else "")
    text = f"{initial}{directed(atom, draw)}{mode}{special}{atom}{spread}"
    return Part(text, frozenset(mode or "mc"), path)


def mix(one: Part, other: Part) -> bool:
    """Whether the program keeps two parts apart: see ``DIFFERENT`` for what it makes of others."""
    if not (one.modes & other.modes and one.path and other.path):
        return True
    return {one.path, other.path} in ({"W", "F"}, {"W", "N"}, {"F", "N"})


def mixture(draw: random.Random) -> str:
    """A random piece of one to three parts that the program keeps apart."""
    parts: list[Part] = []
    wanted = draw.choice([1, 1, 2, 3])
    while len(parts) < wanted:
        another = part(draw)
        if all(mix(another, one) for one in parts):
            parts.append(another)
    return "".join(one.text for one in parts)


@cache
def strings() -> tuple[str, ...]:
    """Every run of directions on every atom, then random pieces of one to three parts."""
    runs = [run + atom for atom, kind in CLASS.items() for run in RUNS[kind].split()]
    draw = random.Random(SEED)
    found = dict.fromkeys(runs)
    while len(found) < len(runs) + 300:
        found[mixture(draw)] = None
    return tuple(found)


def positions(seed: str) -> Iterator[Position]:
    """An empty board, then three with more and more pieces, near the middle and anywhere."""
    draw = random.Random(seed)
    squares = [(file, rank) for file in range(FILES) for rank in range(RANKS)]
    for index, density in enumerate((0.0, 0.12, 0.25, 0.45)):
        middle = (draw.randrange(4, 8), draw.randrange(3, 7))
        at = middle if index % 2 == 0 else draw.choice(squares)
        taken = [square for square in squares if square != at and draw.random() < density]
        enemies = frozenset(square for square in taken if draw.random() < 0.6)
        yield Position(at, enemies, frozenset(taken) - enemies, draw.random() < 0.5, index % 2 == 1)


def turned(square: Square) -> Square:
    return FILES - 1 - square[0], RANKS - 1 - square[1]


def fen(position: Position, letter: str) -> str:
    """The position with the piece as ``letter`` and all others as pieces that cannot move."""
    see = turned if position.black else tuple
    mine, theirs = (str.lower, str.upper) if position.black else (str.upper, str.lower)
    board = {see(position.at): mine(letter)}
    board |= {see(square): theirs("z") for square in position.enemies}
    board |= {see(square): mine("z") for square in position.friends}
    rows = []
    for rank in reversed(range(RANKS)):
        row, gap = "", 0
        for file in range(FILES):
            piece = board.get((file, rank))
            if piece is None:
                gap += 1
                continue
            row, gap = row + (str(gap) if gap else "") + piece, 0
        rows.append(row + (str(gap) if gap else ""))
    return f"{'/'.join(rows)} {'b' if position.black else 'w'} - - 0 1"


def square_of(name: str) -> Square:
    return LETTERS.index(name[0]), int(name[1:]) - 1


def program_answers(variant: str, letter: str, position: Position) -> frozenset[Square]:
    """Where Fairy-Stockfish lets the piece go, seen by its own side."""
    name = f"{variant}-{'new' if position.unmoved else 'old'}"
    moves = pyffish.legal_moves(name, fen(position, letter), [])
    see = turned if position.black else tuple
    found = set()
    for move in moves:
        digits = next(i for i in range(1, len(move)) if move[i].isalpha())
        assert see(square_of(move[:digits])) == position.at, move
        found.add(see(square_of(move[digits:])))
    return frozenset(found)


def our_answers(piece: alfil.Piece, position: Position) -> frozenset[Square]:
    """Where alfil lets it go."""
    file, rank = position.at
    moves = alfil.moves(
        piece,
        files=FILES,
        ranks=RANKS,
        at=position.at,
        enemies={name_of(square) for square in position.enemies},
        friends={name_of(square) for square in position.friends},
        unmoved=position.unmoved,
    )
    return frozenset((file + move.to[0], rank + move.to[1]) for move in moves)


def name_of(square: Square) -> str:
    return f"{LETTERS[square[0]]}{square[1] + 1}"


def variant_text(name: str, pieces: tuple[str, ...], region: str) -> str:
    """A variant without royal pieces, promotion or castling; ``region`` is where i applies."""
    custom = [
        f"customPiece{number} = {letter}:{text}"
        for number, (letter, text) in enumerate(zip(LETTERS, pieces, strict=False), start=1)
    ]
    lines = [
        f"[{name}]",
        f"maxFile = {FILES}",
        f"maxRank = {RANKS}",
        "pawnTypes = -",
        "king = -",
        "immobile = z",
        "castling = false",
        "promotionPieceTypes = -",
        "doubleStep = true",
        f"doubleStepRegionWhite = {region}",
        f"doubleStepRegionBlack = {region}",
        *custom,
    ]
    return "\n".join(lines) + "\n"


@cache
def loaded() -> dict[str, tuple[str, str]]:
    """The variant and the letter of every string, once the program has read them all."""
    places: dict[str, tuple[str, str]] = {}
    texts = strings()
    for start in range(0, len(texts), PIECES_PER_VARIANT):
        name = f"alfil{start}"
        pieces = texts[start : start + PIECES_PER_VARIANT]
        for suffix, region in (("new", EVERYWHERE), ("old", "-")):
            pyffish.load_variant_config(variant_text(f"{name}-{suffix}", pieces, region))
        for letter, text in zip(LETTERS, pieces, strict=False):
            places[text] = (name, letter)
    return places


def differences(text: str) -> list[tuple[Position, frozenset[Square], frozenset[Square]]]:
    """The positions where the two differ: what only alfil has, what only the program has."""
    piece = alfil.read(text)
    variant, letter = loaded()[text]
    found = []
    for position in positions(text):
        ours = our_answers(piece, position)
        theirs = program_answers(variant, letter, position)
        if ours != theirs:
            found.append((position, ours - theirs, theirs - ours))
    return found
