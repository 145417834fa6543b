"""`make site-figures`: what a visitor of the site waits for, measured in Chromium on this machine.

The site is built and served from here to here; every visit begins with nothing kept. What is found
is written into docs/site.md between the marks that stand there.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from textwrap import fill
from threading import Thread

from playwright.sync_api import Browser, Page, sync_playwright

from alfil.atomic_files import save_web_folder
from alfil.site.build import MARK, site_files_without_gallery
from benchmarks.measure import HOME

VISITS = 5
# Each is typed with one key from the text before its last letter, and is another piece than it was.
TEXTS = (
    *("FyafsF", "KNADcaKmcabK", "fmWfceFifmnD", "[F?R]cN", "mRcpR", "RmasR", "W2fFsA", "afsW"),
    *("nN", "NN", "Q3", "gQ", "mAcW", "KisO2", "BNfW", "WD", "vRsN", "mQcN", "FDfW", "RnA"),
)
BEGIN = "<!-- figures of the site: made by `make site-figures` -->"
END = "<!-- end of figures of the site -->"
# The frame in which the board and the words were there, in milliseconds since the visit began.
WATCH = """
window.seen = {};
const found = new Set();
new MutationObserver(() => {
  const note = (name, there) => {
    if (!there || found.has(name)) return;
    found.add(name);
    requestAnimationFrame(() => { seen[name] = performance.now(); });
  };
  note("diagram", document.querySelector("#board use"));
  note("answer", document.querySelector("main:not(.empty) #english")?.textContent);
}).observe(document, {childList: true, subtree: true, characterData: true});
"""
# Milliseconds from a key to the next frame in which the words for the text are other ones.
KEY = """
() => new Promise((done) => {
  let begun;
  const text = document.getElementById("text"), words = document.getElementById("english");
  text.addEventListener("input", () => { begun = performance.now(); }, {capture: true, once: true});
  const redrawn = new MutationObserver(() => {
    redrawn.disconnect();
    requestAnimationFrame(() => done(performance.now() - begun));
  });
  redrawn.observe(words, {childList: true});
})
"""


class Quiet(SimpleHTTPRequestHandler):
    """What answers of the server that comes with Python, without a word.

    It keeps connections open, as every host of static files does, and sends at once.
    """

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """That server; a visitor who leaves early is no error."""

    def handle_error(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: str) -> Iterator[str]:
    """The address of a folder."""
    with Server(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def visited(browser: Browser, address: str) -> dict[str, float]:
    """When the first diagram was there, and when the answer for another text was."""
    page = opened(browser, address)
    diagram = time_of(page, "diagram")
    page.context.close()
    # Where the address has a text of its own, Python has to draw and to say it.
    page = opened(browser, f"{address}#text=R2fB&in=betza")
    answer = time_of(page, "answer")
    page.context.close()
    return {"diagram": diagram, "answer": answer}


def time_of(page: Page, name: str) -> float:
    """When the page was seen to have something."""
    page.wait_for_function("name => name in seen", arg=name, timeout=0)
    return float(page.evaluate("name => seen[name]", name))


def opened(browser: Browser, address: str) -> Page:
    """A page that nothing is kept for, watched from the beginning."""
    page = browser.new_context(viewport={"width": 1100, "height": 900}).new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    return page


def returned(browser: Browser, address: str) -> dict[str, float]:
    """When the answer was there on a second visit, for the text of the first and for another."""
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(f"{address}#text=R2fB&in=betza")
    page.wait_for_selector("#engine[data-state=ready]", timeout=0)
    page.wait_for_selector("main[aria-busy=false]", timeout=0)
    page.wait_for_function("navigator.serviceWorker.controller !== null", timeout=0)
    context.set_offline(True)
    found = {}
    for name, text in (("again", "R2fB"), ("another", "R3fB")):
        page.goto("about:blank")
        page.goto(f"{address}#text={text}&in=betza")
        found[name] = time_of(page, "answer")
    context.close()
    return found


def typed(browser: Browser, address: str) -> list[float]:
    """The milliseconds from the last key of each text until it is redrawn."""
    page, found = opened(browser, address), []
    for text in TEXTS:
        page.wait_for_selector("#engine[data-state=ready]", timeout=0)
        page.wait_for_selector("main[aria-busy=false]", timeout=0)
        page.locator("#text").focus()
        page.evaluate("text => { document.getElementById('text').value = text; }", text[:-1])
        page.evaluate(f"() => {{ window.took = ({KEY})(); }}")
        page.keyboard.type(text[-1])
        found.append(page.evaluate("() => window.took"))
    page.context.close()
    return found


def measured() -> str:
    """All figures as the paragraph that docs/site.md has."""
    files = site_files_without_gallery()
    size = sum(len(gzip.compress(content, 9)) for content in files.values())
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        save_web_folder(Path(name) / "site", files, MARK)
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        with served(name) as root:
            visits = [visited(browser, f"{root}site/") for _ in range(VISITS)]
            later = [returned(browser, f"{root}site/") for _ in range(VISITS)]
            keys = typed(browser, f"{root}site/")
        version = browser.version
        browser.close()
    diagram, answer = (median(each[name] for each in visits) for name in ("diagram", "answer"))
    again, another = (median(each[name] for each in later) for name in ("again", "another"))
    told = (
        f"Playground and games are {len(files)} files, {size / 1e6:.1f} MB compressed."
        f" In Chromium {version} ({datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, load"
        f" {os.getloadavg()[1]:.0f}) the first"
        f" diagram is there after {diagram / 1000:.2f} s, and where Python has to start first, an"
        f" answer after {answer / 1000:.1f} s (medians of {VISITS} visits). On the second visit,"
        f" which needs no network, the piece of the first one is there after {again / 1000:.2f} s,"
        f" and another, for which Python has to start, after {another / 1000:.1f} s. From a key to"
        f" the diagram redrawn with its words it takes {median(keys):.0f} ms, the slowest"
        f" of {len(keys)} texts {max(keys):.0f} ms."
    )
    return fill(told, 140)


def main() -> int:
    """Measure, and write it into docs/site.md."""
    if not (shutil.which("chromium") or shutil.which("chromium-browser")):
        print(
            "make site-figures needs Chromium; on Debian: apt-get install chromium", file=sys.stderr
        )
        return 1
    told, path = measured(), HOME / "docs" / "site.md"
    before, begin, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError("docs/site.md has no place for the figures of the site")
    path.write_text(f"{before}{begin}\n\n{told}\n\n{end}{after}", encoding="utf-8")
    print(told)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
