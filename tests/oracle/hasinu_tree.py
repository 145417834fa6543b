"""The two small trees of the Ħasínū oracle: what was read, and what is walked.

Nodes compare by identity, because two equal angles written in two places keep their
hands apart.
"""

from __future__ import annotations

from dataclasses import dataclass

Square = tuple[int, int]
Counts = frozenset[int] | None
"""Distances or numbers of repetitions; None stands for n, without limit."""


class Unreadable(Exception):
    """The text is not Ħasínū, or is outside what this oracle takes."""


class Refused(Exception):
    """The text reads, and the specification says that compiling refuses it."""


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn in sixteenths of a circle, None for outward; sense +1, -1, or None for either."""

    sixteenths: int | None
    sense: int | None


@dataclass(frozen=True, eq=False)
class Rays:
    """A radial or oblique leg: vectors by wind (0 to 15, clockwise from north)."""

    vectors: tuple[tuple[int, Square], ...]
    distances: Counts
    oblique: bool


@dataclass(frozen=True, eq=False)
class Compound:
    """Alternatives. The trail is the turn after the last term, found only in loop bodies."""

    terms: tuple[Node, ...]
    trail: Turn | None = None


@dataclass(frozen=True, eq=False)
class Chain:
    """Legs with a turn between each two."""

    legs: tuple[Node, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True, eq=False)
class Loop:
    """A body repeated any of these numbers of times."""

    counts: Counts
    body: Compound


@dataclass(frozen=True, eq=False)
class Call:
    """A function as read: bare words are str, numbers int, `[p]` is Optional."""

    name: str
    args: tuple[Arg, ...]


@dataclass(frozen=True, eq=False)
class Optional:
    """A parameter in square brackets, in declarations only."""

    name: str


@dataclass(frozen=True, eq=False)
class Grouped:
    """The body of `group(f, g)(…)` or `[f,g(…)]`, with the names from outside in."""

    names: tuple[str, ...]
    body: Compound


@dataclass(frozen=True, eq=False)
class Text:
    """Plain words after a double slash."""

    words: str


@dataclass(frozen=True, eq=False)
class Embedded:
    """Embedded Betza, already turned into a tree."""

    body: Node


Node = Rays | Compound | Chain | Loop | Call | Grouped | Text | Embedded
Arg = Node | str | int | Optional


@dataclass(frozen=True, eq=False)
class Ends:
    """`m` or `c`: the move may not, or must, be used for capture."""

    how: str
    body: Meaning


@dataclass(frozen=True, eq=False)
class Jump:
    """`j`: pieces of these sides may be passed, at most `limit` of them on one path."""

    body: Meaning
    sides: frozenset[str]
    limit: int | None


@dataclass(frozen=True, eq=False)
class NoJump:
    """`nj`: leaps pass over no piece of these sides."""

    body: Meaning
    sides: frozenset[str]


@dataclass(frozen=True, eq=False)
class Rifle:
    """`i`: capture where the body could, and stay at home."""

    body: Meaning
    sides: frozenset[str]


@dataclass(frozen=True, eq=False)
class Rampage:
    """`rpg`: run over pieces of these sides; greedy keeps the farthest stop of a run."""

    body: Meaning
    sides: frozenset[str]
    greedy: bool


@dataclass(frozen=True, eq=False)
class Timed:
    """`atmove`, or `ataction` when `every`."""

    number: int
    every: bool
    body: Meaning


@dataclass(frozen=True, eq=False)
class Box:
    """`INF`: to every other square of the box by leaps, by steps or as a lion."""

    x: int
    y: int
    how: str = "leaps"


@dataclass(frozen=True, eq=False)
class Silent:
    """A fact or effect, which contributes no move. `kind` is `fact` or `effect`.

    With a body it burns pieces of some sides in that range wherever a move ends.
    """

    kind: str
    body: Meaning | None = None
    sides: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Union:
    """Bound alternatives; see Compound."""

    terms: tuple[Meaning, ...]
    trail: Turn | None = None


@dataclass(frozen=True, eq=False)
class Bent:
    """Bound legs; see Chain."""

    legs: tuple[Meaning, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True, eq=False)
class Repeat:
    """A bound loop; see Loop."""

    counts: Counts
    body: Union


@dataclass(frozen=True, eq=False)
class Borrowed:
    """Bound Betza."""

    body: Meaning


Wrapper = Ends | Jump | NoJump | Rifle | Rampage | Timed | Borrowed
Meaning = Rays | Union | Bent | Repeat | Box | Silent | Wrapper
