"""What lists of large shogi games, proposals for Fairy-Stockfish and chessvar write beyond Betza.

All of it is read as parts that Betza has: chains, paths, legs in some directions. So it is written,
too: a group in round brackets comes back as a path in square ones. What their authors mean is told
by the moves they give beside it and by what is known of the pieces; docs/notations.md has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import copysign
from typing import NamedTuple, NoReturn, TypeAlias
from unicodedata import normalize

from alfil.geometry import Vector, all_images
from alfil.notation.betza.directions import DirectionRunError, atom_system, tokenise
from alfil.notation.betza.letter_meanings import (
    direction_runs_in,
    later_leg_tokens_and_turns,
    position_of_dh,
)
from alfil.notation.betza.letter_spelling import split_atom
from alfil.notation.betza.letters import (
    LETTER_ROWS,
    SUFFIX_LETTERS,
    Mode,
    bend_sense_of_modes,
    modes_in,
    split_letters,
)
from alfil.notation.betza.nodes import (
    Atom,
    BetzaTerm,
    Chain,
    ChainLeg,
    Leg,
    Modifiers,
    Path,
    Range,
    Repeat,
)
from alfil.notation.betza.tree_builder import Builder
from alfil.notation.parsing import GrammarError, Token
from alfil.source import Span

Terms: TypeAlias = tuple[BetzaTerm, ...]
TurnEighths: TypeAlias = tuple[int, ...]

ORTHOGONAL_ATOM: Atom = Atom("W", ((0, 1),))
DIAGONAL_ATOM: Atom = Atom("F", ((1, 1),))
KNIGHT: Atom = Atom("N", ((1, 2),))
# What an atom of the proposals steps and then slides on, by its letter.
BENT_ATOMS = {
    "O": (DIAGONAL_ATOM, "R", ORTHOGONAL_ATOM),
    "M": (ORTHOGONAL_ATOM, "B", DIAGONAL_ATOM),
}
# The walks that a lame leaper may take, by the names of the proposals.
LAME_WALKS_BY_NAME = {
    **dict.fromkeys(("default", "mao", "orthfirst", "mid"), ("straight",)),
    **dict.fromkeys(("moa", "diagfirst"), ("slanting",)),
    **dict.fromkeys(("anypath", "either", "both"), ("straight", "slanting")),
}
# Leaps with a square in their middle, and no others on their way.
LEAPS_WITH_MIDDLE_SQUARE = ((0, 2), (2, 2))
# The signs of coordinates in a quarter, by its letters.
QUARTER_SIGNS = {"f": (0, 1), "b": (0, -1), "l": (-1, 0), "r": (1, 0)}
MOST_STEPS = 20
# Raised and wide letters, digits and signs, by what they are a style of.
PLAIN_CHARACTERS = {
    ord(sign): plain
    for sign in map(chr, (0xB2, 0xB3, 0xB9, 0x2070, *range(0x2074, 0x207A), *range(0xFF01, 0xFF5F)))
    if (plain := normalize("NFKC", sign)).isascii()
}
# A side after the axis that has it, where neither makes one direction with a letter beside it.
SIDE_AFTER_AXIS = re.compile("(?<![fbv])(s)[lr]+(?![fbv])|(?<![lrs])(v)[fb]+(?![lrs])")
TURN_ANY_WAY = (("fh", "bh", "s"), tuple(range(8)))
TURN_STRAIGHT_ON, TURN_STRAIGHT_BACK = (("f",), (0,)), (("b",), (4,))


class RepeatedLeg(NamedTuple):
    """A leg that is gone any number of times up to a limit, 0 for no limit."""

    leg: Leg
    limit: int
    span: Span


class OptionalLeg(NamedTuple):
    """A last leg that may be left out."""

    leg: Leg
    span: Span


class RifleLeg(NamedTuple):
    """A leg after the sign that makes the captures of the whole piece shots."""

    leg: Leg


Step: TypeAlias = tuple[Leg, ...] | Leg | RepeatedLeg | OptionalLeg
Part: TypeAlias = BetzaTerm | Terms | RifleLeg | Token


class DialectTreeBuilder(Builder):
    """The methods for what `taikyoku`, `proposed` and `chessvar` have besides other starts."""

    def taikyoku(self, *parts: Part) -> Terms:
        """All parts in order; + between them says nothing."""
        terms = tuple(_flatten(parts))
        for part in () if terms else parts:
            if isinstance(part, Token):
                _reject_term("plus-alone", part.span)
        return tuple(each for term in terms for each in self._expand_hops_and_double_moves(term))

    def proposed(self, *parts: Part) -> Terms:
        """All parts in order; a sign makes all captures shots, numbers written twice a rider."""
        terms = list(
            _doubled_leaps_as_riders(
                self._standardise_proposed_part(term) for term in _flatten(parts)
            )
        )
        signs = [_rifle_sign_span(part) for part in parts if isinstance(part, str | RifleLeg)]
        if signs:
            terms = [each for term in terms for each in _captures_as_rifle(term)]
            if not any(isinstance(each, Chain) for each in terms):
                _reject_term("idle-shot", signs[0])
        return tuple(terms)

    def _expand_hops_and_double_moves(self, term: BetzaTerm) -> Iterator[BetzaTerm]:
        """A part, or what stands for a leg that hops several times or moves twice."""
        if not isinstance(term, Leg):
            yield term
            return
        letters = term.modifiers.written
        twice = position_of_dh(letters)
        if twice is not None:
            first = self._with_letters(term, letters[:twice] + letters[twice + 2 :])
            yield from _area_moves(
                first, 2, TURN_ANY_WAY if not first.modifiers.directions else _TURN_ALONG_AXIS
            )
        else:
            yield self._expand_several_hurdles(term)

    def _standardise_proposed_part(self, term: BetzaTerm) -> BetzaTerm:
        """A part, or what an atom or letters stand for that the program reads in its own way."""
        if not isinstance(term, Leg):
            return term
        term = _with_first_number_as_ranks(self._without_redundant_letters(term))
        ferz = term.atom.vectors == DIAGONAL_ATOM.vectors and term.range.steps == 1
        if ferz and term.modifiers.modes == ("n",):
            return _lame_ferz(term)
        if term.atom.written not in BENT_ATOMS or term.range.written:
            return term
        if set(term.modifiers.written) - {"m"}:
            _reject_term("letters-on-atom", term.span)
        first, slider, base = BENT_ATOMS[term.atom.written]
        last = replace(base, written=slider, slides=True)
        legs = (
            _new_leg_with_letters_of(term, first, Range(1)),
            _new_leg_with_letters_of(term, last, Range(0)),
        )
        return _make_path(
            (replace(legs[0], vectors=all_images(first.vectors)), legs[1]), "?", term.span
        )

    def _without_redundant_letters(self, leg: Leg) -> Leg:
        """A leg without letters that say no more to the program; g makes a slider of a step."""
        runs = [sign.text for sign in split_letters(leg.modifiers.written) if sign.directions]
        modes = dict.fromkeys(
            sign.text for sign in split_letters(leg.modifiers.written) if not sign.directions
        )
        if "g" in modes:
            modes.pop("p", None)
        letters = "".join([*(SIDE_AFTER_AXIS.sub(r"\1\2", run) for run in runs), *modes])
        if not runs[1:] and len(letters) < len(leg.modifiers.written):
            leg = self._with_letters(leg, letters)
        steps = leg.range.steps == 1 and all(long == 1 for _, long in leg.atom.vectors)
        if "g" not in modes or not steps:
            return leg
        return replace(leg, atom=replace(leg.atom, slides=True), range=replace(leg.range, steps=0))

    def chessvar(self, *parts: Part) -> Terms:
        """All parts in order."""
        return tuple(self._expand_several_hurdles(term) for term in _flatten(parts))

    # vitalline/chessvar

    def lists_with_start_squares(self, *items: Token | Terms) -> Terms:
        """The parts of a list, each with the squares it starts from."""
        return tuple(term for item in items if isinstance(item, tuple) for term in item)

    def list_with_start_squares(self, *items: BetzaTerm | Terms | Token) -> Terms:
        """Parts, and the letter behind them."""
        *parts, letter = items
        assert isinstance(letter, Token)
        if letter not in SUFFIX_LETTERS:
            _reject_term("side-colour" if letter in {"s", "d"} else "no-square", letter.span)
        mode = SUFFIX_LETTERS[letter]
        return tuple(
            with_start_squares_mode(self._expand_several_hurdles(term), mode)
            for term in _flatten(parts)
        )

    @staticmethod
    def random_parts(*items: object) -> NoReturn:
        """Parts drawn by lot."""
        braces = [item.span for item in items if isinstance(item, Token)]
        _reject_term("chance", braces[0].to(braces[-1]))

    # Lists of large shogi games

    def quarter_directions(self, *items: Token | Leg) -> Terms:
        """The directions of a leg that brackets around letters choose, and letters before them."""
        *signs_before, leg = items
        assert isinstance(leg, Leg)
        tokens = [sign for sign in signs_before if isinstance(sign, Token)]
        span = tokens[0].span.to(leg.span)
        letters = str(tokens.pop(0)) if tokens[0].type == "LETTERS" else ""
        runs = direction_runs_in(letters)
        twice = set(modes_in(letters)) & set(leg.modifiers.modes)
        if twice or len(runs) > 1 or any(_has_direction_error(run, leg.atom) for run in runs):
            _reject_term("no-group", span)
        chosen = list(self._first_leg_modifiers(runs[0], span.start, leg.atom)[1]) if runs else []
        for token in tokens:
            chosen += self._quarter_vectors(token[1:-1].replace("t", "f"), leg, span.start)
        inside = [vector for vector in leg.vectors if vector in chosen]
        if not inside:
            _reject_term("no-group", span)
        others = "".join(sign.text for sign in split_letters(letters) if not sign.directions)
        written = others + leg.modifiers.written
        modes, place = modes_in(written), Span(span.start, leg.modifiers.span.end)
        return tuple(
            replace(
                leg,
                modifiers=Modifiers(directions, modes, written, span=place),
                atom=replace(atom, written=leg.atom.written),
                vectors=vectors,
                span=span,
            )
            for atom, directions, vectors in split_atom(leg.atom, inside)
        )

    def _quarter_vectors(self, pair: str, leg: Leg, start: int) -> Sequence[Vector]:
        """The directions of a leg in a quarter of the board, or those that a doubled letter has."""
        if pair[0] == pair[1]:
            return self._first_leg_modifiers(pair, start, leg.atom)[1]
        return [vector for vector in leg.vectors if _is_direction_in_quarter(pair, vector)]

    @staticmethod
    def alternative_legs(*legs: Leg) -> tuple[Leg, ...]:
        """Legs any of which may be gone."""
        return legs

    def repeated_leg(self, *items: Token | tuple[Leg, ...]) -> RepeatedLeg:
        """Legs in brackets and how often they may be gone; letters before them say which way."""
        tokens = [item for item in items if isinstance(item, Token)]
        (legs,) = (item for item in items if not isinstance(item, Token))
        letters = str(tokens[0]) if tokens[0].type == "LETTERS" else ""
        span = tokens[0].span.to(tokens[-1].span)
        if len(legs) > 1:
            _reject_term("no-group", span)
        letters += legs[0].modifiers.written
        if "y" in letters:  # each leg has its own range, so that y says only what m does
            letters = letters.replace("y", "" if "m" in letters else "m")
        return RepeatedLeg(
            self._with_letters(legs[0], letters, span.start), int(tokens[-1][:2]), span
        )

    @staticmethod
    def optional_leg(*items: Token | Leg) -> OptionalLeg:
        """A leg in brackets."""
        opening, leg, closing = items
        assert isinstance(leg, Leg)
        return OptionalLeg(leg, opening.span.to(closing.span))

    @staticmethod
    def leg_in_any_direction(again: Token, leg: Leg) -> Leg:
        """A later leg that goes any way, also back, unless its letters say which."""
        if leg.modifiers.directions:
            return leg
        tokens, places = TURN_ANY_WAY
        modifiers = replace(leg.modifiers, directions=tokens)
        return replace(leg, modifiers=modifiers, turns=places, span=again.span.to(leg.span))

    @staticmethod
    def bracketed_legs(*items: Token | Step) -> Terms:
        """Legs in brackets with - or ? between each two."""
        opening, *_, closing = (item.span for item in items if isinstance(item, Token))
        return _paths_through_steps(items[1:-1], opening.to(closing))

    @staticmethod
    def legs_without_brackets(*items: Token | Step) -> Terms:
        """The same without brackets around it."""
        first, *_, last = (item for item in items if not isinstance(item, str))
        return _paths_through_steps(items, _span_of_step(first).to(_span_of_step(last)))

    def letters_of_several_legs(self, *items: Token | Leg) -> Terms:
        """Letters that stand before each of several atoms."""
        letters, *rest, closing = items
        legs = [item for item in rest if isinstance(item, Leg)]
        assert isinstance(letters, Token)
        span = letters.span.to(closing.span)
        own = any(leg.modifiers.written for leg in legs)
        if own or bend_sense_of_modes(modes_in(letters)) != "any":
            _reject_term("no-group", span)
        result = (self._with_letters(leg, str(letters), span.start) for leg in legs)
        return tuple(replace(leg, span=span) for leg in result)

    def optional_second_step(self, *items: Token | Chain) -> Terms:
        """A step, and perhaps another one."""
        (chain,) = (item for item in items if isinstance(item, Chain))
        before = (
            str(items[0]) if items[0] is not chain and _token_type(items[0]) == "LETTERS" else ""
        )
        span = Span(items[0].span.start, chain.span.end + 1)
        second = chain.rest[0]
        if len(chain.rest) > 1 or not isinstance(second, ChainLeg) or second.modifiers.modes:
            _reject_term("no-area", span)
        plain = Leg(chain.first, chain.atom, chain.range, span=span)
        first = self._with_letters(plain, before + chain.first.written, span.start)
        turn = (second.modifiers.directions, second.turns) if second.turns else TURN_ANY_WAY
        return _area_moves(first, 2, turn)

    def area_move(self, *items: Token | Leg) -> Terms:
        """So many steps at most, each any way."""
        before = str(items[0]) if _token_type(items[0]) == "LETTERS" else ""
        first, last = (item for item in items if isinstance(item, Leg))
        (count,) = (
            int(item[:2])
            for item in items
            if _token_type(item) == "COUNT" and isinstance(item, str)
        )
        span = Span(items[0].span.start, last.span.end + 1)
        if last.atom != first.atom or last.modifiers.written or not 1 < count <= MOST_STEPS:
            _reject_term("no-area", span)
        whole = self._with_letters(first, before + first.modifiers.written, span.start)
        return _area_moves(replace(whole, span=span), count, TURN_ANY_WAY)

    # Proposals for Fairy-Stockfish

    def slider_with_exact_range(self, *items: Token) -> Terms:
        """A slider that goes no fewer and no more steps."""
        *letters, name, steps = items
        atom, _ = self._atom_and_range(name)
        low, dash, high = steps[1:-1].partition("-")
        if not low:
            _reject_term("no-least", steps.span)
        least, most = int(low), int(high or 0) if dash else int(low)
        span = items[0].span.to(steps.span)
        if not atom.vectors or not 1 <= least <= (most or least) or max(least, most) > MOST_STEPS:
            _reject_term("no-steps", steps.span)
        written = str(letters[0]) if letters else ""
        first, vectors = self._first_leg_modifiers(written, span.start, atom)
        initial, ending = _split_initial_modes(first.modes)
        if not set(ending) <= {"m", "c"}:
            _reject_term("letters-on-atom", span)
        start = Modifiers(first.directions, span=Span(span.start, name.span.start))
        whole = Leg(start, replace(atom, slides=False), Range(1), vectors, span=span)
        if not most:
            return (_steps_in_line(whole, initial, ending, least, least, endless=True),)
        # What captures where it stops would go on over what it has captured.
        apart = range(least, most + 1) if "c" in ending else ()
        return tuple(_steps_in_line(whole, initial, ending, each, each) for each in apart) or (
            _steps_in_line(whole, initial, ending, least, most),
        )

    def lame_leaper(self, *items: Token) -> Terms:
        """A leaper whose walk is named."""
        (walk_token,) = (item for item in items if item.type == "PATH")
        before, _, walk = walk_token[:-1].partition("n{path:")
        letters = before + "".join(item for item in items if item.type == "LETTERS")
        atom, reach = self._atom_and_range(
            *(item for item in items if item.type in {"ATOM", "RANGE"})
        )
        span = items[0].span.to(reach.span)
        walks = LAME_WALKS_BY_NAME.get(walk, ())
        if not walks or len(atom.vectors) != 1:
            _reject_term("no-walk", walk_token.span)
        if walk == "mid" and atom.vectors[0] not in LEAPS_WITH_MIDDLE_SQUARE:
            _reject_term("no-middle", walk_token.span)
        start = Modifiers(written=letters, span=Span(span.start, span.start + len(before)))
        leg = self._with_letters(Leg(start, atom, reach, span=span), letters)
        result = [_lame_leaper_with_walk(leg, walk) for walk in walks]
        return tuple(dict.fromkeys(result))

    def circular_knight(self, *items: Token) -> Leg:
        """A circular knight."""
        *letters, sign = items
        written = str(letters[0]) if letters else ""
        span = items[0].span.to(sign.span)
        if set(written) - {"m", "c", "i"}:
            _reject_term("letters-on-atom", span)
        modifiers = Modifiers((), (*modes_in(written), "q"), written, span=items[0].span)
        return Leg(modifiers, KNIGHT, Range(1), all_images(KNIGHT.vectors), span=span)

    def rifle_leg(self, letters: Token, sign: Token, leg: Leg) -> RifleLeg:
        """A leg with the sign among its letters."""
        del sign
        whole = self._with_letters(leg, letters + leg.modifiers.written, letters.span.start)
        return RifleLeg(replace(whole, span=letters.span.to(leg.span)))


_TURN_ALONG_AXIS = (("v",), (0, 4))


def with_start_squares_mode(term: BetzaTerm, mode: Mode) -> BetzaTerm:
    """A part that may be used from some squares only."""
    match term:
        case Leg(modifiers=letters):
            return replace(term, modifiers=replace(letters, modes=(mode, *letters.modes)))
        case Chain(first=letters):
            return replace(term, first=replace(letters, modes=(mode, *letters.modes)))
        case Path(prefix=letters):
            return replace(term, prefix=replace(letters, modes=(mode, *letters.modes)))


def _reject_term(diagnostic_name: str, span: Span) -> NoReturn:
    """Reject a term whose shape is right and means nothing certain, by a diagnostic's name."""
    raise GrammarError(span.start, span.end, frozenset(), diagnostic_name)


