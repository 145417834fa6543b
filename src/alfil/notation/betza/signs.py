"""Signs that stand in no Betza text, and what people mean by them."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
BRACES = re.compile(r"\{[^{}]*\}?")
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

HASINU = "belongs to Ħasínū: read the text with that notation"
FOLLOW = "parts simply follow each other, as in WD"
HINTS = {
    "&": f"& {HASINU}",
    "×": f"× {HASINU}",
    "°": f"° {HASINU}",
    "\\": f"the backslash {HASINU}",
    "^": "^ is a marker of FSF-X, an extension of Fairy-Stockfish; leave it out",
    "@": "@ has no settled meaning; leave it out",
    "+": FOLLOW,
    ",": FOLLOW,
    ";": FOLLOW,
    "/": FOLLOW,
    "|": FOLLOW,
    "{": "curly brackets belong to FSF-X and to Ħasínū; leave them out",
}


class Sign(NamedTuple):
    """What is wrong with a sign that stands at some place and ends at ``end``."""

    kind: str
    message: str
    hint: str
    end: int


def foreign(text: str, at: int) -> Sign | None:
    """What to say of the sign at a place; None for letters, digits and brackets of Betza.

    >>> foreign("W²F", 1)
    Sign(kind='superscript', message='a raised number', hint='write 2', end=2)
    """
    sign = text[at]
    if sign in SUPERSCRIPTS:
        end = at
        while end < len(text) and text[end] in SUPERSCRIPTS:
            end += 1
        digits = "".join(str(SUPERSCRIPTS.index(each)) for each in text[at:end])
        return Sign("superscript", "a raised number", f"write {digits}", end)
    if sign.isascii() and (sign.isalnum() or sign in "[]()-?*"):
        return None
    if not sign.isprintable() or unicodedata.category(sign) in UNSEEN:
        return Sign("control-character", "a character that cannot be seen", "remove it", at + 1)
    plain = unicodedata.normalize("NFKC", sign)
    if plain != sign and plain.isascii() and len(plain) == 1:
        message = f"{sign} is a wide or styled character"
        return Sign("full-width", message, f"write {plain}", at + 1)
    braces = BRACES.match(text, at)
    end = braces.end() if braces else at + 1
    hint = HINTS.get(sign, f"leave {sign} out")
    return Sign("unknown-symbol", f"{sign} means nothing in Betza", hint, end)
