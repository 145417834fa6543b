"""The nodes of a Ħasínū tree: radial and oblique moves, bent moves, loops, functions, words.

Beside what was written stand the vectors the directions and octants stand for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from alfil.geometry import Vector
from alfil.source import NOWHERE, Span, span_field

if TYPE_CHECKING:
    from alfil.notation.nodes import Description, Term


@dataclass(frozen=True, slots=True)
class Distance:
    """Which distances or how many repetitions; no ``steps`` means ``n``, without limit.

    ``braced`` is true for a set in curly brackets, so that ``{2}`` and ``2`` stay apart.
    """

    steps: tuple[int, ...]
    braced: bool = False
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Radial:
    """``S×NdR``: ``listed`` are the names as written, ``vectors`` the directions they amount to.

    A vector is a single step, (0, 1) for ``N`` and (1, 1) for ``NE``.
    """

    distance: Distance
    count: int
    listed: tuple[str, ...]
    vectors: tuple[Vector, ...] = field(default=(), compare=False)
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Oblique:
    """``(X,Y)`` with octant letters as written ("" means all); ``distance`` None is one leap.

    ``vectors`` are the leaps these letters stand for.
    """

    numbers: tuple[int, int]
    octants: str = ""
    distance: Distance | None = None
    vectors: tuple[Vector, ...] = field(default=(), compare=False)
    span: Span = span_field()


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
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Bent:
    """Legs chained by ``&t``. A turn after the last leg stands only at the end of a loop body.

    ``turns`` has as many entries as there are legs, or one fewer. One leg with one turn is a body
    such as ``(2,1) &t22.5°``.
    """

    legs: tuple[Term, ...]
    turns: tuple[Turn, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Union:
    """Terms joined by ``&`` inside brackets, or obliques standing side by side.

    ``bracketed`` is true when round brackets of their own stand around the terms.
    """

    terms: tuple[Term, ...]
    bracketed: bool = True
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Loop:
    """``n(...)``, ``k(...)``, ``{j,k}(...)``; the body is a Union when it has several terms."""

    times: Distance
    body: Term
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Number:
    """A number as an argument."""

    value: int
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Name:
    """A bare word as an argument (a flag such as ``E``, ``inclusive``); ``optional``: ``[p]``."""

    text: str
    optional: bool = False
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Call:
    """``name(arg, …)``. ``name`` is as written; empty slots are dropped.

    ``name_span`` is the span of the name alone.
    """

    name: str
    arguments: tuple[Argument, ...]
    name_span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Group:
    """``group(f, g)(move)`` or the short form ``[f,g(move)]``: f(g(move))."""

    names: tuple[Name, ...]
    body: Term
    short: bool = False
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Embedded:
    """``\\`` and a run of Betza; its inner spans count in the whole text."""

    betza: Description
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Text:
    """``//`` and plain words, without the mark that ended them."""

    words: str
    span: Span = span_field()


HasinuTerm: TypeAlias = Radial | Oblique | Bent | Union | Loop | Call | Group | Embedded | Text
Argument: TypeAlias = HasinuTerm | Number | Name
