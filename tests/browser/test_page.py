"""The page of one diagram: pieces placed by mouse, finger and keyboard, and what it then shows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

import alfil
from browser.browsing import HOSTILE, Tabs

pytestmark = pytest.mark.browser


def written(folder: Path, text: str, **options: object) -> str:
    """The address of a page for a piece; the options are those of alfil.draw."""
    path = folder / "page.html"
    alfil.draw(text, **options).save(path)
    return path.as_uri()


def square(tab: Page, name: str) -> Locator:
    return tab.locator(f"[role=gridcell][aria-label^='{name}:']")


def signs(tab: Page) -> dict[str, set[str]]:
    """What the board shows, by name of square; pieces count as signs."""
    found: dict[str, set[str]] = tab.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("[role=gridcell]")]
             .map((cell) => [cell.getAttribute("aria-label").split(":")[0],
                             [...cell.querySelectorAll("use")].map((use) => use.classList[1])])
             .filter(([, names]) => names.length))"""
    )
    return {name: set(names) for name, names in found.items()}


def squares_with(tab: Page, sign: str) -> set[str]:
    return {name for name, held in signs(tab).items() if sign in held}


def status(tab: Page) -> str:
    return tab.locator("[role=status]").inner_text()


A_WHILE = 10_000  # milliseconds
ROOK_FILE = {f"{n} {way}" for n in range(1, 5) for way in ("forward", "back", "left", "right")}


def test_a_click_places_an_enemy_then_a_friend_then_nothing(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "R"))
    assert squares_with(board, "step-either") == ROOK_FILE
    square(board, "2 forward").click()
    assert squares_with(board, "enemy") == {"2 forward"}
    assert squares_with(board, "step-capture") == {"2 forward"}
    assert squares_with(board, "step-either") == ROOK_FILE - {f"{n} forward" for n in (2, 3, 4)}
    assert status(board) == "14 moves, 1 of them a capture."
    square(board, "2 forward").click()
    assert signs(board)["2 forward"] == {"friend"}
    assert status(board) == "13 moves, no captures."
    square(board, "2 forward").click()
    assert squares_with(board, "step-either") == ROOK_FILE
    assert status(board) == "Every move: 16 squares and on beyond the diagram."


def test_a_tap_places_a_piece(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "R"), has_touch=True, viewport={"width": 360, "height": 740})
    square(board, "1 right").tap()
    assert squares_with(board, "enemy") == {"1 right"}
    assert status(board) == "13 moves, 1 of them a capture."
    assert board.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_resting_mouse_shows_what_an_enemy_would_change(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "R"))
    square(board, "2 forward").hover()
    board.clock.run_for(A_WHILE)
    board.locator(".ghost").wait_for()
    assert squares_with(board, "enemy") == {"2 forward"}
    assert status(board) == "With an enemy on 2 forward: 14 moves, 1 of them a capture."
    assert board.locator("[role=status]").get_attribute("aria-live") == "off"
    board.mouse.move(1, 1)
    board.clock.run_for(A_WHILE)
    board.locator(".ghost").wait_for(state="detached")
    assert squares_with(board, "step-either") == ROOK_FILE


def test_the_keyboard_does_all_that_a_mouse_does(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "R"))
    board.keyboard.press("Tab")
    focused = "document.activeElement.getAttribute('aria-label').split(':')[0]"
    assert board.evaluate(focused) == "home"
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "ArrowLeft"):
        board.keyboard.press(key)
    assert board.evaluate(focused) == "2 forward"
    board.keyboard.press("Enter")
    board.keyboard.press("ArrowDown")
    board.keyboard.press(" ")
    assert squares_with(board, "enemy") == {"1 forward", "2 forward"}
    assert status(board) == "13 moves, 1 of them a capture."
    assert board.locator("[role=status]").get_attribute("aria-live") == "polite"
    board.keyboard.press("Escape")
    assert squares_with(board, "enemy") == set()
    for key in ("End", "PageDown"):
        board.keyboard.press(key)
    assert board.evaluate(focused) == "4 back, 4 right"
    board.keyboard.press("ArrowRight")
    assert board.evaluate(focused) == "4 back, 4 right"
    assert board.locator("[role=gridcell][tabindex='0']").count() == 1


