"""The playground: names, pasted texts, answers without Python, tokens and squares, its tools."""

from __future__ import annotations

import base64
import gzip
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import alfil
from alfil.site.piece_requests import page_data_of_text
from browser.browsing import STEP_MILLISECONDS, Tabs, follow
from browser.conftest import settled
from browser.test_site import PHONE, WIDE, drawn_squares, named, shown_signs, square, typed

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def playground(kept_pages: Callable[[str], Page]) -> Page:
    page = kept_pages("")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return page


def paste(page: Page, text: str) -> None:
    """Put a text in place of the old one, as from the clipboard."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.locator("#text").focus()
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+V")
    settled(page)


def board_top(page: Page) -> float:
    box = page.locator("#board").bounding_box()
    assert box is not None
    return box["y"]


def lit(page: Page) -> set[str]:
    """The squares that are lit, by name."""
    cells = page.locator("#board .cell.lit")
    return {
        each.partition(":")[0] for each in cells.evaluate_all("all => all.map(e => e.ariaLabel)")
    }


def squares(*places: tuple[int, int]) -> set[str]:
    return {named(x, y) for x, y in places}


def test_a_name_is_no_notation(playground: Page) -> None:
    page = playground
    typed(page, "gryphon")
    assert page.locator("#echo mark, #echo .atom, #echo .letter").count() == 0
    programs = page.locator("#programs details")
    assert programs.count() >= 1
    assert page.locator("#programs details[open]").count() == 0
    assert page.locator("#names").bounding_box()["y"] < programs.first.bounding_box()["y"]  # type: ignore[index]
    programs.first.locator("summary").click()
    shown = "".join(programs.first.locator(".echo").all_inner_texts()).strip()
    assert shown == alfil.find("griffon").piece.text
    typed(page, "lion")
    found = {each.qualified_code for each in alfil.search("lion") if each.entry.name == "lion"}
    lions = {each for each in found if not each.startswith("catalogue/")}  # the page has none of it
    told = page.locator("#names .called button").all_inner_texts()
    assert {f"lion ({each})" for each in lions} <= set(told)
    assert len(lions) > 2


@pytest.mark.parametrize(
    ("text", "notation", "title"),
    [
        ("1X.n+", "parlett", "Parlett"),
        ("n4dO", "hasinu", "Ħasínū"),
        ("(1,2)ab", "hasinu", "Ħasínū"),
    ],
)
def test_a_pasted_text_brings_its_notation(
    playground: Page, text: str, notation: str, title: str
) -> None:
    page = playground
    page.locator("#notation").select_option("betza")
    typed(page, "N")
    before = board_top(page)
    paste(page, text)
    assert page.locator("#notation").input_value() == notation
    assert page.locator("#detected").inner_text().startswith(f"Read as {title}.")
    assert page.locator("#english").inner_text() == alfil.describe(alfil.read(text, notation))
    assert board_top(page) == before
    page.locator("#detected button", has_text="Read as Betza").click()
    settled(page)
    assert page.locator("#notation").input_value() == "betza"
    assert page.locator("#text").get_attribute("aria-invalid") == "true"
    assert board_top(page) == before


def test_who_types_is_offered_the_other_notation(playground: Page) -> None:
    page = playground
    typed(page, "n4dO")
    assert page.locator("#notation").input_value() == "betza"
    page.locator("#detected button", has_text="Read as Ħasínū").click()
    settled(page)
    assert page.locator("#english").inner_text() == alfil.describe("R")
    page.locator("#notation").select_option("betza")


def test_a_piece_outside_widens_the_diagram(playground: Page) -> None:
    page = playground
    follow(page, "text=W&in=betza&on=e5.0_f0.1")
    settled(page)
    assert shown_signs(page)[named(5, 0)] == ["enemy"]
    follow(page, "text=W&in=betza&on=e25.0_f0.1")
    settled(page)
    assert page.locator("#outside").inner_text() == (
        "Outside of this board, and of no account: 25 right."
    )
    assert "e25.0" in address(page)
    follow(page, "text=N&in=betza")
    settled(page)


def test_letters_and_squares_light_each_other_up(playground: Page) -> None:
    page = playground
    typed(page, "fmWfcF")
    page.locator("#parts li").nth(1).wait_for()
    kinds = page.locator("#echo span[data-at]").evaluate_all("all => all.map(e => e.className)")
    assert kinds[:6] == ["direction", "letter", "atom", "direction", "letter", "atom"]
    box = page.locator("#echo [data-at='4']").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert lit(page) == squares((-1, 1), (1, 1))
    assert page.locator("#token").inner_text().startswith("c: ")
    square(page, "1 forward").hover()
    marked = "#echo [data-at].lit"
    assert "".join(page.locator(marked).all_inner_texts()) == "fmW"
    assert page.locator("#parts li.lit").inner_text().startswith("fmW")
    page.mouse.move(1, 1)
    page.locator("#parts button").nth(0).focus()
    assert lit(page) == squares((0, 1))
    page.locator("#text").focus()
    assert lit(page) == set()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert lit(page) == squares((-1, 1), (1, 1))


def test_the_legs_of_a_part_are_told_apart(playground: Page) -> None:
    page = playground
    typed(page, "FyafsF")
    page.locator("#parts li").nth(1).wait_for()
    corners = squares((1, 1), (1, -1), (-1, 1), (-1, -1))
    page.locator("#text").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert lit(page) == corners
    page.keyboard.press("ArrowRight")
    assert lit(page) == drawn_squares("FyafsF")


def test_the_letters_stand_beside_the_field(playground: Page) -> None:
    page = playground
    page.locator("button", has_text="Letters").click()
    page.locator("#letters-find").fill("forward")
    rows = page.locator("#letters dt button").all_inner_texts()
    assert "f" in rows
    assert "W" not in rows
    page.locator("#letters-find").fill("")
    page.locator("#letters button").first.click()
    settled(page)
    assert page.locator("#text").input_value() == "W"
    page.keyboard.press("Escape")
    assert not page.locator("#letters").is_visible()


def address(page: Page) -> str:
    """The address as the page has it now; that of Playwright is behind."""
    return str(page.evaluate("location.href"))


def drag(page: Page, origin: str, target: str) -> None:
    square(page, origin).hover()
    page.mouse.down()
    square(page, target).hover()
    page.mouse.up()


def test_pieces_are_dragged_and_changes_undone(playground: Page) -> None:
    page = playground
    typed(page, "R")
    square(page, "1 forward").click()
    drag(page, "1 forward", "2 right")
    assert "on=e2.0" in address(page)
    assert shown_signs(page)["2 right"] == ["enemy", "step-capture"]
    page.locator("#undo").click()
    settled(page)
    assert "on=e0.1" in address(page)
    page.locator("#redo").click()
    settled(page)
    assert "on=e2.0" in address(page)
    square(page, "2 right").focus()
    for expected in ("on=e0.1", "text=R"):
        page.keyboard.press("Control+Z")
        settled(page)
        assert expected in address(page)
    assert "on=" not in address(page)
    assert page.locator("#text").input_value() == "R"


def test_a_diagram_is_copied_in_every_form(playground: Page) -> None:
    page = playground
    follow(page, "text=FyafsF&in=betza")
    settled(page)

    def copied(form: str) -> str:
        page.locator("#copied").evaluate("e => { e.textContent = ''; }")
        page.locator(f"[data-copy={form}]").click()
        expect(page.locator("#copied")).to_have_text("Copied.", timeout=STEP_MILLISECONDS)
        kind = "png" if form == "png" else ""
        read = """async kind => kind
          ? (await (await navigator.clipboard.read())[0].getType("image/png")).type
          : navigator.clipboard.readText()"""
        return str(page.evaluate(read, kind))

    assert copied("svg") == alfil.draw("FyafsF").svg()
    assert copied("wikitext") == alfil.draw("FyafsF").render("wikitext").decode()
    assert copied("png") == "image/png"
    html = copied("embed")
    address = re.search(r'src="([^"]*)"', html)
    assert address
    assert html.startswith("<iframe ")
    assert address[1].replace("&amp;", "&").endswith("#view=board&text=FyafsF&in=betza")


def test_an_embedded_diagram_is_a_board_alone(visit: Tabs) -> None:
    page = visit("#view=board&text=N&in=betza", asleep=True, viewport={"width": 460, "height": 560})
    page.wait_for_selector("#board .cell use.leap-either")
    assert set(shown_signs(page)) == drawn_squares("N")
    for hidden in ("nav", "#text", "#english", "#sketch"):
        assert not page.locator(hidden).first.is_visible()
    square(page, "2 forward, 1 right").click()
    assert "view=board" in address(page)
    link = page.locator("#source")
    assert link.is_visible()
    assert (link.get_attribute("href") or "").endswith("#text=N&in=betza&on=e1.2")


def test_a_piece_is_kept_in_the_browser(playground: Page, site: str, tmp_path: Path) -> None:
    page = playground
    typed(page, "gryphon")
    page.locator("#keep").click()
    page.locator("#kept a").wait_for()
    page.goto(f"{site}saved.html")
    assert page.locator("#pieces img").count() == 1
    page.locator("#pieces input").fill('my "bird"')
    with page.expect_download() as waiting:
        page.locator("#save-all").click()
    waiting.value.save_as(tmp_path / "mine.pieces")
    (piece,) = alfil.load(tmp_path / "mine.pieces").pieces
    assert piece.name == 'my "bird"'
    assert alfil.same(piece.piece, "FyafsF")
    page.reload()
    assert page.locator("#pieces input").input_value() == 'my "bird"'
    page.locator("#pieces button", has_text="Remove").click()
    assert page.locator("#none").is_visible()
    page.goto(site)
    settled(page)


def test_a_game_with_the_piece_is_one_step_away(playground: Page, site: str) -> None:
    page = playground
    typed(page, "FyafsF")
    page.locator("#play-as").select_option("chess N")
    page.context.route(
        "**/games.html*", lambda route: route.fulfill(content_type="text/html", body="")
    )
    page.locator("#play").click()
    page.wait_for_url("**/games.html#file=*")
    page.context.unroute("**/games.html*")
    packed = page.url.partition("#file=")[2]
    page.goto(site)
    letters = packed.replace("-", "+").replace(".", "/")
    content = base64.b64decode(letters + "=" * (-len(letters) % 4))
    library = alfil.loads(zlib.decompress(content, wbits=-zlib.MAX_WBITS).decode())
    assert library.heading == "Chess with the FyafsF"
    assert library["N"].piece.text == "FyafsF"


def test_what_is_known_is_answered_before_python_is_there(visit: Tabs) -> None:
    page = visit(asleep=True, **WIDE)
    text = page.locator("#text")
    for wanted in ("R", "fmWfcF", "gryphon", "1×4dD &t n4dO"):
        if "×" in wanted:
            page.locator("#notation").select_option("hasinu")
        text.fill(wanted)
        answer = page_data_of_text(wanted, page.locator("#notation").input_value())
        expect(page.locator("#english")).to_have_text(
            str(answer["english"]), timeout=STEP_MILLISECONDS
        )
        label = page.locator("#board [role=grid]").get_attribute("aria-label")
        assert label == answer["data"]["label"]  # type: ignore[index, call-overload]
        assert page.locator("main.waiting").count() == 0
    page.locator("#notation").select_option("betza")
    text.fill("fQ7bN")
    assert page.locator("main.waiting").count() == 1
    assert page.locator("#last").inner_text().startswith("Python is starting")


def test_known_answers_are_those_of_python(site_folder: Path) -> None:
    packed = (site_folder / "scripts/python/known.json.packed").read_bytes()
    known = json.loads(gzip.decompress(packed))
    questions = [(each, text) for each, texts in known["texts"].items() for text in sorted(texts)]
    for notation, text in questions[:: len(questions) // 100]:
        answer = json.loads(json.dumps(page_data_of_text(text, notation)))
        number, *own = known["texts"][notation][text]
        ours = known["answers"][number]
        # A table may number the same states in another order.
        for each in answer["data"].keys() - {"label", "table"}:
            assert ours["data"][each] == answer["data"][each], (notation, text, each)
        assert (answer["diagnostics"], answer["notation"]) == ([], notation)
        assert answer["english"] == ours["english"]
        assert answer["written"] == (own[0] if own else ours["written"])
    number, name, place = known["names"]["gryphon"]
    named_answer = page_data_of_text("gryphon", "betza")["named"]
    assert {"name": name, "place": place}.items() <= named_answer.items()  # type: ignore[union-attr, attr-defined]
    assert known["answers"][number]["english"] == alfil.describe("FyafsF")


def test_the_second_visit_needs_neither_network_nor_python(chromium: Browser, site: str) -> None:
    context: BrowserContext = chromium.new_context(**WIDE)
    page = context.new_page()
    page.set_default_timeout(STEP_MILLISECONDS)
    page.goto(f"{site}#text=R2fB&in=betza")
    settled(page)
    # To wait for a function would be to poll it, which the policy of the page forbids.
    page.evaluate(
        """new Promise((done) => {
             const workers = navigator.serviceWorker;
             workers.oncontrollerchange = done;
             if (workers.controller) done();
           })"""
    )
    context.set_offline(True)
    page.goto("about:blank")
    page.goto(f"{site}#text=R2fB&in=betza")
    # This is there before the script of Python is, which the page asks for no sooner.
    assert page.locator("#english").inner_text() == alfil.describe("R2fB")
    page.locator("#text").fill("R3bB")
    settled(page)
    assert page.locator("#english").inner_text() == alfil.describe("R3bB")
    context.close()


@pytest.mark.parametrize("text", ["FyafsF", "KNADcaKmcabK"])
def test_paper_has_one_page_with_its_grid(visit: Tabs, text: str) -> None:
    page = visit(f"#text={text}&in=betza", asleep=True, **WIDE)
    page.wait_for_selector("#board use")
    page.emulate_media(media="print")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
    width = "parseFloat(getComputedStyle(document.querySelector('#board .cell')).outlineWidth)"
    assert page.evaluate(width) > 0
    assert not page.locator("#text").is_visible()


def test_a_phone_has_room_for_it(visit: Tabs) -> None:
    page = visit("#text=N&in=betza&on=e1.2", asleep=True, **PHONE)
    page.wait_for_selector("#board use")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("button", has_text="Letters").tap()
    assert page.locator("#letters-find").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
