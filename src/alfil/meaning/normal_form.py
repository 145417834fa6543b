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

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from math import gcd, inf

from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import LONGEST_STEP, Symmetry, apply_symmetry
from alfil.graphs import reachable, targets_first_order
from alfil.meaning.automaton import (
    HOME,
    ON_AWAY,
    ON_EMPTY,
    ON_EMPTY_OR_AWAY,
    PASS_ANYTHING,
    PAST_AWAY,
    PAST_EMPTY,
    PAST_EMPTY_OR_AWAY,
    Automaton,
    PassTransition,
    State,
    StateStep,
    StepKey,
    StepRecord,
    canonical_automaton,
    difference_product,
    has_wrapping,
    renumber_states,
    targets_by_state,
    with_shifted_targets,
    wrap_emit_and_pass_masks,
)
from alfil.meaning.piece_meaning import (
    FORWARD_CONDITIONS,
    SIDED_CONDITIONS,
    Fact,
    Guard,
    GuardedAutomaton,
    Meaning,
    footprint_of,
    meaning_of_parts,
)
from alfil.work_limit import charge

# More (state, displacement) pairs than this are not unrolled: the automaton keeps its letters.
UNROLL_LIMIT = 4_000
# So many relaxations are spent on proving that steps lead away from home; where they do not suffice
# all steps keep their letters.
WORK_LIMIT = 60_000

# In a larger automaton the moves from one state are not compared with those from another.
COMPARE_LIMIT = 300

Offset = tuple[int, int]

MAX_COURSE_LENGTH = 4
_PROGRESS_DIRECTIONS: tuple[Offset, ...] = tuple(
    (x, y)
    for x in range(-3, 4)
    for y in range(-3, 4)
    if (x, y) != (0, 0) and abs(x) + abs(y) <= MAX_COURSE_LENGTH
)


def normalise(automaton: Automaton, *, contract_transparent: bool = True) -> Automaton:
    """The normal form of a canonical automaton; equal automata have equal normal forms.

    Without ``contract_transparent`` transparent squares stay: they are squares a trail is left on.
    """
    outward = always_moves_outward(automaton)
    # Where it is, until its letters are plain a loop is not seen to be clear.
    joined = automaton
    if contract_transparent and not outward:
        joined = contract_transparent_steps(automaton)
    settled = resolve_home_letters(joined, outward=outward if joined is automaton else None)
    unchanged = settled is joined and not outward
    return settled if unchanged or not contract_transparent else contract_transparent_steps(settled)


def contract_transparent_steps(automaton: Automaton) -> Automaton:
    """Join transparent steps with the steps after them where the rule of the module allows."""
    while True:
        rows = _contract_once(automaton)
        if rows is None:
            return automaton
        automaton = canonical_automaton(rows, (0,))


def _contract_once(automaton: Automaton) -> list[list[StepRecord]] | None:
    """The automaton with one round of transparent steps joined, or None when there is none."""
    if wrap_emit_and_pass_masks(automaton.states)[2] & PASS_ANYTHING != PASS_ANYTHING:
        return None
    clear = [
        [
            (record, target)
            for record in state
            for mask, target in record[4]
            if mask & PASS_ANYTHING == PASS_ANYTHING and record[2] == 0
        ]
        for state in automaton.states
    ]
    if not any(clear):
        return None
    # From the others a loop of transparent steps can be reached.
    settled = set(targets_first_order([[target for _, target in steps] for steps in clear]))
    rows = [list(state) for state in automaton.states]
    changed = False
    for index, steps in enumerate(clear):
        for record, target in steps:
            if target in settled:
                changed = (
                    _contract_transparent_pass(automaton, rows, index, record, target) or changed
                )
    return rows if changed else None


def has_loop(automaton: Automaton) -> bool:
    """Whether an automaton has infinitely many paths."""
    return len(targets_first_order(targets_by_state(automaton.states))) < len(automaton.states)


