"""The reader of the case files, and the case files themselves."""

from collections import Counter

import pytest

import boards


def test_a_row_with_every_marker() -> None:
    row = ["isO2", "xbetza", "castling {as both say} [board: -7,0r 0,2e 1,0o 3,3k] [opts: vk]"]
    case = boards.case(7, [*row, "-2,0 0,1", "XB"])
    assert (case.id, case.column2, case.description) == ("7:isO2", "xbetza", "castling")
    assert case.remark == "as both say"
    assert case.scene == boards.Scene(
        enemies=frozenset({(0, 2)}),
        friends=frozenset({(1, 0)}),
        unmoved_friends=frozenset({(-7, 0)}),
        enemy_royals=frozenset({(3, 3)}),
        moves_made=0,
        is_king=True,
    )
    assert case.scene.unmoved
    assert not case.scene.empty
    assert (case.expects, case.squares) == ("squares", {(-2, 0), (0, 1)})


def test_brackets_of_a_notation_in_a_description_are_no_markers() -> None:
    case = boards.case(2, ["RasR", "xbetza", "hook mover [R?sR] (via RasR)", "0,1", "XB"])
    assert case.description == "hook mover [R?sR] (via RasR)"
    assert case.scene == boards.Scene()


def test_conflicts_and_refusals() -> None:
    conflict = boards.case(2, ["nH", "xbetza", "", "CONFLICT XB=0,3 3,0 ; FSF=-", "none"])
    assert conflict.expects == "conflict"
    assert conflict.readings == {"XB": {(0, 3), (3, 0)}, "FSF": frozenset()}
    assert boards.case(2, ["nj", "", "", "n/a", "page", "a note"]).expects == "refused"


@pytest.mark.parametrize(
    ("description", "offsets"),
    [
        ("[board: 0,1x]", "0,1"),
        ("[board: 0,1e", "0,1"),
        ("[opts: w]", "0,1"),
        ("[board: 0,1e] [board: 0,2e]", "0,1"),
        ("", "0,1 0,1"),
        ("", "0;1"),
        ("", ""),
        ("", "CONFLICT XB"),
    ],
)
def test_what_the_format_does_not_know_is_an_error(description: str, offsets: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        boards.case(2, ["W", "betza", description, offsets, "XB"])


def test_the_files_hold_what_their_description_says() -> None:
    betza, hasinu = boards.cases("betza.tsv"), boards.cases("hasinu.tsv")
    assert Counter(case.expects for case in betza) == {"squares": 188, "conflict": 11}
    assert Counter(case.expects for case in hasinu) == {"squares": 197, "refused": 6}
    corpus = [row for _, row in boards.rows("betza_corpus.tsv")]
    assert len({row[0] for row in corpus}) == len(corpus) == 817
    taikyoku = [row[4] for _, row in boards.rows("taikyoku_independent.tsv")]
    assert Counter(taikyoku) == {"agree": 254, "DISAGREE": 29}


def test_every_square_is_on_the_board() -> None:
    for case in boards.cases("betza.tsv") + boards.cases("hasinu.tsv"):
        for dx, dy in case.squares.union(*case.readings.values()):
            assert max(abs(dx), abs(dy)) <= boards.RADIUS, case.id
