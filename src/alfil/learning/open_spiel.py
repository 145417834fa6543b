"""Games for OpenSpiel: `register` a game there, and load it by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from alfil.game.compiled_variant import compile_variant
from alfil.learning.single_game import as_game
from alfil.learning.vector_env import DEFAULT_LONGEST
from alfil.library.library import Library
from alfil.play.action_encoding import encoding_of
from alfil.play.game import Game

__all__ = ["register"]


class _State(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: pyspiel.Game, begun: Game, longest: int) -> None:
        super().__init__(game)
        self._game, self._longest = begun.copy(), longest

    def current_player(self) -> int:
        """The side to move: 0 moved first."""
        terminal: int = pyspiel.PlayerId.TERMINAL
        return terminal if self.is_terminal() else self._game.side_to_move

    def _legal_actions(self, player: int) -> list[int]:
        del player
        result: list[int] = [] if self.is_terminal() else np.flatnonzero(self._game.mask()).tolist()
        return result

    def _apply_action(self, action: int) -> None:
        self._game.push(self._game.move(action))

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        return str(self._game.move(action))

    def is_terminal(self) -> bool:
        """Whether the game has ended, or has had as many moves as it may."""
        return len(self._game.moves) >= self._longest or self._game.is_game_over()

    def returns(self) -> list[float]:
        """1 for the side that has won, -1 for the other one."""
        first = {"1-0": 1.0, "0-1": -1.0}.get(self._game.result(), 0.0)
        return [first, -first]

    def __str__(self) -> str:
        return self._game.position_text()


class _Observer:
    """The planes of `Game.planes`, as the side to move sees the board."""

    def __init__(self, shape: tuple[int, int, int]) -> None:
        self.tensor = np.zeros(shape, np.float32).ravel()
        self.dict = {"planes": self.tensor.reshape(shape)}

    def set_from(self, state: _State, player: int) -> None:
        """Observe a state."""
        del player
        state._game.planes(out=self.dict["planes"])

    def string_from(self, state: _State, player: int) -> str:
        """The position as text."""
        del player
        return str(state)


def register(game: Library | Game | str, name: str = "", *, longest: int = DEFAULT_LONGEST) -> str:
    """Register a bundled set, a piece file, or a `Game`; the name to load it by is returned.

    That is ``name`` behind ``alfil_``, the name of the game unless given. Moves are the numbers of
    `Game.action`. A game ends as a draw after ``longest`` moves.
    """
    begun = as_game(game)
    encoding = encoding_of(compile_variant(begun.variant))
    short = f"alfil_{name or begun.variant.name.lower().replace(' ', '_')}"
    kind = pyspiel.GameType(
        short_name=short,
        long_name=begun.variant.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=encoding.actions,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=longest,
    )

    class Registered(pyspiel.Game):
        """The game as OpenSpiel makes it."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> _State:
            """A state in which no move was made."""
            return _State(self, begun, longest)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:  # noqa: ANN401
            """What states are seen by."""
            del iig_obs_type, params
            return _Observer(encoding.shape)

    pyspiel.register_game(kind, Registered)
    return short
