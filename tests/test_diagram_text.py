"""Text diagrams: pictures as literals, and marks against the moves on an empty board."""

import csv
import json
import random
import re
import unicodedata
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import alfil
from gathering import every_row
from inside import SIGNS, text_diagram

CASES = Path(__file__).parent / "cases" / "betza.tsv"

GRIFFON = """
        ↑   ↑
  · · · ● · ● · · ·
  · · · ● · ● · · ·
  · · · ● · ● · · ·
← ● ● ● ● · ● ● ● ● →
  · · · · @ · · · ·
← ● ● ● ● · ● ● ● ● →
  · · · ● · ● · · ·
  · · · ● · ● · · ·
  · · · ● · ● · · ·
        ↓   ↓
"""
KNIGHT = """
· · · · · · ·
· · ★ · ★ · ·
· ★ · · · ★ ·
· · · @ · · ·
· ★ · · · ★ ·
· · ★ · ★ · ·
· · · · · · ·
"""
HORSE = """
· · · · · · ·
· · ● · ● · ·
· ● · ◦ · ● ·
· · ◦ @ ◦ · ·
· ● · ◦ · ● ·
· · ● · ● · ·
· · · · · · ·
"""
PAWN = """
· · · · · · ·
· · · △ · · ·
· · × ○ × · ·
· · · @ · · ·
· · · · · · ·
· · · · · · ·
· · · · · · ·
"""
CANNON = """
                    ↑
    ·   ·   ·   ·   ○◈■ ·   ·   ·   ·
    ·   ·   ·   ·   ○◈■ ·   ·   ·   ·
    ·   ·   ·   ·   ○◈■ ·   ·   ·   ·
    ·   ·   ·   ·   ○■  ·   ·   ·   ·
←   ○◈■ ○◈■ ○◈■ ○■  @   ○■  ○◈■ ○◈■ ○◈■ →
    ·   ·   ·   ·   ○■  ·   ·   ·   ·
    ·   ·   ·   ·   ○◈■ ·   ·   ·   ·
    ·   ·   ·   ·   ○◈■ ·   ·   ·   ·
    ·   ·   ·   ·   ○◈■ ·   ·   ·   ·
                    ↓
"""
LION = """
·   ·   ·   ·   ·   ·   ·
·   ★⊚  ★⊚  ★⊚  ★⊚  ★⊚  ·
·   ★⊚  ●⊚⊠ ●⊚⊠ ●⊚⊠ ★⊚  ·
·   ★⊚  ●⊚⊠ @!↻ ●⊚⊠ ★⊚  ·
·   ★⊚  ●⊚⊠ ●⊚⊠ ●⊚⊠ ★⊚  ·
·   ★⊚  ★⊚  ★⊚  ★⊚  ★⊚  ·
·   ·   ·   ·   ·   ·   ·
"""
GOLD = """
· · · · ·
· ● ● ● ·
· ● @ ● ·
· · ● · ·
· · · · ·
"""
ROSE = """
· · · · · · · · · · · · · · ·
· · · · · · · ★ · · · · · · ·
· · · · · ★ · · · ★ · · · · ·
· · · ★ · · · ★ · · · ★ · · ·
· · · · ★ · · · · · ★ · · · ·
· · ★ · · · ★ · ★ · · · ★ · ·
· · · · · ★ · · · ★ · · · · ·
· ★ · ★ · · · @ · · · ★ · ★ ·
· · · · · ★ · · · ★ · · · · ·
· · ★ · · · ★ · ★ · · · ★ · ·
· · · · ★ · · · · · ★ · · · ·
· · · ★ · · · ★ · · · ★ · · ·
· · · · · ★ · · · ★ · · · · ·
· · · · · · · ★ · · · · · · ·
· · · · · · · · · · · · · · ·
"""
NIGHTRIDER = """
    ↖           ↗
  · · ★ · · · ★ · ·
↖ · · · · · · · · · ↗
  ★ · · ★ · ★ · · ★
  · · ★ · · · ★ · ·
  · · · · @ · · · ·
  · · ★ · · · ★ · ·
  ★ · · ★ · ★ · · ★
↙ · · · · · · · · · ↘
  · · ★ · · · ★ · ·
    ↙           ↘
"""
JUMPER = """
· · · · · · ·
· ◎ · · · ◎ ·
· · ⊠ · ⊠ · ·
· · · @ · · ·
· · ⊠ · ⊠ · ·
· ◎ · · · ◎ ·
· · · · · · ·
"""
CASTLING = """
· · · · · · ·
· · · · · · ·
· · · · · · ·
· ⇄ ◦ @ ◦ ⇄ ·
· · · · · · ·
· · · · · · ·
· · · · · · ·
"""