def _token_type(item: object) -> str:
    return item.type if isinstance(item, Token) else ""


def _flatten(parts: Iterable[Part]) -> Iterator[BetzaTerm]:
    for part in parts:
        if isinstance(part, RifleLeg):
            yield part.leg
        elif isinstance(part, tuple):
            yield from part
        elif not isinstance(part, str):
            yield part


def _rifle_sign_span(part: Token | RifleLeg) -> Span:
    return part.leg.span if isinstance(part, RifleLeg) else part.span


def _has_direction_error(run: str, atom: Atom) -> bool:
    """Whether letters of direction do not go together on an atom."""
    return isinstance(tokenise(run, atom_system(atom.vectors)), DirectionRunError)


def _is_direction_in_quarter(quarter_letters: str, vector: Vector) -> bool:
    one, other = map(QUARTER_SIGNS.__getitem__, quarter_letters)
    x, y = one[0] + other[0], one[1] + other[1]
    return vector[0] * x >= 0 and vector[1] * y >= 0


def _span_of_step(step: Step) -> Span:
    if isinstance(step, Leg | RepeatedLeg | OptionalLeg):
        return step.span
    return step[0].span.to(step[-1].span)


def _leg_choices(step: Step) -> tuple[Leg, ...]:
    """The legs of which one is gone in a step."""
    if isinstance(step, Leg):
        return (step,)
    return (step.leg,) if isinstance(step, RepeatedLeg | OptionalLeg) else step


