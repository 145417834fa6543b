"""Hints made true: what a hint offers to write is tried, and only what can be read is offered.

A hint is one piece of advice or several, joined by "or", commas and semicolons. Where a text in it
cannot be read, in the place of the mistake or by itself, that piece of advice goes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from alfil.errors import Diagnostic
from alfil.frozen_dataclasses import NamedTuple
from alfil.notation.parsing import MOST_DIAGNOSTICS
from alfil.source import Span

# Advice to take away what is pointed at. Expressions are compiled when they are first asked.
DELETION_ADVICE = r"(?:leave|remove|drop)\b(?!.*\bor\b)"
_DELETION_OF_SIGN = r"(?:leave|remove) (?P<sign>it|\S+)(?: out)?|leave out (?P<other>\S+)"
# What is said where nothing is left.
GAP_KINDS = frozenset(
    {"missing-move", "empty-brackets", "empty-loop", "empty-set", "missing-leg", "no-atom"}
)
# Advice to join with a sign what stands to both sides of where a diagnostic begins.
JOINING_ADVICE = r"put (?P<sign>\S) between the two"
# Where one piece of advice ends and another begins; offers are a sign of their own there.
_ADVICE_SEPARATOR = "\0"
_ADVICE_JOINT = rf"; |, or |(?: or |, |: )(?={_ADVICE_SEPARATOR})"
_EXAMPLE_PREFIXES = ("as in ", "such as ")
_OFFER_VERB = rf"(?:.*: )?(?:write|did you mean) (?={_ADVICE_SEPARATOR})"
# Of a longer text so much is tried to each side of a place.
MAX_TRIED_LENGTH = 200
CONTEXT_WIDTH = 50

# The errors of a text, with hints that were not tried.
FindErrors = Callable[[str], Sequence[Diagnostic]]


class _HintAdvice(NamedTuple):
    joint: str
    words: str
    offers: tuple[str, ...]


def texts_with_offer(text: str, span: Span, offer: str) -> Iterator[str]:
    """The texts that writing an offer where a diagnostic points may lead to, the likeliest first.

    First come those in which the offer stands for what it repeats of the text around the place.

    >>> list(dict.fromkeys(texts_with_offer("FW03", Span(2, 4), "W3")))
    ['FW3', 'FWW3', 'W3', 'FW03W3']
    """
    for _, changed in _texts_with_offer_at(
        text, [*_edit_ranges_near(text, span, offer), *_fallback_edit_ranges(text, span)], offer
    ):
        yield changed


def _texts_with_offer_at(
    text: str, places: Iterable[tuple[int, int]], offer: str
) -> Iterator[tuple[Span, str]]:
    """Where an offer stands that is written at some places of a text, and that text."""
    for before, after in dict.fromkeys(places):
        yield Span(before, before + len(offer)), text[:before] + offer + text[after:]


def _fallback_edit_ranges(text: str, span: Span) -> tuple[tuple[int, int], ...]:
    return span, (0, len(text)), (span.end, span.end), (len(text), len(text))


def _edit_ranges_near(text: str, span: Span, offer: str) -> Iterator[tuple[int, int]]:
    """The place of a diagnostic and what stands around it that the offer repeats."""
    start, end = span
    low, high = max(0, start - len(offer)), end + len(offer)
    left = next(n for n in range(len(offer), -1, -1) if text.endswith(offer[:n], 0, start))
    befores = (text.rfind(offer[:n], low, start) for n in range(len(offer), 0, -1))
    before = next((at for at in befores if at >= 0), start)
    tails = [offer[n:] for n in range(len(offer))]
    afters = (at + len(tail) for tail in tails if (at := text.find(tail, end, high)) >= 0)
    after = next(afters, end)
    for first in dict.fromkeys((start - left, before)):
        rest = tails[start - first :] if first == start - left else tails
        right = next((end + len(tail) for tail in rest if text.startswith(tail, end)), end)
        yield first, right
        yield first, after
        if more := _common_prefix_length(text[end:high], offer[end - first :]):
            yield first, end + more


def _common_prefix_length(one: str, other: str) -> int:
    """How many signs two texts have in common at their start."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def texts_with_deletion(text: str, span: Span) -> Iterator[str]:
    """A text without what a diagnostic points at, and perhaps the comma beside it.

    >>> list(texts_with_deletion("j(n4dO, 0)", Span(8, 9)))
    ['j(n4dO, )', 'j(n4dO)']
    """
    before, after = text[: span.start], text[span.end :]
    yield before + after
    if before.rstrip().endswith(","):
        yield before.rstrip()[:-1] + after
    elif after.lstrip().startswith(","):
        yield before + after.lstrip()[1:].lstrip()


