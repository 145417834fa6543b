"""A game being played: legal moves, moves made and taken back, and how it ends."""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import NamedTuple

from alfil.diagrams.picture import Picture
from alfil.diagrams.pieces import tokens_of
from alfil.diagrams.subjects import Board, Held, OnBoard
from alfil.diagrams.themes import theme_called
from alfil.errors import IllegalMove, RuleError, expect, refuse
from alfil.game import fast
from alfil.game.legal import divide as perft_divide
from alfil.game.legal import legal_acts, perft
from alfil.game.moves import Move, Reason, is_asked, read_move, reason, texts_of
from alfil.game.plan import Act
from alfil.game.position import Position, Undo
from alfil.game.rules import in_check, lost_by
from alfil.game.text import read_position, remembered, start, write_position
from alfil.game.variant import Variant
from alfil.play.outcome import (
    Made,
    Outcome,
    Result,
    checks_given,
    flags_of,
    no_moves,
    points,
    repeated,
    royals_in_zone,
    won_at_once,
    won_before,
)
from alfil.play.records import hodges
from alfil.source import Source
from alfil.squares import Square

_CHANCE = Random()


class _Step(NamedTuple):
    """One move that was made, and all that takes it back."""

    move: Move
    undo: Undo
    loser: int | None


class Game:
    """A game of one variant.

    ``position`` is a text such as `sfen` gives, the starting position unless given. With
    ``adjudicate`` an illegal move loses the game instead of raising, where the rules say so.
    ``strict`` reads moves only as they are written, promotion marks included. Raises
    `PositionError`, and `RuleError` for a game whose rules cannot be honoured.

    >>> import alfil
    >>> game = alfil.load("minishogi").game()
    >>> game.push("1e1c")
    Move('1e1c')
    >>> game
    <Game minishogi: move 2, the second side's>
    >>> print(game)
    Minishogi
      5   4   3   2   1
    +--------------------+
    | vR  vB  vS  vG  vK | a
    | .   .   .   .   vP | b
    | .   .   .   .  [R ]| c
    | P   .   .   .   .  | d
    | K   G   S   B  [. ]| e
    +--------------------+
    white to move
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
        # Of each move made, by whom, and whether it gave check.
        self._made: list[Made] = []
        self._keys: list[int] = []
        self._acts: list[Act] | None = None
        self._moves: tuple[Move, ...] | None = None
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
        if self._moves is None:
            self._moves = () if self.outcome() else self._writer.moves(self._legal())
        return self._moves

    def random_move(self, chance: Random | None = None) -> Move:
        """One of the legal moves, all as likely, without writing the others.

        Raises ValueError once the game has ended.
        """
        if self.outcome():
            raise ValueError("the game has ended")
        acts = self._legal()
        return self._writer.move((chance or _CHANCE).choice(acts), acts)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made so far."""
        return tuple(step.move for step in self._steps)

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

    def picture(self, theme: str = "default") -> Picture:
        """The board as it stands, with hands and the last move; ``print(game)`` shows its text.

        Raises `AlfilError` for an unknown theme.
        """
        last = self._steps[-1].move if self._steps else None
        return Picture(_board(self._position, last), theme_called(theme))

    def __str__(self) -> str:
        return str(self.picture())

    def __repr__(self) -> str:
        number, side = self._position.number, "first" if self.turn == 0 else "second"
        return f"<Game {self.variant.name}: move {number}, the {side} side's>"

    def _repr_svg_(self) -> str:
        return self.picture().svg()

    def push(self, move: Move | str) -> Move:
        """Make a move, given as a `Move` or as text, and return it.

        Raises `IllegalMove` with the reason as its kind, and `NotationError` for a text that
        cannot be read or may be several moves; then nothing has changed. With ``adjudicate`` an
        illegal move ends the game instead.
        """
        text = str(move)
        try:
            act, found = self._find(move)
        except IllegalMove as error:
            if not self._adjudicates() or error.kind == "game-over":
                raise
            winner = self._alphabet.sides[1 - self.turn]
            self._end(Outcome(winner, "illegal-move", error.kind))
            self._illegal = text
            return move if isinstance(move, Move) else Move("", None, (-1, -1), text=text)
        self._make(act, found)
        return found

    def pop(self) -> Move | None:
        """Take the last move back and return it; after an end by agreement, take back that.

        Raises `RuleError` when there is nothing to take back.
        """
        self._acts = self._moves = None
        if self._ended is not None:
            self._ended = None
            self._illegal = ""
            return None
        if not self._steps:
            message = "no move has been made"
            refuse(RuleError, "nothing-to-take-back", message, Source("pop", "<game>"))
        step = self._steps.pop()
        self._made.pop()
        del self._keys[len(self._steps) + 1 :]
        self._position.unmake(step.undo)
        return step.move

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
            message = "the sides are 0, the first, and 1, the second"
            refuse(RuleError, "unknown-side", message, Source(str(side), "<game>"))
        return self._end(Outcome(self._alphabet.sides[1 - loser], "resignation"))

    def agree_impasse(self) -> Outcome:
        """End the game by impasse, as its rules have it; raises `RuleError` where they do not."""
        self._goes_on()
        rules = self._plan.rules
        if rules.impasse.how == "none":
            message = "this game knows no impasse"
            refuse(RuleError, "no-impasse", message, Source("impasse", "<game>"))
        if rules.impasse_needs == "royals-in-zone" and not royals_in_zone(self._position):
            message = "both royals must stand in their promotion zones"
            refuse(RuleError, "no-impasse", message, Source("impasse", "<game>"))
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

    def perft(self, depth: int, *, core: fast.CoreName = "auto") -> int:
        """The number of sequences of ``depth`` legal moves; results and repetition are left out.

        ``core`` says what counts: "fast" is the compiled core, "pure" is Python, and "auto" the
        compiled core where it serves and there is much to count. Raises `RuleError` where "fast" is
        asked for and does not serve.
        """
        expect(depth, int, "a depth is a number of moves")
        if depth > 1 and self._is_fast(depth, core):
            return fast.perft(self._position, depth)
        return perft(self._position, depth)

    def divide(
        self, depth: int, moves: Collection[str] | None = None, *, core: fast.CoreName = "auto"
    ) -> dict[str, int]:
        """For each legal move, the number of sequences of ``depth`` moves that begin with it.

        ``moves`` are the texts of those to look at, all of them unless given; ``core`` is as for
        `perft`.
        """
        listed = self._writer.moves(self._legal())
        every = {move.text: act for act, move in zip(self._legal(), listed, strict=True)}
        chosen = {text: act for text, act in every.items() if moves is None or text in moves}
        counting = fast.divide if self._is_fast(depth, core) else perft_divide
        counts = counting(self._position, [*chosen.values()], depth)
        return dict(zip(chosen, counts, strict=True))

    def _is_fast(self, depth: int, core: fast.CoreName) -> bool:
        work = len(self._legal()) ** depth
        return fast.serves(self._position, work, core)

    def copy(self) -> Game:
        """A game of its own in the same state, with the same moves to take back."""
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._position = self._position.copy()
        other._steps, other._made, other._keys = self._steps[:], self._made[:], self._keys[:]
        return other

    def _legal(self) -> list[Act]:
        if self._acts is None:
            self._acts = legal_acts(self._position)
        return self._acts

    def _make(self, act: Act, move: Move) -> None:
        position = self._position
        before = self.key
        loser = lost_by(position, act.captures)
        mover = position.turn
        undo = position.make(act)
        check = loser is None and in_check(position, position.turn)
        self._steps.append(_Step(move, undo, loser))
        self._made.append(Made(mover, check))
        self._keys[len(self._steps) - 1 :] = [before]
        self._acts = self._moves = None

    def _result(self) -> Result | None:
        position = self._position
        made = self._made
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
        return checks_given(self._position, self._made)

    def _key(self) -> int:
        position = self._position
        key = position.key()
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
        expect(move, (str, Move), "a move is a text or a Move")
        text = str(move)
        if self.outcome():
            refuse(IllegalMove, "game-over", "the game has ended", Source(text, "<move>"))
        acts = self._legal()
        known = self._writer.act(move) if isinstance(move, Move) else None
        if isinstance(move, Move) and known in acts:
            return known, move
        moves = self.legal_moves
        for act, each in zip(acts, moves, strict=True):
            if (each.text == text) if isinstance(move, str) else (each == move):
                return act, each
        return self._read(move, acts, moves)

    def _read(self, move: Move | str, acts: list[Act], moves: tuple[Move, ...]) -> tuple[Act, Move]:
        """The legal move that a text means which is not spelled as that move is."""
        text = str(move)
        asked = read_move(text, self._plan, self._alphabet, self.turn)
        if isinstance(move, Move):
            why = reason(self._position, asked) if asked else None
            why = why or Reason("pattern", f"{text} is no such move here")
            refuse(IllegalMove, *why, Source(text, "<move>"))
        known = hodges.find_cell(self, text)
        if known or asked is None:
            each = known or hodges.read(self, text, strict=self.strict)
            return acts[moves.index(each)], each
        found = [
            (act, each)
            for act, each in zip(acts, moves, strict=True)
            if is_asked(self._plan, act, asked)
        ]
        staying = [each for each in found if each[0].becomes == each[0].piece]
        found = staying if asked.form is None and staying else found
        if len(found) > 1:
            hodges.refuse_ambiguous(text, [each.text for _, each in found])
        if not found:
            why = reason(self._position, asked) or Reason("pattern", f"{text} is no legal move")
            refuse(IllegalMove, *why, Source(text, "<move>"))
        self._check_written(text, found[0][1])
        return found[0]

    def _check_written(self, text: str, move: Move) -> None:
        """With ``strict``, a text must be as it is written."""
        if self.strict and text not in {move.text, hodges.write_cell(self, move)}:
            hodges.refuse_spelling(text, move.text)

    def _adjudicates(self) -> bool:
        return self.adjudicate and self._plan.rules.illegal_move == "loss"

    def _goes_on(self) -> None:
        if self.outcome():
            refuse(RuleError, "game-over", "the game has ended", Source("game", "<game>"))

    def _end(self, outcome: Outcome) -> Outcome:
        self._ended = outcome
        self._moves = None
        return outcome


