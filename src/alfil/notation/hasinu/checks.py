"""What the grammar cannot see: numbers, directions, angles, arguments, and what may be a leg.

`check` walks a tree once and reports every error in it. The builder has left marks on nodes whose
parts do not fit together; for those the text is read once more, to point at the very sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import isinf
from typing import TypeAlias

from alfil.errors import Finding
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.arguments import arguments
from alfil.notation.hasinu.bound import DeclareCall, MoveCall
from alfil.notation.hasinu.builder import WRONG_STEPS, WRONG_TURN, value
from alfil.notation.hasinu.corrections import usual_directions
from alfil.notation.hasinu.flags import quote
from alfil.notation.hasinu.legs import is_leap
from alfil.notation.hasinu.nodes import (
    Bent,
    Call,
    Distance,
    Group,
    Loop,
    Oblique,
    Radial,
    Text,
    Turn,
)
from alfil.notation.hasinu.walk import last_of, nodes
from alfil.notation.nodes import Term
from alfil.source import Span

Findings: TypeAlias = Iterator[Finding]

_RADIAL = re.compile(r"(?P<count>[0-9]+)\s*d(?P<names>[NESWOD\s-]*)\Z")
_OBLIQUE = re.compile(r"(?P<bracket>\(\s*([0-9]+)\s*,\s*([0-9]+)\s*\))(?P<letters>[a-h]*)\Z")
_RIDER = re.compile(r"n[0-9]+d[NESWOD]*")
_NAME = re.compile(r"NE|NW|SE|SW|[NESWOD]")
_NUMBER = re.compile(r"[0-9]+")


def check(terms: Sequence[Term], text: str) -> list[Finding]:
    """All errors of the tree that its shape allows, in no particular order."""
    findings: list[Finding] = []
    bodies: set[int] = set()
    declared: set[str] = set()
    for node in nodes(terms):
        match node:
            case Bent():
                findings += _bent(node, text, in_loop=id(node) in bodies)
            case Loop(times=times, body=body):
                bodies.add(id(last_of(body)))
                findings += _steps(times, text)
            case Call():
                findings += _call(node, text, declared)
            case Group():
                findings += _group(node, text)
            case Text() | Radial() | Oblique():
                findings += _move(node, text)
            case _:
                continue
    return findings


def _move(node: Text | Radial | Oblique, text: str) -> Findings:
    match node:
        case Text(words=""):
            yield _found("empty-text", "text is due after //", node.span, "write some words")
        case Radial(vectors=()):
            yield from _radial(node, text)
        case Oblique(vectors=()):
            yield from _oblique(node, text)
        case _:
            return


def _found(kind: str, message: str, span: Span, hint: str = "") -> Finding:
    return Finding(kind, message, (span,), hint)


def _steps(distance: Distance, text: str) -> Findings:
    """What is wrong with a distance, a set of them, or a number of repetitions."""
    if distance.steps != WRONG_STEPS:
        return
    seen: set[int] = set()
    for match in _NUMBER.finditer(text, *distance.span):
        span = Span(*match.span())
        number = value(match[0].lstrip("0") or "0")
        if not number:
            yield _found("distance-zero", "distances start at 1", span, "write 1 or more")
        elif match[0][0] == "0":
            yield _found("leading-zero", "no leading zeros", span, f"write {number}")
        elif number > lexicon.LARGEST_NUMBER:
            message = f"numbers are at most {lexicon.LARGEST_NUMBER}"
            yield _found("number", message, span, "n is any distance")
        elif number in seen:
            yield _found("repeated-distance", f"{number} twice", span, "write it once")
        seen.add(number)


def _radial(radial: Radial, text: str) -> Findings:
    yield from _steps(radial.distance, text)
    match = _RADIAL.search(text[: radial.span.end], radial.span.start)
    if match is None:
        return
    count = Span(*match.span("count"))
    names = [
        (found[0], Span(*found.span())) for found in _NAME.finditer(text, *match.span("names"))
    ]
    if not 1 <= radial.count <= len(lexicon.DIRECTIONS):
        before = text[radial.span.start : count.start].strip()
        message = "the number of directions is 1 to 8"
        yield _found("direction-count", message, count, f"{before}8d")
        return
    if match["count"][0] == "0":
        yield _found("leading-zero", "no leading zeros", count, f"write {radial.count}")
        return
    repeated = list(_repeated(names))
    yield from repeated
    if not repeated and not lexicon.radial(match["count"], tuple(name for name, _ in names))[1]:
        yield _mismatch(radial, count, names, text)


def _repeated(names: list[tuple[str, Span]]) -> Findings:
    """Directions named twice, directly or through O and D."""
    owner: dict[str, str] = {}
    for name, span in names:
        directions = lexicon.FOURS.get(name, (name,))
        first = next((owner[direction] for direction in directions if direction in owner), None)
        if first == name:
            yield _found("repeated-direction", f"{name} twice", span, "name it once")
        elif first in lexicon.FOURS:
            message = f"{first} already contains {name}"
            yield _found("repeated-direction", message, span, f"leave out {name}")
        elif first:
            message = f"{name} contains {first} again"
            yield _found("repeated-direction", message, span, f"leave out {first}")
        owner = dict.fromkeys(directions, name) | owner


def _mismatch(radial: Radial, count: Span, names: list[tuple[str, Span]], text: str) -> Finding:
    """A count that the directions do not bear out; points at the count, then at the list."""
    given = sum(len(lexicon.FOURS.get(name, (name,))) for name, _ in names)
    before = text[radial.span.start : count.start].strip()
    after = text[count.end : radial.span.end].strip()
    promised = f"{radial.count} direction{'s' if radial.count > 1 else ''} promised"
    if not names:
        named = f"{before}{radial.count}d{usual_directions(radial.count)}"
        hint = f"name the directions, as in {named}, or write {before}8d for all"
        return _found("direction-mismatch", f"{promised}, none given", count, hint)
    message = f"{promised}, {given} given"
    short = names[0][0] if len(names) == 1 else ""
    meant = f"{short} is {'-'.join(lexicon.FOURS[short])}, " if short in lexicon.FOURS else ""
    hint = f"{meant}write {before}{given}{after}"
    listed = names[0][1].to(names[-1][1])
    return Finding("direction-mismatch", message, (count, listed), hint)


def _oblique(oblique: Oblique, text: str) -> Findings:
    if oblique.distance:
        yield from _steps(oblique.distance, text)
    match = _OBLIQUE.search(text[: oblique.span.end], oblique.span.start)
    if match is None:
        return
    numbers = list(_numbers(match))
    yield from numbers
    if not numbers and oblique.numbers[0] in (0, oblique.numbers[1]):
        span = Span(*match.span("bracket"))
        yield _found("not-oblique", "a radial vector", span, _straight(oblique))
    seen: set[str] = set()
    for at, letter in enumerate(match["letters"], match.start("letters")):
        if letter in seen:
            yield _found("repeated-octant", f"{letter} twice", Span(at, at + 1), "write it once")
        seen.add(letter)


def _numbers(match: re.Match[str]) -> Findings:
    for group in (2, 3):
        number = match[group]
        span = Span(*match.span(group))
        if number[0] == "0" and len(number) > 1:
            yield _found("leading-zero", "no leading zeros", span, f"write {number.lstrip('0')}")
        elif value(number) > lexicon.LARGEST_NUMBER:
            message = f"numbers are at most {lexicon.LARGEST_NUMBER}"
            yield _found("number", message, span, "write a smaller number")


def _straight(oblique: Oblique) -> str:
    """How a straight vector is written."""
    p, q = oblique.numbers
    four = "D" if p else "O"
    if not q:
        return "name a square to go to, as in (1,2)"
    leap = f"{q}×4d{four}" if q == 1 else f"j({q}×4d{four})"
    if oblique.distance is None:
        return leap
    if q == 1 and not oblique.distance.steps:
        return f"n4d{four}"
    times = ",".join(map(str, oblique.distance.steps))
    return f"{f'{{{times}}}' if times else 'n'}({leap} &t0°)"


def _bent(bent: Bent, text: str, *, in_loop: bool) -> Findings:
    for turn in bent.turns:
        if turn.sixteenths == WRONG_TURN:
            yield _angle(turn, text)
    if len(bent.turns) == len(bent.legs) and not in_loop:
        message = "a turn with no leg after it belongs at the end of a loop"
        start = bent.turns[-1].span.start
        hint = "name the leg after the turn, or put the whole into n(...)"
        yield _found("dangling-turn", message, Span(start, start + len("&t")), hint)


def _angle(turn: Turn, text: str) -> Finding:
    written = text[turn.span.start + len("&t") : turn.span.end]
    start = turn.span.end - len(written.lstrip())
    unit = written.lstrip("+-0123456789. \t\r\n")
    # Where a stray sign has been cut out of the angle the unit is not to be trusted.
    size = float(turn.degrees) * lexicon.UNITS.get(unit, 1.0)
    span = Span(start, turn.span.end)
    if size > 180 + lexicon.TOLERANCE:
        return _found("angle-range", "a turn is at most 180°", span, _within(turn, size))
    low = int(size // lexicon.SIXTEENTH)
    hint = f"{lexicon.degrees(low)}° or {lexicon.degrees(low + 1)}°"
    return _found("angle-off-rose", "turns come in sixteenths of a circle, 22.5°", span, hint)


def _within(turn: Turn, size: float) -> str:
    """The turn on the grid nearest to one of more than 180 degrees, which goes the other way."""
    if isinf(size):
        return "&t180°"
    whole = 2 * lexicon.HALF_TURN
    eighths = round(size / lexicon.SIXTEENTH) % whole
    back = eighths > lexicon.HALF_TURN
    sign = {"+": "-", "-": "+"}.get(turn.sign, "") if back else turn.sign
    return f"&t{sign}{lexicon.degrees(whole - eighths if back else eighths)}°"


def _call(call: Call, text: str, declared: set[str]) -> Findings:
    bound = arguments(call, text)
    match bound:
        case list():
            yield from bound
        case DeclareCall(name=name):
            if name in declared:
                span = call.arguments[0].span
                yield _found("redeclared", f"{name} is declared already", span, "leave one out")
            declared.add(name)
        case MoveCall(name="j", move=move) if len(call.arguments) > 1 and is_leap(move):
            message = "a leap passes over nothing"
            yield _found("j-leap", message, call.span, f"write {quote(text, move)} alone")
        case _:
            return


def _group(group: Group, text: str) -> Findings:
    for name in group.names:
        function = lexicon.known(name.text)
        if function is None and _RIDER.fullmatch(name.text):
            hint = f"{group.names[0].text}({name.text})"
            yield _found("group-member", "a group lists names only", name.span, hint)
        if function is None or function.name in lexicon.MEMBERS:
            continue
        others = [other.text for other in group.names if other is not name]
        inner = quote(text, group.body)
        if others:
            inner = (
                f"{others[0]}({inner})"
                if len(others) == 1
                else f"group({','.join(others)})({inner})"
            )
        if function.kind == "timing":
            message, hint = f"{name.text} needs a number", f"{name.text}(1, {inner})"
        else:
            message = f"{name.text} takes no move"
            hint = f"{lexicon.USAGES[name.text]} & {inner}"
        yield _found("group-member", message, name.span, hint)
