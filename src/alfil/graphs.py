"""What leads to what: all that is reached from somewhere, and the states that lead to no loop."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def reachable(starts: Iterable[T], onward: Callable[[T], Iterable[T]]) -> list[T]:
    """Some things and all that they lead to, each once, those that are fewer steps away first.

    >>> reachable([12], lambda number: [number // 2, number // 3] if number > 1 else [])
    [12, 6, 4, 3, 2, 1, 0]
    """
    queue = list(dict.fromkeys(starts))
    seen = set(queue)
    for each in queue:
        for after in onward(each):
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return queue


def reverse_graph(follow: Sequence[Iterable[int]]) -> list[list[int]]:
    """For each state, those that lead to it."""
    before: list[list[int]] = [[] for _ in follow]
    for index, targets in enumerate(follow):
        for target in targets:
            before[target].append(index)
    return before


def targets_first_order(follow: Sequence[Sequence[int]]) -> list[int]:
    """The states from which no loop is reached, each after all it leads to."""
    before = reverse_graph(follow)
    waiting = list(map(len, follow))
    settled = [index for index, count in enumerate(waiting) if not count]
    for index in settled:
        for previous in before[index]:
            waiting[previous] -= 1
            if not waiting[previous]:
                settled.append(previous)
    return settled
