"""A notation for squares that somebody drew: the shortest of the Betza that goes just there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from alfil.api import destinations, write
from alfil.errors import AlfilError
from alfil.grammars import kept, program

Square = tuple[int, int]
# A square and what the piece may do there: 1 to move, 2 to capture.
Deed = tuple[int, int, int]

# How far squares are drawn from the piece.
RADIUS = 4
MODES = {"": (1, 2), "m": (1,), "c": (2,)}
ATOMS = ["K", "W", "F", "D", "N", "A", "H", "C", "Z", "G"]
RIDERS = ["Q", "R", "B", "NN", "DD", "AA"]
RANGES = "WFKDN"
WAYS = ["", *"fblrvs", *(two + one for two in ("ff", "bb") for one in "lr")]
WAYS += [end + side for end in "fbv" for side in "lr"]
WAYS += ["fs", "bs"]
WAYS += ["ff", "bb", "ll", "rr", "vv", "ss", "fh", "bh", "lh", "rh"]
WAYS += [two + one for two in ("ll", "rr") for one in "fb"]
# So many choices are looked at; what is best by then is taken.
MOST = 4_000


def fitted(marks: Mapping[Square, int]) -> str:
    """The Betza of a piece that goes to these squares of an empty board, within `RADIUS`.

    A mark is 1 to move, 2 to capture, 3 for both. Empty where no combination of leaps and straight
    rides fits. What is not drawn, as squares beyond the radius, is as the text has it.

    >>> fitted({(1, 2): 3, (-1, 2): 3}), fitted({(0, 1): 1, (1, 1): 2, (-1, 1): 2})
    ('fN', 'fmWfcF')
    """
    wanted = {(x, y, bit) for (x, y), how in marks.items() for bit in (1, 2) if how & bit}
    parts = [(text, deeds) for text, deeds in _parts(wanted) if deeds <= wanted]
    chosen = _cover(frozenset(wanted), sorted(parts, key=lambda each: -len(each[1])))
    return write("".join(chosen)) if chosen else ""


def _parts(wanted: set[Deed]) -> Iterator[tuple[str, frozenset[Deed]]]:
    drawn = {(x, y) for x, y, _ in wanted}
    for text, squares in _known():
        if drawn.issuperset(squares):
            for mode, bits in MODES.items():
                yield mode + text, frozenset((x, y, bit) for x, y in squares for bit in bits)


def _cover(
    wanted: frozenset[Deed], parts: list[tuple[str, frozenset[Deed]]]
) -> tuple[str, ...] | None:
    """The shortest texts that have all deeds between them, None where there are none."""
    best: tuple[str, ...] | None = None
    left = MOST
    stack: list[tuple[frozenset[Deed], tuple[str, ...]]] = [(wanted, ())]
    while stack and left:
        left -= 1
        missing, chosen = stack.pop()
        length = sum(map(len, chosen))
        if best is not None and length >= sum(map(len, best)):
            continue
        if not missing:
            best = chosen
            continue
        goal = min(missing)
        # The widest part is tried first, as the last on the stack.
        able = [each for each in parts if goal in each[1]]
        for text, deeds in sorted(able, key=lambda each: len(each[1] & missing) / len(each[0])):
            stack.append((missing - deeds, (*chosen, text)))
    return best


@cache
def _known() -> list[tuple[str, list[Square]]]:
    """Texts of one part with the squares they go to; the shortest of those that go to the same."""
    return kept("fitting", (program(),), _worked_out)


def _worked_out() -> list[tuple[str, list[Square]]]:
    found: dict[frozenset[Square], str] = {}
    texts = [way + atom for atom in (*ATOMS, *RIDERS) for way in WAYS]
    texts += [f"{way}{atom}{limit}" for atom in RANGES for limit in (2, 3) for way in WAYS]
    for text in sorted(texts, key=len):
        try:
            squares = destinations(text, RADIUS)
        except AlfilError:
            continue
        found.setdefault(squares, text)
    return [(text, sorted(squares)) for squares, text in found.items()]