def _contract_transparent_pass(
    automaton: Automaton, rows: list[list[StepRecord]], index: int, record: StepRecord, target: int
) -> bool:
    """Replace a transparent pass by longer steps; what may not be joined keeps its own state."""
    dx, dy = record[0], record[1]
    fits: list[StepRecord] = []
    rest: list[StepRecord] = []
    for after in automaton.states[target]:
        plain = after[2] == 0 and after[:3] != HOME and dx * after[0] >= 0 and dy * after[1] >= 0
        (fits if plain else rest).append(after)
    if not fits:
        return False
    row = rows[index]
    _, _, _, emit, passes = record
    kept_passes = [
        (mask & ~PASS_ANYTHING, to) if to == target else (mask, to) for mask, to in passes
    ]
    if rest:
        kept_passes.append((PASS_ANYTHING, len(rows)))
        rows.append(rest)
    row[row.index(record)] = (dx, dy, 0, emit, tuple([each for each in kept_passes if each[0]]))
    row += [(dx + x, dy + y, 0, ends, onward) for x, y, _, ends, onward in fits]
    return True


def resolve_home_letters(automaton: Automaton, *, outward: bool | None = None) -> Automaton:
    """Decide the letters that depend on whether the path has come home, as far as can be.

    ``outward`` is whether it `always_moves_outward`, where that is known.
    """
    wrap, emits, passed = wrap_emit_and_pass_masks(automaton.states)
    if wrap:
        return automaton  # on a wrapped board every way may lead home
    asks = emits & ON_AWAY or passed & PAST_AWAY
    if always_moves_outward(automaton) if outward is None else outward:
        return _merge_empty_and_away(automaton, set()) if asks else automaton
    places = _reachable_state_offsets(automaton)
    if places is None:
        return (
            _merge_empty_and_away(automaton, possibly_returning_steps(automaton))
            if asks
            else automaton
        )
    if not _may_return_home(automaton, places):
        return _merge_empty_and_away(automaton, set()) if asks else automaton
    return canonical_automaton(_unroll_by_offset(automaton, places), (0,))


def always_moves_outward(automaton: Automaton) -> bool:
    """Whether every path gains ground in the direction of its first step, as most pieces do."""
    states = automaton.states
    for dx, dy, _, _, passes in states[0]:
        seen: set[int] = set()
        queue = [target for _, target in passes]
        for index in queue:
            if index in seen:
                continue
            seen.add(index)
            for x, y, wrap, _, onward in states[index]:
                if x * dx + y * dy <= 0 and (x, y, wrap) != HOME:
                    return False
                if onward:
                    queue += [target for _, target in onward]
    return True


def _reachable_state_offsets(automaton: Automaton) -> dict[tuple[int, Offset], int] | None:
    """All (state, displacement) pairs in order of discovery, or None when there are too many."""
    start = (0, (0, 0))
    order = {start: 0}
    loops = [_self_loop_steps(state, index) for index, state in enumerate(automaton.states)]
    through: dict[tuple[int, int], bool] = {}
    # Depth first: where there are too many, a path soon leads beyond all boards.
    waiting: list[tuple[int, Offset]] = [start]
    while waiting:
        index, (x, y) = waiting.pop()
        for dx, dy in loops[index]:
            if x * dy != y * dx or x * dx + y * dy >= 0:
                return None  # it runs on for ever and does not come home, so there are too many
        charge(len(automaton.states[index]))
        for record in automaton.states[index]:
            where = dx, dy = (x + record[0], y + record[1])
            if abs(dx) > LONGEST_STEP or abs(dy) > LONGEST_STEP or len(order) > UNROLL_LIMIT:
                return None
            passes = (
                record[4] if dx or dy else _useful_passes_through_home(automaton, record, through)
            )
            for _, target in passes:
                pair = (target, where)
                if pair not in order:
                    order[pair] = len(order)
                    waiting.append(pair)
    return order


def _self_loop_steps(state: State, index: int) -> list[Offset]:
    """The steps from a state to itself that lead anywhere."""
    return [
        record[:2]
        for record in state
        if record[:2] != (0, 0) and any(target == index for _, target in record[4])
    ]


