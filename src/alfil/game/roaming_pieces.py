"""Moves of roaming pieces as automata in lists, for the engine (roaming.c)."""

from __future__ import annotations

from array import array
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from math import gcd

from alfil.errors import BoardError
from alfil.frozen_dataclasses import NamedTuple
from alfil.game.compiled_variant import CompiledVariant
from alfil.game.square_sections import MoveEnd, SquareSection
from alfil.graphs import reachable, reverse_graph
from alfil.meaning.automaton import (
    AT_HOME,
    ENEMY,
    FRIEND,
    HOME,
    ON_ROYAL,
    ON_TRAIL,
    PIECE_CLASSES,
    ROYAL,
    TAKE_ROYAL,
    TRAIL,
    Automaton,
    StepRecord,
    classes_by_passage,
    contents_by_end,
    has_wrapping,
    targets_by_state,
    wrap_emit_and_pass_masks,
)
from alfil.meaning.partial_position import mode_of_guard
from alfil.meaning.piece_meaning import Guard, ranks_in_own_half
from alfil.source import Source
from alfil.tables.move_generation import TOO_MANY_MOVES
from alfil.tables.move_table import ALL_CLASSES, CLASS_MASK, STEP_SHIFT, TableSection
from alfil.work_limit import work_limit_diagnostic

# So many moves that capture on their way or leave a trail are found by one walk at most.
MAX_CAPTURING_ENDS = 4096
# So many ways are followed for one list of moves, a matter of seconds.
MAX_PATHS = 1 << 26
# So many numbers tell the captures of such moves of all lists at once.
MAX_CAPTURE_PATHS = 1 << 18
# Ways that carry captures, besides those that do not.
_MAX_PATHS_WITH_CAPTURES = 1 << 16
# So many walks may have ends at once: that of a list, and what looks at other pieces meanwhile.
_CONCURRENT_WALKS = 4
# What a piece calls friends and enemies that it may capture where its path has gone over nothing.
UNJUMPABLE_FRIEND, UNJUMPABLE_ENEMY = 32, 64
# So many trails of pieces that roam are known.
MAX_EP_PATHS = 4096


def max_walk_ends(size: int) -> int:
    """The maximum number of ends of a walk."""
    return 2 * size + 1 + MAX_CAPTURING_ENDS


def roaming_section_length(section: TableSection) -> int:
    """How many numbers a part that roams is for each square; trails are as long as a board."""
    states = section.automaton.states
    records = [record for state in states for record in state]
    trails = 2 * MAX_EP_PATHS * any(each.kind == "trail" for each in section.guard)
    onward = sum(len(record[4]) for record in records)
    return 6 + 4 * len(states) + 10 * len(records) + 7 * onward + trails


def encode_automaton(
    automaton: Automaton, guard: Guard, ranks: int, *, has_unjumpable_pieces: bool = False
) -> list[int]:
    """An automaton in numbers; what they mean is said in roaming.c.

    A piece with ``has_unjumpable_pieces`` captures what it may not jump over where its path has
    gone over nothing.
    """
    mode, records = mode_of_guard(guard), list[int]()
    jumped = (
        states_after_jumps(automaton) if has_unjumpable_pieces else range(len(automaton.states))
    )
    head = [
        mode.greedy,
        int(mode.leaves_ep_squares),
        ranks_in_own_half(ranks) if mode.middle else -1,
    ]
    first = len(head) + 1 + len(automaton.states)
    starts, transitions = [], list[_Transition]()
    for number, state in enumerate(automaton.states):
        starts.append(first + len(records))
        records.append(len(state))
        for record in state:
            onward = [] if record[:3] == HOME else _transitions_of_record(number, record)
            records += _encode_step_record(record, onward, jumped=number in jumped)
            transitions += onward
    back = first + len(records)
    if has_wrapping(automaton.states):
        return [*head, -1, *starts, *records]
    return [*head, back, *starts, *records, *_encode_reverse_steps(automaton, transitions, back)]


