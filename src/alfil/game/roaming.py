"""Moves of pieces that roam, as the engine has them: automata in lists (roaming.c)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from alfil.effort import too_much
from alfil.errors import BoardError
from alfil.game.patches import End, Patch
from alfil.game.plan import Plan
from alfil.meaning.automaton import AT_HOME, HOME, TRAIL, Automaton, Record, ending, passing
from alfil.meaning.piece import Guard, own_half
from alfil.meaning.situation import mode_of
from alfil.source import Source
from alfil.tables.table import ALL_CLASSES, STEP_SHIFT, Section
from alfil.tables.walking import TOO_MANY_MOVES

# So many moves that capture on their way or leave a trail are found by one walk at most.
MOST_BURDENED = 4096
# So many ways are followed for one list of moves, a matter of seconds.
MOST_WALKED = 1 << 26
# So many numbers tell the captures of such moves of all lists at once.
MOST_BURDENS = 1 << 18
# Ways that carry captures, besides those that do not.
_CARRYING = 1 << 16
# So many walks may have ends at once: that of a list, and what looks at other pieces meanwhile.
_AT_ONCE = 4
# So many trails of pieces that roam are known.
MOST_TRAILS = 4096


def ends_in(size: int) -> int:
    """How many ends a walk has on so many squares."""
    return 2 * size + 1 + MOST_BURDENED


def length_of(section: Section) -> int:
    """How many numbers a part that roams is for each square; trails are as long as a board."""
    states = section.automaton.states
    records = [record for state in states for record in state]
    trails = 2 * MOST_TRAILS * any(each.kind == "trail" for each in section.guard)
    return 3 + 2 * len(states) + sum(6 + 3 * len(record[4]) for record in records) + trails


def numbers_of(automaton: Automaton, guard: Guard, ranks: int) -> list[int]:
    """An automaton in numbers; what they mean is said in roaming.c."""
    mode, records = mode_of(guard), list[int]()
    head = [mode.greedy, int(mode.trail), own_half(ranks) if mode.middle else -1]
    starts = []
    for state in automaton.states:
        starts.append(len(head) + len(automaton.states) + len(records))
        records += [len(state), *(number for record in state for number in _record(record))]
    return [*head, *starts, *records]


def _record(record: Record) -> Iterator[int]:
    dx, dy, wrap, emit, passes = record
    quiet, captured = ending(emit)
    home = record[:3] == HOME
    yield from (dx, dy, wrap, AT_HOME if home else quiet, 0 if home else captured)
    yield 0 if home else len(passes)
    for mask, target in () if home else passes:
        by, over, take = passing(mask)
        yield from (by | over, take, target)


def fan_of(patch: Patch, home: int, size: int) -> Patch:
    """A part that roams with nodes for its ends: two for each square where it may end.

    The first is for moves that end there, the other for captures en passant, and at home for what
    captures and comes back.
    """
    nodes, ends = [], []
    for second, square in product((False, True), range(size)):
        taken = (square,) if second and square == home else ()
        passes = second and square != home
        emit = TRAIL if passes else ALL_CLASSES
        nodes.append(square << STEP_SHIFT | emit * (patch.room >> square & 1))
        ends.append(End(square, taken, (), (), passes))
    return patch._replace(nodes=nodes, skips=[*range(1, len(nodes) + 1)], ends=ends)


def room_for(size: int, states: int) -> dict[str, int]:
    """The room that the engine has for walks over automata of so many states, 0 where none are."""
    return {
        "roaming": bool(states),
        "most_ways": 1 << (size * states + _CARRYING).bit_length() if states else 0,
        "most_walked": MOST_WALKED,
        "most_burdened": MOST_BURDENED,
        "most_ends": _AT_ONCE * ends_in(size) if states else 0,
        "most_burdens": MOST_BURDENS if states else 0,
    }


def too_many_moves(plan: Plan, piece: int, square: int) -> BoardError:
    """The error of a list for a piece that has more moves than can be listed."""
    code, at = plan.kinds[(piece - 1) >> 1].code, plan.name(square)
    message = f"{code} on {at}: {TOO_MANY_MOVES.message}"
    return BoardError([replace(TOO_MANY_MOVES, message=message)], Source("", "<board>"))


def too_much_work(plan: Plan) -> BoardError:
    """The error of a list of moves for which more ways must be followed than anybody waits for."""
    source = Source(plan.variant.name, "<game>")
    return BoardError([too_much(source)], source)
