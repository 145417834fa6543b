"""The site in a browser: the playground and the games, with Python in a worker.

What it shows is compared with what alfil says outside of a browser.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

import alfil
from alfil.diagrams import html_page as html
from alfil.site.build import ASKED, GAMES, PLAYGROUND, SAVED, modules_in_import_order, script_source
from browser.browsing import STEP_MILLISECONDS, Tabs, follow
from browser.conftest import settled
from browser.test_page import contrast
from inside import run

pytestmark = pytest.mark.browser

TEXTS = (
    *("FyafsF", "KNADcaKmcabK", "fmWfceFifmnD", "[W?fsR]cN", "mRcpR", "RmasR", "W2fFsA", "afsW"),
    *("N", "nN", "NN", "Q3", "gQ", "mAcW", "KisO2", "W03", "fE", "F]", "jR", "DD"),
)
WIDE = {"viewport": {"width": 1100, "height": 900}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
# A game of minishogi with captures, a promotion that is a choice, a drop and mate.
GAME = ["3e2d", "1b1c", "1e1c", "1a2b", "2e4c", "5a5c", "4c2a+", "2b2a", "G*1a", "2a2b", "1c1b"]
GRIFFONS = """\
game  "Griffon chess"
board 6x6
rule  first = white
rule  stalemate = draw

piece K "king"    betza=K royal
piece G "griffon" betza=FyafsF
piece P "pawn"    betza=fmWfcF promotes=G forced
zone  promotion ranks=1

setup mirrored
| P P P P P P |
| . G K . . . |
"""


def typed(page: Page, text: str) -> None:
    """Type a text key by key, without waiting for answers."""
    page.locator("#text").fill("")
    page.locator("#text").press_sequentially(text)
    settled(page)


def square(page: Page, name: str, board: str = "#board") -> Locator:
    return page.locator(f"{board} [role=gridcell][aria-label^='{name}:']")


def found_in(text: str, notation: str = "betza") -> tuple[alfil.Diagnostic, ...]:
    """What alfil finds in a text; where it has no moves, that is an error too."""
    try:
        piece = alfil.read(text, notation)
        bool(piece.meaning)
    except alfil.AlfilError as error:
        return error.diagnostics
    return piece.diagnostics


def shown_signs(page: Page) -> dict[str, list[str]]:
    """The signs by name of square, without the piece."""
    shown: dict[str, list[str]] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("#board [role=gridcell]")]
             .map((cell) => [cell.getAttribute("aria-label").split(":")[0],
                             [...cell.querySelectorAll("use")].map((use) => use.classList[1])])
             .filter(([, names]) => names.length && !names.includes("piece")))"""
    )
    return shown


def drawn_squares(text: str) -> set[str]:
    """The squares with signs of the picture that `alfil diagram` makes, by name."""
    made = json.loads(alfil.draw(text).render("json"))
    return {named(*each["at"]) for each in made["squares"] if each["at"] != [0, 0]}


# Where the signs of the diagram are, in whole pixels.
PLACES_OF_SIGNS = """
() => [...document.querySelectorAll("#board :is(.cell, .first) use:not(.piece)")].map((each) => {
  const {left, top, width, height} = each.getBoundingClientRect();
  return [left + width / 2, top + height / 2].map(Math.round).join();
}).sort()
"""
# Start Python as worker.js does, and look for a piece: which files of what is kept does it write?
KEPT_ANEW = """
async () => {
  const folder = new URL("scripts/python/", location.href).href;
  const fetchAsItIs = window.fetch;
  window.fetch = async (address, options) => {
    const name = String(address).split("/").pop();
    if (!/[.](wasm|zip)$/.test(name)) return fetchAsItIs(address, options);
    const packed = await fetchAsItIs(`${folder}${name}.packed`);
    const headers = {"Content-Type": `application/${name.split(".").pop()}`};
    return new Response(packed.body.pipeThrough(new DecompressionStream("gzip")), {headers});
  };
  const {loadPyodide} = await import(`${folder}pyodide.mjs`);
  const python = await loadPyodide({indexURL: folder, stdLibURL: `${folder}python.zip`});
  const packages = await (await fetch(`${folder}alfil.zip`)).arrayBuffer();
  python.unpackArchive(packages, "zip", {extractDir: "/alfil"});
  return python.runPython(`
import os, sys
from pathlib import Path
kept = Path("/alfil/alfil/kept")
os.environ["ALFIL_CACHE"] = str(kept)
sys.path.insert(0, "/alfil")
from alfil.site import piece_requests
before = {each.name: each.stat().st_mtime_ns for each in kept.iterdir()}
assert "griffon" in piece_requests.answer("names", '["FyafsF", "betza"]')
[each.name for each in kept.iterdir() if each.stat().st_mtime_ns != before.get(each.name)]
`).toJs();
}
"""