def test_the_piece_itself_is_not_replaced(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "R"))
    square(board, "home").click()
    assert signs(board)["home"] == {"piece"}
    assert squares_with(board, "enemy") == set()


def test_a_hopper_goes_on_behind_what_is_placed(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "mRcpR"))
    square(board, "1 forward").click()
    shown = signs(board)
    assert shown["1 forward"] == {"enemy", "over"}
    assert [shown[f"{n} forward"] for n in (2, 3, 4)] == [{"hurdle-capture"}] * 3
    square(board, "3 forward").click()
    shown = signs(board)
    assert shown["3 forward"] == {"enemy", "hurdle-capture"}
    assert "4 forward" not in shown
    assert status(board) == "13 moves, 1 of them a capture."


def test_what_is_taken_on_the_way_is_marked(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "mWcafW"))
    square(board, "1 forward").click()
    shown = signs(board)
    assert shown["1 forward"] == {"enemy", "victim"}
    assert shown["2 forward"] == {"locust-either"}


def test_the_arrows_beyond_a_blocker_go(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "R"))
    arrows = board.locator(".exit")
    assert arrows.count() == 4
    square(board, "4 forward").click()
    assert arrows.count() == 3


def test_an_arrow_says_how_far_it_goes(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "R8N"))
    assert board.locator(".exit text").all_text_contents() == ["8"] * 4
    board = tab(written(tmp_path, "R"))
    assert board.locator(".exit").count() == 4
    assert board.locator(".exit text").count() == 0


# A piece with the enemies and the friends of a position in which it has lines of several kinds.
POSITIONS = [
    ("mRcpR", [(0, 2)], []),
    ("mWcafW", [(0, 1)], []),
    ("jR", [], [(0, 1)]),
    ("FyafsF", [(1, 1)], [(-1, 2)]),
    ("gQ", [(0, 2), (2, 2)], []),
    ("mN[cN-mN]", [(1, 2)], []),
    ("DD", [(0, 1)], [(2, 0)]),
    ("R8N", [(0, 2)], []),
]


def test_lines_are_those_of_the_picture(tab: Tabs, tmp_path: Path) -> None:
    for text, enemies, friends in POSITIONS:
        picture = alfil.draw(text, enemies=enemies, friends=friends)
        drawn = json.loads(picture.render("json"))
        board = tab(written(tmp_path, text, enemies=enemies, friends=friends))
        window = drawn["window"]

        def place(square: list[int], window: dict[str, int] = window) -> str:
            x, y = square[0] + window["west"], window["north"] - square[1]
            return f"{20 + 40 * x},{20 + 40 * y}"

        lines = set()
        for each in drawn["lines"]:
            end = [
                at + each["steps"] * by for at, by in zip(each["from"], each["step"], strict=True)
            ]
            lines.add((frozenset((place(each["from"]), place(end))), f"line-{each['kind']}"))
        assert lines == {
            (frozenset(path[1:].split("L")), kind)
            for path, kind in board.eval_on_selector_all(
                "svg.lines > path", "all => all.map((e) => [e.getAttribute('d'), e.classList[0]])"
            )
        }, text
        exits = {(place(each["from"]), f"line-{each['kind']}") for each in drawn["exits"]}
        assert exits == {
            (path[1:].partition("L")[0].replace(" ", ","), kind)
            for path, kind in board.eval_on_selector_all(
                ".exit path:first-child",
                "all => all.map((e) => [e.getAttribute('d'), e.classList[0]])",
            )
        }, text


def test_the_legend_has_the_lines_that_are_drawn(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "pR"))
    legend = board.locator("#board .legend")
    assert "goes on over the piece in between" in legend.inner_text()
    assert "after a capture" not in legend.inner_text()


def test_a_resting_mouse_shows_where_moves_go_on(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "FyafsF"))
    square(board, "1 forward, 1 right").hover()
    board.clock.run_for(A_WHILE)
    board.locator(".sequel.cell").first.wait_for()
    assert board.locator(".ghost").count() == 0
    names = board.eval_on_selector_all(
        ".sequel.cell", "all => all.map((e) => e.ariaLabel.split(':')[0])"
    )
    up = {f"{n} forward, 1 right" for n in (2, 3, 4)}
    assert set(names) == up | {f"1 forward, {n} right" for n in (2, 3, 4)}
    assert status(board).endswith("Over 1 forward, 1 right it goes on to 6 squares.")
    cannon = tab(written(tmp_path, "mRcpR"))
    square(cannon, "2 forward").hover()
    cannon.clock.run_for(A_WHILE)
    cannon.locator(".sequel.cell").first.wait_for()
    assert signs(cannon)["2 forward"] == {"enemy", "over"}
    assert status(cannon).endswith("Over 2 forward it goes on to 2 squares.")


