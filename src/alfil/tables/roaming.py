"""Which automata have paths that roam over an area, so that a tree of them would be too large."""

from __future__ import annotations

from alfil.meaning.automaton import (
    OVER_ANY,
    PAST_AWAY,
    PAST_EMPTY,
    TAKE_ENEMY,
    TAKE_FRIEND,
    TAKE_ROYAL,
    TAKE_TRAIL,
    THRU_ANY,
    State,
)

PASS_BY = PAST_EMPTY | PAST_AWAY | THRU_ANY
TAKE_PIECE = TAKE_ENEMY | TAKE_ROYAL | TAKE_FRIEND


def roams(states: tuple[State, ...]) -> bool:
    """Whether some loop leaves a choice at every round, so that paths multiply as they grow."""
    ways = [
        [target for record in state for mask, target in record[4] for _ in range(_branching(mask))]
        for state in states
    ]
    if not any(len(targets) > 1 for targets in ways):
        return False
    circle = _circles(ways)
    return any(
        sum(circle[target] == circle[index] for target in targets) > 1
        for index, targets in enumerate(ways)
    )


def _branching(mask: int) -> int:
    """How many branches a pass has: captures make paths of their own."""
    return sum(1 for some in (PASS_BY, OVER_ANY, TAKE_PIECE, TAKE_TRAIL) if mask & some)


def _circles(ways: list[list[int]]) -> list[int]:
    """A number for each state, shared by those that lead to each other (Kosaraju's algorithm)."""
    back: list[list[int]] = [[] for _ in ways]
    for index, targets in enumerate(ways):
        for target in targets:
            back[target].append(index)
    circle = [-1] * len(ways)
    for root in reversed(_finished(ways)):
        if circle[root] < 0:
            circle[root] = root
            queue = [root]
            for index in queue:
                fresh = [before for before in set(back[index]) if circle[before] < 0]
                for before in fresh:
                    circle[before] = root
                queue += fresh
    return circle


def _finished(ways: list[list[int]]) -> list[int]:
    """The states in the order in which a search depth first is done with them."""
    order: list[int] = []
    seen = [False] * len(ways)
    for root in range(len(ways)):
        stack = [(root, False)]
        while stack:
            index, left = stack.pop()
            if left:
                order.append(index)
            elif not seen[index]:
                seen[index] = True
                stack.append((index, True))
                stack += [(target, False) for target in ways[index] if not seen[target]]
    return order
