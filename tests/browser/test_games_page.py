"""The games page: how it fits a screen, and playing by pointer and by keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page

import alfil
from browser.browsing import follow
from browser.conftest import Watch, ready
from browser.test_site import settled, square

pytestmark = pytest.mark.browser

FITTING = ("minishogi", "chess", "xiangqi", "hand_shogi", "capablanca")
SCREENS = ((1366, 768), (360, 740))
# One move before a pawn promotes with a choice of four, and gives check by it.
PROMOTING = "7k/P7/8/8/8/8/8/K7 w - 1"


@pytest.fixture(scope="module")
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """The games page, for all tests of this file."""
    watch = Watch(site, "data:", "blob:")
    page = chromium.new_page(viewport={"width": 1366, "height": 768}, accept_downloads=True)
    ready(page)
    watch.over(page)
    page.goto(f"{site}games.html")
    yield settled(page)
    page.close()
    watch.check()


def at(page: Page, address: str, opponent: str = "") -> Page:
    """The page at the start of a game."""
    page.locator("#opponent").select_option(opponent)
    follow(page, address)
    return settled(page)


def middle(there: Locator) -> tuple[float, float]:
    box = there.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def dragged(page: Page, piece: Locator, target: Locator) -> None:
    """Drag a piece to a square by nothing but events of the mouse."""
    settled(page)
    (x, y), (to_x, to_y) = middle(piece), middle(target)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
    assert page.locator(".dragged").count() == 1
    page.mouse.move(to_x, to_y)
    page.mouse.up()
    assert page.locator(".dragged").count() == 0
    settled(page)


def moves(page: Page) -> list[str]:
    """The moves of the address."""
    made: str = page.evaluate("new URLSearchParams(location.hash.slice(1)).get('moves') || ''")
    return made.split("_") if made else []


def written(page: Page) -> list[str]:
    return page.locator("#record button").all_inner_texts()


def test_a_game_fits_the_screen(page: Page) -> None:
    """Board, hands, moves and buttons are seen without scrolling, in two directions."""
    for name in FITTING:
        at(page, f"#game={name}")
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            board = page.locator("#board .board").bounding_box()
            assert board is not None
            assert board["height"] > height * 0.8 or board["width"] > width * 0.85, name
            for seen in ("#board .board", "#seat-0", "#seat-1", "#undo", ".moves", "#status"):
                box = page.locator(seen).bounding_box()
                assert box is not None
                assert box["y"] >= 0, (name, seen)
                assert box["y"] + box["height"] <= height, (name, seen)
                assert box["x"] + box["width"] <= width, (name, seen)
    page.set_viewport_size({"width": 1366, "height": 768})


def test_a_piece_is_dragged_and_promotes_on_its_square(page: Page) -> None:
    at(page, f"#game=chess&start={PROMOTING.replace(' ', '+')}")
    dragged(page, square(page, "a7"), square(page, "a8"))
    choices = page.locator("#choices button")
    assert [each.get_attribute("aria-label") for each in choices.all()] == [
        f"becomes {name} (a7a8{letter})"
        for name, letter in zip(("queen", "rook", "bishop", "knight"), "qrbn", strict=True)
    ]
    # The first is over the square itself, the others below it.
    assert middle(choices.nth(0)) == pytest.approx(middle(square(page, "a8")), abs=4)
    choices.nth(0).click()
    settled(page)
    assert written(page) == ["a8=Q+"]
    assert square(page, "h8").get_attribute("class").split().count("checked") == 1  # type: ignore[union-attr]
    assert {each.get_attribute("aria-label") for each in page.locator(".cell.last").all()} == {
        *("a7: empty", "a8: white queen"),
    }


def test_a_drag_to_nowhere_and_an_illegal_one_move_nothing(page: Page) -> None:
    at(page, "#game=chess")
    (x, y), board = middle(square(page, "e2")), page.locator("#board").bounding_box()
    assert board is not None
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, board["y"] + board["height"] + 10)
    page.mouse.up()
    dragged(page, square(page, "e2"), square(page, "e5"))
    assert (
        page.locator("#status").inner_text().startswith("Illegal: the pawn on e2 cannot go to e5")
    )
    assert moves(page) == []


def test_what_a_piece_is_called_and_what_to_play(page: Page) -> None:
    at(page, "#game=chu")
    square(page, "7b").click()
    settled(page)
    words = page.locator("#status").inner_text()
    assert words.startswith("White phoenix. Steps one square orthogonally")
    # Mate in one.
    at(page, "#game=chess&start=7k/R7/6K1/8/8/8/8/8+w+-+1")
    page.locator("#hint").click()
    settled(page)
    assert (
        page.locator("#status").inner_text()
        == "The computer would play a7a8. White wins in 1 move."
    )
    assert page.locator(".notes .head").count() == 1
    assert moves(page) == []


def test_who_has_more_pieces_is_seen_at_his_name(page: Page) -> None:
    at(page, "game=chess&moves=e4_d5_exd5_Nf6_c4_Nxd5_cxd5")
    assert page.locator("#seat-0 .lead img").count() == 1
    page.locator("#seat-0").get_by_label("Ahead by: knight").wait_for()
    assert not page.locator("#seat-1 .lead img").count()
    # The second step does not wait for the answer to the first.
    page.evaluate("() => { for (const _ of [1, 2]) document.getElementById('back').click(); }")
    page.locator("#seat-0").get_by_label("Ahead by: pawn").wait_for()
    # Where hands say it, nothing else does.
    at(page, "game=minishogi")
    assert not page.locator(".lead *").count()


def test_the_board_is_seen_from_the_other_side(page: Page) -> None:
    at(page, "#game=hand_shogi")
    upright = square(page, "7i").locator("img").get_attribute("src")
    turned = square(page, "7a").locator("img").get_attribute("src")
    x, y = middle(square(page, "9a"))
    page.locator("#flip").click()
    assert middle(square(page, "1i")) == (x, y)
    assert square(page, "7a").locator("img").get_attribute("src") == upright
    assert square(page, "7i").locator("img").get_attribute("src") == turned
    dragged(page, page.locator("#hand-0 [data-code='S']"), square(page, "5e"))
    assert moves(page) == ["S*5e"]
    # Keys go where they point.
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.ariaLabel") == "5f: empty"
    page.locator("#flip").click()


def test_another_move_begins_a_branch_and_the_link_leads_to_it(page: Page) -> None:
    at(page, "#game=chess&moves=e2e4_e7e5_g1f3")
    page.locator("#record button").nth(0).click()
    dragged(page, square(page, "c7"), square(page, "c5"))
    assert written(page) == ["e4", "e5", "c5", "Nf3"]
    assert page.locator("#record .branch").inner_text().split() == ["1…", "c5"]
    assert moves(page) == ["e2e4", "c7c5"]
    for _ in range(2):
        page.locator("#back").click()
        settled(page)
    assert "at=0" in page.url
    page.locator("#record button", has_text="Nf3").click()
    settled(page)
    page.locator("#undo").click()
    settled(page)
    assert written(page) == ["e4", "e5", "c5"]


def test_a_lone_king_is_mated_against_the_best_defence(page: Page) -> None:
    at(page, "#mate=Q&start=7k/8/5K2/8/8/8/8/6X1+w+-+1")
    status = page.locator("#status")
    assert status.inner_text().endswith(" Mate in 1.")
    dragged(page, square(page, "g1"), square(page, "a1"))
    chess = alfil.load("chess")
    game = chess.game("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    for move in moves(page):
        game.push(move)
    assert len(game.moves) == 2
    probe = alfil.Tablebase.make(chess.variant, ["KQK"]).probe(game)
    assert probe
    left = (probe.plies + 1) // 2
    assert status.inner_text().endswith(f" Mate in {left}. The last move has cost {left}.")
    page.locator("#undo").click()
    dragged(settled(page), square(page, "g1"), square(page, "g7"))
    assert status.inner_text() == "White wins: checkmate."
    page.locator("#mate").fill("B")
    page.locator("#mate").press("Enter")
    settled(page)
    assert status.inner_text().startswith("King and B never mate a lone king.")


def test_positions_and_records_are_taken_and_given(page: Page, tmp_path: Path) -> None:
    at(page, "#game=chess&moves=e2e4")
    page.evaluate("document.getElementById('records').open = true")
    game = alfil.load("chess").game()
    game.push("e2e4")
    assert page.locator("#position").input_value() == game.fen()
    with page.expect_download() as waiting:
        page.locator("#save").click()
    waiting.value.save_as(tmp_path / "game.pgn")
    assert "1. e4 *" in (tmp_path / "game.pgn").read_text(encoding="utf-8")
    (tmp_path / "other.pgn").write_text("1. d4 d5 2. c4 *\n", encoding="utf-8")
    page.locator("#record-file").set_input_files(tmp_path / "other.pgn")
    page.locator("#record button").nth(2).wait_for()
    assert written(settled(page)) == ["d4", "d5", "c4"]
    page.locator("#position").fill(PROMOTING)
    page.locator("#set-up button[type=submit]").click()
    assert square(settled(page), "a7").get_attribute("aria-label") == "a7: white pawn"
    page.locator("#edit").click()
    page.locator(".palette button[aria-label='black rook']").click()
    square(page, "b8").click()
    page.get_by_text("Play this position").click()
    settled(page)
    assert page.locator("#position").input_value().startswith("1r5k/P7/8/8/8/8/8/K7 w")


def test_arrows_are_drawn_by_the_right_button(page: Page) -> None:
    at(page, "#game=chess")
    (x, y), (to_x, to_y) = middle(square(page, "g1")), middle(square(page, "f3"))
    for start, end in (((x, y), (to_x, to_y)), ((x, y), (x, y))):
        page.mouse.move(*start)
        page.mouse.down(button="right")
        page.mouse.move(*end)
        page.mouse.up(button="right")
    assert page.locator(".notes .head").count() == page.locator(".notes circle").count() == 1
    square(page, "a5").click()
    assert page.locator(".notes > *").count() == 0


def test_time_runs_out(page: Page) -> None:
    at(page, "#game=chess")
    page.locator("#time").select_option("1+0")
    settled(page)
    dragged(page, square(page, "e2"), square(page, "e4"))
    assert page.locator("#seat-1 .clock").inner_text() == "1:00"
    page.clock.run_for(61_000)
    assert page.locator("#status").inner_text() == "White wins on time."
    assert page.locator(".cell.mine").count() == 0
    page.locator("#time").select_option("")
    settled(page)


def by_mouse(page: Page, _: alfil.Move, names: tuple[str, str]) -> None:
    dragged(page, square(page, names[0]), square(page, names[1]))


def by_keys(page: Page, move: alfil.Move, names: tuple[str, str]) -> None:
    """Walk over the board with arrows, and press Enter on both squares."""
    for _ in range(60):
        if page.evaluate("document.activeElement.matches('#board .cell')"):
            break
        page.keyboard.press("Tab")
    for square_to, name in zip((move.origin, move.target), names, strict=True):
        assert square_to is not None
        here = page.evaluate("Number(document.activeElement.dataset.square)")
        across, up = square_to[0] - here % 9, square_to[1] - here // 9
        for count, keys in ((across, ("Right", "Left")), (up, ("Up", "Down"))):
            for _ in range(abs(count)):
                page.keyboard.press(f"Arrow{keys[count < 0]}")
        assert page.evaluate("document.activeElement.ariaLabel").startswith(f"{name}:")
        page.keyboard.press("Enter")
    settled(page)


@pytest.mark.parametrize("way", [by_mouse, by_keys])
def test_the_computer_is_played_by_pointer_or_by_keys_alone(page: Page, way: object) -> None:
    assert callable(way)
    at(page, "#game=xiangqi", opponent="1")
    page.locator("#level").select_option("1")
    settled(page)
    game = alfil.load("xiangqi").game()
    for number in range(3):
        move = game.legal_moves[number]
        assert move.origin is not None
        way(page, move, (game.square_name(move.origin), game.square_name(move.target)))
        made = moves(page)
        assert made[: len(game.moves) + 1] == [*map(str, game.moves), str(move)]
        for each in made[len(game.moves) :]:
            game.push(each)
        assert len(game.moves) == 2 * number + 2
    assert len(written(page)) == 6
