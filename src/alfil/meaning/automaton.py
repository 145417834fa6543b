"""The canonical automaton: what a piece may do, as a set of paths.

A path is a row of squares; each is reached by a vector from the one before and asks something of
the square. Letters are kept packed: a state is a tuple of records, one per vector,

    (dx, dy, wrap, emit, passes)

``emit`` is a mask of the ways the move may end on that square, ``passes`` a tuple of
(mask, next state), each mask telling what may stand there when the path goes on. ``wrap`` is 0 but
where the board wraps: there it is a mask of WRAP bits. The record with the vector (0, 0) ends the
move at home, wherever the path is by then.

The automaton is deterministic (no two passes of a record share a bit), minimal, and numbered in
breadth-first order of its sorted records, so ``==`` on automata is equality of their path sets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, reduce
from itertools import chain
from operator import itemgetter, or_
from typing import NamedTuple, TypeAlias

from alfil.frozen_dataclasses import dataclass
from alfil.graphs import reachable, reverse_graph, targets_first_order
from alfil.work_limit import charge

# Ways a move may end on a square.
ON_EMPTY = 1
ON_ENEMY = 2
ON_ROYAL = 4
ON_FRIEND = 8
ON_TRAIL = 16
ON_AWAY = 32  # on an empty square that is not the start square
CAPTURE_ENDS = ON_ENEMY | ON_ROYAL
MOVE_OR_CAPTURE = ON_EMPTY | CAPTURE_ENDS

# What may stand on a square that a path goes on from; captured pieces stay until the move ends.
PAST_EMPTY = 1
TAKE_ENEMY = 2
TAKE_ROYAL = 4
TAKE_FRIEND = 8
TAKE_TRAIL = 16
OVER_ENEMY = 32
OVER_ROYAL = 64
OVER_FRIEND = 128
PAST_AWAY = 256  # an empty square that is not the start square
# A piece passed by a path that might as well pass an empty square there: it is no hurdle.
THRU_ENEMY = 512
THRU_ROYAL = 1024
THRU_FRIEND = 2048
OVER_ANY = OVER_ENEMY | OVER_ROYAL | OVER_FRIEND
THRU_ANY = THRU_ENEMY | THRU_ROYAL | THRU_FRIEND
TAKE_ANY = TAKE_ENEMY | TAKE_ROYAL
TAKE_BITS = TAKE_ANY | TAKE_FRIEND | TAKE_TRAIL
PASS_ANYTHING = PAST_EMPTY | THRU_ANY
# An empty square anywhere; it need not be said besides that it may be away from home.
ON_EMPTY_OR_AWAY = ON_EMPTY | ON_AWAY
PAST_EMPTY_OR_AWAY = PAST_EMPTY | PAST_AWAY

# How a step wraps. A leg on a wrapped board stops before the square it began on, so its first step
# is marked; squares that a lame or jumping leap skips are no stops, and are marked too.
WRAP_FILES = 1
WRAP_BOTH = 2
WRAP_BEGINS = 4
WRAP_SKIPS = 8

# What a square may hold. A trail square is vacant and may be captured on; home is where the path
# began, which counts as empty. Letters stand in this order in the masks of records.
VACANT, ENEMY, ROYAL, FRIEND, TRAIL, AT_HOME = 1, 2, 4, 8, 16, 128
FREE_CLASSES = VACANT | TRAIL
PIECE_CLASSES = ENEMY | ROYAL | FRIEND
CAPTURABLE_CLASSES = PIECE_CLASSES | TRAIL

# The letters for each class of piece: ending there, taking it, hopping over it, passing it.
LETTERS_BY_CLASS = {
    ENEMY: (ON_ENEMY, TAKE_ENEMY, OVER_ENEMY, THRU_ENEMY),
    ROYAL: (ON_ROYAL, TAKE_ROYAL, OVER_ROYAL, THRU_ROYAL),
    FRIEND: (ON_FRIEND, TAKE_FRIEND, OVER_FRIEND, THRU_FRIEND),
}

PassTransition: TypeAlias = tuple[int, int]
StepRecord: TypeAlias = tuple[int, int, int, int, tuple[PassTransition, ...]]
State: TypeAlias = tuple[StepRecord, ...]
StepKey: TypeAlias = tuple[int, int, int]
# A state, and the vector of one of its steps.
StateStep: TypeAlias = tuple[int, tuple[int, int]]
# A state of one automaton, and where the same path leads in each of some others (-1: nowhere).
ProductNode: TypeAlias = tuple[int, tuple[int, ...]]

# A description whose automaton would be larger than this is refused with an error.
STATE_LIMIT = 20_000
# An automaton with more states than this is looked at as a whole, not by its first steps.
MAX_STATES_TO_SPLIT = 64

# To put a record in its class and order takes so many times as long as to look at one.
WORK_PER_SORTED_RECORD = 3

HOME: StepKey = (0, 0, 0)
_vector = itemgetter(0, 1, 2)
# The class of states that lead to no end.
DEAD_STATE_CLASS = 0


class TooManyStates(Exception):
    """The automaton under construction has outgrown ``STATE_LIMIT``."""


@dataclass(frozen=True, slots=True)
class Automaton:
    """A canonical automaton; state 0 is the start. See the module's text for the records."""

    states: tuple[State, ...]

    def __bool__(self) -> bool:
        """Whether there is any move at all."""
        return bool(self.states[0])