def named(dx: int, dy: int) -> str:
    """A square of an open diagram as seen from the piece."""
    words = [f"{abs(dy)} {'forward' if dy > 0 else 'back'}"] if dy else []
    return ", ".join([*words, f"{abs(dx)} {'right' if dx > 0 else 'left'}"] if dx else words)


def test_a_site_is_small(site_folder: Path) -> None:
    files = [each for each in site_folder.rglob("*") if each.is_file()]
    files = [each for each in files if not each.name.startswith("games.")]
    assert len(files) <= 17
    assert sum(len(gzip.compress(each.read_bytes(), 9)) for each in files) < 6_900_000
    packed = gzip.decompress((site_folder / "scripts/python/alfil.zip.packed").read_bytes())
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        parts = archive.namelist()
    assert [each for each in parts if not each.startswith("alfil/")] == ["lark/__init__.pyc"]
    names = {each.relative_to(site_folder).as_posix() for each in files}
    assert {"index.html", "scripts/python/LICENSES.txt"} <= names
    licences = (site_folder / "scripts/python/LICENSES.txt").read_text(encoding="utf-8")
    for each in ("Mozilla Public License Version 2.0", "PYTHON SOFTWARE FOUNDATION", "MIT"):
        assert each in licences


def test_the_policy_lets_no_foreign_script_run(site_folder: Path) -> None:
    for name, allowed in (("index.html", f" {html.script_policy_hash(ASKED)}"), ("games.html", "")):
        text = (site_folder / name).read_text(encoding="utf-8")
        assert f"script-src 'self'{allowed} 'wasm-unsafe-eval';" in text
        assert "default-src 'none'" in text
        assert '<link rel="icon"' in text


def test_modules_that_become_one_script_have_no_name_in_common() -> None:
    top = re.compile(r"^(?:export )?(?:async )?(?:const|let|function|class) ([^;(]+)", re.MULTILINE)
    for page in (PLAYGROUND, SAVED, GAMES):
        names: list[str] = []
        for module in modules_in_import_order(page):
            for names_given in top.findall(script_source(module)):
                names += re.findall(r"(?:^|, )(\w+)(?= =|$| extends| \{)", names_given)
        assert len(names) > 20
        assert sorted(names) == sorted(set(names)), page


def test_the_first_diagram_is_a_picture_until_the_script_has_run(
    chromium: Browser, site: str
) -> None:
    """It has all signs where the script draws them, so nothing moves when it does."""
    context = chromium.new_context(**WIDE)
    page = context.new_page()
    page.goto(site)
    page.wait_for_selector("#board [role=gridcell] use")
    drawn = page.evaluate(PLACES_OF_SIGNS)
    page.route("**/playground.js", lambda route: route.abort())
    page.goto("about:blank")
    page.goto(site)
    assert page.locator("#board [role=gridcell]").count() == 0
    assert page.evaluate(PLACES_OF_SIGNS) == drawn
    assert len(drawn) >= len(drawn_squares("FyafsF"))
    assert page.locator("#english").inner_text() == alfil.describe("FyafsF")
    page.goto("about:blank")
    page.goto(f"{site}#text=N&in=betza")
    assert not page.locator("#board").is_visible()
    assert not page.locator("#english").is_visible()
    context.close()


def test_a_link_with_a_mistake_says_what_is_wrong(visit: Tabs) -> None:
    page = visit("#text=Qzz&in=betza", **WIDE)
    page.wait_for_selector("#text[aria-invalid=true]")
    assert page.locator("#diagnostics .error").first.is_visible()
    hint = page.locator("#diagnostics .hint").first.inner_text()
    assert hint.strip() == "Hint: did you mean QzZ?"
    assert not page.locator("#board").is_visible()


