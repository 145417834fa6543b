"""Words never deny moves: a piece that can move in some position is not said to have no moves."""

from __future__ import annotations

from collections.abc import Iterator

import alfil
from alfil.diagrams.diagram_model import open_window
from alfil.diagrams.square_marks import (  # of pieces too that need a board to be drawn
    marks_in_fitting_window,
    marks_of,
)
from alfil.diagrams.summary_sentence import summary_sentence  # one of the sentences alone
from boards import cases, rows

DENIALS = ("No moves", "Has no moves", "Never leaves")
RADIUS = 4
SQUARES = [
    (x, y)
    for x in range(-RADIUS, RADIUS + 1)
    for y in range(-RADIUS, RADIUS + 1)
    if (x, y) != (0, 0)
]
EVEN = [(x, y) for x, y in SQUARES if x % 2 == 0 == y % 2]
POSITIONS: tuple[dict[str, object], ...] = (
    {},
    {"enemies": SQUARES},
    {"friends": SQUARES},
    {"enemy_royals": SQUARES},
    {"en_passant": SQUARES},
    {"enemies": EVEN},
    {"enemies": [at for at in SQUARES if max(map(abs, at)) == 1]},
    {"friends": EVEN, "enemies": [at for at in SQUARES if at not in EVEN]},
)
ODD = ("kQ", "kN", "kR3", "eF", "keW", "dN", "cabK", "(9,9)", "f(9,8)", "[(3,3)-(3,3)-(3,3)]", "U")


def texts() -> Iterator[tuple[str, str]]:
    """The texts of the case files with their notations; some are refused when they are read."""
    for notation in ("betza", "hasinu"):
        yield from dict.fromkeys((case.text, notation) for case in cases(f"{notation}.tsv"))
    yield from ((row[0], "betza") for _, row in rows("betza_corpus.tsv"))
    yield from ((text, "betza") for text in ODD)


def leaves(piece: alfil.Piece) -> bool:
    """Whether it has a move to another square in one of the positions, as far as they are few."""
    for position in POSITIONS:
        for unmoved in (False, True):
            try:
                found = alfil.moves(piece, radius=9, unmoved=unmoved, **position)  # type: ignore[arg-type]
            except alfil.AlfilError:
                continue
            if any(move.to != (0, 0) for move in found):
                return True
    return False


def test_no_text_denies_moves() -> None:
    seen = 0
    for text, notation in texts():
        try:
            piece = alfil.read(text, notation)
            pictures = [
                marks_in_fitting_window(piece.meaning),
                marks_of(piece.meaning, open_window(1)),
            ]
        except alfil.AlfilError:
            continue
        words = [alfil.describe(piece), *map(summary_sentence, pictures)]
        if any(denial in each for each in words for denial in DENIALS):
            assert not leaves(piece), (text, words)
        seen += 1
    assert seen > 1000


def test_the_positions_find_moves_to_deny() -> None:
    for text in ODD:
        assert leaves(alfil.read(text)) == (text != "cabK"), text
