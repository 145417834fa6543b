"""Pages in a real browser: Chromium without a window, driven by Playwright.

Tabs may load nothing but files. What a page asks for beyond that, and every error of a script,
fails the test that opened it. The clock of a page stands still, so that nothing happens because a
machine is slow; a test that waits for something moves it on.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack

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


@pytest.fixture
def tab(chromium: Browser, plain: BrowserContext) -> Iterator[Tabs]:
    asked: list[str] = []
    errors: list[str] = []

    def answer(route: Route, request: Request) -> None:
        asked.append(request.url)
        if request.url.startswith("file://"):
            route.continue_()
        else:
            route.abort()

    def hear(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            errors.append(message.text)

    with ExitStack() as closing:

        def opened(address: str | None = None, **options: object) -> Page:
            if options:
                context = chromium.new_context(**options)
                closing.callback(context.close)
                page = context.new_page()
            else:
                page = plain.new_page()
                closing.callback(page.close)
            page.set_default_timeout(STEP_MILLISECONDS)
            page.clock.install(time=0)
            page.clock.pause_at(1)
            page.route("**/*", answer)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("console", hear)
            if address is not None:
                page.goto(address)
            return page

        yield opened
    assert errors == []
    assert {address.partition(":")[0] for address in asked} <= {"file"}
