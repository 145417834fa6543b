"""From a movement to a Betza tree, where it has direct words for it; and where its letters stand.

What has no direct form is looked for from the automaton; see `alfil.translation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from alfil.errors import AlfilError
from alfil.geometry import UNIT_BASES, Vector, all_images, base_vector
from alfil.movement import nodes as moves
from alfil.movement.nodes import MOVE_OR_CAPTURE, Bend, Castling, End, Lengths, Passage, Then, Way
from alfil.movement.run_sequences import NotExpressible
from alfil.movement.turn_geometry import ALL_BUT_BACK, BendSense
from alfil.notation.betza import nodes
from alfil.notation.betza.directions import atom_system, fewest_turn_letters, first_leg_tokens_for
from alfil.notation.betza.letters import LETTER_ROWS, Mode, modes_in, split_letters
from alfil.notation.betza.nodes import Atom, Chain, ChainLeg, Leg, Modifiers, Path, Range, Repeat
from alfil.notation.betza.parts_from_runs import (
    condition_letter,
    landing_letters,
    passage_letters,
)
from alfil.notation.betza.reader import read_betza
from alfil.notation.betza.resolve import MAX_CIRCULAR_STEPS
from alfil.notation.betza.writer import write_betza
from alfil.notation.description import Description
from alfil.source import Source, Span

DIALECT = "betza"
# The turn straight back, in eighths.
_STRAIGHT_BACK = 4
Modes: TypeAlias = tuple[Mode, ...]
_MODE_BY_SENSE = {row.sense: mode for mode, row in LETTER_ROWS.items() if row.sense != "any"}
_MODE_BY_EDGES = {row.edges: mode for mode, row in LETTER_ROWS.items() if row.edges != "walls"}
_MODE_BY_HOP = {row.hop: mode for mode, row in LETTER_ROWS.items() if row.hop != "none"}
_MODE_BY_BETWEEN = {
    row.between: mode for mode, row in LETTER_ROWS.items() if row.between != "anything"
}
_SKIP_MODES: tuple[Mode, ...] = tuple(mode for mode, row in LETTER_ROWS.items() if row.skips_first)
_AS_FAR_MODES: tuple[Mode, ...] = tuple(mode for mode, row in LETTER_ROWS.items() if row.as_far)
_EN_PASSANT_MODES: tuple[Mode, ...] = tuple(mode for mode, row in LETTER_ROWS.items() if row.trail)
# Signs that are no letters of a leg.
_SIGN_BY_FEATURE = {"anywhere": "U", "castling": "O", "own-half": "*", "then": "a-"}


def _signs_for_feature(feature: str) -> frozenset[str]:
    """The signs that tell what a leg, a condition or a joint of a movement has."""
    return frozenset(_SIGN_BY_FEATURE.get(feature, "")) | {
        mode
        for mode, row in LETTER_ROWS.items()
        if feature in (*row.through, row.initial, f"{row.between}-between", f"{row.sense}-side")
        or (feature == "hop" and row.hop != "none")
        or (feature == "edges" and row.edges != "walls")
        or (feature == "as-far" and row.as_far)
    }


def spans_of_feature(feature: str, span: Span, source: Source) -> tuple[Span, ...]:
    """Where in a stretch of Betza something is told, each place once.

    >>> spans_of_feature("hop", Span(2, 5), Source("mRcpR"))
    (Span(start=3, end=4),)
    """
    letters_wanted = _signs_for_feature(feature)
    result = split_letters(source.text[span.start : span.end])
    return tuple([sign.span(span.start) for sign in result if sign.text in letters_wanted])


def spell_option(option: moves.Option) -> tuple[nodes.BetzaTerm, ...] | None:
    """The parts for one option of a movement in their usual spelling, None without direct form.

    >>> from alfil.notation.betza.resolve import resolve_betza
    >>> options = resolve_betza(read_betza(Source("fgQ3"), "classic")[0]).options
    >>> write_betza(Description(spell_option(options[0]), "betza"))
    'fhgQ3'
    """
    try:
        terms = tuple(_option_parts(option.way, option))
        text = write_betza(Description(terms, "betza", DIALECT), DIALECT)
        read = read_betza(Source(text))[0].terms
    except (NotExpressible, AlfilError):
        return None
    return tuple(term for term in read if isinstance(term, Leg | Chain | Path))


def _option_parts(way: Way, option: moves.Option) -> Iterator[nodes.BetzaTerm]:
    initial = modes_in(condition_letter(option.when))
    match way:
        case moves.Either(ways=ways):
            for each in ways:
                yield from _option_parts(each, option)
        case moves.Leg():
            lame = option.passer and way.lengths != "own-half" and way.between == "anything"
            yield from _legs_of_run(way, (*initial, *(_EN_PASSANT_MODES if lame else ())))
        case moves.Repeat(Then((moves.Leg() as step,), (), Bend(None, sense)), optional=False):
            yield from _crooked_or_circular_legs(
                step, sense, (*initial, *_bend_letters(sense)), way.times
            )
        case moves.Within(
            moves.Only("capturing"),
            moves.Within(moves.Rampage("enemies", False), moves.Leg() as run),
        ) if run.lengths == "any" and run.along == run.through:
            for each in _rampages_by_first_capture(run):
                yield _make_chain(each, initial)
        case Then():
            yield from _sequence_parts(way, option, initial)
        case _:
            yield _castling_or_universal_leg(way, initial)


def _sequence_parts(way: Then, option: moves.Option, initial: Modes) -> Iterator[nodes.BetzaTerm]:
    match way:
        case Then(
            (moves.Leg(lengths=tuple() as lengths) as out, moves.Leg(lengths="any") as back),
            (moves.Join(moves.Angle(sixteenths=8), may_stop=True),),
            None,
            None,
        ):
            for each in chain.from_iterable(
                _ways_back_over_start(out, back, most) for most in lengths
            ):
                yield from _option_parts(each, option)
        case _:
            turns = [join.turn for join in way.joins]
            chooses = all(isinstance(turn, Bend) and turn.chooses for turn in turns)
            yield (_make_path if chooses else _make_chain)(way, initial)


def _ways_back_over_start(out: moves.Leg, back: moves.Leg, length: int) -> Iterator[Way]:
    """The ways out, back until short of home, where no move ends, and over home and beyond."""
    there, again = (replace(leg, lengths=moves.ONE_STEP) for leg in (out, back))
    on, turn = (
        moves.Join(bend, may_stop=False)
        for bend in (Bend(chooses=True), Bend((_STRAIGHT_BACK,), chooses=True))
    )
    legs, joins = (there,) * length, (on,) * (length - 1)
    yield Then(legs, joins) if joins else there
    if joins:
        short = replace(back, lengths=tuple(range(1, length)))
        yield Then((*legs, short), (*joins, turn))
    yield Then((*legs, *(again,) * length, back), (*joins, turn, *(on,) * length))


def _castling_or_universal_leg(way: Way, initial: Modes) -> Leg:
    """Castling, and the leap to anywhere."""
    match way:
        case Castling(steps=steps, squares=squares, inset=inset):
            sides = tuple(letter for letter, x in (("l", -1), ("r", 1)) if (x, 0) in steps)
            letters = Modifiers(sides, (*initial, *(_SKIP_MODES if inset else ())))
            return Leg(letters, Atom("O", ()), Range(squares, str(squares)))
        case moves.Anywhere(files=None, ranks=None, ends=ends):
            return Leg(Modifiers((), (*initial, *_end_letters(ends))), Atom("U", ()), Range(1))
        case _:
            raise NotExpressible


def _rampages_by_first_capture(run: moves.Leg) -> Iterator[Then]:
    """A run that captures all it passes, at least one piece, by where it captures first."""
    onward = Bend((0,))
    join = moves.Join(onward, may_stop=False)
    step = replace(run, lengths=moves.ONE_STEP, ends=MOVE_OR_CAPTURE)
    take: tuple[Passage, ...] = ("take-enemy", "take-royal")
    first = replace(step, ends=moves.CAPTURE_ONLY, through=take)
    quiet, any_way = (
        moves.Repeat(Then((replace(step, through=through),), (), onward), optional=True)
        for through in (step.through, (*step.through, *take))
    )
    yield Then((first, any_way), (join,))
    yield Then((step, quiet, first, any_way), (join,) * 3)


def _bend_letters(sense: BendSense) -> Modes:
    return () if sense == "any" else (_MODE_BY_SENSE[sense],)


def _end_letters(ends: tuple[End, ...]) -> Modes:
    letters = landing_letters(moves.away_as_empty(ends))
    return () if letters == landing_letters(MOVE_OR_CAPTURE) else modes_in(letters)


def _end_and_pass_letters(ends: tuple[End, ...], through: tuple[Passage, ...]) -> Modes:
    """The letters of a leg that may be the last one or not."""
    ending, goes = _end_letters(ends), _passage_letters(through)
    if goes and goes != (ending or modes_in(landing_letters(MOVE_OR_CAPTURE))):
        raise NotExpressible
    return goes or ending


def _passage_letters(through: tuple[Passage, ...]) -> Modes:
    return modes_in(passage_letters(moves.away_as_empty(through)))


def _run_letters(run: moves.Leg) -> Modes:
    """The letters for how a leg runs, whatever it ends on."""
    letters: list[Mode] = []
    if run.hop != "none":
        letters.append(_MODE_BY_HOP[run.hop])
    if run.edges != "walls":
        letters.append(_MODE_BY_EDGES[run.edges])
    if run.between != "anything":
        letters.append(_MODE_BY_BETWEEN[run.between])
    return (*letters, *(_SKIP_MODES if run.skips_first else ()))


def _steps_by_atom(steps: Sequence[Vector]) -> dict[tuple[Vector, ...], list[Vector]]:
    """The steps by the atoms they are of; single steps both ways are of one."""
    atoms: dict[tuple[Vector, ...], list[Vector]] = {}
    for step in steps:
        base = base_vector(step)
        atoms.setdefault(UNIT_BASES if base in UNIT_BASES else (base,), []).append(step)
    return atoms


def _make_range(lengths: Lengths, *, unlimited_by_default: bool) -> Range:
    if lengths == "own-half":
        return Range(0, "*")
    if lengths == "any":
        return Range(0, "" if unlimited_by_default else "0")
    if lengths != tuple(range(1, len(lengths) + 1)):
        raise NotExpressible
    return Range(len(lengths), str(len(lengths)) if len(lengths) > 1 else "")


def _make_atom(steps: Sequence[Vector], *, slides: bool) -> Atom:
    """The one atom that has all these steps."""
    if len(atoms := _steps_by_atom(steps)) != 1:
        raise NotExpressible
    ((bases, result),) = atoms.items()
    if bases == UNIT_BASES:
        bases = tuple(base for base in UNIT_BASES if {*all_images((base,))} & {*result})
    return Atom("", bases, slides and max(map(max, bases)) == 1)


def _legs_of_run(run: moves.Leg, modes: Modes) -> Iterator[Leg]:
    for steps in _steps_by_atom(run.steps).values():
        atom = _make_atom(steps, slides=run.lengths == "any")
        letters = Modifiers((), (*modes, *_end_letters(run.ends), *_run_letters(run)))
        how_far = _make_range(run.lengths, unlimited_by_default=atom.slides)
        yield Leg(letters, atom, how_far, tuple(steps))


def _crooked_or_circular_legs(
    step: moves.Leg, sense: BendSense, modes: Modes, times: Lengths
) -> Iterator[Leg]:
    """A leap that bends at every step; without number as far as there is room."""
    if sense == "any":
        raise NotExpressible
    endless = times == "any" or (sense == "same" and len(times) == MAX_CIRCULAR_STEPS)
    for steps in _steps_by_atom(step.steps).values():
        atom = _make_atom(steps, slides=endless)
        letters = Modifiers((), (*modes, *_end_letters(step.ends), *_run_letters(step)))
        rounds = Range(0 if atom.slides else 1) if endless else Range(len(times), str(len(times)))
        yield Leg(letters, atom, rounds, tuple(steps))


def _turn_letters(turn: object) -> Modifiers:
    """The letters for the turn of a later leg."""
    if not isinstance(turn, Bend):
        raise NotExpressible
    tokens = () if turn.places is None else fewest_turn_letters(frozenset(turn.places))
    if tokens is None:
        raise NotExpressible
    return Modifiers(tokens, _bend_letters(turn.sense))


def _make_path(way: Then, initial: Modes) -> Path:
    """Legs that choose among directions of their own."""
    if way.only is not None or way.onward is not None:
        raise NotExpressible
    legs: list[Leg] = []
    for at, run in enumerate(way.ways):
        if not isinstance(run, moves.Leg):
            raise NotExpressible
        stops = at == len(way.joins) or way.joins[at].may_stop
        onward = at < len(way.joins)
        turn = (
            _turn_letters(way.joins[at - 1].turn) if at else Modifiers(_first_leg_directions(run))
        )
        far = _AS_FAR_MODES if run.as_far else ()
        modes = (*turn.modes, *far, *_leg_letters(run, ends=stops, onward=onward))
        atom = _make_atom(run.steps, slides=run.lengths == "any")
        how_far = _make_range(run.lengths, unlimited_by_default=atom.slides)
        legs.append(Leg(Modifiers(turn.directions, modes), atom, how_far, run.steps))
    joins = tuple("?" if join.may_stop else "-" for join in way.joins)
    return Path(Modifiers((), initial), tuple(legs), joins, "[]")


def _first_leg_directions(run: moves.Leg) -> tuple[str, ...]:
    """The direction letters of a first leg."""
    atom = _make_atom(run.steps, slides=False)
    return first_leg_tokens_for(run.steps, all_images(atom.vectors), atom_system(atom.vectors))


def _make_chain(way: Then, initial: Modes) -> Chain:
    """Legs of one atom, each with the latest step turned, and repeats of them."""
    first, *rest = way.ways
    if not isinstance(first, moves.Leg) or way.only is not None or way.onward is not None:
        raise NotExpressible
    items: list[ChainLeg | Repeat] = []
    for at, (join, each) in enumerate(zip(way.joins, rest, strict=True)):
        last = all(isinstance(later, moves.Repeat) for later in rest[at + 1 :])
        onward = at + 1 < len(rest)
        if join.may_stop:
            raise NotExpressible
        if isinstance(each, moves.Leg):
            items.append(_make_chain_leg(each, join.turn, first, ends=last, onward=onward))
        else:
            items.append(_make_repeat(each, first, ends=last))
    last = all(isinstance(each, moves.Repeat) for each in rest)
    modes = (*initial, *_leg_letters(first, ends=last, onward=True))
    atom = _make_atom(first.steps, slides=first.lengths == "any")
    how_far = _make_range(first.lengths, unlimited_by_default=atom.slides)
    return Chain(
        Modifiers(_first_leg_directions(first), modes), tuple(items), atom, how_far, first.steps
    )


def _leg_letters(run: moves.Leg, *, ends: bool, onward: bool) -> Modes:
    """The letters of a leg but for its turns, where a move may end with it, go on or both."""
    if ends and onward:
        letters = _end_and_pass_letters(run.ends, run.through)
    else:
        letters = _end_letters(run.ends) if ends else _passage_letters(run.through)
    return (*letters, *_run_letters(run))


def _make_chain_leg(
    run: moves.Leg, turn: object, first: moves.Leg, *, ends: bool, onward: bool
) -> ChainLeg:
    if run.lengths != first.lengths:
        raise NotExpressible
    letters = _turn_letters(turn)
    far = _AS_FAR_MODES if run.as_far else ()
    modes = (*letters.modes, *far, *_leg_letters(run, ends=ends, onward=onward))
    turns = turn.places if isinstance(turn, Bend) else None
    return ChainLeg(Modifiers(letters.directions, modes), turns)


def _make_repeat(way: Way, first: moves.Leg, *, ends: bool) -> Repeat:
    match way:
        case moves.Repeat(
            Then(ways=ways, joins=joins, onward=onward, only=None), times, optional=True
        ):
            turns = [onward, *(join.turn for join in joins)]
            legs = [
                _make_chain_leg(each, turn, first, ends=ends and at == len(ways), onward=True)
                for at, (each, turn) in enumerate(zip(ways, turns, strict=True), 1)
                if isinstance(each, moves.Leg)
            ]
            # The one leg of a repeat has letters: where it needs none, all its turns.
            if legs == [ChainLeg(Modifiers(), None)]:
                legs = [ChainLeg(_turn_letters(Bend(ALL_BUT_BACK)), ALL_BUT_BACK)]
            limit = 0 if times == "any" else len(times)
            if len(legs) == len(ways) and (not limit or times == tuple(range(1, limit + 1))):
                return Repeat(tuple(legs), limit)
    raise NotExpressible
