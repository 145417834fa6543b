"""Games in progress: legal moves, push and pop, outcome; and random games."""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn
from weakref import ref

from alfil.errors import (
    IllegalMove,
    NotationError,
    RuleError,
    reject,
    reject_unknown_name,
    require_type,
)
from alfil.frozen_dataclasses import cached_property, dataclass
from alfil.game.compiled_variant import CompiledVariant, EngineMove
from alfil.game.game_position import GamePosition
from alfil.game.moves import (
    Move,
    Reason,
    chess960_castling_text,
    explain_illegal,
    matches_query,
    reject_overlong_text,
    shared_move_builder,
)
from alfil.game.position import Position
from alfil.game.sfen import read_position, starting_position, write_position
from alfil.game.variant import Variant
from alfil.locks import with_lock
from alfil.play.outcomes import (
    AGREED_REASONS,
    SIDE_COLOURS,
    Agreed,
    Outcome,
    are_royals_in_zone,
    outcome_of,
    position_oddities,
)
from alfil.source import Source
from alfil.squares import Square
from alfil.tables.board_context import parse_board_square

if TYPE_CHECKING:
    from random import Random

    from numpy.typing import NDArray

    from alfil.diagrams.picture import Picture
    from alfil.play.action_encoding import PositionAndMoveEncoding

# So many games that gave their memory in the engine back have it again at once.
MOST_REVIVED = 32
_revived: deque[ref[Game]] = deque()


