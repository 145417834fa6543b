"""What a call says, typed: one shape for every family of functions, defaults filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from alfil.notation.hasinu.lexicon import Greed, Side, When
from alfil.notation.hasinu.nodes import Argument, HasinuTerm, Name


@dataclass(frozen=True, slots=True)
class MoveCall:
    """A function of a move: ``m c j nj i rpg im burn``.

    Flags are "" where the function takes none; ``number`` None is no limit.
    """

    name: str
    move: HasinuTerm
    side: Side = ""
    when: When = ""
    greed: Greed = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class TimedCall:
    """``atmove(number, move)`` or ``ataction(number, move)``."""

    name: Literal["atmove", "ataction"]
    number: int
    move: HasinuTerm


@dataclass(frozen=True, slots=True)
class RoyalCall:
    """``royal``: all royals of a side must survive ("A"), or one of them ("O")."""

    survive: Literal["A", "O"]


@dataclass(frozen=True, slots=True)
class PromoteCall:
    """``promote``: the condition in words; promotees are texts (names of pieces) or moves."""

    condition: str
    promotees: tuple[HasinuTerm, ...]


@dataclass(frozen=True, slots=True)
class IronCall:
    """``fe``: "" nothing captures it; else the exceptions are the illegal or the only captures."""

    identifier: Literal["", "inclusive", "exclusive"]
    exceptions: tuple[HasinuTerm, ...]


@dataclass(frozen=True, slots=True)
class SizeCall:
    """``sz``: width and height in cells."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class DeclareCall:
    """``function``: a name and its parameters."""

    name: str
    parameters: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class InfCall:
    """``INF``: the half width and half height of the box."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class ForeignCall:
    """A call of a function that is not built in."""

    name: str
    arguments: tuple[Argument, ...]


Bound: TypeAlias = (
    MoveCall
    | TimedCall
    | RoyalCall
    | PromoteCall
    | IronCall
    | SizeCall
    | DeclareCall
    | InfCall
    | ForeignCall
)
