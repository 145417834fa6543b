"""The drawn board of the Ħasínū oracle, its moves, and the state of a path."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from .hasinu_tree import Rays, Square, Turn

HOME: Square = (0, 0)
NOBODY: frozenset[str] = frozenset()
NOWHERE: frozenset[Square] = frozenset()


@dataclass(frozen=True)
class Board:
    """A drawn board: enemies and friends are offsets from the mover, seen by its side.

    `at` is the mover's square as 0-based file and rank. `moves_made` is None for many.
    """

    width: int
    height: int
    at: Square
    enemies: frozenset[Square]
    friends: frozenset[Square]
    moves_made: int | None = None

    def holds(self, place: Square) -> bool:
        """Tell whether the offset is on the board."""
        file, rank = self.at[0] + place[0], self.at[1] + place[1]
        return 0 <= file < self.width and 0 <= rank < self.height

    def occupant(self, place: Square) -> str | None:
        """Give `E`, `F` or None; the start counts as empty, for the piece has left it."""
        if place == HOME:
            return None
        if place in self.enemies:
            return "E"
        return "F" if place in self.friends else None


@dataclass(frozen=True)
class Move:
    """Where the piece ends, and every piece that the move takes, as offsets.

    A rifle capture ends at home, on 0,0.
    """

    to: Square
    captures: frozenset[Square]


@dataclass(frozen=True)
class Licence:
    """What a `j` around this part of the path still allows."""

    sides: frozenset[str]
    limit: int | None
    jumped: frozenset[Square] = NOWHERE

    def after(self, place: Square, side: str) -> Licence | None:
        """Give the licence after passing this piece, or None. A piece counts once."""
        if side not in self.sides:
            return None
        if self.limit is None or place in self.jumped:
            return self
        if len(self.jumped) == self.limit:
            return None
        return replace(self, jumped=self.jumped | {place})


@dataclass(frozen=True)
class State:
    """All that matters of a path so far.

    `turn` is the turn that the next leg must make. `how`, `takes` and `shoots` narrow the end
    of the path if it ends here. `over` names the sides a rampage runs over, and `run` the run.
    `blocked` are the sides whose pieces block a leap. `home` is true where it may end at home.
    """

    place: Square = HOME
    wind: int | None = None
    turn: Turn | None = None
    hands: frozenset[tuple[Turn, int]] = frozenset()
    licences: tuple[Licence, ...] = ()
    spoils: frozenset[Square] = NOWHERE
    how: frozenset[str] = NOBODY
    takes: frozenset[str] = frozenset("E")
    shoots: bool = False
    over: frozenset[str] = NOBODY
    run: tuple[Rays, Square] | None = None
    blocked: frozenset[str] = NOBODY
    home: bool = False
    known_hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the hash once, for states spend their lives in sets."""
        key = (self.place, self.wind, self.turn, self.hands, self.licences, self.spoils, self.how)
        object.__setattr__(self, "known_hash", hash(key))

    def __hash__(self) -> int:
        return self.known_hash

    def freer_than(self, other: State) -> bool:
        """Tell whether each licence jumped a part of what the other's jumped, and not all alike.

        Both states must be equal but for their licences.
        """
        pairs = list(zip(self.licences, other.licences, strict=True))
        return self.licences != other.licences and all(
            mine.jumped <= theirs.jumped for mine, theirs in pairs
        )


def freest(states: frozenset[State]) -> frozenset[State]:
    """Drop states that jumped more than another one which is equal otherwise.

    Whatever follows such a state follows the freer one too, so no move is lost.
    """
    if not any(licence.jumped for state in states for licence in state.licences):
        return states
    alike: dict[State, list[State]] = {}
    for state in states:
        alike.setdefault(replace(state, licences=()), []).append(state)
    return frozenset(
        state
        for group in alike.values()
        for state in group
        if not any(other.freer_than(state) for other in group)
    )


def size(place: Square) -> int:
    """Give the king distance from home."""
    return max(abs(place[0]), abs(place[1]))
