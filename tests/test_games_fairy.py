"""Bundled games that Fairy-Stockfish knows: the same moves at every move of random games."""

from __future__ import annotations

import os
import random

import pyffish
import pytest

from alfil import Game
from engine_games import bundled
from fairy_hands import spelt

GAMES_EACH = 20 if os.environ.get("ALFIL_HYPOTHESIS") == "nightly" else 1
PLIES = 80

# The name there; whether squares are spelt as in shogi; whether a `+` is a letter there.
KNOWN = {
    "gorogoro": ("gorogoro", True),
    "judkins": ("judkins", True),
    "makruk": ("makruk", False),
    "capablanca": ("capablanca", False),
    "los_alamos": ("losalamos", False),
    "three_check": ("3check", False),
}


def as_ours(move: str, game: Game, *, shogi: bool) -> str:
    """The program's move in alfil's spelling; makruk's pawn has one form only, hence `+`."""
    if shogi:
        return spelt(move, game.variant.files, game.variant.ranks)
    return move[:-1] + "+" if game.variant.name == "makruk" and move[-1] == "m" else move


@pytest.mark.parametrize("seed", range(GAMES_EACH))
@pytest.mark.parametrize("name", KNOWN)
def test_a_random_game_goes_as_fairy_stockfish_says(name: str, seed: int) -> None:
    theirs, shogi = KNOWN[name]
    draw, game, played = random.Random(f"{name} {seed}"), Game(bundled(name)), []
    start = pyffish.start_fen(theirs)
    for _ in range(PLIES):
        moves = pyffish.legal_moves(theirs, start, played)
        ours = {as_ours(move, game, shogi=shogi): move for move in moves}
        mated = drops_that_mate(theirs, start, played, ours) if shogi else set()
        if game.outcome() is not None:
            # The program's lists go on after a third check, and after a repetition.
            assert not moves or game.outcome().reason in ("checks", "repetition", "perpetual-check")
            break
        assert sorted(str(each) for each in game.legal_moves) == sorted(ours.keys() - mated)
        move = draw.choice(sorted(ours.keys() - mated))
        game.push(move)
        played.append(ours[move])


def drops_that_mate(variant: str, start: str, played: list[str], ours: dict[str, str]) -> set[str]:
    """Pawn drops it lists and counts as losses; alfil does not list them."""
    return {
        text
        for text, move in ours.items()
        if text.startswith("P*")
        and not pyffish.legal_moves(variant, start, [*played, move])
        and pyffish.gives_check(variant, start, [*played, move])
    }