STYLE = signature(text_diagram).parameters["style"].default


def parts(text: str, notation: str = "betza", style: object = STYLE) -> list[list[str]]:
    """The lines of the picture of a piece, and those of the legend, both without their margin."""
    shown = alfil.draw(alfil.read(text, notation)).subject.marks  # type: ignore[union-attr]
    blocks = text_diagram(shown, style).split("\n\n")
    return [[line[2:] for line in block.split("\n")] for block in blocks]


def drawn(text: str, notation: str = "betza", *, plain: bool = False) -> str:
    """The picture of a piece without its margin."""
    style = STYLE._replace(ascii=plain)
    return "\n".join(["", *parts(text, notation, style)[0], ""])


def squares_of(text: str, **options: object) -> dict[tuple[int, int], dict[str, Any]]:
    """What a picture has on each square, as data; the options are those of alfil.draw."""
    data = json.loads(alfil.draw(text, **options).render("json"))  # type: ignore[arg-type]
    return {tuple(each.pop("at")): each for each in data["squares"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FyafsF", GRIFFON),
        ("N", KNIGHT),
        ("nN", HORSE),
        ("fmWfceFifmnD", PAWN),
        ("mRcpR", CANNON),
        ("KNADcaKmcabK", LION),
        ("WfF", GOLD),
        ("qN", ROSE),
        ("NN", NIGHTRIDER),
        ("cafmF", JUMPER),
        ("isO2", CASTLING),
    ],
)
def test_the_picture_is(text: str, expected: str) -> None:
    assert drawn(text) == expected


def test_the_same_piece_looks_the_same_in_both_notations() -> None:
    assert drawn("1×4dD &t n4dO", "hasinu") == GRIFFON


def test_plain_signs_follow_the_shapes() -> None:
    assert drawn("fmWfceFifmnD", plain=True) == PAWN.translate(str.maketrans("·△×○", ".t+o"))
    assert drawn("FyafsF", plain=True) == GRIFFON.translate(str.maketrans("·●↑↓←→", ".x^v<>"))


def test_signs_differ_and_take_one_cell() -> None:
    rows = SIGNS.values()
    for signs in ([each.unicode for each in rows], [each.ascii for each in rows]):
        assert len(signs) == len(set(signs))
        assert {len(sign) for sign in signs} == {1}
        assert not any(unicodedata.east_asian_width(sign) in "WF" for sign in signs)
    assert all(sign.ascii.isascii() for sign in SIGNS.values())


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("N", ["★  leaps: moves or captures"]),
        ("K", ["●  moves or captures"]),
        (
            "mRcpR",
            [
                "○  moves without capturing; squares on the way must be empty",
                "◈  captures over a piece in between",
                "■  may jump over a piece here",
                "↑  goes on beyond the diagram",
            ],
        ),
        (
            "fmWfceFifmnD",
            [
                "○  moves without capturing",
                "×  captures only",
                "△  as its first move: moves without capturing",
                "Captures en passant (not drawn).",
                "May be captured en passant on the squares it passes.",
            ],
        ),
        ("cabK", ["⊠  captured on the way", "!  returns to its own square after a capture"]),
        ("mcdW", ["●  moves or captures", "□  captures a piece of its own side"]),
        ("kF", ["♔  captures a royal piece only"]),
        (
            "pafW",
            [
                "◆  moves or captures one step after jumping a piece",
                "■  may jump over a piece here",
            ],
        ),
        ("(9,1)", ["Leaps farther than this diagram shows as well."]),
        (
            "zB",
            [
                "●  moves or captures; squares on the way must be empty",
                "↑  goes on beyond the diagram",
            ],
        ),
        (
            "oR",
            [
                "●  moves or captures; squares on the way must be empty",
                "↑  goes on beyond the diagram",
                "The board wraps round for this piece (not drawn).",
            ],
        ),
    ],
)
def test_the_legend_names_the_signs_used(text: str, lines: list[str]) -> None:
    home, *rest = parts(text)[1]
    assert (home, rest) == ("@  the piece; forward is up", lines)


