"""What rows do not have, as terms of Ħasínū: runs that capture or jump over what they pass, loops.

A run is found by what may stand on the squares it passes, a loop by its first steps; each term is
a guess, which is compiled and compared before it counts as found. Rows that must jump over or
capture pieces are guessed to be what runs have that need not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain, count, groupby, product
from operator import or_
from typing import NamedTuple, TypeAlias

from alfil.geometry import LONGEST_STEP, Vector, is_oblique
from alfil.meaning.automaton import (
    CAPTURE_ENDS,
    HOME,
    ON_EMPTY,
    ON_EMPTY_OR_AWAY,
    OVER_ANY,
    PAST_EMPTY_OR_AWAY,
    TAKE_ANY,
    TAKE_FRIEND,
    THRU_ANY,
    THRU_FRIEND,
    Automaton,
    StepRecord,
)
from alfil.meaning.normal_form import has_loop
from alfil.movement.nodes import ONE_STEP, Angle, End, Passage
from alfil.movement.run_sequences import (
    ANY_LENGTH,
    EMPTY_PASSAGE,
    HOMEWARD_RUN,
    HOP_PASSAGES,
    Run,
    RunSequence,
)
from alfil.movement.turn_geometry import RIGHT_ANGLE, turn_in_sixteenths
from alfil.notation.hasinu.nodes import Bent, HasinuTerm, Loop, Name, Number, walk
from alfil.notation.hasinu.spell import (
    LandingFunctions,
    Lengths,
    make_call_around,
    make_distance,
    make_leg,
    make_turn,
    step_kind,
    with_landing_functions,
)
from alfil.notation.hasinu.terms_from_runs import (
    HANDS,
    JUMPING,
    FunctionsAround,
    SequenceLeg,
    terms_of_leg_sequences,
    with_functions,
)
from alfil.translation.automaton_to_runs import automaton_starting_with

# A run jumps over no more pieces than this, or over any number.
MOST_JUMPS = 4
# The lines of more states than this are no runs worth a guess.
MAX_LINE_STATES = 80
STRAIGHT_ON = Angle(0)
# The turn outward, by a right angle at most.
OUTWARD = Angle(None)
# The turn straight back, in sixteenths of a circle.
STRAIGHT_BACK = 8
# A loop after a leg is worth a guess in paths of so many steps.
MIN_STEPS_WITH_LOOP = 3
# A round of a loop is a leg of no more steps than this.
MOST_STEPS = 3
_TAKE_BITS = TAKE_ANY | TAKE_FRIEND
# How runs that jump may end.
_LANDING_BY_BITS: dict[int, LandingFunctions] = {
    ON_EMPTY | CAPTURE_ENDS: "mc",
    ON_EMPTY: "m",
    CAPTURE_ENDS: "c",
}
_FRIEND_BITS, _PIECE_BITS = THRU_FRIEND | THRU_FRIEND >> 4, OVER_ANY | THRU_ANY

# What a line does, whatever its direction: how it may end and go on, by the number of the state.
LineShape: TypeAlias = tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
Terms: TypeAlias = tuple[HasinuTerm, ...]
HasExactlyMoves: TypeAlias = Callable[[Terms, Automaton], bool]


def capturing_and_jumping_runs(
    automaton: Automaton, has_exactly_moves: HasExactlyMoves
) -> tuple[Terms, Automaton] | None:
    """The terms for all such runs of an automaton, and the automaton of its other moves.

    ``has_exactly_moves`` tells whether terms have just the moves of an automaton. None where there
    is no such run, or one without terms.
    """
    lines: dict[tuple[object, LineShape], list[StepRecord]] = {}
    others: list[StepRecord] = []
    for record in automaton.states[0]:
        shape = _line_shape(automaton, record)
        if _passable_classes(shape) & (_PIECE_BITS | _TAKE_BITS):
            lines.setdefault((step_kind(record[:2]), shape), []).append(record)
        else:
            others.append(record)
    terms: list[HasinuTerm] = []
    for (_, shape), records in lines.items():
        moves = automaton_starting_with(automaton, records)
        steps = {record[:2] for record in records}
        candidates = _candidate_terms(shape, steps)
        found = next((each for each in candidates if has_exactly_moves(each, moves)), None)
        if found is None:
            return None
        terms += found
    return (tuple(terms), automaton_starting_with(automaton, others)) if terms else None


def _line_shape(automaton: Automaton, record: StepRecord) -> LineShape:
    """What a record leads to where that is one straight line; empty where it turns."""
    numbers: dict[StepRecord, int] = {record: 0}
    queue, shape = [record], []
    for each in queue:
        passes: list[tuple[int, int]] = []
        for mask, target in each[4]:
            onward = automaton.states[target]
            if len(onward) != 1 or onward[0][:3] != record[:3] or len(queue) > MAX_LINE_STATES:
                return ()
            if onward[0] not in numbers:
                numbers[onward[0]] = len(queue)
                queue.append(onward[0])
            passes.append((mask, numbers[onward[0]]))
        shape.append((each[3], tuple(passes)))
    return tuple(shape) if record[2] == 0 else ()


def _passable_classes(shape: LineShape) -> int:
    """All that may stand where a line goes on."""
    return reduce(or_, (mask for _, passes in shape for mask, _ in passes), 0)


def _candidate_terms(shape: LineShape, steps: set[Vector]) -> Iterator[Terms]:
    """Terms that may have the moves of lines of this shape."""
    lengths = _end_lengths_of_line(shape)
    plain = make_leg(steps, lengths)
    takes, jumps = _passable_classes(shape) & _TAKE_BITS, _passable_classes(shape) & _PIECE_BITS
    if takes and jumps:
        return
    if takes:
        yield from ((each,) for each in _terms_with_rampages(plain, takes))
        yield from _terms_with_one_capture(shape, steps, takes)
        return
    # What jumps ends alike before and after it has; a hopper does not.
    ends = {end for end, _ in shape if end}
    land = _LANDING_BY_BITS.get(ends.pop()) if len(ends) == 1 else None
    if land and (shape[0][0] or lengths):
        runs = _terms_with_jumps(plain, jumps)
        yield from ((with_landing_functions(run, land),) for run in runs)


def _terms_with_one_capture(
    shape: LineShape, steps: set[Vector], capture_mask: int
) -> Iterator[Terms]:
    """Runs that capture one piece and end behind it on an empty square, and before it on none.

    The step that captures and the next one are a rampage, around which is what says that it must;
    the steps before them are a leg that never stops.
    """
    captures, behind = _lengths_to_capture(shape)
    pair = make_call_around("m", make_leg(steps, (2,)))
    pair = make_call_around("rpg", pair, _captured_side(capture_mask))
    rest = make_call_around("m", make_leg(steps, _lengths_after_first_step(behind)))
    taking = make_call_around("c", pair if behind == (1,) else _join_straight_on(pair, rest))
    if captures == (1,):
        yield (taking,)
        return
    before = make_call_around(
        "m", make_call_around("c", make_leg(steps, _lengths_after_first_step(captures)))
    )
    later = _join_straight_on(before, taking)
    yield from ((later, taking), (later,))


def _join_straight_on(first: HasinuTerm, second: HasinuTerm) -> HasinuTerm:
    return Bent((first, second), (make_turn(STRAIGHT_ON),))


def _lengths_after_first_step(lengths: Lengths) -> Lengths:
    """Lengths after a first step, without no steps at all."""
    return tuple(length - 1 for length in lengths if length > 1)


def _lengths_to_capture(shape: LineShape) -> tuple[Lengths, Lengths]:
    """On how many steps a line may capture, and on how many more it may end then."""
    targets = {to for _, passes in shape for mask, to in passes if mask & _TAKE_BITS}
    capturing = tuple(
        (
            int(any(mask & _TAKE_BITS for mask, _ in passes)),
            tuple(each for each in passes if not each[0] & _TAKE_BITS),
        )
        for _, passes in shape
    )
    return _end_lengths_of_line(capturing), _end_lengths_of_line(shape, targets)


def _captured_side(capture_mask: int) -> Name:
    """Whose pieces are captured on the way."""
    return Name("E" if not capture_mask & TAKE_FRIEND else "FE" if capture_mask & TAKE_ANY else "F")


def _terms_with_rampages(run: HasinuTerm, capture_mask: int) -> Iterator[HasinuTerm]:
    """Rampages: that may capture, must, or must on their way and end on an empty square."""
    side = _captured_side(capture_mask)
    for end in (run, make_call_around("m", run), make_call_around("c", run)):
        rampage = make_call_around("rpg", end, side)
        yield from (rampage, make_call_around("c", rampage))


def _terms_with_jumps(run: HasinuTerm, hurdle_classes: int) -> Iterator[HasinuTerm]:
    side = (
        "FE"
        if hurdle_classes & _FRIEND_BITS and hurdle_classes & ~_FRIEND_BITS
        else "F"
        if hurdle_classes & _FRIEND_BITS
        else "E"
    )
    for most in range(1, MOST_JUMPS + 1):
        yield make_call_around("j", run, Name(side), Number(most))
    yield make_call_around("j", run, Name(side))


def _end_lengths_of_line(shape: LineShape, start: Iterable[int] = (0,)) -> Lengths:
    """On how many steps a line may end from some states; () is any number."""
    result: list[int] = []
    reached = {*start}
    for steps in range(1, LONGEST_STEP):
        if any(shape[at][0] for at in reached):
            result.append(steps)
        reached = {target for at in reached for _, target in shape[at][1]}
        if not reached:
            return tuple(result)
    return ()


class _StraightMoveKind(NamedTuple):
    """What the runs of a row that go straight on have in common, whatever their direction.

    ``lengths`` are the numbers of single steps, ``hops`` how many pieces are jumped over that
    count, ``passes`` all that may stand on the squares of the way, ``leaves`` what may stand where
    it turns.
    """

    kind: Vector
    lengths: Lengths
    land: LandingFunctions
    hops: int
    passes: frozenset[Passage]
    leaves: frozenset[Passage]


# The straight moves of a row one after the other, each with its direction.
_BentMoves: TypeAlias = tuple[tuple[_StraightMoveKind, Vector], ...]


def wider_moves_of_sequences(
    rows: Iterable[RunSequence], stops: tuple[End, ...] = ()
) -> Iterator[tuple[HasinuTerm, ...]]:
    """Moves that have all those of rows which must jump over or capture what they pass, and more.

    A move may end as ``stops`` says on legs that no row ends on. There are none where a row comes
    home, or where all pass empty squares only.
    """
    every = [[list(runs) for _, runs in groupby(row, _direction_of_run)] for row in rows]
    if any(HOMEWARD_RUN in runs for row in every for runs in row):
        return
    apart = [[part for runs in row for part in _legs_cut_behind_last_hurdle(runs)] for row in every]
    for parted in (every, apart) if apart != every else (every,):
        bents = [tuple(map(_summary_of_straight_runs, row)) for row in parted]
        moves = [each for bent in bents for each, _ in bent]
        if all(each.passes | each.leaves <= {"empty"} for each in moves):
            return
        if all(each.leaves <= {"empty"} for each in moves):
            yield from _moves_with_functions_per_leg(bents, stops)
        if any(len(bent) > 1 for bent in bents):
            yield from _moves_with_outer_functions(bents, stops)


def _legs_cut_behind_last_hurdle(runs: list[Run]) -> Iterator[list[Run]]:
    """Runs straight on, those from the square behind the last hurdle on as a leg of their own."""
    hurdles = [at for at, run in enumerate(runs[:-1]) if {*run.through} & {*HOP_PASSAGES}]
    if not hurdles:
        yield runs
        return
    *over, landing = runs[: hurdles[-1] + 2]
    rest = runs[hurdles[-1] + 2 :]
    further = landing.lengths[:-1]
    if landing.lengths == ANY_LENGTH or (
        further and landing.lengths == (*further, len(further) + 1)
    ):
        rest = [landing._replace(lengths=further), *rest]
        landing = landing._replace(lengths=ONE_STEP, through=EMPTY_PASSAGE)
    yield [*over, landing]
    if rest:
        yield rest


def _direction_of_run(run: Run) -> Vector:
    """The direction of a run: a single step of a king, or its leap."""
    x, y = run.step
    return (x, y) if is_oblique((x, y)) else ((x > 0) - (x < 0), (y > 0) - (y < 0))


def _summary_of_straight_runs(runs: Sequence[Run]) -> tuple[_StraightMoveKind, Vector]:
    """What some runs in one direction have."""
    unit = _direction_of_run(runs[0])
    lengths, hops, passes = [0], 0, set[Passage]()
    for run in runs:
        times = max(map(abs, run.step)) // max(map(abs, unit))
        lengths = [at + times * each for at, each in product(lengths, run.lengths)]
        hops += run is not runs[-1] and any(each in HOP_PASSAGES for each in run.through)
        passes |= {
            *(run.through if run is not runs[-1] else ()),
            *(("pass-friend",) if times > 1 or run.over else ()),
        }
    ends = runs[-1].ends
    land: LandingFunctions = (
        "" if not ends else "m" if ends == ("empty",) else "mc" if "empty" in ends else "c"
    )
    if "friend" in ends and "take-friend" not in passes:
        passes |= {"take-friend", "take-enemy"} if "enemy" in ends else {"take-friend"}
    endless = any(run.lengths == ANY_LENGTH for run in runs)
    moves = _StraightMoveKind(
        step_kind(unit),
        () if endless else tuple(sorted({*lengths})),
        land,
        hops,
        frozenset(passes),
        frozenset(runs[-1].through),
    )
    return moves, unit


def _moves_with_functions_per_leg(
    bents: Sequence[_BentMoves], stops: tuple[End, ...]
) -> Iterator[tuple[HasinuTerm, ...]]:
    """Each leg with functions of its own."""
    ways = {moves: [*_functions_to_try(moves)] for bent in bents for moves, _ in bent}
    for number in range(max(map(len, ways.values()))):
        strands = dict.fromkeys(
            tuple(
                SequenceLeg(step, moves.lengths, land, around)
                for moves, step in bent
                for around, land in (ways[moves][min(number, len(ways[moves]) - 1)],)
            )
            for bent in bents
        )
        terms = terms_of_leg_sequences(strands, stops)
        if terms is not None:
            yield terms


def _moves_with_outer_functions(
    bents: Sequence[_BentMoves], stops: tuple[End, ...]
) -> Iterator[tuple[HasinuTerm, ...]]:
    """Functions around all legs, which hold where the move turns too."""
    alike: dict[FunctionsAround, dict[tuple[SequenceLeg, ...], None]] = {}
    for bent in bents:
        hops = sum(moves.hops + bool(moves.leaves & {*HOP_PASSAGES}) for moves, _ in bent)
        passes = frozenset[Passage]().union(*(moves.passes | moves.leaves for moves, _ in bent))
        around = next(_functions_for_passing(passes, hops), ())
        legs = tuple(SequenceLeg(step, moves.lengths, moves.land) for moves, step in bent)
        alike.setdefault(around, {})[legs] = None
    found: list[HasinuTerm] = []
    for around, strands in alike.items():
        terms = terms_of_leg_sequences(strands, stops)
        if terms is None:
            return
        found += (with_functions(term, around) for term in terms)
    yield tuple(found)


def _functions_to_try(
    moves: _StraightMoveKind,
) -> Iterator[tuple[FunctionsAround, LandingFunctions]]:
    """Functions for a run with such moves, and how it may end."""
    takes = any(each.startswith("take") for each in moves.passes)
    for around in _functions_for_passing(moves.passes, moves.hops):
        if not takes:
            yield from ((around, land) for land in dict.fromkeys((moves.land, "mc")))
            continue
        # What captures on its way may have to, or may have to end on an empty square.
        rampage, *jumps = around
        ends: tuple[FunctionsAround, ...] = ((), (("m", ()),), (("c", ()),))
        for end, must in product(ends, ((), (("c", ()),))):
            yield (*end, rampage, *must, *jumps), "mc"


def _functions_for_passing(passes: Collection[Passage], hops: int) -> Iterator[FunctionsAround]:
    """Functions with which a way may pass what it must, the rampage first."""
    side = _side_of_hops(passes)
    counted: FunctionsAround = (("j", (*side, Number(hops))),) if hops else ()
    free = JUMPING if "pass-friend" in passes else ()
    takes = {each for each in passes if each.startswith("take")}
    if takes:
        # What takes friends on its way may take enemies there too, or end on one only.
        every = ("FE",) if len(takes) > 1 else ("FE", "F")
        for sides in every if "take-friend" in takes else ("E",):
            yield (("rpg", (Name(sides),)), *(free or counted))
        return
    yield from dict.fromkeys((free or counted, counted or free, (*free, *counted)))


def _side_of_hops(passes: Collection[Passage]) -> tuple[Name, ...]:
    """Whose pieces are jumped over that count, nothing where both sides' are."""
    over = {each for each in passes if each in HOP_PASSAGES}
    return () if over >= {*HOP_PASSAGES} else (Name("F" if "hop-friend" in over else "E"),)


