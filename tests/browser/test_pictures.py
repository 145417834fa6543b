"""SVG files in Chromium and through resvg: the same marks, in light, in dark and on paper."""

from __future__ import annotations

import base64
from pathlib import Path
from xml.etree import ElementTree as XML

import pytest
from playwright.sync_api import Page

import alfil
from browser.browsing import HOSTILE, Tabs

pytestmark = pytest.mark.browser

# Every sign of a diagram is on one of them at least.
PIECES = (
    *("fmWfcFimfnD", "KisO2", "FyafsF", "mRcpR", "gQ", "mpR", "mRpR", "KcafmcfF", "nN", "AD"),
    *("NN", "RpR", "mNcK", "KdD", "cakmK", "mWcDmA", "iQmK", "nA", "mBcafmB", "mWcFfmnD"),
)
EVERY_KIND = {
    *("step-either", "step-move", "step-capture", "leap-either", "leap-move", "leap-capture"),
    *("hurdle-either", "hurdle-move", "hurdle-capture", "first-either", "first-move"),
    *("first-capture", "castle", "own", "royal", "clear", "over", "victim", "locust-either"),
}
MEASURED = """
async ([pictures, boxes]) => {
  const canvases = await Promise.all(pictures.map(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext("2d", {willReadFrequently: true});
    context.drawImage(image, 0, 0);
    return context;
  }));
  const sizes = canvases.map(({canvas}) => [canvas.width, canvas.height]);
  return [sizes, boxes.map(([x, y, width, height]) => {
    const [one, other] = canvases.map((each) => each.getImageData(x, y, width, height).data);
    let apart = 0, ink = 0;
    for (let at = 0; at < one.length; at += 4) {
      for (let c = 0; c < 3; c++) {
        apart += Math.abs(one[at + c] - other[at + c]);
        ink = Math.max(ink, Math.abs(one[at + c] - one[c]));
      }
    }
    return [apart / (one.length * 3 / 4), ink];
  })];
}
"""
# Of 255: how far apart the two renderers may be on average over a square, for they soften edges
# differently, and how much a mark stands out from the corner of its square at least.
FARTHEST_APART = 4
LEAST_INK = 60


def boxes(page: Page) -> dict[str, list[int]]:
    """The square around every sign, by sign and place."""
    found: dict[str, list[int]] = page.evaluate(
        """() => Object.fromEntries(
             [...document.querySelectorAll("[data-at]:is([data-sign],[data-ground])")]
             .map((sign) => {
               const box = sign.getBoundingClientRect();
               const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
               return [`${sign.dataset.sign ?? sign.dataset.ground} ${sign.dataset.at}`,
                       [Math.round(x) - 14, Math.round(y) - 14, 28, 28]];
             }))"""
    )
    return found


def signs_in(svg: str) -> set[str]:
    """Sign and place of everything drawn, read from the file."""
    return {
        f"{sign} {each.get('data-at')}"
        for each in XML.fromstring(svg).iter()
        if (sign := each.get("data-sign") or each.get("data-ground")) and each.get("data-at")
    }


def encoded(png: bytes) -> str:
    return base64.b64encode(png).decode("ascii")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pictures")
    paths = {text: folder / f"{number}.svg" for number, text in enumerate(PIECES)}
    for text, path in paths.items():
        alfil.draw(text, label="piece").save(path)
    return paths


@pytest.mark.parametrize(
    ("media", "scheme", "theme", "texts"),
    [
        ("screen", "light", "default", PIECES),
        ("screen", "dark", "dark", PIECES[:3]),
        ("print", "light", "default", PIECES[:2]),
        ("print", "dark", "default", PIECES[:3]),
    ],
)
def test_both_renderers_show_the_same_marks(
    tab: Tabs,
    drawn: dict[str, Path],
    media: str,
    scheme: str,
    theme: str,
    texts: tuple[str, ...],
) -> None:
    page, judge = tab(), tab()
    page.emulate_media(media=media, color_scheme=scheme)  # type: ignore[arg-type]
    seen = set[str]()
    for text in texts:
        path = drawn[text]
        svg = path.read_text(encoding="utf-8")
        root = XML.fromstring(svg)
        width, height = (round(float(root.attrib[each])) for each in ("width", "height"))
        page.set_viewport_size({"width": width, "height": height})
        page.goto(path.as_uri())
        places = boxes(page)
        assert places.keys() == signs_in(svg), text
        shot = page.screenshot()
        other = alfil.draw(text, label="piece", theme=theme).render("png", size=width)
        sizes, marks = judge.evaluate(
            MEASURED, [[encoded(shot), encoded(other)], [*places.values()]]
        )
        assert sizes[0][0] == sizes[1][0] == width
        for place, (apart, ink) in zip(places, marks, strict=True):
            assert apart <= FARTHEST_APART, (text, place)
            assert ink >= LEAST_INK, (text, place)
        seen |= {place.split(" ")[0] for place in places}
    assert seen >= EVERY_KIND or texts != PIECES


@pytest.mark.parametrize("label", HOSTILE.values(), ids=HOSTILE)
def test_hostile_labels_are_harmless_in_a_picture(tab: Tabs, tmp_path: Path, label: str) -> None:
    path = tmp_path / "hostile.svg"
    alfil.draw("N", label=label).save(path)
    page = tab(path.as_uri())
    elements = page.evaluate(
        "[...new Set([...document.querySelectorAll('*')].map(e => e.localName))]"
    )
    assert set(elements) <= {"svg", "title", "desc", "style", "g", "path", "defs", "use"}
    used = page.evaluate("[...document.querySelectorAll('use')].map(e => e.getAttribute('href'))")
    assert used
    assert all(name.startswith("#") for name in used)
    assert len(boxes(page)) == 8