def test_what_goes_round_the_edges_of_a_board_is_not_counted() -> None:
    on_board = alfil.draw("oN", files=8, ranks=6, at="b2").render("text").decode()
    reached = {move.to for move in alfil.moves("oN", files=8, ranks=6, at="b2")}
    assert reached == {(-1, 2), (1, 2), (2, -1), (2, 1), (6, -1), (6, 1)}
    counted = "Moves or captures on 4 squares, leaping; what it reaches round the edges is not"
    assert counted in " ".join(on_board.split())
    assert "not counted" not in alfil.draw("oN").render("text").decode()


def test_a_position_shows_what_is_reached_round_the_edges() -> None:
    position = alfil.draw("oN", files=6, ranks=6, at="b2", enemies={"f1"}).render("text").decode()
    assert "Moves to 5 squares; captures on 1 square." in " ".join(position.split())
    assert "round" not in position
    nowhere = alfil.draw("oN", enemies={(1, 2)}).render("text").decode()
    assert "The board wraps round for this piece (not drawn)." in nowhere


def test_timed_moves_say_when() -> None:
    assert parts("atmove(3,n4dO) & ataction(2,(1,2))", "hasinu")[1][1] == (
        "▼  as every second move of its own or as its third move: moves or captures"
    )


def test_a_piece_without_moves_is_drawn_alone() -> None:
    assert drawn("").split() == ["·"] * 12 + ["@"] + ["·"] * 12


def test_a_board_has_edges_and_names() -> None:
    shown = alfil.draw("R", files=4, ranks=3, at="b1").render("text").decode()
    assert shown.split("\n\n")[1].split("\n") == [
        "  3  · ● · ·",
        "  2  · ● · ·",
        "  1  ● @ ● ●",
        "     a b c d",
    ]


def test_a_run_stops_in_its_own_half() -> None:
    assert set(squares_of("fmW*", files=8, ranks=8, at="a2")) == {(0, 1), (0, 2)}
    assert set(squares_of("fmW*", files=8, ranks=9, at="a5")) == {(0, 1)}


def test_captured_pieces_stay_in_the_way() -> None:
    assert squares_of("cabmabmW", radius=2) == {}


def test_superfluous_ways_are_left_out() -> None:
    squares = squares_of("RpRQ", radius=3)
    either = {"ends": ["move", "capture"], "guard": []}
    assert squares[1, 1]["ways"] == [{**either, "asks": []}]
    assert squares[0, 2]["ways"] == [{**either, "asks": ["clear"]}, {**either, "asks": ["hurdle"]}]
    assert len(squares_of("WDnD", radius=3)[0, 2]["ways"]) == 1


@pytest.mark.parametrize(
    ("text", "plain"), [("DnD", "D"), ("CnC", "C"), ("NnN", "N"), ("KADNaK", "KADN"), ("DpR2", "D")]
)
def test_ways_that_a_leap_makes_needless_mark_no_squares(text: str, plain: str) -> None:
    assert squares_of(text, radius=3) == squares_of(plain, radius=3)


def test_ways_that_no_leap_makes_needless_keep_their_squares() -> None:
    passed = {at for at, mark in squares_of("nCbC", radius=3).items() if mark["passed"]}
    assert passed == {(0, 1), (0, 2), (-1, 0), (-2, 0), (1, 0), (2, 0)}
    assert squares_of("fD0W2", radius=3)[0, 1]["passed"] == []
    assert squares_of("DcafcW", radius=2)[0, 1]["passed"] == ["victim"]
    assert squares_of("mDnD", radius=2)[0, 1]["passed"] == ["clear"]