def test_an_example_stands_beside_and_can_be_tried(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "mRcpR"))
    assert board.locator("figure [data-sign=hurdle-capture]").is_visible()
    board.locator("button", has_text="The example").click()
    assert signs(board)["2 right"] == {"friend", "over"}
    assert signs(board)["3 right"] == {"enemy", "hurdle-capture"}
    assert tab(written(tmp_path, "R")).locator("figure").count() == 0
    board.emulate_media(media="print")
    crosses = board.locator("figure g:has(> [data-sign=hurdle-capture])")
    assert crosses.evaluate("e => getComputedStyle(e).color") == "rgb(0, 0, 0)"


def test_several_kinds_of_moves_to_a_square_are_all_shown(tab: Tabs, tmp_path: Path) -> None:
    lion = tab(written(tmp_path, "KNADcaKmcabK"))
    lion.locator("button", has_text="The example").click()
    assert signs(lion)["2 right"] == {"enemy", "leap-capture", "locust-capture"}
    assert {"step-move", "locust-move"} <= {
        name.replace("either", "move") for name in signs(lion)["1 forward, 1 right"]
    }
    # A hop to where a leap goes anyway is no news.
    hopper = tab(written(tmp_path, "DpR", friends=[(1, 0)]))
    assert signs(hopper)["2 right"] == {"leap-either"}


def test_words_can_be_left_out(tab: Tabs, tmp_path: Path) -> None:
    path = tmp_path / "bare.html"
    path.write_bytes(alfil.draw("mRcpR").render("html", sentence=False, legend=False))
    board = tab(path.as_uri())
    assert board.locator("figure").count() == board.locator(".legend").count() == 0
    assert "Slides" not in board.locator("main").inner_text()
    assert squares_with(board, "hurdle-capture")


def test_squares_are_large_enough_to_touch(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "R", radius=10), viewport={"width": 360, "height": 740})
    box = square(board, "home").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 23.9
    assert board.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_first_move_can_be_left_behind(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "fmWfcFimfnD"))
    assert signs(board)["2 forward"] == {"first-move"}
    board.locator("button", has_text="This position").click()
    assert status(board) == "2 moves, no captures."
    board.locator("select").select_option(label="a later move")
    assert status(board) == "1 move, no captures."
    assert squares_with(board, "first-move") == set()
    assert squares_with(board, "step-capture") == {"1 forward, 1 left", "1 forward, 1 right"}


def test_castling_needs_a_partner(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "KisO2", files=8, ranks=8, at="e1"))
    assert "a1 or h1" in board.locator(".note", has_text="castle").inner_text()
    for _ in range(2):
        square(board, "h1").click()
    assert squares_with(board, "castle") == {"g1"}
    open_board = tab(written(tmp_path, "KisO2"))
    assert "3 left or 3 right" in open_board.locator(".note", has_text="castle").inner_text()


def test_a_board_that_wraps(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "oR", files=6, ranks=6, at="b2"))
    square(board, "a2").click()
    square(board, "c2").click()
    row = {name for name in signs(board) if name.endswith("2")}
    assert row == {"a2", "b2", "c2"}
    square(board, "c2").click()
    assert signs(board)["a2"] == {"enemy", "step-capture"}
    assert signs(board)["c2"] == {"friend"}


