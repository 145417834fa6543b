"""What goes on beyond a picture: every arrow says which moves do, and how far."""

import json
import re
from functools import cache
from itertools import product
from typing import Any

import pytest

import alfil
from alfil.diagrams.signs import continuation_label  # what is written at an arrow
from strategies import NIGHTLY

Square = tuple[int, int]
WIDE = 8
RIDERS = ("R", "B", "Q", "N0", "D0", "C0")
LIMITED_MODES = [
    f"{one}{atom}{near or ''}{other}{atom}{far or ''}"
    for atom in ("R", "B", "Q")
    for one, other in product(("m", "c", "", "p", "g", "mp", "cp", "d", "k"), repeat=2)
    for near, far in ((0, 3), (0, 6), (0, 9), (5, 7))
    if other and one != other
]
PIECES = [
    *LIMITED_MODES,
    *(f"{mode}{rider}" for mode in ("", "m", "c", "d", "p", "g", "f", "cf") for rider in RIDERS),
    *(f"m{rider}c{rider[0]}{far}" for rider in ("N0", "D0", "C0") for far in (2, 3)),
    *("mN0cpN0", "jR", "mRcjR", "RjB", "cRmR5", "mQcQ6", "mRcpR4", "fmRcR9", "[F?R]", "[F?mR]"),
]

TRIED = PIECES if NIGHTLY else PIECES[::3]


@cache
def drawn(text: str, radius: int | None = None) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(alfil.draw(text, radius=radius).render("json"))
    return data


def ends_by_square(picture: dict[str, Any]) -> dict[Square, set[str]]:
    return {
        tuple(each["at"]): {end for way in each["ways"] for end in way["ends"]}
        for each in picture["squares"]
    }


def on_line(exit_: dict[str, Any], ends: dict[Square, set[str]]) -> dict[str, int]:
    """How far out along the line of an exit moves still end in each way, in a wide window."""
    (x, y), (dx, dy) = exit_["from"], exit_["step"]
    found: dict[str, int] = {}
    for n in range(1, WIDE):
        at = x + n * dx, y + n * dy
        far = max(map(abs, at))
        if far <= WIDE:
            found |= dict.fromkeys(ends.get(at, ()), far)
    return found


def claimed(exit_: dict[str, Any]) -> dict[str, int]:
    """How far each way to end goes on, as the exit says; far outside for ever."""
    found: dict[str, int] = {}
    for way in exit_["onward"]:
        (end,) = way["ends"]
        found[end] = max(found.get(end, 0), way["limit"] or 99)
    return found


def test_there_are_about_500_pieces() -> None:
    assert len(PIECES) > 450


@pytest.mark.parametrize("radius", [None, 4])
def test_what_an_arrow_says_goes_on_does_in_a_wider_window(radius: int | None) -> None:
    arrows = 0
    for text in TRIED:
        shown, wide = drawn(text, radius), drawn(text, WIDE)
        ends = ends_by_square(wide)
        for exit_ in shown["exits"]:
            seen = on_line(exit_, ends)
            says = claimed(exit_)
            if "capture" in says:
                # Where any piece can be captured, squares do not tell that a royal one can.
                says.pop("royal", None)
                seen.pop("royal", None)
            step = max(map(abs, exit_["step"]))
            if any(abs(x + dx) > WIDE for x, dx in zip(exit_["from"], exit_["step"], strict=True)):
                continue
            assert says.keys() == seen.keys(), (text, exit_)
            for end, far in says.items():
                # The last square of the line that is inside, or as far as the limit says.
                assert seen[end] == far or far > WIDE >= seen[end] > WIDE - step, (text, exit_)
            arrows += 1
    assert arrows > 4 * len(TRIED)


@pytest.mark.parametrize(
    "text",
    [
        *("[cR?fsmF]", "[mR?cF]", "[mR?cB]", "[cmR?fsdF]", "[mR-fscF]", "[mR5?fscF]", "[mB?cfsW]"),
        *(
            "[cR-mF]",
            "[cR-fscF]",
            "[mR?bcR]",
            "[mR?mcsR]",
            "[mF?cR]",
            "[N0?cF]",
            "cafsR",
            "mcafsR",
            "R9",
            "mRcR9",
        ),
    ],
)
def test_some_arrow_says_how_moves_end_that_turn_beyond_the_diagram(text: str) -> None:
    told: dict[str, int] = {}
    for exit_ in drawn(text, 4)["exits"]:
        for end, far in claimed(exit_).items():
            told[end] = max(told.get(end, 0), far)
    for at, ends in ends_by_square(drawn(text, WIDE)).items():
        if max(map(abs, at)) > 4:
            assert {end for end in ends if told.get(end, 0) < max(map(abs, at))} == set(), at


