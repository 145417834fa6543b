"""The same part at another place of a text."""

from __future__ import annotations

from typing import assert_never

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
    Tail,
)


def moved(term: BetzaTerm, by: int) -> BetzaTerm:
    """A part with all its spans ``by`` code points further on.

    >>> from alfil.source import Span
    >>> leg = Leg(Modifiers(), Atom("W", ((0, 1),)), Range(1), span=Span(0, 1))
    >>> moved(leg, 3).span
    Span(start=3, end=4)
    """
    match term:
        case Leg():
            return _leg(term, by)
        case Chain():
            return Chain(
                _modifiers(term.first, by),
                tuple(_item(item, by) for item in term.rest),
                _atom(term.atom, by),
                _range(term.range, by),
                term.vectors,
                span=term.span.shift(by),
            )
        case Path():
            return Path(
                _modifiers(term.prefix, by),
                tuple(_leg(leg, by) for leg in term.legs),
                term.joins,
                term.form,
                span=term.span.shift(by),
            )
        case _:
            assert_never(term)


def _leg(leg: Leg, by: int) -> Leg:
    return Leg(
        _modifiers(leg.modifiers, by),
        _atom(leg.atom, by),
        _range(leg.range, by),
        leg.vectors,
        leg.turns,
        span=leg.span.shift(by),
    )


def _modifiers(modifiers: Modifiers, by: int) -> Modifiers:
    return Modifiers(modifiers.directions, modifiers.modes, span=modifiers.span.shift(by))


def _atom(atom: Atom, by: int) -> Atom:
    return Atom(atom.written, atom.vectors, atom.slides, span=atom.span.shift(by))


def _range(reach: Range, by: int) -> Range:
    return Range(reach.steps, reach.written, span=reach.span.shift(by))


def _item(item: ChainLeg | Repeat | Tail, by: int) -> ChainLeg | Repeat | Tail:
    match item:
        case ChainLeg():
            return _chain_leg(item, by)
        case Repeat():
            legs = tuple(_chain_leg(leg, by) for leg in item.legs)
            return Repeat(legs, item.limit, item.written, span=item.span.shift(by))
        case Tail():
            letters = _modifiers(item.modifiers, by)
            return Tail(letters, item.turns, item.vectors, span=item.span.shift(by))
        case _:
            assert_never(item)


def _chain_leg(leg: ChainLeg, by: int) -> ChainLeg:
    return ChainLeg(_modifiers(leg.modifiers, by), leg.turns, span=leg.span.shift(by))
