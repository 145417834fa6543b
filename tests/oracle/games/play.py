"""How games and matches end (R23 to R35)."""

from __future__ import annotations

from typing import NamedTuple

from oracle.games.definition import Game
from oracle.games.position import (
    Move,
    Position,
    after,
    candidates,
    fault,
    in_check,
    royals,
    takes_king,
)


class End(NamedTuple):
    """Who won (0, 1, or None for a draw) and why."""

    winner: int | None
    reason: str


class Hand:
    """One game being played: every position since the start, and who gave check when."""

    def __init__(self, position: Position) -> None:
        self.positions = [position]
        self.moves: list[Move] = []
        self.checks: list[bool] = []
        self.end = standing(position)

    @property
    def position(self) -> Position:
        return self.positions[-1]

    def push(self, move: Move) -> None:
        """Makes a legal move, and sees whether the game is over (the order is R30)."""
        assert self.end is None, "game-over"
        assert not fault(self.position, move), fault(self.position, move)
        before = self.position
        self.positions.append(after(before, move))
        self.moves.append(move)
        self.checks.append(in_check(before.game, self.position.board, self.position.side))
        self.end = (
            won_by_move(before, move, self.position)
            or self.won_by_checks()
            or standing(self.position)
            or self.repeated()
        )

    def won_by_checks(self) -> End | None:
        """The win of `checks:N`: so many checks given by one side."""
        mover = 1 - self.position.side
        for rule in self.position.game.rules.win:
            if rule.startswith("checks:") and sum(self.given(mover, 0)) >= int(rule[7:]):
                return End(mover, "checks")
        return None

    def given(self, side: int, start: int) -> list[bool]:
        """Whether each move of a side from that index on gave check."""
        return [
            check
            for index, check in enumerate(self.checks)
            if index >= start and self.positions[index].side == side
        ]

    @property
    def key(self) -> object:
        """Equal while the hand stands the same (R27)."""
        return self.key_at(len(self.positions) - 1)

    def key_at(self, index: int) -> object:
        """The same after so many moves; checks count where they may win, as in three-check."""
        if not any(rule.startswith("checks:") for rule in self.position.game.rules.win):
            return self.positions[index].key
        movers = [each.side for each in self.positions[:index]]
        checks = [side for side, check in zip(movers, self.checks, strict=False) if check]
        return self.positions[index].key, checks.count(0), checks.count(1)

    def repeated(self) -> End | None:
        """R28, R29: what a position that came up often enough does."""
        rules = self.position.game.rules
        if rules.repetition is None:
            return None
        places = [i for i in range(len(self.positions)) if self.key_at(i) == self.key]
        if len(places) < rules.repetition[0]:
            return None
        if rules.perpetual_check != "allowed":
            start = places[0] if rules.perpetual_span == "first" else places[-2]
            checking = [side for side in (0, 1) if all(self.given(side, start))]
            if len(checking) == 1:
                lost = rules.perpetual_check == "loss"
                return End(1 - checking[0] if lost else None, "perpetual-check")
            if len(checking) > 1:
                return End(None, "repetition")
        match rules.repetition[1]:
            case "loss-first":
                return End(1 - self.positions[0].side, "repetition")
            case "loss-repeater":
                return End(self.position.side, "repetition")
            case _:
                return End(None, "repetition")


def won_by_move(before: Position, move: Move, now: Position) -> End | None:
    """King capture, goal and bare king: wins of the side that just moved."""
    rules, mover = before.game.rules, before.side
    if "royal-capture" in rules.win and takes_king(before, move):
        return End(mover, "king-capture")
    if "goal" in rules.win and at_goal(now.game, now, mover):
        return End(mover, "goal")
    if "bare" in rules.win and bare(now, 1 - mover):
        return End(mover, "bare")
    return None


def at_goal(game: Game, position: Position, side: int) -> bool:
    """Whether the piece of the `goal` rule stands where it should.

    As in dobutsu shogi, a king that can be captured there has not arrived.
    """
    assert game.rules.goal is not None
    code, first, last = game.rules.goal
    arrived = any(
        piece == (side, code) and first <= game.rank_of(side, at) <= last
        for at, piece in position.board.items()
    )
    return arrived and not (game.kind(code).royal and in_check(game, position.board, side))


def bare(position: Position, side: int) -> bool:
    """Whether a side has nothing but royal pieces."""
    own = [at for at, piece in position.board.items() if piece[0] == side]
    return sorted(own) == sorted(royals(position.game, position.board, side)) and not any(
        position.hands[side].values()
    )


def standing(position: Position) -> End | None:
    """Mate and stalemate: what follows from having no legal move."""
    if any(not fault(position, move) for move in candidates(position)):
        return None
    side, rules = position.side, position.game.rules
    if "mate" in rules.win and in_check(position.game, position.board, side):
        return End(1 - side, "mate")
    winner = {"loss": 1 - side, "win": side, "draw": None}[rules.stalemate]
    return End(winner, "stalemate")


def may_agree_impasse(position: Position) -> bool:
    """R31."""
    game = position.game
    if game.rules.impasse != "agreement":
        return False
    return game.rules.impasse_needs == "nothing" or all(
        game.in_zone(side, square)
        for side in (0, 1)
        for square in royals(game, position.board, side)
    )


def match_winner(results: str, *, draw_breaks_streak: bool = True) -> tuple[int | None, int]:
    """R32, R33: who won two in a row, and after how many hands; W, L and D are of player 1."""
    runs = [0, 0]
    for count, result in enumerate(results, start=1):
        if result == "D":
            runs = [0, 0] if draw_breaks_streak else runs
            continue
        player = "WL".index(result)
        runs[player] += 1
        runs[1 - player] = 0
        if runs[player] == 2:
            return player + 1, count
    return None, len(results)


def first_player(hand: int, *, alternate: bool = True) -> int:
    """R34: which player is Black in the hand with this number, from 1."""
    return (hand - 1) % 2 + 1 if alternate else 1
