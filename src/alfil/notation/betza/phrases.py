"""Rows put together as parts of Betza: those of one shape become one part, where they can."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, islice, product
from typing import Protocol, TypeAlias

from alfil.effort import spend
from alfil.errors import NotationError
from alfil.geometry import Vector, base_of, every_image
from alfil.movement.nodes import MOVE_OR_CAPTURE, ONCE, End, OnMove, Passage, ThirdRank, When
from alfil.movement.rows import (
    ANY,
    HOMEWARD,
    HOPS,
    QUIET,
    Row,
    Run,
    Unsayable,
    as_short,
    back_over,
    may_stop,
    skips,
)
from alfil.notation.betza import brackets as spelling
from alfil.notation.betza.brackets import Leg, Way, spelled
from alfil.notation.betza.directions import fewest_first
from alfil.notation.betza.directions import run as run_of
from alfil.notation.betza.letters import ROWS, clashing, sense_of
from alfil.notation.betza.manners import LAME, Usual, as_usual, manners, says, stepwise
from alfil.notation.betza.nodes import BetzaTerm, Chain, ChainLeg, Modifiers, Path
from alfil.notation.betza.nodes import Leg as Single
from alfil.notation.betza.reader import read_betza
from alfil.notation.betza.spelling import atom_text
from alfil.source import Source

# The letter before a part for the condition under which it may be used.
PREFIXES: dict[tuple[When, ...], str] = {(): ""}
PREFIXES |= {(OnMove(1),): m for m, row in ROWS.items() if row.initial == "first-move"}
PREFIXES |= {(ThirdRank(),): m for m, row in ROWS.items() if row.initial == "third-rank"}
# What single letters let a leg end on, and go on from, and the hurdles of a hop.
ENDS: dict[str, tuple[str, ...]] = {mode: row.ends for mode, row in ROWS.items() if row.ends}
TAKES: dict[str, tuple[str, ...]] = {mode: row.through for mode, row in ROWS.items() if row.ends}
PASSED = ROWS["p"].free
# A turn of 45° to either side, in eighths, and the letter of a turn to the same side as the latest:
# where there was none, such a turn.
EITHER_SIDE = (1, 7)
SAME = next(mode for mode, row in ROWS.items() if row.sense == "same")
# The letter of a slider that skips its first square.
SKIP = "j"
# A longer text is no description anybody would read.
LONGEST_TEXT = 80
MOST_SHAPES = 40
# The work of reading one part.
READ = 60
# Runs of so many steps at most might as well be legs of one step.
LONGEST = 6
UNIT: tuple[Vector, ...] = ((0, 1), (1, 1))
# So many manners of writing all parts are tried.
MOST_MANNERS = 24
_SINGLE = (((0, 1),), ((1, 1),))

Lengths: TypeAlias = tuple[int, ...]


Bases: TypeAlias = tuple[Vector, ...]
# What the rows of one shape have in common: each run with its base vector in place of the step.
Shape: TypeAlias = Row
Shapes: TypeAlias = dict[Shape, set[Way]]
# A shape, the base vectors of its steps, its steps, and those that it may have besides.
Group: TypeAlias = tuple[Shape, Bases, frozenset[Vector], frozenset[Vector]]


class Rows(Protocol):
    """Gives the rows of all moves under one condition, or those with a run for every step."""

    def __call__(self, *, single: bool) -> Sequence[Row]:
        """The rows; raises `Unsayable`."""
        ...


def parts_of(moves: Iterable[tuple[tuple[When, ...], Rows]]) -> Iterator[tuple[BetzaTerm, ...]]:
    """Parts of Betza for some rows under their conditions, in each manner there is to write them.

    There are none where no parts say the rows. What comes out is still to be compiled and compared.
    """
    choices: list[list[list[str]]] = []
    usual: Usual = {}
    for when, rows in moves:
        try:
            initial = prefix(when)
            choices.append(_in_all_manners(rows, usual, initial))
        except Unsayable:
            return
    tried = islice(product(*choices), MOST_MANNERS)
    for texts in sorted(map(_together, tried), key=lambda each: len("".join(each))):
        if len("".join(texts)) > LONGEST_TEXT:
            return
        spend(READ * len(texts))
        with suppress(Unsayable):
            parts = ordered([part(text) for text in texts])
            yield parts
            sensed = ordered(map(_with_sense, parts))
            if sensed != parts:
                yield sensed


def _with_sense(term: BetzaTerm) -> BetzaTerm:
    """A chain that first turns by 45° to either side with the one letter that says so."""
    if not isinstance(term, Chain) or not isinstance(leg := term.rest[0], ChainLeg):
        return term
    modes = (*leg.modifiers.modes, SAME)
    if leg.turns != EITHER_SIDE or sense_of(leg.modifiers.modes) != "any" or clashing(modes):
        return term
    return replace(term, rest=(ChainLeg(Modifiers((), modes)), *term.rest[1:]))


def _together(parts: Iterable[list[str]]) -> list[str]:
    return [*chain.from_iterable(parts)]


def prefix(when: tuple[When, ...]) -> str:
    """The letter before a part for its conditions; raises `Unsayable`."""
    if when not in PREFIXES:
        raise Unsayable
    return PREFIXES[when]


@lru_cache(maxsize=256)
def landing(ends: tuple[End, ...]) -> str:
    """The letters for the ways a move may end; raises `Unsayable`.

    >>> landing(("empty", "enemy", "royal")), landing(("royal", "friend"))
    ('mc', 'dk')
    """
    return _letters(ENDS, ends)


@lru_cache(maxsize=256)
def going(through: tuple[Passage, ...]) -> str:
    """The letters for what may stand where a path goes on; raises `Unsayable`.

    >>> going(("empty",)), going(("empty", "pass-enemy", "pass-royal", "pass-friend"))
    ('', 'mp')
    """
    if through in {(), QUIET}:
        return ""
    if set(through) == {"empty", *PASSED}:
        return "mp"
    return "p" if through == HOPS else _letters(TAKES, through)


def _letters(table: Mapping[str, tuple[str, ...]], wanted: tuple[str, ...]) -> str:
    """The letters that stand for just these, each once."""
    left = set(wanted)
    letters = ""
    for letter, means in table.items():
        if left.issuperset(means):
            letters += letter
            left -= set(means)
    if left:
        raise Unsayable
    return letters


def _in_all_manners(rows: Rows, usual: Usual, initial: str) -> list[list[str]]:
    """The parts for some rows in every manner; raises `Unsayable` where there is none."""
    found = list(rows(single=False))
    if not initial:
        for (only,) in [row for row in found if len(row) == 1]:
            usual.setdefault(only.step, []).append(only)
    else:
        found = [*as_usual(found, usual)]
    texts: dict[tuple[str, ...], None] = {}
    for manner in _manners(found, rows, may_leap=not initial):
        with suppress(Unsayable):
            texts[tuple(initial + text for text in _texts(manner, initial))] = None
    if not texts:
        raise Unsayable
    return [list(each) for each in texts]


def _manners(found: list[Row], rows: Rows, *, may_leap: bool) -> Iterator[Sequence[Row]]:
    """The same moves as other rows; legs of one step among them where these may do with less."""
    yield from manners(found, may_leap=may_leap)
    if stepwise(found, LONGEST):
        with suppress(Unsayable):
            yield from manners(list(rows(single=True)), may_leap=False)


@lru_cache(maxsize=4096)
def part(text: str) -> BetzaTerm:
    """The node of one part; raises `Unsayable` for what the reader refuses or takes for several."""
    try:
        terms = read_betza(Source(text))[0].terms
    except NotationError:
        raise Unsayable from None
    if len(terms) == 1 and isinstance(terms[0], Single | Chain | Path):
        return terms[0]
    raise Unsayable


def ordered(parts: Iterable[BetzaTerm]) -> tuple[BetzaTerm, ...]:
    """Parts each once, riders before leapers of one atom; the writer puts them in order.

    >>> from alfil.notation.betza.writer import write_betza
    >>> from alfil.notation.nodes import Description
    >>> parts = map(part, ["ifmnD", "fcF", "aK", "N", "fmW", "R"])
    >>> write_betza(Description(ordered(parts), "betza"))
    'RNfmWfcFaKifmnD'
    """
    once = dict.fromkeys(parts)
    return tuple(sorted(once, key=lambda each: isinstance(each, Single) and each.range.steps == 1))


def _texts(found: Sequence[Row], initial: str) -> Iterator[str]:
    """The parts for the routes under one condition, without its letter."""
    shapes: Shapes = {}
    for route in map(_led_home, _skipping(_without_stops(_folded(found)))):
        for even in _even(route):
            shape = tuple([each._replace(step=base_of(each.step)) for each in even])
            shapes.setdefault(shape, set()).add(tuple([each.step for each in even]))
            if len(shapes) > MOST_SHAPES:
                raise Unsayable
    # A lame leap that is a first move would leave a trail.
    yield from Phrases(lame=not initial).texts(shapes)


def _over(before: Run, last: Run) -> bool:
    """Whether two runs are one with a piece in its way that is jumped over."""
    plain = before.through == HOPS and not (before.ends or before.hops or last.through)
    return plain and before.step == last.step and not last.hops


def _folded(found: Iterable[Row]) -> list[Row]:
    """The routes with every run, piece jumped over and run in the same line as one hop."""
    kept: list[Row] = []
    ranges: dict[Row, dict[int, Row]] = {}
    for route in found:
        *_, before, last = (None, *route)
        if before is None or not _over(before, last):
            kept.append(route)
            continue
        if before.lengths == last.lengths == ANY:
            kept.append((*route[:-2], last._replace(hops=True)))
        elif len(before.lengths) == 1:
            hop = (*route[:-2], last._replace(lengths=ANY, hops=True))
            ranges.setdefault(hop, {})[before.lengths[0]] = route
        else:
            kept.append(route)
    for hop, beyond in ranges.items():
        most = max(beyond) + 1
        told = {at: route[-1].lengths for at, route in beyond.items()}
        if told == {at: tuple(range(1, most - at + 1)) for at in range(1, most)}:
            kept.append((*hop[:-1], hop[-1]._replace(lengths=tuple(range(1, most + 1)))))
        else:
            kept += beyond.values()
    return kept


def _without_stops(found: Sequence[Row]) -> list[Row]:
    """The routes without those that are stops on the way of a longer one."""
    stops: set[Row] = set()
    for route in found:
        for at, each in enumerate(route[:-1]):
            if may_stop(each.ends, each.through):
                stops.add((*route[:at], each._replace(through=())))
    return [route for route in found if route not in stops] if stops else list(found)


def _skipping(found: Sequence[Row]) -> list[Row]:
    """The routes with a leap of two steps and a run in the same line as a run that skips one."""
    kept = dict.fromkeys(found)
    for route in found:
        for at in range(len(route) - 1 if route in kept else 0):
            leap, run = route[at : at + 2]
            before, after = route[:at], route[at + 2 :]
            short = (*before, as_short(leap, run), *after)
            stops = leap.ends == run.ends and not after
            if skips(leap, run) and (stops or (leap.ends in {(), run.ends} and short in kept)):
                kept.pop(short, None)
                longer = tuple(range(1, run.lengths[-1] + 3)) if run.lengths else ANY
                skip = run._replace(lengths=longer, skips=True)
                kept[(*before, skip, *after)] = kept.pop(route)
                break
    return list(kept) if kept.keys() == {*found} else _skipping(list(kept))


def _led_home(route: Row) -> Row:
    """A route of single steps home from its last capture, with the steps back that it takes."""
    out, last = route[:-1], route[-1]
    back = back_over(out)
    quiet = all(each.through == QUIET for each in out[:-1])
    if last != HOMEWARD or len(back) <= 1 or not quiet:
        return route
    return (*out, *back[:-1], back[-1]._replace(ends=MOVE_OR_CAPTURE, through=()))


def _even(route: Row) -> Iterator[Row]:
    """The route as routes whose runs have consecutive lengths each."""
    if all(each.lengths in {ANY, ONCE} for each in route):
        yield route
        return
    choices = [
        [each._replace(lengths=lengths) for lengths in _consecutive(each.lengths)] for each in route
    ]
    yield from product(*choices)


def _consecutive(lengths: Lengths) -> Iterator[Lengths]:
    """The lengths cut where one is left out.

    >>> list(_consecutive((1, 2, 4)))
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
class Phrases:
    """Writes shapes as texts; raises `Unsayable`.

    ``lame`` is whether n may be written: on a first move it would leave a trail.
    """

    lame: bool

    def texts(self, shapes: Shapes) -> Iterator[str]:
        """One text for each part."""
        longer: Shapes = {}
        whole: Shapes = {}
        for shape, ways in shapes.items():
            short = len(shape) == 1 or shape[1:] == (HOMEWARD,)
            (whole if short else longer)[shape] = ways
        for group in _united(whole):
            texts = ([*self._short(each)] for each in _joined(group))
            yield from min(texts, key=lambda each: len("".join(each)))
        yield from self._longer(longer)

    def _short(self, group: Sequence[Group]) -> Iterator[str]:
        for shape, bases, steps, free in group:
            if len(shape) > 1:
                yield from self._shots(shape[0], bases, steps)
            else:
                yield from self._runs(shape[0], bases, steps, free)

    def _runs(
        self, shape: Run, bases: Bases, steps: frozenset[Vector], free: frozenset[Vector]
    ) -> Iterator[str]:
        """Leapers, riders, sliders, hoppers and lame leapers; ``free`` are steps to spare."""
        if shape.skips:
            skip = spelling.ending(Leg(bases, len(shape.lengths), landing(shape.ends), ""))
            yield f"{_directed(steps, bases)}{SKIP}{skip}{atom_text(bases, len(shape.lengths))}"
            return
        legs, scale = self._expanded(shape, bases)
        if len(legs) > 1:
            ways = frozenset([(step,) * len(legs) for step in steps])
            yield from _required(spelled(ways, legs))
            return
        leg = legs[0]
        letters = [
            _directed(frozenset([(x * scale, y * scale) for x, y in each]), leg.bases)
            for each in _between(steps, free)
        ]
        yield min(letters, key=len) + spelling.ending(leg) + atom_text(leg.bases, leg.most)

    def _shots(self, shape: Run, bases: Bases, steps: frozenset[Vector]) -> Iterator[str]:
        """Captures from home: out, and as far back."""
        direction, go = _directed(steps, bases), going(shape.through)
        if shape.lengths == ONCE:
            yield f"{direction}{go}ab{atom_text(bases, 1)}"
        elif shape.lengths == ANY and max(map(max, bases)) == 1:
            yield f"{direction}{go}aib{atom_text(bases, 0)}"
        elif shape.lengths[:1] in {ANY, ONCE}:
            name = atom_text(bases, len(shape.lengths))
            yield f"{direction}[{go}{name}-ib{name}]"
        else:
            ((a, b),) = bases
            for length in shape.lengths:
                back = atom_text(((a * length, b * length),), 1)
                lame = self.lame and length in LAME and b == 1
                name = atom_text(bases, 1)
                out = f"{go}n{back}" if lame else f"{name}-" * (length - 1) + go + name
                yield f"{direction}[{out}-b{back}]"

    def _expanded(self, shape: Run, bases: Bases) -> tuple[list[Leg], int]:
        """The legs for one run, and what its steps are to be multiplied by."""
        low, most = (shape.lengths[0], len(shape.lengths)) if shape.lengths else (1, 0)
        land, go = landing(shape.ends), going(shape.through)
        passes = shape.hops or "p" in go
        if shape.lame:
            return [Leg(bases, 1, land, go, "j" if shape.hops else "n")], 1
        if self.lame and low in LAME and most == 1 and bases in _SINGLE and not passes:
            ((a, b),) = bases
            return [Leg(((a * low, b * low),), 1, land, go, "n")], low
        before = [Leg(bases, 1, "", straight=at > 0) for at in range(low - 1)]
        hop = "p" if shape.hops else ""
        last = Leg(bases, most, land, go, SKIP if shape.skips else hop, straight=low > 1)
        return [*before, last], 1

    def _longer(self, shapes: Shapes) -> Iterator[str]:
        """Moves of several legs; orthogonal and diagonal ones on K and Q where that is shorter."""
        alike: dict[Shape, list[Shape]] = {}
        for shape in shapes:
            if HOMEWARD in shape:
                raise Unsayable
            key = tuple(
                [each._replace(step=UNIT[0]) if each.step in UNIT else each for each in shape]
            )
            alike.setdefault(key, []).append(shape)
        for group in alike.values():
            texts = self._together(group, shapes) if len(group) > 1 else None
            if texts is None or len(texts) > 1:
                apart = [_required(self._several([shape], shapes)) for shape in group]
                flat = [text for each in apart for text in each]
                texts = min((flat, texts or flat), key=lambda each: len("".join(each)))
            yield from texts

    def _together(self, group: Sequence[Shape], shapes: Shapes) -> list[str] | None:
        """One part for shapes that differ only in what is orthogonal and what diagonal."""
        exact = any(each.lengths[:1] not in {ANY, ONCE} for each in group[0])
        return None if exact else self._several(group, shapes)

    def _several(self, group: Sequence[Shape], shapes: Shapes) -> list[str] | None:
        legs: list[Leg] = []
        scales: list[tuple[int, int]] = []
        for at, each in enumerate(group[0]):
            bases = tuple(sorted({shape[at].step for shape in group}))
            expanded, scale = self._expanded(each, bases)
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
        return spelled(frozenset(ways), legs)


