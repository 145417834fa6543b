"""Input that would take for ever: a result, or an error that says what there is too much of."""

import pytest

import alfil

CROWD = [(x, y) for x in range(-7, 8) for y in range(-7, 8) if (x + 2 * y) % 4 == 1]


@pytest.mark.parametrize("text", ["(amc)Q", "(acp)Q"])
def test_moves_that_differ_by_what_they_meet_are_counted(text: str) -> None:
    with pytest.raises(alfil.BoardError) as caught:
        alfil.moves(text, enemies=CROWD)
    assert caught.value.kind == "too-many-moves"
    assert caught.value.spans[0].end == len(text)


def test_trails_are_kept_apart_without_going_round_for_ever() -> None:
    with pytest.raises(alfil.BoardError) as caught:
        alfil.moves("n(as)R")
    assert caught.value.kind == "too-many-moves"
    assert {move.to for move in alfil.moves("n(as)R", radius=1)} == {
        (x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)
    } - {(0, 0)}


@pytest.mark.parametrize("text", ["n(j(n8d,1))", "j(n(1×8d),2)", "6(n8d)", "n(n(n8d &t45°) &t90°)"])
def test_roaming_is_followed_on_a_crowded_board(text: str) -> None:
    piece = alfil.read(text, "hasinu")
    assert len({move.to for move in alfil.moves(piece, enemies=CROWD)}) > len(CROWD)


def test_no_line_holds_more_pieces_than_the_largest_board() -> None:
    def jumper(most: int) -> alfil.Piece:
        return alfil.read(f"j(n8d,{most})", "hasinu")

    assert alfil.same(jumper(999), jumper(34))
    assert not alfil.same(jumper(33), jumper(34))


def test_the_same_refusal_is_not_worked_out_twice() -> None:
    piece = alfil.read("anaiQ")
    reports = set()
    for _ in range(2):
        with pytest.raises(alfil.MeaningError) as caught:
            assert piece.meaning
        assert caught.value.kind == "too-many-states"
        reports.add(str(caught.value))
    assert len(reports) == 1