EMPTY_AUTOMATON = Automaton(((),))


def canonical_automaton(states: Sequence[Sequence[StepRecord]], starts: Iterable[int]) -> Automaton:
    """The canonical automaton of an unfinished one: determinised, minimal and numbered.

    ``starts`` are the states a path may start in; several records of a state may have one vector.
    Raises `TooManyStates` when the deterministic automaton has more than ``STATE_LIMIT`` states.
    """
    return renumber_states(*minimise(determinise(states, starts)))


# A state of an automaton that is made deterministic: one of the unfinished one, or several at once.
StateSubset: TypeAlias = int | frozenset[int]


def determinise(states: Sequence[Sequence[StepRecord]], starts: Iterable[int]) -> list[State]:
    """Subset construction; state 0 is the start. The records of a state stand in order."""
    beginning = set(starts)
    if beginning == {0} and (plain := _sorted_if_deterministic(states)):
        return plain
    queue = [_subset_key(beginning)]
    ids = {queue[0]: 0}
    result: list[State] = []
    for subset in queue:
        row: list[StepRecord] = []
        for dx, dy, wrap, emit, led in _merged_records(states, subset):
            passes: list[PassTransition] = []
            for mask, targets in led:
                target = ids.get(targets)
                if target is None:
                    target = ids[targets] = len(queue)
                    queue.append(targets)
                passes.append((mask, target))
            row.append((dx, dy, wrap, emit, tuple(passes)))
        result.append(tuple(row))
        if len(queue) > STATE_LIMIT:
            raise TooManyStates
    return result


# A record that leads to states of an automaton that is made deterministic.
MergedRecord: TypeAlias = tuple[int, int, int, int, Sequence[tuple[int, StateSubset]]]


def _merged_records(
    states: Sequence[Sequence[StepRecord]], subset: StateSubset
) -> Sequence[MergedRecord]:
    """The records of some states at once, one for each vector, in order."""
    if isinstance(subset, int) and _is_deterministic_state(states[subset]):
        charge(len(states[subset]))
        return sorted(states[subset])
    alike = _records_by_vector(states, subset)
    return [(*key, _merged_emits(alike[key]), _merged_passes(alike[key])) for key in sorted(alike)]


def _sorted_if_deterministic(states: Sequence[Sequence[StepRecord]]) -> list[State] | None:
    """The states as they are, with their records in order; None where paths share their squares."""
    if len(states) > STATE_LIMIT:
        return None
    if not all(map(_is_deterministic_state, states)):
        return None
    result = [tuple(sorted(state) if len(state) > 1 else state) for state in states]
    charge(_record_count(result))
    return result