def _united(shapes: Shapes) -> Iterator[list[Group]]:
    """Shapes of one run, an orthogonal and a diagonal one that differ in nothing else together."""
    done: set[Shape] = set()
    for shape in shapes:
        if shape in done:
            continue
        group = [_grouped(shape, shapes)]
        if group[0][2] <= group[0][3]:
            continue  # longer runs have all its moves
        if shape[0].step in UNIT and shape[0].lengths[:1] in {ANY, ONCE}:
            (base,) = (each for each in UNIT if each != shape[0].step)
            beside = (shape[0]._replace(step=base), *shape[1:])
            if beside in shapes:
                done.add(beside)
                group.append(_grouped(beside, shapes))
        yield group


def _grouped(shape: Shape, shapes: Shapes) -> Group:
    """A shape by itself. Free are the steps along which longer runs move as it does."""
    steps = frozenset([way[0] for way in shapes[shape]])
    longer = (
        ways
        for other, ways in shapes.items()
        if other != shape and other[0].step == shape[0].step and says(other, shape)
    )
    return shape, (shape[0].step,), steps, frozenset([way[0] for ways in longer for way in ways])


def _joined(group: list[Group]) -> Iterator[list[Group]]:
    """An orthogonal and a diagonal shape apart, and as one on K or Q where both are complete."""
    yield group
    if len(group) == len(UNIT):
        (shape, _, steps, free), (_, _, others, more) = group
        every = steps | free | others | more
        if every == frozenset(every_image(UNIT)):
            yield [(shape, UNIT, every, frozenset())]


def _between(steps: frozenset[Vector], free: frozenset[Vector]) -> Iterator[frozenset[Vector]]:
    """All sets of directions with these steps, and with any of the free ones."""
    spare = sorted(free - steps)
    for count in range(len(spare) + 1):
        for some in combinations(spare, count):
            yield steps | frozenset(some)


def _directed(steps: frozenset[Vector], bases: Bases) -> str:
    """The direction letters of a first leg."""
    found = fewest_first(steps, every_image(bases))
    assert found is not None  # four tokens choose any of the directions of an atom
    return run_of(*found)


def _required(texts: list[str] | None) -> list[str]:
    if texts is None:
        raise Unsayable
    return texts
