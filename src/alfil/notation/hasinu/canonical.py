"""The usual form of a description: `canonical`.

Two descriptions with the same canonical form are the same piece. The other way round does not
hold: equality of pieces is decided on their meaning, never here. The rewriting is a list of small
steps, run over and over until none changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from alfil.movement.nodes import Angle
from alfil.movement.turning import angled, outward
from alfil.notation.hasinu import lexicon, nodes
from alfil.notation.hasinu.calls import short
from alfil.notation.hasinu.checks import idle
from alfil.notation.nodes import Description

Terms: TypeAlias = tuple[nodes.HasinuTerm, ...]
# Functions around a move, outermost first: the name, and the arguments but for the move.
Wrapping: TypeAlias = tuple[tuple[str, tuple[nodes.Argument, ...], int], ...]

# Functions of two moves together that are the functions of each.
_SPREADING = frozenset({"narrowing", "rifle", "timing"})
# The distance n, which holds all others.
_ANY = 0
_LAST = 11
_WITHOUT_LIMIT = lexicon.LARGEST_NUMBER + 1


def canonical(description: Description) -> Description:
    """The description in its usual form; the form of a canonical one is itself."""
    terms = nodes.terms_of(description)
    while True:
        before = terms
        for step in STEPS:
            terms = step(terms)
        if terms == before:
            return replace(description, terms=terms)


def _nodes(change: Callable[[nodes.HasinuTerm], nodes.HasinuTerm]) -> Callable[[Terms], Terms]:
    """A step that changes nodes one by one."""
    return lambda terms: nodes.changed(terms, change)


def _lists(change: Callable[[Sequence[nodes.HasinuTerm]], Terms]) -> Callable[[Terms], Terms]:
    """A step that changes every list of terms: the whole description and what brackets hold."""

    def inner(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
        if not isinstance(term, nodes.Union):
            return term
        terms = change(term.terms)
        return term if terms == term.terms else replace(term, terms=terms)

    return lambda terms: change(nodes.changed(terms, inner))


def ungrouped(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """A group as calls inside calls."""
    return nodes.nested(term) if isinstance(term, nodes.Group) else term


def plain(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """Distances in order, without brackets around one; lists in the layout of the writer."""
    match term:
        case nodes.Radial(distance=distance):
            return _whole_radial(replace(term, distance=_plain_distance(distance)))
        case nodes.Oblique(distance=None):
            return _whole_oblique(term)
        case nodes.Oblique(distance=nodes.Distance() as distance):
            return _whole_oblique(replace(term, distance=_plain_distance(distance)))
        case nodes.Loop(times=times):
            return replace(term, times=_plain_distance(times))
        case _:
            return term


def _plain_distance(distance: nodes.Distance) -> nodes.Distance:
    steps = tuple(sorted(distance.steps))
    return replace(distance, steps=steps, braced=len(steps) > 1)


def without_idle(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """A call without a function that changes nothing about its move."""
    found = idle(term) if isinstance(term, nodes.Call) else None
    return found[1] if found else term


def straight_loop(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """A loop of one step that goes straight on is the step with a distance."""
    match term:
        case nodes.Loop(
            times=times, body=nodes.Bent(legs=(leg,), turns=(nodes.Turn(sixteenths=0),))
        ):
            if isinstance(leg, nodes.Radial) and leg.distance.steps == (1,):
                return replace(leg, distance=times, span=term.span)
            if isinstance(leg, nodes.Oblique) and leg.distance is None:
                return replace(leg, distance=times, span=term.span)
    return term


def without_brackets(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """Brackets that group nothing go: inside a loop, a function, and around a single leg."""
    match term:
        case nodes.Loop(body=nodes.Union() as body):
            return replace(term, body=_bare(body))
        case nodes.Call(arguments=arguments):
            bare = tuple(
                _bare(part) if isinstance(part, nodes.Union) else part for part in arguments
            )
            return term if bare == arguments else replace(term, arguments=bare)
        case nodes.Bent(legs=legs):
            return replace(term, legs=tuple(map(_leg, legs)))
        case _:
            return term


def _bare(union: nodes.Union) -> nodes.HasinuTerm:
    if len(union.terms) == 1:
        return union.terms[0]
    return replace(union, bracketed=False)


def _leg(leg: nodes.HasinuTerm) -> nodes.HasinuTerm:
    match leg:
        case nodes.Union(terms=(nodes.Bent(),)):
            return leg
        case nodes.Union(terms=(inner,)):
            return inner
        case _:
            return leg


def flat(terms: Sequence[nodes.HasinuTerm]) -> Terms:
    """Brackets in a list of terms go."""
    spliced: list[nodes.HasinuTerm] = []
    for term in terms:
        spliced += term.terms if isinstance(term, nodes.Union) else (term,)
    return tuple(spliced)


def once(terms: Sequence[nodes.HasinuTerm]) -> Terms:
    """Each term once."""
    return tuple(dict.fromkeys(terms))


def ordered(terms: Sequence[nodes.HasinuTerm]) -> Terms:
    """Obliques, radials, bent moves, loops, INF, functions, Betza, effects, text, the piece."""
    return tuple(sorted(terms, key=_place))


def _place(term: nodes.HasinuTerm) -> tuple[int, ...]:
    match term:
        case nodes.Oblique(numbers=(p, q), distance=distance):
            return (0, q, p, *_reach(distance), *map(ord, term.octants))
        case nodes.Radial(distance=distance, count=count):
            directions = [list(lexicon.DIRECTIONS.values()).index(step) for step in term.vectors]
            return (1, *_reach(distance), count, *directions)
        case nodes.Bent(legs=legs, turns=turns):
            # The turn between the rounds of a loop belongs at the end of its body.
            return (2,) if len(turns) < len(legs) else (_LAST,)
        case nodes.Loop():
            return (3,)
        case nodes.Call(name=name):
            return (_function_place(name),)
        case nodes.Embedded():
            return (6,)
        case nodes.Text():
            return (8,)
        case _:
            return (5,)


def _reach(distance: nodes.Distance | None) -> tuple[int, int]:
    """The least and the greatest distance; a leap comes first, n last."""
    if distance is None:
        return (0, 0)
    steps = distance.steps or (_WITHOUT_LIMIT,)
    return (min(steps), max(steps))


def _function_place(name: str) -> int:
    function = lexicon.known(name)
    if function is None:
        return 5
    if function.kind == "piece":
        return 10 if function.name == "function" else 9
    return {"squares": 4, "effect": 7}.get(function.kind, 5)


def merged(terms: Sequence[nodes.HasinuTerm]) -> tuple[nodes.HasinuTerm, ...]:
    """The terms with radials that have the same functions around them put together, and obliques.

    The first of those put together says where they stand.
    """
    radials: dict[Wrapping, list[nodes.Radial]] = {}
    obliques: dict[
        tuple[Wrapping, tuple[int, int], nodes.Distance | None], list[nodes.Oblique]
    ] = {}
    for term in terms:
        wrapping, core = _unwrapped(term)
        if isinstance(core, nodes.Radial):
            radials.setdefault(wrapping, []).append(core)
        elif isinstance(core, nodes.Oblique):
            obliques.setdefault((wrapping, core.numbers, core.distance), []).append(core)
    kept: list[nodes.HasinuTerm] = []
    for term in terms:
        wrapping, core = _unwrapped(term)
        if isinstance(core, nodes.Radial):
            kept += [_wrapped(term, move) for move in _joined(radials.pop(wrapping, []))]
        elif isinstance(core, nodes.Oblique):
            group = obliques.pop((wrapping, core.numbers, core.distance), [])
            kept += [_wrapped(term, _united(group))] if group else []
        else:
            kept.append(term)
    return tuple(kept)


def _whole_radial(move: nodes.Radial) -> nodes.Radial:
    """A radial with its list and vectors as the reader gives them."""
    listed, vectors = lexicon.radial(str(move.count), move.listed)
    return replace(move, listed=listed, vectors=vectors)


def _whole_oblique(move: nodes.Oblique) -> nodes.Oblique:
    """An oblique with its numbers, octants and vectors as the reader gives them."""
    p, q = sorted(move.numbers)
    octants = "".join(sorted(set(move.octants)))
    octants = "" if octants == lexicon.OCTANTS else octants
    vectors = lexicon.leaps(p, q, octants)
    return replace(move, numbers=(p, q), octants=octants, vectors=vectors)


def _unwrapped(term: nodes.HasinuTerm) -> tuple[Wrapping, nodes.HasinuTerm]:
    """The functions around a move that may be put around several moves, and the move."""
    wrapping: Wrapping = ()
    while isinstance(term, nodes.Call) and lexicon.kind(term.name) in _SPREADING:
        at, inner = _held(term)
        others = (*term.arguments[:at], *term.arguments[at + 1 :])
        wrapping = (*wrapping, (term.name, others, at))
        term = inner
    return wrapping, term


def _held(call: nodes.Call) -> tuple[int, nodes.HasinuTerm]:
    """The move of a function that needs one, and its place among the arguments."""
    return next((at, part) for at, part in enumerate(call.arguments) if nodes.is_move(part))


def _wrapped(term: nodes.HasinuTerm, move: nodes.Radial | nodes.Oblique) -> nodes.HasinuTerm:
    """The term with another move in place of its own."""
    if not isinstance(term, nodes.Call):
        return move
    at, inner = _held(term)
    arguments = (*term.arguments[:at], _wrapped(inner, move), *term.arguments[at + 1 :])
    return replace(term, arguments=arguments)


def _joined(radials: Sequence[nodes.Radial]) -> Iterator[nodes.Radial]:
    """Radials with nothing said twice: each direction without what n covers, then by directions."""
    directions: dict[int, set[str]] = {}
    for radial in radials:
        for step in radial.distance.steps or (_ANY,):
            named = {name for name, way in lexicon.DIRECTIONS.items() if way in radial.vectors}
            directions.setdefault(step, set()).update(named)
    for step in directions.keys() - {_ANY}:
        directions[step] -= directions.get(_ANY, set())
    together: dict[frozenset[str], list[int]] = {}
    for step in sorted(directions):
        if directions[step] and step != _ANY:
            together.setdefault(frozenset(directions[step]), []).append(step)
    for names, steps in together.items():
        yield _radial(radials[0], tuple(steps), set(names))
    if _ANY in directions:
        yield _radial(radials[0], (), directions[_ANY])


def _radial(like: nodes.Radial, steps: tuple[int, ...], names: set[str]) -> nodes.Radial:
    distance = nodes.Distance(steps, braced=len(steps) > 1, span=like.distance.span)
    return _whole_radial(nodes.Radial(distance, len(names), lexicon.layout(names), span=like.span))


def _united(obliques: Sequence[nodes.Oblique]) -> nodes.Oblique:
    """Obliques of the same numbers and range as one."""
    every = any(not oblique.octants for oblique in obliques)
    octants = "" if every else "".join(oblique.octants for oblique in obliques)
    return _whole_oblique(replace(obliques[0], octants=octants))


def small_turns(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """Between two obliques the smaller of two angles that mean the same octant."""
    match term:
        case nodes.Bent(legs=legs, turns=turns):
            small = [
                _small(turn, before, after)
                for turn, before, after in zip(turns, legs, legs[1:], strict=False)
            ]
            return replace(term, turns=(*small, *turns[len(small) :]))
        case nodes.Loop(body=nodes.Bent(legs=legs, turns=turns) as body) if len(turns) == len(legs):
            last = _small(turns[-1], legs[-1], legs[0])
            return replace(term, body=replace(body, turns=(*turns[:-1], last)))
        case _:
            return term


def _small(turn: nodes.Turn, before: nodes.HasinuTerm, after: nodes.HasinuTerm) -> nodes.Turn:
    both = isinstance(_core(before), nodes.Oblique) and isinstance(_core(after), nodes.Oblique)
    if both and turn.sixteenths and turn.sixteenths % 2 == 0:
        return _turned(turn, turn.sixteenths - 1)
    return turn


def _turned(turn: nodes.Turn, size: int | None) -> nodes.Turn:
    if size is None:
        return nodes.Turn(None, span=turn.span)
    return replace(turn, sixteenths=size, degrees=lexicon.degrees(size))


def _core(leg: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """The move inside the functions around a leg."""
    while isinstance(leg, nodes.Call) and lexicon.kind(leg.name) == "narrowing":
        _, leg = _held(leg)
    return leg


def without_angles(terms: Terms) -> Terms:
    """Angles that allow what no angle allows go; not in loops, where a turn keeps its hand."""
    return tuple([_outward(term) for term in terms])


def _outward(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
    match term:
        case nodes.Bent(legs=legs, turns=turns):
            kept = [
                _turned(turn, None) if _is_default(turn, first, second) else turn
                for turn, first, second in zip(turns, legs, legs[1:], strict=False)
            ]
            inner = tuple([_outward(leg) for leg in legs])
            return replace(term, legs=inner, turns=(*kept, *turns[len(kept) :]))
        case nodes.Union(terms=terms):
            return replace(term, terms=without_angles(terms))
        case nodes.Call(arguments=arguments):
            parts = tuple(_outward(part) if nodes.is_move(part) else part for part in arguments)
            return replace(term, arguments=parts)
        case _:
            return term


def _is_default(turn: nodes.Turn, first: nodes.HasinuTerm, second: nodes.HasinuTerm) -> bool:
    """Whether an angle allows exactly the turns above 0 and up to 90 degrees."""
    before, after = _core(first), _core(second)
    if not (turn.sixteenths and nodes.is_run(before) and nodes.is_run(after)):
        return False
    angle = Angle(turn.sixteenths, lexicon.HANDS[turn.sign])
    return all(
        set(outward(step, after.vectors)) == set(angled(angle, step, after.vectors))
        for step in before.vectors
    )


def grouped(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """Two or more functions of nothing but a move, one inside the other, as a group."""
    if not isinstance(term, nodes.Call) or not _is_bare(term):
        return term
    inner = term.arguments[0]
    name = nodes.Name(term.name, span=term.name_span)
    if isinstance(inner, nodes.Group):
        return nodes.Group((name, *inner.names), inner.body, span=term.span)
    if isinstance(inner, nodes.Call) and _is_bare(inner):
        body = inner.arguments[0]
        if not isinstance(body, nodes.Name | nodes.Number):
            other = nodes.Name(inner.name, span=inner.name_span)
            return nodes.Group((name, other), body, span=term.span)
    return term


def _is_bare(call: nodes.Call) -> bool:
    member = call.name in lexicon.MEMBERS or lexicon.known(call.name) is None
    return member and len(call.arguments) == 1 and nodes.is_move(call.arguments[0])


STEPS: tuple[Callable[[Terms], Terms], ...] = (
    _nodes(short),
    _nodes(ungrouped),
    _nodes(plain),
    _nodes(without_idle),
    _nodes(straight_loop),
    _nodes(without_brackets),
    _lists(flat),
    _lists(merged),
    _lists(once),
    _lists(ordered),
    _nodes(small_turns),
    without_angles,
    _nodes(grouped),
)