def _paths_through_steps(items: Sequence[Token | Step], span: Span) -> Terms:
    """The paths through steps, one for each choice of legs; a last leg may be optional.

    Between the steps stand their signs, "-" or "?".
    """
    steps = [item for item in items if not isinstance(item, str)]
    joins = [str(item) for item in items if isinstance(item, str)]
    if isinstance(steps[0], RepeatedLeg):
        if "?" in joins:
            _reject_term("no-group", span)
        return _slider_with_repeats(steps[0], steps[1:], span)
    if any(isinstance(step, RepeatedLeg | OptionalLeg) for step in steps[:-1]) or isinstance(
        steps[-1], RepeatedLeg
    ):
        _reject_term("no-group", span)
    choices = [
        _leg_choices(steps[0]),
        *(tuple(map(_as_later_leg, _leg_choices(step))) for step in steps[1:]),
    ]
    if isinstance(steps[-1], OptionalLeg):
        joins[-1] = "?"
    return tuple(_make_path(legs, joins, span) for legs in product(*choices))


def _as_later_leg(leg: Leg) -> Leg:
    """A leg as it is read after another one."""
    if leg.turns is not None:
        return leg
    tokens, turns = later_leg_tokens_and_turns(direction_runs_in(leg.modifiers.written))
    modifiers = replace(leg.modifiers, directions=tokens)
    return replace(leg, modifiers=modifiers, vectors=all_images(leg.atom.vectors), turns=turns)


