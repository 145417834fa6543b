"""Whether all moves of one piece are moves of another: never yes by mistake."""

from __future__ import annotations

import pytest
from hypothesis import assume, event, given

import alfil
from boards import cases
from judging import ends, piece, readable
from strategies import betza, examples, texts, unwrapped
from test_oracle_agreement import Case
from test_oracle_agreement import cases as tried

CONTAINED = [
    ("Q", "R"),
    ("Q", "K"),
    ("R", "nD"),
    ("R", "R5"),
    ("N", "nN"),
    ("N", "afsK"),
    ("afsK", "afsW"),
    ("K", "cK"),
    ("cK", "kK"),
    ("cK", "cF"),
    ("W", "iW"),
    ("H:rpg(n4dO)", "H:rpg({1,2,3}×4dO)"),
    ("W", ""),
    ("RB", "Q"),
    ("D", "mpafW"),
    ("oR", "R"),
    ("ooR", "R"),
    ("H:n(1×8d)", "Q"),
    ("H:n(1×8d)", "H:n(1×4dO)"),
    # Going on for ever and not coming home, as after two steps.
    ("H:n(1×4dO)", "H:2(1×4dO)"),
    # Whoever steps as often as they like gets to where a turn leads that does not come home.
    ("H:n(1×4dO)", "fRasR"),
    ("H:n8d & ataction(2,n(1,2))", "H:n8d & ataction(6,n(1,2))"),
    ("H:n8d & ataction(2,(1,2))", "H:n8d & atmove(4,(1,2))"),
    ("H:1×8d", "H:royal() & 1×4dO"),
    ("KNADcaKmcabK", "KNAD"),
]


@pytest.mark.parametrize(("larger", "smaller"), CONTAINED)
def test_contains(larger: str, smaller: str) -> None:
    assert alfil.contains(piece(larger), piece(smaller))
    equal = alfil.same(piece(larger), piece(smaller), facts=False)
    assert alfil.contains(piece(smaller), piece(larger)) == equal


NOT_CONTAINED = [
    ("afsW", "afsK"),
    ("nN", "N"),
    ("R", "oR"),
    ("R", "O2"),
    ("R", "Q"),
    ("W", "mpafW"),
    ("H:n8d & ataction(2,(1,2))", "H:n8d & atmove(3,(1,2))"),
    ("H:n8d & ataction(4,(1,2))", "H:n8d & ataction(2,(1,2))"),
    # The run that may go farther does not stop where the shorter one has to.
    ("H:rpg(n4dO,G)", "H:rpg({1,2,3}×4dO,G)"),
    ("fmW", "ifmnD"),
    # The pawn that leaves a trail makes another move than the one that does not.
    ("fmR2", "ifmnD"),
    ("ifmnD", "ifmR2"),
    ("fR", "fR*"),
    ("cK", "mkK"),
    ("K", "dK"),
    ("caF", "cabF"),
    ("H:n(1×8d)", "mN"),
    # The way round by a far square needs less than the near one, and more board.
    ("[fW-fD]", "[fW-fW-fW][f(0,6)-b(0,3)]"),
]


@pytest.mark.parametrize(("larger", "smaller"), NOT_CONTAINED)
def test_contains_not(larger: str, smaller: str) -> None:
    assert not alfil.contains(piece(larger), piece(smaller))


def test_a_planted_superset_is_found_out() -> None:
    """A piece that has gained a move is not contained in what it was."""
    for text in dict.fromkeys(case.text for case in cases("betza.tsv")):
        if readable(text) and piece(text).meaning.parts:
            more = piece(f"{text}(5,6)")
            assert alfil.contains(more, text), text
            assert not alfil.contains(text, more), text


@examples(20)
@given(texts(unwrapped) | texts(betza), tried(unwrapped, 4))
def test_a_proof_of_inclusion_holds_on_boards(larger: str, case: Case) -> None:
    smaller, positions = case.text, case.positions
    assume(readable(larger) and readable(smaller))
    union = f"{larger}{smaller}"
    for big, small in ((larger, smaller), (union, smaller), (smaller, union)):
        if not readable(big) or not readable(small):
            continue
        proved = alfil.contains(piece(big), piece(small))
        event("contained" if proved else "not contained")
        if proved:
            for position in positions:
                assert ends(small, position) <= ends(big, position), (big, small, position)
