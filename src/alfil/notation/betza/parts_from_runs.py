"""Rows put together as parts of Betza: those of one shape become one part, where they can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, islice, product
from typing import Protocol, TypeAlias

from alfil.errors import NotationError
from alfil.geometry import UNIT_BASES, Vector, all_images, base_vector, is_oblique
from alfil.movement.nodes import MOVE_OR_CAPTURE, ONE_STEP, End, OnMove, Passage, ThirdRank, When
from alfil.movement.run_sequences import (
    ANY_LENGTH,
    EMPTY_PASSAGE,
    HOMEWARD_RUN,
    HOP_PASSAGES,
    PASS_ANYTHING,
    NotExpressible,
    Run,
    RunSequence,
    is_up_to_some,
    leap_with_ends_of,
    may_continue_where_it_ends,
    run_continues_leap,
)
from alfil.movement.turn_geometry import end_of_path
from alfil.notation.betza import leg_path_spelling as spelling
from alfil.notation.betza.directions import first_leg_letters
from alfil.notation.betza.equivalent_runs import (
    LAME_LEAP_LENGTHS,
    UsualMoves,
    covers_ignoring_directions,
    equivalent_sequences,
    has_bends_and_only_short_runs,
    merge_usual_moves_into_first_moves,
)
from alfil.notation.betza.leg_path_spelling import LegSpec, VectorPath, paths_as_betza
from alfil.notation.betza.letter_spelling import atom_text_of_bases
from alfil.notation.betza.letters import LETTER_ROWS, bend_sense_of_modes, first_clashing_pair
from alfil.notation.betza.nodes import BetzaTerm, Chain, ChainLeg, Modifiers, Path
from alfil.notation.betza.nodes import Leg as Single
from alfil.notation.betza.reader import read_betza
from alfil.source import Source
from alfil.work_limit import charge

# The letter before a part for the condition under which it may be used.
LETTER_BY_CONDITIONS: dict[tuple[When, ...], str] = {(): ""}
LETTER_BY_CONDITIONS |= {
    (OnMove(1),): m for m, row in LETTER_ROWS.items() if row.initial == "first-move"
}
LETTER_BY_CONDITIONS |= {
    (ThirdRank(),): m for m, row in LETTER_ROWS.items() if row.initial == "third-rank"
}
# What single letters let a leg end on, and go on from, and the hurdles of a hop.
ENDS_BY_MODE: dict[str, tuple[str, ...]] = {
    mode: row.ends for mode, row in LETTER_ROWS.items() if row.ends
}
PASSAGES_BY_MODE: dict[str, tuple[str, ...]] = {
    mode: row.through for mode, row in LETTER_ROWS.items() if row.ends
}
PASS_PASSAGES = LETTER_ROWS["p"].free
# A turn of 45° to either side, in eighths, and the letter of a turn to the same side as the latest:
# where there was none, such a turn.
TURNS_TO_EITHER_SIDE = (1, 7)
SAME_SIDE_MODE = next(mode for mode, row in LETTER_ROWS.items() if row.sense == "same")
# The letter of a slider that skips its first square.
SKIP_MODE = "j"
# The letter of a leg of as many steps as the one before it.
AS_FAR_MODE = next(mode for mode, row in LETTER_ROWS.items() if row.as_far)
# A longer text is no description anybody would read, and is tried only where nothing is shorter.
USUAL_TEXT_LENGTH = 80
MAX_TEXT_LENGTH = 200
MAX_SHAPES = 40
# The work of reading one part.
WORK_PER_PART = 60
# Runs of so many steps at most might as well be legs of one step.
MAX_STEPS_AS_LEGS = 6
# So many manners of writing all parts are tried.
MAX_ALTERNATIVES = 24
_SINGLE_BASES = (((0, 1),), ((1, 1),))

Lengths: TypeAlias = tuple[int, ...]

Bases: TypeAlias = tuple[Vector, ...]
# What the rows of one shape have in common: each run with its base vector in place of the step.
SequenceShape: TypeAlias = RunSequence
PathsByShape: TypeAlias = dict[SequenceShape, set[VectorPath]]
# A shape, the base vectors of its steps, its steps, and those that it may have besides.
ShapeGroup: TypeAlias = tuple[SequenceShape, Bases, frozenset[Vector], frozenset[Vector]]


class RunSequenceSource(Protocol):
    """Gives the rows of all moves under one condition, or those with a run for every step."""

    def __call__(self, *, single: bool) -> Sequence[RunSequence]:
        """The rows; raises `NotExpressible`."""
        ...


def parts_of_sequences(
    moves: Iterable[tuple[tuple[When, ...], RunSequenceSource]], *, chains: bool = True
) -> Iterator[tuple[BetzaTerm, ...]]:
    """Parts of Betza for some rows under their conditions, in each manner there is to write them.

    Without ``chains`` moves of several legs stand in brackets, as some dialects have no chains.
    There are none where no parts say the rows. What comes out is still to be compiled and compared.
    """
    choices: list[list[list[str]]] = []
    usual: UsualMoves = {}
    for when, rows in moves:
        try:
            initial = condition_letter(when)
            choices.append(_all_spellings(rows, usual, initial, chains=chains))
        except NotExpressible:
            return
    tried = islice(product(*choices), MAX_ALTERNATIVES)
    flat = ([*chain.from_iterable(parts)] for parts in tried)
    by_length = sorted(flat, key=lambda each: len("".join(each)))
    longest = (
        USUAL_TEXT_LENGTH
        if by_length and len("".join(by_length[0])) <= USUAL_TEXT_LENGTH
        else MAX_TEXT_LENGTH
    )
    for texts in by_length:
        if len("".join(texts)) > longest:
            return
        charge(WORK_PER_PART * len(texts))
        with suppress(NotExpressible):
            parts = unique_sorted_parts([parse_part(text) for text in texts])
            yield parts
            sensed = unique_sorted_parts(map(_first_turn_as_same_side_letter, parts))
            if sensed != parts:
                yield sensed


def _first_turn_as_same_side_letter(term: BetzaTerm) -> BetzaTerm:
    """A chain that first turns by 45° to either side with the one letter that says so."""
    if not isinstance(term, Chain) or not isinstance(leg := term.rest[0], ChainLeg):
        return term
    modes = (*leg.modifiers.modes, SAME_SIDE_MODE)
    if (
        leg.turns != TURNS_TO_EITHER_SIDE
        or bend_sense_of_modes(leg.modifiers.modes) != "any"
        or first_clashing_pair(modes)
    ):
        return term
    return replace(term, rest=(ChainLeg(Modifiers((), modes)), *term.rest[1:]))


def condition_letter(when: tuple[When, ...]) -> str:
    """The letter before a part for its conditions; raises `NotExpressible`."""
    if when not in LETTER_BY_CONDITIONS:
        raise NotExpressible
    return LETTER_BY_CONDITIONS[when]


@lru_cache(maxsize=256)
def landing_letters(ends: tuple[End, ...]) -> str:
    """The letters for the ways a move may end; raises `NotExpressible`.

    >>> landing_letters(("empty", "enemy", "royal")), landing_letters(("royal", "friend"))
    ('mc', 'dk')
    """
    return _letters_from_table(ENDS_BY_MODE, ends)


@lru_cache(maxsize=256)
def passage_letters(through: tuple[Passage, ...]) -> str:
    """The letters for what may stand where a path goes on; raises `NotExpressible`.

    >>> (passage_letters(("empty",)),
    ...  passage_letters(("empty", "pass-enemy", "pass-royal", "pass-friend")))
    ('', 'mp')
    """
    if through in {(), EMPTY_PASSAGE}:
        return ""
    if set(through) == {"empty", *PASS_PASSAGES}:
        return "mp"
    return "p" if through == HOP_PASSAGES else _letters_from_table(PASSAGES_BY_MODE, through)


def _letters_from_table(table: Mapping[str, tuple[str, ...]], target: tuple[str, ...]) -> str:
    """The letters that stand for just these, each once."""
    left = set(target)
    letters = ""
    for letter, means in table.items():
        if left.issuperset(means):
            letters += letter
            left -= set(means)
    if left:
        raise NotExpressible
    return letters


def _all_spellings(
    rows: RunSequenceSource, usual: UsualMoves, initial: str, *, chains: bool
) -> list[list[str]]:
    """The parts for some rows in every manner; raises `NotExpressible` where there is none."""
    routes = [*chain.from_iterable(map(_split_route_over_anything, rows(single=False)))]
    if not initial:
        for (only,) in [row for row in routes if len(row) == 1]:
            usual.setdefault(only.step, []).append(only)
    else:
        routes = [*merge_usual_moves_into_first_moves(routes, usual)]
    texts: dict[tuple[str, ...], None] = {}
    for manner in _alternative_sequences(routes, rows, may_leap=not initial):
        with suppress(NotExpressible):
            parts = _part_texts(manner, initial, chains=chains)
            texts[tuple(initial + text for text in parts)] = None
    if not texts:
        raise NotExpressible
    return [list(each) for each in texts]


def _alternative_sequences(
    routes: list[RunSequence], rows: RunSequenceSource, *, may_leap: bool
) -> Iterator[Sequence[RunSequence]]:
    """The same moves as other rows; legs of one step among them where these may do with less."""
    yield from equivalent_sequences(routes, may_leap=may_leap)
    if has_bends_and_only_short_runs(routes, MAX_STEPS_AS_LEGS):
        with suppress(NotExpressible):
            yield from equivalent_sequences(list(rows(single=True)), may_leap=False)


@lru_cache(maxsize=4096)
def parse_part(text: str) -> BetzaTerm:
    """The node of one part; raises `NotExpressible` where the text has errors or several parts."""
    try:
        terms = read_betza(Source(text))[0].terms
    except NotationError:
        raise NotExpressible from None
    if len(terms) == 1 and isinstance(terms[0], Single | Chain | Path):
        return terms[0]
    raise NotExpressible


def unique_sorted_parts(parts: Iterable[BetzaTerm]) -> tuple[BetzaTerm, ...]:
    """Parts each once, riders before leapers of one atom; the writer puts them in order.

    >>> from alfil.notation.betza.writer import write_betza
    >>> from alfil.notation.description import Description
    >>> parts = map(parse_part, ["ifmnD", "fcF", "aK", "N", "fmW", "R"])
    >>> write_betza(Description(unique_sorted_parts(parts), "betza"))
    'RNfmWfcFaKifmnD'
    """
    once = dict.fromkeys(parts)
    return tuple(sorted(once, key=lambda each: isinstance(each, Single) and each.range.steps == 1))


def _part_texts(rows: Sequence[RunSequence], initial: str, *, chains: bool) -> Iterator[str]:
    """The parts for the routes under one condition, without its letter."""
    shapes: PathsByShape = {}
    for route in map(
        _expand_homeward_run,
        _merge_leaps_into_skipping_runs(_drop_stops_of_longer_routes(_fold_runs_into_hops(rows))),
    ):
        for even in _routes_with_consecutive_lengths(route):
            shape = tuple([each._replace(step=base_vector(each.step)) for each in even])
            shapes.setdefault(shape, set()).add(tuple([each.step for each in even]))
            if len(shapes) > MAX_SHAPES:
                raise NotExpressible
    # A lame leap that is a first move would leave a trail.
    yield from PartWriter(lame=not initial, chains=chains).part_texts(shapes)


def _split_route_over_anything(route: RunSequence) -> Iterator[RunSequence]:
    """A route that passes whatever stands in its way, with the last step of it by itself.

    Single steps over whatever stands there are one leap.
    """
    if not any(each.over for each in route):
        yield route
        return
    *before, last = [*(each._replace(ends=()) for each in route[:-1]), route[-1]]
    if not last.over:
        yield (*before, last)
        return
    step = last._replace(lengths=ONE_STEP, over=False)
    if all(each[1:4] == (ONE_STEP, (), PASS_ANYTHING) and not each.over for each in before):
        yield (step._replace(step=end_of_path([each.step for each in (*before, step)])),)
    else:
        yield (*before, step)
    yield (*before, last._replace(ends=(), through=PASS_ANYTHING), step)


def _is_jump_over(before: Run, last: Run) -> bool:
    """Whether two runs are one with a piece in its way that is jumped over."""
    plain = before.through == HOP_PASSAGES and not (before.ends or before.hops or last.through)
    return plain and before.step == last.step and not last.hops


def _fold_runs_into_hops(rows: Iterable[RunSequence]) -> list[RunSequence]:
    """The routes with every run, piece jumped over and run in the same line as one hop."""
    rows_kept: list[RunSequence] = []
    ranges: dict[RunSequence, dict[int, RunSequence]] = {}
    for route in rows:
        *_, before, last = (None, *route)
        if before is None or not _is_jump_over(before, last):
            rows_kept.append(route)
            continue
        if before.lengths == last.lengths == ANY_LENGTH:
            rows_kept.append((*route[:-2], last._replace(hops=True)))
        elif last.lengths == ONE_STEP != before.lengths and is_up_to_some(before.lengths):
            reach = before.lengths and (*before.lengths, before.lengths[-1] + 1)
            rows_kept.append((*route[:-2], last._replace(lengths=reach, hops=True, behind=True)))
        elif len(before.lengths) == 1:
            hop = (*route[:-2], last._replace(lengths=ANY_LENGTH, hops=True))
            ranges.setdefault(hop, {})[before.lengths[0]] = route
        else:
            rows_kept.append(route)
    for hop, beyond in ranges.items():
        most = max(beyond) + 1
        lengths_seen = {at: route[-1].lengths for at, route in beyond.items()}
        if lengths_seen == {at: tuple(range(1, most - at + 1)) for at in range(1, most)}:
            rows_kept.append((*hop[:-1], hop[-1]._replace(lengths=tuple(range(1, most + 1)))))
        else:
            rows_kept += beyond.values()
    return rows_kept


def _drop_stops_of_longer_routes(rows: Sequence[RunSequence]) -> list[RunSequence]:
    """The routes without those that are stops on the way of a longer one."""
    stops: set[RunSequence] = set()
    for route in rows:
        for at, each in enumerate(route[:-1]):
            if may_continue_where_it_ends(each.ends, each.through):
                stops.add((*route[:at], each._replace(through=())))
    return [route for route in rows if route not in stops] if stops else list(rows)


def _merge_leaps_into_skipping_runs(rows: Sequence[RunSequence]) -> list[RunSequence]:
    """The routes with a leap of two steps and a run in the same line as a run that skips one."""
    rows_kept = dict.fromkeys(rows)
    for route in rows:
        for at in range(len(route) - 1 if route in rows_kept else 0):
            leap, run = route[at : at + 2]
            before, after = route[:at], route[at + 2 :]
            short = (*before, leap_with_ends_of(leap, run), *after)
            stops = leap.ends == run.ends and not after
            if run_continues_leap(leap, run) and (
                stops or (leap.ends in {(), run.ends} and short in rows_kept)
            ):
                rows_kept.pop(short, None)
                longer = tuple(range(1, run.lengths[-1] + 3)) if run.lengths else ANY_LENGTH
                skip = run._replace(lengths=longer, skips=True)
                rows_kept[(*before, skip, *after)] = rows_kept.pop(route)
                break
    return (
        list(rows_kept)
        if rows_kept.keys() == {*rows}
        else _merge_leaps_into_skipping_runs(list(rows_kept))
    )


def _expand_homeward_run(route: RunSequence) -> RunSequence:
    """A route home from its last capture with the way back that it takes, over the same squares.

    Its last run may be of any length, as the way back begins with just as many steps.
    """
    out, last = route[:-1], route[-1]
    single = all(each.lengths == ONE_STEP for each in out[:-1])
    quiet = all(each.through == EMPTY_PASSAGE for each in out[:-1])
    if last != HOMEWARD_RUN or len(out) <= 1 or not (single and quiet):
        return route
    if out[-1].lengths != ONE_STEP and (
        out[-1].lengths[:1] not in {ANY_LENGTH, ONE_STEP}
        or any(is_oblique(each.step) for each in out[:-1])
    ):
        return route
    back = [
        each._replace(step=(-each.step[0], -each.step[1]), ends=(), through=EMPTY_PASSAGE)
        for each in reversed(out)
    ]
    back[0] = back[0]._replace(as_far=out[-1].lengths != ONE_STEP)
    return (*out, *back[:-1], back[-1]._replace(ends=MOVE_OR_CAPTURE, through=()))


def _routes_with_consecutive_lengths(route: RunSequence) -> Iterator[RunSequence]:
    """The route as routes whose runs have consecutive lengths each."""
    if all(each.lengths in {ANY_LENGTH, ONE_STEP} for each in route):
        yield route
        return
    choices = [
        [
            each._replace(lengths=lengths)
            for lengths in _split_into_consecutive_lengths(each.lengths)
        ]
        for each in route
    ]
    yield from product(*choices)


def _split_into_consecutive_lengths(lengths: Lengths) -> Iterator[Lengths]:
    """The lengths cut where one is left out.

    >>> list(_split_into_consecutive_lengths((1, 2, 4)))
    [(1, 2), (4,)]
    """
    if not lengths:
        yield lengths
        return
    start = 0
    for at in range(1, len(lengths) + 1):
        if at == len(lengths) or lengths[at] != lengths[at - 1] + 1:
            yield lengths[start:at]
            start = at


@dataclass(frozen=True, slots=True)
class PartWriter:
    """Writes shapes as texts; raises `NotExpressible`.

    ``lame`` is whether n may be written: on a first move it would leave a trail. Without ``chains``
    moves of several legs stand in brackets.
    """

    lame: bool
    chains: bool

    def part_texts(self, shapes: PathsByShape) -> Iterator[str]:
        """One text for each part."""
        longer: PathsByShape = {}
        whole: PathsByShape = {}
        for shape, ways in shapes.items():
            short = len(shape) == 1 or shape[1:] == (HOMEWARD_RUN,)
            (whole if short else longer)[shape] = ways
        for group in _group_shapes(whole):
            texts = ([*self._single_leg_texts(each)] for each in _group_choices(group))
            yield from min(texts, key=lambda each: len("".join(each)))
        yield from self._several_leg_texts(longer)

    def _single_leg_texts(self, group: Sequence[ShapeGroup]) -> Iterator[str]:
        for shape, bases, steps, free in group:
            if len(shape) > 1:
                yield from self._rifle_texts(shape[0], bases, steps)
            else:
                yield from self._run_texts(shape[0], bases, steps, free)

    def _run_texts(
        self, shape: Run, bases: Bases, steps: frozenset[Vector], optional_steps: frozenset[Vector]
    ) -> Iterator[str]:
        """Leapers, riders, sliders, hoppers, lame leapers; ``optional_steps`` may be left out."""
        if shape.skips:
            skip = spelling.letters_of_last_leg(
                LegSpec(bases, len(shape.lengths), landing_letters(shape.ends), "")
            )
            yield (
                f"{first_leg_letters(steps, bases)}{SKIP_MODE}{skip}"
                f"{atom_text_of_bases(bases, len(shape.lengths))}"
            )
            return
        legs, scale = self._leg_specs_and_step_scale(shape, bases)
        if len(legs) > 1:
            ways = frozenset([(step,) * len(legs) for step in steps])
            yield from _require_texts(paths_as_betza(ways, legs, chains=self.chains))
            return
        leg = legs[0]
        letters = [
            first_leg_letters(frozenset([(x * scale, y * scale) for x, y in each]), leg.bases)
            for each in _direction_sets(steps, optional_steps)
        ]
        yield (
            min(letters, key=len)
            + spelling.letters_of_last_leg(leg)
            + atom_text_of_bases(leg.bases, leg.most)
        )

    def _rifle_texts(self, shape: Run, bases: Bases, steps: frozenset[Vector]) -> Iterator[str]:
        """Captures from home: out, and as far back."""
        direction, go = first_leg_letters(steps, bases), passage_letters(shape.through)
        if shape.lengths == ONE_STEP:
            yield f"{direction}{go}ab{atom_text_of_bases(bases, 1)}"
        elif shape.lengths == ANY_LENGTH and max(map(max, bases)) == 1:
            yield f"{direction}{go}aib{atom_text_of_bases(bases, 0)}"
        elif shape.lengths[:1] in {ANY_LENGTH, ONE_STEP}:
            name = atom_text_of_bases(bases, len(shape.lengths))
            yield f"{direction}[{go}{name}-ib{name}]"
        else:
            ((a, b),) = bases
            for length in shape.lengths:
                back = atom_text_of_bases(((a * length, b * length),), 1)
                lame = self.lame and length in LAME_LEAP_LENGTHS and b == 1
                name = atom_text_of_bases(bases, 1)
                out = f"{go}n{back}" if lame else f"{name}-" * (length - 1) + go + name
                yield f"{direction}[{out}-b{back}]"

    def _leg_specs_and_step_scale(self, shape: Run, bases: Bases) -> tuple[list[LegSpec], int]:
        """The legs for one run, and what its steps are to be multiplied by."""
        if shape.over and shape.lengths != ANY_LENGTH:
            raise NotExpressible
        low, most = (shape.lengths[0], len(shape.lengths)) if shape.lengths else (1, 0)
        land, go = landing_letters(shape.ends), passage_letters(shape.through)
        if shape.over:
            return [LegSpec(bases, 1, land, go, repeats=True)], 1
        passes = shape.hops or "p" in go
        if shape.lame:
            return [LegSpec(bases, 1, land, go, "j" if shape.hops else "n")], 1
        if self.lame and low > 1 and most == 1 and bases in _SINGLE_BASES and not passes:
            ((a, b),) = bases
            return [LegSpec(((a * low, b * low),), 1, land, go, "n")], low
        before = [LegSpec(bases, 1, "", straight=at > 0) for at in range(low - 1)]
        modes = "g" if shape.behind else "p" if shape.hops else SKIP_MODE if shape.skips else ""
        modes += AS_FAR_MODE if shape.as_far else ""
        last = LegSpec(bases, most, land, go, modes, straight=low > 1)
        return [*before, last], 1

    def _several_leg_texts(self, shapes: PathsByShape) -> Iterator[str]:
        """Moves of several legs; orthogonal and diagonal ones on K and Q where that is shorter."""
        alike: dict[SequenceShape, list[SequenceShape]] = {}
        for shape in shapes:
            if HOMEWARD_RUN in shape:
                raise NotExpressible
            key = tuple(
                [
                    each._replace(step=UNIT_BASES[0]) if each.step in UNIT_BASES else each
                    for each in shape
                ]
            )
            alike.setdefault(key, []).append(shape)
        for group in alike.values():
            texts = self._text_on_king_or_queen(group, shapes) if len(group) > 1 else None
            if texts is None or len(texts) > 1:
                apart = [
                    _require_texts(self._texts_of_leg_group([shape], shapes)) for shape in group
                ]
                flat = [text for each in apart for text in each]
                texts = min((flat, texts or flat), key=lambda each: len("".join(each)))
            yield from texts

    def _text_on_king_or_queen(
        self, group: Sequence[SequenceShape], shapes: PathsByShape
    ) -> list[str] | None:
        """One part for shapes that differ only in what is orthogonal and what diagonal."""
        exact = any(each.lengths[:1] not in {ANY_LENGTH, ONE_STEP} for each in group[0])
        return None if exact else self._texts_of_leg_group(group, shapes)

    def _texts_of_leg_group(
        self, group: Sequence[SequenceShape], shapes: PathsByShape
    ) -> list[str] | None:
        legs: list[LegSpec] = []
        scales: list[tuple[int, int]] = []
        for at, each in enumerate(group[0]):
            bases = tuple(sorted({shape[at].step for shape in group}))
            expanded, scale = self._leg_specs_and_step_scale(each, bases)
            legs += expanded
            scales.append((len(expanded), scale))
        ways = {
            tuple(
                (x * scale, y * scale)
                for (x, y), (count, scale) in zip(way, scales, strict=True)
                for _ in range(count)
            )
            for shape in group
            for way in shapes[shape]
        }
        return paths_as_betza(frozenset(ways), legs, chains=self.chains)


def _group_shapes(shapes: PathsByShape) -> Iterator[list[ShapeGroup]]:
    """Shapes of one run, an orthogonal and a diagonal one that differ in nothing else together."""
    done: set[SequenceShape] = set()
    for shape in shapes:
        if shape in done:
            continue
        group = [_shape_group(shape, shapes)]
        if group[0][2] <= group[0][3]:
            continue  # longer runs have all its moves
        if shape[0].step in UNIT_BASES and shape[0].lengths[:1] in {ANY_LENGTH, ONE_STEP}:
            (base,) = (each for each in UNIT_BASES if each != shape[0].step)
            beside = (shape[0]._replace(step=base), *shape[1:])
            if beside in shapes:
                done.add(beside)
                group.append(_shape_group(beside, shapes))
        yield group


def _shape_group(shape: SequenceShape, shapes: PathsByShape) -> ShapeGroup:
    """A shape by itself. Free are the steps along which longer runs move as it does."""
    steps = frozenset([way[0] for way in shapes[shape]])
    longer = (
        ways
        for other, ways in shapes.items()
        if other != shape
        and other[0].step == shape[0].step
        and covers_ignoring_directions(other, shape)
    )
    return shape, (shape[0].step,), steps, frozenset([way[0] for ways in longer for way in ways])


def _group_choices(group: list[ShapeGroup]) -> Iterator[list[ShapeGroup]]:
    """An orthogonal and a diagonal shape apart, and as one on K or Q where both are complete."""
    yield group
    if len(group) == len(UNIT_BASES):
        (shape, _, steps, free), (_, _, others, more) = group
        every = steps | free | others | more
        if every == frozenset(all_images(UNIT_BASES)):
            yield [(shape, UNIT_BASES, every, frozenset())]


def _direction_sets(
    steps: frozenset[Vector], optional_steps: frozenset[Vector]
) -> Iterator[frozenset[Vector]]:
    """All sets of directions with these steps, and with any of the free ones."""
    spare = sorted(optional_steps - steps)
    for count in range(len(spare) + 1):
        for some in combinations(spare, count):
            yield steps | frozenset(some)


def _require_texts(texts: list[str] | None) -> list[str]:
    if texts is None:
        raise NotExpressible
    return texts
