"""The colours of pictures. Shape carries the meaning; colour repeats it."""

from __future__ import annotations

from typing import NamedTuple

from alfil.errors import reject_unknown_name


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

# A row for each role, in the order of `ROLES`; a column for each theme, as they are named below.
_COLOURS = (
    ("#ffffff", "#14181f", "#ffffff", "#ffffff", "#ffffff"),  # paper
    ("#fbf7ef", "#2a313c", "#ffffff", "#ffffc8", "#ffce9e"),  # light
    ("#f1e9da", "#222832", "#f2f2f2", "#92e37f", "#e3ab72"),  # dark
    ("#cdbfa6", "#465061", "#9a9a9a", "#6f9c62", "#8f5c2c"),  # grid
    ("#736544", "#97a4b6", "#666666", "#335829", "#673f20"),  # path
    ("#2b2f36", "#f2efe6", "#000000", "#202020", "#202122"),  # piece
    ("#ffffff", "#14181f", "#ffffff", "#ffffff", "#ffffff"),  # letter
    ("#9aa3ad", "#8a97a8", "#b5b5b5", "#a9a9a9", "#9c8266"),  # friend
    ("#ffffff", "#3a4350", "#ffffff", "#ffffff", "#fff6ea"),  # enemy
    ("#22262c", "#e8ebf0", "#000000", "#202020", "#202122"),  # ink
    ("#5f6670", "#a3adba", "#333333", "#444444", "#404244"),  # quiet
    ("#1c7c3f", "#5fd38a", "#000000", "#5a3d00", "#0f5a2b"),  # either
    ("#1258b5", "#6cb2ff", "#000000", "#0058c9", "#0b3f91"),  # move
    ("#c22f1f", "#ff7a6b", "#000000", "#ae0000", "#960f06"),  # capture
    ("#7a2fa8", "#d7a6ff", "#000000", "#8b008b", "#5a1a80"),  # other
)
_DEFAULT, _DARK, _PRINT, _CVP, _WIKIPEDIA = zip(*_COLOURS, strict=True)

DARK = Theme("dark", *_DARK)
DEFAULT = Theme("default", *_DEFAULT)._replace(night=DARK)
PRINT = Theme("print", *_PRINT)
WIKIPEDIA = Theme("wikipedia", *_WIKIPEDIA)
THEMES = {theme.name: theme for theme in (DEFAULT, PRINT, DARK, Theme("cvp", *_CVP), WIKIPEDIA)}


def theme_by_name(name: str) -> Theme:
    """The theme of that name; `AlfilError` of kind "unknown-theme" when there is none.

    >>> theme_by_name("print").ink
    '#000000'
    """
    if name not in THEMES:
        reject_unknown_name("unknown-theme", name, THEMES)
    return THEMES[name]