def _useful_passes_through_home(
    automaton: Automaton, record: StepRecord, through: dict[tuple[int, int], bool]
) -> list[PassTransition]:
    """The passes of a record through home that lead to something new.

    ``through`` remembers what has been found out about passing home.
    """
    for mask, target in record[4]:
        if (mask, target) not in through:
            through[mask, target] = _passing_home_adds_moves(automaton, mask, target)
    return [each for each in record[4] if through[each]]


def _passing_home_adds_moves(automaton: Automaton, mask: int, target: int) -> bool:
    """Whether passing home leads to anything that starting afresh does not."""
    if not mask & PAST_EMPTY:
        return False
    # Where a path takes or passes over a piece, the way it came to a square matters.
    passes_pieces = wrap_emit_and_pass_masks(automaton.states)[2] & ~(PAST_EMPTY | PAST_AWAY)
    return bool(passes_pieces) or _has_moves_beyond(automaton, target, 0)


def _has_moves_beyond(automaton: Automaton, index: int, other: int) -> bool:
    """Whether some move from a state is none from the other one, or may be in a large automaton."""
    if set(automaton.states[index]).issubset(automaton.states[other]):
        return False
    return len(automaton.states) > COMPARE_LIMIT or any(
        at < 0 or any(record[3] for record in row)
        for (_, (at,)), row in difference_product(automaton, [automaton], (index, (other,)))
    )


def _may_return_home(automaton: Automaton, places: dict[tuple[int, Offset], int]) -> bool:
    return any(
        dx == -x and dy == -y and (dx, dy, wrap) != HOME
        for index, (x, y) in places
        for dx, dy, wrap, _, _ in automaton.states[index]
    )


def _unroll_by_offset(
    automaton: Automaton, places: dict[tuple[int, Offset], int]
) -> list[list[StepRecord]]:
    rows: list[list[StepRecord]] = []
    for index, (x, y) in places:
        row: list[StepRecord] = []
        for record in automaton.states[index]:
            dx, dy, wrap, emit, passes = record
            where = (x + dx, y + dy)
            if (dx, dy, wrap) == HOME:
                row.append(record)
                continue
            if where == (0, 0):
                if emit & ON_EMPTY:
                    row.append((*HOME, ON_EMPTY, ()))
                emit = 0
                passes = tuple(
                    (PAST_EMPTY, target)
                    for mask, target in passes
                    if mask & PAST_EMPTY and (target, where) in places
                )
            led = [(_pass_as_empty(mask), places[target, where]) for mask, target in passes]
            row.append((dx, dy, wrap, _emit_as_empty(emit), tuple(led)))
        rows.append(row)
    return rows


def possibly_returning_steps(automaton: Automaton) -> set[StateStep]:
    """The steps that are not proved to lead away from home.

    Each first step is followed by itself. A later step is proved to lead away when for some course
    (x, y) the way made good along it stays above zero on every path to the end of the step: the
    least such way is found by relaxation, and a loop that loses ground proves nothing. Where the
    work does not suffice nothing is proved so, and a turn of the board turns what is found. Nor
    does a step lead home that ends an odd number of files or ranks away, as on the other colour.
    """
    even = _steps_to_even_squares(automaton)
    return even and even & _steps_that_may_lose_ground(automaton)


def _steps_to_even_squares(automaton: Automaton) -> set[StateStep]:
    """The steps, but for those to home, that may end even numbers of files and ranks away."""
    result: set[StateStep] = set()
    places = {(0, 0, 0): None}
    for index, x, y in (queue := [*places]):
        for record in automaton.states[index]:
            to = (x + record[0]) % 2, (y + record[1]) % 2
            if to == (0, 0) and record[:3] != HOME:
                result.add((index, record[:2]))
            fresh = [(target, *to) for _, target in record[4] if (target, *to) not in places]
            places |= dict.fromkeys(fresh)
            queue += dict.fromkeys(fresh)
    charge(len(places))
    return result


def _steps_that_may_lose_ground(automaton: Automaton) -> set[StateStep]:
    """The steps for which no course proves that they lead away from home."""
    result: set[StateStep] = set()
    work = _AutomatonWithWorkLimit(automaton)
    for dx, dy, _, _, passes in automaton.states[0]:
        roots = {target for _, target in passes}
        if roots:
            result |= _returning_steps_after((dx, dy), roots, work)
        if work.left <= 0:
            return _steps_taken_from(reachable(work.targets[0], work.targets.__getitem__), work)
    return result


