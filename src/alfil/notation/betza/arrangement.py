"""The canonical arrangement of parts: directions, joined atoms, and one order for all.

K and Q are never written with directions, since programs read those in two ways: such a part is
taken apart into W and F, or R and B. Without directions these are joined again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from alfil.notation.betza.compass import by_atom
from alfil.notation.betza.letters import Dialect
from alfil.notation.betza.nodes import Atom, BetzaTerm, Chain, Leg, Path
from alfil.notation.betza.spelling import silent

ORTHOGONAL, DIAGONAL = ((0, 1),), ((1, 1),)


def arranged(
    terms: Iterable[BetzaTerm], dialect: Dialect, *, joining: bool = True
) -> list[BetzaTerm]:
    """The parts as they are written: taken apart, joined and put in order."""
    parts: dict[object, BetzaTerm] = {}
    for term in terms:
        for part in _taken_apart(term, dialect):
            parts.setdefault(_content(part), part)
    found = list(parts.values())
    return sorted(_joined(found) if joining else found, key=_place)


def _content(part: BetzaTerm) -> object:
    """What is the same for parts that are written alike."""
    if not isinstance(part, Leg):
        return part
    atom, how_far = part.atom, part.range
    base = atom.vectors or atom.written
    letters = (
        (part.modifiers.directions if not part.vectors else ()),
        frozenset(part.modifiers.modes),
    )
    return base, how_far.steps, how_far.written == "*", letters, frozenset(part.vectors)


def _taken_apart(term: BetzaTerm, dialect: Dialect) -> Iterator[BetzaTerm]:
    match term:
        case Leg():
            unsaid = silent(term.modifiers.modes, "last")
            modes = tuple(mode for mode in term.modifiers.modes if mode not in unsaid)
            yield from by_atom(replace(term, modifiers=replace(term.modifiers, modes=modes)))
        case Path() if "bracket" in dialect.constructs and not _limited(term):
            yield replace(term, form="[]")
        case _:
            yield term


def _limited(path: Path) -> bool:
    """Whether letters on its first leg limit a path: programs do not agree on them in brackets."""
    return path.form == "t" and bool(path.legs[0].modifiers.directions)


def _joined(parts: list[BetzaTerm]) -> list[BetzaTerm]:
    """The parts with W and F of the same letters as K, R and B as Q."""
    joined: list[BetzaTerm] = []
    for part in parts:
        other = next((each for each in joined if _belong_together(each, part)), None)
        if isinstance(other, Leg) and isinstance(part, Leg):
            atom = Atom("", (*ORTHOGONAL, *DIAGONAL), part.atom.slides)
            both = replace(part, atom=atom, vectors=(*other.vectors, *part.vectors))
            joined[joined.index(other)] = both
        else:
            joined.append(part)
    return joined


def _belong_together(one: BetzaTerm, other: BetzaTerm) -> bool:
    if not (isinstance(one, Leg) and isinstance(other, Leg)):
        return False
    return (
        {one.atom.vectors, other.atom.vectors} == {ORTHOGONAL, DIAGONAL}
        and not one.modifiers.directions
        and not other.modifiers.directions
        and set(one.modifiers.modes) == set(other.modifiers.modes)
        and one.range.steps == other.range.steps
        and "*" not in {one.range.written, other.range.written}
    )


def _place(part: BetzaTerm) -> tuple[object, ...]:
    """Where a part stands: conditions last, then those of several legs, directions, leapers."""
    match part:
        case Leg():
            first, atom, steps, legs = part.modifiers, part.atom, part.range.steps, 1
        case Chain():
            first, atom, steps, legs = part.first, part.atom, int(not part.atom.slides), 2
        case Path():
            leg = part.legs[0]
            first, atom, steps, legs = part.prefix, leg.atom, leg.range.steps, 2
        case _:
            assert_never(part)
    condition = 2 if "ii" in first.modes else int("i" in first.modes)
    slides = steps != 1 and bool(atom.vectors) and all(b == 1 for _, b in atom.vectors)
    lengths = tuple(sorted(a * a + b * b for a, b in atom.vectors))
    return condition, legs, bool(first.directions), not slides, lengths, atom.written