def _encode_reverse_steps(
    automaton: Automaton, transitions: list[_Transition], start: int
) -> list[int]:
    """The ways back from a royal and from each state; they stand from a number on."""
    ways: list[set[tuple[int, int, int, int]]] = [set() for _ in (None, *automaton.states)]
    for state, records in enumerate(automaton.states):
        for x, y, _, emit, passes in records:
            if emit & ON_ROYAL or any(mask & TAKE_ROYAL for mask, _ in passes):
                ways[0].add((state + 1, x, y, ENEMY | ROYAL | UNJUMPABLE_ENEMY))
    for state, (x, y, _), over, captured, target in transitions:
        ways[target + 1].add((state + 1, x, y, over | captured))
    result, lists = list[int](), list[int]()
    for each in ways:
        result.append(start + len(ways) + len(lists))
        lists += [len(each), *chain.from_iterable(sorted(each))]
    return [*result, *lists]


class _Transition(NamedTuple):
    """A path goes on by a step from a state to a state, over some classes or by capturing some."""

    state: int
    step: tuple[int, int, int]
    over: int
    captured: int
    target: int


def _transitions_of_record(state: int, record: StepRecord) -> list[_Transition]:
    """How paths go on by a record of a state."""
    transitions = []
    for mask, target in record[4]:
        by, over, taken = classes_by_passage(mask)
        transitions.append(_Transition(state, record[:3], by | over, taken, target))
    return transitions


def _transitions(automaton: Automaton) -> list[_Transition]:
    """How paths go on from all states."""
    return [
        passage
        for state, records in enumerate(automaton.states)
        for record in records
        for passage in _transitions_of_record(state, record)
    ]


@lru_cache(maxsize=64)  # asked for each square where moves may end
def captures_on_way(automaton: Automaton) -> bool:
    """Whether a move captures before its last square."""
    return any(each.captured for each in _transitions(automaton))


@lru_cache(maxsize=64)
def is_capture_known_by_target(automaton: Automaton) -> bool:
    """Whether on each board the last square of a move tells what it has captured before that.

    So it is where each path that captures on its way runs straight on by one step, no other such
    path goes the same way by longer steps, and what stands on a square is either captured or not.
    True only with this proof.
    """
    transitions = _transitions(automaton)
    leads = targets_by_state(automaton.states)
    taking = [each for each in transitions if each.captured]
    after = set(reachable([each.target for each in taking], leads.__getitem__))
    before = set(reachable([each.state for each in taking], reverse_graph(leads).__getitem__))
    capturing = [
        each
        for each in transitions
        if each.captured or each.state in after or each.target in before
    ]
    ends = [
        (state, record[:3]) for state in after for record in automaton.states[state] if record[3]
    ]
    return _are_runs_straight(capturing, ends) and _is_capture_decided_by_occupant(capturing)


