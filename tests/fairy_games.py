"""Fairy-Stockfish at work: variants with a piece each, positions, and where it lets a piece go."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyffish

import alfil
from strategies import NIGHTLY

Square = tuple[int, int]

FILES, RANKS = 12, 10
PIECES_PER_VARIANT = 20
EVERYWHERE = " ".join(f"*{rank}" for rank in range(1, RANKS + 1))
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Position:
    """A piece among others, seen by its own side; ``black`` is how it is shown to the program."""

    at: Square
    enemies: frozenset[Square]
    friends: frozenset[Square]
    unmoved: bool
    black: bool


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


@dataclass(frozen=True, slots=True)
class Crowd:
    """One board with several pieces to be asked about, which are friends of each other."""

    standing: dict[Square, str]  # the texts of the pieces by their squares
    enemies: frozenset[Square]
    friends: frozenset[Square]
    unmoved: bool
    black: bool

    def seen_from(self, at: Square) -> Position:
        """The board as one of the pieces sees it."""
        friends = self.friends | (self.standing.keys() - {at})
        return Position(at, self.enemies, friends, self.unmoved, self.black)


# A call of the program takes as long with one piece as with many.
TOGETHER = 5
DENSITIES = (0.12, 0.25, 0.45) if NIGHTLY else (0.12, 0.3)


def crowds(texts: Sequence[str]) -> Iterator[Crowd]:
    """Boards on which every piece stands three times, among more and more others."""
    draw = random.Random(" ".join(texts))
    squares = [(file, rank) for file in range(FILES) for rank in range(RANKS)]
    for index, density in enumerate(DENSITIES):
        for start in range(0, len(texts), TOGETHER):
            some = texts[start : start + TOGETHER]
            middle = [square for square in squares if square[0] in range(3, 9)]
            places = draw.sample(middle if index % 2 == 0 else squares, len(some))
            taken = [at for at in squares if at not in places and draw.random() < density]
            enemies = frozenset(square for square in taken if draw.random() < 0.6)
            standing = dict(zip(places, some, strict=True))
            friends = frozenset(taken) - enemies
            yield Crowd(standing, enemies, friends, draw.random() < 0.5, draw.random() < 0.5)


def turned(square: Square) -> Square:
    return FILES - 1 - square[0], RANKS - 1 - square[1]


def fen(position: Position, letter: str) -> str:
    """The position with the piece as ``letter`` and all others as pieces that cannot move."""
    return board_text(position, {position.at: letter})


def board_text(position: Position | Crowd, letters: dict[Square, str]) -> str:
    see = turned if position.black else tuple
    mine, theirs = (str.lower, str.upper) if position.black else (str.upper, str.lower)
    board = {see(at): mine(letter) for at, letter in letters.items()}
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
    moves = list(moves_of_program(variant, fen(position, letter), position))
    assert {origin for origin, _ in moves} <= {position.at}
    return frozenset(target for _, target in moves)


def moves_of_program(
    variant: str, board: str, position: Position | Crowd
) -> Iterator[tuple[Square, Square]]:
    """Every move Fairy-Stockfish allows, as its own side sees the board."""
    name = f"{variant}-{'new' if position.unmoved else 'old'}"
    see = turned if position.black else tuple
    for move in pyffish.legal_moves(name, board, []):
        digits = next(i for i in range(1, len(move)) if move[i].isalpha())
        yield see(square_of(move[:digits])), see(square_of(move[digits:]))


def differing(places: dict[str, tuple[str, str]], pieces: dict[str, alfil.Piece]) -> object:
    """The first of the `crowds` in which the program lets a piece go elsewhere than alfil does."""
    for crowd in crowds(list(pieces)):
        found: dict[Square, set[Square]] = {at: set() for at in crowd.standing}
        letters = {at: places[text][1] for at, text in crowd.standing.items()}
        (variant,) = {places[text][0] for text in crowd.standing.values()}
        for origin, target in moves_of_program(variant, board_text(crowd, letters), crowd):
            found[origin].add(target)
        for at, text in crowd.standing.items():
            ours = our_answers(pieces[text], crowd.seen_from(at))
            if ours != found[at]:
                return text, crowd.seen_from(at), ours - found[at], found[at] - ours
    return None


def differing_alone(
    places: dict[str, tuple[str, str]], pieces: dict[str, alfil.Piece]
) -> list[str]:
    """The pieces that the program lets go elsewhere on an empty board."""
    empty = {text: next(positions(text)) for text in pieces}
    return [
        text
        for text, piece in pieces.items()
        if our_answers(piece, empty[text]) != program_answers(*places[text], empty[text])
    ]


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


def load(texts: Sequence[str], label: str) -> dict[str, tuple[str, str]]:
    """The variant and the letter of every text, once the program has read them all."""
    places: dict[str, tuple[str, str]] = {}
    for start in range(0, len(texts), PIECES_PER_VARIANT):
        name = f"{label}{start}"
        pieces = tuple(texts[start : start + PIECES_PER_VARIANT])
        for suffix, region in (("new", EVERYWHERE), ("old", "-")):
            pyffish.load_variant_config(variant_text(f"{name}-{suffix}", pieces, region))
        for letter, text in zip(LETTERS, pieces, strict=False):
            places[text] = (name, letter)
    return places
