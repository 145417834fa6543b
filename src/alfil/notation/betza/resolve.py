"""From a Betza tree to the movement it describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal, TypeAlias, assert_never

from alfil.errors import Finding, MeaningError
from alfil.frozen import NamedTuple
from alfil.geometry import Vector, every_image
from alfil.movement import nodes as moves
from alfil.movement.nodes import Bend, End, Join, Lengths, Movement, Passage, Repeat, Then, Way
from alfil.movement.turning import Sense
from alfil.notation.betza.letters import CASTLING, ROWS, UNIVERSAL, Mode, sense_of
from alfil.notation.betza.nodes import (
    Atom,
    BetzaTerm,
    Chain,
    ChainLeg,
    Leg,
    Modifiers,
    Path,
    Tail,
)
from alfil.notation.betza.nodes import Repeat as Rounds
from alfil.notation.betza.ways import (
    bend_of,
    first_steps,
    later_turns,
    leg_steps,
    legs_in,
    runs_in,
    selected,
)
from alfil.notation.nodes import Description
from alfil.source import Source, Span

# A circular piece comes home on its eighth step, and home is no square to go to.
CIRCLE = 7
# Letters after repeats double the ways through a chain; more than these nobody follows.
MOST_VARIANTS = 64

END_ORDER: tuple[End, ...] = ("empty", "enemy", "royal", "friend", "passer")
AWAY_ENDS: dict[End, End] = {"empty": "away"}
OVER_EMPTY: tuple[Passage, ...] = ("empty",)
AWAY: dict[Passage, Passage] = {"empty": "away"}


def resolve_betza(description: Description) -> Movement:
    """The movement of a Betza tree; parts whose letters leave no way to go are none.

    Raises `MeaningError` for a chain with too many ways through it.

    >>> from alfil.notation.betza.reader import read_betza
    >>> resolve_betza(read_betza(Source("fW"))[0]).options[0].way.steps
    ((0, 1),)
    """
    terms = description.terms
    options = [
        option
        for term in (dict.fromkeys(terms) if len(terms) > 1 else terms)
        if isinstance(term, BetzaTerm) and (option := _option(term)) is not None
    ]
    burning = tuple(
        [_burning(term) for term in dict.fromkeys(terms) if isinstance(term, Leg) and _burns(term)]
    )
    return Movement(tuple(options), burning, span=description.span)


def _burns(leg: Leg) -> bool:
    """Whether a part says what the piece burns."""
    return any(ROWS[mode].burns for mode in leg.modifiers.modes)


def _only_burns(leg: Leg) -> bool:
    """Whether a part is no move."""
    return _burns(leg) and not any(ROWS[mode].ends for mode in leg.modifiers.modes)


def _burning(term: Leg) -> moves.Fact:
    """That the piece burns what a part could capture, after any move of either side."""
    way = _single(replace(term, modifiers=replace(term.modifiers, modes=())))
    reach = Movement((moves.Option(way, span=term.span),) if way else (), span=term.span)
    burns = moves.Effect("burns", reach, when="always", span=term.span)
    return moves.Fact(burns, tuple(_conditions(term.modifiers)), span=term.span)


def _option(term: BetzaTerm) -> moves.Option | None:
    way = None if isinstance(term, Leg) and _only_burns(term) else _way(term)
    if way is None:
        return None
    if isinstance(term, Leg) and not term.modifiers.modes:
        return moves.Option(way, (), term.range.written == "*", span=term.span)
    legs = legs_in(term)
    first = term.prefix if isinstance(term, Path) else legs[0][0]
    when = tuple(_conditions(first))
    passer = isinstance(term, Leg) and term.range.written == "*"
    for letters, steps, atom in legs:
        if letters.modes and any(ROWS[mode].trail for mode in letters.modes):
            # On a slider n tests nothing and leaves a trail.
            passer |= bool(when) or (steps != 1 and {b for _, b in atom.vectors} == {1})
    return moves.Option(way, when, passer, span=term.span)


def _conditions(letters: Modifiers) -> Iterator[moves.When]:
    """What the letters of a whole part ask for."""
    for row in map(ROWS.__getitem__, letters.modes):
        if row.initial == "first-move":
            yield moves.OnMove(1, span=letters.span)
        elif row.initial == "third-rank":
            yield moves.ThirdRank(span=letters.span)
        elif row.squares:
            yield moves.OnSquare(row.squares, span=letters.span)


def _way(term: BetzaTerm) -> Way | None:
    match term:
        case Leg():
            return _single(term)
        case Chain():
            return _chain(term)
        case Path():
            return _path(term)
        case _:
            assert_never(term)


@lru_cache(maxsize=4096)
def _sense(modes: tuple[Mode, ...]) -> moves.Leg:
    """A leg with all that its letters say, wherever it stands."""
    rows = sorted((ROWS[mode] for mode in modes), key=lambda row: row.hop != "none")
    ends = {end for row in rows for end in row.ends} or {"empty", "enemy", "royal"}
    through = dict.fromkeys(passage for row in rows for passage in row.through)
    if "empty" in through:
        # With an empty square allowed as well, what is passed is no hurdle.
        passed = [passage for row in rows for passage in row.free or row.through]
        through = dict.fromkeys(passed)
    spared: frozenset[End | Passage] = frozenset()
    spared = spared.union(*(row.spares for row in rows))
    return moves.Leg(
        (),
        ends=tuple(end for end in END_ORDER if end in ends - spared),
        through=tuple(passage for passage in through if passage not in spared) or OVER_EMPTY,
        between=next((row.between for row in rows if row.between != "anything"), "anything"),
        hop=next((row.hop for row in rows if row.hop != "none"), "none"),
        edges=next((row.edges for row in rows if row.edges != "walls"), "walls"),
        skips_first=any(row.skips_first for row in rows),
    )


class _Place(NamedTuple):
    """Where a leg stands: whether the move may end with it or go on, whether it is in a repeat."""

    ends: bool = True
    goes_on: bool = False
    repeated: bool = False


ALONE = _Place()


def _run(
    modes: tuple[Mode, ...],
    steps: tuple[Vector, ...],
    lengths: Lengths,
    span: Span,
    place: _Place = ALONE,
    *,
    as_far: bool = False,
) -> moves.Leg:
    """A leg by its letters; what does not matter at its place is left as it is by default."""
    sense = _sense(modes)
    unit = _beside(steps)
    ends = sense.ends if place.ends else ("empty", "enemy", "royal")
    through = sense.through if place.goes_on else OVER_EMPTY
    along = OVER_EMPTY
    if place.repeated:
        ends = tuple(AWAY_ENDS.get(each, each) for each in ends)
        through = tuple(AWAY.get(each, each) for each in through)
        along = ("away",)
    return moves.Leg(
        steps,
        lengths,
        ends,
        through,
        along,
        "anything" if unit else sense.between,
        sense.hop if place.ends else "none",
        sense.edges,
        unit and sense.skips_first,
        as_far,
        span=span,
    )


@lru_cache(maxsize=1024)
def _beside(steps: tuple[Vector, ...]) -> bool:
    """Whether all steps go to squares beside, so that they skip none."""
    return all(max(abs(x), abs(y)) == 1 for x, y in steps)


@lru_cache(maxsize=128)
def _lengths(steps: int) -> Lengths:
    """1 to so many steps, any number for 0."""
    return tuple(range(1, steps + 1)) or "any"


def _single(leg: Leg) -> Way | None:
    modes, steps = leg.modifiers.modes, leg.range.steps
    lengths: Lengths = "own-half" if leg.range.written == "*" else _lengths(steps)
    if _halfway(modes):
        lengths = "halfway"
    if not modes and leg.vectors and leg.atom.vectors:
        ends = _sense(modes).ends
        return moves.Leg(leg.vectors, lengths, ends, OVER_EMPTY, OVER_EMPTY, span=leg.span)
    if leg.atom.written == UNIVERSAL:
        return moves.Anywhere(ends=_sense(modes).ends, span=leg.span)
    if leg.atom.written == CASTLING:
        inset = max((ROWS[mode].inset for mode in modes), default=0)
        return moves.Castling(leg.vectors, steps, inset, span=leg.span)
    if not leg.vectors:
        return None
    bend = sense_of(modes)
    if bend != "any":
        return _crooked(leg, bend)
    return _run(modes, leg.vectors, lengths, leg.span)


def _crooked(leg: Leg, bend: Sense) -> Way:
    """A single leg with z or q: one step at a time, each but the first after a bend."""
    printed = leg.range.steps if leg.range.written else 0
    most = min(printed or CIRCLE, CIRCLE) if bend == "same" else printed
    step = _run(leg.modifiers.modes, leg.vectors, moves.ONCE, leg.span)
    body = Then((step,), (), onward=Bend(None, bend, span=leg.modifiers.span), span=leg.span)
    return Repeat(body, tuple(range(1, most + 1)) or "any", span=leg.span)


class _Link(NamedTuple):
    """A leg of a chain; ``vectors`` are the steps of a first leg, which has no turns."""

    modes: tuple[Mode, ...]
    turns: tuple[int, ...] | None
    lengths: Lengths
    written: str
    span: Span
    vectors: tuple[Vector, ...] = ()
    repeated: bool = False


class _Circle(NamedTuple):
    """The legs of a repeat, at most ``limit`` times (0: no limit), or not at all."""

    links: tuple[_Link, ...]
    limit: int
    span: Span


_Item: TypeAlias = _Link | _Circle
_Items: TypeAlias = tuple[_Item, ...]


def _chain(chain: Chain) -> Way | None:
    if not chain.vectors and not any(isinstance(item, Tail) for item in chain.rest):
        return None
    everyway = every_image(chain.atom.vectors)
    ways = [
        _row(items, everyway, chain.span)
        for items in _variants(chain)
        if isinstance(items[0], _Link) and items[0].vectors
    ]
    return _either(ways, chain.span)


def _either(ways: Sequence[Way], span: Span) -> Way | None:
    return ways[0] if len(ways) == 1 else moves.Either(tuple(ways), span=span) if ways else None


def _variants(chain: Chain) -> list[_Items]:
    """The ways to read a chain: letters after a repeat belong to whichever leg comes last."""
    letters = chain.first
    first, *later = map(_lengths, leg_steps(chain))
    start = _Link(letters.modes, None, first, letters.written, letters.span, chain.vectors)
    found: list[_Items] = [(start,)]
    for item, lengths in zip(chain.rest, later, strict=True):
        match item:
            case ChainLeg():
                found = [(*items, _later(item, lengths)) for items in found]
            case Rounds():
                links = tuple(_later(leg, lengths)._replace(repeated=True) for leg in item.legs)
                found = [(*items, _Circle(links, item.limit, item.span)) for items in found]
            case Tail():
                found = [each for items in found for each in _tailed(items, item, chain.atom)]
                if len(found) > MOST_VARIANTS:
                    raise _too_many(chain.span)
            case _:
                assert_never(item)
    return found


def _later(leg: ChainLeg, lengths: Lengths) -> _Link:
    letters = leg.modifiers
    return _Link(letters.modes, leg.turns, lengths, letters.written, leg.span)


def _tailed(items: _Items, tail: Tail, atom: Atom) -> Iterator[_Items]:
    """The chain with the tail's letters on whichever leg comes last, for each that may."""
    *before, last = items
    if isinstance(last, _Link):
        yield (*before, _with_tail(last, tail, atom))
        return
    yield from _tailed(tuple(before), tail, atom)
    *others, final = last.links
    if last.limit != 1:
        before.append(last._replace(limit=max(0, last.limit - 1)))
    yield (*before, *others, _with_tail(final, tail, atom))


