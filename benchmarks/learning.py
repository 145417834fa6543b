"""Games for programs that learn, beside other environments: the same work in each, in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

import alfil
from benchmarks.figures import Figure
from benchmarks.measure import ROUNDS, beside, rate

# How many games are played at once, where a program plays several.
GAMES = 32
STEPS = 64
DOES = (
    "steps in a second of the processor, one thread: the position as an array of floats, the mask"
    " of the legal moves, one of these by chance, and the step; a game that has ended begins again."
    " alfil: `VectorEnv` of {games} games, `observe`, `mask`, `sample`, `step`; {peer}."
)


def measured() -> Iterator[Figure]:
    """Steps of chess, shogi and Hand shogi: beside each program that is installed."""
    chess: list[tuple[str, str, Callable[[], int] | None]] = [
        ("Game", "`Game.planes`, `mask`, `move`, `push`", _Alone("chess").steps),
        ("OpenSpiel", "OpenSpiel: `observation_tensor`, `legal_actions_mask`", _open_spiel()),
        ("PettingZoo", "PettingZoo's chess_v6: `last`, `step`", _pettingzoo()),
        ("pgx", f"pgx on the CPU, {GAMES} games in one jitted step", _pgx("chess")),
    ]
    shogi = ("pgx", f"pgx on the CPU, {GAMES} games in one jitted step", _pgx("shogi"))
    for name, peers, must in (
        ("chess", chess, 200_000),
        ("shogi", [("Game", chess[0][1], _Alone("shogi").steps), shogi], 150_000),
        ("hand_shogi", [("Game", chess[0][1], _Alone("hand_shogi").steps)], 100_000),
    ):
        ours, what, unit = _Together(name).steps, f"learning, steps: {name}", "steps/s"
        best = max(rate(ours, 1.0) for _ in range(ROUNDS))
        alone = DOES.format(games=GAMES, peer="the best of three rounds")
        yield Figure(what=what, value=best, unit=unit, does=alone, must=must)
        for peer, how, steps in peers:
            does = DOES.format(games=GAMES, peer=how)
            yield beside(ours, steps, what=what, unit=unit, peer=peer, does=does, seconds=1.0)


class _Together:
    """Games of `VectorEnv`."""

    def __init__(self, name: str) -> None:
        self._env = alfil.learning.make(name, GAMES, seed=1)
        self._planes = np.zeros((GAMES, *self._env.shape), np.float32)
        self._mask = np.zeros((GAMES, self._env.actions), bool)

    def steps(self) -> int:
        """Some steps of all games."""
        for _ in range(STEPS):
            self._env.observe(self._planes)
            self._env.mask(self._mask)
            self._env.step(self._env.sample())
        return STEPS * GAMES


class _Alone:
    """One `Game` after the other."""

    def __init__(self, name: str) -> None:
        self._library = alfil.load(name)
        self._game = self._library.game()
        self._planes, self._mask = self._game.planes(), self._game.mask()
        self._chance = np.random.default_rng(1)

    def steps(self) -> int:
        """Some steps of a game."""
        for _ in range(STEPS):
            self._game.planes(out=self._planes)
            self._game.mask(out=self._mask)
            legal = np.flatnonzero(self._mask)
            if not len(legal):
                self._game = self._library.game()
                continue
            self._game.push(self._game.move(int(self._chance.choice(legal))))
        return STEPS


def _open_spiel() -> Callable[[], int] | None:
    try:
        import pyspiel  # noqa: PLC0415 - it may not be installed
    except ImportError:
        return None
    game, chance = pyspiel.load_game("chess"), np.random.default_rng(1)
    at = [game.new_initial_state()]

    def steps() -> int:
        for _ in range(STEPS):
            state = at[0]
            if state.is_terminal():
                at[0] = game.new_initial_state()
                continue
            np.asarray(state.observation_tensor(), np.float32)
            mask = np.asarray(state.legal_actions_mask(), bool)
            state.apply_action(int(chance.choice(np.flatnonzero(mask))))
        return STEPS

    return steps


def _pettingzoo() -> Callable[[], int] | None:
    try:
        from pettingzoo.classic import chess_v6  # noqa: PLC0415 - it may not be installed
    except ImportError:
        return None
    env, chance = chess_v6.env(), np.random.default_rng(1)
    env.reset(seed=1)

    def steps() -> int:
        for _ in range(STEPS):
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            np.asarray(seen["observation"], np.float32)
            env.step(int(chance.choice(np.flatnonzero(seen["action_mask"]))))
        return STEPS

    return steps


def _pgx(name: str) -> Callable[[], int] | None:
    try:
        import jax  # noqa: PLC0415 - they may not be installed
        import pgx  # noqa: PLC0415
    except ImportError:
        return None
    env = pgx.make(name)

    def renewed(state, key):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - of no types
        """A step by chance; a game that has ended begins again."""
        choose, renew = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        after = env.step(state, jax.random.categorical(choose, logits))
        over = after.terminated | after.truncated
        return jax.lax.cond(over, lambda: env.init(renew), lambda: after)

    step = jax.jit(jax.vmap(renewed))
    begin, other = jax.random.split(jax.random.PRNGKey(1))
    at, keys = [jax.jit(jax.vmap(env.init))(jax.random.split(begin, GAMES))], [other]

    def steps() -> int:
        keys[0], key = jax.random.split(keys[0])
        at[0] = step(at[0], jax.random.split(key, GAMES))
        at[0].observation.block_until_ready()
        return GAMES

    return steps
