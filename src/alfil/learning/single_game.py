"""One game for the environments of other programs, in which an illegal move loses."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

from alfil.learning.vector_env import DEFAULT_LONGEST, VectorEnv
from alfil.library.library import Library, load
from alfil.play.game import Game

if TYPE_CHECKING:
    from numpy.typing import NDArray


class MoveResult(NamedTuple):
    """What a move came to: the reward of who made it, and whether the game ended, and how."""

    reward: float
    terminated: bool
    truncated: bool


def as_game(game: Library | Game | str) -> Game:
    """A game of what is played: of a `Library`, or of a bundled set or piece file by its name."""
    library = load(game) if isinstance(game, str) else game
    return library.game() if isinstance(library, Library) else library


class SingleGame:
    """One game, whose moves are numbers; who chooses the number of no legal move has lost."""

    def __init__(self, game: Library | Game | str, longest: int = DEFAULT_LONGEST) -> None:
        self.games = VectorEnv(as_game(game), 1, longest=longest, auto_reset=False)
        self._lost = False

    @property
    def side_to_move(self) -> int:
        """The side to move: 0 moved first."""
        return int(self.games.sides[0])

    def begin(self) -> None:
        """Begin again."""
        self._lost = False
        self.games.reset()

    def observe(self) -> NDArray[Any]:
        """The position as the side to move sees it."""
        result: NDArray[Any] = self.games.observe()[0]
        return result

    def mask(self) -> NDArray[Any]:
        """Which numbers are those of legal moves, as whole numbers of 8 bits."""
        result: NDArray[Any] = self.games.mask()[0].astype("int8")
        return result * (not self._lost)

    def play(self, action: SupportsIndex) -> MoveResult:
        """Make a move; the game goes on. Raises TypeError for what is no whole number."""
        number = index(action)
        if not (0 <= number < self.games.actions and self.games.is_legal([number])[0]):
            self._lost = True
            return MoveResult(-1.0, terminated=True, truncated=False)
        step = self.games.step([number])
        return MoveResult(float(step.rewards[0]), bool(step.terminated[0]), bool(step.truncated[0]))

    def board_text(self) -> str:
        """The board as text."""
        return str(self.games.game(0))
