"""Games as environments of Gymnasium: `SelfPlayEnv` and `SelfPlayVectorEnv` (extra ``rl``).

Whoever is to move plays, so that one learner plays both sides. Observations are as the side to move
sees the board, and a reward is that of who has just moved. ``info["action_mask"]`` has the legal
moves; who chooses another one has lost.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector.utils import batch_space

from alfil.learning.single_game import SingleGame, as_game
from alfil.learning.vector_env import DEFAULT_LONGEST, VectorEnv
from alfil.library.library import Library
from alfil.play.game import Game

__all__ = ["SelfPlayEnv", "SelfPlayVectorEnv"]


def _observation_and_action_spaces(games: VectorEnv) -> tuple[Box, Discrete]:
    return Box(0, np.inf, games.shape, np.float32), Discrete(games.actions)


class SelfPlayEnv(gymnasium.Env):
    """One game of a bundled set, a piece file, or a `Game`, as an environment of Gymnasium.

    ``longest`` is after how many moves it is truncated; ``render_mode`` is "ansi" or None.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        game: Library | Game | str,
        *,
        longest: int = DEFAULT_LONGEST,
        render_mode: str | None = None,
    ) -> None:
        self._game = SingleGame(game, longest)
        self.render_mode = render_mode
        self.observation_space, self.action_space = _observation_and_action_spaces(self._game.games)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin again: the observation, and the mask of the legal moves."""
        super().reset(seed=seed, options=options)
        self._game.begin()
        return self._game.observe(), {"action_mask": self._game.mask()}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make a move for whoever is to move; the reward is that side's."""
        reward, terminated, truncated = self._game.play(action)
        info = {"action_mask": self._game.mask()}
        return self._game.observe(), reward, terminated, truncated, info

    def render(self) -> str | None:
        """The board as text."""
        return self._game.board_text() if self.render_mode == "ansi" else None


class SelfPlayVectorEnv(gymnasium.vector.VectorEnv):
    """``num_envs`` such games, which the engine plays at once.

    A game that has ended begins again with the next step, whose action is not looked at there.
    """

    metadata = {  # noqa: RUF012 - as Gymnasium has it
        "render_modes": [],
        "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self, game: Library | Game | str, num_envs: int, *, longest: int = DEFAULT_LONGEST
    ) -> None:
        self._games = VectorEnv(as_game(game), num_envs, longest=longest, auto_reset=False)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = _observation_and_action_spaces(
            self._games
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games again; ValueError unless a list has a seed for each."""
        if isinstance(seed, list):
            if len(seed) != self.num_envs:
                raise ValueError(f"there are {self.num_envs} games, and {len(seed)} seeds")
            seed = seed[0]
        super().reset(seed=seed, options=options)
        self._games.reset()
        self._over[:] = False
        return self._games.observe(), self._action_mask_info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:  # noqa: ANN401
        """Make a move in every game that goes on, and begin the others again."""
        begun = self._over.copy()
        illegal = ~(self._games.is_legal(actions) | begun)
        step = self._games.step(np.where(begun | illegal, -1, actions))
        rewards = np.where(illegal, -1.0, step.rewards)
        terminated, truncated = step.terminated | illegal, step.truncated.copy()
        self._games.reset(begun)
        self._over = terminated | truncated
        return self._games.observe(), rewards, terminated, truncated, self._action_mask_info()

    def _action_mask_info(self) -> dict[str, Any]:
        return {"action_mask": self._games.mask().view(np.int8)}
