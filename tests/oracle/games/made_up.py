"""Small games nobody plays, each to try rule fields the known ones leave alone."""

from __future__ import annotations

from dataclasses import replace

from oracle.games.definition import DIAGONAL, ORTHOGONAL, UNLIMITED, Game, Kind, Rules, rays
from oracle.games.known import ALL_WAYS, BISHOP, GOLD, KNIGHT, ROOK, SILVER, promoted

KING = Kind("K", "K", rays(*ALL_WAYS), royal=True)
PAWN = Kind("P", "fW", rays((0, 1)))
GOLD_GENERAL = Kind("G", "WfF", GOLD)
SILVER_GENERAL = Kind("S", "FfW", SILVER)

HANDS = Rules(
    captured="to-hand",
    drops="yes",
    win=("mate", "royal-capture"),
    stalemate="loss",
    repetition=(4, "draw"),
)
ARRAY = "rsgk1/4p/5/P4/1KGSR b - 1"

# Micro shogi's way: a capture turns a piece over, wherever it happens, and back again.
TURNING = Game(
    "turning",
    5,
    5,
    (
        KING,
        Kind("R", "R", ROOK, promotes=("+R",), promotion="forced"),
        Kind(
            "+R",
            "N",
            rays((1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1)),
            base="R",
            promotes=("R",),
            promotion="forced",
        ),
        Kind("S", "FfW", SILVER, promotes=("+S",)),
        promoted("S", "B", BISHOP),
        GOLD_GENERAL,
        replace(PAWN, promotes=("+P",), promotion="stuck", drop_ranks=(1, 4)),
        promoted("P", "WfF", GOLD),
    ),
    replace(HANDS, promotion_when="captures"),
    ARRAY,
)

# Kyoto shogi's way: every move turns the piece over; either side up when it is dropped.
KYOTO = Game(
    "kyoto",
    5,
    5,
    (
        KING,
        Kind("G", "WfF", GOLD, promotes=("+G",), promotion="forced"),
        Kind("+G", "ffN", KNIGHT, base="G", promotes=("G",), promotion="forced"),
        Kind("S", "FfW", SILVER, promotes=("+S",), promotion="forced"),
        Kind("+S", "B", BISHOP, base="S", promotes=("S",), promotion="forced"),
        Kind("P", "fW", rays((0, 1)), promotes=("+P",), promotion="forced"),
        Kind("+P", "R", ROOK, base="P", promotes=("P",), promotion="forced"),
    ),
    replace(HANDS, zone=5, promotion_when="always", drop_form="either"),
    "psk+sg/5/5/5/G+SKSP b - 1",
)

# Chessgi's way: captured pieces keep their form. Optional promotion to two forms, at the far rank.
AS_IS = Game(
    "as_is",
    5,
    5,
    (
        KING,
        Kind("R", "R", ROOK),
        GOLD_GENERAL,
        Kind("S", "FfW", SILVER, promotes=("G", "R"), promotion="optional"),
        Kind("P", "fW", rays((0, 1)), promotes=("G", "R"), promotion="stuck", drop_ranks=(2, 3)),
    ),
    replace(HANDS, captured_form="as-is", zone=1, promotion_when="ends", stalemate="draw"),
    ARRAY,
)

# Two pieces of a kind on a file, counted for moves too; a drop that may not check or must.
CROWDED = Game(
    "crowded",
    5,
    5,
    (
        KING,
        replace(GOLD_GENERAL, drop_check="barred"),
        Kind("S", "FfW", SILVER, drop_check="required"),
        Kind("R", "R", ROOK, drop_ranks=None),
        Kind("P", "fsW", rays((0, 1), (1, 0), (-1, 0)), per_file=2, per_file_on=("drop", "move")),
    ),
    HANDS,
    "rsgk1/p3p/1p3/P2P1/PKGSR b 2Pp 1",
)

