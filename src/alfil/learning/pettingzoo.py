"""Games as environments of PettingZoo: `TurnEnv` and `ParallelTurnEnv` (extra ``rl``).

The agents are ``player_0``, who moves first, and ``player_1``. An observation has the planes of
`Game.planes`, as the side to move sees the board, and the mask of the legal moves; for an agent who
is not to move no move is legal. Who chooses a move that is not legal has lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv, ParallelEnv

from alfil.learning.single_game import SingleGame
from alfil.learning.vector_env import DEFAULT_LONGEST
from alfil.library.library import Library
from alfil.play.game import Game

__all__ = ["ParallelTurnEnv", "TurnEnv"]

AGENTS = ("player_0", "player_1")


class _TwoPlayerEnv:
    """What both interfaces have in common."""

    def __init__(
        self,
        game: Library | Game | str,
        *,
        longest: int = DEFAULT_LONGEST,
        render_mode: str | None = None,
    ) -> None:
        self._game = SingleGame(game, longest)
        self.render_mode = render_mode
        self.possible_agents = [*AGENTS]
        self.agents: list[str] = []
        games = self._game.games
        planes = Box(0, np.inf, games.shape, np.float32)
        mask = Box(0, 1, (games.actions,), np.int8)
        self.observation_spaces = {
            agent: Dict({"observation": planes, "action_mask": mask}) for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(games.actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The numbers of the moves."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """The position, and which moves an agent may make."""
        mask = self._game.mask()
        moves = agent == AGENTS[self._game.side_to_move]
        return {"observation": self._game.observe(), "action_mask": mask * moves}

    def _require_game_in_progress(self) -> None:
        """Raise ValueError where there is no game to play."""
        if not self.agents:
            raise ValueError("there is no game to play: reset begins one")

    def render(self) -> str | None:
        """The board as text."""
        return self._game.board_text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


class TurnEnv(_TwoPlayerEnv, AECEnv):
    """A game of a bundled set, a piece file, or a `Game`, whose agents move by turns."""

    metadata = {  # noqa: RUF012 - as PettingZoo has it
        "render_modes": ["ansi"],
        "name": "alfil_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin again; nothing in it is left to chance."""
        del seed, options
        self._game.begin()
        self.agents = [*AGENTS]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._game.side_to_move]

    def step(self, action: int | None) -> None:
        """Make a move for the agent whose turn it is; ValueError where there is no game to play."""
        self._require_game_in_progress()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent] or action is None:
            self._was_dead_step(action)
            return
        other = AGENTS[1 - AGENTS.index(agent)]
        self._cumulative_rewards[agent] = 0.0
        reward, terminated, truncated = self._game.play(action)
        self.rewards = {agent: reward, other: -reward}
        self.terminations = dict.fromkeys(AGENTS, terminated)
        self.truncations = dict.fromkeys(AGENTS, truncated)
        self.agent_selection = other
        self._accumulate_rewards()


class ParallelTurnEnv(_TwoPlayerEnv, ParallelEnv):
    """The same with a move of each agent at every step, of which that of who is to move counts."""

    metadata = {"render_modes": ["ansi"], "name": "alfil_v0"}  # noqa: RUF012 - as PettingZoo has it

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin again: what the agents see, and nothing besides."""
        del seed, options
        self._game.begin()
        self.agents = [*AGENTS]
        return self._observations(), {agent: {} for agent in AGENTS}

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Make the move of the agent whose turn it is; ValueError where none is played."""
        self._require_game_in_progress()
        mover = AGENTS[self._game.side_to_move]
        reward, terminated, truncated = self._game.play(actions[mover])
        rewards = {agent: reward if agent == mover else -reward for agent in AGENTS}
        if terminated or truncated:
            self.agents = []
        return (
            self._observations(),
            rewards,
            dict.fromkeys(AGENTS, terminated),
            dict.fromkeys(AGENTS, truncated),
            {agent: {} for agent in AGENTS},
        )

    def _observations(self) -> dict[str, Any]:
        return {agent: self.observe(agent) for agent in AGENTS}