def _with_tail(link: _Link, tail: Tail, atom: Atom) -> _Link:
    """A leg with the letters of a tail, which pair with its own."""
    modes = tuple(dict.fromkeys(link.modes + tail.modifiers.modes))
    written = link.written + tail.modifiers.written
    span = link.span.to(tail.span)
    if link.vectors:
        vectors = first_steps(runs_in(written), atom.written, atom.vectors)[1]
        return _Link(modes, None, link.lengths, written, span, vectors)
    turns = later_turns(runs_in(written))[1]
    return _Link(modes, turns, link.lengths, written, span, repeated=link.repeated)


def _too_many(span: Span) -> MeaningError:
    message = "this chain has too many ways to be read: letters after repeats double them"
    hint = "give each leg its letters, without repeats before them"
    return MeaningError([Finding("too-many-states", message, (span,), hint)], Source(""))


def _row(items: Sequence[_Item], everyway: tuple[Vector, ...], span: Span) -> Way:
    """Legs and repeats in order; a leg may end the move where only repeats follow."""
    ways: list[Way] = []
    joins: list[Join] = []
    last = max(at for at, item in enumerate(items) if isinstance(item, _Link))
    for at, item in enumerate(items):
        goes_on = at < len(items) - 1
        if isinstance(item, _Link):
            ways.append(_linked(item, everyway, _Place(at >= last, goes_on, item.repeated)))
        else:
            ways.append(_circle(item, everyway, ends=at >= last))
        if at:
            turn = item if isinstance(item, _Link) else item.links[0]
            joins.append(Join(_bend(turn), may_stop=False))
    return ways[0] if len(ways) == 1 else Then(tuple(ways), tuple(joins), span=span)


