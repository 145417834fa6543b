"""The games of the bundled sets against Fairy-Stockfish: where they start, and what is legal.

A pawn dropped to give mate is legal for that program and loses; for alfil it is illegal. Nothing
else is let pass.
"""

from __future__ import annotations

import random

import pyffish
import pytest

import alfil
from inside import bundled_names

# Our set, and what the program calls the game.
GAMES = {
    "antichess": "antichess",
    "atomic": "atomic",
    "cambodian": "cambodian",
    "capablanca": "capablanca",
    "chess": "chess",
    "clobber": "clobber",
    "crazyhouse": "crazyhouse",
    "dobutsu": "dobutsu",
    "extinction": "extinction",
    "gorogoro": "gorogoro",
    "grand": "grand",
    "horde": "horde",
    "janggi": "janggitraditional",
    "judkins": "judkins",
    "king_of_the_hill": "kingofthehill",
    "los_alamos": "losalamos",
    "makruk": "makruk",
    "minishogi": "minishogi",
    "placement": "placement",
    "racing_kings": "racingkings",
    "seirawan": "seirawan",
    "shogi": "shogi",
    "three_check": "3check",
    "xiangqi": "xiangqi",
}
SEED = 20_261_121
PLIES = 80


# Games whose moves build walls, and are spelt otherwise: see test_games_fairy.py.
WALLS = {"amazons", "duck"}


def test_every_other_set_is_no_game_of_the_program() -> None:
    assert set(bundled_names()) - set(GAMES) - WALLS == {"fairy", "hand_shogi", "taikyoku"}


@pytest.mark.parametrize("name", GAMES)
def test_it_starts_as_the_program_starts(name: str) -> None:
    board, side, *_ = alfil.load(name).game().sfen().split()
    theirs = pyffish.start_fen(GAMES[name]).split()[0].partition("[")[0]
    assert board == theirs
    assert side == ("w" if alfil.load(name).rules.first == "white" else "b")


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_has_the_same_legal_moves(name: str) -> None:
    library, program = alfil.load(name), GAMES[name]
    start = pyffish.start_fen(program)
    choose = random.Random(SEED)
    game, played = library.game(), list[str]()
    while len(played) < PLIES and not game.outcome():
        ours = {spelled(each, library): each for each in game.legal_moves}
        theirs = set(pyffish.legal_moves(program, start, played))
        mates = {move for move in theirs - set(ours) if mates_by_drop(program, played, move)}
        assert set(ours) == theirs - mates, (name, played)
        move = choose.choice(sorted(ours))
        game.push(ours[move])
        played.append(move)
    assert len(played) > PLIES // 4 or game.outcome()


def mates_by_drop(program: str, played: list[str], move: str) -> bool:
    """Whether it is the drop of a pawn that leaves no answer."""
    start = pyffish.start_fen(program)
    after = [*played, move]
    checks = pyffish.gives_check(program, start, after)
    return move.startswith("P@") and checks and not pyffish.legal_moves(program, start, after)


def spelled(move: alfil.Move, library: alfil.Library) -> str:
    """A move as the program writes it."""
    if move.origin is None:
        return f"{library.variant.kind(move.code).letter}@{square(move.target)}"
    text = square(move.origin) + square(move.target)
    if move.gated:
        code, at = move.gated
        way = square(at) + square(move.origin) if at != move.origin else text
        return way + code.lower()
    if not move.promotes:
        return text
    if len(library[move.code].promotes) == 1 and library.rules.captured == "to-hand":
        return f"{text}+"
    return text + library.variant.kind(move.promotes).letter[-1].lower()


def square(at: tuple[int, int]) -> str:
    """A square in letters and numbers from the first side's left corner."""
    return f"{chr(ord('a') + at[0])}{at[1] + 1}"