def test_what_was_worked_out_with_the_site_is_not_worked_out_by_a_visitor(
    chromium: Browser, site: str
) -> None:
    page = chromium.new_page()
    page.route("**/playground.js", lambda route: route.abort())
    page.goto(site)
    assert page.evaluate(KEPT_ANEW) == []
    page.close()


def test_the_first_diagram_needs_no_python(chromium: Browser, site: str) -> None:
    page = chromium.new_page()
    page.route("**/python/*", lambda route: route.abort())
    page.goto(site)
    assert set(shown_signs(page)) == drawn_squares("FyafsF")
    page.wait_for_selector("#engine[data-state=failed]")
    assert page.locator("#english").inner_text() == alfil.describe("FyafsF")
    page.goto(f"{site}games.html")
    assert page.locator("#board .cell img").count() == 12
    assert page.locator("#status").inner_text() == "Black to move; 14 legal moves."
    page.close()


@pytest.fixture(scope="module")
def shared_page(kept_pages: Callable[[str], Page]) -> Page:
    return kept_pages("")


@pytest.fixture(scope="module")
def games_page(kept_pages: Callable[[str], Page]) -> Page:
    return kept_pages("games.html")


@pytest.fixture
def table(games_page: Page) -> Page:
    """The games page as at the beginning."""
    games_page.locator("#opponent").select_option("")
    follow(games_page, "game=minishogi")
    expect(games_page.locator("#record button")).to_have_count(0, timeout=STEP_MILLISECONDS)
    return settled(games_page)


def test_texts_typed_key_by_key_are_answered_as_by_the_command(shared_page: Page) -> None:
    page = shared_page
    for text in TEXTS:
        typed(page, text)
        diagnostics = found_in(text)
        told = page.locator("#diagnostics li strong").all_inner_texts()
        assert told == [each.message for each in diagnostics], text
        if any(each.severity == "error" for each in diagnostics):
            assert page.locator("#text").get_attribute("aria-invalid") == "true"
            continue
        assert page.locator("#english").inner_text() == alfil.describe(text), text
        assert page.locator("#written").inner_text() == alfil.write(text), text
        assert set(shown_signs(page)) == drawn_squares(text), text
    typed(page, "FW3")
    for end in range(1, 4):
        page.locator("#text").fill("FW3"[:end])
        settled(page)
        assert page.locator("#english").inner_text() == alfil.describe("FW3"[:end])


def test_other_notations_programs_and_names(shared_page: Page) -> None:
    page = shared_page
    typed(page, "FyafsF")
    written = dict(
        zip(
            page.locator("#notations dt").all_inner_texts(),
            page.locator("#notations dd").all_inner_texts(),
            strict=True,
        )
    )
    assert written["Ħasínū"] == alfil.translate("FyafsF", write="hasinu").text
    assert written["Parlett"] == "1X.n+"
    assert written["Betza of 1995"] == "t[FR]"
    programs = page.locator("#programs summary").all_inner_texts()
    assert [each.partition(" ")[0] for each in programs] == ["Fairy-Stockfish"]
    assert page.locator("#programs mark").all_text_contents() == ["ya"]
    names = "griffon (fairy:GF), gryphon (hasinu_page:GR)"
    assert page.locator("#names").inner_text() == f"The same piece: {names}"
    page.locator("#notations button", has_text="1×4dD &t n4dO").click()
    settled(page)
    assert page.locator("#notation").input_value() == "hasinu"
    assert page.locator("#english").inner_text() == alfil.describe("FyafsF")
    page.locator("#notation").select_option("betza")
    typed(page, "gryphon")
    assert page.locator("#named").inner_text() == "The griffon, fairy:GF."
    typed(page, "Q")
    assert page.locator("#names button", has_text="queen (").count() == 2  # and promoted queen


def test_no_text_is_an_invitation_and_a_damaged_link_is_told(shared_page: Page) -> None:
    page = shared_page
    page.locator("#text").fill(" ")
    settled(page)
    assert page.locator("#diagnostics li").count() == 0
    assert not page.locator("#english").is_visible()
    page.locator("[data-text=N]").click()
    settled(page)
    assert page.locator("#english").inner_text() == alfil.describe("N")
    follow(page, "text=K&in=nonsense&on=e0.1_zzz&squares=1")
    page.locator("#link", has_text="not understood: in, on, squares.").wait_for()
    settled(page)
    page.locator("#text").fill("N")
    assert page.locator("#link").inner_text() == ""
    follow(page, "text=N&in=betza")
    settled(page)


