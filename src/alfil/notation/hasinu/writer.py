"""A tree out as Ħasínū: `write_hasinu`.

Order and structure are the tree's; layout is fixed. What is written and read again is the same
tree. Putting a description into its shortest usual form is another matter; see
`alfil.notation.hasinu.canonical`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from alfil.geometry import base_of
from alfil.notation.betza.writer import write_betza
from alfil.notation.hasinu import lexicon, nodes
from alfil.notation.hasinu.calls import short
from alfil.notation.nodes import Description

TIMES = "×"


def write_hasinu(description: Description) -> str:
    r"""The description in Ħasínū.

    Directions, octants and numbers stand in their usual order, flags are short and defaults left
    out. Embedded Betza is written in its own dialect. ValueError for terms of Betza that stand by
    themselves, which no layout turns into Ħasínū.

    >>> from alfil.geometry import images
    >>> leaps = nodes.Oblique(images(1, 2)[-1:]), nodes.Oblique(images(1, 3))
    >>> write_hasinu(Description(leaps, "hasinu"))
    '(1,2)a (1,3)'
    """
    return _joined(nodes.changed(nodes.terms_of(description), short))


def _joined(terms: Sequence[nodes.HasinuTerm]) -> str:
    """Terms with & between, or a blank where two obliques meet."""
    written = ""
    before: nodes.HasinuTerm | None = None
    for term in terms:
        if before is not None:
            both = isinstance(before, nodes.Oblique) and isinstance(term, nodes.Oblique)
            written += " " if both else " & "
        written += _node(term)
        before = term
    return written


def _node(node: nodes.Argument) -> str:
    match node:
        case nodes.Radial() | nodes.Oblique():
            return _steps(node)
        case nodes.Bent():
            return _bent(node)
        case nodes.Union(terms=terms, bracketed=bracketed):
            return f"({_joined(terms)})" if bracketed else _joined(terms)
        case nodes.Loop(times=times, body=body):
            return f"{distance(times)}({_node(body)})"
        case nodes.Call() | nodes.Group():
            return _function(node)
        case nodes.Embedded() | nodes.Text() | nodes.Number() | nodes.Name():
            return _word(node)
        case _:
            assert_never(node)


def _word(node: nodes.Embedded | nodes.Text | nodes.Number | nodes.Name) -> str:
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


def distance(steps: nodes.Distance) -> str:
    """A distance or a number of repetitions.

    >>> [distance(nodes.Distance(steps)) for steps in ((), (2,), (3, 1))]
    ['n', '2', '{3,1}']
    """
    if not steps.steps:
        return "n"
    numbers = ",".join(map(str, steps.steps))
    return f"{{{numbers}}}" if steps.braced or len(steps.steps) > 1 else numbers


def _factor(steps: nodes.Distance | None) -> str:
    """What stands before the count or the bracket: a distance with its ×, n without."""
    if steps is None:
        return ""
    return f"{distance(steps)}{TIMES if steps.steps else ''}"


def _steps(move: nodes.Radial | nodes.Oblique) -> str:
    if isinstance(move, nodes.Radial):
        return _factor(move.distance) + lexicon.layout(move.vectors)
    p, q = base_of(move.vectors[0])
    return f"{_factor(move.distance)}({p},{q}){lexicon.octants(move.vectors)}"


def _bent(bent: nodes.Bent) -> str:
    written = _leg(bent.legs[0])
    for at, turn in enumerate(bent.turns):
        written += f" {_turn(turn)}"
        if at + 1 < len(bent.legs):
            written += f" {_leg(bent.legs[at + 1])}"
    return written


def _leg(leg: nodes.HasinuTerm) -> str:
    loose = isinstance(leg, nodes.Bent) or (isinstance(leg, nodes.Union) and not leg.bracketed)
    return f"({_node(leg)})" if loose else _node(leg)


def _turn(turn: nodes.Turn) -> str:
    if turn.sixteenths is None and turn.degrees:
        return f"&t{turn.sign}{turn.degrees}°"
    if turn.sixteenths is None:
        return "&t"
    return f"&t{turn.sign}{lexicon.degrees(turn.sixteenths)}°"


def _function(node: nodes.Call | nodes.Group) -> str:
    if isinstance(node, nodes.Call):
        arguments = ",".join([_node(argument) for argument in node.arguments])
        return f"{node.name}({arguments})"
    names = ",".join([name.text for name in node.names])
    if node.short:
        return f"[{names}({_node(node.body)})]"
    return f"group({names})({_node(node.body)})"
