"""The search of the opponent: threads of the engine that share what they find.

One of them decides; the others look at the same position, each in its own order, and leave what
they find in the same table of positions, so that it gets farther in the same time ("lazy SMP").
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import pairwise
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from alfil.game import engine_interface as engine
from alfil.game.engine_interface import Struct
from alfil.game.engine_memory import IntArray, reserve_array
from alfil.game.game_position import GamePosition
from alfil.game.moves import Move, MoveBuilder
from alfil.play.evaluation_terms import TermNumbers

if TYPE_CHECKING:
    from concurrent.futures import Future

    from alfil.play.game import Game

# What pieces reach is noted up to so many squares.
REACH_ROOM = 8192
# Whoever may stop a search, or is told of it, is asked so often, in seconds.
STOP_INTERVAL = 0.01
# So often at least in the time that a move has as a rule.
POLLS = 20
# A search takes this share of that time, by how many depths in a row found the same move before;
# up to so much more where a depth has a score so many hundredths of a move below the one before.
SHARE_BY_SAME_MOVES = (1.2, 0.9, 0.75, 0.6, 0.5)
MORE_FOR_DROP, FULL_DROP = 0.5, 150
# The shortest time to think, in seconds.
MIN_TIME = 0.001
# Nobody waits longer, in seconds, and clocks of some systems know no longer time.
LONGEST_WAIT = 10**8
# Lists of moves, one in the other, have room for so many moves, or for so many lists.
LISTED, LISTS = 1 << 21, 3
# What is good for the search of the next move too, beside the table of positions.
KEPT = frozenset({"history", "continuations"})
# A search has room for a game of so many moves and goes on with longer ones after it has been laid
# out again.
INITIAL_LINE = 256


class Iteration(NamedTuple):
    """What was found by looking one move farther."""

    score: int
    nodes: int


class SearchTime(NamedTuple):
    """How many seconds a search may take: as a rule, and at most.

    Where the two differ it ends sooner while each depth finds the same move, and takes longer where
    the best move changes or turns out worse. Otherwise it takes all its time.
    """

    optimum: float
    maximum: float

    @classmethod
    def exactly(cls, seconds: float) -> SearchTime:
        """The time of a search that takes so many seconds."""
        return cls(seconds, seconds)

    def less(self, seconds: float) -> SearchTime:
        """What is left of it after so many seconds, a thousandth of a second at least."""
        return SearchTime(*(max(MIN_TIME, each - seconds) for each in self))


# Is told of what was found, and by looking how many moves ahead.
ReportIteration = Callable[[int, Iteration], None]


class ValueTable(NamedTuple):
    """What a search goes by: the arrays of `PieceValues`, what it is worth to be on the move.

    Beside these there are weights of terms, or a move more than the other side is worth something.
    Each value is two, for the middle game and for the endgame; where these differ, ``whole`` is how
    much material there is at the start.
    """

    arrays: dict[str, array[int]]
    on_move: tuple[int, int]
    mobility: int = 0
    whole: int = 0
    terms: TermTable | None = None


class TermTable(NamedTuple):
    """Weights of terms, how much material each kind is, and which kinds gain by going ahead.

    ``lead_scale`` is that of `SquareValues`.
    """

    weights: array[int]
    kind_worth: array[int]
    advancing: array[int]
    lead_scale: array[int]


def reserve_for_search(position: GamePosition, spare_moves: int) -> None:
    """Have room for so many moves of a game and for the lines of a search, with their lists."""
    line = engine.LONGEST + 4
    position.reserve(line + spare_moves, min(line, max(LISTS, LISTED // position.state.list_room)))


def reserve_hash(bits: int) -> IntArray:
    """A table of positions, with two to the power of ``bits`` entries."""
    return reserve_array("q", 2 << bits)


def search_struct(
    position: GamePosition,
    values: ValueTable,
    nodes: int,
    entries: IntArray,
    roots: Sequence[int] = (),
) -> Struct:
    """What the engine's search needs beside a position, with a table of positions.

    ``roots`` are the first moves to look at, all of them where none are given.
    """
    compiled, line = position.plan, engine.LONGEST + 4
    numbers = {"allowed": nodes, "last_entry": len(entries) // 2 - 1}
    numbers |= {"longest": position.state.list_room, "extending": 1, "roots": len(roots)}
    numbers |= dict(zip(("on_move", "on_move_late"), values.on_move, strict=True))
    numbers |= {"mobility": values.mobility, "whole": values.whole}
    lengths = {"ahead": 2 * line, "killers": 2 * line, "evals": line, "placed": line}
    lengths |= {"history": compiled.wall * compiled.size, "continuations": engine.CONTINUATIONS}
    lengths["threats"] = compiled.size
    arrays: dict[str, IntArray] = {}
    if values.terms:
        arrays |= values.terms._asdict()
        numbers["weighing"] = int(any(values.terms.weights))
        numbers["kind_terms"] = TermNumbers(len(compiled.kinds)).in_kind
        numbers |= {"terms_room": REACH_ROOM, "reach_room": REACH_ROOM}
        lengths |= {"listed": REACH_ROOM, "reach": REACH_ROOM + 1}
        lengths |= dict.fromkeys(("guards", "cheapest"), 2 * compiled.size)
    arrays |= {name: reserve_array("i", length) for name, length in lengths.items()}
    arrays["evaluations"] = reserve_array("q", 2 * engine.EVALUATIONS)
    arrays["iterations"] = array("q", bytes(8 * len(Iteration._fields) * engine.LONGEST))
    arrays["first_moves"] = array("i", bytes(4 * engine.WIDTH * engine.LONGEST))
    arrays["rated"] = reserve_array("i", len(position.state.moves) // engine.WIDTH + 1)
    arrays["entries"] = entries
    arrays["root_codes"] = array("q", roots)
    arrays |= values.arrays
    return Struct(engine.SEARCH, numbers, arrays)


class _SearchThread:
    """One thread: a position of its own, and what it learns of moves."""

    def __init__(
        self,
        played: GamePosition,
        values: ValueTable,
        nodes: int,
        entries: IntArray,
        roots: Sequence[int],
    ) -> None:
        self.position = played.copy()
        # How many moves ahead it does not look by itself.
        self.skipped = 0
        reserve_for_search(self.position, INITIAL_LINE)
        self.struct = search_struct(self.position, values, nodes, entries, roots)
        self._zeros = {
            name: reserve_array("i", len(self.struct.arrays[name]))
            for name in ("ahead", "killers", "evals", "placed", "history", "continuations")
        }

    def try_restart(self, game_position: GamePosition, nodes: int, *, keep: bool) -> bool:
        """Take over another position; whether there is room for that."""
        if not self.position.copy_from(game_position, engine.LONGEST + 4):
            return False
        for name, zeros in self._zeros.items():
            if not (keep and name in KEPT):
                memoryview(self.struct.arrays[name])[:] = memoryview(zeros)
        for name in ("score", "reached", "halt", "visited"):
            self.struct[name] = 0
        self.struct["allowed"] = nodes
        self.struct["round"] += not keep
        return True

    def think(self, depth: int) -> None:
        """Search here, until the end."""
        self.position.call_engine("think", self.struct, depth)

    def halt(self) -> None:
        """Have it end soon: lists of moves where they are, then the search."""
        self.struct["halt"] = 1
        self.position.state.struct["stopped"] = 1


class _SoftLimit:
    """When to stop between two depths, where a search has a usual time and may take longer."""

    def __init__(self, main_thread: Struct, time: SearchTime) -> None:
        self._struct, self._optimum = main_thread, time.optimum
        self._begun, self._reached = perf_counter(), 0
        self.poll_interval = min(STOP_INTERVAL, time.optimum / POLLS)

    def is_exceeded(self) -> bool:
        """Whether a depth has just been searched, and there is no time for another one."""
        reached = min(self._struct["reached"], engine.LONGEST)
        if self._reached == reached:
            return False
        self._reached = reached
        moves, width = self._struct.arrays["first_moves"], engine.WIDTH
        scores = self._struct.arrays["iterations"][: reached * len(Iteration._fields)]
        share = share_of_time(
            [bytes(moves[width * each : width * (each + 1)]) for each in range(reached)],
            scores[:: len(Iteration._fields)],
        )
        return perf_counter() - self._begun >= share * self._optimum


def share_of_time(best_moves: Sequence[object], scores: Sequence[int]) -> float:
    """The share of its usual time that a search takes which has found this at each depth so far.

    >>> share_of_time(["e2e4", "d2d4"], [20, 20]), share_of_time(["e2e4"] * 5, [20] * 5)
    (1.2, 0.5)
    """
    same = 0
    for move, before in pairwise(best_moves):
        same = same + 1 if move == before else 0
    share = SHARE_BY_SAME_MOVES[min(same, len(SHARE_BY_SAME_MOVES) - 1)]
    drop = scores[-2] - scores[-1] if len(scores) > 1 else 0
    return share * (1 + MORE_FOR_DROP * max(0.0, min(drop / FULL_DROP, 1.0)))


class OpponentSearch:
    """The search for a move, with room for the positions of one game; ``values`` of its pieces.

    ``threads`` share ``nodes`` positions and a table of positions of two to the power of
    ``hash_bits``.
    """

    def __init__(
        self,
        played: GamePosition,
        values: ValueTable,
        nodes: int,
        threads: int,
        hash_bits: int,
        roots: Sequence[int],
    ) -> None:
        self._size = threads, hash_bits
        entries = reserve_hash(hash_bits)
        self._threads = [
            _SearchThread(played, values, nodes // threads, entries, roots) for _ in range(threads)
        ]

    def try_restart(self, game_position: GamePosition, nodes: int, *size: int, keep: bool) -> bool:
        """Take over another position; whether there is room for that, and the ``size`` is the same.

        Unless it is to ``keep`` what earlier searches found, it finds what a new one finds.
        """
        return size == self._size and all(
            thread.try_restart(game_position, nodes // len(self._threads), keep=keep)
            for thread in self._threads
        )

    def think(
        self,
        depth: int,
        time: SearchTime | None,
        stopped: Callable[[], bool] | None = None,
        on_iteration: ReportIteration | None = None,
    ) -> None:
        """Look for the best of the legal moves.

        The search runs beside this so that time and Ctrl-C can stop it. In a browser nothing runs
        beside it, and the number of positions alone ends it.
        """
        told = 0
        soft_limit = None
        if time and time.optimum < time.maximum:
            soft_limit = _SoftLimit(self._threads[0].struct, time)
        interval = STOP_INTERVAL if stopped or on_iteration else inf
        if soft_limit:
            interval = min(interval, soft_limit.poll_interval)
        seconds = time.maximum if time else None
        with closing(self._search_yielding_at_intervals(depth, seconds, interval)) as intervals:
            for _ in intervals:
                told = self._report_new_iterations(on_iteration, told)
                if (stopped and stopped()) or (soft_limit and soft_limit.is_exceeded()):
                    break
        self._report_new_iterations(on_iteration, told)

    def _search_yielding_at_intervals(
        self, depth: int, seconds: float | None, interval: float
    ) -> Generator[None]:
        """Search until the end, or until whoever is asked between waits has enough."""
        main, *others = self._threads
        if sys.platform == "emscripten":
            main.think(depth)
            return
        from alfil.game import engine_threads  # noqa: PLC0415 - no browser has it

        for number, thread in enumerate(others):
            # Half of them begin one move deeper, so that they do not all do the same.
            thread.struct["reached"] = thread.skipped = 1 - number % 2
        thinking: list[Future[None]] = []
        try:
            # The system may have no more threads, and those that search are to end then.
            for thread in self._threads:
                thinking.append(engine_threads.start(partial(thread.think, depth)))
            yield from _wait_yielding_at_intervals(thinking[0], seconds, interval)
        finally:
            for thread in self._threads:
                thread.halt()
            for each in thinking:
                each.exception()
            for each in thinking:
                each.result()

    def _report_new_iterations(
        self, on_iteration: ReportIteration | None, reported_depth: int
    ) -> int:
        """Tell what the first thread has found since it had looked so far; how far it has now."""
        if not on_iteration:
            return reported_depth
        main, *others = self._threads
        reached = main.struct["reached"]
        elsewhere = sum(thread.struct["visited"] for thread in others)
        width = len(Iteration._fields)
        for depth in range(reported_depth, reached):
            numbers = main.struct.arrays["iterations"][width * depth : width * (depth + 1)]
            found = Iteration(*numbers)
            on_iteration(depth + 1, found._replace(nodes=found.nodes + elsewhere))
        return reached

    def move(self, move_builder: MoveBuilder) -> Move:
        """The move that the search has found, the first one if it had no time for any."""
        best = self._deepest_thread()
        position, state = best.position, best.position.state
        for thread in self._threads:
            thread.position.state.struct["stopped"] = 0
        result = state.engine_moves(0, 1) if state.moves[0] != engine.NO_MOVE else []
        if result and move_builder.distinct:
            return move_builder.move(result[0])
        position.clear_move_list()
        index = position.engine_moves().index(result[0]) if result else 0
        return move_builder.legal_move_at(position, index)

    def _deepest_thread(self) -> _SearchThread:
        """The thread that has looked farthest ahead, of those the first."""
        looked = [each for each in self._threads if each.struct["reached"] > each.skipped]
        return max(looked or self._threads[:1], key=lambda each: each.struct["reached"])

    def first_move(self, game: Game, depth: int) -> Move:
        """What the first thread had found to be the best by looking so many moves ahead."""
        with game._lock:
            position = game._game_position
            index = position.call_engine(
                "find_move_of_iteration", self._threads[0].struct, depth - 1
            )
            position.clear_move_list()
            return game._move_builder.legal_move_at(position, index)

    def line(self, game: Game, move: Move, most: int) -> tuple[Move, ...]:
        """How a game would go on with a move, as far as that is remembered: so many at most."""
        line, ahead = [move], game.copy()
        ahead.push(move)
        while len(line) < most and not ahead.outcome():
            position = ahead._game_position
            index = position.call_engine("find_hash_move", self._threads[0].struct)
            position.clear_move_list()
            if index < 0:
                break
            line.append(ahead._move_builder.legal_move_at(position, index))
            ahead.push(line[-1])
        return tuple(line)

    def score_depth_and_nodes(self) -> tuple[int, int, int]:
        """The score, how many moves ahead it was found, and at how many positions."""
        best = self._deepest_thread().struct
        nodes = sum(thread.struct["visited"] for thread in self._threads)
        return best["score"], best["reached"], nodes


def _wait_yielding_at_intervals(
    search_future: Future[None], seconds: float | None, interval: float
) -> Iterator[None]:
    """Wait for a search to end, for so long; between waits somebody may be asked."""
    end = inf if seconds is None else perf_counter() + max(0, min(seconds, LONGEST_WAIT))
    while not search_future.done() and perf_counter() < end:
        left = max(0.0, end - perf_counter())
        try:
            search_future.exception(min(interval, LONGEST_WAIT, left))
        except TimeoutError:
            yield
