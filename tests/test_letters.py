"""Every character counts: without it a text is an error, or another piece.

Tried on every row of betza.tsv and hasinu.tsv by leaving out each character in turn. What the
notations themselves make redundant is listed, with the reason, and the lists are exact.
"""

from __future__ import annotations

import pytest

import alfil
from boards import cases
from gathering import every_row

BETZA = list(dict.fromkeys(case.text for case in cases("betza.tsv")))
HASINU = list(dict.fromkeys(case.text for case in cases("hasinu.tsv")))
UNREAD = {"mcafW2", "tR", "I"}

# The places in a text whose characters can be left out, under the reason.
REDUNDANT = {
    "on a diagonal atom v or s alone is all four ways": {"vF": {0}, "sF": {0}},
    "on a diagonal atom v after r takes both ways that r has": {"rvF": {1}},
    "a doubled direction is the letter alone, where no other letter can pair with it": {
        "ffN": {0, 1},
        "llN": {0, 1},
        "ffNN": {0, 1},
        "ffK": {0, 1},
        "ffbsN": {0, 1},
        "n4dD & \\ffN": {8, 9},
    },
    "the same, and two parts of one atom are one part with both directions": {
        "ffNbsN": {0, 1, 2},
    },
    "an earlier leg without letters is m": {
        "mafF": {0},
        "mafafW": {0},
        "mafsmafW": {0, 4},
    },
    "castling without a direction goes both ways": {"isO2": {1}},
    "W has the steps sideways, and so has sR": {"sRvW": {2}},
    "0.78 rad is within half a degree of 45° too": {"1×4dO &t0.785rad 1×4dD": {12}},
    "the rifle shoots what could be captured, c or not": {"\\mQ & i(\\cQ)": {9}},
    "an angle without a sign may go round in a circle too, and that leads nowhere new": {
        "n(1×4dD &t+90° 1×4dD &t-90°) & n(1×4dD &t-90° 1×4dD &t+90°)": {10, 23, 41, 54},
        "n(1×4dO &t+90° 1×4dO &t-90°) & n(1×4dO &t-90° 1×4dO &t+90°)": {10, 23, 41, 54},
        "n((1,2) &t+90° (1,2) &t-90°) & n((1,2) &t-90° (1,2) &t+90°)": {10, 23, 41, 54},
    },
    "a full stop of any kind at the end of //text is dropped": {
        "1×4dO & promote(//reach rank nine! , //gold)": {33},
    },
}
# Blanks in Ħasínū mean nothing between tokens. These do mean something: they end an angle, part
# &t from a name or unit from count, or stand inside //text.
BLANKS = {
    "1×4dD &t n4dO": {8},
    "n4dO &t n4dD": {7},
    "1×4dO &t n4dD": {8},
    "j(1×4dD &t n4dO)": {10},
    "m(1×4dD) &t n4dO": {11},
    "c(1×4dD) &t n4dO": {11},
    "n4dO &t n4dO": {7},
    "n4dD &t n4dD": {7},
    "(1,2) &t n4dO": {8},
    "1×2dNE-NW &t n4dO": {12},
    "1×4dD &t n2dN-S": {8},
    "1×4dO &t50gon 1×4dD": {13},
    "1×4dO &t0.785rad 1×4dD": {16},
    "1×4dO &t45 1×4dD": {10},
    "atmove(1, m(2×1dN)) & m(1×1dN) & c(1×2dNE-NW) "
    "& promote(//reach rank eight, n8d, n4dO, n4dD, (2,1))": {63, 68},
    "fe(exclusive, n4dO, //pawn moves) & 1×8d": {26},
    "1×4dO & //odd on Tuesdays": {13, 16},
    "1×4dO & promote(//reach rank nine! , //gold)": {23, 28},
}


def without(text: str, place: int) -> str:
    return text[:place] + text[place + 1 :]


def alike(piece: alfil.Piece, text: str) -> bool:
    """Whether the text is read, and is the same piece, properties and all.

    Texts that are read but have no moves to compare are the same when their trees are.
    """
    try:
        other = alfil.read(text, notation=piece.notation)
    except alfil.NotationError:
        return False
    try:
        return alfil.same(piece, other)
    except alfil.MeaningError:
        return piece.tree == other.tree


def expected(text: str, notation: str) -> set[int]:
    """The places the notation makes redundant in a text."""
    places = {place for rows in REDUNDANT.values() for place in rows.get(text, ())}
    if notation == "hasinu":
        # A bare angle is in degrees.
        places |= {place for place, sign in enumerate(text) if sign == "°"}
        blanks = {place for place, sign in enumerate(text) if sign == " "}
        places |= blanks - BLANKS.get(text, set())
    return places


@every_row(
    "text, notation",
    [
        *((text, "betza") for text in BETZA if text not in UNREAD),
        *((text, "hasinu") for text in HASINU),
    ],
)
def test_every_character_counts(text: str, notation: str) -> None:
    piece = alfil.read(text, notation=notation)
    found = {place for place in range(len(text)) if alike(piece, without(text, place))}
    assert found == expected(text, notation)


def test_the_lists_are_of_rows() -> None:
    listed = {text for rows in REDUNDANT.values() for text in rows} | BLANKS.keys()
    assert listed <= {*BETZA, *HASINU}
    for text, places in BLANKS.items():
        assert {text[place] for place in places} == {" "}


def test_a_text_means_the_same_to_itself() -> None:
    """Else the comparison could not tell that nothing changed."""
    assert all(alike(alfil.read(text), text) for text in BETZA if text not in UNREAD)
    assert all(alike(alfil.read(text, notation="hasinu"), text) for text in HASINU)


@pytest.mark.parametrize(
    ("text", "hint"),
    [("fnpN3", "write fnN3fpN3"), ("mcpgR", "write mcpRmcgR"), ("npW", "leave out what is marked")],
)
def test_letters_apart_are_offered_where_both_can_be_read(text: str, hint: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(text)
    assert caught.value.diagnostics[0].hint.startswith(hint)