def _is_deterministic_state(state: Sequence[StepRecord]) -> bool:
    """Whether the records of a state have a vector each, and lead one way for each letter."""
    if len(state) > 1 and len(set(map(_vector, state))) < len(state):
        return False
    for _, _, _, emit, passes in state:
        if emit & ON_EMPTY_OR_AWAY == ON_EMPTY_OR_AWAY:
            return False
        if passes and (
            passes[0][0] & PAST_EMPTY_OR_AWAY == PAST_EMPTY_OR_AWAY
            if len(passes) == 1
            else not _are_disjoint(passes)
        ):
            return False
    return True


def _are_disjoint(passes: tuple[PassTransition, ...]) -> bool:
    """Whether passes share no letter and no target."""
    every = 0
    targets: list[int] = []
    for mask, target in passes:
        if every & mask or target in targets:
            return False
        every |= mask
        targets.append(target)
    return without_redundant_empty(every) == every


def _subset_key(members: Collection[int]) -> StateSubset:
    return next(iter(members)) if len(members) == 1 else frozenset(members)


def _records_by_vector(
    states: Sequence[Sequence[StepRecord]], subset: StateSubset
) -> dict[StepKey, list[StepRecord]]:
    """The records of some states by their vectors."""
    alike: dict[StepKey, list[StepRecord]] = {}
    for member in (subset,) if isinstance(subset, int) else subset:
        records = states[member]
        charge(len(records))
        for record in records:
            key = record[:3]
            if key in alike:
                alike[key].append(record)
            else:
                alike[key] = [record]
    return alike


def _merged_emits(records: list[StepRecord]) -> int:
    """The ways to end that some of the records of one vector have."""
    emit = 0
    for record in records:
        emit |= record[3]
    return emit & ~ON_AWAY if emit & ON_EMPTY else emit


def _merged_passes(records: list[StepRecord]) -> Sequence[tuple[int, StateSubset]]:
    """Where the records of one vector lead together: masks that share no bit, and the targets."""
    if len(records) == 1 and _are_disjoint(records[0][4]):
        return records[0][4]
    masks: dict[int, int] = {}
    for record in records:
        for mask, target in record[4]:
            masks[target] = masks.get(target, 0) | mask
    every = reduce(or_, masks.values(), 0)
    if every == sum(masks.values()) and without_redundant_empty(every) == every:
        return [(mask, target) for target, mask in masks.items()]
    return _disjoint_masks(masks)


def _disjoint_masks(masks: Mapping[int, int]) -> list[tuple[int, StateSubset]]:
    """Masks by targets as masks that share no bit."""
    alike: dict[int, set[int]] = {}
    for target, mask in masks.items():
        alike.setdefault(mask, set()).add(target)
    led: dict[StateSubset, int] = {}
    for bit, _ in _single_bit_passes(((reduce(or_, alike), 0),)):
        # Anywhere includes away from home, so the narrower letter may take the wider way too.
        bit_wanted = bit | PAST_EMPTY if bit == PAST_AWAY else bit
        together = _subset_key(
            set().union(*[to for mask, to in alike.items() if mask & bit_wanted])
        )
        led[together] = led.get(together, 0) | bit
    return [(without_redundant_empty(mask), targets) for targets, mask in led.items()]


def without_redundant_empty(mask: int) -> int:
    """The mask without the bit for empty squares away from home where any empty one will do."""
    return mask & ~PAST_AWAY if mask & PAST_EMPTY else mask


def minimise(states: list[State]) -> tuple[list[State], int]:
    """States of which each has a future and no two have the same, and which of them is the start.

    One without a future is there besides, for a piece that never moves.
    """
    charge(WORK_PER_SORTED_RECORD * _record_count(states))
    follow: list[list[int]] = []
    returns = False
    for index, state in enumerate(states):
        targets: list[int] = []
        for record in state:
            for _, target in record[4]:
                targets.append(target)
                returns = returns or target < index
        follow.append(targets)
    order: Sequence[int] = range(len(states) - 1, -1, -1)
    if returns:
        onward = [[to for to in targets if to != at] for at, targets in enumerate(follow)]
        order = targets_first_order(onward)
    if len(order) == len(states):
        return _minimise_loop_free(states, order, follow)
    return _minimise_by_refinement(without_dead_ends(states))


