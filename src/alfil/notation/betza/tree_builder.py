"""From the grammar of Betza to its tree: a method for each rule of grammars/betza.lark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from alfil.geometry import Vector, all_images
from alfil.notation.betza import nodes
from alfil.notation.betza.letter_meanings import (
    NARROW_TURNS,
    DirectionTokens,
    atom_entry,
    direction_runs_in,
    first_leg_tokens_and_steps,
    later_leg_tokens_and_turns,
    prefix_tokens,
)
from alfil.notation.betza.letters import (
    LETTER_ROWS,
    MAX_NUMBER_DIGITS,
    AtomEntry,
    Dialect,
    modes_in,
)
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, ChainLeg, Leg, Path, Range, Repeat
from alfil.notation.parsing import Token
from alfil.source import Span

Terms = tuple[BetzaTerm, ...]
UNKNOWN_ATOM = AtomEntry(())


class Builder:
    """From the grammar to the tree: one method per rule of grammars/betza.lark.

    Nothing is found wrong here. What makes no sense is in the tree as it was written, without steps
    or turns.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._name, self._apart = dialect.name, "apart" in dialect.constructs

    def piece(self, *parts: BetzaTerm) -> Terms:
        """All parts in order, where t joins legs, and where it is a letter like others."""
        if "several-hurdles" not in self._dialect.constructs:
            return parts
        return tuple([self._expand_several_hurdles(part) for part in parts])

    lettered = piece

    def leg(self, *tokens: Token) -> Leg:
        """A leg that comes first: letters, atom, range; the first and the last may be absent."""
        letters, atom, reach = self._leg_parts(tokens)
        start = tokens[0].start
        modifiers, vectors = self._first_leg_modifiers(letters, start, atom)
        return Leg(modifiers, atom, reach, vectors, span=Span(start, reach.span.end))

    def later_leg(self, *tokens: Token) -> Leg:
        """A leg of a path after another one."""
        letters, atom, reach = self._leg_parts(tokens)
        span = Span(tokens[0].start, reach.span.end)
        read, turns = later_leg_tokens_and_turns(direction_runs_in(letters))
        every = all_images(atom.vectors)
        return Leg(_read_modifiers(letters, span.start, read), atom, reach, every, turns, span=span)

    @staticmethod
    def chain_leg(again: Token, letters: str = "") -> ChainLeg:
        """A leg of a chain."""
        start = again.span.end
        read, turns = later_leg_tokens_and_turns(direction_runs_in(letters))
        span = Span(start - 1, start + len(letters))
        return ChainLeg(_read_modifiers(str(letters), start, read), turns, span=span)

    @staticmethod
    def repeat(*items: ChainLeg | Token) -> Repeat:
        """Legs in parentheses, and the number of rounds; no legs where they have not that form."""
        legs = tuple(item for item in items if isinstance(item, ChainLeg))
        opening, *_, last = (item for item in items if not isinstance(item, ChainLeg))
        if not isinstance(items[1], ChainLeg) or not legs[-1].modifiers.written:
            legs = ()
        written = str(last) if last.type == "COUNT" else ""
        limit = int(written) if 0 < len(written) <= MAX_NUMBER_DIGITS else 0
        return Repeat(legs, limit, written, span=opening.span.to(last.span))

    def chain(self, *items: ChainLeg | Repeat | Token) -> Chain:
        """Letters, legs and repeats with letters after them, atom, range."""
        letters, ends = "", [item for item in items if isinstance(item, str)]
        target = 1 + (ends[-1].type == "RANGE")
        rest: list[ChainLeg | Repeat | nodes.Tail] = []
        for item in items[: len(items) - target]:
            if not isinstance(item, str):
                rest.append(item)
            elif rest:
                span = item.span
                rest.append(
                    nodes.Tail(
                        _read_modifiers(str(item), span.start, direction_runs_in(item)), span=span
                    )
                )
            else:
                letters = str(item)
        atom, reach = self._atom_and_range(*ends[-target:])
        start = items[0].span.start
        first, vectors = self._first_leg_modifiers(letters, start, atom)
        if atom.written in self._dialect.narrow:
            rest = [
                replace(item, turns=NARROW_TURNS)
                if isinstance(item, ChainLeg) and item.turns is None
                else item
                for item in rest
            ]
        return Chain(first, tuple(rest), atom, reach, vectors, span=Span(start, reach.span.end))

    def joined_legs(self, *items: Leg | Chain | Token) -> Path:
        """Legs with a t between each two."""
        legs = tuple(_chain_as_empty_leg(item) for item in items if isinstance(item, Leg | Chain))
        span = legs[0].span.to(legs[-1].span)
        prefix = _read_modifiers("", span.start, ())
        return Path(prefix, legs, ("?",) * (len(legs) - 1), "t", span=span)

    def bracketed_path(self, *items: Leg | Chain | ChainLeg | Repeat | Token) -> Path:
        """Letters, the bracket, legs with - or ? between each two."""
        return _make_bracketed_path(items, "[]")

    def joined_bracket(self, *items: Leg | Chain | ChainLeg | Repeat | Token) -> Path:
        """Letters, t and the bracket, legs."""
        return _make_bracketed_path(items, "t[]")

    def _leg_parts(self, tokens: Sequence[Token]) -> tuple[str, Atom, Range]:
        """The letters of a leg, its atom and its range."""
        at = int(tokens[0].type != "ATOM")
        token, reach = tokens[at], str(tokens[-1]) if len(tokens) > at + 1 else ""
        atom, span = _atom_and_range(str(token), token.start, reach, self._name)
        return str(tokens[0]) if at else "", atom, span

    def _atom_and_range(self, token: Token, reach: Token | str = "") -> tuple[Atom, Range]:
        return _atom_and_range(str(token), token.start, str(reach), self._name)

    def _expand_several_hurdles(self, term: BetzaTerm) -> BetzaTerm:
        """A part, or what stands for a slide over one hurdle or more."""
        if (
            not isinstance(term, Leg)
            or "pp" not in term.modifiers.written
            or not _is_plain_slide(term)
        ):
            return term
        leg = self._with_letters(term, term.modifiers.written.replace("pp", "", 1))
        initial = tuple(mode for mode in leg.modifiers.modes if LETTER_ROWS[mode].initial)
        ending = tuple(mode for mode in leg.modifiers.modes if mode not in initial)
        place = leg.modifiers.span
        hop = ChainLeg(nodes.Modifiers(("f",), ("p",), span=place), (0,), span=place)
        first = replace(leg.modifiers, modes=(*initial, "p"))
        land = ChainLeg(nodes.Modifiers(("f",), ending, span=place), (0,), span=place)
        rest = (Repeat((hop,), 0, span=place), land)
        return Chain(first, rest, leg.atom, leg.range, leg.vectors, span=leg.span)

    def _with_letters(self, leg: Leg, letters: str, start: int | None = None) -> Leg:
        """A leg with other letters, as if they stood at its place, or began at another one."""
        place = leg.modifiers.span
        place = place if start is None else Span(start, place.end)
        first, vectors = self._first_leg_modifiers(letters, place.start, leg.atom)
        modifiers = nodes.Modifiers(first.directions, modes_in(letters), letters, span=place)
        return replace(leg, modifiers=modifiers, vectors=vectors)

    def _first_leg_modifiers(
        self, letters: str, start: int, atom: Atom
    ) -> tuple[nodes.Modifiers, tuple[Vector, ...]]:
        """The letters of a first leg, and the steps they choose."""
        return _read_first_leg_modifiers(letters, start, atom.written, atom.vectors, self._apart)


