"""Why a part of Betza has no form in Ħasínū: the letters that stand in the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias, assert_never

from alfil.errors import Finding
from alfil.notation.betza.letters import signs
from alfil.notation.betza.nodes import (
    BetzaTerm,
    Chain,
    ChainLeg,
    Leg,
    Modifiers,
    Path,
    Repeat,
    Tail,
)
from alfil.notation.betza.ways import later_letters
from alfil.source import Source, Span


class _Place(NamedTuple):
    """One leg of a part, for the question which of its letters are to blame.

    ``leap`` is true where it skips squares, ``oblique`` where no straight line joins its ends;
    ``runs`` where it may take several steps.
    """

    letters: Modifiers
    first: bool
    last: bool
    leap: bool
    oblique: bool
    runs: bool


def losses_of(part: BetzaTerm, source: Source, hint: str) -> tuple[Finding, ...]:
    """What is lost with a part, each reason once; ``hint`` is the way out."""
    found: dict[str, Finding] = {}
    for reason, span in _reasons(part, source):
        before = found[reason.kind].spans if reason.kind in found else ()
        spans = tuple(dict.fromkeys((*before, span)))
        found[reason.kind] = Finding(reason.kind, reason.message, spans, hint)
    if not found:
        return (Finding("no-hasinu-form", "nothing in Ħasínū has these moves", (part.span,), hint),)
    return tuple(found.values())


class _Reason(NamedTuple):
    """Why something has no form."""

    kind: str
    message: str


Blame: TypeAlias = tuple[_Reason, Span]

CASTLING = _Reason("castling", "Ħasínū has no castling")
UNIVERSAL = _Reason("universal-leaper", "no move of Ħasínū reaches every square of any board")
OWN_HALF = _Reason("own-half", "no range of Ħasínū ends at the middle of the board")
LOCUST = _Reason("locust", "no move of Ħasínū captures on its way")
TRAIL = _Reason("trail", "no move of Ħasínū leaves a trail for en passant")
LAME = _Reason("lame-oblique", "an oblique leap of Ħasínū cannot be blocked on its way")
CIRCULAR = _Reason(
    "circular-slider", "going round in steps of two kinds has no short form in Ħasínū"
)
SAME_LENGTH = _Reason("same-length", "no leg of Ħasínū is as long as the one before it")
NULL_MOVE = _Reason("null-move", "no move of Ħasínū ends where it began without a capture")
MANDATORY = _Reason("mandatory-leg", "a move of Ħasínū may stop after each of its legs")
CYLINDER = _Reason("cylinder", "boards of Ħasínū do not wrap")
MUST_HOP = _Reason("must-hop", "in Ħasínū a move may jump over a piece, but never has to")

# The turn straight back, in eighths.
BACK = 4


def _reasons(part: BetzaTerm, source: Source) -> Iterator[Blame]:
    places = list(_places(part))
    initial = any(place.first and {"i", "ii"} & set(place.letters.modes) for place in places)
    specific = list(_whole(part))
    for place in places:
        at = _letter_spans(place.letters, source)
        for mode in place.letters.modes:
            reason = _reason(mode, place, initial=initial)
            if reason:
                specific.append((reason, at.get(mode, place.letters.span)))
    yield from specific or _joints(part)


def _whole(part: BetzaTerm) -> Iterator[Blame]:
    """Reasons that lie in an atom or a range."""
    if not isinstance(part, Leg):
        return
    if part.atom.written == "O":
        yield CASTLING, part.atom.span
    elif part.atom.written == "U":
        yield UNIVERSAL, part.atom.span
    if part.range.written == "*":
        yield OWN_HALF, part.range.span


# Letters to blame wherever they stand.
ALWAYS = {
    "o": CYLINDER,
    "oo": CYLINDER,
    "e": _Reason("en-passant", "Ħasínū has no capture en passant"),
    "ii": _Reason("third-rank", "Ħasínū has no condition of the third rank"),
    "p": MUST_HOP,
    "g": MUST_HOP,
    "d": _Reason("own-capture", "no move of Ħasínū captures its own side by moving there"),
    "k": _Reason("royal-capture", "no capture of Ħasínū is for royal pieces only"),
}


def _reason(mode: str, place: _Place, *, initial: bool) -> _Reason | None:
    """Why a letter has no word in Ħasínū, None where it has one."""
    if mode in {"c", "d", "e", "k"} and not place.last:
        return LOCUST
    if mode in ALWAYS:
        free = mode == "p" and not place.last and "m" in place.letters.modes
        return None if free else ALWAYS[mode]
    match mode:
        case "n":
            return _lame(place, initial=initial)
        case "j":
            return MUST_HOP
        case "q" if place.first and not place.oblique:
            return CIRCULAR
        case "i" if not place.first:
            return SAME_LENGTH
    return None


def _lame(place: _Place, *, initial: bool) -> _Reason | None:
    """Why n has no word: it leaves a trail, or blocks an oblique leap."""
    if initial or (place.runs and not place.leap):
        return TRAIL
    return LAME if place.oblique else None


def _places(part: BetzaTerm) -> Iterator[_Place]:
    match part:
        case Leg():
            yield _leg(part, first=True, last=True)
        case Chain():
            first = _of_chain(part, part.first)
            yield first._replace(first=True, last=False)
            for at, letters in enumerate(legs := list(later_letters(part))):
                yield _of_chain(part, letters)._replace(last=at == len(legs) - 1)
        case Path():
            if part.prefix.modes:
                yield _leg(part.legs[0], first=True, last=False)._replace(letters=part.prefix)
            for at, leg in enumerate(part.legs):
                yield _leg(leg, first=False, last=at == len(part.legs) - 1)
        case _:
            assert_never(part)


def _leg(leg: Leg, *, first: bool, last: bool) -> _Place:
    oblique = any(0 < a < b for a, b in leg.atom.vectors)
    leap = any(b > 1 for _, b in leg.atom.vectors)
    return _Place(leg.modifiers, first, last, leap, oblique, leg.range.steps != 1)


def _of_chain(chain: Chain, letters: Modifiers) -> _Place:
    leg = Leg(letters, chain.atom, chain.range)
    return _leg(leg, first=False, last=False)._replace(runs=chain.atom.slides)


def _letter_spans(letters: Modifiers, source: Source) -> dict[str, Span]:
    """Where each letter stands."""
    text = source.text[letters.span.start : letters.span.end]
    return {sign.text: sign.span(letters.span.start) for sign in signs(text) if sign.text}


def _joints(part: BetzaTerm) -> Iterator[Blame]:
    """Where one leg must be followed by another, or goes straight back home."""
    back = _second_turns(part)
    if BACK in back:
        yield NULL_MOVE, part.span
    if back != (BACK,):
        for span in _forced(part):
            yield MANDATORY, span


def _second_turns(part: BetzaTerm) -> tuple[int, ...]:
    """The turns of the second leg of two; none where it has no letters for them."""
    match part:
        case Chain(rest=(ChainLeg(turns=turns),)) | Path(legs=(_, Leg(turns=turns))):
            return turns or ()
        case _:
            return ()


def _forced(part: BetzaTerm) -> Iterator[Span]:
    match part:
        case Chain(rest=rest):
            for item in rest:
                if isinstance(item, Repeat):
                    yield from (Span(leg.span.start, leg.span.start + 1) for leg in item.legs)
                elif not isinstance(item, Tail):
                    yield Span(item.span.start, item.span.start + 1)
        case Path(legs=legs, joins=joins):
            yield from _dashes(legs, joins)


def _dashes(legs: Sequence[Leg], joins: Sequence[str]) -> Iterator[Span]:
    for leg, join in zip(legs, joins, strict=False):
        if join == "-":
            yield Span(leg.span.end, leg.span.end + 1)
