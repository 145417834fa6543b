"""The terms of a position: what else is seen on the board than which pieces stand where.

src/alfil/engine/terms.c says what they are. They are numbered by kind, and by what they tell
within a kind; behind those of all kinds come those of the game as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

# What the terms of a kind tell, and how many of them there are.
MOVES = "moves"
KIND_TERMS = {
    MOVES: 32,
    "zone": 4,
    "own-royal": 8,
    "other-royal": 8,
    "count": 8,
    "held": 8,
    "structure": 4,
    "passed": 16,
    "passed-own-royal": 48,
    "passed-other-royal": 48,
    "passed-stop": 24,
    "checks": 4,
    "drop-checks": 4,
}
# How many there are of each kind that may be attacked: where it is unguarded, and guarded.
ATTACKS, GUARDED = "attacks", 2
# Those of the game.
GAME_TERMS = {"attackers": 8, "weak": 32, "danger": 256, "safe-checks": 64}


class TermRange(NamedTuple):
    """Some terms in a row: of which kind, None for the game; what they tell; and their numbers."""

    kind: int | None
    name: str
    numbers: range


class TermNumbers:
    """How the terms of a game with so many kinds are numbered."""

    def __init__(self, kinds: int) -> None:
        self.kinds = kinds
        self._of_kind = {**KIND_TERMS, ATTACKS: GUARDED * kinds}
        self.in_kind = sum(self._of_kind.values())
        self.count = kinds * self.in_kind + sum(GAME_TERMS.values())

    def term_ranges(self) -> Iterator[TermRange]:
        """All of them, in their order."""
        first = 0
        groups = [*((kind, self._of_kind) for kind in range(self.kinds)), (None, GAME_TERMS)]
        for kind, lengths in groups:
            for name, length in lengths.items():
                yield TermRange(kind, name, range(first, first + length))
                first += length

    def weights(self, rows: Mapping[tuple[int | None, str], Sequence[float]]) -> list[int]:
        """The weights of all terms, from rows of some runs; the others weigh nothing."""
        result = [0] * self.count
        for run in self.term_ranges():
            for number, weight in zip(
                run.numbers, rows.get((run.kind, run.name), ()), strict=False
            ):
                result[number] = round(weight)
        return result
