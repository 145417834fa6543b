"""Chess problems of any game: direct mates, helpmates, selfmates, series, and other goals.

The engine (src/alfil/engine/problems.c) says of each move whether it leads to the goal; here
stipulations are read, and solutions written as problemists write them.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NoReturn

from alfil.errors import AlfilError, PositionError, reject, require_type
from alfil.game import engine_interface
from alfil.game.compiled_variant import EngineMove
from alfil.game.engine_interface import (
    CHOOSES,
    GIVES_CHECK,
    IN_SERIES,
    LEADS_TO_GOAL,
    MAY_END,
    PROBLEM,
    Struct,
)
from alfil.game.moves import Move
from alfil.play.game import Game
from alfil.play.records.san import PAWN, piece_letters
from alfil.source import Source
from alfil.tables.board_context import parse_board_square

GOALS = {
    "#": engine_interface.GOAL_MATE,
    "=": engine_interface.GOAL_STALEMATE,
    "#=": engine_interface.GOAL_NO_MOVE,
    "+": engine_interface.GOAL_CHECK,
    "x": engine_interface.GOAL_CAPTURE,
    "z": engine_interface.GOAL_SQUARE,
    "win": engine_interface.GOAL_WIN,
}
# The most plies of a stipulation, and the most positions looked at unless told otherwise and ever.
MAX_PLIES = 80
DEFAULT_MAX_POSITIONS, MAX_POSITIONS = 100_000_000, 10**12
# Nobody reads a solution of more moves.
MAX_SOLUTION_MOVES = 200_000
# The table of positions holds two to the power of this.
TABLE_SIZE_BITS = 20

_STIPULATION = re.compile(
    r"(?P<series>ser-)?(?P<kind>hs|h|s|t)?(?P<goal>win|#=|[#=+x]|z(?P<square>[a-z]{1,2}[0-9]{1,2}))"
    r"\s*(?P<moves>[0-9]{1,2})(?P<half>\.5)?",
    re.ASCII,
)


@dataclass(frozen=True)
class Stipulation:
    """What is to be solved: each ply by how it is played, and the goal.

    ``text`` is it as written, ``kind`` one of direct, help, self, helpself and tsume, ``series``
    whether one side makes its moves in a row, ``half`` whether half a move comes before the others,
    ``square`` the one where the goal is a square.
    """

    text: str
    kind: str
    series: bool
    goal: str
    moves: int
    half: bool = False
    square: str = ""

    @cached_property
    def ply_flags(self) -> tuple[int, ...]:
        """How each ply is played; empty where there is no such play."""
        return tuple(_ply_flags(self.kind, self.moves, half=self.half, series=self.series))

    @property
    def shorter(self) -> Iterator[Stipulation]:
        """The same in fewer moves, as far as such solutions are not among those of this one."""
        first = 0 if self.half else 1
        for moves in range(first, self.moves) if self.series or self.kind in HELP_KINDS else ():
            one = replace(self, moves=moves)
            yield replace(one, text=f"{self.text} in {moves}{'.5' if self.half else ''}")


HELP_KINDS = frozenset({"help", "helpself"})
KIND_BY_PREFIX = {"": "direct", "h": "help", "s": "self", "hs": "helpself", "t": "tsume"}


def read_stipulation(text: str) -> Stipulation:
    """Read a stipulation, such as ``#2``, ``h#2.5``, ``s#3``, ``ser-h=7`` or ``ser-zd4 5``.

    ``ser-`` is a series, ``h``, ``s`` and ``hs`` a helpmate, selfmate and helpselfmate, ``t`` a
    mate with nothing but checks, as in tsume shogi. Goals are ``#`` mate, ``=`` stalemate, ``#=``
    either, ``+`` check, ``x`` a capture, ``zd4`` a move to d4, ``win`` whatever wins by the rules
    of the game. The number counts moves; ``.5`` is half a move more, before the others.

    Raises `AlfilError` of kind "stipulation".

    >>> read_stipulation("h#2.5").kind, len(read_stipulation("h#2.5").ply_flags)
    ('help', 5)
    """
    match = _STIPULATION.fullmatch(text)
    if not match:
        _reject_stipulation(
            text, "a stipulation is a play, a goal and a number of moves", "such as #2, h#2.5, s#3"
        )
    goal, square = match["goal"], match["square"] or ""
    found = Stipulation(
        text,
        KIND_BY_PREFIX[match["kind"] or ""],
        bool(match["series"]),
        "z" if square else goal,
        int(match["moves"]),
        bool(match["half"]),
        square,
    )
    if not found.ply_flags:
        _reject_stipulation(
            text, "there is no such play", "series are ser-#, ser-h# and ser-s#, halves h# and hs#"
        )
    if len(found.ply_flags) > MAX_PLIES:
        _reject_stipulation(
            text, f"a stipulation has at most {MAX_PLIES} plies", "ask for fewer moves"
        )
    return found


def _ply_flags(kind: str, moves: int, *, half: bool, series: bool) -> list[int]:
    last = CHOOSES | MAY_END
    if series and moves:
        alone = [CHOOSES | IN_SERIES] * (moves - 1)
        ends = {"direct": [last], "help": [CHOOSES, last], "self": [CHOOSES, MAY_END]}
        return [*alone, *ends[kind]] if kind in ends and not half else []
    count = 2 * moves + half
    if series or not count:
        return []
    match kind:
        case "help":
            return [CHOOSES] * (count - 1) + [last]
        case "helpself":
            return [CHOOSES] * (count - 1) + [MAY_END]
        case "self":
            return [] if half else [CHOOSES, MAY_END] * moves
    chosen = last | (GIVES_CHECK if kind == "tsume" else 0)
    return [] if half else [chosen, 0] * (moves - 1) + [chosen]


def _reject_stipulation(text: str, message: str, hint: str) -> NoReturn:
    reject(AlfilError, "stipulation", message, Source(text, "<stipulation>"), hint=hint)


# Behind a move that gives check.
CHECK_SUFFIX = " +"


@dataclass(frozen=True)
class SolutionMove:
    """A move of a solution, and what follows.

    ``text`` is the move as problemists write it, ``reaches_goal`` whether it ends the play,
    ``replies`` are the moves that may follow and, behind a move that threatens something, only
    those that prevent it; ``threats`` what would follow if the other side passed.
    """

    move: Move
    text: str
    reaches_goal: bool
    replies: tuple[SolutionMove, ...] = ()
    threats: tuple[SolutionMove, ...] = ()

    @property
    def gives_check(self) -> bool:
        """Whether it gives check and ends nothing."""
        return self.text.endswith(CHECK_SUFFIX)

    def to_json(self) -> dict[str, object]:
        """The move as data that JSON can hold."""
        return {
            "move": self.move.text,
            "text": self.text,
            "goal": self.reaches_goal,
            "threats": [each.to_json() for each in self.threats],
            "replies": [each.to_json() for each in self.replies],
        }


@dataclass(frozen=True)
class Solution:
    """All solutions of a problem, by their first moves; ``tries`` fail to one reply only each.

    ``shorter`` are those of help play and series in fewer moves, the shortest first, where there
    are any. ``positions`` is how many positions were looked at. As text it is what a solving
    program prints.
    """

    stipulation: Stipulation
    keys: tuple[SolutionMove, ...]
    tries: tuple[SolutionMove, ...] = ()
    shorter: tuple[Solution, ...] = ()
    positions: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return "\n".join(_solution_lines(self)) or "no solution"

    def to_json(self) -> dict[str, object]:
        """The solution as data that JSON can hold."""
        return {
            "stipulation": self.stipulation.text,
            "keys": [each.to_json() for each in self.keys],
            "tries": [each.to_json() for each in self.tries],
            "shorter": [each.to_json() for each in self.shorter],
            "positions": self.positions,
        }


def solve(
    game: Game, stipulation: str, *, tries: bool = False, positions: int = DEFAULT_MAX_POSITIONS
) -> Solution:
    """Find all solutions of a problem; the side to move in ``game`` makes the first move.

    In ``#2`` and ``s#2`` it is also the side that reaches the goal or forces the other one to; in
    ``h#2`` it is the one that is mated at the end, in ``h#2.5`` the one that mates. All moves are
    legal ones of the game, whose rules on repetition and on counts of moves are left out. With
    ``tries`` it also lists first moves that only one reply refutes. ``positions`` is how many may
    be looked at; where moves take long to try, a position counts as several, so that as many take
    about as long in every game.

    Raises `AlfilError` of kind "stipulation" for a text that is none, of kind "too-much-work"
    where more positions would have to be looked at or a solution has more than 200,000 moves,
    `PositionError` of kind "opponent-in-check", and `BoardError` for a square off the board.

    >>> import alfil
    >>> game = alfil.load("chess").game(fen="7k/8/6K1/8/8/8/8/R7 w - - 0 1")
    >>> print(alfil.solve(game, "#1"))
    1.Ra1-a8 #
    """
    require_type(game, Game, "what is solved is a position of a Game")
    require_type(stipulation, str, "a stipulation is a text")
    require_type(positions, int, "a number of positions")
    solver = _Solver(game, read_stipulation(stipulation), positions)
    if sys.platform == "emscripten":
        return solver.solution(tries=tries)
    from alfil.game import engine_threads  # noqa: PLC0415 - no browser has it

    solving = engine_threads.start(partial(solver.solution, tries=tries))
    try:
        return solving.result()
    finally:
        solver.stop()


class _Solver:
    """Finds the solutions of one problem; the engine keeps what it has found out."""

    def __init__(self, game: Game, stipulation: Stipulation, positions: int) -> None:
        self.stipulation, self._positions = stipulation, positions
        self._run, self._move_builder = game._game_position.copy(), game._move_builder
        self._size = game.variant.files, game.variant.ranks
        plies = len(stipulation.ply_flags)
        self._run.reserve(plies + 2, plies + 2)
        self._run.ignore_limits()
        self._check_opponent_not_in_check(game)
        self._letters, self._names = piece_letters(game), game.square_name
        self._stopped, self._problem = False, Struct(PROBLEM, {}, {})
        self._solution_moves = 0
        # What is known of positions; the plies of a shorter stipulation are the last ones of this.
        self._entries = array("Q", bytes(8 << TABLE_SIZE_BITS))

    def _problem_struct(self, positions_searched: int) -> Struct:
        """The stipulation for the engine; so many positions were looked at."""
        plies = self.stipulation.ply_flags
        numbers = {
            "visited": positions_searched,
            "allowed": max(0, min(self._positions, MAX_POSITIONS)),
            "last_entry": (1 << TABLE_SIZE_BITS) - 1,
            "plies": len(plies),
            "goal": GOALS[self.stipulation.goal],
            "square": self._goal_square(),
            "longest": self._run.state.list_room,
        }
        arrays = {"steps": array("i", plies), "entries": self._entries}
        return Struct(PROBLEM, numbers, arrays)

    def _check_opponent_not_in_check(self, game: Game) -> None:
        """`PositionError` where the side that is not to move is in check."""
        run = self._run
        if run.plan.rules.self_check == "barred" and run.is_in_check(1 - run.turn):
            message = "the side that is not to move is in check"
            source = Source(game.position_text(), "<position>")
            reject(PositionError, "opponent-in-check", message, source)

    def _goal_square(self) -> int:
        name = self.stipulation.square
        return self._run.plan.square(parse_board_square(name, *self._size)) if name else 0

    def stop(self) -> None:
        """Stop soon; nothing is known then."""
        self._stopped, self._problem["halt"] = True, 1

    def solution(self, *, tries: bool) -> Solution:
        """All solutions, and tries if asked for."""
        whole, shorter = self.stipulation, []
        for self.stipulation in whole.shorter:
            if keys := self._solve_from_start():
                shorter.append(Solution(self.stipulation, keys))
        self.stipulation = whole
        keys = self._solve_from_start()
        near = self.tries() if tries and whole.kind == "direct" else ()
        return Solution(whole, keys, near, tuple(shorter), positions=self._problem["visited"])

    def _solve_from_start(self) -> tuple[SolutionMove, ...]:
        """The solutions of the stipulation that is to be looked at now."""
        self._problem = self._problem_struct(self._problem["visited"])
        self._problem["halt"] = int(self._stopped)
        return self.solution_moves()

    def solution_moves(self, ply: int = 0) -> tuple[SolutionMove, ...]:
        """The moves on this ply that lead on, each with what follows."""
        return tuple(
            self._solution_move(move, what, ply)
            for move, what in self._moves_with_verdicts(ply)
            if what
        )

    def _moves_with_verdicts(self, ply: int) -> list[tuple[EngineMove, int]]:
        """The legal moves and what each does on this ply."""
        engine_moves = self._run.engine_moves()
        end = len(engine_moves) + 1
        found = []
        for index, engine_move in enumerate(engine_moves, 1):
            what = self._run.call_engine("try_solution_move", self._problem, index, end, ply)
            if self._problem["halt"]:
                self._reject_too_much_work()
            found.append((engine_move, what))
        return found

    def _reject_too_much_work(self) -> NoReturn:
        allowed = self._problem["allowed"]
        message = f"this takes more work than {allowed} positions of chess"
        hint = "allow more positions, or ask for fewer moves"
        if self._problem["visited"] > allowed:
            message = f"more than {allowed} positions would have to be looked at"
        elif self._solution_moves > MAX_SOLUTION_MOVES:
            message = f"the solution has more than {MAX_SOLUTION_MOVES} moves"
            hint = "ask for fewer moves"
        source = Source(self.stipulation.text, "<stipulation>")
        reject(AlfilError, "too-much-work", message, source, hint=hint)

    def _solution_move(self, engine_move: EngineMove, verdict: int, ply: int) -> SolutionMove:
        """A move that leads on, with all that follows."""
        self._solution_moves += 1
        if self._solution_moves > MAX_SOLUTION_MOVES:
            self._reject_too_much_work()
        move = self._move_builder.move(engine_move)
        text = self._move_text(move)
        with self._temporary_move(engine_move, ply):
            sign = self._goal_or_check_suffix(reached=verdict == LEADS_TO_GOAL)
            if verdict == LEADS_TO_GOAL:
                return SolutionMove(move, text + sign, reaches_goal=True)
            threats = self._threats(ply)
            replies = self.solution_moves(ply + 1)
            replies = tuple(each for each in replies if not _is_threat_executed(each, threats))
        return SolutionMove(move, text + sign, reaches_goal=False, replies=replies, threats=threats)

    def _threats(self, ply: int) -> tuple[SolutionMove, ...]:
        """What follows a chosen move if the other side, which may do anything, passes."""
        plies = self.stipulation.ply_flags
        if plies[ply + 1] & CHOOSES or ply + 2 >= len(plies) or self._run.is_check():
            return ()
        with self._temporary_side_switch():
            return self.solution_moves(ply + 2)

    @contextmanager
    def _temporary_move(self, engine_move: EngineMove, ply: int) -> Iterator[None]:
        """Make a move, and take it back on exit; in a series the same side moves again."""
        self._run.push(engine_move)
        try:
            if self.stipulation.ply_flags[ply] & IN_SERIES:
                with self._temporary_side_switch():
                    yield
            else:
                yield
        finally:
            self._run.pop()

    @contextmanager
    def _temporary_side_switch(self) -> Iterator[None]:
        self._run.clear_move_list()
        with self._run.temporary_side_switch():
            yield
        self._run.clear_move_list()

    def tries(self) -> tuple[SolutionMove, ...]:
        """First moves that one reply refutes, each with that reply alone."""
        found: list[SolutionMove] = []
        if len(self.stipulation.ply_flags) == 1:
            return ()
        for engine_move in [move for move, what in self._moves_with_verdicts(0) if not what]:
            with self._temporary_move(engine_move, 0):
                refutations = [
                    self._solution_move_without_replies(move)
                    for move, what in self._moves_with_verdicts(1)
                    if not what
                ]
            if len(refutations) == 1:
                found.append(
                    replace(
                        self._solution_move_without_replies(engine_move), replies=tuple(refutations)
                    )
                )
        return tuple(found)

    def _solution_move_without_replies(self, engine_move: EngineMove) -> SolutionMove:
        """A move without what follows it."""
        move = self._move_builder.move(engine_move)
        return SolutionMove(move, self._move_text(move), reaches_goal=False)

    def _goal_or_check_suffix(self, *, reached: bool) -> str:
        goal = self.stipulation.goal
        if reached:
            return f" {goal}"
        return CHECK_SUFFIX if self._run.is_check() else ""

    def _move_text(self, move: Move) -> str:
        """A move as problemists write it, with the square it comes from."""
        if move.wall or move.gated or move.turned:
            return move.text
        if move.partner and move.origin:
            return "0-0" if move.partner[0][0] > move.origin[0] else "0-0-0"
        letter = self._letters[move.code]
        target = self._names(move.target)
        if move.origin is None:
            return f"{letter}@{target}"
        sign = "*" if move.captures else "-"
        passant = " ep." if move.captures and move.target not in move.captures else ""
        becomes = f"={self._letters[move.promotes]}" if move.promotes else ""
        bare = "" if letter == PAWN else letter
        return f"{bare}{self._names(move.origin)}{sign}{target}{becomes}{passant}"


def _is_threat_executed(reply: SolutionMove, threats: tuple[SolutionMove, ...]) -> bool:
    """Whether a threat is carried out after a reply."""
    moves = {each.move for each in threats}
    return any(each.move in moves for each in reply.replies)


# How far what follows a move is set in.
_INDENT = 4 * " "


def _solution_lines(solution: Solution) -> Iterator[str]:
    """The solutions, one a line where both sides help, else one a tree; tries come first."""
    for each in solution.shorter:
        yield from _solution_lines(each)
    write = _SolutionWriter(solution.stipulation)
    for key in solution.tries:
        (refutation,) = key.replies
        yield f"{write.number_prefix(0)}{key.text} ?"
        yield f"{_INDENT}but {write.number_prefix(1)}{refutation.text} !"
    for key in solution.keys:
        yield from write.lines(key, 0, write.number_prefix(0))


class _SolutionWriter:
    """Writes moves of solutions with their numbers."""

    def __init__(self, stipulation: Stipulation) -> None:
        self._ply_flags, self._series = stipulation.ply_flags, stipulation.series
        # Half a move more stands before the first whole one.
        self._late = (
            0 if self._series else len(self._ply_flags) % 2 and stipulation.kind.startswith("help")
        )

    def number_prefix(self, ply: int) -> str:
        """The number of the move of a ply that begins a line."""
        if self._series and self._ply_flags[ply - 1 : ply] != (CHOOSES | IN_SERIES,) and ply:
            return f"{ply}..."
        if self._series:
            return f"{ply + 1}."
        number, second = divmod(ply + self._late, 2)
        return f"{number + 1}{'...' if second else '.'}"

    def lines(self, key: SolutionMove, ply: int, head: str) -> Iterator[str]:
        """A move and what follows, behind what stands in its line already."""
        text = head + key.text
        if key.reaches_goal or ply + 1 == len(self._ply_flags):
            yield text
            return
        if self._ply_flags[ply + 1] & CHOOSES:
            number = self.number_prefix(ply + 1)
            head = f"{text} " if number.endswith("...") else f"{text}  {number}"
            for each in key.replies:
                yield from self.lines(each, ply + 1, head)
            return
        margin = _INDENT * (head.count(_INDENT) + 1)
        # Not where the other side has no choice but the last moves of the play.
        is_waiting = ply + 2 < len(self._ply_flags) and not key.gives_check
        told = " threat:" if key.threats else " zugzwang." if is_waiting else ""
        yield f"{text}{' !' if ply == 0 else ''}{told}"
        for each in key.threats:
            yield from self.lines(each, ply + 2, f"{margin}{_INDENT}{self.number_prefix(ply + 2)}")
        for reply in key.replies:
            yield from self._defence_lines(reply, ply + 1, margin)

    def _defence_lines(self, reply: SolutionMove, ply: int, margin: str) -> Iterator[str]:
        yield f"{margin}{self.number_prefix(ply)}{reply.text}"
        for each in reply.replies:
            yield from self.lines(each, ply + 1, f"{margin}{_INDENT}{self.number_prefix(ply + 1)}")
