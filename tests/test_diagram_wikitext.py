"""Wikitext: the squares of the chess template against the moves, and shogi tables as literals."""

from itertools import product

import pytest

import alfil
from test_diagram_svg import corpus, refused


def template(text: str, **options: object) -> tuple[str, list[list[str]], str]:
    """The first line, the squares and the footer of a chess diagram."""
    drawing = alfil.draw(text, **options)  # type: ignore[arg-type]
    lines = drawing.render("wikitext").decode("utf-8").splitlines()
    rows = [
        [cell.strip() for cell in line[2:].split(" | ")] for line in lines if line.count("|") > 2
    ]
    return lines[0], rows, lines[-2]


@pytest.mark.parametrize("text", ["N", "WfF", "mNcK", "FyafsF", "fmWfcF", "mQcR"])
def test_the_template_has_the_moves(text: str) -> None:
    first, rows, _ = template(text, files=8, ranks=8, at="d4")
    assert first == "{{Chess diagram"
    quiet = {move.to for move in alfil.moves(text, files=8, ranks=8, at="d4")}
    for file, rank in product(range(8), repeat=2):
        at = (file - 3, rank - 3)
        if at == (0, 0):
            expected = "fl"
        else:
            found = alfil.moves(text, files=8, ranks=8, at="d4", enemies=[at])
            captures = any(move.captures == (at,) for move in found)
            expected = {(True, True): "xo", (True, False): "oo", (False, True): "xx"}.get(
                (at in quiet, captures), ""
            )
        assert rows[7 - rank][file] == expected


def test_sizes_have_their_own_templates() -> None:
    assert template("K")[0] == "{{Chess diagram 5x5"
    assert template("N")[0] == "{{#invoke:Chessboard mxn|board|cols=7|rows=7"
    assert template("R")[0] == "{{Chess diagram 9x9"
    assert len(template("R")[1]) == 9


def test_other_signs_are_numbers_that_the_footer_explains() -> None:
    _, rows, footer = template("mRcpR")
    assert rows[4] == ["x1", "x1", "x1", "x2", "fl", "x2", "x1", "x1", "x1"]
    assert footer.partition("<br>")[0] == (
        "| 1: moves without capturing; squares on the way must be empty, "
        "or captures over a piece in between, or may jump over a piece here; "
        "2: moves without capturing; squares on the way must be empty, "
        "or may jump over a piece here; "
        "goes on beyond the diagram forward, right, back and left"
    )
    assert footer.endswith(f"<br><nowiki>{alfil.describe('mRcpR')}</nowiki>")


def test_pieces_of_a_position_are_drawn() -> None:
    _, rows, _ = template("R", radius=2, enemies=[(0, 2)], friends=[(1, 0)])
    assert rows == [
        ["", "", "pd", "", ""],
        ["", "", "oo", "", ""],
        ["oo", "oo", "fl", "pl", ""],
        ["", "", "oo", "", ""],
        ["", "", "oo", "", ""],
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R", ["_│_", "─●─", "_│_"]),
        ("B", ["╲_╱", "_●_", "╱_╲"]),
        ("WfF", ["○○○", "○●○", "_○_"]),
        ("RF", ["○│○", "─●─", "○│○"]),
        ("fmWfcF", ["×•×", "_●_", "___"]),
    ],
)
def test_shogi_tables(text: str, expected: list[str]) -> None:
    drawing = alfil.draw(text, radius=1).render("wikitable").decode("utf-8")
    rows = [line[2:].split(" || ") for line in drawing.splitlines() if " || " in line]
    assert ["".join("_" if cell == "&nbsp;" else cell for cell in row) for row in rows] == expected


@pytest.mark.parametrize(
    ("text", "note"),
    [("mRcR3", " (moves without capturing)"), ("R9", ", up to 9 squares away"), ("R4iR", ", as")],
)
def test_no_line_of_a_shogi_table_stands_for_moves_that_do_not_all_go_on(
    text: str, note: str
) -> None:
    table = alfil.draw(text, radius=4).render("wikitable").decode("utf-8")
    assert not {*"│─"} & {*table}
    assert f"goes on beyond the diagram forward, right, back and left{note}" in table


def test_lines_reach_all_edges_alike() -> None:
    table = alfil.draw("[R?sR?sR]").render("wikitable").decode()
    rows = [line[2:].split(" || ") for line in table.splitlines() if " || " in line]
    assert {sign for row in rows for sign in row} == {"┼", "●"}
    assert "beyond the diagram" not in table


def test_a_griffon_steps_before_it_slides() -> None:
    drawing = alfil.draw("FyafsF", radius=2).render("wikitable").decode("utf-8")
    rows = [line[2:].split(" || ") for line in drawing.splitlines() if " || " in line]
    shown = ["".join("_" if cell == "&nbsp;" else cell for cell in row) for row in rows]
    assert shown == ["_│_│_", "─○_○─", "__●__", "─○_○─", "_│_│_"]


@pytest.mark.parametrize("form", ["wikitext", "wikitable"])
def test_every_piece_can_be_written(form: str) -> None:
    for text in corpus():
        if not refused(text):
            made = alfil.draw(text, radius=3).render(form).decode("utf-8")
            assert made.count("\n|-\n") == (7 if form == "wikitable" else 0)
            assert made.startswith("{| " if form == "wikitable" else "{{")
