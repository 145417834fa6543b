"""The folder of the site: pages, their scripts, and Python; or of one game alone."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from html import escape

from alfil.api import read
from alfil.atomic_files import save_web_folder
from alfil.data_files import read_data
from alfil.diagrams import html_page
from alfil.diagrams.diagram_model import Diagram
from alfil.diagrams.themes import DEFAULT
from alfil.errors import AlfilError, reject
from alfil.library.file_locations import bundled_set_names
from alfil.library.gallery import TITLE as GALLERY_TITLE
from alfil.library.gallery import PageSurroundings, gallery
from alfil.library.library import games as playable
from alfil.library.library import library_by_name, loads
from alfil.site import game_requests, piece_requests, shared_page_parts
from alfil.site.game_with_piece import replaceable_codes
from alfil.site.pyodide import ALFIL, PACKED, runtime_files, runtime_files_for_game
from alfil.source import Span
from alfil.workbench.fact_texts import card_facts_html

# How a folder of ours is known when it is to be replaced.
MARK = '<meta name="generator" content="alfil">'
# The scripts of the pages; each is sent as one file with all the modules that it imports.
PLAYGROUND, SAVED, GAMES = "playground.js", "saved.js", "games.js"
# What runs Python, beside the pages.
WORKER = "worker.js"
# What is chosen among the games to mate a lone king; no game is called so.
TRAINER = "mate:"
# What stands around a page that is no part of the site: an icon without a picture.
ALONE = PageSurroundings('<link rel="icon" href="data:,">\n')
# The sets that most visitors look for are the first of the gallery.
FIRST_SETS = ("chess", "fairy", "shogi", "xiangqi")
FIRST_TEXT, FIRST_GAME = "FyafsF", "minishogi"
# Marks a page whose address has a piece, before it shows the first one.
ASKED = 'if(location.hash.length>1)document.documentElement.className="asked"'
# What keeps the site in a browser; it is beside the pages, for it has to do with nothing above it.
SERVICE = "service.js"

IMPORT = re.compile(r'^import .* from "\./([\w.]+)";$', re.MULTILINE)


def save_site(
    folder: str | os.PathLike[str],
    progress: Callable[[int, int], None] | None = None,
    address: str = "",
) -> int:
    """Write the whole site: playground, games and gallery; returns how many files.

    ``address`` is where it will be, for programs that show previews of links; it may be unknown.
    The folder is made, or replaced if it holds an older one and nothing else. ``progress`` gets
    the number of pieces in the gallery that are done, and of all of them. Raises `AlfilError`
    where node or npm is missing, or the folder cannot be written; what was there stays then.
    """

    def make_files() -> dict[str, bytes]:
        made = site_files_without_gallery(address)
        pieces = _gallery_files(
            progress, shared_page_parts.surroundings_of_page("gallery/", GALLERY_TITLE, address)
        )
        return made | {f"gallery/{name}": content for name, content in pieces.items()}

    return save_web_folder(folder, make_files, MARK)


def save_game_page(name: str, text: str, folder: str | os.PathLike[str]) -> int:
    """Write the page of one game alone, a bundled one by name or else the text of its file.

    Raises what `save_site` does, and `AlfilError` for a text that is no game with a set-up, or one
    too large for a page.
    """
    source = {"name": name} if name else {"text": text}
    library = library_by_name(name) if name else loads(text)
    if not game_requests.fits_in_browser_memory(library):
        message = f"{library.heading} {game_requests.TOO_LARGE}"
        hint = game_requests.TERMINAL
        reject(AlfilError, "board-size", message, library.source, Span(0, 1), hint)
    shown = "".join(f"{each.name}{each.kanji}{each.symbol}" for each in library.pieces)

    def make_files() -> dict[str, bytes]:
        page = _game_page_html(source)
        python = runtime_files_for_game(name, library.source.text + shown)
        scripts = _bundled_page_script(GAMES)
        return {"index.html": page, **scripts, **_style_and_runtime_files(python)}

    return save_web_folder(folder, make_files, MARK)


def site_files_without_gallery(address: str = "") -> dict[str, bytes]:
    """The site without the gallery, with the script that keeps all of it in a browser, by path."""
    shared = _style_and_runtime_files(runtime_files(), _first_diagram_css())
    files = {
        **shared,
        **shared_page_parts.icon_and_preview_files(),
        **_playground_files(address),
        **_games_page_files(address),
    }
    digest = sha256()
    for name in sorted(files):
        digest.update(name.encode() + files[name])
    head = f"const VERSION = {json.dumps(digest.hexdigest()[:12])};\n"
    head += f"const FILES = {json.dumps(['./', *sorted(files)])};\n"
    return {**files, SERVICE: (head + _read_asset(SERVICE)).encode()}


def _playground_files(address: str = "") -> dict[str, bytes]:
    """The page where notations are typed, and that of one's own pieces, with scripts, by path."""
    notations = "".join(
        f'<option value="{name}">{escape(title)}</option>'
        for name, title in piece_requests.TITLES.items()
    )
    first = piece_requests.page_data_of_text(FIRST_TEXT, "betza")
    page = _page_html(
        "How does it move?",
        _read_asset("playground.html").format(
            notations=notations,
            roles=_replaceable_piece_options(),
            asked=ASKED,
            board=html_page.board_svg_and_size_style(_first_diagram())[0],
            english=html_page.escaped(str(first["english"])),
        ),
        [
            ("signs", html_page.EVERY_SIGN),
            ("first", first),
            # Answers are kept in the browser for just the Python that gave them.
            ("version", sha256(runtime_files()[f"{ALFIL}{PACKED}"]).hexdigest()[:12]),
        ],
        PLAYGROUND,
        shared_page_parts.surroundings_of_page("./", "How does it move?", address),
        allowed=f" {html_page.script_policy_hash(ASKED)}",
    )
    around = shared_page_parts.surroundings_of_page("saved.html", "Your pieces", address)
    saved = _page_html("Your pieces", _read_asset("saved.html"), [], SAVED, around)
    return {
        "index.html": page,
        "saved.html": saved,
        **_bundled_page_script(PLAYGROUND),
        **_bundled_page_script(SAVED),
    }


