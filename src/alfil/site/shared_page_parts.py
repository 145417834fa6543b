"""What all pages of the site share: the mark, the links above and below, and the preview of a link.

The documentation has the same mark and colours; mkdocs.yml and docs/pages.css say so.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from importlib.metadata import metadata

from alfil.api import draw
from alfil.data_files import read_data
from alfil.diagrams.diagram_model import Diagram
from alfil.diagrams.picture import Picture
from alfil.errors import AlfilError
from alfil.library.gallery import PageSurroundings

PAGES = {
    "./": "Playground",
    "saved.html": "Your pieces",
    "games.html": "Games",
    "gallery/": "Pieces",
    "docs/": "Docs",
}
# What a preview of a link to a page says, by the page's place among `PAGES`.
DESCRIPTIONS = {
    "./": "Write how a chess or shogi piece moves: see its diagram, its moves in words, and the "
    "same piece in other notations.",
    "saved.html": "The pieces that you have kept in this browser.",
    "games.html": "Play chess, shogi, xiangqi and their variants in the browser, or your own game.",
    "gallery/": "How the pieces of chess, shogi, xiangqi and many variants move, drawn and in "
    "words.",
}
PREVIEW = "preview.png"
PREVIEW_PIECE, PREVIEW_WIDTH = "FyafsF", 1200


def surroundings_of_page(place: str, title: str, address: str = "") -> PageSurroundings:
    """What stands around the page at a place among `PAGES`.

    ``address`` is that of the whole site, where it is known; programs that show previews of links
    need it.
    """
    up = "../" * place.count("/") if place != "./" else ""
    return PageSurroundings(
        _preview_tags_html(place, title, address, up),
        _header_html(place, up),
        _footer_html(up),
        header_and_footer_style(),
    )


def header_and_footer_style() -> str:
    """The style of what stands above and below a page."""
    return read_data("site/pages", "top.css")


def icon_and_preview_files() -> dict[str, bytes]:
    """The mark and the picture for previews, by path; no picture where PNG cannot be made."""
    result = {"mark.svg": read_data("site/pages", "mark.svg").encode()}
    subject = draw(PREVIEW_PIECE, label="griffon").subject
    assert isinstance(subject, Diagram)
    try:
        picture = Picture(replace(subject, label="How does it move?"))
        result[PREVIEW] = picture.render("png", size=PREVIEW_WIDTH, sentence=False)
    except AlfilError:
        pass
    return result


def _preview_tags_html(place: str, title: str, address: str, up: str) -> str:
    picture = f"{address.rstrip('/')}/{PREVIEW}" if address else f"{up}{PREVIEW}"
    named = {
        "og:type": "website",
        "og:site_name": "alfil",
        "og:title": title,
        "og:description": DESCRIPTIONS[place],
        "og:image": picture,
    }
    if address:
        named["og:url"] = f"{address.rstrip('/')}/{place.removeprefix('./')}"
    tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in named.items()]
    return "\n".join(
        [
            f'<meta name="description" content="{escape(DESCRIPTIONS[place])}">',
            *tags,
            f'<link rel="icon" href="{up}mark.svg" type="image/svg+xml">',
            "",
        ]
    )


def _source_code_url() -> str:
    """Where the source is, as the package's own data have it."""
    urls = metadata("alfil").get_all("Project-URL") or []
    found: dict[str, str] = dict(each.split(", ", 1) for each in urls)
    return found.get("Source", "")


def _header_html(place: str, up: str) -> str:
    links = "".join(
        f'<a href="{up}{address}"{" aria-current=page" * (address == place)}>{name}</a>'
        for address, name in PAGES.items()
    )
    brand = f'<a class="brand" href="{up}./"><img src="{up}mark.svg" alt="">alfil</a>'
    return f'<header class="top"><nav aria-label="Site">{brand}{links}</nav></header>\n'


def _footer_html(up: str) -> str:
    links = [
        ("About", f"{up}docs/"),
        ("Licence", f"{up}docs/licence/"),
        ("Source", _source_code_url()),
    ]
    words = " · ".join(f'<a href="{address}">{name}</a>' for name, address in links)
    return f'<footer class="bottom"><p>{words}</p></footer>\n'
