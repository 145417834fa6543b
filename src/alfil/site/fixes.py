"""Hints made into texts: what a text becomes when the hint of a finding is followed.

A hint is words for people, so what it says is tried in the places it may be meant for, and offered
only where the result can be read and the finding is gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from alfil.api import Piece, read
from alfil.errors import AlfilError, Finding, NotationError
from alfil.library.library import Found, named_instead
from alfil.notation.offers import corrections, followed, without
from alfil.source import Span

# Words of a hint that ask to take away what was pointed at.
AWAY = re.compile(r"^(?:leave|remove|drop)\b|; leave it out")
LONGEST = 400
MOST = 3


def understood(text: str, notation: str) -> tuple[Piece, Found | None]:
    """The piece that a text describes, or else the bundled piece of this name, found so."""
    try:
        return read(text, notation), None
    except NotationError as error:
        named = named_instead(error)
        return named.entry.piece, named


def fixes(text: str, notation: str, finding: Finding) -> list[str]:
    """The whole texts that following the hint of a finding may lead to, the likeliest first.

    >>> from alfil import AlfilError, read
    >>> try:
    ...     bool(read("FW03"))
    ... except AlfilError as error:
    ...     fixes("FW03", "betza", error.findings[0])
    ['FW3']
    """
    if not finding.hint or len(text) > LONGEST:
        return []
    before = _errors(text, notation)
    found: list[str] = []
    for candidates in _candidates(text, finding):
        good = (
            each
            for each in candidates
            if each.strip() and each != text and _errors(each, notation) < before
        )
        found += filter(None, [next(good, "")])
    return list(dict.fromkeys(found))[:MOST]


def _errors(text: str, notation: str) -> tuple[int, int]:
    """How much is wrong with a text: errors, then warnings."""
    try:
        piece, _ = understood(text, notation)
        bool(piece.meaning)
    except AlfilError as error:
        return len(error.findings), 0
    return 0, len(piece.findings)


def _candidates(text: str, finding: Finding) -> Iterator[Iterator[str]]:
    """For each thing that a hint asks to do, the texts that it may lead to."""
    span = finding.spans[0] if finding.spans else Span(0, len(text))
    if AWAY.search(finding.hint):
        yield without(text, span)
    for offer in corrections(finding):
        yield followed(text, span, offer)