def test_nothing_can_be_placed_where_the_answer_would_be_wrong(tab: Tabs, tmp_path: Path) -> None:
    # alfil.draw refuses such a piece without a board, so it takes the place of another one.
    path, bound = tmp_path / "open.html", alfil.read("fR*").meaning
    alfil.Picture(replace(alfil.draw("fR").subject, meaning=bound, notation="fR*")).save(path)
    board = tab(path.as_uri())
    square(board, "1 forward").click()
    assert squares_with(board, "enemy") == set()
    assert board.locator("button").count() == 0
    assert "nothing can be placed" in board.locator("#board").inner_text()
    real = tab(written(tmp_path, "fR*", files=8, ranks=8, at="e2"))
    assert squares_with(real, "step-either") == {"e3", "e4"}
    square(real, "e4").click()
    assert signs(real)["e4"] == {"enemy", "step-capture"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_stand_out(tab: Tabs, tmp_path: Path, scheme: str) -> None:
    """Marks differ from their square in lightness by 3 to 1, as WCAG asks of graphics."""
    board = tab(written(tmp_path, "mRcpRN"), color_scheme=scheme)
    colours = board.evaluate(
        """() => {
             const style = getComputedStyle(document.documentElement);
             return Object.fromEntries(["paper", "light", "dark", "ink", "either", "move",
               "capture", "other", "quiet"].map((each) =>
                 [each, style.getPropertyValue("--" + each)]));
           }"""
    )
    for role in ("ink", "either", "move", "capture", "other", "quiet"):
        for ground in ("paper", "light", "dark"):
            assert contrast(colours[role], colours[ground]) >= 3, (role, ground)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours #rrggbb, from 1 to 21, by the formula of WCAG 2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    shares = [int(colour.strip()[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.03928 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_paper_shows_the_board_and_no_buttons(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "R"), color_scheme="dark")
    board.emulate_media(media="print")
    assert not board.locator(".controls").is_visible()
    assert board.locator("[role=grid]").is_visible()
    assert board.evaluate("getComputedStyle(document.documentElement).backgroundColor") == (
        "rgb(255, 255, 255)"
    )


@pytest.mark.parametrize("label", HOSTILE.values(), ids=HOSTILE)
def test_hostile_labels_are_harmless(tab: Tabs, tmp_path: Path, label: str) -> None:
    board = tab(written(tmp_path, "R", label=label), viewport={"width": 500, "height": 700})
    assert board.locator("script").count() == 3
    assert board.locator("img").count() == 0
    assert board.title() != "run"
    assert squares_with(board, "step-either") == ROOK_FILE
    assert board.evaluate("document.documentElement.scrollWidth") <= 500
    assert not set(board.locator("h1").inner_text()) & set("\u202e\u2066\u200b\x00\u2028")


def test_without_scripts_the_picture_is_still_there(tab: Tabs, tmp_path: Path) -> None:
    address = written(tmp_path, "R")
    still = tab(address, java_script_enabled=False)
    assert still.locator("#board svg [data-sign=step-either]").count() == len(ROOK_FILE)
    cannon = tab(written(tmp_path, "mRcpR"), java_script_enabled=False)
    assert cannon.locator("[data-example]").is_visible()
    assert not cannon.locator("figure").is_visible()
    address = written(tmp_path, "R")
    assert tab(address).locator("#board [data-sign]").count() == 0


def test_a_position_is_shown_and_can_be_changed(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "R", enemies={(0, 2)}, friends={(1, 0)}))
    assert signs(board)["2 forward"] == {"enemy", "step-capture"}
    assert signs(board)["1 right"] == {"friend"}
    assert status(board) == "10 moves, 1 of them a capture."
    square(board, "1 right").click()
    assert status(board) == "14 moves, 1 of them a capture."
    board.locator("button", has_text="Clear").click()
    assert status(board) == "Every move: 16 squares and on beyond the diagram."


def test_a_capture_on_an_empty_square_is_faint_and_called_so(tab: Tabs, tmp_path: Path) -> None:
    board = tab(written(tmp_path, "mRcpR", enemies=[(2, 0)]))
    assert status(board) == "13 moves, no captures."
    faint = ".cell svg.would use.hurdle-capture"
    assert board.locator(".cell use.hurdle-capture").count() == board.locator(faint).count() == 2
    label = square(board, "3 right").get_attribute("aria-label")
    words = "no move now; with a piece here: captures over a piece in between"
    assert label == f"3 right: {words}"
    assert board.locator(".legend li.would").inner_text() == words
    pawn = tab(written(tmp_path, "fmWfcF", enemies=[(1, 1)]))
    sizes = [
        square(pawn, name).locator("use.step-capture").bounding_box()
        for name in ("1 forward, 1 left", "1 forward, 1 right")
    ]
    assert sizes[0]["width"] < sizes[1]["width"]  # type: ignore[index]
    assert square(pawn, "1 forward, 1 right").locator(".would").count() == 0