def loop_terms(automaton: Automaton, longest_path: int) -> Iterator[HasinuTerm]:
    """Loops that may have an automaton's moves, alone or after a leg.

    ``longest_path`` is its `longest_path_length`.
    """
    yield from _single_leg_loops(automaton, longest_path)
    if longest_path >= MIN_STEPS_WITH_LOOP:
        yield from _loops_after_leg(automaton)


def _loops_after_leg(automaton: Automaton) -> Iterator[HasinuTerm]:
    """A leg of some steps, then a loop."""
    records = automaton.states[0]
    steps = {record[:2] for record in records}
    length = _steps_to_first_stop(automaton)
    if not length or len({step_kind(step) for step in steps}) != 1:
        return
    ends = [_step_record_after_straight_steps(automaton, record, length - 1) for record in records]
    after = {target for end in ends for _, target in end[4]}
    loop_steps = list(dict.fromkeys(each for at in after for each in automaton.states[at]))
    if not loop_steps or any(record[:3] == HOME for record in loop_steps):
        return
    rest = automaton_starting_with(automaton, loop_steps)
    leg = with_landing_functions(make_leg(steps, (length,)), _LANDING_BY_BITS.get(ends[0][3], ""))
    angles = [angle for angle in _turn_angles(automaton, length) if angle is not None]
    outward = any(0 < (angle.sixteenths or 0) <= RIGHT_ANGLE for angle in angles)
    turns = dict.fromkeys([OUTWARD, *angles] if outward else angles)
    for loop in _single_leg_loops(rest, longest_path_length(rest)) if turns else ():
        if any(isinstance(node, Loop) for node in walk((loop,))):
            yield from (Bent((leg, loop), (make_turn(angle),)) for angle in turns)


