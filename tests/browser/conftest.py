"""Pages in a real browser: Chromium without a window, driven by Playwright.

Tabs may load nothing but files. What a page asks for beyond that, and every error of a script,
fails the test that opened it. The clock of a page stands still, so that nothing happens because a
machine is slow; a test that waits for something moves it on.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    Route,
    sync_playwright,
)

from alfil.atomic_files import save_web_folder
from alfil.site.build import (  # without the gallery, which has tests
    MARK,
    site_files_without_gallery,
)
from browser.browsing import ARGUMENTS, LAUNCH_MILLISECONDS, STEP_MILLISECONDS, Tabs


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.skip("there is no Chromium; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=list(ARGUMENTS), timeout=LAUNCH_MILLISECONDS
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def plain(chromium: Browser) -> BrowserContext:
    """The context of tabs without options, for a context takes longer to make than a tab."""
    return chromium.new_context()


# What Playwright says where it lets no page be kept; for that takes as long as the first visit.
NOT_KEPT = "Service Worker registration blocked by Playwright"

# Chromium asks the host for it now and then, though every page names an icon of its own.
FAVICON = "/favicon.ico"


class Watch:
    """What the tabs of a test asked for, and what their scripts complained of."""

    def __init__(self, *allowed: str) -> None:
        self.allowed = allowed
        self.asked: list[str] = []
        self.errors: list[str] = []

    def answer(self, route: Route, request: Request) -> None:
        """Let pass what is allowed."""
        self.asked.append(request.url)
        if request.url.startswith(self.allowed):
            route.continue_()
        else:
            route.abort()

    def hear(self, message: ConsoleMessage) -> None:
        """Note what is written to the console as a complaint."""
        url = message.location.get("url", "")
        wrong = message.type in {"error", "warning"} and message.text != NOT_KEPT
        if wrong and not url.endswith(FAVICON):
            self.errors.append(f"{message.text} {url}".strip())

    def over(self, page: Page) -> None:
        """Look at a page."""
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self.hear)

    def check(self) -> None:
        """Fail where anything was wrong."""
        assert self.errors == []
        assert [
            each
            for each in self.asked
            if not each.startswith(self.allowed) and not each.endswith(FAVICON)
        ] == []


def ready(page: Page) -> None:
    """Give a page all the time it needs, and a clock that stands still."""
    page.set_default_timeout(STEP_MILLISECONDS)
    page.clock.install(time=0)
    page.clock.pause_at(1)


@pytest.fixture
def tab(chromium: Browser, plain: BrowserContext) -> Iterator[Tabs]:
    watch = Watch("file://")
    with ExitStack() as closing:

        def opened(address: str | None = None, **options: object) -> Page:
            if options:
                context = chromium.new_context(**options)
                closing.callback(context.close)
                page = context.new_page()
            else:
                page = plain.new_page()
                closing.callback(page.close)
            ready(page)
            page.route("**/*", watch.answer)
            watch.over(page)
            if address is not None:
                page.goto(address)
            return page

        yield opened
    watch.check()


def lay_to_sleep(route: Route) -> None:
    """A worker that never says that it is ready."""
    route.fulfill(content_type="text/javascript", body="")


class Quiet(SimpleHTTPRequestHandler):
    """The server that comes with Python, which is all that the site needs."""

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def site_folder(browser_python: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The playground and the games, below a folder as on a page of a project; made once."""
    folder = tmp_path_factory.mktemp("host") / "some" / "where"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ALFIL_BROWSER", str(browser_python))
        save_web_folder(folder, site_files_without_gallery, MARK)
        yield folder


@pytest.fixture(scope="session")
def site(loopback: str, site_folder: Path) -> Iterator[str]:
    """The address of the site, served by nobody but this machine to itself."""
    handler = partial(Quiet, directory=str(site_folder.parents[1]))
    with ThreadingHTTPServer((loopback, 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{loopback}:{server.server_port}/some/where/"
        server.shutdown()


@pytest.fixture
def visit(chromium: Browser, site: str) -> Iterator[Tabs]:
    """Tabs on the site; they may ask for nothing else, and their workers neither.

    Those that are ``asleep`` are as before Python is there, which takes seconds to start.
    """
    watch = Watch(site, "data:", "blob:")
    with ExitStack() as closing:

        def opened(address: str | None = None, *, asleep: bool = False, **options: object) -> Page:
            usual = {"accept_downloads": True, "service_workers": "block"}
            context = chromium.new_context(**{**usual, **options})
            closing.callback(context.close)
            context.on("request", lambda request: watch.asked.append(request.url))
            if asleep:
                context.route("**/worker.js", lay_to_sleep)
            page = context.new_page()
            ready(page)
            watch.over(page)
            page.goto(site + (address or ""))
            return page

        yield opened
    watch.check()


def settled(page: Page) -> Page:
    """The page once Python is there and every question is answered."""
    page.wait_for_selector("#engine[data-state=ready]")
    page.wait_for_selector("main[aria-busy=false]")
    return page


@pytest.fixture(scope="module")
def kept_pages(chromium: Browser, site: str) -> Iterator[Callable[[str], Page]]:
    """Pages that several tests use, for Python takes a while to start."""
    watch, pages = Watch(site, "data:", "blob:"), []

    def opened(address: str) -> Page:
        page = chromium.new_page(
            viewport={"width": 1100, "height": 900}, accept_downloads=True, service_workers="block"
        )
        pages.append(page)
        ready(page)
        watch.over(page)
        page.context.on("request", lambda request: watch.asked.append(request.url))
        page.goto(site + address)
        return settled(page)

    yield opened
    for page in pages:
        page.close()
    watch.check()