def _are_runs_straight(
    transitions: list[_Transition], ends: list[tuple[int, tuple[int, int, int]]]
) -> bool:
    """Whether paths of some passages and ends go on by the step by which they came."""
    came: dict[int, set[tuple[int, int, int]]] = {}
    for each in transitions:
        came.setdefault(each.target, set()).add(each.step)
    steps = {each.step for each in transitions}
    ways = {(x // gcd(x, y), y // gcd(x, y)) for x, y, wrap in steps if (x or y) and not wrap}
    return len(ways) == len(steps) and all(
        came.get(state, {step}) == {step}
        for state, step in chain(((each.state, each.step) for each in transitions), ends)
    )


def _is_capture_decided_by_occupant(transitions: list[_Transition]) -> bool:
    """Whether what stands on a square of a run decides whether it is captured."""
    over: dict[tuple[int, int, int], int] = {}
    captured: dict[tuple[int, int, int], int] = {}
    for each in transitions:
        over[each.step] = over.get(each.step, 0) | each.over
        captured[each.step] = captured.get(each.step, 0) | each.captured
    return not any(over[step] & captured[step] for step in over)


def states_after_jumps(automaton: Automaton) -> set[int]:
    """The states that a path may be in after it has gone over a piece."""
    jumps = {
        target
        for state in automaton.states
        for record in state
        for mask, target in record[4]
        if _is_jump(mask)
    }
    return set(reachable(jumps, targets_by_state(automaton.states).__getitem__))


def has_states_with_and_without_jump(automaton: Automaton) -> bool:
    """Whether a path may be in such a state that has not gone over a piece."""
    clear = [
        [target for record in state for mask, target in record[4] if _may_pass_empty_square(mask)]
        for state in automaton.states
    ]
    cleared = reachable([0], clear.__getitem__)
    return not states_after_jumps(automaton).isdisjoint(cleared)


def _may_pass_empty_square(mask: int) -> bool:
    by, over, _ = classes_by_passage(mask)
    return bool((by | over) & ~PIECE_CLASSES)


def _is_jump(mask: int) -> bool:
    by, over, taken = classes_by_passage(mask)
    return bool((by | over | taken) & PIECE_CLASSES)


def _encode_step_record(
    record: StepRecord, transitions: list[_Transition], *, jumped: bool
) -> list[int]:
    """A record with the passages by it, of a state whose paths may have ``jumped``."""
    dx, dy, wrap, emit, _ = record
    quiet, captured = contents_by_end(emit)
    if not jumped:
        captured |= UNJUMPABLE_ENEMY if captured & ENEMY else 0
        captured |= UNJUMPABLE_FRIEND if captured & FRIEND else 0
    if record[:3] == HOME:
        quiet, captured = AT_HOME, 0
    onward = [(each.over, each.captured, each.target) for each in transitions]
    return [dx, dy, wrap, quiet, captured, len(onward), *chain.from_iterable(onward)]


def add_end_nodes(square_moves: SquareSection, home: int, size: int) -> SquareSection:
    """A part that roams with nodes for its ends: two for each square where it may end.

    The first is for moves that end there, the other for captures en passant, and at home for what
    captures and comes back.
    """
    nodes = _end_nodes(size)[:]
    nodes[size + home] |= ALL_CLASSES
    if square_moves.room != (1 << size) - 1:
        for node, word in enumerate(nodes):
            nodes[node] = word if square_moves.room >> node % size & 1 else word & ~CLASS_MASK
    back = {size + home: MoveEnd(home, (home,), (), (), takes_trail=False)}
    skips = array("i", range(1, len(nodes) + 1))
    walked = square_moves.automaton
    if walked and wrap_emit_and_pass_masks(walked.states)[1] & ON_TRAIL:
        back = _en_passant_ends_by_node(size) | back
    return square_moves._replace(nodes=nodes, skips=skips, traced=back)


@lru_cache(maxsize=16)
def _end_nodes(size: int) -> array[int]:
    """The nodes of moves that end on each square, and of captures en passant there."""
    emits = ALL_CLASSES, TRAIL
    return array("i", [square << STEP_SHIFT | emit for emit in emits for square in range(size)])


@lru_cache(maxsize=16)
def _en_passant_ends_by_node(size: int) -> dict[int, MoveEnd]:
    """The ends of captures en passant on each square, by node."""
    return {size + square: MoveEnd(square, (), (), (), takes_trail=True) for square in range(size)}


def walk_memory_lengths(size: int, states: int) -> dict[str, int]:
    """The room that the engine has for walks over automata of so many states, 0 where none are."""
    return {
        "roaming": bool(states),
        "most_ways": 1 << (size * states + _MAX_PATHS_WITH_CAPTURES).bit_length() if states else 0,
        "most_walked": MAX_PATHS,
        "most_burdened": MAX_CAPTURING_ENDS,
        "most_ends": _CONCURRENT_WALKS * max_walk_ends(size) if states else 0,
        "most_burdens": MAX_CAPTURE_PATHS if states else 0,
    }


def too_many_moves_error(compiled: CompiledVariant, piece: int, square: int) -> BoardError:
    """The error of a list for a piece that has more moves than can be listed."""
    code, at = compiled.kinds[(piece - 1) >> 1].code, compiled.square_name(square)
    message = f"{code} on {at}: {TOO_MANY_MOVES.message}"
    return BoardError([replace(TOO_MANY_MOVES, message=message)], Source("", "<board>"))


def too_much_work_error(compiled: CompiledVariant) -> BoardError:
    """The error of a list of moves for which more ways must be followed than anybody waits for."""
    source = Source(compiled.variant.name, "<game>")
    return BoardError([work_limit_diagnostic(source)], source)
