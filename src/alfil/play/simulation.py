"""Games of random moves, played by the compiled core."""

from __future__ import annotations

from dataclasses import dataclass

from alfil.game import fast
from alfil.game.moves import texts_of
from alfil.game.text import read_position
from alfil.play.game import Game

LONGEST = 500


@dataclass(frozen=True, slots=True)
class Simulation:
    """How random games went: ``mates`` and ``stuck`` by the side that was to move and could not.

    ``unfinished`` games came to the limit of moves; ``moves`` are those of all games together.
    """

    mates: tuple[int, int]
    stuck: tuple[int, int]
    unfinished: int
    moves: int

    @property
    def games(self) -> int:
        """How many games there were."""
        return sum(self.mates) + sum(self.stuck) + self.unfinished


def simulate(game: Game, games: int, *, seed: int = 0, longest: int = LONGEST) -> Simulation:
    """Play games of random legal moves from where a game stands; the game is left as it is.

    Every legal move is as likely as any other. A game goes on until there is none, or ``longest``
    moves were made: repetition, and whatever else ends games, is not looked at. The same seed
    gives the same games. Raises `RuleError` where the compiled core does not serve, and ValueError
    for less than one game or move.

    >>> import alfil
    >>> found = alfil.simulate(alfil.load("minishogi").game(), 100, seed=1)
    >>> found.games, found == alfil.simulate(alfil.load("minishogi").game(), 100, seed=1)
    (100, True)
    """
    if games < 1 or longest < 1:
        raise ValueError("at least one game and one move are to be played")
    plan, alphabet, _ = texts_of(game.variant)
    position = read_position(game.sfen(), plan, alphabet)
    fast.serves(position, 0, "fast")
    moves, ends = fast.Run(position, 1, longest).simulate(games, longest, _spread(seed))
    return Simulation((ends[0], ends[1]), (ends[2], ends[3]), ends[4], moves)


def _spread(seed: int) -> int:
    """A seed of 48 bits of which neighbours do not begin alike."""
    return (seed * 0x9E3779B97F4A7C15 ^ 0x5DEECE66D) & (1 << 48) - 1
