"""The nodes of a Betza tree: parts, legs, atoms, modifiers, ranges.

Where a letter needs a dialect or a system of directions to be understood, the reader has already
done that: beside what was written stand the vectors and turns it stands for.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from alfil.frozen_dataclasses import dataclass
from alfil.geometry import Vector
from alfil.notation.betza.letters import Mode
from alfil.source import Span, span_field


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
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Range:
    """How many steps at most. ``steps`` is 0 for unlimited; ``written`` is as in the text.

    ``written`` is "" when nothing stands there (then ``steps`` is 1, or 0 for an atom that
    slides), digits, "*" (then ``steps`` is 0), or the atom's letter when that was doubled (0).
    """

    steps: int
    written: str = ""
    span: Span = span_field()

    @property
    def doubled_letter(self) -> str:
        """The atom's letter, where it was doubled."""
        return self.written[:1] if self.written[:1].isalpha() else ""


@dataclass(frozen=True, slots=True)
class Modifiers:
    """The lower-case letters of one leg.

    ``directions`` are the tokens, in order ("f", "fl", "fh", "hr"): a letter or a pair. ``modes``
    are the other letters in order ("m", "c", "ii", "oo", "z", ...), each once. ``written`` is what
    stands in the text.
    """

    directions: tuple[str, ...] = ()
    modes: tuple[Mode, ...] = ()
    written: str = field(default="", compare=False)
    span: Span = span_field()


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
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class ChainLeg:
    """One leg of a chain: its letters, and its turns (None: every way but straight back)."""

    modifiers: Modifiers
    turns: tuple[int, ...] | None = field(default=None, compare=False)
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Repeat:
    """``( a.. a.. ) limit``: its legs are written 0, 1, ... ``limit`` times; 0 is no limit.

    A text that can be read has no repeat without legs.
    """

    legs: tuple[ChainLeg, ...]
    limit: int
    written: str = ""
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Tail:
    """Letters straight after a repeat: they belong to whichever leg comes last before them."""

    modifiers: Modifiers
    span: Span = span_field()


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
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Path:
    """Legs with their own atoms: ``[A-B?C]``, ``AtB`` or ``t[AB]``.

    ``joins`` has one sign fewer than there are legs: "-" goes on without a stop, "?" may stop
    before it. ``prefix`` has directions that choose whole paths, and ``i`` or ``ii`` as modes.
    ``form`` is how it was written; in a group, "()", letters on the first leg limit that leg.
    """

    prefix: Modifiers
    legs: tuple[Leg, ...]
    joins: tuple[str, ...]
    form: Literal["[]", "t", "t[]", "()"]
    span: Span = span_field()


BetzaTerm: TypeAlias = Leg | Chain | Path
