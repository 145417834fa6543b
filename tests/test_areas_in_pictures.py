"""Pieces that are kept to a region or move otherwise in one: every picture of them says so."""

import json

import pytest

import alfil
from inside import run

PALACE = "May only go to the region palace (d1 to f3; d8 to f10 for the other side)."
OWN_FILE = """
game "Ponds"
board 6x6
rule first = white
region pond squares=c3,d3,c4,d4
piece K "king" betza=K royal
piece F "frog" betza=W outside=pond
piece D "duck" betza=F
piece H "heron" betza=R
moves D in=pond betza=N
moves H at=1-2 unchecked betza=fB2
"""
FORMS = ("text", "svg", "html", "wikitext")


Capture = pytest.CaptureFixture[str]


def words(capsys: Capture, *call: str) -> str:
    assert run([*call]) == 0
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("piece", "told"),
    [
        ("xiangqi:G", PALACE),
        ("xiangqi:E", "May only go to the region home (a1 to i5; a6 to i10 for the other side)."),
        (
            "janggi:K",
            "Moves in addition inside the region points (d1 d3 d8 d10 e2 e9 f1 f3 f8 f10): "
            "Steps one square diagonally.",
        ),
        (
            "xiangqi:S",
            "Moves in addition from the region beyond (a6 to i10; a1 to i5 for the other side): "
            "Steps one square sideways.",
        ),
    ],
)
def test_pieces_of_games_say_where_they_may_go(piece: str, told: str, capsys: Capture) -> None:
    assert told in words(capsys, "show", piece)
    assert told in json.loads(words(capsys, "show", "--json", piece))["description"]
    for form in FORMS:
        assert told in words(capsys, "diagram", piece, "-f", form), form


def test_a_sheet_says_where_its_pieces_may_go() -> None:
    sheet = alfil.load("xiangqi").sheet()
    for form in ("text", "html", "svg"):
        assert PALACE in " ".join(sheet.render(form).decode("utf-8").split()), form


def test_regions_of_any_file_are_told() -> None:
    library = alfil.loads(OWN_FILE)
    told = " ".join(library.sheet().text().split())
    assert "Steps one square orthogonally. May not go to the region pond (c3 to d4)." in told
    assert "Moves in addition inside the region pond (c3 to d4): Leaps as a knight" in told
    assert "from ranks 1 to 2 of its side while its side is not in check: Slides" in told


def test_pieces_without_areas_say_nothing_more(capsys: Capture) -> None:
    assert "region" not in words(capsys, "show", "chess:N")
    assert "addition" not in words(capsys, "diagram", "xiangqi:R")


def test_a_piece_of_a_file_is_shown_as_its_author_spelled_it(capsys: Capture) -> None:
    assert words(capsys, "show", "fairy:SQ").endswith("Betza: NAD Ħasínū: (1,2) & j(2×8d)")
    assert words(capsys, "show", "NAD").endswith("Betza: DNA")
    assert words(capsys, "show", "xiangqi:E").endswith("Betza: nA Ħasínū: 2×4dD")