@pytest.mark.parametrize(
    ("text", "marked", "fixed"),
    [
        ("FW03", ["03"], "FW3"),
        ("gryfon", ["gryfon"], "gryphon"),
        ("[F?R", ["["], "[F?R]"),
        ("\U0001f600F]", ["\U0001f600", "]"], ""),
        ("W999999", ["999999"], "W0"),
    ],
)
def test_a_diagnostic_is_underlined_and_its_hint_applied(
    shared_page: Page, text: str, marked: list[str], fixed: str
) -> None:
    page = shared_page
    typed(page, "Q")
    typed(page, text)
    assert page.locator("#last").inner_text().startswith("What follows is of the last readable")
    assert page.locator("[data-form]:enabled").count() == 0
    spans = [each for diagnostic in found_in(text) for each in diagnostic.spans]
    assert [text[each.start : each.end] for each in spans] == marked
    assert page.locator("#echo mark").all_inner_texts() == marked
    link = page.locator("#diagnostics a").first.get_attribute("href")
    assert link == f"docs/errors/#{found_in(text)[0].kind}"
    if fixed:
        page.locator("#diagnostics .fix", has_text=fixed).first.click()
        settled(page)
        assert page.locator("#text").input_value() == fixed
        assert page.locator("#diagnostics li").count() == 0
        assert page.locator("#last").inner_text() == ""
        page.go_back()
        settled(page)
        assert page.locator("#text").input_value() == text


@pytest.mark.parametrize(
    "text", ["<script>document.title = 'run'</script>", "W" * 100_000, "W999999", "\u202eN\x00"]
)
def test_hostile_text_is_harmless(shared_page: Page, text: str) -> None:
    page = shared_page
    page.locator("#text").fill(text)
    settled(page)
    assert page.title() == "How does it move?"
    assert page.locator("#diagnostics li").count() >= 1
    assert page.locator("#echo script, #diagnostics script").count() == 0
    typed(page, "N")
    assert page.locator("#english").inner_text() == alfil.describe("N")


def test_two_pieces_are_compared(shared_page: Page) -> None:
    page = shared_page
    typed(page, "afsK")
    page.locator("#other").fill("N")
    settled(page)
    assert page.locator("#comparison p").inner_text().startswith("Only N has a move here to 1,2")
    assert page.locator("#comparison img").count() == 1
    page.locator("#other").fill("afsW[")
    settled(page)
    assert page.locator("#comparison li strong").all_inner_texts() == [
        each.message for each in found_in("afsW[")
    ]
    typed(page, "K")
    page.locator("#other").fill("WF")
    settled(page)
    assert "the same piece" in page.locator("#comparison p").inner_text()
    page.locator("#other").fill("")


def test_drawn_squares_are_looked_up(shared_page: Page) -> None:
    page = shared_page
    for name in ("2 forward, 1 right", "2 forward, 1 left"):
        square(page, name, "#sketch").click()
    settled(page)
    fitting = page.locator("#fitting").inner_text()
    assert "Betza: fN" in fitting
    assert "shogi knight (fairy:SHK)" in fitting
    square(page, "1 forward", "#sketch").click()
    square(page, "1 forward", "#sketch").click()
    settled(page)
    text = page.locator("#fitting button").first.inner_text()
    knight = {(1, 2), (-1, 2)}
    assert alfil.destinations(text, 4) == knight | {(0, 1)}
    assert {each.captures for each in alfil.moves(text, enemies={(0, 1)})} <= {()}
    page.locator("button", has_text="Clear the squares").click()
    settled(page)


def test_a_piece_is_saved_in_every_form(shared_page: Page, tmp_path: Path) -> None:
    page = shared_page
    typed(page, "FyafsF")

    def saved(form: str) -> bytes:
        with page.expect_download() as waiting:
            page.locator(f"[data-form={form}]").click()
        waiting.value.save_as(tmp_path / form)
        return (tmp_path / form).read_bytes()

    assert saved("svg").decode() == alfil.draw("FyafsF").svg()
    assert saved("wikitext") == alfil.draw("FyafsF").render("wikitext")
    assert json.loads(saved("table")) == json.loads(json.dumps(alfil.compile("FyafsF").to_json()))
    assert saved("png").startswith(b"\x89PNG")