def _record_count(states: Iterable[Sequence[StepRecord]]) -> int:
    return sum(map(len, states))


def without_dead_ends(states: Sequence[State]) -> list[State]:
    """The states without the records and passes that lead to no end; the numbers stay."""
    ending = [at for at, state in enumerate(states) if any(record[3] for record in state)]
    if len(ending) < len(states):
        alive = set(reachable(ending, reverse_graph(targets_by_state(states)).__getitem__))
        if len(alive) < len(states):
            states = [
                tuple(
                    (dx, dy, wrap, emit, tuple([one for one in passes if one[1] in alive]))
                    for dx, dy, wrap, emit, passes in state
                )
                for state in states
            ]
    return [
        state
        if all(record[3] or record[4] for record in state)
        else tuple([record for record in state if record[3] or record[4]])
        for state in states
    ]


class EndContents(NamedTuple):
    """What may stand on a square where a move ends, without a capture there and with one."""

    quiet: int
    capture: int


@cache
def contents_by_end(emit: int) -> EndContents:
    """What may stand on a square where a move ends."""
    quiet = FREE_CLASSES if emit & (ON_EMPTY | ON_AWAY) else 0
    quiet |= AT_HOME if emit & ON_EMPTY else 0
    return EndContents(quiet, emit & CAPTURABLE_CLASSES)


class PassageClasses(NamedTuple):
    """What may stand on a square where a path goes on, by what happens there.

    ``free`` is passed as if it were not there, ``hurdle`` is jumped over, ``capture`` is taken.
    """

    free: int
    hurdle: int
    capture: int


@cache
def classes_by_passage(mask: int) -> PassageClasses:
    """What may stand on a square where a path goes on.

    >>> classes_by_passage(PAST_AWAY | OVER_ENEMY | TAKE_FRIEND) == (FREE_CLASSES, ENEMY, FRIEND)
    True
    """
    free = FREE_CLASSES if mask & (PAST_EMPTY | PAST_AWAY) else 0
    free |= AT_HOME if mask & PAST_EMPTY else 0
    return PassageClasses(
        free | mask >> 8 & PIECE_CLASSES, mask >> 4 & PIECE_CLASSES, mask & CAPTURABLE_CLASSES
    )


def targets_by_state(states: Sequence[State]) -> list[list[int]]:
    """Where each state leads to."""
    return [[target for record in state for _, target in record[4]] for state in states]


def _minimise_loop_free(
    states: list[State], order: Iterable[int], follow: Sequence[Sequence[int]]
) -> tuple[list[State], int]:
    """As `minimise`, for states that lead to none but themselves and those before in the order.

    In the future of a state that leads to itself its own class is -1. So another one has that
    future too if it leads to the class wherever the first leads to itself.
    """
    classes = [-1] * len(states)
    result: list[State] = [()]
    ids: dict[State, int] = {(): DEAD_STATE_CLASS}
    # The classes of those that lead to themselves.
    circular: set[int] = set()
    for index in order:
        future = _state_signature(states[index], classes)
        circles = index in follow[index]
        if circles and not _leaves_self_loop(future):
            future = ()
        kind = ids.get(future)
        if kind is None and circular:
            kind = _class_of_matching_self_loop(
                future, circular.intersection([classes[to] for to in follow[index]]), result, ids
            )
        if kind is None:
            kind = ids[future] = len(result)
            if circles:
                circular.add(kind)
                future = _replace_target(future, -1, kind)
            result.append(future)
        classes[index] = kind
    return result, classes[0]


