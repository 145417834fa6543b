"""The folder of the site: pages, their scripts, and Python; or of one game alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from html import escape

from alfil.data_files import read_data
from alfil.diagrams import html
from alfil.diagrams.themes import DEFAULT
from alfil.library.files import bundled_names
from alfil.library.gallery import gallery
from alfil.library.library import cached_library, loads
from alfil.library.library import games as playable
from alfil.saving import save_folder
from alfil.site import game_requests, piece_requests
from alfil.site.pyodide import runtime, runtime_for_game

# How a folder of ours is known when it is to be replaced.
MARK = '<meta name="generator" content="alfil">'
# What the pages share, besides the modules of a diagram.
SHARED = ("address.js", "engine.js", "worker.js", "files.js", "diagnostics.js")
PLAYGROUND = ("playground.js", "sketch.js")
GAMES = ("games.js", "board.js", "line.js", "clock.js", "editor.js")
FIRST_TEXT, FIRST_GAME = "FyafsF", "minishogi"
PAGES = {"./": "Playground", "games.html": "Games", "gallery/": "Pieces", "docs/": "Documentation"}


def save_site(
    folder: str | os.PathLike[str], progress: Callable[[int, int], None] | None = None
) -> int:
    """Write the whole site: playground, games and gallery; returns how many files.

    The folder is made, or replaced if it holds an older one and nothing else. ``progress`` gets
    the number of pieces in the gallery that are done, and of all of them. Raises `AlfilError`
    where node or npm is missing, or the folder cannot be written; what was there stays then.
    """
    made = {**shared(), **playground(), **games()}
    made |= {f"gallery/{name}": content for name, content in _gallery(progress).items()}
    save_folder(folder, made, MARK)
    return len(made)


def save_game_page(name: str, text: str, folder: str | os.PathLike[str]) -> int:
    """Write the page of one game alone, a bundled one by name or else the text of its file.

    Raises what `save_site` does, and `AlfilError` for a text that is no game with a set-up.
    """
    source = {"name": name} if name else {"text": text}
    page = _game_page(source, alone=True)
    library = cached_library(name) if name else loads(text)
    shown = "".join(f"{each.name}{each.kanji}{each.symbol}" for each in library.pieces)
    python = runtime_for_game(name, library.source.text + shown)
    files = {"index.html": page, **_scripts(GAMES), **_shared(python)}
    save_folder(folder, files, MARK)
    return len(files)


def playground() -> dict[str, bytes]:
    """The page where notations are typed, with its scripts, by path."""
    notations = "".join(
        f'<option value="{name}">{escape(title)}</option>'
        for name, title in piece_requests.TITLES.items()
    )
    page = _page(
        "How does it move?",
        _asset("playground.html").format(notations=notations),
        [("signs", html.EVERY_SIGN), ("first", piece_requests.read_text(FIRST_TEXT, "betza"))],
        PLAYGROUND[0],
        "./",
    )
    return {"index.html": page, **_scripts(PLAYGROUND)}


def games() -> dict[str, bytes]:
    """The page where games are played, with its scripts, by path."""
    page = _game_page({"name": FIRST_GAME}, alone=False)
    return {"games.html": page, **_scripts(GAMES)}


def shared() -> dict[str, bytes]:
    """What the pages of the site need: style, scripts, Python."""
    return _shared(runtime())


def _shared(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Style and scripts, and the files of a Python."""
    style = html.colour_variables(DEFAULT) + html.read_asset("page.css") + _asset("site.css")
    style += _asset("games.css")
    modules = {f"scripts/{name}": html.read_asset(name).encode() for name in html.SCRIPTS}
    python = {f"scripts/python/{name}": content for name, content in files.items()}
    return {"site.css": style.encode(), **modules, **_scripts(SHARED), **python}


def _scripts(names: tuple[str, ...]) -> dict[str, bytes]:
    return {f"scripts/{name}": _asset(name).encode() for name in names}


def _game_page(source: dict[str, str], *, alone: bool) -> bytes:
    setup = game_requests.setup(source)
    state = game_requests.state(source, "", [])
    options = [(source.get("name", ""), setup["title"])]
    if not alone:
        options = [(name, cached_library(name).heading) for name in playable()]
    chosen = "".join(
        f'<option value="{escape(name)}"{" selected" * (name == source.get("name"))}>'
        f"{html.escaped(str(title))}</option>"
        for name, title in options
    )
    body = _asset("games.html").format(games=chosen, heading=html.escaped(str(setup["title"])))
    first = {"source": source, "setup": setup, "state": state}
    title, place = ("Games", "games.html") if not alone else (str(setup["title"]), "")
    return _page(title, body, [("first", first)], GAMES[0], place)


def _page(title: str, body: str, data: list[tuple[str, object]], script: str, place: str) -> bytes:
    """A page; ``place`` is its own among `PAGES`, none for one that stands alone."""
    links = "".join(
        f'<a href="{address}"{" aria-current=page" * (address == place)}>{name}</a>'
        for address, name in PAGES.items()
    )
    made = _asset("site.html").format(
        title=html.escaped(title),
        navigation=f'<nav aria-label="Site">{links}</nav>\n' if place else "",
        body=body.rstrip("\n"),
        symbols=html.symbols(),
        data="\n".join(
            html.json_element(name, json.loads(json.dumps(each))) for name, each in data
        ),
        script=script,
    )
    return made.encode()


def _gallery(progress: Callable[[int, int], None] | None) -> dict[str, bytes]:
    return gallery([cached_library(name) for name in bundled_names()], progress)


def _asset(name: str) -> str:
    return read_data("site/pages", name)