def test_the_picture_of_the_readme(shared_page: Page) -> None:
    """Taken here; with ALFIL_PICTURES set it is kept. Letters differ with the machine's fonts."""
    page = shared_page
    typed(page, "FyafsF")
    page.locator("#english").hover()
    page.set_viewport_size({"width": 1100, "height": 840})
    page.evaluate("scrollTo(0, 0)")
    taken = page.screenshot()
    kept = Path(alfil.__file__).parents[2] / "docs" / "pictures" / "playground.png"
    if os.environ.get("ALFIL_PICTURES"):
        kept.write_bytes(taken)
    assert taken[16:24] == kept.read_bytes()[16:24]  # width and height


def test_what_stands_on_the_board_is_in_the_link(shared_page: Page, visit: Tabs) -> None:
    page = shared_page
    follow(page, "text=mRcpR&in=betza")
    expect(page.locator("#text")).to_have_value("mRcpR", timeout=STEP_MILLISECONDS)
    settled(page)
    square(page, "1 forward").click()
    square(page, "3 forward").click()
    square(page, "3 forward").click()
    status = page.locator("#board [role=status]").inner_text()
    assert "on=e0.1_f0.3" in page.url
    signs = shown_signs(page)
    again = settled(visit(page.url.partition("where/")[2], **WIDE))
    assert shown_signs(again) == signs
    assert again.locator("#board [role=status]").inner_text() == status
    again.locator("#text").fill("R")
    settled(again)
    assert signs.keys() & shown_signs(again).keys()
    assert "on=e0.1_f0.3" in again.url


def test_a_text_that_runs_away_is_stopped(visit: Tabs, site: str) -> None:
    """A worker that never answers stands for it; the next one is the real one.

    Nobody knows the text, or the page might have its answer before Python is there.
    """
    page = visit("games.html", asleep=True, **WIDE)
    workers = 0

    def mute(route: Route) -> None:
        nonlocal workers
        workers += 1
        if workers == 1:
            route.fulfill(content_type="text/javascript", body="self.postMessage({ready: true});")
        else:
            route.continue_()

    page.context.route("**/worker.js", mute)
    page.goto("about:blank")
    page.goto(f"{site}#text=fNbWlD&in=betza")
    page.wait_for_selector("#engine[data-state=ready]")
    page.clock.run_for(2_900)
    assert page.locator("main").get_attribute("aria-busy") == "true"
    # On a busy machine the question may come after the clock has been moved on.
    for _ in range(1_000):
        if page.locator("#diagnostics li").count():
            break
        page.clock.run_for(200)
    assert "took longer than 3 seconds and was stopped" in page.locator("#diagnostics").inner_text()
    page.locator("#text").fill("K")
    settled(page)
    assert page.locator("#english").inner_text() == alfil.describe("K")
    assert workers == 2


def play(page: Page, move: str) -> None:
    """Make a move of minishogi by clicks."""
    origin, target = (move[:2], move[2:4]) if "*" not in move else (move[0], move[2:4])
    if "*" in move:
        page.locator(f".hand [data-code='{origin}']:enabled").click()
    else:
        square(page, origin).click()
    assert square(page, target).evaluate("cell => cell.classList.contains('target')")
    square(page, target).click()
    choice = page.locator(f"#choices button[aria-label$='({move})']")
    if choice.count():
        choice.click()
    settled(page)


def test_a_whole_game_by_clicks(table: Page, tmp_path: Path) -> None:
    game = alfil.load("minishogi").game()
    for move in GAME:
        play(table, move)
        game.push(move)
    assert table.locator("#status").inner_text() == "Black wins: checkmate."
    session = alfil.Session(alfil.load("minishogi").variant)
    for move in GAME:
        session.push(move)
    texts = table.locator("#record button").all_inner_texts()
    assert texts == session.round.texts
    table.evaluate("document.getElementById('records').open = true")
    table.locator("#form").select_option("hodges")
    with table.expect_download() as waiting:
        table.locator("#save").click()
    waiting.value.save_as(tmp_path / "game.alfil")
    kept = alfil.records.load_game(tmp_path / "game.alfil")
    assert [str(each) for each in kept.game.moves] == GAME
    table.locator("#record button").nth(1).click()
    settled(table)
    assert square(table, "1c").get_attribute("aria-label") == "1c: white pawn"
    assert "at=2" in table.url
    table.locator("#last-move").click()
    assert table.locator("#status").inner_text() == "Black wins: checkmate."
    table.locator("#again").click()
    settled(table)
    assert table.locator("#record button").count() == 0
    table.locator("#record-file").set_input_files(tmp_path / "game.alfil")
    settled(table)
    table.locator("#record button").nth(10).wait_for()
    assert "moves=3e2d_" in table.url