def _leaves_self_loop(future: State) -> bool:
    """Whether a state that leads to itself leads anywhere else, or to an end."""
    for _, _, _, emit, passes in future:
        if emit:
            return True
        for _, kind in passes:
            if kind >= 0:
                return True
    return False


def _class_of_matching_self_loop(
    future: State, circular: set[int], result: list[State], ids: dict[State, int]
) -> int | None:
    """The one of the classes that lead to themselves which has this future, None if none has.

    ``circular`` are those that the future leads to: such a class leads to itself, so whatever has
    its future leads to it as well, or to itself instead and nowhere to the class.
    """
    for kind in circular:
        alike = len(result[kind]) == len(future) and result[kind][0][:4] == future[0][:4]
        if alike and ids.get(_replace_target(future, kind, -1)) == kind:
            return kind
    return None


def _minimise_by_refinement(states: list[State]) -> tuple[list[State], int]:
    """As `minimise`, where there are loops of several states; these are told apart by rounds."""
    follow = targets_by_state(states)
    classes = [-1] * len(states)
    ids: dict[State, int] = {(): DEAD_STATE_CLASS}
    for index in targets_first_order(follow):
        classes[index] = ids.setdefault(_state_signature(states[index], classes), len(ids))
    looping = [index for index, kind in enumerate(classes) if kind < 0]
    classes, count = _refine_classes(states, looping, classes, len(ids), reverse_graph(follow))
    result: list[State] = [()] * count
    for kind, state in zip(classes, states, strict=True):
        result[kind] = result[kind] or _state_signature(state, classes)
    return result, classes[0]


def _refine_classes(
    states: list[State],
    looping: list[int],
    classes: list[int],
    settled: int,
    before: list[list[int]],
) -> tuple[list[int], int]:
    """The classes with those of looping states told apart until nothing changes.

    Only states that lead to one whose class has changed are looked at again, and of the parts of a
    class the largest keeps its number, so that each state changes its class but a few times.
    """
    for index in looping:
        classes[index] = settled
    members = {settled: set(looping)}
    doubtful: Iterable[int] = looping
    while doubtful:
        changed: list[int] = []
        for kind, groups in _split_into_groups(states, doubtful, classes).items():
            for lot in _groups_to_renumber(members[kind], groups):
                fresh = settled + len(members)
                members[fresh] = set(lot)
                members[kind] -= members[fresh]
                for index in lot:
                    classes[index] = fresh
                changed += lot
        doubtful = dict.fromkeys(index for target in changed for index in before[target])
    return classes, settled + len(members)


def _split_into_groups(
    states: list[State], doubtful: Iterable[int], classes: list[int]
) -> dict[int, list[list[int]]]:
    """For each class the states in doubt, in lots with the same future as far as is known."""
    groups: dict[int, dict[object, list[int]]] = {}
    for index in doubtful:
        alike = groups.setdefault(classes[index], {})
        alike.setdefault(_state_signature(states[index], classes), []).append(index)
    return {kind: list(alike.values()) for kind, alike in groups.items()}


def _groups_to_renumber(members: set[int], groups: list[list[int]]) -> list[list[int]]:
    """The lots that get a class of their own; the rest, whose future is unchanged, is one too."""
    largest = max(groups, key=len)
    rest = len(members) - sum(map(len, groups))
    if rest >= len(largest):
        return groups
    others = [lot for lot in groups if lot is not largest]
    if rest:
        others.append(sorted(members.difference(*groups)))
    return others


def _state_signature(state: State, classes: Sequence[int] | Mapping[int, int]) -> State:
    """The records of a state with classes of states for states, without those that lead nowhere."""
    result: list[StepRecord] = []
    for record in state:
        dx, dy, wrap, emit, passes = record
        if not passes:
            if emit:
                result.append(record)
            continue
        onward: tuple[PassTransition, ...] = ()
        if len(passes) > 1:
            onward = _merge_passes_by_class(passes, classes)
        elif (kind := classes[passes[0][1]]) != DEAD_STATE_CLASS:
            onward = ((passes[0][0], kind),)
        if onward or emit:
            result.append((dx, dy, wrap, emit, onward))
    return tuple(result)


