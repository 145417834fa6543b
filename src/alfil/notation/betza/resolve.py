"""From a Betza tree to the movement it describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal, TypeAlias, assert_never

from alfil.errors import Diagnostic, MeaningError
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import Vector, all_images
from alfil.movement import nodes as moves
from alfil.movement.nodes import Bend, End, Join, Lengths, Movement, Passage, Repeat, Then, Way
from alfil.movement.turn_geometry import BendSense
from alfil.notation.betza.letter_meanings import (
    bend_of_leg,
    direction_runs_in,
    first_leg_tokens_and_steps,
    later_leg_tokens_and_turns,
    letters_max_steps_and_atom_by_leg,
    max_steps_of_legs,
    paths_chosen_by_prefix,
)
from alfil.notation.betza.letters import (
    CASTLING_ATOM,
    LETTER_ROWS,
    UNIVERSAL_ATOM,
    Mode,
    bend_sense_of_modes,
)
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, ChainLeg, Leg, Modifiers, Path, Tail
from alfil.notation.betza.nodes import Repeat as Rounds
from alfil.notation.description import Description
from alfil.source import Source, Span

# A circular piece comes home on its eighth step, and home is no square to go to.
MAX_CIRCULAR_STEPS = 7
# Letters after repeats double the ways through a chain; more than these nobody follows.
MAX_CHAIN_READINGS = 64

END_ORDER: tuple[End, ...] = ("empty", "enemy", "royal", "friend", "passer")


def resolve_betza(description: Description) -> Movement:
    """The movement of a Betza tree; parts whose letters leave no way to go are none.

    Raises `MeaningError` for a chain with too many ways through it.

    >>> from alfil.notation.betza.reader import read_betza
    >>> resolve_betza(read_betza(Source("fW"))[0]).options[0].way.steps
    ((0, 1),)
    """
    written = description.terms
    # Of a part alone there is no other to be told from.
    apart = dict.fromkeys(written) if len(written) > 1 else written
    terms = [each for each in apart if isinstance(each, BetzaTerm)]
    legs = (term for term in terms if isinstance(term, Leg))
    burns = [leg for leg in legs if any(LETTER_ROWS[mode].burns for mode in leg.modifiers.modes)]
    idle = {leg for leg in burns if not any(LETTER_ROWS[m].ends for m in leg.modifiers.modes)}
    options = [option for term in terms if term not in idle and (option := _option_of(term))]
    return Movement(tuple(options), tuple(map(_burning_fact, burns)), span=description.span)


def _burning_fact(term: Leg) -> moves.Fact:
    """That the piece burns what a part could capture, after any move of either side."""
    way = _way_of_leg(replace(term, modifiers=replace(term.modifiers, modes=())))
    reach = Movement((moves.Option(way, span=term.span),) if way else (), span=term.span)
    burns = moves.Effect("burns", reach, when="always", span=term.span)
    return moves.Fact(burns, tuple(_conditions_of_letters(term.modifiers)), span=term.span)


def _option_of(term: BetzaTerm) -> moves.Option | None:
    way = _way_of(term)
    if way is None:
        return None
    if isinstance(term, Leg) and not term.modifiers.modes:
        return moves.Option(way, (), term.range.written == "*", span=term.span)
    legs = letters_max_steps_and_atom_by_leg(term)
    first = term.prefix if isinstance(term, Path) else legs[0][0]
    when = tuple(_conditions_of_letters(first))
    passer = isinstance(term, Leg) and term.range.written == "*"
    for letters, steps, atom in legs:
        if letters.modes and any(LETTER_ROWS[mode].trail for mode in letters.modes):
            # On a slider n tests nothing and leaves a trail.
            passer |= bool(when) or (steps != 1 and {b for _, b in atom.vectors} == {1})
    return moves.Option(way, when, passer, span=term.span)


def _conditions_of_letters(letters: Modifiers) -> Iterator[moves.When]:
    """What the letters of a whole part ask for."""
    for row in map(LETTER_ROWS.__getitem__, letters.modes):
        if row.initial == "first-move":
            yield moves.OnMove(1, span=letters.span)
        elif row.initial == "third-rank":
            yield moves.ThirdRank(span=letters.span)
        elif row.squares:
            yield moves.OnSquare(row.squares, span=letters.span)


def _way_of(term: BetzaTerm) -> Way | None:
    match term:
        case Leg():
            return _way_of_leg(term)
        case Chain():
            return _way_of_chain(term)
        case Path():
            return _way_of_path(term)
        case _:
            assert_never(term)


@lru_cache(maxsize=4096)
def _leg_features_of_letters(modes: tuple[Mode, ...]) -> moves.Leg:
    """A leg with all that its letters say, wherever it stands."""
    rows = sorted((LETTER_ROWS[mode] for mode in modes), key=lambda row: row.hop != "none")
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
        through=tuple(passage for passage in through if passage not in spared) or moves.OVER_EMPTY,
        between=next((row.between for row in rows if row.between != "anything"), "anything"),
        hop=next((row.hop for row in rows if row.hop != "none"), "none"),
        edges=next((row.edges for row in rows if row.edges != "walls"), "walls"),
        skips_first=any(row.skips_first for row in rows),
    )


class _LegPlace(NamedTuple):
    """Where a leg stands: whether the move may end with it or go on, whether it is in a repeat."""

    ends: bool = True
    goes_on: bool = False
    repeated: bool = False


SINGLE_LEG = _LegPlace()


def _leg_at_place(
    modes: tuple[Mode, ...],
    steps: tuple[Vector, ...],
    lengths: Lengths,
    span: Span,
    place: _LegPlace = SINGLE_LEG,
    *,
    as_far: bool = False,
) -> moves.Leg:
    """A leg by its letters; what does not matter at its place is left as it is by default."""
    sense = _leg_features_of_letters(modes)
    unit = _are_steps_to_adjacent_squares(steps)
    ends = sense.ends if place.ends else ("empty", "enemy", "royal")
    through = sense.through if place.goes_on else moves.OVER_EMPTY
    along = moves.OVER_EMPTY
    if place.repeated:
        ends = tuple("away" if each == "empty" else each for each in ends)
        through = tuple("away" if each == "empty" else each for each in through)
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
def _are_steps_to_adjacent_squares(steps: tuple[Vector, ...]) -> bool:
    """Whether all steps go to squares beside, so that they skip none."""
    return all(max(abs(x), abs(y)) == 1 for x, y in steps)


@lru_cache(maxsize=128)
def _lengths_up_to(steps: int) -> Lengths:
    """1 to so many steps, any number for 0."""
    return tuple(range(1, steps + 1)) or "any"


def _way_of_leg(leg: Leg) -> Way | None:
    modes, steps = leg.modifiers.modes, leg.range.steps
    lengths: Lengths = "own-half" if leg.range.written == "*" else _lengths_up_to(steps)
    if _has_halfway_mode(modes):
        lengths = "halfway"
    if not modes and leg.vectors and leg.atom.vectors:
        ends = _leg_features_of_letters(modes).ends
        return moves.Leg(leg.vectors, lengths, ends, span=leg.span)
    if leg.atom.written == UNIVERSAL_ATOM:
        return moves.Anywhere(ends=_leg_features_of_letters(modes).ends, span=leg.span)
    if leg.atom.written == CASTLING_ATOM:
        inset = max((LETTER_ROWS[mode].inset for mode in modes), default=0)
        return moves.Castling(leg.vectors, steps, inset, span=leg.span)
    if not leg.vectors:
        return None
    bend = bend_sense_of_modes(modes)
    if bend != "any":
        return _crooked_or_circular_way(leg, bend)
    return _leg_at_place(modes, leg.vectors, lengths, leg.span)


def _crooked_or_circular_way(leg: Leg, bend: BendSense) -> Way:
    """A single leg with z or q: one step at a time, each but the first after a bend."""
    printed = leg.range.steps if leg.range.written else 0
    most = min(printed or MAX_CIRCULAR_STEPS, MAX_CIRCULAR_STEPS) if bend == "same" else printed
    step = _leg_at_place(leg.modifiers.modes, leg.vectors, moves.ONE_STEP, leg.span)
    body = Then((step,), (), onward=Bend(None, bend, span=leg.modifiers.span), span=leg.span)
    return Repeat(body, tuple(range(1, most + 1)) or "any", span=leg.span)


class _ChainLink(NamedTuple):
    """A leg of a chain; ``vectors`` are the steps of a first leg, which has no turns."""

    modes: tuple[Mode, ...]
    turns: tuple[int, ...] | None
    lengths: Lengths
    written: str
    span: Span
    vectors: tuple[Vector, ...] = ()
    repeated: bool = False


class _ChainRepeat(NamedTuple):
    """The legs of a repeat, at most ``limit`` times (0: no limit), or not at all."""

    links: tuple[_ChainLink, ...]
    limit: int
    span: Span


_ChainItem: TypeAlias = _ChainLink | _ChainRepeat
_ChainItems: TypeAlias = tuple[_ChainItem, ...]


def _way_of_chain(chain: Chain) -> Way | None:
    if not chain.vectors and not any(isinstance(item, Tail) for item in chain.rest):
        return None
    everyway = all_images(chain.atom.vectors)
    ways = [
        _way_of_links(items, everyway, chain.span)
        for items in _chain_readings(chain)
        if isinstance(items[0], _ChainLink) and items[0].vectors
    ]
    return moves.either_of_ways(ways, chain.span) if ways else None


def _chain_readings(chain: Chain) -> list[_ChainItems]:
    """The ways to read a chain: letters after a repeat belong to whichever leg comes last."""
    letters = chain.first
    first, *later = map(_lengths_up_to, max_steps_of_legs(chain))
    start = _ChainLink(letters.modes, None, first, letters.written, letters.span, chain.vectors)
    result: list[_ChainItems] = [(start,)]
    for item, lengths in zip(chain.rest, later, strict=True):
        match item:
            case ChainLeg():
                result = [(*items, _later_link(item, lengths)) for items in result]
            case Rounds():
                links = tuple(
                    _later_link(leg, lengths)._replace(repeated=True) for leg in item.legs
                )
                result = [(*items, _ChainRepeat(links, item.limit, item.span)) for items in result]
            case Tail():
                result = [
                    each for items in result for each in _readings_of_tail(items, item, chain.atom)
                ]
                if len(result) > MAX_CHAIN_READINGS:
                    raise _too_many_readings_error(chain.span)
            case _:
                assert_never(item)
    return result


def _later_link(leg: ChainLeg, lengths: Lengths) -> _ChainLink:
    letters = leg.modifiers
    return _ChainLink(letters.modes, leg.turns, lengths, letters.written, leg.span)


def _readings_of_tail(items: _ChainItems, tail: Tail, atom: Atom) -> Iterator[_ChainItems]:
    """The chain with the tail's letters on whichever leg comes last, for each that may."""
    *before, last = items
    if isinstance(last, _ChainLink):
        yield (*before, _with_tail(last, tail, atom))
        return
    yield from _readings_of_tail(tuple(before), tail, atom)
    *others, final = last.links
    if last.limit != 1:
        before.append(last._replace(limit=max(0, last.limit - 1)))
    yield (*before, *others, _with_tail(final, tail, atom))


