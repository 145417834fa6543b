"""Games that the engine plays at once are the games that `Game` plays, move by move."""

from __future__ import annotations

import random

import pytest

import alfil
from alfil import Game
from strategies import NIGHTLY
from test_game_paths import ODD, SLOW, variant

np = pytest.importorskip("numpy")

# Bundled games, but for those on boards so large that their moves take minutes to number.
NAMES = sorted(name for name in alfil.games() if name not in {"taikyoku"})
# In the gate some that differ in what their moves do, and in how they are numbered.
CHOSEN = ("atomic", "chess", "chess960", "minishogi", "othello", "seirawan", "sittuyin", "dobutsu")
GAMES = 1000 if NIGHTLY else 3
PLIES = 300 if NIGHTLY else 40


def lockstep(env: alfil.learning.VectorEnv, begin: Game, steps: int, draw: random.Random) -> int:
    """Play so many steps beside `Game`; how many games ended."""
    games = [begin.copy() for _ in range(env.n)]
    planes, masks = np.zeros((env.n, *env.shape), np.uint8), np.zeros((env.n, env.actions), bool)
    ended = 0
    for _ in range(steps):
        env.observe(planes), env.mask(masks)
        for game, plane, mask, side in zip(games, planes, masks, env.sides, strict=True):
            assert np.array_equal(game.planes(), plane), game.position_text()
            assert np.array_equal(game.mask(), mask), game.position_text()
            assert game.side_to_move == side
        actions = [draw.choice(np.flatnonzero(mask)) for mask in masks]
        movers = env.sides.tolist()
        step = env.step(np.array(actions))
        for number, action in enumerate(actions):
            game = games[number]
            game.push(game.move(action))
            outcome = game.outcome()
            assert env.outcomes()[number] == outcome
            assert step.terminated[number] == (outcome is not None)
            long = len(game.moves) == env.longest and not outcome
            assert step.truncated[number] == long
            won = 0 if outcome is None or outcome.winner is None else 1
            if won and outcome.winner != ("w", "b")[movers[number] ^ (begin.turn == "b")]:
                won = -1
            assert step.rewards[number] == won
            if outcome or long:
                games[number] = begin.copy()
                ended += 1
    return ended


@pytest.mark.parametrize("name", NAMES if NIGHTLY else CHOSEN)
def test_each_game_is_that_of_game(name: str) -> None:
    game = alfil.load(name).game()
    env = alfil.learning.VectorEnv(game, 3, longest=PLIES)
    draw = random.Random(name)
    ended = 0
    while ended < GAMES:
        ended += lockstep(env, game, PLIES, draw)
        env.reset()


@pytest.mark.parametrize("name", [*ODD, *(SLOW if NIGHTLY else [*SLOW][:1])])
def test_odd_games_are_those_of_game(name: str) -> None:
    game = Game(variant(name))
    lockstep(alfil.learning.VectorEnv(game, 2, longest=PLIES), game, 20, random.Random(1))
