"""The colours of pictures. Shape carries the meaning; colour repeats it."""

from __future__ import annotations

from typing import NamedTuple

from alfil.errors import unknown_name


class Theme(NamedTuple):
    """One colour for each role, as #rrggbb, in the order in which they are drawn.

    ``night`` is the theme that takes over where the reader's screen is dark, or None.
    """

    name: str
    paper: str
    light: str
    dark: str
    grid: str
    path: str
    piece: str
    letter: str
    friend: str
    enemy: str
    ink: str
    quiet: str
    either: str
    move: str
    capture: str
    other: str
    night: Theme | None = None


ROLES = Theme._fields[1:-1]

DARK = Theme(
    name="dark",
    paper="#14181f",
    light="#2a313c",
    dark="#222832",
    grid="#465061",
    ink="#e8ebf0",
    quiet="#a3adba",
    path="#7d8a9c",
    either="#5fd38a",
    move="#6cb2ff",
    capture="#ff7a6b",
    other="#d7a6ff",
    piece="#f2efe6",
    letter="#14181f",
    friend="#8a97a8",
    enemy="#3a4350",
)
DEFAULT = Theme(
    name="default",
    paper="#ffffff",
    light="#fbf7ef",
    dark="#f1e9da",
    grid="#cdbfa6",
    ink="#22262c",
    quiet="#5f6670",
    path="#a89a80",
    either="#1c7c3f",
    move="#1258b5",
    capture="#c22f1f",
    other="#7a2fa8",
    piece="#2b2f36",
    letter="#ffffff",
    friend="#9aa3ad",
    enemy="#ffffff",
    night=DARK,
)
PRINT = Theme(
    name="print",
    paper="#ffffff",
    light="#ffffff",
    dark="#f2f2f2",
    grid="#9a9a9a",
    ink="#000000",
    quiet="#333333",
    path="#8c8c8c",
    either="#000000",
    move="#000000",
    capture="#000000",
    other="#000000",
    piece="#000000",
    letter="#ffffff",
    friend="#b5b5b5",
    enemy="#ffffff",
)
CVP = Theme(
    name="cvp",
    paper="#ffffff",
    light="#ffffc8",
    dark="#92e37f",
    grid="#6f9c62",
    ink="#202020",
    quiet="#444444",
    path="#5f8a52",
    either="#8a6d00",
    move="#0058c9",
    capture="#d00000",
    other="#8b008b",
    piece="#202020",
    letter="#ffffff",
    friend="#a9a9a9",
    enemy="#ffffff",
)
WIKIPEDIA = Theme(
    name="wikipedia",
    paper="#ffffff",
    light="#ffce9e",
    dark="#e3ab72",
    grid="#8f5c2c",
    ink="#202122",
    quiet="#404244",
    path="#8a5f38",
    either="#0f5a2b",
    move="#0b3f91",
    capture="#a3150a",
    other="#5a1a80",
    piece="#202122",
    letter="#ffffff",
    friend="#9c8266",
    enemy="#fff6ea",
)
THEMES = {theme.name: theme for theme in (DEFAULT, PRINT, DARK, CVP, WIKIPEDIA)}


def theme_called(name: str) -> Theme:
    """The theme of that name; `AlfilError` of kind "unknown-theme" when there is none.

    >>> theme_called("print").ink
    '#000000'
    """
    if name not in THEMES:
        unknown_name("unknown-theme", name, THEMES)
    return THEMES[name]