@pytest.mark.parametrize(
    ("text", "arrow", "words"),
    [
        ("mQcaibQ", "↑○⊠", "moves without capturing; captured on the way"),
        (
            "cafR",
            "↑◉⊠",
            "moves or captures after a capture on the way; captured on the way",
        ),
        ("mRdR", "↑○□", "moves without capturing; captures a piece of its own side"),
        ("mRkR", "↑○♔", "moves without capturing; captures a royal piece only"),
        ("mRcaibB", "↗⊠", "goes on beyond the diagram: captured on the way"),
        ("mRcR9", "↑○×9", "moves without capturing; captures only, up to 9 squares away"),
        ("cRmR5", "↑×", "goes on beyond the diagram with captures only"),
        ("mRcpR4", "↑○", "goes on beyond the diagram without capturing"),
        ("RpR9", "↑●◆9", "moves or captures over a piece in between, up to 9 squares away"),
        ("cfN0", "×", "goes on beyond the diagram with captures only"),
    ],
)
def test_the_text_says_which_moves_go_on(text: str, arrow: str, words: str) -> None:
    picture = alfil.draw(text)
    shown = picture.text()
    assert arrow in shown
    assert words in " ".join(shown.split())
    # The page has the same words, the wikitext says as much.
    assert words in picture.render("html").decode("utf-8")
    wiki = picture.render("wikitext", sentence=False).decode("utf-8")
    assert words.removeprefix("goes on beyond the diagram ").removeprefix("with ") in wiki or (
        "moves without capturing" in wiki
    )


@pytest.mark.parametrize(
    "text", ["mQcaibQ", "mRcaibB", "mRcafmR", "cabR", "mRdabR", "[cR-mK]", "gQ"]
)
def test_an_arrow_says_whether_something_is_captured_beyond_on_the_way(text: str) -> None:
    # As far as the first square beyond the picture tells.
    exits = [each for each in drawn(text, 4)["exits"] if tuple(each["from"]) == (4, 0)]
    told = {end for each in exits for way in each["onward"] for end in way["ends"]}
    for end, side in (("victim", "enemies"), ("own-victim", "friends")):
        found = alfil.moves(text, radius=7, **{side: [(5, 0)]})
        taken = any((5, 0) in move.captures and move.to != (5, 0) for move in found)
        assert (end in told) == taken


@pytest.mark.parametrize(
    ("text", "arrow", "words"),
    [
        ("mcaibR", "↑⊠↻", "captured on the way; may return to its own square: a pass"),
        ("maibR", "↑↻", "goes on beyond the diagram: may return to its own square: a pass"),
        ("RmaibQ", "↗↻", "goes on beyond the diagram: may return to its own square: a pass"),
    ],
)
def test_what_comes_home_from_beyond_is_not_said_to_move_there(
    text: str, arrow: str, words: str
) -> None:
    shown = alfil.draw(text).text()
    assert arrow in shown
    assert words in " ".join(shown.split())
    assert "moves without capturing" not in shown
    assert "without capturing" not in alfil.draw(text, radius=None).subject.words().replace(
        alfil.describe(text), ""
    )


@pytest.mark.parametrize(
    ("text", "legend"),
    [
        ("iRB", "↑ {on} as its first move ↗ {on}"),
        ("ifRbR", "↑ {on} as its first move ↓ {on}"),
        ("[F?R]ifR", "↑ {on}, at some arrows only as its first move"),
        (
            "mRicR",
            "↑○◬ {on}: moves without capturing; as its first move: captures only",
        ),
        ("icafR", "↑▲⊠ {on} as its first move: moves or captures; captured on the way"),
        (
            r"\mR & ataction(3, c(n4dO))",
            "↑○▿ {on}: moves without capturing; as every third move of its own: captures only",
        ),
    ],
)
def test_the_legend_says_when_moves_go_on(text: str, legend: str) -> None:
    piece = alfil.read(text, "hasinu" if "ataction" in text else "betza")
    shown = alfil.draw(piece, radius=4).render("text", sentence=False).decode("utf-8")
    assert legend.format(on="goes on beyond the diagram") in " ".join(shown.split())


@pytest.mark.parametrize("text", ["mAAcB", "mDDcR"])
def test_a_leap_and_a_step_with_one_arrow_have_one_label(text: str) -> None:
    assert "data-onward" not in alfil.draw(text).svg()


@pytest.mark.parametrize("text", ["mAAcB", "mDDcR", "iDDR", "[mR-fscF]", "mB[F-cR]", "pyafmpafB"])
def test_the_legend_has_every_arrow_of_a_text(text: str) -> None:
    shown = alfil.draw(text, radius=4).render("text", sentence=False, legend=True).decode("utf-8")
    board, _, legend = shown.partition("\n  @")
    board = board.partition("for example:")[0]
    written = {re.sub(r"\d", "", each) for each in re.findall(r"[↑-↙]\S*", board)}
    told = {re.sub(r"\d", "", each) for each in re.findall(r"^  ([↑-↙]\S*)", legend, re.MULTILINE)}
    assert {each[1:] for each in written} == {each[1:] for each in told}


@pytest.mark.parametrize(
    ("text", "turns"), [("jR", ""), ("[D-R]", ""), ("[D-bR]", "once"), ("[F?R]", "once")]
)
def test_a_step_of_another_length_is_no_turn(text: str, turns: str) -> None:
    shown = alfil.draw(text).render("text", sentence=False).decode("utf-8")
    assert [*re.findall(r"It may turn ([\w ]+)\.", shown)] == [turns][: bool(turns)]