def _steps_to_first_stop(automaton: Automaton) -> int:
    """The steps to where the first move straight on may end, or 1 where it may not; 0 for many."""
    record = automaton.states[0][0]
    for length in range(1, MOST_STEPS + 1):
        if record[3]:
            return length
        straight = _next_records_straight_on(automaton, record)
        if not straight:
            return 1
        record = straight[0]
    return 0


def _step_record_after_straight_steps(
    automaton: Automaton, record: StepRecord, more: int
) -> StepRecord:
    """The record that so many steps more straight on lead to."""
    for _ in range(more):
        record, *_ = _next_records_straight_on(automaton, record) or (record,)
    return record


def _next_records_straight_on(automaton: Automaton, record: StepRecord) -> list[StepRecord]:
    return [after for after in _next_records(automaton, record) if after[:3] == record[:3]]


def _single_leg_loops(automaton: Automaton, most: int) -> Iterator[HasinuTerm]:
    """Loops of one leg."""
    records = automaton.states[0]
    steps = {record[:2] for record in records}
    kinds = {step_kind(step) for step in steps}
    if len(kinds) != 1 or any(record[2] or record[:3] == HOME for record in records):
        return
    if not most:
        yield from _out_and_back_terms(automaton)
    every = [record for state in automaton.states for record in state]
    if any(mask & ~PAST_EMPTY_OR_AWAY for record in every for mask, _ in record[4]):
        return
    roams = not most and _may_turn_freely(automaton, steps)
    land = _landing_of_records(every)
    for loop in chain(
        _loops_of_steps(automaton, most, roams=roams), _loops_of_runs(automaton, most)
    ):
        yield with_landing_functions(loop, land)


