"""The same moves as other rows: each manner suits other letters, and the shortest text wins.

A manner may say a little more or less than the rows it is made from. What is written of it is
compiled and compared like everything else, so that only those that fit are taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import TypeAlias, get_args

from alfil.geometry import Vector, as_king_steps
from alfil.movement.nodes import ONE_STEP, End, Passage
from alfil.movement.run_sequences import (
    ANY_LENGTH,
    EMPTY_PASSAGE,
    HOMEWARD_RUN,
    HOP_PASSAGES,
    Run,
    RunSequence,
    lame_leap_vector,
    leap_with_ends_of,
    may_continue_where_it_ends,
    run_continues_leap,
)
from alfil.movement.turn_geometry import end_of_path

# Runs of exactly so many steps are the lame leapers D, A, H and G.
LAME_LEAP_LENGTHS = (2, 3)
# Runs that steps and lame leaps may say in fewer letters, where others are such leaps too.
_SPLITTABLE_LENGTHS = ((1, 2), (1, 2, 3), (2, 3), (1, 3))
# The legs of a leap that turns once.
_LEGS_OF_BENT_LEAP = 2

# The runs of one leg a piece may always make, by their steps.
UsualMoves: TypeAlias = dict[Vector, list[Run]]
RunSequences: TypeAlias = list[RunSequence]


def equivalent_sequences(rows: RunSequences, *, may_leap: bool) -> Iterator[RunSequences]:
    """The rows as they are, and in other manners; ``may_leap``: also with blockable leaps."""
    yield rows
    for manner in (steps_as_blockable_leaps, *_REWRITES) if may_leap else _REWRITES:
        other = manner(rows)
        if other != rows:
            yield other


def covers_ignoring_directions(wider: RunSequence, narrower: RunSequence) -> bool:
    """Whether one run has all moves of another one, but for their directions."""
    if len(wider) > 1 or len(narrower) > 1:
        return False
    ((longer,), (run,)) = (wider, narrower)
    within = longer.lengths == ANY_LENGTH or (
        run.lengths and set(run.lengths) <= set(longer.lengths)
    )
    plain = not (longer.hops or longer.skips or run.hops or run.skips)
    return plain and set(run.ends) <= set(longer.ends) and bool(within)


def _single_runs(rows: Iterable[RunSequence]) -> list[Run]:
    return [row[0] for row in rows if len(row) == 1]


# Leaps


def steps_as_blockable_leaps(rows: RunSequences) -> RunSequences:
    """The rows with a blockable leap in place of straight steps and then diagonal ones."""
    rows_kept: dict[RunSequence, None] = {}
    for row in rows:
        at, leap = next(_blockable_leaps_in(row), (0, None))
        if leap is None:
            rows_kept[row] = None
            continue
        if row[at].ends:
            rows_kept[(*row[:at], row[at]._replace(through=()))] = None
        rows_kept[(*row[:at], leap, *row[at + 2 :])] = None
    return list(rows_kept)


def _blockable_leaps_in(row: RunSequence) -> Iterator[tuple[int, Run]]:
    """The blockable leaps that two runs of a row are, by where they begin."""
    for at, (first, last) in enumerate(pairwise(row)):
        step = lame_leap_vector(first.step, first.lengths, last.step, last.lengths)
        if any(step) and first.through == EMPTY_PASSAGE and not (first.hops or last.hops):
            yield at, Run(step, ONE_STEP, last.ends, last.through, lame=True)


def _steps_over_pieces_as_jumps(rows: RunSequences) -> RunSequences:
    """The rows with one leap in place of steps over pieces on all squares of its way."""
    return [_replace_steps_by_jumps(row) for row in rows]


def _replace_steps_by_jumps(row: RunSequence) -> RunSequence:
    for start, end in combinations(range(len(row) + 1), 2):
        if _is_jump(row[start:end]):
            last = row[end - 1]
            jump = last._replace(
                step=end_of_path([each.step for each in row[start:end]]), hops=True, lame=True
            )
            return (*row[:start], jump, *_replace_steps_by_jumps(row[end:]))
    return row


def _is_jump(runs: RunSequence) -> bool:
    """Whether runs are the steps of one leap, over pieces on all squares of its way."""
    *before, last = runs
    steps = tuple([each.step for each in runs])
    plain = all(each.lengths == ONE_STEP and not (each.hops or each.skips) for each in runs)
    over = all(each.through == HOP_PASSAGES and not each.ends for each in before)
    plain = plain and over and last.through != HOP_PASSAGES
    return bool(before) and plain and as_king_steps(end_of_path(steps)) == steps


def _first_step_as_lame_leap(rows: RunSequences) -> RunSequences:
    """The rows with a lame leap that may go on in place of one step and then any number."""
    return [
        (row[0]._replace(lengths=(2,), ends=row[1].ends), row[1])
        if len(row) == _LEGS_OF_BENT_LEAP
        and _begins_with_step_then_slide(row)
        and may_continue_where_it_ends(row[1].ends, EMPTY_PASSAGE)
        else row
        for row in rows
    ]


def _runs_as_pairs_of_lame_leaps(rows: RunSequences) -> RunSequences:
    """The rows with two lame leaps in place of a run of as many steps."""
    return [half for row in rows for half in _sequences_with_pair_of_lame_leaps(row)]


def _sequences_with_pair_of_lame_leaps(row: RunSequence) -> Iterator[RunSequence]:
    if len(row) > 1 or not any(row[0].lengths[-1:] == (2 * size,) for size in LAME_LEAP_LENGTHS):
        yield row
        return
    (run,) = row
    *nearer, most = run.lengths
    half = run._replace(lengths=(most // 2,))
    stops = most // 2 in nearer and may_continue_where_it_ends(run.ends, EMPTY_PASSAGE)
    yield (half._replace(ends=run.ends if stops else (), through=EMPTY_PASSAGE), half)
    rest = tuple(each for each in nearer if not (stops and each == most // 2))
    if rest:
        yield (run._replace(lengths=rest),)


def _one_run_per_length(rows: RunSequences) -> RunSequences:
    """The rows with short runs of several lengths as one for each."""
    return [
        each
        for row in rows
        for each in (
            [(row[0]._replace(lengths=(length,)),) for length in row[0].lengths]
            if len(row) == 1 and row[0].lengths in _SPLITTABLE_LENGTHS
            else [row]
        )
    ]


# Ends


def _without_covered_ends(rows: RunSequences) -> RunSequences:
    """The rows without ends that longer runs in the same line have as well."""
    runs = _single_runs(rows)
    rows_kept: RunSequences = []
    for row in rows:
        ends = tuple(end for end in row[0].ends if not _is_end_covered(row[0], end, runs))
        if len(row) > 1:
            rows_kept.append(row)
        elif ends:
            rows_kept.append((row[0]._replace(ends=ends),))
    return rows_kept


def _is_end_covered(run: Run, end: End, runs: Iterable[Run]) -> bool:
    alone = (run._replace(ends=(end,)),)
    longer = [each for each in runs if each.step == run.step and each.lengths != run.lengths]
    return any(covers_ignoring_directions((each,), alone) for each in longer)


def _with_separate_friend_captures(rows: RunSequences) -> RunSequences:
    """The rows with captures of friends each by themselves."""
    rows_kept: RunSequences = []
    for row in rows:
        if len(row) == 1 and "friend" in row[0].ends:
            others = tuple(end for end in row[0].ends if end != "friend")
            rows_kept += [(row[0]._replace(ends=some),) for some in (others, ("friend",)) if some]
        else:
            rows_kept.append(row)
    return rows_kept


def merge_usual_moves_into_first_moves(
    rows: Iterable[RunSequence], usual_moves: UsualMoves
) -> Iterator[RunSequence]:
    """First moves of some squares as ones of fewer squares too, where those are usual moves.

    The double step of a pawn is then the range 2 of its first move. Where that holds of moves and
    not of captures, or of these alone, they are taken apart, and those of one range joined.
    """
    lengths: dict[tuple[Run, End], set[int]] = {}
    for row in rows:
        if len(row) > 1 or row[0].hops or not row[0].lengths:
            yield row
            continue
        for end in row[0].ends:
            alike = row[0]._replace(lengths=ANY_LENGTH, ends=())
            lengths.setdefault((alike, end), set()).update(
                _lengths_with_usual_shorter_ones(row[0], end, usual_moves)
            )
    ends: dict[Run, list[End]] = {}
    for (run, end), reached in lengths.items():
        ends.setdefault(run._replace(lengths=tuple(sorted(reached))), []).append(end)
    for run, found_ends in ends.items():
        yield (run._replace(ends=tuple(sorted(found_ends, key=get_args(End).index))),)


def _lengths_with_usual_shorter_ones(
    run: Run, end: End, usual_moves: UsualMoves
) -> tuple[int, ...]:
    """The lengths of a run that ends so, with fewer steps where those are usual moves."""
    nearer = set(range(1, run.lengths[0]))
    for other in usual_moves.get(run.step, ()):
        plain = end in other.ends and not (other.hops or other.through)
        if plain and (not other.lengths or nearer <= set(other.lengths)):
            return (*sorted(nearer), *run.lengths)
    return run.lengths


# Stops and passages


def _begins_with_step_then_slide(row: RunSequence) -> bool:
    """Whether a row begins with a step that goes on in its line any number of steps."""
    if len(row) == 1:
        return False
    first, second = row[:2]
    same = first.step == second.step and first[1:4] == (ONE_STEP, (), EMPTY_PASSAGE)
    return same and second.lengths == ANY_LENGTH and not (second.hops or second.skips)


def _with_separate_stops(rows: RunSequences) -> RunSequences:
    """The rows without stops on their ways, and each stop as a row of its own.

    One step and then any number of them are two slides, where all else begins with a slide too.
    """
    rows_kept: dict[RunSequence, None] = {}
    for row in rows:
        legs: list[Run] = []
        for each in row[:-1]:
            stop = may_continue_where_it_ends(each.ends, each.through)
            if stop:
                rows_kept[(*legs, each._replace(through=()))] = None
            legs.append(each._replace(ends=()) if stop else each)
        rows_kept[(*legs, row[-1])] = None
    slides = dict.fromkeys(_first_step_as_slide(row, rows_kept) for row in rows_kept)
    return [row for row in slides if not _is_part_of_slide(row, slides)]


def _first_step_as_slide(row: RunSequence, all_rows: dict[RunSequence, None]) -> RunSequence:
    if (
        len(row) > 1
        and run_continues_leap(*row[:2])
        and (leap_with_ends_of(*row[:2]), *row[2:]) not in all_rows
    ):
        # A slide that skips a square, and another one.
        return (
            row[1]._replace(lengths=ANY_LENGTH, ends=(), through=EMPTY_PASSAGE, skips=True),
            *row[1:],
        )
    if not _begins_with_step_then_slide(row):
        return row
    first, second, *rest = row
    slide = first._replace(lengths=ANY_LENGTH)
    if not rest:
        return (slide, second)
    shorter = (first, *rest) in all_rows and slide == second
    return (slide, *rest) if shorter else row


def _is_part_of_slide(row: RunSequence, slides: dict[RunSequence, None]) -> bool:
    first, *rest = row
    return (
        bool(rest)
        and first.lengths == ONE_STEP
        and (first._replace(lengths=ANY_LENGTH), *rest) in slides
    )


def _with_straight_continuation(rows: RunSequences) -> RunSequences:
    """Rows that halt, and beside turns after one step the way straight on, if runs have it too."""
    halting = _with_separate_stops(rows)
    runs = _single_runs(halting)
    more: dict[RunSequence, None] = {}
    for row in halting:
        if (
            len(row) == _LEGS_OF_BENT_LEAP
            and row[0][1:4] == (ONE_STEP, (), EMPTY_PASSAGE)
            and row[1].lengths == ONE_STEP
        ):
            straight = row[1]._replace(step=row[0].step)
            whole = (straight._replace(lengths=(2,)),)
            if any(
                run.step == straight.step and covers_ignoring_directions((run,), whole)
                for run in runs
            ):
                more[(row[0], straight)] = None
    return [*dict.fromkeys([*halting, *more])]


def _merge_rows_by_passage(rows: RunSequences) -> RunSequences:
    """The rows, those that differ only in what may stand where one leg goes on as one."""
    rows_kept: RunSequences = []
    alike: dict[tuple[RunSequence, int], list[Run]] = {}
    for row in rows:
        at = next((at for at, each in enumerate(row[:-1]) if each.through != EMPTY_PASSAGE), 0)
        if len(row) == 1 or row[at].ends or HOMEWARD_RUN in row:
            rows_kept.append(row)
            continue
        key = (*row[:at], row[at]._replace(through=()), *row[at + 1 :])
        alike.setdefault((key, at), []).append(row[at])
    for (row, at), runs in alike.items():
        through = {each for run in runs for each in run.through}
        order = HOP_PASSAGES if through == {*HOP_PASSAGES} else get_args(Passage)
        known = tuple([each for each in order if each in through])
        rows_kept.append((*row[:at], row[at]._replace(through=known), *row[at + 1 :]))
    return rows_kept if len(rows_kept) < len(rows) else rows


_REWRITES: tuple[Callable[[RunSequences], RunSequences], ...] = (
    _steps_over_pieces_as_jumps,
    _with_separate_stops,
    _with_straight_continuation,
    _first_step_as_lame_leap,
    _without_covered_ends,
    _with_separate_friend_captures,
    _merge_rows_by_passage,
    _one_run_per_length,
    _runs_as_pairs_of_lame_leaps,
)


def has_bends_and_only_short_runs(rows: Sequence[RunSequence], longest: int) -> bool:
    """Whether some rows bend, and their runs of some steps might as well be legs of one step."""
    runs = [run for row in rows for run in row]
    return (
        len(runs) > len(rows)
        and all(0 < len(run.lengths) <= run.lengths[-1] <= longest for run in runs)
        and any(run.lengths != ONE_STEP for run in runs)
    )
