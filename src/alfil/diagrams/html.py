"""A diagram as one page that needs nothing else: no network, no fonts, no other file.

The page works out the moves itself, so that its reader can place other pieces and see what changes.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING

from alfil.diagrams.interactive import EVERY_SIGN, SIGNS, STANDING, board_data
from alfil.diagrams.picture import Picture, shown
from alfil.diagrams.shapes import WEDGE, form, name, role
from alfil.diagrams.svg import svg
from alfil.diagrams.text import Family, Sign
from alfil.diagrams.themes import PRINT, ROLES, Theme
from alfil.grammars import read_data
from alfil.meaning.piece import EMPTY

if TYPE_CHECKING:
    from alfil.diagrams.formats import Look

SCRIPTS = ("moves.js", "position.js", "page.js")
# Longer texts are cut.
LONGEST = 1_000


def rendered(picture: Picture, look: Look) -> str:
    """A picture as a page; readers whose browser runs no scripts see it as it is.

    Without a meaning nothing can be placed on it.
    """
    title = picture.label or picture.notation or "a piece without moves"
    label = f"How {shown(title, LONGEST)} moves"
    data = board_data(picture.meaning or EMPTY, picture.marks, label)
    data["placeable"] = data["placeable"] and picture.meaning is not None
    script = run(
        *map(asset, SCRIPTS),
        'new Board(document.getElementById("board"), read("data"), read("signs"));',
    )
    notation = f"<p><code>{text(picture.notation)}</code></p>" if picture.label else ""
    body = [
        '<main class="page">',
        f"<h1>{text(title)}</h1>",
        notation,
        f'<div id="board" class="diagram">{svg(picture, look.theme)}</div>',
        f"<p>{text(picture.description)}</p>",
        "</main>",
        symbols(picture.token),
        data_element("signs", SIGNS),
        data_element("data", data),
    ]
    return document(title, "\n".join(body), script, colours(look.theme) + asset("page.css"))


def run(*scripts: str) -> str:
    """Scripts as one, with names of their own."""
    joined = "\n".join(scripts)
    return f'(() => {{\n"use strict";\n{joined}\n}})();\n'


def document(title: str, body: str, script: str, style: str, head: str = "") -> str:
    """A page that may load nothing but pictures beside it, and run nothing but its own script."""
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
            f"<title>{text(title)}</title>",
            f"{head}<style>\n{style}</style>",
            "</head>",
            "<body>",
            body,
            f"<script>{script}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def text(given: str) -> str:
    """Any text, safe in a page: no tag, no quote, nothing unseen, no mark that turns it round."""
    return escape(shown(given, LONGEST))


def data_element(identity: str, data: object) -> str:
    """Data for the page's script, under a name; no tag can begin or end in it."""
    json_text = json.dumps(data, separators=(",", ":"))
    for character in "<>&":
        json_text = json_text.replace(character, f"\\u{ord(character):04x}")
    return f'<script type="application/json" id="{identity}">{json_text}</script>'


@cache
def asset(file: str) -> str:
    """A script or style sheet of this folder."""
    return read_data("diagrams", file, "src/alfil/diagrams")


def colours(theme: Theme) -> str:
    """The colours of a theme as variables, those of its night side, and those of paper."""
    night = theme.night
    rules = [f":root{{{_variables(theme)}}}"]
    if night:
        rules.append(f"@media (prefers-color-scheme:dark){{:root{{{_variables(night)}}}}}")
        rules.append(f"@media print{{:root{{{_variables(PRINT)}}}}}")
    return "\n".join(rules) + "\n"


def _variables(theme: Theme) -> str:
    return "".join(f"--{each}:{getattr(theme, each)};" for each in ROLES)


@lru_cache(maxsize=8)
def symbols(token: str = "") -> str:
    """All signs and pieces as drawings to be used by their names.

    ``token`` is what is drawn for the piece itself, in place of the plain wedge.
    """
    drawn = "".join(map(_symbol, EVERY_SIGN))
    arrow = _drawing("arrow", ARROW, 'color="var(--path)"')
    wedge = token or f'<path fill="var(--piece)" d="M0 0{WEDGE}"/>'
    piece = f'<g id="sign-piece">{wedge}</g>'
    return (
        f'<svg class="symbols" aria-hidden="true" width="0" height="0">{drawn}{piece}{arrow}</svg>'
    )


ARROW = '<path d="M0 12v-22m-7.5 8l7.5-8l7.5 8"/>'


def _symbol(sign: Sign) -> str:
    inner = "".join(f'<path{part.attributes} d="M0 0{part.path}"/>' for part in form(sign))
    if sign not in STANDING:
        return _drawing(name(sign), inner, f'color="var(--{role(sign)})"')
    colour = "friend" if sign.family is Family.FRIEND else "enemy"
    filled = f'fill="var(--{colour})" stroke="var(--ink)" color="var(--{colour})"'
    return f'<g id="sign-{name(sign)}" {filled} stroke-linejoin="round">{inner}</g>'


def _drawing(title: str, inner: str, attributes: str) -> str:
    # Not a symbol element, which would clip what stands left of and above its origin.
    return (
        f'<g id="sign-{title}" fill="none" stroke="currentColor" stroke-width="3" '
        f'stroke-linecap="round" stroke-linejoin="round" {attributes}>{inner}</g>'
    )