def _make_path(legs: tuple[Leg, ...], joins: Sequence[str], span: Span) -> Path:
    prefix = Modifiers(span=Span(span.start, span.start))
    return Path(prefix, legs, tuple(joins), "()", span=span)


def _slider_with_repeats(repeated_leg: RepeatedLeg, rest: Sequence[Step], span: Span) -> Terms:
    """A slider that goes on after each round of its own kind, or goes no round at all."""
    leg, (end, *others) = repeated_leg.leg, _leg_choices(rest[0])
    slides = all(
        each.range.steps == 0 and each.range.written == each.range.doubled_letter
        for each in (leg, end)
    )
    alike = leg.atom.vectors == end.atom.vectors and not direction_runs_in(end.modifiers.written)
    if len(rest) > 1 or others or not (slides and alike) or isinstance(rest[0], RepeatedLeg):
        _reject_term("no-group", span)
    atom = replace(leg.atom, slides=True)
    slide = Range(0, span=leg.range.span)
    again = _chain_leg_with_turn(leg.modifiers, TURN_STRAIGHT_ON)
    more = (
        (Repeat((again,), max(repeated_leg.limit - 1, 0), span=leg.span),)
        if repeated_leg.limit != 1
        else ()
    )
    rest_legs = (*more, _chain_leg_with_turn(end.modifiers, TURN_STRAIGHT_ON))
    alone = replace(
        leg, modifiers=replace(end.modifiers, directions=leg.modifiers.directions), span=span
    )
    chain = Chain(leg.modifiers, rest_legs, atom, slide, leg.vectors, span=span)
    return (replace(alone, atom=atom, range=slide), chain)


