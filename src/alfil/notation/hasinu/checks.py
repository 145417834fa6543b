"""What the grammar cannot see: what is wrong with a tree, and what changes nothing in it.

`check` looks at every node for itself: numbers, directions, angles and arguments. The builder has
left marks on nodes whose parts do not fit together; for those the text is read once more, to point
at the very sign. `misplaced` goes from the outside in and carries along whether the move it is at
is a leg, and which functions stand around it. `lint` warns of text that is good, and may not say
what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import isinf
from typing import Literal, TypeAlias

from alfil.errors import Finding
from alfil.notation.hasinu import lexicon, nodes
from alfil.notation.hasinu.calls import (
    MoveCall,
    arguments,
    padded,
    quote,
)
from alfil.notation.hasinu.lexicon import usual_directions, value
from alfil.source import Span

Findings: TypeAlias = Iterator[Finding]
Place: TypeAlias = Literal["term", "leg", "loop"]

_RADIAL = re.compile(r"(?P<count>[0-9]+)\s*d(?P<names>[NESWOD\s-]*)\Z")
_OBLIQUE = re.compile(r"(?P<bracket>\(\s*([0-9]+)\s*,\s*([0-9]+)\s*\))(?P<letters>[a-h]*)\Z")
_RIDER = re.compile(r"n[0-9]+d[NESWOD]*")
_NAME = re.compile(r"NE|NW|SE|SW|[NESWOD]")
_NUMBER = re.compile(r"[0-9]+")
# What a leg in embedded Betza would be, for the hint.
_LETTERS = {
    "N": "(1,2)",
    "C": "(1,3)",
    "Z": "(2,3)",
    "W": "1×4dO",
    "F": "1×4dD",
    "K": "1×8d",
    "R": "n4dO",
    "B": "n4dD",
    "Q": "n8d",
    "NN": "n(1,2)",
    "D": "j(2×4dO)",
    "A": "j(2×4dD)",
}
_APART = {"leg": "give it a term of its own", "loop": "take it out of the loop"}


def check(terms: Sequence[nodes.HasinuTerm], text: str) -> list[Finding]:
    """All errors of the tree that its shape allows, in no particular order."""
    findings: list[Finding] = []
    bodies: set[int] = set()
    declared: set[str] = set()
    for node in nodes.walk(terms):
        match node:
            case nodes.Bent():
                findings += _bent(node, text, in_loop=id(node) in bodies)
            case nodes.Loop(times=times, body=body):
                bodies.add(id(_last_of(body)))
                findings += _steps(times, text)
            case nodes.Call():
                findings += _call(node, text, declared)
            case nodes.Group():
                findings += _group(node, text)
            case nodes.Text() | nodes.Radial() | nodes.Oblique():
                findings += _move(node, text)
            case _:
                continue
    return findings


def _last_of(body: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """The term a loop's body ends in, which may end in a turn.

    The turn is that term's, for a turn binds tighter than &. Brackets inside the body are no end of
    the body itself.
    """
    if isinstance(body, nodes.Union) and not body.bracketed and body.terms:
        return body.terms[-1]
    return body


def _move(node: nodes.Text | nodes.Radial | nodes.Oblique, text: str) -> Findings:
    match node:
        case nodes.Text(words=""):
            yield _found("empty-text", "text is due after //", node.span, "write some words")
        case nodes.Radial(vectors=()):
            yield from _radial(node, text)
        case nodes.Oblique(vectors=()):
            yield from _oblique(node, text)
        case _:
            return


def _found(kind: str, message: str, span: Span, hint: str = "") -> Finding:
    return Finding(kind, message, (span,), hint)


def _steps(distance: nodes.Distance, text: str) -> Findings:
    """What is wrong with a distance, a set of them, or a number of repetitions."""
    if distance.steps != nodes.WRONG_STEPS:
        return
    seen: set[int] = set()
    for match in _NUMBER.finditer(text, *distance.span):
        span = Span(*match.span())
        number = value(match[0].lstrip("0") or "0")
        if not number:
            yield _found("distance-zero", "distances start at 1", span, "write 1 or more")
        elif wrong := padded(match[0], span, "n is any distance"):
            yield from wrong
        elif number in seen:
            yield _found("repeated-distance", f"{number} twice", span, "write it once")
        seen.add(number)


def _radial(radial: nodes.Radial, text: str) -> Findings:
    yield from _steps(radial.distance, text)
    match = _RADIAL.search(text[: radial.span.end], radial.span.start)
    if match is None:
        return
    count = Span(*match.span("count"))
    names = [
        (found[0], Span(*found.span())) for found in _NAME.finditer(text, *match.span("names"))
    ]
    number = value(match["count"])
    if not 1 <= number <= len(lexicon.DIRECTIONS):
        before = text[radial.span.start : count.start].strip()
        message = "the number of directions is 1 to 8"
        yield _found("direction-count", message, count, f"{before}8d")
        return
    if wrong := padded(match["count"], count):
        yield from wrong
        return
    repeated = list(_repeated(names))
    yield from repeated
    if not repeated and not lexicon.radial(match["count"], tuple(name for name, _ in names)):
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


def _mismatch(
    radial: nodes.Radial, count: Span, names: list[tuple[str, Span]], text: str
) -> Finding:
    """A count that the directions do not bear out; points at the count, then at the list."""
    given = sum(len(lexicon.FOURS.get(name, (name,))) for name, _ in names)
    before = text[radial.span.start : count.start].strip()
    after = text[count.end : radial.span.end].strip()
    number = value(text[count.start : count.end])
    promised = f"{number} direction{'s' if number > 1 else ''} promised"
    if not names:
        named = f"{before}{number}d{usual_directions(number)}"
        hint = f"name the directions, as in {named}, or write {before}8d for all"
        return _found("direction-mismatch", f"{promised}, none given", count, hint)
    message = f"{promised}, {given} given"
    short = names[0][0] if len(names) == 1 else ""
    meant = f"{short} is {'-'.join(lexicon.FOURS[short])}, " if short in lexicon.FOURS else ""
    hint = f"{meant}write {before}{given}{after}"
    listed = names[0][1].to(names[-1][1])
    return Finding("direction-mismatch", message, (count, listed), hint)


def _oblique(oblique: nodes.Oblique, text: str) -> Findings:
    if oblique.distance:
        yield from _steps(oblique.distance, text)
    match = _OBLIQUE.search(text[: oblique.span.end], oblique.span.start)
    if match is None:
        return
    numbers = [wrong for at in (2, 3) for wrong in padded(match[at], Span(*match.span(at)))]
    yield from numbers
    p, q = sorted((value(match[2]), value(match[3])))
    if not numbers and p in (0, q):
        span = Span(*match.span("bracket"))
        yield _found("not-oblique", "a radial vector", span, _straight(p, q, oblique.distance))
    seen: set[str] = set()
    for at, letter in enumerate(match["letters"], match.start("letters")):
        if letter in seen:
            yield _found("repeated-octant", f"{letter} twice", Span(at, at + 1), "write it once")
        seen.add(letter)


def _straight(p: int, q: int, distance: nodes.Distance | None) -> str:
    """How a straight vector is written."""
    four = "D" if p else "O"
    if not q:
        return "name a square to go to, as in (1,2)"
    leap = f"{q}×4d{four}" if q == 1 else f"j({q}×4d{four})"
    if distance is None:
        return leap
    if q == 1 and not distance.steps:
        return f"n4d{four}"
    times = ",".join(map(str, distance.steps))
    return f"{f'{{{times}}}' if times else 'n'}({leap} &t0°)"


def _bent(bent: nodes.Bent, text: str, *, in_loop: bool) -> Findings:
    for turn in bent.turns:
        if turn.sixteenths == nodes.WRONG_TURN:
            yield _angle(turn, text)
    if len(bent.turns) == len(bent.legs) and not in_loop:
        message = "a turn with no leg after it belongs at the end of a loop"
        start = bent.turns[-1].span.start
        hint = "name the leg after the turn, or put the whole into n(...)"
        yield _found("dangling-turn", message, Span(start, start + len("&t")), hint)


def _angle(turn: nodes.Turn, text: str) -> Finding:
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


def _within(turn: nodes.Turn, size: float) -> str:
    """The turn on the grid nearest to one of more than 180 degrees, which goes the other way."""
    if isinf(size):
        return "&t180°"
    whole = 2 * lexicon.HALF_TURN
    eighths = round(size / lexicon.SIXTEENTH) % whole
    back = eighths > lexicon.HALF_TURN
    sign = {"+": "-", "-": "+"}.get(turn.sign, "") if back else turn.sign
    return f"&t{sign}{lexicon.degrees(whole - eighths if back else eighths)}°"


def _call(call: nodes.Call, text: str, declared: set[str]) -> Findings:
    bound = arguments(call, text)
    match bound:
        case list():
            yield from bound
        case nodes.Call("function", (nodes.Name(text=name), *_)):
            if name in declared:
                span = call.arguments[0].span
                yield _found("redeclared", f"{name} is declared already", span, "leave one out")
            declared.add(name)
        case MoveCall(name="j", move=move) if len(call.arguments) > 1 and _is_leap(move):
            message = "a leap passes over nothing"
            yield _found("j-leap", message, call.span, f"write {quote(text, move)} alone")
        case _:
            return


def _group(group: nodes.Group, text: str) -> Findings:
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


@dataclass(frozen=True, slots=True)
class _Around:
    """What stands around a node: the functions of where it ends, and of the way there.

    ``names`` has the span of each function's name. ``function`` is the innermost function.
    """

    place: Place = "term"
    function: str = ""
    names: dict[str, Span] = field(default_factory=dict)

    def about(self, what: Literal["end", "way"]) -> dict[str, Span]:
        """The functions that speak of the end, or of the way."""
        return {
            name: span for name, span in self.names.items() if lexicon.FUNCTIONS[name].about == what
        }


def misplaced(terms: Sequence[nodes.HasinuTerm], text: str) -> list[Finding]:
    """Errors about what may not stand where it does."""
    findings: list[Finding] = []
    stack: list[tuple[nodes.Argument, _Around]] = [(term, _Around()) for term in reversed(terms)]
    while stack:
        node, around = stack.pop()
        match node:
            case nodes.Union():
                stack += [(part, around) for part in node.terms]
            case nodes.Bent():
                place: Place = "loop" if around.place == "loop" else "leg"
                names = around.names if len(node.legs) == 1 else around.about("way")
                stack += [(leg, _Around(place, names=names)) for leg in node.legs]
            case nodes.Loop():
                stack.append((node.body, replace(around, place="loop", function="")))
            case nodes.Call() | nodes.Group():
                found, below = _functions(node, around)
                findings += found
                stack += below
            case nodes.Embedded() | nodes.Text():
                findings += _foreign(node, around, text)
            case _:
                continue
    return findings


def _functions(
    node: nodes.Call | nodes.Group, around: _Around
) -> tuple[list[Finding], list[tuple[nodes.Argument, _Around]]]:
    """Errors of the functions of a node, and what is inside with what then stands around it."""
    if isinstance(node, nodes.Group):
        called = [(name.text, name.span) for name in node.names]
        moves: Sequence[nodes.HasinuTerm] = (node.body,)
    else:
        called = [(lexicon.ALIASES.get(node.name, node.name), node.name_span)]
        moves = nodes.moves_in(node.arguments)
    findings = [found for name, _ in called for found in _refused(node, name, around)][:1]
    inner = _Around("term" if findings else around.place, called[-1][0], dict(around.names))
    for name, span in called:
        function = lexicon.known(name)
        if function is not None and function.about:
            findings += _clash(function, inner.names)
            inner.names.setdefault(function.name, span)
    if lexicon.kind(inner.function) == "piece":
        inner = _Around()
    return findings, [(move, inner) for move in moves]


def _clash(function: lexicon.Function, around: dict[str, Span]) -> Findings:
    """A function and one around it that leave nothing of each other."""
    other = next((name for name in function.clashes if name in around), None)
    if other is None:
        return
    if function.about == "end":
        message = "a move that may neither move nor capture"
        hint = f"leave out {function.name} or {other}"
        yield _found("never-legal", message, around[other], hint)
    else:
        yield _found("contradiction", "j and nj cancel", around[other], "leave out both")


def _refused(node: nodes.Call | nodes.Group, name: str, around: _Around) -> Findings:
    """A function that makes no leg where a leg is due, or no move where a move is due."""
    kind = lexicon.kind(name)
    whole = around.place == "term"
    if kind in {"foreign", "narrowing"} or (whole and (kind != "piece" or not around.function)):
        return
    reason = {
        "piece": f"{name}() describes the piece",
        "squares": "INF has no direction",
        "timing": f"{name}() says when a whole term is legal",
        "effect": f"{name}() is no move",
        "rifle": "a rifle capture ends at home",
        "rampage": "a rampage is no leg",
    }[kind]
    hint = _APART.get(around.place, f"take it out of {around.function}()")
    yield _found("not-a-leg", reason, node.span, hint)


def _foreign(node: nodes.Embedded | nodes.Text, around: _Around, text: str) -> Iterator[Finding]:
    """Betza and text: whole terms, and closed to functions of squares passed."""
    if isinstance(node, nodes.Text):
        if around.place != "term":
            message = "text is a whole term"
            yield _found("not-a-leg", message, node.span, _APART[around.place])
        return
    if around.place != "term":
        run = text[node.span.start + 1 : node.span.end]
        leg = _LETTERS.get(run)
        hint = _APART[around.place] if leg is None else f"write {leg}"
        yield _found("betza-leg", "embedded Betza is a whole term", node.span, hint)
    for name in around.about("way"):
        message = f"{name} does not apply to embedded Betza"
        yield _found("betza-function", message, node.span, "say it in Betza or in Ħasínū")


def _is_leap(term: nodes.HasinuTerm) -> bool:
    """Whether a move passes over nothing: single oblique leaps, INF, and functions of these."""
    for node in nodes.walk((term,)):
        match node:
            case nodes.Oblique(distance=None | nodes.Distance(steps=(1,))):
                continue
            case nodes.Call(name=name) if lexicon.kind(name) in {"narrowing", "squares"}:
                continue
            case nodes.Number() | nodes.Name() | nodes.Union() | nodes.Group():
                continue
            case _:
                return False
    return True


def _is_straight(term: nodes.HasinuTerm) -> bool:
    """Whether a move consists of radial moves only, which never jump."""
    held = list(nodes.walk((term,)))
    others = any(isinstance(node, nodes.Oblique | nodes.Embedded | nodes.Text) for node in held)
    return any(isinstance(node, nodes.Radial) for node in held) and not (others or _lions(held))


def _lions(held: Iterable[nodes.Argument]) -> list[nodes.Call]:
    calls = (node for node in held if isinstance(node, nodes.Call))
    return [call for call in calls if lexicon.kind(call.name) == "squares"]


def lint(terms: Sequence[nodes.HasinuTerm]) -> list[Finding]:
    """All warnings and notes about a tree without errors, in no particular order."""
    findings = list(_siblings(terms))
    # What INF leaves out is said once.
    for call in _lions(nodes.walk(terms))[:1]:
        message = "INF names squares to leap to; captures on the way to them are no part of it"
        hint = "write captures on the way in embedded Betza, as in \\KmcabK"
        findings.append(Finding("inf-squares-only", message, (call.name_span,), hint, "note"))
    for node in nodes.walk(terms):
        match node:
            case nodes.Union(terms=inside):
                findings += _siblings(inside)
            case nodes.Loop(times=nodes.Distance(steps=()), body=nodes.Oblique(distance=None)):
                message = "a loop of free leaps, which may turn back after each"
                findings.append(
                    _warning("free-loop", message, node.span, "n(1,2) goes straight on")
                )
            case nodes.Call():
                found = _idle(node)
                if found:
                    span = node.span if found is node else found.name_span
                    findings.append(_no_effect(found, span))
            case nodes.Group():
                findings += _idle_group(node)
            case _:
                continue
    return findings


def _warning(kind: str, message: str, span: Span, hint: str) -> Finding:
    return Finding(kind, message, (span,), hint, "warning")


def _siblings(terms: Sequence[nodes.HasinuTerm]) -> Findings:
    """Warnings about terms side by side."""
    seen: set[nodes.HasinuTerm] = set()
    radial = early = False
    for term in terms:
        if nodes.is_hole(term):
            continue
        if term in seen:
            yield _warning("repeated-term", "the same term twice", term.span, "leave one out")
        seen.add(term)
        if isinstance(term, nodes.Oblique) and radial and not early:
            message = "obliques usually stand before radials"
            yield _warning("oblique-first", message, term.span, "put it first")
            early = True
        radial = radial or isinstance(term, nodes.Radial)


def _idle_group(group: nodes.Group) -> Findings:
    if len(group.names) == 1:
        hint = f"write {group.names[0].text}(...)"
        yield _warning("one-function-group", "a group of one function", group.span, hint)
    for node in nodes.walk((nodes.nested(group),)):
        if node is group.body:
            return
        found = _idle(node) if isinstance(node, nodes.Call) else None
        if found:
            yield _no_effect(found, found.name_span)


def _no_effect(call: nodes.Call, span: Span) -> Finding:
    name = call.name
    timed = lexicon.kind(name) == "timing"
    message = "every move is every first move" if timed else f"{name} changes nothing here"
    return _warning("no-effect", message, span, f"leave out {name}")


def _idle(call: nodes.Call) -> nodes.Call | None:
    """The call that changes nothing: a function, or the one directly inside it."""
    match arguments(call):
        case nodes.Call("ataction", (nodes.Number(value=1), move)) if nodes.is_move(move):
            return call
        case MoveCall() as bound if _leaves_as_it_is(bound):
            return call
        case MoveCall(move=nodes.Call() as inner) as bound if _adds_nothing(bound, inner):
            return inner
        case _:
            return None


def _leaves_as_it_is(bound: MoveCall) -> bool:
    match bound:
        case MoveCall(name="nj"):
            return _is_straight(bound.move)
        # A rampage that spares no friends may end on one, and a single step may not.
        case MoveCall(name="j") | MoveCall(name="rpg", side="E"):
            return _passes_nothing(bound.move)
        case _:
            return False


def _adds_nothing(outer: MoveCall, inner: nodes.Call) -> bool:
    """Whether an inner function adds nothing to the one directly around it."""
    bound = arguments(inner)
    if not isinstance(bound, MoveCall):
        return False
    if (outer.name, bound.name) == ("i", "c"):
        return True
    # Twice is the same as once, but counts add up, and what happens on the enemy's action is data
    # of its own.
    same = replace(bound, move=outer.move) == outer and bool(lexicon.FUNCTIONS[outer.name].about)
    plain = outer.number is None and outer.when in {"", "A"} and outer.greed in {"", "L"}
    return same and plain


def _passes_nothing(move: nodes.HasinuTerm) -> bool:
    """Whether a move passes over no square: steps, leaps, and functions or lists of these."""
    match move:
        case nodes.Radial(distance=distance):
            return distance.steps == (1,)
        case nodes.Union(terms=terms) if terms:
            return all(_passes_nothing(term) for term in terms)
        case nodes.Call(name=name) if lexicon.kind(name) == "narrowing":
            bound = arguments(move)
            return isinstance(bound, MoveCall) and _passes_nothing(bound.move)
        case _:
            return _is_leap(move)