def _linked(link: _Link, everyway: tuple[Vector, ...], place: _Place) -> moves.Leg:
    far = not link.vectors and _as_far(link.modes)
    steps = link.vectors or everyway
    return _run(link.modes, steps, link.lengths, link.span, place, as_far=far)


def _bend(link: _Link) -> Bend:
    return Bend(link.turns, sense_of(link.modes), span=link.span)


def _circle(circle: _Circle, everyway: tuple[Vector, ...], *, ends: bool) -> Repeat:
    count = len(circle.links)
    body = Then(
        tuple(
            _linked(link, everyway, _Place(ends and at == count, goes_on=True, repeated=True))
            for at, link in enumerate(circle.links, 1)
        ),
        tuple(Join(_bend(link), may_stop=False) for link in circle.links[1:]),
        onward=_bend(circle.links[0]),
        span=circle.span,
    )
    times: tuple[int, ...] | Literal["any"] = tuple(range(1, circle.limit + 1)) or "any"
    return Repeat(body, times, optional=True, span=circle.span)


def _path(path: Path) -> Way | None:
    if not path.legs[0].vectors:
        return None
    only: tuple[tuple[Vector, ...], ...] | None = None
    if path.prefix.directions:
        only = tuple(selected(path))
        if not only:
            return None
    ways: list[Way] = []
    for at, leg in enumerate(path.legs):
        last = at == len(path.joins)
        place = _Place(last or path.joins[at] == "?", goes_on=not last)
        modes = leg.modifiers.modes
        far = at > 0 and _as_far(modes)
        lengths = _lengths(leg.range.steps)
        if last and _halfway(path.prefix.modes):
            lengths = "halfway"
        ways.append(_run(modes, leg.vectors, lengths, leg.span, place, as_far=far))
    joins = tuple(
        Join(bend_of(leg), may_stop=join == "?")
        for join, leg in zip(path.joins, path.legs[1:], strict=True)
    )
    return Then(tuple(ways), joins, only=only, span=path.span)


def _halfway(modes: Iterable[Mode]) -> bool:
    return any(ROWS[mode].halfway for mode in modes)


def _as_far(modes: Iterable[Mode]) -> bool:
    return any(ROWS[mode].as_far for mode in modes)
