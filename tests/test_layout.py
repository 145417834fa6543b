"""Pieces are laid out on squares when the engine asks: on large boards, and for many threads."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import alfil
import slow_engine
from agreeing import position_of
from alfil import Game
from engine_games import bundled

LARGE = 36
MOVES = {
    "K": "K",
    "R": "R",
    "N": "NC",
    "H": "mRmasR",
    "L": "KNADcaKmcabK",
    "G": "jR3",
    "D": "DR3",
}


def large_game() -> Game:
    """A board of 36×36 with riders, a hook mover, and lions on every sixth file."""
    codes = [code for code in MOVES if code != "K"]
    row = "".join(f"{code}5" for code in codes)
    armies = f"{row}/36/" + "36/" * 32 + f"36/{row.lower()}"
    lines = [f"board {LARGE}x{LARGE}", *_pieces()]
    rows = armies.split("/")
    rows[1] = "k35"
    rows[-2] = "K35"
    placement = "/".join([rows[-1], *rows[1:-1], rows[0]])
    return alfil.loads("\n".join(lines)).game(f"{placement} w")


def _pieces() -> Iterator[str]:
    for code, betza in MOVES.items():
        yield f'piece {code} "{code}" betza={betza}{" royal" if code == "K" else ""}'


def test_the_engine_finds_the_moves_on_a_large_board() -> None:
    # The side to move is in check, from afar.
    game = large_game()
    acts = slow_engine.legal_acts(position_of(game))
    assert sorted(game._game_position.engine_moves()) == sorted(acts)
    assert game.perft(1) == len(game.legal_moves) == len(acts) > 1


@pytest.mark.parametrize("name", ["chess", "shogi", "xiangqi"])
def test_many_threads_lay_one_game_out_at_once(name: str) -> None:
    variant = bundled(name)
    game = Game(variant)
    wanted = game.perft(3)
    # Laid out anew, by all at once.
    fresh = alfil.loads(alfil.load(name).source.text + "\n", name=f"{name} again")
    games = [fresh.game() for _ in range(8)]
    with ThreadPoolExecutor(len(games)) as pool:
        counts = [*pool.map(lambda each: each.perft(3), games)]
    assert counts == [wanted] * len(games)