def _replace_target(future: State, old_class: int, new_class: int) -> State:
    """A future in which what leads to one class leads to another."""
    kinds = {to: new_class if to == old_class else to for record in future for _, to in record[4]}
    return _state_signature(future, kinds)


def _merge_passes_by_class(
    passes: tuple[PassTransition, ...], classes: Sequence[int] | Mapping[int, int]
) -> tuple[PassTransition, ...]:
    """The passes by class of target, masks to the same class united, in order of their masks."""
    united: dict[int, int] = {}
    for mask, target in passes:
        kind = classes[target]
        if kind != DEAD_STATE_CLASS:
            united[kind] = united.get(kind, 0) | mask
    # As `without_redundant_empty`, once for each of many.
    plain = [(m & ~PAST_AWAY if m & PAST_EMPTY else m, kind) for kind, m in united.items()]
    return tuple(sorted(plain) if len(plain) > 1 else plain)


def renumber_states(states: Sequence[State], start: int = 0) -> Automaton:
    """The same automaton numbered breadth first, records and passes sorted."""
    order = {start: 0}
    queue = [start]
    rows: list[State] = []
    for index in queue:
        row: list[StepRecord] = []
        state = states[index]
        # No two records share a vector, so nothing after it is ever compared.
        for record in sorted(state) if len(state) > 1 else state:
            dx, dy, wrap, emit, passes = record
            if not passes:
                row.append(record)
                continue
            onward: list[PassTransition] = []
            for mask, target in sorted(passes) if len(passes) > 1 else passes:
                place = order.get(target)
                if place is None:
                    place = order[target] = len(queue)
                    queue.append(target)
                onward.append((mask, place))
            row.append((dx, dy, wrap, emit, tuple(onward)))
        rows.append(tuple(row))
    return Automaton(tuple(rows))


def has_wrapping(states: Sequence[State]) -> bool:
    """Whether some step may go round a wrapped board."""
    return wrap_emit_and_pass_masks(states)[0] != 0


@lru_cache(maxsize=64)
def wrap_emit_and_pass_masks(states: tuple[State, ...]) -> tuple[int, int, int]:
    """All that the records have of wrapping, of ways to end, and of what may be passed."""
    wrap = emits = passed = 0
    for state in states:
        for _, _, wrapping, emit, passes in state:
            wrap |= wrapping
            emits |= emit
            for mask, _ in passes:
                passed |= mask
    return wrap, emits, passed


def with_shifted_targets(state: State, by: int) -> State:
    """A state whose targets have other numbers, to stand behind the states of another automaton."""
    return tuple(
        (dx, dy, wrap, emit, tuple([(mask, target + by) for mask, target in passes]))
        for dx, dy, wrap, emit, passes in state
    )


@lru_cache(maxsize=4096)
def split_by_first_step(states: tuple[State, ...]) -> tuple[tuple[State, ...], ...]:
    """The states of an automaton apart, for each first step those behind it, as they are met.

    So what many pieces share, such as the run of a rook straight forward, is the same in all of
    them. First steps that nothing comes after stay together. An automaton of more than
    `MAX_STATES_TO_SPLIT` states stays whole.
    """
    if len(states) > MAX_STATES_TO_SPLIT:
        return (states,)
    leaps = tuple([record for record in states[0] if not record[4]])
    apart = [
        _intern_states(_states_reachable_from(states, record)) for record in states[0] if record[4]
    ]
    return ((leaps,), *apart) if leaps else tuple(apart)


@lru_cache(maxsize=4096)
def _intern_states(states: tuple[State, ...]) -> tuple[State, ...]:
    """The states, as the one object that all who ask for such states are given."""
    return states


