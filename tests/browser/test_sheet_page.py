"""Sheets as pages: cards in columns, nothing wider than a telephone, nothing cut on paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

import alfil
from browser.browsing import Tabs

pytestmark = pytest.mark.browser


def written(folder: Path, name: str) -> str:
    path = folder / f"{name}.html"
    alfil.load(name).sheet().save(path)
    return path.as_uri()


def corners(page: Page, selector: str) -> list[tuple[int, int]]:
    """Where elements begin, from the left and from the top."""
    found: list[list[float]] = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)]
             .map((each) => each.getBoundingClientRect()).map(({x, y}) => [x, y])""",
        selector,
    )
    return [(round(x), round(y)) for x, y in found]


def test_cards_flow_to_one_column(tab: Tabs, tmp_path: Path) -> None:
    address = written(tmp_path, "crazyhouse")
    wide = tab(address, viewport={"width": 1200, "height": 800})
    assert len({x for x, _ in corners(wide, ".cards > .card")}) == 4
    boards = corners(wide, ".drawing")
    assert len({y for _, y in boards[:4]}) == 1  # in line, whatever stands above them
    phone = tab(address, viewport={"width": 360, "height": 700})
    lefts = [x for x, _ in corners(phone, ".card")]
    assert max(lefts) - min(lefts) <= len(["a frame"])
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    tops = [y for _, y in corners(phone, ".card")]
    assert tops == sorted({*tops})


def test_cards_are_whole_on_paper_and_several_rows_are_on_one_page(
    tab: Tabs, tmp_path: Path
) -> None:
    page = tab(written(tmp_path, "shogi"), viewport={"width": 703, "height": 1032})  # A4
    page.emulate_media(media="print", color_scheme="dark")
    page.add_style_tag(content="@page { size: 703px 1032px; margin: 0; }")
    for part in (".card", ".forms", ".legend li"):
        kept = page.locator(part).first.evaluate("(each) => getComputedStyle(each).breakInside")
        assert kept == "avoid"
    high = [box["height"] for each in page.locator(".card").all() if (box := each.bounding_box())]
    assert max(high) < 1032 / 3
    colours = page.evaluate(
        """() => ["html", ".drawing .alfil-ink, .drawing .alfil-light"].map((each) =>
             getComputedStyle(document.querySelector(each)))
             .map((style) => [style.backgroundColor, style.color])"""
    )
    assert colours[0] == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    assert colours[1][1] == "rgb(251, 247, 239)"  # light squares, not those of a dark screen


def test_words_can_be_selected_and_pictures_are_named_by_them(tab: Tabs, tmp_path: Path) -> None:
    page = tab(written(tmp_path, "shogi"), color_scheme="dark")
    drawing = page.get_by_role("img", name="dragon king", exact=True)
    assert drawing.count() == 1
    described = drawing.get_attribute("aria-describedby")
    assert page.locator(f"[id='{described}']").inner_text().startswith("Slides any distance")
    page.locator(".card dl").first.evaluate("(each) => getSelection().selectAllChildren(each)")
    assert page.evaluate("getSelection().toString().split(/\\s+/)") == [
        *("Betza", "K", "Ħasínū", "1×8d"),
    ]
