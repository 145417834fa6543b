"""Hand shogi, shogi and minishogi, from section 2 and section 6 of the rules."""

from __future__ import annotations

from dataclasses import replace

from oracle.games.definition import (
    DIAGONAL,
    ORTHOGONAL,
    UNLIMITED,
    Game,
    Kind,
    Ray,
    Rules,
    rays,
)

ALL_WAYS = (*ORTHOGONAL, *DIAGONAL)
GOLD = rays((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1))
SILVER = rays((0, 1), *DIAGONAL)
KNIGHT = rays((1, 2), (-1, 2))
LANCE = rays((0, 1), reach=UNLIMITED)
BISHOP = rays(*DIAGONAL, reach=UNLIMITED)
ROOK = rays(*ORTHOGONAL, reach=UNLIMITED)

# The four moves that are a reconstruction: always given by name, so that they can be changed.
RECONSTRUCTED: dict[str, tuple[str, tuple[Ray, ...]]] = {
    "T": ("Q3", rays(*ALL_WAYS, reach=3)),
    "SH": ("Q2", rays(*ALL_WAYS, reach=2)),
    "O": ("D", rays((0, 2), (0, -2), (2, 0), (-2, 0))),
    "H": ("A", rays((2, 2), (-2, 2), (2, -2), (-2, -2))),
}

HAND_SHOGI_START = "2g1k1g2/2p1d1p2/3ppp3/9/9/9/3PPP3/2P1D1P2/2G1K1G2 b TU2SOH2N2Ltu2soh2n2l 1"


def hand_shogi(moves: dict[str, tuple[str, tuple[Ray, ...]]] | None = None) -> Game:
    """Hand shogi; ``moves`` replaces moves of T, SH, O and H, as Betza and rays."""
    lost = RECONSTRUCTED | (moves or {})
    kinds = (
        Kind("K", "K", rays(*ALL_WAYS), royal=True),
        Kind("T", *lost["T"]),
        Kind("SH", *lost["SH"], letter="U"),
        Kind("G", "WfF", GOLD),
        Kind("S", "FfW", SILVER),
        Kind("PD", "AD", rays(*((2 * dx, 2 * dy) for dx, dy in ALL_WAYS)), letter="D"),
        Kind("O", *lost["O"], drop_check="required"),
        Kind("H", *lost["H"], drop_check="required"),
        Kind("N", "ffN", KNIGHT, promotes=("+N",), promotion="forced", drop_ranks=(1, 6)),
        Kind("+N", "WfF", GOLD, base="N"),
        Kind("L", "fR", LANCE, drop_ranks=(1, 8)),
        Kind(
            "SO",
            "fsW",
            rays((0, 1), (1, 0), (-1, 0)),
            letter="P",
            per_file=1,
            per_file_on=("drop", "move"),
        ),
    )
    rules = Rules(
        captured="to-hand",
        drops="yes",
        zone=3,
        promotion_when="ends",
        win=("mate", "royal-capture"),
        stalemate="loss",
        repetition=(4, "draw"),
        perpetual_check="loss",
        impasse="agreement",
        impasse_needs="royals-in-zone",
    )
    return Game("hand_shogi", 9, 9, kinds, rules, HAND_SHOGI_START)


def promoted(base: str, betza: str, steps: tuple[Ray, ...]) -> Kind:
    """The promoted form of a shogi piece."""
    return Kind("+" + base, betza, steps, base=base)


def shogi_kinds(ranks: int, pawn_last: int) -> tuple[Kind, ...]:
    """The pieces of ordinary shogi; those that cannot go back may not be dropped where stuck."""
    return (
        Kind("K", "K", rays(*ALL_WAYS), royal=True),
        Kind("R", "R", ROOK, promotes=("+R",)),
        promoted("R", "RF", ROOK + rays(*DIAGONAL)),
        Kind("B", "B", BISHOP, promotes=("+B",)),
        promoted("B", "BW", BISHOP + rays(*ORTHOGONAL)),
        Kind("G", "WfF", GOLD),
        Kind("S", "FfW", SILVER, promotes=("+S",)),
        promoted("S", "WfF", GOLD),
        Kind("N", "ffN", KNIGHT, promotes=("+N",), promotion="stuck", drop_ranks=(1, ranks - 2)),
        promoted("N", "WfF", GOLD),
        Kind("L", "fR", LANCE, promotes=("+L",), promotion="stuck", drop_ranks=(1, pawn_last)),
        promoted("L", "WfF", GOLD),
        Kind(
            "P",
            "fW",
            rays((0, 1)),
            promotes=("+P",),
            promotion="stuck",
            drop_ranks=(1, pawn_last),
            drop_mate="barred",
            per_file=1,
        ),
        promoted("P", "WfF", GOLD),
    )


SHOGI_RULES = Rules(
    captured="to-hand",
    drops="yes",
    zone=3,
    promotion_when="touches",
    win=("mate", "royal-capture"),
    stalemate="loss",
    repetition=(4, "draw"),
    perpetual_check="loss",
    impasse="agreement",
    impasse_needs="royals-in-zone",
)


def shogi() -> Game:
    """Ordinary shogi; its impasse by points is left out."""
    start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
    return Game("shogi", 9, 9, shogi_kinds(9, 8), SHOGI_RULES, start)


def minishogi() -> Game:
    """Minishogi: five by five, a zone of one rank, the first player may not force repetition."""
    kinds = tuple(kind for kind in shogi_kinds(5, 4) if kind.unpromoted in "KRBGSP")
    rules = replace(SHOGI_RULES, zone=1, repetition=(4, "loss-first"))
    return Game("minishogi", 5, 5, kinds, rules, "rbsgk/4p/5/P4/KGSBR b - 1")