def _states_reachable_from(states: tuple[State, ...], first: StepRecord) -> tuple[State, ...]:
    order: dict[int, int] = {}
    queue: list[int] = []
    rows: list[State] = []
    for state in chain(((first,),), map(states.__getitem__, queue)):
        row: list[StepRecord] = []
        for dx, dy, wrap, emit, passes in state:
            for _, target in passes:
                if target not in order:
                    queue.append(target)
                    order[target] = len(queue)
            led = tuple([(mask, order[target]) for mask, target in passes])
            row.append((dx, dy, wrap, emit, led))
        rows.append(tuple(row))
    return tuple(rows)


def may_reverse_an_axis(automaton: Automaton) -> bool:
    """Whether some path goes both left and right, or both forward and back, or round the board."""
    return any(map(_path_may_reverse_direction, split_by_first_step(automaton.states)))


@lru_cache(maxsize=4096)
def _path_may_reverse_direction(states: tuple[State, ...]) -> bool:
    queue = [(0, 0, 0)]
    seen = set(queue)
    for state, across, along in queue:
        for dx, dy, wrap, _, passes in states[state]:
            if wrap or across * dx < 0 or along * dy < 0:
                return True
            sides = (across or _sign(dx), along or _sign(dy))
            for _, target in passes:
                if (target, *sides) not in seen:
                    seen.add((target, *sides))
                    queue.append((target, *sides))
    return False


def _sign(step: int) -> int:
    return (step > 0) - (step < 0)


def difference_product(
    automaton: Automaton,
    others: Sequence[Automaton],
    start: ProductNode | None = None,
    away: Collection[StateStep] | None = (),
) -> Iterator[tuple[ProductNode, list[StepRecord]]]:
    """The states of an automaton beside those of some others, and what none of the others has.

    Each node comes with the records of its own state: the ways to end that the others lack, and the
    passes, which lead to numbers of nodes in the order they come. ``away`` are the steps that are
    proved never to lead home, None for all of them: there "empty" and "away from home" are one
    letter. Raises `TooManyStates`.
    """
    first: ProductNode = start or (0, (0,) * len(others))
    order = {first: 0}
    queue = [first]
    for node in queue:
        index, followers = node
        held = [
            {record[:3]: record for record in other.states[at]} if at >= 0 else {}
            for other, at in zip(others, followers, strict=True)
        ]
        row: list[StepRecord] = []
        for dx, dy, wrap, emit, passes in automaton.states[index]:
            beside = [records.get((dx, dy, wrap)) for records in held]
            one = away is None or (index, (dx, dy)) in away
            taken = 0
            for each in beside:
                taken |= each[3] if each else 0
            taken |= ON_AWAY if taken & ON_EMPTY else 0
            taken |= ON_EMPTY if taken & ON_AWAY and one else 0
            led: dict[int, int] = {}
            for bit, target in _single_bit_passes(passes):
                after = (
                    target,
                    tuple([_state_after_letter(each, bit, away=one) for each in beside]),
                )
                if after not in order:
                    order[after] = len(queue)
                    queue.append(after)
                led[order[after]] = led.get(order[after], 0) | bit
            onward = tuple((mask, number) for number, mask in led.items())
            row.append((dx, dy, wrap, emit & ~taken, onward))
        yield node, row
        charge(len(row))
        if len(queue) > STATE_LIMIT:
            raise TooManyStates


def _single_bit_passes(passes: tuple[PassTransition, ...]) -> Iterator[PassTransition]:
    """The passes of a record, each for one letter."""
    for mask, target in passes:
        left = mask
        while left:
            bit = left & -left
            left ^= bit
            yield bit, target


def _state_after_letter(record: StepRecord | None, bit: int, *, away: bool) -> int:
    """The state that a letter leads to, -1 where it leads nowhere; ``away`` from home for sure."""
    if record is not None:
        anywhere = {PAST_AWAY: PAST_EMPTY, PAST_EMPTY: PAST_AWAY if away else 0}
        for bit_wanted in (bit, anywhere.get(bit, 0)):
            for mask, target in record[4]:
                if mask & bit_wanted:
                    return target
    return -1
