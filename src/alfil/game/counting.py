"""Sequences of moves counted by the engine, in as many threads as are wanted.

The interpreter is free while the engine works, so that threads count at once, and a key that
stops the program is heard.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from queue import SimpleQueue

from alfil.errors import RuleError, refuse
from alfil.game.plan import Act
from alfil.game.position import Position
from alfil.game.run import Run
from alfil.game.structs import COUNTING, Struct
from alfil.source import Source

# So many sequences, as far as can be told before, are counted in one go.
PORTION = 10**8
# From this depth on threads share the moves after each first one.
SHARED = 4
# The numbers of an entry in the table of positions met before.
_ENTRY = 3


class Counter(Run):
    """A position in the engine, to count sequences of at most ``depth`` moves.

    ``memory`` megabytes are for counts of positions that are met again.
    """

    def __init__(self, position: Position, depth: int, memory: int = 0) -> None:
        super().__init__(position, depth)
        slots = memory * 2**20 // (8 * _ENTRY)
        table = array("Q", [0]) * (_ENTRY * slots)
        self._counting = Struct(COUNTING, {"slots": slots}, {"table": table})

    def perft(self, depth: int) -> int:
        """The number of sequences of ``depth`` legal moves: all but the last ones are made."""
        return self.ask("perft", self._counting, 0, depth)

    def list_moves(self) -> list[Act]:
        """The moves that `after` tells by their number."""
        self._end = self.ask("generate", 0)
        return self.state.acts(0, self._end)

    def after(self, first: int, second: int, depth: int) -> int:
        """The sequences that begin with one of the moves, and go on with another one.

        With a ``second`` of -1 they go on with any.
        """
        return self.ask("perft_after", self._counting, first, self._end, depth, second)

    def stop(self) -> None:
        """Have the count end soon, whatever it gives."""
        self._counting["stop"] = 1


def perft(position: Position, depth: int, jobs: int = 1, memory: int = 0) -> int:
    """The number of sequences of ``depth`` legal moves; the rest is as for `divide`."""
    counter = Counter(position, depth)
    acts = counter.list_moves()
    if jobs == 1 and not memory and len(acts) ** depth <= PORTION:
        return counter.perft(depth)
    return sum(divide(position, acts, depth, jobs, memory))


def divide(
    position: Position,
    acts: list[Act],
    depth: int,
    jobs: int = 1,
    memory: int = 0,
    told: Callable[[int, int], None] = lambda _done, _of: None,
) -> list[int]:
    """For each of these legal moves, the number of sequences of ``depth`` that begin with it.

    ``jobs`` threads share the work, and ``memory`` megabytes for counts of positions met before;
    ``told`` hears how many parts of how many are done.
    """
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - no browser has it

    try:
        counters = [Counter(position, depth, memory // jobs) for _ in range(jobs)]
    except (MemoryError, OverflowError):
        message = f"there are no {memory} megabytes to be had"
        source = Source(position.plan.variant.name, "<game>")
        refuse(RuleError, "no-memory", message, source, hint="ask for fewer megabytes, or threads")
    numbers = [{act: n for n, act in enumerate(each.list_moves())} for each in counters]
    firsts = [numbers[0][act] for act in acts]
    tasks = [(first, -1) for first in firsts]
    if jobs > 1 and depth >= SHARED:
        answers = {first: counters[0].after(first, -1, 2) for first in firsts}
        tasks = [(first, second) for first in firsts for second in range(answers[first])]
    idle: SimpleQueue[Counter] = SimpleQueue()
    for each in counters:
        idle.put(each)

    def count(task: tuple[int, int]) -> int:
        counter = idle.get()
        try:
            return counter.after(*task, depth)
        finally:
            idle.put(counter)

    found = dict.fromkeys(firsts, 0)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for done, ((first, _), number) in enumerate(
                zip(tasks, pool.map(count, tasks), strict=True), 1
            ):
                found[first] += number
                told(done, len(tasks))
        except BaseException:
            for each in counters:
                each.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [found[first] for first in firsts]
