"""Games put together by hand, so that tests of the engine need no piece files."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import alfil
from alfil.game.variant import (
    Impasse,
    Kind,
    MatchLength,
    Placed,
    Repetition,
    Rules,
    Variant,
    Win,
)


def kind(code: str, name: str, move: str, **fields: object) -> Kind:
    """One kind; ``move`` is Betza, or Ħasínū after "hasinu:"."""
    notation, _, text = move.rpartition(":")
    meaning = alfil.read(text, notation=notation or "betza").meaning
    fields.setdefault("letter", code)
    fields.setdefault("base", code)
    return Kind(code=code, name=name, meaning=meaning, **fields)  # type: ignore[arg-type]


def setup(rows: str, kinds: tuple[Kind, ...], *, mirrored: bool = False) -> tuple[Placed, ...]:
    """Both sides' pieces from the first side's rows, nearest rank last, and the board's size."""
    size, *lines = rows.split("\n")
    files, ranks = (int(each) for each in size.split("x"))
    codes = {each.code for each in kinds}
    placed = []
    for up, line in enumerate(reversed([each.split() for each in lines if each.strip()])):
        for file, code in enumerate(line):
            if code in codes:
                other = file if mirrored else files - 1 - file
                placed.append(Placed((file, up), 0, code))
                placed.append(Placed((other, ranks - 1 - up), 1, code))
    return tuple(placed)


def variant(
    name: str,
    rows: str,
    kinds: tuple[Kind, ...],
    rules: Rules,
    *,
    mirrored: bool = False,
    hands: tuple[tuple[str, int], ...] = (),
) -> Variant:
    """A game; ``rows`` begins with the size of the board, as "9x9"."""
    files, ranks = (int(each) for each in rows.split("\n", maxsplit=1)[0].split("x"))
    placed = setup(rows, kinds, mirrored=mirrored)
    return Variant(name, name, files, ranks, rules, kinds, placed, (hands, hands))


SHOGI_FAMILY = Rules(captured="to-hand", drops="yes", win=(Win("mate"), Win("royal-capture")))


@cache
def hand_shogi() -> Variant:
    kinds = (
        kind("K", "king", "K", royal=True),
        kind("T", "tycoon", "Q3"),
        kind("SH", "shogun", "Q2", letter="U"),
        kind("G", "gold general", "WfF"),
        kind("S", "silver general", "FfW"),
        kind("PD", "pard", "AD", letter="D"),
        kind("O", "onager", "D", drop_check="required"),
        kind("H", "hasty", "A", drop_check="required"),
        kind("N", "knight", "ffN", promotes=("+N",), promotion="forced", drop_ranks=(1, 6)),
        kind("+N", "promoted knight", "WfF", base="N"),
        kind("L", "lance", "fR", drop_ranks=(1, 8)),
        kind(
            "SO",
            "soldier",
            "fsW",
            letter="P",
            per_file=1,
            per_file_on=frozenset({"drop", "move"}),
        ),
    )
    rules = replace(
        SHOGI_FAMILY,
        zone=3,
        promotion_when="ends",
        stalemate="loss",
        repetition=Repetition(4, "draw"),
        perpetual_check="loss",
        illegal_move="loss",
        impasse=Impasse("agreement"),
        impasse_needs="royals-in-zone",
        match=MatchLength("consecutive", 2),
    )
    rows = "9x9\n. . . SO SO SO . . .\n. . SO . PD . SO . .\n. . G . K . G . ."
    hands = (("T", 1), ("SH", 1), ("S", 2), ("O", 1), ("H", 1), ("N", 2), ("L", 2))
    return variant("hand_shogi", rows, kinds, rules, hands=hands)


def shogi_kinds(ranks: int) -> tuple[Kind, ...]:
    gold = "WfF"
    return (
        kind("R", "rook", "R", promotes=("+R",)),
        kind("B", "bishop", "B", promotes=("+B",)),
        kind("G", "gold general", gold),
        kind("S", "silver general", "FfW", promotes=("+S",)),
        kind("N", "knight", "ffN", promotes=("+N",), promotion="stuck", drop_ranks=(1, ranks - 2)),
        kind("L", "lance", "fR", promotes=("+L",), promotion="stuck", drop_ranks=(1, ranks - 1)),
        kind(
            "P",
            "pawn",
            "fW",
            promotes=("+P",),
            promotion="stuck",
            drop_ranks=(1, ranks - 1),
            drop_mate="barred",
            per_file=1,
        ),
        kind("K", "king", "K", royal=True),
        kind("+R", "dragon", "RF", base="R"),
        kind("+B", "horse", "BW", base="B"),
        kind("+S", "promoted silver", gold, base="S"),
        kind("+N", "promoted knight", gold, base="N"),
        kind("+L", "promoted lance", gold, base="L"),
        kind("+P", "tokin", gold, base="P"),
    )


@cache
def shogi() -> Variant:
    rules = replace(
        SHOGI_FAMILY,
        zone=3,
        stalemate="loss",
        repetition=Repetition(4, "draw"),
        perpetual_check="loss",
        impasse=Impasse("points", (27, 27)),
        impasse_needs="royals-in-zone",
    )
    rows = "9x9\nP P P P P P P P P\n. B . . . . . R .\nL N S G K G S N L"
    return variant("shogi", rows, shogi_kinds(9), rules)


@cache
def minishogi() -> Variant:
    rules = replace(
        SHOGI_FAMILY,
        zone=1,
        stalemate="loss",
        repetition=Repetition(4, "loss-first"),
        perpetual_check="loss",
    )
    rows = "5x5\nP . . . .\nK G S B R"
    rows = "5x5\n. . . . .\nP . . . .\nK G S B R".replace(". . . . .\n", "")
    return variant("minishogi", rows, shogi_kinds(5), rules)


@cache
def chess() -> Variant:
    kinds = (
        kind(
            "P",
            "pawn",
            "ifmnDfmWfceF",
            promotes=("Q", "R", "B", "N"),
            promotion="forced",
        ),
        kind("N", "knight", "N"),
        kind("B", "bishop", "B"),
        kind("R", "rook", "R"),
        kind("Q", "queen", "Q"),
        kind("K", "king", "KisO2", royal=True),
    )
    rules = Rules(
        first="white",
        zone=1,
        promotion_when="ends",
        repetition=Repetition(3, "draw"),
    )
    rows = "8x8\nP P P P P P P P\nR N B Q K B N R"
    return variant("chess", rows, kinds, rules, mirrored=True)