def _chain_leg_with_turn(letters: Modifiers, turn: tuple[tuple[str, ...], TurnEighths]) -> ChainLeg:
    """A leg of a chain with some letters, that turns so."""
    tokens, places = turn
    return ChainLeg(replace(letters, directions=tokens), places, span=letters.span)


def _split_initial_modes(modes: Sequence[Mode]) -> tuple[tuple[Mode, ...], tuple[Mode, ...]]:
    """The letters that hold for a part as a whole, and those of each leg."""
    return (
        tuple(mode for mode in modes if LETTER_ROWS[mode].initial),
        tuple(mode for mode in modes if not LETTER_ROWS[mode].initial),
    )


def _steps_in_line(
    first: Leg,
    initial: tuple[Mode, ...],
    ending: tuple[Mode, ...],
    least: int,
    most: int,
    *,
    endless: bool = False,
) -> Leg | Path:
    """So many steps of one leg in line; the last one goes on where it is ``endless``."""
    legs = []
    for at in range(1, most + 1):
        letters = first.modifiers if at == 1 else Modifiers((), span=first.atom.span)
        legs.append(
            replace(
                first,
                modifiers=replace(letters, modes=ending if at >= least else ()),
                range=Range(0 if endless and at == most else 1),
                vectors=first.vectors if at == 1 else all_images(first.atom.vectors),
                span=first.atom.span,
            )
        )
    prefix = Modifiers((), initial, span=first.modifiers.span)
    if most == 1:
        return replace(legs[0], modifiers=replace(first.modifiers, modes=(*initial, *ending)))
    joins = "".join("-" if at < least else "?" for at in range(1, most))
    return replace(_make_path(tuple(legs), joins, first.span), prefix=prefix)


