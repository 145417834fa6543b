"""Perft: move sequences counted by the engine, in several threads.

The interpreter is free while the engine works, so that threads count at once, and a key that
stops the program is heard.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from functools import partial
from queue import Empty, SimpleQueue
from typing import TypeAlias

from alfil.errors import RuleError, reject
from alfil.game.compiled_variant import EngineMove
from alfil.game.engine_interface import COUNTING, Struct
from alfil.game.engine_position import EnginePosition
from alfil.game.position import Position
from alfil.source import Source

# So many sequences, as far as can be told before, are counted in one go.
SEQUENCES_PER_CALL = 10**8
# From this depth on threads share the moves after each first one.
MIN_SHARED_DEPTH = 4
# The numbers of an entry in the table of positions met before.
_ENTRY_LENGTH = 3

# The first moves of tasks with their counts, or what went wrong.
_Counts: TypeAlias = "SimpleQueue[tuple[int, int] | BaseException]"


class PerftPosition(EnginePosition):
    """An engine position for perft of at most ``depth`` plies.

    ``memory`` megabytes are for counts of positions that are met again.
    """

    def __init__(self, position: Position, depth: int, memory: int = 0) -> None:
        super().__init__(position, depth)
        slots = memory * 2**20 // (8 * _ENTRY_LENGTH)
        table = array("Q", [0]) * (_ENTRY_LENGTH * slots)
        self._counting = Struct(COUNTING, {"slots": slots}, {"table": table})

    def perft(self, depth: int) -> int:
        """The number of sequences of ``depth`` legal moves: all but the last ones are made."""
        return self.call_engine("perft", self._counting, 0, depth)

    def list_moves(self) -> list[EngineMove]:
        """The legal moves, in the order of the numbers that `perft_after` takes."""
        self._end = self.call_engine("generate_legal_moves", 0)
        return self.state.engine_moves(0, self._end)

    def perft_after(self, first: int, second: int, depth: int) -> int:
        """The number of sequences that begin with two given moves.

        With a ``second`` of -1 they go on with any.
        """
        return self.call_engine("perft_after", self._counting, first, self._end, depth, second)

    def stop(self) -> None:
        """Stop the count soon; its result is meaningless."""
        self._counting["stop"] = 1


def perft(position: Position, depth: int, jobs: int = 1, memory: int = 0) -> int:
    """The number of sequences of ``depth`` legal moves; the rest is as for `divide`."""
    counter = PerftPosition(position, depth)
    engine_moves = counter.list_moves()
    if jobs == 1 and not memory and len(engine_moves) ** depth <= SEQUENCES_PER_CALL:
        return counter.perft(depth)
    return sum(divide(position, engine_moves, depth, jobs, memory))


def divide(
    position: Position,
    engine_moves: list[EngineMove],
    depth: int,
    jobs: int = 1,
    memory: int = 0,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> list[int]:
    """For each of these legal moves, the number of sequences of ``depth`` that begin with it.

    ``jobs`` threads share the work, and ``memory`` megabytes for counts of positions met before;
    ``progress`` hears how many parts of how many are done.
    """
    try:
        counters = [PerftPosition(position, depth, memory // jobs) for _ in range(jobs)]
    except (MemoryError, OverflowError):
        message = f"there are no {memory} megabytes to be had"
        source = Source(position.compiled.variant.name, "<game>")
        reject(RuleError, "no-memory", message, source, hint="ask for fewer megabytes, or threads")
    numbers = [
        {engine_move: n for n, engine_move in enumerate(each.list_moves())} for each in counters
    ]
    firsts = [numbers[0][engine_move] for engine_move in engine_moves]
    tasks = [(first, -1) for first in firsts]
    if jobs > 1 and depth >= MIN_SHARED_DEPTH:
        answers = {first: counters[0].perft_after(first, -1, 2) for first in firsts}
        tasks = [(first, second) for first in firsts for second in range(answers[first])]
    result = dict.fromkeys(firsts, 0)
    for done, (first, number) in enumerate(_counts_by_first_move(counters, tasks, depth), 1):
        result[first] += number
        progress(done, len(tasks))
    return [result[first] for first in firsts]


def _counts_by_first_move(
    counters: list[PerftPosition], tasks: list[tuple[int, int]], depth: int
) -> Iterator[tuple[int, int]]:
    """The first moves of all tasks, each with its count, as soon as it is known."""
    from alfil.game import engine_threads  # noqa: PLC0415 - no browser has it

    left: SimpleQueue[tuple[int, int]] = SimpleQueue()
    counts: _Counts = SimpleQueue()
    for task in tasks:
        left.put(task)
    try:
        for counter in counters:
            engine_threads.start(partial(_count_tasks, counter, depth, left, counts))
        for _ in tasks:
            found = counts.get()
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        for counter in counters:
            counter.stop()


def _count_tasks(
    counter: PerftPosition, depth: int, left: SimpleQueue[tuple[int, int]], counts: _Counts
) -> None:
    """Count after the moves of tasks as long as there are some."""
    try:
        while True:
            task = left.get_nowait()
            counts.put((task[0], counter.perft_after(*task, depth)))
    except Empty:
        return
    except BaseException as error:  # noqa: BLE001 - raised where it is waited for
        counts.put(error)