def test_an_illegal_move_is_answered_with_the_reason(table: Page) -> None:
    square(table, "1e").click()
    assert table.locator("#status").inner_text() == "The black rook can go to 3 squares."
    square(table, "2c").click()
    settled(table)
    assert table.locator("#status").inner_text() == (
        "Illegal: the rook on 1e cannot go to 2c. Black to move; 14 legal moves."
    )
    # The piece is clicked once more, as whoever tries again does.
    square(table, "1e").click()
    assert table.locator("#status").inner_text() == "The black rook can go to 3 squares."
    play(table, "3e2d")
    table.locator("#undo").click()
    settled(table)
    assert table.locator("#status").inner_text() == "Black to move; 14 legal moves."


CHOSEN_IN_TURN = """opponents => opponents.map(opponent => {
    const choice = document.querySelector("#opponent");
    choice.value = opponent;
    choice.dispatchEvent(new Event("change", {bubbles: true}));
    return document.querySelector("#status").innerText;
})"""


def test_the_computer_answers(table: Page) -> None:
    table.locator("#opponent").select_option("1")
    play(table, "3e2d")
    moves = table.url.partition("moves=")[2].split("_")
    assert len(moves) == 2
    game = alfil.load("minishogi").game()
    for move in moves:
        game.push(move)
    table.locator("#undo").click()
    settled(table)
    assert "moves=" not in table.url
    # What it thinks about for somebody who has taken its place is never played. Both are chosen at
    # once, so that it cannot have moved in between.
    thinking, alone = table.evaluate(CHOSEN_IN_TURN, ["0", ""])
    assert "computer thinks" in thinking
    assert alone == "Black to move; 14 legal moves."
    play(table, "3e2d")
    assert table.locator("#record button").all_inner_texts() == ["S-2d"]


def test_a_game_of_ones_own_goes_into_a_link(table: Page, visit: Tabs) -> None:
    table.locator("#own summary").click()
    table.locator("#file").fill(GRIFFONS.replace("FyafsF", "FyafsE"))
    table.locator("#play-file").click()
    settled(table)
    assert "Line 7: no atom is called E" in table.locator("#diagnostics").inner_text()
    assert table.locator("#status").inner_text().endswith("Black to move; 14 legal moves.")
    chosen = table.evaluate("getSelection().toString()")
    assert chosen == GRIFFONS.splitlines()[6].replace("FyafsF", "FyafsE")
    assert table.title() == "Minishogi"
    table.locator("#file").fill(GRIFFONS)
    table.locator("#play-file").click()
    settled(table)
    assert table.title() == "Griffon chess"
    play(table, "c2c3")
    game = alfil.loads(GRIFFONS).game()
    game.push("c2c3")
    table.wait_for_url("**moves=c2c3")
    friend = settled(visit(table.url.partition("where/")[2], **WIDE))
    assert friend.title() == "Griffon chess"
    assert friend.locator("#status").inner_text() == (
        f"Black to move; {len(game.legal_moves)} legal moves."
    )
    friend.locator("#rules-of summary").click()
    settled(friend)
    assert friend.locator("#rules h1").inner_text() == "Griffon chess"
    assert friend.locator("#rules img").count() == 2


