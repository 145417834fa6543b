"""A game being played: legal moves, moves made and taken back, and how it ends."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, NoReturn

from alfil.diagrams.picture import Picture
from alfil.diagrams.subjects import Board
from alfil.errors import Finding, IllegalMove, RuleError
from alfil.game.flags import flags_of
from alfil.game.memory import remembered
from alfil.game.moves import Move
from alfil.game.outcome import (
    Made,
    Outcome,
    Result,
    checks_given,
    lost_by,
    no_moves,
    points,
    repeated,
    royals_in_zone,
    won_at_once,
    won_before,
)
from alfil.game.perft import divide as perft_divide
from alfil.game.perft import perft
from alfil.game.picture import board_of
from alfil.game.position import Act, Undo
from alfil.game.reasons import Reason, illegal, is_asked, reason
from alfil.game.records import cell, hodges
from alfil.game.rules import in_check
from alfil.game.swift import legal_acts
from alfil.game.text import read_position, start, write_position
from alfil.game.usi import read_move, texts_of
from alfil.game.variant import Square, Variant
from alfil.source import Source, Span

__all__ = ["Game", "Outcome"]


class _Step(NamedTuple):
    """One move that was made, and all that takes it back."""

    ply: Move
    undo: Undo
    made: Made
    loser: int | None


class Game:
    """A game of one variant.

    ``position`` is a text such as `sfen` gives, the starting position unless given. With
    ``adjudicate`` an illegal move loses the game instead of raising, where the rules say so.
    ``strict`` reads moves only as they are written, promotion marks included. Raises
    `PositionError`, and `RuleError` for a game whose rules cannot be honoured.
    """

    def __init__(
        self,
        variant: Variant,
        position: str | None = None,
        *,
        adjudicate: bool = False,
        strict: bool = False,
    ) -> None:
        self.variant = variant
        self.adjudicate = adjudicate
        self.strict = strict
        self._plan, self._alphabet, self._writer = texts_of(variant)
        if position is None:
            self._position = start(self._plan)
        else:
            self._position = read_position(position, self._plan, self._alphabet)
        self._steps: list[_Step] = []
        self._keys: list[int] = []
        self._acts: list[Act] | None = None
        self._plies: tuple[Move, ...] | None = None
        self._ended: Outcome | None = None
        self._illegal = ""

    @property
    def turn(self) -> int:
        """The side to move: 0 for the first side, 1 for the second."""
        return self._position.turn

    @property
    def side(self) -> str:
        """The side to move as texts name it: "b" or "w"."""
        return self._alphabet.sides[self._position.turn]

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves in one fixed order; none once the game has ended."""
        if self._plies is None:
            self._plies = () if self.outcome() else self._writer.plies(self._legal())
        return self._plies

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made so far."""
        return tuple(step.ply for step in self._steps)

    @property
    def pieces(self) -> dict[Square, tuple[str, int]]:
        """The code and the side of every piece on the board, by square."""
        plan = self._plan
        return {
            plan.at(square): (plan.codes[piece], (piece - 1) % 2)
            for square, piece in enumerate(self._position.board)
            if piece
        }

    @property
    def hands(self) -> tuple[dict[str, int], dict[str, int]]:
        """How many pieces of each code the first and the second side have in hand."""
        first, second = (
            {self._plan.kinds[kind].code: count for kind, count in enumerate(hand) if count}
            for hand in self._position.hands
        )
        return first, second

    @property
    def illegal_text(self) -> str:
        """The text of the illegal move that lost the game, empty if none did."""
        return self._illegal

    def name(self, square: Square) -> str:
        """The name of a square in this game: 5e, or e5 where the first side is white."""
        return self._plan.name(self._plan.square(square))

    def symbol(self, code: str, side: int = 0) -> str:
        """What a piece is written as in positions."""
        return self._alphabet.symbols[self._plan.piece(code, side)]

    @property
    def key(self) -> int:
        """A hash of board, hands, side to move, and whatever else legal moves depend on."""
        if len(self._keys) <= len(self._steps):
            self._keys.append(self._key())
        return self._keys[-1]

    @property
    def flags(self) -> frozenset[str]:
        """What is odd about the position, though it can be played."""
        return flags_of(self._position)

    def board(self) -> Board:
        """The board as it stands, with hands and the last move, to be drawn."""
        return board_of(self._position, self._steps[-1].ply if self._steps else None)

    def _repr_svg_(self) -> str:
        return Picture(self.board()).svg()

    def push(self, move: Move | str) -> Move:
        """Make a move, given as a `Move` or as text, and return it.

        Raises `IllegalMove` with the reason as its kind, and `NotationError` for a text that
        cannot be read or may be several moves; then nothing has changed. With ``adjudicate`` an
        illegal move ends the game instead.
        """
        text = str(move)
        try:
            act, ply = self._find(move)
        except IllegalMove as error:
            if not self._adjudicates() or error.kind == "game-over":
                raise
            winner = self._alphabet.sides[1 - self.turn]
            self._end(Outcome(winner, "illegal-move", error.kind))
            self._illegal = text
            return move if isinstance(move, Move) else Move("", None, (-1, -1), text=text)
        self._make(act, ply)
        return ply

    def pop(self) -> Move | None:
        """Take the last move back and return it; after an end by agreement, take back that.

        Raises `RuleError` when there is nothing to take back.
        """
        self._acts = self._plies = None
        if self._ended is not None:
            self._ended = None
            self._illegal = ""
            return None
        if not self._steps:
            _refuse("nothing-to-take-back", "no move has been made", "pop")
        step = self._steps.pop()
        del self._keys[len(self._steps) + 1 :]
        self._position.unmake(step.undo)
        return step.ply

    def why_illegal(self, text: str) -> Reason | None:
        """Why a move is illegal: a code and words; None for a legal move.

        Raises `NotationError` for a text that cannot be read or may be several moves.
        """
        try:
            self._find(text)
        except IllegalMove as error:
            return Reason(error.kind, error.findings[0].message)
        return None

    def read_move(self, text: Move | str) -> Move:
        """The legal move that a text means: USI-like, with squares in CELL, or in Hodges notation.

        A legal `Move` is given back. Raises `IllegalMove` and `NotationError` as `push` does, and
        never ends the game.
        """
        return self._find(text)[1]

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return in_check(self._position, self._position.turn)

    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        if self._ended is not None:
            return self._ended
        result = self._result()
        if result is None:
            return None
        winner = None if result.winner is None else self._alphabet.sides[result.winner]
        return Outcome(winner, result.reason)

    def resign(self, side: int | None = None) -> Outcome:
        """End the game as lost for a side (0 or 1), the one to move unless given.

        Raises `RuleError` for any other number.
        """
        self._goes_on()
        loser = self.turn if side is None else side
        if loser not in (0, 1):
            _refuse("unknown-side", "the sides are 0, the first, and 1, the second", str(side))
        return self._end(Outcome(self._alphabet.sides[1 - loser], "resignation"))

    def agree_impasse(self) -> Outcome:
        """End the game by impasse, as its rules have it; raises `RuleError` where they do not."""
        self._goes_on()
        rules = self._plan.rules
        if rules.impasse.how == "none":
            _refuse("no-impasse", "this game knows no impasse", "impasse")
        if rules.impasse_needs == "royals-in-zone" and not royals_in_zone(self._position):
            message = "both royals must stand in their promotion zones"
            _refuse("no-impasse", message, "impasse")
        if rules.impasse.how == "agreement":
            return self._end(Outcome(None, "impasse"))
        short = [s for s in (0, 1) if points(self._position, s) < rules.impasse.points[s]]
        winner = self._alphabet.sides[1 - short[0]] if len(short) == 1 else None
        return self._end(Outcome(winner, "impasse"))

    def sfen(self) -> str:
        """The position as text; a game that begins with it has the same legal moves.

        Where a royal has been captured it is not read again.
        """
        return write_position(self._position, self._alphabet, self._checks())

    def perft(self, depth: int) -> int:
        """The number of sequences of ``depth`` legal moves; results and repetition are left out."""
        return perft(self._position, depth)

    def divide(self, depth: int, moves: Collection[str] | None = None) -> dict[str, int]:
        """For each legal move, the number of sequences of ``depth`` moves that begin with it.

        ``moves`` are the texts of those to look at, all of them unless given.
        """
        plies = self._writer.plies(self._legal())
        every = {ply.text: act for act, ply in zip(self._legal(), plies, strict=True)}
        chosen = {text: act for text, act in every.items() if moves is None or text in moves}
        counts = perft_divide(self._position, [*chosen.values()], depth)
        return dict(zip(chosen, counts, strict=True))

    def copy(self) -> Game:
        """A game of its own in the same state, with the same moves to take back."""
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._position = self._position.copy()
        other._steps, other._keys = self._steps[:], self._keys[:]
        return other

    def _legal(self) -> list[Act]:
        if self._acts is None:
            self._acts = legal_acts(self._position)
        return self._acts

    def _make(self, act: Act, ply: Move) -> None:
        position = self._position
        before = self.key
        loser = lost_by(position, act.captures)
        mover = position.turn
        undo = position.make(act)
        check = loser is None and in_check(position, position.turn)
        self._steps.append(_Step(ply, undo, Made(mover, check), loser))
        self._keys[len(self._steps) - 1 :] = [before]
        self._acts = self._plies = None

    def _result(self) -> Result | None:
        position = self._position
        made = [step.made for step in self._steps]
        if self._steps:
            loser = self._steps[-1].loser
            if loser is not None:
                return Result(1 - loser, "king-capture")
            if not self._legal():
                result = no_moves(position)
                if result.reason == "mate":
                    return result
            won = won_at_once(position, made)
            if won:
                return won
        elif won := won_before(position):
            return won
        if not self._legal():
            return no_moves(position)
        return repeated(self._plan, [*self._keys[: len(made)], self.key], made) if made else None

    def _checks(self) -> tuple[int, int]:
        """The checks that both sides have given."""
        return checks_given(self._position, [step.made for step in self._steps])

    def _key(self) -> int:
        position = self._position
        key = position.hash()
        memory = remembered(position)
        if self._plan.checks_to_win:
            checks = self._checks()
            # -2 is no square, so that counts of checks are never taken for counts of moves.
            memory = (*memory, -2, *checks) if any(checks) else memory
        trail: tuple[tuple[int, int], ...] = ()
        if position.trail and any(
            square in position.trail.values() and act.target not in act.captures
            for act in self._legal()
            for square in act.captures
        ):
            trail = tuple(sorted(position.trail.items()))
        return hash((key, memory, trail)) if memory or trail else key

    def _find(self, move: Move | str) -> tuple[Act, Move]:
        """The legal move that is meant."""
        if not isinstance(move, str | Move):
            raise TypeError(f"a move is a text or a Move, not {move!r:.60}")
        text = str(move)
        if self.outcome():
            raise illegal(Reason("game-over", "the game has ended"), text)
        acts, plies = self._legal(), self.legal_moves
        for act, ply in zip(acts, plies, strict=True):
            if (ply.text == text) if isinstance(move, str) else (ply == move):
                return act, ply
        return self._read(move, acts, plies)

    def _read(self, move: Move | str, acts: list[Act], plies: tuple[Move, ...]) -> tuple[Act, Move]:
        """The legal move that a text means which is not spelled as that move is."""
        text = str(move)
        asked = read_move(text, self._plan, self._alphabet, self.turn)
        if isinstance(move, Move):
            why = reason(self._position, asked) if asked else None
            raise illegal(why or Reason("pattern", f"{text} is no such move here"), text)
        known = cell.find(self, text)
        if known or asked is None:
            ply = known or hodges.read(self, text, strict=self.strict)
            return acts[plies.index(ply)], ply
        found = [
            (act, ply)
            for act, ply in zip(acts, plies, strict=True)
            if is_asked(self._plan, act, asked)
        ]
        staying = [each for each in found if each[0].becomes == each[0].piece]
        found = staying if asked.form is None and staying else found
        if len(found) > 1:
            hodges.refuse_ambiguous(text, [ply.text for _, ply in found])
        if found:
            self._check_written(text, found[0][1])
            return found[0]
        why = reason(self._position, asked)
        raise illegal(why or Reason("pattern", f"{text} is no legal move"), text)

    def _check_written(self, text: str, ply: Move) -> None:
        """With ``strict``, a text must be as it is written."""
        if self.strict and text not in {ply.text, cell.write(self, ply)}:
            hodges.refuse_spelling(text, ply.text)

    def _adjudicates(self) -> bool:
        return self.adjudicate and self._plan.rules.illegal_move == "loss"

    def _goes_on(self) -> None:
        if self.outcome():
            _refuse("game-over", "the game has ended", "game")

    def _end(self, outcome: Outcome) -> Outcome:
        self._ended = outcome
        self._plies = None
        return outcome


def _refuse(kind: str, message: str, text: str) -> NoReturn:
    finding = Finding(kind, message, (Span(0, len(text)),))
    raise RuleError([finding], Source(text, "<game>"))
