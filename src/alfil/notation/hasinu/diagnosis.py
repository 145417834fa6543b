"""Which mistake stands where the grammar could not go on."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from alfil.errors import Finding, NotationError
from alfil.notation.betza.reader import read_betza
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.corrections import character_name, words_of
from alfil.notation.hasinu.mistakes import DIGITS, MISTAKES, WIDE
from alfil.notation.hasinu.mistakes_in_calls import LEG, Mistake
from alfil.notation.hasinu.repair import part_around
from alfil.notation.hasinu.scan import HIDDEN, HOLE, scan
from alfil.notation.nodes import Description
from alfil.notation.parsing import Parser, ShapeError
from alfil.source import Source, Span

# How far around the place a mistake may reach.
WINDOW = 200

# Signs of these kinds come in swarms: all are put right at once.
_EVERYWHERE = {"digit": f"[{DIGITS}]", "look-alike": f"[{WIDE}]"}
_PICTURES = tuple((mistake, re.compile(mistake.picture, re.ASCII)) for mistake in MISTAKES)
_LEG_HERE = re.compile(LEG, re.ASCII)
_WORD_HERE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LEG_ENDS = re.compile(r"[A-Za-z0-9)\]}\x1a]\s*\Z", re.ASCII)
# Words and signs that people put where & belongs.
_JOINING = frozenset({"and", "AND", "And", "or", "plus", "und", "et", ";", "+", "|", ":", "!", ","})


class Broken(NamedTuple):
    """A text made ready for the grammar, and the place where the grammar could not go on.

    ``shown`` is the same text with its Betza visible; hints quote from it. ``offset`` is the length
    of the text when more was due at its end.
    """

    ready: str
    shown: str
    offset: int
    parser: Parser[Description]

    def reads(self, text: str) -> bool:
        """Whether a correction has the shape of a description."""
        scanned = scan(text)
        if scanned.findings or HOLE in text or len(text) > 2 * WINDOW:
            return False
        try:
            self.parser.parse(scanned.ready)
        except ShapeError:
            return False
        return True

    def joined(self, start: int, joint: str, end: int) -> str:
        """The parts before and after a place with a joint between them, or "" when that is wrong.

        When more is wrong further on, the correction ends there.
        """
        first, _ = part_around(self.ready, max(0, start - 1))
        _, last = part_around(self.ready, end)
        before = self.shown[first:start].strip()
        after = self.shown[end:last].strip()
        if len(after) > WINDOW:
            after = after[:WINDOW].rpartition(" ")[0].rstrip()
        together = f"{before}{joint}{after}"
        if self.reads(together):
            return together
        while after and not self.reads(together):
            after = after.rpartition(" ")[0].rstrip()
            together = f"{before}{joint}{after}"
        return together if after else ""


def shown(ready: str, text: str, runs: list[Span]) -> str:
    """The text as far as it has been put right, with its runs of Betza visible again."""
    for start, end in runs:
        if ready[start:end] == HIDDEN * (end - start):
            ready = ready[:start] + text[start:end] + ready[end:]
    return ready


def diagnose(broken: Broken) -> tuple[Finding, str]:
    """What is wrong where the grammar could not go on, and a text of equal length to go on with.

    The text comes back unchanged when the mistake has no repair of its own.
    """
    offset, text = broken.offset, broken.ready
    for mistake, picture in _PICTURES:
        for match in picture.finditer(text, max(0, offset - WINDOW), offset + WINDOW):
            if match.start() <= offset <= match.end():
                return _told(mistake, match, broken)
    return _plain(broken), text


def _told(mistake: Mistake, match: re.Match[str], broken: Broken) -> tuple[Finding, str]:
    text = broken.ready
    words = words_of(match, broken.shown)
    span = Span(*match.span("at"))
    hint = mistake.hint.format(**words)
    if HOLE in hint:
        hint = "first put right what stands around it"
    finding = Finding(mistake.kind, mistake.message.format(**words), (span,), hint)
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


def _plain(broken: Broken) -> Finding:
    """What can be said about a place that no picture covers."""
    text, offset = broken.ready, broken.offset
    if offset >= len(text):
        message = "the description breaks off"
        return Finding("unexpected-end", message, (Span(offset, offset),), "finish it")
    follows = _LEG_ENDS.search(text[max(0, offset - WINDOW) : offset])
    if follows and _LEG_HERE.match(text, offset):
        return _missing_ampersand(broken)
    word = _WORD_HERE.match(text, offset)
    if word:
        return Finding("bare-word", f"{word[0]} is no move", (Span(*word.span()),), _bare(broken))
    return _strange(broken)


def _missing_ampersand(broken: Broken) -> Finding:
    offset = broken.offset
    together = broken.joined(offset, " & ", offset)
    hint = f"put & between: {together}" if together else "put & between the two"
    message = "& is missing between two moves"
    return Finding("missing-ampersand", message, (Span(offset, offset + 1),), hint)


def _bare(broken: Broken) -> str:
    """What may have been meant by a word that stands where a move belongs."""
    match = _WORD_HERE.match(broken.ready, broken.offset)
    assert match is not None
    word = match[0]
    joint = " &t " if word in {"t", "T"} else " & " if word in _JOINING else ""
    together = joint and broken.joined(match.start(), joint, match.end())
    if together:
        return together
    try:
        read_betza(Source(word), "betza")
    except NotationError:
        near = lexicon.nearest(word, tuple(lexicon.USAGES)) if len(word) > len("fe") else ""
        meant = lexicon.USAGES[near] if near else "a function needs brackets"
        return f"//{word} is text; {meant}" if not near else f"{meant}, or //{word} for text"
    return f"\\{word} is Betza, //{word} is text, and a function needs brackets"


def _strange(broken: Broken) -> Finding:
    """A sign that stands where none of the notation can."""
    offset = broken.offset
    sign = broken.ready[offset]
    together = broken.joined(offset, " & ", offset + 1) if sign in _JOINING else ""
    message = f"{character_name(sign)} has no meaning here"
    hint = together or _in_place_of(broken)
    return Finding("unexpected", message, (Span(offset, offset + 1),), hint)


def _in_place_of(broken: Broken) -> str:
    """What to do about a strange sign, as far as that makes the text right."""
    before, after = broken.shown[: broken.offset], broken.shown[broken.offset + 1 :]
    return "write a comma" if broken.reads(f"{before},{after}") else "remove it"
