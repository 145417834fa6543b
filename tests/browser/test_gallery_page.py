"""The gallery in a browser: search, pictures in light and dark, and the board of one piece."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import alfil
from browser.browsing import Tabs
from inside import bundled_set_names, run

pytestmark = pytest.mark.browser

HOSTILE_FILE = """
piece X "</script><script>document.title='run'</script>" betza=W
piece Y "'onload='x" betza=F also="<img src=http://example.invalid/>"
"""


@pytest.fixture(scope="module")
def address(every_set: tuple[Path, str]) -> str:
    return (every_set[0] / "index.html").as_uri()


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A gallery of three sets: the page of all of them takes a browser long to lay out."""
    folder = tmp_path_factory.mktemp("gallery") / "few"
    assert run(["gallery", "-o", str(folder), "hand_shogi", "shogi", "chess"]) == 0
    return (folder / "index.html").as_uri()


def visible(page: Page) -> set[str]:
    """The pieces that are shown, by place."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("main .card")]
             .filter((card) => card.checkVisibility()).map((card) => card.id)"""
    )
    return set(found)


def names(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("main .card h3")]
             .map((title) => title.textContent.trim())"""
    )
    return found


def test_every_piece_of_every_set_is_there(tab: Tabs, address: str) -> None:
    page = tab(address)
    pieces = [entry.name for name in bundled_set_names() for entry in alfil.load(name).pieces]
    assert sorted(names(page)) == sorted(pieces)
    assert page.locator("#found").inner_text() == f"{len(pieces)} pieces"
    assert len(visible(page)) == 24
    page.locator("#after").click()
    expect(page.locator("#page")).to_have_text(f"Page 2 of {-(-len(pieces) // 24)}")
    assert len(visible(page)) == 24


def test_no_page_is_too_long_to_scroll_on_a_phone(tab: Tabs, address: str) -> None:
    page = tab(address, viewport={"width": 360, "height": 740})
    for number in range(4):
        assert page.evaluate("document.documentElement.scrollHeight") <= 20_000, number
        page.locator("#after").click()


def test_exact_names_come_first_and_go_back(tab: Tabs, address: str) -> None:
    page = tab(address)
    before = names(page)
    page.locator("#search").fill("Lion")
    first = page.locator(".card:visible h3").all_text_contents()
    lions = [
        each
        for name in bundled_set_names()
        for each in alfil.load(name).pieces
        if each.name == "lion"
    ]
    titles = [each.strip() for each in first]
    assert titles[: len(lions)] == ["lion"] * len(lions)
    assert "lion" not in titles[len(lions) :]
    assert page.locator("h2:visible").first.inner_text() == "Called “lion”"
    page.locator("#search").fill("")
    assert names(page) == before
    assert not page.locator("#exact").is_visible()


def test_long_sets_have_headings(tab: Tabs, address: str) -> None:
    page = tab(address)
    headings = page.locator("#set-fairy .group").all_text_contents()
    assert headings[:2] == ["The pieces of chess", "Leapers with names of their own"]
    letters = page.locator("#set-taikyoku .group").all_text_contents()
    assert letters == sorted(set(letters))
    assert not page.locator("#set-chess .group").count()


def test_a_link_skips_to_the_pieces_and_signs_are_at_hand(tab: Tabs, address: str) -> None:
    page = tab(address)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "pieces"
    page.evaluate("window.scrollTo(0, 5000)")
    page.locator(".signs summary").click()
    signs = page.locator(".signs li")
    assert signs.count() > 20
    assert signs.first.is_visible()
    box = page.locator(".signs .legend").bounding_box()
    assert box is not None
    assert box["y"] < 200


def test_search_narrows_by_name_notation_and_set(tab: Tabs, few: str) -> None:
    page = tab(few)
    search = page.locator("#search")
    search.fill("Silver GENERAL")
    assert {"hand-shogi/silver-general", "shogi/silver-general"} <= visible(page)
    assert "shogi/rook" not in visible(page)
    search.fill("silver hand shogi")
    # Elsewhere, what moves like the last two is a promoted silver general.
    assert visible(page) == {
        *("hand-shogi/silver-general", "hand-shogi/gold-general", "hand-shogi/promoted-knight")
    }
    search.fill("ffW 1x5dE-S-W hand_shogi")
    assert visible(page) == {"hand-shogi/silver-general"}
    search.fill("reconstructed")
    assert visible(page) == {
        f"hand-shogi/{name}" for name in ("tycoon", "shogun", "onager", "hasty")
    }
    assert page.locator("#found").inner_text().startswith("4 of ")
    assert page.locator(".count:visible").all_inner_texts() == ["4 of 12 pieces"]
    search.fill("")
    page.locator("#set").select_option("chess")
    chess = ("king", "queen", "rook", "bishop", "knight", "pawn")
    assert visible(page) == {f"chess/{name}" for name in chess}
    search.fill("no such piece")
    assert visible(page) == set()
    assert page.locator("#nothing").is_visible()
    assert page.locator("section:visible").count() == 0


@pytest.mark.parametrize(
    ("media", "scheme", "shown"),
    [("screen", "light", "light"), ("screen", "dark", "dark"), ("print", "dark", "light")],
)
def test_pictures_follow_the_colours_of_the_screen(
    tab: Tabs, few: str, media: str, scheme: str, shown: str
) -> None:
    page = tab(few, color_scheme=scheme, viewport={"width": 900, "height": 700})
    page.emulate_media(media=media)  # type: ignore[arg-type]
    page.evaluate("document.querySelector('.card img').decode()")
    shot = page.locator(".card img").first.screenshot()
    lightest, darkest, colourful = tab().evaluate(
        """async (png) => {
             const image = new Image();
             image.src = `data:image/png;base64,${png}`;
             await image.decode();
             const canvas = document.createElement("canvas");
             [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
             const context = canvas.getContext("2d");
             context.drawImage(image, 0, 0);
             const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
             let light = 0, dark = 0, colourful = 0;
             for (let at = 0; at < data.length; at += 4) {
               const three = [data[at], data[at + 1], data[at + 2]];
               const [low, high] = [Math.min(...three), Math.max(...three)];
               light += low > 200;
               dark += high < 80;
               colourful += high - low > 70;
             }
             const all = data.length / 4;
             return [light / all, dark / all, colourful / all];
           }""",
        base64.b64encode(shot).decode("ascii"),
    )
    assert (lightest if shown == "light" else darkest) > 0.6
    assert (darkest if shown == "light" else lightest) < 0.2
    assert colourful > 0.01


def test_a_piece_opens_on_a_board_and_closes(tab: Tabs, few: str) -> None:
    page = tab(few)
    page.locator("#search").fill("shogi rook")
    page.locator("[id='shogi/rook'] .open").click()
    dialog = page.locator("dialog")
    assert dialog.locator("h3").inner_text().startswith("rook")
    assert dialog.get_attribute("aria-labelledby") == dialog.locator("h3").get_attribute("id")
    dialog.locator("[aria-label^='2 forward:']").click()
    assert dialog.locator("[role=status]").inner_text() == "14 moves, 1 of them a capture."
    page.keyboard.press("Escape")
    assert dialog.is_visible()
    assert dialog.locator("[role=status]").inner_text().startswith("Every move: 16 squares")
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.wait_for_url(lambda url: "#" not in url)
    assert page.evaluate("document.activeElement.closest('.card').id") == "shogi/rook"
    assert visible(page) >= {"shogi/rook"}


def test_a_link_to_a_piece_opens_it(tab: Tabs, few: str) -> None:
    page = tab(f"{few}#hand-shogi/shogun")
    dialog = page.locator("dialog")
    assert dialog.locator("h3").inner_text() == "shogun"
    assert "the original move is lost" in dialog.locator(".remark").inner_text()
    dialog.locator("button", has_text="Close").click()
    dialog.wait_for(state="hidden")
    page.evaluate("location.hash = '#chess/knight'")
    assert dialog.locator("h3").inner_text() == "knight"
    page.evaluate("location.hash = '#no/such'")
    dialog.wait_for(state="hidden")


def test_without_scripts_the_pieces_are_still_there(tab: Tabs, tmp_path: Path) -> None:
    # Without scripts a browser loads all pictures at once, so there are few here.
    assert run(["gallery", "-o", str(tmp_path / "gallery"), "chess"]) == 0
    page = tab((tmp_path / "gallery" / "index.html").as_uri(), java_script_enabled=False)
    assert page.locator(".card img:visible").count() == 6
    assert not page.locator("#search").is_visible()


def test_a_small_screen(tab: Tabs, few: str) -> None:
    phone = tab(f"{few}#chess/queen", viewport={"width": 340, "height": 700})
    assert phone.evaluate("document.documentElement.scrollWidth") <= 340
    assert phone.locator("dialog [role=grid]").bounding_box()["width"] <= 340  # type: ignore[index]


def test_squares_are_large_enough_to_touch(tab: Tabs, address: str) -> None:
    phone = tab(f"{address}#fairy/rose", viewport={"width": 360, "height": 700})
    box = phone.locator("dialog .cell").first.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24
    low = phone.evaluate(
        """() => [...document.querySelectorAll("button, select, input, summary, .open")]
             .filter((each) => each.checkVisibility())
             .filter((each) => each.getBoundingClientRect().height < 24).map((each) => each.id)"""
    )
    assert low == []


def test_paper_keeps_cards_whole_and_headings_beside_them(tab: Tabs, address: str) -> None:
    page = tab(address, viewport={"width": 703, "height": 1032})  # A4 with margins
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")  # paper has all pieces
    styles = page.evaluate(
        """() => [".card", ".group", ".block", ".cards:has(.block)", ".block > div"]
             .map((each) => getComputedStyle(document.querySelector(each)))
             .map((style) => [style.display, style.breakInside, style.breakAfter])"""
    )
    assert styles[0][1] == "avoid"
    assert styles[1] == ["block", "auto", "avoid"]
    assert [display for display, _, _ in styles[2:]] == ["block", "block", "grid"]
    high = page.evaluate(
        """() => [...document.querySelectorAll("#set-shogi .card")]
             .map((each) => each.getBoundingClientRect().height)"""
    )
    assert max(high) < 1032 / 3


def test_hostile_names_are_harmless(tab: Tabs, tmp_path: Path) -> None:
    source = tmp_path / "hostile.pieces"
    source.write_text(HOSTILE_FILE, encoding="utf-8")
    assert run(["gallery", "-o", str(tmp_path / "gallery"), str(source)]) == 0
    page = tab((tmp_path / "gallery" / "index.html").as_uri())
    assert names(page) == ["</script><script>document.title='run'</script>", "'onload='x"]
    page.locator(".open").first.click()
    assert page.locator("dialog h3").inner_text() == names(page)[0]
    assert page.title() == "Pieces"
    assert page.locator("script").count() == 3