def _with_tail(link: _ChainLink, tail: Tail, atom: Atom) -> _ChainLink:
    """A leg with the letters of a tail, which pair with its own."""
    modes = tuple(dict.fromkeys(link.modes + tail.modifiers.modes))
    written = link.written + tail.modifiers.written
    span = link.span.to(tail.span)
    if link.vectors:
        vectors = first_leg_tokens_and_steps(
            direction_runs_in(written), atom.written, atom.vectors
        )[1]
        return _ChainLink(modes, None, link.lengths, written, span, vectors)
    turns = later_leg_tokens_and_turns(direction_runs_in(written))[1]
    return _ChainLink(modes, turns, link.lengths, written, span, repeated=link.repeated)


def _too_many_readings_error(span: Span) -> MeaningError:
    message = "this chain has too many ways to be read: letters after repeats double them"
    hint = "give each leg its letters, without repeats before them"
    return MeaningError([Diagnostic("too-many-states", message, (span,), hint)], Source(""))


def _way_of_links(items: Sequence[_ChainItem], everyway: tuple[Vector, ...], span: Span) -> Way:
    """Legs and repeats in order; a leg may end the move where only repeats follow."""
    ways: list[Way] = []
    joins: list[Join] = []
    last = max(at for at, item in enumerate(items) if isinstance(item, _ChainLink))
    for at, item in enumerate(items):
        goes_on = at < len(items) - 1
        if isinstance(item, _ChainLink):
            ways.append(_leg_of_link(item, everyway, _LegPlace(at >= last, goes_on, item.repeated)))
        else:
            ways.append(_repeat_of(item, everyway, ends=at >= last))
        if at:
            turn = item if isinstance(item, _ChainLink) else item.links[0]
            joins.append(Join(_bend_of_link(turn), may_stop=False))
    return ways[0] if len(ways) == 1 else Then(tuple(ways), tuple(joins), span=span)


