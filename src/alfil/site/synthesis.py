"""A notation for squares that somebody drew: the shortest of the Betza that goes just there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from alfil.api import destinations, write
from alfil.data_files import cached, program_stamp
from alfil.errors import AlfilError

Square = tuple[int, int]
# A square and what the piece may do there: 1 to move, 2 to capture.
SquareAbility = tuple[int, int, int]

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
MAX_PARTS = 4_000


def synthesise(marks: Mapping[Square, int]) -> str:
    """The Betza of a piece that goes to these squares of an empty board, within `RADIUS`.

    A mark is 1 to move, 2 to capture, 3 for both. Empty where no combination of leaps and straight
    rides fits. What is not drawn, as squares beyond the radius, is as the text has it.

    >>> synthesise({(1, 2): 3, (-1, 2): 3}), synthesise({(0, 1): 1, (1, 1): 2, (-1, 1): 2})
    ('fN', 'fmWfcF')
    """
    target = {(x, y, bit) for (x, y), how in marks.items() for bit in (1, 2) if how & bit}
    parts = [(text, deeds) for text, deeds in _fitting_parts(target) if deeds <= target]
    chosen = _shortest_cover(frozenset(target), sorted(parts, key=lambda each: -len(each[1])))
    return write("".join(chosen)) if chosen else ""


def _fitting_parts(target: set[SquareAbility]) -> Iterator[tuple[str, frozenset[SquareAbility]]]:
    squares_drawn = {(x, y) for x, y, _ in target}
    for text, squares in _part_squares():
        if squares_drawn.issuperset(squares):
            for mode, bits in MODES.items():
                yield mode + text, frozenset((x, y, bit) for x, y in squares for bit in bits)


def _shortest_cover(
    target: frozenset[SquareAbility], parts: list[tuple[str, frozenset[SquareAbility]]]
) -> tuple[str, ...] | None:
    """The shortest texts that have all deeds between them, None where there are none."""
    best: tuple[str, ...] | None = None
    left = MAX_PARTS
    stack: list[tuple[frozenset[SquareAbility], tuple[str, ...]]] = [(target, ())]
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
def _part_squares() -> list[tuple[str, list[Square]]]:
    """Texts of one part with the squares they go to; the shortest of those that go to the same."""
    return cached("fitting", (program_stamp(),), _compute_part_squares)


def _compute_part_squares() -> list[tuple[str, list[Square]]]:
    result: dict[frozenset[Square], str] = {}
    texts = [way + atom for atom in (*ATOMS, *RIDERS) for way in WAYS]
    texts += [f"{way}{atom}{limit}" for atom in RANGES for limit in (2, 3) for way in WAYS]
    for text in sorted(texts, key=len):
        try:
            squares = destinations(text, RADIUS)
        except AlfilError:
            continue
        result.setdefault(squares, text)
    return [(text, sorted(squares)) for squares, text in result.items()]
