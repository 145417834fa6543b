"""The mistakes people make in the shape of a text, named at the place where they show.

A first look finds what no text can hold: strange signs, blanks inside a number, brackets without
their fellow. What is left is parsed; where it does not fit, the option around that place is looked
at with a table of mistakes and taken out, so that the rest can be looked at too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from alfil.errors import Finding
from alfil.notation.parlett.checks import check
from alfil.notation.parlett.letters import CONDITIONS, DIRECTIONS, TYPES
from alfil.notation.parlett.nodes import Option
from alfil.notation.parsing import Draft, ShapeError, recovered
from alfil.source import Span

# What takes the place of an option with a mistake; nothing is ever said about it.
FILLER = "1/2"
# Of an option without end only so much is looked at to each side of a mistake.
WINDOW = 80
BLANKS = " \t\r\n"
DIRECTION_SIGNS = "*+<>=X"
PLAIN = "0123456789n/&().,-" + "".join(TYPES) + DIRECTION_SIGNS + BLANKS + "".join(CONDITIONS)
# Signs that are meant for others, and these.
MEANT = {
    "×": "X",
    "✕": "X",
    "–": "-",
    "—": "-",
    "−": "-",
    "‐": "-",
    "∼": "~",
    "∗": "*",
    "÷": "=",
}
HINTS = {
    ";": "options are joined by commas",
    "|": "options are joined by commas",
    "[": "brackets are round",
    "]": "brackets are round",
    "{": "brackets are round",
    "}": "brackets are round",
    "?": "moves are joined by dots, as in 1X.n+",
}
EXPRESSION = re.compile(r"\s*m\s*=")
WORD = re.compile(r"[A-Za-z]+")
# So many letters that are no signs make a word of the letters around them.
STRANGERS = 2
ELSEWHERE = "leave it out; a text in Betza or Ħasínū is read with its name"
INSIDE = re.compile(r"(?<=[0-9])\s+(?=[0-9])|(?<=[*+<>=X])\s+(?=[*+<>=X])")

_DIRECTION = r"(?:X[<>]?|<>|[<>]=|[*+<>=])"
_DISTANCE = r"(?:n|[0-9]+(?:-[0-9]+)?)"
_CONDITIONS = "".join(CONDITIONS)


class Mistake(NamedTuple):
    """A row of the table: a pattern, whose group ``at`` is what is wrong, and what to say of it."""

    kind: str
    pattern: str
    message: str
    hint: str


MISTAKES = (
    Mistake(
        "uncertain-slash",
        rf"[0-9]/[0-9]+(?P<at>{_DIRECTION})",
        "which of the leaps {at} chooses after / is not certain",
        "leave out {at}",
    ),
    Mistake(
        "slash-form",
        r"(?P<at>(?:n|[0-9]+-)?[0-9]*/(?:n|[0-9]*-[0-9n]+|[0-9]+/[0-9]+|(?![0-9])))",
        "/ joins two numbers",
        "write a leap as ~1/2",
    ),
    Mistake(
        "slash-form",
        r"(?P<at>(?:[^0-9]|[0-9]+-[0-9]+)/[0-9n]*)",
        "/ joins two numbers",
        "write a leap as ~1/2",
    ),
    Mistake(
        "range-form",
        r"(?P<at>[0-9n]+-n|n-[0-9]*)",
        "a range joins two numbers",
        "n is any distance",
    ),
    Mistake(
        "range-form",
        r"(?P<at>[0-9]*-(?:[0-9]+-[0-9]*)?)(?![0-9])|(?P<lone>(?<![0-9])-)",
        "a range joins two numbers",
        "write 1-3 for one to three squares",
    ),
    Mistake(
        "two-types",
        r"(?P<at>[~^]{2,})",
        "a move has one type",
        "write ~ for a leap, ^ for a capture by leaping over",
    ),
    Mistake(
        "misplaced-type",
        rf"(?P<at>(?P<type>[~^])(?P<count>{_DISTANCE}?))\(",
        "{type} stands before a distance, not before brackets",
        "write it inside, as in n(~2X)",
    ),
    Mistake(
        "wrong-order",
        rf"(?P<at>(?P<type>[~^])(?P<letters>[{_CONDITIONS}]+)(?P<rest>{_DISTANCE}{_DIRECTION}|))",
        "conditions stand before the type",
        "write {letters}{type}{rest}",
    ),
    Mistake(
        "wrong-order",
        rf"(?P<at>(?P<first>{_DISTANCE})(?P<sign>[~^{_CONDITIONS}]+)(?P<rest>{_DIRECTION}))",
        "conditions and types stand before the distance",
        "write {sign}{first}{rest}",
    ),
    Mistake(
        "wrong-order",
        rf"(?P<at>(?P<first>{_DISTANCE}{_DIRECTION})(?P<sign>[~^{_CONDITIONS}]+))(?![0-9n(])",
        "conditions and types stand before the distance",
        "write {sign}{first}",
    ),
    Mistake(
        "wrong-order",
        rf"(?<![0-9n])(?P<at>(?P<sign>{_DIRECTION})(?P<first>{_DISTANCE}))(?!{_DIRECTION}|[/(0-9])",
        "the distance stands before the direction",
        "write {first}{sign}",
    ),
    Mistake(
        "wrong-order",
        r"(?:^|[,.(])(?P<at>&)",
        "& stands behind what it repeats",
        "write it behind, as in 1/2&",
    ),
    Mistake(
        "dangling-dot",
        r"(?P<at>^\.|\(\.|\.\.+|\.$|\.(?=[,)]))",
        "a move is due on both sides of a dot",
        "name the move, or leave out the dot",
    ),
    Mistake(
        "condition-inside",
        rf"\.(?P<at>[{_CONDITIONS}]+)",
        "conditions stand before a whole move, not inside it",
        "write them in front of the first part",
    ),
    Mistake(
        "missing-comma",
        rf"(?:{_DIRECTION}|/[0-9]+|\)|&)(?P<at>[{_CONDITIONS}]*[~^]?[0-9n(])",
        "two moves stand side by side",
        "put a comma before {at}, or a dot to go on",
    ),
    Mistake(
        "number-of-times",
        r"(?P<at>n[0-9]+|[0-9]+n)",
        "a distance is a number or n",
        "leave out one of them",
    ),
    Mistake(
        "no-direction",
        rf"(?P<at>{_DISTANCE})(?=[,.)&]|$)",
        "the direction is missing",
        "write it behind, as in {at}+",
    ),
    Mistake(
        "no-distance",
        rf"(?:^|[,.(~^{_CONDITIONS}])(?P<at>{_DIRECTION})",
        "the distance is missing",
        "write 1{at} for one square, n{at} for any distance",
    ),
    Mistake(
        "no-distance",
        rf"(?P<at>[~^{_CONDITIONS}]+)(?=[,.)&]|$)",
        "no move stands behind {at}",
        "write a move behind it, such as 1X or 1/2",
    ),
    Mistake(
        "empty-brackets", r"(?P<at>\(\))", "nothing stands in the brackets", "put a move inside"
    ),
)

# Directions people write, and how they are written.
INSTEAD = {
    "X<>": "X",
    "X><": "X",
    "=>": ">=",
    "=<": "<=",
    "><": "<>",
    "X+": "*",
    "+X": "*",
    "<>=": "+",
    "XX": "X",
}


class _Named(NamedTuple):
    """A mistake in an option, and the part of the option that it is in."""

    kind: str
    message: str
    hint: str
    part: tuple[int, int]


def mistakes_in(text: str, parse: Callable[[str], tuple[Option, ...]], most: int) -> list[Finding]:
    """Everything wrong with a text that does not fit the grammar, in no order."""
    draft, findings = _looked_over(text, most)
    if len(findings) >= most:
        return findings

    def told(rest: Draft, error: ShapeError) -> tuple[Finding | None, Draft]:
        return diagnose(rest, error.start)

    options: tuple[Option, ...] | None
    try:
        options = parse(draft.text)
    except ShapeError as error:
        options, draft, more = recovered(parse, draft, error, told, most)
        findings += more
    for finding in check(options or (), draft.text):
        if not any(map(draft.damaged, finding.spans)):
            findings.append(draft.located(finding))
    return findings


def _looked_over(text: str, most: int) -> tuple[Draft, list[Finding]]:
    """A text without what no text can hold, and what that is."""
    findings: list[Finding] = []
    cuts: dict[Span, bool] = {}  # whether what stands before has lost a piece
    signs = list(text)
    expression = EXPRESSION.match(text)
    if expression:
        span = Span(*expression.span())
        message = "only what stands behind m= is the move"
        findings.append(Finding("unknown-symbol", message, (span,), "leave out m="))
        cuts[span] = False
    for found, plain in _strange(text, expression.end() if expression else 0):
        (span,) = found.spans
        findings.append(found)
        signs[span.start : span.end] = plain or " " * (span.end - span.start)
        if not plain:
            cuts[span] = True
    for match in INSIDE.finditer(text):
        span = Span(*match.span())
        findings.append(Finding("white-space", "no blanks inside", (span,), "remove the blank"))
        cuts[span] = False
    for finding in _unpaired("".join(signs)):
        findings.append(finding)
        cuts[finding.spans[0]] = False
    draft = Draft("".join(signs), range(len(text) + 1))
    if len(findings) >= most:
        return draft, findings
    for cut in sorted(cuts, reverse=True):
        draft = draft.without(cut, torn=cuts[cut])
    return draft, findings


def _strange(text: str, start: int) -> Iterator[tuple[Finding, str]]:
    """What is wrong with signs and words of no text, and the sign that is meant if it is known."""
    words = [
        match.span()
        for match in WORD.finditer(text, start)
        if sum(letter not in PLAIN for letter in match[0]) >= STRANGERS
    ]
    for first, end in words:
        message = f"{text[first:end]} means nothing in Parlett's notation"
        yield Finding("unknown-symbol", message, (Span(first, end),), ELSEWHERE), ""
    inside = {at for span in words for at in range(*span)}
    for at in range(start, len(text)):
        if text[at] not in PLAIN and at not in inside:
            yield _sign(text[at], Span(at, at + 1))


def _sign(sign: str, span: Span) -> tuple[Finding, str]:
    """What is wrong with a sign, and the one that it stands for if that is known."""
    if not sign.isprintable():
        message = "a character that cannot be seen"
        return Finding("control-character", message, (span,), "remove it"), ""
    for meant in (sign.upper(), sign.lower()):
        if sign.isascii() and meant in PLAIN:
            message = f"{sign} is written {meant} here"
            return Finding("case", message, (span,), f"write {meant}"), meant
    meant = MEANT.get(sign) or unicodedata.normalize("NFKC", sign)
    if meant != sign and len(meant) == 1 and meant in PLAIN:
        message = f"{sign} only looks like {meant}"
        if sign == "÷":
            message = f"sideways is written {meant} here"
        return Finding("look-alike", message, (span,), f"write {meant}"), meant
    hint = HINTS.get(sign, f"leave {sign} out")
    if sign.islower():
        hint = f"the conditions are {', '.join(CONDITIONS)}"
    elif sign.isalpha():
        hint = ELSEWHERE
    message = f"{sign} means nothing in Parlett's notation"
    return Finding("unknown-symbol", message, (span,), hint), ""


def _unpaired(text: str) -> Iterator[Finding]:
    """Brackets without their fellow."""
    opened: list[int] = []
    for at, sign in enumerate(text):
        if sign == "(":
            opened.append(at)
        elif sign == ")" and opened:
            opened.pop()
        elif sign == ")":
            span = (Span(at, at + 1),)
            yield Finding("unopened", "no matching (", span, "open it, or leave it out")
    for at in opened:
        yield Finding("unclosed", "no matching )", (Span(at, at + 1),), "close it")


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
    for mistake in (_unknown_direction(text, inside), *_in_table(text, inside)):
        if mistake is not None:
            kind, message, hint, (start, end) = mistake
            span = Span(places[start], places[end - 1] + 1 if end > start else places[start])
            return Finding(kind, message, (span,), hint)
    if not text:
        return None
    sign = text[min(inside, len(text) - 1)]
    place = places[min(inside, len(text) - 1)]
    span = Span(place, place + 1)
    return Finding("unexpected", f"{sign} does not belong here", (span,), f"leave out {sign}")


def _in_table(text: str, inside: int) -> Iterator[_Named]:
    for kind, pattern, message, hint in MISTAKES:
        for match in re.finditer(pattern, text):
            span = match.span("at")
            if span[0] <= inside <= span[1]:
                parts = match.groupdict()
                yield _Named(kind, message.format(**parts), hint.format(**parts), span)


def _unknown_direction(text: str, inside: int) -> _Named | None:
    """Direction signs that are no direction together."""
    for match in re.finditer(r"[*+<>=X]{2,}", text):
        signs = match[0]
        if match.start() < inside <= match.end() and signs not in DIRECTIONS:
            hint = f"the directions are {' '.join(DIRECTIONS)}"
            if signs in INSTEAD:
                hint = f"write {INSTEAD[signs]}"
            elif signs[0] == "*" and signs[1:] in DIRECTIONS and f"X{signs[1:]}" in DIRECTIONS:
                hint = f"write two options, one with {signs[1:]} and one with X{signs[1:]}"
            message = f"{signs} is no direction"
            return _Named("unknown-direction", message, hint, match.span())
    return None


def _dangling(text: str, start: int, end: int) -> Finding:
    """Nothing where an option is due: brackets that are empty, or a comma too many."""
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        span = Span(start - 1, end + 1)
        message = "nothing stands in the brackets"
        return Finding("empty-brackets", message, (span,), "put a move inside")
    comma = start - 1 if text[start - 1 : start] == "," else end
    message = "an option is due on both sides of a comma"
    span = Span(comma, comma + 1)
    return Finding("dangling-comma", message, (span,), "leave the comma out, or name the option")
