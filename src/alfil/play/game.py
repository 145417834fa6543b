"""A game being played: legal moves, moves made and taken back, how it ends; and random games."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn

from alfil.diagrams.picture import Picture
from alfil.diagrams.pieces import tokens_of
from alfil.diagrams.subjects import Board, Held, OnBoard, Outlined
from alfil.diagrams.themes import theme_called
from alfil.errors import IllegalMove, RuleError, expect, refuse, unknown_name
from alfil.game.moves import Move, Reason, is_asked, read_move, reason, texts_of
from alfil.game.plan import Act, squares_in
from alfil.game.playing import Played
from alfil.game.position import Position
from alfil.game.run import Run
from alfil.game.text import read_position, remembered, start, write_position
from alfil.game.variant import Variant
from alfil.play.chasing import chasing_throughout
from alfil.play.countdown import counted_on
from alfil.play.learning import encoding_of
from alfil.play.material import is_dead
from alfil.play.outcome import (
    AT_ONCE,
    CLAIMS,
    SAID,
    Made,
    Outcome,
    Result,
    Said,
    checks_given,
    checks_mate,
    extinct,
    favoured,
    flags_of,
    gets_on,
    idle,
    no_moves,
    points,
    repeated,
    royals_in_zone,
    won_at_once,
    won_before,
)
from alfil.play.records import hodges, san
from alfil.source import Source
from alfil.squares import Square
from alfil.tables.scene import square_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CHANCE = Random()


class Game:
    """A game of one variant.

    ``position`` is a text such as `sfen` gives, the starting position unless given. With
    ``adjudicate`` an illegal move loses the game instead of raising, where the rules say so.
    ``strict`` reads moves only as they are written, promotion marks included. Raises
    `PositionError`, and `RuleError` for a game whose rules cannot be honoured or whose board is too
    large for the engine.

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
            first = start(self._plan)
        else:
            first = read_position(position, self._plan, self._alphabet)
        self._played = Played(first)
        # How many moves in a row counted towards a limit before the game began.
        self._idle_before, self._countdown_before = first.idle, first.countdown
        # Whether it matters which moves gave check.
        rules = variant.rules
        self._mates_vary = any(kind.mates != "yes" for kind in variant.kinds)
        self._counts_checks = (
            self._mates_vary or rules.perpetual_check != "allowed" or self._plan.checks_to_win > 0
        )
        self._wins_at_once = any(win.how in AT_ONCE for win in variant.rules.win)
        self._steps: list[Move] = []
        # Of each move made, by whom, and whether it gave check.
        self._made: list[Made] = []
        # A number for the board, hands and side before each move and after the last, and how often
        # each has occurred; by moves made, the keys that were asked for.
        self._boards: list[int] = []
        self._times: dict[int, int] = {}
        self._keys: dict[int, int] = {}
        self._moves: tuple[Move, ...] | None = None
        # The side that the last move left without royals.
        self._loser: int | None = None
        # How the game was ended, and what the rules say of the position once they are asked.
        self._ended: Outcome | None = None
        self._found: Outcome | None = None
        self._judged = False
        self._illegal = ""
        self._plays_on = False

    @property
    def _position(self) -> Position:
        """What stands where, and what is remembered."""
        return self._played.position

    @property
    def turn(self) -> int:
        """The side to move: 0 for the first side, 1 for the second."""
        return self._played.turn

    @property
    def side(self) -> str:
        """The side to move as texts name it: "b" or "w"."""
        return self._alphabet.sides[self._played.turn]

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves in one fixed order; none once the game has ended."""
        if self._moves is None:
            self._moves = () if self.outcome() else self._writer.moves(self._played.acts())
        return self._moves

    def random_move(self, chance: Random | None = None) -> Move:
        """One of the legal moves, all as likely, without writing the others.

        Raises ValueError once the game has ended.
        """
        if self.outcome():
            raise ValueError("the game has ended")
        index = (chance or _CHANCE).choice(range(self._played.count()))
        if not self._writer.distinct:
            return self.legal_moves[index]
        return self._writer.move(self._played.act(index))

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made so far."""
        return tuple(self._steps)

    @property
    def pieces(self) -> dict[Square, tuple[str, int]]:
        """The code and the side of every piece on the board, by square."""
        plan = self._plan
        return {
            plan.at(square): (plan.codes[piece], (piece - 1) % 2)
            for square, piece in self._position.standing
        }

    @property
    def walls(self) -> tuple[Square, ...]:
        """The squares that are walled up, or none of the board; that of the duck is one."""
        return _walls(self._position)

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
        """The name of a square in this game: 5e, or e5 where the first side is white.

        Raises `BoardError` for what is no square of the board.
        """
        files, ranks = self.variant.files, self.variant.ranks
        return self._plan.name(self._plan.square(square_of(square, files, ranks)))

    def symbol(self, code: str, side: int = 0) -> str:
        """What a piece is written as in positions.

        Raises `AlfilError` for a code that no piece has, `RuleError` for a side but 0 and 1.
        """
        if code not in self._plan.number:
            unknown_name("unknown-piece", code, self._plan.number)
        if side not in (0, 1):
            _refuse_side(side)
        return self._alphabet.symbols[self._plan.piece(code, side)]

    @property
    def key(self) -> int:
        """A hash of board, hands, side to move, and whatever else legal moves depend on."""
        return self._key_after(len(self._steps))

    @property
    def flags(self) -> frozenset[str]:
        """What is odd about the position, though it can be played."""
        return flags_of(self._played)

    def picture(self, theme: str = "default") -> Picture:
        """The board as it stands, with hands and the last move; ``print(game)`` shows its text.

        Raises `AlfilError` for an unknown theme.
        """
        last = self._steps[-1] if self._steps else None
        return Picture(_board(self._position, last), theme_called(theme))

    def __str__(self) -> str:
        return str(self.picture())

    def __repr__(self) -> str:
        number, side = self._position.number, "first" if self.turn == 0 else "second"
        return f"<Game {self.variant.name}: move {number}, the {side} side's>"

    def _repr_svg_(self) -> str:
        return self.picture().svg()

    def _repr_html_(self) -> str:
        """The board, who is to move or how it ended, and the moves, for notebooks."""
        from alfil.diagrams.html import text  # noqa: PLC0415 - only notebooks ask

        sides, outcome = {"w": "white", "b": "black"}, self.outcome()
        told = f"{sides[self.side]} to move, {len(self.legal_moves)} legal moves"
        if outcome:
            won = f"{sides[outcome.winner]} wins" if outcome.winner else "a draw"
            told = f"{won}: {outcome.reason}"
        moves = " ".join(map(str, self.moves))
        return f"{self._repr_svg_()}<p>{text(told)}</p><p><code>{text(moves)}</code></p>"

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
        self._moves, self._judged = None, False
        if self._ended is not None:
            self._ended = None
            self._illegal = ""
            return None
        if not self._steps:
            message = "no move has been made"
            refuse(RuleError, "nothing-to-take-back", message, Source("pop", "<game>"))
        self._keys.pop(len(self._steps), None)
        self._made.pop()
        self._times[self._boards.pop()] -= 1
        self._loser = None
        self._played.unmake()
        return self._steps.pop()

    @property
    def plane_names(self) -> tuple[str, ...]:
        """What the planes of `planes` hold, one after the other; docs/learning.md says more.

        >>> import alfil
        >>> alfil.load("chess").game().plane_names[:3]
        ('own K', 'own Q', 'own R')
        """
        return encoding_of(self._plan).names

    def planes(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The position as a numpy array of planes × ranks × files, as the side to move sees it.

        The squares are counted from the mover's lower left corner. ``out`` is written to if given,
        for instance a row of a batch. Raises `AlfilError` of kind "missing-extra" without numpy,
        and `RuleError` of kind "no-actions" where the moves of the game cannot be numbered.

        """
        board = self._boards[-1] if self._boards else self._played.key()
        times = self._times.get(board, 1) - 1
        return encoding_of(self._plan).planes(self._position, times, out)

    def mask(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """For every number of a move, whether that is legal now; none is once the game has ended.

        The numbers are the same in all positions of the game, and for both sides. Raises and takes
        what `planes` does.
        """
        acts = () if self.outcome() else self._played.acts()
        return encoding_of(self._plan).mask(acts, out)

    def action(self, move: Move | str) -> int:
        """The number of a legal move in the arrays of `mask`; raises what `read_move` does.

        >>> import alfil
        >>> game = alfil.load("chess").game()
        >>> game.move(game.action("e2e4"))
        Move('e2e4')
        """
        return encoding_of(self._plan).action(self._find(move)[0])

    def move(self, action: int) -> Move:
        """The legal move with a number; raises `IllegalMove` where there is none."""
        encoding, moves = encoding_of(self._plan), self.legal_moves
        numbers = [encoding.action(act) for act in self._played.acts()] if moves else []
        if action not in numbers:
            kind = "pattern" if moves else "game-over"
            message = f"no legal move has the number {action}"
            refuse(IllegalMove, kind, message, Source(str(action), "<move>"))
        return moves[numbers.index(action)]

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
        """The legal move that a text means: USI-like, in CELL, in Hodges notation or in SAN.

        A legal `Move` is given back. Raises `IllegalMove` and `NotationError` as `push` does, and
        never ends the game.
        """
        return self._find(text)[1]

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return self._played.is_check()

    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        if self._ended is not None:
            return self._ended
        if not self._judged:
            result, sides = self._result(), self._alphabet.sides
            self._found, self._judged = None, True
            if result is not None and not (self._plays_on and result.reason in CLAIMS):
                winner = result.winner
                winner = favoured(self._position) if winner is None else winner
                name = None if winner is None else sides[winner]
                self._found = Outcome(name, result.reason)
        return self._found

    @property
    def plays_on(self) -> bool:
        """Whether repetitions and counts of moves end this game no more, as `play_on` has it."""
        return self._plays_on

    def play_on(self) -> None:
        """Have no repetition and no count of moves end this game from now on.

        For a game that somebody else leads: in chess the players may claim such draws, or not.

        >>> import alfil
        >>> game = alfil.load("chess").game()
        >>> for move in 2 * ("g1f3", "g8f6", "f3g1", "f6g8"):
        ...     _ = game.push(move)
        >>> game.outcome().reason
        'repetition'
        >>> game.play_on()
        >>> game.push("e2e4")
        Move('e2e4')
        """
        self._plays_on, self._judged, self._moves = True, False, None

    def resign(self, side: int | None = None) -> Outcome:
        """End the game as lost for a side (0 or 1), the one to move unless given.

        Raises `RuleError` for any other number.
        """
        loser = self.turn if side is None else side
        return self.end(1 - loser if isinstance(loser, int) else loser, "resignation")

    def end(self, winner: int | None, reason: Said) -> Outcome:
        """End the game as the players or an arbiter say; the winner is 0, 1, or None for a draw.

        The reason is resignation, agreement, time, forfeit, adjudication, or unstated. Raises
        `RuleError` for any other side or reason, and where the game has ended.

        >>> import alfil
        >>> alfil.load("chess").game().end(None, "agreement")
        Outcome(winner=None, reason='agreement', detail='')
        """
        self._goes_on()
        if winner not in (0, 1, None):
            _refuse_side(winner)
        if reason not in SAID:
            message = f"games do not end by {reason} because somebody says so"
            hint = f"a reason is {', '.join(SAID)}"
            refuse(RuleError, "unknown-reason", message, Source(str(reason), "<game>"), hint=hint)
        return self._end(Outcome(None if winner is None else self._alphabet.sides[winner], reason))

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
        counts = self._checks(), self._dull(), self._countdown()
        return write_position(self._position, self._alphabet, *counts)

    def _dull(self) -> int:
        """How many moves in a row count towards a limit by now."""
        return self._made[-1].idle if self._made else self._idle_before

    def _countdown(self) -> tuple[int, int]:
        """In how many moves a side must be mated, and how many were made of them."""
        return self._made[-1].countdown if self._made else self._countdown_before

    def perft(self, depth: int, *, jobs: int = 1, memory: int = 0) -> int:
        """The number of sequences of ``depth`` legal moves; results and repetition are left out.

        ``jobs`` threads share the work, and ``memory`` megabytes for the counts of positions that
        are met again. Raises `RuleError` where there is not so much memory, and `ValueError` for a
        depth below 0 or less than one thread.

        >>> import alfil
        >>> alfil.load("chess").game().perft(3)
        8902
        """
        from alfil.game import counting  # noqa: PLC0415 - few need it

        _require_work(depth, jobs, memory)
        if depth <= 1:
            return self._played.count() if depth else 1
        return counting.perft(self._position, depth, jobs, memory)

    def divide(
        self,
        depth: int,
        moves: Collection[str] | None = None,
        *,
        jobs: int = 1,
        memory: int = 0,
        told: Callable[[int, int], None] = lambda _done, _of: None,
    ) -> dict[str, int]:
        """For each legal move, the number of sequences of ``depth`` moves that begin with it.

        ``moves`` are the texts of those to look at, all of them unless given; ``jobs`` and
        ``memory`` are as for `perft`. ``told`` is called with how many parts of how many are done.
        Raises what `perft` raises, and `IllegalMove` for a text that is not that of a legal move.
        """
        from alfil.game import counting  # noqa: PLC0415 - few need it

        _require_work(depth, jobs, memory)
        acts = self._played.acts()
        listed = self._writer.moves(acts)
        every = {move.text: act for act, move in zip(acts, listed, strict=True)}
        for text in moves or ():
            expect(text, str, "a move to look at is a text")
            if text not in every:
                why = f"{text} is not how a legal move is written here"
                refuse(IllegalMove, "pattern", why, Source(text, "<move>"))
        chosen = {text: act for text, act in every.items() if moves is None or text in moves}
        if depth <= 1:
            return dict.fromkeys(chosen, 1)
        asked = [*chosen.values()]
        counts = counting.divide(self._position, asked, depth, jobs, memory, told)
        return dict(zip(chosen, counts, strict=True))

    def copy(self) -> Game:
        """A game of its own in the same state, with the same moves to take back."""
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._played = self._played.copy()
        other._steps, other._made, other._boards = self._steps[:], self._made[:], self._boards[:]
        other._times, other._keys = self._times.copy(), self._keys.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Game:
        del memo
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """What plays the game again elsewhere: tables and what is compiled stay behind."""
        first = self._played.first
        counts = first.checks, first.idle, first.countdown
        text = write_position(first, self._alphabet, *counts)
        options = {"adjudicate": self.adjudicate, "strict": self.strict}
        state = self._plays_on, self.moves, self._ended, self._illegal
        kept, variant = self._plan.kept, self.variant
        if "pickled" not in kept or kept["pickled"][0] is not variant:
            kept["pickled"] = variant, pickle.dumps(variant)
        return _again, (kept["pickled"][1], text, options, *state)

    def _repeat(self, moves: Iterable[Move]) -> None:
        """Make moves that were made before, however the game may have ended meanwhile."""
        for move in moves:
            acts = self._played.acts()
            found = self._writer.moves(acts)
            at = next(n for n, each in enumerate(found) if each.text == move.text)
            self._make(acts[at], found[at])

    def _make(self, act: Act, move: Move) -> None:
        played, boards, times = self._played, self._boards, self._times
        if not boards:
            boards.append(played.key())
            times[boards[0]] = 1
        mover, self._loser = played.turn, played.loser(act)
        played.make(act)
        self._steps.append(move)
        check = self._counts_checks and self._loser is None and played.is_check()
        mating = not (check and self._mates_vary) or checks_mate(played)
        rules = self._plan.rules
        passed = self._plan.is_pass(act)
        dull = 0 if not passed and gets_on(rules, move.code, act) else self._dull() + 1
        left = counted_on(self._position, act, self._countdown()) if rules.countdown else (0, 0)
        self._made.append(Made(mover, check, mating, dull, left, passed, act.trades))
        board = played.key()
        boards.append(board)
        times[board] = times.get(board, 0) + 1
        self._moves, self._judged = None, False

    def _result(self) -> Result | None:
        made, rules = self._made, self._plan.rules
        if self._loser is not None:
            return Result(1 - self._loser, "king-capture")
        if rules.extinction and (result := extinct(self._position)):
            return result
        stuck = None if self._played.count() else no_moves(self._played, made)
        if stuck and stuck.reason == "mate" and made:
            return stuck
        won = None
        if not made:
            won = won_before(self._position)
        elif self._wins_at_once:
            won = won_at_once(self._played, made)
        ended = won or stuck or self._dead() or self._idle()
        if ended:
            return ended
        rule = rules.repetition
        if rule is None or not made or self._times[self._boards[-1]] < rule.times:
            return None
        return repeated(rules, self._standing_before(), made, self._chasing)

    def _dead(self) -> Result | None:
        """Whether nobody can be mated any more; that comes about where there are other pieces."""
        asked = not self._made or self._made[-1].trades
        if asked and is_dead(self._position):
            return Result(None, "insufficient-material")
        return None

    def _idle(self) -> Result | None:
        """Whether nobody gets on; the position is asked for only where that may matter."""
        made, limit = self._made, self._plan.rules.move_limit
        waiting = self._plan.rules.passes == "stuck" and self._played.count() == 1
        begun = Made(0, check=False, idle=self._dull(), countdown=self._countdown())
        last = made[-1] if made else begun
        dull = last.passed or (limit and last.idle >= 2 * limit.moves)
        if waiting or dull or last.countdown[1] > last.countdown[0]:
            return idle(self._played, made or [last])
        return None

    def _standing_before(self) -> list[int]:
        """After how many moves the position has stood on the board, the last time now."""
        same = [number for number, board in enumerate(self._boards) if board == self._boards[-1]]
        return [number for number in same if self._key_after(number) == self.key]

    def _chasing(self, since: int) -> tuple[int, ...]:
        """The sides that chased a piece with every move after so many."""
        return chasing_throughout(self._played, since)

    def _checks(self) -> tuple[int, int]:
        """The checks that both sides have given."""
        return checks_given(self._position, self._made)

    def _key_after(self, number: int) -> int:
        """The key of the position after so many moves."""
        if number not in self._keys:
            there = number == len(self._steps)
            played = self._played if there else self._played.before(number)
            self._keys[number] = self._key(played, self._made[:number])
        return self._keys[number]

    def _key(self, played: Played, made: list[Made]) -> int:
        position = played.position
        key = position.key()
        memory = remembered(position)
        if self._plan.checks_to_win:
            checks = checks_given(position, made)
            # -2 is no square, so that counts of checks are never taken for counts of moves.
            memory = (*memory, -2, *checks) if any(checks) else memory
        trail: tuple[tuple[int, int], ...] = ()
        if position.trail and any(
            square in position.trail.values() and act.target not in act.captures
            for act in played.acts()
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
        known = self._writer.act(move) if isinstance(move, Move) else None
        if known is not None and isinstance(move, Move) and self._played.allows(known):
            return known, move
        acts, moves = self._played.acts(), self.legal_moves
        for act, each in zip(acts, moves, strict=True):
            # Moves that somebody has made, without a text, are compared as a whole.
            same = each.text == text or (not text and isinstance(move, Move))
            if same and (isinstance(move, str) or each == move):
                return act, each
        return self._read(move, acts, moves)

    def _read(self, move: Move | str, acts: list[Act], moves: tuple[Move, ...]) -> tuple[Act, Move]:
        """The legal move that a text means which is not spelled as that move is."""
        text = str(move)
        asked = read_move(text, self._plan, self._alphabet, self.turn)
        if isinstance(move, Move):
            why = reason(self._played, asked) if asked else None
            why = why or Reason("pattern", f"{text} is no such move here")
            refuse(IllegalMove, *why, Source(text, "<move>"))
        known = hodges.find_cell(self, text)
        if known or asked is None:
            each = known or san.read_typed(self, text, strict=self.strict)
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
            why = reason(self._played, asked) or Reason("pattern", f"{text} is no legal move")
            refuse(IllegalMove, *why, Source(text, "<move>"))
        move = found[0][1]
        if self.strict and text not in {move.text, hodges.write_cell(self, move)}:
            hodges.refuse_spelling(text, move.text)
        return found[0]

    def _adjudicates(self) -> bool:
        return self.adjudicate and self._plan.rules.illegal_move == "loss"

    def _goes_on(self) -> None:
        if self.outcome():
            refuse(RuleError, "game-over", "the game has ended", Source("game", "<game>"))

    def _end(self, outcome: Outcome) -> Outcome:
        self._ended = outcome
        self._moves = None
        return outcome


def _require_work(depth: int, jobs: int, memory: int) -> None:
    expect(depth, int, "a depth is a number of moves")
    expect(jobs, int, "threads are a number")
    expect(memory, int, "memory is a number of megabytes")
    if depth < 0:
        raise ValueError(f"a depth is 0 or more, not {depth}")
    if jobs < 1 or memory < 0:
        raise ValueError("at least one thread counts, with no less than 0 megabytes")


def _board(position: Position, last: Move | None = None) -> Board:
    """The board of a position, the squares of the last move marked."""
    plan = position.plan
    variant, first = plan.variant, plan.rules.first
    standing = {each.code for each in variant.setup}
    standing |= {code for hand in variant.hands for code, _ in hand}
    tokens = tokens_of(plan.kinds, plan.rules, standing)
    pieces = tuple(
        OnBoard(
            plan.at(square),
            (piece - 1) % 2,
            tokens[plan.codes[piece]],
            tuple(map(plan.at, plan.cells(piece, square)[1:])),
        )
        for square, piece in position.standing
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
        _walls(position),
        tuple(Outlined(each.name, each.squares) for each in variant.regions),
    )


def _walls(position: Position) -> tuple[Square, ...]:
    plan = position.plan
    return tuple(plan.at(square) for square in squares_in(position.sets[plan.wall]))


def _squares(move: Move) -> tuple[tuple[int, int], ...]:
    """The squares of a move, those of a castling partner too."""
    squares = [move.origin, move.target, *(move.partner or ()), *move.turned]
    return tuple(dict.fromkeys(each for each in squares if each is not None))


LONGEST = 500  # moves of a random game
MOST_GAMES, MOST_MOVES = 10**12, 10**6  # that are played, and in each


def _refuse_side(side: object) -> NoReturn:
    message = "the sides are 0, the first, and 1, the second"
    refuse(RuleError, "unknown-side", message, Source(str(side), "<game>"))


@lru_cache(maxsize=64)
def _unpickled(variant: bytes) -> Variant:
    """A variant that was pickled; its games share it."""
    found: Variant = pickle.loads(variant)
    return found


def _again(
    variant: bytes,
    position: str,
    options: dict[str, Any],
    plays_on: bool,  # noqa: FBT001 - it is pickle that calls
    moves: Iterable[Move],
    ended: Outcome | None,
    illegal: str,
) -> Game:
    """A game that was pickled."""
    game = Game(_unpickled(variant), position, **options)
    if plays_on:
        game.play_on()
    game._repeat(moves)
    game._ended, game._illegal = ended, illegal
    return game


@dataclass(frozen=True, slots=True)
class Simulation:
    """How random games went: ``mates`` and ``stuck`` by the side that was to move and could not.

    ``captured`` are games that ended with the loss of royals, by the side that lost them, and
    ``extinct`` those in which a side had too few pieces. ``unfinished`` games came to the limit of
    moves; ``moves`` are those of all games together.
    """

    mates: tuple[int, int]
    stuck: tuple[int, int]
    captured: tuple[int, int]
    extinct: tuple[int, int]
    unfinished: int
    moves: int

    @property
    def games(self) -> int:
        """How many games there were."""
        ended = (self.mates, self.stuck, self.captured, self.extinct)
        return sum(map(sum, ended)) + self.unfinished


def simulate(game: Game, games: int, *, seed: int = 0, longest: int = LONGEST) -> Simulation:
    """Play games of random legal moves from where a game stands; the game is left as it is.

    Every legal move is as likely as any other. A game goes on until there is none, a side has lost
    its royals or has too few pieces, or ``longest`` moves were made: repetition, goals, and
    whatever else ends games, are not looked at. The same seed
    gives the same games. Raises ValueError for less than one game or move, more than 10¹² games or
    games of more than a million moves.

    >>> import alfil
    >>> found = alfil.simulate(alfil.load("minishogi").game(), 100, seed=1)
    >>> found.games, found == alfil.simulate(alfil.load("minishogi").game(), 100, seed=1)
    (100, True)
    """
    for number, what in ((games, "games"), (longest, "moves of a game"), (seed, "a seed")):
        expect(number, int, f"{what}: a whole number")
    if not (1 <= games <= MOST_GAMES and 1 <= longest <= MOST_MOVES):
        raise ValueError(f"1 to {MOST_GAMES} games are played, of 1 to {MOST_MOVES} moves")
    # Seeds that are neighbours are not to begin alike.
    spread = (seed * 0x9E3779B97F4A7C15 ^ 0x5DEECE66D) & (1 << 48) - 1
    moves, ends = Run(game._position, 1, longest).simulate(games, longest, spread)
    mates, stuck, captured, extinct = zip(ends[:8:2], ends[1:8:2], strict=True)
    return Simulation(mates, stuck, captured, extinct, ends[8], moves)
