"""Outcomes of games, oddities of positions, and results of matches.

A match knows results only; the games are played elsewhere. Player 1 has the first side in the
first game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Literal, TypeAlias, get_args

from alfil.frozen_dataclasses import dataclass
from alfil.game import engine_interface
from alfil.game.compiled_variant import CompiledVariant
from alfil.game.game_position import GamePosition
from alfil.game.position import Position
from alfil.game.rule_table import ENDINGS
from alfil.game.variant import Rules

Player: TypeAlias = Literal[1, 2]

PLAYER_ONE: Player = 1
PLAYER_TWO: Player = 2
# The sides by their letters.
SIDE_COLOURS = {"b": "black", "w": "white"}


@dataclass(frozen=True, slots=True)
class Match:
    """The results of a match so far, one game after the other.

    ``results`` are the winners: "b", "w", or None for a draw. Nothing can be added once the match
    is won: `with_result` raises ValueError.

    >>> from alfil.game.variant import MatchLength, Rules
    >>> match = Match(Rules(match=MatchLength("consecutive", 2)))
    >>> match = match.with_result("b").with_result("w")
    >>> match.winner, match.winning_streaks, match.wins
    (1, (2, 0), (2, 0))
    """

    rules: Rules = field(repr=False)
    results: tuple[str | None, ...] = ()

    @property
    def first_player(self) -> Player:
        """The player who has the first side in the next game."""
        return self._first_player_of(len(self.results))

    @property
    def winners(self) -> tuple[Player | None, ...]:
        """The winner of each game as a player, None for a draw."""
        first = self.rules.first[0]
        players = [self._first_player_of(number) for number in range(len(self.results))]
        return tuple(
            None if result is None else player if result == first else opponent_of(player)
            for player, result in zip(players, self.results, strict=True)
        )

    @property
    def wins(self) -> tuple[int, int]:
        """How many games each player has won."""
        return self.winners.count(PLAYER_ONE), self.winners.count(PLAYER_TWO)

    @property
    def winning_streaks(self) -> tuple[int, int]:
        """How many games each player has won in a row, up to now; one of the two is 0."""
        winning_streaks = {PLAYER_ONE: 0, PLAYER_TWO: 0}
        for winner in self.winners:
            if winner is not None:
                winning_streaks = {winner: winning_streaks[winner] + 1, opponent_of(winner): 0}
            elif self.rules.match_draw == "breaks":
                winning_streaks = {PLAYER_ONE: 0, PLAYER_TWO: 0}
        return winning_streaks[PLAYER_ONE], winning_streaks[PLAYER_TWO]

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
                standing, needed = self.winning_streaks, length.games
            case "best-of":
                standing, needed = self.wins, length.games // 2 + 1
            case "single":
                standing, needed = self.wins, 1
        return (
            PLAYER_ONE if standing[0] >= needed else PLAYER_TWO if standing[1] >= needed else None
        )

    def with_result(self, result: str | None) -> Match:
        """The match with one more game, won by "b" or "w", or drawn (None)."""
        if self.over:
            raise ValueError("the match is over")
        if result not in {"b", "w", None}:
            raise ValueError(f"a game is won by 'b' or 'w', or drawn: not {result!r}")
        return Match(self.rules, (*self.results, result))

    def _first_player_of(self, number: int) -> Player:
        return PLAYER_TWO if self.rules.match_first == "alternate" and number % 2 else PLAYER_ONE


def opponent_of(player: Player) -> Player:
    """The player's opponent."""
    return PLAYER_TWO if player == PLAYER_ONE else PLAYER_ONE


# What the players or an arbiter say, and no position shows; "unstated" where a record has only the
# result.
Agreed = Literal["resignation", "agreement", "time", "forfeit", "adjudication", "unstated"]
AGREED_REASONS: tuple[Agreed, ...] = get_args(Agreed)