def test_paint_repeats_what_shape_says() -> None:
    marks = alfil.draw("fmWfcF").subject.marks  # type: ignore[union-attr]
    style = STYLE._replace(paint=lambda text, sign: f"<{sign.fill}>{text}</>")
    painted = text_diagram(marks, style)
    assert "<move>○</>" in painted
    assert "<capture>×</>" in painted
    plain = painted
    for tag in ("<move>", "<capture>", "<either>", "<>", "</>"):
        plain = plain.replace(tag, "")
    assert plain == text_diagram(marks)


def plain_cases() -> Iterator[str]:
    """The notations of the case file that are not about a scene; I is not supported."""
    with CASES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            scene = "[board" in row["description"] or "[opts" in row["description"]
            if row["betza"] != "I" and not scene and "CONFLICT" not in row["offsets"]:
                yield row["betza"]


@every_row("text", dict.fromkeys(plain_cases()))
def test_marks_agree_with_the_moves_on_an_empty_board(text: str) -> None:
    marked = {
        at
        for at, mark in squares_of(text, radius=7).items()
        for way in mark["ways"]
        if "move" in way["ends"]
        and not {"hurdle", "locust"} & {*way["asks"]}
        and all(condition[0] == "move" for condition in way["guard"])
    }
    assert marked == alfil.destinations(text, radius=7, unmoved=True)


def corners(text: str, radius: int) -> set[tuple[int, int]]:
    """The squares where a diagram says that a piece may be jumped."""
    svg = alfil.draw(text, radius=radius).svg()
    found = re.findall(r'data-ground="over" data-at="(-?\d+),(-?\d+)"', svg)
    return {(int(x), int(y)) for x, y in found}


def along(*distances: int) -> set[tuple[int, int]]:
    """The squares at some distances in the eight directions of a queen."""
    ways = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    return {(x * far, y * far) for x, y in ways for far in distances}


@pytest.mark.parametrize(
    ("text", "hurdles"),
    [
        ("gQ", along(1, 2, 3, 4)),
        ("[pQ-pQ-K]", along(1, 2, 3, 4)),
        ("[pQ-ifQ]", along(1, 2, 3, 4)),
        ("pQ", along(1, 2, 3, 4)),
        ("[pQ-sK]", along(1, 2, 3, 4)),
        ("mRcpR", {(x, y) for x, y in along(1, 2, 3, 4) if not x or not y}),
        ("pafW", {(0, 1), (1, 0), (0, -1), (-1, 0)}),
        ("Q", set()),
        ("KNADcaKmcabK", set()),
    ],
)
def test_every_square_that_may_be_jumped_is_marked(
    text: str, hurdles: set[tuple[int, int]]
) -> None:
    assert corners(text, 4) == hurdles


@pytest.mark.parametrize("text", ["gQ", "pR", "[pQ-pQ-K]", "[pQ-ifQ]", "[pQ-sK]", "mRcpR", "gNN"])
def test_what_is_jumped_in_a_position_is_marked_in_the_diagram(text: str) -> None:
    squares = [(x, y) for x in range(-4, 5) for y in range(-4, 5) if x or y]
    marked = corners(text, 4)
    for seed in range(20):
        enemies = random.Random(seed).sample(squares, 12)
        found = alfil.moves(text, radius=4, enemies=enemies)
        assert {at for move in found for at in move.hurdles} <= marked


def test_corners_leave_the_square_to_other_signs() -> None:
    row = drawn("mRcpR").splitlines()[6]
    assert row.split() == ["←", "○◈■", "○◈■", "○◈■", "○■", "@", "○■", "○◈■", "○◈■", "○◈■", "→"]
    svg = alfil.draw("gQ").svg()
    assert svg.count('data-ground="over" data-at="0,3"') == 1
    assert svg.count('data-sign="hurdle-either" data-at="0,3"') == 1


@pytest.mark.parametrize("text", ["zB", "zF", "zBW", "FyafsF", "R", "B"])
def test_the_arrow_of_the_legend_is_one_of_the_picture(text: str) -> None:
    arrows = set("↑↗→↘↓↙←↖")
    explained = arrows & {line[0] for line in parts(text)[1]}
    assert explained
    assert explained <= arrows & set(drawn(text))
