"""A diagram as one page that needs nothing else: no network, no fonts, no other file.

The page works out the moves itself, so that its reader can place other pieces and see what changes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import NamedTuple

from alfil.diagrams.interactive import as_script, board_data, with_room
from alfil.diagrams.marks import Marks
from alfil.diagrams.shapes import Part, form, name, role
from alfil.diagrams.text import SINGLE, WORDS, Fill, Sign
from alfil.diagrams.themes import DARK, DEFAULT, PRINT, ROLES, Theme
from alfil.grammars import read_data
from alfil.meaning.piece import Meaning
from alfil.source import printable


class About(NamedTuple):
    """What stands beside a diagram: its title, lines of (label, notation), and sentences."""

    title: str
    notations: tuple[tuple[str, str], ...] = ()
    sentences: tuple[str, ...] = ()


def page(meaning: Meaning, marks: Marks, about: About, still: str = "") -> str:
    """The whole page; ``still`` is the picture for readers whose browser runs no scripts."""
    data = board_data(meaning, with_room(meaning, marks), f"How {printable(about.title)} moves")
    script = (
        '(() => {\n"use strict";\n'
        f"{asset('moves.js')}\n{asset('page.js')}\n"
        'new Board(document.getElementById("board"), '
        'JSON.parse(document.getElementById("data").textContent));\n})();\n'
    )
    body = "\n".join(
        [
            '<main class="page">',
            f"<h1>{shown(about.title)}</h1>",
            notation_list(about.notations),
            f'<div id="board" class="diagram">{still}</div>',
            *(f"<p>{shown(sentence)}</p>" for sentence in about.sentences),
            "</main>",
            symbols(),
            f'<script type="application/json" id="data">{as_script(data)}</script>',
        ]
    )
    return document(about.title, body, script, asset("page.css"))


def document(title: str, body: str, script: str, style: str) -> str:
    """A page that may load nothing and run nothing but its own script."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src 'self' data: file:; base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<meta name="generator" content="alfil">',
            f"<title>{shown(title)}</title>",
            f"<style>\n{colours()}\n{style}</style>",
            "</head>",
            "<body>",
            body,
            f"<script>{script}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def shown(text: str) -> str:
    """Any text, safe in a page: no tag, no quote, nothing unseen, no mark that turns it round."""
    return escape(printable(text))


def notation_list(notations: tuple[tuple[str, str], ...]) -> str:
    """Notations under their names."""
    lines = (
        f"<div><dt>{shown(label)}</dt><dd><code>{shown(text)}</code></dd></div>"
        for label, text in notations
    )
    return f'<dl class="notations">{"".join(lines)}</dl>'


@cache
def asset(file: str) -> str:
    """A script or style sheet of this folder."""
    return read_data("diagrams", file, "src/alfil/diagrams")


def colours() -> str:
    """The colours of the themes as variables: light, dark where the screen is dark, print."""
    return "\n".join(
        [
            f":root{{{_variables(DEFAULT)}}}",
            f"@media (prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}}}",
            f"@media print{{:root{{{_variables(PRINT)}}}}}",
        ]
    )


def _variables(theme: Theme) -> str:
    return "".join(f"--{each}:{getattr(theme, each)};" for each in ROLES)


@cache
def symbols() -> str:
    """All signs and pieces as symbols to be used by their names."""
    signs = [Sign(family, fill) for family in WORDS for fill in Fill]
    signs += [Sign(family) for family in SINGLE]
    drawn = "".join(_symbol(name(sign), _paths(form(sign)), role(sign)) for sign in signs)
    return (
        '<svg class="symbols" aria-hidden="true" width="0" height="0">'
        f"{drawn}{''.join(_pieces())}</svg>"
    )


def _symbol(title: str, inner: str, colour: str) -> str:
    # Not a symbol element, which would clip what stands left of and above its origin.
    return (
        f'<g id="sign-{title}" fill="none" stroke="currentColor" stroke-width="3" '
        f'stroke-linecap="round" stroke-linejoin="round" color="var(--{colour})">{inner}</g>'
    )


def _paths(parts: tuple[Part, ...]) -> str:
    return "".join(f'<path{part.attributes} d="M0 0{part.path}"/>' for part in parts)


# A piece is a wedge that points the way it goes, as in shogi: friends up, enemies down.
WEDGE = "M0-15l10.5 5.5l3 22h-27l3-22z"
TURNED = "M0 15l-10.5-5.5l-3-22h27l-3 22z"


def _pieces() -> Iterator[str]:
    for title, outline, fill in (
        ("piece", WEDGE, "piece"),
        ("friend", WEDGE, "friend"),
        ("enemy", TURNED, "enemy"),
        ("royal-enemy", TURNED, "enemy"),
    ):
        crown = '<path fill="none" d="M-6 3v-8l3.5 3.5l2.5-4l2.5 4l3.5-3.5v8z"/>'
        inner = f'<path d="{outline}"/>{crown if title == "royal-enemy" else ""}'
        yield (
            f'<g id="sign-{title}" fill="var(--{fill})" stroke="var(--ink)" stroke-width="2" '
            f'stroke-linejoin="round">{inner}</g>'
        )
    arrow = "M0 12v-22m-7.5 8l7.5-8l7.5 8"
    yield _symbol("arrow", f'<path d="{arrow}"/>', "path")
