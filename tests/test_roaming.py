"""Pieces that roam: their automata have loops, wrap, or go as far as they can, so that they are
walked, by the engine as by the slow rules.
"""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

import alfil
from agreeing import refused, walk
from alfil import Game
from alfil.game import roaming_pieces  # how much room there is
from games import KING, game, kind
from inside import Variant
from strategies import NIGHTLY

# Loops that move, hop, capture one or several, shoot from home, go round the board, or on and on.
WALKED = (
    *("hasinu:n(1×8d)", "hasinu:m(n(1×4dO)) & c(1×8d)", "hasinu:n(j(2×4dO))", "hasinu:n((1,2))"),
    *("hasinu:n(c(1×8d))", "hasinu:n(c(1×4dO) &t90°)", "hasinu:n(1×4dO &t90°)"),
    *("hasinu:rpg(n8d,FE)", "hasinu:c(n4dO) &t90° rpg(n4dD,FE)", "hasinu:rpg(n4dO,F)"),
    *("hasinu:n(1×8d) & i(c(1×8d))", "(ad)F", "(afsmc)W"),
    *("oR", "ooB", "oonN", "oKcamK", "ocRmB", "oomRceoF", "mWooceoF", "ooQ"),
    *("mnoRcoeF", "mnooB3cooeW", "foR*bW", "inoRK"),
)
OTHERS = ("R", "N", "KNADcaKmcabK", "mRcpR", "fmWfceFifmnD", "gQ", "fWfF")
IN_THE_WAY: tuple[dict[str, tuple[str, ...]], ...] = (
    *({}, {}, {"blocked_by": ("N",)}, {"blocked_by": ("A", "B")}, {"blocked_by": ("K",)}),
    *({"no_jump_over": ("N", "R")}, {"no_jump_over": ("A", "B")}, {"no_jump_over": ("K",)}),
)
RULES: tuple[dict[str, object], ...] = (
    *({}, {}, {"captured": "to-hand", "drops": "yes"}, {"self_check": "allowed"}),
    *({"explosion": "captures"}, {"wall": "left"}, {"flip": "adjacent"}),
    *({"royal_lost": "all"}, {"must_capture": "yes"}, {"passes": "allowed"}, {"passes": "stuck"}),
    *({"facing": "barred"}, {"giving_check": "barred"}, {"flight": "barred"}, {"drops": "free"}),
)
# Seldom are so few moves that two in a row are counted by the slow rules as well.
PLIES, GAMES, FEW = 6, 200 if NIGHTLY else 12, 16


def made_up(draw: random.Random) -> Variant | None:
    """A game of two pieces that roam and others; None where they and its rules do not fit."""
    files = draw.randint(5, 6)
    royal = draw.choice(WALKED) if draw.random() < 1 / 8 else "K"
    kinds = [kind("K", royal, royal=True)]
    for code in "AB":
        promotes = draw.choice(((), (), ("N", "R"), ("R",)))
        notation, stops = draw.choice(WALKED), draw.choice(IN_THE_WAY)
        kinds.append(kind(code, notation, promotes=promotes, **stops))
    blocked = draw.choice(((), (), (), ("A",)))
    kinds.append(kind("N", draw.choice(OTHERS), immune_to=draw.choice(((), (), ("A",)))))
    kinds.append(kind("R", draw.choice(OTHERS), blocked_by=blocked))
    kinds.append(kind("P", draw.choice(("fmWfceFifmnD", "fmWfceFimfW2", "fmRfcF"))))
    back = ["K", "A", "B", *draw.choices("NR.", k=files - 3)]
    draw.shuffle(back)
    rows = " ".join(draw.choices("PPPNR.", k=files)) + "/" + " ".join(back)
    try:
        made = game(rows, kinds, files=files, zone=2, **draw.choice(RULES))
    except alfil.AlfilError:
        return None
    # Of those that may not jump over others, some have paths that do not tell whether they jump.
    return None if any(each.no_jump_over for each in made.kinds) and refused(made) else made


@pytest.mark.parametrize("seed", range(GAMES))
def test_pieces_that_roam_are_played_by_the_rules(seed: int) -> None:
    draw = random.Random(f"roaming {seed}")
    made = next(each for _ in range(100) if (each := made_up(draw)) is not None)
    assert not refused(made)
    # The engine may list more than the slow rules would.
    with suppress(alfil.BoardError):
        walk(Game(made), draw, PLIES, 2, FEW)


def test_what_is_dropped_may_be_captured_on_the_way_to_a_royal() -> None:
    kinds = [KING, kind("B", "mKc(ac)K"), kind("N", "mRcpR"), kind("P", "fW")]
    rules: dict[str, object] = {"captured": "to-hand", "drops": "yes"}
    made = game("K B N P .", kinds, files=5, **rules)
    texts = {*map(str, Game(made, "k4/2b2/2P2/5/K4 b N 1").legal_moves)}
    assert {f"N*{at}" for at in ("4d", "3d", "2d")} & texts == {"N*2d", "N*3d"}


def test_more_moves_than_can_be_listed_are_said_to_be_too_many() -> None:
    made = game(
        "A P A . ./K A P A P", [KING, kind("A", "(amc)K"), kind("P", "fW")], files=5, ranks=6
    )
    with pytest.raises(alfil.BoardError, match=": A on ") as caught:
        assert Game(made).legal_moves
    assert caught.value.kind == "too-many-moves"


def test_a_move_taken_back_holds_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Captures on the way are written down, and forgotten with the moves that they belong to."""
    monkeypatch.setattr(roaming_pieces, "MAX_CAPTURE_PATHS", 1400)
    kinds = [KING, kind("G", "hasinu:rpg(n8d,FE)"), kind("P", "fmWfceF")]
    rows = "P P P P P P P P P P P P P P/. G . . . . K . . . . . G ."
    made = game(rows, kinds, files=14, ranks=14, self_check="allowed")
    draw = random.Random(1)
    for _ in range(60 if NIGHTLY else 40):
        played = Game(made)
        for _ in range(12):
            taking = [move for move in played.legal_moves if len(move.captures) > 1]
            played.push(draw.choice(taking or played.legal_moves))
            played.pop()
            played.push(draw.choice([move for move in played.legal_moves if not move.captures]))