def with_verified_offers(
    diagnostic: Diagnostic,
    text: str,
    errors: FindErrors,
    fallback: Diagnostic,
    max_nested_offers: int = 0,
) -> Diagnostic:
    """The diagnostic with the advice of its hint that helps; with a general hint where none does.

    What is to be written or left out is tried: see `_first_working_offer` and
    `is_error_fixed_by_deletion`. So often as ``max_nested_offers`` the hint of a text that an offer
    leads to is followed in turn.

    >>> found = Diagnostic("x", "", (Span(0, 1),), "write W* or WW",
    ...  offers=(Span(6, 8), Span(12, 14)))
    >>> with_verified_offers(found, "V", lambda text: [] if text == "WW" else [found], found).hint
    'write WW'
    """
    if not diagnostic.hint or diagnostic.severity != "error":
        return diagnostic
    if len(text) > MAX_TRIED_LENGTH:
        near = with_verified_offers(
            *_shortened_context(diagnostic, text), errors, fallback, max_nested_offers
        )
        return replace(near, spans=diagnostic.spans)
    if not diagnostic.offers:
        return (
            diagnostic
            if _is_deletion_or_joining_valid(diagnostic, text, errors)
            else _with_general_hint(diagnostic, fallback)
        )
    advice_kept: list[_HintAdvice] = []
    verb = ""
    for advice in _split_advice(diagnostic):
        verb_match = re.match(_OFFER_VERB, advice.words)
        verb = verb or (verb_match[0] if verb_match else "")
        good = [
            ("" if errors(offer) else offer)
            if words.endswith(_EXAMPLE_PREFIXES)
            else _first_working_offer(diagnostic, text, offer, errors, max_nested_offers)
            for words, offer in zip(
                advice.words.split(_ADVICE_SEPARATOR), advice.offers, strict=False
            )
        ]
        # What two pieces of advice both come to is not what the words of the second say.
        repeated = good and any(good == [*each.offers] for each in advice_kept)
        if all(good) and not repeated:
            advice_kept.append(advice._replace(offers=tuple(good)))
    return (
        _with_hint(diagnostic, advice_kept, verb)
        if advice_kept
        else _with_general_hint(diagnostic, fallback)
    )


def _is_deletion_or_joining_valid(diagnostic: Diagnostic, text: str, errors: FindErrors) -> bool:
    """Whether what a hint says to leave out or to join can be; other hints are not tried."""
    if re.match(DELETION_ADVICE, diagnostic.hint):
        return is_error_fixed_by_deletion(diagnostic, text, errors)
    joining = re.match(JOINING_ADVICE, diagnostic.hint)
    if joining is None:
        return True
    at = diagnostic.spans[0].start
    joint = f" {joining['sign']} "
    place = Span(at, at + len(joint))
    # Where one of the two is no move, that is what has to be put right.
    return not any(
        _do_spans_touch(each.spans[0], place) for each in errors(text[:at] + joint + text[at:])
    )


