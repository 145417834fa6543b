"""Letters of one leg, taken apart: runs of directions, and the other modifiers."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from alfil.errors import Finding
from alfil.source import Span

# Ranges and the numbers of a vector.
MOST_DIGITS = 2
LARGEST_NUMBER = 99

DIRECTIONS = frozenset("fblrvsh")
# The order XBoard needs; the writer follows it.
MODE_ORDER = ("i", "ii", "m", "c", "d", "e", "t", "p", "g", "o", "oo", "y", "n", "j", "z", "q", "k")
MODES = frozenset(MODE_ORDER) - {"t"}
# Doubled letters that are letters of their own, and those some program gives a meaning we lack.
DOUBLED = ("ii", "oo")
UNSUPPORTED = {
    "x": "x (relay, induction)",
    "u": "u (unload)",
    "jj": "jj (the first two squares skipped)",
    "pp": "pp (several hurdles)",
}
# Letters that cannot stand on one leg together, by pairs.
CLASHES = frozenset(
    frozenset(pair.split())
    for pair in [
        "p g",
        "p n",
        "p j",
        "g n",
        "g j",
        "n j",
        "z q",
        "z p",
        "z g",
        "z n",
        "z j",
        "z o",
        "z oo",
        "q p",
        "q g",
        "q n",
        "q j",
        "q o",
        "q oo",
        "i ii",
        "o oo",
    ]
)


class Sign(NamedTuple):
    """A run of direction letters, or another modifier, and where it stands in the letters."""

    text: str
    start: int
    directions: bool

    def span(self, offset: int) -> Span:
        """Where it stands in the whole text, the letters starting at ``offset``."""
        return Span(self.start + offset, self.start + offset + len(self.text))


@lru_cache(maxsize=4096)
def signs(letters: str) -> tuple[Sign, ...]:
    """Cut the letters of one leg into runs of directions and single modifiers.

    >>> [sign.text for sign in signs("ifrmn")]
    ['i', 'fr', 'm', 'n']
    """
    found: list[Sign] = []
    at = 0
    while at < len(letters):
        end = at
        while end < len(letters) and letters[end] in DIRECTIONS:
            end += 1
        if end > at:
            found.append(Sign(letters[at:end], at, directions=True))
            at = end
            continue
        pair = letters[at : at + 2]
        size = 2 if pair in DOUBLED or pair in UNSUPPORTED else 1
        found.append(Sign(letters[at : at + size], at, directions=False))
        at += size
    return tuple(found)


def clash(modes: dict[str, Span]) -> Finding | None:
    """The first pair of letters that exclude each other."""
    if len(modes) > 1:
        letters = list(modes)
        for index, second in enumerate(letters):
            for first in letters[:index]:
                if frozenset((first, second)) in CLASHES:
                    span = modes[first].to(modes[second])
                    return Finding(
                        "modifier-clash",
                        f"{first} and {second} exclude each other",
                        (span,),
                        "write two parts, one for each",
                    )
    return None
