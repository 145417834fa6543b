"""Matches: several games between two players, and who has won them.

A match knows results only; the games are played elsewhere. Player 1 has the first side in the
first game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from alfil.game.variant import Rules

Player: TypeAlias = Literal[1, 2]

ONE: Player = 1
TWO: Player = 2


@dataclass(frozen=True, slots=True)
class Match:
    """The results of a match so far, one game after the other.

    ``results`` are the winners: "b", "w", or None for a draw. Nothing can be added once the match
    is won: `after` raises ValueError.

    >>> from alfil.game.variant import MatchLength, Rules
    >>> match = Match(Rules(match=MatchLength("consecutive", 2)))
    >>> match = match.after("b").after("w")
    >>> match.winner, match.run, match.wins
    (1, (2, 0), (2, 0))
    """

    rules: Rules
    results: tuple[str | None, ...] = ()

    @property
    def first_player(self) -> Player:
        """The player who has the first side in the next game."""
        return _has_first_side(self.rules, len(self.results))

    @property
    def winners(self) -> tuple[Player | None, ...]:
        """The winner of each game as a player, None for a draw."""
        first = self.rules.first[0]
        return tuple(
            None if result is None else _player(self.rules, number, has_first=result == first)
            for number, result in enumerate(self.results)
        )

    @property
    def wins(self) -> tuple[int, int]:
        """How many games each player has won."""
        return self.winners.count(ONE), self.winners.count(TWO)

    @property
    def run(self) -> tuple[int, int]:
        """How many games each player has won in a row, up to now; one of the two is 0."""
        run = {ONE: 0, TWO: 0}
        for winner in self.winners:
            if winner is not None:
                run = {winner: run[winner] + 1, _other(winner): 0}
            elif self.rules.match_draw == "breaks":
                run = {ONE: 0, TWO: 0}
        return run[ONE], run[TWO]

    @property
    def over(self) -> bool:
        """Whether no more games are to be played; a single game may end the match in a draw."""
        return self.winner is not None or (self.rules.match.how == "single" and bool(self.results))

    @property
    def winner(self) -> Player | None:
        """The player who has won the match, or None."""
        length = self.rules.match
        match length.how:
            case "consecutive":
                standing, needed = self.run, length.games
            case "best-of":
                standing, needed = self.wins, length.games // 2 + 1
            case "single":
                standing, needed = self.wins, 1
        return ONE if standing[0] >= needed else TWO if standing[1] >= needed else None

    def after(self, result: str | None) -> Match:
        """The match with one more game, won by "b" or "w", or drawn (None)."""
        if self.over:
            raise ValueError("the match is over")
        if result not in {"b", "w", None}:
            raise ValueError(f"a game is won by 'b' or 'w', or drawn: not {result!r}")
        return Match(self.rules, (*self.results, result))


def _has_first_side(rules: Rules, number: int) -> Player:
    return TWO if rules.match_first == "alternate" and number % 2 else ONE


def _player(rules: Rules, number: int, *, has_first: bool) -> Player:
    first = _has_first_side(rules, number)
    return first if has_first else _other(first)


def _other(player: Player) -> Player:
    return TWO if player == ONE else ONE