def _steps_taken_from(states: Iterable[int], work: _AutomatonWithWorkLimit) -> set[StateStep]:
    """The steps that are taken from some states, but for those to home."""
    return {
        (index, record[:2])
        for index in states
        for record in work.states[index]
        if record[:3] != HOME
    }


class _AutomatonWithWorkLimit:
    """An automaton, and how much may still be spent on it."""

    def __init__(self, automaton: Automaton) -> None:
        self.states = automaton.states
        self.targets = targets_by_state(automaton.states)
        self.left = WORK_LIMIT


def _returning_steps_after(
    first: Offset, roots: set[int], work: _AutomatonWithWorkLimit
) -> set[StateStep]:
    passed = reachable(roots, work.targets.__getitem__)
    charge(len(passed))
    open_steps = _steps_taken_from(passed, work)
    charge(len(open_steps) // 4)
    for course in _distinct_courses(first, {step for _, step in open_steps}):
        if not open_steps or work.left <= 0:
            break
        least = _least_progress_by_state(work, course, first, roots)
        open_steps = {
            (index, step)
            for index, step in open_steps
            if least[index] + step[0] * course[0] + step[1] * course[1] <= 0
        }
    return open_steps


def _distinct_courses(first: Offset, steps: Collection[Offset]) -> list[Offset]:
    """The courses that tell these steps apart in different ways, those along the first before."""
    result: dict[tuple[int, ...], Offset] = {}
    for x, y in sorted(_PROGRESS_DIRECTIONS, key=lambda c: -(c[0] * first[0] + c[1] * first[1])):
        ways = [x * dx + y * dy for dx, dy in (first, *steps)]
        unit = gcd(*ways)
        if unit:
            result.setdefault(tuple([way // unit for way in ways]), (x, y))
    return list(result.values())


def _least_progress_by_state(
    work: _AutomatonWithWorkLimit, course: Offset, first: Offset, roots: set[int]
) -> dict[int, float]:
    """The least way made good on reaching each state after a first step, perhaps without bound."""
    cx, cy = course
    least: dict[int, float] = dict.fromkeys(roots, first[0] * cx + first[1] * cy)
    led_by: dict[int, int] = {}
    queue = list(roots)
    while queue:
        if work.left <= 0:
            return dict.fromkeys(reachable(roots, work.targets.__getitem__), -inf)
        changed: dict[int, None] = {}
        charge(len(queue) + len(led_by) // 4)
        for index in queue:
            for dx, dy, _, _, passes in work.states[index]:
                way = least[index] + dx * cx + dy * cy
                work.left -= len(passes)
                for _, target in passes:
                    if way < least.get(target, inf):
                        least[target] = way
                        led_by[target] = index
                        changed[target] = None
        # What sinks by way of itself sinks for ever.
        for index in reachable(_one_state_per_cycle(led_by), work.targets.__getitem__):
            least[index] = -inf
            led_by.pop(index, None)
        queue = [index for index in changed if least[index] > -inf]
    return least


def _one_state_per_cycle(led_by: Mapping[int, int]) -> list[int]:
    """One state of each circle of states of which each is led by the next."""
    result: list[int] = []
    seen: dict[int, int] = {}
    for start in led_by:
        index = start
        while index in led_by and index not in seen:
            seen[index] = start
            index = led_by[index]
            if seen.get(index) == start:
                result.append(index)
    return result


def distinguishes_home(automaton: Automaton) -> bool:
    """Whether some letter asks for a square away from home."""
    _, emits, passed = wrap_emit_and_pass_masks(automaton.states)
    return bool(emits & ON_AWAY or passed & PAST_AWAY)


def _merge_empty_and_away(automaton: Automaton, homing: set[StateStep]) -> Automaton:
    """The automaton with one letter where "empty" and "away from home" are the same.

    They are on all but the ``homing`` steps. The letter is plain "empty", unless some homing step
    ends the move away from home: then that is the letter, so that steps do not differ for nothing.
    """
    away = any(
        record[3] & ON_AWAY and (index, record[:2]) in homing
        for index, state in enumerate(automaton.states)
        for record in state
    )
    emit_as = _emit_as_away if away else _emit_as_empty
    settled = [
        [
            record
            if (index, record[:2]) in homing
            else _record_without_home_letters(record, emit_as)
            for record in state
        ]
        for index, state in enumerate(automaton.states)
    ]
    return canonical_automaton(settled, (0,))


def _record_without_home_letters(record: StepRecord, emit_as: Callable[[int], int]) -> StepRecord:
    dx, dy, wrap, emit, passes = record
    plain = tuple([(_pass_as_empty(mask), target) for mask, target in passes])
    return dx, dy, wrap, emit_as(emit), plain


def _emit_as_away(emit: int) -> int:
    return emit & ~ON_EMPTY | ON_AWAY if emit & ON_EMPTY else emit


def _emit_as_empty(emit: int) -> int:
    return emit & ~ON_AWAY | ON_EMPTY if emit & ON_AWAY else emit


class _StateVisit(NamedTuple):
    """A state on a path that roams: the step that led there, and how the move could end by it.

    ``before`` and ``ends_before`` are the state before that step and how the move could end there.
    ``step`` is (0, 0) where the step passed anything but an empty square, and ``open`` is whether
    no step so far did.
    """

    state: int
    step: Offset
    ends: int
    before: int
    ends_before: int
    open: bool


def without_detours(automaton: Automaton) -> Automaton:
    """The automaton without some paths that have the moves of shorter ones, where it roams.

    Over empty squares a step straight back tells nothing new where the path could have ended there,
    or has been there in a state with all the moves of the new one; nor does a way through home to a
    state that has nothing beyond the first. It is asked of moves whose way leaves nothing behind.
    """
    if (
        has_wrapping(automaton.states)
        or not has_loop(automaton)
        or always_moves_outward(automaton)  # it neither steps back nor comes home
    ):
        return automaton
    has_moves_beyond = cache(partial(_has_moves_beyond, automaton))
    # Nobody ends away from home at home.
    first = _StateVisit(0, (0, 0), ON_AWAY, -1, 0, open=True)
    order = {first: 0}
    rows: list[list[StepRecord]] = []
    for visit in (queue := [first]):
        row: list[StepRecord] = []
        for dx, dy, wrap, emit, passes in automaton.states[visit.state]:
            ends = emit & ON_EMPTY_OR_AWAY
            back = (dx, dy) == (-visit.step[0], -visit.step[1])
            kept_passes = emit
            if back:  # to an empty square, or home
                kept_passes = 0 if visit.ends_before & ON_EMPTY else ends & ~visit.ends_before
            led: list[PassTransition] = []
            for mask, target in passes:
                is_open = not mask & ~PAST_EMPTY_OR_AWAY
                if back and is_open and not has_moves_beyond(target, visit.before):
                    continue
                step = (dx, dy) if is_open else (0, 0)
                still_open = visit.open and is_open
                after = _StateVisit(target, step, ends, visit.state, visit.ends, still_open)
                if after not in order:
                    order[after] = len(order)
                    queue.append(after)
                known = still_open and not has_moves_beyond(target, 0)
                passed = PAST_AWAY if known else mask
                led.append((PAST_EMPTY if is_open and visit is first else passed, order[after]))
            row.append((dx, dy, wrap, kept_passes, tuple(led)))
        rows.append(row)
    return canonical_automaton(rows, (0,))


def _pass_as_empty(mask: int) -> int:
    return mask & ~PAST_AWAY | PAST_EMPTY if mask & PAST_AWAY else mask


def turned(meaning: Meaning, turn: Symmetry) -> Meaning | None:
    """The moves of a piece with all vectors turned; facts are left out.

    None where that is no piece: files that wrap do not become ranks that wrap, and castling,
    running up to the middle of the board and having stood a rank behind keep forward as it is, and
    standing in one half of the board keeps right as it is.
    """
    if not all(_is_turnable(part, turn) for part in meaning.parts):
        return None
    return meaning_of_parts(
        GuardedAutomaton(guard, _turned_automaton(automaton, turn))
        for guard, automaton in meaning.parts
    )


def _is_turnable(part: GuardedAutomaton, turn: Symmetry) -> bool:
    guard, automaton = part
    kinds = {condition.kind for condition in guard}
    return (
        (turn[1] == (0, 1) or kinds.isdisjoint(FORWARD_CONDITIONS))
        and (turn[0] == (1, 0) or kinds.isdisjoint(SIDED_CONDITIONS))
        and (turn[0][0] != 0 or not has_wrapping(automaton.states))
    )


def invariance_test(meaning: Meaning) -> Callable[[Symmetry], bool]:
    """Which turns leave a piece's moves and size as they are, as if `turned` were compared.

    >>> from alfil import read
    >>> quarter = ((0, -1), (1, 0))
    >>> invariance_test(read("N").meaning)(quarter), invariance_test(read("fN").meaning)(quarter)
    (True, False)
    """
    parts = [(part, _RecordsByVector(part.automaton.states)) for part in meaning.parts]
    wide, high = footprint_of(meaning.facts)[-1]
    return lambda turn: (
        (turn[0][0] != 0 or wide == high)
        and all(_is_turnable(part, turn) and _is_invariant(result, turn) for part, result in parts)
    )


class _RecordsByVector(dict[int, dict[StepKey, StepRecord]]):
    """The records of the states of an automaton by their vectors, once a state is asked for."""

    def __init__(self, states: Sequence[State]) -> None:
        self.states = states

    def __missing__(self, index: int) -> dict[StepKey, StepRecord]:
        result = self[index] = {record[:3]: record for record in self.states[index]}
        return result


def _is_invariant(records: _RecordsByVector, turn: Symmetry) -> bool:
    """Whether every path turned is a path too: state by state, each beside the one it turns to."""
    beside = {0: 0}
    queue = [0]
    for index in queue:
        state, other = records.states[index], records[beside[index]]
        if len(state) != len(other):
            return False
        for dx, dy, wrap, emit, passes in state:
            result = other.get((*apply_symmetry(turn, (dx, dy)), wrap))
            if not result or result[3] != emit or len(result[4]) != len(passes):
                return False
            # Passes are in the order of their masks.
            for (mask, target), (by, onto) in zip(passes, result[4], strict=True):
                if target not in beside:
                    beside[target] = onto
                    queue.append(target)
                if by != mask or beside[target] != onto:
                    return False
    return True


def _turned_automaton(automaton: Automaton, turn: Symmetry) -> Automaton:
    """Nothing but the vectors changes, so only the order of the states has to be found anew."""
    states: list[State] = [
        tuple(
            (*apply_symmetry(turn, (dx, dy)), wrap, emit, passes)
            for dx, dy, wrap, emit, passes in state
        )
        for state in automaton.states
    ]
    return renumber_states(states)


def union_automaton(automata: list[Automaton], *, contract_transparent: bool = True) -> Automaton:
    """One automaton with the paths of all, in normal form."""
    if len(automata) == 1:
        return automata[0]
    rows: list[State] = []
    starts: list[int] = []
    for automaton in automata:
        starts.append(len(rows))
        rows += [with_shifted_targets(state, len(rows)) for state in automaton.states]
    joined = canonical_automaton(rows, starts)
    if distinguishes_home(joined):  # of settled automata only those that wander are looked at again
        joined = resolve_home_letters(joined)
    return contract_transparent_steps(joined) if contract_transparent else joined


def union_of_meanings(meanings: Iterable[Meaning]) -> Meaning:
    """All the moves of some meanings, with the facts of all; raises `TooManyStates`."""
    held: dict[Guard, list[Automaton]] = {}
    facts: list[Fact] = []
    for meaning in meanings:
        facts += meaning.facts
        for guard, automaton in meaning.parts:
            held.setdefault(guard, []).append(automaton)
    return meaning_of_parts(
        [GuardedAutomaton(guard, union_automaton(automata)) for guard, automata in held.items()],
        facts,
    )