def _area_moves(first: Leg, count: int, turn: tuple[tuple[str, ...], TurnEighths]) -> Terms:
    """Up to so many steps with turns between them; they capture on the way unless m says no."""
    initial, modes = _split_initial_modes(first.modifiers.modes)
    going: tuple[Mode, ...] = () if modes == ("m",) else modes or ("m", "c")
    ends = () if modes == ("m",) else modes
    place = first.modifiers.span
    tokens, places = turn
    result: list[BetzaTerm] = [
        replace(first, modifiers=replace(first.modifiers, modes=initial + ends))
    ]
    for steps in range(2, count + 1):
        legs = [
            ChainLeg(
                Modifiers(tokens, ends if step == steps else going, span=place), places, span=place
            )
            for step in range(2, steps + 1)
        ]
        start = replace(first.modifiers, modes=initial + going)
        result.append(
            Chain(start, tuple(legs), first.atom, first.range, first.vectors, span=first.span)
        )
    return tuple(result)


# Proposals for Fairy-Stockfish


def _new_leg_with_letters_of(lettered_leg: Leg, atom: Atom, reach: Range) -> Leg:
    """A leg with the letters of another one, without its directions."""
    modifiers = replace(lettered_leg.modifiers, directions=())
    return Leg(modifiers, atom, reach, all_images(atom.vectors), span=lettered_leg.span)


