"""Games that the engine plays at once are the games that `Game` plays, move by move."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import alfil
from alfil import Game
from strategies import NIGHTLY
from test_game_paths import ODD, SLOW, variant
from test_learning import LINES

np = pytest.importorskip("numpy")

NAMES = alfil.games()
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
            # Each move has a number of its own.
            assert mask.sum() == game.perft(1)
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


def test_games_of_what_roams_are_those_of_game() -> None:
    game = Game(LINES)
    lockstep(alfil.learning.VectorEnv(game, 2, longest=PLIES), game, PLIES, random.Random(1))


def test_numbers_stay_what_they_are() -> None:
    game = alfil.load("chess").game("r3k2r/1P6/8/8/8/8/8/4K2R w Kkq - 0 1")
    moves = ("e1g1", "b7b8q", "b7a8n", "h1h8")
    assert [game.action(move) for move in moves] == [102, 1473, 1471, 193]
    assert alfil.load("shogi").game().action("7g7f") == 702


@pytest.mark.parametrize("name", NAMES if NIGHTLY else ("chess", "dobutsu", "shogi"))
def test_moves_are_taken_back(name: str) -> None:
    """A search down a line and back sees what it saw, from the end of a game too."""
    env = alfil.learning.make(name, 3, longest=30, auto_reset=False, seed=2)
    seen, depth = [(env.observe(), env.mask(), env.sides.copy())], np.zeros(3, int)
    for _ in range(30):
        actions = env.sample()
        step = env.step(actions)
        depth += actions >= 0
        seen.append((env.observe(), env.mask(), env.sides.copy()))
    assert (step.truncated | (depth < 30)).all()
    for back in (1, 3, 10):
        depth -= back
        env.take_back([back] * 3)
        for number, (planes, mask) in enumerate(zip(env.observe(), env.mask(), strict=True)):
            assert np.array_equal(planes, seen[depth[number]][0][number])
            assert np.array_equal(mask, seen[depth[number]][1][number])
            assert env.sides[number] == seen[depth[number]][2][number]
    env.take_back([99, 0, 99])
    assert np.array_equal(env.observe()[::2], seen[0][0][::2])
    with pytest.raises(ValueError, match="not below zero"):
        env.take_back([0, -1, 0])


def test_what_is_wrong_moves_nothing() -> None:
    env = alfil.learning.make("minishogi", 2, longest=2, auto_reset=False)
    legal = int(env.sample()[0])
    before = env.observe()
    with pytest.raises(alfil.IllegalMove, match="no legal move of game 1 has the number 1134"):
        env.step([legal, 1134])
    assert np.array_equal(env.observe(), before)
    env.step([legal, -1])
    assert env.sides.tolist() == [1, 0]
    step = env.step([int(env.sample()[0]), -1])
    assert (step.truncated.tolist(), env.sample()[0]) == ([True, False], -1)
    env.reset([True, False])
    assert np.array_equal(env.observe(), before)
    with pytest.raises(TypeError, match=r"uint8 or float32 of shape \(2, 34, 5, 5\)"):
        env.observe(np.zeros((2, 34, 5, 5)))
    with pytest.raises(ValueError, match="games are played"):
        alfil.learning.make("chess", 0)
    with pytest.raises(TypeError, match="is True or False, not 2"):
        alfil.learning.make("chess", 1, auto_reset=2)  # type: ignore[arg-type]


def test_only_what_may_be_written_to_is_written_to(tmp_path: Path) -> None:
    env = alfil.learning.make("minishogi", 2)
    shape = (2, *env.shape)
    fixed = np.frombuffer(bytes(4 * np.prod(shape)), "float32").reshape(shape)
    np.save(tmp_path / "saved.npy", fixed)
    mapped = np.load(tmp_path / "saved.npy", mmap_mode="r")
    raw = np.zeros(4 * fixed.size + 1, "uint8")
    askew = raw[1:].view("float32").reshape(shape)
    for out in (fixed, mapped, askew, np.zeros(shape, ">f4"), np.zeros(shape, "<f4")[..., ::-1]):
        with pytest.raises(TypeError, match="what is written to"):
            env.observe(out)
    assert not fixed.any()
    assert not raw.any()
    with pytest.raises(TypeError, match="is an array, not 'x'"):
        env.observe("x")  # type: ignore[arg-type]


@pytest.mark.parametrize("error", [BufferError, RuntimeError, ValueError, AttributeError])
def test_memory_that_another_program_keeps_to_itself_is_no_place_to_write(
    error: type[Exception],
) -> None:
    class OnDevice:
        """A tensor as one of a graphics card."""

        def __dlpack_device__(self) -> tuple[int, int]:
            return 2, 0

        def __dlpack__(self, **_: object) -> None:
            raise error("not on this device")

    with pytest.raises(TypeError, match="cannot be written to"):
        alfil.learning.make("minishogi", 2).observe(OnDevice())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "entries", [[1 << 31, -1], [1 << 80, -1], [np.inf, -1], [1.5, -1], np.array([(1 << 32) - 1, 0])]
)
def test_an_entry_is_a_whole_number_that_has_room(entries: Any) -> None:  # noqa: ANN401 - anything
    env = alfil.learning.make("minishogi", 2)
    for ask in (env.step, env.take_back):
        with pytest.raises((TypeError, ValueError), match="an entry"):
            ask(entries)
    assert env.sides.tolist() == [0, 0]


def test_a_game_that_there_is_not() -> None:
    env = alfil.learning.make("minishogi", 2)
    with pytest.raises(ValueError, match="there are 2 games"):
        env.game(2)
