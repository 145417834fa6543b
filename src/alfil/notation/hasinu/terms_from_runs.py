"""Rows put together: many of single directions as few bent moves, runs and loops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import NamedTuple, TypeAlias

from alfil.geometry import COMPASS, Vector, images_of_base, is_oblique
from alfil.movement import run_sequences
from alfil.movement.nodes import ONE_STEP, Angle, End, Passage
from alfil.movement.run_sequences import ANY_LENGTH, EMPTY_PASSAGE, HOMEWARD_RUN, NotExpressible
from alfil.movement.turn_geometry import steps_after_angle, turn_in_sixteenths
from alfil.notation.hasinu.nodes import Bent, HasinuTerm, Loop, Name, Number
from alfil.notation.hasinu.spell import (
    LANDING_FUNCTIONS_BY_ENDS,
    Hand,
    LandingFunctions,
    Lengths,
    make_call_around,
    make_distance,
    make_leg,
    make_turn,
    step_kind,
    with_landing_functions,
)
from alfil.work_limit import charge

# A shape that would take more terms than this has no form worth writing.
MAX_TERMS = 8
# So many ways to put strands together are tried.
MAX_MERGE_ATTEMPTS = 200
# The work that one is, beside its rows.
WORK_PER_ATTEMPT = 40

StepSequence: TypeAlias = tuple[Vector, ...]
StepSequences: TypeAlias = frozenset[StepSequence]

HANDS: tuple[Hand, Hand] = ("right", "left")
# Angles between two radial moves, between two oblique ones, and between one of each.
ANGLES_BETWEEN_RADIALS: tuple[int, ...] = (0, 2, 4, 6, 8)
ANGLES_BETWEEN_OBLIQUES: tuple[int, ...] = (0, 1, 3, 5, 7, 8)
ANGLES_RADIAL_TO_OBLIQUE: tuple[int, ...] = (1, 3, 5, 7)
UNSIGNED_ANGLES = {
    sizes: tuple(map(Angle, (None, *sizes)))
    for sizes in (ANGLES_BETWEEN_RADIALS, ANGLES_BETWEEN_OBLIQUES, ANGLES_RADIAL_TO_OBLIQUE)
}
SIGNED_ANGLES = {
    sizes: tuple(Angle(size, hand) for size in sizes if size % 8 for hand in HANDS)
    for sizes in UNSIGNED_ANGLES
}

# A function around a move, with what stands in it after the move.
FunctionAround: TypeAlias = tuple[str, tuple[Name | Number, ...]]
FunctionsAround: TypeAlias = tuple[FunctionAround, ...]
BLOCKABLE: FunctionsAround = (("nj", ()),)
JUMPING: FunctionsAround = (("j", ()),)


class SequenceLeg(NamedTuple):
    """One leg: its step, how many of them, and how the move may end on them.

    ``around`` are functions that say what it may pass on its way, the innermost first.
    """

    step: Vector
    lengths: Lengths
    land: LandingFunctions
    around: FunctionsAround = ()

    def term_along(self, vectors: Collection[Vector]) -> HasinuTerm:
        """The leg in these directions, however it ends."""
        return with_functions(make_leg(vectors, self.lengths), self.around)


def with_functions(move: HasinuTerm, around: FunctionsAround) -> HasinuTerm:
    """A move with functions around it."""
    for name, more in around:
        move = make_call_around(name, move, *more)
    return move


# The legs of some moves.
LegSequences: TypeAlias = tuple[tuple[SequenceLeg, ...], ...]
# The same whatever the directions: of each step only its kind.
SequenceShape: TypeAlias = tuple[SequenceLeg, ...]

_LANDING_BY_ENDS: dict[tuple[End, ...], LandingFunctions] = {**LANDING_FUNCTIONS_BY_ENDS, (): ""}
_LANDING_BY_RIFLE_CAPTURES: dict[tuple[Passage, ...], LandingFunctions] = {
    ("take-enemy", "take-royal"): "iE",
    ("take-friend",): "iF",
    ("take-enemy", "take-royal", "take-friend"): "iFE",
}


def terms_of_sequences(
    rows: Sequence[run_sequences.RunSequence], stops: tuple[End, ...] = ()
) -> Iterator[tuple[HasinuTerm, ...]]:
    """The moves that may stand for some rows, if there are few of them.

    With ``stops`` a move may end so on every leg that it would otherwise not end on. Steps that
    only a blockable leap joins are tried as such leaps too. Raises `NotExpressible` for captures on
    the way, hurdles, and pieces of one side that are passed.
    """
    over = [row for row in rows if _leaps_over_anything(row)]
    if over:
        quiet = [
            tuple(run._replace(through=run.through and EMPTY_PASSAGE, over=False) for run in row)
            for row in over
        ]
        others = [row for row in rows if row not in over]
        for beside, jumps in product(terms_of_sequences(others, stops), terms_of_sequences(quiet)):
            yield (*beside, *(make_call_around("j", term) for term in jumps))
        return
    parts = [run for row in rows for run in _split_step_onto_friend(row)]
    result: dict[LegSequences, None] = {}
    for joined in (True, False):
        strands = tuple(tuple(_legs_of_sequence(run, joined=joined)) for run in parts)
        result[tuple(tuple(_steps_as_blockable_leaps(strand)) for strand in strands)] = result[
            strands
        ] = None
    for strands in result:
        terms = terms_of_leg_sequences(dict.fromkeys(strands), stops)
        if terms is not None:
            yield terms


def _leaps_over_anything(row: run_sequences.RunSequence) -> bool:
    """Whether a row is leaps and runs over anything, and none ends but the last."""
    single = all((run.lengths == ONE_STEP or run.over) and not run.hops for run in row)
    over = all(run.through == run_sequences.PASS_ANYTHING and not run.ends for run in row[:-1])
    return (len(row) > 1 or row[0].over) and single and over and not row[-1].through


def terms_of_leg_sequences(
    leg_sequences: Collection[tuple[SequenceLeg, ...]], stops: tuple[End, ...]
) -> tuple[HasinuTerm, ...] | None:
    """The moves for some legs in a row, None where they are many.

    With ``stops`` a move may end so on every leg that it would otherwise not end on.
    """
    beginnings = {strand[:length] for strand in leg_sequences for length in range(1, len(strand))}
    shapes: dict[SequenceShape, set[StepSequence]] = {}
    for strand in [each for each in leg_sequences if each not in beginnings]:
        shape = tuple(
            each._replace(
                step=step_kind(each.step), land=each.land or _LANDING_BY_ENDS.get(stops, "")
            )
            for each in strand
        )
        shapes.setdefault(shape, set()).add(tuple(each.step for each in strand))
    result: list[HasinuTerm] = []
    left = MAX_MERGE_ATTEMPTS
    for shape, alike in shapes.items():
        uniting = _SequenceMerger(shape, left)
        terms = uniting.merge_sequences(frozenset(alike))
        if terms is None or len(result) + len(terms) > MAX_TERMS:
            return None
        result += terms
        left = uniting.left
    return tuple(result)


def _legs_of_sequence(row: run_sequences.RunSequence, *, joined: bool) -> Iterator[SequenceLeg]:
    """The legs of a row; ``joined``: a way on from some square on stops there and beyond."""
    before: run_sequences.Run | None = None
    for at, run in enumerate(row):
        shot = _returns_to_start(row[at + 1 :], row[: at + 1])
        land = (
            _LANDING_BY_RIFLE_CAPTURES.get(run.through) if shot else _LANDING_BY_ENDS.get(run.ends)
        )
        if land is None or run.hops or (not shot and run.through not in {(), EMPTY_PASSAGE}):
            raise NotExpressible
        beyond = row[at + 1] if at + 1 < len(row) else None
        if (
            joined
            and beyond
            and not run.ends
            and run.step == beyond.step
            and beyond.lengths == ANY_LENGTH
        ):
            before = run
            continue
        if before:
            yield SequenceLeg(run.step, (before.lengths[-1] + 1,), land)
            before = None
        yield SequenceLeg(run.step, run.lengths, land, JUMPING if run.over else ())
        if shot:
            return


def _returns_to_start(rest: run_sequences.RunSequence, out: run_sequences.RunSequence) -> bool:
    """Whether a piece that has gone so far goes home, at once or as it came."""
    return rest[-1:] == (HOMEWARD_RUN,) and (
        len(rest) == 1 or run_sequences.retraces_all_but_first_step(rest[:-1], out)
    )


def _split_step_onto_friend(row: run_sequences.RunSequence) -> Iterator[run_sequences.RunSequence]:
    """A row with a last step of its own where that may end on a friend, which no run may."""
    *before, last = row
    if "friend" not in last.ends or last.lengths == ONE_STEP:
        yield row
        return
    step = last._replace(lengths=ONE_STEP)
    if last.lengths == ANY_LENGTH:
        yield (*before, step)
        yield (*before, last._replace(ends=(), through=EMPTY_PASSAGE), step)
        return
    for length in last.lengths:
        if length == 1:
            yield (*before, step)
        else:
            yield (
                *before,
                last._replace(lengths=(length - 1,), ends=(), through=EMPTY_PASSAGE),
                step,
            )


def _steps_as_blockable_leaps(legs: Sequence[SequenceLeg]) -> Iterator[SequenceLeg]:
    """The same legs, with a leap in place of straight steps and diagonal ones that it must pass."""
    left = list(legs)
    while left:
        first, *rest = left
        leap = _blockable_leap(first, rest[0]) if rest else None
        left = rest[1:] if leap else rest
        yield leap or first


def _blockable_leap(first: SequenceLeg, second: SequenceLeg) -> SequenceLeg | None:
    """The blockable leap that two runs are, if they are one."""
    step = run_sequences.lame_leap_vector(first.step, first.lengths, second.step, second.lengths)
    return (
        SequenceLeg(step, ONE_STEP, second.land, BLOCKABLE)
        if any(step) and not first.land
        else None
    )


class _SequenceMerger:
    """Puts rows of one shape together; ``left`` is how many ways may still be tried."""

    def __init__(self, shape: SequenceShape, left: int) -> None:
        self.left = left
        self._shape = shape
        self._known: dict[StepSequences, list[HasinuTerm] | None] = {}

    def merge_sequences(self, rows: StepSequences, depth: int = 0) -> list[HasinuTerm] | None:
        """The moves for these rows: one, or those of the rows sorted by some rule."""
        if rows not in self._known:
            self.left -= 1
            charge(WORK_PER_ATTEMPT + len(rows))
            self._known[rows] = self._merge_or_split(rows, depth) if self.left >= 0 else None
        return self._known[rows]

    def _merge_or_split(self, rows: StepSequences, depth: int) -> list[HasinuTerm] | None:
        shape = self._shape
        # Where no move ends on the legs before the last one, a loop says so in fewer letters.
        ways = (
            (_bent_term, _loop_term)
            if all(part.land for part in shape)
            else (_loop_term, _bent_term)
        )
        whole = _single_leg_term(shape, rows) or ways[0](shape, rows) or ways[1](shape, rows)
        if whole is not None:
            return [whole]
        best: list[HasinuTerm] | None = None
        for rule in SPLIT_KEYS if depth < len(SPLIT_KEYS) else ():
            classes: dict[object, set[StepSequence]] = {}
            for row in sorted(rows):
                classes.setdefault(rule(row), set()).add(row)
            if 1 < len(classes) <= MAX_TERMS:
                terms = self._merge_each_class(classes.values(), depth + 1)
                if terms is not None and (best is None or len(terms) < len(best)):
                    best = terms
        return best

    def _merge_each_class(
        self, classes: Iterable[set[StepSequence]], depth: int
    ) -> list[HasinuTerm] | None:
        result: list[HasinuTerm] = []
        for rows in classes:
            terms = self.merge_sequences(frozenset(rows), depth)
            if terms is None or len(result) + len(terms) > MAX_TERMS:
                return None
            result += terms
        return result


def _first_step_kind(row: StepSequence) -> int:
    """Orthogonal, diagonal or oblique first steps."""
    x, y = row[0]
    return 0 if not (x and y) else 1 if abs(x) == abs(y) else 2


def _first_turn_size(row: StepSequence) -> int:
    return abs(turn_in_sixteenths(row[0], row[1])) if len(row) > 1 else 0


def _first_turn_hand(row: StepSequence) -> int:
    bend = turn_in_sixteenths(row[0], row[1]) if len(row) > 1 else 0
    return (bend > 0) - (bend < 0)


def _last_turn_size(row: StepSequence) -> int:
    return abs(turn_in_sixteenths(row[-2], row[-1])) if len(row) > 1 else 0


def _inner_turn_sizes(row: StepSequence) -> tuple[int, ...]:
    """All turns but the first and the last."""
    return tuple(abs(turn_in_sixteenths(*pair)) for pair in pairwise(row[1:-1]))


SPLIT_KEYS: tuple[Callable[[StepSequence], object], ...] = (
    _first_step_kind,
    _first_turn_size,
    _first_turn_hand,
    _last_turn_size,
    _inner_turn_sizes,
    lambda row: row[0],
    lambda row: row[1:],
)


def _single_leg_term(shape: SequenceShape, rows: StepSequences) -> HasinuTerm | None:
    """The move of a shape of one leg."""
    if len(shape) > 1 or not shape[0].land:
        return None
    return with_landing_functions(shape[0].term_along({row[0] for row in rows}), shape[0].land)


def _bent_term(shape: SequenceShape, rows: StepSequences) -> HasinuTerm | None:
    """The bent move with exactly these rows."""
    *earlier, last = (part.land for part in shape)
    # What captures from home ends nowhere else: its function stands around the whole move.
    whole = last if last in RIFLE_LANDINGS or {*earlier} == {last} else None
    if not earlier or not last or (last in RIFLE_LANDINGS and any(earlier)):
        return None
    firsts = tuple(sorted({row[0] for row in rows}))
    joints = [_turn_at_joint(rows, at) for at in range(1, len(shape))]
    if not all(joints) or len(rows) > MAX_ROWS:
        return None
    lists = [firsts, *(result[1] for result in joints if result)]
    turns = [result[0] for result in joints if result]
    if set(_step_sequences_of_bent_move(lists, turns)) != rows:
        return None
    legs = [
        part.term_along(vectors)
        if part.land == whole
        else with_landing_functions(part.term_along(vectors), part.land)
        for vectors, part in zip(lists, shape, strict=True)
    ]
    bent = Bent(tuple(legs), tuple(map(make_turn, turns)))
    return with_landing_functions(bent, whole) if whole else bent


RIFLE_LANDINGS: frozenset[LandingFunctions] = frozenset({"iE", "iF", "iFE"})
# All ways through four legs of eight directions would be more.
MAX_ROWS = 4_000


def _turn_at_joint(rows: StepSequences, at: int) -> tuple[Angle, StepSequence] | None:
    """The angle and the list of directions that make exactly the pairs at one joint."""
    pairs = {(row[at - 1], row[at]) for row in rows}
    before = sorted({first for first, _ in pairs})
    second_steps = tuple(sorted({second for _, second in pairs}))
    every = _all_directions_of_kinds(second_steps)
    sizes = _possible_turn_sizes(before, second_steps)
    for table, vectors in (
        (UNSIGNED_ANGLES, every),
        (UNSIGNED_ANGLES, second_steps),
        (SIGNED_ANGLES, every),
        (SIGNED_ANGLES, second_steps),
    ):
        for angle in table[sizes]:
            if pairs == {
                (first, second)
                for first in before
                for second in steps_after_angle(angle, first, vectors)
            }:
                return angle, vectors
    return None


def _possible_turn_sizes(before: Iterable[Vector], after: Iterable[Vector]) -> tuple[int, ...]:
    """The turns between such directions."""
    first, second = any(map(is_oblique, before)), any(map(is_oblique, after))
    return (
        ANGLES_RADIAL_TO_OBLIQUE
        if first != second
        else ANGLES_BETWEEN_OBLIQUES
        if first
        else ANGLES_BETWEEN_RADIALS
    )


def _all_directions_of_kinds(vectors: StepSequence) -> StepSequence:
    """All directions of the kinds among these."""
    p, q = step_kind(vectors[0])
    if p:
        return tuple(sorted(images_of_base(p, q)))
    straight = any(0 in vector for vector in vectors)
    diagonal = any(0 not in vector for vector in vectors)
    return tuple(
        sorted((x * q, y * q) for x, y in COMPASS if (straight if not x * y else diagonal))
    )


def _step_sequences_of_bent_move(
    lists: Sequence[StepSequence], turns: Sequence[Angle]
) -> Iterator[StepSequence]:
    """All rows of a bent move."""
    rows: list[StepSequence] = [(vector,) for vector in lists[0]]
    for vectors, angle in zip(lists[1:], turns, strict=True):
        rows = [(*row, way) for row in rows for way in steps_after_angle(angle, row[-1], vectors)]
        if len(rows) > MAX_ROWS:
            return iter(())
    return iter(rows)


def _loop_term(shape: SequenceShape, rows: StepSequences) -> HasinuTerm | None:
    """Equal legs as a loop: exactly so many, or a stop after each."""
    count, last = len(shape), shape[-1]
    lands = {part.land for part in shape[:-1]}
    steps = {part._replace(land="") for part in shape}
    if count == 1 or len(steps) > 1 or last.land in {"", "mcF", "cF"} or len(lands) > 1:
        return None
    if lands == {last.land}:
        times = tuple(range(1, count + 1))
    elif lands == {""}:
        times = (count,)
    else:
        return None
    vectors = tuple(sorted({row[0] for row in rows}))
    if not all(set(row).issubset(vectors) for row in rows):
        return None
    rows_wanted = {row for row in rows if _ends_away_from_home(row)}
    sizes = _possible_turn_sizes(vectors, vectors)
    for angle in (FREE_ANGLE, *UNSIGNED_ANGLES[sizes], *SIGNED_ANGLES[sizes]):
        if rows_wanted == set(
            filter(_ends_away_from_home, _step_sequences_of_loop(vectors, angle, count))
        ):
            step = last.term_along(vectors)
            body = step if angle is FREE_ANGLE else Bent((step,), (make_turn(angle),))
            return with_landing_functions(Loop(make_distance(times), body), last.land)
    return None


# The next round may go anywhere.
FREE_ANGLE = Angle(-1)


def _ends_away_from_home(row: StepSequence) -> bool:
    """Whether a row of leaps ends away from home: otherwise it is no move."""
    return any(map(sum, zip(*row, strict=True)))


def _step_sequences_of_loop(
    vectors: StepSequence, angle: Angle, count: int
) -> Iterator[StepSequence]:
    """The rows of a loop; an unsigned angle keeps its hand."""
    if len(vectors) ** count > MAX_ROWS:
        return iter(())
    if angle is FREE_ANGLE:
        return product(vectors, repeat=count)
    lists = [vectors] * count
    if angle.sixteenths in {None, 0, 8} or angle.hand != "either":
        return _step_sequences_of_bent_move(lists, [angle] * (count - 1))
    both = [[replace(angle, hand=hand)] * (count - 1) for hand in HANDS]
    return iter([row for turns in both for row in _step_sequences_of_bent_move(lists, turns)])
