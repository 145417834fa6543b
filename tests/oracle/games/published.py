"""Two small games that people play and a program knows, for rule fields shogi does not use."""

from __future__ import annotations

from dataclasses import replace

from oracle.games.definition import DIAGONAL, UNLIMITED, Game, Kind, Ray, rays
from oracle.games.known import (
    ALL_WAYS,
    BISHOP,
    GOLD,
    KNIGHT,
    LANCE,
    ROOK,
    SHOGI_RULES,
    SILVER,
    promoted,
)

KING = Kind("K", "K", rays(*ALL_WAYS), royal=True)


def turning(
    code: str, betza: str, steps: tuple[Ray, ...], other: tuple[str, tuple[Ray, ...]]
) -> tuple[Kind, Kind]:
    """Both sides of a piece that turns over with every move."""
    return (
        Kind(code, betza, steps, promotes=("+" + code,), promotion="forced"),
        Kind("+" + code, other[0], other[1], base=code, promotes=(code,), promotion="forced"),
    )


# Every move turns the piece over; it may be dropped either side up, and anywhere.
KYOTO_SHOGI = Game(
    "kyoto_shogi",
    5,
    5,
    (
        KING,
        *turning("L", "fR", LANCE, ("WfF", GOLD)),
        *turning("S", "FfW", SILVER, ("B", BISHOP)),
        *turning("N", "ffN", KNIGHT, ("WfF", GOLD)),
        *turning("P", "fW", rays((0, 1)), ("R", ROOK)),
    ),
    replace(SHOGI_RULES, zone=5, promotion_when="always", drop_form="either"),
    "p+nks+l/5/5/5/+LSK+NP b - 1",
)

# Two swallows may be dropped on a file, and none to give mate; promotion is forced.
TORI_SHOGI = Game(
    "tori_shogi",
    7,
    7,
    (
        KING,
        Kind(
            "F",
            "FfrlW",
            rays((0, 1), (1, 0), (-1, 0), *DIAGONAL),
            promotes=("+F",),
            promotion="forced",
        ),
        promoted(
            "F",
            "WfBbRbB2",
            rays((0, 1), (1, 0), (-1, 0))
            + rays((1, 1), (-1, 1), (0, -1), reach=UNLIMITED)
            + rays((1, -1), (-1, -1), reach=2),
        ),
        Kind("C", "FvW", rays((0, 1), (0, -1), *DIAGONAL)),
        Kind("P", "fDbF", rays((0, 2), (1, -1), (-1, -1))),
        Kind("L", "fRrbBlbF", LANCE + rays((1, -1), reach=UNLIMITED) + rays((-1, -1))),
        Kind("R", "fRlbBrbF", LANCE + rays((-1, -1), reach=UNLIMITED) + rays((1, -1))),
        Kind(
            "S",
            "fW",
            rays((0, 1)),
            promotes=("+S",),
            promotion="forced",
            drop_ranks=(1, 6),
            per_file=2,
            drop_mate="barred",
        ),
        promoted("S", "fAbD", rays((2, 2), (-2, 2), (0, -2))),
    ),
    replace(SHOGI_RULES, zone=2),
    "rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR b - 1",
)