def _leg_of_link(link: _ChainLink, everyway: tuple[Vector, ...], place: _LegPlace) -> moves.Leg:
    far = not link.vectors and _has_as_far_mode(link.modes)
    steps = link.vectors or everyway
    return _leg_at_place(link.modes, steps, link.lengths, link.span, place, as_far=far)


def _bend_of_link(link: _ChainLink) -> Bend:
    return Bend(link.turns, bend_sense_of_modes(link.modes), span=link.span)


def _repeat_of(chain_repeat: _ChainRepeat, everyway: tuple[Vector, ...], *, ends: bool) -> Repeat:
    count = len(chain_repeat.links)
    body = Then(
        tuple(
            _leg_of_link(
                link, everyway, _LegPlace(ends and at == count, goes_on=True, repeated=True)
            )
            for at, link in enumerate(chain_repeat.links, 1)
        ),
        tuple(Join(_bend_of_link(link), may_stop=False) for link in chain_repeat.links[1:]),
        onward=_bend_of_link(chain_repeat.links[0]),
        span=chain_repeat.span,
    )
    times: tuple[int, ...] | Literal["any"] = tuple(range(1, chain_repeat.limit + 1)) or "any"
    return Repeat(body, times, optional=True, span=chain_repeat.span)


def _way_of_path(path: Path) -> Way | None:
    if not path.legs[0].vectors:
        return None
    only: tuple[tuple[Vector, ...], ...] | None = None
    if path.prefix.directions:
        only = tuple(paths_chosen_by_prefix(path))
        if not only:
            return None
    ways: list[Way] = []
    for at, leg in enumerate(path.legs):
        last = at == len(path.joins)
        place = _LegPlace(last or path.joins[at] == "?", goes_on=not last)
        modes = leg.modifiers.modes
        far = at > 0 and _has_as_far_mode(modes)
        lengths = _lengths_up_to(leg.range.steps)
        if last and _has_halfway_mode(path.prefix.modes):
            lengths = "halfway"
        ways.append(_leg_at_place(modes, leg.vectors, lengths, leg.span, place, as_far=far))
    joins = tuple(
        Join(bend_of_leg(leg), may_stop=join == "?")
        for join, leg in zip(path.joins, path.legs[1:], strict=True)
    )
    return Then(tuple(ways), joins, only=only, span=path.span)


def _has_halfway_mode(modes: Iterable[Mode]) -> bool:
    return any(LETTER_ROWS[mode].halfway for mode in modes)


def _has_as_far_mode(modes: Iterable[Mode]) -> bool:
    return any(LETTER_ROWS[mode].as_far for mode in modes)