def test_walls_are_built_by_a_click(table: Page) -> None:
    table.locator("#game").select_option("duck")
    settled(table)
    assert table.locator("#hand-0").is_hidden()
    game = alfil.load("duck").game()
    for origin, target, wall in (("e2", "e4", "e6"), ("g8", "f6", "e2")):
        square(table, origin).click()
        square(table, target).click()
        assert table.locator("#status").inner_text().startswith("Where does the duck go?")
        square(table, wall).click()
        settled(table)
        game.push(f"{origin}{target}/{wall}")
        words = f"{len(game.legal_moves)} legal moves."
        assert table.locator("#status").inner_text().endswith(words)
        assert square(table, wall).get_attribute("aria-label") == f"{wall}: duck"
    assert table.locator("#board .wall").count() == 1
    # Another square than one for the duck takes the move back.
    square(table, "d2").click()
    square(table, "d4").click()
    square(table, "a1").click()
    assert square(table, "d2").get_attribute("aria-label") == "d2: white pawn"
    assert table.locator("#record button").count() == 2


def test_passes_and_drops_without_a_hand(table: Page) -> None:
    table.locator("#game").select_option("janggi")
    settled(table)
    for count in (1, 2):
        table.locator("#pass").click()
        settled(table)
        assert table.locator("#record button").count() == count
    assert table.locator("#status").inner_text() == "A draw: both sides have passed."
    assert table.locator("#pass").is_hidden()
    stones = (Path(__file__).parents[1] / "variants" / "flipersi.pieces").read_text("utf-8")
    table.evaluate("document.getElementById('own').open = true")
    table.locator("#file").fill(stones)
    table.locator("#play-file").click()
    settled(table)
    assert table.locator("#game option:checked").inner_text() == "A game of your own"
    # The one piece that can be dropped is chosen.
    for name in ("d4", "e4", "d5", "e5", "f4"):
        square(table, name).click()
        settled(table)
    assert table.locator("#record button").count() == 4 + ("f4" in legal_drops(stones))


def legal_drops(text: str) -> set[str]:
    """Where a stone can be put after the four in the middle."""
    game = alfil.loads(text).game()
    for name in ("d4", "e4", "d5", "e5"):
        game.push(f"P*{name}")
    return {game.square_name(move.target) for move in game.legal_moves}


def test_a_damaged_link_is_told(visit: Tabs) -> None:
    page = visit("games.html#file=AAAA", **WIDE)
    page.locator("#status", has_text="damaged").wait_for()
    assert page.locator("#board .cell img").count() == 12
    follow(page, "game=nonsense")
    page.locator("#diagnostics li", has_text="nonsense").wait_for()
    follow(page, "game=minishogi&moves=1a1b")
    page.locator("#status", has_text="1a").wait_for()
    assert page.locator("#board .cell img").count() == 12


