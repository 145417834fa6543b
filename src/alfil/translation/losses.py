"""Why a part of Betza has no form in Ħasínū: the letters that stand in the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, assert_never

from alfil.errors import Finding
from alfil.notation.betza.lexicon import signs
from alfil.notation.betza.nodes import BetzaTerm, Chain, ChainLeg, Leg, Modifiers, Path, Repeat, Tail
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
    for kind, message, span in _reasons(part, source):
        if kind in found:
            before = found[kind]
            spans = tuple(dict.fromkeys((*before.spans, span)))
            found[kind] = Finding(kind, message, spans, hint)
        else:
            found[kind] = Finding(kind, message, (span,), hint)
    if not found:
        return (Finding("no-hasinu-form", "nothing in Ħasínū has these moves", (part.span,), hint),)
    return tuple(found.values())


Reason = tuple[str, str, Span]
# The turns of a leg that goes straight back, in eighths.
BACK = (4,)


def _reasons(part: BetzaTerm, source: Source) -> Iterator[Reason]:
    places = list(_places(part))
    initial = any(place.first and {"i", "ii"} & set(place.letters.modes) for place in places)
    specific = list(_whole(part))
    for place in places:
        at = _letter_spans(place.letters, source)
        for mode in place.letters.modes:
            reason = _reason(mode, place, initial=initial)
            if reason:
                specific.append((*reason, at.get(mode, place.letters.span)))
    yield from specific or _joints(part)


def _whole(part: BetzaTerm) -> Iterator[Reason]:
    """Reasons that lie in an atom or a range."""
    if not isinstance(part, Leg):
        return
    if part.atom.written == "O":
        yield "castling", "Ħasínū has no castling", part.atom.span
    elif part.atom.written == "U":
        message = "no move of Ħasínū reaches every square of any board"
        yield "universal-leaper", message, part.atom.span
    if part.range.written == "*":
        yield "own-half", "no range of Ħasínū ends at the middle of the board", part.range.span


# Letters to blame wherever they stand.
_ALWAYS = {
    "o": ("cylinder", "boards of Ħasínū do not wrap"),
    "oo": ("cylinder", "boards of Ħasínū do not wrap"),
    "e": ("en-passant", "Ħasínū has no capture en passant"),
    "ii": ("third-rank", "Ħasínū has no condition of the third rank"),
    "p": ("must-hop", "in Ħasínū a move may jump over a piece, but never has to"),
    "g": ("must-hop", "in Ħasínū a move may jump over a piece, but never has to"),
    "d": ("own-capture", "no move of Ħasínū captures its own side by moving there"),
    "k": ("royal-capture", "no capture of Ħasínū is for royal pieces only"),
}


def _reason(mode: str, place: _Place, *, initial: bool) -> tuple[str, str] | None:
    """The kind and message of a letter that Ħasínū has no word for."""
    if mode in {"c", "d", "e", "k"} and not place.last:
        return "locust", "no move of Ħasínū captures on its way"
    if mode in _ALWAYS:
        free = mode == "p" and not place.last and "m" in place.letters.modes
        return None if free else _ALWAYS[mode]
    match mode:
        case "n" if not place.oblique and (initial or (place.runs and not place.leap)):
            return "trail", "no move of Ħasínū leaves a trail for en passant"
        case "n" if place.oblique:
            return "lame-oblique", "an oblique leap of Ħasínū cannot be blocked on its way"
        case "j":
            return "must-jump", "in Ħasínū a move may jump over a piece, but never has to"
        case "q" if place.first and not place.oblique:
            return "circular-slider", "only oblique leaps go round in Ħasínū"
        case "i" if not place.first:
            return "same-length", "no leg of Ħasínū is as long as the one before it"
    return None


def _places(part: BetzaTerm) -> Iterator[_Place]:
    match part:
        case Leg():
            yield _leg(part, first=True, last=True)
        case Chain():
            first = _of_chain(part, part.first)
            yield first._replace(first=True, last=False)
            for at, letters in enumerate(legs := list(_later(part))):
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


def _later(chain: Chain) -> Iterator[Modifiers]:
    for item in chain.rest:
        if isinstance(item, Repeat):
            yield from (leg.modifiers for leg in item.legs)
        else:
            yield item.modifiers


def _letter_spans(letters: Modifiers, source: Source) -> dict[str, Span]:
    """Where each letter stands."""
    text = source.text[letters.span.start : letters.span.end]
    return {sign.text: sign.span(letters.span.start) for sign in signs(text) if sign.text}


def _joints(part: BetzaTerm) -> Iterator[Reason]:
    """Where one leg must be followed by another, or goes straight back home."""
    if _returns(part):
        yield "null-move", "no move of Ħasínū ends where it began without a capture", part.span
        return
    message = "a move of Ħasínū may stop after each of its legs"
    for span in _forced(part):
        yield "mandatory-leg", message, span


def _returns(part: BetzaTerm) -> bool:
    """Whether the second and last leg goes straight back."""
    match part:
        case Chain(rest=(ChainLeg(turns=turns),)) | Path(legs=(_, Leg(turns=turns))):
            return turns == BACK
        case _:
            return False


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
