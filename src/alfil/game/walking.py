"""Going through moves for a player that thinks ahead: made and taken back, with what they gain."""

from __future__ import annotations

from typing import TypeAlias

from alfil.game.boards import Board, Unmake
from alfil.game.outcome import Made, lost_by, mates, no_moves, won_at_once
from alfil.game.position import Act, Position, Undo
from alfil.game.rules import in_check
from alfil.game.swift import board_of, legal_acts, listed
from alfil.game.threats import exposed

# A move that is made and looked at costs so many that are read off lines, and one more for each of
# so many squares.
SLOWER, SQUARES = 8, 32


class Walk:
    """Moves made from a position, of whatever game, and taken back.

    ``nodes`` counts the moves that were made, each as many times as it takes longer than one of a
    `SwiftWalk`.
    """

    def __init__(self, position: Position) -> None:
        self.plan = position.plan
        self.nodes = 0
        self._cost = SLOWER + position.plan.size // SQUARES
        self._position = position
        self._made: list[Made] = []
        self._undone: list[Undo] = []
        self._ended: list[bool] = [False]

    @property
    def turn(self) -> int:
        """The side to move."""
        return self._position.turn

    @property
    def board(self) -> list[int]:
        """What stands on each square."""
        return self._position.board

    @property
    def ended(self) -> bool:
        """Whether the last move won the game by itself, other than by mate."""
        return self._ended[-1]

    def acts(self) -> list[Act]:
        """All legal moves, without those that give up the game while there are others."""
        acts = legal_acts(self._position)
        if self.plan.rules.self_check == "barred":
            return acts
        turn = self._position.turn
        return [act for act in acts if lost_by(self._position, act.captures) != turn] or acts

    def make(self, act: Act) -> None:
        """Make a move."""
        self.nodes += self._cost
        position = self._position
        mover = position.turn
        captured = lost_by(position, act.captures) == 1 - mover
        self._undone.append(position.make(act))
        check = not captured and in_check(position, position.turn)
        self._made.append(Made(mover, check))
        self._ended.append(captured or won_at_once(position, self._made) is not None)

    def unmake(self) -> None:
        """Take the last move back."""
        self._ended.pop()
        self._made.pop()
        self._position.unmake(self._undone.pop())

    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return in_check(self._position, self._position.turn)

    def checks(self, acts: list[Act]) -> list[Act]:
        """Those of the legal moves that give check or win at once."""
        return [act for act in acts if self._gives_check(act)]

    def stuck(self) -> int:
        """What it means for the side to move that it has no legal move: 1 it wins, -1, or 0."""
        result = no_moves(self._position)
        if result.winner is None:
            return 0
        return 1 if result.winner == self._position.turn else -1

    def _gives_check(self, act: Act) -> bool:
        self.make(act)
        found = self._ended[-1] or self._made[-1].check
        self.unmake()
        return found


class SwiftWalk(Walk):
    """The same where check can be read off the lines to a royal, and only mate ends the game."""

    def __init__(self, position: Position, board: Board) -> None:
        super().__init__(position)
        self._swift = board
        self._unmade: list[tuple[Act, Unmake]] = []

    @property
    def turn(self) -> int:
        """The side to move."""
        return self._swift.turn

    def acts(self) -> list[Act]:
        """All legal moves."""
        return listed(self._swift)

    def make(self, act: Act) -> None:
        """Make a move."""
        self.nodes += 1
        self._unmade.append((act, self._swift.make(act)))

    def unmake(self) -> None:
        """Take the last move back."""
        self._swift.unmake(*self._unmade.pop())

    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        board = self._swift
        turn = board.turn
        occupied = board.own[0] | board.own[1]
        return exposed(board, board.royal[turn], occupied, 0, board.reaches.sides[1 - turn])

    def checks(self, acts: list[Act]) -> list[Act]:
        """Those of the legal moves that give check.

        A piece that is dropped stops lines and opens none, so it gives check by itself or not.
        """
        board, reaches = self._swift, self._swift.reaches
        royal, size = board.royal[1 - board.turn], board.plan.size
        found = []
        for act in acts:
            if act.origin < 0:
                index = act.piece * size + royal
                near = reaches.attackers[index]
                if near is None:
                    near = reaches.attacks(act.piece, royal)
                if not near & reaches.bits[act.target]:
                    continue
            if self._gives_check(act):
                found.append(act)
        return found

    def stuck(self) -> int:
        """What it means for the side to move that it has no legal move: 1 it wins, -1, or 0."""
        rules = self.plan.rules
        if mates(rules) and self.in_check():
            return -1
        return {"draw": 0, "loss": -1, "win": 1}[rules.stalemate]

    def _gives_check(self, act: Act) -> bool:
        self.make(act)
        found = self.in_check()
        self.unmake()
        return found


Walker: TypeAlias = Walk | SwiftWalk

# What swift walks know how to win by; with another the whole position is looked at each time.
_PLAIN_WINS = frozenset({"mate", "royal-capture"})


def walk_from(position: Position) -> Walker:
    """The fastest way through the moves from a position; it changes the position meanwhile."""
    if {win.how for win in position.plan.rules.win} <= _PLAIN_WINS:
        board = board_of(position)
        if board is not None:
            return SwiftWalk(position, board)
    return Walk(position)