def _loops_of_steps(
    automaton: Automaton, longest_path: int, *, roams: bool
) -> Iterator[HasinuTerm]:
    """Rounds of a number of steps."""
    steps = {record[:2] for record in automaton.states[0]}
    ends = _possible_move_lengths(automaton) if longest_path else []
    for length in (1,) if roams else range(1, MOST_STEPS + 1):
        for angle in _turn_angles(automaton, length):
            for times in _round_counts(ends, longest_path, length):
                yield _loop_of_steps(steps, length, angle, times)


def _loops_of_runs(automaton: Automaton, longest_path: int) -> Iterator[HasinuTerm]:
    """Rounds of up to a number of steps, or any number of rounds of any number."""
    steps = {record[:2] for record in automaton.states[0]}
    if not longest_path:
        for angle in _turn_angles(automaton, 1, runs=True):
            yield _loop_of(make_leg(steps, ()), angle, ())
        return
    first = _possible_move_lengths(automaton)[0]
    for length in range(2, MOST_STEPS + 1):
        if (
            longest_path > length
            and longest_path % length == 0
            and first in {1, longest_path // length}
        ):
            run = make_leg(steps, tuple(range(1, length + 1)))
            rounds = tuple(range(first, longest_path // length + 1))
            for angle in _turn_angles(automaton, 1, runs=True):
                yield _loop_of(run, angle, rounds)


def _landing_of_records(records: Iterable[StepRecord]) -> LandingFunctions:
    """How moves end that end on an empty square at all, or by a capture."""
    bits = reduce(or_, (record[3] for record in records), 0)
    if not bits & ON_EMPTY_OR_AWAY:
        return "c"
    return "mc" if bits & CAPTURE_ENDS else "m"


def _loop_of_steps(
    steps: Collection[Vector], length: int, angle: Angle | None, times: Lengths
) -> HasinuTerm:
    """Rounds of so many steps; straight on they are a leg of more, if there are not any number."""
    if angle == STRAIGHT_ON and (times or length == 1):
        return make_leg(steps, tuple(length * each for each in times))
    return _loop_of(make_leg(steps, (length,)), angle, times)


def _loop_of(body: HasinuTerm, angle: Angle | None, times: Lengths) -> HasinuTerm:
    """Some rounds of a leg, each after a turn, or in any direction."""
    turned = body if angle is None else Bent((body,), (make_turn(angle),))
    return Loop(make_distance(times), turned)


def _may_turn_freely(automaton: Automaton, steps: Collection[Vector]) -> bool:
    """Whether after the first step any step may follow but the one straight back."""
    x, y, *_ = first = automaton.states[0][0]
    return {after[:2] for after in _next_records(automaton, first)} == {*steps} - {(-x, -y)}


def _out_and_back_terms(automaton: Automaton) -> Iterator[HasinuTerm]:
    """Runs out and back again, at whose turn no move ends."""
    x, y, *_ = automaton.states[0][0]
    following = _next_records(automaton, automaton.states[0][0])
    if all(after[:2] != (-x, -y) for after in following):
        return
    run = make_leg({record[:2] for record in automaton.states[0]}, ())
    lands: tuple[LandingFunctions, ...] = ("mc", "m", "c")
    for land in lands:
        yield Bent(
            (with_landing_functions(run, ""), with_landing_functions(run, land)),
            (make_turn(Angle(STRAIGHT_BACK)),),
        )


def _turn_angles(
    automaton: Automaton, length: int, *, runs: bool = False
) -> Iterator[Angle | None]:
    """The turns after so many steps straight on that the first path makes; None is any way.

    ``runs``: what goes straight on is the same run still.
    """
    record = automaton.states[0][0]
    for _ in range(length - 1):
        straight = _next_records_straight_on(automaton, record)
        if not straight:
            return
        record = straight[0]
    following = _next_records(automaton, record)
    if any(after[:3] == HOME for after in following):
        yield None  # only what turns in any way comes home as soon as that
        return
    sizes = {abs(turn_in_sixteenths(record[:2], after[:2])) for after in following}
    sizes -= {0} if runs else set()
    if len(sizes) == 1:
        (size,) = sizes
        yield Angle(size)
        yield from (Angle(size, hand) for hand in HANDS if size % 8)
    elif sizes:
        if 0 not in sizes and max(sizes) <= RIGHT_ANGLE:
            yield OUTWARD
        yield None


def _next_records(automaton: Automaton, record: StepRecord) -> list[StepRecord]:
    """What may come after a step."""
    return [after for _, target in record[4] for after in automaton.states[target]]


def _round_counts(ends: Collection[int], longest_path: int, length: int) -> Iterator[Lengths]:
    """After how many rounds of so many steps moves end that end after some numbers of steps.

    () is any number of rounds, where ``longest_path`` is 0 because paths have no longest.
    """
    if not longest_path:
        yield ()
    elif longest_path > length and not any(steps % length for steps in ends):
        yield tuple(sorted(steps // length for steps in ends))


def _possible_move_lengths(automaton: Automaton) -> list[int]:
    """After how many steps moves may end, in an automaton without loops."""
    result: list[int] = []
    reached = {0}
    for steps in count(1):
        records = [record for state in reached for record in automaton.states[state]]
        if not records:
            break
        if any(record[3] for record in records):
            result.append(steps)
        reached = {target for record in records for _, target in record[4]}
    return result


def longest_path_length(automaton: Automaton) -> int:
    """The most steps of a path, 0 for any number."""
    if has_loop(automaton):
        return 0
    most, reached = 0, {0}
    while reached:
        most += 1
        records = [record for state in reached for record in automaton.states[state]]
        reached = {target for record in records for _, target in record[4]}
    return most