def _lame_leaper_with_walk(leg: Leg, walk: str) -> BetzaTerm:
    """A lame leaper that walks straight first, as n has it, or slanting first."""
    ((short, long),) = leg.atom.vectors
    if walk == "straight" or not 0 < short < long:
        modifiers = replace(leg.modifiers, modes=(*leg.modifiers.modes, "n"))
        return replace(leg, modifiers=modifiers)
    if leg.range.steps != 1:
        _reject_term("no-walk", leg.range.span)
    atoms = [DIAGONAL_ATOM] * short + [ORTHOGONAL_ATOM] * (long - short)
    initial, ending = _split_initial_modes(leg.modifiers.modes)
    place = leg.modifiers.span
    legs = tuple(
        Leg(
            Modifiers((), ending if at == long else (), span=place),
            atom,
            Range(1),
            all_images(atom.vectors),
            span=leg.span,
        )
        for at, atom in enumerate(atoms, 1)
    )
    prefix = replace(leg.modifiers, modes=initial)
    return Path(prefix, legs, ("-",) * (long - 1), "()", span=leg.span)


def _lame_ferz(leg: Leg) -> Path:
    """A lame ferz, which is blocked where both squares beside its way are occupied."""
    place = leg.modifiers.span
    bare = Leg(
        Modifiers(span=place), ORTHOGONAL_ATOM, Range(1), all_images(ORTHOGONAL_ATOM.vectors)
    )
    turn = replace(bare, modifiers=Modifiers(("s",), written="s", span=place), turns=(2, 6))
    prefix = replace(leg.modifiers, modes=(), written=leg.modifiers.written.replace("n", ""))
    legs = replace(bare, span=leg.span), replace(turn, span=leg.span)
    return Path(prefix, legs, ("-",), "()", span=leg.span)