class Game:
    """A game of one variant.

    ``position`` is a text that `position_text`, `fen` or `sfen` gives, the starting position unless
    given. With ``adjudicate`` an illegal move loses the game instead of raising, where the rules
    say so. ``strict`` reads moves only as they are written, promotion marks included. With
    ``kingless`` a side may have no royal in ``position``, as in chess problems. Threads may
    share a game: each call is done before the next begins; but a copy for each is faster. Raises
    `PositionError`, and `RuleError` for a game whose rules cannot be honoured or whose board is too
    large for the engine.

    >>> import alfil
    >>> game = alfil.load("minishogi").game()
    >>> game.push("1e1c")
    Move('1e1c')
    >>> game
    <Game minishogi: move 2, White to move>
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
        kingless: bool = False,
    ) -> None:
        require_type(variant, Variant, "a game is of a Variant, as in alfil.load('chess').variant")
        self.variant = variant
        self.adjudicate = adjudicate
        self.strict = strict
        self.kingless = kingless
        self._make_lock()
        self._compiled, self._alphabet, self._move_builder = shared_move_builder(variant)
        self._numbers = self._move_builder.numbers
        # The text of the position it began with, None for the start.
        self._begun = position
        self._game_position = self._first_position()
        self._steps: list[Move] = []
        self._moves: tuple[Move, ...] | None = None
        # How the game was ended, other than by the rules.
        self._ended: Outcome | None = None
        self._illegal = ""

    def _make_lock(self) -> None:
        """Have a lock of its own; what is called most takes it by its methods, which is faster."""
        self._lock = RLock()
        self._begin, self._end_use = self._lock.acquire, self._lock.release

    def _first_position(self) -> GamePosition:
        """The position before the first move, in the engine."""
        if self._begun is None:
            first = starting_position(self._compiled)
        else:
            first = read_position(
                self._begun, self._compiled, self._alphabet, kingless=self.kingless
            )
        return GamePosition(first)

    @with_lock
    def _release_engine_memory(self) -> GamePosition | None:
        """Give the engine's memory back until something is asked of the game again.

        Its moves are made again then: for games of which there are many, and few are looked at.
        """
        self._shelved = self.ignores_claimable_ends
        released: GamePosition | None = self.__dict__.pop("_game_position", None)
        return released

    @cached_property
    def _game_position(self) -> GamePosition:
        """The game in the engine, whose moves are made again where its memory was given back."""
        with self._lock:
            if "_game_position" not in self.__dict__:
                steps, self._steps = self._steps, []
                self._game_position = self._first_position()
                if self._shelved:
                    self._game_position.ignore_limits()
                self._replay(self._move_texts_with_numbers(steps))
                self._steps = steps
                self._limit_revived_games()
            played: GamePosition = self.__dict__["_game_position"]
            return played

    def _limit_revived_games(self) -> None:
        """Have few games in the engine again; one that another thread is busy with stays."""
        _revived.append(ref(self))
        earlier = _revived.popleft()() if len(_revived) > MOST_REVIVED else None
        if earlier is not None and earlier is not self and earlier._lock.acquire(blocking=False):
            try:
                earlier._release_engine_memory()
            finally:
                earlier._lock.release()

    def _move_texts_with_numbers(self, steps: Iterable[Move]) -> list[tuple[str, int | None]]:
        """The texts of moves, and the numbers by which they are found where they are known."""
        numbers = self._move_builder.numbers
        return [(move.text, numbers.get(id(move))) for move in steps]

    @property
    def _position(self) -> Position:
        """What stands where, and what is remembered."""
        return self._game_position.position

    @property
    def turn(self) -> str:
        """The colour to move, "w" or "b", as in `Outcome.winner`, FEN and SFEN.

        Shogi begins with Black, "b".

        >>> import alfil
        >>> alfil.load("chess").game().turn, alfil.load("shogi").game().turn
        ('w', 'b')
        """
        return self._alphabet.sides[self._game_position.turn]

    @property
    def side_to_move(self) -> int:
        """The side to move, by which `hands` and `pieces` tell sides: 0 moved first, 1 second."""
        return self._game_position.turn

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves in one fixed order; none once the game has ended."""
        moves = self._moves
        if moves is None:
            self._begin()
            try:
                ended = self._ended is not None or self._game_position.engine_result()
                moves = self._moves = (
                    () if ended else self._move_builder.legal_moves(self._game_position)
                )
            finally:
                self._end_use()
        return moves

    @with_lock
    def random_move(self, chance: Random | None = None) -> Move:
        """A uniformly random legal move.

        Raises ValueError once the game has ended.
        """
        if chance is not None and not hasattr(chance, "choice"):
            raise TypeError(f"chance is a random.Random, not {chance!r:.60}")
        if self.outcome():
            raise ValueError("the game has ended")
        index = (chance or _random_generator()).choice(
            range(self._game_position.count_legal_moves())
        )
        return self._move_builder.legal_move_at(self._game_position, index)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made so far."""
        return tuple(self._steps)

    @property
    @with_lock
    def pieces(self) -> dict[Square, tuple[str, int]]:
        """The code and the side of every piece on the board, by square."""
        compiled = self._compiled
        return {
            compiled.file_and_rank(square): (compiled.codes[piece], (piece - 1) % 2)
            for square, piece in self._position.pieces
        }

    def piece_at(self, square: Square | str) -> tuple[str, int] | None:
        """The code and the side of the piece on a square, or None; the square may be named.

        Raises `BoardError` for what is no square of the board.

        >>> import alfil
        >>> game = alfil.load("chess").game()
        >>> game.piece_at("e8"), game.piece_at((4, 3))
        (('K', 1), None)
        """
        return self.pieces.get(parse_board_square(square, self.variant.files, self.variant.ranks))

    @property
    @with_lock
    def walls(self) -> tuple[Square, ...]:
        """The blocked squares: walls, holes and the duck."""
        return tuple(
            map(self._compiled.file_and_rank, self._position.squares_of([self._compiled.wall]))
        )

    @property
    @with_lock
    def hands(self) -> tuple[dict[str, int], dict[str, int]]:
        """How many pieces of each code the first and the second side have in hand."""
        first, second = (
            {self._compiled.kinds[kind].code: count for kind, count in enumerate(hand) if count}
            for hand in self._position.hands
        )
        return first, second

    @property
    def illegal_text(self) -> str:
        """The text of the illegal move that lost the game, empty if none did."""
        return self._illegal

    def square_name(self, square: Square) -> str:
        """The name of a square in this game: 5e, or e5 where the first side is white.

        Raises `BoardError` for what is no square of the board.
        """
        files, ranks = self.variant.files, self.variant.ranks
        return self._compiled.square_name(
            self._compiled.square(parse_board_square(square, files, ranks))
        )

    def symbol(self, code: str, side: int = 0) -> str:
        """The symbol of a piece in position strings.

        Raises `AlfilError` for a code that no piece has, `RuleError` for a side but 0 and 1.
        """
        if code not in self._compiled.number:
            reject_unknown_name("unknown-piece", code, self._compiled.number)
        if side not in (0, 1):
            _reject_side(side)
        return self._alphabet.symbols[self._compiled.piece_number(code, side)]

    @property
    @with_lock
    def key(self) -> int:
        """A hash of board, hands, side to move, and whatever else legal moves depend on."""
        return self._game_position.key

    @property
    @with_lock
    def flags(self) -> frozenset[str]:
        """Oddities of the position, which can be played nevertheless."""
        return position_oddities(self._game_position)

    @with_lock
    def picture(self, theme: str = "default") -> Picture:
        """The board as it stands, with hands and the last move; ``print(game)`` shows its text.

        Raises `AlfilError` for an unknown theme.
        """
        from alfil.play.diagrams import game_diagram  # noqa: PLC0415 - few look

        last = self._steps[-1] if self._steps else None
        return game_diagram(self._position, self.walls, last, theme)

    def __str__(self) -> str:
        return str(self.picture())

    def __repr__(self) -> str:
        outcome = self.outcome()
        side = SIDE_COLOURS[self.turn].capitalize()
        state = f"move {self._position.number}, {side} to move"
        if outcome:
            state = f"{self.result()}, {outcome.reason}"
        return f"<Game {self.variant.name}: {state}>"

    @with_lock
    def _repr_svg_(self) -> str:
        return self.picture().svg()

    @with_lock
    def _repr_html_(self) -> str:
        """The board, who is to move or how it ended, and the moves, for notebooks."""
        from alfil.diagrams.hover_html import DrawnPath, game_html  # noqa: PLC0415 - only notebooks ask
        from alfil.diagrams.html_page import escaped  # noqa: PLC0415

        outcome = self.outcome()
        status = f"{SIDE_COLOURS[self.turn]} to move, {len(self.legal_moves)} legal moves"
        if outcome:
            won = f"{SIDE_COLOURS[outcome.winner]} wins" if outcome.winner else "a draw"
            status = f"{won}: {outcome.reason}"
        moves = " ".join(map(str, self.moves))
        ways = [
            (move.origin, DrawnPath((move.origin, move.target), captures=move.captures))
            for move in self.legal_moves
            if move.origin
        ]
        board = game_html(self.picture(), ways)
        return f"{board}<p>{escaped(status)}</p><p><code>{escaped(moves)}</code></p>"

    def push(self, move: Move | str) -> Move:
        """Make a move, given as a `Move` or as text, and return it.

        Raises `IllegalMove` with the reason as its kind, and `NotationError` for a text that
        cannot be read or may be several moves; then nothing has changed. With ``adjudicate`` an
        illegal move ends the game instead.
        """
        self._begin()
        try:
            number = self._numbers.get(id(move))
            if (
                number is not None
                and self._ended is None
                and self._game_position.try_push_by_id(number)
            ):
                self._steps.append(move)  # type: ignore[arg-type]  # only moves have numbers
                self._moves = None
                return move  # type: ignore[return-value]
            return self._push(move)
        finally:
            self._end_use()

    def _push(self, move: Move | str) -> Move:
        """Make a move that is not one of those listed last."""
        text = str(move)
        try:
            result = self._legal_move(move)
        except IllegalMove as error:
            if not self._is_illegal_move_loss() or error.kind == "game-over":
                raise
            winner = self._alphabet.sides[1 - self.side_to_move]
            self._set_outcome(Outcome(winner, "illegal-move", error.kind))
            self._illegal = text
            return move if isinstance(move, Move) else Move("", None, (-1, -1), text=text)
        self._make_move(result)
        return result

    def pop(self) -> Move | None:
        """Undo the last move and return it, or undo an end by agreement.

        Raises `RuleError` when there is nothing to take back.
        """
        self._begin()
        try:
            self._moves = None
            if self._ended is not None:
                self._ended = None
                self._illegal = ""
                return None
            if not self._steps:
                message = "no move has been made"
                reject(RuleError, "nothing-to-take-back", message, Source("pop", "<game>"))
            self._game_position.pop()
            return self._steps.pop()
        finally:
            self._end_use()

    @property
    def plane_names(self) -> tuple[str, ...]:
        """The contents of the planes of `planes`, in order; see docs/learning.md.

        >>> import alfil
        >>> alfil.load("chess").game().plane_names[:3]
        ('own K', 'own Q', 'own R')
        """
        return _encoding_of(self._compiled).names

    @with_lock
    def planes(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The position as a numpy array of planes × ranks × files, as the side to move sees it.

        The squares are counted from the mover's lower left corner. ``out`` is written to if given,
        for instance a row of a batch. Raises `AlfilError` of kind "missing-extra" without numpy,
        and `RuleError` of kind "no-actions" where the moves of the game cannot be numbered.

        """
        return _encoding_of(self._compiled).planes(self._game_position, out)

    @with_lock
    def mask(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """For every number of a move, whether that is legal now; none is once the game has ended.

        The numbers are the same in all positions of the game, and for both sides. Raises and takes
        what `planes` does.
        """
        return _encoding_of(self._compiled).mask(self._action_numbers(), out)

    @with_lock
    def action(self, move: Move | str) -> int:
        """The number of a legal move in the arrays of `mask`; raises what `read_move` does.

        >>> import alfil
        >>> game = alfil.load("chess").game()
        >>> game.move(game.action("e2e4"))
        Move('e2e4')
        """
        index = self._game_position.index_of(self._engine_move(self._legal_move(move)))
        return self._action_numbers()[index]

    @with_lock
    def move(self, action: int) -> Move:
        """The legal move with a number; raises `IllegalMove` where there is none."""
        numbers = self._action_numbers()
        if action not in numbers:
            kind = "pattern" if numbers else "game-over"
            message = f"no legal move has the number {action}"
            reject(IllegalMove, kind, message, Source(str(action), "<move>"))
        return self._move_builder.legal_move_at(self._game_position, numbers.index(action))

    def _action_numbers(self) -> array[int]:
        """The numbers of the legal moves in the order of these; none once the game has ended."""
        if self.outcome():
            return array("i")
        return _encoding_of(self._compiled).action_numbers(self._game_position)

    @with_lock
    def why_illegal(self, text: str) -> Reason | None:
        """Why a move is illegal: a code and words; None for a legal move.

        Raises `NotationError` for a text that cannot be read or may be several moves.
        """
        try:
            self._legal_move(text)
        except IllegalMove as error:
            return Reason(error.kind, error.first_error.message)
        return None

    @with_lock
    def is_legal(self, move: Move | str) -> bool:
        """Whether a move is legal now; a text that cannot be read, or may be several, is not.

        >>> import alfil
        >>> game = alfil.load("chess").game()
        >>> game.is_legal("Nf3"), game.is_legal("Nf4")
        (True, False)
        """
        try:
            self._legal_move(move)
        except (IllegalMove, NotationError):
            return False
        return True

    @with_lock
    def san(self, move: Move | str) -> str:
        """A legal move in SAN, to be called before it is made; raises what `read_move` raises.

        Where no SAN tells the move from all others, it is as in `Move.usi`.

        >>> import alfil
        >>> alfil.load("chess").game().san("g1f3")
        'Nf3'
        """
        text: str = _san_module().write(self, self._legal_move(move))
        return text

    @with_lock
    def push_san(self, text: str) -> Move:
        """Make the move that a text in SAN means, in no other notation; raises what `push` raises.

        Every text that `san` has for a legal move is read.

        >>> import alfil
        >>> alfil.load("chess").game().push_san("Nf3")
        Move('g1f3')
        """
        require_type(text, str, "a move in SAN is a text")
        self._reject_after_end_or_overlong(text)
        return self.push(_san_module().read(self, text))

    @with_lock
    def push_uci(self, text: str) -> Move:
        """Make the move that a text of UCI means: `e2e4`, `e7e8q`, `N@f3`; see `Move.uci`.

        Castling is the king's move, or onto its partner as in Chess960. Raises what `push` raises.

        >>> import alfil
        >>> alfil.load("shogi").game().push_uci("g3g4")
        Move('3g3f')
        """
        require_type(text, str, "a move of UCI is a text")
        self._reject_after_end_or_overlong(text)
        for form in (Move.uci, chess960_castling_text):
            for move in self.legal_moves:
                if text and form(move) == text:
                    return self.push(move)
        if self._move_builder.parse_query(text, self.side_to_move) is None:
            message, hint = "no move of UCI", "a move is written like e2e4, e7e8q or N@f3"
            reject(NotationError, "unreadable-move", message, Source(text, "<move>"), hint=hint)
        return self.push(text)

    @with_lock
    def read_move(self, text: Move | str) -> Move:
        """The legal move that a text means: USI-like, in CELL, with an arrow or in Hodges notation.

        SAN is read where squares are named as in chess, and by `push_san` in all games. A legal
        `Move` is given back. Raises `IllegalMove` and `NotationError` as `push` does, and never
        ends the game.
        """
        return self._legal_move(text)

    @with_lock
    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return self._game_position.is_check()

    @with_lock
    def checkers(self) -> tuple[Square, ...]:
        """The squares of the pieces that give check to the side to move, from the lower left on.

        >>> import alfil
        >>> alfil.load("chess").game("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").checkers()
        ((4, 1),)
        """
        if not self.is_check():
            return ()
        return tuple(
            map(
                self._compiled.file_and_rank,
                sorted(self._game_position.checkers(self.side_to_move)),
            )
        )

    def is_game_over(self) -> bool:
        """Whether the game has ended, by its rules or as somebody said."""
        return self.outcome() is not None

    def result(self) -> str:
        """The result as PGN has it: 1-0 where the side that moves first won, 0-1, 1/2-1/2, or *."""
        outcome = self.outcome()
        if outcome is None:
            return "*"
        if outcome.winner is None:
            return "1/2-1/2"
        return "1-0" if outcome.winner == self._alphabet.sides[0] else "0-1"

    def outcome(self) -> Outcome | None:
        """How the game ended, None while it continues."""
        with self._lock:
            return self._outcome()

    def _outcome(self) -> Outcome | None:
        if self._ended is not None:
            return self._ended
        return outcome_of(self._game_position.engine_result(), self._alphabet.sides)

    @property
    def ignores_claimable_ends(self) -> bool:
        """Whether repetitions and counts of moves no more end it: see `ignore_claimable_ends`."""
        return (
            self._game_position.ignores_limits
            if "_game_position" in self.__dict__
            else self._shelved
        )

    @with_lock
    def ignore_claimable_ends(self) -> None:
        """Have no repetition and no count of moves end this game from now on.

        For a game that somebody else leads: in chess the players may claim such draws, or not.

        >>> import alfil
        >>> game = alfil.load("chess").game()
        >>> for move in 2 * ("g1f3", "g8f6", "f3g1", "f6g8"):
        ...     _ = game.push(move)
        >>> game.outcome().reason
        'repetition'
        >>> game.ignore_claimable_ends()
        >>> game.push("e2e4")
        Move('e2e4')
        """
        self._game_position.ignore_limits()
        self._moves = None

    @with_lock
    def resign(self, side: int | str | None = None) -> Outcome:
        """End the game as lost for a side (0 or 1) or colour, the one to move unless given.

        Raises `RuleError` for anything else.

        >>> import alfil
        >>> alfil.load("chess").game().resign("w").winner
        'b'
        """
        loser = self.side_to_move if side is None else self._side_of(side)
        return self.end(1 - loser, "resignation")

    @with_lock
    def end(self, winner: int | str | None, reason: Agreed) -> Outcome:
        """End the game as the players or an arbiter say.

        The winner is a side (0 or 1), a colour ("w" or "b"), or None for a draw. The reason is
        resignation, agreement, time, forfeit, adjudication, or unstated. Raises `RuleError` for any
        other side or reason, and where the game has ended.

        >>> import alfil
        >>> alfil.load("chess").game().end(None, "agreement")
        Outcome(winner=None, reason='agreement', detail='')
        """
        self._require_unfinished()
        won = None if winner is None else self._side_of(winner)
        if reason not in AGREED_REASONS:
            message = f"games do not end by {reason} because somebody says so"
            hint = f"a reason is {', '.join(AGREED_REASONS)}"
            reject(RuleError, "unknown-reason", message, Source(str(reason), "<game>"), hint=hint)
        return self._set_outcome(
            Outcome(None if won is None else self._alphabet.sides[won], reason)
        )

    def _side_of(self, side: int | str) -> int:
        """A side by its number or its colour."""
        if isinstance(side, str) and side in ("w", "b"):
            return self._alphabet.sides.index(side)
        if side not in (0, 1):
            _reject_side(side)
        return int(side)

    @with_lock
    def agree_impasse(self) -> Outcome:
        """End the game by impasse, as its rules have it; raises `RuleError` where they do not."""
        self._require_unfinished()
        rules = self._compiled.rules
        if rules.impasse.how == "none":
            message = "this game knows no impasse"
            reject(RuleError, "no-impasse", message, Source("impasse", "<game>"))
        if rules.impasse_needs == "royals-in-zone" and not are_royals_in_zone(self._position):
            message = "both royals must be in their promotion zones"
            reject(RuleError, "no-impasse", message, Source("impasse", "<game>"))
        if rules.impasse.how == "agreement":
            return self._set_outcome(Outcome(None, "impasse"))
        short = [s for s in (0, 1) if self._game_position.points(s) < rules.impasse.points[s]]
        winner = self._alphabet.sides[1 - short[0]] if len(short) == 1 else None
        return self._set_outcome(Outcome(winner, "impasse"))

    @with_lock
    def position_text(self) -> str:
        """The position in alfil's own form, for any game; one that begins with it is the same.

        It is SFEN, and behind it whatever else legal moves depend on, such as `idle=4`;
        docs/games.md has all of it. Where a royal has been captured it is not read again.

        >>> import alfil
        >>> game = alfil.load("chess").game()
        >>> _ = game.push("g1f3")
        >>> game.position_text()
        'rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b - 2 idle=1'
        """
        position = self._position
        counts = position.checks, position.idle, position.countdown
        return write_position(position, self._alphabet, *counts)

    @with_lock
    def sfen(self) -> str:
        """The position as SFEN, as shogi programs read it: board, colour, hands and move number.

        Raises `RuleError` of kind "no-sfen" for games in which White moves first, and where legal
        moves depend on more than SFEN can say; `position_text` says all of it.

        >>> import alfil
        >>> alfil.load("minishogi").game().sfen()
        'rbsgk/4p/5/P4/KGSBR b - 1'
        """
        from alfil.game.fen import require_plain_sfen  # noqa: PLC0415 - few ask

        return require_plain_sfen(self._compiled, self.position_text())

    @with_lock
    def fen(self, *, shredder: bool = False) -> str:
        """The position as FEN, as other chess programs read it; `Game` begins with it alike.

        An en passant square stands there where a move may capture on it. Castling rights are KQkq,
        and letters of files where those would not tell which partner is meant, or with
        ``shredder``. Hands are in brackets, and a queen that was promoted and turns back when
        captured is `Q~`, as in crazyhouse. Raises `RuleError` of kind "no-fen" where Black moves
        first, and where FEN cannot say all that moves depend on.

        >>> import alfil
        >>> game = alfil.load("chess").game()
        >>> _ = game.push("e2e4")
        >>> game.fen()
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
        """
        from alfil.game.fen import write_fen  # noqa: PLC0415 - few ask

        return write_fen(
            self._position, self._alphabet, self._en_passant_square(), shredder=shredder
        )

    def _en_passant_square(self) -> int | None:
        """The square on which a move may capture en passant, None where none does."""
        trail = self._position.trail
        acts = self._game_position.engine_moves() if trail else []
        result = (act.target for act in acts if trail.get(act.target) in act.captures)
        return next(result, None)

    def perft(self, depth: int, *, jobs: int = 1, memory: int = 0) -> int:
        """The number of sequences of ``depth`` legal moves; results and repetition are left out.

        ``jobs`` threads share the work, and ``memory`` megabytes for the counts of positions that
        are met again. Raises `RuleError` where there is not so much memory, and `ValueError` for a
        depth below 0 or above 1,000, or less than one thread.

        >>> import alfil
        >>> alfil.load("chess").game().perft(3)
        8902
        """
        from alfil.game import perft  # noqa: PLC0415 - few need it

        _check_perft_arguments(depth, jobs, memory)
        with self._lock:
            if depth <= 1:
                return self._game_position.count_legal_moves() if depth else 1
            position = self._position
        return perft.perft(position, depth, jobs, memory)

    def divide(
        self,
        depth: int,
        moves: Collection[str] | None = None,
        *,
        jobs: int = 1,
        memory: int = 0,
        progress: Callable[[int, int], None] = lambda _done, _of: None,
    ) -> dict[str, int]:
        """For each legal move, the number of sequences of ``depth`` moves that begin with it.

        ``moves`` are the texts of those to look at, all of them unless given; ``jobs`` and
        ``memory`` are as for `perft`. ``progress`` is called with how many parts of how many are
        done. Raises what `perft` raises, and `IllegalMove` for a text that is not that of a legal
        move.
        """
        from alfil.game import perft  # noqa: PLC0415 - few need it

        _check_perft_arguments(depth, jobs, memory)
        with self._lock:
            position, engine_moves = self._position, self._game_position.engine_moves()
        written_moves = self._move_builder.moves(engine_moves)
        every = {move.text: act for act, move in zip(engine_moves, written_moves, strict=True)}
        for text in moves or ():
            require_type(text, str, "a move to look at is a text")
            if text not in every:
                why = f"{text} is not how a legal move is written here"
                reject(IllegalMove, "pattern", why, Source(text, "<move>"))
        chosen = {text: act for text, act in every.items() if moves is None or text in moves}
        if depth <= 1:
            return dict.fromkeys(chosen, 1)
        chosen_moves = [*chosen.values()]
        counts = perft.divide(position, chosen_moves, depth, jobs, memory, progress)
        return dict(zip(chosen, counts, strict=True))

    @with_lock
    def copy(self) -> Game:
        """An independent copy of the game, with the same move stack."""
        return self._copy_in(self._game_position.copy())

    @with_lock
    def _copy_in(self, position: GamePosition) -> Game:
        """A copy in a position of the engine that is the same."""
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._make_lock()
        other._game_position = position
        other._steps = self._steps[:]
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Game:
        del memo
        return self.copy()

    @with_lock
    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the moves; the game is replayed elsewhere, without compiled tables."""
        import pickle  # noqa: PLC0415 - few pickle games

        options = {"adjudicate": self.adjudicate, "strict": self.strict, "kingless": self.kingless}
        # Where they are known elsewhere too, moves are found by their numbers.
        state = (
            self.ignores_claimable_ends,
            self._move_texts_with_numbers(self._steps),
            self._ended,
            self._illegal,
        )
        plan_cache, variant = self._compiled.cache, self.variant
        if "pickled" not in plan_cache or plan_cache["pickled"][0] is not variant:
            plan_cache["pickled"] = variant, pickle.dumps(variant)
        return _unpickled_game, (plan_cache["pickled"][1], self._begun, options, *state)

    def _replay(self, moves: Sequence[tuple[str, int | None]]) -> None:
        """Replay moves, past any end of the game."""
        known = self._move_builder.longest_known_prefix(moves)
        made = self._game_position.push_ids([number for number, _ in known])
        self._steps += [move for _, move in known[:made]]
        for text, _ in moves[made:]:
            # Moves without a number are found in this list by identity.
            self._moves = self._move_builder.legal_moves(self._game_position)
            self._make_move(self._moves[[each.text for each in self._moves].index(text)])

    def _make_move(self, move: Move) -> None:
        """Make one of the legal moves."""
        number = self._move_builder.numbers.get(id(move))
        if number is None or not self._game_position.try_push_by_id(number):
            self._game_position.push(self._engine_move(move))
        self._steps.append(move)
        self._moves = None

    def _engine_move(self, move: Move) -> EngineMove:
        """One of the legal moves in numbers."""
        known = self._move_builder.engine_move(move)
        return (
            known
            or self._game_position.engine_moves()[[*map(id, self.legal_moves)].index(id(move))]
        )

    def _legal_move(self, move: Move | str) -> Move:
        """The legal move that is meant."""
        require_type(move, (str, Move), "a move is a text or a Move")
        self._reject_after_end_or_overlong(str(move))
        if isinstance(move, Move):
            return self._as_legal_move(move)
        plain: Move | None = None if self.strict else _san_module().read_unambiguous_san(self, move)
        if plain:
            return plain
        moves = self.legal_moves
        texts = [each.text for each in moves]
        return moves[texts.index(move)] if move in texts else self._parse_move(move)

    def _as_legal_move(self, move: Move) -> Move:
        """A legal move, which may be of another game."""
        known = self._move_builder.engine_move(move)
        if known is not None and self._game_position.is_legal(known):
            return move
        for each in self.legal_moves:
            # Moves that somebody has made, without a text, are compared as a whole.
            if move.text in {each.text, ""} and each == move:
                return each
        query = self._move_builder.parse_query(move.text, self.side_to_move)
        why = explain_illegal(self._game_position, query) if query else None
        why = why or Reason("pattern", f"{move.text} is no such move here")
        return reject(IllegalMove, *why, Source(move.text, "<move>"))

    def _parse_move(self, text: str) -> Move:
        """The legal move meant by a string that is not its canonical spelling."""
        from alfil.play.records import hodges, san  # noqa: PLC0415 - few games are told in texts

        known = hodges.find_cell_move(self, text)
        query = self._move_builder.parse_query(text, self.side_to_move)
        if known or query is None:
            return known or san.read_hodges_or_san_move(self, text, strict=self.strict)
        result = [
            (act, each)
            for act, each in zip(self._game_position.engine_moves(), self.legal_moves, strict=True)
            if matches_query(self._compiled, act, query)
        ]
        staying = [each for each in result if each[0].becomes == each[0].piece]
        result = staying if query.promotion is None and staying else result
        if query.via is not None and self._game_position.piece_on(query.via):
            result = [each for each in result if query.via in (query.origin, *each[0].captures)]
        if len(result) > 1:
            hodges.reject_ambiguous(text, [each for _, each in result], str)
        if not result:
            why = explain_illegal(self._game_position, query) or Reason(
                "pattern", f"{text} is no legal move"
            )
            reject(IllegalMove, *why, Source(text, "<move>"))
        move = result[0][1]
        if self.strict and text not in {move.text, move.cell}:
            hodges.reject_spelling(text, move.text)
        return move

    def _is_illegal_move_loss(self) -> bool:
        return self.adjudicate and self._compiled.rules.illegal_move == "loss"

    def _reject_after_end_or_overlong(self, text: str) -> None:
        """Refuse any move after the end, and a text that is too long to be one."""
        if self.outcome():
            reject(IllegalMove, "game-over", "the game has ended", Source(text, "<move>"))
        reject_overlong_text(text, self._compiled)

    def _require_unfinished(self) -> None:
        if self.outcome():
            reject(RuleError, "game-over", "the game has ended", Source("game", "<game>"))

    def _set_outcome(self, outcome: Outcome) -> Outcome:
        self._ended = outcome
        self._moves = None
        return outcome


def _check_perft_arguments(depth: int, jobs: int, memory: int) -> None:
    require_type(depth, int, "a depth is a number of moves")
    require_type(jobs, int, "threads are a number")
    require_type(memory, int, "memory is a number of megabytes")
    if not 0 <= depth <= MAX_PERFT_DEPTH:
        raise ValueError(f"a depth is 0 to {MAX_PERFT_DEPTH}, not {depth}")
    if jobs < 1 or memory < 0:
        raise ValueError("at least one thread counts, with no less than 0 megabytes")


def _encoding_of(compiled: CompiledVariant) -> PositionAndMoveEncoding:
    from alfil.play.action_encoding import encoding_of  # noqa: PLC0415 - few learn

    return encoding_of(compiled)


MAX_PERFT_DEPTH = 1000
MAX_SIMULATED_MOVES = 500  # moves of a random game
MAX_GAMES, MAX_MOVES = 10**12, 10**6  # that are played, and in each


def _reject_side(side: object) -> NoReturn:
    message = "a side is 0 (moved first), 1, or a colour, 'w' or 'b'"
    reject(RuleError, "unknown-side", message, Source(str(side), "<game>"))


@cache
def _san_module() -> ModuleType:
    """What reads moves in SAN; a program that hands moves back never needs it."""
    from alfil.play.records import san  # noqa: PLC0415 - see above

    return san


@cache
def _random_generator() -> Random:
    from random import Random  # noqa: PLC0415 - few play at random

    return Random()


@lru_cache(maxsize=64)
def unpickled_variant(variant: bytes) -> Variant:
    """A variant that was pickled; its games share it."""
    import pickle  # noqa: PLC0415 - few pickle games

    result: Variant = pickle.loads(variant)
    return result


def _unpickled_game(
    variant: bytes,
    position: str | None,
    options: dict[str, Any],
    ignores_claimable_ends: bool,  # noqa: FBT001 - it is pickle that calls
    moves: Sequence[tuple[str, int | None]],
    ended: Outcome | None,
    illegal: str,
) -> Game:
    """A game that was pickled."""
    game = Game(unpickled_variant(variant), position, **options)
    if ignores_claimable_ends:
        game.ignore_claimable_ends()
    game._replay(moves)
    game._ended, game._illegal = ended, illegal
    return game


@dataclass(frozen=True, slots=True)
class Simulation:
    """The results of random games: counts by outcome.

    ``unfinished`` games came to the limit of moves; ``moves`` are those of all games together.
    """

    ends: dict[Outcome, int]
    unfinished: int
    moves: int

    @property
    def games(self) -> int:
        """How many games there were."""
        return sum(self.ends.values()) + self.unfinished


def simulate(
    game: Game, games: int, *, seed: int = 0, longest: int = MAX_SIMULATED_MOVES
) -> Simulation:
    """Play games of random legal moves from where a game stands; the game is left as it is.

    Every legal move is as likely as any other. A game continues until it ends by its rules, as
    `Game.outcome` tells, or ``longest`` moves were made. The same seed gives the same games. Raises
    ValueError for less than one game or move, more than 10¹² games or games of more than a million
    moves.

    >>> import alfil
    >>> found = alfil.simulate(alfil.load("minishogi").game(), 100, seed=1)
    >>> found.games, found == alfil.simulate(alfil.load("minishogi").game(), 100, seed=1)
    (100, True)
    """
    require_type(game, Game, "what is played is a Game")
    for number, what in ((games, "games"), (longest, "moves of a game"), (seed, "a seed")):
        require_type(number, int, f"{what}: a whole number")
    if not (1 <= games <= MAX_GAMES and 1 <= longest <= MAX_MOVES):
        raise ValueError(f"1 to {MAX_GAMES} games are played, of 1 to {MAX_MOVES} moves")
    # Seeds that are neighbours are not to begin alike.
    spread = (seed * 0x9E3779B97F4A7C15 ^ 0x5DEECE66D) & (1 << 48) - 1
    with game._lock:
        played = game._game_position.copy()
    played.reserve(longest)
    moves, counts = played.play_random_games(games, longest, spread)
    sides = game._alphabet.sides
    ends = {outcome_of(result, sides): n for result, n in enumerate(counts) if n}
    unfinished = ends.pop(None, 0)
    return Simulation({each: n for each, n in ends.items() if each}, unfinished, moves)
