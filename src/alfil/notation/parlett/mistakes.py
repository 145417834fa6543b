"""The mistakes people make in the shape of a text, named at the place where they show.

A first look finds what no text can hold: strange signs, blanks inside a number, brackets without
their fellow. What is left is parsed; where it does not fit, the option around that place is looked
at with a table of mistakes and taken out, so that the rest can be looked at too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias

from alfil.errors import Finding
from alfil.grammars import advice
from alfil.notation.offers import Errors, verified
from alfil.notation.parlett.checks import check
from alfil.notation.parlett.letters import BLANKS, CONDITIONS, DIRECTIONS, KNOWN, SIDEWAYS, found
from alfil.notation.parlett.nodes import Option
from alfil.notation.parsing import MOST_FINDINGS, Draft, ShapeError, pictured, recovered
from alfil.source import Span

# What takes the place of an option with a mistake; nothing is ever said about it.
FILLER = "1/2"
# Of an option without end only so much is looked at to each side of a mistake.
WINDOW = 80
# Signs that are meant for others, and these.
MEANT = dict(zip("×✕–—−‐∼∗", "XX----~*", strict=True))
EXPRESSION = re.compile(r"\s*m\s*=")
WORD = re.compile(r"[A-Za-z]+")
# So many letters that are no signs make a word of the letters around them.
STRANGERS = 2
INSIDE = re.compile(r"(?<=[0-9])\s+(?=[0-9])|(?<=[*+<>=÷X])\s+(?=[*+<>=÷X])")
PARTS = {
    "DIRECTION": r"(?:\*(?:<>|[<>][=÷]?)?|X[<>]?|<>|[<>][=÷]|[+<>=÷])",
    "DISTANCE": r"(?:n|[0-9]+(?:-[0-9]+)?)",
    "CONDITIONS": "".join(CONDITIONS),
}
MISTAKES = pictured("parlett_mistakes.tsv", PARTS)
# What makes options of a text; `ShapeError` where it does not fit the grammar.
Parse: TypeAlias = Callable[[str], tuple[Option, ...]]


def mistakes_in(text: str, parse: Parse) -> list[Finding]:
    """Everything wrong with a text that does not fit the grammar, in no order."""
    draft, findings = _looked_over(text)
    if len(findings) >= MOST_FINDINGS:
        return findings

    def told(rest: Draft, error: ShapeError) -> tuple[Finding | None, Draft]:
        return diagnose(rest, error.start)

    options: tuple[Option, ...] | None
    try:
        options = parse(draft.text)
    except ShapeError as error:
        options, draft, more = recovered(parse, draft, error, told)
        findings += more
    for finding in check(options or (), draft.text):
        if not any(map(draft.damaged, finding.spans)):
            findings.append(draft.located(finding))
    return findings


def advised(findings: list[Finding], text: str, errors: Errors) -> list[Finding]:
    """The findings with what their hints offer tried."""
    general = {each.kind: found("instead", letter=each.kind) for each in findings}
    return [verified(each, text, errors, general[each.kind], follow=2) for each in findings]


def _looked_over(text: str) -> tuple[Draft, list[Finding]]:
    """A text without what no text can hold, and what that is."""
    findings: list[Finding] = []
    cuts: dict[Span, bool] = {}  # whether what stands before has lost a piece
    signs = list(text)
    expression = EXPRESSION.match(text)
    if expression:
        if not text[expression.end() :].strip():
            findings.append(found("expression", Span(*expression.span())))
        cuts[Span(*expression.span())] = False
    for wrong, plain in _strange(text, expression.end() if expression else 0):
        (span,) = wrong.spans
        findings.append(wrong)
        signs[span.start : span.end] = plain or " " * (span.end - span.start)
        if not plain:
            cuts[span] = True
    blanks = (found("blank", Span(*match.span())) for match in INSIDE.finditer(text))
    for wrong in (*blanks, *_unpaired("".join(signs))):
        findings.append(wrong)
        cuts[wrong.spans[0]] = False
    draft = Draft("".join(signs), range(len(text) + 1))
    if len(findings) >= MOST_FINDINGS:
        return draft, findings
    for cut in sorted(cuts, reverse=True):
        draft = draft.without(cut, torn=cuts[cut])
    return draft, findings


def _strange(text: str, start: int) -> Iterator[tuple[Finding, str]]:
    """What is wrong with signs and words of no text, and the sign that is meant if it is known."""
    words = [
        match.span()
        for match in WORD.finditer(text, start)
        if sum(letter not in KNOWN for letter in match[0]) >= STRANGERS
    ]
    for first, end in words:
        yield found("word", Span(first, end), word=text[first:end]), ""
    inside = {at for span in words for at in range(*span)}
    for at in range(start, len(text)):
        if text[at] not in KNOWN and at not in inside:
            yield _sign(text[at], Span(at, at + 1))


def _sign(sign: str, span: Span) -> tuple[Finding, str]:
    """What is wrong with a sign, and the one that it stands for if that is known."""
    if not sign.isprintable():
        return found("unseen", span), ""
    for meant in (sign.upper(), sign.lower()):
        if sign.isascii() and meant in KNOWN:
            return found("case", span, sign=sign, meant=meant), meant
    meant = MEANT.get(sign) or unicodedata.normalize("NFKC", sign)
    if meant != sign and meant in KNOWN:
        return found("look-alike", span, letter=sign, meant=meant), meant
    if sign.islower():
        return found("small", span, sign=sign, conditions=", ".join(CONDITIONS)), ""
    return found("capital" if sign.isalpha() else "symbol", span, letter=sign, sign=sign), ""


def _unpaired(text: str) -> Iterator[Finding]:
    """Brackets without their fellow."""
    opened: list[int] = []
    for at, sign in enumerate(text):
        if sign == "(":
            opened.append(at)
        elif sign == ")" and opened:
            opened.pop()
        elif sign == ")":
            yield found("unopened", Span(at, at + 1))
    yield from (found("unclosed", Span(at, at + 1)) for at in opened)


def diagnose(draft: Draft, at: int) -> tuple[Finding | None, Draft]:
    """The mistake at a place where a text stopped fitting, and the text without that option."""
    start, end = _option_around(draft.text, at)
    seen = range(max(start, at - WINDOW), min(end, at + WINDOW))
    places = [i for i in seen if draft.text[i] not in BLANKS]
    text = "".join(draft.text[i] for i in places)
    places.append(max(places, default=start - 1) + 1)
    inside = sum(place < at for place in places[:-1])
    finding = None
    if text != FILLER and not draft.damaged(Span(start, end)):
        finding = _named(text, inside, places) or _dangling(draft.text, start, end)
    filled = Draft(
        draft.text[:start] + FILLER + draft.text[end:],
        (*draft.places[:start], *[draft.places[start]] * len(FILLER), *draft.places[end:]),
        tuple(
            place if place <= start else max(start + len(FILLER), place - end + start + len(FILLER))
            for place in (*draft.cuts, start + 1)
            if not start < place < end or place == start + 1
        ),
        draft.tears,
    )
    return finding, draft if text == FILLER else filled


def _option_around(text: str, at: int) -> tuple[int, int]:
    """Where the option begins and ends that a place is in: at commas, and at its brackets."""
    start = _edge(text, range(at - 1, -1, -1), "(", ")") + 1
    end = _edge(text, range(at, len(text)), ")", "(")
    return start, end


def _edge(text: str, places: range, stop: str, other: str) -> int:
    depth = 0
    for at in places:
        if not depth and text[at] in {",", stop}:
            return at
        depth += (text[at] == other) - (text[at] == stop)
    return places.stop


def _named(text: str, inside: int, places: list[int]) -> Finding | None:
    """The first mistake of the table that touches a place, or what can be said of its sign."""
    looks = (_unknown_direction, _in_table, _unexpected)
    finding = next(chain.from_iterable(look(text, inside) for look in looks), None)
    return finding and Draft(text, places).located(finding)


def _unknown_direction(text: str, inside: int) -> Iterator[Finding]:
    """Direction signs that are no direction together."""
    for match in re.finditer(r"[*+<>=÷X]{2,}", text):
        known = match[0].replace(*SIDEWAYS) in DIRECTIONS
        if match.start() < inside <= match.end() and not known:
            signs = " ".join(DIRECTIONS)
            yield found("no-such-direction", Span(*match.span()), letter=match[0], known=signs)


def _in_table(text: str, inside: int) -> Iterator[Finding]:
    for kind, picture, message, hint, _ in MISTAKES:
        for match in picture.finditer(text):
            span = Span(*match.span("at"))
            if span.start <= inside <= span.end:
                parts = match.groupdict()
                told, offers = advice(hint, parts)
                yield Finding(kind, message.format(**parts), (span,), told, offers=offers)


def _unexpected(text: str, inside: int) -> Iterator[Finding]:
    at = min(inside, len(text) - 1)
    if text:
        yield found("unexpected", Span(at, at + 1), sign=text[at])


def _dangling(text: str, start: int, end: int) -> Finding:
    """Nothing where an option is due: brackets that are empty, or a comma too many."""
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        return found("empty-brackets", Span(start - 1, end + 1))
    comma = start - 1 if text[start - 1 : start] == "," else end
    return found("dangling-comma", Span(comma, comma + 1))
