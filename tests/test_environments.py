"""The environments of other programs are what those programs want of one."""

from __future__ import annotations

import warnings
from functools import partial

import pytest

import alfil
from strategies import NIGHTLY

np = pytest.importorskip("numpy")

NAMES = ("minishogi", "chess", "shogi", "othello") if NIGHTLY else ("minishogi",)
CYCLES = 1000 if NIGHTLY else 60


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    checker = pytest.importorskip("gymnasium.utils.env_checker")
    environments = pytest.importorskip("alfil.learning.gymnasium")
    with warnings.catch_warnings():
        # It would have environments registered, and sees that numbers of pieces have no limit.
        warnings.simplefilter("ignore")
        checker.check_env(environments.SelfPlayEnv(name, render_mode="ansi"))


def test_games_of_gymnasium_begin_again_with_the_next_step() -> None:
    environments = pytest.importorskip("alfil.learning.gymnasium")
    envs = environments.SelfPlayVectorEnv("minishogi", 2, longest=2)
    _, info = envs.reset(seed=1)
    first = info["action_mask"][0].argmax()
    _, rewards, over, _, info = envs.step(np.array([first, envs.single_action_space.n - 1]))
    assert rewards.tolist() == [0, -1]
    assert over.tolist() == [False, True]
    actions = info["action_mask"].argmax(axis=1)
    seen, rewards, over, long, info = envs.step(actions)
    assert (over.any(), long.tolist(), rewards.any()) == (False, [True, False], False)
    assert np.array_equal(seen[1], alfil.load("minishogi").game().planes())
    assert info["action_mask"].sum(axis=1).tolist() == [0, 14]


@pytest.mark.parametrize("name", NAMES)
def test_pettingzoo_finds_nothing_wrong(name: str) -> None:
    tests = pytest.importorskip("pettingzoo.test")
    environments = pytest.importorskip("alfil.learning.pettingzoo")
    by_turns = partial(environments.TurnEnv, name)
    parallel = partial(environments.ParallelTurnEnv, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests.api_test(by_turns(), CYCLES)
        tests.seed_test(by_turns, CYCLES)
        tests.parallel_api_test(parallel(), CYCLES)
        tests.parallel_seed_test(parallel, CYCLES)


def test_rewards_of_pettingzoo_are_those_of_the_outcome() -> None:
    environments = pytest.importorskip("alfil.learning.pettingzoo")
    game = alfil.load("chess").game()
    for move in ("f2f3", "e7e5", "g2g4"):
        game.push(move)
    env = environments.TurnEnv(game)
    env.reset()
    assert env.agent_selection == "player_1"
    env.step(game.action("d8h4"))
    assert env.rewards == {"player_1": 1.0, "player_0": -1.0}
    assert all(env.terminations.values())


def test_pettingzoo_moves_only_while_a_game_goes_on() -> None:
    environments = pytest.importorskip("alfil.learning.pettingzoo")
    by_turns, parallel = environments.TurnEnv("chess"), environments.ParallelTurnEnv("chess")
    for _ in range(2):
        with pytest.raises(ValueError, match="reset"):
            by_turns.step(0)
        with pytest.raises(ValueError, match="reset"):
            parallel.step({"player_0": 0})
        by_turns.reset()
        by_turns.step(-1)
        by_turns.step(None)
        by_turns.step(None)
        parallel.reset()
        parallel.step({"player_0": -1})


def test_gymnasium_has_a_seed_for_each_game() -> None:
    environments = pytest.importorskip("alfil.learning.gymnasium")
    env = environments.SelfPlayVectorEnv("minishogi", 2)
    env.reset(seed=[1, 2])
    for seeds in ([], [1]):
        with pytest.raises(ValueError, match="2 games"):
            env.reset(seed=seeds)


def test_openspiel_plays_the_same_game() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    register = pytest.importorskip("alfil.learning.open_spiel").register
    state = pyspiel.load_game(register("minishogi")).new_initial_state()
    game = alfil.load("minishogi").game()
    for _ in range(30):
        assert state.legal_actions() == np.flatnonzero(game.mask()).tolist()
        assert state.current_player() == game.side_to_move
        action = state.legal_actions()[-1]
        assert state.action_to_string(action) == str(game.move(action))
        game.push(game.move(action))
        state = state.child(action)
    assert state.observation_tensor() == game.planes().ravel().tolist()
    mated = alfil.load("chess").game("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    state = pyspiel.load_game(register(mated, "mate")).new_initial_state()
    state.apply_action(mated.action("g6g7"))
    assert (state.is_terminal(), state.returns()) == (True, [1.0, -1.0])


@pytest.mark.parametrize("number", [1.5, float("inf"), "1", None, [1]])
def test_a_number_that_is_not_whole_is_no_move(number: object) -> None:
    """In the environments of one game, which need no other program for that."""
    single = pytest.importorskip("alfil.learning.single_game").SingleGame("minishogi")
    with pytest.raises(TypeError):
        single.play(number)
    assert single.play(10**30) == (-1.0, True, False)
    assert single.mask().sum() == 0