def test_a_page_says_which_arrows_go_on_at_some_moves_only() -> None:
    page = alfil.draw("iRB").render("html").decode("utf-8")
    on = "goes on beyond the diagram"
    assert f"\\u2191 {on} as its first move" in page
    assert f"\\u2197 {on}" in page


def test_a_picture_whose_moves_only_sometimes_go_on_has_a_legend() -> None:
    assert "goes on beyond the diagram as its first move" in alfil.draw("R4iR", radius=4).text()


def test_a_sign_stands_beside_the_arrow_of_an_svg() -> None:
    svg = alfil.draw("cRmR5").svg()
    assert svg.count('data-onward="step-capture"') == svg.count("data-exit=") == 4
    assert "data-onward" not in alfil.draw("R").svg()
    both = alfil.draw("mRcR9").svg()
    assert both.count('data-onward="step-capture"') == both.count('data-onward="step-move"') == 4


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("mRcR9", "captures on 16 squares and on beyond the diagram, up to 9 squares away;"),
        ("cRmR5", "Moves to 20 squares; captures on 24 squares and on beyond the diagram;"),
        ("mRcpR4", "12 squares over a piece in between; the same"),
        ("mQcaibQ", "captures without moving, on 32 squares and on beyond the diagram; the same"),
        ("icaibR", "16 squares and on beyond the diagram, as its first move; the same"),
        ("mcaibR", "Captures without moving, on 16 squares and on beyond the diagram;"),
        ("gQ", "over a piece in between and on beyond the diagram; the same"),
        ("mNcN0", "Moves to 8 squares; captures on 16 squares and on beyond the diagram;"),
    ],
)
def test_the_summary_says_which_moves_go_on(text: str, summary: str) -> None:
    assert summary in alfil.draw(text, radius=None).subject.words()


@pytest.mark.parametrize("text", ["[cR-mF]", "[R-F]", "[R-B3]", "[cN5-cB3]", "[D6-cW3-pR2]"])
def test_what_may_turn_beyond_the_diagram_has_no_limit_of_its_edge(text: str) -> None:
    """A slide of seven squares and a step end farther out than the diagram tells of its edge."""
    words = alfil.draw(text, radius=4).subject.words()
    assert "on beyond the diagram" in words
    assert "up to" not in words.replace(alfil.describe(text), "")


def test_what_no_board_ends_has_no_limit() -> None:
    """The largest board has 36 files, and pairs of 17 leaps of a knight are farther."""
    text = alfil.draw("[N0-iN0]").text()
    assert "on beyond the diagram" in text
    assert "up to" not in text


def test_what_turns_within_the_diagram_has_its_limit() -> None:
    assert "up to 6 squares away" in alfil.draw("[W-B5]", radius=4).subject.words()


def test_a_position_goes_on_quietly_as_far_as_moves_do() -> None:
    data = json.loads(alfil.draw("cRmR9", radius=4, enemies=[(0, 2)]).render("json"))
    assert {each["limit"] for each in data["exits"]} == {9}


def test_pieces_whose_captures_end_farther_out_have_pictures_of_their_own() -> None:
    texts = {alfil.draw(text).text().partition("\n\n")[2] for text in ("R", "mRcR9", "mRcR10")}
    assert len(texts) == 3
    assert continuation_label((), None).beside == ()


@pytest.mark.parametrize(
    ("text", "marked"), [("KisO2", "b1"), ("isO2", "b1 d1 f1"), ("isjO2", "d1")]
)
def test_on_a_board_all_squares_that_castling_needs_empty_are_marked(
    text: str, marked: str
) -> None:
    """The rank of the piece: the partner stands in the corner, or a square farther in."""
    lines = alfil.draw(text, files=8, ranks=8, at="e1").text().splitlines()
    (rank,) = (line.split()[1:] for line in lines if line.lstrip().startswith("1  "))
    found = [f"{file}1" for file, sign in zip("abcdefgh", rank, strict=True) if "◦" in sign]
    assert " ".join(found) == marked
    assert "must be empty" in "\n".join(lines)


def test_signs_that_fill_a_square_have_room_beside_arrows() -> None:
    """Behind an arrow to the left nothing is cut off by the edge of the picture."""
    svg = alfil.draw("mcaibR").svg()
    board = re.search(r"<g [^>]*translate\((\d+) ", svg)
    signs = re.findall(r'data-onward="victim"[^>]*translate\(([-.\d]+) ', svg)
    assert board
    assert len(signs) == 4
    assert int(board[1]) + min(map(float, signs)) >= 9


def test_of_ways_with_one_sign_the_one_that_goes_farthest_is_told() -> None:
    # Pieces side by side take it six squares, others any number.
    assert (0, 9) in {
        move.to for move in alfil.moves("p(afp)4afR", radius=9, enemies={(0, 1), (0, 8)})
    }
    assert "squares away" not in alfil.draw("p(afp)4afR").text()
