"""The Ħasínū oracle against the case file and the worked examples of the specification."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from boards import OVERRULED
from gathering import every_row
from oracle.hasinu_tree import Square
from oracle.hasinu_walker import Board, Move, Refused, Unreadable, moves

CASES = Path(__file__).parent / "cases" / "hasinu.tsv"
TAG = re.compile(r"\[(board|opts): ([^\]]*)\]")
PIECE = re.compile(r"(-?\d+),(-?\d+)([eo])")
OPEN = 224


def rows() -> list[tuple[str, str, str]]:
    """Give text, description and offsets of each case."""
    with CASES.open(encoding="utf-8", newline="") as file:
        table = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["hasinu"], row["description"], row["offsets"]) for row in table]


def scene(tags: str) -> Board:
    """Draw the 15 by 15 board of a case, the piece in the middle."""
    found = dict(TAG.findall(tags))
    pieces = [((int(x), int(y)), kind) for x, y, kind in PIECE.findall(found.get("board", ""))]
    made = {"": None, "v": 0, "n=1": 1}[found.get("opts", "")]
    return Board(
        15,
        15,
        (7, 7),
        frozenset(place for place, kind in pieces if kind == "e"),
        frozenset(place for place, kind in pieces if kind == "o"),
        made,
    )


def squares(text: str) -> frozenset[Square]:
    """Read a list of offsets; `-` is the empty one."""
    pairs = [word.split(",") for word in text.split() if word != "-"]
    return frozenset((int(x), int(y)) for x, y in pairs)


def reach(text: str, tags: str = "") -> frozenset[Square]:
    """Give the squares that the piece may move to in the scene."""
    return frozenset(move.to for move in moves(text, scene(tags)))


def board(pieces: str) -> str:
    """Make the tag of a scene."""
    return f"[board: {pieces}]"


@every_row("text, description, offsets", rows())
def test_case(text: str, description: str, offsets: str) -> None:
    """Every row of the case file comes out as written there."""
    if offsets == "n/a" and text not in OVERRULED:
        with pytest.raises(Refused):
            moves(text, scene(description))
    elif offsets != "n/a":
        assert reach(text, description) == squares(offsets)


WORKED = [
    ("", "", "-"),
    ("{1,3}×4dO", "", "0,3 0,1 -3,0 -1,0 1,0 3,0 0,-1 0,-3"),
    ("1×5dO-NE", "", "0,1 1,1 -1,0 1,0 0,-1"),
    ("1×7dS", "", "-1,1 0,1 1,1 -1,0 1,0 -1,-1 1,-1"),
    ("2×4dO", board("0,1o"), "-2,0 2,0 0,-2"),
    ("j(2×4dO)", board("0,1o"), "0,2 -2,0 2,0 0,-2"),
    ("3×4dO", board("0,2o"), "3,0 -3,0 0,-3"),
    ("(1,2)abch", "", "-1,2 1,2 -2,1 2,1"),
    ("(3,4)d", "", "4,-3"),
    ("n(1,2)ab", "", "-3,6 3,6 -2,4 2,4 -1,2 1,2"),
    ("2×(1,2)", "", "-2,4 2,4 -4,2 4,2 -4,-2 4,-2 -2,-4 2,-4"),
    ("1×4dO &t 1×4dD", board("0,1o"), "-2,1 2,1 -1,0 1,0 -2,-1 0,-1 2,-1 -1,-2 1,-2"),
    ("n(1×4dO)", board("0,1o 1,0o -1,0o 0,-1e"), "0,-1"),
    ("2(1×8d &t45°)", "", "-1,2 1,2 -2,1 2,1 -2,-1 2,-1 -1,-2 1,-2"),
    (
        "n(j(2×4dO) &t0°)",
        "",
        "0,6 0,4 0,2 -6,0 -4,0 -2,0 2,0 4,0 6,0 0,-2 0,-4 0,-6",
    ),
    ("INF(2, 1)", "", "-2,1 -1,1 0,1 1,1 2,1 -2,0 -1,0 1,0 2,0 -2,-1 -1,-1 0,-1 1,-1 2,-1"),
    ("m(1×1dN) & c(1×2dNE-NW)", board("1,1e -1,1e"), "-1,1 0,1 1,1"),
    ("j(n1dN,1)", board("0,2o 0,4e 0,6o"), "0,1 0,3 0,4"),
    ("atmove(1, {1,2}×1dN)", "[opts: v]", "0,1 0,2"),
    ("atmove(1, {1,2}×1dN)", "[opts: n=1]", "-"),
    ("rpg(n1dN)", board("0,2e 0,5o"), "0,1 0,2 0,3 0,4"),
    ("i(1×8d)", board("0,1e"), "0,0"),
    ("1×1dN &t 1×4dO", "", "0,1 -1,1 1,1"),
    ("j(2×1dN) &t0° 1×1dN", board("0,1e"), "0,2 0,3"),
    ("j(2×1dN) &t0° 1×1dN", board("0,2e"), "0,2"),
    ("2((1,2)b &t0° 1×8d)", "", "2,5 3,5 2,6 3,6 4,6"),
    ("2(j(2×1dN, 1) &t0°)", board("0,1e 0,3e"), "0,4"),
    ("j(2(2×1dN &t0°), 1)", board("0,1e 0,3e"), "-"),
    ("{1,2}(1×1dN & 1×1dE &t0°)", "", "0,1 1,0 0,2 1,1 2,0"),
]


@pytest.mark.parametrize(("text", "tags", "offsets"), WORKED)
def test_worked_example(text: str, tags: str, offsets: str) -> None:
    """Every example of the specification that lists its squares holds."""
    assert reach(text, tags) == squares(offsets)


COUNTED = [
    ("1×4dD &t n4dO", 52),
    ("1×4dO &t n4dD", 52),
    ("n4dO &t n4dD", 196),
    ("1×4dO &t 1×4dD", 12),
    ("n((2,1) &t22.5°)", 32),
    ("n4dO &t n4dO", OPEN),
    ("1×8d &t45° n8d", 96),
    ("n(1×8d)", OPEN),
    ("2(1×8d)", 24),
    ("n(1×4dD &t+90° 1×4dD &t-90°) & n(1×4dD &t-90° 1×4dD &t+90°)", 40),
    ("n(1×4dO &t+90° 1×4dO &t-90°) & n(1×4dO &t-90° 1×4dO &t+90°)", 80),
    ("n((1,2) &t+90° (1,2) &t-90°) & n((1,2) &t-90° (1,2) &t+90°)", 44),
    ("INF(2, 2)", 24),
]


@pytest.mark.parametrize(("text", "count"), COUNTED)
def test_count_in_the_text(text: str, count: int) -> None:
    """Numbers of squares named in the prose; the case file lists the squares."""
    assert len(reach(text)) == count


CROWDED = board("0,2e 2,0o 1,1e -2,2o 1,2e -1,2o 3,3e -3,0e 0,-1o -2,-2e 2,-4e -5,2o 3,-1o")

SAME = [
    ("3×4dO", "3(1×4dO &t0°)"),
    ("n8d", "n(1×8d &t0°)"),
    ("n(1,2)", "n((1,2) &t0°)"),
    ("{1,3}×(1,2)", "{1,3}((1,2) &t0°)"),
    ("n((1,2) &t22.5°)", "n((1,2) &t45°)"),
    ("n(1×4dO &t90° 1×4dO &t90°)", "1(n(1×4dO &t90° 1×4dO &t90°))"),
    ("n(1×4dO &t90° 1×4dO &t90°)", "n(1(1×4dO &t90° 1×4dO) &t90°)"),
    ("2(n(1×4dO &t45° 1×4dD &t45°))", "2(1(n(1(1×4dO &t45° 1×4dD) &t45°)))"),
    ("1×4dO &t45° 1×4dD", "1×4dO &t 1×4dD"),
    ("1×4dO &t1×4dD", "1×4dO &t 1×4dD"),
    ("1×4dO &t45 1×4dD", "1×4dO &t 45° 1×4dD"),
    ("1×4dO &t-100grad 1×4dO", "1×4dO &t-90 1×4dO"),
    ("(1,2) &t0° n8d", "(1,2) &t22.5° n8d"),
    ("(1,2)b &t+0° n8d", "(1,2)b &t+22.5° n8d"),
    ("(1,2)(1,3)", "(1,2) & (1,3)"),
    ("group(m,j)(2×4dO)", "m(j(2×4dO))"),
    ("[m,j(2×4dO)]", "m(j(2×4dO))"),
    ("i(n8d)", "i(c(n8d))"),
    ("m(n8d) & group(i,c)(n8d)", r"\mQ & i(\cQ)"),
    ("n((1,2)) & 999(1×8d)", "n((1,2)) & 13(1×8d)"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
@pytest.mark.parametrize("tags", ["", CROWDED])
def test_same_moves(one: str, other: str, tags: str) -> None:
    """Laws and spellings that the specification calls equal."""
    assert moves(one, scene(tags)) == moves(other, scene(tags))


CAPTURES = [
    ("i(1×8d)", board("0,1e"), Move((0, 0), squares("0,1"))),
    ("i(n4dO, F)", board("0,3o"), Move((0, 0), squares("0,3"))),
    ("rpg(n4dO)", board("0,2e 0,5o"), Move((0, 4), squares("0,2"))),
    ("rpg(n4dO)", board("0,2e 0,4e 0,5o"), Move((0, 4), squares("0,2 0,4"))),
    ("rpg(n4dO, FE)", board("0,2e 0,5o"), Move((0, 5), squares("0,2 0,5"))),
    ("rpg(n4dO, F)", board("0,2o 0,5e"), Move((0, 5), squares("0,2 0,5"))),
    ("rpg(n(1,2)ab)", board("1,2e"), Move((2, 4), squares("1,2"))),
    ("j(n4dO)", board("0,2e 0,5e"), Move((0, 5), squares("0,5"))),
]


@pytest.mark.parametrize(("text", "tags", "expected"), CAPTURES)
def test_captures(text: str, tags: str, expected: Move) -> None:
    """Moves come with what they take."""
    assert expected in moves(text, scene(tags))


def test_greedy_rampage_keeps_the_farthest_stop() -> None:
    """A greedy run offers one stop on each line."""
    greedy = moves("rpg(n4dO, G)", scene(board("0,2e 0,5o 3,0e 4,0e")))
    assert greedy == {
        Move((0, 4), squares("0,2")),
        Move((7, 0), squares("3,0 4,0")),
        Move((-7, 0), squares("-")),
        Move((0, -7), squares("-")),
    }


def test_board_edges_and_side() -> None:
    """Offsets are seen from the mover, and nothing leaves the board."""
    corner = Board(3, 4, (0, 0), frozenset({(0, 2)}), frozenset({(1, 1)}))
    assert moves("n8d", corner) == {
        Move((0, 1), squares("-")),
        Move((0, 2), squares("0,2")),
        Move((1, 0), squares("-")),
        Move((2, 0), squares("-")),
    }


def test_every_second_move_is_listed_when_many_were_made() -> None:
    """Without a move count `ataction` lists its moves, and `atmove` does not."""
    assert reach("ataction(2, 1×1dN) & atmove(2, 1×1dS)") == squares("0,1")
    assert reach("ataction(3, 1×1dN)", "[opts: n=1]") == squares("-")


@pytest.mark.parametrize(
    "text",
    [
        "n8d*",
        "n3dD",
        "N E",
        "n4dN-N-E-S",
        "n×4dD",
        "(0,2)",
        "3(1,2)",
        "n4dO n4dD",
        "(1,2) abch",
        "n4dO &",
        "1×4dD &t",
        "1×4dD &t30° n4dO",
        "(1,2)c(1×1dN)",
        r"\N &t n4dO",
        "n(royal())",
        "m(c(n8d))",
        "j(E, n4dO)",
        "j((1,2), 1)",
        "INF(0, 0)",
        "i(1×4dD) &t n4dO",
        "1×4dO & //weird, & n4dD",
        "m(n4dO))",
        "2×(1×4dO)",
        "group(m, atmove)(n4dO)",
    ],
)
def test_unreadable(text: str) -> None:
    """What is not Ħasínū is not walked."""
    with pytest.raises(Unreadable):
        moves(text, scene(""))


@pytest.mark.parametrize(
    "text",
    [
        "jump(2×4dO)",
        "//odd on Tuesdays",
        "(1,2)&tele(1×1dN)",
        "function(spin, range) & spin(n4dO)",
    ],
)
def test_refused(text: str) -> None:
    """What reads but has no compiled meaning is refused."""
    with pytest.raises(Refused):
        moves(text, scene(""))
