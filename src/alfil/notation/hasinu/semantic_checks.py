"""What the grammar cannot see: what is wrong with a tree, and what changes nothing in it.

`term_errors` looks at every node for itself: numbers, directions, angles and arguments. The builder
has left marks on nodes whose parts do not fit together; for those the text is read once more, to
point at the very sign. `misplacement_errors` goes from the outside in and carries along whether the
move it is at is a leg, and which functions stand around it. `warnings_and_notes` warns of text that
is good, and may not say what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import isinf
from typing import Literal, TypeAlias

from alfil.errors import Diagnostic, MeaningError, plural
from alfil.geometry import Vector
from alfil.movement import nodes as movements
from alfil.movement.nodes import Castling
from alfil.movement.turn_geometry import ANGLE_TOLERANCE_DEGREES, degrees_between, steps_after_angle
from alfil.notation.betza.resolve import resolve_betza
from alfil.notation.hasinu import lexicon, nodes
from alfil.notation.hasinu.function_calls import (
    MoveCall,
    check_arguments,
    number_errors,
    source_text_of,
)
from alfil.notation.hasinu.lexicon import example_directions, make_diagnostic, parse_number
from alfil.notation.hasinu.resolve import angle_of
from alfil.source import Span

Diagnostics: TypeAlias = Iterator[Diagnostic]
TermContext: TypeAlias = Literal["term", "leg", "loop"]

_RADIAL_PATTERN = re.compile(r"(?<![0-9])(?P<count>[0-9]+)\s*d(?P<names>[NESWOD\s-]*)\Z")
_OBLIQUE_PATTERN = re.compile(
    r"(?P<bracket>\(\s*([0-9]+)\s*,\s*([0-9]+)\s*\))(?P<letters>[a-h]*)\Z"
)
_RIDER_PATTERN = re.compile(r"n[0-9]+d[NESWOD]*")
_DIRECTION_NAME = re.compile(r"NE|NW|SE|SW|[NESWOD]")
_NUMBER_PATTERN = re.compile(r"[0-9]+")
_HINT_TO_SEPARATE = {"leg": "give it a term of its own", "loop": "take it out of the loop"}


def term_errors(terms: Sequence[nodes.HasinuTerm], text: str) -> list[Diagnostic]:
    """All errors of the tree that its shape allows, in no particular order."""
    diagnostics: list[Diagnostic] = []
    bodies: dict[int, nodes.HasinuTerm] = {}
    declared: set[str] = set()
    for node in nodes.walk(terms):
        match node:
            case nodes.Bent():
                diagnostics += _bent_errors(node, text, bodies.get(id(node)))
            case nodes.Loop(times=times, body=body):
                bodies[id(_last_term(body))] = body
                diagnostics += _distance_errors(times, text)
            case nodes.Call():
                diagnostics += _call_errors(node, text, declared)
            case nodes.Group():
                diagnostics += _function_group_errors(node, text)
            case nodes.Text() | nodes.Radial() | nodes.Oblique():
                diagnostics += _move_errors(node, text)
            case _:
                continue
    return [*diagnostics, *_contradicting_count_errors(terms)]


# What a piece is in one way only.
FACTS_STATED_ONCE = frozenset({"royal", "sz"})
# Conditions that count the moves of a piece.
MOVE_COUNT_CONDITIONS = frozenset({"atmove", "ataction"})


def _contradicting_fact_errors(terms: Sequence[nodes.HasinuTerm]) -> Diagnostics:
    """What is said of the piece as a whole twice, in two ways."""
    first: dict[str, object] = {}
    for call in (term for term in terms if isinstance(term, nodes.Call)):
        flags = {each.text for each in nodes.arguments_of_type(call.arguments, nodes.Name)} - {"A"}
        numbers = [each.value for each in nodes.arguments_of_type(call.arguments, nodes.Number)]
        fact_key = (flags, numbers[:1], numbers[-1:])
        if call.name in FACTS_STATED_ONCE and first.setdefault(call.name, fact_key) != fact_key:
            yield make_diagnostic("otherwise", call.span, name=call.name)


def _contradicting_count_errors(terms: Sequence[nodes.HasinuTerm]) -> Diagnostics:
    """Moves under two counts of the piece's own moves that never hold together."""
    calls = (node for node in nodes.walk(terms) if isinstance(node, nodes.Call))
    for outer in calls:
        for inner in nodes.walk(nodes.moves_in(outer.arguments)):
            if isinstance(inner, nodes.Call) and _are_exclusive_counts(
                _move_count_condition(outer), _move_count_condition(inner)
            ):
                yield make_diagnostic(
                    "never-due", inner.name_span, name=inner.name, other=outer.name
                )


