"""The gallery: pieces of some sets on one page of static files.

Every piece is there with its diagram, both notations, what it does in words, and what is known of
it; a click shows a board on which other pieces can be placed.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from alfil.api import describe, write
from alfil.atomic_files import save_web_folder
from alfil.diagrams import html_page as html
from alfil.diagrams.diagram_model import Diagram
from alfil.diagrams.diagram_svg import panel
from alfil.diagrams.svg_document import document as svg_document
from alfil.diagrams.text_outlines import KANJI_BOTTOM, KANJI_TOP, text_outline
from alfil.diagrams.themes import DEFAULT
from alfil.errors import AlfilError, plural
from alfil.library.diagrams import centre_token_svg, diagram_of, piece_tokens_of_file
from alfil.library.file_locations import bundled_set_names
from alfil.library.library import Library, LibraryPiece, load
from alfil.library.piece_file import Entry, normalise_name
from alfil.library.search import catalogue_pieces_alike
from alfil.notation.description import DEFAULT_NOTATION
from alfil.notation.registry import NOTATIONS

STATUS_BADGES = {"reconstructed": "reconstructed", "deduced": "deduced", "user": "set by the user"}
PROMOTION_WORDS = {
    "optional": "may promote to",
    "forced": "must promote to",
    "apart": "promotes, with a move of its own, to",
    "stuck": "promotes, when it could not move on, to",
}
# A set of so many pieces has headings inside it; a comment before a block of pieces gives one.
MIN_PIECES_FOR_HEADINGS = 40
HEADING_PATTERN = re.compile(r"\n\n# (.*)\n(?:#.*\n)*(?=piece )")
# What is known of a piece of a set besides, as HTML.
FactsHtml: TypeAlias = Callable[[Library, Entry], str]
GALLERY_MARK = '<meta name="alfil-gallery" content="1">'

TITLE = "Pieces"


class PageSurroundings(NamedTuple):
    """What stands around the content of a page: in its head, above, below, and their style."""

    head: str = ""
    header: str = ""
    footer: str = ""
    style: str = ""


class GalleryCard(NamedTuple):
    """One piece of the gallery: its place, the file it is from, its diagram, how it looks.

    ``elsewhere`` are the pieces of the catalogue that move like it, and ``facts`` are HTML.
    """

    anchor: str
    library: Library
    entry: Entry
    diagram: Diagram
    token: str
    elsewhere: tuple[LibraryPiece, ...] = ()
    facts: str = ""


def save_gallery(
    folder: str | os.PathLike[str],
    sets: Iterable[str] = (),
    progress: Callable[[int, int], None] | None = None,
    facts: FactsHtml = lambda _library, _entry: "",
) -> int:
    """Write the gallery of some sets, all bundled ones unless named, and return how many pieces.

    ``sets`` are names of bundled sets and paths of piece files. The folder is made, or replaced if
    it holds an older gallery and nothing else. ``progress`` is told after each piece how many are
    done, of how many; ``facts`` gives what else is known of a piece, as HTML. Raises what `load`
    raises, and `AlfilError` where the folder cannot be written; what was there stays then.
    """
    libraries = [load(name) for name in sets or bundled_set_names()]
    save_web_folder(folder, lambda: gallery(libraries, progress, facts=facts), GALLERY_MARK)
    return sum(len(library.pieces) for library in libraries)


def gallery(
    libraries: Iterable[Library],
    progress: Callable[[int, int], None] | None = None,
    around: PageSurroundings | None = None,
    facts: FactsHtml = lambda _library, _entry: "",
) -> dict[str, bytes]:
    """The files of a gallery by their paths; index.html is the page, with what stands around it."""
    libraries = [library for library in libraries if library.pieces]
    total = sum(len(library.pieces) for library in libraries)
    sections: list[str] = []
    data: dict[str, object] = {}
    files: dict[str, bytes] = {}
    done = 0
    for library, folder in zip(
        libraries, _unique_anchors(each.name for each in libraries), strict=True
    ):
        blocks: list[tuple[str, list[str]]] = []
        arranged = _pieces_with_headings(library)
        places = _unique_anchors(entry.name for _, entry in arranged)
        tokens = piece_tokens_of_file(library)
        for (heading, entry), location in zip(arranged, places, strict=True):
            token = centre_token_svg(tokens[entry.code])
            diagram, elsewhere = (
                diagram_of(library, entry),
                _differently_named_catalogue_pieces(entry),
            )
            known = facts(library, entry)
            card = GalleryCard(
                f"{folder}/{location}", library, entry, diagram, token, elsewhere, known
            )
            if heading or not blocks:
                blocks.append((heading, []))
            blocks[-1][1].append(_card_html(card))
            data[card.anchor] = html.board_data(
                card.diagram.meaning, card.diagram.marks, f"How the {entry.name} moves"
            )
            files[f"diagrams/{card.anchor}.svg"] = _thumbnail_svg(card).encode("utf-8")
            done += 1
            if progress:
                progress(done, total)
        sections.append(_section_html(folder, library, "\n".join(map(_block_html, blocks))))
    files["index.html"] = _page_html(
        sections, data, libraries, total, around or PageSurroundings()
    ).encode("utf-8")
    return files


def _differently_named_catalogue_pieces(entry: Entry) -> tuple[LibraryPiece, ...]:
    """The pieces of the catalogue that move like it, under other names."""
    if entry.restrictions:
        return ()
    own = set(map(normalise_name, entry.names))
    found: dict[str, LibraryPiece] = {}
    for each in catalogue_pieces_alike(entry.piece):
        if normalise_name(each.entry.name) not in own:
            found.setdefault(each.entry.name, each)
    return tuple(found.values())


def _pieces_with_headings(library: Library) -> list[tuple[str, Entry]]:
    """The pieces, each with the heading above it, which is empty for most.

    The headings inside a long set are the first words of the comments that stand between blocks of
    pieces; where there are none, it is sorted by name, under the letters names begin with.
    """
    headings = [""] * len(library.pieces)
    if len(library.pieces) < MIN_PIECES_FOR_HEADINGS:
        return [*zip(headings, library.pieces, strict=True)]
    begins = [each.span.start for each in library.pieces]
    for match in HEADING_PATTERN.finditer(library.source.text):
        headings[bisect_left(begins, match.end())] = re.split(r"[.,:;(]", match[1])[0].strip()
    if any(headings):
        return [*zip(headings, library.pieces, strict=True)]
    by_name = sorted(library.pieces, key=lambda entry: entry.name.lower())
    initials = [entry.name[:1].upper() for entry in by_name]
    before = ["", *initials]
    return [
        ("" if letter == last else letter, entry)
        for letter, last, entry in zip(initials, before, by_name, strict=False)
    ]


def _unique_anchors(names: Iterable[str]) -> list[str]:
    """A place for each name: letters, digits and hyphens, each place once whatever its case."""
    taken: dict[str, int] = {}
    places = []
    for name in names:
        plain = re.sub(r"[^a-z0-9]+", "-", name.lower()[:60]).strip("-") or "piece"
        taken[plain] = taken.get(plain, 0) + 1
        while taken[plain] > 1 and f"{plain}-{taken[plain]}" in taken:
            taken[plain] += 1
        location = f"{plain}-{taken[plain]}" if taken[plain] > 1 else plain
        taken.setdefault(location, 1)
        places.append(location)
    return places


def _thumbnail_svg(card: GalleryCard) -> str:
    """The picture without the words that stand beside it."""
    bare = replace(card.diagram, label="", notation="", sentence="", token=card.token)
    board = panel(bare, DEFAULT, legend=False)
    return svg_document(board, DEFAULT, card.diagram.heading, card.diagram.description)


def _card_html(card: GalleryCard) -> str:
    entry, location = card.entry, card.anchor
    called = "&#10;".join(map(html.escaped, (*entry.names, entry.code)))  # a line each
    kanji = f" {_kanji_svg(entry.kanji)}" if entry.kanji else ""
    badges = "".join(f'<span class="badge">{each}</span>' for each in _badge_words(entry))
    paragraphs = "".join(f"<p{kind}>{words}</p>" for kind, words in _card_paragraphs(card))
    name = f"<h3>{html.escaped(entry.name)}{kanji}</h3>"
    picture = f'<img src="diagrams/{location}.svg" alt="" width="320" height="320" loading="lazy">'
    return (
        f'<article class="card" id="{location}" data-names="{called}" '
        f'data-search="{_search_text(card)}">\n'
        f'<a class="open" href="#{location}">{picture}{name}</a>{badges}\n'
        f"{_notation_list_html(entry)}\n{paragraphs}{card.facts}{_names_and_sources_html(card)}\n</article>"
    )


def _kanji_svg(kanji: str) -> str:
    """Characters as outlines, for not every reader has a font with them."""
    outlines = text_outline(kanji, "kanji")
    box = f"0 {-KANJI_TOP} {outlines.width} {KANJI_TOP - KANJI_BOTTOM}"
    return (
        f'<svg class="kanji" role="img" aria-label="{html.escaped(kanji)}" viewBox="{box}">'
        f'<path d="{outlines.path}"/></svg>'
    )


def _badge_words(entry: Entry) -> Iterator[str]:
    if entry.royal:
        yield "royal"
    if entry.status in STATUS_BADGES:
        yield STATUS_BADGES[entry.status]


def _card_paragraphs(card: GalleryCard) -> Iterator[tuple[str, str]]:
    """Paragraphs about a piece: an attribute, and the words."""
    entry = card.entry
    if len(entry.names) > 1:
        yield ' class="quiet"', f"Also called {html.escaped(', '.join(entry.names[1:]))}."
    yield "", html.escaped(describe(entry))
    if entry.promotes:
        names = " or ".join(
            html.escaped(_piece_name(code, card.library)) for code in entry.promotes
        )
        yield (
            ' class="quiet"',
            f"In the promotion zone it {PROMOTION_WORDS[entry.promotion]} {names}.",
        )
    if entry.same_as:
        name = html.escaped(_piece_name(entry.same_as, card.library))
        yield ' class="quiet"', f"Moves as the {name} does."
    if entry.note:
        yield ' class="remark"', f"{html.escaped(entry.note[:1].upper() + entry.note[1:])}."


def _names_and_sources_html(card: GalleryCard) -> str:
    """Who names the piece so, and what the catalogue calls its movement; folded in."""
    words = [f"Named by {', '.join(card.entry.sources)}."] if card.entry.sources else []
    if card.elsewhere:
        names = (f"{each.entry.name} ({'; '.join(each.entry.sources)})" for each in card.elsewhere)
        words.append(f"Elsewhere called {', '.join(names)}.")
    folded = html.escaped(" ".join(words))
    title = "Other names and sources" if card.elsewhere else "Sources"
    return f'<details class="quiet"><summary>{title}</summary>{folded}</details>' if words else ""


def _piece_name(code: str, library: Library) -> str:
    """The name of a piece of the same file; codes and names of other pieces stay as they are."""
    return library[code].name if code in library else code


def _notation_list_html(entry: Entry) -> str:
    lines = [("Code", f"<code>{html.escaped(entry.code)}</code>")]
    for notation in NOTATIONS.values():
        if notation.dialect in {"", DEFAULT_NOTATION}:
            lines.append((notation.title, _notation_html(entry, notation.name)))
    return html.definition_list(lines)


def _notation_html(entry: Entry, notation: str) -> str:
    """The piece in a notation, as it was written if it was; or why there is none."""
    written = (each for each in entry.movements if each.notation == notation)
    try:
        return f"<code>{html.escaped(write(next(written, entry.piece), notation))}</code>"
    except AlfilError as loss:
        return f'<span class="quiet">cannot say it: {html.escaped(loss.first_error.message)}</span>'


def _search_text(card: GalleryCard) -> str:
    entry = card.entry
    notations = [piece.text for piece in entry.movements]
    words = [
        *(*entry.names, entry.code, entry.kanji, entry.romaji, *notations),
        *(each.entry.name for each in card.elsewhere),
        *(card.library.name, card.library.title, entry.status, *_badge_words(entry)),
    ]
    return html.escaped(" ".join(word for word in words if word))


def _block_html(block: tuple[str, list[str]]) -> str:
    """Cards below their heading, if they have one."""
    heading, cards = block[0], "\n".join(block[1])
    if not heading:
        return cards
    heading_html = f'<h3 class="group">{html.escaped(heading)}</h3>'
    return f'<div class="block">{heading_html}\n<div>\n{cards}\n</div></div>'


def _section_html(folder: str, library: Library, cards: str) -> str:
    count = len(library.pieces)
    return (
        f'<section id="set-{folder}" data-set="{folder}">\n'
        f"<h2>{html.escaped(library.heading)} "
        f'<span class="count">{count} {plural("piece", count)}</span></h2>\n'
        f'<div class="cards">\n{cards}\n</div>\n</section>'
    )


def _page_html(
    sections: list[str],
    data: dict[str, object],
    libraries: list[Library],
    total: int,
    around: PageSurroundings,
) -> str:
    folders = _unique_anchors(each.name for each in libraries)
    options = "".join(
        f'<option value="{folder}">{html.escaped(each.heading)}</option>'
        for folder, each in zip(folders, libraries, strict=True)
    )
    body = (
        html.read_asset("gallery.html")
        .rstrip("\n")
        .format(
            header=around.header,
            footer=around.footer,
            options=options,
            found=f"{total} {plural('piece', total)}",
            sections="\n".join(sections),
            legend=html.legend_of_all_signs(),
            symbols=html.symbol_defs(),
            signs=html.json_element("signs", html.EVERY_SIGN),
            data=html.json_element("data", data),
        )
    )
    script = html.bundle_scripts(
        *map(html.script_body, html.SCRIPT_FILES), html.read_asset("gallery.js")
    )
    style = (
        f"{html.colour_variables(DEFAULT)}{html.read_asset('page.css')}"
        f"{html.read_asset('cards.css')}"
    )
    style += around.style + html.read_asset("gallery.css")
    return html.page_document(TITLE, body, script, style, head=GALLERY_MARK + around.head)