# What players claim or leave alone where somebody else leads the game.
CLAIMABLE_REASONS = frozenset(end.reason for end in ENDINGS if end.claimed)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner's side ("b", "w", or None for a draw) and the reason.

    ``detail`` is the code of an illegal move.
    """

    winner: str | None
    reason: str
    detail: str = ""


def outcome_of(result: int, sides: Sequence[str]) -> Outcome | None:
    """What a result of the engine is, None where the game goes on."""
    if not result:
        return None
    reason, winner = divmod(result, engine_interface.WINNERS)
    return Outcome(
        None if winner == engine_interface.DRAW else sides[winner], ENDINGS[reason - 1].reason
    )


def are_royals_in_zone(position: Position) -> bool:
    """Whether all royals of both sides stand in their promotion zones."""
    return all(
        _is_in_own_zone(position.compiled, position.board[square], square)
        for side in (0, 1)
        for square in position.royals[side]
    )


def _is_in_own_zone(compiled: CompiledVariant, piece: int, square: int) -> bool:
    """Whether a piece stands in the promotion zone of its side."""
    zone = compiled.zone[(piece - 1) % 2]
    return any(zone[cell] for cell in compiled.footprints.occupied_squares(piece, square))


TOO_MANY_PIECES = "TOO_MANY_PIECES"
OPPONENT_IN_CHECK = "OPPONENT_IN_CHECK"
# More pieces of a kind on a file are not told apart.
_MOST_TOLD_ON_FILE = 10


def position_oddities(game_position: GamePosition) -> frozenset[str]:
    """The names of all that is odd.

    A piece that should have promoted where it stands gives "KNIGHT_IN_ZONE", more on a file than
    allowed "TWO_SOLDIERS_ON_FILE", each with the name of its kind.
    """
    position = game_position.position
    result = set(_overfull_file_flags(position)) | set(_missing_promotion_flags(position))
    if _has_more_pieces_than_both_sets(position):
        result.add(TOO_MANY_PIECES)
    if game_position.is_in_check(1 - game_position.turn):
        result.add(OPPONENT_IN_CHECK)
    return frozenset(result)


def _flag_piece_name(compiled: CompiledVariant, piece: int) -> str:
    return compiled.kinds[(piece - 1) >> 1].name.upper().replace(" ", "_")


def _overfull_file_flags(position: Position) -> Iterator[str]:
    from alfil.english.words import number_word  # noqa: PLC0415 - few look for oddities

    compiled = position.compiled
    counts = Counter((piece, square % compiled.files) for square, piece in position.pieces)
    for (piece, _), count in counts.items():
        limit = compiled.kinds[(piece - 1) >> 1].per_file
        if limit and count > limit:
            known = limit + 1 <= _MOST_TOLD_ON_FILE
            number = number_word(limit + 1).upper() if known else "TOO_MANY"
            yield f"{number}_{_flag_piece_name(compiled, piece)}S_ON_FILE"


def _missing_promotion_flags(position: Position) -> Iterator[str]:
    compiled = position.compiled
    for square, piece in position.pieces:
        if not compiled.own_promotions(piece):
            continue
        forced = compiled.traits_by_code[compiled.codes[piece]].promotion.mode == "forced"
        if forced and _is_in_own_zone(compiled, piece, square):
            yield f"{_flag_piece_name(compiled, piece)}_IN_ZONE"


def _has_more_pieces_than_both_sets(position: Position) -> bool:
    """Whether there are more pieces of a type than both sets have, in any form."""
    compiled = position.compiled
    if not compiled.starting:
        return False
    held: Counter[int] = Counter(compiled.base[piece] for piece in compiled.starting.values())
    for hand in compiled.variant.hands:
        for code, count in hand:
            held[compiled.number[compiled.kinds[compiled.number[code]].base]] += count
    there: Counter[int] = Counter(compiled.base[piece] for _, piece in position.pieces)
    for counts in position.hands:
        for kind, count in enumerate(counts):
            there[compiled.base[1 + 2 * kind]] += count
    return any(count > held[kind] for kind, count in there.items())