def _board(position: Position, last: Move | None = None) -> Board:
    """The board of a position, the squares of the last move marked."""
    plan = position.plan
    variant, first = plan.variant, plan.rules.first
    standing = {each.code for each in variant.setup}
    standing |= {code for hand in variant.hands for code, _ in hand}
    tokens = tokens_of(plan.kinds, first, standing)
    pieces = tuple(
        OnBoard(plan.at(square), (piece - 1) % 2, tokens[plan.codes[piece]])
        for square, piece in enumerate(position.board)
        if piece
    )
    hands = [
        tuple(
            Held(tokens[kind.code], number)
            for kind, number in zip(plan.kinds, hand, strict=True)
            if number
        )
        for hand in position.hands
    ]
    shogi = first == "black"
    return Board(
        plan.files,
        plan.ranks,
        pieces,
        (hands[0], hands[1]),
        _squares(last) if last else (),
        "shogi" if shogi else "chess",
        position.turn,
        plan.rules.zone,
        variant.title,
        ("black", "white") if shogi else ("white", "black"),
    )


def _squares(move: Move) -> tuple[tuple[int, int], ...]:
    """The squares of a move, those of a castling partner too."""
    squares = [move.origin, move.target, *(move.partner or ())]
    return tuple(dict.fromkeys(each for each in squares if each is not None))