def _first_diagram() -> Diagram:
    return piece_requests.diagram_of(read(FIRST_TEXT))


def _first_diagram_css() -> str:
    """The style of the first diagram, as long as it is a picture."""
    _, size = html_page.board_svg_and_size_style(_first_diagram())
    return f".first{{{size}}}\n{html_page.css_with_page_colours('.first')}\n"


def _replaceable_piece_options() -> str:
    """The pieces of games that another one can stand in for, as options."""
    groups = []
    for name, codes in replaceable_codes().items():
        library = library_by_name(name)
        options = "".join(
            f'<option value="{name} {code}">{escape(f"{name}: {library[code].name}")}</option>'
            for code in codes
        )
        groups.append(f'<optgroup label="{escape(library.heading)}">{options}</optgroup>')
    return "".join(groups)


def _games_page_files(address: str = "") -> dict[str, bytes]:
    """The page where games are played, with its script, by path."""
    page = _game_page_html(
        {"name": FIRST_GAME}, shared_page_parts.surroundings_of_page("games.html", "Games", address)
    )
    return {"games.html": page, **_bundled_page_script(GAMES)}


def _style_and_runtime_files(
    files: Mapping[str, bytes], first_diagram_style: str = ""
) -> dict[str, bytes]:
    """The style, and a Python with the script that runs it."""
    style = (
        html_page.colour_variables(DEFAULT)
        + html_page.read_asset("page.css")
        + shared_page_parts.header_and_footer_style()
    )
    style += "".join(_read_asset(name) for name in ("site.css", "playground.css", "games.css"))
    style += first_diagram_style
    python = {f"scripts/python/{name}": content for name, content in files.items()}
    return {"site.css": style.encode(), f"scripts/{WORKER}": _read_asset(WORKER).encode(), **python}


def _bundled_page_script(name: str) -> dict[str, bytes]:
    """The script of a page, by path: its modules as one file, so that a visitor waits for one."""
    parts = [
        html_page.IMPORT_AND_EXPORT_LINES.sub("", script_source(each))
        for each in modules_in_import_order(name)
    ]
    return {f"scripts/{name}": html_page.bundle_scripts(*parts).encode()}


def _game_page_html(source: dict[str, str], around: PageSurroundings | None = None) -> bytes:
    """The page of a game, of one alone unless it stands in surroundings."""
    setup = game_requests.game_setup(source)
    state = game_requests.game_state(source, "", [])
    options = [(source.get("name", ""), str(setup["title"]))]
    if around:
        libraries = [(name, library_by_name(name)) for name in playable()]
        fitting = game_requests.fits_in_browser_memory
        options = [(name, each.heading) for name, each in libraries if fitting(each)]
        options.sort(key=lambda each: each[1].casefold())
    chosen = "".join(
        f'<option value="{escape(name)}"{" selected" * (name == source.get("name"))}>'
        f"{html_page.escaped(title)}</option>"
        for name, title in options
    )
    if around:
        chosen += f'<option value="{TRAINER}">Mate a lone king</option>'
    body = _read_asset("games.html").format(
        games=chosen, heading=html_page.escaped(str(setup["title"]))
    )
    first = {"source": source, "setup": setup, "state": state}
    title = "Games" if around else str(setup["title"])
    return _page_html(title, body, [("first", first)], GAMES, around or ALONE)


def _page_html(
    title: str,
    body: str,
    data: list[tuple[str, object]],
    script: str,
    around: PageSurroundings,
    *,
    allowed: str = "",
) -> bytes:
    made = _read_asset("site.html").format(
        allowed=allowed,
        title=html_page.escaped(title),
        head=around.head,
        header=around.header,
        footer=around.footer,
        body=body.rstrip("\n"),
        symbols=html_page.symbol_defs(),
        data="\n".join(
            html_page.json_element(name, json.loads(json.dumps(each))) for name, each in data
        ),
        script=script,
    )
    return made.encode()


def modules_in_import_order(script: str) -> list[str]:
    """A script and all the modules that it imports, each after those that it imports itself."""
    found: dict[str, None] = {}

    def follow(name: str) -> None:
        for each in IMPORT.findall(script_source(name)):
            if each not in found:
                follow(each)
        found[name] = None

    follow(script)
    return [*found]


def script_source(name: str) -> str:
    """A script of a page or of a diagram, as it is written."""
    return html_page.read_asset(name) if name in html_page.SCRIPT_FILES else _read_asset(name)


def _gallery_files(
    progress: Callable[[int, int], None] | None, around: PageSurroundings
) -> dict[str, bytes]:
    names = [*FIRST_SETS, *(each for each in bundled_set_names() if each not in FIRST_SETS)]
    facts = partial(card_facts_html, trainer="../games.html")
    return gallery([library_by_name(name) for name in names], progress, around, facts)


def _read_asset(name: str) -> str:
    return read_data("site/pages", name)
