"""Every letter of every dialect changes the words and the picture of some piece.

Pictures are compared without the notation above them and the sentences below.
"""

from __future__ import annotations

from functools import cache

import pytest

import alfil
from inside import DIALECTS
from strategies import NIGHTLY

# Where a letter may stand; {l} is the letter or nothing.
SHAPES = [
    "{l}R",
    "{l}N",
    "{l}R3",
    "{l}D",
    "{l}K",
    "{l}afR",
    "{l}afN",
    "a{l}R",
    "af{l}R",
    "[{l}R-W]",
    "[W-{l}R]",
    "[W?{l}R]",
    "[{l}N-W]",
    "{l}(af)3R",
    "(a{l}f)3R",
    "{l}isO2",
    "{l}fmR",
    "mp{l}afR",
    "mc{l}R",
    "c{l}afR",
    "p{l}R",
    "{l}U",
    "g{l}afR",
    "F{l}K",
]
# The dialects share most of their letters: so many shapes are looked at for a letter in each.
MOST = len(SHAPES) if NIGHTLY else 4
# Pairs of pieces that only the sentences tell apart.
NOT_DRAWN = {
    ("(aif)3R", "(af)3R"): "how long a leg is, compared with others",
    ("ppR", "pR"): "over how many pieces, as the example has one",
    ("jisO2", "isO2"): "where the partner stands",
}


@cache
def read(text: str, dialect: str) -> alfil.Piece | None:
    try:
        piece = alfil.read(text, dialect)
        return piece if piece.meaning.parts else None
    except alfil.AlfilError:
        return None


@cache
def picture(piece: alfil.Piece) -> str:
    """The squares and the legend of a picture."""
    _, *shown, _ = alfil.draw(piece).render("text").decode().rstrip().split("\n\n")
    return "\n\n".join(shown)


def changes(letter: str, dialect: str) -> list[tuple[str, str]]:
    """The shapes in which a letter makes another piece, with it and without it."""
    pairs = [(shape.format(l=letter), shape.format(l="")) for shape in SHAPES]
    found = []
    for pair in pairs:
        first, second = (read(text, dialect) for text in pair)
        if first and second and first.meaning != second.meaning:
            found.append(pair)
        if len(found) == MOST and dialect != "betza":
            break
    return found


@pytest.mark.parametrize(
    ("dialect", "letter"),
    [(name, each) for name, d in DIALECTS.items() for each in sorted(d.modes)],
)
def test_a_letter_changes_words_and_picture(dialect: str, letter: str) -> None:
    pairs = changes(letter, dialect)
    assert pairs, "no shape shows what the letter does"
    for pair in pairs:
        first, second = (alfil.read(text, dialect) for text in pair)
        assert alfil.describe(first) != alfil.describe(second), pair
        assert (picture(first) != picture(second)) == (pair not in NOT_DRAWN), pair


def test_royal_pieces_that_are_spared_are_told() -> None:
    spared = alfil.read("tN", "xboard")
    assert "not royal" in alfil.describe(spared)
    assert "Some of its captures spare royal pieces." in picture(spared)
    assert "royal" not in picture(alfil.read("N"))
