"""A tree out as Ħasínū: `write_hasinu`.

Order and structure are the tree's; layout is fixed. What is written and read again is the same
tree. Putting a description into its shortest usual form is another matter; see
`alfil.notation.hasinu.canonical_terms`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from alfil.geometry import base_vector
from alfil.notation.betza.writer import write_betza
from alfil.notation.description import Description
from alfil.notation.hasinu import lexicon, nodes
from alfil.notation.hasinu.function_calls import shorten_term

TIMES_SIGN = "×"


def write_hasinu(description: Description) -> str:
    r"""The description in Ħasínū.

    Directions, octants and numbers stand in their usual order, flags are short and defaults left
    out. Embedded Betza is written in its own dialect. ValueError for terms of Betza that stand by
    themselves, which no layout turns into Ħasínū.

    >>> from alfil.geometry import images_of_base
    >>> leaps = nodes.Oblique(images_of_base(1, 2)[-1:]), nodes.Oblique(images_of_base(1, 3))
    >>> write_hasinu(Description(leaps, "hasinu"))
    '(1,2)a (1,3)'
    """
    return _join_terms(nodes.map_terms(nodes.terms_of_description(description), shorten_term))


def _join_terms(terms: Sequence[nodes.HasinuTerm]) -> str:
    """Terms with & between, or a blank where two obliques meet."""
    written = ""
    before: nodes.HasinuTerm | None = None
    for term in terms:
        if before is not None:
            both = isinstance(before, nodes.Oblique) and isinstance(term, nodes.Oblique)
            written += " " if both else " & "
        written += _node_text(term)
        before = term
    return written


def _node_text(node: nodes.Argument) -> str:
    match node:
        case nodes.Radial() | nodes.Oblique():
            return _radial_or_oblique_text(node)
        case nodes.Bent():
            return _bent_text(node)
        case nodes.Union(terms=terms, bracketed=bracketed):
            return f"({_join_terms(terms)})" if bracketed else _join_terms(terms)
        case nodes.Loop(times=times, body=body):
            return f"{distance_text(times)}({_node_text(body)})"
        case nodes.Call() | nodes.Group():
            return _function_text(node)
        case nodes.Embedded() | nodes.Text() | nodes.Number() | nodes.Name():
            return _argument_text(node)
        case _:
            assert_never(node)


def _argument_text(node: nodes.Embedded | nodes.Text | nodes.Number | nodes.Name) -> str:
    match node:
        case nodes.Embedded(betza=betza):
            return f"\\{write_betza(betza, betza.dialect or 'betza')}"
        case nodes.Text(words=words):
            return f"//{words}"
        case nodes.Number(value=value):
            return str(value)
        case nodes.Name(text=text, optional=optional):
            return f"[{text}]" if optional else text
        case _:
            assert_never(node)


def distance_text(steps: nodes.Distance) -> str:
    """A distance or a number of repetitions.

    >>> [distance_text(nodes.Distance(steps)) for steps in ((), (2,), (3, 1))]
    ['n', '2', '{3,1}']
    """
    if not steps.steps:
        return "n"
    numbers = ",".join(map(str, steps.steps))
    return f"{{{numbers}}}" if steps.braced or len(steps.steps) > 1 else numbers


def _factor_text(steps: nodes.Distance | None) -> str:
    """What stands before the count or the bracket: a distance with its ×, n without."""
    if steps is None:
        return ""
    return f"{distance_text(steps)}{TIMES_SIGN if steps.steps else ''}"


def _radial_or_oblique_text(move: nodes.Radial | nodes.Oblique) -> str:
    if isinstance(move, nodes.Radial):
        return _factor_text(move.distance) + lexicon.direction_count_and_list(move.vectors)
    p, q = base_vector(move.vectors[0])
    return f"{_factor_text(move.distance)}({p},{q}){lexicon.octant_letters(move.vectors)}"


def _bent_text(bent: nodes.Bent) -> str:
    written = _leg_text(bent.legs[0])
    for at, turn in enumerate(bent.turns):
        written += f" {_turn_text(turn)}"
        if at + 1 < len(bent.legs):
            written += f" {_leg_text(bent.legs[at + 1])}"
    return written


def _leg_text(leg: nodes.HasinuTerm) -> str:
    loose = isinstance(leg, nodes.Bent) or (isinstance(leg, nodes.Union) and not leg.bracketed)
    return f"({_node_text(leg)})" if loose else _node_text(leg)


def _turn_text(turn: nodes.Turn) -> str:
    if turn.sixteenths is None and turn.degrees:
        return f"&t{turn.sign}{turn.degrees}°"
    if turn.sixteenths is None:
        return "&t"
    return f"&t{turn.sign}{lexicon.degrees_text(turn.sixteenths)}°"


def _function_text(node: nodes.Call | nodes.Group) -> str:
    if isinstance(node, nodes.Call):
        arguments = ",".join([_node_text(argument) for argument in node.arguments])
        return f"{node.name}({arguments})"
    names = ",".join([name.text for name in node.names])
    if node.short:
        return f"[{names}({_node_text(node.body)})]"
    return f"group({names})({_node_text(node.body)})"