def _with_first_number_as_ranks(leg: Leg) -> Leg:
    """A leap in numbers with directions: the first number is the ranks, for whichever is larger."""
    first, _, second = leg.atom.written.strip("()").partition(",")
    if not second.isdigit() or int(first) >= int(second) or not leg.modifiers.directions:
        return leg
    vectors = [(int(copysign(y, x)), int(copysign(x, y))) for x, y in leg.vectors]
    (_, tokens, chosen), *_ = split_atom(leg.atom, vectors)
    modifiers = replace(leg.modifiers, directions=tokens)
    return replace(leg, modifiers=modifiers, vectors=chosen)


def _doubled_leaps_as_riders(terms: Iterable[BetzaTerm]) -> Iterator[BetzaTerm]:
    """The parts, with a leap in numbers that is written twice as a rider."""
    before: BetzaTerm | None = None
    for term in terms:
        if (
            isinstance(before, Leg)
            and isinstance(term, Leg)
            and before.atom.written[0] == "("
            and term.atom.written == before.atom.written
            and not (term.modifiers.written or before.range.written)
        ):
            before = replace(
                before, range=Range(0, "0", span=term.span), span=before.span.to(term.span)
            )
            continue
        if before is not None:
            yield before
        before = term
    if before is not None:
        yield before


def _captures_as_rifle(term: BetzaTerm) -> Iterator[BetzaTerm]:
    """A part whose captures are made from where the piece stands."""
    bent = isinstance(term, Leg) and bend_sense_of_modes(term.modifiers.modes) != "any"
    if not isinstance(term, Leg) or term.range.written or bent or not term.vectors:
        _reject_term("no-shot", term.span)
    modes = term.modifiers.modes
    ends = [mode for mode in modes if LETTER_ROWS[mode].ends]
    others = tuple(mode for mode in modes if mode not in ends)
    if not ends or "m" in ends:
        yield replace(term, modifiers=replace(term.modifiers, modes=(*others, "m")))
    if not ends or "c" in ends:
        first = replace(term.modifiers, modes=(*others, "c"))
        far: tuple[Mode, ...] = ("i",) if term.atom.slides else ()
        back = ChainLeg(
            Modifiers(TURN_STRAIGHT_BACK[0], far, span=term.modifiers.span),
            TURN_STRAIGHT_BACK[1],
            span=term.span,
        )
        yield Chain(first, (back,), term.atom, term.range, term.vectors, span=term.span)
