"""A tree out as Ħasínū: `write_hasinu`.

Order and structure are the tree's; layout is fixed. What is written and read again is the same
tree. Putting a description into its shortest usual form is another matter; see
`alfil.notation.hasinu.canonical`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from alfil.notation.betza.writer import write_betza
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.calls import short
from alfil.notation.hasinu.nodes import (
    Argument,
    Bent,
    Call,
    Distance,
    Embedded,
    Group,
    HasinuTerm,
    Loop,
    Name,
    Number,
    Oblique,
    Radial,
    Text,
    Turn,
    Union,
    changed,
    terms_of,
)
from alfil.notation.nodes import Description

TIMES = "×"


def write_hasinu(description: Description) -> str:
    r"""The description in Ħasínū.

    Directions, octants and numbers stand in their usual order, flags are short and defaults left
    out. Embedded Betza is written in its own dialect. ValueError for terms of Betza that stand by
    themselves, which no layout turns into Ħasínū.

    >>> write_hasinu(Description((Oblique((2, 1), "ba"), Oblique((1, 3))), "hasinu"))
    '(1,2)ab (1,3)'
    """
    return _joined(changed(terms_of(description), short))


def _joined(terms: Sequence[HasinuTerm]) -> str:
    """Terms with & between, or a blank where two obliques meet."""
    written = ""
    before: HasinuTerm | None = None
    for term in terms:
        if before is not None:
            both = isinstance(before, Oblique) and isinstance(term, Oblique)
            written += " " if both else " & "
        written += _node(term)
        before = term
    return written


def _node(node: Argument) -> str:
    match node:
        case Radial() | Oblique():
            return _steps(node)
        case Bent():
            return _bent(node)
        case Union(terms=terms, bracketed=bracketed):
            return f"({_joined(terms)})" if bracketed else _joined(terms)
        case Loop(times=times, body=body):
            return f"{distance(times)}({_node(body)})"
        case Call() | Group():
            return _function(node)
        case Embedded() | Text() | Number() | Name():
            return _word(node)
        case _:
            assert_never(node)


def _word(node: Embedded | Text | Number | Name) -> str:
    match node:
        case Embedded(betza=betza):
            return f"\\{write_betza(betza, betza.dialect or 'betza')}"
        case Text(words=words):
            return f"//{words}"
        case Number(value=value):
            return str(value)
        case Name(text=text, optional=optional):
            return f"[{text}]" if optional else text
        case _:
            assert_never(node)


def distance(steps: Distance) -> str:
    """A distance or a number of repetitions.

    >>> distance(Distance(())), distance(Distance((2,))), distance(Distance((3, 1), braced=True))
    ('n', '2', '{3,1}')
    """
    if not steps.steps:
        return "n"
    numbers = ",".join(map(str, steps.steps))
    return f"{{{numbers}}}" if steps.braced or len(steps.steps) > 1 else numbers


def _factor(steps: Distance | None) -> str:
    """What stands before the count or the bracket: a distance with its ×, n without."""
    if steps is None:
        return ""
    return f"{distance(steps)}{TIMES if steps.steps else ''}"


def _steps(move: Radial | Oblique) -> str:
    if isinstance(move, Radial):
        layout, vectors = lexicon.radial(str(move.count), move.listed)
        listed = "-".join(layout if vectors else move.listed)
        return f"{_factor(move.distance)}{move.count}d{listed}"
    p, q = sorted(move.numbers)
    octants = "".join(sorted(move.octants))
    return f"{_factor(move.distance)}({p},{q}){'' if octants == lexicon.OCTANTS else octants}"


def _bent(bent: Bent) -> str:
    written = _leg(bent.legs[0])
    for at, turn in enumerate(bent.turns):
        written += f" {_turn(turn)}"
        if at + 1 < len(bent.legs):
            written += f" {_leg(bent.legs[at + 1])}"
    return written


def _leg(leg: HasinuTerm) -> str:
    loose = isinstance(leg, Bent) or (isinstance(leg, Union) and not leg.bracketed)
    return f"({_node(leg)})" if loose else _node(leg)


def _turn(turn: Turn) -> str:
    if turn.sixteenths is None:
        return "&t"
    return f"&t{turn.sign}{lexicon.degrees(turn.sixteenths)}°"


def _function(node: Call | Group) -> str:
    if isinstance(node, Call):
        arguments = ",".join([_node(argument) for argument in node.arguments])
        return f"{node.name}({arguments})"
    names = ",".join([name.text for name in node.names])
    if node.short:
        return f"[{names}({_node(node.body)})]"
    return f"group({names})({_node(node.body)})"