def _is_plain_slide(leg: Leg) -> bool:
    """Whether a leg slides, and its letters say no more than which way and how it may end."""
    ends = all(LETTER_ROWS[mode].ends or LETTER_ROWS[mode].initial for mode in leg.modifiers.modes)
    return leg.atom.slides and not leg.range.written and ends


def _make_bracketed_path(
    items: Sequence[Leg | Chain | ChainLeg | Repeat | Token], form: Literal["[]", "t[]"]
) -> Path:
    legs = tuple(_chain_as_empty_leg(item) for item in items if isinstance(item, Leg | Chain))
    signs = [item for item in items if isinstance(item, str)]
    joins = tuple(str(sign) for sign in signs if sign.type == "STEP")
    if form == "t[]":
        joins = ("?",) * (len(legs) - 1)
    start = items[0].span.start
    opening = next(sign.span for sign in signs if sign.type in {"OPEN", "JOIN_OPEN"}).start
    # A row of legs has a place here and no letters, to be found by the checks.
    written = str(signs[0]) if signs[0].span == (start, opening) else ""
    prefix = nodes.Modifiers((), modes_in(written), written, span=Span(start, opening))
    path = Path(prefix, legs, joins, form, span=Span(start, signs[-1].span.end))
    # What directions choose depends on where the legs end.
    tokens = prefix_tokens(path, direction_runs_in(written))
    return replace(path, prefix=replace(prefix, directions=tokens)) if tokens else path


def _chain_as_empty_leg(leg: Leg | Chain) -> Leg:
    """A chain, which is no leg of a path, as one that has nothing but a place for its letters."""
    if isinstance(leg, Leg):
        return leg
    letters = nodes.Modifiers(span=Span(leg.span.start, leg.atom.span.start))
    return Leg(letters, leg.atom, leg.range, span=leg.span)


# Texts are short and have few atoms and letters, so that the same ones stand at the same places.
@lru_cache(maxsize=4096)
def _atom_and_range(written: str, start: int, reach: str, dialect: str) -> tuple[Atom, Range]:
    """An atom and its range, which stands straight after it."""
    doubled = written[0] if len(written) > 1 and written[-1] == written[0] else ""
    if doubled:
        written = written[:-1]
    vectors, slides = atom_entry(written, dialect) or UNKNOWN_ATOM
    end = start + len(written)
    beyond = Span(end, end + len(doubled) + len(reach))
    if doubled:
        steps = 0
    elif reach:
        steps = int(reach) if reach.isdigit() and len(reach) <= MAX_NUMBER_DIGITS else 0
    else:
        steps = 0 if slides else 1
    atom = Atom(written, vectors, slides, span=Span(start, end))
    return atom, Range(steps, doubled + reach, span=beyond)


@lru_cache(maxsize=4096)
def _read_first_leg_modifiers(
    written: str,
    start: int,
    atom: str,
    bases: tuple[Vector, ...],
    apart: bool,  # noqa: FBT001 - quicker by position
) -> tuple[nodes.Modifiers, tuple[Vector, ...]]:
    """The letters of a first leg, and the steps they choose; see `first_leg_tokens_and_steps`."""
    tokens, vectors = first_leg_tokens_and_steps(
        direction_runs_in(written), atom, bases, apart=apart
    )
    return _read_modifiers(written, start, tokens), vectors


@lru_cache(maxsize=4096)
def _read_modifiers(written: str, start: int, tokens: DirectionTokens) -> nodes.Modifiers:
    span = Span(start, start + len(written))
    return nodes.Modifiers(tokens, modes_in(written), written, span=span)
