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

# Words of a hint that ask to take away what was pointed at, or to write something.
AWAY = re.compile(r"^(?:leave|remove|drop)\b|; leave it out")
WRITE = re.compile(r"\b(?:write|did you mean|close it with|put & between:)\s+(?:the piece )?(\S.*)")
CLOSE = re.compile(r"close the ([(\[{])")
CLOSING = {"(": ")", "[": "]", "{": "}"}
# What follows the text to write: another choice, an explanation, the end of the sentence.
AFTER = re.compile(r", or | or |; |, | for | is |\?$")
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
    for candidate in _candidates(text, finding):
        if len(found) == MOST:
            break
        if (
            candidate.strip()
            and candidate not in (text, *found)
            and _errors(candidate, notation) < before
        ):
            found.append(candidate)
    # Where a hint gives no choice, the others are only other ways to understand it.
    return found if " or " in finding.hint else found[:1]


def _errors(text: str, notation: str) -> tuple[int, int]:
    """How much is wrong with a text: errors, then warnings."""
    try:
        piece, _ = understood(text, notation)
        bool(piece.meaning)
    except AlfilError as error:
        return len(error.findings), 0
    return 0, len(piece.findings)


def _candidates(text: str, finding: Finding) -> Iterator[str]:
    start, end = finding.spans[0] if finding.spans else (0, len(text))
    if AWAY.search(finding.hint):
        yield text[:start] + text[end:]
    if match := CLOSE.search(finding.hint):
        yield text + CLOSING[match[1]]
    for written in _written(finding.hint):
        yield _overlapping(text, start, end, written)
        yield text[:start] + written + text[end:]
        yield written
        yield text[:end] + written + text[end:]
        yield text + written


def _written(hint: str) -> Iterator[str]:
    """What a hint may say to write, longer forms first."""
    match = WRITE.search(hint)
    for said in (match[1] if match else "", hint):
        if said:
            yield said.rstrip("?")
            yield AFTER.split(said)[0]
    if match is None and "as in" not in hint and " or " in hint:
        yield hint.rpartition(" or ")[2]


def _overlapping(text: str, start: int, end: int, written: str) -> str:
    """The text with the place replaced, where what is written repeats what stands around it.

    >>> _overlapping("FW03", 2, 4, "W3")
    'FW3'
    """
    left = next(
        n for n in range(min(start, len(written)), -1, -1) if text[:start].endswith(written[:n])
    )
    rest = written[left:]
    right = next(
        n for n in range(len(rest), -1, -1) if text[end:].startswith(rest[len(rest) - n :])
    )
    return text[: start - left] + written + text[end + right :]
