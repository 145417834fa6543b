"""A match in progress: its games, the players' sides, and comments.

Who has won is the matter of `alfil.play.outcomes`; here the games are played and their record is
written down.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from alfil.errors import Diagnostic, RuleError, reject, require_type
from alfil.game.moves import Move
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.play.outcomes import Match, Outcome, Player, opponent_of
from alfil.play.records import hodges
from alfil.source import Source

UNKNOWN_PLAYERS = ("", "")


@dataclass
class Round:
    """One game with its record.

    ``comments`` stand after so many moves: those under 0 before the first. ``start`` is the text of
    the position it began with, empty for the start of the game. ``date`` is free text. ``tags`` are
    what PGN says besides, such as the event. ``nags`` are the numbers of PGN for marks such as
    ``!`` (1), after so many moves, and ``variations`` what might have been played instead of the
    last of so many moves: games of their own, that begin before it.
    """

    game: Game
    start: str = ""
    date: str = ""
    comments: dict[int, list[str]] = field(default_factory=dict, repr=False)
    tags: dict[str, str] = field(default_factory=dict, repr=False)
    nags: dict[int, list[int]] = field(default_factory=dict, repr=False)
    variations: dict[int, list[Round]] = field(default_factory=dict, repr=False)
    # The moves that were written down, each with its text.
    _notation_cache: list[tuple[Move, str]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    @property
    def texts(self) -> list[str]:
        """The moves in Hodges notation, each written when somebody first asks."""
        moves, written = self.game.moves, self._notation_cache
        # Moves may have been taken back, and others made.
        pairs = zip(moves, [move for move, _ in written], strict=False)
        differs = (n for n, (now, then) in enumerate(pairs) if now is not then)
        del written[next(differs, len(moves)) :]
        if len(written) < len(moves):
            before = _game_after_moves(self.game, len(written))
            for move in moves[len(written) :]:
                written.append((move, hodges.write(before, move)))
                before.push(move)
        return [text for _, text in written]

    def beginning(self) -> Game:
        """A new game in the position that this one began with.

        Where nobody claimed the ends of this one, it has no such ends either.
        """
        return _new_game_with_same_claims(self.game, self.start)

    def push(self, move: Move | str) -> Move:
        """Make a move; errors are those of `Game.push`."""
        return self.game.push(move)

    def pop(self) -> Move | None:
        """Take back the last move with its comments, or an end by resignation or agreement."""
        move = self.game.pop()
        if move is not None:
            for notes in (self.comments, self.nags, self.variations):
                notes.pop(len(self.game.moves) + 1, None)
        return move

    def comment(self, text: str) -> None:
        """Add a comment after the last move."""
        require_type(text, str, "a comment is a text")
        self.comments.setdefault(len(self.game.moves), []).append(text)

    def branch(self) -> Round:
        """A variation that begins before the last move; it is not among ``variations`` yet.

        Raises `RuleError` where no move was made.
        """
        before = _game_after_moves(self.game, len(self.game.moves) - 1)
        start = before.position_text()
        return Round(_new_game_with_same_claims(before, start), start)

    @classmethod
    def of(cls, game: Game, date: str = "") -> Round:
        """The record of a game that was played without one."""
        start = _game_after_moves(game, 0).position_text()
        return cls(
            game, "" if _is_starting_position(game.variant, start) else start, one_line(date)
        )


def _new_game_with_same_claims(game: Game, start: str) -> Game:
    """A new game that goes on where this one does; it begins as all do where ``start`` is empty."""
    result = Game(game.variant, start or None)
    if game.ignores_claimable_ends:
        result.ignore_claimable_ends()
    return result


def _game_after_moves(game: Game, number: int) -> Game:
    """A game of its own as this one was after so many moves.

    Raises `RuleError` where no move was made after that.
    """
    before = game.copy()
    while len(before.moves) > number:
        before.pop()
    return before


class Session:
    """A match between two players under the rules of a game; it begins with its first game.

    ``players`` are their names; player 1 has the first side in the first game. With ``adjudicate``
    an illegal move loses the game where the rules say so. ``position`` is what the first game
    begins with, the start of the game unless given. ``lost`` is what was missing at the end of the
    file it was read from, if anything was, and ``notes`` say what else in it was left out.

    >>> import alfil
    >>> session = Session(alfil.load("hand_shogi").variant, ("Ada", "Grace"))
    >>> str(session.push("SO-6f")), session.to_move, session.resign().winner
    ('6g6f', 2, 'b')
    """

    def __init__(
        self,
        variant: Variant,
        players: tuple[str, str] = UNKNOWN_PLAYERS,
        *,
        adjudicate: bool = False,
        position: str | None = None,
        date: str = "",
    ) -> None:
        require_type(variant, Variant, "a match is of a variant")
        require_type(players, tuple, "the players are two names")
        if len(players) != len(UNKNOWN_PLAYERS):
            raise TypeError(f"the players are two names, not {players!r:.60}")
        self.variant = variant
        one, two = players
        self.players = (one_line(one), one_line(two))
        self.adjudicate = adjudicate
        self.lost: Diagnostic | None = None
        self.notes: tuple[Diagnostic, ...] = ()
        self._rounds: list[Round] = []
        self._begin_round(position, date)

    def __repr__(self) -> str:
        who = " and ".join(name or f"player {n}" for n, name in enumerate(self.players, 1))
        return f"<Session {self.variant.name}: {who:.60}, round {len(self._rounds)}>"

    @classmethod
    def of(cls, played: Round, players: tuple[str, str] = UNKNOWN_PLAYERS) -> Session:
        """The match that has begun with a game played elsewhere."""
        require_type(played, Round, "what was played is a Round")
        game = played.game
        session = cls(game.variant, players, adjudicate=game.adjudicate)
        session._rounds = [played]
        return session

    @property
    def rounds(self) -> tuple[Round, ...]:
        """All games so far, the current one last."""
        return tuple(self._rounds)

    @property
    def round(self) -> Round:
        """The current game with its record."""
        return self._rounds[-1]

    @property
    def game(self) -> Game:
        """The current game."""
        return self.round.game

    @property
    def match(self) -> Match:
        """The results of all games that are over."""
        return self._match(self._rounds)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.match.over

    @property
    def to_move(self) -> Player:
        """The player whose turn it is."""
        return self.player_of(self.game.turn)

    def player_of(self, side: str) -> Player:
        """The player who has a side ("b" or "w") in the current game."""
        first = self._match(self._rounds[:-1]).first_player
        return first if side == self.variant.rules.first[0] else opponent_of(first)

    def names(self, number: int) -> tuple[str, str]:
        """The players of the first and second side of a game, counted from 0; empty if unknown."""
        first = self._match(self._rounds[:number]).first_player
        return self.players[first - 1], self.players[opponent_of(first) - 1]

    def push(self, move: Move | str) -> Move:
        """Make a move in the current game; errors are those of `Game.push`."""
        return self.round.push(move)

    def pop(self) -> Move | None:
        """Take back the last move of the current game, or its end by resignation or agreement."""
        return self.round.pop()

    def resign(self, side: int | str | None = None) -> Outcome:
        """End the current game as lost for a side, as `Game.resign` does."""
        return self.game.resign(side)

    def agree_impasse(self) -> Outcome:
        """End the current game by impasse; raises `RuleError` where the rules do not have it."""
        return self.game.agree_impasse()

    def comment(self, text: str) -> None:
        """Say something after the last move of the current game."""
        self.round.comment(text)

    def next_round(self, position: str | None = None, date: str = "") -> Round:
        """Begin the next game of the match.

        Raises `RuleError` while the current game has not ended (``round-goes-on``), and when the
        match is over (``match-over``).
        """
        number = len(self._rounds)
        if self.game.outcome() is None:
            hint = "end it first"
            message = f"round {number} is not over"
            reject(RuleError, "round-goes-on", message, Source("next_round", "<match>"), hint=hint)
        if self.over:
            winner = self.match.winner
            how = f"player {winner} has won it" if winner else "it is drawn"
            hint = "begin another match"
            message = f"the match is over: {how}"
            reject(RuleError, "match-over", message, Source("next_round", "<match>"), hint=hint)
        self._begin_round(position, date)
        return self.round

    def _match(self, rounds: list[Round]) -> Match:
        outcomes = [each.game.outcome() for each in rounds]
        return Match(self.variant.rules, tuple(each.winner for each in outcomes if each))

    def _begin_round(self, position: str | None, date: str) -> None:
        game = Game(self.variant, position, adjudicate=self.adjudicate)
        self._rounds.append(Round(game, position or "", one_line(date)))


def _is_starting_position(variant: Variant, position: str) -> bool:
    """Whether a game begins with a position."""
    return bool(variant.setup) and Game(variant).position_text() == position


def one_line(text: str) -> str:
    """A text on one line."""
    require_type(text, str, "a name or a date is a text")
    return " ".join(text.split())
