"""Every row of the case files: the squares a piece reaches on the board the row describes.

Each row is tried three ways: the walk of `alfil.moves`, the compiled table, and, on empty boards,
`alfil.destinations`.
"""

from __future__ import annotations

import pytest

import alfil
from boards import OVERRULED, RADIUS, Case, cases
from gathering import every_row

SIZE = 2 * RADIUS + 1
CENTRE = (RADIUS, RADIUS)

# What the specification decides where programs disagree: the reading called ID, or an error.
CONFLICT_ERRORS = {"mcafW2": "range-on-chain", "tR": "misplaced-t"}
# The imitator is not supported yet, though on an empty board it would have no moves.
NOT_YET = {"I": "not-supported-yet"}

BETZA = [case for case in cases("betza.tsv") if case.text not in NOT_YET]
HASINU = list(cases("hasinu.tsv"))
REFUSALS = {
    "function1(function2(function3(function4(1×4dD))))": "unknown-function",
    "group(function1, function2, function3, function4)(1×4dD)": "unknown-function",
    "[function1,function2,function3,function4(1×4dD)]": "unknown-function",
    "function(spin, range) & spin(n4dO)": "no-handler",
}


def walked(piece: alfil.Piece, case: Case) -> frozenset[alfil.PieceMove]:
    """The moves on the row's board."""
    scene = case.scene
    return alfil.moves(
        piece,
        radius=RADIUS,
        enemies=scene.enemies,
        friends=scene.friends,
        enemy_royals=scene.enemy_royals,
        unmoved_friends=scene.unmoved_friends,
        moves_made=scene.moves_made,
        unmoved=scene.unmoved,
    )


def from_table(piece: alfil.Piece, case: Case) -> frozenset[alfil.PieceMove]:
    """The moves of the compiled table on the row's board."""
    scene = case.scene
    return alfil.compile(piece, files=SIZE, ranks=SIZE).moves(
        CENTRE,
        enemies=scene.enemies,
        friends=scene.friends,
        enemy_royals=scene.enemy_royals,
        unmoved_friends=scene.unmoved_friends,
        moves_made=scene.moves_made,
        unmoved=scene.unmoved,
    )


def expected(case: Case) -> frozenset[tuple[int, int]]:
    """The squares of the row, for rows where programs disagree those the specification chose."""
    return case.readings["ID"] if case.expects == "conflict" else case.squares


@every_row("case", [case for case in BETZA if case.text not in CONFLICT_ERRORS])
def test_betza_row(case: Case) -> None:
    piece = alfil.read(case.text)
    moves = walked(piece, case)
    assert {move.to for move in moves} == expected(case)
    assert from_table(piece, case) == moves
    if case.scene.empty:
        found = alfil.destinations(piece, RADIUS, unmoved=case.scene.unmoved)
        assert found == expected(case)


@pytest.mark.parametrize(("text", "kind"), {**CONFLICT_ERRORS, **NOT_YET}.items())
def test_betza_row_that_is_refused(text: str, kind: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(text)
    assert caught.value.kind == kind


@every_row("case", [case for case in HASINU if case.expects == "squares"])
def test_hasinu_row(case: Case) -> None:
    piece = alfil.read(case.text, notation="hasinu")
    moves = walked(piece, case)
    assert {move.to for move in moves} == case.squares
    assert from_table(piece, case) == moves


REFUSED = [case for case in HASINU if case.expects == "refused" and case.text not in OVERRULED]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_hasinu_row_that_has_no_moves(case: Case) -> None:
    piece = alfil.read(case.text, notation="hasinu")
    with pytest.raises(alfil.MeaningError) as caught:
        alfil.moves(piece)
    assert caught.value.kind == REFUSALS[case.text]
    assert alfil.read(str(piece), notation="hasinu").tree == piece.tree


@every_row("case", [case for case in HASINU if case.column2])
def test_hasinu_row_is_the_same_piece_as_its_betza(case: Case) -> None:
    piece = alfil.read(case.text, notation="hasinu")
    assert alfil.same(piece, case.column2, facts=False)


def test_every_row_is_tried() -> None:
    assert {case.text for case in cases("betza.tsv")} - {case.text for case in BETZA} == {"I"}
    assert {case.text for case in REFUSED} == REFUSALS.keys()


@pytest.mark.parametrize("text", OVERRULED)
def test_hasinu_row_that_was_decided_otherwise(text: str) -> None:
    piece = alfil.read(text, notation="hasinu")
    assert alfil.same(piece, OVERRULED[text], facts=False)
    assert text in {case.text for case in HASINU if case.expects == "refused"}