def _new_errors(found: Iterable[Diagnostic], known: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The errors that are not among those known before."""
    before = {(each.kind, each.message) for each in known}
    return [each for each in found if (each.kind, each.message) not in before]


def _with_general_hint(diagnostic: Diagnostic, fallback: Diagnostic) -> Diagnostic:
    return replace(diagnostic, hint=fallback.hint, offers=fallback.offers)


def _shortened_context(diagnostic: Diagnostic, text: str) -> tuple[Diagnostic, str]:
    """A diagnostic in the part of a long text around its place."""
    start, end = diagnostic.spans[0]
    low, high = max(0, start - CONTEXT_WIDTH), min(end, start + CONTEXT_WIDTH) + CONTEXT_WIDTH
    place = Span(start - low, min(end, high) - low)
    return replace(diagnostic, spans=(place,)), text[low:high]


def is_error_fixed_by_deletion(diagnostic: Diagnostic, text: str, errors: FindErrors) -> bool:
    """Whether what a diagnostic points at can be left out, so that nothing else is wrong there."""
    if len(text) > MAX_TRIED_LENGTH:
        return is_error_fixed_by_deletion(*_shortened_context(diagnostic, text), errors)
    span = diagnostic.spans[0]
    if span.start == span.end:
        return False
    sign = re.fullmatch(_DELETION_OF_SIGN, diagnostic.hint)
    # Other advice leaves a part of what is marked, or takes more with it.
    whole = sign and {sign["sign"], sign["other"]} & {"it", text[span.start : span.end]}
    known = errors(text)
    place = Span(span.start, span.start)
    return any(
        not any(
            (whole or each.kind in GAP_KINDS) and _do_spans_touch(each.spans[0], place)
            for each in _new_errors(errors(changed), known)
        )
        for changed in (
            _delete_repeatedly(each, diagnostic, errors) for each in texts_with_deletion(text, span)
        )
    )


def _delete_repeatedly(text: str, diagnostic: Diagnostic, errors: FindErrors) -> str:
    """A text without what a diagnostic points at, where the same then stands there once more."""
    place = Span(diagnostic.spans[0].start, diagnostic.spans[0].start)
    # More than are told are not taken out either: each time the whole text is read again.
    for _ in range(MOST_DIAGNOSTICS):
        again = (
            each.spans[0]
            for each in errors(text)
            if _is_same_diagnostic_at(each, diagnostic, place)
            and each.spans[0].start < each.spans[0].end
        )
        span = next(again, None)
        if span is None:
            break
        text = next(texts_with_deletion(text, span))
    return text


def _first_working_offer(
    diagnostic: Diagnostic, text: str, offer: str, errors: FindErrors, max_nested_offers: int
) -> str:
    """An offer that leads to a text with no errors where it stands, and fewer altogether.

    Where it does not, it is what the hint of the error inside makes of it; "" where that does not.
    A sign is no text by itself; it only has to make this error go. What repeats the mistake is
    never offered.
    """
    span = diagnostic.spans[0]
    if any(_is_same_diagnostic_at(each, diagnostic, each.spans[0]) for each in errors(offer)):
        return ""
    known = errors(text)
    further: list[str] = []
    for place, changed in _texts_with_offer_at(text, _edit_ranges_near(text, span, offer), offer):
        wrong = errors(changed)
        inside = [each for each in wrong if _do_spans_touch(each.spans[0], place)]
        # So many errors are all that is told.
        if not inside and (len(wrong) < len(known) or len(known) == MOST_DIAGNOSTICS):
            return offer
        further += _nested_offers(changed, place, inside[:1])
    # A sign that closes something stands behind what is in it.
    ends = span, (0, len(text)), (len(text), len(text))
    for place, changed in _texts_with_offer_at(
        text, [*_edit_ranges_near(text, span, offer), *ends], offer
    ):
        sign = len(offer) == 1 or not any(map(str.isalnum, offer))
        if sign and _is_corrected(diagnostic, place, errors(changed), known):
            return offer
    # What repeats the text behind the place stands for that, too.
    repeats = any(text.startswith(offer[n:], span.end) for n in range(len(offer)))
    places = _fallback_edit_ranges(text, span)[repeats:]
    tried = dict.fromkeys(further) if max_nested_offers else ()
    good = (
        _first_working_offer(diagnostic, text, each, errors, max_nested_offers - 1)
        for each in tried
    )
    anywhere = (changed for _, changed in _texts_with_offer_at(text, places, offer))
    return next(filter(None, good), "" if all(map(errors, anywhere)) else offer)


def _is_corrected(
    diagnostic: Diagnostic, place: Span, found: Sequence[Diagnostic], known: Sequence[Diagnostic]
) -> bool:
    """Whether a sign at a place makes an error go, and no other one is found of that place."""
    return not any(_is_same_diagnostic_at(each, diagnostic, place) for each in found) and not any(
        each.spans[0].start < place.end and place.start < each.spans[0].end
        for each in _new_errors(found, known)
    )


def _is_same_diagnostic_at(one: Diagnostic, other: Diagnostic, place: Span) -> bool:
    same_message = (one.kind, one.message) == (other.kind, other.message)
    return same_message and _do_spans_touch(one.spans[0], place)


def _do_spans_touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


def _nested_offers(text: str, place: Span, wrong: Sequence[Diagnostic]) -> Iterator[str]:
    """What an offer becomes where the offers of an error in it are written."""
    for diagnostic in wrong:
        for offer in diagnostic.offered:
            for first, last in _edit_ranges_near(text, diagnostic.spans[0], offer):
                end = max(place.end, last) + first + len(offer) - last
                changed = (text[:first] + offer + text[last:])[min(place.start, first) : end]
                # What begins otherwise is another piece than the words of the hint speak of.
                if changed.startswith(text[place.start]):
                    yield changed


def correction_offers(diagnostic: Diagnostic) -> Iterator[str]:
    """The offers of a hint that are no examples.

    >>> hint = "put f in front, as in fmW*, or write R"
    >>> list(correction_offers(Diagnostic("x", "", (), hint, offers=(Span(22, 26), Span(37, 38)))))
    ['R']
    """
    example = False
    for advice in _split_advice(diagnostic):
        # Examples go on until other advice begins.
        example = example and advice.joint in {", ", " or "}
        example = example or any(sign in advice.words for sign in _EXAMPLE_PREFIXES)
        if not example:
            yield from advice.offers


def _split_advice(diagnostic: Diagnostic) -> Iterator[_HintAdvice]:
    """The pieces of advice in a hint, their offers cut out."""
    hint = diagnostic.hint.replace(_ADVICE_SEPARATOR, " ")
    for start, end in reversed(diagnostic.offers):
        hint = hint[:start] + _ADVICE_SEPARATOR + hint[end:]
    offers = iter(diagnostic.offered)
    joint, at = "", 0
    for match in (*re.finditer(_ADVICE_JOINT, hint), None):
        words = hint[at : match.start() if match else len(hint)]
        yield _HintAdvice(
            joint, words, tuple(next(offers) for _ in range(words.count(_ADVICE_SEPARATOR)))
        )
        if match:
            joint, at = match[0], match.end()


def _with_hint(diagnostic: Diagnostic, advice_kept: list[_HintAdvice], verb: str) -> Diagnostic:
    """The diagnostic with a hint of these pieces of advice."""
    hint, offers = "", []
    for advice in advice_kept:
        # Only a text alone needs the verb of the one before it, which may be gone.
        bare = not advice.words.startswith(_ADVICE_SEPARATOR)
        hint += advice.joint if hint else "" if bare else verb
        for number, words in enumerate(advice.words.split(_ADVICE_SEPARATOR)):
            if number:
                offer = advice.offers[number - 1]
                offers.append(Span(len(hint), len(hint) + len(offer)))
                hint += offer
            hint += words
    return replace(diagnostic, hint=hint, offers=tuple(offers))
