"""Which mistake stands where the grammar could not go on."""

from __future__ import annotations

import re
import unicodedata

from alfil.errors import Finding
from alfil.notation.hasinu.mistakes import DIGITS, LEG, MISTAKES, WIDE, Mistake
from alfil.source import Span

# How far around the place a mistake may reach.
WINDOW = 200

# Signs of these kinds come in swarms: all are put right at once.
_EVERYWHERE = {"digit": f"[{DIGITS}]", "look-alike": f"[{WIDE}]"}
_PICTURES = tuple((mistake, re.compile(mistake.picture, re.ASCII)) for mistake in MISTAKES)
_LEG_HERE = re.compile(rf"(?P<at>{LEG})(?P<rest>[^&]*)", re.ASCII)
_WORD_HERE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LEG_ENDS = re.compile(r"[A-Za-z0-9)\]}\x1a]\s*\Z", re.ASCII)


def diagnose(text: str, offset: int) -> tuple[Finding, str]:
    """What is wrong where the grammar could not go on, and a text of equal length to go on with.

    The text comes back unchanged when the mistake has no repair of its own. ``offset`` is the
    length of the text when more was due at its end.
    """
    for mistake, picture in _PICTURES:
        for match in picture.finditer(text, max(0, offset - WINDOW), offset + WINDOW):
            if match.start() <= offset <= match.end():
                return _told(mistake, match, text)
    return _plain(text, offset)


def _told(mistake: Mistake, match: re.Match[str], text: str) -> tuple[Finding, str]:
    words = _words(match)
    span = Span(*match.span("at"))
    finding = Finding(
        mistake.kind,
        mistake.message.format(**words),
        (span,),
        mistake.hint.format(**words),
    )
    if mistake.kind in _EVERYWHERE:
        return finding, re.sub(_EVERYWHERE[mistake.kind], _ascii, text)
    width = span.end - span.start
    repair = mistake.repair.format(**words)
    if repair and width >= len(repair):
        text = text[: span.start] + repair.ljust(width) + text[span.end :]
    return finding, text


def _ascii(match: re.Match[str]) -> str:
    """The character of ASCII that a look-alike looks like."""
    return unicodedata.normalize("NFKC", match[0])


def _words(match: re.Match[str]) -> dict[str, str]:
    at = match["at"]
    words = {name: value or "" for name, value in match.groupdict().items()}
    words |= {"upper": at.upper(), "lower": at.lower(), "name": _name(at[:1])}
    words |= {"plain": unicodedata.normalize("NFKC", at).strip() or "a blank"}
    words |= {"digit": str(unicodedata.digit(at[:1] or "0", ""))}
    if "low" in words:
        low, high = int(words["low"]), min(int(words["high"]), int(words["low"]) + 35)
        words["range"] = f"{{{','.join(map(str, range(low, high + 1)))}}}"
    return words


def _name(character: str) -> str:
    """The character as a message shows it."""
    if not character or character.isascii():
        return character.strip() or "a blank"
    code = f"U+{ord(character):04X}"
    visible = character.isprintable() and not unicodedata.combining(character)
    return f"{character} ({code})" if visible else code


def _plain(text: str, offset: int) -> tuple[Finding, str]:
    """What can be said about a place that no picture covers."""
    if offset >= len(text):
        message = "the description breaks off"
        return Finding("unexpected-end", message, (Span(offset, offset),), "finish it"), text
    before = text[:offset]
    leg = _LEG_HERE.match(text, offset)
    if leg and _LEG_ENDS.search(before[-WINDOW:]):
        hint = f"put & between: {_last_leg(before)} & {leg[0].strip()}"
        message = "& is missing between two moves"
        return Finding("missing-ampersand", message, (Span(offset, offset + 1),), hint), text
    word = _WORD_HERE.match(text, offset)
    if word:
        hint = f"\\{word[0]} is Betza, //{word[0]} is text, and a function needs brackets"
        message = f"{word[0]} is no move"
        return Finding("bare-word", message, (Span(*word.span()),), hint), text
    return _strange(text, offset)


def _last_leg(before: str) -> str:
    match = re.search(r"(?:\([^()]*\)[a-h]*|[^&,\[()]+)\Z", before.rstrip())
    return match[0].strip() if match else "..."


def _strange(text: str, offset: int) -> tuple[Finding, str]:
    """A sign that stands where none of the notation can."""
    sign = text[offset]
    span = Span(offset, offset + 1)
    hint = "& joins moves" if sign in ";+|.:!?," else "remove it"
    message = f"{_name(sign)} has no meaning here"
    return Finding("unexpected", message, (span,), hint), text
