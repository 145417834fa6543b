"""Normal form: what the letters alone cannot show, settled so that equal pieces are equal.

Two steps, each on a minimal automaton and each leaving one:

1. *Transparent squares.* A square that a path passes whatever stands there asks nothing. Where it
   lies inside the rectangle between the squares before and after it (so that it is on the board
   whenever they are) the two steps become one longer step: a leap, and a path that ignores what it
   passes, are the same piece. Loops of transparent steps stay as they are.
2. *Home.* The start square counts as empty. Where a path can come home the automaton is unrolled
   by displacement, if that is finite: steps that end at home become the one record for it, letters
   that ask for "away from home" are decided. Where it can never come home, they become plain.
"""

from __future__ import annotations

from alfil.meaning.automaton import (
    HOME,
    WHATEVER,
    Automaton,
    Edge,
    Record,
    State,
    canonical,
    edges_of,
)
from alfil.meaning.home import settle_home


def normalise(automaton: Automaton, *, joining: bool = True) -> Automaton:
    """The normal form of a canonical automaton; equal automata have equal normal forms.

    Without ``joining`` transparent squares stay: they are squares a trail is left on.
    """
    if not joining:
        return settle_home(automaton)
    return contract(settle_home(contract(automaton)))


def contract(automaton: Automaton) -> Automaton:
    """Join transparent steps with the steps after them where the rule of the module allows."""
    while True:
        edges = _contracted(automaton)
        if edges is None:
            return automaton
        automaton = canonical(edges, (0,))


def _contracted(automaton: Automaton) -> list[list[Edge]] | None:
    """The automaton with one round of transparent steps joined, or None when there is none."""
    clear = {
        index: [
            (record, target)
            for record in state
            for mask, target in record[4]
            if mask & WHATEVER == WHATEVER and record[2] == 0
        ]
        for index, state in enumerate(automaton.states)
    }
    if not any(clear.values()):
        return None
    looping = _looping({index: [t for _, t in steps] for index, steps in clear.items()})
    edges = edges_of(automaton)
    changed = False
    for index, steps in clear.items():
        for record, target in steps:
            if target in looping:
                continue
            joined = _joined(automaton, edges, index, record, target)
            changed = changed or joined
    return edges if changed else None


def has_loop(automaton: Automaton) -> bool:
    """Whether an automaton has infinitely many paths."""
    before = [0] * len(automaton.states)
    for state in automaton.states:
        for record in state:
            for _, target in record[4]:
                before[target] += 1
    queue = [index for index, count in enumerate(before) if not count]
    for index in queue:
        for record in automaton.states[index]:
            for _, target in record[4]:
                before[target] -= 1
                if not before[target]:
                    queue.append(target)
    return len(queue) < len(automaton.states)


def _looping(follow: dict[int, list[int]]) -> set[int]:
    """The states from which a loop of transparent steps can be reached."""
    grown = True
    # A state is safe once all its followers are; whatever never becomes safe reaches a loop.
    safe = {index for index, targets in follow.items() if not targets}
    while grown:
        fresh = {
            index
            for index, targets in follow.items()
            if index not in safe and all(target in safe for target in targets)
        }
        grown = bool(fresh)
        safe |= fresh
    return {index for index in follow if index not in safe}


def _joined(
    automaton: Automaton, edges: list[list[Edge]], index: int, record: Record, target: int
) -> bool:
    """Replace a transparent pass by longer steps; what may not be joined keeps its own state."""
    dx, dy = record[0], record[1]
    fits: list[Record] = []
    rest: list[Record] = []
    for after in automaton.states[target]:
        plain = after[2] == 0 and after[:3] != HOME and dx * after[0] >= 0 and dy * after[1] >= 0
        (fits if plain else rest).append(after)
    if not fits:
        return False
    key = (dx, dy, 0)
    row = edges[index]
    place = next(i for i, edge in enumerate(row) if edge[0] == key and edge[3] == target)
    mask = row[place][2]
    del row[place]
    if mask & ~WHATEVER:
        row.append((key, 0, mask & ~WHATEVER, target))
    if rest:
        row.append((key, 0, WHATEVER, len(edges)))
        edges.append(_edges(tuple(rest)))
    for after in fits:
        longer = (dx + after[0], dy + after[1], 0)
        row.append((longer, after[3], 0, -1))
        row.extend((longer, 0, each, onward) for each, onward in after[4])
    return True


def _edges(state: State) -> list[Edge]:
    row: list[Edge] = []
    for dx, dy, wrap, emit, passes in state:
        row.append(((dx, dy, wrap), emit, 0, -1))
        row.extend(((dx, dy, wrap), 0, mask, target) for mask, target in passes)
    return row