def test_the_keyboard_alone_is_enough(visit: Tabs) -> None:
    page = settled(visit("games.html", **WIDE))
    focused = "document.activeElement.getAttribute('aria-label') || document.activeElement.id"
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate(focused).startswith("5e:"):
            break
    assert page.evaluate(focused) == "5e: black king"
    for key in ("ArrowRight", "ArrowRight", "Enter", "ArrowUp", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    settled(page)
    assert page.locator("#record button").all_inner_texts() == ["S-2d"]
    typing = visit(asleep=True, **WIDE)
    typing.keyboard.press("Tab")
    typing.keyboard.press("Enter")
    typing.keyboard.press("Tab")
    assert typing.evaluate("document.activeElement.id") == "text"
    typing.keyboard.press("Control+A")
    typing.keyboard.type("R")
    assert typing.locator("#text").input_value() == "R"
    typing.keyboard.press("Tab")
    assert typing.evaluate("document.activeElement.id") == "notation"


# What has the focus, and whether that can be seen: an outline, or a frame inside of a square.
FOCUSED = """() => {
  const style = getComputedStyle(document.activeElement);
  const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const seen = outlined || style.boxShadow.includes("inset");
  return [document.activeElement.outerHTML.slice(0, 80), document.activeElement.id, seen];
}"""


@pytest.mark.parametrize("address", ["", "games.html"])
def test_the_focus_can_be_seen_wherever_it_goes(visit: Tabs, address: str) -> None:
    page = visit(address, asleep=True, **WIDE)
    # What is drawn while the focus goes along would take it away.
    page.wait_for_load_state("networkidle")
    ids = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        told, name, seen = page.evaluate(FOCUSED)
        if told.startswith("<body"):
            break
        ids.add(name)
        assert seen, told
    assert {"text", "notation", "other", "share"} <= ids or {"game", "opponent", "share"} <= ids


LACKING = """() => {
  const shown = [...document.querySelectorAll(
    "button, input, select, textarea, a, img, [role=grid], [role=group]")]
    .filter((each) => each.checkVisibility());
  const named = (each) => (each.getAttribute("aria-label") || each.textContent || each.alt
    || [...(each.labels || [])].map((label) => label.textContent).join("")).trim();
  const nameless = shown.filter((each) =>
    !(each.tagName === "IMG" && each.hasAttribute("alt")) && !named(each));
  const small = shown.filter((each) => each.matches("button, select, input"))
    .filter((each) => each.getBoundingClientRect().height < 24);
  const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
  const referring = ["for", "aria-labelledby", "aria-describedby"].flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)]
      .flatMap((each) => each.getAttribute(name).split(" ")));
  const nowhere = referring.filter((each) => !ids.includes(each));
  const astray = [...document.querySelectorAll("[role=gridcell]")]
    .filter((each) => !each.closest("[role=grid] [role=row]"));
  const twice = ids.filter((each, index) => ids.indexOf(each) !== index);
  const levels = [...document.querySelectorAll("h1, h2, h3")]
    .filter((each) => each.checkVisibility())
    .map((each) => Number(each.tagName[1]));
  const jumps = levels.filter((level, index) => index && level > levels[index - 1] + 1);
  return [...nameless, ...small, ...astray].map((each) => each.outerHTML.slice(0, 80))
    .concat(nowhere, twice, jumps,
    document.documentElement.lang ? [] : ["no language"],
    document.querySelectorAll("h1").length === 1 ? [] : ["one h1"],
    document.querySelectorAll("main").length === 1 ? [] : ["one main"]);
}"""
COLOURS = """() => [...document.querySelectorAll(
    "main p, main button, main label, main dt, main a, main li, nav a")]
  .filter((each) => each.checkVisibility() && each.textContent.trim() && !each.disabled)
  .map((each) => {
    let under = each;
    while (getComputedStyle(under).backgroundColor === "rgba(0, 0, 0, 0)") {
      under = under.parentElement;
    }
    const hex = (colour) => "#" + colour.match(/[0-9.]+/g).slice(0, 3)
      .map((part) => Math.round(part).toString(16).padStart(2, "0")).join("");
    return [hex(getComputedStyle(each).color), hex(getComputedStyle(under).backgroundColor)];
  })"""


@pytest.mark.parametrize("options", [WIDE, PHONE], ids=["wide", "phone"])
def test_pages_are_usable_on_any_screen(visit: Tabs, options: dict[str, object]) -> None:
    page = settled(visit("#text=FW03&in=betza&other=N", **options))
    looked_at(page)
    page.locator("#text").fill("afsW")
    settled(page)
    if options.get("has_touch"):
        square(page, "1 forward").tap()
        assert "on=e0.1" in page.url
    looked_at(page)
    # The first game is there before Python is.
    looked_at(visit("games.html", asleep=True, **options))


def looked_at(page: Page) -> None:
    """Nothing is wider than the screen, nameless, too small to touch or too pale to read."""
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"]  # type: ignore[index]
    assert page.evaluate(LACKING) == []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        for ink, ground in page.evaluate(COLOURS):
            assert contrast(ink, ground) >= 4.5, (page.url, scheme, ink, ground)


def test_one_game_is_published_alone(tmp_path: Path, site_folder: Path) -> None:
    source = tmp_path / "griffons.pieces"
    source.write_text(GRIFFONS, encoding="utf-8")
    assert run(["publish", str(source), "-o", str(tmp_path / "folder")]) == 0
    made = {
        each.relative_to(tmp_path / "folder").as_posix() for each in tmp_path.rglob("folder/**/*")
    }
    assert {"index.html", "scripts/games.js", "scripts/python/alfil.zip.packed"} <= made
    assert "scripts/playground.js" not in made
    text = (tmp_path / "folder" / "index.html").read_text(encoding="utf-8")
    assert "<title>Griffon chess</title>" in text
    assert "<nav" not in text
    assert (site_folder / "index.html").exists()


def test_a_file_that_is_no_game_is_not_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "few.pieces"
    source.write_text('piece N "knight" betza=N\n', encoding="utf-8")
    assert run(["publish", str(source), "-o", str(tmp_path / "folder")]) == 1
    assert "[no-board]" in capsys.readouterr().err
    assert not (tmp_path / "folder").exists()
