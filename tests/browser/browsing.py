"""What the tests in a browser share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from playwright.sync_api import Page

# Opens a tab, at an address if one is given; the options are those of a browser's context.
Tabs: TypeAlias = Callable[..., Page]

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# So long that only what hangs takes longer, on however busy a machine.
LAUNCH_MILLISECONDS = 600_000
STEP_MILLISECONDS = 600_000

# Labels that try to be more than text.
HOSTILE = {
    "script": "<script>document.title = 'run'</script>",
    "end": "</script><img src=http://example.invalid/x onerror=alert(1)>",
    "quotes": "'\"&quot;&lt;<!--]]>",
    "unseen": "\u202eevil\u2066\u200b\x00\u2028",
    "long": "x" * 10_000,
}


# The page follows an address, which it would not if that were what it has already.
_FOLLOWED = """address => new Promise((done) => {
  history.replaceState(null, "", "#");
  addEventListener("hashchange", done, {once: true});
  location.hash = address;
})"""


def follow(page: Page, address: str) -> None:
    """Have a page go to an address of its own, what stands behind the #."""
    page.evaluate(_FOLLOWED, address)
