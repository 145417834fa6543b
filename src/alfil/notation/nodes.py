"""The syntax tree: what was written, in either notation.

Faithful, not canonical: `K` and `WF` are different trees. Every node carries the span it was read
from; spans take no part in equality. Both readers build this tree, all writers walk it, and only
`alfil.meaning.lower` turns it into something else. Where a letter needs a dialect or a system of
directions to be understood, the reader has already done that: beside what was written stand the
vectors and turns it stands for, so nothing later needs to know the dialect.

Vectors are (dx, dy), forward is +y and right is +x, both seen by the mover. Turns are counted in
eighths of a circle, clockwise, from the way the piece has just travelled (0 straight on, 2 right).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from alfil.source import Span

Vector: TypeAlias = tuple[int, int]

NOWHERE = Span(0, 0)


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False, kw_only=True)


# shared


@dataclass(frozen=True, slots=True)
class Description:
    """A whole piece: the union of its terms. No terms: a piece without moves."""

    terms: tuple[Term, ...]
    notation: Literal["betza", "hasinu"]
    dialect: str = ""
    span: Span = _span()


# Betza


@dataclass(frozen=True, slots=True)
class Atom:
    """A Betza atom as written, and what the dialect takes it for.

    ``written`` is the letter or ``(a,b)`` with its suffixes, as in ``W``, ``FXX``, ``(4,1)``.
    ``vectors`` are the base vectors (a, b) with 0 <= a <= b after suffixes: ``K`` has (0, 1) and
    (1, 1). ``U`` and ``O`` have none. ``slides`` is true for R, B and Q, unlimited by default.
    """

    written: str
    vectors: tuple[Vector, ...]
    slides: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Range:
    """How many steps at most. ``steps`` is 0 for unlimited; ``written`` is as in the text.

    ``written`` is "" when nothing stands there (then ``steps`` is 1, or 0 for an atom that
    slides), digits, "*" (then ``steps`` is 0), or the atom's letter when that was doubled (0).
    """

    steps: int
    written: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Modifiers:
    """The lower-case letters of one leg.

    ``directions`` are the tokens as written, in order ("f", "fl", "fh", "hr"): a letter or a pair.
    ``modes`` are the other letters in the order written ("m", "c", "ii", "oo", "z", ...).
    """

    directions: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Leg:
    """One atom with its modifiers and range: a simple part, or one leg of a path.

    A first leg has ``vectors``: the directions of its first step, resolved ((0, 1) for ``fW``, all
    eight for ``N``). A later leg of a path has ``vectors`` for all directions of its atom, and
    ``turns`` for its letters: places clockwise from the way of travel, or None when no direction
    letter stands there (outward by default).
    """

    modifiers: Modifiers
    atom: Atom
    range: Range
    vectors: tuple[Vector, ...] = field(default=(), compare=False)
    turns: tuple[int, ...] | None = field(default=None, compare=False)
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ChainLeg:
    """One leg of a chain: its letters, and its turns (None: every way but straight back)."""

    modifiers: Modifiers
    turns: tuple[int, ...] | None = field(default=None, compare=False)
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Repeat:
    """``( a.. a.. ) limit``: its legs are written 0, 1, ... ``limit`` times; 0 is no limit."""

    legs: tuple[ChainLeg, ...]
    limit: int
    written: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Tail:
    """Letters straight after a repeat: they belong to whichever leg comes last before them.

    ``turns`` are, for each leg that may come last in the order they stand, its turns with these
    letters added; ``vectors`` the directions of the first step where that leg is the first.
    """

    modifiers: Modifiers
    turns: tuple[tuple[int, ...] | None, ...] = field(default=(), compare=False)
    vectors: tuple[Vector, ...] = field(default=(), compare=False)
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Chain:
    """Legs joined by ``a``, all with one atom. ``first`` has the directions of the first step.

    ``vectors`` are the resolved directions of the first step.
    """

    first: Modifiers
    rest: tuple[ChainLeg | Repeat | Tail, ...]
    atom: Atom
    range: Range
    vectors: tuple[Vector, ...] = field(default=(), compare=False)
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Path:
    """Legs with their own atoms: ``[A-B?C]``, ``AtB`` or ``t[AB]``.

    ``joins`` has one sign fewer than there are legs: "-" goes on without a stop, "?" may stop
    before it. ``prefix`` has directions that choose whole paths, and ``i`` or ``ii`` as modes.
    ``form`` is how it was written.
    """

    prefix: Modifiers
    legs: tuple[Leg, ...]
    joins: tuple[str, ...]
    form: Literal["[]", "t", "t[]"]
    span: Span = _span()


# Ħasínū


@dataclass(frozen=True, slots=True)
class Distance:
    """Which distances or how many repetitions; no ``steps`` means ``n``, without limit.

    ``braced`` is true for a set in curly brackets, so that ``{2}`` and ``2`` stay apart.
    """

    steps: tuple[int, ...]
    braced: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Radial:
    """``S×NdR``: ``listed`` are the names as written, ``vectors`` the directions they amount to.

    A vector is a single step, (0, 1) for ``N`` and (1, 1) for ``NE``.
    """

    distance: Distance
    count: int
    listed: tuple[str, ...]
    vectors: tuple[Vector, ...] = field(default=(), compare=False)
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Oblique:
    """``(X,Y)`` with octant letters as written ("" means all); ``distance`` None is one leap.

    ``vectors`` are the leaps these letters stand for.
    """

    numbers: tuple[int, int]
    octants: str = ""
    distance: Distance | None = None
    vectors: tuple[Vector, ...] = field(default=(), compare=False)
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Turn:
    """``&t`` with its angle.

    ``sixteenths`` is the size of the turn in sixteenths of a circle (22.5°), 0 to 8, or None when
    no angle stands there (outward). ``sign`` is "+" (clockwise), "-" or "" (either hand).
    ``degrees`` is the size as it was given, in degrees, for the writer: "22.5", "45".
    """

    sixteenths: int | None
    sign: Literal["", "+", "-"] = ""
    degrees: str = ""
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Bent:
    """Legs chained by ``&t``. A turn after the last leg stands only at the end of a loop body.

    ``turns`` has as many entries as there are legs, or one fewer. One leg with one turn is a body
    such as ``(2,1) &t22.5°``.
    """

    legs: tuple[Term, ...]
    turns: tuple[Turn, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Union:
    """Terms joined by ``&`` inside brackets, or obliques standing side by side.

    ``bracketed`` is true when round brackets of their own stand around the terms.
    """

    terms: tuple[Term, ...]
    bracketed: bool = True
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Loop:
    """``n(...)``, ``k(...)``, ``{j,k}(...)``; the body is a Union when it has several terms."""

    times: Distance
    body: Term
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Number:
    """A number as an argument."""

    value: int
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Name:
    """A bare word as an argument (a flag such as ``E``, ``inclusive``); ``optional``: ``[p]``."""

    text: str
    optional: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Call:
    """``name(arg, …)``. ``name`` is as written; empty slots are dropped.

    ``name_span`` is the span of the name alone.
    """

    name: str
    arguments: tuple[Argument, ...]
    name_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Group:
    """``group(f, g)(move)`` or the short form ``[f,g(move)]``: f(g(move))."""

    names: tuple[Name, ...]
    body: Term
    short: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Embedded:
    """``\\`` and a run of Betza; its inner spans count in the whole text."""

    betza: Description
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Text:
    """``//`` and plain words, without the mark that ended them."""

    words: str
    span: Span = _span()


BetzaTerm: TypeAlias = Leg | Chain | Path
HasinuTerm: TypeAlias = Radial | Oblique | Bent | Union | Loop | Call | Group | Embedded | Text
Term: TypeAlias = BetzaTerm | HasinuTerm
Argument: TypeAlias = HasinuTerm | Number | Name
