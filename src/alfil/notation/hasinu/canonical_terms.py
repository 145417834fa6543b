"""The usual form of moves that a translation has found: `canonical_terms`.

Moves made from a movement or from rows have their directions and flags in the layout of the writer
already, and nothing around them but functions. Here they are put together and in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import TypeAlias

from alfil.geometry import COMPASS, Vector, base_vector
from alfil.movement.nodes import ONE_STEP
from alfil.notation.hasinu import lexicon, nodes
from alfil.notation.hasinu.spell import make_distance, make_oblique, make_radial

Terms: TypeAlias = tuple[nodes.HasinuTerm, ...]
# Functions around a move, outermost first: the name, and the arguments but for the move.
WrapperFunctions: TypeAlias = tuple[tuple[str, tuple[nodes.Argument, ...]], ...]

# Functions of two moves together that are the functions of each; what goes as far as it can is not.
_DISTRIBUTIVE_FUNCTION_KINDS = frozenset({"narrowing", "rifle", "timing", "rampage"})
_GREEDY_FLAG = nodes.Name("G")
# The distance n, which holds all others.
_ANY_DISTANCE = 0


def canonical_terms(terms: Iterable[nodes.HasinuTerm]) -> Terms:
    """The same moves with nothing said twice, in the usual order.

    >>> from alfil.notation.hasinu.reader import read_hasinu
    >>> from alfil.notation.hasinu.writer import write_hasinu
    >>> from alfil.notation.description import Description
    >>> from alfil.source import Source
    >>> def usual(text):
    ...     terms = read_hasinu(Source(text))[0].terms
    ...     return write_hasinu(Description(canonical_terms(terms), "hasinu"))
    >>> usual("1×8d & 2(1×8d) & m(1×1dN) & atmove(1,m({1,2}×1dN))")
    '{1,2}(1×8d) & m(1×1dN) & atmove(1,m(2×1dN))'
    >>> usual("n4dO & 1×8d & (1,2)ab & m(j(2×4dD)) & (1,2)cd")
    '(1,2)abcd & 1×4dD & n4dO & group(m,j)(2×4dD)'
    >>> usual("n4dO & 999×4dD")
    '999×4dD & n4dO'
    """
    result = _merge_loops_with_single_rounds(
        _without_redundant_first_moves(tuple(dict.fromkeys(terms)))
    )
    return nodes.map_terms(sorted(_merge_terms(result), key=_term_sort_key), _nested_calls_as_group)


def _split_wrappers(term: nodes.HasinuTerm) -> tuple[WrapperFunctions, nodes.HasinuTerm]:
    """The functions around a move that may be put around several moves, and the move."""
    wrapping: WrapperFunctions = ()
    while (
        isinstance(term, nodes.Call)
        and lexicon.function_kind(term.name) in _DISTRIBUTIVE_FUNCTION_KINDS
        and _GREEDY_FLAG not in term.arguments
    ):
        (move,) = nodes.moves_in(term.arguments)
        others = tuple(each for each in term.arguments if each is not move)
        wrapping, term = (*wrapping, (term.name, others)), move
    return wrapping, term


def _with_innermost_move(term: nodes.HasinuTerm, move: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """The term with another move inside its functions."""
    _, core = _split_wrappers(term)
    (wrapped,) = nodes.map_terms((term,), lambda node: move if node is core else node)
    return wrapped


def _without_redundant_first_moves(terms: Terms) -> Iterator[nodes.HasinuTerm]:
    """First moves without the distances that the piece may go anyway; none where none are left."""
    every = [_split_wrappers(term) for term in terms]
    for term, (wrapping, run) in zip(terms, every, strict=True):
        timed = any(name == "atmove" for name, _ in wrapping[:1])
        if not timed or not isinstance(run, nodes.Radial):
            yield term
            continue
        inside = wrapping[1:]
        # Only m and c narrow how a move may end, so only they may be missing.
        wider = inside[1:] if inside[:1] in {(("m", ()),), (("c", ()),)} else inside
        usual = [each for around, each in every if around in {inside, wider}]
        steps = run.distance.steps
        new = tuple(
            step
            for step in steps
            if not any(_is_within_usual_range(each, run, step) for each in usual)
        )
        if new or not steps:
            yield (
                term if new == steps else _with_innermost_move(term, make_radial(run.vectors, new))
            )


def _is_within_usual_range(usual: nodes.HasinuTerm, run: nodes.Radial, step: int) -> bool:
    """Whether a radial move goes that far in all directions of another one."""
    if not isinstance(usual, nodes.Radial):
        return False
    far = not usual.distance.steps or step in usual.distance.steps
    return far and set(run.vectors) <= set(usual.vectors)


def _merge_loops_with_single_rounds(terms: Iterable[nodes.HasinuTerm]) -> list[nodes.HasinuTerm]:
    """One loop for all that repeat the same, which takes in the single round beside it."""
    terms_kept = list(terms)
    for loop in [term for term in terms_kept if isinstance(term, nodes.Loop) and term.times.steps]:
        once = _loop_body_once(loop.body)
        if loop not in terms_kept or once not in terms_kept:
            continue
        alike = [
            each for each in terms_kept if isinstance(each, nodes.Loop) and each.body == loop.body
        ]
        rounds = [each for each in alike if each.times.steps]
        times = tuple(sorted({1, *(step for each in rounds for step in each.times.steps)}))
        joined: nodes.HasinuTerm = nodes.Loop(make_distance(times), loop.body)
        if isinstance(loop.body, nodes.Bent) and once is not loop.body and times == (1, 2):
            joined = nodes.Bent((once, once), loop.body.turns)
        terms_kept = [*(each for each in terms_kept if each not in rounds and each != once), joined]
    return terms_kept


def _loop_body_once(body: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """What a loop does once: its body without the turn to the next round."""
    match body:
        case nodes.Bent((leg,), (_,)):
            return leg
        case _:
            return body


def _merge_terms(terms: Iterable[nodes.HasinuTerm]) -> Iterator[nodes.HasinuTerm]:
    """Radials that have the same functions around them put together, and obliques of one shape."""
    alike: dict[object, list[nodes.HasinuTerm]] = {}
    for term in terms:
        match _split_wrappers(term):
            case wrapping, nodes.Radial():
                alike.setdefault(wrapping, []).append(term)
            case wrapping, nodes.Oblique(vectors=vectors, distance=times):
                alike.setdefault((wrapping, base_vector(vectors[0]), times), []).append(term)
            case _:
                alike.setdefault(term, []).append(term)
    for first, *others in alike.values():
        moves = [_split_wrappers(term)[1] for term in (first, *others)]
        yield from (_with_innermost_move(first, move) for move in _merge_moves(moves))


def _merge_moves(moves: Sequence[nodes.HasinuTerm]) -> Iterator[nodes.HasinuTerm]:
    """Radials, or obliques of one shape, as few; any other move alone."""
    obliques = [move for move in moves if isinstance(move, nodes.Oblique)]
    radials = [move for move in moves if isinstance(move, nodes.Radial)]
    if obliques:
        lengths = obliques[0].distance.steps if obliques[0].distance else ONE_STEP
        yield make_oblique({step for move in obliques for step in move.vectors}, lengths)
    elif radials:
        yield from _merge_radials(radials)
    else:
        yield moves[0]


def _merge_radials(radials: Sequence[nodes.Radial]) -> Iterator[nodes.Radial]:
    """Each direction without what n covers, then directions of the same distances together."""
    reached: dict[int, set[Vector]] = {}
    for move in radials:
        for step in move.distance.steps or (_ANY_DISTANCE,):
            reached.setdefault(step, set()).update(move.vectors)
    endless = reached.pop(_ANY_DISTANCE, set())
    together: dict[frozenset[Vector], list[int]] = {}
    for step in sorted(reached):
        together.setdefault(frozenset(reached[step] - endless), []).append(step)
    yield from (
        make_radial(vectors, tuple(steps)) for vectors, steps in together.items() if vectors
    )
    if endless:
        yield make_radial(endless, ())


def _term_sort_key(term: nodes.HasinuTerm) -> tuple[float, ...]:
    """Obliques, radials, bent moves, loops, functions, Betza."""
    match term:
        case nodes.Oblique(vectors=vectors, distance=times):
            p, q = base_vector(vectors[0])
            return (0, q, p, *_distance_bounds(times), *map(ord, lexicon.octant_letters(vectors)))
        case nodes.Radial(distance=times, vectors=vectors):
            return (1, *_distance_bounds(times), len(vectors), *map(COMPASS.index, vectors))
        case nodes.Bent():
            return (2,)
        case nodes.Loop():
            return (3,)
        case nodes.Embedded():
            return (5,)
        case _:
            return (4,)


def _distance_bounds(times: nodes.Distance | None) -> tuple[float, float]:
    """The least and the greatest distance; a leap comes first, n last."""
    if times is None:
        return (0, 0)
    steps = times.steps or (inf,)
    return (min(steps), max(steps))


def _nested_calls_as_group(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
    """Two functions of nothing but a move, one inside the other, as a group."""
    match term:
        case nodes.Call(name, (nodes.Call(inner, (move,)),)):
            both = name in lexicon.GROUPABLE_FUNCTIONS and inner in lexicon.GROUPABLE_FUNCTIONS
            if both and nodes.is_move(move):
                return nodes.Group((nodes.Name(name), nodes.Name(inner)), move)
    return term
