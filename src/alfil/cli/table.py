"""A match at the terminal: who plays, where it is kept, what is shown of it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from alfil.cli.inputs import say
from alfil.cli.options import encoding_of
from alfil.cli.playing import SIDES, board_block, ending, sides_of
from alfil.errors import AlfilError
from alfil.game.records.files import Journal
from alfil.game.records.moves import write_move
from alfil.source import printable

if TYPE_CHECKING:
    from alfil.game.game import Game
    from alfil.game.match import Player
    from alfil.game.moves import Move
    from alfil.game.opponent import Opponent
    from alfil.game.outcome import Outcome
    from alfil.game.session import Session
    from alfil.game.variant import Square


class Computer(NamedTuple):
    """The opponent, and which player it is."""

    opponent: Opponent
    player: Player


class Look(NamedTuple):
    """What is shown: plain ASCII or not, the board after each move or not."""

    plain: bool = False
    boards: bool = True


class Table:
    """A match being played. All that is done here is on the disk before it is shown.

    ``path`` is where the match is kept, None for nowhere. With ``single`` one game is played.
    """

    def __init__(
        self,
        session: Session,
        path: Path | None,
        look: Look,
        *,
        computer: Computer | None = None,
        single: bool = False,
        resumed: bool = False,
    ) -> None:
        self.session = session
        self.path = path
        self.computer = computer
        self.turned = self._begins_turned()
        self.left = False
        self._look = look
        self._single = single
        self._journal = Journal(path, session, overwrite=resumed) if path else None

    @property
    def game(self) -> Game:
        """The current game."""
        return self.session.game

    @property
    def over(self) -> bool:
        """Whether nothing more is to be played."""
        ended = self.game.outcome() is not None
        return self.left or self.session.over or (self._single and ended)

    @property
    def computer_to_move(self) -> bool:
        """Whether it is the computer's turn."""
        return self.computer is not None and self.session.to_move == self.computer.player

    @property
    def prompt(self) -> str:
        """What is shown before an answer is typed."""
        made = len(self.game.moves)
        second_began = (self.game.turn - made) % 2
        return f"{(made + second_began) // 2 + 1}. {SIDES[self.game.side]}> "

    def tell(self, text: str) -> None:
        """Show a line; what a terminal would take for an order stands there as a number."""
        say(printable(text, encoding_of(err=False)))

    def complain(self, error: AlfilError) -> None:
        """Show what was wrong with something that was typed."""
        for finding in error.findings:
            self.tell(f"{finding.message} [{finding.kind}]")
            if finding.hint:
                self.tell(f"hint: {finding.hint}")

    def show(self, targets: Collection[Square] = ()) -> None:
        """Show the board."""
        say(board_block(self.game, plain=self._look.plain, targets=targets, turned=self.turned))
        if self.game.is_check() and self.game.outcome() is None:
            self.tell(f"{SIDES[self.game.side]} is in check")

    def show_turn(self) -> None:
        """Show the board where it is shown after each move."""
        if self._look.boards:
            self.show()

    def keep(self) -> None:
        """Put on the disk what has happened; where that fails the match goes on, unsaved."""
        if self._journal is None:
            return
        try:
            self._journal.write()
        except AlfilError as error:
            self.complain(error)
            self.tell("this is not on the disk; save FILE keeps the match elsewhere")

    def keep_in(self, path: Path) -> None:
        """Keep the match in another file from now on; raises `AlfilError`."""
        journal = Journal(path, self.session)
        self.close()
        self._journal, self.path = journal, path

    def close(self) -> None:
        """Finish the file."""
        if self._journal is None:
            return
        try:
            self._journal.close()
        except AlfilError as error:
            self.complain(error)

    def move(self, text: str) -> None:
        """Make the move of a person; raises what `Game.push` does."""
        side = SIDES[self.game.side]
        self.session.push(text)
        self.keep()
        if not self.game.illegal_text:
            self.tell(f"{side}: {self.session.round.texts[-1]}")
        self.go_on()

    def answer(self) -> None:
        """Make the move of the computer."""
        assert self.computer is not None
        side = SIDES[self.game.side]
        self.session.push(self.computer.opponent.choose(self.game))
        self.keep()
        self.tell(f"{side}: {self.session.round.texts[-1]}")
        self.go_on()

    def go_on(self) -> None:
        """After something has happened: show the board, or the result and the next game."""
        outcome = self.game.outcome()
        self.show_turn()
        if outcome is None:
            return
        self._tell_result(outcome)
        if not self.over:
            self.next_round()

    def next_round(self) -> None:
        """Begin the next game of the match."""
        self.session.next_round(date=self.session.round.date)
        self.turned = self._begins_turned()
        self.keep()
        self.tell("")
        self.tell(self.who_plays())
        self.show_turn()

    def who_plays(self) -> str:
        """Which game it is, and who has which side."""
        session = self.session
        sides = (
            f"{SIDES[each]} is {self.name(session.player_of(each))}"
            for each in sides_of(session.variant)
        )
        return f"game {len(session.rounds)}: {', '.join(sides)}"

    def name(self, player: Player) -> str:
        """What a player is called."""
        return self.session.players[player - 1] or f"player {player}"

    def hodges(self, ply: Move) -> str:
        """A legal move as people write it."""
        return write_move(self.game, ply)

    def take_back(self) -> int:
        """Take back the last move, and the computer's too; how many were taken back.

        Raises `RuleError` where there is none.
        """
        before = len(self.game.moves)
        first_own = self.computer is None or before > 1 or self.computer_to_move
        if not first_own:
            return 0
        self.session.pop()
        while self.computer_to_move and self.game.moves:
            self.session.pop()
        self.keep()
        return before - len(self.game.moves)

    def _begins_turned(self) -> bool:
        """The board stands as the person sees it who plays against the computer."""
        second = sides_of(self.session.variant)[1]
        return self.computer is not None and (
            self.session.player_of(second) != self.computer.player
        )

    def _tell_result(self, outcome: Outcome) -> None:
        winner = outcome.winner
        who = f" ({self.name(self.session.player_of(winner))})" if winner else ""
        self.tell(f"game {len(self.session.rounds)}: {ending(outcome)}{who}")
        match, length = self.session.match, self.session.variant.rules.match
        if length.how == "single":
            return
        standing = match.run if length.how == "consecutive" else match.wins
        what = "wins in a row" if length.how == "consecutive" else "wins"
        names = ", ".join(
            f"{self.name(player)} {count}" for player, count in zip(PLAYERS, standing, strict=True)
        )
        self.tell(f"{what}: {names}")
        if match.winner:
            self.tell(f"{self.name(match.winner)} wins the match")


PLAYERS: tuple[Player, Player] = (1, 2)
