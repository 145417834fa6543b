"""Parts of several legs that may be drawn on a board: an index tells which are worth a look.

grammars/bent_columns.tsv has what is drawn of each part near the piece, made of the grammar by
docs/bent_columns.py. What the index offers is still to be drawn and compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from alfil.data_files import read_table
from alfil.diagrams.diagram_model import Offset
from alfil.diagrams.signs import PLAIN_FAMILIES
from alfil.geometry import SYMMETRIES, Symmetry, Vector, apply_symmetry, inverse_symmetry
from alfil.workbench.drawn_board_reader import ENDINGS, DrawnSign

# The index has the squares so far from the piece.
INDEX_RADIUS = 4
SIDE = 2 * INDEX_RADIUS + 1
# The letters that choose the direction that the index has, by the step of the first leg; nothing
# for a part that is drawn as a whole.
FIRST_LETTERS: dict[Vector, str] = {
    (0, 0): "",
    (0, 1): "f",
    (0, 2): "f",
    (0, 3): "f",
    (1, 1): "fr",
    (2, 2): "fr",
    (3, 3): "fr",
    (1, 2): "rf",
}
TURNING_LETTERS = frozenset("[ayzq")
# By which signs a part may be hidden that ends on the same square.
STRONGER = {
    "step": ("leap",),
    "first": ("step", "leap"),
    "hurdle": ("also-hurdle",),
    "locust": ("also-locust",),
}


class DrawnBentPart(NamedTuple):
    """A part and the steps of its first leg that may be drawn, with what they have near the piece.

    ``steps`` is empty for a part that is drawn as a whole.
    """

    text: str
    bases: tuple[Vector, ...]
    steps: frozenset[Vector]
    near: frozenset[tuple[str, Offset]]


class BentIndexRow(NamedTuple):
    """Parts of which one direction, that of ``step``, is drawn alike."""

    step: Vector
    mask: int
    kinds: tuple[tuple[str, int], ...]
    texts: tuple[str, ...]


def insert_direction_letters(text: str, letters: str) -> str:
    """A part of which letters choose the direction of the first leg.

    >>> insert_direction_letters("afsW", "f"), insert_direction_letters("[F?R]", "fr")
    ('fafsW', '[frF?R]')
    """
    bracket = "[" if text.startswith("[") else ""
    return f"{bracket}{letters}{text.removeprefix(bracket)}"


def has_bent_part(text: str) -> bool:
    """Whether a piece has a part of several legs.

    >>> has_bent_part("RafsF"), has_bent_part("RmN")
    (True, False)
    """
    return not TURNING_LETTERS.isdisjoint(text)


def sign_kind_name(sign: DrawnSign) -> str:
    """The shape of a sign and how a move ends there.

    >>> sign_kind_name(DrawnSign((0, 1), "leap", "move"))
    'leap-move'
    """
    return f"{sign.family}-{sign.ending}" if sign.ending else sign.family


def index_square_number(at: Offset) -> int:
    """The number of a square within the radius of the index."""
    return (at[1] + INDEX_RADIUS) * SIDE + at[0] + INDEX_RADIUS


@cache
def _first_bit_by_sign_kind() -> dict[str, int]:
    """The first bit of each kind of sign in the masks of the index."""
    names = {
        kind.partition(":")[0]
        for _, signs, _ in read_table("grammars", "bent_columns.tsv")
        for kind in signs.split(" ")
    }
    return {name: at * SIDE * SIDE for at, name in enumerate(sorted(names))}


@cache
def _load_index() -> tuple[BentIndexRow, ...]:
    places = _first_bit_by_sign_kind()
    rows: list[BentIndexRow] = []
    for first, signs, texts in read_table("grammars", "bent_columns.tsv"):
        x, _, y = first.partition(",")
        kinds = tuple(
            (name, int(bits, 16))
            for name, _, bits in (each.partition(":") for each in signs.split(" "))
        )
        mask = sum(bits << places[name] for name, bits in kinds)
        rows.append(BentIndexRow((int(x), int(y)), mask, kinds, tuple(texts.split(" "))))
    return tuple(rows)


def bent_part_candidates(signs: Collection[DrawnSign], radius: int) -> Iterator[DrawnBentPart]:
    """The parts of which the index has nothing near the piece that is not drawn.

    Of these only the directions that are drawn.
    """
    bases: dict[str, list[Vector]] = {}
    steps: dict[str, dict[Vector, frozenset[tuple[str, Offset]]]] = {}
    allowed = [_mask_of_drawn_signs(signs, radius, each) for each in SYMMETRIES]
    for row in _load_index():
        fits = [at for at, mask in enumerate(allowed) if not row.mask & ~mask]
        if row.step == (0, 0) and len(fits) < len(allowed):
            continue
        for text in row.texts:
            bases.setdefault(text, []).append(row.step)
        if fits:
            squares = _signs_of_index_row(row)
            for at in fits:
                back = inverse_symmetry(SYMMETRIES[at])
                near = frozenset((name, apply_symmetry(back, square)) for name, square in squares)
                for text in row.texts:
                    steps.setdefault(text, {})[apply_symmetry(back, row.step)] = near
    for text, drawn in steps.items():
        near = frozenset().union(*drawn.values())
        yield DrawnBentPart(text, tuple(bases[text]), frozenset(drawn) - {(0, 0)}, near)


def _signs_of_index_row(row: BentIndexRow) -> list[tuple[str, Offset]]:
    return [
        (name, (at % SIDE - INDEX_RADIUS, at // SIDE - INDEX_RADIUS))
        for name, bits in row.kinds
        for at in range(SIDE * SIDE)
        if bits >> at & 1
    ]


def _mask_of_drawn_signs(signs: Collection[DrawnSign], radius: int, turned: Symmetry) -> int:
    """What may be drawn near the piece, the board being turned.

    Outside of the board that is everything where an arrow leads there, and else nothing.
    """
    places = _first_bit_by_sign_kind()
    mask = 0
    for sign in signs:
        if max(map(abs, sign.at)) <= INDEX_RADIUS:
            bit = 1 << index_square_number(apply_symmetry(turned, sign.at))
            for name in visible_and_hidden_sign_kinds(sign, signs):
                if name in places:
                    mask |= bit << places[name]
    if not any(sign.family == "arrow" for sign in signs):
        return mask
    outside = sum(
        1 << index_square_number((x, y))
        for x in range(-INDEX_RADIUS, INDEX_RADIUS + 1)
        for y in range(-INDEX_RADIUS, INDEX_RADIUS + 1)
        if max(abs(x), abs(y)) > radius
    )
    for place in places.values():
        mask |= outside << place
    return mask


def visible_and_hidden_sign_kinds(sign: DrawnSign, signs: Collection[DrawnSign]) -> Iterator[str]:
    """The kinds of signs that a sign among others stands for or may hide."""
    yield sign_kind_name(sign)
    for weaker, stronger in STRONGER.items():
        if sign.family in stronger:
            for ending in ENDINGS["either"]:
                plain = (sign._replace(family=each, ending=ending) for each in PLAIN_FAMILIES)
                if sign.ending == ending or (not sign.ending and any(a in signs for a in plain)):
                    yield f"{weaker}-{ending}"