# Tori shogi's way: two on a file, for drops alone, and a drop that would mate is barred.
SWALLOWS = Game(
    "swallows",
    5,
    5,
    (
        KING,
        GOLD_GENERAL,
        Kind("S", "FfW", SILVER, drop_mate="barred"),
        Kind("R", "R", ROOK, promotes=("+R",)),
        promoted("R", "RF", ROOK + rays(*DIAGONAL)),
        replace(PAWN, per_file=2, drop_mate="barred", drop_ranks=(1, 4)),
    ),
    replace(HANDS, zone=2, repetition=(3, "loss-repeater")),
    ARRAY,
)

# Only forward moves on a file count: a limit for moves and none for drops.
MOVES_ONLY = Game(
    "moves_only",
    5,
    5,
    (
        KING,
        GOLD_GENERAL,
        Kind(
            "R",
            "R3",
            rays((0, 1), (0, -1), (1, 0), (-1, 0), reach=3),
            per_file=1,
            per_file_on=("move",),
        ),
        PAWN,
    ),
    replace(HANDS, stalemate="win"),
    "r1gkr/p4/5/4P/RKG1R b - 1",
)

# Chu shogi's way: two royal pieces, lost when both are; captured pieces leave the board.
PRINCES = Game(
    "princes",
    6,
    6,
    (
        KING,
        Kind("C", "K", rays(*ALL_WAYS), royal=True),
        Kind("R", "R", ROOK),
        Kind(
            "P",
            "fmWfcF",
            rays((0, 1), way="move") + rays((1, 1), (-1, 1), way="capture"),
            promotes=("R", "C"),
            promotion="forced",
        ),
    ),
    Rules(
        royal_lost="all",
        zone=1,
        promotion_when="ends",
        win=("mate", "royal-capture"),
        repetition=(3, "draw"),
    ),
    "r1kc1r/pp1ppp/6/6/PPP1PP/R1KC1R b - 1",
)

# Two royal pieces of which neither may be lost; bare kings lose; stalemate wins.
PAIR = replace(
    PRINCES,
    name="pair",
    rules=replace(PRINCES.rules, royal_lost="any", win=("mate", "bare"), stalemate="win"),
)

# No check at all: the king is taken, or walks to the last rank.
OPEN_KINGS = Game(
    "open_kings",
    3,
    4,
    (
        Kind("K", "K", rays(*ALL_WAYS), royal=True),
        Kind("G", "F", rays(*DIAGONAL)),
        Kind("R", "W", rays((0, 1), (0, -1), (1, 0), (-1, 0))),
        Kind("P", "fW", rays((0, 1)), promotes=("+P",), promotion="forced"),
        promoted("P", "WfF", GOLD),
    ),
    Rules(
        captured="to-hand",
        drops="yes",
        zone=1,
        promotion_when="ends",
        self_check="allowed",
        win=("royal-capture", "goal"),
        goal=("K", 4, 4),
        stalemate="loss",
        repetition=(3, "draw"),
    ),
    "rkg/1p1/1P1/GKR b - 1",
)

# Three checks win; a repetition under perpetual check is a draw, judged since the last occurrence.
CHECKS = Game(
    "checks",
    5,
    5,
    (KING, Kind("R", "R", ROOK), Kind("B", "B", rays(*DIAGONAL, reach=UNLIMITED)), PAWN),
    Rules(
        win=("mate", "checks:3"),
        repetition=(3, "loss-repeater"),
        perpetual_check="draw",
        perpetual_span="last",
    ),
    "r1k1b/p3p/5/P3P/B1K1R b - 1",
)

# Kings that discover a check with every step out of one, for ever: both sides check throughout.
CROSS_CHECKS = Game(
    "cross_checks",
    7,
    7,
    (
        Kind("K", "R4", rays(*ORTHOGONAL, reach=4), royal=True),
        Kind("B", "B", rays(*DIAGONAL, reach=UNLIMITED)),
    ),
    Rules(repetition=(4, "draw"), perpetual_check="loss"),
    "2b4/3k3/6B/1K5/B6/7/4b2 b - 1",
)

MADE_UP = (
    TURNING,
    KYOTO,
    AS_IS,
    CROWDED,
    SWALLOWS,
    MOVES_ONLY,
    PRINCES,
    PAIR,
    OPEN_KINGS,
    CHECKS,
    CROSS_CHECKS,
)
