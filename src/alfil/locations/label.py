"""Squares as names: opaque CELL, as in gem 1.0.0."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import final

from alfil.errors import Finding
from alfil.locations.errors import CellDialect, empty_input, found, refusal, string

_OPAQUE = re.compile(r"\*|[A-Za-z0-9]+")


def opaque_fault(text: str) -> Finding | None:
    """What keeps a string from being opaque CELL, the hand ``*`` included."""
    if not text:
        return empty_input()
    match = _OPAQUE.match(text)
    end = match.end() if match else 0
    if end == len(text):
        return None
    hint = "a label has the letters a to z and A to Z and digits; the hand is * alone"
    return found("character", "unexpected character", end, end + 1, hint)


@final
@dataclass(frozen=True, order=True, repr=False)
class Label:
    """A square of opaque CELL: letters and digits without indices. Labels sort by their text.

    Raises `LocationError` (``empty``, ``character``) for other strings, ``*`` among them, and
    `TypeError` for anything else.

    >>> Label("5c"), Label("a10") < Label("a2"), Label("5c") == "5c"
    (Label('5c'), True, False)
    """

    text: str

    def __post_init__(self) -> None:
        text = string(self.text)
        finding = opaque_fault(text)
        if text == "*":
            finding = found("character", "unexpected character", 0, 1, "the hand is HAND")
        if finding is not None:
            raise refusal(finding, text, CellDialect.OPAQUE)
        object.__setattr__(self, "text", text)

    @property
    def is_hand(self) -> bool:
        """False."""
        return False

    @property
    def is_board(self) -> bool:
        """True."""
        return True

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Label({self.text!r})"
