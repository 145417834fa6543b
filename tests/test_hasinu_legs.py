"""Legs of every kind in bends and loops: INF, embedded Betza, true angles, by trying all paths.

The walk here knows leaps and angles in degrees, and nothing of alfil.
"""

from __future__ import annotations

import random
from math import atan2, degrees

import pytest

import alfil

Offset = tuple[int, int]
Moves = set[tuple[Offset, tuple[Offset, ...]]]
STRAIGHT: list[Offset] = [(0, 1), (1, 0), (0, -1), (-1, 0)]
SLANTING: list[Offset] = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
KNIGHT: list[Offset] = [
    (x * each[0], y * each[1]) for each in ((1, 2), (2, 1)) for x in (1, -1) for y in (1, -1)
]
AHEAD: list[Offset] = [(-1, 2), (1, 2)]


def box(wide: int, high: int) -> list[Offset]:
    return [
        (x, y) for x in range(-wide, wide + 1) for y in range(-high, high + 1) if (x, y) != (0, 0)
    ]


LEGS: dict[str, list[Offset]] = {
    "1×4dO": STRAIGHT,
    "1×4dD": SLANTING,
    "1×8d": STRAIGHT + SLANTING,
    "1×1dN": [(0, 1)],
    "(1,2)": KNIGHT,
    "(1,2)ab": AHEAD,
    "INF(1,1)": box(1, 1),
    "INF(2,0)": box(2, 0),
    "INF(1,2)": box(1, 2),
    r"\N": KNIGHT,
    r"\W": STRAIGHT,
    r"\F": SLANTING,
    r"\ffN": AHEAD,
}
# Angles of true turns; by those of the compass leaps turn to the next leap.
ANGLES = ("", "26.57", "63.43", "53.13", "36.87", "116.57", "153.43")
FAR = 4


def turns(angle: str | None, before: Offset, after: Offset) -> bool:
    """Whether a turn leads from one step to another: outward, at an angle, or anywhere."""
    if angle is None:
        return True
    (a, b), (c, d) = before, after
    size = abs(degrees(atan2(a * d - b * c, a * c + b * d)))
    return abs(size - float(angle)) < 0.5 if angle else 0.01 < size < 90.01


def tried(
    legs: list[list[Offset]], angles: list[str | None], fewest: int, around: dict[str, set[Offset]]
) -> Moves:
    """All moves of so many legs in a row, at least the fewest: each ends, or goes on if empty."""
    found: Moves = set()
    paths: list[tuple[Offset, Offset | None]] = [((0, 0), None)]
    for number, leg in enumerate(legs, 1):
        before, paths = paths, []
        for at, last in before:
            for step in leg:
                if last is not None and not turns(angles[number - 2], last, step):
                    continue
                to = (at[0] + step[0], at[1] + step[1])
                if to in around["friends"]:
                    continue
                taken = (to,) if to in around["enemies"] else ()
                if number >= fewest and to != (0, 0):
                    found.add((to, taken))
                if not taken:
                    paths.append((to, step))
    return found


def scattered(chance: random.Random) -> dict[str, set[Offset]]:
    squares = chance.sample(box(FAR, FAR), 16)
    return {"enemies": set(squares[:8]), "friends": set(squares[8:])}


def moves(text: str, around: dict[str, set[Offset]]) -> Moves:
    piece = alfil.read(text, "hasinu")
    return {(move.to, move.captures) for move in alfil.moves(piece, radius=2 * FAR, **around)}  # type: ignore[arg-type]


def test_bent_moves_of_legs_of_every_kind() -> None:
    chance = random.Random(14)
    compared = 0
    for _ in range(150):
        names = chance.choices(list(LEGS), k=chance.choice((2, 2, 3)))
        angles: list[str | None] = [*chance.choices(ANGLES, k=len(names) - 1)]
        text = names[0]
        for angle, name in zip(angles, names[1:], strict=True):
            text += f" &t{f'{angle}°' if angle else ''} {name}"
        around = scattered(chance)
        legs = [LEGS[name] for name in names]
        wanted = tried(legs, angles, 1, around)
        try:
            found = moves(text, around)
        except alfil.NotationError as error:
            if error.kind != "angle-off-rose":
                raise
            continue
        assert found == wanted, text
        compared += 1
    assert compared > 90


def test_loops_of_legs_of_every_kind() -> None:
    chance = random.Random(15)
    for name, steps in LEGS.items():
        around = scattered(chance)
        two = [steps, steps]
        assert moves(f"2({name})", around) == tried(two, [None], 2, around), name
        assert moves(f"{{1,2}}({name})", around) == tried(two, [None], 1, around), name


def test_a_loop_that_goes_straight_on_may_be_a_rampage() -> None:
    def same(one: str, other: str) -> bool:
        return alfil.same(alfil.read(one, "hasinu"), alfil.read(other, "hasinu"))

    assert same("rpg(n(1×4dO &t0°))", "rpg(n4dO)")
    assert same("rpg(n(1×4dO &t0°),G)", "rpg(n4dO,G)")
    assert same("rpg({1,2,3}(1×1dN &t0°),FE)", "rpg({1,2,3}×1dN,FE)")
    assert same("rpg(n((1,2)ab &t0°))", "rpg(n(1,2)ab)")
    for text in ("rpg(n(1×4dO))", "rpg(n(1×4dO &t90°))", "rpg(2((1,2)))"):
        with pytest.raises(alfil.MeaningError, match="straight line"):
            _ = alfil.read(text, "hasinu").meaning