def _move_count_condition(call: nodes.Call) -> tuple[str, int] | None:
    """Which of its own moves a call allows, None where it counts none."""
    if call.name not in MOVE_COUNT_CONDITIONS or nodes.Name(lexicon.TURN_KEYWORD) in call.arguments:
        return None
    numbers = nodes.arguments_of_type(call.arguments, nodes.Number)
    return (call.name, numbers[0].value) if numbers and numbers[0].value else None


def _are_exclusive_counts(one: tuple[str, int] | None, other: tuple[str, int] | None) -> bool:
    """Whether two counts never hold together: k-th moves, and every k-th ones."""
    if one is None or other is None or {one[0], other[0]} == {"ataction"}:
        return False
    if one[0] == other[0]:
        return one != other
    (_, move), (_, every) = (one, other) if one[0] == "atmove" else (other, one)
    return bool(move % every)


def _last_term(body: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """The term a loop's body ends in, which may end in a turn.

    The turn is that term's, for a turn binds tighter than &. Brackets inside the body are no end of
    the body itself.
    """
    if isinstance(body, nodes.Union) and not body.bracketed and body.terms:
        return body.terms[-1]
    return body


def _move_errors(node: nodes.Text | nodes.Radial | nodes.Oblique, text: str) -> Diagnostics:
    match node:
        case nodes.Text(words=""):
            yield make_diagnostic("empty-text", node.span)
        case nodes.Radial(vectors=()):
            yield from _radial_errors(node, text)
        case nodes.Oblique(vectors=()):
            yield from _oblique_errors(node, text)
        case _:
            return


def _distance_errors(distance: nodes.Distance, text: str) -> Diagnostics:
    """What is wrong with a distance, a set of them, or a number of repetitions."""
    if distance.steps != nodes.INVALID_STEPS:
        return
    seen: set[int] = set()
    for match in _NUMBER_PATTERN.finditer(text, *distance.span):
        span = Span(*match.span())
        number = parse_number(match[0].lstrip("0") or "0")
        if not number:
            yield make_diagnostic("distance-zero", span)
        elif wrong := number_errors(match[0], span, "n is any distance"):
            yield from wrong
        elif number in seen:
            yield make_diagnostic("same-distance", span, number=number)
        seen.add(number)


def _radial_errors(radial: nodes.Radial, text: str) -> Diagnostics:
    yield from _distance_errors(radial.distance, text)
    match = _RADIAL_PATTERN.search(text[: radial.span.end], radial.span.start)
    if match is None:
        return
    count = Span(*match.span("count"))
    names = [
        (each[0], Span(*each.span()))
        for each in _DIRECTION_NAME.finditer(text, *match.span("names"))
    ]
    number = parse_number(match["count"])
    if not 1 <= number <= len(lexicon.DIRECTIONS):
        before = text[radial.span.start : count.start].strip()
        yield make_diagnostic("direction-count", count, before=before)
        return
    if wrong := number_errors(match["count"], count):
        yield from wrong
        return
    repeated = list(_repeated_direction_errors(names))
    yield from repeated
    if not repeated and not lexicon.radial_steps(match["count"], tuple(name for name, _ in names)):
        yield _direction_count_mismatch(radial, count, names, text)


def _repeated_direction_errors(names: list[tuple[str, Span]]) -> Diagnostics:
    """Directions named twice, directly or through O and D."""
    owner: dict[str, str] = {}
    for name, span in names:
        directions = lexicon.DIRECTION_GROUPS.get(name, (name,))
        first = next((owner[direction] for direction in directions if direction in owner), None)
        if first == name:
            yield make_diagnostic("same-direction", span, name=name)
        elif first in lexicon.DIRECTION_GROUPS:
            yield make_diagnostic("within-direction", span, name=name, first=first)
        elif first:
            yield make_diagnostic("around-direction", span, name=name, first=first)
        owner = dict.fromkeys(directions, name) | owner


def _direction_count_mismatch(
    radial: nodes.Radial, count: Span, names: list[tuple[str, Span]], text: str
) -> Diagnostic:
    """A count that the directions do not bear out; points at the count, then at the list."""
    direction_count = sum(len(lexicon.DIRECTION_GROUPS.get(name, (name,))) for name, _ in names)
    before = text[radial.span.start : count.start].strip()
    after = text[count.end : radial.span.end].strip()
    number = parse_number(text[count.start : count.end])
    promised = f"{number} {plural('direction', number)} promised"
    if not names:
        expected_text = f"{before}{number}d{example_directions(number)}"
        return make_diagnostic(
            "no-directions", count, promised=promised, named=expected_text, before=before
        )
    short = names[0][0] if len(names) == 1 else ""
    meant = (
        f"{short} is {'-'.join(lexicon.DIRECTION_GROUPS[short])}, "
        if short in lexicon.DIRECTION_GROUPS
        else ""
    )
    list_span, instead = names[0][1].to(names[-1][1]), f"{before}{direction_count}{after}"
    put = {"promised": promised, "given": direction_count, "meant": meant, "instead": instead}
    return make_diagnostic("other-directions", count, list_span, **put)


def _oblique_errors(oblique: nodes.Oblique, text: str) -> Diagnostics:
    if oblique.distance:
        yield from _distance_errors(oblique.distance, text)
    match = _OBLIQUE_PATTERN.search(text[: oblique.span.end], oblique.span.start)
    if match is None:
        return
    numbers = [wrong for at in (2, 3) for wrong in number_errors(match[at], Span(*match.span(at)))]
    yield from numbers
    p, q = sorted((parse_number(match[2]), parse_number(match[3])))
    if not numbers and p in (0, q):
        wrong = "not-oblique" if q else "no-vector"
        instead = _radial_notation_of_leap(p, q, oblique.distance)
        yield make_diagnostic(wrong, Span(*match.span("bracket")), instead=instead)
    seen: set[str] = set()
    for at, letter in enumerate(match["letters"], match.start("letters")):
        if letter in seen:
            yield make_diagnostic("same-octant", Span(at, at + 1), letter=letter)
        seen.add(letter)


def _radial_notation_of_leap(p: int, q: int, distance: nodes.Distance | None) -> str:
    """How a straight vector is written."""
    four = "D" if p else "O"
    leap = f"{q}×4d{four}" if q == 1 else f"j({q}×4d{four})"
    if distance is None:
        return leap
    if q == 1 and not distance.steps:
        return f"n4d{four}"
    times = ",".join(map(str, distance.steps))
    return f"{f'{{{times}}}' if times else 'n'}({leap} &t0°)"


def _bent_errors(bent: nodes.Bent, text: str, body: nodes.HasinuTerm | None) -> Diagnostics:
    """What is wrong with the turns of a bent move; ``body`` is that of the loop it ends, if any."""
    following = (*bent.legs[1:], body)
    for turn, before, after in zip(bent.turns, bent.legs, following, strict=False):
        if turn.sixteenths == nodes.INVALID_TURN:
            yield make_diagnostic(
                "wide-angle",
                _angle_span(turn, text),
                instead=_equivalent_smaller_turn(turn, float(turn.degrees)),
            )
        elif turn.sixteenths is None and turn.degrees:
            yield from angle_errors(
                turn.degrees,
                _angle_span(turn, text),
                _possible_vectors(before),
                _possible_vectors(after) if after else None,
            )
    if len(bent.turns) == len(bent.legs) and body is None:
        start = bent.turns[-1].span.start
        yield make_diagnostic("last-turn", Span(start, start + len("&t")))


def _angle_span(turn: nodes.Turn, text: str) -> Span:
    """Where the angle of a turn stands."""
    written = text[turn.span.start + len("&t") : turn.span.end]
    return Span(turn.span.end - len(written.lstrip()), turn.span.end)


def _possible_vectors(term: nodes.HasinuTerm) -> set[Vector] | None:
    """All directions that a leg may take, None where its functions or its Betza may have others."""
    result: set[Vector] = set()
    for node in nodes.walk((term,)):
        match node:
            case nodes.Radial(vectors=vectors) | nodes.Oblique(vectors=vectors):
                result.update(vectors)
            case nodes.Embedded():
                return None
            case nodes.Call(name=name) if lexicon.function_kind(name) in {"foreign", "squares"}:
                return None
            case _:
                continue
    return result


def angle_errors(
    degrees: str, span: Span, before: set[Vector] | None, after: set[Vector] | None
) -> Diagnostics:
    """An angle off the compass rose that no direction of the next leg has; names the nearest.

    Nothing is said where the directions of a leg are not known: None.
    """
    if not before or not after:
        return
    size = float(degrees)
    angles = {round(abs(degrees_between(one, two)), 2) for one in before for two in after}
    if all(abs(each - size) > ANGLE_TOLERANCE_DEGREES for each in angles):
        near = sorted(angles, key=lambda each: abs(each - size))[:2]
        one, *more = (f"{each:g}°" for each in sorted(near))
        yield make_diagnostic(
            "two-angles" if more else "odd-angle", span, one=one, other="".join(more)
        )


def _equivalent_smaller_turn(turn: nodes.Turn, size: float) -> str:
    """The turn on the grid nearest to one of more than 180 degrees, which goes the other way."""
    if isinf(size):
        return "&t180°"
    whole = 2 * lexicon.HALF_TURN
    eighths = round(size / lexicon.DEGREES_PER_SIXTEENTH) % whole
    back = eighths > lexicon.HALF_TURN
    sign = {"+": "-", "-": "+"}.get(turn.sign, "") if back else turn.sign
    return f"&t{sign}{lexicon.degrees_text(whole - eighths if back else eighths)}°"


def _call_errors(call: nodes.Call, text: str, declared: set[str]) -> Diagnostics:
    bound = check_arguments(call, text)
    match bound:
        case list():
            yield from bound
        case nodes.Call("function", (nodes.Name(text=name), *_)):
            if name in declared:
                yield make_diagnostic("declared", call.arguments[0].span, name=name)
            declared.add(name)
        case MoveCall(name="j", move=move) if len(call.arguments) > 1 and _is_leap(move):
            yield make_diagnostic("leap-over", call.span, move=source_text_of(text, move))
        case _:
            return


def _function_group_errors(group: nodes.Group, text: str) -> Diagnostics:
    for name in group.names:
        function = lexicon.builtin_function(name.text)
        if function is None and _RIDER_PATTERN.fullmatch(name.text):
            yield make_diagnostic("group-leg", name.span, outer=group.names[0].text, name=name.text)
        if function is None or function.name in lexicon.GROUPABLE_FUNCTIONS:
            continue
        others = [other.text for other in group.names if other is not name]
        inner = source_text_of(text, group.body)
        if others:
            inner = (
                f"{others[0]}({inner})"
                if len(others) == 1
                else f"group({','.join(others)})({inner})"
            )
        if function.kind == "timing":
            yield make_diagnostic("group-number", name.span, name=name.text, inner=inner)
        else:
            usage = lexicon.USAGE_BY_FUNCTION[name.text]
            yield make_diagnostic("group-fact", name.span, name=name.text, usage=usage, inner=inner)


@dataclass(frozen=True, slots=True)
class _EnclosingFunctions:
    """What stands around a node: the functions of where it ends, and of the way there.

    ``names`` has the span of each function's name. ``function`` is the innermost function. A leg
    is ``early`` where another one follows it, so that the move need not end there.
    """

    place: TermContext = "term"
    early: bool = False
    function: str = ""
    names: dict[str, Span] = field(default_factory=dict)

    def functions_about_way(self) -> dict[str, Span]:
        """The functions that speak of the way, and not of the end."""
        named = self.names.items()
        return {name: span for name, span in named if lexicon.FUNCTIONS[name].about == "way"}


def misplacement_errors(terms: Sequence[nodes.HasinuTerm]) -> list[Diagnostic]:
    """Errors about what may not stand where it does."""
    diagnostics: list[Diagnostic] = []
    stack: list[tuple[nodes.Argument, _EnclosingFunctions]] = [
        (term, _EnclosingFunctions()) for term in reversed(terms)
    ]
    while stack:
        node, around = stack.pop()
        match node:
            case nodes.Union():
                # A function that leaves one of several moves nothing may leave the others some.
                each = replace(around, names=around.functions_about_way())
                stack += [(part, each) for part in node.terms]
            case nodes.Bent():
                place: TermContext = "loop" if around.place == "loop" else "leg"
                names = around.names if len(node.legs) == 1 else around.functions_about_way()
                last = len(node.legs) - 1
                stack += [
                    (leg, _EnclosingFunctions(place, early=around.early or at < last, names=names))
                    for at, leg in enumerate(node.legs)
                ]
            case nodes.Loop():
                stack.append((node.body, replace(around, place="loop", function="")))
            case nodes.Call() | nodes.Group():
                wrong, below = _function_errors_and_inner_moves(node, around)
                diagnostics += wrong
                stack += below
            case nodes.Embedded() | nodes.Text():
                diagnostics += _embedded_and_text_errors(node, around)
            case _:
                continue
    return diagnostics


def _function_errors_and_inner_moves(
    node: nodes.Call | nodes.Group, around: _EnclosingFunctions
) -> tuple[list[Diagnostic], list[tuple[nodes.Argument, _EnclosingFunctions]]]:
    """Errors of the functions of a node, and what is inside with what then stands around it."""
    if isinstance(node, nodes.Group):
        called = [(name.text, name.span) for name in node.names]
        moves: Sequence[nodes.HasinuTerm] = (node.body,)
    else:
        called = [(lexicon.FUNCTION_ALIASES.get(node.name, node.name), node.name_span)]
        moves = nodes.moves_in(node.arguments)
    diagnostics = [
        wrong for name, _ in called for wrong in _wrong_context_error(node, name, around)
    ][:1]
    place: TermContext = "term" if diagnostics else around.place
    inner = _EnclosingFunctions(place, around.early, called[-1][0], dict(around.names))
    for name, span in called:
        function = lexicon.builtin_function(name)
        if function is not None and function.about:
            diagnostics += _clash_errors(function, inner)
            if name == "rpg":
                # What may not capture does so on its way in a rampage.
                inner.names.pop("c", None)
            inner.names.setdefault(function.name, span)
    if lexicon.function_kind(inner.function) == "piece":
        inner = _EnclosingFunctions()
    return diagnostics, [(move, inner) for move in moves]


def _clash_errors(function: lexicon.Function, around: _EnclosingFunctions) -> Diagnostics:
    """A function and one around it that leave nothing of each other.

    A leg on which no move ends is one that is only passed.
    """
    other = next((name for name in function.clashes if name in around.names), None)
    if other is None or (function.about == "end" and around.early):
        return
    if function.about == "end":
        yield make_diagnostic("never", around.names[other], name=function.name, other=other)
    else:
        yield make_diagnostic("cancel", around.names[other])


def _wrong_context_error(
    node: nodes.Call | nodes.Group, name: str, around: _EnclosingFunctions
) -> Diagnostics:
    """A function that makes no leg where a leg is due, or no move where a move is due."""
    kind = lexicon.function_kind(name)
    whole = around.place == "term"
    if kind in {"foreign", "narrowing", "squares"} or (
        whole and (kind != "piece" or not around.function)
    ):
        return
    if (
        kind == "rampage"
        and around.place == "leg"
        and not (isinstance(node, nodes.Call) and nodes.Name("G") in node.arguments)
    ):
        return
    reason = {
        "piece": f"{name}() describes the piece",
        "timing": f"{name}() says when a whole term is legal",
        "effect": f"{name}() is no move",
        "rifle": "a rifle capture ends at home",
        "rampage": "which rounds or stops are the farthest is not settled",
    }[kind]
    instead = _HINT_TO_SEPARATE.get(around.place, f"take it out of {around.function}()")
    yield make_diagnostic("no-leg", node.span, reason=reason, instead=instead)


def _embedded_and_text_errors(
    node: nodes.Embedded | nodes.Text, around: _EnclosingFunctions
) -> Diagnostics:
    """Text is a whole term; so is Betza that says when it may move, or what it leaves behind."""
    if around.place == "term":
        return
    if isinstance(node, nodes.Text):
        yield make_diagnostic("text-leg", node.span, instead=_HINT_TO_SEPARATE[around.place])
        return
    with suppress(MeaningError):
        for option in resolve_betza(node.betza).options:
            if option.when or option.passer or isinstance(option.way, Castling):
                yield make_diagnostic(
                    "betza-leg", node.span, instead=_HINT_TO_SEPARATE[around.place]
                )
                return


def _is_leap(term: nodes.HasinuTerm) -> bool:
    """Whether a move passes over nothing: oblique leaps, those of INF, and functions of these."""
    for node in nodes.walk((term,)):
        match node:
            case nodes.Oblique(distance=None | nodes.Distance(steps=(1,))):
                continue
            case nodes.Call(name=name) if lexicon.function_kind(name) == "narrowing":
                continue
            case nodes.Call(arguments=arguments) if lexicon.function_kind(node.name) == "squares":
                if not {nodes.Name(lexicon.STEPS), nodes.Name(lexicon.LION)}.isdisjoint(arguments):
                    return False
            case nodes.Number() | nodes.Name() | nodes.Union() | nodes.Group():
                continue
            case _:
                return False
    return True


def _has_only_radial_moves(term: nodes.HasinuTerm) -> bool:
    """Whether a move consists of radial moves only, which never jump."""
    held = list(nodes.walk((term,)))
    others = any(isinstance(node, nodes.Oblique | nodes.Embedded | nodes.Text) for node in held)
    return any(isinstance(node, nodes.Radial) for node in held) and not (others or _inf_calls(held))


def _inf_calls(arguments: Iterable[nodes.Argument]) -> list[nodes.Call]:
    calls = (node for node in arguments if isinstance(node, nodes.Call))
    return [call for call in calls if lexicon.function_kind(call.name) == "squares"]


def warnings_and_notes(terms: Sequence[nodes.HasinuTerm]) -> list[Diagnostic]:
    """All warnings and notes about a tree without errors, in no particular order."""
    diagnostics = list(_sibling_warnings(terms))
    diagnostics += _ambiguous_inf_notes(_inf_calls(nodes.walk(terms)))
    diagnostics += [
        *_uncompilable_move_warnings(terms),
        *_alternative_reading_notes(terms),
        *_impossible_turn_warnings(terms),
    ]
    diagnostics += _contradicting_fact_errors(terms)
    for node in nodes.walk(terms):
        match node:
            case nodes.Union(terms=inside):
                diagnostics += _sibling_warnings(inside)
            case nodes.Loop(
                times=nodes.Distance(steps=()), body=nodes.Oblique((_, _, *_), distance=None)
            ):
                diagnostics.append(make_diagnostic("free-loop", node.span))
            case nodes.Call("promote", (condition, *_)) if _states_only_facts(condition):
                diagnostics.append(make_diagnostic("never-promotes", condition.span))
            case nodes.Call():
                diagnostics += _effect_on_nothing_warnings(node)
                idle = _call_without_effect(node)
                if idle:
                    span = node.span if idle is node else idle.name_span
                    diagnostics.append(_no_effect_warning(idle, span))
            case nodes.Group():
                diagnostics += _function_group_warnings(node)
            case _:
                continue
    return diagnostics


def _ambiguous_inf_notes(inf_calls: Sequence[nodes.Call]) -> Diagnostics:
    """A note where INF is not told how it reaches its squares, once."""
    for call in inf_calls:
        if not nodes.arguments_of_type(call.arguments, nodes.Name):
            x, y = (
                number.value for number in nodes.arguments_of_type(call.arguments, nodes.Number)
            )
            yield make_diagnostic("leaps-only", call.name_span, numbers=f"{x}, {y}")
            return


def _impossible_turn_warnings(terms: Sequence[nodes.HasinuTerm]) -> Diagnostics:
    """Turns by which no direction of the leg before leads to one of the next leg."""
    for bent in nodes.walk(terms):
        if not isinstance(bent, nodes.Bent):
            continue
        for turn, before, after in zip(bent.turns, bent.legs, bent.legs[1:], strict=False):
            ways, goals = _possible_vectors(before), tuple(_possible_vectors(after) or ())
            if (
                ways
                and goals
                and not any(steps_after_angle(angle_of(turn), way, goals) for way in ways)
            ):
                yield make_diagnostic("nowhere", turn.span)


def _alternative_reading_notes(terms: Sequence[nodes.HasinuTerm]) -> Diagnostics:
    """Notes where the published page could be read in another way (docs/hasinu_page.md)."""
    for node in nodes.walk(terms):
        match node:
            case nodes.Call("atmove", (nodes.Number(value=number), _)) if number > 1:
                yield make_diagnostic("as-kth", node.name_span, number=number)
            case nodes.Bent((nodes.Radial() as first, nodes.Radial() as then), (turn,)):
                lines = [lexicon.direction_count_and_list(leg.vectors) for leg in (first, then)]
                endless = not first.distance.steps and not then.distance.steps
                if lines == ["4dO", "4dD"] and endless and turn.sixteenths is None:
                    yield make_diagnostic("as-rook", node.span)
            case nodes.Call("j", (nodes.Call("j", inner), *rest)):
                if nodes.arguments_of_type(inner, nodes.Number) and nodes.arguments_of_type(
                    rest, nodes.Number
                ):
                    yield make_diagnostic("adding", node.name_span)
            case _:
                continue


def _uncompilable_move_warnings(terms: Sequence[nodes.HasinuTerm]) -> Diagnostics:
    """Warnings about moves that no table can hold, beside others that it does."""
    calls = [node for node in nodes.walk(terms) if isinstance(node, nodes.Call)]
    declared_names = (
        nodes.arguments_of_type(call.arguments, nodes.Name)
        for call in calls
        if call.name == "function"
    )
    declared = {names[0].text for names in declared_names}
    # What stands in promote() and fe() names a piece.
    stack = list(terms)[::-1] if len(terms) > 1 else []
    while stack:
        match stack.pop():
            case nodes.Text() as words:
                yield make_diagnostic("words-alone", words.span)
            case nodes.Call() as call if lexicon.function_kind(call.name) not in {
                "piece",
                "foreign",
            }:
                stack += nodes.moves_in(call.arguments)[::-1]
            case nodes.Call() as call if call.name in declared:
                yield make_diagnostic("no-handler", call.name_span, name=call.name)
            case nodes.Union(terms=inside) | nodes.Bent(legs=inside):
                stack += inside[::-1]
            case nodes.Loop(body=body):
                stack.append(body)
            case nodes.Group() as group:
                stack.append(nodes.as_nested_calls(group))
            case _:
                continue


def _sibling_warnings(terms: Sequence[nodes.HasinuTerm]) -> Diagnostics:
    """Warnings about terms side by side."""
    seen: set[nodes.HasinuTerm] = set()
    radial = early = False
    for term in terms:
        if nodes.is_error_placeholder(term):
            continue
        if term in seen:
            yield make_diagnostic("same-term", term.span)
        seen.add(term)
        if isinstance(term, nodes.Oblique) and radial and not early:
            yield make_diagnostic("oblique-late", term.span)
            early = True
        radial = radial or isinstance(term, nodes.Radial)


def _states_only_facts(term: nodes.Argument) -> bool:
    """Whether a term says what a piece is or does to others, and no move."""
    match term:
        case nodes.Union(terms=terms):
            return all(map(_states_only_facts, terms))
        case nodes.Call(name=name):
            return lexicon.function_kind(name) in {"piece", "effect"}
        case _:
            return False


def _function_group_warnings(group: nodes.Group) -> Diagnostics:
    if len(group.names) == 1:
        yield make_diagnostic("one-function", group.span, name=group.names[0].text)
    for node in nodes.walk((nodes.as_nested_calls(group),)):
        if node is group.body:
            return
        idle = _call_without_effect(node) if isinstance(node, nodes.Call) else None
        if idle:
            yield _no_effect_warning(idle, idle.name_span)


def _no_effect_warning(call: nodes.Call, span: Span) -> Diagnostic:
    timed = lexicon.function_kind(call.name) == "timing"
    idle = "idle-turn" if nodes.Name(lexicon.TURN_KEYWORD) in call.arguments else "idle-time"
    return make_diagnostic(idle if timed else "idle", span, name=call.name)


def _effect_on_nothing_warnings(call: nodes.Call) -> Diagnostics:
    """An effect on whatever could be captured in a range in which nothing could be."""
    bound = check_arguments(call) if call.name in {"burn", "im"} else None
    if isinstance(bound, MoveCall) and not _may_capture(bound.move):
        yield make_diagnostic("idle-range", call.span, name=call.name)


def _may_capture(term: nodes.HasinuTerm) -> bool:
    """Whether a move may capture, as far as its text tells."""
    match term:
        case nodes.Call():
            bound = check_arguments(term)
            return not isinstance(bound, MoveCall) or (
                bound.name != "m" and _may_capture(bound.move)
            )
        case nodes.Group():
            return _may_capture(nodes.as_nested_calls(term))
        case nodes.Union(terms=parts) | nodes.Bent(legs=parts):
            return any(map(_may_capture, parts))
        case nodes.Loop(body=body):
            return _may_capture(body)
        case nodes.Embedded(betza=betza):
            with suppress(MeaningError):
                return any(_is_capturing_leg(node) for node in movements.walk(resolve_betza(betza)))
            return True
        case _:
            return True


def _is_capturing_leg(node: object) -> bool:
    if not isinstance(node, movements.Leg):
        return False
    return any(end not in {"empty", "away"} for end in node.ends) or any(
        each.startswith("take") for each in node.through
    )


def _call_without_effect(call: nodes.Call) -> nodes.Call | None:
    """The call that changes nothing: a function, or the one directly inside it."""
    match check_arguments(call):
        case nodes.Call("ataction", (nodes.Number(value=1), move)) if nodes.is_move(move):
            return call
        case nodes.Call("atmove", (nodes.Number(value=1), _, nodes.Name())):
            return call
        case MoveCall() as bound if _has_no_effect(bound):
            return call
        case MoveCall(move=nodes.Call() as inner) as bound if _is_redundant_inside(bound, inner):
            return inner
        case _:
            return None


def _has_no_effect(bound: MoveCall) -> bool:
    match bound:
        case MoveCall(name="nj"):
            return _has_only_radial_moves(bound.move)
        # A rampage that spares no friends may end on one, and a single step may not.
        case MoveCall(name="j") | MoveCall(name="rpg", side="E"):
            return _passes_no_square(bound.move)
        case _:
            return False


def _is_redundant_inside(outer: MoveCall, inner: nodes.Call) -> bool:
    """Whether an inner function adds nothing to the one directly around it."""
    bound = check_arguments(inner)
    if not isinstance(bound, MoveCall):
        return False
    names = outer.name, bound.name
    if names == ("i", "c") or (names == ("m", "rpg") and bound.greed == "L"):
        return True
    if names == ("i", "i"):
        # The outer one says whom it captures, and the inner one where it could.
        return bound.when == "A"
    # Twice is the same as once, but counts add up, and what happens on the enemy's action is data
    # of its own.
    same = replace(bound, move=outer.move) == outer and bool(lexicon.FUNCTIONS[outer.name].about)
    plain = outer.number is None and outer.when in {"", "A"} and outer.greed in {"", "L"}
    return same and plain


def _passes_no_square(move: nodes.HasinuTerm) -> bool:
    """Whether a move passes over no square: steps, leaps, and functions or lists of these."""
    match move:
        case nodes.Radial(distance=distance):
            return distance.steps == (1,)
        case nodes.Union(terms=terms) if terms:
            return all(_passes_no_square(term) for term in terms)
        case nodes.Call(name=name) if lexicon.function_kind(name) == "narrowing":
            bound = check_arguments(move)
            return isinstance(bound, MoveCall) and _passes_no_square(bound.move)
        case _:
            return _is_leap(move)
